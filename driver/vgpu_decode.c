// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Ring contents as text, one line a packet: for debugfs, and for the report of
 * a ring that hangs. Documentation/hardware.rst has the packets.
 */
#include <drm/drm_print.h>

#include <hw/pm4.h>
#include <hw/sdma.h>

#include "vgpu.h"

/* Payload dwords that a line shows */
#define VGPU_DECODE_SHOWN	8

struct vgpu_decode_op {
	u8 op;
	const char *name;
};

#define OP(name)	{ PACKET3_##name, #name }
static const struct vgpu_decode_op vgpu_pm4_ops[] = {
	OP(NOP), OP(SET_BASE), OP(CLEAR_STATE), OP(INDEX_BUFFER_SIZE), OP(DISPATCH_DIRECT),
	OP(DISPATCH_INDIRECT), OP(ATOMIC_GDS), OP(ATOMIC_MEM), OP(OCCLUSION_QUERY),
	OP(SET_PREDICATION), OP(REG_RMW), OP(COND_EXEC), OP(PRED_EXEC), OP(DRAW_INDIRECT),
	OP(DRAW_INDEX_INDIRECT), OP(INDEX_BASE), OP(DRAW_INDEX_2), OP(CONTEXT_CONTROL),
	OP(INDEX_TYPE), OP(DRAW_INDIRECT_MULTI), OP(DRAW_INDEX_AUTO), OP(NUM_INSTANCES),
	OP(DRAW_INDEX_MULTI_AUTO), OP(INDIRECT_BUFFER_CONST), OP(STRMOUT_BUFFER_UPDATE),
	OP(DRAW_INDEX_OFFSET_2), OP(DRAW_PREAMBLE), OP(WRITE_DATA), OP(DRAW_INDEX_INDIRECT_MULTI),
	OP(MEM_SEMAPHORE), OP(WAIT_REG_MEM), OP(INDIRECT_BUFFER), OP(COPY_DATA), OP(PFP_SYNC_ME),
	OP(COND_WRITE), OP(EVENT_WRITE), OP(RELEASE_MEM), OP(PREAMBLE_CNTL), OP(DMA_DATA),
	OP(ACQUIRE_MEM), OP(REWIND), OP(LOAD_UCONFIG_REG), OP(LOAD_SH_REG), OP(LOAD_CONFIG_REG),
	OP(LOAD_CONTEXT_REG), OP(SET_CONFIG_REG), OP(SET_CONTEXT_REG),
	OP(SET_CONTEXT_REG_INDIRECT), OP(SET_SH_REG), OP(SET_SH_REG_OFFSET), OP(SET_QUEUE_REG),
	OP(SET_UCONFIG_REG), OP(SCRATCH_RAM_WRITE), OP(SCRATCH_RAM_READ), OP(LOAD_CONST_RAM),
	OP(WRITE_CONST_RAM), OP(DUMP_CONST_RAM), OP(INCREMENT_CE_COUNTER),
	OP(INCREMENT_DE_COUNTER), OP(WAIT_ON_CE_COUNTER), OP(WAIT_ON_DE_COUNTER_DIFF),
	OP(SWITCH_BUFFER), OP(FRAME_CONTROL), OP(INVALIDATE_TLBS), OP(SET_RESOURCES),
	OP(MAP_PROCESS), OP(MAP_QUEUES), OP(UNMAP_QUEUES), OP(QUERY_STATUS), OP(RUN_LIST),
	OP(RUN_CLEANER_SHADER),
};

#undef OP
#define OP(name)	{ SDMA_OP_##name, #name }
static const struct vgpu_decode_op vgpu_sdma_ops[] = {
	OP(NOP), OP(COPY), OP(WRITE), OP(INDIRECT), OP(FENCE), OP(TRAP), OP(SEM), OP(POLL_REGMEM),
	OP(COND_EXE), OP(ATOMIC), OP(CONST_FILL), OP(PTEPDE), OP(TIMESTAMP), OP(SRBM_WRITE),
	OP(PRE_EXE), OP(DUMMY_TRAP),
};

#undef OP

static const char *vgpu_decode_op(const struct vgpu_decode_op *ops, unsigned int count, u32 op)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (ops[i].op == op)
			return ops[i].name;
	return "?";
}

static u32 vgpu_decode_dw(struct vgpu_ring *ring, u64 at)
{
	return READ_ONCE(ring->cpu[at & (ring->size_dw - 1)]);
}

/**
 * vgpu_decode_pm4_name() - name of a packet
 * @header: its first dword
 *
 * Return: a constant string.
 */
const char *vgpu_decode_pm4_name(u32 header)
{
	switch (CP_PACKET_GET_TYPE(header)) {
	case PACKET_TYPE0:
		return "TYPE0";
	case PACKET_TYPE2:
		return "TYPE2";
	case PACKET_TYPE3:
		return vgpu_decode_op(vgpu_pm4_ops, ARRAY_SIZE(vgpu_pm4_ops),
				      CP_PACKET3_GET_OPCODE(header));
	}
	return "?";
}

/**
 * vgpu_decode_sdma_name() - name of an SDMA packet
 * @op: its operation
 *
 * Return: a constant string.
 */
const char *vgpu_decode_sdma_name(u32 op)
{
	return vgpu_decode_op(vgpu_sdma_ops, ARRAY_SIZE(vgpu_sdma_ops), op);
}

