// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The power controller (MP1 13.0.2): version, mode-2 reset, metrics.
 * Documentation/hive.rst, "Firmware".
 */
#include <linux/iopoll.h>
#include <linux/sizes.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include <hw/reg/mp.h>
#include <hw/smu.h>

#include "vgpu.h"

#define SMU_TIMEOUT_US		(2 * USEC_PER_SEC)

/*
 * Under the lock. -EIO: it was refused; the argument register then says nothing.
 */
static int smu_msg(struct vgpu_device *vdev, u32 msg, u32 arg, u32 *result)
{
	u32 reg = vgpu_reg(vdev, VGPU_HWIP_MP1, regMP1_SMN_C2PMSG_90);
	u32 response = 0;
	int ret;

	WREG32(MP1, regMP1_SMN_C2PMSG_90, 0);
	WREG32(MP1, regMP1_SMN_C2PMSG_82, arg);
	WREG32(MP1, regMP1_SMN_C2PMSG_66, msg);

	ret = read_poll_timeout(vgpu_rreg, response, response, 10, SMU_TIMEOUT_US, false, vdev,
				reg);
	if (drm_dev_is_unplugged(&vdev->drm) && READ_ONCE(vdev->teardown) != current)
		return -ENODEV;
	if (!ret && response != PPSMC_Result_OK)
		ret = response == PPSMC_Result_UnknownCmd ? -EOPNOTSUPP : -EIO;
	if (ret) {
		drm_err(&vdev->drm, "SMU: message %#x, argument %#x: response %#x\n", msg, arg,
			response);
		return ret;
	}
	if (result)
		*result = RREG32(MP1, regMP1_SMN_C2PMSG_82);
	return 0;
}

/*
 * Under the lock; by one of the two messages that transfer a table. What comes from the
 * SMU is in smu->table then.
 */
static int smu_transfer(struct vgpu_device *vdev, u32 msg, u32 table)
{
	u64 addr = vdev->smu.table_addr;
	int ret;

	if (!vdev->smu.version)
		return -ENODEV;
	ret = smu_msg(vdev, PPSMC_MSG_SetDriverDramAddrHigh, upper_32_bits(addr), NULL);
	if (!ret)
		ret = smu_msg(vdev, PPSMC_MSG_SetDriverDramAddrLow, lower_32_bits(addr), NULL);
	/* The table before the message about it, and after the response to it. */
	wmb();
	if (!ret)
		ret = smu_msg(vdev, msg, table, NULL);
	dma_rmb();
	return ret;
}

/**
 * vgpu_smu_mode2_reset() - reset the engines of a die: GC and SDMA
 * @vdev: the die; its engines are stopped
 *
 * Memory, interrupts and the PSP are kept. May sleep.
 * Return: 0, -ETIMEDOUT, -EIO, -ENODEV.
 */
int vgpu_smu_mode2_reset(struct vgpu_device *vdev)
{
	struct vgpu_smu *smu = &vdev->smu;
	int ret = -ENODEV;

	mutex_lock(&smu->lock);
	if (smu->version)
		ret = smu_msg(vdev, PPSMC_MSG_GfxDriverReset,
			      PPSMC_RESET_TYPE_DRIVER_MODE_2_RESET, NULL);
	/* It gives the engines what they had of it. */
	if (!ret)
		ret = smu_msg(vdev, PPSMC_MSG_GfxDriverResetRecovery, 0, NULL);
	mutex_unlock(&smu->lock);
	return ret;
}

/**
 * vgpu_smu_ecc_info() - the errors of the memory channels
 * @vdev: the die
 * @table: filled in; the SMU forgets them
 *
 * May sleep. Return: 0, -ENODEV, -EIO, -ETIMEDOUT.
 */
int vgpu_smu_ecc_info(struct vgpu_device *vdev, struct vgpu_ecc_info_table *table)
{
	struct vgpu_smu *smu = &vdev->smu;
	int ret;

	mutex_lock(&smu->lock);
	ret = smu_transfer(vdev, PPSMC_MSG_TransferTableSmu2Dram, TABLE_ECCINFO);
	if (!ret)
		memcpy(table, smu->table, sizeof(*table));
	mutex_unlock(&smu->lock);
	return ret;
}

/**
 * vgpu_smu_i2c() - use the board's I2C bus
 * @vdev: the die
 * @req: what to send; bytes that were read are in their places then
 *
 * May sleep. Return: 0, -ENODEV, -EIO: nobody answers on the bus, or says no; -ETIMEDOUT.
 */
int vgpu_smu_i2c(struct vgpu_device *vdev, struct vgpu_sw_i2c_request *req)
{
	struct vgpu_smu *smu = &vdev->smu;
	int ret;

	mutex_lock(&smu->lock);
	memcpy(smu->table, req, sizeof(*req));
	ret = smu_transfer(vdev, PPSMC_MSG_TransferTableDram2Smu, TABLE_I2C_COMMANDS);
	if (!ret)
		memcpy(req, smu->table, sizeof(*req));
	mutex_unlock(&smu->lock);
	return ret;
}

/**
 * vgpu_smu_bad_pages() - tell how much memory is not used any more
 * @vdev: the die
 * @num: pages
 * @channels: that had one, a bit each
 *
 * May sleep. Return: 0, -ENODEV, -EIO, -ETIMEDOUT.
 */
int vgpu_smu_bad_pages(struct vgpu_device *vdev, u32 num, u32 channels)
{
	struct vgpu_smu *smu = &vdev->smu;
	int ret = -ENODEV;

	mutex_lock(&smu->lock);
	if (smu->version)
		ret = smu_msg(vdev, PPSMC_MSG_SetNumBadHbmPagesRetired, num, NULL);
	if (!ret)
		ret = smu_msg(vdev, PPSMC_MSG_SetBadHBMPagesRetiredFlagsPerChannel, channels, NULL);
	mutex_unlock(&smu->lock);
	return ret;
}

/**
 * vgpu_smu_unique_id() - the die's serial number
 * @vdev: the die
 *
 * It is in the table of metrics. May sleep. Return: the number, 0: it has none, or
 * the SMU does not answer.
 */
u64 vgpu_smu_unique_id(struct vgpu_device *vdev)
{
	struct vgpu_smu *smu = &vdev->smu;
	const struct vgpu_smu_metrics *m = smu->table;
	u64 id = 0;

	mutex_lock(&smu->lock);
	if (!smu_transfer(vdev, PPSMC_MSG_TransferTableSmu2Dram, TABLE_SMU_METRICS))
		id = (u64)le32_to_cpu(m->public_serial_num_upper32) << 32 |
		     le32_to_cpu(m->public_serial_num_lower32);
	mutex_unlock(&smu->lock);
	return id;
}

static void smu_print_metrics(const struct vgpu_smu_metrics *m, struct drm_printer *p)
{
	const struct {
		const char *name, *unit;
		__le16 value;
	} rows[] = {
		{ "gfxclk", "MHz", m->curr_clock[PPCLK_GFXCLK] },
		{ "socclk", "MHz", m->curr_clock[PPCLK_SOCCLK] },
		{ "uclk", "MHz", m->curr_clock[PPCLK_UCLK] },
		{ "fclk", "MHz", m->curr_clock[PPCLK_FCLK] },
		{ "gfx activity", "%", m->average_gfx_activity },
		{ "memory activity", "%", m->average_uclk_activity },
		{ "socket power", "W", m->average_socket_power },
		{ "edge", "C", m->temperature_edge },
		{ "hotspot", "C", m->temperature_hotspot },
		{ "HBM", "C", m->temperature_hbm },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		drm_printf(p, "%s: %u %s\n", rows[i].name, le16_to_cpu(rows[i].value),
			   rows[i].unit);
	drm_printf(p, "throttlers: %#x\n", le32_to_cpu(m->throttler_status));
}

/**
 * vgpu_smu_show() - version and metrics, for debugfs
 * @vdev: the die
 * @p: where to print
 *
 * May sleep.
 */
void vgpu_smu_show(struct vgpu_device *vdev, struct drm_printer *p)
{
	struct vgpu_smu *smu = &vdev->smu;

	mutex_lock(&smu->lock);
	if (!smu->version) {
		drm_puts(p, "does not answer\n");
	} else {
		drm_printf(p, "version %u.%u.%u\n", smu->version >> 16 & 0xff,
			   smu->version >> 8 & 0xff, smu->version & 0xff);
		if (!smu_transfer(vdev, PPSMC_MSG_TransferTableSmu2Dram, TABLE_SMU_METRICS))
			smu_print_metrics(smu->table, p);
	}
	mutex_unlock(&smu->lock);
}

static int vgpu_smu_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_smu *smu = &vdev->smu;
	struct vgpu_bo *bo;
	int ret;

	ret = drmm_mutex_init(&vdev->drm, &smu->lock);
	if (ret)
		return ret;
	bo = vgpu_bo_create_kernel(vdev, SZ_4K, AMDGPU_GEM_DOMAIN_GTT, &smu->table_addr,
				   &smu->table);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	smu->bo = bo;
	return 0;
}

static void vgpu_smu_sw_fini(struct vgpu_device *vdev)
{
	vgpu_bo_free_kernel(vdev->smu.bo);
	vdev->smu.bo = NULL;
}

/* It says so in a register of its own, beyond those of the BAR. */
static bool smu_runs(struct vgpu_device *vdev)
{
	return vgpu_rreg(vdev, (MP1_Public | smnMP1_FIRMWARE_FLAGS) / 4) &
	       MP1_FIRMWARE_FLAGS__INTERRUPTS_ENABLED_MASK;
}

/* Does it answer, and are its tables those that we know? Without it there is no mode-2 reset. */
static int vgpu_smu_hw_init(struct vgpu_device *vdev)
{
	struct vgpu_smu *smu = &vdev->smu;
	u32 version = 0, tables = 0;
	int ret;

	mutex_lock(&smu->lock);
	ret = smu_runs(vdev) ? 0 : -ENODEV;
	if (!ret)
		ret = smu_msg(vdev, PPSMC_MSG_GetSmuVersion, 0, &version);
	if (!ret)
		ret = smu_msg(vdev, PPSMC_MSG_GetDriverIfVersion, 0, &tables);
	if (!ret && tables != SMU13_DRIVER_IF_VERSION_ALDE) {
		drm_err(&vdev->drm, "SMU: tables of version %u, not %u\n", tables,
			SMU13_DRIVER_IF_VERSION_ALDE);
		ret = -EINVAL;
	}
	smu->version = ret ? 0 : version;
	mutex_unlock(&smu->lock);
	if (ret)
		drm_err(&vdev->drm, "SMU: %d; the die cannot be reset\n", ret);
	return 0;
}

const struct vgpu_ip_block vgpu_smu_block = {
	.name = "smu",
	.sw_init = vgpu_smu_sw_init,
	.sw_fini = vgpu_smu_sw_fini,
	.hw_init = vgpu_smu_hw_init,
	.resume = vgpu_smu_hw_init,
};
