// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * One die: its BARs, access to its registers and doorbells, and the life of
 * its IP blocks. Documentation/architecture.rst, "Inside the driver".
 */
#include <linux/delay.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/iopoll.h>
#include <linux/pci.h>
#include <linux/sched.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include <hw/pci.h>
#include <hw/reg/gc.h>
#include <hw/reg/nbio.h>
#include <hw/reg/vgpu.h>

#include "vgpu.h"
#include "vgpu_trace.h"

/* In the order they come up; each file that brings a block adds its row. */
static const struct vgpu_ip_block *vgpu_blocks[] = {
	&vgpu_nbio_block,
	&vgpu_ttm_block,
	&vgpu_gmc_block,
	&vgpu_ih_block,
	&vgpu_psp_block,
	&vgpu_smu_block,
	&vgpu_ib_block,
	&vgpu_gfx_block,
	&vgpu_kiq_block,
	&vgpu_compute_block,
	&vgpu_sdma_block,
	&vgpu_hws_block,
	&vgpu_vm_block,
	&vgpu_xgmi_block,
	&vgpu_ras_block,
};

/**
 * vgpu_hw_enter() - begin to use registers, doorbells or VRAM
 * @vdev: the die
 * @idx: to be passed to vgpu_hw_exit()
 *
 * drm_dev_enter(), except that the thread that takes the device down may
 * still stop the engines between drm_dev_unplug() and the end of remove().
 * Nests. Any context. Return: false once the device is unplugged.
 */
bool vgpu_hw_enter(struct vgpu_device *vdev, int *idx)
{
	if (READ_ONCE(vdev->gone))
		return false;
	if (drm_dev_enter(&vdev->drm, idx))
		return true;
	*idx = -1;
	return READ_ONCE(vdev->teardown) == current;
}

void vgpu_hw_exit(int idx)
{
	if (idx >= 0)
		drm_dev_exit(idx);
}

/*
 * Most registers lie in the BAR; the bases of some segments are beyond it and
 * are reached through the index/data pair, which takes a byte address.
 */
static u32 vgpu_rreg_indirect(struct vgpu_device *vdev, u32 reg)
{
	u32 index = vgpu_reg(vdev, VGPU_HWIP_NBIO, regPCIE_INDEX2);
	u32 data = vgpu_reg(vdev, VGPU_HWIP_NBIO, regPCIE_DATA2);
	unsigned long flags;
	u32 val;

	spin_lock_irqsave(&vdev->index_lock, flags);
	writel(reg << 2, vdev->mmio + (index << 2));
	/* The index must have arrived before the data are asked for. */
	readl(vdev->mmio + (index << 2));
	val = readl(vdev->mmio + (data << 2));
	spin_unlock_irqrestore(&vdev->index_lock, flags);
	return val;
}

static void vgpu_wreg_indirect(struct vgpu_device *vdev, u32 reg, u32 val)
{
	u32 index = vgpu_reg(vdev, VGPU_HWIP_NBIO, regPCIE_INDEX2);
	u32 data = vgpu_reg(vdev, VGPU_HWIP_NBIO, regPCIE_DATA2);
	unsigned long flags;

	spin_lock_irqsave(&vdev->index_lock, flags);
	writel(reg << 2, vdev->mmio + (index << 2));
	readl(vdev->mmio + (index << 2));
	writel(val, vdev->mmio + (data << 2));
	readl(vdev->mmio + (data << 2));
	spin_unlock_irqrestore(&vdev->index_lock, flags);
}

static bool vgpu_reg_direct(const struct vgpu_device *vdev, u32 reg)
{
	return (resource_size_t)reg * 4 + 4 <= vdev->mmio_size;
}

/**
 * vgpu_rreg() - read a register
 * @vdev: the die
 * @reg: absolute dword offset, see vgpu_reg()
 *
 * Any context. Return: the value; all ones once the device is unplugged.
 */
u32 vgpu_rreg(struct vgpu_device *vdev, u32 reg)
{
	u32 val = ~0;
	int idx;

	if (!vgpu_hw_enter(vdev, &idx))
		return val;
	if (vgpu_reg_direct(vdev, reg))
		val = readl(vdev->mmio + ((size_t)reg << 2));
	else
		val = vgpu_rreg_indirect(vdev, reg);
	vgpu_hw_exit(idx);
	return val;
}

/**
 * vgpu_wreg() - write a register
 * @vdev: the die
 * @reg: absolute dword offset, see vgpu_reg()
 * @val: value
 *
 * Any context. Dropped once the device is unplugged.
 */
void vgpu_wreg(struct vgpu_device *vdev, u32 reg, u32 val)
{
	int idx;

	if (!vgpu_hw_enter(vdev, &idx))
		return;
	if (vgpu_reg_direct(vdev, reg))
		writel(val, vdev->mmio + ((size_t)reg << 2));
	else
		vgpu_wreg_indirect(vdev, reg, val);
	vgpu_hw_exit(idx);
}

