// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * debugfs: blocks, rings packet by packet, fences, interrupts, address spaces,
 * memory, buffers, and the path of a submission.
 * Documentation/driver.rst, "Looking inside".
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/seq_file.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_debugfs.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_print.h>

#include "vgpu.h"

static int vgpu_blocks_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *vdev = m->private;
	struct drm_printer p = drm_seq_file_printer(m);
	unsigned int i;

	vgpu_discovery_show(vdev, &p);
	drm_puts(&p, "driver:");
	for (i = 0; i < vdev->num_blocks; i++)
		drm_printf(&p, " %s", vdev->blocks[i]->name);
	drm_puts(&p, "\n");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_blocks);

/* What is pending, or when that is nothing, the last frame there was. */
static int vgpu_ring_show(struct seq_file *m, void *unused)
{
	struct vgpu_ring *ring = m->private;
	struct drm_printer p = drm_seq_file_printer(m);
	u64 rptr = ring->funcs->get_rptr(ring);
	u64 wptr = READ_ONCE(ring->wptr);
	u64 start = READ_ONCE(ring->wptr_start);
	u32 pending = (wptr - rptr) & (ring->size_dw - 1);

	drm_printf(&p, "%s: %u dwords at %#llx, doorbell %#x, %s\n", ring->name, ring->size_dw,
		   ring->gpu_addr, ring->doorbell, ring->ready ? "ready" : "not ready");
	drm_printf(&p, "rptr: %#llx wptr: %#llx (dwords)\n", rptr, wptr);
	drm_printf(&p, "ring test: %lld us, IB test: %lld us\n", ktime_to_us(ring->test_ring_time),
		   ktime_to_us(ring->test_ib_time));
	if (pending || wptr <= start || wptr - start > ring->size_dw) {
		drm_printf(&p, "pending, %u dwords:\n", pending);
		ring->funcs->decode_at(ring, wptr - pending, pending, &p);
	} else {
		drm_printf(&p, "last frame, %llu dwords, done:\n", wptr - start);
		ring->funcs->decode_at(ring, start, wptr - start, &p);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_ring);

static int vgpu_fences_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *vdev = m->private;
	unsigned int i;

	seq_puts(m, "ring     emitted  written  pending\n");
	for (i = 0; i < vdev->num_rings; i++) {
		struct vgpu_ring *ring = vdev->rings[i];
		struct vgpu_fence_driver *drv = &ring->fence_drv;
		struct vgpu_fence *fence;
		unsigned int pending = 0;
		u32 oldest = 0, emitted;

		spin_lock_irq(&drv->lock);
		emitted = drv->seq;
		list_for_each_entry(fence, &drv->pending, node) {
			if (!pending++)
				oldest = fence->base.seqno;
		}
		spin_unlock_irq(&drv->lock);

		seq_printf(m, "%-8s %7u  %7u  %7u", ring->name, emitted,
			   le32_to_cpu(READ_ONCE(*drv->cpu)), pending);
		if (pending)
			seq_printf(m, ", oldest %u", oldest);
		seq_puts(m, "\n");
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_fences);

static int vgpu_irqs_show(struct seq_file *m, void *unused)
{
	struct drm_printer p = drm_seq_file_printer(m);

	vgpu_ih_show(m->private, &p);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_irqs);

static int vgpu_vms_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *vdev = m->private;
	struct drm_printer p = drm_seq_file_printer(m);

	drm_printf(&p, "page faults: GC hub %llu, MM hub %llu\n", vdev->gmc.num_faults[VGPU_GCHUB],
		   vdev->gmc.num_faults[VGPU_MMHUB]);
	vgpu_vm_show(vdev, &p);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_vms);

static int vgpu_vram_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *vdev = m->private;
	struct drm_printer p = drm_seq_file_printer(m);

	drm_printf(&p, "%llu MiB at %#llx, used %llu KiB; visible %llu MiB, used %llu KiB\n",
		   vdev->gmc.vram_size >> 20, vdev->gmc.vram_start, vgpu_vram_usage(vdev) >> 10,
		   vdev->gmc.visible_vram_size >> 20, vgpu_vram_visible_usage(vdev) >> 10);
	drm_printf(&p, "moved: %lld bytes, evictions: %lld, CPU faults: %lld\n",
		   atomic64_read(&vdev->mman.num_bytes_moved),
		   atomic64_read(&vdev->mman.num_evictions),
		   atomic64_read(&vdev->mman.num_cpu_faults));
	ttm_resource_manager_debug(ttm_manager_type(&vdev->mman.bdev, TTM_PL_VRAM), &p);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_vram);

