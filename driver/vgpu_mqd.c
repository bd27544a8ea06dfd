// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Hardware queues of the MECs and their descriptors, for queues of the kernel:
 * what goes into a descriptor, and the registers behind GRBM_GFX_CNTL that it is an
 * image of. Documentation/queues.rst, "Hardware queues" and "Descriptors".
 */
#include <linux/log2.h>
#include <linux/string.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_print.h>

#include <hw/mqd.h>
#include <hw/reg/gc.h>

#include "vgpu.h"
#include "vgpu_mqd.h"

#define MQD_EOP_OFFSET		SZ_4K
#define MQD_EOP_BYTES		SZ_4K

/* Dwords of a ring, as QUEUE_SIZE and EOP_SIZE count: 2 to the power of one more */
#define MQD_ORDER(dwords)	(ilog2(dwords) - 1)

/* Pieces of shader state that are loaded ahead, as amdgpu has it */
#define MQD_PRELOAD_SIZE	0x53

/* RPTR is written back a GPU page at a time; an IB begins when so much of it is there. */
#define MQD_RPTR_BLOCK_DW	1024
#define MQD_MIN_AVAIL		3

/**
 * vgpu_hqd_init() - memory for the descriptor of a hardware queue
 * @vdev: the die
 * @hqd: filled in
 * @me: 1 or 2
 * @pipe: of it
 * @queue: of that
 *
 * Return: 0, -ENOMEM. May sleep.
 */
int vgpu_hqd_init(struct vgpu_device *vdev, struct vgpu_hqd *hqd, u8 me, u8 pipe, u8 queue)
{
	struct vgpu_bo *bo;
	void *cpu;

	bo = vgpu_bo_create_kernel(vdev, MQD_EOP_OFFSET + MQD_EOP_BYTES, AMDGPU_GEM_DOMAIN_GTT,
				   &hqd->mqd_addr, &cpu);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	hqd->bo = bo;
	hqd->mqd = cpu;
	hqd->eop_addr = hqd->mqd_addr + MQD_EOP_OFFSET;
	hqd->me = me;
	hqd->pipe = pipe;
	hqd->queue = queue;
	return 0;
}

void vgpu_hqd_fini(struct vgpu_hqd *hqd)
{
	vgpu_bo_free_kernel(hqd->bo);
	hqd->bo = NULL;
}

static void hqd_select(struct vgpu_device *vdev, u32 me, u32 pipe, u32 queue)
{
	WREG32(GC, regGRBM_GFX_CNTL, REG_FIELD_PREP(GRBM_GFX_CNTL, MEID, me) |
				     REG_FIELD_PREP(GRBM_GFX_CNTL, PIPEID, pipe) |
				     REG_FIELD_PREP(GRBM_GFX_CNTL, QUEUEID, queue));
}

void vgpu_hqd_select(struct vgpu_device *vdev, const struct vgpu_hqd *hqd)
{
	mutex_lock(&vdev->kiq.select_lock);
	hqd_select(vdev, hqd->me, hqd->pipe, hqd->queue);
}

void vgpu_hqd_deselect(struct vgpu_device *vdev)
{
	hqd_select(vdev, 0, 0, 0);
	mutex_unlock(&vdev->kiq.select_lock);
}

/**
 * vgpu_mqd_fill() - describe a queue of the kernel
 * @ring: its ring, empty, all pointers 0
 *
 * Registers out of reset are 0 but for what is set here. The queue runs with the
 * kernel's rights, in VMID 0, and says which VMID each indirect buffer has.
 */
