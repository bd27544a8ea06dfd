// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The write-back page: eight-byte slots that the GPU writes read pointers and
 * fence values to, so that the CPU polls its own memory and not a register.
 * Documentation/submission.rst, "Write-back".
 */
#include <linux/iopoll.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_drv.h>

#include "vgpu.h"

/**
 * vgpu_wb_init() - allocate the page, all slots free
 * @vdev: the die
 *
 * Return: 0 or what vgpu_bo_create_kernel() gives. May sleep.
 */
int vgpu_wb_init(struct vgpu_device *vdev)
{
	struct vgpu_wb *wb = &vdev->wb;
	void *cpu;

	wb->bo = vgpu_bo_create_kernel(vdev, PAGE_SIZE, AMDGPU_GEM_DOMAIN_GTT,
				       &wb->gpu_addr, &cpu);
	if (IS_ERR(wb->bo)) {
		int ret = PTR_ERR(wb->bo);

		wb->bo = NULL;
		return ret;
	}
	wb->cpu = cpu;
	bitmap_zero(wb->used, VGPU_WB_SLOTS);
	return 0;
}

void vgpu_wb_fini(struct vgpu_device *vdev)
{
	vgpu_bo_free_kernel(vdev->wb.bo);
	vdev->wb.bo = NULL;
}

/**
 * vgpu_wb_get() - take a slot and zero it
 * @vdev: the die
 * @slot: its number
 *
 * Init and fini only: there is no lock.
 * Return: 0, -ENOSPC.
 */
int vgpu_wb_get(struct vgpu_device *vdev, u32 *slot)
{
	struct vgpu_wb *wb = &vdev->wb;
	unsigned long i = find_first_zero_bit(wb->used, VGPU_WB_SLOTS);

	if (i >= VGPU_WB_SLOTS)
		return -ENOSPC;
	__set_bit(i, wb->used);
	wb->cpu[i] = 0;
	*slot = i;
	return 0;
}

void vgpu_wb_put(struct vgpu_device *vdev, u32 slot)
{
	__clear_bit(slot, vdev->wb.used);
}

/**
 * vgpu_wb_read() - what the GPU last wrote to a slot
 * @vdev: the die
 * @slot: of vgpu_wb_get()
 *
 * Any context.
 * Return: the value.
 */
u64 vgpu_wb_read(struct vgpu_device *vdev, u32 slot)
{
	return le64_to_cpu(READ_ONCE(vdev->wb.cpu[slot]));
}

/**
 * vgpu_wb_wait() - until the GPU has written something to a slot
 * @vdev: the die
 * @slot: of vgpu_wb_get()
 * @val: what its lower 32 bits shall be
 * @timeout_us: for how long, by the clock and not by the number of looks
 *
 * May sleep; allocates nothing.
 * Return: 0, -ENODEV when the die is gone, -ETIMEDOUT.
 */
int vgpu_wb_wait(struct vgpu_device *vdev, u32 slot, u32 val, u64 timeout_us)
{
	u32 is;
	int ret;

	ret = read_poll_timeout(vgpu_wb_read, is,
				is == val || drm_dev_is_unplugged(&vdev->drm), 10, timeout_us,
				false, vdev, slot);
	return !ret && is != val ? -ENODEV : ret;
}
