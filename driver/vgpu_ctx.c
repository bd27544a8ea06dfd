// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Contexts: handles that a process submits from, each with its own queues; and
 * the priorities of these. Documentation/submission.rst, "Contexts".
 */
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/slab.h>

#include <drm/drm_auth.h>
#include <drm/drm_file.h>

#include "vgpu.h"
#include "vgpu_ctx.h"

#define VGPU_MAX_CTX		4096

/* A second for what is queued when its process exits, in all of a file's contexts */
#define VGPU_CTX_FLUSH_TIMEOUT	HZ

bool vgpu_ctx_priority_valid(s32 priority)
{
	switch (priority) {
	case AMDGPU_CTX_PRIORITY_VERY_LOW:
	case AMDGPU_CTX_PRIORITY_LOW:
	case AMDGPU_CTX_PRIORITY_NORMAL:
	case AMDGPU_CTX_PRIORITY_HIGH:
	case AMDGPU_CTX_PRIORITY_VERY_HIGH:
		return true;
	}
	return false;
}

static enum drm_sched_priority vgpu_ctx_sched_priority(const struct vgpu_ctx *ctx)
{
	s32 priority = ctx->override == AMDGPU_CTX_PRIORITY_UNSET ? ctx->priority :
								    ctx->override;

	if (priority > AMDGPU_CTX_PRIORITY_NORMAL)
		return DRM_SCHED_PRIORITY_HIGH;
	if (priority < AMDGPU_CTX_PRIORITY_NORMAL)
		return DRM_SCHED_PRIORITY_LOW;
	return DRM_SCHED_PRIORITY_NORMAL;
}

/* Above normal is not for everybody. */
static int vgpu_ctx_priority_permit(struct drm_file *file, s32 priority)
{
	if (priority <= AMDGPU_CTX_PRIORITY_NORMAL || capable(CAP_SYS_NICE) ||
	    drm_is_current_master(file))
		return 0;
	return -EACCES;
}

/* ------------------------------------------------------------- engine time */

/* From the hand of the scheduler to the end, or to now; as amdgpu counts it. */
static u64 vgpu_ctx_fence_ns(struct dma_fence *fence)
{
	struct drm_sched_fence *s_fence = fence ? to_drm_sched_fence(fence) : NULL;
	ktime_t end;

	if (!s_fence || !test_bit(DMA_FENCE_FLAG_TIMESTAMP_BIT, &s_fence->scheduled.flags))
		return 0;
	end = test_bit(DMA_FENCE_FLAG_TIMESTAMP_BIT, &s_fence->finished.flags) ?
	      s_fence->finished.timestamp : ktime_get();
	return max_t(s64, ktime_to_ns(ktime_sub(end, s_fence->scheduled.timestamp)), 0);
}

/* Of the jobs that the context remembers. */
static u64 vgpu_ctx_spent(struct vgpu_ctx *ctx, unsigned int ip)
{
	unsigned int ring, i;
	u64 ns = 0;

	for (ring = 0; ring < VGPU_CTX_MAX_RINGS; ring++) {
		/* Pairs with the release in vgpu_ctx_init_entity(). */
		struct vgpu_ctx_entity *entity = smp_load_acquire(&ctx->entities[ip][ring]);

		if (!entity)
			continue;
		spin_lock(&ctx->fence_lock);
		for (i = 0; i < VGPU_CTX_FENCES; i++)
			ns += vgpu_ctx_fence_ns(entity->fences[i]);
		spin_unlock(&ctx->fence_lock);
	}
	return ns;
}

/**
 * vgpu_ctx_show_usage() - time that the engines worked for a file, for fdinfo
 * @fpriv: the file
 * @p: where to print
 *
 * May sleep.
 */
