// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Command submission: user space names IBs, buffers and what to wait for in
 * chunks; out of them one job is made and given to the scheduler.
 * Documentation/submission.rst, "The CS ioctl".
 */
#include <linux/dma-fence-chain.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_exec.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_syncobj.h>

#include "vgpu.h"
#include "vgpu_bo_list.h"
#include "vgpu_ctx.h"
#include "vgpu_trace.h"
#include "vgpu_userptr.h"

/* More IBs than these do not fit a job; the rest are of kinds with many entries. */
#define VGPU_CS_MAX_CHUNKS	1024
/* Of all chunks together */
#define VGPU_CS_MAX_DW		(256 * 1024)
/* The size field of the packets that enter an IB has 20 bits. */
#define VGPU_CS_MAX_IB_DW	0xfffff
/* A buffer's slots: a move by TTM, the job, and one to spare for its class. */
#define VGPU_CS_NUM_FENCES	3

/**
 * struct vgpu_cs_chunk - a chunk, copied
 * @id: AMDGPU_CHUNK_ID_*
 * @bytes: size of @data
 * @data: contents
 */
struct vgpu_cs_chunk {
	u32 id;
	size_t bytes;
	void *data;
};

/**
 * struct vgpu_cs_post - a syncobj that gets the job's fence
 * @syncobj: referenced
 * @chain: node for a point of a timeline, or NULL
 * @point: the point
 */
struct vgpu_cs_post {
	struct drm_syncobj *syncobj;
	struct dma_fence_chain *chain;
	u64 point;
};

/**
 * struct vgpu_cs - a submission on its way
 * @file: whose it is
 * @fpriv: the same
 * @ctx: context, referenced
 * @entity: queue of @ctx that all IBs go through
 * @chunks: all of them; they are looked at, but not copied, several times
 * @num_chunks: of @chunks
 * @num_ibs: IB chunks among them
 * @num_filled: of these, how many are in @job
 * @job: until it is pushed
 * @list: named buffers, or NULL
 * @uf_bo: buffer of the user fence, or NULL
 * @uf_offset: bytes into it
 * @posts: syncobjs to signal
 * @num_posts: of @posts
 * @exec: reservations
 */
struct vgpu_cs {
	struct drm_file *file;
	struct vgpu_fpriv *fpriv;
	struct vgpu_ctx *ctx;
	struct vgpu_ctx_entity *entity;
	struct vgpu_cs_chunk *chunks;
	u32 num_chunks;
	u32 num_ibs;
	u32 num_filled;
	struct vgpu_job *job;
	struct vgpu_bo_list *list;
	struct vgpu_bo *uf_bo;
	u32 uf_offset;
	struct vgpu_cs_post *posts;
	u32 num_posts;
	struct drm_exec exec;
};

/* ------------------------------------------------------- what the chunks say */

static int vgpu_cs_copy_chunks(struct vgpu_cs *cs, const struct drm_amdgpu_cs_in *in)
{
	u32 count = in->num_chunks;
	u64 dwords = 0;
	u64 *addrs;
	int ret = 0;
	u32 i;

	if (!count || count > VGPU_CS_MAX_CHUNKS)
		return -EINVAL;
	addrs = vmemdup_array_user(u64_to_user_ptr(in->chunks), count, sizeof(*addrs));
	if (IS_ERR(addrs))
		return PTR_ERR(addrs);
	cs->chunks = kvcalloc(count, sizeof(*cs->chunks), GFP_KERNEL_ACCOUNT);
	if (!cs->chunks) {
		ret = -ENOMEM;
		goto out;
	}

	for (i = 0; i < count; i++) {
		struct vgpu_cs_chunk *chunk = &cs->chunks[i];
		struct drm_amdgpu_cs_chunk user;

		if (copy_from_user(&user, u64_to_user_ptr(addrs[i]), sizeof(user))) {
			ret = -EFAULT;
			goto out;
		}
		dwords += user.length_dw;
		if (dwords > VGPU_CS_MAX_DW) {
			ret = -EINVAL;
			goto out;
		}
		chunk->id = user.chunk_id;
		chunk->bytes = user.length_dw * sizeof(u32);
		chunk->data = vmemdup_user(u64_to_user_ptr(user.chunk_data), chunk->bytes);
		if (IS_ERR(chunk->data)) {
			ret = PTR_ERR(chunk->data);
			chunk->data = NULL;
			goto out;
		}
		cs->num_chunks = i + 1;
	}
out:
	kvfree(addrs);
	return ret;
}

