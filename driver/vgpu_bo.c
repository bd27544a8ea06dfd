// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Buffers: how they are made, where they may live, and how the kernel gets at
 * their contents. Documentation/memory.rst, "Buffers".
 */
#include <linux/dma-buf.h>
#include <linux/iosys-map.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_prime.h>

#include "vgpu.h"
#include "vgpu_userptr.h"

#define VGPU_DOMAIN_MEMORY \
	(AMDGPU_GEM_DOMAIN_CPU | AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_VRAM)

static void vgpu_bo_destroy(struct ttm_buffer_object *tbo)
{
	struct vgpu_bo *bo = ttm_to_vgpu_bo(tbo);

	vgpu_userptr_fini(bo);
	vgpu_bo_kunmap(bo);
	vgpu_peer_forget(bo);
	if (tbo->base.import_attach)
		drm_prime_gem_destroy(&tbo->base, tbo->sg);
	drm_gem_object_release(&tbo->base);
	if (bo->resv_obj)
		drm_gem_object_put(bo->resv_obj);
	if (bo->exporter)
		dma_buf_put(bo->exporter);
	dma_fence_put(bo->move);
	kfree(bo->metadata);
	kfree(bo);
}

bool vgpu_bo_lost(struct vgpu_bo *bo)
{
	if (!bo->move || !dma_fence_is_signaled(bo->move))
		return false;
	if (dma_fence_get_status(bo->move) < 0)
		return true;
	dma_fence_put(bo->move);
	bo->move = NULL;
	return false;
}

/**
 * vgpu_bo_wait_move() - until a buffer holds what it should
 * @bo: the buffer, reserved
 * @interruptible: give up on a signal
 *
 * Jobs of its own die need not wait: they fail with a move that does, by
 * vgpu_vm_tables_lost(). Those of another die hear only that it is over. May sleep.
 * Return: 0, -EIO: its content is lost, -ERESTARTSYS.
 */
int vgpu_bo_wait_move(struct vgpu_bo *bo, bool interruptible)
{
	long ret = 0;

	if (bo->move)
		ret = dma_fence_wait(bo->move, interruptible);
	if (ret)
		return ret;
	return vgpu_bo_lost(bo) ? -EIO : 0;
}

/**
 * vgpu_bo_is_vgpu() - tell buffers from the ghosts that TTM makes of them
 * @tbo: a buffer of our ttm_device
 *
 * A ghost holds the old place of a buffer that has moved, until it is idle.
 * Return: whether @tbo is embedded in a struct vgpu_bo.
 */
bool vgpu_bo_is_vgpu(struct ttm_buffer_object *tbo)
{
	return tbo->destroy == vgpu_bo_destroy;
}

/**
 * vgpu_bo_set_placement() - say where a buffer may go next
 * @bo: the buffer, reserved
 * @domains: AMDGPU_GEM_DOMAIN_*; none of CPU, GTT and VRAM means CPU
 *
 * The result is @bo->placement, best place first.
 */
void vgpu_bo_set_placement(struct vgpu_bo *bo, u32 domains)
{
	struct vgpu_device *vdev = container_of(bo->tbo.bdev, struct vgpu_device, mman.bdev);
	struct ttm_place *place = bo->places;

	memset(bo->places, 0, sizeof(bo->places));

	if (domains & AMDGPU_GEM_DOMAIN_VRAM) {
		place->mem_type = TTM_PL_VRAM;
		/* What the CPU need not reach leaves the part that it can to others. */
		if (bo->flags & AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED)
			place->lpfn = vdev->mman.vram.visible_size >> PAGE_SHIFT;
		else
			place->flags |= TTM_PL_FLAG_TOPDOWN;
		if (bo->tbo.type == ttm_bo_type_kernel &&
		    bo->flags & AMDGPU_GEM_CREATE_VRAM_CONTIGUOUS)
			place->flags |= TTM_PL_FLAG_CONTIGUOUS;
		place++;
	}
	if (domains & AMDGPU_GEM_DOMAIN_GTT) {
		place->mem_type = TTM_PL_TT;
		/* A second best: try VRAM first, even for one that sits here. */
		if (bo->tbo.resource && domains & bo->domains & AMDGPU_GEM_DOMAIN_VRAM)
			place->flags |= TTM_PL_FLAG_FALLBACK;
		place++;
	}
	if (domains & AMDGPU_GEM_DOMAIN_CPU || place == bo->places) {
		place->mem_type = TTM_PL_SYSTEM;
		place++;
	}

	bo->placement.placement = bo->places;
	bo->placement.num_placement = place - bo->places;
}

