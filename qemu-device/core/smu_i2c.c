/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The I2C bus of the SMU, and the EEPROM on it in which a driver keeps the
 * list of bad pages: 2 Mbit, two bytes of address, the rest of the address in
 * that of the chip, pages of 256 bytes.
 * Documentation/hardware.rst, "Firmware processors".
 */
#include "die.h"

#define EEPROM_BYTES    0x40000u
#define EEPROM_PAGE     0x100u
#define EEPROM_ERASED   0xff

/* The chip's seven bits are 1010, then bits 18:16 of the address. */
#define IS_EEPROM(slave)    (((slave) & 0xf1) == 0xa0)
#define EEPROM_HIGH(slave)  ((uint32_t)((slave) >> 1 & 7) << 16)

static uint8_t eeprom_read(struct vgpu_die *d)
{
    uint32_t addr = d->s.smu.i2c_addr;

    d->s.smu.i2c_addr = (addr + 1) % EEPROM_BYTES;
    return addr < VGPU_EEPROM_USED ? d->s.nv.eeprom[addr] : EEPROM_ERASED;
}

/* A burst that reaches the end of a page goes on at its start. */
static bool eeprom_write(struct vgpu_die *d, uint8_t byte)
{
    uint32_t addr = d->s.smu.i2c_addr;

    if (addr >= VGPU_EEPROM_USED) {
        return false;
    }
    d->s.nv.eeprom[addr] = byte;
    d->s.smu.i2c_addr = addr / EEPROM_PAGE * EEPROM_PAGE +
                        (addr + 1) % EEPROM_PAGE;
    return true;
}

bool vgpu_smu_i2c(struct vgpu_die *d, struct vgpu_sw_i2c_request *req)
{
    uint32_t high = EEPROM_HIGH(req->slave_address);
    unsigned addr_bytes = 0;
    bool was_write = false;
    bool begin = true;
    unsigned i;

    if (req->i2c_controller_port != I2C_CONTROLLER_PORT_0 ||
        req->i2c_speed >= I2C_SPEED_COUNT ||
        req->num_cmds > MAX_SW_I2C_COMMANDS ||
        !IS_EEPROM(req->slave_address) || high >= EEPROM_BYTES) {
        return false;
    }
    for (i = 0; i < req->num_cmds; i++) {
        struct vgpu_sw_i2c_cmd *c = &req->sw_i2c_cmds[i];
        bool write = c->cmd_config & CMDCONFIG_READWRITE_MASK;

        /* A change of direction is a restart, said or not. */
        if (begin || write != was_write ||
            c->cmd_config & CMDCONFIG_RESTART_MASK) {
            addr_bytes = 0;
        }
        if (!write) {
            c->read_write_data = eeprom_read(d);
        } else if (addr_bytes == 0) {
            d->s.smu.i2c_addr = high | (uint32_t)c->read_write_data << 8;
            addr_bytes = 1;
        } else if (addr_bytes == 1) {
            d->s.smu.i2c_addr |= c->read_write_data;
            addr_bytes = 2;
        } else if (!eeprom_write(d, c->read_write_data)) {
            return false;
        }
        was_write = write;
        begin = c->cmd_config & CMDCONFIG_STOP_MASK;
    }
    return true;
}
