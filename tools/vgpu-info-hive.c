// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * vgpu-info --hive: each hive with its nodes, the links between them, and how far
 * it is from each to each. Documentation/tools.rst, "vgpu-info".
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vgpu-info.h"

#define MAX_LINKS	(DIE_MAX * (DIE_MAX - 1) / 2)

struct link {
	unsigned int end[2];		/* nodes */
	unsigned int width;
	bool up;
	uint64_t bytes[2];		/* away from end 0, and back */
};

/* A die of a hive, and what its driver knows of the others. */
struct node {
	const struct die *die;
	uint64_t hive;
	unsigned int number;
	unsigned int hops[DIE_MAX];	/* by the node's number; 0: itself, or no way known */
	uint64_t segment_mib;		/* 0: what debugfs says is not known */
	unsigned int num_links;
	struct link links[MAX_LINKS];
};

static bool number_of(const struct die *die, const char *name, uint64_t *value)
{
	const char *text = attribute(die, name);

	return text && sscanf(text, "%" SCNu64, value) == 1;
}

/* One line of the driver's file; Documentation/hive.rst, "The hive in the driver". */
static void parse_line(struct node *node, const char *line)
{
	struct link link;
	unsigned int to, hops;
	char state[8];

	if (sscanf(line, "hive %*[^,], %*u members, segments of %" SCNu64, &node->segment_mib) == 1)
		return;
	if (sscanf(line, "node %u: %*[^,], id %*[^,], VRAM at %*[^,], hops %u", &to, &hops) == 2) {
		if (to < DIE_MAX)
			node->hops[to] = hops;
		return;
	}
	if (sscanf(line, "link %u-%u: width %u, %7[a-z], bytes %" SCNu64 ", back %" SCNu64,
		   &link.end[0], &link.end[1], &link.width, state, &link.bytes[0],
		   &link.bytes[1]) == 6 && node->num_links < MAX_LINKS) {
		link.up = !strcmp(state, "up");
		node->links[node->num_links++] = link;
	}
}

/* Return: is the die in a hive? */
static bool read_node(const struct die *die, struct node *node)
{
	char line[256];
	uint64_t number;
	FILE *f;

	memset(node, 0, sizeof(*node));
	node->die = die;
	if (!number_of(die, "xgmi_hive_info/xgmi_hive_id", &node->hive) ||
	    !number_of(die, "xgmi_physical_id", &number) || number >= DIE_MAX)
		return false;
	node->number = number;
	f = die_debugfs(die, "vgpu_hive", "r");
	if (!f)
		return true;
	while (fgets(line, sizeof(line), f))
		parse_line(node, line);
	fclose(f);
	return true;
}

/* Those of a hive next to each other, by their place in it. */
static int by_place(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	if (x->hive != y->hive)
		return x->hive < y->hive ? -1 : 1;
	return (int)x->number - (int)y->number;
}

static bool is_member(const struct node *nodes, unsigned int num, unsigned int number)
{
	unsigned int i;

	for (i = 0; i < num; i++) {
		if (nodes[i].number == number)
			return true;
	}
	return false;
}

static void show_nodes(const struct node *nodes, unsigned int num)
{
	uint64_t used = 0, size = 0;
	unsigned int i;

	for (i = 0; i < num; i++) {
		const struct node *node = &nodes[i];

		printf("  node %-2u  %s", node->number, node->die->pci);
		if (node->segment_mib)
			printf("  segment 0x%" PRIx64 " + %" PRIu64 " MiB",
			       node->number * (node->segment_mib << 20), node->segment_mib);
		if (number_of(node->die, "mem_info_vram_used", &used) &&
		    number_of(node->die, "mem_info_vram_total", &size))
			printf("  VRAM %.1f of %.1f MiB used", used / 1048576.0, size / 1048576.0);
		printf("\n");
	}
}

/* All members see the same links; those to places without a die are left out. */
static void show_links(const struct node *nodes, unsigned int num)
{
	unsigned int i;

	printf("  links\n");
	for (i = 0; i < nodes->num_links; i++) {
		const struct link *link = &nodes->links[i];

		if (!is_member(nodes, num, link->end[0]) || !is_member(nodes, num, link->end[1]))
			continue;
		printf("    %2u %s %-2u  width %u, %s, %" PRIu64 " bytes to %u, %" PRIu64
		       " to %u\n", link->end[0], link->up ? "=====" : "--x--", link->end[1],
		       link->width, link->up ? "up" : "down", link->bytes[0], link->end[1],
		       link->bytes[1], link->end[0]);
	}
}

static void show_hops(const struct node *nodes, unsigned int num)
{
	unsigned int i, j;

	printf("  hops");
	for (i = 0; i < num; i++)
		printf(" %3u", nodes[i].number);
	printf("\n");
	for (i = 0; i < num; i++) {
		printf("  %4u", nodes[i].number);
		for (j = 0; j < num; j++) {
			unsigned int hops = nodes[i].hops[nodes[j].number];

			if (hops || i == j)
				printf(" %3u", hops);
			else
				printf("   -");
		}
		printf("\n");
	}
}

static bool show_hive(const struct node *nodes, unsigned int num)
{
	unsigned int i;

	printf("hive %#" PRIx64 ": %u %s\n", nodes->hive, num, num == 1 ? "node" : "nodes");
	show_nodes(nodes, num);
	for (i = 0; i < num; i++) {
		if (!nodes[i].segment_mib) {
			printf("  segments, links and hops: %s\n",
			       geteuid() ? "only root may see them" : "not shown: no debugfs");
			return false;
		}
	}
	show_links(nodes, num);
	show_hops(nodes, num);
	return true;
}

bool show_hives(const struct die *dies, unsigned int num)
{
	static struct node nodes[DIE_MAX];
	unsigned int i, end, n = 0;
	bool whole = true;

	for (i = 0; i < num; i++) {
		if (read_node(&dies[i], &nodes[n]))
			n++;
		else
			printf("%s: in no hive\n", dies[i].pci);
	}
	qsort(nodes, n, sizeof(nodes[0]), by_place);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && nodes[end].hive == nodes[i].hive;)
			end++;
		if (!show_hive(&nodes[i], end - i))
			whole = false;
	}
	return whole;
}
