/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AQL queues: packets of each type, signals, and what stops a queue.
 */
#include <stdlib.h>

#include "mec-rig.h"

/* The queue of VMID 1 under test, with a ring of 16 packets */
#define Q           0
#define HQD_N       VGPU_HQD(1, 1, 4)
#define PACKETS     ((2u << RIG_URING_SIZE) / VGPU_AQL_PACKET_DWORDS)
/* Offsets in VRAM, and the same in VMID 1 */
#define QUEUE       0x44000u        /* struct vgpu_amd_queue */
#define SIG(i)      (0x45000u + 64u * (i))
#define INACTIVE    SIG(60)
#define MAILBOX(i)  (0x46000u + 8u * (i))

#define AQL_HEADER(type) \
    (HSA_PACKET_HEADER_TYPE(HSA_PACKET_TYPE_##type) | \
     HSA_PACKET_HEADER_BARRIER(1) | \
     HSA_PACKET_HEADER_ACQUIRE_SCOPE(HSA_FENCE_SCOPE_SYSTEM) | \
     HSA_PACKET_HEADER_RELEASE_SCOPE(HSA_FENCE_SCOPE_SYSTEM))

union packet {
    uint32_t dw[VGPU_AQL_PACKET_DWORDS];
    uint16_t header;
    struct vgpu_aql_kernel_dispatch dispatch;
    struct vgpu_aql_agent_dispatch agent;
    struct vgpu_aql_barrier barrier;
    struct vgpu_aql_pm4_ib ib;
    struct vgpu_aql_barrier_value value;
};

_Static_assert(offsetof(struct vgpu_amd_queue, write_dispatch_id) == 56 &&
               offsetof(struct vgpu_amd_queue, read_dispatch_id) == 128 &&
               offsetof(struct vgpu_amd_queue, queue_properties) == 180 &&
               offsetof(struct vgpu_amd_queue, queue_inactive_signal) == 192 &&
               sizeof(struct vgpu_amd_queue) == 256 &&
               sizeof(struct vgpu_amd_signal) == 64,
               "as amd_hsa_queue.h and amd_hsa_signal.h have them");

static struct vgpu_amd_queue *queue(struct rig *r)
{
    return mock_vram(&r->m, QUEUE, sizeof(struct vgpu_amd_queue));
}

static struct vgpu_amd_signal *sig(struct rig *r, unsigned i)
{
    return mock_vram(&r->m, SIG(i), sizeof(struct vgpu_amd_signal));
}

static void sig_init(struct rig *r, unsigned i, int64_t value, uint32_t event)
{
    struct vgpu_amd_signal *s = sig(r, i);

    memset(s, 0, sizeof(*s));
    s->kind = AMD_SIGNAL_KIND_USER;
    s->value = value;
    s->event_id = event;
    s->event_mailbox_ptr = event ? MAILBOX(event) : 0;
}

/* As libhsakmt and amdkfd make it; @drop: the doorbell's value is dropped */
static void aql_init(struct rig *r, bool drop)
{
    uint32_t *m;
    unsigned i;

    mec_rig_init(r);
    m = mec_mqd_init(r, Q, true);
    memset(queue(r), 0, sizeof(struct vgpu_amd_queue));
    queue(r)->read_dispatch_id_field_base_byte_offset =
        offsetof(struct vgpu_amd_queue, read_dispatch_id);
    queue(r)->queue_inactive_signal = INACTIVE;
    sig_init(r, 60, 0, 3);
    m[MQD_DW(cp_hqd_aql_control)] = 1;
    m[MQD_DW(cp_hqd_pq_control)] |= CP_HQD_PQ_CONTROL__NO_UPDATE_RPTR_MASK |
        2 << CP_HQD_PQ_CONTROL__SLOT_BASED_WPTR__SHIFT;
    m[MQD_DW(cp_hqd_pq_doorbell_control)] =
        drop ? CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_BIF_DROP_MASK : 0;
    m[MQD_DW(cp_hqd_pq_rptr_report_addr_lo)] =
        QUEUE + offsetof(struct vgpu_amd_queue, read_dispatch_id);
    m[MQD_DW(cp_hqd_pq_rptr_report_addr_hi)] = 0;
    for (i = 0; i < PACKETS; i++) {
        *rig_vram(r, RIG_URING(Q) + 64 * i) = HSA_PACKET_TYPE_INVALID;
    }
    kiq_map(r, Q, HQD_N, 1);
    CHECK(mec_active(r, HQD_N));
}

static uint32_t *place(struct rig *r, uint64_t index)
{
    return rig_vram(r, RIG_URING(Q) + 64 * (index % PACKETS));
}

/* Reserve, write, publish, ring: HSA's order. */
static void aql_put(struct rig *r, union packet *p)
{
    uint64_t index = (*rig_vram64(r, RIG_UWPTR(Q)))++;
    uint32_t *mem = place(r, index);

    memcpy(mem + 1, p->dw + 1, 60);
    *mem = p->dw[0];
    mock_doorbell(&r->m, RIG_DOOR(Q), index);
    mock_run(&r->m);
}

static void put_barrier(struct rig *r, uint16_t header, uint64_t dep0,
                        uint64_t dep1, uint64_t done)
{
    union packet p = { .barrier = {
        .header = header, .dep_signal = { dep0, 0, dep1 },
        .completion_signal = done,
    } };

    aql_put(r, &p);
}

static void put_ib(struct rig *r, uint32_t off, uint32_t n, uint64_t done)
{
    union packet p = { .ib = {
        .header = AQL_HEADER(VENDOR_SPECIFIC),
        .amd_format = AMD_AQL_FORMAT_PM4_IB,
        .ib_jump_cmd = { PACKET3(PACKET3_INDIRECT_BUFFER, 2), off, 0,
                         n | INDIRECT_BUFFER_VALID },
        .dw_cnt_remain = AMD_AQL_PM4_IB_DW_CNT_REMAIN,
        .completion_signal = done,
    } };

    aql_put(r, &p);
}

static uint64_t taken(struct rig *r)
{
    return queue(r)->read_dispatch_id;
}

/* ------------------------------------------------------------ ring, signals */

static void empty_barrier(void)
{
    bool drop;
    unsigned i;
    struct rig r;

    for (i = 0; i < 2; i++) {
        drop = i;
        aql_init(&r, drop);
        sig_init(&r, 0, 1, 7);
        put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, SIG(0));
        CHECK_EQ(sig(&r, 0)->value, 0);
        CHECK_EQ(*rig_vram64(&r, MAILBOX(7)), 7);
        CHECK_MEC_IRQ(&r, HQD_N, GFX_9_0__SRCID__CP_EOP_INTERRUPT, 1, 7);
        CHECK_EQ(taken(&r), 1);
        CHECK_EQ(*place(&r, 0) & 0xff, HSA_PACKET_TYPE_INVALID);
        CHECK_EQ(mec_rreg(&r, HQD_N, GC(CP_HQD_PQ_RPTR)), 16);
        rig_stop(&r);
    }
}

