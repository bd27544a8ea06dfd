/* SPDX-License-Identifier: MIT */
/*
 * Error registers of the xGMI links: the physical coding sublayer (PCS) of each port, and the
 * data fabric's (DF 3.6), which is reached indirectly. Byte addresses of the system management
 * network (SMN), for PCIE_INDEX2 and PCIE_DATA2. Documentation/hive.rst, "Links that break".
 */
#ifndef _HW_REG_XGMI_H
#define _HW_REG_XGMI_H

/* Of port 0; the others follow at this distance. */
#define smnPCS_XGMI3X16_PCS_ERROR_STATUS			0x11a0020c
#define smnPCS_XGMI3X16_PCS_ERROR_NONCORRECTABLE_MASK		0x11a00218
#define VGPU_XGMI_PCS_STRIDE					0x100000
#define VGPU_XGMI_NUM_PCS					8

/* The two of many bits that a link sets which breaks. Ones clear. */
#define PCS_XGMI3X16_PCS_ERROR_STATUS__DataLossErr_MASK		0x00000001
#define PCS_XGMI3X16_PCS_ERROR_STATUS__CRCErr_MASK		0x00000020

/* An address is written to the first one, then the others are what is there. */
#define smnDF_PIE_AON_FabricIndirectConfigAccessAddress3	0x1d05c
#define smnDF_PIE_AON_FabricIndirectConfigAccessDataLo3		0x1d098
#define smnDF_PIE_AON_FabricIndirectConfigAccessDataHi3		0x1d09c

/* Addresses: error control and status of the PIE, as amdgpu_xgmi_show_error() makes them */
#define VGPU_FICAA_PIE_CTL					(0x456801 | 0x200)
#define VGPU_FICAA_PIE_STATUS					(0x456801 | 0x208)

/* What they hold: all errors are counted; an error of a link, and another one since. */
#define VGPU_PIE_CTL_ENABLED					0x1f
#define VGPU_PIE_STATUS_CODE_MASK				0xffff
#define VGPU_PIE_STATUS_CODE_XGMI				2
#define VGPU_PIE_STATUS_HI_VALID_MASK				0x80000000
#define VGPU_PIE_STATUS_HI_OVERFLOW_MASK			0x40000000

#endif
