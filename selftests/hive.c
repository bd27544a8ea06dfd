// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Dies of a hive: what they say of each other, memory of one in the hands of
 * another, and a reset of all of them while they work. Documentation/hive.rst.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"
#include "shared.h"

#define SIZE		(1u << 20)
#define WORDS		(SIZE / 4)
#define RESETS		50
#define COUNTERS	16

FIXTURE(hive)
{
	struct die die[2];
	struct buf ib[2];
	struct buf mem[2];	/* VRAM of each */
	struct buf peer[2];	/* peer[i]: mem[1 - i] in the hands of die i */
};

static int attribute(const struct die *die, const char *name, char *text, size_t size)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", die->pci, name);
	f = fopen(path, "r");
	if (!f)
		return -errno;
	text = fgets(text, size, f);
	fclose(f);
	return text ? 0 : -EIO;
}

FIXTURE_SETUP(hive)
{
	char id[64];
	int i, fd;

	for (i = 0; i < 2; i++) {
		int ret = die_open(i, &self->die[i]);

		if (ret == -ENOENT)
			SKIP(return, "not two dies");
		ASSERT_EQ(0, ret);
		ASSERT_EQ(0, buf_alloc(&self->die[i], 16384, AMDGPU_GEM_DOMAIN_GTT, &self->ib[i]));
		ASSERT_EQ(0, buf_alloc(&self->die[i], SIZE, AMDGPU_GEM_DOMAIN_VRAM,
				       &self->mem[i]));
	}
	if (attribute(&self->die[0], "xgmi_hive_info/xgmi_hive_id", id, sizeof(id)))
		SKIP(return, "no hive");
	for (i = 0; i < 2; i++) {
		fd = buf_export(&self->mem[1 - i]);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, buf_import(&self->die[i], fd, &self->peer[i]));
		close(fd);
	}
}

FIXTURE_TEARDOWN(hive)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (!self->die[i].dev)
			continue;
		buf_forget(&self->peer[i]);
	}
	for (i = 0; i < 2; i++) {
		if (!self->die[i].dev)
			continue;
		buf_free(&self->mem[i]);
		buf_free(&self->ib[i]);
		die_close(&self->die[i]);
	}
}

/* ------------------------------------------------------------- helpers */

/* Word @i of the pattern with number @seed */
static uint32_t word(uint32_t seed, uint32_t i)
{
	return (seed + i) * 2654435761u ^ seed;
}

static void fill(struct buf *buf, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < WORDS; i++)
		buf_set(buf, i, word(seed, i));
}

/* Return: the first word that is not of the pattern, WORDS: all are. */
static uint32_t differs(struct buf *buf, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < WORDS && buf_get(buf, i) == word(seed, i); i++)
		;
	return i;
}

static int copy(struct die *die, struct buf *ib, unsigned int ip, struct buf *src, struct buf *dst)
{
	struct buf *bufs[] = { src, dst, NULL };
	struct sub sub = { .ip = ip, .ib = ib, .bufs = bufs };
	struct ibw w = { .dw = ib->cpu };

	if (ip == AMDGPU_HW_IP_GFX)
		pm4_dma(&w, src->va, dst->va, SIZE);
	else
		sdma_copy(&w, src->va, dst->va, SIZE);
	sub.ndw = w.n;
	return sub_run(die, &sub);
}

/* In which memory is the only buffer of SIZE bytes that the die's files have? */
static int place_of(const struct die *die, char *place, size_t size)
{
	FILE *f = die_debugfs(die, "vgpu_gem", "r");
	char line[160], where[16];
	unsigned long bytes;
	int ret = -ENOENT;

	if (!f)
		return -errno;
	while (ret && fgets(line, sizeof(line), f)) {
		if (sscanf(line, " %*u: %lu bytes in %15s", &bytes, where) != 2 ||
		    bytes != SIZE || strstr(line, "imported"))
			continue;
		snprintf(place, size, "%s", where);
		ret = 0;
	}
	fclose(f);
	return ret;
}

static int reset(const struct die *die, int mode)
{
	FILE *f = die_debugfs(die, "vgpu_hive_reset", "w");
	int ret;

	if (!f)
		return -errno;
	fprintf(f, "%d\n", mode);
	ret = fclose(f) ? -errno : 0;
	return ret;
}

/* --------------------------------------------------------------- tests */

