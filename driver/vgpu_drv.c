// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The module: PCI binding, the DRM driver with its ioctls, and what an open
 * file owns. Documentation/architecture.rst, "Inside the driver".
 */
#include <linux/module.h>
#include <linux/pci.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/vgpu_drm.h>

#include <hw/pci.h>
#include <hw/reg/vgpu.h>

#include "vgpu.h"
#include "vgpu_bo_list.h"
#include "vgpu_ctx.h"
#include "vgpu_userptr.h"

static int vgpu_open(struct drm_device *drm, struct drm_file *file)
{
	struct vgpu_device *vdev = to_vgpu(drm);
	struct vgpu_fpriv *fpriv;
	int ret;

	fpriv = kzalloc(sizeof(*fpriv), GFP_KERNEL_ACCOUNT);
	if (!fpriv)
		return -ENOMEM;

	fpriv->vdev = vdev;
	fpriv->pid = task_tgid_nr(current);
	get_task_comm(fpriv->comm, current);
	fpriv->vm = vgpu_vm_create(vdev, fpriv->pid, fpriv->comm);
	if (IS_ERR(fpriv->vm)) {
		ret = PTR_ERR(fpriv->vm);
		kfree(fpriv);
		return ret;
	}
	mutex_init(&fpriv->ctx_lock);
	idr_init_base(&fpriv->ctx, 1);
	mutex_init(&fpriv->bo_list_lock);
	idr_init_base(&fpriv->bo_lists, 1);

	file->driver_priv = fpriv;
	return 0;
}

/*
 * After GEM has closed the handles of the file. First what may still submit;
 * the address space goes when the last job in it is over.
 */
static void vgpu_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;

	vgpu_ctx_fini_file(fpriv);
	vgpu_bo_list_fini_file(fpriv);
	vgpu_vm_close(fpriv->vm);
	idr_destroy(&fpriv->bo_lists);
	mutex_destroy(&fpriv->bo_list_lock);
	idr_destroy(&fpriv->ctx);
	mutex_destroy(&fpriv->ctx_lock);
	kfree(fpriv);
	file->driver_priv = NULL;
}

/* What a file has in each kind of memory, in amdgpu's names. Approximate. */
static void vgpu_show_memory(struct drm_printer *p, struct drm_file *file)
{
	static const char * const names[] = {
		[TTM_PL_SYSTEM] = "cpu", [TTM_PL_TT] = "gtt", [TTM_PL_VRAM] = "vram",
	};
	u64 bytes[ARRAY_SIZE(names)] = { };
	struct drm_gem_object *obj;
	unsigned int i;
	int id;

	spin_lock(&file->table_lock);
	idr_for_each_entry(&file->object_idr, obj, id) {
		struct ttm_resource *res;

		/* One that somebody is moving just now is in no place. */
		if (!dma_resv_trylock(obj->resv))
			continue;
		res = to_vgpu_bo(obj)->tbo.resource;
		if (res && res->mem_type < ARRAY_SIZE(bytes))
			bytes[res->mem_type] += obj->size;
		dma_resv_unlock(obj->resv);
	}
	spin_unlock(&file->table_lock);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		drm_printf(p, "drm-memory-%s:\t%llu KiB\n", names[i], bytes[i] / SZ_1K);
}

static void vgpu_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;

	drm_printf(p, "pasid:\t%u\n", fpriv->vm->pasid);
	vgpu_show_memory(p, file);
	drm_show_memory_stats(p, file);
	vgpu_ctx_show_usage(fpriv, p);
}

static const struct file_operations vgpu_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	.show_fdinfo = drm_show_fdinfo,
};

/**
 * vgpu_file_to_fpriv() - is that an open file of ours?
 * @file: any file
 *
 * Return: what it owns, NULL for a file of something else.
 */
struct vgpu_fpriv *vgpu_file_to_fpriv(struct file *file)
{
	struct drm_file *drm_file;

	if (file->f_op != &vgpu_fops)
		return NULL;
	drm_file = file->private_data;
	return drm_file->driver_priv;
}

/* Numbers and flags are those of amdgpu. */
#define VGPU_IOCTL(name, func, flags)	DRM_IOCTL_DEF_DRV(AMDGPU_##name, func, flags)
#define VGPU_RENDER			(DRM_AUTH | DRM_RENDER_ALLOW)
static const struct drm_ioctl_desc vgpu_ioctls[] = {
	VGPU_IOCTL(GEM_CREATE, vgpu_gem_create_ioctl, VGPU_RENDER),
	VGPU_IOCTL(CTX, vgpu_ctx_ioctl, VGPU_RENDER),
	VGPU_IOCTL(VM, vgpu_vm_ioctl, VGPU_RENDER),
	VGPU_IOCTL(SCHED, vgpu_sched_ioctl, DRM_MASTER),
	VGPU_IOCTL(BO_LIST, vgpu_bo_list_ioctl, VGPU_RENDER),
	VGPU_IOCTL(FENCE_TO_HANDLE, vgpu_cs_fence_to_handle_ioctl, VGPU_RENDER),
	VGPU_IOCTL(GEM_MMAP, vgpu_gem_mmap_ioctl, VGPU_RENDER),
	VGPU_IOCTL(GEM_WAIT_IDLE, vgpu_gem_wait_idle_ioctl, VGPU_RENDER),
	VGPU_IOCTL(CS, vgpu_cs_ioctl, VGPU_RENDER),
	VGPU_IOCTL(INFO, vgpu_info_ioctl, VGPU_RENDER),
	VGPU_IOCTL(WAIT_CS, vgpu_cs_wait_ioctl, VGPU_RENDER),
	VGPU_IOCTL(WAIT_FENCES, vgpu_cs_wait_fences_ioctl, VGPU_RENDER),
	VGPU_IOCTL(GEM_METADATA, vgpu_gem_metadata_ioctl, VGPU_RENDER),
	VGPU_IOCTL(GEM_VA, vgpu_gem_va_ioctl, VGPU_RENDER),
	VGPU_IOCTL(GEM_OP, vgpu_gem_op_ioctl, VGPU_RENDER),
	VGPU_IOCTL(GEM_USERPTR, vgpu_gem_userptr_ioctl, VGPU_RENDER),
};

static const struct drm_driver vgpu_driver = {
	.driver_features = DRIVER_GEM | DRIVER_GEM_GPUVA | DRIVER_RENDER | DRIVER_SYNCOBJ |
			   DRIVER_SYNCOBJ_TIMELINE,
	.open = vgpu_open,
	.postclose = vgpu_postclose,
	.gem_prime_import = vgpu_gem_import,
	.gem_prime_import_sg_table = vgpu_gem_import_sg_table,
	.debugfs_init = vgpu_debugfs_init,
	.ioctls = vgpu_ioctls,
	.num_ioctls = ARRAY_SIZE(vgpu_ioctls),
	.fops = &vgpu_fops,
	.show_fdinfo = vgpu_show_fdinfo,
	.name = VGPU_DRIVER_NAME,
	.desc = VGPU_DRIVER_DESC,
	.date = "20250101",
	.major = VGPU_DRIVER_MAJOR,
	.minor = VGPU_DRIVER_MINOR,
};

static int vgpu_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct vgpu_device *vdev;
	int ret;

	vdev = devm_drm_dev_alloc(&pdev->dev, &vgpu_driver, struct vgpu_device, drm);
	if (IS_ERR(vdev))
		return PTR_ERR(vdev);

	vdev->pdev = pdev;
	pci_set_drvdata(pdev, vdev);

	ret = vgpu_device_init(vdev);
	if (!ret)
		ret = drm_dev_register(&vdev->drm, 0);
	if (ret)
		vgpu_device_fini_hw(vdev);
	else
		vgpu_topology_add(vdev);
	return ret;
}

/*
 * Files may stay open after this: they keep the drm_device, and with it the
 * software state of all blocks, until the last one is closed.
 */
static void vgpu_pci_remove(struct pci_dev *pdev)
{
	struct vgpu_device *vdev = pci_get_drvdata(pdev);

	/* Queues of user space stop as long as the die listens to everybody. */
	if (pci_device_is_present(pdev))
		vgpu_hws_close(vdev);
	drm_dev_unplug(&vdev->drm);
	vgpu_topology_remove(vdev);
	vgpu_device_fini_hw(vdev);
}

/* Nothing may write to the next kernel's memory. */
static void vgpu_pci_shutdown(struct pci_dev *pdev)
{
	vgpu_pci_remove(pdev);
}

static void vgpu_pci_reset_prepare(struct pci_dev *pdev)
{
	vgpu_reset_prepare(pci_get_drvdata(pdev));
}

static void vgpu_pci_reset_done(struct pci_dev *pdev)
{
	vgpu_reset_done(pci_get_drvdata(pdev));
}

static const struct pci_error_handlers vgpu_pci_err_handler = {
	.reset_prepare = vgpu_pci_reset_prepare,
	.reset_done = vgpu_pci_reset_done,
};

/*
 * The function has ids of its own so that amdgpu leaves it alone; it can be
 * told to carry those of MI250X, and then vgpu_device_init() binds only when
 * the emulator's identification register answers: real dies are amdgpu's.
 */
static const struct pci_device_id vgpu_pci_ids[] = {
	{ PCI_DEVICE(VGPU_PCI_VENDOR_ID, VGPU_PCI_DEVICE_ID) },
	{ PCI_DEVICE(VGPU_PCI_VENDOR_ID_AMD, VGPU_PCI_DEVICE_ID_MI250X) },
	{ PCI_DEVICE(VGPU_PCI_VENDOR_ID_AMD, VGPU_PCI_DEVICE_ID_MI250X_ALT) },
	{ }
};
MODULE_DEVICE_TABLE(pci, vgpu_pci_ids);

static struct pci_driver vgpu_pci_driver = {
	.name = KBUILD_MODNAME,
	.id_table = vgpu_pci_ids,
	.dev_groups = vgpu_sysfs_groups,
	.probe = vgpu_pci_probe,
	.remove = vgpu_pci_remove,
	.shutdown = vgpu_pci_shutdown,
	.err_handler = &vgpu_pci_err_handler,
};

static int __init vgpu_init(void)
{
	int ret;

	ret = vgpu_fence_module_init();
	if (ret)
		return ret;
	ret = vgpu_reset_module_init();
	if (ret)
		goto err_fence;
	vgpu_topology_module_init();
	ret = vgpu_kfd_module_init();
	if (ret)
		goto err_topology;
	ret = pci_register_driver(&vgpu_pci_driver);
	if (ret)
		goto err_kfd;
	return 0;

err_kfd:
	vgpu_kfd_module_exit();
err_topology:
	vgpu_topology_module_exit();
	vgpu_reset_module_exit();
err_fence:
	vgpu_fence_module_exit();
	return ret;
}
module_init(vgpu_init);

static void __exit vgpu_exit(void)
{
	pci_unregister_driver(&vgpu_pci_driver);
	vgpu_kfd_module_exit();
	vgpu_topology_module_exit();
	vgpu_reset_module_exit();
	vgpu_fence_module_exit();
}
module_exit(vgpu_exit);

MODULE_AUTHOR("The vgpu authors");
MODULE_DESCRIPTION(VGPU_DRIVER_DESC);
MODULE_LICENSE("Dual MIT/GPL");
MODULE_IMPORT_NS(DMA_BUF);
