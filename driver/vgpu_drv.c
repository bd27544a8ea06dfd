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

static int vgpu_open(struct drm_device *drm, struct drm_file *file)
{
	struct vgpu_device *vdev = to_vgpu(drm);
	struct vgpu_fpriv *fpriv;

	fpriv = kzalloc(sizeof(*fpriv), GFP_KERNEL);
	if (!fpriv)
		return -ENOMEM;

	fpriv->vdev = vdev;
	fpriv->pid = task_tgid_nr(current);
	get_task_comm(fpriv->comm, current);
	mutex_init(&fpriv->ctx_lock);
	idr_init_base(&fpriv->ctx, 1);
	mutex_init(&fpriv->bo_list_lock);
	idr_init_base(&fpriv->bo_lists, 1);

	file->driver_priv = fpriv;
	return 0;
}

/* After GEM has closed the handles of the file. */
static void vgpu_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct vgpu_fpriv *fpriv = file->driver_priv;

	idr_destroy(&fpriv->bo_lists);
	mutex_destroy(&fpriv->bo_list_lock);
	idr_destroy(&fpriv->ctx);
	mutex_destroy(&fpriv->ctx_lock);
	kfree(fpriv);
	file->driver_priv = NULL;
}

static void vgpu_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	drm_show_memory_stats(p, file);
}

static const struct file_operations vgpu_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	.show_fdinfo = drm_show_fdinfo,
};

/* Numbers and flags are those of amdgpu. */
static const struct drm_ioctl_desc vgpu_ioctls[] = {
};

static const struct drm_driver vgpu_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE,
	.open = vgpu_open,
	.postclose = vgpu_postclose,
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
	return ret;
}

/*
 * Files may stay open after this: they keep the drm_device, and with it the
 * software state of all blocks, until the last one is closed.
 */
static void vgpu_pci_remove(struct pci_dev *pdev)
{
	struct vgpu_device *vdev = pci_get_drvdata(pdev);

	drm_dev_unplug(&vdev->drm);
	vgpu_device_fini_hw(vdev);
}

/* Nothing may write to the next kernel's memory. */
static void vgpu_pci_shutdown(struct pci_dev *pdev)
{
	vgpu_pci_remove(pdev);
}

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
	.probe = vgpu_pci_probe,
	.remove = vgpu_pci_remove,
	.shutdown = vgpu_pci_shutdown,
};
module_pci_driver(vgpu_pci_driver);

MODULE_AUTHOR("The vgpu authors");
MODULE_DESCRIPTION(VGPU_DRIVER_DESC);
MODULE_LICENSE("Dual MIT/GPL");
