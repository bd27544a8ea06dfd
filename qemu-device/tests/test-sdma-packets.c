/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each packet of the SDMA engine: its fields, its limits, its malformed forms.
 * Expected values come from the layouts in hw/sdma.h and from hardware.rst.
 */
#include <stdlib.h>

#include "sdma-rig.h"
#include "sdma_priv.h"
#include "hw/pm4.h"
#include "hw/reg/nbio.h"

#define A           RIG_DATA                /* RAM */
#define VA          RIG_VA(RIG_DATA)        /* the same in VMID 1 */
#define V           RIG_VRAM
#define WRITE1(addr, val)                                               \
    LIST(OP(WRITE), LO(addr), HI(addr), 0, (val))
#define COPY(dst, src, bytes)                                           \
    LIST(SUBOP(COPY, COPY_LINEAR), (uint32_t)(bytes) - 1, 0, LO(src),   \
         HI(src), LO(dst), HI(dst))
/* A register that holds any value and does nothing. */
#define SPARE       regSDMA0_GFX_DUMMY_REG
#define SPARE_ABS   VGPU_SDMA_REG_ABS(4, SPARE)

static uint32_t ram(struct sdma_rig *r, unsigned off)
{
    return mock_ram32(&r->m, A + off);
}

static uint8_t byte(struct sdma_rig *r, unsigned off)
{
    return *(uint8_t *)mock_ram(&r->m, A + off, 1);
}

static void pattern(void *p, size_t len, unsigned seed)
{
    uint8_t *b = p;
    size_t i;

    for (i = 0; i < len; i++) {
        b[i] = (i + seed) * 0x9d + (i >> 8) * 0x3b;
    }
}

static bool no_iv(struct sdma_rig *r)
{
    uint32_t iv[8];

    return !rig_iv(r, iv);
}

/* The next interrupt of engine 0; returns its first data word. */
static uint32_t iv_of(struct sdma_rig *r, unsigned source)
{
    uint32_t iv[8];

    CHECK(rig_iv(r, iv));
    CHECK_EQ(IV_CLIENT(iv), SOC15_IH_CLIENTID_SDMA0);
    CHECK_EQ(IV_SOURCE(iv), source);
    CHECK_EQ(IV_RING(iv), 0);
    return iv[4];
}

static void illegal(struct sdma_rig *r)
{
    iv_of(r, VGPU_SDMA_SRCID_ILLEGAL_INST);
    CHECK(no_iv(r));
    CHECK(!rig_idle(r, 0));
    rig_ring_off(r, 0);
    rig_ring_on(r, 0);
    r->ib = RIG_IB;
}

/* -------------------------------------------------------------------- NOP */

static void nop(void)
{
    struct sdma_rig r;
    unsigned i;

    rig_start(&r);
    /* What the count covers is no packet, whatever it looks like. */
    RUN(&r, 0, OP(NOP) | SDMA_PKT_NOP_HEADER_COUNT(3), 0xff, 0xffffffff,
        OP(TRAP), WRITE1(A, 1));
    CHECK_EQ(ram(&r, 0), 1);

    /* The dwords may come later than the header. */
    RUN(&r, 0, OP(NOP) | SDMA_PKT_NOP_HEADER_COUNT(0x3fff));
    for (i = 0; i < 0x3fff; i++) {
        RING(&r, 0, 0xff);
        if (i % 1000 == 0) {
            rig_go(&r, 0);
        }
    }
    RUN(&r, 0, WRITE1(A, 2));
    CHECK_EQ(ram(&r, 0), 2);
    CHECK(no_iv(&r));

    /* In an IB, up to its last dword. */
    IB(&r, 0, 1, OP(NOP) | SDMA_PKT_NOP_HEADER_COUNT(2), 0xff, 0xff);
    RUN(&r, 0, WRITE1(A, 3));
    CHECK_EQ(ram(&r, 0), 3);
    rig_stop(&r);
}

/* ------------------------------------------------------------------- COPY */

/* The count is bytes less one; any address, any length. */
static void copy_linear(void)
{
    static const uint32_t lengths[] = {
        1, 2, 3, 4, 7, 64, 255, 4095, 4096, 4097, 0x21003,
    };
    struct sdma_rig r;
    unsigned i, off;

    rig_start(&r);
    pattern(mock_vram(&r.m, 0x400000, 0x40000), 0x40000, 1);
    for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        for (off = 0; off < 4; off++) {
            uint32_t len = lengths[i];
            uint64_t src = 0x400000 + 5 + off * 3;

            memset(mock_ram(&r.m, A, 0x40000), 0xee, 0x40000);
            RUN(&r, 0, COPY(A + 16 + off, V + src, len));
            CHECK(!memcmp(mock_ram(&r.m, A + 16 + off, len),
                          mock_vram(&r.m, src, len), len));
            CHECK_EQ(byte(&r, 15 + off), 0xee);
            CHECK_EQ(byte(&r, 16 + off + len), 0xee);
        }
    }
    /* The header's protection bits change nothing here. */
    mock_set_ram32(&r.m, A, 0x1234);
    RUN(&r, 0, SUBOP(COPY, COPY_LINEAR) |
        SDMA_PKT_COPY_LINEAR_HEADER_ENCRYPT(1) |
        SDMA_PKT_COPY_LINEAR_HEADER_TMZ(1), 3, 0, LO(A), HI(A), LO(A + 8),
        HI(A + 8));
    CHECK_EQ(ram(&r, 8), 0x1234);
    rig_stop(&r);
}

/* The largest count, 4 MiB, between VRAM and VRAM; only 22 bits count. */
static void copy_largest(void)
{
    const uint64_t src = 4u << 20, dst = 8u << 20, len = 4u << 20;
    struct sdma_rig r;

    rig_start(&r);
    pattern(mock_vram(&r.m, src, len), len, 9);
    RUN(&r, 0, SUBOP(COPY, COPY_LINEAR), 0xffffffff, 0, LO(V + src),
        HI(V + src), LO(V + dst), HI(V + dst));
    CHECK(!memcmp(mock_vram(&r.m, src, len), mock_vram(&r.m, dst, len), len));
    CHECK_EQ(mock_vram64(&r.m, dst + len), 0);
    rig_stop(&r);
}

/* Virtual pages that are scattered in memory. */
static void copy_scattered(void)
{
    struct sdma_rig r;
    unsigned i;

    rig_start(&r);
    for (i = 0; i < 16; i++) {
        /* VA page 4096 + i: RAM page 900 - 3 * i. */
        rig_set_pte(&r, 2048 + i, (MOCK_RAM_BASE + (900 - 3 * i) * 4096ull) |
                    RIG_PTE_RW | VGPU_PTE_SYSTEM);
        pattern(mock_ram(&r.m, MOCK_RAM_BASE + (900 - 3 * i) * 4096ull, 4096),
                4096, i);
    }
    IB(&r, 0, 1, COPY(VA + 0x20000, 2048 * 4096ull + 100, 16 * 4096 - 200));
    for (i = 0; i < 16; i++) {
        unsigned skip = i == 0 ? 100 : 0, less = i == 15 ? 100 : 0;

        CHECK(!memcmp(mock_ram(&r.m, MOCK_RAM_BASE + skip +
                               (900 - 3 * i) * 4096ull, 4096 - skip - less),
                      mock_ram(&r.m, A + 0x20000 + i * 4096 - 100 + skip,
                               4096 - skip - less), 4096 - skip - less));
    }
    rig_stop(&r);
}

/* Bytes go in ascending order: an overlap ahead repeats, one behind shifts. */
static void copy_overlap(void)
{
    static const unsigned aheads[] = { 1, 3, 4, 64, 100, 4096, 5000 };
    const unsigned len = 0x50000;
    uint8_t *want = malloc(0x60000);
    struct sdma_rig r;
    unsigned i, j;

    rig_start(&r);
    for (i = 0; i < sizeof(aheads) / sizeof(aheads[0]); i++) {
        unsigned d = aheads[i];

        pattern(want, 0x60000, i);
        memcpy(mock_ram(&r.m, A, 0x60000), want, 0x60000);
        for (j = 0; j < len; j++) {
            want[8 + d + j] = want[8 + j];
        }
        RUN(&r, 0, COPY(A + 8 + d, A + 8, len));
        CHECK(!memcmp(want, mock_ram(&r.m, A, 0x60000), 0x60000));

        pattern(want, 0x60000, i);
        memcpy(mock_ram(&r.m, A, 0x60000), want, 0x60000);
        memmove(want + 8, want + 8 + d, len);
        RUN(&r, 0, COPY(A + 8, A + 8 + d, len));
        CHECK(!memcmp(want, mock_ram(&r.m, A, 0x60000), 0x60000));
    }
    free(want);
    rig_stop(&r);
}

/* As long as makes it go past the caches: apart, and closer than a piece. */
static void copy_long(void)
{
    const unsigned len = 0x150003;
    uint8_t *want = malloc(2 * len);
    struct sdma_rig r;
    unsigned j;

    rig_start(&r);
    pattern(want, len, 7);
    memcpy(mock_ram(&r.m, A + 5, len), want, len);
    RUN(&r, 0, COPY(A + 0x200006, A + 5, len));
    CHECK(!memcmp(want, mock_ram(&r.m, A + 0x200006, len), len));
    CHECK_EQ(byte(&r, 0x200005), 0);
    CHECK_EQ(byte(&r, 0x200006 + len), 0);

    for (j = 0; j < len; j++) {
        want[5000 + j] = want[j];
    }
    RUN(&r, 0, COPY(A + 5 + 5000, A + 5, len));
    CHECK(!memcmp(want, mock_ram(&r.m, A + 5, len + 5000), len + 5000));
    free(want);
    rig_stop(&r);
}

static void copy_broadcast(void)
{
    struct sdma_rig r;

    rig_start(&r);
    pattern(mock_vram(&r.m, 0x400000, 0x51234), 0x51234, 3);
    RUN(&r, 0, SUBOP(COPY, COPY_LINEAR) |
        SDMA_PKT_COPY_LINEAR_HEADER_BROADCAST(1), 0x51233, 0, LO(V + 0x400000),
        HI(V + 0x400000), LO(A + 1), HI(A + 1), LO(V + 0x500000),
        HI(V + 0x500000), WRITE1(A + 0x80000, 1));
    CHECK(!memcmp(mock_vram(&r.m, 0x400000, 0x51234),
                  mock_ram(&r.m, A + 1, 0x51234), 0x51234));
    CHECK(!memcmp(mock_vram(&r.m, 0x400000, 0x51234),
                  mock_vram(&r.m, 0x500000, 0x51234), 0x51234));
    CHECK_EQ(mock_vram64(&r.m, 0x500000 + 0x51238), 0);
    CHECK_EQ(mock_ram32(&r.m, A + 0x80000), 1);
    rig_stop(&r);
}

/* Swaps: 8 in 16, 8 in 32, 8 in 64; one at each side undo each other. */
static void copy_swap(void)
{
    static const uint64_t want[4] = {
        0x0807060504030201, 0x0708050603040102, 0x0506070801020304,
        0x0102030405060708,
    };
    struct sdma_rig r;
    unsigned sw;

    rig_start(&r);
    for (sw = 0; sw < 4; sw++) {
        mock_set_ram64(&r.m, A, 0x0807060504030201);
        mock_set_ram64(&r.m, A + 8, 0x0807060504030201);
        RUN(&r, 0, SUBOP(COPY, COPY_LINEAR), 15,
            SDMA_PKT_COPY_LINEAR_PARAMETER_SRC_SW(sw), LO(A), HI(A),
            LO(A + 16), HI(A + 16));
        CHECK_EQ(mock_ram64(&r.m, A + 16), want[sw]);
        CHECK_EQ(mock_ram64(&r.m, A + 24), want[sw]);
        RUN(&r, 0, SUBOP(COPY, COPY_LINEAR), 15,
            SDMA_PKT_COPY_LINEAR_PARAMETER_DST_SW(sw), LO(A), HI(A),
            LO(A + 32), HI(A + 32));
        CHECK_EQ(mock_ram64(&r.m, A + 32), want[sw]);
        RUN(&r, 0, SUBOP(COPY, COPY_LINEAR), 15,
            SDMA_PKT_COPY_LINEAR_PARAMETER_SRC_SW(sw) |
            SDMA_PKT_COPY_LINEAR_PARAMETER_DST_SW(sw), LO(A), HI(A),
            LO(A + 48), HI(A + 48));
        CHECK_EQ(mock_ram64(&r.m, A + 48), want[0]);

        /* WRITE and CONST_FILL swap what they store. */
        RUN(&r, 0, OP(WRITE), LO(A + 64), HI(A + 64),
            1 | SDMA_PKT_WRITE_UNTILED_DW_3_SW(sw), 0x04030201, 0x08070605);
        CHECK_EQ(mock_ram64(&r.m, A + 64), want[sw]);
        if (sw < 3) {
            RUN(&r, 0, OP(CONST_FILL) | SDMA_PKT_CONSTANT_FILL_HEADER_SW(sw) |
                SDMA_PKT_CONSTANT_FILL_HEADER_FILLSIZE(2), LO(A + 72),
                HI(A + 72), 0x04030201, 3);
            CHECK_EQ(ram(&r, 72), LO(want[sw]));
        }
    }
    rig_stop(&r);
}

struct window {
    unsigned log;
    unsigned sx, sy, sz, sp, ss;
    unsigned dx, dy, dz, dp, ds;
    unsigned w, h, d;
};

static void put_window(struct sdma_rig *r, const struct window *w)
{
    RING(r, 0, SUBOP(COPY, COPY_LINEAR_SUB_WIND) |
         SDMA_PKT_COPY_LINEAR_SUBWIN_HEADER_ELEMENTSIZE(w->log),
         LO(V + 0x400000), HI(V + 0x400000),
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_3_SRC_X(w->sx) |
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_3_SRC_Y(w->sy),
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_4_SRC_Z(w->sz) |
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_4_SRC_PITCH(w->sp - 1),
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_5_SRC_SLICE_PITCH(w->ss - 1),
         LO(A), HI(A),
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_8_DST_X(w->dx) |
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_8_DST_Y(w->dy),
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_9_DST_Z(w->dz) |
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_9_DST_PITCH(w->dp - 1),
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_10_DST_SLICE_PITCH(w->ds - 1),
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_11_RECT_X(w->w - 1) |
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_11_RECT_Y(w->h - 1),
         SDMA_PKT_COPY_LINEAR_SUBWIN_DW_12_RECT_Z(w->d - 1));
}

static void copy_window(void)
{
    static const struct window windows[] = {
        { 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1 },
        { 0, 5, 3, 0, 64, 4096, 1, 2, 0, 100, 5000, 17, 9, 1 },
        { 2, 5, 3, 1, 64, 2048, 1, 2, 2, 50, 1500, 17, 9, 3 },
        { 4, 1, 1, 1, 16, 256, 2, 0, 0, 9, 81, 7, 8, 2 },
    };
    uint8_t *want = malloc(0x100000);
    struct sdma_rig r;
    unsigned i, x, y, z, n;

    rig_start(&r);
    pattern(mock_vram(&r.m, 0x400000, 0x100000), 0x100000, 5);
    for (i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
        const struct window *w = &windows[i];
        const uint8_t *src = mock_vram(&r.m, 0x400000, 0x100000);

        memset(want, 0xee, 0x100000);
        memset(mock_ram(&r.m, A, 0x100000), 0xee, 0x100000);
        for (z = 0; z < w->d; z++) {
            for (y = 0; y < w->h; y++) {
                for (x = 0; x < w->w; x++) {
                    n = 1u << w->log;
                    memcpy(want + ((w->dz + z) * w->ds + (w->dy + y) * w->dp +
                                   w->dx + x) * n,
                           src + ((w->sz + z) * w->ss + (w->sy + y) * w->sp +
                                  w->sx + x) * n, n);
                }
            }
        }
        put_window(&r, w);
        rig_go(&r, 0);
        CHECK(!memcmp(want, mock_ram(&r.m, A, 0x100000), 0x100000));
    }
    free(want);

    /* 16 bytes are the largest element. */
    put_window(&r, &(struct window){ 5, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1,
                                     1 });
    rig_go(&r, 0);
    illegal(&r);
    rig_stop(&r);
}

/* A window of 2^43 bytes is no hang: the ring can be turned off meanwhile. */
static void copy_window_endless(void)
{
    struct vgpu_queue *q;
    struct sdma_rig r;

    rig_start(&r);
    put_window(&r, &(struct window){ 4, 0, 0, 0, 0x4000, 0x10000000, 0, 0, 0,
                                     0x4000, 0x10000000, 0x4000, 0x4000,
                                     0x800 });
    rig_commit(&r, 0);
    vgpu_lock(r.m.die);
    r.m.die->slice_left = 1;
    q = r.m.die->sdma->ring[0].queue;
    CHECK_EQ(q->run(r.m.die, q), VGPU_RUN_MORE);
    vgpu_unlock(r.m.die);
    rig_ring_off(&r, 0);
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    CHECK(rig_idle(&r, 0));
    rig_stop(&r);
}

/* ------------------------------------------------------------------ WRITE */

static void write_linear(void)
{
    struct sdma_rig r;
    uint32_t p[4 + 512];
    unsigned n;

    rig_start(&r);
    for (n = 1; n <= 512; n += n < 20 ? 1 : 123) {
        p[0] = OP(WRITE);
        p[1] = LO(A + 0xff8) | 3;   /* low bits do not count */
        p[2] = HI(A);
        p[3] = n - 1;
        pattern(p + 4, n * 4, n);
        memset(mock_ram(&r.m, A, 0x4000), 0xee, 0x4000);
        rig_put(&r, 0, p, 4 + n);
        rig_go(&r, 0);
        CHECK(!memcmp(mock_ram(&r.m, A + 0xff8, n * 4), p + 4, n * 4));
        CHECK_EQ(ram(&r, 0xff4), 0xeeeeeeee);
        CHECK_EQ(ram(&r, 0xff8 + n * 4), 0xeeeeeeee);
    }
    rig_stop(&r);
}

/* A payload longer than the ring is consumed as it comes. */
static void write_long(void)
{
    const unsigned total = 4 * RIG_RING_BYTES / 4 + 37;
    struct sdma_rig r;
    unsigned i;

    rig_start(&r);
    RING(&r, 0, OP(WRITE), LO(A), HI(A), total - 1);
    for (i = 0; i < total; i++) {
        RING(&r, 0, i ^ 0xa5a5);
        if (i % 777 == 0) {
            rig_go(&r, 0);
            CHECK_EQ(rig_rptr(&r, 0), r.wptr[0]);
        }
    }
    CHECK(!rig_idle(&r, 0));
    RUN(&r, 0, WRITE1(A + 4 * total, 0x77));
    for (i = 0; i < total; i++) {
        if (ram(&r, 4 * i) != (i ^ 0xa5a5)) {
            CHECK_EQ(ram(&r, 4 * i), i ^ 0xa5a5);
            break;
        }
    }
    CHECK_EQ(ram(&r, 4 * total), 0x77);
    rig_stop(&r);
}

/* ------------------------------------------------------------- CONST_FILL */

static void const_fill(void)
{
    struct sdma_rig r;
    unsigned i;

    rig_start(&r);
    /* Bytes: count less one of them, at any address. */
    RUN(&r, 0, OP(CONST_FILL), LO(A + 1), HI(A + 1), 0x123456ab, 4999);
    CHECK_EQ(byte(&r, 0), 0);
    for (i = 1; i <= 5000; i++) {
        if (byte(&r, i) != 0xab) {
            CHECK_EQ(byte(&r, i), 0xab);
            break;
        }
    }
    CHECK_EQ(byte(&r, 5001), 0);

    /* Dwords: the low bits of count and address do not count. */
    for (i = 0; i < 4; i++) {
        memset(mock_ram(&r.m, A, 0x3000), 0, 0x3000);
        RUN(&r, 0, OP(CONST_FILL) | SDMA_PKT_CONSTANT_FILL_HEADER_FILLSIZE(2),
            LO(A + 4) | i, HI(A), 0x12345678, 0x1ff4 | i);
        CHECK_EQ(ram(&r, 0), 0);
        CHECK_EQ(ram(&r, 4), 0x12345678);
        CHECK_EQ(ram(&r, 4 + 0x1ff4), 0x12345678);
        CHECK_EQ(ram(&r, 4 + 0x1ff8), 0);
    }
    CHECK_EQ(ram(&r, 0x1000), 0x12345678);

    /* The largest: 4 MiB. */
    RUN(&r, 0, OP(CONST_FILL) | SDMA_PKT_CONSTANT_FILL_HEADER_FILLSIZE(2),
        LO(V + 0x400000), HI(V), 0xdeadbeef, 0xffffffff);
    CHECK_EQ(mock_vram32(&r.m, 0x400000), 0xdeadbeef);
    CHECK_EQ(mock_vram32(&r.m, 0x7ffffc), 0xdeadbeef);
    CHECK_EQ(mock_vram32(&r.m, 0x800000), 0);

    RUN(&r, 0, OP(CONST_FILL) | SDMA_PKT_CONSTANT_FILL_HEADER_FILLSIZE(1),
        LO(A), HI(A), 0, 3);
    illegal(&r);
    RUN(&r, 0, OP(CONST_FILL) | SDMA_PKT_CONSTANT_FILL_HEADER_FILLSIZE(3),
        LO(A), HI(A), 0, 3);
    illegal(&r);
    rig_stop(&r);
}

/* ----------------------------------------------------------------- PTEPDE */

/* Entry i is (initial value + i * increment) | mask, 64 bits all. */
static void ptepde(void)
{
    const uint64_t init = 0x0000123456789000, mask = 0x0600000000000071;
    struct sdma_rig r;
    uint64_t i;

    rig_start(&r);
    RUN(&r, 0, OP(PTEPDE), LO(V + 0x400ff0), HI(V), LO(mask), HI(mask),
        LO(init), HI(init), 0x200000, 0, 1299);
    CHECK_EQ(mock_vram64(&r.m, 0x400fe8), 0);
    for (i = 0; i < 1300; i++) {
        uint64_t got = mock_vram64(&r.m, 0x400ff0 + 8 * i);

        if (got != ((init + i * 0x200000) | mask)) {
            CHECK_EQ(got, (init + i * 0x200000) | mask);
            break;
        }
    }
    CHECK_EQ(mock_vram64(&r.m, 0x400ff0 + 8 * 1300), 0);

    /* Entries that lie across pages. */
    RUN(&r, 0, OP(PTEPDE), LO(A + 0xff4), HI(A), 0, 0, 0x11111111, 0x22222222,
        0, 0, 2);
    for (i = 0; i < 3; i++) {
        CHECK_EQ(ram(&r, 0xff4 + 8 * i), 0x11111111);
        CHECK_EQ(ram(&r, 0xff8 + 8 * i), 0x22222222);
    }
    CHECK_EQ(ram(&r, 0xff4 + 24), 0);

    /* The increment has 64 bits, and the count 19. */
    RUN(&r, 0, OP(PTEPDE), LO(A), HI(A), 0, 0, 1, 0, 2, 3, 0xfff80001,
        WRITE1(A + 16, 5));
    CHECK_EQ(mock_ram64(&r.m, A), 1);
    CHECK_EQ(mock_ram64(&r.m, A + 8), 0x300000003);
    CHECK_EQ(mock_ram64(&r.m, A + 16), 5);
    rig_stop(&r);
}

/* The three ways in which a driver writes page tables; then they translate. */
static void page_table_updates(void)
{
    struct sdma_rig r;
    const uint64_t pte = VGPU_PTE_SYSTEM | RIG_PTE_RW;
    const uint64_t base = MOCK_RAM_BASE + 0x300000;
    const unsigned first = 2048;        /* VA page where RAM ends */

    rig_start(&r);
    pattern(mock_ram(&r.m, base, 0x6000), 0x6000, 2);
    /* Generate two entries, write two, copy two from a staging buffer. */
    mock_set_ram64(&r.m, A + 0x800, (base + 0x4000) | pte);
    mock_set_ram64(&r.m, A + 0x808, (base + 0x5000) | pte);
    RUN(&r, 0, OP(PTEPDE), LO(V + RIG_TABLE + first * 8), HI(V), LO(pte), 0,
        LO(base), HI(base), 0x1000, 0, 1,
        OP(WRITE), LO(V + RIG_TABLE + first * 8 + 16), HI(V), 3,
        LO((base + 0x2000) | pte), HI(base), LO((base + 0x3000) | pte),
        HI(base), COPY(V + RIG_TABLE + first * 8 + 32, A + 0x800, 16));
    rig_invalidate(&r, 1);
    IB(&r, 0, 1, COPY(VA, first * 4096ull, 0x6000));
    CHECK(!memcmp(mock_ram(&r.m, A, 0x6000), mock_ram(&r.m, base, 0x6000),
                  0x6000));
    rig_stop(&r);
}

/* ----------------------------------------------- FENCE, TRAP, TIMESTAMP */

static void fence_and_trap(void)
{
    struct sdma_rig r;

    rig_start(&r);
    RUN(&r, 0, OP(FENCE), LO(A) | 3, HI(A), 0x12345678, OP(TRAP), 0xf1234567);
    CHECK_EQ(ram(&r, 0), 0x12345678);
    CHECK_EQ(ram(&r, 4), 0);
    /* The context word has 28 bits. */
    CHECK_EQ(iv_of(&r, SDMA0_4_0__SRCID__SDMA_TRAP), 0x01234567);

    RUN(&r, 0, OP(DUMMY_TRAP), 1, WRITE1(A, 1));
    CHECK_EQ(ram(&r, 0), 1);
    CHECK(no_iv(&r));

    rig_wreg(&r, 0, regSDMA0_CNTL, SDMA0_CNTL__FENCE_SWAP_ENABLE_MASK);
    RUN(&r, 0, OP(FENCE), LO(A), HI(A), 0x12345678, OP(TRAP), 1);
    CHECK_EQ(ram(&r, 0), 0x78563412);
    CHECK(no_iv(&r));
    rig_stop(&r);
}

/* Each engine is its own client of the interrupt handler. */
static void trap_clients(void)
{
    static const uint8_t clients[VGPU_MAX_SDMA] = {
        SOC15_IH_CLIENTID_SDMA0, SOC15_IH_CLIENTID_SDMA1,
        SOC15_IH_CLIENTID_SDMA2, SOC15_IH_CLIENTID_SDMA3,
        SOC15_IH_CLIENTID_SDMA4,
    };
    struct sdma_rig r;
    uint32_t iv[8];
    unsigned n;

    rig_start(&r);
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        RUN(&r, n, OP(TRAP), n);
        CHECK(rig_iv(&r, iv));
        CHECK_EQ(IV_CLIENT(iv), clients[n]);
        CHECK_EQ(IV_SOURCE(iv), SDMA0_4_0__SRCID__SDMA_TRAP);
        CHECK_EQ(IV_RING(iv), 0);
        CHECK_EQ(IV_VMID(iv), 0);
        CHECK_EQ(iv[4], n);
        /* RPTR in memory is not behind the interrupt. */
        CHECK_EQ(mock_ram64(&r.m, RIG_WB(n)), 8);
    }
    rig_stop(&r);
}

static void timestamp(void)
{
    struct sdma_rig r;
    uint64_t now;

    rig_start(&r);
    mock_advance(&r.m, 5000);
    now = vgpu_gpu_clock(r.m.die);
    RUN(&r, 0, SUBOP(TIMESTAMP, TIMESTAMP_GET_GLOBAL), LO(A) | 7, HI(A));
    CHECK_EQ(mock_ram64(&r.m, A), now);
    RUN(&r, 0, SUBOP(TIMESTAMP, TIMESTAMP_SET), 0x89abcdef, 0x01234567);
    mock_advance(&r.m, 1000);       /* 100 clocks of 10 ns */
    RUN(&r, 0, SUBOP(TIMESTAMP, TIMESTAMP_GET), LO(A), HI(A));
    CHECK_EQ(mock_ram64(&r.m, A), 0x0123456789abcdef + 100);
    RUN(&r, 0, SUBOP(TIMESTAMP, TIMESTAMP_GET_GLOBAL), LO(A), HI(A));
    CHECK_EQ(mock_ram64(&r.m, A), now + 100);
    rig_stop(&r);
}

/* ------------------------------------------------------------- registers */

static void srbm_write(void)
{
    struct sdma_rig r;
    uint32_t en, i;

    rig_start(&r);
    for (en = 0; en < 16; en++) {
        uint32_t want = 0x11223344;

        for (i = 0; i < 4; i++) {
            if (en & (1u << i)) {
                want &= ~(0xffu << (8 * i));
                want |= 0xaabbccddu & (0xffu << (8 * i));
            }
        }
        rig_wreg(&r, 4, SPARE, 0x11223344);
        RUN(&r, 0, OP(SRBM_WRITE) | SDMA_PKT_SRBM_WRITE_HEADER_BYTE_EN(en),
            0xfffc0000 | SPARE_ABS, 0xaabbccdd);
        CHECK_EQ(rig_rreg(&r, 4, SPARE), want);
    }
    /* An IB of VMID 0 is the kernel's too. */
    IB(&r, 0, 0, OP(SRBM_WRITE) | SDMA_PKT_SRBM_WRITE_HEADER_BYTE_EN(0xf),
       SPARE_ABS, 0x55);
    CHECK_EQ(rig_rreg(&r, 4, SPARE), 0x55);
    CHECK(no_iv(&r));
    /* Beyond the register BAR nothing is written, and it is no error. */
    RUN(&r, 0, OP(SRBM_WRITE) | SDMA_PKT_SRBM_WRITE_HEADER_BYTE_EN(0xf),
        0x3ffff, 1, OP(SRBM_WRITE) | SDMA_PKT_SRBM_WRITE_HEADER_BYTE_EN(1),
        0x3ffff, 1, WRITE1(A, 1));
    CHECK_EQ(ram(&r, 0), 1);
    rig_stop(&r);
}

/* A process's commands reach no register, but may flush HDP. */
static void unprivileged(void)
{
    const uint32_t poll = OP(POLL_REGMEM) | SDMA_PKT_POLL_REGMEM_HEADER_FUNC(3);
    const uint32_t done = VGPU_REG_ABS(NBIO, regGPU_HDP_FLUSH_DONE) << 2;
    const uint32_t req = VGPU_REG_ABS(NBIO, regGPU_HDP_FLUSH_REQ) << 2;
    struct sdma_rig r;
    uint32_t iv[8];

    rig_start(&r);
    rig_wreg(&r, 4, SPARE, 0x11);
    IB(&r, 0, 1, OP(SRBM_WRITE) | SDMA_PKT_SRBM_WRITE_HEADER_BYTE_EN(0xf),
       SPARE_ABS, 0x22, WRITE1(VA, 1));
    CHECK_EQ(rig_rreg(&r, 4, SPARE), 0x11);
    CHECK_EQ(ram(&r, 0), 1);        /* it goes on behind the refusal */
    CHECK(rig_iv(&r, iv));
    CHECK_EQ(IV_SOURCE(iv), SDMA0_4_0__SRCID__SDMA_SRBMWRITE);
    CHECK_EQ(IV_VMID(iv), 1);

    IB(&r, 0, 1, SUBOP(POLL_REGMEM, POLL_REG_WRITE_MEM), SPARE_ABS << 2, LO(VA),
       HI(VA));
    CHECK_EQ(ram(&r, 0), 1);
    iv_of(&r, SDMA0_4_0__SRCID__SDMA_SRBMWRITE);

    IB(&r, 0, 1, poll, SPARE_ABS << 2, 0, 0x99, ~0u, 0x0fff0000,
       WRITE1(VA, 2));
    CHECK_EQ(ram(&r, 0), 2);
    iv_of(&r, SDMA0_4_0__SRCID__SDMA_SRBMWRITE);

    IB(&r, 0, 1, poll | SDMA_PKT_POLL_REGMEM_HEADER_HDP_FLUSH(1), done,
       SPARE_ABS << 2, 0, 0, 0x0fff0000, WRITE1(VA, 3));
    CHECK_EQ(rig_rreg(&r, 4, SPARE), 0x11);
    CHECK_EQ(ram(&r, 0), 3);
    iv_of(&r, SDMA0_4_0__SRCID__SDMA_SRBMWRITE);

    IB(&r, 0, 1, poll | SDMA_PKT_POLL_REGMEM_HEADER_HDP_FLUSH(1), done, req,
       GPU_HDP_FLUSH_REQ__SDMA0_MASK, GPU_HDP_FLUSH_DONE__SDMA0_MASK,
       0x0fff0000, WRITE1(VA, 4));
    CHECK_EQ(ram(&r, 0), 4);
    /* "Always" reads nothing: user space's old way to say HDP flush. */
    IB(&r, 0, 1, OP(POLL_REGMEM), 0x80000000, 0, 0, 0, 0, WRITE1(VA, 5));
    CHECK_EQ(ram(&r, 0), 5);
    CHECK(no_iv(&r));
    rig_stop(&r);
}

/* ------------------------------------------------------------ POLL_REGMEM */

#define POLL(func)  (OP(POLL_REGMEM) | SDMA_PKT_POLL_REGMEM_HEADER_FUNC(func))
#define POLL_MEM    SDMA_PKT_POLL_REGMEM_HEADER_MEM_POLL(1)
#define FOREVER     SDMA_PKT_POLL_REGMEM_DW5_RETRY_COUNT(0xfff)

/* Each function at less, equal and greater; memory and register; the mask. */
static void poll_functions(void)
{
    /* Bit 0: holds when less, 1: when equal, 2: when greater. */
    static const uint8_t holds[7] = { 7, 1, 3, 2, 5, 6, 4 };
    struct sdma_rig r;
    unsigned func, order, mem;

    rig_start(&r);
    for (func = 0; func < 7; func++) {
        for (order = 0; order < 3; order++) {
            for (mem = 0; mem < 2; mem++) {
                uint32_t val = 0xab000000 | (0x80000 + order - 1) << 4;
                bool yes = holds[func] & (1u << order);

                mock_set_ram32(&r.m, A, val);
                mock_set_ram32(&r.m, A + 4, 0);
                rig_wreg(&r, 4, SPARE, val);
                RUN(&r, 0, POLL(func) | (mem ? POLL_MEM : 0),
                    mem ? LO(A) : SPARE_ABS << 2, mem ? HI(A) : 0, 0x800000,
                    0x00fffff0, FOREVER, WRITE1(A + 4, 1));
                CHECK_EQ(ram(&r, 4), yes);
                CHECK_EQ(rig_idle(&r, 0), yes);
                if (!yes) {
                    rig_ring_off(&r, 0);
                    rig_ring_on(&r, 0);
                }
            }
        }
    }
    CHECK(no_iv(&r));
    /* There is no function 7, and no HDP form of a memory poll. */
    RUN(&r, 0, POLL(7) | POLL_MEM, LO(A), HI(A), 0, 0, FOREVER);
    illegal(&r);
    RUN(&r, 0, POLL(3) | POLL_MEM | SDMA_PKT_POLL_REGMEM_HEADER_HDP_FLUSH(1),
        LO(A), HI(A), 0, 0, FOREVER);
    illegal(&r);
    rig_stop(&r);
}

/* The comparison is unsigned. */
static void poll_unsigned(void)
{
    struct sdma_rig r;

    rig_start(&r);
    mock_set_ram32(&r.m, A, 0xffffffff);
    RUN(&r, 0, POLL(6) | POLL_MEM, LO(A), HI(A), 1, ~0u, FOREVER,
        WRITE1(A + 4, 1));
    CHECK_EQ(ram(&r, 4), 1);
    rig_stop(&r);
}

static void poll_wakes(void)
{
    struct sdma_rig r;

    rig_start(&r);
    /* By another engine. */
    RUN(&r, 0, POLL(3) | POLL_MEM, LO(A), HI(A), 1, ~0u, FOREVER,
        WRITE1(A + 4, 1));
    CHECK_EQ(ram(&r, 4), 0);
    RUN(&r, 1, WRITE1(A, 1));
    CHECK_EQ(ram(&r, 4), 1);
    /* By a write to the register. */
    rig_wreg(&r, 4, SPARE, 0);
    RUN(&r, 0, POLL(3), SPARE_ABS << 2, 0, 7, ~0u, FOREVER, WRITE1(A + 4, 2));
    CHECK_EQ(ram(&r, 4), 1);
    rig_wreg(&r, 4, SPARE, 7);
    mock_run(&r.m);
    CHECK_EQ(ram(&r, 4), 2);
    /* By the CPU, which nobody hears: it is looked at in 5 ms at latest. */
    RUN(&r, 0, POLL(3) | POLL_MEM, LO(A), HI(A), 9, ~0u, FOREVER,
        WRITE1(A + 4, 3));
    mock_advance(&r.m, 100000000);
    mock_advance(&r.m, 100000000);
    mock_set_ram32(&r.m, A, 9);
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(ram(&r, 4), 3);
    rig_stop(&r);
}

/* A finite retry count: interrupt after its time, and on with the ring. */
static void poll_timeout(void)
{
    const unsigned retries = 100, interval = 1999;
    const uint64_t ns = retries * (interval + 1ull) * 10;
    struct sdma_rig r;
    uint64_t start;

    rig_start(&r);
    start = r.m.now;
    RUN(&r, 0, POLL(3) | POLL_MEM, LO(A), HI(A), 1, ~0u,
        SDMA_PKT_POLL_REGMEM_DW5_RETRY_COUNT(retries) |
        SDMA_PKT_POLL_REGMEM_DW5_INTERVAL(interval), WRITE1(A + 4, 1));
    while (!ram(&r, 4)) {
        uint64_t next = mock_run(&r.m);

        CHECK(no_iv(&r) || ram(&r, 4));
        CHECK(next != VGPU_NO_DEADLINE || ram(&r, 4));
        if (next == VGPU_NO_DEADLINE) {
            break;
        }
        r.m.now = next;
    }
    CHECK(r.m.now - start >= ns);
    CHECK(r.m.now - start <= ns + VGPU_POLL_MIN_NS);
    rig_stop(&r);

    rig_start(&r);
    RUN(&r, 0, POLL(3) | POLL_MEM, LO(A), HI(A), 1, ~0u,
        SDMA_PKT_POLL_REGMEM_DW5_RETRY_COUNT(3) |
        SDMA_PKT_POLL_REGMEM_DW5_INTERVAL(10), WRITE1(A + 4, 1));
    CHECK(no_iv(&r));
    CHECK(mock_settle(&r.m, VGPU_POLL_MAX_NS));
    CHECK_EQ(iv_of(&r, SDMA0_4_0__SRCID__SDMA_POLL_TIMEOUT), LO(A >> 12));
    CHECK_EQ(ram(&r, 4), 1);
    CHECK(rig_idle(&r, 0));

    /* What comes true in time is no timeout. */
    RUN(&r, 0, POLL(3) | POLL_MEM, LO(A), HI(A), 1, ~0u,
        SDMA_PKT_POLL_REGMEM_DW5_RETRY_COUNT(0xffe) |
        SDMA_PKT_POLL_REGMEM_DW5_INTERVAL(0xffff), WRITE1(A + 4, 2));
    mock_advance(&r.m, 1000000000);
    mock_set_ram32(&r.m, A, 1);
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(ram(&r, 4), 2);
    CHECK(no_iv(&r));
    rig_stop(&r);
}

/* The ring writes its bit to the request and waits for it in done. */
static void poll_hdp_flush(void)
{
    const uint32_t done = VGPU_REG_ABS(NBIO, regGPU_HDP_FLUSH_DONE) << 2;
    const uint32_t req = VGPU_REG_ABS(NBIO, regGPU_HDP_FLUSH_REQ) << 2;
    struct sdma_rig r;
    unsigned n;

    rig_start(&r);
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        uint32_t bit = GPU_HDP_FLUSH_REQ__SDMA0_MASK << n;

        RUN(&r, n, POLL(3) | SDMA_PKT_POLL_REGMEM_HEADER_HDP_FLUSH(1), done,
            req, bit, bit, FOREVER | SDMA_PKT_POLL_REGMEM_DW5_INTERVAL(10),
            WRITE1(A + 4 * n, 1));
        CHECK_EQ(ram(&r, 4 * n), 1);
    }
    /* It is written once, however often the other is looked at. */
    rig_wreg(&r, 4, SPARE, 0);
    RUN(&r, 0, POLL(3) | SDMA_PKT_POLL_REGMEM_HEADER_HDP_FLUSH(1),
        VGPU_SDMA_REG_ABS(3, SPARE) << 2, SPARE_ABS << 2, 0x40, 0x40, FOREVER,
        WRITE1(A, 2));
    CHECK_EQ(rig_rreg(&r, 4, SPARE), 0x40);
    rig_wreg(&r, 4, SPARE, 0);
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(rig_rreg(&r, 4, SPARE), 0);
    CHECK_EQ(ram(&r, 0), 1);
    rig_wreg(&r, 3, SPARE, 0x40);
    mock_run(&r.m);
    CHECK_EQ(ram(&r, 0), 2);
    rig_stop(&r);
}

static void poll_reg_write_mem(void)
{
    struct sdma_rig r;

    rig_start(&r);
    rig_wreg(&r, 4, SPARE, 0x1357);
    RUN(&r, 0, SUBOP(POLL_REGMEM, POLL_REG_WRITE_MEM), SPARE_ABS << 2, LO(A),
        HI(A));
    CHECK_EQ(ram(&r, 0), 0x1357);
    rig_stop(&r);
}

/* ------------------------------------------------------ COND_EXE, PRE_EXE */

static void cond_exe(void)
{
    struct sdma_rig r;

    rig_start(&r);
    mock_set_ram32(&r.m, A + 8, 1);
    RUN(&r, 0, OP(COND_EXE), LO(A + 8) | 3, HI(A), 1, 5, WRITE1(A, 1),
        WRITE1(A + 4, 1));
    CHECK_EQ(ram(&r, 0), 1);
    CHECK_EQ(ram(&r, 4), 1);
    RUN(&r, 0, OP(COND_EXE), LO(A + 8), HI(A), 2, 5, WRITE1(A, 2),
        WRITE1(A + 4, 2));
    CHECK_EQ(ram(&r, 0), 1);
    CHECK_EQ(ram(&r, 4), 2);
    /* In an IB of a process, inside which all of it is skipped. */
    IB(&r, 0, 1, OP(COND_EXE), LO(VA + 8), 0, 2, 5, WRITE1(VA, 3));
    CHECK_EQ(ram(&r, 0), 1);
    IB(&r, 0, 1, OP(COND_EXE), LO(VA + 8), 0, 1, 5, WRITE1(VA, 4));
    CHECK_EQ(ram(&r, 0), 4);
    /* The dwords to skip may come later than the packet. */
    RUN(&r, 0, OP(COND_EXE), LO(A + 8), HI(A), 2, 0x3fff);
    CHECK(rig_idle(&r, 0));
    RUN(&r, 0, WRITE1(A, 5));
    CHECK_EQ(ram(&r, 0), 4);
    rig_stop(&r);
}

static void pre_exe(void)
{
    struct sdma_rig r;

    rig_start(&r);
    /* SDMA_ID names the device bit of the engine: 1. */
    RUN(&r, 0, OP(PRE_EXE) | SDMA_PKT_PRE_EXE_HEADER_DEV_SEL(1), 5,
        WRITE1(A, 1), WRITE1(A + 4, 1));
    CHECK_EQ(ram(&r, 0), 1);
    RUN(&r, 0, OP(PRE_EXE) | SDMA_PKT_PRE_EXE_HEADER_DEV_SEL(0xfe), 5,
        WRITE1(A, 2), WRITE1(A + 4, 2));
    CHECK_EQ(ram(&r, 0), 1);
    CHECK_EQ(ram(&r, 4), 2);
    IB(&r, 0, 1, OP(PRE_EXE) | SDMA_PKT_PRE_EXE_HEADER_DEV_SEL(2), 5,
       WRITE1(VA, 3));
    CHECK_EQ(ram(&r, 0), 1);
    rig_stop(&r);
}

/* ------------------------------------------------------------ ATOMIC, SEM */

#define ATOMIC(op, addr, src, cmp, every)                               \
    LIST(OP(ATOMIC) |                                                   \
         SDMA_PKT_ATOMIC_HEADER_ATOMIC_OP(TC_OP_ATOMIC_##op),           \
         LO(addr), HI(addr), LO(src), HI(src), LO(cmp), HI(cmp), (every))

static uint64_t preop(struct sdma_rig *r)
{
    return (uint64_t)rig_rreg(r, 0, regSDMA0_ATOMIC_PREOP_HI) << 32 |
           rig_rreg(r, 0, regSDMA0_ATOMIC_PREOP_LO);
}

static void atomics(void)
{
    struct sdma_rig r;

    rig_start(&r);
    mock_set_ram64(&r.m, A, 0xffffffffffffffff);
    RUN(&r, 0, ATOMIC(ADD_32, A, 2ull, 0ull, 0));
    CHECK_EQ(mock_ram64(&r.m, A), 0xffffffff00000001);
    CHECK_EQ(preop(&r), 0);         /* not a returning form */
    RUN(&r, 0, ATOMIC(ADD_RTN_64, A, 0x100000000ull, 0ull, 0));
    CHECK_EQ(mock_ram64(&r.m, A), 1);
    CHECK_EQ(preop(&r), 0xffffffff00000001);
    RUN(&r, 0, ATOMIC(CMPSWAP_RTN_32, A, 5ull, 2ull, 0));
    CHECK_EQ(mock_ram64(&r.m, A), 1);
    CHECK_EQ(preop(&r), 1);
    RUN(&r, 0, ATOMIC(CMPSWAP_RTN_32, A, 5ull, 1ull, 0));
    CHECK_EQ(mock_ram64(&r.m, A), 5);
    CHECK(no_iv(&r));
    rig_wreg(&r, 0, regSDMA0_ATOMIC_CNTL,
             SDMA0_ATOMIC_CNTL__ATOMIC_RTN_INT_ENABLE_MASK);
    RUN(&r, 0, ATOMIC(SWAP_RTN_32, A, 6ull, 0ull, 0),
        ATOMIC(SWAP_32, A, 7ull, 0ull, 0));
    iv_of(&r, SDMA0_4_0__SRCID__SDMA_ATOMIC_RTN_DONE);
    CHECK(no_iv(&r));

    /* Misaligned, or no atomic at all. */
    RUN(&r, 0, ATOMIC(ADD_64, A + 4, 1ull, 0ull, 0));
    illegal(&r);
    RUN(&r, 0, OP(ATOMIC) | SDMA_PKT_ATOMIC_HEADER_ATOMIC_OP(TC_OP_READ),
        LO(A), HI(A), 0, 0, 0, 0, 0);
    illegal(&r);
    rig_stop(&r);
}

/* The loop form waits until its comparison holds, or its timer runs out. */
static void atomic_loop(void)
{
    const uint32_t loop = SDMA_PKT_ATOMIC_HEADER_LOOP(1);
    struct sdma_rig r;

    rig_start(&r);
    rig_wreg(&r, 0, regSDMA0_ATOMIC_CNTL, 0);       /* for ever */
    RUN(&r, 0, loop | ATOMIC(CMPSWAP_RTN_64, A, 9ull, 0x100000001ull, 100),
        WRITE1(A + 16, 1));
    mock_set_ram32(&r.m, A, 1);
    mock_advance(&r.m, 1000000000);
    CHECK_EQ(ram(&r, 16), 0);
    mock_set_ram64(&r.m, A, 0x100000001);
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(ram(&r, 16), 1);
    CHECK_EQ(mock_ram64(&r.m, A), 9);
    CHECK_EQ(preop(&r), 0x100000001);
    CHECK(no_iv(&r));

    /* The upper half of the comparison value is not 32-bit's business. */
    RUN(&r, 0, loop | ATOMIC(CMPSWAP_32, A, 10ull, 0x100000009ull, 0));
    CHECK_EQ(mock_ram64(&r.m, A), 10);

    rig_wreg(&r, 0, regSDMA0_ATOMIC_CNTL, 100);
    RUN(&r, 0, loop | ATOMIC(CMPSWAP_64, A, 1ull, 2ull, 99),
        WRITE1(A + 16, 2));
    CHECK(no_iv(&r));
    CHECK_EQ(ram(&r, 16), 1);
    CHECK(mock_settle(&r.m, 100 * 100 * 10 + VGPU_POLL_MAX_NS));
    CHECK_EQ(iv_of(&r, SDMA0_4_0__SRCID__SDMA_ATOMIC_TIMEOUT), LO(A >> 12));
    CHECK_EQ(ram(&r, 16), 2);
    CHECK_EQ(mock_ram64(&r.m, A), 10);

    RUN(&r, 0, loop | ATOMIC(CMPSWAP_64, A + 4, 1ull, 2ull, 0));
    illegal(&r);
    rig_stop(&r);
}

static void semaphore(void)
{
    const uint32_t signal = SDMA_PKT_SEMAPHORE_HEADER_SIGNAL(1);
    struct sdma_rig r;

    rig_start(&r);
    RUN(&r, 0, OP(SEM) | signal, LO(A) | 7, HI(A), OP(SEM) | signal, LO(A),
        HI(A));
    CHECK_EQ(mock_ram64(&r.m, A), 2);
    RUN(&r, 0, OP(SEM) | signal | SDMA_PKT_SEMAPHORE_HEADER_WRITE_ONE(1),
        LO(A), HI(A));
    CHECK_EQ(mock_ram64(&r.m, A), 1);
    RUN(&r, 0, OP(SEM), LO(A), HI(A), WRITE1(A + 8, 1));
    CHECK_EQ(mock_ram64(&r.m, A), 0);
    CHECK_EQ(ram(&r, 8), 1);
    /* It is 0 now: wait until another engine signals. */
    RUN(&r, 0, OP(SEM), LO(A), HI(A), WRITE1(A + 8, 2));
    CHECK_EQ(ram(&r, 8), 1);
    RUN(&r, 1, OP(SEM) | signal, LO(A), HI(A));
    CHECK_EQ(ram(&r, 8), 2);
    CHECK_EQ(mock_ram64(&r.m, A), 0);

    /* A wait that takes long is told of once, if that is wanted. */
    rig_wreg(&r, 0, regSDMA0_SEM_WAIT_FAIL_TIMER_CNTL, 10000);
    rig_wreg(&r, 0, regSDMA0_CNTL, SDMA0_CNTL__SEM_WAIT_INT_ENABLE_MASK);
    RUN(&r, 0, OP(SEM), LO(A), HI(A), WRITE1(A + 8, 3));
    CHECK(no_iv(&r));
    mock_advance(&r.m, 100000);
    CHECK_EQ(iv_of(&r, SDMA0_4_0__SRCID__SDMA_SEM_WAIT_FAIL_TIMEOUT),
             LO(A >> 12));
    mock_advance(&r.m, 100000000);
    mock_advance(&r.m, 100000000);
    CHECK(no_iv(&r));
    CHECK_EQ(ram(&r, 8), 2);
    RUN(&r, 1, OP(SEM) | signal, LO(A), HI(A));
    CHECK_EQ(ram(&r, 8), 3);

    RUN(&r, 0, OP(SEM) | SDMA_PKT_SEMAPHORE_HEADER_MAILBOX(1), LO(A), HI(A));
    illegal(&r);
    rig_stop(&r);
}

static const struct test tests[] = {
    TEST(nop),
    TEST(copy_linear),
    TEST(copy_largest),
    TEST(copy_scattered),
    TEST(copy_overlap),
    TEST(copy_long),
    TEST(copy_broadcast),
    TEST(copy_swap),
    TEST(copy_window),
    TEST(copy_window_endless),
    TEST(write_linear),
    TEST(write_long),
    TEST(const_fill),
    TEST(ptepde),
    TEST(page_table_updates),
    TEST(fence_and_trap),
    TEST(trap_clients),
    TEST(timestamp),
    TEST(srbm_write),
    TEST(unprivileged),
    TEST(poll_functions),
    TEST(poll_unsigned),
    TEST(poll_wakes),
    TEST(poll_timeout),
    TEST(poll_hdp_flush),
    TEST(poll_reg_write_mem),
    TEST(cond_exe),
    TEST(pre_exe),
    TEST(atomics),
    TEST(atomic_loop),
    TEST(semaphore),
};

TEST_MAIN(tests)
