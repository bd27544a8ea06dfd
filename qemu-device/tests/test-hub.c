/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of the VM hubs: reset values, invalidation engines and their
 * semaphores, and what a protection fault leaves in registers and in the
 * interrupt ring. Documentation/hardware.rst, "Memory".
 */
#include <stdlib.h>

#include "harness.h"
#include "hw/ih.h"
#include "hw/pte.h"
#include "hw/reg/gc.h"
#include "hw/reg/mmhub.h"
#include "hw/reg/oss.h"
#include "hw/reg/vgpu.h"

#define GC(r)   VGPU_REG_ABS(GC, r)
#define MM(r)   VGPU_REG_ABS(MMHUB, r)
#define OSS(r)  VGPU_REG_ABS(OSSSYS, r)

#define RING    (MOCK_RAM_BASE + 0x100000)
#define PTE_RWX (VGPU_PTE_VALID | VGPU_PTE_EXECUTABLE | VGPU_PTE_READABLE | \
                 VGPU_PTE_WRITEABLE)

static struct mock m;

/* One hub's registers, by the names of its own header. */
struct hub {
    unsigned hub;
    uint32_t context_cntl, base_lo, base_hi, start_lo, start_hi, end_lo, end_hi;
    uint32_t sem, req, ack, range_lo, range_hi;
    uint32_t l2_cntl, fault_cntl, fault_status, fault_lo, fault_hi;
};

static const struct hub gc_hub = {
    .hub = VGPU_HUB_GC,
    .context_cntl = GC(regVM_CONTEXT0_CNTL),
    .base_lo = GC(regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32),
    .base_hi = GC(regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32),
    .start_lo = GC(regVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32),
    .start_hi = GC(regVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32),
    .end_lo = GC(regVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32),
    .end_hi = GC(regVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32),
    .sem = GC(regVM_INVALIDATE_ENG0_SEM),
    .req = GC(regVM_INVALIDATE_ENG0_REQ),
    .ack = GC(regVM_INVALIDATE_ENG0_ACK),
    .range_lo = GC(regVM_INVALIDATE_ENG0_ADDR_RANGE_LO32),
    .range_hi = GC(regVM_INVALIDATE_ENG0_ADDR_RANGE_HI32),
    .l2_cntl = GC(regVM_L2_CNTL),
    .fault_cntl = GC(regVM_L2_PROTECTION_FAULT_CNTL),
    .fault_status = GC(regVM_L2_PROTECTION_FAULT_STATUS),
    .fault_lo = GC(regVM_L2_PROTECTION_FAULT_ADDR_LO32),
    .fault_hi = GC(regVM_L2_PROTECTION_FAULT_ADDR_HI32),
};

static const struct hub mm_hub = {
    .hub = VGPU_HUB_MM,
    .context_cntl = MM(regMMHUB_VM_CONTEXT0_CNTL),
    .base_lo = MM(regMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32),
    .base_hi = MM(regMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32),
    .start_lo = MM(regMMHUB_VM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32),
    .start_hi = MM(regMMHUB_VM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32),
    .end_lo = MM(regMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32),
    .end_hi = MM(regMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32),
    .sem = MM(regMMHUB_VM_INVALIDATE_ENG0_SEM),
    .req = MM(regMMHUB_VM_INVALIDATE_ENG0_REQ),
    .ack = MM(regMMHUB_VM_INVALIDATE_ENG0_ACK),
    .range_lo = MM(regMMHUB_VM_INVALIDATE_ENG0_ADDR_RANGE_LO32),
    .range_hi = MM(regMMHUB_VM_INVALIDATE_ENG0_ADDR_RANGE_HI32),
    .l2_cntl = MM(regMMHUB_VM_L2_CNTL),
    .fault_cntl = MM(regMMHUB_VM_L2_PROTECTION_FAULT_CNTL),
    .fault_status = MM(regMMHUB_VM_L2_PROTECTION_FAULT_STATUS),
    .fault_lo = MM(regMMHUB_VM_L2_PROTECTION_FAULT_ADDR_LO32),
    .fault_hi = MM(regMMHUB_VM_L2_PROTECTION_FAULT_ADDR_HI32),
};

