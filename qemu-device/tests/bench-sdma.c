/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast core/ alone runs SDMA: packets a second, and copies beside the
 * memcpy() of the host. Prints "name value unit" lines; asserts nothing.
 */
#include <stdlib.h>
#include <time.h>

#include "sdma-rig.h"

#define MIB         (1ull << 20)
#define COPY_BYTES  (64 * MIB)
#define COPY_MAX    (4 * MIB)
#define ROUNDS      5
#define RING_DW     0x10000
#define RING_VRAM   (RIG_VRAM + 2 * MIB)    /* the ring is in VRAM here */
#define SRC         (RIG_VRAM + 128 * MIB)
#define DST         (RIG_VRAM + 256 * MIB)

static double seconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec + ts.tv_nsec / 1e9;
}

static uint64_t wptr;

static void put(struct sdma_rig *r, const uint32_t *dw, size_t n)
{
    uint8_t *ring = mock_vram(&r->m, RING_VRAM - RIG_VRAM, RING_DW * 4ull);
    size_t i;

    for (i = 0; i < n; i++) {
        memcpy(ring + (wptr & (RING_DW * 4ull - 1)), &dw[i], 4);
        wptr += 4;
    }
}

static void go(struct sdma_rig *r)
{
    rig_wreg(r, 0, regSDMA0_GFX_RB_WPTR, LO(wptr));
    rig_wreg(r, 0, regSDMA0_GFX_RB_WPTR_HI, HI(wptr));
    mock_run(&r->m);
}

/* Fill the ring with a mix again and again; the fill is not timed. */
static void packets(struct sdma_rig *r, const char *name, const uint32_t *mix,
                    size_t dwords, unsigned count)
{
    double best = 0;
    unsigned round;

    for (round = 0; round < 4 * ROUNDS; round++) {
        unsigned i, n = (RING_DW - 16) / dwords;
        double start, speed;

        for (i = 0; i < n; i++) {
            put(r, mix, dwords);
        }
        start = seconds();
        go(r);
        speed = (double)n * count / (seconds() - start);
        best = speed > best ? speed : best;
    }
    printf("sdma-packets-%s %.2f M/s\n", name, best / 1e6);
}

static double copy(struct sdma_rig *r, uint64_t dst, uint64_t src)
{
    double start;
    uint64_t off;

    for (off = 0; off < COPY_BYTES; off += COPY_MAX) {
        put(r, DW(SUBOP(COPY, COPY_LINEAR), COPY_MAX - 1, 0, LO(src + off),
                  HI(src + off), LO(dst + off), HI(dst + off)), 7);
    }
    start = seconds();
    go(r);
    return seconds() - start;
}

int main(void)
{
    static struct sdma_rig r;
    double sdma = 1e9, plain = 1e9, fill = 1e9, t;
    uint8_t *src, *dst;
    unsigned i;

    mock_init(&r.m);
    r.m.cfg.vram_size = 512 * MIB;
    rig_start_mock(&r);
    rig_ring_off(&r, 0);
    rig_wreg(&r, 0, regSDMA0_GFX_RB_BASE, LO(RING_VRAM >> 8));
    rig_wreg(&r, 0, regSDMA0_GFX_RB_BASE_HI, HI(RING_VRAM >> 8));
    rig_wreg(&r, 0, regSDMA0_GFX_RB_CNTL,
             16u << SDMA0_GFX_RB_CNTL__RB_SIZE__SHIFT |
             SDMA0_GFX_RB_CNTL__RPTR_WRITEBACK_ENABLE_MASK |
             SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK);
    rig_wreg(&r, 0, regSDMA0_CNTL, 0);

    packets(&r, "nop", DW(OP(NOP)), 1, 1);
    packets(&r, "write", DW(OP(WRITE), LO(SRC), HI(SRC), 0, 1), 5, 1);
    packets(&r, "write-nop", DW(OP(WRITE), LO(SRC), HI(SRC), 0, 1, OP(NOP)), 6,
            2);
    packets(&r, "write4", DW(OP(WRITE), LO(SRC), HI(SRC), 3, 1, 2, 3, 4), 8,
            1);
    packets(&r, "fence", DW(OP(FENCE), LO(SRC), HI(SRC), 1), 4, 1);
    packets(&r, "fence-trap", DW(OP(FENCE), LO(SRC), HI(SRC), 1, OP(TRAP), 0),
            6, 2);
    packets(&r, "ptepde", DW(OP(PTEPDE), LO(SRC), HI(SRC), 1, 0, 0, 0, 4096, 0,
                             511), 10, 1);

    src = mock_vram(&r.m, SRC - RIG_VRAM, COPY_BYTES);
    dst = mock_vram(&r.m, DST - RIG_VRAM, COPY_BYTES);
    memset(src, 0x5a, COPY_BYTES);
    memset(dst, 1, COPY_BYTES);
    for (i = 0; i < ROUNDS; i++) {
        t = copy(&r, DST, SRC);
        sdma = t < sdma ? t : sdma;

        t = seconds();
        memcpy(dst, src, COPY_BYTES);
        /* The copy must not be optimised away. */
        __asm__ volatile("" : : "r"(dst) : "memory");
        t = seconds() - t;
        plain = t < plain ? t : plain;

        t = seconds();
        put(&r, DW(OP(CONST_FILL) |
                   SDMA_PKT_CONSTANT_FILL_HEADER_FILLSIZE(2), LO(DST), HI(DST),
                   0x12345678, COPY_MAX - 4), 5);
        go(&r);
        t = seconds() - t;
        fill = t < fill ? t : fill;
    }
    printf("sdma-copy-64MiB %.2f GB/s\n", COPY_BYTES / sdma / 1e9);
    printf("memcpy-64MiB %.2f GB/s\n", COPY_BYTES / plain / 1e9);
    printf("sdma-copy-to-memcpy %.2f ratio\n", plain / sdma);
    printf("sdma-fill-4MiB %.2f GB/s\n", COPY_MAX / fill / 1e9);
    rig_stop(&r);
    return 0;
}
