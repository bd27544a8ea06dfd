// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * TTM's view of a die: VRAM, the GART aperture (GTT) and system memory, and
 * how buffers move between them, by an SDMA engine when there is one.
 * Documentation/memory.rst, "Buffers".
 */
#include <linux/dma-mapping.h>
#include <linux/highmem.h>
#include <linux/io.h>
#include <linux/slab.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_prime.h>
#include <drm/ttm/ttm_range_manager.h>

#include "vgpu.h"
#include "vgpu_trace.h"
#include "vgpu_userptr.h"

/*
 * What one job copies or fills at most, as much as a packet can. Jobs time out one
 * by one: a large buffer on a slow machine must not look like a hang.
 */
#define VGPU_MOVE_JOB_BYTES	VGPU_SDMA_MAX_COPY
#define VGPU_MOVE_JOB_PACKETS	128u

static struct vgpu_device *bdev_to_vdev(struct ttm_device *bdev)
{
	return container_of(bdev, struct vgpu_device, mman.bdev);
}

/*
 * Resources
 */

/**
 * vgpu_res_first() - start a walk over a resource
 * @vdev: the die
 * @res: VRAM, GTT or system resource
 * @offset: where to start, bytes
 * @size: bytes to walk
 * @cur: the walk
 *
 * GTT and system memory are one piece: the first is contiguous in the GART, the
 * second in the buffer's array of pages.
 */
void vgpu_res_first(struct vgpu_device *vdev, struct ttm_resource *res, u64 offset, u64 size,
		    struct vgpu_res_cursor *cur)
{
	struct gpu_buddy_block *block;
	struct vgpu_vram_res *vres;

	cur->res = res;
	cur->block = NULL;
	cur->remaining = size;

	if (res->mem_type != TTM_PL_VRAM) {
		cur->start = offset;
		if (res->mem_type == TTM_PL_TT)
			cur->start += (u64)res->start << PAGE_SHIFT;
		cur->size = size;
		return;
	}

	vres = container_of(res, struct vgpu_vram_res, base);
	block = list_first_entry(&vres->blocks, struct gpu_buddy_block, link);
	while (offset >= gpu_buddy_block_size(&vdev->mman.vram.mm, block)) {
		offset -= gpu_buddy_block_size(&vdev->mman.vram.mm, block);
		block = list_next_entry(block, link);
	}
	cur->block = block;
	cur->start = gpu_buddy_block_offset(block) + offset;
	cur->size = min(gpu_buddy_block_size(&vdev->mman.vram.mm, block) - offset, size);
}

/**
 * vgpu_res_next() - go on
 * @vdev: the die
 * @cur: the walk
 * @size: bytes of the current piece that are dealt with
 */
void vgpu_res_next(struct vgpu_device *vdev, struct vgpu_res_cursor *cur, u64 size)
{
	cur->remaining -= size;
	if (!cur->remaining)
		return;

	if (size < cur->size) {
		cur->start += size;
		cur->size -= size;
		return;
	}
	cur->block = list_next_entry(cur->block, link);
	cur->start = gpu_buddy_block_offset(cur->block);
	cur->size = min(gpu_buddy_block_size(&vdev->mman.vram.mm, cur->block), cur->remaining);
}

/**
 * vgpu_res_mc_addr() - where VMID 0 finds a piece of a resource
 * @vdev: the die
 * @res: a VRAM or GTT resource
 * @offset: vgpu_res_cursor.start
 *
 * Return: an address in the FB aperture or in the GART aperture.
 */
u64 vgpu_res_mc_addr(struct vgpu_device *vdev, const struct ttm_resource *res, u64 offset)
{
	if (res->mem_type == TTM_PL_VRAM)
		return vdev->gmc.vram_start + offset;
	return vdev->gmc.gart_start + offset;
}

bool vgpu_res_cpu_visible(struct vgpu_device *vdev, struct ttm_resource *res)
{
	struct vgpu_res_cursor cur;

	if (!res)
		return false;
	if (res->mem_type != TTM_PL_VRAM)
		return true;

	vgpu_res_first(vdev, res, 0, res->size, &cur);
	while (cur.remaining) {
		if (cur.start + cur.size > vdev->mman.vram.visible_size)
			return false;
		vgpu_res_next(vdev, &cur, cur.size);
	}
	return true;
}

/**
 * vgpu_gtt_usage() - system memory that the GART maps
 * @vdev: the die
 *
 * Return: bytes.
 */
u64 vgpu_gtt_usage(struct vgpu_device *vdev)
{
	return ttm_resource_manager_usage(ttm_manager_type(&vdev->mman.bdev, TTM_PL_TT));
}

