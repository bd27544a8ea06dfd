/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A die whose graphics ring is set up, for the tests of the command processor:
 * a ring and an interrupt ring in VRAM, and an address space for VMID 1 that
 * maps its first MiB, but for a hole, on VRAM.
 */
#ifndef VGPU_PM4_RIG_H
#define VGPU_PM4_RIG_H

#include "harness.h"
#include "pm4.h"
#include "hw/ih.h"
#include "hw/pte.h"
#include "hw/reg/gc.h"
#include "hw/reg/nbio.h"
#include "hw/reg/oss.h"
#include "hw/reg/vgpu.h"

/* Offsets in VRAM */
#define RIG_RPTR        0x01000u    /* read-pointer write-back */
#define RIG_SHADOW      0x02000u    /* write-pointer shadow */
#define RIG_IH          0x04000u    /* 16 KiB interrupt ring */
#define RIG_PT          0x08000u    /* page table of VMID 1 */
#define RIG_RING        0x10000u    /* 1 << 12 dwords */
#define RIG_IB          0x20000u    /* IBs, by convention */
#define RIG_DATA        0x40000u    /* data, by convention */
#define RIG_HOLE        0x80000u    /* a page that VMID 1 has not */
#define RIG_RO          0x81000u    /* a page that VMID 1 may only read */
#define RIG_PT_PAGES    256u
#define RIG_RB_BUFSZ    11u
#define RIG_RING_DW     (2u << RIG_RB_BUFSZ)
#define RIG_DOORBELL    0x20u
#define RIG_ALL_INTS \
    (CP_INT_CNTL_RING0__TIME_STAMP_INT_ENABLE_MASK | \
     CP_INT_CNTL_RING0__OPCODE_ERROR_INT_ENABLE_MASK | \
     CP_INT_CNTL_RING0__RESERVED_BIT_ERROR_INT_ENABLE_MASK | \
     CP_INT_CNTL_RING0__CP_ECC_ERROR_INT_ENABLE_MASK | \
     CP_INT_CNTL_RING0__PRIV_REG_INT_ENABLE_MASK)

struct rig {
    struct mock m;
    uint64_t wptr;
    uint32_t ih_rptr;
};

/* MC address of VRAM offset 0 */
static inline uint64_t rig_fb(struct rig *r)
{
    return (uint64_t)mock_rreg(&r->m, GC(MC_VM_FB_LOCATION_BASE)) << 24;
}

/* A VMID 0 address that leads nowhere; see rig_init(). */
static inline uint64_t rig_nowhere(struct rig *r)
{
    return rig_fb(r) + (64ull << 20);
}

static inline uint32_t *rig_vram(struct rig *r, uint32_t off)
{
    return mock_vram(&r->m, off, 4);
}

static inline uint64_t *rig_vram64(struct rig *r, uint32_t off)
{
    return mock_vram(&r->m, off, 8);
}

#define RIG_OSS(name)   VGPU_REG_ABS(OSSSYS, reg##name)

static inline void rig_ih_setup(struct rig *r)
{
    uint64_t ih = rig_fb(r) + RIG_IH;

    mock_wreg(&r->m, RIG_OSS(IH_RB_BASE), ih >> 8);
    mock_wreg(&r->m, RIG_OSS(IH_RB_BASE_HI), ih >> 40);
    /* 1 << 12 dwords, at an MC address */
    mock_wreg(&r->m, RIG_OSS(IH_RB_CNTL),
              12u << IH_RB_CNTL__RB_SIZE__SHIFT |
              4u << IH_RB_CNTL__MC_SPACE__SHIFT |
              IH_RB_CNTL__ENABLE_INTR_MASK | IH_RB_CNTL__RB_ENABLE_MASK);
    r->ih_rptr = 0;
}

