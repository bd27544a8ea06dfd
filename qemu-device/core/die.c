/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A die as a whole: its life, its lock, reset and the state that migrates.
 * Each hardware block is a file of its own and a line of the table below.
 * Documentation/architecture.rst, "Inside the device".
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

/*
 * In order of initialisation and reset. GC comes last: it also claims, as
 * plain storage, what the others left of the windows that packets may set.
 */
static const struct vgpu_block *const blocks[] = {
    &vgpu_doorbell_block,
    &vgpu_trace_block,
    &vgpu_nbio_block,
    &vgpu_discovery_block,
    &vgpu_gmc_block,
    &vgpu_ih_block,
    &vgpu_cp_block,
    &vgpu_athub_block,
    &vgpu_mec_block,
    &vgpu_psp_block,
    &vgpu_smu_block,
    &vgpu_ras_block,
    &vgpu_edc_block,
    &vgpu_xgmi_block,
    &vgpu_smuio_block,
    &vgpu_sdma_block,
    &vgpu_gc_block,
};

#define NUM_BLOCKS (sizeof(blocks) / sizeof(blocks[0]))

#define MIB (1024ull * 1024)

/* ----------------------------------------------------------------- lock */

/*
 * A plain mutex would let the engine thread, which drops and retakes the lock
 * in a tight loop, win against a vCPU that has to be woken up first, and a
 * vCPU that polls a register win against the engine. Tickets are fair to both.
 */
void vgpu_lock(struct vgpu_die *d)
{
    struct vgpu_fifo_lock *l = &d->lock;
    uint64_t ticket;

    atomic_fetch_add_explicit(&d->lock_waiters, 1, memory_order_relaxed);
    pthread_mutex_lock(&l->mutex);
    ticket = l->next++;
    while (ticket != l->serving) {
        pthread_cond_wait(&l->turn, &l->mutex);
    }
    pthread_mutex_unlock(&l->mutex);
    atomic_fetch_sub_explicit(&d->lock_waiters, 1, memory_order_relaxed);
}

void vgpu_unlock(struct vgpu_die *d)
{
    struct vgpu_fifo_lock *l = &d->lock;
    uint32_t vectors = d->msix_pending;
    bool waited_for;
    unsigned i;

    d->msix_pending = 0;

    pthread_mutex_lock(&l->mutex);
    l->serving++;
    waited_for = l->serving != l->next;
    pthread_mutex_unlock(&l->mutex);
    if (waited_for) {
        pthread_cond_broadcast(&l->turn);
    }

    for (i = 0; vectors && i < VGPU_MSIX_VECTORS; i++) {
        if (vectors & (1u << i)) {
            d->cfg.ops->msix(d->cfg.opaque, i);
        }
    }
}

/* ------------------------------------------------------------- services */

void vgpu_log(struct vgpu_die *d, enum vgpu_log_level level, const char *fmt,
              ...)
{
    char line[256];
    va_list ap;

    if (!d->cfg.ops->log) {
        return;
    }
    va_start(ap, fmt);
    vsnprintf(line, sizeof(line), fmt, ap);
    va_end(ap);
    d->cfg.ops->log(d->cfg.opaque, level, line);
}

uint64_t vgpu_gpu_clock(struct vgpu_die *d)
{
    /* 100 MHz: one clock is 10 ns. */
    return (d->cfg.ops->clock_ns(d->cfg.opaque) - d->s.gpu_clock_base) / 10;
}

void vgpu_die_stats(struct vgpu_die *d, struct vgpu_die_stats *out)
{
    vgpu_lock(d);
    *out = d->stats;
    vgpu_unlock(d);
}

/* ----------------------------------------------------------------- life */

static const char *config_error(const struct vgpu_die_config *c)
{
    if (!c->ops || !c->ops->map || !c->ops->written || !c->ops->kick ||
        !c->ops->msix || !c->ops->clock_ns) {
        return "the host lacks a callback that a die needs";
    }
    if (!c->vram || c->vram_size < MIB || c->vram_size % MIB ||
        c->vram_size > (1ull << 40)) {
        return "VRAM must be 1 MiB to 1 TiB, in whole MiB";
    }
    if (c->num_sdma < 1 || c->num_sdma > VGPU_MAX_SDMA) {
        return "a die has 1 to 5 SDMA engines";
    }
    if (c->num_cu < 1 || c->num_cu > VGPU_MAX_CU) {
        return "a die has 1 to 128 compute units";
    }
    if (c->num_nodes < 1 || c->num_nodes > VGPU_MAX_NODES ||
        c->node_id >= c->num_nodes) {
        return "a hive has 1 to 16 nodes and the node id lies below that";
    }
    if (c->hive_id && (!c->segment_size || c->segment_size % (16 * MIB))) {
        return "the segment of a node must be a multiple of 16 MiB";
    }
    if (!c->hive_id && (c->segment_size || c->num_nodes != 1)) {
        return "a die without a hive has no segment and is the only node";
    }
    if (c->cpu_base % (16 * MIB) || c->cpu_base >> 44) {
        return "the CPU's view begins at a multiple of 16 MiB in 44 bits";
    }
    if (c->hive_id && c->vram_size > c->segment_size) {
        return "VRAM is larger than the segment of a node";
    }
    return NULL;
}

/* Caller holds the lock, or nobody else knows the die yet. */
static void reset_locked(struct vgpu_die *d)
{
    struct vgpu_die_state *s = &d->s;
    size_t i;

    /* All but what the board keeps without power, which comes last. */
    memset(s, 0, offsetof(struct vgpu_die_state, nv));
    d->s.gpu_clock_base = d->cfg.ops->clock_ns(d->cfg.opaque);
    d->msix_pending = 0;
    d->reset_wanted = VGPU_RESET_NONE;
    vgpu_sched_reset(d);
    vgpu_regs_reset(d);
    for (i = 0; i < NUM_BLOCKS; i++) {
        if (blocks[i]->reset) {
            blocks[i]->reset(d);
        }
    }
}

static void reset_mode2(struct vgpu_die *d)
{
    size_t i;

    vgpu_regs_reset_engines(d);
    for (i = 0; i < NUM_BLOCKS; i++) {
        if (blocks[i]->reset_mode2) {
            blocks[i]->reset_mode2(d);
        }
    }
}

void vgpu_die_request_reset(struct vgpu_die *d, enum vgpu_reset kind)
{
    if (kind > d->reset_wanted) {
        d->reset_wanted = kind;
    }
}

void vgpu_die_reset_requested(struct vgpu_die *d)
{
    enum vgpu_reset kind = d->reset_wanted;

    if (__builtin_expect(kind == VGPU_RESET_NONE, 1)) {
        return;
    }
    d->reset_wanted = VGPU_RESET_NONE;
    vgpu_log(d, VGPU_LOG_INFO, "mode %d reset",
             kind == VGPU_RESET_MODE1 ? 1 : 2);
    if (kind == VGPU_RESET_MODE1) {
        reset_locked(d);
    } else {
        reset_mode2(d);
    }
}

void vgpu_die_free(struct vgpu_die *d)
{
    size_t i;

    if (!d) {
        return;
    }
    for (i = NUM_BLOCKS; i-- > 0;) {
        if (blocks[i]->fini) {
            blocks[i]->fini(d);
        }
    }
    pthread_cond_destroy(&d->lock.turn);
    pthread_mutex_destroy(&d->lock.mutex);
    free(d->reg_seen);
    free(d->reg_id);
    free(d->regs);
    free(d);
}

struct vgpu_die *vgpu_die_new(const struct vgpu_die_config *cfg,
                              const char **err)
{
    static const char no_memory[] = "no memory for a die";
    struct vgpu_die *d;
    size_t i;

    *err = config_error(cfg);
    if (*err) {
        return NULL;
    }

    d = calloc(1, sizeof(*d));
    if (!d) {
        *err = no_memory;
        return NULL;
    }
    d->cfg = *cfg;
    pthread_mutex_init(&d->lock.mutex, NULL);
    pthread_cond_init(&d->lock.turn, NULL);
    d->reg_id = calloc(VGPU_NUM_REGS, sizeof(*d->reg_id));
    d->reg_seen = calloc(VGPU_NUM_REGS, sizeof(*d->reg_seen));
    if (!d->reg_id || !d->reg_seen) {
        *err = no_memory;
        vgpu_die_free(d);
        return NULL;
    }

    for (i = 0; i < NUM_BLOCKS; i++) {
        if (blocks[i]->init && !blocks[i]->init(d)) {
            vgpu_log(d, VGPU_LOG_INFO, "block %s did not initialise",
                     blocks[i]->name);
            *err = "a block of the die could not be initialised";
            vgpu_die_free(d);
            return NULL;
        }
    }
    d->s.nv.boot_cfg = VGPU_BOOT_CFG_DEFAULT;
    memset(d->s.nv.eeprom, 0xff, sizeof(d->s.nv.eeprom));
    reset_locked(d);
    return d;
}

