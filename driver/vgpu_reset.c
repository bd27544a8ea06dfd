// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Recovery of a ring: the job that hung it is found, blamed and dropped, the
 * ring is reset alone, and what stood behind runs again.
 * Documentation/submission.rst, "Recovery".
 */
#include <linux/devcoredump.h>
#include <linux/vmalloc.h>

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "vgpu.h"
#include "vgpu_ctx.h"

#define VGPU_DUMP_SIZE		(64 * 1024)
/* Dwords at the read pointer that go to the log; the rest is in the dump. */
#define VGPU_REPORT_DW		16

/* ---------------------------------------------------------------- reports */

static void vgpu_reset_dump_work(struct work_struct *work)
{
	struct vgpu_reset *reset = container_of(work, struct vgpu_reset, dump_work);
	struct vgpu_device *vdev = container_of(reset, struct vgpu_device, reset);
	void *data = vmalloc(reset->dump_len);

	if (data) {
		memcpy(data, reset->dump, reset->dump_len);
		/* Consumes the data. */
		dev_coredumpv(vdev->drm.dev, data, reset->dump_len, GFP_KERNEL);
	}
	atomic_set_release(&reset->dump_busy, 0);
}

static void vgpu_reset_describe(struct vgpu_ring *ring, struct vgpu_job *job,
				struct drm_printer *p)
{
	struct vgpu_fence_driver *drv = &ring->fence_drv;

	drm_printf(p, "ring %s, job of %s (%d), VMID %u, %u IBs\n", ring->name, job->comm,
		   job->pid, job->vmid, job->num_ibs);
	drm_printf(p, "fence %llu, reached %u, emitted %llu\n",
		   job->hw_fence ? job->hw_fence->seqno : 0, le32_to_cpu(READ_ONCE(*drv->cpu)),
		   drv->seq);
	drm_printf(p, "rptr 0x%llx, wptr 0x%llx of 0x%x dwords\n",
		   ring->funcs->get_rptr(ring) & (ring->size_dw - 1),
		   ring->wptr & (ring->size_dw - 1), ring->size_dw);
}

/* In the path of a fence: the memory is there, and the rest is left to a work. */
static void vgpu_reset_dump(struct vgpu_ring *ring, struct vgpu_job *job)
{
	struct vgpu_reset *reset = &ring->vdev->reset;
	struct drm_print_iterator iter = {
		.data = reset->dump,
		.remain = VGPU_DUMP_SIZE,
	};
	struct drm_printer p = drm_coredump_printer(&iter);
	u32 i;

	if (atomic_cmpxchg(&reset->dump_busy, 0, 1))
		return;

	drm_printf(&p, "%s %s\n", VGPU_DRIVER_NAME, dev_name(ring->vdev->drm.dev));
	vgpu_reset_describe(ring, job, &p);
	for (i = 0; i < job->num_ibs; i++)
		drm_printf(&p, "IB %u at 0x%llx, %u dwords\n", i, job->ibs[i].gpu_addr,
			   job->ibs[i].length_dw);
	ring->funcs->show_state(ring, &p);
	ring->funcs->decode(ring, &p);
	reset->dump_len = VGPU_DUMP_SIZE - iter.remain;
	queue_work(system_unbound_wq, &reset->dump_work);
}

static void vgpu_reset_report(struct vgpu_ring *ring, struct vgpu_job *job, bool fault)
{
	static DEFINE_RATELIMIT_STATE(limit, 10 * HZ, 5);
	struct drm_device *drm = &ring->vdev->drm;
	struct drm_printer p = drm_err_printer(drm, ring->name);
	u64 rptr = ring->funcs->get_rptr(ring);

	drm_err(drm, "%s: job %llu of %s (%d) %s\n", ring->name,
		job->hw_fence ? job->hw_fence->seqno : 0, job->comm, job->pid,
		fault ? "stopped the ring" : "timed out");
	if (!__ratelimit(&limit))
		return;
	vgpu_reset_describe(ring, job, &p);
	ring->funcs->show_state(ring, &p);
	ring->funcs->decode_at(ring, rptr, min_t(u64, VGPU_REPORT_DW,
						 (ring->wptr - rptr) & (ring->size_dw - 1)), &p);
}

