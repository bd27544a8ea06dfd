/* SPDX-License-Identifier: MIT */
/*
 * Packets of the command processor (PM4), as the GFX9 engines read them.
 * See Documentation/hardware.rst, "Command processor", and Documentation/differences.rst for what
 * common descriptions say otherwise.
 *
 * PACKET3_<packet>_<field>(x) puts a value in its place in a dword of the packet, and
 * PACKET3_<packet>_GET_<field>(dw) takes it out again.
 */
#ifndef _HW_PM4_H
#define _HW_PM4_H

#include <linux/types.h>

/*
 * Header: type in [31:30].  Type 0 writes count + 1 consecutive registers, type 2 is one dword of
 * filler, type 3 is a command with count + 1 dwords of payload.  Type 1 is retired.
 */
#define PACKET_TYPE0				0
#define PACKET_TYPE1				1
#define PACKET_TYPE2				2
#define PACKET_TYPE3				3

#define CP_PACKET_GET_TYPE(h)			(((h) >> 30) & 3)
#define CP_PACKET_GET_COUNT(h)			(((h) >> 16) & 0x3FFF)
#define CP_PACKET0_GET_REG(h)			((h) & 0xFFFF)
#define CP_PACKET3_GET_OPCODE(h)		(((h) >> 8) & 0xFF)
#define CP_PACKET3_GET_SHADER_TYPE(h)		(((h) >> 1) & 1)
#define CP_PACKET3_GET_PREDICATE(h)		((h) & 1)

#define PACKET0(reg, n)				(((reg) & 0xFFFF) | ((n) & 0x3FFF) << 16)
#define CP_PACKET2				0x80000000
#define PACKET2_PAD_SHIFT			0
#define PACKET2_PAD_MASK			0x3fffffff
#define PACKET2(v)				(CP_PACKET2 | ((v) & PACKET2_PAD_MASK))
#define PACKET3(op, n)				((3u << 30) | (((op) & 0xFF) << 8) | ((n) & 0x3FFF) << 16)
#define PACKET3_COMPUTE(op, n)			(PACKET3(op, n) | 1 << 1)
#define PACKET3_PREDICATE			(1 << 0)

/* A NOP with this count is the header alone: the one-dword form */
#define PACKET3_NOP_ONE_DWORD_COUNT		0x3FFF

/* Opcodes */
#define PACKET3_NOP					0x10
#define PACKET3_SET_BASE				0x11
#define PACKET3_CLEAR_STATE				0x12
#define PACKET3_INDEX_BUFFER_SIZE			0x13
#define PACKET3_DISPATCH_DIRECT				0x15
#define PACKET3_DISPATCH_INDIRECT			0x16
#define PACKET3_ATOMIC_GDS				0x1D
#define PACKET3_ATOMIC_MEM				0x1E
#define PACKET3_OCCLUSION_QUERY				0x1F
#define PACKET3_SET_PREDICATION				0x20
#define PACKET3_REG_RMW					0x21
#define PACKET3_COND_EXEC				0x22
#define PACKET3_PRED_EXEC				0x23
#define PACKET3_DRAW_INDIRECT				0x24
#define PACKET3_DRAW_INDEX_INDIRECT			0x25
#define PACKET3_INDEX_BASE				0x26
#define PACKET3_DRAW_INDEX_2				0x27
#define PACKET3_CONTEXT_CONTROL				0x28
#define PACKET3_INDEX_TYPE				0x2A
#define PACKET3_DRAW_INDIRECT_MULTI			0x2C
#define PACKET3_DRAW_INDEX_AUTO				0x2D
#define PACKET3_NUM_INSTANCES				0x2F
#define PACKET3_DRAW_INDEX_MULTI_AUTO			0x30
#define PACKET3_INDIRECT_BUFFER_CONST			0x33
#define PACKET3_STRMOUT_BUFFER_UPDATE			0x34
#define PACKET3_DRAW_INDEX_OFFSET_2			0x35
#define PACKET3_DRAW_PREAMBLE				0x36
#define PACKET3_WRITE_DATA				0x37
#define PACKET3_DRAW_INDEX_INDIRECT_MULTI		0x38
#define PACKET3_MEM_SEMAPHORE				0x39
#define PACKET3_WAIT_REG_MEM				0x3C
#define PACKET3_INDIRECT_BUFFER				0x3F
#define PACKET3_COPY_DATA				0x40
#define PACKET3_PFP_SYNC_ME				0x42
#define PACKET3_COND_WRITE				0x45
#define PACKET3_EVENT_WRITE				0x46
#define PACKET3_RELEASE_MEM				0x49
#define PACKET3_PREAMBLE_CNTL				0x4A
#define PACKET3_DMA_DATA				0x50
#define PACKET3_ACQUIRE_MEM				0x58
#define PACKET3_REWIND					0x59
#define PACKET3_LOAD_UCONFIG_REG			0x5E
#define PACKET3_LOAD_SH_REG				0x5F
#define PACKET3_LOAD_CONFIG_REG				0x60
#define PACKET3_LOAD_CONTEXT_REG			0x61
#define PACKET3_SET_CONFIG_REG				0x68
#define PACKET3_SET_CONTEXT_REG				0x69
#define PACKET3_SET_CONTEXT_REG_INDIRECT		0x73
#define PACKET3_SET_SH_REG				0x76
#define PACKET3_SET_SH_REG_OFFSET			0x77
#define PACKET3_SET_QUEUE_REG				0x78
#define PACKET3_SET_UCONFIG_REG				0x79
#define PACKET3_SCRATCH_RAM_WRITE			0x7D
#define PACKET3_SCRATCH_RAM_READ			0x7E
#define PACKET3_LOAD_CONST_RAM				0x80
#define PACKET3_WRITE_CONST_RAM				0x81
#define PACKET3_DUMP_CONST_RAM				0x83
#define PACKET3_INCREMENT_CE_COUNTER			0x84
#define PACKET3_INCREMENT_DE_COUNTER			0x85
#define PACKET3_WAIT_ON_CE_COUNTER			0x86
#define PACKET3_WAIT_ON_DE_COUNTER_DIFF			0x88
#define PACKET3_SWITCH_BUFFER				0x8B
#define PACKET3_FRAME_CONTROL				0x90
#define PACKET3_INVALIDATE_TLBS				0x98
#define PACKET3_SET_RESOURCES				0xA0
#define PACKET3_MAP_QUEUES				0xA2
#define PACKET3_UNMAP_QUEUES				0xA3
#define PACKET3_QUERY_STATUS				0xA4
#define PACKET3_RUN_CLEANER_SHADER			0xD2

