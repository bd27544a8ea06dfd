/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The packet machine: takes PM4 packets from the ring and its indirect buffers
 * and hands them to their handlers. Documentation/hardware.rst, "Packets", and
 * Documentation/adding-a-packet.rst.
 *
 * The stream lies in memory that the guest may change at any moment. So a
 * header is read once, a payload is copied before its handler sees it, and
 * nothing is fetched twice unless the packet is run again from the start. A
 * packet is carried out only when all of it is there.
 */
#include <string.h>

#include "pm4.h"
#include "hw/reg/vgpu.h"

#define OP(op, lo, hi, who, func) \
    [PACKET3_##op] = { .name = #op, .min = (lo), .max = (hi), \
                       .engines = (who), .fn = (func) }
#define NOT_YET(op) OP(op, 1, PM4_MAX_PAYLOAD, 0, NULL)
#define ALL     (PM4_GFX | PM4_MEC)

static const struct pm4_op pm4_ops[256] = {
    /* NOP is carried out by the machine itself; see pm4_burst(). */
    OP(NOP, 1, PM4_MAX_PAYLOAD, ALL, pm4_retire),
    OP(SET_BASE, 3, 3, ALL, pm4_set_base),
    OP(CLEAR_STATE, 1, 1, PM4_GFX, pm4_clear_state),
    OP(ATOMIC_MEM, 8, 8, ALL, pm4_atomic_mem),
    OP(SET_PREDICATION, 3, 3, PM4_GFX, pm4_set_predication),
    OP(REG_RMW, 3, 3, ALL, pm4_reg_rmw),
    OP(COND_EXEC, 4, 4, ALL, pm4_cond_exec),
    OP(CONTEXT_CONTROL, 2, 2, PM4_GFX, pm4_context_control),
    OP(INDIRECT_BUFFER_CONST, 3, 3, PM4_GFX, pm4_indirect_buffer),
    OP(WRITE_DATA, 4, PM4_MAX_PAYLOAD, ALL, pm4_write_data),
    OP(WAIT_REG_MEM, 6, 6, ALL, pm4_wait_reg_mem),
    OP(INDIRECT_BUFFER, 3, 3, ALL, pm4_indirect_buffer),
    OP(COPY_DATA, 5, 5, ALL, pm4_copy_data),
    OP(PFP_SYNC_ME, 1, 1, PM4_GFX, pm4_retire),
    OP(COND_WRITE, 8, 8, ALL, pm4_cond_write),
    OP(EVENT_WRITE, 1, 3, ALL, pm4_event_write),
    OP(RELEASE_MEM, 6, 7, ALL, pm4_release_mem),
    OP(PREAMBLE_CNTL, 1, 1, PM4_GFX, pm4_preamble_cntl),
    OP(DMA_DATA, 6, 6, ALL, pm4_dma_data),
    OP(ACQUIRE_MEM, 6, 6, ALL, pm4_acquire_mem),
    OP(SET_CONFIG_REG, 2, PM4_MAX_PAYLOAD, ALL, pm4_set_config_reg),
    OP(SET_CONTEXT_REG, 2, PM4_MAX_PAYLOAD, PM4_GFX, pm4_set_context_reg),
    OP(SET_SH_REG, 2, PM4_MAX_PAYLOAD, ALL, pm4_set_sh_reg),
    OP(SET_UCONFIG_REG, 2, PM4_MAX_PAYLOAD, ALL, pm4_set_uconfig_reg),
    OP(SWITCH_BUFFER, 1, 1, ALL, pm4_retire),
    OP(FRAME_CONTROL, 1, 1, PM4_GFX, pm4_retire),

    OP(INVALIDATE_TLBS, 1, 1, PM4_SCHED, pm4_invalidate_tlbs),
    OP(SET_RESOURCES, 7, 7, PM4_SCHED, pm4_set_resources),
    OP(MAP_QUEUES, 6, 6, PM4_SCHED, pm4_map_queues),
    OP(UNMAP_QUEUES, 5, 5, PM4_SCHED, pm4_unmap_queues),
    OP(QUERY_STATUS, 6, 6, PM4_SCHED, pm4_query_status),
    OP(RUN_LIST, 3, 3, PM4_SCHED, pm4_run_list),

    /* Known, and refused as an unknown one is, until something runs them. */
    NOT_YET(INDEX_BUFFER_SIZE),
    NOT_YET(DISPATCH_DIRECT),
    NOT_YET(DISPATCH_INDIRECT),
    NOT_YET(ATOMIC_GDS),
    NOT_YET(OCCLUSION_QUERY),
    NOT_YET(PRED_EXEC),
    NOT_YET(DRAW_INDIRECT),
    NOT_YET(DRAW_INDEX_INDIRECT),
    NOT_YET(INDEX_BASE),
    NOT_YET(DRAW_INDEX_2),
    NOT_YET(INDEX_TYPE),
    NOT_YET(DRAW_INDIRECT_MULTI),
    NOT_YET(DRAW_INDEX_AUTO),
    NOT_YET(NUM_INSTANCES),
    NOT_YET(DRAW_INDEX_MULTI_AUTO),
    NOT_YET(STRMOUT_BUFFER_UPDATE),
    NOT_YET(DRAW_INDEX_OFFSET_2),
    NOT_YET(DRAW_PREAMBLE),
    NOT_YET(DRAW_INDEX_INDIRECT_MULTI),
    NOT_YET(MEM_SEMAPHORE),
    NOT_YET(REWIND),
    NOT_YET(LOAD_UCONFIG_REG),
    NOT_YET(LOAD_SH_REG),
    NOT_YET(LOAD_CONFIG_REG),
    NOT_YET(LOAD_CONTEXT_REG),
    NOT_YET(SET_CONTEXT_REG_INDIRECT),
    NOT_YET(SET_SH_REG_OFFSET),
    NOT_YET(SET_QUEUE_REG),
    NOT_YET(SCRATCH_RAM_WRITE),
    NOT_YET(SCRATCH_RAM_READ),
    NOT_YET(LOAD_CONST_RAM),
    NOT_YET(WRITE_CONST_RAM),
    NOT_YET(DUMP_CONST_RAM),
    NOT_YET(INCREMENT_CE_COUNTER),
    NOT_YET(INCREMENT_DE_COUNTER),
    NOT_YET(WAIT_ON_CE_COUNTER),
    NOT_YET(WAIT_ON_DE_COUNTER_DIFF),
    /* In a run list only: hws.c reads it. */
    NOT_YET(MAP_PROCESS),
    NOT_YET(RUN_CLEANER_SHADER),
};

