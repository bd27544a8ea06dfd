// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Buffers and their mappings: both domains, CPU and GPU views of them, moves
 * under pressure, and that nobody sees what another left behind.
 * Documentation/memory.rst.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"

#define MIB	(1ull << 20)

FIXTURE(memory)
{
	struct die die;
	struct buf ib;
};

FIXTURE_SETUP(memory)
{
	ASSERT_EQ(0, die_open(0, &self->die));
	ASSERT_EQ(0, buf_alloc(&self->die, 16384, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
}

FIXTURE_TEARDOWN(memory)
{
	if (!self->die.dev)
		return;
	buf_free(&self->ib);
	die_close(&self->die);
}

static uint32_t pattern(uint32_t i, uint32_t seed)
{
	return (i ^ seed) * 2654435761u;
}

static void fill(struct buf *buf, uint32_t seed)
{
	uint32_t i, *dw = buf->cpu;

	for (i = 0; i < buf->size / 4; i++)
		dw[i] = pattern(i, seed);
}

static bool holds(const struct buf *buf, uint32_t seed)
{
	const uint32_t *dw = buf->cpu;
	uint32_t i;

	for (i = 0; i < buf->size / 4; i++)
		if (dw[i] != pattern(i, seed))
			return false;
	return true;
}

static int copy(struct die *die, struct buf *ib, struct buf *src, struct buf *dst)
{
	struct buf *bufs[] = { src, dst, NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_DMA, .ib = ib, .bufs = bufs };
	struct ibw w = { .dw = ib->cpu };
	uint64_t at, n;

	for (at = 0; at < src->size; at += n) {
		n = src->size - at < 2 * MIB ? src->size - at : 2 * MIB;
		sdma_copy(&w, src->va + at, dst->va + at, n);
	}
	sub.ndw = w.n;
	return sub_run(die, &sub);
}

TEST_F(memory, copies_between_all_domains)
{
	static const uint32_t domain[] = { AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_DOMAIN_GTT };
	unsigned int from, to;

	for (from = 0; from < 2; from++) {
		for (to = 0; to < 2; to++) {
			struct buf src, dst;

			ASSERT_EQ(0, buf_alloc(&self->die, 5 * MIB, domain[from], &src));
			ASSERT_EQ(0, buf_alloc(&self->die, 5 * MIB, domain[to], &dst));
			fill(&src, 7 + from * 2 + to);
			ASSERT_EQ(0, copy(&self->die, &self->ib, &src, &dst));
			EXPECT_TRUE(holds(&dst, 7 + from * 2 + to));
			buf_free(&dst);
			buf_free(&src);
		}
	}
}

/* What one file left in VRAM is not what the next one gets. */
TEST_F(memory, new_buffers_are_zero)
{
	struct amdgpu_bo_alloc_request req = {
		.alloc_size = 8 * MIB, .preferred_heap = AMDGPU_GEM_DOMAIN_VRAM,
		.flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED,
	};
	unsigned int round;

	for (round = 0; round < 4; round++) {
		amdgpu_bo_handle bo;
		uint32_t *dw, sum = 0;
		void *cpu;
		uint32_t i;

		ASSERT_EQ(0, amdgpu_bo_alloc(self->die.dev, &req, &bo));
		ASSERT_EQ(0, amdgpu_bo_cpu_map(bo, &cpu));
		dw = cpu;
		for (i = 0; i < req.alloc_size / 4; i++)
			sum |= dw[i];
		EXPECT_EQ(0, sum);
		memset(cpu, 0xa5, req.alloc_size);
		amdgpu_bo_cpu_unmap(bo);
		amdgpu_bo_free(bo);
	}
}

TEST_F(memory, one_buffer_at_two_addresses)
{
	struct buf buf, *bufs[] = { &buf, NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = bufs };
	struct ibw w = { .dw = self->ib.cpu };
	amdgpu_va_handle handle;
	uint64_t va;

	ASSERT_EQ(0, buf_alloc(&self->die, 8192, AMDGPU_GEM_DOMAIN_VRAM, &buf));
	ASSERT_EQ(0, amdgpu_va_range_alloc(self->die.dev, amdgpu_gpu_va_range_general, 4096, 4096,
					   0, &va, &handle, 0));
	/* The second page of the buffer. */
	ASSERT_EQ(0, amdgpu_bo_va_op(buf.bo, 4096, 4096, va, 0, AMDGPU_VA_OP_MAP));
	pm4_write(&w, va + 16, 0x600d);
	pm4_copy_mem(&w, buf.va + 4096 + 16, buf.va);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	EXPECT_EQ(0x600d, buf_get(&buf, 0));
	EXPECT_EQ(0, amdgpu_bo_va_op(buf.bo, 4096, 4096, va, 0, AMDGPU_VA_OP_UNMAP));
	amdgpu_va_range_free(handle);
	buf_free(&buf);
}

/* REPLACE puts another buffer where one was; CLEAR takes away a part. */
TEST_F(memory, replace_and_clear)
{
	struct buf a, b, *bufs[] = { &a, &b, NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = bufs };
	struct ibw w = { .dw = self->ib.cpu };

	ASSERT_EQ(0, buf_alloc(&self->die, 16384, AMDGPU_GEM_DOMAIN_VRAM, &a));
	ASSERT_EQ(0, buf_alloc(&self->die, 16384, AMDGPU_GEM_DOMAIN_GTT, &b));

	/* The middle of a now leads to b. */
	ASSERT_EQ(0, amdgpu_bo_va_op(b.bo, 0, 8192, a.va + 4096, 0, AMDGPU_VA_OP_REPLACE));
	pm4_write(&w, a.va, 1);
	pm4_write(&w, a.va + 4096, 2);
	pm4_write(&w, a.va + 12288, 3);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	EXPECT_EQ(1, buf_get(&a, 0));
	EXPECT_EQ(0, buf_get(&a, 1024));
	EXPECT_EQ(2, buf_get(&b, 0));
	EXPECT_EQ(3, buf_get(&a, 3072));

	ASSERT_EQ(0, amdgpu_bo_va_op_raw(self->die.dev, NULL, 0, 16384, a.va, 0,
					 AMDGPU_VA_OP_CLEAR));
	/* Mapping again works only where nothing is left. */
	EXPECT_EQ(0, amdgpu_bo_va_op(a.bo, 0, 16384, a.va, 0, AMDGPU_VA_OP_MAP));
	w.n = 0;
	pm4_write(&w, a.va + 4096, 4);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	EXPECT_EQ(4, buf_get(&a, 1024));
	buf_free(&b);
	buf_free(&a);
}

TEST_F(memory, mapping_twice_is_refused)
{
	struct buf buf;

	ASSERT_EQ(0, buf_alloc(&self->die, 8192, AMDGPU_GEM_DOMAIN_VRAM, &buf));
	EXPECT_EQ(-EINVAL, amdgpu_bo_va_op(buf.bo, 0, 4096, buf.va + 4096, 0, AMDGPU_VA_OP_MAP));
	buf_free(&buf);
}

/*
 * A buffer that had to leave VRAM comes back with a job that names it: the job
 * finds it where it is by then, not where it was when the job was made.
 */
TEST_F(memory, comes_back_with_a_job)
{
	struct amdgpu_bo_alloc_request req = {
		.alloc_size = 16 * MIB, .preferred_heap = AMDGPU_GEM_DOMAIN_VRAM,
	};
	struct buf buf, *bufs[] = { &buf, NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = bufs };
	struct drm_amdgpu_memory_info mem;
	struct ibw w = { .dw = self->ib.cpu };
	amdgpu_bo_handle others[64];
	uint64_t before, after;
	unsigned int i, n;

	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_MEMORY, sizeof(mem), &mem));
	n = mem.vram.total_heap_size / req.alloc_size;
	ASSERT_GE(ARRAY_SIZE(others), n);
	ASSERT_EQ(0, buf_alloc(&self->die, 16 * MIB, AMDGPU_GEM_DOMAIN_VRAM, &buf));
	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_NUM_EVICTIONS, 8, &before));
	/* It is the one that was used longest ago. */
	for (i = 0; i < n; i++)
		ASSERT_EQ(0, amdgpu_bo_alloc(self->die.dev, &req, &others[i]));
	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_NUM_EVICTIONS, 8, &after));
	ASSERT_LT(before, after);

	pm4_write(&w, buf.va, 1);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	for (i = 0; i < n; i++)
		amdgpu_bo_free(others[i]);
	w.n = 0;
	pm4_write(&w, buf.va, 2);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	EXPECT_EQ(2, buf_get(&buf, 0));
	buf_free(&buf);
}

