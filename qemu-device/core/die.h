/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One die from the inside: the state every hardware block hangs off, the
 * register space, the queue scheduler and what the blocks offer each other.
 * Documentation/architecture.rst, "Inside the device".
 *
 * Locking: everything in struct vgpu_die is guarded by its lock unless its
 * comment says otherwise. The engine thread holds the lock while it runs a
 * slice (a bounded piece of one queue), MMIO callers take it for one access.
 * Whoever waits for it is counted in lock_waiters, and a slice ends early when
 * somebody waits; the lock is first come, first served, so that neither side
 * starves. Doorbells never take it: they are posted (doorbell.c).
 */
#ifndef VGPU_DIE_H
#define VGPU_DIE_H

#include <pthread.h>
#include <stdatomic.h>

#include "vgpu-core.h"
#include "hw/reg/base.h"

struct vgpu_die_state;
struct vgpu_doorbells;
struct vgpu_tracer;

#define VGPU_NUM_REGS       (VGPU_MMIO_SIZE / 4)
#define VGPU_MAX_REG_DESCS  8192
#define VGPU_MAX_SDMA       5
#define VGPU_NUM_VMIDS      16
#define VGPU_MAX_QUEUES     128
#define VGPU_QUEUE_WORDS    (VGPU_MAX_QUEUES / 64)
#define VGPU_MAX_CU         128     /* 8 shader engines of 16 */

/* ------------------------------------------------------------ registers */

typedef uint32_t vgpu_reg_read_fn(struct vgpu_die *d, uint32_t reg);
typedef void vgpu_reg_write_fn(struct vgpu_die *d, uint32_t reg, uint32_t val);

/**
 * struct vgpu_reg_desc - a register, or an array of equal ones
 * @reg: absolute dword offset of the first
 * @count: how many (0 counts as 1), @stride: dwords from one to the next
 * @reset: reset value
 * @wmask: bits that a write changes; the rest keep their value
 * @read: NULL reads the stored value
 * @write: NULL stores; otherwise it is given the merged value and stores it
 *         itself (vgpu_reg_set()) if it wants to
 * @name: the hardware's name
 *
 * Values live in state.reg[], one dword an offset, so that a table is all a
 * plain register needs. Two blocks claiming one offset is a build error of
 * ours and fails vgpu_die_new().
 */
struct vgpu_reg_desc {
    uint32_t reg;
    uint16_t count;
    uint16_t stride;
    uint32_t reset;
    uint32_t wmask;
    vgpu_reg_read_fn *read;
    vgpu_reg_write_fn *write;
    const char *name;
};

/**
 * Claim the registers of a table, which is copied (names are not); false:
 * clash, out of range or too many. Call it from a block's @init only.
 */
bool vgpu_regs_claim(struct vgpu_die *d, const struct vgpu_reg_desc *table,
                     size_t n);
/** Likewise, but what somebody has claimed before stays his. */
bool vgpu_regs_claim_rest(struct vgpu_die *d,
                          const struct vgpu_reg_desc *table, size_t n);
/** Count and trace an access that comes to nothing. */
void vgpu_reg_unclaimed(struct vgpu_die *d, uint32_t reg, bool write,
                        uint32_t val);
/** All registers to their reset values, without calling any handler. */
void vgpu_regs_reset(struct vgpu_die *d);
/** Likewise, but only those in the apertures of GC and SDMA (mode 2). */
void vgpu_regs_reset_engines(struct vgpu_die *d);
/**
 * Access with all side effects, as the CP's or SDMA's register bus does it.
 * An unclaimed register is counted and traced; reads of one give 0.
 */
uint32_t vgpu_reg_read(struct vgpu_die *d, uint32_t reg);
void vgpu_reg_write(struct vgpu_die *d, uint32_t reg, uint32_t val);
/** True when some block claims @reg. */
bool vgpu_reg_claimed(const struct vgpu_die *d, uint32_t reg);
/** Name of a register or, unclaimed, of the aperture it lies in. */
const char *vgpu_reg_name(const struct vgpu_die *d, uint32_t reg);

/* --------------------------------------------------------------- queues */

