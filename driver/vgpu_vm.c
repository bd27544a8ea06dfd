// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Address spaces: what user space has mapped where, kept by drm_gpuvm, and when
 * the page tables follow. Documentation/memory.rst, "Address spaces".
 */
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_exec.h>
#include <drm/drm_file.h>

#include <hw/pte.h>

#include "vgpu.h"
#include "vgpu_userptr.h"

static bool vgpu_cpu_updates;
module_param_named(cpu_updates, vgpu_cpu_updates, bool, 0444);
MODULE_PARM_DESC(cpu_updates,
		 "The CPU moves buffers and writes page tables, as without an SDMA engine (default: no)");

/* A change of the tree needs at most: the new mapping, and what is left on both sides. */
#define VGPU_VA_SPARE		3

/**
 * struct vgpu_vm_step - passed through drm_gpuvm to the steps of a change
 * @vm: the address space
 * @vm_bo: of the new mapping, NULL for none
 * @flags: of the new mapping
 * @spare: mappings to be used, so that no step fails
 */
struct vgpu_vm_step {
	struct vgpu_vm *vm;
	struct drm_gpuvm_bo *vm_bo;
	u64 flags;
	struct vgpu_va *spare[VGPU_VA_SPARE];
};

static struct vgpu_vm_bo *to_vgpu_vm_bo(struct drm_gpuvm_bo *vm_bo)
{
	return container_of(vm_bo, struct vgpu_vm_bo, base);
}

/*
 * Mappings
 */

static void vgpu_va_free(struct vgpu_va *va)
{
	list_del(&va->state);
	kfree(va);
}

static struct vgpu_va *vgpu_va_take(struct vgpu_vm_step *step)
{
	unsigned int i;

	for (i = 0; i < VGPU_VA_SPARE; i++) {
		struct vgpu_va *va = step->spare[i];

		if (va) {
			step->spare[i] = NULL;
			return va;
		}
	}
	WARN_ON_ONCE(1);
	return NULL;
}

static void vgpu_va_insert(struct vgpu_vm *vm, struct vgpu_va *va, u64 flags,
			   struct drm_gpuvm_bo *vm_bo)
{
	va->flags = flags;
	if (vm_bo)
		drm_gpuva_link(&va->base, vm_bo);
	list_add_tail(&va->state, &vm->invalid);
}

/* It is out of the tree; its PTEs may be there until the next update. */
static void vgpu_va_retire(struct vgpu_vm *vm, struct vgpu_va *va)
{
	if (va->base.gem.obj)
		drm_gpuva_unlink(&va->base);
	if (va->written)
		list_move_tail(&va->state, &vm->freed);
	else
		vgpu_va_free(va);
}

static int vgpu_vm_step_map(struct drm_gpuva_op *op, void *priv)
{
	struct vgpu_vm_step *step = priv;
	struct vgpu_va *va = vgpu_va_take(step);

	if (!va)
		return -EINVAL;
	drm_gpuva_map(&step->vm->base, &va->base, &op->map);
	vgpu_va_insert(step->vm, va, step->flags, step->vm_bo);
	return 0;
}

static int vgpu_vm_step_remap(struct drm_gpuva_op *op, void *priv)
{
	struct vgpu_va *old = to_vgpu_va(op->remap.unmap->va);
	struct vgpu_va *prev = NULL, *next = NULL;
	struct vgpu_vm_step *step = priv;

	if (op->remap.prev) {
		prev = vgpu_va_take(step);
		if (!prev)
			return -EINVAL;
	}
	if (op->remap.next) {
		next = vgpu_va_take(step);
		if (!next) {
			kfree(prev);
			return -EINVAL;
		}
	}

	drm_gpuva_remap(prev ? &prev->base : NULL, next ? &next->base : NULL, &op->remap);
	/* Fragments end where a mapping does: what is left is written anew. */
	if (prev)
		vgpu_va_insert(step->vm, prev, old->flags, old->base.vm_bo);
	if (next)
		vgpu_va_insert(step->vm, next, old->flags, old->base.vm_bo);
	vgpu_va_retire(step->vm, old);
	return 0;
}

static int vgpu_vm_step_unmap(struct drm_gpuva_op *op, void *priv)
{
	struct vgpu_vm_step *step = priv;

	drm_gpuva_unmap(&op->unmap);
	vgpu_va_retire(step->vm, to_vgpu_va(op->unmap.va));
	return 0;
}

static struct drm_gpuvm_bo *vgpu_vm_bo_alloc(void)
{
	struct vgpu_vm_bo *vb = kzalloc(sizeof(*vb), GFP_KERNEL_ACCOUNT);

	if (!vb)
		return NULL;
	INIT_LIST_HEAD(&vb->userptr);
	return &vb->base;
}

static void vgpu_vm_bo_free(struct drm_gpuvm_bo *vm_bo)
{
	kfree(to_vgpu_vm_bo(vm_bo));
}

/*
 * A buffer that has moved: its PTEs say where it was, and are written anew before
 * the next job. What the job names in its BO list has been brought back already,
 * and what belongs to the address space must be there. Of the rest comes back what
 * finds room; what does not is not mapped for the time being, as with amdgpu.
 */
static int vgpu_vm_bo_validate(struct drm_gpuvm_bo *vm_bo, struct drm_exec *exec)
{
	struct ttm_operation_ctx ctx = { .interruptible = true };
	struct vgpu_vm *vm = to_vgpu_vm(vm_bo->vm);
	struct vgpu_bo *bo = to_vgpu_bo(vm_bo->obj);
	struct drm_gpuva *va;
	int ret;

	if (drm_gpuvm_is_extobj(vm_bo->vm, vm_bo->obj)) {
		/* -ENODEV: it is in the memory of a die that is gone; -EIO: it was, and is lost. */
		ret = vgpu_bo_validate_free(bo, &ctx);
		if (ret && ret != -ENOMEM && ret != -ENODEV && !(ret == -EIO && bo->peer) &&
		    ret != vgpu_userptr_error(bo))
			return ret;
	} else {
		ret = vgpu_bo_validate(bo, &ctx);
		if (ret)
			return ret;
	}

	drm_gpuvm_bo_for_each_va(va, vm_bo)
		list_move_tail(&to_vgpu_va(va)->state, &vm->invalid);
	/* When it is not there, the next job tries again. */
	drm_gpuvm_bo_evict(vm_bo, ret);
	return 0;
}

static void vgpu_vm_free(struct drm_gpuvm *gpuvm)
{
	struct vgpu_vm *vm = to_vgpu_vm(gpuvm);

	mutex_destroy(&vm->userptr_lock);
	dma_fence_put(vm->last_update);
	kfree(vm);
}

static const struct drm_gpuvm_ops vgpu_vm_ops = {
	.vm_free = vgpu_vm_free,
	.vm_bo_alloc = vgpu_vm_bo_alloc,
	.vm_bo_free = vgpu_vm_bo_free,
	.vm_bo_validate = vgpu_vm_bo_validate,
	.sm_step_map = vgpu_vm_step_map,
	.sm_step_remap = vgpu_vm_step_remap,
	.sm_step_unmap = vgpu_vm_step_unmap,
};

/*
 * Updates
 */

/* Whether @exec, if any, has locked @obj, or it shares the lock of the address space. */
static bool vgpu_vm_holds(struct vgpu_vm *vm, struct drm_exec *exec, struct drm_gem_object *obj)
{
	struct drm_gem_object *locked;

	if (!obj || obj->resv == vgpu_vm_resv(vm))
		return true;
	if (!exec)
		return false;
	drm_exec_for_each_locked_object(exec, locked) {
		if (locked == obj)
			return true;
	}
	return false;
}

