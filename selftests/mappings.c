// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the GPU finds behind an address: mappings of every shape and size that
 * overlap, split and move, against a model of them that says what each page is.
 * Documentation/memory.rst, "Address spaces".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xf86drm.h>
#include "emit.h"
#include "harness.h"
#include "lib/die.h"

#define PAGE		4096ull
#define MIB		(1ull << 20)
#define HUGE_PAGES	512u		/* that an entry of a PDB0 covers */
#define WINDOW		16384u		/* pages that the model knows */
#define NUM_BOS		12u
#define ID_DW		16u		/* dword of a page that says which it is */
#define ACCESS		(AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE)

struct test_bo {
	amdgpu_bo_handle bo;
	uint32_t pages;
	uint32_t *cpu;
};

FIXTURE(mappings)
{
	struct die die;
	struct buf ib, out;
	amdgpu_va_handle handle;
	uint64_t base;
	struct test_bo bo[NUM_BOS];
	uint32_t model[WINDOW];		/* page_id() of what is mapped, or 0 */
	uint64_t seed;
};

FIXTURE_SETUP(mappings)
{
	ASSERT_EQ(0, die_open(0, &self->die));
	ASSERT_EQ(0, buf_alloc(&self->die, 128 << 10, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->die, WINDOW * 4, AMDGPU_GEM_DOMAIN_GTT, &self->out));
	ASSERT_EQ(0, amdgpu_va_range_alloc(self->die.dev, amdgpu_gpu_va_range_general,
					   WINDOW * PAGE, 2 * MIB, 0, &self->base, &self->handle,
					   0));
}

FIXTURE_TEARDOWN(mappings)
{
	unsigned int i;

	if (!self->die.dev)
		return;
	for (i = 0; i < NUM_BOS; i++) {
		if (!self->bo[i].bo)
			continue;
		amdgpu_bo_cpu_unmap(self->bo[i].bo);
		amdgpu_bo_free(self->bo[i].bo);
	}
	if (self->handle)
		amdgpu_va_range_free(self->handle);
	buf_free(&self->out);
	buf_free(&self->ib);
	die_close(&self->die);
}

static uint32_t page_id(uint32_t bo, uint32_t page)
{
	return (bo + 1) << 24 | page << 1 | 1;
}

static int make_bo(struct _test_data_mappings *self, uint32_t n, uint32_t pages, uint32_t domain,
		   uint64_t flags)
{
	struct amdgpu_bo_alloc_request req = {
		.alloc_size = pages * PAGE, .phys_alignment = PAGE, .preferred_heap = domain,
		.flags = flags | AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED,
	};
	struct test_bo *bo = &self->bo[n];
	uint32_t i;
	void *cpu;
	int ret;

	ret = amdgpu_bo_alloc(self->die.dev, &req, &bo->bo);
	if (!ret)
		ret = amdgpu_bo_cpu_map(bo->bo, &cpu);
	if (ret)
		return ret;
	bo->cpu = cpu;
	bo->pages = pages;
	for (i = 0; i < pages; i++)
		bo->cpu[i * (PAGE / 4) + ID_DW] = page_id(n, i);
	return 0;
}

/* What the kernel is asked, the model is told; it only knows what must come of it. */
static int map(struct _test_data_mappings *self, uint32_t op, uint32_t n, uint32_t first,
	       uint32_t pages, uint32_t at, uint64_t flags)
{
	uint32_t i;
	int ret;

	ret = amdgpu_bo_va_op_raw(self->die.dev, self->bo[n].bo, first * PAGE, pages * PAGE,
				  self->base + at * PAGE, flags, op);
	for (i = 0; !ret && i < pages; i++)
		self->model[at + i] = page_id(n, first + i);
	return ret;
}

static int clear(struct _test_data_mappings *self, uint32_t pages, uint32_t at, uint64_t flags)
{
	int ret;

	ret = amdgpu_bo_va_op_raw(self->die.dev, NULL, 0, pages * PAGE, self->base + at * PAGE,
				  flags, AMDGPU_VA_OP_CLEAR);
	if (!ret)
		memset(&self->model[at], 0, pages * sizeof(self->model[0]));
	return ret;
}

