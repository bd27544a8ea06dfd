// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Errors of the hardware: the RAS application of the PSP turns detection on and makes
 * errors, blocks count them, interrupts tell of those that cannot wait.
 * Documentation/ras.rst.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include <hw/ih.h>
#include <hw/pte.h>
#include <hw/smu.h>

#include "vgpu.h"

static bool vgpu_ras_poison = true;
module_param_named(ras_poison, vgpu_ras_poison, bool, 0444);
MODULE_PARM_DESC(ras_poison,
		 "Bad memory is marked, and only who reads it is stopped; else it is fatal (default: yes)");

/*
 * What the blocks of MI250X are called. @query reads and clears what one has counted;
 * without it errors of the block are not counted. The UMC's come from the SMU.
 */
static const struct ras_block {
	const char *name;
	void (*query)(struct vgpu_device *vdev, struct vgpu_ras_errors *found);
} ras_blocks[VGPU_RAS_NUM_BLOCKS] = {
	[TA_RAS_BLOCK__UMC] = { "umc" },
	[TA_RAS_BLOCK__SDMA] = { "sdma", vgpu_edc_sdma },
	[TA_RAS_BLOCK__GFX] = { "gfx", vgpu_edc_gfx },
	[TA_RAS_BLOCK__MMHUB] = { "mmhub", vgpu_edc_mmhub },
	[TA_RAS_BLOCK__PCIE_BIF] = { "pcie_bif" },
	[TA_RAS_BLOCK__HDP] = { "hdp", vgpu_edc_hdp },
	[TA_RAS_BLOCK__XGMI_WAFL] = { "xgmi_wafl" },
};

/**
 * vgpu_ras_block_name() - what amdgpu calls a block
 * @block: TA_RAS_BLOCK__*
 *
 * Return: NULL for one that MI250X does not have.
 */
const char *vgpu_ras_block_name(unsigned int block)
{
	return block < ARRAY_SIZE(ras_blocks) ? ras_blocks[block].name : NULL;
}

/* -------------------------------------------------------- the application */

static_assert(sizeof(struct vgpu_ta_ras_shared_memory) <= SZ_16K);

/**
 * vgpu_ras_prepare_ta() - what the application reads when it is loaded
 * @vdev: the die
 * @shared: memory that it shares with the driver, zeroed
 */
void vgpu_ras_prepare_ta(struct vgpu_device *vdev, void *shared)
{
	struct vgpu_ta_ras_shared_memory *m = shared;

	m->ras_in_message.init_flags.poison_mode_en = vgpu_ras_poison;
	m->ras_in_message.init_flags.dgpu_mode = 1;
}

/* Between vgpu_psp_ta_begin() and vgpu_psp_ta_end(). */
static int ras_invoke(struct vgpu_device *vdev, struct vgpu_ta_ras_shared_memory *m, u32 cmd)
{
	u32 status;
	int ret;

	ret = vgpu_psp_ta_invoke(vdev, VGPU_TA_RAS, cmd);
	if (ret)
		return ret;
	status = le32_to_cpu(m->ras_status);
	if (status == TA_RAS_STATUS__SUCCESS)
		return 0;
	drm_err(&vdev->drm, "RAS: command %u refused: %#x\n", cmd, status);
	return status == TA_RAS_STATUS__TEE_ERROR_ACCESS_DENIED ? -EACCES : -EINVAL;
}

static int ras_set_feature(struct vgpu_device *vdev, struct vgpu_ta_ras_shared_memory *m,
			   u32 block, u32 type, bool enable)
{
	struct vgpu_ta_ras_enable_features_input *in = enable ?
		&m->ras_in_message.enable_features : &m->ras_in_message.disable_features;

	*in = (struct vgpu_ta_ras_enable_features_input) {
		.block_id = cpu_to_le32(block), .error_type = cpu_to_le32(type),
	};
	return ras_invoke(vdev, m, enable ? TA_RAS_COMMAND__ENABLE_FEATURES :
					    TA_RAS_COMMAND__DISABLE_FEATURES);
}

/**
 * vgpu_ras_enable() - have a block look for errors, or not
 * @vdev: the die
 * @block: TA_RAS_BLOCK__*, one that MI250X has
 * @type: TA_RAS_ERROR__*
 * @enable: or not
 *
 * May sleep. Return: 0, -EINVAL: the application does not want to, -ENODEV: it is not
 * there, -ETIMEDOUT, -EIO.
 */
int vgpu_ras_enable(struct vgpu_device *vdev, u32 block, u32 type, bool enable)
{
	struct vgpu_ta_ras_shared_memory *m = vgpu_psp_ta_begin(vdev, VGPU_TA_RAS);
	int ret;

	if (!m)
		return -ENODEV;
	ret = ras_set_feature(vdev, m, block, type, enable);
	if (!ret && enable)
		vdev->ras.features |= BIT(block);
	else if (!ret)
		vdev->ras.features &= ~BIT(block);
	vgpu_psp_ta_end(vdev);
	return ret;
}

