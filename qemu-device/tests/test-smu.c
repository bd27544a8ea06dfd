/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The power controller: every message and wrong forms of it, the tables, the
 * EEPROM on its I2C bus, and the resets. Expected values come from
 * uapi/hw/smu.h, from aldebaran_ppt.c and smu_v13_0.c, and from the model in
 * Documentation/hardware.rst, "Firmware processors".
 */
#include <stdlib.h>

#include "harness.h"
#include <hw/reg/gc.h>
#include <hw/reg/mmhub.h>
#include <hw/reg/mp.h>
#include <hw/reg/oss.h>
#include <hw/reg/vgpu.h>
#include <hw/smu.h>

#define MP1(n)      VGPU_REG_ABS(MP1, regMP1_SMN_C2PMSG_##n)
#define N(array)    (sizeof(array) / sizeof((array)[0]))

/* VMID 0 sees the VRAM of a die without a hive here. */
#define VRAM        0x8000000000ull
#define TABLE       0x20000ull      /* in VRAM */
#define NOWHERE     0x7000000000ull

/* As smu_cmn_send_smc_msg_with_param() does it. */
static uint32_t send(struct mock *m, uint32_t msg, uint32_t arg)
{
    mock_wreg(m, MP1(90), 0);
    mock_wreg(m, MP1(82), arg);
    mock_wreg(m, MP1(66), msg);
    mock_run(m);
    return mock_rreg(m, MP1(90));
}

static uint32_t result(struct mock *m)
{
    return mock_rreg(m, MP1(82));
}

static void set_table(struct mock *m, uint64_t va)
{
    CHECK_EQ(send(m, PPSMC_MSG_SetDriverDramAddrHigh, va >> 32), 1);
    CHECK_EQ(send(m, PPSMC_MSG_SetDriverDramAddrLow, (uint32_t)va), 1);
}

static void start(struct mock *m)
{
    const uint32_t reg = regMMHUB_MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB;

    mock_default(m);
    /* What no aperture holds goes to the default page: let it be nowhere. */
    mock_wreg(m, VGPU_REG_ABS(MMHUB, reg), 0x0fffffff);
    set_table(m, VRAM + TABLE);
}

/* ------------------------------------------------------------- messages */

static void mailbox(void)
{
    struct mock m;

    mock_default(&m);
    /* not busy: amdgpu looks before it sends anything */
    CHECK_EQ(mock_rreg(&m, MP1(90)), PPSMC_Result_OK);
    /* the write only posts the message */
    mock_wreg(&m, MP1(90), 0);
    mock_wreg(&m, MP1(82), 41);
    mock_wreg(&m, MP1(66), PPSMC_MSG_TestMessage);
    CHECK_EQ(mock_rreg(&m, MP1(90)), 0);
    mock_run(&m);
    CHECK_EQ(mock_rreg(&m, MP1(90)), PPSMC_Result_OK);
    CHECK_EQ(result(&m), 42);
    /* it is handled once */
    mock_wreg(&m, MP1(90), 0);
    mock_run(&m);
    CHECK_EQ(mock_rreg(&m, MP1(90)), 0);
    mock_stop(&m);
}

static void versions(void)
{
    struct mock m;

    start(&m);
    CHECK_EQ(send(&m, PPSMC_MSG_GetSmuVersion, 0), PPSMC_Result_OK);
    /* the program of MI250X is 68; from 68.55.0 on ECC has its table v2 */
    CHECK_EQ(result(&m) >> 16, 68);
    CHECK(result(&m) >= 0x00443700);
    CHECK_EQ(send(&m, PPSMC_MSG_GetDriverIfVersion, 0), PPSMC_Result_OK);
    CHECK_EQ(result(&m), SMU13_DRIVER_IF_VERSION_ALDE);
    mock_stop(&m);
}

