// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Queues that programs own: PM4, SDMA and AQL through doorbells, more of them than there
 * are places for, memory that moves under them, and processes that end.
 * Documentation/queues.rst, "User queues".
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hw/aql.h>
#include <hw/pm4.h>
#include <hw/sdma.h>

#include "harness.h"
#include "kfd.h"

#define RING		4096u			/* bytes */
#define PAGE		4096u
#define DOORBELLS	8192u			/* of a process on a die, bytes */
#define EOP		4096u
#define MAX_QUEUES	64
#define SDMA_RINGS	8			/* of an engine, for programs */
#define EVENT_VA	0x100000000000ull	/* far from where libdrm has its own */
#define WAIT_S		30
#define KILLS		50

/**
 * struct queue - a queue and what it needs
 * @mem: ring, then a page with its pointers, then one of results, then end-of-pipe events
 * @door: its doorbell
 * @wptr: dwords, bytes or packets, as the queue counts
 */
struct queue {
	struct buf mem;
	uint32_t id, type;
	volatile uint64_t *door;
	uint64_t wptr;
};

FIXTURE(kfd_queue)
{
	struct die die;
	int fd;
	uint32_t gpu_id;
	void *doors;
	unsigned int num;
	struct queue q[MAX_QUEUES];
};

#define POINTERS	RING
#define RESULTS		(RING + PAGE)
#define EVENTS		(RING + 2 * PAGE)
#define MEM		(RING + 2 * PAGE + EOP)

static void *at(struct queue *q, uint64_t offset)
{
	return (char *)q->mem.cpu + offset;
}

static uint32_t result(struct queue *q, unsigned int i)
{
	return buf_get(&q->mem, RESULTS / 4 + i);
}

