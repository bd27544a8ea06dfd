// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bad pages: kept from use as soon as nobody uses them, and written down for the
 * time after this driver. Documentation/ras.rst, "Bad pages".
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include <drm/drm_print.h>

#include <hw/pte.h>
#include <hw/ras_eeprom.h>

#include "vgpu.h"

/* As amdgpu has it: that many bytes of VRAM may have one bad page. */
#define RAS_BAD_PAGE_COVER	(100ull * 1024 * 1024)

static int vgpu_bad_page_threshold = -1;
module_param_named(bad_page_threshold, vgpu_bad_page_threshold, int, 0444);
MODULE_PARM_DESC(bad_page_threshold,
		 "Bad pages at which a die is not used any more (-1: warn only, 0: retire none; default -1)");

/**
 * vgpu_ras_is_bad() - is it on the list?
 * @vdev: the die
 * @page: number of a page of VRAM
 */
bool vgpu_ras_is_bad(struct vgpu_device *vdev, u64 page)
{
	struct vgpu_ras_pages *pages = &vdev->ras.pages;
	u32 i;

	lockdep_assert_held(&vdev->ras.lock);
	for (i = 0; i < pages->num; i++)
		if (pages->page[i].page == page)
			return true;
	return false;
}

/* Without saying anything to the EEPROM. */
static int ras_remember(struct vgpu_device *vdev, const struct vgpu_ras_page *page)
{
	struct vgpu_ras_pages *pages = &vdev->ras.pages;
	struct vgpu_ras_page *more;
	int ret;

	if (page->page >= vdev->gmc.vram_size / VGPU_GPU_PAGE_SIZE ||
	    vgpu_ras_is_bad(vdev, page->page))
		return 0;
	more = krealloc_array(pages->page, pages->num + 1, sizeof(*more), GFP_KERNEL);
	if (!more)
		return -ENOMEM;
	pages->page = more;
	ret = vgpu_vram_retire(vdev, page->page * VGPU_GPU_PAGE_SIZE);
	if (ret)
		return ret;
	pages->page[pages->num++] = *page;
	if (page->channel < BITS_PER_TYPE(pages->channels))
		pages->channels |= BIT(page->channel);
	return 0;
}

/* The power controller tells it to who manages the machine. */
static void ras_tell_smu(struct vgpu_device *vdev)
{
	if (vgpu_smu_bad_pages(vdev, vdev->ras.pages.num, vdev->ras.pages.channels))
		drm_err(&vdev->drm, "RAS: the SMU does not want to know of bad pages\n");
}

static void ras_check_threshold(struct vgpu_device *vdev)
{
	struct vgpu_ras *ras = &vdev->ras;

	if (ras->table.num < ras->threshold || ras->table.tag == RAS_TABLE_HDR_BAD)
		return;
	drm_warn(&vdev->drm, "RAS: %u bad pages reach the threshold of %u: replace this die\n",
		 ras->table.num, ras->threshold);
	if (vgpu_ras_table_tag(vdev, RAS_TABLE_HDR_BAD))
		drm_err(&vdev->drm, "RAS: the EEPROM does not say so\n");
}

/**
 * vgpu_ras_add_pages() - pages turned out to be bad
 * @vdev: the die
 * @pages: which; those that are known or do not exist are left out
 * @num: how many
 *
 * What could not be saved before is tried again. May sleep.
 * Return: 0, -ENOMEM; that they could not be saved is reported, and no error: they are
 * kept from use all the same.
 */
int vgpu_ras_add_pages(struct vgpu_device *vdev, const struct vgpu_ras_page *pages, u32 num)
{
	struct vgpu_ras_pages *list = &vdev->ras.pages;
	u32 i, before = list->num;
	int ret = 0, saved;

	lockdep_assert_held(&vdev->ras.lock);
	if (!vgpu_bad_page_threshold)
		return 0;
	for (i = 0; i < num && !ret; i++)
		ret = ras_remember(vdev, &pages[i]);
	if (list->num == before)
		return ret;
	drm_warn(&vdev->drm, "RAS: %u pages of VRAM are bad, %u of them new\n", list->num,
		 list->num - before);
	saved = vgpu_ras_table_append(vdev, list->page + list->saved, list->num - list->saved);
	if (saved)
		drm_err(&vdev->drm,
			"RAS: table of bad pages: %u records and no more, %u not saved: %d\n",
			vdev->ras.table.num, list->num - list->saved, saved);
	else
		list->saved = list->num;
	ras_check_threshold(vdev);
	ras_tell_smu(vdev);
	return ret;
}

