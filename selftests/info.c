// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Queries: what AMDGPU_INFO says about each die against what the emulated
 * machine was made with, which its monitor tells, and against what is done to
 * the die meanwhile. Documentation/driver.rst, "Queries".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <hw/reg/gc.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"

#define MIB	(1024ull * 1024)

FIXTURE(info)
{
	struct die die;
};

FIXTURE_VARIANT(info)
{
	unsigned int die;
};

FIXTURE_VARIANT_ADD(info, die0) { .die = 0, };
FIXTURE_VARIANT_ADD(info, die1) { .die = 1, };

FIXTURE_SETUP(info)
{
	int ret = die_open(variant->die, &self->die);

	if (ret == -ENOENT)
		SKIP(return, "no die %u", variant->die);
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(info)
{
	if (self->die.dev)
		die_close(&self->die);
}

/* A property of a device as QEMU has it; dies are gpu0, gpu1 in the order of their slots. */
static int qom_property(unsigned int die, const char *name, uint64_t *value)
{
	char command[256], path[64];
	int n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/machine/peripheral/gpu%u", die);
	snprintf(command, sizeof(command),
		 "host qmp '{\"execute\":\"qom-get\",\"arguments\":{%s\"%s\",\"property\":\"%s\"}}'",
		 "\"path\":", path, name);
	f = popen(command, "r");
	if (!f)
		return -errno;
	n = fscanf(f, "ok %lu", value);
	pclose(f);
	return n == 1 ? 0 : -EIO;
}

#define PROPERTY(name)								\
	({									\
		uint64_t _value = 0;						\
										\
		if (access("/dev/vgpu-host", W_OK))				\
			SKIP(return, "needs the guest of tools/boot.sh");	\
		ASSERT_EQ(0, qom_property(variant->die, name, &_value));		\
		_value;								\
	})

/* Size of a BAR as the bus has it */
static uint64_t bar_size(const struct die *die, unsigned int bar)
{
	unsigned long long start = 0, end = 0;
	char path[96], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource", die->pci);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (!bar--) {
			if (sscanf(line, "%llx %llx", &start, &end) != 2)
				end = 0;
			break;
		}
	if (f)
		fclose(f);
	return end ? end - start + 1 : 0;
}

static uint64_t sysfs(const struct die *die, const char *name)
{
	unsigned long long value = ~0ull;
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", die->pci, name);
	f = fopen(path, "r");
	if (f) {
		if (fscanf(f, "%llu", &value) != 1)
			value = ~0ull;
		fclose(f);
	}
	return value;
}

static uint64_t query64(struct die *die, unsigned int query)
{
	uint64_t value = ~0ull;

	return amdgpu_query_info(die->dev, query, sizeof(value), &value) ? ~0ull : value;
}

static uint32_t query32(struct die *die, unsigned int query)
{
	uint32_t value = ~0u;

	return amdgpu_query_info(die->dev, query, sizeof(value), &value) ? ~0u : value;
}

TEST_F(info, device)
{
	struct drm_amdgpu_info_device dev;
	unsigned int se, sh, bits = 0;

	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_DEV_INFO, sizeof(dev), &dev));
	/* An MI250X die, whatever PCI id it goes by */
	EXPECT_EQ(0x740c, dev.device_id);
	EXPECT_EQ(AMDGPU_FAMILY_AI, dev.family);
	EXPECT_EQ(AMDGPU_VRAM_TYPE_HBM, dev.vram_type);
	EXPECT_EQ(64, dev.wave_front_size);
	EXPECT_EQ(8, dev.num_hw_gfx_contexts);
	EXPECT_LT(0, dev.num_shader_engines);
	EXPECT_LT(0, dev.num_shader_arrays_per_engine);
	EXPECT_EQ(4096, dev.virtual_address_alignment);
	EXPECT_EQ(4096, dev.gart_page_size);
	/* 48 bits, with the hole in the middle */
	EXPECT_GE(1ull << 47, dev.virtual_address_max);
	EXPECT_LE(0xffff800000000000ull, dev.high_va_offset);
	EXPECT_LT(dev.high_va_offset, dev.high_va_max);

	/* The bitmap counts what the number says. */
	for (se = 0; se < 4; se++)
		for (sh = 0; sh < 4; sh++)
			bits += __builtin_popcount(dev.cu_bitmap[se][sh]);
	EXPECT_EQ(dev.cu_active_number, bits);
	EXPECT_EQ(PROPERTY("cu"), dev.cu_active_number);
}

