/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware queues: their registers, doorbells, pointers, interrupts and
 * descriptors, and the packets that map and unmap them.
 */
#include <stdlib.h>

#include "mec-rig.h"

#define SCRATCH(n)      (GC(SCRATCH_REG0) + (n))
#define SCRATCH_OFF(n)  (SCRATCH(n) - PACKET3_SET_UCONFIG_REG_START)
#define SET_SCRATCH(n, val) \
    PACKET3(PACKET3_SET_UCONFIG_REG, 1), SCRATCH_OFF(n), (val)
#define WRITE_DATA(va, val) \
    PACKET3(PACKET3_WRITE_DATA, 3), \
    WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM), LO(va), HI(va), (val)
#define WAIT_MEM_EQ(va, val) \
    PACKET3(PACKET3_WAIT_REG_MEM, 5), \
    WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) | \
    WAIT_REG_MEM_MEM_SPACE(WAIT_REG_MEM_SPACE_MEM), \
    LO(va), HI(va), (val), 0xffffffff, 4
#define CALL_IB(va, n, vmid) \
    PACKET3(PACKET3_INDIRECT_BUFFER, 2), LO(va), HI(va), \
    (n) | INDIRECT_BUFFER_VMID(vmid)

/* A queue of the kernel, and one of VMID 1, are descriptors 0 and 1. */
#define KCQ     VGPU_HQD(1, 0, 3)
#define UQ      VGPU_HQD(1, 2, 5)

static void two_queues(struct rig *r)
{
    mec_rig_init(r);
    mec_mqd_init(r, 0, false);
    mec_mqd_init(r, 1, true);
    kiq_map(r, 0, KCQ, 0);
    kiq_map(r, 1, UQ, 1);
    CHECK(mec_active(r, KCQ));
    CHECK(mec_active(r, UQ));
}

/* ------------------------------------------------------------ registers */

/* Every queue has registers of its own; those of me 0 are nobody's. */
static void banks(void)
{
    unsigned n;
    struct rig r;

    rig_init(&r);
    CHECK_EQ(mec_rreg(&r, 0, GC(CP_HQD_PQ_CONTROL)), 0x00308509);
    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        mec_wreg(&r, n, GC(CP_HQD_PQ_BASE), 0x1000 + n);
        mec_wreg(&r, n, GC(CP_HQD_PQ_WPTR_HI), ~n);
    }
    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        CHECK_EQ(mec_rreg(&r, n, GC(CP_HQD_PQ_BASE)), 0x1000 + n);
        CHECK_EQ(mec_rreg(&r, n, GC(CP_HQD_PQ_WPTR_HI)), ~n);
    }
    mec_select(&r, 0, 0, 1);
    mock_wreg(&r.m, GC(CP_HQD_PQ_BASE), 7);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_HQD_PQ_BASE)), 0);
    CHECK_EQ(mec_rreg(&r, 1, GC(CP_HQD_PQ_BASE)), 0x1001);
    rig_stop(&r);
}

/* CPC_INT_CNTL is the enable of the selected pipe. */
static void interrupt_enables(void)
{
    struct rig r;

    rig_init(&r);
    mec_wreg(&r, VGPU_HQD(2, 3, 7), GC(CPC_INT_CNTL), 0x04000000);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_ME2_PIPE3_INT_CNTL)), 0x04000000);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_ME1_PIPE3_INT_CNTL)), 0);
    CHECK_EQ(mec_rreg(&r, VGPU_HQD(2, 3, 0), GC(CPC_INT_CNTL)), 0x04000000);
    CHECK_EQ(mec_rreg(&r, VGPU_HQD(2, 2, 0), GC(CPC_INT_CNTL)), 0);
    rig_stop(&r);
}

/* -------------------------------------------------------------- running */

static void kiq_runs(void)
{
    struct rig r;

    mec_rig_init(&r);
    KIQ_RUN(&r, SET_SCRATCH(0, 0xdeadbeef),
            WRITE_DATA(rig_fb(&r) + RIG_FENCE, 5));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0xdeadbeef);
    CHECK_EQ(*rig_vram(&r, RIG_FENCE), 5);
    CHECK_EQ(*rig_vram(&r, RIG_KIQ_RPTR), 8);
    CHECK_EQ(mec_rreg(&r, KIQ_HQD, GC(CP_HQD_PQ_RPTR)), 8);
    CHECK_EQ(mec_rreg(&r, KIQ_HQD, GC(CP_HQD_PQ_WPTR_LO)), 8);
    rig_stop(&r);
}

/* It comes round, with a packet across the end of the ring. */
static void ring_wraps(void)
{
    unsigned i;
    struct rig r;

    mec_rig_init(&r);
    for (i = 0; i < 300; i++) {
        KIQ_RUN(&r, WRITE_DATA(rig_fb(&r) + RIG_FENCE, i));
        CHECK_EQ(*rig_vram(&r, RIG_FENCE), i);
    }
    CHECK_EQ(*rig_vram(&r, RIG_KIQ_RPTR), 300 * 5 % 1024);
    rig_stop(&r);
}

