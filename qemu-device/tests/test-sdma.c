/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SDMA engines: registers, ring, indirect buffers, recovery, scheduling and
 * migration. test-sdma-packets.c has the packets. Expected values come from
 * the layouts in hw/sdma.h and hw/reg/sdma.h and from hardware.rst.
 */
#include <stdlib.h>

#include "sdma-rig.h"
#include "hw/doorbell.h"
#include "hw/reg/nbio.h"
#include "hw/reg/vgpu.h"

static const uint8_t clients[VGPU_MAX_SDMA] = {
    SOC15_IH_CLIENTID_SDMA0, SOC15_IH_CLIENTID_SDMA1, SOC15_IH_CLIENTID_SDMA2,
    SOC15_IH_CLIENTID_SDMA3, SOC15_IH_CLIENTID_SDMA4,
};

#define FENCE(addr, val)                                                \
    LIST(OP(FENCE), LO(addr), HI(addr), (val))
#define WRITE1(addr, val)                                               \
    LIST(OP(WRITE), LO(addr), HI(addr), 0, (val))
#define POLL_EQ(addr, val)                                              \
    LIST(OP(POLL_REGMEM) | SDMA_PKT_POLL_REGMEM_HEADER_FUNC(3) |        \
         SDMA_PKT_POLL_REGMEM_HEADER_MEM_POLL(1), LO(addr), HI(addr),   \
         (val), 0xffffffff, SDMA_PKT_POLL_REGMEM_DW5_RETRY_COUNT(0xfff))
#define COPY(dst, src, bytes)                                           \
    LIST(SUBOP(COPY, COPY_LINEAR), (uint32_t)(bytes) - 1, 0, LO(src),   \
         HI(src), LO(dst), HI(dst))

static uint32_t data32(struct sdma_rig *r, unsigned i)
{
    return mock_ram32(&r->m, RIG_DATA + 4 * i);
}

/* ------------------------------------------------------------------ ring */

/* [R12]: 0xCAFEDEAD becomes 0xDEADBEEF by a WRITE of five dwords. */
static void ring_test(void)
{
    struct sdma_rig r;
    unsigned n;

    rig_start(&r);
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        mock_set_ram32(&r.m, RIG_DATA, 0xcafedead);
        RING(&r, n, OP(WRITE) | SDMA_PKT_HEADER_SUB_OP(0), LO(RIG_DATA),
             HI(RIG_DATA), SDMA_PKT_WRITE_UNTILED_DW_3_COUNT(0), 0xdeadbeef);
        CHECK_EQ(r.wptr[n], 20);
        mock_run(&r.m);
        CHECK_EQ(data32(&r, 0), 0xcafedead);
        rig_go(&r, n);
        CHECK_EQ(data32(&r, 0), 0xdeadbeef);
        CHECK_EQ(rig_rptr(&r, n), 20);
        CHECK_EQ(mock_ram64(&r.m, RIG_WB(n)), 20);
        CHECK(rig_idle(&r, n));
    }
    rig_stop(&r);
}

static void doorbells_of_all(struct sdma_rig *r)
{
    static const uint16_t first[VGPU_MAX_SDMA] = {
        AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE0,
        AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE1,
        AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE2,
        AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE3,
        AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE4,
    };
    unsigned n;

    mock_wreg(&r->m, VGPU_REG_ABS(NBIO, regRCC_DOORBELL_APER_EN), 1);
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        uint32_t index = VGPU_DOORBELL_DWORD_OFFSET(first[n]);

        mock_wreg(&r->m, VGPU_REG_ABS(NBIO, VGPU_BIF_SDMA_DOORBELL_RANGE(n)),
                  index << BIF_SDMA0_DOORBELL_RANGE__OFFSET__SHIFT |
                  VGPU_DOORBELL_SDMA_RANGE <<
                  BIF_SDMA0_DOORBELL_RANGE__SIZE__SHIFT);
        rig_wreg(r, n, regSDMA0_GFX_DOORBELL_OFFSET,
                 index << SDMA0_GFX_DOORBELL_OFFSET__OFFSET__SHIFT);
        rig_wreg(r, n, regSDMA0_GFX_DOORBELL,
                 SDMA0_GFX_DOORBELL__ENABLE_MASK);
    }
}

#define BELL(n) VGPU_DOORBELL_DWORD_OFFSET( \
    AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE0 + 10 * (n))

static void doorbell(void)
{
    struct vgpu_die_stats st;
    struct sdma_rig r;
    unsigned n;

    rig_start(&r);
    doorbells_of_all(&r);
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        RING(&r, n, WRITE1(RIG_DATA + 4 * n, 0x100 + n));
        mock_doorbell(&r.m, BELL(n), r.wptr[n]);
    }
    mock_run(&r.m);
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        CHECK_EQ(data32(&r, n), 0x100 + n);
        CHECK_EQ(rig_rreg(&r, n, regSDMA0_GFX_RB_WPTR), 20);
        CHECK_EQ(rig_rreg(&r, n, regSDMA0_GFX_DOORBELL),
                 SDMA0_GFX_DOORBELL__ENABLE_MASK |
                 SDMA0_GFX_DOORBELL__CAPTURED_MASK);
        CHECK_EQ(rig_rreg(&r, n, regSDMA0_GFX_DOORBELL_LOG), 20);
    }

    /* The page queue's doorbell, and a disabled one, are nobody's. */
    vgpu_die_stats(r.m.die, &st);
    CHECK_EQ(st.lost_doorbells, 0);
    mock_doorbell(&r.m, BELL(0) + 2, 40);
    rig_wreg(&r, 1, regSDMA0_GFX_DOORBELL, 0);
    mock_doorbell(&r.m, BELL(1), 40);
    mock_run(&r.m);
    vgpu_die_stats(r.m.die, &st);
    CHECK_EQ(st.lost_doorbells, 2);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_RB_WPTR), 20);
    CHECK_EQ(rig_rreg(&r, 1, regSDMA0_GFX_RB_WPTR), 20);
    rig_stop(&r);
}

/*
 * A doorbell has arrived before what its CPU does next with a register: so a
 * reset ring does not find the WPTR of before, nor refuse that of after.
 */
static void doorbell_order(void)
{
    struct sdma_rig r;

    rig_start(&r);
    doorbells_of_all(&r);
    RING(&r, 0, OP(NOP), OP(NOP), OP(NOP), OP(NOP), OP(NOP));
    mock_doorbell(&r.m, BELL(0), 20);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_RB_WPTR), 20);

    mock_doorbell(&r.m, BELL(0), 16 * 4);
    rig_ring_off(&r, 0);
    rig_ring_on(&r, 0);
    rig_wreg(&r, 0, regSDMA0_GFX_MINOR_PTR_UPDATE, 1);
    mock_doorbell(&r.m, BELL(0), 0);
    rig_wreg(&r, 0, regSDMA0_GFX_MINOR_PTR_UPDATE, 0);
    mock_run(&r.m);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_RB_WPTR), 0);
    CHECK_EQ(rig_rptr(&r, 0), 0);
    CHECK(rig_idle(&r, 0));
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_STATUS), 0);
    rig_stop(&r);
}

/* WPTR goes back only when that was announced. */
static void wptr_backwards(void)
{
    struct sdma_rig r;

    rig_start(&r);
    doorbells_of_all(&r);
    RUN(&r, 0, OP(NOP), OP(NOP), OP(NOP), OP(NOP));
    mock_doorbell(&r.m, BELL(0), 8);
    mock_run(&r.m);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_RB_WPTR), 16);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_STATUS) &
             SDMA0_GFX_STATUS__WPTR_UPDATE_FAIL_COUNT_MASK, 1);

    rig_wreg(&r, 0, regSDMA0_GFX_MINOR_PTR_UPDATE, 1);
    mock_doorbell(&r.m, BELL(0), 8);
    mock_run(&r.m);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_RB_WPTR), 8);
    rig_stop(&r);
}

/* A WPTR more than the ring ahead is not followed, and costs no time. */
static void wptr_overrun(void)
{
    struct sdma_rig r;

    rig_start(&r);
    rig_wreg(&r, 0, regSDMA0_GFX_RB_WPTR, RIG_RING_BYTES + 4);
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    CHECK_EQ(rig_rptr(&r, 0), 0);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_STATUS), 1);
    mock_run(&r.m);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_STATUS), 1);
    /* A full ring of NOPs is in order: RAM is zero. */
    rig_wreg(&r, 0, regSDMA0_GFX_RB_WPTR, RIG_RING_BYTES);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r, 0), RIG_RING_BYTES);
    rig_stop(&r);
}

/* Packets over the end of the ring, at each offset; pointers above 4 GiB. */
static void wrap(void)
{
    const uint64_t start = 0xffffffffull - RIG_RING_BYTES + 1;
    struct sdma_rig r;
    unsigned i;

    rig_start(&r);
    rig_ring_off(&r, 0);
    rig_wreg(&r, 0, regSDMA0_GFX_RB_RPTR, LO(start));
    rig_wreg(&r, 0, regSDMA0_GFX_RB_WPTR, LO(start));
    rig_wreg(&r, 0, regSDMA0_GFX_RB_CNTL,
             rig_rreg(&r, 0, regSDMA0_GFX_RB_CNTL) |
             SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK);
    r.wptr[0] = start;
    for (i = 0; i < 3 * RIG_RING_BYTES / 28; i++) {
        /* Seven dwords do not divide the ring: the end falls anywhere. */
        RUN(&r, 0, OP(WRITE), LO(RIG_DATA), HI(RIG_DATA), 2, i, ~i, i + 1);
        if (data32(&r, 0) != i || data32(&r, 1) != ~i ||
            data32(&r, 2) != i + 1) {
            CHECK_EQ(data32(&r, 0), i);
            break;
        }
    }
    CHECK_EQ(rig_rptr(&r, 0), start + 28ull * i);
    CHECK(rig_rptr(&r, 0) > 0xffffffffull);
    CHECK_EQ(mock_ram64(&r.m, RIG_WB(0)), rig_rptr(&r, 0));
    rig_stop(&r);
}

/* Half a packet waits for the other half. */
static void partial_packet(void)
{
    const uint32_t p[5] = { WRITE1(RIG_DATA, 7) };
    struct sdma_rig r;
    unsigned i;

    rig_start(&r);
    for (i = 0; i < 5; i++) {
        CHECK_EQ(data32(&r, 0), 0);
        rig_put(&r, 0, &p[i], 1);
        rig_go(&r, 0);
        CHECK_EQ(rig_idle(&r, 0), i == 4);
    }
    CHECK_EQ(data32(&r, 0), 7);
    rig_stop(&r);
}

/* The smallest rings hold fewer dwords than a packet: it never comes. */
static void tiny_ring(void)
{
    struct sdma_rig r;

    rig_start(&r);
    rig_wreg(&r, 0, regSDMA0_GFX_RB_CNTL, SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK);
    RING(&r, 0, WRITE1(RIG_DATA, 7));
    rig_wreg(&r, 0, regSDMA0_GFX_RB_WPTR, 4);
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    CHECK_EQ(rig_rptr(&r, 0), 0);
    rig_wreg(&r, 0, regSDMA0_GFX_RB_WPTR, 20);
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    CHECK_EQ(rig_rptr(&r, 0), 0);
    CHECK_EQ(data32(&r, 0), 0);
    rig_stop(&r);
}

static void wptr_in_memory(void)
{
    struct sdma_rig r;

    rig_start(&r);
    rig_wreg(&r, 0, regSDMA0_GFX_RB_WPTR_POLL_CNTL,
             SDMA0_GFX_RB_WPTR_POLL_CNTL__F32_POLL_ENABLE_MASK);
    CHECK(mock_run(&r.m) != VGPU_NO_DEADLINE);
    RING(&r, 0, WRITE1(RIG_DATA, 7));
    mock_set_ram64(&r.m, RIG_WPTR_POLL(0), r.wptr[0]);
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(data32(&r, 0), 7);
    CHECK(rig_rreg(&r, 0, regSDMA0_GFX_CONTEXT_STATUS) &
          SDMA0_GFX_CONTEXT_STATUS__IDLE_MASK);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_RB_WPTR), 20);
    /* What is smaller than WPTR there is old. */
    mock_set_ram64(&r.m, RIG_WPTR_POLL(0), 4);
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_RB_WPTR), 20);
    /* Byte-swapped, if so set. */
    rig_wreg(&r, 0, regSDMA0_GFX_RB_WPTR_POLL_CNTL,
             SDMA0_GFX_RB_WPTR_POLL_CNTL__ENABLE_MASK |
             SDMA0_GFX_RB_WPTR_POLL_CNTL__SWAP_ENABLE_MASK);
    RING(&r, 0, WRITE1(RIG_DATA, 8));
    mock_set_ram64(&r.m, RIG_WPTR_POLL(0), __builtin_bswap32(40));
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(data32(&r, 0), 8);
    rig_wreg(&r, 0, regSDMA0_GFX_RB_WPTR_POLL_CNTL, 0);
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    rig_stop(&r);
}

static void rptr_writeback_off(void)
{
    struct sdma_rig r;

    rig_start(&r);
    rig_wreg(&r, 0, regSDMA0_GFX_RB_CNTL,
             rig_rreg(&r, 0, regSDMA0_GFX_RB_CNTL) &
             ~SDMA0_GFX_RB_CNTL__RPTR_WRITEBACK_ENABLE_MASK);
    mock_set_ram64(&r.m, RIG_WB(0), 0x5555);
    RUN(&r, 0, OP(NOP));
    CHECK_EQ(rig_rptr(&r, 0), 4);
    CHECK_EQ(mock_ram64(&r.m, RIG_WB(0)), 0x5555);
    rig_stop(&r);
}

/* A ring of a process: its VMID for all it does, and no register for it. */
static void ring_vmid(void)
{
    const uint64_t va = RIG_VA(RIG_DATA);
    struct sdma_rig r;
    uint32_t cntl, iv[8];
    unsigned priv;

    rig_start(&r);
    for (priv = 0; priv < 2; priv++) {
        rig_ring_off(&r, 0);
        rig_ring_on(&r, 0);
        cntl = rig_rreg(&r, 0, regSDMA0_GFX_RB_CNTL) |
               1u << SDMA0_GFX_RB_CNTL__RB_VMID__SHIFT |
               (priv ? SDMA0_GFX_RB_CNTL__RB_PRIV_MASK : 0);
        rig_wreg(&r, 0, regSDMA0_GFX_RB_BASE, RIG_VA(RIG_RING(0)) >> 8);
        rig_wreg(&r, 0, regSDMA0_GFX_RB_BASE_HI, 0);
        rig_wreg(&r, 0, regSDMA0_GFX_RB_RPTR_ADDR_LO, RIG_VA(RIG_WB(0)));
        rig_wreg(&r, 0, regSDMA0_GFX_RB_RPTR_ADDR_HI, 0);
        rig_wreg(&r, 0, regSDMA0_GFX_RB_CNTL, cntl);
        rig_wreg(&r, 4, regSDMA0_GFX_DUMMY_REG, 1);
        RUN(&r, 0, WRITE1(va, 0x60 + priv),
            OP(SRBM_WRITE) | SDMA_PKT_SRBM_WRITE_HEADER_BYTE_EN(0xf),
            VGPU_SDMA_REG_ABS(4, regSDMA0_GFX_DUMMY_REG), 2);
        CHECK_EQ(data32(&r, 0), 0x60 + priv);
        CHECK_EQ(mock_ram64(&r.m, RIG_WB(0)), 32);
        CHECK_EQ(rig_rreg(&r, 4, regSDMA0_GFX_DUMMY_REG), 1 + priv);
        CHECK_EQ(rig_iv(&r, iv), !priv);
    }
    rig_stop(&r);
}

static void swapped_ring(void)
{
    uint32_t p[5] = { WRITE1(RIG_DATA, 0x01020304) };
    struct sdma_rig r;
    unsigned i;

    rig_start(&r);
    rig_wreg(&r, 0, regSDMA0_GFX_RB_CNTL,
             rig_rreg(&r, 0, regSDMA0_GFX_RB_CNTL) |
             SDMA0_GFX_RB_CNTL__RB_SWAP_ENABLE_MASK |
             SDMA0_GFX_RB_CNTL__RPTR_WRITEBACK_SWAP_ENABLE_MASK);
    for (i = 0; i < 5; i++) {
        p[i] = __builtin_bswap32(p[i]);
    }
    rig_put(&r, 0, p, 5);
    rig_go(&r, 0);
    CHECK_EQ(data32(&r, 0), 0x01020304);
    CHECK_EQ(mock_ram32(&r.m, RIG_WB(0)), 20u << 24);
    rig_stop(&r);
}

/* -------------------------------------------------------------- registers */

static void registers(void)
{
    struct sdma_rig r;
    unsigned n;

    memset(&r, 0, sizeof(r));
    mock_default(&r.m);
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        CHECK_EQ(rig_rreg(&r, n, regSDMA0_F32_CNTL), 1);    /* halted */
        CHECK_EQ(rig_rreg(&r, n, regSDMA0_VERSION), 0x404);
        CHECK_EQ(rig_rreg(&r, n, regSDMA0_STATUS2_REG) &
                 SDMA0_STATUS2_REG__ID_MASK, n & SDMA0_STATUS2_REG__ID_MASK);
        CHECK(rig_idle(&r, n));
        rig_wreg(&r, n, regSDMA0_GFX_RB_BASE, 0x1000 + n);
        rig_wreg(&r, n, regSDMA0_STATUS_REG, 0);
        CHECK(rig_idle(&r, n));
    }
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        CHECK_EQ(rig_rreg(&r, n, regSDMA0_GFX_RB_BASE), 0x1000 + n);
    }
    CHECK(!strcmp(vgpu_reg_name(r.m.die, VGPU_SDMA_REG_ABS(3,
                  regSDMA0_GFX_RB_BASE)), "SDMA3_GFX_RB_BASE"));

    /* A loader of microcode finds its address register counting. */
    rig_wreg(&r, 0, regSDMA0_UCODE_ADDR, 0);
    rig_wreg(&r, 0, regSDMA0_UCODE_DATA, 1);
    rig_wreg(&r, 0, regSDMA0_UCODE_DATA, 2);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_UCODE_ADDR), 2);

    vgpu_die_reset(r.m.die);
    CHECK_EQ(rig_rreg(&r, 2, regSDMA0_GFX_RB_BASE), 0);
    mock_stop(&r.m);
}

/*
 * Page and user queues run as the gfx ring does, with registers of their own;
 * their interrupts tell which it was.
 */
static void other_queues(void)
{
    static const struct {
        uint32_t rb_cntl, ring_id;
    } q[] = {
        { regSDMA0_PAGE_RB_CNTL, 3 }, { regSDMA0_RLC0_RB_CNTL, 2 },
        { regSDMA0_RLC7_RB_CNTL, 2 },
    };
    const uint64_t ring = RIG_DATA + 0x10000;
    struct sdma_rig r;
    unsigned i, n;
    uint32_t iv[8];

    rig_start(&r);
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        for (i = 0; i < 3; i++) {
            uint32_t off = q[i].rb_cntl - regSDMA0_GFX_RB_CNTL;
            const uint32_t dw[] = {
                OP(WRITE), LO(RIG_DATA), HI(RIG_DATA), 0, 100 * n + i,
                OP(TRAP), 7,
            };

            memcpy(mock_ram(&r.m, ring, sizeof(dw)), dw, sizeof(dw));
            rig_wreg(&r, n, regSDMA0_CNTL, SDMA0_CNTL__TRAP_ENABLE_MASK);
            rig_wreg(&r, n, regSDMA0_GFX_RB_BASE + off, LO(ring >> 8));
            rig_wreg(&r, n, regSDMA0_GFX_RB_BASE_HI + off, HI(ring >> 8));
            rig_wreg(&r, n, regSDMA0_GFX_RB_WPTR + off, sizeof(dw));
            rig_wreg(&r, n, q[i].rb_cntl,
                     RIG_RB_SIZE << SDMA0_GFX_RB_CNTL__RB_SIZE__SHIFT |
                     SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK);
            mock_run(&r.m);
            CHECK_EQ(mock_ram32(&r.m, RIG_DATA), 100 * n + i);
            CHECK_EQ(rig_rreg(&r, n, regSDMA0_GFX_RB_RPTR + off), sizeof(dw));
            CHECK_EQ(rig_rreg(&r, n, regSDMA0_GFX_RB_RPTR), 0);
            memcpy(iv, mock_ram(&r.m, RIG_IH_RING + r.ih_rptr, 32), 32);
            r.ih_rptr += 32;
            CHECK_EQ(iv[0] >> 8 & 0xff, SDMA0_4_0__SRCID__SDMA_TRAP);
            CHECK_EQ(iv[0] >> 16 & 0xff, q[i].ring_id);
            CHECK_EQ(iv[4], 7);
        }
    }
    CHECK_EQ(r.m.logs[VGPU_LOG_UNCLAIMED], 0);
    rig_stop(&r);
}

static void one_engine(void)
{
    struct vgpu_die_stats st;
    struct sdma_rig r;

    memset(&r, 0, sizeof(r));
    mock_init(&r.m);
    r.m.cfg.num_sdma = 1;
    rig_start_mock(&r);
    RUN(&r, 0, WRITE1(RIG_DATA, 1));
    CHECK_EQ(data32(&r, 0), 1);
    rig_rreg(&r, 1, regSDMA0_STATUS_REG);
    vgpu_die_stats(r.m.die, &st);
    CHECK_EQ(st.unclaimed_reads, 1);
    rig_stop(&r);
}

/* ------------------------------------------------------- indirect buffers */

static void indirect(void)
{
    struct vgpu_die_stats st;
    struct sdma_rig r;
    uint64_t ib;

    rig_start(&r);
    ib = rig_ib(&r, DW(WRITE1(RIG_DATA, 0x11), OP(NOP), OP(NOP), OP(NOP)), 8);
    RUN(&r, 0, OP(INDIRECT), LO(ib), HI(ib), 8, 0x12345677, 0x9abc,
        WRITE1(RIG_DATA + 4, 0x22));
    CHECK_EQ(data32(&r, 0), 0x11);
    CHECK_EQ(data32(&r, 1), 0x22);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_IB_BASE_LO), LO(ib));
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_IB_BASE_HI), HI(ib));
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_IB_SIZE), 8);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_CSA_ADDR_LO), 0x12345674);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_CSA_ADDR_HI), 0x9abc);

    vgpu_die_stats(r.m.die, &st);
    CHECK_EQ(st.sdma_packets, 6);

    /* An empty IB is in order. */
    RUN(&r, 0, OP(INDIRECT), LO(ib), HI(ib), 0, 0, 0, WRITE1(RIG_DATA, 3));
    CHECK_EQ(data32(&r, 0), 3);
    rig_stop(&r);
}

/* An IB's addresses, its own and those inside, are of its VMID. */
static void indirect_vmid(void)
{
    uint64_t va = RIG_VA(RIG_DATA);
    struct sdma_rig r;
    uint32_t iv[8];

    rig_start(&r);
    IB(&r, 0, 1, WRITE1(va, 0x33), OP(TRAP), 0x5, OP(NOP));
    CHECK_EQ(data32(&r, 0), 0x33);
    CHECK_EQ((rig_rreg(&r, 0, regSDMA0_GFX_IB_CNTL) &
              SDMA0_GFX_IB_CNTL__CMD_VMID_MASK) >>
             SDMA0_GFX_IB_CNTL__CMD_VMID__SHIFT, 1);
    CHECK(rig_iv(&r, iv));
    CHECK_EQ(IV_SOURCE(iv), SDMA0_4_0__SRCID__SDMA_TRAP);
    CHECK_EQ(IV_VMID(iv), 1);
    CHECK_EQ(iv[4], 5);
    /* The next page of VMID 1 leads elsewhere: only that is written. */
    rig_set_pte(&r, va / 4096, (RIG_DATA + 4096) | RIG_PTE_RW |
                VGPU_PTE_SYSTEM);
    rig_invalidate(&r, 1);
    IB(&r, 0, 1, WRITE1(va, 0x44));
    CHECK_EQ(data32(&r, 0), 0x33);
    CHECK_EQ(mock_ram32(&r.m, RIG_DATA + 4096), 0x44);
    rig_stop(&r);
}

static void expect_illegal(struct sdma_rig *r, unsigned n, unsigned vmid)
{
    uint32_t iv[8];

    CHECK(rig_iv(r, iv));
    CHECK_EQ(IV_CLIENT(iv), clients[n]);
    CHECK_EQ(IV_SOURCE(iv), VGPU_SDMA_SRCID_ILLEGAL_INST);
    CHECK_EQ(IV_RING(iv), 0);
    CHECK_EQ(IV_VMID(iv), vmid);
    CHECK(!rig_iv(r, iv));
    CHECK(!rig_idle(r, n));
    CHECK(rig_rreg(r, n, regSDMA0_GFX_CONTEXT_STATUS) &
          SDMA0_GFX_CONTEXT_STATUS__EXCEPTION_MASK);
}

/* Disabled and enabled again, the ring goes on from new pointers. */
static void recover(struct sdma_rig *r, unsigned n)
{
    rig_ring_off(r, n);
    CHECK(rig_idle(r, n));
    rig_ring_on(r, n);
    r->ib = RIG_IB;
    mock_set_ram32(&r->m, RIG_DATA + 0x800, 0);
    RUN(r, n, WRITE1(RIG_DATA + 0x800, 0x600d));
    CHECK_EQ(mock_ram32(&r->m, RIG_DATA + 0x800), 0x600d);
    CHECK(rig_idle(r, n));
}

static void indirect_malformed(void)
{
    static const struct {
        uint32_t dw[8];
        unsigned n;
    } ibs[] = {
        { { OP(INDIRECT), LO(RIG_IB), HI(RIG_IB), 1, 0, 0 }, 6 },
        { { OP(WRITE), LO(RIG_DATA), HI(RIG_DATA), 0 }, 4 },
        { { OP(WRITE), LO(RIG_DATA), HI(RIG_DATA), 4, 1, 1, 1, 1 }, 8 },
        { { OP(WRITE), LO(RIG_DATA), HI(RIG_DATA), 0xfffff, 1, 1, 1, 1 }, 8 },
        { { OP(FENCE), LO(RIG_DATA), HI(RIG_DATA) }, 3 },
        { { OP(NOP) | SDMA_PKT_NOP_HEADER_COUNT(1) }, 1 },
        { { OP(NOP) | SDMA_PKT_NOP_HEADER_COUNT(0x3fff), 0 }, 2 },
        { { OP(COND_EXE), LO(RIG_DATA), HI(RIG_DATA), 1, 1 }, 5 },
        { { OP(PRE_EXE), 3, 0, 0 }, 4 },
    };
    struct sdma_rig r;
    unsigned i;
    uint64_t ib;

    rig_start(&r);
    for (i = 0; i < sizeof(ibs) / sizeof(ibs[0]); i++) {
        rig_put_ib(&r, 0, 0, ibs[i].dw, ibs[i].n);
        rig_go(&r, 0);
        expect_illegal(&r, 0, 0);
        CHECK_EQ(data32(&r, 0), 0);
        recover(&r, 0);
    }
    /* An IB begins at 32 bytes. */
    ib = rig_ib(&r, DW(OP(NOP)), 1);
    RUN(&r, 0, OP(INDIRECT), LO(ib) | 4, HI(ib), 1, 0, 0);
    expect_illegal(&r, 0, 0);
    recover(&r, 0);
    /* An illegal packet in the IB of a process names its VMID. */
    IB(&r, 0, 1, 0xff);
    expect_illegal(&r, 0, 1);
    recover(&r, 0);
    rig_stop(&r);
}

/* With IBs disabled, an INDIRECT waits until they are enabled. */
static void indirect_disabled(void)
{
    struct sdma_rig r;
    uint32_t cntl;

    rig_start(&r);
    cntl = rig_rreg(&r, 0, regSDMA0_GFX_IB_CNTL);
    rig_wreg(&r, 0, regSDMA0_GFX_IB_CNTL,
             cntl & ~SDMA0_GFX_IB_CNTL__IB_ENABLE_MASK);
    IB(&r, 0, 0, WRITE1(RIG_DATA, 9));
    CHECK_EQ(data32(&r, 0), 0);
    CHECK(!rig_idle(&r, 0));
    rig_wreg(&r, 0, regSDMA0_GFX_IB_CNTL, cntl);
    mock_run(&r.m);
    CHECK_EQ(data32(&r, 0), 9);
    rig_stop(&r);
}

/* A hung IB is seen in the registers. */
static void indirect_registers(void)
{
    struct sdma_rig r;
    uint32_t status;

    rig_start(&r);
    IB(&r, 0, 1, OP(NOP), OP(NOP), POLL_EQ(RIG_VA(RIG_DATA), 1), OP(NOP),
       OP(NOP));
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_IB_RPTR), 2 << 2);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_IB_OFFSET), 2 << 2);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_IB_SUB_REMAIN), 8);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_STATUS2_REG) >>
             SDMA0_STATUS2_REG__CMD_OP__SHIFT, SDMA_OP_POLL_REGMEM);
    status = rig_rreg(&r, 0, regSDMA0_STATUS_REG);
    CHECK(status & SDMA0_STATUS_REG__INSIDE_IB_MASK);
    CHECK(!(status & (SDMA0_STATUS_REG__IDLE_MASK |
                      SDMA0_STATUS_REG__EX_IDLE_MASK)));
    mock_set_ram32(&r.m, RIG_DATA, 1);
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK(rig_idle(&r, 0));
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_GFX_IB_SUB_REMAIN), 0);
    rig_stop(&r);
}

/* -------------------------------------------------- errors and recovery */

/* Every header that is not a packet halts its engine, and only that. */
static void illegal_packets(void)
{
    static const struct {
        uint8_t op;
        uint8_t subs;
    } known[] = {
        { SDMA_OP_WRITE, 1 }, { SDMA_OP_INDIRECT, 1 }, { SDMA_OP_FENCE, 1 },
        { SDMA_OP_TRAP, 1 }, { SDMA_OP_SEM, 1 }, { SDMA_OP_POLL_REGMEM, 2 },
        { SDMA_OP_COND_EXE, 1 }, { SDMA_OP_ATOMIC, 1 },
        { SDMA_OP_CONST_FILL, 1 }, { SDMA_OP_PTEPDE, 1 },
        { SDMA_OP_TIMESTAMP, 3 }, { SDMA_OP_SRBM_WRITE, 1 },
        { SDMA_OP_PRE_EXE, 1 }, { SDMA_OP_DUMMY_TRAP, 1 },
    };
    static const uint8_t copy_refused[] = {
        SDMA_SUBOP_COPY_TILED, SDMA_SUBOP_COPY_SOA,
        SDMA_SUBOP_COPY_TILED_SUB_WIND, SDMA_SUBOP_COPY_T2T_SUB_WIND,
        SDMA_SUBOP_COPY_DIRTY_PAGE, SDMA_SUBOP_COPY_LINEAR_PHY, 2, 9, 0xff,
    };
    uint32_t zero[16] = { 0 };
    struct sdma_rig r;
    unsigned i;

    rig_start(&r);
    for (i = 0; i < 256; i++) {
        if (i > SDMA_OP_DUMMY_TRAP || i == 3) {
            RUN(&r, 0, i);
            expect_illegal(&r, 0, 0);
            recover(&r, 0);
        }
    }
    for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        unsigned sub;

        for (sub = known[i].subs; sub < 256; sub += sub < 8 ? 1 : 61) {
            zero[0] = known[i].op | sub << 8;
            rig_put(&r, 0, zero, 16);
            rig_go(&r, 0);
            expect_illegal(&r, 0, 0);
            recover(&r, 0);
        }
    }
    for (i = 0; i < sizeof(copy_refused); i++) {
        zero[0] = SDMA_OP_COPY | copy_refused[i] << 8;
        rig_put(&r, 0, zero, 16);
        rig_go(&r, 0);
        expect_illegal(&r, 0, 0);
        recover(&r, 0);
    }
    rig_stop(&r);
}

static void halted_engine(void)
{
    struct sdma_rig r;
    unsigned n;

    rig_start(&r);
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        RUN(&r, n, 0xff, WRITE1(RIG_DATA + 4 * n, 1));
        expect_illegal(&r, n, 0);
        /* RPTR shows the packet; more commands do not run. */
        CHECK_EQ(rig_rptr(&r, n), 0);
        RUN(&r, n, WRITE1(RIG_DATA + 4 * n, 2));
        CHECK_EQ(data32(&r, n), 0);
        CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    }
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        recover(&r, n);
    }
    rig_stop(&r);
}

/* A page that is not there: reads give zeroes, writes vanish, all goes on. */
static void data_faults(void)
{
    const uint64_t hole = MOCK_RAM_SIZE;    /* VMID 1 has nothing there */
    struct sdma_rig r;

    rig_start(&r);
    memset(mock_ram(&r.m, RIG_DATA, 0x4000), 0x55, 0x4000);
    IB(&r, 0, 1, COPY(RIG_VA(RIG_DATA), hole - 8, 24));
    CHECK_EQ(mock_ram64(&r.m, RIG_DATA), 0);            /* RAM's last bytes */
    CHECK_EQ(mock_ram64(&r.m, RIG_DATA + 8), 0);        /* of the hole */
    CHECK_EQ(mock_ram64(&r.m, RIG_DATA + 16), 0);
    CHECK_EQ(mock_ram64(&r.m, RIG_DATA + 24), 0x5555555555555555);
    IB(&r, 0, 1, COPY(hole - 8, RIG_VA(RIG_DATA) + 0x1000, 0x1800));
    CHECK_EQ(mock_ram64(&r.m, MOCK_RAM_BASE + hole - 8), 0x5555555555555555);
    IB(&r, 0, 1, WRITE1(hole, 1), FENCE(hole, 2),
       OP(CONST_FILL) | SDMA_PKT_CONSTANT_FILL_HEADER_FILLSIZE(2), LO(hole),
       HI(hole), 3, 0x2fff, WRITE1(RIG_VA(RIG_DATA), 0x77));
    CHECK_EQ(data32(&r, 0), 0x77);
    CHECK(rig_idle(&r, 0));
    rig_stop(&r);
}

/* Commands that cannot be read stop the engine. */
static void fetch_faults(void)
{
    uint64_t hole = MOCK_RAM_SIZE;
    struct vgpu_die_stats st;
    struct sdma_rig r;

    rig_start(&r);
    RUN(&r, 0, OP(INDIRECT) | SDMA_PKT_INDIRECT_HEADER_VMID(1), LO(hole),
        HI(hole), 8, 0, 0, WRITE1(RIG_DATA, 1));
    CHECK_EQ(data32(&r, 0), 0);
    CHECK(!rig_idle(&r, 0));
    vgpu_die_stats(r.m.die, &st);
    CHECK_EQ(st.faults, 1);
    RUN(&r, 1, WRITE1(RIG_DATA + 4, 1));
    CHECK_EQ(data32(&r, 1), 1);
    r.ih_rptr = mock_rreg(&r.m, VGPU_REG_ABS(OSSSYS, regIH_RB_WPTR)) &
                IH_RB_WPTR__OFFSET_MASK;
    recover(&r, 0);

    /* The IB runs up to the page that is missing. */
    mock_set_ram32(&r.m, MOCK_RAM_BASE + hole - 32, OP(FENCE));
    mock_set_ram64(&r.m, MOCK_RAM_BASE + hole - 28, RIG_VA(RIG_DATA));
    mock_set_ram32(&r.m, MOCK_RAM_BASE + hole - 20, 0xabc);
    RUN(&r, 0, OP(INDIRECT) | SDMA_PKT_INDIRECT_HEADER_VMID(1),
        LO(hole - 32), 0, 16, 0, 0);
    CHECK_EQ(data32(&r, 0), 0xabc);
    CHECK(!rig_idle(&r, 0));
    recover(&r, 0);

    /* Half of a packet is not there; or half of a payload. */
    mock_set_ram32(&r.m, RIG_DATA, 0);
    memset(mock_ram(&r.m, MOCK_RAM_BASE + hole - 32, 32), 0, 32);
    mock_set_ram32(&r.m, MOCK_RAM_BASE + hole - 4, OP(FENCE));
    RUN(&r, 0, OP(INDIRECT) | SDMA_PKT_INDIRECT_HEADER_VMID(1),
        LO(hole - 32), 0, 16, 0, 0);
    CHECK_EQ(data32(&r, 0), 0);
    CHECK(!rig_idle(&r, 0));
    recover(&r, 0);
    mock_set_ram32(&r.m, MOCK_RAM_BASE + hole - 24, OP(WRITE));
    mock_set_ram64(&r.m, MOCK_RAM_BASE + hole - 20, RIG_VA(RIG_DATA));
    mock_set_ram32(&r.m, MOCK_RAM_BASE + hole - 12, 3);
    RUN(&r, 0, OP(INDIRECT) | SDMA_PKT_INDIRECT_HEADER_VMID(1),
        LO(hole - 32), 0, 16, 0, 0);
    CHECK_EQ(data32(&r, 0), 0);
    CHECK(!rig_idle(&r, 0));
    recover(&r, 0);
    rig_stop(&r);
}

/* F32_CNTL.HALT and FREEZE stop between packets and lose nothing. */
static void halt_and_freeze(void)
{
    static const struct {
        uint32_t reg;
        uint32_t on;
    } how[] = {
        { regSDMA0_F32_CNTL, SDMA0_F32_CNTL__HALT_MASK },
        { regSDMA0_FREEZE, SDMA0_FREEZE__FREEZE_MASK },
    };
    struct sdma_rig r;
    uint32_t iv[8];
    unsigned i;

    rig_start(&r);
    for (i = 0; i < 2; i++) {
        mock_set_ram32(&r.m, RIG_DATA, 0);
        mock_set_ram32(&r.m, RIG_DATA + 4, 0);
        RUN(&r, 0, POLL_EQ(RIG_DATA, 1), WRITE1(RIG_DATA + 4, 5));
        rig_wreg(&r, 0, how[i].reg, how[i].on);
        mock_set_ram32(&r.m, RIG_DATA, 1);
        mock_advance(&r.m, VGPU_POLL_MAX_NS);
        CHECK_EQ(data32(&r, 1), 0);
        CHECK(!rig_idle(&r, 0));
        rig_wreg(&r, 0, how[i].reg, 0);
        mock_run(&r.m);
        CHECK_EQ(data32(&r, 1), 5);
    }
    CHECK(!rig_iv(&r, iv));
    rig_wreg(&r, 0, regSDMA0_CNTL, SDMA0_CNTL__FROZEN_INT_ENABLE_MASK);
    rig_wreg(&r, 0, regSDMA0_FREEZE, SDMA0_FREEZE__FREEZE_MASK);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_FREEZE),
             SDMA0_FREEZE__FREEZE_MASK | SDMA0_FREEZE__FROZEN_MASK);
    CHECK(rig_iv(&r, iv));
    CHECK_EQ(IV_SOURCE(iv), SDMA0_4_0__SRCID__SDMA_FROZEN);
    rig_wreg(&r, 0, regSDMA0_FREEZE, 0);
    CHECK_EQ(rig_rreg(&r, 0, regSDMA0_FREEZE), 0);
    rig_stop(&r);
}

/* How a driver gets an engine out of a wait that never ends. */
static void hang_recovery(void)
{
    struct sdma_rig r;

    rig_start(&r);
    IB(&r, 0, 1, POLL_EQ(RIG_VA(RIG_DATA), 1), WRITE1(RIG_VA(RIG_DATA), 9));
    mock_advance(&r.m, 1000000000);
    CHECK(!rig_idle(&r, 0));

    rig_ring_off(&r, 0);
    rig_wreg(&r, 0, regSDMA0_F32_CNTL, SDMA0_F32_CNTL__HALT_MASK);
    CHECK(rig_idle(&r, 0));
    /* What it waited for comes too late: the packet is gone. */
    mock_set_ram32(&r.m, RIG_DATA, 1);
    mock_run(&r.m);
    recover(&r, 0);
    CHECK_EQ(data32(&r, 0), 1);

    /* RPTR belongs to a running engine. */
    RUN(&r, 0, OP(NOP));
    rig_wreg(&r, 0, regSDMA0_GFX_RB_RPTR, 4);
    CHECK(rig_rptr(&r, 0) != 4);
    rig_wreg(&r, 0, regSDMA0_F32_CNTL, SDMA0_F32_CNTL__HALT_MASK);
    rig_wreg(&r, 0, regSDMA0_GFX_RB_RPTR, 4);
    CHECK_EQ(rig_rptr(&r, 0), 4);
    rig_stop(&r);
}

/* Fault injection: no reset of its ring makes it idle; the others go on. */
static void stuck(void)
{
    struct sdma_rig r;

    rig_start(&r);
    mock_wreg(&r.m, VGPU_DBG_STUCK, VGPU_DBG_STUCK__SDMA_MASK(1));
    RUN(&r, 1, WRITE1(RIG_DATA, 7));
    RUN(&r, 0, WRITE1(RIG_DATA + 4, 8));
    CHECK_EQ(data32(&r, 0), 0);
    CHECK_EQ(data32(&r, 1), 8);
    CHECK(rig_idle(&r, 0));
    rig_ring_off(&r, 1);
    rig_wreg(&r, 1, regSDMA0_F32_CNTL, SDMA0_F32_CNTL__HALT_MASK);
    mock_run(&r.m);
    CHECK(!rig_idle(&r, 1));
    rig_ring_on(&r, 1);
    mock_advance(&r.m, 1000000000);
    CHECK_EQ(data32(&r, 0), 0);

    vgpu_lock(r.m.die);
    vgpu_die_request_reset(r.m.die, VGPU_RESET_MODE2);
    vgpu_die_reset_requested(r.m.die);
    vgpu_unlock(r.m.die);
    CHECK(rig_idle(&r, 1));
    rig_setup(&r);
    RUN(&r, 1, WRITE1(RIG_DATA, 7));
    CHECK_EQ(data32(&r, 0), 7);

    /* So does the reset of all. */
    mock_wreg(&r.m, VGPU_DBG_STUCK, VGPU_DBG_STUCK__SDMA_MASK(1));
    vgpu_die_reset(r.m.die);
    CHECK_EQ(mock_rreg(&r.m, VGPU_DBG_STUCK), 0);
    rig_stop(&r);
}

/* A packet that turns its own ring off is the last one. */
static void ring_stops_itself(void)
{
    struct sdma_rig r;

    rig_start(&r);
    RUN(&r, 0, OP(SRBM_WRITE) | SDMA_PKT_SRBM_WRITE_HEADER_BYTE_EN(0xf),
        VGPU_SDMA_REG_ABS(0, regSDMA0_GFX_RB_CNTL), 0,
        WRITE1(RIG_DATA, 1));
    CHECK_EQ(data32(&r, 0), 0);
    CHECK_EQ(rig_rptr(&r, 0), 12);

    rig_ring_on(&r, 0);
    RUN(&r, 0, OP(SRBM_WRITE) | SDMA_PKT_SRBM_WRITE_HEADER_BYTE_EN(0xf),
        VGPU_SDMA_REG_ABS(0, regSDMA0_F32_CNTL), 1, WRITE1(RIG_DATA, 1));
    CHECK_EQ(data32(&r, 0), 0);
    rig_wreg(&r, 0, regSDMA0_F32_CNTL, 0);
    mock_run(&r.m);
    CHECK_EQ(data32(&r, 0), 1);

    /* The HDP form of POLL_REGMEM writes a register too. */
    RUN(&r, 0, OP(POLL_REGMEM) | SDMA_PKT_POLL_REGMEM_HEADER_HDP_FLUSH(1) |
        SDMA_PKT_POLL_REGMEM_HEADER_FUNC(3),
        VGPU_SDMA_REG_ABS(0, regSDMA0_VERSION) << 2,
        VGPU_SDMA_REG_ABS(0, regSDMA0_GFX_RB_CNTL) << 2, 0, 0,
        SDMA_PKT_POLL_REGMEM_DW5_RETRY_COUNT(0xfff), WRITE1(RIG_DATA, 2));
    CHECK_EQ(data32(&r, 0), 1);
    recover(&r, 0);
    rig_stop(&r);
}

/* ------------------------------------------------------------- scheduling */

static void context_empty_interrupt(void)
{
    struct sdma_rig r;
    uint32_t iv[8];

    rig_start(&r);
    rig_wreg(&r, 0, regSDMA0_CNTL, SDMA0_CNTL__CTXEMPTY_INT_ENABLE_MASK);
    RUN(&r, 0, OP(NOP), OP(NOP));
    CHECK(rig_iv(&r, iv));
    CHECK_EQ(IV_SOURCE(iv), SDMA0_4_0__SRCID__SDMA_CTXEMPTY);
    mock_run(&r.m);
    CHECK(!rig_iv(&r, iv));
    rig_stop(&r);
}

static unsigned trace(struct sdma_rig *r, unsigned i, uint32_t *data)
{
    mock_wreg(&r->m, VGPU_DBG_TRACE_INDEX, i);
    if (data) {
        *data = mock_rreg(&r->m, VGPU_DBG_TRACE_DATA);
    }
    return mock_rreg(&r->m, VGPU_DBG_TRACE_STEP);
}

/* The steps of one submission, as the demo prints them. */
static void trace_steps(void)
{
    static const uint8_t want[] = {
        VGPU_STEP_DOORBELL, VGPU_STEP_FETCH, VGPU_STEP_IB_START,
        VGPU_STEP_PARK, VGPU_STEP_WAKE, VGPU_STEP_IB_END, VGPU_STEP_FENCE,
        VGPU_STEP_IH_ENTRY,
    };
    struct sdma_rig r;
    uint32_t data;
    unsigned i;

    rig_start(&r);
    doorbells_of_all(&r);
    mock_wreg(&r.m, VGPU_DBG_TRACE_CNTL, VGPU_DBG_TRACE_CNTL__ENABLE_MASK);
    rig_put_ib(&r, 2, 0, DW(POLL_EQ(RIG_DATA, 1), OP(NOP), OP(NOP)), 8);
    RING(&r, 2, FENCE(RIG_DATA + 8, 0x1234), OP(TRAP), 0);
    mock_doorbell(&r.m, BELL(2), r.wptr[2]);
    mock_run(&r.m);
    mock_set_ram32(&r.m, RIG_DATA, 1);
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    for (i = 0; i < sizeof(want); i++) {
        unsigned step = trace(&r, i, &data);

        CHECK_EQ(step & 0xff, want[i]);
        if (want[i] != VGPU_STEP_IH_ENTRY) {
            CHECK_EQ(step >> 8, 1 + 2);
        }
        switch (want[i]) {
        case VGPU_STEP_DOORBELL:
            CHECK_EQ(data, r.wptr[2] / 4);
            break;
        case VGPU_STEP_FETCH:
            CHECK_EQ(data, 0);
            break;
        case VGPU_STEP_IB_START:
        case VGPU_STEP_IB_END:
            CHECK_EQ(data, 8);
            break;
        case VGPU_STEP_FENCE:
            CHECK_EQ(data, 0x1234);
            break;
        }
    }
    rig_stop(&r);
}

/* A short job of one engine ends before a long one of another that began. */
static void fair(void)
{
    const uint64_t src = RIG_VRAM, dst = RIG_VRAM + (8ull << 20);
    struct sdma_rig r;
    unsigned i, steps;
    int small = -1, large = -1;

    rig_start(&r);
    mock_wreg(&r.m, VGPU_DBG_TRACE_CNTL, VGPU_DBG_TRACE_CNTL__ENABLE_MASK);
    RING(&r, 0, COPY(dst, src, 4u << 20), COPY(dst, src, 4u << 20),
         FENCE(RIG_DATA, 1));
    RING(&r, 1, COPY(dst + (4u << 20), src, 64u << 10),
         FENCE(RIG_DATA + 4, 1));
    rig_commit(&r, 0);
    rig_commit(&r, 1);
    mock_run(&r.m);
    steps = mock_rreg(&r.m, VGPU_DBG_TRACE_COUNT);
    for (i = 0; i < steps; i++) {
        unsigned step = trace(&r, i, NULL);

        if ((step & 0xff) == VGPU_STEP_FENCE) {
            *(step >> 8 == 1 ? &large : &small) = i;
        }
    }
    CHECK(small >= 0 && large >= 0 && small < large);
    rig_stop(&r);
}

/* Parked engines: no kicks, few polls, and they delay nobody. */
static void parked_cost_nothing(void)
{
    struct sdma_rig r;
    unsigned n, kicks, runs = 0;
    uint64_t next, end;

    rig_start(&r);
    for (n = 0; n < 4; n++) {
        RUN(&r, n, POLL_EQ(RIG_DATA + 4 * n, 1), WRITE1(RIG_DATA + 64 + 4 * n,
                                                       1));
    }
    kicks = r.m.kicks;
    end = r.m.now + 1000000000ull;
    while ((next = mock_run(&r.m)) < end) {
        runs++;
        CHECK(next > r.m.now);
        r.m.now = next;
    }
    CHECK_EQ(r.m.kicks, kicks);
    /* One look each 5 ms, and the few at first that come sooner. */
    CHECK(runs <= 4 * (1000000000ull / VGPU_POLL_MAX_NS + 16));
    RUN(&r, 4, WRITE1(RIG_DATA + 32, 1));
    CHECK_EQ(data32(&r, 8), 1);
    /* What another engine writes wakes the right one, at once. */
    RUN(&r, 4, WRITE1(RIG_DATA + 8, 1));
    CHECK_EQ(data32(&r, 16 + 2), 1);
    CHECK_EQ(data32(&r, 16 + 1), 0);
    rig_stop(&r);
}

/* -------------------------------------------------------------- migration */

static void *save(struct sdma_rig *r, size_t *len)
{
    void *buf;

    *len = vgpu_die_state_size(r->m.die);
    buf = malloc(*len);
    vgpu_die_state_save(r->m.die, buf);
    return buf;
}

/* A second machine with the same memory and clock. */
static void clone_rig(struct sdma_rig *to, const struct sdma_rig *from)
{
    memset(to, 0, sizeof(*to));
    mock_default(&to->m);
    memcpy(to->m.ram, from->m.ram, from->m.ram_size);
    memcpy(to->m.vram, from->m.vram, from->m.cfg.vram_size);
    to->m.now = from->m.now;
    memcpy(to->wptr, from->wptr, sizeof(to->wptr));
    to->ib = from->ib;
}

static void migrate_parked(void)
{
    struct sdma_rig a, b;
    size_t len;
    void *buf;

    rig_start(&a);
    IB(&a, 3, 1, OP(NOP), POLL_EQ(RIG_VA(RIG_DATA), 1),
       WRITE1(RIG_VA(RIG_DATA) + 4, 0x99));
    buf = save(&a, &len);
    clone_rig(&b, &a);
    CHECK(vgpu_die_state_load(b.m.die, buf, len));
    mock_run(&b.m);
    CHECK_EQ(data32(&b, 1), 0);
    CHECK(!rig_idle(&b, 3));
    mock_set_ram32(&b.m, RIG_DATA, 1);
    mock_advance(&b.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(data32(&b, 1), 0x99);
    CHECK(rig_idle(&b, 3));
    free(buf);
    rig_stop(&a);
    rig_stop(&b);
}

/* Run engine @n for one slice that is over as soon as may be. */
static enum vgpu_run one_slice(struct sdma_rig *r, unsigned n)
{
    struct vgpu_die *d = r->m.die;
    struct vgpu_queue *q = NULL;
    enum vgpu_run run;
    unsigned i;

    for (i = 0; i < d->num_queues; i++) {
        char name[8];

        snprintf(name, sizeof(name), "sdma%u", n);
        if (!strcmp(d->queue[i].name, name)) {
            q = &d->queue[i];
        }
    }
    vgpu_lock(d);
    d->slice_left = 1;
    run = q->run(d, q);
    vgpu_unlock(d);
    return run;
}

/* Long packets, stopped after their first piece, go on elsewhere. */
static void migrate_halfway(void)
{
    const uint64_t src = RIG_VRAM + (2u << 20), dst = RIG_VRAM + (8u << 20);
    const uint64_t bytes = 4u << 20;
    struct sdma_rig a, b;
    uint64_t i;
    size_t len;
    void *buf;

    rig_start(&a);
    for (i = 0; i < bytes; i += 8) {
        mock_set_vram64(&a.m, src - RIG_VRAM + i, i * 0x9e3779b97f4a7c15ull);
    }
    RING(&a, 0, COPY(dst, src, bytes), OP(PTEPDE), LO(RIG_DATA), HI(RIG_DATA),
         1, 0, 0, 0, 0x1000, 0, 0x1ffff, FENCE(RIG_WB(0) + 16, 0x51));
    rig_commit(&a, 0);
    CHECK_EQ(one_slice(&a, 0), VGPU_RUN_MORE);
    CHECK(!rig_idle(&a, 0));
    CHECK_EQ(mock_vram64(&a.m, dst - RIG_VRAM + bytes - 8), 0);

    buf = save(&a, &len);
    clone_rig(&b, &a);
    CHECK(vgpu_die_state_load(b.m.die, buf, len));
    free(buf);
    while (mock_ram32(&b.m, RIG_WB(0) + 16) != 0x51) {
        enum vgpu_run run = one_slice(&b, 0);

        if (run != VGPU_RUN_MORE && run != VGPU_RUN_IDLE) {
            CHECK_EQ(run, VGPU_RUN_MORE);
            break;
        }
    }
    CHECK(!memcmp(mock_vram(&b.m, src - RIG_VRAM, bytes),
                  mock_vram(&b.m, dst - RIG_VRAM, bytes), bytes));
    for (i = 0; i < 0x20000; i++) {
        if (mock_ram64(&b.m, RIG_DATA + i * 8) != (i * 0x1000 | 1)) {
            CHECK_EQ(mock_ram64(&b.m, RIG_DATA + i * 8), i * 0x1000 | 1);
            break;
        }
    }
    CHECK(rig_idle(&b, 0));
    rig_stop(&a);
    rig_stop(&b);
}

static void hostile_state(void)
{
    struct sdma_rig r;
    struct vgpu_die_state *s;
    struct vgpu_sdma_state *e;
    unsigned i;
    size_t len;
    uint8_t *buf;

    rig_start(&r);
    buf = save(&r, &len);
    s = (void *)(buf + len - sizeof(*s));
    e = &s->sdma[1];
    for (i = 0; i < 12; i++) {
        struct vgpu_sdma_state good = *e;

        switch (i) {
        case 0:
            e->ib_vmid = 16;
            break;
        case 1:
            e->ib_size = 0x100000;
            break;
        case 2:
            e->ib_pos = 1;
            break;
        case 3:
            e->ib_base = 4;
            break;
        case 4:
            e->skip = 0x4000;
            break;
        case 5:
            e->in_ib = 1;
            e->skip = 1;
            break;
        case 6:
            e->rptr = 1;
            break;
        case 7:
            e->wptr = 2;
            break;
        case 8:
            e->in_ib = 2;
            break;
        case 9:
            e->in_packet = 1;
            e->pkt[0] = 0xff;
            break;
        case 10:
            e->in_packet = 1;
            e->in_ib = 1;
            e->ib_size = 3;
            e->pkt[0] = SDMA_OP_FENCE;
            break;
        case 11:
            e->halted = 0xff;
            break;
        }
        CHECK(!vgpu_die_state_load(r.m.die, buf, len));
        *e = good;
    }
    CHECK(vgpu_die_state_load(r.m.die, buf, len));
    free(buf);
    rig_stop(&r);
}

static const struct test tests[] = {
    TEST(ring_test),
    TEST(doorbell),
    TEST(doorbell_order),
    TEST(wptr_backwards),
    TEST(wptr_overrun),
    TEST(wrap),
    TEST(partial_packet),
    TEST(tiny_ring),
    TEST(wptr_in_memory),
    TEST(rptr_writeback_off),
    TEST(ring_vmid),
    TEST(swapped_ring),
    TEST(registers),
    TEST(other_queues),
    TEST(one_engine),
    TEST(indirect),
    TEST(indirect_vmid),
    TEST(indirect_malformed),
    TEST(indirect_disabled),
    TEST(indirect_registers),
    TEST(illegal_packets),
    TEST(halted_engine),
    TEST(data_faults),
    TEST(fetch_faults),
    TEST(halt_and_freeze),
    TEST(hang_recovery),
    TEST(stuck),
    TEST(ring_stops_itself),
    TEST(context_empty_interrupt),
    TEST(trace_steps),
    TEST(fair),
    TEST(parked_cost_nothing),
    TEST(migrate_parked),
    TEST(migrate_halfway),
    TEST(hostile_state),
};

TEST_MAIN(tests)
