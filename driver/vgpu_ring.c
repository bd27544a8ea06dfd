// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Rings: a power of two of dwords in system memory that the CPU fills, a
 * doorbell that says how far, and a write-back slot in which the GPU says how
 * far it has read. Documentation/submission.rst, "Rings".
 */
#include <linux/delay.h>
#include <linux/string.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_managed.h>

#include "vgpu.h"
#include "vgpu_trace.h"

/* A GPU that takes nothing for so long hangs; its job's timeout finds it. */
#define VGPU_RING_ROOM_TIMEOUT_US	(2 * USEC_PER_SEC)

/**
 * vgpu_ring_init() - memory, write-back slots and fences of a ring
 * @vdev: the die
 * @ring: the ring
 * @funcs: in what it differs
 * @size_dw: power of two, dwords
 * @name: for messages and fences
 *
 * The ring is added to vdev->rings[]; it is ready only after vgpu_ring_test().
 * Return: 0 or a negative errno, everything undone. May sleep.
 */
int vgpu_ring_init(struct vgpu_device *vdev, struct vgpu_ring *ring,
		   const struct vgpu_ring_funcs *funcs, u32 size_dw, const char *name)
{
	void *cpu;
	int ret;

	if (vdev->num_rings >= VGPU_MAX_RINGS)
		return -ENOSPC;

	ring->vdev = vdev;
	ring->funcs = funcs;
	ring->size_dw = size_dw;
	ring->ready = false;
	strscpy(ring->name, name, sizeof(ring->name));

	ret = drmm_mutex_init(&vdev->drm, &ring->lock);
	if (ret)
		return ret;
	ret = drmm_mutex_init(&vdev->drm, &ring->push_lock);
	if (ret)
		return ret;

	ret = vgpu_wb_get(vdev, &ring->rptr_slot);
	if (ret)
		return ret;

	ret = vgpu_wb_get(vdev, &ring->wptr_slot);
	if (ret)
		goto put_rptr;

	ret = vgpu_fence_driver_init(ring);
	if (ret)
		goto put_wptr;

	ring->bo = vgpu_bo_create_kernel(vdev, size_dw * sizeof(u32), AMDGPU_GEM_DOMAIN_GTT,
					 &ring->gpu_addr, &cpu);
	if (IS_ERR(ring->bo)) {
		ret = PTR_ERR(ring->bo);
		goto fini_fence;
	}
	ring->cpu = cpu;
	memset32(ring->cpu, funcs->nop, size_dw);

	ret = vgpu_sched_init(ring);
	if (ret)
		goto free_bo;

	ring->idx = vdev->num_rings;
	vdev->rings[vdev->num_rings++] = ring;
	return 0;

free_bo:
	vgpu_bo_free_kernel(ring->bo);
fini_fence:
	ring->bo = NULL;
	vgpu_fence_driver_fini(ring);
put_wptr:
	vgpu_wb_put(vdev, ring->wptr_slot);
put_rptr:
	vgpu_wb_put(vdev, ring->rptr_slot);
	return ret;
}

/**
 * vgpu_ring_fini() - undo vgpu_ring_init(); the hardware reads it no more
 * @ring: the ring
 *
 * Does nothing for a ring that was never initialised. May sleep.
 */
void vgpu_ring_fini(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;

	if (!ring->bo)
		return;
	vgpu_sched_fini(ring);
	vgpu_fence_driver_fini(ring);
	vgpu_bo_free_kernel(ring->bo);
	ring->bo = NULL;
	vgpu_wb_put(vdev, ring->wptr_slot);
	vgpu_wb_put(vdev, ring->rptr_slot);
	vdev->rings[ring->idx] = NULL;
}

/**
 * vgpu_ring_stop() - the ring's part of hw_fini
 * @ring: the ring
 *
 * Nothing reaches the hardware any more when this returns: jobs still queued
 * and those to come complete with -ENODEV. What is already in the ring is given
 * a second to finish if the hardware is there. May sleep.
 */
void vgpu_ring_stop(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;

	if (!ring->bo)
		return;

	mutex_lock(&ring->lock);
	ring->dead = true;
	mutex_unlock(&ring->lock);

	if (ring->ready && READ_ONCE(vdev->teardown) == current)
		vgpu_fence_wait_idle(ring, USEC_PER_SEC);
	ring->ready = false;
	ring->funcs->stop(ring);
	vgpu_fence_force_completion(ring, -ENODEV);
}

