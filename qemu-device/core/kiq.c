/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that manage queues: what the queues that RLC_CP_SCHEDULERS names may
 * have beyond the packets of all compute queues. One is the kernel's (KIQ), one
 * the user-mode scheduler's (HIQ).
 * Documentation/queues.rst, "Queue management".
 */
#include "mec_priv.h"
#include "hw/ih.h"
#include "hw/reg/vgpu.h"

#define QUERY_INT_ENABLE \
    CP_ME1_PIPE0_INT_CNTL__CMP_QUERY_STATUS_INT_ENABLE_MASK

#define SCHEDULERS      4
#define SCHEDULER_VALID 0x80u
/* scheduler1 is the HIQ's. */
#define HIQ_SHIFT       RLC_CP_SCHEDULERS__scheduler1__SHIFT

/* As RLC_CP_SCHEDULERS names a queue: me [6:5], pipe [4:3], queue [2:0] */
static uint32_t scheduler_id(unsigned n)
{
    return SCHEDULER_VALID | ((1 + n / 32) << 5) | n % 32;
}

bool kiq_is_scheduler(struct vgpu_die *d, unsigned n)
{
    uint32_t reg = vgpu_reg_get(d, GC(RLC_CP_SCHEDULERS));
    unsigned i;

    for (i = 0; i < SCHEDULERS; i++, reg >>= 8) {
        if ((reg & 0xff) == scheduler_id(n)) {
            return true;
        }
    }
    return false;
}

/* Only the HIQ is the CP's to name and to forget; the KIQ is the driver's. */
void kiq_forget(struct vgpu_die *d, unsigned n)
{
    uint32_t reg = vgpu_reg_get(d, GC(RLC_CP_SCHEDULERS));

    if ((reg >> HIQ_SHIFT & 0xff) == scheduler_id(n)) {
        vgpu_reg_set(d, GC(RLC_CP_SCHEDULERS),
                     reg & ~RLC_CP_SCHEDULERS__scheduler1_MASK);
    }
}

static void name_hiq(struct vgpu_die *d, unsigned n)
{
    vgpu_reg_set(d, GC(RLC_CP_SCHEDULERS),
                 (vgpu_reg_get(d, GC(RLC_CP_SCHEDULERS)) &
                  ~RLC_CP_SCHEDULERS__scheduler1_MASK) |
                 scheduler_id(n) << HIQ_SHIFT);
}

/*
 * What run lists may use. The kernel's own queues come with their slots, so
 * that the KIQ's form has nothing to say here. GWS, OAC and GDS are not there.
 */
enum pm4_result pm4_set_resources(struct vgpu_cp *cp, const uint32_t *dw,
                                  unsigned n)
{
    struct vgpu_hws_state *w = &cp->d->s.mec.hws;

    (void)n;
    switch (PACKET3_SET_RESOURCES_GET_QUEUE_TYPE(dw[0])) {
    case PACKET3_SET_RESOURCES_TYPE_HIQ:
        /* VMID 0 is the kernel's. */
        w->vmid_mask = PACKET3_SET_RESOURCES_GET_VMID_MASK(dw[0]) & ~1u;
        w->queue_mask = pm4_addr(dw[1], dw[2]);
        return PM4_NEXT;
    case PACKET3_SET_RESOURCES_TYPE_KIQ:
    case PACKET3_SET_RESOURCES_TYPE_DIQ:
        return PM4_NEXT;
    default:
        return PM4_RESERVED;
    }
}

enum pm4_result pm4_map_queues(struct vgpu_cp *cp, const uint32_t *dw,
                               unsigned n)
{
    struct vgpu_die *d = cp->d;
    unsigned engine = PACKET3_MAP_QUEUES_GET_ENGINE_SEL(dw[0]);
    uint32_t doorbell = PACKET3_MAP_QUEUES_GET_DOORBELL_OFFSET(dw[1]);
    uint64_t mqd = pm4_addr(dw[2], dw[3]), wptr = pm4_addr(dw[4], dw[5]);
    unsigned slot;

    (void)n;
    /* A queue of an SDMA engine comes by a run list; gfx has no descriptor. */
    if (PACKET3_MAP_QUEUES_GET_EXT_ENGINE_SEL(dw[0]) != QUEUES_EXT_LEGACY ||
        engine > QUEUES_ENGINE_HIQ ||
        PACKET3_MAP_QUEUES_GET_NUM_QUEUES(dw[0]) != 1 ||
        PACKET3_MAP_QUEUES_GET_QUEUE_SEL(dw[0]) != MAP_QUEUES_SEL_SLOT ||
        (mqd & 3) || (wptr & 7)) {
        return PM4_RESERVED;
    }
    slot = VGPU_HQD(1 + PACKET3_MAP_QUEUES_GET_ME(dw[0]),
                    PACKET3_MAP_QUEUES_GET_PIPE(dw[0]),
                    PACKET3_MAP_QUEUES_GET_QUEUE(dw[0]));
    pm4_flush_writes(cp);
    if (hqd_map(d, slot, mqd, PACKET3_MAP_QUEUES_GET_VMID(dw[0]), doorbell,
                wptr) && engine == QUEUES_ENGINE_HIQ) {
        name_hiq(d, slot);
    }
    return PM4_NEXT;
}

/*
 * The queue leaves what it does where it stands and takes up its ring at the
 * write pointer that the packet gives; it stays where it is.
 */
static void skip_to(struct vgpu_die *d, unsigned n, uint32_t wptr)
{
    struct vgpu_cp *cp = &d->mec->hqd[n];

    if (!cp->running && !hqd_is_aql(cp->hqd)) {
        pm4_abort(cp);
        cp->s->rptr = wptr;
        cp->hqd->reg[HQD(HQD_PQ_WPTR_LO)] = wptr;
        cp->hqd->reg[HQD(HQD_PQ_WPTR_HI)] = 0;
        vgpu_queue_kick(d, cp->queue);
    }
}

static void unmap_doorbell(struct vgpu_die *d, unsigned action,
                           uint32_t doorbell, uint32_t wptr)
{
    unsigned n;

    for (n = 0; n < VGPU_NUM_HQDS; n++) {
        if (d->mec->door[n] != doorbell) {
            continue;
        }
        if (action == UNMAP_QUEUES_PREEMPT_NO_UNMAP) {
            skip_to(d, n, wptr);
        } else {
            hqd_unmap(d, n, action == UNMAP_QUEUES_RESET ? HQD_DEQUEUE_RESET :
                      HQD_DEQUEUE_SAVE);
        }
        return;
    }
}

enum pm4_result pm4_unmap_queues(struct vgpu_cp *cp, const uint32_t *dw,
                                 unsigned n)
{
    unsigned action = PACKET3_UNMAP_QUEUES_GET_ACTION(dw[0]);
    unsigned sel = PACKET3_UNMAP_QUEUES_GET_QUEUE_SEL(dw[0]);
    unsigned num = PACKET3_UNMAP_QUEUES_GET_NUM_QUEUES(dw[0]), i;
    enum hqd_dequeue how = action == UNMAP_QUEUES_RESET ? HQD_DEQUEUE_RESET :
                           HQD_DEQUEUE_SAVE;
    struct vgpu_die *d = cp->d;

    (void)n;
    if ((action == UNMAP_QUEUES_PREEMPT_NO_UNMAP &&
         (sel != UNMAP_QUEUES_SEL_DOORBELLS || num != 1)) ||
        (action == UNMAP_QUEUES_DISABLE_PROCESS &&
         sel != UNMAP_QUEUES_SEL_PASID) ||
        (sel == UNMAP_QUEUES_SEL_DOORBELLS && (num < 1 || num > 4))) {
        return PM4_RESERVED;
    }
    pm4_flush_writes(cp);
    switch (sel) {
    case UNMAP_QUEUES_SEL_DOORBELLS:
        for (i = 0; i < num; i++) {
            unmap_doorbell(d, action,
                           PACKET3_UNMAP_QUEUES_GET_DOORBELL_OFFSET(dw[1 + i]),
                           dw[2]);
        }
        break;
    case UNMAP_QUEUES_SEL_PASID:
        hws_remove(d, PACKET3_UNMAP_QUEUES_GET_PASID(dw[1]), how);
        break;
    default:
        hws_stop(d, how, sel == UNMAP_QUEUES_SEL_ALL);
    }
    return PM4_NEXT;
}

/* Every packet before this one is complete by now: that is the status. */
enum pm4_result pm4_query_status(struct vgpu_cp *cp, const uint32_t *dw,
                                 unsigned n)
{
    unsigned command = PACKET3_QUERY_STATUS_GET_COMMAND(dw[0]);
    uint64_t va = pm4_addr(dw[2], dw[3]);

    (void)n;
    if (PACKET3_QUERY_STATUS_GET_INTERRUPT_SEL(dw[0]) > QUERY_STATUS_QUEUE ||
        (command != QUERY_STATUS_INTERRUPT && (va & 7))) {
        return PM4_RESERVED;
    }
    if (command != QUERY_STATUS_INTERRUPT) {
        pm4_write64(cp, va, pm4_addr(dw[4], dw[5]));
        vgpu_trace_step(cp->d, VGPU_STEP_FENCE, cp->trace, dw[4]);
    }
    if (command == QUERY_STATUS_INTERRUPT ||
        command == QUERY_STATUS_FENCE_INTERRUPT) {
        vgpu_cp_interrupt(cp, QUERY_INT_ENABLE,
                          GFX_9_0__SRCID__CP_COMPUTE_QUERY_STATUS,
                          PACKET3_QUERY_STATUS_GET_CONTEXT_ID(dw[0]));
    }
    return PM4_NEXT;
}

enum pm4_result pm4_run_list(struct vgpu_cp *cp, const uint32_t *dw,
                             unsigned n)
{
    (void)n;
    if ((dw[0] & 3) || !PACKET3_RUN_LIST_GET_VALID(dw[2])) {
        return PM4_RESERVED;
    }
    pm4_flush_writes(cp);
    hws_start(cp->d, pm4_addr(dw[0], dw[1]),
              PACKET3_RUN_LIST_GET_IB_SIZE(dw[2]),
              PACKET3_RUN_LIST_GET_PROCESS_CNT(dw[2]));
    return PM4_NEXT;
}

enum pm4_result pm4_invalidate_tlbs(struct vgpu_cp *cp, const uint32_t *dw,
                                    unsigned n)
{
    (void)n;
    if (PACKET3_INVALIDATE_TLBS_GET_DST_SEL(dw[0]) !=
        PACKET3_INVALIDATE_TLBS_BY_PASID) {
        return PM4_RESERVED;
    }
    hws_invalidate(cp->d, PACKET3_INVALIDATE_TLBS_GET_PASID(dw[0]),
                   PACKET3_INVALIDATE_TLBS_GET_ALL_HUB(dw[0]));
    return PM4_NEXT;
}
