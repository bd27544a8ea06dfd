/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NBIO, HDP, GRBM and RLC: what a driver reads before anything else works,
 * doorbell routing, index/data pairs, flushes, the clock. Absolute offsets are
 * written out where the test is about the place of a register.
 */
#include "harness.h"
#include <hw/reg/gc.h>
#include <hw/reg/hdp.h>
#include <hw/reg/nbio.h>
#include <hw/reg/vgpu.h>

#define NBIO(name)  VGPU_REG_ABS(NBIO, reg##name)
#define HDP(name)   VGPU_REG_ABS(HDP, reg##name)
#define GC(name)    VGPU_REG_ABS(GC, reg##name)

static uint64_t stat_unclaimed(struct mock *m)
{
    struct vgpu_die_stats st;

    vgpu_die_stats(m->die, &st);
    return st.unclaimed_reads + st.unclaimed_writes;
}

/* The places that amdgpu knows by heart before it has read a table. */
static void known_places(void)
{
    CHECK_EQ(NBIO(RCC_CONFIG_MEMSIZE), 0xde3);
    CHECK_EQ(NBIO(MM_INDEX), 0);
    CHECK_EQ(NBIO(MM_DATA), 1);
    CHECK_EQ(NBIO(MM_INDEX_HI), 6);
}

static void memory_size(void)
{
    struct mock m;

    mock_init(&m);
    m.cfg.vram_size = 48ull << 20;
    mock_start(&m);
    CHECK_EQ(mock_rreg(&m, 0xde3), 48);
    mock_wreg(&m, 0xde3, 7);
    CHECK_EQ(mock_rreg(&m, 0xde3), 48);
    mock_stop(&m);
}

static void straps(void)
{
    struct mock m;
    uint32_t v;

    mock_default(&m);
    v = mock_rreg(&m, NBIO(RCC_DEV0_EPF0_STRAP0_ALDE));
    CHECK_EQ(v & 0xffff, 0x740c);
    CHECK_EQ(mock_rreg(&m, NBIO(RCC_IOV_FUNC_IDENTIFIER)), 0);
    CHECK_EQ(mock_rreg(&m, HDP(HDP_VERSION)) & 0xffff, 0x0404);
    mock_stop(&m);
}

static void scratch(void)
{
    struct mock m;
    unsigned i;

    mock_default(&m);
    for (i = 0; i < 8; i++) {
        mock_wreg(&m, GC(SCRATCH_REG0) + i, 0xcafe0000 + i);
        mock_wreg(&m, NBIO(BIOS_SCRATCH_0) + i, 0xb1050000 + i);
    }
    for (i = 0; i < 8; i++) {
        CHECK_EQ(mock_rreg(&m, GC(SCRATCH_REG0) + i), 0xcafe0000 + i);
        CHECK_EQ(mock_rreg(&m, NBIO(BIOS_SCRATCH_0) + i), 0xb1050000 + i);
    }
    CHECK_EQ(GC(SCRATCH_REG0), 0xc040);
    vgpu_die_reset(m.die);
    CHECK_EQ(mock_rreg(&m, GC(SCRATCH_REG0)), 0);
    CHECK_EQ(stat_unclaimed(&m), 0);
    mock_stop(&m);
}

/* --------------------------------------------------------- index/data */

static void mm_index_registers(void)
{
    struct mock m;

    mock_default(&m);
    mock_wreg(&m, NBIO(MM_INDEX), GC(SCRATCH_REG0) * 4);
    mock_wreg(&m, NBIO(MM_DATA), 0x12345678);
    CHECK_EQ(mock_rreg(&m, GC(SCRATCH_REG0)), 0x12345678);
    CHECK_EQ(mock_rreg(&m, NBIO(MM_DATA)), 0x12345678);

    mock_wreg(&m, NBIO(PCIE_INDEX2), GC(SCRATCH_REG1) * 4);
    mock_wreg(&m, NBIO(PCIE_DATA2), 0x55);
    CHECK_EQ(mock_rreg(&m, GC(SCRATCH_REG1)), 0x55);
    mock_wreg(&m, NBIO(PCIE_INDEX), GC(SCRATCH_REG1) * 4);
    CHECK_EQ(mock_rreg(&m, NBIO(PCIE_DATA)), 0x55);
    CHECK_EQ(stat_unclaimed(&m), 0);

    /* beyond the BAR, unaligned */
    mock_wreg(&m, NBIO(PCIE_INDEX2), VGPU_MMIO_SIZE);
    CHECK_EQ(mock_rreg(&m, NBIO(PCIE_DATA2)), 0);
    mock_wreg(&m, NBIO(PCIE_INDEX2), GC(SCRATCH_REG1) * 4 + 1);
    mock_wreg(&m, NBIO(PCIE_DATA2), 0x66);
    CHECK_EQ(mock_rreg(&m, GC(SCRATCH_REG1)), 0x55);
    CHECK_EQ(stat_unclaimed(&m), 2);
    mock_stop(&m);
}

/* Pairs that point at each other or at themselves end. */
static void index_loops(void)
{
    static const uint32_t datas[] = {
        NBIO(MM_DATA), NBIO(PCIE_DATA), NBIO(PCIE_DATA2),
    };
    static const uint32_t indexes[] = {
        NBIO(MM_INDEX), NBIO(PCIE_INDEX), NBIO(PCIE_INDEX2),
    };
    struct mock m;
    unsigned i, j;

    mock_default(&m);
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
            mock_wreg(&m, indexes[i], datas[j] * 4);
            CHECK_EQ(mock_rreg(&m, datas[i]), 0);
            mock_wreg(&m, datas[i], 1);
        }
    }
    CHECK_EQ(stat_unclaimed(&m), 18);
    mock_stop(&m);
}

static void mm_index_vram(void)
{
    struct mock m;
    uint32_t last;

    mock_default(&m);
    last = m.cfg.vram_size - 4;
    mock_set_vram32(&m, 0x1000, 0xabcd0123);
    mock_wreg(&m, NBIO(MM_INDEX_HI), 0);
    mock_wreg(&m, NBIO(MM_INDEX), 0x80001000);
    CHECK_EQ(mock_rreg(&m, NBIO(MM_DATA)), 0xabcd0123);
    atomic_store(&m.written_bytes, 0);
    mock_wreg(&m, NBIO(MM_DATA), 0x77);
    CHECK_EQ(mock_vram32(&m, 0x1000), 0x77);
    CHECK_EQ(atomic_load(&m.written_bytes), 4);

    mock_wreg(&m, NBIO(MM_INDEX), 0x80000000 | last);
    mock_wreg(&m, NBIO(MM_DATA), 0x99);
    CHECK_EQ(mock_vram32(&m, last), 0x99);
    CHECK_EQ(stat_unclaimed(&m), 0);

    /* one dword further, unaligned, and far away by MM_INDEX_HI */
    mock_wreg(&m, NBIO(MM_INDEX), 0x80000000 | (last + 4));
    CHECK_EQ(mock_rreg(&m, NBIO(MM_DATA)), 0xffffffff);
    mock_wreg(&m, NBIO(MM_DATA), 0);
    mock_wreg(&m, NBIO(MM_INDEX), 0x80001002);
    mock_wreg(&m, NBIO(MM_DATA), 0);
    mock_wreg(&m, NBIO(MM_INDEX), 0x80001000);
    mock_wreg(&m, NBIO(MM_INDEX_HI), 0xffffffff);
    mock_wreg(&m, NBIO(MM_DATA), 0);
    CHECK_EQ(mock_vram32(&m, 0x1000), 0x77);
    CHECK_EQ(stat_unclaimed(&m), 4);
    mock_stop(&m);
}

/* MM_INDEX_HI carries the address from bit 31 on. */
static void mm_index_hi(void)
{
    const uint64_t addr = 0x80001000;
    struct mock m;

    mock_init(&m);
    m.cfg.vram_size = 0x80100000;
    mock_start(&m);
    mock_wreg(&m, NBIO(MM_INDEX), 0x80000000 | (addr & 0x7fffffff));
    mock_wreg(&m, NBIO(MM_INDEX_HI), addr >> 31);
    mock_wreg(&m, NBIO(MM_DATA), 0x4711);
    CHECK_EQ(mock_vram32(&m, addr), 0x4711);
    mock_stop(&m);
}

/* --------------------------------------------------------------- HDP */

static void hdp_flush(void)
{
    struct mock m;
    unsigned i;

    mock_default(&m);
    CHECK_EQ(mock_rreg(&m, NBIO(GPU_HDP_FLUSH_DONE)), 0);
    for (i = 0; i < 12; i++) {
        mock_wreg(&m, NBIO(GPU_HDP_FLUSH_REQ), 1u << i);
        CHECK(mock_rreg(&m, NBIO(GPU_HDP_FLUSH_DONE)) & (1u << i));
    }
    mock_wreg(&m, NBIO(GPU_HDP_FLUSH_DONE), 0);
    CHECK(mock_rreg(&m, NBIO(GPU_HDP_FLUSH_DONE)) & 1);
    mock_stop(&m);
}

/* Whether a write to @reg wakes parked queues, as a flush does. */
static bool flushes(struct mock *m, uint32_t reg)
{
    uint64_t before = stat_unclaimed(m);

    mock_wreg(m, reg, 0);
    return stat_unclaimed(m) == before;
}

static void hdp_remap(void)
{
    const uint32_t page = 0x80000 - 0x1000;
    struct mock m;
    uint32_t reg;

    mock_default(&m);
    CHECK(!flushes(&m, page / 4));
    mock_wreg(&m, NBIO(REMAP_HDP_MEM_FLUSH_CNTL), page);
    mock_wreg(&m, NBIO(REMAP_HDP_REG_FLUSH_CNTL), page + 4);
    CHECK(flushes(&m, page / 4));
    CHECK(flushes(&m, page / 4 + 1));
    CHECK(!flushes(&m, page / 4 + 2));
    CHECK_EQ(mock_rreg(&m, page / 4), 0);
    /* moved elsewhere in the page, and off it */
    mock_wreg(&m, NBIO(REMAP_HDP_MEM_FLUSH_CNTL), page + 0x40);
    CHECK(!flushes(&m, page / 4));
    CHECK(flushes(&m, page / 4 + 0x10));
    mock_wreg(&m, NBIO(REMAP_HDP_MEM_FLUSH_CNTL), 0x10);
    CHECK(!flushes(&m, page / 4 + 0x10));
    CHECK(flushes(&m, NBIO(HDP_MEM_COHERENCY_FLUSH_CNTL)));
    /* A process may map the page: nothing else is in it. */
    for (reg = page / 4; reg < VGPU_NUM_REGS; reg++) {
        CHECK(!strcmp(vgpu_reg_name(m.die, reg), "REMAP_PAGE"));
    }
    mock_stop(&m);
}

/* ---------------------------------------------------------- doorbells */

static uint64_t lost(struct mock *m, uint32_t index)
{
    struct vgpu_die_stats before, after;

    vgpu_die_stats(m->die, &before);
    mock_doorbell(m, index, 0);
    mock_run(m);
    vgpu_die_stats(m->die, &after);
    return after.lost_doorbells - before.lost_doorbells;
}

/*
 * Nothing is set up behind the ranges, so each doorbell is lost; what is
 * tested is that routing comes to an end and that a closed aperture loses all.
 */
static void doorbell_aperture(void)
{
    struct mock m;
    unsigned i;

    mock_default(&m);
    CHECK_EQ(lost(&m, 0x200), 1);
    mock_wreg(&m, NBIO(RCC_DOORBELL_APER_EN), 0xffffffff);
    CHECK_EQ(mock_rreg(&m, NBIO(RCC_DOORBELL_APER_EN)), 1);
    for (i = 0; i < 5; i++) {
        mock_wreg(&m, VGPU_REG_ABS(NBIO, VGPU_BIF_SDMA_DOORBELL_RANGE(i)),
                  0xffffffff);
        CHECK_EQ(mock_rreg(&m, VGPU_REG_ABS(NBIO,
                                            VGPU_BIF_SDMA_DOORBELL_RANGE(i))),
                 0x001f0ffc);
    }
    for (i = 0; i < VGPU_DOORBELL_SIZE / 4; i += 0x3fe) {
        CHECK_EQ(lost(&m, i & ~1u), 1);
    }
    CHECK_EQ(stat_unclaimed(&m), 0);
    mock_stop(&m);
}

/* ---------------------------------------------------------- GRBM, RLC */

static void safe_mode(void)
{
    struct mock m;

    mock_default(&m);
    mock_wreg(&m, GC(RLC_SAFE_MODE), RLC_SAFE_MODE__CMD_MASK |
              1 << RLC_SAFE_MODE__MESSAGE__SHIFT);
    CHECK_EQ(mock_rreg(&m, GC(RLC_SAFE_MODE)) & RLC_SAFE_MODE__CMD_MASK, 0);
    mock_stop(&m);
}

static void gpu_clock(void)
{
    struct mock m;
    uint64_t clock;

    mock_default(&m);
    atomic_fetch_add(&m.now, 50000000000ull * 10);
    mock_wreg(&m, GC(RLC_CAPTURE_GPU_CLOCK_COUNT), 1);
    atomic_fetch_add(&m.now, 12345);
    clock = mock_rreg(&m, GC(RLC_GPU_CLOCK_COUNT_LSB));
    clock |= (uint64_t)mock_rreg(&m, GC(RLC_GPU_CLOCK_COUNT_MSB)) << 32;
    CHECK_EQ(clock, 50000000000ull);
    vgpu_die_reset(m.die);
    mock_wreg(&m, GC(RLC_CAPTURE_GPU_CLOCK_COUNT), 1);
    CHECK_EQ(mock_rreg(&m, GC(RLC_GPU_CLOCK_COUNT_LSB)), 0);
    mock_stop(&m);
}

static void compute_units(void)
{
    static const unsigned cus[] = { 1, 8, 9, 104, 110, 128 };
    unsigned i, se, total;

    for (i = 0; i < sizeof(cus) / sizeof(cus[0]); i++) {
        struct mock m;

        mock_init(&m);
        m.cfg.num_cu = cus[i];
        mock_start(&m);
        total = 0;
        for (se = 0; se < 8; se++) {
            uint32_t inactive;

            mock_wreg(&m, GC(GRBM_GFX_INDEX),
                      se << GRBM_GFX_INDEX__SE_INDEX__SHIFT |
                      GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES_MASK);
            inactive = mock_rreg(&m, GC(CC_GC_SHADER_ARRAY_CONFIG)) >> 16;
            total += 16 - __builtin_popcount(inactive);
        }
        CHECK_EQ(total, cus[i]);
        mock_stop(&m);
    }
}

static void sh_mem_banks(void)
{
    struct mock m;
    unsigned i;

    mock_default(&m);
    for (i = 0; i < 16; i++) {
        mock_wreg(&m, GC(GRBM_GFX_CNTL), i << GRBM_GFX_CNTL__VMID__SHIFT);
        mock_wreg(&m, GC(SH_MEM_CONFIG), 100 + i);
        mock_wreg(&m, GC(SH_MEM_BASES), 200 + i);
    }
    for (i = 0; i < 16; i++) {
        mock_wreg(&m, GC(GRBM_GFX_CNTL), i << GRBM_GFX_CNTL__VMID__SHIFT);
        CHECK_EQ(mock_rreg(&m, GC(SH_MEM_CONFIG)), 100 + i);
        CHECK_EQ(mock_rreg(&m, GC(SH_MEM_BASES)), 200 + i);
    }
    mock_stop(&m);
}

static void grbm_reset_values(void)
{
    struct mock m;

    mock_default(&m);
    CHECK_EQ(mock_rreg(&m, GC(GRBM_STATUS)) & GRBM_STATUS__GUI_ACTIVE_MASK,
             0);
    CHECK_EQ(mock_rreg(&m, GC(GRBM_GFX_INDEX)), 0xe0000000);
    CHECK_EQ(mock_rreg(&m, GC(RLC_STAT)), 0);
    CHECK_EQ(mock_rreg(&m, GC(RLC_SERDES_CU_MASTER_BUSY)), 0);
    mock_stop(&m);
}

static const struct test tests[] = {
    TEST(known_places),
    TEST(memory_size),
    TEST(straps),
    TEST(scratch),
    TEST(mm_index_registers),
    TEST(index_loops),
    TEST(mm_index_vram),
    TEST(mm_index_hi),
    TEST(hdp_flush),
    TEST(hdp_remap),
    TEST(doorbell_aperture),
    TEST(safe_mode),
    TEST(gpu_clock),
    TEST(compute_units),
    TEST(sh_mem_banks),
    TEST(grbm_reset_values),
};
TEST_MAIN(tests)
