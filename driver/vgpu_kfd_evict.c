// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Eviction: buffers that queues of user space use stay where they are, by a fence in
 * their reservations that nobody signals, until somebody waits for it: then the queues
 * are taken off. Later all is brought back and they go on.
 * Documentation/queues.rst, "Eviction".
 */
#include <linux/dma-resv.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "vgpu.h"
#include "vgpu_userptr.h"

/* Others have what they came for as long as this, as with amdkfd. */
#define EVICT_RESTORE_DELAY	msecs_to_jiffies(100)

struct workqueue_struct *vgpu_kfd_wq;

/**
 * struct vgpu_kfd_fence - the queues of a process are off when it signals
 * @base: the fence
 * @lock: its lock
 * @p: the process, which signals it before it goes
 */
struct vgpu_kfd_fence {
	struct dma_fence base;
	spinlock_t lock;		/* of @base */
	struct vgpu_kfd_process *p;
};

static const char *kfd_fence_driver_name(struct dma_fence *fence)
{
	return VGPU_DRIVER_NAME;
}

static const char *kfd_fence_timeline_name(struct dma_fence *fence)
{
	return "kfd";
}

/* Somebody waits for it. */
static bool kfd_fence_enable_signaling(struct dma_fence *fence)
{
	vgpu_kfd_stop_queues_soon(container_of(fence, struct vgpu_kfd_fence, base)->p);
	return true;
}

static const struct dma_fence_ops kfd_fence_ops = {
	.get_driver_name = kfd_fence_driver_name,
	.get_timeline_name = kfd_fence_timeline_name,
	.enable_signaling = kfd_fence_enable_signaling,
};

/**
 * vgpu_kfd_is_eviction() - is it of queues of user space, of any process?
 * @fence: any fence
 */
bool vgpu_kfd_is_eviction(struct dma_fence *fence)
{
	return fence->ops == &kfd_fence_ops;
}

/**
 * vgpu_kfd_forget_evictions() - no queue reaches the buffer any more
 * @resv: its reservation, held; nobody else's
 */
void vgpu_kfd_forget_evictions(struct dma_resv *resv)
{
	struct dma_fence *fence, *done = dma_fence_get_stub();
	struct dma_resv_iter cursor;

	dma_resv_for_each_fence(&cursor, resv, DMA_RESV_USAGE_BOOKKEEP, fence) {
		if (vgpu_kfd_is_eviction(fence))
			dma_resv_replace_fences(resv, fence->context, done,
						DMA_RESV_USAGE_BOOKKEEP);
	}
	dma_fence_put(done);
}

/* ----------------------------------------------------------------- stopping */

/* In the path of fences. */
void vgpu_kfd_stop_queues(struct vgpu_kfd_process *p)
{
	struct vgpu_kfd_eviction *e;
	bool cookie;

	if (!p)
		return;
	e = &p->eviction;
	mutex_lock(&e->lock);
	cookie = dma_fence_begin_signalling();
	/* When they are not off, the reset that comes has it done again: they go with it. */
	if (!e->stopped && !e->ended)
		e->stopped = vgpu_kfd_queues_evict(p);
	if (e->fence && (e->stopped || e->ended))
		dma_fence_signal(e->fence);
	dma_fence_end_signalling(cookie);
	if (e->stopped && !e->ended)
		queue_delayed_work(system_unbound_wq, &e->restore_work, EVICT_RESTORE_DELAY);
	mutex_unlock(&e->lock);
}

void vgpu_kfd_stop_queues_soon(struct vgpu_kfd_process *p)
{
	queue_work(vgpu_kfd_wq, &p->eviction.stop_work);
}

static void kfd_stop_work(struct work_struct *work)
{
	vgpu_kfd_stop_queues(container_of(work, struct vgpu_kfd_process, eviction.stop_work));
}

/* ---------------------------------------------------------------- restoring */

/**
 * vgpu_kfd_eviction_fence() - what is to be added to the buffers of a process
 * @p: the process, locked
 *
 * One that has signalled already when the queues are off: then restoring adds another.
 * Return: the fence, NULL: no memory.
 */
struct dma_fence *vgpu_kfd_eviction_fence(struct vgpu_kfd_process *p)
{
	struct vgpu_kfd_eviction *e = &p->eviction;
	struct vgpu_kfd_fence *f;

	if (e->fence)
		return e->fence;
	f = kzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT);
	if (!f)
		return NULL;
	spin_lock_init(&f->lock);
	f->p = p;
	dma_fence_init(&f->base, &kfd_fence_ops, &f->lock, e->context, ++e->seqno);
	mutex_lock(&e->lock);
	e->fence = &f->base;
	mutex_unlock(&e->lock);
	return e->fence;
}

/* In place of one that has signalled. The process is locked. */
static struct dma_fence *kfd_eviction_renew(struct vgpu_kfd_process *p)
{
	struct vgpu_kfd_eviction *e = &p->eviction;
	struct dma_fence *old = NULL;

	mutex_lock(&e->lock);
	if (e->fence && dma_fence_is_signaled(e->fence)) {
		old = e->fence;
		e->fence = NULL;
	}
	mutex_unlock(&e->lock);
	dma_fence_put(old);
	return vgpu_kfd_eviction_fence(p);
}

/* None goes before the process ends, which waits for us; more may come. */
static struct vgpu_kfd_vm *kfd_next_vm(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm)
{
	struct list_head *pos = kvm ? &kvm->node : &p->vms;

