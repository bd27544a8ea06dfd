// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * How entries get into page tables: by the CPU before the engines are up, then
 * by SDMA, which can write them out one by one (WRITE), generate a run (PTEPDE),
 * or copy what the CPU has staged (COPY). Documentation/memory.rst, "Address
 * spaces".
 */
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>

#include <hw/pte.h>

#include "vgpu.h"

/* Room for one full table that is staged, and as much again for packets. */
#define UPDATE_IB_DW		2048u
/* Packet sizes: WRITE has a header of four dwords, then two an entry. */
#define UPDATE_WRITE_DW(n)	(4 + 2 * (n))
/* What the padding of an IB may take. */
#define UPDATE_PAD_DW		8u

static int vgpu_update_new_job(struct vgpu_vm_update *u)
{
	struct vgpu_vm_manager *mgr = &u->vm->vdev->vm_manager;
	struct vgpu_job *job;
	int ret;

	job = vgpu_job_alloc(mgr->update_ring, &mgr->entity, NULL, 1, u->vm);
	if (IS_ERR(job))
		return PTR_ERR(job);
	ret = vgpu_ib_get(u->vm->vdev, UPDATE_IB_DW * 4, &job->ibs[0]);
	if (ret) {
		vgpu_job_free(job);
		return ret;
	}
	u->job = job;
	u->stage_dw = 0;
	return 0;
}

static void vgpu_update_submit(struct vgpu_vm_update *u)
{
	struct vgpu_job *job = u->job;

	u->job = NULL;
	if (!job->ibs[0].length_dw) {
		vgpu_job_free(job);
		return;
	}
	dma_fence_put(u->fence);
	u->fence = vgpu_job_submit(job);
}

/* Have @dw dwords for packets and @stage_dw for entries. */
static int vgpu_update_reserve(struct vgpu_vm_update *u, u32 dw, u32 stage_dw)
{
	struct vgpu_ib *ib = &u->job->ibs[0];

	if (ib->length_dw + dw + u->stage_dw + stage_dw + UPDATE_PAD_DW <= ib->capacity_dw)
		return 0;
	/* Jobs of the entity run in order, so the dependencies of the first do for all. */
	vgpu_update_submit(u);
	return vgpu_update_new_job(u);
}

/*
 * Those of its jobs, or of moves only; not that queues of its process may be running,
 * who are not waited for: they see the update when it comes.
 */
