// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Processes that have /dev/kfd open: an object for each address space of the CPU,
 * which goes with it, and the render nodes whose address spaces it has acquired.
 * Documentation/queues.rst, "/dev/kfd".
 */
#include <linux/file.h>
#include <linux/kfd_ioctl.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "vgpu.h"
#include "vgpu_kfd_queue.h"

static DEFINE_MUTEX(kfd_processes_lock);	/* guards kfd_processes and their users */
static LIST_HEAD(kfd_processes);

/* Processes by PASID, for interrupts. A process is there as long as it is in it. */
static DEFINE_XARRAY(kfd_pasids);

struct vgpu_vm *vgpu_kfd_space(struct vgpu_kfd_vm *kvm)
{
	return vgpu_file_to_fpriv(kvm->file)->vm;
}

/* Everything that the process has on dies. Once; may sleep. */
static void kfd_process_end(struct vgpu_kfd_process *p)
{
	struct vgpu_kfd_vm *kvm, *next;
	bool first;

	mutex_lock(&p->lock);
	first = !p->dead;
	WRITE_ONCE(p->dead, true);
	list_for_each_entry(kvm, &p->vms, node)
		vgpu_kfd_queues_end(p, kvm);
	mutex_unlock(&p->lock);
	if (!first)
		return;
	/* Nobody comes any more but what restores memory, and now not that either. */
	vgpu_kfd_eviction_end(p);

	mutex_lock(&p->lock);
	vgpu_kfd_events_end(&p->events);
	list_for_each_entry(kvm, &p->vms, node)
		vgpu_kfd_memory_end(p, kvm);
	list_for_each_entry_safe(kvm, next, &p->vms, node) {
		struct vgpu_fpriv *fpriv = vgpu_file_to_fpriv(kvm->file);

		vgpu_vm_set_process(fpriv->vm, 0);
		/* Whoever else has the file may acquire it now. */
		WRITE_ONCE(fpriv->kfd, NULL);
		list_del(&kvm->node);
		fput(kvm->file);
		kfree(kvm);
	}
	mutex_unlock(&p->lock);
}

/* Exit, kill or exec: no thread of it runs any more. */
static void kfd_process_mm_gone(struct mmu_notifier *mn, struct mm_struct *mm)
{
	kfd_process_end(container_of(mn, struct vgpu_kfd_process, mn));
}

static const struct mmu_notifier_ops kfd_process_mn_ops = {
	.release = kfd_process_mm_gone,
};

/* The memory is locked for writing. */
static struct vgpu_kfd_process *kfd_process_create(struct mm_struct *mm)
{
	struct vgpu_kfd_process *p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!p)
		return ERR_PTR(-ENOMEM);
	mutex_init(&p->lock);
	INIT_LIST_HEAD(&p->vms);
	vgpu_kfd_events_init(&p->events);
	mutex_init(&p->window_lock);
	INIT_LIST_HEAD(&p->windows);
	vgpu_kfd_eviction_init(p);
	idr_init(&p->queues);
	p->users = 1;
	p->mm = mm;
	p->mn.ops = &kfd_process_mn_ops;
	ret = vgpu_pasid_alloc();
	if (ret < 0)
		goto free;
	p->pasid = ret;
	/* From here on interrupts find it. */
	ret = xa_err(xa_store(&kfd_pasids, p->pasid, p, GFP_KERNEL));
	if (ret)
		goto free_pasid;
	ret = __mmu_notifier_register(&p->mn, mm);
	if (ret)
		goto erase;
	return p;

erase:
	xa_erase(&kfd_pasids, p->pasid);
free_pasid:
	vgpu_pasid_free(p->pasid);
free:
	vgpu_kfd_eviction_fini(p);
	mutex_destroy(&p->window_lock);
	mutex_destroy(&p->lock);
	kfree(p);
	return ERR_PTR(ret);
}

struct vgpu_kfd_process *vgpu_kfd_process_get(void)
{
	struct vgpu_kfd_process *p;

	if (!current->mm)
		return ERR_PTR(-EINVAL);
	/* First: it may take as long as the caller's own threads like. */
	if (mmap_write_lock_killable(current->mm))
		return ERR_PTR(-EINTR);
	mutex_lock(&kfd_processes_lock);
	list_for_each_entry(p, &kfd_processes, node) {
		if (p->mm == current->mm) {
			p->users++;
			goto unlock;
		}
	}
	p = kfd_process_create(current->mm);
	if (!IS_ERR(p))
		list_add_tail(&p->node, &kfd_processes);
unlock:
	mutex_unlock(&kfd_processes_lock);
	mmap_write_unlock(current->mm);
	return p;
}

