/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory controller: apertures, page tables of every shape, rights,
 * the translation cache, and the accesses on top. Expected values come from
 * the layout of the tables that the tests build, not from the walker.
 * Documentation/hardware.rst, "Memory".
 */
#include <stdlib.h>

#include "harness.h"
#include "hw/pm4.h"
#include "hw/pte.h"
#include "hw/reg/gc.h"

#define MIB             (1ull << 20)
#define FB_BASE         (0x8000ull << 24)

/* MC_VM_MX_L1_TLB_CNTL as after reset, with a SYSTEM_ACCESS_MODE. */
#define MODE(n)         (0x2501u | (n) << 3)

#define PTE_RWX         (VGPU_PTE_VALID | VGPU_PTE_EXECUTABLE | \
                         VGPU_PTE_READABLE | VGPU_PTE_WRITEABLE)
#define PTE_SYS         (VGPU_PTE_SYSTEM | VGPU_PTE_SNOOPED)

static struct mock m;
static struct vgpu_req req;

static void wreg(uint32_t gc_reg, uint32_t val)
{
    mock_wreg(&m, vgpu_hub_reg(req.hub, gc_reg), val);
}

static uint32_t rreg(uint32_t gc_reg)
{
    return mock_rreg(&m, vgpu_hub_reg(req.hub, gc_reg));
}

static void start(unsigned hub, unsigned vmid)
{
    mock_default(&m);
    req = (struct vgpu_req) {
        .hub = hub, .vmid = vmid,
        .cid = hub == VGPU_HUB_GC ? VGPU_CID_CPG : VGPU_CID_SDMA(0),
    };
}

/* The die lock as an engine's slice holds it. */
static void *map(uint64_t va, uint64_t *len, unsigned access)
{
    void *p;

    vgpu_lock(m.die);
    p = vgpu_gmc_map(m.die, &req, va, len, access);
    vgpu_unlock(m.die);
    return p;
}

static void *map4(uint64_t va, unsigned access)
{
    uint64_t len = 4;

    return map(va, &len, access);
}

static bool put(uint64_t va, const void *buf, uint64_t len)
{
    bool ok;

    vgpu_lock(m.die);
    ok = vgpu_gmc_write(m.die, &req, va, buf, len);
    vgpu_unlock(m.die);
    return ok;
}

static bool get(uint64_t va, void *buf, uint64_t len)
{
    bool ok;

    vgpu_lock(m.die);
    ok = vgpu_gmc_read(m.die, &req, va, buf, len);
    vgpu_unlock(m.die);
    return ok;
}

static uint64_t faults(void)
{
    struct vgpu_die_stats s;

    vgpu_die_stats(m.die, &s);
    return s.faults;
}

/* The latched status, then cleared. */
static uint32_t take_status(void)
{
    uint32_t status = rreg(regVM_L2_PROTECTION_FAULT_STATUS);

    wreg(regVM_L2_PROTECTION_FAULT_CNTL,
         rreg(regVM_L2_PROTECTION_FAULT_CNTL) | 1);
    return status;
}

#define WALKER(status)      ((status) >> 1 & 7)
#define PERM(status)        ((status) >> 4 & 0xf)
#define MAPPING(status)     ((status) >> 8 & 1)

/* ------------------------------------------------------------- apertures */

static void test_fb_after_reset(void)
{
    uint64_t len = 2 * MOCK_VRAM_SIZE;
    unsigned hub;

    for (hub = 0; hub < VGPU_NUM_HUBS; hub++) {
        start(hub, 0);
        CHECK_EQ(rreg(regMC_VM_FB_LOCATION_BASE), 0x8000);
        /* 16 MiB, the unit of the register: the last one is the first. */
        CHECK_EQ(rreg(regMC_VM_FB_LOCATION_TOP), 0x8000);
        CHECK(map4(FB_BASE, VGPU_READ) == m.vram);
        CHECK(map4(FB_BASE + 0x123454, VGPU_WRITE) == m.vram + 0x123454);
        len = 2 * MOCK_VRAM_SIZE;
        CHECK(map(FB_BASE + 0x1000, &len, VGPU_READ) == m.vram + 0x1000);
        CHECK_EQ(len, MOCK_VRAM_SIZE - 0x1000);
        CHECK_EQ(faults(), 0);
        mock_stop(&m);
    }
}

static void test_fb_base_and_offset(void)
{
    mock_init(&m);
    m.cfg.vram_size = 48 * MIB;
    mock_start(&m);
    req = (struct vgpu_req) { .hub = VGPU_HUB_GC };
    CHECK_EQ(rreg(regMC_VM_FB_LOCATION_TOP), 0x8002);
    wreg(regMC_VM_FB_LOCATION_BASE, 0x100);
    wreg(regMC_VM_FB_LOCATION_TOP, 0x101);
    CHECK(map4(0x100ull << 24, VGPU_READ) == m.vram);
    wreg(regMC_VM_FB_OFFSET, 1);
    CHECK(map4(0x100ull << 24, VGPU_READ) == m.vram + 16 * MIB);
    CHECK(map4((0x101ull << 24) + 16 * MIB - 4, VGPU_READ) ==
          m.vram + 48 * MIB - 4);
    /* Two units from the second on end where VRAM does; a third is outside. */
    wreg(regMC_VM_FB_LOCATION_TOP, 0x102);
    CHECK(!map4(0x102ull << 24, VGPU_READ));
    CHECK_EQ(MAPPING(take_status()), 1);
    mock_stop(&m);
}

static void test_agp(void)
{
    uint64_t bot = 0x40ull << 24;
    struct vgpu_xlat x;
    uint64_t len;

    start(VGPU_HUB_MM, 0);
    wreg(regMC_VM_AGP_BOT, 0x40);
    wreg(regMC_VM_AGP_TOP, 0x41);
    wreg(regMC_VM_AGP_BASE, MOCK_RAM_BASE >> 24);
    CHECK(map4(bot, VGPU_READ | VGPU_WRITE) == m.ram);
    CHECK(map4(bot + 0x3210, VGPU_READ) == m.ram + 0x3210);
    len = 64 * MIB;
    CHECK(map(bot + 0x1000, &len, VGPU_READ) == m.ram + 0x1000);
    CHECK_EQ(len, MOCK_RAM_SIZE - 0x1000);
    CHECK_EQ(faults(), 0);
    /* Where both are, the FB is first; a run of AGP ends there. */
    wreg(regMC_VM_FB_LOCATION_BASE, 0x41);
    wreg(regMC_VM_FB_LOCATION_TOP, 0x41);
    wreg(regMC_VM_AGP_BASE, (MOCK_RAM_BASE >> 24) - 1);
    CHECK(map4(bot + 16 * MIB + 8, VGPU_READ) == m.vram + 8);
    CHECK(!map4(bot + 16 * MIB - 4, VGPU_READ));
    CHECK(vgpu_walk(m.die, req.hub, 0, bot + 8, 4, VGPU_READ, &x));
    CHECK(x.system);
    CHECK_EQ(x.va, bot);
    CHECK_EQ(x.len, 16 * MIB);
    CHECK_EQ(x.pa, MOCK_RAM_BASE - 16 * MIB);
    take_status();
    wreg(regMC_VM_FB_LOCATION_BASE, 0x8000);
    wreg(regMC_VM_AGP_BASE, MOCK_RAM_BASE >> 24);
    /* Inside the aperture, but there is no RAM. */
    CHECK(!map4(bot + MOCK_RAM_SIZE, VGPU_WRITE));
    CHECK_EQ(MAPPING(take_status()), 1);
    CHECK_EQ(faults(), 2);
    mock_stop(&m);
}

static void test_default_page(void)
{
    start(VGPU_HUB_GC, 0);
    wreg(regMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB, 0x345000 >> 12);
    wreg(regMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB, 0);
    CHECK(map4(0x1234567890, VGPU_WRITE) == m.vram + 0x345890);
    CHECK(map4(FB_BASE - 4, VGPU_READ) == m.vram + 0x345ffc);
    CHECK_EQ(faults(), 0);
    wreg(regMC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_MSB, 0xf);
    CHECK(!map4(0x1234567890, VGPU_WRITE));
    CHECK_EQ(MAPPING(take_status()), 1);
    mock_stop(&m);
}

/*
 * A flat table for VMID 0 that maps one page at 0x1000 of it to VRAM at
 * 0x200000; whether an address meets it tells whether it went there.
 */
static void gart(uint64_t start_va, uint64_t pages, uint64_t table_off)
{
    wreg(regVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32, start_va >> 12);
    wreg(regVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32, start_va >> 44);
    wreg(regVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32, (start_va >> 12) + pages - 1);
    wreg(regVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32,
         ((start_va >> 12) + pages - 1) >> 32);
    wreg(regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32, table_off | VGPU_PTE_VALID);
    wreg(regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32, 0);
    wreg(regVM_CONTEXT0_CNTL, rreg(regVM_CONTEXT0_CNTL) | 1);
}

