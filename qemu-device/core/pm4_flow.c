/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that decide which packet comes next: indirect buffers, conditional
 * execution, predication. Documentation/hardware.rst, "Indirect buffers".
 */
#include "pm4.h"
#include "hw/reg/vgpu.h"

/*
 * Call an IB from the ring (IB1) or from IB1 (IB2), or, with the chain bit,
 * go on with another one instead of the rest of this. The packet in a
 * kernel's ring says whose address space the IB lives in; a user's ring and an
 * IB cannot change that for what they call, or they could pick another
 * process's. INDIRECT_BUFFER_CONST is for the
 * constant engine, whose buffers run here in order with all others.
 *
 * A chain without end is legal: the queue is busy for ever, a slice at a time,
 * until it is reset.
 */
enum pm4_result pm4_indirect_buffer(struct vgpu_cp *cp, const uint32_t *dw,
                                    unsigned n)
{
    struct vgpu_pm4_state *s = cp->s;
    struct vgpu_cp_ib ib = {
        .base = pm4_addr(dw[0], dw[1]) & PM4_IB_ADDR_MASK,
        .size = INDIRECT_BUFFER_GET_IB_SIZE(dw[2]),
    };

    (void)n;
    if (dw[0] & 3) {
        return PM4_RESERVED;
    }
    if (dw[2] & INDIRECT_BUFFER_CHAIN) {
        if (s->level == 0) {
            return PM4_RESERVED;    /* there is nothing to replace */
        }
        vgpu_trace_step(cp->d, VGPU_STEP_IB_END, cp->trace,
                        s->ib[s->level - 1].size);
        s->ib[s->level - 1] = ib;
    } else {
        if (s->level == cp->levels - 1) {
            return PM4_OPCODE;      /* the last level calls nobody */
        }
        pm4_advance(cp, cp->len);
        if (s->level == 0) {
            s->ib_vmid = cp->ring_vmid ? cp->ring_vmid :
                         INDIRECT_BUFFER_GET_VMID(dw[2]);
        }
        s->ib[s->level++] = ib;
        pm4_level_changed(cp);
    }
    vgpu_trace_step(cp->d, VGPU_STEP_IB_START, cp->trace, ib.size);
    return PM4_JUMP;
}

/* Discard the next dwords of this stream when the memory holds 0. */
enum pm4_result pm4_cond_exec(struct vgpu_cp *cp, const uint32_t *dw,
                              unsigned n)
{
    struct vgpu_pm4_state *s = cp->s;
    uint32_t count = PACKET3_COND_EXEC_GET_EXEC_COUNT(dw[3]), val;

    (void)n;
    if (dw[0] & 3) {
        return PM4_RESERVED;
    }
    if (s->level) {
        const struct vgpu_cp_ib *ib = &s->ib[s->level - 1];

        if (count > ib->size - ib->pos - cp->len) {
            return PM4_OPCODE;
        }
    }
    pm4_read32(cp, pm4_addr(dw[0], dw[1]), &val);
    if (val || !count) {
        return PM4_NEXT;
    }
    pm4_advance(cp, cp->len);
    if (s->level) {
        pm4_advance(cp, count);
    } else {
        s->skip = count;    /* not all of it may be in the ring yet */
    }
    return PM4_JUMP;
}

/*
 * From here on, packets with bit 0 of their header set run only when the
 * predicate holds: a 64-bit boolean in memory is set, or clear, as BOOL says.
 * The other operations read the counters of a rasteriser, which is not there.
 */
enum pm4_result pm4_set_predication(struct vgpu_cp *cp, const uint32_t *dw,
                                    unsigned n)
{
    uint64_t va = pm4_addr(dw[1], dw[2]), val;

    (void)n;
    switch (PACKET3_SET_PREDICATION_GET_OP(dw[0])) {
    case PACKET3_SET_PREDICATION_OP_CLEAR:
        cp->s->pred_fail = 0;
        return PM4_NEXT;
    case PACKET3_SET_PREDICATION_OP_MEM:
        break;
    default:
        return PM4_RESERVED;
    }
    if (va & 7) {
        return PM4_RESERVED;
    }
    pm4_read64(cp, va, &val);
    cp->s->pred_fail = !!val != PACKET3_SET_PREDICATION_GET_BOOL(dw[0]);
    return PM4_NEXT;
}
