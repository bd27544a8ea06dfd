/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory controller: apertures, page tables of every shape, rights,
 * the translation cache, and the accesses on top. Expected values come from
 * the layout of the tables that the tests build, not from the walker.
 * Documentation/hardware.rst, "Memory".
 */
#include <stdlib.h>

#include "harness.h"
#include "hw/pm4.h"
#include "hw/pte.h"
#include "hw/reg/gc.h"

#define MIB             (1ull << 20)
#define FB_BASE         (0x8000ull << 24)

/* MC_VM_MX_L1_TLB_CNTL as after reset, with a SYSTEM_ACCESS_MODE. */
#define MODE(n)         (0x2501u | (n) << 3)

#define PTE_RWX         (VGPU_PTE_VALID | VGPU_PTE_EXECUTABLE | \
                         VGPU_PTE_READABLE | VGPU_PTE_WRITEABLE)
#define PTE_SYS         (VGPU_PTE_SYSTEM | VGPU_PTE_SNOOPED)

static struct mock m;
static struct vgpu_req req;

static void wreg(uint32_t gc_reg, uint32_t val)
{
    mock_wreg(&m, vgpu_hub_reg(req.hub, gc_reg), val);
}

static uint32_t rreg(uint32_t gc_reg)
{
    return mock_rreg(&m, vgpu_hub_reg(req.hub, gc_reg));
}

static void start(unsigned hub, unsigned vmid)
{
    mock_default(&m);
    req = (struct vgpu_req) {
        .hub = hub, .vmid = vmid,
        .cid = hub == VGPU_HUB_GC ? VGPU_CID_CPG : VGPU_CID_SDMA(0),
    };
}

/* The die lock as an engine's slice holds it. */
static void *map(uint64_t va, uint64_t *len, unsigned access)
{
    void *p;

    vgpu_lock(m.die);
    p = vgpu_gmc_map(m.die, &req, va, len, access);
    vgpu_unlock(m.die);
    return p;
}

static void *map4(uint64_t va, unsigned access)
{
    uint64_t len = 4;

    return map(va, &len, access);
}

static bool put(uint64_t va, const void *buf, uint64_t len)
{
    bool ok;

    vgpu_lock(m.die);
    ok = vgpu_gmc_write(m.die, &req, va, buf, len);
    vgpu_unlock(m.die);
    return ok;
}

static bool get(uint64_t va, void *buf, uint64_t len)
{
    bool ok;

    vgpu_lock(m.die);
    ok = vgpu_gmc_read(m.die, &req, va, buf, len);
    vgpu_unlock(m.die);
    return ok;
}

static uint64_t faults(void)
{
    struct vgpu_die_stats s;

    vgpu_die_stats(m.die, &s);
    return s.faults;
}

/* The latched status, then cleared. */
static uint32_t take_status(void)
{
    uint32_t status = rreg(regVM_L2_PROTECTION_FAULT_STATUS);

    wreg(regVM_L2_PROTECTION_FAULT_CNTL,
         rreg(regVM_L2_PROTECTION_FAULT_CNTL) | 1);
    return status;
}

#define WALKER(status)      ((status) >> 1 & 7)
#define PERM(status)        ((status) >> 4 & 0xf)
#define MAPPING(status)     ((status) >> 8 & 1)

/* ------------------------------------------------------------- apertures */

static void test_fb_after_reset(void)
{
    uint64_t len = 2 * MOCK_VRAM_SIZE;
    unsigned hub;

    for (hub = 0; hub < VGPU_NUM_HUBS; hub++) {
        start(hub, 0);
        CHECK_EQ(rreg(regMC_VM_FB_LOCATION_BASE), 0x8000);
        /* 16 MiB, the unit of the register: the last one is the first. */
        CHECK_EQ(rreg(regMC_VM_FB_LOCATION_TOP), 0x8000);
        CHECK(map4(FB_BASE, VGPU_READ) == m.vram);
        CHECK(map4(FB_BASE + 0x123454, VGPU_WRITE) == m.vram + 0x123454);
        len = 2 * MOCK_VRAM_SIZE;
        CHECK(map(FB_BASE + 0x1000, &len, VGPU_READ) == m.vram + 0x1000);
        CHECK_EQ(len, MOCK_VRAM_SIZE - 0x1000);
        CHECK_EQ(faults(), 0);
        mock_stop(&m);
    }
}

static void test_fb_base_and_offset(void)
{
    mock_init(&m);
    m.cfg.vram_size = 48 * MIB;
    mock_start(&m);
    req = (struct vgpu_req) { .hub = VGPU_HUB_GC };
    CHECK_EQ(rreg(regMC_VM_FB_LOCATION_TOP), 0x8002);
    wreg(regMC_VM_FB_LOCATION_BASE, 0x100);
    wreg(regMC_VM_FB_LOCATION_TOP, 0x101);
    CHECK(map4(0x100ull << 24, VGPU_READ) == m.vram);
    wreg(regMC_VM_FB_OFFSET, 1);
    CHECK(map4(0x100ull << 24, VGPU_READ) == m.vram + 16 * MIB);
    CHECK(map4((0x101ull << 24) + 16 * MIB - 4, VGPU_READ) ==
          m.vram + 48 * MIB - 4);
    /* Two units from the second on end where VRAM does; a third is outside. */
    wreg(regMC_VM_FB_LOCATION_TOP, 0x102);
    CHECK(!map4(0x102ull << 24, VGPU_READ));
    CHECK_EQ(MAPPING(take_status()), 1);
    mock_stop(&m);
}

static void test_agp(void)
{
    uint64_t bot = 0x40ull << 24;
    uint64_t len;

    start(VGPU_HUB_MM, 0);
    wreg(regMC_VM_AGP_BOT, 0x40);
    wreg(regMC_VM_AGP_TOP, 0x41);
    wreg(regMC_VM_AGP_BASE, MOCK_RAM_BASE >> 24);
    CHECK(map4(bot, VGPU_READ | VGPU_WRITE) == m.ram);
    CHECK(map4(bot + 0x3210, VGPU_READ) == m.ram + 0x3210);
    len = 64 * MIB;
    CHECK(map(bot + 0x1000, &len, VGPU_READ) == m.ram + 0x1000);
    CHECK_EQ(len, MOCK_RAM_SIZE - 0x1000);
    /* Inside the aperture, but there is no RAM. */
    CHECK_EQ(faults(), 0);
    CHECK(!map4(bot + MOCK_RAM_SIZE, VGPU_WRITE));
    CHECK_EQ(MAPPING(take_status()), 1);
    CHECK_EQ(faults(), 1);
    mock_stop(&m);
}

static void test_default_page(void)
{
    start(VGPU_HUB_GC, 0);
    wreg(regMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB, 0x345000 >> 12);
    wreg(regMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB, 0);
    CHECK(map4(0x1234567890, VGPU_WRITE) == m.vram + 0x345890);
    CHECK(map4(FB_BASE - 4, VGPU_READ) == m.vram + 0x345ffc);
    CHECK_EQ(faults(), 0);
    wreg(regMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB, 0xf);
    CHECK(!map4(0x1234567890, VGPU_WRITE));
    CHECK_EQ(MAPPING(take_status()), 1);
    mock_stop(&m);
}

/*
 * A flat table for VMID 0 that maps one page at 0x1000 of it to VRAM at
 * 0x200000; whether an address meets it tells whether it went there.
 */
static void gart(uint64_t start_va, uint64_t pages, uint64_t table_off)
{
    wreg(regVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, start_va >> 12);
    wreg(regVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, start_va >> 44);
    wreg(regVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, (start_va >> 12) + pages - 1);
    wreg(regVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32,
         ((start_va >> 12) + pages - 1) >> 32);
    wreg(regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, table_off | VGPU_PTE_VALID);
    wreg(regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32, 0);
    wreg(regVM_CONTEXT0_CNTL, rreg(regVM_CONTEXT0_CNTL) | 1);
}

static void test_system_access_modes(void)
{
    uint64_t in = FB_BASE + 0x1000, out = FB_BASE + 0x41000;
    unsigned mode;

    for (mode = 0; mode < 4; mode++) {
        bool in_mapped = mode == 1 || mode == 2;
        bool out_mapped = mode == 1 || mode == 3;

        start(VGPU_HUB_GC, 0);
        wreg(regMC_VM_SYSTEM_APERTURE_LOW_ADDR, FB_BASE >> 18);
        wreg(regMC_VM_SYSTEM_APERTURE_HIGH_ADDR, FB_BASE >> 18);
        gart(FB_BASE, 0x80, 0x100000);
        mock_set_vram64(&m, 0x100000 + 1 * 8, 0x200000 | PTE_RWX);
        mock_set_vram64(&m, 0x100000 + 0x41 * 8, 0x300000 | PTE_RWX);
        wreg(regMC_VM_MX_L1_TLB_CNTL, MODE(mode));
        CHECK(map4(in, VGPU_READ) == m.vram + (in_mapped ? 0x200000 : 0x1000));
        CHECK(map4(out, VGPU_READ) ==
              m.vram + (out_mapped ? 0x300000 : 0x41000));
        mock_stop(&m);
    }
}

/* A run ends where the system aperture begins or ends, cached or not. */
static void test_run_ends_at_aperture(void)
{
    uint64_t len = MIB;

    start(VGPU_HUB_MM, 0);
    wreg(regMC_VM_SYSTEM_APERTURE_LOW_ADDR, (FB_BASE >> 18) + 1);
    wreg(regMC_VM_SYSTEM_APERTURE_HIGH_ADDR, (FB_BASE >> 18) + 1);
    gart(FB_BASE, 0x200, 0x100000);
    mock_set_vram64(&m, 0x100000 + 0x3f * 8,
                    0x400000 | PTE_RWX | VGPU_PTE_FRAG(9));
    mock_set_vram64(&m, 0x100000 + 0x80 * 8, 0x500000 | PTE_RWX);
    wreg(regMC_VM_MX_L1_TLB_CNTL, MODE(3));

    CHECK(map(FB_BASE + 0x50000, &len, VGPU_READ) == m.vram + 0x50000);
    CHECK_EQ(len, 0x80000 - 0x50000);
    /* Mapped, in a fragment of 2 MiB: up to the aperture at 256 KiB. */
    len = MIB;
    CHECK(map(FB_BASE + 0x3f000, &len, VGPU_READ) == m.vram + 0x400000);
    CHECK_EQ(len, 0x1000);
    CHECK(map4(FB_BASE + 0x40000, VGPU_READ) == m.vram + 0x40000);
    CHECK(map4(FB_BASE + 0x80000, VGPU_READ) == m.vram + 0x500000);
    mock_stop(&m);
}

static void test_gart(void)
{
    uint64_t va = 0x12345000000;
    uint64_t len;
    unsigned hub;

    for (hub = 0; hub < VGPU_NUM_HUBS; hub++) {
        start(hub, 0);
        /* What amdgpu sets: the aperture is the FB. */
        wreg(regMC_VM_SYSTEM_APERTURE_LOW_ADDR, FB_BASE >> 18);
        wreg(regMC_VM_SYSTEM_APERTURE_HIGH_ADDR,
             (FB_BASE + MOCK_VRAM_SIZE - 1) >> 18);
        wreg(regMC_VM_MX_L1_TLB_CNTL, MODE(3));
        gart(va, 16, 0x80000);
        mock_set_vram64(&m, 0x80000, MOCK_RAM_BASE | PTE_RWX | PTE_SYS);
        mock_set_vram64(&m, 0x80008,
                        (MOCK_RAM_BASE + 0x5000) | PTE_RWX | PTE_SYS);
        mock_set_vram64(&m, 0x80010,
                        (MOCK_RAM_BASE + 0x6000) | PTE_RWX | PTE_SYS);
        mock_set_vram64(&m, 0x80000 + 15 * 8,
                        (MOCK_RAM_BASE + 0x7000) | PTE_RWX | PTE_SYS);
        mock_set_vram64(&m, 0x80000 + 16 * 8,
                        (MOCK_RAM_BASE + 0x8000) | PTE_RWX | PTE_SYS);

        CHECK(map4(va + 0x10, VGPU_READ) == m.ram + 0x10);
        /* Contiguous pages make one run. */
        len = 0x10000;
        CHECK(map(va + 0x1800, &len, VGPU_WRITE) == m.ram + 0x5800);
        CHECK_EQ(len, 0x1800);
        CHECK(map4(va + 0xfffc, VGPU_READ) == m.ram + 0x7ffc);
        CHECK_EQ(faults(), 0);

        CHECK(!map4(va + 0x3000, VGPU_READ));   /* PTE 0 */
        CHECK_EQ(PERM(take_status()), VGPU_PERM_VALID | VGPU_PERM_READ);
        CHECK(!map4(va + 0x10000, VGPU_WRITE)); /* behind the end */
        CHECK_EQ(WALKER(take_status()), VGPU_WALK_RANGE);
        CHECK(!map4(va - 4, VGPU_WRITE));       /* before the start */
        CHECK_EQ(WALKER(take_status()), VGPU_WALK_RANGE);
        CHECK(map4(FB_BASE + 0x80000, VGPU_READ) == m.vram + 0x80000);
        mock_stop(&m);
    }
}

/*
 * Scattered pages read and written as one; what comes before a fault is done,
 * the rest of a read is zero.
 */
static void test_copy_across_pages(void)
{
    uint64_t va = 0x100000000;
    uint8_t in[0x3000], out[0x3000];
    unsigned i;

    start(VGPU_HUB_MM, 0);
    wreg(regMC_VM_MX_L1_TLB_CNTL, MODE(1));
    gart(va, 16, 0x80000);
    mock_set_vram64(&m, 0x80000, 0x7000 | PTE_RWX);
    mock_set_vram64(&m, 0x80008, MOCK_RAM_BASE | PTE_RWX | PTE_SYS);
    mock_set_vram64(&m, 0x80010, 0x3000 | PTE_RWX);
    for (i = 0; i < sizeof(in); i++) {
        in[i] = i * 7 + i / 256;
    }
    atomic_store(&m.written_bytes, 0);
    CHECK(put(va + 0x800, in, 0x2000));
    CHECK(!memcmp(m.vram + 0x7800, in, 0x800));
    CHECK(!memcmp(m.ram, in + 0x800, 0x1000));
    CHECK(!memcmp(m.vram + 0x3000, in + 0x1800, 0x800));
    CHECK_EQ(atomic_load(&m.written_bytes), 0x2000);
    CHECK(get(va + 0x800, out, 0x2000));
    CHECK(!memcmp(in, out, 0x2000));

    memset(out, 0xff, sizeof(out));
    CHECK(!get(va + 0x1800, out, 0x2000));
    CHECK(!memcmp(out, in + 0x1000, 0x1000));
    for (i = 0x1800; i < 0x2000; i++) {
        CHECK_EQ(out[i], 0);
    }
    CHECK_EQ(out[0x2000], 0xff);
    CHECK(!put(va + 0x2ff0, in, 0x20));
    CHECK(!memcmp(m.vram + 0x3ff0, in, 0x10));
    CHECK_EQ(faults(), 2);
    mock_stop(&m);
}

static const struct test tests[] = {
    TEST(test_fb_after_reset),
    TEST(test_fb_base_and_offset),
    TEST(test_agp),
    TEST(test_default_page),
    TEST(test_system_access_modes),
    TEST(test_run_ends_at_aperture),
    TEST(test_gart),
    TEST(test_copy_across_pages),
};
TEST_MAIN(tests)