static bool wait_result(struct queue *q, unsigned int i, uint32_t want)
{
	struct timespec pause = { .tv_nsec = 100000 };
	time_t end = time(NULL) + WAIT_S;

	while (result(q, i) != want) {
		if (time(NULL) > end)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static struct kfd_ioctl_create_queue_args queue_args(const struct queue *q, uint32_t gpu_id)
{
	return (struct kfd_ioctl_create_queue_args){
		.ring_base_address = q->mem.va,
		.ring_size = RING,
		.read_pointer_address = q->mem.va + POINTERS,
		.write_pointer_address = q->mem.va + POINTERS + 64,
		.eop_buffer_address = q->mem.va + EVENTS,
		.eop_buffer_size = EOP,
		.gpu_id = gpu_id,
		.queue_type = q->type,
		.queue_percentage = 100,
		.queue_priority = 7,
	};
}

/* Return: 0 or a negative errno. */
static int queue_create(struct _test_data_kfd_queue *self, struct queue *q, uint32_t type)
{
	struct kfd_ioctl_create_queue_args args;
	uint64_t page;
	int ret;

	memset(q, 0, sizeof(*q));
	q->type = type;
	ret = buf_alloc(&self->die, MEM, AMDGPU_GEM_DOMAIN_GTT, &q->mem);
	if (ret)
		return ret;
	if (type == KFD_IOC_QUEUE_TYPE_COMPUTE_AQL) {
		unsigned int i;

		for (i = 0; i < RING / VGPU_AQL_PACKET_BYTES; i++)
			*(uint16_t *)at(q, i * VGPU_AQL_PACKET_BYTES) = HSA_PACKET_TYPE_INVALID;
	}
	args = queue_args(q, self->gpu_id);
	ret = call(self->fd, AMDKFD_IOC_CREATE_QUEUE, &args);
	if (ret) {
		buf_free(&q->mem);
		return ret;
	}
	q->id = args.queue_id;
	page = args.doorbell_offset & ~(uint64_t)(DOORBELLS - 1);
	if (!self->doors) {
		self->doors = mmap(NULL, DOORBELLS, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd,
				   page);
		if (self->doors == MAP_FAILED) {
			self->doors = NULL;
			return -errno;
		}
	}
	q->door = (void *)((char *)self->doors + (args.doorbell_offset & (DOORBELLS - 1)));
	return 0;
}

static int queue_destroy(struct _test_data_kfd_queue *self, struct queue *q)
{
	struct kfd_ioctl_destroy_queue_args args = { .queue_id = q->id };
	int ret;

	if (!q->mem.cpu)
		return 0;
	ret = call(self->fd, AMDKFD_IOC_DESTROY_QUEUE, &args);
	buf_free(&q->mem);
	memset(q, 0, sizeof(*q));
	return ret;
}

static void ring_door(struct queue *q, uint64_t val)
{
	__atomic_store_n((uint64_t *)at(q, POINTERS + 64), val, __ATOMIC_RELEASE);
	*q->door = val;
}

/* One packet of PM4 or SDMA; rings are large enough for what a test sends. */
static void push(struct queue *q, const uint32_t *dw, unsigned int n)
{
	bool sdma = q->type == KFD_IOC_QUEUE_TYPE_SDMA || q->type == KFD_IOC_QUEUE_TYPE_SDMA_XGMI;
	uint64_t pos = sdma ? q->wptr / 4 : q->wptr;
	unsigned int i;

	for (i = 0; i < n; i++)
		((uint32_t *)q->mem.cpu)[(pos + i) % (RING / 4)] = dw[i];
	q->wptr += sdma ? n * 4 : n;
	ring_door(q, q->wptr);
}

/* Has the queue write @val to @va. */
static void push_write(struct queue *q, uint64_t va, uint32_t val)
{
	const uint32_t pm4[] = {
		PACKET3(PACKET3_WRITE_DATA, 3),
		WRITE_DATA_DST_SEL(5) | WR_CONFIRM, (uint32_t)va, va >> 32, val,
	};
	const uint32_t sdma[] = {
		SDMA_PKT_WRITE_UNTILED_HEADER_OP(SDMA_OP_WRITE),
		(uint32_t)va, va >> 32, SDMA_PKT_WRITE_UNTILED_DW_3_COUNT(0), val,
	};

	if (q->type == KFD_IOC_QUEUE_TYPE_COMPUTE)
		push(q, pm4, 5);
	else
		push(q, sdma, 5);
}

FIXTURE_SETUP(kfd_queue)
{
	self->fd = -1;
	ASSERT_EQ(0, die_open(0, &self->die));
	self->fd = open(KFD, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, kfd_acquire(self->fd, amdgpu_device_get_fd(self->die.dev), &self->gpu_id));
}

FIXTURE_TEARDOWN(kfd_queue)
{
	unsigned int i;

	for (i = 0; i < MAX_QUEUES; i++)
		EXPECT_EQ(0, queue_destroy(self, &self->q[i]));
	if (self->doors)
		munmap(self->doors, DOORBELLS);
	if (self->fd >= 0)
		close(self->fd);
	if (self->die.dev)
		die_close(&self->die);
}

/* ------------------------------------------------------------------- each kind */

static void run_packets(struct __test_metadata *_metadata, struct _test_data_kfd_queue *self,
			uint32_t type)
{
	struct queue *q = &self->q[0];
	unsigned int i;

	ASSERT_EQ(0, queue_create(self, q, type));
	for (i = 0; i < 100; i++) {
		push_write(q, q->mem.va + RESULTS + 4 * i, 0x1000 + i);
		ASSERT_TRUE(wait_result(q, i, 0x1000 + i));
	}
	/* Round the ring several times; as far as the read pointer lets. */
	for (i = 0; i < 2000; i++) {
		push_write(q, q->mem.va + RESULTS, i);
		if (i % 100 == 99)
			ASSERT_TRUE(wait_result(q, 0, i));
	}
}

TEST_F(kfd_queue, pm4)
{
	run_packets(_metadata, self, KFD_IOC_QUEUE_TYPE_COMPUTE);
}

TEST_F(kfd_queue, sdma)
{
	run_packets(_metadata, self, KFD_IOC_QUEUE_TYPE_SDMA);
}

/* As many as the engines have rings, those for xGMI behind the first two; all run. */
static void take_all_rings(struct __test_metadata *_metadata, struct _test_data_kfd_queue *self,
			   uint32_t type, unsigned int engines)
{
	unsigned int i, num = engines * SDMA_RINGS;

	ASSERT_LE(num, MAX_QUEUES - 1);
	for (i = 0; i < num; i++)
		ASSERT_EQ(0, queue_create(self, &self->q[i], type));
	EXPECT_EQ(-ENOMEM, queue_create(self, &self->q[num], type));
	for (i = 0; i < num; i++)
		push_write(&self->q[i], self->q[i].mem.va + RESULTS, i + 1);
	for (i = 0; i < num; i++)
		EXPECT_TRUE(wait_result(&self->q[i], 0, i + 1));
}

static unsigned int sdma_engines(struct _test_data_kfd_queue *self)
{
	struct drm_amdgpu_info_hw_ip info;

	if (amdgpu_query_hw_ip_info(self->die.dev, AMDGPU_HW_IP_DMA, 0, &info))
		return 0;
	return __builtin_popcount(info.available_rings);
}

TEST_F(kfd_queue, sdma_rings)
{
	unsigned int engines = sdma_engines(self);

	take_all_rings(_metadata, self, KFD_IOC_QUEUE_TYPE_SDMA, engines < 2 ? engines : 2);
}

TEST_F(kfd_queue, sdma_xgmi_rings)
{
	unsigned int engines = sdma_engines(self);

	engines = engines < 2 ? 0 : engines - 2;
	take_all_rings(_metadata, self, KFD_IOC_QUEUE_TYPE_SDMA_XGMI, engines);
}

/* Two queues whose packets wait for each other's signals */
TEST_F(kfd_queue, aql_barriers)
{
	const uint16_t header = HSA_PACKET_HEADER_TYPE(HSA_PACKET_TYPE_BARRIER_AND) |
				HSA_PACKET_HEADER_BARRIER(1) |
				HSA_PACKET_HEADER_ACQUIRE_SCOPE(HSA_FENCE_SCOPE_SYSTEM) |
				HSA_PACKET_HEADER_RELEASE_SCOPE(HSA_FENCE_SCOPE_SYSTEM);
	struct vgpu_amd_signal *sig;
	unsigned int i, rounds = 20;
	uint64_t va;

	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, queue_create(self, &self->q[i], KFD_IOC_QUEUE_TYPE_COMPUTE_AQL));
	sig = at(&self->q[0], RESULTS);
	va = self->q[0].mem.va + RESULTS;
	for (i = 0; i <= rounds; i++) {
		sig[i].kind = AMD_SIGNAL_KIND_USER;
		sig[i].value = 1;
	}
	/* Packet i, of the queues in turn, ends signal i + 1 when signal i is over. */
	for (i = 0; i < rounds; i++) {
		struct queue *q = &self->q[i % 2];
		struct vgpu_aql_barrier *p = at(q, q->wptr * sizeof(*p));

		p->dep_signal[0] = va + i * sizeof(*sig);
		p->completion_signal = va + (i + 1) * sizeof(*sig);
		__atomic_store_n(&p->header, header, __ATOMIC_RELEASE);
		q->wptr++;
		__atomic_store_n((uint64_t *)at(q, POINTERS + 64), q->wptr, __ATOMIC_RELEASE);
		*q->door = q->wptr - 1;
	}
	usleep(50000);
	EXPECT_EQ(1, sig[rounds].value);
	__atomic_store_n(&sig[0].value, 0, __ATOMIC_RELEASE);
	ASSERT_TRUE(wait_result(&self->q[0], (rounds * sizeof(*sig) + 8) / 4, 0));
}

/* ------------------------------------------------------------- more than fit */

TEST_F(kfd_queue, more_than_there_are_places)
{
	unsigned int i, k;

	for (i = 0; i < MAX_QUEUES; i++)
		ASSERT_EQ(0, queue_create(self, &self->q[i], KFD_IOC_QUEUE_TYPE_COMPUTE));
	for (k = 1; k < 4; k++) {
		for (i = 0; i < MAX_QUEUES; i++)
			push_write(&self->q[i], self->q[i].mem.va + RESULTS, k);
		for (i = 0; i < MAX_QUEUES; i++)
			ASSERT_TRUE(wait_result(&self->q[i], 0, k));
	}
}

/* One that waits for ever is taken off like any other. */
TEST_F(kfd_queue, hangs_alone)
{
	unsigned int i;
	uint32_t wait[] = {
		PACKET3(PACKET3_WAIT_REG_MEM, 5),
		WAIT_REG_MEM_MEM_SPACE(1) | WAIT_REG_MEM_FUNCTION(3), 0, 0, 1, ~0u, 4,
	};

	for (i = 0; i < 30; i++)
		ASSERT_EQ(0, queue_create(self, &self->q[i], KFD_IOC_QUEUE_TYPE_COMPUTE));
	wait[2] = (uint32_t)(self->q[0].mem.va + RESULTS + 16);
	wait[3] = (self->q[0].mem.va + RESULTS + 16) >> 32;
	push(&self->q[0], wait, 7);
	push_write(&self->q[0], self->q[0].mem.va + RESULTS, 0xd07e);
	for (i = 1; i < 30; i++)
		push_write(&self->q[i], self->q[i].mem.va + RESULTS, i);
	for (i = 1; i < 30; i++)
		ASSERT_TRUE(wait_result(&self->q[i], 0, i));
	EXPECT_EQ(0, result(&self->q[0], 0));
	/* It has lost nothing. */
	buf_set(&self->q[0].mem, RESULTS / 4 + 4, 1);
	EXPECT_TRUE(wait_result(&self->q[0], 0, 0xd07e));
}

/* ----------------------------------------------------------- changes, bad ones too */

TEST_F(kfd_queue, stands_still_without_percentage)
{
	struct queue *q = &self->q[0];
	struct kfd_ioctl_update_queue_args args = { .ring_size = RING };

	ASSERT_EQ(0, queue_create(self, q, KFD_IOC_QUEUE_TYPE_COMPUTE));
	args.queue_id = q->id;
	args.ring_base_address = q->mem.va;
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_UPDATE_QUEUE, &args));
	push_write(q, q->mem.va + RESULTS, 1);
	usleep(50000);
	EXPECT_EQ(0, result(q, 0));
	args.queue_percentage = 1;
	args.queue_priority = 15;
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_UPDATE_QUEUE, &args));
	EXPECT_TRUE(wait_result(q, 0, 1));

	args.queue_percentage = 101;
	EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_UPDATE_QUEUE, &args));
	args.queue_percentage = 100;
	args.queue_priority = 16;
	EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_UPDATE_QUEUE, &args));
	args.queue_priority = 7;
	args.ring_size = RING + 1;
	EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_UPDATE_QUEUE, &args));
	args.ring_size = RING;
	args.queue_id = 999;
	EXPECT_EQ(-EFAULT, call(self->fd, AMDKFD_IOC_UPDATE_QUEUE, &args));
}

