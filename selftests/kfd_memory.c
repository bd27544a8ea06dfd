// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory of /dev/kfd: every kind, seen by the CPU and by the GPU at the same address,
 * on one die and on two of a hive; what is refused, who reaches what, and what becomes
 * of it when its process or its die goes. Documentation/queues.rst, "Memory of
 * /dev/kfd".
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "hive.h"
#include "kfd.h"

#define PAGE		4096ull
#define SIZE		(16 * PAGE)
#define DOORBELLS	8192ull
/* Far from where the C library and libdrm have theirs */
#define VA		0x100000000000ull
#define VA_END		(1ull << 47)

#define VRAM		(KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)
#define GTT		(KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)
#define USERPTR		(KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)
#define DOORBELL	(KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)
#define MMIO_REMAP	(KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)
#define AQL		KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM

/** struct node - a die with an address space that the process has acquired */
struct node {
	struct die die;
	struct buf ib;
	uint32_t gpu_id;
};

/** struct mem - memory by a handle */
struct mem {
	uint64_t handle, va, size, offset;
	void *cpu;
};

FIXTURE(kfd_memory)
{
	int fd;
	unsigned int num;
	struct node node[2];
};

static int drm_fd(const struct node *n)
{
	return amdgpu_device_get_fd(n->die.dev);
}

static int acquire(int fd, struct node *n)
{
	return kfd_acquire(fd, drm_fd(n), &n->gpu_id);
}

FIXTURE_SETUP(kfd_memory)
{
	int ret;

	self->fd = open(KFD, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	for (; self->num < 2; self->num++) {
		struct node *n = &self->node[self->num];

		ret = die_open(self->num, &n->die);
		if (ret == -ENOENT)
			break;
		ASSERT_EQ(0, ret);
		ASSERT_EQ(0, buf_alloc(&n->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &n->ib));
		ASSERT_EQ(0, acquire(self->fd, n));
	}
	ASSERT_LT(0, self->num);
}

FIXTURE_TEARDOWN(kfd_memory)
{
	unsigned int i;

	for (i = 0; i < self->num; i++) {
		buf_free(&self->node[i].ib);
		die_close(&self->node[i].die);
	}
	close(self->fd);
}

/* ------------------------------------------------------------------ the calls */

static int alloc_at(int fd, const struct node *n, uint32_t flags, uint64_t va, uint64_t size,
		    uint64_t offset, struct mem *m)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args args = {
		.va_addr = va, .size = size, .mmap_offset = offset, .gpu_id = n->gpu_id,
		.flags = flags,
	};
	int ret = call(fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args);

	*m = (struct mem){ .handle = args.handle, .va = va, .size = size,
			   .offset = args.mmap_offset, .cpu = MAP_FAILED };
	return ret;
}

static int release(int fd, const struct mem *m)
{
	struct kfd_ioctl_free_memory_of_gpu_args args = { .handle = m->handle };

	return call(fd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args);
}

static int change(int fd, unsigned long request, const struct mem *m, const uint32_t *ids,
		  uint32_t num, uint32_t *done)
{
	struct kfd_ioctl_map_memory_to_gpu_args args = {
		.handle = m->handle, .device_ids_array_ptr = (uintptr_t)ids,
		.n_devices = num, .n_success = *done,
	};
	int ret = call(fd, request, &args);

	*done = args.n_success;
	return ret;
}

static int map(int fd, const struct node *n, const struct mem *m)
{
	uint32_t done = 0;

	return change(fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, m, &n->gpu_id, 1, &done);
}

static int unmap(int fd, const struct node *n, const struct mem *m)
{
	uint32_t done = 0;

	return change(fd, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, m, &n->gpu_id, 1, &done);
}

static int map_cpu(int fd, struct mem *m)
{
	m->cpu = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, m->offset);
	return m->cpu == MAP_FAILED ? -errno : 0;
}

static void unmap_cpu(struct mem *m)
{
	if (m->cpu != MAP_FAILED)
		munmap(m->cpu, m->size);
	m->cpu = MAP_FAILED;
}

/* ------------------------------------------------------------- what a GPU sees */

static uint32_t get(const struct mem *m, uint64_t byte)
{
	return __atomic_load_n((uint32_t *)((char *)m->cpu + byte), __ATOMIC_ACQUIRE);
}

static void set(const struct mem *m, uint64_t byte, uint32_t value)
{
	__atomic_store_n((uint32_t *)((char *)m->cpu + byte), value, __ATOMIC_RELEASE);
}

/* Writes there, through the engine of @ip. Return: 0, or a negative errno. */
static int gpu_write(struct node *n, unsigned int ip, uint64_t va, uint32_t value)
{
	struct ibw w = { .dw = n->ib.cpu };
	struct sub sub = { .ip = ip, .ib = &n->ib };

	if (ip == AMDGPU_HW_IP_DMA)
		sdma_write(&w, va, value);
	else
		pm4_write(&w, va, value);
	sub.ndw = w.n;
	return sub_run(&n->die, &sub);
}

/* What the GPU reads there; it leaves it behind the packets. */
static int gpu_read(struct node *n, uint64_t va, uint32_t *value)
{
	struct ibw w = { .dw = n->ib.cpu };
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &n->ib };
	int ret;

	buf_set(&n->ib, 512, 0xdead);
	pm4_copy_mem(&w, va, n->ib.va + 2048);
	sub.ndw = w.n;
	ret = sub_run(&n->die, &sub);
	*value = buf_get(&n->ib, 512);
	return ret;
}

/* A context whose job has hung is of no use any more. */
static int forgive(struct node *n)
{
	amdgpu_cs_ctx_free(n->die.ctx);
	return amdgpu_cs_ctx_create(n->die.dev, &n->die.ctx);
}

/* Nothing is there: it is told as the last page fault of the address space. */
static bool faults_at(struct node *n, uint64_t va)
{
	struct drm_amdgpu_info_gpuvm_fault fault = { };
	uint32_t value;

	gpu_read(n, va, &value);
	if (forgive(n) ||
	    amdgpu_query_info(n->die.dev, AMDGPU_INFO_GPUVM_FAULT, sizeof(fault), &fault))
		return false;
	return fault.status && fault.addr == va;
}

/* Both ways, on both ends of it */
static void exchange(struct __test_metadata *_metadata, struct node *n, const struct mem *m)
{
	uint64_t last = m->size - 4;
	uint32_t value;

	set(m, 0, 0x11111111);
	set(m, last, 0x22222222);
	EXPECT_EQ(0, gpu_read(n, m->va, &value));
	EXPECT_EQ(0x11111111, value);
	EXPECT_EQ(0, gpu_read(n, m->va + last, &value));
	EXPECT_EQ(0x22222222, value);
	EXPECT_EQ(0, gpu_write(n, AMDGPU_HW_IP_GFX, m->va, 0x33333333));
	EXPECT_EQ(0, gpu_write(n, AMDGPU_HW_IP_DMA, m->va + last, 0x44444444));
	EXPECT_EQ(0x33333333, get(m, 0));
	EXPECT_EQ(0x44444444, get(m, last));
}

/* ---------------------------------------------------------------------- kinds */

TEST_F(kfd_memory, vram_and_gtt)
{
	const uint32_t flags[] = {
		VRAM, GTT, VRAM | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC,
		VRAM | KFD_IOC_ALLOC_MEM_FLAGS_COHERENT | KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE,
		GTT | KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED | KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE,
		GTT | KFD_IOC_ALLOC_MEM_FLAGS_COHERENT | KFD_IOC_ALLOC_MEM_FLAGS_EXT_COHERENT,
	};
	struct node *n = &self->node[0];
	unsigned int i;
	struct mem m;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		ASSERT_EQ(0, alloc_at(self->fd, n, flags[i], VA, SIZE, 0, &m));
		EXPECT_EQ(n->gpu_id, m.handle >> 32);
		ASSERT_EQ(0, map_cpu(drm_fd(n), &m));
		EXPECT_EQ(0, get(&m, 0));
		EXPECT_EQ(0, get(&m, SIZE - 4));
		ASSERT_EQ(0, map(self->fd, n, &m));
		exchange(_metadata, n, &m);
		/* Once more is no error. */
		EXPECT_EQ(0, map(self->fd, n, &m));
		EXPECT_EQ(-EBUSY, release(self->fd, &m));
		EXPECT_EQ(0, unmap(self->fd, n, &m));
		EXPECT_EQ(-EINVAL, unmap(self->fd, n, &m));
		unmap_cpu(&m);
		EXPECT_EQ(0, release(self->fd, &m));
		EXPECT_EQ(-EINVAL, release(self->fd, &m));
	}
}

/* Its ring is there twice, so that what wraps around goes on. */
TEST_F(kfd_memory, ring_for_aql)
{
	const uint32_t kinds[] = { VRAM, GTT };
	struct node *n = &self->node[0];
	uint32_t value;
	unsigned int i;
	struct mem m;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, alloc_at(self->fd, n, kinds[i] | AQL, VA, 2 * SIZE, 0, &m));
		m.size = SIZE;
		ASSERT_EQ(0, map_cpu(drm_fd(n), &m));
		ASSERT_EQ(0, map(self->fd, n, &m));
		exchange(_metadata, n, &m);
		m.va += SIZE;
		exchange(_metadata, n, &m);
		EXPECT_EQ(0, gpu_write(n, AMDGPU_HW_IP_DMA, VA + 4, 0x77));
		EXPECT_EQ(0, gpu_read(n, VA + SIZE + 4, &value));
		EXPECT_EQ(0x77, value);
		EXPECT_EQ(0, unmap(self->fd, n, &m));
		unmap_cpu(&m);
		EXPECT_EQ(0, release(self->fd, &m));
	}
	EXPECT_EQ(-EINVAL, alloc_at(self->fd, n, VRAM | AQL, VA, 1, 0, &m));
}

TEST_F(kfd_memory, user_memory)
{
	struct node *n = &self->node[0];
	void *cpu = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct mem m;
	void *again;

	ASSERT_NE(MAP_FAILED, cpu);
	ASSERT_EQ(0, alloc_at(self->fd, n, USERPTR, VA, SIZE, (uintptr_t)cpu, &m));
	m.cpu = cpu;
	ASSERT_EQ(0, map(self->fd, n, &m));
	exchange(_metadata, n, &m);

	/* Other pages behind the same addresses are seen, not those that were there. */
	again = mmap(cpu, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0);
	ASSERT_EQ(cpu, again);
	exchange(_metadata, n, &m);

	EXPECT_EQ(0, unmap(self->fd, n, &m));
	EXPECT_EQ(0, release(self->fd, &m));
	munmap(cpu, SIZE);
}

TEST_F(kfd_memory, user_memory_that_is_not_there)
{
	struct node *n = &self->node[0];
	char *cpu = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct mem m;

	ASSERT_NE(MAP_FAILED, (void *)cpu);
	EXPECT_EQ(-EINVAL, alloc_at(self->fd, n, USERPTR, VA, SIZE, 0, &m));
	EXPECT_EQ(-EINVAL, alloc_at(self->fd, n, USERPTR, VA, SIZE, (uintptr_t)cpu + 8, &m));
	/* Nobody may write to it. */
	EXPECT_NE(0, alloc_at(self->fd, n, USERPTR, VA, SIZE, (uintptr_t)cpu, &m));
	munmap(cpu, SIZE);
	EXPECT_EQ(-EFAULT, alloc_at(self->fd, n, USERPTR, VA, SIZE, (uintptr_t)cpu, &m));
	EXPECT_NE(0, alloc_at(self->fd, n, USERPTR, VA, SIZE, 0xffff888000000000ull, &m));
	EXPECT_NE(0, alloc_at(self->fd, n, USERPTR, VA, SIZE, ~0ull - PAGE + 1, &m));
}

/* It is mapped for the CPU by /dev/kfd, and only as a whole. */
TEST_F(kfd_memory, doorbells)
{
	struct node *n = &self->node[0];
	struct mem m, again;

	EXPECT_EQ(-EINVAL, alloc_at(self->fd, n, DOORBELL, VA, PAGE, 0, &m));
	ASSERT_EQ(0, alloc_at(self->fd, n, DOORBELL, VA, DOORBELLS, 0, &m));
	EXPECT_EQ(3, m.offset >> 62);
	EXPECT_EQ(n->gpu_id, (m.offset >> 46) & 0xffff);
	ASSERT_EQ(0, map_cpu(self->fd, &m));
	set(&m, 0, 1);
	set(&m, DOORBELLS - 8, 1);
	EXPECT_EQ(0, map(self->fd, n, &m));
	EXPECT_EQ(0, unmap(self->fd, n, &m));
	unmap_cpu(&m);

	m.size = PAGE;
	EXPECT_EQ(-EINVAL, map_cpu(self->fd, &m));
	m.size = 2 * DOORBELLS;
	EXPECT_EQ(-EINVAL, map_cpu(self->fd, &m));
	m.size = DOORBELLS;
	EXPECT_EQ(MAP_FAILED, mmap(NULL, DOORBELLS, PROT_READ | PROT_WRITE, MAP_PRIVATE, self->fd,
				   m.offset));
	EXPECT_EQ(EINVAL, errno);
	m.offset += PAGE;
	EXPECT_EQ(-EINVAL, map_cpu(self->fd, &m));
	m.offset = 3ull << 62 | (uint64_t)(n->gpu_id ^ 1) << 46;
	EXPECT_EQ(-ENODEV, map_cpu(self->fd, &m));
	m.offset = 1ull << 62 | (uint64_t)n->gpu_id << 46;
	EXPECT_EQ(-EFAULT, map_cpu(self->fd, &m));

	/* They are the process', not the handle's. */
	ASSERT_EQ(0, alloc_at(self->fd, n, DOORBELL, VA, DOORBELLS, 0, &again));
	EXPECT_EQ(0, release(self->fd, &m));
	ASSERT_EQ(0, map_cpu(self->fd, &again));
	set(&again, 8, 1);
	EXPECT_EQ(0, release(self->fd, &again));
	set(&again, 8, 1);
	unmap_cpu(&again);
}

TEST_F(kfd_memory, hdp_flush)
{
	struct node *n = &self->node[0];
	struct mem m;

	EXPECT_EQ(-EINVAL, alloc_at(self->fd, n, MMIO_REMAP, VA, 2 * PAGE, 0, &m));
	ASSERT_EQ(0, alloc_at(self->fd, n, MMIO_REMAP, VA, PAGE, 0, &m));
	EXPECT_EQ((uint64_t)n->gpu_id << 46, m.offset);
	ASSERT_EQ(0, map_cpu(self->fd, &m));
	set(&m, 0, 0);
	set(&m, 4, 0);
	EXPECT_EQ(0, get(&m, 0));
	/* Nothing else is behind it. */
	EXPECT_EQ(0, get(&m, PAGE - 4));
	unmap_cpu(&m);
	m.size = 2 * PAGE;
	EXPECT_EQ(-EINVAL, map_cpu(self->fd, &m));
	EXPECT_EQ(0, release(self->fd, &m));
}

/* ------------------------------------------------------------------ bad arguments */

TEST_F(kfd_memory, what_cannot_be_made)
{
	struct node *n = &self->node[0], none = { .gpu_id = NO_ID };
	struct node second = { };
	struct mem m;

	EXPECT_EQ(-EINVAL, alloc_at(self->fd, n, VRAM, VA, 0, 0, &m));
	EXPECT_EQ(-EINVAL, alloc_at(self->fd, n, VRAM, VA, ~0ull, 0, &m));
	EXPECT_EQ(-ENOMEM, alloc_at(self->fd, n, VRAM, VA, 1ull << 46, 0, &m));
	EXPECT_EQ(-ENOMEM, alloc_at(self->fd, n, GTT, VA, 1ull << 46, 0, &m));
	EXPECT_EQ(-EINVAL, alloc_at(self->fd, n, 0, VA, SIZE, 0, &m));
	EXPECT_EQ(-EINVAL, alloc_at(self->fd, n, VRAM | GTT, VA, SIZE, 0, &m));
	EXPECT_EQ(-EINVAL, alloc_at(self->fd, &none, VRAM, VA, SIZE, 0, &m));

	/* A process that has acquired no address space of the die */
	if (self->num == 2) {
		int status;
		pid_t pid = fork();

		ASSERT_LE(0, pid);
		if (!pid) {
			int fd = open(KFD, O_RDWR);

			if (fd < 0 || die_open_again(&self->node[1].die, &second.die) ||
			    acquire(fd, &second))
				_exit(1);
			if (alloc_at(fd, n, VRAM, VA, SIZE, 0, &m) != -ENODEV)
				_exit(2);
			if (alloc_at(fd, &second, VRAM, VA, SIZE, 0, &m))
				_exit(3);
			if (map(fd, n, &m) != -ENODEV)
				_exit(4);
			_exit(0);
		}
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_EQ(0, status);
	}
}

TEST_F(kfd_memory, addresses)
{
	const uint64_t bad[] = {
		0, PAGE, VA + 1, VA + 2048, VA_END - SIZE + PAGE, VA_END, 1ull << 63,
		~0ull - SIZE + 1, ~0ull,
	};
	struct node *n = &self->node[0];
	unsigned int i;
	struct mem m, other;
	struct buf buf;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ASSERT_EQ(0, alloc_at(self->fd, n, VRAM, bad[i], SIZE, 0, &m));
		EXPECT_EQ(-EINVAL, map(self->fd, n, &m));
		EXPECT_EQ(0, release(self->fd, &m));
	}
	/* The last ones that there are */
	ASSERT_EQ(0, alloc_at(self->fd, n, VRAM, VA_END - SIZE, SIZE, 0, &m));
	EXPECT_EQ(0, map(self->fd, n, &m));
	EXPECT_EQ(0, unmap(self->fd, n, &m));
	EXPECT_EQ(0, release(self->fd, &m));

	/* Taken: by another, in part, and by one that came through the render node */
	ASSERT_EQ(0, alloc_at(self->fd, n, VRAM, VA, SIZE, 0, &m));
	ASSERT_EQ(0, map(self->fd, n, &m));
	ASSERT_EQ(0, alloc_at(self->fd, n, GTT, VA + SIZE - PAGE, SIZE, 0, &other));
	EXPECT_EQ(-EINVAL, map(self->fd, n, &other));
	EXPECT_EQ(0, unmap(self->fd, n, &m));
	EXPECT_EQ(0, map(self->fd, n, &other));
	EXPECT_EQ(-EINVAL, map(self->fd, n, &m));
	EXPECT_EQ(0, unmap(self->fd, n, &other));
	EXPECT_EQ(0, release(self->fd, &other));
	EXPECT_EQ(0, release(self->fd, &m));
	ASSERT_EQ(0, buf_alloc(&n->die, SIZE, AMDGPU_GEM_DOMAIN_VRAM, &buf));
	ASSERT_EQ(0, alloc_at(self->fd, n, GTT | AQL, buf.va - PAGE, 2 * PAGE, 0, &m));
	EXPECT_EQ(-EINVAL, map(self->fd, n, &m));
	EXPECT_EQ(0, release(self->fd, &m));
	buf_free(&buf);
}

/* How far it came is told, and what follows is not touched. */
TEST_F(kfd_memory, arrays_of_dies)
{
	struct node *n = &self->node[0];
	uint32_t ids[3] = { n->gpu_id, NO_ID, n->gpu_id }, done = 0;
	const unsigned long to = AMDKFD_IOC_MAP_MEMORY_TO_GPU;
	const unsigned long from = AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU;
	struct mem m, none = { };

	ASSERT_EQ(0, alloc_at(self->fd, n, VRAM, VA, SIZE, 0, &m));
	EXPECT_EQ(-EINVAL, change(self->fd, to, &m, ids, 3, &done));
	EXPECT_EQ(1, done);
	ids[1] = n->gpu_id;
	EXPECT_EQ(0, change(self->fd, to, &m, ids, 3, &done));
	EXPECT_EQ(3, done);
	done = 4;
	EXPECT_EQ(-EINVAL, change(self->fd, to, &m, ids, 3, &done));
	done = 0;
	EXPECT_EQ(-EINVAL, change(self->fd, to, &m, ids, 0, &done));
	EXPECT_EQ(-EFAULT, change(self->fd, to, &m, (void *)8, 1, &done));
	EXPECT_EQ(-ENOMEM, change(self->fd, to, &m, ids, ~0u, &done));
	EXPECT_EQ(-EINVAL, change(self->fd, to, &none, ids, 1, &done));
	none.handle = (uint64_t)n->gpu_id << 32 | 0x7fffffff;
	EXPECT_EQ(-ENOMEM, change(self->fd, to, &none, ids, 1, &done));
	EXPECT_EQ(-EINVAL, release(self->fd, &none));
	EXPECT_EQ(0, done);

	EXPECT_EQ(-EINVAL, change(self->fd, from, &m, ids, 3, &done));
	EXPECT_EQ(1, done);
	EXPECT_EQ(0, release(self->fd, &m));
}

/* What is not writable is not, and what is unmapped is gone. */
TEST_F(kfd_memory, rights)
{
	struct node *n = &self->node[0];
	uint32_t value;
	struct mem m;

	ASSERT_EQ(0, alloc_at(self->fd, n, KFD_IOC_ALLOC_MEM_FLAGS_GTT, VA, SIZE, 0, &m));
	ASSERT_EQ(0, map_cpu(drm_fd(n), &m));
	ASSERT_EQ(0, map(self->fd, n, &m));
	set(&m, 0, 0x55);
	EXPECT_EQ(0, gpu_read(n, VA, &value));
	EXPECT_EQ(0x55, value);
	gpu_write(n, AMDGPU_HW_IP_DMA, VA, 0x66);
	ASSERT_EQ(0, forgive(n));
	EXPECT_EQ(0x55, get(&m, 0));
	EXPECT_EQ(0, unmap(self->fd, n, &m));
	EXPECT_TRUE(faults_at(n, VA));
	unmap_cpu(&m);
	EXPECT_EQ(0, release(self->fd, &m));
}

/* Over and over, at changing places: nothing is lost, and counters come back. */
TEST_F(kfd_memory, many_times)
{
	struct kfd_ioctl_get_available_memory_args before, after;
	struct node *n = &self->node[0];
	unsigned int i;

	before = (struct kfd_ioctl_get_available_memory_args){ .gpu_id = n->gpu_id };
	after = before;
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_AVAILABLE_MEMORY, &before));
	for (i = 0; i < 50; i++) {
		struct mem m[2];
		uint32_t value;

		ASSERT_EQ(0, alloc_at(self->fd, n, VRAM, VA + i * (2 << 20), 1 << 20, 0, &m[0]));
		ASSERT_EQ(0, alloc_at(self->fd, n, GTT, VA + i * (2 << 20) + (1 << 20), SIZE, 0,
				      &m[1]));
		ASSERT_EQ(0, map(self->fd, n, &m[0]));
		ASSERT_EQ(0, map(self->fd, n, &m[1]));
		ASSERT_EQ(0, gpu_write(n, AMDGPU_HW_IP_DMA, m[0].va, i));
		ASSERT_EQ(0, gpu_read(n, m[0].va, &value));
		ASSERT_EQ(i, value);
		ASSERT_EQ(0, unmap(self->fd, n, &m[1]));
		ASSERT_EQ(0, unmap(self->fd, n, &m[0]));
		ASSERT_EQ(0, release(self->fd, &m[0]));
		ASSERT_EQ(0, release(self->fd, &m[1]));
	}
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_AVAILABLE_MEMORY, &after));
	EXPECT_LE(before.available, after.available + (8 << 20));
}

/* -------------------------------------------------------------------- two dies */

TEST_F(kfd_memory, two_dies)
{
	const uint32_t kinds[] = { VRAM, GTT, USERPTR };
	struct node *a = &self->node[0], *b = &self->node[1];
	uint32_t ids[2] = { a->gpu_id, b->gpu_id }, done;
	unsigned int i;

	if (self->num < 2 || !hive_of(&a->die) || hive_of(&a->die) != hive_of(&b->die))
		SKIP(return, "not two dies of a hive");
	for (i = 0; i < 3; i++) {
		void *cpu = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				 -1, 0);
		struct mem m;
		uint32_t value;

		ASSERT_NE(MAP_FAILED, cpu);
		ASSERT_EQ(0, alloc_at(self->fd, a, kinds[i], VA, SIZE,
				      kinds[i] == USERPTR ? (uintptr_t)cpu : 0, &m));
		if (kinds[i] == USERPTR)
			m.cpu = cpu;
		else
			ASSERT_EQ(0, map_cpu(drm_fd(a), &m));
		done = 0;
		ASSERT_EQ(0, change(self->fd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &m, ids, 2, &done));
		EXPECT_EQ(2, done);
		exchange(_metadata, a, &m);
		exchange(_metadata, b, &m);
		EXPECT_EQ(0, gpu_write(a, AMDGPU_HW_IP_DMA, VA + 64, 0xabc + i));
		EXPECT_EQ(0, gpu_read(b, VA + 64, &value));
		EXPECT_EQ(0xabc + i, value);

		/* From one alone: the other goes on. */
		EXPECT_EQ(0, unmap(self->fd, a, &m));
		EXPECT_EQ(-EBUSY, release(self->fd, &m));
		exchange(_metadata, b, &m);
		EXPECT_EQ(0, unmap(self->fd, b, &m));
		if (kinds[i] != USERPTR)
			unmap_cpu(&m);
		EXPECT_EQ(0, release(self->fd, &m));
		munmap(cpu, SIZE);
	}
}

/* --------------------------------------------------------------------- sharing */

TEST_F(kfd_memory, exported_and_imported)
{
	struct node *n = &self->node[0];
	struct node *to = &self->node[self->num - 1];
	struct kfd_ioctl_export_dmabuf_args out = { .flags = O_CLOEXEC };
	struct kfd_ioctl_get_dmabuf_info_args info = { };
	struct kfd_ioctl_import_dmabuf_args in = { .va_addr = VA + SIZE, .gpu_id = to->gpu_id };
	struct mem m, other;

	ASSERT_EQ(0, alloc_at(self->fd, n, VRAM, VA, SIZE, 0, &m));
	ASSERT_EQ(0, map_cpu(drm_fd(n), &m));
	ASSERT_EQ(0, map(self->fd, n, &m));
	out.handle = m.handle;
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_EXPORT_DMABUF, &out));

	info.dmabuf_fd = out.dmabuf_fd;
	EXPECT_EQ(0, call(self->fd, AMDKFD_IOC_GET_DMABUF_INFO, &info));
	EXPECT_EQ(SIZE, info.size);
	EXPECT_EQ(n->gpu_id, info.gpu_id);
	EXPECT_EQ(KFD_IOC_ALLOC_MEM_FLAGS_VRAM, info.flags);
	EXPECT_EQ(0, info.metadata_size);

	in.dmabuf_fd = out.dmabuf_fd;
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_IMPORT_DMABUF, &in));
	EXPECT_EQ(to->gpu_id, in.handle >> 32);
	other = (struct mem){ .handle = in.handle, .va = VA + SIZE, .size = SIZE, .cpu = m.cpu };
	ASSERT_EQ(0, map(self->fd, to, &other));
	exchange(_metadata, to, &other);

	/* The memory is there as long as somebody has it. */
	EXPECT_EQ(0, unmap(self->fd, n, &m));
	EXPECT_EQ(0, release(self->fd, &m));
	close(out.dmabuf_fd);
	exchange(_metadata, to, &other);
	EXPECT_EQ(0, unmap(self->fd, to, &other));
	EXPECT_EQ(0, release(self->fd, &other));
	unmap_cpu(&m);
}

TEST_F(kfd_memory, what_cannot_be_shared)
{
	struct node *n = &self->node[0];
	struct kfd_ioctl_export_dmabuf_args out = { };
	struct kfd_ioctl_get_dmabuf_info_args info = { .dmabuf_fd = ~0u };
	struct kfd_ioctl_import_dmabuf_args in = { .gpu_id = n->gpu_id, .dmabuf_fd = ~0u };
	void *cpu = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct mem m;

	EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_EXPORT_DMABUF, &out));
	EXPECT_EQ(-EBADF, call(self->fd, AMDKFD_IOC_GET_DMABUF_INFO, &info));
	EXPECT_EQ(-EBADF, call(self->fd, AMDKFD_IOC_IMPORT_DMABUF, &in));
	info.dmabuf_fd = self->fd;
	in.dmabuf_fd = self->fd;
	EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_GET_DMABUF_INFO, &info));
	EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_IMPORT_DMABUF, &in));

	ASSERT_NE(MAP_FAILED, cpu);
	ASSERT_EQ(0, alloc_at(self->fd, n, USERPTR, VA, SIZE, (uintptr_t)cpu, &m));
	out.handle = m.handle;
	EXPECT_EQ(-EPERM, call(self->fd, AMDKFD_IOC_EXPORT_DMABUF, &out));
	EXPECT_EQ(0, release(self->fd, &m));
	ASSERT_EQ(0, alloc_at(self->fd, n, DOORBELL, VA, DOORBELLS, 0, &m));
	out.handle = m.handle;
	EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_EXPORT_DMABUF, &out));
	EXPECT_EQ(0, release(self->fd, &m));
	munmap(cpu, SIZE);
}

/* ------------------------------------------------------------------- processes */

/* Same addresses, other memory; no handle, no mapping of the other is of any use. */
TEST_F(kfd_memory, another_process)
{
	struct node *n = &self->node[0];
	struct mem m;
	int status;
	pid_t pid;

	ASSERT_EQ(0, alloc_at(self->fd, n, VRAM, VA, SIZE, 0, &m));
	ASSERT_EQ(0, map_cpu(drm_fd(n), &m));
	ASSERT_EQ(0, map(self->fd, n, &m));
	set(&m, 0, 0x5ec2e7);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct node own = { };
		struct mem mine;
		uint32_t value;
		int fd;

		/* What it has inherited */
		if (release(self->fd, &m) != -EBADF || map(self->fd, n, &m) != -EBADF)
			_exit(1);
		fd = open(KFD, O_RDWR);
		if (fd < 0 || die_open_again(&n->die, &own.die) ||
		    buf_alloc(&own.die, 4096, AMDGPU_GEM_DOMAIN_GTT, &own.ib) || acquire(fd, &own))
			_exit(2);
		if (release(fd, &m) != -EINVAL)
			_exit(3);
		/* The offset is not one of its file. */
		if (mmap(NULL, SIZE, PROT_READ, MAP_SHARED, drm_fd(&own), m.offset) != MAP_FAILED)
			_exit(4);
		if (!faults_at(&own, VA))
			_exit(5);
		if (alloc_at(fd, &own, VRAM, VA, SIZE, 0, &mine) || map(fd, &own, &mine))
			_exit(6);
		_exit(gpu_read(&own, VA, &value) || value ? 7 : 0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0x5ec2e7, get(&m, 0));
	exchange(_metadata, n, &m);
	EXPECT_EQ(0, unmap(self->fd, n, &m));
	unmap_cpu(&m);
	EXPECT_EQ(0, release(self->fd, &m));
}

/* Killed with memory of all kinds mapped: it is all given back. */
TEST_F(kfd_memory, killed_with_memory)
{
	struct kfd_ioctl_get_available_memory_args before = { .gpu_id = self->node[0].gpu_id };
	struct kfd_ioctl_get_available_memory_args after = before;
	struct node *n = &self->node[0];
	unsigned int i, tries;

	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_AVAILABLE_MEMORY, &before));
	for (i = 0; i < 10; i++) {
		int status, fd[2];
		pid_t pid;
		char c;

		ASSERT_EQ(0, pipe(fd));
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid) {
			const uint32_t kinds[] = { VRAM, GTT, USERPTR, DOORBELL };
			void *cpu = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			int own = open(KFD, O_RDWR);
			struct node mine = { };
			unsigned int k;

			if (own < 0 || die_open_again(&n->die, &mine.die) || acquire(own, &mine))
				_exit(1);
			for (k = 0; k < 4; k++) {
				uint64_t size = kinds[k] == DOORBELL ? DOORBELLS : 4 << 20;
				struct mem m;

				if (alloc_at(own, &mine, kinds[k], VA + k * (4 << 20), size,
					     kinds[k] == USERPTR ? (uintptr_t)cpu : 0, &m) ||
				    map(own, &mine, &m))
					_exit(2);
				if (kinds[k] != USERPTR)
					map_cpu(kinds[k] == DOORBELL ? own : drm_fd(&mine), &m);
			}
			if (write(fd[1], "x", 1) != 1)
				_exit(3);
			for (;;)
				pause();
		}
		close(fd[1]);
		EXPECT_EQ(1, read(fd[0], &c, 1));
		close(fd[0]);
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_EQ(SIGKILL, status);
	}
	/* Files and buffers go a little later than the process. */
	for (tries = 0; tries < 100; tries++) {
		ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_AVAILABLE_MEMORY, &after));
		if (after.available + (8 << 20) >= before.available)
			break;
		usleep(100000);
	}
	EXPECT_LE(before.available, after.available + (8 << 20));
}

struct racer {
	int fd;
	struct node *n;
	struct mem m;
	bool stop;
	unsigned int odd;
};

static void *map_and_unmap(void *arg)
{
	struct racer *r = arg;

	while (!__atomic_load_n(&r->stop, __ATOMIC_RELAXED)) {
		struct mem m = r->m;
		int ret;

		m.handle = __atomic_load_n(&r->m.handle, __ATOMIC_RELAXED);
		ret = map(r->fd, r->n, &m);
		if (ret && ret != -ENOMEM && ret != -EINVAL)
			r->odd++;
		ret = unmap(r->fd, r->n, &m);
		if (ret && ret != -ENOMEM && ret != -EINVAL)
			r->odd++;
	}
	return NULL;
}

/* One thread frees what another maps: either comes first, and nothing is lost. */
TEST_F(kfd_memory, freed_while_it_is_mapped)
{
	struct racer r = { .fd = self->fd, .n = &self->node[0] };
	pthread_t thread;
	unsigned int i;

	ASSERT_EQ(0, alloc_at(self->fd, r.n, VRAM, VA, SIZE, 0, &r.m));
	ASSERT_EQ(0, pthread_create(&thread, NULL, map_and_unmap, &r));
	for (i = 0; i < 300; i++) {
		struct mem old = r.m, next;
		int ret;

		do
			ret = release(self->fd, &old);
		while (ret == -EBUSY);
		EXPECT_EQ(0, ret);
		ASSERT_EQ(0, alloc_at(self->fd, r.n, i & 1 ? VRAM : GTT, VA, SIZE, 0, &next));
		__atomic_store_n(&r.m.handle, next.handle, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&r.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, r.odd);
	EXPECT_EQ(0, release(self->fd, &r.m));
}

/* More than there is, by two who want it in turn: what is mapped comes back right. */
TEST_F(kfd_memory, evicted)
{
	struct kfd_ioctl_get_available_memory_args args = { .gpu_id = self->node[0].gpu_id };
	struct node *n = &self->node[0];
	uint64_t piece, num, i;
	struct buf *bufs;
	struct mem m;

	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_AVAILABLE_MEMORY, &args));
	ASSERT_EQ(0, alloc_at(self->fd, n, VRAM, VA, 8 << 20, 0, &m));
	ASSERT_EQ(0, map(self->fd, n, &m));
	for (i = 0; i < 8; i++)
		ASSERT_EQ(0, gpu_write(n, AMDGPU_HW_IP_DMA, VA + (i << 20), 0x100 + i));

	/* By the render node, all that is left and more */
	piece = 8 << 20;
	num = args.available / piece + 2;
	bufs = calloc(num, sizeof(*bufs));
	ASSERT_NE(NULL, bufs);
	for (i = 0; i < num; i++)
		if (buf_alloc(&n->die, piece, AMDGPU_GEM_DOMAIN_VRAM, &bufs[i]))
			break;
	for (i = 0; i < 8; i++) {
		uint32_t value;

		ASSERT_EQ(0, gpu_read(n, VA + (i << 20), &value));
		EXPECT_EQ(0x100 + i, value);
	}
	for (i = 0; i < num; i++)
		buf_free(&bufs[i]);
	free(bufs);
	EXPECT_EQ(0, unmap(self->fd, n, &m));
	EXPECT_EQ(0, release(self->fd, &m));
}

/* A die goes under its memory: what the process has on the other works on. */
TEST_F(kfd_memory, die_that_goes)
{
	struct node *a = &self->node[0], *b = &self->node[1];
	struct mem gone, bells, stays, peer;
	char pci[16];

	if (getuid())
		SKIP(return, "needs root");
	if (self->num < 2 || !hive_of(&a->die) || hive_of(&a->die) != hive_of(&b->die))
		SKIP(return, "not two dies of a hive");
	memcpy(pci, a->die.pci, sizeof(pci));
	ASSERT_EQ(0, alloc_at(self->fd, a, VRAM, VA, SIZE, 0, &gone));
	ASSERT_EQ(0, map_cpu(drm_fd(a), &gone));
	ASSERT_EQ(0, map(self->fd, a, &gone));
	ASSERT_EQ(0, map(self->fd, b, &gone));
	ASSERT_EQ(0, alloc_at(self->fd, a, DOORBELL, VA, DOORBELLS, 0, &bells));
	ASSERT_EQ(0, map_cpu(self->fd, &bells));
	set(&bells, 0, 1);
	ASSERT_EQ(0, alloc_at(self->fd, b, VRAM, VA + SIZE, SIZE, 0, &stays));
	ASSERT_EQ(0, map_cpu(drm_fd(b), &stays));
	ASSERT_EQ(0, map(self->fd, a, &stays));
	ASSERT_EQ(0, map(self->fd, b, &stays));
	ASSERT_EQ(0, alloc_at(self->fd, a, GTT, VA + 2 * SIZE, SIZE, 0, &peer));
	ASSERT_EQ(0, map(self->fd, b, &peer));

	ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/vgpu/unbind", pci));

	/* Mappings for the CPU can still be touched, and lead nowhere. */
	set(&gone, 0, 1);
	set(&bells, 0, 1);
	exchange(_metadata, b, &stays);
	EXPECT_EQ(0, gpu_write(b, AMDGPU_HW_IP_DMA, peer.va, 1));
	EXPECT_EQ(-ENODEV, map(self->fd, a, &stays));
	{
		struct mem m;

		EXPECT_EQ(-ENODEV, alloc_at(self->fd, a, VRAM, VA + 4 * SIZE, SIZE, 0, &m));
		ASSERT_EQ(0, alloc_at(self->fd, b, VRAM, VA + 4 * SIZE, SIZE, 0, &m));
		EXPECT_EQ(0, map(self->fd, b, &m));
		EXPECT_EQ(0, unmap(self->fd, b, &m));
		EXPECT_EQ(0, release(self->fd, &m));
	}
	EXPECT_EQ(0, unmap(self->fd, a, &gone));
	EXPECT_EQ(0, unmap(self->fd, b, &gone));
	unmap_cpu(&gone);
	EXPECT_EQ(0, release(self->fd, &gone));
	unmap_cpu(&bells);
	EXPECT_EQ(0, release(self->fd, &bells));
	EXPECT_EQ(0, unmap(self->fd, a, &stays));
	/* The rest goes with the file. */
	unmap_cpu(&stays);
	EXPECT_EQ(0, write_file("/sys/bus/pci/drivers/vgpu/bind", pci));
}

TEST_HARNESS_MAIN
