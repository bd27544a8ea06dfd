// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What a hostile process may try with valid calls: get at memory that is no
 * longer its own, and have the kernel write where it should not.
 * Documentation/memory.rst, "Buffers".
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"

#define MIB		(1024ull * 1024)
#define PAGE		4096ull
#define SECRET		0x5ec2e7u
#define PIECE		(4 * MIB)
#define MAX_PIECES	512

FIXTURE(hostile)
{
	struct die mine, other;
	struct buf ib, out;
	struct buf *bufs[2];
	struct buf piece[MAX_PIECES];
	unsigned int num_pieces;
};

FIXTURE_SETUP(hostile)
{
	ASSERT_EQ(0, die_open(0, &self->mine));
	ASSERT_EQ(0, die_open_again(&self->mine, &self->other));
	ASSERT_EQ(0, buf_alloc(&self->mine, 16384, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->mine, PAGE, AMDGPU_GEM_DOMAIN_GTT, &self->out));
	self->bufs[0] = &self->out;
	self->bufs[1] = NULL;
}

FIXTURE_TEARDOWN(hostile)
{
	if (!self->mine.dev || !self->other.dev)
		return;
	while (self->num_pieces)
		buf_free(&self->piece[--self->num_pieces]);
	buf_free(&self->out);
	buf_free(&self->ib);
	die_close(&self->other);
	die_close(&self->mine);
}

/* As buf_alloc(), with flags. */
static int alloc_flags(struct die *die, uint64_t size, uint32_t domain, uint64_t flags,
		       struct buf *buf)
{
	struct amdgpu_bo_alloc_request req = {
		.alloc_size = size,
		.preferred_heap = domain,
		.flags = flags,
	};
	int ret;

	memset(buf, 0, sizeof(*buf));
	buf->size = size;
	ret = amdgpu_bo_alloc(die->dev, &req, &buf->bo);
	if (ret)
		return ret;
	ret = amdgpu_bo_cpu_map(buf->bo, &buf->cpu);
	if (ret)
		return ret;
	ret = amdgpu_va_range_alloc(die->dev, amdgpu_gpu_va_range_general, size, PAGE, 0,
				    &buf->va, &buf->va_handle, 0);
	if (ret)
		return ret;
	return amdgpu_bo_va_op(buf->bo, 0, size, buf->va, 0, AMDGPU_VA_OP_MAP);
}

static uint32_t handle_of(struct buf *buf)
{
	uint32_t handle = 0;

	amdgpu_bo_export(buf->bo, amdgpu_bo_handle_type_kms, &handle);
	return handle;
}

/*
 * A buffer whose contents may be dropped loses its place in VRAM to another
 * process. Neither the CPU nor the GPU may go on seeing that place.
 */
TEST_F(hostile, dropped_buffer_shows_nobodys_memory)
{
	const unsigned int dwords = PIECE / 4, step = PAGE / 4;
	struct drm_amdgpu_memory_info mem;
	struct sub sub = { .ip = AMDGPU_HW_IP_DMA, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };
	struct buf dropped;
	unsigned int i;

	ASSERT_EQ(0, amdgpu_query_info(self->mine.dev, AMDGPU_INFO_MEMORY, sizeof(mem), &mem));
	ASSERT_EQ(0, alloc_flags(&self->mine, PIECE, AMDGPU_GEM_DOMAIN_VRAM,
				 AMDGPU_GEM_CREATE_DISCARDABLE, &dropped));
	for (i = 0; i < dwords; i += step)
		buf_set(&dropped, i, 0xa);
	sdma_copy(&w, dropped.va, self->out.va, 4);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->mine, &sub));
	ASSERT_EQ(0xa, buf_get(&self->out, 0));

	/* More than all of VRAM. */
	while (self->num_pieces < MAX_PIECES &&
	       self->num_pieces * PIECE <= mem.vram.total_heap_size) {
		struct buf *piece = &self->piece[self->num_pieces];

		ASSERT_EQ(0, buf_alloc(&self->other, PIECE, AMDGPU_GEM_DOMAIN_VRAM, piece));
		self->num_pieces++;
		for (i = 0; i < dwords; i += step)
			buf_set(piece, i, SECRET);
	}

	/* By the GPU first: it must not depend on the CPU having looked. */
	for (i = 0; i < dwords; i += step * 64) {
		w.n = 0;
		sdma_copy(&w, dropped.va + i * 4, self->out.va, 4);
		sub.ndw = w.n;
		buf_set(&self->out, 0, 1);
		ASSERT_EQ(0, sub_submit(&self->mine, &sub));
		sub_wait(&self->mine, &sub, DIE_WAIT_NS);
		EXPECT_NE(SECRET, buf_get(&self->out, 0));
	}
	for (i = 0; i < dwords; i += step)
		ASSERT_NE(SECRET, buf_get(&dropped, i));

	/* Nor may a write go there. */
	for (i = 0; i < dwords; i += step)
		buf_set(&dropped, i, 0xbad);
	for (i = 0; i < self->num_pieces; i++)
		ASSERT_EQ(SECRET, buf_get(&self->piece[i], 0));
	buf_free(&dropped);
}

/*
 * A job waits; a buffer is mapped while it does; then the buffer loses its place to
 * another process. The job, which was made before, may not go on seeing that place.
 */
