/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The hardware scheduler (HWS): user queues of all processes, which the command
 * processor runs from a list. Documentation/queues.rst, "User queues".
 */
#ifndef _VGPU_HWS_H_
#define _VGPU_HWS_H_

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "vgpu_kiq.h"

struct vgpu_bo;
struct vgpu_device;
struct vgpu_hws_queue;

/* Address spaces and queues of the first MEC that run lists may use; rings of an engine */
#define VGPU_HWS_NUM_VMIDS	8
#define VGPU_HWS_NUM_HQDS	24
#define VGPU_HWS_SDMA_QUEUES	8

/* Of a die; the first as amdkfd has it, and more than there are doorbell pages */
#define VGPU_HWS_MAX_QUEUES	4096
#define VGPU_HWS_MAX_PROCESSES	512

/**
 * struct vgpu_hws_process - a process on a die
 * @node: in vgpu_hws.processes, when it has a queue
 * @queues: struct vgpu_hws_queue
 * @num_queues: how many
 * @pasid: its name in interrupts
 * @pd_addr: root of its page tables, as the hubs' registers want it
 * @sh_mem_bases: of its apertures
 * @sh_mem_config: how shaders address memory
 * @tba: its trap handler, 0: none
 * @tma: and what that is given
 * @evicted: its memory is not in place: none of its queues runs
 * @lost: the die was reset, or it reached for what is not there: its queues never run again
 *
 * All by vgpu_hws.lock.
 */
struct vgpu_hws_process {
	struct list_head node;
	struct list_head queues;
	unsigned int num_queues;
	u32 pasid;
	u64 pd_addr;
	u32 sh_mem_bases, sh_mem_config;
	u64 tba, tma;
	bool evicted;
	bool lost;
};

/**
 * struct vgpu_hws_queue - a user queue
 * @node: in vgpu_hws_process.queues
 * @mqd_addr: MC address of its descriptor, which is written only while it is off
 * @wptr_addr: of its write pointer, in the address space of the process
 * @doorbell: in dwords of the doorbell BAR
 * @sdma: engine it is for, VGPU_HWS_COMPUTE: none
 * @active: it is to run
 */
struct vgpu_hws_queue {
	struct list_head node;
	u64 mqd_addr;
	u64 wptr_addr;
	u32 doorbell;
	int sdma;
	bool active;
};

#define VGPU_HWS_COMPUTE	(-1)

/**
 * struct vgpu_hws - of a die
 * @hiq: takes the run lists
 * @lock: guards the rest. Taken in the path of fences: nothing under it allocates
 * @processes: struct vgpu_hws_process, in the order they came
 * @num_processes: how many
 * @num_queues: user queues, running or not
 * @ready: the HIQ takes run lists
 * @running: it has one
 * @lost: it did not answer: what ran may run on, until the reset that was asked for
 * @closed: the die is going away: no queue runs any more
 * @bo: the run list
 * @list: its dwords; written only while none runs
 * @list_addr: MC address
 */
struct vgpu_hws {
	struct vgpu_manager hiq;
	struct mutex lock;		/* see above */
	struct list_head processes;
	unsigned int num_processes;
	unsigned int num_queues;
	bool ready;
	bool running;
	bool lost;
	bool closed;
	struct vgpu_bo *bo;
	u32 *list;
	u64 list_addr;
};

/*
 * All may sleep and allocate nothing. When the die does not answer its hive is reset,
 * and no user queue of it runs ever again.
 */
void vgpu_hws_init_process(struct vgpu_hws_process *process, bool evicted);
int vgpu_hws_add_queue(struct vgpu_device *vdev, struct vgpu_hws_process *process,
		       struct vgpu_hws_queue *queue);
void vgpu_hws_remove_queue(struct vgpu_device *vdev, struct vgpu_hws_process *process,
			   struct vgpu_hws_queue *queue);
int vgpu_hws_change_queue(struct vgpu_device *vdev, struct vgpu_hws_process *process,
			  struct vgpu_hws_queue *queue,
			  void (*change)(struct vgpu_hws_queue *queue, void *arg), void *arg);
bool vgpu_hws_evict(struct vgpu_device *vdev, struct vgpu_hws_process *process, bool evict);
/* A queue of it has reached for what is not there. Return: such a process is there. */
bool vgpu_hws_fault(struct vgpu_device *vdev, u32 pasid);
/* No user queue runs any more, for good. Before the die is unplugged. */
void vgpu_hws_close(struct vgpu_device *vdev);
/* A packet of ours was refused. */
void vgpu_hws_bad_packet(struct vgpu_device *vdev, const char *what);
bool vgpu_hws_is_hiq(struct vgpu_device *vdev, u32 ring_id);

#endif
