// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The files of the topology, laid out as below /sys/class/kfd/kfd/topology, in
 * debugfs. Documentation/hive.rst, "Topology for user space".
 *
 * A file knows the number of its node and its own, and nothing of a die: so it can
 * outlive one, and a change of the topology is no more than files that are added or
 * removed at the end of each directory.
 */
#include <linux/debugfs.h>
#include <linux/list.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <drm/drm_print.h>

#include "vgpu_topology.h"

#define TREE_NUM_DIRS	(VGPU_TOPOLOGY_NUM_FILES - VGPU_TOPOLOGY_MEM_BANK)

static const char *const tree_dir_names[TREE_NUM_DIRS] = {
	"mem_banks", "caches", "io_links", "p2p_links",
};

/**
 * struct tree_node - the directory of a node
 * @list: in the order of their numbers
 * @dir: its own
 * @dirs: of those things that there are several of
 * @num: how many have a directory there
 */
struct tree_node {
	struct list_head list;
	struct dentry *dir;
	struct dentry *dirs[TREE_NUM_DIRS];
	unsigned int num[TREE_NUM_DIRS];
};

/* Who makes a change holds the lock for it; see vgpu_topology.c. */
static struct dentry *tree_root, *tree_nodes_dir;
static LIST_HEAD(tree_nodes);
static unsigned int tree_num_nodes;

/* Which file it is, of which node, and which one of several: 4, 12 and 16 bits */
static void *tree_key(enum vgpu_topology_file file, unsigned long node, unsigned long index)
{
	return (void *)(file | node << 4 | index << 16);
}

static int tree_file_show(struct seq_file *m, void *unused)
{
	unsigned long key = (unsigned long)m->private;
	struct drm_printer p = drm_seq_file_printer(m);

	return vgpu_topology_show(key & 0xf, key >> 4 & 0xfff, key >> 16, &p);
}
DEFINE_SHOW_ATTRIBUTE(tree_file);

static void tree_add_file(const char *name, struct dentry *dir, enum vgpu_topology_file file,
			  unsigned int node, unsigned int index)
{
	debugfs_create_file(name, 0444, dir, tree_key(file, node, index), &tree_file_fops);
}

/* "io_links/2/properties" and the like: as many as there are */
static void tree_resize(struct tree_node *entry, unsigned int node, unsigned int dir,
			unsigned int want)
{
	char name[16];

	while (entry->num[dir] < want) {
		unsigned int index = entry->num[dir]++;

		snprintf(name, sizeof(name), "%u", index);
		tree_add_file("properties", debugfs_create_dir(name, entry->dirs[dir]),
			      VGPU_TOPOLOGY_MEM_BANK + dir, node, index);
	}
	while (entry->num[dir] > want) {
		snprintf(name, sizeof(name), "%u", --entry->num[dir]);
		debugfs_lookup_and_remove(name, entry->dirs[dir]);
	}
}

static struct tree_node *tree_add_node(void)
{
	struct tree_node *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	unsigned int i, node = tree_num_nodes;
	char name[16];

	if (!entry)
		return NULL;
	snprintf(name, sizeof(name), "%u", node);
	entry->dir = debugfs_create_dir(name, tree_nodes_dir);
	for (i = 0; i < TREE_NUM_DIRS; i++)
		entry->dirs[i] = debugfs_create_dir(tree_dir_names[i], entry->dir);
	/* amdkfd's is empty, too, where there is no IOMMU of AMD. */
	debugfs_create_dir("perf", entry->dir);
	tree_add_file("gpu_id", entry->dir, VGPU_TOPOLOGY_GPU_ID, node, 0);
	tree_add_file("name", entry->dir, VGPU_TOPOLOGY_NAME, node, 0);
	tree_add_file("properties", entry->dir, VGPU_TOPOLOGY_NODE, node, 0);
	list_add_tail(&entry->list, &tree_nodes);
	tree_num_nodes++;
	return entry;
}

static void tree_remove_node(struct tree_node *entry)
{
	list_del(&entry->list);
	debugfs_remove(entry->dir);
	kfree(entry);
	tree_num_nodes--;
}

/**
 * vgpu_topology_tree_sync() - as many files as there is to read
 *
 * One at a time. Waits for readers of files that go. May sleep.
 */
void vgpu_topology_tree_sync(void)
{
	struct tree_node *entry = list_first_entry(&tree_nodes, struct tree_node, list);
	unsigned int i, node = 0;

	for (;; node++, entry = list_next_entry(entry, list)) {
		if (vgpu_topology_count(node, VGPU_TOPOLOGY_MEM_BANK) < 0)
			break;
		if (list_entry_is_head(entry, &tree_nodes, list))
			entry = tree_add_node();
		if (!entry) {
			pr_err("vgpu: no memory for node %u of the topology\n", node);
			return;
		}
		for (i = 0; i < TREE_NUM_DIRS; i++)
			tree_resize(entry, node, i,
				    vgpu_topology_count(node, VGPU_TOPOLOGY_MEM_BANK + i));
	}
	while (tree_num_nodes > node)
		tree_remove_node(list_last_entry(&tree_nodes, struct tree_node, list));
}

void __init vgpu_topology_tree_init(void)
{
	tree_root = debugfs_create_dir("vgpu_topology", NULL);
	tree_add_file("generation_id", tree_root, VGPU_TOPOLOGY_GENERATION, 0, 0);
	tree_add_file("system_properties", tree_root, VGPU_TOPOLOGY_SYSTEM, 0, 0);
	tree_nodes_dir = debugfs_create_dir("nodes", tree_root);
}

void vgpu_topology_tree_fini(void)
{
	struct tree_node *entry, *next;

	debugfs_remove(tree_root);
	list_for_each_entry_safe(entry, next, &tree_nodes, list)
		kfree(entry);
}
