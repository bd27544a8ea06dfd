/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command processor's graphics queue: the ring CP_RB0, its pointers and
 * doorbell, its interrupts, and what halts and resets it. The packets it runs
 * are pm4.c's. Documentation/hardware.rst, "Command processor".
 */
#include <stdlib.h>
#include <string.h>

#include "pm4.h"
#include "hw/ih.h"
#include "hw/reg/vgpu.h"

/* The read pointer has 20 bits. */
#define MAX_RB_BUFSZ    19

static uint64_t reg_pair(const struct vgpu_die *d, uint32_t lo, uint32_t hi)
{
    return vgpu_reg_get(d, lo) | (uint64_t)vgpu_reg_get(d, hi) << 32;
}

static uint64_t cp_wptr(const struct vgpu_die *d)
{
    return reg_pair(d, GC(CP_RB0_WPTR), GC(CP_RB0_WPTR_HI));
}

/* Ring size less one, dwords; 0 while there is no ring. */
static uint32_t cp_ring_mask(const struct vgpu_die *d)
{
    uint32_t bufsz = vgpu_reg_get(d, GC(CP_RB0_CNTL)) &
                     CP_RB0_CNTL__RB_BUFSZ_MASK;

    return bufsz && bufsz <= MAX_RB_BUFSZ ? (2u << bufsz) - 1 : 0;
}

static bool cp_ring_empty(const struct vgpu_die *d)
{
    return !((cp_wptr(d) ^ d->s.cp.rptr) & cp_ring_mask(d));
}

static bool cp_stuck(const struct vgpu_die *d)
{
    return vgpu_reg_get(d, VGPU_DBG_STUCK) & VGPU_DBG_STUCK__GFX_MASK;
}

bool vgpu_cp_busy(struct vgpu_die *d)
{
    return d->s.cp.level || !cp_ring_empty(d) || cp_stuck(d);
}

static bool cp_stopped(const struct vgpu_die *d)
{
    return (vgpu_reg_get(d, GC(CP_ME_CNTL)) &
            (CP_ME_CNTL__ME_HALT_MASK | CP_ME_CNTL__PFP_HALT_MASK)) ||
           !(vgpu_reg_get(d, GC(CP_RB0_ACTIVE)) & CP_RB0_ACTIVE__ACTIVE_MASK);
}

/* ----------------------------------------------------------- interrupts */

/*
 * Enable and status bits have the same places. Status is set only when the
 * interrupt goes out, and cleared by writing ones.
 */
void vgpu_cp_interrupt(struct vgpu_cp *cp, uint32_t enable, uint8_t source,
                       uint32_t context_id)
{
    struct vgpu_die *d = cp->d;
    struct vgpu_iv iv = {
        .client_id = SOC15_IH_CLIENTID_GRBM_CP,
        .source_id = source,
        .ring_id = cp->ring_id,
        .vmid = cp->req.vmid,
        .src_data = { context_id },
    };

    if (!(vgpu_reg_get(d, cp->int_cntl) & enable)) {
        return;
    }
    vgpu_reg_set(d, cp->int_status, vgpu_reg_get(d, cp->int_status) | enable);
    pm4_flush_writes(cp);
    vgpu_ih_post(d, &iv);
}

void vgpu_cp_halt(struct vgpu_cp *cp, enum vgpu_cp_halt why)
{
    static const struct {
        const char *what;
        uint32_t enable;
        uint8_t source;
    } causes[VGPU_CP_NUM_HALTS] = {
        [VGPU_CP_BAD_OPCODE] = {
            "bad opcode or length",
            CP_INT_CNTL_RING0__OPCODE_ERROR_INT_ENABLE_MASK,
            GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR,
        },
        [VGPU_CP_RESERVED_BITS] = {
            "reserved value in a field",
            CP_INT_CNTL_RING0__RESERVED_BIT_ERROR_INT_ENABLE_MASK,
            GFX_9_0__SRCID__CP_PM4_PKT_RSVD_BIT_ERROR,
        },
        [VGPU_CP_REG_VIOLATION] = {
            "register out of reach",
            CP_INT_CNTL_RING0__PRIV_REG_INT_ENABLE_MASK,
            GFX_9_0__SRCID__CP_PRIV_REG_FAULT,
        },
        /* The memory controller has raised the interrupt of this one. */
        [VGPU_CP_FETCH_FAULT] = { "stream not mapped", 0, 0 },
        /* A MEC's pipe has no enable of its own for this one. */
        [VGPU_CP_ILLEGAL_INST] = {
            "nothing to run a dispatch",
            CP_INT_CNTL_RING0__PRIV_INSTR_INT_ENABLE_MASK,
            GFX_9_0__SRCID__CP_PRIV_INSTR_FAULT,
        },
        [VGPU_CP_POISON] = {
            "poisoned memory",
            CP_INT_CNTL_RING0__CP_ECC_ERROR_INT_ENABLE_MASK,
            GFX_9_0__SRCID__CP_ECC_ERROR,
        },
    };
    struct vgpu_pm4_state *s = cp->s;
    uint32_t context = cp->hqd ? mec_halted(cp, why) : 0;

    s->halted = why;
    vgpu_trace_step(cp->d, VGPU_STEP_HALT, cp->trace, s->header);
    vgpu_log(cp->d, VGPU_LOG_GUEST_ERROR,
             "queue %s halted at level %u, VMID %u: %s (%s, 0x%08x)",
             cp->queue->name, s->level, cp->req.vmid, causes[why].what,
             vgpu_pm4_name(s->header), s->header);
    if (causes[why].enable) {
        vgpu_cp_interrupt(cp, causes[why].enable, causes[why].source,
                          context);
    }
}

/* ---------------------------------------------------------------- reset */

static void reset_queue(struct vgpu_cp *cp)
{
    pm4_abort(cp);
    cp->s->rptr = 0;
    cp->s->busy = 0;
    cp->s->poll_off = 0;
    cp->s->pred_fail = 0;
    cp->s->preamble = 0;
    cp->s->header = 0;
    cp->written_rptr = 0;
    vgpu_reg_set(cp->d, GC(CP_RB0_WPTR), 0);
    vgpu_reg_set(cp->d, GC(CP_RB0_WPTR_HI), 0);
    vgpu_reg_set(cp->d, GC(CP_INT_STATUS_RING0), 0);
    /* Out of reset it is halted, until the driver has set it up again. */
    vgpu_reg_set(cp->d, GC(CP_ME_CNTL),
                 CP_ME_CNTL__ME_HALT_MASK | CP_ME_CNTL__PFP_HALT_MASK |
                 CP_ME_CNTL__CE_HALT_MASK);
    memset(cp->win, 0, sizeof(cp->win));
}

/*
 * CP_VMID_RESET: end the IB of an address space, wherever it stands, and go on
 * in the ring behind the packet that called it. The bits clear when it is done.
 */
static void kill_vmids(struct vgpu_cp *cp)
{
    struct vgpu_pm4_state *s = cp->s;
    uint32_t vmids = vgpu_reg_get(cp->d, GC(CP_VMID_RESET)) &
                     CP_VMID_RESET__RESET_REQUEST_MASK;

    if (vmids && s->level && (vmids & (1u << s->ib_vmid))) {
        pm4_abort(cp);
    }
    if (vmids) {
        vgpu_mec_kill_vmids(cp->d, vmids);
    }
    vgpu_reg_set(cp->d, GC(CP_VMID_RESET), 0);
}

/* What was asked for, possibly by the packet that has just run. */
static void do_pending(struct vgpu_cp *cp)
{
    if (cp_stuck(cp->d)) {
        cp->reset_pending = false;
        return;
    }
    if (cp->reset_pending) {
        cp->reset_pending = false;
        reset_queue(cp);
    }
    kill_vmids(cp);
}

static void request(struct vgpu_cp *cp)
{
    if (!cp->running) {
        do_pending(cp);
        vgpu_queue_kick(cp->d, cp->queue);
    }
}

void vgpu_cp_soft_reset(struct vgpu_die *d, uint32_t val)
{
    if (val & (GRBM_SOFT_RESET__SOFT_RESET_CP_MASK |
               GRBM_SOFT_RESET__SOFT_RESET_GFX_MASK |
               GRBM_SOFT_RESET__SOFT_RESET_CPF_MASK |
               GRBM_SOFT_RESET__SOFT_RESET_CPG_MASK)) {
        d->cp->reset_pending = true;
        request(d->cp);
    }
    if (val & (GRBM_SOFT_RESET__SOFT_RESET_CP_MASK |
               GRBM_SOFT_RESET__SOFT_RESET_GFX_MASK |
               GRBM_SOFT_RESET__SOFT_RESET_CPC_MASK)) {
        vgpu_mec_soft_reset(d);
    }
}

