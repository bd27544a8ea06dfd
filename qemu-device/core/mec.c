/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compute queues: 64 hardware queues (HQD) behind the selection of
 * GRBM_GFX_CNTL, their pointers, doorbells and interrupts, and how a queue
 * comes from its descriptor in memory (MQD) and goes back there.
 * Documentation/queues.rst, "Hardware queues" and "Descriptors".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mec_priv.h"
#include "hw/ih.h"
#include "hw/reg/vgpu.h"

/* log2 of the largest ring, in units of two dwords */
#define MAX_QUEUE_SIZE  29

/* Dwords of an entry in the buffer of end-of-pipe events */
#define EOP_ENTRY_DW    8

#define COMPUTE_FIRST   GC(COMPUTE_DISPATCH_INITIATOR)

_Static_assert(GC(CP_HQD_PQ_WPTR_HI) - GC(CP_MQD_BASE_ADDR) + 1 ==
               VGPU_HQD_REGS, "the registers of a queue lie in a row");
_Static_assert(GC(COMPUTE_USER_DATA_15) - COMPUTE_FIRST + 1 ==
               VGPU_COMPUTE_REGS, "so do those of its shaders");
_Static_assert(CP_ME1_PIPE0_INT_CNTL__OPCODE_ERROR_INT_ENABLE_MASK ==
               CP_INT_CNTL_RING0__OPCODE_ERROR_INT_ENABLE_MASK &&
               CP_ME1_PIPE0_INT_CNTL__TIME_STAMP_INT_ENABLE_MASK ==
               CP_INT_CNTL_RING0__TIME_STAMP_INT_ENABLE_MASK &&
               CP_ME1_PIPE0_INT_CNTL__PRIV_REG_INT_ENABLE_MASK ==
               CP_INT_CNTL_RING0__PRIV_REG_INT_ENABLE_MASK,
               "vgpu_cp_interrupt() takes enables of ring 0 for all pipes");

static unsigned hqd_me(unsigned n)
{
    return 1 + n / (VGPU_MEC_PIPES * VGPU_MEC_QUEUES);
}

static unsigned hqd_pipe(unsigned n)
{
    return n / VGPU_MEC_QUEUES % VGPU_MEC_PIPES;
}

/* The hardware queue that GRBM_GFX_CNTL selects; NULL for one of me 0. */
static struct vgpu_cp *selected(struct vgpu_die *d)
{
    uint32_t sel = vgpu_reg_get(d, GC(GRBM_GFX_CNTL));
    unsigned me = (sel & GRBM_GFX_CNTL__MEID_MASK) >>
                  GRBM_GFX_CNTL__MEID__SHIFT;
    unsigned pipe = (sel & GRBM_GFX_CNTL__PIPEID_MASK) >>
                    GRBM_GFX_CNTL__PIPEID__SHIFT;
    unsigned queue = (sel & GRBM_GFX_CNTL__QUEUEID_MASK) >>
                     GRBM_GFX_CNTL__QUEUEID__SHIFT;

    return me == 1 || me == 2 ? &d->mec->hqd[VGPU_HQD(me, pipe, queue)] : NULL;
}

static unsigned hqd_number(const struct vgpu_cp *cp)
{
    return cp - cp->d->mec->hqd;
}

static bool me_halted(const struct vgpu_die *d, unsigned n)
{
    return vgpu_reg_get(d, GC(CP_MEC_CNTL)) &
           (hqd_me(n) == 1 ? CP_MEC_CNTL__MEC_ME1_HALT_MASK :
            CP_MEC_CNTL__MEC_ME2_HALT_MASK);
}

static uint64_t hqd_wptr(const struct vgpu_hqd_state *h)
{
    return hqd_reg64(h, HQD(HQD_PQ_WPTR_LO));
}

/* ------------------------------------------------- coming and going */

static void update_door(struct vgpu_die *d, unsigned n)
{
    const struct vgpu_hqd_state *h = &d->s.mec.hqd[n];

    d->mec->door[n] =
        hqd_active(h) && HQD_FIELD(h, HQD_PQ_DOORBELL_CONTROL, DOORBELL_EN) ?
        HQD_FIELD(h, HQD_PQ_DOORBELL_CONTROL, DOORBELL_OFFSET) :
        HQD_NO_DOORBELL;
}

/*
 * A driver that writes registers cannot say how many packets have ever been
 * taken: as many as the read pointer is behind the write pointer.
 */
static void guess_read_index(struct vgpu_hqd_state *h)
{
    uint32_t size = HQD_FIELD(h, HQD_PQ_CONTROL, QUEUE_SIZE);
    uint64_t mask = (2ull << (size < MAX_QUEUE_SIZE ? size :
                              MAX_QUEUE_SIZE)) - 1;
    uint64_t wptr = hqd_wptr(h);

    if (hqd_is_aql(h) &&
        ((h->read_index * VGPU_AQL_PACKET_DWORDS ^ h->pm4.rptr) & mask)) {
        h->read_index = (wptr - ((wptr - h->pm4.rptr) & mask)) /
                        VGPU_AQL_PACKET_DWORDS;
    }
}

/* The queue becomes active: the stream starts where the registers say. */
static void connect(struct vgpu_cp *cp)
{
    struct vgpu_hqd_state *h = cp->hqd;
    uint32_t ib = h->reg[HQD(HQD_IB_CONTROL)];
    unsigned prio = HQD_FIELD(h, HQD_PIPE_PRIORITY, PIPE_PRIORITY);

    h->reg[HQD(HQD_ACTIVE)] |= CP_HQD_ACTIVE__ACTIVE_MASK;
    h->pm4.rptr = h->reg[HQD(HQD_PQ_RPTR)];
    guess_read_index(h);
    cp->ring_vmid = HQD_FIELD(h, HQD_VMID, VMID);
    if (ib & CP_HQD_IB_CONTROL__PROCESSING_IB_MASK) {
        h->pm4.ib[0].base = hqd_reg64(h, HQD(HQD_IB_BASE_ADDR)) &
                            PM4_IB_ADDR_MASK;
        h->pm4.ib[0].size = ib & CP_HQD_IB_CONTROL__IB_SIZE_MASK;
        h->pm4.ib[0].pos = HQD_FIELD(h, HQD_IB_RPTR, CONSUMED_OFFSET);
        if (h->pm4.ib[0].pos > h->pm4.ib[0].size) {
            h->pm4.ib[0].pos = h->pm4.ib[0].size;
        }
        h->pm4.ib_vmid = cp->ring_vmid ? cp->ring_vmid :
                         HQD_FIELD(h, HQD_VMID, IB_VMID);
        h->pm4.level = 1;
    }
    cp->written_rptr = ~0u;
    cp->queue->weight = prio < 2 ? prio : 2;
    update_door(cp->d, hqd_number(cp));
    vgpu_queue_kick(cp->d, cp->queue);
}

/* What the registers show of the stream. */
static uint32_t live_reg(const struct vgpu_hqd_state *h, unsigned i)
{
    const struct vgpu_cp_ib *ib = &h->pm4.ib[0];

    if (i == HQD(HQD_PQ_RPTR)) {
        return h->pm4.rptr;
    }
    if (i == HQD(HQD_IB_CONTROL)) {
        return (h->reg[i] & ~(CP_HQD_IB_CONTROL__IB_SIZE_MASK |
                              CP_HQD_IB_CONTROL__PROCESSING_IB_MASK)) |
               (h->pm4.level ?
                ib->size | CP_HQD_IB_CONTROL__PROCESSING_IB_MASK : 0);
    }
    if (!h->pm4.level) {
        return h->reg[i];
    }
    if (i == HQD(HQD_IB_BASE_ADDR)) {
        return ib->base;
    }
    if (i == HQD(HQD_IB_BASE_ADDR_HI)) {
        return ib->base >> 32;
    }
    if (i == HQD(HQD_IB_RPTR)) {
        return ib->pos;
    }
    if (i == HQD(HQD_VMID)) {
        return (h->reg[i] & ~CP_HQD_VMID__IB_VMID_MASK) |
               h->pm4.ib_vmid << CP_HQD_VMID__IB_VMID__SHIFT;
    }
    return h->reg[i];
}

/* The queue is no longer active: the registers keep where it stands. */
static void disconnect(struct vgpu_cp *cp)
{
    struct vgpu_hqd_state *h = cp->hqd;
    unsigned i;

    for (i = 0; i < VGPU_HQD_REGS; i++) {
        h->reg[i] = live_reg(h, i);
    }
    h->reg[HQD(HQD_ACTIVE)] &= ~CP_HQD_ACTIVE__ACTIVE_MASK;
    h->reg[HQD(HQD_DEQUEUE_REQUEST)] = 0;
    h->flags = 0;
    h->pasid = 0;
    h->in_packet = 0;
    h->seen = 0;
    pm4_abort(cp);
    h->pm4.busy = 0;
    update_door(cp->d, hqd_number(cp));
    kiq_forget(cp->d, hqd_number(cp));
}

/* ------------------------------------------------------- descriptors */

#define MQD_DW(member)  (offsetof(struct vgpu_mqd, member) / 4)
#define MQD_HQD         MQD_DW(cp_mqd_base_addr_lo)

/*
 * Ours in the part that hardware leaves to its firmware: where a packet that
 * was interrupted goes on. All of it is 0 in a new descriptor.
 */
enum mqd_private {
    MQD_DONE_LO = MQD_DW(reserved_256), /* DMA_DATA: bytes copied */
    MQD_DONE_HI,
    MQD_SKIP,       /* COND_EXEC in the ring: dwords yet to be discarded */
    MQD_PHASE,      /* the one-time part of a wait is done */
    MQD_SEEN,       /* AQL barrier: dependencies that were satisfied */
    MQD_IN_PACKET,  /* AQL: the packet has begun */
};

static struct vgpu_req mqd_req(const struct vgpu_hqd_state *h)
{
    return (struct vgpu_req) {
        .hub = VGPU_HUB_GC, .vmid = HQD_FIELD(h, MQD_CONTROL, VMID),
        .cid = VGPU_CID_CPC,
    };
}

/* Dword of the descriptor that holds a COMPUTE_* register; 0 for none. */
static unsigned mqd_compute_dw(unsigned i)
{
    unsigned se4 = GC(COMPUTE_STATIC_THREAD_MGMT_SE4) - COMPUTE_FIRST;

    if (i < se4 || i >= GC(COMPUTE_USER_DATA_0) - COMPUTE_FIRST) {
        return 1 + i;
    }
    return i < se4 + 4 ? MQD_DW(compute_static_thread_mgmt_se4) + i - se4 : 0;
}

_Static_assert(MQD_DW(compute_dispatch_initiator) == 1 &&
               MQD_DW(compute_user_data_0) == 1 + GC(COMPUTE_USER_DATA_0) -
               COMPUTE_FIRST && MQD_DW(cp_hqd_pq_wptr_hi) - MQD_HQD + 1 ==
               VGPU_HQD_REGS && sizeof(struct vgpu_mqd) ==
               4 * VGPU_MQD_DWORDS, "the descriptor is the registers in order");

static bool mqd_load(struct vgpu_cp *cp, uint64_t va)
{
    struct vgpu_hqd_state *h = cp->hqd;
    const struct vgpu_req req = {
        .hub = VGPU_HUB_GC, .cid = VGPU_CID_CPC,
    };
    uint32_t m[VGPU_MQD_DWORDS];
    unsigned i, dw;

    if (!vgpu_gmc_read(cp->d, &req, va, m, sizeof(m))) {
        return false;
    }
    memcpy(h->reg, m + MQD_HQD, sizeof(h->reg));
    for (i = 0; i < VGPU_COMPUTE_REGS; i++) {
        dw = mqd_compute_dw(i);
        h->compute[i] = dw ? m[dw] : 0;
    }
    pm4_abort(cp);
    h->pm4.done = pm4_addr(m[MQD_DONE_LO], m[MQD_DONE_HI]);
    h->pm4.skip = m[MQD_SKIP] % PM4_MAX_PAYLOAD;
    h->pm4.phase = m[MQD_PHASE] & 1;
    h->seen = m[MQD_SEEN];
    h->in_packet = m[MQD_IN_PACKET] & 1;
    h->read_index = pm4_addr(m[MQD_DW(cp_mqd_readindex_lo)],
                             m[MQD_DW(cp_mqd_readindex_hi)]);
    return true;
}

static void mqd_store(struct vgpu_cp *cp)
{
    struct vgpu_hqd_state *h = cp->hqd;
    uint64_t va = hqd_reg64(h, HQD(MQD_BASE_ADDR));
    struct vgpu_req req = mqd_req(h);
    uint32_t m[VGPU_MQD_DWORDS];
    unsigned i, dw;

    /* Without a descriptor, as the KIQ before its first: nowhere to go. */
    if (!va || !vgpu_gmc_read(cp->d, &req, va, m, sizeof(m))) {
        return;
    }
    for (i = 0; i < VGPU_HQD_REGS; i++) {
        m[MQD_HQD + i] = live_reg(h, i);
    }
    m[MQD_DW(cp_hqd_active)] &= ~CP_HQD_ACTIVE__ACTIVE_MASK;
    m[MQD_DW(cp_hqd_dequeue_request)] = 0;
    for (i = 0; i < VGPU_COMPUTE_REGS; i++) {
        dw = mqd_compute_dw(i);
        if (dw) {
            m[dw] = h->compute[i];
        }
    }
    m[MQD_DONE_LO] = h->pm4.done;
    m[MQD_DONE_HI] = h->pm4.done >> 32;
    m[MQD_SKIP] = h->pm4.skip;
    m[MQD_PHASE] = h->pm4.phase;
    m[MQD_SEEN] = h->seen;
    m[MQD_IN_PACKET] = h->in_packet;
    m[MQD_DW(cp_mqd_readindex_lo)] = h->read_index;
    m[MQD_DW(cp_mqd_readindex_hi)] = h->read_index >> 32;
    vgpu_gmc_write(cp->d, &req, va, m, sizeof(m));
}

/* -------------------------------------------------- pointers, doorbells */

static void set_wptr(struct vgpu_hqd_state *h, uint64_t wptr)
{
    h->reg[HQD(HQD_PQ_WPTR_LO)] = wptr;
    h->reg[HQD(HQD_PQ_WPTR_HI)] = wptr >> 32;
}

/*
 * Take the write pointer from memory, where it counts packets of AQL, dwords
 * otherwise. Return: it has moved.
 */
static bool poll_wptr(struct vgpu_cp *cp)
{
    struct vgpu_hqd_state *h = cp->hqd;
    uint64_t va = hqd_reg64(h, HQD(HQD_PQ_WPTR_POLL_ADDR)) &
                  0xfffffffffff8ull, wptr = hqd_wptr(h), val;
    struct vgpu_req req = cp->req;
    bool ok;

    if (!va || (h->reg[HQD(HQD_ERROR)] & CP_HQD_ERROR__WPP_UTCL1_ERROR_MASK)) {
        return false;
    }
    cp->req.vmid = HQD_FIELD(h, HQD_VMID, VMID);
    ok = pm4_read64(cp, va, &val);
    cp->req = req;
    if (!ok) {
        h->reg[HQD(HQD_ERROR)] |= CP_HQD_ERROR__WPP_UTCL1_ERROR_MASK;
        return false;
    }
    set_wptr(h, hqd_is_aql(h) ? val * VGPU_AQL_PACKET_DWORDS : val);
    return hqd_wptr(h) != wptr;
}

static void ring(struct vgpu_cp *cp, uint64_t val)
{
    struct vgpu_hqd_state *h = cp->hqd;
    bool drop = HQD_FIELD(h, HQD_PQ_DOORBELL_CONTROL, DOORBELL_BIF_DROP);

    h->reg[HQD(HQD_PQ_DOORBELL_CONTROL)] |=
        CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_HIT_MASK;
    vgpu_trace_step(cp->d, VGPU_STEP_DOORBELL, cp->trace, val);
    if (drop && hqd_reg64(h, HQD(HQD_PQ_WPTR_POLL_ADDR))) {
        poll_wptr(cp);      /* its value is dropped: memory has it */
    } else if (!hqd_is_aql(h)) {
        set_wptr(h, val);
    } else if ((int64_t)(val + 1 - hqd_wptr(h) / VGPU_AQL_PACKET_DWORDS) > 0) {
        /* The index of the last packet; one that is older is late. */
        set_wptr(h, (val + 1) * VGPU_AQL_PACKET_DWORDS);
    }
    vgpu_queue_kick(cp->d, cp->queue);
}

bool vgpu_mec_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val)
{
    uint32_t lower = vgpu_reg_get(d, GC(CP_MEC_DOORBELL_RANGE_LOWER)) >> 2;
    uint32_t upper = vgpu_reg_get(d, GC(CP_MEC_DOORBELL_RANGE_UPPER)) >> 2;
    unsigned n;

    if (!(vgpu_reg_get(d, GC(CP_PQ_STATUS)) &
          CP_PQ_STATUS__DOORBELL_ENABLE_MASK) ||
        index < lower || index > upper) {
        return false;
    }
    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        if (d->mec->door[n] == index) {
            ring(&d->mec->hqd[n], val);
            return true;
        }
    }
    return false;
}

/* A queue of AQL reports packets, 64 bits, and does so by its firmware. */
static void report_rptr(struct vgpu_cp *cp)
{
    struct vgpu_hqd_state *h = cp->hqd;
    uint64_t va = hqd_reg64(h, HQD(HQD_PQ_RPTR_REPORT_ADDR)) &
                  0xfffffffffffcull;

    if (cp->written_rptr == h->pm4.rptr || !va ||
        (h->reg[HQD(HQD_ERROR)] & CP_HQD_ERROR__RRPT_UTCL1_ERROR_MASK) ||
        (!hqd_is_aql(h) && HQD_FIELD(h, HQD_PQ_CONTROL, NO_UPDATE_RPTR))) {
        return;
    }
    cp->written_rptr = h->pm4.rptr;
    cp->req.vmid = cp->ring_vmid;
    if (!hqd_is_aql(h)) {
        pm4_write32(cp, va, h->pm4.rptr);
    } else if (!(va & 7)) {
        pm4_write64(cp, va, h->read_index);
    }
    pm4_level_changed(cp);
}

/* ----------------------------------------------------------- mapping */

bool hqd_map(struct vgpu_die *d, unsigned n, uint64_t mqd, unsigned vmid,
             uint32_t doorbell, uint64_t wptr)
{
    struct vgpu_cp *cp = &d->mec->hqd[n];
    struct vgpu_hqd_state *h = cp->hqd;

    if (hqd_active(h)) {
        hqd_unmap(d, n, HQD_DEQUEUE_DRAIN);
    }
    if (cp->running || !mqd_load(cp, mqd)) {
        return false;
    }
    h->reg[HQD(MQD_BASE_ADDR)] = mqd;
    h->reg[HQD(MQD_BASE_ADDR_HI)] = mqd >> 32;
    h->reg[HQD(MQD_CONTROL)] &= ~CP_MQD_CONTROL__VMID_MASK;
    h->reg[HQD(HQD_VMID)] = (h->reg[HQD(HQD_VMID)] & ~CP_HQD_VMID__VMID_MASK) |
                            vmid;
    h->reg[HQD(HQD_PQ_DOORBELL_CONTROL)] =
        (h->reg[HQD(HQD_PQ_DOORBELL_CONTROL)] &
         CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_BIF_DROP_MASK) |
        doorbell << CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_OFFSET__SHIFT |
        CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_EN_MASK;
    h->reg[HQD(HQD_ERROR)] = 0;
    h->reg[HQD(HQD_DEQUEUE_REQUEST)] = 0;
    if (wptr) {
        /* What rang while it was not mapped has rung here. */
        h->reg[HQD(HQD_PQ_WPTR_POLL_ADDR)] = wptr;
        h->reg[HQD(HQD_PQ_WPTR_POLL_ADDR_HI)] = wptr >> 32;
        poll_wptr(cp);
    }
    connect(cp);
    return true;
}

void hqd_unmap(struct vgpu_die *d, unsigned n, enum hqd_dequeue how)
{
    struct vgpu_cp *cp = &d->mec->hqd[n];
    struct vgpu_hqd_state *h = cp->hqd;

    if (cp->running) {
        h->reg[HQD(HQD_DEQUEUE_REQUEST)] = how;
        cp->sync = true;
        return;
    }
    if (!hqd_active(h)) {
        return;
    }
    if (how == HQD_DEQUEUE_RESET) {
        pm4_abort(cp);
        h->in_packet = 0;
        h->seen = 0;
    }
    report_rptr(cp);
    mqd_store(cp);
    pm4_flush_writes(cp);
    disconnect(cp);
}

/* As it comes out of a reset: nothing is stored anywhere. */
static void reset_hqd(struct vgpu_cp *cp)
{
    struct vgpu_hqd_state *h = cp->hqd;

    if (cp->running) {
        cp->reset_pending = true;
        cp->sync = true;
        return;
    }
    cp->reset_pending = false;
    disconnect(cp);
    memset(h, 0, sizeof(*h));
    h->reg[HQD(HQD_PERSISTENT_STATE)] = 0x0be05301;
    h->reg[HQD(HQD_PQ_CONTROL)] = 0x00308509;
    h->reg[HQD(HQD_IB_CONTROL)] = 0x00300000;
    h->reg[HQD(MQD_CONTROL)] = 0x00000100;
    h->reg[HQD(HQD_EOP_CONTROL)] = 0x00000006;
    h->reg[HQD(HQD_EOP_RPTR)] = 0x40000000;
    h->reg[HQD(HQD_EOP_WPTR)] = 0x007f8000;
    memset(cp->win, 0, sizeof(cp->win));
}

void vgpu_mec_soft_reset(struct vgpu_die *d)
{
    unsigned n;

    d->s.mec.hws.active = 0;
    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        reset_hqd(&d->mec->hqd[n]);
    }
}

void vgpu_mec_kill_vmids(struct vgpu_die *d, uint32_t vmids)
{
    unsigned n;

    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        struct vgpu_cp *cp = &d->mec->hqd[n];

        if (!cp->running && cp->s->level &&
            (vmids & (1u << cp->s->ib_vmid))) {
            pm4_abort(cp);
            vgpu_queue_kick(d, cp->queue);
        }
    }
}

/* -------------------------------------------------------------- running */

static void set_up(struct vgpu_cp *cp)
{
    struct vgpu_hqd_state *h = cp->hqd;
    unsigned n = hqd_number(cp);
    uint32_t size = HQD_FIELD(h, HQD_PQ_CONTROL, QUEUE_SIZE);

    cp->ring_mask = (2u << (size < MAX_QUEUE_SIZE ? size : MAX_QUEUE_SIZE)) - 1;
    cp->ring_base = hqd_reg64(h, HQD(HQD_PQ_BASE)) << 8;
    cp->ring_vmid = HQD_FIELD(h, HQD_VMID, VMID);
    cp->scheduler = kiq_is_scheduler(cp->d, n);
    /* A queue of AQL has PM4 in indirect buffers only: no ring of it. */
    cp->wptr = hqd_is_aql(h) ? &h->pm4.rptr : &h->reg[HQD(HQD_PQ_WPTR_LO)];
    h->pm4.rptr &= cp->ring_mask;
    pm4_level_changed(cp);
}

uint32_t *mec_compute_reg(struct vgpu_cp *cp, uint32_t reg)
{
    return cp->hqd && reg - COMPUTE_FIRST < VGPU_COMPUTE_REGS ?
           &cp->hqd->compute[reg - COMPUTE_FIRST] : NULL;
}

/* Entries of eight dwords; none is ever kept waiting. */
void mec_end_of_pipe(struct vgpu_cp *cp)
{
    struct vgpu_hqd_state *h = cp->hqd;
    uint32_t size = HQD_FIELD(h, HQD_EOP_CONTROL, EOP_SIZE);
    uint32_t mask = CP_HQD_EOP_WPTR__WPTR_MASK, ptr;

    if (size < 12) {
        mask = (2u << size) - 1;
    }
    ptr = (HQD_FIELD(h, HQD_EOP_WPTR, WPTR) + EOP_ENTRY_DW) & mask;
    h->reg[HQD(HQD_EOP_WPTR)] &= ~CP_HQD_EOP_WPTR__WPTR_MASK;
    h->reg[HQD(HQD_EOP_WPTR)] |= ptr;
    h->reg[HQD(HQD_EOP_RPTR)] &= ~CP_HQD_EOP_RPTR__RPTR_MASK;
    h->reg[HQD(HQD_EOP_RPTR)] |= ptr;
}

/* The doorbell counts 64-bit places in the page of its process. */
uint32_t mec_halted(struct vgpu_cp *cp, enum vgpu_cp_halt why)
{
    struct vgpu_hqd_state *h = cp->hqd;
    uint32_t door = HQD_FIELD(h, HQD_PQ_DOORBELL_CONTROL, DOORBELL_OFFSET);
    uint32_t code = cp->error_code;

    cp->error_code = 0;
    if (why == VGPU_CP_FETCH_FAULT) {
        h->reg[HQD(HQD_ERROR)] |= h->pm4.level ?
                                  CP_HQD_ERROR__IB_UTCL1_ERROR_MASK :
                                  CP_HQD_ERROR__PQ_UTCL1_ERROR_MASK;
    }
    return VGPU_CP_ERR_DOORBELL(door % 1024 / 2) | VGPU_CP_ERR_ECODE(code);
}

/* What the packets that ran asked for. Return: the queue is gone. */
static bool do_pending(struct vgpu_cp *cp)
{
    uint32_t req = cp->hqd->reg[HQD(HQD_DEQUEUE_REQUEST)] &
                   CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ_MASK;

    if (cp->reset_pending) {
        reset_hqd(cp);
    } else if (req) {
        hqd_unmap(cp->d, hqd_number(cp), req);
    }
    return !hqd_active(cp->hqd);
}

static enum vgpu_run mec_run(struct vgpu_die *d, struct vgpu_queue *q)
{
    struct vgpu_cp *cp = &d->mec->hqd[q->arg];
    enum vgpu_run res;

    if (!hqd_active(cp->hqd)) {
        return VGPU_RUN_IDLE;
    }
    if (me_halted(d, q->arg) || cp->s->halted) {
        return VGPU_RUN_HALTED;
    }
    set_up(cp);
    cp->sync = false;
    cp->running = true;
    d->mec->current = cp;
    res = hqd_is_aql(cp->hqd) ? vgpu_aql_run(cp) : vgpu_pm4_run(cp);
    d->mec->current = NULL;
    cp->running = false;

    if (res == VGPU_RUN_IDLE &&
        (vgpu_reg_get(d, GC(CP_PQ_WPTR_POLL_CNTL)) &
         CP_PQ_WPTR_POLL_CNTL__EN_MASK)) {
        res = poll_wptr(cp) ? VGPU_RUN_MORE : VGPU_RUN_PARKED;
    }
    report_rptr(cp);
    pm4_flush_writes(cp);
    d->stats.pm4_packets += cp->packets;
    cp->packets = 0;
    return do_pending(cp) ? VGPU_RUN_IDLE : res;
}

/* ------------------------------------------------------------ registers */

static uint32_t hqd_read(struct vgpu_die *d, uint32_t reg)
{
    struct vgpu_cp *cp = selected(d);
    unsigned i = reg - GC(CP_MQD_BASE_ADDR);

    if (!cp) {
        return 0;
    }
    return hqd_active(cp->hqd) ? live_reg(cp->hqd, i) : cp->hqd->reg[i];
}

static void hqd_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    struct vgpu_cp *cp = selected(d);
    unsigned i = reg - GC(CP_MQD_BASE_ADDR);
    bool was;

    if (!cp) {
        return;
    }
    was = hqd_active(cp->hqd);
    if (i == HQD(HQD_DEQUEUE_REQUEST) && was &&
        (val & CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ_MASK)) {
        hqd_unmap(d, hqd_number(cp),
                  val & CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ_MASK);
        return;
    }
    if (i == HQD(HQD_ACTIVE)) {
        if (!was && (val & CP_HQD_ACTIVE__ACTIVE_MASK)) {
            connect(cp);
        } else if (was && !(val & CP_HQD_ACTIVE__ACTIVE_MASK)) {
            if (cp->running) {
                hqd_unmap(d, hqd_number(cp), HQD_DEQUEUE_RESET);
            } else {
                disconnect(cp);
            }
        }
        return;
    }
    if (i == HQD(HQD_EOP_RPTR)) {
        val &= ~CP_HQD_EOP_RPTR__INIT_FETCHER_MASK;     /* done at once */
    }
    cp->hqd->reg[i] = val;
    cp->sync = true;
    if (i == HQD(HQD_PQ_DOORBELL_CONTROL)) {
        update_door(d, hqd_number(cp));
    }
    if (was) {
        vgpu_queue_kick(d, cp->queue);
    }
}

/* One look at the write pointers in memory of these queues of the first MEC. */
static void poll_cntl1_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned n;

    vgpu_reg_set(d, reg, val);
    for (n = 0; n < 32; n++) {
        struct vgpu_cp *cp = &d->mec->hqd[n];

        if ((val & (1u << n)) && poll_wptr(cp) && hqd_active(cp->hqd)) {
            vgpu_queue_kick(d, cp->queue);
        }
    }
}

static void kick_all(struct vgpu_die *d)
{
    unsigned n;

    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        if (hqd_active(d->mec->hqd[n].hqd)) {
            vgpu_queue_kick(d, d->mec->hqd[n].queue);
        }
    }
}

static void poll_cntl_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    kick_all(d);
}

static bool pipe_reset(uint32_t val, unsigned n)
{
    static const uint32_t bit[2][VGPU_MEC_PIPES] = {
        { CP_MEC_CNTL__MEC_ME1_PIPE0_RESET_MASK,
          CP_MEC_CNTL__MEC_ME1_PIPE1_RESET_MASK,
          CP_MEC_CNTL__MEC_ME1_PIPE2_RESET_MASK,
          CP_MEC_CNTL__MEC_ME1_PIPE3_RESET_MASK },
        { CP_MEC_CNTL__MEC_ME2_PIPE0_RESET_MASK,
          CP_MEC_CNTL__MEC_ME2_PIPE1_RESET_MASK },
    };

    return val & bit[hqd_me(n) - 1][hqd_pipe(n)];
}

static void mec_cntl_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned n;

    vgpu_reg_set(d, reg, val);
    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        if (pipe_reset(val, n)) {
            reset_hqd(&d->mec->hqd[n]);
        }
    }
    kick_all(d);
}

