/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SDMA engines: registers, the rings of each engine (gfx, page and user queues)
 * and their indirect buffers. Packets are in sdma_exec.c. A ring's number is
 * that of its engine times VGPU_SDMA_RINGS, and its place in the engine.
 * Documentation/hardware.rst, "SDMA".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdma_priv.h"
#include "hw/reg/vgpu.h"

/* The register window of an engine, dwords; SDMA2 to SDMA4 are this close. */
#define SDMA_WINDOW         0x400u
/* Registers of one queue, from RB_CNTL to MIDCMD_CNTL. */
#define SDMA_QUEUE_REGS                                                 \
    (VGPU_REG_OFF(regSDMA0_GFX_MIDCMD_CNTL) -                           \
     VGPU_REG_OFF(regSDMA0_GFX_RB_CNTL) + 1)

_Static_assert(VGPU_REG_OFF(regSDMA0_PAGE_RB_CNTL) ==
               VGPU_REG_OFF(regSDMA0_GFX_RB_CNTL) + SDMA_RING_STRIDE &&
               VGPU_REG_OFF(regSDMA0_RLC0_RB_CNTL) ==
               VGPU_REG_OFF(regSDMA0_PAGE_RB_CNTL) + SDMA_RING_STRIDE &&
               VGPU_REG_OFF(regSDMA0_RLC7_MIDCMD_CNTL) < SDMA_WINDOW,
               "the rings' registers lie at equal distances");

static const uint8_t sdma_client[VGPU_MAX_SDMA] = {
    SOC15_IH_CLIENTID_SDMA0, SOC15_IH_CLIENTID_SDMA1, SOC15_IH_CLIENTID_SDMA2,
    SOC15_IH_CLIENTID_SDMA3, SOC15_IH_CLIENTID_SDMA4,
};

/* A register of a ring at its place in the gfx ring's */
uint32_t sdma_qreg(unsigned n, uint32_t gfx_reg)
{
    return VGPU_SDMA_REG_ABS(n / VGPU_SDMA_RINGS, gfx_reg) +
           n % VGPU_SDMA_RINGS * SDMA_RING_STRIDE;
}

/* The ring of a register; of one that belongs to the engine, its gfx ring. */
static unsigned sdma_ring_of(uint32_t reg)
{
    for (unsigned n = 0; n < VGPU_MAX_SDMA; n++) {
        uint32_t off = reg - VGPU_SDMA_BASE(n);

        if (off < SDMA_WINDOW) {
            off -= VGPU_REG_OFF(regSDMA0_GFX_RB_CNTL);
            return n * VGPU_SDMA_RINGS + (off < SDMA_WINDOW ?
                                          off / SDMA_RING_STRIDE : 0);
        }
    }
    return 0;
}

/* ---------------------------------------------------------------- stream */

uint64_t sdma_avail(const struct sdma_ctx *c)
{
    uint64_t bytes;

    if (c->s->in_ib) {
        return c->s->ib_size - c->s->ib_pos;
    }
    /* WPTR behind RPTR, or a whole ring ahead of it, allows nothing. */
    bytes = c->s->wptr - c->s->rptr;
    return bytes <= c->ring_bytes ? bytes / 4 : 0;
}

bool sdma_fetch(struct sdma_ctx *c, uint32_t off, uint32_t *dst, unsigned n)
{
    struct vgpu_sdma_state *s = c->s;
    bool ok;

    if (s->in_ib) {
        ok = vgpu_gmc_fetch(c->d, &c->req, &c->e->ib_win,
                            s->ib_base + ((uint64_t)s->ib_pos + off) * 4,
                            dst, n);
    } else {
        uint64_t pos = (s->rptr + (uint64_t)off * 4) & (c->ring_bytes - 1);
        uint64_t first = (c->ring_bytes - pos) / 4;

        if (first > n) {
            first = n;
        }
        ok = vgpu_gmc_fetch(c->d, &c->req, &c->e->ring_win,
                            c->ring_base + pos, dst, first);
        if (ok && first < n) {
            ok = vgpu_gmc_fetch(c->d, &c->req, &c->e->ring_win, c->ring_base,
                                dst + first, n - first);
        }
    }
    if (c->swap) {
        for (unsigned i = 0; i < n; i++) {
            dst[i] = __builtin_bswap32(dst[i]);
        }
    }
    return ok;
}

void sdma_advance(struct sdma_ctx *c, uint32_t n)
{
    if (c->s->in_ib) {
        c->s->ib_pos += n;
    } else {
        c->s->rptr += (uint64_t)n * 4;
    }
}

/* ------------------------------------------------------------ interrupts */

/* As sdma_v4_0.c tells queues apart */
static uint8_t sdma_ring_id(unsigned n)
{
    switch (n % VGPU_SDMA_RINGS) {
    case SDMA_RING_GFX:
        return 0;
    case SDMA_RING_PAGE:
        return 3;
    default:
        return 2;
    }
}

void sdma_interrupt(struct sdma_ctx *c, unsigned source, uint32_t data0,
                    uint32_t data1)
{
    struct vgpu_iv iv = {
        .client_id = sdma_client[c->n],
        .source_id = source,
        .ring_id = sdma_ring_id(c->ring),
        .vmid = c->req.vmid,
        .vmid_mm = true,
        .src_data = { data0, data1 },
    };

    vgpu_ih_post(c->d, &iv);
}