/* Opcodes of the KFD scheduler */
#define PACKET3_MAP_PROCESS				0xA1
#define PACKET3_RUN_LIST				0xA5

/*
 * Register windows, absolute dword offsets, end excluded.  A SET_*_REG packet gives the offset
 * from the start of its window in [15:0] of its first dword, and reaches no register outside.
 */
#define PACKET3_SET_CONFIG_REG_START		0x00002000
#define PACKET3_SET_CONFIG_REG_END		0x00002c00
#define PACKET3_SET_CONTEXT_REG_START		0x0000a000
#define PACKET3_SET_CONTEXT_REG_END		0x0000a400
#define PACKET3_SET_SH_REG_START		0x00002c00
#define PACKET3_SET_SH_REG_END			0x00003000
#define PACKET3_SET_UCONFIG_REG_START		0x0000c000
#define PACKET3_SET_UCONFIG_REG_END		0x0000c400
#define PACKET3_SET_UCONFIG_REG_INDEX_TYPE	(2 << 28)
#define PACKET3_SET_REG_GET_OFFSET(dw)		((dw) & 0xffff)

/* SET_UCONFIG_REG, SET_SH_REG and SET_CONTEXT_REG have an index in [31:28] of the same dword */
#define PACKET3_SET_REG_GET_INDEX(dw)		(((dw) >> 28) & 0xf)

/* CLEAR_STATE: what to do */
#define PACKET3_CLEAR_STATE_GET_CMD(dw)		((dw) & 0xf)
#define PACKET3_CLEAR_STATE_CLEAR		0
#define PACKET3_CLEAR_STATE_PUSH		1
#define PACKET3_CLEAR_STATE_POP			2
#define PACKET3_CLEAR_STATE_PUSH_CLEAR		3

/* SET_BASE: index, address low [31:3], address high */
#define PACKET3_BASE_INDEX(x)			((x) << 0)
#define CE_PARTITION_BASE			3
#define PACKET3_SET_BASE_GET_BASE_INDEX(dw)	((dw) & 0xf)
#define PACKET3_SET_BASE_DISPLAY_LIST_PATCH	0
#define PACKET3_SET_BASE_PATCH_TABLE		1	/* of indirect draws and dispatches */
#define PACKET3_SET_BASE_CE_DST			2
#define PACKET3_SET_BASE_SHADER_OR_CONTEXT_REG	4
#define PACKET3_SET_BASE_INDIRECT_DATA		5

/*
 * WRITE_DATA: control, destination low, high, data.  Register destinations are absolute dword
 * offsets.  Without WR_ONE_ADDR the address advances with each dword.
 */
#define WRITE_DATA_DST_SEL(x)			((x) << 8)
#define WR_ONE_ADDR				(1 << 16)
#define WR_CONFIRM				(1 << 20)
#define WRITE_DATA_CACHE_POLICY(x)		((__u32)(x) << 25)
#define WRITE_DATA_ENGINE_SEL(x)		((__u32)(x) << 30)
#define WRITE_DATA_GET_DST_SEL(dw)		(((dw) >> 8) & 0xf)
#define WRITE_DATA_GET_CACHE_POLICY(dw)		(((dw) >> 25) & 0x3)
#define WRITE_DATA_GET_ENGINE_SEL(dw)		(((dw) >> 30) & 0x3)
#define WRITE_DATA_DST_SEL_REG			0
#define WRITE_DATA_DST_SEL_MEM_GRBM		1	/* memory, synchronous through the GRBM */
#define WRITE_DATA_DST_SEL_TC_L2		2
#define WRITE_DATA_DST_SEL_GDS			3
#define WRITE_DATA_DST_SEL_MEM			5
#define WRITE_DATA_ENGINE_SEL_ME		0
#define WRITE_DATA_ENGINE_SEL_PFP		1
#define WRITE_DATA_ENGINE_SEL_CE		2

/* COPY_DATA: control, source low, high (immediate: the data), destination low, high */
#define PACKET3_COPY_DATA_SRC_SEL(x)		((x) << 0)
#define PACKET3_COPY_DATA_DST_SEL(x)		((x) << 8)
#define PACKET3_COPY_DATA_SRC_CACHE_POLICY(x)	((x) << 13)
#define PACKET3_COPY_DATA_COUNT_SEL		(1 << 16)	/* 64 bits, not 32 */
#define PACKET3_COPY_DATA_WR_CONFIRM		(1 << 20)
#define PACKET3_COPY_DATA_DST_CACHE_POLICY(x)	((__u32)(x) << 25)
#define PACKET3_COPY_DATA_ENGINE_SEL(x)		((__u32)(x) << 30)
#define PACKET3_COPY_DATA_GET_SRC_SEL(dw)	((dw) & 0xf)
#define PACKET3_COPY_DATA_GET_DST_SEL(dw)	(((dw) >> 8) & 0xf)
#define PACKET3_COPY_DATA_GET_ENGINE_SEL(dw)	(((dw) >> 30) & 0x3)
#define PACKET3_COPY_DATA_SRC_REG		0
#define PACKET3_COPY_DATA_SRC_MEM		1
#define PACKET3_COPY_DATA_SRC_TC_L2		2
#define PACKET3_COPY_DATA_SRC_GDS		3
#define PACKET3_COPY_DATA_SRC_PERF		4
#define PACKET3_COPY_DATA_SRC_IMM		5
#define PACKET3_COPY_DATA_SRC_ATOMIC_RETURN	6
#define PACKET3_COPY_DATA_SRC_GDS_ATOMIC_RETURN0 7
#define PACKET3_COPY_DATA_SRC_GDS_ATOMIC_RETURN1 8
#define PACKET3_COPY_DATA_SRC_GPU_CLOCK		9
#define PACKET3_COPY_DATA_DST_REG		0
#define PACKET3_COPY_DATA_DST_MEM_GRBM		1	/* memory, synchronous through the GRBM */
#define PACKET3_COPY_DATA_DST_TC_L2		2
#define PACKET3_COPY_DATA_DST_GDS		3
#define PACKET3_COPY_DATA_DST_PERF		4
#define PACKET3_COPY_DATA_DST_MEM		5

