/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Rings: memory that the GPU reads packets from, and the small table of
 * functions in which GFX and SDMA differ. IBs, and jobs made of them.
 * Documentation/submission.rst.
 */
#ifndef _VGPU_RING_H_
#define _VGPU_RING_H_

#include <linux/ktime.h>
#include <linux/mutex.h>
#include <drm/drm_suballoc.h>
#include <drm/gpu_scheduler.h>

#include "vgpu_fence.h"

struct vgpu_bo;
struct vgpu_ctx;
struct vgpu_device;
struct vgpu_fpriv;
struct vgpu_job;
struct vgpu_ring;
struct vgpu_vm;

#define VGPU_WB_SLOTS	128

/**
 * struct vgpu_wb - one page the GPU writes read pointers and fences to
 * @bo: GTT, GART-bound, kernel-mapped
 * @gpu_addr: MC address of slot 0
 * @cpu: the slots, 8 bytes each
 * @used: which are taken; by vgpu_wb_get() and vgpu_wb_put()
 */
struct vgpu_wb {
	struct vgpu_bo *bo;
	u64 gpu_addr;
	__le64 *cpu;
	DECLARE_BITMAP(used, VGPU_WB_SLOTS);
};

int vgpu_wb_init(struct vgpu_device *vdev);
void vgpu_wb_fini(struct vgpu_device *vdev);
int vgpu_wb_get(struct vgpu_device *vdev, u32 *slot);
void vgpu_wb_put(struct vgpu_device *vdev, u32 slot);

/**
 * struct vgpu_ib_pool - kernel IBs, suballocated from one GTT buffer
 * @bo: the buffer
 * @sa: who has which piece
 * @gpu_addr: MC address
 * @cpu: the same place
 */
struct vgpu_ib_pool {
	struct vgpu_bo *bo;
	struct drm_suballoc_manager sa;
	u64 gpu_addr;
	u32 *cpu;
};

/**
 * struct vgpu_ib - an indirect buffer
 * @sa: kernel IBs: where it was cut from; NULL for a user's
 * @ptr: CPU view of a kernel IB
 * @gpu_addr: in the job's address space (VMID 0 for kernel jobs)
 * @length_dw: dwords to execute
 * @capacity_dw: dwords a kernel IB has room for
 * @flags: AMDGPU_IB_FLAG_*
 */
struct vgpu_ib {
	struct drm_suballoc *sa;
	u32 *ptr;
	u64 gpu_addr;
	u32 length_dw;
	u32 capacity_dw;
	u32 flags;
};

/* May sleep. The suballocation is freed when @fence signals (NULL: at once). */
int vgpu_ib_get(struct vgpu_device *vdev, u32 bytes, struct vgpu_ib *ib);
void vgpu_ib_free(struct vgpu_ib *ib, struct dma_fence *fence);

/* What emit_fence does beside writing the low half of the number. */
#define VGPU_FENCE_64BIT	BIT(0)	/* the high half too */
#define VGPU_FENCE_IRQ		BIT(1)	/* interrupt when it is written */

/**
 * struct vgpu_ring_funcs - in what rings differ
 * @hw_ip: AMDGPU_HW_IP_*
 * @align_mask: WPTR is padded to a multiple of this + 1 dwords
 * @nop: a one-dword filler
 * @ib_align_dw: the length of kernel IBs is padded to a multiple
 * @max_ibs: of one submission
 * @max_dw_frame: a job's frame without its IBs, dwords
 * @ib_dw: dwords that @emit_ib needs at most
 * @mmhub: addresses go through the MM hub
 * @get_rptr: what the hardware has read, dwords, modulo the ring
 * @set_wptr: tell it ring->wptr by the doorbell
 * @emit_ib: enter an IB
 * @emit_fence: write @seq, VGPU_FENCE_* beside
 * @emit_vm_flush: page directory of a VMID, and forget translations
 * @emit_hdp_flush: what the CPU wrote to VRAM becomes visible
 * @emit_begin: first of a frame behind the flushes; may be NULL
 * @emit_end: last of a frame; may be NULL
 * @insert_nop: @count dwords of filler
 * @pad_ib: fill a kernel IB up
 * @test_ring: by one packet
 * @test_ib: by an IB and its fence; @timeout in jiffies. NULL: it has no jobs
 * @start: program hardware that is stopped or was reset, and let it fetch, from
 *         RPTR == WPTR == 0
 * @stop: fetch no more; the device may be gone
 * @reset: stop, forget what is in the ring, start again at RPTR == WPTR == 0;
 *         under the ring's lock
 * @decode: one line a packet, from RPTR on; no allocation
 * @decode_at: the same of @ndw dwords from @at on
 * @show_state: registers that say where a hung ring stands
 *
 * Emitters write to the ring between vgpu_ring_alloc() and vgpu_ring_commit();
 * each has a fixed upper size, the sum of which is @max_dw_frame plus @ib_dw
 * for each IB.
 */