/*
 * Whether the entries of a mapping can be written now. When not all buffers are
 * locked, and validated, that must wait until they are. Who knows whether pages of
 * a process are still there: no job that runs may get to them, unless they are kept.
 */
static bool vgpu_va_ready(struct vgpu_vm *vm, struct drm_exec *exec, struct vgpu_va *va, bool all)
{
	struct drm_gem_object *obj = va->base.gem.obj;
	struct vgpu_device *owner;
	struct ttm_resource *res;

	if (all || !obj)
		return true;
	if (!vgpu_vm_holds(vm, exec, obj) || va->base.vm_bo->evicted ||
	    !vgpu_userptr_kept(to_vgpu_bo(obj)))
		return false;
	res = vgpu_bo_place(to_vgpu_bo(obj), &owner);
	return res && res->mem_type != TTM_PL_SYSTEM;
}

/* Clear what was mapped here, but not what @todo has mapped here since. */
static int vgpu_vm_clear_freed(struct vgpu_vm_update *u, struct vgpu_va *freed)
{
	u64 start = freed->base.va.addr;
	u64 end = start + freed->base.va.range;
	struct drm_gpuva *va;
	int ret;

	drm_gpuvm_for_each_va_range(va, &u->vm->base, start, end) {
		if (!to_vgpu_va(va)->pending)
			continue;
		if (va->va.addr > start) {
			ret = vgpu_pt_clear_range(u, start, va->va.addr);
			if (ret)
				return ret;
		}
		start = min(end, va->va.addr + va->va.range);
	}
	return start < end ? vgpu_pt_clear_range(u, start, end) : 0;
}

static int vgpu_vm_write(struct vgpu_vm *vm, struct list_head *todo, bool after_all_jobs)
{
	struct vgpu_vm_update *u;
	struct dma_resv *resv;
	struct vgpu_va *va;
	int ret;

	u = vgpu_update_begin(vm, after_all_jobs);
	if (IS_ERR(u))
		return PTR_ERR(u);

	list_for_each_entry(va, todo, state) {
		resv = va->base.gem.obj ? va->base.gem.obj->resv : NULL;
		if (!resv || resv == vgpu_vm_resv(vm))
			continue;
		ret = vgpu_update_depend(u, resv);
		if (ret)
			goto err_abort;
	}

	ret = vgpu_pt_link_new(u);
	if (ret)
		goto err_abort;
	list_for_each_entry(va, &vm->freed, state) {
		ret = vgpu_vm_clear_freed(u, va);
		if (ret)
			goto err_abort;
	}
	list_for_each_entry(va, todo, state) {
		ret = vgpu_pt_write_va(u, va);
		if (ret)
			goto err_abort;
	}
	return vgpu_update_commit(u);

err_abort:
	vgpu_update_abort(u);
	return ret;
}

/*
 * Bring the tables up to the tree. @all: every buffer that is mapped is locked and
 * validated; else mappings of others are left for later.
 */
static int vgpu_vm_flush(struct vgpu_vm *vm, struct drm_exec *exec, bool all)
{
	u64 generation = atomic64_read(&vm->vdev->vm_manager.generation);
	bool lost = vgpu_vm_is_lost(vm);
	struct vgpu_va *va, *next;
	struct drm_gpuva *gva;
	bool tried = false;
	LIST_HEAD(todo);
	int ret = 0, err = 0;

	if (lost) {
		/* The next job sees to it, and without jobs vgpu_vm_rewrite(). */
		if (!all) {
			vgpu_kfd_stop_queues(vm->kfd);
			return 0;
		}
		vgpu_pt_forget(vm);
		list_for_each_entry_safe(va, next, &vm->freed, state)
			vgpu_va_free(va);
		drm_gpuvm_for_each_va(gva, &vm->base)
			list_move_tail(&to_vgpu_va(gva)->state, &vm->invalid);
	}

	list_for_each_entry_safe(va, next, &vm->invalid, state) {
		if (!vgpu_va_ready(vm, exec, va, all))
			continue;
		/* It is left for later. What goes away has to be cleared all the same. */
		err = vgpu_pt_prepare_va(vm, va);
		if (err)
			break;
		va->pending = true;
		list_move_tail(&va->state, &todo);
	}

	if (!list_empty(&todo) || !list_empty(&vm->freed) || !list_empty(&vm->new_pts)) {
		/* A job may be using what is cleared; nobody uses what was not there. */
		tried = true;
		ret = vgpu_vm_write(vm, &todo, lost || !list_empty(&vm->freed));
		/* When it failed, who knows what was written. */
		vm->generation = ret ? 0 : generation;
		if (ret && ret != -ENODEV)
			vgpu_kfd_stop_queues(vm->kfd);
		if (!ret) {
			vgpu_pt_linked(vm);
			vgpu_pt_free_list(vm, &vm->dead_pts);
			list_for_each_entry_safe(va, next, &vm->freed, state)
				vgpu_va_free(va);
		}
	}

	list_for_each_entry_safe(va, next, &todo, state) {
		va->pending = false;
		va->written |= tried;
		if (ret)
			list_move_tail(&va->state, &vm->invalid);
		else
			list_del_init(&va->state);
	}
	return ret ?: err;
}

/*
 * What was just written, or cleared, keeps the memory of the buffers concerned.
 * Not after an update that failed: its own fence, newer than that of the last one,
 * has taken the only room there is; and the next job starts the tables over.
 */
static void vgpu_vm_fence_locked(struct vgpu_vm *vm, struct drm_exec *exec)
{
	struct drm_gem_object *obj;

	if (!vm->last_update)
		return;
	drm_exec_for_each_locked_object(exec, obj)
		dma_resv_add_fence(obj->resv, vm->last_update, DMA_RESV_USAGE_BOOKKEEP);
}

/**
 * vgpu_vm_lock() - lock all that a job of an address space may reach
 * @vm: the address space
 * @exec: the caller's, in its drm_exec_until_all_locked() loop
 * @num_fences: that the caller will add to each
 *
 * May sleep. Return: 0; -EDEADLK or another negative error of drm_exec.
 */
int vgpu_vm_lock(struct vgpu_vm *vm, struct drm_exec *exec, unsigned int num_fences)
{
	int ret;

	ret = drm_gpuvm_prepare_vm(&vm->base, exec, num_fences);
	if (ret)
		return ret;
	vm->num_fences = num_fences;
	/* What has moved so far is found by it. */
	WRITE_ONCE(vm->moved, false);
	return drm_gpuvm_prepare_objects(&vm->base, exec, num_fences);
}

/**
 * vgpu_vm_update() - get an address space ready for a job
 * @vm: the address space, locked by vgpu_vm_lock()
 * @exec: what holds the locks
 * @fence: update that the job must wait for, a reference for the caller, or NULL;
 *         may be NULL since vgpu_vm_job_bind() does all that is needed
 *
 * Brings buffers back that had to leave, and the page tables up to date. Room for
 * the caller's fences is there when it returns. May sleep and evict.
 * Return: 0 or a negative error: -ENOMEM, -ENOSPC, -ERESTARTSYS, -ENODEV.
 */
int vgpu_vm_update(struct vgpu_vm *vm, struct drm_exec *exec, struct dma_fence **fence)
{
	struct drm_gem_object *obj;
	int ret;

	/*
	 * What is locked looks as drm_gpuvm knew it when it was locked. Since then the
	 * caller may have moved some, by validating what the job names.
	 */
	if (READ_ONCE(vm->moved)) {
		ret = drm_gpuvm_prepare_objects(&vm->base, exec, vm->num_fences);
		if (ret)
			return ret;
	}
	ret = drm_gpuvm_validate(&vm->base, exec);
	if (ret)
		return ret;
	ret = vgpu_vm_flush(vm, exec, true);
	if (ret)
		return ret;

	/* Moves have used up some. */
	drm_exec_for_each_locked_object(exec, obj) {
		ret = dma_resv_reserve_fences(obj->resv, vm->num_fences);
		if (ret)
			return ret;
	}
	if (fence)
		*fence = dma_fence_get(vm->last_update);
	return 0;
}

