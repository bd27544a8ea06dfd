// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * SDMA packets that go into the kernel's own IBs: buffer moves and the three
 * ways to write page tables. Documentation/hardware.rst, "SDMA packets".
 */
#include <hw/sdma.h>

#include "vgpu.h"

/* Length of a fill, which is in dwords: SDMA_PKT_CONSTANT_FILL's fillsize */
#define SDMA_FILL_DWORDS	2

static void vgpu_sdma_put(struct vgpu_ib *ib, u32 dw)
{
	/* A caller that asked for too small an IB is a bug of ours. */
	if (WARN_ON_ONCE(ib->length_dw >= ib->capacity_dw))
		return;
	ib->ptr[ib->length_dw++] = dw;
}

static void vgpu_sdma_put64(struct vgpu_ib *ib, u64 val)
{
	vgpu_sdma_put(ib, lower_32_bits(val));
	vgpu_sdma_put(ib, upper_32_bits(val));
}

/**
 * vgpu_sdma_emit_copy() - COPY, linear
 * @ib: where to
 * @src: address to read from; page tables are copied from a staging buffer
 * @dst: address to write to
 * @bytes: 1 to VGPU_SDMA_MAX_COPY
 *
 * VGPU_SDMA_COPY_DW dwords.
 */
void vgpu_sdma_emit_copy(struct vgpu_ib *ib, u64 src, u64 dst, u32 bytes)
{
	vgpu_sdma_put(ib, SDMA_PKT_COPY_LINEAR_HEADER_OP(SDMA_OP_COPY) |
			  SDMA_PKT_COPY_LINEAR_HEADER_SUB_OP(SDMA_SUBOP_COPY_LINEAR));
	vgpu_sdma_put(ib, SDMA_PKT_COPY_LINEAR_COUNT_COUNT(bytes - 1));
	vgpu_sdma_put(ib, 0);	/* no endian swap */
	vgpu_sdma_put64(ib, src);
	vgpu_sdma_put64(ib, dst);
}

/**
 * vgpu_sdma_emit_fill() - CONST_FILL by dwords
 * @ib: where to
 * @dst: address, a multiple of 4
 * @value: the dword
 * @bytes: a multiple of 4, up to VGPU_SDMA_MAX_COPY
 *
 * VGPU_SDMA_FILL_DW dwords.
 */
void vgpu_sdma_emit_fill(struct vgpu_ib *ib, u64 dst, u32 value, u32 bytes)
{
	vgpu_sdma_put(ib, SDMA_PKT_CONSTANT_FILL_HEADER_OP(SDMA_OP_CONST_FILL) |
			  SDMA_PKT_CONSTANT_FILL_HEADER_FILLSIZE(SDMA_FILL_DWORDS));
	vgpu_sdma_put64(ib, dst);
	vgpu_sdma_put(ib, value);
	vgpu_sdma_put(ib, SDMA_PKT_CONSTANT_FILL_COUNT_COUNT(bytes - 1));
}

/**
 * vgpu_sdma_emit_write_pte() - WRITE, page-table entries as data
 * @ib: where to
 * @pe: address of the first entry
 * @addr: what the first entry points to
 * @count: entries
 * @incr: bytes from one page to the next
 * @flags: the bits of an entry that are not address
 *
 * VGPU_SDMA_WRITE_PTE_DW(@count) dwords.
 */
void vgpu_sdma_emit_write_pte(struct vgpu_ib *ib, u64 pe, u64 addr, u32 count, u32 incr,
			      u64 flags)
{
	vgpu_sdma_put(ib, SDMA_PKT_WRITE_UNTILED_HEADER_OP(SDMA_OP_WRITE) |
			  SDMA_PKT_WRITE_UNTILED_HEADER_SUB_OP(SDMA_SUBOP_WRITE_LINEAR));
	vgpu_sdma_put64(ib, pe);
	vgpu_sdma_put(ib, SDMA_PKT_WRITE_UNTILED_DW_3_COUNT(count * 2 - 1));
	for (; count; count--, addr += incr)
		vgpu_sdma_put64(ib, addr | flags);
}

/**
 * vgpu_sdma_emit_ptepde() - PTEPDE, entries that the engine generates
 * @ib: where to
 * @pe: address of the first entry
 * @addr: what the first entry points to
 * @count: entries
 * @incr: bytes from one page to the next
 * @flags: the bits of an entry that are not address
 *
 * The same run as vgpu_sdma_emit_write_pte() in VGPU_SDMA_PTEPDE_DW dwords.
 */
void vgpu_sdma_emit_ptepde(struct vgpu_ib *ib, u64 pe, u64 addr, u32 count, u32 incr, u64 flags)
{
	vgpu_sdma_put(ib, SDMA_PKT_WRITE_INCR_HEADER_OP(SDMA_OP_PTEPDE) |
			  SDMA_PKT_WRITE_INCR_HEADER_SUB_OP(SDMA_SUBOP_PTEPDE_GEN));
	vgpu_sdma_put64(ib, pe);
	vgpu_sdma_put64(ib, flags);	/* mask: or-ed into every entry */
	vgpu_sdma_put64(ib, addr);
	vgpu_sdma_put64(ib, incr);
	vgpu_sdma_put(ib, SDMA_PKT_WRITE_INCR_COUNT_COUNT(count - 1));
}
