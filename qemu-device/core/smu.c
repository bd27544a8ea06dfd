/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MP1, the power controller: messages, the tables that go through memory, a
 * simple model of clocks and power, and the reset of the engines.
 * Documentation/hardware.rst, "Firmware processors".
 *
 * The write of a message only posts it; it is handled in a queue of the
 * scheduler.
 */
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include <hw/reg/mp.h>
#include <hw/reg/sdma.h>
#include <hw/reg/vgpu.h>

#define MP1(name)   VGPU_REG_ABS(MP1, regMP1_SMN_##name)

#define REG_MSG     MP1(C2PMSG_66)
#define REG_ARG     MP1(C2PMSG_82)
#define REG_RESP    MP1(C2PMSG_90)

/* 68.61.0: late enough for every message and table of the interface. */
#define FW_VERSION  0x00443d00u

/* Every feature that has a name. */
#define ALL_FEATURES    (0xffffffffu & ~(1u << 23))

/* GetDpmFreqByIndex: an index that asks for the last one. */
#define DPM_INDEX_LAST  0xffu
#define DPM_FINE        0x80000000u

/*
 * The model: a die that does nothing takes IDLE_W, one whose command processor
 * works BUSY_W more, and each SDMA engine that works SDMA_W more. Temperature
 * follows at once: 35 degrees and one more for each 8 W.
 */
#define IDLE_W          45u
#define BUSY_W          200u
#define SDMA_W          7u
#define AMBIENT_C       35u
#define W_PER_C         8u
#define PPT_DEFAULT_W   280u
#define PPT_MAX_W       300u
/* Unit of EnergyAcc, nJ */
#define ENERGY_UNIT_NJ  15259u

/* Levels of each clock in MHz, ascending; GFXCLK takes any value between. */
static const struct {
    uint8_t num;
    bool fine;
    uint16_t mhz[4];
} dpm[PPCLK_COUNT] = {
    [PPCLK_GFXCLK] = { 2, true, { 500, 1700 } },
    [PPCLK_VCLK] = { 2, false, { 29, 1000 } },
    [PPCLK_DCLK] = { 2, false, { 29, 857 } },
    [PPCLK_SOCCLK] = { 4, false, { 666, 857, 1000, 1090 } },
    [PPCLK_UCLK] = { 4, false, { 400, 700, 1200, 1600 } },
    [PPCLK_FCLK] = { 3, false, { 400, 1200, 1600 } },
    [PPCLK_LCLK] = { 3, false, { 156, 619, 1143 } },
};

static uint16_t dpm_max(unsigned clk)
{
    return dpm[clk].mhz[dpm[clk].num - 1];
}

/* ---------------------------------------------------------------- model */

static unsigned busy_sdma(struct vgpu_die *d)
{
    unsigned busy = 0;
    unsigned n;

    for (n = 0; n < d->cfg.num_sdma; n++) {
        uint32_t status = vgpu_reg_read(
            d, VGPU_SDMA_REG_ABS(n, regSDMA0_STATUS_REG));

        busy += !(status & SDMA0_STATUS_REG__IDLE_MASK);
    }
    return busy;
}

static uint32_t power(struct vgpu_die *d)
{
    uint32_t w = IDLE_W + SDMA_W * busy_sdma(d);

    return vgpu_cp_busy(d) ? w + BUSY_W : w;
}

/* A clock runs at its upper limit while its user works, else at the lower. */
static uint16_t clock_now(const struct vgpu_die *d, unsigned clk, bool busy)
{
    return busy ? d->s.smu.max[clk] : d->s.smu.min[clk];
}

/* The power of now is taken to have been that since the last time. */
static void count_energy(struct vgpu_die *d, uint32_t w)
{
    struct vgpu_smu_state *s = &d->s.smu;
    uint64_t now = d->cfg.ops->clock_ns(d->cfg.opaque);
    uint64_t units = (now - s->energy_time) / ENERGY_UNIT_NJ;

    /* What is left of a unit counts the next time. */
    s->energy += units * w;
    s->energy_time += units * ENERGY_UNIT_NJ;
}

