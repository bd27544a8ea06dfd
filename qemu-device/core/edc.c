/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors in the memories inside of blocks: counters that stop at 3 and that
 * a driver reads and clears. Nothing breaks in a model: the RAS application
 * injects what they count.
 * Documentation/hardware.rst, "Errors inside of blocks".
 */
#include "die.h"
#include <hw/reg/edc.h>
#include <hw/reg/gc.h>
#include <hw/reg/hdp.h>
#include <hw/reg/mmhub.h>
#include <hw/reg/sdma.h>
#include <hw/reg/sdma_edc.h>
#include <hw/ta_ras.h>

#define GC(name)        VGPU_REG_ABS(GC, reg##name)
#define MMHUB(name)     VGPU_REG_ABS(MMHUB, reg##name)

/* Each counter has two bits. */
#define COUNT_BITS      2
#define COUNT_MAX       3u

/* Memories of each block, beyond the table for GFX */
#define SDMA_MEMORIES   26
#define SDMA_IN_FIRST   16      /* of these, in EDC_COUNTER */
#define HDP_MEMORIES    2
#define NUM_MMEA        6
#define MMEA_MEMORIES   6
#define MMEA_DISTANCE   (MMHUB(MMEA1_EDC_CNT) - MMHUB(MMEA0_EDC_CNT))

_Static_assert(MMHUB(MMEA5_EDC_CNT) ==
               MMHUB(MMEA0_EDC_CNT) + 5 * MMEA_DISTANCE, "at one distance");
_Static_assert(SDMA0_EDC_COUNTER2__SDMA_MC_RDRET_BUF_SED__SHIFT ==
               COUNT_BITS * (SDMA_MEMORIES - SDMA_IN_FIRST - 1),
               "the last memory of SDMA");

