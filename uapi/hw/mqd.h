/* SPDX-License-Identifier: MIT */
/*
 * Queue descriptors in memory (MQD): what a queue is when no hardware queue carries it.
 * See Documentation/queues.rst, "Descriptors".
 *
 * Consecutive members that the kernel's v9_structs.h names one by one are an array here, under the
 * name of the first.
 */
#ifndef _HW_MQD_H
#define _HW_MQD_H

#include <linux/types.h>

/* Dwords of a descriptor */
#define VGPU_MQD_DWORDS				512
#define VGPU_SDMA_MQD_DWORDS			128

/* First dword of a compute descriptor: a NOP packet over what follows */
#define VGPU_MQD_HEADER				0xC0310800

/*
 * struct vgpu_mqd - a compute queue, KIQ or HIQ
 *
 * The members from compute_dispatch_initiator on are the COMPUTE_* registers in order, and those
 * from cp_mqd_base_addr_lo to cp_hqd_pq_wptr_hi are the registers CP_MQD_BASE_ADDR to
 * CP_HQD_PQ_WPTR_HI.
 */
struct vgpu_mqd {
	__le32 header;
	__le32 compute_dispatch_initiator;
	__le32 compute_dim_x;
	__le32 compute_dim_y;
	__le32 compute_dim_z;
	__le32 compute_start_x;
	__le32 compute_start_y;
	__le32 compute_start_z;
	__le32 compute_num_thread_x;
	__le32 compute_num_thread_y;
	__le32 compute_num_thread_z;
	__le32 compute_pipelinestat_enable;
	__le32 compute_perfcount_enable;
	__le32 compute_pgm_lo;
	__le32 compute_pgm_hi;
	__le32 compute_tba_lo;
	__le32 compute_tba_hi;
	__le32 compute_tma_lo;
	__le32 compute_tma_hi;
	__le32 compute_pgm_rsrc1;
	__le32 compute_pgm_rsrc2;
	__le32 compute_vmid;
	__le32 compute_resource_limits;
	__le32 compute_static_thread_mgmt_se0;
	__le32 compute_static_thread_mgmt_se1;
	__le32 compute_tmpring_size;
	__le32 compute_static_thread_mgmt_se2;
	__le32 compute_static_thread_mgmt_se3;
	__le32 compute_restart_x;
	__le32 compute_restart_y;
	__le32 compute_restart_z;
	__le32 compute_thread_trace_enable;
	__le32 compute_misc_reserved;
	__le32 compute_dispatch_id;
	__le32 compute_threadgroup_id;
	__le32 compute_relaunch;
	__le32 compute_wave_restore_addr_lo;
	__le32 compute_wave_restore_addr_hi;
	__le32 compute_wave_restore_control;
	__le32 compute_static_thread_mgmt_se4;
	__le32 compute_static_thread_mgmt_se5;
	__le32 compute_static_thread_mgmt_se6;
	__le32 compute_static_thread_mgmt_se7;
	__le32 reserved_43[22];
	__le32 compute_user_data_0[16];
	__le32 cp_compute_csinvoc_count_lo;
	__le32 cp_compute_csinvoc_count_hi;
	__le32 reserved_83[3];
	__le32 cp_mqd_query_time_lo;
	__le32 cp_mqd_query_time_hi;
	__le32 cp_mqd_connect_start_time_lo;
	__le32 cp_mqd_connect_start_time_hi;
	__le32 cp_mqd_connect_end_time_lo;
	__le32 cp_mqd_connect_end_time_hi;
	__le32 cp_mqd_connect_end_wf_count;
	__le32 cp_mqd_connect_end_pq_rptr;
	__le32 cp_mqd_connect_end_pq_wptr;
	__le32 cp_mqd_connect_end_ib_rptr;
	__le32 cp_mqd_readindex_lo;
	__le32 cp_mqd_readindex_hi;
	__le32 cp_mqd_save_start_time_lo;
	__le32 cp_mqd_save_start_time_hi;
	__le32 cp_mqd_save_end_time_lo;
	__le32 cp_mqd_save_end_time_hi;
	__le32 cp_mqd_restore_start_time_lo;
	__le32 cp_mqd_restore_start_time_hi;
	__le32 cp_mqd_restore_end_time_lo;
	__le32 cp_mqd_restore_end_time_hi;
	__le32 disable_queue;
	__le32 reserved_107;
	__le32 gds_cs_ctxsw_cnt0[4];
	__le32 reserved_112[2];
	__le32 cp_pq_exe_status_lo;
	__le32 cp_pq_exe_status_hi;
	__le32 cp_packet_id_lo;
	__le32 cp_packet_id_hi;
	__le32 cp_packet_exe_status_lo;
	__le32 cp_packet_exe_status_hi;
	__le32 gds_save_base_addr_lo;
	__le32 gds_save_base_addr_hi;
	__le32 gds_save_mask_lo;
	__le32 gds_save_mask_hi;
	__le32 ctx_save_base_addr_lo;
	__le32 ctx_save_base_addr_hi;
	__le32 dynamic_cu_mask_addr_lo;
	__le32 dynamic_cu_mask_addr_hi;
	__le32 cp_mqd_base_addr_lo;
	__le32 cp_mqd_base_addr_hi;
	__le32 cp_hqd_active;
	__le32 cp_hqd_vmid;
	__le32 cp_hqd_persistent_state;
	__le32 cp_hqd_pipe_priority;
	__le32 cp_hqd_queue_priority;
	__le32 cp_hqd_quantum;
	__le32 cp_hqd_pq_base_lo;
	__le32 cp_hqd_pq_base_hi;
	__le32 cp_hqd_pq_rptr;
	__le32 cp_hqd_pq_rptr_report_addr_lo;
	__le32 cp_hqd_pq_rptr_report_addr_hi;
	__le32 cp_hqd_pq_wptr_poll_addr_lo;
	__le32 cp_hqd_pq_wptr_poll_addr_hi;
	__le32 cp_hqd_pq_doorbell_control;
	__le32 reserved_144;
	__le32 cp_hqd_pq_control;
	__le32 cp_hqd_ib_base_addr_lo;
	__le32 cp_hqd_ib_base_addr_hi;
	__le32 cp_hqd_ib_rptr;
	__le32 cp_hqd_ib_control;
	__le32 cp_hqd_iq_timer;
	__le32 cp_hqd_iq_rptr;
	__le32 cp_hqd_dequeue_request;
	__le32 cp_hqd_dma_offload;
	__le32 cp_hqd_sema_cmd;
	__le32 cp_hqd_msg_type;
	__le32 cp_hqd_atomic0_preop_lo;
	__le32 cp_hqd_atomic0_preop_hi;
	__le32 cp_hqd_atomic1_preop_lo;
	__le32 cp_hqd_atomic1_preop_hi;
	__le32 cp_hqd_hq_status0;
	__le32 cp_hqd_hq_control0;
	__le32 cp_mqd_control;
	__le32 cp_hqd_hq_status1;
	__le32 cp_hqd_hq_control1;
	__le32 cp_hqd_eop_base_addr_lo;
	__le32 cp_hqd_eop_base_addr_hi;
	__le32 cp_hqd_eop_control;
	__le32 cp_hqd_eop_rptr;
	__le32 cp_hqd_eop_wptr;
	__le32 cp_hqd_eop_done_events;
	__le32 cp_hqd_ctx_save_base_addr_lo;
	__le32 cp_hqd_ctx_save_base_addr_hi;
	__le32 cp_hqd_ctx_save_control;
	__le32 cp_hqd_cntl_stack_offset;
	__le32 cp_hqd_cntl_stack_size;
	__le32 cp_hqd_wg_state_offset;
	__le32 cp_hqd_ctx_save_size;
	__le32 cp_hqd_gds_resource_state;
	__le32 cp_hqd_error;
	__le32 cp_hqd_eop_wptr_mem;
	__le32 cp_hqd_aql_control;
	__le32 cp_hqd_pq_wptr_lo;
	__le32 cp_hqd_pq_wptr_hi;
	__le32 reserved_184[8];
	__le32 iqtimer_pkt_header;
	__le32 iqtimer_pkt_dw0[32];
	__le32 reserved_225[3];
	__le32 set_resources_header;
	__le32 set_resources_dw1[7];
	__le32 reserved_236[4];
	__le32 queue_doorbell_id0[16];
	__le32 reserved_256[256];
};