static const struct hub *const hubs[] = { &gc_hub, &mm_hub };

static uint32_t rreg(uint32_t reg)
{
    return mock_rreg(&m, reg);
}

static void wreg(uint32_t reg, uint32_t val)
{
    mock_wreg(&m, reg, val);
}

/* A ring of 4 KiB that takes every entry. */
static void start(void)
{
    mock_default(&m);
    wreg(OSS(regIH_RB_BASE), RING >> 8);
    wreg(OSS(regIH_RB_BASE_HI), RING >> 40);
    wreg(OSS(regIH_RB_CNTL),
         IH_RB_CNTL__RB_ENABLE_MASK | IH_RB_CNTL__ENABLE_INTR_MASK |
         10 << IH_RB_CNTL__RB_SIZE__SHIFT | 1 << IH_RB_CNTL__MC_SPACE__SHIFT |
         IH_RB_CNTL__RPTR_REARM_MASK);
}

static unsigned entries(void)
{
    return rreg(OSS(regIH_RB_WPTR)) / VGPU_IV_BYTES;
}

static uint32_t entry_dw(unsigned entry, unsigned dw)
{
    return mock_ram32(&m, RING + entry * VGPU_IV_BYTES + 4 * dw);
}

static void *access(const struct hub *h, unsigned vmid, unsigned cid,
                    uint64_t va, unsigned rights)
{
    struct vgpu_req req = { .hub = h->hub, .vmid = vmid, .cid = cid };
    uint64_t len = 4;
    void *p;

    vgpu_lock(m.die);
    p = vgpu_gmc_map(m.die, &req, va, &len, rights);
    vgpu_unlock(m.die);
    return p;
}

static void set_context(const struct hub *h, unsigned vmid, uint64_t table,
                        uint64_t last)
{
    wreg(h->base_lo + 2 * vmid, table | VGPU_PTE_VALID);
    wreg(h->base_hi + 2 * vmid, table >> 32);
    wreg(h->end_lo + 2 * vmid, last);
    wreg(h->end_hi + 2 * vmid, last >> 32);
    wreg(h->context_cntl + vmid, rreg(h->context_cntl + vmid) | 1);
}

static uint64_t faults(void)
{
    struct vgpu_die_stats s;

    vgpu_die_stats(m.die, &s);
    return s.faults;
}

/* ------------------------------------------------------------- registers */

/* As gc_9_0_default.h has them; firmware's part is in test-gmc.c. */
static void test_reset_values(void)
{
    unsigned i, n;

    start();
    for (i = 0; i < 2; i++) {
        const struct hub *h = hubs[i];

        CHECK_EQ(rreg(h->l2_cntl), 0x00080602);
        CHECK_EQ(rreg(h->l2_cntl + 2), 0x80100007);     /* VM_L2_CNTL3 */
        CHECK_EQ(rreg(h->fault_cntl), 0x3ffffffc);
        CHECK_EQ(rreg(h->fault_cntl + 1), 0x000a0000);  /* _CNTL2 */
        CHECK_EQ(rreg(h->fault_status), 0);
        for (n = 0; n < 16; n++) {
            CHECK_EQ(rreg(h->context_cntl + n), 0x007ffe80);
            CHECK_EQ(rreg(h->base_lo + 2 * n), 0);
        }
        for (n = 0; n < 18; n++) {
            CHECK_EQ(rreg(h->req + n), 0x017c0000);
            CHECK_EQ(rreg(h->ack + n), 0);
        }
    }
    CHECK_EQ(m.die->stats.unclaimed_reads, 0);
    mock_stop(&m);
}

/* What is written stays, within its fields, and apart from the other hub. */
static void test_storage(void)
{
    unsigned i, n;

    start();
    for (i = 0; i < 2; i++) {
        const struct hub *h = hubs[i];

        for (n = 0; n < 16; n++) {
            wreg(h->context_cntl + n, 0xff800001u | n << 3);
            wreg(h->base_lo + 2 * n, 0xabcd0000u + n + 0x100 * i);
            wreg(h->base_hi + 2 * n, 0x12340000u + n + 0x100 * i);
            wreg(h->start_lo + 2 * n, n + 0x200 * i);
            wreg(h->start_hi + 2 * n, ~0u);
            wreg(h->end_lo + 2 * n, ~n);
            wreg(h->end_hi + 2 * n, 0xf0 + n);
        }
        for (n = 0; n < 18; n++) {
            wreg(h->range_lo + 2 * n, 0x55000000u + n + 0x100 * i);
            wreg(h->range_hi + 2 * n, ~0u);
        }
        wreg(h->fault_status, ~0u);
        wreg(h->fault_lo, ~0u);
        wreg(h->ack, ~0u);
    }
    for (i = 0; i < 2; i++) {
        const struct hub *h = hubs[i];

        for (n = 0; n < 16; n++) {
            CHECK_EQ(rreg(h->context_cntl + n), 1u | n << 3);
            CHECK_EQ(rreg(h->base_lo + 2 * n), 0xabcd0000u + n + 0x100 * i);
            CHECK_EQ(rreg(h->base_hi + 2 * n), 0x12340000u + n + 0x100 * i);
            CHECK_EQ(rreg(h->start_lo + 2 * n), n + 0x200 * i);
            CHECK_EQ(rreg(h->start_hi + 2 * n), 0xf);
            CHECK_EQ(rreg(h->end_lo + 2 * n), ~n);
            CHECK_EQ(rreg(h->end_hi + 2 * n), n);
        }
        for (n = 0; n < 18; n++) {
            CHECK_EQ(rreg(h->range_lo + 2 * n), 0x55000000u + n + 0x100 * i);
            CHECK_EQ(rreg(h->range_hi + 2 * n), 0x1f);
        }
        CHECK_EQ(rreg(h->fault_status), 0);
        CHECK_EQ(rreg(h->fault_lo), 0);
        CHECK_EQ(rreg(h->ack), 0);
    }
    mock_stop(&m);
}

/* ---------------------------------------------------------- invalidation */

static void test_engines(void)
{
    unsigned i, eng, other;

    start();
    for (i = 0; i < 2; i++) {
        const struct hub *h = hubs[i];

        for (eng = 0; eng < 18; eng++) {
            uint32_t vmid = eng % 16;

            /* What gmc_v9_0_get_invalidate_req() writes. */
            wreg(h->req + eng, 1u << vmid | 0x7c0000 | (eng & 3) << 16);
            CHECK_EQ(rreg(h->ack + eng), 1u << vmid);
            for (other = eng + 1; other < 18; other++) {
                CHECK_EQ(rreg(h->ack + other), 0);
            }
        }
        /* The next request takes the place of the last. */
        wreg(h->req, 0x8001 | 0x7c0000);
        CHECK_EQ(rreg(h->ack), 0x8001);
        wreg(h->req, 0x0006 | 0x7c0000);
        CHECK_EQ(rreg(h->ack), 0x0006);
    }
    mock_stop(&m);
}

/* Every engine drops the VMIDs named, and none but those. */
static void test_engines_drop(void)
{
    unsigned i, eng, vmid;

    start();
    for (i = 0; i < 2; i++) {
        const struct hub *h = hubs[i];

        for (vmid = 1; vmid < 16; vmid++) {
            set_context(h, vmid, 0x10000, 511);
        }
        for (eng = 0; eng < 18; eng++) {
            uint32_t drop = 0x5a5a + eng;

            mock_set_vram64(&m, 0x10000, 0x20000 | PTE_RWX);
            wreg(h->req + eng, 0xffff);
            for (vmid = 1; vmid < 16; vmid++) {
                CHECK(access(h, vmid, 4, 0, VGPU_READ) == m.vram + 0x20000);
            }
            mock_set_vram64(&m, 0x10000, 0x30000 | PTE_RWX);
            wreg(h->req + eng, drop);
            for (vmid = 1; vmid < 16; vmid++) {
                CHECK(access(h, vmid, 4, 0, VGPU_READ) ==
                      m.vram + (drop >> vmid & 1 ? 0x30000 : 0x20000));
            }
        }
    }
    mock_stop(&m);
}