static void fill_metrics(struct vgpu_die *d, struct vgpu_smu_metrics *m)
{
    uint64_t clock = vgpu_gpu_clock(d);
    uint64_t serial = d->cfg.hive_id ? d->cfg.hive_id + 1 + d->cfg.node_id : 0;
    bool gfx = vgpu_cp_busy(d);
    bool mem = gfx || busy_sdma(d);
    uint32_t w = power(d);
    uint32_t c = AMBIENT_C + w / W_PER_C;
    unsigned i;

    count_energy(d, w);
    *m = (struct vgpu_smu_metrics) {
        .average_gfxclk_frequency = clock_now(d, PPCLK_GFXCLK, gfx),
        .average_socclk_frequency = clock_now(d, PPCLK_SOCCLK, mem),
        .average_uclk_frequency = clock_now(d, PPCLK_UCLK, mem),
        .average_gfx_activity = gfx ? 100 : 0,
        .average_uclk_activity = mem ? 100 : 0,
        .average_socket_power = w,
        .temperature_edge = c,
        .temperature_hotspot = c,
        .temperature_hbm = c,
        .temperature_vr_gfx = c,
        .temperature_vr_soc = c,
        .temperature_vr_mem = c,
        .public_serial_num_lower32 = serial,
        .public_serial_num_upper32 = serial >> 32,
        .temperature_all_hbm = { c, c, c, c },
        .energy_acc64bit_low = d->s.smu.energy,
        .energy_acc64bit_high = d->s.smu.energy >> 32,
        .time_stamp_low = clock,
        .time_stamp_high = clock >> 32,
    };
    for (i = 0; i < PPCLK_COUNT; i++) {
        m->curr_clock[i] = clock_now(d, i, i == PPCLK_GFXCLK ? gfx : mem);
    }
}

/* ------------------------------------------------------------- messages */

/* A handler gets the argument and may leave a result in its place. */
typedef uint32_t msg_fn(struct vgpu_die *d, uint32_t *arg);

/* What has nothing to act on here. */
static uint32_t msg_accept(struct vgpu_die *d, uint32_t *arg)
{
    (void)d;
    (void)arg;
    return PPSMC_Result_OK;
}

static uint32_t msg_test(struct vgpu_die *d, uint32_t *arg)
{
    (void)d;
    ++*arg;
    return PPSMC_Result_OK;
}

static uint32_t msg_version(struct vgpu_die *d, uint32_t *arg)
{
    (void)d;
    *arg = FW_VERSION;
    return PPSMC_Result_OK;
}

static uint32_t msg_if_version(struct vgpu_die *d, uint32_t *arg)
{
    (void)d;
    *arg = SMU13_DRIVER_IF_VERSION_ALDE;
    return PPSMC_Result_OK;
}

/* Bits above: the reset follows a fatal error, which changes nothing here. */
static uint32_t msg_reset(struct vgpu_die *d, uint32_t *arg)
{
    switch (*arg & 0xffff) {
    case PPSMC_RESET_TYPE_DRIVER_MODE_1_RESET:
        vgpu_die_request_reset(d, VGPU_RESET_MODE1);
        return PPSMC_Result_OK;
    case PPSMC_RESET_TYPE_DRIVER_MODE_2_RESET:
        d->s.smu.reset_made = 1;
        vgpu_die_request_reset(d, VGPU_RESET_MODE2);
        return PPSMC_Result_OK;
    default:
        return PPSMC_Result_Failed;
    }
}

static uint32_t msg_reset_recovery(struct vgpu_die *d, uint32_t *arg)
{
    (void)arg;
    if (!d->s.smu.reset_made) {
        return PPSMC_Result_CmdRejectedPrereq;
    }
    d->s.smu.reset_made = 0;
    return PPSMC_Result_OK;
}

static uint32_t msg_enable_features(struct vgpu_die *d, uint32_t *arg)
{
    (void)arg;
    d->s.smu.features = ALL_FEATURES;
    return PPSMC_Result_OK;
}

static uint32_t msg_disable_features(struct vgpu_die *d, uint32_t *arg)
{
    (void)arg;
    d->s.smu.features = 0;
    return PPSMC_Result_OK;
}

static uint32_t msg_features_low(struct vgpu_die *d, uint32_t *arg)
{
    *arg = d->s.smu.features;
    return PPSMC_Result_OK;
}

static uint32_t msg_features_high(struct vgpu_die *d, uint32_t *arg)
{
    *arg = d->s.smu.features >> 32;
    return PPSMC_Result_OK;
}

static uint32_t msg_table_high(struct vgpu_die *d, uint32_t *arg)
{
    d->s.smu.table = (uint64_t)*arg << 32 | (uint32_t)d->s.smu.table;
    return PPSMC_Result_OK;
}

