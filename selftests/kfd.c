// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * /dev/kfd: what there is, whose address space is acquired, and events, between
 * threads and against processes that end. Documentation/queues.rst, "/dev/kfd".
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "kfd.h"

#define ROUNDS		10000u

FIXTURE(kfd)
{
	struct die die;
	int fd;
	uint32_t num;
	struct kfd_process_device_apertures ap[DIE_MAX];
};

FIXTURE_SETUP(kfd)
{
	struct kfd_ioctl_get_process_apertures_new_args args = { };

	self->fd = -1;
	ASSERT_EQ(0, die_open(0, &self->die));
	self->fd = open(KFD, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args));
	ASSERT_LT(0, args.num_of_nodes);
	ASSERT_GE(DIE_MAX, args.num_of_nodes);
	args.kfd_process_device_apertures_ptr = (uintptr_t)self->ap;
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args));
	self->num = args.num_of_nodes;
}

FIXTURE_TEARDOWN(kfd)
{
	if (self->fd >= 0)
		close(self->fd);
	if (self->die.dev)
		die_close(&self->die);
}

TEST_F(kfd, version)
{
	struct kfd_ioctl_get_version_args args = { };

	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_GET_VERSION, &args));
	EXPECT_EQ(KFD_IOCTL_MAJOR_VERSION, args.major_version);
	EXPECT_LE(3, args.minor_version);	/* which events with an age need */
}

/* GFX9's apertures; a node each, and no id twice. */
TEST_F(kfd, apertures)
{
	struct kfd_ioctl_get_process_apertures_args old = { };
	unsigned int i, k;

	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_GET_PROCESS_APERTURES, &old));
	EXPECT_EQ(self->num < NUM_OF_SUPPORTED_GPUS ? self->num : NUM_OF_SUPPORTED_GPUS,
		  old.num_of_nodes);
	for (i = 0; i < self->num; i++) {
		EXPECT_NE(0, self->ap[i].gpu_id);
		for (k = 0; k < i; k++)
			EXPECT_NE(self->ap[k].gpu_id, self->ap[i].gpu_id);
		EXPECT_EQ(1ull << 48, self->ap[i].lds_base);
		EXPECT_EQ((1ull << 48) + 0xffffffff, self->ap[i].lds_limit);
		EXPECT_EQ(2ull << 48, self->ap[i].scratch_base);
		EXPECT_EQ((2ull << 48) + 0xffffffff, self->ap[i].scratch_limit);
		EXPECT_LT(self->ap[i].gpuvm_base, self->ap[i].gpuvm_limit);
		EXPECT_EQ((1ull << 47) - 1, self->ap[i].gpuvm_limit);
		if (i < old.num_of_nodes)
			EXPECT_EQ(0, memcmp(&self->ap[i], &old.process_apertures[i],
					    sizeof(self->ap[i])));
	}
}

TEST_F(kfd, clocks_go_forward)
{
	struct kfd_ioctl_get_clock_counters_args a = { .gpu_id = self->ap[0].gpu_id }, b = a;

	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_GET_CLOCK_COUNTERS, &a));
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_GET_CLOCK_COUNTERS, &b));
	EXPECT_EQ(1000000000, a.system_clock_freq);
	EXPECT_LT(0, a.gpu_clock_counter);
	EXPECT_LE(a.gpu_clock_counter, b.gpu_clock_counter);
	EXPECT_LE(a.cpu_clock_counter, b.cpu_clock_counter);
	EXPECT_LE(a.system_clock_counter, b.system_clock_counter);

	/* A CPU's node */
	a.gpu_id = 0;
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_GET_CLOCK_COUNTERS, &a));
	EXPECT_EQ(0, a.gpu_clock_counter);
}

