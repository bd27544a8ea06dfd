/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The die as a whole: configuration, register space, scheduler, doorbells,
 * state. Expected values come from die.h and vgpu-core.h.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "harness.h"
#include <hw/reg/gc.h>
#include <hw/reg/hdp.h>
#include <hw/reg/mmhub.h>
#include <hw/reg/mp.h>
#include <hw/reg/nbio.h>
#include <hw/reg/oss.h>
#include <hw/reg/sdma.h>
#include <hw/reg/vgpu.h>

/* --------------------------------------------------------- configuration */

static void config_limits(void)
{
    static const struct {
        const char *what;
        size_t offset;
        unsigned bad;
    } unsigneds[] = {
        { "sdma 0", offsetof(struct vgpu_die_config, num_sdma), 0 },
        { "sdma 6", offsetof(struct vgpu_die_config, num_sdma), 6 },
        { "cu 0", offsetof(struct vgpu_die_config, num_cu), 0 },
        { "cu 129", offsetof(struct vgpu_die_config, num_cu), 129 },
        { "nodes 0", offsetof(struct vgpu_die_config, num_nodes), 0 },
        { "nodes 17", offsetof(struct vgpu_die_config, num_nodes), 17 },
        { "node 1 of 1", offsetof(struct vgpu_die_config, node_id), 1 },
    };
    struct vgpu_die_config cfg;
    const char *err;
    struct mock m;
    size_t i;

    mock_default(&m);
    for (i = 0; i < sizeof(unsigneds) / sizeof(unsigneds[0]); i++) {
        cfg = m.cfg;
        memcpy((char *)&cfg + unsigneds[i].offset, &unsigneds[i].bad,
               sizeof(unsigned));
        err = NULL;
        CHECK(!vgpu_die_new(&cfg, &err));
        CHECK(err != NULL);
    }

    cfg = m.cfg;
    cfg.vram_size += 4096;
    CHECK(!vgpu_die_new(&cfg, &err));

    cfg = m.cfg;
    cfg.cpu_base = (1ull << 38) + 4096;
    CHECK(!vgpu_die_new(&cfg, &err));
    cfg.cpu_base = 1ull << 44;
    CHECK(!vgpu_die_new(&cfg, &err));

    cfg = m.cfg;
    cfg.hive_id = 1;
    cfg.segment_size = (16ull << 20) + 4096;
    CHECK(!vgpu_die_new(&cfg, &err));
    cfg.segment_size = 1ull << 24;
    cfg.vram_size = 2ull << 24;
    CHECK(!vgpu_die_new(&cfg, &err));
    mock_stop(&m);
}

/* -------------------------------------------------------------- registers */

#define HOLE 0x1d000 /* dwords that no block claims */

static unsigned handler_calls;

static void handler_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    handler_calls++;
    vgpu_reg_set(d, reg, val + 1);
}

static uint32_t handler_read(struct vgpu_die *d, uint32_t reg)
{
    handler_calls++;
    return ~vgpu_reg_get(d, reg);
}

static void register_claims(void)
{
    static const struct vgpu_reg_desc array = {
        .reg = HOLE, .count = 3, .stride = 4, .reset = 0x11, .wmask = 0xff,
        .name = "ARRAY",
    };
    static const struct vgpu_reg_desc clash = {
        .reg = HOLE + 8, .name = "CLASH",
    };
    static const struct vgpu_reg_desc outside = {
        .reg = VGPU_NUM_REGS - 1, .count = 2, .name = "OUTSIDE",
    };
    static const struct vgpu_reg_desc rest = {
        .reg = HOLE, .count = 16, .wmask = ~0u, .name = "REST",
    };
    struct mock m;
    unsigned i;

    mock_default(&m);
    CHECK(vgpu_regs_claim(m.die, &array, 1));
    CHECK(!vgpu_regs_claim(m.die, &clash, 1));
    CHECK(!vgpu_regs_claim(m.die, &outside, 1));
    CHECK(vgpu_regs_claim_rest(m.die, &rest, 1));
    vgpu_die_reset(m.die);
    for (i = 0; i < 16; i++) {
        bool in_array = i == 0 || i == 4 || i == 8;

        CHECK(vgpu_reg_claimed(m.die, HOLE + i));
        CHECK(!strcmp(vgpu_reg_name(m.die, HOLE + i),
                      in_array ? "ARRAY" : "REST"));
        CHECK_EQ(mock_rreg(&m, HOLE + i), in_array ? 0x11 : 0);
        mock_wreg(&m, HOLE + i, 0xffffffff);
        CHECK_EQ(mock_rreg(&m, HOLE + i), in_array ? 0xff : 0xffffffff);
    }
    vgpu_die_reset(m.die);
    CHECK_EQ(mock_rreg(&m, HOLE + 4), 0x11);
    CHECK_EQ(mock_rreg(&m, HOLE + 5), 0);
    mock_stop(&m);
}

