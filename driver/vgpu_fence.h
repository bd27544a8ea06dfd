/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Ring fences: the GPU writes a growing sequence number to memory and raises
 * an interrupt. Documentation/submission.rst, "Fences".
 */
#ifndef _VGPU_FENCE_H_
#define _VGPU_FENCE_H_

#include <linux/dma-fence.h>
#include <linux/list.h>

struct vgpu_ring;

/**
 * struct vgpu_fence_driver - fences of one ring
 * @lock: guards @pending and the signalling of its fences; IRQ-safe
 * @seq: last sequence number emitted; under the ring's lock
 * @cpu: where the GPU writes the number it has reached
 * @pending: unsignalled struct vgpu_fence, oldest first
 */
struct vgpu_fence_driver {
	spinlock_t lock;
	u64 context;
	u32 seq;
	u64 gpu_addr;
	__le32 *cpu;
	struct list_head pending;
};

struct vgpu_fence {
	struct dma_fence base;
	struct vgpu_ring *ring;
	struct list_head node;		/* fence_drv.pending */
};

int vgpu_fence_driver_init(struct vgpu_ring *ring);
void vgpu_fence_driver_fini(struct vgpu_ring *ring);
/* Under the ring's lock, between alloc and commit. The fence is pre-allocated. */
struct vgpu_fence *vgpu_fence_alloc(void);
void vgpu_fence_free(struct vgpu_fence *fence);	/* one that was never emitted */
struct dma_fence *vgpu_fence_emit(struct vgpu_ring *ring, struct vgpu_fence *fence);
/* Signal what the GPU has reached. Any context. */
void vgpu_fence_process(struct vgpu_ring *ring);
/* Signal all that is pending with @error (reset, unplug). */
void vgpu_fence_force_completion(struct vgpu_ring *ring, int error);

#endif
