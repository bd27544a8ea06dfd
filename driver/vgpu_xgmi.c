// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The hive: a die learns from the xGMI application of its PSP which hive it is in,
 * joins it, and everybody's topology is brought up to date.
 * Documentation/hive.rst, "The hive in the driver".
 */
#include <linux/bitfield.h>
#include <linux/kobject.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include <hw/psp.h>
#include <hw/reg/vgpu.h>
#include <hw/ta_xgmi.h>

#include "vgpu.h"

/* Guards the list of hives, and joining and leaving as a whole. */
static DEFINE_MUTEX(vgpu_hives_lock);
static LIST_HEAD(vgpu_hives);

/* ------------------------------------------------------------- firmware */

/* @shared is of vgpu_psp_ta_begin(), filled in. */
static int xgmi_invoke(struct vgpu_device *vdev, struct vgpu_ta_xgmi_shared_memory *shared,
		       u32 cmd)
{
	u32 status, resp;
	int ret;

	shared->cmd_id = cpu_to_le32(cmd);
	ret = vgpu_psp_ta_invoke(vdev, VGPU_TA_XGMI, cmd);
	if (ret)
		return ret;
	status = le32_to_cpu(shared->xgmi_status);
	resp = le32_to_cpu(shared->resp_id);
	if (status == TA_XGMI_STATUS__SUCCESS && resp == RSP_ID(cmd))
		return 0;
	drm_err(&vdev->drm, "xGMI application: command %#x: response %#x, status %#x\n", cmd, resp,
		status);
	return -EIO;
}

/* Begin a session: once for each time that the application was loaded. */
static int xgmi_initialize(struct vgpu_device *vdev)
{
	struct vgpu_ta_xgmi_shared_memory *shared;
	int ret;

	shared = vgpu_psp_ta_begin(vdev, VGPU_TA_XGMI);
	if (!shared)
		return -ENODEV;
	ret = xgmi_invoke(vdev, shared, TA_COMMAND_XGMI__INITIALIZE);
	vdev->xgmi.knows_ports = !ret && shared->caps_flag & EXTEND_PEER_LINK_INFO_CMD_FLAG;
	vgpu_psp_ta_end(vdev);
	return ret;
}

static int xgmi_identify(struct vgpu_device *vdev, u64 *hive_id, u64 *node_id)
{
	struct vgpu_ta_xgmi_shared_memory *shared;
	int ret;

	shared = vgpu_psp_ta_begin(vdev, VGPU_TA_XGMI);
	if (!shared)
		return -ENODEV;
	ret = xgmi_invoke(vdev, shared, TA_COMMAND_XGMI__GET_HIVE_ID);
	if (!ret) {
		*hive_id = le64_to_cpu(shared->xgmi_out_message.hive_id);
		ret = xgmi_invoke(vdev, shared, TA_COMMAND_XGMI__GET_NODE_ID);
	}
	if (!ret)
		*node_id = le64_to_cpu(shared->xgmi_out_message.node_id);
	vgpu_psp_ta_end(vdev);
	return ret;
}

static void xgmi_put_nodes(struct vgpu_ta_xgmi_topology_info *info,
			   const struct vgpu_xgmi_peer *peer, unsigned int num)
{
	unsigned int i;

	info->num_nodes = cpu_to_le32(num);
	for (i = 0; i < num; i++) {
		info->nodes[i].node_id = cpu_to_le64(peer[i].node_id);
		info->nodes[i].num_hops = peer[i].num_hops;
		info->nodes[i].is_sharing_enabled = 1;
		info->nodes[i].sdma_engine =
			cpu_to_le32(TA_XGMI_ASSIGNED_SDMA_ENGINE__NOT_ASSIGNED);
	}
}

/* These two commands want their input where the output comes. */
static int xgmi_get_links(struct vgpu_device *vdev, struct vgpu_ta_xgmi_shared_memory *shared,
			  struct vgpu_xgmi_peer *peer, unsigned int num)
{
	struct vgpu_ta_xgmi_peer_links *links = &shared->xgmi_out_message.get_link_info;
	unsigned int i;
	int ret;

	memset(shared, 0, sizeof(*shared));
	links->num_nodes = cpu_to_le32(num);
	for (i = 0; i < num; i++)
		links->nodes[i].node_id = cpu_to_le64(peer[i].node_id);
	ret = xgmi_invoke(vdev, shared, TA_COMMAND_XGMI__GET_PEER_LINKS);
	for (i = 0; i < num && !ret; i++)
		peer[i].num_links = links->nodes[i].num_links;
	return ret;
}