static void register_handlers(void)
{
    static const struct vgpu_reg_desc descs[] = {
        { .reg = HOLE, .wmask = 0xf0, .reset = 0x0f, .write = handler_write,
          .name = "W" },
        { .reg = HOLE + 1, .wmask = ~0u, .read = handler_read, .name = "R" },
    };
    struct mock m;

    mock_default(&m);
    CHECK(vgpu_regs_claim(m.die, descs, 2));
    vgpu_die_reset(m.die);
    handler_calls = 0;
    mock_wreg(&m, HOLE, 0xabc);         /* merged 0xbf, handler adds one */
    CHECK_EQ(mock_rreg(&m, HOLE), 0xc0);
    mock_wreg(&m, HOLE + 1, 5);
    CHECK_EQ(mock_rreg(&m, HOLE + 1), 0xfffffffa);
    CHECK_EQ(handler_calls, 2);
    mock_stop(&m);
}

static void register_unclaimed(void)
{
    struct vgpu_die_stats st;
    struct mock m;

    mock_default(&m);
    CHECK(!vgpu_reg_claimed(m.die, HOLE));
    CHECK_EQ(mock_rreg(&m, HOLE), 0);
    CHECK_EQ(mock_rreg(&m, HOLE), 0);
    mock_wreg(&m, HOLE, 1);
    CHECK_EQ(mock_rreg(&m, HOLE), 0);
    vgpu_die_stats(m.die, &st);
    CHECK_EQ(st.unclaimed_reads, 3);
    CHECK_EQ(st.unclaimed_writes, 1);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_UNCLAIMED_READS), 3);
    /* logged once in each direction */
    CHECK_EQ(atomic_load(&m.logs[VGPU_LOG_UNCLAIMED]), 2);
    mock_stop(&m);
}

static void register_widths(void)
{
    struct vgpu_die_stats st;
    struct mock m;

    mock_default(&m);
    CHECK_EQ(vgpu_mmio_read(m.die, VGPU_DBG_ID * 4, 4), VGPU_DBG_ID_MAGIC);
    CHECK_EQ(vgpu_mmio_read(m.die, VGPU_DBG_ID * 4, 8), UINT64_MAX);
    CHECK_EQ(vgpu_mmio_read(m.die, VGPU_DBG_ID * 4, 2), UINT64_MAX);
    CHECK_EQ(vgpu_mmio_read(m.die, VGPU_DBG_ID * 4 + 2, 4), UINT64_MAX);
    CHECK_EQ(vgpu_mmio_read(m.die, VGPU_MMIO_SIZE, 4), UINT64_MAX);
    vgpu_mmio_write(m.die, VGPU_DBG_TRACE_INDEX * 4, 7, 1);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_INDEX), 0);
    vgpu_die_stats(m.die, &st);
    CHECK_EQ(st.bad_accesses, 5);
    mock_stop(&m);
}

/* -------------------------------------------------------------- scheduler */

/* A queue of the test: runs @work units, then waits for @flag if @waits. */
struct fake {
    struct vgpu_queue *q;
    enum vgpu_reset reset;
    uint64_t work;
    uint64_t runs;
    uint64_t polls;
    bool waits;
    bool flag;
    uint64_t poll_every;
};

static struct fake fakes[VGPU_MAX_QUEUES];

static enum vgpu_run fake_run(struct vgpu_die *d, struct vgpu_queue *q)
{
    struct fake *f = &fakes[q->arg];

    f->runs++;
    f->polls += q->polled;
    if (f->reset) {
        vgpu_die_request_reset(d, f->reset);
        f->reset = VGPU_RESET_NONE;
        return VGPU_RUN_MORE;
    }
    while (f->work) {
        f->work--;
        if (vgpu_spend(d, 1)) {
            return VGPU_RUN_MORE;
        }
    }
    if (f->waits && !f->flag) {
        q->poll_every = f->poll_every;
        return VGPU_RUN_PARKED;
    }
    return VGPU_RUN_IDLE;
}