/* ---------------------------------------------------------------- queue */

static void set_wptr(struct vgpu_die *d, uint64_t wptr)
{
    vgpu_reg_set(d, GC(CP_RB0_WPTR), wptr);
    vgpu_reg_set(d, GC(CP_RB0_WPTR_HI), wptr >> 32);
}

static bool gfx_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val)
{
    uint32_t ctl = vgpu_reg_get(d, GC(CP_RB_DOORBELL_CONTROL));
    uint32_t lower = vgpu_reg_get(d, GC(CP_RB_DOORBELL_RANGE_LOWER));
    uint32_t upper = vgpu_reg_get(d, GC(CP_RB_DOORBELL_RANGE_UPPER));

    /* All three hold the dword index in [27:2]. */
    if (!(ctl & CP_RB_DOORBELL_CONTROL__DOORBELL_EN_MASK) ||
        index != (ctl & CP_RB_DOORBELL_CONTROL__DOORBELL_OFFSET_MASK) >>
                 CP_RB_DOORBELL_CONTROL__DOORBELL_OFFSET__SHIFT ||
        index < lower >> 2 || index > upper >> 2) {
        return false;
    }
    vgpu_reg_set(d, GC(CP_RB_DOORBELL_CONTROL),
                 ctl | CP_RB_DOORBELL_CONTROL__DOORBELL_HIT_MASK);
    vgpu_trace_step(d, VGPU_STEP_DOORBELL, d->cp->trace, val);
    set_wptr(d, val);
    vgpu_queue_kick(d, d->cp->queue);
    return true;
}

bool vgpu_cp_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val)
{
    return gfx_doorbell(d, index, val) || vgpu_mec_doorbell(d, index, val);
}

/*
 * The driver keeps a shadow of the write pointer in memory, so that a doorbell
 * that was lost is made up for. It is looked at whenever the ring is empty,
 * and then every few milliseconds, provided that doorbells are used (without
 * them drivers do not keep it) and polling is on. Only a pointer ahead of ours
 * is taken: behind is what was there before a reset.
 */
static bool shadow_used(const struct vgpu_die *d)
{
    return !d->s.cp.poll_off &&
           (vgpu_reg_get(d, GC(CP_RB_DOORBELL_CONTROL)) &
            CP_RB_DOORBELL_CONTROL__DOORBELL_EN_MASK) &&
           (vgpu_reg_get(d, GC(CP_RB_WPTR_POLL_CNTL)) &
            CP_RB_WPTR_POLL_CNTL__POLL_FREQUENCY_MASK) &&
           reg_pair(d, GC(CP_RB_WPTR_POLL_ADDR_LO),
                    GC(CP_RB_WPTR_POLL_ADDR_HI));
}

static bool look_at_shadow(struct vgpu_cp *cp)
{
    struct vgpu_die *d = cp->d;
    uint64_t va = reg_pair(d, GC(CP_RB_WPTR_POLL_ADDR_LO),
                           GC(CP_RB_WPTR_POLL_ADDR_HI)), ahead;
    uint64_t wptr;

    if ((va & 7) || !pm4_read64(cp, va, &wptr)) {
        cp->s->poll_off = 1;
        return false;
    }
    ahead = wptr - cp_wptr(d);
    if (ahead == 0 || ahead > cp->ring_mask) {
        return false;
    }
    set_wptr(d, wptr);
    return true;
}

static void write_back_rptr(struct vgpu_cp *cp)
{
    struct vgpu_die *d = cp->d;
    uint64_t va = reg_pair(d, GC(CP_RB0_RPTR_ADDR), GC(CP_RB0_RPTR_ADDR_HI));

    if (cp->written_rptr == cp->s->rptr ||
        (vgpu_reg_get(d, GC(CP_RB0_CNTL)) & CP_RB0_CNTL__RB_NO_UPDATE_MASK)) {
        return;
    }
    cp->written_rptr = cp->s->rptr;
    if (va) {
        cp->req.vmid = cp->ring_vmid;
        pm4_write32(cp, va & ~3ull, cp->s->rptr);
        pm4_level_changed(cp);
    }
}

static enum vgpu_run cp_run(struct vgpu_die *d, struct vgpu_queue *q)
{
    struct vgpu_cp *cp = d->cp;
    struct vgpu_pm4_state *s = cp->s;
    enum vgpu_run res;