static void sdma_error(struct sdma_ctx *c, const char *what)
{
    struct vgpu_sdma_state *s = c->s;

    if (s->in_ib) {
        vgpu_log(c->d, VGPU_LOG_GUEST_ERROR,
                 "%s: %s, dword %u of the IB of %u at 0x%llx, VMID %u",
                 c->q->name, what, s->ib_pos, s->ib_size,
                 (unsigned long long)s->ib_base, s->ib_vmid);
    } else {
        vgpu_log(c->d, VGPU_LOG_GUEST_ERROR,
                 "%s: %s, ring at RPTR 0x%llx, WPTR 0x%llx", c->q->name,
                 what,
                 (unsigned long long)s->rptr, (unsigned long long)s->wptr);
    }
}

/* Stopped by an error: only disabling the ring gets the engine out of it. */
static enum vgpu_run sdma_halt(struct sdma_ctx *c)
{
    c->s->halted = 1;
    c->s->in_packet = 0;
    c->s->parked = 0;
    vgpu_trace_step(c->d, VGPU_STEP_HALT, c->trace, 0);
    return VGPU_RUN_HALTED;
}

/* -------------------------------------------------------------- pointers */

static uint8_t sdma_trace(unsigned n)
{
    unsigned engine = n / VGPU_SDMA_RINGS, k = n % VGPU_SDMA_RINGS;

    return k < SDMA_RING_RLC0 ? VGPU_TRACE_QUEUE_SDMA(engine) :
           VGPU_TRACE_QUEUE_RLC(engine, k - SDMA_RING_RLC0);
}

static bool sdma_ring_enabled(const struct vgpu_die *d, unsigned n)
{
    return vgpu_reg_get(d, sdma_qreg(n, regSDMA0_GFX_RB_CNTL)) &
           SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK;
}

static bool sdma_stuck(const struct vgpu_die *d, unsigned n)
{
    return vgpu_reg_get(d, VGPU_DBG_STUCK) &
           VGPU_DBG_STUCK__SDMA_MASK(n / VGPU_SDMA_RINGS);
}

static bool sdma_frozen(const struct vgpu_die *d, unsigned n)
{
    n /= VGPU_SDMA_RINGS;
    return (vgpu_reg_get(d, VGPU_SDMA_REG_ABS(n, regSDMA0_F32_CNTL)) &
            SDMA0_F32_CNTL__HALT_MASK) ||
           (vgpu_reg_get(d, VGPU_SDMA_REG_ABS(n, regSDMA0_FREEZE)) &
            SDMA0_FREEZE__FREEZE_MASK);
}

static void sdma_wptr_fail(struct vgpu_die *d, unsigned n, uint64_t val)
{
    uint32_t reg = sdma_qreg(n, regSDMA0_GFX_STATUS);
    uint32_t count = vgpu_reg_get(d, reg) &
                     SDMA0_GFX_STATUS__WPTR_UPDATE_FAIL_COUNT_MASK;

    if (count < SDMA0_GFX_STATUS__WPTR_UPDATE_FAIL_COUNT_MASK) {
        count++;
    }
    vgpu_reg_set(d, reg, count);
    vgpu_log(d, VGPU_LOG_GUEST_ERROR,
             "%s: WPTR 0x%llx is out of range, RPTR 0x%llx",
             d->sdma->ring[n].queue->name,
             (unsigned long long)val, (unsigned long long)d->s.sdma[n].rptr);
}

static void sdma_set_wptr(struct vgpu_die *d, unsigned n, uint64_t val)
{
    struct vgpu_sdma_state *s = &d->s.sdma[n];

    s->wptr = val & ~3ull;
    s->wptr_bad = 0;
    vgpu_reg_set(d, sdma_qreg(n, regSDMA0_GFX_RB_WPTR), s->wptr);
    vgpu_reg_set(d, sdma_qreg(n, regSDMA0_GFX_RB_WPTR_HI),
                 s->wptr >> 32);
    vgpu_queue_kick(d, d->sdma->ring[n].queue);
}

static bool sdma_ring_doorbell(struct vgpu_die *d, unsigned n, uint32_t index,
                               uint64_t val)
{
    uint32_t reg = sdma_qreg(n, regSDMA0_GFX_DOORBELL);
    uint32_t cntl = vgpu_reg_get(d, reg), minor;

    if (!(cntl & SDMA0_GFX_DOORBELL__ENABLE_MASK) ||
        index != (vgpu_reg_get(d, sdma_qreg(n, regSDMA0_GFX_DOORBELL_OFFSET)) &
                  SDMA0_GFX_DOORBELL_OFFSET__OFFSET_MASK) >>
                 SDMA0_GFX_DOORBELL_OFFSET__OFFSET__SHIFT) {
        return false;
    }
    vgpu_reg_set(d, reg, cntl | SDMA0_GFX_DOORBELL__CAPTURED_MASK);
    vgpu_reg_set(d, sdma_qreg(n, regSDMA0_GFX_DOORBELL_LOG),
                 val & SDMA0_GFX_DOORBELL_LOG__DATA_MASK);
    vgpu_trace_step(d, VGPU_STEP_DOORBELL, sdma_trace(n), val >> 2);

    /*
     * WPTR only grows: what goes back is a late doorbell, unless the driver
     * has announced it.
     */
    minor = vgpu_reg_get(d, sdma_qreg(n, regSDMA0_GFX_MINOR_PTR_UPDATE));
    if ((val & ~3ull) < d->s.sdma[n].wptr && sdma_ring_enabled(d, n) &&
        !(minor & SDMA0_GFX_MINOR_PTR_UPDATE__ENABLE_MASK)) {
        sdma_wptr_fail(d, n, val);
        return true;
    }
    sdma_set_wptr(d, n, val);
    return true;
}

bool vgpu_sdma_doorbell(struct vgpu_die *d, unsigned engine, uint32_t index,
                        uint64_t val)
{
    unsigned k;

    if (engine >= d->cfg.num_sdma) {
        return false;
    }
    for (k = 0; k < VGPU_SDMA_RINGS; k++) {
        if (sdma_ring_doorbell(d, engine * VGPU_SDMA_RINGS + k, index, val)) {
            return true;
        }
    }
    return false;
}

void sdma_rptr_writeback(struct sdma_ctx *c)
{
    uint32_t rptr[2] = { c->s->rptr, c->s->rptr >> 32 };
    struct vgpu_req req = c->req;
    uint64_t addr;

    if (!(c->cntl & SDMA0_GFX_RB_CNTL__RPTR_WRITEBACK_ENABLE_MASK)) {
        return;
    }
    if (c->cntl & SDMA0_GFX_RB_CNTL__RPTR_WRITEBACK_SWAP_ENABLE_MASK) {
        rptr[0] = __builtin_bswap32(rptr[0]);
        rptr[1] = __builtin_bswap32(rptr[1]);
    }
    addr = (uint64_t)sdma_reg(c, regSDMA0_GFX_RB_RPTR_ADDR_HI) << 32 |
           (sdma_reg(c, regSDMA0_GFX_RB_RPTR_ADDR_LO) &
            SDMA0_GFX_RB_RPTR_ADDR_LO__ADDR_MASK);
    req.vmid = c->ring_vmid;
    vgpu_gmc_write(c->d, &req, addr, rptr, sizeof(rptr));
}

static bool sdma_wptr_polled(const struct sdma_ctx *c)
{
    return sdma_reg(c, regSDMA0_GFX_RB_WPTR_POLL_CNTL) &
           (SDMA0_GFX_RB_WPTR_POLL_CNTL__ENABLE_MASK |
            SDMA0_GFX_RB_WPTR_POLL_CNTL__F32_POLL_ENABLE_MASK);
}

static void sdma_poll_wptr(struct sdma_ctx *c)
{
    struct vgpu_req req = c->req;
    uint32_t w[2];
    uint64_t addr, val;

    addr = (uint64_t)sdma_reg(c, regSDMA0_GFX_RB_WPTR_POLL_ADDR_HI) << 32 |
           (sdma_reg(c, regSDMA0_GFX_RB_WPTR_POLL_ADDR_LO) &
            SDMA0_GFX_RB_WPTR_POLL_ADDR_LO__ADDR_MASK);
    req.vmid = c->ring_vmid;
    if (!vgpu_gmc_read(c->d, &req, addr, w, sizeof(w))) {
        return;
    }
    if (sdma_reg(c, regSDMA0_GFX_RB_WPTR_POLL_CNTL) &
        SDMA0_GFX_RB_WPTR_POLL_CNTL__SWAP_ENABLE_MASK) {
        w[0] = __builtin_bswap32(w[0]);
        w[1] = __builtin_bswap32(w[1]);
    }
    val = ((uint64_t)w[1] << 32 | w[0]) & ~3ull;
    if (val > c->s->wptr) {
        /* The commands up to there were written before it. */
        atomic_thread_fence(memory_order_acquire);
        c->s->wptr = val;
        c->s->wptr_bad = 0;
        sdma_reg_set(c, regSDMA0_GFX_RB_WPTR, val);
        sdma_reg_set(c, regSDMA0_GFX_RB_WPTR_HI, val >> 32);
    }
}

/* ---------------------------------------------------------------- engine */

/* The packet and the IB in flight are forgotten; the pointers stay. */
void sdma_drop(struct vgpu_die *d, unsigned n)
{
    struct vgpu_sdma_state *s = &d->s.sdma[n];

    s->in_packet = 0;
    s->in_ib = 0;
    s->skip = 0;
    s->done = 0;
    s->deadline = 0;
    s->halted = 0;
    s->parked = 0;
    s->wptr_bad = 0;
}

/* Who the data accesses and fetches of the stream come from. */
static void sdma_select(struct sdma_ctx *c)
{
    if (c->s->in_ib) {
        c->req.vmid = c->s->ib_vmid;
        c->swap = sdma_reg(c, regSDMA0_GFX_IB_CNTL) &
                  SDMA0_GFX_IB_CNTL__IB_SWAP_ENABLE_MASK;
    } else {
        c->req.vmid = c->ring_vmid;
        c->swap = c->cntl & SDMA0_GFX_RB_CNTL__RB_SWAP_ENABLE_MASK;
    }
}

void sdma_ctx_init(struct sdma_ctx *c, struct vgpu_die *d,
                   struct vgpu_queue *q)
{
    c->d = d;
    c->q = q;
    c->ring = q->arg;
    c->n = c->ring / VGPU_SDMA_RINGS;
    c->e = &d->sdma->ring[c->ring];
    c->s = &d->s.sdma[c->ring];
    c->ring_off = c->ring % VGPU_SDMA_RINGS * SDMA_RING_STRIDE;
    c->trace = sdma_trace(c->ring);
    c->cntl = sdma_reg(c, regSDMA0_GFX_RB_CNTL);
    c->ring_vmid = (c->cntl & SDMA0_GFX_RB_CNTL__RB_VMID_MASK) >>
                   SDMA0_GFX_RB_CNTL__RB_VMID__SHIFT;
    c->ring_bytes = 4ull << ((c->cntl & SDMA0_GFX_RB_CNTL__RB_SIZE_MASK) >>
                             SDMA0_GFX_RB_CNTL__RB_SIZE__SHIFT);
    c->ring_base = ((uint64_t)(sdma_reg(c, regSDMA0_GFX_RB_BASE_HI) &
                               SDMA0_GFX_RB_BASE_HI__ADDR_MASK) << 32 |
                    sdma_reg(c, regSDMA0_GFX_RB_BASE)) << 8;
    c->req.hub = VGPU_HUB_MM;
    c->req.cid = VGPU_CID_SDMA(c->n);
    sdma_select(c);
}

/* What the driver reads after a hang, and who is inside which packet. */
static void sdma_sync_regs(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    uint32_t cmd = s->in_packet ? s->pkt[0] & 0xffff : 0;

    sdma_reg_set(c, regSDMA0_GFX_IB_RPTR, s->in_ib ? s->ib_pos << 2 : 0);
    sdma_reg_set(c, regSDMA0_GFX_IB_OFFSET, s->in_ib ? s->ib_pos << 2 : 0);
    sdma_reg_set(c, regSDMA0_IB_OFFSET_FETCH, s->in_ib ? s->ib_pos << 2 : 0);
    sdma_reg_set(c, regSDMA0_GFX_IB_SUB_REMAIN,
                 s->in_ib ? s->ib_size - s->ib_pos : 0);
    sdma_reg_set(c, regSDMA0_GFX_SKIP_CNTL, s->skip);
    sdma_reg_set(c, regSDMA0_STATUS2_REG,
                 (c->n & SDMA0_STATUS2_REG__ID_MASK) |
                 cmd << SDMA0_STATUS2_REG__CMD_OP__SHIFT);
}

static enum vgpu_run sdma_go_idle(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;

    if (s->wptr - s->rptr > c->ring_bytes && !s->wptr_bad) {
        s->wptr_bad = 1;
        sdma_wptr_fail(c->d, c->ring, s->wptr);
    }
    if (!c->e->idle) {
        c->e->idle = true;
        if (s->rptr == s->wptr && (sdma_reg(c, regSDMA0_CNTL) &
                                   SDMA0_CNTL__CTXEMPTY_INT_ENABLE_MASK)) {
            sdma_interrupt(c, SDMA0_4_0__SRCID__SDMA_CTXEMPTY, 0, 0);
        }
    }
    /* Memory that the CPU writes does not kick: WPTR there is polled. */
    return sdma_wptr_polled(c) ? VGPU_RUN_PARKED : VGPU_RUN_IDLE;
}

static void sdma_wake_trace(struct sdma_ctx *c)
{
    if (c->s->parked) {
        c->s->parked = 0;
        vgpu_trace_step(c->d, VGPU_STEP_WAKE, c->trace, 0);
    }
}

static enum vgpu_run sdma_loop(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    struct vgpu_die *d = c->d;

    for (;;) {
        enum sdma_step step;

        if (!s->in_packet) {
            uint64_t avail = sdma_avail(c);
            unsigned len;

            if (!avail) {
                if (!s->in_ib) {
                    return sdma_go_idle(c);
                }
                s->in_ib = 0;
                sdma_select(c);
                vgpu_trace_step(d, VGPU_STEP_IB_END, c->trace, s->ib_size);
                continue;
            }
            if (c->e->idle) {
                c->e->idle = false;
                vgpu_trace_step(d, VGPU_STEP_FETCH, c->trace, s->rptr >> 2);
            }
            if (s->skip) {
                uint32_t n = s->skip < avail ? s->skip : avail;

                sdma_advance(c, n);
                s->skip -= n;
                continue;
            }
            if (!sdma_fetch(c, 0, s->pkt, 1)) {
                sdma_error(c, "commands cannot be fetched");
                return sdma_halt(c);
            }
            len = sdma_head_len(s->pkt[0]);
            if (len > avail) {
                if (!s->in_ib) {
                    return sdma_go_idle(c);
                }
                len = 0;
            }
            if (len > 1 && !sdma_fetch(c, 1, s->pkt + 1, len - 1)) {
                sdma_error(c, "commands cannot be fetched");
                return sdma_halt(c);
            }
            d->stats.sdma_packets++;
            s->done = 0;
            s->deadline = 0;
            s->in_packet = 1;
            step = len ? sdma_exec(c) : SDMA_ILLEGAL;
        } else {
            step = sdma_exec(c);
        }

        switch (step) {
        case SDMA_DONE:
            s->in_packet = 0;
            sdma_wake_trace(c);
            break;
        case SDMA_RELOAD:
            /* The register may have been one of ours. */
            sdma_wake_trace(c);
            if (!sdma_ring_enabled(d, c->ring)) {
                return VGPU_RUN_IDLE;
            }
            if (sdma_frozen(d, c->ring)) {
                return VGPU_RUN_HALTED;
            }
            sdma_ctx_init(c, d, c->q);
            break;
        case SDMA_AGAIN:
            sdma_wake_trace(c);
            return VGPU_RUN_MORE;
        case SDMA_WAIT:
            return sdma_go_idle(c);
        case SDMA_PARK:
            if (!s->parked) {
                s->parked = 1;
                vgpu_trace_step(d, VGPU_STEP_PARK, c->trace, s->pkt[0] & 0xff);
            }
            return VGPU_RUN_PARKED;
        case SDMA_ILLEGAL: {
            char what[48];

            snprintf(what, sizeof(what), "illegal instruction 0x%08x",
                     s->pkt[0]);
            sdma_error(c, what);
            sdma_interrupt(c, VGPU_SDMA_SRCID_ILLEGAL_INST, 0, 0);
            return sdma_halt(c);
        }
        case SDMA_FETCH:
            sdma_error(c, "commands cannot be fetched");
            return sdma_halt(c);
        }
        if (vgpu_spend(d, 1)) {
            return VGPU_RUN_MORE;
        }
    }
}

static void sdma_poisoned(struct vgpu_die *d, struct vgpu_queue *q)
{
    struct sdma_ctx c;

    sdma_ctx_init(&c, d, q);
    sdma_error(&c, "poisoned memory");
    sdma_halt(&c);
    if (sdma_reg(&c, regSDMA0_EDC_CONFIG) &
        SDMA0_EDC_CONFIG__ECC_INT_ENABLE_MASK) {
        sdma_interrupt(&c, SDMA0_4_0__SRCID__SDMA_ECC, 0, 0);
    }
}

static enum vgpu_run sdma_run(struct vgpu_die *d, struct vgpu_queue *q)
{
    struct sdma_ctx c;
    enum vgpu_run run;
    uint64_t rptr;

    if (!sdma_ring_enabled(d, q->arg)) {
        return VGPU_RUN_IDLE;
    }
    if (sdma_frozen(d, q->arg) || d->s.sdma[q->arg].halted ||
        sdma_stuck(d, q->arg)) {
        return VGPU_RUN_HALTED;
    }
    sdma_ctx_init(&c, d, q);
    if (sdma_wptr_polled(&c)) {
        sdma_poll_wptr(&c);
    }
    rptr = c.s->rptr;
    run = sdma_loop(&c);
    sdma_sync_regs(&c);
    if (c.s->rptr != rptr) {
        sdma_rptr_writeback(&c);
    }
    return run;
}

/* ------------------------------------------------------------- registers */

static uint32_t sdma_read_rptr(struct vgpu_die *d, uint32_t reg)
{
    return d->s.sdma[sdma_ring_of(reg)].rptr;
}

static uint32_t sdma_read_rptr_hi(struct vgpu_die *d, uint32_t reg)
{
    return d->s.sdma[sdma_ring_of(reg)].rptr >> 32;
}

/* RPTR belongs to a running engine; what it was doing ends with the write. */
static bool sdma_rptr_writable(struct vgpu_die *d, unsigned n)
{
    if (sdma_ring_enabled(d, n) && !sdma_frozen(d, n) &&
        !d->s.sdma[n].halted) {
        vgpu_log(d, VGPU_LOG_GUEST_ERROR,
                 "%s: write to RPTR of a running ring",
                 d->sdma->ring[n].queue->name);
        return false;
    }
    sdma_drop(d, n);
    return true;
}

static void sdma_write_rptr(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned n = sdma_ring_of(reg);
    struct vgpu_sdma_state *s = &d->s.sdma[n];

    if (sdma_rptr_writable(d, n)) {
        s->rptr = (s->rptr & ~0xffffffffull) | (val & ~3u);
        vgpu_queue_kick(d, d->sdma->ring[n].queue);
    }
}

static void sdma_write_rptr_hi(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned n = sdma_ring_of(reg);
    struct vgpu_sdma_state *s = &d->s.sdma[n];

    if (sdma_rptr_writable(d, n)) {
        s->rptr = (uint64_t)val << 32 | (uint32_t)s->rptr;
        vgpu_queue_kick(d, d->sdma->ring[n].queue);
    }
}

static void sdma_write_wptr(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned n = sdma_ring_of(reg);

    sdma_set_wptr(d, n, (d->s.sdma[n].wptr & ~0xffffffffull) | val);
}

static void sdma_write_wptr_hi(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned n = sdma_ring_of(reg);

    sdma_set_wptr(d, n, (uint64_t)val << 32 | (uint32_t)d->s.sdma[n].wptr);
}

static void sdma_write_rb_cntl(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned n = sdma_ring_of(reg);

    /* A ring that is off has no packet in flight; this is how a hang ends. */
    if (!(val & SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK)) {
        sdma_drop(d, n);
        d->sdma->ring[n].idle = true;
    }
    vgpu_reg_set(d, reg, val);
    vgpu_queue_kick(d, d->sdma->ring[n].queue);
}

/* Enables and conditions that a run looks at. */
static void sdma_write_kick(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    vgpu_queue_kick(d, d->sdma->ring[sdma_ring_of(reg)].queue);
}

static void sdma_kick_engine(struct vgpu_die *d, unsigned n)
{
    for (unsigned k = 0; k < VGPU_SDMA_RINGS; k++) {
        vgpu_queue_kick(d, d->sdma->ring[n + k].queue);
    }
}

static void sdma_write_f32_cntl(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    sdma_kick_engine(d, sdma_ring_of(reg));
}

static void sdma_write_freeze(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned n = sdma_ring_of(reg);
    uint32_t old = vgpu_reg_get(d, reg);

    val &= ~SDMA0_FREEZE__FROZEN_MASK;
    if (val & SDMA0_FREEZE__FREEZE_MASK) {
        /* Between packets, or pieces of one, it can always stop at once. */
        val |= SDMA0_FREEZE__FROZEN_MASK;
    }
    vgpu_reg_set(d, reg, val);
    if ((val & ~old) & SDMA0_FREEZE__FROZEN_MASK) {
        struct sdma_ctx c;

        sdma_ctx_init(&c, d, d->sdma->ring[n].queue);
        if (sdma_reg(&c, regSDMA0_CNTL) & SDMA0_CNTL__FROZEN_INT_ENABLE_MASK) {
            sdma_interrupt(&c, SDMA0_4_0__SRCID__SDMA_FROZEN, 0, 0);
        }
    }
    sdma_kick_engine(d, n);
}

