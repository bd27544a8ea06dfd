/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the power controller beyond its mailbox.
 * Documentation/hardware.rst, "Firmware processors". Included by die.h.
 */
#ifndef VGPU_SMU_H
#define VGPU_SMU_H

#include <hw/smu.h>

/**
 * struct vgpu_smu_state - what of the power controller migrates
 * @table: address through which tables go
 * @features: enabled ones, FEATURE_*
 * @energy: used since reset, in the unit of the metrics table
 * @energy_time: host ns up to which @energy counts
 * @min, @max: limits of each clock, MHz
 * @ppt_limit: power limit, W
 * @df_cstate: 1 when the data fabric may sleep
 * @retired: what the driver told of bad pages: their number, and the channels
 * @msg_posted: 1 when a message waits in the mailbox
 * @reset_made: 1 after a mode 2 reset until the driver asks for it
 * @i2c_addr: of the next byte of the EEPROM
 */
struct vgpu_smu_state {
    uint64_t table;
    uint64_t features;
    uint64_t energy;
    uint64_t energy_time;
    uint32_t min[PPCLK_COUNT];
    uint32_t max[PPCLK_COUNT];
    uint32_t ppt_limit;
    uint32_t df_cstate;
    uint32_t retired[2];
    uint32_t msg_posted;
    uint32_t reset_made;
    uint32_t i2c_addr;
};

/**
 * struct vgpu_smu - transient: what is behind smu.c
 * @queue: in which its messages are handled
 */
struct vgpu_smu {
    struct vgpu_queue *queue;
};

/**
 * vgpu_smu_i2c() - carry out a list of bytes on the I2C bus (smu_i2c.c)
 * @req: bytes that are read are put into it
 *
 * Return: false when the request is malformed or no chip answers.
 */
bool vgpu_smu_i2c(struct vgpu_die *d, struct vgpu_sw_i2c_request *req);

#endif
