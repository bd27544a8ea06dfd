// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A die goes away under its users: taken out of its slot, removed by sysfs, or
 * unbound from the driver, while files are open, VRAM and system memory are
 * mapped, and jobs run or wait for what never comes. Users get -ENODEV and
 * live, the other die works on, and a die that comes back works.
 * Documentation/architecture.rst, "The life of a die".
 *
 * Wants the guest of tools/boot.sh: dies gpu0 and gpu1 in slots rp0 and rp1,
 * and its "host" command.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>
#include "emit.h"
#include "harness.h"
#include "lib/die.h"
#include "rings.h"

#define ENGINES		NUM_RINGS
#define COMING_S	60	/* a slot powers on; the emulated machine may be slow */

enum { BY_SLOT, BY_REMOVE, BY_UNBIND };

/* Each returns when the driver is through with the die. */
static int take_away(int how, const char *pci)
{
	char path[128];

	switch (how) {
	case BY_SLOT:
		return system("host device_del gpu0 >/dev/null") ? -EIO : 0;
	case BY_REMOVE:
		snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/remove", pci);
		return write_file(path, "1");
	default:
		return write_file("/sys/bus/pci/drivers/vgpu/unbind", pci);
	}
}

static int bring_back(int how, const char *pci)
{
	switch (how) {
	case BY_SLOT:
		return system("host device_add vgpu,bus=rp0,id=gpu0,hive=h0,node=0 >/dev/null") ?
		       -EIO : 0;
	case BY_REMOVE:
		return write_file("/sys/bus/pci/rescan", "1");
	default:
		return write_file("/sys/bus/pci/drivers/vgpu/bind", pci);
	}
}

/* By its address: the other die is there all the time. */
static int open_by_pci(const char *pci, struct die *die)
{
	unsigned int i;
	int ret;

	for (i = 0; i < DIE_MAX; i++) {
		ret = die_open(i, die);
		if (ret == -ENOENT)
			break;
		if (ret)
			continue;
		if (!strcmp(die->pci, pci))
			return 0;
		die_close(die);
	}
	return -ENODEV;
}

/* The slot tells nobody when its card is up: look until it is, or time is over. */
static int await_die(const char *pci, struct die *die)
{
	struct timespec start, now;
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		ret = open_by_pci(pci, die);
		if (!ret)
			return 0;
		poll(NULL, 0, 20);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - start.tv_sec < COMING_S);
	return ret;
}

/* A word of @buf for each engine: it writes there, or waits for what nobody writes. */
static int job(struct die *die, struct buf *ib, struct buf **bufs, unsigned int engine, bool park,
	       struct sub *sub)
{
	struct ibw w = { .dw = (uint32_t *)ib->cpu + 64 * engine };
	uint64_t va = bufs[0]->va + 4 * engine;

	if (park)
		ring_wait_mem(&w, ring_ip(engine), va, 0x4e7e2);
	else
		ring_write(&w, ring_ip(engine), va, 0x100 + engine);
	*sub = (struct sub){
		.ip = ring_ip(engine), .ring = ring_nr(engine), .ib = ib,
		.offset = 256 * engine, .ndw = w.n, .bufs = bufs,
	};
	return sub_submit(die, sub);
}

static bool works(struct die *die)
{
	struct buf ib, buf, *bufs[] = { &buf, NULL };
	struct sub sub;
	unsigned int i;
	bool ok = true;

	if (buf_alloc(die, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib))
		return false;
	if (buf_alloc(die, 4096, AMDGPU_GEM_DOMAIN_VRAM, &buf)) {
		buf_free(&ib);
		return false;
	}
	for (i = 0; i < ENGINES && ok; i++)
		ok = !job(die, &ib, bufs, i, false, &sub) && !sub_wait(die, &sub, DIE_WAIT_NS) &&
		     buf_get(&buf, i) == 0x100 + i;
	buf_free(&buf);
	buf_free(&ib);
	return ok;
}

struct waiter {
	struct die *die;
	struct sub sub;
	int ret;
};

static void *await(void *arg)
{
	struct waiter *w = arg;

	w->ret = sub_wait(w->die, &w->sub, DIE_WAIT_NS);
	return NULL;
}

/* Works on the other die until it is told to stop. */
struct bystander {
	struct die *die;
	bool stop;
	unsigned int runs, wrong;
};

static void *stand_by(void *arg)
{
	struct bystander *b = arg;

	while (!__atomic_load_n(&b->stop, __ATOMIC_RELAXED)) {
		b->runs++;
		if (!works(b->die))
			b->wrong++;
	}
	return NULL;
}

FIXTURE(unplug)
{
	struct die die, other;
	char pci[16];
	struct buf ib, vram, gtt;
	struct buf *bufs[2];
};

FIXTURE_VARIANT(unplug)
{
	int how;
};

FIXTURE_VARIANT_ADD(unplug, slot) { .how = BY_SLOT, };
FIXTURE_VARIANT_ADD(unplug, remove) { .how = BY_REMOVE, };
FIXTURE_VARIANT_ADD(unplug, unbind) { .how = BY_UNBIND, };

FIXTURE_SETUP(unplug)
{
	if (getuid())
		SKIP(return, "needs root");
	if (access("/dev/vgpu-host", W_OK))
		SKIP(return, "needs the guest of tools/boot.sh");
	/* What waits is never ended by its timeout. */
	ASSERT_EQ(0, system("rmmod vgpu; modprobe vgpu lockup_timeout=0"));
	ASSERT_EQ(0, die_open(0, &self->die));
	ASSERT_EQ(0, die_open(1, &self->other));
	memcpy(self->pci, self->die.pci, sizeof(self->pci));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->die, 1 << 20, AMDGPU_GEM_DOMAIN_VRAM, &self->vram));
	ASSERT_EQ(0, buf_alloc(&self->die, 1 << 20, AMDGPU_GEM_DOMAIN_GTT, &self->gtt));
	self->bufs[0] = &self->vram;
}

FIXTURE_TEARDOWN(unplug)
{
	if (self->die.dev) {
		/* All that must be possible on a die that is gone. */
		buf_free(&self->gtt);
		buf_free(&self->vram);
		buf_free(&self->ib);
		die_close(&self->die);
	}
	if (self->other.dev) {
		die_close(&self->other);
		EXPECT_EQ(0, system("rmmod vgpu; modprobe vgpu"));
	}
}

/* Every word of a mapping can still be read and written. */
static void touch(struct buf *buf)
{
	uint64_t i;

	for (i = 0; i < buf->size / 4; i += 256)
		buf_set(buf, i, buf_get(buf, i) + 1);
}

static int ioctl_info(int fd)
{
	uint64_t out;
	struct drm_amdgpu_info args = {
		.query = AMDGPU_INFO_VRAM_USAGE, .return_pointer = (uintptr_t)&out,
		.return_size = sizeof(out),
	};

	return ioctl(fd, DRM_IOCTL_AMDGPU_INFO, &args) ? -errno : 0;
}

/* Work that the kernel has queued behind a job that never ends keeps nobody. */
TEST_F(unplug, work_behind_a_job_that_never_ends)
{
	struct buf *gtt = &self->gtt;
	struct die again;
	struct sub sub;

	ASSERT_EQ(0, job(&self->die, &self->ib, self->bufs, 0, true, &sub));
	/* Its entries go when the job is over that may be using them. */
	ASSERT_EQ(0, amdgpu_bo_va_op(gtt->bo, 0, gtt->size, gtt->va, 0, AMDGPU_VA_OP_UNMAP));
	ASSERT_EQ(0, take_away(variant->how, self->pci));
	EXPECT_EQ(-ENODEV, sub_wait(&self->die, &sub, DIE_WAIT_NS));
	ASSERT_EQ(0, bring_back(variant->how, self->pci));
	ASSERT_EQ(0, await_die(self->pci, &again));
	die_close(&again);
}

TEST_F(unplug, users_survive)
{
	struct waiter waiter[ENGINES];
	pthread_t thread[ENGINES], bystander_thread;
	struct bystander bystander = { .die = &self->other };
	char path[64];
	unsigned int i;
	struct sub sub;
	struct buf buf;
	struct die again;
	int fd = amdgpu_device_get_fd(self->die.dev);
	int debugfs, dmabuf;
	uint32_t handle;
	void *p;

	ASSERT_TRUE(works(&self->die));
	ASSERT_TRUE(works(&self->other));
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%s/vgpu_ih", self->pci);
	debugfs = open(path, O_RDONLY);
	ASSERT_EQ(0, amdgpu_bo_export(self->gtt.bo, amdgpu_bo_handle_type_dma_buf_fd, &handle));
	dmabuf = handle;

	/* Each engine waits for what never comes, has more behind it, and has a waiter. */
	for (i = 0; i < ENGINES; i++) {
		waiter[i] = (struct waiter){ .die = &self->die };
		ASSERT_EQ(0, job(&self->die, &self->ib, self->bufs, i, true, &waiter[i].sub));
		ASSERT_EQ(0, sub_submit(&self->die, &waiter[i].sub));
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, await, &waiter[i]));
	}
	ASSERT_EQ(0, pthread_create(&bystander_thread, NULL, stand_by, &bystander));

	ASSERT_EQ(0, take_away(variant->how, self->pci));

	/* Nobody waits any longer. */
	for (i = 0; i < ENGINES; i++) {
		ASSERT_EQ(0, pthread_join(thread[i], NULL));
		EXPECT_EQ(-ENODEV, waiter[i].ret);
	}
	EXPECT_EQ(-ENODEV, ioctl_info(fd));
	EXPECT_EQ(-ENODEV, job(&self->die, &self->ib, self->bufs, 0, false, &sub));
	EXPECT_EQ(-ENODEV, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &buf));
	p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0x100000000ll);
	EXPECT_EQ(MAP_FAILED, p);
	EXPECT_EQ(ENODEV, errno);
	/* What is mapped stays readable and writable: DRM's rule for unplugged devices. */
	touch(&self->vram);
	touch(&self->gtt);
	touch(&self->ib);
	if (debugfs >= 0) {
		char c;

		EXPECT_GT(0, read(debugfs, &c, 1));
		close(debugfs);
	}
	close(dmabuf);
	EXPECT_EQ(-1, open(self->die.path, O_RDWR));

	__atomic_store_n(&bystander.stop, true, __ATOMIC_RELAXED);
	pthread_join(bystander_thread, NULL);
	EXPECT_LT(0, bystander.runs);
	EXPECT_EQ(0, bystander.wrong);
	EXPECT_TRUE(works(&self->other));

	/* Back again, while the old file is still open. */
	ASSERT_EQ(0, bring_back(variant->how, self->pci));
	ASSERT_EQ(0, await_die(self->pci, &again));
	EXPECT_TRUE(works(&again));
	EXPECT_EQ(-ENODEV, ioctl_info(fd));
	die_close(&again);
}

/* Nobody uses it: it goes and comes several times. */
TEST_F(unplug, again_and_again)
{
	unsigned int i, rounds = variant->how == BY_SLOT ? 3 : 5;

	for (i = 0; i < rounds; i++) {
		struct die die;

		ASSERT_EQ(0, take_away(variant->how, self->pci));
		ASSERT_EQ(0, bring_back(variant->how, self->pci));
		ASSERT_EQ(0, await_die(self->pci, &die));
		EXPECT_TRUE(works(&die));
		die_close(&die);
	}
	EXPECT_TRUE(works(&self->other));
}

struct submitter {
	const struct die *die;
	unsigned int runs;
	int ret;
};

/* Submits on all engines until that fails. */
static void *submit(void *arg)
{
	struct submitter *s = arg;
	struct buf ib, buf, *bufs[] = { &buf, NULL };
	struct die die;
	struct sub sub;
	unsigned int i;

	s->ret = die_open_again(s->die, &die);
	if (s->ret)
		return NULL;
	s->ret = buf_alloc(&die, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib);
	if (!s->ret)
		s->ret = buf_alloc(&die, 1 << 20, AMDGPU_GEM_DOMAIN_VRAM, &buf);
	for (i = 0; !s->ret; i = (i + 1) % ENGINES) {
		__atomic_add_fetch(&s->runs, 1, __ATOMIC_RELAXED);
		s->ret = job(&die, &ib, bufs, i, false, &sub);
		if (!s->ret && s->runs % 4 == 0)
			s->ret = sub_wait(&die, &sub, DIE_WAIT_NS);
		if (s->runs % 16 == 0) {
			struct buf more;

			if (!buf_alloc(&die, 1 << 20, AMDGPU_GEM_DOMAIN_VRAM, &more))
				buf_free(&more);
		}
	}
	buf_free(&buf);
	buf_free(&ib);
	die_close(&die);
	return NULL;
}

/* In the middle of work: submissions, waits, allocations and page-table updates. */
TEST_F(unplug, under_load)
{
	enum { THREADS = 4 };
	struct submitter s[THREADS];
	pthread_t thread[THREADS];
	unsigned int i;
	struct die die;

	for (i = 0; i < THREADS; i++) {
		s[i] = (struct submitter){ .die = &self->die };
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, submit, &s[i]));
	}
	/* All are at it. */
	for (i = 0; i < THREADS; i++)
		while (__atomic_load_n(&s[i].runs, __ATOMIC_RELAXED) < 20)
			poll(NULL, 0, 1);
	ASSERT_EQ(0, take_away(variant->how, self->pci));
	for (i = 0; i < THREADS; i++) {
		ASSERT_EQ(0, pthread_join(thread[i], NULL));
		EXPECT_EQ(-ENODEV, s[i].ret);
	}
	EXPECT_TRUE(works(&self->other));
	ASSERT_EQ(0, bring_back(variant->how, self->pci));
	ASSERT_EQ(0, await_die(self->pci, &die));
	EXPECT_TRUE(works(&die));
	die_close(&die);
}

TEST_HARNESS_MAIN
