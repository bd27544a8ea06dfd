// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Jobs: what drm_gpu_scheduler brings to a ring, one frame of packets each, and
 * the ring's side of the scheduler. Documentation/submission.rst, "Jobs".
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include "vgpu.h"
#include "vgpu_ctx.h"
#include "vgpu_trace.h"

static unsigned int vgpu_lockup_timeout = 2000;
module_param_named(lockup_timeout, vgpu_lockup_timeout, uint, 0444);
MODULE_PARM_DESC(lockup_timeout, "Milliseconds after which a job counts as hung (0: never; default 2000)");

/* Blocks of a ring, align_mask + 1 dwords, that scheduled jobs leave free. */
#define VGPU_RING_RESERVE	8

/* Dwords of a job's frame */
static u32 vgpu_job_dw(const struct vgpu_ring *ring, u32 num_ibs)
{
	return ring->funcs->max_dw_frame + num_ibs * ring->funcs->ib_dw;
}

/* A credit is a block of the ring, so that frames in flight always fit. */
static u32 vgpu_job_credits(const struct vgpu_ring *ring, u32 num_ibs)
{
	return DIV_ROUND_UP(vgpu_job_dw(ring, num_ibs), ring->funcs->align_mask + 1);
}

/**
 * vgpu_job_alloc() - a job for @ring
 * @ring: the ring it will run on
 * @entity: whose queue it goes through, on @ring's scheduler only; NULL for
 *          vgpu_job_submit_direct()
 * @vm: address space, NULL for a job of the kernel
 * @num_ibs: IBs there will be at most
 * @owner: whose fences need no implicit waiting for
 *
 * May sleep.
 * Return: the job, or ERR_PTR(-EINVAL, -ENOMEM, -ENOENT).
 */
struct vgpu_job *vgpu_job_alloc(struct vgpu_ring *ring, struct drm_sched_entity *entity,
				struct vgpu_vm *vm, u32 num_ibs, void *owner)
{
	struct vgpu_job *job;
	int ret;

	if (num_ibs > ring->funcs->max_ibs)
		return ERR_PTR(-EINVAL);

	job = kzalloc(struct_size(job, ibs, num_ibs), GFP_KERNEL_ACCOUNT);
	if (!job)
		return ERR_PTR(-ENOMEM);
	job->num_ibs = num_ibs;
	job->ring = ring;
	atomic_inc(&ring->num_jobs);

	job->fence = vgpu_fence_alloc();
	if (!job->fence) {
		ret = -ENOMEM;
		goto err;
	}
	if (entity) {
		ret = drm_sched_job_init(&job->base, entity, vgpu_job_credits(ring, num_ibs),
					 owner, 0);
		if (ret) {
			/* It leaves nothing behind that cleanup would know of. */
			job->base.s_fence = NULL;
			goto err;
		}
	}
	if (vm) {
		vgpu_vm_get(vm);
		job->vm = vm;
		job->pid = task_tgid_nr(current);
		get_task_comm(job->comm, current->group_leader);
	} else {
		strscpy(job->comm, "kernel", sizeof(job->comm));
	}
	return job;

err:
	vgpu_job_free(job);
	return ERR_PTR(ret);
}

/**
 * vgpu_job_free() - a job that is over, or was never submitted
 * @job: the job
 *
 * Its kernel IBs go at once. May sleep.
 */
void vgpu_job_free(struct vgpu_job *job)
{
	struct vgpu_ring *ring = job->ring;
	u32 i;

	for (i = 0; i < job->num_ibs; i++)
		vgpu_ib_free(&job->ibs[i], NULL);
	if (job->base.s_fence)
		drm_sched_job_cleanup(&job->base);
	vgpu_fence_free(job->fence);
	dma_fence_put(job->hw_fence);
	if (job->vm)
		vgpu_vm_put(job->vm);
	if (job->ctx)
		vgpu_ctx_put(job->ctx);
	kfree(job);

	/* The ring may be gone as soon as the number is 0. */
	if (atomic_dec_and_test(&ring->num_jobs))
		wake_up_var(&ring->num_jobs);
}

/* Kernel IBs only: a user's is as long as he said. */
static void vgpu_job_pad(struct vgpu_job *job)
{
	u32 i;

	for (i = 0; i < job->num_ibs; i++)
		if (job->ibs[i].sa)
			job->ring->funcs->pad_ib(job->ring, &job->ibs[i]);
}

