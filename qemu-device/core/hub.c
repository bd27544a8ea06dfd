/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two VM hubs, GC and MM: their registers, invalidation engines and
 * protection faults. Documentation/hardware.rst, "Memory".
 *
 * Faults follow the hardware as amdgpu's gmc_v9_0 decodes it. The first one
 * is latched in the status and address registers; further ones set
 * MORE_FAULTS until software clears them. Each posts an IH entry, of which
 * real hardware can send a storm: here a VMID that has been reported stays
 * silent until the status is cleared (which a driver does as it handles the
 * entry), or until it is invalidated or its context changes, as happens
 * before it is used anew. So no process's fault goes unreported, and at most
 * 16 entries can come in between.
 */
#include "die.h"
#include "hw/ih.h"
#include "hw/reg/gc.h"
#include "hw/reg/mmhub.h"
#include "hw/reg/vgpu.h"

/*
 * Both hubs are one design at two places: where a register is in GC, it is in
 * MMHUB at a constant distance. So one table, by the names of GC, serves both.
 */
#define GC(r)           (VGPU_BASE_GC0 + VGPU_REG_OFF(r))
#define MM(r)           (VGPU_BASE_MMHUB0 + VGPU_REG_OFF(r))

#define SAME_PLACE(name) \
    _Static_assert(VGPU_REG_SEG(reg##name) == 0 && \
                   VGPU_REG_SEG(regMMHUB_##name) == 0 && \
                   MM(regMMHUB_##name) - GC(reg##name) == VGPU_HUB_MM_DISTANCE, \
                   "the hubs differ in " #name)
SAME_PLACE(VM_L2_CNTL);
SAME_PLACE(VM_L2_CNTL4);
SAME_PLACE(VM_L2_PROTECTION_FAULT_CNTL);
SAME_PLACE(VM_L2_PROTECTION_FAULT_DEFAULT_ADDR_HI32);
SAME_PLACE(VM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_HI32);
SAME_PLACE(VM_CONTEXTS_DISABLE);
SAME_PLACE(VM_CONTEXT0_CNTL);
SAME_PLACE(VM_CONTEXT15_CNTL);
SAME_PLACE(VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32);
SAME_PLACE(VM_CONTEXT15_PAGE_TABLE_BASE_ADDR_HI32);
SAME_PLACE(VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32);
SAME_PLACE(VM_CONTEXT15_PAGE_TABLE_START_ADDR_HI32);
SAME_PLACE(VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32);
SAME_PLACE(VM_CONTEXT15_PAGE_TABLE_END_ADDR_HI32);
SAME_PLACE(VM_INVALIDATE_ENG0_SEM);
SAME_PLACE(VM_INVALIDATE_ENG17_SEM);
SAME_PLACE(VM_INVALIDATE_ENG0_REQ);
SAME_PLACE(VM_INVALIDATE_ENG17_REQ);
SAME_PLACE(VM_INVALIDATE_ENG0_ACK);
SAME_PLACE(VM_INVALIDATE_ENG17_ACK);
SAME_PLACE(VM_INVALIDATE_ENG0_ADDR_RANGE_LO32);
SAME_PLACE(VM_INVALIDATE_ENG17_ADDR_RANGE_HI32);
SAME_PLACE(MC_VM_FB_OFFSET);
SAME_PLACE(MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB);
SAME_PLACE(MC_VM_FB_LOCATION_BASE);
SAME_PLACE(MC_VM_FB_LOCATION_TOP);
SAME_PLACE(MC_VM_AGP_TOP);
SAME_PLACE(MC_VM_AGP_BASE);
SAME_PLACE(MC_VM_SYSTEM_APERTURE_LOW_ADDR);
SAME_PLACE(MC_VM_SYSTEM_APERTURE_HIGH_ADDR);
SAME_PLACE(MC_VM_MX_L1_TLB_CNTL);
#define regMMHUB_MC_VM_XGMI_LFB_CNTL_ALDE  regMMHUB_MC_VM_XGMI_LFB_CNTL
#define regMMHUB_MC_VM_XGMI_LFB_SIZE_ALDE  regMMHUB_MC_VM_XGMI_LFB_SIZE
SAME_PLACE(MC_VM_XGMI_LFB_CNTL_ALDE);
SAME_PLACE(MC_VM_XGMI_LFB_SIZE_ALDE);

/* Where firmware puts the FB aperture of a die, in units of 16 MiB. */
#define FB_BASE     0x8000u

#define FIELD(val, name)    (((val) & name##_MASK) >> name##__SHIFT)
#define FIELD_PREP(val, name) \
    (((uint32_t)(val) << name##__SHIFT) & name##_MASK)

static unsigned hub_of(uint32_t reg)
{
    return reg >= VGPU_BASE_MMHUB0 ? VGPU_HUB_MM : VGPU_HUB_GC;
}

/* --------------------------------------------------------- invalidation */

static void clear_fault(struct vgpu_die *d, unsigned hub)
{
    vgpu_reg_set(d, vgpu_hub_reg(hub, regVM_L2_PROTECTION_FAULT_STATUS), 0);
    vgpu_reg_set(d, vgpu_hub_reg(hub, regVM_L2_PROTECTION_FAULT_ADDR_LO32), 0);
    vgpu_reg_set(d, vgpu_hub_reg(hub, regVM_L2_PROTECTION_FAULT_ADDR_HI32), 0);
    d->s.gmc.reported[hub] = 0;
}

/* The VMID is used anew: its translations are gone, its faults are news. */
static void vmid_changed(struct vgpu_die *d, unsigned hub, unsigned vmid)
{
    vgpu_gmc_drop_vmid(d, hub, vmid);
    d->s.gmc.reported[hub] &= ~(1u << vmid);
}

/* Reading a free semaphore acquires it: 1; one that is held reads as 0. */
static uint32_t sem_read(struct vgpu_die *d, uint32_t reg)
{
    if (vgpu_reg_get(d, reg) & VM_INVALIDATE_ENG0_SEM__SEMAPHORE_MASK) {
        return 0;
    }
    vgpu_reg_set(d, reg, VM_INVALIDATE_ENG0_SEM__SEMAPHORE_MASK);
    return VM_INVALIDATE_ENG0_SEM__SEMAPHORE_MASK;
}

/*
 * An invalidation is done when the write returns. The flush types differ in
 * what in-flight work they wait for, and there is none; the range and the
 * choice of levels only narrow what must go, and all of the VMID goes.
 */
static void req_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned hub = hub_of(reg);
    unsigned eng = reg - vgpu_hub_reg(hub, regVM_INVALIDATE_ENG0_REQ);
    uint32_t vmids = FIELD(val,
                           VM_INVALIDATE_ENG0_REQ__PER_VMID_INVALIDATE_REQ);
    unsigned vmid;

    for (vmid = 0; vmid < VGPU_NUM_VMIDS; vmid++) {
        if (vmids & (1u << vmid)) {
            vmid_changed(d, hub, vmid);
        }
    }
    if (val & VM_INVALIDATE_ENG0_REQ__CLEAR_PROTECTION_FAULT_STATUS_ADDR_MASK) {
        clear_fault(d, hub);
    }
    vgpu_reg_set(d, reg, val);
    vgpu_reg_set(d, vgpu_hub_reg(hub, regVM_INVALIDATE_ENG0_ACK) + eng, vmids);
}

/* VMIDs of the last request, and whether the semaphore is held. */
static uint32_t ack_read(struct vgpu_die *d, uint32_t reg)
{
    unsigned hub = hub_of(reg);
    unsigned eng = reg - vgpu_hub_reg(hub, regVM_INVALIDATE_ENG0_ACK);
    uint32_t sem = vgpu_reg_get(
        d, vgpu_hub_reg(hub, regVM_INVALIDATE_ENG0_SEM) + eng);

    return vgpu_reg_get(d, reg) |
           (sem ? VM_INVALIDATE_ENG0_ACK__SEMAPHORE_MASK : 0);
}

/* ---------------------------------------------------- registers that act */

static void context_cntl_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned hub = hub_of(reg);

    vgpu_reg_set(d, reg, val);
    vmid_changed(d, hub, reg - vgpu_hub_reg(hub, regVM_CONTEXT0_CNTL));
}

/* BASE, START and END of the contexts follow each other, LO and HI in turn. */
static void context_addr_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    unsigned hub = hub_of(reg);
    uint32_t first = vgpu_hub_reg(hub,
                                  regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32);

    vgpu_reg_set(d, reg, val);
    vmid_changed(d, hub, (reg - first) / 2 % VGPU_NUM_VMIDS);
}

/* A register that bears on VMID 0 only: the apertures. */
static void aperture_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    vgpu_gmc_drop_vmid(d, hub_of(reg), 0);
}

/* A register that bears on all of a hub. */
static void hub_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    vgpu_reg_set(d, reg, val);
    vgpu_gmc_drop_hub(d, hub_of(reg));
}

static void l2_cntl2_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    /* The invalidate bits are commands and read as zero. */
    hub_write(d, reg, val & ~(VM_L2_CNTL2__INVALIDATE_ALL_L1_TLBS_MASK |
                              VM_L2_CNTL2__INVALIDATE_L2_CACHE_MASK));
}