/* A signal nobody sleeps on is only counted; any value goes down by one. */
static void signals_without_event(void)
{
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, -4, 0);
    sig(&r, 0)->start_ts = 77;
    put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, SIG(0));
    CHECK_EQ(sig(&r, 0)->value, (uint64_t)-5);
    CHECK_EQ(sig(&r, 0)->start_ts, 77);
    CHECK_NO_IRQ(&r);
    rig_stop(&r);
}

static void profiling(void)
{
    struct rig r;

    aql_init(&r, true);
    queue(&r)->queue_properties = AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
    sig_init(&r, 0, 1, 0);
    r.m.now += 1000;
    put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, SIG(0));
    CHECK_EQ(sig(&r, 0)->start_ts, vgpu_gpu_clock(r.m.die));
    CHECK_EQ(sig(&r, 0)->end_ts, vgpu_gpu_clock(r.m.die));
    rig_stop(&r);
}

static void comes_round(void)
{
    unsigned i;
    struct rig r;

    aql_init(&r, false);
    sig_init(&r, 0, 100, 0);
    for (i = 0; i < 100; i++) {
        put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, SIG(0));
        CHECK_EQ(taken(&r), i + 1);
    }
    CHECK_EQ(sig(&r, 0)->value, 0);
    /* A doorbell that is late changes nothing. */
    mock_doorbell(&r.m, RIG_DOOR(Q), 3);
    mock_run(&r.m);
    CHECK_EQ(taken(&r), 100);
    rig_stop(&r);
}

/* A place that is reserved and not written holds up what lies behind it. */
static void invalid_waits(void)
{
    union packet p = { .barrier = { .completion_signal = SIG(0) } };
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, 2, 0);
    *rig_vram64(&r, RIG_UWPTR(Q)) = 1;      /* reserved by another thread */
    put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, SIG(0));
    CHECK_EQ(taken(&r), 0);
    CHECK_EQ(sig(&r, 0)->value, 2);
    memcpy(place(&r, 0) + 1, p.dw + 1, 60);
    *place(&r, 0) = AQL_HEADER(BARRIER_AND);
    mock_settle(&r.m, 100000000);
    CHECK_EQ(taken(&r), 2);
    CHECK_EQ(sig(&r, 0)->value, 0);
    rig_stop(&r);
}

/* More than a ring ahead is nothing. */
static void write_index_out_of_range(void)
{
    struct rig r;

    aql_init(&r, false);
    mock_doorbell(&r.m, RIG_DOOR(Q), PACKETS);
    mock_run(&r.m);
    CHECK_EQ(taken(&r), 0);
    CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_RUNS);
    rig_stop(&r);
}

/* --------------------------------------------------------------- barriers */

static void barrier_and(void)
{
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, 1, 0);
    sig_init(&r, 1, 2, 0);
    sig_init(&r, 2, 1, 0);
    put_barrier(&r, AQL_HEADER(BARRIER_AND), SIG(0), SIG(1), SIG(2));
    CHECK_EQ(taken(&r), 0);
    sig(&r, 0)->value = 0;
    mock_settle(&r.m, 20000000);
    CHECK_EQ(taken(&r), 0);
    /* It has been seen to be 0: what it is later does not matter. */
    sig(&r, 0)->value = 9;
    sig(&r, 1)->value = 0;
    mock_settle(&r.m, 20000000);
    CHECK_EQ(taken(&r), 1);
    CHECK_EQ(sig(&r, 2)->value, 0);

    /* The next one starts from nothing. */
    sig_init(&r, 2, 1, 0);
    put_barrier(&r, AQL_HEADER(BARRIER_AND), SIG(0), SIG(1), SIG(2));
    CHECK_EQ(taken(&r), 1);
    rig_stop(&r);
}

static void barrier_or(void)
{
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, 1, 0);
    sig_init(&r, 1, 2, 0);
    put_barrier(&r, AQL_HEADER(BARRIER_OR), SIG(0), SIG(1), 0);
    CHECK_EQ(taken(&r), 0);
    sig(&r, 1)->value = 0;
    mock_settle(&r.m, 20000000);
    CHECK_EQ(taken(&r), 1);
    put_barrier(&r, AQL_HEADER(BARRIER_OR), 0, 0, 0);
    CHECK_EQ(taken(&r), 2);
    rig_stop(&r);
}

/* Two queues, each waiting for the other in turn. */
static void between_queues(void)
{
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, 1, 0);
    mec_mqd_init(&r, 1, true);
    kiq_map(&r, 1, VGPU_HQD(1, 1, 5), 1);
    put_barrier(&r, AQL_HEADER(BARRIER_AND), SIG(0), 0, 0);
    CHECK_EQ(taken(&r), 0);
    /* A store of the die wakes it: no clock need move. */
    MEC_RUN(&r, 1, PACKET3(PACKET3_WRITE_DATA, 3),
            WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM), SIG(0) + 8, 0, 0);
    CHECK_EQ(taken(&r), 1);
    rig_stop(&r);
}

static void barrier_value(void)
{
    static const struct {
        uint32_t cond;
        int64_t value, ref;
    } holds[] = {
        { HSA_SIGNAL_CONDITION_EQ, 5, 5 }, { HSA_SIGNAL_CONDITION_NE, 5, 6 },
        { HSA_SIGNAL_CONDITION_LT, -1, 0 }, { HSA_SIGNAL_CONDITION_GTE, 5, 5 },
    }, not[] = {
        { HSA_SIGNAL_CONDITION_EQ, 5, 6 }, { HSA_SIGNAL_CONDITION_NE, 5, 5 },
        { HSA_SIGNAL_CONDITION_LT, 5, 5 }, { HSA_SIGNAL_CONDITION_GTE, -1, 0 },
    };
    union packet p = { .value = {
        .header = AQL_HEADER(VENDOR_SPECIFIC),
        .amd_format = AMD_AQL_FORMAT_BARRIER_VALUE,
        .signal = SIG(0), .mask = ~0ull,
    } };
    unsigned i;
    struct rig r;

    for (i = 0; i < 4; i++) {
        aql_init(&r, true);
        sig_init(&r, 0, holds[i].value, 0);
        p.value.cond = holds[i].cond;
        p.value.value = holds[i].ref;
        aql_put(&r, &p);
        CHECK_EQ(taken(&r), 1);
        rig_stop(&r);
        aql_init(&r, true);
        sig_init(&r, 0, not[i].value, 0);
        p.value.cond = not[i].cond;
        p.value.value = not[i].ref;
        aql_put(&r, &p);
        CHECK_EQ(taken(&r), 0);
        CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_RUNS);
        rig_stop(&r);
    }
}

/* ------------------------------------------------------------------- PM4 */

static void pm4_buffer(void)
{
    unsigned n;
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, 1, 5);
    n = RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_WRITE_DATA, 3),
                  WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM), RIG_DATA, 0, 3);
    put_ib(&r, RIG_IB, n, SIG(0));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 3);
    CHECK_EQ(sig(&r, 0)->value, 0);
    CHECK_EQ(taken(&r), 1);
    CHECK_MEC_IRQ(&r, HQD_N, GFX_9_0__SRCID__CP_EOP_INTERRUPT, 1, 5);
    put_ib(&r, RIG_IB, 0, 0);       /* an empty one */
    CHECK_EQ(taken(&r), 2);
    rig_stop(&r);
}

/* Taken off while its buffer waits, it goes on in it. */
static void preempted(void)
{
    unsigned n;
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, 2, 0);
    n = RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_WAIT_REG_MEM, 5),
                  WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) |
                  WAIT_REG_MEM_MEM_SPACE(WAIT_REG_MEM_SPACE_MEM),
                  RIG_DATA, 0, 1, ~0u, 4);
    put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, SIG(0));
    put_ib(&r, RIG_IB, n, SIG(0));
    CHECK_EQ(taken(&r), 1);
    kiq_unmap(&r, Q, UNMAP_QUEUES_PREEMPT);
    CHECK_EQ(mec_mqd(&r, Q)[MQD_DW(cp_mqd_readindex_lo)], 1);
    *rig_vram(&r, RIG_DATA) = 1;
    kiq_map(&r, Q, VGPU_HQD(1, 3, 1), 1);
    mock_settle(&r.m, 20000000);
    CHECK_EQ(taken(&r), 2);
    CHECK_EQ(sig(&r, 0)->value, 0);
    rig_stop(&r);
}

/* By registers, as a driver without a scheduler loads a queue. */
static void loaded_by_registers(void)
{
    uint32_t *m;
    unsigned i;
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, 3, 0);
    put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, SIG(0));
    put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, SIG(0));
    kiq_unmap(&r, Q, UNMAP_QUEUES_PREEMPT);
    m = mec_mqd(&r, Q);
    for (i = 0; i < VGPU_HQD_REGS; i++) {
        mec_wreg(&r, 2, GC(CP_MQD_BASE_ADDR) + i,
                 m[MQD_DW(cp_mqd_base_addr_lo) + i]);
    }
    mec_wreg(&r, 2, GC(CP_HQD_ACTIVE), 1);
    mock_run(&r.m);
    put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, SIG(0));
    CHECK_EQ(taken(&r), 3);
    CHECK_EQ(sig(&r, 0)->value, 0);
    rig_stop(&r);
}

/* -------------------------------------------------------------- dispatches */

static union packet dispatch(uint32_t x, uint32_t y, uint32_t z)
{
    return (union packet) { .dispatch = {
        .header = AQL_HEADER(KERNEL_DISPATCH), .setup = 3,
        .workgroup_size = { 64, 2, 1 }, .grid_size = { x, y, z },
        .kernel_object = 0x40000, .completion_signal = SIG(0),
    } };
}

static void empty_grids(void)
{
    union packet p[] = {
        dispatch(0, 1, 1), dispatch(64, 0, 1), dispatch(1, 1, 0),
    };
    unsigned i;
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, 3, 0);
    for (i = 0; i < 3; i++) {
        aql_put(&r, &p[i]);
        CHECK_EQ(taken(&r), i + 1);
    }
    CHECK_EQ(sig(&r, 0)->value, 0);
    CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_RUNS);
    rig_stop(&r);
}

static uint32_t compute(struct rig *r, uint32_t reg)
{
    return r->m.die->s.mec.hqd[HQD_N].compute[reg -
                                              GC(COMPUTE_DISPATCH_INITIATOR)];
}

/* Until there are compute units, work cannot be done, and is not lost. */
static void work_cannot_be_done(void)
{
    union packet p = dispatch(256, 4, 1);
    uint32_t iv[8];
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, 1, 0);
    aql_put(&r, &p);
    CHECK_EQ(taken(&r), 0);
    CHECK_EQ(sig(&r, 0)->value, 1);
    CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_ILLEGAL_INST);
    CHECK_EQ(sig(&r, 60)->value, VGPU_AQL_ERROR_ILLEGAL_INSTRUCTION);
    CHECK_EQ(compute(&r, GC(COMPUTE_NUM_THREAD_X)), 64);
    CHECK_EQ(compute(&r, GC(COMPUTE_NUM_THREAD_X) + 1), 2);
    CHECK_EQ(compute(&r, GC(COMPUTE_DIM_X)), 256);
    CHECK_EQ(compute(&r, GC(COMPUTE_DIM_X) + 1), 4);
    CHECK(rig_irq(&r, iv));         /* of the inactive signal */
    CHECK_EQ(iv[0] >> 8 & 0xff, GFX_9_0__SRCID__CP_EOP_INTERRUPT);
    CHECK_EQ(iv[4], 3);
    rig_stop(&r);
}

/* ------------------------------------------------------------------ errors */

static void expect_error(union packet p, uint64_t error, uint32_t ecode)
{
    uint32_t iv[8] = { 0 };
    struct rig r;

    aql_init(&r, true);
    sig_init(&r, 0, 1, 0);
    aql_put(&r, &p);
    CHECK_EQ(taken(&r), 0);
    CHECK_EQ(sig(&r, 0)->value, 1);
    CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_BAD_OPCODE);
    CHECK(mec_rreg(&r, HQD_N, GC(CP_HQD_ERROR)) &
          CP_HQD_ERROR__AQL_ERROR_MASK);
    CHECK_EQ(sig(&r, 60)->value, error);
    CHECK_EQ(*rig_vram64(&r, MAILBOX(3)), 3);
    CHECK(rig_irq(&r, iv));
    CHECK_EQ(iv[0] >> 8 & 0xff, GFX_9_0__SRCID__CP_EOP_INTERRUPT);
    CHECK_EQ(iv[4], 3);
    CHECK_MEC_IRQ(&r, HQD_N, GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR, 1,
                  RIG_DOOR(Q) / 2 | ecode << 10);
    /* Others go on. */
    KIQ_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3),
            WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_REG), GC(SCRATCH_REG0), 0, 6);
    CHECK_EQ(mock_rreg(&r.m, GC(SCRATCH_REG0)), 6);
    rig_stop(&r);
}

