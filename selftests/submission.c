// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Submissions through the CS ioctl: each ring, IBs chained and nested, order
 * and dependencies, many threads and processes at once.
 * Documentation/submission.rst.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"
#include "rings.h"

#define THREADS		4
#define PER_THREAD	200

FIXTURE(submission)
{
	struct die die;
	struct buf ib, buf;
	struct buf *bufs[2];
};

FIXTURE_VARIANT(submission)
{
	unsigned int die;
};

FIXTURE_VARIANT_ADD(submission, die0) { .die = 0, };
FIXTURE_VARIANT_ADD(submission, die1) { .die = 1, };

FIXTURE_SETUP(submission)
{
	int ret = die_open(variant->die, &self->die);

	if (ret == -ENOENT)
		SKIP(return, "no die %u", variant->die);
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, buf_alloc(&self->die, 16384, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->die, 16384, AMDGPU_GEM_DOMAIN_VRAM, &self->buf));
	self->bufs[0] = &self->buf;
	self->bufs[1] = NULL;
}

FIXTURE_TEARDOWN(submission)
{
	if (!self->die.dev)
		return;
	buf_free(&self->buf);
	buf_free(&self->ib);
	die_close(&self->die);
}

static uint32_t available_rings(struct die *die, unsigned int ip)
{
	struct drm_amdgpu_info_hw_ip info;

	return amdgpu_query_hw_ip_info(die->dev, ip, 0, &info) ? 0 : info.available_rings;
}

TEST_F(submission, every_ring_is_there)
{
	EXPECT_EQ(0x1, available_rings(&self->die, AMDGPU_HW_IP_GFX));
	EXPECT_EQ(0xff, available_rings(&self->die, AMDGPU_HW_IP_COMPUTE));
	EXPECT_EQ(0x1f, available_rings(&self->die, AMDGPU_HW_IP_DMA));
}

TEST_F(submission, gfx_writes_memory)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };

	pm4_write(&w, self->buf.va + 4, 0x12345678);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	EXPECT_EQ(0, buf_get(&self->buf, 0));
	EXPECT_EQ(0x12345678, buf_get(&self->buf, 1));
	EXPECT_EQ(0, buf_get(&self->buf, 2));
}

TEST_F(submission, every_sdma_engine_writes_memory)
{
	unsigned int engine;

	for (engine = 0; engine < 5; engine++) {
		struct sub sub = { .ip = AMDGPU_HW_IP_DMA, .ring = engine, .ib = &self->ib,
				   .bufs = self->bufs };
		struct ibw w = { .dw = self->ib.cpu };

		sdma_write(&w, self->buf.va + 4 * engine, 0xcafe0000 + engine);
		sub.ndw = w.n;
		ASSERT_EQ(0, sub_run(&self->die, &sub));
		EXPECT_EQ(0xcafe0000 + engine, buf_get(&self->buf, engine));
	}
}

TEST_F(submission, ib_chains)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };
	struct ibw next = { .dw = (uint32_t *)self->ib.cpu + 256 };

	pm4_write(&next, self->buf.va, 2);
	/* What stands behind the chaining packet never runs. */
	pm4_write(&w, self->buf.va, 1);
	pm4_ib(&w, self->ib.va + 1024, next.n, INDIRECT_BUFFER_CHAIN);
	pm4_write(&w, self->buf.va + 4, 3);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	EXPECT_EQ(2, buf_get(&self->buf, 0));
	EXPECT_EQ(0, buf_get(&self->buf, 1));
}

TEST_F(submission, ib_nests_one_level)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };
	struct ibw inner = { .dw = (uint32_t *)self->ib.cpu + 256 };

	pm4_write(&inner, self->buf.va, 1);
	pm4_ib(&w, self->ib.va + 1024, inner.n, 0);
	/* Control comes back: this overwrites what the inner one wrote. */
	pm4_write(&w, self->buf.va + 4, 2);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	EXPECT_EQ(1, buf_get(&self->buf, 0));
	EXPECT_EQ(2, buf_get(&self->buf, 1));
}

TEST_F(submission, jobs_of_a_context_run_in_order)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	unsigned int i;

	/* Each adds the previous value: 1, then copies to the next word. */
	for (i = 0; i < 100; i++) {
		struct ibw w = { .dw = (uint32_t *)self->ib.cpu + i * 32 };

		pm4_atomic_add(&w, self->buf.va, 1);
		pm4_copy_mem(&w, self->buf.va, self->buf.va + 4 + 4 * i);
		sub.offset = i * 128;
		sub.ndw = w.n;
		ASSERT_EQ(0, sub_submit(&self->die, &sub));
	}
	ASSERT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	for (i = 0; i < 100; i++)
		EXPECT_EQ(i + 1, buf_get(&self->buf, 1 + i));
}

TEST_F(submission, wait_says_not_yet)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };

	pm4_wait_mem(&w, self->buf.va, 1);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->die, &sub));
	EXPECT_EQ(-ETIME, sub_wait(&self->die, &sub, 1000000));
	/* The CPU makes the wait come true, through the BAR. */
	buf_set(&self->buf, 0, 1);
	EXPECT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
}

/* SDMA waits for what GFX writes, by a fence dependency of the CS ioctl. */
TEST_F(submission, rings_depend_on_each_other)
{
	struct amdgpu_cs_fence dep = { .context = self->die.ctx, .ip_type = AMDGPU_HW_IP_GFX };
	struct amdgpu_cs_ib_info ib = { .ib_mc_address = self->ib.va + 4096 };
	struct amdgpu_cs_request req = {
		.ip_type = AMDGPU_HW_IP_DMA, .number_of_ibs = 1, .ibs = &ib,
		.number_of_dependencies = 1, .dependencies = &dep,
	};
	struct sub first = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	struct sub second = { .ip = AMDGPU_HW_IP_DMA };
	struct ibw w = { .dw = self->ib.cpu };
	amdgpu_bo_handle list[] = { self->ib.bo, self->buf.bo };

	pm4_wait_mem(&w, self->buf.va, 1);
	pm4_write(&w, self->buf.va + 4, 0x77);
	first.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->die, &first));

	w = (struct ibw){ .dw = (uint32_t *)self->ib.cpu + 1024 };
	sdma_copy(&w, self->buf.va + 4, self->buf.va + 8, 4);
	while (w.n % 8)
		emit(&w, SDMA_OP_NOP);
	ib.size = w.n;
	dep.fence = first.seq;
	ASSERT_EQ(0, amdgpu_bo_list_create(self->die.dev, 2, list, NULL, &req.resources));
	ASSERT_EQ(0, amdgpu_cs_submit(self->die.ctx, 0, &req, 1));
	amdgpu_bo_list_destroy(req.resources);
	second.seq = req.seq_no;

	EXPECT_EQ(-ETIME, sub_wait(&self->die, &second, 10000000));
	EXPECT_EQ(0, buf_get(&self->buf, 2));
	buf_set(&self->buf, 0, 1);
	EXPECT_EQ(0, sub_wait(&self->die, &second, DIE_WAIT_NS));
	EXPECT_EQ(0x77, buf_get(&self->buf, 2));
}

struct worker {
	struct die *die;
	struct buf *buf;
	unsigned int index;
	int ret;
};

/* Adds 1 to a shared word PER_THREAD times, by all rings in turn. */
static void *work(void *arg)
{
	struct worker *me = arg;
	struct buf *bufs[] = { me->buf, NULL };
	struct buf ib;
	unsigned int i;

	me->ret = buf_alloc(me->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib);
	for (i = 0; i < PER_THREAD && !me->ret; i++) {
		unsigned int ring = (i + me->index) % NUM_RINGS;
		bool dma = ring_ip(ring) == AMDGPU_HW_IP_DMA;
		struct sub sub = { .ip = ring_ip(ring), .ring = ring_nr(ring), .ib = &ib,
				   .bufs = bufs };
		struct ibw w = { .dw = ib.cpu };

		if (dma)
			sdma_atomic_add(&w, me->buf->va, 1);
		else
			pm4_atomic_add(&w, me->buf->va, 1);
		sub.ndw = w.n;
		me->ret = sub_run(me->die, &sub);
	}
	buf_free(&ib);
	return NULL;
}

static int run_threads(struct die *die, struct buf *buf)
{
	struct worker worker[THREADS];
	pthread_t thread[THREADS];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < THREADS; i++) {
		worker[i] = (struct worker){ .die = die, .buf = buf, .index = i };
		if (pthread_create(&thread[i], NULL, work, &worker[i]))
			return -EAGAIN;
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		if (worker[i].ret)
			ret = worker[i].ret;
	}
	return ret;
}

TEST_F(submission, four_threads_at_once)
{
	ASSERT_EQ(0, run_threads(&self->die, &self->buf));
	EXPECT_EQ(THREADS * PER_THREAD, buf_get(&self->buf, 0));
}

/* A process of its own: own file, own address space, four threads. */
static int child(const struct die *parent)
{
	struct die die;
	struct buf buf;
	int ret = die_open_again(parent, &die);

	if (ret)
		return 1;
	if (buf_alloc(&die, 4096, AMDGPU_GEM_DOMAIN_VRAM, &buf))
		return 2;
	if (run_threads(&die, &buf))
		return 3;
	if (buf_get(&buf, 0) != THREADS * PER_THREAD)
		return 4;
	buf_free(&buf);
	die_close(&die);
	return 0;
}

TEST_F(submission, two_processes_of_four_threads)
{
	pid_t pid[2];
	int i, status;

	for (i = 0; i < 2; i++) {
		pid[i] = fork();
		ASSERT_LE(0, pid[i]);
		if (!pid[i])
			_exit(child(&self->die));
	}
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status);
	}
}

/* More address spaces at once than there are VMIDs, all with work in flight. */
TEST_F(submission, more_address_spaces_than_vmids)
{
	enum { N = 24 };
	static struct die die[N];
	static struct buf ib[N], buf[N];
	static struct sub sub[N];
	static struct buf *bufs[N][2];
	int i;

	for (i = 0; i < N; i++) {
		struct ibw w;

		ASSERT_EQ(0, die_open_again(&self->die, &die[i]));
		ASSERT_EQ(0, buf_alloc(&die[i], 4096, AMDGPU_GEM_DOMAIN_GTT, &ib[i]));
		ASSERT_EQ(0, buf_alloc(&die[i], 4096, AMDGPU_GEM_DOMAIN_VRAM, &buf[i]));
		w = (struct ibw){ .dw = ib[i].cpu };
		pm4_write(&w, buf[i].va, 100 + i);
		bufs[i][0] = &buf[i];
		sub[i] = (struct sub){ .ip = AMDGPU_HW_IP_GFX, .ib = &ib[i], .ndw = w.n,
				       .bufs = bufs[i] };
	}
	for (i = 0; i < N; i++)
		ASSERT_EQ(0, sub_submit(&die[i], &sub[i]));
	for (i = 0; i < N; i++) {
		EXPECT_EQ(0, sub_wait(&die[i], &sub[i], DIE_WAIT_NS));
		EXPECT_EQ(100 + i, buf_get(&buf[i], 0));
	}
	for (i = 0; i < N; i++) {
		buf_free(&buf[i]);
		buf_free(&ib[i]);
		die_close(&die[i]);
	}
}

TEST_HARNESS_MAIN
