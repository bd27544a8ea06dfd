// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory of /dev/kfd: buffers that a process makes, maps on dies at one address, and
 * shares. Documentation/queues.rst, "Memory of /dev/kfd".
 */
#include <linux/dma-buf.h>
#include <linux/fdtable.h>
#include <linux/kfd_ioctl.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_vma_manager.h>

#include <hw/pte.h>

#include "vgpu.h"
#include "vgpu_userptr.h"

#define KFD_MEM_TYPES \
	(KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_GTT | \
	 KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL | \
	 KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP)
/* Not memory at all: pages of BARs */
#define KFD_MEM_IO \
	(KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL | KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP)

/* More than there are dies, for those that name one twice */
#define KFD_MAX_DEVICES		1024

/* Pages that go again and again while they are mapped */
#define KFD_MAX_RETRIES		16

/* What the GART has besides, for the kernel and for moves of buffers */
#define KFD_GTT_RESERVED	SZ_32M

/**
 * struct vgpu_kfd_mem - memory that a process has by a handle
 * @kvm: the address space that the handle names
 * @flags: KFD_IOC_ALLOC_MEM_FLAGS_*
 * @va: where it is mapped, on all dies
 * @size: bytes of the buffer; mapped are twice as many of a ring for AQL
 * @bo: the buffer, referenced; NULL: none is behind @va
 * @dmabuf: what the buffer was exported as, or imported from, referenced; or NULL. So
 *          there is one dma-buf at most, which is told when the buffer moves
 * @attachments: struct kfd_attachment
 * @num_mapped: of these
 * @vram: bytes that count in vgpu_kfd_device.vram_used
 * @gtt: bytes that count in vgpu_kfd_device.gtt_used
 *
 * All under the lock of the process.
 */
struct vgpu_kfd_mem {
	struct vgpu_kfd_vm *kvm;
	u32 flags;
	u64 va;
	u64 size;
	struct vgpu_bo *bo;
	struct dma_buf *dmabuf;
	struct list_head attachments;
	unsigned int num_mapped;
	u64 vram, gtt;
};

/**
 * struct kfd_attachment - memory in an address space, that may be mapped there
 * @node: in vgpu_kfd_mem.attachments
 * @kvm: the address space
 * @bo: what stands for the buffer on this die, referenced; NULL as in vgpu_kfd_mem
 * @mapped: it is
 */
struct kfd_attachment {
	struct list_head node;
	struct vgpu_kfd_vm *kvm;
	struct vgpu_bo *bo;
	bool mapped;
};

static struct drm_file *kvm_drm_file(struct vgpu_kfd_vm *kvm)
{
	return kvm->file->private_data;
}

static bool kvm_gone(struct vgpu_kfd_vm *kvm)
{
	return drm_dev_is_unplugged(&kvm->vdev->drm);
}

static int kfd_nothing(struct vgpu_device *vdev, void *arg)
{
	return 0;
}

/* Also of a die that is gone. */
static struct vgpu_kfd_vm *kfd_lookup_vm(struct vgpu_kfd_process *p, u32 gpu_id)
{
	struct vgpu_kfd_vm *kvm;

	list_for_each_entry(kvm, &p->vms, node) {
		if (kvm->gpu_id == gpu_id)
			return kvm;
	}
	return NULL;
}

/**
 * vgpu_kfd_find_vm() - the address space of a process on a die
 * @p: the process, locked
 * @gpu_id: the die
 * @out: the address space
 *
 * Return: 0; -EINVAL: no such die; -ENODEV: the process has acquired none there, or the
 * die is gone.
 */
int vgpu_kfd_find_vm(struct vgpu_kfd_process *p, u32 gpu_id, struct vgpu_kfd_vm **out)
{
	struct vgpu_kfd_vm *kvm = kfd_lookup_vm(p, gpu_id);

	if (kvm && !kvm_gone(kvm)) {
		*out = kvm;
		return 0;
	}
	if (kvm || !vgpu_topology_with_die(gpu_id, kfd_nothing, NULL))
		return -ENODEV;
	return -EINVAL;
}

/* ------------------------------------------------------------------- counting */

void vgpu_kfd_device_init(struct vgpu_device *vdev)
{
	spin_lock_init(&vdev->kfd.sdma_lock);
	ida_init(&vdev->kfd.slices);
	atomic64_set(&vdev->kfd.vram_used, 0);
	atomic64_set(&vdev->kfd.gtt_used, 0);
}

