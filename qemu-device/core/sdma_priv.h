/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sdma.c (ring and registers) and sdma_exec.c (packets) share.
 * Documentation/hardware.rst, "SDMA".
 */
#ifndef VGPU_SDMA_PRIV_H
#define VGPU_SDMA_PRIV_H

#include "die.h"
#include "hw/ih.h"
#include "hw/sdma.h"
#include "hw/reg/sdma.h"
#include "hw/reg/sdma_edc.h"

/* Rings of an engine, in the order of their registers */
#define SDMA_RING_GFX       0
#define SDMA_RING_PAGE      1
#define SDMA_RING_RLC0      2
/* Dwords from a register of one ring to that of the next */
#define SDMA_RING_STRIDE                                                \
    (VGPU_REG_OFF(regSDMA0_RLC1_RB_CNTL) -                              \
     VGPU_REG_OFF(regSDMA0_RLC0_RB_CNTL))

/* Page of the memory controller that a data fault costs. */
#define SDMA_PAGE           4096u

/**
 * struct vgpu_sdma_ring - what a ring has that is not state
 * @queue: its place in the scheduler, @name: there
 * @ring_win, @ib_win: where commands were last fetched from
 * @idle: went idle since the last packet
 */
struct vgpu_sdma_ring {
    struct vgpu_queue *queue;
    struct vgpu_window ring_win;
    struct vgpu_window ib_win;
    bool idle;
    char name[32];
};

#define SDMA_NAME           40  /* bytes of a register's name */
#define SDMA_MAX_REGS       64
#define SDMA_MAX_RING_REGS  40

struct vgpu_sdma {
    struct vgpu_sdma_ring ring[VGPU_MAX_SDMA * VGPU_SDMA_RINGS];
    char reg_name[VGPU_MAX_SDMA][SDMA_MAX_REGS][SDMA_NAME];
    char ring_reg_name[VGPU_MAX_SDMA][VGPU_SDMA_RINGS][SDMA_MAX_RING_REGS]
                      [SDMA_NAME];
};

/**
 * struct sdma_ctx - one run of one ring
 * @n: its engine, @ring: its number; @trace: that in trace entries
 * @ring_off: where its registers are, from those of the gfx ring on
 * @req: who asks for the data of the present packet: ring or IB
 * @swap: the commands are byte-swapped
 * @stream: the present copy is a long one, see stream.h
 * @ring_base, @ring_bytes: the ring; @ring_vmid its address space
 */
struct sdma_ctx {
    struct vgpu_die *d;
    struct vgpu_queue *q;
    struct vgpu_sdma_ring *e;
    struct vgpu_sdma_state *s;
    unsigned n;
    unsigned ring;
    uint32_t ring_off;
    uint8_t trace;
    uint32_t cntl;
    struct vgpu_req req;
    bool swap;
    bool stream;
    uint8_t ring_vmid;
    uint64_t ring_base;
    uint64_t ring_bytes;
};

/** enum sdma_step - what became of a packet */
enum sdma_step {
    SDMA_DONE,      /* complete, or given up as the hardware does */
    SDMA_AGAIN,     /* the slice is over; @done says how far it got */
    SDMA_WAIT,      /* needs more of the ring than WPTR allows */
    SDMA_PARK,      /* a condition does not hold */
    SDMA_RELOAD,    /* complete; a register was written, look again */
    SDMA_ILLEGAL,   /* no such packet */
    SDMA_FETCH,     /* its commands could not be read */
};

/* A register of the engine, or of the ring by the gfx ring's name for it. */
static inline uint32_t sdma_reg_abs(const struct sdma_ctx *c, uint32_t reg)
{
    return VGPU_SDMA_REG_ABS(c->n, reg) +
           (VGPU_REG_OFF(reg) >= VGPU_REG_OFF(regSDMA0_GFX_RB_CNTL) ?
            c->ring_off : 0);
}

static inline uint32_t sdma_reg(const struct sdma_ctx *c, uint32_t reg)
{
    return vgpu_reg_get(c->d, sdma_reg_abs(c, reg));
}

static inline void sdma_reg_set(const struct sdma_ctx *c, uint32_t reg,
                                uint32_t val)
{
    vgpu_reg_set(c->d, sdma_reg_abs(c, reg), val);
}

/* sdma.c */

/** A register of ring @n, absolute, by the gfx ring's name for it. */
uint32_t sdma_qreg(unsigned n, uint32_t gfx_reg);
/** What is in flight in ring @n is forgotten; the pointers stay. */
void sdma_drop(struct vgpu_die *d, unsigned n);
void sdma_ctx_init(struct sdma_ctx *c, struct vgpu_die *d,
                   struct vgpu_queue *q);
/** The state of a ring indexes nothing beyond its bounds. */
bool sdma_state_ok(const struct vgpu_sdma_state *s);

/** Dwords that may be consumed: to the end of the IB, or to WPTR. */
uint64_t sdma_avail(const struct sdma_ctx *c);
/** Copy @n dwords, @off dwords ahead; false after a fault. */
bool sdma_fetch(struct sdma_ctx *c, uint32_t off, uint32_t *dst, unsigned n);
/** Consume @n dwords of the stream. */
void sdma_advance(struct sdma_ctx *c, uint32_t n);
/** Raise an interrupt of this engine; @addr as its handlers decode it. */
void sdma_interrupt(struct sdma_ctx *c, unsigned source, uint32_t data0,
                    uint32_t data1);
/** Write RPTR to memory if that is on. */
void sdma_rptr_writeback(struct sdma_ctx *c);

/* sdma_exec.c */

/** Dwords of a packet without payload; 0 for one that does not exist. */
unsigned sdma_head_len(uint32_t header);
/**
 * Run, or go on with, the packet in state.pkt. On SDMA_DONE and SDMA_RELOAD
 * it has been consumed from the stream.
 */
enum sdma_step sdma_exec(struct sdma_ctx *c);

#endif