/* Every number there is: known, or answered as unknown. */
static void messages_all(void)
{
    static const uint8_t unknown[] = {
        0, 0x5, 0x6, 0x9, 0xa, 0xb, 0xc, PPSMC_MSG_GetVoltageByDpm,
        PPSMC_MSG_GetVoltageByDpmOverdrive, PPSMC_MSG_PrepareMp1ForReset,
        PPSMC_MSG_SoftReset, PPSMC_MSG_GetDebugData, PPSMC_MSG_WaflTest, 0x2d,
        0x30, 0x31, PPSMC_MSG_GetGmiPwrDnHyst, PPSMC_MSG_SetGmiPwrDnHyst,
        PPSMC_MSG_SetExecuteDMATest, PPSMC_MSG_DumpSTBtoDram,
        PPSMC_MSG_STBtoDramLogSetDramAddrHigh,
        PPSMC_MSG_STBtoDramLogSetDramAddrLow,
        PPSMC_MSG_STBtoDramLogSetDramSize,
        PPSMC_MSG_SetSystemVirtualSTBtoDramAddrHigh,
        PPSMC_MSG_SetSystemVirtualSTBtoDramAddrLow, 0x44,
    };
    static const uint32_t beyond[] = {
        PPSMC_Message_Count, 0x100, 0x80000001, 0xffffffff,
    };
    struct mock m;
    uint32_t msg;
    size_t i;

    start(&m);
    for (msg = 0; msg < PPSMC_Message_Count; msg++) {
        bool known = true;

        for (i = 0; i < sizeof(unknown); i++) {
            known = known && unknown[i] != msg;
        }
        CHECK_EQ(send(&m, msg, 0) != PPSMC_Result_UnknownCmd, known);
        CHECK(mock_rreg(&m, MP1(90)) != 0);
    }
    for (i = 0; i < N(beyond); i++) {
        CHECK_EQ(send(&m, beyond[i], 0), PPSMC_Result_UnknownCmd);
    }
    mock_stop(&m);
}

static void features(void)
{
    struct mock m;
    uint32_t low;

    start(&m);
    CHECK_EQ(send(&m, PPSMC_MSG_GetEnabledSmuFeaturesLow, 0), 1);
    CHECK_EQ(result(&m), 0);
    CHECK_EQ(send(&m, PPSMC_MSG_EnableAllSmuFeatures, 0), 1);
    CHECK_EQ(send(&m, PPSMC_MSG_GetEnabledSmuFeaturesLow, 0), 1);
    low = result(&m);
    CHECK(low & 1u << FEATURE_DPM_GFXCLK_BIT);
    CHECK(low & 1u << FEATURE_DF_CSTATE);
    CHECK(low & 1u << FEATURE_EDC_BIT);
    CHECK_EQ(low & 1u << 23, 0);    /* spare */
    CHECK_EQ(send(&m, PPSMC_MSG_GetEnabledSmuFeaturesHigh, 0), 1);
    CHECK_EQ(result(&m), 0);        /* all of them are spare */
    CHECK_EQ(send(&m, PPSMC_MSG_DisableAllSmuFeatures, 0), 1);
    CHECK_EQ(send(&m, PPSMC_MSG_GetEnabledSmuFeaturesLow, 0), 1);
    CHECK_EQ(result(&m), 0);
    CHECK_EQ(send(&m, PPSMC_MSG_EnableAllSmuFeatures, 0), 1);
    CHECK_EQ(send(&m, PPSMC_MSG_PrepareMp1ForUnload, 0), 1);
    CHECK_EQ(send(&m, PPSMC_MSG_GetEnabledSmuFeaturesLow, 0), 1);
    CHECK_EQ(result(&m), 0);
    mock_stop(&m);
}