/* Larger than all there is: do not even try to make room. */
static bool vgpu_bo_size_fits(struct vgpu_device *vdev, u64 size, u32 domains)
{
	u64 gtt = vdev->gmc.gart_size;
	u64 vram = vdev->mman.vram.mm.size;

	if (domains & AMDGPU_GEM_DOMAIN_GTT)
		return size < gtt;
	if (domains & AMDGPU_GEM_DOMAIN_VRAM)
		return size < vram;
	/* The array of its pages alone would fill memory. */
	return size >> PAGE_SHIFT < totalram_pages();
}

/*
 * @start: the domains it starts in. Consumes the references to
 * @resv_obj and @exporter. On success it is reserved.
 */
static struct vgpu_bo *vgpu_bo_init(struct vgpu_device *vdev, u64 size, u32 align, u32 domains,
				    u32 start, u64 flags, enum ttm_bo_type type,
				    struct sg_table *sgt, struct dma_resv *resv,
				    struct drm_gem_object *resv_obj, struct dma_buf *exporter)
{
	struct ttm_operation_ctx ctx = {
		.interruptible = type != ttm_bo_type_kernel,
		/* Failing is better than the OOM killer. */
		.gfp_retry_mayfail = true,
		.allow_res_evict = type != ttm_bo_type_kernel,
		.resv = resv,
	};
	struct vgpu_bo *bo;
	int ret;

	size = PAGE_ALIGN(size);
	bo = NULL;
	if (vgpu_bo_size_fits(vdev, size, domains))
		bo = kzalloc(sizeof(*bo), GFP_KERNEL_ACCOUNT);
	if (!bo) {
		if (resv_obj)
			drm_gem_object_put(resv_obj);
		if (exporter)
			dma_buf_put(exporter);
		return ERR_PTR(-ENOMEM);
	}

	drm_gem_private_object_init(&vdev->drm, &bo->tbo.base, size);
	bo->tbo.base.funcs = &vgpu_gem_funcs;
	bo->tbo.bdev = &vdev->mman.bdev;
	/* Page tables go last, then what users have. */
	bo->tbo.priority = type == ttm_bo_type_kernel ? 2 :
			   flags & AMDGPU_GEM_CREATE_DISCARDABLE ? 0 : 1;
	bo->domains = domains;
	bo->allowed = domains;
	if (type != ttm_bo_type_kernel && !(flags & AMDGPU_GEM_CREATE_DISCARDABLE) &&
	    domains == AMDGPU_GEM_DOMAIN_VRAM)
		bo->allowed |= AMDGPU_GEM_DOMAIN_GTT;
	bo->flags = flags;
	bo->resv_obj = resv_obj;
	bo->exporter = exporter;

	vgpu_bo_set_placement(bo, start);
	ret = ttm_bo_init_reserved(&vdev->mman.bdev, &bo->tbo, type, &bo->placement,
				   PAGE_ALIGN((u64)align) >> PAGE_SHIFT, &ctx, sgt, resv,
				   vgpu_bo_destroy);
	if (ret)
		return ERR_PTR(ret);	/* TTM has destroyed it */

	/* From a user it was a hint where to start. */
	if (type == ttm_bo_type_device)
		bo->flags &= ~AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;

	return bo;
}

/**
 * vgpu_bo_create() - make a buffer
 * @vdev: the die
 * @size: bytes; rounded up to pages
 * @align: bytes
 * @domains: AMDGPU_GEM_DOMAIN_* it shall live in; it starts in one of them
 * @flags: AMDGPU_GEM_CREATE_*, VGPU_GEM_CREATE_*
 * @type: kernel or device
 * @vm: share the reservation of this address space, which the caller holds; or NULL
 *
 * Its memory reads as zero, unless VGPU_GEM_CREATE_NO_CLEAR. May sleep and evict
 * others. Return: the buffer, not reserved unless it shares; or an ERR_PTR():
 * -ENOMEM, -ENOSPC, -ERESTARTSYS.
 */