/* --------------------------------------------------------------- recovery */

/**
 * vgpu_reset_give_up() - the hardware takes nothing more
 * @ring: the ring
 * @error: what everything in it and behind it fails with
 */
void vgpu_reset_give_up(struct vgpu_ring *ring, int error)
{
	mutex_lock(&ring->lock);
	ring->dead = true;
	WRITE_ONCE(ring->ready, false);
	mutex_unlock(&ring->lock);
	if (error != -ENODEV)
		vgpu_vm_tables_lost(ring->vdev);
	vgpu_fence_force_completion(ring, error);
}

static void vgpu_reset_cancel(struct vgpu_job *job, int error)
{
	/* What it should have written is relied upon. */
	if (!job->vm)
		vgpu_vm_tables_lost(job->ring->vdev);
	vgpu_fence_cancel(job->ring, job->hw_fence, error);
}

/**
 * vgpu_reset_resubmit() - run again what a ring had not done
 * @ring: the ring, its hardware works and its scheduler is stopped
 * @guilty: job to drop, and the rest of its context; NULL: none is to blame
 */
void vgpu_reset_resubmit(struct vgpu_ring *ring, struct vgpu_job *guilty)
{
	struct drm_sched_job *pos;
	int ret;

	if (guilty)
		vgpu_reset_cancel(guilty, -ECANCELED);

	list_for_each_entry(pos, &ring->sched.pending_list, list) {
		struct vgpu_job *job = to_vgpu_job(pos);

		if (job == guilty || !job->hw_fence || dma_fence_is_signaled(job->hw_fence))
			continue;
		if (job->ctx && atomic_read(&job->ctx->guilty)) {
			vgpu_reset_cancel(job, -ECANCELED);
			continue;
		}
		ret = vgpu_job_emit_again(job);
		if (ret)
			vgpu_reset_cancel(job, ret);
	}
}

/**
 * vgpu_reset_stop_sched() - hand out no more jobs
 * @ring: the ring
 * @bad: job that the scheduler has taken from its list, to be put back; or NULL
 *
 * What has finished leaves the list, the rest is in order and ours. May sleep.
 */
void vgpu_reset_stop_sched(struct vgpu_ring *ring, struct drm_sched_job *bad)
{
	struct drm_gpu_scheduler *sched = &ring->sched;

	if (!ring->stopped) {
		drm_sched_stop(sched, bad);
		ring->stopped = true;
		return;
	}
	/* A timeout while a reset of the die is awaited. */
	if (bad)
		list_add(&bad->list, &sched->pending_list);
	cancel_delayed_work(&sched->work_tdr);
}

/**
 * vgpu_reset_start_sched() - go on
 * @ring: the ring, stopped by vgpu_reset_stop_sched()
 */
void vgpu_reset_start_sched(struct vgpu_ring *ring)
{
	struct drm_sched_job *pos;

	/* drm_sched_stop() has let go of the fences of what it left in the list. */
	list_for_each_entry(pos, &ring->sched.pending_list, list)
		if (!pos->s_fence->parent)
			pos->s_fence->parent = dma_fence_get(to_vgpu_job(pos)->hw_fence);
	ring->stopped = false;
	drm_sched_start(&ring->sched);
}

static void vgpu_reset_blame(struct vgpu_ring *ring, struct vgpu_job *guilty, bool fault)
{
	vgpu_reset_report(ring, guilty, fault);
	vgpu_reset_dump(ring, guilty);
	drm_sched_increase_karma(&guilty->base);
	if (guilty->ctx)
		atomic_set(&guilty->ctx->guilty, 1);
}

