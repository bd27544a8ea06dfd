/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a die's links report of themselves: the error status of each port's PCS,
 * and the one of the data fabric behind its indirect access (FICA).
 * Documentation/hive.rst, "Links that break".
 */
#include "die.h"

/* They lie in the range of BAR5, too. */
#define FICA(name) \
    (smnDF_PIE_AON_FabricIndirectConfigAccess##name / 4)

/* The register of a port's PCS at an SMN address; NULL: none. */
static uint32_t *pcs_reg(struct vgpu_die *d, uint64_t addr, bool *status)
{
    uint64_t port = (addr - smnPCS_XGMI3X16_PCS_ERROR_STATUS) /
                    VGPU_XGMI_PCS_STRIDE;
    uint64_t off = (addr - smnPCS_XGMI3X16_PCS_ERROR_STATUS) %
                   VGPU_XGMI_PCS_STRIDE;

    if (addr < smnPCS_XGMI3X16_PCS_ERROR_STATUS ||
        port >= VGPU_XGMI_NUM_PCS) {
        return NULL;
    }
    *status = !off;
    if (!off) {
        return &d->s.xgmi.pcs[port];
    }
    return off == smnPCS_XGMI3X16_PCS_ERROR_NONCORRECTABLE_MASK -
                  smnPCS_XGMI3X16_PCS_ERROR_STATUS ?
           &d->s.xgmi.mask[port] : NULL;
}

bool vgpu_xgmi_smn_read(struct vgpu_die *d, uint64_t addr, uint32_t *val)
{
    bool status;
    const uint32_t *reg = pcs_reg(d, addr, &status);

    if (reg) {
        *val = *reg;
    }
    return reg;
}

bool vgpu_xgmi_smn_write(struct vgpu_die *d, uint64_t addr, uint32_t val)
{
    bool status;
    uint32_t *reg = pcs_reg(d, addr, &status);

    if (reg) {
        *reg = status ? *reg & ~val : val;
    }
    return reg;
}

/* ------------------------------------------------------------------ FICA */

static uint32_t data_read(struct vgpu_die *d, uint32_t reg)
{
    const struct vgpu_xgmi_errors *e = &d->s.xgmi;
    bool hi = reg == FICA(DataHi3);

    switch (vgpu_reg_get(d, FICA(Address3))) {
    case VGPU_FICAA_PIE_CTL:
        return hi ? 0 : VGPU_PIE_CTL_ENABLED;
    case VGPU_FICAA_PIE_STATUS:
        return hi ? e->pie_hi : e->pie_lo;
    default:
        return 0;
    }
}

static void data_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    struct vgpu_xgmi_errors *e = &d->s.xgmi;

    if (vgpu_reg_get(d, FICA(Address3)) != VGPU_FICAA_PIE_STATUS) {
        return;
    }
    if (reg == FICA(DataHi3)) {
        e->pie_hi = val;
    } else {
        e->pie_lo = val;
    }
}

/* ---------------------------------------------------------------- errors */

void vgpu_die_link_lost(struct vgpu_die *d, unsigned port, unsigned num)
{
    struct vgpu_xgmi_errors *e = &d->s.xgmi;

    vgpu_lock(d);
    for (; num && port < VGPU_XGMI_NUM_PCS; port++, num--) {
        e->pcs[port] |= PCS_XGMI3X16_PCS_ERROR_STATUS__DataLossErr_MASK |
                        PCS_XGMI3X16_PCS_ERROR_STATUS__CRCErr_MASK;
    }
    if (e->pie_hi & VGPU_PIE_STATUS_HI_VALID_MASK) {
        e->pie_hi |= VGPU_PIE_STATUS_HI_OVERFLOW_MASK;
    }
    e->pie_hi |= VGPU_PIE_STATUS_HI_VALID_MASK;
    e->pie_lo = VGPU_PIE_STATUS_CODE_XGMI;
    vgpu_unlock(d);
}

/* ---------------------------------------------------------------- tables */

static const struct vgpu_reg_desc regs[] = {
    { .reg = FICA(Address3), .wmask = ~0u, .name = "FICA_ADDRESS" },
    { .reg = FICA(DataLo3), .wmask = ~0u, .read = data_read,
      .write = data_write, .name = "FICA_DATA_LO" },
    { .reg = FICA(DataHi3), .wmask = ~0u, .read = data_read,
      .write = data_write, .name = "FICA_DATA_HI" },
};

static bool init(struct vgpu_die *d)
{
    return vgpu_regs_claim(d, regs, sizeof(regs) / sizeof(regs[0]));
}

const struct vgpu_block vgpu_xgmi_block = {
    .name = "xgmi",
    .init = init,
};