/*
 * A line: where, name, the header and the first dwords of the payload, of which
 * a filler has none worth seeing.
 */
static void vgpu_decode_line(struct vgpu_ring *ring, u64 at, u32 len, const char *name,
			     bool filler, struct drm_printer *p)
{
	char text[VGPU_DECODE_SHOWN * 9 + 1];
	u32 shown = filler ? 0 : min(len - 1, VGPU_DECODE_SHOWN);
	int pos = 0;
	u32 i;

	text[0] = 0;
	for (i = 0; i < shown; i++)
		pos += scnprintf(text + pos, sizeof(text) - pos, " %08x",
				 vgpu_decode_dw(ring, at + 1 + i));
	drm_printf(p, "%05llx: %-20s %08x%s%s\n", at & (ring->size_dw - 1), name,
		   vgpu_decode_dw(ring, at), text, len - 1 > shown ? " ..." : "");
}

/**
 * vgpu_decode_pm4() - PM4 packets of a ring as text
 * @ring: the ring
 * @at: dword to begin at, counted as ring->wptr is
 * @ndw: dwords to decode
 * @p: where to
 *
 * Does not allocate; the ring may change meanwhile.
 */
void vgpu_decode_pm4(struct vgpu_ring *ring, u64 at, u32 ndw, struct drm_printer *p)
{
	ndw = min(ndw, ring->size_dw);
	while (ndw) {
		u32 header = vgpu_decode_dw(ring, at);
		u32 type = CP_PACKET_GET_TYPE(header);
		u32 count = CP_PACKET_GET_COUNT(header);
		bool nop = type == PACKET_TYPE3 && CP_PACKET3_GET_OPCODE(header) == PACKET3_NOP;
		u32 len = 1;

		if (type == PACKET_TYPE0 || (type == PACKET_TYPE3 && !nop) ||
		    (nop && count != PACKET3_NOP_ONE_DWORD_COUNT))
			len = count + 2;
		len = min(len, ndw);
		vgpu_decode_line(ring, at, len, vgpu_decode_pm4_name(header), nop, p);
		at += len;
		ndw -= len;
	}
}

/* Dwords of an SDMA packet, 1 for what has no length of its own. */
static u32 vgpu_sdma_packet_len(struct vgpu_ring *ring, u64 at)
{
	u32 header = vgpu_decode_dw(ring, at);
	u32 sub = SDMA_PKT_GET(&header, SDMA_PKT_HEADER_sub_op);

	switch (SDMA_PKT_GET(&header, SDMA_PKT_HEADER_op)) {
	case SDMA_OP_NOP:
		return 1 + SDMA_PKT_GET(&header, SDMA_PKT_NOP_HEADER_count);
	case SDMA_OP_COPY:
		if (sub == SDMA_SUBOP_COPY_LINEAR)
			return SDMA_PKT_GET(&header, SDMA_PKT_COPY_LINEAR_HEADER_broadcast) ?
				9 : 7;
		return sub == SDMA_SUBOP_COPY_LINEAR_SUB_WIND ? 13 : 1;
	case SDMA_OP_WRITE:
		if (sub != SDMA_SUBOP_WRITE_LINEAR)
			return 1;
		header = vgpu_decode_dw(ring, at + SDMA_PKT_WRITE_UNTILED_DW_3_count_offset);
		return 5 + ((header >> SDMA_PKT_WRITE_UNTILED_DW_3_count_shift) &
			    SDMA_PKT_WRITE_UNTILED_DW_3_count_mask);
	case SDMA_OP_INDIRECT:
	case SDMA_OP_POLL_REGMEM:
		return 6;
	case SDMA_OP_FENCE:
		return 4;
	case SDMA_OP_TRAP:
	case SDMA_OP_DUMMY_TRAP:
	case SDMA_OP_PRE_EXE:
		return 2;
	case SDMA_OP_SEM:
	case SDMA_OP_SRBM_WRITE:
	case SDMA_OP_TIMESTAMP:
		return 3;
	case SDMA_OP_COND_EXE:
	case SDMA_OP_CONST_FILL:
		return 5;
	case SDMA_OP_ATOMIC:
		return 8;
	case SDMA_OP_PTEPDE:
		return sub == SDMA_SUBOP_PTEPDE_GEN ? VGPU_SDMA_PTEPDE_DW : 1;
	}
	return 1;
}

/**
 * vgpu_decode_sdma() - SDMA packets of a ring as text
 * @ring: the ring
 * @at: dword to begin at, counted as ring->wptr is
 * @ndw: dwords to decode
 * @p: where to
 *
 * Does not allocate; the ring may change meanwhile.
 */
void vgpu_decode_sdma(struct vgpu_ring *ring, u64 at, u32 ndw, struct drm_printer *p)
{
	ndw = min(ndw, ring->size_dw);
	while (ndw) {
		u32 header = vgpu_decode_dw(ring, at);
		u32 op = SDMA_PKT_GET(&header, SDMA_PKT_HEADER_op);
		u32 len = min(vgpu_sdma_packet_len(ring, at), ndw);

		vgpu_decode_line(ring, at, len, vgpu_decode_sdma_name(op), op == SDMA_OP_NOP, p);
		at += len;
		ndw -= len;
	}
}