static void test_system_access_modes(void)
{
    uint64_t in = FB_BASE + 0x1000, out = FB_BASE + 0x41000;
    unsigned mode;

    for (mode = 0; mode < 4; mode++) {
        bool in_mapped = mode == 1 || mode == 2;
        bool out_mapped = mode == 1 || mode == 3;

        start(VGPU_HUB_GC, 0);
        wreg(regMC_VM_SYSTEM_APERTURE_LOW_ADDR, FB_BASE >> 18);
        wreg(regMC_VM_SYSTEM_APERTURE_HIGH_ADDR, FB_BASE >> 18);
        gart(FB_BASE, 0x80, 0x100000);
        mock_set_vram64(&m, 0x100000 + 1 * 8, 0x200000 | PTE_RWX);
        mock_set_vram64(&m, 0x100000 + 0x41 * 8, 0x300000 | PTE_RWX);
        wreg(regMC_VM_MX_L1_TLB_CNTL, MODE(mode));
        CHECK(map4(in, VGPU_READ) == m.vram + (in_mapped ? 0x200000 : 0x1000));
        CHECK(map4(out, VGPU_READ) ==
              m.vram + (out_mapped ? 0x300000 : 0x41000));
        mock_stop(&m);
    }
}

/* A run ends where the system aperture begins or ends, cached or not. */
static void test_run_ends_at_aperture(void)
{
    uint64_t len = MIB;

    start(VGPU_HUB_MM, 0);
    wreg(regMC_VM_SYSTEM_APERTURE_LOW_ADDR, (FB_BASE >> 18) + 1);
    wreg(regMC_VM_SYSTEM_APERTURE_HIGH_ADDR, (FB_BASE >> 18) + 1);
    gart(FB_BASE, 0x200, 0x100000);
    mock_set_vram64(&m, 0x100000 + 0x3f * 8,
                    0x400000 | PTE_RWX | VGPU_PTE_FRAG(9));
    mock_set_vram64(&m, 0x100000 + 0x80 * 8, 0x500000 | PTE_RWX);
    wreg(regMC_VM_MX_L1_TLB_CNTL, MODE(3));

    CHECK(map(FB_BASE + 0x50000, &len, VGPU_READ) == m.vram + 0x50000);
    CHECK_EQ(len, 0x80000 - 0x50000);
    /* Mapped, in a fragment of 2 MiB: up to the aperture at 256 KiB. */
    len = MIB;
    CHECK(map(FB_BASE + 0x3f000, &len, VGPU_READ) == m.vram + 0x400000);
    CHECK_EQ(len, 0x1000);
    CHECK(map4(FB_BASE + 0x40000, VGPU_READ) == m.vram + 0x40000);
    CHECK(map4(FB_BASE + 0x80000, VGPU_READ) == m.vram + 0x500000);
    mock_stop(&m);
}

static void test_gart(void)
{
    uint64_t va = 0x12345000000;
    uint64_t len;
    unsigned hub;

    for (hub = 0; hub < VGPU_NUM_HUBS; hub++) {
        start(hub, 0);
        /* What amdgpu sets: the aperture is the FB. */
        wreg(regMC_VM_SYSTEM_APERTURE_LOW_ADDR, FB_BASE >> 18);
        wreg(regMC_VM_SYSTEM_APERTURE_HIGH_ADDR,
             (FB_BASE + MOCK_VRAM_SIZE - 1) >> 18);
        wreg(regMC_VM_MX_L1_TLB_CNTL, MODE(3));
        gart(va, 16, 0x80000);
        mock_set_vram64(&m, 0x80000, MOCK_RAM_BASE | PTE_RWX | PTE_SYS);
        mock_set_vram64(&m, 0x80008,
                        (MOCK_RAM_BASE + 0x5000) | PTE_RWX | PTE_SYS);
        mock_set_vram64(&m, 0x80010,
                        (MOCK_RAM_BASE + 0x6000) | PTE_RWX | PTE_SYS);
        mock_set_vram64(&m, 0x80000 + 15 * 8,
                        (MOCK_RAM_BASE + 0x7000) | PTE_RWX | PTE_SYS);
        mock_set_vram64(&m, 0x80000 + 16 * 8,
                        (MOCK_RAM_BASE + 0x8000) | PTE_RWX | PTE_SYS);

        CHECK(map4(va + 0x10, VGPU_READ) == m.ram + 0x10);
        /* Contiguous pages make one run. */
        len = 0x10000;
        CHECK(map(va + 0x1800, &len, VGPU_WRITE) == m.ram + 0x5800);
        CHECK_EQ(len, 0x1800);
        CHECK(map4(va + 0xfffc, VGPU_READ) == m.ram + 0x7ffc);
        CHECK_EQ(faults(), 0);

        CHECK(!map4(va + 0x3000, VGPU_READ));   /* PTE 0 */
        CHECK_EQ(PERM(take_status()), VGPU_PERM_VALID | VGPU_PERM_READ);
        CHECK(!map4(va + 0x10000, VGPU_WRITE)); /* behind the end */
        CHECK_EQ(WALKER(take_status()), VGPU_WALK_RANGE);
        CHECK(!map4(va - 4, VGPU_WRITE));       /* before the start */
        CHECK_EQ(WALKER(take_status()), VGPU_WALK_RANGE);
        CHECK(map4(FB_BASE + 0x80000, VGPU_READ) == m.vram + 0x80000);
        mock_stop(&m);
    }
}

/*
 * Scattered pages read and written as one; what comes before a fault is done,
 * the rest of a read is zero.
 */
static void test_copy_across_pages(void)
{
    uint64_t va = 0x100000000;
    uint8_t in[0x3000], out[0x3000];
    unsigned i;

    start(VGPU_HUB_MM, 0);
    wreg(regMC_VM_MX_L1_TLB_CNTL, MODE(1));
    gart(va, 16, 0x80000);
    mock_set_vram64(&m, 0x80000, 0x7000 | PTE_RWX);
    mock_set_vram64(&m, 0x80008, MOCK_RAM_BASE | PTE_RWX | PTE_SYS);
    mock_set_vram64(&m, 0x80010, 0x3000 | PTE_RWX);
    for (i = 0; i < sizeof(in); i++) {
        in[i] = i * 7 + i / 256;
    }
    atomic_store(&m.written_bytes, 0);
    CHECK(put(va + 0x800, in, 0x2000));
    CHECK(!memcmp(m.vram + 0x7800, in, 0x800));
    CHECK(!memcmp(m.ram, in + 0x800, 0x1000));
    CHECK(!memcmp(m.vram + 0x3000, in + 0x1800, 0x800));
    CHECK_EQ(atomic_load(&m.written_bytes), 0x2000);
    CHECK(get(va + 0x800, out, 0x2000));
    CHECK(!memcmp(in, out, 0x2000));

    memset(out, 0xff, sizeof(out));
    CHECK(!get(va + 0x1800, out, 0x2000));
    CHECK(!memcmp(out, in + 0x1000, 0x1000));
    for (i = 0x1800; i < 0x2000; i++) {
        CHECK_EQ(out[i], 0);
    }
    CHECK_EQ(out[0x2000], 0xff);
    CHECK(!put(va + 0x2ff0, in, 0x20));
    CHECK(!memcmp(m.vram + 0x3ff0, in, 0x10));
    CHECK_EQ(faults(), 2);
    mock_stop(&m);
}

/* ---------------------------------------------------------- page tables */

/*
 * Tables as the hardware's format has them, built entry by entry: PDB entries
 * cover 1 << (9 + block) pages and 512 times that a level up, the PTB has
 * 1 << (9 + block) entries, and the root has as many as are needed.
 */
struct space {
    unsigned depth;
    unsigned block;
    uint64_t first;     /* START, in pages */
    bool in_ram;        /* tables in system memory */
    uint64_t root;
    uint64_t next;      /* where the next table goes: VRAM or RAM offset */
};

#define TABLES      (8 * MIB)   /* VRAM offset */
#define TABLE_SIZE  0x10000     /* as much of a table as the tests use */

static void set_entry(struct space *s, uint64_t table, uint64_t index,
                      uint64_t val)
{
    CHECK(index < TABLE_SIZE / 8);
    if (s->in_ram) {
        mock_set_ram64(&m, MOCK_RAM_BASE + table + index * 8, val);
    } else {
        mock_set_vram64(&m, table + index * 8, val);
    }
}

static uint64_t get_entry(struct space *s, uint64_t table, uint64_t index)
{
    CHECK(index < TABLE_SIZE / 8);
    return s->in_ram ? mock_ram64(&m, MOCK_RAM_BASE + table + index * 8) :
           mock_vram64(&m, table + index * 8);
}

static uint64_t new_table(struct space *s)
{
    uint64_t table = s->next;

    s->next += TABLE_SIZE;
    return table;
}

/* What an entry that leads to a table holds. */
static uint64_t pde_to(struct space *s, uint64_t table)
{
    return s->in_ram ? (MOCK_RAM_BASE + table) | VGPU_PTE_VALID | PTE_SYS :
           table | VGPU_PTE_VALID;
}

static void set_base(uint64_t base)
{
    wreg(regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 + 2 * req.vmid, base);
    wreg(regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32 + 2 * req.vmid, base >> 32);
}

static void set_range(uint64_t first, uint64_t last)
{
    wreg(regVM_CONTEXT0_PAGE_TABLE_START_ADDR_LO32 + 2 * req.vmid, first);
    wreg(regVM_CONTEXT0_PAGE_TABLE_START_ADDR_HI32 + 2 * req.vmid, first >> 32);
    wreg(regVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32 + 2 * req.vmid, last);
    wreg(regVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32 + 2 * req.vmid, last >> 32);
}

static void set_shape(unsigned depth, unsigned block)
{
    wreg(regVM_CONTEXT0_CNTL + req.vmid, 0x007ffe81 | depth << 1 | block << 3);
}

static void space_init(struct space *s)
{
    s->next = s->in_ram ? 0 : TABLES;
    s->root = new_table(s);
    set_shape(s->depth, s->block);
    set_range(s->first, (1ull << 36) - 1);
    set_base(pde_to(s, s->root));
}

/* Bits of a page number that an entry of PDB @level covers. */
static unsigned pdb_shift(const struct space *s, unsigned level)
{
    return 9 + s->block + 9 * level;
}

/*
 * The table and index of the entry for page @pfn in PDB @level; its upper
 * tables are made if they are not there.
 */
static uint64_t pdb_entry(struct space *s, uint64_t pfn, unsigned level,
                          uint64_t *index)
{
    uint64_t table = s->root;
    unsigned l;

    for (l = s->depth; l-- > 0;) {
        *index = (pfn - s->first) >> pdb_shift(s, l);
        if (l != s->depth - 1) {
            *index %= 512;
        }
        if (l == level) {
            break;
        }
        if (!get_entry(s, table, *index)) {
            set_entry(s, table, *index, pde_to(s, new_table(s)));
        }
        table = get_entry(s, table, *index) & VGPU_PDE_ADDR_MASK;
        table -= s->in_ram ? MOCK_RAM_BASE : 0;
    }
    return table;
}

static void set_pde(struct space *s, uint64_t pfn, unsigned level, uint64_t val)
{
    uint64_t index;
    uint64_t table = pdb_entry(s, pfn, level, &index);

    set_entry(s, table, index, val);
}

/* The PTB for @pfn. */
static uint64_t ptb(struct space *s, uint64_t pfn)
{
    uint64_t table, index;

    if (!s->depth) {
        return s->root;
    }
    table = pdb_entry(s, pfn, 0, &index);
    if (!get_entry(s, table, index)) {
        set_entry(s, table, index, pde_to(s, new_table(s)));
    }
    return (get_entry(s, table, index) & VGPU_PDE_ADDR_MASK) -
           (s->in_ram ? MOCK_RAM_BASE : 0);
}

static void set_pte(struct space *s, uint64_t pfn, uint64_t val)
{
    uint64_t index = pfn - s->first;

    if (s->depth) {
        index &= (1ull << (9 + s->block)) - 1;
    }
    set_entry(s, ptb(s, pfn), index, val);
}

static void one_shape(unsigned hub, unsigned vmid, struct space *s)
{
    uint64_t pfn = s->first + 7;
    uint64_t len;
    unsigned l;

    start(hub, vmid);
    space_init(s);
    /* The last entry of each directory, the fourth of the root. */
    for (l = 0; l < s->depth; l++) {
        uint64_t index = l == s->depth - 1 ? 3 : 511;

        while (index && (pfn + (index << pdb_shift(s, l))) >> 36) {
            index /= 2;
        }
        pfn += index << pdb_shift(s, l);
    }
    set_pte(s, pfn, 0x200000 | PTE_RWX);
    set_pte(s, pfn + 2, MOCK_RAM_BASE | 0x400000 | PTE_RWX | PTE_SYS);

    CHECK(map4(pfn << 12, VGPU_READ) == m.vram + 0x200000);
    CHECK(map4((pfn << 12) + 0xffc, VGPU_WRITE) == m.vram + 0x200ffc);
    CHECK(map4((pfn + 2) << 12, VGPU_READ) == m.ram + 0x400000);
    len = 0x100000;
    CHECK(map((pfn << 12) + 0x10, &len, VGPU_READ) == m.vram + 0x200010);
    CHECK_EQ(len, 0xff0);
    CHECK_EQ(faults(), 0);
    CHECK(!map4((pfn + 1) << 12, VGPU_READ));
    CHECK_EQ(PERM(take_status()), VGPU_PERM_VALID | VGPU_PERM_READ);
    /* Neither another VMID nor the other hub sees it. */
    req.vmid = vmid == 1 ? 2 : 1;
    CHECK(!map4(pfn << 12, VGPU_READ));
    CHECK_EQ(WALKER(take_status()), VGPU_WALK_RANGE);
    req.vmid = vmid;
    req.hub = !hub;
    CHECK(!map4(pfn << 12, VGPU_READ));
    CHECK_EQ(WALKER(take_status()), VGPU_WALK_RANGE);
    mock_stop(&m);
}

static void test_table_shapes(void)
{
    static const unsigned blocks[] = { 0, 1, 4, 9, 15 };
    struct space s;
    unsigned depth, i;

    for (depth = 0; depth <= 3; depth++) {
        for (i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
            s = (struct space) { .depth = depth, .block = blocks[i] };
            one_shape(i & 1, 1 + depth, &s);
            s = (struct space) { .depth = depth, .block = blocks[i],
                                 .in_ram = true, .first = 0x123400 };
            one_shape(!(i & 1), 15, &s);
        }
    }
}

/* A directory entry that is a PTE covers all that its table would. */
static void test_pde_as_pte(void)
{
    unsigned level;

    for (level = 0; level < 3; level++) {
        struct space s = { .depth = 3 };
        uint64_t pfn = 5ull << pdb_shift(&s, level);
        uint64_t len = 1ull << 40;

        start(VGPU_HUB_MM, 4);
        space_init(&s);
        set_pde(&s, pfn, level, PTE_RWX | VGPU_PDE_PTE);
        CHECK(map4(pfn << 12, VGPU_READ) == m.vram);
        CHECK(map4((pfn << 12) + 0x123458, VGPU_READ) == m.vram + 0x123458);
        CHECK(map((pfn << 12) + 0x1000, &len, VGPU_READ) == m.vram + 0x1000);
        /* 2 MiB, or the end of VRAM for 1 GiB and 512 GiB */
        CHECK_EQ(len, (level ? MOCK_VRAM_SIZE : 2 * MIB) - 0x1000);
        CHECK_EQ(faults(), 0);
        CHECK(!map4((pfn << 12) - 4, VGPU_READ));
        take_status();
        if (level) {
            CHECK(!map4((pfn << 12) + MOCK_VRAM_SIZE, VGPU_READ));
            CHECK_EQ(take_status() & 0x1ff, 1 << 8);    /* MAPPING_ERROR */
        }
        /* The second 2 MiB of VRAM; what is below 2 MiB does not count. */
        set_pde(&s, pfn, level, PTE_RWX | VGPU_PDE_PTE | (2 * MIB + 0x3000));
        wreg(regVM_INVALIDATE_ENG0_REQ, 1 << req.vmid);
        if (level == 0) {
            CHECK(map4((pfn << 12) + 0x10, VGPU_READ) ==
                  m.vram + 2 * MIB + 0x10);
        }
        set_pde(&s, pfn, level, VGPU_PDE_PTE | VGPU_PTE_READABLE);
        wreg(regVM_INVALIDATE_ENG0_REQ, 1 << req.vmid);
        CHECK(!map4(pfn << 12, VGPU_READ));
        CHECK_EQ(WALKER(take_status()), VGPU_WALK_PDE0 + level);
        mock_stop(&m);
    }
}

/*
 * The form amdgpu uses on MI250X: depth 2, block size 9, and a block fragment
 * size of 9 in PDB0. An entry of the PTB is then a 2 MiB page, or leads on to
 * a table of 4 KiB pages.
 */
