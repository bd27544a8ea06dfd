/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * /dev/kfd: the interface of the HSA runtime, by <linux/kfd_ioctl.h>. One file for
 * all dies, and for each process that opens it an object bound to its memory.
 * Documentation/queues.rst, "/dev/kfd".
 */
#ifndef _VGPU_KFD_H_
#define _VGPU_KFD_H_

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/idr.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct dma_buf;
struct dma_fence;
struct dma_resv;
struct file;
struct vm_area_struct;
struct vgpu_bo;
struct vgpu_device;
struct vgpu_kfd_window;
struct vgpu_vm;

/* Apertures of all GFX9 parts; of each, the first 4 GiB are used. */
#define VGPU_KFD_LDS_BASE	0x1000000000000ull
#define VGPU_KFD_SCRATCH_BASE	0x2000000000000ull

#define VGPU_KFD_DOORBELLS	1024	/* of 64 bits, that a process has on a die */
#define VGPU_KFD_SDMA_SLOTS	40	/* user queues of all SDMA engines */

#define VGPU_KFD_DOORBELL_BYTES	(VGPU_KFD_DOORBELLS * sizeof(u64))

/*
 * Offsets of mmap() on /dev/kfd: what is mapped in [63:62], the gpu_id of the die in
 * [61:46], as amdkfd has them.
 */
#define VGPU_KFD_MMAP_MMIO	(0ull << 62)
#define VGPU_KFD_MMAP_DOORBELL	(3ull << 62)
#define VGPU_KFD_MMAP_TYPE_MASK	(3ull << 62)
#define VGPU_KFD_MMAP_GPU_ID(gpu_id)	((u64)(gpu_id) << 46)
#define VGPU_KFD_MMAP_GET_GPU_ID(offset)	((u32)((offset) >> 46) & 0xffff)

/**
 * struct vgpu_kfd_device - what processes have of a die
 * @slices: IDs of parts of the doorbell BAR that are in use; 0 is the kernel's
 * @vram_used: bytes of VRAM that they may have at the same time
 * @gtt_used: bytes of its GART aperture
 * @sdma_lock: guards @sdma
 * @sdma: rings of SDMA engines that are taken
 */
struct vgpu_kfd_device {
	struct ida slices;
	atomic64_t vram_used, gtt_used;
	spinlock_t sdma_lock;		/* see above */
	DECLARE_BITMAP(sdma, VGPU_KFD_SDMA_SLOTS);
};

/**
 * struct vgpu_kfd_vm - an address space that a process has acquired
 * @node: in vgpu_kfd_process.vms
 * @vdev: of this die
 * @file: the open render node that it belongs to, referenced: keeps the rest
 * @gpu_id: of the die, also when that is gone
 * @mems: memory of the process on the die, by the lower half of its handle
 * @window: doorbells and the page that flushes HDP
 * @hws: the process' queues on the die
 * @doorbells: that queues have, of the process' own
 *
 * It stays until the process ends.
 */
struct vgpu_kfd_vm {
	struct list_head node;
	struct vgpu_device *vdev;
	struct file *file;
	u32 gpu_id;
	struct idr mems;
	struct vgpu_kfd_window *window;
	struct vgpu_hws_process hws;
	DECLARE_BITMAP(doorbells, VGPU_KFD_DOORBELLS);
};

/**
 * struct vgpu_kfd_eviction - stops the queues of a process before its buffers move
 * @lock: guards the rest. Under reservations, and nothing under it allocates
 * @context: of the fences
 * @seqno: of the last one
 * @fence: the one that buffers have now
 * @stopped: the queues are off, and have to stay so until all is in place again
 * @ended: nothing is restored any more
 * @stop_work: stops the queues
 * @restore_work: brings all back, and starts them
 */
struct vgpu_kfd_eviction {
	struct mutex lock;		/* see above */
	u64 context;
	u64 seqno;
	struct dma_fence *fence;
	bool stopped;
	bool ended;
	struct work_struct stop_work;
	struct delayed_work restore_work;
};

/**
 * struct vgpu_kfd_events - events of a process
 * @lock: guards the rest, and all events; nothing under it sleeps
 * @idr: struct vgpu_kfd_event by id
 * @page: slots of signal events, of 64 bits; NULL: none yet
 * @page_bo: what they are in, mapped and pinned
 * @wq: woken whenever an event is set, or goes
 */
struct vgpu_kfd_events {
	spinlock_t lock;		/* see above */
	struct idr idr;
	u64 *page;
	struct vgpu_bo *page_bo;
	wait_queue_head_t wq;
};

/**
 * struct vgpu_kfd_process - a process that has /dev/kfd open
 * @node: in the list of all processes
 * @users: open files; under the lock of that list
 * @mm: its memory, kept by @mn: nobody else gets the same pointer
 * @mn: tells when the memory goes
 * @pasid: its name in interrupts of all dies
 * @lock: guards @dead, @vms and @queues; taken where memory is torn down
 * @dead: its memory is gone: no file does anything any more
 * @vms: struct vgpu_kfd_vm, one a die at most; more may come until the process ends,
 *       none goes before
 * @queues: struct vgpu_kfd_queue by id
 * @events: events
 * @window_lock: guards @windows; taken under the mmap lock, unlike @lock
 * @windows: struct vgpu_kfd_window
 * @eviction: keeps buffers where the queues use them
 */