static int vgpu_vm_swap_out(struct vgpu_vm *vm, u32 mem_type)
{
	static const struct ttm_place system = { .mem_type = TTM_PL_SYSTEM };
	struct ttm_placement placement = { .num_placement = 1, .placement = &system };
	struct ttm_operation_ctx ctx = { .interruptible = true };
	struct drm_gpuvm_bo *vm_bo;
	struct vgpu_bo *bo;
	int ret;

	list_for_each_entry(vm_bo, &vm->base.extobj.list, list.entry.extobj) {
		bo = to_vgpu_bo(vm_bo->obj);
		if (bo->tbo.pin_count || !bo->tbo.resource ||
		    bo->tbo.resource->mem_type != mem_type)
			continue;
		ret = ttm_bo_validate(&bo->tbo, &placement, &ctx);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * vgpu_vm_make_room() - move out what the address space maps
 * @vm: the address space, locked by vgpu_vm_lock()
 *
 * For a CS whose BO list does not fit: TTM evicts only what nobody has locked, and
 * the CS has locked all that is mapped. After it the list is validated again, from
 * its beginning. Slow, but for those only who want more than there is.
 * May sleep. Return: 0 or a negative error.
 */
int vgpu_vm_make_room(struct vgpu_vm *vm)
{
	int ret;

	/* GTT first: VRAM goes through it. */
	ret = vgpu_vm_swap_out(vm, TTM_PL_TT);
	return ret ? ret : vgpu_vm_swap_out(vm, TTM_PL_VRAM);
}

/**
 * vgpu_vm_job_bind() - tell a job which page tables it will see
 * @vm: the address space, updated and still locked
 * @job: the job, not armed
 *
 * Return: 0 or a negative error.
 */
int vgpu_vm_job_bind(struct vgpu_vm *vm, struct vgpu_job *job)
{
	job->tlb_seq = vm->tlb_seq;
	job->vm_generation = vm->generation;
	job->pd_addr = vm->pd_addr;
	if (!vm->last_update)
		return 0;
	/* Consumes the reference. */
	return drm_sched_job_add_dependency(&job->base, dma_fence_get(vm->last_update));
}

void vgpu_vm_resv_add_fence(struct vgpu_vm *vm, struct drm_exec *exec, struct dma_fence *fence)
{
	drm_gpuvm_resv_add_fence(&vm->base, exec, fence, DMA_RESV_USAGE_WRITE,
				 DMA_RESV_USAGE_BOOKKEEP);
}

/**
 * vgpu_vm_lookup() - what is mapped at an address
 * @vm: the address space, reserved
 * @va: the address, with or without the sign in its upper bits
 * @offset: of @va in the buffer; may be NULL
 *
 * Return: the buffer, without a reference, or NULL.
 */
struct vgpu_bo *vgpu_vm_lookup(struct vgpu_vm *vm, u64 va, u64 *offset)
{
	struct drm_gpuva *gva;

	va &= VGPU_GMC_HOLE_MASK;
	gva = drm_gpuva_find_first(&vm->base, va, 1);
	if (!gva || !gva->gem.obj)
		return NULL;
	if (offset)
		*offset = gva->gem.offset + (va - gva->va.addr);
	return to_vgpu_bo(gva->gem.obj);
}

/*
 * Buffers
 */

/**
 * vgpu_vm_bo_moved() - a buffer moves
 * @bo: the buffer, reserved
 * @evicted: it had to
 *
 * Whoever maps it validates it, and writes the entries, before its next job.
 */
void vgpu_vm_bo_moved(struct vgpu_bo *bo, bool evicted)
{
	struct drm_gpuvm_bo *vm_bo;

	drm_gem_for_each_gpuvm_bo(vm_bo, &bo->tbo.base) {
		drm_gpuvm_bo_evict(vm_bo, true);
		WRITE_ONCE(to_vgpu_vm(vm_bo->vm)->moved, true);
	}
}

/**
 * vgpu_vm_bo_open() - a file got a handle of a buffer
 * @vm: the file's address space
 * @bo: the buffer
 *
 * May sleep. Return: 0; -EPERM: it belongs to another address space; -ENOMEM,
 * -ERESTARTSYS.
 */
int vgpu_vm_bo_open(struct vgpu_vm *vm, struct vgpu_bo *bo)
{
	struct dma_resv *resv = bo->tbo.base.resv;
	struct drm_gpuvm_bo *vm_bo;
	int ret;

	if (bo->flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID && bo->resv_obj != vm->base.r_obj)
		return -EPERM;

	ret = bo->userptr ? mutex_lock_interruptible(&vm->userptr_lock) : 0;
	if (ret)
		return ret;
	ret = dma_resv_lock_interruptible(resv, NULL);
	if (ret)
		goto out;
	vm_bo = drm_gpuvm_bo_obtain(&vm->base, &bo->tbo.base);
	if (IS_ERR(vm_bo)) {
		ret = PTR_ERR(vm_bo);
	} else if (to_vgpu_vm_bo(vm_bo)->handles++) {
		/* The first handle has the reference for all. */
		drm_gpuvm_bo_put(vm_bo);
	} else if (bo->userptr) {
		/* Before anybody can map it. */
		list_add_tail(&to_vgpu_vm_bo(vm_bo)->userptr, &vm->userptrs);
	}
	dma_resv_unlock(resv);
out:
	if (bo->userptr)
		mutex_unlock(&vm->userptr_lock);
	return ret;
}

/* Both reservations, without needing memory for it and without being interrupted. */
static void vgpu_vm_lock_both(struct vgpu_vm *vm, struct vgpu_bo *bo, struct ww_acquire_ctx *ticket)
{
	struct dma_resv *held = vgpu_vm_resv(vm), *other = bo->tbo.base.resv;

	ww_acquire_init(ticket, &reservation_ww_class);
	dma_resv_lock(held, ticket);
	if (other != held) {
		while (dma_resv_lock(other, ticket) == -EDEADLK) {
			dma_resv_unlock(held);
			dma_resv_lock_slow(other, ticket);
			swap(held, other);
		}
	}
	ww_acquire_done(ticket);
}

static void vgpu_vm_unlock_both(struct vgpu_vm *vm, struct dma_resv *resv,
				struct ww_acquire_ctx *ticket)
{
	dma_resv_unlock(resv);
	if (resv != vgpu_vm_resv(vm))
		dma_resv_unlock(vgpu_vm_resv(vm));
	ww_acquire_fini(ticket);
}

/**
 * vgpu_vm_bo_close() - a file lost a handle of a buffer
 * @vm: the file's address space
 * @bo: the buffer
 *
 * With the last handle the mappings go. The buffer's memory stays until jobs that
 * can reach it, and the update that clears the entries, are done. May sleep.
 */
void vgpu_vm_bo_close(struct vgpu_vm *vm, struct vgpu_bo *bo)
{
	struct dma_resv *resv = bo->tbo.base.resv;
	struct ww_acquire_ctx ticket;
	struct drm_gpuvm_bo *vm_bo;
	struct drm_gpuva *va, *next;
	int ret, idx;

	if (bo->userptr)
		mutex_lock(&vm->userptr_lock);
	vgpu_vm_lock_both(vm, bo, &ticket);
	vm_bo = drm_gpuvm_bo_find(&vm->base, &bo->tbo.base);
	if (WARN_ON_ONCE(!vm_bo))
		goto out;
	if (--to_vgpu_vm_bo(vm_bo)->handles) {
		drm_gpuvm_bo_put(vm_bo);
		goto out;
	}

	drm_gpuvm_bo_for_each_va_safe(va, next, vm_bo) {
		drm_gpuva_remove(va);
		vgpu_va_retire(vm, to_vgpu_va(va));
	}
	/*
	 * What is not cleared now is before the next job, or none runs. The CPU would
	 * have to wait for jobs here, so it does not, unless queues may be running.
	 */
	if (!list_empty(&vm->freed) &&
	    (vm->kfd || READ_ONCE(vm->vdev->vm_manager.update_ring)) &&
	    vgpu_hw_enter(vm->vdev, &idx)) {
		ret = vgpu_vm_flush(vm, NULL, false);
		if (ret)
			drm_dbg(&vm->vdev->drm, "pid %d: page tables: %d\n", vm->pid, ret);
		vgpu_hw_exit(idx);
	}
	if (vm->last_update) {
		if (!dma_resv_reserve_fences(resv, 1))
			dma_resv_add_fence(resv, vm->last_update, DMA_RESV_USAGE_BOOKKEEP);
		else
			dma_fence_wait(vm->last_update, false);
	}
	list_del_init(&to_vgpu_vm_bo(vm_bo)->userptr);
	/* The one that was found, and that of the handles. */
	drm_gpuvm_bo_put(vm_bo);
	drm_gpuvm_bo_put(vm_bo);
out:
	vgpu_vm_unlock_both(vm, resv, &ticket);
	if (bo->userptr)
		mutex_unlock(&vm->userptr_lock);
}

/*
 * Life of an address space
 */

struct dma_resv *vgpu_vm_resv(struct vgpu_vm *vm)
{
	return drm_gpuvm_resv(&vm->base);
}

struct drm_gem_object *vgpu_vm_get_resv_obj(struct vgpu_vm *vm)
{
	drm_gem_object_get(vm->base.r_obj);
	return vm->base.r_obj;
}

void vgpu_vm_get(struct vgpu_vm *vm)
{
	drm_gpuvm_get(&vm->base);
}

void vgpu_vm_put(struct vgpu_vm *vm)
{
	if (vm)
		drm_gpuvm_put(&vm->base);
}

/* Numbers of processes and address spaces, in interrupts; those of all dies are different. */
static DEFINE_IDR(vgpu_pasids);
static DEFINE_SPINLOCK(vgpu_pasids_lock);	/* guards vgpu_pasids */

/*
 * In turns: interrupts of the one who had a number last may be on their way. May sleep.
 * Return: 1 to 65535, -ENOSPC, -ENOMEM.
 */
int vgpu_pasid_alloc(void)
{
	int pasid;

	idr_preload(GFP_KERNEL);
	spin_lock(&vgpu_pasids_lock);
	pasid = idr_alloc_cyclic(&vgpu_pasids, NULL, 1, U16_MAX + 1, GFP_NOWAIT);
	spin_unlock(&vgpu_pasids_lock);
	idr_preload_end();
	return pasid;
}

void vgpu_pasid_free(u32 pasid)
{
	spin_lock(&vgpu_pasids_lock);
	idr_remove(&vgpu_pasids, pasid);
	spin_unlock(&vgpu_pasids_lock);
}

/**
 * vgpu_vm_create() - make an address space
 * @vdev: the die
 * @pid: whose
 * @comm: its name
 *
 * May sleep. Return: the address space, to be closed by vgpu_vm_close(), or an
 * ERR_PTR().
 */
struct vgpu_vm *vgpu_vm_create(struct vgpu_device *vdev, pid_t pid, const char *comm)
{
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;
	struct drm_gem_object *resv_obj;
	struct vgpu_pt *root;
	struct vgpu_vm *vm;
	int ret;

	vm = kzalloc(sizeof(*vm), GFP_KERNEL_ACCOUNT);
	if (!vm)
		return ERR_PTR(-ENOMEM);
	resv_obj = drm_gpuvm_resv_object_alloc(&vdev->drm);
	if (!resv_obj) {
		kfree(vm);
		return ERR_PTR(-ENOMEM);
	}
	drm_gpuvm_init(&vm->base, "vgpu", DRM_GPUVM_RESV_PROTECTED, &vdev->drm, resv_obj, 0,
		       VGPU_VA_END, 0, 0, &vgpu_vm_ops);
	drm_gem_object_put(resv_obj);

	vm->vdev = vdev;
	vm->id = atomic64_inc_return(&mgr->next_id);
	vm->pid = pid;
	strscpy(vm->comm, comm, sizeof(vm->comm));
	INIT_LIST_HEAD(&vm->new_pts);
	INIT_LIST_HEAD(&vm->dead_pts);
	INIT_LIST_HEAD(&vm->invalid);
	INIT_LIST_HEAD(&vm->freed);
	mutex_init(&vm->userptr_lock);
	INIT_LIST_HEAD(&vm->userptrs);
	vm->tlb_seq = 1;
	vm->tlb_context = dma_fence_context_alloc(1);
	vm->generation = atomic64_read(&mgr->generation);

	dma_resv_lock(vgpu_vm_resv(vm), NULL);
	root = vgpu_pt_create(vm, NULL, 0);
	dma_resv_unlock(vgpu_vm_resv(vm));
	if (IS_ERR(root)) {
		ret = PTR_ERR(root);
		goto err_put;
	}
	vm->root = root;
	vm->pd_addr = vgpu_pt_pa(vm, root);

	ret = vgpu_pasid_alloc();
	if (ret < 0)
		goto err_root;
	vm->own_pasid = ret;
	vm->pasid = ret;
	/* From here on faults find it. */
	ret = xa_insert(&mgr->pasids, vm->pasid, vm, GFP_KERNEL);
	if (ret)
		goto err_pasid;
	return vm;

err_pasid:
	vgpu_pasid_free(vm->own_pasid);
err_root:
	dma_resv_lock(vgpu_vm_resv(vm), NULL);
	vgpu_pt_free_tree(vm, root);
	dma_resv_unlock(vgpu_vm_resv(vm));
err_put:
	vgpu_vm_put(vm);
	return ERR_PTR(ret);
}

/**
 * vgpu_vm_set_process() - an address space is that of a process of /dev/kfd
 * @vm: the address space
 * @pasid: of the process, the same on all dies; 0: it is its own again, as before
 *
 * May sleep; does not fail when @pasid is 0. Return: 0, -ENOMEM.
 */
int vgpu_vm_set_process(struct vgpu_vm *vm, u32 pasid)
{
	struct xarray *pasids = &vm->vdev->vm_manager.pasids;
	u32 old = vm->pasid;
	int ret;

	if (pasid) {
		ret = xa_insert(pasids, pasid, vm, GFP_KERNEL);
		if (ret)
			return ret;
		/* It is kept for later, and nobody finds the address space twice. */
		xa_store(pasids, old, XA_ZERO_ENTRY, GFP_KERNEL);
	} else {
		pasid = vm->own_pasid;
		xa_store(pasids, pasid, vm, GFP_KERNEL);
		xa_erase(pasids, old);
	}
	vgpu_vmid_set_process(vm, pasid);
	return 0;
}

/**
 * vgpu_vm_close() - the file is closed
 * @vm: its address space; NULL is ignored
 *
 * Its handles are closed already. Jobs that are still running keep the tables'
 * memory by their fences, and the structure by their references. May sleep.
 */
void vgpu_vm_close(struct vgpu_vm *vm)
{
	struct drm_gpuva *va, *next;
	struct vgpu_va *freed, *tmp;

	if (!vm)
		return;

	vgpu_vmid_unreserve(vm);
	xa_erase(&vm->vdev->vm_manager.pasids, vm->own_pasid);
	vgpu_pasid_free(vm->own_pasid);

	dma_resv_lock(vgpu_vm_resv(vm), NULL);
	/* Without a buffer: PRT. */
	drm_gpuvm_for_each_va_safe(va, next, &vm->base) {
		drm_gpuva_remove(va);
		vgpu_va_retire(vm, to_vgpu_va(va));
	}
	list_for_each_entry_safe(freed, tmp, &vm->freed, state)
		vgpu_va_free(freed);
	vgpu_pt_free_tree(vm, vm->root);
	vm->root = NULL;
	dma_resv_unlock(vgpu_vm_resv(vm));

	vgpu_vm_put(vm);
}

/*
 * The ioctls
 */

/* As amdgpu for GC 9: what is not named is not coherent. */
static u64 vgpu_vm_pte_flags(u32 flags)
{
	u64 pte = 0;

	if (flags & AMDGPU_VM_PAGE_PRT)
		return VGPU_PTE_PRT;

	if (flags & AMDGPU_VM_PAGE_READABLE)
		pte |= VGPU_PTE_READABLE;
	if (flags & AMDGPU_VM_PAGE_WRITEABLE)
		pte |= VGPU_PTE_WRITEABLE;
	if (flags & AMDGPU_VM_PAGE_EXECUTABLE)
		pte |= VGPU_PTE_EXECUTABLE;

	switch (flags & AMDGPU_VM_MTYPE_MASK) {
	case AMDGPU_VM_MTYPE_RW:
	case AMDGPU_VM_MTYPE_WC:	/* the hardware has one for both */
		return pte | VGPU_PTE_MTYPE_SHIFT(MTYPE_RW);
	case AMDGPU_VM_MTYPE_CC:
		return pte | VGPU_PTE_MTYPE_SHIFT(MTYPE_CC);
	case AMDGPU_VM_MTYPE_UC:
		return pte | VGPU_PTE_MTYPE_SHIFT(MTYPE_UC);
	default:
		return pte | VGPU_PTE_MTYPE_SHIFT(MTYPE_NC);
	}
}

/* The mapping that begins at @addr: of @vm_bo, or PRT when that is NULL. */
static struct drm_gpuva *vgpu_vm_find_start(struct vgpu_vm *vm, struct drm_gpuvm_bo *vm_bo,
					    u64 addr)
{
	struct drm_gpuva *va = drm_gpuva_find_first(&vm->base, addr, 1);

	return va && va->va.addr == addr && va->vm_bo == vm_bo ? va : NULL;
}

static int vgpu_vm_change(struct vgpu_vm_step *step, const struct drm_amdgpu_gem_va *args,
			  struct drm_gem_object *obj)
{
	struct drm_gpuvm *gpuvm = &step->vm->base;
	u64 addr = args->va_address, size = args->map_size;
	u64 offset = obj ? args->offset_in_bo : 0;
	struct drm_gpuva *va;

	switch (args->operation) {
	case AMDGPU_VA_OP_MAP:
		if (!drm_gpuvm_interval_empty(gpuvm, addr, size))
			return -EINVAL;
		fallthrough;
	case AMDGPU_VA_OP_REPLACE:
		return drm_gpuvm_sm_map(gpuvm, step, addr, size, obj, offset);
	case AMDGPU_VA_OP_CLEAR:
		return drm_gpuvm_sm_unmap(gpuvm, step, addr, size);
	default:
		va = vgpu_vm_find_start(step->vm, step->vm_bo, addr);
		if (!va)
			return -ENOENT;
		drm_gpuva_remove(va);
		vgpu_va_retire(step->vm, to_vgpu_va(va));
		return 0;
	}
}

/* Lock the buffer, the address space, and whose mappings are in the way. */
static int vgpu_vm_lock_change(struct vgpu_vm *vm, struct drm_exec *exec,
			       const struct drm_amdgpu_gem_va *args, struct drm_gem_object *obj)
{
	bool range = args->operation == AMDGPU_VA_OP_REPLACE ||
		     args->operation == AMDGPU_VA_OP_CLEAR;
	int ret = 0;

	drm_exec_until_all_locked(exec) {
		ret = drm_gpuvm_prepare_vm(&vm->base, exec, 1);
		drm_exec_retry_on_contention(exec);
		if (!ret && obj)
			ret = drm_exec_prepare_obj(exec, obj, 1);
		drm_exec_retry_on_contention(exec);
		if (!ret && range)
			ret = drm_gpuvm_prepare_range(&vm->base, exec, args->va_address,
						      args->map_size, 1);
		drm_exec_retry_on_contention(exec);
		if (ret)
			break;
	}
	return ret;
}

/*
 * The first mapping of a buffer with a reservation of its own. Jobs that run now do
 * not know of it, and yet reach it once its entries are written: from now on it
 * waits for them too before it moves or goes.
 */
static int vgpu_vm_adopt_jobs(struct vgpu_vm *vm, struct drm_gpuvm_bo *vm_bo)
{
	struct dma_resv *resv = vm_bo->obj->resv;
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	unsigned int num = 0;
	int ret;

	if (!drm_gpuvm_is_extobj(&vm->base, vm_bo->obj) || !list_empty(&vm_bo->list.entry.extobj))
		return 0;
	dma_resv_for_each_fence(&cursor, vgpu_vm_resv(vm), DMA_RESV_USAGE_BOOKKEEP, fence)
		num++;
	/* And that of the update. */
	ret = dma_resv_reserve_fences(resv, num + 1);
	if (ret)
		return ret;
	dma_resv_for_each_fence(&cursor, vgpu_vm_resv(vm), DMA_RESV_USAGE_BOOKKEEP, fence)
		dma_resv_add_fence(resv, fence, DMA_RESV_USAGE_BOOKKEEP);
	return 0;
}

static int vgpu_vm_do_change(struct vgpu_vm *vm, const struct drm_amdgpu_gem_va *args,
			     struct drm_gem_object *obj)
{
	struct vgpu_vm_step step = { .vm = vm, .flags = vgpu_vm_pte_flags(args->flags) };
	struct drm_exec exec;
	unsigned int i;
	int ret, err;

	for (i = 0; i < VGPU_VA_SPARE; i++) {
		step.spare[i] = kzalloc(sizeof(*step.spare[i]), GFP_KERNEL_ACCOUNT);
		if (!step.spare[i]) {
			ret = -ENOMEM;
			goto out_spare;
		}
	}

	drm_exec_init(&exec, DRM_EXEC_INTERRUPTIBLE_WAIT | DRM_EXEC_IGNORE_DUPLICATES, 0);
	ret = vgpu_vm_lock_change(vm, &exec, args, obj);
	if (ret)
		goto out_exec;

	if (obj) {
		step.vm_bo = drm_gpuvm_bo_find(&vm->base, obj);
		if (!step.vm_bo) {
			ret = -ENOENT;
			goto out_exec;
		}
		ret = vgpu_vm_adopt_jobs(vm, step.vm_bo);
		if (ret)
			goto out_vm_bo;
	}

	ret = vgpu_vm_change(&step, args, obj);
	if (!ret && step.vm_bo) {
		struct vgpu_device *owner;
		struct ttm_resource *res = vgpu_bo_place(to_vgpu_bo(obj), &owner);

		/* Every job locks it from now on, and the next one brings it back. */
		drm_gpuvm_bo_extobj_add(step.vm_bo);
		if (!res || res->mem_type == TTM_PL_SYSTEM)
			drm_gpuvm_bo_evict(step.vm_bo, true);
	}

	/* What cannot be done now is done before the next job. */
	if (!ret && !(args->flags & AMDGPU_VM_DELAY_UPDATE)) {
		err = vgpu_vm_flush(vm, &exec, false);
		if (err)
			drm_dbg(&vm->vdev->drm, "pid %d: page tables: %d\n", vm->pid, err);
		else
			vgpu_vm_fence_locked(vm, &exec);
	}

out_vm_bo:
	if (step.vm_bo)
		drm_gpuvm_bo_put(step.vm_bo);
out_exec:
	drm_exec_fini(&exec);
out_spare:
	for (i = 0; i < VGPU_VA_SPARE; i++)
		kfree(step.spare[i]);
	return ret;
}

/*
 * Mappings that queues of /dev/kfd use without asking
 */

/* Out of the tree; whatever becomes of the update that clears them. */
static void vgpu_vm_unmap_all(struct vgpu_vm *vm, struct drm_gpuvm_bo *vm_bo,
			      const struct vgpu_vm_map *map)
{
	unsigned int i;

	for (i = 0; i < map->times; i++) {
		struct drm_gpuva *va;

		va = vgpu_vm_find_start(vm, vm_bo, map->addr + i * map->bo->tbo.base.size);
		if (!va)
			continue;
		drm_gpuva_remove(va);
		vgpu_va_retire(vm, to_vgpu_va(va));
	}
}

static bool vgpu_vm_all_written(struct vgpu_vm *vm, struct drm_gpuvm_bo *vm_bo,
				const struct vgpu_vm_map *map)
{
	unsigned int i;

	for (i = 0; i < map->times; i++) {
		struct drm_gpuva *va;

		va = vgpu_vm_find_start(vm, vm_bo, map->addr + i * map->bo->tbo.base.size);
		if (!va || !list_empty(&to_vgpu_va(va)->state))
			return false;
	}
	return true;
}

static int vgpu_vm_lock_one(struct vgpu_vm *vm, struct drm_exec *exec, struct vgpu_bo *bo)
{
	int ret = 0;

	drm_exec_until_all_locked(exec) {
		ret = drm_gpuvm_prepare_vm(&vm->base, exec, 1);
		drm_exec_retry_on_contention(exec);
		if (!ret)
			ret = drm_exec_prepare_obj(exec, &bo->tbo.base, 1);
		drm_exec_retry_on_contention(exec);
		if (ret)
			break;
	}
	return ret;
}

/*
 * The buffer is where the GPU reaches it, and stays there until @keep has signalled:
 * pages of a process too.
 */
static int vgpu_vm_keep(struct vgpu_vm *vm, struct drm_gpuvm_bo *vm_bo, struct vgpu_bo *bo,
			struct dma_fence *keep)
{
	struct ttm_operation_ctx ctx = { .interruptible = true };
	struct drm_gpuva *va;
	int ret;

	ret = vgpu_userptr_adopt(bo, &ctx) ?: vgpu_bo_validate(bo, &ctx);
	if (ret)
		return ret;
	/* What else is mapped of it may have been elsewhere. */
	if (vm_bo->evicted)
		drm_gpuvm_bo_for_each_va(va, vm_bo)
			list_move_tail(&to_vgpu_va(va)->state, &vm->invalid);
	drm_gpuvm_bo_evict(vm_bo, false);
	ret = vgpu_vm_adopt_jobs(vm, vm_bo);
	if (!ret)
		ret = dma_resv_reserve_fences(bo->tbo.base.resv, 2);
	return ret ?: vgpu_userptr_keep(bo, keep);
}

static int vgpu_vm_map_locked(struct vgpu_vm_step *step, struct drm_exec *exec,
			      const struct vgpu_vm_map *map, struct dma_fence *keep)
{
	struct drm_gem_object *obj = &map->bo->tbo.base;
	struct vgpu_vm *vm = step->vm;
	unsigned int i;
	int ret;

	/* Nobody knows what the tables say: they have to be written anew first. */
	if (vm->generation != atomic64_read(&vm->vdev->vm_manager.generation))
		return -ESTALE;
	if (!drm_gpuvm_interval_empty(&vm->base, map->addr, map->times * obj->size))
		return -EINVAL;
	ret = vgpu_vm_keep(vm, step->vm_bo, map->bo, keep);
	if (ret)
		return ret;

	for (i = 0; i < map->times && !ret; i++)
		ret = drm_gpuvm_sm_map(&vm->base, step, map->addr + i * obj->size, obj->size, obj,
				       0);
	if (!ret) {
		drm_gpuvm_bo_extobj_add(step->vm_bo);
		ret = vgpu_vm_flush(vm, exec, false);
	}
	vgpu_userptr_unkeep(map->bo);
	if (!ret && !vgpu_vm_all_written(vm, step->vm_bo, map))
		ret = -ESTALE;
	if (ret)
		vgpu_vm_unmap_all(vm, step->vm_bo, map);
	else
		vgpu_vm_fence_locked(vm, exec);
	return ret;
}

/**
 * vgpu_vm_map_now() - map a buffer for queues that may run at any time
 * @vm: the address space
 * @map: the mapping
 * @keep: from now on it stops the queues before the buffer moves
 *
 * May sleep and evict others. Return: 0; -EINVAL: something is mapped there; -EAGAIN:
 * pages of the process have just gone; -ESTALE: all tables have to be written anew,
 * vgpu_vm_rewrite(); -ENOMEM, -ERESTARTSYS, or why the buffer cannot be reached.
 */
int vgpu_vm_map_now(struct vgpu_vm *vm, const struct vgpu_vm_map *map, struct dma_fence *keep)
{
	struct vgpu_vm_step step = { .vm = vm, .flags = map->flags };
	struct drm_exec exec;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < map->times && !ret; i++) {
		step.spare[i] = kzalloc(sizeof(*step.spare[i]), GFP_KERNEL_ACCOUNT);
		if (!step.spare[i])
			ret = -ENOMEM;
	}
	if (ret)
		goto out_spare;

	drm_exec_init(&exec, DRM_EXEC_INTERRUPTIBLE_WAIT | DRM_EXEC_IGNORE_DUPLICATES, 0);
	ret = vgpu_vm_lock_one(vm, &exec, map->bo);
	if (ret)
		goto out_exec;
	step.vm_bo = drm_gpuvm_bo_find(&vm->base, &map->bo->tbo.base);
	if (WARN_ON_ONCE(!step.vm_bo)) {
		ret = -EINVAL;
		goto out_exec;
	}
	ret = vgpu_vm_map_locked(&step, &exec, map, keep);
	drm_gpuvm_bo_put(step.vm_bo);
out_exec:
	drm_exec_fini(&exec);
out_spare:
	for (i = 0; i < VGPU_VA_SPARE; i++)
		kfree(step.spare[i]);
	return ret;
}

/**
 * vgpu_vm_unmap_now() - take a mapping from queues that may be running
 * @vm: the address space
 * @map: as vgpu_vm_map_now() made it
 *
 * When the tables cannot be written, the queues are stopped until they can be. May
 * sleep. Return: 0, or -ERESTARTSYS, -ENOMEM with nothing done.
 */
int vgpu_vm_unmap_now(struct vgpu_vm *vm, const struct vgpu_vm_map *map)
{
	struct drm_gpuvm_bo *vm_bo;
	struct drm_exec exec;
	int ret, idx;

	drm_exec_init(&exec, DRM_EXEC_INTERRUPTIBLE_WAIT | DRM_EXEC_IGNORE_DUPLICATES, 0);
	ret = vgpu_vm_lock_one(vm, &exec, map->bo);
	if (ret)
		goto out;
	vm_bo = drm_gpuvm_bo_find(&vm->base, &map->bo->tbo.base);
	if (WARN_ON_ONCE(!vm_bo))
		goto out;
	vgpu_vm_unmap_all(vm, vm_bo, map);
	if (vgpu_hw_enter(vm->vdev, &idx)) {
		if (!vgpu_vm_flush(vm, &exec, false))
			vgpu_vm_fence_locked(vm, &exec);
		vgpu_hw_exit(idx);
	}
	drm_gpuvm_bo_put(vm_bo);
out:
	drm_exec_fini(&exec);
	return ret;
}

/**
 * vgpu_vm_sync() - until the tables are written and no TLB has seen older ones
 * @vm: the address space
 * @interruptible: give up on a signal
 *
 * May sleep. Return: 0, -ERESTARTSYS.
 */
int vgpu_vm_sync(struct vgpu_vm *vm, bool interruptible)
{
	struct dma_fence *update;
	long ret = 0;

	dma_resv_lock(vgpu_vm_resv(vm), NULL);
	update = dma_fence_get(vm->last_update);
	dma_resv_unlock(vgpu_vm_resv(vm));
	if (update)
		ret = dma_fence_wait(update, interruptible);
	dma_fence_put(update);
	return ret;
}

/* All that is mapped comes back to where the GPU reaches it, as far as it still exists. */
static int vgpu_vm_validate_locked(struct drm_exec *exec)
{
	struct ttm_operation_ctx ctx = { .interruptible = true };
	struct drm_gem_object *obj;
	int ret;

	drm_exec_for_each_locked_object(exec, obj) {
		struct vgpu_bo *bo = to_vgpu_bo(obj);

		/* The object that carries an address space's reservation is no buffer. */
		if (obj->funcs != &vgpu_gem_funcs)
			continue;
		ret = vgpu_bo_validate(bo, &ctx);
		if (ret && ret != -EIO && ret != -ENODEV && ret != vgpu_userptr_error(bo))
			return ret;
	}
	return 0;
}

/**
 * vgpu_vm_rewrite() - write all that is not as it should be, for queues that are stopped
 * @vm: the address space
 * @keep: from now on it stops them again before anything moves; the caller has a
 *        reference
 *
 * By a task that has the memory of the process. May sleep and evict others.
 * Return: 0, when vgpu_vm_sync() is over they may run; -EAGAIN, -ENOMEM, -ENODEV,
 * -ERESTARTSYS.
 */
int vgpu_vm_rewrite(struct vgpu_vm *vm, struct dma_fence *keep)
{
	struct drm_gem_object *obj;
	struct drm_exec exec;
	bool held;
	int ret = 0;

	drm_exec_init(&exec, DRM_EXEC_INTERRUPTIBLE_WAIT | DRM_EXEC_IGNORE_DUPLICATES, 0);
	drm_exec_until_all_locked(&exec) {
		ret = vgpu_vm_lock(vm, &exec, 2);
		drm_exec_retry_on_contention(&exec);
		if (ret)
			goto out;
	}
	ret = vgpu_userptr_adopt_all(vm, &exec);
	if (!ret)
		ret = vgpu_vm_validate_locked(&exec);
	if (!ret)
		ret = vgpu_vm_update(vm, &exec, NULL);
	if (!ret)
		ret = vgpu_userptr_hold(vm, &exec, &held);
	if (ret)
		goto out;
	drm_exec_for_each_locked_object(&exec, obj) {
		dma_resv_add_fence(obj->resv, keep, DMA_RESV_USAGE_BOOKKEEP);
		if (vm->last_update)
			dma_resv_add_fence(obj->resv, vm->last_update, DMA_RESV_USAGE_BOOKKEEP);
	}
	vgpu_userptr_release(vm, held);
out:
	drm_exec_fini(&exec);
	return ret;
}

/**
 * vgpu_vm_set_kfd() - queues of a process may run in it from now on, or not any more
 * @vm: the address space
 * @p: the process, or NULL
 *
 * Before the first one: vgpu_vm_rewrite(). May sleep.
 */
void vgpu_vm_set_kfd(struct vgpu_vm *vm, struct vgpu_kfd_process *p)
{
	struct xarray *pasids = &vm->vdev->vm_manager.pasids;

	dma_resv_lock(vgpu_vm_resv(vm), NULL);
	xa_lock(pasids);
	vm->kfd = p;
	xa_unlock(pasids);
	dma_resv_unlock(vgpu_vm_resv(vm));
}

/**
 * vgpu_vm_stop_queues() - its tables are not what they should be
 * @vm: the address space
 *
 * Queues that run in it are stopped soon. In the path of fences; may not be in an
 * interrupt.
 */
void vgpu_vm_stop_queues(struct vgpu_vm *vm)
{
	struct xarray *pasids = &vm->vdev->vm_manager.pasids;

	xa_lock(pasids);
	if (vm->kfd)
		vgpu_kfd_stop_queues_soon(vm->kfd);
	xa_unlock(pasids);
}

int vgpu_gem_va_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const u32 bo_flags = AMDGPU_VM_DELAY_UPDATE | AMDGPU_VM_PAGE_READABLE |
			     AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE |
			     AMDGPU_VM_MTYPE_MASK | AMDGPU_VM_PAGE_NOALLOC;
	const u32 prt_flags = AMDGPU_VM_DELAY_UPDATE | AMDGPU_VM_PAGE_PRT;
	struct vgpu_fpriv *fpriv = file->driver_priv;
	struct drm_amdgpu_gem_va *args = data;
	struct drm_gem_object *obj = NULL;
	u64 end;
	int ret;

	if (args->va_address < VGPU_VA_START)
		return -EINVAL;
	if (args->va_address >= VGPU_VA_HOLE_START && args->va_address < VGPU_VA_HOLE_END)
		return -EINVAL;
	args->va_address &= VGPU_GMC_HOLE_MASK;
	if (check_add_overflow(args->va_address, args->map_size, &end) || end > VGPU_VA_END)
		return -EINVAL;
	if (args->flags & ~bo_flags && args->flags & ~prt_flags)
		return -EINVAL;

	switch (args->operation) {
	case AMDGPU_VA_OP_MAP:
	case AMDGPU_VA_OP_REPLACE:
	case AMDGPU_VA_OP_UNMAP:
	case AMDGPU_VA_OP_CLEAR:
		break;
	default:
		return -EINVAL;
	}

	if (args->operation != AMDGPU_VA_OP_CLEAR && !(args->flags & AMDGPU_VM_PAGE_PRT)) {
		obj = drm_gem_object_lookup(file, args->handle);
		if (!obj)
			return -ENOENT;
	}

	ret = -EINVAL;
	/* UNMAP looks at none of these. */
	if (args->operation != AMDGPU_VA_OP_UNMAP) {
		u64 offset = args->operation == AMDGPU_VA_OP_CLEAR ? 0 : args->offset_in_bo;

		if (!args->map_size ||
		    (args->va_address | args->map_size | offset) & (VGPU_GPU_PAGE_SIZE - 1))
			goto out_put;
		if (check_add_overflow(offset, args->map_size, &end) || (obj && end > obj->size))
			goto out_put;
	}
	ret = vgpu_vm_do_change(fpriv->vm, args, obj);
	/* A job would wait for the tables. A queue of user space begins when it likes. */
	if (!ret && READ_ONCE(fpriv->vm->kfd))
		vgpu_vm_sync(fpriv->vm, false);
out_put:
	if (obj)
		drm_gem_object_put(obj);
	return ret;
}

