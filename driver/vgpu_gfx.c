// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The command processor's graphics ring (CP_RB0), which executes PM4. No
 * microcode is loaded: the device brings its own.
 * Documentation/hardware.rst, "Command processor".
 */
#include <linux/delay.h>

#include <drm/amdgpu_drm.h>

#include <hw/doorbell.h>
#include <hw/ih.h>
#include <hw/pm4.h>
#include <hw/reg/gc.h>
#include <hw/reg/nbio.h>

#include "vgpu.h"

#define VGPU_GFX_RING_DW	8192

#define GFX_TEST_BEFORE		0xcafedead
#define GFX_TEST_AFTER		0xdeadbeef
#define GFX_TEST_TIMEOUT_US	USEC_PER_SEC
#define GFX_RESET_TIMEOUT_US	(100 * USEC_PER_MSEC)

/* Clocks between two looks of WAIT_REG_MEM at what it waits for */
#define GFX_POLL_INTERVAL	0x20

/* Set of contexts; the CP has eight. */
#define GFX_MAX_CONTEXT		7

/* ------------------------------------------------------------- pointers */

static u64 vgpu_gfx_get_rptr(struct vgpu_ring *ring)
{
	return lower_32_bits(vgpu_wb_read(ring->vdev, ring->rptr_slot));
}

static void vgpu_gfx_set_wptr(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;

	WRITE_ONCE(vdev->wb.cpu[ring->wptr_slot], cpu_to_le64(ring->wptr));
	vgpu_doorbell(vdev, ring->doorbell, ring->wptr);
}

/* ------------------------------------------------------------- emitters */

static void vgpu_gfx_insert_nop(struct vgpu_ring *ring, u32 count)
{
	u32 i;

	if (count == 1) {
		vgpu_ring_write(ring, ring->funcs->nop);
		return;
	}
	/* One packet whose payload is the rest. */
	for (i = 0; i < count; i++)
		vgpu_ring_write(ring, i ? ring->funcs->nop : PACKET3(PACKET3_NOP, count - 2));
}

static void vgpu_gfx_pad_ib(struct vgpu_ring *ring, struct vgpu_ib *ib)
{
	while (ib->length_dw & (ring->funcs->ib_align_dw - 1))
		ib->ptr[ib->length_dw++] = ring->funcs->nop;
}

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

static void vgpu_gfx_emit_fence(struct vgpu_ring *ring, u64 addr, u64 seq, u32 flags)
{
	/* At the end of the pipe, caches written back and invalidated. */
	vgpu_ring_write(ring, PACKET3(PACKET3_RELEASE_MEM, 6));
	vgpu_ring_write(ring, EOP_TCL1_ACTION_EN | EOP_TC_ACTION_EN | EOP_TC_MD_ACTION_EN |
			      EOP_TC_WB_ACTION_EN |
			      EVENT_TYPE(CACHE_FLUSH_AND_INV_TS_EVENT) |
			      EVENT_INDEX(EVENT_INDEX_END_OF_PIPE));
	vgpu_ring_write(ring, DATA_SEL(flags & VGPU_FENCE_64BIT ? RELEASE_MEM_DATA_64 :
								 RELEASE_MEM_DATA_32) |
			      INT_SEL(flags & VGPU_FENCE_IRQ ? RELEASE_MEM_INT_AFTER_CONFIRM :
							       RELEASE_MEM_INT_NONE));
	vgpu_ring_write(ring, lower_32_bits(addr));
	vgpu_ring_write(ring, upper_32_bits(addr));
	vgpu_ring_write(ring, lower_32_bits(seq));
	vgpu_ring_write(ring, upper_32_bits(seq));
	vgpu_ring_write(ring, 0);
}

static void vgpu_gfx_emit_wreg(struct vgpu_ring *ring, u32 reg, u32 val)
{
	vgpu_ring_write(ring, PACKET3(PACKET3_WRITE_DATA, 3));
	vgpu_ring_write(ring, WRITE_DATA_ENGINE_SEL(WRITE_DATA_ENGINE_SEL_PFP) |
			      WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_REG) | WR_CONFIRM);
	vgpu_ring_write(ring, reg);
	vgpu_ring_write(ring, 0);
	vgpu_ring_write(ring, val);
}

static void vgpu_gfx_emit_wait_reg(struct vgpu_ring *ring, u32 engine, u32 op, u32 reg, u32 reg2,
				   u32 ref, u32 mask)
{
	vgpu_ring_write(ring, PACKET3(PACKET3_WAIT_REG_MEM, 5));
	vgpu_ring_write(ring, WAIT_REG_MEM_MEM_SPACE(WAIT_REG_MEM_SPACE_REG) |
			      WAIT_REG_MEM_OPERATION(op) |
			      WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) |
			      WAIT_REG_MEM_ENGINE(engine));
	vgpu_ring_write(ring, reg);
	vgpu_ring_write(ring, reg2);
	vgpu_ring_write(ring, ref);
	vgpu_ring_write(ring, mask);
	vgpu_ring_write(ring, GFX_POLL_INTERVAL);
}

static void vgpu_gfx_emit_vm_flush(struct vgpu_ring *ring, u32 vmid, u64 pd_addr)
{
	struct vgpu_hub_regs regs;

	vgpu_gmc_hub_regs(ring->vdev, VGPU_GCHUB, vmid, ring->idx, &regs);

	vgpu_gfx_emit_wreg(ring, regs.pd_lo, lower_32_bits(pd_addr));
	vgpu_gfx_emit_wreg(ring, regs.pd_hi, upper_32_bits(pd_addr));
	vgpu_gfx_emit_wreg(ring, regs.inv_req, vgpu_gmc_inv_request(vmid));
	vgpu_gfx_emit_wait_reg(ring, WAIT_REG_MEM_ENGINE_ME, WAIT_REG_MEM_OP_WAIT,
			       regs.inv_ack, 0, BIT(vmid), BIT(vmid));

	/* The prefetcher must not read ahead through what was just replaced. */
	vgpu_ring_write(ring, PACKET3(PACKET3_PFP_SYNC_ME, 0));
	vgpu_ring_write(ring, 0);
}

static void vgpu_gfx_emit_hdp_flush(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u32 bit = GPU_HDP_FLUSH_DONE__CP0_MASK;

	vgpu_gfx_emit_wait_reg(ring, WAIT_REG_MEM_ENGINE_PFP, WAIT_REG_MEM_OP_WR_WAIT_WR_REG,
			       vgpu_reg(vdev, VGPU_HWIP_NBIO, regGPU_HDP_FLUSH_REQ),
			       vgpu_reg(vdev, VGPU_HWIP_NBIO, regGPU_HDP_FLUSH_DONE), bit, bit);
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

	vgpu_wreg(vdev, scratch, GFX_TEST_BEFORE);
	ret = vgpu_ring_alloc(ring, 3);
	if (ret)
		return ret;
	vgpu_ring_write(ring, PACKET3(PACKET3_SET_UCONFIG_REG, 1));
	vgpu_ring_write(ring, scratch - PACKET3_SET_UCONFIG_REG_START);
	vgpu_ring_write(ring, GFX_TEST_AFTER);
	vgpu_ring_commit(ring);

	return vgpu_wait_reg(vdev, scratch, ~0u, GFX_TEST_AFTER, GFX_TEST_TIMEOUT_US);
}

