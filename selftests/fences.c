// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What a submission can wait for and what can wait for it: user fences, syncobjs,
 * timelines, sync files; and what becomes of it when its process is killed.
 * Documentation/submission.rst, "Waiting".
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xf86drm.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"
#include "rings.h"

#define MAX_CHUNKS	8

FIXTURE(fences)
{
	struct die die;
	struct buf ib, buf, fence;
};

FIXTURE_SETUP(fences)
{
	ASSERT_EQ(0, die_open(0, &self->die));
	ASSERT_EQ(0, buf_alloc(&self->die, 65536, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_VRAM, &self->buf));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &self->fence));
}

FIXTURE_TEARDOWN(fences)
{
	if (!self->die.dev)
		return;
	buf_free(&self->fence);
	buf_free(&self->buf);
	buf_free(&self->ib);
	die_close(&self->die);
}

/* struct raw - a submission of chunks as they go to the kernel */
struct raw {
	struct drm_amdgpu_cs_chunk chunks[MAX_CHUNKS];
	struct drm_amdgpu_cs_chunk_ib ib;
	struct drm_amdgpu_bo_list_entry bos[3];
	struct drm_amdgpu_bo_list_in list;
	unsigned int num, num_bos;
	uint64_t seq;
};

static void raw_chunk(struct raw *raw, uint32_t id, const void *data, size_t bytes)
{
	raw->chunks[raw->num].chunk_id = id;
	raw->chunks[raw->num].length_dw = bytes / 4;
	raw->chunks[raw->num].chunk_data = (uintptr_t)data;
	raw->num++;
}

static int raw_bo(struct raw *raw, const struct buf *buf)
{
	return amdgpu_bo_export(buf->bo, amdgpu_bo_handle_type_kms,
				&raw->bos[raw->num_bos++].bo_handle);
}

/* An IB with the packets of @w, on @ring of @ip; more chunks may follow. */
static int raw_init(struct raw *raw, unsigned int ip, unsigned int ring, const struct buf *ib,
		    const struct buf *buf, struct ibw *w)
{
	while (w->n % 8)
		ring_nop(w, ip);
	memset(raw, 0, sizeof(*raw));
	raw->ib.va_start = ib->va + ((char *)w->dw - (char *)ib->cpu);
	raw->ib.ib_bytes = w->n * 4;
	raw->ib.ip_type = ip;
	raw->ib.ring = ring;
	raw_chunk(raw, AMDGPU_CHUNK_ID_IB, &raw->ib, sizeof(raw->ib));
	if (raw_bo(raw, ib) || raw_bo(raw, buf))
		return -EINVAL;
	raw->list.operation = ~0u;
	raw->list.list_handle = ~0u;
	raw->list.bo_number = raw->num_bos;
	raw->list.bo_info_size = sizeof(raw->bos[0]);
	raw->list.bo_info_ptr = (uintptr_t)raw->bos;
	raw_chunk(raw, AMDGPU_CHUNK_ID_BO_HANDLES, &raw->list, sizeof(raw->list));
	return 0;
}

static int raw_submit(struct die *die, amdgpu_context_handle ctx, struct raw *raw)
{
	return amdgpu_cs_submit_raw2(die->dev, ctx, 0, raw->num, raw->chunks, &raw->seq);
}

static int raw_wait(amdgpu_context_handle ctx, const struct raw *raw)
{
	struct amdgpu_cs_fence fence = {
		.context = ctx, .ip_type = raw->ib.ip_type, .ring = raw->ib.ring,
		.fence = raw->seq,
	};
	uint32_t expired = 0;
	int ret = amdgpu_cs_query_fence_status(&fence, DIE_WAIT_NS, 0, &expired);

	return ret ? ret : expired ? 0 : -ETIME;
}

/* Part @i of the IB's buffer, 256 bytes */
static struct ibw ib_part(struct buf *ib, unsigned int i)
{
	return (struct ibw){ .dw = (uint32_t *)ib->cpu + 64 * i };
}

/* Word 0 of @gate holds a job back until it is set to 1. */
static void wait_gate(struct ibw *w, unsigned int ip, const struct buf *gate)
{
	ring_wait_mem(w, ip, gate->va, 1);
}

/* The GPU writes the number of the submission where it was told, all 64 bits. */
TEST_F(fences, user_fence)
{
	static const unsigned int ips[] = {
		AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_COMPUTE, AMDGPU_HW_IP_DMA,
	};
	struct drm_amdgpu_cs_chunk_fence uf = { .offset = 4096 - 8 };
	unsigned int i, k;

	ASSERT_EQ(0, amdgpu_bo_export(self->fence.bo, amdgpu_bo_handle_type_kms, &uf.handle));
	for (i = 0; i < 3; i++) {
		for (k = 0; k < 3; k++) {
			struct ibw w = ib_part(&self->ib, 0);
			struct raw raw;

			buf_set(&self->fence, 1022, 0x55555555);
			buf_set(&self->fence, 1023, 0xaaaaaaaa);
			ring_write(&w, ips[i], self->buf.va, i + k);
			ASSERT_EQ(0, raw_init(&raw, ips[i], 0, &self->ib, &self->buf, &w));
			raw_chunk(&raw, AMDGPU_CHUNK_ID_FENCE, &uf, sizeof(uf));
			ASSERT_EQ(0, raw_submit(&self->die, self->die.ctx, &raw));
			ASSERT_EQ(0, raw_wait(self->die.ctx, &raw));
			EXPECT_EQ(raw.seq, buf_get(&self->fence, 1022));
			EXPECT_EQ(0, buf_get(&self->fence, 1023));
		}
	}
}

/* A job whose syncobj is not signalled yet holds back the one on another ring. */
TEST_F(fences, syncobj_orders_rings)
{
	struct drm_amdgpu_cs_chunk_sem sem;
	struct ibw w;
	struct raw a, b;

	ASSERT_EQ(0, amdgpu_cs_create_syncobj(self->die.dev, &sem.handle));
	buf_set(&self->fence, 0, 0);

	w = ib_part(&self->ib, 0);
	wait_gate(&w, AMDGPU_HW_IP_DMA, &self->fence);
	sdma_write(&w, self->buf.va, 0x1111);
	ASSERT_EQ(0, raw_init(&a, AMDGPU_HW_IP_DMA, 1, &self->ib, &self->buf, &w));
	raw_chunk(&a, AMDGPU_CHUNK_ID_SYNCOBJ_OUT, &sem, sizeof(sem));
	ASSERT_EQ(0, raw_submit(&self->die, self->die.ctx, &a));

	w = ib_part(&self->ib, 1);
	pm4_copy_mem(&w, self->buf.va, self->buf.va + 4);
	ASSERT_EQ(0, raw_init(&b, AMDGPU_HW_IP_GFX, 0, &self->ib, &self->buf, &w));
	raw_chunk(&b, AMDGPU_CHUNK_ID_SYNCOBJ_IN, &sem, sizeof(sem));
	ASSERT_EQ(0, raw_submit(&self->die, self->die.ctx, &b));

	buf_set(&self->fence, 0, 1);
	EXPECT_EQ(0, raw_wait(self->die.ctx, &b));
	EXPECT_EQ(0, raw_wait(self->die.ctx, &a));
	EXPECT_EQ(0x1111, buf_get(&self->buf, 1));
	amdgpu_cs_destroy_syncobj(self->die.dev, sem.handle);
}

