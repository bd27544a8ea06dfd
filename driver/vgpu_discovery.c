// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * IP discovery: firmware leaves a list of the die's IP blocks, their versions
 * and register bases, near the end of VRAM.
 * Documentation/hardware.rst, "IP discovery".
 *
 * The binary is copied once and then checked: nothing in it is believed,
 * neither an offset nor a count.
 */
#include <linux/io.h>
#include <linux/iopoll.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/unaligned.h>

#include <drm/drm_print.h>

#include <hw/discovery.h>
#include <hw/pci.h>
#include <hw/reg/mp.h>
#include <hw/reg/nbio.h>

#include "vgpu.h"

/* Reference clock of MI250X, as soc15_get_xclk() of amdgpu has it. */
#define DISCOVERY_XCLK_KHZ	100000

/* The blocks we drive, and a few more to report. */
static const struct {
	u16 hw_id;
	u8 instance;
	u8 ip;
	bool needed;
	const char *name;
} vgpu_discovery_map[] = {
	{ GC_HWID, 0, VGPU_HWIP_GC, true, "GC" },
	{ SDMA0_HWID, 0, VGPU_HWIP_SDMA0, true, "SDMA0" },
	{ SDMA0_HWID, 1, VGPU_HWIP_SDMA1, false, "SDMA1" },
	{ SDMA0_HWID, 2, VGPU_HWIP_SDMA2, false, "SDMA2" },
	{ SDMA0_HWID, 3, VGPU_HWIP_SDMA3, false, "SDMA3" },
	{ SDMA0_HWID, 4, VGPU_HWIP_SDMA4, false, "SDMA4" },
	{ OSSSYS_HWID, 0, VGPU_HWIP_OSSSYS, true, "OSSSYS" },
	{ MMHUB_HWID, 0, VGPU_HWIP_MMHUB, true, "MMHUB" },
	{ ATHUB_HWID, 0, VGPU_HWIP_ATHUB, false, "ATHUB" },
	{ NBIF_HWID, 0, VGPU_HWIP_NBIO, true, "NBIO" },
	{ HDP_HWID, 0, VGPU_HWIP_HDP, true, "HDP" },
	{ MP0_HWID, 0, VGPU_HWIP_MP0, false, "MP0" },
	{ MP1_HWID, 0, VGPU_HWIP_MP1, false, "MP1" },
	{ DF_HWID, 0, VGPU_HWIP_DF, false, "DF" },
	{ SMUIO_HWID, 0, VGPU_HWIP_SMUIO, false, "SMUIO" },
	{ THM_HWID, 0, VGPU_HWIP_THM, false, "THM" },
};

/* VRAM through MM_INDEX and MM_DATA, for what the BAR does not show. */
static void vgpu_discovery_read_indirect(struct vgpu_device *vdev, u64 pos, u32 *buf, size_t size)
{
	unsigned long flags;
	size_t i;

	spin_lock_irqsave(&vdev->index_lock, flags);
	for (i = 0; i < size / 4; i++, pos += 4) {
		writel((u32)pos | MM_INDEX__MM_APER_MASK,
		       vdev->mmio + VGPU_REG_ABS(NBIO, regMM_INDEX) * 4);
		writel(pos >> 31, vdev->mmio + VGPU_REG_ABS(NBIO, regMM_INDEX_HI) * 4);
		buf[i] = readl(vdev->mmio + VGPU_REG_ABS(NBIO, regMM_DATA) * 4);
	}
	spin_unlock_irqrestore(&vdev->index_lock, flags);
}

/* Firmware may still be at it when the die has just got power: up to 2 s. */
static void vgpu_discovery_wait_firmware(struct vgpu_device *vdev)
{
	u32 msg;

	/* A die whose firmware says nothing may still have a good table. */
	readl_poll_timeout(vdev->mmio + VGPU_REG_ABS(MP0, regMP0_SMN_C2PMSG_33) * 4, msg,
			   msg & BIT(31), 1000, 2000000);
}

