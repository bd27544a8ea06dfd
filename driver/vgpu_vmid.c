// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * VMIDs: the few slots of the hubs that page tables are hooked into. Address
 * spaces take turns on them, and a job flushes the TLB when its slot has not
 * seen the newest entries. Documentation/memory.rst, "VMIDs".
 */
#include <linux/slab.h>

#include <drm/amdgpu_drm.h>

#include <hw/reg/oss.h>

#include "vgpu.h"

static u32 vmid_of(struct vgpu_vm_manager *mgr, struct vgpu_vmid *id)
{
	return id - mgr->id;
}

/* A job that has not finished uses it. Return: one such, or NULL. */
static struct dma_fence *vgpu_vmid_busy(struct vgpu_vmid *id)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(id->last); i++) {
		if (!id->last[i])
			continue;
		if (!dma_fence_is_signaled(id->last[i]))
			return id->last[i];
		dma_fence_put(id->last[i]);
		id->last[i] = NULL;
	}
	return NULL;
}

/* Nobody knows what the TLBs and the base registers hold for it. */
static void vgpu_vmid_forget(struct vgpu_vmid *id)
{
	unsigned int hub;

	for (hub = 0; hub < VGPU_NUM_HUBS; hub++) {
		id->hub[hub].flushed_seq = 0;
		dma_fence_put(id->hub[hub].flush);
		id->hub[hub].flush = NULL;
	}
}

/* Interrupts of both hubs carry the PASID that these registers have for a VMID. */
static void vgpu_vmid_set_pasid(struct vgpu_device *vdev, u32 vmid, u32 pasid)
{
	WREG32(OSSSYS, VGPU_REG_N(regIH_VMID_0_LUT, regIH_VMID_1_LUT, vmid), pasid);
	WREG32(OSSSYS, VGPU_REG_N(regIH_VMID_0_LUT_MM, regIH_VMID_1_LUT_MM, vmid), pasid);
}

static void vgpu_vmid_assign(struct vgpu_device *vdev, struct vgpu_vmid *id, struct vgpu_vm *vm)
{
	vgpu_vmid_forget(id);
	id->owner_id = vm->id;
	id->pd_addr = vm->pd_addr;
	id->pasid = vm->pasid;
	id->pid = vm->pid;
	strscpy(id->comm, vm->comm, sizeof(id->comm));
	vgpu_vmid_set_pasid(vdev, vmid_of(&vdev->vm_manager, id), vm->pasid);
}

/* The one that @vm has; NULL: none. */
static struct vgpu_vmid *vgpu_vmid_find(struct vgpu_vm_manager *mgr, struct vgpu_vm *vm)
{
	u32 vmid;

	for (vmid = VGPU_VMID_FIRST; vmid <= VGPU_VMID_LAST; vmid++) {
		if (mgr->id[vmid].owner_id == vm->id)
			return &mgr->id[vmid];
	}
	return NULL;
}

/*
 * The least recently used that nobody uses or keeps. NULL: all are in use, and
 * @wait, a fence of the least recently used, is worth waiting for.
 */
static struct vgpu_vmid *vgpu_vmid_idle(struct vgpu_vm_manager *mgr, struct dma_fence **wait)
{
	struct dma_fence *busy;
	struct vgpu_vmid *id;

	*wait = NULL;
	list_for_each_entry(id, &mgr->lru, lru) {
		if (id->reserved)
			continue;
		busy = vgpu_vmid_busy(id);
		if (!busy)
			return id;
		if (!*wait)
			*wait = busy;
	}
	return NULL;
}

/**
 * vgpu_vmid_grab() - give a job a VMID
 * @job: a job of an address space, bound by vgpu_vm_job_bind(); all else it depends
 *       on is done, and it runs as soon as this returns NULL
 *
 * From prepare_job, the path of a fence: takes a mutex, allocates nothing. The
 * scheduler runs one job of a ring at a time, so that between this and run_job no
 * other job of the ring comes; and it is the finished fence, not that of the
 * hardware, that says when the VMID is free, so it is there already.
 *
 * Return: see vgpu_vm.h.
 */
struct dma_fence *vgpu_vmid_grab(struct vgpu_job *job)
{
	struct vgpu_ring *ring = job->ring;
	struct vgpu_device *vdev = ring->vdev;
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;
	unsigned int hub = ring->funcs->mmhub ? VGPU_MMHUB : VGPU_GCHUB;
	struct dma_fence *wait;
	struct vgpu_vmid *id;