/* Of the queue that is selected: the packet that it is at, or was last. */
static uint32_t header_read(struct vgpu_die *d, uint32_t reg)
{
    struct vgpu_cp *cp = selected(d);
    unsigned me = reg == GC(CP_MEC_ME1_HEADER_DUMP) ? 1 : 2;

    return cp && hqd_me(hqd_number(cp)) == me ? cp->s->header : 0;
}

/* CPC_INT_* are those of the pipe that is selected. */
static uint32_t cpc_int_read(struct vgpu_die *d, uint32_t reg)
{
    struct vgpu_cp *cp = selected(d);

    return !cp ? 0 : vgpu_reg_get(d, reg == GC(CPC_INT_CNTL) ? cp->int_cntl :
                                  cp->int_status);
}

static void cpc_int_cntl_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    struct vgpu_cp *cp = selected(d);

    (void)reg;
    if (cp) {
        vgpu_reg_set(d, cp->int_cntl, val);
    }
}

/*
 * A queue that sets a generic bit raises the interrupt of that name: it is how
 * a ring without end-of-pipe events signals its fences. A CPU clears bits.
 */
static void cpc_int_status_write(struct vgpu_die *d, uint32_t reg,
                                 uint32_t val)
{
    static const struct {
        uint32_t bit;
        uint8_t source;
    } generic[] = {
        { CPC_INT_STATUS__GENERIC0_INT_STATUS_MASK,
          GFX_9_0__SRCID__CP_RB_INTERRUPT_PKT },
        { CPC_INT_STATUS__GENERIC1_INT_STATUS_MASK,
          GFX_9_0__SRCID__CP_IB1_INTERRUPT_PKT },
        { CPC_INT_STATUS__GENERIC2_INT_STATUS_MASK,
          GFX_9_0__SRCID__CP_IB2_INTERRUPT_PKT },
    };
    struct vgpu_cp *cp = d->mec->current;
    unsigned i;

    (void)reg;
    if (!cp) {
        cp = selected(d);
        if (cp) {
            vgpu_reg_set(d, cp->int_status,
                         vgpu_reg_get(d, cp->int_status) & ~val);
        }
        return;
    }
    for (i = 0; i < sizeof(generic) / sizeof(generic[0]); i++) {
        if (val & generic[i].bit) {
            vgpu_cp_interrupt(cp, generic[i].bit, generic[i].source,
                              vgpu_reg_get(d, GC(CPC_INT_CNTX_ID)));
        }
    }
}

static void clear_ones(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, vgpu_reg_get(d, reg) & ~val);
}

#define R(n, ...) { .reg = GC(n), .name = #n, __VA_ARGS__ }
#define PLAIN(n)  R(n, .wmask = ~0u)

static const struct vgpu_reg_desc mec_regs[] = {
    { .reg = GC(CP_MQD_BASE_ADDR), .count = VGPU_HQD_REGS, .wmask = ~0u,
      .read = hqd_read, .write = hqd_write, .name = "CP_HQD" },
    R(CP_MEC_CNTL, .reset = 0x50000000, .wmask = ~0u,
      .write = mec_cntl_write),
    R(CP_MEC_DOORBELL_RANGE_LOWER, .reset = 0x48, .wmask = 0x0ffffffc),
    R(CP_MEC_DOORBELL_RANGE_UPPER, .reset = 0x0ffffffc, .wmask = 0x0ffffffc),
    R(CP_PQ_STATUS, .wmask = CP_PQ_STATUS__DOORBELL_ENABLE_MASK),
    R(CP_PQ_WPTR_POLL_CNTL, .reset = 1, .wmask = ~0u,
      .write = poll_cntl_write),
    R(CP_PQ_WPTR_POLL_CNTL1, .wmask = ~0u, .write = poll_cntl1_write),
    R(CP_IQ_WAIT_TIME1, .reset = 0x40404040, .wmask = ~0u),
    R(CP_IQ_WAIT_TIME2, .reset = 0x40404040, .wmask = ~0u),
    R(CPC_INT_CNTL, .wmask = ~0u, .read = cpc_int_read,
      .write = cpc_int_cntl_write),
    R(CPC_INT_STATUS, .wmask = ~0u, .read = cpc_int_read,
      .write = cpc_int_status_write),
    PLAIN(CPC_INT_CNTX_ID),
    R(CP_ME1_PIPE0_INT_CNTL, .count = 8, .wmask = ~0u),
    R(CP_ME1_PIPE0_INT_STATUS, .count = 8, .wmask = ~0u, .write = clear_ones),
    R(CP_CPC_STATUS),
    R(CP_CPC_BUSY_STAT),
    R(CP_CPC_STALLED_STAT1),
    R(CP_CPF_STATUS),
    R(CP_CPF_BUSY_STAT),
    R(CP_CPF_STALLED_STAT1),
    R(CP_MEC_ME1_HEADER_DUMP, .read = header_read),
    R(CP_MEC_ME2_HEADER_DUMP, .read = header_read),
    R(CP_MEC1_INSTR_PNTR),
    R(CP_MEC2_INSTR_PNTR),
    /* No microcode is loaded: what a loader writes goes nowhere. */
    PLAIN(CP_MEC_ME1_UCODE_ADDR),
    PLAIN(CP_MEC_ME1_UCODE_DATA),
    PLAIN(CP_MEC_ME2_UCODE_ADDR),
    PLAIN(CP_MEC_ME2_UCODE_DATA),
    PLAIN(CP_CPC_IC_BASE_LO),
    PLAIN(CP_CPC_IC_BASE_HI),
    PLAIN(CP_CPC_IC_BASE_CNTL),
};

_Static_assert(GC(CP_ME2_PIPE3_INT_CNTL) == GC(CP_ME1_PIPE0_INT_CNTL) + 7 &&
               GC(CP_ME2_PIPE3_INT_STATUS) == GC(CP_ME1_PIPE0_INT_STATUS) + 7,
               "the pipes' registers lie in a row");

/* ---------------------------------------------------------------- block */

static void mec_poisoned(struct vgpu_die *d, struct vgpu_queue *q)
{
    vgpu_cp_halt(&d->mec->hqd[q->arg], VGPU_CP_POISON);
}

static bool mec_init(struct vgpu_die *d)
{
    unsigned n;

    d->mec = calloc(1, sizeof(*d->mec));
    if (!d->mec) {
        return false;
    }
    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        struct vgpu_cp *cp = &d->mec->hqd[n];
        unsigned pipe = n / VGPU_MEC_QUEUES, queue = n % VGPU_MEC_QUEUES;

        snprintf(d->mec->name[n], sizeof(d->mec->name[n]), "mec%u.%u.%u",
                 hqd_me(n), hqd_pipe(n), queue);
        cp->d = d;
        cp->hqd = &d->s.mec.hqd[n];
        cp->s = &cp->hqd->pm4;
        cp->engines = PM4_MEC;
        cp->levels = 2;
        cp->wptr = &cp->hqd->reg[HQD(HQD_PQ_WPTR_LO)];
        cp->preop = &cp->hqd->reg[HQD(HQD_ATOMIC0_PREOP_LO)];
        cp->int_cntl = GC(CP_ME1_PIPE0_INT_CNTL) + pipe;
        cp->int_status = GC(CP_ME1_PIPE0_INT_STATUS) + pipe;
        cp->ring_id = VGPU_IV_CP_RING(hqd_me(n), hqd_pipe(n), queue);
        cp->trace = VGPU_TRACE_QUEUE_HQD(n);
        cp->req.hub = VGPU_HUB_GC;
        cp->req.cid = VGPU_CID_CPC;
        cp->pkt = d->cp->pkt;
        cp->queue = vgpu_queue_add(d, d->mec->name[n], mec_run, n);
        if (!cp->queue) {
            return false;
        }
        cp->queue->poisoned = mec_poisoned;
    }
    d->mec->hws = vgpu_queue_add(d, "hws", hws_run, 0);
    return d->mec->hws &&
           vgpu_regs_claim(d, mec_regs, sizeof(mec_regs) / sizeof(mec_regs[0]));
}

static void mec_drop_caches(struct vgpu_die *d)
{
    unsigned n;

    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        struct vgpu_cp *cp = &d->mec->hqd[n];

        memset(cp->win, 0, sizeof(cp->win));
        cp->dirty_len = 0;
        cp->reset_pending = false;
    }
}

static void mec_reset(struct vgpu_die *d)
{
    mec_drop_caches(d);
    vgpu_mec_soft_reset(d);
}

static void mec_reset_mode2(struct vgpu_die *d)
{
    unsigned n;

    memset(&d->s.mec, 0, sizeof(d->s.mec));
    mec_reset(d);
    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        vgpu_queue_reset(d, d->mec->hqd[n].queue);
    }
    vgpu_queue_reset(d, d->mec->hws);
}

static void mec_loaded(struct vgpu_die *d)
{
    unsigned n;

    mec_drop_caches(d);
    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        struct vgpu_cp *cp = &d->mec->hqd[n];
        unsigned prio = HQD_FIELD(cp->hqd, HQD_PIPE_PRIORITY, PIPE_PRIORITY);

        cp->written_rptr = ~0u;
        cp->queue->weight = prio < 2 ? prio : 2;
        update_door(d, n);
    }
}

static bool mec_valid(const struct vgpu_die *d, const struct vgpu_die_state *ds)
{
    const struct vgpu_hws_state *w = &ds->mec.hws;
    unsigned n;

    (void)d;
    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        const struct vgpu_hqd_state *h = &ds->mec.hqd[n];

        if (!pm4_state_valid(&h->pm4) || h->pm4.level > 1 ||
            h->pasid > 0xffff || h->in_packet > 1 ||
            h->flags > (VGPU_HQD_DYNAMIC | VGPU_HQD_STATIC)) {
            return false;
        }
    }
    for (n = 0; n < VGPU_NUM_VMIDS; n++) {
        if (w->pasid[n] > 0xffff) {
            return false;
        }
    }
    return w->vmid_mask <= 0xffff && w->active <= 1 &&
           w->mapped <= VGPU_HWS_MAPPED && w->rotate <= 1;
}

static void mec_fini(struct vgpu_die *d)
{
    free(d->mec);
    d->mec = NULL;
}

const struct vgpu_block vgpu_mec_block = {
    .name = "mec",
    .init = mec_init,
    .reset = mec_reset,
    .reset_mode2 = mec_reset_mode2,
    .valid = mec_valid,
    .loaded = mec_loaded,
    .remapped = mec_drop_caches,
    .fini = mec_fini,
};
