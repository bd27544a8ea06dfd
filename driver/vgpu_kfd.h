/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * /dev/kfd: the interface of the HSA runtime, by <linux/kfd_ioctl.h>. One file for
 * all dies, and for each process that opens it an object bound to its memory.
 * Documentation/queues.rst, "/dev/kfd".
 */
#ifndef _VGPU_KFD_H_
#define _VGPU_KFD_H_

#include <linux/idr.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

struct file;
struct vgpu_device;
struct vgpu_vm;

/**
 * struct vgpu_kfd_vm - an address space that a process has acquired
 * @node: in vgpu_kfd_process.vms
 * @vdev: of this die
 * @file: the open render node that it belongs to, referenced: keeps the rest
 */
struct vgpu_kfd_vm {
	struct list_head node;
	struct vgpu_device *vdev;
	struct file *file;
};

/**
 * struct vgpu_kfd_events - events of a process
 * @lock: guards the rest, and all events; nothing under it sleeps
 * @idr: struct vgpu_kfd_event by id
 * @num_signals: signal events among them
 * @wq: woken whenever an event is set, or goes
 */
struct vgpu_kfd_events {
	spinlock_t lock;		/* see above */
	struct idr idr;
	unsigned int num_signals;
	wait_queue_head_t wq;
};

/**
 * struct vgpu_kfd_process - a process that has /dev/kfd open
 * @node: in the list of all processes
 * @users: open files; under the lock of that list
 * @mm: its memory, kept by @mn: nobody else gets the same pointer
 * @mn: tells when the memory goes
 * @lock: guards @dead and @vms; taken where memory is torn down
 * @dead: its memory is gone: no file does anything any more
 * @vms: struct vgpu_kfd_vm, one a die at most
 * @events: events
 */
struct vgpu_kfd_process {
	struct list_head node;
	unsigned int users;
	struct mm_struct *mm;
	struct mmu_notifier mn;
	struct mutex lock;		/* see above */
	bool dead;
	struct list_head vms;
	struct vgpu_kfd_events events;
};

/* vgpu_kfd.c */
int vgpu_kfd_module_init(void);
void vgpu_kfd_module_exit(void);

/* vgpu_kfd_process.c: of the caller, made when it is the first file; may sleep */
struct vgpu_kfd_process *vgpu_kfd_process_get(void);
void vgpu_kfd_process_put(struct vgpu_kfd_process *p);
bool vgpu_kfd_process_is_current(struct vgpu_kfd_process *p);
int vgpu_kfd_acquire_vm(struct vgpu_kfd_process *p, void *data);

/* vgpu_kfd_event.c: the ioctls, with their arguments */
void vgpu_kfd_events_init(struct vgpu_kfd_events *events);
void vgpu_kfd_events_fini(struct vgpu_kfd_events *events);
int vgpu_kfd_create_event(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_destroy_event(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_set_event(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_reset_event(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_wait_events(struct vgpu_kfd_process *p, void *data);

#endif
