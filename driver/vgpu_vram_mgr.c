// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Who owns which part of VRAM: TTM's manager of it, on the kernel's buddy
 * allocator. Documentation/memory.rst, "Buffers".
 */
#include <linux/slab.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_buddy.h>

#include <hw/discovery.h>

#include "vgpu.h"

static struct vgpu_device *to_vdev(struct ttm_resource_manager *man)
{
	return container_of(man, struct vgpu_device, mman.vram.manager);
}

static struct vgpu_vram_res *to_vram_res(struct ttm_resource *res)
{
	return container_of(res, struct vgpu_vram_res, base);
}

/* Bytes of a block that the CPU reaches. */
static u64 block_visible(struct vgpu_vram_mgr *mgr, struct gpu_buddy_block *block)
{
	u64 start = gpu_buddy_block_offset(block);
	u64 end = start + gpu_buddy_block_size(&mgr->mm, block);

	return min(end, mgr->visible_size) - min(start, mgr->visible_size);
}

/* Blocks that follow each other in VRAM as they do in the buffer. */
static bool blocks_contiguous(struct vgpu_vram_mgr *mgr, struct list_head *blocks)
{
	struct gpu_buddy_block *block;
	u64 next = U64_MAX;

	list_for_each_entry(block, blocks, link) {
		if (next != U64_MAX && gpu_buddy_block_offset(block) != next)
			return false;
		next = gpu_buddy_block_offset(block) + gpu_buddy_block_size(&mgr->mm, block);
	}
	return true;
}

/**
 * struct vgpu_vram_bad - a page that is not to be used
 * @node: in &struct vgpu_vram_mgr.retired
 * @offset: in VRAM
 * @blocks: what the allocator gave for it; empty: somebody still uses it
 */
struct vgpu_vram_bad {
	struct list_head node;
	u64 offset;
	struct list_head blocks;
};

/* What is free of the bad pages is taken. Under the lock. */
static void vram_take_retired(struct vgpu_vram_mgr *mgr)
{
	struct vgpu_vram_bad *bad;

	if (!mgr->num_pending)
		return;
	list_for_each_entry(bad, &mgr->retired, node) {
		if (!list_empty(&bad->blocks))
			continue;
		if (gpu_buddy_alloc_blocks(&mgr->mm, bad->offset, bad->offset + PAGE_SIZE,
					   PAGE_SIZE, PAGE_SIZE, &bad->blocks,
					   GPU_BUDDY_RANGE_ALLOCATION))
			continue;
		mgr->num_pending--;
	}
}

/**
 * vgpu_vram_retire() - have a page never used again
 * @vdev: the die
 * @offset: of the page; one that the manager does not have is nobody's anyway
 *
 * If a buffer has it, the page is taken when that goes away. Once a page. May sleep.
 * Return: 0, -ENOMEM.
 */
int vgpu_vram_retire(struct vgpu_device *vdev, u64 offset)
{
	struct vgpu_vram_mgr *mgr = &vdev->mman.vram;
	struct vgpu_vram_bad *bad;

	if (offset >= mgr->mm.size)
		return 0;
	bad = kzalloc(sizeof(*bad), GFP_KERNEL);
	if (!bad)
		return -ENOMEM;
	INIT_LIST_HEAD(&bad->blocks);
	bad->offset = offset;

	mutex_lock(&mgr->lock);
	list_add_tail(&bad->node, &mgr->retired);
	mgr->num_pending++;
	vram_take_retired(mgr);
	mutex_unlock(&mgr->lock);
	return 0;
}

/**
 * vgpu_vram_retired() - what became of such a page
 * @vdev: the die
 * @offset: of the page
 *
 * May sleep. Return: 0: nobody gets it, -EBUSY: somebody still has it, -ENOENT: it was
 * not retired, or is not the manager's.
 */
int vgpu_vram_retired(struct vgpu_device *vdev, u64 offset)
{
	struct vgpu_vram_mgr *mgr = &vdev->mman.vram;
	struct vgpu_vram_bad *bad;
	int ret = -ENOENT;

	mutex_lock(&mgr->lock);
	list_for_each_entry(bad, &mgr->retired, node)
		if (bad->offset == offset)
			ret = list_empty(&bad->blocks) ? -EBUSY : 0;
	mutex_unlock(&mgr->lock);
	return ret;
}