/* As smu_v13_0_set_single_dpm_table() asks. */
static void clocks(void)
{
    struct mock m;
    uint32_t clk, i, last, mhz;

    start(&m);
    for (clk = 0; clk < PPCLK_COUNT; clk++) {
        CHECK_EQ(send(&m, PPSMC_MSG_GetDpmFreqByIndex, clk << 16 | 0xff), 1);
        CHECK_EQ(result(&m) >> 31, clk == PPCLK_GFXCLK);
        last = result(&m) & 0x7fffffff;
        CHECK(last >= 1 && last < 8);
        for (i = 0, mhz = 0; i <= last; i++) {
            CHECK_EQ(send(&m, PPSMC_MSG_GetDpmFreqByIndex, clk << 16 | i), 1);
            CHECK(result(&m) > mhz);
            mhz = result(&m);
            if (!i) {
                CHECK_EQ(send(&m, PPSMC_MSG_GetMinDpmFreq, clk << 16), 1);
                CHECK_EQ(result(&m), mhz);
            }
        }
        CHECK_EQ(send(&m, PPSMC_MSG_GetMaxDpmFreq, clk << 16), 1);
        CHECK_EQ(result(&m), mhz);
        CHECK_EQ(send(&m, PPSMC_MSG_GetDpmFreqByIndex, clk << 16 | (last + 1)),
                 PPSMC_Result_Failed);
        CHECK_EQ(send(&m, PPSMC_MSG_GetDpmFreqByIndex, clk << 16 | 0xffff),
                 PPSMC_Result_Failed);
    }
    CHECK_EQ(send(&m, PPSMC_MSG_GetDpmFreqByIndex, PPCLK_COUNT << 16),
             PPSMC_Result_Failed);
    CHECK_EQ(send(&m, PPSMC_MSG_GetMinDpmFreq, PPCLK_COUNT << 16),
             PPSMC_Result_Failed);
    CHECK_EQ(send(&m, PPSMC_MSG_GetMaxDpmFreq, 0xffff0000),
             PPSMC_Result_Failed);
    CHECK_EQ(send(&m, PPSMC_MSG_SetSoftMinByFreq, 0xffff0000),
             PPSMC_Result_Failed);
    CHECK_EQ(send(&m, PPSMC_MSG_SetHardMaxByFreq, PPCLK_COUNT << 16),
             PPSMC_Result_Failed);
    mock_stop(&m);
}

static void limits(void)
{
    struct mock m;

    start(&m);
    CHECK_EQ(send(&m, PPSMC_MSG_GetPptLimit, 0), 1);
    CHECK_EQ(result(&m), 280);
    CHECK_EQ(send(&m, PPSMC_MSG_SetPptLimit, 200), 1);
    CHECK_EQ(send(&m, PPSMC_MSG_SetPptLimit, 301), PPSMC_Result_Failed);
    CHECK_EQ(send(&m, PPSMC_MSG_GetPptLimit, 0), 1);
    CHECK_EQ(result(&m), 200);

    CHECK_EQ(send(&m, PPSMC_MSG_DFCstateControl, 0), 1);
    CHECK_EQ(send(&m, PPSMC_MSG_DFCstateControl, 1), 1);
    CHECK_EQ(send(&m, PPSMC_MSG_DFCstateControl, 2), PPSMC_Result_Failed);
    mock_stop(&m);
}

/* --------------------------------------------------------------- tables */

static struct vgpu_smu_metrics *metrics(struct mock *m)
{
    struct vgpu_smu_metrics *t = mock_vram(m, TABLE, sizeof(*t));

    memset(t, 0xee, sizeof(*t));
    CHECK_EQ(send(m, PPSMC_MSG_TransferTableSmu2Dram, TABLE_SMU_METRICS), 1);
    return t;
}

