/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The graphics ring: registers, pointers, doorbell, write-backs, halting,
 * recovery and migration. The packets are tested by test-pm4.c.
 */
#include <stdlib.h>

#include "pm4-rig.h"

#define NOP1    PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT)

/* The driver's ring test: 0xCAFEDEAD becomes 0xDEADBEEF. */
static void ring_test(void)
{
    struct rig r;

    rig_init(&r);
    mock_wreg(&r.m, GC(SCRATCH_REG0), 0xcafedead);
    RIG_RUN(&r, PACKET3(PACKET3_SET_UCONFIG_REG, 1),
            GC(SCRATCH_REG0) - PACKET3_SET_UCONFIG_REG_START, 0xdeadbeef);
    CHECK_EQ(mock_rreg(&r.m, GC(SCRATCH_REG0)), 0xdeadbeef);
    CHECK_EQ(rig_rptr(&r), 3);
    CHECK_EQ(*rig_vram(&r, RIG_RPTR), 3);
    CHECK(rig_empty(&r));
    CHECK_NO_IRQ(&r);
    rig_stop(&r);
}

static void reset_values(void)
{
    struct mock m;

    mock_default(&m);
    CHECK_EQ(mock_rreg(&m, GC(CP_ME_CNTL)), 0x15000000);
    CHECK_EQ(mock_rreg(&m, GC(CP_RB0_CNTL)), 0x00400000);
    CHECK_EQ(mock_rreg(&m, GC(CP_RB_WPTR_POLL_CNTL)), 0x00400100);
    CHECK_EQ(mock_rreg(&m, GC(CP_RB_DOORBELL_RANGE_UPPER)), 0x44);
    CHECK_EQ(mock_rreg(&m, GC(CP_MAX_CONTEXT)), 7);
    CHECK_EQ(mock_rreg(&m, GC(CP_RB0_ACTIVE)), 1);
    CHECK_EQ(mock_rreg(&m, GC(CP_RB0_RPTR)), 0);
    CHECK_EQ(mock_rreg(&m, GC(CP_RB0_WPTR)), 0);
    CHECK_EQ(mock_rreg(&m, GC(CP_INT_CNTL_RING0)), 0);
    CHECK_EQ(mock_rreg(&m, GC(CP_STAT)), 0);
    mock_stop(&m);
}

/* Nothing runs before the ME is un-halted, and what waited then does. */
static void halted_until_started(void)
{
    struct rig r;

    rig_init(&r);
    mock_wreg(&r.m, GC(CP_ME_CNTL), CP_ME_CNTL__ME_HALT_MASK);
    RIG_RUN(&r, NOP1, NOP1);
    CHECK_EQ(rig_rptr(&r), 0);
    mock_wreg(&r.m, GC(CP_ME_CNTL), CP_ME_CNTL__PFP_HALT_MASK);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 0);
    CHECK(mock_rreg(&r.m, GC(CP_STAT)) & CP_STAT__CP_BUSY_MASK);
    CHECK(mock_rreg(&r.m, GC(GRBM_STATUS)) & GRBM_STATUS__CP_BUSY_MASK);
    rig_start_me(&r);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 2);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_STAT)), 0);
    CHECK(!(mock_rreg(&r.m, GC(GRBM_STATUS)) & GRBM_STATUS__CP_BUSY_MASK));
    rig_stop(&r);
}

static void inactive_ring(void)
{
    struct rig r;

    rig_init(&r);
    mock_wreg(&r.m, GC(CP_RB0_ACTIVE), 0);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 0);
    mock_wreg(&r.m, GC(CP_RB0_ACTIVE), 1);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 1);
    rig_stop(&r);
}

/* The write pointer by register. */
static void wptr_by_register(void)
{
    struct rig r;
    static const uint32_t nops[] = { NOP1, NOP1, NOP1 };

    rig_init(&r);
    mock_wreg(&r.m, GC(CP_RB_DOORBELL_CONTROL), 0);
    rig_put(&r, nops, 3);
    mock_wreg(&r.m, GC(CP_RB0_WPTR), 3);
    CHECK(atomic_load(&r.m.kicks) > 0);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 3);
    rig_stop(&r);
}

/* A 64-bit write pointer that has long left 32 bits. */
static void wptr_is_64_bits(void)
{
    struct rig r;
    unsigned i;

    rig_init(&r);
    r.wptr = 0x500000000ull;    /* a multiple of the ring size */
    for (i = 0; i < 3; i++) {
        RIG_RUN(&r, NOP1, NOP1);
    }
    CHECK_EQ(mock_rreg(&r.m, GC(CP_RB0_WPTR)), 6);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_RB0_WPTR_HI)), 5);
    CHECK_EQ(rig_rptr(&r), 6);
    rig_stop(&r);
}