static inline void rig_vm_setup(struct rig *r, unsigned vmid)
{
    uint32_t cntl = mock_rreg(&r->m, GC(VM_CONTEXT0_CNTL) + vmid);
    uint64_t *pte = mock_vram(&r->m, RIG_PT, RIG_PT_PAGES * 8);
    unsigned i;

    for (i = 0; i < RIG_PT_PAGES; i++) {
        pte[i] = (uint64_t)i << 12 | VGPU_PTE_VALID | VGPU_PTE_READABLE |
                 VGPU_PTE_WRITEABLE;
    }
    pte[RIG_HOLE >> 12] = 0;
    pte[RIG_RO >> 12] &= ~VGPU_PTE_WRITEABLE;
    mock_wreg(&r->m, GC(VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32) + 2 * vmid,
              RIG_PT | VGPU_PTE_VALID);
    mock_wreg(&r->m, GC(VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32) + 2 * vmid, 0);
    mock_wreg(&r->m, GC(VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32) + 2 * vmid, 0);
    mock_wreg(&r->m, GC(VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32) + 2 * vmid,
              RIG_PT_PAGES - 1);
    cntl &= ~VM_CONTEXT0_CNTL__PAGE_TABLE_DEPTH_MASK;
    mock_wreg(&r->m, GC(VM_CONTEXT0_CNTL) + vmid,
              cntl | VM_CONTEXT0_CNTL__ENABLE_CONTEXT_MASK);
}

/* What a driver does before it un-halts the ME. */
static inline void rig_ring_setup(struct rig *r, unsigned bufsz)
{
    uint64_t fb = rig_fb(r);

    mock_wreg(&r->m, GC(CP_RB0_CNTL), bufsz);
    mock_wreg(&r->m, GC(CP_RB0_WPTR), 0);
    mock_wreg(&r->m, GC(CP_RB0_WPTR_HI), 0);
    mock_wreg(&r->m, GC(CP_RB0_RPTR_ADDR), fb + RIG_RPTR);
    mock_wreg(&r->m, GC(CP_RB0_RPTR_ADDR_HI), (fb + RIG_RPTR) >> 32);
    mock_wreg(&r->m, GC(CP_RB0_BASE), (fb + RIG_RING) >> 8);
    mock_wreg(&r->m, GC(CP_RB0_BASE_HI), (fb + RIG_RING) >> 40);
    mock_wreg(&r->m, GC(CP_RB_DOORBELL_RANGE_LOWER), RIG_DOORBELL << 2);
    mock_wreg(&r->m, GC(CP_RB_DOORBELL_RANGE_UPPER),
              CP_RB_DOORBELL_RANGE_UPPER__DOORBELL_RANGE_UPPER_MASK);
    mock_wreg(&r->m, GC(CP_RB_DOORBELL_CONTROL),
              RIG_DOORBELL << CP_RB_DOORBELL_CONTROL__DOORBELL_OFFSET__SHIFT |
              CP_RB_DOORBELL_CONTROL__DOORBELL_EN_MASK);
    mock_wreg(&r->m, GC(CP_INT_CNTL_RING0), RIG_ALL_INTS);
    mock_wreg(&r->m, VGPU_REG_ABS(NBIO, regRCC_DOORBELL_APER_EN), 1);
    r->wptr = 0;
}

static inline void rig_start_me(struct rig *r)
{
    mock_wreg(&r->m, GC(CP_ME_CNTL), 0);
}

/* Set up the die that is in r->m. */
static inline void rig_setup(struct rig *r)
{
    /* What no aperture holds goes to the default page: let that be nowhere. */
    mock_wreg(&r->m, GC(MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB), 0x0fffffff);
    rig_ih_setup(r);
    rig_vm_setup(r, 1);
    rig_ring_setup(r, RIG_RB_BUFSZ);
    rig_start_me(r);
}

static inline void rig_init(struct rig *r)
{
    memset(r, 0, sizeof(*r));
    mock_default(&r->m);
    rig_setup(r);
}

static inline void rig_stop(struct rig *r)
{
    mock_stop(&r->m);
}

/* Put dwords in the ring without telling anybody. */
static inline void rig_put(struct rig *r, const uint32_t *dw, unsigned n)
{
    uint32_t mask = mock_rreg(&r->m, GC(CP_RB0_CNTL)) &
                    CP_RB0_CNTL__RB_BUFSZ_MASK;
    unsigned i;

    mask = (2u << mask) - 1;
    for (i = 0; i < n; i++) {
        *rig_vram(r, RIG_RING + 4 * (r->wptr++ & mask)) = dw[i];
    }
}

static inline uint64_t rig_ring(struct rig *r)
{
    mock_doorbell(&r->m, RIG_DOORBELL, r->wptr);
    return mock_run(&r->m);
}

/* Put, ring the doorbell, run. */
#define RIG_RUN(r, ...) do { \
    const uint32_t dw_[] = { __VA_ARGS__ }; \
    rig_put((r), dw_, sizeof(dw_) / 4); \
    rig_ring(r); \
} while (0)

