// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory controller: lays out the GPU's address space from what firmware left
 * in its registers, brings the hubs up, and invalidates their caches.
 * Documentation/memory.rst.
 */
#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sizes.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_managed.h>

#include <hw/pte.h>
#include <hw/reg/gc.h>
#include <hw/reg/hdp.h>
#include <hw/reg/mmhub.h>
#include <hw/reg/nbio.h>
#include <hw/reg/smuio.h>

#include "vgpu.h"

static int vgpu_gartsize = -1;
module_param_named(gartsize, vgpu_gartsize, int, 0444);
MODULE_PARM_DESC(gartsize,
		 "Size of the GART in MiB, 32 to 65536 (default: half of RAM, 512 to 1024)");

#define GMC_FLUSH_TIMEOUT_US	100000

/* The GART starts at a multiple of this, so that no buffer crosses one. */
#define GART_ALIGN		SZ_4G

static u64 vgpu_gart_default_size(void)
{
	u64 half = (u64)totalram_pages() << (PAGE_SHIFT - 1);

	return clamp(rounddown_pow_of_two(half), SZ_512M, SZ_1G);
}

/* The hive that this die is part of, as firmware set it up. */
static int vgpu_gmc_read_hive(struct vgpu_device *vdev)
{
	u32 cntl = RREG32(GC, regMC_VM_XGMI_LFB_CNTL_ALDE);
	u32 size = RREG32(GC, regMC_VM_XGMI_LFB_SIZE_ALDE);
	u32 max_region = REG_FIELD_GET(MC_VM_XGMI_LFB_CNTL_ALDE, PF_MAX_REGION, cntl);

	/* No region beside our own: no hive. */
	vdev->info.num_nodes = 1;
	if (!max_region)
		return 0;

	vdev->info.num_nodes = max_region + 1;
	vdev->info.node_id = REG_FIELD_GET(MC_VM_XGMI_LFB_CNTL_ALDE, PF_LFB_REGION, cntl);
	vdev->gmc.segment_size =
		(u64)REG_FIELD_GET(MC_VM_XGMI_LFB_SIZE_ALDE, PF_LFB_SIZE, size) << 24;

	if (vdev->info.node_id > max_region || vdev->gmc.segment_size < vdev->gmc.vram_size) {
		drm_err(&vdev->drm, "hive: node %u of %u, segment of %llu MiB for %llu MiB VRAM\n",
			vdev->info.node_id, vdev->info.num_nodes, vdev->gmc.segment_size >> 20,
			vdev->gmc.vram_size >> 20);
		return -EINVAL;
	}
	return 0;
}

/* Does xGMI lead to the CPU, so that it reaches our memory like its own? */
static bool vgpu_gmc_connected_to_cpu(struct vgpu_device *vdev)
{
	u32 topology;

	if (!vdev->ip[VGPU_HWIP_SMUIO].present)
		return false;
	topology = REG_FIELD_GET(SMUIO_MCM_CONFIG, TOPOLOGY_ID,
				 RREG32(SMUIO, regSMUIO_MCM_CONFIG));
	return topology & SMUIO_MCM_CONFIG__HOST_GPU_XGMI_MASK;
}

static int vgpu_gmc_early_init(struct vgpu_device *vdev)
{
	struct vgpu_gmc *gmc = &vdev->gmc;
	u32 base = RREG32(MMHUB, regMMHUB_MC_VM_FB_LOCATION_BASE);
	u32 top = RREG32(MMHUB, regMMHUB_MC_VM_FB_LOCATION_TOP);
	u32 offset = RREG32(GC, regMC_VM_FB_OFFSET);
	u64 hive_end;
	int ret;

	gmc->vram_size = (u64)RREG32(NBIO, regRCC_CONFIG_MEMSIZE) << 20;
	gmc->visible_vram_size = min(gmc->visible_vram_size, gmc->vram_size);

	ret = vgpu_gmc_read_hive(vdev);
	if (ret)
		return ret;

	gmc->fb_start = (u64)REG_FIELD_GET(MC_VM_FB_LOCATION_BASE, FB_BASE, base) << 24;
	gmc->fb_end = ((u64)REG_FIELD_GET(MC_VM_FB_LOCATION_TOP, FB_TOP, top) << 24) |
		      (SZ_16M - 1);
	gmc->vram_start = gmc->fb_start + vdev->info.node_id * gmc->segment_size;
	gmc->vram_base_offset = ((u64)REG_FIELD_GET(MC_VM_FB_OFFSET, FB_OFFSET, offset) << 24) +
				vdev->info.node_id * gmc->segment_size;
	gmc->connected_to_cpu = vgpu_gmc_connected_to_cpu(vdev);
	if (gmc->connected_to_cpu) {
		/* Physical addresses are the same for both, then. */
		gmc->aper_base = gmc->vram_base_offset;
		gmc->visible_vram_size = gmc->vram_size;
	}
	hive_end = max(gmc->fb_end + 1, gmc->vram_start + gmc->vram_size);
	if (gmc->fb_end < gmc->vram_start + gmc->vram_size - 1) {
		drm_err(&vdev->drm, "VRAM aperture %#llx-%#llx ends before our %llu MiB at %#llx\n",
			gmc->fb_start, gmc->fb_end, gmc->vram_size >> 20, gmc->vram_start);
		return -EINVAL;
	}

	/* At the top of the lower half: no hive reaches that far. */
	if (vgpu_gartsize == -1)
		gmc->gart_size = vgpu_gart_default_size();
	else
		gmc->gart_size = (u64)clamp(vgpu_gartsize, 32, 65536) << 20;
	gmc->gart_start = ALIGN_DOWN(VGPU_GMC_HOLE_START - gmc->gart_size, GART_ALIGN);
	if (gmc->gart_start < hive_end) {
		drm_err(&vdev->drm, "no room for a GART above %#llx\n", hive_end);
		return -EINVAL;
	}

	drm_info(&vdev->drm, "node %u of %u: VRAM at %#llx, GART at %#llx\n", vdev->info.node_id,
		 vdev->info.num_nodes, gmc->vram_start, gmc->gart_start);
	return 0;
}

