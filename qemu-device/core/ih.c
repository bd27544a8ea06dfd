/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interrupt handler: a ring in memory that every block of the die puts
 * its interrupts into as 32-byte entries, and one MSI-X vector that says there
 * are some. Documentation/hardware.rst, "Interrupts".
 *
 * No interrupt gets lost between device and driver: with RPTR_REARM, one is
 * raised for the first entry and then none until the driver writes the read
 * pointer. If by then there are more entries, the write itself raises the
 * next one; if not, the next entry does. A driver that looks at the write
 * pointer once more after its write of the read pointer may find the entries
 * that this one announces: a spurious interrupt, never a missing one.
 *
 * Rings 1 and 2 exist as registers; nothing is routed to them.
 */
#include <string.h>

#include "die.h"
#include "hw/ih.h"
#include "hw/reg/oss.h"
#include "hw/reg/vgpu.h"

#define OSS(r)      (VGPU_BASE_OSSSYS0 + VGPU_REG_OFF(r))
#define FIELD(val, name)    (((val) & name##_MASK) >> name##__SHIFT)

#define OVERFLOW    IH_RB_WPTR__RB_OVERFLOW_MASK

/* MC_SPACE: the ring is at a bus address (vega20_ih_rb_cntl()). */
#define MC_SPACE_BUS        1
/* The pointers have 18 bits: the largest ring is 256 KiB. */
#define MAX_RB_SIZE         16

#define IH_VECTOR           0

static uint32_t get(struct vgpu_die *d, uint32_t oss_reg)
{
    return vgpu_reg_get(d, OSS(oss_reg));
}

/* ----------------------------------------------------------------- ring */

/* Mask of a pointer into the ring, in whole entries; 0: it can hold none. */
static uint32_t ptr_mask(struct vgpu_die *d)
{
    unsigned size = FIELD(get(d, regIH_RB_CNTL), IH_RB_CNTL__RB_SIZE);

    if (size > MAX_RB_SIZE) {
        size = MAX_RB_SIZE;
    }
    return ((4u << size) - 1) & ~(VGPU_IV_BYTES - 1u);
}

static bool empty(struct vgpu_die *d)
{
    uint32_t mask = ptr_mask(d);
    uint32_t wptr = get(d, regIH_RB_WPTR);

    /* An overflow is news, and the pointers are equal just then. */
    return !(wptr & OVERFLOW) &&
           ((wptr ^ get(d, regIH_RB_RPTR)) & mask) == 0;
}

/* Raise the interrupt if there is reason to. @news: an entry was added. */
static void announce(struct vgpu_die *d, bool news)
{
    uint32_t cntl = get(d, regIH_RB_CNTL);

    if (!(cntl & IH_RB_CNTL__RB_ENABLE_MASK) ||
        !(cntl & IH_RB_CNTL__ENABLE_INTR_MASK) || empty(d)) {
        return;
    }
    if (d->s.ih.signalled &&
        (cntl & IH_RB_CNTL__RPTR_REARM_MASK || !news)) {
        return;
    }
    d->s.ih.signalled = 1;
    d->stats.interrupts++;
    d->msix_pending |= 1u << IH_VECTOR;
    vgpu_trace_step(d, VGPU_STEP_MSIX, 0, IH_VECTOR);
}

/* Write to where the ring or its write pointer is. */
static bool ih_write(struct vgpu_die *d, uint64_t addr, const void *buf,
                     uint64_t len)
{
    uint32_t cntl = get(d, regIH_RB_CNTL);
    struct vgpu_req req = {
        .hub = VGPU_HUB_MM,
        .vmid = FIELD(cntl, IH_RB_CNTL__MC_VMID),
        .cid = VGPU_CID_OSS,
    };
    uint64_t n = len;
    void *p;

    if (FIELD(cntl, IH_RB_CNTL__MC_SPACE) != MC_SPACE_BUS) {
        return vgpu_gmc_write(d, &req, addr, buf, len);
    }
    p = vgpu_gmc_bus(d, addr, &n, true);
    if (!p || n < len) {
        return false;
    }
    if (len == 4 && !((uintptr_t)p & 3)) {
        /* The driver polls it: in one piece, and after the entry. */
        __atomic_store_n((uint32_t *)p, *(const uint32_t *)buf,
                         __ATOMIC_RELEASE);
    } else {
        memcpy(p, buf, len);
    }
    vgpu_gmc_written(d, p, len);
    return true;
}

static void set_wptr(struct vgpu_die *d, uint32_t wptr)
{
    uint32_t cntl = get(d, regIH_RB_CNTL);
    uint64_t addr = (uint64_t)get(d, regIH_RB_WPTR_ADDR_HI) << 32 |
                    (get(d, regIH_RB_WPTR_ADDR_LO) & ~3u);

    vgpu_reg_set(d, OSS(regIH_RB_WPTR), wptr);
    if (cntl & IH_RB_CNTL__RB_ENABLE_MASK &&
        cntl & IH_RB_CNTL__WPTR_WRITEBACK_ENABLE_MASK &&
        !ih_write(d, addr, &wptr, sizeof(wptr))) {
        vgpu_log(d, VGPU_LOG_GUEST_ERROR,
                 "IH: no memory for the write pointer at 0x%llx",
                 (unsigned long long)addr);
    }
}

static void build_entry(struct vgpu_die *d, const struct vgpu_iv *iv,
                        uint32_t dw[VGPU_IV_DWORDS])
{
    uint64_t now = vgpu_gpu_clock(d);
    uint32_t lut = iv->vmid_mm ? regIH_VMID_0_LUT_MM : regIH_VMID_0_LUT;
    unsigned vmid = iv->vmid % VGPU_NUM_VMIDS;

    dw[0] = (uint32_t)iv->client_id << VGPU_IV_DW0_CLIENT__SHIFT |
            (uint32_t)iv->source_id << VGPU_IV_DW0_SOURCE__SHIFT |
            (uint32_t)iv->ring_id << VGPU_IV_DW0_RING__SHIFT |
            (uint32_t)vmid << VGPU_IV_DW0_VMID__SHIFT |
            (iv->vmid_mm ? VGPU_IV_DW0_VMID_SRC_MASK : 0);
    dw[1] = now;
    dw[2] = now >> 32 & VGPU_IV_DW2_TIMESTAMP_HI_MASK;
    dw[3] = get(d, lut + vmid) & VGPU_IV_DW3_PASID_MASK;
    memcpy(&dw[4], iv->src_data, sizeof(iv->src_data));
}

void vgpu_ih_post(struct vgpu_die *d, const struct vgpu_iv *iv)
{
    uint32_t cntl = get(d, regIH_RB_CNTL);
    uint32_t mask = ptr_mask(d);
    uint32_t wptr = get(d, regIH_RB_WPTR);
    uint32_t rptr = get(d, regIH_RB_RPTR) & mask;
    uint64_t base = (uint64_t)get(d, regIH_RB_BASE_HI) << 40 |
                    (uint64_t)get(d, regIH_RB_BASE) << 8;
    uint32_t dw[VGPU_IV_DWORDS];
    uint32_t at = wptr & mask;
    uint32_t next = (at + VGPU_IV_BYTES) & mask;

    if (!(cntl & IH_RB_CNTL__RB_ENABLE_MASK)) {
        return;
    }
    if (d->s.ih.posting) {
        /* The ring itself is where the fault is: it cannot report that. */
        return;
    }
    if (!mask) {
        d->stats.ih_overflows++;
        return;
    }
    /*
     * A full ring: with WPTR_OVERFLOW_ENABLE its oldest entry gives way, and
     * the flag tells the driver to go on from behind the write pointer.
     * Otherwise there is no room for the new one.
     */
    if (next == rptr && !(cntl & IH_RB_CNTL__WPTR_OVERFLOW_ENABLE_MASK)) {
        d->stats.ih_overflows++;
        return;
    }

    d->s.ih.posting = 1;
    build_entry(d, iv, dw);
    if (ih_write(d, base + at, dw, sizeof(dw))) {
        d->stats.ih_entries++;
        vgpu_trace_step(d, VGPU_STEP_IH_ENTRY, 0,
                        (uint32_t)iv->client_id << 8 | iv->source_id);
        next |= wptr & OVERFLOW;
        if ((next & mask) == rptr) {
            d->stats.ih_overflows++;
            if (!(cntl & IH_RB_CNTL__WPTR_OVERFLOW_CLEAR_MASK)) {
                next |= OVERFLOW;
            }
        }
        set_wptr(d, next);
        announce(d, true);
    } else {
        vgpu_log(d, VGPU_LOG_GUEST_ERROR, "IH: no memory for the ring at "
                 "0x%llx", (unsigned long long)base);
    }
    d->s.ih.posting = 0;
}

/* ------------------------------------------------------------- registers */

static void set_rptr(struct vgpu_die *d, uint32_t val)
{
    vgpu_reg_set(d, OSS(regIH_RB_RPTR), val & IH_RB_RPTR__OFFSET_MASK);
    d->s.ih.signalled = 0;
    announce(d, false);
}

static void rptr_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    (void)reg;
    set_rptr(d, val);
}

static void wptr_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    /*
     * The overflow flag is only the hardware's to set and the driver's to
     * clear by WPTR_OVERFLOW_CLEAR; an initialisation to 0 clears it too.
     */
    vgpu_reg_set(d, reg, val & (IH_RB_WPTR__OFFSET_MASK |
                                (vgpu_reg_get(d, reg) & OVERFLOW)));
    if (empty(d)) {
        d->s.ih.signalled = 0;
    }
    announce(d, false);
}

static void cntl_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    uint32_t old = vgpu_reg_get(d, reg);
    uint32_t wptr = get(d, regIH_RB_WPTR);

    vgpu_reg_set(d, reg, val);
    /* The flag is cleared by the edge, and kept from being set by the level. */
    if (~old & val & IH_RB_CNTL__WPTR_OVERFLOW_CLEAR_MASK &&
        wptr & OVERFLOW) {
        set_wptr(d, wptr & ~OVERFLOW);
    }
    /* What came while interrupts were off is announced when they are on. */
    if (~old & val & (IH_RB_CNTL__ENABLE_INTR_MASK |
                      IH_RB_CNTL__RB_ENABLE_MASK)) {
        d->s.ih.signalled = 0;
        announce(d, false);
    }
}

static uint32_t status_read(struct vgpu_die *d, uint32_t reg)
{
    uint32_t status = IH_STATUS__IDLE_MASK | IH_STATUS__INPUT_IDLE_MASK |
                      IH_STATUS__BUFFER_IDLE_MASK | IH_STATUS__MC_WR_IDLE_MASK |
                      IH_STATUS__SELF_INT_GEN_IDLE_MASK;
    uint32_t mask = ptr_mask(d);
    uint32_t wptr = get(d, regIH_RB_WPTR);

    (void)reg;
    if (mask && ((wptr + VGPU_IV_BYTES) & mask) ==
        (get(d, regIH_RB_RPTR) & mask)) {
        status |= IH_STATUS__RB_FULL_MASK;
    }
    if (wptr & OVERFLOW) {
        status |= IH_STATUS__RB_OVERFLOW_MASK;
    }
    return status;
}

static bool doorbell_is(struct vgpu_die *d, uint32_t oss_reg, uint32_t index)
{
    uint32_t val = get(d, oss_reg);

    return val & IH_DOORBELL_RPTR__ENABLE_MASK &&
           FIELD(val, IH_DOORBELL_RPTR__OFFSET) == index;
}

bool vgpu_ih_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val)
{
    if (doorbell_is(d, regIH_DOORBELL_RPTR, index)) {
        set_rptr(d, val);
        return true;
    }
    if (doorbell_is(d, regIH_DOORBELL_RPTR_RING1, index)) {
        vgpu_reg_set(d, OSS(regIH_RB_RPTR_RING1),
                     val & IH_RB_RPTR__OFFSET_MASK);
        return true;
    }
    if (doorbell_is(d, regIH_DOORBELL_RPTR_RING2, index)) {
        vgpu_reg_set(d, OSS(regIH_RB_RPTR_RING2),
                     val & IH_RB_RPTR__OFFSET_MASK);
        return true;
    }
    /* Retry faults do not happen, so that the CAM has nothing to release. */
    return doorbell_is(d, regIH_DOORBELL_RETRY_CAM, index);
}

#define R(n, cnt, mask, rd, wr) \
    { .reg = OSS(reg##n), .count = cnt, .stride = 1, .wmask = mask, \
      .read = rd, .write = wr, .name = #n }

#define DOORBELL_MASK   (IH_DOORBELL_RPTR__OFFSET_MASK | \
                         IH_DOORBELL_RPTR__ENABLE_MASK)
#define RPTR_MASK       IH_RB_RPTR__OFFSET_MASK

static const struct vgpu_reg_desc ih_regs[] = {
    R(IH_VMID_0_LUT, 16, IH_VMID_0_LUT__PASID_MASK, NULL, NULL),
    R(IH_VMID_0_LUT_MM, 16, IH_VMID_0_LUT_MM__PASID_MASK, NULL, NULL),
    R(IH_RB_CNTL, 1, ~0u, NULL, cntl_write),
    R(IH_RB_BASE, 1, ~0u, NULL, NULL),
    R(IH_RB_BASE_HI, 1, IH_RB_BASE_HI__ADDR_MASK, NULL, NULL),
    R(IH_RB_RPTR, 1, RPTR_MASK, NULL, rptr_write),
    R(IH_RB_WPTR, 1, RPTR_MASK | OVERFLOW, NULL, wptr_write),
    R(IH_RB_WPTR_ADDR_HI, 1, IH_RB_WPTR_ADDR_HI__ADDR_MASK, NULL, NULL),
    R(IH_RB_WPTR_ADDR_LO, 1, IH_RB_WPTR_ADDR_LO__ADDR_MASK, NULL, NULL),
    R(IH_DOORBELL_RPTR, 1, DOORBELL_MASK, NULL, NULL),
    R(IH_DOORBELL_RETRY_CAM, 1, DOORBELL_MASK, NULL, NULL),
    R(IH_RB_CNTL_RING1, 1, ~0u, NULL, NULL),
    R(IH_RB_BASE_RING1, 1, ~0u, NULL, NULL),
    R(IH_RB_BASE_HI_RING1, 1, 0xff, NULL, NULL),
    R(IH_RB_RPTR_RING1, 1, RPTR_MASK, NULL, NULL),
    R(IH_RB_WPTR_RING1, 1, RPTR_MASK, NULL, NULL),
    R(IH_DOORBELL_RPTR_RING1, 1, DOORBELL_MASK, NULL, NULL),
    R(IH_RB_CNTL_RING2, 1, ~0u, NULL, NULL),
    R(IH_RB_BASE_RING2, 1, ~0u, NULL, NULL),
    R(IH_RB_BASE_HI_RING2, 1, 0xff, NULL, NULL),
    R(IH_RB_RPTR_RING2, 1, RPTR_MASK, NULL, NULL),
    R(IH_RB_WPTR_RING2, 1, RPTR_MASK, NULL, NULL),
    R(IH_DOORBELL_RPTR_RING2, 1, DOORBELL_MASK, NULL, NULL),
    R(IH_CNTL, 1, ~0u, NULL, NULL),
    R(IH_CNTL2, 1, ~0u, NULL, NULL),
    R(IH_STATUS, 1, 0, status_read, NULL),
    R(IH_INT_FLOOD_CNTL, 1, ~0u, NULL, NULL),
    R(IH_INT_FLOOD_STATUS, 1, 0, NULL, NULL),
    R(IH_STORM_CLIENT_LIST_CNTL, 1, ~0u, NULL, NULL),
    R(IH_CLK_CTRL, 1, ~0u, NULL, NULL),
    R(IH_CHICKEN_ALDEBARAN, 1, ~0u, NULL, NULL),
    R(IH_RETRY_INT_CAM_CNTL_ALDEBARAN, 1, ~0u, NULL, NULL),
};

static bool init(struct vgpu_die *d)
{
    return vgpu_regs_claim(d, ih_regs, sizeof(ih_regs) / sizeof(ih_regs[0]));
}

static bool valid(const struct vgpu_die *d, const struct vgpu_die_state *s)
{
    (void)d;
    return s->ih.signalled <= 1 && !s->ih.posting;
}

/*
 * Whether the host raised the last interrupt before the state was saved is
 * not known: raise it again if there are entries.
 */
static void loaded(struct vgpu_die *d)
{
    d->s.ih.signalled = 0;
    announce(d, false);
}

const struct vgpu_block vgpu_ih_block = {
    .name = "ih",
    .init = init,
    .valid = valid,
    .loaded = loaded,
};
