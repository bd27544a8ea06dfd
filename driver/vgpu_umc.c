// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory controllers (UMC 6.7): what a report of the power controller says of each
 * channel, and which pages an error makes doubtful.
 * Documentation/ras.rst, "From a report to pages".
 */
#include <linux/timekeeping.h>

#include <hw/pte.h>
#include <hw/smu.h>

#include "vgpu.h"

#define UMC_STATUS(field)	MCA_UMC_UMC0_MCUMC_STATUST0__##field##_MASK
#define UMC_UNCORRECTABLE	(UMC_STATUS(Deferred) | UMC_STATUS(UECC) | UMC_STATUS(PCC) | \
				 UMC_STATUS(UC) | UMC_STATUS(TCC))

/*
 * The report has an address within a channel. What the controllers mix into other bits of a
 * physical address cannot be told from it: all that it may be are taken.
 */
static u32 umc_pages(u64 offset, unsigned int index, struct vgpu_ras_page *pages)
{
	static const u8 channel_index[] = VGPU_UMC_CHANNEL_INDEX_TABLE;
	struct vgpu_ras_page page = {
		.time = ktime_get_real_seconds(),
		.offset = offset,
		.channel = channel_index[index],
		.umc = index / UMC_V6_7_CHANNEL_INSTANCE_NUM,
	};
	u64 addr = ADDR_OF_8KB_BLOCK(offset) | ADDR_OF_256B_BLOCK((u64)page.channel) |
		   OFFSET_IN_256B_BLOCK(offset);
	u64 column;
	u32 n = 0;

	addr &= ~((u64)(UMC_V6_7_NA_MAP_PA_NUM - 1) << UMC_V6_7_PA_C2_BIT);
	for (column = 0; column < UMC_V6_7_NA_MAP_PA_NUM; column++) {
		u64 one = addr | column << UMC_V6_7_PA_C2_BIT;

		page.page = one / VGPU_GPU_PAGE_SIZE;
		pages[n++] = page;
		page.page = (one ^ BIT_ULL(UMC_V6_7_PA_R14_BIT)) / VGPU_GPU_PAGE_SIZE;
		pages[n++] = page;
	}
	return n;
}

/**
 * vgpu_umc_decode() - what a report says
 * @table: of all channels
 * @found: errors, to be added to
 * @pages: VGPU_UMC_MAX_PAGES of them; those that may be bad, not all of which need exist
 *
 * As umc_v6_7.c does it, but that it counts every error that was corrected.
 * Return: how many pages there are.
 */
u32 vgpu_umc_decode(const struct vgpu_ecc_info_table *table, struct vgpu_ras_errors *found,
		    struct vgpu_ras_page *pages)
{
	unsigned int i;
	u32 num = 0;

	for (i = 0; i < UMC_V6_7_TOTAL_CHANNEL_NUM; i++) {
		const struct vgpu_ecc_info_v2 *c = &table->ecc_info_v2[i];
		u64 status = le64_to_cpu(c->mca_umc_status);

		if (!(status & UMC_STATUS(Val)))
			continue;
		if (status & UMC_STATUS(CECC))
			found->ce += max(1, le16_to_cpu(c->ce_count_lo_chip) +
					    le16_to_cpu(c->ce_count_hi_chip));
		if (status & UMC_UNCORRECTABLE)
			found->ue++;
		if (status & UMC_STATUS(UECC))
			num += umc_pages(le64_to_cpu(c->mca_umc_addr) &
					 MCA_UMC_UMC0_MCUMC_ADDRT0__ErrorAddr_MASK, i, pages + num);
	}
	return num;
}
