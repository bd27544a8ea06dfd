/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the security processor and of the trusted applications it runs,
 * and what a trusted application is to it.
 * Documentation/hardware.rst, "Firmware processors". Included by die.h.
 */
#ifndef VGPU_PSP_H
#define VGPU_PSP_H

#include <hw/psp.h>

/** Firmware types that MI250X knows lie below it. */
#define VGPU_PSP_FW_TYPES   (GFX_FW_TYPE_REG_LIST + 1)
/** Types of trusted applications lie below it; a session id is its type. */
#define VGPU_PSP_TA_TYPES   (TA_FW_TYPE_PSP_SECUREDISPLAY + 1)
/** Bytes of the largest structure that a TA shares with its driver. */
#define VGPU_PSP_TA_SHARED  4096

/**
 * struct vgpu_psp_fw - firmware that was loaded
 * @size: in bytes, 0 when there is none
 * @tmr_offset: where it is in the TMR
 */
struct vgpu_psp_fw {
    uint32_t size;
    uint32_t tmr_offset;
};

/**
 * struct vgpu_psp_ta - a trusted application
 * @shared: address of the memory it shares with the driver, 0 when none
 * @shared_len: its length in bytes
 * @version: of its image
 * @vmid: the address space of @shared
 * @loaded: 1 when it is
 */
struct vgpu_psp_ta {
    uint64_t shared;
    uint32_t shared_len;
    uint32_t version;
    uint32_t vmid;
    uint32_t loaded;
};

/**
 * struct vgpu_xgmi_state - the session of the xGMI TA
 * @sdma_engine, @sharing: as set for each node
 */
struct vgpu_xgmi_state {
    uint32_t initialized;
    uint32_t sdma_engine[VGPU_MAX_NODES];
    uint8_t sharing[VGPU_MAX_NODES];
};

/**
 * struct vgpu_psp_state - the security processor beyond its mailbox
 * @ring_base: address of the GPCOM ring
 * @ring_dwords: its size, 0 when there is none
 * @rptr: dword of the next frame
 * @tmr_base, @tmr_size, @tmr_used: the trusted memory region, in bytes; no
 *                                  size, no region
 * @bootloader_cmd, @control_cmd: 1 when a command waits in the mailbox
 */
struct vgpu_psp_state {
    uint64_t ring_base;
    uint64_t tmr_base;
    uint32_t ring_dwords;
    uint32_t rptr;
    uint32_t tmr_size;
    uint32_t tmr_used;
    uint32_t bootloader_cmd;
    uint32_t control_cmd;
    struct vgpu_psp_fw fw[VGPU_PSP_FW_TYPES];
    struct vgpu_psp_ta ta[VGPU_PSP_TA_TYPES];
    struct vgpu_xgmi_state xgmi;
};

/**
 * struct vgpu_psp - transient: what is behind psp.c
 * @queue: in which its commands run
 */
struct vgpu_psp {
    struct vgpu_queue *queue;
};

/**
 * struct vgpu_ta - the code of a trusted application
 * @shared: bytes of the structure that it shares with the driver
 * @load: NULL or: it was loaded; @mem is that structure, filled by the driver
 * @invoke: execute command @cmd
 *
 * @mem is a copy, which is written back afterwards.
 */
struct vgpu_ta {
    uint32_t shared;
    void (*load)(struct vgpu_die *d, void *mem);
    void (*invoke)(struct vgpu_die *d, uint32_t cmd, void *mem);
};

extern const struct vgpu_ta vgpu_xgmi_ta;   /* psp_xgmi.c */
extern const struct vgpu_ta vgpu_ras_ta;    /* ras.c */

#endif