static void doorbell_routing(void)
{
    struct rig r;
    struct vgpu_die_stats st;
    static const uint32_t nop[] = { NOP1 };

    rig_init(&r);
    rig_put(&r, nop, 1);
    /* the wrong doorbell */
    mock_doorbell(&r.m, RIG_DOORBELL + 2, 1);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 0);
    /* the right one, not enabled */
    mock_wreg(&r.m, GC(CP_RB_DOORBELL_CONTROL), RIG_DOORBELL << 2);
    mock_doorbell(&r.m, RIG_DOORBELL, 1);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 0);
    /* enabled, outside of the range on either side */
    mock_wreg(&r.m, GC(CP_RB_DOORBELL_CONTROL),
              RIG_DOORBELL << 2 | CP_RB_DOORBELL_CONTROL__DOORBELL_EN_MASK);
    mock_wreg(&r.m, GC(CP_RB_DOORBELL_RANGE_LOWER), (RIG_DOORBELL + 1) << 2);
    mock_doorbell(&r.m, RIG_DOORBELL, 1);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 0);
    mock_wreg(&r.m, GC(CP_RB_DOORBELL_RANGE_LOWER), 0);
    mock_wreg(&r.m, GC(CP_RB_DOORBELL_RANGE_UPPER), (RIG_DOORBELL - 1) << 2);
    mock_doorbell(&r.m, RIG_DOORBELL, 1);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 0);
    vgpu_die_stats(r.m.die, &st);
    CHECK_EQ(st.lost_doorbells, 4);
    /* at last */
    mock_wreg(&r.m, GC(CP_RB_DOORBELL_RANGE_UPPER), RIG_DOORBELL << 2);
    mock_doorbell(&r.m, RIG_DOORBELL, 1);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 1);
    CHECK(mock_rreg(&r.m, GC(CP_RB_DOORBELL_CONTROL)) &
          CP_RB_DOORBELL_CONTROL__DOORBELL_HIT_MASK);
    rig_stop(&r);
}

static void rptr_write_back_off(void)
{
    struct rig r;

    rig_init(&r);
    *rig_vram(&r, RIG_RPTR) = 77;
    mock_wreg(&r.m, GC(CP_RB0_CNTL),
              RIG_RB_BUFSZ | CP_RB0_CNTL__RB_NO_UPDATE_MASK);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 1);
    CHECK_EQ(*rig_vram(&r, RIG_RPTR), 77);
    mock_wreg(&r.m, GC(CP_RB0_CNTL), RIG_RB_BUFSZ);
    mock_run(&r.m);
    CHECK_EQ(*rig_vram(&r, RIG_RPTR), 1);
    rig_stop(&r);
}

/* A read-pointer address that is not mapped: a fault, and the ring goes on. */
static void rptr_write_back_fault(void)
{
    struct rig r;

    rig_init(&r);
    mock_wreg(&r.m, GC(CP_RB0_RPTR_ADDR), LO(rig_nowhere(&r)));
    RIG_RUN(&r, NOP1);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 2);
    rig_stop(&r);
}

static void no_ring(void)
{
    struct rig r;

    rig_init(&r);
    mock_wreg(&r.m, GC(CP_RB0_CNTL), 0);
    mock_doorbell(&r.m, RIG_DOORBELL, 100);
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    CHECK_EQ(rig_rptr(&r), 0);
    CHECK(rig_empty(&r));
    /* as for sizes that the read pointer cannot count */
    mock_wreg(&r.m, GC(CP_RB0_CNTL), 20);
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    mock_wreg(&r.m, GC(CP_RB0_CNTL), 63);
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    CHECK_EQ(rig_rptr(&r), 0);
    rig_stop(&r);
}

/* Packets of 7 dwords around a ring of 16: every place of a wrap. */
static void wrap(void)
{
    struct rig r;
    unsigned i;

    rig_init(&r);
    mock_wreg(&r.m, GC(CP_RB0_CNTL), 3);
    for (i = 0; i < 64; i++) {
        uint64_t va = rig_fb(&r) + RIG_DATA + 16 * i;

        RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 5),
                WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM), LO(va), HI(va),
                i, ~i, i * 3);
        CHECK_EQ(rig_rptr(&r), (7 * (i + 1)) & 15);
        CHECK_EQ(*rig_vram(&r, RIG_DATA + 16 * i), i);
        CHECK_EQ(*rig_vram(&r, RIG_DATA + 16 * i + 4), ~i);
        CHECK_EQ(*rig_vram(&r, RIG_DATA + 16 * i + 8), i * 3);
    }
    CHECK_EQ(rig_halted(&r), 0);
    rig_stop(&r);
}