static void metrics_idle(void)
{
    struct vgpu_smu_metrics *t;
    struct mock m;
    uint64_t energy;

    start(&m);
    t = metrics(&m);
    CHECK_EQ(t->average_gfx_activity, 0);
    CHECK_EQ(t->average_uclk_activity, 0);
    CHECK_EQ(t->curr_clock[PPCLK_GFXCLK], 500);
    CHECK_EQ(t->curr_clock[PPCLK_UCLK], 400);
    CHECK_EQ(t->average_socket_power, 45);
    CHECK_EQ(t->temperature_edge, 35 + 45 / 8);
    CHECK_EQ(t->throttler_status, 0);
    /* limits move the clocks, as far as these go */
    CHECK_EQ(send(&m, PPSMC_MSG_SetSoftMinByFreq, 800), 1);
    CHECK_EQ(metrics(&m)->curr_clock[PPCLK_GFXCLK], 800);
    CHECK_EQ(metrics(&m)->average_gfxclk_frequency, 800);
    CHECK_EQ(send(&m, PPSMC_MSG_SetSoftMinByFreq, 1), 1);
    CHECK_EQ(metrics(&m)->curr_clock[PPCLK_GFXCLK], 500);
    CHECK_EQ(send(&m, PPSMC_MSG_SetHardMinByFreq,
                  PPCLK_UCLK << 16 | 0xffff), 1);
    CHECK_EQ(metrics(&m)->curr_clock[PPCLK_UCLK], 1600);

    /* 45 W for 10 s, in units of 15.259 uJ, and the time in 10 ns */
    energy = t->energy_acc64bit_low;
    atomic_fetch_add(&m.now, 10000000000ull);
    t = metrics(&m);
    energy = t->energy_acc64bit_low - energy;
    CHECK(energy > 29400000 && energy < 29500000);
    CHECK_EQ((uint64_t)t->time_stamp_high << 32 | t->time_stamp_low,
             vgpu_gpu_clock(m.die));
    mock_stop(&m);
}

/* A command processor in the middle of an indirect buffer. */
static void metrics_busy(void)
{
    struct vgpu_smu_metrics *t;
    struct mock m;

    start(&m);
    vgpu_lock(m.die);
    m.die->s.cp.level = 1;
    vgpu_unlock(m.die);
    t = metrics(&m);
    CHECK_EQ(t->average_gfx_activity, 100);
    CHECK_EQ(t->average_uclk_activity, 100);
    CHECK_EQ(t->curr_clock[PPCLK_GFXCLK], 1700);
    CHECK_EQ(t->curr_clock[PPCLK_UCLK], 1600);
    CHECK_EQ(t->average_socket_power, 245);
    CHECK_EQ(t->temperature_hotspot, 35 + 245 / 8);
    CHECK_EQ(send(&m, PPSMC_MSG_SetSoftMaxByFreq, 1000), 1);
    CHECK_EQ(metrics(&m)->curr_clock[PPCLK_GFXCLK], 1000);
    CHECK_EQ(send(&m, PPSMC_MSG_EnableDeterminism, 1200), 1);
    CHECK_EQ(metrics(&m)->curr_clock[PPCLK_GFXCLK], 1200);
    CHECK_EQ(send(&m, PPSMC_MSG_DisableDeterminism, 0), 1);
    CHECK_EQ(metrics(&m)->curr_clock[PPCLK_GFXCLK], 1700);
    mock_stop(&m);
}

static void tables_wrong(void)
{
    struct mock m;
    uint32_t id;

    mock_default(&m);
    CHECK_EQ(send(&m, PPSMC_MSG_TransferTableSmu2Dram, TABLE_SMU_METRICS),
             PPSMC_Result_CmdRejectedPrereq);
    CHECK_EQ(send(&m, PPSMC_MSG_TransferTableDram2Smu, TABLE_I2C_COMMANDS),
             PPSMC_Result_CmdRejectedPrereq);
    mock_stop(&m);

    start(&m);
    for (id = 0; id < TABLE_COUNT + 2; id++) {
        CHECK_EQ(send(&m, PPSMC_MSG_TransferTableSmu2Dram, id) ==
                 PPSMC_Result_OK,
                 id == TABLE_SMU_METRICS || id == TABLE_ECCINFO);
        if (id != TABLE_I2C_COMMANDS) {
            CHECK_EQ(send(&m, PPSMC_MSG_TransferTableDram2Smu, id),
                     PPSMC_Result_Failed);
        }
    }
    set_table(&m, NOWHERE);
    CHECK_EQ(send(&m, PPSMC_MSG_TransferTableSmu2Dram, TABLE_SMU_METRICS),
             PPSMC_Result_Failed);
    CHECK_EQ(send(&m, PPSMC_MSG_TransferTableDram2Smu, TABLE_I2C_COMMANDS),
             PPSMC_Result_Failed);
    mock_stop(&m);
}