static void test_translate_further(void)
{
    struct space s = { .depth = 2, .block = 9 };
    uint64_t va = 3ull << 39 | 5ull << 30 | 7ull << 21 | 9ull << 12;
    uint64_t pfn = va >> 12;
    uint64_t table, last, index, len;

    start(VGPU_HUB_GC, 3);
    space_init(&s);
    table = new_table(&s);
    last = new_table(&s);
    set_pde(&s, pfn, 0, pde_to(&s, table) | VGPU_PDE_BFS(9));
    (void)pdb_entry(&s, pfn, 0, &index);
    CHECK_EQ(index, 5);
    set_entry(&s, table, 7, pde_to(&s, last) | VGPU_PTE_TF);
    set_entry(&s, last, 9, 0x300000 | PTE_RWX);
    set_entry(&s, last, 10, 0x301000 | PTE_RWX);
    set_entry(&s, table, 8, 4 * MIB | PTE_RWX | VGPU_PTE_FRAG(9));
    set_entry(&s, table, 9, VGPU_PTE_TF);
    set_entry(&s, table, 10, pde_to(&s, 1ull << 40) | VGPU_PTE_TF);

    CHECK(map4(va + 0x18, VGPU_WRITE) == m.vram + 0x300018);
    len = MIB;
    CHECK(map(va + 0x18, &len, VGPU_READ) == m.vram + 0x300018);
    va = (va | 0x1fffff) + 1;
    CHECK(map4(va + 0x123450, VGPU_WRITE) == m.vram + 4 * MIB + 0x123450);
    len = 4 * MIB;
    CHECK(map(va + 0x1000, &len, VGPU_READ) == m.vram + 4 * MIB + 0x1000);
    CHECK_EQ(len, 2 * MIB - 0x1000);
    CHECK_EQ(faults(), 0);
    va += 2 * MIB;
    CHECK(!map4(va, VGPU_READ));
    CHECK_EQ(WALKER(take_status()), VGPU_WALK_FURTHER);
    va += 2 * MIB;
    CHECK(!map4(va, VGPU_READ));
    CHECK_EQ(WALKER(take_status()), VGPU_WALK_NACK);
    /* 1 GiB straight in PDB0. */
    set_pde(&s, pfn + (1 << 18), 0, PTE_RWX | VGPU_PDE_PTE);
    CHECK(map4(((pfn + (1 << 18)) << 12) + 0x20, VGPU_READ) ==
          m.vram + 0x20 + (7ull << 21) % MOCK_VRAM_SIZE + (9 << 12));
    mock_stop(&m);
}

/* A block fragment size wider than the PTB leaves it one entry. */
static void test_bfs_out_of_range(void)
{
    struct space s = { .depth = 1, .block = 0 };
    unsigned bfs;

    start(VGPU_HUB_GC, 3);
    space_init(&s);
    for (bfs = 0; bfs < 32; bfs++) {
        uint64_t table = TABLES + TABLE_SIZE;
        unsigned size = bfs < 9 ? bfs : 9;

        memset(m.vram + table, 0, 4096);
        set_pde(&s, 0, 0, pde_to(&s, table) | VGPU_PDE_BFS(bfs));
        set_entry(&s, table, 3 >> size, 2 * MIB | PTE_RWX);
        wreg(regVM_INVALIDATE_ENG0_REQ, 1 << req.vmid);
        CHECK(map4(0x3010, VGPU_READ) ==
              m.vram + 2 * MIB + (0x3010 & ((0x1000u << size) - 1)));
    }
    mock_stop(&m);
}

static void test_fragments(void)
{
    uint64_t pfn = 0x1405, page = 0x305;
    unsigned frag;

    for (frag = 0; frag < 32; frag++) {
        struct space s = { .depth = 0 };
        uint64_t size = 1ull << frag;
        uint64_t lo = pfn / size * size, hi = lo + size;
        uint64_t len = 1ull << 48;
        struct vgpu_xlat x;

        start(VGPU_HUB_GC, 1);
        space_init(&s);
        set_range(0, 0x2000 - 1);
        set_pte(&s, pfn, page << 12 | PTE_RWX | VGPU_PTE_FRAG((uint64_t)frag));

        /* Neither below physical 0 nor above the context's end. */
        if (pfn - lo > page) {
            lo = pfn - page;
        }
        if (hi > 0x2000) {
            hi = 0x2000;
        }
        CHECK(vgpu_walk(m.die, req.hub, 1, pfn << 12, 4, VGPU_READ, &x));
        CHECK_EQ(x.va, lo << 12);
        CHECK_EQ(x.len, (hi - lo) << 12);
        CHECK_EQ(x.pa, (page - (pfn - lo)) << 12);

        /* What memory there is behind it. */
        CHECK(map((pfn << 12) + 8, &len, VGPU_READ) ==
              m.vram + (page << 12) + 8);
        if (hi - pfn > (MOCK_VRAM_SIZE >> 12) - page) {
            hi = pfn + (MOCK_VRAM_SIZE >> 12) - page;
        }
        CHECK_EQ(len, ((hi - pfn) << 12) - 8);

        wreg(regVM_L2_CNTL, rreg(regVM_L2_CNTL) & ~2u);
        len = MIB;
        CHECK(map(pfn << 12, &len, VGPU_READ) == m.vram + (page << 12));
        CHECK_EQ(len, 0x1000);
        mock_stop(&m);
    }
}

/* Pages that follow each other make a run; anything else ends it. */
static void test_runs(void)
{
    struct space s = { .depth = 1 };
    uint64_t len, i;

    start(VGPU_HUB_MM, 1);
    space_init(&s);
    for (i = 0; i < 512; i++) {
        set_pte(&s, i, (0x100 + i) << 12 | PTE_RWX);
    }
    len = 64 * MIB;
    CHECK(map(0, &len, VGPU_READ) == m.vram + 0x100000);
    CHECK_EQ(len, 512 << 12);
    wreg(regVM_INVALIDATE_ENG0_REQ, 2);
    len = 0x2001;   /* no more than what was asked for */
    CHECK(map(0x1000, &len, VGPU_READ) == m.vram + 0x101000);
    CHECK_EQ(len, 0x2001);
    for (i = 4; i < 12; i += 4) {
        static const uint64_t other[] = { VGPU_PTE_READABLE, VGPU_PTE_SYSTEM };

        set_pte(&s, i, ((0x100 + i) << 12 | PTE_RWX) ^ other[i / 4 - 1]);
        wreg(regVM_INVALIDATE_ENG0_REQ, 2);
        len = 64 * MIB;
        CHECK(map((i - 2) << 12, &len, VGPU_WRITE));
        CHECK_EQ(len, 0x2000);
    }
    /* The end of the context. */
    set_range(0, 100);
    len = 64 * MIB;
    CHECK(map(90 << 12, &len, VGPU_READ));
    CHECK_EQ(len, 11 << 12);
    mock_stop(&m);
}

static void test_rights(void)
{
    static const struct {
        uint64_t pte;
        unsigned access;
        unsigned perm;
    } right[] = {
        { VGPU_PTE_READABLE, VGPU_READ, 2 },
        { VGPU_PTE_WRITEABLE, VGPU_WRITE, 4 },
        { VGPU_PTE_EXECUTABLE, VGPU_EXEC, 8 },
    };
    struct space s = { .depth = 3 };
    unsigned have, want, i;

    start(VGPU_HUB_GC, 9);
    space_init(&s);
    for (have = 0; have < 16; have++) {
        for (want = 1; want < 8; want++) {
            uint64_t pte = have & 8 ? VGPU_PTE_VALID : 0;
            unsigned access = 0, missing = have & 8 ? 0 : 1;
            uint32_t status;

            for (i = 0; i < 3; i++) {
                pte |= have & 1 << i ? right[i].pte : 0;
                access |= want & 1 << i ? right[i].access : 0;
                missing |= want & ~have & 1 << i ? right[i].perm : 0;
            }
            set_pte(&s, 0x1234, 0x9000 | pte);
            wreg(regVM_INVALIDATE_ENG0_REQ, 1 << 9);
            CHECK(map4(0x1234000, access) ==
                  (missing ? NULL : m.vram + 0x9000));
            status = take_status();
            CHECK_EQ(PERM(status), missing);
            CHECK_EQ(WALKER(status), 0);
            CHECK_EQ(MAPPING(status), 0);
            CHECK_EQ(status >> 18 & 1, missing && want & 2);    /* RW */
        }
    }
    mock_stop(&m);
}

/* A cached right to read is not one to write. */
static void test_rights_cached(void)
{
    struct space s = { .depth = 3 };

    start(VGPU_HUB_GC, 9);
    space_init(&s);
    set_pte(&s, 0x1234, 0x9000 | VGPU_PTE_VALID | VGPU_PTE_READABLE);
    CHECK(map4(0x1234000, VGPU_READ) == m.vram + 0x9000);
    CHECK(!map4(0x1234000, VGPU_WRITE));
    CHECK_EQ(PERM(take_status()), VGPU_PERM_WRITE);
    CHECK(!map4(0x1234000, VGPU_READ | VGPU_WRITE));
    CHECK(map4(0x1234000, VGPU_READ) == m.vram + 0x9000);
    mock_stop(&m);
}

