/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the error registers of a die's links (xgmi.c).
 * Documentation/hive.rst, "Links that break". Included by die.h.
 */
#ifndef VGPU_XGMI_H
#define VGPU_XGMI_H

#include <hw/reg/xgmi.h>

/**
 * struct vgpu_xgmi_errors - what went wrong on the links since it was cleared
 * @pcs: of each port, PCS_ERROR_STATUS
 * @mask: of each port, PCS_ERROR_NONCORRECTABLE_MASK; stored only
 * @pie_lo, @pie_hi: the data fabric's status
 */
struct vgpu_xgmi_errors {
    uint32_t pcs[VGPU_XGMI_NUM_PCS];
    uint32_t mask[VGPU_XGMI_NUM_PCS];
    uint32_t pie_lo;
    uint32_t pie_hi;
};

/** A register beyond BAR5, by SMN address; false: none of ours. */
bool vgpu_xgmi_smn_read(struct vgpu_die *d, uint64_t addr, uint32_t *val);
bool vgpu_xgmi_smn_write(struct vgpu_die *d, uint64_t addr, uint32_t val);

#endif
