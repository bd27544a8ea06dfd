// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The pool of kernel IBs: one GTT buffer that drm_suballoc cuts up, each piece
 * returning to it when the fence of its job signals.
 * Documentation/submission.rst, "Indirect buffers".
 */
#include <drm/amdgpu_drm.h>

#include "vgpu.h"

#define VGPU_IB_POOL_SIZE	(2 * 1024 * 1024)
/* The strictest reader, SDMA's INDIRECT, wants 32 bytes; a cache line is 64. */
#define VGPU_IB_ALIGN		256

/**
 * vgpu_ib_get() - cut an IB of @bytes out of the pool
 * @vdev: the die
 * @bytes: bytes that are needed
 * @ib: filled in
 *
 * There is room for the filler that a submission appends beyond @bytes. Waits
 * for IBs in flight when the pool is full, so not in the path of a fence.
 * Return: 0, -EINVAL for a size the pool never has, -ENOMEM, -ERESTARTSYS.
 */
int vgpu_ib_get(struct vgpu_device *vdev, u32 bytes, struct vgpu_ib *ib)
{
	struct vgpu_ib_pool *pool = &vdev->ib_pool;
	struct drm_suballoc *sa;

	if (!bytes || bytes > VGPU_IB_POOL_SIZE)
		return -EINVAL;
	bytes = ALIGN(bytes, VGPU_IB_ALIGN);
	sa = drm_suballoc_new(&pool->sa, bytes, GFP_KERNEL, false, 0);
	if (IS_ERR(sa))
		return PTR_ERR(sa);

	ib->sa = sa;
	ib->gpu_addr = pool->gpu_addr + drm_suballoc_soffset(sa);
	ib->ptr = pool->cpu + drm_suballoc_soffset(sa) / sizeof(u32);
	ib->capacity_dw = bytes / sizeof(u32);
	ib->length_dw = 0;
	ib->flags = 0;
	return 0;
}

void vgpu_ib_free(struct vgpu_ib *ib, struct dma_fence *fence)
{
	if (ib->sa)
		drm_suballoc_free(ib->sa, fence);
	ib->sa = NULL;
	ib->ptr = NULL;
}

/* The first block of submission: what all rings share comes up here too. */
static int vgpu_ib_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_ib_pool *pool = &vdev->ib_pool;
	void *cpu;
	int ret;

	ret = vgpu_reset_init(vdev);
	if (ret)
		return ret;

	ret = vgpu_wb_init(vdev);
	if (ret)
		goto fini_reset;

	pool->bo = vgpu_bo_create_kernel(vdev, VGPU_IB_POOL_SIZE, AMDGPU_GEM_DOMAIN_GTT,
					 &pool->gpu_addr, &cpu);
	if (IS_ERR(pool->bo)) {
		ret = PTR_ERR(pool->bo);
		pool->bo = NULL;
		goto fini_wb;
	}
	pool->cpu = cpu;
	drm_suballoc_manager_init(&pool->sa, VGPU_IB_POOL_SIZE, VGPU_IB_ALIGN);
	return 0;

fini_wb:
	vgpu_wb_fini(vdev);
fini_reset:
	vgpu_reset_fini(vdev);
	return ret;
}

static void vgpu_ib_sw_fini(struct vgpu_device *vdev)
{
	struct vgpu_ib_pool *pool = &vdev->ib_pool;

	drm_suballoc_manager_fini(&pool->sa);
	vgpu_bo_free_kernel(pool->bo);
	pool->bo = NULL;
	vgpu_wb_fini(vdev);
	vgpu_reset_fini(vdev);
}

const struct vgpu_ip_block vgpu_ib_block = {
	.name = "ib",
	.sw_init = vgpu_ib_sw_init,
	.sw_fini = vgpu_ib_sw_fini,
};
