// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Errors in sysfs, and how to make some in debugfs: files and texts are amdgpu's.
 * Documentation/ras.rst, "Files".
 */
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/uaccess.h>

#include <hw/pte.h>
#include <hw/ras_eeprom.h>

#include "vgpu.h"

/* ------------------------------------------------------------------ sysfs */

static ssize_t ras_err_count_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct dev_ext_attribute *ext = container_of(attr, struct dev_ext_attribute, attr);
	struct vgpu_device *vdev = dev_get_drvdata(dev);
	unsigned long block = (unsigned long)ext->var;
	struct vgpu_ras_errors total;
	int len, ret;

	ret = vgpu_ras_query(vdev, block, &total);
	if (ret)
		return ret;
	len = sysfs_emit(buf, "ue: %llu\nce: %llu\n", total.ue, total.ce);
	/* amdgpu also has deferred errors of memory, which UMC 6.7 counts as the others. */
	if (block == TA_RAS_BLOCK__UMC)
		len += sysfs_emit_at(buf, len, "de: 0\n");
	return len;
}

#define RAS_ERR_COUNT(_name, _block)							\
static struct dev_ext_attribute ras_##_name = {						\
	__ATTR(_name##_err_count, 0444, ras_err_count_show, NULL), (void *)(_block)	\
}

RAS_ERR_COUNT(umc, TA_RAS_BLOCK__UMC);
RAS_ERR_COUNT(sdma, TA_RAS_BLOCK__SDMA);
RAS_ERR_COUNT(gfx, TA_RAS_BLOCK__GFX);
RAS_ERR_COUNT(mmhub, TA_RAS_BLOCK__MMHUB);
RAS_ERR_COUNT(hdp, TA_RAS_BLOCK__HDP);

static ssize_t features_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct vgpu_device *vdev = dev_get_drvdata(dev);

	return sysfs_emit(buf, "feature mask: 0x%x\n", READ_ONCE(vdev->ras.features));
}
static DEVICE_ATTR_RO(features);

/* Reserved; in use until somebody frees it; or none that a buffer could have. */
static char ras_page_state(struct vgpu_device *vdev, u64 page)
{
	switch (vgpu_vram_retired(vdev, page * VGPU_GPU_PAGE_SIZE)) {
	case 0:
		return 'R';
	case -EBUSY:
		return 'P';
	default:
		return 'F';
	}
}

#define RAS_PAGE_LINE	sizeof("0x00000000 : 0x00001000 : R\n")

static ssize_t gpu_vram_bad_pages_read(struct file *file, struct kobject *kobj,
				       struct bin_attribute *attr, char *buf, loff_t pos,
				       size_t count)
{
	struct vgpu_device *vdev = dev_get_drvdata(kobj_to_dev(kobj));
	struct vgpu_ras_pages *pages = &vdev->ras.pages;
	ssize_t ret = -ENOMEM;
	size_t len = 0, size;
	char *text;
	u32 i;

	mutex_lock(&vdev->ras.lock);
	size = pages->num * RAS_PAGE_LINE + 1;
	text = kvmalloc(size, GFP_KERNEL);
	for (i = 0; text && i < pages->num; i++)
		len += scnprintf(text + len, size - len, "0x%08llx : 0x%08x : %c\n",
				 pages->page[i].page, VGPU_GPU_PAGE_SIZE,
				 ras_page_state(vdev, pages->page[i].page));
	mutex_unlock(&vdev->ras.lock);
	if (text)
		ret = memory_read_from_buffer(buf, count, &pos, text, len);
	kvfree(text);
	return ret;
}
static BIN_ATTR_RO(gpu_vram_bad_pages, 0);

static struct attribute *ras_attrs[] = {
	&ras_umc.attr.attr,
	&ras_sdma.attr.attr,
	&ras_gfx.attr.attr,
	&ras_mmhub.attr.attr,
	&ras_hdp.attr.attr,
	&dev_attr_features.attr,
	NULL
};

static struct bin_attribute *ras_bin_attrs[] = {
	&bin_attr_gpu_vram_bad_pages,
	NULL
};

static bool ras_group_visible(struct kobject *kobj)
{
	struct vgpu_device *vdev = dev_get_drvdata(kobj_to_dev(kobj));

	return vdev->ras.up;
}

DEFINE_SIMPLE_SYSFS_GROUP_VISIBLE(ras);

const struct attribute_group vgpu_ras_group = {
	.name = "ras",
	.attrs = ras_attrs,
	.bin_attrs = ras_bin_attrs,
	.is_visible = SYSFS_GROUP_VISIBLE(ras),
};

/* ---------------------------------------------------------------- debugfs */

#define RAS_CTRL_MAX	128

static int ras_parse_block(const char *name, u32 *block)
{
	const char *known;

	for (*block = 0; *block < VGPU_RAS_NUM_BLOCKS; ++*block) {
		known = vgpu_ras_block_name(*block);
		if (known && !strcmp(name, known))
			return 0;
	}
	return -EINVAL;
}

static int ras_parse_error(const char *name, u32 *type)
{
	static const struct {
		const char *name;
		u32 type;
	} types[] = {
		{ "ue", TA_RAS_ERROR__MULTI_UNCORRECTABLE },
		{ "ce", TA_RAS_ERROR__SINGLE_CORRECTABLE },
		{ "poison", TA_RAS_ERROR__POISON },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		if (!strcmp(name, types[i].name)) {
			*type = types[i].type;
			return 0;
		}
	}
	return -EINVAL;
}

static int ras_ctrl_disable(struct vgpu_device *vdev, int argc, char **argv)
{
	u32 block;

	if (argc != 1 || ras_parse_block(argv[0], &block))
		return -EINVAL;
	return vgpu_ras_enable(vdev, block, TA_RAS_ERROR__NONE, false);
}

static int ras_ctrl_enable(struct vgpu_device *vdev, int argc, char **argv)
{
	u32 block, type;

	if (argc != 2 || ras_parse_block(argv[0], &block) || ras_parse_error(argv[1], &type))
		return -EINVAL;
	return vgpu_ras_enable(vdev, block, type, true);
}

/* BLOCK ERROR SUB_BLOCK ADDRESS VALUE [INSTANCES] */
static int ras_ctrl_inject(struct vgpu_device *vdev, int argc, char **argv)
{
	u32 block, type, sub, mask = 0;
	u64 address, value;

	if (argc < 5 || argc > 6 || ras_parse_block(argv[0], &block) ||
	    ras_parse_error(argv[1], &type) || kstrtou32(argv[2], 0, &sub) ||
	    kstrtou64(argv[3], 0, &address) || kstrtou64(argv[4], 0, &value) ||
	    (argc == 6 && kstrtou32(argv[5], 0, &mask)))
		return -EINVAL;
	if (sub & AMDGPU_RAS_INST_MASK || mask > AMDGPU_RAS_INST_MASK >> AMDGPU_RAS_INST_SHIFT)
		return -EINVAL;
	return vgpu_ras_inject(vdev, &(struct vgpu_ta_ras_trigger_error_input) {
		.block_id = cpu_to_le32(block),
		.inject_error_type = cpu_to_le32(type),
		.sub_block_index = cpu_to_le32(sub | mask << AMDGPU_RAS_INST_SHIFT),
		.address = cpu_to_le64(address),
		.value = cpu_to_le64(value),
	});
}

static int ras_ctrl_retire_page(struct vgpu_device *vdev, int argc, char **argv)
{
	u64 address;
	int ret;

	if (argc != 1 || kstrtou64(argv[0], 0, &address))
		return -EINVAL;
	mutex_lock(&vdev->ras.lock);
	ret = vgpu_ras_retire(vdev, address);
	mutex_unlock(&vdev->ras.lock);
	return ret;
}

static const struct {
	const char *name;
	int (*run)(struct vgpu_device *vdev, int argc, char **argv);
} ras_commands[] = {
	{ "disable", ras_ctrl_disable },
	{ "enable", ras_ctrl_enable },
	{ "inject", ras_ctrl_inject },
	{ "retire_page", ras_ctrl_retire_page },
};

#define RAS_CTRL_MAX_ARGS	7

static int ras_ctrl_run(struct vgpu_device *vdev, char *text)
{
	char *argv[RAS_CTRL_MAX_ARGS + 1];
	unsigned int i;
	int argc = 0;

	while ((argv[argc] = strsep(&text, " \t\n"))) {
		if (*argv[argc] && ++argc > RAS_CTRL_MAX_ARGS)
			return -EINVAL;
	}
	for (i = 0; argc && i < ARRAY_SIZE(ras_commands); i++)
		if (!strcmp(argv[0], ras_commands[i].name))
			return ras_commands[i].run(vdev, argc - 1, argv + 1);
	return -EINVAL;
}

static ssize_t ras_ctrl_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct vgpu_device *vdev = file_inode(file)->i_private;
	char *text;
	int ret;

	if (*pos || len > RAS_CTRL_MAX)
		return -EINVAL;
	text = memdup_user_nul(buf, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = vdev->ras.up ? ras_ctrl_run(vdev, text) : -EOPNOTSUPP;
	kfree(text);
	return ret ? ret : len;
}

static const struct file_operations ras_ctrl_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = ras_ctrl_write,
};

/* Writing anything begins a new table; pages stay out of use until the driver is loaded anew. */
static ssize_t ras_eeprom_reset_write(struct file *file, const char __user *buf, size_t len,
				      loff_t *pos)
{
	struct vgpu_device *vdev = file_inode(file)->i_private;
	struct vgpu_ras *ras = &vdev->ras;
	int ret;

	if (!ras->up)
		return -EOPNOTSUPP;
	mutex_lock(&ras->lock);
	ret = vgpu_ras_table_reset(vdev);
	mutex_unlock(&ras->lock);
	return ret ? ret : len;
}

static const struct file_operations ras_eeprom_reset_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = ras_eeprom_reset_write,
};

static int ras_eeprom_table_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *vdev = m->private;
	struct vgpu_ras_table *t = &vdev->ras.table;
	struct vgpu_ras_page p;
	int ret = 0;
	u32 i;

	mutex_lock(&vdev->ras.lock);
	seq_printf(m, "tag %#x, %u records, threshold %u%s\n", t->tag, t->num, vdev->ras.threshold,
		   t->usable ? "" : ", not usable");
	if (t->usable)
		seq_puts(m, "Index  Offset          TimeStamp      Offs/Addr MemChl MCUMCID    RetiredPage\n");
	for (i = 0; t->usable && i < t->num && !ret; i++) {
		ret = vgpu_ras_table_read(vdev, i, &p);
		seq_printf(m, "%5u 0x%05X 0x%016llX 0x%012llX   0x%02X    0x%02X 0x%012llX\n", i,
			   RAS_TABLE_HEADER_SIZE + i * RAS_TABLE_RECORD_SIZE, p.time, p.offset,
			   p.channel, p.umc, p.page);
	}
	mutex_unlock(&vdev->ras.lock);
	return ret;
}
DEFINE_SHOW_ATTRIBUTE(ras_eeprom_table);

/**
 * vgpu_ras_debugfs_init() - make the directory ras
 * @vdev: the die
 * @root: of the minor
 */
void vgpu_ras_debugfs_init(struct vgpu_device *vdev, struct dentry *root)
{
	struct dentry *dir = debugfs_create_dir("ras", root);

	debugfs_create_file("ras_ctrl", 0200, dir, vdev, &ras_ctrl_fops);
	debugfs_create_file("ras_eeprom_reset", 0200, dir, vdev, &ras_eeprom_reset_fops);
	debugfs_create_file("ras_eeprom_table", 0400, dir, vdev, &ras_eeprom_table_fops);
}
