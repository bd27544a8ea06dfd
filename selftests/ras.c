// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Errors of the hardware: each kind is made in each block, counted, and costs no
 * more than it must. Bad memory is never given to anybody again.
 * Documentation/ras.rst.
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

#define PAGE		4096u
#define SIZE		(16 * PAGE)
/* No other buffer of this process has this many bytes. */
#define VICTIM		(21 * PAGE)
#define WAIT_SECONDS	120

struct counts {
	unsigned long long ue, ce;
};

/* ------------------------------------------------------------- helpers */

/* A command to ras_ctrl. Return: 0 or a negative errno. */
static int ctrl(const struct die *die, const char *text)
{
	FILE *f = die_debugfs(die, "ras/ras_ctrl", "w");
	int ret;

	if (!f)
		return -errno;
	setvbuf(f, NULL, _IONBF, 0);
	ret = fwrite(text, strlen(text), 1, f) == 1 ? 0 : -errno;
	fclose(f);
	return ret;
}

static int inject(const struct die *die, const char *what, uint64_t address)
{
	static const char command[] = "inject";
	char text[96];

	snprintf(text, sizeof(text), "%s %s 0x%llx 0", command, what,
		 (unsigned long long)address);
	return ctrl(die, text);
}

static FILE *attribute(const struct die *die, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", die->pci, name);
	return fopen(path, "r");
}

static int count(const struct die *die, const char *block, struct counts *c)
{
	char name[32];
	FILE *f;
	int n;

	snprintf(name, sizeof(name), "ras/%s_err_count", block);
	f = attribute(die, name);
	if (!f)
		return -errno;
	n = fscanf(f, "ue: %llu\nce: %llu\n", &c->ue, &c->ce);
	fclose(f);
	return n == 2 ? 0 : -EIO;
}

/* The state of a bad page: 'R', 'P', 'F'; 0: it is none. */
static char page_state(const struct die *die, uint64_t address)
{
	FILE *f = attribute(die, "ras/gpu_vram_bad_pages");
	unsigned long long page, size;
	char state, found = 0;

	while (f && fscanf(f, "0x%llx : 0x%llx : %c\n", &page, &size, &state) == 3)
		if (size == PAGE && page == address / PAGE)
			found = state;
	if (f)
		fclose(f);
	return found;
}

static unsigned long number(const struct die *die, const char *name)
{
	FILE *f = die_debugfs(die, name, "r");
	unsigned long value = 0;

	if (f && fscanf(f, "%lu", &value) != 1)
		value = 0;
	if (f)
		fclose(f);
	return value;
}

/* Resets happen on their own time; the limit only ends a test that hangs. */
static bool reset_after(const struct die *die, unsigned long before)
{
	unsigned int i;

	for (i = 0; i < WAIT_SECONDS * 100; i++) {
		if (number(die, "vgpu_hive_reset") > before)
			return true;
		usleep(10000);
	}
	return false;
}

static bool state_becomes(const struct die *die, uint64_t address, char state)
{
	unsigned int i;

	for (i = 0; i < WAIT_SECONDS * 100; i++) {
		if (page_state(die, address) == state)
			return true;
		usleep(10000);
	}
	return false;
}

/* Where in VRAM the only buffer of VICTIM bytes begins; -1: nowhere */
static uint64_t victim_address(const struct die *die)
{
	FILE *f = die_debugfs(die, "vgpu_gem", "r");
	unsigned long long address = -1ull;
	char line[160], *at;
	unsigned long bytes;

	while (f && fgets(line, sizeof(line), f)) {
		at = strstr(line, " at 0x");
		if (at && sscanf(line, " %*u: %lu bytes", &bytes) == 1 && bytes == VICTIM)
			address = strtoull(at + 4, NULL, 16);
	}
	if (f)
		fclose(f);
	return address;
}

static int copy(struct die *die, struct buf *ib, unsigned int ip, struct buf *src, struct buf *dst,
		uint32_t bytes, struct sub *sub)
{
	struct buf *bufs[] = { src, dst, NULL };
	struct ibw w = { .dw = ib->cpu };

	if (ip == AMDGPU_HW_IP_GFX)
		pm4_dma(&w, src->va, dst->va, bytes);
	else
		sdma_copy(&w, src->va, dst->va, bytes);
	*sub = (struct sub){ .ip = ip, .ib = ib, .bufs = bufs, .ndw = w.n };
	return sub_submit(die, sub);
}

