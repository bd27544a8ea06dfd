// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The end of a page-table update that user-mode queues may be running beside: no job
 * comes to flush the TLB, so the CPU does, and only then is what was mapped anybody
 * else's. Documentation/queues.rst, "Memory of /dev/kfd".
 */
#include <linux/slab.h>

#include "vgpu.h"

/**
 * struct vgpu_tlb_fence - signals when an update is done and seen by all
 * @base: the fence
 * @lock: its lock
 * @vm: the address space, referenced until the fence signals
 * @update: what writes the tables
 * @cb: on @update
 * @work: flushes
 */
struct vgpu_tlb_fence {
	struct dma_fence base;
	spinlock_t lock;		/* of @base */
	struct vgpu_vm *vm;
	struct dma_fence *update;
	struct dma_fence_cb cb;
	struct work_struct work;
};

static const char *tlb_fence_driver_name(struct dma_fence *fence)
{
	return VGPU_DRIVER_NAME;
}

static const char *tlb_fence_timeline_name(struct dma_fence *fence)
{
	return "tlb";
}

static const struct dma_fence_ops vgpu_tlb_fence_ops = {
	.get_driver_name = tlb_fence_driver_name,
	.get_timeline_name = tlb_fence_timeline_name,
};

static void tlb_fence_work(struct work_struct *work)
{
	struct vgpu_tlb_fence *f = container_of(work, struct vgpu_tlb_fence, work);
	struct vgpu_vm *vm = f->vm;
	struct drm_device *drm = &vm->vdev->drm;
	bool cookie = dma_fence_begin_signalling();
	int error = dma_fence_get_status(f->update);

	vgpu_gmc_flush_user_tlbs(vm->vdev);
	if (error < 0) {
		dma_fence_set_error(&f->base, error);
		/* Nobody knows what the tables say. */
		vgpu_vm_stop_queues(vm);
	}
	dma_fence_signal(&f->base);
	dma_fence_end_signalling(cookie);

	dma_fence_put(f->update);
	dma_fence_put(&f->base);
	vgpu_vm_put(vm);
	drm_dev_put(drm);
}

static void tlb_fence_update_done(struct dma_fence *update, struct dma_fence_cb *cb)
{
	struct vgpu_tlb_fence *f = container_of(cb, struct vgpu_tlb_fence, cb);

	queue_work(vgpu_kfd_wq, &f->work);
}

/**
 * vgpu_tlb_fence_alloc() - the memory for one
 *
 * May sleep. Return: the fence, to be started or freed by kfree(); NULL.
 */
struct vgpu_tlb_fence *vgpu_tlb_fence_alloc(void)
{
	return kzalloc(sizeof(struct vgpu_tlb_fence), GFP_KERNEL);
}

/**
 * vgpu_tlb_fence_start() - flush when an update is done
 * @f: the fence, consumed
 * @vm: the address space, reserved
 * @update: the update; the reference is consumed
 *
 * Return: what is to be waited for in place of @update.
 */
struct dma_fence *vgpu_tlb_fence_start(struct vgpu_tlb_fence *f, struct vgpu_vm *vm,
				       struct dma_fence *update)
{
	spin_lock_init(&f->lock);
	INIT_WORK(&f->work, tlb_fence_work);
	dma_fence_init(&f->base, &vgpu_tlb_fence_ops, &f->lock, vm->tlb_context, vm->tlb_seq);
	drm_dev_get(&vm->vdev->drm);
	vgpu_vm_get(vm);
	f->vm = vm;
	f->update = update;

	/* For the work, and for the caller */
	dma_fence_get(&f->base);
	if (dma_fence_add_callback(update, &f->cb, tlb_fence_update_done))
		queue_work(vgpu_kfd_wq, &f->work);
	return &f->base;
}
