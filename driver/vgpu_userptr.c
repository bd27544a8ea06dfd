// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory of a process as a buffer, AMDGPU_GEM_USERPTR. No page is pinned: a
 * notifier says when they go, and jobs are given what is there when they are
 * submitted. Documentation/memory.rst, "User memory".
 */
#include <linux/hmm.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_exec.h>
#include <drm/drm_file.h>

#include "vgpu.h"
#include "vgpu_userptr.h"

#define VGPU_USERPTR_FLAGS \
	(AMDGPU_GEM_USERPTR_READONLY | AMDGPU_GEM_USERPTR_ANONONLY | \
	 AMDGPU_GEM_USERPTR_VALIDATE | AMDGPU_GEM_USERPTR_REGISTER)

/*
 * Pages of the range go, or lose rights. No job that is pushed from here on uses
 * them; those that do are waited for. Under the locks of the address space, and in
 * the path of memory reclaim.
 */
static bool vgpu_userptr_invalidate(struct mmu_interval_notifier *notifier,
				    const struct mmu_notifier_range *range, unsigned long seq)
{
	struct vgpu_userptr *up = container_of(notifier, struct vgpu_userptr, notifier);
	struct ttm_buffer_object *tbo = &up->bo->tbo;
	struct mutex *lock = &to_vgpu(tbo->base.dev)->mman.notifier_lock;

	if (!mmu_notifier_range_blockable(range))
		return false;

	mutex_lock(lock);
	mmu_interval_set_seq(notifier, seq);
	mutex_unlock(lock);

	dma_resv_wait_timeout(tbo->base.resv, DMA_RESV_USAGE_BOOKKEEP, false,
			      MAX_SCHEDULE_TIMEOUT);
	return true;
}

static const struct mmu_interval_notifier_ops vgpu_userptr_notifier_ops = {
	.invalidate = vgpu_userptr_invalidate,
};

int vgpu_userptr_error(const struct vgpu_bo *bo)
{
	return bo->userptr ? bo->userptr->error : 0;
}

bool vgpu_userptr_foreign(const struct vgpu_bo *bo)
{
	return bo->userptr && bo->userptr->notifier.mm != current->mm;
}

/**
 * vgpu_userptr_fini() - no jobs use the buffer any more
 * @bo: the buffer, of any kind
 *
 * May sleep.
 */
void vgpu_userptr_fini(struct vgpu_bo *bo)
{
	struct vgpu_userptr *up = bo->userptr;

	if (!up)
		return;
	mmu_interval_notifier_remove(&up->notifier);
	kvfree(up->found);
	kfree(up);
}

/*
 * Finding pages
 */

/* Under the mmap lock. Other holes are for hmm_range_fault() to find. */
static int vgpu_userptr_check_vmas(const struct vgpu_userptr *up, u64 end)
{
	struct vm_area_struct *vma;
	struct vma_iterator vmi;

	if (!vma_lookup(up->notifier.mm, up->addr))
		return -EFAULT;
	if (!up->anon_only)
		return 0;
	vma_iter_init(&vmi, up->notifier.mm, up->addr);
	for_each_vma_range(vmi, vma, end) {
		if (vma->vm_file)
			return -EPERM;
	}
	return 0;
}

/*
 * Fault in what is behind the addresses, for vgpu_userptr_adopt(). That there is
 * nothing is a result too; an error says that it is not known. By the process
 * whose memory it is, without locks: the pages may be anybody's business.
 */
static int vgpu_userptr_find(struct vgpu_userptr *up)
{
	unsigned long until = jiffies + msecs_to_jiffies(HMM_RANGE_DEFAULT_TIMEOUT);
	u64 size = up->bo->tbo.base.size;
	struct mm_struct *mm = up->notifier.mm;
	struct vgpu_userptr_pages *found;
	struct hmm_range range = {
		.notifier = &up->notifier,
		.start = up->addr,
		.end = up->addr + size,
		.default_flags = HMM_PFN_REQ_FAULT | (up->readonly ? 0 : HMM_PFN_REQ_WRITE),
		.dev_private_owner = up->bo->tbo.bdev,
	};
	int ret;

	found = kvzalloc(struct_size(found, pfn, size >> PAGE_SHIFT), GFP_KERNEL_ACCOUNT);
	if (!found)
		return -ENOMEM;
	range.hmm_pfns = found->pfn;

	do {
		range.notifier_seq = mmu_interval_read_begin(&up->notifier);
		mmap_read_lock(mm);
		ret = vgpu_userptr_check_vmas(up, range.end) ?: hmm_range_fault(&range);
		mmap_read_unlock(mm);
	} while (ret == -EBUSY && time_before(jiffies, until));

	if (ret && ret != -EFAULT && ret != -EPERM) {
		kvfree(found);
		/* It changes all the time. */
		return ret == -EBUSY ? -EAGAIN : ret;
	}
	found->seq = range.notifier_seq;
	found->error = ret;
	kvfree(xchg(&up->found, found));
	return 0;
}

