/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NBIO 7.4 and HDP 4.4: how the CPU reaches the die. Memory size, straps, the
 * doorbell aperture and its ranges, index/data pairs, HDP flush.
 * Documentation/hardware.rst, "Bus interface" and "Host data path".
 */
#include <string.h>

#include "die.h"
#include <hw/reg/hdp.h>
#include <hw/reg/mp.h>
#include <hw/reg/nbio.h>

#define NBIO(name)  VGPU_REG_ABS(NBIO, reg##name)
#define HDP(name)   VGPU_REG_ABS(HDP, reg##name)

/* PCI device id of MI250X and the silicon revision that its straps report. */
#define STRAP_DEVICE_ID 0x740c
#define STRAP_ATI_REV   1

/*
 * The last page of BAR5 has no registers of its own: a driver points the two
 * REMAP_HDP_*_FLUSH_CNTL there, so that a process which may map just this page
 * can flush.
 */
#define HOLE_START  0x1fc00
#define HOLE_DWORDS 0x400

/* A doorbell range counts within the 4 KiB page that a process has. */
#define DOORBELL_PAGE_DWORDS 1024

/* ------------------------------------------------------------- doorbells */

/* The fields of all BIF_*_DOORBELL_RANGE registers are laid out alike. */
static bool in_range(struct vgpu_die *d, uint32_t range_reg, uint32_t index)
{
    uint32_t range = vgpu_reg_get(d, range_reg);
    uint32_t first = (range & BIF_SDMA0_DOORBELL_RANGE__OFFSET_MASK) >>
                     BIF_SDMA0_DOORBELL_RANGE__OFFSET__SHIFT;
    uint32_t size = (range & BIF_SDMA0_DOORBELL_RANGE__SIZE_MASK) >>
                    BIF_SDMA0_DOORBELL_RANGE__SIZE__SHIFT;

    index %= DOORBELL_PAGE_DWORDS;
    return index >= first && index - first < size;
}

bool vgpu_nbio_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val)
{
    unsigned i;

    if (!(vgpu_reg_get(d, NBIO(RCC_DOORBELL_APER_EN)) &
          RCC_DOORBELL_APER_EN__BIF_DOORBELL_APER_EN_MASK)) {
        return false;
    }
    for (i = 0; i < d->cfg.num_sdma; i++) {
        if (in_range(d, VGPU_REG_ABS(NBIO, VGPU_BIF_SDMA_DOORBELL_RANGE(i)),
                     index)) {
            return vgpu_sdma_doorbell(d, i, index, val);
        }
    }
    if (in_range(d, NBIO(BIF_IH_DOORBELL_RANGE), index)) {
        return vgpu_ih_doorbell(d, index, val);
    }
    /* What no range claims goes to the CP, which has ranges of its own. */
    return vgpu_cp_doorbell(d, index, val);
}

/* -------------------------------------------------------- HDP flush */

void vgpu_hdp_flush(struct vgpu_die *d)
{
    vgpu_wake_parked(d);
}

static void flush_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    (void)reg;
    (void)val;
    vgpu_hdp_flush(d);
}

/* A flush is over at once, so the requester's bit in DONE follows its REQ. */
static void flush_req_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    uint32_t done = NBIO(GPU_HDP_FLUSH_DONE);

    vgpu_reg_set(d, reg, val);
    vgpu_reg_set(d, done, vgpu_reg_get(d, done) | val);
    vgpu_hdp_flush(d);
}

static bool is_remapped_flush(struct vgpu_die *d, uint32_t reg)
{
    return reg * 4 == (vgpu_reg_get(d, NBIO(REMAP_HDP_MEM_FLUSH_CNTL)) &
                       REMAP_HDP_MEM_FLUSH_CNTL__ADDRESS_MASK) ||
           reg * 4 == (vgpu_reg_get(d, NBIO(REMAP_HDP_REG_FLUSH_CNTL)) &
                       REMAP_HDP_REG_FLUSH_CNTL__ADDRESS_MASK);
}

static uint32_t hole_read(struct vgpu_die *d, uint32_t reg)
{
    if (!is_remapped_flush(d, reg)) {
        vgpu_reg_unclaimed(d, reg, false, 0);
    }
    return 0;
}

