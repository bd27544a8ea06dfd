// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * DRM_IOCTL_AMDGPU_INFO: what the die is and how it fares, in amdgpu's terms.
 * Documentation/driver.rst, "Queries".
 *
 * Arguments that amdgpu refuses are refused with the same error.
 */
#include <linux/bitops.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_file.h>
#include <drm/drm_managed.h>

#include <hw/pci.h>
#include <hw/pte.h>
#include <hw/reg/gc.h>
#include <hw/reg/sdma.h>

#include "vgpu.h"

/* external_rev of Aldebaran is this more than the die's revision (soc15.c). */
#define INFO_ALDEBARAN_REV	0x3c

/* Contexts of the graphics pipeline, of all GFX9. */
#define INFO_HW_CONTEXTS	8

/* IBs that fit in one submission: what user space has come to rely on. */
#define INFO_MAX_IBS_GFX	192
#define INFO_MAX_IBS_COMPUTE	125
#define INFO_MAX_IBS_JPEG	16
#define INFO_MAX_IBS		49

/* amdgpu's limits of the instance field of READ_MMR_REG */
#define INFO_MAX_SE		4
#define INFO_MAX_SH_PER_SE	2

/* Index of the bitmaps of the uAPI, [4][4]: the fifth engine follows the first. */
#define INFO_BITMAP_SE(se)	((se) % 4)
#define INFO_BITMAP_SH(se, sh)	((sh) + (se) / 4)

/* Registers that anyone may read. */
static const struct {
	unsigned int ip;
	u32 reg;
} vgpu_info_registers[] = {
	{ VGPU_HWIP_GC, regGRBM_STATUS },
	{ VGPU_HWIP_GC, regGRBM_STATUS2 },
	{ VGPU_HWIP_GC, regGRBM_STATUS_SE0 },
	{ VGPU_HWIP_GC, regGRBM_STATUS_SE1 },
	{ VGPU_HWIP_GC, regGRBM_STATUS_SE2 },
	{ VGPU_HWIP_GC, regGRBM_STATUS_SE3 },
	{ VGPU_HWIP_SDMA0, regSDMA0_STATUS_REG },
	{ VGPU_HWIP_SDMA1, regSDMA0_STATUS_REG },
	{ VGPU_HWIP_GC, regCP_STAT },
	{ VGPU_HWIP_GC, regCP_STALLED_STAT1 },
	{ VGPU_HWIP_GC, regCP_STALLED_STAT2 },
	{ VGPU_HWIP_GC, regCP_STALLED_STAT3 },
	{ VGPU_HWIP_GC, regCP_CPF_BUSY_STAT },
	{ VGPU_HWIP_GC, regCP_CPF_STALLED_STAT1 },
	{ VGPU_HWIP_GC, regCP_CPF_STATUS },
	{ VGPU_HWIP_GC, regCP_CPC_BUSY_STAT },
	{ VGPU_HWIP_GC, regCP_CPC_STALLED_STAT1 },
	{ VGPU_HWIP_GC, regCP_CPC_STATUS },
	{ VGPU_HWIP_GC, regGB_ADDR_CONFIG },
	{ VGPU_HWIP_GC, regDB_DEBUG2 },
};

#define INFO_SELECT_ALL		0xffffffff

/* Which shader engine and array the registers that they have each mean. Locked. */
static void vgpu_info_select(struct vgpu_device *vdev, u32 se, u32 sh)
{
	u32 val = GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES_MASK;

	if (se == INFO_SELECT_ALL)
		val |= GRBM_GFX_INDEX__SE_BROADCAST_WRITES_MASK;
	else
		val |= REG_FIELD_PREP(GRBM_GFX_INDEX, SE_INDEX, se);
	if (sh == INFO_SELECT_ALL)
		val |= GRBM_GFX_INDEX__SH_BROADCAST_WRITES_MASK;
	else
		val |= REG_FIELD_PREP(GRBM_GFX_INDEX, SH_INDEX, sh);
	WREG32(GC, regGRBM_GFX_INDEX, val);
}