static int kfd_charge(atomic64_t *used, u64 bytes, u64 reserved, u64 total)
{
	u64 limit = total > reserved ? total - reserved : 0;

	if (bytes > limit)
		return -ENOMEM;
	if (atomic64_add_return(bytes, used) > limit) {
		atomic64_sub(bytes, used);
		return -ENOMEM;
	}
	return 0;
}

/*
 * All memory of running queues is in place at the same time: no more is promised than
 * there is.
 */
static int kfd_mem_charge(struct vgpu_kfd_mem *mem)
{
	struct vgpu_device *vdev = mem->kvm->vdev;
	int ret;

	if (mem->flags & KFD_MEM_IO)
		return 0;
	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_VRAM) {
		ret = kfd_charge(&vdev->kfd.vram_used, mem->size,
				 VGPU_VM_RESERVED_VRAM + vdev->info.kernel_vram,
				 vdev->gmc.vram_size);
		mem->vram = ret ? 0 : mem->size;
	} else {
		ret = kfd_charge(&vdev->kfd.gtt_used, mem->size,
				 KFD_GTT_RESERVED / 2 + vdev->info.kernel_gtt,
				 vdev->gmc.gart_size);
		mem->gtt = ret ? 0 : mem->size;
	}
	return ret;
}

static void kfd_mem_uncharge(struct vgpu_kfd_mem *mem)
{
	atomic64_sub(mem->vram, &mem->kvm->vdev->kfd.vram_used);
	atomic64_sub(mem->gtt, &mem->kvm->vdev->kfd.gtt_used);
}

/* ------------------------------------------------------------------ attaching */

/* The one dma-buf of the buffer; no reference for the caller. */
static struct dma_buf *kfd_mem_dmabuf(struct vgpu_kfd_mem *mem)
{
	struct dma_buf *dmabuf;

	if (mem->dmabuf)
		return mem->dmabuf;
	dmabuf = vgpu_gem_export(&mem->bo->tbo.base, O_RDWR | O_CLOEXEC);
	if (!IS_ERR(dmabuf))
		mem->dmabuf = dmabuf;
	return dmabuf;
}

/* What stands for a dma-buf on a die: VRAM only where there is a way to it. */
static struct vgpu_bo *kfd_import(struct vgpu_device *vdev, struct dma_buf *dmabuf)
{
	struct vgpu_bo *bo = vgpu_dmabuf_bo(dmabuf);
	struct drm_gem_object *obj;

	if (bo && bo->domains & AMDGPU_GEM_DOMAIN_VRAM) {
		struct vgpu_device *owner = to_vgpu(bo->tbo.base.dev);

		if (owner != vdev && !vgpu_hive_peers(vdev, owner))
			return ERR_PTR(-EINVAL);
	}
	obj = vgpu_gem_import(&vdev->drm, dmabuf);
	return IS_ERR(obj) ? ERR_CAST(obj) : to_vgpu_bo(obj);
}

static struct vgpu_bo *kfd_mem_bo_on(struct vgpu_kfd_mem *mem, struct vgpu_kfd_vm *kvm)
{
	struct dma_buf *dmabuf;

	if (mem->kvm == kvm) {
		drm_gem_object_get(&mem->bo->tbo.base);
		return mem->bo;
	}
	if (mem->bo->userptr)
		return vgpu_userptr_create(kvm->vdev, mem->bo->userptr->addr, mem->size, 0);
	dmabuf = kfd_mem_dmabuf(mem);
	return IS_ERR(dmabuf) ? ERR_CAST(dmabuf) : kfd_import(kvm->vdev, dmabuf);
}

static struct kfd_attachment *kfd_attached(struct vgpu_kfd_mem *mem, struct vgpu_kfd_vm *kvm)
{
	struct kfd_attachment *att;

	list_for_each_entry(att, &mem->attachments, node) {
		if (att->kvm == kvm)
			return att;
	}
	return NULL;
}