void vgpu_ctx_show_usage(struct vgpu_fpriv *fpriv, struct drm_printer *p)
{
	static const struct {
		unsigned int ip;
		const char *name;
	} engines[] = {
		{ AMDGPU_HW_IP_GFX, "gfx" },
		{ AMDGPU_HW_IP_COMPUTE, "compute" },
		{ AMDGPU_HW_IP_DMA, "dma" },
	};
	struct vgpu_ctx *ctx;
	unsigned int i;
	int id;

	for (i = 0; i < ARRAY_SIZE(engines); i++) {
		u64 ns;

		mutex_lock(&fpriv->ctx_lock);
		ns = atomic64_read(&fpriv->time_spent[engines[i].ip]);
		idr_for_each_entry(&fpriv->ctx, ctx, id)
			ns += vgpu_ctx_spent(ctx, engines[i].ip);
		mutex_unlock(&fpriv->ctx_lock);
		if (ns)
			drm_printf(p, "drm-engine-%s:\t%llu ns\n", engines[i].name, ns);
	}
}

/* --------------------------------------------------------------- lifetime */

static void vgpu_ctx_release(struct kref *ref)
{
	struct vgpu_ctx *ctx = container_of(ref, struct vgpu_ctx, ref);
	unsigned int ip, ring, i;

	for (ip = 0; ip < AMDGPU_HW_IP_NUM; ip++) {
		for (ring = 0; ring < VGPU_CTX_MAX_RINGS; ring++) {
			struct vgpu_ctx_entity *entity = ctx->entities[ip][ring];

			if (!entity)
				continue;
			for (i = 0; i < VGPU_CTX_FENCES; i++)
				dma_fence_put(entity->fences[i]);
			kfree(entity);
		}
	}
	mutex_destroy(&ctx->lock);
	kfree(ctx);
}

/**
 * vgpu_ctx_put() - drop a reference
 * @ctx: the context
 *
 * The last one only frees memory: it may be that of a job, dropped by the very
 * work that runs the queues.
 */
void vgpu_ctx_put(struct vgpu_ctx *ctx)
{
	kref_put(&ctx->ref, vgpu_ctx_release);
}

/**
 * vgpu_ctx_get() - the context with handle @id
 * @fpriv: whose
 * @id: the handle
 *
 * Return: a reference, NULL for no such context.
 */
struct vgpu_ctx *vgpu_ctx_get(struct vgpu_fpriv *fpriv, u32 id)
{
	struct vgpu_ctx *ctx;

	mutex_lock(&fpriv->ctx_lock);
	ctx = idr_find(&fpriv->ctx, id);
	if (ctx)
		kref_get(&ctx->ref);
	mutex_unlock(&fpriv->ctx_lock);
	return ctx;
}

/*
 * The handle is gone. What is queued still runs, unless the process was killed
 * or its time is up; each job in a ring is over after its timeout at the latest.
 * Return: what is left of @timeout, jiffies.
 */
static long vgpu_ctx_close(struct vgpu_fpriv *fpriv, struct vgpu_ctx *ctx, long timeout)
{
	unsigned int ip, ring;

	mutex_lock(&ctx->lock);
	ctx->closed = true;
	mutex_unlock(&ctx->lock);

	for (ip = 0; ip < AMDGPU_HW_IP_NUM; ip++)
		for (ring = 0; ring < VGPU_CTX_MAX_RINGS; ring++)
			if (ctx->entities[ip][ring])
				timeout = drm_sched_entity_flush(&ctx->entities[ip][ring]->entity,
								 timeout);
	for (ip = 0; ip < AMDGPU_HW_IP_NUM; ip++)
		for (ring = 0; ring < VGPU_CTX_MAX_RINGS; ring++)
			if (ctx->entities[ip][ring])
				drm_sched_entity_fini(&ctx->entities[ip][ring]->entity);
	for (ip = 0; ip < AMDGPU_HW_IP_NUM; ip++)
		atomic64_add(vgpu_ctx_spent(ctx, ip), &fpriv->time_spent[ip]);
	vgpu_ctx_put(ctx);
	return timeout;
}

/**
 * vgpu_ctx_fini_file() - close the contexts of a file
 * @fpriv: the file, which nobody uses any more
 */
