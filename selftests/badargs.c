// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Bad arguments: every ioctl with wrong pointers, flags, sizes, handles and
 * counts answers with the errno that amdgpu gives, and a right call still works
 * afterwards. Documentation/driver.rst, "Ioctls".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm.h>
#include "emit.h"
#include "harness.h"
#include "lib/die.h"

#define BAD_POINTER	((uint64_t)0x0000700000001000)	/* nothing there */
#define KERNEL_POINTER	0xffff888000000000ull
#define NO_HANDLE	0x7ffffff0u
#define PAGE		4096ull
/* The address space of GFX9 as amdgpu lays it out */
#define HOLE_START	0x0000800000000000ull
#define HOLE_END	0xffff800000000000ull

static const uint64_t bad_pointers[] = { 0, 1, BAD_POINTER, KERNEL_POINTER, ~0ull };

#define for_each_bad_pointer(i) \
	for ((i) = 0; (i) < ARRAY_SIZE(bad_pointers); (i)++)

/* 0 or a negative errno; without libdrm's restarting. */
static int call(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

FIXTURE(badargs)
{
	struct die die;
	int fd;
	struct buf ib, buf;
	uint32_t ib_handle, buf_handle, ctx;
};

static uint32_t handle_of(struct buf *buf)
{
	uint32_t handle = 0;

	amdgpu_bo_export(buf->bo, amdgpu_bo_handle_type_kms, &handle);
	return handle;
}

FIXTURE_SETUP(badargs)
{
	union drm_amdgpu_ctx ctx = { .in.op = AMDGPU_CTX_OP_ALLOC_CTX };

	ASSERT_EQ(0, die_open(0, &self->die));
	self->fd = amdgpu_device_get_fd(self->die.dev);
	ASSERT_EQ(0, buf_alloc(&self->die, 16384, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
	ASSERT_EQ(0, buf_alloc(&self->die, PAGE, AMDGPU_GEM_DOMAIN_GTT, &self->buf));
	self->ib_handle = handle_of(&self->ib);
	self->buf_handle = handle_of(&self->buf);
	ASSERT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_CTX, &ctx));
	self->ctx = ctx.out.alloc.ctx_id;
}

FIXTURE_TEARDOWN(badargs)
{
	if (!self->die.dev)
		return;
	buf_free(&self->buf);
	buf_free(&self->ib);
	die_close(&self->die);
}

/* -------------------------------------------------------------- every ioctl */

TEST_F(badargs, unknown_numbers)
{
	static const unsigned int holes[] = {
		0x16,		/* behind amdgpu's last */
		0x17, 0x3f, 0x5f,
	};
	char data[256] = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(holes); i++)
		EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOWR(DRM_COMMAND_BASE + holes[i], data),
					data));
}

TEST_F(badargs, argument_out_of_reach)
{
	static const unsigned long requests[] = {
		DRM_IOCTL_AMDGPU_GEM_CREATE, DRM_IOCTL_AMDGPU_GEM_MMAP, DRM_IOCTL_AMDGPU_CTX,
		DRM_IOCTL_AMDGPU_BO_LIST, DRM_IOCTL_AMDGPU_CS, DRM_IOCTL_AMDGPU_INFO,
		DRM_IOCTL_AMDGPU_GEM_METADATA, DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE,
		DRM_IOCTL_AMDGPU_GEM_VA, DRM_IOCTL_AMDGPU_WAIT_CS, DRM_IOCTL_AMDGPU_GEM_OP,
		DRM_IOCTL_AMDGPU_WAIT_FENCES, DRM_IOCTL_AMDGPU_VM,
		DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE,
	};
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(requests); i++)
		for_each_bad_pointer(j)
			EXPECT_EQ(-EFAULT, call(self->fd, requests[i],
						(void *)(uintptr_t)bad_pointers[j]));
}

/* The structure in a page that can be read and not written: what comes back has no place. */
TEST_F(badargs, result_has_no_place)
{
	union drm_amdgpu_gem_create *args;

	args = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, args);
	args->in.bo_size = PAGE;
	args->in.domains = AMDGPU_GEM_DOMAIN_GTT;
	ASSERT_EQ(0, mprotect(args, PAGE, PROT_READ));
	EXPECT_EQ(-EFAULT, call(self->fd, DRM_IOCTL_AMDGPU_GEM_CREATE, args));
	munmap(args, PAGE);
}

/* Shorter structures are those of older user space: the rest counts as zero. */
TEST_F(badargs, short_structure)
{
	struct drm_amdgpu_gem_va va = { .operation = AMDGPU_VA_OP_MAP, .va_address = PAGE };
	unsigned long request = _IOC(_IOC_WRITE, DRM_IOCTL_BASE,
				     DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA, 8);

	/* Without its operation it is none. */
	EXPECT_EQ(-EINVAL, call(self->fd, request, &va));
	request = _IOC(_IOC_NONE, DRM_IOCTL_BASE, DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA, 0);
	EXPECT_EQ(-EINVAL, call(self->fd, request, &va));
	/* Longer ones are those of newer user space: the rest is not looked at. */
	request = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE,
		       DRM_COMMAND_BASE + DRM_AMDGPU_CTX, 4096);
	{
		static char page[4096];
		union drm_amdgpu_ctx *ctx = (void *)page;

		memset(page, 0xff, sizeof(page));
		memset(ctx, 0, sizeof(*ctx));
		ctx->in.op = AMDGPU_CTX_OP_QUERY_STATE2;
		ctx->in.ctx_id = self->ctx;
		EXPECT_EQ(0, call(self->fd, request, page));
	}
}

/* Only the DRM master of a primary node may change priorities of others. */
TEST_F(badargs, sched_is_not_for_render_nodes)
{
	union drm_amdgpu_sched args = {
		.in.op = AMDGPU_SCHED_OP_PROCESS_PRIORITY_OVERRIDE, .in.fd = self->fd,
	};

	EXPECT_EQ(-EACCES, call(self->fd, DRM_IOCTL_AMDGPU_SCHED, &args));
}

TEST_F(badargs, sched)
{
	union drm_amdgpu_sched args = { };
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/dri/card%d", self->die.card);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		SKIP(return, "no %s", path);

	args.in.op = 77;
	args.in.fd = self->fd;
	EXPECT_EQ(-EINVAL, call(fd, DRM_IOCTL_AMDGPU_SCHED, &args));
	args.in.op = AMDGPU_SCHED_OP_PROCESS_PRIORITY_OVERRIDE;
	args.in.priority = 3;
	EXPECT_EQ(-EINVAL, call(fd, DRM_IOCTL_AMDGPU_SCHED, &args));
	args.in.priority = AMDGPU_CTX_PRIORITY_LOW;
	args.in.fd = -1;
	EXPECT_EQ(-EINVAL, call(fd, DRM_IOCTL_AMDGPU_SCHED, &args));
	/* A file, but none of ours */
	args.in.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	EXPECT_EQ(-EINVAL, call(fd, DRM_IOCTL_AMDGPU_SCHED, &args));
	close(args.in.fd);
	args.in.op = AMDGPU_SCHED_OP_CONTEXT_PRIORITY_OVERRIDE;
	args.in.fd = self->fd;
	args.in.ctx_id = NO_HANDLE;
	EXPECT_EQ(-EINVAL, call(fd, DRM_IOCTL_AMDGPU_SCHED, &args));
	args.in.ctx_id = self->ctx;
	EXPECT_EQ(0, call(fd, DRM_IOCTL_AMDGPU_SCHED, &args));
	args.in.op = AMDGPU_SCHED_OP_PROCESS_PRIORITY_OVERRIDE;
	EXPECT_EQ(0, call(fd, DRM_IOCTL_AMDGPU_SCHED, &args));
	close(fd);
}

/* ------------------------------------------------------------------ buffers */

static int gem_create(int fd, uint64_t size, uint64_t align, uint64_t domains, uint64_t flags)
{
	union drm_amdgpu_gem_create args = { .in = {
		.bo_size = size, .alignment = align, .domains = domains, .domain_flags = flags,
	} };
	struct drm_gem_close close = { };
	int ret = call(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &args);

	if (!ret) {
		close.handle = args.out.handle;
		call(fd, DRM_IOCTL_GEM_CLOSE, &close);
	}
	return ret;
}

TEST_F(badargs, gem_create)
{
	const uint64_t gtt = AMDGPU_GEM_DOMAIN_GTT, vram = AMDGPU_GEM_DOMAIN_VRAM;
	int fd = self->fd;

	/* Flags: unknown ones, the kernel's own, encryption, which the die has not */
	EXPECT_EQ(-EINVAL, gem_create(fd, PAGE, 0, gtt, 1ull << 63));
	EXPECT_EQ(-EINVAL, gem_create(fd, PAGE, 0, gtt, 1ull << 31));
	EXPECT_EQ(-EINVAL, gem_create(fd, PAGE, 0, gtt, ~0ull));
	EXPECT_EQ(-EINVAL, gem_create(fd, PAGE, 0, gtt, AMDGPU_GEM_CREATE_VRAM_CONTIGUOUS));
	EXPECT_EQ(-EINVAL, gem_create(fd, PAGE, 0, gtt, AMDGPU_GEM_CREATE_ENCRYPTED));
	/* Domains: unknown ones, doorbells, special ones beside others */
	EXPECT_EQ(-EINVAL, gem_create(fd, PAGE, 0, 1ull << 20, 0));
	EXPECT_EQ(-EINVAL, gem_create(fd, PAGE, 0, gtt | 1ull << 32, 0));
	EXPECT_EQ(-EINVAL, gem_create(fd, PAGE, 0, ~0ull, 0));
	EXPECT_EQ(-EINVAL, gem_create(fd, PAGE, 0, AMDGPU_GEM_DOMAIN_DOORBELL, 0));
	EXPECT_EQ(-EINVAL, gem_create(fd, PAGE, 0, AMDGPU_GEM_DOMAIN_GDS | vram, 0));
	EXPECT_EQ(-EINVAL, gem_create(fd, 64, 0, AMDGPU_GEM_DOMAIN_GDS,
				      AMDGPU_GEM_CREATE_VM_ALWAYS_VALID));
	/* Sizes that nothing holds, also ones that wrap when rounded up */
	EXPECT_EQ(-ENOMEM, gem_create(fd, 1ull << 60, 0, gtt, 0));
	EXPECT_EQ(-ENOMEM, gem_create(fd, 1ull << 60, 0, vram, 0));
	EXPECT_GT(0, gem_create(fd, ~0ull, 0, gtt, 0));
	EXPECT_GT(0, gem_create(fd, ~0ull - PAGE, 0, vram, 0));
	EXPECT_GT(0, gem_create(fd, 0, 0, gtt, 0));
	EXPECT_GT(0, gem_create(fd, 0, 0, vram, 0));
	/* The upper half of the alignment is not looked at. */
	EXPECT_EQ(0, gem_create(fd, PAGE, 1ull << 62, vram, 0));

	EXPECT_EQ(0, gem_create(fd, PAGE, 0, gtt, 0));
	EXPECT_EQ(0, gem_create(fd, PAGE, 0, vram, 0));
	EXPECT_EQ(0, gem_create(fd, 1, 0, vram, 0));
	EXPECT_EQ(0, gem_create(fd, PAGE, 2 << 20, vram, 0));
}

TEST_F(badargs, gem_handles)
{
	union drm_amdgpu_gem_mmap map = { .in.handle = NO_HANDLE };
	union drm_amdgpu_gem_wait_idle idle = { .in.handle = NO_HANDLE };
	struct drm_amdgpu_gem_metadata meta = { .handle = NO_HANDLE };
	struct drm_amdgpu_gem_op op = { .handle = NO_HANDLE };
	struct drm_gem_close close = { .handle = NO_HANDLE };

	EXPECT_EQ(-ENOENT, call(self->fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &map));
	EXPECT_EQ(-ENOENT, call(self->fd, DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE, &idle));
	EXPECT_EQ(-ENOENT, call(self->fd, DRM_IOCTL_AMDGPU_GEM_METADATA, &meta));
	EXPECT_EQ(-ENOENT, call(self->fd, DRM_IOCTL_AMDGPU_GEM_OP, &op));
	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_GEM_CLOSE, &close));
	map.in.handle = 0;
	EXPECT_EQ(-ENOENT, call(self->fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &map));
}

TEST_F(badargs, gem_mmap)
{
	union drm_amdgpu_gem_create create = { .in = {
		.bo_size = PAGE, .domains = AMDGPU_GEM_DOMAIN_VRAM,
		.domain_flags = AMDGPU_GEM_CREATE_NO_CPU_ACCESS,
	} };
	union drm_amdgpu_gem_mmap map = { };
	void *p;

	/* Told not to be for the CPU */
	ASSERT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &create));
	map.in.handle = create.out.handle;
	EXPECT_EQ(-EPERM, call(self->fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &map));

	/* An offset where no buffer is; more than the buffer has; one of another file */
	p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd, 0x7ffffffff000ll);
	EXPECT_EQ(MAP_FAILED, p);
	map.in.handle = self->buf_handle;
	ASSERT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &map));
	p = mmap(NULL, 16 * PAGE, PROT_READ, MAP_SHARED, self->fd, map.out.addr_ptr);
	EXPECT_EQ(MAP_FAILED, p);
	{
		struct die other;

		ASSERT_EQ(0, die_open_again(&self->die, &other));
		p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, amdgpu_device_get_fd(other.dev),
			 map.out.addr_ptr);
		EXPECT_EQ(MAP_FAILED, p);
		EXPECT_EQ(EACCES, errno);
		die_close(&other);
	}
	p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd, map.out.addr_ptr);
	EXPECT_NE(MAP_FAILED, p);
	munmap(p, PAGE);
}

TEST_F(badargs, gem_metadata)
{
	struct drm_amdgpu_gem_metadata meta = {
		.handle = self->buf_handle, .op = AMDGPU_GEM_METADATA_OP_SET_METADATA,
	};

	meta.data.data_size_bytes = sizeof(meta.data.data) + 1;
	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_AMDGPU_GEM_METADATA, &meta));
	meta.data.data_size_bytes = ~0u;
	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_AMDGPU_GEM_METADATA, &meta));
	/* amdgpu takes an unknown operation for none. */
	meta.op = 99;
	EXPECT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_GEM_METADATA, &meta));

	meta.op = AMDGPU_GEM_METADATA_OP_SET_METADATA;
	meta.data.data_size_bytes = sizeof(meta.data.data);
	meta.data.flags = 0x1234;
	memset(meta.data.data, 0x5a, sizeof(meta.data.data));
	EXPECT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_GEM_METADATA, &meta));
	memset(&meta.data, 0, sizeof(meta.data));
	meta.op = AMDGPU_GEM_METADATA_OP_GET_METADATA;
	EXPECT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_GEM_METADATA, &meta));
	EXPECT_EQ(sizeof(meta.data.data), meta.data.data_size_bytes);
	EXPECT_EQ(0x1234, meta.data.flags);
	EXPECT_EQ(0x5a5a5a5a, meta.data.data[63]);
}

TEST_F(badargs, gem_op)
{
	struct drm_amdgpu_gem_op op = { .handle = self->buf_handle };
	struct drm_amdgpu_gem_create_in info = { };
	unsigned int i;

	op.op = 99;
	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_AMDGPU_GEM_OP, &op));
	op.op = AMDGPU_GEM_OP_GET_GEM_CREATE_INFO;
	for_each_bad_pointer(i) {
		op.value = bad_pointers[i];
		EXPECT_EQ(-EFAULT, call(self->fd, DRM_IOCTL_AMDGPU_GEM_OP, &op));
	}
	op.value = (uintptr_t)&info;
	EXPECT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_GEM_OP, &op));
	EXPECT_EQ(PAGE, info.bo_size);
	EXPECT_EQ(AMDGPU_GEM_DOMAIN_GTT, info.domains);
}

/* ----------------------------------------------------------- address spaces */

static int gem_va(int fd, uint32_t handle, uint32_t op, uint64_t va, uint64_t offset,
		  uint64_t size, uint32_t flags)
{
	struct drm_amdgpu_gem_va args = {
		.handle = handle, .operation = op, .flags = flags, .va_address = va,
		.offset_in_bo = offset, .map_size = size,
	};

	return call(fd, DRM_IOCTL_AMDGPU_GEM_VA, &args);
}

TEST_F(badargs, gem_va)
{
	const uint32_t rw = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE;
	const uint32_t map = AMDGPU_VA_OP_MAP, h = self->ib_handle;
	const uint64_t va = 0x500000000ull, size = 4 * PAGE;
	int fd = self->fd;

	/* What must be a page's multiple is not */
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va + 1, 0, PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, 1, PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, 0, PAGE + 1, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, 0, 0, rw));
	/* More than the buffer has, also by wrapping */
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, 0, size + PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, PAGE, size, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, ~0ull - PAGE + 1, PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, ~0ull - PAGE + 1, 2 * PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, 0, ~0ull - PAGE + 1, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, 0, 0ull - va, rw));
	/* Addresses: the reserved first pages, the hole, the reserved last ones */
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, 0, 0, PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, HOLE_START, 0, PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, HOLE_END - PAGE, 0, PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, ~0ull - PAGE + 1, 0, PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, ~0ull - 2 * PAGE + 1, 0, 2 * PAGE, rw));
	/* Flags, operations, handles */
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, 0, PAGE, 1u << 31));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, 0, PAGE, rw | AMDGPU_VM_PAGE_PRT));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, 0, va, 0, PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, 99, va, 0, PAGE, rw));
	EXPECT_EQ(-ENOENT, gem_va(fd, NO_HANDLE, map, va, 0, PAGE, rw));
	EXPECT_EQ(-ENOENT, gem_va(fd, 0, map, va, 0, PAGE, rw));
	/* Nothing begins there; CLEAR does not mind */
	EXPECT_EQ(-ENOENT, gem_va(fd, h, AMDGPU_VA_OP_UNMAP, va, 0, size, 0));
	EXPECT_EQ(0, gem_va(fd, 0, AMDGPU_VA_OP_CLEAR, va, 0, size, 0));
	EXPECT_EQ(-EINVAL, gem_va(fd, 0, AMDGPU_VA_OP_CLEAR, va, 0, 0, 0));
	EXPECT_EQ(-EINVAL, gem_va(fd, 0, AMDGPU_VA_OP_CLEAR, va, 0, ~0ull, 0));

	EXPECT_EQ(0, gem_va(fd, h, map, va, 0, size, rw));
	/* Taken: the same, a part, around it; UNMAP by an address inside, by another buffer */
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va, 0, size, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va + PAGE, 0, PAGE, rw));
	EXPECT_EQ(-EINVAL, gem_va(fd, h, map, va - PAGE, 0, 2 * PAGE, rw));
	EXPECT_EQ(-ENOENT, gem_va(fd, h, AMDGPU_VA_OP_UNMAP, va + PAGE, 0, size, 0));
	EXPECT_EQ(-ENOENT, gem_va(fd, self->buf_handle, AMDGPU_VA_OP_UNMAP, va, 0, size, 0));
	EXPECT_EQ(0, gem_va(fd, h, AMDGPU_VA_OP_UNMAP, va, 0, size, 0));
	/* All of the address space at once can be cleared. */
	EXPECT_EQ(0, gem_va(fd, h, map, va, 0, size, rw));
	EXPECT_EQ(0, gem_va(fd, 0, AMDGPU_VA_OP_CLEAR, 1ull << 32, 0,
			    HOLE_START - (1ull << 32), 0));
	EXPECT_EQ(-ENOENT, gem_va(fd, h, AMDGPU_VA_OP_UNMAP, va, 0, size, 0));
}

TEST_F(badargs, vm)
{
	union drm_amdgpu_vm args = { .in.op = 99 };

	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_AMDGPU_VM, &args));
	args.in.op = AMDGPU_VM_OP_RESERVE_VMID;
	args.in.flags = 1;
	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_AMDGPU_VM, &args));
	args.in.flags = 0;
	EXPECT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_VM, &args));
	/* Twice is once. */
	EXPECT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_VM, &args));
	args.in.op = AMDGPU_VM_OP_UNRESERVE_VMID;
	EXPECT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_VM, &args));
	EXPECT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_VM, &args));
}

/* ----------------------------------------------------- contexts and BO lists */

static int ctx_op(int fd, uint32_t op, uint32_t flags, uint32_t id, int32_t priority,
		  uint32_t *out)
{
	union drm_amdgpu_ctx args = { .in = {
		.op = op, .flags = flags, .ctx_id = id, .priority = priority,
	} };
	int ret = call(fd, DRM_IOCTL_AMDGPU_CTX, &args);

	if (out)
		*out = args.out.alloc.ctx_id;
	return ret;
}

TEST_F(badargs, ctx)
{
	int fd = self->fd;
	uint32_t id;

	EXPECT_EQ(-EINVAL, ctx_op(fd, 0, 0, self->ctx, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, 99, 0, self->ctx, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_ALLOC_CTX, 1, 0, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_FREE_CTX, 1, self->ctx, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_FREE_CTX, 0, NO_HANDLE, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_FREE_CTX, 0, 0, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_QUERY_STATE, 0, NO_HANDLE, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_QUERY_STATE2, 0, NO_HANDLE, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_QUERY_STATE2, 1, self->ctx, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_GET_STABLE_PSTATE, 0, NO_HANDLE, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_SET_STABLE_PSTATE, 0x10, self->ctx, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				  AMDGPU_CTX_STABLE_PSTATE_PEAK + 1, self->ctx, 0, NULL));

	/* Garbage in what old user space left uninitialised means normal. */
	EXPECT_EQ(0, ctx_op(fd, AMDGPU_CTX_OP_ALLOC_CTX, 0, NO_HANDLE, 12345, &id));
	EXPECT_EQ(0, ctx_op(fd, AMDGPU_CTX_OP_FREE_CTX, 0, id, 0, NULL));
	EXPECT_EQ(-EINVAL, ctx_op(fd, AMDGPU_CTX_OP_FREE_CTX, 0, id, 0, NULL));
}

/* Root may have high priorities; another user may not. In a process of its own. */
TEST_F(badargs, ctx_priority_of_others)
{
	uint32_t id;

	if (getuid())
		SKIP(return, "needs root");
	EXPECT_EQ(0, ctx_op(self->fd, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0, AMDGPU_CTX_PRIORITY_HIGH,
			    &id));
	ASSERT_EQ(0, setuid(65534));
	EXPECT_EQ(-EACCES, ctx_op(self->fd, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0,
				  AMDGPU_CTX_PRIORITY_HIGH, &id));
	EXPECT_EQ(-EACCES, ctx_op(self->fd, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0,
				  AMDGPU_CTX_PRIORITY_VERY_HIGH, &id));
	EXPECT_EQ(0, ctx_op(self->fd, AMDGPU_CTX_OP_ALLOC_CTX, 0, 0, AMDGPU_CTX_PRIORITY_LOW,
			    &id));
}

static int bo_list(int fd, uint32_t op, uint32_t handle, uint64_t ptr, uint32_t number,
		   uint32_t size, uint32_t *out)
{
	union drm_amdgpu_bo_list args = { .in = {
		.operation = op, .list_handle = handle, .bo_info_ptr = ptr, .bo_number = number,
		.bo_info_size = size,
	} };
	int ret = call(fd, DRM_IOCTL_AMDGPU_BO_LIST, &args);

	if (out)
		*out = args.out.list_handle;
	return ret;
}

TEST_F(badargs, bo_list)
{
	struct drm_amdgpu_bo_list_entry entry[2] = {
		{ .bo_handle = self->ib_handle }, { .bo_handle = self->buf_handle },
	};
	const uint32_t size = sizeof(entry[0]), create = AMDGPU_BO_LIST_OP_CREATE;
	uint64_t good = (uintptr_t)entry;
	int fd = self->fd;
	uint32_t id;
	unsigned int i;

	for_each_bad_pointer(i) {
		EXPECT_EQ(-EFAULT, bo_list(fd, create, 0, bad_pointers[i], 2, size, NULL));
		/* Entries of another size are copied one by one. */
		EXPECT_EQ(-EFAULT, bo_list(fd, create, 0, bad_pointers[i], 2, 4, NULL));
		EXPECT_EQ(-EFAULT, bo_list(fd, create, 0, bad_pointers[i], 2, 4096, NULL));
	}
	EXPECT_EQ(-EINVAL, bo_list(fd, create, 0, good, ~0u, size, NULL));
	EXPECT_EQ(-EINVAL, bo_list(fd, create, 0, good, 128 * 1024 + 1, size, NULL));
	EXPECT_EQ(-EFAULT, bo_list(fd, create, 0, good, 2, ~0u, NULL));
	EXPECT_EQ(-EINVAL, bo_list(fd, 99, 0, good, 2, size, NULL));
	/* Not there to be replaced; to destroy what is not there is no error. */
	EXPECT_EQ(-ENOENT, bo_list(fd, AMDGPU_BO_LIST_OP_UPDATE, NO_HANDLE, good, 2, size, NULL));
	EXPECT_EQ(0, bo_list(fd, AMDGPU_BO_LIST_OP_DESTROY, NO_HANDLE, good, 0, size, NULL));
	entry[1].bo_handle = NO_HANDLE;
	EXPECT_EQ(-ENOENT, bo_list(fd, create, 0, good, 2, size, NULL));
	entry[1].bo_handle = self->buf_handle;

	EXPECT_EQ(0, bo_list(fd, create, 0, good, 2, size, &id));
	EXPECT_EQ(0, bo_list(fd, AMDGPU_BO_LIST_OP_UPDATE, id, good, 1, size, NULL));
	EXPECT_EQ(0, bo_list(fd, AMDGPU_BO_LIST_OP_DESTROY, id, good, 0, size, NULL));
	EXPECT_EQ(-ENOENT, bo_list(fd, AMDGPU_BO_LIST_OP_UPDATE, id, good, 1, size, NULL));
}

/* --------------------------------------------------------------- submissions */

/* A submission by chunks, right as it comes: each test spoils one thing. */
struct cs {
	uint32_t ctx, list, num_chunks;
	uint64_t chunks;			/* 0: those below */
	struct drm_amdgpu_cs_chunk chunk[5];
	struct drm_amdgpu_cs_chunk_ib ib[2];
	struct drm_amdgpu_cs_chunk_fence fence;
	struct drm_amdgpu_bo_list_in bos;
	struct drm_amdgpu_bo_list_entry entry[2];
	struct drm_amdgpu_cs_chunk_dep dep;
	struct drm_amdgpu_cs_chunk_sem sem[2];
	struct drm_amdgpu_cs_chunk_syncobj point[2];
};

static void set_chunk(struct cs *cs, unsigned int i, uint32_t id, const void *data, size_t bytes)
{
	cs->chunk[i] = (struct drm_amdgpu_cs_chunk){
		.chunk_id = id, .length_dw = bytes / 4, .chunk_data = (uintptr_t)data,
	};
	if (i >= cs->num_chunks)
		cs->num_chunks = i + 1;
}

static int cs_go(int fd, struct cs *cs, __u64 *seq)
{
	uint64_t ptr[5];
	union drm_amdgpu_cs args = { };
	unsigned int i;
	int ret;

	for (i = 0; i < 5; i++)
		ptr[i] = (uintptr_t)&cs->chunk[i];
	args.in.ctx_id = cs->ctx;
	args.in.bo_list_handle = cs->list;
	args.in.num_chunks = cs->num_chunks;
	args.in.chunks = cs->chunks ? cs->chunks : (uintptr_t)ptr;
	ret = call(fd, DRM_IOCTL_AMDGPU_CS, &args);
	if (!ret && seq)
		*seq = args.out.handle;
	return ret;
}

static int wait_cs(int fd, uint32_t ctx, uint32_t ip, uint32_t ring, uint64_t seq)
{
	union drm_amdgpu_wait_cs args = { .in = {
		.ctx_id = ctx, .ip_type = ip, .ring = ring, .handle = seq, .timeout = ~0ull >> 1,
	} };
	int ret = call(fd, DRM_IOCTL_AMDGPU_WAIT_CS, &args);

	return ret ? ret : args.out.status ? -ETIME : 0;
}

static void cs_init(struct cs *cs, uint32_t ctx, const struct buf *ib, uint32_t ib_handle,
		    uint32_t buf_handle)
{
	uint32_t i, *dw = ib->cpu;

	for (i = 0; i < 8; i++)
		dw[i] = PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT);
	memset(cs, 0, sizeof(*cs));
	cs->ctx = ctx;
	cs->ib[0] = (struct drm_amdgpu_cs_chunk_ib){
		.va_start = ib->va, .ib_bytes = 32, .ip_type = AMDGPU_HW_IP_GFX,
	};
	cs->ib[1] = cs->ib[0];
	cs->entry[0].bo_handle = ib_handle;
	cs->entry[1].bo_handle = buf_handle;
	cs->bos = (struct drm_amdgpu_bo_list_in){
		.operation = ~0u, .list_handle = ~0u, .bo_number = 2,
		.bo_info_size = sizeof(cs->entry[0]), .bo_info_ptr = (uintptr_t)cs->entry,
	};
	cs->fence.handle = buf_handle;
	set_chunk(cs, 0, AMDGPU_CHUNK_ID_IB, &cs->ib[0], sizeof(cs->ib[0]));
	set_chunk(cs, 1, AMDGPU_CHUNK_ID_BO_HANDLES, &cs->bos, sizeof(cs->bos));
}

#define CS_INIT(cs) cs_init(&(cs), self->ctx, &self->ib, self->ib_handle, self->buf_handle)

#define EXPECT_CS(err, change)							\
	do {									\
		CS_INIT(cs);							\
		change;								\
		EXPECT_EQ(err, cs_go(self->fd, &cs, NULL)) {			\
			TH_LOG("with %s", #change);				\
		}								\
	} while (0)

TEST_F(badargs, cs_arguments)
{
	unsigned int i;
	struct cs cs;

	EXPECT_CS(-EINVAL, cs.ctx = 0);
	EXPECT_CS(-EINVAL, cs.ctx = NO_HANDLE);
	EXPECT_CS(-EINVAL, cs.num_chunks = 0);
	EXPECT_CS(-ENOENT, cs.num_chunks = 1; cs.list = NO_HANDLE);
	for_each_bad_pointer(i) {
		/* No array, no chunk, no data */
		if (bad_pointers[i])
			EXPECT_CS(-EFAULT, cs.chunks = bad_pointers[i]);
		EXPECT_CS(-EFAULT, cs.chunks = (uintptr_t)&bad_pointers[i]; cs.num_chunks = 1);
		EXPECT_CS(-EFAULT, cs.chunk[0].chunk_data = bad_pointers[i]);
	}
	/* So many that they cannot all be there */
	EXPECT_CS(-EINVAL, cs.num_chunks = ~0u);
	EXPECT_CS(-EINVAL, cs.chunk[0].chunk_id = 0);
	EXPECT_CS(-EINVAL, cs.chunk[0].chunk_id = 0xffff);
	/* Too short for what they are; so long that no memory holds them */
	EXPECT_CS(-EINVAL, cs.chunk[0].length_dw = 0);
	EXPECT_CS(-EINVAL, cs.chunk[0].length_dw--);
	EXPECT_CS(-EINVAL, cs.chunk[1].length_dw--);
	EXPECT_CS(-EINVAL, cs.chunk[0].length_dw = ~0u);
	EXPECT_CS(-EINVAL, cs.chunk[0].length_dw = 0x40000000);
	/* Both kinds of list */
	EXPECT_CS(-EINVAL, set_chunk(&cs, 2, AMDGPU_CHUNK_ID_BO_HANDLES, &cs.bos,
				     sizeof(cs.bos)));

	EXPECT_CS(0, (void)0);
}

TEST_F(badargs, cs_ib)
{
	struct cs cs;

	/* No IB at all */
	EXPECT_CS(-EINVAL, cs.chunk[0] = cs.chunk[1]; cs.num_chunks = 1);
	/* No such engine, instance, ring */
	EXPECT_CS(-EINVAL, cs.ib[0].ip_type = AMDGPU_HW_IP_NUM);
	EXPECT_CS(-EINVAL, cs.ib[0].ip_type = ~0u);
	EXPECT_CS(-EINVAL, cs.ib[0].ip_type = AMDGPU_HW_IP_VCN_DEC);
	EXPECT_CS(-EINVAL, cs.ib[0].ip_instance = 1);
	EXPECT_CS(-EINVAL, cs.ib[0].ring = 1);
	EXPECT_CS(-EINVAL, cs.ib[0].ring = ~0u);
	EXPECT_CS(-EINVAL, cs.ib[0].ip_type = AMDGPU_HW_IP_DMA; cs.ib[0].ring = 5);
	EXPECT_CS(-EINVAL, cs.ib[0].ip_type = AMDGPU_HW_IP_COMPUTE; cs.ib[0].ring = 8);
	/* More than the packet that enters it can say; nothing mapped at its end or start */
	EXPECT_CS(-EINVAL, cs.ib[0].ib_bytes = ~0u & ~3u);
	EXPECT_CS(-EINVAL, cs.ib[0].ib_bytes = 0x100000 * 4);
	EXPECT_CS(-EINVAL, cs.ib[0].ib_bytes = 0xffff0 * 4);
	EXPECT_CS(-EINVAL, cs.ib[0].va_start = 0x777777000);
	EXPECT_CS(-EINVAL, cs.ib[0].va_start = 0);
	EXPECT_CS(-EINVAL, cs.ib[0].va_start = ~0ull & ~3ull);
	EXPECT_CS(-EINVAL, cs.ib[0].va_start = HOLE_START);
	/* IBs of two rings in one submission */
	EXPECT_CS(-EINVAL, cs.ib[1].ip_type = AMDGPU_HW_IP_DMA;
		  set_chunk(&cs, 2, AMDGPU_CHUNK_ID_IB, &cs.ib[1], sizeof(cs.ib[1])));

	EXPECT_CS(0, set_chunk(&cs, 2, AMDGPU_CHUNK_ID_IB, &cs.ib[1], sizeof(cs.ib[1])));
}

/* One more than AMDGPU_INFO_MAX_IBS promises is refused, that many are not. */
TEST_F(badargs, cs_too_many_ibs)
{
	uint32_t max[AMDGPU_HW_IP_NUM] = { };
	static struct drm_amdgpu_cs_chunk chunk[1025];
	static uint64_t ptr[1025];
	union drm_amdgpu_cs args = { };
	struct cs cs;
	unsigned int i, n;

	ASSERT_EQ(0, amdgpu_query_info(self->die.dev, AMDGPU_INFO_MAX_IBS, sizeof(max), max));
	n = max[AMDGPU_HW_IP_GFX];
	ASSERT_LT(0, n);
	ASSERT_GT(1024, n);
	CS_INIT(cs);
	for (i = 0; i < 1025; i++) {
		chunk[i] = cs.chunk[0];
		ptr[i] = (uintptr_t)&chunk[i];
	}
	chunk[0] = cs.chunk[1];
	args.in.ctx_id = self->ctx;
	args.in.chunks = (uintptr_t)ptr;
	args.in.num_chunks = 1 + n + 1;
	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_AMDGPU_CS, &args));
	args.in.num_chunks = 1 + n;
	EXPECT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_CS, &args));
	EXPECT_EQ(0, wait_cs(self->fd, self->ctx, AMDGPU_HW_IP_GFX, 0, args.out.handle));
}

TEST_F(badargs, cs_fence)
{
	struct cs cs;
	__u64 seq;

#define FENCE set_chunk(&cs, 2, AMDGPU_CHUNK_ID_FENCE, &cs.fence, sizeof(cs.fence))
	EXPECT_CS(-EINVAL, FENCE; cs.chunk[2].length_dw--);
	EXPECT_CS(-EINVAL, FENCE; cs.fence.handle = NO_HANDLE);
	EXPECT_CS(-EINVAL, FENCE; cs.fence.handle = 0);
	/* It is written with the kernel's rights: a page, and within it */
	EXPECT_CS(-EINVAL, FENCE; cs.fence.handle = self->ib_handle);
	EXPECT_CS(-EINVAL, FENCE; cs.fence.offset = PAGE);
	EXPECT_CS(-EINVAL, FENCE; cs.fence.offset = PAGE - 4);
	EXPECT_CS(-EINVAL, FENCE; cs.fence.offset = ~0u);
	EXPECT_CS(-EINVAL, FENCE; cs.fence.offset = ~0u - 7);
	/* Only one */
	EXPECT_CS(-EINVAL, FENCE;
		  set_chunk(&cs, 3, AMDGPU_CHUNK_ID_FENCE, &cs.fence, sizeof(cs.fence)));

	CS_INIT(cs);
	FENCE;
	cs.fence.offset = PAGE - 8;
	EXPECT_EQ(0, cs_go(self->fd, &cs, &seq));
	EXPECT_EQ(0, wait_cs(self->fd, self->ctx, AMDGPU_HW_IP_GFX, 0, seq));
	EXPECT_EQ(seq, buf_get(&self->buf, 1022));
	EXPECT_EQ(0, buf_get(&self->buf, 1021));
#undef FENCE
}

TEST_F(badargs, cs_bo_handles)
{
	unsigned int i;
	struct cs cs;

	EXPECT_CS(-ENOENT, cs.entry[1].bo_handle = NO_HANDLE);
	EXPECT_CS(-ENOENT, cs.entry[0].bo_handle = 0);
	EXPECT_CS(-EINVAL, cs.bos.bo_number = ~0u);
	EXPECT_CS(-EFAULT, cs.bos.bo_number = 100000;
		  cs.bos.bo_info_ptr = BAD_POINTER);
	for_each_bad_pointer(i)
		EXPECT_CS(-EFAULT, cs.bos.bo_info_ptr = bad_pointers[i]);
	/* The same twice is no error; neither is an empty list. */
	EXPECT_CS(0, cs.entry[1] = cs.entry[0]);
	EXPECT_CS(0, cs.bos.bo_number = 0);
}

TEST_F(badargs, cs_dependencies)
{
	struct cs cs;

#define DEP								\
	cs.dep = (struct drm_amdgpu_cs_chunk_dep){			\
		.ip_type = AMDGPU_HW_IP_GFX, .ctx_id = self->ctx };	\
	set_chunk(&cs, 2, AMDGPU_CHUNK_ID_DEPENDENCIES, &cs.dep, sizeof(cs.dep))
	EXPECT_CS(-EINVAL, DEP; cs.dep.ctx_id = NO_HANDLE);
	EXPECT_CS(-EINVAL, DEP; cs.dep.ip_type = 77);
	EXPECT_CS(-EINVAL, DEP; cs.dep.ip_instance = 3);
	EXPECT_CS(-EINVAL, DEP; cs.dep.ring = 9);
	/* Yet to come */
	EXPECT_CS(-EINVAL, DEP; cs.dep.handle = 1000);
	EXPECT_CS(-EINVAL, DEP; cs.chunk[2].chunk_id = AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES;
		  cs.dep.handle = 1000);
	EXPECT_CS(0, DEP);
	EXPECT_CS(0, DEP; cs.dep.handle = 1);
	/* Not a whole one is none. */
	EXPECT_CS(0, DEP; cs.dep.ctx_id = NO_HANDLE; cs.chunk[2].length_dw--);
#undef DEP
}

static uint32_t syncobj(int fd)
{
	struct drm_syncobj_create args = { };

	return call(fd, DRM_IOCTL_SYNCOBJ_CREATE, &args) ? 0 : args.handle;
}

TEST_F(badargs, cs_syncobjs)
{
	uint32_t good = syncobj(self->fd), second = syncobj(self->fd);
	struct cs cs;

	ASSERT_NE(0, good);
	ASSERT_NE(0, second);
#define SEM(id) set_chunk(&cs, 2, id, cs.sem, sizeof(cs.sem[0]))
#define POINT(id) set_chunk(&cs, 2, id, cs.point, sizeof(cs.point[0]))
	EXPECT_CS(-ENOENT, SEM(AMDGPU_CHUNK_ID_SYNCOBJ_IN); cs.sem[0].handle = NO_HANDLE);
	/* Without a fence there is nothing to wait for. */
	EXPECT_CS(-EINVAL, SEM(AMDGPU_CHUNK_ID_SYNCOBJ_IN); cs.sem[0].handle = good);
	EXPECT_CS(-EINVAL, SEM(AMDGPU_CHUNK_ID_SYNCOBJ_OUT); cs.sem[0].handle = NO_HANDLE);
	EXPECT_CS(-ENOENT, POINT(AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT);
		  cs.point[0].handle = NO_HANDLE);
	EXPECT_CS(-EINVAL, POINT(AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT);
		  cs.point[0].handle = good; cs.point[0].point = 5);
	EXPECT_CS(-EINVAL, POINT(AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL);
		  cs.point[0].handle = NO_HANDLE; cs.point[0].point = 1);
	/* One chunk of outputs only */
	EXPECT_CS(-EINVAL, SEM(AMDGPU_CHUNK_ID_SYNCOBJ_OUT); cs.sem[0].handle = good;
		  set_chunk(&cs, 3, AMDGPU_CHUNK_ID_SYNCOBJ_OUT, cs.sem, sizeof(cs.sem[0])));
	/* The first is right, the second not: neither is signalled. */
	EXPECT_CS(-EINVAL, SEM(AMDGPU_CHUNK_ID_SYNCOBJ_OUT); cs.chunk[2].length_dw = 2;
		  cs.sem[0].handle = good; cs.sem[1].handle = NO_HANDLE);
	EXPECT_CS(-EINVAL, SEM(AMDGPU_CHUNK_ID_SYNCOBJ_IN); cs.sem[0].handle = good);

	EXPECT_CS(0, SEM(AMDGPU_CHUNK_ID_SYNCOBJ_OUT); cs.sem[0].handle = good);
	EXPECT_CS(0, SEM(AMDGPU_CHUNK_ID_SYNCOBJ_IN); cs.sem[0].handle = good);
	EXPECT_CS(0, POINT(AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL);
		  cs.point[0].handle = second; cs.point[0].point = 1);
	EXPECT_CS(0, POINT(AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT);
		  cs.point[0].handle = second; cs.point[0].point = 1);
#undef SEM
#undef POINT
}

/* ------------------------------------------------------------------- waiting */

TEST_F(badargs, wait_cs)
{
	const uint32_t gfx = AMDGPU_HW_IP_GFX;
	struct cs cs;
	__u64 seq;

	EXPECT_EQ(-EINVAL, wait_cs(self->fd, NO_HANDLE, gfx, 0, 1));
	EXPECT_EQ(-EINVAL, wait_cs(self->fd, self->ctx, 99, 0, 1));
	EXPECT_EQ(-EINVAL, wait_cs(self->fd, self->ctx, gfx, 7, 1));
	EXPECT_EQ(-EINVAL, wait_cs(self->fd, self->ctx, gfx, 0, 1));
	EXPECT_EQ(-EINVAL, wait_cs(self->fd, self->ctx, gfx, 0, ~0ull - 1));
	/* Nothing was submitted: its last is long over. */
	EXPECT_EQ(0, wait_cs(self->fd, self->ctx, gfx, 0, ~0ull));

	CS_INIT(cs);
	ASSERT_EQ(0, cs_go(self->fd, &cs, &seq));
	EXPECT_EQ(-EINVAL, wait_cs(self->fd, self->ctx, gfx, 0, seq + 1));
	EXPECT_EQ(0, wait_cs(self->fd, self->ctx, gfx, 0, seq));
	EXPECT_EQ(0, wait_cs(self->fd, self->ctx, gfx, 0, ~0ull));
}

static int wait_fences(int fd, uint64_t fences, uint32_t count, uint32_t all)
{
	union drm_amdgpu_wait_fences args = { .in = {
		.fences = fences, .fence_count = count, .wait_all = all,
		.timeout_ns = ~0ull >> 1,
	} };

	return call(fd, DRM_IOCTL_AMDGPU_WAIT_FENCES, &args);
}

TEST_F(badargs, wait_fences)
{
	struct drm_amdgpu_fence fence[2] = {
		{ .ctx_id = self->ctx, .ip_type = AMDGPU_HW_IP_GFX },
		{ .ctx_id = self->ctx, .ip_type = AMDGPU_HW_IP_GFX },
	};
	unsigned int all, i;
	struct cs cs;

	CS_INIT(cs);
	ASSERT_EQ(0, cs_go(self->fd, &cs, &fence[0].seq_no));
	fence[1].seq_no = fence[0].seq_no;
	for (all = 0; all < 2; all++) {
		for_each_bad_pointer(i)
			EXPECT_EQ(-EFAULT, wait_fences(self->fd, bad_pointers[i], 2, all));
		EXPECT_GT(0, wait_fences(self->fd, (uintptr_t)fence, ~0u, all));
		fence[1].ctx_id = NO_HANDLE;
		EXPECT_EQ(-EINVAL, wait_fences(self->fd, (uintptr_t)fence, 2, all));
		fence[1].ctx_id = self->ctx;
		fence[1].ring = 9;
		EXPECT_EQ(-EINVAL, wait_fences(self->fd, (uintptr_t)fence, 2, all));
		fence[1].ring = 0;
		fence[1].seq_no++;
		EXPECT_EQ(-EINVAL, wait_fences(self->fd, (uintptr_t)fence, 2, all));
		fence[1].seq_no--;
		EXPECT_EQ(0, wait_fences(self->fd, (uintptr_t)fence, 2, all));
	}
}

TEST_F(badargs, fence_to_handle)
{
	union drm_amdgpu_fence_to_handle args = { };
	struct drm_amdgpu_fence fence = { .ctx_id = self->ctx, .ip_type = AMDGPU_HW_IP_GFX };
	unsigned int what;
	struct cs cs;

	CS_INIT(cs);
	ASSERT_EQ(0, cs_go(self->fd, &cs, &fence.seq_no));

	for (what = 0; what <= AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD; what++) {
		args.in.fence = fence;
		args.in.what = what;
		EXPECT_EQ(0, call(self->fd, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, &args));
		EXPECT_NE(0, args.out.handle);
		if (what != AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ)
			close(args.out.handle);
	}
	args.in.fence = fence;
	args.in.what = 99;
	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, &args));
	args.in.what = 0;
	args.in.fence.ctx_id = NO_HANDLE;
	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, &args));
	args.in.fence = fence;
	args.in.fence.seq_no++;
	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, &args));
	args.in.fence = fence;
	args.in.fence.ip_type = 50;
	EXPECT_EQ(-EINVAL, call(self->fd, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, &args));
}

/* -------------------------------------------------------------------- queries */

static int info(int fd, struct drm_amdgpu_info *args, void *out, uint32_t size)
{
	args->return_pointer = (uintptr_t)out;
	args->return_size = size;
	return call(fd, DRM_IOCTL_AMDGPU_INFO, args);
}

TEST_F(badargs, info)
{
	struct drm_amdgpu_info args = { .query = AMDGPU_INFO_DEV_INFO };
	uint32_t out[256];
	unsigned int i;

	EXPECT_EQ(-EINVAL, info(self->fd, &args, NULL, sizeof(out)));
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, 0));
	for_each_bad_pointer(i) {
		if (!bad_pointers[i])
			continue;
		args.query = AMDGPU_INFO_DEV_INFO;
		EXPECT_EQ(-EFAULT, info(self->fd, &args, (void *)(uintptr_t)bad_pointers[i], 64));
		args.query = AMDGPU_INFO_MEMORY;
		EXPECT_EQ(-EFAULT, info(self->fd, &args, (void *)(uintptr_t)bad_pointers[i], 64));
		args.query = AMDGPU_INFO_VRAM_USAGE;
		EXPECT_EQ(-EFAULT, info(self->fd, &args, (void *)(uintptr_t)bad_pointers[i], 8));
	}
	args.query = 0x7777;
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, sizeof(out)));
	args.query = ~0u;
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, sizeof(out)));

	args.query = AMDGPU_INFO_HW_IP_INFO;
	args.query_hw_ip.type = AMDGPU_HW_IP_NUM;
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, sizeof(out)));
	args.query_hw_ip.type = AMDGPU_HW_IP_GFX;
	args.query_hw_ip.ip_instance = AMDGPU_HW_IP_INSTANCE_MAX_COUNT;
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, sizeof(out)));
	args.query = AMDGPU_INFO_HW_IP_COUNT;
	args.query_hw_ip.type = 99;
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, sizeof(out)));

	memset(&args, 0, sizeof(args));
	args.query = AMDGPU_INFO_FW_VERSION;
	args.query_fw.fw_type = 0xff;
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, sizeof(out)));
	args.query_fw.fw_type = AMDGPU_INFO_FW_SDMA;
	args.query_fw.index = 5;
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, sizeof(out)));
	args.query_fw.index = 4;
	EXPECT_EQ(0, info(self->fd, &args, out, sizeof(out)));

	memset(&args, 0, sizeof(args));
	args.query = AMDGPU_INFO_READ_MMR_REG;
	args.read_mmr_reg.count = 129;
	args.read_mmr_reg.instance = ~0u;
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, sizeof(out)));
	/* Not one of those that all may read */
	args.read_mmr_reg.count = 1;
	EXPECT_EQ(-EFAULT, info(self->fd, &args, out, sizeof(out)));
	args.read_mmr_reg.dword_offset = ~0u;
	args.read_mmr_reg.count = 128;
	EXPECT_EQ(-EFAULT, info(self->fd, &args, out, sizeof(out)));
	args.read_mmr_reg.instance = 9 << AMDGPU_INFO_MMR_SE_INDEX_SHIFT;
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, sizeof(out)));

	memset(&args, 0, sizeof(args));
	args.query = AMDGPU_INFO_VBIOS;
	args.vbios_info.type = 99;
	EXPECT_EQ(-EINVAL, info(self->fd, &args, out, sizeof(out)));
	args.query = AMDGPU_INFO_SENSOR;
	args.sensor_info.type = 99;
	EXPECT_GT(0, info(self->fd, &args, out, sizeof(out)));

	/* As much as there is room for, and not a byte more */
	memset(&args, 0, sizeof(args));
	memset(out, 0xa5, sizeof(out));
	args.query = AMDGPU_INFO_DEV_INFO;
	EXPECT_EQ(0, info(self->fd, &args, out, 4));
	EXPECT_EQ(0x740c, out[0]);
	EXPECT_EQ(0xa5a5a5a5, out[1]);
	EXPECT_EQ(0, info(self->fd, &args, out, sizeof(out)));
	EXPECT_EQ(0xa5a5a5a5, out[(sizeof(struct drm_amdgpu_info_device) + 3) / 4]);
}

/* Random arguments to every ioctl: whatever comes back, the die works afterwards. */
TEST_F(badargs, noise)
{
	static const unsigned long requests[] = {
		DRM_IOCTL_AMDGPU_GEM_CREATE, DRM_IOCTL_AMDGPU_GEM_MMAP, DRM_IOCTL_AMDGPU_CTX,
		DRM_IOCTL_AMDGPU_BO_LIST, DRM_IOCTL_AMDGPU_CS, DRM_IOCTL_AMDGPU_INFO,
		DRM_IOCTL_AMDGPU_GEM_METADATA, DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE,
		DRM_IOCTL_AMDGPU_GEM_VA, DRM_IOCTL_AMDGPU_WAIT_CS, DRM_IOCTL_AMDGPU_GEM_OP,
		DRM_IOCTL_AMDGPU_WAIT_FENCES, DRM_IOCTL_AMDGPU_VM,
		DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, DRM_IOCTL_AMDGPU_SCHED,
	};
	uint32_t seed = 1, args[128], i, j;
	struct die other;
	struct cs cs;

	ASSERT_EQ(0, die_open_again(&self->die, &other));
	for (i = 0; i < 20000; i++) {
		unsigned long request = requests[i % ARRAY_SIZE(requests)];

		for (j = 0; j < 128; j++) {
			seed = seed * 1664525 + 1013904223;
			/* Small numbers and the structure's own address hit more than noise. */
			args[j] = seed & 0x10000 ? seed >> 24 :
				  seed & 0x20000 ? (seed >> 18) & 3 : seed;
			if (j && (seed >> 20) % 16 == 0) {
				args[j & ~1u] = (uint32_t)(uintptr_t)args;
				args[j | 1] = (uint64_t)(uintptr_t)args >> 32;
			}
		}
		/* Nobody can wait for ever: all that were submitted ends. */
		call(amdgpu_device_get_fd(other.dev), request, args);
	}
	die_close(&other);

	CS_INIT(cs);
	EXPECT_EQ(0, cs_go(self->fd, &cs, NULL));
	EXPECT_EQ(0, wait_cs(self->fd, self->ctx, AMDGPU_HW_IP_GFX, 0, ~0ull));
}

TEST_HARNESS_MAIN