/* All IBs of a submission go to one ring: gangs are not for these. */
static int vgpu_cs_first_ib(struct vgpu_cs *cs, const struct drm_amdgpu_cs_chunk_ib *ib)
{
	struct vgpu_ctx_entity *entity;
	int ret;

	ret = vgpu_ctx_get_entity(cs->ctx, ib->ip_type, ib->ip_instance, ib->ring, &entity);
	if (ret)
		return ret;
	if (!READ_ONCE(entity->ring->ready))
		return -EINVAL;
	if (cs->entity && cs->entity != entity)
		return -EINVAL;
	if (cs->num_ibs >= entity->ring->funcs->max_ibs)
		return -EINVAL;

	cs->entity = entity;
	cs->num_ibs++;
	return 0;
}

static int vgpu_cs_user_fence(struct vgpu_cs *cs, const struct drm_amdgpu_cs_chunk_fence *fence)
{
	struct drm_gem_object *obj;

	obj = drm_gem_object_lookup(cs->file, fence->handle);
	if (!obj)
		return -EINVAL;
	cs->uf_bo = to_vgpu_bo(obj);

	/* 64 bits that the ring writes with the kernel's rights */
	if (obj->size != PAGE_SIZE || fence->offset > PAGE_SIZE - sizeof(u64) ||
	    fence->offset % sizeof(u64) || obj->import_attach || cs->uf_bo->userptr)
		return -EINVAL;
	cs->uf_offset = fence->offset;
	return 0;
}

/* First look: sizes, which ring, how many IBs. */
static int vgpu_cs_look(struct vgpu_cs *cs)
{
	int ret;
	u32 i;

	for (i = 0; i < cs->num_chunks; i++) {
		const struct vgpu_cs_chunk *chunk = &cs->chunks[i];

		switch (chunk->id) {
		case AMDGPU_CHUNK_ID_IB:
			if (chunk->bytes < sizeof(struct drm_amdgpu_cs_chunk_ib))
				return -EINVAL;
			ret = vgpu_cs_first_ib(cs, chunk->data);
			if (ret)
				return ret;
			break;
		case AMDGPU_CHUNK_ID_FENCE:
			if (chunk->bytes < sizeof(struct drm_amdgpu_cs_chunk_fence) || cs->uf_bo)
				return -EINVAL;
			ret = vgpu_cs_user_fence(cs, chunk->data);
			if (ret)
				return ret;
			break;
		case AMDGPU_CHUNK_ID_BO_HANDLES:
			if (chunk->bytes < sizeof(struct drm_amdgpu_bo_list_in) || cs->list)
				return -EINVAL;
			cs->list = vgpu_bo_list_create(cs->file, chunk->data);
			if (IS_ERR(cs->list)) {
				ret = PTR_ERR(cs->list);
				cs->list = NULL;
				return ret;
			}
			break;
		case AMDGPU_CHUNK_ID_DEPENDENCIES:
		case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES:
		case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
		case AMDGPU_CHUNK_ID_SYNCOBJ_OUT:
		case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
		case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL:
			break;
		default:
			return -EINVAL;
		}
	}
	return cs->entity ? 0 : -EINVAL;
}

static int vgpu_cs_ib(struct vgpu_cs *cs, const struct drm_amdgpu_cs_chunk_ib *user)
{
	/* Where INDIRECT_BUFFER and INDIRECT can begin: dwords and 32 bytes */
	u32 align = user->ip_type == AMDGPU_HW_IP_DMA ? 32 : 4;
	struct vgpu_ib *ib;

	if (user->ib_bytes % sizeof(u32) || user->ib_bytes / sizeof(u32) > VGPU_CS_MAX_IB_DW)
		return -EINVAL;
	if (user->va_start % align || user->flags & AMDGPU_IB_FLAGS_SECURE)
		return -EINVAL;

	ib = &cs->job->ibs[cs->num_filled++];
	ib->gpu_addr = user->va_start;
	ib->length_dw = user->ib_bytes / sizeof(u32);
	ib->flags = user->flags;
	return 0;
}