void vgpu_mqd_fill(struct vgpu_ring *ring)
{
	const struct vgpu_hqd *hqd = vgpu_ring_hqd(ring);
	struct vgpu_wb *wb = &ring->vdev->wb;
	u64 rptr_addr = wb->gpu_addr + ring->rptr_slot * sizeof(*wb->cpu);
	u64 wptr_addr = wb->gpu_addr + ring->wptr_slot * sizeof(*wb->cpu);
	struct vgpu_mqd *mqd = hqd->mqd;

	memset(mqd, 0, sizeof(*mqd));
	mqd->header = cpu_to_le32(VGPU_MQD_HEADER);
	mqd->compute_pipelinestat_enable = cpu_to_le32(1);
	mqd->compute_static_thread_mgmt_se0 = cpu_to_le32(~0);
	mqd->compute_static_thread_mgmt_se1 = cpu_to_le32(~0);
	mqd->compute_static_thread_mgmt_se2 = cpu_to_le32(~0);
	mqd->compute_static_thread_mgmt_se3 = cpu_to_le32(~0);
	mqd->compute_static_thread_mgmt_se4 = cpu_to_le32(~0);
	mqd->compute_static_thread_mgmt_se5 = cpu_to_le32(~0);
	mqd->compute_static_thread_mgmt_se6 = cpu_to_le32(~0);
	mqd->compute_static_thread_mgmt_se7 = cpu_to_le32(~0);
	mqd->compute_misc_reserved = cpu_to_le32(3);

	mqd->cp_mqd_base_addr_lo = cpu_to_le32(lower_32_bits(hqd->mqd_addr));
	mqd->cp_mqd_base_addr_hi = cpu_to_le32(upper_32_bits(hqd->mqd_addr));
	mqd->cp_mqd_control = cpu_to_le32(CP_MQD_CONTROL__PRIV_STATE_MASK);
	mqd->cp_hqd_persistent_state =
		cpu_to_le32(CP_HQD_PERSISTENT_STATE__PRELOAD_REQ_MASK |
			    REG_FIELD_PREP(CP_HQD_PERSISTENT_STATE, PRELOAD_SIZE,
					   MQD_PRELOAD_SIZE));

	mqd->cp_hqd_pq_base_lo = cpu_to_le32(lower_32_bits(ring->gpu_addr >> 8));
	mqd->cp_hqd_pq_base_hi = cpu_to_le32(upper_32_bits(ring->gpu_addr >> 8));
	mqd->cp_hqd_pq_rptr_report_addr_lo = cpu_to_le32(lower_32_bits(rptr_addr));
	mqd->cp_hqd_pq_rptr_report_addr_hi = cpu_to_le32(upper_32_bits(rptr_addr));
	mqd->cp_hqd_pq_wptr_poll_addr_lo = cpu_to_le32(lower_32_bits(wptr_addr));
	mqd->cp_hqd_pq_wptr_poll_addr_hi = cpu_to_le32(upper_32_bits(wptr_addr));
	mqd->cp_hqd_pq_doorbell_control =
		cpu_to_le32(REG_FIELD_PREP(CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_OFFSET,
					   ring->doorbell) |
			    CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_EN_MASK);
	mqd->cp_hqd_pq_control =
		cpu_to_le32(REG_FIELD_PREP(CP_HQD_PQ_CONTROL, QUEUE_SIZE,
					   MQD_ORDER(ring->size_dw)) |
			    REG_FIELD_PREP(CP_HQD_PQ_CONTROL, RPTR_BLOCK_SIZE,
					   MQD_ORDER(MQD_RPTR_BLOCK_DW)) |
			    REG_FIELD_PREP(CP_HQD_PQ_CONTROL, MIN_AVAIL_SIZE, MQD_MIN_AVAIL) |
			    CP_HQD_PQ_CONTROL__PRIV_STATE_MASK |
			    CP_HQD_PQ_CONTROL__KMD_QUEUE_MASK);
	mqd->cp_hqd_ib_control = cpu_to_le32(REG_FIELD_PREP(CP_HQD_IB_CONTROL, MIN_IB_AVAIL_SIZE,
							    MQD_MIN_AVAIL));

	mqd->cp_hqd_eop_base_addr_lo = cpu_to_le32(lower_32_bits(hqd->eop_addr >> 8));
	mqd->cp_hqd_eop_base_addr_hi = cpu_to_le32(upper_32_bits(hqd->eop_addr >> 8));
	mqd->cp_hqd_eop_control =
		cpu_to_le32(REG_FIELD_PREP(CP_HQD_EOP_CONTROL, EOP_SIZE,
					   MQD_ORDER(MQD_EOP_BYTES / sizeof(u32))));
}

/**
 * vgpu_hqd_load() - start a queue without the help of another
 * @vdev: the die
 * @hqd: its place, with nothing on it; the descriptor is filled
 *
 * As the KIQ must be. May sleep.
 */
void vgpu_hqd_load(struct vgpu_device *vdev, const struct vgpu_hqd *hqd)
{
	const __le32 *image = &hqd->mqd->cp_mqd_base_addr_lo;
	u32 first = vgpu_reg(vdev, VGPU_HWIP_GC, regCP_MQD_BASE_ADDR);
	u32 last = vgpu_reg(vdev, VGPU_HWIP_GC, regCP_HQD_PQ_WPTR_HI);
	u32 active = vgpu_reg(vdev, VGPU_HWIP_GC, regCP_HQD_ACTIVE);
	u32 reg;

	vgpu_hqd_select(vdev, hqd);
	for (reg = first; reg <= last; reg++)
		if (reg != active)
			vgpu_wreg(vdev, reg, le32_to_cpu(image[reg - first]));
	vgpu_wreg(vdev, active, CP_HQD_ACTIVE__ACTIVE_MASK);
	vgpu_hqd_deselect(vdev);
}

