// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Waiting for submissions, by the numbers that AMDGPU_CS gave, and turning them
 * into what other drivers know. Documentation/submission.rst, "Waiting".
 */
#include <linux/file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sync_file.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_file.h>
#include <drm/drm_syncobj.h>
#include <drm/drm_utils.h>

#include "vgpu.h"
#include "vgpu_ctx.h"

/* Fences that one call may wait for */
#define VGPU_WAIT_MAX_FENCES	65536

/* Absolute, in the nanoseconds of the monotonic clock; the top bit is for ever. */
static unsigned long vgpu_sync_timeout(u64 ns)
{
	if ((s64)ns < 0)
		return MAX_SCHEDULE_TIMEOUT;
	return drm_timeout_abs_to_jiffies(ns);
}

/* A reference; NULL: signalled long ago; or an ERR_PTR. */
static struct dma_fence *vgpu_sync_get_fence(struct vgpu_fpriv *fpriv,
					     const struct drm_amdgpu_fence *user)
{
	struct vgpu_ctx_entity *entity;
	struct dma_fence *fence;
	struct vgpu_ctx *ctx;
	int ret;

	ctx = vgpu_ctx_get(fpriv, user->ctx_id);
	if (!ctx)
		return ERR_PTR(-EINVAL);
	ret = vgpu_ctx_get_entity(ctx, user->ip_type, user->ip_instance, user->ring, &entity);
	fence = ret ? ERR_PTR(ret) : vgpu_ctx_get_fence(ctx, entity, user->seq_no);
	vgpu_ctx_put(ctx);
	return fence;
}

/**
 * vgpu_cs_wait_ioctl() - AMDGPU_WAIT_CS: wait for a submission
 * @drm: the device
 * @data: union drm_amdgpu_wait_cs
 * @file: the file
 *
 * Return: 0 with a status of 1 when the time is over; -EINVAL for a bad context,
 * ring or number; -ERESTARTSYS; or the error of the job.
 */
int vgpu_cs_wait_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;
	union drm_amdgpu_wait_cs *args = data;
	const struct drm_amdgpu_fence user = {
		.ctx_id = args->in.ctx_id,
		.ip_type = args->in.ip_type,
		.ip_instance = args->in.ip_instance,
		.ring = args->in.ring,
		.seq_no = args->in.handle,
	};
	struct dma_fence *fence;
	long left = 1;

	fence = vgpu_sync_get_fence(fpriv, &user);
	if (IS_ERR(fence))
		return PTR_ERR(fence);
	if (fence) {
		left = dma_fence_wait_timeout(fence, true, vgpu_sync_timeout(args->in.timeout));
		vgpu_path_awake(fpriv->vdev, fence);
		if (left > 0 && fence->error)
			left = fence->error;
		dma_fence_put(fence);
	}
	if (left < 0)
		return left;

	memset(args, 0, sizeof(*args));
	args->out.status = !left;
	return 0;
}

/* Jiffies left, 0 when the time is over, or an error. */
static long vgpu_sync_wait_all(struct vgpu_fpriv *fpriv, const struct drm_amdgpu_fence *user,
			       u32 count, u64 timeout)
{
	long left = 1;
	u32 i;

	for (i = 0; i < count && left > 0; i++) {
		struct dma_fence *fence = vgpu_sync_get_fence(fpriv, &user[i]);

		if (IS_ERR(fence))
			return PTR_ERR(fence);
		if (!fence)
			continue;
		left = dma_fence_wait_timeout(fence, true, vgpu_sync_timeout(timeout));
		vgpu_path_awake(fpriv->vdev, fence);
		if (left > 0 && fence->error)
			left = fence->error;
		dma_fence_put(fence);
	}
	return left;
}

static long vgpu_sync_wait_any(struct vgpu_fpriv *fpriv, const struct drm_amdgpu_fence *user,
			       u32 count, u64 timeout, u32 *first)
{
	struct dma_fence **fences;
	long left = 0;
	u32 i, got;

	fences = kvcalloc(count, sizeof(*fences), GFP_KERNEL);
	if (!fences)
		return -ENOMEM;

	for (got = 0; got < count; got++) {
		fences[got] = vgpu_sync_get_fence(fpriv, &user[got]);
		if (IS_ERR(fences[got])) {
			left = PTR_ERR(fences[got]);
			goto out;
		}
		if (!fences[got]) {
			*first = got;
			left = 1;
			goto out;
		}
	}
	left = dma_fence_wait_any_timeout(fences, count, true, vgpu_sync_timeout(timeout), first);
	if (left > 0 && *first < count) {
		vgpu_path_awake(fpriv->vdev, fences[*first]);
		if (fences[*first]->error)
			left = fences[*first]->error;
	}
out:
	for (i = 0; i < got; i++)
		dma_fence_put(fences[i]);
	kvfree(fences);
	return left;
}

/**
 * vgpu_cs_wait_fences_ioctl() - AMDGPU_WAIT_FENCES: for all, or for any
 * @drm: the device
 * @data: union drm_amdgpu_wait_fences
 * @file: the file
 *
 * Return: 0 with a status of 0 when the time is over; -EINVAL for a bad fence,
 * none, or too many; -EFAULT; -ENOMEM; -ERESTARTSYS; or the error of a job.
 */
int vgpu_cs_wait_fences_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;
	union drm_amdgpu_wait_fences *args = data;
	u32 count = args->in.fence_count;
	struct drm_amdgpu_fence *user;
	u32 first = ~0u;
	long left;

	if (!count || count > VGPU_WAIT_MAX_FENCES)
		return -EINVAL;
	user = vmemdup_array_user(u64_to_user_ptr(args->in.fences), count, sizeof(*user));
	if (IS_ERR(user))
		return PTR_ERR(user);

	if (args->in.wait_all)
		left = vgpu_sync_wait_all(fpriv, user, count, args->in.timeout_ns);
	else
		left = vgpu_sync_wait_any(fpriv, user, count, args->in.timeout_ns, &first);
	kvfree(user);
	if (left < 0)
		return left;

	memset(args, 0, sizeof(*args));
	args->out.status = left > 0;
	if (left > 0)
		args->out.first_signaled = first;
	return 0;
}

static int vgpu_sync_file_fd(struct dma_fence *fence)
{
	struct sync_file *sync_file;
	int fd;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	sync_file = sync_file_create(fence);
	if (!sync_file) {
		put_unused_fd(fd);
		return -ENOMEM;
	}
	fd_install(fd, sync_file->file);
	return fd;
}

/**
 * vgpu_cs_fence_to_handle_ioctl() - AMDGPU_FENCE_TO_HANDLE
 * @drm: the device
 * @data: union drm_amdgpu_fence_to_handle
 * @file: the file
 *
 * A submission as a syncobj, a syncobj's descriptor or a sync file.
 * Return: 0; -EINVAL for a bad fence or kind; -ENOMEM; -EMFILE.
 */
int vgpu_cs_fence_to_handle_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;
	union drm_amdgpu_fence_to_handle *args = data;
	struct drm_syncobj *syncobj;
	struct dma_fence *fence;
	int ret;

	fence = vgpu_sync_get_fence(fpriv, &args->in.fence);
	if (IS_ERR(fence))
		return PTR_ERR(fence);
	if (!fence)
		fence = dma_fence_get_stub();

	switch (args->in.what) {
	case AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ:
	case AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD:
		ret = drm_syncobj_create(&syncobj, 0, fence);
		if (ret)
			break;
		if (args->in.what == AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ)
			ret = drm_syncobj_get_handle(file, syncobj, &args->out.handle);
		else
			ret = drm_syncobj_get_fd(syncobj, (int *)&args->out.handle);
		drm_syncobj_put(syncobj);
		break;
	case AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD:
		ret = vgpu_sync_file_fd(fence);
		if (ret >= 0) {
			args->out.handle = ret;
			ret = 0;
		}
		break;
	default:
		ret = -EINVAL;
	}
	dma_fence_put(fence);
	return ret;
}
