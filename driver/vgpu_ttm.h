/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Buffers: TTM moves them between VRAM (drm_buddy), GTT and system memory,
 * GEM names them. Documentation/memory.rst, "Buffers".
 */
#ifndef _VGPU_TTM_H_
#define _VGPU_TTM_H_

#include <linux/mutex.h>
#include <linux/rwsem.h>

#include <drm/drm_buddy.h>
#include <drm/drm_gem.h>
#include <drm/gpu_scheduler.h>
#include <drm/ttm/ttm_bo.h>
#include <drm/ttm/ttm_device.h>
#include <drm/ttm/ttm_placement.h>
#include <drm/ttm/ttm_resource.h>
#include <drm/ttm/ttm_tt.h>

struct dma_buf;
struct dma_buf_attachment;
struct drm_exec;
struct vgpu_device;
struct vgpu_ring;
struct vgpu_userptr;
struct vgpu_vm;

/* VRAM that buffers of users leave for page tables. */
#define VGPU_VM_RESERVED_VRAM	0x800000ull

/* Beside AMDGPU_GEM_CREATE_*: its owner, the driver, writes all of it itself. */
#define VGPU_GEM_CREATE_NO_CLEAR	BIT_ULL(63)

/* How coherent it is, for those who ask for it by /dev/kfd */
#define VGPU_GEM_COHERENT \
	(AMDGPU_GEM_CREATE_COHERENT | AMDGPU_GEM_CREATE_EXT_COHERENT | \
	 AMDGPU_GEM_CREATE_UNCACHED)

/**
 * struct vgpu_bo - a buffer
 * @tbo: TTM's part, with the GEM object
 * @placement: where it may go next, vgpu_bo_set_placement()
 * @places: of @placement
 * @domains: AMDGPU_GEM_DOMAIN_* its owner asked for
 * @allowed: domains it may live in: @domains, and GTT when that is VRAM only
 * @flags: AMDGPU_GEM_CREATE_*
 * @kmap: TTM's part of the kernel mapping
 * @kptr: kernel mapping, of memory or of the VRAM BAR; NULL when there is none
 * @resv_obj: the address space whose reservation it shares
 *            (AMDGPU_GEM_CREATE_VM_ALWAYS_VALID, page tables), referenced, or NULL
 * @exporter: the dma-buf whose reservation it shares, referenced, or NULL
 * @userptr: the memory of a process that it stands for, or NULL (vgpu_userptr.h)
 * @move: last move or clear that an engine did, or is to do; NULL: all are done
 * @dmabuf: what it was exported as, NULL: it was not
 * @peer: the buffer of another die of the hive that it stands for, NULL: none. It
 *        lives as long as our attachment to it; both share one reservation
 * @peer_node: in vgpu_xgmi.imports of the die of @peer
 * @tiling_flags: of AMDGPU_GEM_METADATA, kept for user space like the next three
 * @metadata_flags: its own
 * @metadata_size: bytes
 * @metadata: NULL when there is none
 *
 * All but @tbo.base is under the reservation lock.
 */
