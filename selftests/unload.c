// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What keeps the module from being unloaded: files, mappings, shared buffers;
 * and fences, which other drivers may hold when all of these are gone.
 * Documentation/architecture.rst, "The life of a die".
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "emit.h"
#include "harness.h"
#include "lib/die.h"

static int unload(void)
{
	return syscall(SYS_delete_module, "vgpu", O_NONBLOCK) ? -errno : 0;
}

FIXTURE(unload)
{
	struct die die;
	struct buf buf;
};

FIXTURE_SETUP(unload)
{
	if (getuid())
		SKIP(return, "needs root");
	ASSERT_EQ(0, die_open(0, &self->die));
	ASSERT_EQ(0, buf_alloc(&self->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &self->buf));
}

FIXTURE_TEARDOWN(unload)
{
	/* Whatever happened, the next test finds the driver loaded. */
	EXPECT_EQ(0, system("modprobe vgpu"));
}

TEST_F(unload, refused_by_a_file)
{
	EXPECT_EQ(-EWOULDBLOCK, unload());
	buf_free(&self->buf);
	EXPECT_EQ(-EWOULDBLOCK, unload());
	die_close(&self->die);
	EXPECT_EQ(0, unload());
}

TEST_F(unload, refused_by_a_mapping)
{
	union drm_amdgpu_gem_mmap args = { };
	int fd = amdgpu_device_get_fd(self->die.dev);
	volatile uint32_t *p;

	amdgpu_bo_export(self->buf.bo, amdgpu_bo_handle_type_kms, &args.in.handle);
	ASSERT_EQ(0, ioctl(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &args));
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, args.out.addr_ptr);
	ASSERT_NE(MAP_FAILED, p);
	buf_free(&self->buf);
	die_close(&self->die);
	EXPECT_EQ(-EWOULDBLOCK, unload());
	p[0] = 1;
	EXPECT_EQ(1, p[0]);
	munmap((void *)p, 4096);
	EXPECT_EQ(0, unload());
}

TEST_F(unload, refused_by_a_shared_buffer)
{
	uint32_t fd;

	ASSERT_EQ(0, amdgpu_bo_export(self->buf.bo, amdgpu_bo_handle_type_dma_buf_fd, &fd));
	buf_free(&self->buf);
	die_close(&self->die);
	EXPECT_EQ(-EWOULDBLOCK, unload());
	close(fd);
	EXPECT_EQ(0, unload());
}

static void *unload_in_thread(void *ret)
{
	*(int *)ret = unload();
	return NULL;
}

/*
 * A sync file knows nothing of drivers, but the fence in it must stay good:
 * unloading waits for its end.
 */
TEST_F(unload, fence_is_good_as_long_as_it_is_held)
{
	struct amdgpu_cs_fence fence = { .ip_type = AMDGPU_HW_IP_GFX };
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &self->buf };
	struct ibw w = { .dw = self->buf.cpu };
	struct pollfd pfd = { .events = POLLIN };
	pthread_t thread;
	int ret = -1;
	uint32_t fd;

	pm4_write(&w, self->buf.va + 2048, 1);
	sub.ndw = w.n;
	ASSERT_EQ(0, sub_run(&self->die, &sub));
	fence.context = self->die.ctx;
	fence.fence = sub.seq;
	ASSERT_EQ(0, amdgpu_cs_fence_to_handle(self->die.dev, &fence,
					       AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD, &fd));
	buf_free(&self->buf);
	die_close(&self->die);

	ASSERT_EQ(0, pthread_create(&thread, NULL, unload_in_thread, &ret));
	/* The dies are gone: the rest of the module waits. */
	while (!access("/sys/bus/pci/drivers/vgpu", F_OK))
		poll(NULL, 0, 1);
	pfd.fd = fd;
	EXPECT_EQ(1, poll(&pfd, 1, 0));
	EXPECT_EQ(POLLIN, pfd.revents);
	close(fd);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(0, ret);
}

TEST_HARNESS_MAIN