int vgpu_vm_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;
	union drm_amdgpu_vm *args = data;

	if (args->in.flags)
		return -EINVAL;

	switch (args->in.op) {
	case AMDGPU_VM_OP_RESERVE_VMID:
		return vgpu_vmid_reserve(fpriv->vm);
	case AMDGPU_VM_OP_UNRESERVE_VMID:
		vgpu_vmid_unreserve(fpriv->vm);
		return 0;
	default:
		return -EINVAL;
	}
}

/*
 * The block
 */

/**
 * vgpu_vm_tables_lost() - a kernel job failed for good, or the memory is lost
 * @vdev: the die
 *
 * Before its fence signals. In the path of fences; may not be in an interrupt.
 */
void vgpu_vm_tables_lost(struct vgpu_device *vdev)
{
	struct xarray *pasids = &vdev->vm_manager.pasids;
	struct vgpu_vm *vm;
	unsigned long i;

	atomic64_inc(&vdev->vm_manager.generation);
	/* Jobs will find out. Queues of user space run on, until somebody stops them. */
	xa_lock(pasids);
	xa_for_each(pasids, i, vm) {
		if (vm->kfd)
			vgpu_kfd_stop_queues_soon(vm->kfd);
	}
	xa_unlock(pasids);
}

/* Its tables have to be written anew before anything uses them; reserved. */
bool vgpu_vm_is_lost(struct vgpu_vm *vm)
{
	return vm->generation != atomic64_read(&vm->vdev->vm_manager.generation);
}