static void test_level_invalid(void)
{
    unsigned depth, level;

    for (depth = 0; depth <= 3; depth++) {
        struct space s = { .depth = depth, .block = 2 };
        uint64_t pfn = depth ? 1ull << pdb_shift(&s, depth - 1) : 1;
        uint32_t status;

        start(VGPU_HUB_MM, 7);
        space_init(&s);
        set_pte(&s, pfn, 0x9000 | PTE_RWX);
        CHECK(map4(pfn << 12, VGPU_WRITE) == m.vram + 0x9000);
        /* The base itself is a directory entry: without VALID, none. */
        set_base(s.root);
        CHECK(!map4(pfn << 12, VGPU_WRITE));
        status = take_status();
        CHECK_EQ(WALKER(status), VGPU_WALK_PDE0 + (depth ? depth - 1 : 0));
        CHECK_EQ(MAPPING(status), 1);
        CHECK_EQ(PERM(status), VGPU_PERM_VALID | VGPU_PERM_WRITE);
        /* Nor where no memory is. */
        set_base(1ull << 40 | VGPU_PTE_VALID);
        CHECK(!map4(pfn << 12, VGPU_WRITE));
        CHECK_EQ(WALKER(take_status()), VGPU_WALK_NACK);
        set_base((MOCK_RAM_BASE + MOCK_RAM_SIZE) | VGPU_PTE_VALID |
                 VGPU_PTE_SYSTEM);
        CHECK(!map4(pfn << 12, VGPU_WRITE));
        CHECK_EQ(WALKER(take_status()), VGPU_WALK_NACK);
        set_base(pde_to(&s, s.root));
        CHECK(map4(pfn << 12, VGPU_WRITE) == m.vram + 0x9000);

        for (level = 0; level < depth; level++) {
            uint64_t index, table = pdb_entry(&s, pfn, level, &index);
            uint64_t pde = get_entry(&s, table, index);

            set_entry(&s, table, index, pde & ~VGPU_PTE_VALID);
            wreg(regVM_INVALIDATE_ENG0_REQ + 17, 1 << 7);
            CHECK(!map4(pfn << 12, VGPU_READ));
            status = take_status();
            CHECK_EQ(WALKER(status), VGPU_WALK_PDE0 + level);
            CHECK_EQ(MAPPING(status), 1);
            set_entry(&s, table, index, pde | 1ull << 41);
            CHECK(!map4(pfn << 12, VGPU_READ));
            CHECK_EQ(WALKER(take_status()), VGPU_WALK_NACK);
            set_entry(&s, table, index, pde);
            CHECK(map4(pfn << 12, VGPU_READ) == m.vram + 0x9000);
        }
        mock_stop(&m);
    }
}

/* Tables that lead to themselves end with the depth, as what they are. */
static void test_self_pointing(void)
{
    unsigned i;

    start(VGPU_HUB_GC, 1);
    for (i = 0; i < 512; i++) {
        mock_set_vram64(&m, TABLES + 8 * i, TABLES | PTE_RWX);
    }
    set_range(0, (1ull << 36) - 1);
    set_base(TABLES | VGPU_PTE_VALID);
    for (i = 0; i <= 3; i++) {
        set_shape(i, 0);
        CHECK(map4(0x5018, VGPU_WRITE) == m.vram + TABLES + 0x18);
    }
    for (i = 0; i < 512; i++) {
        mock_set_vram64(&m, TABLES + 8 * i, TABLES | PTE_RWX | VGPU_PTE_TF |
                        VGPU_PDE_BFS(9ull));
    }
    set_shape(3, 0);
    CHECK(map4(0x5018, VGPU_WRITE) == m.vram + TABLES + 0x18);
    CHECK_EQ(faults(), 0);
    mock_stop(&m);
}

static void test_range(void)
{
    struct space s = { .depth = 3 };
    uint64_t i;

    start(VGPU_HUB_MM, 2);
    space_init(&s);
    for (i = 8; i < 24; i++) {
        set_pte(&s, i, i << 12 | PTE_RWX | VGPU_PTE_FRAG(5));
    }
    set_range(0, 19);
    CHECK(map4(19 << 12, VGPU_READ));
    CHECK(!map4(20 << 12, VGPU_READ));
    CHECK_EQ(WALKER(take_status()), VGPU_WALK_RANGE);
    set_range(10, 19);  /* tables are relative to the start */
    CHECK(!map4((10 << 12) - 4, VGPU_READ));
    CHECK_EQ(WALKER(take_status()), VGPU_WALK_RANGE);
    CHECK(map4(18 << 12, VGPU_READ) == m.vram + (8 << 12));
    set_range(1, 0);
    CHECK(!map4(0, VGPU_READ));
    CHECK(!map4(1 << 12, VGPU_READ));
    set_range(0, (1ull << 36) - 1);
    CHECK(map4(8 << 12, VGPU_READ));

    /* The context is off, either way. */
    set_shape(3, 0);
    wreg(regVM_CONTEXTS_DISABLE, 1 << 2);
    CHECK(!map4(8 << 12, VGPU_READ));
    wreg(regVM_CONTEXTS_DISABLE, 0xffff & ~(1 << 2));
    CHECK(map4(8 << 12, VGPU_READ));
    wreg(regVM_CONTEXT0_CNTL + 2, rreg(regVM_CONTEXT0_CNTL + 2) & ~1u);
    take_status();
    CHECK(!map4(8 << 12, VGPU_READ));
    CHECK_EQ(WALKER(take_status()), VGPU_WALK_RANGE);
    mock_stop(&m);
}

/* 48 bits, sign-extended or not. */
static void test_canonical(void)
{
    struct space s = { .depth = 0 };
    uint64_t high = 0xfffffffff000, len = MIB;

    start(VGPU_HUB_GC, 2);
    space_init(&s);
    s.first = (high >> 12) - 3;
    set_range(s.first, high >> 12);
    set_pte(&s, high >> 12, 0x9000 | PTE_RWX | VGPU_PTE_FRAG(31));
    CHECK(map(high + 0x10, &len, VGPU_READ) == m.vram + 0x9010);
    CHECK_EQ(len, 0xff0);
    CHECK(map4(high | 0xffffull << 48, VGPU_READ) == m.vram + 0x9000);
    CHECK(!map4(high | 0xfffeull << 48, VGPU_READ));
    CHECK_EQ(WALKER(take_status()), VGPU_WALK_RANGE);
    CHECK(!map4(high | 1ull << 48, VGPU_READ));
    CHECK(!map4((high & ~(1ull << 47)) | 0xffffull << 48, VGPU_READ));
    /* Nothing behind the last page. */
    len = 8;
    CHECK(map(high + 0xffc, &len, VGPU_READ) == m.vram + 0x9ffc);
    CHECK_EQ(len, 4);
    mock_stop(&m);
}

static void test_not_resident(void)
{
    struct space s = { .depth = 3 };
    uint8_t buf[16], ones[16];
    uint64_t old = 1;

    start(VGPU_HUB_MM, 2);
    space_init(&s);
    set_pte(&s, 1, 0x9000 | VGPU_PTE_PRT);
    set_pde(&s, 0x200, 0, VGPU_PDE_PTE | VGPU_PTE_PRT);
    memset(ones, 0xff, sizeof(ones));
    memset(buf, 0xaa, sizeof(buf));
    CHECK(get(0x1000, buf, 16));
    CHECK_EQ(buf[0] | buf[15], 0);
    atomic_store(&m.written_bytes, 0);
    CHECK(put(0x1000, ones, 16));
    CHECK(put(0x200000, ones, 16));
    CHECK_EQ(atomic_load(&m.written_bytes), 0);
    CHECK_EQ(mock_vram64(&m, 0x9000), 0);
    CHECK(get(0x1000, buf, 16));
    CHECK_EQ(buf[0] | buf[15], 0);
    vgpu_lock(m.die);
    CHECK_EQ(vgpu_gmc_atomic(m.die, &req, 0x1000, TC_OP_ATOMIC_ADD_RTN_32, 5, 0,
                             &old), 0);
    vgpu_unlock(m.die);
    CHECK_EQ(old, 0);
    CHECK(get(0x1000, buf, 16));
    CHECK_EQ(buf[0], 0);
    CHECK_EQ(faults(), 0);
    mock_stop(&m);
}

