// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The packets of the command processor, field by field (hw/pm4.h).
 * Documentation/hardware.rst, "Command processor".
 */
#include <hw/pm4.h>

#include "packets.h"

/* @unit is the field with value 1, as hw/pm4.h places it: its shift. */
#define F(text, n, unit, width) \
	{ .name = text, .kind = PKT_BITS, .dw = n, .shift = __builtin_ctz(unit), \
	  .mask = (width) == 32 ? ~0u : (1u << (width)) - 1 }
#define FS(text, n, unit, width, table) \
	{ .name = text, .kind = PKT_BITS, .dw = n, .shift = __builtin_ctz(unit), \
	  .mask = (1u << (width)) - 1, .syms = table }
#define DW(text, n)	F(text, n, 1u, 32)
#define ADDR(text, n)	{ .name = text, .kind = PKT_WIDE, .dw = n }
#define PKT(n, words, more, ...) \
	{ .name = #n, .op = PACKET3_##n, .fixed = words, .data = more, .field = { __VA_ARGS__ } }

#define S(prefix, n)	{ #n, prefix##n }

static const struct pkt_sym write_data_dst[] = {
	{ "reg", WRITE_DATA_DST_SEL_REG }, { "mem_grbm", WRITE_DATA_DST_SEL_MEM_GRBM },
	{ "tc_l2", WRITE_DATA_DST_SEL_TC_L2 }, { "gds", WRITE_DATA_DST_SEL_GDS },
	{ "mem", WRITE_DATA_DST_SEL_MEM }, { NULL, 0 }
};

static const struct pkt_sym engine_sel[] = {
	{ "me", WRITE_DATA_ENGINE_SEL_ME }, { "pfp", WRITE_DATA_ENGINE_SEL_PFP },
	{ "ce", WRITE_DATA_ENGINE_SEL_CE }, { NULL, 0 }
};

static const struct pkt_sym copy_src[] = {
	{ "reg", PACKET3_COPY_DATA_SRC_REG }, { "mem", PACKET3_COPY_DATA_SRC_MEM },
	{ "tc_l2", PACKET3_COPY_DATA_SRC_TC_L2 }, { "gds", PACKET3_COPY_DATA_SRC_GDS },
	{ "perf", PACKET3_COPY_DATA_SRC_PERF }, { "imm", PACKET3_COPY_DATA_SRC_IMM },
	{ "atomic_return", PACKET3_COPY_DATA_SRC_ATOMIC_RETURN },
	{ "gpu_clock", PACKET3_COPY_DATA_SRC_GPU_CLOCK }, { NULL, 0 }
};

static const struct pkt_sym copy_dst[] = {
	{ "reg", PACKET3_COPY_DATA_DST_REG }, { "mem_grbm", PACKET3_COPY_DATA_DST_MEM_GRBM },
	{ "tc_l2", PACKET3_COPY_DATA_DST_TC_L2 }, { "gds", PACKET3_COPY_DATA_DST_GDS },
	{ "perf", PACKET3_COPY_DATA_DST_PERF }, { "mem", PACKET3_COPY_DATA_DST_MEM }, { NULL, 0 }
};

static const struct pkt_sym wait_func[] = {
	{ "always", WAIT_REG_MEM_FUNC_ALWAYS }, { "lt", WAIT_REG_MEM_FUNC_LT },
	{ "le", WAIT_REG_MEM_FUNC_LE }, { "eq", WAIT_REG_MEM_FUNC_EQ },
	{ "ne", WAIT_REG_MEM_FUNC_NE }, { "ge", WAIT_REG_MEM_FUNC_GE },
	{ "gt", WAIT_REG_MEM_FUNC_GT }, { NULL, 0 }
};

static const struct pkt_sym wait_space[] = {
	{ "reg", WAIT_REG_MEM_SPACE_REG }, { "mem", WAIT_REG_MEM_SPACE_MEM }, { NULL, 0 }
};

static const struct pkt_sym wait_op[] = {
	{ "wait", WAIT_REG_MEM_OP_WAIT }, { "wr_wait_wr_reg", WAIT_REG_MEM_OP_WR_WAIT_WR_REG },
	{ "wait_cond", WAIT_REG_MEM_OP_WAIT_COND },
	{ "wait_mem_preemptable", WAIT_REG_MEM_OP_WAIT_MEM_PREEMPTABLE }, { NULL, 0 }
};

static const struct pkt_sym events[] = {
	S(, CACHE_FLUSH_TS), S(, CONTEXT_DONE), S(, CACHE_FLUSH), S(, CS_PARTIAL_FLUSH),
	S(, VS_PARTIAL_FLUSH), S(, PS_PARTIAL_FLUSH), S(, CACHE_FLUSH_AND_INV_TS_EVENT),
	S(, ZPASS_DONE), S(, CACHE_FLUSH_AND_INV_EVENT), S(, SAMPLE_PIPELINESTAT),
	S(, SAMPLE_STREAMOUTSTATS), S(, VGT_FLUSH), S(, BOTTOM_OF_PIPE_TS),
	S(, CS_DONE), S(, PS_DONE), { NULL, 0 }
};

static const struct pkt_sym release_data[] = {
	{ "none", RELEASE_MEM_DATA_NONE }, { "32", RELEASE_MEM_DATA_32 },
	{ "64", RELEASE_MEM_DATA_64 }, { "gpu_clock", RELEASE_MEM_DATA_GPU_CLOCK },
	{ "perfcounter", RELEASE_MEM_DATA_PERFCOUNTER }, { "gds", RELEASE_MEM_DATA_GDS },
	{ NULL, 0 }
};

static const struct pkt_sym release_int[] = {
	{ "none", RELEASE_MEM_INT_NONE }, { "only", RELEASE_MEM_INT_ONLY },
	{ "after_confirm", RELEASE_MEM_INT_AFTER_CONFIRM },
	{ "data_after_confirm", RELEASE_MEM_INT_DATA_AFTER_CONFIRM },
	{ "ctxid", RELEASE_MEM_INT_CTXID }, { NULL, 0 }
};

static const struct pkt_sym dma_src[] = {
	{ "addr", PACKET3_DMA_DATA_SEL_ADDR }, { "gds", PACKET3_DMA_DATA_SEL_GDS },
	{ "data", PACKET3_DMA_DATA_SRC_SEL_DATA }, { "addr_l2", PACKET3_DMA_DATA_SEL_ADDR_L2 },
	{ NULL, 0 }
};

static const struct pkt_sym dma_dst[] = {
	{ "addr", PACKET3_DMA_DATA_SEL_ADDR }, { "gds", PACKET3_DMA_DATA_SEL_GDS },
	{ "nowhere", PACKET3_DMA_DATA_DST_SEL_NOWHERE },
	{ "addr_l2", PACKET3_DMA_DATA_SEL_ADDR_L2 }, { NULL, 0 }
};

static const struct pkt_sym atomics[] = {
	S(TC_OP_ATOMIC_, SWAP_RTN_32), S(TC_OP_ATOMIC_, CMPSWAP_RTN_32),
	S(TC_OP_ATOMIC_, ADD_RTN_32), S(TC_OP_ATOMIC_, SUB_RTN_32),
	S(TC_OP_ATOMIC_, AND_RTN_32), S(TC_OP_ATOMIC_, OR_RTN_32),
	S(TC_OP_ATOMIC_, XOR_RTN_32), S(TC_OP_ATOMIC_, INC_RTN_32),
	S(TC_OP_ATOMIC_, DEC_RTN_32), S(TC_OP_ATOMIC_, SWAP_RTN_64),
	S(TC_OP_ATOMIC_, CMPSWAP_RTN_64), S(TC_OP_ATOMIC_, ADD_RTN_64),
	S(TC_OP_ATOMIC_, SUB_RTN_64), S(TC_OP_ATOMIC_, SWAP_32), S(TC_OP_ATOMIC_, CMPSWAP_32),
	S(TC_OP_ATOMIC_, ADD_32), S(TC_OP_ATOMIC_, SUB_32), S(TC_OP_ATOMIC_, ADD_64),
	S(TC_OP_ATOMIC_, SUB_64), { NULL, 0 }
};

static const struct pkt_sym atomic_cmd[] = {
	{ "single", PACKET3_ATOMIC_MEM_COMMAND_SINGLE },
	{ "loop", PACKET3_ATOMIC_MEM_COMMAND_LOOP }, { NULL, 0 }
};

#define SET_REG(n) \
	PKT(n, 2, true, F("reg", 1, 1u, 16), F("index", 1, 1u << 28, 4))

#define IB(n) \
	PKT(n, 4, false, \
	    ADDR("addr", 1), F("size", 3, INDIRECT_BUFFER_IB_SIZE(1), 20), \
	    F("chain", 3, INDIRECT_BUFFER_CHAIN, 1), \
	    F("pre_enb", 3, INDIRECT_BUFFER_PRE_ENB(1), 1), \
	    F("valid", 3, INDIRECT_BUFFER_VALID, 1), \
	    F("vmid", 3, INDIRECT_BUFFER_VMID(1), 4), \
	    F("cache_policy", 3, INDIRECT_BUFFER_CACHE_POLICY(1), 2), \
	    F("pre_resume", 3, INDIRECT_BUFFER_PRE_RESUME(1), 1))

/* A packet whose fields nobody has described yet: all of it is data. */
#define RAW(n)	PKT(n, 1, true)

const struct pkt_desc pkt_pm4[] = {
	RAW(NOP),
	PKT(SET_BASE, 4, false,
	    F("index", 1, PACKET3_BASE_INDEX(1), 4), ADDR("addr", 2)),
	PKT(CLEAR_STATE, 2, false, F("cmd", 1, 1u, 4)),
	PKT(DISPATCH_DIRECT, 5, false,
	    DW("x", 1), DW("y", 2), DW("z", 3), DW("initiator", 4)),
	PKT(DISPATCH_INDIRECT, 3, false, DW("offset", 1), DW("initiator", 2)),
	PKT(ATOMIC_MEM, 9, false,
	    FS("op", 1, PACKET3_ATOMIC_MEM_ATOMIC(1), 7, atomics),
	    FS("command", 1, PACKET3_ATOMIC_MEM_COMMAND(1), 4, atomic_cmd),
	    F("cache_policy", 1, PACKET3_ATOMIC_MEM_CACHE_POLICY(1), 2),
	    FS("engine", 1, PACKET3_ATOMIC_MEM_ENGINE_SEL(1), 2, engine_sel),
	    ADDR("addr", 2), ADDR("src", 4), ADDR("cmp", 6), F("interval", 8, 1u, 13)),
	PKT(SET_PREDICATION, 4, false,
	    F("bool", 1, PACKET3_SET_PREDICATION_BOOL(1), 1),
	    F("hint", 1, PACKET3_SET_PREDICATION_HINT(1), 1),
	    F("op", 1, PACKET3_SET_PREDICATION_OP(1), 3),
	    F("continue", 1, PACKET3_SET_PREDICATION_CONTINUE, 1), ADDR("addr", 2)),
	PKT(REG_RMW, 4, false, DW("reg", 1), DW("and", 2), DW("or", 3)),
	PKT(COND_EXEC, 5, false, ADDR("addr", 1), F("count", 4, 1u, 14)),
	PKT(CONTEXT_CONTROL, 3, false, DW("load", 1), DW("shadow", 2)),
	IB(INDIRECT_BUFFER_CONST),
	PKT(WRITE_DATA, 4, true,
	    FS("dst", 1, WRITE_DATA_DST_SEL(1), 4, write_data_dst),
	    F("one_addr", 1, WR_ONE_ADDR, 1), F("confirm", 1, WR_CONFIRM, 1),
	    F("cache_policy", 1, WRITE_DATA_CACHE_POLICY(1), 2),
	    FS("engine", 1, WRITE_DATA_ENGINE_SEL(1), 2, engine_sel), ADDR("addr", 2)),
	PKT(MEM_SEMAPHORE, 4, false,
	    ADDR("addr", 1), F("mailbox", 3, PACKET3_SEM_USE_MAILBOX, 1),
	    F("signal_type", 3, PACKET3_SEM_SEL_SIGNAL_TYPE, 1), F("sel", 3, 1u << 29, 3)),
	PKT(WAIT_REG_MEM, 7, false,
	    FS("func", 1, WAIT_REG_MEM_FUNCTION(1), 3, wait_func),
	    FS("space", 1, WAIT_REG_MEM_MEM_SPACE(1), 2, wait_space),
	    FS("operation", 1, WAIT_REG_MEM_OPERATION(1), 2, wait_op),
	    FS("engine", 1, WAIT_REG_MEM_ENGINE(1), 2, engine_sel),
	    ADDR("addr", 2), DW("ref", 4), DW("mask", 5), F("interval", 6, 1u, 16)),
	IB(INDIRECT_BUFFER),
	PKT(COPY_DATA, 6, false,
	    FS("src_sel", 1, PACKET3_COPY_DATA_SRC_SEL(1), 4, copy_src),
	    FS("dst_sel", 1, PACKET3_COPY_DATA_DST_SEL(1), 4, copy_dst),
	    F("src_cache_policy", 1, PACKET3_COPY_DATA_SRC_CACHE_POLICY(1), 2),
	    F("wide", 1, PACKET3_COPY_DATA_COUNT_SEL, 1),
	    F("confirm", 1, PACKET3_COPY_DATA_WR_CONFIRM, 1),
	    F("dst_cache_policy", 1, PACKET3_COPY_DATA_DST_CACHE_POLICY(1), 2),
	    FS("engine", 1, PACKET3_COPY_DATA_ENGINE_SEL(1), 2, engine_sel),
	    ADDR("src", 2), ADDR("addr", 4)),
	PKT(PFP_SYNC_ME, 2, false, DW("dummy", 1)),
	PKT(EVENT_WRITE, 2, true,
	    FS("event", 1, EVENT_TYPE(1), 6, events),
	    F("event_index", 1, EVENT_INDEX(1), 4)),
	PKT(RELEASE_MEM, 8, false,
	    FS("event", 1, EVENT_TYPE(1), 6, events), F("event_index", 1, EVENT_INDEX(1), 4),
	    F("tcl1_action", 1, EOP_TCL1_ACTION_EN, 1), F("tc_action", 1, EOP_TC_ACTION_EN, 1),
	    F("tc_wb_action", 1, EOP_TC_WB_ACTION_EN, 1),
	    F("tc_nc_action", 1, EOP_TC_NC_ACTION_EN, 1),
	    F("tc_md_action", 1, EOP_TC_MD_ACTION_EN, 1), F("exec", 1, EOP_EXEC, 1),
	    F("dst_sel", 2, DST_SEL(1), 2), FS("int_sel", 2, INT_SEL(1), 3, release_int),
	    FS("data_sel", 2, DATA_SEL(1), 3, release_data),
	    ADDR("addr", 3), ADDR("data", 5), DW("ctxid", 7)),
	PKT(PREAMBLE_CNTL, 2, false, DW("cmd", 1)),
	PKT(DMA_DATA, 7, false,
	    FS("engine", 1, PACKET3_DMA_DATA_ENGINE(1), 1, engine_sel),
	    F("src_cache_policy", 1, PACKET3_DMA_DATA_SRC_CACHE_POLICY(1), 2),
	    FS("dst_sel", 1, PACKET3_DMA_DATA_DST_SEL(1), 2, dma_dst),
	    F("dst_cache_policy", 1, PACKET3_DMA_DATA_DST_CACHE_POLICY(1), 2),
	    FS("src_sel", 1, PACKET3_DMA_DATA_SRC_SEL(1), 2, dma_src),
	    F("cp_sync", 1, PACKET3_DMA_DATA_CP_SYNC, 1),
	    ADDR("src", 2), ADDR("addr", 4), F("bytes", 6, 1u, 26),
	    F("sas", 6, PACKET3_DMA_DATA_CMD_SAS, 1), F("das", 6, PACKET3_DMA_DATA_CMD_DAS, 1),
	    F("saic", 6, PACKET3_DMA_DATA_CMD_SAIC, 1),
	    F("daic", 6, PACKET3_DMA_DATA_CMD_DAIC, 1),
	    F("raw_wait", 6, PACKET3_DMA_DATA_CMD_RAW_WAIT, 1),
	    F("dis_wc", 6, PACKET3_DMA_DATA_CMD_DIS_WC, 1)),
	PKT(ACQUIRE_MEM, 7, false,
	    F("coher_cntl", 1, 1u, 31), F("engine_me", 1, PACKET3_ACQUIRE_MEM_ENGINE_ME, 1),
	    ADDR("size", 2), ADDR("base", 4), F("interval", 6, 1u, 16)),
	SET_REG(SET_CONFIG_REG),
	SET_REG(SET_CONTEXT_REG),
	SET_REG(SET_SH_REG),
	SET_REG(SET_UCONFIG_REG),
	PKT(SWITCH_BUFFER, 2, false, F("tmz", 1, FRAME_TMZ, 1)),
	PKT(FRAME_CONTROL, 2, false,
	    F("tmz", 1, FRAME_TMZ, 1), F("cmd", 1, FRAME_CMD(1), 4)),
	RAW(INDEX_BUFFER_SIZE), RAW(ATOMIC_GDS), RAW(OCCLUSION_QUERY), RAW(PRED_EXEC),
	RAW(DRAW_INDIRECT), RAW(DRAW_INDEX_INDIRECT), RAW(INDEX_BASE), RAW(DRAW_INDEX_2),
	RAW(INDEX_TYPE), RAW(DRAW_INDIRECT_MULTI), RAW(DRAW_INDEX_AUTO), RAW(NUM_INSTANCES),
	RAW(DRAW_INDEX_MULTI_AUTO), RAW(STRMOUT_BUFFER_UPDATE), RAW(DRAW_INDEX_OFFSET_2),
	RAW(DRAW_PREAMBLE), RAW(DRAW_INDEX_INDIRECT_MULTI), RAW(COND_WRITE), RAW(REWIND),
	RAW(LOAD_UCONFIG_REG), RAW(LOAD_SH_REG), RAW(LOAD_CONFIG_REG), RAW(LOAD_CONTEXT_REG),
	RAW(SET_CONTEXT_REG_INDIRECT), RAW(SET_SH_REG_OFFSET), RAW(SET_QUEUE_REG),
	RAW(SCRATCH_RAM_WRITE), RAW(SCRATCH_RAM_READ), RAW(LOAD_CONST_RAM), RAW(WRITE_CONST_RAM),
	RAW(DUMP_CONST_RAM), RAW(INCREMENT_CE_COUNTER), RAW(INCREMENT_DE_COUNTER),
	RAW(WAIT_ON_CE_COUNTER), RAW(WAIT_ON_DE_COUNTER_DIFF), RAW(INVALIDATE_TLBS),
	RAW(SET_RESOURCES), RAW(MAP_PROCESS), RAW(MAP_QUEUES), RAW(UNMAP_QUEUES),
	RAW(QUERY_STATUS), RAW(RUN_LIST),
	{ 0 }
};
