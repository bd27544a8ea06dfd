/* SPDX-License-Identifier: MIT */
/*
 * Architected queueing (AQL): 64-byte packets in a ring that user space owns, and the signals that
 * order and complete them.  See Documentation/queues.rst, "AQL packets" and "Signals".
 *
 * Structures are those of the HSA runtime specification and of AMD's runtime headers, which the
 * kernel does not have.  A signal handle is the address of its struct vgpu_amd_signal, 0 for none.
 */
#ifndef _HW_AQL_H
#define _HW_AQL_H

#include <linux/types.h>

#define VGPU_AQL_PACKET_BYTES			64
#define VGPU_AQL_PACKET_DWORDS			16

/* Header: 16 bits, written last */
#define HSA_PACKET_TYPE_VENDOR_SPECIFIC		0
#define HSA_PACKET_TYPE_INVALID			1
#define HSA_PACKET_TYPE_KERNEL_DISPATCH		2
#define HSA_PACKET_TYPE_BARRIER_AND		3
#define HSA_PACKET_TYPE_AGENT_DISPATCH		4
#define HSA_PACKET_TYPE_BARRIER_OR		5
#define HSA_FENCE_SCOPE_NONE			0
#define HSA_FENCE_SCOPE_AGENT			1
#define HSA_FENCE_SCOPE_SYSTEM			2
#define HSA_PACKET_HEADER_TYPE(x)		((x) << 0)
#define HSA_PACKET_HEADER_BARRIER(x)		((x) << 8)
#define HSA_PACKET_HEADER_ACQUIRE_SCOPE(x)	((x) << 9)
#define HSA_PACKET_HEADER_RELEASE_SCOPE(x)	((x) << 11)
#define HSA_PACKET_HEADER_GET_TYPE(h)		((h) & 0xff)
#define HSA_PACKET_HEADER_GET_BARRIER(h)	(((h) >> 8) & 0x1)
#define HSA_PACKET_HEADER_GET_ACQUIRE_SCOPE(h)	(((h) >> 9) & 0x3)
#define HSA_PACKET_HEADER_GET_RELEASE_SCOPE(h)	(((h) >> 11) & 0x3)
#define HSA_PACKET_HEADER_RESERVED		0xe000
#define HSA_DISPATCH_SETUP_GET_DIMENSIONS(s)	((s) & 0x3)

struct vgpu_aql_kernel_dispatch {
	__le16 header;
	__le16 setup;
	__le16 workgroup_size[3];
	__le16 reserved0;
	__le32 grid_size[3];
	__le32 private_segment_size;
	__le32 group_segment_size;
	__le64 kernel_object;
	__le64 kernarg_address;
	__le64 reserved2;
	__le64 completion_signal;
};

struct vgpu_aql_agent_dispatch {
	__le16 header;
	__le16 type;
	__le32 reserved0;
	__le64 return_address;
	__le64 arg[4];
	__le64 reserved2;
	__le64 completion_signal;
};

/* Barrier-AND and barrier-OR */
#define VGPU_AQL_BARRIER_SIGNALS		5

struct vgpu_aql_barrier {
	__le16 header;
	__le16 reserved0;
	__le32 reserved1;
	__le64 dep_signal[VGPU_AQL_BARRIER_SIGNALS];
	__le64 reserved2;
	__le64 completion_signal;
};

/* Vendor-specific packets of AMD: a second header, then what that says */
#define AMD_AQL_FORMAT_PM4_IB			1
#define AMD_AQL_FORMAT_BARRIER_VALUE		2
#define AMD_AQL_PM4_IB_DW_CNT_REMAIN		0xa

struct vgpu_aql_pm4_ib {
	__le16 header;
	__le16 amd_format;
	__le32 ib_jump_cmd[4];			/* an INDIRECT_BUFFER packet */
	__le32 dw_cnt_remain;
	__le32 reserved[8];
	__le64 completion_signal;
};