static int place(struct _test_data_mappings *self, uint32_t n, uint32_t domain)
{
	struct drm_amdgpu_gem_op op = { .op = AMDGPU_GEM_OP_SET_PLACEMENT, .value = domain };
	int ret;

	ret = amdgpu_bo_export(self->bo[n].bo, amdgpu_bo_handle_type_kms, &op.handle);
	return ret ? ret : drmCommandWriteRead(self->die.fd, DRM_AMDGPU_GEM_OP, &op, sizeof(op));
}

/* The GPU reads every page that is mapped. Return: how many are not what they must be. */
static int wrong_pages(struct _test_data_mappings *self, unsigned int ring)
{
	struct buf *bufs[] = { &self->out, NULL };
	struct sub sub = {
		.ip = AMDGPU_HW_IP_DMA, .ring = ring, .ib = &self->ib, .bufs = bufs,
	};
	uint32_t i = 0;
	int wrong = 0;

	memset(self->out.cpu, 0, self->out.size);
	while (i < WINDOW) {
		struct ibw w = { .dw = self->ib.cpu };

		for (; i < WINDOW && w.n < 28000; i++)
			if (self->model[i])
				sdma_copy(&w, self->base + i * PAGE + ID_DW * 4,
					  self->out.va + i * 4, 4);
		sub.ndw = w.n;
		if (w.n && sub_run(&self->die, &sub))
			return -1;
	}
	for (i = 0; i < WINDOW; i++)
		wrong += buf_get(&self->out, i) != self->model[i];
	return wrong;
}

/* Two 2 MiB pages, one of which loses a page in its middle, and gets it back. */
TEST_F(mappings, a_large_page_is_split_and_whole_again)
{
	ASSERT_EQ(0, make_bo(self, 0, 2 * HUGE_PAGES, AMDGPU_GEM_DOMAIN_VRAM, 0));
	ASSERT_EQ(0, make_bo(self, 1, 4, AMDGPU_GEM_DOMAIN_GTT, 0));

	ASSERT_EQ(0, map(self, AMDGPU_VA_OP_MAP, 0, 0, 2 * HUGE_PAGES, 0, ACCESS));
	EXPECT_EQ(0, wrong_pages(self, 0));
	ASSERT_EQ(0, clear(self, 1, 100, 0));
	EXPECT_EQ(0, wrong_pages(self, 0));
	ASSERT_EQ(0, map(self, AMDGPU_VA_OP_MAP, 1, 2, 1, 100, ACCESS));
	EXPECT_EQ(0, wrong_pages(self, 0));
	ASSERT_EQ(0, map(self, AMDGPU_VA_OP_REPLACE, 0, 0, 2 * HUGE_PAGES, 0, ACCESS));
	EXPECT_EQ(0, wrong_pages(self, 0));
	/* Shifted by a page, so that no entry can be a large one. */
	ASSERT_EQ(0, map(self, AMDGPU_VA_OP_REPLACE, 0, 0, 2 * HUGE_PAGES, 1, ACCESS));
	EXPECT_EQ(0, wrong_pages(self, 0));
}

/* Every engine sees a change, though another one made the TLB of the hub forget. */
TEST_F(mappings, every_engine_sees_the_newest)
{
	uint32_t round;

	ASSERT_EQ(0, make_bo(self, 0, 64, AMDGPU_GEM_DOMAIN_VRAM, 0));
	ASSERT_EQ(0, make_bo(self, 1, 64, AMDGPU_GEM_DOMAIN_GTT, 0));
	for (round = 0; round < 20; round++) {
		ASSERT_EQ(0, map(self, AMDGPU_VA_OP_REPLACE, round & 1, round, 32, 8, ACCESS));
		EXPECT_EQ(0, wrong_pages(self, round % 5));
		EXPECT_EQ(0, wrong_pages(self, (round + 1) % 5));
	}
}