enum vgpu_run {
    VGPU_RUN_IDLE,   /* nothing to do until kicked */
    VGPU_RUN_MORE,   /* the slice is over, there is more */
    VGPU_RUN_PARKED, /* a wait packet does not hold yet; see @poll_at */
    VGPU_RUN_HALTED, /* stopped by an error or by its halt bit */
};

/**
 * struct vgpu_queue - something that the engine thread runs in slices
 * @name: for traces
 * @run: run until idle, parked, halted or vgpu_slice_over(); a parked queue is
 *       run again when something it may wait for could have changed, and then
 *       must first test its condition again
 * @poisoned: what it was about to read is poison: halt with the interrupt of
 *            the engine. NULL where there is none; set it after the queue was
 *            added
 * @arg: instance (SDMA engine number, hardware queue)
 * @weight: log2 of how much longer its slices are than others'
 * @state: what the last run returned; managed by sched.c
 * @polled: this run is a poll that came due, not a wake by some write; a
 *          packet that counts its retries counts only these
 * @poll_at: host ns of the next poll while parked; managed by sched.c. The
 *           interval doubles from VGPU_POLL_MIN_NS to VGPU_POLL_MAX_NS.
 * @poll_every: a queue whose packet names its own interval sets it (ns)
 *              before it returns PARKED: the interval is then constant, within
 *              the same limits. Leave it 0 for a wait without a retry count.
 *              sched.c clears it before each run.
 * @backoff: current poll interval; managed by sched.c
 * @stall_until: host ns before which it does not run, since what it has asked
 *               a peer for takes that long; managed by sched.c, 0: at once
 *
 * A run that only finds its condition still false must write nothing (it
 * would wake the other parked queues) and must not vgpu_spend(): what was
 * spent is how sched.c tells a new wait from the old one.
 */
struct vgpu_queue {
    const char *name;
    enum vgpu_run (*run)(struct vgpu_die *d, struct vgpu_queue *q);
    void (*poisoned)(struct vgpu_die *d, struct vgpu_queue *q);
    unsigned arg;
    unsigned weight;
    enum vgpu_run state;
    bool polled;
    uint64_t poll_at;
    uint64_t poll_every;
    uint64_t backoff;
    uint64_t stall_until;
};

#define VGPU_POLL_MIN_NS    20000ull
#define VGPU_POLL_MAX_NS    5000000ull

struct vgpu_queue *vgpu_queue_add(struct vgpu_die *d, const char *name,
                                  enum vgpu_run (*run)(struct vgpu_die *,
                                                       struct vgpu_queue *),
                                  unsigned arg);
/** Mark runnable (its pointers, enables or conditions changed); kicks. */
void vgpu_queue_kick(struct vgpu_die *d, struct vgpu_queue *q);
/**
 * vgpu_spend() - charge the running slice
 * @cost: about 1 a packet, 1 a 256 bytes copied
 * Return: true when the slice is over: finish the packet and return
 * VGPU_RUN_MORE. Long copies split themselves and resume.
 */
bool vgpu_spend(struct vgpu_die *d, unsigned cost);
/**
 * vgpu_stall() - what the running queue has just begun takes until @until
 * @until: host ns; vgpu_stall_from() says when it began
 *
 * The slice ends after the packet, and the queue goes on then; others run.
 * Outside of a slice (a register write by the CPU) nobody waits for it.
 */
void vgpu_stall(struct vgpu_die *d, uint64_t until);
uint64_t vgpu_stall_from(struct vgpu_die *d);
/** Something a wait packet may look at changed: re-test the parked queues. */
void vgpu_wake_parked(struct vgpu_die *d);
/** Have the engine thread call vgpu_die_run(); any thread, lock-free. */
void vgpu_kick(struct vgpu_die *d);
/** A queue to its idle state, for the reset of its engine. */
void vgpu_queue_reset(struct vgpu_die *d, struct vgpu_queue *q);
/** Every queue to its idle state (reset), or all runnable (state loaded). */
void vgpu_sched_reset(struct vgpu_die *d);
void vgpu_sched_loaded(struct vgpu_die *d);

/**
 * enum vgpu_reset - resets that firmware makes for a driver
 * @VGPU_RESET_MODE2: GC, with its VM hub, and SDMA; all else goes on
 * @VGPU_RESET_MODE1: the whole die, as vgpu_die_reset() does
 *
 * Memory keeps its content in both.
 */
enum vgpu_reset {
    VGPU_RESET_NONE,
    VGPU_RESET_MODE2,
    VGPU_RESET_MODE1,
};

/**
 * Reset the die as soon as the slice that asks for it is over: called from a
 * queue's run(), which then returns without touching the die any more.
 */
void vgpu_die_request_reset(struct vgpu_die *d, enum vgpu_reset kind);
/** For sched.c: carry out what was requested; no queue is running. */
void vgpu_die_reset_requested(struct vgpu_die *d);

/* --------------------------------------------------------------- memory */

enum vgpu_hub { VGPU_HUB_GC, VGPU_HUB_MM, VGPU_NUM_HUBS };

enum vgpu_access {
    VGPU_READ = 1,
    VGPU_WRITE = 2,
    VGPU_EXEC = 4, /* instruction fetch by a shader; not a packet fetch */
};

/**
 * struct vgpu_req - who asks the memory controller
 * @hub: CP and shaders use the GC hub, SDMA and HDP the MM hub
 * @vmid: 0 to 15; VMID 0 goes through the system aperture (FB, AGP, GART)
 * @cid: UTCL2 client id that a fault reports (gmc.h names those we have)
 */
struct vgpu_req {
    uint8_t hub;
    uint8_t vmid;
    uint16_t cid;
};

/**
 * vgpu_gmc_map() - translate and give a host pointer to a contiguous run
 * @va: GPU virtual address (for VMID 0 an MC address)
 * @len: in: bytes wanted (> 0); out: bytes there are at the pointer (> 0)
 * @access: VGPU_READ, VGPU_WRITE or both
 *
 * Return: pointer, or NULL after the fault has been reported as the hardware
 * reports it (status and address registers of the hub, IH entry). The pointer
 * holds until the caller's slice ends or translations are invalidated.
 */
void *vgpu_gmc_map(struct vgpu_die *d, const struct vgpu_req *req, uint64_t va,
                   uint64_t *len, unsigned access);
/**
 * Tell that @len bytes at a pointer from vgpu_gmc_map() were written or read:
 * what moves over the fabric is counted, and takes its time.
 */
void vgpu_gmc_written(struct vgpu_die *d, void *ptr, uint64_t len);
static inline void vgpu_gmc_was_read(struct vgpu_die *d, const void *ptr,
                                     uint64_t len);
/**
 * What a read brings after the fault that has just made vgpu_gmc_map() fail,
 * by the byte: 0 for a page that is not mapped, VGPU_POISON where the address
 * leads nowhere.
 */
uint8_t vgpu_gmc_fault_fill(const struct vgpu_die *d);
/**
 * Copy in or out across runs; false after a fault (what came before it is
 * done; a read fills the rest as vgpu_gmc_fault_fill() says).
 */
bool vgpu_gmc_read(struct vgpu_die *d, const struct vgpu_req *req, uint64_t va,
                   void *buf, uint64_t len);
bool vgpu_gmc_write(struct vgpu_die *d, const struct vgpu_req *req, uint64_t va,
                    const void *buf, uint64_t len);

/**
 * struct vgpu_window - the run that a packet stream was last fetched from
 *
 * Zero-initialise; invalid once its generation is old. Transient, not state.
 */
struct vgpu_window {
    const uint8_t *ptr;
    uint64_t va;
    uint64_t len;
    uint64_t gen;
    uint8_t hub;
    uint8_t vmid;
};

/** Copy @ndw dwords at @va (4-byte aligned) through a window; false: fault. */
static inline bool vgpu_gmc_fetch(struct vgpu_die *d,
                                  const struct vgpu_req *req,
                                  struct vgpu_window *w, uint64_t va,
                                  uint32_t *dst, unsigned ndw);

/**
 * vgpu_gmc_atomic() - one atomic read-modify-write
 * @op: TC_OP_* code (the hardware's enumeration, 32- and 64-bit, RTN or not)
 * @src: operand, @cmp: compare value; @old: receives the value before (may be
 *       NULL), or after a fault what vgpu_gmc_fault_fill() says
 * Return: 0, -1 after a fault, -2 for an opcode that does not exist or a
 * misaligned address (the caller reports it).
 */
int vgpu_gmc_atomic(struct vgpu_die *d, const struct vgpu_req *req, uint64_t va,
                    unsigned op, uint64_t src, uint64_t cmp, uint64_t *old);

/* ----------------------------------------------------------- interrupts */

/**
 * struct vgpu_iv - an interrupt as a block hands it to the IH
 * Fields as in the 32-byte entry of the ring (hw/ih.h); the IH adds the
 * timestamp and looks up the PASID of the VMID.
 */
struct vgpu_iv {
    uint8_t client_id;
    uint8_t source_id;
    uint8_t ring_id;
    uint8_t vmid;
    bool vmid_mm;       /* vmid_type: 1 for the MM hub */
    uint32_t src_data[4];
};
void vgpu_ih_post(struct vgpu_die *d, const struct vgpu_iv *iv);
/** A doorbell in the IH's range; false when it is not the IH's. */
bool vgpu_ih_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val);

/* ------------------------------------------------------ engines, blocks */

/**
 * Doorbells routed by NBIO's ranges; @index counts dwords in the doorbell BAR.
 * Return: false when no enabled queue has that doorbell.
 */
bool vgpu_cp_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val);
bool vgpu_sdma_doorbell(struct vgpu_die *d, unsigned engine, uint32_t index,
                        uint64_t val);
/** mec.c; vgpu_cp_doorbell() asks it for what the graphics ring has not. */
bool vgpu_mec_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val);

/**
 * struct vgpu_sdma_user - a user queue as a run list gives it (sdma_mqd.c)
 * @mqd: address of its descriptor, VMID 0
 * @wptr: where its write pointer is, in its own address space
 * @doorbell: dword index
 * @pasid, @vmid: its process, and the address space of that
 * @flags: VGPU_HQD_DYNAMIC or VGPU_HQD_STATIC
 */
struct vgpu_sdma_user {
    uint64_t mqd;
    uint64_t wptr;
    uint32_t doorbell;
    uint32_t pasid;
    uint32_t vmid;
    uint32_t flags;
};

/** An engine has a ring for one more user queue. */
bool vgpu_sdma_has_room(const struct vgpu_die *d, unsigned engine);
/** Map one; a descriptor that is not there maps nothing. */
void vgpu_sdma_map(struct vgpu_die *d, unsigned engine,
                   const struct vgpu_sdma_user *u);
/**
 * Unmap those with any of @flags, of process @pasid (0: of all), and store
 * their descriptors. @reset: what they do is abandoned.
 */
void vgpu_sdma_unmap(struct vgpu_die *d, uint32_t flags, uint32_t pasid,
                     bool reset);
/** Some queue of a process is mapped; with that doorbell, if it is not ~0. */
bool vgpu_sdma_mapped(const struct vgpu_die *d, uint32_t pasid,
                      uint32_t doorbell);
/** NBIO: hand a doorbell to the block whose range holds it; false: lost. */
bool vgpu_nbio_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val);

/**
 * NBIO: an error that the die cannot go on with (err_event_athub). It raises
 * MSI-X vector 0 without an entry in the ring of the IH.
 */
void vgpu_nbio_ras_event(struct vgpu_die *d);

/** Deliver posted doorbells (a bounded number); lock held. */
void vgpu_doorbells_drain(struct vgpu_die *d);
/** True when some doorbell is posted; any thread, lock-free. */
bool vgpu_doorbells_pending(struct vgpu_die *d);

/**
 * GRBM_SOFT_RESET, cp.c: @val is what was written; SOFT_RESET_CP, _GFX, _CPF,
 * _CPC and _CPG stop the queues concerned and return them to reset state.
 */
