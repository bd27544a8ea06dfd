// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Interrupt handler ring (OSSSYS 4.4): the hardware writes entries and its
 * write pointer to memory and fires MSI-X vector 0; a thread takes them out,
 * and rings a doorbell with its read pointer, which also arms the next
 * interrupt. Documentation/interrupts.rst.
 */
#include <linux/interrupt.h>
#include <linux/log2.h>
#include <linux/pci.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm_print.h>

#include <hw/doorbell.h>
#include <hw/ih.h>
#include <hw/reg/nbio.h>
#include <hw/reg/oss.h>

#include "vgpu.h"
#include "vgpu_trace.h"

/* What the pointer registers can hold; 8192 entries. */
#define IH_RING_BYTES	SZ_256K

/* MC_SPACE: the ring's address is a virtual one of VMID 0. */
#define IH_MC_SPACE_GPUVM	4

/* Forget an overflow, so that the next one is noticed: the bit is an edge. */
static void vgpu_ih_clear_overflow(struct vgpu_device *vdev)
{
	u32 cntl = RREG32(OSSSYS, regIH_RB_CNTL);

	WREG32(OSSSYS, regIH_RB_CNTL, cntl | IH_RB_CNTL__WPTR_OVERFLOW_CLEAR_MASK);
	WREG32(OSSSYS, regIH_RB_CNTL, cntl & ~IH_RB_CNTL__WPTR_OVERFLOW_CLEAR_MASK);
}

/*
 * Entries were lost. Of most sources another will come; a fence that the last of a
 * ring was to announce has to be looked for.
 */
static void vgpu_ih_lost(struct vgpu_device *vdev)
{
	unsigned int i;

	for (i = 0; i < vdev->num_rings; i++)
		vgpu_fence_process(vdev->rings[i]);
}

/* The hardware's write pointer, in bytes; what memory says is not trusted. */
static u32 vgpu_ih_get_wptr(struct vgpu_device *vdev)
{
	struct vgpu_ih *ih = &vdev->ih;
	u32 mask = ih->size - VGPU_IV_BYTES;
	u32 wptr = le32_to_cpu(READ_ONCE(*ih->wptr_cpu));

	if (!REG_FIELD_GET(IH_RB_WPTR, RB_OVERFLOW, wptr))
		return wptr & mask;

	/* The copy in memory may be older than the last time it was cleared. */
	wptr = RREG32(OSSSYS, regIH_RB_WPTR);
	if (!REG_FIELD_GET(IH_RB_WPTR, RB_OVERFLOW, wptr))
		return wptr & mask;

	/* Go on with the oldest entry that has not been overwritten. */
	dev_warn_ratelimited(vdev->drm.dev, "IH ring overflow: wptr %#x, rptr %#x\n",
			     wptr & mask, ih->rptr);
	ih->overflows++;
	ih->rptr = (wptr + VGPU_IV_BYTES) & mask;
	vgpu_ih_clear_overflow(vdev);
	/* What is lost from here on sets the flag again. */
	vgpu_ih_lost(vdev);
	return wptr & mask;
}

#define IV_FIELD(dw, field)	(((dw) & VGPU_IV_##field##_MASK) >> VGPU_IV_##field##__SHIFT)

static void vgpu_ih_decode(const __le32 *src, struct vgpu_iv_entry *iv)
{
	u32 dw[VGPU_IV_DWORDS];
	unsigned int i;

	for (i = 0; i < VGPU_IV_DWORDS; i++)
		dw[i] = le32_to_cpu(READ_ONCE(src[i]));

	iv->client_id = IV_FIELD(dw[0], DW0_CLIENT);
	iv->source_id = IV_FIELD(dw[0], DW0_SOURCE);
	iv->ring_id = IV_FIELD(dw[0], DW0_RING);
	iv->vmid = IV_FIELD(dw[0], DW0_VMID);
	iv->vmid_mm = IV_FIELD(dw[0], DW0_VMID_SRC);
	iv->timestamp = dw[1] | (u64)IV_FIELD(dw[2], DW2_TIMESTAMP_HI) << 32;
	iv->pasid = IV_FIELD(dw[3], DW3_PASID);
	for (i = 0; i < ARRAY_SIZE(iv->src_data); i++)
		iv->src_data[i] = dw[4 + i];
}

/**
 * vgpu_ih_process() - take out all entries there are
 * @vdev: the die
 *
 * IH thread, or with the interrupt disabled. May sleep.
 */