static void fault_cntl_write(struct vgpu_die *d, uint32_t reg, uint32_t val)
{
    uint32_t clear =
        VM_L2_PROTECTION_FAULT_CNTL__CLEAR_PROTECTION_FAULT_STATUS_ADDR_MASK;

    if (val & clear) {
        clear_fault(d, hub_of(reg));
    }
    /* A command: amdgpu writes 1 and never goes back to 0. */
    vgpu_reg_set(d, reg, val & ~clear);
}

/* --------------------------------------------------------------- faults */

/* Status and address show the newest fault instead of keeping the first. */
#define FOLLOW \
VM_L2_PROTECTION_FAULT_CNTL__ALLOW_SUBSEQUENT_PROTECTION_FAULT_STATUS_ADDR_UPDATES_MASK

/* The interrupt enable of the context that this kind of fault has. */
static uint32_t interrupt_enable(const struct vgpu_xlat *x)
{
    uint32_t bits = 0;

    switch (x->walker_error) {
    case VGPU_WALK_OK:
        break;
    case VGPU_WALK_RANGE:
        return
        VM_CONTEXT0_CNTL__RANGE_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK;
    case VGPU_WALK_DUMMY:
        return
        VM_CONTEXT0_CNTL__DUMMY_PAGE_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK;
    default:
        return
        VM_CONTEXT0_CNTL__PDE0_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK;
    }
    if (x->mapping_error || x->permission & VGPU_PERM_VALID) {
        bits |= VM_CONTEXT0_CNTL__VALID_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK;
    }
    if (x->permission & VGPU_PERM_READ) {
        bits |= VM_CONTEXT0_CNTL__READ_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK;
    }
    if (x->permission & VGPU_PERM_WRITE) {
        bits |= VM_CONTEXT0_CNTL__WRITE_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK;
    }
    if (x->permission & VGPU_PERM_EXEC) {
        bits |=
        VM_CONTEXT0_CNTL__EXECUTE_PROTECTION_FAULT_ENABLE_INTERRUPT_MASK;
    }
    return bits;
}