/**
 * vgpu_info_init() - ask the hardware what does not change
 * @vdev: the die, all blocks up
 *
 * Return: 0 or an error of allocation.
 */
int vgpu_info_init(struct vgpu_device *vdev)
{
	u32 rb_per_sh = vdev->info.num_rb_per_se / vdev->info.num_sh_per_se;
	u32 cu_mask = GENMASK(vdev->info.num_cu_per_sh - 1, 0);
	u32 se, sh;
	int ret;

	ret = drmm_mutex_init(&vdev->drm, &vdev->info.grbm_lock);
	if (ret)
		return ret;

	vdev->info.rev_id = vgpu_nbio_rev_id(vdev);
	vdev->info.num_cu = 0;

	mutex_lock(&vdev->info.grbm_lock);
	for (se = 0; se < vdev->info.num_se; se++) {
		for (sh = 0; sh < vdev->info.num_sh_per_se; sh++) {
			u32 inactive, bitmap, rb_disabled, shift;

			vgpu_info_select(vdev, se, sh);

			inactive = RREG32(GC, regCC_GC_SHADER_ARRAY_CONFIG) |
				   RREG32(GC, regGC_USER_SHADER_ARRAY_CONFIG);
			bitmap = ~REG_FIELD_GET(CC_GC_SHADER_ARRAY_CONFIG, INACTIVE_CUS,
						inactive) & cu_mask;
			vdev->info.cu_bitmap[INFO_BITMAP_SE(se)][INFO_BITMAP_SH(se, sh)] = bitmap;
			vdev->info.num_cu += hweight32(bitmap);

			rb_disabled = RREG32(GC, regCC_RB_BACKEND_DISABLE) |
				      RREG32(GC, regGC_USER_RB_BACKEND_DISABLE);
			rb_disabled = REG_FIELD_GET(CC_RB_BACKEND_DISABLE, BACKEND_DISABLE,
						    rb_disabled);
			shift = (se * vdev->info.num_sh_per_se + sh) * rb_per_sh;
			if (rb_per_sh && shift < 32)
				vdev->info.rb_mask |= (~rb_disabled & (BIT_ULL(rb_per_sh) - 1)) <<
						      shift;
		}
	}
	vgpu_info_select(vdev, INFO_SELECT_ALL, INFO_SELECT_ALL);
	mutex_unlock(&vdev->info.grbm_lock);

	/* What is in use now is the driver's own and stays. */
	vdev->info.kernel_vram = vgpu_vram_usage(vdev);
	vdev->info.kernel_visible_vram = vgpu_vram_visible_usage(vdev);
	vdev->info.kernel_gtt = vgpu_gtt_usage(vdev);
	return 0;
}

u32 vgpu_info_active_cus(const struct vgpu_device *vdev, u32 se, u32 sh)
{
	return vdev->info.cu_bitmap[INFO_BITMAP_SE(se)][INFO_BITMAP_SH(se, sh)];
}

/* As much of an answer as user space has room for. */
static int vgpu_info_copy(const struct drm_amdgpu_info *info, const void *answer, size_t size)
{
	void __user *out = u64_to_user_ptr(info->return_pointer);

	return copy_to_user(out, answer, min_t(size_t, info->return_size, size)) ? -EFAULT : 0;
}

static int vgpu_info_copy_u32(const struct drm_amdgpu_info *info, u32 val)
{
	return vgpu_info_copy(info, &val, sizeof(val));
}

static int vgpu_info_copy_u64(const struct drm_amdgpu_info *info, u64 val)
{
	return vgpu_info_copy(info, &val, sizeof(val));
}

static u32 vgpu_info_ready_rings(struct vgpu_device *vdev, u32 hw_ip)
{
	unsigned int i;
	u32 num = 0;

	for (i = 0; i < vdev->num_rings; i++) {
		if (vdev->rings[i]->funcs->hw_ip == hw_ip && vdev->rings[i]->ready)
			num++;
	}
	return num;
}