static uint32_t msg_table_low(struct vgpu_die *d, uint32_t *arg)
{
    d->s.smu.table = d->s.smu.table >> 32 << 32 | *arg;
    return PPSMC_Result_OK;
}

static const struct vgpu_req table_req = {
    .hub = VGPU_HUB_MM, .cid = VGPU_CID_MP1,
};

static uint32_t msg_table_out(struct vgpu_die *d, uint32_t *arg)
{
    struct vgpu_smu_metrics m;
    struct vgpu_ecc_info_table ecc;
    const void *table;
    size_t len;

    if (!d->s.smu.table) {
        return PPSMC_Result_CmdRejectedPrereq;
    }
    switch (*arg & 0xffff) {
    case TABLE_SMU_METRICS:
        fill_metrics(d, &m);
        table = &m;
        len = sizeof(m);
        break;
    case TABLE_ECCINFO:
        vgpu_ras_take_ecc_info(d, &ecc);
        table = &ecc;
        len = sizeof(ecc);
        break;
    default:
        return PPSMC_Result_Failed;
    }
    return vgpu_gmc_write(d, &table_req, d->s.smu.table, table, len) ?
           PPSMC_Result_OK : PPSMC_Result_Failed;
}

static uint32_t msg_table_in(struct vgpu_die *d, uint32_t *arg)
{
    struct vgpu_sw_i2c_request req;

    if (!d->s.smu.table) {
        return PPSMC_Result_CmdRejectedPrereq;
    }
    if ((*arg & 0xffff) != TABLE_I2C_COMMANDS) {
        return PPSMC_Result_Failed;
    }
    return vgpu_gmc_read(d, &table_req, d->s.smu.table, &req, sizeof(req)) &&
           vgpu_smu_i2c(d, &req) &&
           vgpu_gmc_write(d, &table_req, d->s.smu.table, &req, sizeof(req)) ?
           PPSMC_Result_OK : PPSMC_Result_Failed;
}

/* The clock is in the upper half of the argument. */
static uint32_t msg_dpm_level(struct vgpu_die *d, uint32_t *arg)
{
    uint32_t clk = *arg >> 16;
    uint32_t index = *arg & 0xffff;

    (void)d;
    if (clk >= PPCLK_COUNT) {
        return PPSMC_Result_Failed;
    }
    if (index == DPM_INDEX_LAST) {
        *arg = (dpm[clk].num - 1) | (dpm[clk].fine ? DPM_FINE : 0);
        return PPSMC_Result_OK;
    }
    if (index >= dpm[clk].num) {
        return PPSMC_Result_Failed;
    }
    *arg = dpm[clk].mhz[index];
    return PPSMC_Result_OK;
}

static uint32_t msg_dpm_min(struct vgpu_die *d, uint32_t *arg)
{
    uint32_t clk = *arg >> 16;

    (void)d;
    if (clk >= PPCLK_COUNT) {
        return PPSMC_Result_Failed;
    }
    *arg = dpm[clk].mhz[0];
    return PPSMC_Result_OK;
}

static uint32_t msg_dpm_max(struct vgpu_die *d, uint32_t *arg)
{
    uint32_t clk = *arg >> 16;

    (void)d;
    if (clk >= PPCLK_COUNT) {
        return PPSMC_Result_Failed;
    }
    *arg = dpm_max(clk);
    return PPSMC_Result_OK;
}

/* What a clock cannot do it does as nearly as it can. */
static uint32_t set_limit(uint32_t *limit, uint32_t arg)
{
    uint32_t clk = arg >> 16;
    uint32_t mhz = arg & 0xffff;

    if (clk >= PPCLK_COUNT) {
        return PPSMC_Result_Failed;
    }
    limit[clk] = mhz < dpm[clk].mhz[0] ? dpm[clk].mhz[0] :
                 mhz > dpm_max(clk) ? dpm_max(clk) : mhz;
    return PPSMC_Result_OK;
}

static uint32_t msg_set_min(struct vgpu_die *d, uint32_t *arg)
{
    return set_limit(d->s.smu.min, *arg);
}

static uint32_t msg_set_max(struct vgpu_die *d, uint32_t *arg)
{
    return set_limit(d->s.smu.max, *arg);
}

