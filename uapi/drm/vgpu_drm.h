/* SPDX-License-Identifier: MIT */
/*
 * User-space interface of the vgpu driver: the amdgpu ioctls of <drm/amdgpu_drm.h>, numbers and
 * structures unchanged, so that libdrm_amdgpu is the user library.  See Documentation/driver.rst.
 */
#ifndef _UAPI_VGPU_DRM_H
#define _UAPI_VGPU_DRM_H

#include <drm/amdgpu_drm.h>

/*
 * Implemented: DRM_AMDGPU_INFO, GEM_CREATE, GEM_MMAP, GEM_VA, CTX, CS (IB and fence chunks) and
 * WAIT_CS.  An ioctl of amdgpu that is missing here returns what an unknown ioctl returns.
 */

/* Private ioctls of vgpu start here, counted from DRM_COMMAND_BASE; amdgpu ends well before */
#define DRM_VGPU_IOCTL_BASE		0x40

#endif /* _UAPI_VGPU_DRM_H */