static int vgpu_update_wait_for(struct vgpu_vm_update *u, enum dma_resv_usage usage)
{
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	int ret;

	dma_resv_for_each_fence(&cursor, vgpu_vm_resv(u->vm), usage, fence) {
		if (vgpu_kfd_is_eviction(fence))
			continue;
		if (u->job)
			ret = drm_sched_job_add_dependency(&u->job->base, dma_fence_get(fence));
		else
			ret = dma_fence_wait(fence, false);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * vgpu_update_begin() - start to write page tables
 * @vm: whose, reserved
 * @after_all_jobs: entries that jobs may be using change: wait for all that were
 *                  submitted; else only for moves of buffers
 *
 * May sleep. Return: the update, to be committed or aborted, or an ERR_PTR().
 */
struct vgpu_vm_update *vgpu_update_begin(struct vgpu_vm *vm, bool after_all_jobs)
{
	enum dma_resv_usage usage = after_all_jobs ? DMA_RESV_USAGE_BOOKKEEP :
						     DMA_RESV_USAGE_KERNEL;
	struct vgpu_vm_manager *mgr = &vm->vdev->vm_manager;
	struct vgpu_vm_update *u;
	int ret;

	/* For the fence of the update. */
	ret = dma_resv_reserve_fences(vgpu_vm_resv(vm), 1);
	if (ret)
		return ERR_PTR(ret);

	u = kmalloc(sizeof(*u), GFP_KERNEL);
	if (!u)
		return ERR_PTR(-ENOMEM);
	u->vm = vm;
	u->job = NULL;
	u->fence = NULL;
	u->num = 0;
	u->cpu = false;
	u->tlb = NULL;
	if (vm->kfd) {
		u->tlb = vgpu_tlb_fence_alloc();
		if (!u->tlb) {
			kfree(u);
			return ERR_PTR(-ENOMEM);
		}
	}

	down_read(&mgr->update_lock);
	if (mgr->update_ring && mgr->update_ring->ready) {
		ret = vgpu_update_new_job(u);
		if (!ret)
			ret = vgpu_update_wait_for(u, usage);
		if (!ret)
			return u;
		goto err_job;
	}

	/* The CPU can only wait. */
	ret = vgpu_update_wait_for(u, DMA_RESV_USAGE_BOOKKEEP);
	if (!ret && !vgpu_hw_enter(vm->vdev, &u->hw_idx))
		ret = -ENODEV;
	u->cpu = true;
	if (!ret)
		return u;

err_job:
	if (u->job)
		vgpu_job_free(u->job);
	up_read(&mgr->update_lock);
	kfree(u->tlb);
	kfree(u);
	return ERR_PTR(ret);
}

/**
 * vgpu_update_depend() - wait until moves of a buffer are done
 * @u: the update, nothing written yet
 * @resv: reservation of the buffer, held
 *
 * Return: 0 or a negative error.
 */
int vgpu_update_depend(struct vgpu_vm_update *u, struct dma_resv *resv)
{
	long left;

	if (!u->cpu)
		return drm_sched_job_add_resv_dependencies(&u->job->base, resv,
							   DMA_RESV_USAGE_KERNEL);
	left = dma_resv_wait_timeout(resv, DMA_RESV_USAGE_KERNEL, false, MAX_SCHEDULE_TIMEOUT);
	return left < 0 ? left : 0;
}

static u64 pt_mc_addr(struct vgpu_vm_update *u, u32 idx)
{
	return u->vm->vdev->gmc.vram_start + u->pt->offset + idx * 8;
}

/*
 * Entries from @i on with the same flags, the addresses of which grow by the same
 * step, in @incr.
 */
static u32 vgpu_update_run(const struct vgpu_vm_update *u, u32 i, u32 *incr)
{
	const u64 *val = u->val;
	u64 step;
	u32 n = 1;

	*incr = 0;
	if (i + 1 == u->num || val[i + 1] < val[i])
		return 1;
	step = val[i + 1] - val[i];
	if (step & ~VGPU_PTE_ADDR_MASK || step > U32_MAX)
		return 1;
	while (i + n < u->num && val[i + n] == val[i] + n * step)
		n++;
	*incr = step;
	return n;
}

/*
 * The shortest form: a run that the engine can generate takes 10 dwords however
 * long it is; one or two entries are shorter written out; where memory is
 * scattered so that there are many of both, copying is the shortest.
 */
static int vgpu_update_flush(struct vgpu_vm_update *u)
{
	u32 i, n, dw = 0, copy_dw = VGPU_SDMA_COPY_DW + 2 * u->num;
	struct vgpu_ib *ib;
	u32 incr;
	int ret;

	if (!u->num)
		return 0;

	if (u->cpu) {
		void __iomem *pt = u->vm->vdev->mman.aper + u->pt->offset;

		for (i = 0; i < u->num; i++)
			writeq(u->val[i], pt + (u->first + i) * 8);
		u->num = 0;
		return 0;
	}

	for (i = 0; i < u->num; i += n) {
		n = vgpu_update_run(u, i, &incr);
		dw += min(UPDATE_WRITE_DW(n), VGPU_SDMA_PTEPDE_DW);
	}

	if (dw > copy_dw) {
		u32 stage;

		ret = vgpu_update_reserve(u, VGPU_SDMA_COPY_DW, 2 * u->num);
		if (ret)
			return ret;
		ib = &u->job->ibs[0];
		u->stage_dw += 2 * u->num;
		/* From the end, below what is staged already. */
		stage = ib->capacity_dw - u->stage_dw;
		for (i = 0; i < u->num; i++) {
			ib->ptr[stage + 2 * i] = lower_32_bits(u->val[i]);
			ib->ptr[stage + 2 * i + 1] = upper_32_bits(u->val[i]);
		}
		vgpu_sdma_emit_copy(ib, ib->gpu_addr + stage * 4, pt_mc_addr(u, u->first),
				    u->num * 8);
		u->num = 0;
		return 0;
	}

	ret = vgpu_update_reserve(u, dw, 0);
	if (ret)
		return ret;
	ib = &u->job->ibs[0];
	for (i = 0; i < u->num; i += n) {
		u64 addr = u->val[i] & VGPU_PTE_ADDR_MASK;
		u64 flags = u->val[i] & ~VGPU_PTE_ADDR_MASK;
		u64 pe = pt_mc_addr(u, u->first + i);

		n = vgpu_update_run(u, i, &incr);
		if (UPDATE_WRITE_DW(n) < VGPU_SDMA_PTEPDE_DW)
			vgpu_sdma_emit_write_pte(ib, pe, addr, n, incr, flags);
		else
			vgpu_sdma_emit_ptepde(ib, pe, addr, n, incr, flags);
	}
	u->num = 0;
	return 0;
}

/**
 * vgpu_update_entry() - write an entry
 * @u: the update
 * @pt: table
 * @idx: entry
 * @val: its value
 *
 * Entries that follow each other are gathered. May sleep.
 * Return: 0 or a negative error.
 */
int vgpu_update_entry(struct vgpu_vm_update *u, struct vgpu_pt *pt, u32 idx, u64 val)
{
	int ret;

	if (u->num && (u->pt != pt || u->first + u->num != idx)) {
		ret = vgpu_update_flush(u);
		if (ret)
			return ret;
	}
	if (!u->num) {
		u->pt = pt;
		u->first = idx;
	}
	u->val[u->num++] = val;
	return 0;
}

/**
 * vgpu_update_zero() - clear a table
 * @u: the update
 * @pt: table
 *
 * May sleep. Return: 0 or a negative error.
 */
int vgpu_update_zero(struct vgpu_vm_update *u, struct vgpu_pt *pt)
{
	struct vgpu_device *vdev = u->vm->vdev;
	int ret;

	ret = vgpu_update_flush(u);
	if (ret)
		return ret;

	if (u->cpu) {
		memset_io(vdev->mman.aper + pt->offset, 0, VGPU_PT_BYTES);
		return 0;
	}
	ret = vgpu_update_reserve(u, VGPU_SDMA_FILL_DW, 0);
	if (ret)
		return ret;
	vgpu_sdma_emit_fill(&u->job->ibs[0], vdev->gmc.vram_start + pt->offset, 0, VGPU_PT_BYTES);
	return 0;
}

static void vgpu_update_end(struct vgpu_vm_update *u)
{
	struct vgpu_device *vdev = u->vm->vdev;

	if (u->cpu) {
		vgpu_hdp_flush(vdev);
		if (u->vm->kfd)
			vgpu_gmc_flush_user_tlbs(vdev);
		vgpu_hw_exit(u->hw_idx);
	}
	if (u->job)
		vgpu_job_free(u->job);
	up_read(&vdev->vm_manager.update_lock);
	dma_fence_put(u->fence);
	kfree(u->tlb);
	kfree(u);
}

/**
 * vgpu_update_commit() - all is said
 * @u: the update, consumed
 *
 * Jobs that are bound from now on (vgpu_vm_job_bind()) wait for it and flush their
 * TLB. May sleep. Return: 0; on error nothing is known about the tables.
 */
int vgpu_update_commit(struct vgpu_vm_update *u)
{
	struct vgpu_vm *vm = u->vm;
	int ret;

	ret = vgpu_update_flush(u);
	if (ret) {
		vgpu_update_abort(u);
		return ret;
	}

	if (!u->cpu)
		vgpu_update_submit(u);
	if (u->cpu) {
		dma_fence_put(vm->last_update);
		vm->last_update = NULL;
	} else if (u->fence) {
		if (u->tlb) {
			u->fence = vgpu_tlb_fence_start(u->tlb, vm, u->fence);
			u->tlb = NULL;
		}
		/* Keeps the tables' memory; nobody else need wait for it. */
		dma_resv_add_fence(vgpu_vm_resv(vm), u->fence, DMA_RESV_USAGE_BOOKKEEP);
		dma_fence_put(vm->last_update);
		vm->last_update = dma_fence_get(u->fence);
	}
	vm->tlb_seq++;
	vgpu_update_end(u);
	return 0;
}

/**
 * vgpu_update_abort() - give up
 * @u: the update, consumed
 *
 * Part of it may have been written.
 */
void vgpu_update_abort(struct vgpu_vm_update *u)
{
	/* What was submitted keeps the tables too. */
	if (u->fence)
		dma_resv_add_fence(vgpu_vm_resv(u->vm), u->fence, DMA_RESV_USAGE_BOOKKEEP);
	vgpu_update_end(u);
}