static void hole_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    if (is_remapped_flush(d, reg)) {
        vgpu_hdp_flush(d);
    } else {
        vgpu_reg_unclaimed(d, reg, true, val);
    }
}

/* ----------------------------------------------------------- RAS events */

#define RAS(f)  BIF_DOORBELL_INT_CNTL__RAS_##f##_MASK

#define RAS_STATUS  ((uint32_t)(RAS(CNTLR_INTERRUPT_STATUS) | \
                                RAS(ATHUB_ERR_EVENT_INTERRUPT_STATUS)))

void vgpu_nbio_ras_event(struct vgpu_die *d)
{
    uint32_t reg = NBIO(BIF_DOORBELL_INT_CNTL_ALDE);
    uint32_t val = vgpu_reg_get(d, reg);

    vgpu_reg_set(d, reg, val | RAS(ATHUB_ERR_EVENT_INTERRUPT_STATUS));
    if (!(val & RAS(ATHUB_ERR_EVENT_INTERRUPT_DISABLE))) {
        d->stats.interrupts++;
        d->msix_pending |= 1;
    }
}

static void ras_int_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    if (val & RAS(CNTLR_INTERRUPT_CLEAR)) {
        val &= ~RAS(CNTLR_INTERRUPT_STATUS);
    }
    if (val & RAS(ATHUB_ERR_EVENT_INTERRUPT_CLEAR)) {
        val &= ~RAS(ATHUB_ERR_EVENT_INTERRUPT_STATUS);
    }
    vgpu_reg_set(d, reg, val & ~(RAS(CNTLR_INTERRUPT_CLEAR) |
                                 RAS(ATHUB_ERR_EVENT_INTERRUPT_CLEAR)));
}

/* ------------------------------------------------------ index/data pairs */

/* A pair that points at the data register of a pair would never come back. */
static bool is_data_reg(uint32_t reg)
{
    return reg == NBIO(MM_DATA) || reg == NBIO(PCIE_DATA) ||
           reg == NBIO(PCIE_DATA2);
}

/*
 * Register at byte address @addr of BAR5 or, beyond it, of the SMN, of which a
 * driver needs but one: does the power controller run?
 */
static uint32_t indirect_read(struct vgpu_die *d, uint64_t addr)
{
    uint32_t val;

    if (addr == (MP1_Public | smnMP1_FIRMWARE_FLAGS)) {
        return MP1_FIRMWARE_FLAGS__INTERRUPTS_ENABLED_MASK;
    }
    if (vgpu_xgmi_smn_read(d, addr, &val)) {
        return val;
    }
    if (addr >= VGPU_MMIO_SIZE || (addr & 3) || is_data_reg(addr / 4)) {
        vgpu_reg_unclaimed(d, addr / 4, false, 0);
        return 0;
    }
    return vgpu_reg_read(d, addr / 4);
}

static void indirect_write(struct vgpu_die *d, uint64_t addr, uint32_t val)
{
    if (vgpu_xgmi_smn_write(d, addr, val)) {
        return;
    }
    if (addr >= VGPU_MMIO_SIZE || (addr & 3) || is_data_reg(addr / 4)) {
        vgpu_reg_unclaimed(d, addr / 4, true, val);
        return;
    }
    vgpu_reg_write(d, addr / 4, val);
}

/*
 * With bit 31 of MM_INDEX the pair reaches VRAM: bits 30:2 from MM_INDEX, the
 * ones above from MM_INDEX_HI.
 */
static bool mm_vram(struct vgpu_die *d, uint8_t **ptr)
{
    uint32_t index = vgpu_reg_get(d, NBIO(MM_INDEX));
    uint64_t addr;

    if (!(index & MM_INDEX__MM_APER_MASK)) {
        return false;
    }
    addr = (uint64_t)vgpu_reg_get(d, NBIO(MM_INDEX_HI)) << 31 |
           (index & MM_INDEX__MM_OFFSET_MASK);
    *ptr = addr <= d->cfg.vram_size - 4 && !(addr & 3) ?
           d->cfg.vram + addr : NULL;
    return true;
}

