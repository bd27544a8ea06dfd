// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The command processor's rings, graphics and compute: their pointers, the
 * packets that each frame has, the IB test, and the interrupts, which name the
 * queue that raised them. Documentation/hardware.rst, "Command processor".
 */
#include <drm/amdgpu_drm.h>

#include <hw/ih.h>
#include <hw/pm4.h>
#include <hw/reg/gc.h>
#include <hw/reg/nbio.h>

#include "vgpu.h"
#include "vgpu_cp.h"
#include "vgpu_mqd.h"

/* Clocks between two looks of WAIT_REG_MEM at what it waits for */
#define CP_POLL_INTERVAL	0x20

/* What an end of pipe says of the event it is for: all of its id */
#define CP_EVENT_ID_BITS	32

/* A compute ring has one engine, the graphics ring a prefetcher before it. */
static bool cp_has_pfp(const struct vgpu_ring *ring)
{
	return ring->funcs->hw_ip == AMDGPU_HW_IP_GFX;
}

/* ------------------------------------------------------------- pointers */

u64 vgpu_cp_get_rptr(struct vgpu_ring *ring)
{
	return lower_32_bits(vgpu_wb_read(ring->vdev, ring->rptr_slot));
}

void vgpu_cp_set_wptr(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;

	WRITE_ONCE(vdev->wb.cpu[ring->wptr_slot], cpu_to_le64(ring->wptr));
	vgpu_doorbell(vdev, ring->doorbell, ring->wptr);
}

/* ------------------------------------------------------------- emitters */

void vgpu_cp_insert_nop(struct vgpu_ring *ring, u32 count)
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

void vgpu_cp_pad_ib(struct vgpu_ring *ring, struct vgpu_ib *ib)
{
	while (ib->length_dw & (ring->funcs->ib_align_dw - 1))
		ib->ptr[ib->length_dw++] = ring->funcs->nop;
}

void vgpu_cp_emit_fence(struct vgpu_ring *ring, u64 addr, u64 seq, u32 flags)
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

static void cp_emit_wreg(struct vgpu_ring *ring, u32 reg, u32 val)
{
	vgpu_ring_write(ring, PACKET3(PACKET3_WRITE_DATA, 3));
	vgpu_ring_write(ring, WRITE_DATA_ENGINE_SEL(cp_has_pfp(ring) ? WRITE_DATA_ENGINE_SEL_PFP :
								      WRITE_DATA_ENGINE_SEL_ME) |
			      WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_REG) | WR_CONFIRM);
	vgpu_ring_write(ring, reg);
	vgpu_ring_write(ring, 0);
	vgpu_ring_write(ring, val);
}

static void cp_emit_wait_reg(struct vgpu_ring *ring, u32 engine, u32 op, u32 reg, u32 reg2,
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
	vgpu_ring_write(ring, CP_POLL_INTERVAL);
}

void vgpu_cp_emit_vm_flush(struct vgpu_ring *ring, u32 vmid, u64 pd_addr)
{
	struct vgpu_hub_regs regs;

	vgpu_gmc_hub_regs(ring->vdev, VGPU_GCHUB, vmid, ring->idx, &regs);

	cp_emit_wreg(ring, regs.pd_lo, lower_32_bits(pd_addr));
	cp_emit_wreg(ring, regs.pd_hi, upper_32_bits(pd_addr));
	cp_emit_wreg(ring, regs.inv_req, vgpu_gmc_inv_request(vmid));
	cp_emit_wait_reg(ring, WAIT_REG_MEM_ENGINE_ME, WAIT_REG_MEM_OP_WAIT, regs.inv_ack, 0,
			 BIT(vmid), BIT(vmid));

	if (!cp_has_pfp(ring))
		return;
	/* The prefetcher must not read ahead through what was just replaced. */
	vgpu_ring_write(ring, PACKET3(PACKET3_PFP_SYNC_ME, 0));
	vgpu_ring_write(ring, 0);
}

/* Each pipe of the MECs has a bit of its own, those of the first at CP2. */
static u32 cp_hdp_flush_bit(const struct vgpu_ring *ring)
{
	const struct vgpu_hqd *hqd;

	if (cp_has_pfp(ring))
		return GPU_HDP_FLUSH_DONE__CP0_MASK;
	hqd = vgpu_ring_hqd(ring);
	return (hqd->me == 1 ? GPU_HDP_FLUSH_DONE__CP2_MASK : GPU_HDP_FLUSH_DONE__CP6_MASK) <<
	       hqd->pipe;
}

void vgpu_cp_emit_hdp_flush(struct vgpu_ring *ring)
{
	struct vgpu_device *vdev = ring->vdev;
	u32 bit = cp_hdp_flush_bit(ring);

	cp_emit_wait_reg(ring, cp_has_pfp(ring) ? WAIT_REG_MEM_ENGINE_PFP : WAIT_REG_MEM_ENGINE_ME,
			 WAIT_REG_MEM_OP_WR_WAIT_WR_REG,
			 vgpu_reg(vdev, VGPU_HWIP_NBIO, regGPU_HDP_FLUSH_REQ),
			 vgpu_reg(vdev, VGPU_HWIP_NBIO, regGPU_HDP_FLUSH_DONE), bit, bit);
}

void vgpu_cp_write_packet(u32 *dw, u64 addr, u32 val)
{
	dw[0] = PACKET3(PACKET3_WRITE_DATA, 3);
	dw[1] = WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM) | WR_CONFIRM;
	dw[2] = lower_32_bits(addr);
	dw[3] = upper_32_bits(addr);
	dw[4] = val;
}

/* ---------------------------------------------------------------- tests */

int vgpu_cp_test_ib(struct vgpu_ring *ring, long timeout)
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
	WRITE_ONCE(vdev->wb.cpu[slot], cpu_to_le64(VGPU_CP_TEST_BEFORE));
	addr = vdev->wb.gpu_addr + slot * sizeof(*vdev->wb.cpu);

	job = vgpu_job_alloc(ring, NULL, NULL, 1, NULL);
	if (IS_ERR(job)) {
		ret = PTR_ERR(job);
		goto put;
	}
	ib = &job->ibs[0];
	ret = vgpu_ib_get(vdev, VGPU_CP_WRITE_DW * sizeof(u32), ib);
	if (ret) {
		vgpu_job_free(job);
		goto put;
	}
	vgpu_cp_write_packet(ib->ptr, addr, VGPU_CP_TEST_AFTER);
	ib->length_dw = VGPU_CP_WRITE_DW;

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
	else if (vgpu_wb_read(vdev, slot) != VGPU_CP_TEST_AFTER)
		ret = -EIO;
	dma_fence_put(fence);
put:
	vgpu_wb_put(vdev, slot);
	return ret;
}

/* -------------------------------------------------------------- reports */

void vgpu_cp_decode(struct vgpu_ring *ring, struct drm_printer *p)
{
	u64 rptr = vgpu_cp_get_rptr(ring);

	vgpu_decode_pm4(ring, rptr, (ring->wptr - rptr) & (ring->size_dw - 1), p);
}

/* ----------------------------------------------------------- interrupts */

/* Me 0 has the graphics ring only. NULL: it is a program's own queue. */
static struct vgpu_ring *cp_iv_ring(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	unsigned int i;

	if (VGPU_IV_CP_RING_ME(iv->ring_id) == 0)
		return &vdev->gfx_ring;
	for (i = 0; i < ARRAY_SIZE(vdev->compute); i++) {
		const struct vgpu_hqd *hqd = &vdev->compute[i].hqd;

		if (VGPU_IV_CP_RING(hqd->me, hqd->pipe, hqd->queue) == iv->ring_id)
			return &vdev->compute[i].ring;
	}
	return NULL;
}

static void cp_eop(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	struct vgpu_ring *ring = cp_iv_ring(vdev, iv);

	if (ring)
		vgpu_fence_process(ring);
	else
		vgpu_kfd_signal(iv->pasid, iv->src_data[0], CP_EVENT_ID_BITS);
}

/* The packet that a halted ring stands at, and where in an indirect buffer it is */
static u32 cp_where(struct vgpu_ring *ring, u64 *ib)
{
	struct vgpu_device *vdev = ring->vdev;

	if (!cp_has_pfp(ring))
		return vgpu_hqd_where(vdev, vgpu_ring_hqd(ring), ib);
	*ib = (u64)RREG32(GC, regCP_IB1_BASE_HI) << 32 | RREG32(GC, regCP_IB1_BASE_LO);
	*ib += (u64)RREG32(GC, regCP_IB1_OFFSET) * sizeof(u32);
	return RREG32(GC, regCP_ME_HEADER_DUMP);
}

static void cp_fault(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv, const char *what)
{
	struct vgpu_ring *ring = cp_iv_ring(vdev, iv);
	char comm[TASK_COMM_LEN] = "kernel";
	pid_t pid = 0;
	u32 header;
	u64 addr;

	if (vgpu_hws_is_hiq(vdev, iv->ring_id)) {
		vgpu_hws_bad_packet(vdev, what);
		return;
	}
	if (!ring) {
		/* The queue stands still, and its program may find out why. */
		drm_err_ratelimited(&vdev->drm, "user queue of PASID %u: %s, ring id %#x, context %#x\n",
				    iv->pasid, what, iv->ring_id, iv->src_data[0]);
		return;
	}
	if (iv->vmid)
		vgpu_vmid_owner(vdev, iv->vmid, &pid, comm);
	header = cp_where(ring, &addr);
	drm_err_ratelimited(&vdev->drm,
			    "%s: %s, packet %s 0x%08x, IB address 0x%llx, VMID %u, process %s (%d)\n",
			    ring->name, what, vgpu_decode_pm4_name(header), header, addr,
			    iv->vmid, comm, pid);
	vgpu_ring_fault(ring, iv->timestamp);
}

static void cp_bad_opcode(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	cp_fault(vdev, iv, "bad opcode");
}

static void cp_reserved_bit(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	cp_fault(vdev, iv, "reserved bits in a packet");
}

static void cp_priv_reg(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	cp_fault(vdev, iv, "register out of reach");
}

static void cp_priv_instr(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	cp_fault(vdev, iv, "illegal instruction");
}

/* Only who read it is concerned: the job is dropped, and the ring goes on. */
static void cp_poison(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	cp_fault(vdev, iv, "poisoned memory");
}

/**
 * vgpu_cp_irq_init() - register for interrupts of the command processor
 * @vdev: the die
 *
 * Once, from the sw_init of the graphics ring. Return: 0 or what vgpu_irq_add() gives.
 */
int vgpu_cp_irq_init(struct vgpu_device *vdev)
{
	static const struct {
		u8 source;
		const char *name;
		vgpu_irq_handler handler;
	} srcs[] = {
		{ GFX_9_0__SRCID__CP_EOP_INTERRUPT, "cp end of pipe", cp_eop },
		{ GFX_9_0__SRCID__CP_BAD_OPCODE_ERROR, "cp bad opcode", cp_bad_opcode },
		{ GFX_9_0__SRCID__CP_PM4_PKT_RSVD_BIT_ERROR, "cp reserved bit",
		  cp_reserved_bit },
		{ GFX_9_0__SRCID__CP_PRIV_REG_FAULT, "cp privileged register",
		  cp_priv_reg },
		{ GFX_9_0__SRCID__CP_PRIV_INSTR_FAULT, "cp illegal instruction",
		  cp_priv_instr },
		{ GFX_9_0__SRCID__CP_ECC_ERROR, "cp poisoned memory", cp_poison },
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
