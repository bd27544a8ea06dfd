/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of the SDMA engine. Every field comes from hw/sdma.h; a packet is
 * copied before it is looked at and can be interrupted where it is long.
 * Documentation/hardware.rst, "SDMA packets".
 */
#include <string.h>

#include "sdma_priv.h"
#include "stream.h"
#include "hw/pm4.h"
#include "hw/reg/nbio.h"
#include "hw/reg/vgpu.h"

/* One piece of a copy or fill; between pieces others get the lock. */
#define SDMA_PIECE          (256u * 1024)
/* What vgpu_spend() counts as one. */
#define SDMA_COST_BYTES     256u

#define HEAD(p)             ((p)[0])
#define GET(p, field)       SDMA_PKT_GET(p, SDMA_PKT_##field)

/* Encodings that the register lists do not name. */
enum {
    POLL_ALWAYS, POLL_LT, POLL_LE, POLL_EQ, POLL_NE, POLL_GE, POLL_GT,
};
#define POLL_FOREVER        SDMA_PKT_POLL_REGMEM_DW5_retry_count_mask
#define FILL_BYTE           0
#define FILL_DWORD          2

/* Endian swaps, as everywhere in these GPUs: none, 8 in 16, 32 and 64 bits. */
#define SWAP_NONE           0

static uint64_t addr64(uint32_t lo, uint32_t hi)
{
    return (uint64_t)hi << 32 | lo;
}

/* Address pair @i of a packet, low dword first. */
static uint64_t addr_at(const uint32_t *p, unsigned i)
{
    return addr64(p[i], p[i + 1]);
}

unsigned sdma_head_len(uint32_t header)
{
    uint32_t p[1] = { header };
    uint32_t sub = GET(p, HEADER_sub_op);

    switch (GET(p, HEADER_op)) {
    case SDMA_OP_NOP:
        return 1;
    case SDMA_OP_COPY:
        switch (sub) {
        case SDMA_SUBOP_COPY_LINEAR:
            return GET(p, COPY_LINEAR_HEADER_broadcast) ? 9 : 7;
        case SDMA_SUBOP_COPY_LINEAR_SUB_WIND:
            return 13;
        }
        return 0;
    case SDMA_OP_WRITE:
        return sub == SDMA_SUBOP_WRITE_LINEAR ? 4 : 0;
    case SDMA_OP_INDIRECT:
        return sub ? 0 : 6;
    case SDMA_OP_FENCE:
        return sub ? 0 : 4;
    case SDMA_OP_TRAP:
    case SDMA_OP_DUMMY_TRAP:
    case SDMA_OP_PRE_EXE:
        return sub ? 0 : 2;
    case SDMA_OP_SEM:
        return sub ? 0 : 3;
    case SDMA_OP_POLL_REGMEM:
        switch (sub) {
        case 0:
            return 6;
        case SDMA_SUBOP_POLL_REG_WRITE_MEM:
            return 4;
        }
        return 0;
    case SDMA_OP_COND_EXE:
        return sub ? 0 : 5;
    case SDMA_OP_ATOMIC:
        return 8;
    case SDMA_OP_CONST_FILL:
        return sub ? 0 : 5;
    case SDMA_OP_PTEPDE:
        return sub == SDMA_SUBOP_PTEPDE_GEN ? 10 : 0;
    case SDMA_OP_TIMESTAMP:
        return sub <= SDMA_SUBOP_TIMESTAMP_GET_GLOBAL ? 3 : 0;
    case SDMA_OP_SRBM_WRITE:
        return sub ? 0 : 3;
    }
    return 0;
}

/* ------------------------------------------------------- memory, registers */

static uint64_t page_rest(uint64_t va)
{
    return SDMA_PAGE - (va & (SDMA_PAGE - 1));
}

static uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A read of memory that faults gives vgpu_gmc_fault_fill(). */
static uint32_t read32(struct sdma_ctx *c, uint64_t va)
{
    uint32_t val = 0;

    vgpu_gmc_read(c->d, &c->req, va & ~3ull, &val, sizeof(val));
    return val;
}

static void write64(struct sdma_ctx *c, uint64_t va, uint64_t val)
{
    vgpu_gmc_write(c->d, &c->req, va & ~7ull, &val, sizeof(val));
}

static uint32_t reg_read(struct sdma_ctx *c, uint32_t reg)
{
    return vgpu_reg_read(c->d, reg);
}