/* It is stopped and takes no more jobs. */
static void vgpu_ring_leave_out(struct vgpu_ring *ring)
{
	mutex_lock(&ring->lock);
	ring->dead = true;
	WRITE_ONCE(ring->ready, false);
	ring->funcs->stop(ring);
	mutex_unlock(&ring->lock);
}

/**
 * vgpu_ring_suspend() - nothing goes to the hardware until vgpu_ring_resume()
 * @ring: the ring
 *
 * What is in it, and not done, is lost; its jobs are the caller's. May sleep.
 */
void vgpu_ring_suspend(struct vgpu_ring *ring)
{
	if (!ring->ready)
		return;
	mutex_lock(&ring->lock);
	ring->dead = true;
	ring->funcs->stop(ring);
	mutex_unlock(&ring->lock);
	/* What it has done by now is done. */
	vgpu_fence_process(ring);
}

/**
 * vgpu_ring_resume() - start a ring after a reset of the die, and test it
 * @ring: the ring; what kept one from being ready may be gone with the reset
 *
 * One that fails is left out, until the next reset. May sleep.
 * Return: 0 or a negative error.
 */
int vgpu_ring_resume(struct vgpu_ring *ring)
{
	int ret;

	mutex_lock(&ring->lock);
	ring->dead = false;
	mutex_unlock(&ring->lock);

	ret = ring->funcs->start(ring);
	if (!ret)
		ret = ring->funcs->test_ring(ring);
	if (ret) {
		if (!drm_dev_is_unplugged(&ring->vdev->drm))
			drm_err(&ring->vdev->drm, "%s: does not come back: %d\n", ring->name, ret);
		vgpu_ring_leave_out(ring);
		return ret;
	}
	WRITE_ONCE(ring->ready, true);
	return 0;
}

/**
 * vgpu_ring_rewind() - begin at the start of the ring again
 * @ring: the ring, its hardware stopped and nobody else writing to it
 */
void vgpu_ring_rewind(struct vgpu_ring *ring)
{
	struct vgpu_wb *wb = &ring->vdev->wb;

	ring->wptr = 0;
	WRITE_ONCE(wb->cpu[ring->rptr_slot], 0);
	WRITE_ONCE(wb->cpu[ring->wptr_slot], 0);
	/* Stale packets must not look like new ones in a decoded dump. */
	memset32(ring->cpu, ring->funcs->nop, ring->size_dw);
	ring->rewound = vgpu_gpu_clock(ring->vdev);
	atomic64_set(&ring->fault_at, ring->rewound);
}

/**
 * vgpu_ring_fault() - the hardware says that it halted on an error
 * @ring: the ring
 * @timestamp: GPU clock, of the interrupt's entry
 *
 * Its scheduler's timeout handler, which recovers it, runs now and not when the
 * job has timed out. Any context.
 */
void vgpu_ring_fault(struct vgpu_ring *ring, u64 timestamp)
{
	atomic64_set(&ring->fault_at, timestamp);
	drm_sched_fault(&ring->sched);
}

/**
 * vgpu_ring_faulted() - has the hardware halted on an error since it was started
 * @ring: the ring
 *
 * An interrupt may come when a timeout has recovered the ring already. It must not
 * have the next job blamed: the time in it tells. The die's ordered queue.
 */
bool vgpu_ring_faulted(const struct vgpu_ring *ring)
{
	u64 since = atomic64_read(&ring->fault_at) - ring->rewound;

	/* Entries have 48 bits of the clock. */
	return sign_extend64(since, 47) > 0;
}

static u64 vgpu_ring_room(struct vgpu_ring *ring)
{
	/* rptr counts modulo the ring; one dword stays free: full is not empty. */
	u64 used = (ring->wptr - ring->funcs->get_rptr(ring)) & (ring->size_dw - 1);

	return ring->size_dw - 1 - used;
}

/**
 * vgpu_ring_alloc() - begin to write @ndw dwords
 * @ring: the ring
 * @ndw: dwords
 *
 * Takes the ring's lock, which vgpu_ring_commit() or vgpu_ring_undo() drops.
 * Waits for the GPU to make room, asleep and bounded. The scheduler's credits
 * keep a ring from filling up, so that wait is for direct submissions only.
 * Return: 0, -EINVAL for more than the ring has, -ETIMEDOUT, -ENODEV when the
 * hardware takes nothing any more; the lock is not held then.
 */