static void test_semaphores(void)
{
    unsigned i, eng;

    start();
    for (i = 0; i < 2; i++) {
        for (eng = 0; eng < 18; eng++) {
            uint32_t sem = hubs[i]->sem + eng;

            /* The first reader has it, until it is given back by a 0. */
            CHECK_EQ(rreg(sem), 1);
            CHECK_EQ(rreg(sem), 0);
            CHECK_EQ(rreg(sem), 0);
            CHECK_EQ(rreg(hubs[i]->ack + eng) >> 16, 1);
            wreg(sem, 0);
            CHECK_EQ(rreg(hubs[i]->ack + eng) >> 16, 0);
            CHECK_EQ(rreg(sem), 1);
        }
    }
    vgpu_die_reset(m.die);
    CHECK_EQ(rreg(gc_hub.sem), 1);
    mock_stop(&m);
}

/* ---------------------------------------------------------------- faults */

/*
 * Status and address registers, and the entry, as gmc_v9_0_process_interrupt()
 * takes them apart.
 */
static void test_fault_report(void)
{
    unsigned i;

    for (i = 0; i < 2; i++) {
        const struct hub *h = hubs[i];
        unsigned cid = i ? VGPU_CID_SDMA(2) : VGPU_CID_CPC;
        uint64_t va = 0x9abc12345678;
        uint32_t status;

        start();
        atomic_fetch_add(&m.now, 10 * 0x7123456789abcull);
        wreg(OSS(i ? regIH_VMID_0_LUT_MM : regIH_VMID_0_LUT) + 5, 0x8001);
        wreg(OSS(i ? regIH_VMID_0_LUT : regIH_VMID_0_LUT_MM) + 5, 0x7777);
        set_context(h, 5, 0x10000, ~0ull);
        wreg(h->end_hi + 10, 0xf);
        /* The PTE lies behind VRAM; a flat table would be huge. */
        CHECK(!access(h, 5, cid, va, VGPU_WRITE));

        status = rreg(h->fault_status);
        CHECK_EQ(status & 1, 0);                    /* MORE_FAULTS */
        CHECK_EQ(status >> 1 & 7, VGPU_WALK_NACK);  /* WALKER_ERROR */
        CHECK_EQ(status >> 4 & 0xf, 1 | 4);         /* PERMISSION_FAULTS */
        CHECK_EQ(status >> 8 & 1, 1);               /* MAPPING_ERROR */
        CHECK_EQ(status >> 9 & 0x1ff, cid);
        CHECK_EQ(status >> 18 & 1, 1);              /* RW */
        CHECK_EQ(status >> 19 & 1, 0);              /* ATOMIC */
        CHECK_EQ(status >> 20 & 0xf, 5);            /* VMID */
        CHECK_EQ(status >> 24, 0);
        CHECK_EQ(rreg(h->fault_lo), (uint32_t)(va >> 12));
        CHECK_EQ(rreg(h->fault_hi), va >> 44);
        CHECK_EQ(rreg(hubs[!i]->fault_status), 0);

        CHECK_EQ(entries(), 1);
        CHECK_EQ(entry_dw(0, 0),
                 (i ? SOC15_IH_CLIENTID_VMC : SOC15_IH_CLIENTID_UTCL2) |
                 0 << 8 | (status >> 1 & 0xff) << 16 | 5u << 24 |
                 (uint32_t)i << 31);
        CHECK_EQ(entry_dw(0, 1), 0x56789abc);
        CHECK_EQ(entry_dw(0, 2), 0x1234);   /* 48 bits */
        CHECK_EQ(entry_dw(0, 3), 0x8001);
        CHECK_EQ(entry_dw(0, 4), (uint32_t)(va >> 12));
        CHECK_EQ(entry_dw(0, 5), (va >> 44) | 0x20);
        CHECK_EQ(entry_dw(0, 6) | entry_dw(0, 7), 0);
        CHECK_EQ(atomic_load(&m.msix[0]), 1);
        CHECK_EQ(faults(), 1);
        mock_stop(&m);
    }
}