/* The argument is GFXCLK in MHz, which is then always the same. */
static uint32_t msg_determinism(struct vgpu_die *d, uint32_t *arg)
{
    return set_limit(d->s.smu.max, PPCLK_GFXCLK << 16 | (*arg & 0xffff));
}

static uint32_t msg_no_determinism(struct vgpu_die *d, uint32_t *arg)
{
    (void)arg;
    d->s.smu.max[PPCLK_GFXCLK] = dpm_max(PPCLK_GFXCLK);
    return PPSMC_Result_OK;
}

static uint32_t msg_set_ppt(struct vgpu_die *d, uint32_t *arg)
{
    if (*arg > PPT_MAX_W) {
        return PPSMC_Result_Failed;
    }
    d->s.smu.ppt_limit = *arg;
    return PPSMC_Result_OK;
}

static uint32_t msg_get_ppt(struct vgpu_die *d, uint32_t *arg)
{
    *arg = d->s.smu.ppt_limit;
    return PPSMC_Result_OK;
}

static uint32_t msg_df_cstate(struct vgpu_die *d, uint32_t *arg)
{
    if (*arg > 1) {
        return PPSMC_Result_Failed;
    }
    d->s.smu.df_cstate = *arg;
    return PPSMC_Result_OK;
}

static uint32_t msg_bad_pages(struct vgpu_die *d, uint32_t *arg)
{
    d->s.smu.retired[0] = *arg;
    return PPSMC_Result_OK;
}

static uint32_t msg_bad_channels(struct vgpu_die *d, uint32_t *arg)
{
    d->s.smu.retired[1] = *arg;
    return PPSMC_Result_OK;
}

/* Messages that MI250X knows; the others are unknown to it, or were retired. */
static msg_fn *const messages[PPSMC_Message_Count] = {
    [PPSMC_MSG_TestMessage] = msg_test,
    [PPSMC_MSG_GetSmuVersion] = msg_version,
    [PPSMC_MSG_GfxDriverReset] = msg_reset,
    [PPSMC_MSG_GetDriverIfVersion] = msg_if_version,
    [PPSMC_MSG_EnableAllSmuFeatures] = msg_enable_features,
    [PPSMC_MSG_DisableAllSmuFeatures] = msg_disable_features,
    [PPSMC_MSG_GetEnabledSmuFeaturesLow] = msg_features_low,
    [PPSMC_MSG_GetEnabledSmuFeaturesHigh] = msg_features_high,
    [PPSMC_MSG_SetDriverDramAddrHigh] = msg_table_high,
    [PPSMC_MSG_SetDriverDramAddrLow] = msg_table_low,
    [PPSMC_MSG_SetToolsDramAddrHigh] = msg_accept,
    [PPSMC_MSG_SetToolsDramAddrLow] = msg_accept,
    [PPSMC_MSG_TransferTableSmu2Dram] = msg_table_out,
    [PPSMC_MSG_TransferTableDram2Smu] = msg_table_in,
    [PPSMC_MSG_UseDefaultPPTable] = msg_accept,
    [PPSMC_MSG_SetSystemVirtualDramAddrHigh] = msg_accept,
    [PPSMC_MSG_SetSystemVirtualDramAddrLow] = msg_accept,
    [PPSMC_MSG_SetSoftMinByFreq] = msg_set_min,
    [PPSMC_MSG_SetSoftMaxByFreq] = msg_set_max,
    [PPSMC_MSG_SetHardMinByFreq] = msg_set_min,
    [PPSMC_MSG_SetHardMaxByFreq] = msg_set_max,
    [PPSMC_MSG_GetMinDpmFreq] = msg_dpm_min,
    [PPSMC_MSG_GetMaxDpmFreq] = msg_dpm_max,
    [PPSMC_MSG_GetDpmFreqByIndex] = msg_dpm_level,
    [PPSMC_MSG_SetWorkloadMask] = msg_accept,
    [PPSMC_MSG_SetPptLimit] = msg_set_ppt,
    [PPSMC_MSG_GetPptLimit] = msg_get_ppt,
    [PPSMC_MSG_PrepareMp1ForUnload] = msg_disable_features,
    [PPSMC_MSG_RunDcBtc] = msg_accept,
    [PPSMC_MSG_DramLogSetDramAddrHigh] = msg_accept,
    [PPSMC_MSG_DramLogSetDramAddrLow] = msg_accept,
    [PPSMC_MSG_DramLogSetDramSize] = msg_accept,
    [PPSMC_MSG_SetMemoryChannelEnable] = msg_accept,
    [PPSMC_MSG_SetNumBadHbmPagesRetired] = msg_bad_pages,
    [PPSMC_MSG_DFCstateControl] = msg_df_cstate,
    [PPSMC_MSG_GmiPwrDnControl] = msg_accept,
    [PPSMC_MSG_EnterGfxoff] = msg_accept,
    [PPSMC_MSG_ExitGfxoff] = msg_accept,
    [PPSMC_MSG_EnableDeterminism] = msg_determinism,
    [PPSMC_MSG_DisableDeterminism] = msg_no_determinism,
    [PPSMC_MSG_SetUclkDpmMode] = msg_accept,
    [PPSMC_MSG_GfxDriverResetRecovery] = msg_reset_recovery,
    [PPSMC_MSG_BoardPowerCalibration] = msg_accept,
    [PPSMC_MSG_HeavySBR] = msg_accept,
    [PPSMC_MSG_SetBadHBMPagesRetiredFlagsPerChannel] = msg_bad_channels,
};