/* Store an IB at a VRAM offset; VMID 1 has the same address for it. */
static inline unsigned rig_store(struct rig *r, uint32_t off,
                                 const uint32_t *dw, unsigned n)
{
    memcpy(mock_vram(&r->m, off, 4ull * n), dw, 4ull * n);
    return n;
}

#define RIG_STORE(r, off, ...) \
    rig_store((r), (off), (const uint32_t[]){ __VA_ARGS__ }, \
              sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

#define LO(va)  ((uint32_t)(va))
#define HI(va)  ((uint32_t)((uint64_t)(va) >> 32))

static inline void rig_call_ib(struct rig *r, uint64_t va, uint32_t size,
                               unsigned vmid)
{
    RIG_RUN(r, PACKET3(PACKET3_INDIRECT_BUFFER, 2), LO(va), HI(va),
            size | vmid << 24);
}

/* Run an IB of VMID 1. */
#define RIG_RUN_IB(r, ...) \
    rig_call_ib((r), RIG_IB, RIG_STORE((r), RIG_IB, __VA_ARGS__), 1)

static inline uint32_t rig_rptr(struct rig *r)
{
    return mock_rreg(&r->m, GC(CP_RB0_RPTR));
}

static inline bool rig_empty(struct rig *r)
{
    return !vgpu_cp_busy(r->m.die);
}

static inline uint32_t rig_halted(struct rig *r)
{
    return r->m.die->s.cp.halted;
}

/* Next interrupt; false: there is none. */
static inline bool rig_irq(struct rig *r, uint32_t iv[8])
{
    uint32_t wptr = mock_rreg(&r->m, RIG_OSS(IH_RB_WPTR)) & 0x3ffe0;

    if (wptr == r->ih_rptr) {
        return false;
    }
    memcpy(iv, mock_vram(&r->m, RIG_IH + r->ih_rptr, 32), 32);
    r->ih_rptr = (r->ih_rptr + 32) & 0x3fff;
    mock_wreg(&r->m, RIG_OSS(IH_RB_RPTR), r->ih_rptr);
    return true;
}

/* Expect one interrupt of the CP, and no other. */
#define CHECK_IRQ(r, source, vmid) do { \
    uint32_t iv_[8] = { 0 }; \
    CHECK(rig_irq((r), iv_)); \
    CHECK_EQ(iv_[0] & 0xff, SOC15_IH_CLIENTID_GRBM_CP); \
    CHECK_EQ(iv_[0] >> 8 & 0xff, (source)); \
    CHECK_EQ(iv_[0] >> 16 & 0xff, 0); \
    CHECK_EQ(iv_[0] >> 24 & 0xf, (vmid)); \
    CHECK(!rig_irq((r), iv_)); \
} while (0)

#define CHECK_NO_IRQ(r) do { \
    uint32_t iv_[8]; \
    CHECK(!rig_irq((r), iv_)); \
} while (0)

/* Expect a halt for that reason, with the interrupt that goes with it. */
#define CHECK_HALT(r, why, vmid) do { \
    static const uint8_t source_[] = { \
        [VGPU_CP_BAD_OPCODE] = GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR, \
        [VGPU_CP_RESERVED_BITS] = GFX_9_0__SRCID__CP_PM4_PKT_RSVD_BIT_ERROR, \
        [VGPU_CP_REG_VIOLATION] = GFX_9_0__SRCID__CP_PRIV_REG_FAULT, \
        [VGPU_CP_POISON] = GFX_9_0__SRCID__CP_ECC_ERROR, \
    }; \
    CHECK_EQ(rig_halted(r), (why)); \
    CHECK_IRQ((r), source_[why], (vmid)); \
} while (0)

/* Recovery as a driver does it: halt, reset, set up, go. */
static inline void rig_recover(struct rig *r)
{
    mock_wreg(&r->m, GC(CP_ME_CNTL),
              CP_ME_CNTL__ME_HALT_MASK | CP_ME_CNTL__PFP_HALT_MASK |
              CP_ME_CNTL__CE_HALT_MASK);
    mock_wreg(&r->m, GC(GRBM_SOFT_RESET), GRBM_SOFT_RESET__SOFT_RESET_CP_MASK);
    mock_wreg(&r->m, GC(GRBM_SOFT_RESET), 0);
    rig_ring_setup(r, RIG_RB_BUFSZ);
    rig_start_me(r);
    mock_run(&r->m);
}

#endif
