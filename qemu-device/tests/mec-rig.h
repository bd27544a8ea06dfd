/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A die with a kernel queue (KIQ) on MEC 2, pipe 1, for the tests of compute
 * queues: descriptors and the KIQ's ring beyond what VMID 1 maps, rings of
 * users, their pointers and signals within.
 */
#ifndef VGPU_MEC_RIG_H
#define VGPU_MEC_RIG_H

#include "mec_priv.h"
#include "pm4-rig.h"
#include "hw/aql.h"
#include "hw/mqd.h"
#include "hw/reg/athub.h"

/* Offsets in VRAM */
#define RIG_MQD(i)      (0x100000u + 0x1000u * (i))
#define RIG_KIQ_RING    0x400000u
#define RIG_KIQ_MQD     0x410000u
#define RIG_KIQ_RPTR    0x411000u
#define RIG_KIQ_WPTR    0x411040u
#define RIG_FENCE       0x412000u
#define RIG_LIST        0x420000u
/* Also what VMID 1 has there */
#define RIG_URING(i)    (0x50000u + 0x400u * (i))
#define RIG_URPTR(i)    (0x48000u + 0x40u * (i))
#define RIG_UWPTR(i)    (0x4c000u + 0x40u * (i))

#define RIG_URING_SIZE  7u      /* 2 << 7 dwords: 1 KiB */
#define RIG_KIQ_SIZE    9u
#define RIG_KIQ_DOOR    0u      /* dword index */
#define RIG_DOOR(i)     (0x20u + 2 * (i))
#define KIQ_ME          2
#define KIQ_PIPE        1
#define KIQ_HQD         VGPU_HQD(KIQ_ME, KIQ_PIPE, 0)

#define MQD_DW(member)  (offsetof(struct vgpu_mqd, member) / 4)

static inline void mec_select(struct rig *r, unsigned me, unsigned pipe,
                              unsigned queue)
{
    mock_wreg(&r->m, GC(GRBM_GFX_CNTL),
              me << GRBM_GFX_CNTL__MEID__SHIFT |
              pipe << GRBM_GFX_CNTL__PIPEID__SHIFT |
              queue << GRBM_GFX_CNTL__QUEUEID__SHIFT);
}

static inline uint32_t mec_rreg(struct rig *r, unsigned n, uint32_t reg)
{
    uint32_t val;

    mec_select(r, 1 + n / 32, n / 8 % 4, n % 8);
    val = mock_rreg(&r->m, reg);
    mec_select(r, 0, 0, 0);
    return val;
}

static inline void mec_wreg(struct rig *r, unsigned n, uint32_t reg,
                            uint32_t val)
{
    mec_select(r, 1 + n / 32, n / 8 % 4, n % 8);
    mock_wreg(&r->m, reg, val);
    mec_select(r, 0, 0, 0);
}

static inline bool mec_active(struct rig *r, unsigned n)
{
    return mec_rreg(r, n, GC(CP_HQD_ACTIVE)) & 1;
}

static inline uint32_t mec_halted_why(struct rig *r, unsigned n)
{
    return r->m.die->s.mec.hqd[n].pm4.halted;
}

static inline uint32_t *mec_mqd(struct rig *r, unsigned i)
{
    return mock_vram(&r->m, RIG_MQD(i), sizeof(struct vgpu_mqd));
}