static int vgpu_discovery_read(struct vgpu_device *vdev, void *buf)
{
	u64 vram, pos;

	vgpu_discovery_wait_firmware(vdev);

	/* Before the table is read, only the well-known place is known. */
	vram = (u64)readl(vdev->mmio + VGPU_REG_ABS(NBIO, regRCC_CONFIG_MEMSIZE) * 4) << 20;
	if (!vram || vram >> 48) {
		drm_err(&vdev->drm, "VRAM of %llu MiB\n", vram >> 20);
		return -ENODEV;
	}
	pos = vram - DISCOVERY_TMR_OFFSET;

	if (pos + DISCOVERY_TMR_SIZE <= pci_resource_len(vdev->pdev, VGPU_BAR_VRAM)) {
		void __iomem *map = ioremap_wc(pci_resource_start(vdev->pdev, VGPU_BAR_VRAM) + pos,
					       DISCOVERY_TMR_SIZE);

		if (!map)
			return -ENOMEM;
		memcpy_fromio(buf, map, DISCOVERY_TMR_SIZE);
		iounmap(map);
	} else {
		vgpu_discovery_read_indirect(vdev, pos, buf, DISCOVERY_TMR_SIZE);
	}
	return 0;
}

static u16 vgpu_discovery_checksum(const u8 *data, size_t size)
{
	u16 sum = 0;

	while (size--)
		sum += *data++;
	return sum;
}

/**
 * struct vgpu_discovery - the binary while it is read
 * @bin: copy of it
 * @size: bytes of it that are covered by its checksum
 */
struct vgpu_discovery {
	const u8 *bin;
	u32 size;
};

/* @size bytes at @offset, or NULL when they are not all inside the binary. */
static const void *vgpu_discovery_at(const struct vgpu_discovery *d, u32 offset, u32 size)
{
	if (offset > d->size || size > d->size - offset)
		return NULL;
	return d->bin + offset;
}

static int vgpu_discovery_check_binary(struct vgpu_device *vdev, struct vgpu_discovery *d)
{
	const struct vgpu_binary_header *hdr = (const void *)d->bin;
	u32 start = offsetofend(struct vgpu_binary_header, binary_checksum);
	u32 size = le16_to_cpu(hdr->binary_size);
	u16 sum;

	if (le32_to_cpu(hdr->binary_signature) != BINARY_SIGNATURE) {
		drm_err(&vdev->drm, "discovery: signature %#x\n",
			le32_to_cpu(hdr->binary_signature));
		return -EINVAL;
	}
	if (size < sizeof(*hdr) || size > DISCOVERY_TMR_SIZE) {
		drm_err(&vdev->drm, "discovery: binary of %u bytes\n", size);
		return -EINVAL;
	}
	sum = vgpu_discovery_checksum(d->bin + start, size - start);
	if (sum != le16_to_cpu(hdr->binary_checksum)) {
		drm_err(&vdev->drm, "discovery: checksum %#x of the binary, expected %#x\n", sum,
			le16_to_cpu(hdr->binary_checksum));
		return -EINVAL;
	}
	d->size = size;
	return 0;
}

/* A table, when it is there, has its own signature, size and checksum. */
static const void *vgpu_discovery_table(struct vgpu_device *vdev, const struct vgpu_discovery *d,
					unsigned int which, u32 signature, u32 min_size, u32 size)
{
	const struct vgpu_binary_header *hdr = (const void *)d->bin;
	const struct vgpu_table_info *info = &hdr->table_list[which];
	const __le32 *table;
	u16 sum;

	table = vgpu_discovery_at(d, le16_to_cpu(info->offset), size);
	if (size < min_size || !table) {
		drm_err(&vdev->drm, "discovery: table %u of %u bytes at %u\n", which, size,
			le16_to_cpu(info->offset));
		return NULL;
	}
	if (get_unaligned_le32(table) != signature) {
		drm_err(&vdev->drm, "discovery: table %u has signature %#x\n", which,
			get_unaligned_le32(table));
		return NULL;
	}
	sum = vgpu_discovery_checksum((const u8 *)table, size);
	if (sum != le16_to_cpu(info->checksum)) {
		drm_err(&vdev->drm, "discovery: checksum %#x of table %u, expected %#x\n", sum,
			which, le16_to_cpu(info->checksum));
		return NULL;
	}
	return table;
}

static void vgpu_discovery_take(struct vgpu_device *vdev, const struct vgpu_ip *ip,
				unsigned int instance)
{
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(vgpu_discovery_map); i++) {
		struct vgpu_ip_info *info;

		if (vgpu_discovery_map[i].hw_id != le16_to_cpu(ip->hw_id) ||
		    vgpu_discovery_map[i].instance != instance)
			continue;

		info = &vdev->ip[vgpu_discovery_map[i].ip];
		info->present = true;
		info->major = ip->major;
		info->minor = ip->minor;
		info->rev = ip->revision;
		/* Further segments would be of no register we know. */
		for (n = 0; n < min_t(unsigned int, ip->num_base_address, VGPU_MAX_SEGMENT); n++)
			info->base[n] = le32_to_cpu(ip->base_address[n]);
		drm_dbg_driver(&vdev->drm, "discovery: %s %u.%u.%u at %#x\n",
			       vgpu_discovery_map[i].name, ip->major, ip->minor, ip->revision,
			       info->base[0]);
		return;
	}
}

