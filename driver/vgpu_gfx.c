// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The command processor's graphics ring (CP_RB0), which executes PM4. No
 * microcode is loaded: the device brings its own.
 * Documentation/hardware.rst, "Command processor".
 */
#include <linux/delay.h>

#include <drm/amdgpu_drm.h>

#include <hw/doorbell.h>
#include <hw/pm4.h>
#include <hw/reg/gc.h>
#include <hw/reg/vgpu.h>

#include "vgpu.h"
#include "vgpu_cp.h"

#define VGPU_GFX_RING_DW	8192

#define GFX_RESET_TIMEOUT_US	(100 * USEC_PER_MSEC)

/* Set of contexts; the CP has eight. */
#define GFX_MAX_CONTEXT		7

/* ------------------------------------------------------------- emitters */

static void vgpu_gfx_emit_ib(struct vgpu_ring *ring, struct vgpu_job *job, struct vgpu_ib *ib)
{
	u32 op = ib->flags & AMDGPU_IB_FLAG_CE ? PACKET3_INDIRECT_BUFFER_CONST :
						 PACKET3_INDIRECT_BUFFER;

	vgpu_ring_write(ring, PACKET3(op, 2));
	vgpu_ring_write(ring, lower_32_bits(ib->gpu_addr) & ~3u);
	vgpu_ring_write(ring, upper_32_bits(ib->gpu_addr));
	vgpu_ring_write(ring, INDIRECT_BUFFER_IB_SIZE(ib->length_dw) |
			      INDIRECT_BUFFER_VMID(job->vmid));
}

/* Without shadow memory nothing is loaded, but the packet begins a context. */
static void vgpu_gfx_emit_begin(struct vgpu_ring *ring)
{
	vgpu_ring_write(ring, PACKET3(PACKET3_CONTEXT_CONTROL, 1));
	vgpu_ring_write(ring, PACKET3_CONTEXT_CONTROL_ENABLE);
	vgpu_ring_write(ring, 0);
}

static void vgpu_gfx_emit_end(struct vgpu_ring *ring)
{
	vgpu_ring_write(ring, PACKET3(PACKET3_SWITCH_BUFFER, 0));
	vgpu_ring_write(ring, 0);
}

/* ---------------------------------------------------------------- tests */

static int vgpu_gfx_test_ring(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u32 scratch = vgpu_reg(vdev, VGPU_HWIP_GC, regSCRATCH_REG0);
	int ret;

	vgpu_wreg(vdev, scratch, VGPU_CP_TEST_BEFORE);
	ret = vgpu_ring_alloc(ring, 3);
	if (ret)
		return ret;
	vgpu_ring_write(ring, PACKET3(PACKET3_SET_UCONFIG_REG, 1));
	vgpu_ring_write(ring, scratch - PACKET3_SET_UCONFIG_REG_START);
	vgpu_ring_write(ring, VGPU_CP_TEST_AFTER);
	vgpu_ring_commit(ring);

	return vgpu_wait_reg(vdev, scratch, ~0u, VGPU_CP_TEST_AFTER, VGPU_CP_TEST_TIMEOUT_US);
}

/* ---------------------------------------------------------- start, stop */

static void vgpu_gfx_halt(struct vgpu_device *vdev, bool halt)
{
	u32 tmp = RREG32(GC, regCP_ME_CNTL);

	tmp = REG_FIELD_SET(tmp, CP_ME_CNTL, ME_HALT, halt);
	tmp = REG_FIELD_SET(tmp, CP_ME_CNTL, PFP_HALT, halt);
	tmp = REG_FIELD_SET(tmp, CP_ME_CNTL, CE_HALT, halt);
	WREG32(GC, regCP_ME_CNTL, tmp);
}

static void vgpu_gfx_stop(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u32 tmp;

	WREG32(GC, regCP_INT_CNTL_RING0, 0);
	vgpu_gfx_halt(vdev, true);
	tmp = RREG32(GC, regCP_RB_DOORBELL_CONTROL);
	WREG32(GC, regCP_RB_DOORBELL_CONTROL,
	       REG_FIELD_SET(tmp, CP_RB_DOORBELL_CONTROL, DOORBELL_EN, 0));
}