/**
 * vgpu_ras_retire() - have a page count as bad
 * @vdev: the die
 * @address: in its VRAM
 *
 * For tests. May sleep. Return: 0, -EINVAL: there is no such address, -EEXIST: it is
 * on the list, -EPERM: no page is retired at all, -ENOMEM.
 */
int vgpu_ras_retire(struct vgpu_device *vdev, u64 address)
{
	struct vgpu_ras_page page = {
		.page = address / VGPU_GPU_PAGE_SIZE,
		.offset = address,
		.time = ktime_get_real_seconds(),
	};

	if (address >= vdev->gmc.vram_size)
		return -EINVAL;
	if (!vgpu_bad_page_threshold)
		return -EPERM;
	if (vgpu_ras_is_bad(vdev, page.page))
		return -EEXIST;
	return vgpu_ras_add_pages(vdev, &page, 1);
}

/* Is the die fit for use? The table says so, and what was decided since. */
static int ras_admit(struct vgpu_device *vdev)
{
	struct vgpu_ras *ras = &vdev->ras;

	if (ras->table.tag != RAS_TABLE_HDR_BAD)
		return 0;
	if (ras->table.num < ras->threshold)
		return vgpu_ras_table_tag(vdev, RAS_TABLE_HDR_VAL);
	if (vgpu_bad_page_threshold == -1) {
		drm_warn(&vdev->drm, "RAS: %u bad pages, threshold %u: replace this die\n",
			 ras->table.num, ras->threshold);
		return 0;
	}
	drm_err(&vdev->drm, "RAS: %u bad pages, threshold %u: the die is not used\n",
		ras->table.num, ras->threshold);
	return -EUCLEAN;
}

/**
 * vgpu_ras_load_pages() - keep from use what the EEPROM says is bad
 * @vdev: the die
 *
 * May sleep. Return: 0, also without a table that can be used; -EUCLEAN: the die has too
 * many bad pages to be used; -ENOMEM.
 */
int vgpu_ras_load_pages(struct vgpu_device *vdev)
{
	struct vgpu_ras *ras = &vdev->ras;
	struct vgpu_ras_page page;
	u32 i;
	int ret;

	lockdep_assert_held(&ras->lock);
	if (!vgpu_bad_page_threshold)
		return 0;
	ras->threshold = vgpu_bad_page_threshold > 0 ? vgpu_bad_page_threshold :
			 max_t(u64, vdev->gmc.vram_size / RAS_BAD_PAGE_COVER, 1);
	ret = vgpu_ras_table_open(vdev);
	if (ret) {
		if (ret != -EBADMSG)
			drm_err(&vdev->drm, "RAS: no EEPROM: %d\n", ret);
		return 0;
	}
	for (i = 0; i < ras->table.num; i++) {
		ret = vgpu_ras_table_read(vdev, i, &page);
		if (!ret)
			ret = ras_remember(vdev, &page);
		if (ret == -ENOMEM)
			return ret;
	}
	ras->pages.saved = ras->pages.num;
	if (ras->pages.num) {
		drm_info(&vdev->drm, "RAS: %u bad pages of VRAM\n", ras->pages.num);
		ras_tell_smu(vdev);
	}
	return ras_admit(vdev);
}

/**
 * vgpu_ras_forget_pages() - free the list
 * @vdev: the die; nothing of the EEPROM changes
 */
void vgpu_ras_forget_pages(struct vgpu_device *vdev)
{
	kfree(vdev->ras.pages.page);
	vdev->ras.pages = (struct vgpu_ras_pages) { };
}
