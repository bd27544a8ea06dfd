// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Address spaces: a job reaches the buffers of its own file and nothing else,
 * by no address and through no engine. Documentation/memory.rst.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <hw/reg/gc.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"
#include "rings.h"

FIXTURE(isolation)
{
	struct die mine, other;
	struct buf ib, buf, secret;
	struct buf *bufs[2];
};

FIXTURE_SETUP(isolation)
{
	ASSERT_EQ(0, die_open(0, &self->mine));
	ASSERT_EQ(0, die_open_again(&self->mine, &self->other));
	ASSERT_EQ(0, buf_alloc(&self->mine, 16384, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->mine, 4096, AMDGPU_GEM_DOMAIN_VRAM, &self->buf));
	self->bufs[0] = &self->buf;
	self->bufs[1] = NULL;
}

FIXTURE_TEARDOWN(isolation)
{
	if (!self->mine.dev || !self->other.dev)
		return;
	buf_free(&self->secret);
	buf_free(&self->buf);
	buf_free(&self->ib);
	die_close(&self->other);
	die_close(&self->mine);
}

/* An address that is mapped over there and not here. */
static int alloc_elsewhere(struct die *other, uint64_t avoid, struct buf *secret)
{
	struct buf pad[16];
	unsigned int i, n;
	int ret = 0;

	for (n = 0; n < 16 && !ret; n++)
		ret = buf_alloc(other, 4096, AMDGPU_GEM_DOMAIN_VRAM, &pad[n]);
	if (!ret)
		ret = buf_alloc(other, 4096, AMDGPU_GEM_DOMAIN_VRAM, secret);
	for (i = 0; i < n; i++)
		buf_free(&pad[i]);
	return ret ? ret : secret->va == avoid ? -EEXIST : 0;
}

TEST_F(isolation, same_address_is_other_memory)
{
	struct buf theirs;
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };
	struct buf first;

	/* Both address spaces hand out the same addresses in the same order. */
	ASSERT_EQ(0, buf_alloc(&self->other, 16384, AMDGPU_GEM_DOMAIN_GTT, &first));
	ASSERT_EQ(0, buf_alloc(&self->other, 4096, AMDGPU_GEM_DOMAIN_VRAM, &theirs));
	ASSERT_EQ(self->buf.va, theirs.va);

	pm4_write(&w, self->buf.va, 0x1111);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->mine, &sub));
	EXPECT_EQ(0x1111, buf_get(&self->buf, 0));
	EXPECT_EQ(0, buf_get(&theirs, 0));
	buf_free(&theirs);
	buf_free(&first);
}

/* Write to, and read from, the other's buffer by its address, with each engine. */
TEST_F(isolation, other_files_buffer_is_out_of_reach)
{
	unsigned int i;

	ASSERT_EQ(0, alloc_elsewhere(&self->other, self->buf.va, &self->secret));
	buf_set(&self->secret, 0, 0x5ec2e7);

	for (i = 0; i < NUM_RINGS; i++) {
		struct sub sub = { .ip = ring_ip(i), .ring = ring_nr(i), .ib = &self->ib,
				   .bufs = self->bufs };
		struct ibw w = { .dw = self->ib.cpu };

		buf_set(&self->buf, 0, 1);
		ring_write(&w, sub.ip, self->secret.va, 0xbad);
		if (sub.ip == AMDGPU_HW_IP_DMA)
			sdma_copy(&w, self->secret.va, self->buf.va, 4);
		else
			pm4_copy_mem(&w, self->secret.va, self->buf.va);
		sub.ndw = w.n;
		ASSERT_EQ(0, sub_submit(&self->mine, &sub));
		sub_wait(&self->mine, &sub, DIE_WAIT_NS);
		EXPECT_EQ(0x5ec2e7, buf_get(&self->secret, 0));
		EXPECT_NE(0x5ec2e7, buf_get(&self->buf, 0));
	}
}

/* A user's IB may not change the page tables under it. */
static void break_out(struct __test_metadata *_metadata, struct _test_data_isolation *self,
		      unsigned int ip)
{
	struct sub sub = { .ip = ip, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };
	struct die third;
	struct buf ib, buf, *bufs[] = { &buf, NULL };

	pm4_write_reg(&w, VGPU_REG_ABS(GC, regVM_CONTEXT1_PAGE_TABLE_BASE_ADDR_LO32), 0x1001);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->mine, &sub));
	sub_wait(&self->mine, &sub, DIE_WAIT_NS);

	/* Whatever became of that job, others have their own page tables still. */
	ASSERT_EQ(0, die_open_again(&self->mine, &third));
	ASSERT_EQ(0, buf_alloc(&third, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib));
	ASSERT_EQ(0, buf_alloc(&third, 4096, AMDGPU_GEM_DOMAIN_VRAM, &buf));
	w = (struct ibw){ .dw = ib.cpu };
	pm4_write(&w, buf.va, 0x2222);
	sub = (struct sub){ .ip = ip, .ib = &ib, .bufs = bufs, .ndw = w.n };
	EXPECT_EQ(0, sub_run(&third, &sub));
	EXPECT_EQ(0x2222, buf_get(&buf, 0));
	buf_free(&buf);
	buf_free(&ib);
	die_close(&third);
}

TEST_F(isolation, privileged_registers_are_out_of_reach)
{
	break_out(_metadata, self, AMDGPU_HW_IP_GFX);
}

TEST_F(isolation, privileged_registers_are_out_of_reach_of_compute)
{
	break_out(_metadata, self, AMDGPU_HW_IP_COMPUTE);
}

/* Packets that manage queues are the kernel's. */
TEST_F(isolation, queues_are_the_kernels_to_manage)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_COMPUTE, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };
	unsigned int i;

	emit(&w, PACKET3(PACKET3_UNMAP_QUEUES, 4));
	emit(&w, PACKET3_UNMAP_QUEUES_ACTION(UNMAP_QUEUES_RESET) |
		 PACKET3_UNMAP_QUEUES_QUEUE_SEL(UNMAP_QUEUES_SEL_ALL));
	for (i = 0; i < 4; i++)
		emit(&w, 0);
	pm4_write(&w, self->buf.va, 0xbad);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->mine, &sub));
	sub_wait(&self->mine, &sub, DIE_WAIT_NS);
	EXPECT_EQ(0, buf_get(&self->buf, 0));
}

/* Unmapped, then another's: the old address leads nowhere at once. */
TEST_F(isolation, unmapped_memory_is_gone)
{
	struct buf gone, *bufs[] = { &self->buf, NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = bufs };
	struct ibw w = { .dw = self->ib.cpu };
	uint64_t va;
	uint32_t i, sum = 0;

	ASSERT_EQ(0, buf_alloc(&self->mine, 1 << 20, AMDGPU_GEM_DOMAIN_VRAM, &gone));
	va = gone.va;
	pm4_write(&w, va, 1);
	sub.ndw = w.n;
	bufs[0] = &gone;
	ASSERT_EQ(0, sub_run(&self->mine, &sub));
	buf_free(&gone);

	/* Very likely the same memory, for the other one now. */
	ASSERT_EQ(0, buf_alloc(&self->other, 1 << 20, AMDGPU_GEM_DOMAIN_VRAM, &self->secret));
	bufs[0] = &self->buf;
	w.n = 0;
	pm4_write(&w, va, 0xbad);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->mine, &sub));
	sub_wait(&self->mine, &sub, DIE_WAIT_NS);
	for (i = 0; i < self->secret.size / 4; i++)
		sum |= buf_get(&self->secret, i);
	EXPECT_EQ(0, sum);
}

TEST_HARNESS_MAIN