static void test_host_memory(void)
{
    struct space s = { .depth = 1 };
    uint64_t len = MIB;

    mock_init(&m);
    m.ram_readonly = 0x2000;
    mock_start(&m);
    req = (struct vgpu_req) { .hub = VGPU_HUB_MM, .vmid = 1 };
    space_init(&s);
    set_pte(&s, 0, MOCK_RAM_BASE | PTE_RWX | PTE_SYS);
    set_pte(&s, 1, 0x1000 | PTE_RWX | PTE_SYS);     /* no RAM there */
    set_pte(&s, 2, (MOCK_RAM_BASE + MOCK_RAM_SIZE - 0x1000) | PTE_RWX |
            PTE_SYS | VGPU_PTE_FRAG(1));
    set_pte(&s, 3, (MOCK_RAM_BASE + MOCK_RAM_SIZE) | PTE_RWX | PTE_SYS |
            VGPU_PTE_FRAG(1));
    CHECK(map4(0, VGPU_READ) == m.ram);
    CHECK(!map4(0, VGPU_WRITE));
    CHECK_EQ(take_status() & 0x1ff, 1 << 8);
    CHECK(map4(0, VGPU_READ) == m.ram);
    CHECK(!map4(0x1000, VGPU_READ));
    CHECK_EQ(take_status() & 0x1ff, 1 << 8);
    /* The fragment is longer than the RAM behind it. */
    CHECK(map(0x2000, &len, VGPU_READ) == m.ram + MOCK_RAM_SIZE - 0x1000);
    CHECK_EQ(len, 0x1000);
    CHECK(!map4(0x3000, VGPU_READ));
    mock_stop(&m);
}

/* ----------------------------------------------------------------- cache */

static void test_cache(void)
{
    struct space s = { .depth = 3 };
    unsigned vmid, maps;
    uint64_t gen;

    start(VGPU_HUB_GC, 1);
    for (vmid = 1; vmid < 3; vmid++) {
        req.vmid = vmid;
        space_init(&s);
        set_pte(&s, 0x1234, 0x9000 | PTE_RWX);
        CHECK(map4(0x1234000, VGPU_WRITE) == m.vram + 0x9000);
    }
    /* Both share the tables; what they cached is their own. */
    set_pte(&s, 0x1234, 0xa000 | PTE_RWX);
    CHECK(map4(0x1234000, VGPU_WRITE) == m.vram + 0x9000);
    wreg(regVM_INVALIDATE_ENG0_REQ + 5, 1 << 1);
    CHECK(map4(0x1234000, VGPU_WRITE) == m.vram + 0x9000);
    req.vmid = 1;
    CHECK(map4(0x1234000, VGPU_WRITE) == m.vram + 0xa000);
    req.vmid = 2;
    /* The other hub's invalidation is none of ours. */
    req.hub = VGPU_HUB_MM;
    wreg(regVM_INVALIDATE_ENG0_REQ + 5, 0xffff);
    req.hub = VGPU_HUB_GC;
    CHECK(map4(0x1234000, VGPU_WRITE) == m.vram + 0x9000);
    set_base(pde_to(&s, s.root));
    CHECK(map4(0x1234000, VGPU_WRITE) == m.vram + 0xa000);
    set_pte(&s, 0x1234, 0xb000 | PTE_RWX);
    wreg(regVM_L2_CNTL2, 3);
    CHECK_EQ(rreg(regVM_L2_CNTL2), 0);
    CHECK(map4(0x1234000, VGPU_WRITE) == m.vram + 0xb000);
    set_pte(&s, 0x1234, MOCK_RAM_BASE | PTE_RWX | PTE_SYS);
    wreg(regVM_INVALIDATE_ENG0_REQ, 1 << 2);
    CHECK(map4(0x1234000, VGPU_WRITE) == m.ram);

    /* Host pointers are asked for anew only when the map has changed. */
    maps = atomic_load(&m.maps);
    CHECK(map4(0x1234000, VGPU_WRITE) == m.ram);
    CHECK_EQ(atomic_load(&m.maps), maps);
    vgpu_die_guest_remapped(m.die);
    CHECK(map4(0x1234000, VGPU_WRITE) == m.ram);
    CHECK_EQ(atomic_load(&m.maps), maps + 1);
    gen = m.die->gmc->gen[0][2];
    vgpu_die_reset(m.die);
    CHECK(m.die->gmc->gen[0][2] != gen);
    CHECK(!map4(0x1234000, VGPU_WRITE));
    mock_stop(&m);
}

/* More pages than entries: each is found as its table says. */
static void test_cache_conflicts(void)
{
    struct space s = { .depth = 1, .block = 3 };
    unsigned i, round;

    start(VGPU_HUB_MM, 5);
    space_init(&s);
    for (i = 0; i < 1024; i++) {
        set_pte(&s, i, ((i * 37) % 1024) << 12 | PTE_RWX);
    }
    for (round = 0; round < 2; round++) {
        for (i = 0; i < 1024; i++) {
            CHECK(map4(i << 12 | 4, VGPU_WRITE) ==
                  m.vram + ((i * 37) % 1024 << 12) + 4);
        }
    }
    mock_stop(&m);
}

static void test_fetch(void)
{
    struct space s = { .depth = 1 };
    struct vgpu_window w = { 0 };
    uint32_t dw[8];
    uint64_t i;
    bool ok;

    start(VGPU_HUB_GC, 6);
    space_init(&s);
    set_pte(&s, 0, 0x4000 | PTE_RWX);
    set_pte(&s, 1, 0x6000 | PTE_RWX);
    for (i = 0; i < 0x1000; i += 4) {
        mock_set_vram32(&m, 0x4000 + i, i);
        mock_set_vram32(&m, 0x6000 + i, 0x1000 + i);
    }
    vgpu_lock(m.die);
    for (i = 0; i < 0x2000; i += 4) {
        CHECK(vgpu_gmc_fetch(m.die, &req, &w, i, dw, 1));
        CHECK_EQ(dw[0], i);
    }
    /* A packet that crosses from one window to the next. */
    CHECK(vgpu_gmc_fetch(m.die, &req, &w, 0xff8, dw, 8));
    for (i = 0; i < 8; i++) {
        CHECK_EQ(dw[i], 0xff8 + 4 * i);
    }
    /* The window holds what was looked up last, and live memory. */
    CHECK(vgpu_gmc_fetch(m.die, &req, &w, 0x100, dw, 2));
    CHECK(vgpu_gmc_window(m.die, &req, &w, 0x104, 1) ==
          (uint32_t *)(m.vram + 0x4104));
    CHECK(vgpu_gmc_window(m.die, &req, &w, 0xffc, 1));
    CHECK(!vgpu_gmc_window(m.die, &req, &w, 0xffc, 2));
    CHECK(!vgpu_gmc_window(m.die, &req, &w, 0x1000, 1));
    mock_set_vram32(&m, 0x4104, 0x77);
    CHECK(vgpu_gmc_fetch(m.die, &req, &w, 0x104, dw, 1));
    CHECK_EQ(dw[0], 0x77);
    /* Another VMID or hub has no share in it. */
    req.vmid = 7;
    CHECK(!vgpu_gmc_window(m.die, &req, &w, 0x104, 1));
    req.vmid = 6;
    req.hub = VGPU_HUB_MM;
    CHECK(!vgpu_gmc_window(m.die, &req, &w, 0x104, 1));
    req.hub = VGPU_HUB_GC;
    vgpu_unlock(m.die);
    set_pte(&s, 0, 0x8000 | PTE_RWX);
    wreg(regVM_INVALIDATE_ENG0_REQ, 1 << 6);
    mock_set_vram32(&m, 0x8104, 0x88);
    vgpu_lock(m.die);
    CHECK(!vgpu_gmc_window(m.die, &req, &w, 0x104, 1));
    CHECK(vgpu_gmc_fetch(m.die, &req, &w, 0x104, dw, 1));
    CHECK_EQ(dw[0], 0x88);
    /* Half of it faults. */
    memset(dw, 0xff, sizeof(dw));
    ok = vgpu_gmc_fetch(m.die, &req, &w, 0x1ffc, dw, 2);
    CHECK(!ok);
    CHECK_EQ(dw[0], 0x1ffc);
    CHECK_EQ(dw[1], 0);
    ok = vgpu_gmc_fetch(m.die, &req, &w, 0x3000, dw, 1);
    CHECK(!ok);
    CHECK_EQ(dw[0], 0);
    vgpu_unlock(m.die);
    mock_stop(&m);
}

/* ------------------------------------------------------------------ hive */

static void peer_bytes(struct mock *node, uint64_t *reads, uint64_t *writes)
{
    struct vgpu_die_stats s;

    vgpu_die_stats(node->die, &s);
    *reads = s.peer_reads;
    *writes = s.peer_writes;
}

