/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Contexts: where a process submits from. Each has a queue for every ring, and
 * remembers the fences of its last submissions.
 * Documentation/submission.rst, "Contexts".
 */
#ifndef _VGPU_CTX_H_
#define _VGPU_CTX_H_

#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#include <drm/amdgpu_drm.h>
#include <drm/gpu_scheduler.h>

struct drm_printer;
struct vgpu_device;
struct vgpu_fpriv;
struct vgpu_ring;

/* Fences that a queue remembers, and with that its jobs in flight; power of two */
#define VGPU_CTX_FENCES		32
#define VGPU_CTX_MAX_RINGS	8	/* of a kind */

/**
 * struct vgpu_ctx_entity - queue of a context for one ring
 * @entity: the scheduler's part
 * @ring: the ring
 * @sched: its scheduler; the entity keeps a pointer to this one-element list
 * @sequence: number of the next submission; they count from 1
 * @fences: of the last submissions, by number modulo their count
 */
struct vgpu_ctx_entity {
	struct drm_sched_entity entity;
	struct vgpu_ring *ring;
	struct drm_gpu_scheduler *sched;
	u64 sequence;
	struct dma_fence *fences[VGPU_CTX_FENCES];
};

/**
 * struct vgpu_ctx - a context
 * @ref: handle, ioctls that use it, jobs
 * @vdev: the die
 * @guilty: a job of it hung a ring: nothing of it runs any more
 * @lock: guards making of @entities, and from arm to push of a job
 * @fence_lock: guards sequence and fences of the entities
 * @closed: the handle is gone: nothing is pushed any more; under @lock
 * @priority: AMDGPU_CTX_PRIORITY_* it was made with
 * @override: AMDGPU_CTX_PRIORITY_* by AMDGPU_SCHED, or _UNSET
 * @reset_count: vdev->reset.count when it was made
 * @reset_query: the same at the last AMDGPU_CTX_OP_QUERY_STATE
 * @vram_lost: vdev->reset.vram_lost when it was made
 * @ras_ue: uncorrectable errors of the die that it was told of
 * @ras_ce: the same of corrected ones
 * @stable_pstate: AMDGPU_CTX_STABLE_PSTATE_*
 * @entities: by kind of ring and number
 */
struct vgpu_ctx {
	struct kref ref;
	struct vgpu_device *vdev;
	atomic_t guilty;
	struct mutex lock;		/* see above */
	spinlock_t fence_lock;		/* see above */
	bool closed;
	s32 priority, override;
	int reset_count, reset_query;
	int vram_lost;
	int ras_ue, ras_ce;
	u32 stable_pstate;
	struct vgpu_ctx_entity *entities[AMDGPU_HW_IP_NUM][VGPU_CTX_MAX_RINGS];
};

struct vgpu_ctx *vgpu_ctx_get(struct vgpu_fpriv *fpriv, u32 id);
void vgpu_ctx_put(struct vgpu_ctx *ctx);
int vgpu_ctx_get_entity(struct vgpu_ctx *ctx, u32 hw_ip, u32 instance, u32 nr,
			struct vgpu_ctx_entity **entity);
u64 vgpu_ctx_add_fence(struct vgpu_fpriv *fpriv, struct vgpu_ctx *ctx,
		       struct vgpu_ctx_entity *entity, struct dma_fence *fence);
void vgpu_ctx_show_usage(struct vgpu_fpriv *fpriv, struct drm_printer *p);
struct dma_fence *vgpu_ctx_get_fence(struct vgpu_ctx *ctx, struct vgpu_ctx_entity *entity,
				     u64 seq);
int vgpu_ctx_wait_prev_fence(struct vgpu_ctx *ctx, struct vgpu_ctx_entity *entity);
void vgpu_ctx_override_priority(struct vgpu_ctx *ctx, s32 priority);
bool vgpu_ctx_priority_valid(s32 priority);

#endif
