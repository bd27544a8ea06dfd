/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target of the memory controller. The input is a script: page
 * tables in VRAM and RAM, registers of both hubs, and accesses of every kind
 * by every VMID. What a translation gives must lie in memory that a die may
 * reach, whatever the tables say.
 *
 * `make fuzz` builds and runs it. By hand, from the top of the tree:
 *   clang -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -Iuapi \
 *       -Iqemu-device/core -Iqemu-device/tests -o /tmp/fuzz-walk \
 *       qemu-device/tests/fuzz-walk.c qemu-device/tests/harness.c \
 *       qemu-device/core/[a-z]*.c -lpthread
 */
#include <stdlib.h>

#include "harness.h"
#include "hw/pte.h"
#include "hw/reg/gc.h"
#include "hw/reg/oss.h"

#define VRAM_SIZE   (2ull << 20)
#define RAM_SIZE    (1ull << 16)
#define MAX_STEPS   128

static struct mock node[2];
static struct mock *m = &node[0];

struct input {
    const uint8_t *p;
    size_t left;
};

static uint8_t get8(struct input *in)
{
    if (!in->left) {
        return 0;
    }
    in->left--;
    return *in->p++;
}

static uint32_t get16(struct input *in)
{
    uint32_t v = get8(in);

    return v | (uint32_t)get8(in) << 8;
}

static uint32_t get32(struct input *in)
{
    uint32_t v = get16(in);

    return v | get16(in) << 16;
}

static uint64_t get64(struct input *in)
{
    uint64_t v = get32(in);

    return v | (uint64_t)get32(in) << 32;
}

/* An address near something, more often than just any. */
static uint64_t get_addr(struct input *in)
{
    uint8_t kind = get8(in);
    uint64_t off = get16(in);

    switch (kind & 7) {
    case 0:
        return get64(in);
    case 1:
        return 0x8000000000 + (off << 4);           /* FB */
    case 2:
        return 0x8000000000 + MOCK_SEGMENT + (off << 4);
    case 3:
        return MOCK_RAM_BASE + (off << 3);
    case 4:
        return (off & 3) << 39 | (off >> 2 & 3) << 30 | (off >> 4 & 3) << 21 |
               (off >> 6 & 3) << 12 | off >> 8;
    case 5:
        return (kind >> 4 & 1 ? VRAM_SIZE : 1ull << 48) - (off & 0x1fff);
    case 6:
        return MOCK_SEGMENT + (off << 4);
    default:
        return off << (kind >> 3 & 15);
    }
}

/* An entry of a table: mostly an address that exists, with some flags. */
static uint64_t get_entry(struct input *in)
{
    uint8_t kind = get8(in);
    uint32_t off = get8(in);
    uint64_t flags = get8(in);

    flags = (flags & 0x7f) | (flags & 0x80 ? VGPU_PDE_PTE : 0);
    switch (kind & 7) {
    case 0:
        return get64(in);
    case 1:
        return off << 12 | flags | VGPU_PTE_VALID | VGPU_PTE_TF;
    case 2:
        return off << 12 | VGPU_PTE_VALID |
               VGPU_PDE_BFS((uint64_t)(kind >> 3));
    case 3:
        return (MOCK_RAM_BASE + ((uint64_t)off << 12)) | flags |
               VGPU_PTE_SYSTEM | VGPU_PTE_VALID;
    case 4:
        return (MOCK_SEGMENT + ((uint64_t)off << 12)) | flags |
               VGPU_PTE_FRAG((uint64_t)(kind >> 3)) | VGPU_PTE_VALID;
    case 5:
        return flags | VGPU_PTE_PRT;
    case 6:
        return off << 12 | flags | VGPU_PTE_VALID |
               VGPU_PTE_FRAG((uint64_t)(kind >> 3));
    default:
        return off << 12 | VGPU_PTE_VALID;
    }
}

static void step_table(struct input *in)
{
    uint32_t at = get16(in);
    unsigned n = get8(in) % 16 + 1;
    uint64_t entry = get_entry(in);
    uint64_t *table = (uint64_t *)m->vram;
    uint64_t entries = VRAM_SIZE / 8;

    if (at & 0x8000) {
        table = (uint64_t *)m->ram;
        entries = RAM_SIZE / 8;
    }
    /* Entries 0 to 3 of the first tables are what addresses mostly meet. */
    at = (at & 0x1f) * (at & 0x4000 ? 512 : 1) + (at >> 5 & 3);
    for (; n--; at++, entry += 0x1000) {
        table[at % entries] = entry;
    }
}

/* A directory, a PTB of block fragments, and tables they translate on to. */
static void step_chain(struct input *in)
{
    uint64_t *table = (uint64_t *)m->vram;
    unsigned root = get8(in) % 8, bfs = get8(in) % 32;
    uint64_t entry = get_entry(in), flags = get8(in) & 0x7f;
    unsigned i;

    for (i = 0; i < 8; i++) {
        table[root * 512 + i] = (8 + i) << 12 | VGPU_PTE_VALID |
                                VGPU_PDE_BFS((uint64_t)bfs);
        table[8 * 512 + i] = (16 + i) << 12 | VGPU_PTE_TF | flags;
        table[16 * 512 + i] = entry + (i << 12);
    }
}

static void step_register(struct input *in)
{
    static const uint32_t first = regVM_L2_CNTL;
    uint32_t where = get16(in);
    uint32_t val = get32(in);
    uint32_t reg;

    switch (where & 3) {
    case 0: /* anything from the first to the last of a hub */
        reg = first + (where >> 3) % 0x150;
        break;
    case 1:
        reg = regVM_CONTEXT0_CNTL + (where >> 3) % 16;
        val = (val & 0x7fffff) | 1;
        break;
    case 2:
        reg = regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32 +
              2 * ((where >> 3) % 16);
        val = (val & 0xff) << 12 | 1;
        break;
    default:
        reg = regVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32 + (where >> 3) % 32;
        break;
    }
    mock_wreg(m, vgpu_hub_reg(where >> 2 & 1, reg), val);
}

static bool within(const void *p, uint64_t len, const void *base, uint64_t size)
{
    uint64_t off = (const uint8_t *)p - (const uint8_t *)base;

    return off < size && len <= size - off;
}

static void must_be_memory(const void *p, uint64_t len)
{
    const struct vgpu_gmc *g = m->die->gmc;

    if (!len || !(within(p, len, m->vram, VRAM_SIZE) ||
                  within(p, len, m->ram, RAM_SIZE) ||
                  within(p, len, node[1].vram, VRAM_SIZE) ||
                  within(p, len, g->prt_zero, sizeof(g->prt_zero)) ||
                  within(p, len, g->prt_sink, sizeof(g->prt_sink)))) {
        abort();
    }
}

static void step_access(struct input *in)
{
    uint8_t who = get8(in), how = get8(in);
    struct vgpu_req req = {
        .hub = who & 1,
        .vmid = who >> 1 & 15,
        .cid = get16(in) % 512,
    };
    uint64_t va = get_addr(in), len, old;
    static struct vgpu_window w;
    uint32_t dw[32];
    uint8_t buf[256];
    void *p;

    vgpu_lock(m->die);
    switch (how & 7) {
    case 0:
    case 1:
        len = (uint64_t)get16(in) << (how >> 3) | 1;
        old = len;
        p = vgpu_gmc_map(m->die, &req, va, &len, get8(in) % 7 + 1);
        if (p) {
            must_be_memory(p, len);
            if (len > old) {
                abort();
            }
        }
        break;
    case 2:
        vgpu_gmc_read(m->die, &req, va, buf, get8(in));
        break;
    case 3:
        memset(buf, how, sizeof(buf));
        vgpu_gmc_write(m->die, &req, va, buf, get8(in));
        break;
    case 4:
        vgpu_gmc_atomic(m->die, &req, va, get8(in), get64(in), get8(in), &old);
        break;
    default:
        vgpu_gmc_fetch(m->die, &req, &w, va & ~3ull, dw, (how >> 3) % 32 + 1);
        break;
    }
    vgpu_unlock(m->die);
}

static void step_interrupts(struct input *in)
{
    static const uint32_t regs[] = {
        regIH_RB_CNTL, regIH_RB_BASE, regIH_RB_BASE_HI, regIH_RB_RPTR,
        regIH_RB_WPTR, regIH_RB_WPTR_ADDR_LO, regIH_RB_WPTR_ADDR_HI,
        regIH_DOORBELL_RPTR,
    };
    uint8_t what = get8(in);

    mock_wreg(m, VGPU_REG_ABS(OSSSYS, regs[what % 8]),
              what & 0x80 ? get32(in) : get16(in));
    if (what & 0x40) {
        vgpu_lock(m->die);
        vgpu_ih_doorbell(m->die, get8(in), get16(in));
        vgpu_unlock(m->die);
    }
}