static void test_hive(void)
{
    struct mock n[2];
    uint64_t reads, writes, len;
    uint32_t buf[4] = { 1, 2, 3, 4 };
    unsigned own, other;

    mock_init(&n[0]);
    mock_init(&n[1]);
    mock_start_hive(n, 2, 0x1234);
    for (own = 0; own < 2; own++) {
        struct vgpu_window w = { 0 };
        struct space s = { .depth = 1 };
        uint64_t mine = own * MOCK_SEGMENT, theirs = !own * MOCK_SEGMENT;

        other = !own;
        m = n[own];
        for (req.hub = 0; req.hub < VGPU_NUM_HUBS; req.hub++) {
            CHECK_EQ(rreg(regMC_VM_XGMI_LFB_CNTL_ALDE), own | 1 << 4);
            CHECK_EQ(rreg(regMC_VM_XGMI_LFB_SIZE_ALDE), MOCK_SEGMENT >> 24);
            CHECK_EQ(rreg(regMC_VM_FB_LOCATION_BASE), 0x8000);
            CHECK_EQ(rreg(regMC_VM_FB_LOCATION_TOP),
                     0x8000 + (2 * MOCK_SEGMENT >> 24) - 1);
        }
        req = (struct vgpu_req) { .hub = VGPU_HUB_MM };

        /* The FB aperture spans the hive. */
        CHECK(map4(FB_BASE + mine + 0x1000, VGPU_WRITE) ==
              n[own].vram + 0x1000);
        peer_bytes(&m, &reads, &writes);
        CHECK_EQ(reads | writes, 0);
        CHECK(map4(FB_BASE + theirs + 0x1000, VGPU_WRITE) ==
              n[other].vram + 0x1000);
        CHECK(put(FB_BASE + theirs + 0x1000, buf, 4));
        peer_bytes(&m, &reads, &writes);
        CHECK_EQ(reads, 0);
        CHECK_EQ(writes, 4);
        /* A run ends with the memory of its die. */
        len = 1ull << 30;
        CHECK(map(FB_BASE + theirs, &len, VGPU_READ) == n[other].vram);
        CHECK_EQ(len, MOCK_VRAM_SIZE);
        CHECK(!map4(FB_BASE + mine + MOCK_VRAM_SIZE, VGPU_READ));
        CHECK_EQ(MAPPING(take_status()), 1);
        CHECK(!map4(FB_BASE + theirs + MOCK_VRAM_SIZE, VGPU_READ));
        CHECK_EQ(MAPPING(take_status()), 1);

        /* Page tables hold global addresses, their own included. */
        req.vmid = 3;
        s.next = TABLES;
        s.root = new_table(&s);
        set_shape(1, 0);
        set_range(0, 511);
        mock_set_vram64(&m, s.root, (TABLES + TABLE_SIZE + mine) | 1);
        set_base((s.root + mine) | VGPU_PTE_VALID);
        set_entry(&s, TABLES + TABLE_SIZE, 0, (mine + 0x5000) | PTE_RWX);
        set_entry(&s, TABLES + TABLE_SIZE, 1, (theirs + 0x5000) | PTE_RWX);
        set_entry(&s, TABLES + TABLE_SIZE, 2, (2 * MOCK_SEGMENT) | PTE_RWX);
        peer_bytes(&m, &reads, &writes);
        CHECK(put(0, buf, 16));
        CHECK(put(0x1000, buf, 16));
        CHECK(!memcmp(n[own].vram + 0x5000, buf, 16));
        CHECK(!memcmp(n[other].vram + 0x5000, buf, 16));
        CHECK(!put(0x2000, buf, 16));
        CHECK_EQ(take_status() & 0x1ff, 1 << 8);
        vgpu_lock(m.die);
        CHECK(vgpu_gmc_fetch(m.die, &req, &w, 0x1000, buf, 2));
        CHECK(vgpu_gmc_fetch(m.die, &req, &w, 0x1008, buf, 1));
        vgpu_unlock(m.die);
        len = reads;
        peer_bytes(&m, &reads, &writes);
        CHECK_EQ(reads, len + 12);
        CHECK_EQ(writes, 4 + 16);
        take_status();
        /* A table in the memory of the other die. */
        memcpy(n[other].vram + 0x700000, n[own].vram + TABLES + TABLE_SIZE,
               4096);
        set_shape(0, 0);
        set_base((theirs + 0x700000) | VGPU_PTE_VALID);
        CHECK(map4(0x10, VGPU_READ) == n[own].vram + 0x5010);
        memset(n[0].vram, 0, MOCK_VRAM_SIZE);
        memset(n[1].vram, 0, MOCK_VRAM_SIZE);
        buf[0] = 1;
        buf[1] = 2;
        buf[2] = 3;
    }
    mock_stop(&n[0]);
    mock_stop(&n[1]);
}

/* --------------------------------------------------------------- atomics */

#define NAN32   0x7fc00000u
#define NAN64   0x7ff8000000000000ull

struct atomic_case {
    const char *name;
    unsigned op;        /* RTN_32 */
    uint64_t mem, src, cmp;
    uint64_t result;
};

/* Signed values of the width under test. */
static const struct atomic_case integer_cases[] = {
    { "swap", TC_OP_ATOMIC_SWAP_RTN_32, 5, 9, 0, 9 },
    { "cmpswap yes", TC_OP_ATOMIC_CMPSWAP_RTN_32, 5, 9, 5, 9 },
    { "cmpswap no", TC_OP_ATOMIC_CMPSWAP_RTN_32, 5, 9, 6, 5 },
    { "add", TC_OP_ATOMIC_ADD_RTN_32, 5, 9, 0, 14 },
    { "sub", TC_OP_ATOMIC_SUB_RTN_32, 9, 5, 0, 4 },
    { "smin", TC_OP_ATOMIC_SMIN_RTN_32, 5, -9, 0, -9 },
    { "smin keep", TC_OP_ATOMIC_SMIN_RTN_32, -9, 5, 0, -9 },
    { "umin", TC_OP_ATOMIC_UMIN_RTN_32, 5, -9, 0, 5 },
    { "umin take", TC_OP_ATOMIC_UMIN_RTN_32, -9, 5, 0, 5 },
    { "smax", TC_OP_ATOMIC_SMAX_RTN_32, 5, -9, 0, 5 },
    { "smax take", TC_OP_ATOMIC_SMAX_RTN_32, -9, 5, 0, 5 },
    { "umax", TC_OP_ATOMIC_UMAX_RTN_32, 5, -9, 0, -9 },
    { "umax keep", TC_OP_ATOMIC_UMAX_RTN_32, -9, 5, 0, -9 },
    { "and", TC_OP_ATOMIC_AND_RTN_32, 12, 10, 0, 8 },
    { "or", TC_OP_ATOMIC_OR_RTN_32, 12, 10, 0, 14 },
    { "xor", TC_OP_ATOMIC_XOR_RTN_32, 12, 10, 0, 6 },
    { "inc", TC_OP_ATOMIC_INC_RTN_32, 5, 9, 0, 6 },
    { "inc wraps", TC_OP_ATOMIC_INC_RTN_32, 9, 9, 0, 0 },
    { "inc above", TC_OP_ATOMIC_INC_RTN_32, 10, 9, 0, 0 },
    { "dec", TC_OP_ATOMIC_DEC_RTN_32, 5, 9, 0, 4 },
    { "dec wraps", TC_OP_ATOMIC_DEC_RTN_32, 0, 9, 0, 9 },
    { "dec above", TC_OP_ATOMIC_DEC_RTN_32, 10, 9, 0, 9 },
};

static uint64_t float_bits(float f)
{
    uint32_t v;

    memcpy(&v, &f, 4);
    return v;
}

static uint64_t double_bits(double f)
{
    uint64_t v;

    memcpy(&v, &f, 8);
    return v;
}

/* Stand for the smallest number of a format, and for no number. */
#define DENORM  (1 / 0x1p999)
#define NOT     0x1p999

static const struct {
    unsigned op;
    double mem, src, cmp, result;
} float_cases[] = {
    { TC_OP_ATOMIC_FCMPSWAP_RTN_32, 1.5, 2, 1.5, 2 },
    { TC_OP_ATOMIC_FCMPSWAP_RTN_32, 1.5, 2, 1, 1.5 },
    { TC_OP_ATOMIC_FCMPSWAP_RTN_32, 0.0, 2, -0.0, 2 },
    { TC_OP_ATOMIC_FCMPSWAP_RTN_32, NOT, 2, NOT, NOT },
    { TC_OP_ATOMIC_FCMPSWAP_RTN_32, 0, 2, DENORM, 0 },
    { TC_OP_ATOMIC_FCMPSWAP_FLUSH_DENORM_RTN_32, 0, 2, DENORM, 2 },
    { TC_OP_ATOMIC_FMIN_RTN_32, 1, -1, 0, -1 },
    { TC_OP_ATOMIC_FMIN_RTN_32, -1, 1, 0, -1 },
    { TC_OP_ATOMIC_FMIN_RTN_32, -1, -2, 0, -2 },
    { TC_OP_ATOMIC_FMIN_RTN_32, 1, NOT, 0, 1 },
    { TC_OP_ATOMIC_FMIN_RTN_32, 1, DENORM, 0, DENORM },
    { TC_OP_ATOMIC_FMIN_FLUSH_DENORM_RTN_32, 1, DENORM, 0, 0 },
    { TC_OP_ATOMIC_FMAX_RTN_32, 1, -1, 0, 1 },
    { TC_OP_ATOMIC_FMAX_RTN_32, -1, 1, 0, 1 },
    { TC_OP_ATOMIC_FMAX_RTN_32, -2, -1, 0, -1 },
    { TC_OP_ATOMIC_FMAX_RTN_32, 1, NOT, 0, 1 },
    { TC_OP_ATOMIC_FMAX_RTN_32, -1, DENORM, 0, DENORM },
    { TC_OP_ATOMIC_FMAX_FLUSH_DENORM_RTN_32, -1, DENORM, 0, 0 },
};