TEST_F(info, engines)
{
	struct drm_amdgpu_info_hw_ip ip;
	uint64_t sdma = PROPERTY("sdma");
	unsigned int type;
	uint32_t count = 0;

	ASSERT_EQ(0, amdgpu_query_hw_ip_info(self->die.dev, AMDGPU_HW_IP_GFX, 0, &ip));
	EXPECT_EQ(9, ip.hw_ip_version_major);
	EXPECT_EQ(0x90402, ip.ip_discovery_version);
	EXPECT_EQ(1, ip.available_rings);

	ASSERT_EQ(0, amdgpu_query_hw_ip_info(self->die.dev, AMDGPU_HW_IP_COMPUTE, 0, &ip));
	EXPECT_EQ(9, ip.hw_ip_version_major);
	EXPECT_EQ(0x90402, ip.ip_discovery_version);
	EXPECT_EQ(0xff, ip.available_rings);

	ASSERT_EQ(0, amdgpu_query_hw_ip_info(self->die.dev, AMDGPU_HW_IP_DMA, 0, &ip));
	EXPECT_EQ(4, ip.hw_ip_version_major);
	EXPECT_EQ(0x40400, ip.ip_discovery_version);
	EXPECT_EQ((1 << sdma) - 1, ip.available_rings);

	ASSERT_EQ(0, amdgpu_query_hw_ip_count(self->die.dev, AMDGPU_HW_IP_GFX, &count));
	EXPECT_EQ(1, count);
	ASSERT_EQ(0, amdgpu_query_hw_ip_count(self->die.dev, AMDGPU_HW_IP_DMA, &count));
	EXPECT_EQ(sdma, count);

	/* What the die has not: no rings, and no error */
	for (type = AMDGPU_HW_IP_UVD; type < AMDGPU_HW_IP_NUM; type++) {
		ASSERT_EQ(0, amdgpu_query_hw_ip_info(self->die.dev, type, 0, &ip));
		EXPECT_EQ(0, ip.available_rings);
	}
	EXPECT_EQ(1, query32(&self->die, AMDGPU_INFO_ACCEL_WORKING));
}

TEST_F(info, memory)
{
	struct drm_amdgpu_memory_info mem;
	struct drm_amdgpu_info_vram_gtt vram_gtt;
	struct amdgpu_heap_info heap;
	uint64_t visible = bar_size(&self->die, 0), vram = PROPERTY("vram");

	if (visible > vram)
		visible = vram;
	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_MEMORY, sizeof(mem), &mem));
	EXPECT_EQ(vram, mem.vram.total_heap_size);
	EXPECT_EQ(visible, mem.cpu_accessible_vram.total_heap_size);
	EXPECT_GE(mem.vram.total_heap_size, mem.vram.usable_heap_size);
	EXPECT_GE(mem.gtt.total_heap_size, mem.gtt.usable_heap_size);
	EXPECT_GE(mem.vram.usable_heap_size, mem.cpu_accessible_vram.usable_heap_size);
	/* The driver's own share is small. */
	EXPECT_LE(vram - 16 * MIB, mem.vram.usable_heap_size);
	EXPECT_LE(mem.vram.max_allocation, mem.vram.usable_heap_size);
	EXPECT_LT(0, mem.gtt.total_heap_size);

	/* All ways to ask give the same. */
	EXPECT_EQ(vram, sysfs(&self->die, "mem_info_vram_total"));
	EXPECT_EQ(visible, sysfs(&self->die, "mem_info_vis_vram_total"));
	EXPECT_EQ(mem.gtt.total_heap_size, sysfs(&self->die, "mem_info_gtt_total"));
	EXPECT_EQ(mem.vram.heap_usage, sysfs(&self->die, "mem_info_vram_used"));
	EXPECT_EQ(mem.gtt.heap_usage, sysfs(&self->die, "mem_info_gtt_used"));
	EXPECT_EQ(mem.vram.heap_usage, query64(&self->die, AMDGPU_INFO_VRAM_USAGE));
	EXPECT_EQ(mem.cpu_accessible_vram.heap_usage,
		  query64(&self->die, AMDGPU_INFO_VIS_VRAM_USAGE));
	EXPECT_EQ(mem.gtt.heap_usage, query64(&self->die, AMDGPU_INFO_GTT_USAGE));

	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_VRAM_GTT, sizeof(vram_gtt),
				       &vram_gtt));
	EXPECT_EQ(mem.vram.usable_heap_size, vram_gtt.vram_size);
	EXPECT_EQ(mem.cpu_accessible_vram.usable_heap_size, vram_gtt.vram_cpu_accessible_size);
	EXPECT_EQ(mem.gtt.usable_heap_size, vram_gtt.gtt_size);

	ASSERT_EQ(0, amdgpu_query_heap_info(self->die.dev, AMDGPU_GEM_DOMAIN_VRAM, 0, &heap));
	EXPECT_EQ(mem.vram.usable_heap_size, heap.heap_size);
	ASSERT_EQ(0, amdgpu_query_heap_info(self->die.dev, AMDGPU_GEM_DOMAIN_GTT, 0, &heap));
	EXPECT_EQ(mem.gtt.usable_heap_size, heap.heap_size);
}

/* A buffer more is its size more, and its size less when it is gone. */
TEST_F(info, usage)
{
	static const struct {
		uint32_t domain;
		unsigned int query;
	} kind[] = {
		{ AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_INFO_VRAM_USAGE },
		{ AMDGPU_GEM_DOMAIN_GTT, AMDGPU_INFO_GTT_USAGE },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kind); i++) {
		struct amdgpu_bo_alloc_request req = {
			.alloc_size = 3 * MIB, .preferred_heap = kind[i].domain,
		};
		uint64_t before = query64(&self->die, kind[i].query);
		amdgpu_bo_handle bo;
		bool busy;

		ASSERT_EQ(0, amdgpu_bo_alloc(self->die.dev, &req, &bo));
		EXPECT_EQ(before + 3 * MIB, query64(&self->die, kind[i].query));
		/* The clear of its memory, which may still run, holds it as long. */
		ASSERT_EQ(0, amdgpu_bo_wait_for_idle(bo, AMDGPU_TIMEOUT_INFINITE, &busy));
		amdgpu_bo_free(bo);
		EXPECT_EQ(before, query64(&self->die, kind[i].query));
	}
}

TEST_F(info, registers)
{
	uint32_t addr_config = 0, status = ~0u;

	ASSERT_EQ(0, amdgpu_read_mm_registers(self->die.dev, VGPU_REG_ABS(GC, regGB_ADDR_CONFIG),
					      1, ~0u, 0, &addr_config));
	EXPECT_NE(0, addr_config);
	EXPECT_EQ(addr_config, self->die.info.gb_addr_cfg);
	ASSERT_EQ(0, amdgpu_read_mm_registers(self->die.dev, VGPU_REG_ABS(GC, regGRBM_STATUS),
					      1, ~0u, 0, &status));
	/* Nothing runs. */
	EXPECT_EQ(0, status & GRBM_STATUS__GUI_ACTIVE_MASK);
	/* One that could do harm */
	EXPECT_EQ(-EFAULT, amdgpu_read_mm_registers(self->die.dev,
						    VGPU_REG_ABS(GC, regCP_RB0_BASE), 1, ~0u, 0,
						    &status));
}

/* Firmware there is none: version 0 of all that can be asked for. */
TEST_F(info, firmware)
{
	static const unsigned int types[] = {
		AMDGPU_INFO_FW_VCE, AMDGPU_INFO_FW_UVD, AMDGPU_INFO_FW_GMC,
		AMDGPU_INFO_FW_GFX_ME, AMDGPU_INFO_FW_GFX_PFP, AMDGPU_INFO_FW_GFX_CE,
		AMDGPU_INFO_FW_GFX_RLC, AMDGPU_INFO_FW_GFX_MEC, AMDGPU_INFO_FW_SMC,
		AMDGPU_INFO_FW_SDMA, AMDGPU_INFO_FW_SOS, AMDGPU_INFO_FW_ASD,
	};
	uint32_t version, feature;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		version = ~0u;
		EXPECT_EQ(0, amdgpu_query_firmware_version(self->die.dev, types[i], 0, 0,
							   &version, &feature));
		EXPECT_EQ(0, version);
	}
}

