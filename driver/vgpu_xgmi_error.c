// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the links of a die report of themselves: the data fabric's error status,
 * and that of the coding sublayer of each port. Documentation/hive.rst, "Links that
 * break".
 */
#include <drm/drm_print.h>

#include <hw/reg/xgmi.h>

#include "vgpu.h"

/* Registers of the management network count in bytes. */
#define SMN(addr)	((addr) / 4)
#define FICA(name)	SMN(smnDF_PIE_AON_FabricIndirectConfigAccess##name)

/* Under the hive's lock: the address and the data are two registers. */
static u64 fica_read(struct vgpu_device *vdev, u32 addr)
{
	vgpu_wreg(vdev, FICA(Address3), addr);
	return vgpu_rreg(vdev, FICA(DataLo3)) | (u64)vgpu_rreg(vdev, FICA(DataHi3)) << 32;
}

static void fica_clear(struct vgpu_device *vdev, u32 addr)
{
	vgpu_wreg(vdev, FICA(Address3), addr);
	vgpu_wreg(vdev, FICA(DataLo3), 0);
	vgpu_wreg(vdev, FICA(DataHi3), 0);
}

/**
 * vgpu_xgmi_take_errors() - errors of the links since the last call
 * @vdev: the die, a member of a hive whose lock is held
 *
 * May sleep. Return: 0, 1, or 2 for more: hardware counts no further.
 */
unsigned int vgpu_xgmi_take_errors(struct vgpu_device *vdev)
{
	unsigned int count = 0;
	u64 status;
	u32 hi;

	lockdep_assert_held(&vdev->xgmi.hive->lock);
	if (fica_read(vdev, VGPU_FICAA_PIE_CTL) != VGPU_PIE_CTL_ENABLED)
		drm_err(&vdev->drm, "errors of the links are not counted\n");
	status = fica_read(vdev, VGPU_FICAA_PIE_STATUS);
	hi = upper_32_bits(status);
	if ((status & VGPU_PIE_STATUS_CODE_MASK) == VGPU_PIE_STATUS_CODE_XGMI)
		count = !!(hi & VGPU_PIE_STATUS_HI_VALID_MASK) +
			!!(hi & VGPU_PIE_STATUS_HI_OVERFLOW_MASK);
	fica_clear(vdev, VGPU_FICAA_PIE_STATUS);
	return count;
}

/**
 * vgpu_xgmi_show_ports() - the ports that something went wrong on, for debugfs
 * @vdev: the die
 * @p: where to print
 */
void vgpu_xgmi_show_ports(struct vgpu_device *vdev, struct drm_printer *p)
{
	unsigned int i;

	for (i = 0; i < VGPU_XGMI_NUM_PCS; i++) {
		u32 status = vgpu_rreg(vdev, SMN(smnPCS_XGMI3X16_PCS_ERROR_STATUS +
						 i * VGPU_XGMI_PCS_STRIDE));

		if (status)
			drm_printf(p, "port %u: error status 0x%08x%s%s\n", i, status,
				   status & PCS_XGMI3X16_PCS_ERROR_STATUS__DataLossErr_MASK ?
				   ", data lost" : "",
				   status & PCS_XGMI3X16_PCS_ERROR_STATUS__CRCErr_MASK ?
				   ", CRC" : "");
	}
}
