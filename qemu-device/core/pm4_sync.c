/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that wait, signal and order: WAIT_REG_MEM, RELEASE_MEM, EVENT_WRITE,
 * ACQUIRE_MEM and relatives. Documentation/hardware.rst, "Synchronisation".
 *
 * Packets run one after the other and memory is coherent, so every cache
 * action and every wait for the pipeline is done by the time its packet runs.
 */
#include "pm4.h"
#include "hw/ih.h"
#include "hw/reg/vgpu.h"

bool pm4_compare(unsigned func, uint32_t val, uint32_t ref)
{
    switch (func) {
    case WAIT_REG_MEM_FUNC_ALWAYS:
        return true;
    case WAIT_REG_MEM_FUNC_LT:
        return val < ref;
    case WAIT_REG_MEM_FUNC_LE:
        return val <= ref;
    case WAIT_REG_MEM_FUNC_EQ:
        return val == ref;
    case WAIT_REG_MEM_FUNC_NE:
        return val != ref;
    case WAIT_REG_MEM_FUNC_GE:
        return val >= ref;
    case WAIT_REG_MEM_FUNC_GT:
        return val > ref;
    default:
        return false;
    }
}

#define FUNC_RESERVED   7

enum pm4_result pm4_wait_over(struct vgpu_cp *cp)
{
    cp->s->phase = 0;
    if (cp->s->waiting) {
        cp->s->waiting = 0;
        vgpu_trace_step(cp->d, VGPU_STEP_WAKE, cp->trace, cp->s->header);
    }
    return PM4_NEXT;
}

enum pm4_result pm4_park(struct vgpu_cp *cp)
{
    if (!cp->s->waiting) {
        cp->s->waiting = 1;
        vgpu_trace_step(cp->d, VGPU_STEP_PARK, cp->trace, cp->s->header);
    }
    return PM4_PARK;
}

/*
 * The poll interval is the hardware's business: what can satisfy the wait
 * wakes the queue here, and the scheduler's own backed-off poll covers memory
 * that a vCPU writes.
 */
enum pm4_result pm4_wait_reg_mem(struct vgpu_cp *cp, const uint32_t *dw,
                                 unsigned n)
{
    unsigned func = WAIT_REG_MEM_GET_FUNCTION(dw[0]);
    unsigned space = WAIT_REG_MEM_GET_MEM_SPACE(dw[0]);
    unsigned oper = WAIT_REG_MEM_GET_OPERATION(dw[0]);
    uint32_t ref = dw[3], mask = dw[4], val, reg;

    (void)n;
    if (func == FUNC_RESERVED || space > WAIT_REG_MEM_SPACE_MEM ||
        oper == WAIT_REG_MEM_OP_WAIT_COND ||
        WAIT_REG_MEM_GET_ENGINE(dw[0]) > WAIT_REG_MEM_ENGINE_PFP + 1) {
        return PM4_RESERVED;
    }

    if (oper == WAIT_REG_MEM_OP_WR_WAIT_WR_REG) {
        if (space != WAIT_REG_MEM_SPACE_REG) {
            return PM4_RESERVED;
        }
        if (!pm4_reg_allowed(cp, dw[1], 1) || !pm4_reg_allowed(cp, dw[2], 1)) {
            return PM4_REGISTER;
        }
        if (!cp->s->phase) {
            cp->s->phase = 1;
            pm4_reg_write(cp, dw[1], ref);
        }
        val = pm4_reg_read(cp, dw[2]);
    } else if (space == WAIT_REG_MEM_SPACE_REG) {
        reg = dw[1];
        if (!pm4_reg_allowed(cp, reg, 1)) {
            return PM4_REGISTER;
        }
        val = pm4_reg_read(cp, reg);
    } else {
        if (dw[1] & 3) {
            return PM4_RESERVED;
        }
        pm4_read32(cp, pm4_addr(dw[1], dw[2]), &val);
    }

    if (!pm4_compare(func, val & mask, ref)) {
        return pm4_park(cp);
    }
    return pm4_wait_over(cp);
}

/*
 * COND_WRITE: poll once; write if the comparison holds. Control: function
 * [2:0], where to poll [4], where to write [8] (0 register, 1 memory). Then
 * address low, high, reference and mask, address low, high and data.
 */
