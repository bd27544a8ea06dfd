// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The table of bad pages in the board's EEPROM, which the power controller has on its
 * I2C bus. It survives the driver, every reset, and the machine.
 * Documentation/ras.rst, "Bad pages".
 */
#include <linux/unaligned.h>

#include <drm/drm_print.h>

#include <hw/ras_eeprom.h>
#include <hw/smu.h>

#include "vgpu.h"

static_assert(sizeof(struct vgpu_ras_table_header) == RAS_TABLE_HEADER_SIZE);
static_assert(sizeof(struct vgpu_ras_table_record) == RAS_TABLE_RECORD_SIZE);

#define TABLE_MAX_RECORDS \
	((RAS_TBL_SIZE_BYTES - RAS_TABLE_HEADER_SIZE) / RAS_TABLE_RECORD_SIZE)

/* A request begins with two bytes of address; what is above is in the chip's own. */
#define EEPROM_CHIP(addr)	(0xa0 | ((addr) >> 16 & 7) << 1)
#define EEPROM_MAX_DATA		(MAX_SW_I2C_COMMANDS - 2)

/* ------------------------------------------------------------------ bytes */

static void eeprom_begin(struct vgpu_sw_i2c_request *req, u32 addr, u32 len)
{
	*req = (struct vgpu_sw_i2c_request) {
		.i2c_controller_port = I2C_CONTROLLER_PORT_0,
		.i2c_speed = I2C_SPEED_FAST_400K,
		.slave_address = EEPROM_CHIP(addr),
		.num_cmds = 2 + len,
		.sw_i2c_cmds = {
			{ addr >> 8, CMDCONFIG_READWRITE_MASK },
			{ addr, CMDCONFIG_READWRITE_MASK },
		},
	};
	req->sw_i2c_cmds[1 + len].cmd_config = CMDCONFIG_STOP_MASK;
}

static int eeprom_read(struct vgpu_device *vdev, u32 addr, void *data, u32 len)
{
	struct vgpu_sw_i2c_request req;
	u8 *to = data;
	u32 i, n;
	int ret;

	for (; len; len -= n, addr += n, to += n) {
		n = min(len, EEPROM_MAX_DATA);
		eeprom_begin(&req, addr, n);
		req.sw_i2c_cmds[2].cmd_config |= CMDCONFIG_RESTART_MASK;
		ret = vgpu_smu_i2c(vdev, &req);
		if (ret)
			return ret;
		for (i = 0; i < n; i++)
			to[i] = req.sw_i2c_cmds[2 + i].read_write_data;
	}
	return 0;
}

/* A burst stays within a page of the chip, which would go on at its start. */
static int eeprom_write(struct vgpu_device *vdev, u32 addr, const void *data, u32 len)
{
	struct vgpu_sw_i2c_request req;
	const u8 *from = data;
	u32 i, n;
	int ret;

	for (; len; len -= n, addr += n, from += n) {
		n = min3(len, EEPROM_MAX_DATA, EEPROM_PAGE_SIZE - addr % EEPROM_PAGE_SIZE);
		eeprom_begin(&req, addr, n);
		for (i = 0; i < n; i++) {
			req.sw_i2c_cmds[2 + i].read_write_data = from[i];
			req.sw_i2c_cmds[2 + i].cmd_config |= CMDCONFIG_READWRITE_MASK;
		}
		ret = vgpu_smu_i2c(vdev, &req);
		if (ret)
			return ret;
	}
	return 0;
}

static u8 byte_sum(const void *data, size_t len)
{
	const u8 *p = data;
	u8 sum = 0;

	while (len--)
		sum += *p++;
	return sum;
}

/* ---------------------------------------------------------------- records */

static u64 get_le48(const u8 *p)
{
	return get_unaligned_le32(p) | (u64)get_unaligned_le16(p + 4) << 32;
}

static void put_le48(u64 val, u8 *p)
{
	put_unaligned_le32(val, p);
	put_unaligned_le16(val >> 32, p + 4);
}

static void record_encode(const struct vgpu_ras_page *page, struct vgpu_ras_table_record *r)
{
	*r = (struct vgpu_ras_table_record) {
		.err_type = AMDGPU_RAS_EEPROM_ERR_NON_RECOVERABLE,
		.mem_channel = page->channel,
		.mcumc_id = page->umc,
	};
	put_unaligned_le64(page->time, r->ts);
	put_le48(page->offset, r->offset);
	put_le48(page->page, r->retired_page);
}

static void record_decode(const struct vgpu_ras_table_record *r, struct vgpu_ras_page *page)
{
	*page = (struct vgpu_ras_page) {
		.page = get_le48(r->retired_page),
		.time = get_unaligned_le64(r->ts),
		.offset = get_le48(r->offset),
		.channel = r->mem_channel,
		.umc = r->mcumc_id,
	};
}

static u32 record_addr(u32 index)
{
	return EEPROM_I2C_MADDR_0 + RAS_TABLE_HEADER_SIZE + index * RAS_TABLE_RECORD_SIZE;
}

/* ------------------------------------------------------------------ table */

static int table_write_header(struct vgpu_device *vdev)
{
	struct vgpu_ras_table *t = &vdev->ras.table;
	struct vgpu_ras_table_header h = {
		.header = cpu_to_le32(t->tag),
		.version = cpu_to_le32(RAS_TABLE_VER_V1),
		.first_rec_offset = cpu_to_le32(RAS_TABLE_HEADER_SIZE),
		.tbl_size = cpu_to_le32(RAS_TABLE_HEADER_SIZE + t->num * RAS_TABLE_RECORD_SIZE),
	};
	u8 sum = byte_sum(&h, sizeof(h)) + t->sum;

	h.checksum = cpu_to_le32((u8)-sum);
	return eeprom_write(vdev, EEPROM_I2C_MADDR_0, &h, sizeof(h));
}

/**
 * vgpu_ras_table_reset() - begin a new table
 * @vdev: the die
 *
 * May sleep. Return: 0, or that the EEPROM cannot be written: -EIO, -ENODEV, -ETIMEDOUT.
 */
int vgpu_ras_table_reset(struct vgpu_device *vdev)
{
	struct vgpu_ras_table *t = &vdev->ras.table;
	int ret;

	lockdep_assert_held(&vdev->ras.lock);
	*t = (struct vgpu_ras_table) { .tag = RAS_TABLE_HDR_VAL };
	ret = table_write_header(vdev);
	t->usable = !ret;
	return ret;
}

/**
 * vgpu_ras_table_tag() - say whether the GPU may still be used
 * @vdev: the die
 * @tag: RAS_TABLE_HDR_*
 *
 * May sleep. Return: as vgpu_ras_table_reset().
 */
int vgpu_ras_table_tag(struct vgpu_device *vdev, u32 tag)
{
	vdev->ras.table.tag = tag;
	return table_write_header(vdev);
}

/**
 * vgpu_ras_table_read() - a record of the table
 * @vdev: the die
 * @index: which
 * @page: what it says
 *
 * May sleep. Return: as vgpu_ras_table_reset().
 */
int vgpu_ras_table_read(struct vgpu_device *vdev, u32 index, struct vgpu_ras_page *page)
{
	struct vgpu_ras_table_record r;
	int ret;

	ret = eeprom_read(vdev, record_addr(index), &r, sizeof(r));
	if (!ret)
		record_decode(&r, page);
	return ret;
}

/**
 * vgpu_ras_table_append() - add records
 * @vdev: the die
 * @pages: what to say
 * @num: how many
 *
 * The header comes last: a table whose writer was interrupted is the one of before.
 * May sleep. Return: 0; -ENOSPC: there is no room, -EIO: nor is there in the chip; -EBADMSG:
 * the table is not to be touched; or as vgpu_ras_table_reset().
 */
int vgpu_ras_table_append(struct vgpu_device *vdev, const struct vgpu_ras_page *pages, u32 num)
{
	struct vgpu_ras_table *t = &vdev->ras.table, old = *t;
	struct vgpu_ras_table_record r;
	u32 i;
	int ret = 0;

	lockdep_assert_held(&vdev->ras.lock);
	if (!t->usable)
		return -EBADMSG;
	if (num > TABLE_MAX_RECORDS - t->num)
		return -ENOSPC;
	for (i = 0; i < num && !ret; i++) {
		record_encode(&pages[i], &r);
		ret = eeprom_write(vdev, record_addr(t->num), &r, sizeof(r));
		t->sum += byte_sum(&r, sizeof(r));
		t->num++;
	}
	if (!ret)
		ret = table_write_header(vdev);
	if (ret)
		*t = old;
	return ret;
}

static bool table_header_sane(const struct vgpu_ras_table_header *h)
{
	u32 size = le32_to_cpu(h->tbl_size);

	return le32_to_cpu(h->version) == RAS_TABLE_VER_V1 &&
	       le32_to_cpu(h->first_rec_offset) == RAS_TABLE_HEADER_SIZE &&
	       size >= RAS_TABLE_HEADER_SIZE && size <= RAS_TBL_SIZE_BYTES &&
	       (size - RAS_TABLE_HEADER_SIZE) % RAS_TABLE_RECORD_SIZE == 0;
}

static int table_sum(struct vgpu_device *vdev, struct vgpu_ras_table *t)
{
	struct vgpu_ras_table_record r;
	u32 i;
	int ret;

	for (i = 0; i < t->num; i++) {
		ret = eeprom_read(vdev, record_addr(i), &r, sizeof(r));
		if (ret)
			return ret;
		t->sum += byte_sum(&r, sizeof(r));
	}
	return 0;
}

/**
 * vgpu_ras_table_open() - look at the table that is there, or begin one
 * @vdev: the die
 *
 * A table that is not as it should be is reported and left as it is: somebody may
 * want to see it, and nothing of it is believed. May sleep.
 * Return: 0, -EBADMSG for such a table, or as vgpu_ras_table_reset().
 */
int vgpu_ras_table_open(struct vgpu_device *vdev)
{
	struct vgpu_ras_table *t = &vdev->ras.table;
	struct vgpu_ras_table_header h;
	u8 sum;
	int ret;

	lockdep_assert_held(&vdev->ras.lock);
	*t = (struct vgpu_ras_table) { };
	ret = eeprom_read(vdev, EEPROM_I2C_MADDR_0, &h, sizeof(h));
	if (ret)
		return ret;
	t->tag = le32_to_cpu(h.header);
	if (t->tag != RAS_TABLE_HDR_VAL && t->tag != RAS_TABLE_HDR_BAD) {
		drm_info(&vdev->drm, "RAS: the EEPROM gets a new table of bad pages\n");
		return vgpu_ras_table_reset(vdev);
	}
	if (!table_header_sane(&h)) {
		drm_err(&vdev->drm,
			"RAS: table of bad pages: version %#x, first record at %u, size %u: not used\n",
			le32_to_cpu(h.version), le32_to_cpu(h.first_rec_offset),
			le32_to_cpu(h.tbl_size));
		return -EBADMSG;
	}
	t->num = (le32_to_cpu(h.tbl_size) - RAS_TABLE_HEADER_SIZE) / RAS_TABLE_RECORD_SIZE;
	ret = table_sum(vdev, t);
	if (ret)
		return ret;
	sum = byte_sum(&h, sizeof(h)) + t->sum;
	if (sum) {
		drm_err(&vdev->drm,
			"RAS: table of bad pages: wrong checksum (off by %#x), %u records not used\n",
			sum, t->num);
		return -EBADMSG;
	}
	t->usable = true;
	return 0;
}