const char *vgpu_pm4_name(uint32_t header)
{
    const char *name;

    switch (CP_PACKET_GET_TYPE(header)) {
    case PACKET_TYPE0:
        return "type 0";
    case PACKET_TYPE1:
        return "type 1";
    case PACKET_TYPE2:
        return "type 2";
    }
    name = pm4_ops[CP_PACKET3_GET_OPCODE(header)].name;
    return name ? name : "unknown opcode";
}

/* ------------------------------------------------------------ position */

void pm4_advance(struct vgpu_cp *cp, uint32_t dwords)
{
    struct vgpu_pm4_state *s = cp->s;

    if (s->level == 0) {
        s->rptr = (s->rptr + dwords) & cp->ring_mask;
    } else {
        s->ib[s->level - 1].pos += dwords;
    }
}

void pm4_level_changed(struct vgpu_cp *cp)
{
    cp->req.vmid = cp->s->level ? cp->s->ib_vmid : cp->ring_vmid;
    /* Queues are the kernel's to manage. */
    cp->engines &= ~PM4_SCHED;
    cp->engines |= cp->scheduler && !cp->req.vmid ? PM4_SCHED : 0;
}

void pm4_abort(struct vgpu_cp *cp)
{
    struct vgpu_pm4_state *s = cp->s;

    s->level = 0;
    s->halted = VGPU_CP_RUNS;
    s->skip = 0;
    s->type0_left = 0;
    s->phase = 0;
    s->done = 0;
    s->waiting = 0;
    pm4_level_changed(cp);
}

bool pm4_state_valid(const struct vgpu_pm4_state *s)
{
    unsigned i;

    for (i = 0; i < VGPU_CP_LEVELS - 1; i++) {
        if (s->ib[i].size > INDIRECT_BUFFER_IB_SIZE(~0u) ||
            s->ib[i].pos > s->ib[i].size) {
            return false;
        }
    }
    return s->level < VGPU_CP_LEVELS && s->ib_vmid < VGPU_NUM_VMIDS &&
           s->halted < VGPU_CP_NUM_HALTS && s->skip < PM4_MAX_PAYLOAD &&
           s->type0_reg <= VGPU_NUM_REGS &&
           s->type0_left <= INDIRECT_BUFFER_IB_SIZE(~0u) && s->phase <= 1 &&
           s->waiting <= 1 && s->busy <= 1 && s->poll_off <= 1 &&
           s->pred_fail <= 1 && s->preamble <= 1;
}

/*
 * Dwords that the stream has from the position on. In the ring more may come
 * later; an IB ends where it ends.
 */
static uint32_t pm4_avail(const struct vgpu_cp *cp)
{
    const struct vgpu_pm4_state *s = cp->s;

    if (s->level == 0) {
        return (*cp->wptr - s->rptr) & cp->ring_mask;
    }
    return s->ib[s->level - 1].size - s->ib[s->level - 1].pos;
}

static uint64_t pm4_pos_va(const struct vgpu_cp *cp)
{
    const struct vgpu_pm4_state *s = cp->s;
    uint64_t base, pos;

    if (s->level == 0) {
        base = cp->ring_base;
        pos = s->rptr;
    } else {
        base = s->ib[s->level - 1].base;
        pos = s->ib[s->level - 1].pos;
    }
    return base + pos * 4;
}

/*
 * Point at the stream from the position on. Return: contiguous dwords there,
 * at most @limit, 0 after a fault.
 */
static uint32_t pm4_point(struct vgpu_cp *cp, uint32_t limit,
                          const uint32_t **src)
{
    struct vgpu_window *w = &cp->win[cp->s->level];
    struct vgpu_req req = {
        .hub = VGPU_HUB_GC, .vmid = cp->req.vmid, .cid = VGPU_CID_CPF,
    };
    uint64_t va = pm4_pos_va(cp), left;

    *src = vgpu_gmc_window(cp->d, &req, w, va, 1);
    if (!*src) {
        if (!vgpu_gmc_fetch(cp->d, &req, w, va, &cp->one, 1)) {
            return 0;
        }
        *src = vgpu_gmc_window(cp->d, &req, w, va, 1);
        if (!*src) {
            *src = &cp->one;    /* not to be cached: dword by dword */
            return 1;
        }
    }
    if (cp->s->level == 0 && limit > cp->ring_mask + 1 - cp->s->rptr) {
        limit = cp->ring_mask + 1 - cp->s->rptr;
    }
    left = (w->len - (va - w->va)) / 4;
    return left < limit ? left : limit;
}

/*
 * One dword at a time and never from the same place twice: the compiler may
 * not fold our copy back into the guest's memory.
 */
static inline void pm4_copy(uint32_t *dst, const uint32_t *src, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        dst[i] = __atomic_load_n(src + i, __ATOMIC_RELAXED);
    }
}

/* ------------------------------------------------------------ execution */

static inline enum pm4_result pm4_exec(struct vgpu_cp *cp, uint32_t hdr,
                                       uint32_t n)
{
    cp->s->header = hdr;
    if (CP_PACKET_GET_TYPE(hdr) == PACKET_TYPE0) {
        return pm4_type0(cp, CP_PACKET0_GET_REG(hdr), cp->pkt, n);
    }
    return pm4_ops[CP_PACKET3_GET_OPCODE(hdr)].fn(cp, cp->pkt, n);
}

/*
 * Length of a packet from its header, in dwords; 0 for one that cannot be
 * decoded. @skip: it has no effect, so that its payload need not be fetched.
 */
static inline uint32_t pm4_length(const struct vgpu_cp *cp, uint32_t hdr,
                                  bool *skip)
{
    uint32_t n = CP_PACKET_GET_COUNT(hdr) + 1, op;

    *skip = false;
    switch (hdr >> 30) {
    case PACKET_TYPE0:
        return 1 + n;
    case PACKET_TYPE2:
        *skip = true;
        return 1;
    case PACKET_TYPE3:
        op = CP_PACKET3_GET_OPCODE(hdr);
        if (op == PACKET3_NOP) {
            *skip = true;
            return n == PACKET3_NOP_ONE_DWORD_COUNT + 1 ? 1 : 1 + n;
        }
        if (!(pm4_ops[op].engines & cp->engines) || n < pm4_ops[op].min ||
            n > pm4_ops[op].max) {
            return 0;
        }
        *skip = (hdr & PACKET3_PREDICATE) && cp->s->pred_fail;
        return 1 + n;
    default:
        return 0;
    }
}

/*
 * A type 0 header of the stream form: the rest of the stream is values.
 */
static void pm4_type0_stream(struct vgpu_cp *cp, uint32_t hdr)
{
    cp->s->type0_reg = CP_PACKET0_GET_REG(hdr);
    cp->s->type0_left = pm4_avail(cp) - 1;
    cp->s->header = hdr;
    pm4_advance(cp, 1);
}

static enum pm4_result pm4_type0_go_on(struct vgpu_cp *cp)
{
    struct vgpu_pm4_state *s = cp->s;
    uint32_t n = pm4_avail(cp);
    const uint32_t *src;
    enum pm4_result res;

    if (n > s->type0_left) {
        n = s->type0_left;
    }
    if (n == 0) {
        s->type0_left = 0;
        return PM4_JUMP;
    }
    n = pm4_point(cp, n < 256 ? n : 256, &src);
    if (n == 0) {
        return PM4_FETCH;
    }
    pm4_copy(cp->pkt, src, n);
    res = pm4_type0(cp, s->type0_reg, cp->pkt, n);
    if (res != PM4_NEXT) {
        return res;
    }
    s->type0_reg += n;
    s->type0_left -= n;
    pm4_advance(cp, n);
    return vgpu_spend(cp->d, 1 + n / 16) ? PM4_MORE : PM4_JUMP;
}

/*
 * A packet that does not lie in one piece: gather it, if all of it is there.
 * Return: PM4_PARK for a packet in the ring that is yet to be completed.
 */
static enum pm4_result pm4_gather(struct vgpu_cp *cp, uint32_t hdr,
                                  uint32_t len, bool skip)
{
    struct vgpu_pm4_state *s = cp->s;
    uint32_t avail = pm4_avail(cp), got = 0, rptr = s->rptr, pos = 0;
    enum pm4_result res = PM4_NEXT;

    if (len > avail) {
        cp->s->header = hdr;
        if (s->level || len > cp->ring_mask) {
            return PM4_OPCODE;  /* longer than its IB, or than any ring fill */
        }
        return PM4_PARK;
    }
    if (s->level) {
        pos = s->ib[s->level - 1].pos;
    }
    if (!skip) {
        pm4_advance(cp, 1);
        while (got < len - 1) {
            const uint32_t *src;
            uint32_t n = pm4_point(cp, len - 1 - got, &src);

            if (n == 0) {
                res = PM4_FETCH;
                break;
            }
            pm4_copy(cp->pkt + got, src, n);
            got += n;
            pm4_advance(cp, n);
        }
        s->rptr = rptr;
        if (s->level) {
            s->ib[s->level - 1].pos = pos;
        }
        if (res == PM4_NEXT) {
            cp->len = len;
            res = pm4_exec(cp, hdr, len - 1);
        }
    }
    if (res == PM4_NEXT) {
        pm4_advance(cp, len);
        res = PM4_JUMP;
    }
    return res;
}

/*
 * Run packets of the @n dwords at @src, which lie at the position. Return:
 * PM4_JUMP when it wants to be called again for what comes next, PM4_MORE when
 * the slice is over, or why it stopped.
 */
