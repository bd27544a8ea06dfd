/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The register space: who claims which offset, and an access to one. BAR5
 * and the register buses of the CP and SDMA all come through here.
 * Documentation/architecture.rst, "Registers".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

/* reg_seen[]: unclaimed accesses are counted always but logged once each. */
#define SEEN_READ   1
#define SEEN_WRITE  2

/*
 * Where the address blocks of MI250X start in BAR5, dwords
 * (aldebaran_ip_offset.h). A name for an offset that no block claims.
 */
static const struct {
    uint32_t start;
    const char *name;
} apertures[] = {
    { 0x00000, "NBIO" },   { 0x00c20, "ATHUB" },  { 0x00d20, "NBIO" },
    { 0x00f20, "HDP" },    { 0x010a0, "OSSSYS" }, { 0x01260, "SDMA0" },
    { 0x01860, "SDMA1" },  { 0x02000, "GC" },     { 0x07000, "DF" },
    { 0x07800, "VCN" },    { 0x0a000, "GC" },     { 0x10400, "NBIO" },
    { 0x12540, "SDMA0" },  { 0x12560, "SDMA1" },  { 0x13760, "SDMA2" },
    { 0x13780, "SDMA3" },  { 0x137a0, "SDMA4" },  { 0x14000, "UMC" },
    { 0x16000, "MP" },     { 0x16600, "THM" },    { 0x16800, "SMUIO" },
    { 0x16c00, "CLK" },    { 0x17400, "FUSE" },   { 0x17e00, "CLK" },
    { 0x1a000, "MMHUB" },  { 0x1b000, "CLK" },    { 0x1e000, "SDMA2" },
    { 0x1e400, "SDMA3" },  { 0x1e800, "SDMA4" },  { 0x1f000, "VGPU" },
};

#define NUM_APERTURES (sizeof(apertures) / sizeof(apertures[0]))

static bool claim(struct vgpu_die *d, const struct vgpu_reg_desc *desc,
                  bool rest)
{
    unsigned count = desc->count ? desc->count : 1;
    unsigned stride = desc->stride ? desc->stride : 1;
    struct vgpu_reg_desc *regs;
    unsigned i;

    if (desc->reg >= VGPU_NUM_REGS ||
        (uint64_t)desc->reg + (uint64_t)(count - 1) * stride >=
        VGPU_NUM_REGS || d->num_regs + 1 >= VGPU_MAX_REG_DESCS) {
        vgpu_log(d, VGPU_LOG_INFO, "register %s does not fit", desc->name);
        return false;
    }
    /* Entry 0 stands for "unclaimed". Grow by powers of two. */
    if (!(d->num_regs & (d->num_regs + 1))) {
        regs = realloc(d->regs, 2 * (d->num_regs + 1) * sizeof(*regs));
        if (!regs) {
            return false;
        }
        d->regs = regs;
    }
    d->num_regs++;
    d->regs[d->num_regs] = *desc;
    for (i = 0; i < count; i++) {
        uint32_t reg = desc->reg + i * stride;

        if (d->reg_id[reg]) {
            if (rest) {
                continue;
            }
            vgpu_log(d, VGPU_LOG_INFO, "register 0x%05x: %s clashes with %s",
                     reg, desc->name, vgpu_reg_name(d, reg));
            return false;
        }
        d->reg_id[reg] = d->num_regs;
    }
    return true;
}

bool vgpu_regs_claim(struct vgpu_die *d, const struct vgpu_reg_desc *table,
                     size_t n)
{
    size_t i;

    for (i = 0; i < n; i++) {
        if (!claim(d, &table[i], false)) {
            return false;
        }
    }
    return true;
}

bool vgpu_regs_claim_rest(struct vgpu_die *d,
                          const struct vgpu_reg_desc *table, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++) {
        if (!claim(d, &table[i], true)) {
            return false;
        }
    }
    return true;
}

void vgpu_regs_reset(struct vgpu_die *d)
{
    unsigned id, i;

    memset(d->s.reg, 0, sizeof(d->s.reg));
    for (id = 1; id <= d->num_regs; id++) {
        const struct vgpu_reg_desc *desc = &d->regs[id];
        unsigned stride = desc->stride ? desc->stride : 1;

        for (i = 0; desc->reset && i < (desc->count ? desc->count : 1); i++) {
            uint32_t reg = desc->reg + i * stride;

            if (d->reg_id[reg] == id) {
                d->s.reg[reg] = desc->reset;
            }
        }
    }
}

