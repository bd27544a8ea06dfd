/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the board keeps without power: flash and EEPROM.
 * Documentation/hardware.rst, "Firmware processors". Included by die.h.
 */
#ifndef VGPU_NV_H
#define VGPU_NV_H

/** What the boot configuration is until a driver sets another. */
#define VGPU_BOOT_CFG_DEFAULT   BOOT_CONFIG_GECC
/** Bytes of the EEPROM that can be written: all that a driver uses of it. */
#define VGPU_EEPROM_USED        0x8000u

/**
 * struct vgpu_nv_state - the part of the state that no reset reaches
 * @boot_cfg: BOOT_CONFIG_*
 * @eeprom: on the I2C bus of the SMU (smu_i2c.c)
 */
struct vgpu_nv_state {
    uint32_t boot_cfg;
    uint8_t eeprom[VGPU_EEPROM_USED];
};

#endif