/* A NOP whose payload wraps is skipped, not read. */
static void wrap_nop(void)
{
    struct rig r;
    static const uint32_t junk[14] = { 0xffffffff, 0x40000000 };
    static const uint32_t nop[] = { PACKET3(PACKET3_NOP, 8) };
    unsigned i;

    rig_init(&r);
    mock_wreg(&r.m, GC(CP_RB0_CNTL), 3);
    for (i = 0; i < 32; i++) {
        rig_put(&r, nop, 1);
        rig_put(&r, junk, 9);
        rig_ring(&r);
        CHECK_EQ(rig_rptr(&r), (10 * (i + 1)) & 15);
    }
    CHECK_EQ(rig_halted(&r), 0);
    rig_stop(&r);
}

/* A packet of which the doorbell showed but a part waits for the rest. */
static void incomplete_packet(void)
{
    struct rig r;
    static const uint32_t part1[] = { PACKET3(PACKET3_SET_UCONFIG_REG, 2) };
    static const uint32_t part2[] = { 0x40, 11 };
    static const uint32_t part3[] = { 22 };

    rig_init(&r);
    rig_put(&r, part1, 1);
    rig_ring(&r);
    CHECK_EQ(rig_rptr(&r), 0);
    rig_put(&r, part2, 2);
    rig_ring(&r);
    CHECK_EQ(rig_rptr(&r), 0);
    CHECK_EQ(mock_rreg(&r.m, GC(SCRATCH_REG0)), 0);
    CHECK(!rig_empty(&r));
    rig_put(&r, part3, 1);
    rig_ring(&r);
    CHECK_EQ(rig_rptr(&r), 4);
    CHECK_EQ(mock_rreg(&r.m, GC(SCRATCH_REG0)), 11);
    CHECK_EQ(mock_rreg(&r.m, GC(SCRATCH_REG1)), 22);
    CHECK_NO_IRQ(&r);
    rig_stop(&r);
}

/* A packet that no fill of the ring can complete is an error. */
static void packet_larger_than_ring(void)
{
    struct rig r;

    rig_init(&r);
    mock_wreg(&r.m, GC(CP_RB0_CNTL), 3);
    RIG_RUN(&r, PACKET3(PACKET3_NOP, 13), 0);
    CHECK_EQ(rig_halted(&r), 0);    /* 15 dwords: it may yet come */
    rig_recover(&r);
    mock_wreg(&r.m, GC(CP_RB0_CNTL), 3);
    RIG_RUN(&r, PACKET3(PACKET3_NOP, 14), 0);
    CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 0);
    rig_stop(&r);
}

static void ring_not_mapped(void)
{
    struct rig r;
    uint64_t va;

    rig_init(&r);
    va = rig_nowhere(&r);
    mock_wreg(&r.m, GC(CP_RB0_BASE), va >> 8);
    mock_wreg(&r.m, GC(CP_RB0_BASE_HI), va >> 40);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_halted(&r), VGPU_CP_FETCH_FAULT);
    CHECK_EQ(rig_rptr(&r), 0);
    rig_recover(&r);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 1);
    rig_stop(&r);
}

/* A ring in the address space of another VMID. */
static void ring_vmid(void)
{
    struct rig r;

    rig_init(&r);
    mock_wreg(&r.m, GC(CP_RB_VMID), 1);
    mock_wreg(&r.m, GC(CP_RB0_BASE), RIG_RING >> 8);
    mock_wreg(&r.m, GC(CP_RB0_BASE_HI), 0);
    mock_wreg(&r.m, GC(CP_RB0_RPTR_ADDR), RIG_RPTR);
    mock_wreg(&r.m, GC(CP_RB0_RPTR_ADDR_HI), 0);
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3),
            WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM), RIG_DATA, 0, 5);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 5);
    CHECK_EQ(*rig_vram(&r, RIG_RPTR), 5);
    /* and it is not the kernel's: */
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3),
            WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_REG), GC(CP_RB_VMID), 0, 0);
    CHECK_HALT(&r, VGPU_CP_REG_VIOLATION, 1);
    rig_stop(&r);
}

/* ---------------------------------------------------------- the shadow */