static int copy_now(struct die *die, struct buf *ib, unsigned int ip, struct buf *src,
		    struct buf *dst, uint32_t bytes)
{
	struct sub sub;
	int ret = copy(die, ib, ip, src, dst, bytes, &sub);

	return ret ? ret : sub_wait(die, &sub, DIE_WAIT_NS);
}

static uint32_t reset_state(struct die *die)
{
	uint32_t state = ~0u, hangs;

	if (amdgpu_cs_query_reset_state(die->ctx, &state, &hangs))
		return ~0u;
	return state;
}

static uint64_t news(struct die *die)
{
	uint64_t flags = ~0ull;

	if (amdgpu_cs_query_reset_state2(die->ctx, &flags))
		return ~0ull;
	return flags & (AMDGPU_CTX_QUERY2_FLAGS_RAS_UE | AMDGPU_CTX_QUERY2_FLAGS_RAS_CE);
}

static uint32_t vram_lost(struct die *die)
{
	uint32_t lost = ~0u;

	if (amdgpu_query_info(die->dev, AMDGPU_INFO_VRAM_LOST_COUNTER, sizeof(lost), &lost))
		return ~0u;
	return lost;
}

/* Then the CPU sees more of its memory than the BAR shows. */
static bool connected_to_cpu(const struct die *die)
{
	unsigned long long start, end, visible;
	FILE *f = attribute(die, "resource");
	bool more = false;

	if (f && fscanf(f, "%llx %llx", &start, &end) == 2) {
		fclose(f);
		f = attribute(die, "mem_info_vis_vram_total");
		more = f && fscanf(f, "%llu", &visible) == 1 && visible > end - start + 1;
	}
	if (f)
		fclose(f);
	return more;
}

/* ------------------------------------------------------- one die, no harm */

FIXTURE(errors)
{
	struct die die;
};

FIXTURE_SETUP(errors)
{
	ASSERT_EQ(0, die_open(0, &self->die));
}

FIXTURE_TEARDOWN(errors)
{
	if (self->die.dev)
		die_close(&self->die);
}

TEST_F(errors, detection_is_on)
{
	FILE *f = attribute(&self->die, "ras/features");
	uint64_t info = 0;
	unsigned int mask = 0;

	ASSERT_NE(NULL, f);
	EXPECT_EQ(1, fscanf(f, "feature mask: 0x%x\n", &mask));
	fclose(f);
	/* umc, sdma, gfx, mmhub, pcie_bif, hdp, xgmi_wafl */
	EXPECT_EQ(0xef, mask);
	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_RAS_ENABLED_FEATURES,
				       sizeof(info), &info));
	EXPECT_EQ(0xef000000efull, info);

	EXPECT_EQ(0, ctrl(&self->die, "disable mmhub\n"));
	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_RAS_ENABLED_FEATURES,
				       sizeof(info), &info));
	EXPECT_EQ(0xef000000e7ull, info);
	EXPECT_EQ(-EINVAL, inject(&self->die, "mmhub ce 0", 0));
	EXPECT_EQ(0, ctrl(&self->die, "enable mmhub ue"));
	EXPECT_EQ(0, inject(&self->die, "mmhub ce 0", 0));
}

