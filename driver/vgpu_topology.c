// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Topology for user space: which nodes there are, CPUs and dies, what each has and
 * how far it is from one to the other, in the words of amdkfd's kfd_topology.c.
 * Documentation/hive.rst, "Topology for user space".
 *
 * Nothing but the list of dies is kept: a text is made when it is read, of what
 * discovery, the registers and the hive say then.
 */
#include <linux/acpi.h>
#include <linux/bitmap.h>
#include <linux/cpufreq.h>
#include <linux/crc16.h>
#include <linux/dmi.h>
#include <linux/kfd_sysfs.h>
#include <linux/log2.h>
#include <linux/mmzone.h>
#include <linux/nodemask.h>
#include <linux/pci.h>
#include <linux/rwsem.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include <hw/pci.h>
#include <hw/ta_ras.h>

#include "vgpu.h"

/* How amdkfd weighs a way: one link between dies, and the way to the CPU. */
#define TOPOLOGY_XGMI_WEIGHT	15
#define TOPOLOGY_PCIE_WEIGHT	20

/* An xGMI link is 16 lanes of 25 Gbit/s. */
#define TOPOLOGY_XGMI_MBYTES	(16 * 25000 / 8)

/* "gfx90a", as kfd_device.c writes it for GC 9.4.2 */
#define TOPOLOGY_GFX_VERSION	90010
#define TOPOLOGY_NAME		"aldebaran"
#define TOPOLOGY_WATCH_POINTS	4
/* Bits of an address that a watch point's mask covers, from kfd_topology.h: 6 to 29 */
#define TOPOLOGY_WATCH_MASK	(6 | 29 << HSA_DBG_WATCH_ADDR_MASK_HI_BIT_SHIFT)

/*
 * Queues for user space: MEC 1 has four pipes of eight, the kernel's rings take
 * eight of them; an SDMA engine has eight. Two engines are for the CPU's memory,
 * the rest for peers.
 */
#define TOPOLOGY_CP_QUEUES	(4 * 8 - 8)
#define TOPOLOGY_SDMA_QUEUES	8
#define TOPOLOGY_PCIE_ENGINES	2U

/* What a preempted wave leaves in memory, from kfd_queue.c: bytes a compute unit, or a wave. */
#define TOPOLOGY_SAVE_CU	(0x80000 + 0x4000 + 0x10000 + 0x1000)
#define TOPOLOGY_SAVE_HEADER	40
#define TOPOLOGY_SAVE_WAVE	8
#define TOPOLOGY_WAVES_CU	40
#define TOPOLOGY_WAVES_SE	512

/* Numbers of compute units begin behind what firmware could have given out. */
#define TOPOLOGY_FIRST_CU	0x80001000

/* Of MI250X, from aldebaran_cache_info of kfd_crat.c; sizes in KiB. */
static const struct {
	u32 level, size, line_size;
	u32 num_cu;		/* that share one; 0: all of the die */
	u32 type;
} topology_caches[] = {
	{ 1, 16, 64, 1, HSA_CACHE_TYPE_DATA | HSA_CACHE_TYPE_HSACU },
	{ 1, 32, 64, 2, HSA_CACHE_TYPE_INSTRUCTION | HSA_CACHE_TYPE_HSACU },
	{ 1, 16, 64, 2, HSA_CACHE_TYPE_DATA | HSA_CACHE_TYPE_HSACU },
	{ 2, 8192, 128, 0, HSA_CACHE_TYPE_DATA | HSA_CACHE_TYPE_HSACU },
};

/*
 * Two locks: topology_change is held for a change as a whole, until the files are
 * as many as they have to be, and topology_lock, inside it, guards the list. Who
 * reads a file takes only the second, so that a file can be removed under the
 * first; who reads the generation takes the first, and so never gets the number of
 * a topology that is half changed. A hive's lock is taken inside both.
 */
static DEFINE_MUTEX(topology_change);
static DECLARE_RWSEM(topology_lock);
static LIST_HEAD(topology_dies);		/* topology_lock */
static u32 topology_next_cu = TOPOLOGY_FIRST_CU;	/* topology_change */
static u32 topology_generation;			/* topology_change */
static nodemask_t topology_cpus;		/* that have CPUs; set at load */

/* What a line says; all numbers are unsigned and decimal. */
struct topology_row {
	const char *name;
	u64 value;
};

static void topology_print(struct drm_printer *p, const struct topology_row *rows, size_t num)
{
	size_t i;

	for (i = 0; i < num; i++)
		drm_printf(p, "%s %llu\n", rows[i].name, rows[i].value);
}

/* ---------------------------------------------------------------- nodes */

static unsigned int topology_num_cpus(void)
{
	return nodes_weight(topology_cpus);
}

/* NUMA node behind a node number: those of the CPUs come first. */
static int topology_nid(unsigned int node)
{
	int nid;

	for_each_node_mask(nid, topology_cpus) {
		if (!node--)
			break;
	}
	return nid;
}

/* The node of a NUMA node; the first one for a device that says nothing of it. */
static unsigned int topology_home(struct vgpu_device *vdev)
{
	int nid, home = dev_to_node(&vdev->pdev->dev);
	unsigned int node = 0;

	for_each_node_mask(nid, topology_cpus) {
		if (nid == home)
			return node;
		node++;
	}
	return 0;
}

/* NULL: it is one of CPUs, or there is no such node. */
static struct vgpu_device *topology_die(unsigned int node)
{
	unsigned int n = topology_num_cpus();
	struct vgpu_device *vdev;

	list_for_each_entry(vdev, &topology_dies, topology.list) {
		if (n++ == node)
			return vdev;
	}
	return NULL;
}

static unsigned int topology_num_nodes(void)
{
	return topology_num_cpus() + list_count_nodes(&topology_dies);
}

/* The CPU sees all of its memory. */
static bool topology_large_bar(struct vgpu_device *vdev)
{
	return vdev->gmc.visible_vram_size >= vdev->gmc.vram_size;
}

static unsigned int topology_pcie_engines(struct vgpu_device *vdev)
{
	return min(vdev->info.num_sdma, TOPOLOGY_PCIE_ENGINES);
}

/* --------------------------------------------------------------- memory */

static u64 topology_node_memory(int nid)
{
	unsigned long pages = 0;
	int zone;

	for (zone = 0; zone < MAX_NR_ZONES; zone++)
		pages += zone_managed_pages(&NODE_DATA(nid)->node_zones[zone]);
	return (u64)pages << PAGE_SHIFT;
}

struct topology_memory {
	u64 size;			/* bytes */
	u32 width, clock;		/* bits, MHz; 0: firmware does not know */
};

/* A memory device of SMBIOS: data width at 0xa, speed at 0x15. */
static void topology_read_dimm(const struct dmi_header *dm, void *data)
{
	const u8 *raw = (const u8 *)dm;
	struct topology_memory *memory = data;
	u16 width, clock;

	if (dm->type != DMI_ENTRY_MEM_DEVICE || dm->length < 0x17)
		return;
	width = raw[0xa] | raw[0xb] << 8;
	clock = raw[0x15] | raw[0x16] << 8;
	if (width && width != 0xffff)
		memory->width = width;
	if (clock)
		memory->clock = clock;
}

static void topology_show_mem_bank(unsigned int node, struct drm_printer *p)
{
	struct vgpu_device *vdev = topology_die(node);
	u32 heap = HSA_MEM_HEAP_TYPE_SYSTEM;
	struct topology_memory memory = {};

	if (vdev) {
		heap = topology_large_bar(vdev) ? HSA_MEM_HEAP_TYPE_FB_PUBLIC :
						  HSA_MEM_HEAP_TYPE_FB_PRIVATE;
		memory.size = vdev->gmc.vram_size;
		memory.width = VGPU_VRAM_WIDTH;
		memory.clock = VGPU_MEMORY_CLOCK_KHZ / 1000;
	} else {
		memory.size = topology_node_memory(topology_nid(node));
		/* Firmware does not say which memory is whose; amdkfd gives it to the first. */
		if (!node)
			dmi_walk(topology_read_dimm, &memory);
	}

	const struct topology_row rows[] = {
		{ "heap_type", heap },
		{ "size_in_bytes", memory.size },
		{ "flags", 0 },
		{ "width", memory.width },
		{ "mem_clk_max", memory.clock },
	};

	topology_print(p, rows, ARRAY_SIZE(rows));
}

/* --------------------------------------------------------------- caches */

/**
 * struct topology_cache - a cache of a die
 * @kind: in topology_caches
 * @first_cu: number of the first active compute unit that uses it, in the die
 * @siblings: those that use it, from that one on
 */
struct topology_cache {
	unsigned int kind;
	u32 first_cu;
	u32 siblings;
};

/* Units that are not switched off in an array, counted through the engines */
static u32 topology_active_cus(struct vgpu_device *vdev, u32 array)
{
	u32 num_sh = vdev->info.num_sh_per_se;

	return vgpu_info_active_cus(vdev, array / num_sh, array % num_sh);
}

/*
 * Finds the cache with number @want, in amdkfd's order: kind by kind, for those of
 * a kind by engine, array and unit; no cache for units that are switched off.
 * Return: the number of caches, when there are not so many; @want else.
 */
static unsigned int topology_find_cache(struct vgpu_device *vdev, unsigned int want,
					struct topology_cache *cache)
{
	u32 num_cu = vdev->info.num_cu_per_sh;
	u32 num = vdev->info.num_se * vdev->info.num_sh_per_se * num_cu;
	unsigned int n = 0;
	u32 kind, cu;

	for (kind = 0; kind < ARRAY_SIZE(topology_caches); kind++) {
		u32 share = topology_caches[kind].num_cu ?: num_cu;
		u32 end = topology_caches[kind].num_cu ? num : 1;

		/* A group does not reach beyond its array. */
		for (cu = 0; cu < end; cu += min(share, num_cu - cu % num_cu)) {
			u32 mask = topology_active_cus(vdev, cu / num_cu) >> cu % num_cu &
				   GENMASK(share - 1, 0);

			if (!mask)
				continue;
			if (n++ == want) {
				cache->kind = kind;
				cache->first_cu = cu + __ffs(mask);
				cache->siblings = mask >> __ffs(mask);
				return want;
			}
		}
	}
	return n;
}

static unsigned int topology_num_caches(struct vgpu_device *vdev)
{
	struct topology_cache cache;

	return topology_find_cache(vdev, UINT_MAX, &cache);
}

/* A digit a compute unit, the lowest first */
static void topology_print_siblings(struct drm_printer *p, u32 mask, bool last)
{
	unsigned int bit;

	for (bit = 0; bit < 32; bit++)
		drm_printf(p, "%u%c", mask >> bit & 1, last && bit == 31 ? '\n' : ',');
}

static int topology_show_cache(unsigned int node, unsigned int index, struct drm_printer *p)
{
	struct vgpu_device *vdev = topology_die(node);
	struct topology_cache cache;
	u32 i, num = 1;

	if (!vdev || topology_find_cache(vdev, index, &cache) != index)
		return -ENODEV;

	const struct topology_row rows[] = {
		{ "processor_id_low", vdev->topology.simd_id_base + cache.first_cu },
		{ "level", topology_caches[cache.kind].level },
		{ "size", topology_caches[cache.kind].size },
		{ "cache_line_size", topology_caches[cache.kind].line_size },
		{ "cache_lines_per_tag", 0 },
		{ "association", 0 },
		{ "latency", 0 },
		{ "type", topology_caches[cache.kind].type },
	};

	topology_print(p, rows, ARRAY_SIZE(rows));
	/* What all share has 32 digits for each array. */
	if (!topology_caches[cache.kind].num_cu)
		num = vdev->info.num_se * vdev->info.num_sh_per_se;
	drm_puts(p, "sibling_map ");
	topology_print_siblings(p, cache.siblings, num == 1);
	for (i = 1; i < num; i++)
		topology_print_siblings(p, topology_active_cus(vdev, i), i == num - 1);
	return 0;
}

/* ---------------------------------------------------------------- links */

/**
 * struct topology_link - one direction of a way between two nodes
 * @type: HSA_IOLINK_TYPE_*
 * @weight: the longer, the more
 * @min_bandwidth: MB/s; 0: not known
 * @max_bandwidth: of all links in parallel
 * @engines: SDMA engines that are best at it
 * @flags: HSA_IOLINK_FLAGS_*
 */
struct topology_link {
	u32 type, weight, min_bandwidth, max_bandwidth, engines, flags;
};

static u32 topology_pcie_mbytes(enum pci_bus_speed speed, u32 lanes)
{
	static const u32 mbits[] = {
		[PCIE_SPEED_2_5GT] = 2500,
		[PCIE_SPEED_5_0GT] = 5000,
		[PCIE_SPEED_8_0GT] = 8000,
		[PCIE_SPEED_16_0GT] = 16000,
		[PCIE_SPEED_32_0GT] = 32000,
	};

	return speed < ARRAY_SIZE(mbits) ? lanes * mbits[speed] / 8 : 0;
}

/* Can the function, or the port that it reaches memory through, do atomics? */
static u32 topology_pcie_atomics(struct vgpu_device *vdev, bool from_die)
{
	const u32 none = HSA_IOLINK_FLAGS_NO_ATOMICS_32_BIT | HSA_IOLINK_FLAGS_NO_ATOMICS_64_BIT;
	u32 cap = 0;
	u16 ctl = 0;

	if (from_die) {
		pcie_capability_read_word(vdev->pdev, PCI_EXP_DEVCTL2, &ctl);
		return ctl & PCI_EXP_DEVCTL2_ATOMIC_REQ ? 0 : none;
	}
	pcie_capability_read_dword(vdev->pdev, PCI_EXP_DEVCAP2, &cap);
	return cap & (PCI_EXP_DEVCAP2_ATOMIC_COMP32 | PCI_EXP_DEVCAP2_ATOMIC_COMP64) ? 0 : none;
}

