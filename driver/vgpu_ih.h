/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Interrupt handler ring: the die appends 32-byte entries, one MSI-X vector
 * says that there are some, a thread hands each to whoever owns its source.
 * Documentation/interrupts.rst.
 */
#ifndef _VGPU_IH_H_
#define _VGPU_IH_H_

#include <linux/types.h>

struct vgpu_bo;
struct vgpu_device;

/** struct vgpu_iv_entry - a decoded entry of the ring (hw/ih.h has the layout) */
struct vgpu_iv_entry {
	u8 client_id;
	u8 source_id;
	u8 ring_id;
	u8 vmid;
	bool vmid_mm;		/* VMID of the MM hub */
	u16 pasid;
	u64 timestamp;		/* GPU clocks */
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

#define VGPU_MAX_IRQ_SOURCES	32

struct vgpu_ih {
	struct vgpu_bo *bo;
	__le32 *cpu;
	u64 gpu_addr;
	u32 size;		/* bytes, power of two */
	u32 rptr;		/* bytes */
	u32 wptr_slot;		/* write-back slot */
	u32 doorbell;		/* dword index */
	int irq;
	bool enabled;
	struct vgpu_irq_source source[VGPU_MAX_IRQ_SOURCES];
	unsigned int num_sources;
	u64 entries, unhandled, overflows;	/* IH thread only */
};

/* From a block's sw_init. -EBUSY: taken, -ENOSPC: table full. */
int vgpu_irq_add(struct vgpu_device *vdev, u8 client_id, u8 source_id, const char *name,
		 vgpu_irq_handler handler);

#endif