/* Does anything work at all? */
static bool vgpu_info_accel_working(struct vgpu_device *vdev)
{
	unsigned int i;

	for (i = 0; i < vdev->num_rings; i++) {
		if (vdev->rings[i]->ready)
			return true;
	}
	return false;
}

static u32 vgpu_info_ip_version(struct vgpu_device *vdev, unsigned int ip)
{
	return vdev->ip[ip].major << 16 | vdev->ip[ip].minor << 8 | vdev->ip[ip].rev;
}

static int vgpu_info_hw_ip(struct vgpu_device *vdev, const struct drm_amdgpu_info *info)
{
	struct drm_amdgpu_info_hw_ip ip = { };
	u32 num_rings;

	if (info->query_hw_ip.ip_instance >= AMDGPU_HW_IP_INSTANCE_MAX_COUNT)
		return -EINVAL;

	switch (info->query_hw_ip.type) {
	case AMDGPU_HW_IP_GFX:
	case AMDGPU_HW_IP_COMPUTE:
		ip.hw_ip_version_major = 9;
		ip.hw_ip_version_minor = 0;
		ip.ip_discovery_version = vgpu_info_ip_version(vdev, VGPU_HWIP_GC);
		ip.ib_start_alignment = 32;
		ip.ib_size_alignment = 32;
		break;
	case AMDGPU_HW_IP_DMA:
		ip.hw_ip_version_major = 4;
		ip.hw_ip_version_minor = 0;
		ip.ip_discovery_version = vgpu_info_ip_version(vdev, VGPU_HWIP_SDMA0);
		ip.ib_start_alignment = 256;
		ip.ib_size_alignment = 4;
		break;
	default:
		/* Blocks that amdgpu knows and we do not have: all zeroes. */
		if (info->query_hw_ip.type >= AMDGPU_HW_IP_NUM)
			return -EINVAL;
		return vgpu_info_copy(info, &ip, sizeof(ip));
	}

	num_rings = vgpu_info_ready_rings(vdev, info->query_hw_ip.type);
	ip.available_rings = (1 << num_rings) - 1;
	return vgpu_info_copy(info, &ip, sizeof(ip));
}

static int vgpu_info_hw_ip_count(struct vgpu_device *vdev, const struct drm_amdgpu_info *info)
{
	switch (info->query_hw_ip.type) {
	case AMDGPU_HW_IP_GFX:
	case AMDGPU_HW_IP_COMPUTE:
		return vgpu_info_copy_u32(info, 1);
	case AMDGPU_HW_IP_DMA:
		return vgpu_info_copy_u32(info, vdev->info.num_sdma);
	default:
		return -EINVAL;
	}
}

/* There is no firmware: every version that can be asked for is 0. */
static int vgpu_info_fw_version(struct vgpu_device *vdev, const struct drm_amdgpu_info *info)
{
	const struct drm_amdgpu_info_firmware fw = { };

	if (info->query_fw.ip_instance != 0)
		return -EINVAL;

	switch (info->query_fw.fw_type) {
	case AMDGPU_INFO_FW_GFX_MEC:
		if (info->query_fw.index > 1)
			return -EINVAL;
		break;
	case AMDGPU_INFO_FW_SDMA:
		if (info->query_fw.index >= vdev->info.num_sdma)
			return -EINVAL;
		break;
	case AMDGPU_INFO_FW_TA:
		/* XGMI, RAS, HDCP, DTM, RAP, SECUREDISPLAY */
		if (info->query_fw.index < 2 || info->query_fw.index > 7)
			return -EINVAL;
		break;
	case AMDGPU_INFO_FW_VCE:
	case AMDGPU_INFO_FW_UVD:
	case AMDGPU_INFO_FW_GMC:
	case AMDGPU_INFO_FW_GFX_ME:
	case AMDGPU_INFO_FW_GFX_PFP:
	case AMDGPU_INFO_FW_GFX_CE:
	case AMDGPU_INFO_FW_GFX_RLC:
	case AMDGPU_INFO_FW_SMC:
	case AMDGPU_INFO_FW_SOS:
	case AMDGPU_INFO_FW_ASD:
	case AMDGPU_INFO_FW_VCN:
	case AMDGPU_INFO_FW_GFX_RLC_RESTORE_LIST_CNTL:
	case AMDGPU_INFO_FW_GFX_RLC_RESTORE_LIST_GPM_MEM:
	case AMDGPU_INFO_FW_GFX_RLC_RESTORE_LIST_SRM_MEM:
	case AMDGPU_INFO_FW_DMCU:
	case AMDGPU_INFO_FW_DMCUB:
	case AMDGPU_INFO_FW_TOC:
	case AMDGPU_INFO_FW_CAP:
	case AMDGPU_INFO_FW_GFX_RLCP:
	case AMDGPU_INFO_FW_GFX_RLCV:
	case AMDGPU_INFO_FW_MES_KIQ:
	case AMDGPU_INFO_FW_MES:
	case AMDGPU_INFO_FW_IMU:
	case AMDGPU_INFO_FW_VPE:
		break;
	default:
		return -EINVAL;
	}
	return vgpu_info_copy(info, &fw, sizeof(fw));
}