/* The frame without its fence; the ring is allocated. */
static void vgpu_job_emit_frame(struct vgpu_job *job)
{
	struct vgpu_ring *ring = job->ring;
	const struct vgpu_ring_funcs *funcs = ring->funcs;
	u32 i;

	if (job->vm && job->need_flush)
		funcs->emit_vm_flush(ring, job->vmid, job->pd_addr);
	funcs->emit_hdp_flush(ring);
	if (funcs->emit_begin)
		funcs->emit_begin(ring);
	for (i = 0; i < job->num_ibs; i++)
		if (job->ibs[i].length_dw)
			funcs->emit_ib(ring, job, &job->ibs[i]);
	if (job->uf_addr)
		funcs->emit_fence(ring, job->uf_addr, job->uf_seq, VGPU_FENCE_64BIT);
}

/* Puts the job in the ring for the first time: consumes job->fence. */
static int vgpu_job_emit(struct vgpu_job *job)
{
	struct vgpu_ring *ring = job->ring;
	int ret;

	ret = vgpu_ring_alloc(ring, vgpu_job_dw(ring, job->num_ibs));
	if (ret)
		return ret;

	vgpu_job_emit_frame(job);
	job->hw_fence = vgpu_fence_emit(ring, job->fence);
	job->fence = NULL;
	if (ring->funcs->emit_end)
		ring->funcs->emit_end(ring);
	if (job->vm)
		vgpu_vmid_used(job, job->hw_fence);
	vgpu_path_emit(job, lower_32_bits(job->hw_fence->seqno));
	vgpu_ring_commit(ring);
	return 0;
}

/**
 * vgpu_job_emit_again() - put a job in a ring that has been recovered
 * @job: a job that the ring had not finished
 *
 * The fence is the one it had: who holds it need not know. Nothing that the
 * lost frame should have flushed can be relied on.
 * Return: 0 or what vgpu_ring_alloc() gives.
 */
int vgpu_job_emit_again(struct vgpu_job *job)
{
	struct vgpu_ring *ring = job->ring;
	int ret;

	ret = vgpu_ring_alloc(ring, vgpu_job_dw(ring, job->num_ibs));
	if (ret)
		return ret;

	job->need_flush = true;
	vgpu_job_emit_frame(job);
	vgpu_fence_emit_again(ring, job->hw_fence);
	if (ring->funcs->emit_end)
		ring->funcs->emit_end(ring);
	vgpu_path_emit(job, lower_32_bits(job->hw_fence->seqno));
	vgpu_ring_commit(ring);
	return 0;
}

/**
 * vgpu_job_submit() - hand a kernel job to its scheduler
 * @job: the job, consumed
 *
 * Return: its finished fence, a reference for the caller.
 */
struct dma_fence *vgpu_job_submit(struct vgpu_job *job)
{
	struct vgpu_ring *ring = job->ring;
	struct dma_fence *fence;

	vgpu_job_pad(job);

	/* The order of numbers is the order in the entity's queue. */
	mutex_lock(&ring->push_lock);
	drm_sched_job_arm(&job->base);
	fence = dma_fence_get(&job->base.s_fence->finished);
	drm_sched_entity_push_job(&job->base);
	mutex_unlock(&ring->push_lock);
	return fence;
}

/**
 * vgpu_job_submit_direct() - put a job in the ring, past the scheduler
 * @job: the job, consumed
 *
 * Nobody recovers it when it hangs. May sleep.
 * Return: its hardware fence, a reference for the caller; or an ERR_PTR.
 */
struct dma_fence *vgpu_job_submit_direct(struct vgpu_job *job)
{
	struct dma_fence *fence;
	int ret;
	u32 i;

	vgpu_job_pad(job);
	ret = vgpu_job_emit(job);
	if (ret) {
		vgpu_job_free(job);
		return ERR_PTR(ret);
	}

	fence = dma_fence_get(job->hw_fence);
	for (i = 0; i < job->num_ibs; i++)
		vgpu_ib_free(&job->ibs[i], fence);
	vgpu_job_free(job);
	return fence;
}

/* ------------------------------------------------- the scheduler's callbacks */

static struct dma_fence *vgpu_sched_prepare_job(struct drm_sched_job *base,
						struct drm_sched_entity *entity)
{
	struct vgpu_job *job = to_vgpu_job(base);
	struct dma_fence *fence;

