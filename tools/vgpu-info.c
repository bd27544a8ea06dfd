// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * vgpu-info: the dies of this machine, their blocks, rings and memory; with --hive
 * the hives they form. Documentation/tools.rst.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vgpu-info.h"

static const struct {
	unsigned int ip;
	const char *name;
} ips[] = {
	{ AMDGPU_HW_IP_GFX, "gfx" },
	{ AMDGPU_HW_IP_COMPUTE, "compute" },
	{ AMDGPU_HW_IP_DMA, "sdma" },
};

#define NUM_IPS	(sizeof(ips) / sizeof((ips)[0]))

static void show_size(const char *name, uint64_t used, uint64_t size)
{
	printf("  %-16s %8.1f MiB, %.1f MiB used\n", name, size / 1048576.0, used / 1048576.0);
}

static void show_memory(struct die *die)
{
	struct drm_amdgpu_memory_info mem;

	if (amdgpu_query_info(die->dev, AMDGPU_INFO_MEMORY, sizeof(mem), &mem)) {
		printf("  memory: not told\n");
		return;
	}
	show_size("vram", mem.vram.heap_usage, mem.vram.total_heap_size);
	show_size("vram (CPU sees)", mem.cpu_accessible_vram.heap_usage,
		  mem.cpu_accessible_vram.total_heap_size);
	show_size("gtt", mem.gtt.heap_usage, mem.gtt.total_heap_size);
}

static void show_rings(struct die *die)
{
	struct drm_amdgpu_info_hw_ip info;
	unsigned int i, ring, total = 0;

	for (i = 0; i < NUM_IPS; i++) {
		if (amdgpu_query_hw_ip_info(die->dev, ips[i].ip, 0, &info) ||
		    !info.available_rings)
			continue;
		printf("  %-16s version %u.%u, rings", ips[i].name, info.hw_ip_version_major,
		       info.hw_ip_version_minor);
		for (ring = 0; ring < 32; ring++) {
			if (info.available_rings & 1u << ring) {
				printf(" %u", ring);
				total++;
			}
		}
		printf(", IB start aligned to %u, size to %u\n", info.ib_start_alignment,
		       info.ib_size_alignment);
	}
	if (!total)
		printf("  no ring works; the kernel log says why\n");
}

const char *attribute(const struct die *die, const char *name)
{
	static char line[256];
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", die->pci, name);
	f = fopen(path, "r");
	if (!f)
		return NULL;
	if (!fgets(line, sizeof(line), f))
		line[0] = 0;
	fclose(f);
	line[strcspn(line, "\n")] = 0;
	return line;
}

/* The blocks that discovery lists, as the driver shows them. */
static void show_blocks(struct die *die)
{
	FILE *f = die_debugfs(die, "vgpu_blocks", "r");
	char line[256];

	if (!f) {
		printf("  %-16s %s\n", "blocks",
		       geteuid() ? "only root may see them" : "not shown: no debugfs");
		return;
	}
	printf("  blocks\n");
	while (fgets(line, sizeof(line), f))
		printf("    %s", line);
	fclose(f);
}

static void show_die(unsigned int index, struct die *die)
{
	const char *node;

	printf("die %u: %s, %s\n", index, die->pci, die->path);
	printf("  %-16s gfx9, family %u, revision 0x%x, %u CUs in %u shader engines\n", "asic",
	       die->info.family_id, die->info.chip_external_rev, die->info.cu_active_number,
	       die->info.num_shader_engines);
	node = attribute(die, "xgmi_physical_id");
	if (node)
		printf("  %-16s node %s\n", "hive", node);
	else
		printf("  %-16s none\n", "hive");
	show_memory(die);
	show_rings(die);
	show_blocks(die);
}

int main(int argc, char **argv)
{
	bool hive = argc == 2 && !strcmp(argv[1], "--hive");
	unsigned int i, n = 0, broken = 0;
	static struct die dies[DIE_MAX];
	int ret;

	if (argc > 1 && !hive) {
		FILE *f = strcmp(argv[1], "-h") ? stderr : stdout;

		fputs("usage: vgpu-info [--hive]    (every die, or the hives they form)\n", f);
		return f == stderr ? 2 : 0;
	}
	for (i = 0; i < DIE_MAX; i++) {
		ret = die_open(i, &dies[n]);
		if (ret == -ENOENT)
			break;
		if (ret) {
			printf("die %u: cannot be opened: %s\n", i, strerror(-ret));
			broken++;
			continue;
		}
		if (!hive)
			show_die(i, &dies[n]);
		die_close(&dies[n]);
		n++;
	}
	if (!n && !broken)
		fprintf(stderr, "vgpu-info: no die found; is the driver loaded?\n");
	if (hive && !show_hives(dies, n))
		broken++;
	return n && !broken ? 0 : 1;
}
