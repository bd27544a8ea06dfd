/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The path of a submission, step by step, from the ioctl to the waiter that
 * wakes up: the driver's steps are noted here, the device's come out of the
 * emulator's own trace registers. Documentation/submission.rst, "The path".
 */
#ifndef _VGPU_PATH_H_
#define _VGPU_PATH_H_

#include <linux/ktime.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct drm_printer;
struct dma_fence;
struct vgpu_device;
struct vgpu_job;
struct vgpu_ring;

enum vgpu_path_step {
	VGPU_PATH_IOCTL,	/* the CS ioctl was entered (vgpu_job.t_ioctl) */
	VGPU_PATH_SCHED,	/* run_job was called (vgpu_job.t_sched) */
	VGPU_PATH_RING,		/* the frame is in the ring */
	VGPU_PATH_DOORBELL,	/* about to ring the doorbell */
	VGPU_PATH_HANDLER,	/* hard interrupt that led to the fence */
	VGPU_PATH_SIGNAL,	/* the fence is signalled */
	VGPU_PATH_AWAKE,	/* whoever waited for it runs again */
	VGPU_PATH_NUM_STEPS
};

#define VGPU_PATH_RECORDS	64

/**
 * struct vgpu_path_record - one job's way
 * @ring: index of its ring in vgpu_device.rings
 * @hw_seq: number that the GPU writes for its fence
 * @wptr: write pointer behind its frame, dwords
 * @context: of its finished fence
 * @seqno: of its finished fence
 * @pid: process that submitted it
 * @t: when each step happened; 0 when it has not
 */
struct vgpu_path_record {
	u32 ring;
	u32 hw_seq;
	u64 wptr;
	u64 context, seqno;
	pid_t pid;
	ktime_t t[VGPU_PATH_NUM_STEPS];
};

/**
 * struct vgpu_path_sync - one moment on both clocks
 * @clock: GPU clocks
 * @time: kernel time
 */
struct vgpu_path_sync {
	u64 clock;
	ktime_t time;
};

/**
 * struct vgpu_path - the last jobs of a die
 * @enabled: recording; written through debugfs
 * @irq: when the vector fired last
 * @sync: when recording began
 * @lock: guards the rest; IRQ-safe, innermost
 * @count: records since it was enabled; the newest is (count - 1) % RECORDS
 * @rec: the records
 */
struct vgpu_path {
	bool enabled;
	ktime_t irq;
	struct vgpu_path_sync sync;
	spinlock_t lock;	/* guards what follows */
	u64 count;
	struct vgpu_path_record rec[VGPU_PATH_RECORDS];
};

void vgpu_path_init(struct vgpu_device *vdev);
/* Empty, and start or stop, here and in the device. May sleep. */
int vgpu_path_enable(struct vgpu_device *vdev, bool enable);
void vgpu_path_show(struct vgpu_device *vdev, struct drm_printer *p);

/*
 * Hooks; each costs one branch while recording is off.
 *
 * emit: run_job, frame and fence @hw_seq are in the ring, not committed yet.
 * doorbell: in commit, before the doorbell.
 * irq: hard interrupt. fence: @hw_seq is about to be signalled.
 * awake: a waiter for @finished (the scheduler's fence) runs again.
 */
void vgpu_path_emit(struct vgpu_job *job, u32 hw_seq);
void vgpu_path_doorbell(struct vgpu_ring *ring);
void vgpu_path_irq(struct vgpu_device *vdev);
void vgpu_path_fence(struct vgpu_ring *ring, u32 hw_seq);
void vgpu_path_awake(struct vgpu_device *vdev, const struct dma_fence *finished);

#endif
