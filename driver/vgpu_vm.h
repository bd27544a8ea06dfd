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
#include <linux/types.h>
#include <linux/xarray.h>

#include <drm/drm_gpuvm.h>
#include <drm/gpu_scheduler.h>

#include "vgpu_gmc.h"

struct drm_exec;
struct drm_printer;
struct vgpu_bo;
struct vgpu_device;
struct vgpu_job;
struct vgpu_ring;

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
 * @pasids: struct vgpu_vm by PASID, for fault reports
 * @generation: of all page tables; see vgpu_vm_tables_lost()
 * @update_ring: SDMA ring that writes page tables; NULL: the CPU does
 * @entity: its kernel entity
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
};

struct vgpu_vm;

struct vgpu_vm *vgpu_vm_create(struct vgpu_device *vdev, pid_t pid, const char *comm);
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
/* After a reset: nothing is known to be flushed any more. */
void vgpu_vmid_reset_all(struct vgpu_device *vdev);
/* For fault reports: who has @vmid. False: nobody. */
bool vgpu_vmid_owner(struct vgpu_device *vdev, u32 vmid, pid_t *pid, char *comm);
void vgpu_vm_show(struct vgpu_device *vdev, struct drm_printer *p);

int vgpu_vm_enable_sdma(struct vgpu_device *vdev, struct vgpu_ring *ring);
void vgpu_vm_disable_sdma(struct vgpu_device *vdev);
int vgpu_vm_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif
