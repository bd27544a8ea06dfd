// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Descriptors of user queues: what a program says about its queue, as the registers of
 * a hardware queue or of an SDMA ring. Documentation/queues.rst, "User queues".
 */
#include <linux/log2.h>
#include <linux/string.h>

#include <hw/mqd.h>
#include <hw/reg/gc.h>
#include <hw/reg/sdma.h>

#include "vgpu.h"
#include "vgpu_kfd_queue.h"

/* Pieces of shader state that are loaded ahead, and other settings as amdkfd has them */
#define MQD_PRELOAD_SIZE	0x53
#define MQD_RPTR_BLOCK		5
#define MQD_MIN_IB_AVAIL	3
#define MQD_EOP_MAX_ORDER	0xa
#define MQD_SLOT_BASED_WPTR	2
#define MQD_RPTR_TIMER		6

/* Half of the rings' priorities in three parts, low, medium and high */
#define MQD_FIRST_MEDIUM	7
#define MQD_FIRST_HIGH		11

static u32 mqd_pipe_priority(u32 priority)
{
	return (priority >= MQD_FIRST_MEDIUM) + (priority >= MQD_FIRST_HIGH);
}

/* Log2 of dwords, less one, as sizes of rings are */
static u32 mqd_order(u32 bytes)
{
	return order_base_2(bytes / sizeof(u32)) - 1;
}

static void mqd_set(__le32 *field, u32 val)
{
	*field = cpu_to_le32(val);
}

static void mqd_set64(__le32 *lo, __le32 *hi, u64 val)
{
	*lo = cpu_to_le32(lower_32_bits(val));
	*hi = cpu_to_le32(upper_32_bits(val));
}

/* Compute units of each shader engine, bit n of a mask in the n-th of all in turn */
static void mqd_set_cu_mask(struct vgpu_mqd *mqd, const struct vgpu_kfd_queue *q)
{
	__le32 *const se[] = {
		&mqd->compute_static_thread_mgmt_se0, &mqd->compute_static_thread_mgmt_se1,
		&mqd->compute_static_thread_mgmt_se2, &mqd->compute_static_thread_mgmt_se3,
		&mqd->compute_static_thread_mgmt_se4, &mqd->compute_static_thread_mgmt_se5,
		&mqd->compute_static_thread_mgmt_se6, &mqd->compute_static_thread_mgmt_se7,
	};
	u32 mask[ARRAY_SIZE(se)] = { };
	u32 num_se = clamp_t(u32, q->kvm->vdev->info.num_se, 1, ARRAY_SIZE(se));
	u32 i;

	for (i = 0; i < q->num_cu_mask; i++) {
		if (q->cu_mask[i / 32] & BIT(i % 32) && i / num_se < 32)
			mask[i % num_se] |= BIT(i / num_se);
	}
	for (i = 0; i < ARRAY_SIZE(se); i++)
		mqd_set(se[i], q->num_cu_mask ? mask[i] : ~0u);
}

static void mqd_write_compute(struct vgpu_kfd_queue *q)
{
	struct vgpu_mqd *mqd = q->mqd;
	bool aql = q->type == KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;

	mqd_set64(&mqd->cp_hqd_pq_base_lo, &mqd->cp_hqd_pq_base_hi, q->ring_addr >> 8);
	mqd_set(&mqd->cp_hqd_pq_control,
		REG_FIELD_PREP(CP_HQD_PQ_CONTROL, RPTR_BLOCK_SIZE, MQD_RPTR_BLOCK) |
		(q->ring_size ? REG_FIELD_PREP(CP_HQD_PQ_CONTROL, QUEUE_SIZE,
					       mqd_order(q->ring_size)) : 0) |
		(aql ? CP_HQD_PQ_CONTROL__NO_UPDATE_RPTR_MASK |
		       REG_FIELD_PREP(CP_HQD_PQ_CONTROL, SLOT_BASED_WPTR, MQD_SLOT_BASED_WPTR) |
		       CP_HQD_PQ_CONTROL__QUEUE_FULL_EN_MASK |
		       CP_HQD_PQ_CONTROL__WPP_CLAMP_EN_MASK : 0));
	mqd_set(&mqd->cp_hqd_pipe_priority, mqd_pipe_priority(q->priority));
	mqd_set(&mqd->cp_hqd_queue_priority, q->priority);
	mqd_set_cu_mask(mqd, q);
}

