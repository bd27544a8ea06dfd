/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ATHUB: which process (PASID) has which address space (VMID). Entries 16 to
 * 31 are those of the MM hub. Documentation/queues.rst, "Run lists".
 */
#include "die.h"
#include <hw/reg/athub.h>

#define ATHUB(name) VGPU_REG_ABS(ATHUB, reg##name)
#define MAP_MASK    (ATC_VMID0_PASID_MAPPING__PASID_MASK | \
                     ATC_VMID0_PASID_MAPPING__NO_INVALIDATION_MASK | \
                     ATC_VMID0_PASID_MAPPING__VALID_MASK)

/* The mapping is in force at once; the status says so until it is cleared. */
static void mapping_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    uint32_t status = ATHUB(ATC_VMID_PASID_MAPPING_UPDATE_STATUS);
    unsigned n = reg >= ATHUB(ATC_VMID16_PASID_MAPPING) ?
                 16 + reg - ATHUB(ATC_VMID16_PASID_MAPPING) :
                 reg - ATHUB(ATC_VMID0_PASID_MAPPING);

    vgpu_reg_set(d, reg, val);
    vgpu_reg_set(d, status, vgpu_reg_get(d, status) | 1u << n);
}

static void status_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, vgpu_reg_get(d, reg) & ~val);
}

static const struct vgpu_reg_desc regs[] = {
    { .reg = ATHUB(ATC_VMID0_PASID_MAPPING), .count = 16, .wmask = MAP_MASK,
      .write = mapping_write, .name = "ATC_VMID0_PASID_MAPPING" },
    { .reg = ATHUB(ATC_VMID16_PASID_MAPPING), .count = 16, .wmask = MAP_MASK,
      .write = mapping_write, .name = "ATC_VMID16_PASID_MAPPING" },
    { .reg = ATHUB(ATC_VMID_PASID_MAPPING_UPDATE_STATUS), .wmask = ~0u,
      .write = status_write, .name = "ATC_VMID_PASID_MAPPING_UPDATE_STATUS" },
};

static bool init(struct vgpu_die *d)
{
    return vgpu_regs_claim(d, regs, sizeof(regs) / sizeof(regs[0]));
}

const struct vgpu_block vgpu_athub_block = {
    .name = "athub",
    .init = init,
};