/* The slowest and the fastest that the port above can be trained to. */
static void topology_pcie_link(struct vgpu_device *vdev, bool from_die, struct topology_link *link)
{
	struct pci_dev *port = pci_upstream_bridge(vdev->pdev);

	link->type = HSA_IOLINK_TYPE_PCIEXPRESS;
	link->weight = TOPOLOGY_PCIE_WEIGHT;
	link->min_bandwidth = topology_pcie_mbytes(PCIE_SPEED_2_5GT, 1);
	/* In a root complex there is no link to be trained; amdgpu takes it for this. */
	link->max_bandwidth = port ? topology_pcie_mbytes(pcie_get_speed_cap(port),
							  pcie_get_width_cap(port)) :
				     topology_pcie_mbytes(PCIE_SPEED_8_0GT, 16);
	link->flags = HSA_IOLINK_FLAGS_ENABLED | topology_pcie_atomics(vdev, from_die);
	if (!from_die)
		link->flags |= HSA_IOLINK_FLAGS_NON_COHERENT;
	if (topology_large_bar(vdev))
		link->engines = BIT(topology_pcie_engines(vdev)) - 1;
}

/* Between a die and the CPUs that it is attached to */
static void topology_host_link(struct vgpu_device *vdev, bool from_die, struct topology_link *link)
{
	if (!vdev->gmc.connected_to_cpu) {
		topology_pcie_link(vdev, from_die, link);
		return;
	}
	link->type = HSA_IOLINK_TYPE_XGMI;
	link->weight = TOPOLOGY_XGMI_WEIGHT;
	link->min_bandwidth = TOPOLOGY_XGMI_MBYTES;
	link->max_bandwidth = TOPOLOGY_XGMI_MBYTES;
	link->engines = BIT(topology_pcie_engines(vdev)) - 1;
	link->flags = HSA_IOLINK_FLAGS_ENABLED;
}

static bool topology_xgmi_link(struct vgpu_device *from, struct vgpu_device *to,
			       struct topology_link *link)
{
	unsigned int pcie = topology_pcie_engines(from);
	struct vgpu_xgmi_peer way;

	if (!vgpu_hive_way(from, to, &way))
		return false;
	link->type = HSA_IOLINK_TYPE_XGMI;
	link->weight = way.num_hops * TOPOLOGY_XGMI_WEIGHT;
	/* Firmware counts the links to a neighbour; of others nothing is known. */
	link->max_bandwidth = way.num_links * TOPOLOGY_XGMI_MBYTES;
	link->min_bandwidth = way.num_links ? TOPOLOGY_XGMI_MBYTES : 0;
	link->flags = HSA_IOLINK_FLAGS_ENABLED;
	/* A die with few engines has none to spare for peers. */
	link->engines = from->info.num_sdma > pcie ? GENMASK(from->info.num_sdma - 1, pcie) :
						     BIT(pcie) - 1;
	return true;
}

static void topology_cpu_link(unsigned int from, unsigned int to, struct topology_link *link)
{
	bool amd = IS_ENABLED(CONFIG_X86) && boot_cpu_data.x86_vendor == X86_VENDOR_AMD;

	link->type = amd ? HSA_IOLINK_TYPE_HYPERTRANSPORT : HSA_IOLINK_TYPE_QPI_1_1;
	link->weight = node_distance(topology_nid(from), topology_nid(to));
}

/* A die is linked to its CPUs and its peers; those CPUs to a die whose memory they see. */
static bool topology_io_link(unsigned int from, unsigned int to, struct topology_link *link)
{
	struct vgpu_device *a = topology_die(from), *b = topology_die(to);

	*link = (struct topology_link) {};
	if (from == to)
		return false;
	if (a && b)
		return topology_xgmi_link(a, b, link);
	if (!a && !b) {
		topology_cpu_link(from, to, link);
		return true;
	}
	if (a ? topology_home(a) != to : topology_home(b) != from || !topology_large_bar(b))
		return false;
	topology_host_link(a ?: b, a, link);
	return true;
}

/* By way of other CPUs: what amdkfd calls indirect. Dies that are no peers have no such way. */
static bool topology_p2p_link(unsigned int from, unsigned int to, struct topology_link *link)
{
	struct vgpu_device *a = topology_die(from), *b = topology_die(to);
	unsigned int home;

	*link = (struct topology_link) {};
	if (!a == !b)
		return false;
	home = topology_home(a ?: b);
	if (home == (a ? to : from) || (b && !topology_large_bar(b)))
		return false;
	topology_host_link(a ?: b, a, link);
	link->weight += node_distance(topology_nid(home), topology_nid(a ? to : from));
	/* Of the part between the CPUs neither is known. */
	link->min_bandwidth = 0;
	link->max_bandwidth = 0;
	link->engines = 0;
	return true;
}

typedef bool (*topology_link_func)(unsigned int from, unsigned int to, struct topology_link *link);

/* As topology_find_cache() does; @to is where the link leads. */
static unsigned int topology_find_link(unsigned int node, topology_link_func func,
				       unsigned int want, struct topology_link *link,
				       unsigned int *to)
{
	unsigned int n = 0, num = topology_num_nodes();

	for (*to = 0; *to < num; (*to)++) {
		if (func(node, *to, link) && n++ == want)
			return want;
	}
	return n;
}

static unsigned int topology_num_links(unsigned int node, topology_link_func func)
{
	struct topology_link link;
	unsigned int to;

	return topology_find_link(node, func, UINT_MAX, &link, &to);
}

static int topology_show_link(unsigned int node, topology_link_func func, unsigned int index,
			      struct drm_printer *p)
{
	struct topology_link link;
	unsigned int to;

	if (topology_find_link(node, func, index, &link, &to) != index)
		return -ENODEV;

	const struct topology_row rows[] = {
		{ "type", link.type },
		{ "version_major", 0 },
		{ "version_minor", 0 },
		{ "node_from", node },
		{ "node_to", to },
		{ "weight", link.weight },
		{ "min_latency", 0 },
		{ "max_latency", 0 },
		{ "min_bandwidth", link.min_bandwidth },
		{ "max_bandwidth", link.max_bandwidth },
		{ "recommended_transfer_size", 0 },
		{ "recommended_sdma_engine_id_mask", link.engines },
		{ "flags", link.flags },
	};

	topology_print(p, rows, ARRAY_SIZE(rows));
	return 0;
}

/* ----------------------------------------------------------- properties */

/* The first CPU's number, as its interrupt controller has it. */
static u32 topology_first_core(unsigned int node)
{
	unsigned int cpu = cpumask_first(cpumask_of_node(topology_nid(node)));

#ifdef CONFIG_X86_64
	return cpu_data(cpu).topo.apicid;
#else
	return cpu;
#endif
}

/* Dies that are connected to the CPU and in no hive: each makes one with its CPUs. */
static u64 topology_hive_of_die(struct vgpu_device *vdev)
{
	if (vdev->xgmi.hive)
		return vdev->xgmi.hive->id;
	return vdev->gmc.connected_to_cpu ? pci_dev_id(vdev->pdev) : 0;
}

/* CPUs are in the hive of the last die that is connected to them. */
static u64 topology_hive_of_cpus(unsigned int node)
{
	struct vgpu_device *vdev;

	list_for_each_entry_reverse(vdev, &topology_dies, topology.list) {
		if (vdev->gmc.connected_to_cpu && topology_home(vdev) == node)
			return topology_hive_of_die(vdev);
	}
	return 0;
}

/* There is no firmware in the engines, so nothing that depends on its version. */
static u32 topology_capability(struct vgpu_device *vdev)
{
	u32 ras = vdev->ras.supported;

	return (ras ? HSA_CAP_RASEVENTNOTIFY : 0) |
	       (ras & BIT(TA_RAS_BLOCK__GFX) ? HSA_CAP_SRAM_EDCSUPPORTED : 0) |
	       (ras & BIT(TA_RAS_BLOCK__UMC) ? HSA_CAP_MEM_EDCSUPPORTED : 0) |
	       (vdev->gmc.connected_to_cpu ? HSA_CAP_FLAGS_COHERENTHOSTACCESS : 0) |
	       HSA_CAP_WATCH_POINTS_SUPPORTED |
	       ilog2(TOPOLOGY_WATCH_POINTS) << HSA_CAP_WATCH_POINTS_TOTALBITS_SHIFT |
	       HSA_CAP_DOORBELL_TYPE_2_0 << HSA_CAP_DOORBELL_TYPE_TOTALBITS_SHIFT |
	       HSA_CAP_TRAP_DEBUG_SUPPORT |
	       HSA_CAP_TRAP_DEBUG_WAVE_LAUNCH_TRAP_OVERRIDE_SUPPORTED |
	       HSA_CAP_TRAP_DEBUG_WAVE_LAUNCH_MODE_SUPPORTED |
	       HSA_CAP_TRAP_DEBUG_PRECISE_MEMORY_OPERATIONS_SUPPORTED |
	       (vdev->info.rev_id << HSA_CAP_ASIC_REVISION_SHIFT & HSA_CAP_ASIC_REVISION_MASK);
}

static u32 topology_ctl_stack_size(struct vgpu_device *vdev)
{
	u32 waves = min(vdev->info.num_cu * TOPOLOGY_WAVES_CU,
			vdev->info.num_se * TOPOLOGY_WAVES_SE);

	return PAGE_ALIGN(TOPOLOGY_SAVE_HEADER + waves * TOPOLOGY_SAVE_WAVE + 8);
}

static u32 topology_cwsr_size(struct vgpu_device *vdev)
{
	return topology_ctl_stack_size(vdev) + PAGE_ALIGN(vdev->info.num_cu * TOPOLOGY_SAVE_CU);
}

/* What a node of CPUs has nothing of is 0. */
#define OF_CPU(value)	(vdev ? 0 : (value))
#define OF_DIE(value)	(vdev ? (value) : 0)

static void topology_show_properties(unsigned int node, struct drm_printer *p)
{
	struct vgpu_device *vdev = topology_die(node);
	const struct topology_row rows[] = {
		{ "cpu_cores_count",
		  OF_CPU(cpumask_weight(cpumask_of_node(topology_nid(node)))) },
		{ "simd_count", OF_DIE(vdev->info.num_cu * vdev->info.simd_per_cu) },
		{ "mem_banks_count", 1 },
		{ "caches_count", OF_DIE(topology_num_caches(vdev)) },
		{ "io_links_count", topology_num_links(node, topology_io_link) },
		{ "p2p_links_count", topology_num_links(node, topology_p2p_link) },
		{ "cpu_core_id_base", OF_CPU(topology_first_core(node)) },
		{ "simd_id_base", OF_DIE(vdev->topology.simd_id_base) },
		{ "max_waves_per_simd", OF_DIE(vdev->info.max_waves_per_simd) },
		{ "lds_size_in_kb", OF_DIE(vdev->info.lds_size) },
		{ "gds_size_in_kb", 0 },
		{ "num_gws", 0 },
		{ "wave_front_size", OF_DIE(vdev->info.wave_size) },
		{ "array_count", OF_DIE(vdev->info.num_se * vdev->info.num_sh_per_se) },
		{ "simd_arrays_per_engine", OF_DIE(vdev->info.num_sh_per_se) },
		{ "cu_per_simd_array", OF_DIE(vdev->info.num_cu_per_sh) },
		{ "simd_per_cu", OF_DIE(vdev->info.simd_per_cu) },
		{ "max_slots_scratch_cu", OF_DIE(vdev->info.max_scratch_slots_per_cu) },
		{ "gfx_target_version", OF_DIE(TOPOLOGY_GFX_VERSION) },
		/* Programs look the product up by these, so they are MI250X's in any case. */
		{ "vendor_id", OF_DIE(VGPU_PCI_VENDOR_ID_AMD) },
		{ "device_id", OF_DIE(VGPU_PCI_DEVICE_ID_MI250X) },
		{ "location_id", OF_DIE(pci_dev_id(vdev->pdev)) },
		{ "domain", OF_DIE(pci_domain_nr(vdev->pdev->bus)) },
		{ "drm_render_minor", OF_DIE(vdev->drm.render->index) },
		{ "hive_id", vdev ? topology_hive_of_die(vdev) : topology_hive_of_cpus(node) },
		{ "num_sdma_engines", OF_DIE(topology_pcie_engines(vdev)) },
		{ "num_sdma_xgmi_engines",
		  OF_DIE(vdev->info.num_sdma - topology_pcie_engines(vdev)) },
		{ "num_sdma_queues_per_engine", OF_DIE(TOPOLOGY_SDMA_QUEUES) },
		{ "num_cp_queues", OF_DIE(TOPOLOGY_CP_QUEUES) },
		{ "cwsr_size", OF_DIE(topology_cwsr_size(vdev)) },
		{ "ctl_stack_size", OF_DIE(topology_ctl_stack_size(vdev)) },
	};

	topology_print(p, rows, ARRAY_SIZE(rows));
}

/* Lines that a node of CPUs has not */
static void topology_show_die(struct vgpu_device *vdev, struct drm_printer *p)
{
	const struct topology_row rows[] = {
		{ "max_engine_clk_fcompute", VGPU_ENGINE_CLOCK_KHZ / 1000 },
		{ "local_mem_size", 0 },
		{ "fw_version", 0 },
		{ "capability", topology_capability(vdev) },
		{ "debug_prop", TOPOLOGY_WATCH_MASK },
		{ "sdma_fw_version", 0 },
		{ "unique_id", vdev->topology.unique_id },
		{ "num_xcc", 1 },
	};

	topology_print(p, rows, ARRAY_SIZE(rows));
}

static void topology_show_node(unsigned int node, struct drm_printer *p)
{
	struct vgpu_device *vdev = topology_die(node);

	topology_show_properties(node, p);
	if (vdev)
		topology_show_die(vdev, p);
	drm_printf(p, "max_engine_clk_ccompute %u\n", cpufreq_quick_get_max(0) / 1000);
}

/* Who made the machine, from the head of a table of its firmware */
static void topology_show_system(struct drm_printer *p)
{
	u64 oem = 0, id = 0, revision = 0;
#ifdef CONFIG_ACPI
	struct acpi_table_header *dsdt;

	if (ACPI_SUCCESS(acpi_get_table(ACPI_SIG_DSDT, 0, &dsdt))) {
		memcpy(&oem, dsdt->oem_table_id, sizeof(dsdt->oem_table_id));
		memcpy(&id, dsdt->oem_id, sizeof(dsdt->oem_id));
		revision = dsdt->revision;
		acpi_put_table(dsdt);
	}
#endif
	const struct topology_row rows[] = {
		{ "platform_oem", oem },
		{ "platform_id", id },
		{ "platform_rev", revision },
	};

	topology_print(p, rows, ARRAY_SIZE(rows));
}

/* Under topology_lock; the node exists. */
static int topology_show_of_node(enum vgpu_topology_file file, unsigned int node,
				 unsigned int index, struct drm_printer *p)
{
	struct vgpu_device *vdev = topology_die(node);

	switch (file) {
	case VGPU_TOPOLOGY_GPU_ID:
		drm_printf(p, "%u\n", vdev ? vdev->topology.gpu_id : 0);
		return 0;
	case VGPU_TOPOLOGY_NAME:
		drm_printf(p, "%s\n", vdev ? TOPOLOGY_NAME : "");
		return 0;
	case VGPU_TOPOLOGY_NODE:
		topology_show_node(node, p);
		return 0;
	case VGPU_TOPOLOGY_MEM_BANK:
		topology_show_mem_bank(node, p);
		return 0;
	case VGPU_TOPOLOGY_CACHE:
		return topology_show_cache(node, index, p);
	case VGPU_TOPOLOGY_IO_LINK:
		return topology_show_link(node, topology_io_link, index, p);
	case VGPU_TOPOLOGY_P2P_LINK:
		return topology_show_link(node, topology_p2p_link, index, p);
	default:
		return -EINVAL;
	}
}

static void topology_sync(struct work_struct *unused);
static DECLARE_WORK(topology_work, topology_sync);

/**
 * vgpu_topology_show() - the text of a file of the topology
 * @file: which
 * @node: of this node, where it is one of a node
 * @index: and this one of them, where a node has several
 * @p: where to print
 *
 * A node's number may by now be that of another: who reads several files reads the
 * generation before and after. Waits for a reset of a hive; may sleep.
 * Return: 0, -ENODEV: there is no such thing any more.
 */
int vgpu_topology_show(enum vgpu_topology_file file, unsigned int node, unsigned int index,
		       struct drm_printer *p)
{
	int ret = -ENODEV;

	switch (file) {
	case VGPU_TOPOLOGY_GENERATION:
		flush_work(&topology_work);
		mutex_lock(&topology_change);
		drm_printf(p, "%u\n", topology_generation);
		mutex_unlock(&topology_change);
		return 0;
	case VGPU_TOPOLOGY_SYSTEM:
		topology_show_system(p);
		return 0;
	default:
		down_read(&topology_lock);
		if (node < topology_num_nodes())
			ret = topology_show_of_node(file, node, index, p);
		up_read(&topology_lock);
		return ret;
	}
}

/**
 * vgpu_topology_count() - how many of a kind a node has
 * @node: the node
 * @file: VGPU_TOPOLOGY_MEM_BANK or a later one
 *
 * Waits for a reset of a hive; may sleep.
 * Return: the number, -ENODEV: there is no such node.
 */
int vgpu_topology_count(unsigned int node, enum vgpu_topology_file file)
{
	struct vgpu_device *vdev;
	int ret = -ENODEV;

	down_read(&topology_lock);
	vdev = topology_die(node);
	if (node >= topology_num_nodes())
		goto out;
	switch (file) {
	case VGPU_TOPOLOGY_CACHE:
		ret = vdev ? topology_num_caches(vdev) : 0;
		break;
	case VGPU_TOPOLOGY_IO_LINK:
		ret = topology_num_links(node, topology_io_link);
		break;
	case VGPU_TOPOLOGY_P2P_LINK:
		ret = topology_num_links(node, topology_p2p_link);
		break;
	default:
		ret = 1;
		break;
	}
out:
	up_read(&topology_lock);
	return ret;
}

/* Under topology_lock. NULL: there is none. */
static struct vgpu_device *topology_find(u32 gpu_id)
{
	struct vgpu_device *vdev;