/*
 * System pages. The pool gives them, here they are mapped for DMA, so that at
 * unplug the mapping can be taken from pages that files and the driver still
 * have in use.
 */

void vgpu_tt_set_user(struct ttm_tt *ttm, bool readonly)
{
	struct vgpu_tt *tt = to_vgpu_tt(ttm);

	/* So that TTM does not swap them. */
	ttm->page_flags |= TTM_TT_FLAG_EXTERNAL;
	tt->user = true;
	tt->readonly = readonly;
}

static struct ttm_tt *vgpu_tt_create(struct ttm_buffer_object *tbo, u32 page_flags)
{
	struct vgpu_userptr *up = vgpu_bo_is_vgpu(tbo) ? ttm_to_vgpu_bo(tbo)->userptr : NULL;
	struct vgpu_tt *tt;
	int ret;

	tt = kzalloc(sizeof(*tt), GFP_KERNEL_ACCOUNT);
	if (!tt)
		return NULL;

	tt->vdev = bdev_to_vdev(tbo->bdev);
	tt->obj = &tbo->base;
	INIT_LIST_HEAD(&tt->node);

	/* The device is coherent: whatever it writes, the CPU's caches see. */
	if (page_flags & TTM_TT_FLAG_EXTERNAL)
		ret = ttm_sg_tt_init(&tt->ttm, tbo, page_flags, ttm_cached);
	else
		ret = ttm_tt_init(&tt->ttm, tbo, page_flags, ttm_cached, 0);
	if (ret) {
		kfree(tt);
		return NULL;
	}
	if (up)
		vgpu_tt_set_user(&tt->ttm, up->readonly);
	return &tt->ttm;
}

static void vgpu_tt_destroy(struct ttm_device *bdev, struct ttm_tt *ttm)
{
	ttm_tt_fini(ttm);
	kfree(to_vgpu_tt(ttm));
}

static enum dma_data_direction vgpu_tt_dma_dir(const struct vgpu_tt *tt)
{
	return tt->readonly ? DMA_TO_DEVICE : DMA_BIDIRECTIONAL;
}

/*
 * A process may give the same pages to several buffers, and they may be no longer its
 * own when they are unmapped: nothing may assume that who maps has them alone.
 */
static unsigned long vgpu_tt_dma_attrs(const struct vgpu_tt *tt)
{
	return tt->user ? DMA_ATTR_SKIP_CPU_SYNC : 0;
}

/* Under tt_lock. */
static void vgpu_tt_dma_unmap(struct vgpu_tt *tt)
{
	list_del_init(&tt->node);
	dma_unmap_sgtable(tt->vdev->drm.dev, tt->sgt, vgpu_tt_dma_dir(tt), vgpu_tt_dma_attrs(tt));
	sg_free_table(tt->sgt);
	kfree(tt->sgt);
	tt->sgt = NULL;
}

static int vgpu_tt_dma_map(struct vgpu_tt *tt)
{
	struct vgpu_device *vdev = tt->vdev;
	struct sg_table *sgt;
	int ret;

	tt->dma = kvmalloc_array(tt->ttm.num_pages, sizeof(*tt->dma), GFP_KERNEL_ACCOUNT);
	if (!tt->dma)
		return -ENOMEM;

	sgt = drm_prime_pages_to_sg(&vdev->drm, tt->ttm.pages, tt->ttm.num_pages);
	if (IS_ERR(sgt)) {
		ret = PTR_ERR(sgt);
		goto err_dma;
	}

	mutex_lock(&vdev->mman.tt_lock);
	ret = vdev->mman.dma_down ? -ENODEV :
	      dma_map_sgtable(vdev->drm.dev, sgt, vgpu_tt_dma_dir(tt), vgpu_tt_dma_attrs(tt));
	if (!ret) {
		tt->sgt = sgt;
		list_add_tail(&tt->node, &vdev->mman.tts);
	}
	mutex_unlock(&vdev->mman.tt_lock);
	if (ret)
		goto err_sgt;

	drm_prime_sg_to_dma_addr_array(sgt, tt->dma, tt->ttm.num_pages);
	return 0;

err_sgt:
	sg_free_table(sgt);
	kfree(sgt);
err_dma:
	kvfree(tt->dma);
	tt->dma = NULL;
	return ret;
}