/* What logs of real hardware show for a page that is not there. */
static void test_fault_known_values(void)
{
    start();
    set_context(&gc_hub, 3, 0x10000, 511);
    CHECK(!access(&gc_hub, 3, VGPU_CID_TCP, 0x1000, VGPU_READ));
    CHECK_EQ(rreg(gc_hub.fault_status), 0x00301030);
    CHECK_EQ(entry_dw(0, 0) >> 16 & 0xff, 24);
    CHECK_EQ(entry_dw(0, 5), 0);
    wreg(gc_hub.fault_cntl, rreg(gc_hub.fault_cntl) | 1);
    CHECK(!access(&gc_hub, 3, VGPU_CID_TCP, 0x1000, VGPU_WRITE));
    CHECK_EQ(rreg(gc_hub.fault_status), 0x00341050);
    CHECK_EQ(entry_dw(1, 0) >> 16 & 0xff, 40);
    CHECK_EQ(entry_dw(1, 5), 0x20);
    mock_stop(&m);
}

static void test_fault_sticky(void)
{
    const struct hub *h = &mm_hub;
    uint32_t first;

    start();
    set_context(h, 1, 0x10000, 511);
    set_context(h, 2, 0x10000, 511);
    CHECK(!access(h, 1, VGPU_CID_SDMA(0), 0x3000, VGPU_READ));
    first = rreg(h->fault_status);
    CHECK_EQ(first & 1, 0);
    CHECK(!access(h, 2, VGPU_CID_SDMA(1), 0x4000, VGPU_WRITE));
    CHECK_EQ(rreg(h->fault_status), first | 1);     /* MORE_FAULTS */
    CHECK_EQ(rreg(h->fault_lo), 3);
    /* Writing CNTL without the command leaves it; the command is not kept. */
    wreg(h->fault_cntl, 0x3ffffffc);
    CHECK_EQ(rreg(h->fault_status), first | 1);
    wreg(h->fault_cntl, 0x3ffffffd);
    CHECK_EQ(rreg(h->fault_cntl), 0x3ffffffc);
    CHECK_EQ(rreg(h->fault_status), 0);
    CHECK_EQ(rreg(h->fault_lo) | rreg(h->fault_hi), 0);
    /* So the next one is the first again, and its command works twice. */
    CHECK(!access(h, 2, VGPU_CID_SDMA(1), 0x4000, VGPU_WRITE));
    CHECK_EQ(rreg(h->fault_status) >> 20, 2);
    CHECK_EQ(rreg(h->fault_status) & 1, 0);
    CHECK_EQ(rreg(h->fault_lo), 4);
    wreg(h->fault_cntl, 0x3ffffffd);
    CHECK_EQ(rreg(h->fault_status), 0);
    /* The same by an invalidation request. */
    CHECK(!access(h, 2, VGPU_CID_SDMA(1), 0x5000, VGPU_READ));
    wreg(h->req + 3, 0x7c0000);
    CHECK(rreg(h->fault_status));
    wreg(h->req + 3, 0x7c0000 | 1 << 23);
    CHECK_EQ(rreg(h->fault_status), 0);
    /* ALLOW_SUBSEQUENT_...: the newest is shown. */
    wreg(h->fault_cntl, 0x3ffffffe);
    CHECK(!access(h, 2, VGPU_CID_SDMA(1), 0x6000, VGPU_READ));
    CHECK(!access(h, 1, VGPU_CID_SDMA(3), 0x7000, VGPU_READ));
    CHECK_EQ(rreg(h->fault_lo), 7);
    CHECK_EQ(rreg(h->fault_status) >> 20, 1);
    CHECK_EQ(rreg(h->fault_status) & 1, 1);
    mock_stop(&m);
}

