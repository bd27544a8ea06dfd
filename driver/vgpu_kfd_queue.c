// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Queues of /dev/kfd: what a program says about its ring is checked, gets a descriptor
 * and a doorbell, and goes to the hardware scheduler of the die.
 * Documentation/queues.rst, "User queues".
 */
#include <linux/kfd_ioctl.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/amdgpu_drm.h>

#include <hw/doorbell.h>
#include <hw/mqd.h>
#include <hw/reg/gc.h>

#include "vgpu.h"
#include "vgpu_kfd_queue.h"

#define QUEUE_MIN_RING		1024
#define QUEUE_ADDR_ALIGN	256	/* of rings and buffers of events, in registers */
#define QUEUE_MAX_PERCENTAGE	100
#define QUEUE_MAX_PRIORITY	15

/* Of queue_percentage: the rest names a die of a partition, which there is none of. */
#define QUEUE_PERCENTAGE_MASK	0xff

/* The first two engines are for the host, the others for xGMI, as amdkfd has it. */
#define QUEUE_SDMA_ENGINES	2

/* 64-bit doorbells of a 4 KiB page; those of engines are in both pages of a process. */
#define QUEUE_DOORBELL_MIRROR	512

/* Shaders may access memory unaligned; without XNACK they do not retry after a fault. */
#define QUEUE_ALIGNMENT_UNALIGNED	3
#define QUEUE_SH_MEM_CONFIG \
	(REG_FIELD_PREP(SH_MEM_CONFIG, ALIGNMENT_MODE, QUEUE_ALIGNMENT_UNALIGNED) | \
	 SH_MEM_CONFIG__RETRY_DISABLE_MASK)
#define QUEUE_SH_MEM_BASES \
	(REG_FIELD_PREP(SH_MEM_BASES, SHARED_BASE, VGPU_KFD_LDS_BASE >> 48) | \
	 REG_FIELD_PREP(SH_MEM_BASES, PRIVATE_BASE, VGPU_KFD_SCRATCH_BASE >> 48))

static const u32 queue_sdma_doorbell[VGPU_MAX_SDMA] = {
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE0,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE1,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE2,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE3,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE4,
};

static bool queue_is_xgmi(const struct vgpu_kfd_queue *q)
{
	return q->type == KFD_IOC_QUEUE_TYPE_SDMA_XGMI;
}

/* ------------------------------------------------------------ what it is given */

/* Of the rings of SDMA engines there is one for each queue: they do not take turns. */
static int queue_take_sdma(struct vgpu_kfd_queue *q)
{
	struct vgpu_kfd_device *die = &q->kvm->vdev->kfd;
	u32 have = q->kvm->vdev->info.num_sdma;
	u32 host = min_t(u32, have, QUEUE_SDMA_ENGINES);
	u32 engines = queue_is_xgmi(q) ? have - host : host;
	u32 first = queue_is_xgmi(q) ? QUEUE_SDMA_ENGINES : 0;
	u32 num = engines * VGPU_HWS_SDMA_QUEUES;

	if (!engines)
		return -ENOMEM;
	spin_lock(&die->sdma_lock);
	q->sdma_slot = find_next_zero_bit(die->sdma, first * VGPU_HWS_SDMA_QUEUES + num,
					  first * VGPU_HWS_SDMA_QUEUES);
	if (q->sdma_slot < first * VGPU_HWS_SDMA_QUEUES + num)
		__set_bit(q->sdma_slot, die->sdma);
	spin_unlock(&die->sdma_lock);
	if (q->sdma_slot >= first * VGPU_HWS_SDMA_QUEUES + num)
		return -ENOMEM;
	/* One on each engine, then the second ones. */
	q->hws.sdma = first + (q->sdma_slot - first * VGPU_HWS_SDMA_QUEUES) % engines;
	return 0;
}

static void queue_put_sdma(struct vgpu_kfd_queue *q)
{
	struct vgpu_kfd_device *die = &q->kvm->vdev->kfd;

	spin_lock(&die->sdma_lock);
	__clear_bit(q->sdma_slot, die->sdma);
	spin_unlock(&die->sdma_lock);
}

/* Doorbells that belong to engines, in both pages, are no compute queue's. */
static bool queue_doorbell_reserved(u32 index)
{
	index %= QUEUE_DOORBELL_MIRROR;
	return index >= AMDGPU_VEGA20_DOORBELL64_FIRST_NON_CP &&
	       index <= AMDGPU_VEGA20_DOORBELL_MAX_ASSIGNMENT;
}