/**
 * vgpu_vm_note_fault() - a job has faulted
 * @vdev: the die
 * @pasid: of its address space; of none any more: nothing happens
 * @hub: through which
 * @addr: where
 * @status: of the hub; 0 says nothing, as for faults that came close behind another
 *
 * May not be called in an interrupt.
 */
void vgpu_vm_note_fault(struct vgpu_device *vdev, u32 pasid, enum vgpu_hub_id hub, u64 addr,
			u32 status)
{
	struct xarray *pasids = &vdev->vm_manager.pasids;
	struct vgpu_vm *vm;

	xa_lock(pasids);
	vm = xa_load(pasids, pasid);
	if (vm && status) {
		vm->fault.addr = addr;
		vm->fault.status = status;
		vm->fault.vmhub = hub == VGPU_GCHUB ? AMDGPU_VMHUB_TYPE_GFX :
						      AMDGPU_VMHUB_TYPE_MM0;
	}
	xa_unlock(pasids);
}

/**
 * vgpu_vm_enable_sdma() - let an engine write page tables
 * @vdev: the die
 * @ring: an SDMA ring that works
 *
 * Return: 0 or a negative error.
 */
int vgpu_vm_enable_sdma(struct vgpu_device *vdev, struct vgpu_ring *ring)
{
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;
	struct drm_gpu_scheduler *sched = &ring->sched;
	int ret;

	if (mgr->update_ring)
		return 0;
	ret = drm_sched_entity_init(&mgr->entity, DRM_SCHED_PRIORITY_KERNEL, &sched, 1, NULL);
	if (ret)
		return ret;

	down_write(&mgr->update_lock);
	mgr->update_ring = ring;
	up_write(&mgr->update_lock);
	return 0;
}