static int vgpu_gfx_test_ib(struct vgpu_ring *ring, long timeout)
{
	struct vgpu_device *vdev = ring->vdev;
	struct dma_fence *fence;
	struct vgpu_job *job;
	struct vgpu_ib *ib;
	u64 addr;
	u32 slot;
	long left;
	int ret;

	ret = vgpu_wb_get(vdev, &slot);
	if (ret)
		return ret;
	WRITE_ONCE(vdev->wb.cpu[slot], cpu_to_le64(GFX_TEST_BEFORE));
	addr = vdev->wb.gpu_addr + slot * sizeof(*vdev->wb.cpu);

	job = vgpu_job_alloc(ring, NULL, NULL, 1, NULL);
	if (IS_ERR(job)) {
		ret = PTR_ERR(job);
		goto put;
	}
	ib = &job->ibs[0];
	ret = vgpu_ib_get(vdev, 5 * sizeof(u32), ib);
	if (ret) {
		vgpu_job_free(job);
		goto put;
	}
	ib->ptr[0] = PACKET3(PACKET3_WRITE_DATA, 3);
	ib->ptr[1] = WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM) | WR_CONFIRM;
	ib->ptr[2] = lower_32_bits(addr);
	ib->ptr[3] = upper_32_bits(addr);
	ib->ptr[4] = GFX_TEST_AFTER;
	ib->length_dw = 5;

	fence = vgpu_job_submit_direct(job);
	if (IS_ERR(fence)) {
		ret = PTR_ERR(fence);
		goto put;
	}
	left = dma_fence_wait_timeout(fence, false, timeout);
	if (left <= 0)
		ret = left ?: -ETIMEDOUT;
	else if (fence->error)
		ret = fence->error;
	else if (vgpu_wb_read(vdev, slot) != GFX_TEST_AFTER)
		ret = -EIO;
	dma_fence_put(fence);
put:
	vgpu_wb_put(vdev, slot);
	return ret;
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

/* Halted, RPTR 0 and no packet in flight, whatever it was doing. */
static int vgpu_gfx_soft_reset(struct vgpu_device *vdev)
{
	u32 cp = GRBM_SOFT_RESET__SOFT_RESET_CP_MASK;
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
 * End what runs in @vmid; then the CP is reset, since the ring's contents are to
 * be forgotten too. Halted first: behind what is ended the ring would go on, to
 * the fence that says the job is done.
 */
static int vgpu_gfx_reset(struct vgpu_ring *ring, u32 vmid)
{
	struct vgpu_device *vdev = ring->vdev;
	int ret;

	vgpu_gfx_halt(vdev, true);
	WREG32(GC, regCP_VMID_RESET, REG_FIELD_PREP(CP_VMID_RESET, RESET_REQUEST, BIT(vmid)));
	ret = vgpu_gfx_soft_reset(vdev);
	if (ret)
		return ret;
	vgpu_gfx_program(ring);
	vgpu_gfx_halt(vdev, false);
	return 0;
}

/* -------------------------------------------------------------- reports */

static void vgpu_gfx_decode(struct vgpu_ring *ring, struct drm_printer *p)
{
	u64 rptr = vgpu_gfx_get_rptr(ring);

	vgpu_decode_pm4(ring, rptr, (ring->wptr - rptr) & (ring->size_dw - 1), p);
}

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
	.max_dw_frame = 5 * 3 + 7 + 2 +	/* VM flush */
			7 +		/* HDP flush */
			3 + 2 +		/* begin, end */
			8 + 8,		/* user fence, fence */
	.ib_dw = 4,
	.get_rptr = vgpu_gfx_get_rptr,
	.set_wptr = vgpu_gfx_set_wptr,
	.emit_ib = vgpu_gfx_emit_ib,
	.emit_fence = vgpu_gfx_emit_fence,
	.emit_vm_flush = vgpu_gfx_emit_vm_flush,
	.emit_hdp_flush = vgpu_gfx_emit_hdp_flush,
	.emit_begin = vgpu_gfx_emit_begin,
	.emit_end = vgpu_gfx_emit_end,
	.insert_nop = vgpu_gfx_insert_nop,
	.pad_ib = vgpu_gfx_pad_ib,
	.test_ring = vgpu_gfx_test_ring,
	.test_ib = vgpu_gfx_test_ib,
	.start = vgpu_gfx_start,
	.stop = vgpu_gfx_stop,
	.reset = vgpu_gfx_reset,
	.decode = vgpu_gfx_decode,
	.decode_at = vgpu_decode_pm4,
	.show_state = vgpu_gfx_show_state,
};

/* ----------------------------------------------------------- interrupts */

/* Engine 0 is the ME, and its only queue our ring. */
static bool vgpu_gfx_iv_ours(const struct vgpu_iv_entry *iv)
{
	return VGPU_IV_CP_RING_ME(iv->ring_id) == 0;
}

static void vgpu_gfx_eop(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	if (vgpu_gfx_iv_ours(iv))
		vgpu_fence_process(&vdev->gfx_ring);
}

static void vgpu_gfx_fault(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv,
			   const char *what)
{
	struct vgpu_ring *ring = &vdev->gfx_ring;
	char comm[TASK_COMM_LEN] = "kernel";
	pid_t pid = 0;
	u32 header;
	u64 addr;

	if (!vgpu_gfx_iv_ours(iv))
		return;
	if (iv->vmid)
		vgpu_vmid_owner(vdev, iv->vmid, &pid, comm);
	addr = (u64)RREG32(GC, regCP_IB1_BASE_HI) << 32 | RREG32(GC, regCP_IB1_BASE_LO);
	addr += (u64)RREG32(GC, regCP_IB1_OFFSET) * sizeof(u32);
	header = RREG32(GC, regCP_ME_HEADER_DUMP);
	drm_err_ratelimited(&vdev->drm,
			    "%s: %s, packet %s 0x%08x, IB address 0x%llx, VMID %u, process %s (%d)\n",
			    ring->name, what, vgpu_decode_pm4_name(header), header, addr,
			    iv->vmid, comm, pid);
	vgpu_ring_fault(ring, iv->timestamp);
}

static void vgpu_gfx_bad_opcode(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	vgpu_gfx_fault(vdev, iv, "bad opcode");
}

static void vgpu_gfx_reserved_bit(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	vgpu_gfx_fault(vdev, iv, "reserved bits in a packet");
}

static void vgpu_gfx_priv_reg(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	vgpu_gfx_fault(vdev, iv, "register out of reach");
}

static void vgpu_gfx_priv_instr(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	vgpu_gfx_fault(vdev, iv, "illegal instruction");
}

/* Only who read it is concerned: the job is dropped, and the ring goes on. */
static void vgpu_gfx_poison(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	vgpu_gfx_fault(vdev, iv, "poisoned memory");
}

static int vgpu_gfx_irq_init(struct vgpu_device *vdev)
{
	static const struct {
		u8 source;
		const char *name;
		vgpu_irq_handler handler;
	} srcs[] = {
		{ GFX_9_0__SRCID__CP_EOP_INTERRUPT, "cp end of pipe", vgpu_gfx_eop },
		{ GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR, "cp bad opcode", vgpu_gfx_bad_opcode },
		{ GFX_9_0__SRCID__CP_PM4_PKT_RSVD_BIT_ERROR, "cp reserved bit",
		  vgpu_gfx_reserved_bit },
		{ GFX_9_0__SRCID__CP_PRIV_REG_FAULT, "cp privileged register",
		  vgpu_gfx_priv_reg },
		{ GFX_9_0__SRCID__CP_PRIV_INSTR_FAULT, "cp illegal instruction",
		  vgpu_gfx_priv_instr },
		{ GFX_9_0__SRCID__CP_ECC_ERROR, "cp poisoned memory", vgpu_gfx_poison },
	};
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(srcs); i++) {
		ret = vgpu_irq_add(vdev, SOC15_IH_CLIENTID_GRBM_CP, srcs[i].source, srcs[i].name,
				   srcs[i].handler);
		if (ret)
			return ret;
	}
	return 0;
}

/* ---------------------------------------------------------------- block */

static int vgpu_gfx_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_ring *ring = &vdev->gfx_ring;
	int ret;

	ring->doorbell = VGPU_DOORBELL_DWORD_OFFSET(AMDGPU_VEGA20_DOORBELL_GFX_RING0);
	ret = vgpu_ring_init(vdev, ring, &vgpu_gfx_funcs, VGPU_GFX_RING_DW, "gfx");
	if (ret)
		return ret;
	ret = vgpu_gfx_irq_init(vdev);
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
