/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the command processor, beyond its registers.
 */
#ifndef VGPU_CP_H
#define VGPU_CP_H

struct vgpu_cp_state {
    uint32_t reserved;
};

#endif