    (void)q;
    do_pending(cp);
    if (cp_stopped(d) || s->halted || cp_stuck(d)) {
        return VGPU_RUN_HALTED;
    }
    cp->ring_mask = cp_ring_mask(d);
    if (!cp->ring_mask) {
        return VGPU_RUN_IDLE;
    }
    cp->ring_base = (uint64_t)vgpu_reg_get(d, GC(CP_RB0_BASE)) << 8 |
                    (uint64_t)vgpu_reg_get(d, GC(CP_RB0_BASE_HI)) << 40;
    cp->ring_vmid = vgpu_reg_get(d, GC(CP_RB_VMID)) &
                    CP_RB_VMID__RB0_VMID_MASK;
    s->rptr &= cp->ring_mask;
    pm4_level_changed(cp);

    cp->sync = false;
    cp->running = true;
    res = vgpu_pm4_run(cp);
    if (res == VGPU_RUN_IDLE && shadow_used(d)) {
        /* Parked, not idle: the scheduler then lets us look again. */
        res = look_at_shadow(cp) ? VGPU_RUN_MORE : VGPU_RUN_PARKED;
    }
    write_back_rptr(cp);
    pm4_flush_writes(cp);
    cp->running = false;
    d->stats.pm4_packets += cp->packets;
    cp->packets = 0;
    return res;
}

/* ------------------------------------------------------------ registers */

static void kick(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    vgpu_queue_kick(d, d->cp->queue);
}

/*
 * A base makes a new ring, which is read from its start: what was going on in
 * the old one is over. A driver that is loaded again does no more than this.
 */
static void base_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    if (!d->cp->running) {
        pm4_abort(d->cp);
        d->s.cp.rptr = 0;
        d->cp->written_rptr = 0;
    }
    kick(d, reg, val);
}

static uint32_t rptr_read(struct vgpu_die *d, uint32_t reg)
{
    (void)reg;
    return d->s.cp.rptr;
}

static void rptr_wr_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    (void)reg;
    /* Not under a stream: the ring's position is part of it. */
    if ((vgpu_reg_get(d, GC(CP_RB0_CNTL)) &
         CP_RB0_CNTL__RB_RPTR_WR_ENA_MASK) && !d->cp->running) {
        d->s.cp.rptr = val & ((2u << MAX_RB_BUFSZ) - 1);
        d->cp->written_rptr = ~0u;
        vgpu_queue_kick(d, d->cp->queue);
    }
}

static void me_cntl_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    uint32_t reset = CP_ME_CNTL__ME_PIPE0_RESET_MASK |
                     CP_ME_CNTL__PFP_PIPE0_RESET_MASK;

    vgpu_reg_set(d, reg, val);
    if (val & reset) {
        d->cp->reset_pending = true;
    }
    request(d->cp);
}

static void vmid_reset_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    request(d->cp);
}

static void poll_addr_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    d->s.cp.poll_off = 0;
    kick(d, reg, val);
}

static void clear_ones(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, vgpu_reg_get(d, reg) & ~val);
}

static uint32_t stat_read(struct vgpu_die *d, uint32_t reg)
{
    uint32_t val = 0;

    (void)reg;
    if (vgpu_cp_busy(d)) {
        val = CP_STAT__CP_BUSY_MASK | CP_STAT__ROQ_RING_BUSY_MASK |
              CP_STAT__PFP_BUSY_MASK | CP_STAT__ME_BUSY_MASK;
        if (d->s.cp.level >= 1) {
            val |= CP_STAT__ROQ_INDIRECT1_BUSY_MASK;
        }
        if (d->s.cp.level >= 2) {
            val |= CP_STAT__ROQ_INDIRECT2_BUSY_MASK;
        }
    }
    return val;
}

static uint32_t header_read(struct vgpu_die *d, uint32_t reg)
{
    (void)reg;
    return d->s.cp.header;
}

