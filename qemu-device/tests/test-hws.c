/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run lists: processes and their queues on fewer address spaces and hardware
 * queues than there are, and lists that are not what they should be.
 */
#include <stdlib.h>

#include "mec-rig.h"
#include "hw/doorbell.h"
#include "hw/sdma.h"
#include "hw/reg/sdma.h"

#define QUEUES_MASK     0x00000000ffffff00ull   /* pipes 1 to 3 of MEC 1 */
#define MS_NS           1000000ull
#define PASID(p)        (0x8000u + (p))
#define ADD_ONE(va) \
    PACKET3(PACKET3_ATOMIC_MEM, 7), \
    PACKET3_ATOMIC_MEM_ATOMIC(TC_OP_ATOMIC_ADD_RTN_32), \
    LO(va), HI(va), 1, 0, 0, 0, 0

/* A run list under construction, in VRAM. */
struct list {
    struct rig *r;
    uint32_t base;
    uint32_t n;
};

static void list_init(struct list *l, struct rig *r, uint32_t base)
{
    *l = (struct list) { .r = r, .base = base };
}

static void list_put(struct list *l, const uint32_t *dw, unsigned n)
{
    rig_store(l->r, l->base + 4 * l->n, dw, n);
    l->n += n;
}

#define LIST_PUT(l, ...) \
    list_put((l), (const uint32_t[]){ __VA_ARGS__ }, \
             sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static void list_process(struct list *l, uint32_t pasid)
{
    uint32_t dw[21] = { PACKET3(PACKET3_MAP_PROCESS, 19) };

    dw[1] = pasid | PACKET3_MAP_PROCESS_PROCESS_QUANTUM(10);
    dw[2] = RIG_PT | VGPU_PTE_VALID;
    dw[4] = 0x10000 + pasid;    /* SH_MEM_BASES */
    dw[5] = 0x20000 + pasid;    /* SH_MEM_CONFIG */
    dw[6] = 0x30000 + pasid;    /* SQ_SHADER_TBA_LO */
    dw[9] = 0x40000 + pasid;    /* SQ_SHADER_TMA_HI */
    list_put(l, dw, 21);
}

static void list_queue(struct list *l, unsigned i, unsigned type)
{
    uint64_t mqd = rig_fb(l->r) + RIG_MQD(i);

    LIST_PUT(l, PACKET3(PACKET3_MAP_QUEUES, 5),
             PACKET3_MAP_QUEUES_QUEUE_SEL(MAP_QUEUES_SEL_HWS) |
             PACKET3_MAP_QUEUES_QUEUE_TYPE(type) |
             PACKET3_MAP_QUEUES_NUM_QUEUES(1),
             PACKET3_MAP_QUEUES_DOORBELL_OFFSET(RIG_DOOR(i)), LO(mqd), HI(mqd),
             RIG_UWPTR(i), 0);
}

static void list_chain(struct list *l, uint32_t to, uint32_t n)
{
    uint64_t va = rig_fb(l->r) + to;

    LIST_PUT(l, PACKET3(PACKET3_RUN_LIST, 2), LO(va), HI(va),
             n | PACKET3_RUN_LIST_CHAIN(1) | PACKET3_RUN_LIST_VALID(1));
}

static void run_list(struct rig *r, uint32_t base, uint32_t n, unsigned procs)
{
    uint64_t va = rig_fb(r) + base;

    KIQ_RUN(r, PACKET3(PACKET3_RUN_LIST, 2), LO(va), HI(va),
            PACKET3_RUN_LIST_IB_SIZE(n) | PACKET3_RUN_LIST_VALID(1) |
            PACKET3_RUN_LIST_PROCESS_CNT(procs));
}

static void resources(struct rig *r, uint32_t vmids, uint64_t queues)
{
    KIQ_RUN(r, PACKET3(PACKET3_SET_RESOURCES, 6),
            PACKET3_SET_RESOURCES_VMID_MASK(vmids) |
            PACKET3_SET_RESOURCES_QUEUE_TYPE(PACKET3_SET_RESOURCES_TYPE_HIQ),
            LO(queues), HI(queues), 0, 0, 0, 0);
}

static void unmap(struct rig *r, unsigned sel, uint32_t pasid)
{
    KIQ_RUN(r, PACKET3(PACKET3_UNMAP_QUEUES, 4),
            PACKET3_UNMAP_QUEUES_QUEUE_SEL(sel), pasid, 0, 0, 0);
}

/* The MM hub has the context of a VMID as the GC hub has it. */
static void copy_context(struct rig *r, unsigned vmid)
{
    static const uint32_t pairs[] = {
        regVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32,
        regVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32,
    };
    unsigned i;

    for (i = 0; i < 2; i++) {
        mock_wreg(&r->m, vgpu_hub_reg(VGPU_HUB_MM, pairs[i]) + 2 * vmid,
                  mock_rreg(&r->m, vgpu_hub_reg(VGPU_HUB_GC, pairs[i]) +
                            2 * vmid));
    }
    mock_wreg(&r->m, vgpu_hub_reg(VGPU_HUB_MM, regVM_CONTEXT0_CNTL) + vmid,
              mock_rreg(&r->m, vgpu_hub_reg(VGPU_HUB_GC, regVM_CONTEXT0_CNTL) +
                        vmid));
}

/* VMIDs 8 to 15, as amdgpu gives them to amdkfd, with an address range each. */
static void hws_init(struct rig *r)
{
    unsigned vmid, n;

    mec_rig_init(r);
    for (vmid = 2; vmid < VGPU_NUM_VMIDS; vmid++) {
        rig_vm_setup(r, vmid);
        copy_context(r, vmid);
    }
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        mock_wreg(&r->m, VGPU_SDMA_REG_ABS(n, regSDMA0_F32_CNTL), 0);
    }
    resources(r, 0xff00, QUEUES_MASK);
}

static unsigned active_queues(struct rig *r)
{
    unsigned n, sum = 0;

    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        sum += n != KIQ_HQD && mec_active(r, n);
    }
    return sum;
}

/* Hardware queue that has a descriptor's doorbell; ~0 for none. */
static unsigned where(struct rig *r, unsigned i)
{
    unsigned n;

    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        if (r->m.die->mec->door[n] == RIG_DOOR(i)) {
            return n;
        }
    }
    return ~0u;
}

/* ------------------------------------------------------------ it all fits */

static void one_process(void)
{
    uint32_t map = VGPU_REG_ABS(ATHUB, regATC_VMID0_PASID_MAPPING);
    struct list l;
    unsigned i, n;
    struct rig r;

    hws_init(&r);
    list_init(&l, &r, RIG_LIST);
    list_process(&l, PASID(1));
    for (i = 0; i < 2; i++) {
        mec_mqd_init(&r, i, true);
        MEC_PUT(&r, i, ADD_ONE(RIG_DATA + 8 * i));
        list_queue(&l, i, MAP_QUEUES_TYPE_COMPUTE);
    }
    run_list(&r, RIG_LIST, l.n, 1);
    /* What had been written before is found without a doorbell. */
    for (i = 0; i < 2; i++) {
        CHECK_EQ(*rig_vram(&r, RIG_DATA + 8 * i), 1);
        n = where(&r, i);
        CHECK(n < VGPU_NUM_HQDS && QUEUES_MASK & (1ull << n));
        CHECK_EQ(mec_rreg(&r, n, GC(CP_HQD_VMID)) & 15, 8);
    }
    CHECK_EQ(mock_rreg(&r.m, map + 8),
             PASID(1) | ATC_VMID0_PASID_MAPPING__VALID_MASK);
    CHECK_EQ(mock_rreg(&r.m, map + 8 + VGPU_REG_OFF(regATC_VMID16_PASID_MAPPING)
                       - VGPU_REG_OFF(regATC_VMID0_PASID_MAPPING)),
             PASID(1) | ATC_VMID0_PASID_MAPPING__VALID_MASK);
    CHECK_EQ(mock_rreg(&r.m, RIG_OSS(IH_VMID_0_LUT) + 8), PASID(1));
    CHECK_EQ(mock_rreg(&r.m, RIG_OSS(IH_VMID_0_LUT_MM) + 8), PASID(1));
    mock_wreg(&r.m, GC(GRBM_GFX_CNTL), 8 << GRBM_GFX_CNTL__VMID__SHIFT);
    CHECK_EQ(mock_rreg(&r.m, GC(SH_MEM_BASES)), 0x10000 + PASID(1));
    CHECK_EQ(mock_rreg(&r.m, GC(SH_MEM_CONFIG)), 0x20000 + PASID(1));
    CHECK_EQ(mock_rreg(&r.m, GC(SQ_SHADER_TBA_LO)), 0x30000 + PASID(1));
    CHECK_EQ(mock_rreg(&r.m, GC(SQ_SHADER_TBA_LO) + 3), 0x40000 + PASID(1));

    MEC_RUN(&r, 1, ADD_ONE(RIG_DATA + 8));
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 8), 2);
    /* All of it is there: no quantum, no timer. */
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);

    unmap(&r, UNMAP_QUEUES_SEL_ALL, 0);
    CHECK_EQ(active_queues(&r), 0);
    CHECK_EQ(mock_rreg(&r.m, map + 8), 0);
    CHECK_EQ(mock_rreg(&r.m, RIG_OSS(IH_VMID_0_LUT) + 8), 0);
    rig_stop(&r);
}