/* Buffers move, by request, while they are mapped; their addresses stay. */
TEST_F(mappings, buffers_move_under_their_mappings)
{
	static const uint32_t domain[] = { AMDGPU_GEM_DOMAIN_GTT, AMDGPU_GEM_DOMAIN_VRAM };
	uint32_t n, i, round;

	for (n = 0; n < 4; n++) {
		ASSERT_EQ(0, make_bo(self, n, 700, domain[n & 1],
				     n & 2 ? AMDGPU_GEM_CREATE_VM_ALWAYS_VALID : 0));
		ASSERT_EQ(0, map(self, AMDGPU_VA_OP_MAP, n, 0, 700, 100 + n * 800, ACCESS));
	}
	for (round = 0; round < 6; round++) {
		for (n = 0; n < 4; n++)
			ASSERT_EQ(0, place(self, n, domain[(round + n) & 1]));
		EXPECT_EQ(0, wrong_pages(self, round % 5));
	}
	for (n = 0; n < 4; n++)
		for (i = 0; i < 700; i++)
			ASSERT_EQ(page_id(n, i), self->bo[n].cpu[i * (PAGE / 4) + ID_DW]);
}

/* Partially resident: reads are 0, writes go nowhere, and nothing faults. */
TEST_F(mappings, prt_is_nothing)
{
	struct buf *bufs[] = { &self->out, NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_DMA, .ib = &self->ib, .bufs = bufs };
	struct ibw w = { .dw = self->ib.cpu };
	/* Far more than the tables of it would take if each page had an entry. */
	uint64_t va = 1ull << 46, size = 1ull << 40;

	ASSERT_EQ(0, amdgpu_bo_va_op_raw(self->die.dev, NULL, 0, size, va, AMDGPU_VM_PAGE_PRT,
					 AMDGPU_VA_OP_MAP));
	buf_set(&self->out, 0, 0x5a5a5a5a);
	buf_set(&self->out, 1, 0x5a5a5a5a);
	sdma_write(&w, va + 64, 0x1234);
	sdma_copy(&w, va + 64, self->out.va, 4);
	sdma_copy(&w, va + size - 8, self->out.va + 4, 4);
	sub.ndw = w.n;
	EXPECT_EQ(0, sub_run(&self->die, &sub));
	EXPECT_EQ(0, buf_get(&self->out, 0));
	EXPECT_EQ(0, buf_get(&self->out, 1));
	EXPECT_EQ(0, amdgpu_bo_va_op_raw(self->die.dev, NULL, 0, size, va, AMDGPU_VM_PAGE_PRT,
					 AMDGPU_VA_OP_UNMAP));
}

/* xorshift64, so that a run can be had again. */
static uint32_t pick(struct _test_data_mappings *self, uint32_t n)
{
	self->seed ^= self->seed << 13;
	self->seed ^= self->seed >> 7;
	self->seed ^= self->seed << 17;
	return self->seed % n;
}

static int random_change(struct _test_data_mappings *self)
{
	uint32_t n = pick(self, NUM_BOS), op = pick(self, 4), at, first, pages, i;
	uint64_t delay = pick(self, 3) ? 0 : AMDGPU_VM_DELAY_UPDATE;
	bool busy = false;
	int ret;

	pages = 1 + pick(self, self->bo[n].pages);
	first = pick(self, self->bo[n].pages - pages + 1);
	at = pick(self, WINDOW - pages + 1);
	/* Half of them where entries can be large. */
	if (pick(self, 2)) {
		at &= ~(HUGE_PAGES - 1);
		first &= ~(HUGE_PAGES - 1);
	}

	switch (op) {
	case 0:
		pages = 1 + pick(self, WINDOW / 4);
		return clear(self, pages < WINDOW - at ? pages : WINDOW - at, at, delay);
	case 1:
		for (i = 0; i < pages; i++)
			busy |= self->model[at + i];
		ret = map(self, AMDGPU_VA_OP_MAP, n, first, pages, at, ACCESS | delay);
		return busy ? ret != -EINVAL : ret;
	default:
		return map(self, AMDGPU_VA_OP_REPLACE, n, first, pages, at, ACCESS | delay);
	}
}