#define HSA_SIGNAL_CONDITION_EQ			0
#define HSA_SIGNAL_CONDITION_NE			1
#define HSA_SIGNAL_CONDITION_LT			2
#define HSA_SIGNAL_CONDITION_GTE		3

struct vgpu_aql_barrier_value {
	__le16 header;
	__u8 amd_format;
	__u8 reserved;
	__le32 reserved0;
	__le64 signal;
	__le64 value;
	__le64 mask;
	__le32 cond;
	__le32 reserved1;
	__le64 reserved2;
	__le64 reserved3;
	__le64 completion_signal;
};

#define AMD_SIGNAL_KIND_INVALID			0
#define AMD_SIGNAL_KIND_USER			1
#define AMD_SIGNAL_KIND_DOORBELL		(-1)
#define AMD_SIGNAL_KIND_LEGACY_DOORBELL		(-2)

struct vgpu_amd_signal {
	__le64 kind;
	__le64 value;
	__le64 event_mailbox_ptr;		/* 0: nobody sleeps on it */
	__le32 event_id;
	__le32 reserved1;
	__le64 start_ts;			/* GPU clocks */
	__le64 end_ts;
	__le64 queue_ptr;
	__le32 reserved3[2];
};

/*
 * struct vgpu_amd_queue - what user space and the CP know of a queue
 *
 * The CP finds it by the address it reports the read pointer to, which is that of read_dispatch_id:
 * the dword behind that member says how far back the structure starts.
 */
struct vgpu_amd_queue {
	/* hsa_queue_t */
	__le32 type;
	__le32 features;
	__le64 base_address;
	__le64 doorbell_signal;
	__le32 size;				/* in packets */
	__le32 reserved0;
	__le64 id;
	/* amd_queue_t */
	__le32 reserved1[4];
	__le64 write_dispatch_id;
	__le32 group_segment_aperture_base_hi;
	__le32 private_segment_aperture_base_hi;
	__le32 max_cu_id;
	__le32 max_wave_id;
	__le64 max_legacy_doorbell_dispatch_id_plus_1;
	__le32 legacy_doorbell_lock;
	__le32 reserved2[9];
	__le64 read_dispatch_id;
	__le32 read_dispatch_id_field_base_byte_offset;
	__le32 compute_tmpring_size;
	__le32 scratch_resource_descriptor[4];
	__le64 scratch_backing_memory_location;
	__le64 scratch_backing_memory_byte_size;
	__le32 scratch_wave64_lane_byte_size;
	__le32 queue_properties;
	__le32 reserved3[2];
	__le64 queue_inactive_signal;
	__le32 reserved4[14];
};

#define AMD_QUEUE_PROPERTIES_ENABLE_TRAP_HANDLER	(1 << 0)
#define AMD_QUEUE_PROPERTIES_IS_PTR64			(1 << 1)
#define AMD_QUEUE_PROPERTIES_ENABLE_PROFILING		(1 << 3)

/* What the CP stores in the value of queue_inactive_signal when it stops a queue */
#define VGPU_AQL_ERROR_DIM			0x00000002
#define VGPU_AQL_ERROR_CODE_OBJECT		0x00000008
#define VGPU_AQL_ERROR_PACKET			0x00000020
#define VGPU_AQL_ERROR_VENDOR_PACKET		0x00000100
#define VGPU_AQL_ERROR_ILLEGAL_INSTRUCTION	0x40000000

/* Context of the bad-opcode interrupt of an AQL queue: doorbell in its page, and what is wrong */
#define VGPU_CP_ERR_DOORBELL(x)			((x) & 0x3ff)
#define VGPU_CP_ERR_ECODE(x)			((x) << 10)
#define VGPU_CP_ECODE_DISPATCH_DIM		16
#define VGPU_CP_ECODE_DISPATCH_CODE		18
#define VGPU_CP_ECODE_RESERVED			19
#define VGPU_CP_ECODE_UNSUPPORTED		20
#define VGPU_CP_ECODE_VENDOR_UNSUPPORTED	23

#endif /* _HW_AQL_H */
