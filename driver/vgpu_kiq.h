/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The kernel's interface queue: the queue through which the kernel has its other
 * queues mapped and unmapped. Documentation/queues.rst, "Queue management".
 */
#ifndef _VGPU_KIQ_H_
#define _VGPU_KIQ_H_

#include <linux/mutex.h>

#include "vgpu_mqd.h"

/**
 * struct vgpu_kiq - the queue
 * @q: ring and place; its ring has no jobs
 * @lock: one request at a time; guards @seq. Taken in the path of fences: nothing
 *        under it allocates
 * @select_lock: guards what GRBM_GFX_CNTL selects, and the registers that are seen
 *               through it; inside all other locks
 * @slot: write-back slot of the numbers of requests
 * @seq: number of the last request
 */
struct vgpu_kiq {
	struct vgpu_mec_ring q;
	struct mutex lock;		/* see above */
	struct mutex select_lock;	/* see above */
	u32 slot;
	u32 seq;
};

/* May sleep, allocate nothing; -ENODEV, -ETIMEDOUT: the queue is no more until a reset. */
int vgpu_kiq_map(struct vgpu_ring *ring);
int vgpu_kiq_unmap(struct vgpu_ring *ring);

#endif