TEST_F(kfd_queue, refused)
{
	struct kfd_ioctl_destroy_queue_args destroy = { .queue_id = 999 };
	struct kfd_ioctl_create_queue_args good, args;
	struct queue *q = &self->q[0];

	ASSERT_EQ(0, queue_create(self, q, KFD_IOC_QUEUE_TYPE_COMPUTE));
	good = queue_args(q, self->gpu_id);
#define REFUSED(error, field, value) do { \
		args = good; \
		args.field = (value); \
		EXPECT_EQ(error, call(self->fd, AMDKFD_IOC_CREATE_QUEUE, &args)); \
	} while (0)
	REFUSED(-EINVAL, gpu_id, NO_ID);
	REFUSED(-EINVAL, ring_size, RING - 4);
	REFUSED(-EINVAL, queue_percentage, 101);
	REFUSED(-EINVAL, queue_priority, 16);
	REFUSED(-EOPNOTSUPP, queue_type, 77);
	REFUSED(-EFAULT, ring_base_address, 1ull << 63);
	REFUSED(-EFAULT, read_pointer_address, 1ull << 63);
	REFUSED(-EFAULT, write_pointer_address, 1ull << 63);
	REFUSED(-EFAULT, eop_buffer_address, 1ull << 63);
	REFUSED(-EFAULT, ctx_save_restore_address, 1ull << 63);
	REFUSED(-EINVAL, ring_base_address, good.ring_base_address + 128);
	REFUSED(-EINVAL, read_pointer_address, good.read_pointer_address + 2);
	REFUSED(-EINVAL, write_pointer_address, good.write_pointer_address + 4);
	REFUSED(-EINVAL, eop_buffer_address, good.eop_buffer_address + 128);
	REFUSED(-EINVAL, eop_buffer_size, EOP + 4);
	REFUSED(-EINVAL, ctl_stack_size, 4);
	/* Nothing is there. */
	REFUSED(-EINVAL, ring_base_address, 64 * PAGE);
	REFUSED(-EINVAL, read_pointer_address, 64 * PAGE);
	REFUSED(-EINVAL, write_pointer_address, 64 * PAGE);
	REFUSED(-EINVAL, eop_buffer_address, 64 * PAGE);
	EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_DESTROY_QUEUE, &destroy));
}

