// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory of a process as a buffer: the GPU reads and writes what the process
 * sees, also when that has been unmapped, moved, forked or dropped, and never a
 * page that is no longer there. Documentation/memory.rst, "User memory".
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <drm.h>
#include "emit.h"
#include "harness.h"
#include "lib/die.h"

#define PAGE		4096ull
#define SIZE		(64 * PAGE)
#define NOTHING_THERE	((void *)0x0000700000001000)
#define KERNEL_ADDRESS	0xffff888000000000ull
#define LAST_PAGE	0xfffffffffffff000ull

FIXTURE(userptr)
{
	struct die die;
	int fd;
	struct buf ib, gate;
	struct buf mem;		/* SIZE bytes of this process */
	struct buf *bufs[3];	/* gate, mem */
};

static void *map_anon(void *at, uint64_t size, int prot)
{
	int fixed = at ? MAP_FIXED_NOREPLACE : 0;

	return mmap(at, size, prot, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
}

static int buf_from_user(struct die *die, void *cpu, uint64_t size, struct buf *buf)
{
	int ret;

	memset(buf, 0, sizeof(*buf));
	buf->cpu = cpu;
	buf->size = size;
	ret = amdgpu_create_bo_from_user_mem(die->dev, cpu, size, &buf->bo);
	if (ret)
		return ret;
	ret = amdgpu_va_range_alloc(die->dev, amdgpu_gpu_va_range_general, size, PAGE, 0,
				    &buf->va, &buf->va_handle, 0);
	if (!ret)
		ret = amdgpu_bo_va_op(buf->bo, 0, size, buf->va, 0, AMDGPU_VA_OP_MAP);
	return ret;
}

FIXTURE_SETUP(userptr)
{
	void *cpu;

	ASSERT_EQ(0, die_open(0, &self->die));
	self->fd = amdgpu_device_get_fd(self->die.dev);
	ASSERT_EQ(0, buf_alloc(&self->die, 16384, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->die, PAGE, AMDGPU_GEM_DOMAIN_GTT, &self->gate));
	cpu = map_anon(NULL, SIZE, PROT_READ | PROT_WRITE);
	ASSERT_NE(MAP_FAILED, cpu);
	ASSERT_EQ(0, buf_from_user(&self->die, cpu, SIZE, &self->mem));
	self->bufs[0] = &self->gate;
	self->bufs[1] = &self->mem;
}

FIXTURE_TEARDOWN(userptr)
{
	if (!self->die.dev)
		return;
	buf_free(&self->mem);
	buf_free(&self->gate);
	buf_free(&self->ib);
	die_close(&self->die);
}

/* 0 or a negative errno; without libdrm's restarting. */
static int userptr(int fd, uint64_t addr, uint64_t size, uint32_t flags, uint32_t *handle)
{
	struct drm_amdgpu_gem_userptr args = { .addr = addr, .size = size, .flags = flags };
	struct drm_gem_close close = { };

	if (ioctl(fd, DRM_IOCTL_AMDGPU_GEM_USERPTR, &args))
		return -errno;
	close.handle = args.handle;
	if (handle)
		*handle = args.handle;
	else
		ioctl(fd, DRM_IOCTL_GEM_CLOSE, &close);
	return 0;
}

/* A job of the CP that writes @value to dword @i of the memory. @list: names it. */
static int write_one(struct die *die, struct buf *ib, struct buf **list, uint64_t va, uint32_t i,
		     uint32_t value)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = ib, .bufs = list };
	struct ibw w = { .dw = ib->cpu };

	pm4_write(&w, va + i * 4, value);
	sub.ndw = w.n;
	return sub_run(die, &sub);
}

/* ---------------------------------------------------------------- arguments */