/* Where the stream stands: what a driver prints of a hung ring. */
static uint32_t ib_read(struct vgpu_die *d, uint32_t reg)
{
    const struct vgpu_cp_ib *ib = d->s.cp.ib;

    if (reg == GC(CP_IB1_OFFSET)) {
        return d->s.cp.level >= 1 ? ib[0].pos : 0;
    } else if (reg == GC(CP_IB2_OFFSET)) {
        return d->s.cp.level >= 2 ? ib[1].pos : 0;
    } else if (reg == GC(CP_IB1_BASE_LO)) {
        return ib[0].base;
    } else if (reg == GC(CP_IB1_BASE_HI)) {
        return ib[0].base >> 32;
    } else if (reg == GC(CP_IB1_BUFSZ) || reg == GC(CP_IB1_CMD_BUFSZ)) {
        return ib[0].size;
    } else if (reg == GC(CP_IB2_BASE_LO)) {
        return ib[1].base;
    } else if (reg == GC(CP_IB2_BASE_HI)) {
        return ib[1].base >> 32;
    }
    return ib[1].size;
}

#define R(n, ...) { .reg = GC(n), .name = #n, __VA_ARGS__ }
#define PLAIN(n)  R(n, .wmask = ~0u)

static const struct vgpu_reg_desc cp_regs[] = {
    R(CP_RB0_BASE, .wmask = ~0u, .write = base_write),
    R(CP_RB0_BASE_HI, .wmask = 0xff, .write = kick),
    R(CP_RB0_CNTL, .reset = 0x00400000, .wmask = ~0u, .write = kick),
    R(CP_RB0_RPTR, .read = rptr_read),
    R(CP_RB_RPTR_WR, .wmask = ~0u, .write = rptr_wr_write),
    R(CP_RB0_WPTR, .wmask = ~0u, .write = kick),
    R(CP_RB0_WPTR_HI, .wmask = ~0u, .write = kick),
    R(CP_RB0_RPTR_ADDR, .wmask = CP_RB0_RPTR_ADDR__RB_RPTR_ADDR_MASK),
    R(CP_RB0_RPTR_ADDR_HI, .wmask = 0xffff),
    R(CP_RB_WPTR_POLL_ADDR_LO, .wmask = 0xfffffffc, .write = poll_addr_write),
    R(CP_RB_WPTR_POLL_ADDR_HI, .wmask = 0xffff, .write = poll_addr_write),
    R(CP_RB_WPTR_POLL_CNTL, .reset = 0x00400100, .wmask = ~0u, .write = kick),
    PLAIN(CP_RB_WPTR_DELAY),
    R(CP_RB_DOORBELL_CONTROL, .wmask = 0xcffffffe, .write = kick),
    R(CP_RB_DOORBELL_RANGE_LOWER, .wmask = 0x0ffffffc),
    R(CP_RB_DOORBELL_RANGE_UPPER, .reset = 0x44, .wmask = 0x0ffffffc),
    R(CP_RB0_ACTIVE, .reset = 1, .wmask = 1, .write = kick),
    R(CP_RB_VMID, .wmask = 0x000f0f0f, .write = kick),
    R(CP_ME_CNTL, .reset = 0x15000000, .wmask = ~0u, .write = me_cntl_write),
    R(CP_DEVICE_ID, .wmask = 0xff),
    R(CP_MAX_CONTEXT, .reset = 7, .wmask = 7),
    R(CP_INT_CNTL, .wmask = ~0u),
    PLAIN(CP_INT_STATUS),
    R(CP_INT_CNTL_RING0, .wmask = ~0u),
    R(CP_INT_STATUS_RING0, .wmask = ~0u, .write = clear_ones),
    PLAIN(CP_INT_CNTL_RING1),
    PLAIN(CP_INT_CNTL_RING2),
    PLAIN(CP_INT_STATUS_RING1),
    PLAIN(CP_INT_STATUS_RING2),
    R(CP_VMID_RESET, .wmask = 0xffff, .write = vmid_reset_write),
    R(CP_VMID_PREEMPT, .wmask = 0xfffff),
    R(CP_STAT, .read = stat_read),
    R(CP_BUSY_STAT),
    R(CP_STALLED_STAT1),
    R(CP_STALLED_STAT2),
    R(CP_STALLED_STAT3),
    R(CP_ME_HEADER_DUMP, .read = header_read),
    R(CP_PFP_HEADER_DUMP, .read = header_read),
    R(CP_CE_HEADER_DUMP),
    /* In the user configuration window */
    R(CP_IB1_OFFSET, .read = ib_read),
    R(CP_IB2_OFFSET, .read = ib_read),
    R(CP_IB1_BASE_LO, .read = ib_read),
    R(CP_IB1_BASE_HI, .read = ib_read),
    R(CP_IB1_BUFSZ, .read = ib_read),
    R(CP_IB1_CMD_BUFSZ, .read = ib_read),
    R(CP_IB2_BASE_LO, .read = ib_read),
    R(CP_IB2_BASE_HI, .read = ib_read),
    R(CP_IB2_BUFSZ, .read = ib_read),
    R(CP_IB2_CMD_BUFSZ, .read = ib_read),
    PLAIN(CP_EOP_LAST_FENCE_LO),
    PLAIN(CP_EOP_LAST_FENCE_HI),
    PLAIN(CP_ATOMIC_PREOP_LO),
    PLAIN(CP_ATOMIC_PREOP_HI),
    PLAIN(CP_COHER_CNTL),
    PLAIN(CP_COHER_SIZE),
    PLAIN(CP_COHER_SIZE_HI),
    PLAIN(CP_COHER_BASE),
    PLAIN(CP_COHER_BASE_HI),
    R(CP_COHER_STATUS),
};

