// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Reset of a die with all of its hive: everybody stops, all are reset at the same
 * time, everybody goes on, and the jobs that did no harm run again.
 * Documentation/hive.rst, "Reset".
 */
#include <linux/delay.h>
#include <linux/wait.h>

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "vgpu.h"

/* A ring that signals no fence for so long is not waited for. */
#define RESET_DRAIN_US		(2 * USEC_PER_SEC)

/* Resets of all hives; each waits for the dies' own queues. */
static struct workqueue_struct *vgpu_reset_wq;

static void reset_run_init(struct vgpu_reset_run *run, enum vgpu_reset_mode mode,
			   unsigned int expected)
{
	run->mode = mode;
	run->hive = NULL;
	spin_lock_init(&run->lock);
	init_waitqueue_head(&run->all_here);
	run->expected = expected;
	run->waiting = 0;
	run->round = 0;
}

/* The barrier: returns when all have come. */
static void reset_run_meet(struct vgpu_reset_run *run)
{
	unsigned int round;

	spin_lock(&run->lock);
	round = run->round;
	if (++run->waiting == run->expected) {
		run->waiting = 0;
		WRITE_ONCE(run->round, round + 1);
		wake_up_all(&run->all_here);
	}
	spin_unlock(&run->lock);
	wait_event(run->all_here, READ_ONCE(run->round) != round);
}

/* --------------------------------------------------- the part of one die */

static u64 reset_progress(struct vgpu_device *vdev, bool *busy)
{
	u64 reached = 0;
	unsigned int i;

	*busy = false;
	for (i = 0; i < vdev->num_rings; i++) {
		struct vgpu_ring *ring = vdev->rings[i];

		if (ring->stopped)
			continue;
		reached += vgpu_fence_process(ring);
		if (vgpu_fence_pending(ring))
			*busy = true;
	}
	return reached;
}

/*
 * What runs without having done harm is given the time to end: a job that began to
 * change what it reads would not get the same result twice. As long as there is
 * progress; a ring without it hangs too, or waits for one that does.
 */
static void reset_drain(struct vgpu_device *vdev)
{
	ktime_t end = ktime_add_us(ktime_get(), RESET_DRAIN_US);
	bool busy;

	for (;;) {
		if (reset_progress(vdev, &busy))
			end = ktime_add_us(ktime_get(), RESET_DRAIN_US);
		if (!busy || drm_dev_is_unplugged(&vdev->drm) || ktime_after(ktime_get(), end))
			return;
		usleep_range(100, 200);
	}
}

/* Nothing of the die runs any more when it returns, and its schedulers hand out nothing. */
static void reset_quiesce(struct vgpu_device *vdev, bool there, bool all)
{
	unsigned int i;

	for (i = 0; i < vdev->num_rings; i++)
		drm_sched_wqueue_stop(&vdev->rings[i]->sched);
	if (there)
		reset_drain(vdev);
	for (i = 0; i < vdev->num_rings; i++)
		vgpu_reset_stop_sched(vdev->rings[i], NULL);
	if (there)
		vgpu_device_suspend(vdev, all);
}

/* Mode 2 has failed: is there more that could be done? */
static bool reset_may_escalate(struct vgpu_device *vdev)
{
	return !drm_dev_is_unplugged(&vdev->drm) && !vdev->gmc.connected_to_cpu;
}

/* The die did not come back; its jobs fail. */
static void reset_leave_out(struct vgpu_device *vdev)
{
	unsigned int i;

	for (i = 0; i < vdev->num_rings; i++)
		WRITE_ONCE(vdev->rings[i]->ready, false);
}

static int reset_hw(struct vgpu_device *vdev, enum vgpu_reset_mode mode)
{
	switch (mode) {
	case VGPU_RESET_MODE1:
		return vgpu_psp_mode1_reset(vdev);
	case VGPU_RESET_MODE2:
		return vgpu_smu_mode2_reset(vdev);
	default:
		/* The PCI core does it, between two rounds. */
		return 0;
	}
}

