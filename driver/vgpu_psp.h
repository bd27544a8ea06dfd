/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The security processor: commands go to its secure OS through a ring in memory,
 * and through the OS to trusted applications. Documentation/hive.rst, "Firmware".
 */
#ifndef _VGPU_PSP_H_
#define _VGPU_PSP_H_

#include <linux/mutex.h>
#include <linux/types.h>

struct drm_printer;
struct vgpu_bo;
struct vgpu_device;

enum vgpu_ta_id { VGPU_TA_XGMI, VGPU_TA_RAS, VGPU_NUM_TAS };

/**
 * struct vgpu_ta - a trusted application
 * @shared: memory that the driver and the TA share
 * @shared_addr: MC address of @shared
 * @session: of the loaded TA
 * @loaded: it is
 *
 * Under vgpu_psp.lock.
 */
struct vgpu_ta {
	void *shared;
	u64 shared_addr;
	u32 session;
	bool loaded;
};

/**
 * struct vgpu_psp - the security processor of a die
 * @lock: one command at a time; guards all that follows, but for the constants.
 *        In the path of fences (reset of a hive): nothing under it allocates
 * @bo: one buffer in system memory, GART-bound, for all that is shared with it
 * @addr: MC address of @bo
 * @cpu: @bo, mapped
 * @vram_bo: the PSP's part of VRAM: room for an image, then the trusted memory
 *           region (TMR), where it keeps firmware
 * @vram_addr: its MC address, a multiple of 1 MiB
 * @image: room for an image, mapped
 * @fence: number of the last command
 * @wptr: of the ring, dwords
 * @sos_version: of the secure OS
 * @up: it takes commands; a command that was never answered ends that
 * @ta: the trusted applications
 */
struct vgpu_psp {
	struct mutex lock;		/* see above */
	struct vgpu_bo *bo;
	u64 addr;
	void *cpu;
	struct vgpu_bo *vram_bo;
	u64 vram_addr;
	void __iomem *image;
	u32 fence;
	u32 wptr;
	u32 sos_version;
	bool up;
	struct vgpu_ta ta[VGPU_NUM_TAS];
};

/*
 * A command of a TA: begin() gives its shared memory, cleared, and takes the lock,
 * invoke() sends the command, end() drops the lock. NULL: no such TA is loaded,
 * and the lock is not held.
 */
void *vgpu_psp_ta_begin(struct vgpu_device *vdev, enum vgpu_ta_id id);
int vgpu_psp_ta_invoke(struct vgpu_device *vdev, enum vgpu_ta_id id, u32 cmd);
void vgpu_psp_ta_end(struct vgpu_device *vdev);
/* Reset of the whole die. The PSP is down after it, until resume. */
int vgpu_psp_mode1_reset(struct vgpu_device *vdev);
void vgpu_psp_show(struct vgpu_device *vdev, struct drm_printer *p);

#endif
