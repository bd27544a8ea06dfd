// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Sharing buffers by dma-buf. Between dies of a hive a buffer stays where it is: the
 * importer maps its VRAM by the global address, and is told when it moves. To
 * everybody else it is system memory. Documentation/memory.rst, "Sharing".
 */
#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_prime.h>

#include "vgpu.h"

/* What a job of a peer may take that reaches the memory of a die that goes away. */
#define VGPU_PEER_TIMEOUT	(30 * HZ)

/*
 * The exporter. The reservation is held in all of these but the last.
 */

static int vgpu_dmabuf_pin(struct dma_buf_attachment *attach)
{
	struct drm_gem_object *obj = attach->dmabuf->priv;

	return vgpu_bo_pin_gtt(to_vgpu_bo(obj));
}

static void vgpu_dmabuf_unpin(struct dma_buf_attachment *attach)
{
	struct drm_gem_object *obj = attach->dmabuf->priv;

	ttm_bo_unpin(&to_vgpu_bo(obj)->tbo);
}

/* Of system memory: a peer that finds the buffer in VRAM does not ask. */
static struct sg_table *vgpu_dmabuf_map(struct dma_buf_attachment *attach,
					enum dma_data_direction dir)
{
	struct drm_gem_object *obj = attach->dmabuf->priv;
	struct vgpu_bo *bo = to_vgpu_bo(obj);
	struct sg_table *sgt;
	int ret;

	ret = vgpu_bo_move_gtt(bo);
	/* Whoever maps it hears nothing of a move that fails later. */
	if (!ret)
		ret = vgpu_bo_wait_move(bo, false);
	if (ret)
		return ERR_PTR(ret);
	sgt = drm_prime_pages_to_sg(obj->dev, bo->tbo.ttm->pages, bo->tbo.ttm->num_pages);
	if (IS_ERR(sgt))
		return sgt;
	ret = dma_map_sgtable(attach->dev, sgt, dir, DMA_ATTR_SKIP_CPU_SYNC);
	if (ret) {
		sg_free_table(sgt);
		kfree(sgt);
		return ERR_PTR(ret);
	}
	return sgt;
}

static void vgpu_dmabuf_unmap(struct dma_buf_attachment *attach, struct sg_table *sgt,
			      enum dma_data_direction dir)
{
	dma_unmap_sgtable(attach->dev, sgt, dir, DMA_ATTR_SKIP_CPU_SYNC);
	sg_free_table(sgt);
	kfree(sgt);
}

static void vgpu_dmabuf_release(struct dma_buf *dmabuf)
{
	struct drm_gem_object *obj = dmabuf->priv;

	dma_resv_lock(obj->resv, NULL);
	to_vgpu_bo(obj)->dmabuf = NULL;
	dma_resv_unlock(obj->resv);
	drm_gem_dmabuf_release(dmabuf);
}

static const struct dma_buf_ops vgpu_dmabuf_ops = {
	.pin = vgpu_dmabuf_pin,
	.unpin = vgpu_dmabuf_unpin,
	.map_dma_buf = vgpu_dmabuf_map,
	.unmap_dma_buf = vgpu_dmabuf_unmap,
	.release = vgpu_dmabuf_release,
	.mmap = drm_gem_dmabuf_mmap,
	.vmap = drm_gem_dmabuf_vmap,
	.vunmap = drm_gem_dmabuf_vunmap,
};

/**
 * vgpu_gem_export() - make a dma-buf of a buffer
 * @obj: the buffer
 * @flags: of the file
 *
 * Return: the dma-buf, or ERR_PTR(-EPERM): the buffer is one address space's alone.
 */
struct dma_buf *vgpu_gem_export(struct drm_gem_object *obj, int flags)
{
	struct vgpu_bo *bo = to_vgpu_bo(obj);
	struct dma_buf *dmabuf;

	/*
	 * The first shares the reservation of its address space, which is nobody
	 * else's; the memory of the second is the process' and not ours to give.
	 */
	if (bo->flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID || bo->userptr)
		return ERR_PTR(-EPERM);
	dmabuf = drm_gem_prime_export(obj, flags);
	if (IS_ERR(dmabuf))
		return dmabuf;
	dmabuf->ops = &vgpu_dmabuf_ops;

	dma_resv_lock(obj->resv, NULL);
	bo->dmabuf = dmabuf;
	dma_resv_unlock(obj->resv);
	return dmabuf;
}

struct vgpu_bo *vgpu_dmabuf_bo(struct dma_buf *dmabuf)
{
	return dmabuf->ops == &vgpu_dmabuf_ops ? to_vgpu_bo(dmabuf->priv) : NULL;
}

/**
 * vgpu_dmabuf_moved() - a buffer moves: tell who has mapped it
 * @bo: the buffer, reserved
 */
void vgpu_dmabuf_moved(struct vgpu_bo *bo)
{
	if (bo->dmabuf)
		dma_buf_move_notify(bo->dmabuf);
}

/*
 * The importer that is a peer
 */

/*
 * The buffer leaves its place; its reservation, which is ours too, is held. What was
 * mapped of system memory is given back, and the page tables follow before the next
 * job.
 */
static void vgpu_peer_move_notify(struct dma_buf_attachment *attach)
{
	struct ttm_operation_ctx ctx = { .interruptible = false };
	struct vgpu_bo *bo = attach->importer_priv;
	struct ttm_placement none = {};

	vgpu_vm_bo_moved(bo, true);
	if (!bo->tbo.ttm || !ttm_tt_is_populated(bo->tbo.ttm))
		return;
	dma_resv_wait_timeout(bo->tbo.base.resv, DMA_RESV_USAGE_BOOKKEEP, false,
			      MAX_SCHEDULE_TIMEOUT);
	if (ttm_bo_validate(&bo->tbo, &none, &ctx))
		drm_err(bo->tbo.base.dev, "mapping of a shared buffer is not given back\n");
}