static struct kfd_attachment *kfd_attach(struct vgpu_kfd_mem *mem, struct vgpu_kfd_vm *kvm)
{
	struct kfd_attachment *att = kzalloc(sizeof(*att), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!att)
		return ERR_PTR(-ENOMEM);
	att->kvm = kvm;
	if (mem->bo) {
		att->bo = kfd_mem_bo_on(mem, kvm);
		if (IS_ERR(att->bo)) {
			ret = PTR_ERR(att->bo);
			goto err_free;
		}
		ret = vgpu_vm_bo_open(vgpu_kfd_space(kvm), att->bo);
		if (ret)
			goto err_put;
	}
	list_add_tail(&att->node, &mem->attachments);
	return att;

err_put:
	vgpu_bo_put(att->bo);
err_free:
	kfree(att);
	return ERR_PTR(ret);
}

/* What is mapped is unmapped, without waiting for it. */
static void kfd_detach(struct vgpu_kfd_mem *mem, struct kfd_attachment *att)
{
	list_del(&att->node);
	mem->num_mapped -= att->mapped;
	if (att->bo) {
		vgpu_vm_bo_close(vgpu_kfd_space(att->kvm), att->bo);
		vgpu_bo_put(att->bo);
	}
	kfree(att);
}

/* --------------------------------------------------------------------- memory */

static int kfd_mem_create_bo(struct vgpu_kfd_mem *mem, u64 user_addr)
{
	u64 flags = AMDGPU_GEM_CREATE_VRAM_CLEARED;
	bool vram = mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_VRAM;
	struct vgpu_device *vdev = mem->kvm->vdev;
	struct vgpu_bo *bo;
	int ret;

	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC && vram)
		flags |= AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;

	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR) {
		bo = vgpu_userptr_create(vdev, user_addr, mem->size, 0);
		if (IS_ERR(bo))
			return PTR_ERR(bo);
		ret = vgpu_userptr_validate(bo);
		if (ret)
			goto err_put;
	} else {
		bo = vgpu_bo_create(vdev, mem->size, PAGE_SIZE,
				    vram ? AMDGPU_GEM_DOMAIN_VRAM : AMDGPU_GEM_DOMAIN_GTT, flags,
				    ttm_bo_type_device, NULL);
		if (IS_ERR(bo))
			return PTR_ERR(bo) == -ENOSPC ? -ENOMEM : PTR_ERR(bo);
	}
	/* Nobody else knows it yet. */
	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_COHERENT)
		bo->flags |= AMDGPU_GEM_CREATE_COHERENT;
	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_EXT_COHERENT)
		bo->flags |= AMDGPU_GEM_CREATE_EXT_COHERENT;
	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED)
		bo->flags |= AMDGPU_GEM_CREATE_UNCACHED;
	bo->flags |= flags & AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED;

	ret = drm_vma_node_allow(&bo->tbo.base.vma_node, kvm_drm_file(mem->kvm));
	if (ret)
		goto err_put;
	mem->bo = bo;
	return 0;

err_put:
	vgpu_bo_put(bo);
	return ret;
}

/* Its attachments are gone, or go with it. */
static void kfd_mem_free(struct vgpu_kfd_mem *mem)
{
	struct kfd_attachment *att, *next;

	list_for_each_entry_safe(att, next, &mem->attachments, node)
		kfd_detach(mem, att);
	if (mem->bo) {
		drm_vma_node_revoke(&mem->bo->tbo.base.vma_node, kvm_drm_file(mem->kvm));
		vgpu_bo_put(mem->bo);
	}
	if (mem->dmabuf)
		dma_buf_put(mem->dmabuf);
	kfd_mem_uncharge(mem);
	kfree(mem);
}

static struct vgpu_kfd_mem *kfd_mem_alloc(struct vgpu_kfd_vm *kvm, u32 flags, u64 va, u64 size)
{
	struct vgpu_kfd_mem *mem = kzalloc(sizeof(*mem), GFP_KERNEL_ACCOUNT);

	if (!mem)
		return NULL;
	mem->kvm = kvm;
	mem->flags = flags;
	mem->va = va;
	mem->size = size;
	INIT_LIST_HEAD(&mem->attachments);
	return mem;
}

/* Return: 0 with the handle, or a negative error: then it is freed. */
static int kfd_mem_publish(struct vgpu_kfd_mem *mem, u64 *handle)
{
	int id = idr_alloc(&mem->kvm->mems, mem, 1, 0, GFP_KERNEL_ACCOUNT);

	if (id < 0) {
		kfd_mem_free(mem);
		return id;
	}
	*handle = (u64)mem->kvm->gpu_id << 32 | id;
	return 0;
}