enum pm4_result pm4_cond_write(struct vgpu_cp *cp, const uint32_t *dw,
                               unsigned n)
{
    bool poll_mem = dw[0] & (1 << 4);
    unsigned write_space = (dw[0] >> 8) & 3;
    unsigned func = dw[0] & 7;
    uint32_t val;

    (void)n;
    if (func == FUNC_RESERVED || write_space > 1 ||
        (poll_mem && (dw[1] & 3)) || (write_space && (dw[5] & 3))) {
        return PM4_RESERVED;
    }
    if ((!poll_mem && !pm4_reg_allowed(cp, dw[1], 1)) ||
        (!write_space && !pm4_reg_allowed(cp, dw[5], 1))) {
        return PM4_REGISTER;
    }
    if (poll_mem) {
        pm4_read32(cp, pm4_addr(dw[1], dw[2]), &val);
    } else {
        val = pm4_reg_read(cp, dw[1]);
    }
    if (pm4_compare(func, val & dw[4], dw[3])) {
        if (write_space) {
            pm4_write32(cp, pm4_addr(dw[5], dw[6]), dw[7]);
        } else {
            pm4_reg_write(cp, dw[5], dw[7]);
        }
    }
    return PM4_NEXT;
}

/* Events that end a pipe with a time stamp or fence, by event index. */
static bool release_event_ok(uint32_t event)
{
    switch (PACKET3_EVENT_GET_INDEX(event)) {
    case EVENT_INDEX_END_OF_PIPE:
        switch (PACKET3_EVENT_GET_TYPE(event)) {
        case CACHE_FLUSH_TS:
        case CACHE_FLUSH_AND_INV_TS_EVENT:
        case BOTTOM_OF_PIPE_TS:
        case FLUSH_SX_TS:
        case FLUSH_AND_INV_DB_DATA_TS:
        case FLUSH_AND_INV_CB_DATA_TS:
            return true;
        }
        return false;
    case EVENT_INDEX_SHADER_DONE:
        return PACKET3_EVENT_GET_TYPE(event) == CS_DONE ||
               PACKET3_EVENT_GET_TYPE(event) == PS_DONE;
    default:
        return false;
    }
}

static void eop_interrupt(struct vgpu_cp *cp, uint32_t context_id)
{
    vgpu_cp_interrupt(cp, CP_INT_CNTL_RING0__TIME_STAMP_INT_ENABLE_MASK,
                      GFX_9_0__SRCID__CP_EOP_INTERRUPT, context_id);
}

enum pm4_result pm4_release_mem(struct vgpu_cp *cp, const uint32_t *dw,
                                unsigned n)
{
    unsigned data_sel = PACKET3_RELEASE_MEM_GET_DATA_SEL(dw[1]);
    unsigned int_sel = PACKET3_RELEASE_MEM_GET_INT_SEL(dw[1]);
    uint64_t va = pm4_addr(dw[2], dw[3]), data = pm4_addr(dw[4], dw[5]);
    uint32_t context_id = n > 6 ? dw[6] : 0, val32;
    unsigned size = 0;
    uint64_t val64;

    if (!release_event_ok(dw[0]) || int_sel > RELEASE_MEM_INT_CTXID_CMP64 ||
        PACKET3_RELEASE_MEM_GET_DST_SEL(dw[1]) > RELEASE_MEM_DST_TC_L2) {
        return PM4_RESERVED;
    }
    switch (data_sel) {
    case RELEASE_MEM_DATA_NONE:
        break;
    case RELEASE_MEM_DATA_32:
        size = 4;
        break;
    case RELEASE_MEM_DATA_64:
        size = 8;
        break;
    case RELEASE_MEM_DATA_GPU_CLOCK:
        size = 8;
        data = vgpu_gpu_clock(cp->d);
        break;
    case RELEASE_MEM_DATA_PERFCOUNTER:
        size = 8;
        data = 0;   /* no performance counter of the CP counts */
        break;
    default:        /* GDS: this part has none */
        return PM4_RESERVED;
    }
    if ((size && (va & (size - 1))) ||
        (int_sel == RELEASE_MEM_INT_CTXID_CMP32 && (va & 3)) ||
        (int_sel == RELEASE_MEM_INT_CTXID_CMP64 && (va & 7))) {
        return PM4_RESERVED;
    }

    if (size == 4) {
        pm4_write32(cp, va, data);
    } else if (size == 8) {
        pm4_write64(cp, va, data);
    }
    if (size && !cp->hqd) {
        vgpu_reg_set(cp->d, GC(CP_EOP_LAST_FENCE_LO), data);
        vgpu_reg_set(cp->d, GC(CP_EOP_LAST_FENCE_HI), data >> 32);
    }
    if (size) {
        vgpu_trace_step(cp->d, VGPU_STEP_FENCE, cp->trace, data);
    }

    if (cp->hqd) {
        mec_end_of_pipe(cp);
    }

    switch (int_sel) {
    case RELEASE_MEM_INT_ONLY:
    case RELEASE_MEM_INT_AFTER_CONFIRM:
    case RELEASE_MEM_INT_CTXID:
        eop_interrupt(cp, context_id);
        break;
    case RELEASE_MEM_INT_CTXID_CMP32:
        if (pm4_read32(cp, va, &val32) && val32 == dw[4]) {
            eop_interrupt(cp, context_id);
        }
        break;
    case RELEASE_MEM_INT_CTXID_CMP64:
        if (pm4_read64(cp, va, &val64) && val64 == pm4_addr(dw[4], dw[5])) {
            eop_interrupt(cp, context_id);
        }
        break;
    }
    return PM4_NEXT;
}