static uint64_t fp(double f, bool wide)
{
    if (f == NOT) {
        return wide ? NAN64 : NAN32;
    }
    if (f == DENORM) {
        return 1;
    }
    return wide ? double_bits(f) : float_bits(f);
}

/* @op in all its forms at @va, on memory at VRAM offset 0x3000. */
static void one_atomic(const char *name, unsigned op, bool wide, uint64_t mem,
                       uint64_t src, uint64_t cmp, uint64_t want)
{
    uint64_t mask = wide ? ~0ull : 0xffffffff;
    unsigned no_rtn;

    for (no_rtn = 0; no_rtn < 2; no_rtn++) {
        uint64_t old = 0x5555, got;
        int ret;

        /* What is beside the operand must stay. */
        mock_set_vram64(&m, 0x3000, 0x1111111111111111);
        mock_set_vram64(&m, 0x3008, 0x2222222222222222);
        if (wide) {
            mock_set_vram64(&m, 0x3008, mem);
        } else {
            mock_set_vram32(&m, 0x3008, mem);
        }
        vgpu_lock(m.die);
        /* Bits above the width of an operand do not count. */
        ret = vgpu_gmc_atomic(m.die, &req, 0x3008,
                              op | (wide ? 0x20 : 0) | (no_rtn ? 0x40 : 0),
                              wide ? src : src | 0xabcdull << 32,
                              wide ? cmp : cmp | 0xabcdull << 32, &old);
        vgpu_unlock(m.die);
        got = wide ? mock_vram64(&m, 0x3008) : mock_vram32(&m, 0x3008);
        if (ret || got != (want & mask) || old != (mem & mask)) {
            printf("# %s op 0x%02x %u bits: %d, 0x%" PRIx64 " not 0x%" PRIx64
                   ", old 0x%" PRIx64 "\n", name, op, wide ? 64 : 32, ret, got,
                   want & mask, old);
            CHECK(!"atomic");
        }
        CHECK_EQ(mock_vram64(&m, 0x3000), 0x1111111111111111);
        if (!wide) {
            CHECK_EQ(mock_vram32(&m, 0x300c), 0x22222222);
        }
    }
}

static void test_atomics(void)
{
    struct space s = { .depth = 0 };
    size_t i;

    start(VGPU_HUB_GC, 1);
    space_init(&s);
    set_pte(&s, 3, 0x3000 | PTE_RWX);
    for (i = 0; i < sizeof(integer_cases) / sizeof(integer_cases[0]); i++) {
        const struct atomic_case *c = &integer_cases[i];

        one_atomic(c->name, c->op, false, (uint32_t)c->mem, (uint32_t)c->src,
                   (uint32_t)c->cmp, c->result);
        one_atomic(c->name, c->op, true, c->mem, c->src, c->cmp, c->result);
    }
    /* Carries go as far as the width, and no farther. */
    one_atomic("add", TC_OP_ATOMIC_ADD_RTN_32, false, 0xffffffff, 1, 0, 0);
    one_atomic("add", TC_OP_ATOMIC_ADD_RTN_32, true, 0xffffffff, 1, 0,
               0x100000000);
    one_atomic("sub", TC_OP_ATOMIC_SUB_RTN_32, true, 0, 1, 0, ~0ull);
    one_atomic("smax", TC_OP_ATOMIC_SMAX_RTN_32, false, 0x80000000, 0x7fffffff,
               0, 0x7fffffff);
    one_atomic("smax", TC_OP_ATOMIC_SMAX_RTN_32, true, 0x80000000, 0x7fffffff,
               0, 0x80000000);
    for (i = 0; i < sizeof(float_cases) / sizeof(float_cases[0]); i++) {
        unsigned wide;

        for (wide = 0; wide < 2; wide++) {
            one_atomic("float", float_cases[i].op, wide,
                       fp(float_cases[i].mem, wide),
                       fp(float_cases[i].src, wide),
                       fp(float_cases[i].cmp, wide),
                       fp(float_cases[i].result, wide));
        }
    }
    CHECK_EQ(faults(), 0);
    mock_stop(&m);
}

static void test_atomic_refused(void)
{
    /* Everything of the enumeration that is no read-modify-write. */
    static const uint8_t others[] = {
        0x00, 0x04, 0x05, 0x06, 0x0c, 0x0d, 0x0e, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e,
        0x1f,
    };
    struct space s = { .depth = 0 };
    uint64_t old = 0x77;
    unsigned i, high;
    uint32_t status;

    start(VGPU_HUB_MM, 1);
    space_init(&s);
    set_pte(&s, 3, 0x3000 | PTE_RWX);
    set_pte(&s, 4, 0x3000 | VGPU_PTE_VALID | VGPU_PTE_READABLE);
    set_pte(&s, 5, 0x3000 | VGPU_PTE_VALID | VGPU_PTE_WRITEABLE);
    vgpu_lock(m.die);
    for (i = 0; i < sizeof(others); i++) {
        for (high = 0; high < 0x80; high += 0x20) {
            CHECK_EQ(vgpu_gmc_atomic(m.die, &req, 0x3000, others[i] | high, 1,
                                     0, &old), -2);
        }
    }
    CHECK_EQ(vgpu_gmc_atomic(m.die, &req, 0x3000,
                             0x80 | TC_OP_ATOMIC_ADD_RTN_32, 1, 0, &old), -2);
    CHECK_EQ(vgpu_gmc_atomic(m.die, &req, 0x3000, ~0u, 1, 0, &old), -2);
    CHECK_EQ(vgpu_gmc_atomic(m.die, &req, 0x3002, TC_OP_ATOMIC_ADD_RTN_32, 1,
                             0, &old), -2);
    CHECK_EQ(vgpu_gmc_atomic(m.die, &req, 0x3004, TC_OP_ATOMIC_ADD_RTN_64, 1,
                             0, &old), -2);
    CHECK_EQ(m.die->stats.faults, 0);
    CHECK_EQ(vgpu_gmc_atomic(m.die, &req, 0x4000, TC_OP_ATOMIC_ADD_64, 1, 0,
                             &old), -1);
    vgpu_unlock(m.die);
    status = take_status();
    CHECK_EQ(PERM(status), VGPU_PERM_WRITE);
    CHECK_EQ(status >> 18 & 3, 3);      /* RW and ATOMIC */
    vgpu_lock(m.die);
    CHECK_EQ(vgpu_gmc_atomic(m.die, &req, 0x5000, TC_OP_ATOMIC_ADD_64, 1, 0,
                             NULL), -1);
    vgpu_unlock(m.die);
    CHECK_EQ(PERM(take_status()), VGPU_PERM_READ);
    CHECK_EQ(old, 0);
    CHECK_EQ(mock_vram64(&m, 0x3000), 0);
    mock_stop(&m);
}

static const struct test tests[] = {
    TEST(test_fb_after_reset),
    TEST(test_fb_base_and_offset),
    TEST(test_agp),
    TEST(test_default_page),
    TEST(test_system_access_modes),
    TEST(test_run_ends_at_aperture),
    TEST(test_gart),
    TEST(test_copy_across_pages),
    TEST(test_table_shapes),
    TEST(test_pde_as_pte),
    TEST(test_translate_further),
    TEST(test_bfs_out_of_range),
    TEST(test_fragments),
    TEST(test_runs),
    TEST(test_rights),
    TEST(test_rights_cached),
    TEST(test_level_invalid),
    TEST(test_self_pointing),
    TEST(test_range),
    TEST(test_canonical),
    TEST(test_not_resident),
    TEST(test_host_memory),
    TEST(test_cache),
    TEST(test_cache_conflicts),
    TEST(test_fetch),
    TEST(test_hive),
    TEST(test_atomics),
    TEST(test_atomic_refused),
};
TEST_MAIN(tests)
