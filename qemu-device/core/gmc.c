/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the engines reach memory: a cache of translations to host pointers in
 * front of the walk (walk.c), and reads, writes and atomics on top of it.
 * Documentation/hardware.rst, "Memory".
 *
 * A cached translation carries the generation of its hub and VMID. Whatever
 * could make it wrong (an invalidation, a write to a register of the context,
 * the guest's memory map changing, reset) gives them a new one, so that
 * dropping any number of translations costs one store.
 */
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "fabric.h"
#include "hw/pm4.h"

#define PAGE_SIZE   4096ull
#define BIG_SHIFT   21
#define BIG_SIZE    (1ull << BIG_SHIFT)

/* ------------------------------------------------------------ the cache */

void vgpu_gmc_drop_vmid(struct vgpu_die *d, unsigned hub, unsigned vmid)
{
    d->gmc->gen[hub][vmid] = ++d->gmc->last_gen;
}

void vgpu_gmc_drop_hub(struct vgpu_die *d, unsigned hub)
{
    unsigned vmid;

    for (vmid = 0; vmid < VGPU_NUM_VMIDS; vmid++) {
        vgpu_gmc_drop_vmid(d, hub, vmid);
    }
}

void vgpu_gmc_drop_all(struct vgpu_die *d)
{
    unsigned hub;

    for (hub = 0; hub < VGPU_NUM_HUBS; hub++) {
        vgpu_gmc_drop_hub(d, hub);
    }
}

static inline bool hit(const struct vgpu_tlb_entry *e, uint64_t gen,
                       uint64_t va, unsigned access)
{
    return e->gen == gen && va - e->va < e->len &&
           (e->rights & access) == access;
}

static inline struct vgpu_tlb_entry *small_entry(struct vgpu_gmc *g,
                                                 const struct vgpu_req *req,
                                                 uint64_t va)
{
    return &g->small[req->hub][req->vmid]
                    [va / PAGE_SIZE % VGPU_TLB_ENTRIES];
}

static inline struct vgpu_tlb_entry *big_entry(struct vgpu_gmc *g,
                                               const struct vgpu_req *req,
                                               uint64_t va)
{
    return &g->big[req->hub][req->vmid][va / BIG_SIZE % VGPU_TLB_ENTRIES];
}

/*
 * The host memory behind the run @x at @va. Own VRAM is taken whole; of the
 * rest the host is asked from the page of @va onwards.
 */
static bool host_memory(struct vgpu_die *d, const struct vgpu_xlat *x,
                        uint64_t va, bool write, struct vgpu_tlb_entry *e)
{
    const struct vgpu_die_config *c = &d->cfg;
    uint64_t base = (uint64_t)c->node_id * c->segment_size;
    uint64_t page = va & ~(PAGE_SIZE - 1);
    uint64_t pa = x->pa + (page - x->va);
    bool peer = false;

    e->va = page;
    e->len = x->va + x->len - page;
    e->rights = x->rights & ~(write ? 0 : VGPU_WRITE);
    e->peer = 0;

    if (!x->system && pa >= base && pa - base < c->vram_size) {
        uint64_t before = pa - base;

        if (before > page - x->va) {
            before = page - x->va;
        }
        e->va -= before;
        e->len += before;
        pa -= before;
        if (e->len > c->vram_size - (pa - base)) {
            e->len = c->vram_size - (pa - base);
        }
        e->ptr = c->vram + (pa - base);
        e->rights = x->rights;
        return true;
    }
    if (x->system) {
        e->ptr = vgpu_gmc_bus(d, pa, &e->len, write);
    } else {
        e->ptr = vgpu_gmc_phys(d, pa, &e->len, &peer);
        e->peer = peer;
    }
    return e->ptr && e->len > va - page;
}

/* Behind a page that is not resident: reads give 0, writes go nowhere. */
static struct vgpu_tlb_entry *prt_entry(struct vgpu_gmc *g, uint64_t va,
                                        unsigned access)
{
    struct vgpu_tlb_entry *e = &g->scratch;

    memset(e, 0, sizeof(*e));
    e->va = va & ~(PAGE_SIZE - 1);
    e->len = PAGE_SIZE;
    e->ptr = g->prt_zero;
    if (access & VGPU_WRITE) {
        memset(g->prt_sink, 0, PAGE_SIZE);
        e->ptr = g->prt_sink;
    }
    return e;
}

/* The fault is reported; what a read has of it. */
static void faulted(struct vgpu_die *d, const struct vgpu_req *req,
                    uint64_t va, unsigned access, bool atomic,
                    const struct vgpu_xlat *x)
{
    bool nowhere = x->mapping_error && (x->walker_error == VGPU_WALK_OK ||
                                        x->walker_error == VGPU_WALK_NACK);

    vgpu_hub_fault(d, req, va, access, atomic, x);
    /* Last: the report itself writes to memory, and may fault. */
    d->gmc->fault_fill = nowhere ? VGPU_POISON : 0;
}

static struct vgpu_tlb_entry *miss(struct vgpu_die *d,
                                   const struct vgpu_req *req, uint64_t va,
                                   uint64_t want, unsigned access, bool atomic)
{
    struct vgpu_gmc *g = d->gmc;
    struct vgpu_tlb_entry fill, *e;
    struct vgpu_xlat x;
    uint64_t low = va & VGPU_VA_MASK;

    if (!vgpu_walk(d, req->hub, req->vmid, va, want, access, &x)) {
        faulted(d, req, va, access, atomic, &x);
        return NULL;
    }
    if (x.prt) {
        return prt_entry(g, low, access);
    }
    if (!host_memory(d, &x, low, access & VGPU_WRITE, &fill)) {
        x.mapping_error = true;
        faulted(d, req, va, access, atomic, &x);
        return NULL;
    }
    fill.gen = g->gen[req->hub][req->vmid];

    /* A run that covers all of its 2 MiB goes where more of it is found. */
    if (fill.va <= (low & ~(BIG_SIZE - 1)) &&
        fill.va + fill.len >= (low | (BIG_SIZE - 1)) + 1) {
        e = big_entry(g, req, low);
    } else {
        e = small_entry(g, req, low);
    }
    *e = fill;
    return e;
}

static inline struct vgpu_tlb_entry *lookup(struct vgpu_die *d,
                                            const struct vgpu_req *req,
                                            uint64_t va, uint64_t want,
                                            unsigned access, bool atomic)
{
    struct vgpu_gmc *g = d->gmc;
    uint64_t gen = g->gen[req->hub][req->vmid];
    struct vgpu_tlb_entry *e = big_entry(g, req, va);

    if (hit(e, gen, va, access)) {
        return e;
    }
    e = small_entry(g, req, va);
    if (hit(e, gen, va, access)) {
        return e;
    }
    return miss(d, req, va, want, access, atomic);
}

static inline void *map(struct vgpu_die *d, const struct vgpu_req *req,
                        uint64_t va, uint64_t *len, unsigned access,
                        bool atomic)
{
    struct vgpu_tlb_entry *e = lookup(d, req, va, *len, access, atomic);
    uint64_t off;

    if (!e) {
        return NULL;
    }
    off = (va & VGPU_VA_MASK) - e->va;
    if (*len > e->len - off) {
        *len = e->len - off;
    }
    if (__builtin_expect(d->s.ras.num_poison || e->peer, 0) &&
        access & VGPU_READ &&
        vgpu_ras_consume(d, e->ptr + off, e->peer, len)) {
        d->gmc->fault_fill = VGPU_POISON;
        return NULL;
    }
    return e->ptr + off;
}

/* -------------------------------------------------------------- accesses */

void *vgpu_gmc_map(struct vgpu_die *d, const struct vgpu_req *req, uint64_t va,
                   uint64_t *len, unsigned access)
{
    return map(d, req, va, len, access, false);
}

uint8_t vgpu_gmc_fault_fill(const struct vgpu_die *d)
{
    return d->gmc->fault_fill;
}

void vgpu_gmc_peer_access(struct vgpu_die *d, const void *ptr, uint64_t len,
                          bool write)
{
    const struct vgpu_die_config *c = &d->cfg;
    uint64_t now = 0, end;
    int owner;

    if ((uintptr_t)ptr - (uintptr_t)c->vram < c->vram_size) {
        return;
    }
    owner = vgpu_fabric_owner(c->fabric, ptr);
    if (owner < 0) {
        return;
    }
    if (write) {
        d->stats.peer_writes += len;
    } else {
        d->stats.peer_reads += len;
    }
    if (vgpu_fabric_has_cost(c->fabric)) {
        now = vgpu_stall_from(d);
    }
    end = vgpu_fabric_access(c->fabric, c->node_id, owner, write, len, now);
    if (end > now) {
        vgpu_stall(d, end);
    }
}

void vgpu_gmc_written(struct vgpu_die *d, void *ptr, uint64_t len)
{
    uintptr_t sink = (uintptr_t)ptr - (uintptr_t)d->gmc->prt_sink;

    d->mem_written = true;
    if (__builtin_expect(sink >= PAGE_SIZE, 1)) {
        d->cfg.ops->written(d->cfg.opaque, ptr, len);
    }
    if (__builtin_expect(d->gmc->peers, 0)) {
        vgpu_gmc_peer_access(d, ptr, len, true);
    }
}

/*
 * What a CPU of the guest may look at while it changes (a fence, a pointer)
 * is 4 or 8 bytes and aligned: moved in one piece, and after all that was
 * moved before it.
 */
static inline void copy_in(void *dst, const uint8_t *src, uint64_t len)
{
    if (len == 4 && !((uintptr_t)src & 3)) {
        uint32_t v = __atomic_load_n((const uint32_t *)src, __ATOMIC_ACQUIRE);

        memcpy(dst, &v, 4);
    } else if (len == 8 && !((uintptr_t)src & 7)) {
        uint64_t v = __atomic_load_n((const uint64_t *)src, __ATOMIC_ACQUIRE);

        memcpy(dst, &v, 8);
    } else {
        memcpy(dst, src, len);
    }
}

static inline void copy_out(uint8_t *dst, const void *src, uint64_t len)
{
    if (len == 4 && !((uintptr_t)dst & 3)) {
        uint32_t v;

        memcpy(&v, src, 4);
        __atomic_store_n((uint32_t *)dst, v, __ATOMIC_RELEASE);
    } else if (len == 8 && !((uintptr_t)dst & 7)) {
        uint64_t v;

        memcpy(&v, src, 8);
        __atomic_store_n((uint64_t *)dst, v, __ATOMIC_RELEASE);
    } else {
        memcpy(dst, src, len);
    }
}

bool vgpu_gmc_read(struct vgpu_die *d, const struct vgpu_req *req, uint64_t va,
                   void *buf, uint64_t len)
{
    uint8_t *dst = buf;

    while (len) {
        uint64_t n = len;
        const uint8_t *p = map(d, req, va, &n, VGPU_READ, false);

        if (!p) {
            memset(dst, d->gmc->fault_fill, len);
            return false;
        }
        copy_in(dst, p, n);
        vgpu_gmc_was_read(d, p, n);
        dst += n;
        va += n;
        len -= n;
    }
    return true;
}

bool vgpu_gmc_write(struct vgpu_die *d, const struct vgpu_req *req, uint64_t va,
                    const void *buf, uint64_t len)
{
    const uint8_t *src = buf;

    while (len) {
        uint64_t n = len;
        uint8_t *p = map(d, req, va, &n, VGPU_WRITE, false);

        if (!p) {
            return false;
        }
        copy_out(p, src, n);
        vgpu_gmc_written(d, p, n);
        src += n;
        va += n;
        len -= n;
    }
    return true;
}

bool vgpu_gmc_fetch_miss(struct vgpu_die *d, const struct vgpu_req *req,
                         struct vgpu_window *w, uint64_t va, uint32_t *dst,
                         unsigned ndw)
{
    uint64_t low = va & VGPU_VA_MASK;
    struct vgpu_tlb_entry *e = lookup(d, req, va, BIG_SIZE, VGPU_READ, false);

    memset(w, 0, sizeof(*w));
    if (!e) {
        memset(dst, d->gmc->fault_fill, 4ull * ndw);
        return false;
    }
    /*
     * Accesses to a peer are counted one by one, and while memory is poisoned
     * each is looked at: not through a window.
     */
    if (e != &d->gmc->scratch && !e->peer && !d->s.ras.num_poison) {
        w->ptr = e->ptr;
        w->va = e->va | (va & ~VGPU_VA_MASK);
        w->len = e->len;
        w->gen = e->gen;
        w->hub = req->hub;
        w->vmid = req->vmid;
        if (low - e->va <= e->len && e->len - (low - e->va) >= 4ull * ndw) {
            memcpy(dst, e->ptr + (low - e->va), 4ull * ndw);
            return true;
        }
    }
    return vgpu_gmc_read(d, req, va, dst, 4ull * ndw);
}

/* --------------------------------------------------------------- atomics */

/* The operation without its width and without whether it returns a value. */
#define OP_64       0x20u
#define OP_NO_RTN   0x40u

static bool is_atomic(unsigned op)
{
    if (op > 0x7f) {
        return false;
    }
    switch (op & ~(OP_64 | OP_NO_RTN)) {
    case TC_OP_ATOMIC_FCMPSWAP_RTN_32:
    case TC_OP_ATOMIC_FMIN_RTN_32:
    case TC_OP_ATOMIC_FMAX_RTN_32:
    case TC_OP_ATOMIC_SWAP_RTN_32:
    case TC_OP_ATOMIC_CMPSWAP_RTN_32:
    case TC_OP_ATOMIC_FCMPSWAP_FLUSH_DENORM_RTN_32:
    case TC_OP_ATOMIC_FMIN_FLUSH_DENORM_RTN_32:
    case TC_OP_ATOMIC_FMAX_FLUSH_DENORM_RTN_32:
    case TC_OP_ATOMIC_ADD_RTN_32:
    case TC_OP_ATOMIC_SUB_RTN_32:
    case TC_OP_ATOMIC_SMIN_RTN_32:
    case TC_OP_ATOMIC_UMIN_RTN_32:
    case TC_OP_ATOMIC_SMAX_RTN_32:
    case TC_OP_ATOMIC_UMAX_RTN_32:
    case TC_OP_ATOMIC_AND_RTN_32:
    case TC_OP_ATOMIC_OR_RTN_32:
    case TC_OP_ATOMIC_XOR_RTN_32:
    case TC_OP_ATOMIC_INC_RTN_32:
    case TC_OP_ATOMIC_DEC_RTN_32:
        return true;
    default:
        return false;
    }
}

/*
 * Floating point in integers, so that neither the rounding mode nor NaN
 * handling of the host matters: a value is its sign and its magnitude.
 */
struct fp_format {
    uint64_t sign;
    uint64_t infinity;
    uint64_t min_normal;
};

static const struct fp_format fp32 = { 0x80000000, 0x7f800000, 0x00800000 };
static const struct fp_format fp64 = {
    0x8000000000000000, 0x7ff0000000000000, 0x0010000000000000
};

static uint64_t fp_flush(const struct fp_format *f, uint64_t v)
{
    return (v & ~f->sign) < f->min_normal ? v & f->sign : v;
}

/* -1, 0, 1; or 2 when one of them is no number. */
static int fp_compare(const struct fp_format *f, uint64_t a, uint64_t b)
{
    uint64_t ma = a & ~f->sign, mb = b & ~f->sign;
    bool na = a & f->sign, nb = b & f->sign;

    if (ma > f->infinity || mb > f->infinity) {
        return 2;
    }
    if (!ma && !mb) {
        return 0;
    }
    if (na != nb) {
        return na ? -1 : 1;
    }
    if (ma == mb) {
        return 0;
    }
    return (ma < mb) != na ? -1 : 1;
}

static uint64_t fp_op(unsigned op, const struct fp_format *f, uint64_t mem,
                      uint64_t src, uint64_t cmp)
{
    bool flush = op >= TC_OP_ATOMIC_FCMPSWAP_FLUSH_DENORM_RTN_32;
    uint64_t m = flush ? fp_flush(f, mem) : mem;

    if (flush) {
        src = fp_flush(f, src);
        cmp = fp_flush(f, cmp);
    }
    switch (op) {
    case TC_OP_ATOMIC_FCMPSWAP_RTN_32:
    case TC_OP_ATOMIC_FCMPSWAP_FLUSH_DENORM_RTN_32:
        return fp_compare(f, m, cmp) == 0 ? src : mem;
    case TC_OP_ATOMIC_FMIN_RTN_32:
    case TC_OP_ATOMIC_FMIN_FLUSH_DENORM_RTN_32:
        return fp_compare(f, src, m) == -1 ? src : m;
    default:
        return fp_compare(f, src, m) == 1 ? src : m;
    }
}

/* @sign: the sign bit of the width; operands are zero-extended to 64 bits. */
static uint64_t atomic_op(unsigned op, uint64_t sign, uint64_t mem,
                          uint64_t src, uint64_t cmp)
{
    const struct fp_format *f = sign == fp32.sign ? &fp32 : &fp64;

    /* Flipping the sign bit turns signed order into unsigned order. */
    switch (op) {
    case TC_OP_ATOMIC_SWAP_RTN_32:
        return src;
    case TC_OP_ATOMIC_CMPSWAP_RTN_32:
        return mem == cmp ? src : mem;
    case TC_OP_ATOMIC_ADD_RTN_32:
        return mem + src;
    case TC_OP_ATOMIC_SUB_RTN_32:
        return mem - src;
    case TC_OP_ATOMIC_SMIN_RTN_32:
        return (src ^ sign) < (mem ^ sign) ? src : mem;
    case TC_OP_ATOMIC_UMIN_RTN_32:
        return src < mem ? src : mem;
    case TC_OP_ATOMIC_SMAX_RTN_32:
        return (src ^ sign) > (mem ^ sign) ? src : mem;
    case TC_OP_ATOMIC_UMAX_RTN_32:
        return src > mem ? src : mem;
    case TC_OP_ATOMIC_AND_RTN_32:
        return mem & src;
    case TC_OP_ATOMIC_OR_RTN_32:
        return mem | src;
    case TC_OP_ATOMIC_XOR_RTN_32:
        return mem ^ src;
    case TC_OP_ATOMIC_INC_RTN_32:
        return mem >= src ? 0 : mem + 1;
    case TC_OP_ATOMIC_DEC_RTN_32:
        return mem == 0 || mem > src ? src : mem - 1;
    default:
        return fp_op(op, f, mem, src, cmp);
    }
}

static uint64_t atomic32(uint32_t *p, unsigned op, uint32_t src, uint32_t cmp)
{
    uint32_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
    uint32_t new;

    do {
        new = atomic_op(op, fp32.sign, old, src, cmp);
    } while (!__atomic_compare_exchange_n(p, &old, new, true, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    return old;
}

static uint64_t atomic64(uint64_t *p, unsigned op, uint64_t src, uint64_t cmp)
{
    uint64_t old = __atomic_load_n(p, __ATOMIC_RELAXED);
    uint64_t new;

    do {
        new = atomic_op(op, fp64.sign, old, src, cmp);
    } while (!__atomic_compare_exchange_n(p, &old, new, true, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    return old;
}

int vgpu_gmc_atomic(struct vgpu_die *d, const struct vgpu_req *req, uint64_t va,
                    unsigned op, uint64_t src, uint64_t cmp, uint64_t *old)
{
    uint64_t size = op & OP_64 ? 8 : 4;
    uint64_t len = size;
    uint64_t was;
    void *p;

    if (!is_atomic(op) || va & (size - 1)) {
        return -2;
    }
    p = map(d, req, va, &len, VGPU_READ | VGPU_WRITE, true);
    if (!p) {
        if (old) {
            *old = 0;
            memset(old, d->gmc->fault_fill, size);
        }
        return -1;
    }
    if (len < size || (uintptr_t)p & (size - 1)) {
        return -2;
    }
    op &= ~(OP_64 | OP_NO_RTN);
    if (size == 8) {
        was = atomic64(p, op, src, cmp);
    } else {
        was = atomic32(p, op, src, cmp);
    }
    vgpu_gmc_was_read(d, p, size);
    vgpu_gmc_written(d, p, size);
    if (old) {
        *old = was;
    }
    return 0;
}

/* ----------------------------------------------------------------- block */

static bool init(struct vgpu_die *d)
{
    d->gmc = calloc(1, sizeof(*d->gmc));
    return d->gmc && vgpu_hub_init(d);
}

static void reset(struct vgpu_die *d)
{
    vgpu_hub_reset(d, VGPU_HUB_GC);
    vgpu_hub_reset(d, VGPU_HUB_MM);
    vgpu_gmc_drop_all(d);
}

/* The GC hub is part of the graphics core, the MM hub is not. */
static void reset_mode2(struct vgpu_die *d)
{
    d->s.gmc.reported[VGPU_HUB_GC] = 0;
    vgpu_hub_reset(d, VGPU_HUB_GC);
    vgpu_gmc_drop_hub(d, VGPU_HUB_GC);
}

static bool valid(const struct vgpu_die *d, const struct vgpu_die_state *s)
{
    unsigned hub;

    (void)d;
    for (hub = 0; hub < VGPU_NUM_HUBS; hub++) {
        if (s->gmc.reported[hub] >> VGPU_NUM_VMIDS) {
            return false;
        }
    }
    return true;
}

static void fini(struct vgpu_die *d)
{
    free(d->gmc);
    d->gmc = NULL;
}

const struct vgpu_block vgpu_gmc_block = {
    .name = "gmc",
    .init = init,
    .reset = reset,
    .reset_mode2 = reset_mode2,
    .valid = valid,
    .loaded = vgpu_gmc_drop_all,
    .remapped = vgpu_gmc_drop_all,
    .fini = fini,
};