static uint32_t mm_data_read(struct vgpu_die *d, uint32_t reg)
{
    uint8_t *ptr;
    uint32_t val;

    if (!mm_vram(d, &ptr)) {
        return indirect_read(d, vgpu_reg_get(d, NBIO(MM_INDEX)));
    }
    if (!ptr) {
        vgpu_reg_unclaimed(d, reg, false, 0);
        return ~0u;
    }
    memcpy(&val, ptr, 4);
    return val;
}

static void mm_data_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    uint8_t *ptr;

    if (!mm_vram(d, &ptr)) {
        indirect_write(d, vgpu_reg_get(d, NBIO(MM_INDEX)), val);
        return;
    }
    if (!ptr) {
        vgpu_reg_unclaimed(d, reg, true, val);
        return;
    }
    memcpy(ptr, &val, 4);
    d->mem_written = true;
    d->cfg.ops->written(d->cfg.opaque, ptr, 4);
}

/* The index register of a PCIE pair is the one before its data register. */
static uint32_t pcie_data_read(struct vgpu_die *d, uint32_t reg)
{
    return indirect_read(d, vgpu_reg_get(d, reg - 1));
}

static void pcie_data_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    indirect_write(d, vgpu_reg_get(d, reg - 1), val);
}

_Static_assert(NBIO(PCIE_DATA) == NBIO(PCIE_INDEX) + 1 &&
               NBIO(PCIE_DATA2) == NBIO(PCIE_INDEX2) + 1,
               "pcie_data_read() relies on it");

/* ---------------------------------------------------------------- tables */

#define RANGE_MASK (BIF_SDMA0_DOORBELL_RANGE__OFFSET_MASK | \
                    BIF_SDMA0_DOORBELL_RANGE__SIZE_MASK)