struct vgpu_ring_funcs {
	u32 hw_ip;
	u32 align_mask;
	u32 nop;
	u32 ib_align_dw;
	u32 max_ibs;
	u32 max_dw_frame;
	u32 ib_dw;
	bool mmhub;

	u64 (*get_rptr)(struct vgpu_ring *ring);
	void (*set_wptr)(struct vgpu_ring *ring);
	void (*emit_ib)(struct vgpu_ring *ring, struct vgpu_job *job, struct vgpu_ib *ib);
	void (*emit_fence)(struct vgpu_ring *ring, u64 addr, u64 seq, u32 flags);
	void (*emit_vm_flush)(struct vgpu_ring *ring, u32 vmid, u64 pd_addr);
	void (*emit_hdp_flush)(struct vgpu_ring *ring);
	void (*emit_begin)(struct vgpu_ring *ring);
	void (*emit_end)(struct vgpu_ring *ring);
	void (*insert_nop)(struct vgpu_ring *ring, u32 count);
	void (*pad_ib)(struct vgpu_ring *ring, struct vgpu_ib *ib);
	int (*test_ring)(struct vgpu_ring *ring);
	int (*test_ib)(struct vgpu_ring *ring, long timeout);
	int (*start)(struct vgpu_ring *ring);
	void (*stop)(struct vgpu_ring *ring);
	int (*reset)(struct vgpu_ring *ring);
	void (*decode)(struct vgpu_ring *ring, struct drm_printer *p);
	void (*decode_at)(struct vgpu_ring *ring, u64 at, u32 ndw, struct drm_printer *p);
	void (*show_state)(struct vgpu_ring *ring, struct drm_printer *p);
};

/**
 * struct vgpu_ring - one ring
 * @vdev: the die
 * @funcs: in what it differs from others
 * @name: for messages and fences
 * @idx: in vdev->rings[]
 * @instance: number among the rings of its kind: of the SDMA engine
 * @trace: its number in the device's trace, VGPU_TRACE_QUEUE_*
 * @lock: orders writers (scheduler, kernel-direct submission); held from
 *        vgpu_ring_alloc() to vgpu_ring_commit(). Taken in the fence
 *        signalling path: nothing under it allocates
 * @push_lock: kernel jobs, from arm to push; nothing under it allocates
 * @bo: its memory
 * @cpu: the same, mapped
 * @gpu_addr: the same, MC address
 * @size_dw: power of two
 * @wptr: next dword to write, counts up without wrapping
 * @wptr_start: where the running allocation begins
 * @wptr_end: where it ends
 * @doorbell: dword index
 * @rptr_slot: write-back slot of the read pointer
 * @wptr_slot: slot with a copy of the write pointer, which the hardware can be
 *             told to poll
 * @fence_slot: write-back slot of fence numbers
 * @dead: the hardware takes nothing more (unplug, failed test or recovery); set
 *        under @lock
 * @fault_at: GPU clock of the last interrupt that said that the hardware halted on
 *            an error
 * @rewound: GPU clock when the ring was last made empty: an error from before is
 *           of a packet that is gone. Recovery's, like @stopped
 * @ready: it passed its tests; jobs to another get -ENODEV, -EIO or -EINVAL
 * @stopped: recovery has stopped the scheduler, its list of jobs is recovery's; like
 *           @hung of the die's ordered queue
 * @hung: job that hung it beyond what its own reset can mend; NULL: none
 * @test_ring_time: how long the ring test took
 * @test_ib_time: how long the IB test took
 * @sched: its scheduler, one hardware queue
 * @num_jobs: jobs for it that are not freed yet
 * @fence_drv: fences that its hardware signals
 */