/* Also on a die that is gone. */
static struct vgpu_kfd_mem *kfd_mem_find(struct vgpu_kfd_process *p, u64 handle, int *ret)
{
	struct vgpu_kfd_vm *kvm = kfd_lookup_vm(p, handle >> 32);
	struct vgpu_kfd_mem *mem;

	if (!kvm) {
		*ret = -EINVAL;
		return NULL;
	}
	mem = idr_find(&kvm->mems, lower_32_bits(handle));
	if (!mem)
		*ret = -ENOMEM;
	return mem;
}

static u64 kfd_mmap_offset(struct vgpu_kfd_mem *mem)
{
	u64 where = VGPU_KFD_MMAP_GPU_ID(mem->kvm->gpu_id);

	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL)
		return where | VGPU_KFD_MMAP_DOORBELL;
	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP)
		return where | VGPU_KFD_MMAP_MMIO;
	return drm_vma_node_offset_addr(&mem->bo->tbo.base.vma_node);
}

/* Which must be one. Return: bytes of the buffer; 0: they are none. */
static u64 kfd_alloc_size(const struct kfd_ioctl_alloc_memory_of_gpu_args *args)
{
	u32 type = args->flags & KFD_MEM_TYPES;
	u64 size = args->size;

	if (!is_power_of_2(type))
		return 0;
	if (type & KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL)
		return size == VGPU_KFD_DOORBELL_BYTES ? size : 0;
	if (type & KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP)
		return size == PAGE_SIZE ? size : 0;
	if (type & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR &&
	    (!args->mmap_offset || offset_in_page(args->mmap_offset)))
		return 0;
	if (args->flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM)
		size >>= 1;
	return PAGE_ALIGN(size);
}

static int kfd_alloc(struct vgpu_kfd_process *p, struct kfd_ioctl_alloc_memory_of_gpu_args *args)
{
	const u32 visible = KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC | KFD_IOC_ALLOC_MEM_FLAGS_VRAM;
	u64 size = kfd_alloc_size(args);
	struct vgpu_kfd_mem *mem;
	struct vgpu_kfd_vm *kvm;
	u64 offset, handle;
	int ret;

	if (!size)
		return -EINVAL;
	ret = vgpu_kfd_find_vm(p, args->gpu_id, &kvm);
	if (ret)
		return ret;
	/* Where the CPU does not reach all of it, none is promised. */
	if ((args->flags & visible) == visible &&
	    kvm->vdev->gmc.visible_vram_size < kvm->vdev->gmc.vram_size)
		return -EINVAL;

	mem = kfd_mem_alloc(kvm, args->flags, args->va_addr, size);
	if (!mem)
		return -ENOMEM;
	ret = kfd_mem_charge(mem);
	if (!ret && args->flags & KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL)
		ret = vgpu_kfd_doorbell_alloc(kvm);
	else if (!ret && !(args->flags & KFD_MEM_IO))
		ret = kfd_mem_create_bo(mem, untagged_addr(args->mmap_offset));
	if (ret) {
		kfd_mem_free(mem);
		return ret == -ENOSPC ? -ENOMEM : ret;
	}
	offset = kfd_mmap_offset(mem);
	ret = kfd_mem_publish(mem, &handle);
	if (!ret) {
		args->handle = handle;
		args->mmap_offset = offset;
	}
	return ret;
}

/**
 * vgpu_kfd_alloc_memory() - AMDKFD_IOC_ALLOC_MEMORY_OF_GPU
 * @p: the process
 * @data: struct kfd_ioctl_alloc_memory_of_gpu_args
 *
 * Return: 0; -EINVAL: a bad size or kind, or no such die; -ENODEV: no address space
 * there; -ENOMEM; -EFAULT, -EPERM: no such memory of the process; -ERESTARTSYS.
 */
int vgpu_kfd_alloc_memory(struct vgpu_kfd_process *p, void *data)
{
	int ret;

	mutex_lock(&p->lock);
	ret = kfd_alloc(p, data);
	mutex_unlock(&p->lock);
	return ret;
}

/**
 * vgpu_kfd_free_memory() - AMDKFD_IOC_FREE_MEMORY_OF_GPU
 * @p: the process
 * @data: struct kfd_ioctl_free_memory_of_gpu_args
 *
 * Return: 0; -EINVAL: no such handle; -EBUSY: it is mapped.
 */