TEST_F(fences, timeline_points)
{
	struct drm_amdgpu_cs_chunk_syncobj signal = { .point = 3 }, wait = { .point = 3 };
	uint64_t point = 0, three = 3;
	struct ibw w;
	struct raw a, b;

	ASSERT_EQ(0, amdgpu_cs_create_syncobj(self->die.dev, &signal.handle));
	wait.handle = signal.handle;
	buf_set(&self->fence, 0, 0);

	/* Nobody has promised that point: there is nothing to wait for. */
	w = ib_part(&self->ib, 1);
	pm4_copy_mem(&w, self->buf.va, self->buf.va + 4);
	ASSERT_EQ(0, raw_init(&b, AMDGPU_HW_IP_GFX, 0, &self->ib, &self->buf, &w));
	raw_chunk(&b, AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT, &wait, sizeof(wait));
	EXPECT_NE(0, raw_submit(&self->die, self->die.ctx, &b));

	w = ib_part(&self->ib, 0);
	wait_gate(&w, AMDGPU_HW_IP_DMA, &self->fence);
	sdma_write(&w, self->buf.va, 0x2222);
	ASSERT_EQ(0, raw_init(&a, AMDGPU_HW_IP_DMA, 2, &self->ib, &self->buf, &w));
	raw_chunk(&a, AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL, &signal, sizeof(signal));
	ASSERT_EQ(0, raw_submit(&self->die, self->die.ctx, &a));
	ASSERT_EQ(0, raw_submit(&self->die, self->die.ctx, &b));
	EXPECT_EQ(0, amdgpu_cs_syncobj_query(self->die.dev, &signal.handle, &point, 1));
	EXPECT_EQ(0, point);

	buf_set(&self->fence, 0, 1);
	EXPECT_EQ(0, amdgpu_cs_syncobj_timeline_wait(self->die.dev, &signal.handle, &three, 1,
						     INT64_MAX,
						     DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
						     NULL));
	EXPECT_EQ(0, raw_wait(self->die.ctx, &b));
	EXPECT_EQ(0x2222, buf_get(&self->buf, 1));
	EXPECT_EQ(0, amdgpu_cs_syncobj_query(self->die.dev, &signal.handle, &point, 1));
	EXPECT_EQ(3, point);
	amdgpu_cs_destroy_syncobj(self->die.dev, signal.handle);
}

/* A submission as a file that poll() knows, and as a syncobj. */
TEST_F(fences, fence_to_handle)
{
	struct amdgpu_cs_fence fence = {
		.context = self->die.ctx, .ip_type = AMDGPU_HW_IP_GFX,
	};
	struct pollfd pfd = { .events = POLLIN };
	uint32_t syncobj, fd;
	struct ibw w;
	struct raw raw;

	buf_set(&self->fence, 0, 0);
	w = ib_part(&self->ib, 0);
	wait_gate(&w, AMDGPU_HW_IP_GFX, &self->fence);
	ASSERT_EQ(0, raw_init(&raw, AMDGPU_HW_IP_GFX, 0, &self->ib, &self->buf, &w));
	ASSERT_EQ(0, raw_submit(&self->die, self->die.ctx, &raw));
	fence.fence = raw.seq;
	ASSERT_EQ(0, amdgpu_cs_fence_to_handle(self->die.dev, &fence,
					       AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD, &fd));
	ASSERT_EQ(0, amdgpu_cs_fence_to_handle(self->die.dev, &fence,
					       AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ, &syncobj));
	pfd.fd = fd;
	EXPECT_EQ(0, poll(&pfd, 1, 0));
	EXPECT_NE(0, amdgpu_cs_syncobj_wait(self->die.dev, &syncobj, 1, 0, 0, NULL));

	buf_set(&self->fence, 0, 1);
	EXPECT_EQ(1, poll(&pfd, 1, 20000));
	EXPECT_EQ(0, amdgpu_cs_syncobj_wait(self->die.dev, &syncobj, 1, INT64_MAX, 0, NULL));
	close(fd);
	amdgpu_cs_destroy_syncobj(self->die.dev, syncobj);
}