/* --------------------------------------------------------------- EEPROM */

static struct vgpu_sw_i2c_request *i2c(struct mock *m)
{
    return mock_vram(m, TABLE, sizeof(struct vgpu_sw_i2c_request));
}

static uint32_t i2c_send(struct mock *m)
{
    return send(m, PPSMC_MSG_TransferTableDram2Smu, TABLE_I2C_COMMANDS);
}

static void i2c_put(struct mock *m, uint8_t config, uint8_t byte)
{
    struct vgpu_sw_i2c_request *r = i2c(m);

    r->sw_i2c_cmds[r->num_cmds++] = (struct vgpu_sw_i2c_cmd) { byte, config };
}

static void i2c_begin(struct mock *m, uint32_t addr)
{
    memset(i2c(m), 0, sizeof(*i2c(m)));
    i2c(m)->i2c_speed = I2C_SPEED_FAST_400K;
    i2c(m)->slave_address = (0x50 | addr >> 16) << 1;
    i2c_put(m, CMDCONFIG_READWRITE_MASK, addr >> 8);
    i2c_put(m, CMDCONFIG_READWRITE_MASK, addr);
}

/* As aldebaran_i2c_xfer() writes the messages of amdgpu_eeprom_xfer(). */
static uint32_t eeprom_write(struct mock *m, uint32_t addr, const void *buf,
                             unsigned len)
{
    const uint8_t *p = buf;
    unsigned i;

    i2c_begin(m, addr);
    for (i = 0; i < len; i++) {
        i2c_put(m, CMDCONFIG_READWRITE_MASK |
                (i + 1 == len ? CMDCONFIG_STOP_MASK : 0), p[i]);
    }
    return i2c_send(m);
}

static uint32_t eeprom_read(struct mock *m, uint32_t addr, void *buf,
                            unsigned len)
{
    uint32_t status;
    unsigned i;

    i2c_begin(m, addr);
    for (i = 0; i < len; i++) {
        /* a stop displaces the restart when one byte is all */
        i2c_put(m, i + 1 == len ? CMDCONFIG_STOP_MASK :
                !i ? CMDCONFIG_RESTART_MASK : 0, 0xaa);
    }
    status = i2c_send(m);
    for (i = 0; i < len; i++) {
        ((uint8_t *)buf)[i] = i2c(m)->sw_i2c_cmds[2 + i].read_write_data;
    }
    return status;
}

static void eeprom_keeps(void)
{
    static const char text[] = "bad pages of this die";
    char buf[sizeof(text)];
    uint8_t byte;
    struct mock m;

    start(&m);
    /* erased */
    CHECK_EQ(eeprom_read(&m, 0, buf, 4), PPSMC_Result_OK);
    CHECK(!memcmp(buf, "\xff\xff\xff\xff", 4));
    CHECK_EQ(eeprom_write(&m, 0x1203, text, sizeof(text)), PPSMC_Result_OK);
    CHECK_EQ(eeprom_read(&m, 0x1203, buf, sizeof(text)), PPSMC_Result_OK);
    CHECK(!memcmp(buf, text, sizeof(text)));
    CHECK_EQ(eeprom_read(&m, 0x1204, &byte, 1), PPSMC_Result_OK);
    CHECK_EQ(byte, 'a');
    /* over every reset there is */
    vgpu_die_reset(m.die);
    set_table(&m, VRAM + TABLE);
    CHECK_EQ(send(&m, PPSMC_MSG_GfxDriverReset, 1), 1);
    set_table(&m, VRAM + TABLE);
    CHECK_EQ(eeprom_read(&m, 0x1203, buf, sizeof(text)), PPSMC_Result_OK);
    CHECK(!memcmp(buf, text, sizeof(text)));
    mock_stop(&m);
}

/* A write stays within its page of 256 bytes, a read does not. */
static void eeprom_pages(void)
{
    uint8_t buf[4];
    struct mock m;

    start(&m);
    CHECK_EQ(eeprom_write(&m, 0x2fe, "abcd", 4), PPSMC_Result_OK);
    CHECK_EQ(eeprom_read(&m, 0x2fe, buf, 4), PPSMC_Result_OK);
    CHECK(!memcmp(buf, "ab\xff\xff", 4));
    CHECK_EQ(eeprom_read(&m, 0x200, buf, 4), PPSMC_Result_OK);
    CHECK(!memcmp(buf, "cd\xff\xff", 4));
    CHECK_EQ(eeprom_write(&m, 0, "z", 1), PPSMC_Result_OK);
    CHECK_EQ(eeprom_read(&m, 0x3fffe, buf, 3), PPSMC_Result_OK);
    CHECK(!memcmp(buf, "\xff\xffz", 3));
    mock_stop(&m);
}

/* Two messages in one request, and a read that goes on from the last. */
static void eeprom_messages(void)
{
    struct mock m;

    start(&m);
    i2c_begin(&m, 0x10);
    i2c_put(&m, CMDCONFIG_READWRITE_MASK | CMDCONFIG_STOP_MASK, 'x');
    i2c_put(&m, CMDCONFIG_READWRITE_MASK, 0x00);
    i2c_put(&m, CMDCONFIG_READWRITE_MASK, 0x20);
    i2c_put(&m, CMDCONFIG_READWRITE_MASK, 'y');
    i2c_put(&m, CMDCONFIG_READWRITE_MASK | CMDCONFIG_RESTART_MASK, 0x00);
    i2c_put(&m, CMDCONFIG_READWRITE_MASK, 0x10);
    i2c_put(&m, CMDCONFIG_RESTART_MASK, 0);
    i2c_put(&m, CMDCONFIG_STOP_MASK, 0);
    CHECK_EQ(i2c_send(&m), PPSMC_Result_OK);
    CHECK_EQ(i2c(&m)->sw_i2c_cmds[8].read_write_data, 'x');
    CHECK_EQ(i2c(&m)->sw_i2c_cmds[9].read_write_data, 0xff);
    i2c_begin(&m, 0x1f);
    i2c_put(&m, CMDCONFIG_STOP_MASK, 0);
    CHECK_EQ(i2c_send(&m), PPSMC_Result_OK);
    memset(i2c(&m)->sw_i2c_cmds, 0, sizeof(i2c(&m)->sw_i2c_cmds));
    i2c(&m)->num_cmds = 1;
    CHECK_EQ(i2c_send(&m), PPSMC_Result_OK);
    CHECK_EQ(i2c(&m)->sw_i2c_cmds[0].read_write_data, 'y');
    mock_stop(&m);
}

static void i2c_wrong(void)
{
    static const struct {
        size_t offset;
        uint8_t val;
    } bad[] = {
        { offsetof(struct vgpu_sw_i2c_request, i2c_controller_port),
          I2C_CONTROLLER_PORT_1 },
        { offsetof(struct vgpu_sw_i2c_request, i2c_controller_port), 255 },
        { offsetof(struct vgpu_sw_i2c_request, i2c_speed), I2C_SPEED_COUNT },
        { offsetof(struct vgpu_sw_i2c_request, slave_address), 0xa1 },
        { offsetof(struct vgpu_sw_i2c_request, slave_address), 0xa8 },
        { offsetof(struct vgpu_sw_i2c_request, slave_address), 0x40 },
        { offsetof(struct vgpu_sw_i2c_request, num_cmds),
          MAX_SW_I2C_COMMANDS + 1 },
        { offsetof(struct vgpu_sw_i2c_request, num_cmds), 255 },
    };
    struct mock m;
    size_t i;

    start(&m);
    for (i = 0; i < N(bad); i++) {
        i2c_begin(&m, 0);
        ((uint8_t *)i2c(&m))[bad[i].offset] = bad[i].val;
        CHECK_EQ(i2c_send(&m), PPSMC_Result_Failed);
    }
    /* the part of the chip that is not there cannot be written */
    CHECK_EQ(eeprom_write(&m, 0x7fff, "a", 1), PPSMC_Result_OK);
    CHECK_EQ(eeprom_write(&m, 0x8000, "a", 1), PPSMC_Result_Failed);
    CHECK_EQ(eeprom_write(&m, 0x3ffff, "a", 1), PPSMC_Result_Failed);
    mock_stop(&m);
}