static int vgpu_cs_dependencies(struct vgpu_cs *cs, const struct vgpu_cs_chunk *chunk)
{
	const struct drm_amdgpu_cs_chunk_dep *dep = chunk->data;
	size_t count = chunk->bytes / sizeof(*dep);

	for (; count; count--, dep++) {
		struct vgpu_ctx_entity *entity;
		struct dma_fence *fence;
		struct vgpu_ctx *ctx;
		int ret;

		ctx = vgpu_ctx_get(cs->fpriv, dep->ctx_id);
		if (!ctx)
			return -EINVAL;
		ret = vgpu_ctx_get_entity(ctx, dep->ip_type, dep->ip_instance, dep->ring, &entity);
		fence = ret ? ERR_PTR(ret) : vgpu_ctx_get_fence(ctx, entity, dep->handle);
		vgpu_ctx_put(ctx);
		if (IS_ERR(fence))
			return PTR_ERR(fence);
		if (!fence)
			continue;

		if (chunk->id == AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES) {
			struct drm_sched_fence *s_fence = to_drm_sched_fence(fence);
			struct dma_fence *finished = fence;

			fence = dma_fence_get(&s_fence->scheduled);
			dma_fence_put(finished);
		}
		/* Consumes the fence. */
		ret = drm_sched_job_add_dependency(&cs->job->base, fence);
		if (ret)
			return ret;
	}
	return 0;
}

static int vgpu_cs_wait_syncobj(struct vgpu_cs *cs, u32 handle, u64 point, u64 flags)
{
	struct dma_fence *fence;
	int ret;

	ret = drm_syncobj_find_fence(cs->file, handle, point, flags, &fence);
	if (ret)
		return ret;
	return drm_sched_job_add_dependency(&cs->job->base, fence);
}

static int vgpu_cs_syncobj_in(struct vgpu_cs *cs, const struct vgpu_cs_chunk *chunk)
{
	const struct drm_amdgpu_cs_chunk_sem *sem = chunk->data;
	size_t count = chunk->bytes / sizeof(*sem);
	int ret;

	for (; count; count--, sem++) {
		ret = vgpu_cs_wait_syncobj(cs, sem->handle, 0, 0);
		if (ret)
			return ret;
	}
	return 0;
}

static int vgpu_cs_timeline_wait(struct vgpu_cs *cs, const struct vgpu_cs_chunk *chunk)
{
	const struct drm_amdgpu_cs_chunk_syncobj *sync = chunk->data;
	size_t count = chunk->bytes / sizeof(*sync);
	int ret;

	for (; count; count--, sync++) {
		ret = vgpu_cs_wait_syncobj(cs, sync->handle, sync->point, sync->flags);
		if (ret)
			return ret;
	}
	return 0;
}

static int vgpu_cs_add_post(struct vgpu_cs *cs, u32 handle, u64 point)
{
	struct vgpu_cs_post *post = &cs->posts[cs->num_posts];

	/* No memory is to be had once the job is armed. */
	if (point) {
		post->chain = dma_fence_chain_alloc();
		if (!post->chain)
			return -ENOMEM;
	}
	post->syncobj = drm_syncobj_find(cs->file, handle);
	if (!post->syncobj) {
		dma_fence_chain_free(post->chain);
		return -EINVAL;
	}
	post->point = point;
	cs->num_posts++;
	return 0;
}

/* Both ways to name what is signalled; only one of them in a submission. */
static int vgpu_cs_signal(struct vgpu_cs *cs, const struct vgpu_cs_chunk *chunk)
{
	bool timeline = chunk->id == AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL;
	const struct drm_amdgpu_cs_chunk_syncobj *sync = chunk->data;
	const struct drm_amdgpu_cs_chunk_sem *sem = chunk->data;
	size_t count = chunk->bytes / (timeline ? sizeof(*sync) : sizeof(*sem));
	size_t i;
	int ret;

	if (cs->posts)
		return -EINVAL;
	cs->posts = kvcalloc(count, sizeof(*cs->posts), GFP_KERNEL_ACCOUNT);
	if (!cs->posts)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		if (timeline)
			ret = vgpu_cs_add_post(cs, sync[i].handle, sync[i].point);
		else
			ret = vgpu_cs_add_post(cs, sem[i].handle, 0);
		if (ret)
			return ret;
	}
	return 0;
}