TEST_F(userptr, bad_arguments)
{
	const uint32_t reg = AMDGPU_GEM_USERPTR_REGISTER;
	const uint32_t now = reg | AMDGPU_GEM_USERPTR_VALIDATE;
	uint64_t addr = (uintptr_t)self->mem.cpu;
	int fd = self->fd;

	/* As amdgpu_gem_userptr_ioctl() has them. */
	EXPECT_EQ(-EINVAL, userptr(fd, addr + 4, PAGE, reg, NULL));
	EXPECT_EQ(-EINVAL, userptr(fd, addr, PAGE + 4, reg, NULL));
	EXPECT_EQ(-EINVAL, userptr(fd, addr, PAGE, reg | 0x10, NULL));
	EXPECT_EQ(-EINVAL, userptr(fd, addr, PAGE, reg | 0x80000000, NULL));
	EXPECT_EQ(-EACCES, userptr(fd, addr, PAGE, 0, NULL));
	EXPECT_EQ(-EACCES, userptr(fd, addr, PAGE, AMDGPU_GEM_USERPTR_ANONONLY, NULL));
	EXPECT_EQ(-EACCES, userptr(fd, addr, PAGE, AMDGPU_GEM_USERPTR_VALIDATE, NULL));
	EXPECT_EQ(-ENOSPC, userptr(fd, addr, 0, reg, NULL));
	EXPECT_EQ(-EOVERFLOW, userptr(fd, LAST_PAGE, 2 * PAGE, reg, NULL));
	EXPECT_EQ(-ENOMEM, userptr(fd, 0, 1ull << 60, reg, NULL));

	/* What is not looked at now may be anything. */
	EXPECT_EQ(0, userptr(fd, (uintptr_t)NOTHING_THERE, PAGE, reg, NULL));
	EXPECT_EQ(-EFAULT, userptr(fd, (uintptr_t)NOTHING_THERE, PAGE, now, NULL));
	EXPECT_EQ(-EFAULT, userptr(fd, KERNEL_ADDRESS, PAGE, now, NULL));
	EXPECT_EQ(-EFAULT, userptr(fd, LAST_PAGE, PAGE, now, NULL));
	/* A hole in the middle. */
	ASSERT_EQ(0, munmap((char *)self->mem.cpu + 5 * PAGE, PAGE));
	EXPECT_EQ(-EFAULT, userptr(fd, addr, SIZE, now, NULL));
	EXPECT_EQ(0, userptr(fd, addr, 5 * PAGE, now, NULL));
}

TEST_F(userptr, rights_of_the_memory)
{
	const uint32_t now = AMDGPU_GEM_USERPTR_REGISTER | AMDGPU_GEM_USERPTR_VALIDATE;
	const uint32_t read = AMDGPU_GEM_USERPTR_READONLY;
	int file = open("/tmp/userptr", O_RDWR | O_CREAT | O_TRUNC, 0600);
	uint64_t addr;
	void *cpu;

	ASSERT_LE(0, file);
	ASSERT_EQ(0, ftruncate(file, PAGE));
	cpu = map_anon(NULL, PAGE, PROT_READ);
	ASSERT_NE(MAP_FAILED, cpu);
	addr = (uintptr_t)cpu;
	EXPECT_EQ(-EPERM, userptr(self->fd, addr, PAGE, now, NULL));
	EXPECT_EQ(0, userptr(self->fd, addr, PAGE, now | read, NULL));
	/* Without a notifier too, since nothing is written. */
	EXPECT_EQ(0, userptr(self->fd, addr, PAGE, AMDGPU_GEM_USERPTR_VALIDATE | read, NULL));
	ASSERT_EQ(0, mprotect(cpu, PAGE, PROT_NONE));
	EXPECT_EQ(-EFAULT, userptr(self->fd, addr, PAGE, now | read, NULL));

	cpu = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	ASSERT_NE(MAP_FAILED, cpu);
	addr = (uintptr_t)cpu;
	EXPECT_EQ(0, userptr(self->fd, addr, PAGE, now, NULL));
	EXPECT_EQ(-EPERM, userptr(self->fd, addr, PAGE, now | AMDGPU_GEM_USERPTR_ANONONLY, NULL));
	/* A mapping of a die's memory has no pages to give. */
	EXPECT_EQ(-EFAULT, userptr(self->fd, (uintptr_t)self->gate.cpu, PAGE, now, NULL));
	close(file);
	unlink("/tmp/userptr");
}

/* It is the process' already: no other way leads to it. */
TEST_F(userptr, nothing_else_is_done_with_it)
{
	union drm_amdgpu_gem_mmap map = { };
	struct drm_amdgpu_gem_op op = { .op = AMDGPU_GEM_OP_SET_PLACEMENT };
	struct drm_prime_handle prime = { .flags = DRM_RDWR };
	uint32_t handle;

	ASSERT_EQ(0, amdgpu_bo_export(self->mem.bo, amdgpu_bo_handle_type_kms, &handle));
	map.in.handle = handle;
	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &map));
	EXPECT_EQ(EPERM, errno);
	op.handle = handle;
	op.value = AMDGPU_GEM_DOMAIN_VRAM;
	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_AMDGPU_GEM_OP, &op));
	EXPECT_EQ(EPERM, errno);
	prime.handle = handle;
	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime));
	EXPECT_EQ(EPERM, errno);
}

/* The page of a user fence is written with the kernel's rights. */
TEST_F(userptr, holds_no_user_fence)
{
	struct drm_amdgpu_cs_chunk_ib ib = { .ip_type = AMDGPU_HW_IP_DMA };
	struct drm_amdgpu_cs_chunk_fence fence = { };
	struct drm_amdgpu_cs_chunk chunk[2] = {
		{ AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib },
		{ AMDGPU_CHUNK_ID_FENCE, sizeof(fence) / 4, (uintptr_t)&fence },
	};
	uint64_t chunks[2] = { (uintptr_t)&chunk[0], (uintptr_t)&chunk[1] };
	union drm_amdgpu_ctx ctx = { .in.op = AMDGPU_CTX_OP_ALLOC_CTX };
	union drm_amdgpu_cs cs = { };

	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_AMDGPU_CTX, &ctx));
	cs.in.ctx_id = ctx.out.alloc.ctx_id;
	cs.in.num_chunks = 2;
	cs.in.chunks = (uintptr_t)chunks;
	ASSERT_EQ(0, userptr(self->fd, (uintptr_t)self->mem.cpu, PAGE,
			     AMDGPU_GEM_USERPTR_REGISTER, &fence.handle));
	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_AMDGPU_CS, &cs));
	EXPECT_EQ(EINVAL, errno);
}

/* ----------------------------------------------------------- reads and writes */

TEST_F(userptr, gpu_sees_what_the_process_sees)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_DMA, .ib = &self->ib, .bufs = self->bufs };
	uint32_t i, *dw = self->mem.cpu;
	struct ibw w = { .dw = self->ib.cpu };

	for (i = 0; i < SIZE / 8; i++)
		dw[i] = i * 2654435761u;
	/* The first half to the second. */
	sdma_copy(&w, self->mem.va, self->mem.va + SIZE / 2, SIZE / 2);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	for (i = 0; i < SIZE / 8; i++)
		ASSERT_EQ(i * 2654435761u, dw[SIZE / 8 + i]);

	/* The CP too, and what the CPU writes between two jobs. */
	dw[0] = 77;
	w.n = 0;
	pm4_copy_mem(&w, self->mem.va, self->mem.va + PAGE);
	sub.ip = AMDGPU_HW_IP_GFX;
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	EXPECT_EQ(77, dw[PAGE / 4]);
}

TEST_F(userptr, gpu_does_not_write_to_readonly_memory)
{
	struct drm_amdgpu_gem_va va = {
		.operation = AMDGPU_VA_OP_MAP, .map_size = PAGE,
		.flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE,
	};
	uint32_t *dw = map_anon(NULL, PAGE, PROT_READ | PROT_WRITE);
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };
	amdgpu_va_handle range;
	uint64_t addr;

	ASSERT_NE(MAP_FAILED, (void *)dw);
	dw[0] = 0x1ead;
	ASSERT_EQ(0, userptr(self->fd, (uintptr_t)dw, PAGE, AMDGPU_GEM_USERPTR_READONLY,
			     &va.handle));
	ASSERT_EQ(0, amdgpu_va_range_alloc(self->die.dev, amdgpu_gpu_va_range_general, PAGE, PAGE,
					   0, &addr, &range, 0));
	va.va_address = addr;
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_AMDGPU_GEM_VA, &va));
	pm4_copy_mem(&w, addr, self->gate.va);
	pm4_write(&w, addr, 0xbad);
	sub.ndw = w.n;
	sub_run(&self->die, &sub);
	EXPECT_EQ(0x1ead, buf_get(&self->gate, 0));
	EXPECT_EQ(0x1ead, dw[0]);
}

/* -------------------------------------------------------- memory that changes */

struct unmapper {
	struct die *die;
	struct sub *sub;
	void *addr;
	uint64_t size;
	int ret;		/* of munmap() */
	int job;		/* how the job fared when that returned */
	pid_t tid;
	bool done;
};

static void *unmapper(void *data)
{
	struct unmapper *u = data;

	__atomic_store_n(&u->tid, syscall(SYS_gettid), __ATOMIC_RELEASE);
	u->ret = munmap(u->addr, u->size);
	u->job = sub_wait(u->die, u->sub, 0);
	__atomic_store_n(&u->done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* Until the thread waits in the kernel for good, or has done what it had to do. */
static void await_blocked(struct unmapper *u)
{
	char path[64], line[256];
	FILE *f;

	while (!__atomic_load_n(&u->tid, __ATOMIC_ACQUIRE))
		sched_yield();
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", u->tid);
	while (!__atomic_load_n(&u->done, __ATOMIC_ACQUIRE)) {
		line[0] = 0;
		f = fopen(path, "r");
		if (!f)
			return;
		if (!fgets(line, sizeof(line), f))
			line[0] = 0;
		fclose(f);
		if (strstr(line, ") D "))
			return;
		sched_yield();
	}
}

/* Pages that a job may still write to are not given to anybody else. */
TEST_F(userptr, unmapping_waits_for_the_job)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };
	struct unmapper u = {
		.die = &self->die, .sub = &sub, .addr = self->mem.cpu, .size = SIZE,
	};
	pthread_t thread;

	pm4_wait_mem(&w, self->gate.va, 1);
	pm4_write(&w, self->mem.va, 0x600d);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->die, &sub));
	ASSERT_EQ(0, pthread_create(&thread, NULL, unmapper, &u));
	await_blocked(&u);
	buf_set(&self->gate, 0, 1);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(0, u.ret);
	EXPECT_EQ(0, u.job);
}

/* A handle that is closed meanwhile changes nothing. */
TEST_F(userptr, unmapping_waits_for_the_job_without_a_handle)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->ib, .bufs = self->bufs };
	struct ibw w = { .dw = self->ib.cpu };
	struct unmapper u = {
		.die = &self->die, .sub = &sub, .addr = self->mem.cpu, .size = SIZE,
	};
	pthread_t thread;

	pm4_wait_mem(&w, self->gate.va, 1);
	pm4_write(&w, self->mem.va, 0x600d);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_submit(&self->die, &sub));
	buf_free(&self->mem);
	ASSERT_EQ(0, pthread_create(&thread, NULL, unmapper, &u));
	await_blocked(&u);
	buf_set(&self->gate, 0, 1);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(0, u.ret);
	EXPECT_EQ(0, u.job);
}

TEST_F(userptr, unmapped_then_mapped_again)
{
	uint32_t *dw = self->mem.cpu;
	struct buf *unnamed[] = { &self->gate, NULL };

	ASSERT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 1));
	ASSERT_EQ(1, dw[0]);
	ASSERT_EQ(0, munmap(dw, SIZE));
	EXPECT_EQ(-EFAULT, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 2));
	/* A job that does not name it runs, and finds nothing there. */
	EXPECT_EQ(0, write_one(&self->die, &self->ib, unnamed, self->gate.va, 3, 3));
	EXPECT_EQ(3, buf_get(&self->gate, 3));
	write_one(&self->die, &self->ib, unnamed, self->mem.va, 0, 4);

	ASSERT_EQ(dw, map_anon(dw, SIZE, PROT_READ | PROT_WRITE));
	EXPECT_EQ(0, dw[0]);
	/* It may reach it without naming it, too. */
	EXPECT_EQ(0, write_one(&self->die, &self->ib, unnamed, self->mem.va, 0, 5));
	EXPECT_EQ(5, dw[0]);
	EXPECT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, SIZE / 4 - 1, 6));
	EXPECT_EQ(6, dw[SIZE / 4 - 1]);
}

TEST_F(userptr, moved_by_mremap)
{
	uint32_t *dw = self->mem.cpu, *to;

	ASSERT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 1));
	to = map_anon(NULL, SIZE, PROT_NONE);
	ASSERT_NE(MAP_FAILED, (void *)to);
	ASSERT_EQ(to, mremap(dw, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, to));
	EXPECT_EQ(-EFAULT, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 2));
	EXPECT_EQ(1, to[0]);
	/* Another file's worth of memory at the old place; the old one is left alone. */
	ASSERT_EQ(dw, map_anon(dw, SIZE, PROT_READ | PROT_WRITE));
	EXPECT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 3));
	EXPECT_EQ(3, dw[0]);
	EXPECT_EQ(1, to[0]);
}

TEST_F(userptr, dropped_by_madvise)
{
	uint32_t *dw = self->mem.cpu;

	ASSERT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 1));
	ASSERT_EQ(0, madvise(dw, SIZE, MADV_DONTNEED));
	/* The next job faults it in: other pages, that read as zero. */
	ASSERT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 1, 2));
	EXPECT_EQ(0, dw[0]);
	EXPECT_EQ(2, dw[1]);
}

TEST_F(userptr, protected_by_mprotect)
{
	uint32_t *dw = self->mem.cpu;

	ASSERT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 1));
	ASSERT_EQ(0, mprotect(dw, SIZE, PROT_READ));
	EXPECT_EQ(-EPERM, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 2));
	EXPECT_EQ(1, dw[0]);
	ASSERT_EQ(0, mprotect(dw, SIZE, PROT_READ | PROT_WRITE));
	EXPECT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 3));
	EXPECT_EQ(3, dw[0]);
}

/* ------------------------------------------------------------ other processes */

/* The GPU goes on in the memory of the one who asked, not in the copy. */
TEST_F(userptr, forked)
{
	uint32_t *dw = self->mem.cpu;
	int go[2], status;
	char c = 0;
	pid_t child;

	ASSERT_EQ(0, pipe(go));
	ASSERT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 1));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		if (dw[0] != 1)
			_exit(2);
		/* With the file it got the buffer, but not the memory. */
		if (write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 3) != -EPERM)
			_exit(3);
		_exit(0);
	}
	EXPECT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 2));
	EXPECT_EQ(2, dw[0]);
	ASSERT_EQ(1, write(go[1], &c, 1));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 4));
	EXPECT_EQ(4, dw[0]);
}

/* Its memory goes, its job hangs: both are over, and others go on. */
TEST_F(userptr, exit_under_a_job_that_hangs)
{
	int status;
	pid_t child;

	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		struct sub sub = { .ip = AMDGPU_HW_IP_DMA };
		struct buf ib, mem, *bufs[] = { &mem, NULL };
		struct ibw w = { };
		struct die die;
		void *cpu;

		cpu = map_anon(NULL, SIZE, PROT_READ | PROT_WRITE);
		if (die_open(0, &die) || buf_alloc(&die, PAGE, AMDGPU_GEM_DOMAIN_GTT, &ib) ||
		    buf_from_user(&die, cpu, SIZE, &mem))
			_exit(1);
		w.dw = ib.cpu;
		sdma_wait_mem(&w, mem.va, 0x4e7e2);
		sub.ib = &ib;
		sub.bufs = bufs;
		sub.ndw = w.n;
		_exit(sub_submit(&die, &sub) ? 2 : 0);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 1));
	EXPECT_EQ(1, *(uint32_t *)self->mem.cpu);
}

/* -------------------------------------------------------------------- all at once */

struct churner {
	char *addr;
	unsigned int failed;
	bool stop;
};

/* The first page stays; the others come and go in every way. */
static void *churner(void *data)
{
	struct churner *c = data;
	unsigned int n;

	for (n = 0; !__atomic_load_n(&c->stop, __ATOMIC_RELAXED); n++) {
		char *page = c->addr + (1 + n % 7) * PAGE;

		switch (n % 3) {
		case 0:
			c->failed += !!madvise(page, PAGE, MADV_DONTNEED);
			break;
		case 1:
			c->failed += !!mprotect(page, PAGE, PROT_READ);
			c->failed += !!mprotect(page, PAGE, PROT_READ | PROT_WRITE);
			break;
		case 2:
			c->failed += !!munmap(page, PAGE);
			c->failed += map_anon(page, PAGE, PROT_READ | PROT_WRITE) != page;
			break;
		}
	}
	return NULL;
}

TEST_F(userptr, churn_under_jobs)
{
	struct churner c = { .addr = self->mem.cpu };
	pthread_t thread;
	unsigned int i;
	int ret;

	ASSERT_EQ(0, pthread_create(&thread, NULL, churner, &c));
	for (i = 0; i < 200; i++) {
		ret = write_one(&self->die, &self->ib, self->bufs, self->mem.va, 0, 100 + i);
		/* A page may not be there just then, or not for writing. */
		EXPECT_TRUE(ret ? ret == -EFAULT || ret == -EPERM :
				  *(uint32_t *)self->mem.cpu == 100 + i);
	}
	__atomic_store_n(&c.stop, true, __ATOMIC_RELAXED);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(0, c.failed);
	EXPECT_EQ(0, write_one(&self->die, &self->ib, self->bufs, self->mem.va, 1024, 9));
	EXPECT_EQ(9, ((uint32_t *)self->mem.cpu)[1024]);
}

TEST_HARNESS_MAIN
