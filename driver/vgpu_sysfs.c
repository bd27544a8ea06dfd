// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * sysfs attributes of the PCI function, under amdgpu's names: memory, and the
 * place in the hive. Documentation/driver.rst, "Looking inside".
 */
#include <linux/device.h>
#include <linux/sysfs.h>

#include "vgpu.h"

#define VGPU_ATTR_U64(_name, _value)						\
static ssize_t _name##_show(struct device *dev, struct device_attribute *attr,	\
			    char *buf)						\
{										\
	struct vgpu_device *vdev = dev_get_drvdata(dev);			\
										\
	return sysfs_emit(buf, "%llu\n", (u64)(_value));			\
}										\
static DEVICE_ATTR_RO(_name)

VGPU_ATTR_U64(mem_info_vram_total, vdev->gmc.vram_size);
VGPU_ATTR_U64(mem_info_vram_used, vgpu_vram_usage(vdev));
VGPU_ATTR_U64(mem_info_vis_vram_total, vdev->gmc.visible_vram_size);
VGPU_ATTR_U64(mem_info_vis_vram_used, vgpu_vram_visible_usage(vdev));
VGPU_ATTR_U64(mem_info_gtt_total, vdev->gmc.gart_size);
VGPU_ATTR_U64(mem_info_gtt_used, vgpu_gtt_usage(vdev));
VGPU_ATTR_U64(xgmi_device_id, vdev->xgmi.node_id);
VGPU_ATTR_U64(xgmi_physical_id, vdev->info.node_id);

static struct attribute *vgpu_memory_attrs[] = {
	&dev_attr_mem_info_vram_total.attr,
	&dev_attr_mem_info_vram_used.attr,
	&dev_attr_mem_info_vis_vram_total.attr,
	&dev_attr_mem_info_vis_vram_used.attr,
	&dev_attr_mem_info_gtt_total.attr,
	&dev_attr_mem_info_gtt_used.attr,
	NULL
};

static const struct attribute_group vgpu_memory_group = {
	.attrs = vgpu_memory_attrs,
};

/* One number a member, in the order they joined; this die is one of them. */
#define VGPU_ATTR_PEERS(_name, _field)						\
static ssize_t _name##_show(struct device *dev, struct device_attribute *attr,	\
			    char *buf)						\
{										\
	struct vgpu_device *vdev = dev_get_drvdata(dev);			\
	struct vgpu_xgmi *xgmi = &vdev->xgmi;					\
	unsigned int i;								\
	int len = 0;								\
										\
	mutex_lock(&xgmi->hive->lock);						\
	for (i = 0; i < xgmi->num_peers; i++)					\
		len += sysfs_emit_at(buf, len, "%02x ", xgmi->peer[i]._field);	\
	mutex_unlock(&xgmi->hive->lock);					\
	return len + sysfs_emit_at(buf, len, "\n");				\
}										\
static DEVICE_ATTR_RO(_name)

VGPU_ATTR_PEERS(xgmi_num_hops, num_hops);
VGPU_ATTR_PEERS(xgmi_num_links, num_links);

/* Of each link the ports at its ends; members count from 1, in the order they joined. */
static ssize_t xgmi_port_num_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct vgpu_device *vdev = dev_get_drvdata(dev);
	struct vgpu_xgmi *xgmi = &vdev->xgmi;
	unsigned int i, k, self = 0;
	int len = 0;

	mutex_lock(&xgmi->hive->lock);
	while (self < xgmi->num_peers && xgmi->peer[self].node_id != xgmi->node_id)
		self++;
	for (i = 0; i < xgmi->num_peers; i++) {
		const struct vgpu_xgmi_peer *peer = &xgmi->peer[i];

		for (k = 0; k < peer->num_links; k++)
			len += sysfs_emit_at(buf, len, "%02x:%02x ->  %02x:%02x\n", self + 1,
					     peer->port[k].src, i + 1, peer->port[k].dst);
	}
	mutex_unlock(&xgmi->hive->lock);
	return len;
}
static DEVICE_ATTR_RO(xgmi_port_num);

/* Reading takes them away. */
static ssize_t xgmi_error_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct vgpu_device *vdev = dev_get_drvdata(dev);
	unsigned int count;

	mutex_lock(&vdev->xgmi.hive->lock);
	count = vgpu_xgmi_take_errors(vdev);
	mutex_unlock(&vdev->xgmi.hive->lock);
	return sysfs_emit(buf, "%u\n", count);
}
static DEVICE_ATTR_RO(xgmi_error);

static struct attribute *vgpu_hive_attrs[] = {
	&dev_attr_xgmi_device_id.attr,
	&dev_attr_xgmi_physical_id.attr,
	&dev_attr_xgmi_num_hops.attr,
	&dev_attr_xgmi_num_links.attr,
	&dev_attr_xgmi_error.attr,
	&dev_attr_xgmi_port_num.attr,
	NULL
};

/* A die on its own is no node of anything. */
static umode_t vgpu_hive_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	struct vgpu_device *vdev = dev_get_drvdata(kobj_to_dev(kobj));

	if (!vdev->xgmi.hive || (attr == &dev_attr_xgmi_port_num.attr && !vdev->xgmi.knows_ports))
		return 0;
	return attr->mode;
}

static const struct attribute_group vgpu_hive_group = {
	.attrs = vgpu_hive_attrs,
	.is_visible = vgpu_hive_visible,
};

/* They come after probe() and go before remove(): the die works meanwhile. */
const struct attribute_group *vgpu_sysfs_groups[] = {
	&vgpu_memory_group,
	&vgpu_hive_group,
	&vgpu_ras_group,
	NULL
};
