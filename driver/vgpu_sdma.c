// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * SDMA engines: copy, fill and write memory, page tables among it. Each has a
 * gfx queue, a ring of ours, whose addresses go through the MM hub.
 * Documentation/hardware.rst, "SDMA".
 */
#include <drm/amdgpu_drm.h>

#include <hw/doorbell.h>
#include <hw/ih.h>
#include <hw/reg/nbio.h>
#include <hw/reg/sdma.h>
#include <hw/reg/vgpu.h>
#include <hw/sdma.h>

#include "vgpu.h"

#define VGPU_SDMA_RING_DW	8192

/* Functions of POLL_REGMEM are those of WAIT_REG_MEM. */
#define SDMA_POLL_EQ		3
#define SDMA_POLL_FOREVER	0xfff
#define SDMA_POLL_INTERVAL	10

#define SDMA_TEST_BEFORE	0xcafedead
#define SDMA_TEST_AFTER		0xdeadbeef
#define SDMA_TEST_TIMEOUT_US	USEC_PER_SEC
#define SDMA_IDLE_TIMEOUT_US	USEC_PER_SEC

static const u8 vgpu_sdma_client[VGPU_MAX_SDMA] = {
	SOC15_IH_CLIENTID_SDMA0,
	SOC15_IH_CLIENTID_SDMA1,
	SOC15_IH_CLIENTID_SDMA2,
	SOC15_IH_CLIENTID_SDMA3,
	SOC15_IH_CLIENTID_SDMA4,
};

static const u32 vgpu_sdma_doorbell[VGPU_MAX_SDMA] = {
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE0,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE1,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE2,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE3,
	AMDGPU_VEGA20_DOORBELL_sDMA_ENGINE4,
};

/**
 * vgpu_sdma_reg() - absolute dword offset of a register
 * @vdev: the die
 * @n: engine
 * @reg: of engine 0; all have the same, the first two in segment 0
 */
u32 vgpu_sdma_reg(const struct vgpu_device *vdev, u32 n, u32 reg)
{
	return vdev->ip[VGPU_HWIP_SDMA0 + n].base[n < 2 ? 0 : 1] + VGPU_REG_OFF(reg);
}

static u32 sdma_rreg(struct vgpu_ring *ring, u32 reg)
{
	return vgpu_rreg(ring->vdev, vgpu_sdma_reg(ring->vdev, ring->instance, reg));
}

static void sdma_wreg(struct vgpu_ring *ring, u32 reg, u32 val)
{
	vgpu_wreg(ring->vdev, vgpu_sdma_reg(ring->vdev, ring->instance, reg), val);
}

/* ------------------------------------------------------------- pointers */

/* The hardware counts bytes. */
static u64 vgpu_sdma_get_rptr(struct vgpu_ring *ring)
{
	return vgpu_wb_read(ring->vdev, ring->rptr_slot) >> 2;
}

static void vgpu_sdma_set_wptr(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u64 wptr = ring->wptr << 2;

	WRITE_ONCE(vdev->wb.cpu[ring->wptr_slot], cpu_to_le64(wptr));
	vgpu_doorbell(vdev, ring->doorbell, wptr);
}

/* ------------------------------------------------------------- emitters */

static void vgpu_sdma_insert_nop(struct vgpu_ring *ring, u32 count)
{
	u32 i;

	/* One packet that skips the rest. */
	for (i = 0; i < count; i++)
		vgpu_ring_write(ring, i ? 0 : SDMA_PKT_NOP_HEADER_OP(SDMA_OP_NOP) |
					      SDMA_PKT_NOP_HEADER_COUNT(count - 1));
}

static void vgpu_sdma_pad_ib(struct vgpu_ring *ring, struct vgpu_ib *ib)
{
	u32 pad = -ib->length_dw & (ring->funcs->ib_align_dw - 1);
	u32 i;

	for (i = 0; i < pad; i++)
		ib->ptr[ib->length_dw++] = i ? 0 : SDMA_PKT_NOP_HEADER_OP(SDMA_OP_NOP) |
						   SDMA_PKT_NOP_HEADER_COUNT(pad - 1);
}

static void vgpu_sdma_emit_ib(struct vgpu_ring *ring, struct vgpu_job *job, struct vgpu_ib *ib)
{
	/* INDIRECT, six dwords, must end on a multiple of eight. */
	u32 pad = (2 - lower_32_bits(ring->wptr)) & 7;

	if (pad)
		vgpu_sdma_insert_nop(ring, pad);

	vgpu_ring_write(ring, SDMA_PKT_INDIRECT_HEADER_OP(SDMA_OP_INDIRECT) |
			      SDMA_PKT_INDIRECT_HEADER_VMID(job->vmid));
	vgpu_ring_write(ring, lower_32_bits(ib->gpu_addr) & ~0x1fu);
	vgpu_ring_write(ring, upper_32_bits(ib->gpu_addr));
	vgpu_ring_write(ring, SDMA_PKT_INDIRECT_IB_SIZE_IB_SIZE(ib->length_dw));
	vgpu_ring_write(ring, 0);	/* no context save area */
	vgpu_ring_write(ring, 0);
}

static void vgpu_sdma_emit_fence_dw(struct vgpu_ring *ring, u64 addr, u32 val)
{
	vgpu_ring_write(ring, SDMA_PKT_FENCE_HEADER_OP(SDMA_OP_FENCE));
	vgpu_ring_write(ring, lower_32_bits(addr));
	vgpu_ring_write(ring, upper_32_bits(addr));
	vgpu_ring_write(ring, val);
}

static void vgpu_sdma_emit_fence(struct vgpu_ring *ring, u64 addr, u64 seq, u32 flags)
{
	/* Who polls the low half must find the high one there. */
	if (flags & VGPU_FENCE_64BIT)
		vgpu_sdma_emit_fence_dw(ring, addr + 4, upper_32_bits(seq));
	vgpu_sdma_emit_fence_dw(ring, addr, lower_32_bits(seq));

	if (flags & VGPU_FENCE_IRQ) {
		vgpu_ring_write(ring, SDMA_PKT_TRAP_HEADER_OP(SDMA_OP_TRAP));
		vgpu_ring_write(ring, SDMA_PKT_TRAP_INT_CONTEXT_INT_CONTEXT(0));
	}
}

static void vgpu_sdma_emit_wreg(struct vgpu_ring *ring, u32 reg, u32 val)
{
	vgpu_ring_write(ring, SDMA_PKT_SRBM_WRITE_HEADER_OP(SDMA_OP_SRBM_WRITE) |
			      SDMA_PKT_SRBM_WRITE_HEADER_BYTE_EN(0xf));
	vgpu_ring_write(ring, SDMA_PKT_SRBM_WRITE_ADDR_ADDR(reg));
	vgpu_ring_write(ring, val);
}

/* Registers go in as byte addresses; an HDP flush has two: done, request. */
static void vgpu_sdma_emit_poll_reg(struct vgpu_ring *ring, bool hdp, u32 reg, u32 reg2, u32 ref,
				    u32 mask)
{
	vgpu_ring_write(ring, SDMA_PKT_POLL_REGMEM_HEADER_OP(SDMA_OP_POLL_REGMEM) |
			      SDMA_PKT_POLL_REGMEM_HEADER_HDP_FLUSH(hdp) |
			      SDMA_PKT_POLL_REGMEM_HEADER_FUNC(SDMA_POLL_EQ) |
			      SDMA_PKT_POLL_REGMEM_HEADER_MEM_POLL(0));
	vgpu_ring_write(ring, reg << 2);
	vgpu_ring_write(ring, reg2 << 2);
	vgpu_ring_write(ring, ref);
	vgpu_ring_write(ring, mask);
	vgpu_ring_write(ring, SDMA_PKT_POLL_REGMEM_DW5_RETRY_COUNT(SDMA_POLL_FOREVER) |
			      SDMA_PKT_POLL_REGMEM_DW5_INTERVAL(SDMA_POLL_INTERVAL));
}

static void vgpu_sdma_emit_vm_flush(struct vgpu_ring *ring, u32 vmid, u64 pd_addr)
{
	struct vgpu_device *vdev = ring->vdev;
	struct vgpu_hub_regs regs;

	vgpu_gmc_hub_regs(vdev, VGPU_MMHUB, vmid, ring->idx, &regs);

	/* Reading 1 takes the semaphore that keeps the MM hub powered. */
	vgpu_sdma_emit_poll_reg(ring, false, regs.inv_sem, 0, 1, 1);
	vgpu_sdma_emit_wreg(ring, regs.pd_lo, lower_32_bits(pd_addr));
	vgpu_sdma_emit_wreg(ring, regs.pd_hi, upper_32_bits(pd_addr));
	vgpu_sdma_emit_wreg(ring, regs.inv_req, vgpu_gmc_inv_request(vmid));
	vgpu_sdma_emit_poll_reg(ring, false, regs.inv_ack, 0, BIT(vmid), BIT(vmid));
	vgpu_sdma_emit_wreg(ring, regs.inv_sem, 0);
}

static void vgpu_sdma_emit_hdp_flush(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u32 bit = GPU_HDP_FLUSH_DONE__SDMA0_MASK << ring->instance;

	vgpu_sdma_emit_poll_reg(ring, true,
				vgpu_reg(vdev, VGPU_HWIP_NBIO, regGPU_HDP_FLUSH_DONE),
				vgpu_reg(vdev, VGPU_HWIP_NBIO, regGPU_HDP_FLUSH_REQ), bit, bit);
}

/* ---------------------------------------------------------------- tests */

/* Five dwords of WRITE that put SDMA_TEST_AFTER into memory. */
static void vgpu_sdma_test_packet(u32 *dw, u64 addr)
{
	dw[0] = SDMA_PKT_WRITE_UNTILED_HEADER_OP(SDMA_OP_WRITE) |
		SDMA_PKT_WRITE_UNTILED_HEADER_SUB_OP(SDMA_SUBOP_WRITE_LINEAR);
	dw[1] = lower_32_bits(addr);
	dw[2] = upper_32_bits(addr);
	dw[3] = SDMA_PKT_WRITE_UNTILED_DW_3_COUNT(0);
	dw[4] = SDMA_TEST_AFTER;
}

#define SDMA_TEST_DW	5

static int vgpu_sdma_test_ring(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u32 slot, dw[SDMA_TEST_DW];
	unsigned int i;
	int ret;

	ret = vgpu_wb_get(vdev, &slot);
	if (ret)
		return ret;
	WRITE_ONCE(vdev->wb.cpu[slot], cpu_to_le64(SDMA_TEST_BEFORE));

	ret = vgpu_ring_alloc(ring, SDMA_TEST_DW);
	if (ret)
		goto put;
	vgpu_sdma_test_packet(dw, vdev->wb.gpu_addr + slot * sizeof(*vdev->wb.cpu));
	for (i = 0; i < SDMA_TEST_DW; i++)
		vgpu_ring_write(ring, dw[i]);
	vgpu_ring_commit(ring);

	ret = vgpu_wb_wait(vdev, slot, SDMA_TEST_AFTER, SDMA_TEST_TIMEOUT_US);
put:
	vgpu_wb_put(vdev, slot);
	return ret;
}

static int vgpu_sdma_test_ib(struct vgpu_ring *ring, long timeout)
{
	struct vgpu_device *vdev = ring->vdev;
	struct dma_fence *fence;
	struct vgpu_job *job;
	u32 slot;
	long left;
	int ret;

	ret = vgpu_wb_get(vdev, &slot);
	if (ret)
		return ret;
	WRITE_ONCE(vdev->wb.cpu[slot], cpu_to_le64(SDMA_TEST_BEFORE));

	job = vgpu_job_alloc(ring, NULL, NULL, 1, NULL);
	if (IS_ERR(job)) {
		ret = PTR_ERR(job);
		goto put;
	}
	ret = vgpu_ib_get(vdev, SDMA_TEST_DW * sizeof(u32), &job->ibs[0]);
	if (ret) {
		vgpu_job_free(job);
		goto put;
	}
	vgpu_sdma_test_packet(job->ibs[0].ptr,
			      vdev->wb.gpu_addr + slot * sizeof(*vdev->wb.cpu));
	job->ibs[0].length_dw = SDMA_TEST_DW;

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
	else if (vgpu_wb_read(vdev, slot) != SDMA_TEST_AFTER)
		ret = -EIO;
	dma_fence_put(fence);
put:
	vgpu_wb_put(vdev, slot);
	return ret;
}

/* ---------------------------------------------------------- start, stop */

static void vgpu_sdma_halt(struct vgpu_ring *ring, bool halt)
{
	u32 tmp = sdma_rreg(ring, regSDMA0_F32_CNTL);

	sdma_wreg(ring, regSDMA0_F32_CNTL, REG_FIELD_SET(tmp, SDMA0_F32_CNTL, HALT, halt));
}

static void vgpu_sdma_stop(struct vgpu_ring *ring)
{
	u32 tmp;

	tmp = sdma_rreg(ring, regSDMA0_GFX_RB_CNTL);
	sdma_wreg(ring, regSDMA0_GFX_RB_CNTL,
		  REG_FIELD_SET(tmp, SDMA0_GFX_RB_CNTL, RB_ENABLE, 0));
	tmp = sdma_rreg(ring, regSDMA0_GFX_IB_CNTL);
	sdma_wreg(ring, regSDMA0_GFX_IB_CNTL,
		  REG_FIELD_SET(tmp, SDMA0_GFX_IB_CNTL, IB_ENABLE, 0));
	vgpu_sdma_halt(ring, true);
}

static int vgpu_sdma_start(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u64 rptr_addr = vdev->wb.gpu_addr + ring->rptr_slot * sizeof(*vdev->wb.cpu);
	u64 wptr_addr = vdev->wb.gpu_addr + ring->wptr_slot * sizeof(*vdev->wb.cpu);
	u32 rb_cntl, tmp;

	vgpu_ring_rewind(ring);

	/* A semaphore that is never signalled must not let the engine go on. */
	sdma_wreg(ring, regSDMA0_SEM_WAIT_FAIL_TIMER_CNTL, 0);

	rb_cntl = sdma_rreg(ring, regSDMA0_GFX_RB_CNTL);
	rb_cntl = REG_FIELD_SET(rb_cntl, SDMA0_GFX_RB_CNTL, RB_ENABLE, 0);
	rb_cntl = REG_FIELD_SET(rb_cntl, SDMA0_GFX_RB_CNTL, RB_SIZE, ilog2(ring->size_dw));
	sdma_wreg(ring, regSDMA0_GFX_RB_CNTL, rb_cntl);

	sdma_wreg(ring, regSDMA0_GFX_RB_RPTR, 0);
	sdma_wreg(ring, regSDMA0_GFX_RB_RPTR_HI, 0);
	sdma_wreg(ring, regSDMA0_GFX_RB_WPTR, 0);
	sdma_wreg(ring, regSDMA0_GFX_RB_WPTR_HI, 0);

	sdma_wreg(ring, regSDMA0_GFX_RB_RPTR_ADDR_HI, upper_32_bits(rptr_addr));
	sdma_wreg(ring, regSDMA0_GFX_RB_RPTR_ADDR_LO, lower_32_bits(rptr_addr));
	rb_cntl = REG_FIELD_SET(rb_cntl, SDMA0_GFX_RB_CNTL, RPTR_WRITEBACK_ENABLE, 1);

	sdma_wreg(ring, regSDMA0_GFX_RB_BASE, lower_32_bits(ring->gpu_addr >> 8));
	sdma_wreg(ring, regSDMA0_GFX_RB_BASE_HI, upper_32_bits(ring->gpu_addr >> 8));

	/* A write pointer that goes backwards is refused but in this mode. */
	sdma_wreg(ring, regSDMA0_GFX_MINOR_PTR_UPDATE, 1);
	tmp = sdma_rreg(ring, regSDMA0_GFX_DOORBELL);
	sdma_wreg(ring, regSDMA0_GFX_DOORBELL, REG_FIELD_SET(tmp, SDMA0_GFX_DOORBELL, ENABLE, 1));
	tmp = sdma_rreg(ring, regSDMA0_GFX_DOORBELL_OFFSET);
	sdma_wreg(ring, regSDMA0_GFX_DOORBELL_OFFSET,
		  REG_FIELD_SET(tmp, SDMA0_GFX_DOORBELL_OFFSET, OFFSET, ring->doorbell));
	vgpu_sdma_set_wptr(ring);
	sdma_wreg(ring, regSDMA0_GFX_MINOR_PTR_UPDATE, 0);

	/* The copy of the write pointer is there, but doorbells are not lost. */
	sdma_wreg(ring, regSDMA0_GFX_RB_WPTR_POLL_ADDR_LO, lower_32_bits(wptr_addr));
	sdma_wreg(ring, regSDMA0_GFX_RB_WPTR_POLL_ADDR_HI, upper_32_bits(wptr_addr));
	tmp = sdma_rreg(ring, regSDMA0_GFX_RB_WPTR_POLL_CNTL);
	sdma_wreg(ring, regSDMA0_GFX_RB_WPTR_POLL_CNTL,
		  REG_FIELD_SET(tmp, SDMA0_GFX_RB_WPTR_POLL_CNTL, F32_POLL_ENABLE, 0));

	tmp = sdma_rreg(ring, regSDMA0_CNTL);
	tmp = REG_FIELD_SET(tmp, SDMA0_CNTL, TRAP_ENABLE, 1);
	tmp = REG_FIELD_SET(tmp, SDMA0_CNTL, UTC_L1_ENABLE, 1);
	tmp = REG_FIELD_SET(tmp, SDMA0_CNTL, AUTO_CTXSW_ENABLE, 1);
	sdma_wreg(ring, regSDMA0_CNTL, tmp);

	tmp = sdma_rreg(ring, regSDMA0_EDC_CONFIG);
	sdma_wreg(ring, regSDMA0_EDC_CONFIG,
		  REG_FIELD_SET(tmp, SDMA0_EDC_CONFIG, ECC_INT_ENABLE, 1));

	sdma_wreg(ring, regSDMA0_GFX_RB_CNTL,
		  REG_FIELD_SET(rb_cntl, SDMA0_GFX_RB_CNTL, RB_ENABLE, 1));
	tmp = sdma_rreg(ring, regSDMA0_GFX_IB_CNTL);
	sdma_wreg(ring, regSDMA0_GFX_IB_CNTL,
		  REG_FIELD_SET(tmp, SDMA0_GFX_IB_CNTL, IB_ENABLE, 1));
	vgpu_sdma_halt(ring, false);
	return 0;
}

/* An engine runs one job at a time: what runs is stopped, whatever its VMID. */
static int vgpu_sdma_reset(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	int ret;

	vgpu_sdma_stop(ring);
	ret = vgpu_wait_reg(vdev, vgpu_sdma_reg(vdev, ring->instance, regSDMA0_STATUS_REG),
			    SDMA0_STATUS_REG__IDLE_MASK, SDMA0_STATUS_REG__IDLE_MASK,
			    SDMA_IDLE_TIMEOUT_US);
	if (ret)
		return ret;
	return vgpu_sdma_start(ring);
}