struct vgpu_bo *vgpu_bo_create(struct vgpu_device *vdev, u64 size, u32 align, u32 domains,
			       u64 flags, enum ttm_bo_type type, struct vgpu_vm *vm)
{
	struct dma_resv *resv = vm ? vgpu_vm_resv(vm) : NULL;
	struct vgpu_bo *bo;

	bo = vgpu_bo_init(vdev, size, align, domains, domains & VGPU_DOMAIN_MEMORY, flags, type,
			  NULL, resv, vm ? vgpu_vm_get_resv_obj(vm) : NULL, NULL);
	if (!IS_ERR(bo) && !resv)
		ttm_bo_unreserve(&bo->tbo);
	return bo;
}

/**
 * vgpu_bo_create_sg() - make a buffer of another driver's memory
 * @vdev: the die
 * @size: bytes
 * @sgt: its memory, mapped for the die; must outlive the buffer. NULL: it is
 *       asked for when it is needed, vgpu_peer_map()
 * @dmabuf: it, whose reservation the buffer shares and which it keeps: TTM takes that lock
 *          when the buffer goes, which may be after the caller has given up the import
 *
 * May sleep. Return: the buffer or an ERR_PTR().
 */
struct vgpu_bo *vgpu_bo_create_sg(struct vgpu_device *vdev, u64 size, struct sg_table *sgt,
				  struct dma_buf *dmabuf)
{
	struct dma_resv *resv = dmabuf->resv;
	struct vgpu_bo *bo;

	get_dma_buf(dmabuf);
	dma_resv_lock(resv, NULL);
	/* The GART gets it when the GPU first needs it. */
	bo = vgpu_bo_init(vdev, size, PAGE_SIZE, AMDGPU_GEM_DOMAIN_GTT, AMDGPU_GEM_DOMAIN_CPU, 0,
			  ttm_bo_type_sg, sgt, resv, NULL, dmabuf);
	dma_resv_unlock(resv);
	return bo;
}

/**
 * vgpu_bo_place() - where the GPU finds a buffer
 * @bo: the buffer, reserved
 * @owner: the die whose memory that is, when it is VRAM
 *
 * A buffer that stands for one of another die of the hive is where that one is, as
 * long as that is VRAM. Return: the place, NULL: there is none.
 */
struct ttm_resource *vgpu_bo_place(struct vgpu_bo *bo, struct vgpu_device **owner)
{
	struct vgpu_device *vdev = to_vgpu(bo->tbo.base.dev);
	struct vgpu_bo *peer = bo->peer;

	*owner = vdev;
	if (peer && peer->tbo.resource && peer->tbo.resource->mem_type == TTM_PL_VRAM &&
	    vgpu_hive_peers(vdev, to_vgpu(peer->tbo.base.dev))) {
		*owner = to_vgpu(peer->tbo.base.dev);
		return peer->tbo.resource;
	}
	return bo->tbo.resource;
}

/**
 * vgpu_bo_move_gtt() - bring a buffer to system memory that devices reach
 * @bo: the buffer, reserved
 *
 * Return: 0; -EINVAL: it is to be nowhere but in VRAM; or what TTM gives.
 */
int vgpu_bo_move_gtt(struct vgpu_bo *bo)
{
	struct ttm_operation_ctx ctx = { .interruptible = false };

	if (bo->tbo.pin_count)
		return bo->tbo.resource->mem_type == TTM_PL_TT ? 0 : -EINVAL;
	if (!(bo->allowed & AMDGPU_GEM_DOMAIN_GTT))
		return -EINVAL;
	vgpu_bo_set_placement(bo, AMDGPU_GEM_DOMAIN_GTT);
	bo->places[0].flags = 0;
	return ttm_bo_validate(&bo->tbo, &bo->placement, &ctx);
}

/**
 * vgpu_bo_pin_gtt() - and keep it there, until ttm_bo_unpin()
 * @bo: the buffer, reserved
 *
 * Return: as vgpu_bo_move_gtt().
 */
int vgpu_bo_pin_gtt(struct vgpu_bo *bo)
{
	int ret = vgpu_bo_move_gtt(bo);

	if (!ret)
		ttm_bo_pin(&bo->tbo);
	return ret;
}

/*
 * Where the GPU reaches it. A buffer that had to leave VRAM comes back when there is
 * room, but drives nobody else out: two processes do not chase each other's buffers.
 * @free_only: nor does it for another place.
 */