void vgpu_ctx_fini_file(struct vgpu_fpriv *fpriv)
{
	long timeout = VGPU_CTX_FLUSH_TIMEOUT;
	struct vgpu_ctx *ctx;
	int id;

	idr_for_each_entry(&fpriv->ctx, ctx, id)
		timeout = vgpu_ctx_close(fpriv, ctx, timeout);
}

/* --------------------------------------------------------------- entities */

static struct vgpu_ring *vgpu_ctx_find_ring(struct vgpu_device *vdev, u32 hw_ip, u32 nr)
{
	unsigned int i;

	for (i = 0; i < vdev->num_rings; i++) {
		struct vgpu_ring *ring = vdev->rings[i];

		if (ring->funcs->hw_ip == hw_ip && ring->instance == nr)
			return ring;
	}
	return NULL;
}

static int vgpu_ctx_init_entity(struct vgpu_ctx *ctx, struct vgpu_ring *ring, u32 hw_ip, u32 nr)
{
	struct drm_gpu_scheduler *sched = &ring->sched;
	struct vgpu_ctx_entity *entity;
	bool taken = false;
	int ret;

	entity = kzalloc(sizeof(*entity), GFP_KERNEL_ACCOUNT);
	if (!entity)
		return -ENOMEM;
	entity->ring = ring;
	entity->sched = sched;
	entity->sequence = 1;
	ret = drm_sched_entity_init(&entity->entity, vgpu_ctx_sched_priority(ctx),
				    &entity->sched, 1, &ctx->guilty);
	if (ret) {
		kfree(entity);
		return ret;
	}

	mutex_lock(&ctx->lock);
	if (ctx->closed)
		ret = -EINVAL;
	else if (!ctx->entities[hw_ip][nr])
		/* Readers take no lock: it is all there before they see it. */
		smp_store_release(&ctx->entities[hw_ip][nr], entity);
	else
		taken = true;
	mutex_unlock(&ctx->lock);

	if (ret || taken) {
		drm_sched_entity_fini(&entity->entity);
		kfree(entity);
	}
	return ret;
}

/**
 * vgpu_ctx_get_entity() - queue of @ctx for a ring; made when first used
 * @ctx: the context
 * @hw_ip: AMDGPU_HW_IP_*
 * @instance: 0: each kind of ring is one instance with several rings
 * @nr: number of the ring
 * @entity: the queue, valid as long as the caller's reference to @ctx
 *
 * Return: 0, -EINVAL for no such ring, -ENOMEM, or the error of the queue's last
 * job.
 */
int vgpu_ctx_get_entity(struct vgpu_ctx *ctx, u32 hw_ip, u32 instance, u32 nr,
			struct vgpu_ctx_entity **entity)
{
	struct vgpu_ring *ring;
	int ret;

	if (hw_ip >= AMDGPU_HW_IP_NUM || instance || nr >= VGPU_CTX_MAX_RINGS)
		return -EINVAL;
	hw_ip = array_index_nospec(hw_ip, AMDGPU_HW_IP_NUM);
	nr = array_index_nospec(nr, VGPU_CTX_MAX_RINGS);

	/* Pairs with the release in vgpu_ctx_init_entity(). */
	if (!smp_load_acquire(&ctx->entities[hw_ip][nr])) {
		ring = vgpu_ctx_find_ring(ctx->vdev, hw_ip, nr);
		if (!ring)
			return -EINVAL;
		ret = vgpu_ctx_init_entity(ctx, ring, hw_ip, nr);
		if (ret)
			return ret;
	}
	*entity = ctx->entities[hw_ip][nr];
	return drm_sched_entity_error(&(*entity)->entity);
}

/**
 * vgpu_ctx_add_fence() - remember a submission
 * @fpriv: whose the context is
 * @ctx: the context
 * @entity: its queue
 * @fence: the job's finished fence
 *
 * Under ctx->lock.
 * Return: its number.
 */
u64 vgpu_ctx_add_fence(struct vgpu_fpriv *fpriv, struct vgpu_ctx *ctx,
		       struct vgpu_ctx_entity *entity, struct dma_fence *fence)
{
	struct dma_fence *old;
	u64 seq;

