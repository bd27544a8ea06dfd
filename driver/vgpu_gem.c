// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * GEM: the names user space has for buffers, and their CPU mappings.
 * Documentation/memory.rst, "Buffers".
 */
#include <linux/mm.h>
#include <linux/uaccess.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem_ttm_helper.h>
#include <drm/drm_utils.h>
#include <drm/drm_vma_manager.h>

#include "vgpu.h"
#include "vgpu_userptr.h"

/* What user space may ask for; numbers and rules are those of amdgpu. */
#define VGPU_GEM_CREATE_FLAGS \
	(AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED | AMDGPU_GEM_CREATE_NO_CPU_ACCESS | \
	 AMDGPU_GEM_CREATE_CPU_GTT_USWC | AMDGPU_GEM_CREATE_VRAM_CLEARED | \
	 AMDGPU_GEM_CREATE_VM_ALWAYS_VALID | AMDGPU_GEM_CREATE_EXPLICIT_SYNC | \
	 AMDGPU_GEM_CREATE_GFX12_DCC | AMDGPU_GEM_CREATE_DISCARDABLE)
#define VGPU_GEM_DOMAINS_NORMAL \
	(AMDGPU_GEM_DOMAIN_CPU | AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_VRAM)
#define VGPU_GEM_DOMAINS_SPECIAL \
	(AMDGPU_GEM_DOMAIN_GDS | AMDGPU_GEM_DOMAIN_GWS | AMDGPU_GEM_DOMAIN_OA)

/*
 * The CPU touches VRAM that it cannot reach: bring the buffer to where it can.
 * The reservation is held.
 */
static vm_fault_t vgpu_gem_make_visible(struct vgpu_bo *bo)
{
	struct vgpu_device *vdev = to_vgpu(bo->tbo.base.dev);
	struct ttm_operation_ctx ctx = { .interruptible = false };
	int ret;

	/* Of others' memory there is no mapping. */
	if (bo->tbo.type == ttm_bo_type_sg)
		return VM_FAULT_SIGBUS;

	/* Its next place is one that the CPU reaches. */
	bo->flags |= AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;

	if (vgpu_res_cpu_visible(vdev, bo->tbo.resource))
		return 0;
	if (bo->tbo.pin_count)
		return VM_FAULT_SIGBUS;

	/* GTT rather than driving others out. */
	vgpu_bo_set_placement(bo, AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT);
	bo->places[0].flags |= TTM_PL_FLAG_DESIRED;
	ret = ttm_bo_validate(&bo->tbo, &bo->placement, &ctx);
	if (ret == -EBUSY || ret == -ERESTARTSYS)
		return VM_FAULT_NOPAGE;
	if (ret || !vgpu_res_cpu_visible(vdev, bo->tbo.resource))
		return VM_FAULT_SIGBUS;
	return 0;
}

/* The buffer is where it shall be and stays there; it must also hold what it should. */
static vm_fault_t vgpu_gem_insert(struct vm_fault *vmf, struct vgpu_bo *bo)
{
	vm_fault_t ret;

	if (vgpu_bo_lost(bo))
		return VM_FAULT_SIGBUS;
	ret = ttm_bo_vm_fault_reserved(vmf, vmf->vma->vm_page_prot, TTM_BO_VM_NUM_PREFAULT);
	if (ret == VM_FAULT_NOPAGE && vgpu_bo_lost(bo)) {
		ttm_bo_unmap_virtual(&bo->tbo);
		return VM_FAULT_SIGBUS;
	}
	return ret;
}

/*
 * Wait for moves and clears, without the locks of the address space where the
 * fault may be retried. VM_FAULT_RETRY but for NOWAIT: the reservation is dropped.
 */
static vm_fault_t vgpu_gem_await(struct vm_fault *vmf, struct ttm_buffer_object *tbo)
{
	struct dma_resv *resv = tbo->base.resv;

	if (dma_resv_test_signaled(resv, DMA_RESV_USAGE_KERNEL))
		return 0;
	if (!fault_flag_allow_retry_first(vmf->flags))
		return dma_resv_wait_timeout(resv, DMA_RESV_USAGE_KERNEL, true,
					     MAX_SCHEDULE_TIMEOUT) < 0 ? VM_FAULT_NOPAGE : 0;
	if (vmf->flags & FAULT_FLAG_RETRY_NOWAIT)
		return VM_FAULT_RETRY;

	drm_gem_object_get(&tbo->base);
	mmap_read_unlock(vmf->vma->vm_mm);
	dma_resv_wait_timeout(resv, DMA_RESV_USAGE_KERNEL, true, MAX_SCHEDULE_TIMEOUT);
	dma_resv_unlock(resv);
	drm_gem_object_put(&tbo->base);
	return VM_FAULT_RETRY;
}

