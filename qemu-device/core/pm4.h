/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the command processor: what the packet machine (pm4.c), the packets
 * (pm4_*.c) and the queue around them (cp.c) share. The packets themselves are
 * described by hw/pm4.h and in Documentation/hardware.rst, "Packets".
 */
#ifndef VGPU_PM4_H
#define VGPU_PM4_H

#include "die.h"
#include "hw/pm4.h"
#include "hw/reg/gc.h"

/** Absolute dword offset of a GC register, by its name without `reg` */
#define GC(name)            VGPU_REG_ABS(GC, reg##name)

/** A count field of 14 bits holds one less than this */
#define PM4_MAX_PAYLOAD     0x4000
/** Address bits of an indirect buffer; its packet has no more */
#define PM4_IB_ADDR_MASK    0xfffffffffffcull

/** What a packet's handler tells the machine */
enum pm4_result {
    PM4_NEXT,   /* done: go to the next packet of this stream */
    PM4_JUMP,   /* done, and the handler has moved the position itself */
    PM4_MORE,   /* the slice is over; run the packet again to go on with it */
    PM4_PARK,   /* what it waits for is not there; run it again to look */
    PM4_OPCODE, /* errors: the queue halts; see enum vgpu_cp_halt */
    PM4_RESERVED,
    PM4_REGISTER,
    PM4_FETCH,
};

/** Which engines carry out a packet: struct pm4_op.engines */
#define PM4_GFX     1u  /* the graphics ring */
#define PM4_MEC     2u  /* a compute queue */
#define PM4_SCHED   4u  /* a queue that RLC_CP_SCHEDULERS names: KIQ, HIQ */

/**
 * struct vgpu_cp - a queue of the command processor: what need not migrate
 * @d, @s: the die, and the state of the stream in it
 * @queue: of the scheduler
 * @hqd: the hardware queue, NULL for the graphics ring
 * @engines: packets that it may have, a mask of PM4_GFX and so on
 * @levels: streams it can nest: the ring, IB1 and, on the graphics ring, IB2
 * @wptr: low dword of its write pointer
 * @preop: two dwords, for what an atomic found
 * @int_cntl, @int_status: registers of its pipe
 * @ring_id: in interrupts; @trace: number in trace entries
 * @scheduler: it manages queues, by packets of its kernel's
 * @error_code: VGPU_CP_ECODE_* of the error that comes next, for its interrupt
 * @win: stream windows, one a level
 * @req: data accesses of the packet that runs: the address space of its stream
 * @ring_base, @ring_mask: of the ring, in bytes and dwords
 * @ring_vmid: its address space
 * @len: dwords of the packet that runs, header included
 * @sync: a register was written that may change what this struct caches
 * @running: its queue is being run; resets wait until the packet is over
 * @reset_pending: such a reset
 * @written_rptr: what the RPTR write-back last wrote, ~0 nothing
 * @packets: not yet in the statistics
 * @dirty, @dirty_len: bytes written that the memory controller is yet to hear
 *                     of
 * @one: a dword of the stream that cannot be pointed at
 * @pkt: payload of the packet that runs, our copy: PM4_MAX_PAYLOAD dwords that
 *       all queues share, since one runs at a time
 */
struct vgpu_cp {
    struct vgpu_die *d;
    struct vgpu_pm4_state *s;
    struct vgpu_queue *queue;
    struct vgpu_hqd_state *hqd;

    uint32_t engines;
    uint32_t levels;
    const uint32_t *wptr;
    uint32_t *preop;
    uint32_t int_cntl;
    uint32_t int_status;
    uint8_t ring_id;
    uint8_t trace;
    bool scheduler;
    uint32_t error_code;

    struct vgpu_window win[VGPU_CP_LEVELS];
    struct vgpu_req req;
    uint64_t ring_base;
    uint32_t ring_mask;
    uint8_t ring_vmid;

    uint32_t len;
    bool sync;
    bool running;
    bool reset_pending;
    uint32_t written_rptr;
    uint64_t packets;

    uint8_t *dirty;
    uint64_t dirty_len;
    uint32_t one;

    uint32_t *pkt;
};

/**
 * struct pm4_op - a type 3 packet
 * @name: the hardware's
 * @min, @max: payload dwords it may have
 * @engines: who carries it out, PM4_GFX and so on; 0: known, but nobody
 * @fn: carries it out from cp->pkt
 */
struct pm4_op {
    const char *name;
    uint16_t min;
    uint16_t max;
    uint32_t engines;
    enum pm4_result (*fn)(struct vgpu_cp *cp, const uint32_t *dw, unsigned n);
};

typedef enum pm4_result pm4_fn(struct vgpu_cp *cp, const uint32_t *dw,
                               unsigned n);

/* pm4.c */
enum vgpu_run vgpu_pm4_run(struct vgpu_cp *cp);
/** Name of the packet with that header. */
const char *vgpu_pm4_name(uint32_t header);
/** Move past the packet that runs, for a handler that returns PM4_JUMP. */
void pm4_advance(struct vgpu_cp *cp, uint32_t dwords);
/** Recompute what depends on the level. */
void pm4_level_changed(struct vgpu_cp *cp);
/** Forget the packet that runs, the buffers around it and a halt. */
void pm4_abort(struct vgpu_cp *cp);
/** The state of a stream indexes nothing beyond its bounds. */
bool pm4_state_valid(const struct vgpu_pm4_state *s);

/* cp.c */
/** Halt the queue, with the interrupt that goes with it. */
void vgpu_cp_halt(struct vgpu_cp *cp, enum vgpu_cp_halt why);
/** Raise an interrupt if @enable is set for the pipe. */
void vgpu_cp_interrupt(struct vgpu_cp *cp, uint32_t enable, uint8_t source,
                       uint32_t context_id);

/* mec.c */
/** Note in the hardware queue why it halts. Return: context of the interrupt */
uint32_t mec_halted(struct vgpu_cp *cp, enum vgpu_cp_halt why);
/** An event has gone through the end-of-pipe buffer of the queue. */
void mec_end_of_pipe(struct vgpu_cp *cp);
/** COMPUTE_* registers, of which each queue has its own; NULL for others. */
uint32_t *mec_compute_reg(struct vgpu_cp *cp, uint32_t reg);

/* kiq.c */
pm4_fn pm4_set_resources, pm4_map_queues, pm4_unmap_queues, pm4_query_status,
       pm4_run_list, pm4_invalidate_tlbs;

/* pm4_mem.c: data in the address space of the stream; 48-bit addresses */
/** Write 4 or 8 naturally aligned bytes in one piece; a fault drops them. */
void pm4_write32(struct vgpu_cp *cp, uint64_t va, uint32_t val);
void pm4_write64(struct vgpu_cp *cp, uint64_t va, uint64_t val);
/** Read 4 or 8 naturally aligned bytes; a fault reads 0 and returns false. */
bool pm4_read32(struct vgpu_cp *cp, uint64_t va, uint32_t *val);
bool pm4_read64(struct vgpu_cp *cp, uint64_t va, uint64_t *val);
/** Tell the memory controller what has been written. */
void pm4_flush_writes(struct vgpu_cp *cp);
pm4_fn pm4_write_data, pm4_copy_data, pm4_dma_data, pm4_atomic_mem;

/* pm4_reg.c */
/** May the stream that runs reach these registers? Kernel streams: all. */
bool pm4_reg_allowed(const struct vgpu_cp *cp, uint32_t reg, uint32_t n);
void pm4_reg_write(struct vgpu_cp *cp, uint32_t reg, uint32_t val);
uint32_t pm4_reg_read(struct vgpu_cp *cp, uint32_t reg);
/** Type 0: write @n registers from @reg. */
enum pm4_result pm4_type0(struct vgpu_cp *cp, uint32_t reg, const uint32_t *dw,
                          unsigned n);
pm4_fn pm4_set_config_reg, pm4_set_context_reg, pm4_set_sh_reg,
       pm4_set_uconfig_reg, pm4_reg_rmw, pm4_clear_state, pm4_context_control,
       pm4_preamble_cntl, pm4_set_base;

/* pm4_sync.c */
/** The comparison of WAIT_REG_MEM and COND_WRITE. */
bool pm4_compare(unsigned func, uint32_t val, uint32_t ref);
/** Park the queue: what the packet waits for is not there. */
enum pm4_result pm4_park(struct vgpu_cp *cp);
/** The wait is over. */
enum pm4_result pm4_wait_over(struct vgpu_cp *cp);
pm4_fn pm4_wait_reg_mem, pm4_release_mem, pm4_event_write, pm4_acquire_mem,
       pm4_cond_write, pm4_retire;

/* pm4_flow.c */
pm4_fn pm4_indirect_buffer, pm4_cond_exec, pm4_set_predication;

static inline uint64_t pm4_addr(uint32_t lo, uint32_t hi)
{
    return lo | (uint64_t)hi << 32;
}

#endif
