/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Buffers that go from one die, or one file, to another by dma-buf.
 */
#ifndef VGPU_SELFTESTS_SHARED_H
#define VGPU_SELFTESTS_SHARED_H

#include <string.h>
#include <sys/ioctl.h>

#include "lib/die.h"

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