/*
 * WAIT_REG_MEM: control, address low, high, reference, mask, poll interval [15:0].
 * Wait for (value & mask) <function> reference.  WR_WAIT_WR_REG writes the reference to the
 * register in the second dword, then waits on the one in the third.
 */
#define WAIT_REG_MEM_FUNCTION(x)		((x) << 0)
#define WAIT_REG_MEM_MEM_SPACE(x)		((x) << 4)
#define WAIT_REG_MEM_OPERATION(x)		((x) << 6)
#define WAIT_REG_MEM_ENGINE(x)			((x) << 8)
#define WAIT_REG_MEM_GET_FUNCTION(dw)		((dw) & 0x7)
#define WAIT_REG_MEM_GET_MEM_SPACE(dw)		(((dw) >> 4) & 0x3)
#define WAIT_REG_MEM_GET_OPERATION(dw)		(((dw) >> 6) & 0x3)
#define WAIT_REG_MEM_GET_ENGINE(dw)		(((dw) >> 8) & 0x3)
#define WAIT_REG_MEM_GET_INTERVAL(dw)		((dw) & 0xffff)
#define WAIT_REG_MEM_FUNC_ALWAYS		0
#define WAIT_REG_MEM_FUNC_LT			1
#define WAIT_REG_MEM_FUNC_LE			2
#define WAIT_REG_MEM_FUNC_EQ			3
#define WAIT_REG_MEM_FUNC_NE			4
#define WAIT_REG_MEM_FUNC_GE			5
#define WAIT_REG_MEM_FUNC_GT			6
#define WAIT_REG_MEM_SPACE_REG			0
#define WAIT_REG_MEM_SPACE_MEM			1
#define WAIT_REG_MEM_OP_WAIT			0
#define WAIT_REG_MEM_OP_WR_WAIT_WR_REG		1
#define WAIT_REG_MEM_OP_WAIT_COND		2
#define WAIT_REG_MEM_OP_WAIT_MEM_PREEMPTABLE	3
#define WAIT_REG_MEM_ENGINE_ME			0
#define WAIT_REG_MEM_ENGINE_PFP			1

/*
 * INDIRECT_BUFFER: address low [31:2], high, control.  CHAIN replaces the buffer that is being
 * executed.  VALID is of the compute rings.  INDIRECT_BUFFER_CONST is the same for the constant
 * engine.
 */
#define INDIRECT_BUFFER_VALID			(1 << 23)
#define INDIRECT_BUFFER_CACHE_POLICY(x)		((__u32)(x) << 28)
#define INDIRECT_BUFFER_PRE_ENB(x)		((x) << 21)
#define INDIRECT_BUFFER_PRE_RESUME(x)		((__u32)(x) << 30)
#define INDIRECT_BUFFER_IB_SIZE(x)		((x) & 0xfffff)
#define INDIRECT_BUFFER_CHAIN			(1 << 20)
#define INDIRECT_BUFFER_VMID(x)			((__u32)(x) << 24)
#define INDIRECT_BUFFER_OFFLOAD_POLLING		(1 << 21)	/* on a compute ring */
#define INDIRECT_BUFFER_GET_IB_SIZE(dw)		((dw) & 0xfffff)
#define INDIRECT_BUFFER_GET_PRE_ENB(dw)		(((dw) >> 21) & 0x1)
#define INDIRECT_BUFFER_GET_VMID(dw)		(((dw) >> 24) & 0xf)
#define INDIRECT_BUFFER_GET_CACHE_POLICY(dw)	(((dw) >> 28) & 0x3)

/* COND_EXEC: address low, high, 0, dwords [13:0] that are skipped when the memory holds 0 */
#define PACKET3_COND_EXEC_GET_EXEC_COUNT(dw)	((dw) & 0x3fff)

/* MEM_SEMAPHORE: address low [31:3], high, control */
#define PACKET3_SEM_USE_MAILBOX			(0x1 << 16)
#define PACKET3_SEM_SEL_SIGNAL_TYPE		(0x1 << 20)
#define PACKET3_SEM_SEL_SIGNAL			(0x6u << 29)
#define PACKET3_SEM_SEL_WAIT			(0x7u << 29)

/*
 * EVENT_WRITE: event; an address follows for the events that write.
 * RELEASE_MEM: event and cache actions, selects, address low, high, data low, high, interrupt
 * context.
 */
