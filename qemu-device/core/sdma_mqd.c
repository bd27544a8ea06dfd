/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User queues of the SDMA engines: how the ring of one comes from its
 * descriptor and goes back there. Documentation/queues.rst, "SDMA queues".
 */
#include <string.h>

#include "sdma_priv.h"
#include "hw/mqd.h"

#define MQD_DW(member)  (offsetof(struct vgpu_sdma_mqd, member) / 4)

/* The registers of a ring lie in four runs, with gaps between them. */
static const struct {
    unsigned dw;
    uint32_t reg;
    unsigned count;
} runs[] = {
    { MQD_DW(sdmax_rlcx_rb_cntl), regSDMA0_GFX_RB_CNTL, 19 },
    { MQD_DW(sdmax_rlcx_status), regSDMA0_GFX_STATUS, 6 },
    { MQD_DW(sdmax_rlcx_ib_sub_remain), regSDMA0_GFX_IB_SUB_REMAIN, 7 },
    { MQD_DW(sdmax_rlcx_midcmd_data0), regSDMA0_GFX_MIDCMD_DATA0, 10 },
};

_Static_assert(regSDMA0_GFX_DOORBELL - regSDMA0_GFX_RB_CNTL == 18 &&
               MQD_DW(sdmax_rlcx_doorbell) == 18 &&
               MQD_DW(sdmax_rlcx_csa_addr_hi) == 24 &&
               regSDMA0_GFX_CSA_ADDR_HI - regSDMA0_GFX_STATUS == 5 &&
               MQD_DW(sdmax_rlcx_minor_ptr_update) == 31 &&
               regSDMA0_GFX_MINOR_PTR_UPDATE -
               regSDMA0_GFX_IB_SUB_REMAIN == 6 &&
               MQD_DW(sdmax_rlcx_midcmd_cntl) == 41 &&
               regSDMA0_GFX_MIDCMD_CNTL - regSDMA0_GFX_MIDCMD_DATA0 == 9,
               "the descriptor is the registers without the gaps");

/* Ours, in the part that hardware leaves to its firmware: what is in flight. */
#define MQD_SAVED       MQD_DW(reserved_42)

_Static_assert(sizeof(struct vgpu_sdma_state) <=
               sizeof(((struct vgpu_sdma_mqd *)0)->reserved_42) &&
               sizeof(struct vgpu_sdma_mqd) == 4 * VGPU_SDMA_MQD_DWORDS,
               "it has room there");

static const struct vgpu_req mqd_req = {
    .hub = VGPU_HUB_GC, .cid = VGPU_CID_CPC,
};

static bool is_free(const struct vgpu_die *d, unsigned n)
{
    return !(vgpu_reg_get(d, sdma_qreg(n, regSDMA0_GFX_RB_CNTL)) &
             SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK);
}

/* A free ring of the engine; the number behind the last one if there is none */
static unsigned free_ring(const struct vgpu_die *d, unsigned engine)
{
    unsigned n = engine * VGPU_SDMA_RINGS + SDMA_RING_RLC0;
    unsigned end = (engine + 1) * VGPU_SDMA_RINGS;

    while (n < end && !is_free(d, n)) {
        n++;
    }
    return n;
}

bool vgpu_sdma_has_room(const struct vgpu_die *d, unsigned engine)
{
    return free_ring(d, engine) < (engine + 1) * VGPU_SDMA_RINGS;
}

static uint64_t read_wptr(struct vgpu_die *d, const struct vgpu_sdma_user *u,
                          unsigned engine, uint64_t otherwise)
{
    struct vgpu_req req = {
        .hub = VGPU_HUB_MM, .vmid = u->vmid, .cid = VGPU_CID_SDMA(engine),
    };
    uint64_t val;

    return u->wptr && vgpu_gmc_read(d, &req, u->wptr, &val, sizeof(val)) ?
           val : otherwise;
}

void vgpu_sdma_map(struct vgpu_die *d, unsigned engine,
                   const struct vgpu_sdma_user *u)
{
    unsigned n = free_ring(d, engine), i;
    struct vgpu_sdma_state *s = &d->s.sdma[n], saved;
    uint32_t m[VGPU_SDMA_MQD_DWORDS];

    if (!vgpu_gmc_read(d, &mqd_req, u->mqd, m, sizeof(m))) {
        return;
    }
    for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        memcpy(&d->s.reg[sdma_qreg(n, runs[i].reg)], &m[runs[i].dw],
               4 * runs[i].count);
    }
    memcpy(&saved, &m[MQD_SAVED], sizeof(saved));
    if (sdma_state_ok(&saved)) {
        *s = saved;
    } else {
        memset(s, 0, sizeof(*s));
    }
    s->ib_vmid = u->vmid;
    s->parked = 0;
    s->halted = 0;
    s->pasid = u->pasid;
    s->flags = u->flags;
    s->mqd = u->mqd;
    s->rptr = (m[MQD_DW(sdmax_rlcx_rb_rptr)] & ~3u) |
              (uint64_t)m[MQD_DW(sdmax_rlcx_rb_rptr_hi)] << 32;
    s->wptr = read_wptr(d, u, engine, s->rptr) & ~3ull;
    vgpu_reg_set(d, sdma_qreg(n, regSDMA0_GFX_RB_WPTR), s->wptr);
    vgpu_reg_set(d, sdma_qreg(n, regSDMA0_GFX_RB_WPTR_HI), s->wptr >> 32);
    vgpu_reg_set(d, sdma_qreg(n, regSDMA0_GFX_DOORBELL_OFFSET),
                 u->doorbell << SDMA0_GFX_DOORBELL_OFFSET__OFFSET__SHIFT);
    vgpu_reg_set(d, sdma_qreg(n, regSDMA0_GFX_DOORBELL),
                 SDMA0_GFX_DOORBELL__ENABLE_MASK);
    vgpu_reg_set(d, sdma_qreg(n, regSDMA0_GFX_RB_CNTL),
                 (m[MQD_DW(sdmax_rlcx_rb_cntl)] &
                  ~(SDMA0_GFX_RB_CNTL__RB_VMID_MASK |
                    SDMA0_GFX_RB_CNTL__RB_PRIV_MASK)) |
                 u->vmid << SDMA0_GFX_RB_CNTL__RB_VMID__SHIFT |
                 SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK);
    vgpu_queue_kick(d, d->sdma->ring[n].queue);
}

static void store(struct vgpu_die *d, unsigned n)
{
    const struct vgpu_sdma_state *s = &d->s.sdma[n];
    uint32_t m[VGPU_SDMA_MQD_DWORDS];
    unsigned i;

    if (!vgpu_gmc_read(d, &mqd_req, s->mqd, m, sizeof(m))) {
        return;
    }
    for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        memcpy(&m[runs[i].dw], &d->s.reg[sdma_qreg(n, runs[i].reg)],
               4 * runs[i].count);
    }
    m[MQD_DW(sdmax_rlcx_rb_cntl)] &= ~SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK;
    m[MQD_DW(sdmax_rlcx_rb_rptr)] = s->rptr;
    m[MQD_DW(sdmax_rlcx_rb_rptr_hi)] = s->rptr >> 32;
    memcpy(&m[MQD_SAVED], s, sizeof(*s));
    vgpu_gmc_write(d, &mqd_req, s->mqd, m, sizeof(m));
}

static void unmap(struct vgpu_die *d, unsigned n, bool reset)
{
    struct vgpu_sdma_state *s = &d->s.sdma[n];
    uint32_t cntl = sdma_qreg(n, regSDMA0_GFX_RB_CNTL);
    struct sdma_ctx c;

    if (reset) {
        sdma_drop(d, n);
    }
    sdma_ctx_init(&c, d, d->sdma->ring[n].queue);
    sdma_rptr_writeback(&c);
    store(d, n);
    sdma_drop(d, n);
    s->pasid = 0;
    s->flags = 0;
    vgpu_reg_set(d, sdma_qreg(n, regSDMA0_GFX_DOORBELL), 0);
    vgpu_reg_set(d, cntl, vgpu_reg_get(d, cntl) &
                 ~SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK);
    d->sdma->ring[n].idle = true;
}

void vgpu_sdma_unmap(struct vgpu_die *d, uint32_t flags, uint32_t pasid,
                     bool reset)
{
    unsigned n;

    for (n = 0; n < d->cfg.num_sdma * VGPU_SDMA_RINGS; n++) {
        const struct vgpu_sdma_state *s = &d->s.sdma[n];

        if (s->flags & flags && (!pasid || s->pasid == pasid)) {
            unmap(d, n, reset);
        }
    }
}

bool vgpu_sdma_mapped(const struct vgpu_die *d, uint32_t pasid,
                      uint32_t doorbell)
{
    unsigned n;

    for (n = 0; n < d->cfg.num_sdma * VGPU_SDMA_RINGS; n++) {
        const struct vgpu_sdma_state *s = &d->s.sdma[n];
        uint32_t off = vgpu_reg_get(d, sdma_qreg(n,
                                    regSDMA0_GFX_DOORBELL_OFFSET));

        if (s->flags && s->pasid == pasid &&
            (doorbell == ~0u ||
             off == doorbell << SDMA0_GFX_DOORBELL_OFFSET__OFFSET__SHIFT)) {
            return true;
        }
    }
    return false;
}
