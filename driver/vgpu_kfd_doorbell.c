// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Pages of BARs that a process has: its own part of the doorbells of a die, and the
 * page that flushes HDP. Documentation/queues.rst, "Doorbells of a process".
 */
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>

#include <hw/pci.h>

#include "vgpu.h"

/*
 * In the address space of the render node's inode, below what GEM has there: doorbells
 * by their place in the BAR, then the page that flushes HDP. So taking the BARs from
 * all who have mapped them takes these too.
 */
#define WINDOW_PGOFF_HDP	BIT(19)

/**
 * struct vgpu_kfd_window - what a process has of the BARs of a die
 * @ref: the process' and those of mappings
 * @node: in vgpu_kfd_process.windows
 * @gpu_id: of the die
 * @vdev: the die, referenced
 * @file: the render node; NULL: the process has ended
 * @lock: guards @file and @slice against faults
 * @slice: of doorbells, 0: none yet
 * @dummy: in place of what is not there any more
 */
struct vgpu_kfd_window {
	struct kref ref;
	struct list_head node;
	u32 gpu_id;
	struct vgpu_device *vdev;
	struct file *file;
	struct mutex lock;		/* see above */
	unsigned int slice;
	struct page *dummy;
};

static void window_release(struct kref *ref)
{
	struct vgpu_kfd_window *w = container_of(ref, struct vgpu_kfd_window, ref);

	drm_dev_put(&w->vdev->drm);
	__free_page(w->dummy);
	mutex_destroy(&w->lock);
	kfree(w);
}

static void window_put(struct vgpu_kfd_window *w)
{
	kref_put(&w->ref, window_release);
}

/**
 * vgpu_kfd_window_open() - a process has acquired an address space of a die
 * @p: the process
 * @kvm: the address space
 *
 * May sleep. Return: the window or NULL.
 */
struct vgpu_kfd_window *vgpu_kfd_window_open(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm)
{
	struct vgpu_kfd_window *w = kzalloc(sizeof(*w), GFP_KERNEL_ACCOUNT);

	if (!w)
		return NULL;
	w->dummy = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!w->dummy) {
		kfree(w);
		return NULL;
	}
	kref_init(&w->ref);
	mutex_init(&w->lock);
	drm_dev_get(&kvm->vdev->drm);
	w->vdev = kvm->vdev;
	w->file = kvm->file;
	w->gpu_id = kvm->gpu_id;
	mutex_lock(&p->window_lock);
	list_add_tail(&w->node, &p->windows);
	mutex_unlock(&p->window_lock);
	return w;
}

static pgoff_t slice_pgoff(unsigned int slice)
{
	return slice * (VGPU_KFD_DOORBELL_BYTES >> PAGE_SHIFT);
}

/**
 * vgpu_kfd_window_close() - the process ends
 * @p: the process
 * @w: the window, or NULL
 *
 * Whoever still has doorbells mapped rings nothing with them. May sleep.
 */
void vgpu_kfd_window_close(struct vgpu_kfd_process *p, struct vgpu_kfd_window *w)
{
	struct address_space *mapping;

	if (!w)
		return;
	mutex_lock(&p->window_lock);
	list_del(&w->node);
	mutex_unlock(&p->window_lock);

	mapping = w->vdev->drm.anon_inode->i_mapping;
	mutex_lock(&w->lock);
	w->file = NULL;
	mutex_unlock(&w->lock);
	if (w->slice) {
		unmap_mapping_range(mapping, (loff_t)slice_pgoff(w->slice) << PAGE_SHIFT,
				    VGPU_KFD_DOORBELL_BYTES, 1);
		ida_free(&w->vdev->kfd.slices, w->slice);
	}
	window_put(w);
}

int vgpu_kfd_doorbell_alloc(struct vgpu_kfd_vm *kvm)
{
	struct vgpu_kfd_window *w = kvm->window;
	u32 max = w->vdev->num_doorbells / (VGPU_KFD_DOORBELL_BYTES / sizeof(u32)) - 1;
	int ret = 0;

	mutex_lock(&w->lock);
	if (!w->slice) {
		/* The first part is the kernel's. */
		ret = ida_alloc_range(&w->vdev->kfd.slices, 1, max, GFP_KERNEL_ACCOUNT);
		if (ret > 0) {
			w->slice = ret;
			ret = 0;
		}
	}
	mutex_unlock(&w->lock);
	return ret;
}

u32 vgpu_kfd_doorbell_first(struct vgpu_kfd_vm *kvm)
{
	return kvm->window->slice * (VGPU_KFD_DOORBELL_BYTES / sizeof(u32));
}

