// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A hive is reset while all its dies work: on demand, since a ring does not come
 * back by itself, or with a member that goes in the middle; and one member is
 * reset or goes alone, under its peers. Documentation/hive.rst, "Reset".
 *
 * Wants the guest of tools/boot.sh: the n-th die is the device gpu(n - 1), and
 * the command "host" breaks its engines.
 */
#include <poll.h>
#include <pthread.h>

#include <hw/reg/vgpu.h>

#include "harness.h"
#include "hive.h"
#include "shared.h"

#define MAX_DIES	8
#define SIZE		(1u << 20)
#define HALF		(SIZE / 2)
#define HALF_WORDS	(HALF / 4)
#define IB_SIZE		16384
#define KINDS		2	/* of engines that work at the same time */

static const unsigned int engine_ip[KINDS] = { AMDGPU_HW_IP_GFX, AMDGPU_HW_IP_DMA };

/* All dies of the first hive, in a circle: each has memory of the next one. */
FIXTURE(resets)
{
	unsigned int num;
	unsigned int device[MAX_DIES];	/* the number of "gpu0" and so on */
	struct die die[MAX_DIES];
	struct buf ib[MAX_DIES];
	struct buf mem[MAX_DIES];	/* VRAM of each */
	struct buf peer[MAX_DIES];	/* that of the next */
};

static unsigned int next(const FIXTURE_DATA(resets) * self, unsigned int i)
{
	return (i + 1) % self->num;
}

/* The dies of the hive that the first one of any is in. */
static int open_dies(FIXTURE_DATA(resets) * self)
{
	uint64_t hive = 0, id;
	unsigned int i;
	int ret;

	for (i = 0; self->num < MAX_DIES; i++) {
		struct die *die = &self->die[self->num];

		ret = die_open(i, die);
		if (ret == -ENOENT)
			return 0;
		if (ret)
			return ret;
		id = hive_of(die);
		if (!id || (hive && id != hive)) {
			die_close(die);
			continue;
		}
		hive = id;
		self->device[self->num++] = i;
	}
	return 0;
}

static int make_buffers(FIXTURE_DATA(resets) * self)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < self->num && !ret; i++) {
		ret = buf_alloc(&self->die[i], IB_SIZE, AMDGPU_GEM_DOMAIN_GTT, &self->ib[i]);
		if (!ret)
			ret = buf_alloc(&self->die[i], SIZE, AMDGPU_GEM_DOMAIN_VRAM,
					&self->mem[i]);
	}
	for (i = 0; i < self->num && !ret; i++) {
		int fd = buf_export(&self->mem[next(self, i)]);

		if (fd < 0)
			return fd;
		ret = buf_import(&self->die[i], fd, &self->peer[i]);
		close(fd);
	}
	return ret;
}

FIXTURE_SETUP(resets)
{
	ASSERT_EQ(0, open_dies(self));
	if (self->num < 2)
		SKIP(return, "no hive");
	if (access("/dev/vgpu-host", W_OK))
		SKIP(return, "needs the guest of tools/boot.sh");
	ASSERT_EQ(0, make_buffers(self));
}

static void close_dies(FIXTURE_DATA(resets) * self)
{
	unsigned int i;

	for (i = 0; i < self->num; i++)
		buf_forget(&self->peer[i]);
	for (i = 0; i < self->num; i++) {
		buf_free(&self->mem[i]);
		buf_free(&self->ib[i]);
		die_close(&self->die[i]);
	}
	self->num = 0;
}

FIXTURE_TEARDOWN(resets)
{
	close_dies(self);
}

/* ------------------------------------------------------------- helpers */

/*
 * Each die but @without copies the lower half of its memory to the upper half of
 * the next one's, with both kinds of engines one behind the other; not waited for.
 */
static int start_copies(FIXTURE_DATA(resets) * self, struct sub sub[MAX_DIES][KINDS],
			unsigned int seed)
{
	unsigned int i, k;
	int ret = 0;

	for (i = 0; i < self->num; i++)
		fill_part(&self->mem[i], 0, HALF_WORDS, seed + i);
	for (i = 0; i < self->num && !ret; i++) {
		struct buf *bufs[] = { &self->mem[i], &self->peer[i], NULL };

		for (k = 0; k < KINDS && !ret; k++) {
			uint32_t at = k * HALF / KINDS;

			copy_job(&sub[i][k], &self->ib[i], 1024 * k, engine_ip[k],
				 self->mem[i].va + at, self->peer[i].va + HALF + at, HALF / KINDS);
			sub[i][k].bufs = bufs;
			ret = sub_submit(&self->die[i], &sub[i][k]);
		}
	}
	return ret;
}

/* Return: 0: all have ended well, and every word is where it belongs. */
static int finish_copies(FIXTURE_DATA(resets) * self, struct sub sub[MAX_DIES][KINDS],
			 unsigned int seed)
{
	unsigned int i, k;
	int ret = 0;

	for (i = 0; i < self->num && !ret; i++)
		for (k = 0; k < KINDS && !ret; k++)
			ret = sub_wait(&self->die[i], &sub[i][k], 3 * DIE_WAIT_NS);
	for (i = 0; i < self->num && !ret; i++)
		if (differs_part(&self->mem[next(self, i)], HALF_WORDS, HALF_WORDS, seed + i) !=
		    HALF_WORDS)
			ret = -EILSEQ;
	return ret;
}

static int copies(FIXTURE_DATA(resets) * self, unsigned int seed)
{
	struct sub sub[MAX_DIES][KINDS];
	int ret = start_copies(self, sub, seed);

	return ret ? ret : finish_copies(self, sub, seed);
}

/* ---------------------------------------------------------- under load */

/*
 * Work that shows when a job was lost, run twice or mixed up: each job adds one to a
 * counter of each die's memory, on both sides of the link.
 */
struct worker {
	struct die *die;
	struct buf *ib, *mem, *peer;
	unsigned int kind, counter;
	bool stop;
	unsigned int jobs, failed;
	pthread_t thread;
};

static void *work(void *arg)
{
	struct worker *k = arg;
	struct buf *bufs[] = { k->mem, k->peer, NULL };
	struct sub sub = { .ip = engine_ip[k->kind], .ib = k->ib, .bufs = bufs,
			   .offset = 1024 * k->kind };
	struct ibw w = { .dw = (uint32_t *)k->ib->cpu + 256 * k->kind };
	uint64_t at = 4 * k->counter;

	if (sub.ip == AMDGPU_HW_IP_GFX) {
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
			__atomic_add_fetch(&k->jobs, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static int start_worker(FIXTURE_DATA(resets) * self, struct worker *k, unsigned int i,
			unsigned int kind)
{
	*k = (struct worker){
		.die = &self->die[i], .ib = &self->ib[i], .mem = &self->mem[i],
		.peer = &self->peer[i], .kind = kind, .counter = KINDS * i + kind,
	};
	return pthread_create(&k->thread, NULL, work, k);
}

static void stop_worker(struct worker *k)
{
	__atomic_store_n(&k->stop, true, __ATOMIC_RELAXED);
	pthread_join(k->thread, NULL);
}

/* Both memories count what all workers have done, and their owners know of no harm. */
TEST_F(resets, fifty_under_load)
{
	struct worker worker[MAX_DIES * KINDS];
	unsigned int i, num = self->num * KINDS;

	for (i = 0; i < self->num; i++)
		memset(self->mem[i].cpu, 0, 4 * num);
	for (i = 0; i < num; i++)
		ASSERT_EQ(0, start_worker(self, &worker[i], i / KINDS, i % KINDS));
	for (i = 0; i < 50; i++)
		EXPECT_EQ(0, reset(&self->die[i % self->num], 2));
	for (i = 0; i < num; i++) {
		struct worker *k = &worker[i];
		uint32_t state, hangs;

		stop_worker(k);
		EXPECT_LT(0, k->jobs);
		EXPECT_EQ(0, k->failed);
		EXPECT_EQ(k->jobs, buf_get(k->mem, k->counter));
		EXPECT_EQ(k->jobs, buf_get(&self->mem[next(self, i / KINDS)], k->counter));
		EXPECT_EQ(0, amdgpu_cs_query_reset_state(k->die->ctx, &state, &hangs));
		EXPECT_NE(AMDGPU_CTX_GUILTY_RESET, state);
	}
	EXPECT_EQ(0, copies(self, 1));
}

/* ---------------------------------------------------------- escalation */

/* No reset of its ring reaches it. */
static int break_engine(unsigned int device, unsigned int kind)
{
	return stick(device, engine_ip[kind] == AMDGPU_HW_IP_GFX ?
			     VGPU_DBG_STUCK__GFX_MASK : VGPU_DBG_STUCK__SDMA_MASK(0));
}

/* A process of its own, whose only job is what an engine hangs in. */
static int submit_guilty(struct die *die, struct buf *ib, unsigned int kind, struct sub *sub)
{
	struct ibw w = { .dw = ib->cpu };

	if (engine_ip[kind] == AMDGPU_HW_IP_GFX)
		pm4_wait_mem(&w, ib->va + 2048, 0x4e7e2);
	else
		sdma_wait_mem(&w, ib->va + 2048, 0x4e7e2);
	*sub = (struct sub){ .ip = engine_ip[kind], .ib = ib, .ndw = w.n };
	return sub_submit(die, sub);
}

static void escalate(struct __test_metadata *_metadata, FIXTURE_DATA(resets) * self,
		     unsigned int kind)
{
	struct sub sub[MAX_DIES][KINDS], bad;
	long before[MAX_DIES];
	uint64_t flags = 0;
	struct die guilty;
	unsigned int i;
	struct buf ib;

	ASSERT_EQ(0, die_open_again(&self->die[0], &guilty));
	ASSERT_EQ(0, buf_alloc(&guilty, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib));
	/* Everything is mapped: the engine's next job is the one that is meant. */
	ASSERT_EQ(0, copies(self, 10));
	copy_job(&bad, &ib, 0, engine_ip[kind], ib.va + 2048, ib.va + 3072, 4);
	ASSERT_EQ(0, sub_run(&guilty, &bad));
	for (i = 0; i < self->num; i++)
		before[i] = resets_of(&self->die[i]);

	ASSERT_EQ(0, break_engine(self->device[0], kind));
	ASSERT_EQ(0, submit_guilty(&guilty, &ib, kind, &bad));
	/* On all dies, and on the broken engine behind it. */
	ASSERT_EQ(0, start_copies(self, sub, 20));
	EXPECT_EQ(0, finish_copies(self, sub, 20));

	/* It has ended too, and knows why; the others do not suffer for it. */
	EXPECT_NE(-ETIME, sub_wait(&guilty, &bad, DIE_WAIT_NS));
	EXPECT_EQ(0, amdgpu_cs_query_reset_state2(guilty.ctx, &flags));
	EXPECT_TRUE(flags & AMDGPU_CTX_QUERY2_FLAGS_GUILTY);
	EXPECT_FALSE(flags & AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST);
	EXPECT_EQ(-ECANCELED, submit_guilty(&guilty, &ib, kind, &bad));
	for (i = 0; i < self->num; i++) {
		EXPECT_EQ(0, amdgpu_cs_query_reset_state2(self->die[i].ctx, &flags));
		EXPECT_FALSE(flags & AMDGPU_CTX_QUERY2_FLAGS_GUILTY);
		/* A reset of the ring alone would be none of the other dies'. */
		EXPECT_EQ(before[i] + 1, resets_of(&self->die[i]));
	}
	EXPECT_EQ(0, copies(self, 30));
	buf_free(&ib);
	die_close(&guilty);
}

TEST_F(resets, graphics_ring_that_does_not_come_back)
{
	escalate(_metadata, self, 0);
}

TEST_F(resets, sdma_ring_that_does_not_come_back)
{
	escalate(_metadata, self, 1);
}

/* ------------------------------------------------- a member goes, or is reset */

/* Copies memory of the next die to its own, and looks at every word of it. */
struct reader {
	struct die *die;
	struct buf *ib, *mem, *peer;
	uint32_t seed;
	bool stop;
	pid_t tid;
	unsigned int runs, wrong;
	pthread_t thread;
};

/* What a word may be: what was there, or what a read brings that nobody answers. */
static bool right_or_none(const struct reader *r, uint32_t i)
{
	uint32_t got = buf_get(r->mem, HALF_WORDS + i);

	return got == word(r->seed, i) || got == ~0u || got == 0;
}

static int read_once(const struct reader *r)
{
	struct buf *bufs[] = { r->mem, r->peer, NULL };
	struct sub sub;

	copy_job(&sub, r->ib, 0, AMDGPU_HW_IP_DMA, r->peer->va, r->mem->va + HALF, HALF);
	sub.bufs = bufs;
	return sub_run(r->die, &sub);
}

static void *read_peer(void *arg)
{
	struct reader *r = arg;
	uint32_t i;

	while (!__atomic_load_n(&r->stop, __ATOMIC_RELAXED)) {
		if (!read_once(r))
			for (i = 0; i < HALF_WORDS; i++)
				r->wrong += !right_or_none(r, i);
		__atomic_add_fetch(&r->runs, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static int start_reader(FIXTURE_DATA(resets) * self, struct reader *r, uint32_t seed)
{
	*r = (struct reader){
		.die = &self->die[0], .ib = &self->ib[0], .mem = &self->mem[0],
		.peer = &self->peer[0], .seed = seed,
	};
	fill_part(&self->mem[1], 0, HALF_WORDS, seed);
	if (pthread_create(&r->thread, NULL, read_peer, r))
		return -EAGAIN;
	/* It is at it. */
	while (__atomic_load_n(&r->runs, __ATOMIC_RELAXED) < 2)
		poll(NULL, 0, 1);
	return 0;
}

static void stop_reader(struct reader *r)
{
	__atomic_store_n(&r->stop, true, __ATOMIC_RELAXED);
	pthread_join(r->thread, NULL);
}

/* Whatever became of the peer: the first die copies in its own memory. */
static int survives(FIXTURE_DATA(resets) * self)
{
	struct buf other;
	int ret = buf_alloc(&self->die[0], SIZE, AMDGPU_GEM_DOMAIN_VRAM, &other);

	if (ret)
		return ret;
	fill(&other, 0x5afe);
	ret = copy(&self->die[0], &self->ib[0], AMDGPU_HW_IP_GFX, &other, &self->mem[0]);
	if (!ret && differs(&self->mem[0], 0x5afe) != SIZE / 4)
		ret = -EILSEQ;
	buf_free(&other);
	return ret;
}

static int take_away(const struct die *die)
{
	return write_file("/sys/bus/pci/drivers/vgpu/unbind", die->pci);
}

static int bring_back(const struct die *die)
{
	return write_file("/sys/bus/pci/drivers/vgpu/bind", die->pci);
}

/* A member is reset by the PCI core while another one reaches into its memory. */
TEST_F(resets, function_reset_under_traffic)
{
	struct reader reader;
	uint64_t flags = 0;
	char path[80];
	int i;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", self->die[1].pci);
	ASSERT_EQ(0, start_reader(self, &reader, 40));
	for (i = 0; i < 5; i++)
		EXPECT_EQ(0, write_file(path, "1"));
	stop_reader(&reader);
	EXPECT_EQ(0, reader.wrong);

	EXPECT_EQ(0, survives(self));
	ASSERT_EQ(0, amdgpu_cs_query_reset_state2(self->die[1].ctx, &flags));
	EXPECT_TRUE(flags & AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST);
	ASSERT_EQ(0, amdgpu_cs_query_reset_state2(self->die[0].ctx, &flags));
	EXPECT_FALSE(flags & AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST);
	/* The mapping is good again; the die's own contexts begin anew. */
	fill(&self->mem[0], 9);
	ASSERT_EQ(0, copy(&self->die[0], &self->ib[0], AMDGPU_HW_IP_DMA, &self->mem[0],
			  &self->peer[0]));
	EXPECT_EQ(SIZE / 4, differs(&self->mem[1], 9));
}

/* It goes for good, and another takes its place: nobody finds the way to that one. */
TEST_F(resets, unplug_under_traffic)
{
	struct reader reader;
	struct die again;
	struct buf fresh;

	ASSERT_EQ(0, start_reader(self, &reader, 50));
	EXPECT_EQ(0, take_away(&self->die[1]));
	EXPECT_EQ(0, bring_back(&self->die[1]));
	ASSERT_EQ(0, die_open(self->device[1], &again));
	ASSERT_EQ(0, buf_alloc(&again, SIZE, AMDGPU_GEM_DOMAIN_VRAM, &fresh));
	fill(&fresh, 3);
	stop_reader(&reader);
	EXPECT_EQ(0, reader.wrong);
	EXPECT_NE(0, copy(&self->die[0], &self->ib[0], AMDGPU_HW_IP_GFX, &self->mem[0],
			  &self->peer[0]));
	EXPECT_EQ(SIZE / 4, differs(&fresh, 3));
	EXPECT_EQ(0, survives(self));
	buf_free(&fresh);
	die_close(&again);
}

/* One that must not succeed with anything else than what was there. */
static void *read_moving(void *arg)
{
	struct reader *r = arg;

	__atomic_store_n(&r->tid, gettid(), __ATOMIC_RELEASE);
	if (!read_once(r))
		r->wrong = HALF_WORDS - differs_part(r->mem, HALF_WORDS, HALF_WORDS, r->seed);
	return NULL;
}

/* It sleeps in the kernel, or is over. */
static void await_sleep(const struct reader *r)
{
	char path[64], state = 'R';
	pid_t tid;
	FILE *f;

	while (!(tid = __atomic_load_n(&r->tid, __ATOMIC_ACQUIRE)))
		sched_yield();
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	while (state == 'R') {
		f = fopen(path, "r");
		if (!f)
			return;
		if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = 'R';
		fclose(f);
	}
}

/* Its memory was about to move, behind a job that does not end: what arrives is no data. */
TEST_F(resets, unplug_while_its_memory_moves)
{
	struct buf *ib = &self->ib[1], *bufs[] = { &self->mem[1], NULL };
	struct sub hangs = { .ip = AMDGPU_HW_IP_GFX, .ib = ib, .bufs = bufs };
	struct sub moves = { .ip = AMDGPU_HW_IP_GFX, .ib = ib, .bufs = bufs, .offset = 1024 };
	struct ibw w = { .dw = ib->cpu }, v = { .dw = (uint32_t *)ib->cpu + 256 };
	struct reader reader = {
		.die = &self->die[0], .ib = &self->ib[0], .mem = &self->mem[0],
		.peer = &self->peer[0], .seed = 60,
	};

	fill_part(&self->mem[1], 0, HALF_WORDS, reader.seed);
	/* The mapping is there. */
	ASSERT_EQ(0, read_once(&reader));
	pm4_wait_mem(&w, ib->va + 2048, 0x4e7e2);
	hangs.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->die[1], &hangs));
	ASSERT_EQ(0, buf_place(&self->die[1], &self->mem[1], AMDGPU_GEM_DOMAIN_GTT));
	pm4_write(&v, ib->va + 2052, 1);
	moves.ndw = v.n;
	ASSERT_EQ(0, sub_submit(&self->die[1], &moves));

	ASSERT_EQ(0, pthread_create(&reader.thread, NULL, read_moving, &reader));
	await_sleep(&reader);
	EXPECT_EQ(0, take_away(&self->die[1]));
	pthread_join(reader.thread, NULL);
	EXPECT_EQ(0, reader.wrong);
	EXPECT_EQ(0, survives(self));
	EXPECT_EQ(0, bring_back(&self->die[1]));
}

/* What was in memory is there after it, and so are the mappings. */
TEST_F(resets, mode2_keeps_memory)
{
	unsigned int i;

	for (i = 0; i < self->num; i++)
		fill(&self->mem[i], 100 + i);
	ASSERT_EQ(0, reset(&self->die[0], 2));
	for (i = 0; i < self->num; i++)
		EXPECT_EQ(SIZE / 4, differs(&self->mem[i], 100 + i));
	EXPECT_EQ(0, copies(self, 200));
}

/* A reset of everything: who was there before is told, and can begin anew. */
TEST_F(resets, mode1_loses_memory)
{
	uint64_t flags = 0;
	unsigned int i;

	ASSERT_EQ(0, reset(&self->die[0], 1));
	for (i = 0; i < self->num; i++) {
		ASSERT_EQ(0, amdgpu_cs_query_reset_state2(self->die[i].ctx, &flags));
		EXPECT_TRUE(flags & AMDGPU_CTX_QUERY2_FLAGS_RESET);
		EXPECT_TRUE(flags & AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST);
		EXPECT_FALSE(flags & AMDGPU_CTX_QUERY2_FLAGS_GUILTY);
	}
	EXPECT_EQ(0, copies(self, 300));
}

/* Nothing else is a reset. */
TEST_F(resets, no_such_reset)
{
	EXPECT_EQ(-EINVAL, reset(&self->die[0], 0));
	EXPECT_EQ(-EINVAL, reset(&self->die[0], 3));
}

/* ------------------------------------- a member goes in the middle of a reset */

struct asker {
	struct die *die;
	int mode, ret;
	pthread_t thread;
};

static void *ask(void *arg)
{
	struct asker *a = arg;

	a->ret = reset(a->die, a->mode);
	return NULL;
}

/* Waits for a word to be 1, then writes the next one. */
static int submit_patient(struct die *die, struct buf *buf, struct sub *sub)
{
	struct ibw w = { .dw = buf->cpu };

	sdma_wait_mem(&w, buf->va + 2048, 1);
	sdma_write(&w, buf->va + 2052, 0x90ff);
	*sub = (struct sub){ .ip = AMDGPU_HW_IP_DMA, .ib = buf, .ndw = w.n };
	return sub_submit(die, sub);
}

/*
 * The second die leaves while the hive waits for a job of the first one that needs
 * more time than it is given; @asks has asked for the reset.
 */
static void go_in_the_middle(struct __test_metadata *_metadata, FIXTURE_DATA(resets) * self,
			     unsigned int asks, int mode)
{
	struct asker asker = { .die = &self->die[asks], .mode = mode };
	struct die patient, again;
	struct buf buf;
	struct sub sub;
	char text[32];
	int log = log_open();

	ASSERT_LE(0, log);
	/* Of a process that has nothing to do with the one that goes. */
	ASSERT_EQ(0, die_open_again(&self->die[0], &patient));
	ASSERT_EQ(0, buf_alloc(&patient, 4096, AMDGPU_GEM_DOMAIN_GTT, &buf));
	ASSERT_EQ(0, submit_patient(&patient, &buf, &sub));

	snprintf(text, sizeof(text), "mode-%d reset of", mode);
	ASSERT_EQ(0, pthread_create(&asker.thread, NULL, ask, &asker));
	ASSERT_TRUE(log_says(log, text));
	EXPECT_EQ(0, take_away(&self->die[1]));
	pthread_join(asker.thread, NULL);
	close(log);
	EXPECT_EQ(asks == 1 ? -ENODEV : 0, asker.ret);
	EXPECT_EQ(-ENODEV, copy(&self->die[1], &self->ib[1], AMDGPU_HW_IP_GFX, &self->mem[1],
				&self->peer[1]));

	buf_set(&buf, 512, 1);
	EXPECT_NE(-ETIME, sub_wait(&patient, &sub, DIE_WAIT_NS));
	/* Mode 2 has run it again, mode 1 ended it. */
	EXPECT_EQ(mode == 2 ? 0x90ff : 0, buf_get(&buf, 513));
	EXPECT_EQ(0, survives(self));
	EXPECT_EQ(0, bring_back(&self->die[1]));
	ASSERT_EQ(0, die_open(self->device[1], &again));
	EXPECT_EQ(hive_of(&self->die[0]), hive_of(&again));
	EXPECT_EQ(0, reset(&self->die[0], 2));
	EXPECT_EQ(1, resets_of(&again));
	die_close(&again);
	buf_free(&buf);
	die_close(&patient);
}

FIXTURE(middle)
{
	FIXTURE_DATA(resets) hive;
};

FIXTURE_SETUP(middle)
{
	if (access("/dev/vgpu-host", W_OK))
		SKIP(return, "needs the guest of tools/boot.sh");
	/* What waits is never ended by its timeout. */
	ASSERT_EQ(0, system("rmmod vgpu; modprobe vgpu lockup_timeout=0"));
	ASSERT_EQ(0, open_dies(&self->hive));
	if (self->hive.num < 2)
		SKIP(return, "no hive");
	ASSERT_EQ(0, make_buffers(&self->hive));
}

FIXTURE_TEARDOWN(middle)
{
	close_dies(&self->hive);
	EXPECT_EQ(0, system("rmmod vgpu; modprobe vgpu"));
}

TEST_F(middle, another_member_goes)
{
	go_in_the_middle(_metadata, &self->hive, 0, 2);
}

/* Its reset is the hive's: the others go through with it. */
TEST_F(middle, the_one_that_asked_goes)
{
	go_in_the_middle(_metadata, &self->hive, 1, 2);
}

TEST_F(middle, goes_in_a_reset_of_everything)
{
	go_in_the_middle(_metadata, &self->hive, 0, 1);
}

/* All about it is new: an address space, and contexts that know of no loss. */
static int works_anew(const struct die *die)
{
	struct buf ib = { 0 }, from = { 0 }, to = { 0 };
	struct die user;
	int ret = die_open_again(die, &user);

	if (ret)
		return ret;
	ret = buf_alloc(&user, IB_SIZE, AMDGPU_GEM_DOMAIN_GTT, &ib);
	if (!ret)
		ret = buf_alloc(&user, SIZE, AMDGPU_GEM_DOMAIN_VRAM, &from);
	if (!ret)
		ret = buf_alloc(&user, SIZE, AMDGPU_GEM_DOMAIN_VRAM, &to);
	if (!ret) {
		fill(&from, 0xa9e3);
		ret = copy(&user, &ib, AMDGPU_HW_IP_DMA, &from, &to);
	}
	if (!ret && differs(&to, 0xa9e3) != SIZE / 4)
		ret = -EILSEQ;
	buf_free(&to);
	buf_free(&from);
	buf_free(&ib);
	die_close(&user);
	return ret;
}

/*
 * The second die is taken out of its slot, which gives the driver five seconds' notice.
 * The reset takes seven: the first die's firmware does not answer.
 */
TEST_F(middle, is_taken_out)
{
	FIXTURE_DATA(resets) * hive = &self->hive;
	struct asker asker = { .die = &hive->die[0], .mode = 2 };
	unsigned int device = hive->device[1], i;
	char command[100], path[80];
	int log = log_open();
	struct die again;

	ASSERT_LE(0, log);
	ASSERT_EQ(0, stick(hive->device[0], VGPU_DBG_STUCK__MP0_MASK | VGPU_DBG_STUCK__MP1_MASK));
	ASSERT_EQ(0, pthread_create(&asker.thread, NULL, ask, &asker));
	ASSERT_TRUE(log_says(log, "mode-2 reset of"));
	snprintf(command, sizeof(command), "host device_del gpu%u >/dev/null", device);
	EXPECT_EQ(0, system(command));
	pthread_join(asker.thread, NULL);
	EXPECT_EQ(-ETIMEDOUT, asker.ret);
	EXPECT_EQ(-ENODEV, copy(&hive->die[1], &hive->ib[1], AMDGPU_HW_IP_GFX, &hive->mem[1],
				&hive->peer[1]));
	for (i = 2; i < hive->num; i++)
		EXPECT_EQ(0, works_anew(&hive->die[i]));

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", hive->die[0].pci);
	EXPECT_EQ(0, write_file(path, "1"));
	EXPECT_EQ(0, works_anew(&hive->die[0]));
	snprintf(command, sizeof(command),
		 "host device_add vgpu,bus=rp%1$u,id=gpu%1$u,hive=h0,node=%1$u >/dev/null", device);
	ASSERT_EQ(0, system(command));
	ASSERT_TRUE(log_says(log, "Initialized vgpu"));
	close(log);
	ASSERT_EQ(0, die_open(device, &again));
	EXPECT_EQ(hive_of(&hive->die[0]), hive_of(&again));
	EXPECT_EQ(0, works_anew(&again));
	die_close(&again);
}

TEST_HARNESS_MAIN