static void wptr_shadow(void)
{
    struct rig r;
    static const uint32_t nops[] = { NOP1, NOP1, NOP1, NOP1 };
    uint64_t va, next;

    rig_init(&r);
    va = rig_fb(&r) + RIG_SHADOW;
    mock_wreg(&r.m, GC(CP_RB_WPTR_POLL_ADDR_LO), LO(va));
    mock_wreg(&r.m, GC(CP_RB_WPTR_POLL_ADDR_HI), HI(va));
    next = mock_run(&r.m);
    CHECK(next != VGPU_NO_DEADLINE);    /* it wants to look again */

    /* A doorbell that was lost is made up for within the longest interval. */
    rig_put(&r, nops, 4);
    *rig_vram64(&r, RIG_SHADOW) = 2;
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(rig_rptr(&r), 2);

    /* A shadow behind the pointer is an old one. */
    *rig_vram64(&r, RIG_SHADOW) = 1;
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(rig_rptr(&r), 2);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_RB0_WPTR)), 2);

    /* One further ahead than the ring is nonsense. */
    *rig_vram64(&r, RIG_SHADOW) = 2 + RIG_RING_DW;
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_RB0_WPTR)), 2);

    /* Without doorbells nobody keeps it. */
    mock_wreg(&r.m, GC(CP_RB_DOORBELL_CONTROL), 0);
    *rig_vram64(&r, RIG_SHADOW) = 4;
    CHECK_EQ(mock_advance(&r.m, VGPU_POLL_MAX_NS), VGPU_NO_DEADLINE);
    CHECK_EQ(rig_rptr(&r), 2);

    /* Polling switched off */
    mock_wreg(&r.m, GC(CP_RB_WPTR_POLL_CNTL), 0);
    mock_wreg(&r.m, GC(CP_RB_DOORBELL_CONTROL),
              RIG_DOORBELL << 2 | CP_RB_DOORBELL_CONTROL__DOORBELL_EN_MASK);
    CHECK_EQ(mock_advance(&r.m, VGPU_POLL_MAX_NS), VGPU_NO_DEADLINE);
    CHECK_EQ(rig_rptr(&r), 2);
    mock_wreg(&r.m, GC(CP_RB_WPTR_POLL_CNTL), 0x00400100);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 4);
    rig_stop(&r);
}

/* A shadow that is not mapped faults once, not at every poll. */
static void wptr_shadow_fault(void)
{
    struct rig r;
    uint64_t va;

    rig_init(&r);
    va = rig_nowhere(&r);
    mock_wreg(&r.m, GC(CP_RB_WPTR_POLL_ADDR_LO), LO(va));
    mock_wreg(&r.m, GC(CP_RB_WPTR_POLL_ADDR_HI), HI(va));
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 1);
    rig_stop(&r);
}

/* ------------------------------------------------------------ recovery */

static void hang(struct rig *r, unsigned vmid)
{
    RIG_STORE(r, RIG_IB, PACKET3(PACKET3_WAIT_REG_MEM, 5),
              WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) |
              WAIT_REG_MEM_MEM_SPACE(WAIT_REG_MEM_SPACE_MEM),
              LO(RIG_DATA + (vmid ? 0 : rig_fb(r))),
              HI(RIG_DATA + (vmid ? 0 : rig_fb(r))),
              1, ~0u, 0x20);
    rig_call_ib(r, vmid ? RIG_IB : RIG_IB + rig_fb(r), 7, vmid);
    CHECK_EQ(r->m.die->s.cp.waiting, 1);
}

static void recover_hang(void)
{
    struct rig r;
    unsigned i;

    rig_init(&r);
    for (i = 0; i < 3; i++) {
        hang(&r, 1);
        CHECK(!rig_empty(&r));
        CHECK_EQ(mock_rreg(&r.m, GC(CP_IB1_OFFSET)), 0);
        CHECK_EQ(mock_rreg(&r.m, GC(CP_IB1_BASE_LO)), RIG_IB);
        CHECK_EQ(mock_rreg(&r.m, GC(CP_IB1_BUFSZ)), 7);
        CHECK_EQ(mock_rreg(&r.m, GC(CP_ME_HEADER_DUMP)),
                 PACKET3(PACKET3_WAIT_REG_MEM, 5));
        rig_recover(&r);
        CHECK(rig_empty(&r));
        CHECK_EQ(rig_rptr(&r), 0);
        RIG_RUN(&r, NOP1, NOP1);
        CHECK_EQ(rig_rptr(&r), 2);
    }
    rig_stop(&r);
}

/* Fault injection: what recovers a hang does not reach it; mode 2 does. */
static void stuck(void)
{
    struct rig r;

    rig_init(&r);
    hang(&r, 1);
    mock_wreg(&r.m, VGPU_DBG_STUCK, VGPU_DBG_STUCK__GFX_MASK);
    rig_vram(&r, RIG_DATA)[0] = 1;      /* what it waits for comes in vain */
    mock_advance(&r.m, 1000000000);
    mock_wreg(&r.m, VGPU_DBG_STUCK, 0);
    mock_wreg(&r.m, GC(CP_VMID_RESET), 2);
    mock_wreg(&r.m, GC(GRBM_SOFT_RESET), GRBM_SOFT_RESET__SOFT_RESET_CP_MASK);
    mock_wreg(&r.m, GC(GRBM_SOFT_RESET), 0);
    mock_run(&r.m);
    CHECK(mock_rreg(&r.m, GC(CP_STAT)) & CP_STAT__CP_BUSY_MASK);
    CHECK(mock_rreg(&r.m, GC(GRBM_STATUS)) & GRBM_STATUS__GUI_ACTIVE_MASK);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_VMID_RESET)), 2);
    rig_recover(&r);
    CHECK(mock_rreg(&r.m, GC(CP_STAT)) & CP_STAT__CP_BUSY_MASK);

    vgpu_lock(r.m.die);
    vgpu_die_request_reset(r.m.die, VGPU_RESET_MODE2);
    vgpu_die_reset_requested(r.m.die);
    vgpu_unlock(r.m.die);
    CHECK_EQ(mock_rreg(&r.m, VGPU_DBG_STUCK), 0);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_STAT)), 0);
    rig_setup(&r);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 1);
    rig_stop(&r);
}