/* Jobs run again, or fail when their ring did not come back, or their memory is gone. */
static void reset_restart(struct vgpu_device *vdev, bool there, bool lost)
{
	unsigned int i;

	vgpu_vmid_reset_all(vdev);
	if (lost)
		atomic_inc(&vdev->reset.vram_lost);
	atomic_inc(&vdev->reset.count);

	for (i = 0; i < vdev->num_rings; i++) {
		struct vgpu_ring *ring = vdev->rings[i];

		if (!there)
			vgpu_reset_give_up(ring, -ENODEV);
		else if (!ring->ready)
			vgpu_reset_give_up(ring, -EIO);
		else if (lost)
			vgpu_fence_force_completion(ring, -ECANCELED);
		else
			vgpu_reset_resubmit(ring, ring->hung);
		ring->hung = NULL;
		vgpu_reset_start_sched(ring);
	}
}

/*
 * Runs in the die's own ordered queue: no timeout of its rings is handled meanwhile,
 * and the queue has a thread to fall back on, so that all parts of a reset run at
 * the same time even when there is no memory for more threads.
 */
static void reset_part(struct work_struct *work)
{
	struct vgpu_device *vdev = container_of(work, struct vgpu_device, reset.part);
	struct vgpu_reset_run *run = vdev->reset.run;
	bool all = run->mode != VGPU_RESET_MODE2;
	bool there, gone;
	int idx, ret = 0;

	there = drm_dev_enter(&vdev->drm, &idx);
	reset_quiesce(vdev, there, all);
	/* Nobody runs: nobody reaches for a die that is about to go away. */
	reset_run_meet(run);
	if (there)
		ret = reset_hw(vdev, run->mode);
	if (ret && run->mode == VGPU_RESET_MODE2 && reset_may_escalate(vdev)) {
		drm_err(&vdev->drm, "mode-2 reset: %d, trying mode 1\n", ret);
		all = true;
		vgpu_device_suspend(vdev, all);
		ret = reset_hw(vdev, VGPU_RESET_MODE1);
	}
	/*
	 * Jobs that were made before would find other page tables than they were made for.
	 * And no queue of user space comes in between.
	 */
	if (all)
		vgpu_vm_tables_lost(vdev);
	/* All have been reset: everybody may reach everybody again. */
	reset_run_meet(run);
	if (there && !ret)
		ret = vgpu_device_resume(vdev, all);
	/* Unplugged in the middle: whoever does that waits until the part is over. */
	gone = drm_dev_is_unplugged(&vdev->drm);
	if (there && ret && !gone) {
		drm_err(&vdev->drm, "reset failed: %d\n", ret);
		reset_leave_out(vdev);
	}
	reset_run_meet(run);
	if (run->hive)
		vgpu_hive_train_member(run->hive, vdev);
	reset_restart(vdev, !gone, all);
	vgpu_kfd_reset_done(vdev, all);
	vdev->reset.result = gone ? -ENODEV : ret;
	if (there)
		drm_dev_exit(idx);
}

/* ------------------------------------------------------------- the whole */

static void reset_begin(struct vgpu_device *vdev, struct vgpu_reset_run *run)
{
	/* Whoever asks from now on asks for another reset. */
	atomic_set(&vdev->reset.wanted, VGPU_RESET_NONE);
	vdev->reset.run = run;
	queue_work(vdev->reset.wq, &vdev->reset.part);
}

static void reset_die(struct vgpu_device *vdev, enum vgpu_reset_mode mode)
{
	struct vgpu_reset_run run;

	reset_run_init(&run, mode, 1);
	reset_begin(vdev, &run);
	flush_work(&vdev->reset.part);
}

/* The hive's lock is held: its members are these, until the end. */
static void reset_members(struct vgpu_hive *hive, enum vgpu_reset_mode mode)
{
	struct vgpu_reset_run run;
	struct vgpu_device *vdev;

	reset_run_init(&run, mode, hive->num_members);
	run.hive = hive;
	list_for_each_entry(vdev, &hive->members, xgmi.node)
		reset_begin(vdev, &run);
	list_for_each_entry(vdev, &hive->members, xgmi.node)
		flush_work(&vdev->reset.part);
}

