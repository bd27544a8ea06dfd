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

struct drm_printer;
struct vgpu_bo;
struct vgpu_device;

enum vgpu_hub_id { VGPU_GCHUB, VGPU_MMHUB, VGPU_NUM_HUBS };

/* Invalidation engines: 17 the CPU's, ring n uses n. */
#define VGPU_INV_ENG_CPU	17
#define VGPU_NUM_INV_ENG	18

/*
 * Address spaces of VMID 1 to 15: three levels of directories above the page
 * table, 9 bits of the page number each: PDB2, PDB1, PDB0, PTB. (amdgpu runs
 * MI250X with one directory less, whose PTB covers 18 bits and translates
 * further; the hardware takes both, and this is the plainer.)
 */
#define VGPU_VM_DEPTH		3
#define VGPU_VM_BLOCK_SIZE	9

/**
 * struct vgpu_gmc - addresses are MC addresses, sizes bytes
 * @fb_start: where VRAM begins, that of node 0 in a hive
 * @fb_end: last address of the VRAM aperture, of the whole hive
 * @vram_start: of this die: FB base + node * segment
 * @vram_size: of this die
 * @visible_vram_size: that the CPU reaches from @aper_base on
 * @vram_base_offset: what a PTE adds to an offset into our VRAM
 * @aper_base: CPU physical; BAR0, or coherent memory of the machine
 * @connected_to_cpu: the latter
 * @gart_start: the aperture that VMID 0's flat table maps
 * @gart_size: its size; every GTT resource has its place in it
 * @gart_bo: backs @gart_table
 * @gart_table: in VRAM, CPU-visible, 8 bytes a page; write it under
 *              vgpu_hw_enter() only
 * @gart_copy: the same in system memory, for when VRAM is lost
 * @scratch_bo: backs @scratch_addr
 * @scratch_addr: VRAM page behind addresses of VMID 0 that nothing maps
 * @dummy_addr: DMA address of a page that faulting accesses are sent to
 * @dummy: its CPU address
 * @flush_lock: one CPU invalidation at a time, and none while a reset is on
 * @hubs_up: the hubs translate, there is something to invalidate
 * @segment_size: bytes of a node in the hive, 0 without one
 * @num_faults: page faults since load, by hub; written by the IH thread
 */
struct vgpu_gmc {
	u64 fb_start, fb_end;
	u64 vram_start, vram_size, visible_vram_size;
	u64 vram_base_offset;
	resource_size_t aper_base;
	bool connected_to_cpu;
	u64 gart_start, gart_size;
	struct vgpu_bo *gart_bo;
	__le64 __iomem *gart_table;
	u64 *gart_copy;
	struct vgpu_bo *scratch_bo;
	u64 scratch_addr;
	dma_addr_t dummy_addr;
	void *dummy;
	struct mutex flush_lock;	/* see above */
	bool hubs_up;
	u64 segment_size;
	u64 num_faults[VGPU_NUM_HUBS];
};

/* By the CPU: invalidate @vmid in @hub and wait for the acknowledge. */
void vgpu_gmc_flush_tlb(struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 vmid);
/* The same for all VMIDs of user-mode queues, in both hubs */
void vgpu_gmc_flush_user_tlbs(struct vgpu_device *vdev);
/*
 * Write GART entries (CPU), @offset bytes into the aperture; invalidates both
 * hubs. @pages: DMA addresses, one a page.
 */
void vgpu_gart_bind(struct vgpu_device *vdev, u64 offset, u32 num_pages,
		    const dma_addr_t *pages, bool writable);
void vgpu_gart_unbind(struct vgpu_device *vdev, u64 offset, u32 num_pages);
void vgpu_gart_restore(struct vgpu_device *vdev);
int vgpu_gart_init(struct vgpu_device *vdev);
void vgpu_gart_fini(struct vgpu_device *vdev);

/**
 * struct vgpu_hub_regs - registers a ring's emit_vm_flush needs
 * @pd_lo: VM_CONTEXTn_PAGE_TABLE_BASE_ADDR, low half
 * @pd_hi: its high half
 * @inv_sem: semaphore of the invalidation engine
 * @inv_req: its request
 * @inv_ack: its acknowledge
 *
 * Absolute dword offsets.
 */
struct vgpu_hub_regs {
	u32 pd_lo, pd_hi;
	u32 inv_sem, inv_req, inv_ack;
};

void vgpu_gmc_hub_regs(struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 vmid, u32 engine,
		       struct vgpu_hub_regs *regs);
/* Value for inv_req: legacy flush, all levels. */
u32 vgpu_gmc_inv_request(u32 vmid);

/* vgpu_hub.c: one implementation of both hubs */
u32 vgpu_hub_reg(const struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 reg);
const char *vgpu_hub_name(enum vgpu_hub_id hub);
void vgpu_hub_enable(struct vgpu_device *vdev, enum vgpu_hub_id hub);
void vgpu_hub_disable(struct vgpu_device *vdev, enum vgpu_hub_id hub);
int vgpu_hub_irq_init(struct vgpu_device *vdev);

#endif
