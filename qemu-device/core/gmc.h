/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory controller: both VM hubs, the page-table walk, and the cache of
 * translations that everything else reads and writes memory through.
 * Documentation/hardware.rst, "Memory". Included by die.h.
 *
 * What is left out of the hardware, on purpose:
 * - Retry faults: no client here can wait for its translation, so a fault is
 *   final (no-retry), whatever RETRY_PERMISSION_OR_INVALID_PAGE_FAULT says.
 * - The default page of a fault (*_ENABLE_DEFAULT): the access that faulted
 *   is not made. Reads give zeroes, as the default page of a driver does;
 *   where the fault is that no memory answers, all ones.
 * - The caches of the hub, but for the translation cache in gmc.c, which holds
 *   no more than the hardware's could: an invalidation drops at least what
 *   the hardware would.
 */
#ifndef VGPU_GMC_H
#define VGPU_GMC_H

/* UTCL2 client ids that a fault reports: GC hub (amdgpu's gfxhub_client_ids) */
#define VGPU_CID_CPF        4
#define VGPU_CID_CPC        5
#define VGPU_CID_CPG        6
#define VGPU_CID_RLC        7
#define VGPU_CID_TCP        8
#define VGPU_CID_SQC_INST   9
#define VGPU_CID_SQC_DATA   10
/* MM hub (mmhub_client_ids_aldebaran) */
#define VGPU_CID_MP1        2
#define VGPU_CID_MP0        3
#define VGPU_CID_HDP        (160 + 14)
#define VGPU_CID_SDMA(n)    (256 + (n))
#define VGPU_CID_OSS        384

/* A byte of what is read where nothing answers, as on a bus. */
#define VGPU_POISON         0xff

#define VGPU_NUM_ENGINES    18  /* invalidation engines of a hub */
#define VGPU_VA_BITS        48
#define VGPU_VA_MASK        0x0000ffffffffffffull

/**
 * struct vgpu_gmc_state - what a hub knows beyond its registers
 * @reported: VMIDs, one bit each, of which a fault has been posted and which
 *            stay silent until the fault status is cleared or they are
 *            invalidated (hub.c)
 */
struct vgpu_gmc_state {
    uint32_t reported[VGPU_NUM_HUBS];
};

/*
 * WALKER_ERROR of VM_L2_PROTECTION_FAULT_STATUS. The classes and their order
 * are those of the enables in VM_L2_PROTECTION_FAULT_CNTL.
 */
enum vgpu_walker_error {
    VGPU_WALK_OK,
    VGPU_WALK_RANGE,        /* outside START..END, or the context is off */
    VGPU_WALK_PDE0,
    VGPU_WALK_PDE1,
    VGPU_WALK_PDE2,
    VGPU_WALK_FURTHER,      /* translate-further entry */
    VGPU_WALK_NACK,         /* a table lies where no memory is */
    VGPU_WALK_DUMMY,
};

/* PERMISSION_FAULTS of VM_L2_PROTECTION_FAULT_STATUS */
#define VGPU_PERM_VALID     1
#define VGPU_PERM_READ      2
#define VGPU_PERM_WRITE     4
#define VGPU_PERM_EXEC      8

/**
 * struct vgpu_xlat - what became of a virtual address
 * @va: start of the run that translates alike, 48 bits, page aligned
 * @len: its length in bytes, ends at or before 2^48
 * @pa: what @va translates to: a bus address if @system, otherwise a physical
 *      address of the hive
 * @pte: the entry that decided (0: an aperture did)
 * @system: in system memory
 * @prt: partially resident, not backed: reads give 0, writes vanish
 * @rights: VGPU_READ, VGPU_WRITE, VGPU_EXEC
 * @walker_error: enum vgpu_walker_error
 * @permission: VGPU_PERM_*
 * @mapping_error: the address leads nowhere
 */
struct vgpu_xlat {
    uint64_t va;
    uint64_t len;
    uint64_t pa;
    uint64_t pte;
    bool system;
    bool prt;
    uint8_t rights;
    uint8_t walker_error;
    uint8_t permission;
    bool mapping_error;
};