#define NBIO_REG(n, mask, ...) \
    { .reg = NBIO(n), .wmask = (mask), .name = #n, ##__VA_ARGS__ }
#define HDP_REG(n, mask, ...) \
    { .reg = HDP(n), .wmask = (mask), .name = #n, ##__VA_ARGS__ }

static const struct vgpu_reg_desc regs[] = {
    NBIO_REG(MM_INDEX, ~0u),
    NBIO_REG(MM_INDEX_HI, ~0u),
    NBIO_REG(MM_DATA, ~0u, .read = mm_data_read, .write = mm_data_write),
    NBIO_REG(PCIE_INDEX, ~0u),
    NBIO_REG(PCIE_DATA, ~0u, .read = pcie_data_read,
             .write = pcie_data_write),
    NBIO_REG(PCIE_INDEX2, ~0u),
    NBIO_REG(PCIE_DATA2, ~0u, .read = pcie_data_read,
             .write = pcie_data_write),
    NBIO_REG(BIOS_SCRATCH_0, ~0u, .count = 10),

    NBIO_REG(RCC_CONFIG_MEMSIZE, 0),
    NBIO_REG(RCC_CONFIG_RESERVED, 0),
    NBIO_REG(RCC_CONFIG_CNTL, ~0u),
    /* Not virtualised: neither a virtual function nor the host of one. */
    NBIO_REG(RCC_IOV_FUNC_IDENTIFIER, 0),
    NBIO_REG(RCC_DEV0_EPF0_STRAP0_ALDE, 0,
             .reset = STRAP_DEVICE_ID |
             STRAP_ATI_REV <<
             RCC_DEV0_EPF0_STRAP0__STRAP_ATI_REV_ID_DEV0_F0__SHIFT |
             RCC_DEV0_EPF0_STRAP0__STRAP_FUNC_EN_DEV0_F0_MASK),
    NBIO_REG(BIF_FB_EN, BIF_FB_EN__FB_READ_EN_MASK |
             BIF_FB_EN__FB_WRITE_EN_MASK),
    NBIO_REG(BUS_CNTL, ~0u),
    NBIO_REG(BACO_CNTL, ~0u),
    NBIO_REG(INTERRUPT_CNTL, ~0u),
    NBIO_REG(INTERRUPT_CNTL2, ~0u),
    NBIO_REG(BIF_DOORBELL_INT_CNTL_ALDE, ~RAS_STATUS,
             .write = ras_int_write),
    NBIO_REG(BIF_INTR_CNTL_ALDE, ~0u),

    NBIO_REG(RCC_DOORBELL_APER_EN,
             RCC_DOORBELL_APER_EN__BIF_DOORBELL_APER_EN_MASK),
    NBIO_REG(BIF_DOORBELL_CNTL, ~0u),
    NBIO_REG(BIF_SDMA0_DOORBELL_RANGE, RANGE_MASK),
    NBIO_REG(BIF_SDMA1_DOORBELL_RANGE, RANGE_MASK),
    { .reg = VGPU_REG_ABS(NBIO, VGPU_BIF_SDMA_DOORBELL_RANGE(2)),
      .wmask = RANGE_MASK, .name = "BIF_SDMA2_DOORBELL_RANGE" },
    { .reg = VGPU_REG_ABS(NBIO, VGPU_BIF_SDMA_DOORBELL_RANGE(3)),
      .wmask = RANGE_MASK, .name = "BIF_SDMA3_DOORBELL_RANGE" },
    { .reg = VGPU_REG_ABS(NBIO, VGPU_BIF_SDMA_DOORBELL_RANGE(4)),
      .wmask = RANGE_MASK, .name = "BIF_SDMA4_DOORBELL_RANGE" },
    NBIO_REG(BIF_IH_DOORBELL_RANGE, RANGE_MASK),
    NBIO_REG(BIF_MMSCH0_DOORBELL_RANGE, RANGE_MASK),
    NBIO_REG(BIF_MMSCH1_DOORBELL_RANGE_ALDE, RANGE_MASK),
    NBIO_REG(DOORBELL_SELFRING_GPA_APER_BASE_HIGH, ~0u),
    NBIO_REG(DOORBELL_SELFRING_GPA_APER_BASE_LOW, ~0u),
    NBIO_REG(DOORBELL_SELFRING_GPA_APER_CNTL, ~0u),

    NBIO_REG(GPU_HDP_FLUSH_REQ, ~0u, .write = flush_req_write),
    NBIO_REG(GPU_HDP_FLUSH_DONE, 0),
    NBIO_REG(HDP_MEM_COHERENCY_FLUSH_CNTL, ~0u, .write = flush_write),
    NBIO_REG(HDP_REG_COHERENCY_FLUSH_CNTL, ~0u, .write = flush_write),
    NBIO_REG(REMAP_HDP_MEM_FLUSH_CNTL,
             REMAP_HDP_MEM_FLUSH_CNTL__ADDRESS_MASK),
    NBIO_REG(REMAP_HDP_REG_FLUSH_CNTL,
             REMAP_HDP_REG_FLUSH_CNTL__ADDRESS_MASK),
    { .reg = HOLE_START, .count = HOLE_DWORDS, .wmask = ~0u,
      .read = hole_read, .write = hole_write, .name = "REMAP_PAGE" },

    HDP_REG(HDP_NONSURFACE_BASE, ~0u),
    HDP_REG(HDP_NONSURFACE_BASE_HI,
            HDP_NONSURFACE_BASE_HI__NONSURF_BASE_47_40_MASK),
    HDP_REG(HDP_NONSURFACE_INFO, ~0u),
    HDP_REG(HDP_READ_CACHE_INVALIDATE, ~0u, .write = flush_write),
    HDP_REG(HDP_MISC_CNTL, ~0u),
    HDP_REG(HDP_HOST_PATH_CNTL, ~0u),
    HDP_REG(HDP_OUTSTANDING_REQ, 0),
    HDP_REG(HDP_MMHUB_CNTL, ~0u),
    HDP_REG(HDP_MEM_POWER_CTRL, ~0u),
    HDP_REG(HDP_EDC_CNT, ~0u),
    HDP_REG(HDP_VERSION, 0,
            .reset = 4 << HDP_VERSION__MAJVER__SHIFT |
            4 << HDP_VERSION__MINVER__SHIFT),
};

static bool init(struct vgpu_die *d)
{
    return vgpu_regs_claim(d, regs, sizeof(regs) / sizeof(regs[0]));
}

static void reset(struct vgpu_die *d)
{
    vgpu_reg_set(d, NBIO(RCC_CONFIG_MEMSIZE), d->cfg.vram_size >> 20);
}

/* Derived from the configuration, never from a migration stream. */
static void loaded(struct vgpu_die *d)
{
    reset(d);
}

const struct vgpu_block vgpu_nbio_block = {
    .name = "nbio",
    .init = init,
    .reset = reset,
    .loaded = loaded,
};