static enum vgpu_run smu_run(struct vgpu_die *d, struct vgpu_queue *q)
{
    uint32_t msg = vgpu_reg_get(d, REG_MSG);
    uint32_t arg = vgpu_reg_get(d, REG_ARG);
    uint32_t result;

    (void)q;
    if (!d->s.smu.msg_posted ||
        vgpu_reg_get(d, VGPU_DBG_STUCK) & VGPU_DBG_STUCK__MP1_MASK) {
        return VGPU_RUN_IDLE;
    }
    d->s.smu.msg_posted = 0;
    result = msg < PPSMC_Message_Count && messages[msg] ?
             messages[msg](d, &arg) : PPSMC_Result_UnknownCmd;
    if (result != PPSMC_Result_OK) {
        vgpu_log(d, VGPU_LOG_GUEST_ERROR, "SMU message 0x%x(0x%x): 0x%x", msg,
                 arg, result);
    }
    vgpu_reg_set(d, REG_ARG, arg);
    vgpu_reg_set(d, REG_RESP, result);
    vgpu_wake_parked(d);
    return VGPU_RUN_IDLE;
}

/* ------------------------------------------------------------ registers */

static void msg_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    d->s.smu.msg_posted = 1;
    vgpu_queue_kick(d, d->smu->queue);
}

#define R(n, ...) { .reg = MP1(n), .name = "MP1_SMN_" #n, .wmask = ~0u, \
                    __VA_ARGS__ }

static const struct vgpu_reg_desc regs[] = {
    R(C2PMSG_66, .write = msg_write),
    R(C2PMSG_82),
    /* A driver takes 0 for "busy": nothing was asked, and all is well. */
    R(C2PMSG_90, .reset = PPSMC_Result_OK),
    R(IH_SW_INT),
    R(IH_SW_INT_CTRL),
};

/* ---------------------------------------------------------------- block */

static bool smu_init(struct vgpu_die *d)
{
    d->smu = calloc(1, sizeof(*d->smu));
    if (!d->smu) {
        return false;
    }
    d->smu->queue = vgpu_queue_add(d, "smu", smu_run, 0);
    return d->smu->queue &&
           vgpu_regs_claim(d, regs, sizeof(regs) / sizeof(regs[0]));
}

static void smu_reset(struct vgpu_die *d)
{
    struct vgpu_smu_state *s = &d->s.smu;
    unsigned clk;

    s->energy_time = d->s.gpu_clock_base;
    s->ppt_limit = PPT_DEFAULT_W;
    for (clk = 0; clk < PPCLK_COUNT; clk++) {
        s->min[clk] = dpm[clk].mhz[0];
        s->max[clk] = dpm_max(clk);
    }
}

static bool smu_valid(const struct vgpu_die *d,
                      const struct vgpu_die_state *state)
{
    const struct vgpu_smu_state *s = &state->smu;

    (void)d;
    return s->msg_posted <= 1 && s->reset_made <= 1 && s->df_cstate <= 1;
}

static void smu_fini(struct vgpu_die *d)
{
    free(d->smu);
    d->smu = NULL;
}

const struct vgpu_block vgpu_smu_block = {
    .name = "smu",
    .init = smu_init,
    .reset = smu_reset,
    .valid = smu_valid,
    .fini = smu_fini,
};