static void mqd_fill_compute(struct vgpu_kfd_queue *q)
{
	struct vgpu_mqd *mqd = q->mqd;
	bool aql = q->type == KFD_IOC_QUEUE_TYPE_COMPUTE_AQL;

	mqd_set(&mqd->header, VGPU_MQD_HEADER);
	mqd_set(&mqd->compute_pipelinestat_enable, 1);
	mqd_set(&mqd->cp_hqd_persistent_state,
		CP_HQD_PERSISTENT_STATE__PRELOAD_REQ_MASK |
		REG_FIELD_PREP(CP_HQD_PERSISTENT_STATE, PRELOAD_SIZE, MQD_PRELOAD_SIZE) |
		(q->ctx_addr ? CP_HQD_PERSISTENT_STATE__QSWITCH_MODE_MASK : 0));
	mqd_set(&mqd->cp_mqd_control, CP_MQD_CONTROL__PRIV_STATE_MASK);
	mqd_set64(&mqd->cp_mqd_base_addr_lo, &mqd->cp_mqd_base_addr_hi, q->hws.mqd_addr);
	mqd_set(&mqd->cp_hqd_quantum,
		CP_HQD_QUANTUM__QUANTUM_EN_MASK |
		REG_FIELD_PREP(CP_HQD_QUANTUM, QUANTUM_SCALE, 1) |
		REG_FIELD_PREP(CP_HQD_QUANTUM, QUANTUM_DURATION, 1));
	mqd_set(&mqd->cp_hqd_aql_control,
		aql ? REG_FIELD_PREP(CP_HQD_AQL_CONTROL, CONTROL0, 1) : 0);
	mqd_set64(&mqd->cp_hqd_pq_rptr_report_addr_lo, &mqd->cp_hqd_pq_rptr_report_addr_hi,
		  q->rptr_addr);
	mqd_set64(&mqd->cp_hqd_pq_wptr_poll_addr_lo, &mqd->cp_hqd_pq_wptr_poll_addr_hi,
		  q->hws.wptr_addr);
	mqd_set(&mqd->cp_hqd_pq_doorbell_control,
		REG_FIELD_PREP(CP_HQD_PQ_DOORBELL_CONTROL, DOORBELL_OFFSET, q->hws.doorbell) |
		(aql ? CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_BIF_DROP_MASK : 0));
	mqd_set(&mqd->cp_hqd_ib_control,
		REG_FIELD_PREP(CP_HQD_IB_CONTROL, MIN_IB_AVAIL_SIZE, MQD_MIN_IB_AVAIL));
	mqd_set64(&mqd->cp_hqd_eop_base_addr_lo, &mqd->cp_hqd_eop_base_addr_hi,
		  q->eop_addr >> 8);
	if (q->eop_size)
		mqd_set(&mqd->cp_hqd_eop_control,
			REG_FIELD_PREP(CP_HQD_EOP_CONTROL, EOP_SIZE,
				       min_t(u32, mqd_order(q->eop_size), MQD_EOP_MAX_ORDER)));
	mqd_set64(&mqd->cp_hqd_ctx_save_base_addr_lo, &mqd->cp_hqd_ctx_save_base_addr_hi,
		  q->ctx_addr);
	mqd_set(&mqd->cp_hqd_ctx_save_size, q->ctx_size);
	/* Stack and waves grow away from the same place. */
	mqd_set(&mqd->cp_hqd_cntl_stack_size, q->ctl_stack_size);
	mqd_set(&mqd->cp_hqd_cntl_stack_offset, q->ctl_stack_size);
	mqd_set(&mqd->cp_hqd_wg_state_offset, q->ctl_stack_size);
	mqd_write_compute(q);
}

static void mqd_write_sdma(struct vgpu_kfd_queue *q)
{
	struct vgpu_sdma_mqd *mqd = q->mqd;

	mqd_set(&mqd->sdmax_rlcx_rb_cntl,
		(q->ring_size ? REG_FIELD_PREP(SDMA0_GFX_RB_CNTL, RB_SIZE,
					       order_base_2(q->ring_size / sizeof(u32))) : 0) |
		SDMA0_GFX_RB_CNTL__RPTR_WRITEBACK_ENABLE_MASK |
		REG_FIELD_PREP(SDMA0_GFX_RB_CNTL, RPTR_WRITEBACK_TIMER, MQD_RPTR_TIMER));
	mqd_set64(&mqd->sdmax_rlcx_rb_base, &mqd->sdmax_rlcx_rb_base_hi, q->ring_addr >> 8);
}

static void mqd_fill_sdma(struct vgpu_kfd_queue *q)
{
	struct vgpu_sdma_mqd *mqd = q->mqd;

	mqd_set64(&mqd->sdmax_rlcx_rb_rptr_addr_lo, &mqd->sdmax_rlcx_rb_rptr_addr_hi,
		  q->rptr_addr);
	mqd_set(&mqd->sdmax_rlcx_doorbell_offset,
		REG_FIELD_PREP(SDMA0_GFX_DOORBELL_OFFSET, OFFSET, q->hws.doorbell));
	mqd_set(&mqd->sdma_engine_id, q->hws.sdma);
	mqd_set(&mqd->sdma_queue_id, q->sdma_slot);
	mqd_write_sdma(q);
}

/**
 * vgpu_kfd_mqd_fill() - write the descriptor of a new queue
 * @q: the queue; its descriptor is all 0
 */
void vgpu_kfd_mqd_fill(struct vgpu_kfd_queue *q)
{
	if (q->hws.sdma == VGPU_HWS_COMPUTE)
		mqd_fill_compute(q);
	else
		mqd_fill_sdma(q);
}

/**
 * vgpu_kfd_mqd_update() - write what a program may change about its queue
 * @q: the queue, which is off
 */
void vgpu_kfd_mqd_update(struct vgpu_kfd_queue *q)
{
	if (q->hws.sdma == VGPU_HWS_COMPUTE)
		mqd_write_compute(q);
	else
		mqd_write_sdma(q);
}