/* Registers of the ring; it must be halted and stays so. */
static void vgpu_gfx_program(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u64 rptr_addr = vdev->wb.gpu_addr + ring->rptr_slot * sizeof(*vdev->wb.cpu);
	u64 wptr_addr = vdev->wb.gpu_addr + ring->wptr_slot * sizeof(*vdev->wb.cpu);
	u32 order = ilog2(ring->size_dw) - 1;	/* in units of two dwords */
	u32 cntl, tmp;

	vgpu_ring_rewind(ring);

	WREG32(GC, regCP_RB_WPTR_DELAY, 0);
	WREG32(GC, regCP_RB_VMID, 0);

	cntl = REG_FIELD_PREP(CP_RB0_CNTL, RB_BUFSZ, order) |
	       REG_FIELD_PREP(CP_RB0_CNTL, RB_BLKSZ, order - 2);
	WREG32(GC, regCP_RB0_CNTL, cntl);

	WREG32(GC, regCP_RB0_WPTR, 0);
	WREG32(GC, regCP_RB0_WPTR_HI, 0);
	WREG32(GC, regCP_RB0_RPTR_ADDR, lower_32_bits(rptr_addr));
	WREG32(GC, regCP_RB0_RPTR_ADDR_HI,
	       REG_FIELD_PREP(CP_RB0_RPTR_ADDR_HI, RB_RPTR_ADDR_HI, upper_32_bits(rptr_addr)));

	/* The copy of the write pointer is there, but doorbells are not lost. */
	tmp = RREG32(GC, regCP_RB_WPTR_POLL_CNTL);
	WREG32(GC, regCP_RB_WPTR_POLL_CNTL,
	       REG_FIELD_SET(tmp, CP_RB_WPTR_POLL_CNTL, POLL_FREQUENCY, 0));
	WREG32(GC, regCP_RB_WPTR_POLL_ADDR_LO, lower_32_bits(wptr_addr));
	WREG32(GC, regCP_RB_WPTR_POLL_ADDR_HI,
	       REG_FIELD_PREP(CP_RB_WPTR_POLL_ADDR_HI, RB_WPTR_POLL_ADDR_HI,
			      upper_32_bits(wptr_addr)));

	WREG32(GC, regCP_RB0_BASE, lower_32_bits(ring->gpu_addr >> 8));
	WREG32(GC, regCP_RB0_BASE_HI, upper_32_bits(ring->gpu_addr >> 8));

	tmp = RREG32(GC, regCP_RB_DOORBELL_CONTROL);
	tmp = REG_FIELD_SET(tmp, CP_RB_DOORBELL_CONTROL, DOORBELL_OFFSET, ring->doorbell);
	tmp = REG_FIELD_SET(tmp, CP_RB_DOORBELL_CONTROL, DOORBELL_EN, 1);
	WREG32(GC, regCP_RB_DOORBELL_CONTROL, tmp);
	WREG32(GC, regCP_RB_DOORBELL_RANGE_LOWER,
	       REG_FIELD_PREP(CP_RB_DOORBELL_RANGE_LOWER, DOORBELL_RANGE_LOWER, ring->doorbell));
	WREG32(GC, regCP_RB_DOORBELL_RANGE_UPPER,
	       CP_RB_DOORBELL_RANGE_UPPER__DOORBELL_RANGE_UPPER_MASK);

	WREG32(GC, regCP_MAX_CONTEXT, GFX_MAX_CONTEXT);
	WREG32(GC, regCP_DEVICE_ID, 1);
	WREG32(GC, regCP_INT_CNTL_RING0,
	       CP_INT_CNTL_RING0__TIME_STAMP_INT_ENABLE_MASK |
	       CP_INT_CNTL_RING0__CP_ECC_ERROR_INT_ENABLE_MASK |
	       CP_INT_CNTL_RING0__PRIV_REG_INT_ENABLE_MASK |
	       CP_INT_CNTL_RING0__PRIV_INSTR_INT_ENABLE_MASK |
	       CP_INT_CNTL_RING0__OPCODE_ERROR_INT_ENABLE_MASK |
	       CP_INT_CNTL_RING0__RESERVED_BIT_ERROR_INT_ENABLE_MASK);
}

#define GFX_CLEAR_STATE_DW	(2 + 3 + 2 + 2 + 4 + 3)

/*
 * The state of a context that nobody has set anything in. There are no draws
 * to have defaults for, so the preamble between begin and end is empty.
 */
static void vgpu_gfx_emit_clear_state(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;

	vgpu_ring_write(ring, PACKET3(PACKET3_PREAMBLE_CNTL, 0));
	vgpu_ring_write(ring, PACKET3_PREAMBLE_BEGIN_CLEAR_STATE);

	vgpu_ring_write(ring, PACKET3(PACKET3_CONTEXT_CONTROL, 1));
	vgpu_ring_write(ring, PACKET3_CONTEXT_CONTROL_ENABLE);
	vgpu_ring_write(ring, PACKET3_CONTEXT_CONTROL_ENABLE);

	vgpu_ring_write(ring, PACKET3(PACKET3_PREAMBLE_CNTL, 0));
	vgpu_ring_write(ring, PACKET3_PREAMBLE_END_CLEAR_STATE);

	vgpu_ring_write(ring, PACKET3(PACKET3_CLEAR_STATE, 0));
	vgpu_ring_write(ring, PACKET3_CLEAR_STATE_CLEAR);

	/* How the constant engine's memory is shared out: offsets, not addresses */
	vgpu_ring_write(ring, PACKET3(PACKET3_SET_BASE, 2));
	vgpu_ring_write(ring, PACKET3_BASE_INDEX(CE_PARTITION_BASE));
	vgpu_ring_write(ring, 0x8000);
	vgpu_ring_write(ring, 0x8000);

	vgpu_ring_write(ring, PACKET3(PACKET3_SET_UCONFIG_REG, 1));
	vgpu_ring_write(ring, PACKET3_SET_UCONFIG_REG_INDEX_TYPE |
			      (vgpu_reg(vdev, VGPU_HWIP_GC, regVGT_INDEX_TYPE) -
			       PACKET3_SET_UCONFIG_REG_START));
	vgpu_ring_write(ring, 0);
}

/*
 * Halted, RPTR 0 and no packet in flight, whatever it was doing; of the CP only the
 * graphics half, for the compute queues go on.
 */
static int vgpu_gfx_soft_reset(struct vgpu_device *vdev)
{
	u32 cp = GRBM_SOFT_RESET__SOFT_RESET_CPG_MASK;
	u32 tmp;
	int ret;

	vgpu_gfx_halt(vdev, true);

	tmp = RREG32(GC, regGRBM_SOFT_RESET);
	WREG32(GC, regGRBM_SOFT_RESET, tmp | cp);
	RREG32(GC, regGRBM_SOFT_RESET);		/* it has arrived */
	usleep_range(50, 100);
	WREG32(GC, regGRBM_SOFT_RESET, tmp & ~cp);
	RREG32(GC, regGRBM_SOFT_RESET);

	ret = vgpu_wait_reg(vdev, vgpu_reg(vdev, VGPU_HWIP_GC, regCP_RB0_RPTR),
			    CP_RB0_RPTR__RB_RPTR_MASK, 0, GFX_RESET_TIMEOUT_US);
	if (ret)
		return ret;
	return vgpu_wait_reg(vdev, vgpu_reg(vdev, VGPU_HWIP_GC, regCP_STAT),
			     CP_STAT__CP_BUSY_MASK, 0, GFX_RESET_TIMEOUT_US);
}

static int vgpu_gfx_start(struct vgpu_ring *ring)
{
	int ret;

	/* Whoever had the die before may have left the ring somewhere. */
	ret = vgpu_gfx_soft_reset(ring->vdev);
	if (ret)
		return ret;
	vgpu_gfx_program(ring);
	vgpu_gfx_halt(ring->vdev, false);

	ret = vgpu_ring_alloc(ring, GFX_CLEAR_STATE_DW);
	if (ret)
		return ret;
	vgpu_gfx_emit_clear_state(ring);
	vgpu_ring_commit(ring);
	return 0;
}

/*
 * The CP's graphics half is reset, since the ring's contents are to be forgotten
 * too. CP_VMID_RESET, which ends what runs in a VMID, would end what compute rings
 * do for the same process, and they would go on to the fences of that.
 */
static int vgpu_gfx_reset(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	int ret;

	ret = vgpu_gfx_soft_reset(vdev);
	if (ret)
		return ret;
	vgpu_gfx_program(ring);
	vgpu_gfx_halt(vdev, false);
	return 0;
}

/* -------------------------------------------------------------- reports */

static void vgpu_gfx_show_state(struct vgpu_ring *ring, struct drm_printer *p)
{
	static const struct {
		const char *name;
		u32 reg;
	} regs[] = {
		{ "CP_RB0_CNTL", regCP_RB0_CNTL },
		{ "CP_RB0_RPTR", regCP_RB0_RPTR },
		{ "CP_RB0_WPTR", regCP_RB0_WPTR },
		{ "CP_ME_CNTL", regCP_ME_CNTL },
		{ "CP_STAT", regCP_STAT },
		{ "CP_ME_HEADER_DUMP", regCP_ME_HEADER_DUMP },
		{ "CP_PFP_HEADER_DUMP", regCP_PFP_HEADER_DUMP },
		{ "CP_IB1_BASE_LO", regCP_IB1_BASE_LO },
		{ "CP_IB1_BASE_HI", regCP_IB1_BASE_HI },
		{ "CP_IB1_OFFSET", regCP_IB1_OFFSET },
		{ "CP_IB1_BUFSZ", regCP_IB1_BUFSZ },
		{ "CP_IB2_BASE_LO", regCP_IB2_BASE_LO },
		{ "CP_IB2_BASE_HI", regCP_IB2_BASE_HI },
		{ "CP_IB2_OFFSET", regCP_IB2_OFFSET },
		{ "CP_INT_STATUS_RING0", regCP_INT_STATUS_RING0 },
		{ "GRBM_STATUS", regGRBM_STATUS },
	};
	struct vgpu_device *vdev = ring->vdev;
	unsigned int i;

	drm_printf(p, "stands at %s\n", vgpu_decode_pm4_name(RREG32(GC, regCP_ME_HEADER_DUMP)));
	for (i = 0; i < ARRAY_SIZE(regs); i++)
		drm_printf(p, "%s 0x%08x\n", regs[i].name,
			   vgpu_rreg(vdev, vgpu_reg(vdev, VGPU_HWIP_GC, regs[i].reg)));
}

static const struct vgpu_ring_funcs vgpu_gfx_funcs = {
	.hw_ip = AMDGPU_HW_IP_GFX,
	.align_mask = 0xff,
	.nop = PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT),
	.ib_align_dw = 8,
	.max_ibs = 192,
	.max_dw_frame = VGPU_CP_VM_FLUSH_DW + VGPU_CP_HDP_FLUSH_DW +
			3 + 2 +			/* begin, end */
			2 * VGPU_CP_FENCE_DW,	/* of the user, and ours */
	.ib_dw = 4,
	.get_rptr = vgpu_cp_get_rptr,
	.set_wptr = vgpu_cp_set_wptr,
	.emit_ib = vgpu_gfx_emit_ib,
	.emit_fence = vgpu_cp_emit_fence,
	.emit_vm_flush = vgpu_cp_emit_vm_flush,
	.emit_hdp_flush = vgpu_cp_emit_hdp_flush,
	.emit_begin = vgpu_gfx_emit_begin,
	.emit_end = vgpu_gfx_emit_end,
	.insert_nop = vgpu_cp_insert_nop,
	.pad_ib = vgpu_cp_pad_ib,
	.test_ring = vgpu_gfx_test_ring,
	.test_ib = vgpu_cp_test_ib,
	.start = vgpu_gfx_start,
	.stop = vgpu_gfx_stop,
	.reset = vgpu_gfx_reset,
	.decode = vgpu_cp_decode,
	.decode_at = vgpu_decode_pm4,
	.show_state = vgpu_gfx_show_state,
};

/* ---------------------------------------------------------------- block */

static int vgpu_gfx_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_ring *ring = &vdev->gfx_ring;
	int ret;

	ring->trace = VGPU_TRACE_QUEUE_GFX;
	ring->doorbell = VGPU_DOORBELL_DWORD_OFFSET(AMDGPU_VEGA20_DOORBELL_GFX_RING0);
	ret = vgpu_ring_init(vdev, ring, &vgpu_gfx_funcs, VGPU_GFX_RING_DW, "gfx");
	if (ret)
		return ret;
	ret = vgpu_cp_irq_init(vdev);
	if (ret)
		vgpu_ring_fini(ring);
	return ret;
}

static void vgpu_gfx_sw_fini(struct vgpu_device *vdev)
{
	vgpu_ring_fini(&vdev->gfx_ring);
}

static int vgpu_gfx_hw_init(struct vgpu_device *vdev)
{
	return vgpu_gfx_start(&vdev->gfx_ring);
}

static void vgpu_gfx_hw_fini(struct vgpu_device *vdev)
{
	vgpu_ring_stop(&vdev->gfx_ring);
}

/* Without the ring there are still the SDMA engines: not an error of the die. */
static int vgpu_gfx_late_init(struct vgpu_device *vdev)
{
	vgpu_ring_test(&vdev->gfx_ring);
	return 0;
}

static int vgpu_gfx_suspend(struct vgpu_device *vdev)
{
	vgpu_ring_suspend(&vdev->gfx_ring);
	return 0;
}

/* Likewise: without the ring the die goes on. */
static int vgpu_gfx_resume(struct vgpu_device *vdev)
{
	vgpu_ring_resume(&vdev->gfx_ring);
	return 0;
}

const struct vgpu_ip_block vgpu_gfx_block = {
	.name = "gfx",
	.sw_init = vgpu_gfx_sw_init,
	.sw_fini = vgpu_gfx_sw_fini,
	.hw_init = vgpu_gfx_hw_init,
	.hw_fini = vgpu_gfx_hw_fini,
	.late_init = vgpu_gfx_late_init,
	.mode2 = true,
	.suspend = vgpu_gfx_suspend,
	.resume = vgpu_gfx_resume,
};