static u64 vgpu_info_usable(u64 total, u64 kernel)
{
	return total > kernel ? total - kernel : 0;
}

static int vgpu_info_vram_gtt(struct vgpu_device *vdev, const struct drm_amdgpu_info *info)
{
	struct drm_amdgpu_info_vram_gtt vram_gtt = {
		.vram_size = vgpu_info_usable(vdev->gmc.vram_size, vdev->info.kernel_vram),
		.gtt_size = vgpu_info_usable(vdev->gmc.gart_size, vdev->info.kernel_gtt),
	};

	vram_gtt.vram_cpu_accessible_size =
		min(vgpu_info_usable(vdev->gmc.visible_vram_size, vdev->info.kernel_visible_vram),
		    vram_gtt.vram_size);
	return vgpu_info_copy(info, &vram_gtt, sizeof(vram_gtt));
}

static int vgpu_info_memory(struct vgpu_device *vdev, const struct drm_amdgpu_info *info)
{
	struct drm_amdgpu_memory_info mem = { };

	mem.vram.total_heap_size = vdev->gmc.vram_size;
	mem.vram.usable_heap_size = vgpu_info_usable(vdev->gmc.vram_size, vdev->info.kernel_vram);
	mem.vram.heap_usage = vgpu_vram_usage(vdev);
	mem.vram.max_allocation = mem.vram.usable_heap_size * 3 / 4;

	mem.cpu_accessible_vram.total_heap_size = vdev->gmc.visible_vram_size;
	mem.cpu_accessible_vram.usable_heap_size =
		min(vgpu_info_usable(vdev->gmc.visible_vram_size, vdev->info.kernel_visible_vram),
		    mem.vram.usable_heap_size);
	mem.cpu_accessible_vram.heap_usage = vgpu_vram_visible_usage(vdev);
	mem.cpu_accessible_vram.max_allocation =
		mem.cpu_accessible_vram.usable_heap_size * 3 / 4;

	mem.gtt.total_heap_size = vdev->gmc.gart_size;
	mem.gtt.usable_heap_size = vgpu_info_usable(vdev->gmc.gart_size, vdev->info.kernel_gtt);
	mem.gtt.heap_usage = vgpu_gtt_usage(vdev);
	mem.gtt.max_allocation = mem.gtt.usable_heap_size * 3 / 4;

	return vgpu_info_copy(info, &mem, sizeof(mem));
}

static int vgpu_info_read_register(struct vgpu_device *vdev, u32 reg, u32 *val)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vgpu_info_registers); i++) {
		if (!vdev->ip[vgpu_info_registers[i].ip].present ||
		    reg != vgpu_reg(vdev, vgpu_info_registers[i].ip, vgpu_info_registers[i].reg))
			continue;
		*val = vgpu_rreg(vdev, reg);
		return 0;
	}
	drm_dbg_driver(&vdev->drm, "register %#x may not be read\n", reg);
	return -EFAULT;
}

