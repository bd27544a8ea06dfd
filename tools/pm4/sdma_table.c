// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The packets of SDMA 4, field by field (hw/sdma.h).
 * Documentation/hardware.rst, "SDMA".
 */
#include <hw/pm4.h>
#include <hw/sdma.h>

#include "packets.h"

#define F(text, pkt, field) \
	{ .name = text, .kind = PKT_BITS, .dw = SDMA_PKT_##pkt##_##field##_offset, \
	  .shift = SDMA_PKT_##pkt##_##field##_shift, .mask = SDMA_PKT_##pkt##_##field##_mask }
#define FS(text, pkt, field, table) \
	{ .name = text, .kind = PKT_BITS, .dw = SDMA_PKT_##pkt##_##field##_offset, \
	  .shift = SDMA_PKT_##pkt##_##field##_shift, .mask = SDMA_PKT_##pkt##_##field##_mask, \
	  .syms = table }
#define DW(text, pkt, field) \
	{ .name = text, .kind = PKT_BITS, .dw = SDMA_PKT_##pkt##_##field##_offset, .mask = ~0u }
#define ADDR(text, pkt, lo) \
	{ .name = text, .kind = PKT_WIDE, .dw = SDMA_PKT_##pkt##_##lo##_offset }

static const struct pkt_sym poll_func[] = {
	{ "always", WAIT_REG_MEM_FUNC_ALWAYS }, { "lt", WAIT_REG_MEM_FUNC_LT },
	{ "le", WAIT_REG_MEM_FUNC_LE }, { "eq", WAIT_REG_MEM_FUNC_EQ },
	{ "ne", WAIT_REG_MEM_FUNC_NE }, { "ge", WAIT_REG_MEM_FUNC_GE },
	{ "gt", WAIT_REG_MEM_FUNC_GT }, { NULL, 0 }
};

const struct pkt_desc pkt_sdma[] = {
	{ "NOP", SDMA_OP_NOP, 0, 1, true, { { 0 } }, F("", NOP, HEADER_count), 0 },
	{ "COPY_LINEAR", SDMA_OP_COPY, SDMA_SUBOP_COPY_LINEAR, 7, false, {
		F("encrypt", COPY_LINEAR, HEADER_encrypt), F("tmz", COPY_LINEAR, HEADER_tmz),
		F("count", COPY_LINEAR, COUNT_count), F("dst_sw", COPY_LINEAR, PARAMETER_dst_sw),
		F("src_sw", COPY_LINEAR, PARAMETER_src_sw),
		ADDR("src", COPY_LINEAR, SRC_ADDR_LO_src_addr_31_0),
		ADDR("dst", COPY_LINEAR, DST_ADDR_LO_dst_addr_31_0), } },
	{ "WRITE_LINEAR", SDMA_OP_WRITE, SDMA_SUBOP_WRITE_LINEAR, 4, true, {
		F("encrypt", WRITE_UNTILED, HEADER_encrypt), F("tmz", WRITE_UNTILED, HEADER_tmz),
		ADDR("addr", WRITE_UNTILED, DST_ADDR_LO_dst_addr_31_0),
		F("sw", WRITE_UNTILED, DW_3_sw), }, F("", WRITE_UNTILED, DW_3_count), 1 },
	{ "INDIRECT", SDMA_OP_INDIRECT, 0, 6, false, {
		F("vmid", INDIRECT, HEADER_vmid), ADDR("addr", INDIRECT, BASE_LO_ib_base_31_0),
		F("size", INDIRECT, IB_SIZE_ib_size),
		ADDR("csa", INDIRECT, CSA_ADDR_LO_csa_addr_31_0), } },
	{ "FENCE", SDMA_OP_FENCE, 0, 4, false, {
		ADDR("addr", FENCE, ADDR_LO_addr_31_0), DW("data", FENCE, DATA_data), } },
	{ "TRAP", SDMA_OP_TRAP, 0, 2, false, {
		F("context", TRAP, INT_CONTEXT_int_context), } },
	{ "SEM", SDMA_OP_SEM, 0, 3, false, {
		F("write_one", SEMAPHORE, HEADER_write_one), F("signal", SEMAPHORE, HEADER_signal),
		F("mailbox", SEMAPHORE, HEADER_mailbox),
		ADDR("addr", SEMAPHORE, ADDR_LO_addr_31_0), } },
	{ "POLL_REGMEM", SDMA_OP_POLL_REGMEM, 0, 6, false, {
		F("hdp_flush", POLL_REGMEM, HEADER_hdp_flush),
		FS("func", POLL_REGMEM, HEADER_func, poll_func),
		F("mem", POLL_REGMEM, HEADER_mem_poll),
		ADDR("addr", POLL_REGMEM, ADDR_LO_addr_31_0),
		DW("value", POLL_REGMEM, VALUE_value), DW("mask", POLL_REGMEM, MASK_mask),
		F("interval", POLL_REGMEM, DW5_interval),
		F("retry", POLL_REGMEM, DW5_retry_count), } },
	{ "COND_EXE", SDMA_OP_COND_EXE, 0, 5, false, {
		ADDR("addr", COND_EXE, ADDR_LO_addr_31_0),
		DW("ref", COND_EXE, REFERENCE_reference),
		F("count", COND_EXE, EXEC_COUNT_exec_count), } },
	{ "ATOMIC", SDMA_OP_ATOMIC, 0, 8, false, {
		F("loop", ATOMIC, HEADER_loop), F("tmz", ATOMIC, HEADER_tmz),
		F("op", ATOMIC, HEADER_atomic_op), ADDR("addr", ATOMIC, ADDR_LO_addr_31_0),
		ADDR("src", ATOMIC, SRC_DATA_LO_src_data_31_0),
		ADDR("cmp", ATOMIC, CMP_DATA_LO_cmp_data_31_0),
		F("interval", ATOMIC, LOOP_INTERVAL_loop_interval), } },
	{ "CONST_FILL", SDMA_OP_CONST_FILL, 0, 5, false, {
		F("sw", CONSTANT_FILL, HEADER_sw), F("fillsize", CONSTANT_FILL, HEADER_fillsize),
		ADDR("addr", CONSTANT_FILL, DST_ADDR_LO_dst_addr_31_0),
		DW("data", CONSTANT_FILL, DATA_src_data_31_0),
		F("count", CONSTANT_FILL, COUNT_count), } },
	{ "PTEPDE_GEN", SDMA_OP_PTEPDE, SDMA_SUBOP_PTEPDE_GEN, 10, false, {
		ADDR("addr", WRITE_INCR, DST_ADDR_LO_dst_addr_31_0),
		ADDR("mask", WRITE_INCR, MASK_DW0_mask_dw0),
		ADDR("init", WRITE_INCR, INIT_DW0_init_dw0),
		ADDR("incr", WRITE_INCR, INCR_DW0_incr_dw0),
		F("count", WRITE_INCR, COUNT_count), } },
	{ "PTEPDE_COPY", SDMA_OP_PTEPDE, SDMA_SUBOP_PTEPDE_COPY, 8, false, {
		ADDR("src", PTEPDE_COPY, SRC_ADDR_LO_src_addr_31_0),
		ADDR("dst", PTEPDE_COPY, DST_ADDR_LO_dst_addr_31_0),
		ADDR("mask", PTEPDE_COPY, MASK_DW0_mask_dw0),
		F("count", PTEPDE_COPY, COUNT_count), } },
	{ "TIMESTAMP_SET", SDMA_OP_TIMESTAMP, SDMA_SUBOP_TIMESTAMP_SET, 3, false, {
		ADDR("value", TIMESTAMP_SET, INIT_DATA_LO_init_data_31_0), } },
	{ "TIMESTAMP_GET", SDMA_OP_TIMESTAMP, SDMA_SUBOP_TIMESTAMP_GET, 3, false, {
		ADDR("addr", TIMESTAMP_GET, WRITE_ADDR_LO_write_addr_31_3), } },
	{ "TIMESTAMP_GET_GLOBAL", SDMA_OP_TIMESTAMP, SDMA_SUBOP_TIMESTAMP_GET_GLOBAL, 3, false, {
		ADDR("addr", TIMESTAMP_GET_GLOBAL, WRITE_ADDR_LO_write_addr_31_3), } },
	{ "SRBM_WRITE", SDMA_OP_SRBM_WRITE, 0, 3, false, {
		F("byte_en", SRBM_WRITE, HEADER_byte_en), F("reg", SRBM_WRITE, ADDR_addr),
		DW("data", SRBM_WRITE, DATA_data), } },
	{ "PRE_EXE", SDMA_OP_PRE_EXE, 0, 2, false, {
		F("dev_sel", PRE_EXE, HEADER_dev_sel),
		F("count", PRE_EXE, EXEC_COUNT_exec_count), } },
	{ "DUMMY_TRAP", SDMA_OP_DUMMY_TRAP, 0, 2, false, {
		F("context", DUMMY_TRAP, INT_CONTEXT_int_context), } },
	{ 0 }
};
