/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: anything at all done to the BARs by a guest that also
 * owns the memory behind rings and page tables.
 *
 * Nothing may crash or hang, and whatever state a guest brings the die into,
 * migration must carry. A stream that was tampered with is part of it.
 *
 * By hand: clang -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined
 * -Iuapi -Iqemu-device/core -Iqemu-device/tests -o /tmp/fuzz-regs
 * qemu-device/tests/fuzz-regs.c qemu-device/tests/harness.c
 * qemu-device/core/[a-z]*.c -lpthread && /tmp/fuzz-regs -max_total_time=60
 */
#include <stdlib.h>

#include "fuzz.h"
#include "pm4-rig.h"
#include <hw/reg/mmhub.h>
#include <hw/reg/sdma.h>
#include <hw/sdma.h>

#define RAM_SIZE    (256u << 10)
#define VRAM_SIZE   (1u << 20)
#define SLICES      16
/* SDMA rings, behind what the rig of the CP has in VRAM */
#define SDMA_RING(n)    (0x90000u + (n) * 0x1000u)
#define SDMA_RB_SIZE    10

#define REQUIRE(cond) do { \
    if (!(cond)) { \
        fprintf(stderr, "not true: %s\n", #cond); \
        abort(); \
    } \
} while (0)

static struct rig rigs[2];
#define M (&rigs[0].m)
static uint32_t sdma_wptr[VGPU_MAX_SDMA];   /* bytes */
static uint32_t claimed[VGPU_NUM_REGS];
static unsigned num_claimed;

struct input {
    const uint8_t *p;
    size_t left;
};

static uint32_t take(struct input *in, unsigned bytes)
{
    uint32_t v = 0;
    unsigned i;

    for (i = 0; i < bytes && in->left; i++, in->left--) {
        v |= (uint32_t)*in->p++ << (8 * i);
    }
    return v;
}

/*
 * A value: small, all ones, an address where something is, anything. Bus
 * addresses of RAM start at 0 so that few bits make a good one.
 */
static uint32_t take_value(struct input *in)
{
    uint32_t kind = take(in, 1);

    switch (kind & 7) {
    case 0:
        return kind >> 3;
    case 1:
        return 1u << (kind >> 3);
    case 2:
        return ~0u >> (kind >> 3);
    case 3:
        return take(in, 2) << 8;
    case 4:
        return take(in, 2);
    case 5:
        return PACKET3(take(in, 1), take(in, 1) & 7);
    default:
        return take(in, 4);
    }
}

static uint32_t take_reg(struct input *in)
{
    uint32_t n = take(in, 2);

    return n & 0x8000 ? (n & 0x7fff) * 4 : claimed[n % num_claimed];
}

/* Some slices of every queue; a guest's stream may well go on forever. */
static void slices(struct vgpu_die *d)
{
    enum vgpu_run res;
    unsigned i, q;
    bool more = true;

    vgpu_lock(d);
    vgpu_doorbells_drain(d);
    for (i = 0; i < SLICES && more; i++) {
        more = false;
        for (q = 0; q < d->num_queues; q++) {
            d->slice_left = 64;
            res = d->queue[q].run(d, &d->queue[q]);
            more |= res == VGPU_RUN_MORE;
        }
    }
    vgpu_unlock(d);
}

/* The saved state, in a buffer that is allocated once since it is large. */
static uint8_t *save(struct vgpu_die *d)
{
    static uint8_t *buf;

    if (!buf) {
        buf = malloc(vgpu_die_state_size(d));
    }
    vgpu_die_state_save(d, buf);
    return buf;
}

static void migrate(struct vgpu_die *d)
{
    REQUIRE(vgpu_die_state_load(d, save(d), vgpu_die_state_size(d)));
}

/*
 * A stream from a hostile source: some values of a saved state are others.
 * It is refused, or the die lives with it.
 */
static void corrupt(struct input *in)
{
    const size_t rest = offsetof(struct vgpu_die_state, gpu_clock_base);
    struct vgpu_die *d = M->die;
    size_t len = vgpu_die_state_size(d);
    uint8_t *buf = save(d);
    uint8_t *state = buf + len - sizeof(struct vgpu_die_state);
    uint32_t n = take(in, 1) % 8 + 1;

    while (n--) {
        uint32_t where = take(in, 2);
        uint32_t v = take_value(in);
        size_t off = claimed[where % num_claimed] * 4;

        if (where & 0x8000) {
            off = rest + (where & 0x7ffc) %
                  (sizeof(struct vgpu_die_state) - rest - 3);
        }
        memcpy(state + off, &v, 4);
    }
    vgpu_die_state_load(d, buf, len);
}