static int vgpu_info_read_mmr(struct vgpu_device *vdev, const struct drm_amdgpu_info *info)
{
	u32 se = info->read_mmr_reg.instance >> AMDGPU_INFO_MMR_SE_INDEX_SHIFT &
		 AMDGPU_INFO_MMR_SE_INDEX_MASK;
	u32 sh = info->read_mmr_reg.instance >> AMDGPU_INFO_MMR_SH_INDEX_SHIFT &
		 AMDGPU_INFO_MMR_SH_INDEX_MASK;
	u32 count = info->read_mmr_reg.count;
	int ret = 0;
	u32 *regs;
	u32 i;

	/* None of the registers has an instance; a wrong one is refused all the same. */
	if (se != AMDGPU_INFO_MMR_SE_INDEX_MASK && se >= INFO_MAX_SE)
		return -EINVAL;
	if (sh != AMDGPU_INFO_MMR_SH_INDEX_MASK && sh >= INFO_MAX_SH_PER_SE)
		return -EINVAL;
	if (count > 128)
		return -EINVAL;

	regs = kcalloc(count, sizeof(*regs), GFP_KERNEL);
	if (!regs)
		return -ENOMEM;
	for (i = 0; i < count && !ret; i++)
		ret = vgpu_info_read_register(vdev, info->read_mmr_reg.dword_offset + i, &regs[i]);
	if (!ret)
		ret = vgpu_info_copy(info, regs, count * sizeof(*regs));
	kfree(regs);
	return ret;
}

static void vgpu_info_pcie(struct vgpu_device *vdev, struct drm_amdgpu_info_device *dev)
{
	enum pcie_link_width width = PCIE_LNK_WIDTH_UNKNOWN;
	enum pci_bus_speed speed = PCI_SPEED_UNKNOWN;

	if (pci_is_pcie(vdev->pdev))
		pcie_bandwidth_available(vdev->pdev, NULL, &speed, &width);
	if (speed >= PCIE_SPEED_2_5GT && speed <= PCIE_SPEED_64_0GT)
		dev->pcie_gen = speed - PCIE_SPEED_2_5GT + 1;
	dev->pcie_num_lanes = width != PCIE_LNK_WIDTH_UNKNOWN && width ? width : 1;
}

static int vgpu_info_dev_info(struct vgpu_device *vdev, const struct drm_amdgpu_info *info)
{
	struct drm_amdgpu_info_device *dev;
	int ret;

	dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	if (!dev)
		return -ENOMEM;

	/* User space looks the chip up by this, so it is MI250X's in any case. */
	dev->device_id = VGPU_PCI_DEVICE_ID_MI250X;
	dev->chip_rev = vdev->info.rev_id;
	dev->external_rev = vdev->info.rev_id + INFO_ALDEBARAN_REV;
	dev->pci_rev = vdev->pdev->revision;
	dev->family = AMDGPU_FAMILY_AI;
	dev->num_shader_engines = vdev->info.num_se;
	dev->num_shader_arrays_per_engine = vdev->info.num_sh_per_se;
	dev->gpu_counter_freq = vdev->info.gpu_clock_khz;
	dev->max_engine_clock = VGPU_ENGINE_CLOCK_KHZ;
	dev->min_engine_clock = VGPU_ENGINE_CLOCK_KHZ;
	dev->max_memory_clock = VGPU_MEMORY_CLOCK_KHZ;
	dev->min_memory_clock = VGPU_MEMORY_CLOCK_KHZ;
	dev->cu_active_number = vdev->info.num_cu;
	BUILD_BUG_ON(sizeof(dev->cu_bitmap) != sizeof(vdev->info.cu_bitmap));
	memcpy(dev->cu_bitmap, vdev->info.cu_bitmap, sizeof(dev->cu_bitmap));
	memcpy(dev->cu_ao_bitmap, vdev->info.cu_bitmap, sizeof(dev->cu_ao_bitmap));
	dev->enabled_rb_pipes_mask = vdev->info.rb_mask;
	dev->num_rb_pipes = vdev->info.num_rb_per_se * vdev->info.num_se;
	dev->num_hw_gfx_contexts = INFO_HW_CONTEXTS;
	vgpu_info_pcie(vdev, dev);

	dev->virtual_address_offset = VGPU_VA_START;
	dev->virtual_address_max = min(VGPU_VA_END, VGPU_VA_HOLE_START);
	if (VGPU_VA_END > VGPU_VA_HOLE_START) {
		dev->high_va_offset = VGPU_VA_HOLE_END;
		dev->high_va_max = VGPU_VA_HOLE_END | VGPU_VA_END;
	}
	dev->virtual_address_alignment = max_t(u32, PAGE_SIZE, VGPU_GPU_PAGE_SIZE);
	dev->pte_fragment_size = VGPU_GPU_PAGE_SIZE << VGPU_VM_BLOCK_SIZE;
	dev->gart_page_size = max_t(u32, PAGE_SIZE, VGPU_GPU_PAGE_SIZE);

	dev->vram_type = AMDGPU_VRAM_TYPE_HBM;
	dev->vram_bit_width = VGPU_VRAM_WIDTH;
	dev->gc_double_offchip_lds_buf = vdev->info.double_offchip_lds_buffer;
	dev->wave_front_size = vdev->info.wave_size;
	dev->num_shader_visible_vgprs = vdev->info.num_gprs;
	dev->num_cu_per_sh = vdev->info.num_cu_per_sh;
	dev->num_tcc_blocks = vdev->info.num_tccs;
	dev->gs_vgt_table_depth = vdev->info.gs_table_depth;
	dev->gs_prim_buffer_depth = vdev->info.gsprim_buff_depth;
	dev->max_gs_waves_per_vgt = vdev->info.max_gs_threads;

	ret = vgpu_info_copy(info, dev, sizeof(*dev));
	kfree(dev);
	return ret;
}

