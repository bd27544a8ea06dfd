/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine thread's loop: which queue runs next, for how long, and when a
 * parked one is looked at again.
 * Documentation/architecture.rst, "Inside the device".
 */
#include "die.h"

/*
 * Units of vgpu_spend() a slice may take: at 20 million packets a second, or
 * 128 KiB copied, some 25 us, after which the next queue has its turn.
 */
#define SLICE_BUDGET 512

static uint64_t now_ns(struct vgpu_die *d)
{
    return d->cfg.ops->clock_ns(d->cfg.opaque);
}

void vgpu_kick(struct vgpu_die *d)
{
    /* One kick is enough until the engine has looked: see vgpu_die_run(). */
    if (!atomic_exchange(&d->kicked, true)) {
        d->cfg.ops->kick(d->cfg.opaque);
    }
}

struct vgpu_queue *vgpu_queue_add(struct vgpu_die *d, const char *name,
                                  enum vgpu_run (*run)(struct vgpu_die *,
                                                       struct vgpu_queue *),
                                  unsigned arg)
{
    struct vgpu_queue *q;

    if (d->num_queues == VGPU_MAX_QUEUES) {
        return NULL;
    }
    q = &d->queue[d->num_queues++];
    *q = (struct vgpu_queue) { .name = name, .run = run, .arg = arg };
    return q;
}

static inline void set_bit(uint64_t *map, unsigned i)
{
    map[i / 64] |= 1ull << (i % 64);
}

static inline void clear_bit(uint64_t *map, unsigned i)
{
    map[i / 64] &= ~(1ull << (i % 64));
}

void vgpu_queue_kick(struct vgpu_die *d, struct vgpu_queue *q)
{
    set_bit(d->runnable, q - d->queue);
    if (!d->running) {
        vgpu_kick(d);
    }
}

bool vgpu_spend(struct vgpu_die *d, unsigned cost)
{
    d->slice_left -= cost < SLICE_BUDGET ? (int)cost : SLICE_BUDGET;
    return d->slice_left <= 0 || d->stall_until ||
           atomic_load_explicit(&d->lock_waiters, memory_order_relaxed) ||
           atomic_load_explicit(&d->stop, memory_order_relaxed);
}

void vgpu_stall(struct vgpu_die *d, uint64_t until)
{
    if (until > d->stall_until) {
        d->stall_until = until;
    }
}

uint64_t vgpu_stall_from(struct vgpu_die *d)
{
    if (!d->stall_from) {
        d->stall_from = now_ns(d);
    }
    return d->stall_from;
}

void vgpu_wake_parked(struct vgpu_die *d)
{
    d->mem_written = true;
    if (d->num_parked && !d->running) {
        vgpu_kick(d);
    }
}

static void set_state(struct vgpu_die *d, struct vgpu_queue *q,
                      enum vgpu_run state)
{
    if (state == VGPU_RUN_PARKED && q->state != state) {
        d->num_parked++;
        set_bit(d->parked, q - d->queue);
    } else if (q->state == VGPU_RUN_PARKED && q->state != state) {
        d->num_parked--;
        clear_bit(d->parked, q - d->queue);
    }
    q->state = state;
}

void vgpu_queue_reset(struct vgpu_die *d, struct vgpu_queue *q)
{
    set_state(d, q, VGPU_RUN_IDLE);
    clear_bit(d->runnable, q - d->queue);
    clear_bit(d->stalled, q - d->queue);
    q->polled = false;
    q->poll_at = 0;
    q->poll_every = 0;
    q->backoff = 0;
    q->stall_until = 0;
}

void vgpu_sched_reset(struct vgpu_die *d)
{
    unsigned i;

    for (i = 0; i < d->num_queues; i++) {
        vgpu_queue_reset(d, &d->queue[i]);
    }
    d->next_queue = 0;
    d->mem_written = false;
}

void vgpu_sched_loaded(struct vgpu_die *d)
{
    unsigned i;

    vgpu_sched_reset(d);
    for (i = 0; i < d->num_queues; i++) {
        vgpu_queue_kick(d, &d->queue[i]);
    }
}

/* Make runnable what a write may have satisfied and what is due for a poll. */
static void wake(struct vgpu_die *d)
{
    bool written = d->mem_written;
    uint64_t now;
    unsigned w;

    d->mem_written = false;
    if (!d->num_parked) {
        return;
    }
    now = now_ns(d);
    for (w = 0; w < VGPU_QUEUE_WORDS; w++) {
        uint64_t bits = d->parked[w];

        for (; bits; bits &= bits - 1) {
            unsigned i = w * 64 + __builtin_ctzll(bits);

            if (now >= d->queue[i].poll_at) {
                d->queue[i].polled = true;
                set_bit(d->runnable, i);
            } else if (written) {
                set_bit(d->runnable, i);
            }
        }
    }
}

/* Whose time at a peer is over may run again. */
static void end_stalls(struct vgpu_die *d)
{
    unsigned w;

    for (w = 0; w < VGPU_QUEUE_WORDS; w++) {
        uint64_t bits = d->stalled[w];

        for (; bits; bits &= bits - 1) {
            unsigned i = w * 64 + __builtin_ctzll(bits);

            if (now_ns(d) >= d->queue[i].stall_until) {
                clear_bit(d->stalled, i);
            }
        }
    }
}

/* The next runnable queue from @next_queue on, in turn. */
static struct vgpu_queue *pick(struct vgpu_die *d)
{
    unsigned first = d->next_queue / 64, n;
    uint64_t from = ~0ull << (d->next_queue % 64);

    for (n = 0; n <= VGPU_QUEUE_WORDS; n++) {
        unsigned w = (first + n) % VGPU_QUEUE_WORDS;
        uint64_t bits = d->runnable[w] & ~d->stalled[w];

        if (n == 0) {
            bits &= from;
        } else if (n == VGPU_QUEUE_WORDS) {
            bits &= ~from;
        }
        if (bits) {
            unsigned i = w * 64 + __builtin_ctzll(bits);

            d->next_queue = (i + 1) % VGPU_MAX_QUEUES;
            return &d->queue[i];
        }
    }
    return NULL;
}

static uint64_t clamp_poll(uint64_t ns)
{
    return ns < VGPU_POLL_MIN_NS ? VGPU_POLL_MIN_NS :
           ns > VGPU_POLL_MAX_NS ? VGPU_POLL_MAX_NS : ns;
}

static void park(struct vgpu_die *d, struct vgpu_queue *q, bool new_wait,
                 bool polled)
{
    if (new_wait) {
        q->backoff = VGPU_POLL_MIN_NS;
    } else if (polled) {
        q->backoff = clamp_poll(2 * q->backoff);
    } else {
        return; /* woken by a write in vain: the poll stays due as it was */
    }
    q->poll_at = now_ns(d) +
                 (q->poll_every ? clamp_poll(q->poll_every) : q->backoff);
}

static void run_slice(struct vgpu_die *d, struct vgpu_queue *q)
{
    bool was_parked = q->state == VGPU_RUN_PARKED;
    int budget = SLICE_BUDGET << q->weight;
    enum vgpu_run result;
    bool polled;

    clear_bit(d->runnable, q - d->queue);
    q->poll_every = 0;
    d->slice_left = budget;
    /*
     * What goes on after a stall begins when that was over, not when this
     * thread woke up: so a long copy has the pace of the link on average.
     */
    d->stall_from = q->state == VGPU_RUN_MORE ? q->stall_until : 0;
    d->stall_until = 0;
    d->poison_hit = false;
    result = q->run(d, q);
    if (__builtin_expect(d->poison_hit, 0) && q->poisoned) {
        q->poisoned(d, q);
        result = VGPU_RUN_HALTED;
    }
    polled = q->polled;
    q->polled = false;

    set_state(d, q, result);
    if (result == VGPU_RUN_PARKED) {
        park(d, q, !was_parked || d->slice_left != budget, polled);
    } else if (result == VGPU_RUN_MORE) {
        set_bit(d->runnable, q - d->queue);
    }
    q->stall_until = d->stall_until;
    if (q->stall_until) {
        set_bit(d->stalled, q - d->queue);
    }
}

/* When the first poll or the first stall ends; what is runnable is stalled. */
static uint64_t deadline(struct vgpu_die *d)
{
    uint64_t first = VGPU_NO_DEADLINE;
    unsigned w;

    for (w = 0; w < VGPU_QUEUE_WORDS; w++) {
        uint64_t bits = d->parked[w] | d->runnable[w];

        for (; bits; bits &= bits - 1) {
            const struct vgpu_queue *q =
                &d->queue[w * 64 + __builtin_ctzll(bits)];
            uint64_t at = d->runnable[w] & bits & -bits ?
                          q->stall_until : q->poll_at;

            first = at < first ? at : first;
        }
    }
    return first;
}

uint64_t vgpu_die_run(struct vgpu_die *d)
{
    uint64_t next = VGPU_NO_DEADLINE;

    vgpu_lock(d);
    d->running = true;
    /* While we run we look at the doorbells ourselves: nobody need kick. */
    atomic_store(&d->kicked, true);

    for (;;) {
        struct vgpu_queue *q;

        if (atomic_load(&d->stop)) {
            atomic_store(&d->kicked, false);
            break;
        }
        vgpu_doorbells_drain(d);
        wake(d);
        end_stalls(d);
        q = pick(d);
        if (q) {
            run_slice(d, q);
            vgpu_die_reset_requested(d);
        } else if (!vgpu_doorbells_pending(d)) {
            /* From here on a doorbell kicks; one just before does not. */
            atomic_store(&d->kicked, false);
            if (!vgpu_doorbells_pending(d)) {
                next = deadline(d);
                break;
            }
            atomic_store(&d->kicked, true);
        }
        if (d->msix_pending || atomic_load(&d->lock_waiters)) {
            vgpu_unlock(d);
            vgpu_lock(d);
        }
    }

    d->running = false;
    vgpu_unlock(d);
    return next;
}

void vgpu_die_stop(struct vgpu_die *d)
{
    atomic_store(&d->stop, true);
    /* A slice holds the lock, and the next one looks at @stop under it. */
    vgpu_lock(d);
    vgpu_unlock(d);
}

void vgpu_die_start(struct vgpu_die *d)
{
    atomic_store(&d->stop, false);
    vgpu_kick(d);
}
