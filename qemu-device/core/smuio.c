/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMUIO 13.0.2: which die of which package this is, and whether the CPU reaches
 * its memory by xGMI. Documentation/hive.rst, "Connected to the CPU".
 */
#include "die.h"
#include <hw/reg/smuio.h>

#define MCM_CONFIG  VGPU_REG_ABS(SMUIO, regSMUIO_MCM_CONFIG)

static const struct vgpu_reg_desc regs[] = {
    { .reg = MCM_CONFIG, .name = "SMUIO_MCM_CONFIG" },
};

static bool init(struct vgpu_die *d)
{
    return vgpu_regs_claim(d, regs, sizeof(regs) / sizeof(regs[0]));
}

/* Nodes are numbered package by package, two dies each. */
static void reset(struct vgpu_die *d)
{
    const struct vgpu_die_config *c = &d->cfg;
    uint32_t topology = c->cpu_base ? SMUIO_MCM_CONFIG__HOST_GPU_XGMI_MASK : 0;

    vgpu_reg_set(d, MCM_CONFIG,
                 (c->node_id & 1) << SMUIO_MCM_CONFIG__DIE_ID__SHIFT |
                 c->node_id / 2 << SMUIO_MCM_CONFIG__SOCKET_ID__SHIFT |
                 topology << SMUIO_MCM_CONFIG__TOPOLOGY_ID__SHIFT);
}

const struct vgpu_block vgpu_smuio_block = {
    .name = "smuio",
    .init = init,
    .reset = reset,
    .loaded = reset,
};
