/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: anything at all in an IB of a user, or in the ring.
 *
 * Nothing may crash, hang or write where it may not. A user's IB in
 * particular reaches only the memory that is mapped for it, and after it, a
 * driver gets the ring back by the recovery that drivers do.
 *
 * By hand: clang -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined
 * -Iuapi -Iqemu-device/core -Iqemu-device/tests -o /tmp/fuzz-pm4
 * qemu-device/tests/fuzz-pm4.c qemu-device/tests/harness.c
 * qemu-device/core/[a-z]*.c -lpthread && /tmp/fuzz-pm4 -max_total_time=60
 */
#include <stdlib.h>

#include "fuzz.h"
#include "pm4-rig.h"

/* First byte of the input: what costs more is had less often */
#define STREAM(f)   ((f) & 1)               /* pm4-type0=stream */
#define IN_RING(f)  (((f) & 0xe) == 0xe)    /* packets of the kernel */
#define MIGRATE(f)  (((f) & 0xf0) == 0xf0)  /* save and load half way */

#define MAX_DW      4096
#define SLICES      64
/* Pages of VMID 1: below are ring, page table and interrupts */
#define USER_FIRST  (RIG_IB >> 12)

static struct rig rigs[2];

#define REQUIRE(cond) do { \
    if (!(cond)) { \
        fprintf(stderr, "not true: %s\n", #cond); \
        abort(); \
    } \
} while (0)

static void set_up(struct rig *r)
{
    uint64_t *pte;
    unsigned i;

    vgpu_die_reset(r->m.die);
    mock_wreg(&r->m, GC(MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB), 0x0fffffff);
    rig_ih_setup(r);
    rig_vm_setup(r, 1);
    pte = mock_vram(&r->m, RIG_PT, RIG_PT_PAGES * 8);
    for (i = 0; i < USER_FIRST; i++) {
        pte[i] = 0;
    }
}

/*
 * A die is only reset as a whole, which takes long, when the kernel's own
 * stream has been at it; what a user can reach is less.
 */
static struct rig *start(bool stream, bool kernel)
{
    static bool dirty[2] = { true, true };
    struct rig *r = &rigs[stream];
    struct vgpu_die_state *s;

    if (!r->m.die) {
        mock_init(&r->m);
        r->m.cfg.vram_size = 2 << 20;
        r->m.ram_size = 1 << 20;
        r->m.cfg.pm4_type0_stream = stream;
        mock_start(&r->m);
    }
    memset(r->m.vram + RIG_IB, 0, (1 << 20) - RIG_IB);
    if (dirty[stream]) {
        memset(r->m.vram, 0, RIG_IB);
        set_up(r);
    } else {
        s = &r->m.die->s;
        memset(&s->reg[PACKET3_SET_SH_REG_START], 0, 0x400 * 4);
        memset(&s->reg[PACKET3_SET_CONTEXT_REG_START], 0, 0x400 * 4);
        memset(&s->reg[GC(SCRATCH_REG0)], 0, 8 * 4);
    }
    dirty[stream] = kernel;
    rig_recover(r);
    return r;
}

/* Some slices of every queue, as the scheduler gives them. */
static void slices(struct rig *r)
{
    struct vgpu_die *d = r->m.die;
    enum vgpu_run res;
    unsigned i, q;
    bool more = true;

    vgpu_lock(d);
    vgpu_doorbells_drain(d);
    for (i = 0; i < SLICES && more; i++) {
        more = false;
        for (q = 0; q < d->num_queues; q++) {
            d->slice_left = 512;
            res = d->queue[q].run(d, &d->queue[q]);
            more |= res == VGPU_RUN_MORE || res == VGPU_RUN_PARKED;
            d->msix_pending = 0;
        }
        /* memory that a wait looks at may change */
        d->s.reg[GC(SCRATCH_REG0)]++;
        (*rig_vram(r, RIG_DATA))++;
    }
    vgpu_unlock(d);
}

static void migrate(struct rig *r)
{
    size_t len = vgpu_die_state_size(r->m.die);
    void *buf = malloc(len);

    vgpu_die_state_save(r->m.die, buf);
    REQUIRE(vgpu_die_state_load(r->m.die, buf, len));
    free(buf);
}