/* Return: of the process' own doorbells, or one behind the last. */
static u32 queue_find_doorbell(const struct vgpu_kfd_queue *q)
{
	const unsigned long *used = q->kvm->doorbells;
	u32 first, i;

	if (q->hws.sdma != VGPU_HWS_COMPUTE) {
		first = queue_sdma_doorbell[q->hws.sdma];
		for (i = 0; i < VGPU_HWS_SDMA_QUEUES; i++) {
			u32 index = first + i % 2 * QUEUE_DOORBELL_MIRROR + i / 2;

			if (!test_bit(index, used))
				return index;
		}
		return VGPU_KFD_DOORBELLS;
	}
	for_each_clear_bit(i, used, VGPU_KFD_DOORBELLS) {
		if (!queue_doorbell_reserved(i))
			return i;
	}
	return VGPU_KFD_DOORBELLS;
}

static int queue_take_doorbell(struct vgpu_kfd_queue *q)
{
	int ret;

	ret = vgpu_kfd_doorbell_alloc(q->kvm);
	if (ret)
		return ret == -ENOSPC ? -ENOMEM : ret;
	q->doorbell = queue_find_doorbell(q);
	if (q->doorbell == VGPU_KFD_DOORBELLS)
		return -EBUSY;
	__set_bit(q->doorbell, q->kvm->doorbells);
	q->hws.doorbell = vgpu_kfd_doorbell_first(q->kvm) +
			  VGPU_DOORBELL_DWORD_OFFSET(q->doorbell);
	return 0;
}

static int queue_make_mqd(struct vgpu_kfd_queue *q)
{
	/* A fixed size: what an engine stores beyond its registers is part of it. */
	q->bo = vgpu_bo_create_kernel(q->kvm->vdev, VGPU_MQD_DWORDS * sizeof(u32),
				      AMDGPU_GEM_DOMAIN_GTT, &q->hws.mqd_addr, &q->mqd);
	return PTR_ERR_OR_ZERO(q->bo);
}

static bool queue_is_to_run(const struct vgpu_kfd_queue *q)
{
	return q->ring_size && q->ring_addr && q->percentage;
}

/* -------------------------------------------------------------- the arguments */

/* What may be changed about a queue */
struct queue_ring {
	u64 addr;
	u64 size;
	u32 percentage;
	u32 priority;
};

static int queue_check_ring(struct queue_ring *ring)
{
	ring->percentage &= QUEUE_PERCENTAGE_MASK;
	if (ring->percentage > QUEUE_MAX_PERCENTAGE || ring->priority > QUEUE_MAX_PRIORITY)
		return -EINVAL;
	if (ring->addr && !access_ok(u64_to_user_ptr(ring->addr), sizeof(u32)))
		return -EFAULT;
	if (!IS_ALIGNED(ring->addr, QUEUE_ADDR_ALIGN))
		return -EINVAL;
	if (ring->size && (!is_power_of_2(ring->size) || ring->size > U32_MAX))
		return -EINVAL;
	if (ring->size && ring->size < QUEUE_MIN_RING)
		ring->size = QUEUE_MIN_RING;
	return 0;
}

static void queue_set_ring(struct vgpu_kfd_queue *q, const struct queue_ring *ring)
{
	q->ring_addr = ring->addr;
	q->ring_size = ring->size;
	q->percentage = ring->percentage;
	q->priority = ring->priority;
	q->hws.active = queue_is_to_run(q);
}

