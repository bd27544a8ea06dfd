/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The power controller: messages through three registers, tables through memory.
 * Documentation/hive.rst, "Firmware".
 */
#ifndef _VGPU_SMU_H_
#define _VGPU_SMU_H_

#include <linux/mutex.h>
#include <linux/types.h>

struct drm_printer;
struct vgpu_bo;
struct vgpu_device;
struct vgpu_ecc_info_table;
struct vgpu_sw_i2c_request;

/**
 * struct vgpu_smu - the power controller of a die
 * @lock: one message at a time, and the table. In the path of fences (reset of a
 *        hive): nothing under it allocates
 * @bo: backs @table, in system memory, GART-bound
 * @table: what tables are transferred through
 * @table_addr: its MC address
 * @version: of the firmware, 0: it does not answer, and gets no messages
 */
struct vgpu_smu {
	struct mutex lock;		/* see above */
	struct vgpu_bo *bo;
	void *table;
	u64 table_addr;
	u32 version;
};

int vgpu_smu_mode2_reset(struct vgpu_device *vdev);
int vgpu_smu_ecc_info(struct vgpu_device *vdev, struct vgpu_ecc_info_table *table);
int vgpu_smu_i2c(struct vgpu_device *vdev, struct vgpu_sw_i2c_request *req);
int vgpu_smu_bad_pages(struct vgpu_device *vdev, u32 num, u32 channels);
u64 vgpu_smu_unique_id(struct vgpu_device *vdev);
void vgpu_smu_show(struct vgpu_device *vdev, struct drm_printer *p);

#endif