/**
 * vgpu_vm_disable_sdma() - page tables are the CPU's again
 * @vdev: the die
 *
 * Waits for the jobs that are queued.
 */
void vgpu_vm_disable_sdma(struct vgpu_device *vdev)
{
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;

	if (!mgr->update_ring)
		return;
	down_write(&mgr->update_lock);
	mgr->update_ring = NULL;
	up_write(&mgr->update_lock);
	drm_sched_entity_destroy(&mgr->entity);
}

static void vgpu_vm_show_one(struct vgpu_vm *vm, struct drm_printer *p)
{
	unsigned int invalid = 0, freed = 0;
	struct drm_gpuva *va;

	drm_printf(p, "pasid %u pid %d %s\n", vm->pasid, vm->pid, vm->comm);
	if (dma_resv_lock_interruptible(vgpu_vm_resv(vm), NULL))
		return;
	if (!vm->root)
		goto out;
	invalid = list_count_nodes(&vm->invalid);
	freed = list_count_nodes(&vm->freed);
	drm_printf(p, "  pd %#llx, %u tables, %llu updates, %u mappings to write, %u to clear\n",
		   vm->pd_addr, vm->num_pts, vm->tlb_seq - 1, invalid, freed);
	drm_gpuvm_for_each_va(va, &vm->base) {
		u64 flags = to_vgpu_va(va)->flags;

		drm_printf(p, "  %#014llx-%#014llx %c%c%c%c mtype %llu offset %#llx%s\n",
			   va->va.addr, va->va.addr + va->va.range - 1,
			   flags & VGPU_PTE_READABLE ? 'r' : '-',
			   flags & VGPU_PTE_WRITEABLE ? 'w' : '-',
			   flags & VGPU_PTE_EXECUTABLE ? 'x' : '-',
			   flags & VGPU_PTE_PRT ? 'p' : '-',
			   VGPU_PTE_GET_MTYPE(flags), va->gem.offset,
			   list_empty(&to_vgpu_va(va)->state) ? "" : " (not written)");
	}
out:
	dma_resv_unlock(vgpu_vm_resv(vm));
}

