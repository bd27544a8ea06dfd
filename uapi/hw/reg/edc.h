/* SPDX-License-Identifier: MIT */
/*
 * Counters of errors in the memories inside the graphics core (GC 9.4.2): SEC of those that were
 * corrected, DED of those that were only detected.  Each stops at 3; writing 0 clears them.
 * See Documentation/hardware.rst, "Errors inside of blocks".
 *
 * SDMA has its counters in <hw/reg/sdma_edc.h>, the MM hub in <hw/reg/mmhub.h>, HDP in <hw/reg/hdp.h>.
 */
#ifndef _HW_REG_EDC_H
#define _HW_REG_EDC_H

#include <hw/reg/base.h>

/* Compute: prefetcher */
#define regCPF_EDC_TAG_CNT					VGPU_REG(0, 0x1189)
#define CPF_EDC_TAG_CNT__DED_COUNT__SHIFT			0x0
#define CPF_EDC_TAG_CNT__SEC_COUNT__SHIFT			0x2
#define regCPF_EDC_ROQ_CNT					VGPU_REG(0, 0x118a)
#define CPF_EDC_ROQ_CNT__DED_COUNT_ME1__SHIFT			0x0
#define CPF_EDC_ROQ_CNT__SEC_COUNT_ME1__SHIFT			0x2
#define CPF_EDC_ROQ_CNT__DED_COUNT_ME2__SHIFT			0x4
#define CPF_EDC_ROQ_CNT__SEC_COUNT_ME2__SHIFT			0x6

/* Compute: micro engine */
#define regCPC_EDC_SCRATCH_CNT					VGPU_REG(0, 0x118e)
#define CPC_EDC_SCRATCH_CNT__DED_COUNT__SHIFT			0x0
#define CPC_EDC_SCRATCH_CNT__SEC_COUNT__SHIFT			0x2
#define regCPC_EDC_UCODE_CNT					VGPU_REG(0, 0x118f)
#define CPC_EDC_UCODE_CNT__DED_COUNT__SHIFT			0x0
#define CPC_EDC_UCODE_CNT__SEC_COUNT__SHIFT			0x2
#define regDC_EDC_STATE_CNT					VGPU_REG(0, 0x1191)
#define DC_EDC_STATE_CNT__DED_COUNT_ME1__SHIFT			0x0
#define DC_EDC_STATE_CNT__SEC_COUNT_ME1__SHIFT			0x2
#define regDC_EDC_CSINVOC_CNT					VGPU_REG(0, 0x1192)
#define DC_EDC_CSINVOC_CNT__DED_COUNT_ME1__SHIFT		0x0
#define DC_EDC_CSINVOC_CNT__SEC_COUNT_ME1__SHIFT		0x2
#define regDC_EDC_RESTORE_CNT					VGPU_REG(0, 0x1193)
#define DC_EDC_RESTORE_CNT__DED_COUNT_ME1__SHIFT		0x0
#define DC_EDC_RESTORE_CNT__SEC_COUNT_ME1__SHIFT		0x2

/* Shader input: one a shader engine, chosen by GRBM_GFX_INDEX */
#define regSPI_EDC_CNT						VGPU_REG(0, 0x0445)
#define SPI_EDC_CNT__SPI_SR_MEM_SEC_COUNT__SHIFT		0x0
#define SPI_EDC_CNT__SPI_SR_MEM_DED_COUNT__SHIFT		0x2

#endif /* _HW_REG_EDC_H */
