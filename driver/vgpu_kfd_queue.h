/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Queues of /dev/kfd: rings that programs own and fill themselves.
 * Documentation/queues.rst, "User queues".
 */
#ifndef _VGPU_KFD_QUEUE_H_
#define _VGPU_KFD_QUEUE_H_

#include <linux/bitmap.h>
#include <linux/kfd_ioctl.h>
#include <linux/types.h>

#include "vgpu_hws.h"

struct vgpu_bo;
struct vgpu_kfd_process;
struct vgpu_kfd_vm;

#define VGPU_KFD_MAX_QUEUES	1024	/* of a process */
#define VGPU_KFD_MAX_CU_MASK	1024	/* bits */

/**
 * struct vgpu_kfd_queue - a queue of a process
 * @hws: the scheduler's part
 * @kvm: address space and die that it is of
 * @id: what the process calls it
 * @type: KFD_IOC_QUEUE_TYPE_*
 * @doorbell: of the process' own
 * @sdma_slot: number among all SDMA queues of the die, of its kind
 * @bo: descriptor, in GTT
 * @mqd: struct vgpu_mqd or struct vgpu_sdma_mqd
 * @ring_addr: of the ring, in the address space of the process
 * @ring_size: bytes
 * @rptr_addr: where the read pointer is reported
 * @eop_addr: buffer of end-of-pipe events
 * @eop_size: bytes of it
 * @ctx_addr: where waves are saved
 * @ctx_size: bytes there
 * @ctl_stack_size: of these, for the control stack
 * @percentage: of the time; 0: it does not run
 * @priority: 0 to 15
 * @num_cu_mask: bits in @cu_mask; 0: all compute units
 * @cu_mask: compute units
 *
 * Under vgpu_kfd_process.lock.
 */
struct vgpu_kfd_queue {
	struct vgpu_hws_queue hws;
	struct vgpu_kfd_vm *kvm;
	int id;
	u32 type;
	u32 doorbell;
	u32 sdma_slot;
	struct vgpu_bo *bo;
	void *mqd;
	u64 ring_addr;
	u32 ring_size;
	u64 rptr_addr;
	u64 eop_addr;
	u32 eop_size;
	u64 ctx_addr;
	u32 ctx_size;
	u32 ctl_stack_size;
	u32 percentage;
	u32 priority;
	u32 num_cu_mask;
	u32 cu_mask[VGPU_KFD_MAX_CU_MASK / 32];
};

/* vgpu_kfd_mqd.c */
void vgpu_kfd_mqd_fill(struct vgpu_kfd_queue *q);
void vgpu_kfd_mqd_update(struct vgpu_kfd_queue *q);

/* vgpu_kfd_queue.c: the ioctls, with their arguments */
int vgpu_kfd_create_queue(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_update_queue(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_destroy_queue(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_set_cu_mask(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_get_queue_wave_state(struct vgpu_kfd_process *p, void *data);
void vgpu_kfd_queues_begin(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm);
/* All queues of an address space, before it goes; the process is locked. */
void vgpu_kfd_queues_end(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm);

#endif
