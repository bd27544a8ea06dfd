/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the interrupt handler, beyond its registers.
 */
#ifndef VGPU_IH_H
#define VGPU_IH_H

struct vgpu_ih_state {
    uint32_t reserved;
};

#endif