int vgpu_kfd_free_memory(struct vgpu_kfd_process *p, void *data)
{
	const struct kfd_ioctl_free_memory_of_gpu_args *args = data;
	struct vgpu_kfd_mem *mem;
	int ret = 0;

	mutex_lock(&p->lock);
	mem = kfd_mem_find(p, args->handle, &ret);
	if (!mem) {
		ret = -EINVAL;
	} else if (mem->num_mapped) {
		ret = -EBUSY;
	} else {
		idr_remove(&mem->kvm->mems, lower_32_bits(args->handle));
		kfd_mem_free(mem);
	}
	mutex_unlock(&p->lock);
	return ret;
}

/* -------------------------------------------------------------------- mapping */

static void kfd_map_fill(struct vgpu_vm_map *map, const struct vgpu_kfd_mem *mem,
			 const struct kfd_attachment *att)
{
	map->bo = att->bo;
	map->addr = mem->va;
	map->times = mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM ? 2 : 1;
	map->flags = VGPU_PTE_READABLE | VGPU_PTE_MTYPE_SHIFT(MTYPE_NC);
	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)
		map->flags |= VGPU_PTE_WRITEABLE;
	if (mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE)
		map->flags |= VGPU_PTE_EXECUTABLE;
}

/* In the part of the address space that the CPU has too. */
static bool kfd_va_valid(const struct vgpu_vm_map *map)
{
	u64 end;

	return !offset_in_page(map->addr) && map->addr >= VGPU_VA_START &&
	       !check_add_overflow(map->addr, map->times * map->bo->tbo.base.size, &end) &&
	       end <= min(VGPU_VA_HOLE_START, VGPU_VA_END);
}

static int kfd_map_bo(struct vgpu_kfd_process *p, struct vgpu_kfd_mem *mem,
		      struct kfd_attachment *att)
{
	struct vgpu_vm *vm = vgpu_kfd_space(att->kvm);
	unsigned int tries = 0;
	struct vgpu_vm_map map;
	struct dma_fence *keep;
	int ret;

	kfd_map_fill(&map, mem, att);
	if (!kfd_va_valid(&map))
		return -EINVAL;
	keep = vgpu_kfd_eviction_fence(p);
	if (!keep)
		return -ENOMEM;
	do {
		ret = vgpu_userptr_find_stale(att->bo) ?: vgpu_vm_map_now(vm, &map, keep);
		if (ret == -ESTALE) {
			vgpu_kfd_stop_queues(p);
			ret = vgpu_userptr_find_all(vm) ?: vgpu_vm_rewrite(vm, keep) ?: -EAGAIN;
		}
	} while (ret == -EAGAIN && ++tries < KFD_MAX_RETRIES);
	return ret;
}

static int kfd_map_on(struct vgpu_kfd_process *p, struct vgpu_kfd_mem *mem, u32 gpu_id)
{
	struct kfd_attachment *att;
	struct vgpu_kfd_vm *kvm;
	int ret;

	ret = vgpu_kfd_find_vm(p, gpu_id, &kvm);
	if (ret)
		return ret;
	att = kfd_attached(mem, kvm);
	if (!att)
		att = kfd_attach(mem, kvm);
	if (IS_ERR(att))
		return PTR_ERR(att);
	if (att->mapped)
		return 0;
	/* No engine reaches BARs: whoever tries gets a page fault. */
	ret = att->bo ? kfd_map_bo(p, mem, att) : 0;
	if (ret)
		return ret;
	att->mapped = true;
	mem->num_mapped++;
	return 0;
}

static int kfd_unmap_on(struct vgpu_kfd_process *p, struct vgpu_kfd_mem *mem, u32 gpu_id)
{
	struct vgpu_kfd_vm *kvm = kfd_lookup_vm(p, gpu_id);
	struct kfd_attachment *att = kvm ? kfd_attached(mem, kvm) : NULL;
	struct vgpu_vm_map map;
	int ret = 0;

	if (!att || !att->mapped)
		return -EINVAL;
	if (att->bo) {
		kfd_map_fill(&map, mem, att);
		ret = vgpu_vm_unmap_now(vgpu_kfd_space(kvm), &map);
	}
	if (ret)
		return ret;
	att->mapped = false;
	mem->num_mapped--;
	return 0;
}