/* There is no video BIOS: it has no bytes to read and no name. */
static int vgpu_info_vbios(const struct drm_amdgpu_info *info)
{
	const struct drm_amdgpu_info_vbios vbios = { };

	switch (info->vbios_info.type) {
	case AMDGPU_INFO_VBIOS_SIZE:
		return vgpu_info_copy_u32(info, 0);
	case AMDGPU_INFO_VBIOS_INFO:
		return vgpu_info_copy(info, &vbios, sizeof(vbios));
	case AMDGPU_INFO_VBIOS_IMAGE:
	default:
		return -EINVAL;
	}
}

/* Of the caller's own address space; all zeroes when none of its jobs has faulted. */
static int vgpu_info_fault(struct vgpu_device *vdev, const struct drm_amdgpu_info *info,
			   const struct vgpu_vm *vm)
{
	struct xarray *pasids = &vdev->vm_manager.pasids;
	struct drm_amdgpu_info_gpuvm_fault fault;

	xa_lock(pasids);
	fault = vm->fault;
	xa_unlock(pasids);
	return vgpu_info_copy(info, &fault, sizeof(fault));
}

static int vgpu_info_max_ibs(const struct drm_amdgpu_info *info)
{
	u32 max_ibs[AMDGPU_HW_IP_NUM];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(max_ibs); i++)
		max_ibs[i] = INFO_MAX_IBS;
	max_ibs[AMDGPU_HW_IP_GFX] = INFO_MAX_IBS_GFX;
	max_ibs[AMDGPU_HW_IP_COMPUTE] = INFO_MAX_IBS_COMPUTE;
	max_ibs[AMDGPU_HW_IP_VCN_JPEG] = INFO_MAX_IBS_JPEG;
	return vgpu_info_copy(info, max_ibs, sizeof(max_ibs));
}

/**
 * vgpu_info_ioctl() - answer a query
 * @drm: the die
 * @data: struct drm_amdgpu_info
 * @file: whose page faults it is about; other answers are the same for all
 *
 * Return: 0, -EINVAL for a query or an argument there is no answer to, -EFAULT
 * for a bad pointer or a register that may not be read, -ENOENT for a sensor,
 * -ENODATA for video handles.
 */