static void doorbells(void)
{
    struct vgpu_die_stats st;
    uint64_t lost;
    struct rig r;

    two_queues(&r);
    vgpu_die_stats(r.m.die, &st);
    lost = st.lost_doorbells;

    mock_wreg(&r.m, GC(CP_PQ_STATUS), 0);
    MEC_RUN(&r, 0, SET_SCRATCH(0, 1));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0);
    mock_wreg(&r.m, GC(CP_PQ_STATUS), CP_PQ_STATUS__DOORBELL_ENABLE_MASK);
    mock_wreg(&r.m, GC(CP_MEC_DOORBELL_RANGE_LOWER), (RIG_DOOR(0) + 1) << 2);
    mec_ring(&r, 0);
    mock_wreg(&r.m, GC(CP_MEC_DOORBELL_RANGE_LOWER), 0);
    mock_wreg(&r.m, GC(CP_MEC_DOORBELL_RANGE_UPPER), (RIG_DOOR(0) - 1) << 2);
    mec_ring(&r, 0);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0);
    vgpu_die_stats(r.m.die, &st);
    CHECK_EQ(st.lost_doorbells, lost + 3);

    mock_wreg(&r.m, GC(CP_MEC_DOORBELL_RANGE_UPPER), RIG_DOOR(0) << 2);
    mec_ring(&r, 0);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);
    CHECK(mec_rreg(&r, KCQ, GC(CP_HQD_PQ_DOORBELL_CONTROL)) &
          CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_HIT_MASK);

    /* Off by its own enable */
    mec_wreg(&r, KCQ, GC(CP_HQD_PQ_DOORBELL_CONTROL), RIG_DOOR(0) << 2);
    MEC_RUN(&r, 0, SET_SCRATCH(0, 2));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);
    rig_stop(&r);
}

/* Write pointers in memory: one look when told to, or all the time. */
static void write_pointers_in_memory(void)
{
    struct rig r;

    two_queues(&r);
    MEC_PUT(&r, 0, SET_SCRATCH(0, 1));
    mock_run(&r.m);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0);
    mock_wreg(&r.m, GC(CP_PQ_WPTR_POLL_CNTL1), ~(1u << KCQ));
    mock_run(&r.m);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0);
    mock_wreg(&r.m, GC(CP_PQ_WPTR_POLL_CNTL1), 1u << KCQ);
    mock_run(&r.m);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);

    mock_wreg(&r.m, GC(CP_PQ_WPTR_POLL_CNTL),
              CP_PQ_WPTR_POLL_CNTL__EN_MASK);
    mock_run(&r.m);
    MEC_PUT(&r, 0, SET_SCRATCH(0, 2));
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 2);
    rig_stop(&r);
}

/* A fault on the pointer is noted and not looked for again. */
static void write_pointer_fault(void)
{
    struct rig r;

    two_queues(&r);
    mec_wreg(&r, UQ, GC(CP_HQD_PQ_WPTR_POLL_ADDR), RIG_HOLE);
    mock_wreg(&r.m, GC(CP_PQ_WPTR_POLL_CNTL1), 1u << UQ);
    CHECK(mec_rreg(&r, UQ, GC(CP_HQD_ERROR)) &
          CP_HQD_ERROR__WPP_UTCL1_ERROR_MASK);
    MEC_RUN(&r, 1, WRITE_DATA(RIG_DATA, 9));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 9);
    rig_stop(&r);
}

/* Each queue has the registers of its shaders to itself. */
static void compute_registers(void)
{
    uint32_t off = GC(COMPUTE_USER_DATA_0) + 3 - PACKET3_SET_SH_REG_START;
    struct rig r;

    two_queues(&r);
    MEC_RUN(&r, 0, PACKET3(PACKET3_SET_SH_REG, 1), off, 11);
    MEC_RUN(&r, 1, PACKET3(PACKET3_SET_SH_REG, 1), off, 12,
            PACKET3(PACKET3_COPY_DATA, 4),
            PACKET3_COPY_DATA_SRC_SEL(PACKET3_COPY_DATA_SRC_REG) |
            PACKET3_COPY_DATA_DST_SEL(PACKET3_COPY_DATA_DST_MEM),
            GC(COMPUTE_USER_DATA_0) + 3, 0, RIG_DATA, 0);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 12);
    CHECK_EQ(mock_rreg(&r.m, GC(COMPUTE_USER_DATA_0) + 3), 0);
    kiq_unmap(&r, 0, UNMAP_QUEUES_PREEMPT);
    kiq_unmap(&r, 1, UNMAP_QUEUES_PREEMPT);
    CHECK_EQ(mec_mqd(&r, 0)[MQD_DW(compute_user_data_0) + 3], 11);
    CHECK_EQ(mec_mqd(&r, 1)[MQD_DW(compute_user_data_0) + 3], 12);
    rig_stop(&r);
}

/* A fence with an interrupt goes through the end-of-pipe buffer. */
static void end_of_pipe(void)
{
    struct rig r;

    two_queues(&r);
    MEC_RUN(&r, 1, PACKET3(PACKET3_RELEASE_MEM, 6),
            EVENT_TYPE(CACHE_FLUSH_AND_INV_TS_EVENT) |
            EVENT_INDEX(EVENT_INDEX_END_OF_PIPE),
            DATA_SEL(RELEASE_MEM_DATA_64) |
            INT_SEL(RELEASE_MEM_INT_AFTER_CONFIRM),
            RIG_DATA, 0, 0x55, 0x66, 0x1234);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 0x6600000055ull);
    CHECK_MEC_IRQ(&r, UQ, GFX_9_0__SRCID__CP_EOP_INTERRUPT, 1, 0x1234);
    CHECK_EQ(mec_rreg(&r, UQ, GC(CP_HQD_EOP_WPTR)) &
             CP_HQD_EOP_WPTR__WPTR_MASK, 0);    /* a buffer of two dwords */
    mec_wreg(&r, UQ, GC(CP_HQD_EOP_CONTROL), 6);
    MEC_RUN(&r, 1, PACKET3(PACKET3_RELEASE_MEM, 6),
            EVENT_TYPE(CACHE_FLUSH_AND_INV_TS_EVENT) |
            EVENT_INDEX(EVENT_INDEX_END_OF_PIPE), 0, 0, 0, 0, 0, 0);
    CHECK_EQ(mec_rreg(&r, UQ, GC(CP_HQD_EOP_WPTR)) &
             CP_HQD_EOP_WPTR__WPTR_MASK, 8);
    CHECK_EQ(mec_rreg(&r, UQ, GC(CP_HQD_EOP_RPTR)) &
             CP_HQD_EOP_RPTR__RPTR_MASK, 8);
    rig_stop(&r);
}

