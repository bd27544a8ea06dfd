/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The graphics and compute complex outside the command processor: GRBM, RLC,
 * shader array configuration, per-VMID shader memory registers, and the
 * registers which packets set and only a later shader engine will read.
 * Documentation/hardware.rst, "Graphics core".
 */
#include <string.h>

#include "die.h"
#include <hw/reg/gc.h>

#define GC(name) VGPU_REG_ABS(GC, reg##name)

/* 8 shader engines of one array each, up to 16 compute units an array. */
#define NUM_SE      8
#define CU_PER_SE   (VGPU_MAX_CU / NUM_SE)

/*
 * GB_ADDR_CONFIG as gfx_v9_0.c programs it on GC 9.4.2 when firmware does not
 * say otherwise.
 */
#define GB_ADDR_CONFIG_RESET 0x22014042u

/* ------------------------------------------------------------------ GRBM */

static uint32_t grbm_status_read(struct vgpu_die *d, uint32_t reg)
{
    uint32_t busy = 0;

    if (vgpu_cp_busy(d)) {
        busy = GRBM_STATUS__GUI_ACTIVE_MASK | GRBM_STATUS__CP_BUSY_MASK;
    }
    (void)reg;
    return busy | GRBM_STATUS__DB_CLEAN_MASK | GRBM_STATUS__CB_CLEAN_MASK;
}

static void grbm_soft_reset_write(struct vgpu_die *d, uint32_t reg,
                                  uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    vgpu_cp_soft_reset(d, val);
}

/*
 * SH_MEM_* and the trap handler's registers exist once a VMID; GRBM_GFX_CNTL
 * selects which one is reached.
 */
static unsigned selected_vmid(struct vgpu_die *d)
{
    return (vgpu_reg_get(d, GC(GRBM_GFX_CNTL)) & GRBM_GFX_CNTL__VMID_MASK) >>
           GRBM_GFX_CNTL__VMID__SHIFT;
}

static uint32_t sh_mem_read(struct vgpu_die *d, uint32_t reg)
{
    unsigned vmid = selected_vmid(d);

    return reg == GC(SH_MEM_CONFIG) ? d->s.gc.sh_mem_config[vmid] :
           d->s.gc.sh_mem_bases[vmid];
}

static void sh_mem_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned vmid = selected_vmid(d);

    if (reg == GC(SH_MEM_CONFIG)) {
        d->s.gc.sh_mem_config[vmid] = val;
    } else {
        d->s.gc.sh_mem_bases[vmid] = val;
    }
}

static uint32_t trap_read(struct vgpu_die *d, uint32_t reg)
{
    return d->s.gc.trap[selected_vmid(d)][reg - GC(SQ_SHADER_TBA_LO)];
}

static void trap_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    d->s.gc.trap[selected_vmid(d)][reg - GC(SQ_SHADER_TBA_LO)] = val;
}

/*
 * Compute units that are fused off in the shader engine that GRBM_GFX_INDEX
 * selects. num_cu are spread evenly, the first engines take what is left over.
 */
static uint32_t shader_array_read(struct vgpu_die *d, uint32_t reg)
{
    uint32_t index = vgpu_reg_get(d, GC(GRBM_GFX_INDEX));
    uint32_t se = (index & GRBM_GFX_INDEX__SE_INDEX_MASK) >>
                  GRBM_GFX_INDEX__SE_INDEX__SHIFT;
    uint32_t active;

    (void)reg;
    /* A read with broadcast set comes from engine 0. */
    if (index & GRBM_GFX_INDEX__SE_BROADCAST_WRITES_MASK) {
        se = 0;
    }
    active = se >= NUM_SE ? 0 :
             d->cfg.num_cu / NUM_SE + (se < d->cfg.num_cu % NUM_SE);
    return ((1u << CU_PER_SE) - (1u << active)) <<
           CC_GC_SHADER_ARRAY_CONFIG__INACTIVE_CUS__SHIFT;
}

/* ------------------------------------------------------------------- RLC */

/* Enter and leave safe mode: the RLC acknowledges by clearing the command. */
static void safe_mode_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val & ~RLC_SAFE_MODE__CMD_MASK);
}

static void clock_capture_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    (void)reg;
    if (val & RLC_CAPTURE_GPU_CLOCK_COUNT__CAPTURE_MASK) {
        d->s.gc.clock_capture = vgpu_gpu_clock(d);
    }
}

static uint32_t clock_read(struct vgpu_die *d, uint32_t reg)
{
    if (reg == GC(RLC_GPU_CLOCK_COUNT_LSB)) {
        return d->s.gc.clock_capture;
    }
    if (reg == GC(RLC_GPU_CLOCK_COUNT_MSB)) {
        return d->s.gc.clock_capture >> 32;
    }
    if (reg == GC(RLC_REFCLOCK_TIMESTAMP_LSB)) {
        return vgpu_gpu_clock(d);
    }
    return vgpu_gpu_clock(d) >> 32;
}

/* Write an address, then data dword by dword: the address counts up. */
static void ucode_data_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    vgpu_reg_set(d, reg - 1, vgpu_reg_get(d, reg - 1) + 1);
}

_Static_assert(GC(RLC_GPM_UCODE_DATA) == GC(RLC_GPM_UCODE_ADDR) + 1 &&
               GC(RLC_SRM_ARAM_DATA) == GC(RLC_SRM_ARAM_ADDR) + 1 &&
               GC(RLC_GPM_SCRATCH_DATA) == GC(RLC_GPM_SCRATCH_ADDR) + 1,
               "ucode_data_write() relies on it");

/* ---------------------------------------------------------------- tables */

#define REG(n, mask, ...) \
    { .reg = GC(n), .wmask = (mask), .name = #n, ##__VA_ARGS__ }
#define PLAIN(n)        REG(n, ~0u)
#define PLAINS(n, num)  REG(n, ~0u, .count = (num))
#define ZERO(n)         REG(n, 0)

static const struct vgpu_reg_desc regs[] = {
    REG(GRBM_STATUS, 0, .read = grbm_status_read),
    ZERO(GRBM_STATUS2),
    ZERO(GRBM_STATUS_SE0),
    ZERO(GRBM_STATUS_SE1),
    ZERO(GRBM_STATUS_SE2),
    ZERO(GRBM_STATUS_SE3),
    REG(GRBM_SOFT_RESET, ~0u, .write = grbm_soft_reset_write),
    PLAIN(GRBM_CNTL),
    PLAIN(GRBM_GFX_CNTL),
    REG(GRBM_GFX_INDEX, ~0u,
        .reset = GRBM_GFX_INDEX__SE_BROADCAST_WRITES_MASK |
        GRBM_GFX_INDEX__SH_BROADCAST_WRITES_MASK |
        GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES_MASK),
    ZERO(GRBM_READ_ERROR),
    ZERO(GRBM_READ_ERROR2),
    ZERO(GRBM_WRITE_ERROR),
    PLAINS(SCRATCH_REG0, 8),

    REG(GB_ADDR_CONFIG, ~0u, .reset = GB_ADDR_CONFIG_RESET),
    REG(GB_ADDR_CONFIG_READ, 0, .reset = GB_ADDR_CONFIG_RESET),
    ZERO(GB_GPU_ID),
    REG(CC_GC_SHADER_ARRAY_CONFIG, 0, .read = shader_array_read),
    PLAIN(GC_USER_SHADER_ARRAY_CONFIG),
    ZERO(CC_RB_BACKEND_DISABLE),
    PLAIN(GC_USER_RB_BACKEND_DISABLE),
    REG(SH_MEM_CONFIG, ~0u, .read = sh_mem_read, .write = sh_mem_write),
    REG(SH_MEM_BASES, ~0u, .read = sh_mem_read, .write = sh_mem_write),
    REG(SQ_SHADER_TBA_LO, ~0u, .count = 4, .read = trap_read,
        .write = trap_write),

    PLAIN(RLC_CNTL),
    ZERO(RLC_STAT),
    REG(RLC_SAFE_MODE, ~0u, .write = safe_mode_write),
    REG(RLC_SMU_SAFE_MODE, ~0u, .write = safe_mode_write),
    REG(RLC_GPM_STAT, 0, .reset = RLC_GPM_STAT__GFX_CLOCK_STATUS_MASK),
    REG(RLC_CAPTURE_GPU_CLOCK_COUNT, ~0u, .write = clock_capture_write),
    REG(RLC_GPU_CLOCK_COUNT_LSB, 0, .read = clock_read),
    REG(RLC_GPU_CLOCK_COUNT_MSB, 0, .read = clock_read),
    REG(RLC_REFCLOCK_TIMESTAMP_LSB, 0, .read = clock_read),
    REG(RLC_REFCLOCK_TIMESTAMP_MSB, 0, .read = clock_read),
    ZERO(RLC_SERDES_CU_MASTER_BUSY),
    ZERO(RLC_SERDES_NONCU_MASTER_BUSY),
    ZERO(RLC_UTCL1_STATUS),
    REG(RLC_GPM_UCODE_DATA, ~0u, .write = ucode_data_write),
    REG(RLC_SRM_ARAM_DATA, ~0u, .write = ucode_data_write),
    REG(RLC_GPM_SCRATCH_DATA, ~0u, .write = ucode_data_write),
};

/* What nothing in the emulator acts on; other blocks may claim any first. */
static const struct vgpu_reg_desc rest[] = {
    PLAIN(RLC_MEM_SLP_CNTL),
    PLAIN(RLC_CP_SCHEDULERS),
    PLAINS(RLC_GPM_GENERAL_0, 8),
    PLAINS(RLC_GPM_GENERAL_8, 2),
    PLAIN(RLC_GPM_SCRATCH_ADDR),
    PLAIN(RLC_GPM_UCODE_ADDR),
    PLAIN(RLC_GPM_TIMER_INT_3),
    PLAINS(RLC_GPM_UTCL1_CNTL_0, 3),
    PLAIN(RLC_PREWALKER_UTCL1_CNTL),
    PLAIN(RLC_SPM_UTCL1_CNTL),
    PLAIN(RLC_SPM_MC_CNTL),
    PLAINS(RLC_CSIB_ADDR_LO, 3),
    PLAIN(RLC_JUMP_TABLE_RESTORE),
    PLAIN(RLC_SRM_CNTL),
    PLAIN(RLC_SRM_ARAM_ADDR),
    PLAINS(RLC_SRM_INDEX_CNTL_ADDR_0, 8),
    PLAINS(RLC_SRM_INDEX_CNTL_DATA_0, 8),
    PLAIN(RLC_PG_CNTL),
    PLAIN(RLC_PG_DELAY),
    PLAIN(RLC_PG_DELAY_2),
    PLAIN(RLC_PG_DELAY_3),
    PLAIN(RLC_AUTO_PG_CTRL),
    PLAIN(RLC_PG_ALWAYS_ON_CU_MASK),
    PLAIN(RLC_CGCG_CGLS_CTRL),
    PLAIN(RLC_CGCG_CGLS_CTRL_3D),
    PLAIN(RLC_CGTT_MGCG_OVERRIDE),
    PLAIN(RLC_LB_CNTL),
    PLAIN(RLC_LB_CNTR_MAX),
    PLAIN(RLC_LB_CNTR_INIT),
    PLAIN(RLC_LB_INIT_CU_MASK),
    PLAIN(RLC_LB_ALWAYS_ACTIVE_CU_MASK),
    PLAIN(RLC_LB_PARAMS),
    PLAIN(RLC_LB_THR_CONFIG_1),
    PLAINS(RLC_LB_THR_CONFIG_2, 3),
    PLAIN(RLC_SERDES_WR_NONCU_MASTER_MASK_1),
    PLAIN(RLC_SERDES_WR_CU_MASTER_MASK),
    PLAIN(RLC_SERDES_WR_NONCU_MASTER_MASK),
    PLAIN(RLC_SERDES_WR_CTRL),
    PLAIN(RLC_SERDES_WR_DATA),
    PLAIN(RLC_SMU_MESSAGE),
    PLAIN(RLC_SMU_COMMAND),
    PLAIN(RLC_SMU_ARGUMENT_1),
    PLAIN(RLC_SMU_ARGUMENT_2),
    PLAIN(SMU_RLC_RESPONSE),
    PLAIN(RLC_SPARE_INT),
    PLAIN(RLC_INT_STAT),

    PLAIN(SQ_CONFIG),
    PLAIN(SQC_CONFIG),
    PLAIN(SQ_FIFO_SIZES),
    PLAIN(SQ_CMD),
    PLAIN(SQ_IND_INDEX),
    PLAIN(SQ_IND_DATA),
    PLAIN(SQC_CACHES),
    PLAIN(SPI_CONFIG_CNTL),
    PLAIN(SPI_CONFIG_CNTL_1),
    PLAIN(SPI_GDBG_WAVE_CNTL),
    PLAIN(SPI_GDBG_TRAP_CONFIG),
    PLAIN(SPI_GDBG_TRAP_MASK),
    PLAIN(SPI_GDBG_WAVE_CNTL2),
    PLAINS(SPI_GDBG_TRAP_DATA0, 2),
    PLAIN(SPI_COMPUTE_QUEUE_RESET),
    ZERO(SPI_CSQ_WF_ACTIVE_STATUS),
    ZERO(SPI_CSQ_WF_ACTIVE_COUNT_0),
    PLAIN(SPI_WCL_PIPE_PERCENT_GFX),
    PLAINS(SPI_WCL_PIPE_PERCENT_CS0, 4),
    PLAINS(SPI_RESOURCE_RESERVE_CU_0, 2),
    PLAINS(SPI_RESOURCE_RESERVE_EN_CU_0, 2),
    PLAIN(TCP_ADDR_CONFIG),
    PLAIN(TCP_CHAN_STEER_LO),
    PLAIN(TCP_CHAN_STEER_HI),
    PLAINS(TCP_WATCH0_ADDR_H, 12),
    PLAIN(TA_CNTL_AUX),
    PLAIN(PA_SC_ENHANCE),
    PLAIN(PA_SC_ENHANCE_1),
    PLAIN(PA_CL_ENHANCE),
    PLAIN(PA_CL_CNTL_STATUS),
    PLAIN(DB_DEBUG),
    PLAIN(DB_DEBUG2),
    PLAIN(DB_DEBUG3),
    PLAIN(CB_HW_CONTROL),
    PLAIN(CB_HW_CONTROL_2),
    PLAIN(CB_HW_CONTROL_3),
    PLAIN(CB_DCC_CONFIG),
    PLAINS(GDS_VMID0_BASE, 32),
    PLAINS(GDS_GWS_VMID0, 16),
    PLAINS(GDS_OA_VMID0, 16),
    PLAIN(GDS_COMPUTE_MAX_WAVE_ID),
    PLAIN(GDS_PROTECTION_FAULT),
    PLAIN(GDS_VM_PROTECTION_FAULT),
    PLAIN(GDS_CONFIG),
    PLAIN(VGT_CACHE_INVALIDATION),
    PLAIN(VGT_GS_MAX_WAVE_ID),
    PLAIN(VGT_PRIMITIVE_TYPE),
    PLAIN(VGT_INDEX_TYPE),
    PLAIN(VGT_NUM_INDICES),
    PLAIN(VGT_NUM_INSTANCES),
    PLAIN(VGT_INDX_OFFSET),
    PLAIN(VGT_MIN_VTX_INDX),
    PLAIN(VGT_MAX_VTX_INDX),
    PLAIN(VGT_MULTI_PRIM_IB_RESET_EN),
    PLAIN(VGT_TF_RING_SIZE),
    PLAIN(VGT_TF_MEMORY_BASE),
    PLAIN(VGT_TF_MEMORY_BASE_HI),
    PLAIN(VGT_HS_OFFCHIP_PARAM),
    PLAIN(VGT_GSVS_RING_SIZE),
    PLAIN(PA_SC_LINE_STIPPLE_STATE),
    PLAIN(IA_MULTI_VGT_PARAM),

    PLAIN(COMPUTE_DISPATCH_INITIATOR),
    PLAINS(COMPUTE_DIM_X, 3),
    PLAINS(COMPUTE_START_X, 3),
    PLAINS(COMPUTE_NUM_THREAD_X, 3),
    PLAIN(COMPUTE_PIPELINESTAT_ENABLE),
    PLAIN(COMPUTE_PERFCOUNT_ENABLE),
    PLAINS(COMPUTE_PGM_LO, 2),
    PLAINS(COMPUTE_DISPATCH_PKT_ADDR_LO, 2),
    PLAINS(COMPUTE_DISPATCH_SCRATCH_BASE_LO, 2),
    PLAINS(COMPUTE_PGM_RSRC1, 2),
    PLAIN(COMPUTE_VMID),
    PLAIN(COMPUTE_RESOURCE_LIMITS),
    PLAINS(COMPUTE_STATIC_THREAD_MGMT_SE0, 2),
    PLAIN(COMPUTE_TMPRING_SIZE),
    PLAINS(COMPUTE_STATIC_THREAD_MGMT_SE2, 2),
    PLAINS(COMPUTE_RESTART_X, 3),
    PLAIN(COMPUTE_THREAD_TRACE_ENABLE),
    PLAIN(COMPUTE_MISC_RESERVED),
    PLAIN(COMPUTE_DISPATCH_ID),
    PLAIN(COMPUTE_THREADGROUP_ID),
    PLAIN(COMPUTE_RELAUNCH),
    PLAINS(COMPUTE_WAVE_RESTORE_ADDR_LO, 2),
    PLAINS(COMPUTE_STATIC_THREAD_MGMT_SE4, 4),
    PLAINS(COMPUTE_USER_DATA_0, 16),
    PLAIN(COMPUTE_NOWHERE),

    /* The windows of SET_SH_REG and SET_CONTEXT_REG, whole. */
    { .reg = 0x2c00, .count = 0x400, .wmask = ~0u, .name = "SH_REG" },
    { .reg = 0xa000, .count = 0x400, .wmask = ~0u, .name = "CONTEXT_REG" },
};

static bool init(struct vgpu_die *d)
{
    return vgpu_regs_claim(d, regs, sizeof(regs) / sizeof(regs[0])) &&
           vgpu_regs_claim_rest(d, rest, sizeof(rest) / sizeof(rest[0]));
}

static void reset_mode2(struct vgpu_die *d)
{
    memset(&d->s.gc, 0, sizeof(d->s.gc));
}

const struct vgpu_block vgpu_gc_block = {
    .name = "gc",
    .init = init,
    .reset_mode2 = reset_mode2,
};