struct vgpu_ring {
	struct vgpu_device *vdev;
	const struct vgpu_ring_funcs *funcs;
	char name[16];
	u32 idx;
	u32 instance;
	u32 trace;

	struct mutex lock;		/* see above */
	struct mutex push_lock;		/* see above */
	struct vgpu_bo *bo;
	u32 *cpu;
	u64 gpu_addr;
	u32 size_dw;
	u64 wptr;
	u64 wptr_start, wptr_end;
	u32 doorbell;
	u32 rptr_slot, wptr_slot, fence_slot;
	bool dead;
	atomic64_t fault_at;
	u64 rewound;
	bool ready;
	bool stopped;
	struct vgpu_job *hung;
	ktime_t test_ring_time, test_ib_time;

	struct drm_gpu_scheduler sched;
	atomic_t num_jobs;
	struct vgpu_fence_driver fence_drv;
};

int vgpu_ring_init(struct vgpu_device *vdev, struct vgpu_ring *ring,
		   const struct vgpu_ring_funcs *funcs, u32 size_dw, const char *name);
void vgpu_ring_fini(struct vgpu_ring *ring);
/* Waits for room (bounded); -ETIMEDOUT: the GPU does not consume. May sleep. */
int vgpu_ring_alloc(struct vgpu_ring *ring, u32 ndw);
void vgpu_ring_write(struct vgpu_ring *ring, u32 dw);
void vgpu_ring_commit(struct vgpu_ring *ring);
void vgpu_ring_undo(struct vgpu_ring *ring);
/* Ring test, IB test, with the time each took; sets ready. */
int vgpu_ring_test(struct vgpu_ring *ring);
/* hw_fini: stop it, and complete with -ENODEV what it has not done. May sleep. */
void vgpu_ring_stop(struct vgpu_ring *ring);
/* Around a reset of the die; resume fails when the ring does not pass its test. */
void vgpu_ring_suspend(struct vgpu_ring *ring);
int vgpu_ring_resume(struct vgpu_ring *ring);
/* Once more for hardware that was stopped or reset: nothing is in the ring. */
void vgpu_ring_rewind(struct vgpu_ring *ring);
/* Value that the hardware wrote back to @slot. */
u64 vgpu_wb_read(struct vgpu_device *vdev, u32 slot);
/* Until it is @val. 0, -ENODEV, -ETIMEDOUT; may sleep. */
int vgpu_wb_wait(struct vgpu_device *vdev, u32 slot, u32 val, u64 timeout_us);
/* The interrupt says that the ring halted on an error: recover it at once. */
void vgpu_ring_fault(struct vgpu_ring *ring, u64 timestamp);
/* Has it halted on an error of what is in it now? */
bool vgpu_ring_faulted(const struct vgpu_ring *ring);

/**
 * struct vgpu_job - a unit of work for the scheduler of one ring
 * @base: the scheduler's part
 * @ring: the ring it runs on
 * @vm: address space, NULL for kernel jobs (VMID 0); referenced
 * @vmid: assigned by vgpu_vmid_grab() in prepare_job
 * @pd_addr: page directory, with flags, as the hub's register wants it
 * @need_flush: emit_vm_flush goes before the IBs; set by vgpu_vmid_grab()
 * @tlb_seq: page-table changes up to this one are seen by the job; set, with
 *           @vm_generation, by vgpu_vm_job_bind()
 * @vm_generation: of the page tables; when it is over the job must not run
 * @fence: for the ring to signal, until it is emitted and becomes @hw_fence
 * @hw_fence: the ring fence once it ran; it survives a recovery of the ring
 * @error: what vgpu_vmid_grab() gave: the job must not run
 * @uf_addr: MC address of the user fence, 0: none
 * @uf_seq: what is written there
 * @ctx: context, NULL for kernel jobs; referenced
 * @pid: process that submitted it
 * @comm: its name
 * @t_ioctl: for vgpu_path: the ioctl was entered
 * @t_sched: for vgpu_path: run_job was called
 * @num_ibs: of @ibs
 * @ibs: what it executes
 */