/* A die whose own queues are put out of the way. */
static void fake_start(struct mock *m, unsigned n)
{
    unsigned i;

    mock_default(m);
    mock_settle(m, 1000000000ull);
    memset(fakes, 0, sizeof(fakes));
    m->die->num_queues = 0;
    for (i = 0; i < n; i++) {
        fakes[i].q = vgpu_queue_add(m->die, "fake", fake_run, i);
        CHECK(fakes[i].q != NULL);
    }
}

static void fake_kick(struct mock *m, unsigned i)
{
    vgpu_lock(m->die);
    vgpu_queue_kick(m->die, fakes[i].q);
    vgpu_unlock(m->die);
}

static void sched_limits(void)
{
    struct mock m;

    fake_start(&m, VGPU_MAX_QUEUES);
    CHECK(!vgpu_queue_add(m.die, "one too many", fake_run, 0));
    mock_stop(&m);
}

static void sched_runs_all(void)
{
    struct mock m;
    unsigned i;

    fake_start(&m, 3);
    for (i = 0; i < 3; i++) {
        fakes[i].work = 10000;
        fake_kick(&m, i);
    }
    CHECK_EQ(mock_run(&m), VGPU_NO_DEADLINE);
    for (i = 0; i < 3; i++) {
        CHECK_EQ(fakes[i].work, 0);
        /* in slices, each queue in as many as the others */
        CHECK(fakes[i].runs > 1);
        CHECK_EQ(fakes[i].runs, fakes[0].runs);
    }
    fakes[0].runs = 0;
    CHECK_EQ(mock_run(&m), VGPU_NO_DEADLINE);
    CHECK_EQ(fakes[0].runs, 0);
    mock_stop(&m);
}

static void sched_kick_coalesced(void)
{
    struct mock m;

    fake_start(&m, 2);
    atomic_store(&m.kicks, 0);
    fake_kick(&m, 0);
    fake_kick(&m, 1);
    mock_doorbell(&m, 2, 1);
    CHECK_EQ(atomic_load(&m.kicks), 1);
    mock_run(&m);
    fake_kick(&m, 0);
    CHECK_EQ(atomic_load(&m.kicks), 2);
    mock_stop(&m);
}

/* Polls come after 20 us, doubling to 5 ms; nothing else runs the queue. */
static void sched_poll_backoff(void)
{
    uint64_t interval = VGPU_POLL_MIN_NS;
    struct mock m;
    unsigned i;

    fake_start(&m, 1);
    fakes[0].waits = true;
    fake_kick(&m, 0);
    for (i = 0; i < 12; i++) {
        CHECK_EQ(mock_run(&m), m.now + interval);
        CHECK_EQ(fakes[0].runs, i + 1);
        /* not a moment before */
        CHECK_EQ(mock_advance(&m, interval - 1), m.now + 1);
        CHECK_EQ(fakes[0].runs, i + 1);
        interval = interval * 2 < VGPU_POLL_MAX_NS ? interval * 2 :
                   VGPU_POLL_MAX_NS;
        mock_advance(&m, 1);
        CHECK_EQ(fakes[0].polls, i + 1);
    }
    CHECK_EQ(interval, VGPU_POLL_MAX_NS);
    fakes[0].flag = true;
    CHECK_EQ(mock_advance(&m, interval), VGPU_NO_DEADLINE);

    /* a new wait starts over */
    fakes[0].flag = false;
    fake_kick(&m, 0);
    CHECK_EQ(mock_run(&m), m.now + VGPU_POLL_MIN_NS);
    mock_stop(&m);
}

static void sched_poll_every(void)
{
    struct mock m;
    unsigned i;

    fake_start(&m, 1);
    fakes[0].waits = true;
    fakes[0].poll_every = 70000;
    fake_kick(&m, 0);
    mock_run(&m);
    for (i = 1; i < 5; i++) {
        CHECK_EQ(mock_advance(&m, 70000), m.now + 70000);
        CHECK_EQ(fakes[0].polls, i);
    }
    fakes[0].poll_every = 1;
    CHECK_EQ(mock_advance(&m, 70000), m.now + VGPU_POLL_MIN_NS);
    mock_stop(&m);
}

/* A register write, a doorbell or a memory write re-tests; no polls. */
static void sched_wake_by_write(void)
{
    struct mock m;
    uint64_t due;

    fake_start(&m, 2);
    fakes[0].waits = true;
    fake_kick(&m, 0);
    due = mock_run(&m);
    CHECK_EQ(fakes[0].runs, 1);

    atomic_store(&m.kicks, 0);
    mock_wreg(&m, VGPU_DBG_TRACE_INDEX, 1);
    CHECK_EQ(atomic_load(&m.kicks), 1);
    CHECK_EQ(mock_run(&m), due);
    CHECK_EQ(fakes[0].runs, 2);

    mock_doorbell(&m, 0, 1);
    CHECK_EQ(mock_run(&m), due);
    CHECK_EQ(fakes[0].runs, 3);

    vgpu_lock(m.die);
    vgpu_hdp_flush(m.die);
    vgpu_unlock(m.die);
    CHECK_EQ(mock_run(&m), due);
    CHECK_EQ(fakes[0].runs, 4);

    /* nothing written by another queue: not looked at */
    fakes[1].work = 5000;
    fake_kick(&m, 1);
    CHECK_EQ(mock_run(&m), due);
    CHECK_EQ(fakes[0].runs, 4);
    CHECK_EQ(fakes[0].polls, 0);
    mock_stop(&m);
}

/*
 * Ten parked queues: a second of waiting costs each some polls, and the busy
 * one does not notice them.
 */
static void sched_ten_parked(void)
{
    uint64_t end, next;
    struct mock m;
    unsigned i;

    fake_start(&m, 11);
    for (i = 0; i < 10; i++) {
        fakes[i].waits = true;
        fake_kick(&m, i);
    }
    end = m.now + 1000000000;
    for (next = mock_run(&m); next < end; next = mock_run(&m)) {
        CHECK(next > m.now);
        atomic_store(&m.now, next);
    }
    for (i = 0; i < 10; i++) {
        /* 8 doublings reach 5 ms, then 200 a second */
        CHECK(fakes[i].runs <= 9 + 200);
        fakes[i].runs = 0;
    }
    fakes[10].work = 100000;
    fake_kick(&m, 10);
    mock_run(&m);
    CHECK_EQ(fakes[10].work, 0);
    for (i = 0; i < 10; i++) {
        CHECK(fakes[i].runs <= 1);
    }
    mock_stop(&m);
}

static void sched_stop(void)
{
    struct mock m;

    fake_start(&m, 1);
    fakes[0].work = 1000;
    fake_kick(&m, 0);
    vgpu_die_stop(m.die);
    CHECK_EQ(mock_run(&m), VGPU_NO_DEADLINE);
    CHECK_EQ(fakes[0].work, 1000);
    atomic_store(&m.kicks, 0);
    vgpu_die_start(m.die);
    CHECK_EQ(atomic_load(&m.kicks), 1);
    mock_run(&m);
    CHECK_EQ(fakes[0].work, 0);
    mock_stop(&m);
}

/* An engine that always has work, a vCPU that reads a register: both move. */
struct engine {
    struct mock *m;
    atomic_bool over;
};

static enum vgpu_run endless_run(struct vgpu_die *d, struct vgpu_queue *q)
{
    do {
        fakes[q->arg].runs++;
    } while (!vgpu_spend(d, 1));
    return fakes[q->arg].flag ? VGPU_RUN_IDLE : VGPU_RUN_MORE;
}

static void *engine_thread(void *arg)
{
    struct engine *e = arg;

    vgpu_die_run(e->m->die);
    return NULL;
}

static void sched_hand_off(void)
{
    struct engine e;
    struct mock m;
    pthread_t thread;
    unsigned i;

    fake_start(&m, 1);
    m.die->queue[0].run = endless_run;
    fake_kick(&m, 0);
    e.m = &m;
    pthread_create(&thread, NULL, engine_thread, &e);
    for (i = 0; i < 2000; i++) {
        CHECK_EQ(mock_rreg(&m, VGPU_DBG_ID), VGPU_DBG_ID_MAGIC);
    }
    vgpu_lock(m.die);
    fakes[0].flag = true;
    vgpu_unlock(m.die);
    pthread_join(thread, NULL);
    CHECK(fakes[0].runs > 0);
    mock_stop(&m);
}

/* A busy engine has stopped when vgpu_die_stop() is back. */
static void sched_stop_waits(void)
{
    struct engine e;
    struct mock m;
    pthread_t thread;
    uint64_t runs;

    fake_start(&m, 1);
    m.die->queue[0].run = endless_run;
    fake_kick(&m, 0);
    e.m = &m;
    pthread_create(&thread, NULL, engine_thread, &e);
    vgpu_die_stop(m.die);
    runs = fakes[0].runs;
    pthread_join(thread, NULL);
    CHECK_EQ(fakes[0].runs, runs);
    mock_stop(&m);
}

/* -------------------------------------------------------------- doorbells */

static void doorbell_widths(void)
{
    struct vgpu_die_stats st;
    struct mock m;

    mock_default(&m);
    vgpu_doorbell_write(m.die, 0, 1, 2);
    vgpu_doorbell_write(m.die, 4, 1, 8);
    vgpu_doorbell_write(m.die, 2, 1, 4);
    vgpu_doorbell_write(m.die, VGPU_DOORBELL_SIZE, 1, 4);
    vgpu_doorbell_write(m.die, 0, 1, 16);
    CHECK(!vgpu_doorbells_pending(m.die));
    mock_run(&m);
    vgpu_die_stats(m.die, &st);
    CHECK_EQ(st.bad_accesses, 5);
    CHECK_EQ(st.doorbells, 0);

    /* no range is open after reset: every one is lost, none twice */
    mock_doorbell(&m, 0, 1);
    mock_doorbell(&m, 0, 2);
    mock_doorbell32(&m, 3, 2);
    mock_doorbell32(&m, VGPU_DOORBELL_SIZE / 4 - 1, 2);
    mock_run(&m);
    vgpu_die_stats(m.die, &st);
    CHECK_EQ(st.doorbells, 4);
    CHECK_EQ(st.lost_doorbells, 3);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_LOST_DOORBELLS), 3);

    /* reset drops what is posted */
    mock_doorbell(&m, 0, 1);
    mock_doorbell(&m, 4096, 1);
    vgpu_die_reset(m.die);
    CHECK(!vgpu_doorbells_pending(m.die));
    mock_run(&m);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_LOST_DOORBELLS), 3);
    mock_stop(&m);
}

static void doorbell_every_one(void)
{
    struct vgpu_die_stats st;
    struct mock m;
    uint32_t i;

    mock_default(&m);
    for (i = 0; i < VGPU_DOORBELL_SIZE / 4; i++) {
        mock_doorbell32(&m, i, i);
    }
    mock_run(&m);
    CHECK(!vgpu_doorbells_pending(m.die));
    vgpu_die_stats(m.die, &st);
    CHECK_EQ(st.doorbells, VGPU_DOORBELL_SIZE / 4);
    CHECK_EQ(st.lost_doorbells, VGPU_DOORBELL_SIZE / 4);
    mock_stop(&m);
}

/*
 * Four threads ring while the engine runs: each doorbell ends with its newest
 * value, and none is delivered more often than it rang.
 */
#define RINGERS     4
#define RINGS       20000
#define IH_INDEX    0x200

struct ringer {
    struct mock *m;
    unsigned id;
};

static void *ringer_thread(void *arg)
{
    struct ringer *r = arg;
    unsigned i;

    for (i = 1; i <= RINGS; i++) {
        if (r->id == 0) {
            mock_doorbell32(r->m, IH_INDEX, i * 32);
        } else {
            mock_doorbell(r->m, r->id * 0x1000 + 2 * (i % 512), i);
        }
    }
    return NULL;
}

struct runner {
    struct mock *m;
    atomic_bool over;
};

static void *runner_thread(void *arg)
{
    struct runner *r = arg;

    while (!atomic_load(&r->over)) {
        vgpu_die_run(r->m->die);
    }
    vgpu_die_run(r->m->die);
    return NULL;
}

static void doorbell_threads(void)
{
    struct ringer ringer[RINGERS];
    pthread_t ringers[RINGERS], thread;
    struct vgpu_die_stats st;
    struct runner runner;
    struct mock m;
    unsigned i;

    mock_default(&m);
    mock_wreg(&m, VGPU_REG_ABS(NBIO, regRCC_DOORBELL_APER_EN), 1);
    mock_wreg(&m, VGPU_REG_ABS(NBIO, regBIF_IH_DOORBELL_RANGE),
              IH_INDEX << BIF_IH_DOORBELL_RANGE__OFFSET__SHIFT |
              2 << BIF_IH_DOORBELL_RANGE__SIZE__SHIFT);
    mock_wreg(&m, VGPU_REG_ABS(OSSSYS, regIH_DOORBELL_RPTR),
              IH_INDEX << IH_DOORBELL_RPTR__OFFSET__SHIFT |
              IH_DOORBELL_RPTR__ENABLE_MASK);

    runner.m = &m;
    atomic_init(&runner.over, false);
    pthread_create(&thread, NULL, runner_thread, &runner);
    for (i = 0; i < RINGERS; i++) {
        ringer[i] = (struct ringer) { &m, i };
        pthread_create(&ringers[i], NULL, ringer_thread, &ringer[i]);
    }
    for (i = 0; i < RINGERS; i++) {
        pthread_join(ringers[i], NULL);
    }
    atomic_store(&runner.over, true);
    pthread_join(thread, NULL);

    CHECK(!vgpu_doorbells_pending(m.die));
    CHECK_EQ(vgpu_reg_get(m.die, VGPU_REG_ABS(OSSSYS, regIH_RB_RPTR)),
             (RINGS * 32) & IH_RB_RPTR__OFFSET_MASK);
    vgpu_die_stats(m.die, &st);
    CHECK_EQ(st.doorbells, RINGERS * RINGS);
    CHECK(st.lost_doorbells >= (RINGERS - 1) * 512);
    CHECK(st.lost_doorbells <= (RINGERS - 1) * RINGS);
    mock_stop(&m);
}

/* Rings that the engine must not miss: each one is waited for. */
static void doorbell_none_missed(void)
{
    struct runner runner;
    pthread_t thread;
    struct mock m;
    unsigned i;

    mock_default(&m);
    runner.m = &m;
    atomic_init(&runner.over, false);
    pthread_create(&thread, NULL, runner_thread, &runner);
    for (i = 1; i <= 2000; i++) {
        mock_doorbell(&m, 2 * (i % 4096), i);
        while (vgpu_doorbells_pending(m.die)) {
            sched_yield();
        }
    }
    atomic_store(&runner.over, true);
    pthread_join(thread, NULL);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_LOST_DOORBELLS), 2000);
    mock_stop(&m);
}

/* ------------------------------------------------------------------ trace */

static void trace_ring(void)
{
    struct mock m;
    unsigned i;

    mock_default(&m);
    vgpu_lock(m.die);
    vgpu_trace_step(m.die, VGPU_STEP_FENCE, 0, 1);
    vgpu_unlock(m.die);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_COUNT), 0);

    mock_wreg(&m, VGPU_DBG_TRACE_CNTL, VGPU_DBG_TRACE_CNTL__ENABLE_MASK);
    for (i = 0; i < VGPU_TRACE_ENTRIES + 3; i++) {
        atomic_fetch_add(&m.now, 10);
        vgpu_lock(m.die);
        vgpu_trace_step(m.die, VGPU_STEP_IB_START, 2, i);
        vgpu_unlock(m.die);
    }
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_COUNT), VGPU_TRACE_ENTRIES + 3);
    mock_wreg(&m, VGPU_DBG_TRACE_INDEX, VGPU_TRACE_ENTRIES + 1);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_STEP), VGPU_STEP_IB_START | 2 << 8);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_DATA), VGPU_TRACE_ENTRIES + 1);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_TIME_LO), VGPU_TRACE_ENTRIES + 2);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_TIME_HI), 0);
    mock_wreg(&m, VGPU_DBG_TRACE_INDEX, 3);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_DATA), 3);

    mock_wreg(&m, VGPU_DBG_TRACE_CNTL, VGPU_DBG_TRACE_CNTL__CLEAR_MASK);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_COUNT), 0);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_TRACE_CNTL), 0);
    mock_stop(&m);
}

/* ------------------------------------------------------------------ state */