/*
 * More than VRAM holds: some of it moves to system memory, and every byte is
 * still there when the GPU and the CPU look.
 */
TEST_F(memory, eviction_loses_nothing)
{
	struct drm_amdgpu_memory_info mem;
	struct buf *bufs, out;
	unsigned int i, n;
	uint64_t size = 16 * MIB;

	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_MEMORY, sizeof(mem), &mem));
	n = mem.vram.total_heap_size / size + 2;
	bufs = calloc(n, sizeof(*bufs));
	ASSERT_NE(NULL, bufs);
	for (i = 0; i < n; i++) {
		ASSERT_EQ(0, buf_alloc(&self->die, size, AMDGPU_GEM_DOMAIN_VRAM, &bufs[i]));
		fill(&bufs[i], i);
	}
	ASSERT_EQ(0, buf_alloc(&self->die, size, AMDGPU_GEM_DOMAIN_GTT, &out));
	for (i = 0; i < n; i++) {
		ASSERT_EQ(0, copy(&self->die, &self->ib, &bufs[i], &out));
		EXPECT_TRUE(holds(&out, i));
	}
	for (i = 0; i < n; i++) {
		EXPECT_TRUE(holds(&bufs[i], i));
		buf_free(&bufs[i]);
	}
	buf_free(&out);
	free(bufs);
}

TEST_F(memory, more_than_there_is_fails)
{
	struct drm_amdgpu_memory_info mem;
	struct amdgpu_bo_alloc_request req = { .preferred_heap = AMDGPU_GEM_DOMAIN_VRAM };
	amdgpu_bo_handle bo;

	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_MEMORY, sizeof(mem), &mem));
	req.alloc_size = mem.vram.total_heap_size + mem.gtt.total_heap_size + MIB;
	EXPECT_EQ(-ENOMEM, amdgpu_bo_alloc(self->die.dev, &req, &bo));
}

/* Freed while a job still uses it: the job ends right, then the memory goes. */
TEST_F(memory, buffer_outlives_its_handle)
{
	struct buf gate, buf, *bufs[] = { &gate, &buf, NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = bufs };
	struct ibw w = { .dw = self->ib.cpu };

	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &gate));
	ASSERT_EQ(0, buf_alloc(&self->die, 2 * MIB, AMDGPU_GEM_DOMAIN_VRAM, &buf));
	pm4_wait_mem(&w, gate.va, 1);
	pm4_write(&w, buf.va, 5);
	pm4_copy_mem(&w, buf.va, gate.va + 4);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->die, &sub));
	/* The handle goes, its mapping stays until the job is done. */
	amdgpu_bo_cpu_unmap(buf.bo);
	amdgpu_bo_free(buf.bo);
	buf_set(&gate, 0, 1);
	ASSERT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	EXPECT_EQ(5, buf_get(&gate, 1));
	buf_free(&gate);
}

TEST_HARNESS_MAIN