/* ----------------------------------------------------- reset, migration */

static void reset_mode2(void)
{
    const uint32_t gc = VGPU_REG_ABS(GC, regSCRATCH_REG0);
    const uint32_t ih = VGPU_REG_ABS(OSSSYS, regIH_RB_BASE);
    struct mock m;

    start(&m);
    CHECK_EQ(send(&m, PPSMC_MSG_GfxDriverResetRecovery, 0),
             PPSMC_Result_CmdRejectedPrereq);
    CHECK_EQ(send(&m, PPSMC_MSG_EnableAllSmuFeatures, 0), 1);
    mock_wreg(&m, gc, 5);
    mock_wreg(&m, ih, 5);
    CHECK_EQ(send(&m, PPSMC_MSG_GfxDriverReset,
                  PPSMC_RESET_TYPE_DRIVER_MODE_2_RESET), PPSMC_Result_OK);
    CHECK_EQ(mock_rreg(&m, gc), 0);
    CHECK_EQ(mock_rreg(&m, ih), 5);
    /* the power controller itself goes on */
    CHECK_EQ(send(&m, PPSMC_MSG_GetEnabledSmuFeaturesLow, 0), 1);
    CHECK(result(&m) != 0);
    CHECK_EQ(send(&m, PPSMC_MSG_GfxDriverResetRecovery, 0), PPSMC_Result_OK);
    CHECK_EQ(send(&m, PPSMC_MSG_GfxDriverResetRecovery, 0),
             PPSMC_Result_CmdRejectedPrereq);
    mock_stop(&m);
}

static void reset_mode1(void)
{
    static const uint32_t args[] = {
        PPSMC_RESET_TYPE_DRIVER_MODE_1_RESET,
        PPSMC_RESET_TYPE_DRIVER_MODE_1_RESET | 1 << 16, /* a fatal error */
    };
    const uint32_t ih = VGPU_REG_ABS(OSSSYS, regIH_RB_BASE);
    struct mock m;
    size_t i;

    start(&m);
    for (i = 0; i < N(args); i++) {
        CHECK_EQ(send(&m, PPSMC_MSG_EnableAllSmuFeatures, 0), 1);
        mock_wreg(&m, ih, 5);
        mock_wreg(&m, MP1(90), 0);
        mock_wreg(&m, MP1(82), args[i]);
        mock_wreg(&m, MP1(66), PPSMC_MSG_GfxDriverReset);
        CHECK_EQ(mock_rreg(&m, ih), 5);
        mock_run(&m);
        CHECK_EQ(mock_rreg(&m, MP1(90)), PPSMC_Result_OK);
        CHECK_EQ(mock_rreg(&m, ih), 0);
        CHECK_EQ(send(&m, PPSMC_MSG_GetEnabledSmuFeaturesLow, 0), 1);
        CHECK_EQ(result(&m), 0);
    }
    mock_stop(&m);
}

static void reset_unknown(void)
{
    static const uint32_t args[] = {
        PPSMC_RESET_TYPE_WARM_RESET, PPSMC_RESET_TYPE_PCIE_LINK_RESET,
        PPSMC_RESET_TYPE_BIF_LINK_RESET, PPSMC_RESET_TYPE_PF0_FLR_RESET,
        6, 0xffff, 0xffffffff,
    };
    const uint32_t ih = VGPU_REG_ABS(OSSSYS, regIH_RB_BASE);
    struct mock m;
    size_t i;

    start(&m);
    mock_wreg(&m, ih, 5);
    for (i = 0; i < N(args); i++) {
        CHECK_EQ(send(&m, PPSMC_MSG_GfxDriverReset, args[i]),
                 PPSMC_Result_Failed);
        CHECK_EQ(mock_rreg(&m, ih), 5);
    }
    mock_stop(&m);
}

