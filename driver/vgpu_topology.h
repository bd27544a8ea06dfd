/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The machine as programs of the HSA see it: nodes of CPUs and dies, with memory,
 * caches and links, in the text of amdkfd. Documentation/hive.rst, "Topology for
 * user space".
 */
#ifndef _VGPU_TOPOLOGY_H_
#define _VGPU_TOPOLOGY_H_

#include <linux/list.h>
#include <linux/types.h>

struct drm_printer;
struct vgpu_device;

/**
 * struct vgpu_topology_die - a die's place in the topology
 * @list: in the order they came
 * @gpu_id: what programs call it
 * @simd_id_base: number of its first compute unit, in the whole machine
 * @unique_id: serial number, 0: none
 *
 * Written by vgpu_topology_add() and vgpu_topology_remove() under the topology's
 * lock.
 */
struct vgpu_topology_die {
	struct list_head list;
	u32 gpu_id;
	u32 simd_id_base;
	u64 unique_id;
};

/* The files of the topology. Those of a node come after VGPU_TOPOLOGY_SYSTEM. */
enum vgpu_topology_file {
	VGPU_TOPOLOGY_GENERATION,
	VGPU_TOPOLOGY_SYSTEM,
	VGPU_TOPOLOGY_GPU_ID,
	VGPU_TOPOLOGY_NAME,
	VGPU_TOPOLOGY_NODE,
	VGPU_TOPOLOGY_MEM_BANK,		/* from here on there are several in a node */
	VGPU_TOPOLOGY_CACHE,
	VGPU_TOPOLOGY_IO_LINK,
	VGPU_TOPOLOGY_P2P_LINK,
	VGPU_TOPOLOGY_NUM_FILES
};

int vgpu_topology_show(enum vgpu_topology_file file, unsigned int node, unsigned int index,
		       struct drm_printer *p);
int vgpu_topology_count(unsigned int node, enum vgpu_topology_file file);

/* Runs @func with the die of @gpu_id, which stays as long; -EINVAL: there is none. */
int vgpu_topology_with_die(u32 gpu_id, int (*func)(struct vgpu_device *vdev, void *arg),
			   void *arg);
/* In the order they came, @func may be NULL. Return: how many there are. */
typedef void (*vgpu_topology_die_func)(struct vgpu_device *vdev, void *arg);
unsigned int vgpu_topology_with_dies(vgpu_topology_die_func func, void *arg);

void vgpu_topology_add(struct vgpu_device *vdev);
void vgpu_topology_remove(struct vgpu_device *vdev);
/* A way between dies has changed. Any context. */
void vgpu_topology_changed(void);
void vgpu_topology_module_init(void);
void vgpu_topology_module_exit(void);

/* vgpu_topology_tree.c: the files, in debugfs. One change at a time. */
void vgpu_topology_tree_init(void);
void vgpu_topology_tree_sync(void);
void vgpu_topology_tree_fini(void);

#endif
