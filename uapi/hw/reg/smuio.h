/* SPDX-License-Identifier: MIT */
/*
 * The SMU's I/O (SMUIO 13.0.2): which die of which package this is, and how it is connected to the
 * CPU. Documentation/hive.rst, "Connected to the CPU".
 */
#ifndef _HW_REG_SMUIO_H
#define _HW_REG_SMUIO_H

#include <hw/reg/base.h>

#define regSMUIO_MCM_CONFIG					VGPU_REG(0, 0x0024)
#define SMUIO_MCM_CONFIG__DIE_ID__SHIFT				0x0
#define SMUIO_MCM_CONFIG__SOCKET_ID__SHIFT			0x4
#define SMUIO_MCM_CONFIG__TOPOLOGY_ID__SHIFT			0xa
#define SMUIO_MCM_CONFIG__DIE_ID_MASK				0x00000001
#define SMUIO_MCM_CONFIG__SOCKET_ID_MASK			0x000000f0
#define SMUIO_MCM_CONFIG__TOPOLOGY_ID_MASK			0x00007c00
/* Of TOPOLOGY_ID: xGMI leads to the CPU as well; otherwise only PCIe does. */
#define SMUIO_MCM_CONFIG__HOST_GPU_XGMI_MASK			0x00000001

#endif
