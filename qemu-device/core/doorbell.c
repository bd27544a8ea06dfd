/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Doorbells: stores to BAR2 are posted here without a lock by any vCPU and
 * delivered by the engine thread, as hardware posts them to the queues.
 * Documentation/architecture.rst, "Doorbells".
 */
#include <stdlib.h>

#include "die.h"

#define NUM_SLOTS   (VGPU_DOORBELL_SIZE / 4)
#define NUM_LEAVES  (NUM_SLOTS / 64)
#define NUM_NODES   (NUM_LEAVES / 64)
#define NUM_TOPS    (NUM_NODES / 64)

/* Doorbells delivered before somebody who waits for the lock gets it. */
#define DRAIN_BATCH 256

/*
 * A slot a dword, since a doorbell of either width may start at any; the
 * newest value wins. Which are pending is a bitmap of three levels: a writer
 * sets its bit bottom up after the value, the reader takes bits top down
 * before it reads the value, so that none is lost. Slots are touched, and so
 * become memory, only as they are used.
 */
struct vgpu_doorbells {
    _Atomic uint64_t top[NUM_TOPS];
    _Atomic uint64_t node[NUM_NODES];
    _Atomic uint64_t leaf[NUM_LEAVES];
    _Atomic uint64_t value[NUM_SLOTS];
    atomic_ullong rung;
    atomic_ullong bad;
};

_Static_assert(NUM_TOPS * 64 * 64 * 64 == NUM_SLOTS, "the levels must divide");

void vgpu_doorbell_write(struct vgpu_die *d, uint64_t offset, uint64_t val,
                         unsigned size)
{
    struct vgpu_doorbells *db = d->doorbells;
    uint32_t index = offset / 4;
    uint32_t leaf = index / 64;
    uint32_t node = leaf / 64;

    if ((size != 4 && size != 8) || (offset & (size - 1)) ||
        offset >= VGPU_DOORBELL_SIZE) {
        atomic_fetch_add(&db->bad, 1);
        return;
    }
    if (size == 4) {
        val = (uint32_t)val;
    }
    atomic_fetch_add_explicit(&db->rung, 1, memory_order_relaxed);
    atomic_store(&db->value[index], val);
    atomic_fetch_or(&db->leaf[leaf], 1ull << (index % 64));
    atomic_fetch_or(&db->node[node], 1ull << (leaf % 64));
    atomic_fetch_or(&db->top[node / 64], 1ull << (node % 64));
    vgpu_kick(d);
}

bool vgpu_doorbells_pending(struct vgpu_die *d)
{
    unsigned i;

    for (i = 0; i < NUM_TOPS; i++) {
        if (atomic_load(&d->doorbells->top[i])) {
            return true;
        }
    }
    return false;
}

static void deliver(struct vgpu_die *d, uint32_t index)
{
    uint64_t val = atomic_load(&d->doorbells->value[index]);

    d->mem_written = true;
    if (!vgpu_nbio_doorbell(d, index, val)) {
        d->stats.lost_doorbells++;
        vgpu_log(d, VGPU_LOG_GUEST_ERROR,
                 "doorbell 0x%x rang where no queue listens", index);
    }
}

/* One leaf; returns how many were delivered. */
static unsigned drain_leaf(struct vgpu_die *d, uint32_t leaf)
{
    uint64_t bits = atomic_exchange(&d->doorbells->leaf[leaf], 0);
    unsigned n = 0;

    for (; bits; bits &= bits - 1, n++) {
        deliver(d, leaf * 64 + __builtin_ctzll(bits));
    }
    return n;
}

/* One node, at most about @left of it; returns how many were delivered. */
static unsigned drain_node(struct vgpu_die *d, uint32_t node, unsigned left)
{
    struct vgpu_doorbells *db = d->doorbells;
    uint64_t bits = atomic_exchange(&db->node[node], 0);
    unsigned n = 0;

    for (; bits && n < left; bits &= bits - 1) {
        n += drain_leaf(d, node * 64 + __builtin_ctzll(bits));
    }
    if (bits) {
        /* The batch is over: the rest stays posted. */
        atomic_fetch_or(&db->node[node], bits);
        atomic_fetch_or(&db->top[node / 64], 1ull << (node % 64));
    }
    return n;
}

void vgpu_doorbells_drain(struct vgpu_die *d)
{
    struct vgpu_doorbells *db = d->doorbells;
    unsigned left = DRAIN_BATCH;
    unsigned i;

    d->stats.doorbells = atomic_load_explicit(&db->rung, memory_order_relaxed);
    d->stats.bad_accesses += atomic_exchange(&db->bad, 0);

    for (i = 0; i < NUM_TOPS; i++) {
        uint64_t top = atomic_load(&db->top[i]);

        while (top && left) {
            unsigned bit = __builtin_ctzll(top);
            unsigned n;

            atomic_fetch_and(&db->top[i], ~(1ull << bit));
            n = drain_node(d, i * 64 + bit, left);
            left -= n < left ? n : left;
            top = atomic_load(&db->top[i]);
        }
    }
}

static bool init(struct vgpu_die *d)
{
    d->doorbells = calloc(1, sizeof(*d->doorbells));
    return d->doorbells != NULL;
}

/* What is posted but not delivered is dropped. */
static void reset(struct vgpu_die *d)
{
    struct vgpu_doorbells *db = d->doorbells;
    unsigned i, node;

    for (i = 0; i < NUM_TOPS; i++) {
        uint64_t top = atomic_exchange(&db->top[i], 0);

        for (; top; top &= top - 1) {
            uint64_t bits;

            node = i * 64 + __builtin_ctzll(top);
            bits = atomic_exchange(&db->node[node], 0);
            for (; bits; bits &= bits - 1) {
                atomic_store(&db->leaf[node * 64 + __builtin_ctzll(bits)], 0);
            }
        }
    }
}

static void fini(struct vgpu_die *d)
{
    free(d->doorbells);
    d->doorbells = NULL;
}

const struct vgpu_block vgpu_doorbell_block = {
    .name = "doorbell",
    .init = init,
    .reset = reset,
    .fini = fini,
};