/* The L2's own enable: a bit for each of the first 16 clients, one for all. */
static uint32_t client_enable(unsigned cid)
{
    if (cid < 16) {
        return 1u << (cid +
        VM_L2_PROTECTION_FAULT_CNTL__CLIENT_ID_NO_RETRY_FAULT_INTERRUPT__SHIFT);
    }
    return
    VM_L2_PROTECTION_FAULT_CNTL__OTHER_CLIENT_ID_NO_RETRY_FAULT_INTERRUPT_MASK;
}

static void post_fault(struct vgpu_die *d, const struct vgpu_req *req,
                       uint64_t page, bool write, uint32_t status)
{
    bool mm = req->hub == VGPU_HUB_MM;
    struct vgpu_iv iv = {
        .client_id = mm ? SOC15_IH_CLIENTID_VMC : SOC15_IH_CLIENTID_UTCL2,
        .source_id = mm ? VMC_1_0__SRCID__VM_FAULT : UTCL2_1_0__SRCID__FAULT,
        /*
         * The kind of the fault as in the status: WALKER_ERROR in [2:0],
         * PERMISSION_FAULTS in [6:3], MAPPING_ERROR in [7].
         */
        .ring_id = status >> VM_L2_PROTECTION_FAULT_STATUS__WALKER_ERROR__SHIFT,
        .vmid = req->vmid,
        .vmid_mm = mm,
        /*
         * [3:0] of the second word go on with the address; bit 5: a write,
         * bit 7: to be retried.
         */
        .src_data = { page, (page >> 32 & 0xf) | (write ? 0x20 : 0) },
    };

    vgpu_ih_post(d, &iv);
}