/* Return: 0: it runs packets again. */
static int vgpu_reset_one(struct vgpu_ring *ring)
{
	int ret;

	mutex_lock(&ring->lock);
	ret = ring->dead ? -ENODEV : ring->funcs->reset(ring);
	mutex_unlock(&ring->lock);
	vgpu_fence_process(ring);
	if (ret)
		return ret;

	/* Or else the next job would be blamed for what this one did. */
	return ring->funcs->test_ring(ring);
}

/**
 * vgpu_reset_ring() - recover a ring whose job timed out or stopped it
 * @ring: the ring
 * @bad: what the scheduler took from the head of its list of running jobs
 *
 * Runs in the die's ordered workqueue, in the path of fences. A job that has
 * finished after all is none to blame.
 *
 * The guilty job gets -ECANCELED, as do the others of its context, which is
 * marked. Jobs of other contexts keep their fences and run again, in order.
 *
 * A ring that does not come back by itself stays stopped, until the reset of the
 * die that is asked for then deals with it.
 */
void vgpu_reset_ring(struct vgpu_ring *ring, struct drm_sched_job *bad)
{
	struct drm_gpu_scheduler *sched = &ring->sched;
	struct vgpu_device *vdev = ring->vdev;
	struct drm_sched_job *first;
	struct vgpu_job *guilty;
	bool fault, waits = ring->stopped;
	int idx, ret = 0;

	/* The interrupt may be late, or lost. */
	vgpu_fence_process(ring);

	vgpu_reset_stop_sched(ring, bad);
	if (waits)
		return;
	fault = vgpu_ring_faulted(ring);
	first = list_first_entry_or_null(&sched->pending_list, struct drm_sched_job, list);

	if (!drm_dev_enter(&vdev->drm, &idx)) {
		vgpu_reset_give_up(ring, -ENODEV);
		goto start;
	}
	guilty = first ? to_vgpu_job(first) : NULL;
	if (!fault && (!guilty || first != bad || dma_fence_is_signaled(guilty->hw_fence)))
		goto exit;

	if (guilty)
		vgpu_reset_blame(ring, guilty, fault);
	ret = vgpu_reset_one(ring);
	if (ret) {
		drm_err(&vdev->drm, "%s: cannot be reset by itself: %d\n", ring->name, ret);
		ring->hung = guilty;
		vgpu_reset_request(vdev, VGPU_RESET_MODE2);
		drm_dev_exit(idx);
		return;
	}

	/* Flushes that were in the ring may never have happened. */
	vgpu_vmid_reset_all(vdev);
	atomic_inc(&vdev->reset.count);
	vgpu_reset_resubmit(ring, guilty);
	drm_info(&vdev->drm, "%s: recovered\n", ring->name);
exit:
	drm_dev_exit(idx);
start:
	vgpu_reset_start_sched(ring);
}

/**
 * vgpu_reset_init() - what recovery needs to have at hand
 * @vdev: the die
 *
 * Return: 0, -ENOMEM.
 */
int vgpu_reset_init(struct vgpu_device *vdev)
{
	struct vgpu_reset *reset = &vdev->reset;

	INIT_WORK(&reset->dump_work, vgpu_reset_dump_work);
	vgpu_reset_hive_init(vdev);
	reset->dump = vzalloc(VGPU_DUMP_SIZE);
	if (!reset->dump)
		return -ENOMEM;
	/* Who waits for memory may wait for a fence that waits for this. */
	reset->wq = alloc_ordered_workqueue("vgpu-reset", WQ_MEM_RECLAIM);
	if (!reset->wq) {
		vfree(reset->dump);
		return -ENOMEM;
	}
	return 0;
}

/**
 * vgpu_reset_fini() - undo vgpu_reset_init(); the rings are gone
 * @vdev: the die
 */
void vgpu_reset_fini(struct vgpu_device *vdev)
{
	struct vgpu_reset *reset = &vdev->reset;

	destroy_workqueue(reset->wq);
	cancel_work_sync(&reset->dump_work);
	vfree(reset->dump);
}