/* Memory of another driver, or of a peer's buffer that is not in VRAM. */
static int vgpu_tt_populate_external(struct vgpu_tt *tt)
{
	struct ttm_tt *ttm = &tt->ttm;
	bool peer = to_vgpu_bo(tt->obj)->peer;
	struct sg_table *sgt;
	int ret;

	if (peer) {
		sgt = vgpu_peer_map(tt->obj);
		if (IS_ERR(sgt))
			return PTR_ERR(sgt);
		ttm->sg = sgt;
	}
	if (!ttm->sg)
		return -EINVAL;
	ret = drm_prime_sg_to_dma_addr_array(ttm->sg, ttm->dma_address, ttm->num_pages);
	if (!ret) {
		tt->dma = ttm->dma_address;
	} else if (peer) {
		vgpu_peer_unmap(tt->obj, ttm->sg);
		ttm->sg = NULL;
	}
	return ret;
}

static int vgpu_tt_populate(struct ttm_device *bdev, struct ttm_tt *ttm,
			    struct ttm_operation_ctx *ctx)
{
	struct vgpu_tt *tt = to_vgpu_tt(ttm);
	int ret;

	if (tt->user)
		return vgpu_tt_dma_map(tt);
	if (ttm->page_flags & TTM_TT_FLAG_EXTERNAL)
		return vgpu_tt_populate_external(tt);

	ret = ttm_pool_alloc(&bdev->pool, ttm, ctx);
	if (ret)
		return ret;

	ret = vgpu_tt_dma_map(tt);
	if (ret)
		ttm_pool_free(&bdev->pool, ttm);
	return ret;
}

static void vgpu_tt_unbind(struct vgpu_tt *tt)
{
	if (!tt->bound)
		return;
	tt->bound = false;
	vgpu_gart_unbind(tt->vdev, tt->gart_offset, tt->ttm.num_pages);
}

static void vgpu_tt_bind(struct vgpu_tt *tt, struct ttm_resource *res)
{
	vgpu_tt_unbind(tt);
	tt->gart_offset = (u64)res->start << PAGE_SHIFT;
	vgpu_gart_bind(tt->vdev, tt->gart_offset, tt->ttm.num_pages, tt->dma, !tt->readonly);
	tt->bound = true;
}

/* Nothing on the GPU uses the pages any more: TTM has waited for that. */
static void vgpu_tt_unpopulate(struct ttm_device *bdev, struct ttm_tt *ttm)
{
	struct vgpu_tt *tt = to_vgpu_tt(ttm);
	struct vgpu_mman *mman = &tt->vdev->mman;

	vgpu_tt_unbind(tt);

	if (ttm->page_flags & TTM_TT_FLAG_EXTERNAL && !tt->user) {
		tt->dma = NULL;
		if (to_vgpu_bo(tt->obj)->peer) {
			vgpu_peer_unmap(tt->obj, ttm->sg);
			ttm->sg = NULL;
		}
		return;
	}

	mutex_lock(&mman->tt_lock);
	if (tt->sgt)
		vgpu_tt_dma_unmap(tt);
	mutex_unlock(&mman->tt_lock);
	kvfree(tt->dma);
	tt->dma = NULL;

	if (!tt->user)
		ttm_pool_free(&bdev->pool, ttm);
}

/*
 * Copies and fills by an SDMA engine
 */

static struct vgpu_job *vgpu_move_job(struct vgpu_device *vdev, u32 dwords,
				      struct dma_resv *resv, enum dma_resv_usage usage)
{
	struct vgpu_mman *mman = &vdev->mman;
	struct vgpu_job *job;
	int ret;

	job = vgpu_job_alloc(mman->move_ring, &mman->move_entity, NULL, 1, mman);
	if (IS_ERR(job))
		return job;

	ret = vgpu_ib_get(vdev, dwords * 4, &job->ibs[0]);
	if (!ret && resv)
		ret = drm_sched_job_add_resv_dependencies(&job->base, resv, usage);
	if (ret) {
		vgpu_job_free(job);
		return ERR_PTR(ret);
	}
	return job;
}

/*
 * Copy @src to @dst, or fill @dst with zeroes when there is no @src, in as many
 * jobs as it takes. They run in order: the fence of the last stands for all.
 * move_lock held.
 */
static int vgpu_move_engine(struct vgpu_device *vdev, struct ttm_resource *src,
			    struct ttm_resource *dst, u64 size, struct dma_resv *resv,
			    struct dma_fence **fence)
{
	/*
	 * A copy waits until nobody uses the old place; both wait until whoever was
	 * evicted from the new one has left it.
	 */
	enum dma_resv_usage usage = src ? DMA_RESV_USAGE_BOOKKEEP : DMA_RESV_USAGE_KERNEL;
	const u32 packet_dw = src ? VGPU_SDMA_COPY_DW : VGPU_SDMA_FILL_DW;
	struct vgpu_res_cursor from = {}, to;
	struct dma_fence *last = NULL;
	int ret;