static void recover_by_pipe_reset(void)
{
    struct rig r;

    rig_init(&r);
    hang(&r, 1);
    mock_wreg(&r.m, GC(CP_ME_CNTL),
              CP_ME_CNTL__ME_PIPE0_RESET_MASK | CP_ME_CNTL__ME_HALT_MASK);
    rig_ring_setup(&r, RIG_RB_BUFSZ);
    rig_start_me(&r);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 1);
    rig_stop(&r);
}

/* A driver that goes and comes back: it halts, and later sets up the ring. */
static void set_up_again(void)
{
    struct rig r;
    unsigned i;

    rig_init(&r);
    for (i = 0; i < 3; i++) {
        RIG_RUN(&r, NOP1, NOP1, NOP1);
        CHECK_EQ(rig_rptr(&r), 3);
        if (i == 1) {
            hang(&r, 1);
        }
        mock_wreg(&r.m, GC(CP_ME_CNTL), 0x15000000);
        mock_wreg(&r.m, GC(CP_RB_DOORBELL_CONTROL), 0);
        mock_run(&r.m);
        rig_ring_setup(&r, RIG_RB_BUFSZ);
        CHECK_EQ(rig_rptr(&r), 0);
        rig_start_me(&r);
        mock_run(&r.m);
        CHECK_EQ(rig_rptr(&r), 0);
        CHECK(rig_empty(&r));
    }
    rig_stop(&r);
}

/* Recovery that keeps the ring: go on where the driver says. */
static void recover_with_new_rptr(void)
{
    struct rig r;

    rig_init(&r);
    RIG_RUN(&r, NOP1, NOP1, NOP1);
    hang(&r, 1);
    mock_wreg(&r.m, GC(CP_ME_CNTL), CP_ME_CNTL__ME_HALT_MASK);
    mock_wreg(&r.m, GC(GRBM_SOFT_RESET), GRBM_SOFT_RESET__SOFT_RESET_CP_MASK);
    mock_wreg(&r.m, GC(GRBM_SOFT_RESET), 0);
    /* the read pointer takes a value only when that is enabled */
    mock_wreg(&r.m, GC(CP_RB_RPTR_WR), 7);
    CHECK_EQ(rig_rptr(&r), 0);
    mock_wreg(&r.m, GC(CP_RB0_CNTL),
              RIG_RB_BUFSZ | CP_RB0_CNTL__RB_RPTR_WR_ENA_MASK);
    mock_wreg(&r.m, GC(CP_RB_RPTR_WR), 7);
    mock_wreg(&r.m, GC(CP_RB0_CNTL), RIG_RB_BUFSZ);
    CHECK_EQ(rig_rptr(&r), 7);
    mock_wreg(&r.m, GC(CP_RB0_WPTR), 7);
    rig_start_me(&r);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 8);
    CHECK_EQ(*rig_vram(&r, RIG_RPTR), 8);
    rig_stop(&r);
}

/* CP_VMID_RESET ends the IB of that address space and nothing else. */
static void vmid_reset(void)
{
    struct rig r;

    rig_init(&r);
    hang(&r, 1);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 4);
    mock_wreg(&r.m, GC(CP_VMID_RESET), 1 << 2);     /* another's */
    CHECK_EQ(mock_rreg(&r.m, GC(CP_VMID_RESET)), 0);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 4);
    mock_wreg(&r.m, GC(CP_VMID_RESET), 1 << 1);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_VMID_RESET)), 0);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 5);
    CHECK(rig_empty(&r));

    /* An IB that halted the queue by an error */
    RIG_RUN_IB(&r, PACKET3(0xff, 0), 0);
    CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 1);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 9);
    mock_wreg(&r.m, GC(CP_VMID_RESET), 1 << 1);
    mock_run(&r.m);
    CHECK_EQ(rig_halted(&r), 0);
    CHECK_EQ(rig_rptr(&r), 10);
    rig_stop(&r);
}

/* By a packet, as amdgpu does it from another queue; here of VMID 0's IB. */
static void vmid_reset_by_packet(void)
{
    struct rig r;
    uint64_t va;
    unsigned n;

    rig_init(&r);
    va = rig_fb(&r) + RIG_IB;
    n = RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_WRITE_DATA, 3), 0,
                  GC(CP_VMID_RESET), 0, 1,
                  PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x40, 99);
    rig_call_ib(&r, va, n, 0);
    CHECK(rig_empty(&r));
    CHECK_EQ(mock_rreg(&r.m, GC(SCRATCH_REG0)), 0);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_VMID_RESET)), 0);
    rig_stop(&r);
}