/**
 * vgpu_hqd_drop() - take a queue off without the help of another
 * @vdev: the die
 * @hqd: its place
 *
 * What it does is abandoned, and nothing stored. May sleep.
 */
void vgpu_hqd_drop(struct vgpu_device *vdev, const struct vgpu_hqd *hqd)
{
	vgpu_hqd_select(vdev, hqd);
	WREG32(GC, regCP_HQD_ACTIVE, 0);
	WREG32(GC, regCP_HQD_PQ_DOORBELL_CONTROL, 0);
	vgpu_hqd_deselect(vdev);
}

/**
 * vgpu_hqd_active() - does a queue run there?
 * @vdev: the die
 * @hqd: the place
 *
 * May sleep.
 */
bool vgpu_hqd_active(struct vgpu_device *vdev, const struct vgpu_hqd *hqd)
{
	u32 val;

	vgpu_hqd_select(vdev, hqd);
	val = RREG32(GC, regCP_HQD_ACTIVE);
	vgpu_hqd_deselect(vdev);
	return val & CP_HQD_ACTIVE__ACTIVE_MASK;
}

u32 vgpu_hqd_where(struct vgpu_device *vdev, const struct vgpu_hqd *hqd, u64 *ib)
{
	u32 header;

	vgpu_hqd_select(vdev, hqd);
	*ib = (u64)RREG32(GC, regCP_HQD_IB_BASE_ADDR_HI) << 32 |
	      RREG32(GC, regCP_HQD_IB_BASE_ADDR);
	*ib += (u64)RREG32(GC, regCP_HQD_IB_RPTR) * sizeof(u32);
	header = hqd->me == 1 ? RREG32(GC, regCP_MEC_ME1_HEADER_DUMP) :
				RREG32(GC, regCP_MEC_ME2_HEADER_DUMP);
	vgpu_hqd_deselect(vdev);
	return header;
}

/**
 * vgpu_hqd_show() - where a queue stands
 * @vdev: the die
 * @hqd: its place
 * @p: where to print
 *
 * May sleep; allocates nothing.
 */
void vgpu_hqd_show(struct vgpu_device *vdev, const struct vgpu_hqd *hqd, struct drm_printer *p)
{
	static const struct {
		const char *name;
		u32 reg;
	} regs[] = {
		{ "CP_HQD_ACTIVE", regCP_HQD_ACTIVE },
		{ "CP_HQD_VMID", regCP_HQD_VMID },
		{ "CP_HQD_PQ_CONTROL", regCP_HQD_PQ_CONTROL },
		{ "CP_HQD_PQ_RPTR", regCP_HQD_PQ_RPTR },
		{ "CP_HQD_PQ_WPTR_LO", regCP_HQD_PQ_WPTR_LO },
		{ "CP_HQD_PQ_DOORBELL_CONTROL", regCP_HQD_PQ_DOORBELL_CONTROL },
		{ "CP_HQD_IB_BASE_ADDR", regCP_HQD_IB_BASE_ADDR },
		{ "CP_HQD_IB_BASE_ADDR_HI", regCP_HQD_IB_BASE_ADDR_HI },
		{ "CP_HQD_IB_RPTR", regCP_HQD_IB_RPTR },
		{ "CP_HQD_IB_CONTROL", regCP_HQD_IB_CONTROL },
		{ "CP_HQD_ERROR", regCP_HQD_ERROR },
	};
	unsigned int i;
	u64 ib;

	drm_printf(p, "stands at %s, on %u.%u.%u\n",
		   vgpu_decode_pm4_name(vgpu_hqd_where(vdev, hqd, &ib)), hqd->me, hqd->pipe,
		   hqd->queue);
	vgpu_hqd_select(vdev, hqd);
	for (i = 0; i < ARRAY_SIZE(regs); i++)
		drm_printf(p, "%s 0x%08x\n", regs[i].name,
			   vgpu_rreg(vdev, vgpu_reg(vdev, VGPU_HWIP_GC, regs[i].reg)));
	vgpu_hqd_deselect(vdev);
}
