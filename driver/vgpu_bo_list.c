// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * BO lists: the buffers a submission names, made once and used by many.
 * Documentation/submission.rst, "Buffer lists".
 */
#include <linux/slab.h>
#include <linux/string.h>

#include <drm/drm_file.h>
#include <drm/drm_gem.h>

#include "vgpu.h"
#include "vgpu_bo_list.h"
#include "vgpu_userptr.h"

#define VGPU_BO_LIST_MAX	(128 * 1024)

static void vgpu_bo_list_release(struct kref *ref)
{
	struct vgpu_bo_list *list = container_of(ref, struct vgpu_bo_list, ref);
	u32 i;

	for (i = 0; i < list->count; i++)
		vgpu_bo_put(list->bos[i]);
	kvfree(list);
}

/**
 * vgpu_bo_list_put() - drop a reference
 * @list: the list, or NULL
 */
void vgpu_bo_list_put(struct vgpu_bo_list *list)
{
	if (list)
		kref_put(&list->ref, vgpu_bo_list_release);
}

/**
 * vgpu_bo_list_get() - the list with handle @id
 * @fpriv: whose
 * @id: the handle
 *
 * Return: a reference, or ERR_PTR(-ENOENT).
 */
struct vgpu_bo_list *vgpu_bo_list_get(struct vgpu_fpriv *fpriv, u32 id)
{
	struct vgpu_bo_list *list;

	mutex_lock(&fpriv->bo_list_lock);
	list = idr_find(&fpriv->bo_lists, id);
	if (list)
		kref_get(&list->ref);
	mutex_unlock(&fpriv->bo_list_lock);
	return list ?: ERR_PTR(-ENOENT);
}

/* The entries as we know them, whatever size those of user space have. */
static struct drm_amdgpu_bo_list_entry *
vgpu_bo_list_copy(const struct drm_amdgpu_bo_list_in *in)
{
	const u32 size = sizeof(struct drm_amdgpu_bo_list_entry);
	const void __user *user = u64_to_user_ptr(in->bo_info_ptr);
	struct drm_amdgpu_bo_list_entry *info;
	u32 bytes = min(in->bo_info_size, size);
	u32 i;

	if (in->bo_number > VGPU_BO_LIST_MAX)
		return ERR_PTR(-EINVAL);
	if (in->bo_info_size == size)
		return vmemdup_array_user(user, in->bo_number, size);

	info = kvcalloc(in->bo_number, size, GFP_KERNEL_ACCOUNT);
	if (!info)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < in->bo_number; i++, user += in->bo_info_size) {
		if (copy_from_user(&info[i], user, bytes)) {
			kvfree(info);
			return ERR_PTR(-EFAULT);
		}
	}
	return info;
}

/**
 * vgpu_bo_list_create() - a list from the description in user space
 * @file: the file that has the handles
 * @in: the description
 *
 * Return: the list, or ERR_PTR(-EINVAL) for too many, -ENOENT for a bad handle,
 * -EPERM for memory of another process, -EFAULT, -ENOMEM.
 */
struct vgpu_bo_list *vgpu_bo_list_create(struct drm_file *file,
					 const struct drm_amdgpu_bo_list_in *in)
{
	struct drm_amdgpu_bo_list_entry *info;
	struct vgpu_bo_list *list;
	u32 i;

	info = vgpu_bo_list_copy(in);
	if (IS_ERR(info))
		return ERR_CAST(info);

	list = kvzalloc(struct_size(list, bos, in->bo_number), GFP_KERNEL_ACCOUNT);
	if (!list) {
		kvfree(info);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&list->ref);
	for (i = 0; i < in->bo_number; i++) {
		struct drm_gem_object *obj = drm_gem_object_lookup(file, info[i].bo_handle);

		if (!obj) {
			vgpu_bo_list_put(list);
			kvfree(info);
			return ERR_PTR(-ENOENT);
		}
		list->count = i + 1;
		list->bos[i] = to_vgpu_bo(obj);
		if (vgpu_userptr_foreign(list->bos[i])) {
			vgpu_bo_list_put(list);
			kvfree(info);
			return ERR_PTR(-EPERM);
		}
	}
	kvfree(info);
	return list;
}

/**
 * vgpu_bo_list_fini_file() - drop the lists of a file
 * @fpriv: the file, which nobody uses any more
 */
void vgpu_bo_list_fini_file(struct vgpu_fpriv *fpriv)
{
	struct vgpu_bo_list *list;
	int id;

	idr_for_each_entry(&fpriv->bo_lists, list, id)
		vgpu_bo_list_put(list);
}

/**
 * vgpu_bo_list_ioctl() - AMDGPU_BO_LIST: create, destroy, replace
 * @drm: the device
 * @data: union drm_amdgpu_bo_list
 * @file: the file
 *
 * Return: 0; -EINVAL for a bad operation or too many entries; -ENOENT for a bad
 * handle; -EFAULT; -ENOMEM. To destroy what is not there is no error.
 */
int vgpu_bo_list_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;
	union drm_amdgpu_bo_list *args = data;
	u32 handle = args->in.list_handle;
	struct vgpu_bo_list *list = NULL, *old = NULL;
	int ret = 0;

	switch (args->in.operation) {
	case AMDGPU_BO_LIST_OP_CREATE:
	case AMDGPU_BO_LIST_OP_UPDATE:
		list = vgpu_bo_list_create(file, &args->in);
		if (IS_ERR(list))
			return PTR_ERR(list);
		break;
	case AMDGPU_BO_LIST_OP_DESTROY:
		break;
	default:
		return -EINVAL;
	}

	mutex_lock(&fpriv->bo_list_lock);
	switch (args->in.operation) {
	case AMDGPU_BO_LIST_OP_CREATE:
		ret = idr_alloc(&fpriv->bo_lists, list, 1, 0, GFP_KERNEL_ACCOUNT);
		handle = ret;
		break;
	case AMDGPU_BO_LIST_OP_DESTROY:
		old = idr_remove(&fpriv->bo_lists, handle);
		handle = 0;
		break;
	case AMDGPU_BO_LIST_OP_UPDATE:
		old = idr_replace(&fpriv->bo_lists, list, handle);
		if (IS_ERR(old)) {
			ret = PTR_ERR(old);
			old = NULL;
		}
		break;
	}
	mutex_unlock(&fpriv->bo_list_lock);

	vgpu_bo_list_put(old);
	if (ret < 0) {
		vgpu_bo_list_put(list);
		return ret;
	}
	memset(args, 0, sizeof(*args));
	args->out.list_handle = handle;
	return 0;
}