	if (src)
		vgpu_res_first(vdev, src, 0, size, &from);
	vgpu_res_first(vdev, dst, 0, size, &to);

	while (to.remaining) {
		u32 bytes = 0, packets = 0, room;
		struct vgpu_job *job;

		room = min_t(u64, VGPU_MOVE_JOB_PACKETS, to.remaining >> PAGE_SHIFT);
		job = vgpu_move_job(vdev, room * packet_dw, resv, usage);
		if (IS_ERR(job)) {
			ret = PTR_ERR(job);
			goto err_wait;
		}

		while (to.remaining && packets < room && bytes < VGPU_MOVE_JOB_BYTES) {
			u64 mc = vgpu_res_mc_addr(vdev, dst, to.start);
			u32 cur = min_t(u64, to.size, VGPU_MOVE_JOB_BYTES - bytes);

			if (src) {
				cur = min_t(u64, cur, from.size);
				vgpu_sdma_emit_copy(&job->ibs[0],
						    vgpu_res_mc_addr(vdev, src, from.start),
						    mc, cur);
				vgpu_res_next(vdev, &from, cur);
			} else {
				vgpu_sdma_emit_fill(&job->ibs[0], mc, 0, cur);
			}
			vgpu_res_next(vdev, &to, cur);
			bytes += cur;
			packets++;
		}

		dma_fence_put(last);
		last = vgpu_job_submit(job);
		/* The later ones are behind the first in the queue. */
		resv = NULL;
	}
	*fence = last;
	return 0;

err_wait:
	/* What was started must not outlive the places it writes to. */
	if (last)
		dma_fence_wait(last, false);
	dma_fence_put(last);
	return ret;
}

/* Take move_lock and say whether the engine can be used. */
static bool vgpu_move_begin(struct vgpu_device *vdev)
{
	down_read(&vdev->mman.move_lock);
	if (vdev->mman.move_ring && vdev->mman.move_ring->ready)
		return true;
	up_read(&vdev->mman.move_lock);
	return false;
}

static void vgpu_move_end(struct vgpu_device *vdev)
{
	up_read(&vdev->mman.move_lock);
}

/**
 * vgpu_ttm_enable_moves() - let an engine move buffers
 * @vdev: the die
 * @ring: an SDMA ring that works
 *
 * Return: 0 or a negative error.
 */
int vgpu_ttm_enable_moves(struct vgpu_device *vdev, struct vgpu_ring *ring)
{
	struct vgpu_mman *mman = &vdev->mman;
	struct drm_gpu_scheduler *sched = &ring->sched;
	int ret;

	if (mman->move_ring)
		return 0;
	ret = drm_sched_entity_init(&mman->move_entity, DRM_SCHED_PRIORITY_KERNEL, &sched, 1,
				    NULL);
	if (ret)
		return ret;

	down_write(&mman->move_lock);
	mman->move_ring = ring;
	up_write(&mman->move_lock);
	return 0;
}

/**
 * vgpu_ttm_disable_moves() - moves are the CPU's again
 * @vdev: the die
 *
 * Waits for the jobs that are queued.
 */
void vgpu_ttm_disable_moves(struct vgpu_device *vdev)
{
	struct vgpu_mman *mman = &vdev->mman;

	if (!mman->move_ring)
		return;
	down_write(&mman->move_lock);
	mman->move_ring = NULL;
	up_write(&mman->move_lock);
	drm_sched_entity_destroy(&mman->move_entity);
}

/*
 * Copies and fills by the CPU
 */

static void vgpu_cpu_zero(struct vgpu_device *vdev, struct ttm_resource *dst, u64 size)
{
	struct vgpu_res_cursor to;

	vgpu_res_first(vdev, dst, 0, size, &to);
	while (to.remaining) {
		memset_io(vdev->mman.aper + to.start, 0, to.size);
		vgpu_res_next(vdev, &to, to.size);
	}
}