static int queue_check_args(const struct kfd_ioctl_create_queue_args *args)
{
	if (!access_ok(u64_to_user_ptr(args->read_pointer_address), sizeof(u32)) ||
	    !access_ok(u64_to_user_ptr(args->write_pointer_address), sizeof(u32)))
		return -EFAULT;
	if (args->eop_buffer_address &&
	    !access_ok(u64_to_user_ptr(args->eop_buffer_address), sizeof(u32)))
		return -EFAULT;
	if (args->ctx_save_restore_address &&
	    !access_ok(u64_to_user_ptr(args->ctx_save_restore_address), sizeof(u32)))
		return -EFAULT;
	/* In packets and registers the lower bits mean something else. */
	if (!IS_ALIGNED(args->read_pointer_address, sizeof(u32)) ||
	    !IS_ALIGNED(args->write_pointer_address, sizeof(u64)) ||
	    !IS_ALIGNED(args->eop_buffer_address, QUEUE_ADDR_ALIGN))
		return -EINVAL;
	if (args->ctl_stack_size > args->ctx_save_restore_size ||
	    args->eop_buffer_size > U32_MAX ||
	    (args->eop_buffer_size && !is_power_of_2(args->eop_buffer_size)))
		return -EINVAL;
	switch (args->queue_type) {
	case KFD_IOC_QUEUE_TYPE_COMPUTE:
	case KFD_IOC_QUEUE_TYPE_COMPUTE_AQL:
	case KFD_IOC_QUEUE_TYPE_SDMA:
	case KFD_IOC_QUEUE_TYPE_SDMA_XGMI:
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

static bool queue_is_mapped(struct vgpu_vm *vm, u64 addr)
{
	return drm_gpuva_find_first(&vm->base, addr, sizeof(u32));
}

/* What the queue needs is mapped now. What is unmapped later faults. */
static int queue_check_mapped(const struct vgpu_kfd_queue *q)
{
	struct vgpu_vm *vm = vgpu_kfd_space(q->kvm);
	int ret = 0;

	dma_resv_lock(vgpu_vm_resv(vm), NULL);
	if (!queue_is_mapped(vm, q->rptr_addr) || !queue_is_mapped(vm, q->hws.wptr_addr) ||
	    (q->ring_addr && !queue_is_mapped(vm, q->ring_addr)) ||
	    (q->eop_addr && !queue_is_mapped(vm, q->eop_addr)))
		ret = -EINVAL;
	dma_resv_unlock(vgpu_vm_resv(vm));
	return ret;
}

static bool queue_tables_lost(struct vgpu_kfd_vm *kvm)
{
	struct vgpu_vm *vm = vgpu_kfd_space(kvm);
	bool lost;

	dma_resv_lock(vgpu_vm_resv(vm), NULL);
	lost = vgpu_vm_is_lost(vm);
	dma_resv_unlock(vgpu_vm_resv(vm));
	return lost;
}

/* ------------------------------------------------------------------ the ioctls */

static void queue_free(struct vgpu_kfd_queue *q)
{
	vgpu_bo_free_kernel(q->bo);
	if (q->hws.sdma != VGPU_HWS_COMPUTE)
		queue_put_sdma(q);
	__clear_bit(q->doorbell, q->kvm->doorbells);
	kfree(q);
}

static struct vgpu_kfd_queue *queue_alloc(struct vgpu_kfd_vm *kvm,
					  const struct kfd_ioctl_create_queue_args *args,
					  const struct queue_ring *ring)
{
	bool sdma = args->queue_type == KFD_IOC_QUEUE_TYPE_SDMA ||
		    args->queue_type == KFD_IOC_QUEUE_TYPE_SDMA_XGMI;
	struct vgpu_kfd_queue *q;
	int ret;

	q = kzalloc(sizeof(*q), GFP_KERNEL_ACCOUNT);
	if (!q)
		return ERR_PTR(-ENOMEM);
	q->kvm = kvm;
	q->type = args->queue_type;
	q->rptr_addr = args->read_pointer_address;
	q->hws.wptr_addr = args->write_pointer_address;
	q->hws.sdma = VGPU_HWS_COMPUTE;
	q->eop_addr = args->eop_buffer_address;
	q->eop_size = args->eop_buffer_size;
	q->ctx_addr = args->ctx_save_restore_address;
	q->ctx_size = args->ctx_save_restore_size;
	q->ctl_stack_size = args->ctl_stack_size;
	queue_set_ring(q, ring);
	ret = queue_check_mapped(q);
	if (ret)
		goto free;

	if (sdma) {
		ret = queue_take_sdma(q);
		if (ret)
			goto free;
	}
	ret = queue_take_doorbell(q);
	if (ret)
		goto put_sdma;
	ret = queue_make_mqd(q);
	if (ret)
		goto put_doorbell;
	vgpu_kfd_mqd_fill(q);
	return q;

put_doorbell:
	__clear_bit(q->doorbell, kvm->doorbells);
put_sdma:
	if (sdma)
		queue_put_sdma(q);
free:
	kfree(q);
	return ERR_PTR(ret);
}

/* The process is locked. */
static int queue_create(struct vgpu_kfd_process *p, struct kfd_ioctl_create_queue_args *args,
			const struct queue_ring *ring)
{
	struct vgpu_kfd_queue *q;
	struct vgpu_kfd_vm *kvm;
	int id, ret;

	ret = vgpu_kfd_find_vm(p, args->gpu_id, &kvm);
	if (ret)
		return ret;
	q = queue_alloc(kvm, args, ring);
	if (IS_ERR(q))
		return PTR_ERR(q);

	id = idr_alloc(&p->queues, q, 0, VGPU_KFD_MAX_QUEUES, GFP_KERNEL_ACCOUNT);
	if (id < 0) {
		ret = -ENOMEM;
		goto free;
	}
	q->id = id;
	/* It begins when the tables are there again. */
	if (queue_tables_lost(kvm))
		vgpu_kfd_stop_queues(p);
	ret = vgpu_hws_add_queue(kvm->vdev, &kvm->hws, &q->hws);
	if (ret)
		goto remove;

	args->queue_id = id;
	args->doorbell_offset = VGPU_KFD_MMAP_DOORBELL | VGPU_KFD_MMAP_GPU_ID(kvm->gpu_id) |
				VGPU_DOORBELL_BYTE_OFFSET(q->doorbell);
	return 0;

remove:
	idr_remove(&p->queues, id);
free:
	queue_free(q);
	return ret;
}

/**
 * vgpu_kfd_create_queue() - AMDKFD_IOC_CREATE_QUEUE
 * @p: the process
 * @data: struct kfd_ioctl_create_queue_args
 *
 * Return: 0; -EINVAL: no such die, a size, priority or percentage that cannot be, or what
 * it needs is not mapped; -ENODEV: no address space of the die is acquired; -EFAULT: no
 * address of a process; -EOPNOTSUPP: no such type; -ENOMEM: also for too many queues of
 * the process or of SDMA engines; -EPERM: too many of the die; -EBUSY: no doorbell is left;
 * -EIO: the die was reset under the process; -ENODEV.
 */
int vgpu_kfd_create_queue(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_create_queue_args *args = data;
	struct queue_ring ring = {
		.addr = args->ring_base_address,
		.size = args->ring_size,
		.percentage = args->queue_percentage,
		.priority = args->queue_priority,
	};
	int ret;

	ret = queue_check_ring(&ring);
	if (!ret)
		ret = queue_check_args(args);
	if (ret)
		return ret;
	mutex_lock(&p->lock);
	ret = p->dead ? -EBADF : queue_create(p, args, &ring);
	mutex_unlock(&p->lock);
	return ret;
}

/* It is off. */
static void queue_change(struct vgpu_hws_queue *hws, void *arg)
{
	struct vgpu_kfd_queue *q = container_of(hws, struct vgpu_kfd_queue, hws);
	const struct queue_ring *ring = arg;

	if (ring)
		queue_set_ring(q, ring);
	vgpu_kfd_mqd_update(q);
}

/**
 * vgpu_kfd_update_queue() - AMDKFD_IOC_UPDATE_QUEUE
 * @p: the process
 * @data: struct kfd_ioctl_update_queue_args
 *
 * Return: 0; -EINVAL: a size, priority or percentage that cannot be; -EFAULT: no such
 * queue, as amdkfd says it, or no address of a process; -EIO, -ENODEV.
 */
int vgpu_kfd_update_queue(struct vgpu_kfd_process *p, void *data)
{
	const struct kfd_ioctl_update_queue_args *args = data;
	struct queue_ring ring = {
		.addr = args->ring_base_address,
		.size = args->ring_size,
		.percentage = args->queue_percentage,
		.priority = args->queue_priority,
	};
	struct vgpu_kfd_queue *q;
	int ret;

	ret = queue_check_ring(&ring);
	if (ret)
		return ret;
	mutex_lock(&p->lock);
	q = idr_find(&p->queues, args->queue_id);
	ret = q ? vgpu_hws_change_queue(q->kvm->vdev, &q->kvm->hws, &q->hws, queue_change, &ring) :
		  -EFAULT;
	mutex_unlock(&p->lock);
	return ret;
}

static void queue_destroy(struct vgpu_kfd_process *p, struct vgpu_kfd_queue *q)
{
	vgpu_hws_remove_queue(q->kvm->vdev, &q->kvm->hws, &q->hws);
	idr_remove(&p->queues, q->id);
	queue_free(q);
}

int vgpu_kfd_destroy_queue(struct vgpu_kfd_process *p, void *data)
{
	const struct kfd_ioctl_destroy_queue_args *args = data;
	struct vgpu_kfd_queue *q;

	mutex_lock(&p->lock);
	q = idr_find(&p->queues, args->queue_id);
	if (q)
		queue_destroy(p, q);
	mutex_unlock(&p->lock);
	return q ? 0 : -EINVAL;
}

/**
 * vgpu_kfd_set_cu_mask() - AMDKFD_IOC_SET_CU_MASK
 * @p: the process
 * @data: struct kfd_ioctl_set_cu_mask_args
 *
 * Return: 0; -EINVAL: not whole dwords, or none; -EFAULT: no such queue, as amdkfd says it,
 * or no memory of the process; -EIO, -ENODEV.
 */
int vgpu_kfd_set_cu_mask(struct vgpu_kfd_process *p, void *data)
{
	const struct kfd_ioctl_set_cu_mask_args *args = data;
	u32 mask[VGPU_KFD_MAX_CU_MASK / 32];
	struct vgpu_kfd_queue *q;
	u32 num = args->num_cu_mask;
	int ret = -EFAULT;

	if (!num || num % 32)
		return -EINVAL;
	num = min_t(u32, num, VGPU_KFD_MAX_CU_MASK);
	if (copy_from_user(mask, u64_to_user_ptr(args->cu_mask_ptr), num / 8))
		return -EFAULT;

	mutex_lock(&p->lock);
	q = idr_find(&p->queues, args->queue_id);
	if (q) {
		q->num_cu_mask = num;
		memcpy(q->cu_mask, mask, num / 8);
		ret = vgpu_hws_change_queue(q->kvm->vdev, &q->kvm->hws, &q->hws, queue_change,
					    NULL);
	}
	mutex_unlock(&p->lock);
	return ret;
}

/**
 * vgpu_kfd_get_queue_wave_state() - AMDKFD_IOC_GET_QUEUE_WAVE_STATE
 * @p: the process
 * @data: struct kfd_ioctl_get_queue_wave_state_args
 *
 * There are no waves: nothing is saved. Return: 0; -EFAULT: no such queue, as amdkfd says
 * it; -EINVAL: it may run now, is no compute queue, or has nowhere to save to.
 */
int vgpu_kfd_get_queue_wave_state(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_get_queue_wave_state_args *args = data;
	struct vgpu_kfd_queue *q;
	int ret = 0;

	mutex_lock(&p->lock);
	q = idr_find(&p->queues, args->queue_id);
	if (!q)
		ret = -EFAULT;
	else if (q->hws.sdma != VGPU_HWS_COMPUTE || q->hws.active || !q->ctx_addr)
		ret = -EINVAL;
	mutex_unlock(&p->lock);
	if (ret)
		return ret;
	args->ctl_stack_used_size = 0;
	args->save_area_used_size = 0;
	return 0;
}

/* ---------------------------------------------------------------- all of them */

void vgpu_kfd_queues_end(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm)
{
	struct vgpu_kfd_queue *q;
	int id;

	lockdep_assert_held(&p->lock);
	idr_for_each_entry(&p->queues, q, id) {
		if (q->kvm == kvm)
			queue_destroy(p, q);
	}
}

/* In the path of fences. None is added but by vgpu_kfd_queues_begin(), and none goes. */
static bool queues_evict(struct vgpu_kfd_process *p, bool evict)
{
	struct vgpu_kfd_vm *kvm;
	bool done = true;

	lockdep_assert_held(&p->eviction.lock);
	list_for_each_entry(kvm, &p->vms, node)
		done &= vgpu_hws_evict(kvm->vdev, &kvm->hws, evict);
	return done;
}

bool vgpu_kfd_queues_evict(struct vgpu_kfd_process *p)
{
	return queues_evict(p, true);
}

void vgpu_kfd_queues_restore(struct vgpu_kfd_process *p)
{
	queues_evict(p, false);
}

/**
 * vgpu_kfd_queues_begin() - an address space becomes one of a process, and may have queues
 * @p: the process, locked
 * @kvm: the address space
 *
 * May sleep.
 */
void vgpu_kfd_queues_begin(struct vgpu_kfd_process *p, struct vgpu_kfd_vm *kvm)
{
	struct vgpu_hws_process *process = &kvm->hws;

	process->pasid = p->pasid;
	process->pd_addr = vgpu_kfd_space(kvm)->pd_addr;
	process->sh_mem_config = QUEUE_SH_MEM_CONFIG;
	process->sh_mem_bases = QUEUE_SH_MEM_BASES;
	mutex_lock(&p->eviction.lock);
	vgpu_hws_init_process(process, p->eviction.stopped);
	list_add_tail(&kvm->node, &p->vms);
	mutex_unlock(&p->eviction.lock);
}
