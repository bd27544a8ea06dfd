/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AQL: 64-byte packets in a ring that user space fills while it is read, and
 * the signals between packets. Documentation/queues.rst, "AQL packets".
 *
 * The ring is a user's: a packet is taken when its header says that it is
 * there, copied once, and what it points at is only ever reached through the
 * address space of the queue. A packet that is wrong stops its own queue.
 *
 * Packets are carried out one after the other and memory is coherent, so the
 * barrier bit and the fence scopes of a header hold by themselves.
 */
#include "mec_priv.h"
#include "hw/ih.h"
#include "hw/reg/vgpu.h"

_Static_assert(sizeof(struct vgpu_aql_kernel_dispatch) ==
               VGPU_AQL_PACKET_BYTES &&
               sizeof(struct vgpu_aql_agent_dispatch) ==
               VGPU_AQL_PACKET_BYTES &&
               sizeof(struct vgpu_aql_barrier) == VGPU_AQL_PACKET_BYTES &&
               sizeof(struct vgpu_aql_pm4_ib) == VGPU_AQL_PACKET_BYTES &&
               sizeof(struct vgpu_aql_barrier_value) == VGPU_AQL_PACKET_BYTES,
               "every packet is of the same size");

/* Where a signal's members are, from its handle on */
#define SIGNAL(member)  offsetof(struct vgpu_amd_signal, member)
#define QUEUE(member)   offsetof(struct vgpu_amd_queue, member)
#define SIGNAL_ALIGN    64

/** A packet, as its type has it */
union aql_packet {
    uint32_t dw[VGPU_AQL_PACKET_DWORDS];
    struct vgpu_aql_kernel_dispatch dispatch;
    struct vgpu_aql_barrier barrier;
    struct vgpu_aql_pm4_ib ib;
    struct vgpu_aql_barrier_value value;
};

/** What became of a packet */
enum aql_step {
    AQL_DONE,   /* complete */
    AQL_CALL,   /* its indirect buffer is to be run */
    AQL_WAIT,   /* what it waits for has not happened */
    AQL_STOP,   /* the queue has been stopped */
};

/* ------------------------------------------------------------- signals */

/* Wake who sleeps on a signal: its mailbox, and an interrupt that names it. */
static void notify(struct vgpu_cp *cp, uint64_t signal)
{
    uint64_t mailbox;
    uint32_t event;

    if (!pm4_read64(cp, signal + SIGNAL(event_mailbox_ptr), &mailbox) ||
        !mailbox || (mailbox & 7) ||
        !pm4_read32(cp, signal + SIGNAL(event_id), &event)) {
        return;
    }
    pm4_write64(cp, mailbox, event);
    vgpu_cp_interrupt(cp, CP_INT_CNTL_RING0__TIME_STAMP_INT_ENABLE_MASK,
                      GFX_9_0__SRCID__CP_EOP_INTERRUPT, event);
}

static void complete_signal(struct vgpu_cp *cp, uint64_t signal)
{
    uint64_t old;

    pm4_flush_writes(cp);
    if (vgpu_gmc_atomic(cp->d, &cp->req, signal + SIGNAL(value),
                        TC_OP_ATOMIC_SUB_RTN_64, 1, 0, &old)) {
        return;
    }
    vgpu_trace_step(cp->d, VGPU_STEP_FENCE, cp->trace, old - 1);
    notify(cp, signal);
}

/* The structure that user space shares with us; 0 when there is none. */
static uint64_t queue_base(struct vgpu_cp *cp)
{
    uint64_t va = hqd_reg64(cp->hqd, HQD(HQD_PQ_RPTR_REPORT_ADDR));
    uint32_t back;

    if (!va || (va & 7) ||
        !pm4_read32(cp, va + QUEUE(read_dispatch_id_field_base_byte_offset) -
                    QUEUE(read_dispatch_id), &back)) {
        return 0;
    }
    return va - back;
}

static bool is_profiled(struct vgpu_cp *cp)
{
    uint64_t base = queue_base(cp);
    uint32_t props;

    return base && !(base & 7) &&
           pm4_read32(cp, base + QUEUE(queue_properties), &props) &&
           props & AMD_QUEUE_PROPERTIES_ENABLE_PROFILING;
}

/* --------------------------------------------------------------- errors */

/*
 * Stop the queue on this packet: the inactive signal says why to its owner,
 * the interrupt to the kernel.
 */
static void tell_owner(struct vgpu_cp *cp, uint64_t error)
{
    uint64_t base, signal;

    cp->hqd->reg[HQD(HQD_ERROR)] |= CP_HQD_ERROR__AQL_ERROR_MASK;
    cp->req.vmid = cp->ring_vmid;
    base = queue_base(cp);
    if (base && !(base & 7) &&
        pm4_read64(cp, base + QUEUE(queue_inactive_signal), &signal) &&
        signal && !(signal % SIGNAL_ALIGN)) {
        pm4_write64(cp, signal + SIGNAL(value), error);
        notify(cp, signal);
    }
}

static enum aql_step refuse(struct vgpu_cp *cp, enum vgpu_cp_halt why,
                            uint64_t error, uint32_t ecode)
{
    tell_owner(cp, error);
    cp->error_code = ecode;
    vgpu_cp_halt(cp, why);
    return AQL_STOP;
}

static enum aql_step bad_packet(struct vgpu_cp *cp, uint32_t ecode)
{
    return refuse(cp, VGPU_CP_BAD_OPCODE,
                  ecode == VGPU_CP_ECODE_VENDOR_UNSUPPORTED ?
                  VGPU_AQL_ERROR_VENDOR_PACKET : VGPU_AQL_ERROR_PACKET, ecode);
}

/* -------------------------------------------------------------- packets */

/*
 * The dispatch as the shader engines are to see it: COMPUTE_* registers. There
 * are none yet, so that a grid with work in it cannot be run; an empty one is
 * complete as it stands.
 */
static enum aql_step kernel_dispatch(struct vgpu_cp *cp,
                                     const union aql_packet *p)
{
    const struct vgpu_aql_kernel_dispatch *k = &p->dispatch;
    unsigned dims = HSA_DISPATCH_SETUP_GET_DIMENSIONS(k->setup), i;
    uint32_t *compute = cp->hqd->compute;
    bool empty = false;

    if (dims == 0 || k->setup >> 2) {
        return refuse(cp, VGPU_CP_BAD_OPCODE, VGPU_AQL_ERROR_DIM,
                      VGPU_CP_ECODE_DISPATCH_DIM);
    }
    for (i = 0; i < 3; i++) {
        uint32_t size = i < dims ? k->workgroup_size[i] : 1;
        uint32_t grid = i < dims ? k->grid_size[i] : 1;

        if (!size) {
            return refuse(cp, VGPU_CP_BAD_OPCODE, VGPU_AQL_ERROR_DIM,
                          VGPU_CP_ECODE_DISPATCH_DIM);
        }
        empty |= !grid;
        compute[GC(COMPUTE_NUM_THREAD_X) - GC(COMPUTE_DISPATCH_INITIATOR) + i] =
            size;
        compute[GC(COMPUTE_DIM_X) - GC(COMPUTE_DISPATCH_INITIATOR) + i] = grid;
    }
    if (empty) {
        return AQL_DONE;
    }
    if (!k->kernel_object || (k->kernel_object & 63)) {
        return refuse(cp, VGPU_CP_BAD_OPCODE, VGPU_AQL_ERROR_CODE_OBJECT,
                      VGPU_CP_ECODE_DISPATCH_CODE);
    }
    return refuse(cp, VGPU_CP_ILLEGAL_INST, VGPU_AQL_ERROR_ILLEGAL_INSTRUCTION,
                  0);
}

/*
 * AND: each dependency has been seen to be 0, at whatever time. OR: one of
 * them is. Those that are not given count for nothing.
 */
static enum aql_step barrier(struct vgpu_cp *cp, const union aql_packet *p,
                             bool any)
{
    struct vgpu_hqd_state *h = cp->hqd;
    uint32_t given = 0;
    uint64_t value;
    unsigned i;

    for (i = 0; i < VGPU_AQL_BARRIER_SIGNALS; i++) {
        uint64_t signal = p->barrier.dep_signal[i];

        if (signal % SIGNAL_ALIGN) {
            return bad_packet(cp, VGPU_CP_ECODE_RESERVED);
        }
        given |= (uint32_t)!!signal << i;
    }
    for (i = 0; i < VGPU_AQL_BARRIER_SIGNALS; i++) {
        if (!(given & (1u << i)) || (h->seen & (1u << i))) {
            continue;
        }
        if (!pm4_read64(cp, p->barrier.dep_signal[i] + SIGNAL(value),
                        &value)) {
            vgpu_cp_halt(cp, VGPU_CP_FETCH_FAULT);
            return AQL_STOP;
        }
        if (!value) {
            h->seen |= 1u << i;
        }
    }
    if (any ? !given || (h->seen & given) : (h->seen & given) == given) {
        return AQL_DONE;
    }
    return AQL_WAIT;
}

static bool condition(uint32_t cond, int64_t value, int64_t ref)
{
    switch (cond) {
    case HSA_SIGNAL_CONDITION_EQ:
        return value == ref;
    case HSA_SIGNAL_CONDITION_NE:
        return value != ref;
    case HSA_SIGNAL_CONDITION_LT:
        return value < ref;
    default:
        return value >= ref;
    }
}