static void reset_request(struct work_struct *work)
{
	struct vgpu_device *vdev = container_of(work, struct vgpu_device, reset.request);
	struct vgpu_hive *hive = vdev->xgmi.hive;
	enum vgpu_reset_mode mode;
	bool member = false;

	if (hive) {
		mutex_lock(&hive->lock);
		member = !list_empty(&vdev->xgmi.node);
	}
	/* A reset that somebody else has asked for may have been ours too. */
	mode = atomic_read(&vdev->reset.wanted);
	if (mode != VGPU_RESET_NONE) {
		drm_info(&vdev->drm, "mode-%d reset of %u dies\n", mode,
			 member ? hive->num_members : 1);
		if (member)
			reset_members(hive, mode);
		else
			reset_die(vdev, mode);
		drm_info(&vdev->drm, "reset: %d\n", vdev->reset.result);
	}
	if (hive)
		mutex_unlock(&hive->lock);
}

/**
 * vgpu_reset_prepare() - somebody is about to reset the PCI function
 * @vdev: the die
 *
 * A function-level reset, or one of the bus. Only this die is concerned: its peers
 * find its memory unreachable meanwhile. Until vgpu_reset_done(), nobody joins or
 * leaves the hive. May sleep.
 */
void vgpu_reset_prepare(struct vgpu_device *vdev)
{
	struct vgpu_reset_run *run = &vdev->reset.function;

	if (vdev->xgmi.hive)
		mutex_lock(&vdev->xgmi.hive->lock);
	reset_run_init(run, VGPU_RESET_FUNCTION, 2);
	reset_begin(vdev, run);
	reset_run_meet(run);
}

/**
 * vgpu_reset_done() - it has been reset
 * @vdev: the die; by whoever called vgpu_reset_prepare()
 */
void vgpu_reset_done(struct vgpu_device *vdev)
{
	struct vgpu_reset_run *run = &vdev->reset.function;
	struct vgpu_hive *hive = vdev->xgmi.hive;

	reset_run_meet(run);
	reset_run_meet(run);
	if (hive)
		vgpu_hive_train(hive);
	flush_work(&vdev->reset.part);
	if (hive)
		mutex_unlock(&hive->lock);
}

/**
 * vgpu_reset_request() - reset a die, and all dies of its hive
 * @vdev: the die
 * @mode: how
 *
 * Any context. It happens soon, and needs nothing of the caller. A die that is
 * connected to the CPU has mode 2 only: its memory is the CPU's, too.
 */
void vgpu_reset_request(struct vgpu_device *vdev, enum vgpu_reset_mode mode)
{
	if (vdev->gmc.connected_to_cpu)
		mode = VGPU_RESET_MODE2;
	/* The stronger of two wishes counts: mode 1 resets what mode 2 does, and more. */
	if (atomic_cmpxchg(&vdev->reset.wanted, VGPU_RESET_NONE, mode) == VGPU_RESET_MODE2 &&
	    mode == VGPU_RESET_MODE1)
		atomic_cmpxchg(&vdev->reset.wanted, VGPU_RESET_MODE2, mode);
	queue_work(vgpu_reset_wq, &vdev->reset.request);
}

/**
 * vgpu_reset_wait() - until a reset that was asked for is over
 * @vdev: the die
 *
 * May sleep. Return: what became of the die, in the last reset of it.
 */
int vgpu_reset_wait(struct vgpu_device *vdev)
{
	flush_work(&vdev->reset.request);
	return vdev->reset.result;
}

void vgpu_reset_hive_init(struct vgpu_device *vdev)
{
	INIT_WORK(&vdev->reset.request, reset_request);
	INIT_WORK(&vdev->reset.part, reset_part);
}

int __init vgpu_reset_module_init(void)
{
	vgpu_reset_wq = alloc_workqueue("vgpu-hive", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return vgpu_reset_wq ? 0 : -ENOMEM;
}

void vgpu_reset_module_exit(void)
{
	destroy_workqueue(vgpu_reset_wq);
}
