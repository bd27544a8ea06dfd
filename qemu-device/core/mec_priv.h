/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the compute queues (mec.c), their management (kiq.c, hws.c) and AQL
 * (aql.c) share. Documentation/queues.rst.
 */
#ifndef VGPU_MEC_PRIV_H
#define VGPU_MEC_PRIV_H

#include "pm4.h"
#include "hw/aql.h"
#include "hw/mqd.h"

/** Index of a register in vgpu_hqd_state.reg: HQD(HQD_ACTIVE) */
#define HQD(name)       (GC(CP_##name) - GC(CP_MQD_BASE_ADDR))
#define HQD_FIELD(h, name, field) \
    (((h)->reg[HQD(name)] & CP_##name##__##field##_MASK) >> \
     CP_##name##__##field##__SHIFT)

#define HQD_NO_DOORBELL (~0u)

/**
 * struct vgpu_mec - what the compute queues need not migrate
 * @hqd: a stream each
 * @door: doorbell of each, dword index, or HQD_NO_DOORBELL
 * @hws: of the scheduler of run lists
 * @current: the stream that runs, NULL when none does
 * @name: of the queues, for messages
 */
struct vgpu_mec {
    struct vgpu_cp hqd[VGPU_NUM_HQDS];
    uint32_t door[VGPU_NUM_HQDS];
    struct vgpu_queue *hws;
    struct vgpu_cp *current;
    char name[VGPU_NUM_HQDS][16];
};

static inline uint64_t hqd_reg64(const struct vgpu_hqd_state *h, unsigned lo)
{
    return h->reg[lo] | (uint64_t)h->reg[lo + 1] << 32;
}

static inline bool hqd_active(const struct vgpu_hqd_state *h)
{
    return h->reg[HQD(HQD_ACTIVE)] & CP_HQD_ACTIVE__ACTIVE_MASK;
}

static inline bool hqd_is_aql(const struct vgpu_hqd_state *h)
{
    return h->reg[HQD(HQD_AQL_CONTROL)] & CP_HQD_AQL_CONTROL__CONTROL0_MASK;
}

/** How a queue leaves the hardware: CP_HQD_DEQUEUE_REQUEST */
enum hqd_dequeue {
    HQD_DEQUEUE_NONE,
    HQD_DEQUEUE_DRAIN,  /* between packets; it goes on where it was */
    HQD_DEQUEUE_RESET,  /* what it does is abandoned */
    HQD_DEQUEUE_SAVE,   /* as DRAIN: there are no waves yet to be saved */
};

/* mec.c */
/**
 * Map the queue of a descriptor on hardware queue @n. @vmid: its address
 * space; @doorbell: dword index; @wptr: where its write pointer is in memory,
 * 0 for nowhere. Return: false, after a fault, when the descriptor is not
 * there.
 */
bool hqd_map(struct vgpu_die *d, unsigned n, uint64_t mqd, unsigned vmid,
             uint32_t doorbell, uint64_t wptr);
/**
 * Take a queue off and store its descriptor. A queue that runs, because it has
 * asked for that itself, goes when its packet is over.
 */
void hqd_unmap(struct vgpu_die *d, unsigned n, enum hqd_dequeue how);

/* kiq.c */
/** Does RLC_CP_SCHEDULERS name this queue? */
bool kiq_is_scheduler(struct vgpu_die *d, unsigned n);
/** RLC_CP_SCHEDULERS forgets a queue that is no more. */
void kiq_forget(struct vgpu_die *d, unsigned n);

/* hws.c */
enum vgpu_run hws_run(struct vgpu_die *d, struct vgpu_queue *q);
/** A new run list; replaces the one there was. */
void hws_start(struct vgpu_die *d, uint64_t base, uint32_t size,
               uint32_t processes);
/** Take off what run lists mapped, and forget the list. */
void hws_stop(struct vgpu_die *d, enum hqd_dequeue how, bool statics);
/** Take off the queues of one process; the list does not bring them back. */
void hws_remove(struct vgpu_die *d, uint32_t pasid, enum hqd_dequeue how);
/** Drop the translations of a process; @all: those of the MM hub too. */
void hws_invalidate(struct vgpu_die *d, uint32_t pasid, bool all);

/* aql.c */
enum vgpu_run vgpu_aql_run(struct vgpu_cp *cp);

#endif