#define EVENT_TYPE(x)				((x) << 0)
#define EVENT_INDEX(x)				((x) << 8)
#define PACKET3_EVENT_GET_TYPE(dw)		((dw) & 0x3f)
#define PACKET3_EVENT_GET_INDEX(dw)		(((dw) >> 8) & 0xf)
#define EVENT_INDEX_OTHER			0
#define EVENT_INDEX_ZPASS_DONE			1
#define EVENT_INDEX_SAMPLE_PIPELINESTAT		2
#define EVENT_INDEX_SAMPLE_STREAMOUTSTATS	3
#define EVENT_INDEX_PARTIAL_FLUSH		4
#define EVENT_INDEX_END_OF_PIPE			5
#define EVENT_INDEX_SHADER_DONE			6
#define EOP_TCL1_VOL_ACTION_EN			(1 << 12)
#define EOP_TC_VOL_ACTION_EN			(1 << 13)
#define EOP_TC_WB_ACTION_EN			(1 << 15)
#define EOP_TCL1_ACTION_EN			(1 << 16)
#define EOP_TC_ACTION_EN			(1 << 17)
#define EOP_TC_NC_ACTION_EN			(1 << 19)
#define EOP_TC_MD_ACTION_EN			(1 << 21)
#define EOP_EXEC				(1 << 28)
#define DATA_SEL(x)				((__u32)(x) << 29)
#define INT_SEL(x)				((__u32)(x) << 24)
#define DST_SEL(x)				((x) << 16)
#define PACKET3_RELEASE_MEM_GET_DST_SEL(dw)	(((dw) >> 16) & 0x3)
#define PACKET3_RELEASE_MEM_GET_INT_SEL(dw)	(((dw) >> 24) & 0x7)
#define PACKET3_RELEASE_MEM_GET_DATA_SEL(dw)	(((dw) >> 29) & 0x7)
#define RELEASE_MEM_DATA_NONE			0
#define RELEASE_MEM_DATA_32			1
#define RELEASE_MEM_DATA_64			2
#define RELEASE_MEM_DATA_GPU_CLOCK		3
#define RELEASE_MEM_DATA_PERFCOUNTER		4
#define RELEASE_MEM_DATA_GDS			5
#define RELEASE_MEM_INT_NONE			0
#define RELEASE_MEM_INT_ONLY			1
#define RELEASE_MEM_INT_AFTER_CONFIRM		2
#define RELEASE_MEM_INT_DATA_AFTER_CONFIRM	3	/* confirmed write, no interrupt */
#define RELEASE_MEM_INT_CTXID			4	/* always, with the context id */
#define RELEASE_MEM_INT_CTXID_CMP32		5	/* if memory compares, 32 bits */
#define RELEASE_MEM_INT_CTXID_CMP64		6	/* if memory compares, 64 bits */
#define RELEASE_MEM_DST_MC			0
#define RELEASE_MEM_DST_TC_L2			1
#define RELEASE_MEM_DST_QUEUE_WPTR_REG		2
#define RELEASE_MEM_DST_QUEUE_WPTR_POLL_MASK	3

/* Events of EVENT_WRITE and RELEASE_MEM */
#define SAMPLE_STREAMOUTSTATS1				0x01
#define SAMPLE_STREAMOUTSTATS2				0x02
#define SAMPLE_STREAMOUTSTATS3				0x03
#define CACHE_FLUSH_TS					0x04
#define CONTEXT_DONE					0x05
#define CACHE_FLUSH					0x06
#define CS_PARTIAL_FLUSH				0x07
#define VGT_STREAMOUT_SYNC				0x08
#define VGT_STREAMOUT_RESET				0x0a
#define END_OF_PIPE_INCR_DE				0x0b
#define END_OF_PIPE_IB_END				0x0c
#define RST_PIX_CNT					0x0d
#define BREAK_BATCH					0x0e
#define VS_PARTIAL_FLUSH				0x0f
#define PS_PARTIAL_FLUSH				0x10
#define FLUSH_HS_OUTPUT					0x11
#define FLUSH_DFSM					0x12
#define RESET_TO_LOWEST_VGT				0x13
#define CACHE_FLUSH_AND_INV_TS_EVENT			0x14
#define ZPASS_DONE					0x15
#define CACHE_FLUSH_AND_INV_EVENT			0x16
#define PERFCOUNTER_START				0x17
#define PERFCOUNTER_STOP				0x18
#define PIPELINESTAT_START				0x19
#define PIPELINESTAT_STOP				0x1a
#define PERFCOUNTER_SAMPLE				0x1b
#define SAMPLE_PIPELINESTAT				0x1e
#define SO_VGTSTREAMOUT_FLUSH				0x1f
#define SAMPLE_STREAMOUTSTATS				0x20
#define RESET_VTX_CNT					0x21
#define BLOCK_CONTEXT_DONE				0x22
#define CS_CONTEXT_DONE					0x23
#define VGT_FLUSH					0x24
#define TGID_ROLLOVER					0x25
#define SQ_NON_EVENT					0x26
#define SC_SEND_DB_VPZ					0x27
#define BOTTOM_OF_PIPE_TS				0x28
#define FLUSH_SX_TS					0x29
#define DB_CACHE_FLUSH_AND_INV				0x2a
#define FLUSH_AND_INV_DB_DATA_TS			0x2b
#define FLUSH_AND_INV_DB_META				0x2c
#define FLUSH_AND_INV_CB_DATA_TS			0x2d
#define FLUSH_AND_INV_CB_META				0x2e
#define CS_DONE						0x2f
#define PS_DONE						0x30
#define FLUSH_AND_INV_CB_PIXEL_DATA			0x31
#define SX_CB_RAT_ACK_REQUEST				0x32
#define THREAD_TRACE_START				0x33
#define THREAD_TRACE_STOP				0x34
#define THREAD_TRACE_MARKER				0x35
#define THREAD_TRACE_FLUSH				0x36
#define THREAD_TRACE_FINISH				0x37
#define PIXEL_PIPE_STAT_CONTROL				0x38
#define PIXEL_PIPE_STAT_DUMP				0x39
#define PIXEL_PIPE_STAT_RESET				0x3a
#define CONTEXT_SUSPEND					0x3b
#define OFFCHIP_HS_DEALLOC				0x3c
#define ENABLE_NGG_PIPELINE				0x3d
#define ENABLE_LEGACY_PIPELINE				0x3e

/* PREAMBLE_CNTL */
#define PACKET3_PREAMBLE_BEGIN_CLEAR_STATE	(2u << 28)
#define PACKET3_PREAMBLE_END_CLEAR_STATE	(3u << 28)

/*
 * DMA_DATA: control, source low (or the data), high, destination low, high, command and byte
 * count [25:0].
 */