void vgpu_hub_fault(struct vgpu_die *d, const struct vgpu_req *req,
                    uint64_t va, unsigned access, bool atomic,
                    const struct vgpu_xlat *x)
{
    unsigned hub = req->hub;
    uint32_t status_reg = vgpu_hub_reg(hub, regVM_L2_PROTECTION_FAULT_STATUS);
    uint32_t cntl = vgpu_reg_get(
        d, vgpu_hub_reg(hub, regVM_L2_PROTECTION_FAULT_CNTL));
    uint32_t context = vgpu_reg_get(
        d, vgpu_hub_reg(hub, regVM_CONTEXT0_CNTL) + req->vmid);
    uint32_t latched = vgpu_reg_get(d, status_reg);
    uint64_t page = (va & VGPU_VA_MASK) >> 12;
    bool write = access & VGPU_WRITE;
    uint32_t status =
        FIELD_PREP(x->walker_error,
                   VM_L2_PROTECTION_FAULT_STATUS__WALKER_ERROR) |
        FIELD_PREP(x->permission,
                   VM_L2_PROTECTION_FAULT_STATUS__PERMISSION_FAULTS) |
        FIELD_PREP(x->mapping_error,
                   VM_L2_PROTECTION_FAULT_STATUS__MAPPING_ERROR) |
        FIELD_PREP(req->cid, VM_L2_PROTECTION_FAULT_STATUS__CID) |
        FIELD_PREP(write, VM_L2_PROTECTION_FAULT_STATUS__RW) |
        FIELD_PREP(atomic, VM_L2_PROTECTION_FAULT_STATUS__ATOMIC) |
        FIELD_PREP(req->vmid, VM_L2_PROTECTION_FAULT_STATUS__VMID);

    d->stats.faults++;
    vgpu_trace_step(d, VGPU_STEP_FAULT,
                    req->cid >= VGPU_CID_SDMA(0) &&
                    req->cid < VGPU_CID_SDMA(VGPU_MAX_SDMA) ?
                    1 + req->cid - VGPU_CID_SDMA(0) : 0, req->vmid);

    if (latched) {
        vgpu_reg_set(d, status_reg, latched |
                     VM_L2_PROTECTION_FAULT_STATUS__MORE_FAULTS_MASK);
    }
    if (!latched || cntl & FOLLOW) {
        vgpu_reg_set(d, status_reg, status | (latched ?
                     VM_L2_PROTECTION_FAULT_STATUS__MORE_FAULTS_MASK : 0));
        vgpu_reg_set(d, vgpu_hub_reg(hub,
                     regVM_L2_PROTECTION_FAULT_ADDR_LO32), page);
        vgpu_reg_set(d, vgpu_hub_reg(hub,
                     regVM_L2_PROTECTION_FAULT_ADDR_HI32), page >> 32);
    }

    if (d->s.gmc.reported[hub] & (1u << req->vmid)) {
        return;
    }
    d->s.gmc.reported[hub] |= 1u << req->vmid;
    vgpu_log(d, VGPU_LOG_GUEST_ERROR,
             "%s hub: VMID %u %s fault at page 0x%llx000, status 0x%08x",
             hub == VGPU_HUB_MM ? "MM" : "GC", req->vmid,
             write ? "write" : "read", (unsigned long long)page, status);
    if (context & interrupt_enable(x) && cntl & client_enable(req->cid)) {
        post_fault(d, req, page, write, status);
    }
}

