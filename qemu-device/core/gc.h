/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the graphics and compute complex outside the command processor:
 * GRBM, RLC and the per-VMID shader memory registers, beyond their registers.
 * Documentation/architecture.rst, "The device".
 */
#ifndef VGPU_GC_H
#define VGPU_GC_H

struct vgpu_gc_state {
    uint32_t sh_mem_config[16]; /* one a VMID, selected by GRBM_GFX_CNTL */
    uint32_t sh_mem_bases[16];
    uint32_t trap[16][4];       /* SQ_SHADER_TBA_LO to SQ_SHADER_TMA_HI */
    uint64_t clock_capture;     /* RLC_GPU_CLOCK_COUNT_LSB/MSB */
};

#endif
