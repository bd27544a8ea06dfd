/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of one SDMA engine, beyond its registers.
 */
#ifndef VGPU_SDMA_H
#define VGPU_SDMA_H

struct vgpu_sdma_state {
    uint32_t reserved;
};

#endif