/* Second look: what goes into the job. */
static int vgpu_cs_fill(struct vgpu_cs *cs)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < cs->num_chunks && !ret; i++) {
		const struct vgpu_cs_chunk *chunk = &cs->chunks[i];

		switch (chunk->id) {
		case AMDGPU_CHUNK_ID_IB:
			ret = vgpu_cs_ib(cs, chunk->data);
			break;
		case AMDGPU_CHUNK_ID_DEPENDENCIES:
		case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES:
			ret = vgpu_cs_dependencies(cs, chunk);
			break;
		case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
			ret = vgpu_cs_syncobj_in(cs, chunk);
			break;
		case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
			ret = vgpu_cs_timeline_wait(cs, chunk);
			break;
		case AMDGPU_CHUNK_ID_SYNCOBJ_OUT:
		case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL:
			ret = vgpu_cs_signal(cs, chunk);
			break;
		}
	}
	return ret;
}

/* ------------------------------------------------------------------ buffers */

static int vgpu_cs_lock(struct vgpu_cs *cs)
{
	int ret = 0;
	u32 i;

	drm_exec_until_all_locked(&cs->exec) {
		ret = vgpu_vm_lock(cs->fpriv->vm, &cs->exec, VGPU_CS_NUM_FENCES);
		drm_exec_retry_on_contention(&cs->exec);
		if (ret)
			return ret;
		for (i = 0; cs->list && i < cs->list->count; i++) {
			ret = drm_exec_prepare_obj(&cs->exec, &cs->list->bos[i]->tbo.base,
						   VGPU_CS_NUM_FENCES);
			drm_exec_retry_on_contention(&cs->exec);
			if (ret)
				return ret;
		}
		if (cs->uf_bo) {
			ret = drm_exec_prepare_obj(&cs->exec, &cs->uf_bo->tbo.base,
						   VGPU_CS_NUM_FENCES);
			drm_exec_retry_on_contention(&cs->exec);
			if (ret)
				return ret;
		}
	}
	return ret;
}

static int vgpu_cs_validate_named(struct vgpu_cs *cs)
{
	struct ttm_operation_ctx ctx = { .interruptible = true };
	int ret;
	u32 i;

	for (i = 0; cs->list && i < cs->list->count; i++) {
		/* A list may have gone to a child with the file. */
		if (vgpu_userptr_foreign(cs->list->bos[i]))
			return -EPERM;
		ret = vgpu_bo_validate(cs->list->bos[i], &ctx);
		if (ret)
			return ret;
	}
	return cs->uf_bo ? vgpu_bo_validate(cs->uf_bo, &ctx) : 0;
}

/* Every buffer where the GPU reaches it, every page table up to date. */
static int vgpu_cs_validate(struct vgpu_cs *cs)
{
	struct vgpu_vm *vm = cs->fpriv->vm;
	struct dma_fence *update = NULL;
	int ret;

	ret = vgpu_userptr_adopt_all(vm, &cs->exec);
	if (ret)
		return ret;
	ret = vgpu_cs_validate_named(cs);
	if (ret == -ENOMEM) {
		/* Other buffers of the process may be in the way. */
		ret = vgpu_vm_make_room(vm);
		if (!ret)
			ret = vgpu_cs_validate_named(cs);
	}
	if (ret)
		return ret;

	ret = vgpu_vm_update(vm, &cs->exec, &update);
	if (ret)
		return ret;
	if (cs->uf_bo) {
		/* Only now: validating what is mapped may have moved it once more. */
		struct ttm_resource *res = cs->uf_bo->tbo.resource;

		/* The ring writes it with the kernel's rights, so it must be there. */
		if (!res || (res->mem_type != TTM_PL_VRAM && res->mem_type != TTM_PL_TT)) {
			dma_fence_put(update);
			return -EINVAL;
		}
		cs->job->uf_addr = vgpu_bo_mc_addr(cs->uf_bo) + cs->uf_offset;
	}
	/* Consumes the fence. */
	ret = drm_sched_job_add_dependency(&cs->job->base, update);
	if (ret)
		return ret;
	return vgpu_vm_job_bind(vm, cs->job);
}

