/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Memory of a process as a buffer, AMDGPU_GEM_USERPTR: its pages are not the
 * driver's, and may go at any time. Documentation/memory.rst, "User memory".
 */
#ifndef _VGPU_USERPTR_H_
#define _VGPU_USERPTR_H_

#include <linux/mmu_notifier.h>
#include <linux/types.h>

struct dma_fence;
struct drm_device;
struct drm_exec;
struct drm_file;
struct ttm_operation_ctx;
struct vgpu_bo;
struct vgpu_device;
struct vgpu_vm;

/**
 * struct vgpu_userptr_pages - what was found behind the addresses
 * @seq: of the notifier; they are there as long as it has not moved on
 * @error: why there are none, else 0
 * @pfn: as hmm_range_fault() gives them, one a page
 */
struct vgpu_userptr_pages {
	unsigned long seq;
	int error;
	unsigned long pfn[];
};

/**
 * struct vgpu_userptr - a range of a process' memory that a buffer stands for
 * @bo: the buffer; it has this one as long as it lives
 * @notifier: hears when pages of the range go; says whose the memory is
 * @addr: where the range begins
 * @readonly: the GPU shall not write to it
 * @anon_only: it shall not be of a file
 * @found: pages that the buffer shall have next; by xchg()
 * @seq: of @notifier when the pages that the buffer has were found
 * @error: why it has none, else 0
 * @kept: the pages are there until the fences of the buffer have signalled, as long
 *        as its reservation is held now
 *
 * @seq, @error and @kept are written under the reservation of @bo. That of @notifier
 * moves on under vgpu_mman.notifier_lock: whoever holds that, and finds it to be
 * @seq, has the pages until the fences are signalled that he adds to @bo before
 * he drops it.
 */
struct vgpu_userptr {
	struct vgpu_bo *bo;
	struct mmu_interval_notifier notifier;
	u64 addr;
	bool readonly, anon_only;
	struct vgpu_userptr_pages *found;
	unsigned long seq;
	int error;
	bool kept;
};

void vgpu_userptr_fini(struct vgpu_bo *bo);
/* Why a buffer has no pages though it should; 0: it has, or it is another kind. */
int vgpu_userptr_error(const struct vgpu_bo *bo);
/* It is memory of a process other than the caller's. */
bool vgpu_userptr_foreign(const struct vgpu_bo *bo);

/* The steps of a CS: without locks, with those of @exec, and when it is pushed. */
int vgpu_userptr_find_all(struct vgpu_vm *vm);
int vgpu_userptr_adopt_all(struct vgpu_vm *vm, struct drm_exec *exec);
int vgpu_userptr_hold(struct vgpu_vm *vm, struct drm_exec *exec, bool *held);
void vgpu_userptr_release(struct vgpu_vm *vm, bool held);

/*
 * For one buffer. Only the first is for user memory alone; the caller has that memory,
 * and holds no locks for the first two, the reservation for the others.
 */
struct vgpu_bo *vgpu_userptr_create(struct vgpu_device *vdev, u64 addr, u64 size, u32 flags);
int vgpu_userptr_find_stale(struct vgpu_bo *bo);
int vgpu_userptr_adopt(struct vgpu_bo *bo, struct ttm_operation_ctx *ctx);
int vgpu_userptr_keep(struct vgpu_bo *bo, struct dma_fence *keep);
void vgpu_userptr_unkeep(struct vgpu_bo *bo);
bool vgpu_userptr_kept(const struct vgpu_bo *bo);
int vgpu_userptr_validate(struct vgpu_bo *bo);

int vgpu_gem_userptr_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif
