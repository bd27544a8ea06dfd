/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler of run lists: which processes have an address space and which
 * of their queues a hardware queue, when there are more of them than of those.
 * Documentation/queues.rst, "Run lists".
 *
 * A run list is a buffer of MAP_PROCESS packets, each with the MAP_QUEUES of
 * its queues behind it, in memory that the guest may change. It is read a
 * packet at a time, and never further than one round: as much of it as finds
 * room at once. If that is not all, the round lasts a quantum and the next one
 * goes on where it ended.
 */
#include <string.h>

#include "mec_priv.h"
#include "hw/ih.h"
#include "hw/reg/athub.h"
#include "hw/reg/oss.h"

#define MAP_PROCESS_DW  20  /* payload, in the form of MI250X */
#define MAP_QUEUES_DW   6
#define RUN_LIST_DW     3
#define MAX_DW          MAP_PROCESS_DW

/* Buffers that one round may be chained through. */
#define MAX_CHAIN       8

/* A millisecond, in GPU clocks */
#define MS              100000ull
#define DEFAULT_QUANTUM 10

/* Of vgpu_spend(): a packet maps a queue, which copies a descriptor. */
#define STEP_COST       8

enum step {
    STEP_NEXT,  /* go on with the next packet */
    STEP_FULL,  /* no room: this packet is the first of the next round */
    STEP_END,   /* the list is over */
    STEP_BAD,
};

static bool is_off(const struct vgpu_hws_state *w, uint32_t pasid)
{
    return w->off[pasid / 32] & (1u << (pasid % 32));
}

/* ---------------------------------------------------------- processes */

static unsigned vmid_of(const struct vgpu_hws_state *w, uint32_t pasid)
{
    unsigned vmid;

    for (vmid = 1; vmid < VGPU_NUM_VMIDS; vmid++) {
        if (w->pasid[vmid] == pasid) {
            return vmid;
        }
    }
    return 0;
}

/* Who a VMID belongs to, as ATC and interrupt handler will report it. */
static void set_pasid(struct vgpu_die *d, unsigned vmid, uint32_t pasid)
{
    uint32_t map = pasid ? pasid | ATC_VMID0_PASID_MAPPING__VALID_MASK : 0;

    d->s.mec.hws.pasid[vmid] = pasid;
    vgpu_reg_write(d, VGPU_REG_ABS(ATHUB, regATC_VMID0_PASID_MAPPING) + vmid,
                   map);
    vgpu_reg_write(d, VGPU_REG_ABS(ATHUB, regATC_VMID16_PASID_MAPPING) + vmid,
                   map);
    vgpu_reg_write(d, VGPU_REG_ABS(OSSSYS, regIH_VMID_0_LUT) + vmid, pasid);
    vgpu_reg_write(d, VGPU_REG_ABS(OSSSYS, regIH_VMID_0_LUT_MM) + vmid, pasid);
}

/* The payload of MAP_PROCESS, as hw/pm4.h lists it */
enum { MP_PASID, MP_PT_LO, MP_PT_HI, MP_SH_BASES, MP_SH_CONFIG, MP_TRAP };

static void give_vmid(struct vgpu_die *d, unsigned vmid, const uint32_t *dw)
{
    unsigned hub;

    for (hub = 0; hub < VGPU_NUM_HUBS; hub++) {
        uint32_t lo = vgpu_hub_reg(hub,
                                   regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32);

        vgpu_reg_write(d, lo + 2 * vmid, dw[MP_PT_LO]);
        vgpu_reg_write(d, lo + 2 * vmid + 1, dw[MP_PT_HI]);
        vgpu_gmc_drop_vmid(d, hub, vmid);
    }
    d->s.gc.sh_mem_bases[vmid] = dw[MP_SH_BASES];
    d->s.gc.sh_mem_config[vmid] = dw[MP_SH_CONFIG];
    memcpy(d->s.gc.trap[vmid], &dw[MP_TRAP], sizeof(d->s.gc.trap[vmid]));
    set_pasid(d, vmid, PACKET3_MAP_PROCESS_GET_PASID(dw[MP_PASID]));
}

static void take_vmid(struct vgpu_die *d, unsigned vmid)
{
    set_pasid(d, vmid, 0);
}

static unsigned mapped_processes(const struct vgpu_hws_state *w)
{
    unsigned vmid, n = 0;

    for (vmid = 1; vmid < VGPU_NUM_VMIDS; vmid++) {
        n += w->pasid[vmid] != 0;
    }
    return n;
}

static bool has_queues(struct vgpu_die *d, uint32_t pasid)
{
    unsigned n;

    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        if (d->s.mec.hqd[n].flags && d->s.mec.hqd[n].pasid == pasid) {
            return true;
        }
    }
    return vgpu_sdma_mapped(d, pasid, ~0u);
}

static enum step map_process(struct vgpu_die *d, const uint32_t *dw)
{
    struct vgpu_hws_state *w = &d->s.mec.hws;
    uint32_t pasid = PACKET3_MAP_PROCESS_GET_PASID(dw[MP_PASID]);
    uint64_t quantum = PACKET3_MAP_PROCESS_GET_PROCESS_QUANTUM(dw[MP_PASID]);
    unsigned vmid;

    if (!pasid) {
        return STEP_BAD;
    }
    if (is_off(w, pasid)) {
        return STEP_NEXT;
    }
    vmid = vmid_of(w, pasid);
    if (vmid && (w->vmids & (1u << vmid))) {
        return STEP_FULL;   /* the list has come round */
    }
    if (vmid) {
        w->vmids |= 1u << vmid;     /* it has it of a static queue */
        return STEP_NEXT;
    }
    for (vmid = 1; vmid < VGPU_NUM_VMIDS; vmid++) {
        if (w->vmid_mask & (1u << vmid) && !w->pasid[vmid]) {
            break;
        }
    }
    if (vmid == VGPU_NUM_VMIDS || mapped_processes(w) >= w->max_processes) {
        return STEP_FULL;
    }
    give_vmid(d, vmid, dw);
    w->vmids |= 1u << vmid;
    quantum = vgpu_gpu_clock(d) + MS * (quantum ? quantum : DEFAULT_QUANTUM);
    if (quantum > w->deadline) {
        w->deadline = quantum;
    }
    return STEP_NEXT;
}

/* ------------------------------------------------------------- queues */

static void off_hardware(struct vgpu_die *d, uint32_t flags, uint32_t pasid,
                         enum hqd_dequeue how)
{
    unsigned n;

    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        struct vgpu_hqd_state *h = &d->s.mec.hqd[n];

        if (h->flags & flags && (!pasid || h->pasid == pasid)) {
            hqd_unmap(d, n, how);
        }
    }
    vgpu_sdma_unmap(d, flags, pasid, how == HQD_DEQUEUE_RESET);
}

static void free_vmids(struct vgpu_die *d)
{
    const struct vgpu_hws_state *w = &d->s.mec.hws;
    unsigned vmid;

    for (vmid = 1; vmid < VGPU_NUM_VMIDS; vmid++) {
        if (w->pasid[vmid] && !has_queues(d, w->pasid[vmid])) {
            take_vmid(d, vmid);
        }
    }
}

/* The free queue that comes first, so that pipes fill one after the other. */
static unsigned free_hqd(struct vgpu_die *d)
{
    uint64_t mask = d->s.mec.hws.queue_mask;
    unsigned n;

    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        if (mask & (1ull << n) && !hqd_active(&d->s.mec.hqd[n])) {
            break;
        }
    }
    return n;
}

/* A static queue that an earlier round has mapped is there already. */
static bool is_mapped(struct vgpu_die *d, uint32_t pasid, uint32_t doorbell)
{
    unsigned n;

    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        if (d->mec->door[n] == doorbell && d->s.mec.hqd[n].flags &&
            d->s.mec.hqd[n].pasid == pasid) {
            return true;
        }
    }
    return vgpu_sdma_mapped(d, pasid, doorbell);
}

#define NO_ENGINE   (~0u)

/* The SDMA engine that a queue is for; NO_ENGINE for a compute queue. */
static unsigned sdma_engine(uint32_t dw)
{
    unsigned engine = PACKET3_MAP_QUEUES_GET_ENGINE_SEL(dw);

    if (PACKET3_MAP_QUEUES_GET_EXT_ENGINE_SEL(dw) == QUEUES_EXT_SDMA0_TO_7) {
        return engine;
    }
    return engine == QUEUES_ENGINE_COMPUTE ? NO_ENGINE :
           engine - QUEUES_ENGINE_SDMA0;
}

