/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Shared by the selftests of /dev/kfd: the file, and a die whose address space it has
 * acquired. Documentation/queues.rst, "/dev/kfd".
 */
#ifndef VGPU_SELFTESTS_KFD_H
#define VGPU_SELFTESTS_KFD_H

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>

#include <linux/kfd_ioctl.h>

#include "lib/die.h"

#define KFD		"/dev/kfd"
#define NO_ID		0x12345u

static inline int call(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) ? -errno : 0;
}

/* Apertures of all dies. Return: how many there are, or a negative errno. */
static inline int kfd_dies(int kfd, struct kfd_process_device_apertures ap[DIE_MAX])
{
	struct kfd_ioctl_get_process_apertures_new_args args = {
		.num_of_nodes = DIE_MAX,
		.kfd_process_device_apertures_ptr = (uintptr_t)ap,
	};
	int ret = call(kfd, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &args);

	return ret ? ret : (int)args.num_of_nodes;
}

/* The node of a die is the one that accepts its render node; -EBUSY: it has another already. */
static inline int kfd_acquire(int kfd, int drm_fd, uint32_t *gpu_id)
{
	struct kfd_ioctl_acquire_vm_args args = { .drm_fd = drm_fd };
	struct kfd_process_device_apertures ap[DIE_MAX];
	int i, num = kfd_dies(kfd, ap), ret = -EINVAL;

	for (i = 0; i < num && (ret == -EINVAL || ret == -EBUSY); i++) {
		args.gpu_id = ap[i].gpu_id;
		ret = call(kfd, AMDKFD_IOC_ACQUIRE_VM, &args);
	}
	*gpu_id = args.gpu_id;
	return num < 0 ? num : ret;
}

#endif
