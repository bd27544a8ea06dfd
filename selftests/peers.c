// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Who reaches whose memory over which links: between any two dies of a hive each
 * packet's bytes are counted on all links of the way, and on no other; dies that
 * have no hive in common meet in system memory. Documentation/hive.rst, "What is
 * counted" and "Memory of a peer".
 */
#include "harness.h"
#include "hive.h"
#include "shared.h"

#define MAX_DIES	8
#define MAX_LINKS	28	/* of a full mesh of so many */
#define NODES		16
#define SIZE		(1u << 16)
#define WORDS		(SIZE / 4)
#define FAR		0xff

/* A link of a hive, as debugfs has it: [0] of bytes from the lower node to the higher. */
struct link {
	unsigned int node[2];
	unsigned long long bytes[2];
};

struct links {
	unsigned int num;
	struct link link[MAX_LINKS];
};

FIXTURE(peers)
{
	unsigned int num;
	struct die die[MAX_DIES];
	struct buf ib[MAX_DIES];
	struct buf mem[MAX_DIES];	/* VRAM of each */
	uint64_t hive[MAX_DIES];	/* 0: in none */
	unsigned int node[MAX_DIES];
};

FIXTURE_SETUP(peers)
{
	char text[16];
	int ret;

	for (; self->num < MAX_DIES; self->num++) {
		unsigned int i = self->num;

		ret = die_open(i, &self->die[i]);
		if (ret == -ENOENT)
			break;
		ASSERT_EQ(0, ret);
		ASSERT_EQ(0, buf_alloc(&self->die[i], 4096, AMDGPU_GEM_DOMAIN_GTT, &self->ib[i]));
		ASSERT_EQ(0, buf_alloc(&self->die[i], SIZE, AMDGPU_GEM_DOMAIN_VRAM,
				       &self->mem[i]));
		self->hive[i] = hive_of(&self->die[i]);
		if (!self->hive[i])
			continue;
		ASSERT_EQ(0, attribute(&self->die[i], "xgmi_physical_id", text, sizeof(text)));
		self->node[i] = atoi(text);
		ASSERT_GT(NODES, self->node[i]);
	}
	if (self->num < 2)
		SKIP(return, "not two dies");
}

FIXTURE_TEARDOWN(peers)
{
	unsigned int i;

	for (i = 0; i < self->num; i++) {
		buf_free(&self->mem[i]);
		buf_free(&self->ib[i]);
		die_close(&self->die[i]);
	}
}

/* ------------------------------------------------------------------ links */

static int read_links(const struct die *die, struct links *l)
{
	FILE *f = die_debugfs(die, "vgpu_hive", "r");
	char line[160];

	l->num = 0;
	if (!f)
		return -errno;
	while (fgets(line, sizeof(line), f)) {
		struct link *link = &l->link[l->num];

		if (l->num < MAX_LINKS &&
		    sscanf(line, "link %u-%u: width %*u, up, bytes %llu, back %llu", &link->node[0],
			   &link->node[1], &link->bytes[0], &link->bytes[1]) == 4)
			l->num++;
	}
	fclose(f);
	return 0;
}

/* How far each node is from @to: breadth first, by the links alone. */
static void distances(const struct links *l, unsigned int to, unsigned int distance[NODES])
{
	unsigned int d, i, e;

	for (i = 0; i < NODES; i++)
		distance[i] = i == to ? 0 : FAR;
	for (d = 0; d < NODES; d++) {
		for (i = 0; i < l->num; i++) {
			for (e = 0; e < 2; e++) {
				const unsigned int *node = l->link[i].node;

				if (distance[node[e]] == d && distance[node[!e]] == FAR)
					distance[node[!e]] = d + 1;
			}
		}
	}
}

/* The link by which the way goes on from @at: to the lowest node of those that are nearer. */
static int next_link(const struct links *l, const unsigned int distance[NODES], unsigned int at)
{
	unsigned int i, best = NODES;
	int link = -1;

	for (i = 0; i < l->num; i++) {
		const unsigned int *node = l->link[i].node;
		unsigned int other = node[0] == at ? node[1] : node[0];

		if ((node[0] != at && node[1] != at) || distance[other] >= distance[at] ||
		    other >= best)
			continue;
		best = other;
		link = i;
	}
	return link;
}

/* Adds what @bytes on the way between two nodes make; @away: from the one that asks. */
static void expect_on_way(struct links *l, unsigned int from, unsigned int to, bool away,
			  unsigned int bytes)
{
	unsigned int distance[NODES];
	unsigned int at = from;

	distances(l, to, distance);
	while (at != to) {
		struct link *link = &l->link[next_link(l, distance, at)];
		bool upwards = link->node[0] == at;

		link->bytes[upwards != away] += bytes;
		at = link->node[upwards];
	}
}

/* All counters are as expected. */
static void counted(struct __test_metadata *_metadata, const struct links *want,
		    const struct links *have)
{
	unsigned int i, e;

	EXPECT_EQ(want->num, have->num);
	for (i = 0; i < want->num; i++)
		for (e = 0; e < 2; e++)
			EXPECT_EQ(want->link[i].bytes[e], have->link[i].bytes[e])
				TH_LOG("link %u-%u%s", want->link[i].node[0],
				       want->link[i].node[1], e ? ", back" : "");
}

/* ---------------------------------------------------------------- packets */

static void dma_copy(struct ibw *w, uint64_t src, uint64_t dst)
{
	sdma_copy(w, src, dst, SIZE);
}

static void cp_dma(struct ibw *w, uint64_t src, uint64_t dst)
{
	pm4_dma(w, src, dst, SIZE);
}

/* The packets that move memory, and how much of it. */
static const struct kind {
	unsigned int ip;
	void (*emit)(struct ibw *w, uint64_t src, uint64_t dst);
	unsigned int bytes;
} kinds[] = {
	{ AMDGPU_HW_IP_DMA, dma_copy, SIZE },
	{ AMDGPU_HW_IP_GFX, cp_dma, SIZE },
	{ AMDGPU_HW_IP_GFX, pm4_copy_mem, 4 },
};

#define NUM_KINDS	(sizeof(kinds) / sizeof(kinds[0]))

static int move(struct die *die, struct buf *ib, const struct kind *kind, struct buf *src,
		struct buf *dst)
{
	struct buf *bufs[] = { src, dst, NULL };
	struct sub sub = { .ip = kind->ip, .ib = ib, .bufs = bufs };
	struct ibw w = { .dw = ib->cpu };

	kind->emit(&w, src->va, dst->va);
	sub.ndw = w.n;
	return sub_run(die, &sub);
}

static int write_word(struct die *die, struct buf *ib, struct buf *dst, uint32_t value)
{
	struct buf *bufs[] = { dst, NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = ib, .bufs = bufs };
	struct ibw w = { .dw = ib->cpu };

	pm4_write(&w, dst->va, value);
	sub.ndw = w.n;
	return sub_run(die, &sub);
}

/* Die @i asks, die @j owns: every kind of packet, to it and from it. */
static void exchange(struct __test_metadata *_metadata, FIXTURE_DATA(peers) * self, unsigned int i,
		     unsigned int j, struct buf *peer, struct links *want)
{
	unsigned int k, seed = 100 * i + 10 * j;

	for (k = 0; k < NUM_KINDS; k++) {
		fill(&self->mem[i], seed + k);
		ASSERT_EQ(0, move(&self->die[i], &self->ib[i], &kinds[k], &self->mem[i], peer));
		EXPECT_EQ(kinds[k].bytes / 4, differs_part(&self->mem[j], 0, kinds[k].bytes / 4,
							   seed + k));
		fill(&self->mem[j], seed + k + 5);
		ASSERT_EQ(0, move(&self->die[i], &self->ib[i], &kinds[k], peer, &self->mem[i]));
		EXPECT_EQ(kinds[k].bytes / 4, differs_part(&self->mem[i], 0, kinds[k].bytes / 4,
							   seed + k + 5));
		if (want) {
			expect_on_way(want, self->node[i], self->node[j], true, kinds[k].bytes);
			expect_on_way(want, self->node[i], self->node[j], false, kinds[k].bytes);
		}
	}
	ASSERT_EQ(0, write_word(&self->die[i], &self->ib[i], peer, 0xd0d0 + seed));
	EXPECT_EQ(0xd0d0 + seed, buf_get(&self->mem[j], 0));
	if (want)
		expect_on_way(want, self->node[i], self->node[j], true, 4);
}

static int import(FIXTURE_DATA(peers) * self, unsigned int owner, unsigned int user,
		  struct buf *peer)
{
	int fd = buf_export(&self->mem[owner]), ret;

	if (fd < 0)
		return fd;
	ret = buf_import(&self->die[user], fd, peer);
	close(fd);
	return ret;
}

static void compare_all(struct __test_metadata *_metadata, FIXTURE_DATA(peers) * self,
			const struct links want[MAX_DIES])
{
	struct links have;
	unsigned int d;

	for (d = 0; d < self->num; d++) {
		if (!self->hive[d])
			continue;
		ASSERT_EQ(0, read_links(&self->die[d], &have));
		counted(_metadata, &want[d], &have);
	}
}

static void read_all(struct __test_metadata *_metadata, FIXTURE_DATA(peers) * self,
		     struct links links[MAX_DIES])
{
	unsigned int d;

	for (d = 0; d < self->num; d++)
		if (self->hive[d])
			ASSERT_EQ(0, read_links(&self->die[d], &links[d]));
}

/* ------------------------------------------------------------------ tests */

/* It stays in VRAM, and other hives notice nothing of it. */
TEST_F(peers, within_a_hive)
{
	struct links want[MAX_DIES];
	unsigned int i, j, d, pairs = 0;
	struct buf peer;
	char place[16];

	for (i = 0; i < self->num; i++) {
		for (j = 0; j < self->num; j++) {
			if (i == j || !self->hive[i] || self->hive[i] != self->hive[j])
				continue;
			pairs++;
			ASSERT_EQ(0, import(self, j, i, &peer));
			read_all(_metadata, self, want);
			exchange(_metadata, self, i, j, &peer, &want[i]);
			/* Every die of this hive says the same. */
			for (d = 0; d < self->num; d++)
				if (self->hive[d] == self->hive[i])
					want[d] = want[i];
			compare_all(_metadata, self, want);
			ASSERT_EQ(0, place_of(&self->die[j], SIZE, place, sizeof(place)));
			EXPECT_STREQ("VRAM", place);
			buf_forget(&peer);
		}
	}
	if (!pairs)
		SKIP(return, "no hive of two");
}

/* In system memory, and nothing of it goes over a link. */
TEST_F(peers, strangers)
{
	struct links want[MAX_DIES];
	unsigned int i, j, pairs = 0;
	struct buf peer;
	char place[16];

	read_all(_metadata, self, want);
	for (i = 0; i < self->num; i++) {
		for (j = 0; j < self->num; j++) {
			if (i == j || (self->hive[i] && self->hive[i] == self->hive[j]))
				continue;
			pairs++;
			ASSERT_EQ(0, import(self, j, i, &peer));
			exchange(_metadata, self, i, j, &peer, NULL);
			ASSERT_EQ(0, place_of(&self->die[j], SIZE, place, sizeof(place)));
			EXPECT_STREQ("GTT", place);
			buf_forget(&peer);
		}
	}
	compare_all(_metadata, self, want);
	if (!pairs)
		SKIP(return, "one hive has them all");
}

TEST_HARNESS_MAIN
