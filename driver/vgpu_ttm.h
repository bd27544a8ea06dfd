/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Buffers: TTM moves them between VRAM (drm_buddy), GTT and system memory,
 * GEM names them. Documentation/memory.rst, "Buffers".
 */
#ifndef _VGPU_TTM_H_
#define _VGPU_TTM_H_

#include <drm/drm_buddy.h>
#include <drm/drm_gem.h>
#include <drm/ttm/ttm_bo.h>
#include <drm/ttm/ttm_device.h>
#include <drm/ttm/ttm_placement.h>
#include <drm/ttm/ttm_resource.h>

struct drm_exec;
struct vgpu_device;
struct vgpu_ring;
struct vgpu_vm;

/**
 * struct vgpu_bo - a buffer
 * @tbo: TTM's part, with the GEM object
 * @domains: AMDGPU_GEM_DOMAIN_* it may live in, preferred first
 * @flags: AMDGPU_GEM_CREATE_*
 * @vm: the address space whose reservation it shares
 *      (AMDGPU_GEM_CREATE_VM_ALWAYS_VALID), or NULL
 */
struct vgpu_bo {
	struct ttm_buffer_object tbo;
	struct ttm_placement placement;
	struct ttm_place places[3];
	u32 domains;
	u64 flags;
	struct ttm_bo_kmap_obj kmap;
	void *kptr;
	struct vgpu_vm *vm;
	/* GEM_METADATA */
	u64 tiling_flags;
	u64 metadata_flags;
	u32 metadata_size;
	void *metadata;
};

static inline struct vgpu_bo *to_vgpu_bo(struct drm_gem_object *obj)
{
	return container_of(obj, struct vgpu_bo, tbo.base);
}

/**
 * struct vgpu_mman - the memory managers of a die
 * @move_ring: SDMA ring of buffer moves, NULL while the CPU must do it
 * @move_entity: its kernel entity
 */
struct vgpu_mman {
	struct ttm_device bdev;
	bool initialized;
	struct vgpu_vram_mgr {
		struct ttm_resource_manager manager;
		struct mutex lock;	/* guards mm */
		struct gpu_buddy mm;
		u64 visible_size, visible_used;
	} vram;
	struct vgpu_ring *move_ring;
	struct drm_sched_entity move_entity;
};

/* Create; @vm non-NULL shares its reservation (held by the caller). May sleep. */
struct vgpu_bo *vgpu_bo_create(struct vgpu_device *vdev, u64 size, u32 align, u32 domains,
			       u64 flags, enum ttm_bo_type type, struct vgpu_vm *vm);
/*
 * A pinned, kernel-mapped buffer for the driver itself; @gpu_addr is its MC
 * address (VMID 0). Released by vgpu_bo_free_kernel(), which takes NULL.
 */
struct vgpu_bo *vgpu_bo_create_kernel(struct vgpu_device *vdev, u64 size, u32 domain,
				      u64 *gpu_addr, void **cpu);
void vgpu_bo_free_kernel(struct vgpu_bo *bo);
/* MC address for VMID 0; reserved or pinned. GTT: its GART place. */
u64 vgpu_bo_mc_addr(struct vgpu_bo *bo);
void vgpu_bo_set_placement(struct vgpu_bo *bo, u32 domains);
int vgpu_bo_validate(struct vgpu_bo *bo, struct ttm_operation_ctx *ctx);

/* Called by sdma late_init when copies may go through the engine. */
int vgpu_ttm_enable_moves(struct vgpu_device *vdev, struct vgpu_ring *ring);
void vgpu_ttm_disable_moves(struct vgpu_device *vdev);
/* SDMA copy/fill between MC addresses; returns the fence. May sleep. */
int vgpu_copy_buffer(struct vgpu_device *vdev, u64 src, u64 dst, u64 bytes,
		     struct dma_resv *resv, struct dma_fence **fence);
int vgpu_fill_buffer(struct vgpu_device *vdev, u64 dst, u32 value, u64 bytes,
		     struct dma_resv *resv, struct dma_fence **fence);

int vgpu_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_gem_mmap_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_gem_wait_idle_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_gem_metadata_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_gem_op_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_gem_va_ioctl(struct drm_device *drm, void *data, struct drm_file *file);	/* vgpu_vm.c */

#endif
