/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Errors of the hardware: which blocks look for them, how many there were, which
 * pages of VRAM are bad, and what becomes of an error that cannot be corrected.
 * Documentation/ras.rst.
 */
#ifndef _VGPU_RAS_H_
#define _VGPU_RAS_H_

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <hw/ta_ras.h>
#include <hw/umc.h>

struct attribute_group;
struct dentry;
struct seq_file;
struct vgpu_device;
struct vgpu_ecc_info_table;

/* Blocks by TA_RAS_BLOCK__*, those that MI250X has */
#define VGPU_RAS_NUM_BLOCKS	(TA_RAS_BLOCK__XGMI_WAFL + 1)

/**
 * struct vgpu_ras_errors - how many there were
 * @ue: that could not be corrected
 * @ce: that were
 */
struct vgpu_ras_errors {
	u64 ue, ce;
};

/**
 * struct vgpu_ras_page - a bad page
 * @page: its number in the die's VRAM
 * @time: when it was found, seconds since 1970
 * @offset: of the error within its channel
 * @channel: by its index in addresses
 * @umc: memory controller
 */
struct vgpu_ras_page {
	u64 page;
	u64 time;
	u64 offset;
	u8 channel;
	u8 umc;
};

/**
 * struct vgpu_ras_pages - the bad pages
 * @page: each once, in the order they were found
 * @num: how many
 * @saved: of these, how many the EEPROM has
 * @channels: that had one, a bit each
 */
struct vgpu_ras_pages {
	struct vgpu_ras_page *page;
	u32 num;
	u32 saved;
	u32 channels;
};

/**
 * struct vgpu_ras_table - the table in the EEPROM, as far as it is remembered
 * @tag: RAS_TABLE_HDR_*
 * @num: records
 * @sum: of all bytes of the records
 * @usable: it was read and is as it should be
 */
struct vgpu_ras_table {
	u32 tag;
	u32 num;
	u8 sum;
	bool usable;
};

/**
 * struct vgpu_ras - errors of a die
 * @lock: guards all but @features. Taken before the locks of the PSP, of the SMU and of
 *        VRAM; not in the path of fences
 * @up: the application was loaded when the driver was; constant afterwards
 * @supported: blocks that can look for errors, a bit each; constant
 * @features: those that do; under the PSP's lock
 * @errors: since load, by block
 * @total_ue: uncorrectable ones of all blocks, for contexts; no lock
 * @total_ce: corrected ones
 * @pages: bad ones
 * @table: in the EEPROM
 * @threshold: as many bad pages are too many; constant
 * @poisoned: memory was found to be bad: look which
 * @fatal: the die cannot go on
 */
struct vgpu_ras {
	struct mutex lock;		/* see above */
	bool up;
	u32 supported;
	u32 features;
	struct vgpu_ras_errors errors[VGPU_RAS_NUM_BLOCKS];
	atomic_t total_ue, total_ce;
	struct vgpu_ras_pages pages;
	struct vgpu_ras_table table;
	u32 threshold;
	struct work_struct poisoned;
	struct work_struct fatal;
};

/* vgpu_ras.c */
void vgpu_ras_prepare_ta(struct vgpu_device *vdev, void *shared);
const char *vgpu_ras_block_name(unsigned int block);
int vgpu_ras_enable(struct vgpu_device *vdev, u32 block, u32 type, bool enable);
int vgpu_ras_inject(struct vgpu_device *vdev, const struct vgpu_ta_ras_trigger_error_input *in);
int vgpu_ras_query(struct vgpu_device *vdev, u32 block, struct vgpu_ras_errors *total);
void vgpu_ras_fatal_error(struct vgpu_device *vdev);

/* vgpu_edc.c: what the blocks have counted since the last time. */
void vgpu_edc_sdma(struct vgpu_device *vdev, struct vgpu_ras_errors *found);
void vgpu_edc_gfx(struct vgpu_device *vdev, struct vgpu_ras_errors *found);
void vgpu_edc_mmhub(struct vgpu_device *vdev, struct vgpu_ras_errors *found);
void vgpu_edc_hdp(struct vgpu_device *vdev, struct vgpu_ras_errors *found);

/* vgpu_umc.c */
#define VGPU_UMC_MAX_PAGES	(UMC_V6_7_TOTAL_CHANNEL_NUM * UMC_V6_7_BAD_PAGE_NUM_PER_CHANNEL)

u32 vgpu_umc_decode(const struct vgpu_ecc_info_table *table, struct vgpu_ras_errors *found,
		    struct vgpu_ras_page *pages);

/* vgpu_ras_pages.c; under the lock */
bool vgpu_ras_is_bad(struct vgpu_device *vdev, u64 page);
int vgpu_ras_add_pages(struct vgpu_device *vdev, const struct vgpu_ras_page *pages, u32 num);
int vgpu_ras_load_pages(struct vgpu_device *vdev);
int vgpu_ras_retire(struct vgpu_device *vdev, u64 address);
void vgpu_ras_forget_pages(struct vgpu_device *vdev);

/* vgpu_ras_eeprom.c; under the lock */
int vgpu_ras_table_open(struct vgpu_device *vdev);
int vgpu_ras_table_read(struct vgpu_device *vdev, u32 index, struct vgpu_ras_page *page);
int vgpu_ras_table_append(struct vgpu_device *vdev, const struct vgpu_ras_page *pages, u32 num);
int vgpu_ras_table_reset(struct vgpu_device *vdev);
int vgpu_ras_table_tag(struct vgpu_device *vdev, u32 tag);

/* vgpu_ras_fs.c: sysfs and debugfs */
extern const struct attribute_group vgpu_ras_group;
void vgpu_ras_debugfs_init(struct vgpu_device *vdev, struct dentry *root);

#endif
