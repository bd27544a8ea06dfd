// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bus interface: lets the CPU at VRAM and doorbells, says whose each doorbell
 * is, and flushes what the CPU wrote to VRAM out of the host data path.
 * Documentation/hardware.rst, "Bus interface".
 */
#include <linux/sizes.h>

#include <hw/doorbell.h>
#include <hw/pci.h>
#include <hw/reg/nbio.h>

#include "vgpu.h"

/*
 * Where the HDP flush registers are shown once more, a page at the end of the
 * register BAR that could be mapped to user space.
 */
#define NBIO_REMAP_OFFSET	(VGPU_MMIO_DWORDS * 4 - SZ_4K)

static const unsigned int vgpu_sdma_doorbell_index[VGPU_MAX_SDMA] = {
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE0,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE1,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE2,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE3,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE4,
};

/* Doorbells of the IH: a pair for each ring and the retry CAM. */
#define NBIO_IH_DOORBELL_RANGE	8

static void vgpu_nbio_doorbell_range(struct vgpu_device *vdev, u32 reg, u32 index, u32 size)
{
	u32 tmp = RREG32(NBIO, reg);

	/* All ranges have the layout of SDMA0's. */
	tmp = REG_FIELD_SET(tmp, BIF_SDMA0_DOORBELL_RANGE, OFFSET,
			    VGPU_DOORBELL_DWORD_OFFSET(index));
	tmp = REG_FIELD_SET(tmp, BIF_SDMA0_DOORBELL_RANGE, SIZE, size);
	WREG32(NBIO, reg, tmp);
}

/**
 * vgpu_nbio_fatal_error() - did the die report an error that it cannot survive?
 * @vdev: the die
 *
 * It does so by an interrupt that has no entry in the ring. Any context.
 * Return: true once for each, or for several.
 */
bool vgpu_nbio_fatal_error(struct vgpu_device *vdev)
{
	u32 val = RREG32(NBIO, regBIF_DOORBELL_INT_CNTL_ALDE);

	if (!(val & BIF_DOORBELL_INT_CNTL__RAS_ATHUB_ERR_EVENT_INTERRUPT_STATUS_MASK))
		return false;
	WREG32(NBIO, regBIF_DOORBELL_INT_CNTL_ALDE,
	       val | BIF_DOORBELL_INT_CNTL__RAS_ATHUB_ERR_EVENT_INTERRUPT_CLEAR_MASK);
	return true;
}

static int vgpu_nbio_hw_init(struct vgpu_device *vdev)
{
	unsigned int i;
	u32 tmp;

	WREG32(NBIO, regBIF_FB_EN, BIF_FB_EN__FB_READ_EN_MASK | BIF_FB_EN__FB_WRITE_EN_MASK);

	/* What broke under who had the die before is no reason to reset it now. */
	vgpu_nbio_fatal_error(vdev);

	WREG32(NBIO, regREMAP_HDP_MEM_FLUSH_CNTL,
	       NBIO_REMAP_OFFSET + VGPU_REMAP_HDP_MEM_FLUSH_CNTL * 4);
	WREG32(NBIO, regREMAP_HDP_REG_FLUSH_CNTL,
	       NBIO_REMAP_OFFSET + VGPU_REMAP_HDP_REG_FLUSH_CNTL * 4);

	/* The CP's doorbells are what no range claims. */
	for (i = 0; i < VGPU_MAX_SDMA; i++)
		vgpu_nbio_doorbell_range(vdev, VGPU_BIF_SDMA_DOORBELL_RANGE(i),
					 vgpu_sdma_doorbell_index[i],
					 i < vdev->info.num_sdma ? VGPU_DOORBELL_SDMA_RANGE : 0);
	vgpu_nbio_doorbell_range(vdev, regBIF_IH_DOORBELL_RANGE, AMDGPU_VEGA20_DOORBELL_IH,
				 NBIO_IH_DOORBELL_RANGE);

	tmp = RREG32(NBIO, regRCC_DOORBELL_APER_EN);
	WREG32(NBIO, regRCC_DOORBELL_APER_EN,
	       REG_FIELD_SET(tmp, RCC_DOORBELL_APER_EN, BIF_DOORBELL_APER_EN, 1));
	return 0;
}

static void vgpu_nbio_hw_fini(struct vgpu_device *vdev)
{
	u32 tmp = RREG32(NBIO, regRCC_DOORBELL_APER_EN);
	unsigned int i;

	WREG32(NBIO, regRCC_DOORBELL_APER_EN,
	       REG_FIELD_SET(tmp, RCC_DOORBELL_APER_EN, BIF_DOORBELL_APER_EN, 0));
	for (i = 0; i < VGPU_MAX_SDMA; i++)
		vgpu_nbio_doorbell_range(vdev, VGPU_BIF_SDMA_DOORBELL_RANGE(i), 0, 0);
	vgpu_nbio_doorbell_range(vdev, regBIF_IH_DOORBELL_RANGE, 0, 0);
}

/**
 * vgpu_hdp_flush() - make what the CPU wrote to VRAM visible to the GPU
 * @vdev: the die
 *
 * The read makes sure that the flush has begun, hence that it is ordered
 * before a doorbell that follows. Any context; nothing once unplugged. Where the
 * CPU's caches are kept coherent there is nothing on the way that collects writes.
 */
void vgpu_hdp_flush(struct vgpu_device *vdev)
{
	u32 reg = NBIO_REMAP_OFFSET / 4 + VGPU_REMAP_HDP_MEM_FLUSH_CNTL;
	int idx;

	/* Nothing runs before NBIO is up, nor could it be reached. */
	if (!vdev->num_hw_up || !vgpu_hw_enter(vdev, &idx))
		return;
	wmb();	/* write-combined stores to the BAR leave the CPU first */
	if (!vdev->gmc.connected_to_cpu) {
		vgpu_wreg(vdev, reg, 0);
		vgpu_rreg(vdev, reg);
	}
	vgpu_hw_exit(idx);
}

/**
 * vgpu_nbio_hdp_page() - where a process may flush HDP
 * @vdev: the die
 *
 * Return: physical address of the page, for the CPU.
 */
resource_size_t vgpu_nbio_hdp_page(struct vgpu_device *vdev)
{
	return pci_resource_start(vdev->pdev, VGPU_BAR_MMIO) + NBIO_REMAP_OFFSET;
}

/**
 * vgpu_nbio_rev_id() - revision of the die
 * @vdev: the die
 */
u32 vgpu_nbio_rev_id(struct vgpu_device *vdev)
{
	u32 strap = RREG32(NBIO, regRCC_DEV0_EPF0_STRAP0_ALDE);

	return REG_FIELD_GET(RCC_DEV0_EPF0_STRAP0, STRAP_ATI_REV_ID_DEV0_F0, strap);
}

const struct vgpu_ip_block vgpu_nbio_block = {
	.name = "nbio",
	.hw_init = vgpu_nbio_hw_init,
	.hw_fini = vgpu_nbio_hw_fini,
	.resume = vgpu_nbio_hw_init,
};
