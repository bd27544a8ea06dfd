/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: compute queues with anything at all in a user's AQL ring,
 * in the structures it shares with the CP and in its buffers, or in a kernel's
 * descriptors, run lists and KIQ packets.
 *
 * Nothing may crash or hang. What a user writes reaches only memory that is
 * mapped for him, and stops no queue but his.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "mec-rig.h"

/* First byte of the input: where the rest of it goes */
enum { IN_AQL, IN_USER_MEMORY, IN_MQD, IN_LIST, IN_KIQ, NUM_PLACES };
#define PLACE(f)    (((f) & 0x7f) % NUM_PLACES)
#define MIGRATE(f)  ((f) & 0x80)

#define SLICES      48
#define USER        VGPU_HQD(1, 1, 1)
#define QUEUE       0x44000u
#define USER_FIRST  (RIG_IB >> 12)

#define REQUIRE(cond) do { \
    if (!(cond)) { \
        fprintf(stderr, "not true: %s\n", #cond); \
        abort(); \
    } \
} while (0)

static struct rig rig;
static uint32_t fb;     /* low dword of VRAM's address, once it is known */

static void set_up(struct rig *r)
{
    uint64_t *pte;
    unsigned i;

    if (!r->m.die) {
        mock_init(&r->m);
        r->m.cfg.vram_size = 8 << 20;
        r->m.ram_size = 1 << 20;
        mock_start(&r->m);
    }
    vgpu_die_reset(r->m.die);
    memset(r->m.vram, 0, 1 << 20);
    memset(r->m.vram + RIG_MQD(0), 0, 2048);
    memset(r->m.vram + RIG_KIQ_RING, 0, RIG_LIST + 0x1000 - RIG_KIQ_RING);
    mock_wreg(&r->m, GC(MC_VM_SYSTEM_APERTURE_DEFAULT_ADDR_LSB), 0x0fffffff);
    mock_wreg(&r->m, VGPU_REG_ABS(NBIO, regRCC_DOORBELL_APER_EN), 1);
    fb = rig_fb(r);
    rig_ih_setup(r);
    for (i = 1; i < VGPU_NUM_VMIDS; i++) {
        rig_vm_setup(r, i);
    }
    pte = mock_vram(&r->m, RIG_PT, RIG_PT_PAGES * 8);
    for (i = 0; i < USER_FIRST; i++) {
        pte[i] = 0;
    }
    kiq_init(r);
}

/* A user's queue of AQL, and the resources of run lists. */
static void map_user(struct rig *r, const uint8_t *mqd, size_t len)
{
    struct vgpu_amd_queue *q = mock_vram(&r->m, QUEUE, sizeof(*q));
    uint32_t *m = mec_mqd_init(r, 0, true);

    m[MQD_DW(cp_hqd_aql_control)] = 1;
    m[MQD_DW(cp_hqd_pq_rptr_report_addr_lo)] =
        QUEUE + offsetof(struct vgpu_amd_queue, read_dispatch_id);
    m[MQD_DW(cp_hqd_pq_rptr_report_addr_hi)] = 0;
    q->read_dispatch_id_field_base_byte_offset =
        offsetof(struct vgpu_amd_queue, read_dispatch_id);
    q->queue_inactive_signal = RIG_DATA;
    memcpy(m, mqd, len < 2048 ? len : 2048);
    KIQ_RUN(r, PACKET3(PACKET3_SET_RESOURCES, 6),
            0xff00 | PACKET3_SET_RESOURCES_QUEUE_TYPE(1), 0xff00, 0, 0, 0, 0,
            0);
    kiq_map(r, 0, USER, 1);
}

