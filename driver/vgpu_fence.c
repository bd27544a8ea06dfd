// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Ring fences: each job's frame ends in a packet that writes a growing number
 * to memory and interrupts; what the number has reached is signalled.
 * Documentation/submission.rst, "Fences".
 */
#include <linux/delay.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include "vgpu.h"
#include "vgpu_trace.h"

static struct kmem_cache *vgpu_fence_cache;

/* Fences that are not freed yet: somebody may call into the module through them. */
static atomic_t vgpu_fence_live = ATOMIC_INIT(0);

static struct vgpu_fence *to_vgpu_fence(struct dma_fence *f)
{
	return container_of(f, struct vgpu_fence, base);
}

static const char *vgpu_fence_driver_name(struct dma_fence *f)
{
	return VGPU_DRIVER_NAME;
}

static const char *vgpu_fence_timeline_name(struct dma_fence *f)
{
	return to_vgpu_fence(f)->timeline;
}

static void vgpu_fence_rcu_free(struct rcu_head *rcu)
{
	struct dma_fence *f = container_of(rcu, struct dma_fence, rcu);

	vgpu_fence_free(to_vgpu_fence(f));
}

static void vgpu_fence_release(struct dma_fence *f)
{
	call_rcu(&f->rcu, vgpu_fence_rcu_free);
}

static const struct dma_fence_ops vgpu_fence_ops = {
	.get_driver_name = vgpu_fence_driver_name,
	.get_timeline_name = vgpu_fence_timeline_name,
	.release = vgpu_fence_release,
};

/**
 * vgpu_fence_alloc() - a fence for vgpu_fence_emit() to fill
 *
 * Ahead of time, because nothing may be allocated once a job is armed: the
 * memory reclaimer could wait for that very job.
 * Return: the fence, or NULL. May sleep.
 */
struct vgpu_fence *vgpu_fence_alloc(void)
{
	struct vgpu_fence *fence = kmem_cache_zalloc(vgpu_fence_cache, GFP_KERNEL);

	if (fence)
		atomic_inc(&vgpu_fence_live);
	return fence;
}

void vgpu_fence_free(struct vgpu_fence *fence)
{
	if (!fence)
		return;
	kmem_cache_free(vgpu_fence_cache, fence);
	if (atomic_dec_and_test(&vgpu_fence_live))
		wake_up_var(&vgpu_fence_live);
}

/**
 * vgpu_fence_emit() - give @fence the next number and put it in the ring
 * @ring: the ring
 * @fence: pre-allocated, consumed
 *
 * Under the ring's lock, inside an allocation of the ring. Consumes @fence.
 * Return: a reference for the caller; the driver holds its own until the fence
 * signals.
 */
struct dma_fence *vgpu_fence_emit(struct vgpu_ring *ring, struct vgpu_fence *fence)
{
	struct vgpu_fence_driver *drv = &ring->fence_drv;
	unsigned long flags;
	u64 seq = ++drv->seq;

	fence->ring = ring;
	strscpy(fence->timeline, ring->name, sizeof(fence->timeline));
	dma_fence_init(&fence->base, &vgpu_fence_ops, &drv->lock, drv->context, seq);

	spin_lock_irqsave(&drv->lock, flags);
	dma_fence_get(&fence->base);
	list_add_tail(&fence->node, &drv->pending);
	spin_unlock_irqrestore(&drv->lock, flags);

	ring->funcs->emit_fence(ring, drv->gpu_addr, seq, VGPU_FENCE_IRQ);
	mod_timer(&drv->fallback, jiffies + VGPU_FENCE_FALLBACK);
	return &fence->base;
}

/**
 * vgpu_fence_emit_again() - put a pending fence in the ring once more
 * @ring: the ring
 * @f: the fence
 *
 * For jobs that a recovered ring runs again; in the order of their numbers,
 * under the ring's lock, inside an allocation of the ring.
 */
void vgpu_fence_emit_again(struct vgpu_ring *ring, struct dma_fence *f)
{
	struct vgpu_fence_driver *drv = &ring->fence_drv;

	ring->funcs->emit_fence(ring, drv->gpu_addr, f->seqno, VGPU_FENCE_IRQ);
	mod_timer(&drv->fallback, jiffies + VGPU_FENCE_FALLBACK);
}

/* Signals, in order, all up to @until; returns how many. */
static unsigned int vgpu_fence_signal_until(struct vgpu_ring *ring, u64 until, int error)
{
	struct vgpu_fence_driver *drv = &ring->fence_drv;
	struct vgpu_fence *fence, *tmp;
	unsigned long flags;
	LIST_HEAD(done);
	unsigned int n = 0;

	spin_lock_irqsave(&drv->lock, flags);
	list_for_each_entry_safe(fence, tmp, &drv->pending, node) {
		if (fence->base.seqno > until)
			break;
		list_move_tail(&fence->node, &done);
		if (error)
			dma_fence_set_error(&fence->base, error);
		vgpu_path_fence(ring, lower_32_bits(fence->base.seqno));
		trace_vgpu_fence_signal(ring, fence->base.seqno);
		dma_fence_signal_locked(&fence->base);
		n++;
	}
	spin_unlock_irqrestore(&drv->lock, flags);

	list_for_each_entry_safe(fence, tmp, &done, node) {
		list_del(&fence->node);
		dma_fence_put(&fence->base);
	}
	return n;
}

/* The full number of which the GPU wrote the low half. */
static u64 vgpu_fence_reached(struct vgpu_fence_driver *drv)
{
	u64 last = READ_ONCE(drv->seq);
	u32 behind = lower_32_bits(last) - le32_to_cpu(READ_ONCE(*drv->cpu));

	/* Half the range is further behind than a ring can hold: stray data. */
	return behind < U32_MAX / 2 && behind <= last ? last - behind : 0;
}