struct vgpu_job {
	struct drm_sched_job base;
	struct vgpu_ring *ring;
	struct vgpu_vm *vm;
	u32 vmid;
	u64 pd_addr;
	bool need_flush;
	u64 tlb_seq;
	u64 vm_generation;
	struct vgpu_fence *fence;
	struct dma_fence *hw_fence;
	int error;
	u64 uf_addr, uf_seq;
	struct vgpu_ctx *ctx;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	ktime_t t_ioctl, t_sched;
	u32 num_ibs;
	struct vgpu_ib ibs[] __counted_by(num_ibs);
};

/*
 * Jobs (vgpu_job.c). Kernel jobs: vgpu_job_alloc(NULL vm), vgpu_ib_get() into
 * ibs[0], fill, vgpu_job_submit() gives the finished fence. Both submits pad the
 * kernel IBs (vgpu_ib_get() leaves room for that beyond what was asked) and free
 * them with the fence. Kernel jobs (page tables, buffer moves) that a ring's
 * recovery finds behind the guilty one are run again, never dropped: buffers and
 * address spaces depend on them.
 *
 * @entity NULL: for vgpu_job_submit_direct(). Gives the job or an ERR_PTR.
 */
struct vgpu_job *vgpu_job_alloc(struct vgpu_ring *ring, struct drm_sched_entity *entity,
				struct vgpu_vm *vm, u32 num_ibs, void *owner);
/* Consumes the job; returns its finished fence (a reference for the caller). */
struct dma_fence *vgpu_job_submit(struct vgpu_job *job);
/* For a job that was not submitted. */
void vgpu_job_free(struct vgpu_job *job);
/*
 * IB tests: straight to the ring, no scheduler. Consumes the job; returns the
 * hardware fence or an ERR_PTR.
 */
struct dma_fence *vgpu_job_submit_direct(struct vgpu_job *job);
/* A recovered ring runs the job again, with the fence it had. */
int vgpu_job_emit_again(struct vgpu_job *job);

static inline struct vgpu_job *to_vgpu_job(struct drm_sched_job *base)
{
	return container_of(base, struct vgpu_job, base);
}

int vgpu_sched_init(struct vgpu_ring *ring);
void vgpu_sched_fini(struct vgpu_ring *ring);

/* vgpu_reset.c */
int vgpu_reset_init(struct vgpu_device *vdev);
void vgpu_reset_fini(struct vgpu_device *vdev);

/* vgpu_decode.c: one line a packet of @ndw dwords that begin at @at in the ring. */
void vgpu_decode_pm4(struct vgpu_ring *ring, u64 at, u32 ndw, struct drm_printer *p);
void vgpu_decode_sdma(struct vgpu_ring *ring, u64 at, u32 ndw, struct drm_printer *p);
const char *vgpu_decode_pm4_name(u32 header);
const char *vgpu_decode_sdma_name(u32 op);

/*
 * SDMA packet emitters into an IB (vgpu_sdma_packets.c), for buffer moves and
 * page tables; sizes in bytes.
 */
#define VGPU_SDMA_MAX_COPY	0x400000u	/* bytes a COPY packet may move, or a fill write */
#define VGPU_SDMA_COPY_DW	7
#define VGPU_SDMA_FILL_DW	5
#define VGPU_SDMA_PTEPDE_DW	10
#define VGPU_SDMA_WRITE_PTE_DW(count)	(4 + 2 * (count))
void vgpu_sdma_emit_copy(struct vgpu_ib *ib, u64 src, u64 dst, u32 bytes);
void vgpu_sdma_emit_fill(struct vgpu_ib *ib, u64 dst, u32 value, u32 bytes);
/* WRITE: @count 64-bit entries @addr, @addr + @incr, ... | @flags, as data. */
void vgpu_sdma_emit_write_pte(struct vgpu_ib *ib, u64 pe, u64 addr, u32 count, u32 incr,
			      u64 flags);
/* PTEPDE: the engine generates the same run. */
void vgpu_sdma_emit_ptepde(struct vgpu_ib *ib, u64 pe, u64 addr, u32 count, u32 incr, u64 flags);

int vgpu_cs_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_cs_wait_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_cs_wait_fences_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_cs_fence_to_handle_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_ctx_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_bo_list_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int vgpu_sched_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
void vgpu_ctx_fini_file(struct vgpu_fpriv *fpriv);	/* at file close */

#endif