/* Some slices of every queue that could run. */
static void slices(struct rig *r)
{
    struct vgpu_die *d = r->m.die;
    unsigned i, q;

    vgpu_lock(d);
    vgpu_doorbells_drain(d);
    for (i = 0; i < SLICES; i++) {
        for (q = 0; q < d->num_queues; q++) {
            d->slice_left = 512;
            d->queue[q].run(d, &d->queue[q]);
            d->msix_pending = 0;
        }
        r->m.now += 4000000;
        (*rig_vram64(r, RIG_DATA + 8))--;
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
    static const struct {
        uint32_t off, max;
    } place[NUM_PLACES] = {
        [IN_AQL] = { RIG_URING(0), 0x400 },
        [IN_USER_MEMORY] = { QUEUE, 0xa000 },
        [IN_LIST] = { RIG_LIST, 0x1000 },
        [IN_KIQ] = { RIG_KIQ_RING + 0x400, 0x800 },
    };
    struct rig *r = &rig;
    unsigned where, flags;
    uint32_t len;

    if (size < 5) {
        return 0;
    }
    flags = data[0];
    data++;
    size--;
    where = PLACE(flags);
    set_up(r);
    map_user(r, data, where == IN_MQD ? size : 0);
    if (where != IN_MQD) {
        len = size < place[where].max ? size : place[where].max;
        memcpy(mock_vram(&r->m, place[where].off, len), data, len);
    }
    mock_doorbell(&r->m, RIG_DOOR(0), 15);
    if (where == IN_LIST) {
        uint64_t va = rig_fb(r) + RIG_LIST;

        KIQ_RUN(r, PACKET3(PACKET3_RUN_LIST, 2), LO(va), HI(va),
                (uint32_t)(size / 4) | PACKET3_RUN_LIST_VALID(1) |
                PACKET3_RUN_LIST_PROCESS_CNT(8));
    } else if (where == IN_KIQ) {
        mec_wreg(r, KIQ_HQD, GC(CP_HQD_PQ_RPTR), 0x100);
        mock_doorbell(&r->m, RIG_KIQ_DOOR, 0x100 + size / 4);
    }
    slices(r);
    if (MIGRATE(flags)) {
        migrate(r);
        slices(r);
    }

    if (where == IN_AQL || where == IN_USER_MEMORY) {
        REQUIRE(zero(r, RIG_HOLE, 0x1000));
        REQUIRE(zero(r, RIG_RO, 0x1000));
        REQUIRE(zero(r, 0, RIG_RPTR));
        REQUIRE(mec_halted_why(r, KIQ_HQD) == VGPU_CP_RUNS);
        KIQ_RUN(r, PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x41, 0xdeadbeef);
        REQUIRE(mock_rreg(&r->m, GC(SCRATCH_REG1)) == 0xdeadbeef);
    }
    return 0;
}

/* -------------------------------------------------------------- mutator */

static uint32_t rnd(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* A value that some field may like: an address, a signal, a few bits. */
static uint32_t value(unsigned *seed)
{
    switch (rnd(seed) % 8) {
    case 0:
        return rnd(seed) % 0x100000 & ~63u;
    case 1:
        return RIG_DATA;
    case 2:
        return RIG_HOLE - 16 + 4 * (rnd(seed) % 8);
    case 3:
        return fb + RIG_MQD(0);
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

/* Well-formed heads, for the fuzzer to start from */
static const struct {
    uint32_t dw;
    unsigned n;
} heads[] = {
    { 0x0000 | AMD_AQL_FORMAT_PM4_IB << 16, 16 },
    { 0x0000 | AMD_AQL_FORMAT_BARRIER_VALUE << 16, 16 },
    { 0x1502 | 3 << 16, 16 }, { 0x1503, 16 }, { 0x1505, 16 }, { 0x1504, 16 },
    { PACKET3(PACKET3_MAP_PROCESS, 19), 21 },
    { PACKET3(PACKET3_MAP_QUEUES, 5), 7 },
    { PACKET3(PACKET3_UNMAP_QUEUES, 4), 6 },
    { PACKET3(PACKET3_RUN_LIST, 2), 4 },
    { PACKET3(PACKET3_QUERY_STATUS, 5), 7 },
    { PACKET3(PACKET3_SET_RESOURCES, 6), 8 },
    { PACKET3(PACKET3_INVALIDATE_TLBS, 0), 2 },
    { PACKET3(PACKET3_INDIRECT_BUFFER, 2), 4 },
    { PACKET3(PACKET3_WAIT_REG_MEM, 5), 7 },
    { PACKET3(PACKET3_DMA_DATA, 5), 7 },
};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned seed)
{
    uint32_t pkt[24];
    unsigned which, i;
    size_t at, len;

    if (size < 1 || rnd(&seed) % 4 == 0) {
        return LLVMFuzzerMutate(data, size, max);
    }
    if (rnd(&seed) % 2 == 0 && size >= 5) {
        uint32_t val = value(&seed);

        at = 1 + 4 * (rnd(&seed) % ((size - 1) / 4));
        memcpy(data + at, &val, 4);
        return size;
    }
    which = rnd(&seed) % (sizeof(heads) / sizeof(heads[0]));
    len = 4 * heads[which].n;
    if (size + len > max) {
        return LLVMFuzzerMutate(data, size, max);
    }
    pkt[0] = heads[which].dw;
    for (i = 1; i < heads[which].n; i++) {
        pkt[i] = value(&seed);
    }
    at = 1 + 4 * (rnd(&seed) % (1 + (size - 1) / 4));
    memmove(data + at + len, data + at, size - at);
    memcpy(data + at, pkt, len);
    return size + len;
}
