// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Counters of errors in the memories inside of blocks: read, cleared, and added up.
 * Documentation/ras.rst, "What is counted".
 */
#include <hw/reg/edc.h>
#include <hw/reg/gc.h>
#include <hw/reg/hdp.h>
#include <hw/reg/mmhub.h>
#include <hw/reg/sdma_edc.h>

#include "vgpu.h"

/* All counters have two bits. */
#define EDC_COUNT(val, shift)	((val) >> (shift) & 3)

#define EDC_MMHUB_NUM_EA	6
#define EDC_MMHUB_MEMORIES	6

/* A counter is cleared by writing 0. Under vgpu_hw_enter(): a die that is gone reads as ones. */
static u32 edc_take(struct vgpu_device *vdev, u32 reg)
{
	u32 val = vgpu_rreg(vdev, reg);

	if (val)
		vgpu_wreg(vdev, reg, 0);
	return val;
}

/* What counts in all bits of a register. */
static u32 edc_sum(u32 val)
{
	u32 sum = 0;

	for (; val; val >>= 2)
		sum += val & 3;
	return sum;
}

/**
 * vgpu_edc_sdma() - errors of the SDMA engines
 * @vdev: the die
 * @found: to be added to; an engine corrects none
 */
void vgpu_edc_sdma(struct vgpu_device *vdev, struct vgpu_ras_errors *found)
{
	unsigned int n;

	for (n = 0; n < vdev->info.num_sdma; n++) {
		u32 first = vgpu_sdma_reg(vdev, n, regSDMA0_EDC_COUNTER);
		u32 second = vgpu_sdma_reg(vdev, n, regSDMA0_EDC_COUNTER2);

		found->ue += edc_sum(edc_take(vdev, first)) + edc_sum(edc_take(vdev, second));
	}
}

static const struct {
	u32 reg;
	u8 sec, ded;
	bool per_se;	/* one in each shader engine */
} edc_gfx[] = {
#define EDC_GFX(_reg, _sec, _ded, _per_se) \
	{ reg##_reg, _reg##__##_sec##__SHIFT, _reg##__##_ded##__SHIFT, _per_se }
	EDC_GFX(CPC_EDC_SCRATCH_CNT, SEC_COUNT, DED_COUNT, false),
	EDC_GFX(CPC_EDC_UCODE_CNT, SEC_COUNT, DED_COUNT, false),
	EDC_GFX(CPF_EDC_TAG_CNT, SEC_COUNT, DED_COUNT, false),
	EDC_GFX(DC_EDC_STATE_CNT, SEC_COUNT_ME1, DED_COUNT_ME1, false),
	EDC_GFX(DC_EDC_CSINVOC_CNT, SEC_COUNT_ME1, DED_COUNT_ME1, false),
	EDC_GFX(DC_EDC_RESTORE_CNT, SEC_COUNT_ME1, DED_COUNT_ME1, false),
	EDC_GFX(SPI_EDC_CNT, SPI_SR_MEM_SEC_COUNT, SPI_SR_MEM_DED_COUNT, true),
};

static void edc_gfx_select(struct vgpu_device *vdev, u32 se)
{
	WREG32(GC, regGRBM_GFX_INDEX, REG_FIELD_PREP(GRBM_GFX_INDEX, SE_INDEX, se));
}

static void edc_gfx_select_all(struct vgpu_device *vdev)
{
	WREG32(GC, regGRBM_GFX_INDEX, GRBM_GFX_INDEX__SE_BROADCAST_WRITES_MASK |
				      GRBM_GFX_INDEX__SH_BROADCAST_WRITES_MASK |
				      GRBM_GFX_INDEX__INSTANCE_BROADCAST_WRITES_MASK);
}

/**
 * vgpu_edc_gfx() - errors of the graphics core
 * @vdev: the die
 * @found: to be added to
 */
void vgpu_edc_gfx(struct vgpu_device *vdev, struct vgpu_ras_errors *found)
{
	unsigned int i, se;
	u32 val;

	mutex_lock(&vdev->info.grbm_lock);
	for (i = 0; i < ARRAY_SIZE(edc_gfx); i++) {
		for (se = 0; se < (edc_gfx[i].per_se ? vdev->info.num_se : 1); se++) {
			edc_gfx_select(vdev, se);
			val = edc_take(vdev, vgpu_reg(vdev, VGPU_HWIP_GC, edc_gfx[i].reg));
			found->ce += EDC_COUNT(val, edc_gfx[i].sec);
			found->ue += EDC_COUNT(val, edc_gfx[i].ded);
		}
	}
	/* The prefetcher has one of each kind for each engine that it serves. */
	val = edc_take(vdev, vgpu_reg(vdev, VGPU_HWIP_GC, regCPF_EDC_ROQ_CNT));
	found->ce += EDC_COUNT(val, CPF_EDC_ROQ_CNT__SEC_COUNT_ME1__SHIFT) +
		     EDC_COUNT(val, CPF_EDC_ROQ_CNT__SEC_COUNT_ME2__SHIFT);
	found->ue += EDC_COUNT(val, CPF_EDC_ROQ_CNT__DED_COUNT_ME1__SHIFT) +
		     EDC_COUNT(val, CPF_EDC_ROQ_CNT__DED_COUNT_ME2__SHIFT);
	edc_gfx_select_all(vdev);
	mutex_unlock(&vdev->info.grbm_lock);
}

/**
 * vgpu_edc_mmhub() - errors of the MM hub
 * @vdev: the die
 * @found: to be added to
 *
 * Of each memory there is a counter of what was corrected, and behind it one of the rest.
 */
void vgpu_edc_mmhub(struct vgpu_device *vdev, struct vgpu_ras_errors *found)
{
	static const u32 regs[EDC_MMHUB_NUM_EA] = {
		regMMEA0_EDC_CNT, regMMEA1_EDC_CNT, regMMEA2_EDC_CNT,
		regMMEA3_EDC_CNT, regMMEA4_EDC_CNT, regMMEA5_EDC_CNT,
	};
	unsigned int i, m;

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		u32 val = edc_take(vdev, vgpu_reg(vdev, VGPU_HWIP_MMHUB, regs[i]));

		for (m = 0; m < EDC_MMHUB_MEMORIES; m++, val >>= 4) {
			found->ce += EDC_COUNT(val, MMEA0_EDC_CNT__DRAMRD_CMDMEM_SEC_COUNT__SHIFT);
			found->ue += EDC_COUNT(val, MMEA0_EDC_CNT__DRAMRD_CMDMEM_DED_COUNT__SHIFT);
		}
	}
}

/**
 * vgpu_edc_hdp() - errors of the host data path
 * @vdev: the die
 * @found: to be added to; none is corrected
 */
void vgpu_edc_hdp(struct vgpu_device *vdev, struct vgpu_ras_errors *found)
{
	u32 val = edc_take(vdev, vgpu_reg(vdev, VGPU_HWIP_HDP, regHDP_EDC_CNT));

	found->ue += EDC_COUNT(val, HDP_EDC_CNT__MEM0_SED_COUNT__SHIFT) +
		     EDC_COUNT(val, HDP_EDC_CNT__MEM1_SED_COUNT__SHIFT);
}
