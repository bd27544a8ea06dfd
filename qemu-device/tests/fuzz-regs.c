/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: anything at all done to the BARs by a guest that also
 * owns the memory behind rings and page tables.
 *
 * Nothing may crash or hang, and whatever state a guest brings the die into,
 * migration must carry.
 *
 * By hand: clang -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined
 * -Iuapi -Iqemu-device/core -Iqemu-device/tests -o /tmp/fuzz-regs
 * qemu-device/tests/fuzz-regs.c qemu-device/tests/harness.c
 * qemu-device/core/[a-z]*.c -lpthread && /tmp/fuzz-regs -max_total_time=60
 */
#include <stdlib.h>

#include "fuzz.h"
#include "harness.h"
#include <hw/pm4.h>
#include <hw/pte.h>
#include <hw/reg/gc.h>
#include <hw/reg/nbio.h>
#include <hw/sdma.h>

#define RAM_SIZE    (256u << 10)
#define VRAM_SIZE   (1u << 20)
#define SLICES      16

#define REQUIRE(cond) do { \
    if (!(cond)) { \
        fprintf(stderr, "not true: %s\n", #cond); \
        abort(); \
    } \
} while (0)

static struct mock m[2];
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

static void migrate(struct vgpu_die *d)
{
    size_t len = vgpu_die_state_size(d);
    void *buf = malloc(len);

    vgpu_die_state_save(d, buf);
    REQUIRE(vgpu_die_state_load(d, buf, len));
    free(buf);
}

static void store(struct input *in)
{
    uint32_t where = take(in, 2);
    uint32_t n = take(in, 1) % 16;
    uint64_t off = (uint64_t)(where & 0x7fff) * 4;

    while (n--) {
        uint32_t v = take_value(in);

        if (where & 0x8000) {
            mock_set_vram32(&m[0], off % VRAM_SIZE, v);
        } else {
            mock_set_ram32(&m[0], off % RAM_SIZE, v);
        }
        off += 4;
    }
}

static void step(struct input *in)
{
    struct vgpu_die *d = m[0].die;
    uint32_t op = take(in, 1);
    uint32_t reg, n;

    switch (op & 0xf) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        reg = take_reg(in);
        mock_wreg(&m[0], reg, take_value(in));
        break;
    case 5:
        /* neighbours in a row: bases, sizes and pointers sit together */
        reg = take_reg(in);
        for (n = op >> 4; n; n--) {
            mock_wreg(&m[0], reg++, take_value(in));
        }
        break;
    case 6:
        mock_rreg(&m[0], take_reg(in));
        break;
    case 7:
        vgpu_mmio_write(d, take(in, 3), take(in, 4), op >> 4);
        vgpu_mmio_read(d, take(in, 3), op >> 4);
        break;
    case 8:
    case 9:
        mock_doorbell(&m[0], take(in, 2) & 0x7fe, take_value(in));
        break;
    case 10:
        vgpu_doorbell_write(d, take(in, 3), take(in, 4), op >> 4);
        break;
    case 11:
    case 12:
        store(in);
        break;
    case 13:
        atomic_fetch_add(&m[0].now, (uint64_t)take(in, 2) << (op >> 4));
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
        } else if (op == 0xdf) {
            vgpu_die_guest_remapped(d);
        } else {
            slices(m[1].die);
        }
        break;
    }
}

static void start(void)
{
    static bool fresh = true;
    unsigned i;

    if (fresh) {
        fresh = false;
        for (i = 0; i < 2; i++) {
            mock_init(&m[i]);
            m[i].cfg.vram_size = VRAM_SIZE;
            m[i].ram_base = 0;
            m[i].ram_size = RAM_SIZE;
            m[i].ram_readonly = 4096;
        }
        mock_start_hive(m, 2, 1);
        for (i = 0; i < VGPU_NUM_REGS; i++) {
            if (vgpu_reg_claimed(m[0].die, i)) {
                claimed[num_claimed++] = i;
            }
        }
    }
    memset(m[0].vram, 0, VRAM_SIZE);
    memset(m[0].ram, 0, RAM_SIZE);
    vgpu_die_reset(m[0].die);
    mock_wreg(&m[0], VGPU_REG_ABS(NBIO, regRCC_DOORBELL_APER_EN), 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, size };

    start();
    while (in.left) {
        step(&in);
    }
    slices(m[0].die);
    if (size && data[0] % 16 == 15) {
        migrate(m[0].die);
    }
    return 0;
}
