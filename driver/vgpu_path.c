// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The path of a submission: the driver notes when the last jobs passed each of
 * its steps; the emulator does so for the device's, in registers that no
 * hardware has. This puts the two together.
 * Documentation/submission.rst, "The path".
 */
#include <linux/math64.h>
#include <linux/slab.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_print.h>

#include <hw/reg/vgpu.h>

#include "vgpu.h"

/* The driver's steps, and where those of the device belong between them. */
static const struct {
	const char *name;
	bool device;
	u8 step;	/* vgpu_path_step, or VGPU_STEP_* of the device */
} vgpu_path_rows[] = {
	{ "ioctl", false, VGPU_PATH_IOCTL },
	{ "schedule", false, VGPU_PATH_SCHED },
	{ "ring write", false, VGPU_PATH_RING },
	{ "doorbell", false, VGPU_PATH_DOORBELL },
	{ "doorbell seen", true, VGPU_STEP_DOORBELL },
	{ "fetch", true, VGPU_STEP_FETCH },
	{ "IB start", true, VGPU_STEP_IB_START },
	{ "IB end", true, VGPU_STEP_IB_END },
	{ "fence write", true, VGPU_STEP_FENCE },
	{ "IH entry", true, VGPU_STEP_IH_ENTRY },
	{ "MSI-X", true, VGPU_STEP_MSIX },
	{ "handler", false, VGPU_PATH_HANDLER },
	{ "signal", false, VGPU_PATH_SIGNAL },
	{ "waiter awake", false, VGPU_PATH_AWAKE },
};

/* One entry of the device's trace. */
struct vgpu_path_event {
	u64 clock;
	u32 data;
	u8 step;
	u8 queue;
};

/* What vgpu_path_show() works on: a copy, so that recording can go on. */
struct vgpu_path_view {
	struct vgpu_path_record rec[VGPU_PATH_RECORDS];
	struct vgpu_path_event event[VGPU_TRACE_ENTRIES];
	unsigned int num_rec, num_event;
	struct vgpu_path_sync sync[2];
};

static bool vgpu_path_has_device(struct vgpu_device *vdev)
{
	return vgpu_rreg(vdev, VGPU_DBG_ID) == VGPU_DBG_ID_MAGIC;
}

/* One moment on both clocks: the attempt that took least time says it best. */
static void vgpu_path_sync(struct vgpu_device *vdev, struct vgpu_path_sync *sync)
{
	s64 best = S64_MAX;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		ktime_t before = ktime_get();
		u64 clock = vgpu_gpu_clock(vdev);
		s64 took = ktime_to_ns(ktime_sub(ktime_get(), before));

		if (took < best) {
			best = took;
			sync->clock = clock;
			sync->time = ktime_add_ns(before, took / 2);
		}
	}
}

/*
 * GPU clock to kernel time. The two drift apart, so the rate is measured
 * between the moments when recording began and when it is looked at.
 */
static ktime_t vgpu_path_time(struct vgpu_device *vdev, const struct vgpu_path_sync *sync,
			      u64 clock)
{
	s64 clocks = sync[1].clock - sync[0].clock;
	s64 ns = ktime_to_ns(ktime_sub(sync[1].time, sync[0].time));
	s64 since = clock - sync[1].clock;

	/* Too short to measure by: believe the nominal frequency. */
	if (clocks < vdev->info.gpu_clock_khz || ns <= 0) {
		clocks = vdev->info.gpu_clock_khz;
		ns = NSEC_PER_MSEC;
	}
	if (since < 0)
		return ktime_sub_ns(sync[1].time, mul_u64_u64_div_u64(-since, ns, clocks));
	return ktime_add_ns(sync[1].time, mul_u64_u64_div_u64(since, ns, clocks));
}

/**
 * vgpu_path_init() - nothing recorded, recording off
 * @vdev: the die
 */
void vgpu_path_init(struct vgpu_device *vdev)
{
	spin_lock_init(&vdev->path.lock);
}

/**
 * vgpu_path_enable() - start or stop recording
 * @vdev: the die
 * @enable: start; what was recorded before is forgotten
 *
 * May sleep. Return: 0, or -ENODEV once unplugged.
 */