/* ------------------------------------------------------------- the table */

#define ALL     (~0u)
#define HI4     0xfu
#define MASK24  0xffffffu

/* A register that both hubs have. */
struct hub_reg {
    struct vgpu_reg_desc gc;
    const char *mm_name;
};

#define N(n, cnt, strd, rst, mask, rd, wr) { \
    .gc = { \
        .reg = GC(reg##n), .count = cnt, .stride = strd, .reset = rst, \
        .wmask = mask, .read = rd, .write = wr, .name = #n, \
    }, \
    .mm_name = "MMHUB " #n, \
}
#define R(n, rst, mask, wr) N(n, 1, 1, rst, mask, NULL, wr)

static const struct hub_reg hub_regs[] = {
    R(VM_L2_CNTL, 0x00080602, ALL, hub_write),
    R(VM_L2_CNTL2, 0, ALL, l2_cntl2_write),
    R(VM_L2_CNTL3, 0x80100007, ALL, NULL),
    R(VM_L2_CNTL4, 0x000000c1, ALL, NULL),
    R(VM_L2_STATUS, 0, 0, NULL),
    R(VM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_LO32, 0, ALL, NULL),
    R(VM_L2_CONTEXT1_IDENTITY_APERTURE_LOW_ADDR_HI32, 0, HI4, NULL),
    R(VM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_LO32, 0, ALL, NULL),
    R(VM_L2_CONTEXT1_IDENTITY_APERTURE_HIGH_ADDR_HI32, 0, HI4, NULL),
    R(VM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_LO32, 0, ALL, NULL),
    R(VM_L2_CONTEXT_IDENTITY_PHYSICAL_OFFSET_HI32, 0, HI4, NULL),
    R(VM_L2_PROTECTION_FAULT_CNTL, 0x3ffffffc, ALL, fault_cntl_write),
    R(VM_L2_PROTECTION_FAULT_CNTL2, 0x000a0000, ALL, NULL),
    R(VM_L2_PROTECTION_FAULT_MM_CNTL3, ~0u, ALL, NULL),
    R(VM_L2_PROTECTION_FAULT_MM_CNTL4, ~0u, ALL, NULL),
    R(VM_L2_PROTECTION_FAULT_STATUS, 0, 0, NULL),
    R(VM_L2_PROTECTION_FAULT_ADDR_LO32, 0, 0, NULL),
    R(VM_L2_PROTECTION_FAULT_ADDR_HI32, 0, 0, NULL),
    R(VM_L2_PROTECTION_FAULT_DEFAULT_ADDR_LO32, 0, ALL, NULL),
    R(VM_L2_PROTECTION_FAULT_DEFAULT_ADDR_HI32, 0, HI4, NULL),
    R(VM_DUMMY_PAGE_FAULT_CNTL, 0, 0xff, NULL),
    R(VM_DUMMY_PAGE_FAULT_ADDR_LO32, 0, ALL, NULL),
    R(VM_DUMMY_PAGE_FAULT_ADDR_HI32, 0, HI4, NULL),
    R(VM_CONTEXTS_DISABLE, 0, 0xffff, hub_write),
    N(VM_CONTEXT0_CNTL, 16, 1, 0x007ffe80, 0x007fffff, NULL,
      context_cntl_write),
    N(VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, 16, 2, 0, ALL, NULL,
      context_addr_write),
    N(VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32, 16, 2, 0, ALL, NULL,
      context_addr_write),
    N(VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, 16, 2, 0, ALL, NULL,
      context_addr_write),
    N(VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, 16, 2, 0, HI4, NULL,
      context_addr_write),
    N(VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, 16, 2, 0, ALL, NULL,
      context_addr_write),
    N(VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32, 16, 2, 0, HI4, NULL,
      context_addr_write),
    N(VM_INVALIDATE_ENG0_SEM, 18, 1, 0, 1, sem_read, NULL),
    N(VM_INVALIDATE_ENG0_REQ, 18, 1, 0x017c0000, 0x01ffffff, NULL, req_write),
    N(VM_INVALIDATE_ENG0_ACK, 18, 1, 0, 0, ack_read, NULL),
    N(VM_INVALIDATE_ENG0_ADDR_RANGE_LO32, 18, 2, 0, ALL, NULL, NULL),
    N(VM_INVALIDATE_ENG0_ADDR_RANGE_HI32, 18, 2, 0, 0x1f, NULL, NULL),
    R(MC_VM_FB_OFFSET, 0, MASK24, aperture_write),
    R(MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB, 0, ALL, aperture_write),
    R(MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB, 0, HI4, aperture_write),
    R(MC_VM_XGMI_LFB_CNTL_ALDE, 0, 0, NULL),
    R(MC_VM_XGMI_LFB_SIZE_ALDE, 0, 0, NULL),
    R(MC_VM_FB_LOCATION_BASE, 0, MASK24, aperture_write),
    R(MC_VM_FB_LOCATION_TOP, 0, MASK24, aperture_write),
    R(MC_VM_AGP_TOP, 0, MASK24, aperture_write),
    R(MC_VM_AGP_BOT, 0, MASK24, aperture_write),
    R(MC_VM_AGP_BASE, 0, MASK24, aperture_write),
    R(MC_VM_SYSTEM_APERTURE_LOW_ADDR, 0, 0x3fffffff, aperture_write),
    R(MC_VM_SYSTEM_APERTURE_HIGH_ADDR, 0, 0x3fffffff, aperture_write),
    R(MC_VM_MX_L1_TLB_CNTL, 0x00002501, 0x3fff, aperture_write),
};