	list_for_each_entry(vdev, &topology_dies, topology.list) {
		if (vdev->topology.gpu_id == gpu_id)
			return vdev;
	}
	return NULL;
}

/**
 * vgpu_topology_with_die() - do something with the die that programs mean
 * @gpu_id: what they call it
 * @func: what to do; the die stays as long
 * @arg: for @func
 *
 * May sleep. Return: what @func returns, -EINVAL: there is no such die.
 */
int vgpu_topology_with_die(u32 gpu_id, int (*func)(struct vgpu_device *vdev, void *arg),
			   void *arg)
{
	struct vgpu_device *vdev;
	int ret;

	down_read(&topology_lock);
	vdev = topology_find(gpu_id);
	ret = vdev ? func(vdev, arg) : -EINVAL;
	up_read(&topology_lock);
	return ret;
}

/**
 * vgpu_topology_with_dies() - all dies, in the order they came
 * @func: what to do with each; NULL: they are only counted
 * @arg: for @func
 *
 * May sleep. Return: how many there are.
 */
unsigned int vgpu_topology_with_dies(vgpu_topology_die_func func, void *arg)
{
	struct vgpu_device *vdev;
	unsigned int num = 0;

	down_read(&topology_lock);
	list_for_each_entry(vdev, &topology_dies, topology.list) {
		if (func)
			func(vdev, arg);
		num++;
	}
	up_read(&topology_lock);
	return num;
}

/* -------------------------------------------------------------- changes */

/* 16 bits of where and what it is; the next free one when two have the same. Never 0. */
static u32 topology_make_id(struct vgpu_device *vdev)
{
	struct pci_dev *pdev = vdev->pdev;
	const u32 what[] = {
		pdev->devfn,
		pdev->subsystem_vendor | pdev->subsystem_device << 16,
		pci_domain_nr(pdev->bus),
		pdev->device,
		pdev->bus->number,
		lower_32_bits(vdev->gmc.vram_size),
		upper_32_bits(vdev->gmc.vram_size),
		1 << 16,		/* one accelerated compute core, the first */
	};
	u16 id = crc16(0, (const u8 *)what, sizeof(what));

	while (!id || topology_find(id))
		id++;
	return id;
}

/* One more change: as many files as there is to read, and then its number. */
static void topology_changed(void)
{
	lockdep_assert_held(&topology_change);
	vgpu_topology_tree_sync();
	topology_generation++;
}

static void topology_sync(struct work_struct *unused)
{
	mutex_lock(&topology_change);
	topology_changed();
	mutex_unlock(&topology_change);
}

/**
 * vgpu_topology_changed() - a way between dies has changed
 *
 * No die has come or gone. The files follow soon, and so does the generation: who
 * reads it waits for that. Any context.
 */
void vgpu_topology_changed(void)
{
	queue_work(system_unbound_wq, &topology_work);
}

/**
 * vgpu_topology_add() - a die becomes the last node
 * @vdev: the die, all of it up
 *
 * May sleep.
 */
void vgpu_topology_add(struct vgpu_device *vdev)
{
	struct vgpu_topology_die *die = &vdev->topology;

	die->unique_id = vgpu_smu_unique_id(vdev);
	mutex_lock(&topology_change);
	down_write(&topology_lock);
	die->gpu_id = topology_make_id(vdev);
	die->simd_id_base = topology_next_cu;
	topology_next_cu += vdev->info.num_se * vdev->info.num_sh_per_se *
			    vdev->info.num_cu_per_sh;
	list_add_tail(&die->list, &topology_dies);
	up_write(&topology_lock);
	topology_changed();
	mutex_unlock(&topology_change);
}

/**
 * vgpu_topology_remove() - a die is a node no more; those behind it move up
 * @vdev: the die
 *
 * Nobody looks at the die any more when it returns. May sleep.
 */
void vgpu_topology_remove(struct vgpu_device *vdev)
{
	struct vgpu_topology_die *die = &vdev->topology;

	mutex_lock(&topology_change);
	down_write(&topology_lock);
	list_del_init(&die->list);
	up_write(&topology_lock);
	topology_changed();
	mutex_unlock(&topology_change);
}

void __init vgpu_topology_module_init(void)
{
	int nid;

	for_each_online_node(nid) {
		if (!cpumask_empty(cpumask_of_node(nid)))
			node_set(nid, topology_cpus);
	}
	vgpu_topology_tree_init();
	mutex_lock(&topology_change);
	topology_changed();
	mutex_unlock(&topology_change);
}

void vgpu_topology_module_exit(void)
{
	flush_work(&topology_work);
	vgpu_topology_tree_fini();
}