void vgpu_kfd_process_put(struct vgpu_kfd_process *p)
{
	bool last;

	mutex_lock(&kfd_processes_lock);
	last = !--p->users;
	if (last)
		list_del(&p->node);
	mutex_unlock(&kfd_processes_lock);
	if (!last)
		return;

	kfd_process_end(p);
	/* And when its memory goes at this moment, until that is over. */
	mmu_notifier_unregister(&p->mn, p->mm);
	xa_erase(&kfd_pasids, p->pasid);
	vgpu_pasid_free(p->pasid);
	idr_destroy(&p->queues);
	vgpu_kfd_events_fini(&p->events);
	vgpu_kfd_eviction_fini(p);
	mutex_destroy(&p->window_lock);
	mutex_destroy(&p->lock);
	kfree(p);
}

/**
 * vgpu_kfd_process_is_current() - does the caller have the memory that a file is bound to?
 * @p: whose the file is
 *
 * Not so in a child that has inherited it, nor behind an exec.
 */
bool vgpu_kfd_process_is_current(struct vgpu_kfd_process *p)
{
	return p->mm == current->mm && !READ_ONCE(p->dead);
}

struct kfd_acquire {
	struct vgpu_kfd_process *p;
	struct file *file;
	struct vgpu_kfd_vm *kvm;	/* result: a new one, not listed yet */
};

/* The process is locked. Keeps the reference to the file when it returns 0. */
static int kfd_acquire_vm(struct vgpu_device *vdev, void *arg)
{
	struct kfd_acquire *acq = arg;
	struct vgpu_fpriv *fpriv = vgpu_file_to_fpriv(acq->file);
	struct vgpu_kfd_vm *kvm;

	list_for_each_entry(kvm, &acq->p->vms, node) {
		if (kvm->gpu_id != vdev->topology.gpu_id)
			continue;
		/* Also when it is another in the place of one that has gone. */
		if (kvm->vdev != vdev || kvm->file != acq->file)
			return -EBUSY;
		fput(acq->file);
		return 0;
	}
	if (!fpriv || fpriv->vdev != vdev)
		return -EINVAL;

	kvm = kzalloc(sizeof(*kvm), GFP_KERNEL_ACCOUNT);
	if (!kvm)
		return -ENOMEM;
	/* An address space is one process'. */
	if (cmpxchg(&fpriv->kfd, NULL, acq->p)) {
		kfree(kvm);
		return -EINVAL;
	}
	kvm->vdev = vdev;
	kvm->file = acq->file;
	kvm->gpu_id = vdev->topology.gpu_id;
	acq->kvm = kvm;
	return 0;
}

static int kfd_vm_begin(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm)
{
	struct vgpu_vm *vm = vgpu_kfd_space(kvm);
	int ret;

	ret = vgpu_vm_set_process(vm, p->pasid);
	if (ret)
		return ret;
	ret = vgpu_kfd_memory_begin(p, kvm);
	if (ret)
		vgpu_vm_set_process(vm, 0);
	else
		vgpu_kfd_queues_begin(p, kvm);
	return ret;
}

/**
 * vgpu_kfd_acquire_vm() - AMDKFD_IOC_ACQUIRE_VM: share the address space of a render node
 * @p: the process
 * @data: struct kfd_ioctl_acquire_vm_args
 *
 * Return: 0, also for the file that it has on that die already; -EBUSY: it has another;
 * -EINVAL: no such file, not of that die, or another process has it; -ENOMEM; -EBADF.
 */
int vgpu_kfd_acquire_vm(struct vgpu_kfd_process *p, void *data)
{
	const struct kfd_ioctl_acquire_vm_args *args = data;
	struct kfd_acquire acq = { .p = p };
	int ret;

	acq.file = fget(args->drm_fd);
	if (!acq.file)
		return -EINVAL;
	mutex_lock(&p->lock);
	ret = p->dead ? -EBADF : vgpu_topology_with_die(args->gpu_id, kfd_acquire_vm, &acq);
	/* It may take a while, which nobody else shall wait for. */
	if (!ret && acq.kvm) {
		ret = kfd_vm_begin(p, acq.kvm);
		if (ret) {
			WRITE_ONCE(vgpu_file_to_fpriv(acq.file)->kfd, NULL);
			kfree(acq.kvm);
		}
	}
	mutex_unlock(&p->lock);
	if (ret)
		fput(acq.file);
	return ret;
}

/**
 * vgpu_kfd_with_process() - do something for the process that an interrupt names
 * @pasid: of it; of none: nothing happens
 * @func: what to do; may not sleep
 * @arg: for @func
 *
 * Any context but hard interrupts.
 */
void vgpu_kfd_with_process(u32 pasid, vgpu_kfd_process_func func, void *arg)
{
	struct vgpu_kfd_process *p;

	xa_lock(&kfd_pasids);
	p = xa_load(&kfd_pasids, pasid);
	if (p)
		func(p, arg);
	xa_unlock(&kfd_pasids);
}

/* All of them. @func may not sleep. */
void vgpu_kfd_with_processes(vgpu_kfd_process_func func, void *arg)
{
	struct vgpu_kfd_process *p;
	unsigned long pasid;

	xa_lock(&kfd_pasids);
	xa_for_each(&kfd_pasids, pasid, p)
		func(p, arg);
	xa_unlock(&kfd_pasids);
}