static int vgpu_bo_validate_gpu(struct vgpu_bo *bo, struct ttm_operation_ctx *ctx,
				bool free_only)
{
	bool choice = bo->allowed & ~AMDGPU_GEM_DOMAIN_VRAM;
	struct vgpu_device *owner;
	struct ttm_place *place;
	unsigned int i;
	int ret;

	/* Where a peer has it, it can be reached; it must hold what it should there too. */
	if (bo->peer) {
		ret = vgpu_bo_wait_move(bo->peer, ctx->interruptible);
		if (ret)
			return ret;
		if (vgpu_bo_place(bo, &owner) == bo->peer->tbo.resource)
			return 0;
	}
	/* A move that fails after this fails the job: vgpu_vm_tables_lost(). */
	if (vgpu_bo_lost(bo))
		return -EIO;
	ret = vgpu_userptr_error(bo);
	if (ret)
		return ret;
	if (bo->tbo.pin_count)
		return 0;
	/* GDS, GWS and OA: the die has none of them. */
	if (bo->domains & ~VGPU_DOMAIN_MEMORY)
		return -ENOMEM;

	vgpu_bo_set_placement(bo, bo->allowed);
	if (bo->allowed & AMDGPU_GEM_DOMAIN_VRAM) {
		if (choice)
			bo->places[0].flags |= TTM_PL_FLAG_DESIRED;
		/* The CPU would rather reach it too, but it need not. */
		if (bo->places[0].lpfn) {
			place = &bo->places[bo->placement.num_placement++];
			memset(place, 0, sizeof(*place));
			place->mem_type = TTM_PL_VRAM;
			place->flags = TTM_PL_FLAG_FALLBACK | TTM_PL_FLAG_TOPDOWN;
		}
	}
	for (i = 0; free_only && i < bo->placement.num_placement; i++) {
		bo->places[i].flags &= ~TTM_PL_FLAG_FALLBACK;
		bo->places[i].flags |= TTM_PL_FLAG_DESIRED;
	}
	ret = ttm_bo_validate(&bo->tbo, &bo->placement, ctx);
	/* The way from system memory to VRAM leads through GTT, which may be full. */
	return ret == -ENOSPC ? -ENOMEM : ret;
}

/**
 * vgpu_bo_validate() - bring a buffer to where the GPU reaches it
 * @bo: the buffer, reserved
 * @ctx: how to go about it
 *
 * May evict others to system memory. Return: 0 or a negative error, -ENOMEM when
 * there is no room, that of vgpu_userptr_error() when there is no memory of a process.
 */
int vgpu_bo_validate(struct vgpu_bo *bo, struct ttm_operation_ctx *ctx)
{
	return vgpu_bo_validate_gpu(bo, ctx, false);
}

/**
 * vgpu_bo_validate_free() - the same, when there is room anyway
 * @bo: the buffer, reserved
 * @ctx: how to go about it
 *
 * Return: 0 or a negative error, -ENOMEM when there is no free room.
 */
int vgpu_bo_validate_free(struct vgpu_bo *bo, struct ttm_operation_ctx *ctx)
{
	return vgpu_bo_validate_gpu(bo, ctx, true);
}

/**
 * vgpu_bo_kmap() - map a buffer for the kernel
 * @bo: the buffer, reserved or pinned
 * @ptr: where it is; NULL if of no interest
 *
 * Waits until moves are done. In VRAM, the pointer is to I/O memory. The mapping
 * lasts until vgpu_bo_kunmap() or the next move. May sleep.
 * Return: 0, -EPERM: not meant to be mapped, -EINVAL: scattered or invisible
 * VRAM, -ENOMEM.
 */
int vgpu_bo_kmap(struct vgpu_bo *bo, void **ptr)
{
	struct ttm_resource *res = bo->tbo.resource;
	bool is_iomem;
	long left;
	int ret;

	if (bo->flags & AMDGPU_GEM_CREATE_NO_CPU_ACCESS)
		return -EPERM;

	left = dma_resv_wait_timeout(bo->tbo.base.resv, DMA_RESV_USAGE_KERNEL, false,
				     MAX_SCHEDULE_TIMEOUT);
	if (left < 0)
		return left;

	if (!bo->kptr) {
		if (res->mem_type == TTM_PL_VRAM && !(res->placement & TTM_PL_FLAG_CONTIGUOUS))
			return -EINVAL;
		ret = ttm_bo_kmap(&bo->tbo, 0, PFN_UP(bo->tbo.base.size), &bo->kmap);
		if (ret)
			return ret;
		bo->kptr = ttm_kmap_obj_virtual(&bo->kmap, &is_iomem);
	}
	if (ptr)
		*ptr = bo->kptr;
	return 0;
}