int vgpu_ring_alloc(struct vgpu_ring *ring, u32 ndw)
{
	struct vgpu_device *vdev = ring->vdev;
	ktime_t end;

	ndw = ALIGN(ndw, ring->funcs->align_mask + 1);
	if (ndw >= ring->size_dw)
		return -EINVAL;

	mutex_lock(&ring->lock);
	if (ring->dead) {
		mutex_unlock(&ring->lock);
		return -ENODEV;
	}
	end = ktime_add_us(ktime_get(), VGPU_RING_ROOM_TIMEOUT_US);
	while (vgpu_ring_room(ring) < ndw) {
		if (drm_dev_is_unplugged(&vdev->drm)) {
			mutex_unlock(&ring->lock);
			return -ENODEV;
		}
		if (ktime_after(ktime_get(), end)) {
			mutex_unlock(&ring->lock);
			drm_err_ratelimited(&vdev->drm, "%s: no room for %u dwords\n",
					    ring->name, ndw);
			return -ETIMEDOUT;
		}
		usleep_range(50, 100);
	}
	ring->wptr_start = ring->wptr;
	ring->wptr_end = ring->wptr + ndw;
	return 0;
}

/**
 * vgpu_ring_write() - append a dword, inside an allocation
 * @ring: the ring
 * @dw: the dword
 */
void vgpu_ring_write(struct vgpu_ring *ring, u32 dw)
{
	/* An emitter that needs more than it said is a bug of ours. */
	if (WARN_ON_ONCE(ring->wptr >= ring->wptr_end))
		return;
	ring->cpu[ring->wptr++ & (ring->size_dw - 1)] = dw;
}

/**
 * vgpu_ring_commit() - pad, ring the doorbell, drop the lock
 * @ring: the ring
 */
void vgpu_ring_commit(struct vgpu_ring *ring)
{
	u32 pad = -(u32)ring->wptr & ring->funcs->align_mask;

	if (pad)
		ring->funcs->insert_nop(ring, pad);
	trace_vgpu_ring_write(ring, ring->wptr_start);
	/* The packets before the pointer that tells of them. */
	wmb();
	vgpu_path_doorbell(ring);
	ring->funcs->set_wptr(ring);
	mutex_unlock(&ring->lock);
}

/**
 * vgpu_ring_undo() - forget the allocation, drop the lock
 * @ring: the ring
 */
void vgpu_ring_undo(struct vgpu_ring *ring)
{
	ring->wptr = ring->wptr_start;
	mutex_unlock(&ring->lock);
}

/**
 * vgpu_ring_test() - prove a ring: ring test, then IB test
 * @ring: the ring
 *
 * Sets ring->ready and the times each test took. A ring that fails is reported
 * and left out; the others go on.
 * Return: 0 or what the failing test gave. May sleep.
 */
int vgpu_ring_test(struct vgpu_ring *ring)
{
	struct drm_device *drm = &ring->vdev->drm;
	ktime_t start = ktime_get();
	int ret;

	ret = ring->funcs->test_ring(ring);
	ring->test_ring_time = ktime_sub(ktime_get(), start);
	if (ret) {
		drm_err(drm, "%s: ring test failed (%d), ring left out\n", ring->name, ret);
		goto left_out;
	}

	if (!ring->funcs->test_ib) {
		ring->ready = true;
		drm_info(drm, "%s: ring test %lld us\n", ring->name,
			 ktime_to_us(ring->test_ring_time));
		return 0;
	}
	start = ktime_get();
	ret = ring->funcs->test_ib(ring, HZ);
	ring->test_ib_time = ktime_sub(ktime_get(), start);
	if (ret) {
		drm_err(drm, "%s: IB test failed (%d), ring left out\n", ring->name, ret);
		goto left_out;
	}

	ring->ready = true;
	drm_info(drm, "%s: ring test %lld us, IB test %lld us\n", ring->name,
		 ktime_to_us(ring->test_ring_time), ktime_to_us(ring->test_ib_time));
	return 0;

left_out:
	vgpu_ring_leave_out(ring);
	vgpu_fence_force_completion(ring, ret);
	return ret;
}