/* Between VRAM and pages, or within VRAM. */
static void vgpu_cpu_copy(struct vgpu_device *vdev, struct ttm_tt *ttm,
			  struct ttm_resource *src, struct ttm_resource *dst, u64 size,
			  void *bounce)
{
	struct vgpu_res_cursor from, to;
	u64 page = 0;

	vgpu_res_first(vdev, src, 0, size, &from);
	vgpu_res_first(vdev, dst, 0, size, &to);
	while (to.remaining) {
		/* All of it is page aligned. */
		if (src->mem_type != TTM_PL_VRAM) {
			void *ptr = kmap_local_page(ttm->pages[page]);

			memcpy_toio(vdev->mman.aper + to.start, ptr, PAGE_SIZE);
			kunmap_local(ptr);
		} else if (dst->mem_type != TTM_PL_VRAM) {
			void *ptr = kmap_local_page(ttm->pages[page]);

			memcpy_fromio(ptr, vdev->mman.aper + from.start, PAGE_SIZE);
			kunmap_local(ptr);
		} else {
			memcpy_fromio(bounce, vdev->mman.aper + from.start, PAGE_SIZE);
			memcpy_toio(vdev->mman.aper + to.start, bounce, PAGE_SIZE);
		}
		vgpu_res_next(vdev, &from, PAGE_SIZE);
		vgpu_res_next(vdev, &to, PAGE_SIZE);
		page++;
	}
}

static int vgpu_move_cpu(struct ttm_buffer_object *tbo, struct ttm_operation_ctx *ctx,
			 struct ttm_resource *src, struct ttm_resource *dst)
{
	struct vgpu_device *vdev = bdev_to_vdev(tbo->bdev);
	void *bounce = NULL;
	int ret, idx;

	if (!vgpu_res_cpu_visible(vdev, src) || !vgpu_res_cpu_visible(vdev, dst)) {
		drm_err_ratelimited(&vdev->drm,
				    "buffer in invisible VRAM cannot move without SDMA\n");
		return -EIO;
	}

	ret = ttm_bo_wait_ctx(tbo, ctx);
	if (ret)
		return ret;

	if (src->mem_type == TTM_PL_VRAM && dst->mem_type == TTM_PL_VRAM) {
		bounce = (void *)__get_free_page(GFP_KERNEL);
		if (!bounce)
			return -ENOMEM;
	} else {
		ret = ttm_tt_populate(tbo->bdev, tbo->ttm, ctx);
		if (ret)
			return ret;
	}

	if (drm_dev_enter(&vdev->drm, &idx)) {
		vgpu_cpu_copy(vdev, tbo->ttm, src, dst, PAGE_ALIGN(tbo->base.size), bounce);
		vgpu_hdp_flush(vdev);
		drm_dev_exit(idx);
	} else {
		ret = -ENODEV;
	}
	free_page((unsigned long)bounce);
	if (!ret)
		ttm_bo_move_sync_cleanup(tbo, dst);
	return ret;
}

/* Until it is done, nobody knows whether the buffer holds what it should. */
static void vgpu_move_remember(struct ttm_buffer_object *tbo, struct dma_fence *fence)
{
	struct vgpu_bo *bo;

	if (!vgpu_bo_is_vgpu(tbo))
		return;
	bo = ttm_to_vgpu_bo(tbo);
	/* What is lost stays lost, wherever it is moved. */
	if (vgpu_bo_lost(bo))
		return;
	dma_fence_put(bo->move);
	bo->move = dma_fence_get(fence);
}

/*
 * New VRAM still holds what its last owner left there. The fence of the fill
 * goes into the reservation, which has room for one.
 */
static int vgpu_move_clear(struct ttm_buffer_object *tbo, struct ttm_operation_ctx *ctx,
			   struct ttm_resource *dst)
{
	struct vgpu_device *vdev = bdev_to_vdev(tbo->bdev);
	u64 size = PAGE_ALIGN(tbo->base.size);
	struct dma_fence *fence;
	int ret, idx;

	if (vgpu_bo_is_vgpu(tbo) && ttm_to_vgpu_bo(tbo)->flags & VGPU_GEM_CREATE_NO_CLEAR)
		return 0;

	if (vgpu_move_begin(vdev)) {
		ret = vgpu_move_engine(vdev, NULL, dst, size, tbo->base.resv, &fence);
		vgpu_move_end(vdev);
		if (!ret) {
			dma_resv_add_fence(tbo->base.resv, fence, DMA_RESV_USAGE_KERNEL);
			vgpu_move_remember(tbo, fence);
			dma_fence_put(fence);
			return 0;
		}
		if (ret != -ENODEV)
			return ret;
	}

	if (!vgpu_res_cpu_visible(vdev, dst))
		return -EIO;

	/* Whoever was there may still be on his way out. */
	ret = ttm_bo_wait_ctx(tbo, ctx);
	if (ret)
		return ret;
	if (!drm_dev_enter(&vdev->drm, &idx))
		return -ENODEV;
	vgpu_cpu_zero(vdev, dst, size);
	vgpu_hdp_flush(vdev);
	drm_dev_exit(idx);
	return 0;
}

/*
 * Moves
 */

static void vgpu_move_notify(struct ttm_buffer_object *tbo, bool evict,
			     struct ttm_resource *new_mem)
{
	struct vgpu_device *vdev = bdev_to_vdev(tbo->bdev);
	struct vgpu_bo *bo;