int vgpu_info_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	static const struct drm_amdgpu_info_vce_clock_table no_clocks;
	static const struct drm_amdgpu_info_gds no_gds;
	const struct vgpu_fpriv *fpriv = file->driver_priv;
	struct vgpu_device *vdev = to_vgpu(drm);
	const struct drm_amdgpu_info *info = data;

	if (!info->return_size || !info->return_pointer)
		return -EINVAL;

	switch (info->query) {
	case AMDGPU_INFO_ACCEL_WORKING:
		return vgpu_info_copy_u32(info, vgpu_info_accel_working(vdev));
	case AMDGPU_INFO_HW_IP_INFO:
		return vgpu_info_hw_ip(vdev, info);
	case AMDGPU_INFO_HW_IP_COUNT:
		return vgpu_info_hw_ip_count(vdev, info);
	case AMDGPU_INFO_TIMESTAMP:
		return vgpu_info_copy_u64(info, vgpu_gpu_clock(vdev));
	case AMDGPU_INFO_FW_VERSION:
		return vgpu_info_fw_version(vdev, info);
	case AMDGPU_INFO_NUM_BYTES_MOVED:
		return vgpu_info_copy_u64(info, atomic64_read(&vdev->mman.num_bytes_moved));
	case AMDGPU_INFO_NUM_EVICTIONS:
		return vgpu_info_copy_u64(info, atomic64_read(&vdev->mman.num_evictions));
	case AMDGPU_INFO_NUM_VRAM_CPU_PAGE_FAULTS:
		return vgpu_info_copy_u64(info, atomic64_read(&vdev->mman.num_cpu_faults));
	case AMDGPU_INFO_VRAM_USAGE:
		return vgpu_info_copy_u64(info, vgpu_vram_usage(vdev));
	case AMDGPU_INFO_VIS_VRAM_USAGE:
		return vgpu_info_copy_u64(info, vgpu_vram_visible_usage(vdev));
	case AMDGPU_INFO_GTT_USAGE:
		return vgpu_info_copy_u64(info, vgpu_gtt_usage(vdev));
	case AMDGPU_INFO_GDS_CONFIG:
		return vgpu_info_copy(info, &no_gds, sizeof(no_gds));
	case AMDGPU_INFO_VRAM_GTT:
		return vgpu_info_vram_gtt(vdev, info);
	case AMDGPU_INFO_MEMORY:
		return vgpu_info_memory(vdev, info);
	case AMDGPU_INFO_READ_MMR_REG:
		return vgpu_info_read_mmr(vdev, info);
	case AMDGPU_INFO_DEV_INFO:
		return vgpu_info_dev_info(vdev, info);
	case AMDGPU_INFO_VCE_CLOCK_TABLE:
		return vgpu_info_copy(info, &no_clocks, sizeof(no_clocks));
	case AMDGPU_INFO_VBIOS:
		return vgpu_info_vbios(info);
	case AMDGPU_INFO_NUM_HANDLES:
		return info->query_hw_ip.type == AMDGPU_HW_IP_UVD ? -ENODATA : -EINVAL;
	case AMDGPU_INFO_SENSOR:
		return -ENOENT;
	case AMDGPU_INFO_VRAM_LOST_COUNTER:
		return vgpu_info_copy_u32(info, atomic_read(&vdev->reset.vram_lost));
	case AMDGPU_INFO_MAX_IBS:
		return vgpu_info_max_ibs(info);
	case AMDGPU_INFO_GPUVM_FAULT:
		return vgpu_info_fault(vdev, info, fpriv->vm);
	case AMDGPU_INFO_RAS_ENABLED_FEATURES:
		if (!vdev->ras.up)
			return -EINVAL;
		return vgpu_info_copy_u64(info, (u64)vdev->ras.supported << 32 |
						READ_ONCE(vdev->ras.features));
	case AMDGPU_INFO_CRTC_FROM_ID:
	case AMDGPU_INFO_VIDEO_CAPS:
	default:
		drm_dbg_driver(drm, "no answer to query %#x\n", info->query);
		return -EINVAL;
	}
}