bool vgpu_hub_init(struct vgpu_die *d)
{
    size_t i;

    /* The register that tells the segment size has 17 bits. */
    if (d->cfg.segment_size >> 24 >
        MC_VM_XGMI_LFB_SIZE_ALDE__PF_LFB_SIZE_MASK) {
        vgpu_log(d, VGPU_LOG_INFO, "the segment of a node exceeds 2 TiB");
        return false;
    }
    for (i = 0; i < sizeof(hub_regs) / sizeof(hub_regs[0]); i++) {
        struct vgpu_reg_desc mm = hub_regs[i].gc;

        mm.reg += VGPU_HUB_MM_DISTANCE;
        mm.name = hub_regs[i].mm_name;
        if (!vgpu_regs_claim(d, &hub_regs[i].gc, 1) ||
            !vgpu_regs_claim(d, &mm, 1)) {
            return false;
        }
    }
    return true;
}

/*
 * What the firmware of a board sets before a driver comes: where the memory
 * of the hive is in the address space, and which part of it is this die's.
 */
void vgpu_hub_reset(struct vgpu_die *d, unsigned hub)
{
    const struct vgpu_die_config *c = &d->cfg;
    uint64_t bytes = c->segment_size ? c->segment_size * c->num_nodes :
                     c->vram_size;
    uint32_t top = FB_BASE + (bytes + MASK24) / (MASK24 + 1) - 1;

    vgpu_reg_set(d, vgpu_hub_reg(hub, regMC_VM_FB_LOCATION_BASE), FB_BASE);
    vgpu_reg_set(d, vgpu_hub_reg(hub, regMC_VM_FB_LOCATION_TOP), top);
    vgpu_reg_set(d, vgpu_hub_reg(hub, regMC_VM_FB_OFFSET), c->cpu_base >> 24);
    vgpu_reg_set(d, vgpu_hub_reg(hub, regMC_VM_XGMI_LFB_CNTL_ALDE),
                 FIELD_PREP(c->node_id,
                            MC_VM_XGMI_LFB_CNTL_ALDE__PF_LFB_REGION) |
                 FIELD_PREP(c->num_nodes - 1,
                            MC_VM_XGMI_LFB_CNTL_ALDE__PF_MAX_REGION));
    vgpu_reg_set(d, vgpu_hub_reg(hub, regMC_VM_XGMI_LFB_SIZE_ALDE),
                 FIELD_PREP(c->segment_size >> 24,
                            MC_VM_XGMI_LFB_SIZE_ALDE__PF_LFB_SIZE));
}