	spin_lock(&ctx->fence_lock);
	seq = entity->sequence++;
	old = entity->fences[seq % VGPU_CTX_FENCES];
	entity->fences[seq % VGPU_CTX_FENCES] = dma_fence_get(fence);
	atomic64_add(vgpu_ctx_fence_ns(old), &fpriv->time_spent[entity->ring->funcs->hw_ip]);
	spin_unlock(&ctx->fence_lock);
	dma_fence_put(old);
	return seq;
}

/**
 * vgpu_ctx_get_fence() - fence of a submission
 * @ctx: the context
 * @entity: its queue
 * @seq: its number, all ones for the last one
 *
 * Return: a reference; NULL for one so long ago that it has signalled;
 * ERR_PTR(-EINVAL) for one that is yet to come.
 */
struct dma_fence *vgpu_ctx_get_fence(struct vgpu_ctx *ctx, struct vgpu_ctx_entity *entity,
				     u64 seq)
{
	struct dma_fence *fence = NULL;

	spin_lock(&ctx->fence_lock);
	if (seq == ~0ull)
		seq = entity->sequence - 1;
	if (seq >= entity->sequence)
		fence = ERR_PTR(-EINVAL);
	else if (entity->sequence - seq <= VGPU_CTX_FENCES)
		fence = dma_fence_get(entity->fences[seq % VGPU_CTX_FENCES]);
	spin_unlock(&ctx->fence_lock);
	return fence;
}

/**
 * vgpu_ctx_wait_prev_fence() - wait for a place to remember the next submission
 * @ctx: the context
 * @entity: its queue
 *
 * Return: 0, -ERESTARTSYS.
 */
int vgpu_ctx_wait_prev_fence(struct vgpu_ctx *ctx, struct vgpu_ctx_entity *entity)
{
	struct dma_fence *fence;
	long ret;

	spin_lock(&ctx->fence_lock);
	fence = dma_fence_get(entity->fences[entity->sequence % VGPU_CTX_FENCES]);
	spin_unlock(&ctx->fence_lock);
	if (!fence)
		return 0;

	ret = dma_fence_wait(fence, true);
	dma_fence_put(fence);
	return ret;
}

/**
 * vgpu_ctx_override_priority() - AMDGPU_SCHED: another priority for a context
 * @ctx: the context
 * @priority: AMDGPU_CTX_PRIORITY_*
 */
void vgpu_ctx_override_priority(struct vgpu_ctx *ctx, s32 priority)
{
	enum drm_sched_priority sched_priority;
	unsigned int ip, ring;

	mutex_lock(&ctx->lock);
	ctx->override = priority;
	sched_priority = vgpu_ctx_sched_priority(ctx);
	for (ip = 0; ip < AMDGPU_HW_IP_NUM && !ctx->closed; ip++) {
		for (ring = 0; ring < VGPU_CTX_MAX_RINGS; ring++) {
			struct vgpu_ctx_entity *entity = ctx->entities[ip][ring];

			if (!entity)
				continue;
			drm_sched_entity_set_priority(&entity->entity, sched_priority);
			/* Without a list the queue would keep its place. */
			drm_sched_entity_modify_sched(&entity->entity, &entity->sched, 1);
		}
	}
	mutex_unlock(&ctx->lock);
}

/* ----------------------------------------------------------------- ioctls */