/* What drivers do: enough that a few bytes of input make engines work. */
static void bring_up(struct rig *r)
{
    uint32_t fb = rig_fb(r) >> 24;
    unsigned n;

    rig_ih_setup(r);
    rig_vm_setup(r, 1);
    rig_ring_setup(r, RIG_RB_BUFSZ);
    rig_start_me(r);

    mock_wreg(M, VGPU_REG_ABS(MMHUB,
                              regMMHUB_VM_CONTEXT0_PAGE_TABLE_BASE_ADDR_LO32) +
              2, RIG_PT | VGPU_PTE_VALID);
    mock_wreg(M, VGPU_REG_ABS(MMHUB,
                              regMMHUB_VM_CONTEXT0_PAGE_TABLE_END_ADDR_LO32) +
              2, RIG_PT_PAGES - 1);
    mock_wreg(M, VGPU_REG_ABS(MMHUB, regMMHUB_VM_CONTEXT1_CNTL), 1);
    for (n = 0; n < VGPU_MAX_SDMA; n++) {
        uint64_t ring = ((uint64_t)fb << 24) + SDMA_RING(n);

        mock_wreg(M, VGPU_SDMA_REG_ABS(n, regSDMA0_GFX_RB_BASE), ring >> 8);
        mock_wreg(M, VGPU_SDMA_REG_ABS(n, regSDMA0_GFX_RB_BASE_HI),
                  ring >> 40);
        mock_wreg(M, VGPU_SDMA_REG_ABS(n, regSDMA0_GFX_RB_CNTL),
                  SDMA_RB_SIZE << SDMA0_GFX_RB_CNTL__RB_SIZE__SHIFT |
                  SDMA0_GFX_RB_CNTL__RB_ENABLE_MASK);
        mock_wreg(M, VGPU_SDMA_REG_ABS(n, regSDMA0_GFX_IB_CNTL),
                  SDMA0_GFX_IB_CNTL__IB_ENABLE_MASK);
        mock_wreg(M, VGPU_SDMA_REG_ABS(n, regSDMA0_CNTL),
                  SDMA0_CNTL__TRAP_ENABLE_MASK |
                  SDMA0_CNTL__UTC_L1_ENABLE_MASK);
        mock_wreg(M, VGPU_SDMA_REG_ABS(n, regSDMA0_F32_CNTL), 0);
        sdma_wptr[n] = 0;
    }
}

/* Packets in the graphics ring, or in that of an SDMA engine. */
static void submit(struct input *in)
{
    uint32_t which = take(in, 1);
    uint32_t n = which >> 3 & 0xf;
    uint32_t dw;

    which &= 7;
    while (n--) {
        dw = take_value(in);
        if (which >= VGPU_MAX_SDMA) {
            rig_put(&rigs[0], &dw, 1);
        } else {
            mock_set_vram32(M, SDMA_RING(which) +
                            sdma_wptr[which] % (4u << SDMA_RB_SIZE), dw);
            sdma_wptr[which] += 4;
        }
    }
    if (which >= VGPU_MAX_SDMA) {
        mock_doorbell(M, RIG_DOORBELL, rigs[0].wptr);
    } else {
        mock_wreg(M, VGPU_SDMA_REG_ABS(which, regSDMA0_GFX_RB_WPTR),
                  sdma_wptr[which]);
    }
}

static void store(struct input *in)
{
    uint32_t where = take(in, 2);
    uint32_t n = take(in, 1) % 16;
    uint64_t off = (uint64_t)(where & 0x7fff) * 4;

    while (n--) {
        uint32_t v = take_value(in);

        if (where & 0x8000) {
            mock_set_vram32(M, off % VRAM_SIZE, v);
        } else {
            mock_set_ram32(M, off % RAM_SIZE, v);
        }
        off += 4;
    }
}

static void step(struct input *in)
{
    struct vgpu_die *d = M->die;
    uint32_t op = take(in, 1);
    uint32_t reg, n;

    switch (op & 0xf) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        reg = take_reg(in);
        mock_wreg(M, reg, take_value(in));
        break;
    case 5:
        /* neighbours in a row: bases, sizes and pointers sit together */
        reg = take_reg(in);
        for (n = op >> 4; n; n--) {
            mock_wreg(M, reg++, take_value(in));
        }
        break;
    case 6:
        mock_rreg(M, take_reg(in));
        break;
    case 7:
        vgpu_mmio_write(d, take(in, 3), take(in, 4), op >> 4);
        vgpu_mmio_read(d, take(in, 3), op >> 4);
        break;
    case 8:
        submit(in);
        break;
    case 9:
        mock_doorbell(M, take(in, 2) & 0x7fe, take_value(in));
        break;
    case 10:
        vgpu_doorbell_write(d, take(in, 3), take(in, 4), op >> 4);
        break;
    case 11:
    case 12:
        store(in);
        break;
    case 13:
        atomic_fetch_add(&M->now, (uint64_t)take(in, 2) << (op >> 4));
        slices(d);
        break;
    case 14:
        slices(d);
        break;
    default:
        if (op == 0xff) {
            vgpu_die_reset(d);
        } else if (op == 0xef) {
            migrate(d);
        } else if (op == 0xcf) {
            corrupt(in);
        } else if (op == 0xdf) {
            vgpu_die_guest_remapped(d);
        } else {
            slices(rigs[1].m.die);
        }
        break;
    }
}

static void start(bool up)
{
    static bool fresh = true;
    unsigned i;

    if (fresh) {
        fresh = false;
        for (i = 0; i < 2; i++) {
            struct mock *m = &rigs[i].m;

            mock_init(m);
            m->cfg.hive_id = 1;
            m->cfg.node_id = i;
            m->cfg.num_nodes = 2;
            m->cfg.segment_size = MOCK_SEGMENT;
            m->cfg.vram_size = VRAM_SIZE;
            m->ram_base = 0;
            m->ram_size = RAM_SIZE;
            m->ram_readonly = 4096;
            mock_start(m);
            rigs[0].m.node[i] = m;
        }
        for (i = 0; i < 2; i++) {
            rigs[1].m.node[i] = &rigs[i].m;
        }
        for (i = 0; i < VGPU_NUM_REGS; i++) {
            if (vgpu_reg_claimed(M->die, i)) {
                claimed[num_claimed++] = i;
            }
        }
    }
    memset(M->vram, 0, VRAM_SIZE);
    memset(M->ram, 0, RAM_SIZE);
    vgpu_die_reset(M->die);
    if (up) {
        bring_up(&rigs[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, size };

    start(size && data[0] & 0x80);
    while (in.left) {
        step(&in);
    }
    slices(M->die);
    if (size && data[0] % 16 == 15) {
        migrate(M->die);
    }
    return 0;
}