/* One job of two is held back: any is the other one, all is neither yet. */
TEST_F(fences, any_and_all)
{
	struct amdgpu_cs_fence fences[2] = {
		{ .context = self->die.ctx, .ip_type = AMDGPU_HW_IP_DMA, .ring = 0 },
		{ .context = self->die.ctx, .ip_type = AMDGPU_HW_IP_DMA, .ring = 1 },
	};
	uint32_t status = 0, first = ~0u;
	struct raw raw[2];
	struct ibw w;
	unsigned int i;

	buf_set(&self->fence, 0, 0);
	for (i = 0; i < 2; i++) {
		w = ib_part(&self->ib, i);
		if (!i)
			wait_gate(&w, AMDGPU_HW_IP_DMA, &self->fence);
		sdma_write(&w, self->buf.va + 4 * i, 7 + i);
		ASSERT_EQ(0, raw_init(&raw[i], AMDGPU_HW_IP_DMA, i, &self->ib, &self->buf, &w));
		ASSERT_EQ(0, raw_submit(&self->die, self->die.ctx, &raw[i]));
		fences[i].fence = raw[i].seq;
	}
	EXPECT_EQ(0, amdgpu_cs_wait_fences(fences, 2, false, DIE_WAIT_NS, &status, &first));
	EXPECT_EQ(1, status);
	EXPECT_EQ(1, first);
	EXPECT_EQ(0, amdgpu_cs_wait_fences(fences, 2, true, 1000 * 1000, &status, NULL));
	EXPECT_EQ(0, status);
	buf_set(&self->fence, 0, 1);
	EXPECT_EQ(0, amdgpu_cs_wait_fences(fences, 2, true, DIE_WAIT_NS, &status, NULL));
	EXPECT_EQ(1, status);
	EXPECT_EQ(7, buf_get(&self->buf, 0));
	EXPECT_EQ(8, buf_get(&self->buf, 1));
}

/*
 * Behind a job that hangs: those of its own context never run, and say so; those
 * of another context of the same process do, in order.
 */
TEST_F(fences, guilt_is_of_a_context)
{
	amdgpu_context_handle ctx;
	struct raw bad, own[3], good[8];
	bool taken[3] = { };
	struct ibw w;
	unsigned int i;
	int ret;

	ASSERT_EQ(0, amdgpu_cs_ctx_create(self->die.dev, &ctx));
	buf_set(&self->fence, 0, 0);
	for (i = 0; i < 16; i++)
		buf_set(&self->buf, i, 0);

	w = ib_part(&self->ib, 0);
	wait_gate(&w, AMDGPU_HW_IP_GFX, &self->fence);
	ASSERT_EQ(0, raw_init(&bad, AMDGPU_HW_IP_GFX, 0, &self->ib, &self->buf, &w));
	ASSERT_EQ(0, raw_submit(&self->die, self->die.ctx, &bad));
	for (i = 0; i < 8; i++) {
		if (i < 3) {
			w = ib_part(&self->ib, 1 + i);
			pm4_write(&w, self->buf.va + 4 * i, 0xbad);
			ASSERT_EQ(0, raw_init(&own[i], AMDGPU_HW_IP_GFX, 0, &self->ib,
					      &self->buf, &w));
			/* A slow machine finds the hang meanwhile, and takes no more. */
			ret = raw_submit(&self->die, self->die.ctx, &own[i]);
			ASSERT_TRUE(ret == 0 || ret == -ECANCELED);
			taken[i] = !ret;
		}
		w = ib_part(&self->ib, 8 + i);
		/* Each also copies what the one before it wrote. */
		pm4_write(&w, self->buf.va + 4 * (8 + i), 100 + i);
		if (i)
			pm4_copy_mem(&w, self->buf.va + 4 * (7 + i), self->buf.va + 4 * 31);
		ASSERT_EQ(0, raw_init(&good[i], AMDGPU_HW_IP_GFX, 0, &self->ib, &self->buf, &w));
		ASSERT_EQ(0, raw_submit(&self->die, ctx, &good[i]));
	}

	for (i = 0; i < 8; i++) {
		EXPECT_EQ(0, raw_wait(ctx, &good[i]));
		EXPECT_EQ(100 + i, buf_get(&self->buf, 8 + i));
	}
	EXPECT_EQ(106, buf_get(&self->buf, 31));
	EXPECT_EQ(-ECANCELED, raw_wait(self->die.ctx, &bad));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(-ECANCELED, taken[i] ? raw_wait(self->die.ctx, &own[i]) : -ECANCELED);
		EXPECT_EQ(0, buf_get(&self->buf, i));
	}
	amdgpu_cs_ctx_free(ctx);
}

/* Every ring hangs at the same time, and every ring comes back. */
TEST_F(fences, all_rings_hang_at_once)
{
	amdgpu_context_handle ctx[NUM_RINGS];
	struct raw raw;
	struct ibw w;
	unsigned int i;

	buf_set(&self->fence, 0, 0);
	for (i = 0; i < NUM_RINGS; i++) {
		unsigned int ip = ring_ip(i);

		ASSERT_EQ(0, amdgpu_cs_ctx_create(self->die.dev, &ctx[i]));
		w = ib_part(&self->ib, i);
		wait_gate(&w, ip, &self->fence);
		ASSERT_EQ(0, raw_init(&raw, ip, ring_nr(i), &self->ib, &self->buf, &w));
		ASSERT_EQ(0, raw_submit(&self->die, ctx[i], &raw));
	}
	for (i = 0; i < NUM_RINGS; i++) {
		unsigned int ip = ring_ip(i);

		w = ib_part(&self->ib, 16 + i);
		ring_write(&w, ip, self->buf.va + 4 * i, 0x100 + i);
		ASSERT_EQ(0, raw_init(&raw, ip, ring_nr(i), &self->ib, &self->buf, &w));
		ASSERT_EQ(0, raw_submit(&self->die, self->die.ctx, &raw));
		EXPECT_EQ(0, raw_wait(self->die.ctx, &raw));
		EXPECT_EQ(0x100 + i, buf_get(&self->buf, i));
		amdgpu_cs_ctx_free(ctx[i]);
	}
}

/*
 * Fills the queues of every ring behind a job that hangs, and does not wait. On a
 * slow machine the hang is found meanwhile: then the context gets no more work.
 */
static void flood(struct die *die, struct buf *ib, struct buf *buf, struct buf *gate)
{
	struct raw raw;
	struct ibw w;
	unsigned int i, k;
	int ret;

	for (i = 0; i < NUM_RINGS; i++) {
		unsigned int ip = ring_ip(i);

		for (k = 0; k < 20; k++) {
			w = ib_part(ib, i * 20 + k);
			if (!k)
				wait_gate(&w, ip, gate);
			ring_write(&w, ip, buf->va + 4 * (i * 20 + k), 1);
			if (raw_init(&raw, ip, ring_nr(i), ib, buf, &w))
				_exit(1);
			ret = raw_submit(die, die->ctx, &raw);
			if (ret == -ECANCELED)
				return;
			if (ret)
				_exit(1);
		}
	}
}

static void flood_in_child(struct __test_metadata *_metadata, bool kill_it)
{
	struct buf ib, buf, gate;
	struct die die;
	int fd[2], status;
	char c;
	pid_t pid;

	ASSERT_EQ(0, pipe(fd));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (die_open(0, &die) || buf_alloc(&die, 131072, AMDGPU_GEM_DOMAIN_GTT, &ib) ||
		    buf_alloc(&die, 4096, AMDGPU_GEM_DOMAIN_VRAM, &buf) ||
		    buf_alloc(&die, 4096, AMDGPU_GEM_DOMAIN_GTT, &gate))
			_exit(1);
		flood(&die, &ib, &buf, &gate);
		if (write(fd[1], "x", 1) != 1)
			_exit(1);
		while (kill_it)
			pause();
		_exit(0);
	}
	close(fd[1]);
	EXPECT_EQ(1, read(fd[0], &c, 1));
	close(fd[0]);
	EXPECT_EQ(0, kill_it ? kill(pid, SIGKILL) : 0);
	/* Its files are closed before it can be waited for. */
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(kill_it ? SIGKILL : 0, status);
}

/* A process goes with its queues full; the rings are everybody else's again. */
TEST_F(fences, process_goes_with_full_queues)
{
	struct raw raw;
	struct ibw w;
	unsigned int i, k;

	for (k = 0; k < 2; k++) {
		flood_in_child(_metadata, k);
		for (i = 0; i < NUM_RINGS; i++) {
			unsigned int ip = ring_ip(i);

			w = ib_part(&self->ib, i);
			ring_write(&w, ip, self->buf.va + 4 * i, 0x200 + 16 * k + i);
			ASSERT_EQ(0, raw_init(&raw, ip, ring_nr(i), &self->ib, &self->buf,
					      &w));
			ASSERT_EQ(0, raw_submit(&self->die, self->die.ctx, &raw));
			EXPECT_EQ(0, raw_wait(self->die.ctx, &raw));
			EXPECT_EQ(0x200 + 16 * k + i, buf_get(&self->buf, i));
		}
	}
}

TEST_HARNESS_MAIN
