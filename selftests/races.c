// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Threads of one process that undo each other's work: buffers are closed while
 * they are mapped, mappings change under jobs, memory of the process comes and
 * goes, contexts are freed while others submit to them. Any call may fail, with
 * an error that says why; nothing else may happen.
 * Documentation/memory.rst, "Address spaces".
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"

#define PAGE		4096ull
#define MIB		(1ull << 20)
#define THREADS		4
#define ROUNDS		200
#define SLOTS		8
#define CONTEXTS	2
#define SLOT_BYTES	(16 * PAGE)
#define SLOT_VA(slot)	((1ull << 40) + (slot) * MIB)

/* What all threads share. Handles and contexts are read and written without any order. */
struct arena {
	struct die die;
	int fd;
	struct buf ib;		/* a page for each slot: a copy from it to the next */
	uint32_t handle[SLOTS];
	uint32_t ctx[CONTEXTS];
	char *mem;		/* SLOT_BYTES for each slot */
	unsigned int calls, unexpected;
	int error;
};

struct racer {
	struct arena *arena;
	unsigned int seed;
};

static uint32_t get(uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* Errors that say that somebody else was there before; any other is a bug. */
static int call(struct arena *a, unsigned long request, void *arg)
{
	static const int expected[] = {
		ENOENT, EINVAL, ENOMEM, ENOSPC, EFAULT, EPERM, EAGAIN, ECANCELED,
	};
	unsigned int i;
	int err;

	__atomic_add_fetch(&a->calls, 1, __ATOMIC_RELAXED);
	if (!ioctl(a->fd, request, arg))
		return 0;
	err = errno;
	for (i = 0; i < ARRAY_SIZE(expected); i++)
		if (err == expected[i])
			return -err;
	__atomic_add_fetch(&a->unexpected, 1, __ATOMIC_RELAXED);
	a->error = err;
	return -err;
}

static void close_handle(struct arena *a, uint32_t handle)
{
	struct drm_gem_close close = { .handle = handle };

	if (handle)
		call(a, DRM_IOCTL_GEM_CLOSE, &close);
}

static void put_in_slot(struct arena *a, unsigned int slot, uint32_t handle)
{
	close_handle(a, __atomic_exchange_n(&a->handle[slot], handle, __ATOMIC_RELAXED));
}

static void make_buffer(struct arena *a, unsigned int slot, unsigned int choice)
{
	union drm_amdgpu_gem_create args = {
		.in.bo_size = SLOT_BYTES,
		.in.domains = choice & 1 ? AMDGPU_GEM_DOMAIN_VRAM : AMDGPU_GEM_DOMAIN_GTT,
		.in.domain_flags = choice & 2 ? AMDGPU_GEM_CREATE_VM_ALWAYS_VALID : 0,
	};

	if (!call(a, DRM_IOCTL_AMDGPU_GEM_CREATE, &args))
		put_in_slot(a, slot, args.out.handle);
}

static void make_userptr(struct arena *a, unsigned int slot, unsigned int choice)
{
	struct drm_amdgpu_gem_userptr args = {
		.addr = (uintptr_t)a->mem + slot * SLOT_BYTES, .size = SLOT_BYTES,
		.flags = AMDGPU_GEM_USERPTR_REGISTER |
			 (choice & 1 ? AMDGPU_GEM_USERPTR_VALIDATE : 0),
	};

	if (!call(a, DRM_IOCTL_AMDGPU_GEM_USERPTR, &args))
		put_in_slot(a, slot, args.handle);
}

static void change_mapping(struct arena *a, unsigned int slot, unsigned int choice)
{
	static const uint32_t ops[] = {
		AMDGPU_VA_OP_MAP, AMDGPU_VA_OP_REPLACE, AMDGPU_VA_OP_UNMAP, AMDGPU_VA_OP_CLEAR,
	};
	struct drm_amdgpu_gem_va args = {
		.handle = get(&a->handle[slot]), .operation = ops[choice % 4],
		.flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE,
		.va_address = SLOT_VA(slot), .map_size = SLOT_BYTES,
	};

	call(a, DRM_IOCTL_AMDGPU_GEM_VA, &args);
}

static void change_memory(struct arena *a, unsigned int slot, unsigned int choice)
{
	char *mem = a->mem + slot * SLOT_BYTES;

	if (choice & 1) {
		madvise(mem, SLOT_BYTES, MADV_DONTNEED);
		return;
	}
	mmap(mem, SLOT_BYTES, PROT_READ | (choice & 2 ? PROT_WRITE : 0),
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void change_context(struct arena *a, unsigned int nr)
{
	union drm_amdgpu_ctx args = { .in.op = AMDGPU_CTX_OP_ALLOC_CTX };
	uint32_t old;

	if (call(a, DRM_IOCTL_AMDGPU_CTX, &args))
		return;
	old = __atomic_exchange_n(&a->ctx[nr], args.out.alloc.ctx_id, __ATOMIC_RELAXED);
	memset(&args, 0, sizeof(args));
	args.in.op = AMDGPU_CTX_OP_FREE_CTX;
	args.in.ctx_id = old;
	if (old)
		call(a, DRM_IOCTL_AMDGPU_CTX, &args);
}

/* The copy of a slot, with two buffers named, or none. */
static void submit(struct arena *a, unsigned int slot, unsigned int choice)
{
	struct drm_amdgpu_bo_list_entry list[2] = {
		{ .bo_handle = get(&a->handle[slot]) },
		{ .bo_handle = get(&a->handle[(slot + 1) % SLOTS]) },
	};
	struct drm_amdgpu_bo_list_in names = {
		.operation = ~0, .list_handle = ~0, .bo_number = 2,
		.bo_info_size = sizeof(list[0]), .bo_info_ptr = (uintptr_t)list,
	};
	struct drm_amdgpu_cs_chunk_ib ib = {
		.ip_type = AMDGPU_HW_IP_DMA, .ring = choice % 2,
		.va_start = a->ib.va + slot * PAGE, .ib_bytes = 8 * 4,
	};
	struct drm_amdgpu_cs_chunk chunk[2] = {
		{ AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib },
		{ AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(names) / 4, (uintptr_t)&names },
	};
	uint64_t chunks[2] = { (uintptr_t)&chunk[0], (uintptr_t)&chunk[1] };
	union drm_amdgpu_cs args = {
		.in.ctx_id = get(&a->ctx[choice / 2 % CONTEXTS]),
		.in.num_chunks = choice & 4 ? 2 : 1, .in.chunks = (uintptr_t)chunks,
	};

	call(a, DRM_IOCTL_AMDGPU_CS, &args);
}

static void *race(void *data)
{
	struct racer *r = data;
	struct arena *a = r->arena;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		unsigned int what = rand_r(&r->seed) / 8, slot = rand_r(&r->seed) / 8 % SLOTS;
		unsigned int choice = rand_r(&r->seed) / 8;

		switch (what % 16) {
		case 0 ... 1:
			make_buffer(a, slot, choice);
			break;
		case 2 ... 3:
			make_userptr(a, slot, choice);
			break;
		case 4:
			put_in_slot(a, slot, 0);
			break;
		case 5 ... 8:
			change_mapping(a, slot, choice);
			break;
		case 9 ... 10:
			change_memory(a, slot, choice);
			break;
		case 11:
			change_context(a, choice % CONTEXTS);
			break;
		default:
			submit(a, slot, choice);
		}
	}
	return NULL;
}

FIXTURE(races)
{
	struct arena arena;
};

FIXTURE_SETUP(races)
{
	struct arena *a = &self->arena;
	unsigned int i;

	ASSERT_EQ(0, die_open(0, &a->die));
	a->fd = amdgpu_device_get_fd(a->die.dev);
	ASSERT_EQ(0, buf_alloc(&a->die, SLOTS * PAGE, AMDGPU_GEM_DOMAIN_GTT, &a->ib));
	a->mem = mmap(NULL, SLOTS * SLOT_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)a->mem);
	for (i = 0; i < SLOTS; i++) {
		struct ibw w = { .dw = (uint32_t *)((char *)a->ib.cpu + i * PAGE) };

		sdma_copy(&w, SLOT_VA(i), SLOT_VA((i + 1) % SLOTS), SLOT_BYTES);
		emit(&w, SDMA_OP_NOP);
	}
	for (i = 0; i < CONTEXTS; i++)
		change_context(a, i);
}

FIXTURE_TEARDOWN(races)
{
	if (!self->arena.die.dev)
		return;
	buf_free(&self->arena.ib);
	die_close(&self->arena.die);
}

TEST_F(races, threads_against_each_other)
{
	struct arena *a = &self->arena;
	struct sub sub = { .ip = AMDGPU_HW_IP_DMA, .ib = &a->ib };
	struct ibw w = { .dw = a->ib.cpu };
	struct racer racer[THREADS];
	pthread_t thread[THREADS];
	unsigned int i;

	for (i = 0; i < THREADS; i++) {
		racer[i] = (struct racer){ .arena = a, .seed = i };
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, race, &racer[i]));
	}
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, pthread_join(thread[i], NULL));
	EXPECT_EQ(0, a->unexpected) {
		TH_LOG("the last was %s", strerror(a->error));
	}

	/* The file still works. */
	emit(&w, SDMA_OP_NOP);
	sub.ndw = w.n;
	EXPECT_EQ(0, sub_run(&a->die, &sub));
}

TEST_HARNESS_MAIN
