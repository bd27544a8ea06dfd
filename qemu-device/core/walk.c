/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a virtual address to a physical one: the apertures of VMID 0 and the
 * GFX9 page tables. Only looks; faults are reported by hub.c.
 * Documentation/hardware.rst, "Memory".
 *
 * Tables are written by the guest while they are walked: each entry is loaded
 * exactly once, and the number of loads is bounded by the depth, whatever the
 * entries say.
 */
#include <string.h>

#include "die.h"
#include "fabric.h"
#include "hw/pte.h"
#include "hw/reg/gc.h"
#include "hw/reg/mmhub.h"

#define PAGE_SHIFT  VGPU_GPU_PAGE_SHIFT
#define PAGE_SIZE   (1ull << PAGE_SHIFT)
#define PFN_BITS    (VGPU_VA_BITS - PAGE_SHIFT)
#define VA_END      (1ull << VGPU_VA_BITS)

/* PTEs that one walk looks at beyond its own, to make the run longer. */
#define MAX_AHEAD   511

/* A context register of a hub: the value of @name for VMID @n. */
#define CTX(d, hub, name, stride, n) \
    vgpu_reg_get(d, vgpu_hub_reg(hub, name) + (stride) * (n))
#define CTX64(d, hub, name, n) \
    ((uint64_t)CTX(d, hub, name##_HI32, 2, n) << 32 | \
     CTX(d, hub, name##_LO32, 2, n))

static inline uint32_t field(uint32_t val, uint32_t mask, unsigned shift)
{
    return (val & mask) >> shift;
}
#define FIELD(val, name) field(val, name##_MASK, name##__SHIFT)

static inline uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* --------------------------------------------------------------- memory */

void *vgpu_gmc_bus(struct vgpu_die *d, uint64_t gpa, uint64_t *len, bool write)
{
    uint64_t want = *len;
    void *p;

    if (gpa >= VA_END) {
        return NULL;
    }
    *len = min64(want, VA_END - gpa);
    p = d->cfg.ops->map(d->cfg.opaque, gpa, len, write);
    if (!p || !*len) {
        return NULL;
    }
    *len = min64(*len, want);
    return p;
}

void *vgpu_gmc_phys(struct vgpu_die *d, uint64_t pa, uint64_t *len, bool *peer)
{
    const struct vgpu_die_config *c = &d->cfg;
    uint64_t want = *len;
    uint64_t off;

    *peer = false;
    if (pa < c->cpu_base) {
        return NULL;
    }
    pa -= c->cpu_base;
    off = pa;
    if (c->segment_size) {
        off = pa % c->segment_size;
        if (pa / c->segment_size != c->node_id) {
            *len = min64(want, c->segment_size - off);
            *peer = true;
            if (!c->fabric) {
                return NULL;
            }
            d->gmc->peers = true;
            d->gmc->slow_peers = vgpu_fabric_has_cost(c->fabric);
            return vgpu_fabric_map(c->fabric, c->node_id, pa, len);
        }
    }
    if (off >= c->vram_size) {
        return NULL;
    }
    *len = min64(want, c->vram_size - off);
    return c->vram + off;
}

/* @n entries at @addr; returns how many of them can be loaded. */
static const uint64_t *table(struct vgpu_die *d, uint64_t addr, bool system,
                             unsigned n, unsigned *there)
{
    uint64_t len = 8ull * n;
    const void *p;
    bool peer;

    if (system) {
        p = vgpu_gmc_bus(d, addr, &len, false);
    } else {
        p = vgpu_gmc_phys(d, addr, &len, &peer);
    }
    /* RAM at an odd host address would be an error of the embedder. */
    if (!p || len < 8 || ((uintptr_t)p & 7)) {
        return NULL;
    }
    *there = len / 8;
    return p;
}

static inline uint64_t load(struct vgpu_die *d, const uint64_t *entry)
{
    vgpu_gmc_was_read(d, entry, sizeof(*entry));
    return __atomic_load_n(entry, __ATOMIC_ACQUIRE);
}

/* ------------------------------------------------------------- failures */

static uint8_t access_faults(unsigned access)
{
    return (access & VGPU_READ ? VGPU_PERM_READ : 0) |
           (access & VGPU_WRITE ? VGPU_PERM_WRITE : 0) |
           (access & VGPU_EXEC ? VGPU_PERM_EXEC : 0);
}

/* The walk did not reach a PTE: no right was found either. */
static bool walk_failed(struct vgpu_xlat *x, unsigned error, unsigned access)
{
    x->walker_error = error;
    x->permission = VGPU_PERM_VALID | access_faults(access);
    x->mapping_error = true;
    return false;
}

/* ------------------------------------------------------------ apertures */

/* An aperture register pair counts in units of 1 << shift; TOP is included. */
struct range {
    uint64_t first;
    uint64_t last;
};

static struct range range_of(uint32_t first, uint32_t last, unsigned shift)
{
    struct range r = {
        .first = (uint64_t)first << shift,
        .last = ((uint64_t)last << shift) | ((1ull << shift) - 1),
    };

    return r;
}

static bool in_range(const struct range *r, uint64_t va)
{
    return va >= r->first && va <= r->last;
}

/* Narrow lo..hi around va to where it is in or out of @r as va is. */
static void narrow(const struct range *r, uint64_t va, uint64_t *lo,
                   uint64_t *hi)
{
    if (r->first > r->last) {
        return;
    }
    if (in_range(r, va)) {
        *lo = max64(*lo, r->first);
        *hi = min64(*hi, r->last);
    } else if (va < r->first) {
        *hi = min64(*hi, r->first - 1);
    } else {
        *lo = max64(*lo, r->last + 1);
    }
}

static uint32_t hreg(struct vgpu_die *d, unsigned hub, uint32_t gc_reg)
{
    return vgpu_reg_get(d, vgpu_hub_reg(hub, gc_reg));
}

/* VMID 0, not through the page table. lo..hi: where that holds. */
static bool walk_aperture(struct vgpu_die *d, unsigned hub, uint64_t va,
                          uint64_t lo, uint64_t hi, struct vgpu_xlat *x)
{
    struct range fb = range_of(
        FIELD(hreg(d, hub, regMC_VM_FB_LOCATION_BASE),
              MC_VM_FB_LOCATION_BASE__FB_BASE),
        FIELD(hreg(d, hub, regMC_VM_FB_LOCATION_TOP),
              MC_VM_FB_LOCATION_TOP__FB_TOP), 24);
    struct range agp = range_of(
        FIELD(hreg(d, hub, regMC_VM_AGP_BOT), MC_VM_AGP_BOT__AGP_BOT),
        FIELD(hreg(d, hub, regMC_VM_AGP_TOP), MC_VM_AGP_TOP__AGP_TOP), 24);
    uint64_t target;

    x->rights = VGPU_READ | VGPU_WRITE | VGPU_EXEC;
    if (in_range(&fb, va)) {
        narrow(&fb, va, &lo, &hi);
        target = (uint64_t)FIELD(hreg(d, hub, regMC_VM_FB_OFFSET),
                                 MC_VM_FB_OFFSET__FB_OFFSET) << 24;
        target += lo - fb.first;
    } else if (in_range(&agp, va)) {
        /* Where both contain it, the FB aperture has precedence. */
        narrow(&fb, va, &lo, &hi);
        narrow(&agp, va, &lo, &hi);
        target = (uint64_t)FIELD(hreg(d, hub, regMC_VM_AGP_BASE),
                                 MC_VM_AGP_BASE__AGP_BASE) << 24;
        target += lo - agp.first;
        x->system = true;
    } else {
        /* Nothing is mapped here: all of it is the one default page. */
        lo = va & ~(PAGE_SIZE - 1);
        hi = lo + PAGE_SIZE - 1;
        target = (uint64_t)FIELD(
            hreg(d, hub, regMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB),
            MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB__PHYSICAL_PAGE_NUMBER_MSB)
            << 44;
        target |= (uint64_t)hreg(
            d, hub, regMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB) << PAGE_SHIFT;
    }
    x->va = lo;
    x->len = hi - lo + 1;
    x->pa = target;
    return true;
}

/* Does VMID 0 go through the page table at @va, and how far does it? */
static bool vmid0_mapped(struct vgpu_die *d, unsigned hub, uint64_t va,
                         uint64_t *lo, uint64_t *hi)
{
    uint32_t cntl = hreg(d, hub, regMC_VM_MX_L1_TLB_CNTL);
    struct range sys = range_of(
        FIELD(hreg(d, hub, regMC_VM_SYSTEM_APERTURE_LOW_ADDR),
              MC_VM_SYSTEM_APERTURE_LOW_ADDR__LOGICAL_ADDR),
        FIELD(hreg(d, hub, regMC_VM_SYSTEM_APERTURE_HIGH_ADDR),
              MC_VM_SYSTEM_APERTURE_HIGH_ADDR__LOGICAL_ADDR), 18);

    *lo = 0;
    *hi = VGPU_VA_MASK;
    switch (FIELD(cntl, MC_VM_MX_L1_TLB_CNTL__SYSTEM_ACCESS_MODE)) {
    case 0: /* always physical */
        return false;
    case 1: /* always mapped */
        return true;
    case 2: /* mapped inside the system aperture */
        narrow(&sys, va, lo, hi);
        return in_range(&sys, va);
    default: /* mapped outside the system aperture */
        narrow(&sys, va, lo, hi);
        return !in_range(&sys, va);
    }
}

/* ---------------------------------------------------------- page tables */

/*
 * The translation is found: @pte maps 1 << @shift pages around page @pfn.
 * @first, @last bound what any entry of this context can map.
 */
static bool walk_pte(struct vgpu_die *d, unsigned hub, uint64_t pte,
                     unsigned shift, uint64_t pfn, uint64_t first,
                     uint64_t last, unsigned access, struct vgpu_xlat *x)
{
    uint64_t addr = (pte & VGPU_PTE_ADDR_MASK) >> PAGE_SHIFT;
    uint64_t native = 1ull << shift;
    uint64_t off = (pfn - first) & (native - 1);
    uint64_t lo, hi;
    unsigned frag = 0;
    uint8_t wanted;

    x->pte = pte;
    x->rights = (pte & VGPU_PTE_READABLE ? VGPU_READ : 0) |
                (pte & VGPU_PTE_WRITEABLE ? VGPU_WRITE : 0) |
                (pte & VGPU_PTE_EXECUTABLE ? VGPU_EXEC : 0);
    x->system = pte & VGPU_PTE_SYSTEM;

    if (!(pte & VGPU_PTE_VALID) && (pte & VGPU_PTE_PRT)) {
        x->prt = true;
        x->rights = VGPU_READ | VGPU_WRITE | VGPU_EXEC;
        x->va = pfn << PAGE_SHIFT;
        x->len = PAGE_SIZE;
        x->pa = 0;
        return true;
    }
    wanted = access_faults(access);
    if (!(x->rights & VGPU_READ)) {
        x->permission |= wanted & VGPU_PERM_READ;
    }
    if (!(x->rights & VGPU_WRITE)) {
        x->permission |= wanted & VGPU_PERM_WRITE;
    }
    if (!(x->rights & VGPU_EXEC)) {
        x->permission |= wanted & VGPU_PERM_EXEC;
    }
    if (!(pte & VGPU_PTE_VALID)) {
        x->permission |= VGPU_PERM_VALID;
    }
    if (x->permission) {
        return false;
    }

    /* What of the address lies below the entry's own size does not count. */
    addr = (addr & ~(native - 1)) + off;
    lo = pfn - off;
    hi = lo + native - 1;

    /*
     * A fragment: 1 << frag pages, aligned to their number in virtual
     * addresses, that are one piece of memory with the same flags.
     */
    if (hreg(d, hub, regVM_L2_CNTL) &
        VM_L2_CNTL__ENABLE_L2_FRAGMENT_PROCESSING_MASK) {
        frag = VGPU_PTE_GET_FRAG(pte);
    }
    lo = min64(lo, pfn & ~((1ull << frag) - 1));
    hi = max64(hi, pfn | ((1ull << frag) - 1));
    lo = max64(lo, first);
    hi = min64(hi, last);
    /* Neither end may leave the physical address space. */
    if (addr < pfn - lo) {
        lo = pfn - addr;
    }
    hi = min64(hi, pfn + ((1ull << PFN_BITS) - 1 - addr));

    x->va = lo << PAGE_SHIFT;
    x->len = (hi - lo + 1) << PAGE_SHIFT;
    x->pa = (addr - (pfn - lo)) << PAGE_SHIFT;
    return true;
}

/*
 * Entries of the table that follow the one found and go on where it ends make
 * the run longer, as the hardware's fetch of a cache line of PTEs does.
 */
static void walk_ahead(struct vgpu_die *d, const uint64_t *entry,
                       unsigned there, unsigned shift, uint64_t last,
                       uint64_t va, uint64_t want, struct vgpu_xlat *x)
{
    uint64_t size = PAGE_SIZE << shift;
    uint64_t next = (x->pte & ~VGPU_PTE_FRAG(0x1f)) + size;
    uint64_t end = va + min64(want, VA_END - va);
    unsigned i;

    if (x->len != size) {
        return;
    }
    for (i = 1; i < there && x->va + x->len < end; i++, next += size) {
        if ((load(d, &entry[i]) & ~VGPU_PTE_FRAG(0x1f)) != next ||
            !(next & VGPU_PTE_ADDR_MASK) ||
            (x->va + x->len) >> PAGE_SHIFT > last) {
            return;
        }
        x->len += size;
    }
}

/* Through the page table of context @vmid. */
static bool walk_context(struct vgpu_die *d, unsigned hub, unsigned vmid,
                         uint64_t va, uint64_t want, unsigned access,
                         struct vgpu_xlat *x)
{
    uint32_t cntl = CTX(d, hub, regVM_CONTEXT0_CNTL, 1, vmid);
    uint64_t first = CTX64(d, hub, regVM_CONTEXT0_PAGE_TABLE_START_ADDR, vmid);
    uint64_t last = CTX64(d, hub, regVM_CONTEXT0_PAGE_TABLE_END_ADDR, vmid);
    uint64_t pde = CTX64(d, hub, regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR, vmid);
    unsigned depth = FIELD(cntl, VM_CONTEXT0_CNTL__PAGE_TABLE_DEPTH);
    unsigned block = FIELD(cntl, VM_CONTEXT0_CNTL__PAGE_TABLE_BLOCK_SIZE);
    uint64_t pfn = va >> PAGE_SHIFT;
    uint64_t off;
    const uint64_t *entry;
    unsigned there, level, shift, bfs = 0;

    last = min64(last, (1ull << PFN_BITS) - 1);
    if (!(cntl & VM_CONTEXT0_CNTL__ENABLE_CONTEXT_MASK) ||
        hreg(d, hub, regVM_CONTEXTS_DISABLE) & (1u << vmid) ||
        pfn < first || pfn > last) {
        return walk_failed(x, VGPU_WALK_RANGE, access);
    }
    off = pfn - first;
    if (!(pde & VGPU_PTE_VALID)) {
        return walk_failed(x, VGPU_WALK_PDE0 + (depth ? depth - 1 : 0),
                           access);
    }

    /* Directories: PDB(depth - 1) down to PDB0. */
    for (level = depth; level > 0; level--) {
        uint64_t index;

        shift = 9 * level + block;
        index = off >> shift;
        if (level < depth) {
            index &= 511;
        }
        entry = table(d, (pde & VGPU_PDE_ADDR_MASK) + index * 8,
                      pde & VGPU_PTE_SYSTEM, 1, &there);
        if (!entry) {
            return walk_failed(x, VGPU_WALK_NACK, access);
        }
        pde = load(d, entry);
        if (!(pde & VGPU_PTE_VALID) &&
            !((pde & VGPU_PDE_PTE) && (pde & VGPU_PTE_PRT))) {
            return walk_failed(x, VGPU_WALK_PDE0 + level - 1, access);
        }
        if (pde & VGPU_PDE_PTE) {
            return walk_pte(d, hub, pde, shift, pfn, first, last, access, x);
        }
    }

    /*
     * The PTB. It covers 1 << (9 + block) pages, or for a flat table the
     * whole context; with a block fragment size in the PDE that led here each
     * of its entries stands for 1 << bfs pages.
     */
    if (depth) {
        shift = 9 + block;
        off &= (1ull << shift) - 1;
        bfs = VGPU_PDE_GET_BFS(pde);
        if (bfs > shift) {
            bfs = shift;
        }
        there = min64((1ull << (shift - bfs)) - (off >> bfs), MAX_AHEAD + 1);
    } else {
        there = min64(last - pfn + 1, MAX_AHEAD + 1);
    }
    entry = table(d, (pde & VGPU_PDE_ADDR_MASK) + (off >> bfs) * 8,
                  pde & VGPU_PTE_SYSTEM, there, &there);
    if (!entry) {
        return walk_failed(x, VGPU_WALK_NACK, access);
    }
    pde = load(d, entry);
    if (bfs && (pde & VGPU_PTE_TF)) {
        /* Translate further: the entry leads to a table of single pages. */
        if (!(pde & VGPU_PTE_VALID)) {
            return walk_failed(x, VGPU_WALK_FURTHER, access);
        }
        off &= (1ull << bfs) - 1;
        there = min64((1ull << bfs) - off, MAX_AHEAD + 1);
        entry = table(d, (pde & VGPU_PDE_ADDR_MASK) + off * 8,
                      pde & VGPU_PTE_SYSTEM, there, &there);
        if (!entry) {
            return walk_failed(x, VGPU_WALK_NACK, access);
        }
        pde = load(d, entry);
        bfs = 0;
    }
    if (!walk_pte(d, hub, pde, bfs, pfn, first, last, access, x)) {
        return false;
    }
    if (!x->prt) {
        walk_ahead(d, entry, there, bfs, last, va, want, x);
    }
    return true;
}

bool vgpu_walk(struct vgpu_die *d, unsigned hub, unsigned vmid, uint64_t va,
               uint64_t want, unsigned access, struct vgpu_xlat *x)
{
    uint64_t high = va >> (VGPU_VA_BITS - 1);
    uint64_t lo = 0, hi = VGPU_VA_MASK;
    bool ok;

    memset(x, 0, sizeof(*x));
    if (high > 1 && high != UINT64_MAX >> (VGPU_VA_BITS - 1)) {
        return walk_failed(x, VGPU_WALK_RANGE, access);
    }
    va &= VGPU_VA_MASK;
    if (vmid == 0 && !vmid0_mapped(d, hub, va, &lo, &hi)) {
        return walk_aperture(d, hub, va, lo, hi, x);
    }
    ok = walk_context(d, hub, vmid, va, want, access, x);
    if (ok && vmid == 0) {
        /* The run ends where the aperture takes over. */
        hi = min64(hi, x->va + x->len - 1);
        if (lo > x->va) {
            x->pa += lo - x->va;
            x->va = lo;
        }
        x->len = hi - x->va + 1;
    }
    return ok;
}