/* Broken for a test: no message is answered, until all of the die is reset. */
static void stuck(void)
{
    struct mock m;

    start(&m);
    /* mode 2 gets the engines to run again, and not the other processor */
    mock_wreg(&m, VGPU_DBG_STUCK, VGPU_DBG_STUCK__GFX_MASK |
              VGPU_DBG_STUCK__MP0_MASK);
    CHECK_EQ(send(&m, PPSMC_MSG_GfxDriverReset,
                  PPSMC_RESET_TYPE_DRIVER_MODE_2_RESET), PPSMC_Result_OK);
    CHECK_EQ(mock_rreg(&m, VGPU_DBG_STUCK), VGPU_DBG_STUCK__MP0_MASK);

    mock_wreg(&m, VGPU_DBG_STUCK, VGPU_DBG_STUCK__MP1_MASK);
    CHECK_EQ(send(&m, PPSMC_MSG_TestMessage, 1), 0);
    CHECK_EQ(result(&m), 1);
    vgpu_die_reset(m.die);
    CHECK_EQ(send(&m, PPSMC_MSG_TestMessage, 1), PPSMC_Result_OK);
    CHECK_EQ(result(&m), 2);
    mock_stop(&m);
}

static void migration(void)
{
    struct mock m, n;
    uint8_t *buf;
    uint8_t byte;
    size_t len;

    start(&m);
    CHECK_EQ(eeprom_write(&m, 7, "q", 1), PPSMC_Result_OK);
    mock_wreg(&m, MP1(90), 0);
    mock_wreg(&m, MP1(82), 1);
    mock_wreg(&m, MP1(66), PPSMC_MSG_TestMessage);
    len = vgpu_die_state_size(m.die);
    buf = malloc(len);
    vgpu_die_state_save(m.die, buf);
    mock_default(&n);
    CHECK(vgpu_die_state_load(n.die, buf, len));
    mock_run(&n);
    CHECK_EQ(mock_rreg(&n, MP1(90)), PPSMC_Result_OK);
    CHECK_EQ(result(&n), 2);
    CHECK_EQ(eeprom_read(&n, 7, &byte, 1), PPSMC_Result_OK);
    CHECK_EQ(byte, 'q');
    free(buf);
    mock_stop(&m);
    mock_stop(&n);
}

static void state_refused(void)
{
    static const size_t flags[] = {
        offsetof(struct vgpu_smu_state, msg_posted),
        offsetof(struct vgpu_smu_state, reset_made),
        offsetof(struct vgpu_smu_state, df_cstate),
    };
    struct mock m;
    uint8_t *buf;
    size_t len, i;

    start(&m);
    len = vgpu_die_state_size(m.die);
    buf = malloc(len);
    for (i = 0; i < N(flags); i++) {
        vgpu_die_state_save(m.die, buf);
        buf[len - sizeof(struct vgpu_die_state) +
            offsetof(struct vgpu_die_state, smu) + flags[i]] = 2;
        CHECK(!vgpu_die_state_load(m.die, buf, len));
    }
    free(buf);
    mock_stop(&m);
}

static const struct test tests[] = {
    TEST(mailbox),
    TEST(versions),
    TEST(messages_all),
    TEST(features),
    TEST(clocks),
    TEST(limits),
    TEST(metrics_idle),
    TEST(metrics_busy),
    TEST(tables_wrong),
    TEST(eeprom_keeps),
    TEST(eeprom_pages),
    TEST(eeprom_messages),
    TEST(i2c_wrong),
    TEST(reset_mode2),
    TEST(reset_mode1),
    TEST(reset_unknown),
    TEST(stuck),
    TEST(migration),
    TEST(state_refused),
};
TEST_MAIN(tests)