/* The IBs lie in what the address space maps, from the first dword to the last. */
static int vgpu_cs_check_ibs(struct vgpu_cs *cs)
{
	struct vgpu_vm *vm = cs->fpriv->vm;
	u64 offset;
	u32 i;

	for (i = 0; i < cs->job->num_ibs; i++) {
		const struct vgpu_ib *ib = &cs->job->ibs[i];
		u64 last = ib->gpu_addr + (u64)ib->length_dw * sizeof(u32) - 1;

		if (!ib->length_dw)
			continue;
		if (!vgpu_vm_lookup(vm, ib->gpu_addr, &offset) ||
		    !vgpu_vm_lookup(vm, last, &offset))
			return -EINVAL;
	}
	return 0;
}

/* What others do with the named buffers; the process orders its own jobs. */
static int vgpu_cs_implicit_sync(struct vgpu_cs *cs, struct vgpu_bo *bo)
{
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	int ret;

	if (bo->flags & AMDGPU_GEM_CREATE_EXPLICIT_SYNC)
		return 0;

	dma_resv_for_each_fence(&cursor, bo->tbo.base.resv, DMA_RESV_USAGE_READ, fence) {
		struct drm_sched_fence *s_fence = to_drm_sched_fence(fence);

		if (s_fence && s_fence->owner == cs->fpriv->vm)
			continue;
		ret = drm_sched_job_add_dependency(&cs->job->base, dma_fence_get(fence));
		if (ret)
			return ret;
	}
	return 0;
}

static int vgpu_cs_sync(struct vgpu_cs *cs)
{
	struct drm_gem_object *obj;
	int ret;
	u32 i;

	/* Moves and clears by the kernel */
	drm_exec_for_each_locked_object(&cs->exec, obj) {
		ret = drm_sched_job_add_resv_dependencies(&cs->job->base, obj->resv,
							  DMA_RESV_USAGE_KERNEL);
		if (ret)
			return ret;
	}
	for (i = 0; cs->list && i < cs->list->count; i++) {
		ret = vgpu_cs_implicit_sync(cs, cs->list->bos[i]);
		if (ret)
			return ret;
	}
	return 0;
}

/* ------------------------------------------------------------------- submit */

/* Once the job is armed nothing fails, and nothing allocates. */
static int vgpu_cs_push(struct vgpu_cs *cs, u64 *seq)
{
	struct vgpu_job *job = cs->job;
	struct dma_fence *fence;
	bool held;
	int ret;
	u32 i;

	mutex_lock(&cs->ctx->lock);
	ret = cs->ctx->closed ? -EINVAL :
	      vgpu_userptr_hold(cs->fpriv->vm, &cs->exec, &held);
	if (ret) {
		mutex_unlock(&cs->ctx->lock);
		return ret;
	}

	drm_sched_job_arm(&job->base);
	fence = dma_fence_get(&job->base.s_fence->finished);

	vgpu_vm_resv_add_fence(cs->fpriv->vm, &cs->exec, fence);
	for (i = 0; cs->list && i < cs->list->count; i++)
		dma_resv_add_fence(cs->list->bos[i]->tbo.base.resv, fence, DMA_RESV_USAGE_WRITE);
	if (cs->uf_bo)
		dma_resv_add_fence(cs->uf_bo->tbo.base.resv, fence, DMA_RESV_USAGE_WRITE);
	vgpu_userptr_release(cs->fpriv->vm, held);

	*seq = vgpu_ctx_add_fence(cs->fpriv, cs->ctx, cs->entity, fence);
	job->uf_seq = *seq;

	for (i = 0; i < cs->num_posts; i++) {
		struct vgpu_cs_post *post = &cs->posts[i];

		if (post->chain) {
			drm_syncobj_add_point(post->syncobj, post->chain, fence, post->point);
			post->chain = NULL;
		} else {
			drm_syncobj_replace_fence(post->syncobj, fence);
		}
	}

	trace_vgpu_cs_ioctl(job);
	cs->job = NULL;
	drm_sched_entity_push_job(&job->base);
	mutex_unlock(&cs->ctx->lock);
	dma_fence_put(fence);
	return 0;
}

static int vgpu_cs_submit(struct vgpu_cs *cs, u64 *seq)
{
	int ret;

	/* Where the fence will be remembered may be taken; not under locks. */
	ret = vgpu_ctx_wait_prev_fence(cs->ctx, cs->entity);
	if (ret)
		return ret;
	ret = vgpu_userptr_find_all(cs->fpriv->vm);
	if (ret)
		return ret;

	drm_exec_init(&cs->exec, DRM_EXEC_INTERRUPTIBLE_WAIT | DRM_EXEC_IGNORE_DUPLICATES, 0);
	ret = vgpu_cs_lock(cs);
	if (ret)
		goto out;
	ret = vgpu_cs_validate(cs);
	if (ret)
		goto out;
	ret = vgpu_cs_check_ibs(cs);
	if (ret)
		goto out;
	ret = vgpu_cs_sync(cs);
	if (ret)
		goto out;
	/* Others of the context may have come first. */
	ret = vgpu_ctx_wait_prev_fence(cs->ctx, cs->entity);
	if (ret)
		goto out;
	ret = vgpu_cs_push(cs, seq);
out:
	drm_exec_fini(&cs->exec);
	return ret;
}

static int vgpu_cs_make_job(struct vgpu_cs *cs, ktime_t entered)
{
	struct vgpu_job *job;

	job = vgpu_job_alloc(cs->entity->ring, &cs->entity->entity, cs->fpriv->vm, cs->num_ibs,
			     cs->fpriv->vm);
	if (IS_ERR(job))
		return PTR_ERR(job);
	job->base.s_fence->drm_client_id = cs->file->client_id;
	kref_get(&cs->ctx->ref);
	job->ctx = cs->ctx;
	job->t_ioctl = entered;
	cs->job = job;
	return 0;
}

static void vgpu_cs_fini(struct vgpu_cs *cs)
{
	u32 i;

	for (i = 0; i < cs->num_posts; i++) {
		dma_fence_chain_free(cs->posts[i].chain);
		drm_syncobj_put(cs->posts[i].syncobj);
	}
	kvfree(cs->posts);
	if (cs->job)
		vgpu_job_free(cs->job);
	vgpu_bo_list_put(cs->list);
	vgpu_bo_put(cs->uf_bo);
	for (i = 0; i < cs->num_chunks; i++)
		kvfree(cs->chunks[i].data);
	kvfree(cs->chunks);
	if (cs->ctx)
		vgpu_ctx_put(cs->ctx);
}

/**
 * vgpu_cs_ioctl() - AMDGPU_CS: submit IBs to a ring
 * @drm: the device
 * @data: union drm_amdgpu_cs
 * @file: the file
 *
 * Return: 0 with the number to wait for; -EINVAL for a bad context, chunk, ring,
 * IB, fence buffer or dependency; -ENOENT for a bad buffer or syncobj;
 * -ECANCELED for a context that hung a ring; -EAGAIN when memory of the process has
 * changed meanwhile; -EPERM when it is another's; -EFAULT; -ENOMEM; -ERESTARTSYS; or
 * the error of the queue's last job.
 */
int vgpu_cs_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	ktime_t entered = ktime_get();
	union drm_amdgpu_cs *args = data;
	struct vgpu_cs cs = {
		.file = file,
		.fpriv = file->driver_priv,
	};
	u64 seq;
	int ret;

	if (!args->in.num_chunks)
		return -EINVAL;
	cs.ctx = vgpu_ctx_get(cs.fpriv, args->in.ctx_id);
	if (!cs.ctx)
		return -EINVAL;
	if (atomic_read(&cs.ctx->guilty)) {
		ret = -ECANCELED;
		goto out;
	}

	ret = vgpu_cs_copy_chunks(&cs, &args->in);
	if (ret)
		goto out;
	ret = vgpu_cs_look(&cs);
	if (ret)
		goto out;
	if (args->in.bo_list_handle) {
		if (cs.list) {
			ret = -EINVAL;
			goto out;
		}
		cs.list = vgpu_bo_list_get(cs.fpriv, args->in.bo_list_handle);
		if (IS_ERR(cs.list)) {
			ret = PTR_ERR(cs.list);
			cs.list = NULL;
			goto out;
		}
	}
	ret = vgpu_cs_make_job(&cs, entered);
	if (ret)
		goto out;
	ret = vgpu_cs_fill(&cs);
	if (ret)
		goto out;
	ret = vgpu_cs_submit(&cs, &seq);
	if (ret)
		goto out;
	args->out.handle = seq;
out:
	vgpu_cs_fini(&cs);
	return ret;
}