#define PACKET3_DMA_DATA_ENGINE(x)		((x) << 0)
#define PACKET3_DMA_DATA_SRC_CACHE_POLICY(x)	((x) << 13)
#define PACKET3_DMA_DATA_DST_SEL(x)		((x) << 20)
#define PACKET3_DMA_DATA_DST_CACHE_POLICY(x)	((__u32)(x) << 25)
#define PACKET3_DMA_DATA_SRC_SEL(x)		((__u32)(x) << 29)
#define PACKET3_DMA_DATA_CP_SYNC		(1u << 31)
#define PACKET3_DMA_DATA_GET_ENGINE(dw)		((dw) & 0x1)
#define PACKET3_DMA_DATA_GET_DST_SEL(dw)	(((dw) >> 20) & 0x3)
#define PACKET3_DMA_DATA_GET_SRC_SEL(dw)	(((dw) >> 29) & 0x3)
#define PACKET3_DMA_DATA_SEL_ADDR		0	/* by SAS or DAS */
#define PACKET3_DMA_DATA_SEL_GDS		1
#define PACKET3_DMA_DATA_SRC_SEL_DATA		2
#define PACKET3_DMA_DATA_DST_SEL_NOWHERE	2
#define PACKET3_DMA_DATA_SEL_ADDR_L2		3
/* Command: S is the source, D the destination; AS register space, AIC no increment */
#define PACKET3_DMA_DATA_CMD_SAS		(1 << 26)
#define PACKET3_DMA_DATA_CMD_DAS		(1 << 27)
#define PACKET3_DMA_DATA_CMD_SAIC		(1 << 28)
#define PACKET3_DMA_DATA_CMD_DAIC		(1 << 29)
#define PACKET3_DMA_DATA_CMD_RAW_WAIT		(1 << 30)
#define PACKET3_DMA_DATA_CMD_DIS_WC		(1u << 31)
#define PACKET3_DMA_DATA_CMD_GET_BYTE_COUNT(dw)	((dw) & 0x3ffffff)

/*
 * ACQUIRE_MEM: CP_COHER_CNTL and engine [31], size, size high, base low, high (units of 256
 * bytes), poll interval [15:0].
 */
#define PACKET3_ACQUIRE_MEM_ENGINE_ME		(1u << 31)	/* else PFP */
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_TC_NC_ACTION_ENA(x)		((x) << 3)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_TC_WC_ACTION_ENA(x)		((x) << 4)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_TC_INV_METADATA_ACTION_ENA(x)	((x) << 5)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_TCL1_VOL_ACTION_ENA(x)	((x) << 15)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_TC_WB_ACTION_ENA(x)		((x) << 18)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_TCL1_ACTION_ENA(x)		((x) << 22)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_TC_ACTION_ENA(x)		((x) << 23)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_CB_ACTION_ENA(x)		((__u32)(x) << 25)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_DB_ACTION_ENA(x)		((__u32)(x) << 26)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_SH_KCACHE_ACTION_ENA(x)	((__u32)(x) << 27)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_SH_KCACHE_VOL_ACTION_ENA(x)	((__u32)(x) << 28)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_SH_ICACHE_ACTION_ENA(x)	((__u32)(x) << 29)
#define PACKET3_ACQUIRE_MEM_CP_COHER_CNTL_SH_KCACHE_WB_ACTION_ENA(x)	((__u32)(x) << 30)

/*
 * ATOMIC_MEM: control, address low, high, source data low, high, compare data low, high,
 * loop interval [12:0].  The operation is one of TC_OP_*.
 */
#define PACKET3_ATOMIC_MEM_ATOMIC(x)		((x) << 0)
#define PACKET3_ATOMIC_MEM_COMMAND(x)		((x) << 8)
#define PACKET3_ATOMIC_MEM_CACHE_POLICY(x)	((__u32)(x) << 25)
#define PACKET3_ATOMIC_MEM_ENGINE_SEL(x)	((__u32)(x) << 30)
#define PACKET3_ATOMIC_MEM_GET_ATOMIC(dw)	((dw) & 0x7f)
#define PACKET3_ATOMIC_MEM_GET_COMMAND(dw)	(((dw) >> 8) & 0xf)
#define PACKET3_ATOMIC_MEM_GET_ENGINE_SEL(dw)	(((dw) >> 30) & 0x3)
#define PACKET3_ATOMIC_MEM_GET_LOOP_INTERVAL(dw) ((dw) & 0x1fff)
#define PACKET3_ATOMIC_MEM_COMMAND_SINGLE	0
#define PACKET3_ATOMIC_MEM_COMMAND_LOOP		1	/* until the compare succeeds */