static void state_round_trip(void)
{
    struct mock a, b;
    size_t len;
    void *buf;

    mock_default(&a);
    mock_default(&b);
    len = vgpu_die_state_size(a.die);
    buf = malloc(len);
    mock_wreg(&a, VGPU_DBG_TRACE_INDEX, 0x1234);
    mock_wreg(&a, VGPU_DBG_TRACE_CNTL, VGPU_DBG_TRACE_CNTL__ENABLE_MASK);
    mock_doorbell(&a, 8, 1);
    vgpu_die_state_save(a.die, buf);
    CHECK(!vgpu_doorbells_pending(a.die));
    CHECK(vgpu_die_state_load(b.die, buf, len));
    CHECK_EQ(mock_rreg(&b, VGPU_DBG_TRACE_INDEX), 0x1234);
    CHECK(b.die->trace_on);
    CHECK(!memcmp(&a.die->s, &b.die->s, sizeof(a.die->s)));
    mock_run(&b);
    free(buf);
    mock_stop(&a);
    mock_stop(&b);
}

static void state_refused(void)
{
    struct mock a, b;
    uint8_t *buf;
    size_t len;

    mock_default(&a);
    len = vgpu_die_state_size(a.die);
    buf = malloc(len + 1);
    vgpu_die_state_save(a.die, buf);
    mock_wreg(&a, VGPU_DBG_TRACE_INDEX, 0x77);

    CHECK(!vgpu_die_state_load(a.die, buf, len - 1));
    CHECK(!vgpu_die_state_load(a.die, buf, len + 1));
    CHECK(!vgpu_die_state_load(a.die, buf, 0));
    buf[0] ^= 1;
    CHECK(!vgpu_die_state_load(a.die, buf, len));
    buf[0] ^= 1;
    buf[4] ^= 3; /* version */
    CHECK(!vgpu_die_state_load(a.die, buf, len));
    buf[4] ^= 3;
    CHECK_EQ(mock_rreg(&a, VGPU_DBG_TRACE_INDEX), 0x77);

    /* a die that is built otherwise */
    mock_init(&b);
    b.cfg.num_sdma = 2;
    mock_start(&b);
    CHECK(!vgpu_die_state_load(b.die, buf, len));
    mock_stop(&b);

    CHECK(vgpu_die_state_load(a.die, buf, len));
    CHECK_EQ(mock_rreg(&a, VGPU_DBG_TRACE_INDEX), 0);

    /* a value where there is no register */
    vgpu_reg_set(a.die, HOLE, 1);
    vgpu_die_state_save(a.die, buf);
    vgpu_reg_set(a.die, HOLE, 0);
    CHECK(!vgpu_die_state_load(a.die, buf, len));
    free(buf);
    mock_stop(&a);
}

/* ---------------------------------------------------------------- reset */

#define GC(n)       VGPU_REG_ABS(GC, reg##n)
#define MMHUB(n)    VGPU_REG_ABS(MMHUB, regMMHUB_##n)
#define SDMA(n, r)  VGPU_SDMA_REG_ABS(n, reg##r)

/* Registers of every block, and whether a mode 2 reset concerns them. */
static const struct {
    uint32_t reg;
    bool mode2;
} marks[] = {
    { GC(CP_RB0_BASE), true },
    { GC(CP_RB_VMID), true },
    { GC(SCRATCH_REG3), true },
    { GC(RLC_PG_CNTL), true },
    { GC(VM_CONTEXT1_PAGE_TABLE_BASE_ADDR_LO32), true },
    { SDMA(0, SDMA0_GFX_RB_BASE), true },
    { SDMA(1, SDMA0_GFX_RB_BASE), true },
    { SDMA(4, SDMA0_GFX_RB_BASE), true },
    { MMHUB(VM_CONTEXT1_PAGE_TABLE_BASE_ADDR_LO32), false },
    { VGPU_REG_ABS(OSSSYS, regIH_RB_BASE), false },
    { VGPU_REG_ABS(NBIO, regBIF_IH_DOORBELL_RANGE), false },
    { VGPU_REG_ABS(NBIO, regBIF_SDMA0_DOORBELL_RANGE), false },
    { VGPU_REG_ABS(HDP, regHDP_MISC_CNTL), false },
    { VGPU_REG_ABS(MP0, regMP0_SMN_C2PMSG_69), false },
    { VGPU_DBG_TRACE_INDEX, false },
};

#define NUM_MARKS   (sizeof(marks) / sizeof(marks[0]))
#define MARK        0x4u    /* fits each of them */
/* Queues that are no engine's */
#define OTHER       (VGPU_MAX_QUEUES - 1)
#define ASKING      (VGPU_MAX_QUEUES - 2)

static void reset_by(struct mock *m, enum vgpu_reset kind)
{
    uint32_t before[NUM_MARKS];
    unsigned i;

    fake_start(m, VGPU_MAX_QUEUES);
    for (i = 0; i < NUM_MARKS; i++) {
        before[i] = mock_rreg(m, marks[i].reg);
        CHECK(before[i] != MARK);
        mock_wreg(m, marks[i].reg, MARK);
        CHECK_EQ(mock_rreg(m, marks[i].reg), MARK);
    }
    mock_set_vram32(m, 0x1000, MARK);
    /* one queue asks in the middle of another's work; the work is done */
    fakes[ASKING].reset = kind;
    fakes[OTHER].work = 100000;
    fake_kick(m, OTHER);
    fake_kick(m, ASKING);
    mock_run(m);
    for (i = 0; i < NUM_MARKS; i++) {
        CHECK_EQ(mock_rreg(m, marks[i].reg),
                 kind == VGPU_RESET_MODE1 || marks[i].mode2 ?
                 before[i] : MARK);
    }
    CHECK_EQ(mock_vram32(m, 0x1000), MARK);
}

static void reset_mode2(void)
{
    struct mock m;

    reset_by(&m, VGPU_RESET_MODE2);
    /* the queues that are no engine's go on */
    CHECK_EQ(fakes[ASKING].runs, 2);
    CHECK_EQ(fakes[OTHER].work, 0);
    /* firmware sets up where memory is, in the GC hub too */
    CHECK(mock_rreg(&m, GC(MC_VM_FB_LOCATION_TOP)) != 0);
    CHECK_EQ(mock_rreg(&m, GC(MC_VM_FB_LOCATION_BASE)),
             mock_rreg(&m, MMHUB(MC_VM_FB_LOCATION_BASE)));
    mock_stop(&m);
}

static void reset_mode1(void)
{
    struct mock m;

    reset_by(&m, VGPU_RESET_MODE1);
    /* all queues are idle, whatever they were in */
    CHECK_EQ(fakes[ASKING].runs, 1);
    CHECK(fakes[OTHER].work != 0);
    mock_stop(&m);
}

/* The larger one wins, and it is made once. */
static void reset_twice(void)
{
    struct mock m;

    fake_start(&m, 1);
    mock_wreg(&m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE), MARK);
    vgpu_lock(m.die);
    vgpu_die_request_reset(m.die, VGPU_RESET_MODE1);
    vgpu_die_request_reset(m.die, VGPU_RESET_MODE2);
    vgpu_die_reset_requested(m.die);
    vgpu_unlock(m.die);
    CHECK_EQ(mock_rreg(&m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE)), 0);
    mock_wreg(&m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE), MARK);
    vgpu_lock(m.die);
    vgpu_die_reset_requested(m.die);
    vgpu_unlock(m.die);
    CHECK_EQ(mock_rreg(&m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE)), MARK);

    /* a bus reset makes one that was asked for unnecessary */
    vgpu_lock(m.die);
    vgpu_die_request_reset(m.die, VGPU_RESET_MODE1);
    vgpu_unlock(m.die);
    vgpu_die_reset(m.die);
    mock_wreg(&m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE), MARK);
    fake_kick(&m, 0);
    mock_run(&m);
    CHECK_EQ(mock_rreg(&m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE)), MARK);
    mock_stop(&m);
}

static const struct test tests[] = {
    TEST(config_limits),
    TEST(register_claims),
    TEST(register_handlers),
    TEST(register_unclaimed),
    TEST(register_widths),
    TEST(sched_limits),
    TEST(sched_runs_all),
    TEST(sched_kick_coalesced),
    TEST(sched_poll_backoff),
    TEST(sched_poll_every),
    TEST(sched_wake_by_write),
    TEST(sched_ten_parked),
    TEST(sched_stop),
    TEST(sched_stop_waits),
    TEST(sched_hand_off),
    TEST(doorbell_widths),
    TEST(doorbell_every_one),
    TEST(doorbell_threads),
    TEST(doorbell_none_missed),
    TEST(trace_ring),
    TEST(state_round_trip),
    TEST(state_refused),
    TEST(reset_mode2),
    TEST(reset_mode1),
    TEST(reset_twice),
};
TEST_MAIN(tests)