TEST_F(kfd_queue, doorbells_are_ones_own)
{
	uint64_t offset, type = 3ull << 62;
	struct queue *q = &self->q[0];
	int status;
	pid_t pid;

	ASSERT_EQ(0, queue_create(self, q, KFD_IOC_QUEUE_TYPE_COMPUTE));
	offset = type | (uint64_t)self->gpu_id << 46;
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, self->fd, offset));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 2 * DOORBELLS, PROT_WRITE, MAP_SHARED, self->fd, offset));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, DOORBELLS, PROT_WRITE, MAP_PRIVATE, self->fd, offset));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, DOORBELLS, PROT_WRITE, MAP_SHARED, self->fd,
				   offset + PAGE));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, DOORBELLS, PROT_WRITE, MAP_SHARED, self->fd,
				   type | (uint64_t)0xffff << 46));

	/* A child has neither the mapping nor the file. */
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (mmap(NULL, DOORBELLS, PROT_WRITE, MAP_SHARED, self->fd, offset) != MAP_FAILED ||
		    errno != EBADF)
			_exit(1);
		signal(SIGSEGV, SIG_DFL);
		*q->door = 1;
		_exit(2);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(SIGSEGV, WTERMSIG(status));
	push_write(q, q->mem.va + RESULTS, 5);
	EXPECT_TRUE(wait_result(q, 0, 5));
}

/* ------------------------------------------------------------------- memory */

/* Buffers come and go, and there is less memory than they want: the queue finds its own. */
TEST_F(kfd_queue, memory_moves_under_it)
{
	struct drm_amdgpu_memory_info mem;
	struct queue *q = &self->q[0];
	struct buf target, other[64];
	unsigned int i, k, n;
	uint64_t each;

	ASSERT_EQ(0, queue_create(self, q, KFD_IOC_QUEUE_TYPE_COMPUTE));
	ASSERT_EQ(0, buf_alloc(&self->die, 1 << 20, AMDGPU_GEM_DOMAIN_VRAM, &target));
	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_MEMORY, sizeof(mem), &mem));
	each = mem.vram.total_heap_size / 16;
	each -= each % (2 << 20);
	for (k = 0; k < 3; k++) {
		for (n = 0; n < 24; n++) {
			if (buf_alloc(&self->die, each, AMDGPU_GEM_DOMAIN_VRAM, &other[n]))
				break;
			memset(other[n].cpu, n, 4096);
			push_write(q, target.va + 4 * n, 0x100 * k + n);
			push_write(q, q->mem.va + RESULTS, 0x100 * k + n);
			ASSERT_TRUE(wait_result(q, 0, 0x100 * k + n));
		}
		EXPECT_LT(16, n);
		for (i = 0; i < n; i++) {
			EXPECT_EQ(0x100 * k + i, buf_get(&target, i));
			buf_free(&other[i]);
		}
	}
	buf_free(&target);
}

/* ---------------------------------------------------------------- the end of it */

/* Its own fixture, in a process of its own; busy until it is killed. */
static void be_busy(unsigned int seed)
{
	struct _test_data_kfd_queue self = { .fd = -1 };
	unsigned int i, k;

	if (die_open(0, &self.die))
		_exit(1);
	self.fd = open(KFD, O_RDWR | O_CLOEXEC);
	if (self.fd < 0 || kfd_acquire(self.fd, amdgpu_device_get_fd(self.die.dev), &self.gpu_id))
		_exit(2);
	for (k = 0;; k++) {
		for (i = 0; i < 4; i++) {
			uint32_t type = (seed + i) % 3 ? KFD_IOC_QUEUE_TYPE_COMPUTE :
							 KFD_IOC_QUEUE_TYPE_SDMA;

			if (queue_create(&self, &self.q[i], type))
				_exit(3);
			push_write(&self.q[i], self.q[i].mem.va + RESULTS, k + 1);
		}
		for (i = 0; i < 4; i++) {
			if (!wait_result(&self.q[i], 0, k + 1))
				_exit(4);
			queue_destroy(&self, &self.q[i]);
		}
	}
}

TEST_F(kfd_queue, killed_at_any_moment)
{
	struct queue *q = &self->q[0];
	unsigned int i;
	int status;
	pid_t pid;

	ASSERT_EQ(0, queue_create(self, q, KFD_IOC_QUEUE_TYPE_COMPUTE));
	srand(1);
	for (i = 0; i < KILLS; i++) {
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid)
			be_busy(i);
		usleep(rand() % 60000);
		push_write(q, q->mem.va + RESULTS, i + 1);
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status));
		ASSERT_TRUE(wait_result(q, 0, i + 1));
	}
}

static int acquire_gpu(int fd, uint32_t gpu_id, const struct die *die)
{
	struct kfd_ioctl_acquire_vm_args args = {
		.gpu_id = gpu_id, .drm_fd = amdgpu_device_get_fd(die->dev),
	};

	return call(fd, AMDKFD_IOC_ACQUIRE_VM, &args);
}

/* Has events and a queue, whose runs it checks, until its die is no more. */
static void live_on_it(int ready)
{
	struct _test_data_kfd_queue self = { .fd = open(KFD, O_RDWR | O_CLOEXEC) };
	struct kfd_ioctl_create_event_args event = {
		.event_type = KFD_IOC_EVENT_SIGNAL, .auto_reset = 1,
	};
	struct kfd_ioctl_alloc_memory_of_gpu_args page = {
		.va_addr = EVENT_VA, .size = KFD_SIGNAL_EVENT_LIMIT * sizeof(uint64_t),
		.flags = KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
	};
	uint32_t i = 0;

	if (self.fd < 0 || die_open(0, &self.die) ||
	    kfd_acquire(self.fd, amdgpu_device_get_fd(self.die.dev), &self.gpu_id))
		_exit(1);
	page.gpu_id = self.gpu_id;
	if (call(self.fd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &page))
		_exit(2);
	event.event_page_offset = page.handle;
	if (call(self.fd, AMDKFD_IOC_CREATE_EVENT, &event) ||
	    queue_create(&self, &self.q[0], KFD_IOC_QUEUE_TYPE_SDMA))
		_exit(3);
	push_write(&self.q[0], self.q[0].mem.va + RESULTS, 1);
	if (!wait_result(&self.q[0], 0, 1) || write(ready, "", 1) != 1)
		_exit(4);
	/* Always something to do: it ends with the die, at the latest. */
	for (;;) {
		push_write(&self.q[0], self.q[0].mem.va + RESULTS, ++i);
		usleep(100);
	}
}

/* Under two processes, one that ends while it is away and one that does not */
TEST_F(kfd_queue, die_goes_away)
{
	int status, ready[2];
	struct die again;
	struct queue *q;
	char c;
	pid_t pid;

	ASSERT_EQ(0, queue_create(self, &self->q[0], KFD_IOC_QUEUE_TYPE_COMPUTE));
	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		live_on_it(ready[1]);
	close(ready[1]);
	ASSERT_EQ(1, read(ready[0], &c, 1));
	ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/vgpu/unbind", self->die.pci));
	EXPECT_EQ(-ENODEV, queue_create(self, &self->q[1], KFD_IOC_QUEUE_TYPE_COMPUTE));
	EXPECT_EQ(0, queue_destroy(self, &self->q[0]));
	/* It may have ended of its own: there is no doorbell any more. */
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	close(ready[0]);

	/* Another in its place is another's: who had the old one begins anew. */
	ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/vgpu/bind", self->die.pci));
	ASSERT_EQ(0, die_open(0, &again));
	EXPECT_EQ(-EBUSY, acquire_gpu(self->fd, self->gpu_id, &again));
	munmap(self->doors, DOORBELLS);
	self->doors = NULL;
	close(self->fd);
	die_close(&self->die);
	self->die = again;
	self->fd = open(KFD, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, acquire_gpu(self->fd, self->gpu_id, &self->die));
	q = &self->q[0];
	ASSERT_EQ(0, queue_create(self, q, KFD_IOC_QUEUE_TYPE_COMPUTE));
	push_write(q, q->mem.va + RESULTS, 7);
	EXPECT_TRUE(wait_result(q, 0, 7));
}

TEST_HARNESS_MAIN
