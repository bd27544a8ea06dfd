/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The command processor: what its graphics ring and its compute rings have in
 * common. Documentation/hardware.rst, "Command processor".
 */
#ifndef _VGPU_CP_H_
#define _VGPU_CP_H_

#include <linux/types.h>

struct vgpu_device;
struct vgpu_ib;
struct vgpu_ring;

/* What tests put in memory, and what the GPU shall put there */
#define VGPU_CP_TEST_BEFORE	0xcafedead
#define VGPU_CP_TEST_AFTER	0xdeadbeef
#define VGPU_CP_TEST_TIMEOUT_US	USEC_PER_SEC

/* Members of struct vgpu_ring_funcs */
u64 vgpu_cp_get_rptr(struct vgpu_ring *ring);
void vgpu_cp_set_wptr(struct vgpu_ring *ring);
void vgpu_cp_insert_nop(struct vgpu_ring *ring, u32 count);
void vgpu_cp_pad_ib(struct vgpu_ring *ring, struct vgpu_ib *ib);
void vgpu_cp_emit_fence(struct vgpu_ring *ring, u64 addr, u64 seq, u32 flags);
void vgpu_cp_emit_vm_flush(struct vgpu_ring *ring, u32 vmid, u64 pd_addr);
void vgpu_cp_emit_hdp_flush(struct vgpu_ring *ring);
int vgpu_cp_test_ib(struct vgpu_ring *ring, long timeout);
void vgpu_cp_decode(struct vgpu_ring *ring, struct drm_printer *p);

/* Dwords of the flushes; those of a fence */
#define VGPU_CP_VM_FLUSH_DW	(5 * 3 + 7 + 2)
#define VGPU_CP_HDP_FLUSH_DW	7
#define VGPU_CP_FENCE_DW	8

/* WRITE_DATA of one dword to memory; VGPU_CP_WRITE_DW dwords. */
#define VGPU_CP_WRITE_DW	5
void vgpu_cp_write_packet(u32 *dw, u64 addr, u32 val);

/* Registers for interrupts of the CP; once, from sw_init. */
int vgpu_cp_irq_init(struct vgpu_device *vdev);

#endif