static bool vgpu_userptr_stale(struct vgpu_userptr *up)
{
	return READ_ONCE(up->error) ||
	       mmu_interval_check_retry(&up->notifier, READ_ONCE(up->seq));
}

/**
 * vgpu_userptr_find_all() - find the pages of all user memory that may be mapped
 * @vm: the address space; the caller holds no locks
 *
 * May sleep, and wait for user space (userfaultfd). Return: 0; -ENOMEM; -EINTR;
 * -EAGAIN: it changes faster than can be looked at.
 */
int vgpu_userptr_find_all(struct vgpu_vm *vm)
{
	struct vgpu_vm_bo *vb;
	int ret;

	if (list_empty_careful(&vm->userptrs))
		return 0;

	ret = mutex_lock_interruptible(&vm->userptr_lock);
	if (ret)
		return ret;
	list_for_each_entry(vb, &vm->userptrs, userptr) {
		struct vgpu_bo *bo = to_vgpu_bo(vb->base.obj);

		/* Memory of another process stays as it was left. */
		if (vgpu_userptr_foreign(bo) || !vgpu_userptr_stale(bo->userptr))
			continue;
		ret = vgpu_userptr_find(bo->userptr);
		if (ret)
			break;
	}
	mutex_unlock(&vm->userptr_lock);
	return ret;
}

/*
 * Giving them to the buffer
 */

static bool vgpu_userptr_same(struct vgpu_bo *bo, const struct vgpu_userptr_pages *found)
{
	struct ttm_tt *ttm = bo->tbo.ttm;
	u32 i;

	for (i = 0; i < ttm->num_pages; i++) {
		if (ttm->pages[i] != hmm_pfn_to_page(found->pfn[i]))
			return false;
	}
	return true;
}

/*
 * The buffer gets the pages that were found last. Reserved. Those it had are
 * forgotten: it loses its place, and with that, before the next job, its entries in
 * page tables.
 */
int vgpu_userptr_adopt(struct vgpu_bo *bo, struct ttm_operation_ctx *ctx)
{
	struct ttm_placement nowhere = { };
	struct vgpu_userptr *up = bo->userptr;
	struct vgpu_userptr_pages *found;
	struct ttm_tt *ttm;
	int ret = 0;
	u32 i;

	found = up ? xchg(&up->found, NULL) : NULL;
	if (!found)
		return 0;

	/* The pages of a fork's parent change their rights and stay. */
	if (!found->error && !up->error && vgpu_userptr_same(bo, found)) {
		WRITE_ONCE(up->seq, found->seq);
		goto out;
	}

	vgpu_vm_bo_moved(bo, true);
	ret = ttm_bo_validate(&bo->tbo, &nowhere, ctx);
	if (ret)
		goto out;
	/* If the old one is still busy, it is another one now. */
	ttm = bo->tbo.ttm;
	for (i = 0; !found->error && i < ttm->num_pages; i++)
		ttm->pages[i] = hmm_pfn_to_page(found->pfn[i]);
	WRITE_ONCE(up->seq, found->seq);
	WRITE_ONCE(up->error, found->error);
out:
	kvfree(found);
	return ret;
}

/* The object that carries an address space's reservation is no buffer. */
static struct vgpu_bo *vgpu_userptr_bo(struct drm_gem_object *obj)
{
	struct vgpu_bo *bo;

	if (obj->funcs != &vgpu_gem_funcs)
		return NULL;
	bo = to_vgpu_bo(obj);
	return bo->userptr ? bo : NULL;
}

/**
 * vgpu_userptr_adopt_all() - have what vgpu_userptr_find_all() has found
 * @vm: the address space
 * @exec: holds all that it maps
 *
 * Buffers without memory behind their addresses have none: vgpu_userptr_error().
 * May sleep. Return: 0, -ENOMEM, -ERESTARTSYS.
 */