/* What is corrected is counted, in its block, and nothing else happens. */
TEST_F(errors, corrected_ones_are_counted)
{
	static const struct {
		const char *what, *block;
	} errors[] = {
		{ "gfx ce 0", "gfx" },		/* CPC scratch memory */
		{ "gfx ce 0x1", "gfx" },	/* CPC microcode */
		{ "gfx ce 2", "gfx" },		/* state */
		{ "gfx ce 8", "gfx" },		/* CPF queue of ME2 */
		{ "gfx ce 9", "gfx" },		/* and of ME1 */
		{ "gfx ce 10", "gfx" },		/* CPF tags */
		{ "gfx ce 19", "gfx" },		/* SPI */
		{ "mmhub ce 0", "mmhub" },
		{ "mmhub ce 35", "mmhub" },
		{ "umc ce 0", "umc" },
	};
	static const char * const blocks[] = { "umc", "sdma", "gfx", "mmhub", "hdp" };
	unsigned long resets = number(&self->die, "vgpu_hive_reset");
	struct counts before[5], after;
	unsigned int i, b, times;

	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		for (times = 1; times <= 3; times++) {
			for (b = 0; b < 5; b++)
				ASSERT_EQ(0, count(&self->die, blocks[b], &before[b]));
			/* More than one before anybody looks. */
			for (b = 0; b < times; b++)
				ASSERT_EQ(0, inject(&self->die, errors[i].what, 0x2000000));
			for (b = 0; b < 5; b++) {
				bool it = !strcmp(blocks[b], errors[i].block);

				ASSERT_EQ(0, count(&self->die, blocks[b], &after));
				EXPECT_EQ(before[b].ue, after.ue);
				EXPECT_EQ(before[b].ce + (it ? times : 0), after.ce);
			}
			/* Contexts are told, once. */
			EXPECT_EQ(AMDGPU_CTX_QUERY2_FLAGS_RAS_CE, news(&self->die));
			EXPECT_EQ(0, news(&self->die));
		}
	}
	EXPECT_EQ(resets, number(&self->die, "vgpu_hive_reset"));
	EXPECT_EQ(0, page_state(&self->die, 0x2000000));
}

TEST_F(errors, bad_input_is_refused)
{
	static const struct {
		const char *text;
		int ret;
	} commands[] = {
		{ "\n", -EINVAL },
		{ "frobnicate umc", -EINVAL },
		{ "disable", -EINVAL },
		{ "disable nothing", -EINVAL },
		{ "disable umc ue", -EINVAL },
		{ "disable athub", -EINVAL },
		{ "enable umc", -EINVAL },
		{ "enable umc xx", -EINVAL },
		{ "enable vcn ue", -EINVAL },
		{ "inject", -EINVAL },
		{ "inject umc ue", -EINVAL },
		{ "inject umc ue 0 0", -EINVAL },
		{ "inject umc ue 0 0 0 0 0", -EINVAL },
		{ "inject umc ue 0 0 0 0 0 0 0 0 0 0", -EINVAL },
		{ "inject umc parity 0 0 0", -EINVAL },
		{ "inject umc ce x 0 0", -EINVAL },
		{ "inject umc ce 0 0x1g 0", -EINVAL },
		{ "inject umc ce 0 0 -", -EINVAL },
		{ "inject umc ce 0 0xfffffffffffffffff 0", -EINVAL },
		/* no such part, no such instance */
		{ "inject gfx ce 5 0 0", -EINVAL },
		{ "inject gfx ce 0x1000 0 0", -EINVAL },
		{ "inject gfx ue 0 0 0 2", -EINVAL },
		{ "inject sdma ue 0 0 0 0x20", -EINVAL },
		{ "inject sdma ue 0 0 0 0x100000", -EINVAL },
		{ "inject sdma ue 26 0 0", -EINVAL },
		{ "inject mmhub ce 36 0 0", -EINVAL },
		{ "inject hdp ue 2 0 0", -EINVAL },
		/* what a block cannot have */
		{ "inject sdma ce 0 0 0", -EINVAL },
		{ "inject hdp ce 0 0 0", -EINVAL },
		{ "inject pcie_bif ce 0 0 0", -EINVAL },
		{ "inject xgmi_wafl poison 0 0 0", -EINVAL },
		{ "inject gfx poison 0 0 0", -EINVAL },
		/* beyond the memory */
		{ "inject umc ce 0 0x1000000000000 0", -EINVAL },
		{ "inject umc poison 0 0xffffffffffffffff 0", -EINVAL },
		{ "retire_page", -EINVAL },
		{ "retire_page x", -EINVAL },
		{ "retire_page 0 0", -EINVAL },
		{ "retire_page 0xffffffffffffffff", -EINVAL },
	};
	unsigned long long vram = 0;
	unsigned int i;
	char text[256];
	FILE *f;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		int ret = ctrl(&self->die, commands[i].text);

		EXPECT_EQ(commands[i].ret, ret)
			TH_LOG("'%s'", commands[i].text);
	}
	memset(text, ' ', sizeof(text));
	memcpy(text, "disable umc", 11);
	text[sizeof(text) - 1] = '\0';
	EXPECT_EQ(-EINVAL, ctrl(&self->die, text));

	/* The first byte behind the memory; and the end of it, which is firmware's. */
	f = attribute(&self->die, "mem_info_vram_total");
	ASSERT_NE(NULL, f);
	EXPECT_EQ(1, fscanf(f, "%llu", &vram));
	fclose(f);
	EXPECT_EQ(-EINVAL, inject(&self->die, "umc ce 0", vram));
	EXPECT_EQ(-EACCES, inject(&self->die, "umc ce 0", vram - 1));
	EXPECT_EQ(-EACCES, inject(&self->die, "umc poison 0", vram - PAGE));
}

/* ------------------------------------------------------------------ poison */

FIXTURE(poison)
{
	struct die die, other;
	struct buf ib, victim, to;
	struct buf other_ib, other_from, other_to;
};

FIXTURE_VARIANT(poison)
{
	unsigned int ip;
};

FIXTURE_VARIANT_ADD(poison, gfx) { .ip = AMDGPU_HW_IP_GFX, };
FIXTURE_VARIANT_ADD(poison, sdma) { .ip = AMDGPU_HW_IP_DMA, };

FIXTURE_SETUP(poison)
{
	const uint32_t vram = AMDGPU_GEM_DOMAIN_VRAM, gtt = AMDGPU_GEM_DOMAIN_GTT;

	ASSERT_EQ(0, die_open(0, &self->die));
	ASSERT_EQ(0, die_open_again(&self->die, &self->other));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, gtt, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->die, VICTIM, vram, &self->victim));
	ASSERT_EQ(0, buf_alloc(&self->die, SIZE, vram, &self->to));
	ASSERT_EQ(0, buf_alloc(&self->other, 4096, gtt, &self->other_ib));
	ASSERT_EQ(0, buf_alloc(&self->other, SIZE, vram, &self->other_from));
	ASSERT_EQ(0, buf_alloc(&self->other, SIZE, vram, &self->other_to));
}

FIXTURE_TEARDOWN(poison)
{
	if (!self->die.dev || !self->other.dev)
		return;
	buf_free(&self->other_to);
	buf_free(&self->other_from);
	buf_free(&self->other_ib);
	buf_free(&self->to);
	buf_free(&self->victim);
	buf_free(&self->ib);
	die_close(&self->other);
	die_close(&self->die);
}

/* Another process: it copies numbers to and fro, and never sees a wrong one. */
struct bystander {
	struct die *die;
	struct buf *ib, *from, *to;
	unsigned int ip;
	bool stop;
	unsigned int runs, wrong;
	pthread_t thread;
};

static void *stand_by(void *arg)
{
	struct bystander *b = arg;

	while (!__atomic_load_n(&b->stop, __ATOMIC_RELAXED)) {
		b->runs++;
		buf_set(b->from, 0, b->runs);
		buf_set(b->from, SIZE / 4 - 1, ~b->runs);
		if (copy_now(b->die, b->ib, b->ip, b->from, b->to, SIZE) ||
		    buf_get(b->to, 0) != b->runs || buf_get(b->to, SIZE / 4 - 1) != ~b->runs)
			b->wrong++;
	}
	return NULL;
}

static void end(struct bystander *b)
{
	__atomic_store_n(&b->stop, true, __ATOMIC_RELAXED);
	pthread_join(b->thread, NULL);
}

/*
 * Found bad before anybody reads it: a page is on the list, and nothing happens. Read:
 * the reader is stopped and blamed, the others notice nothing.
 */