/* -------------------------------------------------------------- reports */

static void vgpu_sdma_decode(struct vgpu_ring *ring, struct drm_printer *p)
{
	u64 rptr = vgpu_sdma_get_rptr(ring);

	vgpu_decode_sdma(ring, rptr, (ring->wptr - rptr) & (ring->size_dw - 1), p);
}

static void vgpu_sdma_show_state(struct vgpu_ring *ring, struct drm_printer *p)
{
	static const struct {
		const char *name;
		u32 reg;
	} regs[] = {
		{ "RB_CNTL", regSDMA0_GFX_RB_CNTL },
		{ "RB_RPTR", regSDMA0_GFX_RB_RPTR },
		{ "RB_WPTR", regSDMA0_GFX_RB_WPTR },
		{ "IB_BASE_LO", regSDMA0_GFX_IB_BASE_LO },
		{ "IB_BASE_HI", regSDMA0_GFX_IB_BASE_HI },
		{ "IB_OFFSET", regSDMA0_GFX_IB_OFFSET },
		{ "IB_SIZE", regSDMA0_GFX_IB_SIZE },
		{ "CONTEXT_STATUS", regSDMA0_GFX_CONTEXT_STATUS },
		{ "STATUS_REG", regSDMA0_STATUS_REG },
		{ "STATUS2_REG", regSDMA0_STATUS2_REG },
	};
	u32 cmd = REG_FIELD_GET(SDMA0_STATUS2_REG, CMD_OP, sdma_rreg(ring, regSDMA0_STATUS2_REG));
	unsigned int i;

	drm_printf(p, "stands at %s\n", vgpu_decode_sdma_name(cmd & SDMA_PKT_HEADER_op_mask));
	for (i = 0; i < ARRAY_SIZE(regs); i++)
		drm_printf(p, "SDMA%u_%s 0x%08x\n", ring->instance, regs[i].name,
			   sdma_rreg(ring, regs[i].reg));
}

static const struct vgpu_ring_funcs vgpu_sdma_funcs = {
	.hw_ip = AMDGPU_HW_IP_DMA,
	.align_mask = 0xff,
	.nop = SDMA_PKT_NOP_HEADER_OP(SDMA_OP_NOP),
	.ib_align_dw = 8,
	.max_ibs = 49,
	.max_dw_frame = 6 + 3 * 4 + 6 +	/* VM flush */
			6 +		/* HDP flush */
			4 + 4 +		/* user fence */
			4 + 2,		/* fence */
	.ib_dw = 7 + 6,
	.mmhub = true,
	.get_rptr = vgpu_sdma_get_rptr,
	.set_wptr = vgpu_sdma_set_wptr,
	.emit_ib = vgpu_sdma_emit_ib,
	.emit_fence = vgpu_sdma_emit_fence,
	.emit_vm_flush = vgpu_sdma_emit_vm_flush,
	.emit_hdp_flush = vgpu_sdma_emit_hdp_flush,
	.insert_nop = vgpu_sdma_insert_nop,
	.pad_ib = vgpu_sdma_pad_ib,
	.test_ring = vgpu_sdma_test_ring,
	.test_ib = vgpu_sdma_test_ib,
	.start = vgpu_sdma_start,
	.stop = vgpu_sdma_stop,
	.reset = vgpu_sdma_reset,
	.decode = vgpu_sdma_decode,
	.decode_at = vgpu_decode_sdma,
	.show_state = vgpu_sdma_show_state,
};

/* ----------------------------------------------------------- interrupts */

/* What a trap of a user queue says of the event it is for */
#define SDMA_EVENT_ID_MASK	0x0fffffff

static struct vgpu_ring *vgpu_sdma_iv_ring(struct vgpu_device *vdev,
					   const struct vgpu_iv_entry *iv)
{
	unsigned int n;

	/* Queue 0 is the gfx queue; others are of programs. */
	if (iv->ring_id)
		return NULL;
	for (n = 0; n < vdev->info.num_sdma; n++)
		if (vgpu_sdma_client[n] == iv->client_id)
			return &vdev->sdma[n].ring;
	return NULL;
}

static void vgpu_sdma_trap(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	struct vgpu_ring *ring = vgpu_sdma_iv_ring(vdev, iv);

	if (ring)
		vgpu_fence_process(ring);
	else
		vgpu_kfd_signal(iv->pasid, iv->src_data[0] & SDMA_EVENT_ID_MASK,
				hweight32(SDMA_EVENT_ID_MASK));
}

static void vgpu_sdma_report(struct vgpu_ring *ring, const struct vgpu_iv_entry *iv,
			     const char *what)
{
	char comm[TASK_COMM_LEN] = "kernel";
	pid_t pid = 0;
	u64 addr;

	if (iv->vmid)
		vgpu_vmid_owner(ring->vdev, iv->vmid, &pid, comm);
	/* Page number in 44 bits over the first two words */
	addr = (u64)iv->src_data[0] << 12 | (u64)(iv->src_data[1] & 0xf) << 44;
	drm_err_ratelimited(&ring->vdev->drm,
			    "%s: %s, address 0x%llx, VMID %u, process %s (%d)\n", ring->name,
			    what, addr, iv->vmid, comm, pid);
}

/* The engine stands still, and says where. */
static void vgpu_sdma_fault(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv,
			    const char *what)
{
	struct vgpu_ring *ring = vgpu_sdma_iv_ring(vdev, iv);
	char comm[TASK_COMM_LEN] = "kernel";
	pid_t pid = 0;
	u64 ib;

	if (!ring) {
		drm_err_ratelimited(&vdev->drm, "user queue of PASID %u: SDMA: %s\n", iv->pasid,
				    what);
		return;
	}
	if (iv->vmid)
		vgpu_vmid_owner(vdev, iv->vmid, &pid, comm);
	ib = (u64)sdma_rreg(ring, regSDMA0_GFX_IB_BASE_HI) << 32 |
	     sdma_rreg(ring, regSDMA0_GFX_IB_BASE_LO);
	ib += REG_FIELD_GET(SDMA0_GFX_IB_OFFSET, OFFSET,
			    sdma_rreg(ring, regSDMA0_GFX_IB_OFFSET)) * sizeof(u32);
	drm_err_ratelimited(&vdev->drm,
			    "%s: %s, IB address 0x%llx, VMID %u, process %s (%d)\n",
			    ring->name, what, ib, iv->vmid, comm, pid);
	vgpu_ring_fault(ring, iv->timestamp);
}

static void vgpu_sdma_illegal(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	vgpu_sdma_fault(vdev, iv, "illegal instruction");
}

/* Only who read it is concerned: the job is dropped, and the engine goes on. */
static void vgpu_sdma_poison(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	vgpu_sdma_fault(vdev, iv, "poisoned memory");
}

/* The engine refuses the write and goes on behind it. */
static void vgpu_sdma_srbm_write(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	struct vgpu_ring *ring = vgpu_sdma_iv_ring(vdev, iv);

	if (ring)
		vgpu_sdma_report(ring, iv, "register write refused");
}

static void vgpu_sdma_poll_timeout(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	struct vgpu_ring *ring = vgpu_sdma_iv_ring(vdev, iv);

	if (ring)
		vgpu_sdma_report(ring, iv, "POLL_REGMEM gave up");
}

static int vgpu_sdma_irq_init(struct vgpu_device *vdev, u32 n)
{
	static const struct {
		u8 source;
		const char *name;
		vgpu_irq_handler handler;
	} srcs[] = {
		{ SDMA0_4_0__SRCID__SDMA_TRAP, "sdma trap", vgpu_sdma_trap },
		{ VGPU_SDMA_SRCID_ILLEGAL_INST, "sdma illegal instruction", vgpu_sdma_illegal },
		{ SDMA0_4_0__SRCID__SDMA_ECC, "sdma poisoned memory", vgpu_sdma_poison },
		{ SDMA0_4_0__SRCID__SDMA_SRBMWRITE, "sdma register write", vgpu_sdma_srbm_write },
		{ SDMA0_4_0__SRCID__SDMA_POLL_TIMEOUT, "sdma poll timeout",
		  vgpu_sdma_poll_timeout },
	};
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(srcs); i++) {
		ret = vgpu_irq_add(vdev, vgpu_sdma_client[n], srcs[i].source, srcs[i].name,
				   srcs[i].handler);
		if (ret)
			return ret;
	}
	return 0;
}

/* ---------------------------------------------------------------- block */

static void vgpu_sdma_sw_fini(struct vgpu_device *vdev)
{
	unsigned int n;

	for (n = 0; n < vdev->info.num_sdma; n++)
		vgpu_ring_fini(&vdev->sdma[n].ring);
}

static int vgpu_sdma_sw_init(struct vgpu_device *vdev)
{
	char name[16];
	unsigned int n;
	int ret;

	for (n = 0; n < vdev->info.num_sdma; n++) {
		struct vgpu_ring *ring = &vdev->sdma[n].ring;

		ring->instance = n;
		ring->trace = VGPU_TRACE_QUEUE_SDMA(n);
		ring->doorbell = VGPU_DOORBELL_DWORD_OFFSET(vgpu_sdma_doorbell[n]);
		snprintf(name, sizeof(name), "sdma%u", n);
		ret = vgpu_ring_init(vdev, ring, &vgpu_sdma_funcs, VGPU_SDMA_RING_DW, name);
		if (ret)
			goto err;
		ret = vgpu_sdma_irq_init(vdev, n);
		if (ret)
			goto err;
	}
	return 0;

err:
	vgpu_sdma_sw_fini(vdev);
	return ret;
}

static int vgpu_sdma_hw_init(struct vgpu_device *vdev)
{
	unsigned int n;

	int ret;

	for (n = 0; n < vdev->info.num_sdma; n++) {
		ret = vgpu_sdma_start(&vdev->sdma[n].ring);
		if (ret)
			return ret;
	}
	return 0;
}

static void vgpu_sdma_hw_fini(struct vgpu_device *vdev)
{
	unsigned int n;

	for (n = 0; n < vdev->info.num_sdma; n++)
		vgpu_ring_stop(&vdev->sdma[n].ring);
}

/* Which engines work? */
static int vgpu_sdma_late_init(struct vgpu_device *vdev)
{
	unsigned int n;

	/* One that fails is left out; the vm block takes what works. */
	for (n = 0; n < vdev->info.num_sdma; n++)
		vgpu_ring_test(&vdev->sdma[n].ring);
	return 0;
}

static int vgpu_sdma_suspend(struct vgpu_device *vdev)
{
	unsigned int n;

	for (n = 0; n < vdev->info.num_sdma; n++)
		vgpu_ring_suspend(&vdev->sdma[n].ring);
	return 0;
}

static int vgpu_sdma_resume(struct vgpu_device *vdev)
{
	unsigned int n;

	for (n = 0; n < vdev->info.num_sdma; n++)
		vgpu_ring_resume(&vdev->sdma[n].ring);
	return 0;
}

const struct vgpu_ip_block vgpu_sdma_block = {
	.name = "sdma",
	.sw_init = vgpu_sdma_sw_init,
	.sw_fini = vgpu_sdma_sw_fini,
	.hw_init = vgpu_sdma_hw_init,
	.hw_fini = vgpu_sdma_hw_fini,
	.late_init = vgpu_sdma_late_init,
	.mode2 = true,
	.suspend = vgpu_sdma_suspend,
	.resume = vgpu_sdma_resume,
};