static int vgpu_gtt_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *vdev = m->private;
	struct drm_printer p = drm_seq_file_printer(m);

	drm_printf(&p, "%llu MiB at %#llx, used %llu KiB\n", vdev->gmc.gart_size >> 20,
		   vdev->gmc.gart_start, vgpu_gtt_usage(vdev) >> 10);
	ttm_resource_manager_debug(ttm_manager_type(&vdev->mman.bdev, TTM_PL_TT), &p);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_gtt);

static const char *vgpu_place_name(const struct ttm_resource *res)
{
	if (!res)
		return "none";
	switch (res->mem_type) {
	case TTM_PL_VRAM:
		return "VRAM";
	case TTM_PL_TT:
		return "GTT";
	default:
		return "CPU";
	}
}

static void vgpu_gem_print(struct seq_file *m, int handle, struct drm_gem_object *obj)
{
	struct vgpu_bo *bo = to_vgpu_bo(obj);
	struct ttm_resource *res;
	const char *place = "moving";
	u64 vram = U64_MAX;

	/* Its place is stable only while nobody moves it. */
	if (dma_resv_trylock(obj->resv)) {
		res = bo->tbo.resource;
		place = vgpu_place_name(res);
		if (res && res->mem_type == TTM_PL_VRAM)
			vram = (u64)res->start << PAGE_SHIFT;
		dma_resv_unlock(obj->resv);
	}
	seq_printf(m, "  %5d: %10zu bytes in %-6s domains %#x flags %#llx%s%s", handle,
		   obj->size, place, bo->domains, bo->flags, bo->tbo.pin_count ? " pinned" : "",
		   obj->import_attach ? " imported" : "");
	if (vram != U64_MAX)
		seq_printf(m, " at %#llx", vram);
	seq_puts(m, "\n");
}

static int vgpu_gem_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *vdev = m->private;
	struct drm_file *file;

	mutex_lock(&vdev->drm.filelist_mutex);
	list_for_each_entry(file, &vdev->drm.filelist, lhead) {
		struct vgpu_fpriv *fpriv = file->driver_priv;
		struct drm_gem_object *obj;
		int handle;

		seq_printf(m, "pid %d, %s:\n", fpriv->pid, fpriv->comm);
		spin_lock(&file->table_lock);
		idr_for_each_entry(&file->object_idr, obj, handle)
			vgpu_gem_print(m, handle, obj);
		spin_unlock(&file->table_lock);
	}
	mutex_unlock(&vdev->drm.filelist_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_gem);

static int vgpu_path_file_show(struct seq_file *m, void *unused)
{
	struct drm_printer p = drm_seq_file_printer(m);

	vgpu_path_show(m->private, &p);
	return 0;
}

static int vgpu_path_file_open(struct inode *inode, struct file *file)
{
	return single_open(file, vgpu_path_file_show, inode->i_private);
}

static ssize_t vgpu_path_file_write(struct file *file, const char __user *buf, size_t len,
				    loff_t *pos)
{
	struct seq_file *m = file->private_data;
	bool enable;
	int ret;

	ret = kstrtobool_from_user(buf, len, &enable);
	if (!ret)
		ret = vgpu_path_enable(m->private, enable);
	return ret ? ret : len;
}

static const struct file_operations vgpu_path_fops = {
	.owner = THIS_MODULE,
	.open = vgpu_path_file_open,
	.read = seq_read,
	.write = vgpu_path_file_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int vgpu_firmware_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *vdev = m->private;
	struct drm_printer p = drm_seq_file_printer(m);

	drm_puts(&p, "PSP: ");
	vgpu_psp_show(vdev, &p);
	drm_puts(&p, "SMU: ");
	vgpu_smu_show(vdev, &p);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_firmware);

static int vgpu_hive_file_show(struct seq_file *m, void *unused)
{
	struct drm_printer p = drm_seq_file_printer(m);

	vgpu_hive_show(m->private, &p);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_hive_file);

/* Write 1 or 2: a mode-1 or mode-2 reset of the die and its hive, over when this returns. */
static int vgpu_hive_reset_set(void *data, u64 mode)
{
	struct vgpu_device *vdev = data;

	if (mode != VGPU_RESET_MODE1 && mode != VGPU_RESET_MODE2)
		return -EINVAL;
	vgpu_reset_request(vdev, mode);
	return vgpu_reset_wait(vdev);
}

static int vgpu_hive_reset_get(void *data, u64 *count)
{
	struct vgpu_device *vdev = data;

	*count = atomic_read(&vdev->reset.count);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(vgpu_hive_reset_fops, vgpu_hive_reset_get, vgpu_hive_reset_set, "%llu\n");

#define VGPU_TRAP_ROUNDS	1000

/*
 * The bare round trip that every submission contains: FENCE and TRAP on an SDMA
 * ring, past the scheduler, until the interrupt has woken us. What a submission
 * costs beyond it is the driver's.
 */
static int vgpu_trap_show(struct seq_file *m, void *unused)
{
	struct vgpu_device *vdev = m->private;
	struct vgpu_ring *ring = &vdev->sdma[0].ring;
	u64 best = U64_MAX, total = 0;
	unsigned int i;

	if (!ring->ready)
		return -ENODEV;
	for (i = 0; i < VGPU_TRAP_ROUNDS; i++) {
		struct vgpu_job *job = vgpu_job_alloc(ring, NULL, NULL, 0, NULL);
		struct dma_fence *fence;
		u64 start, ns;
		long left;

		if (IS_ERR(job))
			return PTR_ERR(job);
		start = ktime_get_ns();
		fence = vgpu_job_submit_direct(job);
		if (IS_ERR(fence))
			return PTR_ERR(fence);
		left = dma_fence_wait_timeout(fence, true, HZ);
		ns = ktime_get_ns() - start;
		dma_fence_put(fence);
		if (left <= 0)
			return left ? left : -ETIMEDOUT;
		best = min(best, ns);
		total += ns;
	}
	seq_printf(m, "rounds %u mean_ns %llu best_ns %llu\n", VGPU_TRAP_ROUNDS,
		   total / VGPU_TRAP_ROUNDS, best);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(vgpu_trap);

/**
 * vgpu_debugfs_init() - make the files of a minor
 * @minor: primary or render
 *
 * DRM removes them when the device is unregistered, and waits for readers.
 */
void vgpu_debugfs_init(struct drm_minor *minor)
{
	struct vgpu_device *vdev = to_vgpu(minor->dev);
	struct dentry *root = minor->debugfs_root;
	unsigned int i;

	debugfs_create_file("vgpu_blocks", 0444, root, vdev, &vgpu_blocks_fops);
	debugfs_create_file("vgpu_fences", 0444, root, vdev, &vgpu_fences_fops);
	debugfs_create_file("vgpu_firmware", 0444, root, vdev, &vgpu_firmware_fops);
	debugfs_create_file("vgpu_gem", 0444, root, vdev, &vgpu_gem_fops);
	debugfs_create_file("vgpu_gtt", 0444, root, vdev, &vgpu_gtt_fops);
	debugfs_create_file("vgpu_hive", 0444, root, vdev, &vgpu_hive_file_fops);
	debugfs_create_file_unsafe("vgpu_hive_reset", 0600, root, vdev, &vgpu_hive_reset_fops);
	debugfs_create_file("vgpu_ih", 0444, root, vdev, &vgpu_irqs_fops);
	debugfs_create_file("vgpu_path", 0644, root, vdev, &vgpu_path_fops);
	debugfs_create_file("vgpu_trap", 0400, root, vdev, &vgpu_trap_fops);
	debugfs_create_file("vgpu_vm", 0444, root, vdev, &vgpu_vms_fops);
	debugfs_create_file("vgpu_vram", 0444, root, vdev, &vgpu_vram_fops);
	vgpu_ras_debugfs_init(vdev, root);
	for (i = 0; i < vdev->num_rings; i++) {
		char name[32];

		snprintf(name, sizeof(name), "vgpu_ring_%s", vdev->rings[i]->name);
		debugfs_create_file(name, 0444, root, vdev->rings[i], &vgpu_ring_fops);
	}
}