	mutex_lock(&p->lock);
	kvm = list_is_last(pos, &p->vms) ? NULL : list_entry(pos->next, struct vgpu_kfd_vm, node);
	mutex_unlock(&p->lock);
	return kvm;
}

/* The process is locked. */
static int kfd_restore_all(struct vgpu_kfd_process *p, struct dma_fence *fence)
{
	struct vgpu_kfd_vm *kvm;
	int ret;

	list_for_each_entry(kvm, &p->vms, node) {
		if (drm_dev_is_unplugged(&kvm->vdev->drm))
			continue;
		ret = vgpu_vm_rewrite(vgpu_kfd_space(kvm), fence);
		/* The others work on without it. */
		if (ret && !drm_dev_is_unplugged(&kvm->vdev->drm))
			return ret;
	}
	return 0;
}

/*
 * By a task that has the memory of the process. First what may wait for user space, then
 * under the lock all page tables, with a fence that stops everything again should
 * something move meanwhile. If it does, this is done once more.
 */
static int kfd_restore(struct vgpu_kfd_process *p)
{
	struct vgpu_kfd_eviction *e = &p->eviction;
	struct vgpu_kfd_vm *kvm = NULL;
	struct dma_fence *fence;
	int ret;

	while ((kvm = kfd_next_vm(p, kvm))) {
		ret = vgpu_userptr_find_all(vgpu_kfd_space(kvm));
		if (ret)
			return ret;
	}

	mutex_lock(&p->lock);
	fence = dma_fence_get(kfd_eviction_renew(p));
	ret = fence ? kfd_restore_all(p, fence) : -ENOMEM;
	mutex_unlock(&p->lock);

	kvm = NULL;
	while (!ret && (kvm = kfd_next_vm(p, kvm)))
		vgpu_vm_sync(vgpu_kfd_space(kvm), false);

	if (!ret) {
		mutex_lock(&e->lock);
		if (dma_fence_is_signaled(fence)) {
			ret = -EAGAIN;
		} else if (e->stopped && !e->ended) {
			vgpu_kfd_queues_restore(p);
			e->stopped = false;
		}
		mutex_unlock(&e->lock);
	}
	dma_fence_put(fence);
	return ret;
}

static void kfd_restore_work(struct work_struct *work)
{
	struct vgpu_kfd_process *p = container_of(to_delayed_work(work), struct vgpu_kfd_process,
						  eviction.restore_work);
	struct vgpu_kfd_eviction *e = &p->eviction;
	int ret;

	/* It is on its way out. */
	if (!mmget_not_zero(p->mm))
		return;
	kthread_use_mm(p->mm);
	ret = kfd_restore(p);
	kthread_unuse_mm(p->mm);
	/* Whoever drops the last one ends the process, which waits for us. */
	mmput_async(p->mm);

	if (!ret)
		return;
	pr_debug("kfd: memory of a process is not in place yet: %d\n", ret);
	mutex_lock(&e->lock);
	if (!e->ended)
		queue_delayed_work(system_unbound_wq, &e->restore_work, EVICT_RESTORE_DELAY);
	mutex_unlock(&e->lock);
}

/* ------------------------------------------------------------------ its life */

void vgpu_kfd_eviction_init(struct vgpu_kfd_process *p)
{
	struct vgpu_kfd_eviction *e = &p->eviction;

	mutex_init(&e->lock);
	e->context = dma_fence_context_alloc(1);
	INIT_WORK(&e->stop_work, kfd_stop_work);
	INIT_DELAYED_WORK(&e->restore_work, kfd_restore_work);
}

/**
 * vgpu_kfd_eviction_end() - its queues are gone for good
 * @p: the process, marked dead, not locked
 *
 * May sleep.
 */
void vgpu_kfd_eviction_end(struct vgpu_kfd_process *p)
{
	struct vgpu_kfd_eviction *e = &p->eviction;
	struct vgpu_kfd_vm *kvm;

	mutex_lock(&e->lock);
	e->ended = true;
	if (e->fence)
		dma_fence_signal(e->fence);
	mutex_unlock(&e->lock);

	/* What has been asked for already may still come, but nothing new does. */
	mutex_lock(&p->lock);
	list_for_each_entry(kvm, &p->vms, node)
		vgpu_vm_set_kfd(vgpu_kfd_space(kvm), NULL);
	mutex_unlock(&p->lock);
	cancel_delayed_work_sync(&e->restore_work);
	/* Restoring may have made another. When it has signalled nobody asks for a stop. */
	if (e->fence)
		dma_fence_signal(e->fence);
	cancel_work_sync(&e->stop_work);
}

void vgpu_kfd_eviction_fini(struct vgpu_kfd_process *p)
{
	/* A reset asks everybody who is listed, also who has ended. */
	cancel_work_sync(&p->eviction.stop_work);
	dma_fence_put(p->eviction.fence);
	mutex_destroy(&p->eviction.lock);
}

int __init vgpu_kfd_evict_module_init(void)
{
	vgpu_kfd_wq = alloc_workqueue("vgpu-kfd", WQ_MEM_RECLAIM | WQ_UNBOUND | WQ_HIGHPRI, 0);
	return vgpu_kfd_wq ? 0 : -ENOMEM;
}

void vgpu_kfd_evict_module_exit(void)
{
	destroy_workqueue(vgpu_kfd_wq);
}
