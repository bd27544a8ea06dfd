/* SPDX-License-Identifier: MIT */
/*
 * Mailbox registers of the security processor (MP0) and of the power controller (MP1), 13.0.2.
 * See Documentation/hardware.rst, "Firmware processors".
 */
#ifndef _HW_REG_MP_H
#define _HW_REG_MP_H

#include <hw/reg/base.h>

/* MP0, the security processor: boot status, ring and mailbox */
#define regMP0_SMN_C2PMSG_33					VGPU_REG(0, 0x0061)
#define regMP0_SMN_C2PMSG_35					VGPU_REG(0, 0x0063)
#define regMP0_SMN_C2PMSG_36					VGPU_REG(0, 0x0064)
#define regMP0_SMN_C2PMSG_58					VGPU_REG(0, 0x007a)
#define regMP0_SMN_C2PMSG_59					VGPU_REG(0, 0x007b)
#define regMP0_SMN_C2PMSG_60					VGPU_REG(0, 0x007c)
#define regMP0_SMN_C2PMSG_61					VGPU_REG(0, 0x007d)
#define regMP0_SMN_C2PMSG_62					VGPU_REG(0, 0x007e)
#define regMP0_SMN_C2PMSG_63					VGPU_REG(0, 0x007f)
#define regMP0_SMN_C2PMSG_64					VGPU_REG(0, 0x0080)
#define regMP0_SMN_C2PMSG_65					VGPU_REG(0, 0x0081)
#define regMP0_SMN_C2PMSG_66					VGPU_REG(0, 0x0082)
#define regMP0_SMN_C2PMSG_67					VGPU_REG(0, 0x0083)
#define regMP0_SMN_C2PMSG_68					VGPU_REG(0, 0x0084)
#define regMP0_SMN_C2PMSG_69					VGPU_REG(0, 0x0085)
#define regMP0_SMN_C2PMSG_70					VGPU_REG(0, 0x0086)
#define regMP0_SMN_C2PMSG_71					VGPU_REG(0, 0x0087)
#define regMP0_SMN_C2PMSG_73					VGPU_REG(0, 0x0089)
#define regMP0_SMN_C2PMSG_81					VGPU_REG(0, 0x0091)
#define regMP0_SMN_C2PMSG_90					VGPU_REG(0, 0x009a)
#define regMP0_SMN_C2PMSG_91					VGPU_REG(0, 0x009b)
#define regMP0_SMN_C2PMSG_92					VGPU_REG(0, 0x009c)
#define regMP0_SMN_C2PMSG_101					VGPU_REG(0, 0x00a5)
#define regMP0_SMN_C2PMSG_102					VGPU_REG(0, 0x00a6)
#define regMP0_SMN_C2PMSG_103					VGPU_REG(0, 0x00a7)
#define regMP0_SMN_C2PMSG_115					VGPU_REG(0, 0x00b3)
#define regMP0_SMN_C2PMSG_116					VGPU_REG(0, 0x00b4)
#define regMP0_SMN_C2PMSG_127					VGPU_REG(0, 0x00bf)

/* MP1, the power controller: message, argument, response */
#define regMP1_SMN_C2PMSG_66					VGPU_REG(0, 0x0282)
#define regMP1_SMN_C2PMSG_82					VGPU_REG(0, 0x0292)
#define regMP1_SMN_C2PMSG_90					VGPU_REG(0, 0x029a)
#define regMP1_SMN_IH_SW_INT					VGPU_REG(0, 0x02c2)
#define MP1_SMN_IH_SW_INT__ID__SHIFT				0x0
#define MP1_SMN_IH_SW_INT__ID_MASK				0x000000ff
#define MP1_SMN_IH_SW_INT__VALID__SHIFT				0x8
#define MP1_SMN_IH_SW_INT__VALID_MASK				0x00000100
#define regMP1_SMN_IH_SW_INT_CTRL				VGPU_REG(0, 0x02c3)
#define MP1_SMN_IH_SW_INT_CTRL__INT_MASK__SHIFT			0x0
#define MP1_SMN_IH_SW_INT_CTRL__INT_MASK_MASK			0x00000001
#define MP1_SMN_IH_SW_INT_CTRL__INT_ACK__SHIFT			0x8
#define MP1_SMN_IH_SW_INT_CTRL__INT_ACK_MASK			0x00000100

/*
 * MP1 beyond the register BAR: the byte address is MP1_Public | smnMP1_FIRMWARE_FLAGS, reached
 * through an index/data pair
 */
#define MP1_Public						0x03b00000
#define smnMP1_FIRMWARE_FLAGS					0x3010024
#define MP1_FIRMWARE_FLAGS__INTERRUPTS_ENABLED_MASK		0x00000001

#endif /* _HW_REG_MP_H */