/* Numbers of one hive agree, those of a die differ. */
TEST_F(hive, tells_who_is_in_it)
{
	char a[64], b[64];
	int i;

	ASSERT_EQ(0, attribute(&self->die[0], "xgmi_hive_info/xgmi_hive_id", a, sizeof(a)));
	ASSERT_EQ(0, attribute(&self->die[1], "xgmi_hive_info/xgmi_hive_id", b, sizeof(b)));
	EXPECT_STREQ(a, b);
	EXPECT_NE(0, strtoull(a, NULL, 10));
	ASSERT_EQ(0, attribute(&self->die[0], "xgmi_device_id", a, sizeof(a)));
	ASSERT_EQ(0, attribute(&self->die[1], "xgmi_device_id", b, sizeof(b)));
	EXPECT_STRNE(a, b);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, attribute(&self->die[i], "xgmi_physical_id", a, sizeof(a)));
		EXPECT_EQ(i, atoi(a));
		/* The two are neighbours, in a full mesh; members in the order they joined. */
		ASSERT_EQ(0, attribute(&self->die[i], "xgmi_num_hops", a, sizeof(a)));
		a[strcspn(a, "\n")] = '\0';
		EXPECT_STREQ(i ? "01 00 " : "00 01 ", a);
	}
	/* Each has a directory with everybody. */
	ASSERT_EQ(0, attribute(&self->die[0], "xgmi_hive_info/node2/xgmi_physical_id", a,
			       sizeof(a)));
	EXPECT_STREQ("1\n", a);
	ASSERT_EQ(0, attribute(&self->die[1], "xgmi_hive_info/node1/xgmi_physical_id", a,
			       sizeof(a)));
	EXPECT_STREQ("0\n", a);
}

/* Read and written by the peer, with both engines, and it never leaves VRAM. */
TEST_F(hive, peer_copies)
{
	static const unsigned int ip[] = { AMDGPU_HW_IP_DMA, AMDGPU_HW_IP_GFX };
	unsigned int i, e;
	char place[16];

	for (e = 0; e < 2; e++) {
		for (i = 0; i < 2; i++) {
			struct die *die = &self->die[i];

			fill(&self->mem[i], 0x1000 + e);
			fill(&self->mem[1 - i], 0x2000 + e);
			ASSERT_EQ(0, copy(die, &self->ib[i], ip[e], &self->mem[i],
					  &self->peer[i]));
			EXPECT_EQ(WORDS, differs(&self->mem[1 - i], 0x1000 + e));

			fill(&self->mem[1 - i], 0x3000 + e);
			ASSERT_EQ(0, copy(die, &self->ib[i], ip[e], &self->peer[i],
					  &self->mem[i]));
			EXPECT_EQ(WORDS, differs(&self->mem[i], 0x3000 + e));
		}
	}
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, place_of(&self->die[i], place, sizeof(place)));
		EXPECT_STREQ("VRAM", place);
	}
}

/* The owner moves it, to and fro: the peer finds it wherever it is. */
TEST_F(hive, moves_under_the_peer)
{
	static const uint32_t domain[] = {
		AMDGPU_GEM_DOMAIN_GTT, AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_DOMAIN_GTT,
		AMDGPU_GEM_DOMAIN_VRAM,
	};
	unsigned int i;
	char place[16];

	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, buf_place(&self->die[0], &self->mem[0], domain[i]));
		/* A job of the owner's brings it there; then one of the peer's. */
		fill(&self->mem[1], 7 * i);
		ASSERT_EQ(0, copy(&self->die[0], &self->ib[0], AMDGPU_HW_IP_DMA, &self->peer[0],
				  &self->mem[0]));
		ASSERT_EQ(0, place_of(&self->die[0], place, sizeof(place)));
		EXPECT_STREQ(domain[i] == AMDGPU_GEM_DOMAIN_VRAM ? "VRAM" : "GTT", place);
		EXPECT_EQ(WORDS, differs(&self->mem[0], 7 * i));

		fill(&self->mem[1], 7 * i + 1);
		ASSERT_EQ(0, copy(&self->die[1], &self->ib[1], AMDGPU_HW_IP_DMA, &self->mem[1],
				  &self->peer[1]));
		EXPECT_EQ(WORDS, differs(&self->mem[0], 7 * i + 1));
	}
}

/* The exporter closes all it has: the memory lives as long as the peer. */
TEST_F(hive, outlives_its_owner)
{
	fill(&self->mem[0], 1);
	buf_free(&self->mem[0]);
	ASSERT_EQ(0, copy(&self->die[1], &self->ib[1], AMDGPU_HW_IP_DMA, &self->peer[1],
			  &self->mem[1]));
	EXPECT_EQ(WORDS, differs(&self->mem[1], 1));
}

/*
 * Work that shows when a job was lost, run twice or mixed up: each job adds one to a
 * counter of each die's memory, on both sides of the link.
 */
struct worker {
	struct die *die;
	struct buf *ib, *mem, *peer;
	unsigned int ip, ring, counter;
	bool stop;
	unsigned int jobs, failed;
	pthread_t thread;
};

static void *work(void *arg)
{
	struct worker *k = arg;
	struct buf *bufs[] = { k->mem, k->peer, NULL };
	struct sub sub = { .ip = k->ip, .ring = k->ring, .ib = k->ib, .bufs = bufs,
			   .offset = 1024 * k->counter };
	struct ibw w = { .dw = (uint32_t *)k->ib->cpu + 256 * k->counter };
	uint64_t at = 4 * k->counter;

	if (k->ip == AMDGPU_HW_IP_GFX) {
		pm4_atomic_add(&w, k->mem->va + at, 1);
		pm4_atomic_add(&w, k->peer->va + at, 1);
	} else {
		sdma_atomic_add(&w, k->mem->va + at, 1);
		sdma_atomic_add(&w, k->peer->va + at, 1);
	}
	sub.ndw = w.n;
	while (!__atomic_load_n(&k->stop, __ATOMIC_RELAXED)) {
		if (sub_run(k->die, &sub))
			k->failed++;
		else
			k->jobs++;
	}
	return NULL;
}

static void start(struct __test_metadata *_metadata, FIXTURE_DATA(hive) * self, struct worker *k,
		  unsigned int i)
{
	unsigned int die = i % 2;

	*k = (struct worker){
		.die = &self->die[die], .ib = &self->ib[die], .mem = &self->mem[die],
		.peer = &self->peer[die], .counter = i,
		.ip = i / 2 ? AMDGPU_HW_IP_DMA : AMDGPU_HW_IP_GFX, .ring = i / 2 ? i / 2 - 1 : 0,
	};
	ASSERT_EQ(0, pthread_create(&k->thread, NULL, work, k));
}

/* Both memories count what all workers have done, and their owners know of no harm. */
TEST_F_TIMEOUT(hive, resets_under_load, 300)
{
	struct worker worker[6];
	unsigned int i;

	for (i = 0; i < 2; i++)
		memset(self->mem[i].cpu, 0, 4 * COUNTERS);
	for (i = 0; i < 6; i++)
		start(_metadata, self, &worker[i], i);
	for (i = 0; i < RESETS; i++)
		EXPECT_EQ(0, reset(&self->die[i % 2], 2));
	for (i = 0; i < 6; i++)
		__atomic_store_n(&worker[i].stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < 6; i++) {
		uint32_t state, hangs;

		pthread_join(worker[i].thread, NULL);
		EXPECT_LT(0, worker[i].jobs);
		EXPECT_EQ(0, worker[i].failed);
		EXPECT_EQ(worker[i].jobs, buf_get(worker[i].mem, i));
		EXPECT_EQ(worker[i].jobs, buf_get(&self->mem[1 - i % 2], i));
		EXPECT_EQ(0, amdgpu_cs_query_reset_state(worker[i].die->ctx, &state, &hangs));
		EXPECT_NE(AMDGPU_CTX_GUILTY_RESET, state);
	}
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* Whatever became of the peer: the other die copies in its own memory. */
static int survives(FIXTURE_DATA(hive) * self)
{
	struct buf other;
	int ret = buf_alloc(&self->die[0], SIZE, AMDGPU_GEM_DOMAIN_VRAM, &other);

	if (ret)
		return ret;
	fill(&other, 0x5afe);
	ret = copy(&self->die[0], &self->ib[0], AMDGPU_HW_IP_DMA, &other, &self->mem[0]);
	if (!ret && differs(&self->mem[0], 0x5afe) != WORDS)
		ret = -EIO;
	buf_free(&other);
	return ret;
}

/* A member is reset by the PCI core while the other reaches into its memory. */
TEST_F(hive, function_reset_under_traffic)
{
	struct worker worker;
	uint64_t flags = 0;
	char path[80];
	int i;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", self->die[1].pci);
	start(_metadata, self, &worker, 2);
	for (i = 0; i < 5; i++)
		EXPECT_EQ(0, write_file(path, "1"));
	__atomic_store_n(&worker.stop, true, __ATOMIC_RELAXED);
	pthread_join(worker.thread, NULL);
	EXPECT_LT(0, worker.jobs);

	EXPECT_EQ(0, survives(self));
	ASSERT_EQ(0, amdgpu_cs_query_reset_state2(self->die[1].ctx, &flags));
	EXPECT_TRUE(flags & AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST);
	ASSERT_EQ(0, amdgpu_cs_query_reset_state2(self->die[0].ctx, &flags));
	EXPECT_FALSE(flags & AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST);
	/* The mapping is good again. */
	fill(&self->mem[0], 9);
	ASSERT_EQ(0, copy(&self->die[0], &self->ib[0], AMDGPU_HW_IP_DMA, &self->mem[0],
			  &self->peer[0]));
	EXPECT_EQ(WORDS, differs(&self->mem[1], 9));
}

/* It goes for good, and another takes its place: nobody finds the way to that one. */
TEST_F(hive, unplug_under_traffic)
{
	struct worker worker;
	struct die again;
	struct buf fresh;

	start(_metadata, self, &worker, 2);
	EXPECT_EQ(0, write_file("/sys/bus/pci/drivers/vgpu/unbind", self->die[1].pci));
	EXPECT_EQ(0, survives(self));
	EXPECT_EQ(0, write_file("/sys/bus/pci/drivers/vgpu/bind", self->die[1].pci));
	ASSERT_EQ(0, die_open(1, &again));
	ASSERT_EQ(0, buf_alloc(&again, SIZE, AMDGPU_GEM_DOMAIN_VRAM, &fresh));
	fill(&fresh, 3);
	EXPECT_NE(0, copy(&self->die[0], &self->ib[0], AMDGPU_HW_IP_GFX, &self->mem[0],
			  &self->peer[0]));
	__atomic_store_n(&worker.stop, true, __ATOMIC_RELAXED);
	pthread_join(worker.thread, NULL);
	EXPECT_EQ(WORDS, differs(&fresh, 3));
	EXPECT_EQ(0, survives(self));
	buf_free(&fresh);
	die_close(&again);
}

/* What was in memory is there after it, and so are the mappings. */
TEST_F(hive, mode2_keeps_memory)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		fill(&self->mem[i], 100 + i);
	ASSERT_EQ(0, reset(&self->die[0], 2));
	for (i = 0; i < 2; i++)
		EXPECT_EQ(WORDS, differs(&self->mem[i], 100 + i));
	ASSERT_EQ(0, copy(&self->die[0], &self->ib[0], AMDGPU_HW_IP_GFX, &self->mem[0],
			  &self->peer[0]));
	EXPECT_EQ(WORDS, differs(&self->mem[1], 100));
}

/* A reset of everything: who was there before is told, and can begin anew. */
TEST_F(hive, mode1_loses_memory)
{
	uint64_t flags = 0;
	unsigned int i;

	ASSERT_EQ(0, reset(&self->die[0], 1));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, amdgpu_cs_query_reset_state2(self->die[i].ctx, &flags));
		EXPECT_TRUE(flags & AMDGPU_CTX_QUERY2_FLAGS_RESET);
		EXPECT_TRUE(flags & AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST);
		EXPECT_FALSE(flags & AMDGPU_CTX_QUERY2_FLAGS_GUILTY);
	}
	for (i = 0; i < 2; i++)
		fill(&self->mem[i], 200 + i);
	ASSERT_EQ(0, copy(&self->die[1], &self->ib[1], AMDGPU_HW_IP_DMA, &self->mem[1],
			  &self->peer[1]));
	EXPECT_EQ(WORDS, differs(&self->mem[0], 201));
}

/* Nothing else is a reset. */
TEST_F(hive, no_such_reset)
{
	EXPECT_EQ(-EINVAL, reset(&self->die[0], 0));
	EXPECT_EQ(-EINVAL, reset(&self->die[0], 3));
}

TEST_HARNESS_MAIN