static enum aql_step barrier_value(struct vgpu_cp *cp,
                                   const union aql_packet *p)
{
    const struct vgpu_aql_barrier_value *b = &p->value;
    uint64_t value;

    if (b->cond > HSA_SIGNAL_CONDITION_GTE || b->signal % SIGNAL_ALIGN) {
        return bad_packet(cp, VGPU_CP_ECODE_VENDOR_UNSUPPORTED);
    }
    if (!b->signal) {
        return AQL_DONE;
    }
    if (!pm4_read64(cp, b->signal + SIGNAL(value), &value)) {
        vgpu_cp_halt(cp, VGPU_CP_FETCH_FAULT);
        return AQL_STOP;
    }
    return condition(b->cond, value & b->mask, b->value) ? AQL_DONE : AQL_WAIT;
}

/* An indirect buffer of PM4, in the packet that would call it from a ring. */
static enum aql_step pm4_ib(struct vgpu_cp *cp, const union aql_packet *p)
{
    struct vgpu_pm4_state *s = cp->s;
    const uint32_t *jump = p->ib.ib_jump_cmd;

    if (CP_PACKET_GET_TYPE(jump[0]) != PACKET_TYPE3 ||
        CP_PACKET3_GET_OPCODE(jump[0]) != PACKET3_INDIRECT_BUFFER ||
        CP_PACKET_GET_COUNT(jump[0]) != 2 || (jump[1] & 3) ||
        (jump[3] & INDIRECT_BUFFER_CHAIN) ||
        p->ib.dw_cnt_remain != AMD_AQL_PM4_IB_DW_CNT_REMAIN) {
        return bad_packet(cp, VGPU_CP_ECODE_VENDOR_UNSUPPORTED);
    }
    s->ib[0] = (struct vgpu_cp_ib) {
        .base = pm4_addr(jump[1], jump[2]) & PM4_IB_ADDR_MASK,
        .size = INDIRECT_BUFFER_GET_IB_SIZE(jump[3]),
    };
    s->ib_vmid = cp->ring_vmid ? cp->ring_vmid :
                 INDIRECT_BUFFER_GET_VMID(jump[3]);
    s->level = 1;
    pm4_level_changed(cp);
    vgpu_trace_step(cp->d, VGPU_STEP_IB_START, cp->trace, s->ib[0].size);
    return AQL_CALL;
}

static enum aql_step vendor(struct vgpu_cp *cp, const union aql_packet *p)
{
    switch (p->value.amd_format) {
    case AMD_AQL_FORMAT_PM4_IB:
        return pm4_ib(cp, p);
    case AMD_AQL_FORMAT_BARRIER_VALUE:
        return barrier_value(cp, p);
    default:
        return bad_packet(cp, VGPU_CP_ECODE_VENDOR_UNSUPPORTED);
    }
}

static enum aql_step execute(struct vgpu_cp *cp, const union aql_packet *p)
{
    uint32_t header = p->dw[0] & 0xffff;

    if ((header & HSA_PACKET_HEADER_RESERVED) ||
        HSA_PACKET_HEADER_GET_ACQUIRE_SCOPE(header) > HSA_FENCE_SCOPE_SYSTEM ||
        HSA_PACKET_HEADER_GET_RELEASE_SCOPE(header) > HSA_FENCE_SCOPE_SYSTEM ||
        /* of whatever type: all have it in the same place */
        p->barrier.completion_signal % SIGNAL_ALIGN) {
        return bad_packet(cp, VGPU_CP_ECODE_RESERVED);
    }
    switch (HSA_PACKET_HEADER_GET_TYPE(header)) {
    case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
        return vendor(cp, p);
    case HSA_PACKET_TYPE_KERNEL_DISPATCH:
        return kernel_dispatch(cp, p);
    case HSA_PACKET_TYPE_BARRIER_AND:
        return barrier(cp, p, false);
    case HSA_PACKET_TYPE_BARRIER_OR:
        return barrier(cp, p, true);
    default:
        /* A GPU has no functions that an agent dispatch could name. */
        return bad_packet(cp, VGPU_CP_ECODE_UNSUPPORTED);
    }
}

/* ----------------------------------------------------------------- ring */

/* Live memory of the packet that comes next; NULL after a fault. */
static uint32_t *packet_memory(struct vgpu_cp *cp)
{
    uint64_t len = VGPU_AQL_PACKET_BYTES;
    uint64_t packets = ((uint64_t)cp->ring_mask + 1) / VGPU_AQL_PACKET_DWORDS;
    uint64_t index = cp->hqd->read_index & (packets - 1);
    void *mem;

    cp->req.vmid = cp->ring_vmid;
    mem = vgpu_gmc_map(cp->d, &cp->req, cp->ring_base +
                       index * VGPU_AQL_PACKET_BYTES, &len,
                       VGPU_READ | VGPU_WRITE);
    return len == VGPU_AQL_PACKET_BYTES ? mem : NULL;
}

/* The header is read first: what lies behind it was written before it. */
static void copy_packet(union aql_packet *p, const uint32_t *mem)
{
    unsigned i;

    p->dw[0] = __atomic_load_n(mem, __ATOMIC_ACQUIRE);
    for (i = 1; i < VGPU_AQL_PACKET_DWORDS; i++) {
        p->dw[i] = __atomic_load_n(mem + i, __ATOMIC_RELAXED);
    }
}

/*
 * The packet is over: its signal, then its place in the ring, which is invalid
 * before it is free. Time stamps are those of when it became complete.
 */
static void retire(struct vgpu_cp *cp, const union aql_packet *p,
                   uint32_t *mem)
{
    struct vgpu_hqd_state *h = cp->hqd;
    uint64_t signal = p->barrier.completion_signal;

    pm4_wait_over(cp);
    h->seen = 0;
    h->in_packet = 0;
    cp->req.vmid = cp->ring_vmid;
    /* Looked at anew: it may not be what was checked before. */
    if (signal && !(signal % SIGNAL_ALIGN)) {
        if (is_profiled(cp)) {
            uint64_t now = vgpu_gpu_clock(cp->d);

            pm4_write64(cp, signal + SIGNAL(start_ts), now);
            pm4_write64(cp, signal + SIGNAL(end_ts), now);
        }
        complete_signal(cp, signal);
    }
    __atomic_store_n((uint16_t *)mem, HSA_PACKET_TYPE_INVALID,
                     __ATOMIC_RELEASE);
    vgpu_gmc_written(cp->d, mem, sizeof(uint16_t));
    h->read_index++;
    h->pm4.rptr = h->read_index * VGPU_AQL_PACKET_DWORDS & cp->ring_mask;
    cp->packets++;
}

static uint64_t packets_left(const struct vgpu_cp *cp)
{
    const struct vgpu_hqd_state *h = cp->hqd;
    uint64_t wptr = hqd_reg64(h, HQD(HQD_PQ_WPTR_LO));
    uint64_t left = wptr / VGPU_AQL_PACKET_DWORDS - h->read_index;

    /* Behind the read pointer, or more than a ring ahead: nothing is there. */
    return left <= ((uint64_t)cp->ring_mask + 1) / VGPU_AQL_PACKET_DWORDS ?
           left : 0;
}

static enum vgpu_run park(struct vgpu_cp *cp, const union aql_packet *p)
{
    cp->s->header = p->dw[0];
    pm4_park(cp);
    return VGPU_RUN_PARKED;
}

enum vgpu_run vgpu_aql_run(struct vgpu_cp *cp)
{
    struct vgpu_hqd_state *h = cp->hqd;
    union aql_packet p;
    uint32_t *mem;

    if (cp->ring_mask < VGPU_AQL_PACKET_DWORDS - 1) {
        return VGPU_RUN_IDLE;
    }
    for (;;) {
        enum aql_step step;

        if (cp->s->level) {
            enum vgpu_run res = vgpu_pm4_run(cp);

            if (res == VGPU_RUN_HALTED) {
                tell_owner(cp, VGPU_AQL_ERROR_VENDOR_PACKET);
            }
            if (res != VGPU_RUN_IDLE) {
                return res;
            }
        }
        if (!packets_left(cp)) {
            h->pm4.busy = 0;
            return VGPU_RUN_IDLE;
        }
        mem = packet_memory(cp);
        if (!mem) {
            vgpu_cp_halt(cp, VGPU_CP_FETCH_FAULT);
            return VGPU_RUN_HALTED;
        }
        copy_packet(&p, mem);
        vgpu_gmc_was_read(cp->d, mem, VGPU_AQL_PACKET_BYTES);
        if (h->in_packet) {
            retire(cp, &p, mem);    /* its indirect buffer is over */
        } else if (HSA_PACKET_HEADER_GET_TYPE(p.dw[0]) ==
                   HSA_PACKET_TYPE_INVALID) {
            return park(cp, &p);    /* reserved, but not yet written */
        } else {
            if (!h->pm4.busy) {
                h->pm4.busy = 1;
                vgpu_trace_step(cp->d, VGPU_STEP_FETCH, cp->trace,
                                h->pm4.rptr);
            }
            cp->s->header = p.dw[0];
            step = execute(cp, &p);
            if (step == AQL_WAIT) {
                return park(cp, &p);
            }
            if (step == AQL_STOP) {
                return VGPU_RUN_HALTED;
            }
            if (step == AQL_CALL) {
                pm4_wait_over(cp);
                h->in_packet = 1;
                continue;
            }
            retire(cp, &p, mem);
        }
        if (vgpu_spend(cp->d, 1) || cp->sync) {
            return VGPU_RUN_MORE;
        }
    }
}