/* All that shall: after the application was loaded. In the path of fences. */
static int ras_enable_features(struct vgpu_device *vdev)
{
	struct vgpu_ta_ras_shared_memory *m = vgpu_psp_ta_begin(vdev, VGPU_TA_RAS);
	unsigned int block;
	int ret = 0;

	if (!m)
		return -ENODEV;
	for (block = 0; block < VGPU_RAS_NUM_BLOCKS && !ret; block++)
		if (vdev->ras.features & BIT(block))
			ret = ras_set_feature(vdev, m, block, TA_RAS_ERROR__MULTI_UNCORRECTABLE,
					      true);
	vgpu_psp_ta_end(vdev);
	return ret;
}

/**
 * vgpu_ras_inject() - make an error
 * @vdev: the die
 * @in: which; an address in the die's VRAM for the UMC
 *
 * May sleep. Return: 0; -EEXIST: the page is bad already; -EACCES: memory of firmware;
 * -EINVAL: the application cannot make it; or as vgpu_ras_enable().
 */
int vgpu_ras_inject(struct vgpu_device *vdev, const struct vgpu_ta_ras_trigger_error_input *in)
{
	struct vgpu_ras *ras = &vdev->ras;
	struct vgpu_ta_ras_shared_memory *m;
	u64 addr = le64_to_cpu(in->address);
	int ret;

	if (le32_to_cpu(in->block_id) == TA_RAS_BLOCK__UMC) {
		if (addr >= vdev->gmc.vram_size)
			return -EINVAL;
		mutex_lock(&ras->lock);
		ret = vgpu_ras_is_bad(vdev, addr >> VGPU_GPU_PAGE_SHIFT) ? -EEXIST : 0;
		mutex_unlock(&ras->lock);
		if (ret)
			return ret;
		/* Addresses are those of the hive. */
		addr += vdev->info.node_id * vdev->gmc.segment_size;
	}
	m = vgpu_psp_ta_begin(vdev, VGPU_TA_RAS);
	if (!m)
		return -ENODEV;
	m->ras_in_message.trigger_error = *in;
	m->ras_in_message.trigger_error.address = cpu_to_le64(addr);
	ret = ras_invoke(vdev, m, TA_RAS_COMMAND__TRIGGER_ERROR);
	vgpu_psp_ta_end(vdev);
	return ret;
}

/* ----------------------------------------------------------------- counts */

static void ras_count(struct vgpu_device *vdev, u32 block, const struct vgpu_ras_errors *found)
{
	if (!found->ue && !found->ce)
		return;
	drm_warn(&vdev->drm, "RAS: %s: %llu uncorrectable and %llu corrected errors\n",
		 ras_blocks[block].name, found->ue, found->ce);
	vdev->ras.errors[block].ue += found->ue;
	vdev->ras.errors[block].ce += found->ce;
	atomic_add(found->ue, &vdev->ras.total_ue);
	atomic_add(found->ce, &vdev->ras.total_ce);
}

/* The channels' reports, with the bad pages that they speak of. */
static int ras_query_umc(struct vgpu_device *vdev)
{
	struct vgpu_ras_errors found = { };
	struct vgpu_ecc_info_table *table;
	struct vgpu_ras_page *pages;
	u32 num;
	int ret = -ENOMEM;

	table = kmalloc(sizeof(*table), GFP_KERNEL);
	pages = kmalloc_array(VGPU_UMC_MAX_PAGES, sizeof(*pages), GFP_KERNEL);
	/* Reading the reports clears them: not before there is room for what they say. */
	if (table && pages)
		ret = vgpu_smu_ecc_info(vdev, table);
	if (!ret) {
		num = vgpu_umc_decode(table, &found, pages);
		ras_count(vdev, TA_RAS_BLOCK__UMC, &found);
		ret = vgpu_ras_add_pages(vdev, pages, num);
	}
	kfree(pages);
	kfree(table);
	return ret;
}

/* Under the lock. */
static int ras_update(struct vgpu_device *vdev, u32 block)
{
	struct vgpu_ras_errors found = { };
	int idx, ret = 0;

	if (!vgpu_hw_enter(vdev, &idx))
		return -ENODEV;
	if (block == TA_RAS_BLOCK__UMC) {
		ret = ras_query_umc(vdev);
	} else if (ras_blocks[block].query) {
		ras_blocks[block].query(vdev, &found);
		ras_count(vdev, block, &found);
	}
	vgpu_hw_exit(idx);
	return ret;
}

/**
 * vgpu_ras_query() - errors of a block
 * @vdev: the die
 * @block: TA_RAS_BLOCK__*
 * @total: all since load
 *
 * May sleep. Return: 0, -EOPNOTSUPP: nobody counts them, -ENODEV, -ENOMEM, -EIO, -ETIMEDOUT.
 */
int vgpu_ras_query(struct vgpu_device *vdev, u32 block, struct vgpu_ras_errors *total)
{
	struct vgpu_ras *ras = &vdev->ras;
	int ret;

	if (block != TA_RAS_BLOCK__UMC && !ras_blocks[block].query)
		return -EOPNOTSUPP;
	mutex_lock(&ras->lock);
	ret = ras_update(vdev, block);
	*total = ras->errors[block];
	mutex_unlock(&ras->lock);
	return ret;
}

/* ------------------------------------------------------------- interrupts */

/* First what the registers know, since the reset clears them. */
static void ras_fatal_work(struct work_struct *work)
{
	struct vgpu_ras *ras = container_of(work, struct vgpu_ras, fatal);
	struct vgpu_device *vdev = container_of(ras, struct vgpu_device, ras);
	unsigned int block;

	mutex_lock(&ras->lock);
	for (block = 0; block < VGPU_RAS_NUM_BLOCKS; block++)
		if (ras->supported & BIT(block) && ras_update(vdev, block))
			drm_err(&vdev->drm, "RAS: errors of %s are not known\n",
				ras_blocks[block].name);
	mutex_unlock(&ras->lock);
	vgpu_reset_request(vdev, VGPU_RESET_MODE1);
}

/**
 * vgpu_ras_fatal_error() - the die cannot go on: reset it, and its hive
 * @vdev: the die
 *
 * Any context.
 */
void vgpu_ras_fatal_error(struct vgpu_device *vdev)
{
	drm_err(&vdev->drm,
		"uncorrectable hardware error (ERREVENT_ATHUB_INTERRUPT) detected!\n");
	queue_work(system_unbound_wq, &vdev->ras.fatal);
}

static void ras_poisoned_work(struct work_struct *work)
{
	struct vgpu_ras *ras = container_of(work, struct vgpu_ras, poisoned);
	struct vgpu_device *vdev = container_of(ras, struct vgpu_device, ras);

	mutex_lock(&ras->lock);
	if (ras_update(vdev, TA_RAS_BLOCK__UMC))
		drm_err(&vdev->drm, "RAS: bad memory, but where is not known\n");
	mutex_unlock(&ras->lock);
}

/* The data fabric found bad memory, which nobody has read yet. */
static void ras_poison_created(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	queue_work(system_unbound_wq, &vdev->ras.poisoned);
}

/* ------------------------------------------------------------------ block */

static int vgpu_ras_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_ras *ras = &vdev->ras;
	unsigned int block;
	int ret;

	INIT_WORK(&ras->poisoned, ras_poisoned_work);
	INIT_WORK(&ras->fatal, ras_fatal_work);
	for (block = 0; block < VGPU_RAS_NUM_BLOCKS; block++)
		if (ras_blocks[block].name)
			ras->supported |= BIT(block);
	ret = drmm_mutex_init(&vdev->drm, &ras->lock);
	if (ret)
		return ret;
	return vgpu_irq_add(vdev, SOC15_IH_CLIENTID_DF, VGPU_DF_SRCID_ECC, "memory poisoned",
			    ras_poison_created);
}

/* A die whose PSP has no such application works without. */
static int vgpu_ras_hw_init(struct vgpu_device *vdev)
{
	struct vgpu_ras *ras = &vdev->ras;
	int ret;

	ras->features = ras->supported;
	ret = ras_enable_features(vdev);
	if (ret) {
		drm_err(&vdev->drm, "RAS: %d; errors are not looked for\n", ret);
		ras->supported = 0;
		ras->features = 0;
		return 0;
	}
	ras->up = true;
	mutex_lock(&ras->lock);
	ret = vgpu_ras_load_pages(vdev);
	if (ret)
		vgpu_ras_forget_pages(vdev);
	mutex_unlock(&ras->lock);
	return ret;
}

/* None of the works begins any more: a reset that one asks for would come too late. */
static void vgpu_ras_hw_fini(struct vgpu_device *vdev)
{
	struct vgpu_ras *ras = &vdev->ras;

	disable_work_sync(&ras->poisoned);
	disable_work_sync(&ras->fatal);
	mutex_lock(&ras->lock);
	vgpu_ras_forget_pages(vdev);
	mutex_unlock(&ras->lock);
}

/* After a reset of all of the die the application was loaded anew. */
static int vgpu_ras_resume(struct vgpu_device *vdev)
{
	if (vdev->ras.up && ras_enable_features(vdev))
		drm_err(&vdev->drm, "RAS: errors are not looked for any more\n");
	return 0;
}

const struct vgpu_ip_block vgpu_ras_block = {
	.name = "ras",
	.sw_init = vgpu_ras_sw_init,
	.hw_init = vgpu_ras_hw_init,
	.hw_fini = vgpu_ras_hw_fini,
	.resume = vgpu_ras_resume,
};