static int vgpu_gmc_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_gmc *gmc = &vdev->gmc;
	struct vgpu_bo *bo;
	void *cpu;
	int ret;

	ret = drmm_mutex_init(&vdev->drm, &gmc->flush_lock);
	if (ret)
		return ret;

	/* Freed with the PCI function, when nothing can fault any more. */
	gmc->dummy = dmam_alloc_coherent(vdev->drm.dev, PAGE_SIZE, &gmc->dummy_addr, GFP_KERNEL);
	if (!gmc->dummy)
		return -ENOMEM;

	ret = vgpu_hub_irq_init(vdev);
	if (ret)
		return ret;

	bo = vgpu_bo_create_kernel(vdev, VGPU_GPU_PAGE_SIZE, AMDGPU_GEM_DOMAIN_VRAM,
				   &gmc->scratch_addr, &cpu);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	gmc->scratch_bo = bo;

	ret = vgpu_gart_init(vdev);
	if (ret) {
		vgpu_bo_free_kernel(gmc->scratch_bo);
		gmc->scratch_bo = NULL;
	}
	return ret;
}

static void vgpu_gmc_sw_fini(struct vgpu_device *vdev)
{
	vgpu_gart_fini(vdev);
	vgpu_bo_free_kernel(vdev->gmc.scratch_bo);
	vdev->gmc.scratch_bo = NULL;
}

/* The hubs translate; entries that were written to the GART meanwhile are seen. */
static void vgpu_gmc_enable_hubs(struct vgpu_device *vdev)
{
	unsigned int hub;

	for (hub = 0; hub < VGPU_NUM_HUBS; hub++)
		vgpu_hub_enable(vdev, hub);
	WRITE_ONCE(vdev->gmc.hubs_up, true);
	vgpu_hdp_flush(vdev);
	for (hub = 0; hub < VGPU_NUM_HUBS; hub++)
		vgpu_gmc_flush_tlb(vdev, hub, 0);
}

static int vgpu_gmc_hw_init(struct vgpu_device *vdev)
{
	struct vgpu_gmc *gmc = &vdev->gmc;
	u32 tmp;

	/* The host data path: CPU accesses to BAR0 reach our VRAM. */
	tmp = RREG32(HDP, regHDP_MISC_CNTL);
	WREG32(HDP, regHDP_MISC_CNTL,
	       REG_FIELD_SET(tmp, HDP_MISC_CNTL, FLUSH_INVALIDATE_CACHE, 1));
	WREG32(HDP, regHDP_NONSURFACE_BASE, lower_32_bits(gmc->vram_start >> 8));
	WREG32(HDP, regHDP_NONSURFACE_BASE_HI, upper_32_bits(gmc->vram_start >> 8));

	vgpu_gmc_enable_hubs(vdev);
	return 0;
}

static void vgpu_gmc_hw_fini(struct vgpu_device *vdev)
{
	unsigned int hub;

	vdev->gmc.hubs_up = false;
	for (hub = 0; hub < VGPU_NUM_HUBS; hub++)
		vgpu_hub_disable(vdev, hub);
}

/* A reset forgets all translations: there is nothing to invalidate until it is over. */
static int vgpu_gmc_suspend(struct vgpu_device *vdev)
{
	mutex_lock(&vdev->gmc.flush_lock);
	WRITE_ONCE(vdev->gmc.hubs_up, false);
	mutex_unlock(&vdev->gmc.flush_lock);
	return 0;
}