/* One entry a VMID, until the driver has seen it or the VMID is new. */
static void test_fault_storm(void)
{
    const struct hub *h = &gc_hub;
    unsigned i;

    start();
    for (i = 1; i < 16; i++) {
        set_context(h, i, 0x10000, 511);
    }
    for (i = 0; i < 300; i++) {
        CHECK(!access(h, 1, VGPU_CID_CPF, i << 12, VGPU_READ));
    }
    CHECK_EQ(faults(), 300);
    CHECK_EQ(entries(), 1);
    for (i = 1; i < 16; i++) {
        CHECK(!access(h, i, VGPU_CID_CPF, 0, VGPU_READ));
    }
    CHECK_EQ(entries(), 15);
    /* The other hub has its own account. */
    set_context(&mm_hub, 1, 0x10000, 511);
    CHECK(!access(&mm_hub, 1, VGPU_CID_SDMA(0), 0, VGPU_READ));
    CHECK_EQ(entries(), 16);

    CHECK(!access(h, 2, VGPU_CID_CPF, 0, VGPU_READ));
    CHECK_EQ(entries(), 16);
    wreg(h->req, 1 << 2 | 0x7c0000);
    CHECK(!access(h, 3, VGPU_CID_CPF, 0, VGPU_READ));
    CHECK_EQ(entries(), 16);
    CHECK(!access(h, 2, VGPU_CID_CPF, 0, VGPU_READ));
    CHECK_EQ(entries(), 17);
    wreg(h->base_lo + 2 * 2, 0x10001);
    CHECK(!access(h, 2, VGPU_CID_CPF, 0, VGPU_READ));
    CHECK_EQ(entries(), 18);
    wreg(h->fault_cntl, 0x3ffffffd);
    for (i = 1; i < 16; i++) {
        CHECK(!access(h, i, VGPU_CID_CPF, 0, VGPU_READ));
    }
    CHECK_EQ(entries(), 33);
    mock_stop(&m);
}

/* Each kind of fault has its enable in the context, each client one in L2. */
static void test_fault_interrupt_enables(void)
{
    static const struct {
        unsigned bit;       /* VM_CONTEXT0_CNTL, ..._ENABLE_INTERRUPT */
        uint64_t pte;
        uint64_t va;
        unsigned rights;
    } kind[] = {
        { 9, 0, 1ull << 40, VGPU_READ },                    /* RANGE */
        { 15, VGPU_PTE_READABLE, 0, VGPU_READ },            /* VALID */
        { 17, VGPU_PTE_VALID, 0, VGPU_READ },               /* READ */
        { 19, VGPU_PTE_VALID, 0, VGPU_WRITE },              /* WRITE */
        { 21, VGPU_PTE_VALID, 0, VGPU_EXEC },               /* EXECUTE */
        { 15, PTE_RWX | 1ull << 40, 0, VGPU_READ },         /* no memory */
        { 13, ~0ull, 0, VGPU_READ },                        /* PDE0 */
    };
    const uint32_t all = 0x2aaa00;  /* bits 9, 11 and so on to 21 */
    const struct hub *h = &gc_hub;
    unsigned i, cid;

    start();
    set_context(h, 1, 0x10000, 511);
    for (i = 0; i < sizeof(kind) / sizeof(kind[0]); i++) {
        bool pde = kind[i].pte == ~0ull;
        uint32_t cntl = 1 | (pde ? 1 << 1 : 0);

        wreg(OSS(regIH_RB_WPTR), 0);
        mock_set_vram64(&m, 0x10000, pde ? 0 : kind[i].pte);
        wreg(h->context_cntl + 1, cntl | (all & ~(1u << kind[i].bit)));
        CHECK(!access(h, 1, VGPU_CID_CPG, kind[i].va, kind[i].rights));
        CHECK_EQ(entries(), 0);
        CHECK(rreg(h->fault_status));
        wreg(h->context_cntl + 1, cntl | 1u << kind[i].bit);
        CHECK(!access(h, 1, VGPU_CID_CPG, kind[i].va, kind[i].rights));
        CHECK_EQ(entries(), 1);
    }

    mock_set_vram64(&m, 0x10000, 0);
    wreg(h->context_cntl + 1, 1 | all);
    for (cid = 0; cid < 20; cid++) {
        unsigned bit = cid < 16 ? 13 + cid : 29;

        wreg(OSS(regIH_RB_WPTR), 0);
        wreg(h->fault_cntl, 0x3fffe001 & ~(1u << bit));
        CHECK(!access(h, 1, cid, 0, VGPU_READ));
        CHECK_EQ(entries(), 0);
        wreg(h->fault_cntl, 1 | 1u << bit);
        CHECK(!access(h, 1, cid, 0, VGPU_READ));
        CHECK_EQ(entries(), 1);
    }
    mock_stop(&m);
}