TEST_F(hostile, mapped_behind_a_running_job)
{
	struct amdgpu_bo_alloc_request req = {
		.alloc_size = PIECE, .preferred_heap = AMDGPU_GEM_DOMAIN_VRAM,
		.flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED,
	};
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	amdgpu_bo_handle filler[MAX_PIECES], dropped;
	struct ibw w = { .dw = self->ib.cpu };
	struct drm_amdgpu_memory_info mem;
	unsigned int i, j, n = 0;
	amdgpu_va_handle range;
	uint64_t va;

	/* Memory is nearly full, and this one is the first that has to go. */
	req.flags |= AMDGPU_GEM_CREATE_DISCARDABLE;
	ASSERT_EQ(0, amdgpu_bo_alloc(self->mine.dev, &req, &dropped));
	req.flags &= ~AMDGPU_GEM_CREATE_DISCARDABLE;
	do {
		ASSERT_GT(MAX_PIECES, n);
		ASSERT_EQ(0, amdgpu_bo_alloc(self->other.dev, &req, &filler[n++]));
		ASSERT_EQ(0, amdgpu_query_info(self->mine.dev, AMDGPU_INFO_MEMORY, sizeof(mem),
					       &mem));
	} while (mem.vram.heap_usage + 5 * PIECE < mem.vram.usable_heap_size);

	ASSERT_EQ(0, amdgpu_va_range_alloc(self->mine.dev, amdgpu_gpu_va_range_general, PIECE,
					   PAGE, 0, &va, &range, 0));
	pm4_wait_mem(&w, self->out.va, 1);
	pm4_copy_mem(&w, va, self->out.va + 4);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->mine, &sub));
	ASSERT_EQ(0, amdgpu_bo_va_op(dropped, 0, PIECE, va, 0, AMDGPU_VA_OP_MAP));

	for (i = 0; i < 6; i++) {
		amdgpu_bo_handle bo;
		void *cpu;

		ASSERT_EQ(0, amdgpu_bo_alloc(self->other.dev, &req, &bo));
		ASSERT_EQ(0, amdgpu_bo_cpu_map(bo, &cpu));
		for (j = 0; j < PIECE / 4; j += PAGE / 4)
			((uint32_t *)cpu)[j] = SECRET;
	}
	buf_set(&self->out, 0, 1);
	/* On a slow machine the job may be found hanging before: then it has seen nothing. */
	sub_wait(&self->mine, &sub, DIE_WAIT_NS);
	EXPECT_NE(SECRET, buf_get(&self->out, 1));
	while (n)
		amdgpu_bo_free(filler[--n]);
}

/* The number of a user fence is written by the kernel's own packet. */
TEST_F(hostile, user_fence_must_be_where_the_gpu_reaches_it)
{
	int fd = amdgpu_device_get_fd(self->mine.dev);
	union drm_amdgpu_ctx ctx = { .in.op = AMDGPU_CTX_OP_ALLOC_CTX };
	struct drm_amdgpu_cs_chunk_ib ib = { .ip_type = AMDGPU_HW_IP_DMA };
	struct drm_amdgpu_cs_chunk_fence fence = { };
	struct drm_amdgpu_cs_chunk chunk[2] = {
		{ AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib },
		{ AMDGPU_CHUNK_ID_FENCE, sizeof(fence) / 4, (uintptr_t)&fence },
	};
	uint64_t chunks[2] = { (uintptr_t)&chunk[0], (uintptr_t)&chunk[1] };
	struct ibw w = { .dw = self->ib.cpu };
	union drm_amdgpu_cs cs;
	struct buf cpu;

	ASSERT_EQ(0, ioctl(fd, DRM_IOCTL_AMDGPU_CTX, &ctx));
	ASSERT_EQ(0, alloc_flags(&self->mine, PAGE, AMDGPU_GEM_DOMAIN_CPU, 0, &cpu));
	while (w.n < 8)
		emit(&w, SDMA_OP_NOP);
	ib.va_start = self->ib.va;
	ib.ib_bytes = w.n * 4;

	memset(&cs, 0, sizeof(cs));
	cs.in.ctx_id = ctx.out.alloc.ctx_id;
	cs.in.num_chunks = 2;
	cs.in.chunks = (uintptr_t)chunks;
	fence.handle = handle_of(&cpu);
	EXPECT_EQ(-1, ioctl(fd, DRM_IOCTL_AMDGPU_CS, &cs));
	EXPECT_EQ(EINVAL, errno);

	fence.handle = handle_of(&self->out);
	EXPECT_EQ(0, ioctl(fd, DRM_IOCTL_AMDGPU_CS, &cs));
	buf_free(&cpu);
}

/* Nothing but the array of its pages would fill the machine. */
TEST_F(hostile, no_buffer_larger_than_memory)
{
	int fd = amdgpu_device_get_fd(self->mine.dev);
	unsigned int shift;

	for (shift = 36; shift < 64; shift++) {
		union drm_amdgpu_gem_create req = {
			.in.bo_size = 1ull << shift,
			.in.domains = AMDGPU_GEM_DOMAIN_CPU,
		};

		EXPECT_EQ(-1, ioctl(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &req));
		EXPECT_EQ(ENOMEM, errno);
	}
}

TEST_HARNESS_MAIN