TEST_F(kfd, memory_that_is_taken_is_not_available)
{
	struct kfd_ioctl_get_available_memory_args before = { .gpu_id = self->ap[0].gpu_id };
	struct kfd_ioctl_get_available_memory_args after = before;
	struct drm_amdgpu_memory_info mem;
	struct buf buf;

	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_AVAILABLE_MEMORY, &before));
	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_MEMORY, sizeof(mem), &mem));
	EXPECT_LT(0, before.available);
	EXPECT_GE(mem.vram.total_heap_size, before.available);
	ASSERT_EQ(0, buf_alloc(&self->die, 16 << 20, AMDGPU_GEM_DOMAIN_VRAM, &buf));
	ASSERT_EQ(0, call(self->fd, AMDKFD_IOC_AVAILABLE_MEMORY, &after));
	/* It comes in huge pages. */
	EXPECT_GE(before.available - (14 << 20), after.available);
	buf_free(&buf);

	before.gpu_id = NO_ID;
	EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_AVAILABLE_MEMORY, &before));
}

TEST_F(kfd, acquire_vm)
{
	int drm_fd = amdgpu_device_get_fd(self->die.dev), other;
	struct kfd_ioctl_acquire_vm_args args;
	uint32_t gpu_id;

	ASSERT_EQ(0, kfd_acquire(self->fd, drm_fd, &gpu_id));
	/* Once more is no error; another file of the same die is. */
	args = (struct kfd_ioctl_acquire_vm_args){ .drm_fd = drm_fd, .gpu_id = gpu_id };
	EXPECT_EQ(0, call(self->fd, AMDKFD_IOC_ACQUIRE_VM, &args));
	other = open(self->die.path, O_RDWR);
	ASSERT_LE(0, other);
	args.drm_fd = other;
	EXPECT_EQ(-EBUSY, call(self->fd, AMDKFD_IOC_ACQUIRE_VM, &args));
	close(other);

	args = (struct kfd_ioctl_acquire_vm_args){ .drm_fd = drm_fd, .gpu_id = NO_ID };
	EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_ACQUIRE_VM, &args));
}

/* Files that are none, are something else, or belong to another die */
TEST_F(kfd, acquire_no_vm)
{
	struct kfd_ioctl_acquire_vm_args args = { .drm_fd = ~0u };
	int null = open("/dev/null", O_RDWR);
	unsigned int i, accepted = 0;

	for (i = 0; i < self->num; i++) {
		args.gpu_id = self->ap[i].gpu_id;
		args.drm_fd = ~0u;
		EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_ACQUIRE_VM, &args));
		args.drm_fd = null;
		EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_ACQUIRE_VM, &args));
		args.drm_fd = self->fd;
		EXPECT_EQ(-EINVAL, call(self->fd, AMDKFD_IOC_ACQUIRE_VM, &args));
		args.drm_fd = amdgpu_device_get_fd(self->die.dev);
		accepted += !call(self->fd, AMDKFD_IOC_ACQUIRE_VM, &args);
	}
	EXPECT_EQ(1, accepted);
	close(null);
}

/* A child has no right to its parent's process; one of its own cannot have its space. */
TEST_F(kfd, child)
{
	int drm_fd = amdgpu_device_get_fd(self->die.dev), status;
	struct kfd_ioctl_get_version_args version = { };
	uint32_t gpu_id;
	pid_t pid;
	int own;

	ASSERT_EQ(0, kfd_acquire(self->fd, drm_fd, &gpu_id));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (call(self->fd, AMDKFD_IOC_GET_VERSION, &version) != -EBADF)
			_exit(1);
		own = open(KFD, O_RDWR);
		if (own < 0 || call(own, AMDKFD_IOC_GET_VERSION, &version))
			_exit(2);
		if (kfd_acquire(own, drm_fd, &gpu_id) != -EINVAL)
			_exit(3);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, call(self->fd, AMDKFD_IOC_GET_VERSION, &version));
}

/* With the process goes what it has acquired, while the file lives on here. */
TEST_F(kfd, killed_owner_gives_the_space_back)
{
	int drm_fd = amdgpu_device_get_fd(self->die.dev), status, fd[2];
	uint32_t gpu_id;
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(fd));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		int own = open(KFD, O_RDWR);

		if (own < 0 || kfd_acquire(own, drm_fd, &gpu_id) || write(fd[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	ASSERT_EQ(1, read(fd[0], &c, 1));
	EXPECT_EQ(-EINVAL, kfd_acquire(self->fd, drm_fd, &gpu_id));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, kfd_acquire(self->fd, drm_fd, &gpu_id));
	close(fd[0]);
	close(fd[1]);
}

TEST_F(kfd, arguments)
{
	struct kfd_ioctl_get_version_args version = { };
	struct kfd_ioctl_get_process_apertures_new_args ap = { .num_of_nodes = 1 };
	unsigned int nr;

	/* What there is not */
	for (nr = 0; nr < 256; nr++) {
		if (nr >= AMDKFD_COMMAND_START && nr < AMDKFD_COMMAND_END)
			continue;
		EXPECT_EQ(-ENOTTY, call(self->fd, AMDKFD_IOWR(nr, typeof(version)), &version));
	}
	EXPECT_EQ(-EFAULT, call(self->fd, AMDKFD_IOC_GET_VERSION, (void *)8));
	EXPECT_EQ(-EFAULT, call(self->fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &ap));
	/* Shorter and longer arguments than ours: as much as both know */
	EXPECT_EQ(0, call(self->fd, _IOC(_IOC_READ, AMDKFD_IOCTL_BASE, 1, 4), &version));
	EXPECT_EQ(KFD_IOCTL_MAJOR_VERSION, version.major_version);
	EXPECT_EQ(0, version.minor_version);
	/* All of them at once */
	ap.num_of_nodes = ~0u;
	ap.kfd_process_device_apertures_ptr = (uintptr_t)self->ap;
	EXPECT_EQ(0, call(self->fd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &ap));
	EXPECT_EQ(self->num, ap.num_of_nodes);
}

/* ------------------------------------------------------------------- events */

static int create(int fd, uint32_t type, bool auto_reset, uint32_t *id)
{
	struct kfd_ioctl_create_event_args args = {
		.event_type = type, .auto_reset = auto_reset,
	};
	int ret = call(fd, AMDKFD_IOC_CREATE_EVENT, &args);

	*id = args.event_id;
	return ret;
}

static int set(int fd, uint32_t id)
{
	struct kfd_ioctl_set_event_args args = { .event_id = id };

	return call(fd, AMDKFD_IOC_SET_EVENT, &args);
}

static int reset(int fd, uint32_t id)
{
	struct kfd_ioctl_reset_event_args args = { .event_id = id };

	return call(fd, AMDKFD_IOC_RESET_EVENT, &args);
}

static int destroy(int fd, uint32_t id)
{
	struct kfd_ioctl_destroy_event_args args = { .event_id = id };

	return call(fd, AMDKFD_IOC_DESTROY_EVENT, &args);
}

/* Return: KFD_IOC_WAIT_RESULT_*, or a negative errno. */
static int await(int fd, struct kfd_event_data *data, uint32_t num, bool all, uint32_t timeout)
{
	struct kfd_ioctl_wait_events_args args = {
		.events_ptr = (uintptr_t)data, .num_events = num, .wait_for_all = all,
		.timeout = timeout,
	};
	int ret = call(fd, AMDKFD_IOC_WAIT_EVENTS, &args);

	return ret ? ret : (int)args.wait_result;
}

static int look(int fd, uint32_t id)
{
	struct kfd_event_data data = { .event_id = id };

	return await(fd, &data, 1, false, 0);
}

TEST_F(kfd, event_states)
{
	uint32_t stays, goes;

	ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, false, &stays));
	ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, true, &goes));
	EXPECT_NE(stays, goes);
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, look(self->fd, stays));
	EXPECT_EQ(0, set(self->fd, stays));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, look(self->fd, stays));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, look(self->fd, stays));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, look(self->fd, goes));
	EXPECT_EQ(0, reset(self->fd, stays));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, look(self->fd, stays));

	/* Remembered once, when nobody waits */
	EXPECT_EQ(0, set(self->fd, goes));
	EXPECT_EQ(0, set(self->fd, goes));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, look(self->fd, goes));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, look(self->fd, goes));

	EXPECT_EQ(0, destroy(self->fd, stays));
	EXPECT_EQ(-EINVAL, destroy(self->fd, stays));
	EXPECT_EQ(-EINVAL, set(self->fd, stays));
	EXPECT_EQ(-EINVAL, reset(self->fd, stays));
	EXPECT_EQ(-EINVAL, look(self->fd, stays));
}

TEST_F(kfd, one_of_them_or_all)
{
	struct kfd_event_data data[3] = { };
	unsigned int i;

	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, false, &data[i].event_id));
	EXPECT_EQ(0, set(self->fd, data[1].event_id));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, await(self->fd, data, 3, false, 0));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, await(self->fd, data, 3, true, 10));
	EXPECT_EQ(0, set(self->fd, data[0].event_id));
	EXPECT_EQ(0, set(self->fd, data[2].event_id));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, await(self->fd, data, 3, true, 0));
}

/* Who says which age he knows is woken when there is a newer one, whatever the state is. */
TEST_F(kfd, ages)
{
	struct kfd_event_data data = { };

	ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, true, &data.event_id));
	data.signal_event_data.last_event_age = 1;
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, await(self->fd, &data, 1, false, 0));
	EXPECT_EQ(0, set(self->fd, data.event_id));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, look(self->fd, data.event_id));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_COMPLETE, await(self->fd, &data, 1, false, 0));
	EXPECT_EQ(2, data.signal_event_data.last_event_age);
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, await(self->fd, &data, 1, false, 0));
}

TEST_F(kfd, events_of_the_kernel)
{
	uint32_t id;

	ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_HW_EXCEPTION, false, &id));
	EXPECT_LT(KFD_SIGNAL_EVENT_LIMIT, id);
	EXPECT_EQ(-EINVAL, set(self->fd, id));
	EXPECT_EQ(-EINVAL, reset(self->fd, id));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, look(self->fd, id));
	EXPECT_EQ(0, destroy(self->fd, id));
}

TEST_F(kfd, as_many_events_as_there_are_slots)
{
	static struct kfd_event_data data[2 * KFD_SIGNAL_EVENT_LIMIT + 1];
	unsigned int i;
	uint32_t id;

	for (i = 0; i < KFD_SIGNAL_EVENT_LIMIT; i++)
		ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, false, &data[i].event_id));
	EXPECT_EQ(-ENOSPC, create(self->fd, KFD_IOC_EVENT_SIGNAL, false, &id));
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT,
		  await(self->fd, data, KFD_SIGNAL_EVENT_LIMIT, false, 0));
	EXPECT_EQ(-ENOMEM, await(self->fd, data, 2 * KFD_SIGNAL_EVENT_LIMIT + 1, false, 0));
	EXPECT_EQ(-ENOMEM, await(self->fd, data, ~0u, false, 0));
	EXPECT_EQ(-EFAULT, await(self->fd, (void *)8, 1, false, 0));
	EXPECT_EQ(0, destroy(self->fd, data[7].event_id));
	EXPECT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, false, &id));
	EXPECT_EQ(data[7].event_id, id);
}

struct pair {
	int fd;
	uint32_t ping, pong;
	unsigned int rounds, wrong;
};

static void *answer(void *arg)
{
	struct pair *pair = arg;
	struct kfd_event_data data = { .event_id = pair->ping };
	unsigned int i;

	for (i = 0; i < pair->rounds; i++)
		if (await(pair->fd, &data, 1, true, ~0u) != KFD_IOC_WAIT_RESULT_COMPLETE ||
		    set(pair->fd, pair->pong))
			pair->wrong++;
	return NULL;
}

/* Two threads wake each other in turn, without a limit of time: one that got lost hangs. */
TEST_F(kfd, no_event_is_lost)
{
	struct pair pair = { .fd = self->fd, .rounds = ROUNDS };
	struct kfd_event_data data;
	unsigned int i, wrong = 0;
	pthread_t thread;

	ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, true, &pair.ping));
	ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, true, &pair.pong));
	ASSERT_EQ(0, pthread_create(&thread, NULL, answer, &pair));
	data = (struct kfd_event_data){ .event_id = pair.pong };
	for (i = 0; i < ROUNDS; i++)
		if (set(self->fd, pair.ping) ||
		    await(self->fd, &data, 1, false, ~0u) != KFD_IOC_WAIT_RESULT_COMPLETE)
			wrong++;
	pthread_join(thread, NULL);
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(0, pair.wrong);
}

static void *answer_in_short_waits(void *arg)
{
	struct pair *pair = arg;
	struct kfd_event_data data = { .event_id = pair->ping };
	unsigned int i;

	for (i = 0; i < pair->rounds; i++) {
		int ret;

		do
			ret = await(pair->fd, &data, 1, true, 1);
		while (ret == KFD_IOC_WAIT_RESULT_TIMEOUT);
		if (ret != KFD_IOC_WAIT_RESULT_COMPLETE || set(pair->fd, pair->pong))
			pair->wrong++;
	}
	return NULL;
}

/* One that is set just when a wait for it ends is there for the next one. */
TEST_F(kfd, no_event_is_lost_between_waits)
{
	struct pair pair = { .fd = self->fd, .rounds = ROUNDS / 10 };
	struct kfd_event_data data;
	unsigned int i, wrong = 0;
	pthread_t thread;

	srand(1);
	ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, true, &pair.ping));
	ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, true, &pair.pong));
	ASSERT_EQ(0, pthread_create(&thread, NULL, answer_in_short_waits, &pair));
	data = (struct kfd_event_data){ .event_id = pair.pong };
	for (i = 0; i < pair.rounds; i++) {
		usleep(rand() % 5000);
		if (set(self->fd, pair.ping) ||
		    await(self->fd, &data, 1, false, ~0u) != KFD_IOC_WAIT_RESULT_COMPLETE)
			wrong++;
	}
	pthread_join(thread, NULL);
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(0, pair.wrong);
}

static void nothing(int sig)
{
}

/* A wait that a signal interrupts goes on for what is left of its time. */
TEST_F(kfd, time_out_among_signals)
{
	const struct sigaction act = { .sa_handler = nothing, .sa_flags = SA_RESTART };
	const struct itimerval often = { { .tv_usec = 20000 }, { .tv_usec = 20000 } }, off = { };
	uint32_t id;
	int ret;

	ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, true, &id));
	ASSERT_EQ(0, sigaction(SIGALRM, &act, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &often, NULL));
	ret = await(self->fd, &(struct kfd_event_data){ .event_id = id }, 1, false, 300);
	setitimer(ITIMER_REAL, &off, NULL);
	EXPECT_EQ(KFD_IOC_WAIT_RESULT_TIMEOUT, ret);
}

static void *wait_for_ever(void *arg)
{
	struct pair *pair = arg;
	struct kfd_event_data data = { .event_id = pair->ping };

	__atomic_store_n(&pair->rounds, 1, __ATOMIC_RELEASE);
	return (void *)(intptr_t)await(pair->fd, &data, 1, true, ~0u);
}

/* Whoever waits for it learns that it is gone, whether he slept already or not. */
TEST_F(kfd, destroyed_event_wakes_its_waiter)
{
	struct pair pair = { .fd = self->fd };
	pthread_t thread;
	void *ret;

	ASSERT_EQ(0, create(self->fd, KFD_IOC_EVENT_SIGNAL, true, &pair.ping));
	ASSERT_EQ(0, pthread_create(&thread, NULL, wait_for_ever, &pair));
	while (!__atomic_load_n(&pair.rounds, __ATOMIC_ACQUIRE))
		sched_yield();
	ASSERT_EQ(0, destroy(self->fd, pair.ping));
	ASSERT_EQ(0, pthread_join(thread, &ret));
	EXPECT_TRUE((intptr_t)ret == -EIO || (intptr_t)ret == -EINVAL);
}

/* Killed while its threads sleep on events: nothing of it stays. */
TEST_F(kfd, killed_while_it_waits)
{
	unsigned int i;

	for (i = 0; i < 20; i++) {
		struct kfd_event_data data = { };
		int status, fd[2];
		pid_t pid;
		char c;

		ASSERT_EQ(0, pipe(fd));
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid) {
			int own = open(KFD, O_RDWR);

			if (own < 0 ||
			    create(own, KFD_IOC_EVENT_SIGNAL, true, &data.event_id) ||
			    write(fd[1], "x", 1) != 1)
				_exit(1);
			await(own, &data, 1, true, ~0u);
			_exit(2);
		}
		ASSERT_EQ(1, read(fd[0], &c, 1));
		close(fd[0]);
		close(fd[1]);
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_EQ(SIGKILL, status);
	}
}

TEST_HARNESS_MAIN