/* The interrupt of a user's queue carries its process. */
static void interrupt_has_pasid(void)
{
    uint32_t iv[8] = { 0 };
    struct list l;
    struct rig r;

    hws_init(&r);
    list_init(&l, &r, RIG_LIST);
    list_process(&l, PASID(3));
    mec_mqd_init(&r, 0, true);
    list_queue(&l, 0, MAP_QUEUES_TYPE_COMPUTE);
    run_list(&r, RIG_LIST, l.n, 1);
    MEC_RUN(&r, 0, PACKET3(0xff, 0), 0);
    CHECK(rig_irq(&r, iv));
    CHECK_EQ(iv[0] >> 8 & 0xff, GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR);
    CHECK_EQ(iv[0] >> 24 & 0xf, 8);
    CHECK_EQ(iv[3] & 0xffff, PASID(3));
    rig_stop(&r);
}

/* ------------------------------------------------------- over-subscription */

#define PROCS   40
#define EACH    4

/*
 * 40 processes with 4 queues each on 8 address spaces and 24 hardware queues.
 * Each queue gets a packet each time it is looked at; none starves, and over
 * time none gets twice as much as another.
 */
static void many_processes(void)
{
    uint32_t done[PROCS] = { 0 }, least = ~0u, most = 0;
    unsigned p, i, t;
    struct list l;
    struct rig r;

    hws_init(&r);
    list_init(&l, &r, RIG_LIST);
    for (p = 0; p < PROCS; p++) {
        list_process(&l, PASID(p));
        for (i = p * EACH; i < (p + 1) * EACH; i++) {
            mec_mqd_init(&r, i, true);
            list_queue(&l, i, MAP_QUEUES_TYPE_COMPUTE);
        }
    }
    list_chain(&l, RIG_LIST, l.n + 4);
    run_list(&r, RIG_LIST, l.n, 8);
    CHECK_EQ(active_queues(&r), 24);

    for (t = 0; t < 400; t++) {
        /* One packet more for every queue that is on the hardware. */
        for (i = 0; i < PROCS * EACH; i++) {
            if (where(&r, i) != ~0u) {
                MEC_PUT(&r, i, ADD_ONE(RIG_DATA + 4 * i));
                mock_doorbell(&r.m, RIG_DOOR(i), *rig_vram64(&r, RIG_UWPTR(i)));
            }
        }
        mock_advance(&r.m, 2 * MS_NS);
        CHECK(active_queues(&r) <= 24);
    }
    for (i = 0; i < PROCS * EACH; i++) {
        done[i / EACH] += *rig_vram(&r, RIG_DATA + 4 * i);
    }
    for (p = 0; p < PROCS; p++) {
        least = done[p] < least ? done[p] : least;
        most = done[p] > most ? done[p] : most;
    }
    CHECK(least > 0);
    CHECK(most <= 2 * least);
    CHECK(mec_active(&r, KIQ_HQD));
    rig_stop(&r);
}

/* Work that was submitted while a queue was off the hardware is done too. */
static void every_packet_arrives(void)
{
    unsigned p, i;
    struct list l;
    struct rig r;

    hws_init(&r);
    list_init(&l, &r, RIG_LIST);
    for (p = 0; p < PROCS; p++) {
        list_process(&l, PASID(p));
        for (i = p * EACH; i < (p + 1) * EACH; i++) {
            mec_mqd_init(&r, i, true);
            list_queue(&l, i, MAP_QUEUES_TYPE_COMPUTE);
        }
    }
    list_chain(&l, RIG_LIST, l.n + 4);
    run_list(&r, RIG_LIST, l.n, 8);
    for (i = 0; i < PROCS * EACH; i++) {
        MEC_PUT(&r, i, ADD_ONE(RIG_DATA + 4 * i));
        mock_doorbell(&r.m, RIG_DOOR(i), *rig_vram64(&r, RIG_UWPTR(i)));
    }
    mock_settle(&r.m, 200 * MS_NS);
    for (i = 0; i < PROCS * EACH; i++) {
        CHECK_EQ(*rig_vram(&r, RIG_DATA + 4 * i), 1);
    }
    rig_stop(&r);
}

/* One process with more queues than there are: a round ends within it. */
static void many_queues(void)
{
    unsigned i;
    struct list l;
    struct rig r;

    hws_init(&r);
    resources(&r, 0x0300, 0x700);   /* three queues */
    list_init(&l, &r, RIG_LIST);
    list_process(&l, PASID(1));
    for (i = 0; i < 10; i++) {
        mec_mqd_init(&r, i, true);
        MEC_PUT(&r, i, ADD_ONE(RIG_DATA + 4 * i));
        list_queue(&l, i, MAP_QUEUES_TYPE_COMPUTE);
    }
    run_list(&r, RIG_LIST, l.n, 1);     /* the list ends and begins again */
    CHECK_EQ(active_queues(&r), 3);
    mock_settle(&r.m, 100 * MS_NS);
    for (i = 0; i < 10; i++) {
        CHECK_EQ(*rig_vram(&r, RIG_DATA + 4 * i), 1);
    }
    MEC_PUT(&r, 0, ADD_ONE(RIG_DATA));
    mock_settle(&r.m, 100 * MS_NS);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 2);
    rig_stop(&r);
}

/* A queue that waits does not keep its place, and is not lost. */
static void waits_are_preempted(void)
{
    unsigned i;
    struct list l;
    struct rig r;

    hws_init(&r);
    resources(&r, 0x0100, 0x100);   /* one queue */
    list_init(&l, &r, RIG_LIST);
    list_process(&l, PASID(1));
    for (i = 0; i < 2; i++) {
        mec_mqd_init(&r, i, true);
        list_queue(&l, i, MAP_QUEUES_TYPE_COMPUTE);
    }
    list_chain(&l, RIG_LIST, l.n + 4);
    MEC_PUT(&r, 0, PACKET3(PACKET3_WAIT_REG_MEM, 5),
            WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) |
            WAIT_REG_MEM_MEM_SPACE(WAIT_REG_MEM_SPACE_MEM),
            RIG_DATA, 0, 1, ~0u, 4, ADD_ONE(RIG_DATA + 8));
    /* The second queue is what the first one waits for. */
    MEC_PUT(&r, 1, ADD_ONE(RIG_DATA));
    run_list(&r, RIG_LIST, l.n, 1);
    mock_settle(&r.m, 100 * MS_NS);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 8), 1);
    rig_stop(&r);
}

/* A list in two buffers that fit at once is mapped once. */
static void chained(void)
{
    struct list a, b;
    unsigned i;
    struct rig r;

    hws_init(&r);
    list_init(&a, &r, RIG_LIST);
    list_init(&b, &r, RIG_LIST + 0x1000);
    for (i = 0; i < 2; i++) {
        struct list *l = i ? &b : &a;

        mec_mqd_init(&r, i, true);
        list_process(l, PASID(i));
        LIST_PUT(l, PACKET3(PACKET3_NOP, 1), 0, 0, PACKET2(0),
                 PACKET3(PACKET3_NOP, 0x3fff));
        list_queue(l, i, MAP_QUEUES_TYPE_COMPUTE);
    }
    list_chain(&b, a.base, a.n + 4);
    list_chain(&a, b.base, b.n);
    run_list(&r, RIG_LIST, a.n, 2);
    CHECK_EQ(active_queues(&r), 2);
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    rig_stop(&r);
}

/* ---------------------------------------------------------------- SDMA */

#define SDMA_DOOR(i)    (0x200u + 2 * (i))
#define SDMA_MQD_DW(m)  (offsetof(struct vgpu_sdma_mqd, m) / 4)

/* A user queue of an SDMA engine, with ring and pointers of queue @i. */
static void list_sdma(struct list *l, unsigned i, unsigned engine)
{
    uint64_t va = rig_fb(l->r) + RIG_MQD(i);
    uint32_t *m = mec_mqd(l->r, i);

    mec_mqd_init(l->r, i, true);
    memset(m, 0, sizeof(struct vgpu_mqd));
    m[SDMA_MQD_DW(sdmax_rlcx_rb_cntl)] =
        8 << SDMA0_GFX_RB_CNTL__RB_SIZE__SHIFT |
        SDMA0_GFX_RB_CNTL__RPTR_WRITEBACK_ENABLE_MASK;
    m[SDMA_MQD_DW(sdmax_rlcx_rb_base)] = RIG_URING(i) >> 8;
    m[SDMA_MQD_DW(sdmax_rlcx_rb_rptr_addr_lo)] = RIG_URPTR(i);
    LIST_PUT(l, PACKET3(PACKET3_MAP_QUEUES, 5),
             PACKET3_MAP_QUEUES_QUEUE_SEL(MAP_QUEUES_SEL_HWS) |
             PACKET3_MAP_QUEUES_EXT_ENGINE_SEL(QUEUES_EXT_SDMA0_TO_7) |
             PACKET3_MAP_QUEUES_ENGINE_SEL(engine) |
             PACKET3_MAP_QUEUES_NUM_QUEUES(1),
             PACKET3_MAP_QUEUES_DOORBELL_OFFSET(SDMA_DOOR(i)), LO(va), HI(va),
             RIG_UWPTR(i), 0);
}

/* The write pointer of an SDMA ring counts bytes. */
static void sdma_put(struct rig *r, unsigned i, const uint32_t *dw, unsigned n)
{
    uint64_t *wptr = rig_vram64(r, RIG_UWPTR(i));

    for (; n; n--, *wptr += 4) {
        *rig_vram(r, RIG_URING(i) + *wptr % 0x400) = *dw++;
    }
}

#define SDMA_PUT(r, i, ...) \
    sdma_put((r), (i), (const uint32_t[]){ __VA_ARGS__ }, \
             sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)
#define SDMA_WRITE1(va, val)    SDMA_OP_WRITE, (va), 0, 0, (val)

static void sdma_range(struct rig *r, unsigned engine)
{
    mock_wreg(&r->m, VGPU_REG_ABS(NBIO, VGPU_BIF_SDMA_DOORBELL_RANGE(engine)),
              SDMA_DOOR(0) << BIF_SDMA0_DOORBELL_RANGE__OFFSET__SHIFT |
              VGPU_DOORBELL_SDMA_RANGE <<
              BIF_SDMA0_DOORBELL_RANGE__SIZE__SHIFT);
}

static void sdma_queue(void)
{
    struct list l;
    struct rig r;

    hws_init(&r);
    sdma_range(&r, 3);
    list_init(&l, &r, RIG_LIST);
    list_process(&l, PASID(1));
    list_sdma(&l, 0, 3);
    SDMA_PUT(&r, 0, SDMA_WRITE1(RIG_DATA, 0xdeadbeef));
    run_list(&r, RIG_LIST, l.n, 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 0xdeadbeef);
    SDMA_PUT(&r, 0, SDMA_WRITE1(RIG_DATA, 7));
    mock_doorbell(&r.m, SDMA_DOOR(0), *rig_vram64(&r, RIG_UWPTR(0)));
    mock_run(&r.m);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 7);
    CHECK_EQ(*rig_vram64(&r, RIG_URPTR(0)), 40);

    unmap(&r, UNMAP_QUEUES_SEL_ALL, 0);
    CHECK_EQ(mec_mqd(&r, 0)[SDMA_MQD_DW(sdmax_rlcx_rb_rptr)], 40);
    SDMA_PUT(&r, 0, SDMA_WRITE1(RIG_DATA, 8));
    mock_doorbell(&r.m, SDMA_DOOR(0), *rig_vram64(&r, RIG_UWPTR(0)));
    mock_run(&r.m);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 7);
    run_list(&r, RIG_LIST, l.n, 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 8);
    rig_stop(&r);
}

/* Ten queues of one engine with eight rings for them, one of which waits. */
static void many_sdma_queues(void)
{
    struct list l;
    unsigned i;
    struct rig r;

    hws_init(&r);
    list_init(&l, &r, RIG_LIST);
    list_process(&l, PASID(1));
    for (i = 0; i < 10; i++) {
        list_sdma(&l, i, 0);
        SDMA_PUT(&r, i, SDMA_WRITE1(RIG_DATA + 4 * i, i + 1));
    }
    /* until the last one has run */
    SDMA_PUT(&r, 0, SDMA_OP_POLL_REGMEM | 3 << 28 | 1u << 31,
             RIG_DATA + 4 * 9, 0, 10, ~0u, 0xfff << 16 | 10,
             SDMA_WRITE1(RIG_DATA + 0x100, 5));
    list_chain(&l, RIG_LIST, l.n + 4);
    run_list(&r, RIG_LIST, l.n, 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 4 * 9), 0);
    mock_settle(&r.m, 100 * MS_NS);
    for (i = 0; i < 10; i++) {
        CHECK_EQ(*rig_vram(&r, RIG_DATA + 4 * i), i + 1);
    }
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 0x100), 5);
    rig_stop(&r);
}

/* What is stored as in flight, if it is nothing that can be, is not. */
static void sdma_descriptor_is_checked(void)
{
    struct list l;
    struct rig r;

    hws_init(&r);
    list_init(&l, &r, RIG_LIST);
    list_process(&l, PASID(1));
    list_sdma(&l, 0, 4);
    memset(&mec_mqd(&r, 0)[SDMA_MQD_DW(reserved_42)], 0xff, 84 * 4);
    SDMA_PUT(&r, 0, SDMA_WRITE1(RIG_DATA, 9));
    run_list(&r, RIG_LIST, l.n, 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 9);
    rig_stop(&r);
}

/* A user's ring stays in its own address space. */
static void sdma_is_confined(void)
{
    struct list l;
    struct rig r;

    hws_init(&r);
    list_init(&l, &r, RIG_LIST);
    list_process(&l, PASID(1));
    list_sdma(&l, 0, 0);
    mec_mqd(&r, 0)[SDMA_MQD_DW(sdmax_rlcx_rb_cntl)] |=
        SDMA0_GFX_RB_CNTL__RB_PRIV_MASK;
    mec_mqd(&r, 0)[SDMA_MQD_DW(sdmax_rlcx_ib_cntl)] =
        SDMA0_GFX_IB_CNTL__IB_ENABLE_MASK;
    SDMA_PUT(&r, 0, SDMA_OP_SRBM_WRITE | 0xfu << 28, GC(SCRATCH_REG0), 5,
             SDMA_OP_INDIRECT, RIG_IB, 0, 5, 0, 0);     /* of VMID 0 */
    RIG_STORE(&r, RIG_IB, SDMA_WRITE1(RIG_DATA, 6));
    run_list(&r, RIG_LIST, l.n, 1);
    CHECK_EQ(mock_rreg(&r.m, GC(SCRATCH_REG0)), 0);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 6);
    rig_stop(&r);
}

/* ---------------------------------------------------------- management */

static void two_processes(struct rig *r, unsigned type)
{
    struct list l;
    unsigned i;

    hws_init(r);
    list_init(&l, r, RIG_LIST);
    for (i = 0; i < 2; i++) {
        mec_mqd_init(r, i, true);
        list_process(&l, PASID(i));
        list_queue(&l, i, i ? type : MAP_QUEUES_TYPE_COMPUTE);
    }
    list_chain(&l, RIG_LIST, l.n + 4);
    run_list(r, RIG_LIST, l.n, 2);
    CHECK_EQ(active_queues(r), 2);
}

/* Neither the packet nor a later round of the list brings it back. */
static void unmap_process(void)
{
    struct rig r;

    two_processes(&r, MAP_QUEUES_TYPE_COMPUTE);
    unmap(&r, UNMAP_QUEUES_SEL_PASID, PASID(0));
    CHECK_EQ(where(&r, 0), ~0u);
    CHECK(where(&r, 1) != ~0u);
    mock_settle(&r.m, 50 * MS_NS);
    CHECK_EQ(where(&r, 0), ~0u);
    CHECK(where(&r, 1) != ~0u);
    unmap(&r, UNMAP_QUEUES_SEL_PASID, PASID(7));    /* nobody */
    CHECK(where(&r, 1) != ~0u);
    rig_stop(&r);
}

static void static_queues_stay(void)
{
    uint32_t map = VGPU_REG_ABS(ATHUB, regATC_VMID0_PASID_MAPPING);
    struct rig r;

    two_processes(&r, MAP_QUEUES_TYPE_STATIC);
    unmap(&r, UNMAP_QUEUES_SEL_ALL_DYNAMIC, 0);
    CHECK_EQ(where(&r, 0), ~0u);
    CHECK(where(&r, 1) != ~0u);
    CHECK_EQ(mock_rreg(&r.m, map + 8), 0);
    CHECK_EQ(mock_rreg(&r.m, map + 9),
             PASID(1) | ATC_VMID0_PASID_MAPPING__VALID_MASK);
    MEC_RUN(&r, 1, ADD_ONE(RIG_DATA));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    unmap(&r, UNMAP_QUEUES_SEL_ALL, 0);
    CHECK_EQ(active_queues(&r), 0);
    CHECK_EQ(mock_rreg(&r.m, map + 9), 0);
    rig_stop(&r);
}

/* The kernel's queues are not the list's to take. */
static void kernel_queues_stay(void)
{
    struct rig r;

    two_processes(&r, MAP_QUEUES_TYPE_COMPUTE);
    mec_mqd_init(&r, 5, false);
    kiq_map(&r, 5, VGPU_HQD(1, 0, 0), 0);
    unmap(&r, UNMAP_QUEUES_SEL_ALL, 0);
    CHECK_EQ(where(&r, 5), VGPU_HQD(1, 0, 0));
    CHECK(mec_active(&r, KIQ_HQD));
    rig_stop(&r);
}

/* A translation is kept until the packet that drops it. */
static void invalidate(void)
{
    uint64_t *pte;
    struct rig r;

    two_processes(&r, MAP_QUEUES_TYPE_COMPUTE);
    MEC_RUN(&r, 0, ADD_ONE(RIG_DATA));
    pte = mock_vram(&r.m, RIG_PT, RIG_PT_PAGES * 8);
    pte[RIG_DATA >> 12] = (RIG_DATA + 0x1000) | (pte[RIG_DATA >> 12] & 0xfff);
    MEC_RUN(&r, 0, ADD_ONE(RIG_DATA));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 2);
    KIQ_RUN(&r, PACKET3(PACKET3_INVALIDATE_TLBS, 0),
            PACKET3_INVALIDATE_TLBS_DST_SEL(1) |
            PACKET3_INVALIDATE_TLBS_PASID(PASID(1)));
    MEC_RUN(&r, 0, ADD_ONE(RIG_DATA));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 3);
    KIQ_RUN(&r, PACKET3(PACKET3_INVALIDATE_TLBS, 0),
            PACKET3_INVALIDATE_TLBS_DST_SEL(1) |
            PACKET3_INVALIDATE_TLBS_PASID(PASID(0)));
    MEC_RUN(&r, 0, ADD_ONE(RIG_DATA));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 3);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 0x1000), 1);
    rig_stop(&r);
}

/* ------------------------------------------------------------- bad lists */

static void expect_bad(struct rig *r, struct list *l, uint32_t n)
{
    run_list(r, l->base, n, 8);
    CHECK(!r->m.die->s.mec.hws.active);
    CHECK_MEC_IRQ(r, KIQ_HQD, GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR, 0, 0);
    KIQ_RUN(r, PACKET3(PACKET3_WRITE_DATA, 3),
            WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_REG), GC(SCRATCH_REG0), 0, 6);
    CHECK_EQ(mock_rreg(&r->m, GC(SCRATCH_REG0)), 6);
    unmap(r, UNMAP_QUEUES_SEL_ALL, 0);
    rig_stop(r);
}

#define BAD_LIST(cut, ...) do { \
    struct rig r_; \
    struct list l_; \
    hws_init(&r_); \
    list_init(&l_, &r_, RIG_LIST); \
    LIST_PUT(&l_, __VA_ARGS__); \
    expect_bad(&r_, &l_, l_.n - (cut)); \
} while (0)

static void bad_lists(void)
{
    struct list l;
    struct rig r;

    BAD_LIST(0, PACKET3(PACKET3_WRITE_DATA, 2), 0, 0, 0);
    BAD_LIST(0, 0);                                     /* type 0 */
    BAD_LIST(0, PACKET3(PACKET3_MAP_QUEUES, 5), 0, 0, 0, 0, 0, 0);
    BAD_LIST(1, PACKET3(PACKET3_NOP, 2), 0, 0, 0);      /* beyond the end */
    BAD_LIST(0, PACKET3(PACKET3_MAP_PROCESS, 13), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
             0, 0, 0, 0);                               /* of an older part */
    BAD_LIST(0, PACKET3(PACKET3_RUN_LIST, 2), 0, 0, 0); /* not valid */

    hws_init(&r);
    list_init(&l, &r, RIG_LIST);
    list_process(&l, 0);                                /* no PASID */
    expect_bad(&r, &l, l.n);
    hws_init(&r);
    list_init(&l, &r, RIG_LIST);
    list_process(&l, 1);
    expect_bad(&r, &l, l.n - 1);
    hws_init(&r);
    run_list(&r, rig_nowhere(&r) - rig_fb(&r), 4, 8);
    CHECK(!r.m.die->s.mec.hws.active);
    rig_stop(&r);
}

