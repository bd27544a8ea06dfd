/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Buffers that go from one die, or one file, to another by dma-buf.
 */
#ifndef VGPU_SELFTESTS_SHARED_H
#define VGPU_SELFTESTS_SHARED_H

#include <string.h>
#include <sys/ioctl.h>

#include "lib/die.h"

/* Return: a descriptor, or a negative errno. */
static inline int buf_export(struct buf *buf)
{
	uint32_t fd;
	int ret = amdgpu_bo_export(buf->bo, amdgpu_bo_handle_type_dma_buf_fd, &fd);

	return ret ? ret : (int)fd;
}

/* A descriptor as a buffer with an address; it has no mapping for the CPU. */
static inline int buf_import(struct die *die, int fd, struct buf *buf)
{
	struct amdgpu_bo_import_result res;
	int ret;

	memset(buf, 0, sizeof(*buf));
	ret = amdgpu_bo_import(die->dev, amdgpu_bo_handle_type_dma_buf_fd, fd, &res);
	if (ret)
		return ret;
	buf->bo = res.buf_handle;
	buf->size = res.alloc_size;
	ret = amdgpu_va_range_alloc(die->dev, amdgpu_gpu_va_range_general, buf->size, 0, 0,
				    &buf->va, &buf->va_handle, 0);
	if (!ret)
		ret = amdgpu_bo_va_op(buf->bo, 0, buf->size, buf->va, 0, AMDGPU_VA_OP_MAP);
	return ret;
}

static inline void buf_forget(struct buf *buf)
{
	if (!buf->bo)
		return;
	amdgpu_bo_va_op(buf->bo, 0, buf->size, buf->va, 0, AMDGPU_VA_OP_UNMAP);
	amdgpu_va_range_free(buf->va_handle);
	amdgpu_bo_free(buf->bo);
	memset(buf, 0, sizeof(*buf));
}

/* Where it shall be from its next job on: AMDGPU_GEM_DOMAIN_* */
static inline int buf_place(struct die *die, struct buf *buf, uint32_t domain)
{
	struct drm_amdgpu_gem_op op = { .op = AMDGPU_GEM_OP_SET_PLACEMENT, .value = domain };
	int ret = amdgpu_bo_export(buf->bo, amdgpu_bo_handle_type_kms, &op.handle);

	if (ret)
		return ret;
	return ioctl(amdgpu_device_get_fd(die->dev), DRM_IOCTL_AMDGPU_GEM_OP, &op) ? -1 : 0;
}

#endif