struct vgpu_kfd_process {
	struct list_head node;
	unsigned int users;
	struct mm_struct *mm;
	struct mmu_notifier mn;
	u32 pasid;
	struct mutex lock;		/* see above */
	bool dead;
	struct list_head vms;
	struct idr queues;
	struct vgpu_kfd_events events;
	struct mutex window_lock;	/* see above */
	struct list_head windows;
	struct vgpu_kfd_eviction eviction;
};

/* vgpu_kfd.c */
int vgpu_kfd_module_init(void);
void vgpu_kfd_module_exit(void);

/* vgpu_kfd_process.c: of the caller, made when it is the first file; may sleep */
struct vgpu_kfd_process *vgpu_kfd_process_get(void);
void vgpu_kfd_process_put(struct vgpu_kfd_process *p);
bool vgpu_kfd_process_is_current(struct vgpu_kfd_process *p);
int vgpu_kfd_acquire_vm(struct vgpu_kfd_process *p, void *data);
/* It is there as long as @kvm. */
struct vgpu_vm *vgpu_kfd_space(struct vgpu_kfd_vm *kvm);
/* Under a spinlock; see vgpu_kfd_process.c */
typedef void (*vgpu_kfd_process_func)(struct vgpu_kfd_process *p, void *arg);
void vgpu_kfd_with_process(u32 pasid, vgpu_kfd_process_func func, void *arg);
void vgpu_kfd_with_processes(vgpu_kfd_process_func func, void *arg);

/* vgpu_kfd_memory.c: the ioctls, with their arguments; the rest with the process locked */
void vgpu_kfd_device_init(struct vgpu_device *vdev);
int vgpu_kfd_memory_begin(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm);
void vgpu_kfd_memory_end(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm);
int vgpu_kfd_find_vm(struct vgpu_kfd_process *p, u32 gpu_id, struct vgpu_kfd_vm **out);
struct vgpu_bo *vgpu_kfd_memory_pin(struct vgpu_kfd_process *p, u64 handle, u64 size, void **cpu);
int vgpu_kfd_alloc_memory(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_free_memory(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_map_memory(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_unmap_memory(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_dmabuf_info(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_import_dmabuf(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_export_dmabuf(struct vgpu_kfd_process *p, void *data);

/* vgpu_kfd_doorbell.c */
struct vgpu_kfd_window *vgpu_kfd_window_open(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm);
void vgpu_kfd_window_close(struct vgpu_kfd_process *p, struct vgpu_kfd_window *w);
/* Have the doorbells of a process on a die; 0, -ENOSPC, -ENOMEM. Any number of times. */
int vgpu_kfd_doorbell_alloc(struct vgpu_kfd_vm *kvm);
/* The first of them in dwords of the BAR, as vgpu_doorbell() counts */
u32 vgpu_kfd_doorbell_first(struct vgpu_kfd_vm *kvm);
int vgpu_kfd_mmap(struct vgpu_kfd_process *p, struct vm_area_struct *vma);

/* vgpu_kfd_evict.c */
extern struct workqueue_struct *vgpu_kfd_wq;	/* in the path of fences */
int vgpu_kfd_evict_module_init(void);
void vgpu_kfd_evict_module_exit(void);
void vgpu_kfd_eviction_init(struct vgpu_kfd_process *p);
void vgpu_kfd_eviction_end(struct vgpu_kfd_process *p);
void vgpu_kfd_eviction_fini(struct vgpu_kfd_process *p);
struct dma_fence *vgpu_kfd_eviction_fence(struct vgpu_kfd_process *p);
/* Stop all of a process until its memory is in place; NULL: nothing. Under any reservation. */
void vgpu_kfd_stop_queues(struct vgpu_kfd_process *p);
void vgpu_kfd_stop_queues_soon(struct vgpu_kfd_process *p);	/* any context */
bool vgpu_kfd_is_eviction(struct dma_fence *fence);
void vgpu_kfd_forget_evictions(struct dma_resv *resv);

/*
 * The part that runs queues has these. In the path of fences: they allocate nothing, and
 * take no reservation. One at a time, in turns: all queues off, as if taken off by
 * time-slicing; and on again. False: some are not off before a reset.
 */
bool vgpu_kfd_queues_evict(struct vgpu_kfd_process *p);
void vgpu_kfd_queues_restore(struct vgpu_kfd_process *p);

/* vgpu_kfd_event.c: the ioctls, with their arguments */
void vgpu_kfd_events_init(struct vgpu_kfd_events *events);
void vgpu_kfd_events_end(struct vgpu_kfd_events *events);
void vgpu_kfd_events_fini(struct vgpu_kfd_events *events);
int vgpu_kfd_create_event(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_destroy_event(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_set_event(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_reset_event(struct vgpu_kfd_process *p, void *data);
int vgpu_kfd_wait_events(struct vgpu_kfd_process *p, void *data);
/* IH thread: a queue of a process has something to say, or has gone too far. */
void vgpu_kfd_signal(u32 pasid, u32 id, unsigned int bits);
void vgpu_kfd_memory_fault(struct vgpu_device *vdev, u32 pasid, u64 addr, bool write, bool exec,
			   bool present);
void vgpu_kfd_reset_done(struct vgpu_device *vdev, bool memory_lost);

#endif