/*
 * Unplug waits for whoever is between drm_dev_enter() and drm_dev_exit(), and ends
 * what the engines had to do only then: so nothing in between may wait for them.
 */
static vm_fault_t vgpu_gem_fault(struct vm_fault *vmf)
{
	struct ttm_buffer_object *tbo = vmf->vma->vm_private_data;
	struct drm_device *drm = tbo->base.dev;
	vm_fault_t ret;
	int idx;

	ret = ttm_bo_vm_reserve(tbo, vmf);
	if (ret)
		return ret;

	if (tbo->resource && tbo->resource->mem_type == TTM_PL_VRAM)
		atomic64_inc(&to_vgpu(drm)->mman.num_cpu_faults);
	if (!drm_dev_is_unplugged(drm)) {
		ret = vgpu_gem_make_visible(ttm_to_vgpu_bo(tbo));
		if (!ret)
			ret = vgpu_gem_await(vmf, tbo);
	}
	if (drm_dev_enter(drm, &idx)) {
		if (!ret)
			ret = vgpu_gem_insert(vmf, ttm_to_vgpu_bo(tbo));
		drm_dev_exit(idx);
	} else if (ret != VM_FAULT_RETRY) {
		/* The device is gone: whoever still has it mapped sees an empty page. */
		ret = ttm_bo_vm_dummy_page(vmf, vmf->vma->vm_page_prot);
	}

	/* The lock has been dropped by who waited without it. */
	if (ret == VM_FAULT_RETRY && !(vmf->flags & FAULT_FLAG_RETRY_NOWAIT))
		return ret;
	dma_resv_unlock(tbo->base.resv);
	return ret;
}

static const struct vm_operations_struct vgpu_gem_vm_ops = {
	.fault = vgpu_gem_fault,
	.open = ttm_bo_vm_open,
	.close = ttm_bo_vm_close,
	.access = ttm_bo_vm_access,
};

static void vgpu_gem_free(struct drm_gem_object *obj)
{
	ttm_bo_put(&to_vgpu_bo(obj)->tbo);
}

static int vgpu_gem_open(struct drm_gem_object *obj, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;

	if (vgpu_userptr_foreign(to_vgpu_bo(obj)))
		return -EPERM;
	return vgpu_vm_bo_open(fpriv->vm, to_vgpu_bo(obj));
}

static void vgpu_gem_close(struct drm_gem_object *obj, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;

	vgpu_vm_bo_close(fpriv->vm, to_vgpu_bo(obj));
}

/* The CPU may reach it through a mapping of ours; it may not when it has one already. */
static bool vgpu_gem_mappable(const struct vgpu_bo *bo)
{
	return !(bo->flags & AMDGPU_GEM_CREATE_NO_CPU_ACCESS) && !bo->userptr;
}

static int vgpu_gem_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	if (!vgpu_gem_mappable(to_vgpu_bo(obj)))
		return -EPERM;

	/* ROCm's thunk maps PROT_NONE, MAP_PRIVATE: harmless if it stays that way. */
	if (is_cow_mapping(vma->vm_flags) && !(vma->vm_flags & VM_ACCESS_FLAGS))
		vm_flags_clear(vma, VM_MAYWRITE);

	return drm_gem_ttm_mmap(obj, vma);
}

/* The reservation is held. */
static int vgpu_gem_vmap(struct drm_gem_object *obj, struct iosys_map *map)
{
	struct ttm_resource *res = to_vgpu_bo(obj)->tbo.resource;

	if (!res || (res->mem_type == TTM_PL_VRAM && !(res->placement & TTM_PL_FLAG_CONTIGUOUS)))
		return -EINVAL;
	return drm_gem_ttm_vmap(obj, map);
}

/* For fdinfo; approximate, no lock is held. */
static enum drm_gem_object_status vgpu_gem_status(struct drm_gem_object *obj)
{
	struct vgpu_bo *bo = to_vgpu_bo(obj);
	enum drm_gem_object_status status = 0;
	struct ttm_resource *res;
	struct ttm_tt *ttm;