int vgpu_userptr_adopt_all(struct vgpu_vm *vm, struct drm_exec *exec)
{
	struct ttm_operation_ctx ctx = { .interruptible = true };
	struct drm_gem_object *obj;
	int ret;

	if (list_empty_careful(&vm->userptrs))
		return 0;
	drm_exec_for_each_locked_object(exec, obj) {
		struct vgpu_bo *bo = vgpu_userptr_bo(obj);

		ret = bo ? vgpu_userptr_adopt(bo, &ctx) : 0;
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * vgpu_userptr_hold() - are all pages still there, and keep them there
 * @vm: the address space
 * @exec: holds all that it maps
 * @held: for vgpu_userptr_release()
 *
 * On success nothing goes before vgpu_userptr_release(): until then the fence of
 * the job must be in the buffers. Nothing in between allocates.
 * Return: 0; -EAGAIN: some have gone; nothing is held then.
 */
int vgpu_userptr_hold(struct vgpu_vm *vm, struct drm_exec *exec, bool *held)
{
	struct mutex *lock = &vm->vdev->mman.notifier_lock;
	struct drm_gem_object *obj;

	*held = !list_empty_careful(&vm->userptrs);
	if (!*held)
		return 0;
	mutex_lock(lock);
	drm_exec_for_each_locked_object(exec, obj) {
		struct vgpu_bo *bo = vgpu_userptr_bo(obj);

		if (!bo || bo->userptr->error)
			continue;
		if (mmu_interval_read_retry(&bo->userptr->notifier, bo->userptr->seq)) {
			mutex_unlock(lock);
			return -EAGAIN;
		}
	}
	return 0;
}

/**
 * vgpu_userptr_release() - undo vgpu_userptr_hold()
 * @vm: the address space
 * @held: what that said
 */
void vgpu_userptr_release(struct vgpu_vm *vm, bool held)
{
	if (held)
		mutex_unlock(&vm->vdev->mman.notifier_lock);
}

/**
 * vgpu_userptr_find_stale() - find the pages of one buffer, if those it has are gone
 * @bo: the buffer, of any kind
 *
 * For vgpu_userptr_adopt(). As vgpu_userptr_find_all().
 */
int vgpu_userptr_find_stale(struct vgpu_bo *bo)
{
	return bo->userptr && vgpu_userptr_stale(bo->userptr) ? vgpu_userptr_find(bo->userptr) : 0;
}

/**
 * vgpu_userptr_keep() - whoever signals a fence sees to it that nobody uses the buffer
 * @bo: the buffer, of any kind, with room for a fence
 * @keep: the fence
 *
 * If pages go from now on, they wait for the fence. Nothing but the reservation is held
 * when it returns 0. Return: 0; -EAGAIN: some have gone already.
 */
int vgpu_userptr_keep(struct vgpu_bo *bo, struct dma_fence *keep)
{
	struct mutex *lock = &to_vgpu(bo->tbo.base.dev)->mman.notifier_lock;
	struct vgpu_userptr *up = bo->userptr;

	if (!up) {
		dma_resv_add_fence(bo->tbo.base.resv, keep, DMA_RESV_USAGE_BOOKKEEP);
		return 0;
	}
	mutex_lock(lock);
	if (mmu_interval_read_retry(&up->notifier, up->seq)) {
		mutex_unlock(lock);
		return -EAGAIN;
	}
	dma_resv_add_fence(bo->tbo.base.resv, keep, DMA_RESV_USAGE_BOOKKEEP);
	mutex_unlock(lock);
	up->kept = true;
	return 0;
}

/**
 * vgpu_userptr_unkeep() - the reservation is about to be dropped
 * @bo: the buffer, of any kind
 */
void vgpu_userptr_unkeep(struct vgpu_bo *bo)
{
	if (bo->userptr)
		bo->userptr->kept = false;
}

/**
 * vgpu_userptr_kept() - may page tables lead to the buffer while things run?
 * @bo: the buffer, of any kind
 */
bool vgpu_userptr_kept(const struct vgpu_bo *bo)
{
	return !bo->userptr || bo->userptr->kept;
}

/*
 * Making one
 */

/**
 * vgpu_userptr_create() - make a buffer of the caller's memory
 * @vdev: the die
 * @addr: where it begins, whole pages
 * @size: bytes
 * @flags: AMDGPU_GEM_USERPTR_READONLY, AMDGPU_GEM_USERPTR_ANONONLY
 *
 * It has no pages yet. May sleep. Return: the buffer or an ERR_PTR().
 */
struct vgpu_bo *vgpu_userptr_create(struct vgpu_device *vdev, u64 addr, u64 size, u32 flags)
{
	struct vgpu_userptr *up;
	struct vgpu_bo *bo;
	int ret;

	bo = vgpu_bo_create(vdev, size, PAGE_SIZE, AMDGPU_GEM_DOMAIN_CPU, 0, ttm_bo_type_device,
			    NULL);
	if (IS_ERR(bo))
		return bo;
	ret = -ENOMEM;
	up = kzalloc(sizeof(*up), GFP_KERNEL_ACCOUNT);
	if (!up)
		goto err_bo;

	up->bo = bo;
	up->addr = addr;
	up->readonly = flags & AMDGPU_GEM_USERPTR_READONLY;
	up->anon_only = flags & AMDGPU_GEM_USERPTR_ANONONLY;
	/* Nobody has looked yet. */
	up->error = -EFAULT;
	ret = mmu_interval_notifier_insert(&up->notifier, current->mm, addr, size,
					   &vgpu_userptr_notifier_ops);
	if (ret)
		goto err_up;

	ret = ttm_bo_reserve(&bo->tbo, false, false, NULL);
	/* Nobody interrupts this, so it cannot fail. */
	WARN_ON_ONCE(ret);
	bo->domains = AMDGPU_GEM_DOMAIN_GTT;
	bo->allowed = AMDGPU_GEM_DOMAIN_GTT;
	bo->userptr = up;
	vgpu_tt_set_user(bo->tbo.ttm, up->readonly);
	ttm_bo_unreserve(&bo->tbo);
	return bo;

err_up:
	kfree(up);
err_bo:
	vgpu_bo_put(bo);
	return ERR_PTR(ret);
}

/**
 * vgpu_userptr_validate() - bring it to where the GPU reaches it, now
 * @bo: a buffer of the caller's memory
 *
 * Else the first job sees to that. May sleep.
 * Return: 0; -EFAULT, -EPERM: there is no such memory; -EAGAIN, -ENOMEM, -ERESTARTSYS.
 */
int vgpu_userptr_validate(struct vgpu_bo *bo)
{
	struct ttm_operation_ctx ctx = { .interruptible = true };
	int ret;

	ret = vgpu_userptr_find(bo->userptr);
	if (ret)
		return ret;
	ret = ttm_bo_reserve(&bo->tbo, true, false, NULL);
	if (ret)
		return ret;
	ret = vgpu_userptr_adopt(bo, &ctx) ?: vgpu_bo_validate(bo, &ctx);
	ttm_bo_unreserve(&bo->tbo);
	return ret;
}

/**
 * vgpu_gem_userptr_ioctl() - AMDGPU_GEM_USERPTR: a buffer of the caller's memory
 * @drm: the die
 * @data: struct drm_amdgpu_gem_userptr
 * @file: the file
 *
 * Return: 0 with the handle; -EINVAL for a bad flag, or what is not whole pages;
 * -EACCES for memory that the GPU may write and no notifier looks after; -EFAULT
 * and -EPERM for memory that is not there or not as the flags say;
 * -EOVERFLOW for a range with no end; -ENOMEM; -ENOSPC; -EAGAIN; -ERESTARTSYS.
 */
int vgpu_gem_userptr_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const u32 writer = AMDGPU_GEM_USERPTR_READONLY | AMDGPU_GEM_USERPTR_REGISTER;
	struct drm_amdgpu_gem_userptr *args = data;
	struct vgpu_bo *bo;
	u32 handle;
	int ret;

	args->addr = untagged_addr(args->addr);
	if (offset_in_page(args->addr | args->size) || args->flags & ~VGPU_USERPTR_FLAGS)
		return -EINVAL;
	if (!(args->flags & writer))
		return -EACCES;

	bo = vgpu_userptr_create(to_vgpu(drm), args->addr, args->size, args->flags);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ret = args->flags & AMDGPU_GEM_USERPTR_VALIDATE ? vgpu_userptr_validate(bo) : 0;
	if (!ret)
		ret = drm_gem_handle_create(file, &bo->tbo.base, &handle);
	if (!ret)
		args->handle = handle;
	/* The handle has a reference of its own. */
	vgpu_bo_put(bo);
	return ret;
}
