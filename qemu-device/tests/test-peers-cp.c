/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command processor of a die and the memory of another: packets, their
 * data and their fences over a link that works, breaks and costs time.
 * Documentation/hive.rst, "The fabric".
 */
#include "pm4-rig.h"
#include "gmc.h"

#define OFF     0x300000u

#define WD      WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM)
#define CD(src, dst) \
    (PACKET3_COPY_DATA_SRC_SEL(PACKET3_COPY_DATA_SRC_##src) | \
     PACKET3_COPY_DATA_DST_SEL(PACKET3_COPY_DATA_DST_##dst))
/* A fence, in own memory. */
#define FENCE(va, val) \
    PACKET3(PACKET3_WRITE_DATA, 3), WD, LO(va), HI(va), (val)

static struct rig r;
static struct mock other;
static uint64_t here, there;

static void start(const struct vgpu_fabric_config *links)
{
    struct mock *m[] = { &r.m, &other };

    memset(&r, 0, sizeof(r));
    mock_init(&r.m);
    mock_init(&other);
    r.m.links = *links;
    mock_start_nodes(m, 2, 9);
    rig_setup(&r);
    here = rig_fb(&r) + RIG_DATA;
    there = rig_fb(&r) + MOCK_SEGMENT + OFF;
}

static void stop(void)
{
    mock_stop(&r.m);
    mock_stop(&other);
}

static void down(const char *links)
{
    char err[128];

    CHECK(vgpu_fabric_set_down(r.m.cfg.fabric, links, err, sizeof(err)));
}

static struct vgpu_fabric_link link(void)
{
    struct vgpu_fabric_link l;

    vgpu_fabric_get_link(r.m.cfg.fabric, 0, &l);
    return l;
}

/* One fault of the GC hub, of that client: nothing answered. */
static void check_nowhere(unsigned cid, bool write)
{
    uint32_t status = mock_rreg(&r.m, GC(VM_L2_PROTECTION_FAULT_STATUS));
    uint32_t iv[8] = { 0 };

    CHECK_EQ(status >> 1 & 7, VGPU_WALK_OK);
    CHECK_EQ(status >> 8 & 1, 1);
    CHECK_EQ(status >> 9 & 0x1ff, cid);
    CHECK_EQ(status >> 18 & 1, write);
    CHECK(rig_irq(&r, iv));
    CHECK_EQ(iv[0] & 0xff, SOC15_IH_CLIENTID_UTCL2);
    CHECK(!rig_irq(&r, iv));
    mock_wreg(&r.m, GC(VM_L2_PROTECTION_FAULT_CNTL), 0x3ffffffd);
}

static void data_packets(void)
{
    struct vgpu_fabric_config none = { 0 };

    start(&none);
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 5), WD, LO(there), HI(there), 11,
            22, 33);
    CHECK_EQ(mock_vram32(&other, OFF), 11);
    CHECK_EQ(mock_vram32(&other, OFF + 8), 33);
    CHECK_EQ(link().bytes[0], 12);
    RIG_RUN(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(MEM, MEM), LO(there + 4),
            HI(there), LO(here), HI(here));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 22);
    CHECK_EQ(link().bytes[1], 4);
    RIG_RUN(&r, PACKET3(PACKET3_DMA_DATA, 5), 0, LO(here), HI(here),
            LO(there + 0x1000), HI(there), 0x2000);
    CHECK(!memcmp(rig_vram(&r, RIG_DATA), mock_vram(&other, OFF + 0x1000, 4),
                  0x2000));
    CHECK_EQ(link().bytes[0], 12 + 0x2000);
    mock_set_vram64(&other, OFF, 100);
    RIG_RUN(&r, PACKET3(PACKET3_ATOMIC_MEM, 7), TC_OP_ATOMIC_ADD_RTN_64,
            LO(there), HI(there), 5, 0, 0, 0, 0);
    CHECK_EQ(mock_vram64(&other, OFF), 105);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_ATOMIC_PREOP_LO)), 100);
    CHECK_EQ(link().bytes[0], 12 + 0x2000 + 8);
    CHECK_EQ(link().bytes[1], 12);
    stop();
}

static void ib_of_a_peer(void)
{
    struct vgpu_fabric_config none = { 0 };
    uint32_t dw[] = { FENCE(0, 7) };

    start(&none);
    dw[2] = LO(here);
    dw[3] = HI(here);
    memcpy(mock_vram(&other, OFF, sizeof(dw)), dw, sizeof(dw));
    rig_call_ib(&r, there, sizeof(dw) / 4, 0);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 7);
    CHECK_EQ(rig_halted(&r), VGPU_CP_RUNS);
    CHECK(link().bytes[1] >= sizeof(dw));
    down("0-1");
    rig_call_ib(&r, there, sizeof(dw) / 4, 0);
    CHECK_EQ(rig_halted(&r), VGPU_CP_FETCH_FAULT);
    check_nowhere(VGPU_CID_CPF, false);
    stop();
}

static void broken_link(void)
{
    struct vgpu_fabric_config none = { 0 };

    start(&none);
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3), WD, LO(there), HI(there), 1);
    down("0-1");
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3), WD, LO(there), HI(there), 2,
            FENCE(here, 3));
    CHECK_EQ(mock_vram32(&other, OFF), 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 3);
    check_nowhere(VGPU_CID_CPG, true);
    RIG_RUN(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(MEM, MEM), LO(there),
            HI(there), LO(here), HI(here));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), ~0u);
    check_nowhere(VGPU_CID_CPG, false);
    RIG_RUN(&r, PACKET3(PACKET3_DMA_DATA, 5), 0, LO(there), HI(there),
            LO(here + 8), HI(here), 4096);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 8), ~0u);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 8 + 4092), ~0u);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 8 + 4096), 0);
    check_nowhere(VGPU_CID_CPG, false);
    CHECK_EQ(link().bytes[0], 4);
    CHECK_EQ(link().bytes[1], 0);
    down("");
    RIG_RUN(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(MEM, MEM), LO(there),
            HI(there), LO(here), HI(here));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    stop();
}

static void an_access_takes_its_time(void)
{
    struct vgpu_fabric_config cfg = { .latency = 900 };
    uint64_t now;

    start(&cfg);
    now = atomic_load(&r.m.now);
    RIG_RUN(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(MEM, MEM), LO(there),
            HI(there), LO(here + 8), HI(here), FENCE(here, 1));
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 0);
    CHECK_EQ(mock_run(&r.m), now + 900);
    mock_advance(&r.m, 899);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 0);
    mock_advance(&r.m, 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    /* So does a write; its fence is not ahead of it. */
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 3), WD, LO(there), HI(there), 2,
            FENCE(here, 3));
    CHECK_EQ(mock_run(&r.m), now + 2 * 900);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    mock_advance(&r.m, 900);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 3);
    stop();
}

static const struct test tests[] = {
    TEST(data_packets),
    TEST(ib_of_a_peer),
    TEST(broken_link),
    TEST(an_access_takes_its_time),
};
TEST_MAIN(tests)