/* How a kernel queue without fences signals: by setting a generic bit. */
static void generic_interrupt(void)
{
    struct rig r;

    mec_rig_init(&r);
    KIQ_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3),
            WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_REG), GC(CPC_INT_STATUS), 0,
            CPC_INT_STATUS__GENERIC2_INT_STATUS_MASK);
    CHECK_MEC_IRQ(&r, KIQ_HQD, GFX_9_0__SRCID__CP_IB2_INTERRUPT_PKT, 0, 0);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_ME2_PIPE1_INT_STATUS)),
             CPC_INT_STATUS__GENERIC2_INT_STATUS_MASK);
    mec_wreg(&r, KIQ_HQD, GC(CPC_INT_STATUS),
             CPC_INT_STATUS__GENERIC2_INT_STATUS_MASK);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_ME2_PIPE1_INT_STATUS)), 0);
    CHECK_NO_IRQ(&r);
    rig_stop(&r);
}

/* --------------------------------------------------------------- errors */

/* A halted queue is alone: the interrupt names it, others go on. */
static void errors_are_its_own(void)
{
    static const uint32_t gfx_only[] = {
        PACKET3_CLEAR_STATE, PACKET3_SET_CONTEXT_REG, PACKET3_PFP_SYNC_ME,
        PACKET3_CONTEXT_CONTROL, PACKET3_SET_PREDICATION,
        PACKET3_INDIRECT_BUFFER_CONST, PACKET3_PREAMBLE_CNTL,
        PACKET3_FRAME_CONTROL, PACKET3_DRAW_INDEX_AUTO, 0xff,
    };
    unsigned i;
    struct rig r;

    for (i = 0; i < sizeof(gfx_only) / sizeof(gfx_only[0]); i++) {
        two_queues(&r);
        MEC_RUN(&r, 1, PACKET3(gfx_only[i], 2), 0, 0, 0);
        CHECK_EQ(mec_halted_why(&r, UQ), VGPU_CP_BAD_OPCODE);
        /* Its doorbell is the 17th of the page, counted from 0. */
        CHECK_MEC_IRQ(&r, UQ, GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR, 1,
                      RIG_DOOR(1) / 2);
        /* A report says what it stands at; the other MEC has not had it. */
        CHECK_EQ(mec_rreg(&r, UQ, GC(CP_MEC_ME1_HEADER_DUMP)),
                 PACKET3(gfx_only[i], 2));
        CHECK_EQ(mec_rreg(&r, UQ, GC(CP_MEC_ME2_HEADER_DUMP)), 0);
        MEC_RUN(&r, 0, SET_SCRATCH(0, 4));
        CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 4);
        KIQ_RUN(&r, SET_SCRATCH(1, 5));
        CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 5);
        rig_stop(&r);
    }
}

/* A halted queue runs again once it has been reset and mapped anew. */
static void halted_queue_is_reset(void)
{
    struct rig r;

    two_queues(&r);
    MEC_RUN(&r, 1, PACKET3(0xff, 0), 0);
    CHECK_MEC_IRQ(&r, UQ, GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR, 1,
                  RIG_DOOR(1) / 2);
    kiq_unmap(&r, 1, UNMAP_QUEUES_RESET);
    CHECK(!mec_active(&r, UQ));
    mec_mqd_init(&r, 1, true);
    kiq_map(&r, 1, UQ, 1);
    MEC_RUN(&r, 1, WRITE_DATA(RIG_DATA, 3));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 3);
    rig_stop(&r);
}

/* What a user's queue may not reach, in its ring and in its buffers. */
static void user_queue_is_confined(void)
{
    unsigned n;
    struct rig r;

    two_queues(&r);
    MEC_RUN(&r, 1, PACKET3(PACKET3_WRITE_DATA, 3),
            WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_REG),
            GC(RLC_CP_SCHEDULERS), 0, 0);
    CHECK_EQ(mec_halted_why(&r, UQ), VGPU_CP_REG_VIOLATION);
    CHECK_MEC_IRQ(&r, UQ, GFX_9_0__SRCID__CP_PRIV_REG_FAULT, 1,
                  RIG_DOOR(1) / 2);
    rig_stop(&r);

    /* The packet's VMID is not a user's to choose. */
    two_queues(&r);
    n = RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_WRITE_DATA, 3),
                  WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_REG),
                  GC(CP_HQD_VMID), 0, 0);
    MEC_RUN(&r, 1, CALL_IB(RIG_IB, n, 0));
    CHECK_EQ(mec_halted_why(&r, UQ), VGPU_CP_REG_VIOLATION);
    CHECK_MEC_IRQ(&r, UQ, GFX_9_0__SRCID__CP_PRIV_REG_FAULT, 1,
                  RIG_DOOR(1) / 2);
    rig_stop(&r);

    /* The kernel's is: it calls users' buffers. */
    two_queues(&r);
    n = RIG_STORE(&r, RIG_IB, WRITE_DATA(RIG_DATA, 8));
    MEC_RUN(&r, 0, CALL_IB(RIG_IB, n, 1));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 8);
    rig_stop(&r);
}