void vgpu_cp_soft_reset(struct vgpu_die *d, uint32_t val);
/** mec.c: both MECs to reset state; end the IBs of these VMIDs. */
void vgpu_mec_soft_reset(struct vgpu_die *d);
void vgpu_mec_kill_vmids(struct vgpu_die *d, uint32_t vmids);
/** cp.c, for GRBM_STATUS: some CP queue has work that it has not finished. */
bool vgpu_cp_busy(struct vgpu_die *d);

/** GPU clock, 100 MHz on MI250X, as RLC_GPU_CLOCK_COUNT counts it. */
uint64_t vgpu_gpu_clock(struct vgpu_die *d);
/** HDP flush or invalidate: write-combining is not modelled; wakes waiters. */
void vgpu_hdp_flush(struct vgpu_die *d);

void vgpu_log(struct vgpu_die *d, enum vgpu_log_level level, const char *fmt,
              ...) __attribute__((format(printf, 3, 4)));

/**
 * vgpu_trace_step() - note a step of a submission's path with the GPU clock
 *
 * Steps go to a ring of VGPU_TRACE_ENTRIES read through the emulator's own
 * registers (hw/reg/vgpu.h), which no hardware has. One predictable branch
 * when tracing is off.
 */
#define vgpu_trace_step(d, step, queue, data) do { \
    if (__builtin_expect((d)->trace_on, 0)) { \
        vgpu_trace_record((d), (step), (queue), (data)); \
    } \
} while (0)
void vgpu_trace_record(struct vgpu_die *d, unsigned step, unsigned queue,
                       uint32_t data);

/**
 * struct vgpu_block - a hardware block in the die's table (die.c)
 * @init: once; claims registers, adds queues. false: failure
 * @reset: to reset state; before it all state was zeroed, registers got their
 *         reset values and queues became idle
 * @reset_mode2: the part of the block that a mode 2 reset concerns, state and
 *               queues; before it vgpu_regs_reset_engines() was called
 * @valid: a loaded state is safe to use (every index, length, enum in bounds)
 * @loaded: state was replaced: drop caches (all queues are run anyway)
 * @remapped: pointers from the host's map() and to peers are stale
 * @fini: free what @init allocated; also called after a failed @init
 *
 * Each may be NULL. A state struct goes through migration as it is: no bool
 * and no enum in it (a hostile stream may hold any bytes), but uint8_t and
 * uint32_t, checked by @valid.
 */
struct vgpu_block {
    const char *name;
    bool (*init)(struct vgpu_die *d);
    void (*reset)(struct vgpu_die *d);
    void (*reset_mode2)(struct vgpu_die *d);
    bool (*valid)(const struct vgpu_die *d, const struct vgpu_die_state *s);
    void (*loaded)(struct vgpu_die *d);
    void (*remapped)(struct vgpu_die *d);
    void (*fini)(struct vgpu_die *d);
};

extern const struct vgpu_block vgpu_doorbell_block; /* doorbell.c */
extern const struct vgpu_block vgpu_trace_block;    /* trace.c */
extern const struct vgpu_block vgpu_nbio_block;     /* nbio.c: and HDP */
extern const struct vgpu_block vgpu_discovery_block; /* discovery.c */
extern const struct vgpu_block vgpu_gc_block;       /* gc.c: GRBM, RLC, ... */
extern const struct vgpu_block vgpu_gmc_block;      /* gmc.c */
extern const struct vgpu_block vgpu_ih_block;       /* ih.c */
extern const struct vgpu_block vgpu_psp_block;      /* psp.c */
extern const struct vgpu_block vgpu_smu_block;      /* smu.c */
extern const struct vgpu_block vgpu_ras_block;      /* ras.c */
extern const struct vgpu_block vgpu_edc_block;      /* edc.c */
extern const struct vgpu_block vgpu_xgmi_block;     /* xgmi.c */
extern const struct vgpu_block vgpu_smuio_block;    /* smuio.c */
extern const struct vgpu_block vgpu_cp_block;       /* cp.c */
extern const struct vgpu_block vgpu_mec_block;      /* mec.c: and hws.c */
extern const struct vgpu_block vgpu_athub_block;    /* athub.c */
extern const struct vgpu_block vgpu_sdma_block;     /* sdma.c */

#include "gc.h"
#include "gmc.h"
#include "ih.h"
#include "nv.h"
#include "psp.h"
#include "smu.h"
#include "ras.h"
#include "xgmi.h"
#include "cp.h"
#include "mec.h"
#include "sdma.h"

/**
 * struct vgpu_die_state - all that migration carries; no pointers in it
 */
struct vgpu_die_state {
    uint32_t reg[VGPU_NUM_REGS];
    uint64_t gpu_clock_base;    /* host ns that GPU clock 0 stands for */
    struct vgpu_gc_state gc;
    struct vgpu_gmc_state gmc;
    struct vgpu_ih_state ih;
    struct vgpu_psp_state psp;
    struct vgpu_smu_state smu;
    struct vgpu_ras_state ras;
    struct vgpu_xgmi_errors xgmi;
    struct vgpu_pm4_state cp;   /* the graphics ring */
    uint32_t cp_clear[VGPU_CP_CONTEXT_REGS];    /* what CLEAR_STATE restores */
    struct vgpu_mec_state mec;
    struct vgpu_sdma_state sdma[VGPU_MAX_SDMA * VGPU_SDMA_RINGS];
    struct vgpu_nv_state nv;    /* the last, since no reset touches it */
};

/** A lock that serves in order of arrival (die.c). */
struct vgpu_fifo_lock {
    pthread_mutex_t mutex;
    pthread_cond_t turn;
    uint64_t next;
    uint64_t serving;
};

struct vgpu_die {
    struct vgpu_die_config cfg;

    struct vgpu_fifo_lock lock;
    atomic_uint lock_waiters;
    atomic_bool stop;

    struct vgpu_die_state s;

    /* Register descriptions: reg_id[] indexes regs[], 0 is "unclaimed". */
    uint16_t *reg_id;
    struct vgpu_reg_desc *regs;
    unsigned num_regs;
    uint8_t *reg_seen;          /* which unclaimed ones were logged */

    /* Scheduler (sched.c); a bit a queue, so that idle ones cost nothing. */
    struct vgpu_queue queue[VGPU_MAX_QUEUES];
    uint64_t runnable[VGPU_QUEUE_WORDS];
    uint64_t parked[VGPU_QUEUE_WORDS];
    uint64_t stalled[VGPU_QUEUE_WORDS];
    unsigned num_queues;
    unsigned next_queue;
    unsigned num_parked;
    int slice_left;
    uint64_t stall_from;        /* of this slice; 0: not known yet */
    uint64_t stall_until;       /* of this slice; 0: it did not stall */
    bool running;               /* inside vgpu_die_run() */
    bool mem_written;           /* memory or a register was written */
    enum vgpu_reset reset_wanted;   /* only while a slice runs */
    bool poison_hit;            /* the slice wanted to read poison */
    bool trace_on;

    atomic_bool kicked;         /* a kick is on its way to the engine */
    uint32_t msix_pending;      /* vectors to raise once the lock is dropped */

    struct vgpu_doorbells *doorbells;   /* doorbell.c, lock-free inside */
    struct vgpu_tracer *tracer;         /* trace.c */
    struct vgpu_gmc *gmc;               /* gmc.c: translation caches */
    struct vgpu_psp *psp;               /* psp.c */
    struct vgpu_smu *smu;               /* smu.c */
    struct vgpu_cp *cp;                 /* cp.c: transient fetch windows */
    struct vgpu_mec *mec;               /* mec.c: likewise */
    struct vgpu_sdma *sdma;             /* sdma.c: likewise */

    struct vgpu_die_stats stats;
};

static inline uint32_t vgpu_reg_get(const struct vgpu_die *d, uint32_t reg)
{
    return d->s.reg[reg];
}

static inline void vgpu_reg_set(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    d->s.reg[reg] = val;
}

/* The die lock (die.c): counted so that a slice ends when somebody waits. */
void vgpu_lock(struct vgpu_die *d);
/** Drops the lock and raises what became pending under it. */
void vgpu_unlock(struct vgpu_die *d);

#include "gmc-inline.h"

#endif
