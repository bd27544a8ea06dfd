// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The kernel's interface queue (KIQ): the one compute queue that is set up by
 * registers. It maps and unmaps all others of the kernel by packets, and each request is
 * waited for. Documentation/queues.rst, "Queue management" and "Queues of the kernel".
 */
#include <linux/delay.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include <hw/doorbell.h>
#include <hw/pm4.h>
#include <hw/reg/gc.h>
#include <hw/reg/vgpu.h>

#include "vgpu.h"
#include "vgpu_cp.h"

#define MANAGER_RING_DW		1024
#define MANAGER_TIMEOUT_US	USEC_PER_SEC

/* Where amdgpu puts it: on the second MEC, away from the queues that are managed */
#define MANAGER_ME		2
#define KIQ_PIPE		1
#define KIQ_QUEUE		0

#define KIQ_SETTLE_US		50

/* As RLC_CP_SCHEDULERS names a queue */
#define KIQ_SCHEDULER(me, pipe, queue)	(0x80 | (me) << 5 | (pipe) << 3 | (queue))

#define KIQ_SET_RESOURCES_DW	8
#define KIQ_MAP_QUEUES_DW	7
#define KIQ_UNMAP_QUEUES_DW	6

/* ------------------------------------------------------ managing queues */

/* The queue takes nothing more: who comes next need not wait to find out. */
static void manager_lost(struct vgpu_device *vdev, struct vgpu_manager *mgr)
{
	struct vgpu_ring *ring = &mgr->q.ring;

	mutex_lock(&ring->lock);
	ring->dead = true;
	mutex_unlock(&ring->lock);
	if (!drm_dev_is_unplugged(&vdev->drm))
		drm_err(&vdev->drm, "%s: does not answer\n", ring->name);
}

/**
 * vgpu_manager_run() - have packets carried out by a managing queue
 * @vdev: the die
 * @mgr: the queue
 * @dw: the packets; NULL: none, does it answer?
 * @ndw: dwords
 *
 * May sleep; allocates nothing.
 * Return: 0: they have taken effect. -ENODEV, -ETIMEDOUT: the queue is no more.
 */
int vgpu_manager_run(struct vgpu_device *vdev, struct vgpu_manager *mgr, const u32 *dw, u32 ndw)
{
	struct vgpu_ring *ring = &mgr->q.ring;
	u64 addr = vdev->wb.gpu_addr + mgr->slot * sizeof(*vdev->wb.cpu);
	u32 fence[VGPU_CP_WRITE_DW];
	u32 i;
	int ret;

	mutex_lock(&mgr->lock);
	ret = vgpu_ring_alloc(ring, ndw + VGPU_CP_WRITE_DW);
	if (ret)
		goto unlock;
	for (i = 0; i < ndw; i++)
		vgpu_ring_write(ring, dw[i]);
	vgpu_cp_write_packet(fence, addr, ++mgr->seq);
	for (i = 0; i < VGPU_CP_WRITE_DW; i++)
		vgpu_ring_write(ring, fence[i]);
	vgpu_ring_commit(ring);

	/* It runs packets one after the other. */
	ret = vgpu_wb_wait(vdev, mgr->slot, mgr->seq, MANAGER_TIMEOUT_US);
	if (ret)
		manager_lost(vdev, mgr);
unlock:
	mutex_unlock(&mgr->lock);
	return ret;
}

int vgpu_manager_test_ring(struct vgpu_ring *ring)
{
	return vgpu_manager_run(ring->vdev, container_of(ring, struct vgpu_manager, q.ring),
				NULL, 0);
}

void vgpu_manager_show_state(struct vgpu_ring *ring, struct drm_printer *p)
{
	vgpu_hqd_show(ring->vdev, vgpu_ring_hqd(ring), p);
}

/**
 * vgpu_manager_init() - what a managing queue needs in memory
 * @vdev: the die
 * @mgr: the queue, zeroed
 * @pipe: of the second MEC
 * @queue: of that pipe
 * @funcs: of its ring
 * @doorbell: in dwords
 * @name: of its ring
 *
 * Return: 0 or a negative error. May sleep.
 */