	if (job->vm_generation != atomic64_read(&mgr->generation))
		return ERR_PTR(-ECANCELED);

	mutex_lock(&mgr->lock);
	id = vgpu_vmid_find(mgr, job->vm);
	if (!id) {
		id = vgpu_vmid_idle(mgr, &wait);
		if (!id) {
			dma_fence_get(wait);
			mutex_unlock(&mgr->lock);
			return wait;
		}
		vgpu_vmid_assign(vdev, id, job->vm);
	}

	job->vmid = vmid_of(mgr, id);
	job->pd_addr = id->pd_addr;
	/*
	 * A flush counts when it is for at least what the job must have seen, and
	 * when it is done, or at least before the job in the same ring.
	 */
	job->need_flush = id->hub[hub].flushed_seq < job->tlb_seq ||
			  (id->hub[hub].flush && id->hub[hub].flush_ring != ring->idx &&
			   !dma_fence_is_signaled(id->hub[hub].flush));

	dma_fence_put(id->last[ring->idx]);
	id->last[ring->idx] = dma_fence_get(&job->base.s_fence->finished);
	list_move_tail(&id->lru, &mgr->lru);
	mutex_unlock(&mgr->lock);
	return NULL;
}

/**
 * vgpu_vmid_used() - a job, and the flush it needed, are in the ring
 * @job: the job
 * @fence: when the hardware has done it
 *
 * From run_job. Takes a mutex, allocates nothing.
 */
void vgpu_vmid_used(struct vgpu_job *job, struct dma_fence *fence)
{
	struct vgpu_ring *ring = job->ring;
	struct vgpu_vm_manager *mgr = &ring->vdev->vm_manager;
	unsigned int hub = ring->funcs->mmhub ? VGPU_MMHUB : VGPU_GCHUB;
	struct vgpu_vmid *id = &mgr->id[job->vmid];

	if (!job->vm || !job->need_flush)
		return;

	mutex_lock(&mgr->lock);
	/* A recovery in between has made it nobody's. */
	if (id->owner_id == job->vm->id) {
		id->hub[hub].flushed_seq = job->tlb_seq;
		dma_fence_put(id->hub[hub].flush);
		id->hub[hub].flush = dma_fence_get(fence);
		id->hub[hub].flush_ring = ring->idx;
	}
	mutex_unlock(&mgr->lock);
}

/**
 * vgpu_vmid_reset_all() - the hardware has been reset
 * @vdev: the die
 *
 * The next job of each VMID programs and flushes it again. May sleep.
 */
void vgpu_vmid_reset_all(struct vgpu_device *vdev)
{
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;
	u32 vmid;

	mutex_lock(&mgr->lock);
	for (vmid = VGPU_VMID_FIRST; vmid <= VGPU_VMID_LAST; vmid++) {
		struct vgpu_vmid *id = &mgr->id[vmid];

		vgpu_vmid_forget(id);
		if (id->owner_id)
			vgpu_vmid_set_pasid(vdev, vmid, id->pasid);
	}
	mutex_unlock(&mgr->lock);
}

/**
 * vgpu_vmid_owner() - who has a VMID
 * @vdev: the die
 * @vmid: from an interrupt, any number
 * @pid: his process
 * @comm: its name, TASK_COMM_LEN bytes
 *
 * May sleep. Return: false when nobody has it.
 */
bool vgpu_vmid_owner(struct vgpu_device *vdev, u32 vmid, pid_t *pid, char *comm)
{
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;
	bool found = false;

	if (vmid < VGPU_VMID_FIRST || vmid > VGPU_VMID_LAST)
		return false;

	mutex_lock(&mgr->lock);
	if (mgr->id[vmid].owner_id) {
		*pid = mgr->id[vmid].pid;
		strscpy(comm, mgr->id[vmid].comm, TASK_COMM_LEN);
		found = true;
	}
	mutex_unlock(&mgr->lock);
	return found;
}

/**
 * vgpu_vmid_reserve() - let an address space keep its VMID
 * @vm: the address space
 *
 * So that tools can tell whose it is. At least one stays for all others.
 * May sleep. Return: 0, -ENOMEM when no more can be kept, -EBUSY when all are in
 * use now.
 */
