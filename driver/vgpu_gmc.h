/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Memory controller: where VRAM, the GART and the apertures lie in the GPU's
 * address space, the two hubs, and the kernel's own page table (VMID 0).
 * Documentation/memory.rst.
 */
#ifndef _VGPU_GMC_H_
#define _VGPU_GMC_H_

#include <linux/mutex.h>
#include <linux/types.h>

struct vgpu_bo;
struct vgpu_device;

enum vgpu_hub_id { VGPU_GCHUB, VGPU_MMHUB, VGPU_NUM_HUBS };

/* Invalidation engines: 17 the CPU's, ring n uses n. */
#define VGPU_INV_ENG_CPU	17

/**
 * struct vgpu_gmc - addresses are MC addresses, sizes bytes
 * @vram_start: of this die: FB base + node * segment
 * @vram_base_offset: what a PTE adds to an offset into our VRAM
 * @visible_vram_size: through BAR0
 * @gart_start, @gart_size: the aperture that VMID 0's flat table maps; every
 *                          GTT resource has its place in it
 * @gart_table: in VRAM, CPU-visible, 8 bytes a page
 * @flush_lock: one CPU invalidation at a time
 */
struct vgpu_gmc {
	u64 fb_start, fb_end;
	u64 vram_start, vram_size, visible_vram_size;
	u64 vram_base_offset;
	resource_size_t aper_base;	/* BAR0, CPU physical */
	u64 gart_start, gart_size;
	struct vgpu_bo *gart_bo;
	__le64 __iomem *gart_table;
	struct mutex flush_lock;
	u64 segment_size;
	u64 num_faults[VGPU_NUM_HUBS];
};

/* By the CPU: invalidate @vmid in @hub and wait for the acknowledge. */
void vgpu_gmc_flush_tlb(struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 vmid);
/*
 * Write GART entries (CPU), @offset bytes into the aperture; invalidates both
 * hubs. @pages: DMA addresses, one a page.
 */
void vgpu_gart_bind(struct vgpu_device *vdev, u64 offset, u32 num_pages,
		    const dma_addr_t *pages, bool writable);
void vgpu_gart_unbind(struct vgpu_device *vdev, u64 offset, u32 num_pages);

/* Registers a ring's emit_vm_flush needs (absolute dword offsets). */
struct vgpu_hub_regs {
	u32 pd_lo, pd_hi;	/* VM_CONTEXTn_PAGE_TABLE_BASE_ADDR */
	u32 inv_sem, inv_req, inv_ack;
};
void vgpu_gmc_hub_regs(struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 vmid, u32 engine,
		       struct vgpu_hub_regs *regs);
u32 vgpu_gmc_inv_request(u32 vmid);	/* value for inv_req: legacy flush, all levels */

#endif
