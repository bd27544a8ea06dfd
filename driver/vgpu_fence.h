/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Ring fences: the GPU writes a growing sequence number to memory and raises
 * an interrupt. Documentation/submission.rst, "Fences".
 */
#ifndef _VGPU_FENCE_H_
#define _VGPU_FENCE_H_

#include <linux/dma-fence.h>
#include <linux/list.h>
#include <linux/timer.h>

struct vgpu_ring;

#define VGPU_FENCE_FALLBACK	(HZ / 2)

/**
 * struct vgpu_fence_driver - fences of one ring
 * @lock: guards @pending and the signalling of its fences; IRQ-safe
 * @context: of the fences it makes
 * @seq: last sequence number emitted; under the ring's lock
 * @gpu_addr: where the GPU writes the low half of the number it has reached
 * @cpu: the same place
 * @pending: unsignalled struct vgpu_fence, oldest first
 * @fallback: looks at @cpu when no interrupt came for long
 * @lost_irqs: how often that found something
 */
struct vgpu_fence_driver {
	spinlock_t lock;		/* see above */
	u64 context;
	u64 seq;
	u64 gpu_addr;
	__le32 *cpu;
	struct list_head pending;
	struct timer_list fallback;
	unsigned int lost_irqs;
};

/**
 * struct vgpu_fence - one point on a ring's timeline
 * @base: DRM's part
 * @ring: valid until it has signalled; a fence may outlive its device
 * @node: in fence_drv.pending
 * @timeline: name of the ring, kept for those who ask later
 */
struct vgpu_fence {
	struct dma_fence base;
	struct vgpu_ring *ring;
	struct list_head node;
	char timeline[16];
};

int vgpu_fence_driver_init(struct vgpu_ring *ring);
void vgpu_fence_driver_fini(struct vgpu_ring *ring);
/* Under the ring's lock, between alloc and commit. The fence is pre-allocated. */
struct vgpu_fence *vgpu_fence_alloc(void);
void vgpu_fence_free(struct vgpu_fence *fence);	/* one that was never emitted */
struct dma_fence *vgpu_fence_emit(struct vgpu_ring *ring, struct vgpu_fence *fence);
/* The same fence in a ring that has been recovered; likewise under its lock. */
void vgpu_fence_emit_again(struct vgpu_ring *ring, struct dma_fence *f);
/* Signal what the GPU has reached. Any context. */
unsigned int vgpu_fence_process(struct vgpu_ring *ring);
unsigned int vgpu_fence_pending(struct vgpu_ring *ring);
/* Signal one fence of the ring with @error, if it is pending. Any context. */
void vgpu_fence_cancel(struct vgpu_ring *ring, struct dma_fence *f, int error);
/* Signal all that is pending with @error (unplug, failed recovery). */
void vgpu_fence_force_completion(struct vgpu_ring *ring, int error);
/* At the end of a ring: wait until nothing is pending, bounded. May sleep. */
void vgpu_fence_wait_idle(struct vgpu_ring *ring, u32 timeout_us);

int vgpu_fence_module_init(void);
void vgpu_fence_module_exit(void);

#endif
