// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The GART: VMID 0's flat page table, through which the GPU reaches system
 * memory that the driver uses. One 8-byte entry a page, in VRAM.
 * Documentation/memory.rst, "GART".
 */
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/mm.h>
#include <linux/string.h>

#include <drm/amdgpu_drm.h>

#include <hw/pte.h>

#include "vgpu.h"

#define GART_PTE_FLAGS	(VGPU_PTE_VALID | VGPU_PTE_SYSTEM | VGPU_PTE_SNOOPED |		\
			 VGPU_PTE_READABLE | VGPU_PTE_EXECUTABLE |			\
			 VGPU_PTE_MTYPE_SHIFT(MTYPE_UC))

/* Entries are in VRAM: let the GPU see them, and forget what it has cached. */
static void vgpu_gart_flush(struct vgpu_device *vdev)
{
	unsigned int hub;

	/* Before they are up, gmc's hw_init does it for all. */
	if (!READ_ONCE(vdev->gmc.hubs_up))
		return;
	vgpu_hdp_flush(vdev);
	for (hub = 0; hub < VGPU_NUM_HUBS; hub++)
		vgpu_gmc_flush_tlb(vdev, hub, 0);
}

static bool vgpu_gart_range_ok(struct vgpu_device *vdev, u64 offset, u32 num_pages)
{
	u64 size = (u64)num_pages << VGPU_GPU_PAGE_SHIFT;

	return !WARN_ON_ONCE(offset & (VGPU_GPU_PAGE_SIZE - 1) ||
			     size > vdev->gmc.gart_size ||
			     offset > vdev->gmc.gart_size - size);
}

/**
 * vgpu_gart_bind() - map pages of system memory
 * @vdev: the die
 * @offset: bytes into the GART, page aligned
 * @num_pages: of 4 KiB
 * @pages: DMA address of each
 * @writable: by the GPU
 *
 * The pages can be reached when it returns. May sleep.
 */
void vgpu_gart_bind(struct vgpu_device *vdev, u64 offset, u32 num_pages,
		    const dma_addr_t *pages, bool writable)
{
	u64 flags = GART_PTE_FLAGS | (writable ? VGPU_PTE_WRITEABLE : 0);
	__le64 __iomem *pte;
	u64 *copy;
	u32 i;
	int idx;

	if (!vgpu_gart_range_ok(vdev, offset, num_pages))
		return;
	if (!vgpu_hw_enter(vdev, &idx))
		return;
	pte = vdev->gmc.gart_table + (offset >> VGPU_GPU_PAGE_SHIFT);
	copy = vdev->gmc.gart_copy + (offset >> VGPU_GPU_PAGE_SHIFT);
	for (i = 0; i < num_pages; i++) {
		copy[i] = (pages[i] & VGPU_PTE_ADDR_MASK) | flags;
		writeq(copy[i], pte + i);
	}
	vgpu_gart_flush(vdev);
	vgpu_hw_exit(idx);
}

/**
 * vgpu_gart_unbind() - unmap
 * @vdev: the die
 * @offset: bytes into the GART, page aligned
 * @num_pages: of 4 KiB
 *
 * The GPU does not reach the pages any more when it returns. May sleep.
 */
void vgpu_gart_unbind(struct vgpu_device *vdev, u64 offset, u32 num_pages)
{
	__le64 __iomem *pte;
	u32 i;
	int idx;

	if (!vgpu_gart_range_ok(vdev, offset, num_pages))
		return;
	if (!vgpu_hw_enter(vdev, &idx))
		return;
	pte = vdev->gmc.gart_table + (offset >> VGPU_GPU_PAGE_SHIFT);
	memset64(vdev->gmc.gart_copy + (offset >> VGPU_GPU_PAGE_SHIFT), 0, num_pages);
	for (i = 0; i < num_pages; i++)
		writeq(0, pte + i);
	vgpu_gart_flush(vdev);
	vgpu_hw_exit(idx);
}

/**
 * vgpu_gart_restore() - write the table anew
 * @vdev: the die, whose VRAM was lost
 *
 * Who binds or unbinds meanwhile changes the copy first, and then the table.
 */
void vgpu_gart_restore(struct vgpu_device *vdev)
{
	u64 n = vdev->gmc.gart_size >> VGPU_GPU_PAGE_SHIFT;
	u64 i;

	for (i = 0; i < n; i++)
		writeq(READ_ONCE(vdev->gmc.gart_copy[i]), vdev->gmc.gart_table + i);
}

/**
 * vgpu_gart_init() - allocate the table; it reads as zero, no entry is valid
 * @vdev: the die; its VRAM manager works
 */
int vgpu_gart_init(struct vgpu_device *vdev)
{
	u64 size = (vdev->gmc.gart_size >> VGPU_GPU_PAGE_SHIFT) * sizeof(__le64);
	struct vgpu_bo *bo;
	void *cpu;
	u64 addr;

	vdev->gmc.gart_copy = kvzalloc(size, GFP_KERNEL);
	if (!vdev->gmc.gart_copy)
		return -ENOMEM;
	bo = vgpu_bo_create_kernel(vdev, size, AMDGPU_GEM_DOMAIN_VRAM, &addr, &cpu);
	if (IS_ERR(bo)) {
		kvfree(vdev->gmc.gart_copy);
		vdev->gmc.gart_copy = NULL;
		return PTR_ERR(bo);
	}
	vdev->gmc.gart_bo = bo;
	vdev->gmc.gart_table = (__le64 __iomem __force *)cpu;
	return 0;
}

void vgpu_gart_fini(struct vgpu_device *vdev)
{
	vgpu_bo_free_kernel(vdev->gmc.gart_bo);
	vdev->gmc.gart_bo = NULL;
	vdev->gmc.gart_table = NULL;
	kvfree(vdev->gmc.gart_copy);
	vdev->gmc.gart_copy = NULL;
}
