// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Compute rings: eight queues of the kernel on the first MEC, two on each pipe, by
 * which programs submit PM4 beside the graphics ring. The KIQ maps them.
 * Documentation/queues.rst, "Queues of the kernel".
 */
#include <drm/amdgpu_drm.h>

#include <hw/doorbell.h>
#include <hw/pm4.h>
#include <hw/reg/gc.h>
#include <hw/reg/vgpu.h>

#include "vgpu.h"
#include "vgpu_cp.h"

#define VGPU_COMPUTE_RING_DW	8192

#define COMPUTE_ME		1
#define COMPUTE_PIPES		4

static void compute_emit_ib(struct vgpu_ring *ring, struct vgpu_job *job, struct vgpu_ib *ib)
{
	vgpu_ring_write(ring, PACKET3(PACKET3_INDIRECT_BUFFER, 2));
	vgpu_ring_write(ring, lower_32_bits(ib->gpu_addr) & ~3u);
	vgpu_ring_write(ring, upper_32_bits(ib->gpu_addr));
	vgpu_ring_write(ring, INDIRECT_BUFFER_VALID | INDIRECT_BUFFER_IB_SIZE(ib->length_dw) |
			      INDIRECT_BUFFER_VMID(job->vmid));
}

/* By memory: a scratch register is one for all rings, and users write to it. */
static int compute_test_ring(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u32 slot, dw[VGPU_CP_WRITE_DW];
	unsigned int i;
	int ret;

	ret = vgpu_wb_get(vdev, &slot);
	if (ret)
		return ret;
	WRITE_ONCE(vdev->wb.cpu[slot], cpu_to_le64(VGPU_CP_TEST_BEFORE));

	ret = vgpu_ring_alloc(ring, VGPU_CP_WRITE_DW);
	if (ret)
		goto put;
	vgpu_cp_write_packet(dw, vdev->wb.gpu_addr + slot * sizeof(*vdev->wb.cpu),
			     VGPU_CP_TEST_AFTER);
	for (i = 0; i < VGPU_CP_WRITE_DW; i++)
		vgpu_ring_write(ring, dw[i]);
	vgpu_ring_commit(ring);

	ret = vgpu_wb_wait(vdev, slot, VGPU_CP_TEST_AFTER, VGPU_CP_TEST_TIMEOUT_US);
put:
	vgpu_wb_put(vdev, slot);
	return ret;
}

static int compute_start(struct vgpu_ring *ring)
{
	vgpu_ring_rewind(ring);
	vgpu_mqd_fill(ring);
	return vgpu_kiq_map(ring, QUEUES_ENGINE_COMPUTE);
}

static int compute_reset(struct vgpu_ring *ring)
{
	int ret;

	ret = vgpu_kiq_unmap(ring);
	if (ret)
		return ret;
	return compute_start(ring);
}

static void compute_show_state(struct vgpu_ring *ring, struct drm_printer *p)
{
	vgpu_hqd_show(ring->vdev, vgpu_ring_hqd(ring), p);
}

static const struct vgpu_ring_funcs compute_funcs = {
	.hw_ip = AMDGPU_HW_IP_COMPUTE,
	.align_mask = 0xff,
	.nop = PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT),
	.ib_align_dw = 8,
	.max_ibs = 125,
	.max_dw_frame = VGPU_CP_VM_FLUSH_DW + VGPU_CP_HDP_FLUSH_DW +
			2 * VGPU_CP_FENCE_DW,	/* of the user, and ours */
	.ib_dw = 4,
	.get_rptr = vgpu_cp_get_rptr,
	.set_wptr = vgpu_cp_set_wptr,
	.emit_ib = compute_emit_ib,
	.emit_fence = vgpu_cp_emit_fence,
	.emit_vm_flush = vgpu_cp_emit_vm_flush,
	.emit_hdp_flush = vgpu_cp_emit_hdp_flush,
	.insert_nop = vgpu_cp_insert_nop,
	.pad_ib = vgpu_cp_pad_ib,
	.test_ring = compute_test_ring,
	.test_ib = vgpu_cp_test_ib,
	.start = compute_start,
	.stop = vgpu_kiq_stop_queue,
	.reset = compute_reset,
	.decode = vgpu_cp_decode,
	.decode_at = vgpu_decode_pm4,
	.show_state = compute_show_state,
};

/* ---------------------------------------------------------------- block */

static void vgpu_compute_sw_fini(struct vgpu_device *vdev)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vdev->compute); i++) {
		vgpu_ring_fini(&vdev->compute[i].ring);
		vgpu_hqd_fini(&vdev->compute[i].hqd);
	}
}

static int vgpu_compute_sw_init(struct vgpu_device *vdev)
{
	unsigned int i;
	char name[16];
	int ret;

	for (i = 0; i < ARRAY_SIZE(vdev->compute); i++) {
		struct vgpu_ring *ring = &vdev->compute[i].ring;
		struct vgpu_hqd *hqd = &vdev->compute[i].hqd;

		/* One on each pipe, then the second ones. */
		ret = vgpu_hqd_init(vdev, hqd, COMPUTE_ME, i % COMPUTE_PIPES, i / COMPUTE_PIPES);
		if (ret)
			goto err;
		ring->instance = i;
		ring->trace = VGPU_TRACE_QUEUE_HQD(vgpu_hqd_number(hqd));
		ring->doorbell = VGPU_DOORBELL_DWORD_OFFSET(AMDGPU_VEGA20_DOORBELL_MEC_RING0 + i);
		snprintf(name, sizeof(name), "comp%u", i);
		ret = vgpu_ring_init(vdev, ring, &compute_funcs, VGPU_COMPUTE_RING_DW, name);
		if (ret)
			goto err;
	}
	return 0;

err:
	vgpu_compute_sw_fini(vdev);
	return ret;
}

/* Interrupts of the pipes that the rings are on */
static void compute_enable_irqs(struct vgpu_device *vdev, bool enable)
{
	u32 bits = CP_ME1_PIPE0_INT_CNTL__TIME_STAMP_INT_ENABLE_MASK |
		   CP_ME1_PIPE0_INT_CNTL__PRIV_REG_INT_ENABLE_MASK |
		   CP_ME1_PIPE0_INT_CNTL__OPCODE_ERROR_INT_ENABLE_MASK |
		   CP_ME1_PIPE0_INT_CNTL__RESERVED_BIT_ERROR_INT_ENABLE_MASK |
		   CP_ME1_PIPE0_INT_CNTL__CP_ECC_ERROR_INT_ENABLE_MASK;
	u32 reg = vgpu_reg(vdev, VGPU_HWIP_GC, regCP_ME1_PIPE0_INT_CNTL);
	unsigned int pipe;

	for (pipe = 0; pipe < COMPUTE_PIPES; pipe++)
		vgpu_wreg(vdev, reg + pipe, enable ? bits : 0);
}

/* A ring that does not start fails its test at once. */
static int vgpu_compute_hw_init(struct vgpu_device *vdev)
{
	unsigned int i;

	compute_enable_irqs(vdev, true);
	for (i = 0; i < ARRAY_SIZE(vdev->compute); i++) {
		struct vgpu_ring *ring = &vdev->compute[i].ring;
		int ret = compute_start(ring);

		if (ret) {
			drm_err(&vdev->drm, "%s: does not start: %d\n", ring->name, ret);
			ring->dead = true;
		}
	}
	return 0;
}

static void vgpu_compute_hw_fini(struct vgpu_device *vdev)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vdev->compute); i++)
		vgpu_ring_stop(&vdev->compute[i].ring);
	compute_enable_irqs(vdev, false);
}

static int vgpu_compute_late_init(struct vgpu_device *vdev)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vdev->compute); i++)
		vgpu_ring_test(&vdev->compute[i].ring);
	return 0;
}

static int vgpu_compute_suspend(struct vgpu_device *vdev)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vdev->compute); i++)
		vgpu_ring_suspend(&vdev->compute[i].ring);
	return 0;
}

/* Without a ring the die goes on. */
static int vgpu_compute_resume(struct vgpu_device *vdev)
{
	unsigned int i;

	compute_enable_irqs(vdev, true);
	for (i = 0; i < ARRAY_SIZE(vdev->compute); i++)
		vgpu_ring_resume(&vdev->compute[i].ring);
	return 0;
}

const struct vgpu_ip_block vgpu_compute_block = {
	.name = "compute",
	.sw_init = vgpu_compute_sw_init,
	.sw_fini = vgpu_compute_sw_fini,
	.hw_init = vgpu_compute_hw_init,
	.hw_fini = vgpu_compute_hw_fini,
	.late_init = vgpu_compute_late_init,
	.mode2 = true,
	.suspend = vgpu_compute_suspend,
	.resume = vgpu_compute_resume,
};