/* A ring that resets its own CP stands still and can be set up again. */
static void reset_by_packet(void)
{
    struct rig r;

    rig_init(&r);
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3), 0, GC(GRBM_SOFT_RESET), 0,
            GRBM_SOFT_RESET__SOFT_RESET_CP_MASK, NOP1, NOP1);
    CHECK_EQ(rig_rptr(&r), 0);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_ME_CNTL)), 0x15000000);
    rig_recover(&r);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 1);
    rig_stop(&r);
}

static void halt_by_packet(void)
{
    struct rig r;

    rig_init(&r);
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3), 0, GC(CP_ME_CNTL), 0,
            CP_ME_CNTL__ME_HALT_MASK, NOP1);
    CHECK_EQ(rig_rptr(&r), 5);
    rig_start_me(&r);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 6);
    rig_stop(&r);
}

/* An error halts until reset: neither a doorbell nor un-halting helps. */
static void error_stays(void)
{
    struct rig r;

    rig_init(&r);
    RIG_RUN(&r, PACKET3(0xff, 0), 0);
    CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 0);
    RIG_RUN(&r, NOP1);
    rig_start_me(&r);
    mock_run(&r.m);
    CHECK_EQ(rig_rptr(&r), 0);
    CHECK_NO_IRQ(&r);
    rig_recover(&r);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 1);
    rig_stop(&r);
}

/* ---------------------------------------------------------- interrupts */

static void interrupt_gates(void)
{
    struct rig r;
    uint32_t op = CP_INT_CNTL_RING0__OPCODE_ERROR_INT_ENABLE_MASK;

    rig_init(&r);
    mock_wreg(&r.m, GC(CP_INT_CNTL_RING0), RIG_ALL_INTS & ~op);
    RIG_RUN(&r, PACKET3(0xff, 0), 0);
    CHECK_EQ(rig_halted(&r), VGPU_CP_BAD_OPCODE);
    CHECK_NO_IRQ(&r);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_INT_STATUS_RING0)), 0);
    rig_recover(&r);
    RIG_RUN(&r, PACKET3(0xff, 0), 0);
    CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 0);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_INT_STATUS_RING0)), op);
    mock_wreg(&r.m, GC(CP_INT_STATUS_RING0), ~op);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_INT_STATUS_RING0)), op);
    mock_wreg(&r.m, GC(CP_INT_STATUS_RING0), op);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_INT_STATUS_RING0)), 0);
    rig_stop(&r);
}

/* ------------------------------------------------------------ migration */

static void *save(struct rig *r, size_t *len)
{
    void *buf;

    *len = vgpu_die_state_size(r->m.die);
    buf = malloc(*len);
    vgpu_die_state_save(r->m.die, buf);
    return buf;
}

/* A parked wait goes on in another die of the same kind. */
static void migrate_parked(void)
{
    struct rig a, b;
    size_t len;
    void *buf;

    rig_init(&a);
    rig_init(&b);
    RIG_STORE(&a, RIG_IB, PACKET3(PACKET3_WAIT_REG_MEM, 5),
              WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) |
              WAIT_REG_MEM_MEM_SPACE(WAIT_REG_MEM_SPACE_MEM),
              RIG_DATA, 0, 1, ~0u, 0,
              PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x40, 4711);
    rig_call_ib(&a, RIG_IB, 10, 1);
    buf = save(&a, &len);
    memcpy(b.m.vram, a.m.vram, b.m.cfg.vram_size);
    CHECK(vgpu_die_state_load(b.m.die, buf, len));
    mock_run(&b.m);
    CHECK_EQ(mock_rreg(&b.m, GC(SCRATCH_REG0)), 0);
    CHECK_EQ(b.m.die->s.cp.waiting, 1);
    *rig_vram(&b, RIG_DATA) = 1;
    mock_advance(&b.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(mock_rreg(&b.m, GC(SCRATCH_REG0)), 4711);
    CHECK(rig_empty(&b));
    free(buf);
    rig_stop(&a);
    rig_stop(&b);
}