static int xgmi_get_ports(struct vgpu_device *vdev, struct vgpu_ta_xgmi_shared_memory *shared,
			  struct vgpu_xgmi_peer *peer, unsigned int num)
{
	struct vgpu_ta_xgmi_extend_peer_links *links;
	unsigned int i, k;
	int ret;

	memset(shared, 0, sizeof(*shared));
	links = &shared->xgmi_out_message.get_extend_link_info;
	links->num_nodes = cpu_to_le32(num);
	for (i = 0; i < num; i++)
		links->nodes[i].node_id = cpu_to_le64(peer[i].node_id);
	ret = xgmi_invoke(vdev, shared, TA_COMMAND_XGMI__GET_EXTEND_PEER_LINKS);
	for (i = 0; i < num && !ret; i++) {
		struct vgpu_ta_xgmi_extend_peer_link_info *info = &links->nodes[i];

		peer[i].num_links = min(info->num_links, TA_XGMI__MAX_PORT_NUM);
		for (k = 0; k < peer[i].num_links; k++) {
			peer[i].port[k].src = info->port_num[k].src_xgmi_port_num;
			peer[i].port[k].dst = info->port_num[k].dst_xgmi_port_num;
		}
	}
	return ret;
}

/* @peer has the node ids; hops, links and ports are filled in. */
static int xgmi_exchange_topology(struct vgpu_device *vdev, struct vgpu_xgmi_peer *peer,
				  unsigned int num)
{
	struct vgpu_ta_xgmi_shared_memory *shared;
	struct vgpu_ta_xgmi_topology_info *got;
	unsigned int i;
	int ret;

	shared = vgpu_psp_ta_begin(vdev, VGPU_TA_XGMI);
	if (!shared)
		return -ENODEV;

	xgmi_put_nodes(&shared->xgmi_in_message.set_topology_info, peer, num);
	ret = xgmi_invoke(vdev, shared, TA_COMMAND_XGMI__SET_TOPOLOGY_INFO);
	if (ret)
		goto out;

	memset(shared, 0, sizeof(*shared));
	xgmi_put_nodes(&shared->xgmi_in_message.get_topology_info, peer, num);
	ret = xgmi_invoke(vdev, shared, TA_COMMAND_XGMI__GET_TOPOLOGY_INFO);
	if (ret)
		goto out;
	got = &shared->xgmi_out_message.get_topology_info;
	for (i = 0; i < num; i++)
		peer[i].num_hops = got->nodes[i].num_hops & VGPU_TA_XGMI_NUM_HOPS_MASK;

	ret = vdev->xgmi.knows_ports ? xgmi_get_ports(vdev, shared, peer, num) :
				       xgmi_get_links(vdev, shared, peer, num);
out:
	vgpu_psp_ta_end(vdev);
	return ret;
}

/* ------------------------------------------------------------- topology */

/* What @vdev knows of the way to @node_id; NULL: nothing. */
static const struct vgpu_xgmi_peer *xgmi_find_peer(struct vgpu_device *vdev, u64 node_id)
{
	unsigned int i;

	for (i = 0; i < vdev->xgmi.num_peers; i++) {
		if (vdev->xgmi.peer[i].node_id == node_id)
			return &vdev->xgmi.peer[i];
	}
	return NULL;
}

/* To those who were there before; of others user space hears when they come and go. */
static bool xgmi_ways_differ(struct vgpu_device *vdev, const struct vgpu_xgmi_peer *peer,
			     unsigned int num)
{
	const struct vgpu_xgmi_peer *old;
	unsigned int i;

	for (i = 0; i < num; i++) {
		old = xgmi_find_peer(vdev, peer[i].node_id);
		if (old && (old->num_hops != peer[i].num_hops ||
			    old->num_links != peer[i].num_links))
			return true;
	}
	return false;
}

static int xgmi_train(struct vgpu_hive *hive, struct vgpu_device *vdev)
{
	struct vgpu_xgmi_peer peer[VGPU_HIVE_MAX_NODES] = {};
	struct vgpu_device *member;
	unsigned int num = 0;
	int ret;

	list_for_each_entry(member, &hive->members, xgmi.node)
		peer[num++].node_id = member->xgmi.node_id;
	ret = xgmi_exchange_topology(vdev, peer, num);
	if (ret)
		return ret;
	if (xgmi_ways_differ(vdev, peer, num))
		vgpu_topology_changed();
	memcpy(vdev->xgmi.peer, peer, sizeof(peer));
	vdev->xgmi.num_peers = num;
	return 0;
}

