// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * When a job goes wrong: it hangs, it faults, it is no packet at all. Its
 * context is told, its ring recovers, and nobody else notices.
 * Documentation/submission.rst, "Recovery".
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"
#include "rings.h"

FIXTURE(recovery)
{
	struct die die, other;
	struct buf ib, buf, other_ib, other_buf;
};

FIXTURE_VARIANT(recovery)
{
	unsigned int ip;
};

FIXTURE_VARIANT_ADD(recovery, gfx) { .ip = AMDGPU_HW_IP_GFX, };
FIXTURE_VARIANT_ADD(recovery, compute) { .ip = AMDGPU_HW_IP_COMPUTE, };
FIXTURE_VARIANT_ADD(recovery, sdma) { .ip = AMDGPU_HW_IP_DMA, };

FIXTURE_SETUP(recovery)
{
	ASSERT_EQ(0, die_open(0, &self->die));
	ASSERT_EQ(0, die_open_again(&self->die, &self->other));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_VRAM, &self->buf));
	ASSERT_EQ(0, buf_alloc(&self->other, 8192, AMDGPU_GEM_DOMAIN_GTT, &self->other_ib));
	ASSERT_EQ(0, buf_alloc(&self->other, 4096, AMDGPU_GEM_DOMAIN_VRAM, &self->other_buf));
}

FIXTURE_TEARDOWN(recovery)
{
	if (!self->die.dev || !self->other.dev)
		return;
	buf_free(&self->other_buf);
	buf_free(&self->other_ib);
	buf_free(&self->buf);
	buf_free(&self->ib);
	die_close(&self->other);
	die_close(&self->die);
}

/* A job that writes @value to word @i, on the engine of the variant. */
static int write_word(struct die *die, struct buf *ib, struct buf *buf, unsigned int ip,
		      unsigned int i, uint32_t value, struct sub *sub)
{
	static struct buf *bufs[2];
	struct ibw w = { .dw = (uint32_t *)ib->cpu + 32 * (i % 32) };

	bufs[0] = buf;
	ring_write(&w, ip, buf->va + 4 * i, value);
	*sub = (struct sub){ .ip = ip, .ib = ib, .offset = 128 * (i % 32), .ndw = w.n,
			     .bufs = bufs };
	return sub_submit(die, sub);
}

static int hang(struct die *die, struct buf *ib, struct buf *buf, unsigned int ip, struct sub *sub)
{
	static struct buf *bufs[2];
	struct ibw w = { .dw = ib->cpu };

	bufs[0] = buf;
	ring_wait_mem(&w, ip, buf->va + 128, 0x4e7e2);
	*sub = (struct sub){ .ip = ip, .ib = ib, .ndw = w.n, .bufs = bufs };
	return sub_submit(die, sub);
}

static bool usable(struct die *die, struct buf *ib, struct buf *buf, unsigned int ip)
{
	struct sub sub;

	buf_set(buf, 7, 0);
	return !write_word(die, ib, buf, ip, 7, 0x700d, &sub) &&
	       !sub_wait(die, &sub, DIE_WAIT_NS) && buf_get(buf, 7) == 0x700d;
}

TEST_F(recovery, hang_costs_only_its_context)
{
	uint32_t state = ~0u, hangs = ~0u;
	struct sub bad, good[20];
	unsigned int i;

	ASSERT_EQ(0, hang(&self->die, &self->ib, &self->buf, variant->ip, &bad));
	/* These queue up behind it, on the same ring. */
	for (i = 0; i < 20; i++)
		ASSERT_EQ(0, write_word(&self->other, &self->other_ib, &self->other_buf,
					variant->ip, i, 1000 + i, &good[i]));
	for (i = 0; i < 20; i++) {
		EXPECT_EQ(0, sub_wait(&self->other, &good[i], DIE_WAIT_NS));
		EXPECT_EQ(1000 + i, buf_get(&self->other_buf, i));
	}
	/* The guilty one has ended too, and knows. */
	EXPECT_NE(-ETIME, sub_wait(&self->die, &bad, DIE_WAIT_NS));
	EXPECT_EQ(0, amdgpu_cs_query_reset_state(self->die.ctx, &state, &hangs));
	EXPECT_EQ(AMDGPU_CTX_GUILTY_RESET, state);
	EXPECT_EQ(0, amdgpu_cs_query_reset_state(self->other.ctx, &state, &hangs));
	EXPECT_NE(AMDGPU_CTX_GUILTY_RESET, state);
	/* A guilty context gets no more work, a new one does. */
	EXPECT_EQ(-ECANCELED, write_word(&self->die, &self->ib, &self->buf, variant->ip, 1, 1,
					 &bad));
	amdgpu_cs_ctx_free(self->die.ctx);
	ASSERT_EQ(0, amdgpu_cs_ctx_create(self->die.dev, &self->die.ctx));
	EXPECT_TRUE(usable(&self->die, &self->ib, &self->buf, variant->ip));
	EXPECT_TRUE(usable(&self->other, &self->other_ib, &self->other_buf, variant->ip));
}

TEST_F(recovery, unknown_packet_is_reported_and_survived)
{
	static struct buf *bufs[2];
	struct ibw w = { .dw = self->ib.cpu };
	struct sub sub;

	bufs[0] = &self->buf;
	if (variant->ip != AMDGPU_HW_IP_DMA) {
		emit(&w, PACKET3(0x01, 0));
		emit(&w, 0);
	} else {
		emit(&w, 0x7f);
	}
	sub = (struct sub){ .ip = variant->ip, .ib = &self->ib, .ndw = w.n,
			    .bufs = bufs };
	ASSERT_EQ(0, sub_submit(&self->die, &sub));
	EXPECT_NE(-ETIME, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	EXPECT_TRUE(usable(&self->other, &self->other_ib, &self->other_buf, variant->ip));
}

/* Nothing is mapped there: the job is told of, the machine goes on. */
TEST_F(recovery, page_fault_is_reported_and_survived)
{
	static struct buf *bufs[2];
	struct ibw w = { .dw = self->ib.cpu };
	struct sub sub;

	bufs[0] = &self->buf;
	ring_write(&w, variant->ip, 0x123456789000ull, 1);
	sub = (struct sub){ .ip = variant->ip, .ib = &self->ib, .ndw = w.n,
			    .bufs = bufs };
	ASSERT_EQ(0, sub_submit(&self->die, &sub));
	EXPECT_NE(-ETIME, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	EXPECT_TRUE(usable(&self->other, &self->other_ib, &self->other_buf, variant->ip));
}

struct bystander {
	struct die *die;
	struct buf *ib, *buf;
	bool stop;
	unsigned int runs, wrong;
};

static void *stand_by(void *arg)
{
	struct bystander *b = arg;
	struct sub sub;

	while (!__atomic_load_n(&b->stop, __ATOMIC_RELAXED)) {
		b->runs++;
		if (write_word(b->die, b->ib, b->buf, AMDGPU_HW_IP_GFX, 3, b->runs, &sub) ||
		    sub_wait(b->die, &sub, DIE_WAIT_NS) ||
		    buf_get(b->buf, 3) != b->runs)
			b->wrong++;
	}
	return NULL;
}

/* Hang after hang while another process works on: it never sees a wrong word. */
TEST_F(recovery, others_work_on_through_hangs)
{
	struct bystander b = { .die = &self->other, .ib = &self->other_ib,
			       .buf = &self->other_buf };
	pthread_t thread;
	struct sub sub;
	unsigned int i;

	ASSERT_EQ(0, pthread_create(&thread, NULL, stand_by, &b));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, hang(&self->die, &self->ib, &self->buf, variant->ip, &sub));
		EXPECT_NE(-ETIME, sub_wait(&self->die, &sub, DIE_WAIT_NS));
		amdgpu_cs_ctx_free(self->die.ctx);
		ASSERT_EQ(0, amdgpu_cs_ctx_create(self->die.dev, &self->die.ctx));
	}
	__atomic_store_n(&b.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_LT(0, b.runs);
	EXPECT_EQ(0, b.wrong);
}

/*
 * One ring hangs, and others wait in the same address space: they are not touched. A
 * packet that was ended before its time would let the next one write too early.
 */
TEST_F(recovery, other_rings_of_the_process_go_on)
{
	struct buf *bufs[2] = { &self->buf, NULL };
	amdgpu_context_handle ctx;
	struct sub bad, waits[NUM_RINGS];
	unsigned int i;

	ASSERT_EQ(0, amdgpu_cs_ctx_create(self->die.dev, &ctx));
	ASSERT_EQ(0, hang(&self->die, &self->ib, &self->buf, variant->ip, &bad));
	amdgpu_cs_ctx_free(self->die.ctx);
	self->die.ctx = ctx;
	for (i = 0; i < NUM_RINGS; i++) {
		struct ibw w = { .dw = (uint32_t *)self->ib.cpu + 32 * (1 + i) };

		if (ring_ip(i) == variant->ip && !ring_nr(i))
			continue;
		ring_wait_mem(&w, ring_ip(i), self->buf.va + 256, 1);
		ring_write(&w, ring_ip(i), self->buf.va + 512 + 4 * i, 0x900d);
		waits[i] = (struct sub){
			.ip = ring_ip(i), .ring = ring_nr(i), .ib = &self->ib,
			.offset = 128 * (1 + i), .ndw = w.n, .bufs = bufs,
		};
		ASSERT_EQ(0, sub_submit(&self->die, &waits[i]));
	}
	/* The ring has been recovered when another's job has run on it. */
	EXPECT_TRUE(usable(&self->other, &self->other_ib, &self->other_buf, variant->ip));
	for (i = 0; i < NUM_RINGS; i++)
		EXPECT_EQ(0, buf_get(&self->buf, 128 + i));
}

TEST_HARNESS_MAIN
