/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Compute queues of the kernel: the hardware queue that each has, and the
 * descriptor (MQD) that it is mapped from. Documentation/queues.rst,
 * "Descriptors".
 */
#ifndef _VGPU_MQD_H_
#define _VGPU_MQD_H_

#include <linux/container_of.h>

#include "vgpu_ring.h"

struct vgpu_bo;
struct vgpu_mqd;

/**
 * struct vgpu_hqd - a hardware queue and the descriptor for it
 * @me: 1 or 2
 * @pipe: of the me
 * @queue: of the pipe
 * @bo: descriptor, and behind it the buffer of end-of-pipe events; in GTT, so that no
 *      reset loses them
 * @mqd: the descriptor
 * @mqd_addr: MC address of it
 * @eop_addr: MC address of the buffer
 */
struct vgpu_hqd {
	u8 me, pipe, queue;
	struct vgpu_bo *bo;
	struct vgpu_mqd *mqd;
	u64 mqd_addr, eop_addr;
};

/**
 * struct vgpu_mec_ring - a ring on a hardware queue
 * @ring: the ring
 * @hqd: its place
 */
struct vgpu_mec_ring {
	struct vgpu_ring ring;
	struct vgpu_hqd hqd;
};

/* Rings of vgpu_kiq.c and vgpu_compute.c only */
static inline struct vgpu_hqd *vgpu_ring_hqd(const struct vgpu_ring *ring)
{
	return (struct vgpu_hqd *)&container_of(ring, struct vgpu_mec_ring, ring)->hqd;
}

/* Number of the hardware queue, as the queue mask of SET_RESOURCES counts */
static inline unsigned int vgpu_hqd_number(const struct vgpu_hqd *hqd)
{
	return hqd->queue + 8 * hqd->pipe + 32 * (hqd->me - 1);
}

int vgpu_hqd_init(struct vgpu_device *vdev, struct vgpu_hqd *hqd, u8 me, u8 pipe, u8 queue);
void vgpu_hqd_fini(struct vgpu_hqd *hqd);
/* Between these two, CP_HQD_* registers are those of @hqd; nobody else selects. May sleep. */
void vgpu_hqd_select(struct vgpu_device *vdev, const struct vgpu_hqd *hqd);
void vgpu_hqd_deselect(struct vgpu_device *vdev);
/* Describe a ring that begins at its start. */
void vgpu_mqd_fill(struct vgpu_ring *ring);
/* By registers: run from the descriptor; take off at once whatever it does. May sleep. */
void vgpu_hqd_load(struct vgpu_device *vdev, const struct vgpu_hqd *hqd);
void vgpu_hqd_drop(struct vgpu_device *vdev, const struct vgpu_hqd *hqd);
bool vgpu_hqd_active(struct vgpu_device *vdev, const struct vgpu_hqd *hqd);
/* Header of the packet that it stands at; @ib: address in its indirect buffer. May sleep. */
u32 vgpu_hqd_where(struct vgpu_device *vdev, const struct vgpu_hqd *hqd, u64 *ib);
void vgpu_hqd_show(struct vgpu_device *vdev, const struct vgpu_hqd *hqd, struct drm_printer *p);

#endif