static const struct gfx_memory {
    uint16_t sub_block;
    uint32_t reg;
    uint8_t sec, ded;
} gfx_memories[] = {
#define MEMORY(sub, r, sec, ded) \
    { TA_RAS_BLOCK__GFX_##sub, GC(r), r##__##sec##__SHIFT, r##__##ded##__SHIFT }
    MEMORY(CPC_SCRATCH, CPC_EDC_SCRATCH_CNT, SEC_COUNT, DED_COUNT),
    MEMORY(CPC_UCODE, CPC_EDC_UCODE_CNT, SEC_COUNT, DED_COUNT),
    MEMORY(DC_STATE_ME1, DC_EDC_STATE_CNT, SEC_COUNT_ME1, DED_COUNT_ME1),
    MEMORY(DC_CSINVOC_ME1, DC_EDC_CSINVOC_CNT, SEC_COUNT_ME1, DED_COUNT_ME1),
    MEMORY(DC_RESTORE_ME1, DC_EDC_RESTORE_CNT, SEC_COUNT_ME1, DED_COUNT_ME1),
    MEMORY(CPF_ROQ_ME2, CPF_EDC_ROQ_CNT, SEC_COUNT_ME2, DED_COUNT_ME2),
    MEMORY(CPF_ROQ_ME1, CPF_EDC_ROQ_CNT, SEC_COUNT_ME1, DED_COUNT_ME1),
    MEMORY(CPF_TAG, CPF_EDC_TAG_CNT, SEC_COUNT, DED_COUNT),
    MEMORY(SPI_SR_MEM, SPI_EDC_CNT, SPI_SR_MEM_SEC_COUNT,
           SPI_SR_MEM_DED_COUNT),
};

static void count(struct vgpu_die *d, uint32_t reg, unsigned shift)
{
    uint32_t val = vgpu_reg_get(d, reg);

    if ((val >> shift & COUNT_MAX) < COUNT_MAX) {
        vgpu_reg_set(d, reg, val + (1u << shift));
    }
}

/* ----------------------------------------------------------- the blocks */

static uint32_t count_gfx(struct vgpu_die *d, unsigned memory, bool corrected)
{
    size_t i;

    for (i = 0; i < sizeof(gfx_memories) / sizeof(gfx_memories[0]); i++) {
        const struct gfx_memory *m = &gfx_memories[i];

        if (m->sub_block == memory) {
            count(d, m->reg, corrected ? m->sec : m->ded);
            return TA_RAS_STATUS__SUCCESS;
        }
    }
    return TA_RAS_STATUS__ERROR_INVALID_PARAMETER;
}

/* In engines of the mask, or in the first one. */
static uint32_t count_sdma(struct vgpu_die *d, unsigned memory, uint32_t mask)
{
    unsigned n;

    mask = mask ? mask : 1;
    if (memory >= SDMA_MEMORIES || mask >> d->cfg.num_sdma) {
        return TA_RAS_STATUS__ERROR_INVALID_PARAMETER;
    }
    for (n = 0; n < d->cfg.num_sdma; n++) {
        if (!(mask & 1u << n)) {
            continue;
        }
        if (memory < SDMA_IN_FIRST) {
            count(d, VGPU_SDMA_REG_ABS(n, regSDMA0_EDC_COUNTER),
                  COUNT_BITS * memory);
        } else {
            count(d, VGPU_SDMA_REG_ABS(n, regSDMA0_EDC_COUNTER2),
                  COUNT_BITS * (memory - SDMA_IN_FIRST));
        }
    }
    return TA_RAS_STATUS__SUCCESS;
}

/* A memory has a counter of each kind, side by side. */
static uint32_t count_mmhub(struct vgpu_die *d, unsigned memory,
                            bool corrected)
{
    if (memory >= NUM_MMEA * MMEA_MEMORIES) {
        return TA_RAS_STATUS__ERROR_INVALID_PARAMETER;
    }
    count(d, MMHUB(MMEA0_EDC_CNT) + memory / MMEA_MEMORIES * MMEA_DISTANCE,
          COUNT_BITS * (2 * (memory % MMEA_MEMORIES) + !corrected));
    return TA_RAS_STATUS__SUCCESS;
}

static uint32_t count_hdp(struct vgpu_die *d, unsigned memory)
{
    if (memory >= HDP_MEMORIES) {
        return TA_RAS_STATUS__ERROR_INVALID_PARAMETER;
    }
    count(d, VGPU_REG_ABS(HDP, regHDP_EDC_CNT), COUNT_BITS * memory);
    return TA_RAS_STATUS__SUCCESS;
}

uint32_t vgpu_edc_inject(struct vgpu_die *d, uint32_t block,
                         uint32_t sub_block_index, bool corrected)
{
    unsigned memory = sub_block_index & ~AMDGPU_RAS_INST_MASK;
    uint32_t mask = sub_block_index >> AMDGPU_RAS_INST_SHIFT;

    if (corrected && block != TA_RAS_BLOCK__GFX &&
        block != TA_RAS_BLOCK__MMHUB) {
        return TA_RAS_STATUS__ERROR_UNSUPPORTED_ERROR_INJ;
    }
    if (block == TA_RAS_BLOCK__SDMA) {
        return count_sdma(d, memory, mask);
    }
    /* Of the others there is one. */
    if (mask > 1) {
        return TA_RAS_STATUS__ERROR_INVALID_PARAMETER;
    }
    switch (block) {
    case TA_RAS_BLOCK__GFX:
        return count_gfx(d, memory, corrected);
    case TA_RAS_BLOCK__MMHUB:
        return count_mmhub(d, memory, corrected);
    case TA_RAS_BLOCK__HDP:
        return count_hdp(d, memory);
    default:
        return TA_RAS_STATUS__SUCCESS; /* nothing counts them */
    }
}

/* ------------------------------------------------------------ registers */

/* Errors are injected into the first shader engine; the others have none. */
static bool first_engine(struct vgpu_die *d)
{
    uint32_t index = vgpu_reg_get(d, GC(GRBM_GFX_INDEX));

    return (index & GRBM_GFX_INDEX__SE_BROADCAST_WRITES_MASK ||
            !(index & GRBM_GFX_INDEX__SE_INDEX_MASK)) &&
           (index & GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES_MASK ||
            !(index & GRBM_GFX_INDEX__INSTANCE_INDEX_MASK));
}

static uint32_t spi_read(struct vgpu_die *d, uint32_t reg)
{
    return first_engine(d) ? vgpu_reg_get(d, reg) : 0;
}

static void spi_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    if (first_engine(d)) {
        vgpu_reg_set(d, reg, val);
    }
}

#define R(n, ...) \
    { .reg = GC(n), .wmask = ~0u, .name = #n, ##__VA_ARGS__ }

static const struct vgpu_reg_desc regs[] = {
    R(CPF_EDC_TAG_CNT),
    R(CPF_EDC_ROQ_CNT),
    R(CPC_EDC_SCRATCH_CNT),
    R(CPC_EDC_UCODE_CNT),
    R(DC_EDC_STATE_CNT),
    R(DC_EDC_CSINVOC_CNT),
    R(DC_EDC_RESTORE_CNT),
    R(SPI_EDC_CNT, .read = spi_read, .write = spi_write),
    { .reg = MMHUB(MMEA0_EDC_CNT), .count = NUM_MMEA, .stride = MMEA_DISTANCE,
      .wmask = ~0u, .name = "MMEA_EDC_CNT" },
};

static bool init(struct vgpu_die *d)
{
    return vgpu_regs_claim(d, regs, sizeof(regs) / sizeof(regs[0]));
}

const struct vgpu_block vgpu_edc_block = {
    .name = "edc",
    .init = init,
};