/* The IP blocks of one die of the table; which die we are is not said: one. */
static int vgpu_discovery_parse_die(struct vgpu_device *vdev, const struct vgpu_discovery *d,
				    u32 offset, u32 version)
{
	const struct vgpu_die_header *die;
	unsigned int i, num_ips;
	u32 pos = offset;

	die = vgpu_discovery_at(d, pos, sizeof(*die));
	if (!die)
		goto bad;
	num_ips = le16_to_cpu(die->num_ips);
	pos += sizeof(*die);

	for (i = 0; i < num_ips; i++) {
		const struct vgpu_ip *ip = vgpu_discovery_at(d, pos, sizeof(*ip));

		if (!ip || !vgpu_discovery_at(d, pos, struct_size(ip, base_address,
								  ip->num_base_address)))
			goto bad;
		/* The layouts of all versions differ only in bits not used here. */
		vgpu_discovery_take(vdev, ip, ip->number_instance);
		pos += struct_size(ip, base_address, ip->num_base_address);
	}
	return 0;

bad:
	drm_err(&vdev->drm, "discovery: die at %u, block at %u: beyond the end (version %u)\n",
		offset, pos, version);
	return -EINVAL;
}

static int vgpu_discovery_parse_ips(struct vgpu_device *vdev, const struct vgpu_discovery *d)
{
	const struct vgpu_binary_header *bin = (const void *)d->bin;
	const struct vgpu_ip_discovery_header *hdr;
	u32 offset = le16_to_cpu(bin->table_list[VGPU_TABLE_IP_DISCOVERY].offset);
	unsigned int i;
	u32 version;
	int ret;

	hdr = vgpu_discovery_at(d, offset, sizeof(*hdr));
	if (!hdr) {
		drm_err(&vdev->drm, "discovery: no IP table at %u\n", offset);
		return -EINVAL;
	}
	hdr = vgpu_discovery_table(vdev, d, VGPU_TABLE_IP_DISCOVERY, DISCOVERY_TABLE_SIGNATURE,
				   sizeof(*hdr), le16_to_cpu(hdr->size));
	if (!hdr)
		return -EINVAL;

	version = le16_to_cpu(hdr->version);
	if (version < 1 || version > 3) {
		drm_err(&vdev->drm, "discovery: version %u of the IP table\n", version);
		return -EINVAL;
	}
	if (le16_to_cpu(hdr->num_dies) != 1) {
		drm_err(&vdev->drm, "discovery: %u dies behind one function\n",
			le16_to_cpu(hdr->num_dies));
		return -EINVAL;
	}
	ret = vgpu_discovery_parse_die(vdev, d, le16_to_cpu(hdr->die_info[0].die_offset), version);
	if (ret)
		return ret;

	for (i = 0; i < ARRAY_SIZE(vgpu_discovery_map); i++) {
		if (vgpu_discovery_map[i].needed && !vdev->ip[vgpu_discovery_map[i].ip].present) {
			drm_err(&vdev->drm, "discovery: no %s\n", vgpu_discovery_map[i].name);
			return -ENODEV;
		}
	}
	while (vdev->info.num_sdma < VGPU_MAX_SDMA &&
	       vdev->ip[VGPU_HWIP_SDMA0 + vdev->info.num_sdma].present)
		vdev->info.num_sdma++;
	return 0;
}