/*
 * Start from contexts that are on, of each depth and several block sizes,
 * with their tables in the first pages of VRAM and RAM: a script changes them.
 */
static void enable_contexts(void)
{
    unsigned hub, vmid;

    for (hub = 0; hub < VGPU_NUM_HUBS; hub++) {
        mock_wreg(m, vgpu_hub_reg(hub, regMC_VM_MX_L1_TLB_CNTL), 0x2519);
        for (vmid = 0; vmid < VGPU_NUM_VMIDS; vmid++) {
            uint64_t table = (vmid & 7) << 12 | VGPU_PTE_VALID;

            if (vmid == 15) {
                table |= MOCK_RAM_BASE | VGPU_PTE_SYSTEM;
            }
            mock_wreg(m, vgpu_hub_reg(hub, regVM_CONTEXT0_CNTL) + vmid,
                      0x7ffe01 | (vmid & 3) << 1 | (vmid >> 2) * 3 << 3);
            mock_wreg(m, vgpu_hub_reg(hub,
                      regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32) + 2 * vmid,
                      table);
            mock_wreg(m, vgpu_hub_reg(hub,
                      regVM_CONTEXT0_PAGE_TABLE_BASE_ADDR_HI32) + 2 * vmid,
                      table >> 32);
            mock_wreg(m, vgpu_hub_reg(hub,
                      regVM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32) + 2 * vmid,
                      ~0u);
            mock_wreg(m, vgpu_hub_reg(hub,
                      regVM_CONTEXT0_PAGE_TABLE_END_ADDR_HI32) + 2 * vmid,
                      0xf);
        }
    }
}

/*
 * Both hubs, the interrupt handler and what is behind them as after reset. A
 * reset of the whole die is a hundred times the work.
 */
static void restore(const struct vgpu_die_state *clean)
{
    static const struct {
        uint32_t first;
        uint32_t count;
    } part[] = {
        { VGPU_REG_ABS(GC, regVM_L2_CNTL), 0x150 },
        { VGPU_REG_ABS(GC, regVM_L2_CNTL) + VGPU_HUB_MM_DISTANCE, 0x150 },
        { VGPU_BASE_OSSSYS0, 0x100 },
    };
    struct vgpu_die_state *s = &m->die->s;
    unsigned i;

    for (i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
        memcpy(&s->reg[part[i].first], &clean->reg[part[i].first],
               part[i].count * sizeof(s->reg[0]));
    }
    s->gmc = clean->gmc;
    s->ih = clean->ih;
    vgpu_gmc_drop_all(m->die);
    memset(m->vram, 0, VRAM_SIZE);
    memset(m->ram, 0, RAM_SIZE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct vgpu_die_state clean;
    struct input in = { data, size };
    unsigned steps;

    if (!m->die) {
        mock_init(&node[0]);
        mock_init(&node[1]);
        node[0].cfg.vram_size = VRAM_SIZE;
        node[1].cfg.vram_size = VRAM_SIZE;
        node[0].ram_size = RAM_SIZE;
        node[1].ram_size = RAM_SIZE;
        mock_start_hive(node, 2, 1);
        enable_contexts();
        clean = m->die->s;
    }
    restore(&clean);
    mock_wreg(m, VGPU_REG_ABS(OSSSYS, regIH_RB_BASE), MOCK_RAM_BASE >> 8);
    mock_wreg(m, VGPU_REG_ABS(OSSSYS, regIH_RB_CNTL), 0x10330001 | 8 << 1);

    for (steps = 0; in.left && steps < MAX_STEPS; steps++) {
        switch (get8(&in) % 8) {
        case 0:
        case 1:
            step_table(&in);
            break;
        case 2:
        case 3:
            step_register(&in);
            break;
        case 4:
            step_interrupts(&in);
            break;
        case 5:
            step_chain(&in);
            break;
        case 6:
            if (get8(&in) % 8 == 0) {
                vgpu_die_guest_remapped(m->die);
            }
            step_access(&in);
            break;
        default:
            step_access(&in);
            break;
        }
    }
    return 0;
}