static int vgpu_ctx_alloc(struct vgpu_fpriv *fpriv, struct drm_file *file, s32 priority, u32 *id)
{
	struct vgpu_device *vdev = fpriv->vdev;
	struct vgpu_ctx *ctx;
	int ret;

	ret = vgpu_ctx_priority_permit(file, priority);
	if (ret)
		return ret;

	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return -ENOMEM;
	kref_init(&ctx->ref);
	ctx->vdev = vdev;
	mutex_init(&ctx->lock);
	spin_lock_init(&ctx->fence_lock);
	ctx->priority = priority;
	ctx->override = AMDGPU_CTX_PRIORITY_UNSET;
	ctx->reset_count = atomic_read(&vdev->reset.count);
	ctx->reset_query = ctx->reset_count;
	ctx->vram_lost = atomic_read(&vdev->reset.vram_lost);
	ctx->ras_ue = atomic_read(&vdev->ras.total_ue);
	ctx->ras_ce = atomic_read(&vdev->ras.total_ce);
	ctx->stable_pstate = AMDGPU_CTX_STABLE_PSTATE_NONE;

	mutex_lock(&fpriv->ctx_lock);
	ret = idr_alloc(&fpriv->ctx, ctx, 1, VGPU_MAX_CTX, GFP_KERNEL);
	mutex_unlock(&fpriv->ctx_lock);
	if (ret < 0) {
		vgpu_ctx_put(ctx);
		return ret;
	}
	*id = ret;
	return 0;
}

static int vgpu_ctx_free(struct vgpu_fpriv *fpriv, u32 id)
{
	struct vgpu_ctx *ctx;

	mutex_lock(&fpriv->ctx_lock);
	ctx = idr_remove(&fpriv->ctx, id);
	mutex_unlock(&fpriv->ctx_lock);
	if (!ctx)
		return -EINVAL;
	vgpu_ctx_close(fpriv, ctx, VGPU_CTX_FLUSH_TIMEOUT);
	return 0;
}

/* Was there a recovery since the last call? */
static void vgpu_ctx_query(struct vgpu_ctx *ctx, union drm_amdgpu_ctx_out *out)
{
	int count = atomic_read(&ctx->vdev->reset.count);

	out->state.flags = 0;
	out->state.hangs = 0;
	if (ctx->reset_query == count)
		out->state.reset_status = AMDGPU_CTX_NO_RESET;
	else if (atomic_read(&ctx->guilty))
		out->state.reset_status = AMDGPU_CTX_GUILTY_RESET;
	else
		out->state.reset_status = AMDGPU_CTX_INNOCENT_RESET;
	ctx->reset_query = count;
}

/* Has it changed since it was last asked for? */
static bool vgpu_ctx_news(int *known, atomic_t *count)
{
	int before = *known;

	*known = atomic_read(count);
	return *known != before;
}

/*
 * Was there one since the context was made, and what is it to it? And did the hardware
 * count errors since the last call?
 */
static void vgpu_ctx_query2(struct vgpu_ctx *ctx, union drm_amdgpu_ctx_out *out)
{
	out->state.flags = 0;
	out->state.hangs = 0;
	if (ctx->reset_count != atomic_read(&ctx->vdev->reset.count))
		out->state.flags |= AMDGPU_CTX_QUERY2_FLAGS_RESET;
	if (ctx->vram_lost != atomic_read(&ctx->vdev->reset.vram_lost))
		out->state.flags |= AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST;
	if (atomic_read(&ctx->guilty))
		out->state.flags |= AMDGPU_CTX_QUERY2_FLAGS_GUILTY;
	if (vgpu_ctx_news(&ctx->ras_ue, &ctx->vdev->ras.total_ue))
		out->state.flags |= AMDGPU_CTX_QUERY2_FLAGS_RAS_UE;
	if (vgpu_ctx_news(&ctx->ras_ce, &ctx->vdev->ras.total_ce))
		out->state.flags |= AMDGPU_CTX_QUERY2_FLAGS_RAS_CE;
}

/**
 * vgpu_ctx_ioctl() - AMDGPU_CTX
 * @drm: the device
 * @data: union drm_amdgpu_ctx
 * @file: the file
 *
 * Return: 0; -EINVAL for a bad handle, operation or flag; -EACCES for a priority
 * that is not for the caller; -ENOMEM; -ENOSPC for too many contexts.
 */