static int vgpu_discovery_parse_gc(struct vgpu_device *vdev, const struct vgpu_discovery *d)
{
	const struct vgpu_binary_header *bin = (const void *)d->bin;
	u32 offset = le16_to_cpu(bin->table_list[VGPU_TABLE_GC].offset);
	const struct vgpu_gpu_info_header *hdr = vgpu_discovery_at(d, offset, sizeof(*hdr));
	const struct vgpu_gc_info_v2_0 *gc;
	u32 cu_per_sh;

	if (!offset || !hdr) {
		drm_err(&vdev->drm, "discovery: no GC table at %u\n", offset);
		return -EINVAL;
	}
	gc = vgpu_discovery_table(vdev, d, VGPU_TABLE_GC, GC_TABLE_ID, sizeof(*gc),
				  le32_to_cpu(hdr->size));
	if (!gc)
		return -EINVAL;
	if (le16_to_cpu(gc->header.version_major) != 2) {
		drm_err(&vdev->drm, "discovery: version %u.%u of the GC table\n",
			le16_to_cpu(gc->header.version_major),
			le16_to_cpu(gc->header.version_minor));
		return -EINVAL;
	}

	vdev->info.num_se = le32_to_cpu(gc->gc_num_se);
	vdev->info.num_sh_per_se = le32_to_cpu(gc->gc_num_sh_per_se);
	cu_per_sh = le32_to_cpu(gc->gc_num_cu_per_sh);
	/* What GRBM_GFX_INDEX and the bitmaps of the uAPI can hold. */
	if (!vdev->info.num_se || vdev->info.num_se > 8 ||
	    !vdev->info.num_sh_per_se || vdev->info.num_sh_per_se > 2 ||
	    !cu_per_sh || cu_per_sh > 16 || le32_to_cpu(gc->gc_num_rb_per_se) > 32) {
		drm_err(&vdev->drm, "discovery: %u SEs of %u SHs of %u CUs, %u RBs\n",
			vdev->info.num_se, vdev->info.num_sh_per_se, cu_per_sh,
			le32_to_cpu(gc->gc_num_rb_per_se));
		return -EINVAL;
	}
	vdev->info.num_cu_per_sh = cu_per_sh;
	vdev->info.num_cu = vdev->info.num_se * vdev->info.num_sh_per_se * cu_per_sh;
	vdev->info.num_rb_per_se = le32_to_cpu(gc->gc_num_rb_per_se);
	vdev->info.num_tccs = le32_to_cpu(gc->gc_num_tccs);
	vdev->info.num_gprs = le32_to_cpu(gc->gc_num_gprs);
	vdev->info.max_gs_threads = le32_to_cpu(gc->gc_num_max_gs_thds);
	vdev->info.gs_table_depth = le32_to_cpu(gc->gc_gs_table_depth);
	vdev->info.gsprim_buff_depth = le32_to_cpu(gc->gc_gsprim_buff_depth);
	vdev->info.double_offchip_lds_buffer = le32_to_cpu(gc->gc_double_offchip_lds_buffer);
	vdev->info.max_scratch_slots_per_cu = le32_to_cpu(gc->gc_max_scratch_slots_per_cu);
	vdev->info.wave_size = le32_to_cpu(gc->gc_wave_size);
	vdev->info.max_waves_per_simd = le32_to_cpu(gc->gc_max_waves_per_simd);
	vdev->info.lds_size = le32_to_cpu(gc->gc_lds_size);
	vdev->info.simd_per_cu = 4;	/* of every GFX9 */
	return 0;
}

/**
 * vgpu_discovery_init() - find out what the die is made of
 * @vdev: the die, its BARs mapped
 *
 * Fills @vdev->ip and @vdev->info. Return: 0, -ENODEV when a block that we
 * cannot do without is missing, -EINVAL for a table that makes no sense.
 */
int vgpu_discovery_init(struct vgpu_device *vdev)
{
	struct vgpu_discovery d = { };
	void *buf;
	int ret;

	buf = kmalloc(DISCOVERY_TMR_SIZE, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;
	d.bin = buf;

	ret = vgpu_discovery_read(vdev, buf);
	if (!ret)
		ret = vgpu_discovery_check_binary(vdev, &d);
	if (!ret)
		ret = vgpu_discovery_parse_ips(vdev, &d);
	if (!ret)
		ret = vgpu_discovery_parse_gc(vdev, &d);
	kfree(buf);

	vdev->info.gpu_clock_khz = DISCOVERY_XCLK_KHZ;
	return ret;
}

/**
 * vgpu_discovery_show() - print the blocks that were found
 * @vdev: the die
 * @p: where to
 */
void vgpu_discovery_show(struct vgpu_device *vdev, struct drm_printer *p)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vgpu_discovery_map); i++) {
		const struct vgpu_ip_info *info = &vdev->ip[vgpu_discovery_map[i].ip];

		if (info->present)
			drm_printf(p, "%-8s %u.%u.%u at %#x\n", vgpu_discovery_map[i].name,
				   info->major, info->minor, info->rev, info->base[0]);
	}
}