/* States that no die can be in are refused. */
static void migrate_bad(void)
{
    struct vgpu_die_state *s;
    struct rig r;
    size_t len, off;
    uint8_t *buf;

    rig_init(&r);
    buf = save(&r, &len);
    off = len - sizeof(*s);
    s = malloc(sizeof(*s));
#define BAD(assign) do { \
        memcpy(s, buf + off, sizeof(*s)); \
        assign; \
        { \
            uint8_t *copy = malloc(len); \
            memcpy(copy, buf, len); \
            memcpy(copy + off, s, sizeof(*s)); \
            CHECK(!vgpu_die_state_load(r.m.die, copy, len)); \
            free(copy); \
        } \
    } while (0)
    BAD(s->cp.level = 3);
    BAD(s->cp.ib_vmid = 16);
    BAD(s->cp.halted = VGPU_CP_NUM_HALTS);
    BAD(s->cp.rptr = 1u << 20);
    BAD(s->cp.skip = 0x4000);
    BAD(s->cp.type0_reg = VGPU_NUM_REGS + 1);
    BAD(s->cp.type0_left = 1u << 20);
    BAD(s->cp.ib[0].size = 1u << 20);
    BAD(s->cp.ib[1].size = 1u << 20);
    BAD((s->cp.ib[0].size = 4, s->cp.ib[0].pos = 5));
    BAD(s->cp.phase = 2);
    BAD(s->cp.waiting = 2);
    BAD(s->cp.busy = 2);
    BAD(s->cp.poll_off = 2);
    BAD(s->cp.pred_fail = 2);
    BAD(s->cp.preamble = 2);
    CHECK(vgpu_die_state_load(r.m.die, buf, len));
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 1);
    free(s);
    free(buf);
    rig_stop(&r);
}

static void die_reset(void)
{
    struct rig r;

    rig_init(&r);
    hang(&r, 1);
    vgpu_die_reset(r.m.die);
    CHECK(rig_empty(&r));
    CHECK_EQ(rig_rptr(&r), 0);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_ME_CNTL)), 0x15000000);
    rig_ih_setup(&r);
    rig_vm_setup(&r, 1);
    rig_ring_setup(&r, RIG_RB_BUFSZ);
    rig_start_me(&r);
    RIG_RUN(&r, NOP1);
    CHECK_EQ(rig_rptr(&r), 1);
    rig_stop(&r);
}

/* ---------------------------------------------------------------- trace */

static unsigned trace(struct rig *r, uint32_t *steps, unsigned max)
{
    unsigned n = mock_rreg(&r->m, VGPU_DBG_TRACE_COUNT), i;

    for (i = 0; i < n && i < max; i++) {
        mock_wreg(&r->m, VGPU_DBG_TRACE_INDEX, i);
        steps[i] = mock_rreg(&r->m, VGPU_DBG_TRACE_STEP) & 0xff;
    }
    return n;
}

/* ---------------------------------------------------------------- poison */

#define TO_MEM      WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM)
#define MEM_TO_MEM  (PACKET3_COPY_DATA_SRC_SEL(PACKET3_COPY_DATA_SRC_MEM) | \
                     PACKET3_COPY_DATA_DST_SEL(PACKET3_COPY_DATA_DST_MEM))

static void poison(struct rig *r, uint32_t off)
{
    vgpu_lock(r->m.die);
    CHECK(vgpu_ras_poison(r->m.die, off));
    vgpu_unlock(r->m.die);
}

/*
 * A packet that reads poison is the last one: not even what follows it in the
 * same run of packets happens. What it was to read is not passed on.
 */
static void poison_read(void)
{
    struct rig r;
    uint64_t fb;

    rig_init(&r);
    fb = rig_fb(&r);
    *rig_vram(&r, RIG_DATA) = 0x5ec2e7;
    *rig_vram(&r, RIG_DATA + 0x40) = 0x600d;
    poison(&r, RIG_DATA);
    RIG_RUN(&r, PACKET3(PACKET3_COPY_DATA, 4),
            MEM_TO_MEM,
            LO(fb + RIG_DATA + 0x40), HI(fb), LO(fb + RIG_DATA + 0x80), HI(fb));
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 0x80), 0x600d);
    CHECK_EQ(rig_halted(&r), VGPU_CP_RUNS);
    RIG_RUN(&r, PACKET3(PACKET3_COPY_DATA, 4),
            MEM_TO_MEM,
            LO(fb + RIG_DATA), HI(fb), LO(fb + RIG_DATA + 0x80), HI(fb),
            PACKET3(PACKET3_WRITE_DATA, 3), TO_MEM, LO(fb + RIG_DATA + 0xc0),
            HI(fb), 0xbad);
    CHECK_HALT(&r, VGPU_CP_POISON, 0);
    CHECK(*rig_vram(&r, RIG_DATA + 0x80) != 0x5ec2e7);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 0xc0), 0);
    rig_recover(&r);
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3), TO_MEM,
            LO(fb + RIG_DATA + 0xc0), HI(fb), 0x600d);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 0xc0), 0x600d);
    CHECK_NO_IRQ(&r);
    rig_stop(&r);
}