/*
 * The events that write do so from counters of a graphics pipeline that this
 * die has not: nothing was ever drawn, so all are zero.
 */
#define PIPELINE_STATS      11
#define STREAMOUT_STATS     2
/* Says that a count of the depth block is there. */
#define ZPASS_VALID         (1ull << 63)

enum pm4_result pm4_event_write(struct vgpu_cp *cp, const uint32_t *dw,
                                unsigned n)
{
    unsigned type = PACKET3_EVENT_GET_TYPE(dw[0]);
    unsigned stats = 0, i;
    uint64_t va;

    switch (PACKET3_EVENT_GET_INDEX(dw[0])) {
    case EVENT_INDEX_OTHER:
    case EVENT_INDEX_PARTIAL_FLUSH:
    case 7:     /* cache flush and invalidate events */
        return PM4_NEXT;
    case EVENT_INDEX_ZPASS_DONE:
        if (type == PIXEL_PIPE_STAT_CONTROL || type == PIXEL_PIPE_STAT_RESET) {
            return PM4_NEXT;
        }
        if (type != ZPASS_DONE && type != PIXEL_PIPE_STAT_DUMP) {
            return PM4_RESERVED;
        }
        break;
    case EVENT_INDEX_SAMPLE_PIPELINESTAT:
        if (type != SAMPLE_PIPELINESTAT) {
            return PM4_RESERVED;
        }
        stats = PIPELINE_STATS;
        break;
    case EVENT_INDEX_SAMPLE_STREAMOUTSTATS:
        if (type != SAMPLE_STREAMOUTSTATS && type != SAMPLE_STREAMOUTSTATS1 &&
            type != SAMPLE_STREAMOUTSTATS2 && type != SAMPLE_STREAMOUTSTATS3) {
            return PM4_RESERVED;
        }
        stats = STREAMOUT_STATS;
        break;
    default:
        return PM4_RESERVED;
    }

    if (n != 3) {
        return PM4_OPCODE;  /* these have an address */
    }
    va = pm4_addr(dw[1], dw[2]);
    if (va & 7) {
        return PM4_RESERVED;
    }
    if (!stats) {
        pm4_write64(cp, va, ZPASS_VALID);
    }
    for (i = 0; i < stats; i++) {
        pm4_write64(cp, va + 8 * i, 0);
    }
    return PM4_NEXT;
}

enum pm4_result pm4_acquire_mem(struct vgpu_cp *cp, const uint32_t *dw,
                                unsigned n)
{
    (void)n;
    vgpu_reg_set(cp->d, GC(CP_COHER_CNTL), dw[0] & 0x7fffffff);
    vgpu_reg_set(cp->d, GC(CP_COHER_SIZE), dw[1]);
    vgpu_reg_set(cp->d, GC(CP_COHER_SIZE_HI), dw[2] & 0xff);
    vgpu_reg_set(cp->d, GC(CP_COHER_BASE), dw[3]);
    vgpu_reg_set(cp->d, GC(CP_COHER_BASE_HI), dw[4] & 0xff);
    return PM4_NEXT;
}

/* Packets whose whole effect is to be in order. */
enum pm4_result pm4_retire(struct vgpu_cp *cp, const uint32_t *dw, unsigned n)
{
    (void)cp;
    (void)dw;
    (void)n;
    return PM4_NEXT;
}
