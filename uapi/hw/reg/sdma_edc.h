/* SPDX-License-Identifier: MIT */
/*
 * Counters of errors in the memories of an SDMA engine (4.4.0): two bits a memory, in the order in
 * which amdgpu names them.  What they count was detected and could not be corrected (SED).
 * See Documentation/hardware.rst, "Errors inside of blocks".
 *
 * They stand apart from <hw/reg/sdma.h>, since older engines have other fields in them.
 */
#ifndef _HW_REG_SDMA_EDC_H
#define _HW_REG_SDMA_EDC_H

#include <hw/reg/base.h>

#define regSDMA0_EDC_COUNTER					VGPU_REG(0, 0x0036)
#define SDMA0_EDC_COUNTER__SDMA_MBANK_DATA_BUF0_SED__SHIFT	0x0
#define SDMA0_EDC_COUNTER__SDMA_MBANK_DATA_BUF1_SED__SHIFT	0x2
#define SDMA0_EDC_COUNTER__SDMA_MBANK_DATA_BUF15_SED__SHIFT	0x1e
#define regSDMA0_EDC_COUNTER2					VGPU_REG(0, 0x0037)
#define SDMA0_EDC_COUNTER2__SDMA_UCODE_BUF_SED__SHIFT		0x0
#define SDMA0_EDC_COUNTER2__SDMA_RB_CMD_BUF_SED__SHIFT		0x2
#define SDMA0_EDC_COUNTER2__SDMA_MC_RDRET_BUF_SED__SHIFT	0x12

#endif /* _HW_REG_SDMA_EDC_H */
