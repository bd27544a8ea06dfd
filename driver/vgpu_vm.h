/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Address spaces: one a file, GFX9 page tables (PDB2, PDB1, PDB0, PTB) in
 * VRAM, tracked by drm_gpuvm, and the 16 VMIDs they take turns on.
 * Documentation/memory.rst, "Address spaces".
 */
#ifndef _VGPU_VM_H_
#define _VGPU_VM_H_

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_gpuvm.h>
#include <drm/gpu_scheduler.h>

#include "vgpu_gmc.h"

struct drm_device;
struct drm_exec;
struct drm_file;
struct drm_printer;
struct vgpu_bo;
struct vgpu_device;
struct vgpu_job;
struct vgpu_kfd_process;
struct vgpu_ring;
struct vgpu_tlb_fence;

#define VGPU_VA_START		0x10000ull
#define VGPU_VA_HOLE_START	0x0000800000000000ull
#define VGPU_VA_HOLE_END	0xffff800000000000ull

#define VGPU_VA_RESERVED_TOP	0x410000ull	/* as much as amdgpu keeps for itself */
#define VGPU_VA_END		((1ull << 48) - VGPU_VA_RESERVED_TOP)

/* VMIDs that jobs take turns on; 0 is the kernel's, 8 and up are for user-mode queues */
#define VGPU_VMID_FIRST		1
#define VGPU_VMID_LAST		7
#define VGPU_NUM_VMIDS		16

#define VGPU_MAX_VM_RINGS	16	/* VGPU_MAX_RINGS, known before vgpu.h */

/**
 * struct vgpu_vmid - one hardware address-space slot
 * @lru: in vgpu_vm_manager.lru, least recently used first
 * @owner_id: vgpu_vm.id of the address space it holds, 0: none
 * @reserved: kept for @owner_id by AMDGPU_VM_OP_RESERVE_VMID
 * @last: finished fence of the newest job on each ring
 * @hub: per hub, what its TLB was last flushed for, and the fence of that flush
 * @pd_addr: root of its page tables, as the hubs' registers want it
 * @pasid: of the owner
 * @pid: process that opened the owner's file
 * @comm: its name
 */