struct vgpu_bo {
	struct ttm_buffer_object tbo;
	struct ttm_placement placement;
	struct ttm_place places[4];
	u32 domains;
	u32 allowed;
	u64 flags;
	struct ttm_bo_kmap_obj kmap;
	void *kptr;
	struct drm_gem_object *resv_obj;
	struct dma_buf *exporter;
	struct vgpu_userptr *userptr;
	struct dma_fence *move;
	struct dma_buf *dmabuf;
	struct vgpu_bo *peer;
	struct list_head peer_node;
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
 * struct vgpu_tt - the system pages of a buffer
 * @ttm: TTM's part: the pages
 * @vdev: the die
 * @obj: the buffer
 * @dma: their DMA addresses, one a page
 * @sgt: keeps the DMA mapping; NULL while not mapped
 * @node: in vgpu_mman.tts while mapped
 * @gart_offset: bytes into the GART aperture, while @bound
 * @bound: the GART table points to the pages
 * @user: they are a process', and not there any more when the mapping ends
 * @readonly: the GPU shall not write to them
 */
struct vgpu_tt {
	struct ttm_tt ttm;
	struct vgpu_device *vdev;
	struct drm_gem_object *obj;
	dma_addr_t *dma;
	struct sg_table *sgt;
	struct list_head node;
	u64 gart_offset;
	bool bound;
	bool user, readonly;
};

static inline struct vgpu_tt *to_vgpu_tt(struct ttm_tt *ttm)
{
	return container_of(ttm, struct vgpu_tt, ttm);
}

/**
 * struct vgpu_vram_mgr - who owns which part of VRAM
 * @manager: TTM's part
 * @lock: of the rest
 * @mm: the allocator
 * @visible_size: bytes the CPU reaches through the BAR
 * @visible_used: of these in use
 * @retired: struct vgpu_vram_bad
 * @num_pending: of @retired, how many are still in use
 */
struct vgpu_vram_mgr {
	struct ttm_resource_manager manager;
	struct mutex lock;		/* guards what follows */
	struct gpu_buddy mm;
	u64 visible_size, visible_used;
	struct list_head retired;
	u32 num_pending;
};

/**
 * struct vgpu_vram_res - a place in VRAM
 * @base: TTM's part
 * @blocks: struct gpu_buddy_block, in the buffer's order
 */
struct vgpu_vram_res {
	struct ttm_resource base;
	struct list_head blocks;
};

/**
 * struct vgpu_mman - the memory managers of a die
 * @bdev: TTM's part, with the managers of GTT and system memory
 * @aper: the visible VRAM, mapped write-combined
 * @tt_lock: guards @tts and the DMA mapping of its members
 * @tts: every vgpu_tt that is mapped for DMA
 * @dma_down: the device is gone, nothing is mapped for DMA any more
 * @notifier_lock: guards that pages of processes stay, see &struct vgpu_userptr; in
 *                 the path of memory reclaim, nothing under it allocates
 * @vram: the manager of VRAM
 * @move_ring: SDMA ring of buffer moves, NULL while the CPU must do it
 * @move_entity: its kernel entity
 * @move_lock: guards @move_ring; held shared while a move job is built
 * @num_bytes_moved: by moves that copied
 * @num_evictions: buffers that had to leave VRAM
 * @num_cpu_faults: CPU page faults in VRAM
 */
struct vgpu_mman {
	struct ttm_device bdev;
	void __iomem *aper;
	struct mutex tt_lock;		/* guards tts */
	struct list_head tts;
	bool dma_down;
	struct mutex notifier_lock;	/* see above */
	struct vgpu_vram_mgr vram;
	struct rw_semaphore move_lock;
	struct vgpu_ring *move_ring;
	struct drm_sched_entity move_entity;
	atomic64_t num_bytes_moved, num_evictions, num_cpu_faults;
};

/**
 * struct vgpu_res_cursor - walks a resource in physically contiguous pieces
 * @start: offset of the piece: into VRAM, into the GART, or into system pages
 * @size: bytes of the piece
 * @remaining: bytes of the walk from @start on; 0: the end
 * @res: what is walked
 * @block: of VRAM, the current one
 */
struct vgpu_res_cursor {
	u64 start, size, remaining;
	struct ttm_resource *res;
	struct gpu_buddy_block *block;
};

void vgpu_res_first(struct vgpu_device *vdev, struct ttm_resource *res, u64 offset, u64 size,
		    struct vgpu_res_cursor *cur);
void vgpu_res_next(struct vgpu_device *vdev, struct vgpu_res_cursor *cur, u64 size);
/* MC address of @offset in a VRAM or GTT piece */
u64 vgpu_res_mc_addr(struct vgpu_device *vdev, const struct ttm_resource *res, u64 offset);
/* All of it can be reached by the CPU. */
bool vgpu_res_cpu_visible(struct vgpu_device *vdev, struct ttm_resource *res);

/* vgpu_vram_mgr.c */
int vgpu_vram_mgr_init(struct vgpu_device *vdev);
void vgpu_vram_mgr_fini(struct vgpu_device *vdev);
u64 vgpu_vram_usage(struct vgpu_device *vdev);
u64 vgpu_vram_visible_usage(struct vgpu_device *vdev);
u64 vgpu_gtt_usage(struct vgpu_device *vdev);
/* A page is bad: nobody gets it any more. */
int vgpu_vram_retire(struct vgpu_device *vdev, u64 offset);
int vgpu_vram_retired(struct vgpu_device *vdev, u64 offset);

extern const struct drm_gem_object_funcs vgpu_gem_funcs;	/* vgpu_gem.c */

/* An engine failed to move or clear it: what is there is somebody else's. Reserved. */
bool vgpu_bo_lost(struct vgpu_bo *bo);
int vgpu_bo_wait_move(struct vgpu_bo *bo, bool interruptible);
bool vgpu_bo_is_vgpu(struct ttm_buffer_object *tbo);
static inline struct vgpu_bo *ttm_to_vgpu_bo(struct ttm_buffer_object *tbo)
{
	return container_of(tbo, struct vgpu_bo, tbo);
}

/* Create; @vm non-NULL shares its reservation (held by the caller). May sleep. */
struct vgpu_bo *vgpu_bo_create(struct vgpu_device *vdev, u64 size, u32 align, u32 domains,
			       u64 flags, enum ttm_bo_type type, struct vgpu_vm *vm);
/* Of another driver's memory, imported. */
struct vgpu_bo *vgpu_bo_create_sg(struct vgpu_device *vdev, u64 size, struct sg_table *sgt,
				  struct dma_buf *dmabuf);
/* For others to use: in GTT, and it stays there. Reserved. */
int vgpu_bo_move_gtt(struct vgpu_bo *bo);
int vgpu_bo_pin_gtt(struct vgpu_bo *bo);
/* Where the GPU finds it: its place, or that of the buffer it stands for. Reserved. */
struct ttm_resource *vgpu_bo_place(struct vgpu_bo *bo, struct vgpu_device **owner);
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
/* Brings an evicted buffer back to where the GPU reaches it. Reserved. */
int vgpu_bo_validate(struct vgpu_bo *bo, struct ttm_operation_ctx *ctx);
int vgpu_bo_validate_free(struct vgpu_bo *bo, struct ttm_operation_ctx *ctx);
/* Maps all of it for the kernel, once; reserved or pinned. NULL-safe unmap. */
int vgpu_bo_kmap(struct vgpu_bo *bo, void **ptr);
void vgpu_bo_kunmap(struct vgpu_bo *bo);
static inline void vgpu_bo_put(struct vgpu_bo *bo)
{
	if (bo)
		drm_gem_object_put(&bo->tbo.base);
}

/* Its pages come from a process; none are there yet. Reserved. */
void vgpu_tt_set_user(struct ttm_tt *ttm, bool readonly);

/* Called by sdma late_init when copies may go through the engine. */
int vgpu_ttm_enable_moves(struct vgpu_device *vdev, struct vgpu_ring *ring);
void vgpu_ttm_disable_moves(struct vgpu_device *vdev);

/* vgpu_dmabuf.c */
struct dma_buf *vgpu_gem_export(struct drm_gem_object *obj, int flags);
struct drm_gem_object *vgpu_gem_import(struct drm_device *drm, struct dma_buf *dmabuf);
struct drm_gem_object *vgpu_gem_import_sg_table(struct drm_device *drm,
						struct dma_buf_attachment *attach,
						struct sg_table *sgt);
/* What one of ours stands for; NULL: it is another driver's. No reference. */
struct vgpu_bo *vgpu_dmabuf_bo(struct dma_buf *dmabuf);
void vgpu_dmabuf_moved(struct vgpu_bo *bo);
void vgpu_peer_forget(struct vgpu_bo *bo);
struct sg_table *vgpu_peer_map(struct drm_gem_object *obj);
void vgpu_peer_unmap(struct drm_gem_object *obj, struct sg_table *sgt);
void vgpu_peer_evacuate(struct vgpu_device *vdev);

int vgpu_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_gem_mmap_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_gem_wait_idle_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_gem_metadata_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_gem_op_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
/* vgpu_vm.c */
int vgpu_gem_va_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif
