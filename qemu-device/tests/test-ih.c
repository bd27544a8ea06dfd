/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interrupt handler: entries, wrap and overflow of the ring, write
 * pointer write-back, the doorbell of the read pointer, and that no interrupt
 * gets lost. Documentation/hardware.rst, "Interrupts".
 */
#include <stdlib.h>

#include "harness.h"
#include "hw/ih.h"
#include "hw/reg/gc.h"
#include "hw/reg/nbio.h"
#include "hw/reg/oss.h"
#include "hw/reg/vgpu.h"

#define OSS(r)      VGPU_REG_ABS(OSSSYS, r)

#define RING_OFF    0x100000
#define RING        (MOCK_RAM_BASE + RING_OFF)
#define WPTR_WB     (MOCK_RAM_BASE + 0x200000)
#define ENTRIES     16u                     /* 512 bytes: RB_SIZE 7 */
#define RING_BYTES  (ENTRIES * VGPU_IV_BYTES)
#define DOORBELL    0x2f0u

#define CNTL        (7u << IH_RB_CNTL__RB_SIZE__SHIFT | \
                     1u << IH_RB_CNTL__MC_SPACE__SHIFT | \
                     IH_RB_CNTL__WPTR_WRITEBACK_ENABLE_MASK | \
                     IH_RB_CNTL__WPTR_OVERFLOW_ENABLE_MASK | \
                     IH_RB_CNTL__RPTR_REARM_MASK)
#define RUNNING     (CNTL | IH_RB_CNTL__RB_ENABLE_MASK | \
                     IH_RB_CNTL__ENABLE_INTR_MASK)
#define CLEAR       IH_RB_CNTL__WPTR_OVERFLOW_CLEAR_MASK

static struct mock m;

static uint32_t rreg(uint32_t oss_reg)
{
    return mock_rreg(&m, OSS(oss_reg));
}

static void wreg(uint32_t oss_reg, uint32_t val)
{
    mock_wreg(&m, OSS(oss_reg), val);
}

/* As vega20_ih_irq_init() does it. */
static void driver_init(void)
{
    wreg(regIH_RB_CNTL, CNTL);
    wreg(regIH_RB_RPTR, 0);
    wreg(regIH_RB_WPTR, 0);
    wreg(regIH_RB_BASE, (uint32_t)(RING >> 8));
    wreg(regIH_RB_BASE_HI, RING >> 40);
    wreg(regIH_RB_CNTL, CNTL | CLEAR);
    wreg(regIH_RB_WPTR_ADDR_LO, (uint32_t)WPTR_WB);
    wreg(regIH_RB_WPTR_ADDR_HI, WPTR_WB >> 32);
    wreg(regIH_RB_WPTR, 0);
    wreg(regIH_RB_RPTR, 0);
    wreg(regIH_DOORBELL_RPTR, DOORBELL | IH_DOORBELL_RPTR__ENABLE_MASK);
    wreg(regIH_RB_CNTL, CNTL | IH_RB_CNTL__RB_ENABLE_MASK);
    wreg(regIH_RB_CNTL, CNTL | IH_RB_CNTL__RB_ENABLE_MASK | CLEAR);
    wreg(regIH_RB_CNTL, RUNNING);
}

static void start(void)
{
    mock_default(&m);
    driver_init();
}

/* What an engine does, in its slice. */
static void post(uint32_t data)
{
    struct vgpu_iv iv = {
        .client_id = SOC15_IH_CLIENTID_SDMA0,
        .source_id = SDMA0_4_0__SRCID__SDMA_TRAP,
        .src_data = { data },
    };

    vgpu_lock(m.die);
    vgpu_ih_post(m.die, &iv);
    vgpu_unlock(m.die);
}

static void post_n(uint32_t first, unsigned n)
{
    while (n--) {
        post(first++);
    }
}

static bool doorbell(uint32_t index, uint64_t val)
{
    bool taken;

    vgpu_lock(m.die);
    taken = vgpu_ih_doorbell(m.die, index, val);
    vgpu_unlock(m.die);
    return taken;
}

static uint32_t data_at(uint32_t ptr)
{
    return mock_ram32(&m, RING + ptr % RING_BYTES + 16);
}

static unsigned interrupts(void)
{
    struct vgpu_die_stats s;

    vgpu_die_stats(m.die, &s);
    CHECK_EQ(s.interrupts, atomic_load(&m.msix[0]));
    return s.interrupts;
}

static uint64_t overflows(void)
{
    struct vgpu_die_stats s;

    vgpu_die_stats(m.die, &s);
    return s.ih_overflows;
}

/* --------------------------------------------------------------- entries */

static void test_entry_layout(void)
{
    struct vgpu_iv iv = {
        .client_id = 0x14, .source_id = 0xb5, .ring_id = 0xc3, .vmid = 0xb,
        .src_data = { 0x11111111, 0x22222222, 0x33333333, 0x44444444 },
    };
    unsigned i;

    for (i = 0; i < 2; i++) {
        start();
        atomic_fetch_add(&m.now, 10 * 0x9abc12345678ull);
        wreg(regIH_VMID_0_LUT + 0xb, 0xffff8123);
        wreg(regIH_VMID_0_LUT_MM + 0xb, 0x8456);
        iv.vmid_mm = i;
        vgpu_lock(m.die);
        vgpu_ih_post(m.die, &iv);
        vgpu_unlock(m.die);
        CHECK_EQ(mock_ram32(&m, RING), 0x0bc3b514u | (uint32_t)i << 31);
        CHECK_EQ(mock_ram32(&m, RING + 4), 0x12345678);
        CHECK_EQ(mock_ram32(&m, RING + 8), 0x9abc);
        CHECK_EQ(mock_ram32(&m, RING + 12), i ? 0x8456 : 0x8123);
        CHECK_EQ(mock_ram32(&m, RING + 16), 0x11111111);
        CHECK_EQ(mock_ram32(&m, RING + 20), 0x22222222);
        CHECK_EQ(mock_ram32(&m, RING + 24), 0x33333333);
        CHECK_EQ(mock_ram32(&m, RING + 28), 0x44444444);
        CHECK_EQ(mock_ram32(&m, RING + 32), 0);
        CHECK_EQ(rreg(regIH_RB_WPTR), 32);
        CHECK_EQ(mock_ram32(&m, WPTR_WB), 32);
        CHECK_EQ(interrupts(), 1);
        mock_stop(&m);
    }
}

static void test_pasid_of_each_vmid(void)
{
    struct vgpu_iv iv = { 0 };
    unsigned i;

    start();
    for (i = 0; i < 16; i++) {
        wreg(regIH_VMID_0_LUT + i, 0x100 + i);
        wreg(regIH_VMID_0_LUT_MM + i, 0x200 + i);
    }
    for (i = 0; i < 32; i++) {
        uint32_t at = rreg(regIH_RB_WPTR);

        iv.vmid = i % 16;
        iv.vmid_mm = i / 16;
        vgpu_lock(m.die);
        vgpu_ih_post(m.die, &iv);
        vgpu_unlock(m.die);
        CHECK_EQ(mock_ram32(&m, RING + at + 12),
                 (i / 16 ? 0x200 : 0x100) + i % 16);
        wreg(regIH_RB_RPTR, rreg(regIH_RB_WPTR));
    }
    mock_stop(&m);
}

/* Nothing is written before the ring is on. */
static void test_disabled(void)
{
    mock_default(&m);
    post(1);
    CHECK_EQ(rreg(regIH_RB_WPTR), 0);
    driver_init();
    wreg(regIH_RB_CNTL, RUNNING & ~IH_RB_CNTL__RB_ENABLE_MASK);
    post(1);
    CHECK_EQ(rreg(regIH_RB_WPTR), 0);
    CHECK_EQ(mock_ram32(&m, RING + 16), 0);
    CHECK_EQ(interrupts(), 0);
    mock_stop(&m);
}

/* ------------------------------------------------------------------ ring */

static void test_wrap(void)
{
    unsigned i;

    start();
    for (i = 0; i < 3 * ENTRIES; i++) {
        uint32_t at = i * VGPU_IV_BYTES % RING_BYTES;

        CHECK_EQ(rreg(regIH_RB_WPTR), at);
        post(i);
        CHECK_EQ(data_at(at), i);
        CHECK_EQ(mock_ram32(&m, WPTR_WB), (at + 32) % RING_BYTES);
        CHECK(doorbell(DOORBELL, (at + 32) % RING_BYTES));
        CHECK_EQ(rreg(regIH_RB_RPTR), (at + 32) % RING_BYTES);
    }
    CHECK_EQ(mock_ram32(&m, RING + RING_BYTES), 0);
    CHECK_EQ(overflows(), 0);
    CHECK_EQ(interrupts(), 3 * ENTRIES);
    mock_stop(&m);
}

/* The driver's side of an overflow: vega20_ih_get_wptr(). */
static void test_overflow(void)
{
    uint32_t wptr, rptr;
    unsigned i;

    start();
    post_n(0, ENTRIES - 1);
    CHECK_EQ(mock_ram32(&m, WPTR_WB), RING_BYTES - 32);
    CHECK_EQ(rreg(regIH_STATUS) & IH_STATUS__RB_FULL_MASK,
             IH_STATUS__RB_FULL_MASK);
    CHECK_EQ(overflows(), 0);
    post(15);
    CHECK_EQ(mock_ram32(&m, WPTR_WB), 0 | 1);
    CHECK_EQ(rreg(regIH_RB_WPTR), 0 | 1);
    CHECK_EQ(rreg(regIH_STATUS) & IH_STATUS__RB_OVERFLOW_MASK,
             IH_STATUS__RB_OVERFLOW_MASK);
    /* The oldest give way; the flag stays. */
    post_n(16, 4);
    CHECK_EQ(mock_ram32(&m, WPTR_WB), 4 * 32 | 1);
    CHECK_EQ(interrupts(), 1);

    /* Parse from behind the write pointer: all but the one at it are there. */
    wptr = rreg(regIH_RB_WPTR) & ~1u;
    rptr = (wptr + 32) % RING_BYTES;
    wreg(regIH_RB_CNTL, RUNNING | CLEAR);
    CHECK_EQ(rreg(regIH_RB_WPTR), wptr);
    CHECK_EQ(mock_ram32(&m, WPTR_WB), wptr);
    wreg(regIH_RB_CNTL, RUNNING);
    for (i = 5; rptr != wptr; i++, rptr = (rptr + 32) % RING_BYTES) {
        CHECK_EQ(data_at(rptr), i);
    }
    CHECK_EQ(i, 20);
    CHECK(doorbell(DOORBELL, rptr));
    CHECK_EQ(interrupts(), 1);
    post(20);
    CHECK_EQ(rreg(regIH_RB_WPTR), wptr + 32);
    CHECK_EQ(interrupts(), 2);
    mock_stop(&m);
}

/* While the clear bit is held no overflow is seen; only its edge clears. */
static void test_overflow_clear_edge(void)
{
    start();
    post_n(0, ENTRIES);
    CHECK_EQ(rreg(regIH_RB_WPTR) & 1, 1);
    wreg(regIH_RB_CNTL, RUNNING);
    CHECK_EQ(rreg(regIH_RB_WPTR) & 1, 1);
    wreg(regIH_RB_CNTL, RUNNING | CLEAR);
    CHECK_EQ(rreg(regIH_RB_WPTR) & 1, 0);
    post_n(0, ENTRIES);
    CHECK_EQ(rreg(regIH_RB_WPTR) & 1, 0);
    wreg(regIH_RB_CNTL, RUNNING);
    post_n(0, ENTRIES);
    CHECK_EQ(rreg(regIH_RB_WPTR) & 1, 1);
    /* A driver that starts over writes 0. */
    wreg(regIH_RB_WPTR, 0);
    CHECK_EQ(rreg(regIH_RB_WPTR), 0);
    mock_stop(&m);
}

/* Without leave to overwrite, the ring keeps what it has. */
static void test_overflow_off(void)
{
    unsigned i;

    start();
    wreg(regIH_RB_CNTL, RUNNING & ~IH_RB_CNTL__WPTR_OVERFLOW_ENABLE_MASK);
    post_n(0, ENTRIES + 3);
    CHECK_EQ(rreg(regIH_RB_WPTR), RING_BYTES - 32);
    CHECK_EQ(overflows(), 4);
    for (i = 0; i < ENTRIES - 1; i++) {
        CHECK_EQ(data_at(i * 32), i);
    }
    CHECK(doorbell(DOORBELL, 32));
    post(100);
    CHECK_EQ(data_at(RING_BYTES - 32), 100);
    CHECK_EQ(rreg(regIH_RB_WPTR), 0);
    mock_stop(&m);
}

/* Pointers of any value, sizes of any value: entries stay in the ring. */
static void test_bounds(void)
{
    static const uint32_t pointers[] = { 0, 4, 28, 0x1fc, 0x3fffc, ~0u };
    unsigned size, i;

    for (size = 0; size < 32; size++) {
        uint64_t bytes = 4ull << (size > 16 ? 16 : size);

        start();
        for (i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++) {
            uint64_t used = 0, at;

            memset(mock_ram(&m, RING, 0x80000), 0, 0x80000);
            wreg(regIH_RB_CNTL, (RUNNING & ~IH_RB_CNTL__RB_SIZE_MASK) |
                 size << IH_RB_CNTL__RB_SIZE__SHIFT);
            wreg(regIH_RB_WPTR, pointers[i]);
            wreg(regIH_RB_RPTR, pointers[5 - i]);
            post(0x12345);
            for (at = 0; at < 0x80000; at += 4) {
                if (mock_ram32(&m, RING + at) == 0x12345) {
                    used = at;
                    break;
                }
            }
            if (bytes >= 64) {
                CHECK_EQ(used % 32, 16);
                CHECK(used < bytes);
                CHECK_EQ(used - 16, pointers[i] & (bytes - 1) & 0x3ffe0);
                CHECK((rreg(regIH_RB_WPTR) & ~1u) < bytes);
            } else {
                CHECK_EQ(used, 0);
            }
        }
        mock_stop(&m);
    }
}

/* No RAM behind the ring or the write-back: lost, and nothing worse. */
static void test_no_memory(void)
{
    start();
    wreg(regIH_RB_BASE, 0x1000);
    wreg(regIH_RB_BASE_HI, 0);
    post(1);
    CHECK_EQ(rreg(regIH_RB_WPTR), 0);
    CHECK_EQ(interrupts(), 0);
    wreg(regIH_RB_BASE, (uint32_t)((MOCK_RAM_BASE + MOCK_RAM_SIZE) >> 8) - 1);
    wreg(regIH_RB_BASE_HI, 0);
    wreg(regIH_RB_WPTR, 0xe0);
    post(1);
    CHECK_EQ(rreg(regIH_RB_WPTR), 0x100);
    CHECK_EQ(interrupts(), 1);
    post(1);
    CHECK_EQ(rreg(regIH_RB_WPTR), 0x100);
    driver_init();
    wreg(regIH_RB_WPTR_ADDR_HI, 0xffff);
    post(1);
    CHECK_EQ(rreg(regIH_RB_WPTR), 32);
    CHECK_EQ(mock_ram32(&m, WPTR_WB), 0x100);
    mock_stop(&m);
}

/* ------------------------------------------------------ address of the ring */

static void test_gpu_address(void)
{
    uint64_t va = 0x8000000000ull + 0x300000;

    start();
    /* MC_SPACE 4, as vega20_ih_rb_cntl() has it: here the FB aperture. */
    wreg(regIH_RB_CNTL, (RUNNING & ~IH_RB_CNTL__MC_SPACE_MASK) |
         4u << IH_RB_CNTL__MC_SPACE__SHIFT);
    wreg(regIH_RB_BASE, (uint32_t)(va >> 8));
    wreg(regIH_RB_BASE_HI, va >> 40);
    wreg(regIH_RB_WPTR_ADDR_LO, (uint32_t)va + 0x1000);
    wreg(regIH_RB_WPTR_ADDR_HI, va >> 32);
    post(0x77);
    CHECK_EQ(mock_vram32(&m, 0x300010), 0x77);
    CHECK_EQ(mock_vram32(&m, 0x301000), 32);
    CHECK_EQ(interrupts(), 1);
    mock_stop(&m);
}

/* A ring at an address that faults: the fault has nowhere to be reported. */
static void test_ring_faults(void)
{
    struct vgpu_die_stats s;

    start();
    wreg(regIH_RB_CNTL, (RUNNING & ~IH_RB_CNTL__MC_SPACE_MASK) |
         4u << IH_RB_CNTL__MC_SPACE__SHIFT | 3 << IH_RB_CNTL__MC_VMID__SHIFT);
    post(0x77);
    CHECK_EQ(rreg(regIH_RB_WPTR), 0);
    CHECK_EQ(interrupts(), 0);
    vgpu_die_stats(m.die, &s);
    CHECK_EQ(s.faults, 1);
    /* The hub's registers tell who it was. */
    CHECK_EQ(mock_rreg(&m, vgpu_hub_reg(VGPU_HUB_MM,
                       regVM_L2_PROTECTION_FAULT_STATUS)) >> 9 & 0x1ff, 384);
    driver_init();
    post(0x78);
    CHECK_EQ(rreg(regIH_RB_WPTR), 32);
    mock_stop(&m);
}

/* ---------------------------------------------------------- interrupting */

static void test_rearm(void)
{
    start();
    post_n(0, 3);
    CHECK_EQ(interrupts(), 1);
    /* Two of three are taken: the write announces the third. */
    CHECK(doorbell(DOORBELL, 64));
    CHECK_EQ(interrupts(), 2);
    post(3);
    CHECK_EQ(interrupts(), 2);
    /* All are taken: quiet until the next. */
    CHECK(doorbell(DOORBELL, 128));
    CHECK_EQ(interrupts(), 2);
    CHECK(doorbell(DOORBELL, 128));
    CHECK_EQ(interrupts(), 2);
    post(4);
    CHECK_EQ(interrupts(), 3);
    /* The register does what the doorbell does. */
    post(5);
    wreg(regIH_RB_RPTR, 160);
    CHECK_EQ(interrupts(), 4);
    wreg(regIH_RB_RPTR, 192);
    CHECK_EQ(interrupts(), 4);
    mock_stop(&m);
}

/*
 * The driver: take all up to the write pointer, write the read pointer, look
 * at the write pointer once more, and only then wait for an interrupt. New
 * entries come at any point of that: each is taken in the end.
 */
static void test_no_lost_interrupt(void)
{
    unsigned point;

    for (point = 0; point < 5; point++) {
        uint32_t rptr = 0, wptr, taken = 0, late = 0;
        unsigned seen = 0;

        start();
        post(0);
        while (interrupts() != seen) {
            seen = interrupts();
            if (point == 0 && !late++) {
                post(1);
            }
            wptr = mock_ram32(&m, WPTR_WB);
            if (point == 1 && !late++) {
                post(1);
            }
            do {
                while (rptr != wptr) {
                    CHECK_EQ(data_at(rptr), taken);
                    taken++;
                    rptr = (rptr + 32) % RING_BYTES;
                }
                if (point == 2 && !late++) {
                    post(1);
                }
                CHECK(doorbell(DOORBELL, rptr));
                if (point == 3 && !late++) {
                    post(1);
                }
                wptr = mock_ram32(&m, WPTR_WB);
            } while (rptr != wptr);
            if (point == 4 && !late++) {
                post(1);
            }
        }
        CHECK_EQ(taken, 2);
        mock_stop(&m);
    }
}

/* The doorbell is posted: until the engine thread sees it, nothing is lost. */
static void test_posted_doorbell(void)
{
    start();
    mock_wreg(&m, VGPU_REG_ABS(NBIO, regRCC_DOORBELL_APER_EN), 1);
    mock_wreg(&m, VGPU_REG_ABS(NBIO, regBIF_IH_DOORBELL_RANGE),
              DOORBELL << BIF_IH_DOORBELL_RANGE__OFFSET__SHIFT |
              8 << BIF_IH_DOORBELL_RANGE__SIZE__SHIFT);
    post(0);
    CHECK_EQ(interrupts(), 1);
    mock_doorbell32(&m, DOORBELL, 32);
    post(1);
    CHECK_EQ(interrupts(), 1);
    mock_run(&m);
    CHECK_EQ(interrupts(), 2);
    CHECK_EQ(rreg(regIH_RB_RPTR), 32);
    mock_stop(&m);
}

static void test_without_rearm(void)
{
    start();
    wreg(regIH_RB_CNTL, RUNNING & ~IH_RB_CNTL__RPTR_REARM_MASK);
    post_n(0, 3);
    CHECK_EQ(interrupts(), 3);
    CHECK(doorbell(DOORBELL, 32));
    CHECK_EQ(interrupts(), 4);
    CHECK(doorbell(DOORBELL, 96));
    CHECK_EQ(interrupts(), 4);
    mock_stop(&m);
}

static void test_enable_intr(void)
{
    start();
    wreg(regIH_RB_CNTL, RUNNING & ~IH_RB_CNTL__ENABLE_INTR_MASK);
    post_n(0, 2);
    CHECK_EQ(rreg(regIH_RB_WPTR), 64);
    CHECK_EQ(interrupts(), 0);
    /* What came meanwhile is announced. */
    wreg(regIH_RB_CNTL, RUNNING);
    CHECK_EQ(interrupts(), 1);
    wreg(regIH_RB_CNTL, RUNNING);
    CHECK_EQ(interrupts(), 1);
    CHECK(doorbell(DOORBELL, 64));
    wreg(regIH_RB_CNTL, RUNNING & ~IH_RB_CNTL__ENABLE_INTR_MASK);
    wreg(regIH_RB_CNTL, RUNNING);
    CHECK_EQ(interrupts(), 1);
    mock_stop(&m);
}

/* An overflow makes the pointers equal, and is not an empty ring. */
static void test_overflow_interrupts(void)
{
    start();
    wreg(regIH_RB_CNTL, RUNNING & ~IH_RB_CNTL__ENABLE_INTR_MASK);
    post_n(0, ENTRIES);
    CHECK_EQ(rreg(regIH_RB_WPTR) & ~1u, rreg(regIH_RB_RPTR));
    wreg(regIH_RB_CNTL, RUNNING);
    CHECK_EQ(interrupts(), 1);
    CHECK(doorbell(DOORBELL, 0));
    CHECK_EQ(interrupts(), 2);
    mock_stop(&m);
}

static void test_doorbells(void)
{
    start();
    CHECK(!doorbell(DOORBELL + 1, 32));
    CHECK(!doorbell(0, 32));
    CHECK_EQ(rreg(regIH_RB_RPTR), 0);
    /* Rings 1 and 2 and the retry CAM have theirs. */
    wreg(regIH_DOORBELL_RPTR_RING1,
         (DOORBELL + 2) | IH_DOORBELL_RPTR__ENABLE_MASK);
    wreg(regIH_DOORBELL_RPTR_RING2,
         (DOORBELL + 4) | IH_DOORBELL_RPTR__ENABLE_MASK);
    wreg(regIH_DOORBELL_RETRY_CAM,
         (DOORBELL + 6) | IH_DOORBELL_RPTR__ENABLE_MASK);
    CHECK(doorbell(DOORBELL + 2, 0x40));
    CHECK(doorbell(DOORBELL + 4, 0x60));
    CHECK(doorbell(DOORBELL + 6, 0x80));
    CHECK_EQ(rreg(regIH_RB_RPTR_RING1), 0x40);
    CHECK_EQ(rreg(regIH_RB_RPTR_RING2), 0x60);
    CHECK_EQ(rreg(regIH_RB_RPTR), 0);
    wreg(regIH_DOORBELL_RPTR, DOORBELL);
    CHECK(!doorbell(DOORBELL, 32));
    /* Only the bits of the field. */
    wreg(regIH_DOORBELL_RPTR, DOORBELL | IH_DOORBELL_RPTR__ENABLE_MASK);
    CHECK(doorbell(DOORBELL, ~0ull));
    CHECK_EQ(rreg(regIH_RB_RPTR), 0x3fffc);
    mock_stop(&m);
}

static void test_other_rings(void)
{
    mock_default(&m);
    CHECK_EQ(rreg(regIH_RB_CNTL_RING1), 0);
    CHECK_EQ(rreg(regIH_RB_CNTL_RING2), 0);
    CHECK_EQ(rreg(regIH_STATUS) & IH_STATUS__IDLE_MASK, 1);
    wreg(regIH_RB_CNTL_RING1, 1);
    wreg(regIH_RB_BASE_RING1, 0x1234);
    wreg(regIH_RB_BASE_HI_RING1, ~0u);
    CHECK_EQ(rreg(regIH_RB_BASE_RING1), 0x1234);
    CHECK_EQ(rreg(regIH_RB_BASE_HI_RING1), 0xff);
    driver_init();
    post(1);
    CHECK_EQ(rreg(regIH_RB_WPTR_RING1), 0);
    CHECK_EQ(m.die->stats.unclaimed_writes, 0);
    mock_stop(&m);
}

static void test_reset_and_load(void)
{
    size_t size;
    uint8_t *buf;

    start();
    size = vgpu_die_state_size(m.die);
    buf = malloc(size);
    post_n(0, 2);
    CHECK_EQ(interrupts(), 1);
    vgpu_die_state_save(m.die, buf);
    vgpu_die_reset(m.die);
    CHECK_EQ(rreg(regIH_RB_CNTL), 0);
    CHECK_EQ(rreg(regIH_RB_WPTR), 0);
    post(9);
    CHECK_EQ(interrupts(), 1);
    /* The vector may have been lost on the way: it is raised again. */
    CHECK(vgpu_die_state_load(m.die, buf, size));
    CHECK_EQ(interrupts(), 2);
    CHECK_EQ(rreg(regIH_RB_WPTR), 64);
    CHECK(doorbell(DOORBELL, 64));
    CHECK_EQ(interrupts(), 2);
    free(buf);
    mock_stop(&m);
}

static void test_traced(void)
{
    start();
    mock_wreg(&m, VGPU_DBG_TRACE_CNTL, 3);
    post(0);
    mock_wreg(&m, VGPU_DBG_TRACE_INDEX, 0);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_STEP) & 0xff, VGPU_STEP_IH_ENTRY);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_DATA), 0x08 << 8 | 224);
    mock_wreg(&m, VGPU_DBG_TRACE_INDEX, 1);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_STEP) & 0xff, VGPU_STEP_MSIX);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_IH_ENTRIES), 1);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_INTERRUPTS), 1);
    mock_stop(&m);
}

static const struct test tests[] = {
    TEST(test_entry_layout),
    TEST(test_pasid_of_each_vmid),
    TEST(test_disabled),
    TEST(test_wrap),
    TEST(test_overflow),
    TEST(test_overflow_clear_edge),
    TEST(test_overflow_off),
    TEST(test_bounds),
    TEST(test_no_memory),
    TEST(test_gpu_address),
    TEST(test_ring_faults),
    TEST(test_rearm),
    TEST(test_no_lost_interrupt),
    TEST(test_posted_doorbell),
    TEST(test_without_rearm),
    TEST(test_enable_intr),
    TEST(test_overflow_interrupts),
    TEST(test_doorbells),
    TEST(test_other_rings),
    TEST(test_reset_and_load),
    TEST(test_traced),
};
TEST_MAIN(tests)
