/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * BO lists: the buffers a submission names, made once and used by many.
 * Documentation/submission.rst, "Buffer lists".
 */
#ifndef _VGPU_BO_LIST_H_
#define _VGPU_BO_LIST_H_

#include <linux/kref.h>

#include <drm/amdgpu_drm.h>

struct drm_file;
struct vgpu_bo;
struct vgpu_fpriv;

/**
 * struct vgpu_bo_list - never changes once it is made
 * @ref: handle, submissions that use it
 * @count: of @bos
 * @bos: the buffers, referenced; the same one may be there twice
 */
struct vgpu_bo_list {
	struct kref ref;
	u32 count;
	struct vgpu_bo *bos[] __counted_by(count);
};

struct vgpu_bo_list *vgpu_bo_list_create(struct drm_file *file,
					 const struct drm_amdgpu_bo_list_in *in);
struct vgpu_bo_list *vgpu_bo_list_get(struct vgpu_fpriv *fpriv, u32 id);
void vgpu_bo_list_put(struct vgpu_bo_list *list);
void vgpu_bo_list_fini_file(struct vgpu_fpriv *fpriv);

#endif
