/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The emulator's own registers: a ring of the steps that submissions took, the
 * die's counters, those of the hive's links, and a means to break an engine. No
 * hardware has them; they exist to look inside.
 * Documentation/architecture.rst, "Looking inside".
 */
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "fabric.h"
#include "hw/reg/vgpu.h"

struct entry {
    uint64_t time;  /* GPU clocks */
    uint32_t step;
    uint32_t data;
};

/* What was traced is not part of the state: a migrated die starts empty. */
struct vgpu_tracer {
    uint32_t count;
    struct entry entry[VGPU_TRACE_ENTRIES];
};

void vgpu_trace_record(struct vgpu_die *d, unsigned step, unsigned queue,
                       uint32_t data)
{
    struct vgpu_tracer *t = d->tracer;

    t->entry[t->count++ % VGPU_TRACE_ENTRIES] = (struct entry) {
        .time = vgpu_gpu_clock(d),
        .step = (step & 0xff) | (queue & 0xff) << 8,
        .data = data,
    };
}

static void cntl_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    if (val & VGPU_DBG_TRACE_CNTL__CLEAR_MASK) {
        memset(d->tracer, 0, sizeof(*d->tracer));
        val &= ~VGPU_DBG_TRACE_CNTL__CLEAR_MASK;
    }
    vgpu_reg_set(d, reg, val);
    d->trace_on = val & VGPU_DBG_TRACE_CNTL__ENABLE_MASK;
}

static uint32_t trace_read(struct vgpu_die *d, uint32_t reg)
{
    uint32_t index = vgpu_reg_get(d, VGPU_DBG_TRACE_INDEX);
    const struct entry *e = &d->tracer->entry[index % VGPU_TRACE_ENTRIES];

    switch (reg) {
    case VGPU_DBG_TRACE_COUNT:
        return d->tracer->count;
    case VGPU_DBG_TRACE_STEP:
        return e->step;
    case VGPU_DBG_TRACE_DATA:
        return e->data;
    case VGPU_DBG_TRACE_TIME_LO:
        return e->time;
    default:
        return e->time >> 32;
    }
}

static uint32_t stat_read(struct vgpu_die *d, uint32_t reg)
{
    switch (reg) {
    case VGPU_DBG_UNCLAIMED_READS:
        return d->stats.unclaimed_reads;
    case VGPU_DBG_UNCLAIMED_WRITES:
        return d->stats.unclaimed_writes;
    case VGPU_DBG_PM4_PACKETS:
        return d->stats.pm4_packets;
    case VGPU_DBG_SDMA_PACKETS:
        return d->stats.sdma_packets;
    case VGPU_DBG_FAULTS:
        return d->stats.faults;
    case VGPU_DBG_IH_ENTRIES:
        return d->stats.ih_entries;
    case VGPU_DBG_INTERRUPTS:
        return d->stats.interrupts;
    default:
        return d->stats.lost_doorbells;
    }
}

static uint32_t num_links(struct vgpu_die *d, uint32_t reg)
{
    (void)reg;
    return d->cfg.fabric ? vgpu_fabric_num_links(d->cfg.fabric) : 0;
}

static uint32_t link_read(struct vgpu_die *d, uint32_t reg)
{
    uint32_t index = vgpu_reg_get(d, VGPU_DBG_LINK_INDEX);
    unsigned i = index & VGPU_DBG_LINK_INDEX__LINK_MASK;
    unsigned back = !!(index & VGPU_DBG_LINK_INDEX__BACK_MASK);
    struct vgpu_fabric_link l;

    if (i >= num_links(d, reg)) {
        return 0;
    }
    vgpu_fabric_get_link(d->cfg.fabric, i, &l);
    switch (reg) {
    case VGPU_DBG_LINK_ENDS:
        return l.node[0] | l.node[1] << 8 | l.width << 16 |
               (l.up ? VGPU_DBG_LINK_ENDS__UP_MASK : 0);
    case VGPU_DBG_LINK_BYTES_LO:
        return l.bytes[back];
    case VGPU_DBG_LINK_BYTES_HI:
        return l.bytes[back] >> 32;
    case VGPU_DBG_LINK_REQUESTS_LO:
        return l.requests[back];
    default:
        return l.requests[back] >> 32;
    }
}

static void stuck_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, vgpu_reg_get(d, reg) | val);
}

#define READ_ONLY(n, fn) { .reg = n, .read = fn, .name = #n }

static const struct vgpu_reg_desc regs[] = {
    { .reg = VGPU_DBG_ID, .reset = VGPU_DBG_ID_MAGIC, .name = "VGPU_DBG_ID" },
    { .reg = VGPU_DBG_TRACE_CNTL, .write = cntl_write,
      .wmask = VGPU_DBG_TRACE_CNTL__ENABLE_MASK |
               VGPU_DBG_TRACE_CNTL__CLEAR_MASK,
      .name = "VGPU_DBG_TRACE_CNTL" },
    { .reg = VGPU_DBG_TRACE_INDEX, .wmask = ~0u,
      .name = "VGPU_DBG_TRACE_INDEX" },
    READ_ONLY(VGPU_DBG_TRACE_COUNT, trace_read),
    READ_ONLY(VGPU_DBG_TRACE_STEP, trace_read),
    READ_ONLY(VGPU_DBG_TRACE_DATA, trace_read),
    READ_ONLY(VGPU_DBG_TRACE_TIME_LO, trace_read),
    READ_ONLY(VGPU_DBG_TRACE_TIME_HI, trace_read),
    READ_ONLY(VGPU_DBG_UNCLAIMED_READS, stat_read),
    READ_ONLY(VGPU_DBG_UNCLAIMED_WRITES, stat_read),
    READ_ONLY(VGPU_DBG_PM4_PACKETS, stat_read),
    READ_ONLY(VGPU_DBG_SDMA_PACKETS, stat_read),
    READ_ONLY(VGPU_DBG_FAULTS, stat_read),
    READ_ONLY(VGPU_DBG_IH_ENTRIES, stat_read),
    READ_ONLY(VGPU_DBG_INTERRUPTS, stat_read),
    READ_ONLY(VGPU_DBG_LOST_DOORBELLS, stat_read),
    READ_ONLY(VGPU_DBG_NUM_LINKS, num_links),
    { .reg = VGPU_DBG_LINK_INDEX,
      .wmask = VGPU_DBG_LINK_INDEX__LINK_MASK |
               VGPU_DBG_LINK_INDEX__BACK_MASK,
      .name = "VGPU_DBG_LINK_INDEX" },
    READ_ONLY(VGPU_DBG_LINK_ENDS, link_read),
    READ_ONLY(VGPU_DBG_LINK_BYTES_LO, link_read),
    READ_ONLY(VGPU_DBG_LINK_BYTES_HI, link_read),
    READ_ONLY(VGPU_DBG_LINK_REQUESTS_LO, link_read),
    READ_ONLY(VGPU_DBG_LINK_REQUESTS_HI, link_read),
    { .reg = VGPU_DBG_STUCK, .wmask = VGPU_DBG_STUCK__ALL_MASK,
      .write = stuck_write, .name = "VGPU_DBG_STUCK" },
};

static bool init(struct vgpu_die *d)
{
    d->tracer = calloc(1, sizeof(*d->tracer));
    return d->tracer &&
           vgpu_regs_claim(d, regs, sizeof(regs) / sizeof(regs[0]));
}

static void reset(struct vgpu_die *d)
{
    memset(d->tracer, 0, sizeof(*d->tracer));
    d->trace_on = false;
}

static void reset_mode2(struct vgpu_die *d)
{
    vgpu_reg_set(d, VGPU_DBG_STUCK, vgpu_reg_get(d, VGPU_DBG_STUCK) &
                 (VGPU_DBG_STUCK__MP0_MASK | VGPU_DBG_STUCK__MP1_MASK));
}

static void loaded(struct vgpu_die *d)
{
    memset(d->tracer, 0, sizeof(*d->tracer));
    d->trace_on = vgpu_reg_get(d, VGPU_DBG_TRACE_CNTL) &
                  VGPU_DBG_TRACE_CNTL__ENABLE_MASK;
}

static void fini(struct vgpu_die *d)
{
    free(d->tracer);
    d->tracer = NULL;
}

const struct vgpu_block vgpu_trace_block = {
    .name = "trace",
    .init = init,
    .reset = reset,
    .reset_mode2 = reset_mode2,
    .loaded = loaded,
    .fini = fini,
};