/**
 * vgpu_hive_train_member() - bring the topology of one up to date
 * @hive: the hive; somebody holds its lock until this is over
 * @vdev: a member
 *
 * Several members may be at it at the same time, each with its own firmware. When it
 * does not answer, the member keeps what it had, and is reported. May sleep.
 * Return: 0, -ENODEV, -EIO, -ETIMEDOUT.
 */
int vgpu_hive_train_member(struct vgpu_hive *hive, struct vgpu_device *vdev)
{
	int ret = xgmi_train(hive, vdev);

	if (ret && !drm_dev_is_unplugged(&vdev->drm))
		drm_err(&vdev->drm, "hive %#llx: no topology: %d\n", hive->id, ret);
	return ret;
}

/**
 * vgpu_hive_train() - bring everybody's topology up to date
 * @hive: the hive, its lock held
 *
 * Who does not answer keeps what it had, and is reported. May sleep.
 * Return: 0, or the error of the member that joined last.
 */
int vgpu_hive_train(struct vgpu_hive *hive)
{
	struct vgpu_device *vdev;
	int ret = 0;

	lockdep_assert_held(&hive->lock);
	list_for_each_entry(vdev, &hive->members, xgmi.node)
		ret = vgpu_hive_train_member(hive, vdev);
	return ret;
}

/**
 * vgpu_hive_peers() - may one die reach the memory of another?
 * @a: a die
 * @b: a die
 *
 * Any context. Return: both are members of one hive.
 */
bool vgpu_hive_peers(struct vgpu_device *a, struct vgpu_device *b)
{
	return a != b && a->xgmi.hive && a->xgmi.hive == b->xgmi.hive &&
	       !list_empty_careful(&a->xgmi.node) && !list_empty_careful(&b->xgmi.node);
}

/**
 * vgpu_hive_way() - what a die knows of the way to another
 * @from: the one
 * @to: the other
 * @way: to be filled in
 *
 * Waits for a reset of the hive; may sleep. Return: they are peers, and there is one.
 */
bool vgpu_hive_way(struct vgpu_device *from, struct vgpu_device *to, struct vgpu_xgmi_peer *way)
{
	struct vgpu_hive *hive = from->xgmi.hive;
	const struct vgpu_xgmi_peer *peer = NULL;

	if (!hive || hive != to->xgmi.hive)
		return false;
	mutex_lock(&hive->lock);
	if (vgpu_hive_peers(from, to))
		peer = xgmi_find_peer(from, to->xgmi.node_id);
	if (peer)
		*way = *peer;
	mutex_unlock(&hive->lock);
	return peer && way->num_hops;
}

/* ---------------------------------------------------------------- sysfs */

static ssize_t xgmi_hive_id_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct vgpu_device *vdev = dev_get_drvdata(kobj_to_dev(kobj->parent));

	return sysfs_emit(buf, "%llu\n", vdev->xgmi.hive->id);
}

static struct kobj_attribute xgmi_hive_id_attr = __ATTR_RO(xgmi_hive_id);

/* amdgpu counts from 1, too, but in the order of joining. */
static void vgpu_hive_link_name(struct vgpu_device *vdev, char *name, size_t size)
{
	snprintf(name, size, "node%u", vdev->info.node_id + 1);
}

static int vgpu_hive_link(struct vgpu_device *from, struct vgpu_device *to)
{
	char name[16];

	vgpu_hive_link_name(to, name, sizeof(name));
	return sysfs_create_link(from->xgmi.info, &to->pdev->dev.kobj, name);
}

static void vgpu_hive_unlink(struct vgpu_device *from, struct vgpu_device *to)
{
	char name[16];

	if (!from->xgmi.info)
		return;
	vgpu_hive_link_name(to, name, sizeof(name));
	sysfs_remove_link(from->xgmi.info, name);
}

/* From the members' directories, and with its own. vgpu_hives_lock. */
static void vgpu_hive_sysfs_remove(struct vgpu_hive *hive, struct vgpu_device *vdev)
{
	struct vgpu_device *member;

	list_for_each_entry(member, &hive->members, xgmi.node)
		vgpu_hive_unlink(member, vdev);
	kobject_put(vdev->xgmi.info);
	vdev->xgmi.info = NULL;
}

/* A directory with everybody, and a link to it in everybody's. vgpu_hives_lock. */
static int vgpu_hive_sysfs_add(struct vgpu_hive *hive, struct vgpu_device *vdev)
{
	struct vgpu_device *member;
	int ret;

	vdev->xgmi.info = kobject_create_and_add("xgmi_hive_info", &vdev->pdev->dev.kobj);
	if (!vdev->xgmi.info)
		return -ENOMEM;
	ret = sysfs_create_file(vdev->xgmi.info, &xgmi_hive_id_attr.attr);
	list_for_each_entry(member, &hive->members, xgmi.node) {
		if (!ret)
			ret = vgpu_hive_link(vdev, member);
		if (!ret && member != vdev)
			ret = vgpu_hive_link(member, vdev);
	}
	if (ret)
		vgpu_hive_sysfs_remove(hive, vdev);
	return ret;
}

