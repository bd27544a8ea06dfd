/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Interrupt handler ring: the die appends 32-byte entries, one MSI-X vector
 * says that there are some, a thread hands each to whoever owns its source.
 * Documentation/interrupts.rst.
 */
#ifndef _VGPU_IH_H_
#define _VGPU_IH_H_

#include <linux/atomic.h>
#include <linux/types.h>

struct drm_printer;
struct vgpu_bo;
struct vgpu_device;

/**
 * struct vgpu_iv_entry - a decoded entry of the ring (hw/ih.h has the layout)
 * @client_id: SOC15_IH_CLIENTID_*
 * @source_id: what it is, by the client's own numbers
 * @ring_id: which queue of the client
 * @vmid: address space
 * @vmid_mm: VMID of the MM hub
 * @pasid: process of the VMID, as IH_VMID_n_LUT has it
 * @timestamp: GPU clocks
 * @src_data: the source's own
 */
struct vgpu_iv_entry {
	u8 client_id;
	u8 source_id;
	u8 ring_id;
	u8 vmid;
	bool vmid_mm;
	u16 pasid;
	u64 timestamp;
	u32 src_data[4];
};

/* Called in the IH thread; may sleep, must not wait for other interrupts. */
typedef void (*vgpu_irq_handler)(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv);

struct vgpu_irq_source {
	u8 client_id;
	u8 source_id;
	const char *name;
	vgpu_irq_handler handler;
	atomic64_t count;
};

#define VGPU_MAX_IRQ_SOURCES	64

/**
 * struct vgpu_ih - the ring of a die
 * @bo: ring in GTT, and behind it the write-back of the write pointer
 * @cpu: the ring
 * @wptr_cpu: where the hardware writes its write pointer, bytes
 * @gpu_addr: of the ring
 * @size: of the ring in bytes, a power of two
 * @rptr: bytes; IH thread only
 * @doorbell: dword index
 * @irq: Linux interrupt, 0 while none is requested
 * @source: registered in sw_init, constant afterwards but for the counters
 * @num_sources: used in @source
 * @interrupts: times the vector fired
 * @entries: taken from the ring; like the next two, of the IH thread only
 * @unhandled: that no source matched
 * @overflows: times that entries were lost
 */
struct vgpu_ih {
	struct vgpu_bo *bo;
	__le32 *cpu;
	__le32 *wptr_cpu;
	u64 gpu_addr;
	u32 size;
	u32 rptr;
	u32 doorbell;
	int irq;
	struct vgpu_irq_source source[VGPU_MAX_IRQ_SOURCES];
	unsigned int num_sources;
	atomic64_t interrupts;
	u64 entries, unhandled, overflows;
};

/* vgpu_irq.c. From a block's sw_init. -EBUSY: taken, -ENOSPC: table full. */
int vgpu_irq_add(struct vgpu_device *vdev, u8 client_id, u8 source_id, const char *name,
		 vgpu_irq_handler handler);
void vgpu_irq_dispatch(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv);
void vgpu_irq_show(struct vgpu_device *vdev, struct drm_printer *p);

/* vgpu_ih.c */
void vgpu_ih_process(struct vgpu_device *vdev);
void vgpu_ih_show(struct vgpu_device *vdev, struct drm_printer *p);

#endif