void vgpu_die_reset(struct vgpu_die *d)
{
    vgpu_lock(d);
    reset_locked(d);
    vgpu_unlock(d);
}

void vgpu_die_guest_remapped(struct vgpu_die *d)
{
    size_t i;

    vgpu_lock(d);
    for (i = 0; i < NUM_BLOCKS; i++) {
        if (blocks[i]->remapped) {
            blocks[i]->remapped(d);
        }
    }
    vgpu_unlock(d);
}

/* ---------------------------------------------------------------- state */

/* Reads as another value on a host of the other byte order: refused there. */
#define STATE_MAGIC     0x55504776u
#define STATE_VERSION   2u

/*
 * What the state depends on but is not part of it. A stream from a die that
 * was built otherwise is refused rather than reinterpreted.
 */
struct state_header {
    uint32_t magic;
    uint32_t version;
    uint64_t size;
    uint64_t vram_size;
    uint64_t segment_size;
    uint64_t hive_id;
    uint64_t cpu_base;
    uint32_t node_id;
    uint32_t num_nodes;
    uint32_t num_sdma;
    uint32_t num_cu;
    uint32_t pm4_type0_stream;
    uint32_t pad;
};

static void state_header_fill(const struct vgpu_die *d, struct state_header *h)
{
    memset(h, 0, sizeof(*h));
    h->magic = STATE_MAGIC;
    h->version = STATE_VERSION;
    h->size = sizeof(struct vgpu_die_state);
    h->vram_size = d->cfg.vram_size;
    h->segment_size = d->cfg.segment_size;
    h->hive_id = d->cfg.hive_id;
    h->cpu_base = d->cfg.cpu_base;
    h->node_id = d->cfg.node_id;
    h->num_nodes = d->cfg.num_nodes;
    h->num_sdma = d->cfg.num_sdma;
    h->num_cu = d->cfg.num_cu;
    h->pm4_type0_stream = d->cfg.pm4_type0_stream;
}

size_t vgpu_die_state_size(const struct vgpu_die *d)
{
    (void)d;
    return sizeof(struct state_header) + sizeof(struct vgpu_die_state);
}

void vgpu_die_state_save(struct vgpu_die *d, void *buf)
{
    struct state_header h;

    vgpu_lock(d);
    /* A posted doorbell lives outside the state: deliver it first. */
    while (vgpu_doorbells_pending(d)) {
        vgpu_doorbells_drain(d);
    }
    state_header_fill(d, &h);
    memcpy(buf, &h, sizeof(h));
    memcpy((uint8_t *)buf + sizeof(h), &d->s, sizeof(d->s));
    vgpu_unlock(d);
}

static bool state_valid(const struct vgpu_die *d,
                        const struct vgpu_die_state *s)
{
    size_t i;

    for (i = 0; i < VGPU_NUM_REGS; i++) {
        if (s->reg[i] && !d->reg_id[i]) {
            return false;
        }
    }
    for (i = 0; i < NUM_BLOCKS; i++) {
        if (blocks[i]->valid && !blocks[i]->valid(d, s)) {
            return false;
        }
    }
    return true;
}

bool vgpu_die_state_load(struct vgpu_die *d, const void *buf, size_t len)
{
    struct state_header want;
    struct vgpu_die_state *s;
    bool ok;
    size_t i;

    if (len != vgpu_die_state_size(d)) {
        return false;
    }
    state_header_fill(d, &want);
    if (memcmp(buf, &want, sizeof(want))) {
        return false;
    }
    s = malloc(sizeof(*s));
    if (!s) {
        return false;
    }
    memcpy(s, (const uint8_t *)buf + sizeof(want), sizeof(*s));

    vgpu_lock(d);
    ok = state_valid(d, s);
    if (ok) {
        d->s = *s;
        for (i = 0; i < NUM_BLOCKS; i++) {
            if (blocks[i]->loaded) {
                blocks[i]->loaded(d);
            }
        }
        vgpu_sched_loaded(d);
    }
    vgpu_unlock(d);
    free(s);
    return ok;
}
