/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The few packets that most selftests need, written into an IB's memory. Sizes
 * and fields are those of hw/pm4.h and hw/sdma.h.
 */
#ifndef VGPU_SELFTESTS_EMIT_H
#define VGPU_SELFTESTS_EMIT_H

#include <stdint.h>

#include <hw/pm4.h>
#include <hw/sdma.h>

/** struct ibw - where the next dword of an IB goes */
struct ibw {
	uint32_t *dw;
	uint32_t n;
};

static inline void emit(struct ibw *w, uint32_t dw)
{
	w->dw[w->n++] = dw;
}

static inline void emit64(struct ibw *w, uint64_t v)
{
	emit(w, (uint32_t)v);
	emit(w, v >> 32);
}

/* ------------------------------------------------------------------- PM4 */

static inline void pm4_write(struct ibw *w, uint64_t va, uint32_t value)
{
	emit(w, PACKET3(PACKET3_WRITE_DATA, 3));
	emit(w, WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM) | WR_CONFIRM);
	emit64(w, va);
	emit(w, value);
}

static inline void pm4_write_reg(struct ibw *w, uint32_t reg, uint32_t value)
{
	emit(w, PACKET3(PACKET3_WRITE_DATA, 3));
	emit(w, WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_REG) | WR_CONFIRM);
	emit64(w, reg);
	emit(w, value);
}

static inline void pm4_copy_mem(struct ibw *w, uint64_t src, uint64_t dst)
{
	emit(w, PACKET3(PACKET3_COPY_DATA, 4));
	emit(w, PACKET3_COPY_DATA_SRC_SEL(PACKET3_COPY_DATA_SRC_MEM) |
		PACKET3_COPY_DATA_DST_SEL(PACKET3_COPY_DATA_DST_MEM) |
		PACKET3_COPY_DATA_WR_CONFIRM);
	emit64(w, src);
	emit64(w, dst);
}

static inline void pm4_dma(struct ibw *w, uint64_t src, uint64_t dst, uint32_t bytes)
{
	emit(w, PACKET3(PACKET3_DMA_DATA, 5));
	emit(w, PACKET3_DMA_DATA_CP_SYNC);
	emit64(w, src);
	emit64(w, dst);
	emit(w, bytes);
}

static inline void pm4_wait_mem(struct ibw *w, uint64_t va, uint32_t value)
{
	emit(w, PACKET3(PACKET3_WAIT_REG_MEM, 5));
	emit(w, WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) |
		WAIT_REG_MEM_MEM_SPACE(WAIT_REG_MEM_SPACE_MEM));
	emit64(w, va);
	emit(w, value);
	emit(w, 0xffffffff);
	emit(w, 4);
}

static inline void pm4_ib(struct ibw *w, uint64_t va, uint32_t ndw, uint32_t control)
{
	emit(w, PACKET3(PACKET3_INDIRECT_BUFFER, 2));
	emit64(w, va);
	emit(w, INDIRECT_BUFFER_IB_SIZE(ndw) | control);
}

static inline void pm4_atomic_add(struct ibw *w, uint64_t va, uint32_t value)
{
	emit(w, PACKET3(PACKET3_ATOMIC_MEM, 7));
	emit(w, PACKET3_ATOMIC_MEM_ATOMIC(TC_OP_ATOMIC_ADD_RTN_32));
	emit64(w, va);
	emit64(w, value);
	emit64(w, 0);
	emit(w, 0);
}

/* ------------------------------------------------------------------ SDMA */

static inline void sdma_write(struct ibw *w, uint64_t va, uint32_t value)
{
	emit(w, SDMA_OP_WRITE);
	emit64(w, va);
	emit(w, 0);
	emit(w, value);
}

static inline void sdma_copy(struct ibw *w, uint64_t src, uint64_t dst, uint32_t bytes)
{
	emit(w, SDMA_OP_COPY);
	emit(w, bytes - 1);
	emit(w, 0);
	emit64(w, src);
	emit64(w, dst);
}

static inline void sdma_wait_mem(struct ibw *w, uint64_t va, uint32_t value)
{
	emit(w, SDMA_OP_POLL_REGMEM | SDMA_PKT_POLL_REGMEM_HEADER_FUNC(WAIT_REG_MEM_FUNC_EQ) |
		SDMA_PKT_POLL_REGMEM_HEADER_MEM_POLL(1));
	emit64(w, va);
	emit(w, value);
	emit(w, 0xffffffff);
	emit(w, SDMA_PKT_POLL_REGMEM_DW5_RETRY_COUNT(0xfff) |
		SDMA_PKT_POLL_REGMEM_DW5_INTERVAL(10));
}

static inline void sdma_atomic_add(struct ibw *w, uint64_t va, uint32_t value)
{
	emit(w, SDMA_OP_ATOMIC | SDMA_PKT_ATOMIC_HEADER_ATOMIC_OP(TC_OP_ATOMIC_ADD_RTN_32));
	emit64(w, va);
	emit64(w, value);
	emit64(w, 0);
	emit(w, 0);
}

#endif