TEST_F(mappings, random_changes)
{
	uint32_t n, i, round, changes;

	self->seed = 0x1dea;
	for (n = 0; n < NUM_BOS; n++)
		ASSERT_EQ(0, make_bo(self, n, n < 4 ? 4 * HUGE_PAGES : 1 + pick(self, 1500),
				     n & 1 ? AMDGPU_GEM_DOMAIN_GTT : AMDGPU_GEM_DOMAIN_VRAM,
				     n & 2 ? AMDGPU_GEM_CREATE_VM_ALWAYS_VALID : 0));
	for (round = 0; round < 20; round++) {
		for (changes = 1 + pick(self, 12); changes; changes--)
			ASSERT_EQ(0, random_change(self));
		if (!pick(self, 4))
			ASSERT_EQ(0, place(self, pick(self, NUM_BOS),
					   pick(self, 2) ? AMDGPU_GEM_DOMAIN_VRAM :
							   AMDGPU_GEM_DOMAIN_GTT));
		ASSERT_EQ(0, wrong_pages(self, pick(self, 5)));
	}
	for (n = 0; n < NUM_BOS; n++)
		for (i = 0; i < self->bo[n].pages; i++)
			ASSERT_EQ(page_id(n, i), self->bo[n].cpu[i * (PAGE / 4) + ID_DW]);
}

/* A buffer of one die, written by the other. */
TEST_F(mappings, a_buffer_shared_between_dies)
{
	struct amdgpu_bo_import_result theirs;
	struct buf ib, *bufs[] = { NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_DMA, .ib = &ib, .bufs = bufs };
	amdgpu_va_handle handle;
	struct die other;
	struct ibw w;
	uint32_t fd;
	uint64_t va;

	if (die_open(1, &other))
		SKIP(return, "no die 1");
	ASSERT_EQ(0, make_bo(self, 0, 16, AMDGPU_GEM_DOMAIN_GTT, 0));
	ASSERT_EQ(0, amdgpu_bo_export(self->bo[0].bo, amdgpu_bo_handle_type_dma_buf_fd, &fd));
	ASSERT_EQ(0, amdgpu_bo_import(other.dev, amdgpu_bo_handle_type_dma_buf_fd, fd, &theirs));
	close(fd);
	EXPECT_EQ(16 * PAGE, theirs.alloc_size);

	ASSERT_EQ(0, buf_alloc(&other, PAGE, AMDGPU_GEM_DOMAIN_GTT, &ib));
	ASSERT_EQ(0, amdgpu_va_range_alloc(other.dev, amdgpu_gpu_va_range_general, 16 * PAGE, PAGE,
					   0, &va, &handle, 0));
	ASSERT_EQ(0, amdgpu_bo_va_op(theirs.buf_handle, 0, 16 * PAGE, va, 0, AMDGPU_VA_OP_MAP));
	w = (struct ibw){ .dw = ib.cpu };
	sdma_write(&w, va + 5 * PAGE, 0x600d);
	sub.ndw = w.n;
	EXPECT_EQ(0, sub_run(&other, &sub));
	EXPECT_EQ(0x600d, self->bo[0].cpu[5 * PAGE / 4]);
	EXPECT_EQ(page_id(0, 5), self->bo[0].cpu[5 * PAGE / 4 + ID_DW]);

	EXPECT_EQ(0, amdgpu_bo_va_op(theirs.buf_handle, 0, 16 * PAGE, va, 0, AMDGPU_VA_OP_UNMAP));
	amdgpu_va_range_free(handle);
	amdgpu_bo_free(theirs.buf_handle);
	buf_free(&ib);
	die_close(&other);
}

TEST_HARNESS_MAIN