int vgpu_manager_init(struct vgpu_device *vdev, struct vgpu_manager *mgr, u8 pipe, u8 queue,
		      const struct vgpu_ring_funcs *funcs, u32 doorbell, const char *name)
{
	struct vgpu_ring *ring = &mgr->q.ring;
	int ret;

	ret = drmm_mutex_init(&vdev->drm, &mgr->lock);
	if (ret)
		return ret;
	ret = vgpu_wb_get(vdev, &mgr->slot);
	if (ret)
		return ret;
	ret = vgpu_hqd_init(vdev, &mgr->q.hqd, MANAGER_ME, pipe, queue);
	if (ret)
		goto put_slot;
	ring->trace = VGPU_TRACE_QUEUE_HQD(vgpu_hqd_number(&mgr->q.hqd));
	ring->doorbell = doorbell;
	ret = vgpu_ring_init(vdev, ring, funcs, MANAGER_RING_DW, name);
	if (ret)
		goto fini_hqd;
	return 0;

fini_hqd:
	vgpu_hqd_fini(&mgr->q.hqd);
put_slot:
	vgpu_wb_put(vdev, mgr->slot);
	return ret;
}

void vgpu_manager_fini(struct vgpu_device *vdev, struct vgpu_manager *mgr)
{
	vgpu_ring_fini(&mgr->q.ring);
	vgpu_hqd_fini(&mgr->q.hqd);
	vgpu_wb_put(vdev, mgr->slot);
}

/* ------------------------------------------------------------ the KIQ */

static int kiq_run(struct vgpu_device *vdev, const u32 *dw, u32 ndw)
{
	return vgpu_manager_run(vdev, &vdev->kiq.mgr, dw, ndw);
}

static int kiq_set_resources(struct vgpu_device *vdev, u64 queue_mask)
{
	const u32 dw[KIQ_SET_RESOURCES_DW] = {
		PACKET3(PACKET3_SET_RESOURCES, KIQ_SET_RESOURCES_DW - 2),
		PACKET3_SET_RESOURCES_QUEUE_TYPE(PACKET3_SET_RESOURCES_TYPE_KIQ),
		lower_32_bits(queue_mask), upper_32_bits(queue_mask),
	};

	return kiq_run(vdev, dw, ARRAY_SIZE(dw));
}

/**
 * vgpu_kiq_map() - let a queue of the kernel run
 * @ring: its ring, rewound, its descriptor filled
 * @engine: QUEUES_ENGINE_COMPUTE, or QUEUES_ENGINE_HIQ for the one that takes run lists
 *
 * May sleep; allocates nothing.
 * Return: 0, -ENODEV, -ETIMEDOUT, -EIO when the queue is not there all the same.
 */
int vgpu_kiq_map(struct vgpu_ring *ring, u32 engine)
{
	struct vgpu_device *vdev = ring->vdev;
	const struct vgpu_hqd *hqd = vgpu_ring_hqd(ring);
	u64 wptr_addr = vdev->wb.gpu_addr + ring->wptr_slot * sizeof(*vdev->wb.cpu);
	const u32 dw[KIQ_MAP_QUEUES_DW] = {
		PACKET3(PACKET3_MAP_QUEUES, KIQ_MAP_QUEUES_DW - 2),
		PACKET3_MAP_QUEUES_QUEUE_SEL(MAP_QUEUES_SEL_SLOT) |
		PACKET3_MAP_QUEUES_ME(hqd->me - 1) |
		PACKET3_MAP_QUEUES_PIPE(hqd->pipe) |
		PACKET3_MAP_QUEUES_QUEUE(hqd->queue) |
		PACKET3_MAP_QUEUES_QUEUE_TYPE(MAP_QUEUES_TYPE_COMPUTE) |
		PACKET3_MAP_QUEUES_ENGINE_SEL(engine) |
		PACKET3_MAP_QUEUES_NUM_QUEUES(1),
		PACKET3_MAP_QUEUES_DOORBELL_OFFSET(ring->doorbell),
		lower_32_bits(hqd->mqd_addr), upper_32_bits(hqd->mqd_addr),
		lower_32_bits(wptr_addr), upper_32_bits(wptr_addr),
	};
	int ret;

	ret = kiq_run(vdev, dw, ARRAY_SIZE(dw));
	if (ret)
		return ret;
	return vgpu_hqd_active(vdev, hqd) ? 0 : -EIO;
}

/**
 * vgpu_kiq_unmap() - take a queue of the kernel off
 * @ring: its ring
 *
 * What it does is abandoned. May sleep; allocates nothing.
 * Return: 0, -ENODEV, -ETIMEDOUT, -EIO when the queue is there still.
 */
