/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the interrupt handler, beyond its registers (ih.c).
 * Documentation/hardware.rst, "Interrupts". Included by die.h.
 */
#ifndef VGPU_IH_H
#define VGPU_IH_H

/**
 * struct vgpu_ih_state - the interrupt handler beyond its registers
 * @signalled: an interrupt was raised, and the read pointer not written since:
 *             with RPTR_REARM no further one is raised until it is
 * @posting: an entry is being written; always 0 when the lock is not held
 */
struct vgpu_ih_state {
    uint32_t signalled;
    uint32_t posting;
};

#endif