/* Until all those dies have seen what was changed. The process is not locked. */
static int kfd_sync(struct vgpu_kfd_process *p, const u32 *ids, u32 num)
{
	struct vgpu_vm *vm;
	int ret = 0;
	u32 i;

	for (i = 0; i < num && !ret; i++) {
		struct vgpu_kfd_vm *kvm;

		mutex_lock(&p->lock);
		kvm = kfd_lookup_vm(p, ids[i]);
		vm = kvm && !kvm_gone(kvm) ? vgpu_kfd_space(kvm) : NULL;
		if (vm)
			vgpu_vm_get(vm);
		mutex_unlock(&p->lock);
		if (!vm)
			continue;
		ret = vgpu_vm_sync(vm, true);
		vgpu_vm_put(vm);
	}
	return ret;
}

/* Both have the same arguments, and say how far they came. */
static int kfd_map_or_unmap(struct vgpu_kfd_process *p,
			    struct kfd_ioctl_map_memory_to_gpu_args *args,
			    int (*func)(struct vgpu_kfd_process *p, struct vgpu_kfd_mem *mem,
					u32 gpu_id))
{
	struct vgpu_kfd_mem *mem;
	int ret = 0;
	u32 *ids;

	if (!args->n_devices || args->n_success > args->n_devices)
		return -EINVAL;
	if (args->n_devices > KFD_MAX_DEVICES)
		return -ENOMEM;
	ids = memdup_array_user(u64_to_user_ptr(args->device_ids_array_ptr), args->n_devices,
				sizeof(*ids));
	if (IS_ERR(ids))
		return PTR_ERR(ids);

	mutex_lock(&p->lock);
	mem = kfd_mem_find(p, args->handle, &ret);
	while (!ret && args->n_success < args->n_devices) {
		ret = func(p, mem, ids[args->n_success]);
		args->n_success += !ret;
	}
	mutex_unlock(&p->lock);

	if (!ret)
		ret = kfd_sync(p, ids, args->n_devices);
	kfree(ids);
	return ret;
}

/**
 * vgpu_kfd_map_memory() - AMDKFD_IOC_MAP_MEMORY_TO_GPU
 * @p: the process
 * @data: struct kfd_ioctl_map_memory_to_gpu_args
 *
 * When it returns 0 queues on all these dies see it.
 * Return: 0; -EINVAL: no such die, no way to it, a bad address, or one that is taken;
 * -ENODEV: no address space there; -ENOMEM, also for a bad handle; -EFAULT; -EAGAIN;
 * -ERESTARTSYS; with as many as succeeded in the arguments.
 */
int vgpu_kfd_map_memory(struct vgpu_kfd_process *p, void *data)
{
	return kfd_map_or_unmap(p, data, kfd_map_on);
}

/**
 * vgpu_kfd_unmap_memory() - AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU
 * @p: the process
 * @data: struct kfd_ioctl_unmap_memory_from_gpu_args
 *
 * When it returns 0 no queue sees it any more. Return: as vgpu_kfd_map_memory(); a die
 * that is gone is no error.
 */
int vgpu_kfd_unmap_memory(struct vgpu_kfd_process *p, void *data)
{
	BUILD_BUG_ON(sizeof(struct kfd_ioctl_unmap_memory_from_gpu_args) !=
		     sizeof(struct kfd_ioctl_map_memory_to_gpu_args));
	return kfd_map_or_unmap(p, data, kfd_unmap_on);
}

/* -------------------------------------------------------------------- sharing */

static int kfd_import_fd(struct vgpu_kfd_process *p, struct kfd_ioctl_import_dmabuf_args *args,
			 struct dma_buf *dmabuf)
{
	struct vgpu_kfd_mem *mem;
	struct vgpu_kfd_vm *kvm;
	struct vgpu_bo *bo;
	u32 flags;
	int ret;

	ret = vgpu_kfd_find_vm(p, args->gpu_id, &kvm);
	if (ret)
		return ret;
	bo = kfd_import(kvm->vdev, dmabuf);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ret = -EINVAL;
	if (!(bo->domains & (AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT)))
		goto err_put;
	ret = -ENOMEM;
	flags = bo->domains & AMDGPU_GEM_DOMAIN_VRAM ? KFD_IOC_ALLOC_MEM_FLAGS_VRAM :
						       KFD_IOC_ALLOC_MEM_FLAGS_GTT;
	flags |= KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE | KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE;
	mem = kfd_mem_alloc(kvm, flags, args->va_addr, bo->tbo.base.size);
	if (!mem)
		goto err_put;
	ret = drm_vma_node_allow(&bo->tbo.base.vma_node, kvm_drm_file(kvm));
	if (ret) {
		kfree(mem);
		goto err_put;
	}
	get_dma_buf(dmabuf);
	mem->dmabuf = dmabuf;
	mem->bo = bo;
	return kfd_mem_publish(mem, &args->handle);

err_put:
	vgpu_bo_put(bo);
	return ret;
}