/*
 * The kernel's own commands may reach registers: those of VMID 0 and those of
 * a ring that it marked as privileged.
 */
static bool privileged(const struct sdma_ctx *c)
{
    return c->req.vmid == 0 ||
           (!c->s->in_ib && (c->cntl & SDMA0_GFX_RB_CNTL__RB_PRIV_MASK));
}

/* The address goes into the entry as the handlers of these sources decode. */
static void address_interrupt(struct sdma_ctx *c, unsigned source,
                              uint64_t addr)
{
    sdma_interrupt(c, source, addr >> 12, (addr >> 44) & 0xf);
}

static enum sdma_step refuse_register(struct sdma_ctx *c, uint32_t reg)
{
    vgpu_log(c->d, VGPU_LOG_GUEST_ERROR,
             "sdma%u: register access to %s from VMID %u refused", c->n,
             vgpu_reg_name(c->d, reg), c->req.vmid);
    address_interrupt(c, SDMA0_4_0__SRCID__SDMA_SRBMWRITE,
                      (uint64_t)reg << 2);
    return SDMA_DONE;
}

static void swap_bytes(uint8_t *p, uint64_t len, unsigned sw)
{
    unsigned size = 1u << sw;

    if (sw == SWAP_NONE) {
        return;
    }
    for (uint64_t i = 0; i + size <= len; i += size) {
        for (unsigned j = 0; j < size / 2; j++) {
            uint8_t b = p[i + j];

            p[i + j] = p[i + size - 1 - j];
            p[i + size - 1 - j] = b;
        }
    }
}

/* ------------------------------------------------------------ COPY, FILL */

/*
 * Bytes go in ascending order, so that a destination that begins inside the
 * source repeats what lies between them, however the copy is cut in pieces.
 */
static void copy_forward(uint8_t *dst, const uint8_t *src, uint64_t len)
{
    uintptr_t ahead = (uintptr_t)dst - (uintptr_t)src;

    if (ahead == 0) {
        return;
    }
    if (ahead >= len) {
        memmove(dst, src, len);
        return;
    }
    /* What is done repeats with that distance: take twice as much a turn. */
    while (len) {
        uint64_t n = min64(len, (uintptr_t)dst - (uintptr_t)src);

        memcpy(dst, src, n);
        dst += n;
        len -= n;
    }
}

static bool apart(const uint8_t *dst, const uint8_t *src, uint64_t len)
{
    return (uintptr_t)dst - (uintptr_t)src >= len &&
           (uintptr_t)src - (uintptr_t)dst >= len;
}

/* One run of a copy; returns its bytes. A fault drops writes. */
static uint64_t copy_run(struct sdma_ctx *c, uint64_t dst, uint64_t src,
                         uint64_t len)
{
    uint64_t n = len, m;
    uint8_t *from, *to, fill = 0;

    from = vgpu_gmc_map(c->d, &c->req, src, &n, VGPU_READ);
    if (!from) {
        n = min64(len, page_rest(src));
        fill = vgpu_gmc_fault_fill(c->d);
    }
    m = n;
    to = vgpu_gmc_map(c->d, &c->req, dst, &m, VGPU_WRITE);
    if (!to) {
        return min64(n, page_rest(dst));
    }
    if (from && c->stream && apart(to, from, m)) {
        vgpu_stream_copy(to, from, m);
    } else if (from) {
        copy_forward(to, from, m);
    } else {
        memset(to, fill, m);
    }
    if (from) {
        vgpu_gmc_was_read(c->d, from, m);
    }
    vgpu_gmc_written(c->d, to, m);
    return m;
}

static uint64_t copy_swapped(struct sdma_ctx *c, uint64_t dst, uint64_t src,
                             uint64_t len, unsigned src_sw, unsigned dst_sw)
{
    uint8_t buf[SDMA_PAGE];

    /* Whole elements a piece, however the pages lie. */
    len = min64(len, sizeof(buf));
    vgpu_gmc_read(c->d, &c->req, src, buf, len);
    swap_bytes(buf, len, src_sw);
    swap_bytes(buf, len, dst_sw);
    vgpu_gmc_write(c->d, &c->req, dst, buf, len);
    return len;
}

/* Copy all of @len, which is at most a piece. */
static void copy_all(struct sdma_ctx *c, uint64_t dst, uint64_t src,
                     uint64_t len, unsigned src_sw, unsigned dst_sw)
{
    while (len) {
        uint64_t n = src_sw | dst_sw ?
                     copy_swapped(c, dst, src, len, src_sw, dst_sw) :
                     copy_run(c, dst, src, len);

        dst += n;
        src += n;
        len -= n;
    }
}

static bool spend_bytes(struct sdma_ctx *c, uint64_t bytes)
{
    return vgpu_spend(c->d, bytes / SDMA_COST_BYTES + 1);
}

static enum sdma_step exec_copy_linear(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    const uint32_t *p = s->pkt;
    uint64_t len = GET(p, COPY_LINEAR_COUNT_count) + 1ull;
    bool broadcast = GET(p, COPY_LINEAR_HEADER_broadcast);
    unsigned src_sw = GET(p, COPY_LINEAR_PARAMETER_src_sw);
    unsigned dst_sw = GET(p, COPY_LINEAR_PARAMETER_dst_sw);
    uint64_t src = addr_at(p, 3), dst = addr_at(p, 5);

    c->stream = len >= VGPU_STREAM_BYTES;
    while (s->done < len) {
        uint64_t n = min64(len - s->done, SDMA_PIECE);

        copy_all(c, dst + s->done, src + s->done, n, src_sw, dst_sw);
        if (broadcast) {
            copy_all(c, addr_at(p, 7) + s->done, src + s->done, n, src_sw,
                     GET(p, COPY_BROADCAST_LINEAR_PARAMETER_dst2_sw));
        }
        s->done += n;
        if (spend_bytes(c, n) && s->done < len) {
            return SDMA_AGAIN;
        }
    }
    sdma_advance(c, broadcast ? 9 : 7);
    return SDMA_DONE;
}

static enum sdma_step exec_copy_window(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    const uint32_t *p = s->pkt;
    unsigned log = GET(p, COPY_LINEAR_SUBWIN_HEADER_elementsize);
    uint64_t row = (GET(p, COPY_LINEAR_SUBWIN_DW_11_rect_x) + 1ull) << log;
    uint64_t rows = GET(p, COPY_LINEAR_SUBWIN_DW_11_rect_y) + 1ull;
    uint64_t slices = GET(p, COPY_LINEAR_SUBWIN_DW_12_rect_z) + 1ull;
    uint64_t src_pitch = GET(p, COPY_LINEAR_SUBWIN_DW_4_src_pitch) + 1ull;
    uint64_t dst_pitch = GET(p, COPY_LINEAR_SUBWIN_DW_9_dst_pitch) + 1ull;
    uint64_t src_slice = GET(p, COPY_LINEAR_SUBWIN_DW_5_src_slice_pitch) + 1ull;
    uint64_t dst_slice = GET(p, COPY_LINEAR_SUBWIN_DW_10_dst_slice_pitch) +
                         1ull;
    uint64_t total = row * rows * slices;

    if (log > 4) {
        return SDMA_ILLEGAL;    /* 16 bytes are the largest element */
    }
    c->stream = total >= VGPU_STREAM_BYTES;
    while (s->done < total) {
        uint64_t x = s->done % row;
        uint64_t y = s->done / row % rows;
        uint64_t z = s->done / row / rows;
        uint64_t n = min64(row - x, SDMA_PIECE);
        uint64_t src, dst;

        src = addr_at(p, 1) + x +
              (((GET(p, COPY_LINEAR_SUBWIN_DW_4_src_z) + z) * src_slice +
                (GET(p, COPY_LINEAR_SUBWIN_DW_3_src_y) + y) * src_pitch +
                GET(p, COPY_LINEAR_SUBWIN_DW_3_src_x)) << log);
        dst = addr_at(p, 6) + x +
              (((GET(p, COPY_LINEAR_SUBWIN_DW_9_dst_z) + z) * dst_slice +
                (GET(p, COPY_LINEAR_SUBWIN_DW_8_dst_y) + y) * dst_pitch +
                GET(p, COPY_LINEAR_SUBWIN_DW_8_dst_x)) << log);
        copy_all(c, dst, src, n, GET(p, COPY_LINEAR_SUBWIN_DW_12_src_sw),
                 GET(p, COPY_LINEAR_SUBWIN_DW_12_dst_sw));
        s->done += n;
        if (spend_bytes(c, n) && s->done < total) {
            return SDMA_AGAIN;
        }
    }
    sdma_advance(c, 13);
    return SDMA_DONE;
}

static void fill32(uint8_t *p, uint32_t val, uint64_t len)
{
    uint8_t block[64];

    if (val == (val & 0xff) * 0x01010101u) {
        memset(p, val & 0xff, len);
        return;
    }
    for (unsigned i = 0; i < sizeof(block); i += 4) {
        memcpy(block + i, &val, 4);
    }
    for (; len >= sizeof(block); len -= sizeof(block), p += sizeof(block)) {
        memcpy(p, block, sizeof(block));
    }
    memcpy(p, block, len);
}

static enum sdma_step exec_fill(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    const uint32_t *p = s->pkt;
    unsigned size = GET(p, CONSTANT_FILL_HEADER_fillsize);
    unsigned sw = GET(p, CONSTANT_FILL_HEADER_sw);
    uint64_t len = GET(p, CONSTANT_FILL_COUNT_count);
    uint64_t dst = addr_at(p, 1);
    uint32_t val = p[3];

    /* The count is bytes less one; a dword fill ignores its low bits. */
    if (size == FILL_DWORD) {
        dst &= ~3ull;
        len = (len & ~3ull) + 4;
        swap_bytes((uint8_t *)&val, sizeof(val), sw > 2 ? 2 : sw);
    } else if (size == FILL_BYTE) {
        len++;
        val = (val & 0xff) * 0x01010101u;
    } else {
        return SDMA_ILLEGAL;
    }

    while (s->done < len) {
        uint64_t n = min64(len - s->done, SDMA_PIECE);
        uint8_t *to = vgpu_gmc_map(c->d, &c->req, dst + s->done, &n,
                                   VGPU_WRITE);

        if (to) {
            fill32(to, val, n);
            vgpu_gmc_written(c->d, to, n);
        } else {
            n = min64(len - s->done, page_rest(dst + s->done));
        }
        s->done += n;
        if (spend_bytes(c, n) && s->done < len) {
            return SDMA_AGAIN;
        }
    }
    sdma_advance(c, 5);
    return SDMA_DONE;
}

/* ----------------------------------------------------------- WRITE, PTEPDE */

static enum sdma_step exec_write(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    const uint32_t *p = s->pkt;
    uint64_t len = GET(p, WRITE_UNTILED_DW_3_count) + 1ull;
    uint64_t dst = addr_at(p, 1) & ~3ull;
    unsigned sw = GET(p, WRITE_UNTILED_DW_3_sw);
    uint32_t buf[SDMA_PAGE / 4];

    /*
     * The payload is consumed as it is written, so that it may be longer
     * than the ring; the head goes first. @done counts what was consumed.
     */
    if (!s->done) {
        if (s->in_ib && sdma_avail(c) < 4 + len) {
            return SDMA_ILLEGAL;
        }
        sdma_advance(c, 4);
        s->done = 4;
    }
    while (s->done < 4 + len) {
        uint64_t to = dst + (s->done - 4) * 4;
        uint64_t n = min64(4 + len - s->done, sdma_avail(c));

        if (!n) {
            return s->in_ib ? SDMA_ILLEGAL : SDMA_WAIT;
        }
        n = min64(n, page_rest(to) / 4);
        if (sw == 3 && n > 1) {
            n &= ~1ull;     /* 64-bit elements whole, as far as they go */
        }
        if (!sdma_fetch(c, 0, buf, n)) {
            return SDMA_FETCH;
        }
        swap_bytes((uint8_t *)buf, n * 4, sw);
        vgpu_gmc_write(c->d, &c->req, to, buf, n * 4);
        sdma_advance(c, n);
        s->done += n;
        if (n > 64 && spend_bytes(c, n * 4) && s->done < 4 + len) {
            return SDMA_AGAIN;
        }
    }
    return SDMA_DONE;
}

static enum sdma_step exec_ptepde(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    const uint32_t *p = s->pkt;
    uint64_t dst = addr_at(p, 1);
    uint64_t mask = addr_at(p, 3), init = addr_at(p, 5), incr = addr_at(p, 7);
    uint64_t len = GET(p, WRITE_INCR_COUNT_count) + 1ull;
    uint64_t buf[SDMA_PAGE / 8];

    while (s->done < len) {
        uint64_t to = dst + s->done * 8;
        uint64_t n = min64(len - s->done, page_rest(to) / 8);

        if (!n) {
            n = 1;  /* a misaligned entry across two pages */
        }
        for (uint64_t i = 0; i < n; i++) {
            buf[i] = (init + (s->done + i) * incr) | mask;
        }
        vgpu_gmc_write(c->d, &c->req, to, buf, n * 8);
        s->done += n;
        if (spend_bytes(c, n * 8) && s->done < len) {
            return SDMA_AGAIN;
        }
    }
    sdma_advance(c, 10);
    return SDMA_DONE;
}

/* ------------------------------------------------------------ flow control */

/* NOP, COND_EXE and PRE_EXE skip dwords, not packets. */
static enum sdma_step skip(struct sdma_ctx *c, uint32_t len, uint32_t count,
                           bool taken)
{
    if (c->s->in_ib && count > sdma_avail(c) - len) {
        return SDMA_ILLEGAL;    /* the IB has not as many */
    }
    sdma_advance(c, len);
    if (taken) {
        c->s->skip = count;
    }
    return SDMA_DONE;
}

static enum sdma_step exec_indirect(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    const uint32_t *p = s->pkt;
    uint32_t cntl;

    if (s->in_ib || (p[1] & 31)) {
        return SDMA_ILLEGAL;    /* IBs do not nest, and begin at 32 bytes */
    }
    cntl = sdma_reg(c, regSDMA0_GFX_IB_CNTL);
    if (!(cntl & SDMA0_GFX_IB_CNTL__IB_ENABLE_MASK)) {
        return SDMA_PARK;
    }
    sdma_advance(c, 6);
    s->ib_base = addr_at(p, 1);
    s->ib_size = GET(p, INDIRECT_IB_SIZE_ib_size);
    s->ib_pos = 0;
    /* Only the kernel's ring calls buffers of another address space. */
    s->ib_vmid = c->ring_vmid ? c->ring_vmid : GET(p, INDIRECT_HEADER_vmid);
    s->in_ib = 1;
    sdma_reg_set(c, regSDMA0_GFX_IB_BASE_LO, s->ib_base);
    sdma_reg_set(c, regSDMA0_GFX_IB_BASE_HI, s->ib_base >> 32);
    sdma_reg_set(c, regSDMA0_GFX_IB_SIZE, s->ib_size);
    sdma_reg_set(c, regSDMA0_GFX_CSA_ADDR_LO,
                 p[4] & SDMA0_GFX_CSA_ADDR_LO__ADDR_MASK);
    sdma_reg_set(c, regSDMA0_GFX_CSA_ADDR_HI, p[5]);
    sdma_reg_set(c, regSDMA0_GFX_IB_CNTL,
                 (cntl & ~SDMA0_GFX_IB_CNTL__CMD_VMID_MASK) |
                 (uint32_t)s->ib_vmid << SDMA0_GFX_IB_CNTL__CMD_VMID__SHIFT);
    c->req.vmid = s->ib_vmid;
    c->swap = cntl & SDMA0_GFX_IB_CNTL__IB_SWAP_ENABLE_MASK;
    vgpu_trace_step(c->d, VGPU_STEP_IB_START, c->trace, s->ib_size);
    return SDMA_DONE;
}

/*
 * Wait on, unless the time that the packet gives is over: true then. @limit
 * and @every count GPU clocks, a @limit of 0 is for ever.
 */
static bool wait_over(struct sdma_ctx *c, uint64_t limit, uint64_t every)
{
    struct vgpu_sdma_state *s = c->s;
    uint64_t now;

    if (!limit) {
        return false;
    }
    now = vgpu_gpu_clock(c->d);
    if (!s->deadline) {
        s->deadline = now + limit;
    }
    if (now >= s->deadline) {
        return true;
    }
    c->q->poll_every = min64(every, s->deadline - now) * 10;
    return false;
}

static bool poll_holds(unsigned func, uint32_t val, uint32_t ref)
{
    switch (func) {
    case POLL_ALWAYS:
        return true;
    case POLL_LT:
        return val < ref;
    case POLL_LE:
        return val <= ref;
    case POLL_EQ:
        return val == ref;
    case POLL_NE:
        return val != ref;
    case POLL_GE:
        return val >= ref;
    case POLL_GT:
        return val > ref;
    }
    return false;
}

static enum sdma_step exec_poll(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    const uint32_t *p = s->pkt;
    unsigned func = GET(p, POLL_REGMEM_HEADER_func);
    bool mem = GET(p, POLL_REGMEM_HEADER_mem_poll);
    bool hdp = GET(p, POLL_REGMEM_HEADER_hdp_flush);
    uint32_t ref = p[3], mask = p[4];
    uint32_t retries = GET(p, POLL_REGMEM_DW5_retry_count);
    uint64_t every = GET(p, POLL_REGMEM_DW5_interval) + 1ull;
    /* Registers are given as byte offsets. */
    uint32_t reg = p[1] >> 2, req = p[2] >> 2;
    uint32_t val = 0;

    if (func > POLL_GT || (mem && hdp)) {
        return SDMA_ILLEGAL;
    }
    /*
     * A register of any kind may act on being read, so only the kernel's
     * commands reach them; everybody may flush HDP.
     */
    if (hdp) {
        if (!privileged(c) &&
            (reg != VGPU_REG_ABS(NBIO, regGPU_HDP_FLUSH_DONE) ||
             req != VGPU_REG_ABS(NBIO, regGPU_HDP_FLUSH_REQ))) {
            sdma_advance(c, 6);
            return refuse_register(c, req);
        }
        if (!s->done) {
            s->done = 1;
            vgpu_reg_write(c->d, req, ref);
            if (!s->in_packet) {
                return SDMA_RELOAD; /* it stopped this very ring */
            }
        }
    } else if (!mem && func != POLL_ALWAYS && !privileged(c)) {
        sdma_advance(c, 6);
        return refuse_register(c, reg);
    }

    if (func != POLL_ALWAYS) {
        val = mem ? read32(c, addr_at(p, 1)) : reg_read(c, reg);
    }
    if (!poll_holds(func, val & mask, ref)) {
        uint64_t limit = retries == POLL_FOREVER ? 0 :
                         retries ? retries * every : 1;

        if (!wait_over(c, limit, every)) {
            return SDMA_PARK;
        }
        vgpu_log(c->d, VGPU_LOG_GUEST_ERROR,
                 "sdma%u: POLL_REGMEM gave up after %u retries", c->n,
                 retries);
        address_interrupt(c, SDMA0_4_0__SRCID__SDMA_POLL_TIMEOUT,
                          mem ? addr_at(p, 1) : (uint64_t)reg << 2);
    }
    /* What was written before the value that was waited for is seen too. */
    atomic_thread_fence(memory_order_acquire);
    sdma_advance(c, 6);
    return SDMA_DONE;
}

static enum sdma_step exec_poll_reg_write(struct sdma_ctx *c)
{
    const uint32_t *p = c->s->pkt;
    uint32_t reg = GET(p, POLL_REG_WRITE_MEM_SRC_ADDR_addr_31_2);
    uint32_t val;

    sdma_advance(c, 4);
    if (!privileged(c)) {
        return refuse_register(c, reg);
    }
    val = reg_read(c, reg);
    vgpu_gmc_write(c->d, &c->req, addr_at(p, 2) & ~3ull, &val, sizeof(val));
    return SDMA_DONE;
}

static enum sdma_step exec_cond(struct sdma_ctx *c)
{
    const uint32_t *p = c->s->pkt;

    return skip(c, 5, GET(p, COND_EXE_EXEC_COUNT_exec_count),
                read32(c, addr_at(p, 1)) != p[3]);
}

static enum sdma_step exec_pre(struct sdma_ctx *c)
{
    const uint32_t *p = c->s->pkt;
    uint32_t id = sdma_reg(c, regSDMA0_ID) & SDMA0_ID__DEVICE_ID_MASK;

    return skip(c, 2, GET(p, PRE_EXE_EXEC_COUNT_exec_count),
                !(GET(p, PRE_EXE_HEADER_dev_sel) & id));
}

/* -------------------------------------------------------- synchronisation */

static enum sdma_step exec_fence(struct sdma_ctx *c)
{
    const uint32_t *p = c->s->pkt;
    uint32_t data = p[3];

    if (sdma_reg(c, regSDMA0_CNTL) & SDMA0_CNTL__FENCE_SWAP_ENABLE_MASK) {
        data = __builtin_bswap32(data);
    }
    /* Whoever sees the fence sees what was written before it. */
    atomic_thread_fence(memory_order_release);
    vgpu_gmc_write(c->d, &c->req, addr_at(p, 1) & ~3ull, &data, sizeof(data));
    vgpu_trace_step(c->d, VGPU_STEP_FENCE, c->trace, p[3]);
    sdma_advance(c, 4);
    return SDMA_DONE;
}

static enum sdma_step exec_trap(struct sdma_ctx *c)
{
    const uint32_t *p = c->s->pkt;

    sdma_advance(c, 2);
    /* What the handler finds in memory is not behind what it was told. */
    if (!c->s->in_ib) {
        sdma_rptr_writeback(c);
    }
    if (sdma_reg(c, regSDMA0_CNTL) & SDMA0_CNTL__TRAP_ENABLE_MASK) {
        sdma_interrupt(c, SDMA0_4_0__SRCID__SDMA_TRAP,
                       GET(p, TRAP_INT_CONTEXT_int_context), 0);
    }
    return SDMA_DONE;
}

static enum sdma_step exec_sem(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    const uint32_t *p = s->pkt;
    uint64_t va = addr_at(p, 1) & ~7ull;
    uint64_t val = 0, old = 0, limit;

    if (GET(p, SEMAPHORE_HEADER_mailbox)) {
        return SDMA_ILLEGAL;
    }
    if (GET(p, SEMAPHORE_HEADER_signal)) {
        vgpu_gmc_atomic(c->d, &c->req, va,
                        GET(p, SEMAPHORE_HEADER_write_one) ?
                        TC_OP_ATOMIC_SWAP_64 : TC_OP_ATOMIC_ADD_64,
                        1, 0, NULL);
        sdma_advance(c, 3);
        return SDMA_DONE;
    }

    if (!vgpu_gmc_read(c->d, &c->req, va, &val, sizeof(val)) ||
        (val && (vgpu_gmc_atomic(c->d, &c->req, va,
                                 TC_OP_ATOMIC_CMPSWAP_RTN_64, val - 1, val,
                                 &old) < 0 || old == val))) {
        sdma_advance(c, 3); /* taken; or a fault, which nothing can signal */
        return SDMA_DONE;
    }
    limit = sdma_reg(c, regSDMA0_SEM_WAIT_FAIL_TIMER_CNTL);
    if (!s->done && wait_over(c, limit, limit)) {
        /* Told once; it goes on waiting. */
        s->done = 1;
        if (sdma_reg(c, regSDMA0_CNTL) & SDMA0_CNTL__SEM_WAIT_INT_ENABLE_MASK) {
            address_interrupt(c, SDMA0_4_0__SRCID__SDMA_SEM_WAIT_FAIL_TIMEOUT,
                              va);
        }
    }
    return SDMA_PARK;
}

static enum sdma_step exec_atomic(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    const uint32_t *p = s->pkt;
    unsigned op = GET(p, ATOMIC_HEADER_atomic_op);
    uint64_t va = addr_at(p, 1), cmp = addr_at(p, 5), old = 0;
    bool wide = op & 0x20, no_rtn = op & 0x40;
    int ret;

    if (GET(p, HEADER_sub_op)) {
        return SDMA_ILLEGAL;
    }
    if (!wide) {
        cmp = (uint32_t)cmp;
    }
    if (GET(p, ATOMIC_HEADER_loop) &&
        (op & 0x1f) == TC_OP_ATOMIC_CMPSWAP_RTN_32) {
        /*
         * Try until the comparison holds. The memory is looked at first, as
         * an attempt in vain must not count as a write.
         */
        uint64_t every = GET(p, ATOMIC_LOOP_INTERVAL_loop_interval) + 1ull;
        uint64_t limit = sdma_reg(c, regSDMA0_ATOMIC_CNTL) &
                         SDMA0_ATOMIC_CNTL__LOOP_TIMER_MASK;

        if (va & (wide ? 7 : 3)) {
            return SDMA_ILLEGAL;
        }
        if (vgpu_gmc_read(c->d, &c->req, va, &old, wide ? 8 : 4) &&
            old != cmp) {
            if (!wait_over(c, limit * every, every)) {
                return SDMA_PARK;
            }
            address_interrupt(c, SDMA0_4_0__SRCID__SDMA_ATOMIC_TIMEOUT, va);
            sdma_advance(c, 8);
            return SDMA_DONE;
        }
    }

    ret = vgpu_gmc_atomic(c->d, &c->req, va, op, addr_at(p, 3), cmp, &old);
    if (ret == -2) {
        return SDMA_ILLEGAL;
    }
    sdma_advance(c, 8);
    if (!no_rtn) {
        sdma_reg_set(c, regSDMA0_ATOMIC_PREOP_LO, old);
        sdma_reg_set(c, regSDMA0_ATOMIC_PREOP_HI, wide ? old >> 32 : 0);
        if (sdma_reg(c, regSDMA0_ATOMIC_CNTL) &
            SDMA0_ATOMIC_CNTL__ATOMIC_RTN_INT_ENABLE_MASK) {
            sdma_interrupt(c, SDMA0_4_0__SRCID__SDMA_ATOMIC_RTN_DONE, 0, 0);
        }
    }
    return SDMA_DONE;
}

static enum sdma_step exec_timestamp(struct sdma_ctx *c)
{
    struct vgpu_sdma_state *s = c->s;
    const uint32_t *p = s->pkt;
    uint64_t now = vgpu_gpu_clock(c->d);

    sdma_advance(c, 3);
    switch (GET(p, HEADER_sub_op)) {
    case SDMA_SUBOP_TIMESTAMP_SET:
        s->ts_offset = addr_at(p, 1) - now;
        break;
    case SDMA_SUBOP_TIMESTAMP_GET:
        write64(c, addr_at(p, 1), now + s->ts_offset);
        break;
    case SDMA_SUBOP_TIMESTAMP_GET_GLOBAL:
        write64(c, addr_at(p, 1), now);
        break;
    }
    return SDMA_DONE;
}

static enum sdma_step exec_srbm_write(struct sdma_ctx *c)
{
    const uint32_t *p = c->s->pkt;
    uint32_t reg = GET(p, SRBM_WRITE_ADDR_addr);
    uint32_t enable = GET(p, SRBM_WRITE_HEADER_byte_en);
    uint32_t data = p[2], bytes = 0;

    /* Consumed first: the register may be one of this very engine. */
    sdma_advance(c, 3);
    c->s->in_packet = 0;
    if (!privileged(c)) {
        return refuse_register(c, reg);
    }
    for (unsigned i = 0; i < 4; i++) {
        if (enable & (1u << i)) {
            bytes |= 0xffu << (8 * i);
        }
    }
    if (bytes) {
        if (bytes != 0xffffffffu) {
            data = (reg_read(c, reg) & ~bytes) | (data & bytes);
        }
        vgpu_reg_write(c->d, reg, data);
    }
    return SDMA_RELOAD;
}

enum sdma_step sdma_exec(struct sdma_ctx *c)
{
    const uint32_t *p = c->s->pkt;

    switch (GET(p, HEADER_op)) {
    case SDMA_OP_NOP:
        return skip(c, 1, GET(p, NOP_HEADER_count), true);
    case SDMA_OP_COPY:
        return GET(p, HEADER_sub_op) == SDMA_SUBOP_COPY_LINEAR ?
               exec_copy_linear(c) : exec_copy_window(c);
    case SDMA_OP_WRITE:
        return exec_write(c);
    case SDMA_OP_INDIRECT:
        return exec_indirect(c);
    case SDMA_OP_FENCE:
        return exec_fence(c);
    case SDMA_OP_TRAP:
        return exec_trap(c);
    case SDMA_OP_SEM:
        return exec_sem(c);
    case SDMA_OP_POLL_REGMEM:
        return GET(p, HEADER_sub_op) ? exec_poll_reg_write(c) : exec_poll(c);
    case SDMA_OP_COND_EXE:
        return exec_cond(c);
    case SDMA_OP_ATOMIC:
        return exec_atomic(c);
    case SDMA_OP_CONST_FILL:
        return exec_fill(c);
    case SDMA_OP_PTEPDE:
        return exec_ptepde(c);
    case SDMA_OP_TIMESTAMP:
        return exec_timestamp(c);
    case SDMA_OP_SRBM_WRITE:
        return exec_srbm_write(c);
    case SDMA_OP_PRE_EXE:
        return exec_pre(c);
    case SDMA_OP_DUMMY_TRAP:
        /* A trap in all but the interrupt. */
        sdma_advance(c, 2);
        return SDMA_DONE;
    }
    return SDMA_ILLEGAL;
}