	if (!dma_resv_trylock(obj->resv))
		return 0;
	res = bo->tbo.resource;
	ttm = bo->tbo.ttm;
	if (res && (res->mem_type == TTM_PL_VRAM || (ttm && ttm_tt_is_populated(ttm))))
		status |= DRM_GEM_OBJECT_RESIDENT;
	if (bo->flags & AMDGPU_GEM_CREATE_DISCARDABLE)
		status |= DRM_GEM_OBJECT_PURGEABLE;
	dma_resv_unlock(obj->resv);
	return status;
}

const struct drm_gem_object_funcs vgpu_gem_funcs = {
	.free = vgpu_gem_free,
	.open = vgpu_gem_open,
	.close = vgpu_gem_close,
	.export = vgpu_gem_export,
	.vmap = vgpu_gem_vmap,
	.vunmap = drm_gem_ttm_vunmap,
	.mmap = vgpu_gem_mmap,
	.status = vgpu_gem_status,
	.vm_ops = &vgpu_gem_vm_ops,
};

/*
 * The ioctls; see the comments in <drm/amdgpu_drm.h>
 */

int vgpu_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vgpu_device *vdev = to_vgpu(drm);
	struct vgpu_fpriv *fpriv = file->driver_priv;
	union drm_amdgpu_gem_create *args = data;
	u64 flags = args->in.domain_flags;
	u64 domains = args->in.domains;
	struct vgpu_vm *vm = NULL;
	struct vgpu_bo *bo;
	u32 handle;
	int ret;

	if (flags & ~VGPU_GEM_CREATE_FLAGS)
		return -EINVAL;
	if (domains & ~(u64)(VGPU_GEM_DOMAINS_NORMAL | VGPU_GEM_DOMAINS_SPECIAL))
		return -EINVAL;
	/* A special domain stands alone. */
	if (domains & VGPU_GEM_DOMAINS_SPECIAL && !is_power_of_2(domains))
		return -EINVAL;

	/* Whatever the user says: it held other people's data. */
	flags |= AMDGPU_GEM_CREATE_VRAM_CLEARED;
	if (domains & VGPU_GEM_DOMAINS_SPECIAL) {
		if (flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID)
			return -EINVAL;
		flags |= AMDGPU_GEM_CREATE_NO_CPU_ACCESS;
	}

	if (flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID) {
		vm = fpriv->vm;
		ret = dma_resv_lock_interruptible(vgpu_vm_resv(vm), NULL);
		if (ret)
			return ret;
	}

	for (;;) {
		bo = vgpu_bo_create(vdev, args->in.bo_size, args->in.alignment, domains, flags,
				    ttm_bo_type_device, vm);
		ret = PTR_ERR_OR_ZERO(bo);
		if (!ret || ret == -ERESTARTSYS)
			break;

		/* What was asked for was the best place, not the only one. */
		if (flags & AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED)
			flags &= ~AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;
		else if (domains == AMDGPU_GEM_DOMAIN_VRAM)
			domains |= AMDGPU_GEM_DOMAIN_GTT;
		else
			break;
	}
	if (vm)
		dma_resv_unlock(vgpu_vm_resv(vm));
	if (ret) {
		drm_dbg(drm, "no buffer of %llu bytes in domains %#llx: %d\n",
			(u64)args->in.bo_size, domains, ret);
		return ret;
	}

	ret = drm_gem_handle_create(file, &bo->tbo.base, &handle);
	/* The handle has a reference of its own. */
	vgpu_bo_put(bo);
	if (ret)
		return ret;

	memset(args, 0, sizeof(*args));
	args->out.handle = handle;
	return 0;
}

int vgpu_gem_mmap_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	union drm_amdgpu_gem_mmap *args = data;
	struct drm_gem_object *obj;
	int ret = 0;

	obj = drm_gem_object_lookup(file, args->in.handle);
	if (!obj)
		return -ENOENT;

	if (!vgpu_gem_mappable(to_vgpu_bo(obj))) {
		ret = -EPERM;
	} else {
		memset(args, 0, sizeof(*args));
		args->out.addr_ptr = drm_vma_node_offset_addr(&obj->vma_node);
	}
	drm_gem_object_put(obj);
	return ret;
}