int vgpu_path_enable(struct vgpu_device *vdev, bool enable)
{
	struct vgpu_path *path = &vdev->path;
	int idx;

	if (!vgpu_hw_enter(vdev, &idx))
		return -ENODEV;

	WRITE_ONCE(path->enabled, false);
	if (enable) {
		spin_lock_irq(&path->lock);
		path->count = 0;
		memset(path->rec, 0, sizeof(path->rec));
		spin_unlock_irq(&path->lock);
		vgpu_path_sync(vdev, &path->sync);
	}
	if (vgpu_path_has_device(vdev))
		vgpu_wreg(vdev, VGPU_DBG_TRACE_CNTL,
			  enable ? VGPU_DBG_TRACE_CNTL__ENABLE_MASK |
				   VGPU_DBG_TRACE_CNTL__CLEAR_MASK : 0);
	WRITE_ONCE(path->enabled, enable);
	vgpu_hw_exit(idx);
	return 0;
}

/* The newest record of @ring that has not passed @step. Locked. */
static struct vgpu_path_record *vgpu_path_newest(struct vgpu_path *path, u32 ring,
						 enum vgpu_path_step step)
{
	u64 i;

	for (i = path->count; i > 0 && i + VGPU_PATH_RECORDS > path->count; i--) {
		struct vgpu_path_record *rec = &path->rec[(i - 1) % VGPU_PATH_RECORDS];

		if (rec->ring == ring)
			return rec->t[step] ? NULL : rec;
	}
	return NULL;
}

/**
 * vgpu_path_emit() - a job's frame and fence are in the ring
 * @job: the job; one that no ioctl made is not recorded
 * @hw_seq: number that the GPU will write
 *
 * From run_job, before the commit.
 */
void vgpu_path_emit(struct vgpu_job *job, u32 hw_seq)
{
	struct vgpu_path *path = &job->ring->vdev->path;
	struct vgpu_path_record *rec;
	unsigned long flags;

	if (!READ_ONCE(path->enabled) || !job->t_ioctl)
		return;

	spin_lock_irqsave(&path->lock, flags);
	rec = &path->rec[path->count++ % VGPU_PATH_RECORDS];
	memset(rec, 0, sizeof(*rec));
	rec->ring = job->ring->idx;
	rec->hw_seq = hw_seq;
	rec->pid = job->pid;
	if (job->base.s_fence) {
		rec->context = job->base.s_fence->finished.context;
		rec->seqno = job->base.s_fence->finished.seqno;
	}
	rec->t[VGPU_PATH_IOCTL] = job->t_ioctl;
	rec->t[VGPU_PATH_SCHED] = job->t_sched;
	rec->t[VGPU_PATH_RING] = ktime_get();
	spin_unlock_irqrestore(&path->lock, flags);
}

/**
 * vgpu_path_doorbell() - a ring is about to be committed
 * @ring: with its new write pointer
 */
void vgpu_path_doorbell(struct vgpu_ring *ring)
{
	struct vgpu_path *path = &ring->vdev->path;
	struct vgpu_path_record *rec;
	unsigned long flags;

	if (!READ_ONCE(path->enabled))
		return;

	spin_lock_irqsave(&path->lock, flags);
	rec = vgpu_path_newest(path, ring->idx, VGPU_PATH_DOORBELL);
	if (rec) {
		rec->wptr = ring->wptr;
		rec->t[VGPU_PATH_DOORBELL] = ktime_get();
	}
	spin_unlock_irqrestore(&path->lock, flags);
}

/**
 * vgpu_path_irq() - the vector fired
 * @vdev: the die
 *
 * Hard interrupt.
 */
void vgpu_path_irq(struct vgpu_device *vdev)
{
	if (READ_ONCE(vdev->path.enabled))
		WRITE_ONCE(vdev->path.irq, ktime_get());
}

/**
 * vgpu_path_fence() - a ring fence is about to be signalled
 * @ring: its ring
 * @hw_seq: its number
 */
void vgpu_path_fence(struct vgpu_ring *ring, u32 hw_seq)
{
	struct vgpu_path *path = &ring->vdev->path;
	unsigned long flags;
	unsigned int i;

	if (!READ_ONCE(path->enabled))
		return;

	spin_lock_irqsave(&path->lock, flags);
	for (i = 0; i < VGPU_PATH_RECORDS; i++) {
		struct vgpu_path_record *rec = &path->rec[i];

		if (rec->ring != ring->idx || rec->hw_seq != hw_seq ||
		    !rec->t[VGPU_PATH_DOORBELL] || rec->t[VGPU_PATH_SIGNAL])
			continue;
		/* Not of an interrupt before the doorbell: polling saw it first. */
		if (ktime_after(READ_ONCE(path->irq), rec->t[VGPU_PATH_DOORBELL]))
			rec->t[VGPU_PATH_HANDLER] = path->irq;
		rec->t[VGPU_PATH_SIGNAL] = ktime_get();
	}
	spin_unlock_irqrestore(&path->lock, flags);
}