/**
 * vgpu_bo_kunmap() - give the kernel's mapping back
 * @bo: the buffer, reserved or pinned
 */
void vgpu_bo_kunmap(struct vgpu_bo *bo)
{
	if (!bo->kptr)
		return;
	bo->kptr = NULL;
	ttm_bo_kunmap(&bo->kmap);
}

/**
 * vgpu_bo_mc_addr() - where VMID 0 finds a buffer
 * @bo: the buffer, reserved or pinned, in contiguous VRAM or in GTT
 *
 * Return: its MC address.
 */
u64 vgpu_bo_mc_addr(struct vgpu_bo *bo)
{
	struct vgpu_device *vdev = container_of(bo->tbo.bdev, struct vgpu_device, mman.bdev);
	struct ttm_resource *res = bo->tbo.resource;

	WARN_ON_ONCE(res->mem_type != TTM_PL_TT &&
		     !(res->mem_type == TTM_PL_VRAM && res->placement & TTM_PL_FLAG_CONTIGUOUS));
	return vgpu_res_mc_addr(vdev, res, (u64)res->start << PAGE_SHIFT);
}

/**
 * vgpu_bo_create_kernel() - make a buffer for the driver itself
 * @vdev: the die
 * @size: bytes
 * @domain: AMDGPU_GEM_DOMAIN_VRAM or AMDGPU_GEM_DOMAIN_GTT
 * @gpu_addr: its MC address, for VMID 0
 * @cpu: kernel mapping (in VRAM: I/O memory); NULL: none is needed
 *
 * It is contiguous, pinned, and reads as zero. May sleep. Return: the buffer, to
 * be released by vgpu_bo_free_kernel(), or an ERR_PTR().
 */
struct vgpu_bo *vgpu_bo_create_kernel(struct vgpu_device *vdev, u64 size, u32 domain,
				      u64 *gpu_addr, void **cpu)
{
	u64 flags = AMDGPU_GEM_CREATE_VRAM_CONTIGUOUS;
	struct vgpu_bo *bo;
	void *ptr;
	int ret;

	/* Without an engine only the CPU can clear it. */
	if (cpu || !READ_ONCE(vdev->mman.move_ring))
		flags |= AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;

	bo = vgpu_bo_create(vdev, size, PAGE_SIZE, domain, flags, ttm_bo_type_kernel, NULL);
	if (IS_ERR(bo))
		return bo;

	ret = ttm_bo_reserve(&bo->tbo, false, false, NULL);
	if (ret)
		goto err_put;
	ttm_bo_pin(&bo->tbo);

	/* TTM clears pages only for users. */
	if (cpu || domain == AMDGPU_GEM_DOMAIN_GTT) {
		ret = vgpu_bo_kmap(bo, &ptr);
		if (ret)
			goto err_unpin;
		if (domain == AMDGPU_GEM_DOMAIN_GTT)
			memset(ptr, 0, bo->tbo.base.size);
		if (cpu)
			*cpu = ptr;
		else
			vgpu_bo_kunmap(bo);
	} else {
		dma_resv_wait_timeout(bo->tbo.base.resv, DMA_RESV_USAGE_KERNEL, false,
				      MAX_SCHEDULE_TIMEOUT);
	}
	if (gpu_addr)
		*gpu_addr = vgpu_bo_mc_addr(bo);
	ttm_bo_unreserve(&bo->tbo);
	return bo;

err_unpin:
	ttm_bo_unpin(&bo->tbo);
	ttm_bo_unreserve(&bo->tbo);
err_put:
	vgpu_bo_put(bo);
	return ERR_PTR(ret);
}

/**
 * vgpu_bo_free_kernel() - release a buffer of vgpu_bo_create_kernel()
 * @bo: the buffer, or NULL
 *
 * The GPU must not use it any more. May sleep.
 */
void vgpu_bo_free_kernel(struct vgpu_bo *bo)
{
	if (!bo)
		return;
	/* Nobody interrupts this, so it cannot fail. */
	if (WARN_ON(ttm_bo_reserve(&bo->tbo, false, false, NULL)))
		return;
	vgpu_bo_kunmap(bo);
	ttm_bo_unpin(&bo->tbo);
	ttm_bo_unreserve(&bo->tbo);
	vgpu_bo_put(bo);
}
