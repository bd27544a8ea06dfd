/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The hive: dies that share one address space, what each knows of the others, and
 * the reset that is theirs together. Documentation/hive.rst, "The hive in the
 * driver".
 */
#ifndef _VGPU_XGMI_H_
#define _VGPU_XGMI_H_

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include <hw/ta_xgmi.h>

struct drm_printer;
struct kobject;
struct vgpu_device;

/* MC_VM_XGMI_LFB_CNTL numbers them in four bits. */
#define VGPU_HIVE_MAX_NODES	16

/**
 * struct vgpu_hive - dies with the same hive id
 * @ref: of each die that joined, until its drm_device is released
 * @node: in the list of hives
 * @id: from the xGMI application of its members
 * @lock: guards the members, their topology, and a reset of the hive: who holds it
 *        knows that nobody joins, leaves or resets. In the path of fences: nothing
 *        under it allocates. What has to allocate to join or leave is under
 *        vgpu_hives_lock, which is taken before it
 * @members: struct vgpu_device by xgmi.node, in the order they joined; changed
 *           under both locks
 * @num_members: how many
 */
struct vgpu_hive {
	struct kref ref;
	struct list_head node;
	u64 id;
	struct mutex lock;		/* see above */
	struct list_head members;
	unsigned int num_members;
};

/**
 * struct vgpu_xgmi_peer - what firmware says of the way to a member
 * @node_id: which member
 * @num_hops: links on the way; 0: it is this die
 * @num_links: between this die and a neighbour
 * @port: of each of these links the ports at both ends, this die's first; if known
 */
struct vgpu_xgmi_peer {
	u64 node_id;
	u8 num_hops;
	u8 num_links;
	struct {
		u8 src, dst;
	} port[TA_XGMI__MAX_PORT_NUM];
};

/**
 * struct vgpu_xgmi - a die's place in its hive
 * @hive: the hive that it joined, NULL: none. Set once; a die that has left keeps it
 * @node: in @hive->members, empty while it is no member
 * @node_id: its name in the hive, from the xGMI application
 * @knows_ports: the application tells the ports of links too
 * @peer: all members, itself too, in the order of the hive's list
 * @num_peers: in @peer
 * @info: the directory xgmi_hive_info in sysfs; under vgpu_hives_lock
 * @imports_lock: guards @imports; taken before the reservation of a buffer
 * @imports: struct vgpu_bo by peer_node: buffers of peers that stand for ours
 */
struct vgpu_xgmi {
	struct vgpu_hive *hive;
	struct list_head node;
	u64 node_id;
	bool knows_ports;
	struct vgpu_xgmi_peer peer[VGPU_HIVE_MAX_NODES];
	unsigned int num_peers;
	struct kobject *info;
	struct mutex imports_lock;	/* see above */
	struct list_head imports;
};

/* Both are members of one hive; any context, true only as long as they stay. */
bool vgpu_hive_peers(struct vgpu_device *a, struct vgpu_device *b);
bool vgpu_hive_way(struct vgpu_device *from, struct vgpu_device *to, struct vgpu_xgmi_peer *way);
/* Tells every member who the members are, and learns the ways; hive->lock is held. */
int vgpu_hive_train(struct vgpu_hive *hive);
int vgpu_hive_train_member(struct vgpu_hive *hive, struct vgpu_device *vdev);
/* vgpu_xgmi_error.c; both under hive->lock */
unsigned int vgpu_xgmi_take_errors(struct vgpu_device *vdev);
void vgpu_xgmi_show_ports(struct vgpu_device *vdev, struct drm_printer *p);
void vgpu_hive_show(struct vgpu_device *vdev, struct drm_printer *p);

#endif