void vgpu_regs_reset_engines(struct vgpu_die *d)
{
    uint32_t reg;
    size_t i;

    /* The last one is not among them, so that each has an end. */
    for (i = 0; i < NUM_APERTURES - 1; i++) {
        if (strcmp(apertures[i].name, "GC") &&
            strncmp(apertures[i].name, "SDMA", 4)) {
            continue;
        }
        for (reg = apertures[i].start; reg < apertures[i + 1].start; reg++) {
            if (d->reg_id[reg]) {
                d->s.reg[reg] = d->regs[d->reg_id[reg]].reset;
            }
        }
    }
}

bool vgpu_reg_claimed(const struct vgpu_die *d, uint32_t reg)
{
    return reg < VGPU_NUM_REGS && d->reg_id[reg];
}

const char *vgpu_reg_name(const struct vgpu_die *d, uint32_t reg)
{
    size_t i;

    if (vgpu_reg_claimed(d, reg)) {
        return d->regs[d->reg_id[reg]].name;
    }
    if (reg >= VGPU_NUM_REGS) {
        return "beyond BAR5";
    }
    for (i = NUM_APERTURES - 1; i > 0; i--) {
        if (reg >= apertures[i].start) {
            break;
        }
    }
    return apertures[i].name;
}

void vgpu_reg_unclaimed(struct vgpu_die *d, uint32_t reg, bool write,
                        uint32_t val)
{
    uint8_t bit = write ? SEEN_WRITE : SEEN_READ;

    if (write) {
        d->stats.unclaimed_writes++;
    } else {
        d->stats.unclaimed_reads++;
    }
    if (reg < VGPU_NUM_REGS) {
        if (d->reg_seen[reg] & bit) {
            return;
        }
        d->reg_seen[reg] |= bit;
    }
    if (write) {
        vgpu_log(d, VGPU_LOG_UNCLAIMED, "write 0x%08x to 0x%05x (%s)", val,
                 reg, vgpu_reg_name(d, reg));
    } else {
        vgpu_log(d, VGPU_LOG_UNCLAIMED, "read of 0x%05x (%s)", reg,
                 vgpu_reg_name(d, reg));
    }
}

uint32_t vgpu_reg_read(struct vgpu_die *d, uint32_t reg)
{
    const struct vgpu_reg_desc *desc;

    if (!vgpu_reg_claimed(d, reg)) {
        vgpu_reg_unclaimed(d, reg, false, 0);
        return 0;
    }
    desc = &d->regs[d->reg_id[reg]];
    return desc->read ? desc->read(d, reg) : d->s.reg[reg];
}

void vgpu_reg_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    const struct vgpu_reg_desc *desc;

    if (!vgpu_reg_claimed(d, reg)) {
        vgpu_reg_unclaimed(d, reg, true, val);
        return;
    }
    desc = &d->regs[d->reg_id[reg]];
    val = (d->s.reg[reg] & ~desc->wmask) | (val & desc->wmask);
    if (desc->write) {
        desc->write(d, reg, val);
    } else {
        d->s.reg[reg] = val;
    }
    d->mem_written = true;
}

static bool good_access(struct vgpu_die *d, uint64_t offset, unsigned size)
{
    if (size == 4 && !(offset & 3) && offset < VGPU_MMIO_SIZE) {
        return true;
    }
    d->stats.bad_accesses++;
    vgpu_log(d, VGPU_LOG_GUEST_ERROR,
             "register access of %u bytes at 0x%llx", size,
             (unsigned long long)offset);
    return false;
}

/*
 * Doorbells and registers are reached over one link: what rang before the
 * access has arrived. A driver that stops a ring, sets its pointers and rings
 * must not find an older doorbell after all that.
 */
static void arrive(struct vgpu_die *d)
{
    if (vgpu_doorbells_pending(d)) {
        vgpu_doorbells_drain(d);
    }
}

uint64_t vgpu_mmio_read(struct vgpu_die *d, uint64_t offset, unsigned size)
{
    uint64_t val = UINT64_MAX;

    vgpu_lock(d);
    arrive(d);
    if (good_access(d, offset, size)) {
        val = vgpu_reg_read(d, offset / 4);
    }
    vgpu_unlock(d);
    return val;
}

void vgpu_mmio_write(struct vgpu_die *d, uint64_t offset, uint64_t val,
                     unsigned size)
{
    vgpu_lock(d);
    arrive(d);
    if (good_access(d, offset, size)) {
        vgpu_reg_write(d, offset / 4, val);
        vgpu_wake_parked(d);
    }
    vgpu_unlock(d);
}