/* Operations of the cache, for ATOMIC_MEM and for the SDMA packet ATOMIC */
#define TC_OP_READ					0x00
#define TC_OP_ATOMIC_FCMPSWAP_RTN_32			0x01
#define TC_OP_ATOMIC_FMIN_RTN_32			0x02
#define TC_OP_ATOMIC_FMAX_RTN_32			0x03
#define TC_OP_ATOMIC_SWAP_RTN_32			0x07
#define TC_OP_ATOMIC_CMPSWAP_RTN_32			0x08
#define TC_OP_ATOMIC_FCMPSWAP_FLUSH_DENORM_RTN_32	0x09
#define TC_OP_ATOMIC_FMIN_FLUSH_DENORM_RTN_32		0x0a
#define TC_OP_ATOMIC_FMAX_FLUSH_DENORM_RTN_32		0x0b
#define TC_OP_PROBE_FILTER				0x0c
#define TC_OP_ATOMIC_ADD_RTN_32				0x0f
#define TC_OP_ATOMIC_SUB_RTN_32				0x10
#define TC_OP_ATOMIC_SMIN_RTN_32			0x11
#define TC_OP_ATOMIC_UMIN_RTN_32			0x12
#define TC_OP_ATOMIC_SMAX_RTN_32			0x13
#define TC_OP_ATOMIC_UMAX_RTN_32			0x14
#define TC_OP_ATOMIC_AND_RTN_32				0x15
#define TC_OP_ATOMIC_OR_RTN_32				0x16
#define TC_OP_ATOMIC_XOR_RTN_32				0x17
#define TC_OP_ATOMIC_INC_RTN_32				0x18
#define TC_OP_ATOMIC_DEC_RTN_32				0x19
#define TC_OP_WBINVL1_VOL				0x1a
#define TC_OP_WBINVL1_SD				0x1b
#define TC_OP_WRITE					0x20
#define TC_OP_ATOMIC_FCMPSWAP_RTN_64			0x21
#define TC_OP_ATOMIC_FMIN_RTN_64			0x22
#define TC_OP_ATOMIC_FMAX_RTN_64			0x23
#define TC_OP_ATOMIC_SWAP_RTN_64			0x27
#define TC_OP_ATOMIC_CMPSWAP_RTN_64			0x28
#define TC_OP_ATOMIC_FCMPSWAP_FLUSH_DENORM_RTN_64	0x29
#define TC_OP_ATOMIC_FMIN_FLUSH_DENORM_RTN_64		0x2a
#define TC_OP_ATOMIC_FMAX_FLUSH_DENORM_RTN_64		0x2b
#define TC_OP_WBINVL2_SD				0x2c
#define TC_OP_ATOMIC_ADD_RTN_64				0x2f
#define TC_OP_ATOMIC_SUB_RTN_64				0x30
#define TC_OP_ATOMIC_SMIN_RTN_64			0x31
#define TC_OP_ATOMIC_UMIN_RTN_64			0x32
#define TC_OP_ATOMIC_SMAX_RTN_64			0x33
#define TC_OP_ATOMIC_UMAX_RTN_64			0x34
#define TC_OP_ATOMIC_AND_RTN_64				0x35
#define TC_OP_ATOMIC_OR_RTN_64				0x36
#define TC_OP_ATOMIC_XOR_RTN_64				0x37
#define TC_OP_ATOMIC_INC_RTN_64				0x38
#define TC_OP_ATOMIC_DEC_RTN_64				0x39
#define TC_OP_WBL2_NC					0x3a
#define TC_OP_WBL2_WC					0x3b
#define TC_OP_WBINVL1					0x40
#define TC_OP_ATOMIC_FCMPSWAP_32			0x41
#define TC_OP_ATOMIC_FMIN_32				0x42
#define TC_OP_ATOMIC_FMAX_32				0x43
#define TC_OP_ATOMIC_SWAP_32				0x47
#define TC_OP_ATOMIC_CMPSWAP_32				0x48
#define TC_OP_ATOMIC_FCMPSWAP_FLUSH_DENORM_32		0x49
#define TC_OP_ATOMIC_FMIN_FLUSH_DENORM_32		0x4a
#define TC_OP_ATOMIC_FMAX_FLUSH_DENORM_32		0x4b
#define TC_OP_INV_METADATA				0x4c
#define TC_OP_ATOMIC_ADD_32				0x4f
#define TC_OP_ATOMIC_SUB_32				0x50
#define TC_OP_ATOMIC_SMIN_32				0x51
#define TC_OP_ATOMIC_UMIN_32				0x52
#define TC_OP_ATOMIC_SMAX_32				0x53
#define TC_OP_ATOMIC_UMAX_32				0x54
#define TC_OP_ATOMIC_AND_32				0x55
#define TC_OP_ATOMIC_OR_32				0x56
#define TC_OP_ATOMIC_XOR_32				0x57
#define TC_OP_ATOMIC_INC_32				0x58
#define TC_OP_ATOMIC_DEC_32				0x59
#define TC_OP_INVL2_NC					0x5a
#define TC_OP_NOP_RTN0					0x5b
#define TC_OP_WBINVL2					0x60
#define TC_OP_ATOMIC_FCMPSWAP_64			0x61
#define TC_OP_ATOMIC_FMIN_64				0x62
#define TC_OP_ATOMIC_FMAX_64				0x63
#define TC_OP_ATOMIC_SWAP_64				0x67
#define TC_OP_ATOMIC_CMPSWAP_64				0x68
#define TC_OP_ATOMIC_FCMPSWAP_FLUSH_DENORM_64		0x69
#define TC_OP_ATOMIC_FMIN_FLUSH_DENORM_64		0x6a
#define TC_OP_ATOMIC_FMAX_FLUSH_DENORM_64		0x6b
#define TC_OP_ATOMIC_ADD_64				0x6f
#define TC_OP_ATOMIC_SUB_64				0x70
#define TC_OP_ATOMIC_SMIN_64				0x71
#define TC_OP_ATOMIC_UMIN_64				0x72
#define TC_OP_ATOMIC_SMAX_64				0x73
#define TC_OP_ATOMIC_UMAX_64				0x74
#define TC_OP_ATOMIC_AND_64				0x75
#define TC_OP_ATOMIC_OR_64				0x76
#define TC_OP_ATOMIC_XOR_64				0x77
#define TC_OP_ATOMIC_INC_64				0x78
#define TC_OP_ATOMIC_DEC_64				0x79
#define TC_OP_WBINVL2_NC				0x7a
#define TC_OP_NOP_ACK					0x7b

/* SET_PREDICATION: control, address low [31:4], high */
#define PACKET3_SET_PREDICATION_BOOL(x)		((x) << 8)
#define PACKET3_SET_PREDICATION_HINT(x)		((x) << 12)
#define PACKET3_SET_PREDICATION_OP(x)		((x) << 16)
#define PACKET3_SET_PREDICATION_CONTINUE	(1u << 31)
#define PACKET3_SET_PREDICATION_GET_BOOL(dw)	(((dw) >> 8) & 0x1)
#define PACKET3_SET_PREDICATION_GET_HINT(dw)	(((dw) >> 12) & 0x1)
#define PACKET3_SET_PREDICATION_GET_OP(dw)	(((dw) >> 16) & 0x7)
#define PACKET3_SET_PREDICATION_OP_CLEAR	0
#define PACKET3_SET_PREDICATION_OP_ZPASS	1
#define PACKET3_SET_PREDICATION_OP_PRIMCOUNT	2
#define PACKET3_SET_PREDICATION_OP_MEM		3

/*
 * CONTEXT_CONTROL: load control, shadow control.  ENABLE makes the rest of its dword count; the
 * shadow bits are those of loading, without CE_RAM.
 */
#define PACKET3_CONTEXT_CONTROL_ENABLE		(1u << 31)
#define PACKET3_CONTEXT_CONTROL_LOAD_CE_RAM	(1 << 28)
#define PACKET3_CONTEXT_CONTROL_LOAD_CS_SH	(1 << 24)
#define PACKET3_CONTEXT_CONTROL_LOAD_GFX_SH	(1 << 16)
#define PACKET3_CONTEXT_CONTROL_LOAD_UCONFIG	(1 << 15)
#define PACKET3_CONTEXT_CONTROL_LOAD_CONTEXT	(1 << 1)
#define PACKET3_CONTEXT_CONTROL_LOAD_CONFIG	(1 << 0)