/* ------------------------------------------------------------------ mapping */

static void window_vm_open(struct vm_area_struct *vma)
{
	struct vgpu_kfd_window *w = vma->vm_private_data;

	kref_get(&w->ref);
}

static void window_vm_close(struct vm_area_struct *vma)
{
	window_put(vma->vm_private_data);
}

static resource_size_t window_phys(struct vgpu_kfd_window *w, pgoff_t pgoff)
{
	if (pgoff >= WINDOW_PGOFF_HDP)
		return vgpu_nbio_hdp_page(w->vdev);
	return pci_resource_start(w->vdev->pdev, VGPU_BAR_DOORBELL) +
	       ((resource_size_t)pgoff << PAGE_SHIFT);
}

static vm_fault_t window_fault(struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	struct vgpu_kfd_window *w = vma->vm_private_data;
	vm_fault_t ret;
	int idx;

	mutex_lock(&w->lock);
	if (w->file && drm_dev_enter(&w->vdev->drm, &idx)) {
		ret = vmf_insert_pfn_prot(vma, vmf->address,
					  window_phys(w, vmf->pgoff) >> PAGE_SHIFT,
					  pgprot_noncached(vma->vm_page_prot));
		drm_dev_exit(idx);
	} else {
		ret = vmf_insert_pfn(vma, vmf->address, page_to_pfn(w->dummy));
	}
	mutex_unlock(&w->lock);
	return ret;
}

static const struct vm_operations_struct window_vm_ops = {
	.open = window_vm_open,
	.close = window_vm_close,
	.fault = window_fault,
};

/* With references to it and to the file of the render node; NULL: there is none. */
static struct vgpu_kfd_window *window_get(struct vgpu_kfd_process *p, u32 gpu_id,
					  struct file **file)
{
	struct vgpu_kfd_window *w, *found = NULL;

	mutex_lock(&p->window_lock);
	list_for_each_entry(w, &p->windows, node) {
		if (w->gpu_id != gpu_id || drm_dev_is_unplugged(&w->vdev->drm))
			continue;
		/* It is closed after it has left the list. */
		*file = get_file(w->file);
		kref_get(&w->ref);
		found = w;
		break;
	}
	mutex_unlock(&p->window_lock);
	return found;
}

/* Return: where it begins in the address space of the render node, -EINVAL. */
static long window_place(struct vgpu_kfd_window *w, u64 type, u64 size)
{
	unsigned int slice;

	if (type == VGPU_KFD_MMAP_MMIO)
		return size == PAGE_SIZE ? WINDOW_PGOFF_HDP : -EINVAL;

	mutex_lock(&w->lock);
	slice = w->slice;
	mutex_unlock(&w->lock);
	return slice && size == VGPU_KFD_DOORBELL_BYTES ? slice_pgoff(slice) : -EINVAL;
}

/**
 * vgpu_kfd_mmap() - mmap() of /dev/kfd
 * @p: the caller's process
 * @vma: what is to be mapped, by an offset of VGPU_KFD_MMAP_*
 *
 * Return: 0; -ENODEV: the process has no such die; -EINVAL: not all of its doorbells,
 * none were allocated, or a private copy; -EFAULT: another kind.
 */
int vgpu_kfd_mmap(struct vgpu_kfd_process *p, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	u64 type = offset & VGPU_KFD_MMAP_TYPE_MASK;
	u32 gpu_id = VGPU_KFD_MMAP_GET_GPU_ID(offset);
	struct vgpu_kfd_window *w;
	struct file *file;
	long pgoff;

	if (type != VGPU_KFD_MMAP_MMIO && type != VGPU_KFD_MMAP_DOORBELL)
		return -EFAULT;
	if (is_cow_mapping(vma->vm_flags) ||
	    offset != (type | VGPU_KFD_MMAP_GPU_ID(gpu_id)))
		return -EINVAL;
	w = window_get(p, gpu_id, &file);
	if (!w)
		return -ENODEV;
	pgoff = window_place(w, type, vma->vm_end - vma->vm_start);
	if (pgoff < 0) {
		fput(file);
		window_put(w);
		return pgoff;
	}

	vm_flags_mod(vma, VM_IO | VM_PFNMAP | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP |
			  VM_NORESERVE, VM_MAYEXEC);
	vma->vm_pgoff = pgoff;
	vma->vm_private_data = w;
	vma->vm_ops = &window_vm_ops;
	vma_set_file(vma, file);
	fput(file);
	return 0;
}