/**
 * vgpu_path_awake() - a waiter runs again
 * @vdev: the die
 * @finished: the scheduler's fence it has waited for
 */
void vgpu_path_awake(struct vgpu_device *vdev, const struct dma_fence *finished)
{
	struct vgpu_path *path = &vdev->path;
	unsigned long flags;
	unsigned int i;

	if (!READ_ONCE(path->enabled))
		return;

	spin_lock_irqsave(&path->lock, flags);
	for (i = 0; i < VGPU_PATH_RECORDS; i++) {
		struct vgpu_path_record *rec = &path->rec[i];

		if (rec->context == finished->context && rec->seqno == finished->seqno &&
		    rec->t[VGPU_PATH_SIGNAL] && !rec->t[VGPU_PATH_AWAKE])
			rec->t[VGPU_PATH_AWAKE] = ktime_get();
	}
	spin_unlock_irqrestore(&path->lock, flags);
}

/* The device's trace, oldest first; it stands still meanwhile. */
static void vgpu_path_read_device(struct vgpu_device *vdev, struct vgpu_path_view *view)
{
	u32 cntl, count, num, i;
	int idx;

	if (!vgpu_hw_enter(vdev, &idx))
		return;
	if (!vgpu_path_has_device(vdev))
		goto out;

	cntl = vgpu_rreg(vdev, VGPU_DBG_TRACE_CNTL);
	vgpu_wreg(vdev, VGPU_DBG_TRACE_CNTL, 0);
	count = vgpu_rreg(vdev, VGPU_DBG_TRACE_COUNT);
	num = min_t(u32, count, VGPU_TRACE_ENTRIES);
	for (i = 0; i < num; i++) {
		struct vgpu_path_event *ev = &view->event[i];
		u32 step;

		vgpu_wreg(vdev, VGPU_DBG_TRACE_INDEX, (count - num + i) % VGPU_TRACE_ENTRIES);
		step = vgpu_rreg(vdev, VGPU_DBG_TRACE_STEP);
		ev->step = step;
		ev->queue = step >> 8;
		ev->data = vgpu_rreg(vdev, VGPU_DBG_TRACE_DATA);
		ev->clock = vgpu_rreg(vdev, VGPU_DBG_TRACE_TIME_LO);
		ev->clock |= (u64)vgpu_rreg(vdev, VGPU_DBG_TRACE_TIME_HI) << 32;
	}
	view->num_event = num;
	vgpu_wreg(vdev, VGPU_DBG_TRACE_CNTL, cntl & VGPU_DBG_TRACE_CNTL__ENABLE_MASK);
	vgpu_path_sync(vdev, &view->sync[1]);
out:
	vgpu_hw_exit(idx);
}

static const struct vgpu_path_event *vgpu_path_find(const struct vgpu_path_view *view, int from,
						    int to, unsigned int queue, unsigned int step)
{
	int dir = from <= to ? 1 : -1;
	int i;

	for (i = from; i != to + dir; i += dir) {
		const struct vgpu_path_event *ev;

		if (i < 0 || i >= (int)view->num_event)
			continue;
		ev = &view->event[i];
		if (ev->step != step)
			continue;
		/* Interrupts are of no queue. */
		if (step == VGPU_STEP_IH_ENTRY || step == VGPU_STEP_MSIX || ev->queue == queue)
			return ev;
	}
	return NULL;
}

/*
 * Find a job's events: its fence by the number it wrote, what led there by
 * going back from it, what followed by going on.
 */
static void vgpu_path_match(const struct vgpu_path_view *view, const struct vgpu_path_record *rec,
			    unsigned int queue, const struct vgpu_path_event **out)
{
	int last = (int)view->num_event - 1;
	int fence, bell, i;

	for (fence = last; fence >= 0; fence--) {
		const struct vgpu_path_event *ev = &view->event[fence];

		if (ev->step == VGPU_STEP_FENCE && ev->queue == queue && ev->data == rec->hw_seq)
			break;
	}
	if (fence < 0)
		return;
	out[VGPU_STEP_FENCE] = &view->event[fence];

	/* The first doorbell whose write pointer covers the frame. */
	bell = -1;
	for (i = fence; i >= 0; i--) {
		const struct vgpu_path_event *ev = &view->event[i];

		if (ev->step != VGPU_STEP_DOORBELL || ev->queue != queue)
			continue;
		if ((s32)(ev->data - (u32)rec->wptr) < 0)
			break;
		bell = i;
	}
	if (bell >= 0) {
		out[VGPU_STEP_DOORBELL] = &view->event[bell];
		out[VGPU_STEP_FETCH] = vgpu_path_find(view, bell, fence, queue, VGPU_STEP_FETCH);
	}

	/* The job's own IB is the last before its fence. */
	out[VGPU_STEP_IB_END] = vgpu_path_find(view, fence, max(bell, 0), queue, VGPU_STEP_IB_END);
	out[VGPU_STEP_IB_START] = vgpu_path_find(view, fence, max(bell, 0), queue,
						 VGPU_STEP_IB_START);
	out[VGPU_STEP_IH_ENTRY] = vgpu_path_find(view, fence, last, queue, VGPU_STEP_IH_ENTRY);
	if (out[VGPU_STEP_IH_ENTRY])
		out[VGPU_STEP_MSIX] = vgpu_path_find(view,
						     out[VGPU_STEP_IH_ENTRY] - view->event, last,
						     queue, VGPU_STEP_MSIX);
}

