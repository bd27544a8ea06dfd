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
#include <drm/drm_gpuvm.h>
#include <drm/gpu_scheduler.h>

struct drm_exec;
struct drm_printer;
struct vgpu_bo;
struct vgpu_device;
struct vgpu_job;
struct vgpu_ring;

#define VGPU_VA_START		0x10000ull
#define VGPU_VA_HOLE_START	0x0000800000000000ull
#define VGPU_VA_HOLE_END	0xffff800000000000ull

/**
 * struct vgpu_vm_manager - VMIDs 1 to 15 of a die
 * (0 is the kernel's; 8 and up stay free for user-mode queues)
 */
struct vgpu_vm_manager {
	struct mutex lock;		/* guards id[] and pasids */
	struct vgpu_vmid {
		struct vgpu_vm *owner;	/* not referenced: only compared */
		struct dma_fence *last[2];	/* last user, per hub */
		u64 pd_addr;
		u64 flushed_seq;	/* tlb_seq of the owner at the last flush */
		u32 pasid;
		char comm[TASK_COMM_LEN];
		pid_t pid;
	} id[16];
	struct idr pasids;		/* struct vgpu_vm by PASID, for faults */
	struct drm_sched_entity entity;	/* page-table jobs */
	struct vgpu_ring *update_ring;	/* NULL: the CPU writes page tables */
};

struct vgpu_vm;

struct vgpu_vm *vgpu_vm_create(struct vgpu_device *vdev, pid_t pid, const char *comm);
void vgpu_vm_get(struct vgpu_vm *vm);
void vgpu_vm_put(struct vgpu_vm *vm);
/* At file close: unmaps all; in-flight jobs keep the rest alive. */
void vgpu_vm_close(struct vgpu_vm *vm);
struct dma_resv *vgpu_vm_resv(struct vgpu_vm *vm);

/*
 * For the CS, with the drm_exec loop's locks: lock everything the VM maps (or
 * just its root and always-valid part plus what a BO list names), validate,
 * bring the page tables up to date. @fence: the update a job must wait for.
 */
int vgpu_vm_lock(struct vgpu_vm *vm, struct drm_exec *exec, unsigned int num_fences);
int vgpu_vm_update(struct vgpu_vm *vm, struct drm_exec *exec, struct dma_fence **fence);
void vgpu_vm_resv_add_fence(struct vgpu_vm *vm, struct drm_exec *exec, struct dma_fence *fence);
/* BO bound at @va, with the offset of @va in it; NULL when none. VM reserved. */
struct vgpu_bo *vgpu_vm_lookup(struct vgpu_vm *vm, u64 va, u64 *offset);

/* TTM moved @bo: its mappings are stale and rebuilt before the next job. */
void vgpu_vm_bo_moved(struct vgpu_bo *bo, bool evicted);
/* GEM object closed by a file: its mappings there go. */
void vgpu_vm_bo_close(struct vgpu_vm *vm, struct vgpu_bo *bo);

/*
 * prepare_job: assign job->vmid, pd_addr, need_flush; returns a fence to wait
 * for when all are busy (then called again), NULL when assigned, or ERR_PTR.
 */
struct dma_fence *vgpu_vmid_grab(struct vgpu_job *job);
/* run_job: the job with that VMID is on the ring as @fence. */
void vgpu_vmid_used(struct vgpu_job *job, struct dma_fence *fence);
/* After a reset: nothing is known to be flushed any more. */
void vgpu_vmid_reset_all(struct vgpu_device *vdev);
/* For fault reports: who has @vmid. False: nobody. */
bool vgpu_vmid_owner(struct vgpu_device *vdev, u32 vmid, pid_t *pid, char *comm);
void vgpu_vm_show(struct vgpu_device *vdev, struct drm_printer *p);

int vgpu_vm_enable_sdma(struct vgpu_device *vdev, struct vgpu_ring *ring);
void vgpu_vm_disable_sdma(struct vgpu_device *vdev);
int vgpu_vm_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif
