/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A die with its SDMA rings set up as a driver does it, for the tests, the
 * fuzzer and the benchmark of the SDMA engines.
 */
#ifndef VGPU_SDMA_RIG_H
#define VGPU_SDMA_RIG_H

#include <stdarg.h>

#include "harness.h"
#include "hw/ih.h"
#include "hw/pte.h"
#include "hw/sdma.h"
#include "hw/reg/mmhub.h"
#include "hw/reg/oss.h"
#include "hw/reg/sdma.h"

/*
 * VMID 0 sees RAM at its bus address, through the AGP aperture, and VRAM at
 * RIG_VRAM. VMID 1 sees RAM from virtual address 0 on, through a flat table
 * in VRAM, and nothing behind it.
 */
#define RIG_RING(n)     (MOCK_RAM_BASE + (n) * 0x10000ull)
#define RIG_WB(n)       (MOCK_RAM_BASE + 0x70000 + (n) * 64ull)
#define RIG_WPTR_POLL(n)    (RIG_WB(n) + 8)
#define RIG_IH_RING     (MOCK_RAM_BASE + 0x80000)
#define RIG_IB          (MOCK_RAM_BASE + 0x100000)
#define RIG_DATA        (MOCK_RAM_BASE + 0x200000)
#define RIG_VRAM        0x8000000000ull
#define RIG_TABLE       0x100000ull     /* in VRAM */
#define RIG_TABLE_PAGES (2 * MOCK_RAM_SIZE / 4096)
#define RIG_VA(gpa)     ((gpa) - MOCK_RAM_BASE)

#define RIG_RB_SIZE     10              /* log2 of dwords: 4 KiB */
#define RIG_RING_BYTES  (4u << RIG_RB_SIZE)
#define RIG_IH_BYTES    0x10000u

#define RIG_PTE_RW      (VGPU_PTE_VALID | VGPU_PTE_READABLE | \
                         VGPU_PTE_WRITEABLE)