int vgpu_kiq_unmap(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	const u32 dw[KIQ_UNMAP_QUEUES_DW] = {
		PACKET3(PACKET3_UNMAP_QUEUES, KIQ_UNMAP_QUEUES_DW - 2),
		PACKET3_UNMAP_QUEUES_ACTION(UNMAP_QUEUES_RESET) |
		PACKET3_UNMAP_QUEUES_QUEUE_SEL(UNMAP_QUEUES_SEL_DOORBELLS) |
		PACKET3_UNMAP_QUEUES_ENGINE_SEL(QUEUES_ENGINE_COMPUTE) |
		PACKET3_UNMAP_QUEUES_NUM_QUEUES(1),
		PACKET3_UNMAP_QUEUES_DOORBELL_OFFSET0(ring->doorbell),
	};
	int ret;

	ret = kiq_run(vdev, dw, ARRAY_SIZE(dw));
	if (ret)
		return ret;
	return vgpu_hqd_active(vdev, vgpu_ring_hqd(ring)) ? -EIO : 0;
}

/**
 * vgpu_kiq_stop_queue() - the stop of a ring that the KIQ maps
 * @ring: the ring
 *
 * When the KIQ does not do it, nobody need know. May sleep.
 */
void vgpu_kiq_stop_queue(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	int idx;

	if (!vgpu_hw_enter(vdev, &idx))
		return;
	if (vgpu_kiq_unmap(ring))
		vgpu_hqd_drop(vdev, vgpu_ring_hqd(ring));
	vgpu_hw_exit(idx);
}

/* ---------------------------------------------------------- start, stop */

static void kiq_halt(struct vgpu_device *vdev, bool halt)
{
	u32 tmp = RREG32(GC, regCP_MEC_CNTL);

	tmp = REG_FIELD_SET(tmp, CP_MEC_CNTL, MEC_ME1_HALT, halt);
	tmp = REG_FIELD_SET(tmp, CP_MEC_CNTL, MEC_ME2_HALT, halt);
	WREG32(GC, regCP_MEC_CNTL, tmp);
}

/* No queue is on the MECs any more, whoever had the die before. */
static void kiq_soft_reset(struct vgpu_device *vdev)
{
	u32 cpc = GRBM_SOFT_RESET__SOFT_RESET_CPC_MASK;
	u32 tmp = RREG32(GC, regGRBM_SOFT_RESET);

	WREG32(GC, regGRBM_SOFT_RESET, tmp | cpc);
	RREG32(GC, regGRBM_SOFT_RESET);		/* it has arrived */
	usleep_range(KIQ_SETTLE_US, 2 * KIQ_SETTLE_US);
	WREG32(GC, regGRBM_SOFT_RESET, tmp & ~cpc);
	RREG32(GC, regGRBM_SOFT_RESET);
}

static void kiq_name(struct vgpu_device *vdev, u32 id)
{
	u32 tmp = RREG32(GC, regRLC_CP_SCHEDULERS);

	WREG32(GC, regRLC_CP_SCHEDULERS, REG_FIELD_SET(tmp, RLC_CP_SCHEDULERS, scheduler0, id));
}

/* All doorbells that the graphics ring does not have. */
static void kiq_enable_doorbells(struct vgpu_device *vdev)
{
	u32 tmp;

	WREG32(GC, regCP_MEC_DOORBELL_RANGE_LOWER,
	       REG_FIELD_PREP(CP_MEC_DOORBELL_RANGE_LOWER, DOORBELL_RANGE_LOWER,
			      VGPU_DOORBELL_DWORD_OFFSET(AMDGPU_VEGA20_DOORBELL_KIQ)));
	WREG32(GC, regCP_MEC_DOORBELL_RANGE_UPPER,
	       REG_FIELD_PREP(CP_MEC_DOORBELL_RANGE_UPPER, DOORBELL_RANGE_UPPER,
			      vdev->num_doorbells - 1));
	tmp = RREG32(GC, regCP_PQ_STATUS);
	WREG32(GC, regCP_PQ_STATUS, REG_FIELD_SET(tmp, CP_PQ_STATUS, DOORBELL_ENABLE, 1));

	/* Write pointers come by doorbells only. */
	tmp = RREG32(GC, regCP_PQ_WPTR_POLL_CNTL);
	WREG32(GC, regCP_PQ_WPTR_POLL_CNTL, REG_FIELD_SET(tmp, CP_PQ_WPTR_POLL_CNTL, EN, 0));
}

