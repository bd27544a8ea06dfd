/* SPDX-License-Identifier: MIT */
/*
 * User-space interface of the vgpu driver: the amdgpu ioctls of <drm/amdgpu_drm.h>, numbers and
 * structures unchanged, so that libdrm_amdgpu is the user library.  See Documentation/driver.rst.
 */
#ifndef _UAPI_VGPU_DRM_H
#define _UAPI_VGPU_DRM_H

#include <drm/amdgpu_drm.h>

/*
 * Implemented, with the errors that amdgpu returns for bad arguments:
 *
 *   INFO		all queries; sensors, RAS and video have no answer
 *   GEM_CREATE		VRAM and GTT; GDS, GWS and OA are refused
 *   GEM_USERPTR	pages are looked at by every job; nothing is pinned
 *   GEM_MMAP, GEM_WAIT_IDLE, GEM_METADATA, GEM_OP
 *   GEM_VA		map, unmap, replace, clear
 *   CTX, BO_LIST
 *   CS			chunks IB, FENCE, BO_HANDLES, DEPENDENCIES, SCHEDULED_DEPENDENCIES,
 *			SYNCOBJ_IN, SYNCOBJ_OUT, SYNCOBJ_TIMELINE_WAIT, SYNCOBJ_TIMELINE_SIGNAL
 *   WAIT_CS, WAIT_FENCES, FENCE_TO_HANDLE
 *   VM			reserve and unreserve a VMID
 *   SCHED
 *
 * An ioctl of amdgpu that is missing here returns what an unknown ioctl returns.
 */

/* Private ioctls of vgpu start here, counted from DRM_COMMAND_BASE; amdgpu ends well before */
#define DRM_VGPU_IOCTL_BASE		0x40

#endif /* _UAPI_VGPU_DRM_H */