/* SWITCH_BUFFER: bit 0 is TMZ.  FRAME_CONTROL: TMZ and command */
#define FRAME_TMZ				(1 << 0)
#define FRAME_CMD(x)				((__u32)(x) << 28)

/* INVALIDATE_TLBS: one dword */
#define PACKET3_INVALIDATE_TLBS_DST_SEL(x)	((x) << 0)
#define PACKET3_INVALIDATE_TLBS_ALL_HUB(x)	((x) << 4)
#define PACKET3_INVALIDATE_TLBS_PASID(x)	((x) << 5)
#define PACKET3_INVALIDATE_TLBS_FLUSH_TYPE(x)	((__u32)(x) << 29)
#define PACKET3_INVALIDATE_TLBS_GET_DST_SEL(dw)	((dw) & 0xf)
#define PACKET3_INVALIDATE_TLBS_GET_ALL_HUB(dw)	(((dw) >> 4) & 0x1)
#define PACKET3_INVALIDATE_TLBS_GET_PASID(dw)	(((dw) >> 5) & 0xffff)
#define PACKET3_INVALIDATE_TLBS_BY_PASID	1

/* SET_RESOURCES: control, queue mask low, high, GWS mask low, high, OAC mask, GDS heap */
#define PACKET3_SET_RESOURCES_VMID_MASK(x)	((x) << 0)
#define PACKET3_SET_RESOURCES_UNMAP_LATENTY(x)	((x) << 16)
#define PACKET3_SET_RESOURCES_QUEUE_TYPE(x)	((__u32)(x) << 29)
#define PACKET3_SET_RESOURCES_GET_VMID_MASK(dw)	((dw) & 0xffff)
#define PACKET3_SET_RESOURCES_GET_QUEUE_TYPE(dw) (((dw) >> 29) & 0x7)
#define PACKET3_SET_RESOURCES_TYPE_KIQ		0
#define PACKET3_SET_RESOURCES_TYPE_HIQ		1
#define PACKET3_SET_RESOURCES_TYPE_DIQ		4

/* MAP_QUEUES: control, doorbell, MQD address low, high, write pointer address low, high */
#define PACKET3_MAP_QUEUES_QUEUE_SEL(x)		((x) << 4)
#define PACKET3_MAP_QUEUES_VMID(x)		((x) << 8)
#define PACKET3_MAP_QUEUES_QUEUE(x)		((x) << 13)
#define PACKET3_MAP_QUEUES_PIPE(x)		((x) << 16)
#define PACKET3_MAP_QUEUES_ME(x)		((x) << 18)
#define PACKET3_MAP_QUEUES_QUEUE_TYPE(x)	((x) << 21)
#define PACKET3_MAP_QUEUES_ALLOC_FORMAT(x)	((__u32)(x) << 24)
#define PACKET3_MAP_QUEUES_ENGINE_SEL(x)	((__u32)(x) << 26)
#define PACKET3_MAP_QUEUES_NUM_QUEUES(x)	((__u32)(x) << 29)
#define PACKET3_MAP_QUEUES_CHECK_DISABLE(x)	((x) << 1)
#define PACKET3_MAP_QUEUES_DOORBELL_OFFSET(x)	((x) << 2)
#define PACKET3_MAP_QUEUES_EXT_ENGINE_SEL(x)	((x) << 2)
#define PACKET3_MAP_QUEUES_GET_EXT_ENGINE_SEL(dw) (((dw) >> 2) & 0x3)
#define PACKET3_MAP_QUEUES_GET_QUEUE_SEL(dw)	(((dw) >> 4) & 0x3)
#define PACKET3_MAP_QUEUES_GET_VMID(dw)		(((dw) >> 8) & 0xf)
#define PACKET3_MAP_QUEUES_GET_QUEUE(dw)	(((dw) >> 13) & 0x7)
#define PACKET3_MAP_QUEUES_GET_PIPE(dw)		(((dw) >> 16) & 0x3)
#define PACKET3_MAP_QUEUES_GET_ME(dw)		(((dw) >> 18) & 0x1)
#define PACKET3_MAP_QUEUES_GET_QUEUE_TYPE(dw)	(((dw) >> 21) & 0x7)
#define PACKET3_MAP_QUEUES_GET_ENGINE_SEL(dw)	(((dw) >> 26) & 0x7)
#define PACKET3_MAP_QUEUES_GET_NUM_QUEUES(dw)	(((dw) >> 29) & 0x7)
#define PACKET3_MAP_QUEUES_GET_DOORBELL_OFFSET(dw) (((dw) >> 2) & 0x3ffffff)
#define MAP_QUEUES_SEL_SLOT			0	/* the slot that the packet names */
#define MAP_QUEUES_SEL_HWS			1	/* any slot that SET_RESOURCES gave */
#define MAP_QUEUES_TYPE_COMPUTE			0
#define MAP_QUEUES_TYPE_DEBUG			1
#define MAP_QUEUES_TYPE_STATIC			2
#define MAP_QUEUES_TYPE_STATIC_LOW_LATENCY	3
/* Engines of MAP_QUEUES, UNMAP_QUEUES and QUERY_STATUS; an extended selector counts anew */
#define QUEUES_ENGINE_COMPUTE			0
#define QUEUES_ENGINE_HIQ			1
#define QUEUES_ENGINE_SDMA0			2
#define QUEUES_ENGINE_SDMA1			3
#define QUEUES_ENGINE_GFX			4
#define QUEUES_EXT_LEGACY			0
#define QUEUES_EXT_SDMA0_TO_7			1