/* A MEC has one level of indirect buffers; they may chain. */
static void one_level(void)
{
    unsigned n;
    struct rig r;

    two_queues(&r);
    RIG_STORE(&r, RIG_IB + 0x100, WRITE_DATA(RIG_DATA, 8));
    n = RIG_STORE(&r, RIG_IB, CALL_IB(RIG_IB + 0x100,
                                      5 | INDIRECT_BUFFER_CHAIN, 1));
    MEC_RUN(&r, 1, CALL_IB(RIG_IB, n, 1));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 8);
    RIG_STORE(&r, RIG_IB, CALL_IB(RIG_IB + 0x100, 5, 1));
    MEC_RUN(&r, 1, CALL_IB(RIG_IB, n, 1));
    CHECK_EQ(mec_halted_why(&r, UQ), VGPU_CP_BAD_OPCODE);
    rig_stop(&r);
}

static void ring_not_mapped(void)
{
    struct rig r;

    mec_rig_init(&r);
    mec_mqd_init(&r, 1, true)[MQD_DW(cp_hqd_pq_base_lo)] = RIG_HOLE >> 8;
    kiq_map(&r, 1, UQ, 1);
    mock_doorbell(&r.m, RIG_DOOR(1), 4);
    mock_run(&r.m);
    CHECK_EQ(mec_halted_why(&r, UQ), VGPU_CP_FETCH_FAULT);
    CHECK(mec_rreg(&r, UQ, GC(CP_HQD_ERROR)) &
          CP_HQD_ERROR__PQ_UTCL1_ERROR_MASK);
    rig_stop(&r);
}

/* Whatever size a descriptor gives, the ring is one. */
static void odd_sizes(void)
{
    uint32_t size;
    struct rig r;

    for (size = 0; size < 64; size += 7) {
        mec_rig_init(&r);
        mec_mqd_init(&r, 1, true)[MQD_DW(cp_hqd_pq_control)] = size;
        kiq_map(&r, 1, UQ, 1);
        MEC_RUN(&r, 1, PACKET3(PACKET3_NOP, 0x3fff));
        mock_doorbell(&r.m, RIG_DOOR(1), ~0ull);
        mock_settle(&r.m, 1000000);
        CHECK(mec_active(&r, KIQ_HQD));
        rig_stop(&r);
    }
}

/* --------------------------------------------------------- descriptors */

static void descriptor_round_trip(void)
{
    uint32_t *m, want[VGPU_MQD_DWORDS];
    unsigned i;
    struct rig r;

    mec_rig_init(&r);
    m = mec_mqd_init(&r, 1, true);
    /* All that hardware keeps and nothing acts on comes back as it was. */
    for (i = MQD_DW(compute_dispatch_initiator);
         i <= MQD_DW(compute_wave_restore_addr_hi); i++) {
        m[i] = 0x1000 + i;
    }
    for (i = 0; i < 4; i++) {
        m[MQD_DW(compute_static_thread_mgmt_se4) + i] = 0x2000 + i;
    }
    for (i = 0; i < 16; i++) {
        m[MQD_DW(compute_user_data_0) + i] = 0x3000 + i;
    }
    m[MQD_DW(cp_hqd_ctx_save_base_addr_lo)] = 0x4000;
    m[MQD_DW(cp_hqd_quantum)] = 0x111;
    m[MQD_DW(cp_hqd_aql_control)] = 0;
    m[MQD_DW(dynamic_cu_mask_addr_lo)] = 0x77;
    memcpy(want, m, sizeof(want));
    kiq_map(&r, 1, UQ, 1);
    CHECK_EQ(mec_rreg(&r, UQ, GC(CP_HQD_QUANTUM)), 0x111);
    CHECK_EQ(mec_rreg(&r, UQ, GC(CP_HQD_VMID)), 1);
    MEC_RUN(&r, 1, PACKET2(0), PACKET2(0), PACKET2(0));
    kiq_unmap(&r, 1, UNMAP_QUEUES_PREEMPT);

    want[MQD_DW(cp_mqd_base_addr_lo)] = LO(rig_fb(&r) + RIG_MQD(1));
    want[MQD_DW(cp_mqd_base_addr_hi)] = HI(rig_fb(&r) + RIG_MQD(1));
    want[MQD_DW(cp_hqd_vmid)] = 1;
    want[MQD_DW(cp_hqd_pq_rptr)] = 3;
    want[MQD_DW(cp_hqd_pq_wptr_lo)] = 3;
    want[MQD_DW(cp_hqd_pq_wptr_poll_addr_lo)] = RIG_UWPTR(1);
    want[MQD_DW(cp_hqd_pq_doorbell_control)] = RIG_DOOR(1) << 2 |
        CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_EN_MASK |
        CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_HIT_MASK;
    for (i = 0; i < VGPU_MQD_DWORDS; i++) {
        if (m[i] != want[i]) {
            fprintf(stderr, "# dword %u\n", i);
        }
        CHECK_EQ(m[i], want[i]);
    }
    CHECK(!mec_active(&r, UQ));
    rig_stop(&r);
}