/* --------------------------------------------------------- join, leave */

static void vgpu_hive_release(struct kref *ref)
{
	struct vgpu_hive *hive = container_of(ref, struct vgpu_hive, ref);

	list_del(&hive->node);
	mutex_unlock(&vgpu_hives_lock);
	mutex_destroy(&hive->lock);
	kfree(hive);
}

/* The hive with that id, made when it is the first die of it; a reference. vgpu_hives_lock. */
static struct vgpu_hive *vgpu_hive_get(u64 id)
{
	struct vgpu_hive *hive;

	list_for_each_entry(hive, &vgpu_hives, node) {
		if (hive->id == id) {
			kref_get(&hive->ref);
			return hive;
		}
	}
	hive = kzalloc(sizeof(*hive), GFP_KERNEL);
	if (!hive)
		return NULL;
	kref_init(&hive->ref);
	hive->id = id;
	mutex_init(&hive->lock);
	INIT_LIST_HEAD(&hive->members);
	list_add_tail(&hive->node, &vgpu_hives);
	return hive;
}

static void vgpu_hive_remove_member(struct vgpu_hive *hive, struct vgpu_device *vdev)
{
	mutex_lock(&hive->lock);
	list_del_init(&vdev->xgmi.node);
	hive->num_members--;
	vgpu_hive_train(hive);
	mutex_unlock(&hive->lock);
}

/* Two dies that claim one segment would both be wrong about who owns an address. */
static bool vgpu_hive_taken(struct vgpu_hive *hive, struct vgpu_device *vdev)
{
	struct vgpu_device *member;

	list_for_each_entry(member, &hive->members, xgmi.node) {
		if (member->xgmi.node_id == vdev->xgmi.node_id ||
		    member->info.node_id == vdev->info.node_id)
			return true;
	}
	return hive->num_members >= VGPU_HIVE_MAX_NODES;
}

static int vgpu_hive_add_member(struct vgpu_hive *hive, struct vgpu_device *vdev)
{
	int ret;

	if (vgpu_hive_taken(hive, vdev))
		return -EBUSY;

	mutex_lock(&hive->lock);
	list_add_tail(&vdev->xgmi.node, &hive->members);
	hive->num_members++;
	ret = vgpu_hive_train(hive);
	mutex_unlock(&hive->lock);

	if (!ret)
		ret = vgpu_hive_sysfs_add(hive, vdev);
	if (ret)
		vgpu_hive_remove_member(hive, vdev);
	return ret;
}

static int vgpu_hive_join(struct vgpu_device *vdev)
{
	u64 hive_id;
	int ret;

	ret = xgmi_initialize(vdev);
	if (!ret)
		ret = xgmi_identify(vdev, &hive_id, &vdev->xgmi.node_id);
	if (ret)
		return ret;

	mutex_lock(&vgpu_hives_lock);
	/* A reference for good: whoever looks at it need not fear that it goes. */
	vdev->xgmi.hive = vgpu_hive_get(hive_id);
	ret = vdev->xgmi.hive ? vgpu_hive_add_member(vdev->xgmi.hive, vdev) : -ENOMEM;
	if (!ret)
		drm_info(&vdev->drm, "node %u joins hive %#llx as member %u\n",
			 vdev->info.node_id, hive_id, vdev->xgmi.hive->num_members);
	mutex_unlock(&vgpu_hives_lock);
	return ret;
}

static void vgpu_hive_leave(struct vgpu_device *vdev)
{
	struct vgpu_hive *hive = vdev->xgmi.hive;

	if (!hive)
		return;
	mutex_lock(&vgpu_hives_lock);
	if (!list_empty(&vdev->xgmi.node)) {
		vgpu_hive_sysfs_remove(hive, vdev);
		vgpu_hive_remove_member(hive, vdev);
	}
	mutex_unlock(&vgpu_hives_lock);
}

static u64 xgmi_link_bytes(struct vgpu_device *vdev, u32 index)
{
	vgpu_wreg(vdev, VGPU_DBG_LINK_INDEX, index);
	return vgpu_rreg(vdev, VGPU_DBG_LINK_BYTES_LO) |
	       (u64)vgpu_rreg(vdev, VGPU_DBG_LINK_BYTES_HI) << 32;
}