/* Dwords that stand for themselves where dwords are listed. */
#define LIST(...)       __VA_ARGS__
#define LO(x)           ((uint32_t)(x))
#define HI(x)           ((uint32_t)((uint64_t)(x) >> 32))
#define OP(op)          SDMA_PKT_HEADER_OP(SDMA_OP_##op)
#define SUBOP(op, sub)  (SDMA_PKT_HEADER_OP(SDMA_OP_##op) | \
                         SDMA_PKT_HEADER_SUB_OP(SDMA_SUBOP_##sub))

struct sdma_rig {
    struct mock m;
    uint64_t wptr[VGPU_MAX_SDMA];       /* bytes */
    uint32_t ih_rptr;
    uint64_t ib;                        /* where the next IB goes */
};

static inline uint32_t rig_rreg(struct sdma_rig *r, unsigned n, uint32_t reg)
{
    return mock_rreg(&r->m, VGPU_SDMA_REG_ABS(n, reg));
}

static inline void rig_wreg(struct sdma_rig *r, unsigned n, uint32_t reg,
                            uint32_t val)
{
    mock_wreg(&r->m, VGPU_SDMA_REG_ABS(n, reg), val);
}

/* Registers of the MM hub. */
static inline void rig_hub(struct sdma_rig *r, uint32_t reg, uint32_t val)
{
    mock_wreg(&r->m, VGPU_REG_ABS(MMHUB, reg), val);
}

/* As sdma_v4_0_gfx_resume() does it. */
static inline void rig_ring_on(struct sdma_rig *r, unsigned n)
{
    uint32_t cntl = RIG_RB_SIZE << SDMA0_GFX_RB_CNTL__RB_SIZE__SHIFT |
                    SDMA0_GFX_RB_CNTL__RPTR_WRITEBACK_ENABLE_MASK;

    rig_wreg(r, n, regSDMA0_GFX_RB_CNTL, cntl);
    rig_wreg(r, n, regSDMA0_GFX_RB_RPTR, 0);
    rig_wreg(r, n, regSDMA0_GFX_RB_RPTR_HI, 0);
    rig_wreg(r, n, regSDMA0_GFX_RB_WPTR, 0);
    rig_wreg(r, n, regSDMA0_GFX_RB_WPTR_HI, 0);
    rig_wreg(r, n, regSDMA0_GFX_RB_RPTR_ADDR_HI, HI(RIG_WB(n)));
    rig_wreg(r, n, regSDMA0_GFX_RB_RPTR_ADDR_LO, LO(RIG_WB(n)));
    rig_wreg(r, n, regSDMA0_GFX_RB_BASE, LO(RIG_RING(n) >> 8));
    rig_wreg(r, n, regSDMA0_GFX_RB_BASE_HI, HI(RIG_RING(n) >> 8));
    rig_wreg(r, n, regSDMA0_GFX_RB_WPTR_POLL_ADDR_LO, LO(RIG_WPTR_POLL(n)));
    rig_wreg(r, n, regSDMA0_GFX_RB_WPTR_POLL_ADDR_HI, HI(RIG_WPTR_POLL(n)));
    rig_wreg(r, n, regSDMA0_GFX_RB_CNTL,
             cntl | SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK);
    rig_wreg(r, n, regSDMA0_GFX_IB_CNTL,
             rig_rreg(r, n, regSDMA0_GFX_IB_CNTL) |
             SDMA0_GFX_IB_CNTL__IB_ENABLE_MASK);
    rig_wreg(r, n, regSDMA0_CNTL, SDMA0_CNTL__TRAP_ENABLE_MASK |
             SDMA0_CNTL__UTC_L1_ENABLE_MASK);
    rig_wreg(r, n, regSDMA0_F32_CNTL, 0);
    r->wptr[n] = 0;
}

static inline void rig_ring_off(struct sdma_rig *r, unsigned n)
{
    rig_wreg(r, n, regSDMA0_GFX_RB_CNTL,
             rig_rreg(r, n, regSDMA0_GFX_RB_CNTL) &
             ~SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK);
}

static inline void rig_set_pte(struct sdma_rig *r, uint64_t page, uint64_t pte)
{
    mock_set_vram64(&r->m, RIG_TABLE + page * 8, pte);
}

/* Forget the translations of a VMID: all levels, by engine 0 of the hub. */
static inline void rig_invalidate(struct sdma_rig *r, unsigned vmid)
{
    rig_hub(r, regMMHUB_VM_INVALIDATE_ENG0_REQ, 0x007c0000 | 1u << vmid);
}

static inline void rig_memory(struct sdma_rig *r)
{
    unsigned i;

    rig_hub(r, regMMHUB_MC_VM_AGP_BASE, MOCK_RAM_BASE >> 24);
    rig_hub(r, regMMHUB_MC_VM_AGP_BOT, MOCK_RAM_BASE >> 24);
    rig_hub(r, regMMHUB_MC_VM_AGP_TOP,
            (MOCK_RAM_BASE + r->m.ram_size - 1) >> 24);

    for (i = 0; i < MOCK_RAM_SIZE / 4096; i++) {
        rig_set_pte(r, i, (MOCK_RAM_BASE + i * 4096ull) | RIG_PTE_RW |
                    VGPU_PTE_SYSTEM);
    }
    /* Context 1 of 16: the address registers are pairs, the others single. */
    rig_hub(r, regMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 2,
            LO(RIG_TABLE | VGPU_PTE_VALID));
    rig_hub(r, regMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 2, 0);
    rig_hub(r, regMMHUB_VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32 + 2, 0);
    rig_hub(r, regMMHUB_VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32 + 2, 0);
    rig_hub(r, regMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32 + 2,
            RIG_TABLE_PAGES - 1);
    rig_hub(r, regMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32 + 2, 0);
    /* ENABLE_CONTEXT, PAGE_TABLE_DEPTH 0. */
    rig_hub(r, regMMHUB_VM_CONTEXT1_CNTL, 1);
}

/* Interrupt ring at a bus address, without the MSI-X vector. */
static inline void rig_ih(struct sdma_rig *r)
{
    mock_wreg(&r->m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE),
              LO(RIG_IH_RING >> 8));
    mock_wreg(&r->m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE_HI),
              HI(RIG_IH_RING >> 8));
    mock_wreg(&r->m, VGPU_REG_ABS(OSSSYS, regIH_RB_CNTL),
              IH_RB_CNTL__RB_ENABLE_MASK |
              14u << IH_RB_CNTL__RB_SIZE__SHIFT |
              1u << IH_RB_CNTL__MC_SPACE__SHIFT);
    r->ih_rptr = 0;
}

/* Set up the die that is in r->m. */
static inline void rig_setup(struct sdma_rig *r)
{
    unsigned n;

    rig_memory(r);
    rig_ih(r);
    for (n = 0; n < r->m.cfg.num_sdma; n++) {
        rig_ring_on(r, n);
    }
    r->ib = RIG_IB;
    mock_run(&r->m);
}

/* Start what mock_init() has prepared in r->m, and set it up. */
static inline void rig_start_mock(struct sdma_rig *r)
{
    mock_start(&r->m);
    rig_setup(r);
}

static inline void rig_start(struct sdma_rig *r)
{
    memset(r, 0, sizeof(*r));
    mock_init(&r->m);
    rig_start_mock(r);
}

static inline void rig_stop(struct sdma_rig *r)
{
    mock_stop(&r->m);
}

/* Put dwords into the ring of engine @n, where WPTR is. */
static inline void rig_put(struct sdma_rig *r, unsigned n, const uint32_t *dw,
                           size_t count)
{
    size_t i;

    for (i = 0; i < count; i++) {
        mock_set_ram32(&r->m, RIG_RING(n) + r->wptr[n] % RIG_RING_BYTES,
                       dw[i]);
        r->wptr[n] += 4;
    }
}

/* Tell the engine how far the ring is filled, and let it run. */
static inline void rig_commit(struct sdma_rig *r, unsigned n)
{
    rig_wreg(r, n, regSDMA0_GFX_RB_WPTR, LO(r->wptr[n]));
    rig_wreg(r, n, regSDMA0_GFX_RB_WPTR_HI, HI(r->wptr[n]));
}

static inline void rig_go(struct sdma_rig *r, unsigned n)
{
    rig_commit(r, n);
    mock_run(&r->m);
}

#define DW(...)     ((const uint32_t[]){ __VA_ARGS__ })
#define COUNT(...)  (sizeof(DW(__VA_ARGS__)) / 4)
/* RING: put a packet; RUN: put it and run. On engine n. */
#define RING(r, n, ...) rig_put(r, n, DW(__VA_ARGS__), COUNT(__VA_ARGS__))
#define RUN(r, n, ...) do { \
    RING(r, n, __VA_ARGS__); \
    rig_go(r, n); \
} while (0)

/* An IB with these dwords; returns its bus address. */
static inline uint64_t rig_ib(struct sdma_rig *r, const uint32_t *dw,
                              size_t count)
{
    uint64_t ib = r->ib;

    memcpy(mock_ram(&r->m, ib, count * 4), dw, count * 4);
    r->ib = (ib + count * 4 + 31) & ~31ull;
    return ib;
}

/* Put INDIRECT for these dwords into the ring of engine n. */
static inline void rig_put_ib(struct sdma_rig *r, unsigned n, unsigned vmid,
                              const uint32_t *dw, size_t count)
{
    uint64_t ib = rig_ib(r, dw, count);

    if (vmid) {
        ib = RIG_VA(ib);
    }
    RING(r, n, OP(INDIRECT) | SDMA_PKT_INDIRECT_HEADER_VMID(vmid), LO(ib),
         HI(ib), (uint32_t)count, 0, 0);
}

#define IB(r, n, vmid, ...) do { \
    rig_put_ib(r, n, vmid, DW(__VA_ARGS__), COUNT(__VA_ARGS__)); \
    rig_go(r, n); \
} while (0)

/* RPTR of engine @n, bytes. */
static inline uint64_t rig_rptr(struct sdma_rig *r, unsigned n)
{
    return (uint64_t)rig_rreg(r, n, regSDMA0_GFX_RB_RPTR_HI) << 32 |
           rig_rreg(r, n, regSDMA0_GFX_RB_RPTR);
}

static inline bool rig_idle(struct sdma_rig *r, unsigned n)
{
    return rig_rreg(r, n, regSDMA0_STATUS_REG) & SDMA0_STATUS_REG__IDLE_MASK;
}

/* The next entry of the interrupt ring; false when there is none. */
static inline bool rig_iv(struct sdma_rig *r, uint32_t iv[8])
{
    uint32_t wptr = mock_rreg(&r->m, VGPU_REG_ABS(OSSSYS, regIH_RB_WPTR)) &
                    IH_RB_WPTR__OFFSET_MASK;

    if (r->ih_rptr == wptr) {
        memset(iv, 0, 32);
        return false;
    }
    memcpy(iv, mock_ram(&r->m, RIG_IH_RING + r->ih_rptr, 32), 32);
    r->ih_rptr = (r->ih_rptr + 32) % RIG_IH_BYTES;
    mock_wreg(&r->m, VGPU_REG_ABS(OSSSYS, regIH_RB_RPTR), r->ih_rptr);
    return true;
}

#define IV_CLIENT(iv)   ((iv)[0] & 0xff)
#define IV_SOURCE(iv)   ((iv)[0] >> 8 & 0xff)
#define IV_RING(iv)     ((iv)[0] >> 16 & 0xff)
#define IV_VMID(iv)     ((iv)[0] >> 24 & 0xf)

#endif