/* Of several VMIDs, a bit each */
static u32 gmc_inv_request(u32 vmids)
{
	return REG_FIELD_PREP(VM_INVALIDATE_ENG0_REQ, PER_VMID_INVALIDATE_REQ, vmids) |
	       REG_FIELD_PREP(VM_INVALIDATE_ENG0_REQ, FLUSH_TYPE, 0) |
	       REG_FIELD_PREP(VM_INVALIDATE_ENG0_REQ, INVALIDATE_L2_PTES, 1) |
	       REG_FIELD_PREP(VM_INVALIDATE_ENG0_REQ, INVALIDATE_L2_PDE0, 1) |
	       REG_FIELD_PREP(VM_INVALIDATE_ENG0_REQ, INVALIDATE_L2_PDE1, 1) |
	       REG_FIELD_PREP(VM_INVALIDATE_ENG0_REQ, INVALIDATE_L2_PDE2, 1) |
	       REG_FIELD_PREP(VM_INVALIDATE_ENG0_REQ, INVALIDATE_L1_PTES, 1);
}

/**
 * vgpu_gmc_inv_request() - value of an invalidation request
 * @vmid: whose translations
 *
 * Return: legacy flush of all levels, what amdgpu uses for page-table updates.
 */
u32 vgpu_gmc_inv_request(u32 vmid)
{
	return gmc_inv_request(1u << vmid);
}

/**
 * vgpu_gmc_hub_regs() - registers that a ring flushes a VMID with
 * @vdev: the die
 * @hub: the ring's hub
 * @vmid: 0 to 15
 * @engine: invalidation engine, the ring's number
 * @regs: filled in
 */
void vgpu_gmc_hub_regs(struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 vmid, u32 engine,
		       struct vgpu_hub_regs *regs)
{
	u32 pd = VGPU_REG_N(regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32,
			    regVM_CONTEXT1_PAGE_TABLE_BASE_ADDR_LO32, vmid);

	regs->pd_lo = vgpu_hub_reg(vdev, hub, pd);
	regs->pd_hi = vgpu_hub_reg(vdev, hub, pd + 1);
	regs->inv_sem = vgpu_hub_reg(vdev, hub, VGPU_REG_N(regVM_INVALIDATE_ENG0_SEM,
							   regVM_INVALIDATE_ENG1_SEM, engine));
	regs->inv_req = vgpu_hub_reg(vdev, hub, VGPU_REG_N(regVM_INVALIDATE_ENG0_REQ,
							   regVM_INVALIDATE_ENG1_REQ, engine));
	regs->inv_ack = vgpu_hub_reg(vdev, hub, VGPU_REG_N(regVM_INVALIDATE_ENG0_ACK,
							   regVM_INVALIDATE_ENG1_ACK, engine));
}

static void gmc_flush(struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 vmids)
{
	struct vgpu_hub_regs regs;
	int ret;

	/*
	 * The engine's semaphore guards it against losing its state in a power
	 * gating cycle, which this hub does not do; amdgpu leaves it alone too.
	 */
	vgpu_gmc_hub_regs(vdev, hub, 0, VGPU_INV_ENG_CPU, &regs);
	mutex_lock(&vdev->gmc.flush_lock);
	if (!vdev->gmc.hubs_up) {
		mutex_unlock(&vdev->gmc.flush_lock);
		return;
	}
	vgpu_wreg(vdev, regs.inv_req, gmc_inv_request(vmids));
	ret = vgpu_wait_reg(vdev, regs.inv_ack, vmids, vmids, GMC_FLUSH_TIMEOUT_US);
	mutex_unlock(&vdev->gmc.flush_lock);

	if (ret == -ETIMEDOUT)
		drm_err_ratelimited(&vdev->drm, "%s hub: no acknowledge of flushing vmids %#x\n",
				    vgpu_hub_name(hub), vmids);
}

/**
 * vgpu_gmc_flush_tlb() - forget cached translations
 * @vdev: the die
 * @hub: whose caches
 * @vmid: of which address space
 *
 * By the CPU, with an invalidation engine that no ring uses. A hub that does
 * not acknowledge is reported. May sleep.
 */
void vgpu_gmc_flush_tlb(struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 vmid)
{
	gmc_flush(vdev, hub, 1u << vmid);
}

/**
 * vgpu_gmc_flush_user_tlbs() - the same for all that user-mode queues may have cached
 * @vdev: the die
 *
 * Which VMID a process has is the scheduler's business, and may change at any time: so
 * all of them. In the path of fences. May sleep.
 */
void vgpu_gmc_flush_user_tlbs(struct vgpu_device *vdev)
{
	const u32 vmids = GENMASK(VGPU_NUM_VMIDS - 1, VGPU_VMID_LAST + 1);
	unsigned int hub;

	for (hub = 0; hub < VGPU_NUM_HUBS; hub++)
		gmc_flush(vdev, hub, vmids);
}

const struct vgpu_ip_block vgpu_gmc_block = {
	.name = "gmc",
	.early_init = vgpu_gmc_early_init,
	.sw_init = vgpu_gmc_sw_init,
	.sw_fini = vgpu_gmc_sw_fini,
	.hw_init = vgpu_gmc_hw_init,
	.hw_fini = vgpu_gmc_hw_fini,
	.mode2 = true,
	.suspend = vgpu_gmc_suspend,
	.resume = vgpu_gmc_hw_init,
};