/* What rang while the queue was off is found when it comes back. */
static void doorbell_while_unmapped(void)
{
    struct rig r;

    two_queues(&r);
    MEC_RUN(&r, 1, WRITE_DATA(RIG_DATA, 1));
    kiq_unmap(&r, 1, UNMAP_QUEUES_PREEMPT);
    MEC_RUN(&r, 1, WRITE_DATA(RIG_DATA, 2));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    kiq_map(&r, 1, VGPU_HQD(2, 3, 7), 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 2);
    CHECK_EQ(*rig_vram(&r, RIG_URPTR(1)), 10);
    rig_stop(&r);
}

/*
 * A queue that waits inside an indirect buffer is taken off and goes on, on
 * another hardware queue: what was before the wait is not done twice.
 */
static void preempted_in_a_buffer(void)
{
    uint32_t *m;
    unsigned n;
    struct rig r;

    two_queues(&r);
    n = RIG_STORE(&r, RIG_IB,
                  PACKET3(PACKET3_ATOMIC_MEM, 7),
                  PACKET3_ATOMIC_MEM_ATOMIC(TC_OP_ATOMIC_ADD_RTN_32),
                  RIG_DATA, 0, 1, 0, 0, 0, 0,
                  WAIT_MEM_EQ(RIG_DATA + 8, 7),
                  WRITE_DATA(RIG_DATA + 16, 6));
    MEC_RUN(&r, 1, CALL_IB(RIG_IB, n, 0), WRITE_DATA(RIG_DATA + 24, 5));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    kiq_unmap(&r, 1, UNMAP_QUEUES_PREEMPT);
    m = mec_mqd(&r, 1);
    CHECK_EQ(m[MQD_DW(cp_hqd_ib_base_addr_lo)], RIG_IB);
    CHECK_EQ(m[MQD_DW(cp_hqd_ib_rptr)], 9);
    CHECK_EQ(m[MQD_DW(cp_hqd_ib_control)] & CP_HQD_IB_CONTROL__IB_SIZE_MASK, n);
    CHECK(m[MQD_DW(cp_hqd_ib_control)] &
          CP_HQD_IB_CONTROL__PROCESSING_IB_MASK);
    *rig_vram(&r, RIG_DATA + 8) = 7;
    kiq_map(&r, 1, VGPU_HQD(1, 3, 0), 1);
    mock_settle(&r.m, 100000000);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 16), 6);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 24), 5);
    rig_stop(&r);
}

/* A reset drops the buffer and keeps the ring behind its call. */
static void reset_in_a_buffer(void)
{
    unsigned n;
    struct rig r;

    two_queues(&r);
    n = RIG_STORE(&r, RIG_IB, WAIT_MEM_EQ(RIG_DATA + 8, 7),
                  WRITE_DATA(RIG_DATA + 16, 6));
    MEC_RUN(&r, 1, CALL_IB(RIG_IB, n, 0), WRITE_DATA(RIG_DATA + 24, 5));
    kiq_unmap(&r, 1, UNMAP_QUEUES_RESET);
    kiq_map(&r, 1, UQ, 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 16), 0);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 24), 5);
    rig_stop(&r);
}

/* Given a new write pointer, it stays mapped and drops all before that. */
static void preempted_and_updated(void)
{
    struct rig r;

    two_queues(&r);
    MEC_RUN(&r, 1, WAIT_MEM_EQ(RIG_DATA + 8, 7), WRITE_DATA(RIG_DATA, 6));
    KIQ_RUN(&r, PACKET3(PACKET3_UNMAP_QUEUES, 4),
            PACKET3_UNMAP_QUEUES_ACTION(UNMAP_QUEUES_PREEMPT_NO_UNMAP) |
            PACKET3_UNMAP_QUEUES_NUM_QUEUES(1),
            PACKET3_UNMAP_QUEUES_DOORBELL_OFFSET0(RIG_DOOR(1)),
            PACKET3_UNMAP_QUEUES_RB_WPTR(12), 0, 0);
    CHECK(mec_active(&r, UQ));
    CHECK_EQ(mec_rreg(&r, UQ, GC(CP_HQD_PQ_RPTR)), 12);
    MEC_RUN(&r, 1, WRITE_DATA(RIG_DATA + 4, 3));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 0);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 4), 3);
    rig_stop(&r);
}

static void dequeue_requests(void)
{
    unsigned how;
    struct rig r;

    for (how = HQD_DEQUEUE_DRAIN; how <= HQD_DEQUEUE_SAVE; how++) {
        two_queues(&r);
        MEC_RUN(&r, 1, WRITE_DATA(RIG_DATA, 1), WAIT_MEM_EQ(RIG_DATA, 2));
        mec_wreg(&r, UQ, GC(CP_HQD_DEQUEUE_REQUEST), how);
        CHECK(!mec_active(&r, UQ));
        CHECK_EQ(mec_rreg(&r, UQ, GC(CP_HQD_DEQUEUE_REQUEST)), 0);
        CHECK_EQ(mec_mqd(&r, 1)[MQD_DW(cp_hqd_pq_rptr)], 5);
        *rig_vram(&r, RIG_DATA) = 2;
        mec_wreg(&r, UQ, GC(CP_HQD_ACTIVE), 1);
        mock_run(&r.m);
        CHECK_EQ(mec_rreg(&r, UQ, GC(CP_HQD_PQ_RPTR)), 12);
        rig_stop(&r);
    }
}