void vgpu_ih_process(struct vgpu_device *vdev)
{
	struct vgpu_ih *ih = &vdev->ih;
	struct vgpu_iv_entry iv;
	u32 wptr;
	int idx;

	/* Stale memory would look like entries once the device is gone. */
	if (!vgpu_hw_enter(vdev, &idx))
		return;

	wptr = vgpu_ih_get_wptr(vdev);
	while (ih->rptr != wptr) {
		/* Entries were written before the pointer that covers them. */
		dma_rmb();
		while (ih->rptr != wptr) {
			vgpu_ih_decode(ih->cpu + ih->rptr / 4, &iv);
			ih->rptr = (ih->rptr + VGPU_IV_BYTES) & (ih->size - 1);
			vgpu_irq_dispatch(vdev, &iv);
		}
		/* Frees the entries, and arms the interrupt. */
		vgpu_doorbell(vdev, ih->doorbell, ih->rptr);
		cond_resched();
		wptr = vgpu_ih_get_wptr(vdev);
	}
	vgpu_hw_exit(idx);
}

static irqreturn_t vgpu_ih_hard_irq(int irq, void *arg)
{
	struct vgpu_device *vdev = arg;

	trace_vgpu_irq(vdev);
	vgpu_path_irq(vdev);
	atomic64_inc(&vdev->ih.interrupts);
	return IRQ_WAKE_THREAD;
}

static irqreturn_t vgpu_ih_thread(int irq, void *arg)
{
	struct vgpu_device *vdev = arg;
	int idx;

	vgpu_ih_process(vdev);
	/* What is fatal is in no ring: it has to be asked for every time. */
	if (vgpu_hw_enter(vdev, &idx)) {
		if (vgpu_nbio_fatal_error(vdev))
			vgpu_ras_fatal_error(vdev);
		vgpu_hw_exit(idx);
	}
	return IRQ_HANDLED;
}

static int vgpu_ih_sw_init(struct vgpu_device *vdev)
{
	struct vgpu_ih *ih = &vdev->ih;
	struct vgpu_bo *bo;
	void *cpu;

	ih->size = IH_RING_BYTES;
	ih->doorbell = VGPU_DOORBELL_DWORD_OFFSET(AMDGPU_VEGA20_DOORBELL_IH);

	bo = vgpu_bo_create_kernel(vdev, ih->size + PAGE_SIZE, AMDGPU_GEM_DOMAIN_GTT,
				   &ih->gpu_addr, &cpu);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ih->bo = bo;
	ih->cpu = cpu;
	ih->wptr_cpu = cpu + ih->size;
	return 0;
}

static void vgpu_ih_sw_fini(struct vgpu_device *vdev)
{
	vgpu_bo_free_kernel(vdev->ih.bo);
	vdev->ih.bo = NULL;
}

/* Stop writing entries; both pointers go to the start. */
static void vgpu_ih_disable(struct vgpu_device *vdev)
{
	u32 cntl = RREG32(OSSSYS, regIH_RB_CNTL);

	cntl = REG_FIELD_SET(cntl, IH_RB_CNTL, RB_ENABLE, 0);
	cntl = REG_FIELD_SET(cntl, IH_RB_CNTL, ENABLE_INTR, 0);
	WREG32(OSSSYS, regIH_RB_CNTL, cntl);
	WREG32(OSSSYS, regIH_RB_RPTR, 0);
	WREG32(OSSSYS, regIH_RB_WPTR, 0);
}

static void vgpu_ih_enable(struct vgpu_device *vdev)
{
	struct vgpu_ih *ih = &vdev->ih;
	u64 wptr_addr = ih->gpu_addr + ih->size;
	u32 tmp;

	/* MSI needs no dummy read behind the entries, and the ring is snooped. */
	WREG32(NBIO, regINTERRUPT_CNTL2, lower_32_bits(vdev->gmc.dummy_addr >> 8));
	tmp = RREG32(NBIO, regINTERRUPT_CNTL);
	tmp = REG_FIELD_SET(tmp, INTERRUPT_CNTL, IH_DUMMY_RD_OVERRIDE, 0);
	tmp = REG_FIELD_SET(tmp, INTERRUPT_CNTL, IH_REQ_NONSNOOP_EN, 0);
	WREG32(NBIO, regINTERRUPT_CNTL, tmp);

	*ih->wptr_cpu = 0;
	ih->rptr = 0;

	WREG32(OSSSYS, regIH_RB_BASE, lower_32_bits(ih->gpu_addr >> 8));
	WREG32(OSSSYS, regIH_RB_BASE_HI, upper_32_bits(ih->gpu_addr >> 8) & 0xff);

	tmp = RREG32(OSSSYS, regIH_RB_CNTL);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, MC_SPACE, IH_MC_SPACE_GPUVM);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, WPTR_OVERFLOW_CLEAR, 1);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, WPTR_OVERFLOW_ENABLE, 1);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, RB_SIZE, ilog2(ih->size / 4));
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, WPTR_WRITEBACK_ENABLE, 1);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, MC_SNOOP, 1);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, MC_RO, 0);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, MC_VMID, 0);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, RPTR_REARM, 1);
	WREG32(OSSSYS, regIH_RB_CNTL, tmp);

	WREG32(OSSSYS, regIH_RB_WPTR_ADDR_LO, lower_32_bits(wptr_addr));
	WREG32(OSSSYS, regIH_RB_WPTR_ADDR_HI, upper_32_bits(wptr_addr) & 0xffff);
	WREG32(OSSSYS, regIH_RB_WPTR, 0);
	WREG32(OSSSYS, regIH_RB_RPTR, 0);

	tmp = REG_FIELD_PREP(IH_DOORBELL_RPTR, OFFSET, ih->doorbell) |
	      REG_FIELD_PREP(IH_DOORBELL_RPTR, ENABLE, 1);
	WREG32(OSSSYS, regIH_DOORBELL_RPTR, tmp);

	tmp = RREG32(OSSSYS, regIH_RB_CNTL);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, RB_ENABLE, 1);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, RB_GPU_TS_ENABLE, 1);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, ENABLE_INTR, 1);
	tmp = REG_FIELD_SET(tmp, IH_RB_CNTL, WPTR_OVERFLOW_CLEAR, 0);
	WREG32(OSSSYS, regIH_RB_CNTL, tmp);
}

static int vgpu_ih_hw_init(struct vgpu_device *vdev)
{
	struct pci_dev *pdev = vdev->pdev;
	struct vgpu_ih *ih = &vdev->ih;
	const char *name;
	int ret, irq;

	name = devm_kasprintf(&pdev->dev, GFP_KERNEL, "%s %s", VGPU_DRIVER_NAME, pci_name(pdev));
	if (!name)
		return -ENOMEM;

	/* Freed with the PCI function, which is managed. */
	ret = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSIX);
	if (ret < 0) {
		drm_err(&vdev->drm, "no MSI-X vector: %d\n", ret);
		return ret;
	}
	irq = pci_irq_vector(pdev, 0);

	vgpu_ih_disable(vdev);
	ret = request_threaded_irq(irq, vgpu_ih_hard_irq, vgpu_ih_thread, 0, name, vdev);
	if (ret)
		return ret;
	ih->irq = irq;
	vgpu_ih_enable(vdev);
	return 0;
}

static void vgpu_ih_hw_fini(struct vgpu_device *vdev)
{
	struct vgpu_ih *ih = &vdev->ih;

	vgpu_ih_disable(vdev);
	/* Waits for the thread, and none comes after it. */
	free_irq(ih->irq, vdev);
	ih->irq = 0;
}

static int vgpu_ih_suspend(struct vgpu_device *vdev)
{
	vgpu_ih_disable(vdev);
	synchronize_irq(vdev->ih.irq);
	return 0;
}

static int vgpu_ih_resume(struct vgpu_device *vdev)
{
	vgpu_ih_enable(vdev);
	return 0;
}

/**
 * vgpu_ih_show() - print pointers and counters of the ring, and the sources
 * @vdev: the die
 * @p: where to
 */
void vgpu_ih_show(struct vgpu_device *vdev, struct drm_printer *p)
{
	const struct vgpu_ih *ih = &vdev->ih;

	drm_printf(p, "ring: %u bytes at %#llx, doorbell %#x, irq %d\n", ih->size, ih->gpu_addr,
		   ih->doorbell, ih->irq);
	drm_printf(p, "rptr: %#x (register %#x)\n", ih->rptr, RREG32(OSSSYS, regIH_RB_RPTR));
	drm_printf(p, "wptr: %#x (register %#x)\n", le32_to_cpu(READ_ONCE(*ih->wptr_cpu)),
		   RREG32(OSSSYS, regIH_RB_WPTR));
	drm_printf(p, "cntl: %#x status: %#x\n", RREG32(OSSSYS, regIH_RB_CNTL),
		   RREG32(OSSSYS, regIH_STATUS));
	drm_printf(p, "interrupts: %lld entries: %llu unhandled: %llu overflows: %llu\n",
		   atomic64_read(&ih->interrupts), ih->entries, ih->unhandled, ih->overflows);
	vgpu_irq_show(vdev, p);
}

const struct vgpu_ip_block vgpu_ih_block = {
	.name = "ih",
	.sw_init = vgpu_ih_sw_init,
	.sw_fini = vgpu_ih_sw_fini,
	.hw_init = vgpu_ih_hw_init,
	.hw_fini = vgpu_ih_hw_fini,
	.suspend = vgpu_ih_suspend,
	.resume = vgpu_ih_resume,
};