static void sdma_write_ucode_data(struct vgpu_die *d, uint32_t reg,
                                  uint32_t val)
{
    uint32_t addr = reg - VGPU_REG_OFF(regSDMA0_UCODE_DATA) +
                    VGPU_REG_OFF(regSDMA0_UCODE_ADDR);

    /* There is no microcode: it is counted, as a loader expects, and lost. */
    vgpu_reg_set(d, reg, val);
    vgpu_reg_set(d, addr, vgpu_reg_get(d, addr) + 1);
}

static uint32_t sdma_read_status(struct vgpu_die *d, uint32_t reg)
{
    unsigned n = sdma_ring_of(reg);
    const struct vgpu_sdma_state *s = &d->s.sdma[n];
    uint32_t val = vgpu_reg_get(d, reg);

    if (s->rptr != s->wptr) {
        val &= ~SDMA0_STATUS_REG__RB_EMPTY_MASK;
    }
    if (sdma_stuck(d, n)) {
        return val & ~(SDMA0_STATUS_REG__IDLE_MASK |
                       SDMA0_STATUS_REG__EX_IDLE_MASK |
                       SDMA0_STATUS_REG__MC_RD_IDLE_MASK);
    }
    if (!sdma_ring_enabled(d, n)) {
        return val;
    }
    if (s->in_ib) {
        val &= ~(SDMA0_STATUS_REG__IB_CMD_IDLE_MASK |
                 SDMA0_STATUS_REG__IB_MC_RREQ_IDLE_MASK);
        val |= SDMA0_STATUS_REG__INSIDE_IB_MASK;
    }
    if (s->in_packet) {
        val &= ~(SDMA0_STATUS_REG__EX_IDLE_MASK |
                 SDMA0_STATUS_REG__PREV_CMD_IDLE_MASK);
        val |= SDMA0_STATUS_REG__PACKET_READY_MASK;
    }
    if (s->in_ib || s->in_packet || s->rptr != s->wptr) {
        val &= ~(SDMA0_STATUS_REG__IDLE_MASK |
                 SDMA0_STATUS_REG__RB_CMD_IDLE_MASK |
                 SDMA0_STATUS_REG__CONTEXT_EMPTY_MASK);
    }
    return val;
}

static uint32_t sdma_read_context(struct vgpu_die *d, uint32_t reg)
{
    unsigned n = sdma_ring_of(reg);
    const struct vgpu_sdma_state *s = &d->s.sdma[n];
    uint32_t val = SDMA0_GFX_CONTEXT_STATUS__SELECTED_MASK;

    if (s->halted) {
        /* Which exception it is has no public code: some non-zero one. */
        val |= 1u << SDMA0_GFX_CONTEXT_STATUS__EXCEPTION__SHIFT;
    }
    if (!sdma_ring_enabled(d, n) ||
        (!s->in_ib && !s->in_packet && s->rptr == s->wptr)) {
        val |= SDMA0_GFX_CONTEXT_STATUS__IDLE_MASK;
    }
    return val;
}

#define ALL     0xffffffffu
#define REG(r, rst, wm, rd, wr)                                         \
    { .reg = VGPU_REG_OFF(regSDMA0_##r), .reset = (rst), .wmask = (wm), \
      .read = (rd), .write = (wr), .name = #r }
#define RW(r, rst)  REG(r, rst, ALL, NULL, NULL)
#define RO(r, rst)  REG(r, rst, 0, NULL, NULL)

/*
 * The registers of an engine, as offsets in its window. Reset values are
 * those of the SDMA 4.0 register lists.
 */
static const struct vgpu_reg_desc sdma_regs[] = {
    RW(UCODE_ADDR, 0),
    REG(UCODE_DATA, 0, ALL, NULL, sdma_write_ucode_data),
    RW(VM_CNTL, 0),
    RW(VM_CTX_LO, 0),
    RW(VM_CTX_HI, 0),
    RW(VM_CTX_CNTL, 0),
    RW(POWER_CNTL, 0x0003c000),
    RW(CLK_CTRL, 0xff000100),
    RW(CNTL, 0x00000002),
    RW(CHICKEN_BITS, 0x00831f07),
    RW(GB_ADDR_CONFIG, 0x00100012),
    RW(GB_ADDR_CONFIG_READ, 0x00100012),
    REG(RB_RPTR_FETCH, 0, 0, sdma_read_rptr, NULL),
    REG(RB_RPTR_FETCH_HI, 0, 0, sdma_read_rptr_hi, NULL),
    RW(SEM_WAIT_FAIL_TIMER_CNTL, 0),
    RO(IB_OFFSET_FETCH, 0),
    RW(PROGRAM, 0),
    REG(STATUS_REG, 0x46dee557, 0, sdma_read_status, NULL),
    RO(STATUS1_REG, 0x000003ff),
    RO(STATUS2_REG, 0),
    RO(STATUS3_REG, 0x00100000),
    RW(RD_BURST_CNTL, 0x00000003),
    RW(HBM_PAGE_CONFIG, 0),
    RW(UCODE_CHECKSUM, 0),
    REG(F32_CNTL, 0x00000001, ALL, NULL, sdma_write_f32_cntl),
    REG(FREEZE, 0, ALL, NULL, sdma_write_freeze),
    RW(PHASE0_QUANTUM, 0x00010002),
    RW(PHASE1_QUANTUM, 0x00010002),
    RW(PHASE2_QUANTUM, 0x00010002),
    RW(EDC_CONFIG, 0x00000002),
    RW(EDC_COUNTER, 0),
    RW(EDC_COUNTER2, 0),
    RW(BA_THRESHOLD, 0x03ff03ff),
    RO(ID, 0x00000001),
    RO(VERSION, 0x00000404),
    RW(ATOMIC_CNTL, 0x00000200),
    RW(ATOMIC_PREOP_LO, 0),
    RW(ATOMIC_PREOP_HI, 0),
    RW(UTCL1_CNTL, 0xd0003019),
    RW(UTCL1_WATERMK, 0xfffbe1fe),
    RO(UTCL1_RD_STATUS, 0x201001ff),
    RO(UTCL1_WR_STATUS, 0x503001ff),
    RW(UTCL1_INV0, 0x00000600),
    RW(UTCL1_INV1, 0),
    RW(UTCL1_INV2, 0),
    RO(UTCL1_RD_XNACK0, 0),
    RO(UTCL1_RD_XNACK1, 0),
    RO(UTCL1_WR_XNACK0, 0),
    RO(UTCL1_WR_XNACK1, 0),
    RW(UTCL1_TIMEOUT, 0x00010001),
    RW(UTCL1_PAGE, 0x000003e0),
    RW(POWER_CNTL_IDLE, 0x06060200),
    RW(CHICKEN_BITS_2, 0x00000005),
    RW(PHYSICAL_ADDR_LO, 0),
    RW(PHYSICAL_ADDR_HI, 0),
    RW(ERROR_LOG, 0x0000000f),
    RW(PUB_DUMMY_REG0, 0),
    RW(PUB_DUMMY_REG1, 0),
    RW(PUB_DUMMY_REG2, 0),
    RW(PUB_DUMMY_REG3, 0),
    RW(ULV_CNTL, 0),
};

/* Those of a ring, as the gfx ring has them */
static const struct vgpu_reg_desc sdma_ring_regs[] = {
    REG(GFX_RB_CNTL, 0x00040000, ALL, NULL, sdma_write_rb_cntl),
    RW(GFX_RB_BASE, 0),
    RW(GFX_RB_BASE_HI, 0),
    REG(GFX_RB_RPTR, 0, ALL, sdma_read_rptr, sdma_write_rptr),
    REG(GFX_RB_RPTR_HI, 0, ALL, sdma_read_rptr_hi, sdma_write_rptr_hi),
    REG(GFX_RB_WPTR, 0, ALL, NULL, sdma_write_wptr),
    REG(GFX_RB_WPTR_HI, 0, ALL, NULL, sdma_write_wptr_hi),
    REG(GFX_RB_WPTR_POLL_CNTL, 0x00401000, ALL, NULL, sdma_write_kick),
    RW(GFX_RB_RPTR_ADDR_HI, 0),
    REG(GFX_RB_RPTR_ADDR_LO, 0,
        SDMA0_GFX_RB_RPTR_ADDR_LO__ADDR_MASK, NULL, NULL),
    REG(GFX_IB_CNTL, 0x00000100, ALL, NULL, sdma_write_kick),
    RO(GFX_IB_RPTR, 0),
    RO(GFX_IB_OFFSET, 0),
    RO(GFX_IB_BASE_LO, 0),
    RO(GFX_IB_BASE_HI, 0),
    RO(GFX_IB_SIZE, 0),
    RO(GFX_SKIP_CNTL, 0),
    REG(GFX_CONTEXT_STATUS, 0x00000005, 0, sdma_read_context, NULL),
    RW(GFX_DOORBELL, 0),
    RW(GFX_CONTEXT_CNTL, 0),
    RW(GFX_STATUS, 0),
    RO(GFX_DOORBELL_LOG, 0),
    RW(GFX_WATERMARK, 0),
    RW(GFX_DOORBELL_OFFSET, 0),
    RW(GFX_CSA_ADDR_LO, 0),
    RW(GFX_CSA_ADDR_HI, 0),
    RO(GFX_IB_SUB_REMAIN, 0),
    RW(GFX_PREEMPT, 0),
    RW(GFX_DUMMY_REG, 0x0000000f),
    REG(GFX_RB_WPTR_POLL_ADDR_HI, 0, ALL, NULL, sdma_write_kick),
    REG(GFX_RB_WPTR_POLL_ADDR_LO, 0, ALL, NULL, sdma_write_kick),
    RW(GFX_RB_AQL_CNTL, 0x00004000),
    RW(GFX_MINOR_PTR_UPDATE, 0),
    { .reg = VGPU_REG_OFF(regSDMA0_GFX_MIDCMD_DATA0), .count = 9, .stride = 1,
      .wmask = ALL, .name = "GFX_MIDCMD_DATA" },
    RW(GFX_MIDCMD_CNTL, 0),
};

#define SDMA_NUM_REGS   (sizeof(sdma_regs) / sizeof(sdma_regs[0]))
#define SDMA_NUM_RING_REGS \
    (sizeof(sdma_ring_regs) / sizeof(sdma_ring_regs[0]))

/* ----------------------------------------------------------------- block */

static bool sdma_claim(struct vgpu_die *d, unsigned n, char *name,
                       const struct vgpu_reg_desc *desc)
{
    struct vgpu_reg_desc copy = *desc;

    snprintf(name, SDMA_NAME, "SDMA%u_%s", n, desc->name);
    copy.reg += VGPU_SDMA_BASE(n);
    copy.name = name;
    return vgpu_regs_claim(d, &copy, 1);
}

/* GFX_RB_CNTL and so on, for ring @k by the name that it has there. */
static bool sdma_claim_ring(struct vgpu_die *d, unsigned n, unsigned k)
{
    /* sdma_claim() puts the engine before it. */
    char name[SDMA_NAME - sizeof("SDMA0_") + 1];
    struct vgpu_reg_desc desc;

    for (unsigned i = 0; i < SDMA_NUM_RING_REGS; i++) {
        const char *rest = sdma_ring_regs[i].name + strlen("GFX");

        if (k == SDMA_RING_GFX) {
            snprintf(name, sizeof(name), "GFX%s", rest);
        } else if (k == SDMA_RING_PAGE) {
            snprintf(name, sizeof(name), "PAGE%s", rest);
        } else {
            snprintf(name, sizeof(name), "RLC%u%s", k - SDMA_RING_RLC0, rest);
        }
        desc = sdma_ring_regs[i];
        desc.reg += k * SDMA_RING_STRIDE;
        desc.name = name;
        if (!sdma_claim(d, n, d->sdma->ring_reg_name[n][k][i], &desc)) {
            return false;
        }
    }
    return true;
}

static bool sdma_add_ring(struct vgpu_die *d, unsigned n, unsigned k)
{
    struct vgpu_sdma_ring *r = &d->sdma->ring[n * VGPU_SDMA_RINGS + k];

    if (k == SDMA_RING_GFX) {
        snprintf(r->name, sizeof(r->name), "sdma%u", n);
    } else if (k == SDMA_RING_PAGE) {
        snprintf(r->name, sizeof(r->name), "sdma%u.page", n);
    } else {
        snprintf(r->name, sizeof(r->name), "sdma%u.%u", n, k - SDMA_RING_RLC0);
    }
    r->queue = vgpu_queue_add(d, r->name, sdma_run, n * VGPU_SDMA_RINGS + k);
    r->idle = true;
    if (!r->queue) {
        return false;
    }
    r->queue->poisoned = sdma_poisoned;
    return sdma_claim_ring(d, n, k);
}

static bool sdma_init(struct vgpu_die *d)
{
    _Static_assert(SDMA_NUM_REGS <= SDMA_MAX_REGS &&
                   SDMA_NUM_RING_REGS <= SDMA_MAX_RING_REGS,
                   "names do not fit");

    d->sdma = calloc(1, sizeof(*d->sdma));
    if (!d->sdma) {
        return false;
    }
    for (unsigned n = 0; n < d->cfg.num_sdma; n++) {
        for (unsigned i = 0; i < SDMA_NUM_REGS; i++) {
            if (!sdma_claim(d, n, d->sdma->reg_name[n][i], &sdma_regs[i])) {
                return false;
            }
        }
        for (unsigned k = 0; k < VGPU_SDMA_RINGS; k++) {
            if (!sdma_add_ring(d, n, k)) {
                return false;
            }
        }
    }
    return true;
}

static unsigned sdma_num_rings(const struct vgpu_die *d)
{
    return d->cfg.num_sdma * VGPU_SDMA_RINGS;
}

static void sdma_forget(struct vgpu_die *d)
{
    for (unsigned n = 0; n < sdma_num_rings(d); n++) {
        struct vgpu_sdma_ring *e = &d->sdma->ring[n];

        memset(&e->ring_win, 0, sizeof(e->ring_win));
        memset(&e->ib_win, 0, sizeof(e->ib_win));
        e->idle = true;
    }
}

static void sdma_reset(struct vgpu_die *d)
{
    sdma_forget(d);
    for (unsigned n = 0; n < d->cfg.num_sdma; n++) {
        vgpu_reg_set(d, VGPU_SDMA_REG_ABS(n, regSDMA0_STATUS2_REG),
                     n & SDMA0_STATUS2_REG__ID_MASK);
    }
}

static void sdma_reset_mode2(struct vgpu_die *d)
{
    memset(d->s.sdma, 0, sizeof(d->s.sdma));
    sdma_reset(d);
    for (unsigned n = 0; n < sdma_num_rings(d); n++) {
        vgpu_queue_reset(d, d->sdma->ring[n].queue);
    }
}

/* Progress is checked where it is used; these index and bound. */
bool sdma_state_ok(const struct vgpu_sdma_state *s)
{
    if (s->ib_vmid >= VGPU_NUM_VMIDS ||
        s->ib_size > SDMA_PKT_INDIRECT_IB_SIZE_ib_size_mask ||
        s->ib_pos > s->ib_size || (s->ib_base & 31) ||
        s->skip > SDMA_PKT_NOP_HEADER_count_mask ||
        (s->in_ib && s->skip > s->ib_size - s->ib_pos) ||
        (s->rptr & 3) || (s->wptr & 3) || s->in_ib > 1 ||
        s->in_packet > 1 || s->halted > 1 || s->parked > 1 ||
        s->wptr_bad > 1 || (s->in_packet && !sdma_head_len(s->pkt[0]))) {
        return false;
    }
    /* The head of a packet is consumed with the packet, but of a WRITE. */
    return !s->in_ib || !s->in_packet ||
           (s->pkt[0] & SDMA_PKT_HEADER_op_mask) == SDMA_OP_WRITE ||
           s->ib_size - s->ib_pos >= sdma_head_len(s->pkt[0]);
}

static bool sdma_valid(const struct vgpu_die *d,
                       const struct vgpu_die_state *state)
{
    for (unsigned n = 0; n < sdma_num_rings(d); n++) {
        if (!sdma_state_ok(&state->sdma[n]) ||
            state->sdma[n].pasid > 0xffff || state->sdma[n].flags > 3) {
            return false;
        }
    }
    return true;
}

static void sdma_fini(struct vgpu_die *d)
{
    free(d->sdma);
    d->sdma = NULL;
}

const struct vgpu_block vgpu_sdma_block = {
    .name = "sdma",
    .init = sdma_init,
    .reset = sdma_reset,
    .reset_mode2 = sdma_reset_mode2,
    .valid = sdma_valid,
    .loaded = sdma_forget,
    .fini = sdma_fini,
};