TEST_F(poison, costs_only_who_reads_it)
{
	struct bystander b = { .die = &self->other, .ib = &self->other_ib, .ip = variant->ip,
			       .from = &self->other_from, .to = &self->other_to };
	unsigned long resets;
	struct counts before, after;
	uint64_t bad;

	bad = victim_address(&self->die);
	ASSERT_NE(-1ull, bad);
	bad += 5 * PAGE;
	memset(self->victim.cpu, 0x77, VICTIM);
	ASSERT_EQ(0, copy_now(&self->die, &self->ib, variant->ip, &self->victim, &self->to, SIZE));
	EXPECT_EQ(0x77777777, buf_get(&self->to, 5 * PAGE / 4));

	ASSERT_EQ(0, pthread_create(&b.thread, NULL, stand_by, &b));
	ASSERT_EQ(0, count(&self->die, "umc", &before));
	ASSERT_EQ(0, inject(&self->die, "umc poison 0", bad + 0x40));
	ASSERT_EQ(0, count(&self->die, "umc", &after));
	EXPECT_EQ(before.ue + 1, after.ue);
	EXPECT_EQ(before.ce, after.ce);
	EXPECT_EQ(AMDGPU_CTX_QUERY2_FLAGS_RAS_UE, news(&self->die));
	EXPECT_EQ('P', page_state(&self->die, bad));
	EXPECT_EQ(-EEXIST, inject(&self->die, "umc poison 0", bad));
	/* what is before it is as good as ever */
	ASSERT_EQ(0, copy_now(&self->die, &self->ib, variant->ip, &self->victim, &self->to,
			      5 * PAGE));
	EXPECT_EQ(AMDGPU_CTX_NO_RESET, reset_state(&self->die));

	resets = number(&self->die, "vgpu_hive_reset");
	memset(self->to.cpu, 0, SIZE);
	EXPECT_NE(-ETIME, copy_now(&self->die, &self->ib, variant->ip, &self->victim, &self->to,
				   SIZE));
	EXPECT_EQ(AMDGPU_CTX_GUILTY_RESET, reset_state(&self->die));
	/* what is bad was not passed on as if it were good */
	EXPECT_NE(0x77777777, buf_get(&self->to, (5 * PAGE + 0x40) / 4));
	end(&b);
	EXPECT_LT(0, b.runs);
	EXPECT_EQ(0, b.wrong);
	EXPECT_NE(AMDGPU_CTX_GUILTY_RESET, reset_state(&self->other));
	/* one ring was reset, not the hive */
	EXPECT_EQ(resets + 1, number(&self->die, "vgpu_hive_reset"));

	/* A new context of the guilty process works, with other memory. */
	amdgpu_cs_ctx_free(self->die.ctx);
	ASSERT_EQ(0, amdgpu_cs_ctx_create(self->die.dev, &self->die.ctx));
	EXPECT_EQ(0, copy_now(&self->die, &self->ib, variant->ip, &self->to, &self->to, SIZE));
	EXPECT_EQ(AMDGPU_CTX_NO_RESET, reset_state(&self->die));

	/* Once nobody has it, nobody gets it. */
	buf_free(&self->victim);
	EXPECT_TRUE(state_becomes(&self->die, bad, 'R'));
}

/*
 * Poison where memory is free. Then the memory around is taken, and read: had somebody
 * been given the bad page, it would show.
 */
TEST_F(poison, bad_page_is_never_handed_out)
{
	enum { CHUNK = 4 << 20, MOST = 1024 };
	struct buf *all = calloc(MOST, sizeof(*all));
	unsigned int n, i;
	struct counts counts;
	uint64_t bad;

	ASSERT_NE(NULL, all);
	/* Freed: the next one to ask would get it. */
	bad = victim_address(&self->die);
	ASSERT_NE(-1ull, bad);
	buf_free(&self->victim);
	ASSERT_EQ(0, inject(&self->die, "umc poison 0", bad + PAGE));
	ASSERT_EQ(0, count(&self->die, "umc", &counts));
	EXPECT_NE(0, page_state(&self->die, bad + PAGE));
	EXPECT_TRUE(state_becomes(&self->die, bad + PAGE, 'R'));

	for (n = 0; n < MOST; n++)
		if (buf_alloc(&self->die, n ? VICTIM : CHUNK, AMDGPU_GEM_DOMAIN_VRAM, &all[n]) ||
		    (n && n * VICTIM > CHUNK * 4))
			break;
	EXPECT_LT(8, n);
	for (i = 1; i < n; i++)
		EXPECT_EQ(0, copy_now(&self->die, &self->ib, variant->ip, &all[i], &all[0],
				      VICTIM));
	EXPECT_EQ(AMDGPU_CTX_NO_RESET, reset_state(&self->die));
	EXPECT_EQ('R', page_state(&self->die, bad + PAGE));
	for (i = 0; i < n; i++)
		buf_free(&all[i]);
	buf_free(&all[n < MOST ? n : 0]);
	free(all);
}

/* ---------------------------------------------------------------- the hive */

/* Two dies, each with what a copy of its own takes */
struct pair {
	struct die die[2];
	struct buf ib[2], from[2], to[2];
};

/* -ENOENT: there are not two. */
static int pair_open(struct pair *p)
{
	int i, ret = 0;

	for (i = 0; i < 2 && !ret; i++) {
		ret = die_open(i, &p->die[i]);
		if (!ret)
			ret = buf_alloc(&p->die[i], 4096, AMDGPU_GEM_DOMAIN_GTT, &p->ib[i]);
		if (!ret)
			ret = buf_alloc(&p->die[i], SIZE, AMDGPU_GEM_DOMAIN_VRAM, &p->from[i]);
		if (!ret)
			ret = buf_alloc(&p->die[i], SIZE, AMDGPU_GEM_DOMAIN_VRAM, &p->to[i]);
	}
	return ret;
}

static bool pair_is_open(const struct pair *p)
{
	return p->die[0].dev && p->die[1].dev;
}

static void pair_close(struct pair *p)
{
	int i;

	for (i = 0; i < 2; i++) {
		buf_free(&p->to[i]);
		buf_free(&p->from[i]);
		buf_free(&p->ib[i]);
		die_close(&p->die[i]);
	}
}

FIXTURE(hive)
{
	struct pair pair;
	struct buf victim;	/* of the second */
	struct buf peer;	/* in the hands of the first */
};

FIXTURE_SETUP(hive)
{
	int fd, ret = pair_open(&self->pair);

	if (ret == -ENOENT)
		SKIP(return, "not two dies");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, buf_alloc(&self->pair.die[1], VICTIM, AMDGPU_GEM_DOMAIN_VRAM, &self->victim));
	fd = buf_export(&self->victim);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, buf_import(&self->pair.die[0], fd, &self->peer));
	close(fd);
}

FIXTURE_TEARDOWN(hive)
{
	if (!pair_is_open(&self->pair))
		return;
	buf_forget(&self->peer);
	buf_free(&self->victim);
	pair_close(&self->pair);
}

/* The engine that reads is stopped, whoever owns the memory. */
TEST_F(hive, poison_of_a_peer)
{
	struct pair *p = &self->pair;
	struct counts before, after;
	uint64_t bad;

	bad = victim_address(&p->die[1]);
	ASSERT_NE(-1ull, bad);
	memset(self->victim.cpu, 0x77, VICTIM);
	ASSERT_EQ(0, copy_now(&p->die[0], &p->ib[0], AMDGPU_HW_IP_DMA, &self->peer,
			      &p->to[0], SIZE));
	EXPECT_EQ(0x77777777, buf_get(&p->to[0], PAGE / 4));

	ASSERT_EQ(0, count(&p->die[0], "umc", &before));
	ASSERT_EQ(0, inject(&p->die[1], "umc poison 0", bad + PAGE));
	/* The owner counts it, alone; asking for the count has its report looked at. */
	ASSERT_EQ(0, count(&p->die[0], "umc", &after));
	EXPECT_EQ(before.ue, after.ue);
	ASSERT_EQ(0, count(&p->die[1], "umc", &after));
	EXPECT_LT(0, after.ue);
	EXPECT_EQ('P', page_state(&p->die[1], bad + PAGE));

	EXPECT_NE(-ETIME, copy_now(&p->die[0], &p->ib[0], AMDGPU_HW_IP_DMA, &self->peer,
				   &p->to[0], SIZE));
	EXPECT_EQ(AMDGPU_CTX_GUILTY_RESET, reset_state(&p->die[0]));
	/* Its owner reads something else, and is in order. */
	EXPECT_EQ(0, copy_now(&p->die[1], &p->ib[1], AMDGPU_HW_IP_DMA, &p->from[1],
			      &p->to[1], SIZE));
	EXPECT_EQ(AMDGPU_CTX_NO_RESET, reset_state(&p->die[1]));
}

FIXTURE(fatal)
{
	struct pair pair;
	bool lost;	/* all of the die is reset, and its memory lost */
};

FIXTURE_VARIANT(fatal)
{
	const char *what, *block;
};

FIXTURE_VARIANT_ADD(fatal, gfx) { .what = "gfx ue 0", .block = "gfx", };
FIXTURE_VARIANT_ADD(fatal, sdma) { .what = "sdma ue 3", .block = "sdma", };
FIXTURE_VARIANT_ADD(fatal, mmhub) { .what = "mmhub ue 7", .block = "mmhub", };
FIXTURE_VARIANT_ADD(fatal, hdp) { .what = "hdp ue 1", .block = "hdp", };
FIXTURE_VARIANT_ADD(fatal, pcie_bif) { .what = "pcie_bif ue 0", };

FIXTURE_SETUP(fatal)
{
	int ret = pair_open(&self->pair);

	if (ret == -ENOENT)
		SKIP(return, "not two dies");
	ASSERT_EQ(0, ret);
	/* What is the machine's memory, too, is not taken away from it. */
	self->lost = !connected_to_cpu(&self->pair.die[0]);
}

FIXTURE_TEARDOWN(fatal)
{
	if (pair_is_open(&self->pair))
		pair_close(&self->pair);
}

/*
 * One die cannot go on: the hive is reset. When that is only the engines, whoever works
 * meanwhile gets the results that it would have got; in any case everything works then.
 */
TEST_F(fatal, resets_the_hive)
{
	struct pair *p = &self->pair;
	unsigned long resets[2];
	struct bystander b[2];
	struct counts before, after;
	uint32_t lost[2];
	int i;

	for (i = 0; i < 2; i++) {
		resets[i] = number(&p->die[i], "vgpu_hive_reset");
		lost[i] = vram_lost(&p->die[i]);
		b[i] = (struct bystander){
			.die = &p->die[i], .ib = &p->ib[i], .from = &p->from[i],
			.to = &p->to[i], .ip = i ? AMDGPU_HW_IP_DMA : AMDGPU_HW_IP_GFX,
		};
		if (!self->lost)
			ASSERT_EQ(0, pthread_create(&b[i].thread, NULL, stand_by, &b[i]));
	}
	if (variant->block)
		ASSERT_EQ(0, count(&p->die[0], variant->block, &before));
	ASSERT_EQ(0, inject(&p->die[0], variant->what, 0));
	for (i = 0; i < 2; i++)
		EXPECT_TRUE(reset_after(&p->die[i], resets[i]));
	for (i = 0; i < 2; i++) {
		if (!self->lost) {
			end(&b[i]);
			EXPECT_LT(0, b[i].runs);
			EXPECT_EQ(0, b[i].wrong);
			EXPECT_NE(AMDGPU_CTX_GUILTY_RESET, reset_state(&p->die[i]));
		}
		EXPECT_EQ(resets[i] + 1, number(&p->die[i], "vgpu_hive_reset"));
		EXPECT_EQ(lost[i] + self->lost, vram_lost(&p->die[i]));
	}
	if (variant->block) {
		ASSERT_EQ(0, count(&p->die[0], variant->block, &after));
		EXPECT_EQ(before.ue + 1, after.ue);
	}

	/* Detection works on, and so do the dies. */
	for (i = 0; i < 2; i++) {
		struct die again;
		struct buf ib, from, to;

		ASSERT_EQ(0, count(&p->die[i], "mmhub", &before));
		ASSERT_EQ(0, inject(&p->die[i], "mmhub ce 0", 0));
		ASSERT_EQ(0, count(&p->die[i], "mmhub", &after));
		EXPECT_EQ(before.ce + 1, after.ce);

		ASSERT_EQ(0, die_open_again(&p->die[i], &again));
		ASSERT_EQ(0, buf_alloc(&again, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib));
		ASSERT_EQ(0, buf_alloc(&again, SIZE, AMDGPU_GEM_DOMAIN_VRAM, &from));
		ASSERT_EQ(0, buf_alloc(&again, SIZE, AMDGPU_GEM_DOMAIN_VRAM, &to));
		memset(from.cpu, 0x31 + i, SIZE);
		EXPECT_EQ(0, copy_now(&again, &ib, AMDGPU_HW_IP_GFX, &from, &to, SIZE));
		EXPECT_EQ(0, memcmp(from.cpu, to.cpu, SIZE));
		memset(to.cpu, 0, SIZE);
		EXPECT_EQ(0, copy_now(&again, &ib, AMDGPU_HW_IP_DMA, &from, &to, SIZE));
		EXPECT_EQ(0, memcmp(from.cpu, to.cpu, SIZE));
		buf_free(&to);
		buf_free(&from);
		buf_free(&ib);
		die_close(&again);
	}
}

TEST_HARNESS_MAIN
