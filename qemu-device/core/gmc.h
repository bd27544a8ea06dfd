/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the memory controller: both hubs, beyond their registers.
 */
#ifndef VGPU_GMC_H
#define VGPU_GMC_H

struct vgpu_gmc_state {
    uint32_t reserved;
};

#endif
