/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target of the SDMA engines. The input is a script: packets for
 * the rings, indirect buffers, registers, memory, time, and migration with a
 * state that was tampered with. Nothing may crash, and every slice must end.
 *
 * `make fuzz` builds and runs it. By hand, from the top of the tree:
 *   clang -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -Iuapi \
 *       -Iqemu-device/core -Iqemu-device/tests -o /tmp/fuzz-sdma \
 *       qemu-device/tests/fuzz-sdma.c qemu-device/tests/harness.c \
 *       qemu-device/core/[a-z]*.c -lpthread
 */
#include <stdlib.h>

#include "sdma-rig.h"

#define RAM_SIZE    0x120000ull     /* as little as has all of the rig */
#define VRAM_SIZE   (2ull << 20)
#define MAX_STEPS   64
#define MAX_SLICES  4

struct input {
    const uint8_t *p;
    size_t left;
};

static struct sdma_rig rig;
static uint8_t *state;
static size_t state_len;

static uint8_t get8(struct input *in)
{
    if (!in->left) {
        return 0;
    }
    in->left--;
    return *in->p++;
}

static uint32_t get32(struct input *in)
{
    uint32_t v = get8(in);

    v |= get8(in) << 8;
    v |= get8(in) << 16;
    return v | (uint32_t)get8(in) << 24;
}

/* An address, most often one where something is. */
static uint64_t get_addr(struct input *in)
{
    uint8_t how = get8(in);
    uint64_t off = get32(in);

    switch (how & 7) {
    case 0:
    case 1:
        return MOCK_RAM_BASE + off % (RAM_SIZE + 0x2000);
    case 2:
        return RIG_VRAM + off % (VRAM_SIZE + 0x2000);
    case 3:
    case 4:
        return off % (RAM_SIZE + 0x2000);   /* VMID 1 */
    case 5:
        return RIG_IB + off % 0x1000;
    case 6:
        return off << 12;
    default:
        return (uint64_t)get32(in) << 32 | off;
    }
}

/* One packet with addresses where the packets have them. */
static unsigned get_packet(struct input *in, uint32_t *p)
{
    /* Bit i: dwords i and i + 1 are an address. */
    static const uint16_t addresses[17] = {
        [SDMA_OP_COPY] = 1u << 3 | 1u << 5 | 1u << 7,
        [SDMA_OP_WRITE] = 1u << 1,
        [SDMA_OP_INDIRECT] = 1u << 1,
        [SDMA_OP_FENCE] = 1u << 1,
        [SDMA_OP_SEM] = 1u << 1,
        [SDMA_OP_POLL_REGMEM] = 1u << 1,
        [SDMA_OP_COND_EXE] = 1u << 1,
        [SDMA_OP_ATOMIC] = 1u << 1,
        [SDMA_OP_CONST_FILL] = 1u << 1,
        [SDMA_OP_PTEPDE] = 1u << 1,
        [SDMA_OP_TIMESTAMP] = 1u << 1,
    };
    uint8_t shape = get8(in);
    unsigned op = shape % 18, n, i;

    if (op == 17) {
        p[0] = get32(in);
        return 1;
    }
    p[0] = op | (uint32_t)get8(in) % 5 << 8 | (uint32_t)get8(in) << 16 |
           (uint32_t)get8(in) << 24;
    n = 1 + get8(in) % 14;
    for (i = 1; i < n; i++) {
        p[i] = shape & 0x80 ? get8(in) : get32(in);
    }
    for (i = 1; i + 1 < n; i++) {
        if (addresses[op] & (1u << i)) {
            uint64_t addr = get_addr(in);

            p[i] = LO(addr);
            p[i + 1] = HI(addr);
        }
    }
    return n;
}

/* As the engine thread does it, but for a bounded time. */
static void slices(unsigned how_many)
{
    struct vgpu_die *d = rig.m.die;
    unsigned i, q;

    vgpu_lock(d);
    for (i = 0; i < how_many; i++) {
        for (q = 0; q < d->num_queues; q++) {
            if (!strncmp(d->queue[q].name, "sdma", 4)) {
                d->slice_left = 64;
                d->queue[q].run(d, &d->queue[q]);
            }
        }
    }
    vgpu_unlock(d);
}

static void tamper(struct input *in)
{
    struct vgpu_die_state *s;
    unsigned n = get8(in) % 24;

    vgpu_die_state_save(rig.m.die, state);
    s = (void *)(state + state_len - sizeof(*s));
    while (n--) {
        ((uint8_t *)s->sdma)[get32(in) % sizeof(s->sdma)] = get8(in);
    }
    vgpu_die_state_load(rig.m.die, state, state_len);
}

static void step(struct input *in)
{
    uint32_t p[64];
    uint8_t what = get8(in);
    unsigned n = (what >> 4) % VGPU_MAX_SDMA, count = 0, i;
    uint64_t addr;

    switch (what & 15) {
    case 0:
    case 1:
    case 2:
    case 3:
        rig_put(&rig, n, p, get_packet(in, p));
        rig_commit(&rig, n);
        break;
    case 4:
    case 5:
    case 6:
        for (i = 1 + get8(in) % 4; i; i--) {
            count += get_packet(in, p + count);
        }
        rig_put_ib(&rig, n, get8(in) & 1, p, count);
        rig_commit(&rig, n);
        if (rig.ib > RIG_IB + 0x8000) {
            rig.ib = RIG_IB;
        }
        break;
    case 7:
        mock_wreg(&rig.m, VGPU_SDMA_BASE(n) + get32(in) % 0x600, get32(in));
        break;
    case 8:
        rig_rreg(&rig, n, get32(in) % 0x600);
        break;
    case 9:
        addr = get32(in) % (RAM_SIZE - 4);
        mock_set_ram32(&rig.m, MOCK_RAM_BASE + addr, get32(in));
        break;
    case 10:
        rig_set_pte(&rig, get32(in) % 512, (uint64_t)get32(in) << 32 |
                    get32(in));
        rig_invalidate(&rig, 1);
        break;
    case 11:
        rig.m.now += get32(in);
        break;
    case 12:
        rig_ring_off(&rig, n);
        rig_ring_on(&rig, n);
        break;
    case 13:
        tamper(in);
        break;
    default:
        slices(1 + get8(in) % MAX_SLICES);
    }
}

/*
 * Every input begins alike, but a reset of the die would take most of the
 * time: put back what is state, and have the caches forgotten.
 */
static void start(void)
{
    static struct vgpu_die_state *fresh;
    static uint8_t *vram;
    struct vgpu_die *d = rig.m.die;

    if (!d) {
        mock_init(&rig.m);
        rig.m.ram_size = RAM_SIZE;
        rig.m.cfg.vram_size = VRAM_SIZE;
        rig_start_mock(&rig);
        d = rig.m.die;
        state_len = vgpu_die_state_size(d);
        state = malloc(state_len);
        fresh = malloc(sizeof(*fresh));
        vram = malloc(VRAM_SIZE);
        if (!state || !fresh || !vram) {
            abort();
        }
        *fresh = d->s;
        memcpy(vram, rig.m.vram, VRAM_SIZE);
    }
    memset(rig.m.ram, 0, RAM_SIZE);
    memcpy(rig.m.vram, vram, VRAM_SIZE);
    d->s = *fresh;
    vgpu_gmc_block.loaded(d);
    vgpu_sdma_block.loaded(d);
    vgpu_sched_reset(d);
    memset(rig.wptr, 0, sizeof(rig.wptr));
    rig.ib = RIG_IB;
    rig.m.now = 2000000000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { .p = data, .left = size };
    unsigned i;

    start();
    for (i = 0; in.left && i < MAX_STEPS; i++) {
        step(&in);
    }
    slices(2 * MAX_SLICES);
    return 0;
}