static const struct dma_buf_attach_ops vgpu_peer_attach_ops = {
	.allow_peer2peer = true,
	.move_notify = vgpu_peer_move_notify,
};

static struct drm_gem_object *vgpu_peer_import(struct vgpu_device *vdev, struct dma_buf *dmabuf)
{
	struct vgpu_bo *peer = to_vgpu_bo(dmabuf->priv);
	struct vgpu_device *owner = to_vgpu(peer->tbo.base.dev);
	struct dma_buf_attachment *attach;
	struct vgpu_bo *bo;

	bo = vgpu_bo_create_sg(vdev, dmabuf->size, NULL, dmabuf);
	if (IS_ERR(bo))
		return ERR_CAST(bo);
	attach = dma_buf_dynamic_attach(dmabuf, vdev->drm.dev, &vgpu_peer_attach_ops, bo);
	if (IS_ERR(attach)) {
		vgpu_bo_put(bo);
		return ERR_CAST(attach);
	}
	get_dma_buf(dmabuf);
	bo->tbo.base.import_attach = attach;
	bo->peer = peer;

	mutex_lock(&owner->xgmi.imports_lock);
	list_add_tail(&bo->peer_node, &owner->xgmi.imports);
	mutex_unlock(&owner->xgmi.imports_lock);
	return &bo->tbo.base;
}

/**
 * vgpu_gem_import() - make a buffer of a dma-buf
 * @drm: our device
 * @dmabuf: what to import
 *
 * Return: the GEM object or an ERR_PTR().
 */
struct drm_gem_object *vgpu_gem_import(struct drm_device *drm, struct dma_buf *dmabuf)
{
	struct drm_gem_object *obj = dmabuf->priv;

	if (dmabuf->ops == &vgpu_dmabuf_ops) {
		if (obj->dev == drm) {
			drm_gem_object_get(obj);
			return obj;
		}
		if (vgpu_hive_peers(to_vgpu(drm), to_vgpu(obj->dev)))
			return vgpu_peer_import(to_vgpu(drm), dmabuf);
	}
	return drm_gem_prime_import(drm, dmabuf);
}

/**
 * vgpu_gem_import_sg_table() - a buffer of another driver becomes one of ours
 * @drm: our device
 * @attach: our attachment to it
 * @sgt: its memory, mapped for our device
 *
 * Return: the GEM object or an ERR_PTR().
 */
struct drm_gem_object *vgpu_gem_import_sg_table(struct drm_device *drm,
						struct dma_buf_attachment *attach,
						struct sg_table *sgt)
{
	struct vgpu_bo *bo;

	bo = vgpu_bo_create_sg(to_vgpu(drm), attach->dmabuf->size, sgt, attach->dmabuf);
	return IS_ERR(bo) ? ERR_CAST(bo) : &bo->tbo.base;
}

/**
 * vgpu_peer_forget() - an importing buffer goes
 * @bo: the buffer; one that stands for itself is left alone
 */
void vgpu_peer_forget(struct vgpu_bo *bo)
{
	struct vgpu_device *owner;

	if (!bo->peer)
		return;
	owner = to_vgpu(bo->peer->tbo.base.dev);
	mutex_lock(&owner->xgmi.imports_lock);
	list_del(&bo->peer_node);
	mutex_unlock(&owner->xgmi.imports_lock);
}

/**
 * vgpu_peer_map() - map the system memory of a peer's buffer
 * @obj: buffer that stands for it, reserved
 *
 * Not by dma_buf_map_attachment(): kernels without CONFIG_DMABUF_MOVE_NOTIFY pin
 * what that maps, and the buffer would never come back to VRAM. May sleep, and moves
 * the peer's buffer. Return: its memory, or an ERR_PTR().
 */
struct sg_table *vgpu_peer_map(struct drm_gem_object *obj)
{
	return vgpu_dmabuf_map(obj->import_attach, DMA_BIDIRECTIONAL);
}

void vgpu_peer_unmap(struct drm_gem_object *obj, struct sg_table *sgt)
{
	vgpu_dmabuf_unmap(obj->import_attach, sgt, DMA_BIDIRECTIONAL);
}

/**
 * vgpu_peer_evacuate() - nobody reaches the memory of a die any more
 * @vdev: the die; it has left its hive, and its engines are stopped
 *
 * Page tables of peers lead to addresses that may be another die's soon. They are
 * written before the peer's next job; so wait for those that are on their way.
 */
void vgpu_peer_evacuate(struct vgpu_device *vdev)
{
	struct vgpu_bo *bo;

	mutex_lock(&vdev->xgmi.imports_lock);
	list_for_each_entry(bo, &vdev->xgmi.imports, peer_node) {
		struct dma_resv *resv = bo->tbo.base.resv;

		dma_resv_lock(resv, NULL);
		vgpu_vm_bo_moved(bo, true);
		if (!dma_resv_wait_timeout(resv, DMA_RESV_USAGE_BOOKKEEP, false,
					   VGPU_PEER_TIMEOUT))
			drm_err(bo->tbo.base.dev, "job does not end that uses %s\n",
				dev_name(vdev->drm.dev));
		dma_resv_unlock(resv);
	}
	mutex_unlock(&vdev->xgmi.imports_lock);
}