/* UNMAP_QUEUES: control, then PASID or up to four doorbells */
#define PACKET3_UNMAP_QUEUES_ACTION(x)		((x) << 0)
#define PACKET3_UNMAP_QUEUES_QUEUE_SEL(x)	((x) << 4)
#define PACKET3_UNMAP_QUEUES_ENGINE_SEL(x)	((__u32)(x) << 26)
#define PACKET3_UNMAP_QUEUES_NUM_QUEUES(x)	((__u32)(x) << 29)
#define PACKET3_UNMAP_QUEUES_PASID(x)		((x) << 0)
#define PACKET3_UNMAP_QUEUES_DOORBELL_OFFSET0(x) ((x) << 2)
#define PACKET3_UNMAP_QUEUES_DOORBELL_OFFSET1(x) ((x) << 2)
#define PACKET3_UNMAP_QUEUES_RB_WPTR(x)		((x) << 0)
#define PACKET3_UNMAP_QUEUES_DOORBELL_OFFSET2(x) ((x) << 2)
#define PACKET3_UNMAP_QUEUES_DOORBELL_OFFSET3(x) ((x) << 2)
#define PACKET3_UNMAP_QUEUES_GET_ACTION(dw)	((dw) & 0x3)
#define PACKET3_UNMAP_QUEUES_GET_QUEUE_SEL(dw)	(((dw) >> 4) & 0x3)
#define PACKET3_UNMAP_QUEUES_GET_NUM_QUEUES(dw)	(((dw) >> 29) & 0x7)
#define PACKET3_UNMAP_QUEUES_GET_PASID(dw)	((dw) & 0xffff)
#define PACKET3_UNMAP_QUEUES_GET_DOORBELL_OFFSET(dw) (((dw) >> 2) & 0x3ffffff)
#define UNMAP_QUEUES_PREEMPT			0
#define UNMAP_QUEUES_RESET			1
#define UNMAP_QUEUES_DISABLE_PROCESS		2
#define UNMAP_QUEUES_PREEMPT_NO_UNMAP		3
#define UNMAP_QUEUES_SEL_DOORBELLS		0
#define UNMAP_QUEUES_SEL_PASID			1
#define UNMAP_QUEUES_SEL_ALL			2
#define UNMAP_QUEUES_SEL_ALL_DYNAMIC		3

/*
 * QUERY_STATUS: control, PASID or doorbell, address low, high, data low, high.  ENG_SEL is where
 * soc15d.h has it; the scheduler's own header has it at 28.
 */
#define PACKET3_QUERY_STATUS_CONTEXT_ID(x)	((x) << 0)
#define PACKET3_QUERY_STATUS_INTERRUPT_SEL(x)	((__u32)(x) << 28)
#define PACKET3_QUERY_STATUS_COMMAND(x)		((__u32)(x) << 30)
#define PACKET3_QUERY_STATUS_PASID(x)		((x) << 0)
#define PACKET3_QUERY_STATUS_DOORBELL_OFFSET(x)	((x) << 2)
#define PACKET3_QUERY_STATUS_ENG_SEL(x)		((__u32)(x) << 25)
#define PACKET3_QUERY_STATUS_GET_CONTEXT_ID(dw)	((dw) & 0xfffffff)
#define PACKET3_QUERY_STATUS_GET_INTERRUPT_SEL(dw) (((dw) >> 28) & 0x3)
#define PACKET3_QUERY_STATUS_GET_COMMAND(dw)	(((dw) >> 30) & 0x3)
#define QUERY_STATUS_COMPLETION			0
#define QUERY_STATUS_PROCESS			1
#define QUERY_STATUS_QUEUE			2
#define QUERY_STATUS_INTERRUPT			0
#define QUERY_STATUS_FENCE			1
#define QUERY_STATUS_FENCE_CONFIRM		2
#define QUERY_STATUS_FENCE_INTERRUPT		3

/* RUN_LIST: buffer address low [31:2], high, control */
#define PACKET3_RUN_LIST_IB_SIZE(x)		((x) << 0)
#define PACKET3_RUN_LIST_CHAIN(x)		((x) << 20)
#define PACKET3_RUN_LIST_OFFLOAD_POLLING(x)	((x) << 21)
#define PACKET3_RUN_LIST_CHAINED_IDLE_DISABLE(x) ((x) << 22)
#define PACKET3_RUN_LIST_VALID(x)		((x) << 23)
#define PACKET3_RUN_LIST_PROCESS_CNT(x)		((__u32)(x) << 24)
#define PACKET3_RUN_LIST_GET_IB_SIZE(dw)	((dw) & 0xfffff)
#define PACKET3_RUN_LIST_GET_CHAIN(dw)		(((dw) >> 20) & 0x1)
#define PACKET3_RUN_LIST_GET_VALID(dw)		(((dw) >> 23) & 0x1)
#define PACKET3_RUN_LIST_GET_PROCESS_CNT(dw)	(((dw) >> 24) & 0xf)

/*
 * MAP_PROCESS: control, page table base low, high, SH_MEM_BASES, SH_MEM_CONFIG, trap handler
 * (SQ_SHADER_TBA) low, high, its data (TMA) low, high, reserved, GDS address low, high, resources,
 * on MI250X then SPI_GDBG_PER_VMID_CNTL and four TCP_WATCH_CNTL, completion signal low, high.
 */
#define PACKET3_MAP_PROCESS_PASID(x)		((x) << 0)
#define PACKET3_MAP_PROCESS_SINGLE_MEMOPS(x)	((x) << 16)
#define PACKET3_MAP_PROCESS_DEBUG_VMID(x)	((x) << 18)
#define PACKET3_MAP_PROCESS_NEW_DEBUG(x)	((x) << 22)
#define PACKET3_MAP_PROCESS_TMZ(x)		((x) << 23)
#define PACKET3_MAP_PROCESS_DIQ_ENABLE(x)	((__u32)(x) << 24)
#define PACKET3_MAP_PROCESS_PROCESS_QUANTUM(x)	((__u32)(x) << 25)
#define PACKET3_MAP_PROCESS_NUM_GWS(x)		((x) << 0)
#define PACKET3_MAP_PROCESS_SDMA_ENABLE(x)	((x) << 7)
#define PACKET3_MAP_PROCESS_NUM_OAC(x)		((x) << 8)
#define PACKET3_MAP_PROCESS_GDS_SIZE_HI(x)	((x) << 12)
#define PACKET3_MAP_PROCESS_GDS_SIZE(x)		((x) << 16)
#define PACKET3_MAP_PROCESS_NUM_QUEUES(x)	((__u32)(x) << 22)
#define PACKET3_MAP_PROCESS_GET_PASID(dw)	((dw) & 0xffff)
#define PACKET3_MAP_PROCESS_GET_PROCESS_QUANTUM(dw) (((dw) >> 25) & 0x7f)

#endif /* _HW_PM4_H */