/**
 * vgpu_wait_reg() - wait until (register & @mask) == @val
 * @vdev: the die
 * @reg: absolute dword offset
 * @mask: bits that count
 * @val: what they shall be
 * @timeout_us: microseconds
 *
 * May sleep. Return: 0, -ETIMEDOUT, or -ENODEV once unplugged.
 */
int vgpu_wait_reg(struct vgpu_device *vdev, u32 reg, u32 mask, u32 val, u32 timeout_us)
{
	u32 cur;
	int ret, idx;

	/* Most conditions hold at once. */
	if ((vgpu_rreg(vdev, reg) & mask) == val)
		goto plugged;

	ret = read_poll_timeout(vgpu_rreg, cur, (cur & mask) == val, 10, timeout_us, false,
				vdev, reg);
	if (ret)
		return drm_dev_is_unplugged(&vdev->drm) ? -ENODEV : ret;
plugged:
	/* All ones may have matched by accident. */
	if (!vgpu_hw_enter(vdev, &idx))
		return -ENODEV;
	vgpu_hw_exit(idx);
	return 0;
}

/**
 * vgpu_doorbell() - ring a doorbell
 * @vdev: the die
 * @index: dword index in the doorbell BAR, even
 * @val: 64-bit value, a write pointer
 *
 * Orders earlier writes to memory before the doorbell. Any context.
 */
void vgpu_doorbell(struct vgpu_device *vdev, u32 index, u64 val)
{
	int idx;

	if (WARN_ON_ONCE(index & 1 || index + 1 >= vdev->num_doorbells))
		return;
	if (!vgpu_hw_enter(vdev, &idx))
		return;
	trace_vgpu_doorbell(vdev, index, val);
	writeq(val, vdev->doorbell + index);
	vgpu_hw_exit(idx);
}

/**
 * vgpu_gpu_clock() - the GPU's clock counter
 * @vdev: the die
 *
 * Any context. Return: reference clocks since the die's reset, which count at
 * vdev->info.gpu_clock_khz.
 */
u64 vgpu_gpu_clock(struct vgpu_device *vdev)
{
	unsigned long flags;
	u64 clock;

	/* One capture register for all: the two halves must be of one capture. */
	spin_lock_irqsave(&vdev->clock_lock, flags);
	WREG32(GC, regRLC_CAPTURE_GPU_CLOCK_COUNT, 1);
	clock = RREG32(GC, regRLC_GPU_CLOCK_COUNT_LSB);
	clock |= (u64)RREG32(GC, regRLC_GPU_CLOCK_COUNT_MSB) << 32;
	spin_unlock_irqrestore(&vdev->clock_lock, flags);
	return clock;
}

static int vgpu_device_map(struct vgpu_device *vdev)
{
	struct pci_dev *pdev = vdev->pdev;
	struct device *dev = &pdev->dev;
	u32 id;
	int ret;

	ret = pcim_enable_device(pdev);
	if (ret)
		return ret;
	pci_set_master(pdev);

	/* A PTE holds 48 bits of address. */
	ret = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(48));
	if (ret)
		return dev_err_probe(dev, ret, "no 48-bit DMA\n");
	dma_set_max_seg_size(dev, UINT_MAX);

	ret = pcim_request_all_regions(pdev, KBUILD_MODNAME);
	if (ret)
		return dev_err_probe(dev, ret, "BARs are taken\n");

	/* The discovery table comes later, so the segments at BAR start must do. */
	vdev->mmio_size = pci_resource_len(pdev, VGPU_BAR_MMIO);
	if (vdev->mmio_size < VGPU_MMIO_DWORDS * 4)
		return dev_err_probe(dev, -ENODEV, "register BAR has %pa bytes\n",
				     &vdev->mmio_size);
	vdev->mmio = pcim_iomap(pdev, VGPU_BAR_MMIO, 0);
	if (!vdev->mmio)
		return dev_err_probe(dev, -ENOMEM, "cannot map the registers\n");

	id = readl(vdev->mmio + VGPU_DBG_ID * 4);
	if (pdev->vendor == VGPU_PCI_VENDOR_ID_AMD && id != VGPU_DBG_ID_MAGIC)
		return dev_err_probe(dev, -ENODEV, "not an emulated die\n");

	vdev->num_doorbells = pci_resource_len(pdev, VGPU_BAR_DOORBELL) / sizeof(u32);
	if (vdev->num_doorbells < SZ_4K / sizeof(u32))
		return dev_err_probe(dev, -ENODEV, "no doorbell BAR\n");
	vdev->doorbell = pcim_iomap(pdev, VGPU_BAR_DOORBELL, 0);
	if (!vdev->doorbell)
		return dev_err_probe(dev, -ENOMEM, "cannot map the doorbells\n");

	vdev->gmc.aper_base = pci_resource_start(pdev, VGPU_BAR_VRAM);
	vdev->gmc.visible_vram_size = pci_resource_len(pdev, VGPU_BAR_VRAM);
	if (!vdev->gmc.visible_vram_size)
		return dev_err_probe(dev, -ENODEV, "no VRAM BAR\n");
	return 0;
}

/* At release of the drm_device: the last file is closed. */
static void vgpu_device_fini_sw(struct drm_device *drm, void *unused)
{
	struct vgpu_device *vdev = to_vgpu(drm);

	while (vdev->num_sw_up) {
		const struct vgpu_ip_block *block = vdev->blocks[--vdev->num_sw_up];

		if (block->sw_fini)
			block->sw_fini(vdev);
	}
}

/**
 * vgpu_device_fini_hw() - stop the hardware
 * @vdev: the die
 *
 * On unload, shutdown and unplug, after drm_dev_unplug(), and when probe
 * fails. Blocks are stopped in reverse; their software state stays until the
 * last file is closed.
 */
void vgpu_device_fini_hw(struct vgpu_device *vdev)
{
	/* A device that is gone answers nothing: do not wait for it. */
	if (pci_device_is_present(vdev->pdev))
		WRITE_ONCE(vdev->teardown, current);

	while (vdev->num_hw_up) {
		const struct vgpu_ip_block *block = vdev->blocks[--vdev->num_hw_up];

		if (block->hw_fini)
			block->hw_fini(vdev);
	}

	WRITE_ONCE(vdev->gone, true);
	WRITE_ONCE(vdev->teardown, NULL);
	pci_clear_master(vdev->pdev);
}

/**
 * vgpu_device_suspend() - get a die ready to be reset
 * @vdev: the die, its engines idle or hung
 * @all: all of it will be; else the blocks of mode 2
 *
 * In the path of fences. May sleep.
 */
void vgpu_device_suspend(struct vgpu_device *vdev, bool all)
{
	unsigned int i;

	for (i = vdev->num_blocks; i-- > 0;) {
		const struct vgpu_ip_block *block = vdev->blocks[i];

		if (block->suspend && (all || block->mode2) && block->suspend(vdev))
			drm_err(&vdev->drm, "%s: cannot be suspended\n", block->name);
	}
}

/**
 * vgpu_device_resume() - go on with a die that has been reset
 * @vdev: the die
 * @all: as in vgpu_device_suspend()
 *
 * In the path of fences. May sleep.
 * Return: 0, or the first error: the blocks behind it are not resumed.
 */
int vgpu_device_resume(struct vgpu_device *vdev, bool all)
{
	unsigned int i;
	int ret;

	for (i = 0; i < vdev->num_blocks; i++) {
		const struct vgpu_ip_block *block = vdev->blocks[i];

		ret = block->resume && (all || block->mode2) ? block->resume(vdev) : 0;
		if (ret) {
			drm_err(&vdev->drm, "%s: cannot be resumed: %d\n", block->name, ret);
			return ret;
		}
	}
	return 0;
}

/**
 * vgpu_device_init() - bring a die up
 * @vdev: the die, with @vdev->pdev set
 *
 * Return: 0 or a negative error: then vgpu_device_fini_hw() undoes what was
 * done to the hardware, and the release of the drm_device the rest.
 */
int vgpu_device_init(struct vgpu_device *vdev)
{
	struct drm_device *drm = &vdev->drm;
	unsigned int i;
	int ret;

	spin_lock_init(&vdev->index_lock);
	spin_lock_init(&vdev->clock_lock);
	vgpu_path_init(vdev);
	vgpu_kfd_device_init(vdev);
	vdev->blocks = vgpu_blocks;
	vdev->num_blocks = ARRAY_SIZE(vgpu_blocks);

	ret = vgpu_device_map(vdev);
	if (ret)
		return ret;
	ret = vgpu_discovery_init(vdev);
	if (ret)
		return ret;

	for (i = 0; i < vdev->num_blocks; i++) {
		const struct vgpu_ip_block *block = vdev->blocks[i];

		ret = block->early_init ? block->early_init(vdev) : 0;
		if (ret) {
			drm_err(drm, "%s: early init failed: %d\n", block->name, ret);
			return ret;
		}
	}

	ret = drmm_add_action_or_reset(drm, vgpu_device_fini_sw, NULL);
	if (ret)
		return ret;
	for (; vdev->num_sw_up < vdev->num_blocks; vdev->num_sw_up++) {
		const struct vgpu_ip_block *block = vdev->blocks[vdev->num_sw_up];

		ret = block->sw_init ? block->sw_init(vdev) : 0;
		if (ret) {
			drm_err(drm, "%s: software init failed: %d\n", block->name, ret);
			return ret;
		}
	}

	for (; vdev->num_hw_up < vdev->num_blocks; vdev->num_hw_up++) {
		const struct vgpu_ip_block *block = vdev->blocks[vdev->num_hw_up];

		ret = block->hw_init ? block->hw_init(vdev) : 0;
		if (ret) {
			drm_err(drm, "%s: hardware init failed: %d\n", block->name, ret);
			return ret;
		}
	}

	for (i = 0; i < vdev->num_blocks; i++) {
		const struct vgpu_ip_block *block = vdev->blocks[i];

		ret = block->late_init ? block->late_init(vdev) : 0;
		if (ret) {
			drm_err(drm, "%s: late init failed: %d\n", block->name, ret);
			return ret;
		}
	}
	return vgpu_info_init(vdev);
}