/* A kernel queue may take itself off: when the packet is over. */
static void dequeues_itself(void)
{
    struct rig r;

    two_queues(&r);
    KIQ_RUN(&r, PACKET3(PACKET3_UNMAP_QUEUES, 4),
            PACKET3_UNMAP_QUEUES_NUM_QUEUES(1),
            PACKET3_UNMAP_QUEUES_DOORBELL_OFFSET0(RIG_KIQ_DOOR), 0, 0, 0,
            SET_SCRATCH(0, 3));
    CHECK(!mec_active(&r, KIQ_HQD));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0);
    CHECK_EQ(((uint32_t *)mock_vram(&r.m, RIG_KIQ_MQD, 2048))
             [MQD_DW(cp_hqd_pq_rptr)],
             *rig_vram64(&r, RIG_KIQ_WPTR) - 3);
    mec_wreg(&r, KIQ_HQD, GC(CP_HQD_ACTIVE), 1);
    mock_run(&r.m);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 3);
    rig_stop(&r);
}

/* A descriptor that is not there: the fault is all that happens. */
static void descriptor_fault(void)
{
    uint64_t va;
    struct rig r;

    mec_rig_init(&r);
    va = rig_nowhere(&r);
    KIQ_RUN(&r, PACKET3(PACKET3_MAP_QUEUES, 5),
            PACKET3_MAP_QUEUES_NUM_QUEUES(1), RIG_DOOR(0) << 2, LO(va), HI(va),
            0, 0, SET_SCRATCH(0, 2));
    CHECK(!mec_active(&r, 0));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 2);
    rig_stop(&r);
}

/* ---------------------------------------------------------- management */

/* Only a queue that RLC_CP_SCHEDULERS names has these packets. */
static void only_schedulers(void)
{
    static const struct {
        uint32_t op, n;
    } p[] = {
        { PACKET3_SET_RESOURCES, 7 }, { PACKET3_MAP_QUEUES, 6 },
        { PACKET3_UNMAP_QUEUES, 5 }, { PACKET3_QUERY_STATUS, 6 },
        { PACKET3_RUN_LIST, 3 }, { PACKET3_INVALIDATE_TLBS, 1 },
    };
    uint32_t dw[8] = { 0 };
    unsigned i;
    struct rig r;

    for (i = 0; i < sizeof(p) / sizeof(p[0]); i++) {
        two_queues(&r);
        dw[0] = PACKET3(p[i].op, p[i].n - 1);
        mec_put(&r, 0, dw, 1 + p[i].n);
        mec_ring(&r, 0);
        CHECK_EQ(mec_halted_why(&r, KCQ), VGPU_CP_BAD_OPCODE);
        /* nor a user's buffer that the KIQ calls */
        rig_store(&r, RIG_IB, dw, 1 + p[i].n);
        KIQ_RUN(&r, CALL_IB(RIG_IB, 1 + p[i].n, 1));
        CHECK_EQ(mec_halted_why(&r, KIQ_HQD), VGPU_CP_BAD_OPCODE);
        rig_stop(&r);
    }
}

#define BAD_KIQ(...) do { \
    struct rig r_; \
    two_queues(&r_); \
    KIQ_RUN(&r_, __VA_ARGS__); \
    CHECK_EQ(mec_halted_why(&r_, KIQ_HQD), VGPU_CP_RESERVED_BITS); \
    CHECK_MEC_IRQ(&r_, KIQ_HQD, GFX_9_0__SRCID__CP_PM4_PKT_RSVD_BIT_ERROR, 0, \
                  RIG_KIQ_DOOR); \
    rig_stop(&r_); \
} while (0)

static void malformed(void)
{
    const uint32_t one = PACKET3_MAP_QUEUES_NUM_QUEUES(1);

    BAD_KIQ(PACKET3(PACKET3_MAP_QUEUES, 5), 0, 0, 0, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_MAP_QUEUES, 5), one << 1, 0, 0, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_MAP_QUEUES, 5), one | 1 << 4, 0, 0, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_MAP_QUEUES, 5), one | 4 << 26, 0, 0, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_MAP_QUEUES, 5), one, 0, 2, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_MAP_QUEUES, 5), one, 0, 0, 0, 4, 0);
    BAD_KIQ(PACKET3(PACKET3_UNMAP_QUEUES, 4), 0, 0, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_UNMAP_QUEUES, 4), 5u << 29, 0, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_UNMAP_QUEUES, 4), 2u << 29 | 3, 0, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_UNMAP_QUEUES, 4), 2u << 4 | 2, 0, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_QUERY_STATUS, 5), 3u << 28 | 1u << 30, 0, 0, 0, 0,
            0);
    BAD_KIQ(PACKET3(PACKET3_QUERY_STATUS, 5), 1u << 30, 0, 4, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_INVALIDATE_TLBS, 0), 0);
    BAD_KIQ(PACKET3(PACKET3_SET_RESOURCES, 6), 2u << 29, 0, 0, 0, 0, 0, 0);
    BAD_KIQ(PACKET3(PACKET3_RUN_LIST, 2), 0, 0, 4);
    BAD_KIQ(PACKET3(PACKET3_RUN_LIST, 2), 1, 0, 4 | 1 << 23);
}

