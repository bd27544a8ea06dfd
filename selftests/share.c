// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Buffers shared by dma-buf: between files of a die, between dies, and with a
 * driver of another kind. Documentation/memory.rst, "Buffers".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/udmabuf.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"
#include "shared.h"

#define SIZE	(64u << 10)

FIXTURE(share)
{
	struct die die;
	struct buf ib;
};

FIXTURE_SETUP(share)
{
	ASSERT_EQ(0, die_open(0, &self->die));
	ASSERT_EQ(0, buf_alloc(&self->die, 16384, AMDGPU_GEM_DOMAIN_GTT, &self->ib));
}

FIXTURE_TEARDOWN(share)
{
	if (!self->die.dev)
		return;
	buf_free(&self->ib);
	die_close(&self->die);
}

/* The engine of @die copies word 0 of @buf to word 1 and writes @value to word 0. */
static int use(struct die *die, struct buf *ib, struct buf *buf, unsigned int ip, uint32_t value)
{
	struct buf *bufs[] = { buf, NULL };
	struct sub sub = { .ip = ip, .ib = ib, .bufs = bufs };
	struct ibw w = { .dw = ib->cpu };

	if (ip == AMDGPU_HW_IP_GFX) {
		pm4_copy_mem(&w, buf->va, buf->va + 4);
		pm4_write(&w, buf->va, value);
	} else {
		sdma_copy(&w, buf->va, buf->va + 4, 4);
		sdma_write(&w, buf->va, value);
	}
	sub.ndw = w.n;
	return sub_run(die, &sub);
}

static void share_between(struct __test_metadata *_metadata, struct die *die, struct buf *ib,
			  struct die *other, uint32_t domain)
{
	struct buf mine, theirs, other_ib;
	int fd;

	ASSERT_EQ(0, buf_alloc(die, SIZE, domain, &mine));
	ASSERT_EQ(0, buf_alloc(other, 4096, AMDGPU_GEM_DOMAIN_GTT, &other_ib));
	fd = buf_export(&mine);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, buf_import(other, fd, &theirs));
	EXPECT_EQ(SIZE, theirs.size);

	buf_set(&mine, 0, 0x1111);
	EXPECT_EQ(0, use(other, &other_ib, &theirs, AMDGPU_HW_IP_GFX, 0x2222));
	EXPECT_EQ(0x2222, buf_get(&mine, 0));
	EXPECT_EQ(0x1111, buf_get(&mine, 1));
	EXPECT_EQ(0, use(die, ib, &mine, AMDGPU_HW_IP_DMA, 0x3333));
	EXPECT_EQ(0, use(other, &other_ib, &theirs, AMDGPU_HW_IP_DMA, 0x4444));
	EXPECT_EQ(0x4444, buf_get(&mine, 0));
	EXPECT_EQ(0x3333, buf_get(&mine, 1));

	/* It lives as long as anybody has it. */
	buf_free(&mine);
	close(fd);
	EXPECT_EQ(0, use(other, &other_ib, &theirs, AMDGPU_HW_IP_DMA, 0x5555));
	buf_forget(&theirs);
	buf_free(&other_ib);
}

TEST_F(share, between_files)
{
	static const uint32_t domain[] = { AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_DOMAIN_GTT };
	struct die other;
	unsigned int i;

	ASSERT_EQ(0, die_open_again(&self->die, &other));
	for (i = 0; i < ARRAY_SIZE(domain); i++)
		share_between(_metadata, &self->die, &self->ib, &other, domain[i]);
	die_close(&other);
}

TEST_F(share, between_dies)
{
	static const uint32_t domain[] = { AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_DOMAIN_GTT };
	struct die other;
	unsigned int i;
	int ret = die_open(1, &other);

	if (ret == -ENOENT)
		SKIP(return, "one die");
	ASSERT_EQ(0, ret);
	for (i = 0; i < ARRAY_SIZE(domain); i++)
		share_between(_metadata, &self->die, &self->ib, &other, domain[i]);
	die_close(&other);
}

/* Memory of a file, made a dma-buf by a driver that knows no GPU */
static int make_udmabuf(uint32_t **cpu)
{
	struct udmabuf_create create = { .size = SIZE, .flags = UDMABUF_FLAGS_CLOEXEC };
	int dev, file, fd = -1;

	dev = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	if (dev < 0)
		return -errno;
	file = memfd_create("share", MFD_ALLOW_SEALING | MFD_CLOEXEC);
	if (file >= 0 && !ftruncate(file, SIZE) && !fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK)) {
		*cpu = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		create.memfd = file;
		fd = ioctl(dev, UDMABUF_CREATE, &create);
	}
	close(file);
	close(dev);
	return fd < 0 || *cpu == MAP_FAILED ? -EIO : fd;
}

TEST_F(share, with_another_driver)
{
	struct drm_amdgpu_gem_op op = { };
	uint32_t *cpu = NULL;
	struct buf buf;
	int fd = make_udmabuf(&cpu);

	if (fd == -ENOENT)
		SKIP(return, "no /dev/udmabuf");
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, buf_import(&self->die, fd, &buf));
	cpu[0] = 0x1111;
	EXPECT_EQ(0, use(&self->die, &self->ib, &buf, AMDGPU_HW_IP_GFX, 0x2222));
	EXPECT_EQ(0x2222, cpu[0]);
	EXPECT_EQ(0x1111, cpu[1]);
	EXPECT_EQ(0, use(&self->die, &self->ib, &buf, AMDGPU_HW_IP_DMA, 0x3333));
	EXPECT_EQ(0x3333, cpu[0]);
	EXPECT_EQ(0x2222, cpu[1]);

	/* It is where it is: not for VRAM. */
	amdgpu_bo_export(buf.bo, amdgpu_bo_handle_type_kms, &op.handle);
	op.op = AMDGPU_GEM_OP_SET_PLACEMENT;
	op.value = AMDGPU_GEM_DOMAIN_VRAM;
	EXPECT_EQ(-1, ioctl(amdgpu_device_get_fd(self->die.dev), DRM_IOCTL_AMDGPU_GEM_OP, &op));
	EXPECT_EQ(EINVAL, errno);
	buf_forget(&buf);
	close(fd);
	munmap(cpu, SIZE);
}

/* The same buffer by two ways into a file is the same handle. */
TEST_F(share, comes_home)
{
	struct buf mine, again;
	uint32_t a = 0, b = 0;
	int fd;

	ASSERT_EQ(0, buf_alloc(&self->die, SIZE, AMDGPU_GEM_DOMAIN_VRAM, &mine));
	fd = buf_export(&mine);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, buf_import(&self->die, fd, &again));
	amdgpu_bo_export(mine.bo, amdgpu_bo_handle_type_kms, &a);
	amdgpu_bo_export(again.bo, amdgpu_bo_handle_type_kms, &b);
	EXPECT_EQ(a, b);
	buf_forget(&again);
	EXPECT_EQ(0, use(&self->die, &self->ib, &mine, AMDGPU_HW_IP_GFX, 1));
	close(fd);
	buf_free(&mine);
}

/* The CPU maps the descriptor itself, whoever it came from. */
TEST_F(share, mapped_by_descriptor)
{
	static const uint32_t domain[] = { AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_DOMAIN_GTT };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(domain); i++) {
		struct buf mine;
		uint32_t *cpu;
		int fd;

		ASSERT_EQ(0, buf_alloc(&self->die, SIZE, domain[i], &mine));
		fd = buf_export(&mine);
		ASSERT_LE(0, fd);
		cpu = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
		ASSERT_NE(MAP_FAILED, cpu);
		buf_set(&mine, 5, 0x5555);
		EXPECT_EQ(0x5555, cpu[5]);
		EXPECT_EQ(0, use(&self->die, &self->ib, &mine, AMDGPU_HW_IP_GFX, 0x77));
		EXPECT_EQ(0x77, cpu[0]);
		munmap(cpu, SIZE);
		close(fd);
		buf_free(&mine);
	}
}

/* A buffer that belongs to one address space cannot be given away. */
TEST_F(share, private_ones_are_not_shared)
{
	struct amdgpu_bo_alloc_request req = {
		.alloc_size = SIZE, .preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
		.flags = AMDGPU_GEM_CREATE_VM_ALWAYS_VALID,
	};
	amdgpu_bo_handle bo;
	uint32_t fd;

	ASSERT_EQ(0, amdgpu_bo_alloc(self->die.dev, &req, &bo));
	EXPECT_EQ(-EPERM, amdgpu_bo_export(bo, amdgpu_bo_handle_type_dma_buf_fd, &fd));
	amdgpu_bo_free(bo);
}

TEST_HARNESS_MAIN