static void malformed(void)
{
    const union packet barrier = { .barrier = {
        .header = AQL_HEADER(BARRIER_AND), .completion_signal = SIG(0),
    } };
    const union packet ib = { .ib = {
        .header = AQL_HEADER(VENDOR_SPECIFIC),
        .amd_format = AMD_AQL_FORMAT_PM4_IB,
        .ib_jump_cmd = { PACKET3(PACKET3_INDIRECT_BUFFER, 2), RIG_IB, 0, 1 },
        .dw_cnt_remain = AMD_AQL_PM4_IB_DW_CNT_REMAIN,
    } };
    union packet p;

    p = (union packet) { .agent = { .header = AQL_HEADER(AGENT_DISPATCH) } };
    expect_error(p, VGPU_AQL_ERROR_PACKET, VGPU_CP_ECODE_UNSUPPORTED);
    p = barrier;
    p.header = 6;                   /* no such type */
    expect_error(p, VGPU_AQL_ERROR_PACKET, VGPU_CP_ECODE_UNSUPPORTED);
    p = barrier;
    p.header |= 0x8000;
    expect_error(p, VGPU_AQL_ERROR_PACKET, VGPU_CP_ECODE_RESERVED);
    p = barrier;
    p.header |= HSA_PACKET_HEADER_ACQUIRE_SCOPE(3);
    expect_error(p, VGPU_AQL_ERROR_PACKET, VGPU_CP_ECODE_RESERVED);
    p = barrier;
    p.header |= HSA_PACKET_HEADER_RELEASE_SCOPE(3);
    expect_error(p, VGPU_AQL_ERROR_PACKET, VGPU_CP_ECODE_RESERVED);
    p = barrier;
    p.barrier.completion_signal += 8;
    expect_error(p, VGPU_AQL_ERROR_PACKET, VGPU_CP_ECODE_RESERVED);
    p = barrier;
    p.barrier.dep_signal[4] = SIG(1) + 4;
    expect_error(p, VGPU_AQL_ERROR_PACKET, VGPU_CP_ECODE_RESERVED);

    p = dispatch(1, 1, 1);
    p.dispatch.setup = 0;
    expect_error(p, VGPU_AQL_ERROR_DIM, VGPU_CP_ECODE_DISPATCH_DIM);
    p = dispatch(1, 1, 1);
    p.dispatch.setup |= 4;
    expect_error(p, VGPU_AQL_ERROR_DIM, VGPU_CP_ECODE_DISPATCH_DIM);
    p = dispatch(1, 1, 1);
    p.dispatch.workgroup_size[2] = 0;
    expect_error(p, VGPU_AQL_ERROR_DIM, VGPU_CP_ECODE_DISPATCH_DIM);
    p = dispatch(1, 1, 1);
    p.dispatch.kernel_object = 0;
    expect_error(p, VGPU_AQL_ERROR_CODE_OBJECT, VGPU_CP_ECODE_DISPATCH_CODE);
    p = dispatch(1, 1, 1);
    p.dispatch.kernel_object = 0x40020;
    expect_error(p, VGPU_AQL_ERROR_CODE_OBJECT, VGPU_CP_ECODE_DISPATCH_CODE);

    p = ib;
    p.ib.amd_format = 9;
    expect_error(p, VGPU_AQL_ERROR_VENDOR_PACKET,
                 VGPU_CP_ECODE_VENDOR_UNSUPPORTED);
    p = ib;
    p.ib.ib_jump_cmd[0] = PACKET3(PACKET3_NOP, 2);
    expect_error(p, VGPU_AQL_ERROR_VENDOR_PACKET,
                 VGPU_CP_ECODE_VENDOR_UNSUPPORTED);
    p = ib;
    p.ib.ib_jump_cmd[3] |= INDIRECT_BUFFER_CHAIN;
    expect_error(p, VGPU_AQL_ERROR_VENDOR_PACKET,
                 VGPU_CP_ECODE_VENDOR_UNSUPPORTED);
    p = ib;
    p.ib.dw_cnt_remain = 0;
    expect_error(p, VGPU_AQL_ERROR_VENDOR_PACKET,
                 VGPU_CP_ECODE_VENDOR_UNSUPPORTED);
}

/* A bad packet inside of a buffer stops the queue too, and says so. */
static void bad_pm4(void)
{
    struct rig r;

    aql_init(&r, true);
    RIG_STORE(&r, RIG_IB, PACKET3(0xff, 0), 0);
    put_ib(&r, RIG_IB, 2, SIG(0));
    CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_BAD_OPCODE);
    CHECK_EQ(sig(&r, 60)->value, VGPU_AQL_ERROR_VENDOR_PACKET);
    CHECK_EQ(taken(&r), 0);
    rig_stop(&r);
}

/* Faults: of the ring, of a dependency, of the signal to be completed. */
static void faults(void)
{
    struct rig r;

    aql_init(&r, true);
    put_barrier(&r, AQL_HEADER(BARRIER_AND), RIG_HOLE, 0, 0);
    CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_FETCH_FAULT);
    rig_stop(&r);

    aql_init(&r, true);
    put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, RIG_RO);
    CHECK_EQ(taken(&r), 1);
    CHECK_EQ(*rig_vram64(&r, RIG_RO + 8), 0);
    rig_stop(&r);

    aql_init(&r, true);
    mec_wreg(&r, HQD_N, GC(CP_HQD_PQ_BASE), RIG_RO >> 8);
    put_barrier(&r, AQL_HEADER(BARRIER_AND), 0, 0, 0);
    CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_FETCH_FAULT);
    rig_stop(&r);
}

/* What the queue's structure says is a user's word, whatever it is. */
static void hostile_queue_structure(void)
{
    union packet p = { .barrier = { .header = 6 } };
    struct rig r;

    aql_init(&r, true);
    queue(&r)->read_dispatch_id_field_base_byte_offset = 0xfffffff3;
    aql_put(&r, &p);
    CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_BAD_OPCODE);
    rig_stop(&r);

    aql_init(&r, true);
    queue(&r)->queue_inactive_signal = RIG_HOLE;
    aql_put(&r, &p);
    CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_BAD_OPCODE);
    rig_stop(&r);

    aql_init(&r, true);
    sig(&r, 60)->event_mailbox_ptr = MAILBOX(3) + 4;
    aql_put(&r, &p);
    CHECK_EQ(mec_halted_why(&r, HQD_N), VGPU_CP_BAD_OPCODE);
    CHECK_EQ(sig(&r, 60)->value, VGPU_AQL_ERROR_PACKET);
    rig_stop(&r);
}

static const struct test tests[] = {
    TEST(empty_barrier), TEST(signals_without_event), TEST(profiling),
    TEST(comes_round), TEST(invalid_waits), TEST(write_index_out_of_range),
    TEST(barrier_and), TEST(barrier_or), TEST(between_queues),
    TEST(barrier_value), TEST(pm4_buffer), TEST(preempted),
    TEST(loaded_by_registers), TEST(empty_grids), TEST(work_cannot_be_done),
    TEST(malformed), TEST(bad_pm4), TEST(faults),
    TEST(hostile_queue_structure),
};

TEST_MAIN(tests)