static void query_status(void)
{
    uint64_t va;
    struct rig r;

    mec_rig_init(&r);
    va = rig_fb(&r) + RIG_FENCE;
    KIQ_RUN(&r, PACKET3(PACKET3_QUERY_STATUS, 5),
            PACKET3_QUERY_STATUS_COMMAND(QUERY_STATUS_FENCE_CONFIRM), 0,
            LO(va), HI(va), 0x11, 0x22);
    CHECK_EQ(*rig_vram64(&r, RIG_FENCE), 0x2200000011ull);
    CHECK_NO_IRQ(&r);
    KIQ_RUN(&r, PACKET3(PACKET3_QUERY_STATUS, 5),
            PACKET3_QUERY_STATUS_COMMAND(QUERY_STATUS_FENCE_INTERRUPT) |
            PACKET3_QUERY_STATUS_CONTEXT_ID(0xabc), 0, LO(va), HI(va), 0x33, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_FENCE), 0x33);
    CHECK_MEC_IRQ(&r, KIQ_HQD, GFX_9_0__SRCID__CP_COMPUTE_QUERY_STATUS, 0,
                  0xabc);
    KIQ_RUN(&r, PACKET3(PACKET3_QUERY_STATUS, 5),
            PACKET3_QUERY_STATUS_CONTEXT_ID(0xdef), 0, LO(va), HI(va), 0x44, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_FENCE), 0x33);
    CHECK_MEC_IRQ(&r, KIQ_HQD, GFX_9_0__SRCID__CP_COMPUTE_QUERY_STATUS, 0,
                  0xdef);
    rig_stop(&r);
}

/* The HIQ is named while it is mapped, and has the packets then. */
static void hiq(void)
{
    uint64_t fb;
    struct rig r;

    mec_rig_init(&r);
    fb = rig_fb(&r);
    mec_mqd_init(&r, 0, false);
    KIQ_RUN(&r, PACKET3(PACKET3_MAP_QUEUES, 5),
            PACKET3_MAP_QUEUES_QUEUE(0) | PACKET3_MAP_QUEUES_PIPE(1) |
            PACKET3_MAP_QUEUES_ENGINE_SEL(QUEUES_ENGINE_HIQ) |
            PACKET3_MAP_QUEUES_NUM_QUEUES(1), RIG_DOOR(0) << 2,
            LO(fb + RIG_MQD(0)), HI(fb + RIG_MQD(0)), 0, 0);
    CHECK_EQ(mock_rreg(&r.m, GC(RLC_CP_SCHEDULERS)),
             0x80 | 2 << 5 | 1 << 3 | (0x80 | 1 << 5 | 1 << 3) << 8);
    MEC_RUN(&r, 0, PACKET3(PACKET3_QUERY_STATUS, 5),
            PACKET3_QUERY_STATUS_COMMAND(QUERY_STATUS_FENCE), 0,
            LO(fb + RIG_FENCE), HI(fb + RIG_FENCE), 9, 0);
    CHECK_EQ(*rig_vram(&r, RIG_FENCE), 9);
    kiq_unmap(&r, 0, UNMAP_QUEUES_RESET);
    CHECK_EQ(mock_rreg(&r.m, GC(RLC_CP_SCHEDULERS)), 0x80 | 2 << 5 | 1 << 3);
    rig_stop(&r);
}

/* --------------------------------------------------- halts, resets, state */

static void halt_and_reset(void)
{
    struct rig r;

    two_queues(&r);
    mock_wreg(&r.m, GC(CP_MEC_CNTL), CP_MEC_CNTL__MEC_ME1_HALT_MASK);
    MEC_RUN(&r, 0, SET_SCRATCH(0, 1));
    KIQ_RUN(&r, SET_SCRATCH(1, 2));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 2);   /* on the other MEC */
    mock_wreg(&r.m, GC(CP_MEC_CNTL), 0);
    mock_run(&r.m);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);

    mock_wreg(&r.m, GC(CP_MEC_CNTL), CP_MEC_CNTL__MEC_ME1_PIPE2_RESET_MASK);
    CHECK(!mec_active(&r, UQ));
    CHECK(mec_active(&r, KCQ));
    mock_wreg(&r.m, GC(GRBM_SOFT_RESET), GRBM_SOFT_RESET__SOFT_RESET_CPC_MASK);
    CHECK(!mec_active(&r, KCQ));
    CHECK(!mec_active(&r, KIQ_HQD));
    rig_stop(&r);
}

/* A mode 2 reset takes all queues and halts both MECs. */
static void mode2_reset(void)
{
    struct rig r;

    two_queues(&r);
    MEC_RUN(&r, 1, WAIT_MEM_EQ(RIG_DATA, 7));
    vgpu_lock(r.m.die);
    vgpu_die_request_reset(r.m.die, VGPU_RESET_MODE2);
    vgpu_die_reset_requested(r.m.die);
    vgpu_unlock(r.m.die);
    CHECK(!mec_active(&r, UQ));
    CHECK(!mec_active(&r, KIQ_HQD));
    CHECK_EQ(mock_rreg(&r.m, GC(CP_MEC_CNTL)), 0x50000000);
    CHECK_EQ(mec_rreg(&r, UQ, GC(CP_HQD_PQ_CONTROL)), 0x00308509);
    *rig_vram(&r, RIG_DATA) = 7;
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    rig_stop(&r);
}