/* The counter runs, forwards, and at about the frequency that is told. */
TEST_F(info, timestamp)
{
	struct drm_amdgpu_info_device dev;
	struct timespec start, now;
	uint64_t first, last, next;
	int64_t us;

	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_DEV_INFO, sizeof(dev), &dev));
	/* The reference clock of MI250X */
	EXPECT_EQ(100000, dev.gpu_counter_freq);
	clock_gettime(CLOCK_MONOTONIC, &start);
	first = query64(&self->die, AMDGPU_INFO_TIMESTAMP);
	last = first;
	do {
		next = query64(&self->die, AMDGPU_INFO_TIMESTAMP);
		ASSERT_LE(last, next);
		last = next;
		clock_gettime(CLOCK_MONOTONIC, &now);
		us = (now.tv_sec - start.tv_sec) * 1000000ll +
		     (now.tv_nsec - start.tv_nsec) / 1000;
	} while (us < 200000);
	/* Two clocks of an emulated machine: within a factor of two. */
	EXPECT_LT(us * dev.gpu_counter_freq / 1000 / 2, last - first);
	EXPECT_GT(us * dev.gpu_counter_freq / 1000 * 2, last - first);
}

TEST_F(info, hive)
{
	uint64_t node = PROPERTY("node");
	struct die other;
	int ret = die_open(!variant->die, &other);

	if (ret == -ENOENT)
		SKIP(return, "one die");
	ASSERT_EQ(0, ret);
	EXPECT_EQ(node, sysfs(&self->die, "xgmi_physical_id"));
	EXPECT_NE(node, sysfs(&other, "xgmi_physical_id"));
	die_close(&other);
}

/* What has no answer: amdgpu's errors */
TEST_F(info, nothing_to_say)
{
	uint32_t out[64];

	EXPECT_EQ(-ENOENT, amdgpu_query_sensor_info(self->die.dev, AMDGPU_INFO_SENSOR_GPU_TEMP,
						    sizeof(out[0]), out));
	EXPECT_NE(NULL, amdgpu_get_marketing_name(self->die.dev));
}

/* ------------------------------------------------------------- page faults */

static struct drm_amdgpu_info_gpuvm_fault last_fault(struct die *die)
{
	struct drm_amdgpu_info_gpuvm_fault fault;

	memset(&fault, 0xff, sizeof(fault));
	amdgpu_query_info(die->dev, AMDGPU_INFO_GPUVM_FAULT, sizeof(fault), &fault);
	return fault;
}

/* Each file hears of its own; the newest is what counts. */
TEST_F(info, page_faults)
{
	struct drm_amdgpu_info_gpuvm_fault fault;
	struct buf ib, *none[] = { NULL };
	struct sub sub = { .ib = &ib, .bufs = none };
	amdgpu_va_handle range;
	struct die other;
	struct ibw w = { };
	uint64_t va;

	ASSERT_EQ(0, die_open_again(&self->die, &other));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib));
	ASSERT_EQ(0, amdgpu_va_range_alloc(self->die.dev, amdgpu_gpu_va_range_general, 8192, 4096,
					   0, &va, &range, 0));
	fault = last_fault(&self->die);
	EXPECT_EQ(0, fault.addr);
	EXPECT_EQ(0, fault.status);
	EXPECT_EQ(0, fault.vmhub);

	w.dw = ib.cpu;
	pm4_write(&w, va + 16, 1);
	sub.ip = AMDGPU_HW_IP_GFX;
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->die, &sub));
	/* The interrupt of the fault comes, whatever becomes of the job. */
	do
		fault = last_fault(&self->die);
	while (!fault.status);
	EXPECT_EQ(va, fault.addr);
	EXPECT_EQ(AMDGPU_VMHUB_TYPE_GFX, fault.vmhub);
	EXPECT_TRUE(fault.status & VM_L2_PROTECTION_FAULT_STATUS__RW_MASK);
	sub_wait(&self->die, &sub, DIE_WAIT_NS);

	w.n = 0;
	sdma_copy(&w, va + 4096, ib.va + 2048, 4);
	sub.ip = AMDGPU_HW_IP_DMA;
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->die, &sub));
	do
		fault = last_fault(&self->die);
	while (fault.vmhub == AMDGPU_VMHUB_TYPE_GFX);
	EXPECT_EQ(va + 4096, fault.addr);
	EXPECT_EQ(AMDGPU_VMHUB_TYPE_MM0, fault.vmhub);
	EXPECT_FALSE(fault.status & VM_L2_PROTECTION_FAULT_STATUS__RW_MASK);
	sub_wait(&self->die, &sub, DIE_WAIT_NS);

	fault = last_fault(&other);
	EXPECT_EQ(0, fault.status);
	buf_free(&ib);
	die_close(&other);
}

/* ------------------------------------------------------------------ fdinfo */

/* The number behind "@key:" in what /proc says of the file; -1: no such line. */
static int64_t fd_value(struct die *die, const char *key)
{
	size_t len = strlen(key);
	char path[64], line[128];
	int64_t value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", amdgpu_device_get_fd(die->dev));
	f = fopen(path, "r");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, key, len) && line[len] == ':')
			value = strtoll(line + len + 1, NULL, 0);
	fclose(f);
	return value;
}

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

/* A job that takes longer than from one time to another, and less than between two others. */
TEST_F(info, engine_time)
{
	struct buf ib, gate, *bufs[] = { &gate, NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &ib, .bufs = bufs };
	int64_t before, runs, ends, after, spent;
	struct ibw w = { };

	EXPECT_EQ(-1, fd_value(&self->die, "drm-engine-gfx"));
	EXPECT_EQ(-1, fd_value(&self->die, "drm-engine-dma"));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &gate));
	w.dw = ib.cpu;
	pm4_write(&w, gate.va + 4, 1);
	pm4_wait_mem(&w, gate.va, 1);
	sub.ndw = w.n;

	before = now_ns();
	ASSERT_EQ(0, sub_submit(&self->die, &sub));
	while (!buf_get(&gate, 1))
		;
	/* The scheduler says that it has handed it over when the ring may have begun with it. */
	while (fd_value(&self->die, "drm-engine-gfx") <= 0)
		;
	runs = now_ns();
	/* Long enough to tell from a job that is not counted to its end. */
	while (now_ns() - runs < 1000000)
		;
	ends = now_ns();
	buf_set(&gate, 0, 1);
	ASSERT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	after = now_ns();

	spent = fd_value(&self->die, "drm-engine-gfx");
	EXPECT_LE(ends - runs, spent);
	EXPECT_GE(after - before, spent);
	EXPECT_EQ(-1, fd_value(&self->die, "drm-engine-dma"));
	/* It is not forgotten with the context. */
	amdgpu_cs_ctx_free(self->die.ctx);
	EXPECT_EQ(spent, fd_value(&self->die, "drm-engine-gfx"));
	ASSERT_EQ(0, amdgpu_cs_ctx_create(self->die.dev, &self->die.ctx));
	buf_free(&gate);
	buf_free(&ib);
}

TEST_F(info, memory_by_kind)
{
	int64_t vram = fd_value(&self->die, "drm-memory-vram");
	int64_t gtt = fd_value(&self->die, "drm-memory-gtt");
	struct buf a, b;

	ASSERT_EQ(0, buf_alloc(&self->die, MIB, AMDGPU_GEM_DOMAIN_VRAM, &a));
	ASSERT_EQ(0, buf_alloc(&self->die, 2 * MIB, AMDGPU_GEM_DOMAIN_GTT, &b));
	EXPECT_EQ(vram + 1024, fd_value(&self->die, "drm-memory-vram"));
	EXPECT_EQ(gtt + 2048, fd_value(&self->die, "drm-memory-gtt"));
	buf_free(&b);
	buf_free(&a);
}

TEST_HARNESS_MAIN