	if (!vgpu_bo_is_vgpu(tbo))
		return;
	bo = ttm_to_vgpu_bo(tbo);
	if (evict && tbo->resource && tbo->resource->mem_type == TTM_PL_VRAM)
		atomic64_inc(&vdev->mman.num_evictions);
	if (tbo->resource)
		trace_vgpu_bo_move(vdev, bo, tbo->resource->mem_type, new_mem->mem_type);
	vgpu_vm_bo_moved(bo, evict);
	vgpu_dmabuf_moved(bo);
	vgpu_bo_kunmap(bo);
}

static int vgpu_ttm_move(struct ttm_buffer_object *tbo, bool evict,
			 struct ttm_operation_ctx *ctx, struct ttm_resource *new_mem,
			 struct ttm_place *hop)
{
	struct vgpu_device *vdev = bdev_to_vdev(tbo->bdev);
	struct ttm_resource *old = tbo->resource;
	struct dma_fence *fence;
	int ret;

	/* First place, or one after the contents were dropped. */
	if (!old || (old->mem_type == TTM_PL_SYSTEM && !tbo->ttm)) {
		if (new_mem->mem_type == TTM_PL_VRAM) {
			ret = vgpu_move_clear(tbo, ctx, new_mem);
			if (ret)
				return ret;
		} else if (new_mem->mem_type == TTM_PL_TT) {
			vgpu_tt_bind(to_vgpu_tt(tbo->ttm), new_mem);
		}
		vgpu_move_notify(tbo, evict, new_mem);
		ttm_bo_move_null(tbo, new_mem);
		return 0;
	}

	/* Pages stay what they are; the GART loses or gets them. */
	if (old->mem_type != TTM_PL_VRAM && new_mem->mem_type != TTM_PL_VRAM) {
		if (old->mem_type == TTM_PL_TT) {
			ret = ttm_bo_wait_ctx(tbo, ctx);
			if (ret)
				return ret;
			vgpu_tt_unbind(to_vgpu_tt(tbo->ttm));
		}
		if (new_mem->mem_type == TTM_PL_TT)
			vgpu_tt_bind(to_vgpu_tt(tbo->ttm), new_mem);
		vgpu_move_notify(tbo, evict, new_mem);
		ttm_bo_move_null(tbo, new_mem);
		return 0;
	}

	/* Pages that were never there: nothing to copy. */
	if (old->mem_type == TTM_PL_SYSTEM && !ttm_tt_is_populated(tbo->ttm) &&
	    !(tbo->ttm->page_flags & TTM_TT_FLAG_SWAPPED)) {
		ret = vgpu_move_clear(tbo, ctx, new_mem);
		if (ret)
			return ret;
		vgpu_move_notify(tbo, evict, new_mem);
		ttm_bo_move_null(tbo, new_mem);
		return 0;
	}

	if (vgpu_move_begin(vdev)) {
		/* The engine reaches system pages only through the GART. */
		if (old->mem_type == TTM_PL_SYSTEM || new_mem->mem_type == TTM_PL_SYSTEM) {
			vgpu_move_end(vdev);
			hop->fpfn = 0;
			hop->lpfn = 0;
			hop->mem_type = TTM_PL_TT;
			hop->flags = TTM_PL_FLAG_TEMPORARY;
			return -EMULTIHOP;
		}
		if (new_mem->mem_type == TTM_PL_TT)
			vgpu_tt_bind(to_vgpu_tt(tbo->ttm), new_mem);
		ret = vgpu_move_engine(vdev, old, new_mem, PAGE_ALIGN(tbo->base.size),
				       tbo->base.resv, &fence);
		vgpu_move_end(vdev);
		if (!ret) {
			atomic64_add(tbo->base.size, &vdev->mman.num_bytes_moved);
			vgpu_move_notify(tbo, evict, new_mem);
			vgpu_move_remember(tbo, fence);
			/* Waits when it must: for kernel buffers and full ghosts. */
			ret = ttm_bo_move_accel_cleanup(tbo, fence, evict,
							tbo->type != ttm_bo_type_kernel,
							new_mem);
			/* The job writes to @new_mem, which the caller frees on error. */
			if (ret)
				dma_fence_wait(fence, false);
			dma_fence_put(fence);
			return ret;
		}
		if (ret != -ENODEV)
			return ret;
	}

	vgpu_move_notify(tbo, evict, new_mem);
	ret = vgpu_move_cpu(tbo, ctx, old, new_mem);
	if (!ret)
		atomic64_add(tbo->base.size, &vdev->mman.num_bytes_moved);
	if (!ret && new_mem->mem_type == TTM_PL_TT)
		vgpu_tt_bind(to_vgpu_tt(tbo->ttm), new_mem);
	return ret;
}

/* Where a buffer goes that must leave its place. */
static void vgpu_evict_flags(struct ttm_buffer_object *tbo, struct ttm_placement *placement)
{
	static const struct ttm_place system = { .mem_type = TTM_PL_SYSTEM };
	struct vgpu_device *vdev = bdev_to_vdev(tbo->bdev);
	struct vgpu_bo *bo;

	if (!vgpu_bo_is_vgpu(tbo)) {
		placement->placement = &system;
		placement->num_placement = 1;
		return;
	}

	bo = ttm_to_vgpu_bo(tbo);
	/* Nothing is to be saved; TTM drops the place and tells nobody. */
	if (tbo->type == ttm_bo_type_sg || bo->flags & AMDGPU_GEM_CREATE_DISCARDABLE) {
		vgpu_vm_bo_moved(bo, true);
		vgpu_dmabuf_moved(bo);
		ttm_bo_unmap_virtual(tbo);
		placement->num_placement = 0;
		return;
	}
	if (tbo->resource->mem_type == TTM_PL_VRAM && READ_ONCE(vdev->mman.move_ring))
		vgpu_bo_set_placement(bo, AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_CPU);
	else
		vgpu_bo_set_placement(bo, AMDGPU_GEM_DOMAIN_CPU);
	*placement = bo->placement;
}

/*
 * CPU access to VRAM: the BAR
 */

static int vgpu_io_mem_reserve(struct ttm_device *bdev, struct ttm_resource *res)
{
	struct vgpu_device *vdev = bdev_to_vdev(bdev);
	u64 start = (u64)res->start << PAGE_SHIFT;

	if (res->mem_type != TTM_PL_VRAM)
		return 0;
	if (!vgpu_res_cpu_visible(vdev, res))
		return -EINVAL;

	/* Of a scattered buffer only the pages' numbers are used, see io_mem_pfn. */
	if (res->placement & TTM_PL_FLAG_CONTIGUOUS)
		res->bus.addr = (void __force *)vdev->mman.aper + start;
	res->bus.offset = vdev->gmc.aper_base + start;
	res->bus.is_iomem = true;
	return 0;
}

static unsigned long vgpu_io_mem_pfn(struct ttm_buffer_object *tbo, unsigned long page_offset)
{
	struct vgpu_device *vdev = bdev_to_vdev(tbo->bdev);
	struct vgpu_res_cursor cur;

	vgpu_res_first(vdev, tbo->resource, (u64)page_offset << PAGE_SHIFT, PAGE_SIZE, &cur);
	return (vdev->gmc.aper_base + cur.start) >> PAGE_SHIFT;
}

/* For ptrace and /proc/pid/mem. Reserved. */
static int vgpu_access_memory(struct ttm_buffer_object *tbo, unsigned long offset, void *buf,
			      int len, int write)
{
	struct vgpu_device *vdev = bdev_to_vdev(tbo->bdev);
	struct vgpu_res_cursor cur;
	int done = 0, idx;
	long left;

	if (tbo->resource->mem_type != TTM_PL_VRAM ||
	    !vgpu_res_cpu_visible(vdev, tbo->resource))
		return -EIO;
	left = dma_resv_wait_timeout(tbo->base.resv, DMA_RESV_USAGE_KERNEL, true,
				     MAX_SCHEDULE_TIMEOUT);
	if (left < 0)
		return left;
	if (vgpu_bo_lost(ttm_to_vgpu_bo(tbo)))
		return -EIO;
	if (!drm_dev_enter(&vdev->drm, &idx))
		return -EIO;

	vgpu_res_first(vdev, tbo->resource, offset, len, &cur);
	while (cur.remaining) {
		u64 piece = cur.size;

		if (write)
			memcpy_toio(vdev->mman.aper + cur.start, buf + done, piece);
		else
			memcpy_fromio(buf + done, vdev->mman.aper + cur.start, piece);
		done += piece;
		vgpu_res_next(vdev, &cur, piece);
	}
	if (write)
		vgpu_hdp_flush(vdev);
	drm_dev_exit(idx);
	return done;
}

/* The last reference is gone, and with it all mappings: whose queues ran does not matter. */
static void vgpu_release_notify(struct ttm_buffer_object *tbo)
{
	struct dma_resv *resv = &tbo->base._resv;

	/* Fences of one that shares a reservation are those of others too. */
	if (tbo->base.resv != resv || !dma_resv_trylock(resv))
		return;
	vgpu_kfd_forget_evictions(resv);
	dma_resv_unlock(resv);
}

static struct ttm_device_funcs vgpu_ttm_funcs = {
	.ttm_tt_create = vgpu_tt_create,
	.ttm_tt_populate = vgpu_tt_populate,
	.ttm_tt_unpopulate = vgpu_tt_unpopulate,
	.ttm_tt_destroy = vgpu_tt_destroy,
	.eviction_valuable = ttm_bo_eviction_valuable,
	.evict_flags = vgpu_evict_flags,
	.move = vgpu_ttm_move,
	.release_notify = vgpu_release_notify,
	.io_mem_reserve = vgpu_io_mem_reserve,
	.io_mem_pfn = vgpu_io_mem_pfn,
	.access_memory = vgpu_access_memory,
};

/* One mapping for all uses by the kernel. */
static void __iomem *vgpu_ttm_map_vram(struct vgpu_device *vdev)
{
	struct vgpu_gmc *gmc = &vdev->gmc;
	void *map;

	if (!gmc->connected_to_cpu)
		return devm_ioremap_wc(vdev->drm.dev, gmc->aper_base, gmc->visible_vram_size);
	map = devm_memremap(vdev->drm.dev, gmc->aper_base, gmc->visible_vram_size, MEMREMAP_WB);
	return IS_ERR(map) ? NULL : (void __iomem __force *)map;
}

static int vgpu_ttm_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_mman *mman = &vdev->mman;
	struct drm_device *drm = &vdev->drm;
	int ret;

	mutex_init(&mman->tt_lock);
	mutex_init(&mman->notifier_lock);
	INIT_LIST_HEAD(&mman->tts);
	init_rwsem(&mman->move_lock);

	mman->aper = vgpu_ttm_map_vram(vdev);
	if (!mman->aper)
		return -ENOMEM;

	ret = ttm_device_init(&mman->bdev, &vgpu_ttm_funcs, drm->dev,
			      drm->anon_inode->i_mapping, drm->vma_offset_manager, false, false);
	if (ret)
		return ret;

	ret = vgpu_vram_mgr_init(vdev);
	if (ret)
		goto err_device;

	ret = ttm_range_man_init(&mman->bdev, TTM_PL_TT, true,
				 vdev->gmc.gart_size >> PAGE_SHIFT);
	if (ret)
		goto err_vram;

	drm_info(drm, "%llu MiB of VRAM, %llu of them visible, %llu MiB of GTT\n",
		 vdev->gmc.vram_size >> 20, mman->vram.visible_size >> 20,
		 vdev->gmc.gart_size >> 20);
	return 0;

err_vram:
	vgpu_vram_mgr_fini(vdev);
err_device:
	ttm_device_fini(&mman->bdev);
	return ret;
}

static void vgpu_ttm_sw_fini(struct vgpu_device *vdev)
{
	struct vgpu_mman *mman = &vdev->mman;

	ttm_range_man_fini(&mman->bdev, TTM_PL_TT);
	vgpu_vram_mgr_fini(vdev);
	ttm_device_fini(&mman->bdev);
	mutex_destroy(&mman->notifier_lock);
	mutex_destroy(&mman->tt_lock);
}

/*
 * The engines are stopped. Take from user space the mappings of the BAR, from the
 * peers those of VRAM, and from the device those of memory; the pages stay with
 * their buffers.
 */
static void vgpu_ttm_hw_fini(struct vgpu_device *vdev)
{
	struct vgpu_mman *mman = &vdev->mman;
	struct vgpu_tt *tt, *next;

	unmap_mapping_range(vdev->drm.anon_inode->i_mapping, 0, 0, 1);
	vgpu_peer_evacuate(vdev);

	mutex_lock(&mman->tt_lock);
	mman->dma_down = true;
	list_for_each_entry_safe(tt, next, &mman->tts, node)
		vgpu_tt_dma_unmap(tt);
	mutex_unlock(&mman->tt_lock);
}

/*
 * After a reset of all of the die: what is in VRAM is lost. Buffers of users are for
 * them to write anew, page tables follow before the next job; without the GART
 * nothing works.
 */
static int vgpu_ttm_resume(struct vgpu_device *vdev)
{
	vgpu_gart_restore(vdev);
	return 0;
}

const struct vgpu_ip_block vgpu_ttm_block = {
	.name = "ttm",
	.sw_init = vgpu_ttm_sw_init,
	.sw_fini = vgpu_ttm_sw_fini,
	.hw_fini = vgpu_ttm_hw_fini,
	.resume = vgpu_ttm_resume,
};