int vgpu_vmid_reserve(struct vgpu_vm *vm)
{
	struct vgpu_vm_manager *mgr = &vm->vdev->vm_manager;
	unsigned int num = 0;
	struct dma_fence *wait;
	struct vgpu_vmid *id;
	int ret = 0;
	u32 vmid;

	mutex_lock(&mgr->lock);
	for (vmid = VGPU_VMID_FIRST; vmid <= VGPU_VMID_LAST; vmid++)
		num += mgr->id[vmid].reserved;

	id = vgpu_vmid_find(mgr, vm);
	if (id && id->reserved)
		goto out;
	if (num >= VGPU_VMID_LAST - VGPU_VMID_FIRST) {
		ret = -ENOMEM;
		goto out;
	}
	if (!id) {
		id = vgpu_vmid_idle(mgr, &wait);
		if (!id) {
			ret = -EBUSY;
			goto out;
		}
		vgpu_vmid_assign(vm->vdev, id, vm);
	}
	id->reserved = true;
out:
	mutex_unlock(&mgr->lock);
	return ret;
}

/**
 * vgpu_vmid_unreserve() - others may have it again
 * @vm: an address space that may have kept a VMID
 *
 * May sleep.
 */
void vgpu_vmid_unreserve(struct vgpu_vm *vm)
{
	struct vgpu_vm_manager *mgr = &vm->vdev->vm_manager;
	struct vgpu_vmid *id;

	mutex_lock(&mgr->lock);
	id = vgpu_vmid_find(mgr, vm);
	if (id)
		id->reserved = false;
	mutex_unlock(&mgr->lock);
}

/**
 * vgpu_vmid_set_process() - an address space has another PASID
 * @vm: the address space
 * @pasid: the PASID
 *
 * May sleep.
 */
void vgpu_vmid_set_process(struct vgpu_vm *vm, u32 pasid)
{
	struct vgpu_vm_manager *mgr = &vm->vdev->vm_manager;
	struct vgpu_vmid *id;

	mutex_lock(&mgr->lock);
	vm->pasid = pasid;
	id = vgpu_vmid_find(mgr, vm);
	if (id) {
		id->pasid = pasid;
		vgpu_vmid_set_pasid(vm->vdev, vmid_of(mgr, id), pasid);
	}
	mutex_unlock(&mgr->lock);
}

/**
 * vgpu_vmid_show() - who has which VMID, for debugfs
 * @vdev: the die
 * @p: where to print
 *
 * May sleep.
 */
void vgpu_vmid_show(struct vgpu_device *vdev, struct drm_printer *p)
{
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;
	u32 vmid;

	mutex_lock(&mgr->lock);
	for (vmid = VGPU_VMID_FIRST; vmid <= VGPU_VMID_LAST; vmid++) {
		struct vgpu_vmid *id = &mgr->id[vmid];

		if (!id->owner_id) {
			drm_printf(p, "vmid %2u: free\n", vmid);
			continue;
		}
		drm_printf(p, "vmid %2u: %s pasid %u pid %d %s", vmid,
			   vgpu_vmid_busy(id) ? "busy" : "idle", id->pasid, id->pid, id->comm);
		drm_printf(p, " pd %#llx flushed gc %llu mm %llu%s\n", id->pd_addr,
			   id->hub[VGPU_GCHUB].flushed_seq, id->hub[VGPU_MMHUB].flushed_seq,
			   id->reserved ? " reserved" : "");
	}
	mutex_unlock(&mgr->lock);
}

void vgpu_vmid_init(struct vgpu_device *vdev)
{
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;
	u32 vmid;

	BUILD_BUG_ON(VGPU_MAX_VM_RINGS != VGPU_MAX_RINGS);

	mutex_init(&mgr->lock);
	INIT_LIST_HEAD(&mgr->lru);
	for (vmid = VGPU_VMID_FIRST; vmid <= VGPU_VMID_LAST; vmid++)
		list_add_tail(&mgr->id[vmid].lru, &mgr->lru);
}

void vgpu_vmid_fini(struct vgpu_device *vdev)
{
	struct vgpu_vm_manager *mgr = &vdev->vm_manager;
	unsigned int i;
	u32 vmid;

	for (vmid = VGPU_VMID_FIRST; vmid <= VGPU_VMID_LAST; vmid++) {
		vgpu_vmid_forget(&mgr->id[vmid]);
		for (i = 0; i < ARRAY_SIZE(mgr->id[vmid].last); i++)
			dma_fence_put(mgr->id[vmid].last[i]);
	}
	mutex_destroy(&mgr->lock);
}