int vgpu_ctx_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;
	union drm_amdgpu_ctx *args = data;
	s32 priority = args->in.priority;
	u32 flags = args->in.flags;
	u32 id = args->in.ctx_id;
	struct vgpu_ctx *ctx;
	int ret = 0;

	/* The field was once not looked at: garbage in it is no error. */
	if (!vgpu_ctx_priority_valid(priority))
		priority = AMDGPU_CTX_PRIORITY_NORMAL;

	if (args->in.op == AMDGPU_CTX_OP_SET_STABLE_PSTATE) {
		if (flags & ~AMDGPU_CTX_STABLE_PSTATE_FLAGS_MASK ||
		    flags > AMDGPU_CTX_STABLE_PSTATE_PEAK)
			return -EINVAL;
	} else if (flags) {
		return -EINVAL;
	}

	switch (args->in.op) {
	case AMDGPU_CTX_OP_ALLOC_CTX:
		ret = vgpu_ctx_alloc(fpriv, file, priority, &id);
		if (!ret)
			args->out.alloc.ctx_id = id;
		return ret;
	case AMDGPU_CTX_OP_FREE_CTX:
		return vgpu_ctx_free(fpriv, id);
	case AMDGPU_CTX_OP_QUERY_STATE:
	case AMDGPU_CTX_OP_QUERY_STATE2:
	case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
	case AMDGPU_CTX_OP_SET_STABLE_PSTATE:
		break;
	default:
		return -EINVAL;
	}

	mutex_lock(&fpriv->ctx_lock);
	ctx = idr_find(&fpriv->ctx, id);
	if (!ctx) {
		ret = -EINVAL;
	} else if (args->in.op == AMDGPU_CTX_OP_QUERY_STATE) {
		vgpu_ctx_query(ctx, &args->out);
	} else if (args->in.op == AMDGPU_CTX_OP_QUERY_STATE2) {
		vgpu_ctx_query2(ctx, &args->out);
	} else if (args->in.op == AMDGPU_CTX_OP_SET_STABLE_PSTATE) {
		/* There are no clocks to hold; it is remembered. */
		ctx->stable_pstate = flags;
	} else {
		args->out.pstate.flags = ctx->stable_pstate;
	}
	mutex_unlock(&fpriv->ctx_lock);
	return ret;
}

static int vgpu_sched_override_file(struct vgpu_fpriv *fpriv, s32 priority)
{
	struct vgpu_ctx *ctx;
	int id;

	mutex_lock(&fpriv->ctx_lock);
	idr_for_each_entry(&fpriv->ctx, ctx, id)
		vgpu_ctx_override_priority(ctx, priority);
	mutex_unlock(&fpriv->ctx_lock);
	return 0;
}

static int vgpu_sched_override_ctx(struct vgpu_fpriv *fpriv, u32 id, s32 priority)
{
	struct vgpu_ctx *ctx = vgpu_ctx_get(fpriv, id);

	if (!ctx)
		return -EINVAL;
	vgpu_ctx_override_priority(ctx, priority);
	vgpu_ctx_put(ctx);
	return 0;
}

/**
 * vgpu_sched_ioctl() - AMDGPU_SCHED: the DRM master sets priorities of others
 * @drm: the device
 * @data: union drm_amdgpu_sched
 * @file: the file
 *
 * Return: 0; -EINVAL for a bad operation, priority, file or context.
 */
int vgpu_sched_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	union drm_amdgpu_sched *args = data;
	struct vgpu_fpriv *fpriv;

	if (args->in.op != AMDGPU_SCHED_OP_PROCESS_PRIORITY_OVERRIDE &&
	    args->in.op != AMDGPU_SCHED_OP_CONTEXT_PRIORITY_OVERRIDE)
		return -EINVAL;
	if (!vgpu_ctx_priority_valid(args->in.priority))
		return -EINVAL;

	CLASS(fd, f)(args->in.fd);
	if (fd_empty(f))
		return -EINVAL;
	fpriv = vgpu_file_to_fpriv(fd_file(f));
	if (!fpriv)
		return -EINVAL;
	if (args->in.op == AMDGPU_SCHED_OP_PROCESS_PRIORITY_OVERRIDE)
		return vgpu_sched_override_file(fpriv, args->in.priority);
	return vgpu_sched_override_ctx(fpriv, args->in.ctx_id, args->in.priority);
}