/* The MECs with nothing on them but the queue */
static int kiq_start(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u64 kernel_queues = 0;
	unsigned int i;
	int ret;

	kiq_halt(vdev, true);
	kiq_soft_reset(vdev);
	kiq_name(vdev, KIQ_SCHEDULER(MANAGER_ME, KIQ_PIPE, KIQ_QUEUE));
	kiq_enable_doorbells(vdev);

	vgpu_ring_rewind(ring);
	vgpu_mqd_fill(ring);
	vgpu_hqd_load(vdev, &vdev->kiq.mgr.q.hqd);
	kiq_halt(vdev, false);

	ret = vgpu_manager_test_ring(ring);
	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(vdev->compute); i++)
		kernel_queues |= BIT_ULL(vgpu_hqd_number(&vdev->compute[i].hqd));
	return kiq_set_resources(vdev, kernel_queues);
}

static void kiq_stop(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;

	kiq_name(vdev, 0);
	vgpu_hqd_drop(vdev, &vdev->kiq.mgr.q.hqd);
	kiq_halt(vdev, true);
}

static const struct vgpu_ring_funcs kiq_funcs = {
	.hw_ip = AMDGPU_HW_IP_NUM,	/* no user's */
	.align_mask = 0xff,
	.nop = PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT),
	.get_rptr = vgpu_cp_get_rptr,
	.set_wptr = vgpu_cp_set_wptr,
	.insert_nop = vgpu_cp_insert_nop,
	.test_ring = vgpu_manager_test_ring,
	.start = kiq_start,
	.stop = kiq_stop,
	.decode = vgpu_cp_decode,
	.decode_at = vgpu_decode_pm4,
	.show_state = vgpu_manager_show_state,
};

/* ---------------------------------------------------------------- block */

static int vgpu_kiq_sw_init(struct vgpu_device *vdev)
{
	/* Other queues are mapped with the lock of their ring held. */
	static struct lock_class_key lock_class, ring_lock_class;
	struct vgpu_kiq *kiq = &vdev->kiq;
	int ret;

	ret = drmm_mutex_init(&vdev->drm, &kiq->select_lock);
	if (ret)
		return ret;
	ret = vgpu_manager_init(vdev, &kiq->mgr, KIQ_PIPE, KIQ_QUEUE, &kiq_funcs,
				VGPU_DOORBELL_DWORD_OFFSET(AMDGPU_VEGA20_DOORBELL_KIQ), "kiq");
	if (ret)
		return ret;
	lockdep_set_class(&kiq->mgr.lock, &lock_class);
	lockdep_set_class(&kiq->mgr.q.ring.lock, &ring_lock_class);
	return 0;
}

static void vgpu_kiq_sw_fini(struct vgpu_device *vdev)
{
	vgpu_manager_fini(vdev, &vdev->kiq.mgr);
}

/* Without it there are no compute rings: not an error of the die. */
static int vgpu_kiq_hw_init(struct vgpu_device *vdev)
{
	struct vgpu_ring *ring = &vdev->kiq.mgr.q.ring;
	int ret;

	ret = ring->funcs->start(ring);
	if (ret)
		drm_err(&vdev->drm, "%s: does not start: %d\n", ring->name, ret);
	return 0;
}

static int vgpu_kiq_late_init(struct vgpu_device *vdev)
{
	vgpu_ring_test(&vdev->kiq.mgr.q.ring);
	return 0;
}

static void vgpu_kiq_hw_fini(struct vgpu_device *vdev)
{
	vgpu_ring_stop(&vdev->kiq.mgr.q.ring);
}

static int vgpu_kiq_suspend(struct vgpu_device *vdev)
{
	vgpu_ring_suspend(&vdev->kiq.mgr.q.ring);
	return 0;
}

static int vgpu_kiq_resume(struct vgpu_device *vdev)
{
	vgpu_ring_resume(&vdev->kiq.mgr.q.ring);
	return 0;
}

const struct vgpu_ip_block vgpu_kiq_block = {
	.name = "kiq",
	.sw_init = vgpu_kiq_sw_init,
	.sw_fini = vgpu_kiq_sw_fini,
	.hw_init = vgpu_kiq_hw_init,
	.late_init = vgpu_kiq_late_init,
	.hw_fini = vgpu_kiq_hw_fini,
	.mode2 = true,
	.suspend = vgpu_kiq_suspend,
	.resume = vgpu_kiq_resume,
};
