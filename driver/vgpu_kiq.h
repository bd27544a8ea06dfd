/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Queues that manage other queues: the kernel's interface queue (KIQ), through which the
 * kernel has its own queues mapped, and what it has in common with the HIQ of
 * vgpu_hws.h. Documentation/queues.rst, "Queue management".
 */
#ifndef _VGPU_KIQ_H_
#define _VGPU_KIQ_H_

#include <linux/mutex.h>

#include "vgpu_mqd.h"

/**
 * struct vgpu_manager - a queue that manages others
 * @q: ring and place; its ring has no jobs
 * @lock: one request at a time; guards @seq. Taken in the path of fences: nothing
 *        under it allocates
 * @slot: write-back slot of the numbers of requests
 * @seq: number of the last request
 */
struct vgpu_manager {
	struct vgpu_mec_ring q;
	struct mutex lock;		/* see above */
	u32 slot;
	u32 seq;
};

/**
 * struct vgpu_kiq - the kernel's interface queue
 * @mgr: the queue
 * @select_lock: guards what GRBM_GFX_CNTL selects, and the registers that are seen
 *               through it; inside all other locks
 */
struct vgpu_kiq {
	struct vgpu_manager mgr;
	struct mutex select_lock;	/* see above */
};

struct vgpu_ring_funcs;

/* Memory and ring of a managing queue; sw_init and sw_fini. */
int vgpu_manager_init(struct vgpu_device *vdev, struct vgpu_manager *mgr, u8 pipe, u8 queue,
		      const struct vgpu_ring_funcs *funcs, u32 doorbell, const char *name);
void vgpu_manager_fini(struct vgpu_device *vdev, struct vgpu_manager *mgr);
/* Packets that have taken effect when it returns 0. May sleep, allocates nothing. */
int vgpu_manager_run(struct vgpu_device *vdev, struct vgpu_manager *mgr, const u32 *dw, u32 ndw);
int vgpu_manager_test_ring(struct vgpu_ring *ring);
void vgpu_manager_show_state(struct vgpu_ring *ring, struct drm_printer *p);

/* May sleep, allocate nothing; -ENODEV, -ETIMEDOUT: the queue is no more until a reset. */
int vgpu_kiq_map(struct vgpu_ring *ring, u32 engine);
int vgpu_kiq_unmap(struct vgpu_ring *ring);
void vgpu_kiq_stop_queue(struct vgpu_ring *ring);

#endif