/**
 * vgpu_walk() - translate; no fault is reported
 * @va: any 64-bit value; bits 63:48 must be zero or repeat bit 47
 * @want: bytes the caller would like @x to cover; the run may be longer or
 *        shorter
 * @access: rights the access needs
 *
 * Return: true when the translation exists and has the rights; otherwise the
 * last four fields of @x say what is wrong.
 */
bool vgpu_walk(struct vgpu_die *d, unsigned hub, unsigned vmid, uint64_t va,
               uint64_t want, unsigned access, struct vgpu_xlat *x);

/**
 * vgpu_gmc_phys() / vgpu_gmc_bus() - host pointer for an address
 * @pa: physical address of the hive: a multiple of the segment size per node
 * @gpa: bus address
 * @len: bytes wanted, on return bytes there are, never more
 * @peer: set when another die owns the memory
 *
 * Return: NULL when nothing is there.
 */
void *vgpu_gmc_phys(struct vgpu_die *d, uint64_t pa, uint64_t *len,
                    bool *peer);
void *vgpu_gmc_bus(struct vgpu_die *d, uint64_t gpa, uint64_t *len,
                   bool write);

/*
 * The registers of a hub, by the GC hub's names: the MM hub has them all, each
 * at the same distance (hub.c asserts it).
 */
#define VGPU_HUB_MM_DISTANCE    0x18340u

static inline uint32_t vgpu_hub_reg(unsigned hub, uint32_t gc_reg)
{
    return VGPU_BASE_GC0 + VGPU_REG_OFF(gc_reg) +
           (hub == VGPU_HUB_MM ? VGPU_HUB_MM_DISTANCE : 0);
}

/** Claim the registers of both hubs; set what firmware leaves in those of one. */
bool vgpu_hub_init(struct vgpu_die *d);
void vgpu_hub_reset(struct vgpu_die *d, unsigned hub);

/** Report a fault as the hardware does: registers of the hub and IH entry. */
void vgpu_hub_fault(struct vgpu_die *d, const struct vgpu_req *req,
                    uint64_t va, unsigned access, bool atomic,
                    const struct vgpu_xlat *x);

/** Forget the translations of one VMID, of one hub, of all. */
void vgpu_gmc_drop_vmid(struct vgpu_die *d, unsigned hub, unsigned vmid);
void vgpu_gmc_drop_hub(struct vgpu_die *d, unsigned hub);
void vgpu_gmc_drop_all(struct vgpu_die *d);

/**
 * struct vgpu_tlb_entry - a cached translation to a host pointer
 * @gen: valid while it is the generation of its hub and VMID
 * @rights: what may be done through it; WRITE only if the host mapped it so
 * @peer: memory of another die: accesses are counted, each of them
 */
struct vgpu_tlb_entry {
    uint64_t va;
    uint64_t len;
    uint8_t *ptr;
    uint64_t gen;
    uint8_t rights;
    uint8_t peer;
};

#define VGPU_TLB_ENTRIES    64  /* a power of two */

/**
 * struct vgpu_gmc - transient: rebuilt from registers and memory
 * @gen: a number no translation of this hub and VMID was made under before
 *       the last invalidation; unique over hubs and VMIDs, never 0
 * @small: direct mapped by page, @big: by 2 MiB, for runs that cover one
 * @prt_zero, @prt_sink: behind pages that are not resident
 * @scratch: entry for what is not to be cached
 * @fault_fill: see vgpu_gmc_fault_fill()
 * @peers: there was a pointer to memory of another die
 * @slow_peers: and access to it takes time
 */
struct vgpu_gmc {
    uint64_t gen[VGPU_NUM_HUBS][VGPU_NUM_VMIDS];
    uint64_t last_gen;
    struct vgpu_tlb_entry small[VGPU_NUM_HUBS][VGPU_NUM_VMIDS]
                               [VGPU_TLB_ENTRIES];
    struct vgpu_tlb_entry big[VGPU_NUM_HUBS][VGPU_NUM_VMIDS][VGPU_TLB_ENTRIES];
    uint8_t prt_zero[4096];
    uint8_t prt_sink[4096];
    struct vgpu_tlb_entry scratch;
    uint8_t fault_fill;
    bool peers;
    bool slow_peers;
};

/** An access to what may be memory of a peer: count it, have it take time. */
void vgpu_gmc_peer_access(struct vgpu_die *d, const void *ptr, uint64_t len,
                          bool write);

#endif