static bool zero(struct rig *r, uint32_t off, uint32_t len)
{
    const uint8_t *p = mock_vram(&r->m, off, len);

    return !p[0] && !memcmp(p, p + 1, len - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t dw[MAX_DW];
    unsigned n, flags;
    struct rig *r;

    if (size < 5) {
        return 0;
    }
    flags = data[0];
    n = (size - 1) / 4;
    n = n < MAX_DW - 1 ? n : MAX_DW - 1;
    memcpy(dw, data + 1, 4ull * n);

    r = start(STREAM(flags), IN_RING(flags));
    if (IN_RING(flags)) {
        rig_put(r, dw, n);
        mock_doorbell(&r->m, RIG_DOORBELL, r->wptr);
    } else {
        const uint32_t call[] = {
            PACKET3(PACKET3_INDIRECT_BUFFER, 2), RIG_IB, 0, n | 1 << 24,
        };

        rig_store(r, RIG_IB, dw, n);
        rig_put(r, call, 4);
        mock_doorbell(&r->m, RIG_DOORBELL, r->wptr);
    }
    slices(r);
    if (MIGRATE(flags)) {
        migrate(r);
        slices(r);
    }

    if (!IN_RING(flags)) {
        REQUIRE(zero(r, RIG_HOLE, 0x1000));
        REQUIRE(zero(r, RIG_RO, 0x1000));
        REQUIRE(zero(r, 0, RIG_RPTR));
        rig_recover(r);
        REQUIRE(rig_empty(r));
        mock_wreg(&r->m, GC(SCRATCH_REG1), 0xcafedead);
        RIG_RUN(r, PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x41, 0xdeadbeef);
        REQUIRE(mock_rreg(&r->m, GC(SCRATCH_REG1)) == 0xdeadbeef);
    }
    return 0;
}

/* -------------------------------------------------------------- mutator */

/* Well-formed packets, for the fuzzer to start from */
#define OP(op, n)   { PACKET3(PACKET3_##op, (n) - 1), (n) }
static const struct {
    uint32_t hdr;
    unsigned n;
} packets[] = {
    OP(NOP, 2), OP(SET_BASE, 3), OP(CLEAR_STATE, 1), OP(ATOMIC_MEM, 8),
    OP(SET_PREDICATION, 3), OP(REG_RMW, 3), OP(COND_EXEC, 4),
    OP(CONTEXT_CONTROL, 2), OP(WRITE_DATA, 5), OP(WAIT_REG_MEM, 6),
    OP(INDIRECT_BUFFER, 3), OP(COPY_DATA, 5), OP(COND_WRITE, 8),
    OP(EVENT_WRITE, 3), OP(RELEASE_MEM, 7), OP(PREAMBLE_CNTL, 1),
    OP(DMA_DATA, 6), OP(ACQUIRE_MEM, 6), OP(SET_CONFIG_REG, 2),
    OP(SET_CONTEXT_REG, 3), OP(SET_SH_REG, 3), OP(SET_UCONFIG_REG, 3),
};

static uint32_t rnd(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* A value that some field may like: an address, a register, a few bits. */
static uint32_t value(unsigned *seed)
{
    switch (rnd(seed) % 8) {
    case 0:
        return rnd(seed) % 0x100000 & ~7u;
    case 1:
        return RIG_DATA;
    case 2:
        return RIG_HOLE - 16 + 4 * (rnd(seed) % 8);
    case 3:
        return GC(SCRATCH_REG0) + rnd(seed) % 8;
    case 4:
        return 1u << (rnd(seed) % 32) | rnd(seed) % 8;
    case 5:
        return rnd(seed) << 16 | (rnd(seed) & 0xffff);
    case 6:
        return rnd(seed) % 64;
    default:
        return 0;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned seed)
{
    uint32_t pkt[16];
    unsigned which, i;
    size_t at, len;

    if (size < 1 || rnd(&seed) % 4 == 0) {
        return LLVMFuzzerMutate(data, size, max);
    }
    if (rnd(&seed) % 4 == 0 && size >= 5) {
        uint32_t val = value(&seed);

        at = 1 + 4 * (rnd(&seed) % ((size - 1) / 4));
        memcpy(data + at, &val, 4);
        return size;
    }
    which = rnd(&seed) % (sizeof(packets) / sizeof(packets[0]));
    len = 4 * (1 + packets[which].n);
    if (size + len > max) {
        return LLVMFuzzerMutate(data, size, max);
    }
    pkt[0] = packets[which].hdr | (rnd(&seed) % 16 == 0);
    for (i = 1; i <= packets[which].n; i++) {
        pkt[i] = value(&seed);
    }
    at = 1 + 4 * (rnd(&seed) % (1 + (size - 1) / 4));
    memmove(data + at + len, data + at, size - at);
    memcpy(data + at, pkt, len);
    return size + len;
}