/* Who reads poison is halted, and nobody else. */
static void poison_is_its_own(void)
{
    struct rig r;

    two_queues(&r);
    *rig_vram(&r, RIG_DATA) = 7;
    vgpu_lock(r.m.die);
    CHECK(vgpu_ras_poison(r.m.die, RIG_DATA));
    vgpu_unlock(r.m.die);
    MEC_RUN(&r, 1, WAIT_MEM_EQ(RIG_DATA, 7), WRITE_DATA(RIG_DATA + 0x80, 5));
    CHECK_EQ(mec_halted_why(&r, UQ), VGPU_CP_POISON);
    CHECK_MEC_IRQ(&r, UQ, GFX_9_0__SRCID__CP_ECC_ERROR, 1, RIG_DOOR(1) / 2);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 0x80), 0);
    MEC_RUN(&r, 0, SET_SCRATCH(0, 4));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 4);
    kiq_unmap(&r, 1, UNMAP_QUEUES_RESET);
    mec_mqd_init(&r, 1, true);
    kiq_map(&r, 1, UQ, 1);
    MEC_RUN(&r, 1, WRITE_DATA(RIG_DATA + 0x80, 3));
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 0x80), 3);
    rig_stop(&r);
}

/* CP_VMID_RESET ends what runs in an address space, here as well. */
static void vmid_reset(void)
{
    unsigned n;
    struct rig r;

    two_queues(&r);
    n = RIG_STORE(&r, RIG_IB, WAIT_MEM_EQ(RIG_DATA + 8, 7));
    MEC_RUN(&r, 1, CALL_IB(RIG_IB, n, 0), WRITE_DATA(RIG_DATA, 5));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 0);
    mock_wreg(&r.m, GC(CP_VMID_RESET), 1 << 1);
    mock_run(&r.m);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 5);
    rig_stop(&r);
}

static void migrates(void)
{
    unsigned n;
    size_t len;
    void *buf;
    struct rig r;

    two_queues(&r);
    n = RIG_STORE(&r, RIG_IB, WAIT_MEM_EQ(RIG_DATA + 8, 7),
                  WRITE_DATA(RIG_DATA + 16, 6));
    MEC_RUN(&r, 1, CALL_IB(RIG_IB, n, 0), WRITE_DATA(RIG_DATA + 24, 5));
    len = vgpu_die_state_size(r.m.die);
    buf = malloc(len);
    vgpu_die_state_save(r.m.die, buf);
    vgpu_die_reset(r.m.die);
    CHECK(!mec_active(&r, UQ));
    CHECK(vgpu_die_state_load(r.m.die, buf, len));
    free(buf);
    *rig_vram(&r, RIG_DATA + 8) = 7;
    mock_settle(&r.m, 100000000);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 16), 6);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 24), 5);
    MEC_RUN(&r, 1, WRITE_DATA(RIG_DATA, 8));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 8);
    rig_stop(&r);
}

static bool loads(struct rig *r, const uint8_t *buf, size_t len)
{
    return vgpu_die_state_load(r->m.die, buf, len);
}

static void bad_state(void)
{
    struct vgpu_die_state *s;
    size_t len;
    uint8_t *buf;
    struct rig r;

    two_queues(&r);
    len = vgpu_die_state_size(r.m.die);
    buf = malloc(len);
    vgpu_die_state_save(r.m.die, buf);
    s = malloc(sizeof(*s));
    memcpy(s, buf + len - sizeof(*s), sizeof(*s));
#define BAD(member, val) do { \
    struct vgpu_die_state *t_ = malloc(sizeof(*t_)); \
    memcpy(t_, s, sizeof(*t_)); \
    t_->mec.member = (val); \
    memcpy(buf + len - sizeof(*t_), t_, sizeof(*t_)); \
    CHECK(!loads(&r, buf, len)); \
    free(t_); \
} while (0)
    BAD(hqd[UQ].pm4.level, 2);
    BAD(hqd[UQ].pm4.halted, VGPU_CP_NUM_HALTS);
    BAD(hqd[UQ].pm4.ib[0].pos, 1);
    BAD(hqd[63].pasid, 0x10000);
    BAD(hqd[63].in_packet, 2);
    BAD(hqd[63].flags, 4);
    BAD(hws.pasid[15], 0x10000);
    BAD(hws.mapped, 3);
    BAD(hws.active, 2);
    BAD(hws.vmid_mask, 0x10000);
    memcpy(buf + len - sizeof(*s), s, sizeof(*s));
    CHECK(loads(&r, buf, len));
    free(s);
    free(buf);
    rig_stop(&r);
}

static const struct test tests[] = {
    TEST(banks), TEST(interrupt_enables), TEST(kiq_runs), TEST(ring_wraps),
    TEST(doorbells), TEST(write_pointers_in_memory),
    TEST(write_pointer_fault), TEST(compute_registers), TEST(end_of_pipe),
    TEST(generic_interrupt), TEST(errors_are_its_own),
    TEST(halted_queue_is_reset), TEST(user_queue_is_confined),
    TEST(one_level), TEST(ring_not_mapped), TEST(odd_sizes),
    TEST(descriptor_round_trip), TEST(doorbell_while_unmapped),
    TEST(preempted_in_a_buffer), TEST(reset_in_a_buffer),
    TEST(preempted_and_updated), TEST(dequeue_requests),
    TEST(dequeues_itself), TEST(descriptor_fault), TEST(only_schedulers),
    TEST(malformed), TEST(query_status), TEST(hiq), TEST(halt_and_reset),
    TEST(mode2_reset), TEST(poison_is_its_own), TEST(vmid_reset),
    TEST(migrates), TEST(bad_state),
};

TEST_MAIN(tests)