/**
 * vgpu_vm_show() - VMIDs and address spaces, for debugfs
 * @vdev: the die
 * @p: where to print
 *
 * May sleep.
 */
void vgpu_vm_show(struct vgpu_device *vdev, struct drm_printer *p)
{
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;
	unsigned long idx = 0;
	struct vgpu_vm *vm;

	vgpu_vmid_show(vdev, p);
	for (;;) {
		/* While it is there, its file has a reference. */
		xa_lock(&mgr->pasids);
		vm = xa_find_after(&mgr->pasids, &idx, ULONG_MAX, XA_PRESENT);
		if (vm)
			vgpu_vm_get(vm);
		xa_unlock(&mgr->pasids);
		if (!vm)
			break;
		vgpu_vm_show_one(vm, p);
		vgpu_vm_put(vm);
	}
}

static int vgpu_vm_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;

	init_rwsem(&mgr->update_lock);
	xa_init(&mgr->pasids);
	atomic64_set(&mgr->next_id, 0);
	atomic64_set(&mgr->generation, 1);
	vgpu_vmid_init(vdev);
	return 0;
}

static void vgpu_vm_sw_fini(struct vgpu_device *vdev)
{
	vgpu_vmid_fini(vdev);
	xa_destroy(&vdev->vm_manager.pasids);
}