/* A list that names no queue, in a circle, takes its time. */
static void empty_circle(void)
{
    struct list l;
    unsigned i;
    struct rig r;

    hws_init(&r);
    for (i = 0; i < 3; i++) {
        list_init(&l, &r, RIG_LIST + 0x100 * i);
        list_chain(&l, RIG_LIST + 0x100 * ((i + 1) % 3), 4);
    }
    run_list(&r, RIG_LIST + 0x100, 4, 1);
    mock_settle(&r.m, 20 * MS_NS);
    KIQ_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3),
            WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_REG), GC(SCRATCH_REG0), 0, 6);
    CHECK_EQ(mock_rreg(&r.m, GC(SCRATCH_REG0)), 6);

    /* into which one comes from outside, so that it never closes */
    list_init(&l, &r, RIG_LIST + 0x800);
    list_chain(&l, RIG_LIST, 4);
    run_list(&r, RIG_LIST + 0x800, 4, 1);
    mock_settle(&r.m, 20 * MS_NS);
    CHECK(r.m.die->s.mec.hws.active);
    rig_stop(&r);
}

/* A long list is read a slice at a time. */
static void long_list(void)
{
    uint32_t *p;
    struct list l;
    unsigned i;
    struct rig r;

    hws_init(&r);
    p = mock_vram(&r.m, RIG_LIST, 0xfffff * 4);
    for (i = 0; i < 0xfffff - 28; i++) {
        p[i] = PACKET2(0);
    }
    list_init(&l, &r, RIG_LIST + 4 * i);
    list_process(&l, PASID(1));
    mec_mqd_init(&r, 0, true);
    list_queue(&l, 0, MAP_QUEUES_TYPE_COMPUTE);
    run_list(&r, RIG_LIST, 0xfffff, 1);
    CHECK_EQ(active_queues(&r), 1);
    rig_stop(&r);
}

/* An over-subscribed die goes on after a migration. */
static void migrates(void)
{
    unsigned i;
    struct list l;
    size_t len;
    void *buf;
    struct rig r;

    hws_init(&r);
    resources(&r, 0x0100, 0x100);
    list_init(&l, &r, RIG_LIST);
    list_process(&l, PASID(1));
    for (i = 0; i < 3; i++) {
        mec_mqd_init(&r, i, true);
        MEC_PUT(&r, i, ADD_ONE(RIG_DATA + 4 * i));
        list_queue(&l, i, MAP_QUEUES_TYPE_COMPUTE);
    }
    list_chain(&l, RIG_LIST, l.n + 4);
    run_list(&r, RIG_LIST, l.n, 1);
    len = vgpu_die_state_size(r.m.die);
    buf = malloc(len);
    vgpu_die_state_save(r.m.die, buf);
    vgpu_die_reset(r.m.die);
    CHECK(vgpu_die_state_load(r.m.die, buf, len));
    free(buf);
    mock_settle(&r.m, 100 * MS_NS);
    for (i = 0; i < 3; i++) {
        CHECK_EQ(*rig_vram(&r, RIG_DATA + 4 * i), 1);
    }
    rig_stop(&r);
}

static const struct test tests[] = {
    TEST(one_process), TEST(interrupt_has_pasid), TEST(many_processes),
    TEST(every_packet_arrives), TEST(many_queues), TEST(waits_are_preempted),
    TEST(chained), TEST(sdma_queue), TEST(many_sdma_queues),
    TEST(sdma_descriptor_is_checked), TEST(sdma_is_confined), TEST(unmap_process),
    TEST(static_queues_stay),
    TEST(kernel_queues_stay), TEST(invalidate), TEST(bad_lists),
    TEST(empty_circle), TEST(long_list), TEST(migrates),
};

TEST_MAIN(tests)