struct vgpu_vmid {
	struct list_head lru;
	u64 owner_id;
	bool reserved;
	struct dma_fence *last[VGPU_MAX_VM_RINGS];
	struct {
		u64 flushed_seq;
		struct dma_fence *flush;
		u32 flush_ring;
	} hub[VGPU_NUM_HUBS];
	u64 pd_addr;
	u32 pasid;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct vgpu_vm_manager - VMIDs and page-table updates of a die
 * @lock: guards @id and @lru; taken in the fence signalling path, nothing
 *        under it allocates
 * @id: by VMID
 * @lru: those that jobs take turns on, least recently used first
 * @pasids: struct vgpu_vm by PASID, for fault reports
 * @next_id: the last vgpu_vm.id that was given
 * @generation: of all page tables; see vgpu_vm_tables_lost()
 * @update_ring: SDMA ring that writes page tables; NULL: the CPU does
 * @entity: its kernel entity
 * @update_lock: guards @update_ring; held shared while an update is built
 */
struct vgpu_vm_manager {
	struct mutex lock;		/* guards id[] and lru */
	struct vgpu_vmid id[VGPU_NUM_VMIDS];
	struct list_head lru;
	struct xarray pasids;
	atomic64_t next_id;
	atomic64_t generation;
	struct drm_sched_entity entity;
	struct vgpu_ring *update_ring;
	struct rw_semaphore update_lock;
};

/* Entries of a table, each 8 bytes. */
#define VGPU_PT_ENTRIES		512u
#define VGPU_PT_BYTES		(VGPU_PT_ENTRIES * 8)

/**
 * struct vgpu_pt - a page table: PDB2 (the root), PDB1, PDB0 or PTB
 * @node: in vgpu_vm.new_pts or vgpu_vm.dead_pts, else empty
 * @parent: table whose entry @idx leads here; NULL: the root
 * @bo: its page of visible VRAM, pinned, under the reservation of the VM
 * @offset: of the page in VRAM, bytes
 * @idx: entry of @parent
 * @level: VGPU_VM_PDB2 to VGPU_VM_PTB
 * @child: of a directory: the tables below, NULL where there is none
 */
struct vgpu_pt {
	struct list_head node;
	struct vgpu_pt *parent;
	struct vgpu_bo *bo;
	u64 offset;
	u32 idx;
	u32 level;
	struct vgpu_pt *child[];
};

/**
 * struct vgpu_va - a mapping
 * @base: drm_gpuvm's part
 * @flags: of its PTEs that do not depend on where the buffer is: VGPU_PTE_*
 * @state: in vgpu_vm.invalid while its PTEs must be written, in vgpu_vm.freed when
 *         it is gone but PTEs of it may still stand
 * @written: PTEs of it may be there
 * @pending: the running update writes it
 */
struct vgpu_va {
	struct drm_gpuva base;
	u64 flags;
	struct list_head state;
	bool written;
	bool pending;
};

/**
 * struct vgpu_vm_bo - a buffer that an address space may map
 * @base: drm_gpuvm's part
 * @handles: that the file has for it; under the buffer's reservation
 * @userptr: of user memory, in vgpu_vm.userptrs
 */
struct vgpu_vm_bo {
	struct drm_gpuvm_bo base;
	unsigned int handles;
	struct list_head userptr;
};

/**
 * struct vgpu_vm - an address space
 * @base: drm_gpuvm: what is mapped where
 * @vdev: the die
 * @id: never used again
 * @own_pasid: its own name in faults
 * @pasid: the one it has now: of the process that has acquired it. By
 *         vgpu_vm_manager.lock
 * @pid: process that opened the file
 * @comm: its name
 * @root: PDB2
 * @pd_addr: of @root, as the hubs' registers want it
 * @num_pts: tables it has
 * @new_pts: tables that hold garbage and that no entry leads to, parents first
 * @dead_pts: tables that entries may still lead to, freed with the next update
 * @invalid: mappings that must be written, see &struct vgpu_va
 * @freed: mappings that must be cleared
 * @tlb_seq: counts updates, from 1
 * @tlb_context: of the fences that end updates while @kfd is set
 * @kfd: its queues may run at any time, also while the tables are written; NULL: only
 *       jobs do. Written under vgpu_vm_manager.pasids' lock too
 * @last_update: fence of the newest, NULL: it is done
 * @fault: the last page fault of a job, for AMDGPU_INFO_GPUVM_FAULT; by
 *         vgpu_vm_manager.pasids' lock
 * @generation: of vgpu_vm_manager that its tables are of
 * @num_fences: that the running CS asked to reserve
 * @moved: a buffer that it maps has moved since vgpu_vm_lock(); written under the
 *         reservation of that buffer
 * @userptr_lock: guards @userptrs, and may be held while user space handles a fault;
 *                before reservations
 * @userptrs: struct vgpu_vm_bo of user memory, see vgpu_userptr.h
 *
 * All but the constants, @fault and the last two is under its reservation. Life of a
 * mapping: GEM_VA changes the tree of @base and puts mappings on @invalid and
 * @freed; an update, at once or before the next job, brings the page tables up to
 * them. A buffer that moves puts
 * its mappings on @invalid again. No job runs before that is done, and none runs
 * with a TLB from before.
 */
struct vgpu_vm {
	struct drm_gpuvm base;
	struct vgpu_device *vdev;
	u64 id;
	u32 own_pasid;
	u32 pasid;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	struct vgpu_pt *root;
	u64 pd_addr;
	unsigned int num_pts;
	struct list_head new_pts;
	struct list_head dead_pts;
	struct list_head invalid;
	struct list_head freed;
	u64 tlb_seq;
	u64 tlb_context;
	struct vgpu_kfd_process *kfd;
	struct dma_fence *last_update;
	struct drm_amdgpu_info_gpuvm_fault fault;
	u64 generation;
	unsigned int num_fences;
	bool moved;
	struct mutex userptr_lock;	/* see above */
	struct list_head userptrs;
};

static inline struct vgpu_vm *to_vgpu_vm(struct drm_gpuvm *gpuvm)
{
	return container_of(gpuvm, struct vgpu_vm, base);
}

static inline struct vgpu_va *to_vgpu_va(struct drm_gpuva *va)
{
	return container_of(va, struct vgpu_va, base);
}

/**
 * struct vgpu_vm_update - page tables being written
 * @vm: whose
 * @cpu: the CPU writes, not SDMA
 * @job: SDMA job being filled
 * @tlb: the end of an update that queues run beside, else NULL
 * @stage_dw: dwords at the end of its IB that hold entries to copy from
 * @fence: of the last job that was submitted
 * @hw_idx: of vgpu_hw_enter(), for the CPU
 * @pt: table that @val is for
 * @first: entry of @val[0]
 * @num: entries in @val
 * @val: entries that follow each other, not written yet
 */
struct vgpu_vm_update {
	struct vgpu_vm *vm;
	bool cpu;
	struct vgpu_job *job;
	struct vgpu_tlb_fence *tlb;
	u32 stage_dw;
	struct dma_fence *fence;
	int hw_idx;
	struct vgpu_pt *pt;
	u32 first;
	u32 num;
	u64 val[VGPU_PT_ENTRIES];
};

/* vgpu_vm_update.c: how entries get into tables */
struct vgpu_vm_update *vgpu_update_begin(struct vgpu_vm *vm, bool after_all_jobs);
int vgpu_update_depend(struct vgpu_vm_update *u, struct dma_resv *resv);
int vgpu_update_zero(struct vgpu_vm_update *u, struct vgpu_pt *pt);
int vgpu_update_entry(struct vgpu_vm_update *u, struct vgpu_pt *pt, u32 idx, u64 val);
int vgpu_update_commit(struct vgpu_vm_update *u);
void vgpu_update_abort(struct vgpu_vm_update *u);

/* vgpu_tlb_fence.c */
struct vgpu_tlb_fence *vgpu_tlb_fence_alloc(void);
struct dma_fence *vgpu_tlb_fence_start(struct vgpu_tlb_fence *f, struct vgpu_vm *vm,
				       struct dma_fence *update);

/* vgpu_vm_pt.c: which entries say what */
struct vgpu_pt *vgpu_pt_create(struct vgpu_vm *vm, struct vgpu_pt *parent, u32 idx);
void vgpu_pt_free_tree(struct vgpu_vm *vm, struct vgpu_pt *pt);
void vgpu_pt_free_list(struct vgpu_vm *vm, struct list_head *pts);
void vgpu_pt_forget(struct vgpu_vm *vm);
void vgpu_pt_linked(struct vgpu_vm *vm);
int vgpu_pt_prepare_va(struct vgpu_vm *vm, struct vgpu_va *va);
int vgpu_pt_link_new(struct vgpu_vm_update *u);
int vgpu_pt_write_va(struct vgpu_vm_update *u, struct vgpu_va *va);
int vgpu_pt_clear_range(struct vgpu_vm_update *u, u64 start, u64 end);
u64 vgpu_pt_pa(struct vgpu_vm *vm, struct vgpu_pt *pt);

/* vgpu_vmid.c */
void vgpu_vmid_init(struct vgpu_device *vdev);
void vgpu_vmid_fini(struct vgpu_device *vdev);
int vgpu_vmid_reserve(struct vgpu_vm *vm);
void vgpu_vmid_unreserve(struct vgpu_vm *vm);
void vgpu_vmid_set_process(struct vgpu_vm *vm, u32 pasid);
void vgpu_vmid_show(struct vgpu_device *vdev, struct drm_printer *p);

struct vgpu_vm *vgpu_vm_create(struct vgpu_device *vdev, pid_t pid, const char *comm);
/* A process of /dev/kfd has it, 0: has it no more. */
int vgpu_vm_set_process(struct vgpu_vm *vm, u32 pasid);
int vgpu_pasid_alloc(void);
void vgpu_pasid_free(u32 pasid);
void vgpu_vm_get(struct vgpu_vm *vm);
void vgpu_vm_put(struct vgpu_vm *vm);
/* At file close: unmaps all; in-flight jobs keep the rest alive. */
void vgpu_vm_close(struct vgpu_vm *vm);
struct dma_resv *vgpu_vm_resv(struct vgpu_vm *vm);
/* The object that carries it; a reference for the caller. */
struct drm_gem_object *vgpu_vm_get_resv_obj(struct vgpu_vm *vm);

/*
 * For the CS, with the drm_exec loop's locks: lock everything the VM maps (or
 * just its root and always-valid part plus what a BO list names), validate,
 * bring the page tables up to date. @fence: the update a job must wait for.
 */
int vgpu_vm_lock(struct vgpu_vm *vm, struct drm_exec *exec, unsigned int num_fences);
int vgpu_vm_update(struct vgpu_vm *vm, struct drm_exec *exec, struct dma_fence **fence);
/* When the BO list does not fit; then validate it again. */
int vgpu_vm_make_room(struct vgpu_vm *vm);
/*
 * With the locks, after vgpu_vm_update(): what the job must have seen of the
 * page tables. Adds the dependency to the job.
 */
int vgpu_vm_job_bind(struct vgpu_vm *vm, struct vgpu_job *job);
/*
 * The job's finished fence into every buffer the VM maps: its own as a writer,
 * the others to keep their memory (a BO list's are made writers by the CS).
 */
void vgpu_vm_resv_add_fence(struct vgpu_vm *vm, struct drm_exec *exec, struct dma_fence *fence);
/* BO bound at @va, with the offset of @va in it; NULL when none. VM reserved. */
struct vgpu_bo *vgpu_vm_lookup(struct vgpu_vm *vm, u64 va, u64 *offset);

/**
 * struct vgpu_vm_map - a mapping that queues use without asking
 * @bo: the buffer, all of it; the address space has it open
 * @addr: where
 * @flags: VGPU_PTE_*
 * @times: so often in a row, 1 or 2
 */
struct vgpu_vm_map {
	struct vgpu_bo *bo;
	u64 addr;
	u64 flags;
	unsigned int times;
};

/*
 * For /dev/kfd. All may sleep. The mapping is written, or cleared, when vgpu_vm_sync()
 * returns. @keep is a fence that stops the queues before anything moves.
 */
int vgpu_vm_map_now(struct vgpu_vm *vm, const struct vgpu_vm_map *map, struct dma_fence *keep);
int vgpu_vm_unmap_now(struct vgpu_vm *vm, const struct vgpu_vm_map *map);
int vgpu_vm_sync(struct vgpu_vm *vm, bool interruptible);
int vgpu_vm_rewrite(struct vgpu_vm *vm, struct dma_fence *keep);
void vgpu_vm_set_kfd(struct vgpu_vm *vm, struct vgpu_kfd_process *p);
void vgpu_vm_stop_queues(struct vgpu_vm *vm);

/* TTM moved @bo: its mappings are stale and rebuilt before the next job. */
void vgpu_vm_bo_moved(struct vgpu_bo *bo, bool evicted);
/* A file got a handle of the BO. -EPERM: it belongs to another address space. */
int vgpu_vm_bo_open(struct vgpu_vm *vm, struct vgpu_bo *bo);
/* A file lost a handle of it; with the last one its mappings there go. */
void vgpu_vm_bo_close(struct vgpu_vm *vm, struct vgpu_bo *bo);

/*
 * prepare_job: assign job->vmid, pd_addr, need_flush; returns a fence to wait
 * for when all are busy (then called again), NULL when assigned, or
 * ERR_PTR(-ECANCELED) when page tables were lost since the job was made: it must
 * not run and its finished fence gets that error.
 */
struct dma_fence *vgpu_vmid_grab(struct vgpu_job *job);
/* run_job: the job with that VMID is on the ring as @fence. */
void vgpu_vmid_used(struct vgpu_job *job, struct dma_fence *fence);
/*
 * A kernel job failed for good, and may have been a page-table update: called
 * before its fence signals. Every address space is written anew before its next
 * job; jobs that were made before do not run.
 */
void vgpu_vm_tables_lost(struct vgpu_device *vdev);
bool vgpu_vm_is_lost(struct vgpu_vm *vm);
/* After a reset: nothing is known to be flushed any more. */
void vgpu_vmid_reset_all(struct vgpu_device *vdev);
/* A job of an address space, by its PASID, has faulted. May not be in an interrupt. */
void vgpu_vm_note_fault(struct vgpu_device *vdev, u32 pasid, enum vgpu_hub_id hub, u64 addr,
			u32 status);
/* For fault reports: who has @vmid. False: nobody. */
bool vgpu_vmid_owner(struct vgpu_device *vdev, u32 vmid, pid_t *pid, char *comm);
void vgpu_vm_show(struct vgpu_device *vdev, struct drm_printer *p);

int vgpu_vm_enable_sdma(struct vgpu_device *vdev, struct vgpu_ring *ring);
void vgpu_vm_disable_sdma(struct vgpu_device *vdev);
int vgpu_vm_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif
