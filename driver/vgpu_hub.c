// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The VM hubs: GC's translates for the CP and the shaders, MM's for SDMA, IH
 * and HDP. Apertures, contexts, invalidation engines, faults.
 * Documentation/memory.rst, "Hubs".
 *
 * Both have the same registers. Those of the MM hub are further on by one
 * distance in another IP block, so all of this is written once, with the names
 * of the GC hub.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>

#include <hw/ih.h>
#include <hw/pte.h>
#include <hw/reg/gc.h>
#include <hw/reg/mmhub.h>

#include "vgpu.h"
#include "vgpu_trace.h"

#define MMHUB_DISTANCE	(regMMHUB_MC_VM_FB_LOCATION_BASE - regMC_VM_FB_LOCATION_BASE)

#define CHECK_DISTANCE(name)	\
	static_assert(regMMHUB_##name - reg##name == MMHUB_DISTANCE)
CHECK_DISTANCE(MC_VM_AGP_BASE);
CHECK_DISTANCE(MC_VM_AGP_BOT);
CHECK_DISTANCE(MC_VM_AGP_TOP);
CHECK_DISTANCE(MC_VM_SYSTEM_APERTURE_LOW_ADDR);
CHECK_DISTANCE(MC_VM_SYSTEM_APERTURE_HIGH_ADDR);
CHECK_DISTANCE(MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB);
CHECK_DISTANCE(MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB);
CHECK_DISTANCE(MC_VM_MX_L1_TLB_CNTL);
CHECK_DISTANCE(VM_L2_CNTL);
CHECK_DISTANCE(VM_L2_CNTL2);
CHECK_DISTANCE(VM_L2_CNTL3);
CHECK_DISTANCE(VM_L2_CNTL4);
CHECK_DISTANCE(VM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_LO32);
CHECK_DISTANCE(VM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_HI32);
CHECK_DISTANCE(VM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_LO32);
CHECK_DISTANCE(VM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_HI32);
CHECK_DISTANCE(VM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_LO32);
CHECK_DISTANCE(VM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_HI32);
CHECK_DISTANCE(VM_L2_PROTECTION_FAULT_CNTL);
CHECK_DISTANCE(VM_L2_PROTECTION_FAULT_CNTL2);
CHECK_DISTANCE(VM_L2_PROTECTION_FAULT_STATUS);
CHECK_DISTANCE(VM_L2_PROTECTION_FAULT_DEFAULT_ADDR_LO32);
CHECK_DISTANCE(VM_L2_PROTECTION_FAULT_DEFAULT_ADDR_HI32);
CHECK_DISTANCE(VM_CONTEXT0_CNTL);
CHECK_DISTANCE(VM_CONTEXT1_CNTL);
CHECK_DISTANCE(VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32);
CHECK_DISTANCE(VM_CONTEXT1_PAGE_TABLE_BASE_ADDR_LO32);
CHECK_DISTANCE(VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32);
CHECK_DISTANCE(VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32);
CHECK_DISTANCE(VM_CONTEXT1_PAGE_TABLE_START_ADDR_LO32);
CHECK_DISTANCE(VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32);
CHECK_DISTANCE(VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32);
CHECK_DISTANCE(VM_CONTEXT1_PAGE_TABLE_END_ADDR_LO32);
CHECK_DISTANCE(VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32);
CHECK_DISTANCE(VM_INVALIDATE_ENG0_SEM);
CHECK_DISTANCE(VM_INVALIDATE_ENG1_SEM);
CHECK_DISTANCE(VM_INVALIDATE_ENG0_REQ);
CHECK_DISTANCE(VM_INVALIDATE_ENG1_REQ);
CHECK_DISTANCE(VM_INVALIDATE_ENG0_ACK);
CHECK_DISTANCE(VM_INVALIDATE_ENG1_ACK);
CHECK_DISTANCE(VM_INVALIDATE_ENG0_ADDR_RANGE_LO32);
CHECK_DISTANCE(VM_INVALIDATE_ENG1_ADDR_RANGE_LO32);
CHECK_DISTANCE(VM_INVALIDATE_ENG0_ADDR_RANGE_HI32);

static const struct {
	const char *name;
	unsigned int ip;
	u32 distance;
} vgpu_hubs[VGPU_NUM_HUBS] = {
	[VGPU_GCHUB] = { "GC", VGPU_HWIP_GC, 0 },
	[VGPU_MMHUB] = { "MM", VGPU_HWIP_MMHUB, MMHUB_DISTANCE },
};

/* VM_L2_CNTL3 and 4 out of reset, as gc_9_0 and mmhub_1_7 have them. */
#define VM_L2_CNTL3_DEFAULT	0x80100007
#define VM_L2_CNTL4_DEFAULT	0x000000c1

/**
 * vgpu_hub_reg() - absolute dword offset of a hub's register
 * @vdev: the die
 * @hub: which hub
 * @reg: the register by its name in <hw/reg/gc.h>
 */
u32 vgpu_hub_reg(const struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 reg)
{
	return vgpu_reg(vdev, vgpu_hubs[hub].ip, reg + vgpu_hubs[hub].distance);
}

const char *vgpu_hub_name(enum vgpu_hub_id hub)
{
	return vgpu_hubs[hub].name;
}

static u32 hub_read(struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 reg)
{
	return vgpu_rreg(vdev, vgpu_hub_reg(vdev, hub, reg));
}

static void hub_write(struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 reg, u32 val)
{
	vgpu_wreg(vdev, vgpu_hub_reg(vdev, hub, reg), val);
}

/* A page number in a pair of registers, the low 32 bits first. */
static void hub_write_pfn(struct vgpu_device *vdev, enum vgpu_hub_id hub, u32 reg_lo, u64 pfn)
{
	hub_write(vdev, hub, reg_lo, lower_32_bits(pfn));
	hub_write(vdev, hub, reg_lo + 1, upper_32_bits(pfn));
}

static void vgpu_hub_init_apertures(struct vgpu_device *vdev, enum vgpu_hub_id hub)
{
	const struct vgpu_gmc *gmc = &vdev->gmc;
	u64 scratch = gmc->scratch_addr - gmc->vram_start + gmc->vram_base_offset;
	u32 tmp;

	/* No AGP aperture: its bottom is above its top. */
	hub_write(vdev, hub, regMC_VM_AGP_BASE, 0);
	hub_write(vdev, hub, regMC_VM_AGP_BOT, MC_VM_AGP_BOT__AGP_BOT_MASK);
	hub_write(vdev, hub, regMC_VM_AGP_TOP, 0);

	/* VMID 0 sees the VRAM of the hive as it is, all else through the GART. */
	hub_write(vdev, hub, regMC_VM_SYSTEM_APERTURE_LOW_ADDR, gmc->fb_start >> 18);
	hub_write(vdev, hub, regMC_VM_SYSTEM_APERTURE_HIGH_ADDR, gmc->fb_end >> 18);
	hub_write(vdev, hub, regMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB,
		  lower_32_bits(scratch >> VGPU_GPU_PAGE_SHIFT));
	hub_write(vdev, hub, regMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB,
		  upper_32_bits(scratch >> VGPU_GPU_PAGE_SHIFT));

	hub_write_pfn(vdev, hub, regVM_L2_PROTECTION_FAULT_DEFAULT_ADDR_LO32,
		      gmc->dummy_addr >> VGPU_GPU_PAGE_SHIFT);
	tmp = hub_read(vdev, hub, regVM_L2_PROTECTION_FAULT_CNTL2);
	tmp = REG_FIELD_SET(tmp, VM_L2_PROTECTION_FAULT_CNTL2,
			    ACTIVE_PAGE_MIGRATION_PTE_READ_RETRY, 1);
	hub_write(vdev, hub, regVM_L2_PROTECTION_FAULT_CNTL2, tmp);

	/* An identity aperture that ends before it begins is off. */
	hub_write(vdev, hub, regVM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_LO32, 0xffffffff);
	hub_write(vdev, hub, regVM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_HI32, 0xf);
	hub_write_pfn(vdev, hub, regVM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_LO32, 0);
	hub_write_pfn(vdev, hub, regVM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_LO32, 0);
}

static void vgpu_hub_init_caches(struct vgpu_device *vdev, enum vgpu_hub_id hub)
{
	u32 tmp;

	/* Access mode 3: mapped outside the system aperture, direct inside it. */
	tmp = hub_read(vdev, hub, regMC_VM_MX_L1_TLB_CNTL);
	tmp = REG_FIELD_SET(tmp, MC_VM_MX_L1_TLB_CNTL, ENABLE_L1_TLB, 1);
	tmp = REG_FIELD_SET(tmp, MC_VM_MX_L1_TLB_CNTL, SYSTEM_ACCESS_MODE, 3);
	tmp = REG_FIELD_SET(tmp, MC_VM_MX_L1_TLB_CNTL, ENABLE_ADVANCED_DRIVER_MODEL, 1);
	tmp = REG_FIELD_SET(tmp, MC_VM_MX_L1_TLB_CNTL, SYSTEM_APERTURE_UNMAPPED_ACCESS, 0);
	tmp = REG_FIELD_SET(tmp, MC_VM_MX_L1_TLB_CNTL, MTYPE, MTYPE_UC);
	tmp = REG_FIELD_SET(tmp, MC_VM_MX_L1_TLB_CNTL, ATC_EN, 1);
	hub_write(vdev, hub, regMC_VM_MX_L1_TLB_CNTL, tmp);

	tmp = hub_read(vdev, hub, regVM_L2_CNTL);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL, ENABLE_L2_CACHE, 1);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL, ENABLE_L2_FRAGMENT_PROCESSING, 1);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL, L2_PDE0_CACHE_TAG_GENERATION_MODE, 0);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL, PDE_FAULT_CLASSIFICATION, 0);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL, CONTEXT1_IDENTITY_ACCESS_MODE, 1);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL, IDENTITY_MODE_FRAGMENT_SIZE, 0);
	hub_write(vdev, hub, regVM_L2_CNTL, tmp);

	tmp = hub_read(vdev, hub, regVM_L2_CNTL2);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL2, INVALIDATE_ALL_L1_TLBS, 1);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL2, INVALIDATE_L2_CACHE, 1);
	hub_write(vdev, hub, regVM_L2_CNTL2, tmp);

	tmp = VM_L2_CNTL3_DEFAULT;
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL3, BANK_SELECT, 9);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL3, L2_CACHE_BIGK_FRAGMENT_SIZE, 6);
	hub_write(vdev, hub, regVM_L2_CNTL3, tmp);

	tmp = VM_L2_CNTL4_DEFAULT;
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL4, VMC_TAP_PDE_REQUEST_PHYSICAL, 0);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL4, VMC_TAP_PTE_REQUEST_PHYSICAL, 0);
	hub_write(vdev, hub, regVM_L2_CNTL4, tmp);
}

#define FAULT_INTERRUPTS						\
	(VM_CONTEXT1_CNTL__RANGE_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK |	\
	 VM_CONTEXT1_CNTL__DUMMY_PAGE_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK |	\
	 VM_CONTEXT1_CNTL__PDE0_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK |	\
	 VM_CONTEXT1_CNTL__VALID_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK |	\
	 VM_CONTEXT1_CNTL__READ_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK |	\
	 VM_CONTEXT1_CNTL__WRITE_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK |	\
	 VM_CONTEXT1_CNTL__EXECUTE_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK)

#define FAULT_DEFAULTS							\
	(VM_CONTEXT1_CNTL__RANGE_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |	\
	 VM_CONTEXT1_CNTL__DUMMY_PAGE_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |	\
	 VM_CONTEXT1_CNTL__PDE0_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |	\
	 VM_CONTEXT1_CNTL__VALID_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |	\
	 VM_CONTEXT1_CNTL__READ_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |	\
	 VM_CONTEXT1_CNTL__WRITE_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |	\
	 VM_CONTEXT1_CNTL__EXECUTE_PROTECTION_FAULT_ENABLE_DEFAULT_MASK)

/* VMID 0: one flat table of the GART, no directory above it. */
static void vgpu_hub_init_context0(struct vgpu_device *vdev, enum vgpu_hub_id hub)
{
	const struct vgpu_gmc *gmc = &vdev->gmc;
	u64 table = vgpu_bo_mc_addr(gmc->gart_bo) - gmc->vram_start + gmc->vram_base_offset;
	u32 tmp;

	hub_write_pfn(vdev, hub, regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32,
		      table | VGPU_PTE_VALID);
	hub_write_pfn(vdev, hub, regVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32,
		      gmc->gart_start >> VGPU_GPU_PAGE_SHIFT);
	hub_write_pfn(vdev, hub, regVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32,
		      (gmc->gart_start + gmc->gart_size - 1) >> VGPU_GPU_PAGE_SHIFT);

	tmp = hub_read(vdev, hub, regVM_CONTEXT0_CNTL);
	tmp = REG_FIELD_SET(tmp, VM_CONTEXT0_CNTL, ENABLE_CONTEXT, 1);
	tmp = REG_FIELD_SET(tmp, VM_CONTEXT0_CNTL, PAGE_TABLE_DEPTH, 0);
	tmp = REG_FIELD_SET(tmp, VM_CONTEXT0_CNTL, PAGE_TABLE_BLOCK_SIZE, 0);
	tmp = REG_FIELD_SET(tmp, VM_CONTEXT0_CNTL, RETRY_PERMISSION_OR_INVALID_PAGE_FAULT, 0);
	hub_write(vdev, hub, regVM_CONTEXT0_CNTL, tmp | FAULT_INTERRUPTS);
}

/* VMIDs 1 to 15: the whole 48-bit space; their page directories come with jobs. */
static void vgpu_hub_init_contexts(struct vgpu_device *vdev, enum vgpu_hub_id hub)
{
	u64 last_pfn = (1ULL << (48 - VGPU_GPU_PAGE_SHIFT)) - 1;
	unsigned int vmid;

	for (vmid = 1; vmid < VGPU_NUM_VMID; vmid++) {
		u32 cntl = VGPU_REG_N(regVM_CONTEXT0_CNTL, regVM_CONTEXT1_CNTL, vmid);
		u32 tmp = hub_read(vdev, hub, cntl);

		tmp = REG_FIELD_SET(tmp, VM_CONTEXT1_CNTL, ENABLE_CONTEXT, 1);
		tmp = REG_FIELD_SET(tmp, VM_CONTEXT1_CNTL, PAGE_TABLE_DEPTH, VGPU_VM_DEPTH);
		tmp = REG_FIELD_SET(tmp, VM_CONTEXT1_CNTL, PAGE_TABLE_BLOCK_SIZE,
				    VGPU_VM_BLOCK_SIZE - 9);
		tmp = REG_FIELD_SET(tmp, VM_CONTEXT1_CNTL,
				    RETRY_PERMISSION_OR_INVALID_PAGE_FAULT, 1);
		hub_write(vdev, hub, cntl, tmp | FAULT_DEFAULTS | FAULT_INTERRUPTS);

		hub_write_pfn(vdev, hub, VGPU_REG_N(regVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32,
						    regVM_CONTEXT1_PAGE_TABLE_START_ADDR_LO32,
						    vmid), 0);
		hub_write_pfn(vdev, hub, VGPU_REG_N(regVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32,
						    regVM_CONTEXT1_PAGE_TABLE_END_ADDR_LO32,
						    vmid), last_pfn);
	}
}

/**
 * vgpu_hub_enable() - program a hub and let it translate
 * @vdev: the die
 * @hub: which
 *
 * May be repeated, after a reset of the die for instance.
 */
void vgpu_hub_enable(struct vgpu_device *vdev, enum vgpu_hub_id hub)
{
	unsigned int eng;
	u32 tmp;

	vgpu_hub_init_apertures(vdev, hub);
	vgpu_hub_init_context0(vdev, hub);
	vgpu_hub_init_caches(vdev, hub);
	vgpu_hub_init_contexts(vdev, hub);

	/* Every engine invalidates all addresses. */
	for (eng = 0; eng < VGPU_NUM_INV_ENG; eng++) {
		u32 range = VGPU_REG_N(regVM_INVALIDATE_ENG0_ADDR_RANGE_LO32,
				       regVM_INVALIDATE_ENG1_ADDR_RANGE_LO32, eng);

		hub_write(vdev, hub, range, 0xffffffff);
		hub_write(vdev, hub, range + 1, 0x1f);
	}

	/* Accesses that fault go to the dummy page, and are reported. */
	tmp = hub_read(vdev, hub, regVM_L2_PROTECTION_FAULT_CNTL);
	tmp |= VM_L2_PROTECTION_FAULT_CNTL__RANGE_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |
	       VM_L2_PROTECTION_FAULT_CNTL__PDE0_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |
	       VM_L2_PROTECTION_FAULT_CNTL__PDE1_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |
	       VM_L2_PROTECTION_FAULT_CNTL__PDE2_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |
	       VM_L2_PROTECTION_FAULT_CNTL__TRANSLATE_FURTHER_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |
	       VM_L2_PROTECTION_FAULT_CNTL__NACK_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |
	       VM_L2_PROTECTION_FAULT_CNTL__DUMMY_PAGE_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |
	       VM_L2_PROTECTION_FAULT_CNTL__VALID_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |
	       VM_L2_PROTECTION_FAULT_CNTL__READ_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |
	       VM_L2_PROTECTION_FAULT_CNTL__WRITE_PROTECTION_FAULT_ENABLE_DEFAULT_MASK |
	       VM_L2_PROTECTION_FAULT_CNTL__EXECUTE_PROTECTION_FAULT_ENABLE_DEFAULT_MASK;
	hub_write(vdev, hub, regVM_L2_PROTECTION_FAULT_CNTL, tmp);
}

/**
 * vgpu_hub_disable() - stop translating
 * @vdev: the die
 * @hub: which
 */
void vgpu_hub_disable(struct vgpu_device *vdev, enum vgpu_hub_id hub)
{
	unsigned int vmid;
	u32 tmp;

	for (vmid = 0; vmid < VGPU_NUM_VMID; vmid++)
		hub_write(vdev, hub, VGPU_REG_N(regVM_CONTEXT0_CNTL, regVM_CONTEXT1_CNTL, vmid),
			  0);

	tmp = hub_read(vdev, hub, regMC_VM_MX_L1_TLB_CNTL);
	tmp = REG_FIELD_SET(tmp, MC_VM_MX_L1_TLB_CNTL, ENABLE_L1_TLB, 0);
	tmp = REG_FIELD_SET(tmp, MC_VM_MX_L1_TLB_CNTL, ENABLE_ADVANCED_DRIVER_MODEL, 0);
	hub_write(vdev, hub, regMC_VM_MX_L1_TLB_CNTL, tmp);

	tmp = hub_read(vdev, hub, regVM_L2_CNTL);
	tmp = REG_FIELD_SET(tmp, VM_L2_CNTL, ENABLE_L2_CACHE, 0);
	hub_write(vdev, hub, regVM_L2_CNTL, tmp);
	hub_write(vdev, hub, regVM_L2_CNTL3, 0);
}

/* Clients of the GC hub, by the number that a fault's status has. */
static const char * const vgpu_gc_clients[] = {
	"CB", "DB", "IA", "WD", "CPF", "CPC", "CPG", "RLC", "TCP", "SQC (inst)", "SQC (data)",
	"SQG", "PA",
};

/* The clients of the MM hub that a compute die uses. */
static const struct {
	u32 id;
	const char *name;
} vgpu_mm_clients[] = {
	{ 2, "MP1" }, { 3, "MP0" }, { 160 + 14, "HDP" },
	{ 256 + 0, "SDMA0" }, { 256 + 1, "SDMA1" }, { 256 + 2, "SDMA2" }, { 256 + 3, "SDMA3" },
	{ 256 + 4, "SDMA4" },
	{ 384, "OSS" },
};

static const char *vgpu_hub_client_name(enum vgpu_hub_id hub, u32 cid)
{
	unsigned int i;

	if (hub == VGPU_GCHUB)
		return cid < ARRAY_SIZE(vgpu_gc_clients) ? vgpu_gc_clients[cid] : "unknown";
	for (i = 0; i < ARRAY_SIZE(vgpu_mm_clients); i++) {
		if (vgpu_mm_clients[i].id == cid)
			return vgpu_mm_clients[i].name;
	}
	return "unknown";
}

/* Rights that were missing */
#define HUB_PERM_VALID		1
#define HUB_PERM_READ		2
#define HUB_PERM_WRITE		4
#define HUB_PERM_EXECUTE	8

/* What stopped the walk, in the order of the enables in FAULT_CNTL. */
static const char *vgpu_walker_error_name(u32 error)
{
	static const char * const name[] = {
		"none", "out of range", "PDE0", "PDE1", "PDE2", "translate further", "nack",
		"dummy page",
	};

	return error < ARRAY_SIZE(name) ? name[error] : "?";
}

/*
 * A page fault. The entry says where, the status register of the hub says
 * why; it describes the first fault since it was last cleared.
 */
static void vgpu_hub_fault(struct vgpu_device *vdev, const struct vgpu_iv_entry *iv)
{
	enum vgpu_hub_id hub = iv->client_id == SOC15_IH_CLIENTID_VMC ? VGPU_MMHUB : VGPU_GCHUB;
	u64 addr = (u64)iv->src_data[0] << VGPU_GPU_PAGE_SHIFT |
		   ((u64)iv->src_data[1] & 0xf) << 44;
	char comm[TASK_COMM_LEN] = "?";
	u32 status, perm, cid, walker, cntl;
	const char *access = "read";
	pid_t pid = 0;

	status = hub_read(vdev, hub, regVM_L2_PROTECTION_FAULT_STATUS);
	cntl = hub_read(vdev, hub, regVM_L2_PROTECTION_FAULT_CNTL);
	hub_write(vdev, hub, regVM_L2_PROTECTION_FAULT_CNTL,
		  cntl | VM_L2_PROTECTION_FAULT_CNTL__CLEAR_PROTECTION_FAULT_STATUS_ADDR_MASK);

	perm = REG_FIELD_GET(VM_L2_PROTECTION_FAULT_STATUS, PERMISSION_FAULTS, status);
	vdev->gmc.num_faults[hub]++;
	vgpu_vm_note_fault(vdev, iv->pasid, hub, addr, status);
	vgpu_kfd_memory_fault(vdev, iv->pasid, addr,
			      status & VM_L2_PROTECTION_FAULT_STATUS__RW_MASK,
			      perm & HUB_PERM_EXECUTE, perm & HUB_PERM_VALID);
	trace_vgpu_vm_fault(vdev, hub, iv->vmid, iv->pasid, addr, status);

	vgpu_vmid_owner(vdev, iv->vmid, &pid, comm);
	cid = REG_FIELD_GET(VM_L2_PROTECTION_FAULT_STATUS, CID, status);
	walker = REG_FIELD_GET(VM_L2_PROTECTION_FAULT_STATUS, WALKER_ERROR, status);
	if (status & VM_L2_PROTECTION_FAULT_STATUS__ATOMIC_MASK)
		access = "atomic";
	else if (status & VM_L2_PROTECTION_FAULT_STATUS__RW_MASK)
		access = "write";

	drm_err_ratelimited(&vdev->drm,
			    "%s hub: page fault at %#018llx: %s by %s (%#x), vmid %u pasid %u, process %s pid %d; walker error %u (%s), permission faults %#x%s%s%s%s, mapping error %u, more faults %u\n",
			    vgpu_hub_name(hub), addr, access, vgpu_hub_client_name(hub, cid), cid,
			    iv->vmid, iv->pasid, comm, pid, walker, vgpu_walker_error_name(walker),
			    perm, perm & HUB_PERM_VALID ? " valid" : "",
			    perm & HUB_PERM_READ ? " read" : "",
			    perm & HUB_PERM_WRITE ? " write" : "",
			    perm & HUB_PERM_EXECUTE ? " execute" : "",
			    REG_FIELD_GET(VM_L2_PROTECTION_FAULT_STATUS, MAPPING_ERROR, status),
			    REG_FIELD_GET(VM_L2_PROTECTION_FAULT_STATUS, MORE_FAULTS, status));
}

/**
 * vgpu_hub_irq_init() - register for the page faults of both hubs
 * @vdev: the die
 */
int vgpu_hub_irq_init(struct vgpu_device *vdev)
{
	int ret;

	ret = vgpu_irq_add(vdev, SOC15_IH_CLIENTID_VMC, VMC_1_0__SRCID__VM_FAULT,
			   "MM hub page fault", vgpu_hub_fault);
	if (ret)
		return ret;
	return vgpu_irq_add(vdev, SOC15_IH_CLIENTID_UTCL2, UTCL2_1_0__SRCID__FAULT,
			    "GC hub page fault", vgpu_hub_fault);
}