/* The rings have passed their tests: the first engine that works gets the work. */
static int vgpu_vm_late_init(struct vgpu_device *vdev)
{
	unsigned int i;
	int ret;

	for (i = 0; !vgpu_cpu_updates && i < vdev->info.num_sdma; i++) {
		struct vgpu_ring *ring = &vdev->sdma[i].ring;

		if (!ring->ready)
			continue;
		ret = vgpu_ttm_enable_moves(vdev, ring);
		if (ret)
			return ret;
		return vgpu_vm_enable_sdma(vdev, ring);
	}
	drm_warn(&vdev->drm, "buffers and page tables are left to the CPU\n");
	return 0;
}

/*
 * The first block to go down. What the kernel has queued may wait for a job of a user
 * that never ends: so the rings go first, and what is queued for them fails.
 */
static void vgpu_vm_hw_fini(struct vgpu_device *vdev)
{
	unsigned int i;

	for (i = 0; i < vdev->num_rings; i++)
		vgpu_ring_stop(vdev->rings[i]);
	vgpu_vm_disable_sdma(vdev);
	vgpu_ttm_disable_moves(vdev);
}

const struct vgpu_ip_block vgpu_vm_block = {
	.name = "vm",
	.sw_init = vgpu_vm_sw_init,
	.sw_fini = vgpu_vm_sw_fini,
	.late_init = vgpu_vm_late_init,
	.hw_fini = vgpu_vm_hw_fini,
};