/* The links as they are now. The hive's lock is also the one of the index register. */
static void vgpu_hive_show_links(struct vgpu_device *vdev, struct drm_printer *p)
{
	u32 i, num = min(vgpu_rreg(vdev, VGPU_DBG_NUM_LINKS), VGPU_DBG_LINK_INDEX__LINK_MASK + 1);

	for (i = 0; i < num; i++) {
		u64 bytes = xgmi_link_bytes(vdev, i);
		u64 back = xgmi_link_bytes(vdev, i | VGPU_DBG_LINK_INDEX__BACK_MASK);
		u32 ends = vgpu_rreg(vdev, VGPU_DBG_LINK_ENDS);

		drm_printf(p, "link %u-%u: width %u, %s, bytes %llu, back %llu\n",
			   FIELD_GET(VGPU_DBG_LINK_ENDS__LOW_MASK, ends),
			   FIELD_GET(VGPU_DBG_LINK_ENDS__HIGH_MASK, ends),
			   FIELD_GET(VGPU_DBG_LINK_ENDS__WIDTH_MASK, ends),
			   ends & VGPU_DBG_LINK_ENDS__UP_MASK ? "up" : "down", bytes, back);
	}
}

/**
 * vgpu_hive_show() - the hive as a die sees it, for debugfs
 * @vdev: the die
 * @p: where to print
 */
void vgpu_hive_show(struct vgpu_device *vdev, struct drm_printer *p)
{
	struct vgpu_hive *hive = vdev->xgmi.hive;
	const struct vgpu_xgmi_peer *peer;
	struct vgpu_device *member;

	if (!hive) {
		drm_puts(p, "no hive\n");
		return;
	}
	mutex_lock(&hive->lock);
	drm_printf(p, "hive %#llx, %u members, segments of %llu MiB\n", hive->id,
		   hive->num_members, vdev->gmc.segment_size >> 20);
	list_for_each_entry(member, &hive->members, xgmi.node) {
		drm_printf(p, "node %u: %s, id %#llx, VRAM at %#llx", member->info.node_id,
			   pci_name(member->pdev), member->xgmi.node_id, member->gmc.vram_start);
		peer = xgmi_find_peer(vdev, member->xgmi.node_id);
		if (member == vdev)
			drm_puts(p, ", this die\n");
		else if (peer)
			drm_printf(p, ", hops %u, links %u\n", peer->num_hops, peer->num_links);
		else
			drm_puts(p, ", way unknown\n");
	}
	vgpu_hive_show_links(vdev, p);
	vgpu_xgmi_show_ports(vdev, p);
	mutex_unlock(&hive->lock);
}

/* ---------------------------------------------------------------- block */

static int vgpu_xgmi_early_init(struct vgpu_device *vdev)
{
	INIT_LIST_HEAD(&vdev->xgmi.node);
	INIT_LIST_HEAD(&vdev->xgmi.imports);
	return drmm_mutex_init(&vdev->drm, &vdev->xgmi.imports_lock);
}

static void vgpu_xgmi_sw_fini(struct vgpu_device *vdev)
{
	if (vdev->xgmi.hive &&
	    kref_put_mutex(&vdev->xgmi.hive->ref, vgpu_hive_release, &vgpu_hives_lock))
		vdev->xgmi.hive = NULL;
}

/* The last step of bringing a die up: from here on a reset of the hive is one of it too. */
static int vgpu_xgmi_late_init(struct vgpu_device *vdev)
{
	int ret;

	if (vdev->info.num_nodes < 2)
		return 0;
	ret = vgpu_hive_join(vdev);
	if (ret)
		drm_err(&vdev->drm, "cannot join a hive: %d; the die works alone\n", ret);
	return 0;
}

/*
 * The first step of taking it down. A running reset of the hive is over when it is
 * done, and one of this die alone that was asked for: its schedulers run again.
 */
static void vgpu_xgmi_hw_fini(struct vgpu_device *vdev)
{
	vgpu_hive_leave(vdev);
	vgpu_reset_wait(vdev);
}

/* After a reset of all of the die; the hive is trained when everybody is that far. */
static int vgpu_xgmi_resume(struct vgpu_device *vdev)
{
	if (vdev->xgmi.hive && xgmi_initialize(vdev))
		drm_err(&vdev->drm, "firmware does not know the hive any more\n");
	return 0;
}

const struct vgpu_ip_block vgpu_xgmi_block = {
	.name = "xgmi",
	.early_init = vgpu_xgmi_early_init,
	.sw_fini = vgpu_xgmi_sw_fini,
	.hw_fini = vgpu_xgmi_hw_fini,
	.late_init = vgpu_xgmi_late_init,
	.resume = vgpu_xgmi_resume,
};