static bool good_engine(const struct vgpu_die *d, uint32_t dw)
{
    unsigned ext = PACKET3_MAP_QUEUES_GET_EXT_ENGINE_SEL(dw);
    unsigned engine = PACKET3_MAP_QUEUES_GET_ENGINE_SEL(dw);

    if (ext == QUEUES_EXT_SDMA0_TO_7) {
        return engine < d->cfg.num_sdma;
    }
    return ext == QUEUES_EXT_LEGACY &&
           (engine == QUEUES_ENGINE_COMPUTE ||
            (engine >= QUEUES_ENGINE_SDMA0 && engine <= QUEUES_ENGINE_SDMA1 &&
             engine - QUEUES_ENGINE_SDMA0 < d->cfg.num_sdma));
}

static enum step map_queue(struct vgpu_die *d, uint32_t pasid,
                           const uint32_t *dw)
{
    struct vgpu_hws_state *w = &d->s.mec.hws;
    uint32_t doorbell = PACKET3_MAP_QUEUES_GET_DOORBELL_OFFSET(dw[1]);
    unsigned type = PACKET3_MAP_QUEUES_GET_QUEUE_TYPE(dw[0]), n;
    uint64_t mqd = pm4_addr(dw[2], dw[3]), wptr = pm4_addr(dw[4], dw[5]);
    uint32_t flags = type >= MAP_QUEUES_TYPE_STATIC ? VGPU_HQD_STATIC :
                     VGPU_HQD_DYNAMIC;
    unsigned engine = sdma_engine(dw[0]);

    if (PACKET3_MAP_QUEUES_GET_NUM_QUEUES(dw[0]) != 1 ||
        PACKET3_MAP_QUEUES_GET_QUEUE_SEL(dw[0]) != MAP_QUEUES_SEL_HWS ||
        !good_engine(d, dw[0]) ||
        type > MAP_QUEUES_TYPE_STATIC_LOW_LATENCY || (mqd & 3) || (wptr & 7)) {
        return STEP_BAD;
    }
    if (is_off(w, pasid) || is_mapped(d, pasid, doorbell)) {
        return STEP_NEXT;
    }
    if (engine != NO_ENGINE) {
        const struct vgpu_sdma_user u = {
            .mqd = mqd, .wptr = wptr, .doorbell = doorbell, .pasid = pasid,
            .vmid = vmid_of(w, pasid), .flags = flags,
        };

        if (!vgpu_sdma_has_room(d, engine)) {
            return STEP_FULL;
        }
        vgpu_sdma_map(d, engine, &u);
        return STEP_NEXT;
    }
    n = free_hqd(d);
    if (n == VGPU_NUM_HQDS) {
        return STEP_FULL;
    }
    if (hqd_map(d, n, mqd, vmid_of(w, pasid), doorbell, wptr)) {
        d->s.mec.hqd[n].pasid = pasid;
        d->s.mec.hqd[n].flags = flags;
    }
    return STEP_NEXT;
}

/* ---------------------------------------------------------- run lists */

static bool fetch(struct vgpu_die *d, uint32_t pos, uint32_t *dw, unsigned n)
{
    const struct vgpu_hws_state *w = &d->s.mec.hws;
    const struct vgpu_req req = { .hub = VGPU_HUB_GC, .cid = VGPU_CID_CPC };

    return pos <= w->size && n <= w->size - pos &&
           vgpu_gmc_read(d, &req, w->base + 4ull * pos, dw, 4ull * n);
}

/* PASID of the process that queues now belong to; 0 when there is none. */
static uint32_t current_pasid(struct vgpu_die *d)
{
    const struct vgpu_hws_state *w = &d->s.mec.hws;
    uint32_t dw;

    return w->process != VGPU_HWS_NONE && fetch(d, w->process + 1, &dw, 1) ?
           PACKET3_MAP_PROCESS_GET_PASID(dw) : 0;
}

static void jump(struct vgpu_hws_state *w, uint64_t base, uint32_t size)
{
    w->base = base;
    w->size = size;
    w->pos = 0;
    w->process = VGPU_HWS_NONE;
}

/* A chain back to where this round began: all of the list is mapped. */
static enum step chain(struct vgpu_die *d, const uint32_t *dw)
{
    struct vgpu_hws_state *w = &d->s.mec.hws;
    uint64_t base = pm4_addr(dw[0], dw[1]);

    if ((dw[0] & 3) || !PACKET3_RUN_LIST_GET_VALID(dw[2]) ||
        !PACKET3_RUN_LIST_GET_CHAIN(dw[2])) {
        return STEP_BAD;
    }
    jump(w, base, PACKET3_RUN_LIST_GET_IB_SIZE(dw[2]));
    if (base == w->round) {
        w->rotate = 0;
        return STEP_END;
    }
    return STEP_NEXT;
}

/* One packet of the list. */
static enum step step(struct vgpu_die *d)
{
    struct vgpu_hws_state *w = &d->s.mec.hws;
    uint32_t hdr, dw[MAX_DW], n, pasid;
    enum step res;

    if (w->pos >= w->size) {
        w->rotate = w->round != w->first;
        jump(w, w->first, w->first_size);
        return STEP_END;
    }
    if (!fetch(d, w->pos, &hdr, 1)) {
        return STEP_BAD;
    }
    n = hdr >> 30 == PACKET_TYPE2 ? 0 : CP_PACKET_GET_COUNT(hdr) + 1;
    if (hdr >> 30 == PACKET_TYPE2 ||
        (hdr >> 30 == PACKET_TYPE3 &&
         CP_PACKET3_GET_OPCODE(hdr) == PACKET3_NOP)) {
        n = n == PACKET3_NOP_ONE_DWORD_COUNT + 1 ? 0 : n;
        if (n >= w->size - w->pos) {
            return STEP_BAD;
        }
        w->pos += 1 + n;
        return STEP_NEXT;
    }
    if (hdr >> 30 != PACKET_TYPE3 || n > MAX_DW ||
        !fetch(d, w->pos + 1, dw, n)) {
        return STEP_BAD;
    }
    switch (CP_PACKET3_GET_OPCODE(hdr)) {
    case PACKET3_MAP_PROCESS:
        res = n == MAP_PROCESS_DW ? map_process(d, dw) : STEP_BAD;
        if (res == STEP_NEXT) {
            w->process = w->pos;
        }
        break;
    case PACKET3_MAP_QUEUES:
        pasid = current_pasid(d);
        res = n == MAP_QUEUES_DW && pasid && (is_off(w, pasid) ||
              vmid_of(w, pasid)) ? map_queue(d, pasid, dw) : STEP_BAD;
        break;
    case PACKET3_RUN_LIST:
        if (w->chained++ >= MAX_CHAIN) {
            return STEP_FULL;
        }
        return n == RUN_LIST_DW ? chain(d, dw) : STEP_BAD;
    default:
        res = STEP_BAD;
    }
    if (res == STEP_NEXT) {
        w->pos += 1 + n;
    }
    return res;
}

/* A list that cannot be read is given up; what it has mapped stays. */
static void bad_list(struct vgpu_die *d)
{
    struct vgpu_hws_state *w = &d->s.mec.hws;
    unsigned n;

    vgpu_log(d, VGPU_LOG_GUEST_ERROR, "run list at 0x%llx: bad dword %u of %u",
             (unsigned long long)w->base, w->pos, w->size);
    w->active = 0;
    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        if (hqd_active(&d->s.mec.hqd[n]) && kiq_is_scheduler(d, n)) {
            vgpu_cp_interrupt(&d->mec->hqd[n],
                              CP_INT_CNTL_RING0__OPCODE_ERROR_INT_ENABLE_MASK,
                              GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR, 0);
        }
    }
}

/*
 * Begin a round. When it begins within a process, that one is mapped first;
 * if there is no room even for it, the round is empty and the next one tries.
 */
static bool begin(struct vgpu_die *d)
{
    struct vgpu_hws_state *w = &d->s.mec.hws;
    uint32_t dw[MAP_PROCESS_DW];

    off_hardware(d, VGPU_HQD_DYNAMIC, 0, HQD_DEQUEUE_SAVE);
    free_vmids(d);
    w->mapped = VGPU_HWS_MAPPING;
    w->chained = 0;
    w->vmids = 0;
    w->rotate = 1;
    w->deadline = vgpu_gpu_clock(d) + MS;
    w->round = w->pos == 0 ? w->base : ~0ull;
    if (w->process == VGPU_HWS_NONE) {
        return true;
    }
    if (!fetch(d, w->process + 1, dw, MAP_PROCESS_DW) ||
        map_process(d, dw) == STEP_BAD) {
        bad_list(d);
        return false;
    }
    return true;
}

/* The quantum is polled for: in one go, or as often as the scheduler may. */
static enum vgpu_run until_deadline(struct vgpu_die *d, struct vgpu_queue *q)
{
    uint64_t now = vgpu_gpu_clock(d), end = d->s.mec.hws.deadline;

    q->poll_every = end > now ? (end - now) * 10 : 1;
    return VGPU_RUN_PARKED;
}

enum vgpu_run hws_run(struct vgpu_die *d, struct vgpu_queue *q)
{
    struct vgpu_hws_state *w = &d->s.mec.hws;
    enum step res;

    if (!w->active || (w->mapped == VGPU_HWS_MAPPED && !w->rotate)) {
        return VGPU_RUN_IDLE;
    }
    if (w->mapped == VGPU_HWS_MAPPED && vgpu_gpu_clock(d) < w->deadline) {
        return until_deadline(d, q);
    }
    if (w->mapped != VGPU_HWS_MAPPING && !begin(d)) {
        return VGPU_RUN_IDLE;
    }
    do {
        if (vgpu_spend(d, STEP_COST)) {
            return VGPU_RUN_MORE;
        }
        res = step(d);
    } while (res == STEP_NEXT);
    if (res == STEP_BAD) {
        bad_list(d);
        return VGPU_RUN_IDLE;
    }
    w->mapped = VGPU_HWS_MAPPED;
    return w->rotate ? until_deadline(d, q) : VGPU_RUN_IDLE;
}

void hws_start(struct vgpu_die *d, uint64_t base, uint32_t size,
               uint32_t processes)
{
    struct vgpu_hws_state *w = &d->s.mec.hws;

    w->active = 1;
    w->mapped = VGPU_HWS_EMPTY;
    w->first = base;
    w->first_size = size;
    w->max_processes = processes ? processes : VGPU_NUM_VMIDS;
    memset(w->off, 0, sizeof(w->off));
    jump(w, base, size);
    vgpu_queue_kick(d, d->mec->hws);
}

void hws_stop(struct vgpu_die *d, enum hqd_dequeue how, bool statics)
{
    d->s.mec.hws.active = 0;
    off_hardware(d, VGPU_HQD_DYNAMIC | (statics ? VGPU_HQD_STATIC : 0), 0,
                 how);
    free_vmids(d);
}

void hws_remove(struct vgpu_die *d, uint32_t pasid, enum hqd_dequeue how)
{
    struct vgpu_hws_state *w = &d->s.mec.hws;

    if (!pasid) {
        return;
    }
    w->off[pasid / 32] |= 1u << (pasid % 32);
    off_hardware(d, VGPU_HQD_DYNAMIC | VGPU_HQD_STATIC, pasid, how);
    free_vmids(d);
}

void hws_invalidate(struct vgpu_die *d, uint32_t pasid, bool all)
{
    uint32_t map = VGPU_REG_ABS(ATHUB, regATC_VMID0_PASID_MAPPING);
    unsigned vmid;

    for (vmid = 0; vmid < VGPU_NUM_VMIDS; vmid++) {
        uint32_t val = vgpu_reg_get(d, map + vmid);

        if (!(val & ATC_VMID0_PASID_MAPPING__VALID_MASK) ||
            (val & ATC_VMID0_PASID_MAPPING__PASID_MASK) != pasid) {
            continue;
        }
        vgpu_gmc_drop_vmid(d, VGPU_HUB_GC, vmid);
        if (all) {
            vgpu_gmc_drop_vmid(d, VGPU_HUB_MM, vmid);
        }
    }
}