/* ---------------------------------------------------------------- block */

static void cp_poisoned(struct vgpu_die *d, struct vgpu_queue *q)
{
    (void)q;
    vgpu_cp_halt(d->cp, VGPU_CP_POISON);
}

static bool cp_init(struct vgpu_die *d)
{
    struct vgpu_cp *cp = calloc(1, sizeof(*cp));

    d->cp = cp;
    if (!cp) {
        return false;
    }
    cp->d = d;
    cp->s = &d->s.cp;
    cp->engines = PM4_GFX;
    cp->levels = VGPU_CP_LEVELS;
    cp->wptr = &d->s.reg[GC(CP_RB0_WPTR)];
    cp->preop = &d->s.reg[GC(CP_ATOMIC_PREOP_LO)];
    cp->int_cntl = GC(CP_INT_CNTL_RING0);
    cp->int_status = GC(CP_INT_STATUS_RING0);
    cp->ring_id = VGPU_IV_CP_RING(0, 0, 0);
    cp->trace = VGPU_TRACE_QUEUE_GFX;
    cp->req.hub = VGPU_HUB_GC;
    cp->req.cid = VGPU_CID_CPG;
    cp->queue = vgpu_queue_add(d, "gfx", cp_run, 0);
    cp->pkt = calloc(PM4_MAX_PAYLOAD, sizeof(*cp->pkt));
    if (cp->queue) {
        cp->queue->poisoned = cp_poisoned;
    }
    return cp->queue && cp->pkt &&
           vgpu_regs_claim(d, cp_regs, sizeof(cp_regs) / sizeof(cp_regs[0]));
}

_Static_assert(GC(CP_ATOMIC_PREOP_HI) == GC(CP_ATOMIC_PREOP_LO) + 1,
               "cp_init() relies on it");

static void cp_drop_caches(struct vgpu_die *d)
{
    struct vgpu_cp *cp = d->cp;

    memset(cp->win, 0, sizeof(cp->win));
    cp->dirty_len = 0;
    cp->reset_pending = false;
    pm4_level_changed(cp);
}

static void cp_reset(struct vgpu_die *d)
{
    cp_drop_caches(d);
    d->cp->written_rptr = 0;
}

static void cp_reset_mode2(struct vgpu_die *d)
{
    memset(&d->s.cp, 0, sizeof(d->s.cp));
    memset(d->s.cp_clear, 0, sizeof(d->s.cp_clear));
    cp_reset(d);
    vgpu_queue_reset(d, d->cp->queue);
}

/* What was last written back is not in the state: write it once more. */
static void cp_loaded(struct vgpu_die *d)
{
    cp_drop_caches(d);
    d->cp->written_rptr = ~0u;
}

static bool cp_valid(const struct vgpu_die *d, const struct vgpu_die_state *ds)
{
    (void)d;
    return pm4_state_valid(&ds->cp) && ds->cp.rptr < 2u << MAX_RB_BUFSZ;
}

static void cp_fini(struct vgpu_die *d)
{
    if (d->cp) {
        free(d->cp->pkt);
    }
    free(d->cp);
    d->cp = NULL;
}

const struct vgpu_block vgpu_cp_block = {
    .name = "cp",
    .init = cp_init,
    .reset = cp_reset,
    .reset_mode2 = cp_reset_mode2,
    .valid = cp_valid,
    .loaded = cp_loaded,
    .remapped = cp_drop_caches,
    .fini = cp_fini,
};