static void test_fault_traced(void)
{
    start();
    set_context(&mm_hub, 9, 0x10000, 511);
    wreg(VGPU_DBG_TRACE_CNTL, 3);
    CHECK(!access(&mm_hub, 9, VGPU_CID_SDMA(2), 0, VGPU_READ));
    wreg(VGPU_DBG_TRACE_INDEX, 0);
    CHECK_EQ(rreg(VGPU_DBG_TRACE_STEP), VGPU_STEP_FAULT | 3 << 8);
    CHECK_EQ(rreg(VGPU_DBG_TRACE_DATA), 9);
    CHECK_EQ(rreg(VGPU_DBG_FAULTS), 1);
    CHECK(atomic_load(&m.logs[VGPU_LOG_GUEST_ERROR]) > 0);
    mock_stop(&m);
}

/* Faults and semaphores migrate; a stream that cannot be is refused. */
static void test_state(void)
{
    size_t size;
    uint8_t *buf;
    struct vgpu_die_state *s;

    start();
    size = vgpu_die_state_size(m.die);
    buf = malloc(size);
    set_context(&gc_hub, 3, 0x10000, 511);
    CHECK(!access(&gc_hub, 3, VGPU_CID_TCP, 0x1000, VGPU_READ));
    CHECK_EQ(rreg(gc_hub.sem), 1);
    vgpu_die_state_save(m.die, buf);
    vgpu_die_reset(m.die);
    CHECK_EQ(rreg(gc_hub.fault_status), 0);
    CHECK(vgpu_die_state_load(m.die, buf, size));
    CHECK_EQ(rreg(gc_hub.fault_status), 0x00301030);
    CHECK_EQ(rreg(gc_hub.sem), 0);
    CHECK(!access(&gc_hub, 3, VGPU_CID_TCP, 0x1000, VGPU_READ));
    CHECK_EQ(entries(), 1);

    s = (struct vgpu_die_state *)(buf + size - sizeof(*s));
    s->gmc.reported[1] = 0x10000;
    CHECK(!vgpu_die_state_load(m.die, buf, size));
    s->gmc.reported[1] = 0;
    s->ih.signalled = 2;
    CHECK(!vgpu_die_state_load(m.die, buf, size));
    s->ih.signalled = 1;
    s->ih.posting = 1;
    CHECK(!vgpu_die_state_load(m.die, buf, size));
    free(buf);
    mock_stop(&m);
}

static const struct test tests[] = {
    TEST(test_reset_values),
    TEST(test_storage),
    TEST(test_engines),
    TEST(test_engines_drop),
    TEST(test_semaphores),
    TEST(test_fault_report),
    TEST(test_fault_known_values),
    TEST(test_fault_sticky),
    TEST(test_fault_storm),
    TEST(test_fault_interrupt_enables),
    TEST(test_fault_traced),
    TEST(test_state),
};
TEST_MAIN(tests)
