// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The character device /dev/kfd: its ioctls by number, and those that only tell
 * what there is. Documentation/queues.rst, "/dev/kfd".
 */
#include <linux/compat.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/kfd_ioctl.h>
#include <linux/ktime.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "vgpu.h"
#include "vgpu_kfd_queue.h"

/* Apertures of all GFX9 parts, and what amdkfd calls its last address */
#define KFD_APERTURE_LAST	0xffffffffull
#define KFD_GPUVM_LAST		(VGPU_VA_HOLE_START - 1)

/* Room for page tables is not offered; nor is less than a huge page. */
#define KFD_VRAM_ALIGN		SZ_2M

/* The longest arguments of an ioctl, those of GET_PROCESS_APERTURES */
#define KFD_MAX_ARGS		512

static int kfd_major;
static struct device *kfd_device;

static const struct class kfd_class = { .name = "kfd" };

/* ----------------------------------------------------------------- queries */

static int kfd_get_version(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_get_version_args *args = data;

	args->major_version = KFD_IOCTL_MAJOR_VERSION;
	args->minor_version = KFD_IOCTL_MINOR_VERSION;
	return 0;
}

static int kfd_read_clock(struct vgpu_device *vdev, void *arg)
{
	u64 *clock = arg;

	*clock = vgpu_gpu_clock(vdev);
	return 0;
}

/* A node without a GPU has no clock of one; the others are everybody's. */
static int kfd_get_clock_counters(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_get_clock_counters_args *args = data;
	u64 clock = 0;

	vgpu_topology_with_die(args->gpu_id, kfd_read_clock, &clock);
	args->gpu_clock_counter = clock;
	args->cpu_clock_counter = ktime_get_raw_ns();
	args->system_clock_counter = ktime_get_boottime_ns();
	args->system_clock_freq = NSEC_PER_SEC;
	return 0;
}

static int kfd_read_memory(struct vgpu_device *vdev, void *arg)
{
	u64 used = vgpu_vram_usage(vdev) + VGPU_VM_RESERVED_VRAM;
	u64 *available = arg;

	*available = used < vdev->gmc.vram_size ?
		     ALIGN_DOWN(vdev->gmc.vram_size - used, KFD_VRAM_ALIGN) : 0;
	return 0;
}

static int kfd_available_memory(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_get_available_memory_args *args = data;
	u64 available;
	int ret;

	ret = vgpu_topology_with_die(args->gpu_id, kfd_read_memory, &available);
	if (!ret)
		args->available = available;
	return ret;
}

/**
 * struct kfd_apertures - apertures of dies, being filled in
 * @ap: of the dies; room for @max
 * @max: no more than so many
 * @num: that there are
 */
struct kfd_apertures {
	struct kfd_process_device_apertures *ap;
	u32 max, num;
};

static void kfd_fill_aperture(struct vgpu_device *vdev, void *arg)
{
	struct kfd_apertures *a = arg;

	if (a->num == a->max)
		return;
	a->ap[a->num++] = (struct kfd_process_device_apertures) {
		.lds_base = VGPU_KFD_LDS_BASE,
		.lds_limit = VGPU_KFD_LDS_BASE | KFD_APERTURE_LAST,
		.scratch_base = VGPU_KFD_SCRATCH_BASE,
		.scratch_limit = VGPU_KFD_SCRATCH_BASE | KFD_APERTURE_LAST,
		.gpuvm_base = VGPU_VA_START,
		.gpuvm_limit = KFD_GPUVM_LAST,
		.gpu_id = vdev->topology.gpu_id,
	};
}

/* Of the first @max dies. Return: how many. */
static u32 kfd_fill_apertures(struct kfd_process_device_apertures *ap, u32 max)
{
	struct kfd_apertures a = { .ap = ap, .max = max };

	vgpu_topology_with_dies(kfd_fill_aperture, &a);
	return a.num;
}

static int kfd_get_apertures(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_get_process_apertures_args *args = data;

	args->num_of_nodes = kfd_fill_apertures(args->process_apertures, NUM_OF_SUPPORTED_GPUS);
	return 0;
}

static int kfd_get_apertures_new(struct vgpu_kfd_process *p, void *data)
{
	struct kfd_ioctl_get_process_apertures_new_args *args = data;
	struct kfd_process_device_apertures *ap;
	u32 dies;
	int ret = 0;

	dies = vgpu_topology_with_dies(NULL, NULL);
	if (!args->num_of_nodes) {
		args->num_of_nodes = dies;
		return 0;
	}
	/* One may have gone since the caller asked how many there are. */
	ap = kcalloc(max(dies, 1u), sizeof(*ap), GFP_KERNEL);
	if (!ap)
		return -ENOMEM;
	args->num_of_nodes = kfd_fill_apertures(ap, min(args->num_of_nodes, dies));
	if (copy_to_user(u64_to_user_ptr(args->kfd_process_device_apertures_ptr), ap,
			 args->num_of_nodes * sizeof(*ap)))
		ret = -EFAULT;
	kfree(ap);
	return ret;
}

/* ------------------------------------------------------------------ the file */

#define KFD_IOCTL(name, func) \
	[_IOC_NR(AMDKFD_IOC_##name)] = { AMDKFD_IOC_##name, func }
static const struct {
	unsigned int cmd;
	int (*func)(struct vgpu_kfd_process *p, void *data);
} kfd_ioctls[] = {
	KFD_IOCTL(GET_VERSION, kfd_get_version),
	KFD_IOCTL(CREATE_QUEUE, vgpu_kfd_create_queue),
	KFD_IOCTL(DESTROY_QUEUE, vgpu_kfd_destroy_queue),
	KFD_IOCTL(UPDATE_QUEUE, vgpu_kfd_update_queue),
	KFD_IOCTL(SET_CU_MASK, vgpu_kfd_set_cu_mask),
	KFD_IOCTL(GET_QUEUE_WAVE_STATE, vgpu_kfd_get_queue_wave_state),
	KFD_IOCTL(GET_CLOCK_COUNTERS, kfd_get_clock_counters),
	KFD_IOCTL(GET_PROCESS_APERTURES, kfd_get_apertures),
	KFD_IOCTL(CREATE_EVENT, vgpu_kfd_create_event),
	KFD_IOCTL(DESTROY_EVENT, vgpu_kfd_destroy_event),
	KFD_IOCTL(SET_EVENT, vgpu_kfd_set_event),
	KFD_IOCTL(RESET_EVENT, vgpu_kfd_reset_event),
	KFD_IOCTL(WAIT_EVENTS, vgpu_kfd_wait_events),
	KFD_IOCTL(GET_DMABUF_INFO, vgpu_kfd_dmabuf_info),
	KFD_IOCTL(IMPORT_DMABUF, vgpu_kfd_import_dmabuf),
	KFD_IOCTL(EXPORT_DMABUF, vgpu_kfd_export_dmabuf),
	KFD_IOCTL(ALLOC_MEMORY_OF_GPU, vgpu_kfd_alloc_memory),
	KFD_IOCTL(FREE_MEMORY_OF_GPU, vgpu_kfd_free_memory),
	KFD_IOCTL(MAP_MEMORY_TO_GPU, vgpu_kfd_map_memory),
	KFD_IOCTL(UNMAP_MEMORY_FROM_GPU, vgpu_kfd_unmap_memory),
	KFD_IOCTL(GET_PROCESS_APERTURES_NEW, kfd_get_apertures_new),
	KFD_IOCTL(ACQUIRE_VM, vgpu_kfd_acquire_vm),
	KFD_IOCTL(AVAILABLE_MEMORY, kfd_available_memory),
};

/*
 * User space may be older or newer than we are: its arguments are shorter or longer.
 * What it does not give is 0; what we do not know stays as it is. The direction is
 * that of our own definition.
 */
static long kfd_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct vgpu_kfd_process *p = file->private_data;
	void __user *user = (void __user *)arg;
	u64 data[KFD_MAX_ARGS / sizeof(u64)] = { };
	unsigned int nr = _IOC_NR(cmd);
	size_t size;
	int ret;

	if (nr >= ARRAY_SIZE(kfd_ioctls))
		return -ENOTTY;
	nr = array_index_nospec(nr, ARRAY_SIZE(kfd_ioctls));
	if (!kfd_ioctls[nr].func)
		return -ENOTTY;
	/* A child has a file of its own, or none. */
	if (!vgpu_kfd_process_is_current(p))
		return -EBADF;

	size = min_t(size_t, _IOC_SIZE(cmd), _IOC_SIZE(kfd_ioctls[nr].cmd));
	if (kfd_ioctls[nr].cmd & IOC_IN && copy_from_user(data, user, size))
		return -EFAULT;
	ret = kfd_ioctls[nr].func(p, data);
	if (kfd_ioctls[nr].cmd & IOC_OUT && copy_to_user(user, data, size))
		return -EFAULT;
	return ret;
}

static int kfd_open(struct inode *inode, struct file *file)
{
	struct vgpu_kfd_process *p;

	if (iminor(inode))
		return -ENODEV;
	if (in_compat_syscall())
		return -EPERM;
	p = vgpu_kfd_process_get();
	if (IS_ERR(p))
		return PTR_ERR(p);
	file->private_data = p;
	return nonseekable_open(inode, file);
}

static int kfd_release(struct inode *inode, struct file *file)
{
	vgpu_kfd_process_put(file->private_data);
	return 0;
}

static int kfd_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct vgpu_kfd_process *p = file->private_data;

	if (!vgpu_kfd_process_is_current(p))
		return -EBADF;
	return vgpu_kfd_mmap(p, vma);
}

static const struct file_operations kfd_fops = {
	.owner = THIS_MODULE,
	.open = kfd_open,
	.release = kfd_release,
	.unlocked_ioctl = kfd_ioctl,
	.mmap = kfd_mmap,
};

/**
 * vgpu_kfd_module_init() - make /dev/kfd
 *
 * Before the first die comes. Return: 0 or a negative error.
 */
int __init vgpu_kfd_module_init(void)
{
	int ret;

	BUILD_BUG_ON(sizeof(struct kfd_ioctl_get_process_apertures_args) > KFD_MAX_ARGS);

	ret = vgpu_kfd_evict_module_init();
	if (ret)
		return ret;
	kfd_major = register_chrdev(0, "kfd", &kfd_fops);
	if (kfd_major < 0) {
		ret = kfd_major;
		goto err_evict;
	}
	ret = class_register(&kfd_class);
	if (ret)
		goto err_chrdev;
	kfd_device = device_create(&kfd_class, NULL, MKDEV(kfd_major, 0), NULL, "kfd");
	if (IS_ERR(kfd_device)) {
		ret = PTR_ERR(kfd_device);
		goto err_class;
	}
	return 0;

err_class:
	class_unregister(&kfd_class);
err_chrdev:
	unregister_chrdev(kfd_major, "kfd");
err_evict:
	vgpu_kfd_evict_module_exit();
	return ret;
}

void vgpu_kfd_module_exit(void)
{
	device_destroy(&kfd_class, MKDEV(kfd_major, 0));
	class_unregister(&kfd_class);
	unregister_chrdev(kfd_major, "kfd");
	vgpu_kfd_evict_module_exit();
}