/**
 * vgpu_fence_process() - signal what the GPU has reached
 * @ring: the ring
 *
 * Any context.
 * Return: fences signalled.
 */
unsigned int vgpu_fence_process(struct vgpu_ring *ring)
{
	return vgpu_fence_signal_until(ring, vgpu_fence_reached(&ring->fence_drv), 0);
}

/**
 * vgpu_fence_force_completion() - signal all that is pending with @error
 * @ring: the ring
 * @error: negative errno
 *
 * For a ring that has been reset or whose device is gone. Any context.
 */
void vgpu_fence_force_completion(struct vgpu_ring *ring, int error)
{
	vgpu_fence_signal_until(ring, U64_MAX, error);
}

/**
 * vgpu_fence_cancel() - signal one fence with @error
 * @ring: the ring
 * @f: the fence
 * @error: negative errno
 *
 * For the guilty job of a recovered ring. Nothing if it has signalled already.
 * Any context.
 */
void vgpu_fence_cancel(struct vgpu_ring *ring, struct dma_fence *f, int error)
{
	struct vgpu_fence_driver *drv = &ring->fence_drv;
	struct vgpu_fence *fence = to_vgpu_fence(f);
	unsigned long flags;
	bool pending;

	spin_lock_irqsave(&drv->lock, flags);
	pending = !dma_fence_is_signaled_locked(f);
	if (pending) {
		list_del_init(&fence->node);
		dma_fence_set_error(f, error);
		trace_vgpu_fence_signal(ring, f->seqno);
		dma_fence_signal_locked(f);
	}
	spin_unlock_irqrestore(&drv->lock, flags);

	if (pending)
		dma_fence_put(f);
}

/**
 * vgpu_fence_wait_idle() - wait until nothing is pending
 * @ring: the ring
 * @timeout_us: microseconds
 *
 * For the end of a ring: nothing is emitted meanwhile, and interrupts may not be
 * served any more. May sleep.
 */
void vgpu_fence_wait_idle(struct vgpu_ring *ring, u32 timeout_us)
{
	ktime_t end = ktime_add_us(ktime_get(), timeout_us);

	do {
		vgpu_fence_process(ring);
		if (!vgpu_fence_pending(ring))
			return;
		usleep_range(50, 100);
	} while (ktime_before(ktime_get(), end));
}

/**
 * vgpu_fence_pending() - how many fences the ring has not reached
 * @ring: the ring
 *
 * Any context.
 * Return: the number.
 */
unsigned int vgpu_fence_pending(struct vgpu_ring *ring)
{
	struct vgpu_fence_driver *drv = &ring->fence_drv;
	unsigned long flags;
	unsigned int n;

	spin_lock_irqsave(&drv->lock, flags);
	n = list_count_nodes(&drv->pending);
	spin_unlock_irqrestore(&drv->lock, flags);
	return n;
}

/*
 * An interrupt that never came must not hang a waiter: long after the last
 * fence was emitted, look by ourselves, and say so if that found anything.
 */
static void vgpu_fence_fallback(struct timer_list *t)
{
	struct vgpu_fence_driver *drv = from_timer(drv, t, fallback);
	struct vgpu_ring *ring = container_of(drv, struct vgpu_ring, fence_drv);

	if (vgpu_fence_process(ring) && !READ_ONCE(ring->dead)) {
		drv->lost_irqs++;
		dev_warn_ratelimited(ring->vdev->drm.dev, "%s: fence interrupt lost\n", ring->name);
	}
	if (vgpu_fence_pending(ring))
		mod_timer(&drv->fallback, jiffies + VGPU_FENCE_FALLBACK);
}

/**
 * vgpu_fence_driver_init() - fences of a ring; needs the write-back page
 * @ring: the ring
 *
 * Return: 0, -ENOSPC without a free write-back slot.
 */
int vgpu_fence_driver_init(struct vgpu_ring *ring)
{
	struct vgpu_fence_driver *drv = &ring->fence_drv;
	struct vgpu_wb *wb = &ring->vdev->wb;
	int ret;

	ret = vgpu_wb_get(ring->vdev, &ring->fence_slot);
	if (ret)
		return ret;
	drv->gpu_addr = wb->gpu_addr + ring->fence_slot * sizeof(*wb->cpu);
	drv->cpu = (__le32 *)&wb->cpu[ring->fence_slot];
	drv->context = dma_fence_context_alloc(1);
	drv->seq = 0;
	spin_lock_init(&drv->lock);
	INIT_LIST_HEAD(&drv->pending);
	timer_setup(&drv->fallback, vgpu_fence_fallback, 0);
	return 0;
}

void vgpu_fence_driver_fini(struct vgpu_ring *ring)
{
	timer_shutdown_sync(&ring->fence_drv.fallback);
	vgpu_fence_force_completion(ring, -ENODEV);
	vgpu_wb_put(ring->vdev, ring->fence_slot);
}

int __init vgpu_fence_module_init(void)
{
	vgpu_fence_cache = KMEM_CACHE(vgpu_fence, SLAB_HWCACHE_ALIGN | SLAB_ACCOUNT);
	return vgpu_fence_cache ? 0 : -ENOMEM;
}

void vgpu_fence_module_exit(void)
{
	/*
	 * A sync file, a syncobj or a shared buffer of another driver may hold a
	 * fence when the last of our files is long closed, and holds no reference
	 * to the module: wait until it lets go.
	 */
	wait_var_event(&vgpu_fence_live, !atomic_read(&vgpu_fence_live));
	/* Who freed the last one may still be about to return. */
	rcu_barrier();
	kmem_cache_destroy(vgpu_fence_cache);
}