static enum pm4_result pm4_burst(struct vgpu_cp *cp, const uint32_t *src,
                                 uint32_t n)
{
    struct vgpu_pm4_state *s = cp->s;
    uint32_t *pos = s->level ? &s->ib[s->level - 1].pos : &s->rptr;
    uint32_t start = *pos, i = 0;
    enum pm4_result res = PM4_JUMP;
    bool stream = cp->d->cfg.pm4_type0_stream;

    while (i < n) {
        uint32_t hdr = __atomic_load_n(src + i, __ATOMIC_RELAXED);
        bool skip;
        uint32_t len = pm4_length(cp, hdr, &skip);

        *pos = start + i;
        if (len == 0) {
            s->header = hdr;
            return PM4_OPCODE;
        }
        if (stream && hdr >> 30 == PACKET_TYPE0) {
            pm4_type0_stream(cp, hdr);
            cp->packets++;
            return PM4_JUMP;
        }
        if (len > n - i) {
            res = pm4_gather(cp, hdr, len, skip);
            if (res == PM4_JUMP) {
                cp->packets++;
                return vgpu_spend(cp->d, 1) ? PM4_MORE : PM4_JUMP;
            }
            return res;
        }
        if (!skip) {
            pm4_copy(cp->pkt, src + i + 1, len - 1);
            cp->len = len;
            res = pm4_exec(cp, hdr, len - 1);
            if (res == PM4_JUMP) {
                cp->packets++;
                return vgpu_spend(cp->d, 1) ? PM4_MORE : PM4_JUMP;
            }
            if (res != PM4_NEXT) {
                return res;
            }
            res = PM4_JUMP;
        }
        i += len;
        cp->packets++;
        if (vgpu_spend(cp->d, 1)) {
            res = PM4_MORE;
            break;
        }
        if (cp->sync) {
            break;
        }
    }
    *pos = start + i;
    if (s->level == 0) {
        s->rptr &= cp->ring_mask;
    }
    return res;
}

/*
 * Run until the ring is empty (IDLE), a packet waits (PARKED), the slice is
 * over or something was written that cp_run() must look at (MORE), or an error
 * (HALTED).
 */
enum vgpu_run vgpu_pm4_run(struct vgpu_cp *cp)
{
    struct vgpu_pm4_state *s = cp->s;

    for (;;) {
        uint32_t avail = pm4_avail(cp), n;
        const uint32_t *src;
        enum pm4_result res;

        if (s->level && avail == 0) {
            vgpu_trace_step(cp->d, VGPU_STEP_IB_END, cp->trace,
                            s->ib[s->level - 1].size);
            s->type0_left = 0;
            s->level--;
            pm4_level_changed(cp);
            continue;
        }
        if (s->level == 0 && s->skip && avail) {
            n = s->skip < avail ? s->skip : avail;
            s->skip -= n;
            pm4_advance(cp, n);
            continue;
        }
        if (avail == 0) {
            s->type0_left = 0;
            s->busy = 0;
            return VGPU_RUN_IDLE;
        }
        if (!s->busy) {
            s->busy = 1;
            vgpu_trace_step(cp->d, VGPU_STEP_FETCH, cp->trace, s->rptr);
        }
        if (s->type0_left) {
            res = pm4_type0_go_on(cp);
        } else {
            n = pm4_point(cp, avail, &src);
            res = n ? pm4_burst(cp, src, n) : PM4_FETCH;
        }

        switch (res) {
        case PM4_NEXT:
        case PM4_JUMP:
            break;
        case PM4_MORE:
            return VGPU_RUN_MORE;
        case PM4_PARK:
            return s->waiting ? VGPU_RUN_PARKED : VGPU_RUN_IDLE;
        case PM4_OPCODE:
            vgpu_cp_halt(cp, VGPU_CP_BAD_OPCODE);
            return VGPU_RUN_HALTED;
        case PM4_RESERVED:
            vgpu_cp_halt(cp, VGPU_CP_RESERVED_BITS);
            return VGPU_RUN_HALTED;
        case PM4_REGISTER:
            vgpu_cp_halt(cp, VGPU_CP_REG_VIOLATION);
            return VGPU_RUN_HALTED;
        case PM4_FETCH:
            s->header = 0;
            vgpu_cp_halt(cp, VGPU_CP_FETCH_FAULT);
            return VGPU_RUN_HALTED;
        }
        if (cp->sync) {
            return VGPU_RUN_MORE;
        }
    }
}