/**
 * vgpu_kfd_import_dmabuf() - AMDKFD_IOC_IMPORT_DMABUF
 * @p: the process
 * @data: struct kfd_ioctl_import_dmabuf_args
 *
 * Return: 0; -EBADF, -EINVAL: no dma-buf, no such die, or no way to it; -ENODEV; -ENOMEM.
 */
int vgpu_kfd_import_dmabuf(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_import_dmabuf_args *args = data;
	struct dma_buf *dmabuf = dma_buf_get(args->dmabuf_fd);
	int ret;

	if (IS_ERR(dmabuf))
		return PTR_ERR(dmabuf);
	mutex_lock(&p->lock);
	ret = kfd_import_fd(p, args, dmabuf);
	mutex_unlock(&p->lock);
	dma_buf_put(dmabuf);
	return ret;
}

/**
 * vgpu_kfd_export_dmabuf() - AMDKFD_IOC_EXPORT_DMABUF
 * @p: the process
 * @data: struct kfd_ioctl_export_dmabuf_args
 *
 * Return: 0 with the descriptor; -EINVAL: a bad handle, or flags; -EPERM: memory that is
 * not to be given away; -ENOMEM, -EMFILE.
 */
int vgpu_kfd_export_dmabuf(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_export_dmabuf_args *args = data;
	struct dma_buf *dmabuf = ERR_PTR(-EINVAL);
	struct vgpu_kfd_mem *mem;
	int ret = 0;

	mutex_lock(&p->lock);
	mem = kfd_mem_find(p, args->handle, &ret);
	if (mem && mem->bo)
		dmabuf = kfd_mem_dmabuf(mem);
	if (!IS_ERR(dmabuf))
		get_dma_buf(dmabuf);
	mutex_unlock(&p->lock);
	if (IS_ERR(dmabuf))
		return PTR_ERR(dmabuf);

	ret = dma_buf_fd(dmabuf, args->flags);
	if (ret < 0) {
		dma_buf_put(dmabuf);
		return ret;
	}
	args->dmabuf_fd = ret;
	return 0;
}

/* Return: 0 with as much of the note on the buffer as there is, at @note. */
static int kfd_dmabuf_note(struct vgpu_bo *bo, struct kfd_ioctl_get_dmabuf_info_args *args,
			   void *note)
{
	u32 room = args->metadata_size;
	int ret;

	ret = ttm_bo_reserve(&bo->tbo, true, false, NULL);
	if (ret)
		return ret;
	args->metadata_size = bo->metadata_size;
	if (bo->metadata_size > room)
		ret = -EINVAL;
	else if (bo->metadata_size)
		memcpy(note, bo->metadata, bo->metadata_size);
	ttm_bo_unreserve(&bo->tbo);
	return ret;
}

static int kfd_dmabuf_look(struct dma_buf *dmabuf, struct kfd_ioctl_get_dmabuf_info_args *args)
{
	u8 note[sizeof_field(struct drm_amdgpu_gem_metadata, data.data)];
	struct vgpu_bo *bo = vgpu_dmabuf_bo(dmabuf);
	int ret;

	if (!bo || !(bo->domains & (AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT)))
		return -EINVAL;
	args->size = bo->tbo.base.size;
	args->gpu_id = to_vgpu(bo->tbo.base.dev)->topology.gpu_id;
	args->flags = bo->domains & AMDGPU_GEM_DOMAIN_VRAM ? KFD_IOC_ALLOC_MEM_FLAGS_VRAM :
							     KFD_IOC_ALLOC_MEM_FLAGS_GTT;
	if (bo->flags & AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED)
		args->flags |= KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC;
	ret = kfd_dmabuf_note(bo, args, note);
	if (ret)
		return ret;
	if (args->metadata_ptr && copy_to_user(u64_to_user_ptr(args->metadata_ptr), note,
					       args->metadata_size))
		return -EFAULT;
	return 0;
}