int vgpu_gem_wait_idle_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	union drm_amdgpu_gem_wait_idle *args = data;
	struct drm_gem_object *obj;
	unsigned long timeout;
	long left;

	/* Absolute; the far half of the range means for ever. */
	if ((s64)args->in.timeout < 0)
		timeout = MAX_SCHEDULE_TIMEOUT;
	else
		timeout = drm_timeout_abs_to_jiffies(args->in.timeout);

	obj = drm_gem_object_lookup(file, args->in.handle);
	if (!obj)
		return -ENOENT;
	left = dma_resv_wait_timeout(obj->resv, DMA_RESV_USAGE_READ, true, timeout);
	drm_gem_object_put(obj);
	if (left < 0)
		return left;

	memset(args, 0, sizeof(*args));
	args->out.status = left == 0;
	return 0;
}

/* A note its owner leaves on a buffer for whoever it is shared with. */
static int vgpu_bo_set_metadata(struct vgpu_bo *bo, const struct drm_amdgpu_gem_metadata *args)
{
	void *copy;

	if (args->data.data_size_bytes > sizeof(args->data.data))
		return -EINVAL;

	bo->tiling_flags = args->data.tiling_info;
	if (!args->data.data_size_bytes) {
		kfree(bo->metadata);
		bo->metadata = NULL;
		bo->metadata_size = 0;
		return 0;
	}

	copy = kmemdup(args->data.data, args->data.data_size_bytes, GFP_KERNEL_ACCOUNT);
	if (!copy)
		return -ENOMEM;
	kfree(bo->metadata);
	bo->metadata = copy;
	bo->metadata_size = args->data.data_size_bytes;
	bo->metadata_flags = args->data.flags;
	return 0;
}

int vgpu_gem_metadata_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_amdgpu_gem_metadata *args = data;
	struct drm_gem_object *obj;
	struct vgpu_bo *bo;
	int ret;

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	bo = to_vgpu_bo(obj);

	ret = ttm_bo_reserve(&bo->tbo, true, false, NULL);
	if (ret)
		goto out_put;

	switch (args->op) {
	case AMDGPU_GEM_METADATA_OP_GET_METADATA:
		args->data.tiling_info = bo->tiling_flags;
		args->data.flags = bo->metadata_flags;
		args->data.data_size_bytes = bo->metadata_size;
		if (bo->metadata_size)
			memcpy(args->data.data, bo->metadata, bo->metadata_size);
		break;
	case AMDGPU_GEM_METADATA_OP_SET_METADATA:
		ret = vgpu_bo_set_metadata(bo, args);
		break;
	default:
		/* Not an error to amdgpu. */
		break;
	}
	ttm_bo_unreserve(&bo->tbo);
out_put:
	drm_gem_object_put(obj);
	return ret;
}

int vgpu_gem_op_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_amdgpu_gem_create_in info = {};
	struct drm_amdgpu_gem_op *args = data;
	struct drm_gem_object *obj;
	struct vgpu_bo *bo;
	int ret;

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return -ENOENT;
	bo = to_vgpu_bo(obj);

	ret = ttm_bo_reserve(&bo->tbo, true, false, NULL);
	if (ret)
		goto out_put;

	switch (args->op) {
	case AMDGPU_GEM_OP_GET_GEM_CREATE_INFO:
		info.bo_size = obj->size;
		info.alignment = (u64)bo->tbo.page_alignment << PAGE_SHIFT;
		info.domains = bo->domains;
		info.domain_flags = bo->flags;
		break;
	case AMDGPU_GEM_OP_SET_PLACEMENT:
		if (obj->import_attach && args->value & AMDGPU_GEM_DOMAIN_VRAM) {
			ret = -EINVAL;
			break;
		}
		if (bo->userptr) {
			ret = -EPERM;
			break;
		}
		bo->domains = args->value & VGPU_GEM_DOMAINS_NORMAL;
		bo->allowed = bo->domains;
		if (bo->allowed == AMDGPU_GEM_DOMAIN_VRAM)
			bo->allowed |= AMDGPU_GEM_DOMAIN_GTT;
		/* The next job finds it where it now belongs. */
		vgpu_vm_bo_moved(bo, true);
		break;
	default:
		ret = -EINVAL;
		break;
	}
	ttm_bo_unreserve(&bo->tbo);

	/* The copy may fault, on a buffer of ours even: not under the reservation. */
	if (!ret && args->op == AMDGPU_GEM_OP_GET_GEM_CREATE_INFO &&
	    copy_to_user(u64_to_user_ptr(args->value), &info, sizeof(info)))
		ret = -EFAULT;
out_put:
	drm_gem_object_put(obj);
	return ret;
}
