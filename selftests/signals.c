// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Signals and processes: waits end with a signal and go on after it, killed
 * processes leave nothing behind, and children may use what they inherit.
 * Documentation/architecture.rst, "The life of a die".
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"

FIXTURE(signals)
{
	struct die die;
	struct buf ib, buf;
	struct buf *bufs[2];
};

FIXTURE_SETUP(signals)
{
	ASSERT_EQ(0, die_open(0, &self->die));
	ASSERT_EQ(0, buf_alloc(&self->die, 16384, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->die, 16384, AMDGPU_GEM_DOMAIN_VRAM, &self->buf));
	self->bufs[0] = &self->buf;
	self->bufs[1] = NULL;
}

FIXTURE_TEARDOWN(signals)
{
	if (!self->die.dev)
		return;
	buf_free(&self->buf);
	buf_free(&self->ib);
	die_close(&self->die);
}

static volatile sig_atomic_t caught;

static void on_signal(int sig)
{
	caught++;
}

static void catch(int sig, int flags)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = flags };

	caught = 0;
	sigaction(sig, &sa, NULL);
}

static int park(struct die *die, struct buf *ib, struct buf **bufs, struct sub *sub)
{
	struct ibw w = { .dw = ib->cpu };

	pm4_wait_mem(&w, bufs[0]->va, 1);
	*sub = (struct sub){ .ip = AMDGPU_HW_IP_GFX, .ib = ib, .ndw = w.n, .bufs = bufs };
	return sub_submit(die, sub);
}

static int write_word(struct die *die, struct buf *ib, struct buf **bufs, uint32_t i,
		      uint32_t value, struct sub *sub)
{
	struct ibw w = { .dw = (uint32_t *)ib->cpu + 1024 };

	pm4_write(&w, bufs[0]->va + 4 * i, value);
	*sub = (struct sub){
		.ip = AMDGPU_HW_IP_GFX, .ib = ib, .offset = 4096, .ndw = w.n, .bufs = bufs,
	};
	return sub_submit(die, sub);
}

/* Without libdrm, which would go on by itself. */
static int raw_wait(struct die *die, uint32_t ctx, uint64_t seq)
{
	union drm_amdgpu_wait_cs args = { .in = {
		.ctx_id = ctx, .ip_type = AMDGPU_HW_IP_GFX, .handle = seq,
		.timeout = ~0ull >> 1,
	} };

	return ioctl(amdgpu_device_get_fd(die->dev), DRM_IOCTL_AMDGPU_WAIT_CS, &args) ? -errno :
	       args.out.status ? -ETIME : 0;
}

static int raw_wait_idle(struct die *die, struct buf *buf)
{
	union drm_amdgpu_gem_wait_idle args = { .in.timeout = ~0ull >> 1 };

	amdgpu_bo_export(buf->bo, amdgpu_bo_handle_type_kms, &args.in.handle);
	return ioctl(amdgpu_device_get_fd(die->dev), DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE, &args) ?
	       -errno : args.out.status ? -ETIME : 0;
}

/* The number of the context libdrm made: the first of its file. */
#define FIRST_CTX	1

struct poke {
	pthread_t target;
	uint32_t *word;
	unsigned int after;
	bool stop;
};

/* Signals the target, and again, until it says stop or was caught @after times. */
static void *poke(void *arg)
{
	struct poke *p = arg;

	while (!__atomic_load_n(&p->stop, __ATOMIC_RELAXED) && caught < p->after) {
		pthread_kill(p->target, SIGUSR1);
		poll(NULL, 0, 2);
	}
	if (p->word)
		__atomic_store_n(p->word, 1, __ATOMIC_RELEASE);
	return NULL;
}

TEST_F(signals, wait_is_interrupted)
{
	struct poke p = { .target = pthread_self(), .after = ~0u };
	pthread_t thread;
	struct sub sub;

	catch(SIGUSR1, 0);
	ASSERT_EQ(0, park(&self->die, &self->ib, self->bufs, &sub));
	ASSERT_EQ(0, pthread_create(&thread, NULL, poke, &p));
	EXPECT_EQ(-EINTR, raw_wait(&self->die, FIRST_CTX, sub.seq));
	EXPECT_EQ(-EINTR, raw_wait_idle(&self->die, &self->buf));
	__atomic_store_n(&p.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);

	/* The job knows nothing of it. */
	buf_set(&self->buf, 0, 1);
	EXPECT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
}

/* With SA_RESTART the wait goes on, however often it is interrupted. */
TEST_F(signals, wait_is_restarted)
{
	struct poke p = { .target = pthread_self(), .word = self->buf.cpu, .after = 50 };
	pthread_t thread;
	struct sub sub;

	catch(SIGUSR1, SA_RESTART);
	ASSERT_EQ(0, park(&self->die, &self->ib, self->bufs, &sub));
	ASSERT_EQ(0, pthread_create(&thread, NULL, poke, &p));
	EXPECT_EQ(0, raw_wait(&self->die, FIRST_CTX, sub.seq));
	pthread_join(thread, NULL);
	EXPECT_LE(50, caught);
}

/* A signal every millisecond through submissions, mappings and faults. */
TEST_F(signals, work_under_a_storm)
{
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } }, never = { };
	struct sub sub;
	uint32_t i;

	catch(SIGALRM, SA_RESTART);
	setitimer(ITIMER_REAL, &every, NULL);
	for (i = 1; i <= 200; i++) {
		struct buf more;
		int ret = buf_alloc(&self->die, 1 << 20, i % 2 ? AMDGPU_GEM_DOMAIN_VRAM :
				    AMDGPU_GEM_DOMAIN_GTT, &more);

		EXPECT_EQ(0, ret);
		if (ret)
			break;
		EXPECT_EQ(0, write_word(&self->die, &self->ib, self->bufs, i, i, &sub));
		if (i % 8 == 0)
			EXPECT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
		buf_free(&more);
		/* The next one changes the IB. */
		EXPECT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	}
	setitimer(ITIMER_REAL, &never, NULL);
	for (i = 1; i <= 200; i++)
		EXPECT_EQ(i, buf_get(&self->buf, i));
	EXPECT_LT(0, caught);
}

/* What a child does until it is killed: jobs, also one that never ends. */
static void doomed(const struct die *parent, bool parked, int ready)
{
	struct buf ib, buf, *bufs[] = { &buf, NULL };
	struct die die;
	struct sub sub;
	uint32_t i;

	if (die_open_again(parent, &die) ||
	    buf_alloc(&die, 16384, AMDGPU_GEM_DOMAIN_GTT, &ib) ||
	    buf_alloc(&die, 4 << 20, AMDGPU_GEM_DOMAIN_VRAM, &buf))
		_exit(1);
	if (parked && park(&die, &ib, bufs, &sub))
		_exit(2);
	for (i = 0;; i++) {
		if (write_word(&die, &ib, bufs, 1 + i % 1000, i, &sub))
			_exit(3);
		if (i == 10 && write(ready, "", 1) != 1)
			_exit(4);
		if (i >= 10 && sub_wait(&die, &sub, ~0ull >> 1))
			_exit(5);
	}
}

static uint64_t usage(struct die *die, unsigned int query)
{
	uint64_t bytes = ~0ull;

	amdgpu_query_info(die->dev, query, sizeof(bytes), &bytes);
	return bytes;
}

/* What the dead had is given back when their last job is over. */
static bool comes_back(struct die *die, unsigned int query, uint64_t to)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		if (usage(die, query) == to)
			return true;
		poll(NULL, 0, 10);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - start.tv_sec < 20);
	return false;
}

static void kill_many(struct __test_metadata *_metadata, struct die *die, unsigned int rounds,
		      bool parked)
{
	uint64_t vram = usage(die, AMDGPU_INFO_VRAM_USAGE);
	uint64_t gtt = usage(die, AMDGPU_INFO_GTT_USAGE);
	unsigned int i;

	for (i = 0; i < rounds; i++) {
		int status, ready[2];
		pid_t pid;
		char c;

		ASSERT_EQ(0, pipe(ready));
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid)
			doomed(die, parked, ready[1]);
		close(ready[1]);
		ASSERT_EQ(1, read(ready[0], &c, 1));
		close(ready[0]);
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status)) {
			TH_LOG("child ended by itself: %#x", status);
		}
	}
	EXPECT_TRUE(comes_back(die, AMDGPU_INFO_VRAM_USAGE, vram)) {
		TH_LOG("VRAM %llu KiB, was %llu",
		       (unsigned long long)usage(die, AMDGPU_INFO_VRAM_USAGE) >> 10,
		       (unsigned long long)vram >> 10);
	}
	EXPECT_TRUE(comes_back(die, AMDGPU_INFO_GTT_USAGE, gtt)) {
		TH_LOG("GTT %llu KiB, was %llu",
		       (unsigned long long)usage(die, AMDGPU_INFO_GTT_USAGE) >> 10,
		       (unsigned long long)gtt >> 10);
	}
}

TEST_F(signals, killed_with_jobs_in_flight)
{
	struct sub sub;

	kill_many(_metadata, &self->die, 30, false);
	ASSERT_EQ(0, write_word(&self->die, &self->ib, self->bufs, 5, 0x600d, &sub));
	EXPECT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	EXPECT_EQ(0x600d, buf_get(&self->buf, 5));
}

TEST_F(signals, killed_with_a_job_that_never_ends)
{
	struct sub sub;

	kill_many(_metadata, &self->die, 6, true);
	ASSERT_EQ(0, write_word(&self->die, &self->ib, self->bufs, 5, 0x600d, &sub));
	EXPECT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	EXPECT_EQ(0x600d, buf_get(&self->buf, 5));
}

/* A fatal signal ends a wait for what never comes at once, not after a timeout. */
TEST_F(signals, killed_in_a_wait)
{
	struct sub sub;
	int status, ready[2];
	pid_t pid;
	char c;

	ASSERT_EQ(0, park(&self->die, &self->ib, self->bufs, &sub));
	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (write(ready[1], "", 1) == 1)
			raw_wait(&self->die, FIRST_CTX, sub.seq);
		_exit(1);
	}
	ASSERT_EQ(1, read(ready[0], &c, 1));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	/* The job is still there: it was neither ended nor timed out. */
	EXPECT_EQ(-ETIME, sub_wait(&self->die, &sub, 0));
	buf_set(&self->buf, 0, 1);
	EXPECT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	close(ready[0]);
	close(ready[1]);
}

/* File, address space and mappings are the parent's; both may use them. */
TEST_F(signals, child_uses_what_it_inherits)
{
	struct sub sub;
	int status;
	pid_t pid;

	buf_set(&self->buf, 9, 0xa5);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (buf_get(&self->buf, 9) != 0xa5)
			_exit(1);
		if (write_word(&self->die, &self->ib, self->bufs, 5, 0xc41d, &sub))
			_exit(2);
		if (sub_wait(&self->die, &sub, DIE_WAIT_NS))
			_exit(3);
		_exit(buf_get(&self->buf, 5) == 0xc41d ? 0 : 4);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	/* The child's end closed nothing of the parent's. */
	EXPECT_EQ(0xc41d, buf_get(&self->buf, 5));
	ASSERT_EQ(0, write_word(&self->die, &self->ib, self->bufs, 6, 0xda0, &sub));
	EXPECT_EQ(0, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	EXPECT_EQ(0xda0, buf_get(&self->buf, 6));
}

TEST_HARNESS_MAIN