	if (!job->vm || job->vmid || job->error)
		return NULL;

	fence = vgpu_vmid_grab(job);
	if (IS_ERR(fence)) {
		job->error = PTR_ERR(fence);
		return NULL;
	}
	if (!fence)
		trace_vgpu_vmid_grab(job);
	else if (to_drm_sched_fence(fence))
		/*
		 * Until it has run: that it was given to this very ring, which is
		 * all the scheduler would wait for, does not free its VMID.
		 */
		set_bit(DRM_SCHED_FENCE_DONT_PIPELINE, &fence->flags);
	return fence;
}

/* What keeps a job from running; 0: nothing. */
static int vgpu_job_check(struct vgpu_job *job)
{
	struct vgpu_ring *ring = job->ring;

	if (job->error)
		return job->error;
	if (job->base.s_fence->finished.error)
		return job->base.s_fence->finished.error;
	if (job->ctx && atomic_read(&job->ctx->guilty))
		return -ECANCELED;
	if (!READ_ONCE(ring->ready))
		return drm_dev_is_unplugged(&ring->vdev->drm) ? -ENODEV : -EIO;
	return 0;
}

/* In the path of a fence: nothing here waits for memory. */
static struct dma_fence *vgpu_sched_run_job(struct drm_sched_job *base)
{
	struct vgpu_job *job = to_vgpu_job(base);
	int ret;

	job->t_sched = ktime_get();
	trace_vgpu_sched_run_job(job);

	ret = vgpu_job_check(job) ?: vgpu_job_emit(job);
	if (ret) {
		/* What it should have written is relied upon. */
		if (!job->vm)
			vgpu_vm_tables_lost(job->ring->vdev);
		return ERR_PTR(ret);
	}
	return dma_fence_get(job->hw_fence);
}

static enum drm_gpu_sched_stat vgpu_sched_timedout_job(struct drm_sched_job *base)
{
	vgpu_reset_ring(to_vgpu_job(base)->ring, base);
	return DRM_GPU_SCHED_STAT_NOMINAL;
}

static void vgpu_sched_free_job(struct drm_sched_job *base)
{
	vgpu_job_free(to_vgpu_job(base));
}

static const struct drm_sched_backend_ops vgpu_sched_ops = {
	.prepare_job = vgpu_sched_prepare_job,
	.run_job = vgpu_sched_run_job,
	.timedout_job = vgpu_sched_timedout_job,
	.free_job = vgpu_sched_free_job,
};

/**
 * vgpu_sched_init() - the scheduler of a ring
 * @ring: the ring
 *
 * Timeouts of all rings of a die are handled one after the other.
 * Return: 0 or a negative errno.
 */
int vgpu_sched_init(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	struct drm_sched_init_args args = {
		.ops = &vgpu_sched_ops,
		.timeout_wq = vdev->reset.wq,
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
		.credit_limit = ring->size_dw / (ring->funcs->align_mask + 1) - VGPU_RING_RESERVE,
		.timeout = vgpu_lockup_timeout ? msecs_to_jiffies(vgpu_lockup_timeout) :
						 MAX_SCHEDULE_TIMEOUT,
		.name = ring->name,
		.dev = vdev->drm.dev,
	};

	return drm_sched_init(&ring->sched, &args);
}

/**
 * vgpu_sched_fini() - undo vgpu_sched_init()
 * @ring: the ring, stopped, and nothing queued for it
 */
void vgpu_sched_fini(struct vgpu_ring *ring)
{
	struct drm_gpu_scheduler *sched = &ring->sched;
	unsigned int tries;

	/* Every job is over, but drm_sched_fini() frees none: let it do so first. */
	for (tries = 0; tries <= sched->credit_limit; tries++) {
		if (list_empty(&sched->pending_list))
			break;
		queue_work(sched->submit_wq, &sched->work_free_job);
		flush_work(&sched->work_free_job);
	}
	/*
	 * A job whose context was closed before it ran is freed by a work of its own,
	 * through the scheduler, when the last fence that it depends on has signalled.
	 * That may be one of another device.
	 */
	if (!WARN_ON(!list_empty(&sched->pending_list)))
		wait_var_event(&ring->num_jobs, !atomic_read(&ring->num_jobs));
	drm_sched_fini(sched);
}