/* A descriptor as a driver makes it; @vm: its addresses are a user's. */
static inline uint32_t *mec_mqd_init(struct rig *r, unsigned i, bool vm)
{
    uint64_t base = vm ? 0 : rig_fb(r);
    uint32_t *m = mec_mqd(r, i);

    memset(m, 0, sizeof(struct vgpu_mqd));
    memset(mock_vram(&r->m, RIG_URING(i), 0x400), 0, 0x400);
    *rig_vram64(r, RIG_URPTR(i)) = 0;
    *rig_vram64(r, RIG_UWPTR(i)) = 0;
    m[MQD_DW(header)] = VGPU_MQD_HEADER;
    m[MQD_DW(cp_hqd_pq_base_lo)] = (base + RIG_URING(i)) >> 8;
    m[MQD_DW(cp_hqd_pq_base_hi)] = (base + RIG_URING(i)) >> 40;
    m[MQD_DW(cp_hqd_pq_control)] = RIG_URING_SIZE;
    m[MQD_DW(cp_hqd_pq_rptr_report_addr_lo)] = LO(base + RIG_URPTR(i));
    m[MQD_DW(cp_hqd_pq_rptr_report_addr_hi)] = HI(base + RIG_URPTR(i));
    return m;
}

/* A ring of dwords, filled as user space does it; the doorbell is not rung. */
static inline void mec_put(struct rig *r, unsigned i, const uint32_t *dw,
                           unsigned n)
{
    uint64_t *wptr = rig_vram64(r, RIG_UWPTR(i));

    while (n--) {
        *rig_vram(r, RIG_URING(i) + 4 * (*wptr % (2u << RIG_URING_SIZE))) =
            *dw++;
        ++*wptr;
    }
}

static inline void mec_ring(struct rig *r, unsigned i)
{
    mock_doorbell(&r->m, RIG_DOOR(i), *rig_vram64(r, RIG_UWPTR(i)));
    mock_run(&r->m);
}

#define MEC_PUT(r, i, ...) \
    mec_put((r), (i), (const uint32_t[]){ __VA_ARGS__ }, \
            sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)
#define MEC_RUN(r, i, ...) do { \
    MEC_PUT((r), (i), __VA_ARGS__); \
    mec_ring((r), (i)); \
} while (0)

/* ------------------------------------------------------------------ KIQ */

static inline void kiq_put(struct rig *r, const uint32_t *dw, unsigned n)
{
    uint64_t *wptr = rig_vram64(r, RIG_KIQ_WPTR);

    while (n--) {
        *rig_vram(r, RIG_KIQ_RING + 4 * (*wptr % (2u << RIG_KIQ_SIZE))) =
            *dw++;
        ++*wptr;
    }
    mock_doorbell(&r->m, RIG_KIQ_DOOR, *wptr);
    mock_run(&r->m);
}

#define KIQ_RUN(r, ...) \
    kiq_put((r), (const uint32_t[]){ __VA_ARGS__ }, \
            sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

/* By registers, as amdgpu brings it up. */
static inline void kiq_init(struct rig *r)
{
    uint64_t fb = rig_fb(r);
    unsigned n = KIQ_HQD, i;

    mock_wreg(&r->m, GC(CP_MEC_CNTL), 0);
    mock_wreg(&r->m, GC(RLC_CP_SCHEDULERS),
              0x80 | KIQ_ME << 5 | KIQ_PIPE << 3);
    mock_wreg(&r->m, GC(CP_MEC_DOORBELL_RANGE_LOWER), 0);
    mock_wreg(&r->m, GC(CP_MEC_DOORBELL_RANGE_UPPER), 0x0ffffffc);
    /* The graphics ring's doorbell would be one of ours. */
    mock_wreg(&r->m, GC(CP_RB_DOORBELL_CONTROL), 0);
    *rig_vram64(r, RIG_KIQ_WPTR) = 0;
    memset(mock_vram(&r->m, RIG_KIQ_MQD, 2048), 0, 2048);
    mec_wreg(r, n, GC(CP_MQD_BASE_ADDR), LO(fb + RIG_KIQ_MQD));
    mec_wreg(r, n, GC(CP_MQD_BASE_ADDR_HI), HI(fb + RIG_KIQ_MQD));
    mec_wreg(r, n, GC(CP_HQD_PQ_BASE), (fb + RIG_KIQ_RING) >> 8);
    mec_wreg(r, n, GC(CP_HQD_PQ_BASE_HI), (fb + RIG_KIQ_RING) >> 40);
    mec_wreg(r, n, GC(CP_HQD_PQ_CONTROL), RIG_KIQ_SIZE);
    mec_wreg(r, n, GC(CP_HQD_PQ_RPTR_REPORT_ADDR), LO(fb + RIG_KIQ_RPTR));
    mec_wreg(r, n, GC(CP_HQD_PQ_RPTR_REPORT_ADDR_HI), HI(fb + RIG_KIQ_RPTR));
    mec_wreg(r, n, GC(CP_HQD_PQ_DOORBELL_CONTROL),
             RIG_KIQ_DOOR << CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_OFFSET__SHIFT |
             CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_EN_MASK);
    mec_wreg(r, n, GC(CP_HQD_PQ_WPTR_LO), 0);
    mec_wreg(r, n, GC(CP_HQD_PQ_WPTR_HI), 0);
    mec_wreg(r, n, GC(CP_HQD_VMID), 0);
    mec_wreg(r, n, GC(CP_HQD_ACTIVE), 1);
    mock_wreg(&r->m, GC(CP_PQ_STATUS), CP_PQ_STATUS__DOORBELL_ENABLE_MASK);
    for (i = 0; i < 8; i++) {
        mock_wreg(&r->m, GC(CP_ME1_PIPE0_INT_CNTL) + i,
                  RIG_ALL_INTS |
                  CP_ME1_PIPE0_INT_CNTL__CMP_QUERY_STATUS_INT_ENABLE_MASK |
                  CP_ME1_PIPE0_INT_CNTL__GENERIC2_INT_ENABLE_MASK);
    }
}

static inline void mec_rig_init(struct rig *r)
{
    rig_init(r);
    kiq_init(r);
}

/* Map descriptor @i on hardware queue @n. */
static inline void kiq_map(struct rig *r, unsigned i, unsigned n, unsigned vmid)
{
    uint64_t fb = rig_fb(r), wptr = RIG_UWPTR(i) + (vmid ? 0 : fb);

    KIQ_RUN(r, PACKET3(PACKET3_MAP_QUEUES, 5),
            PACKET3_MAP_QUEUES_VMID(vmid) | PACKET3_MAP_QUEUES_QUEUE(n % 8) |
            PACKET3_MAP_QUEUES_PIPE(n / 8 % 4) | PACKET3_MAP_QUEUES_ME(n / 32) |
            PACKET3_MAP_QUEUES_NUM_QUEUES(1),
            PACKET3_MAP_QUEUES_DOORBELL_OFFSET(RIG_DOOR(i)),
            LO(fb + RIG_MQD(i)), HI(fb + RIG_MQD(i)), LO(wptr), HI(wptr));
}

static inline void kiq_unmap(struct rig *r, unsigned i, unsigned action)
{
    KIQ_RUN(r, PACKET3(PACKET3_UNMAP_QUEUES, 4),
            PACKET3_UNMAP_QUEUES_ACTION(action) |
            PACKET3_UNMAP_QUEUES_NUM_QUEUES(1),
            PACKET3_UNMAP_QUEUES_DOORBELL_OFFSET0(RIG_DOOR(i)), 0, 0, 0);
}

/* Expect one interrupt of that hardware queue, and no other. */
#define CHECK_MEC_IRQ(r, n, source, vmid, context) do { \
    uint32_t iv_[8] = { 0 }; \
    CHECK(rig_irq((r), iv_)); \
    CHECK_EQ(iv_[0] & 0xff, SOC15_IH_CLIENTID_GRBM_CP); \
    CHECK_EQ(iv_[0] >> 8 & 0xff, (source)); \
    CHECK_EQ(iv_[0] >> 16 & 0xff, \
             VGPU_IV_CP_RING(1 + (n) / 32, (n) / 8 % 4, (n) % 8)); \
    CHECK_EQ(iv_[0] >> 24 & 0xf, (vmid)); \
    CHECK_EQ(iv_[4], (context)); \
    CHECK(!rig_irq((r), iv_)); \
} while (0)

#endif