/* struct vgpu_sdma_mqd - a user queue of an SDMA engine: its registers without the gaps */
struct vgpu_sdma_mqd {
	__le32 sdmax_rlcx_rb_cntl;
	__le32 sdmax_rlcx_rb_base;
	__le32 sdmax_rlcx_rb_base_hi;
	__le32 sdmax_rlcx_rb_rptr;
	__le32 sdmax_rlcx_rb_rptr_hi;
	__le32 sdmax_rlcx_rb_wptr;
	__le32 sdmax_rlcx_rb_wptr_hi;
	__le32 sdmax_rlcx_rb_wptr_poll_cntl;
	__le32 sdmax_rlcx_rb_rptr_addr_hi;
	__le32 sdmax_rlcx_rb_rptr_addr_lo;
	__le32 sdmax_rlcx_ib_cntl;
	__le32 sdmax_rlcx_ib_rptr;
	__le32 sdmax_rlcx_ib_offset;
	__le32 sdmax_rlcx_ib_base_lo;
	__le32 sdmax_rlcx_ib_base_hi;
	__le32 sdmax_rlcx_ib_size;
	__le32 sdmax_rlcx_skip_cntl;
	__le32 sdmax_rlcx_context_status;
	__le32 sdmax_rlcx_doorbell;
	__le32 sdmax_rlcx_status;
	__le32 sdmax_rlcx_doorbell_log;
	__le32 sdmax_rlcx_watermark;
	__le32 sdmax_rlcx_doorbell_offset;
	__le32 sdmax_rlcx_csa_addr_lo;
	__le32 sdmax_rlcx_csa_addr_hi;
	__le32 sdmax_rlcx_ib_sub_remain;
	__le32 sdmax_rlcx_preempt;
	__le32 sdmax_rlcx_dummy_reg;
	__le32 sdmax_rlcx_rb_wptr_poll_addr_hi;
	__le32 sdmax_rlcx_rb_wptr_poll_addr_lo;
	__le32 sdmax_rlcx_rb_aql_cntl;
	__le32 sdmax_rlcx_minor_ptr_update;
	__le32 sdmax_rlcx_midcmd_data0[9];
	__le32 sdmax_rlcx_midcmd_cntl;
	__le32 reserved_42[84];
	__le32 sdma_engine_id;
	__le32 sdma_queue_id;
};

#endif /* _HW_MQD_H */