/* Of an IB whose middle is poisoned, what is before it runs. */
static void poison_fetched(void)
{
    struct rig r;
    uint64_t fb;

    rig_init(&r);
    fb = rig_fb(&r);
    RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_WRITE_DATA, 3),
              TO_MEM, RIG_DATA, 0, 0x11,
              PACKET3(PACKET3_NOP, 15), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
              13, 14, 15, 16, PACKET3(PACKET3_WRITE_DATA, 3), TO_MEM,
              RIG_DATA + 4, 0, 0x22);
    poison(&r, RIG_IB + 0x40);
    rig_call_ib(&r, RIG_IB, 27, 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 0x11);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 4), 0);
    CHECK_HALT(&r, VGPU_CP_POISON, 1);
    rig_recover(&r);
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3), TO_MEM, LO(fb + RIG_DATA + 4),
            HI(fb), 0x600d);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 4), 0x600d);
    rig_stop(&r);
}

/* A wait that was parked before the memory it looks at went bad. */
static void poison_waited_for(void)
{
    struct rig r;

    rig_init(&r);
    RIG_RUN_IB(&r, PACKET3(PACKET3_WAIT_REG_MEM, 5),
               WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) |
               WAIT_REG_MEM_MEM_SPACE(WAIT_REG_MEM_SPACE_MEM),
               RIG_DATA, 0, 1, ~0u, 0);
    CHECK_EQ(rig_halted(&r), VGPU_CP_RUNS);
    poison(&r, RIG_DATA);
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_HALT(&r, VGPU_CP_POISON, 1);
    rig_stop(&r);
}

static void trace_of_a_submission(void)
{
    static const uint32_t want[] = {
        VGPU_STEP_DOORBELL, VGPU_STEP_FETCH, VGPU_STEP_IB_START,
        VGPU_STEP_PARK, VGPU_STEP_WAKE, VGPU_STEP_IB_END, VGPU_STEP_FENCE,
        VGPU_STEP_IH_ENTRY, VGPU_STEP_MSIX,
    };
    uint32_t steps[16];
    struct rig r;
    uint64_t va;
    unsigned i, n;

    rig_init(&r);
    va = rig_fb(&r) + RIG_DATA + 8;
    RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_WAIT_REG_MEM, 5),
              WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_NE) |
              WAIT_REG_MEM_MEM_SPACE(WAIT_REG_MEM_SPACE_MEM),
              RIG_DATA, 0, 0, ~0u, 0);
    mock_wreg(&r.m, VGPU_DBG_TRACE_CNTL, VGPU_DBG_TRACE_CNTL__ENABLE_MASK);
    RIG_RUN(&r, PACKET3(PACKET3_INDIRECT_BUFFER, 2), RIG_IB, 0, 7 | 1 << 24,
            PACKET3(PACKET3_RELEASE_MEM, 6),
            EVENT_TYPE(CACHE_FLUSH_AND_INV_TS_EVENT) |
            EVENT_INDEX(EVENT_INDEX_END_OF_PIPE),
            DATA_SEL(1u) | INT_SEL(2), LO(va), HI(va), 1, 0, 0);
    *rig_vram(&r, RIG_DATA) = 1;
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    n = trace(&r, steps, 16);
    CHECK_EQ(n, sizeof(want) / sizeof(want[0]));
    for (i = 0; i < n && i < sizeof(want) / sizeof(want[0]); i++) {
        CHECK_EQ(steps[i], want[i]);
    }
    rig_stop(&r);
}

static void packets_counted(void)
{
    struct vgpu_die_stats st;
    struct rig r;

    rig_init(&r);
    RIG_RUN(&r, NOP1, PACKET3(PACKET3_NOP, 1), 0, 0, CP_PACKET2,
            PACKET3(PACKET3_PFP_SYNC_ME, 0), 0);
    RIG_RUN_IB(&r, NOP1, NOP1);
    vgpu_die_stats(r.m.die, &st);
    CHECK_EQ(st.pm4_packets, 4 + 3);
    rig_stop(&r);
}

static const struct test tests[] = {
    TEST(ring_test), TEST(reset_values), TEST(halted_until_started),
    TEST(inactive_ring), TEST(wptr_by_register), TEST(wptr_is_64_bits),
    TEST(doorbell_routing), TEST(rptr_write_back_off),
    TEST(rptr_write_back_fault), TEST(no_ring), TEST(wrap), TEST(wrap_nop),
    TEST(incomplete_packet), TEST(packet_larger_than_ring),
    TEST(ring_not_mapped), TEST(ring_vmid), TEST(wptr_shadow),
    TEST(wptr_shadow_fault), TEST(recover_hang), TEST(stuck),
    TEST(recover_by_pipe_reset),
    TEST(set_up_again),
    TEST(recover_with_new_rptr), TEST(vmid_reset), TEST(vmid_reset_by_packet),
    TEST(reset_by_packet), TEST(halt_by_packet), TEST(error_stays),
    TEST(interrupt_gates), TEST(migrate_parked), TEST(migrate_bad),
    TEST(die_reset), TEST(poison_read), TEST(poison_fetched),
    TEST(poison_waited_for), TEST(trace_of_a_submission), TEST(packets_counted),
};

TEST_MAIN(tests)