/**
 * vgpu_kfd_dmabuf_info() - AMDKFD_IOC_GET_DMABUF_INFO
 * @p: the process
 * @data: struct kfd_ioctl_get_dmabuf_info_args
 *
 * Return: 0; -EBADF, -EINVAL: not a dma-buf of ours, or no room for what its owner has
 * noted on it; -EFAULT; -ERESTARTSYS.
 */
int vgpu_kfd_dmabuf_info(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_get_dmabuf_info_args *args = data;
	struct dma_buf *dmabuf = dma_buf_get(args->dmabuf_fd);
	int ret;

	if (IS_ERR(dmabuf))
		return PTR_ERR(dmabuf);
	ret = kfd_dmabuf_look(dmabuf, args);
	dma_buf_put(dmabuf);
	return ret;
}

/* ------------------------------------------------------------------ its life */

static int kfd_pin(struct vgpu_bo *bo, void **cpu)
{
	int ret;

	ret = ttm_bo_reserve(&bo->tbo, true, false, NULL);
	if (ret)
		return ret;
	ret = vgpu_bo_pin_gtt(bo);
	if (ret)
		goto unreserve;
	ret = vgpu_bo_kmap(bo, cpu);
	if (ret)
		ttm_bo_unpin(&bo->tbo);
unreserve:
	ttm_bo_unreserve(&bo->tbo);
	return ret;
}

/**
 * vgpu_kfd_memory_pin() - memory of a process, for the kernel to read and write
 * @p: the process, locked
 * @handle: of system memory that no die stands for
 * @size: bytes it must have at least
 * @cpu: where it is
 *
 * May sleep. Return: the buffer, for vgpu_bo_free_kernel(); or an ERR_PTR(): -EINVAL: it is
 * no such memory, or too small; -ENOMEM, -ERESTARTSYS.
 */
struct vgpu_bo *vgpu_kfd_memory_pin(struct vgpu_kfd_process *p, u64 handle, u64 size, void **cpu)
{
	struct vgpu_kfd_mem *mem;
	int ret = 0;

	mem = kfd_mem_find(p, handle, &ret);
	if (!mem || !(mem->flags & KFD_IOC_ALLOC_MEM_FLAGS_GTT) || !mem->bo ||
	    mem->bo->tbo.base.import_attach || mem->size < size)
		return ERR_PTR(-EINVAL);
	ret = kfd_pin(mem->bo, cpu);
	if (ret)
		return ERR_PTR(ret);
	drm_gem_object_get(&mem->bo->tbo.base);
	return mem->bo;
}

/**
 * vgpu_kfd_memory_begin() - a process has acquired an address space
 * @p: the process, locked
 * @kvm: the address space
 *
 * May have mappings already, which queues will see too. May sleep.
 * Return: 0, -ENOMEM, -EAGAIN, -ERESTARTSYS, -ENODEV.
 */
int vgpu_kfd_memory_begin(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm)
{
	struct dma_fence *keep = vgpu_kfd_eviction_fence(p);
	struct vgpu_vm *vm = vgpu_kfd_space(kvm);
	unsigned int tries = 0;
	int ret;

	if (!keep)
		return -ENOMEM;
	idr_init(&kvm->mems);
	kvm->window = vgpu_kfd_window_open(p, kvm);
	if (!kvm->window) {
		idr_destroy(&kvm->mems);
		return -ENOMEM;
	}
	vgpu_vm_set_kfd(vm, p);
	do {
		ret = vgpu_userptr_find_all(vm) ?: vgpu_vm_rewrite(vm, keep);
	} while (ret == -EAGAIN && ++tries < KFD_MAX_RETRIES);
	if (!ret)
		ret = vgpu_vm_sync(vm, true);
	if (ret) {
		vgpu_vm_set_kfd(vm, NULL);
		vgpu_kfd_memory_end(p, kvm);
	}
	return ret;
}

/**
 * vgpu_kfd_memory_end() - nothing runs in an address space any more
 * @p: the process, locked
 * @kvm: its address space; all memory by handles of its die goes, from others too
 *
 * Touches no memory of the process. May sleep.
 */
void vgpu_kfd_memory_end(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm)
{
	struct vgpu_kfd_mem *mem;
	int id;

	idr_for_each_entry(&kvm->mems, mem, id)
		kfd_mem_free(mem);
	idr_destroy(&kvm->mems);
	vgpu_kfd_window_close(p, kvm->window);
}
