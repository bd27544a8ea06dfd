/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weak stand-ins for hardware blocks, so that the core links without them;
 * the real definition of a block replaces its stand-in by merely existing.
 */
#include "die.h"

#define WEAK __attribute__((weak))

WEAK const struct vgpu_block vgpu_cp_block = { .name = "cp" };
WEAK const struct vgpu_block vgpu_sdma_block = { .name = "sdma" };

WEAK bool vgpu_cp_doorbell(struct vgpu_die *d, uint32_t index, uint64_t val)
{
    (void)d;
    (void)index;
    (void)val;
    return false;
}

WEAK bool vgpu_sdma_doorbell(struct vgpu_die *d, unsigned engine,
                             uint32_t index, uint64_t val)
{
    (void)d;
    (void)engine;
    (void)index;
    (void)val;
    return false;
}

WEAK void vgpu_cp_soft_reset(struct vgpu_die *d, uint32_t val)
{
    (void)d;
    (void)val;
}

WEAK bool vgpu_cp_busy(struct vgpu_die *d)
{
    (void)d;
    return false;
}