static int vgpu_vram_alloc(struct ttm_resource_manager *man, struct ttm_buffer_object *tbo,
			   const struct ttm_place *place, struct ttm_resource **out)
{
	struct vgpu_device *vdev = to_vdev(man);
	struct vgpu_vram_mgr *mgr = &vdev->mman.vram;
	u64 size = PAGE_ALIGN(tbo->base.size);
	bool contiguous = place->flags & TTM_PL_FLAG_CONTIGUOUS;
	struct gpu_buddy_block *block;
	struct vgpu_vram_res *vres;
	unsigned long flags = 0;
	u64 start, end, align;
	int ret;

	if (vgpu_bo_is_vgpu(tbo) &&
	    ttm_to_vgpu_bo(tbo)->flags & AMDGPU_GEM_CREATE_VRAM_CONTIGUOUS)
		contiguous = true;

	start = (u64)place->fpfn << PAGE_SHIFT;
	end = place->lpfn ? (u64)place->lpfn << PAGE_SHIFT : mgr->mm.size;
	end = min(end, mgr->mm.size);

	/* The buddy allocator takes these for mistakes; here they only do not fit. */
	if (start >= end || size > end - start)
		return -ENOSPC;

	/* Pieces as large as a PDE that acts as a PTE covers, when there are any. */
	align = roundup_pow_of_two(max_t(u64, tbo->page_alignment, 1)) << PAGE_SHIFT;
	if (align > mgr->mm.size)
		return -ENOSPC;
	if (IS_ALIGNED(size, SZ_2M))
		align = max_t(u64, align, SZ_2M);

	vres = kzalloc(sizeof(*vres), GFP_KERNEL_ACCOUNT);
	if (!vres)
		return -ENOMEM;
	INIT_LIST_HEAD(&vres->blocks);
	ttm_resource_init(tbo, place, &vres->base);

	/* Includes this one. The kernel's own buffers may have the last of it. */
	if (tbo->type != ttm_bo_type_kernel && mgr->mm.size > VGPU_VM_RESERVED_VRAM &&
	    ttm_resource_manager_usage(man) > mgr->mm.size - VGPU_VM_RESERVED_VRAM) {
		ret = -ENOSPC;
		goto err_fini;
	}

	if (place->flags & TTM_PL_FLAG_TOPDOWN)
		flags |= GPU_BUDDY_TOPDOWN_ALLOCATION;
	if (contiguous)
		flags |= GPU_BUDDY_CONTIGUOUS_ALLOCATION;
	if (start || end != mgr->mm.size)
		flags |= GPU_BUDDY_RANGE_ALLOCATION;

	mutex_lock(&mgr->lock);
	ret = gpu_buddy_alloc_blocks(&mgr->mm, start, end, size, align, &vres->blocks, flags);
	if (ret == -ENOSPC && align > SZ_4K && !contiguous) {
		/* Better in small pieces than not at all, but the alignment stays. */
		align = roundup_pow_of_two(max_t(u64, tbo->page_alignment, 1)) << PAGE_SHIFT;
		ret = gpu_buddy_alloc_blocks(&mgr->mm, start, end, size, align, &vres->blocks,
					     flags);
	}
	if (!ret)
		list_for_each_entry(block, &vres->blocks, link)
			mgr->visible_used += block_visible(mgr, block);
	mutex_unlock(&mgr->lock);
	if (ret) {
		/* Its -EINVAL: rounded up to a power of two it is larger than VRAM. */
		if (ret == -EINVAL)
			ret = -ENOSPC;
		goto err_fini;
	}

	block = list_first_entry(&vres->blocks, struct gpu_buddy_block, link);
	vres->base.start = gpu_buddy_block_offset(block) >> PAGE_SHIFT;
	if (blocks_contiguous(mgr, &vres->blocks))
		vres->base.placement |= TTM_PL_FLAG_CONTIGUOUS;
	vres->base.bus.caching = vdev->gmc.connected_to_cpu ? ttm_cached :
							       ttm_write_combined;

	*out = &vres->base;
	return 0;

err_fini:
	ttm_resource_fini(man, &vres->base);
	kfree(vres);
	return ret;
}

static void vgpu_vram_free(struct ttm_resource_manager *man, struct ttm_resource *res)
{
	struct vgpu_vram_mgr *mgr = &to_vdev(man)->mman.vram;
	struct vgpu_vram_res *vres = to_vram_res(res);
	struct gpu_buddy_block *block;

	mutex_lock(&mgr->lock);
	list_for_each_entry(block, &vres->blocks, link)
		mgr->visible_used -= block_visible(mgr, block);
	gpu_buddy_free_list(&mgr->mm, &vres->blocks, 0);
	vram_take_retired(mgr);
	mutex_unlock(&mgr->lock);

	ttm_resource_fini(man, res);
	kfree(vres);
}

static bool vgpu_vram_intersects(struct ttm_resource_manager *man, struct ttm_resource *res,
				 const struct ttm_place *place, size_t size)
{
	struct vgpu_vram_mgr *mgr = &to_vdev(man)->mman.vram;
	struct gpu_buddy_block *block;

	list_for_each_entry(block, &to_vram_res(res)->blocks, link) {
		u64 first = gpu_buddy_block_offset(block) >> PAGE_SHIFT;
		u64 last = first + (gpu_buddy_block_size(&mgr->mm, block) >> PAGE_SHIFT);

		if (place->fpfn < last && (!place->lpfn || place->lpfn > first))
			return true;
	}
	return false;
}