/* Nanoseconds as microseconds with three decimals, signed. */
static void vgpu_path_print_us(struct drm_printer *p, s64 ns)
{
	u64 abs = ns < 0 ? -ns : ns;
	u32 frac;
	u64 us = div_u64_rem(abs, 1000, &frac);
	char buf[32];

	snprintf(buf, sizeof(buf), "%s%llu.%03u", ns < 0 ? "-" : "", us, frac);
	drm_printf(p, " %12s", buf);
}

static void vgpu_path_print(struct vgpu_device *vdev, const struct vgpu_path_view *view,
			    const struct vgpu_path_record *rec, struct drm_printer *p)
{
	const struct vgpu_path_event *ev[VGPU_STEP_HALT + 1] = { };
	const struct vgpu_ring *ring = vdev->rings[rec->ring];
	ktime_t start = rec->t[VGPU_PATH_IOCTL], prev = start;
	unsigned int i;

	vgpu_path_match(view, rec, ring->trace, ev);

	drm_printf(p, "ring %s, job %llu:%llu, fence %u, pid %d\n", ring->name, rec->context,
		   rec->seqno, rec->hw_seq, rec->pid);
	drm_printf(p, "%-14s %-6s %12s %12s\n", "step", "where", "us", "delta");
	for (i = 0; i < ARRAY_SIZE(vgpu_path_rows); i++) {
		unsigned int step = vgpu_path_rows[i].step;
		ktime_t t = 0;

		if (!vgpu_path_rows[i].device)
			t = rec->t[step];
		else if (ev[step])
			t = vgpu_path_time(vdev, view->sync, ev[step]->clock);

		drm_printf(p, "%-14s %-6s", vgpu_path_rows[i].name,
			   vgpu_path_rows[i].device ? "device" : "driver");
		if (!t) {
			drm_printf(p, " %12s %12s\n", "-", "-");
			continue;
		}
		vgpu_path_print_us(p, ktime_to_ns(ktime_sub(t, start)));
		vgpu_path_print_us(p, ktime_to_ns(ktime_sub(t, prev)));
		drm_puts(p, "\n");
		prev = t;
	}
}

/**
 * vgpu_path_show() - print the newest finished job of each ring, step by step
 * @vdev: the die
 * @p: where to
 *
 * Stops the device's trace for the time it takes to read it. May sleep.
 */
void vgpu_path_show(struct vgpu_device *vdev, struct drm_printer *p)
{
	struct vgpu_path *path = &vdev->path;
	struct vgpu_path_view *view;
	u64 count, n;
	u32 ring;

	view = kvzalloc(sizeof(*view), GFP_KERNEL);
	if (!view)
		return;

	spin_lock_irq(&path->lock);
	memcpy(view->rec, path->rec, sizeof(view->rec));
	view->sync[0] = path->sync;
	count = path->count;
	spin_unlock_irq(&path->lock);

	if (!READ_ONCE(path->enabled) && !count) {
		drm_puts(p, "recording is off: write 1 here\n");
		goto out;
	}
	vgpu_path_read_device(vdev, view);

	for (ring = 0; ring < vdev->num_rings; ring++) {
		for (n = count; n > 0 && n + VGPU_PATH_RECORDS > count; n--) {
			const struct vgpu_path_record *rec =
				&view->rec[(n - 1) % VGPU_PATH_RECORDS];

			if (rec->ring == ring && rec->t[VGPU_PATH_SIGNAL]) {
				vgpu_path_print(vdev, view, rec, p);
				break;
			}
		}
	}
out:
	kvfree(view);
}