static bool vgpu_vram_compatible(struct ttm_resource_manager *man, struct ttm_resource *res,
				 const struct ttm_place *place, size_t size)
{
	struct vgpu_vram_mgr *mgr = &to_vdev(man)->mman.vram;
	struct gpu_buddy_block *block;

	list_for_each_entry(block, &to_vram_res(res)->blocks, link) {
		u64 first = gpu_buddy_block_offset(block) >> PAGE_SHIFT;
		u64 last = first + (gpu_buddy_block_size(&mgr->mm, block) >> PAGE_SHIFT);

		if (first < place->fpfn || (place->lpfn && last > place->lpfn))
			return false;
	}
	return true;
}

static void vgpu_vram_debug(struct ttm_resource_manager *man, struct drm_printer *p)
{
	struct vgpu_vram_mgr *mgr = &to_vdev(man)->mman.vram;

	mutex_lock(&mgr->lock);
	drm_printf(p, "visible: %llu of %llu bytes used\n", mgr->visible_used,
		   mgr->visible_size);
	drm_printf(p, "retired: %zu pages, %u of them in use\n",
		   list_count_nodes(&mgr->retired), mgr->num_pending);
	drm_buddy_print(&mgr->mm, p);
	mutex_unlock(&mgr->lock);
}

static const struct ttm_resource_manager_func vgpu_vram_funcs = {
	.alloc = vgpu_vram_alloc,
	.free = vgpu_vram_free,
	.intersects = vgpu_vram_intersects,
	.compatible = vgpu_vram_compatible,
	.debug = vgpu_vram_debug,
};

/**
 * vgpu_vram_usage() - VRAM in use
 * @vdev: the die
 *
 * Any context that may sleep. Return: bytes that buffers occupy.
 */
u64 vgpu_vram_usage(struct vgpu_device *vdev)
{
	return ttm_resource_manager_usage(&vdev->mman.vram.manager);
}

/**
 * vgpu_vram_visible_usage() - VRAM in use that the CPU reaches
 * @vdev: the die
 *
 * May sleep. Return: bytes that buffers occupy of the part behind BAR0.
 */
u64 vgpu_vram_visible_usage(struct vgpu_device *vdev)
{
	struct vgpu_vram_mgr *mgr = &vdev->mman.vram;
	u64 used;

	mutex_lock(&mgr->lock);
	used = mgr->visible_used;
	mutex_unlock(&mgr->lock);
	return used;
}

/**
 * vgpu_vram_mgr_init() - start managing VRAM
 * @vdev: the die; @vdev->gmc knows the sizes
 *
 * The top of VRAM, where firmware keeps the discovery table, is left alone.
 * Return: 0 or a negative error.
 */
int vgpu_vram_mgr_init(struct vgpu_device *vdev)
{
	struct vgpu_vram_mgr *mgr = &vdev->mman.vram;
	struct ttm_resource_manager *man = &mgr->manager;
	u64 size = vdev->gmc.vram_size;
	int ret;

	if (size <= DISCOVERY_TMR_OFFSET)
		return -EINVAL;
	size -= DISCOVERY_TMR_OFFSET;

	ttm_resource_manager_init(man, &vdev->mman.bdev, size);
	man->func = &vgpu_vram_funcs;
	mutex_init(&mgr->lock);
	mgr->visible_size = min(vdev->gmc.visible_vram_size, size);
	mgr->visible_used = 0;
	INIT_LIST_HEAD(&mgr->retired);
	mgr->num_pending = 0;

	ret = gpu_buddy_init(&mgr->mm, size, PAGE_SIZE);
	if (ret)
		return ret;

	ttm_set_driver_manager(&vdev->mman.bdev, TTM_PL_VRAM, man);
	ttm_resource_manager_set_used(man, true);
	return 0;
}

/**
 * vgpu_vram_mgr_fini() - stop managing VRAM
 * @vdev: the die; every buffer is gone
 */
void vgpu_vram_mgr_fini(struct vgpu_device *vdev)
{
	struct vgpu_vram_bad *bad, *next;
	struct vgpu_vram_mgr *mgr = &vdev->mman.vram;
	struct ttm_resource_manager *man = &mgr->manager;

	ttm_resource_manager_set_used(man, false);
	if (ttm_resource_manager_evict_all(&vdev->mman.bdev, man)) {
		drm_err(&vdev->drm, "VRAM is still in use\n");
		return;
	}
	list_for_each_entry_safe(bad, next, &mgr->retired, node) {
		gpu_buddy_free_list(&mgr->mm, &bad->blocks, 0);
		kfree(bad);
	}
	gpu_buddy_fini(&mgr->mm);
	mutex_destroy(&mgr->lock);
	ttm_resource_manager_cleanup(man);
	ttm_set_driver_manager(&vdev->mman.bdev, TTM_PL_VRAM, NULL);
}
