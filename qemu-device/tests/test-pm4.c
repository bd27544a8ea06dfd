/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every packet of the graphics ring, each value its fields may have, and its
 * malformed forms. What a packet should do is taken from hw/pm4.h and
 * Documentation/hardware.rst, "Packets".
 */
#include <stdlib.h>

#include "pm4-rig.h"

#define NOP1        PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT)
#define SCRATCH(n)  (GC(SCRATCH_REG0) + (n))
/* A packet that leaves a mark: what follows the packet under test has run. */
#define MARK(n)     PACKET3(PACKET3_SET_UCONFIG_REG, 1), MARK_OFFSET, (n)
#define MARK_OFFSET (GC(SCRATCH_REG7) - PACKET3_SET_UCONFIG_REG_START)

static uint32_t mark(struct rig *r)
{
    return mock_rreg(&r->m, GC(SCRATCH_REG7));
}

/* Run packets on the ring; all of them must be taken and none complain. */
#define OK_RING(r, ...) do { \
    static uint32_t n_ = 100; \
    n_++; \
    RIG_RUN((r), __VA_ARGS__, MARK(n_)); \
    CHECK_EQ(mark(r), n_); \
    CHECK_EQ(rig_halted(r), 0); \
    CHECK_NO_IRQ(r); \
} while (0)

#define OK_IB(r, ...) do { \
    static uint32_t n_ = 100000; \
    n_++; \
    RIG_RUN_IB((r), __VA_ARGS__, MARK(n_)); \
    CHECK_EQ(mark(r), n_); \
    CHECK_EQ(rig_halted(r), 0); \
    CHECK_NO_IRQ(r); \
} while (0)

/* Run a packet that must halt the queue before what follows it. */
#define BAD_RING(r, why, ...) do { \
    mock_wreg(&(r)->m, GC(SCRATCH_REG7), 0); \
    RIG_RUN((r), __VA_ARGS__, MARK(1)); \
    CHECK_HALT((r), (why), 0); \
    CHECK_EQ(mark(r), 0); \
    rig_recover(r); \
} while (0)

#define BAD_IB(r, why, ...) do { \
    mock_wreg(&(r)->m, GC(SCRATCH_REG7), 0); \
    RIG_RUN_IB((r), __VA_ARGS__, MARK(1)); \
    CHECK_HALT((r), (why), 1); \
    CHECK_EQ(mark(r), 0); \
    rig_recover(r); \
} while (0)

/* Forget page faults that a test provoked. */
static unsigned faults(struct rig *r)
{
    uint32_t iv[8];
    unsigned n = 0;

    while (rig_irq(r, iv)) {
        n += (iv[0] & 0xff) == SOC15_IH_CLIENTID_UTCL2;
    }
    mock_wreg(&r->m, GC(VM_L2_PROTECTION_FAULT_CNTL),
              mock_rreg(&r->m, GC(VM_L2_PROTECTION_FAULT_CNTL)) | 1);
    mock_wreg(&r->m, GC(VM_L2_PROTECTION_FAULT_CNTL),
              mock_rreg(&r->m, GC(VM_L2_PROTECTION_FAULT_CNTL)) & ~1u);
    return n;
}

/* ------------------------------------------------------------- headers */

static void nops(void)
{
    struct rig r;
    static uint32_t junk[0x3fff];

    rig_init(&r);
    OK_RING(&r, NOP1);
    OK_RING(&r, PACKET3(PACKET3_NOP, 0), 0xffffffff);
    OK_RING(&r, PACKET3(PACKET3_NOP, 2), 0x40000000, PACKET3(0xff, 0), 1);
    OK_RING(&r, CP_PACKET2, CP_PACKET2 | 0x3fffffff);
    OK_RING(&r, NOP1 | PACKET3_PREDICATE, PACKET3_COMPUTE(PACKET3_NOP, 0), 0);
    OK_IB(&r, NOP1, CP_PACKET2, PACKET3(PACKET3_NOP, 1), 0, 0, NOP1);

    /* The longest NOP with payload, in an IB that is just as long */
    memset(junk, 0x5a, sizeof(junk));
    RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_NOP, 0x3ffe));
    rig_store(&r, RIG_IB + 4, junk, 0x3fff);
    rig_call_ib(&r, RIG_IB, 0x4000, 1);
    CHECK(rig_empty(&r));
    CHECK_EQ(rig_halted(&r), 0);
    rig_stop(&r);
}

static void bad_headers(void)
{
    struct rig r;
    unsigned op;

    rig_init(&r);
    BAD_RING(&r, VGPU_CP_BAD_OPCODE, 0x40000000);
    BAD_IB(&r, VGPU_CP_BAD_OPCODE, 0x7fffffff);
    /* Opcodes that the header file does not name */
    BAD_RING(&r, VGPU_CP_BAD_OPCODE, PACKET3(0x00, 0), 0);
    BAD_RING(&r, VGPU_CP_BAD_OPCODE, PACKET3(0xff, 0), 0);
    BAD_IB(&r, VGPU_CP_BAD_OPCODE, PACKET3(0x99, 1), 0, 0);
    /* A NOP is the only one with a one-dword form */
    BAD_RING(&r, VGPU_CP_BAD_OPCODE, PACKET3(PACKET3_SWITCH_BUFFER, 0x3fff));

    /*
     * Whatever an opcode is, three dwords of zeroes must not be skipped over
     * in silence unless the packet may be that long.
     */
    for (op = 0; op < 256; op++) {
        RIG_RUN_IB(&r, PACKET3(op, 2), 0, 0, 0, MARK(op));
        switch (op) {
        case PACKET3_NOP:
        case PACKET3_SET_BASE:
        case PACKET3_SET_PREDICATION:
        case PACKET3_INDIRECT_BUFFER:
        case PACKET3_INDIRECT_BUFFER_CONST:
        case PACKET3_SET_CONTEXT_REG:
        case PACKET3_SET_SH_REG:
        case PACKET3_EVENT_WRITE:
            CHECK_EQ(rig_halted(&r), 0);
            CHECK_EQ(mark(&r), op);
            break;
        case PACKET3_REG_RMW:           /* register 0 is not a user's */
        case PACKET3_SET_CONFIG_REG:
            CHECK_HALT(&r, VGPU_CP_REG_VIOLATION, 1);
            break;
        case PACKET3_SET_UCONFIG_REG:   /* two registers: reaches nothing */
            CHECK_EQ(rig_halted(&r), 0);
            break;
        default:
            CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 1);
        }
        rig_recover(&r);
    }
    rig_stop(&r);
}

/* Draws, dispatches and queue management are known but not carried out. */
static void not_yet(void)
{
    static const uint8_t ops[] = {
        PACKET3_DISPATCH_DIRECT, PACKET3_DISPATCH_INDIRECT,
        PACKET3_DRAW_INDEX_2, PACKET3_DRAW_INDEX_AUTO, PACKET3_DRAW_INDIRECT,
        PACKET3_DRAW_INDEX_INDIRECT, PACKET3_DRAW_INDIRECT_MULTI,
        PACKET3_DRAW_INDEX_INDIRECT_MULTI, PACKET3_DRAW_INDEX_MULTI_AUTO,
        PACKET3_DRAW_INDEX_OFFSET_2, PACKET3_NUM_INSTANCES,
        PACKET3_INDEX_TYPE, PACKET3_INDEX_BASE, PACKET3_INDEX_BUFFER_SIZE,
        PACKET3_SET_RESOURCES, PACKET3_MAP_PROCESS, PACKET3_MAP_QUEUES,
        PACKET3_UNMAP_QUEUES, PACKET3_QUERY_STATUS, PACKET3_RUN_LIST,
        PACKET3_INVALIDATE_TLBS, PACKET3_RUN_CLEANER_SHADER,
        PACKET3_MEM_SEMAPHORE, PACKET3_LOAD_SH_REG, PACKET3_ATOMIC_GDS,
    };
    struct rig r;
    unsigned i;

    rig_init(&r);
    for (i = 0; i < sizeof(ops); i++) {
        BAD_RING(&r, VGPU_CP_BAD_OPCODE, PACKET3(ops[i], 7), 0, 0, 0, 0, 0, 0,
                 0, 0);
        CHECK(strcmp(vgpu_pm4_name(PACKET3(ops[i], 0)), "unknown opcode"));
    }
    rig_stop(&r);
}

/* Each fixed-length packet, one dword short and one long. */
static void lengths(void)
{
    static const struct {
        uint8_t op;
        uint16_t min, max;
    } ops[] = {
        { PACKET3_SET_BASE, 3, 3 }, { PACKET3_CLEAR_STATE, 1, 1 },
        { PACKET3_ATOMIC_MEM, 8, 8 }, { PACKET3_SET_PREDICATION, 3, 3 },
        { PACKET3_REG_RMW, 3, 3 }, { PACKET3_COND_EXEC, 4, 4 },
        { PACKET3_CONTEXT_CONTROL, 2, 2 },
        { PACKET3_INDIRECT_BUFFER_CONST, 3, 3 },
        { PACKET3_WRITE_DATA, 4, 0 }, { PACKET3_WAIT_REG_MEM, 6, 6 },
        { PACKET3_INDIRECT_BUFFER, 3, 3 }, { PACKET3_COPY_DATA, 5, 5 },
        { PACKET3_PFP_SYNC_ME, 1, 1 }, { PACKET3_COND_WRITE, 8, 8 },
        { PACKET3_EVENT_WRITE, 1, 3 }, { PACKET3_RELEASE_MEM, 6, 7 },
        { PACKET3_PREAMBLE_CNTL, 1, 1 }, { PACKET3_DMA_DATA, 6, 6 },
        { PACKET3_ACQUIRE_MEM, 6, 6 }, { PACKET3_SET_CONFIG_REG, 2, 0 },
        { PACKET3_SET_CONTEXT_REG, 2, 0 }, { PACKET3_SET_SH_REG, 2, 0 },
        { PACKET3_SET_UCONFIG_REG, 2, 0 }, { PACKET3_SWITCH_BUFFER, 1, 1 },
        { PACKET3_FRAME_CONTROL, 1, 1 },
    };
    struct rig r;
    unsigned i;

    rig_init(&r);
    for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        static const uint32_t zero[16];

        /* payload n has the count field n - 1; 0 dwords cannot be said */
        if (ops[i].min > 1) {
            uint32_t hdr = PACKET3(ops[i].op, ops[i].min - 2);

            rig_put(&r, &hdr, 1);
            rig_put(&r, zero, ops[i].min - 1);
            rig_ring(&r);
            CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 0);
            rig_recover(&r);
        }
        if (ops[i].max) {
            uint32_t hdr = PACKET3(ops[i].op, ops[i].max);

            rig_put(&r, &hdr, 1);
            rig_put(&r, zero, ops[i].max + 1);
            rig_ring(&r);
            CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 0);
            rig_recover(&r);
        }
    }
    rig_stop(&r);
}

/* A packet that claims more than its IB has left, for every kind of packet. */
static void longer_than_ib(void)
{
    struct rig r;

    rig_init(&r);
    RIG_STORE(&r, RIG_IB, NOP1, PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x40, 9);
    rig_call_ib(&r, RIG_IB, 3, 1);
    CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 1);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_IB1_OFFSET)), 1);
    rig_recover(&r);
    RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_NOP, 1), 0, 0);
    rig_call_ib(&r, RIG_IB, 2, 1);
    CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 1);
    rig_recover(&r);
    RIG_STORE(&r, RIG_IB, PACKET0(SCRATCH(0), 1), 0, 0);
    rig_call_ib(&r, RIG_IB, 2, 1);
    CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 1);
    rig_recover(&r);
    /* One dword, the header */
    RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_WRITE_DATA, 3));
    rig_call_ib(&r, RIG_IB, 1, 1);
    CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 1);
    rig_stop(&r);
}

/* ------------------------------------------------------------ registers */

static void type0(void)
{
    struct rig r;

    rig_init(&r);
    OK_RING(&r, PACKET0(SCRATCH(0), 0), 1);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);
    OK_IB(&r, PACKET0(SCRATCH(1), 2), 2, 3, 4);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 2);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(2)), 3);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(3)), 4);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(4)), 0);
    /* The kernel's stream may reach what a user's may not. */
    OK_RING(&r, PACKET0(GC(CP_DEVICE_ID), 0), 5);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_DEVICE_ID)), 5);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET0(GC(CP_DEVICE_ID), 0), 6);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_DEVICE_ID)), 5);
    rig_stop(&r);
}

/*
 * The stream form: a type 0 header takes all that follows it in its IB. The
 * documents' example, nine dwords: two packets, the header, what become the
 * values of consecutive registers, among them two packets that never run.
 */
static void type0_stream(void)
{
    struct rig r;

    memset(&r, 0, sizeof(r));
    mock_init(&r.m);
    r.m.cfg.pm4_type0_stream = true;
    mock_start(&r.m);
    rig_ih_setup(&r);
    rig_vm_setup(&r, 1);
    rig_ring_setup(&r, RIG_RB_BUFSZ);
    rig_start_me(&r);

    RIG_STORE(&r, RIG_IB,
              NOP1,
              CP_PACKET2,
              SCRATCH(0),                               /* type 0, no count */
              0x11111111,
              0x22222222,
              PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x47,
              PACKET3(PACKET3_NOP, 0), 0x77777777);
    rig_call_ib(&r, RIG_IB, 9, 1);
    CHECK(rig_empty(&r));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0x11111111);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 0x22222222);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(2)), PACKET3(PACKET3_SET_UCONFIG_REG, 1));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(3)), 0x47);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(4)), PACKET3(PACKET3_NOP, 0));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(5)), 0x77777777);
    CHECK_EQ(mark(&r), 0);

    /* The ring behind the IB goes on as usual. */
    RIG_RUN(&r, MARK(5));
    CHECK_EQ(mark(&r), 5);

    /* In the ring it ends where the write pointer is. */
    RIG_RUN(&r, SCRATCH(0), 1, 2, PACKET3(PACKET3_NOP, 0));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 2);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(2)), PACKET3(PACKET3_NOP, 0));
    RIG_RUN(&r, MARK(6));
    CHECK_EQ(mark(&r), 6);

    /* As the last dword it writes nothing. */
    RIG_STORE(&r, RIG_IB, SCRATCH(0));
    rig_call_ib(&r, RIG_IB, 1, 1);
    CHECK(rig_empty(&r));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);
    RIG_RUN(&r, SCRATCH(0));
    RIG_RUN(&r, MARK(7));
    CHECK_EQ(mark(&r), 7);

    /* Values that run out of the window */
    RIG_STORE(&r, RIG_IB, PACKET3_SET_UCONFIG_REG_END - 2);
    rig_call_ib(&r, RIG_IB, 4, 1);
    CHECK_HALT(&r, VGPU_CP_REG_VIOLATION, 1);
    rig_stop(&r);
}

/* A stream that goes on over slices and pages. */
static void type0_stream_long(void)
{
    struct rig r;
    unsigned i;

    memset(&r, 0, sizeof(r));
    mock_init(&r.m);
    r.m.cfg.pm4_type0_stream = true;
    mock_start(&r.m);
    rig_ih_setup(&r);
    rig_ring_setup(&r, RIG_RB_BUFSZ);
    rig_start_me(&r);
    /* the SH window, the whole of it, from an IB across a page */
    *rig_vram(&r, RIG_IB + 0xf00) = PACKET3_SET_SH_REG_START;
    for (i = 0; i < 0x400; i++) {
        *rig_vram(&r, RIG_IB + 0xf04 + 4 * i) = i + 1;
    }
    rig_call_ib(&r, rig_fb(&r) + RIG_IB + 0xf00, 0x401, 0);
    CHECK(rig_empty(&r));
    CHECK_EQ(rig_halted(&r), 0);
    for (i = 0; i < 0x400; i++) {
        CHECK_EQ(mock_rreg(&r.m, PACKET3_SET_SH_REG_START + i), i + 1);
    }
    rig_stop(&r);
}

static void set_reg_windows(void)
{
    static const struct {
        uint8_t op;
        uint32_t start, end, good;
        bool user;
    } w[] = {
        { PACKET3_SET_CONTEXT_REG, PACKET3_SET_CONTEXT_REG_START,
          PACKET3_SET_CONTEXT_REG_END, 0xa000, true },
        { PACKET3_SET_SH_REG, PACKET3_SET_SH_REG_START,
          PACKET3_SET_SH_REG_END, 0x2c00, true },
        { PACKET3_SET_UCONFIG_REG, PACKET3_SET_UCONFIG_REG_START,
          PACKET3_SET_UCONFIG_REG_END, 0xc040, true },
        { PACKET3_SET_CONFIG_REG, PACKET3_SET_CONFIG_REG_START,
          PACKET3_SET_CONFIG_REG_END, 0x28c7, false },
    };
    struct rig r;
    unsigned i;

    rig_init(&r);
    for (i = 0; i < sizeof(w) / sizeof(w[0]); i++) {
        uint32_t off = w[i].good - w[i].start, size = w[i].end - w[i].start;

        OK_RING(&r, PACKET3(w[i].op, 2), off, 7, 8);
        CHECK_EQ(mock_rreg(&r.m, w[i].good), 7);
        CHECK_EQ(mock_rreg(&r.m, w[i].good + 1), 8);
        /* the index field is no part of the offset */
        OK_RING(&r, PACKET3(w[i].op, 1), off | 2u << 28, 9);
        CHECK_EQ(mock_rreg(&r.m, w[i].good), 9);
        if (w[i].user) {
            OK_IB(&r, PACKET3(w[i].op, 1), off, 10);
            CHECK_EQ(mock_rreg(&r.m, w[i].good), 10);
        } else {
            BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(w[i].op, 1), off, 10);
            CHECK_EQ(mock_rreg(&r.m, w[i].good), 9);
        }
        /* the last one, and past it */
        OK_RING(&r, PACKET3(w[i].op, 1), size - 1, 1);
        BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(w[i].op, 1), size, 1);
        BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(w[i].op, 2), size - 1, 1,
                 2);
        BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(w[i].op, 1), 0xffff, 1);
    }
    rig_stop(&r);
}

/* A refused packet has no effect, not even its part inside the window. */
static void set_reg_all_or_nothing(void)
{
    struct rig r;
    uint32_t last = PACKET3_SET_SH_REG_END - PACKET3_SET_SH_REG_START - 1;

    rig_init(&r);
    mock_wreg(&r.m, PACKET3_SET_SH_REG_END - 1, 5);
    BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_SET_SH_REG, 2), last,
             6, 7);
    CHECK_EQ(mock_rreg(&r.m, PACKET3_SET_SH_REG_END - 1), 5);
    rig_stop(&r);
}

static void clear_state(void)
{
    struct rig r;

    rig_init(&r);
    OK_RING(&r, PACKET3(PACKET3_SET_CONTEXT_REG, 2), 4, 11, 12);
    OK_RING(&r, PACKET3(PACKET3_CLEAR_STATE, 0), 0);
    CHECK_EQ(mock_rreg(&r.m, 0xa004), 0);
    CHECK_EQ(mock_rreg(&r.m, 0xa005), 0);
    /* What is set in the preamble is what it clears to. */
    OK_RING(&r, PACKET3(PACKET3_PREAMBLE_CNTL, 0),
            PACKET3_PREAMBLE_BEGIN_CLEAR_STATE,
            PACKET3(PACKET3_SET_CONTEXT_REG, 1), 4, 13,
            PACKET3(PACKET3_PREAMBLE_CNTL, 0),
            PACKET3_PREAMBLE_END_CLEAR_STATE,
            PACKET3(PACKET3_SET_CONTEXT_REG, 2), 4, 14, 15);
    OK_IB(&r, PACKET3(PACKET3_CLEAR_STATE, 0), 0);
    CHECK_EQ(mock_rreg(&r.m, 0xa004), 13);
    CHECK_EQ(mock_rreg(&r.m, 0xa005), 0);
    /* A user cannot change what the kernel has set. */
    OK_IB(&r, PACKET3(PACKET3_PREAMBLE_CNTL, 0),
          PACKET3_PREAMBLE_BEGIN_CLEAR_STATE,
          PACKET3(PACKET3_SET_CONTEXT_REG, 1), 4, 16,
          PACKET3(PACKET3_CLEAR_STATE, 0), 0);
    CHECK_EQ(mock_rreg(&r.m, 0xa004), 13);
    BAD_RING(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_CLEAR_STATE, 0), 1);
    BAD_RING(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_PREAMBLE_CNTL, 0),
             4u << 28);
    rig_stop(&r);
}

static void small_state(void)
{
    struct rig r;
    unsigned i;

    rig_init(&r);
    OK_RING(&r, PACKET3(PACKET3_CONTEXT_CONTROL, 1), 0x81018003, 0);
    CHECK_EQ(r.m.die->s.cp.context_control[0], 0x81018003);
    for (i = 0; i <= PACKET3_SET_BASE_INDIRECT_DATA; i++) {
        OK_RING(&r, PACKET3(PACKET3_SET_BASE, 2), i, 0x8000 + i, 0x12);
        CHECK_EQ(r.m.die->s.cp.base[i], 0x1200008000ull + i);
    }
    BAD_RING(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_SET_BASE, 2), i, 0, 0);
    BAD_RING(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_SET_BASE, 2), 15, 0,
             0);
    OK_RING(&r, PACKET3(PACKET3_SWITCH_BUFFER, 0), 0,
            PACKET3(PACKET3_FRAME_CONTROL, 0), 1u << 28,
            PACKET3(PACKET3_PFP_SYNC_ME, 0), 0);
    OK_IB(&r, PACKET3(PACKET3_ACQUIRE_MEM, 5), 0x03c48000, ~0u, 0xff, 0x10,
          0, 10);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_COHER_CNTL)), 0x03c48000);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_COHER_SIZE)), ~0u);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_COHER_BASE)), 0x10);
    rig_stop(&r);
}

static void reg_rmw(void)
{
    struct rig r;

    rig_init(&r);
    mock_wreg(&r.m, SCRATCH(0), 0xff00ff00);
    mock_wreg(&r.m, SCRATCH(1), 0x0ff00ff0);
    mock_wreg(&r.m, SCRATCH(2), 0x0000000f);
    OK_RING(&r, PACKET3(PACKET3_REG_RMW, 2), SCRATCH(0), 0xffff0000, 0x1234);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0xff001234);
    OK_IB(&r, PACKET3(PACKET3_REG_RMW, 2), SCRATCH(0) | 3u << 30, SCRATCH(1),
          SCRATCH(2));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)),
             (0xff001234u & 0x0ff00ff0) | 0x0000000f);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_REG_RMW, 2),
           GC(CP_DEVICE_ID), 0, 1);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_REG_RMW, 2),
           SCRATCH(0) | 1u << 31, GC(CP_DEVICE_ID), 1);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_REG_RMW, 2),
           SCRATCH(0) | 1u << 30, 0, GC(CP_DEVICE_ID));
    BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_REG_RMW, 2),
             0x3ffff, 0, 0);
    rig_stop(&r);
}

/* ----------------------------------------------------------- WRITE_DATA */

#define WD(dst)     WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_##dst)

static void write_data_memory(void)
{
    static const uint32_t sel[] = { WD(MEM_GRBM), WD(TC_L2), WD(MEM) };
    struct rig r;
    uint64_t va;
    unsigned i, engine;

    rig_init(&r);
    va = rig_fb(&r) + RIG_DATA;
    for (i = 0; i < 3; i++) {
        for (engine = 0; engine < 3; engine++) {
            uint32_t ctl = sel[i] | WRITE_DATA_ENGINE_SEL((uint32_t)engine) |
                           (engine ? WR_CONFIRM : 0);

            memset(rig_vram(&r, RIG_DATA), 0, 64);
            OK_RING(&r, PACKET3(PACKET3_WRITE_DATA, 5), ctl, LO(va), HI(va),
                    1, 2, 3);
            CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
            CHECK_EQ(*rig_vram(&r, RIG_DATA + 4), 2);
            CHECK_EQ(*rig_vram(&r, RIG_DATA + 8), 3);
            /* one address: the last value stays */
            OK_IB(&r, PACKET3(PACKET3_WRITE_DATA, 5), ctl | WR_ONE_ADDR,
                  RIG_DATA + 16, 0, 4, 5, 6);
            CHECK_EQ(*rig_vram(&r, RIG_DATA + 16), 6);
            CHECK_EQ(*rig_vram(&r, RIG_DATA + 20), 0);
        }
        BAD_RING(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_WRITE_DATA, 3),
                 sel[i], LO(va) + 2, HI(va), 1);
    }
    BAD_RING(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_WRITE_DATA, 3),
             WD(MEM) | WRITE_DATA_ENGINE_SEL(3u), LO(va), HI(va), 1);
    rig_stop(&r);
}

static void write_data_selects(void)
{
    struct rig r;
    uint32_t sel;

    rig_init(&r);
    for (sel = 0; sel < 16; sel++) {
        switch (sel) {
        case WRITE_DATA_DST_SEL_REG:
        case WRITE_DATA_DST_SEL_MEM_GRBM:
        case WRITE_DATA_DST_SEL_TC_L2:
        case WRITE_DATA_DST_SEL_MEM:
            continue;
        }
        /* GDS (3) among them: MI250X has none */
        BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_WRITE_DATA, 3),
               WRITE_DATA_DST_SEL(sel), RIG_DATA, 0, 1);
    }
    rig_stop(&r);
}

static void write_data_register(void)
{
    struct rig r;

    rig_init(&r);
    OK_IB(&r, PACKET3(PACKET3_WRITE_DATA, 5), WD(REG), SCRATCH(0), 0, 1, 2, 3);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 2);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(2)), 3);
    OK_RING(&r, PACKET3(PACKET3_WRITE_DATA, 4), WD(REG) | WR_ONE_ADDR,
            SCRATCH(0), 0, 7, 8);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 8);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 2);
    OK_RING(&r, PACKET3(PACKET3_WRITE_DATA, 3), WD(REG), GC(CP_DEVICE_ID), 0,
            3);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_DEVICE_ID)), 3);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_WRITE_DATA, 3),
           WD(REG), GC(CP_DEVICE_ID), 0, 4);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_DEVICE_ID)), 3);
    BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_WRITE_DATA, 3),
             WD(REG), VGPU_NUM_REGS, 0, 4);
    BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_WRITE_DATA, 4),
             WD(REG), VGPU_NUM_REGS - 1, 0, 4, 5);
    BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_WRITE_DATA, 3),
             WD(REG), ~0u, 0, 4);
    /* from the last user register into the kernel's */
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_WRITE_DATA, 4),
           WD(REG), PACKET3_SET_UCONFIG_REG_END - 1, 0, 1, 2);
    rig_stop(&r);
}

/* Dropped where it faults, done where it does not; the stream goes on. */
static void write_data_faults(void)
{
    struct rig r;
    uint32_t rw = RIG_HOLE - 8;

    rig_init(&r);
    RIG_RUN_IB(&r, PACKET3(PACKET3_WRITE_DATA, 7), WD(MEM), rw, 0,
               1, 2, 3, 4, 5, MARK(1));
    CHECK_EQ(mark(&r), 1);
    CHECK_EQ(*rig_vram(&r, rw), 1);
    CHECK_EQ(*rig_vram(&r, rw + 4), 2);
    CHECK_EQ(*rig_vram(&r, rw + 8), 0);
    CHECK(faults(&r) > 0);
    RIG_RUN_IB(&r, PACKET3(PACKET3_WRITE_DATA, 3), WD(MEM), RIG_RO, 0, 1,
               MARK(2));
    CHECK_EQ(mark(&r), 2);
    CHECK_EQ(*rig_vram(&r, RIG_RO), 0);
    CHECK(faults(&r) > 0);
    CHECK_EQ(rig_halted(&r), 0);
    rig_stop(&r);
}

/* The largest packet there is, from an IB across pages. */
static void write_data_largest(void)
{
    static uint32_t ib[1 + PM4_MAX_PAYLOAD];
    struct rig r;
    unsigned i, n = PM4_MAX_PAYLOAD - 3;

    rig_init(&r);
    ib[0] = PACKET3(PACKET3_WRITE_DATA, 0x3fff);
    ib[1] = WD(MEM);
    ib[2] = 0x60000;
    for (i = 0; i < n; i++) {
        ib[4 + i] = i * 7;
    }
    rig_store(&r, RIG_DATA + 0x10, ib, 1 + PM4_MAX_PAYLOAD);
    rig_call_ib(&r, RIG_DATA + 0x10, 1 + PM4_MAX_PAYLOAD, 1);
    CHECK(rig_empty(&r));
    for (i = 0; i < n; i++) {
        CHECK_EQ(*rig_vram(&r, 0x60000 + 4 * i), i * 7);
    }
    rig_stop(&r);
}

/* ------------------------------------------------------------ COPY_DATA */

#define CD(src, dst) \
    (PACKET3_COPY_DATA_SRC_SEL(PACKET3_COPY_DATA_SRC_##src) | \
     PACKET3_COPY_DATA_DST_SEL(PACKET3_COPY_DATA_DST_##dst))
#define CD64        PACKET3_COPY_DATA_COUNT_SEL

static void copy_data(void)
{
    struct rig r;
    uint64_t clock;

    rig_init(&r);
    /* register to memory, 32 and 64 bits */
    mock_wreg(&r.m, SCRATCH(0), 0x11);
    mock_wreg(&r.m, SCRATCH(1), 0x22);
    *rig_vram64(&r, RIG_DATA) = ~0ull;
    OK_IB(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(REG, MEM), SCRATCH(0), 0,
          RIG_DATA, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 0xffffffff00000011ull);
    OK_IB(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(REG, TC_L2) | CD64,
          SCRATCH(0), 0, RIG_DATA, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 0x0000002200000011ull);
    /* memory to register */
    *rig_vram64(&r, RIG_DATA) = 0x0000004400000033ull;
    OK_IB(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(MEM, REG), RIG_DATA, 0,
          SCRATCH(0), 0);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0x33);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 0x22);
    OK_IB(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(TC_L2, PERF) | CD64, RIG_DATA,
          0, SCRATCH(0), 0);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 0x44);
    /* register to register, through the performance selects too */
    OK_RING(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(PERF, REG), SCRATCH(1), 0,
            SCRATCH(2), 0);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(2)), 0x44);
    /* immediate */
    OK_IB(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(IMM, MEM_GRBM) | CD64 |
          PACKET3_COPY_DATA_WR_CONFIRM, 5, 6, RIG_DATA, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 0x0000000600000005ull);
    /* clock: 100 MHz, so 12345 clocks are 123450 ns */
    clock = vgpu_gpu_clock(r.m.die);
    atomic_fetch_add(&r.m.now, 123450);
    OK_IB(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(GPU_CLOCK, MEM) | CD64, 0, 0,
          RIG_DATA, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), clock + 12345);
    /* what an atomic returned */
    *rig_vram64(&r, RIG_DATA) = 0xabcdef0123456789ull;
    OK_IB(&r, PACKET3(PACKET3_ATOMIC_MEM, 7), TC_OP_ATOMIC_SWAP_RTN_64,
          RIG_DATA, 0, 1, 0, 0, 0, 0,
          PACKET3(PACKET3_COPY_DATA, 4), CD(ATOMIC_RETURN, MEM) | CD64, 0, 0,
          RIG_DATA + 8, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 1);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA + 8), 0xabcdef0123456789ull);
    rig_stop(&r);
}

static void copy_data_bad(void)
{
    struct rig r;
    uint32_t sel;

    rig_init(&r);
    for (sel = 0; sel < 16; sel++) {
        switch (sel) {
        case PACKET3_COPY_DATA_SRC_REG:
        case PACKET3_COPY_DATA_SRC_MEM:
        case PACKET3_COPY_DATA_SRC_TC_L2:
        case PACKET3_COPY_DATA_SRC_PERF:
        case PACKET3_COPY_DATA_SRC_IMM:
        case PACKET3_COPY_DATA_SRC_ATOMIC_RETURN:
        case PACKET3_COPY_DATA_SRC_GPU_CLOCK:
            break;
        default:
            BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COPY_DATA, 4),
                   PACKET3_COPY_DATA_SRC_SEL(sel) |
                   PACKET3_COPY_DATA_DST_SEL(PACKET3_COPY_DATA_DST_MEM),
                   RIG_DATA, 0, RIG_DATA, 0);
        }
        switch (sel) {
        case PACKET3_COPY_DATA_DST_REG:
        case PACKET3_COPY_DATA_DST_PERF:
        case PACKET3_COPY_DATA_DST_MEM_GRBM:
        case PACKET3_COPY_DATA_DST_TC_L2:
        case PACKET3_COPY_DATA_DST_MEM:
            break;
        default:
            BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COPY_DATA, 4),
                   PACKET3_COPY_DATA_SRC_SEL(PACKET3_COPY_DATA_SRC_IMM) |
                   PACKET3_COPY_DATA_DST_SEL(sel), 1, 0, RIG_DATA, 0);
        }
    }
    /* alignment */
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COPY_DATA, 4),
           CD(IMM, MEM), 1, 0, RIG_DATA + 2, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COPY_DATA, 4),
           CD(IMM, MEM) | CD64, 1, 0, RIG_DATA + 4, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COPY_DATA, 4),
           CD(MEM, REG), RIG_DATA + 1, 0, SCRATCH(0), 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COPY_DATA, 4),
           CD(MEM, REG) | CD64, RIG_DATA + 4, 0, SCRATCH(0), 0);
    /* registers that are not a user's, either way */
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_COPY_DATA, 4),
           CD(REG, MEM), GC(CP_DEVICE_ID), 0, RIG_DATA, 0);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_COPY_DATA, 4),
           CD(IMM, REG), 1, 0, GC(CP_DEVICE_ID), 0);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_COPY_DATA, 4),
           CD(IMM, REG) | CD64, 1, 0, PACKET3_SET_UCONFIG_REG_END - 1, 0);
    BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_COPY_DATA, 4),
             CD(REG, REG), ~0u, 0, SCRATCH(0), 0);
    /* faults: zero is read, a write is lost */
    mock_wreg(&r.m, SCRATCH(0), 5);
    RIG_RUN_IB(&r, PACKET3(PACKET3_COPY_DATA, 4), CD(MEM, REG), RIG_HOLE, 0,
               SCRATCH(0), 0,
               PACKET3(PACKET3_COPY_DATA, 4), CD(IMM, MEM) | CD64, 1, 1,
               RIG_HOLE, 0, MARK(77));
    CHECK_EQ(mark(&r), 77);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0);
    CHECK_EQ(*rig_vram(&r, RIG_HOLE), 0);
    CHECK(faults(&r) > 0);
    rig_stop(&r);
}

/* --------------------------------------------------------- WAIT_REG_MEM */

/* Whether a wait on @val, with a mask, for @ref is over at once. */
static bool waits(struct rig *r, bool mem, unsigned func, uint32_t val,
                  uint32_t mask, uint32_t ref)
{
    bool over;

    mock_wreg(&r->m, GC(SCRATCH_REG7), 0);
    mock_wreg(&r->m, SCRATCH(0), val);
    *rig_vram(r, RIG_DATA) = val;
    RIG_RUN_IB(r, PACKET3(PACKET3_WAIT_REG_MEM, 5),
               WAIT_REG_MEM_FUNCTION(func) | WAIT_REG_MEM_MEM_SPACE(mem),
               mem ? RIG_DATA : SCRATCH(0), 0, ref, mask, 4, MARK(1));
    over = mark(r) == 1;
    CHECK_EQ(rig_halted(r), 0);
    CHECK_EQ(rig_empty(r), over);
    if (!over) {
        rig_recover(r);
    }
    return over;
}

static void wait_functions(void)
{
    static const uint32_t vals[] = { 0, 1, 4, 5, 6, 0x7fffffff, 0x80000000,
                                     ~0u };
    struct rig r;
    unsigned mem, i, j;

    rig_init(&r);
    for (mem = 0; mem < 2; mem++) {
        for (i = 0; i < sizeof(vals) / 4; i++) {
            for (j = 0; j < sizeof(vals) / 4; j++) {
                uint32_t v = vals[i], ref = vals[j];

                CHECK(waits(&r, mem, WAIT_REG_MEM_FUNC_ALWAYS, v, ~0u, ref));
                CHECK_EQ(waits(&r, mem, WAIT_REG_MEM_FUNC_LT, v, ~0u, ref),
                         v < ref);
                CHECK_EQ(waits(&r, mem, WAIT_REG_MEM_FUNC_LE, v, ~0u, ref),
                         v <= ref);
                CHECK_EQ(waits(&r, mem, WAIT_REG_MEM_FUNC_EQ, v, ~0u, ref),
                         v == ref);
                CHECK_EQ(waits(&r, mem, WAIT_REG_MEM_FUNC_NE, v, ~0u, ref),
                         v != ref);
                CHECK_EQ(waits(&r, mem, WAIT_REG_MEM_FUNC_GE, v, ~0u, ref),
                         v >= ref);
                CHECK_EQ(waits(&r, mem, WAIT_REG_MEM_FUNC_GT, v, ~0u, ref),
                         v > ref);
            }
        }
        /* the mask is for the value, not for the reference */
        CHECK(waits(&r, mem, WAIT_REG_MEM_FUNC_EQ, 0xabcd, 0xff, 0xcd));
        CHECK(!waits(&r, mem, WAIT_REG_MEM_FUNC_EQ, 0xabcd, 0xff, 0xabcd));
    }
    rig_stop(&r);
}

static void wait_bad(void)
{
    struct rig r;

    rig_init(&r);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_WAIT_REG_MEM, 5), 7,
           SCRATCH(0), 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_WAIT_REG_MEM, 5),
           WAIT_REG_MEM_MEM_SPACE(2), SCRATCH(0), 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_WAIT_REG_MEM, 5),
           WAIT_REG_MEM_MEM_SPACE(3), SCRATCH(0), 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_WAIT_REG_MEM, 5),
           WAIT_REG_MEM_OPERATION(WAIT_REG_MEM_OP_WAIT_COND), SCRATCH(0), 0,
           0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_WAIT_REG_MEM, 5),
           WAIT_REG_MEM_ENGINE(3), SCRATCH(0), 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_WAIT_REG_MEM, 5),
           WAIT_REG_MEM_MEM_SPACE(1), RIG_DATA + 1, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_WAIT_REG_MEM, 5),
           WAIT_REG_MEM_MEM_SPACE(1) | WAIT_REG_MEM_OPERATION(1), SCRATCH(0),
           SCRATCH(1), 0, 0, 0);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_WAIT_REG_MEM, 5), 0,
           GC(CP_DEVICE_ID), 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_WAIT_REG_MEM, 5),
           WAIT_REG_MEM_OPERATION(1), SCRATCH(0), GC(CP_DEVICE_ID), 0, 0, 0);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_WAIT_REG_MEM, 5),
           WAIT_REG_MEM_OPERATION(1), GC(CP_DEVICE_ID), SCRATCH(0), 0, 0, 0);
    BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_WAIT_REG_MEM, 5), 0,
             ~0u, 0, 0, 0, 0);
    /* the engines that may wait */
    OK_IB(&r, PACKET3(PACKET3_WAIT_REG_MEM, 5), WAIT_REG_MEM_ENGINE(0),
          SCRATCH(0), 0, 0, 0, 0,
          PACKET3(PACKET3_WAIT_REG_MEM, 5), WAIT_REG_MEM_ENGINE(1),
          SCRATCH(0), 0, 0, 0, 0);
    rig_stop(&r);
}

static void wait_wakes_by_register(void)
{
    struct rig r;

    rig_init(&r);
    RIG_RUN(&r, PACKET3(PACKET3_WAIT_REG_MEM, 5),
            WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ), SCRATCH(0), 0, 5,
            ~0u, 0x20, MARK(1));
    CHECK_EQ(mark(&r), 0);
    atomic_store(&r.m.kicks, 0);
    mock_wreg(&r.m, SCRATCH(0), 5);
    CHECK(atomic_load(&r.m.kicks) > 0);
    mock_run(&r.m);                     /* without the clock moving on */
    CHECK_EQ(mark(&r), 1);
    rig_stop(&r);
}

/* Memory that a vCPU writes is found by a poll, within the longest interval. */
static void wait_wakes_by_poll(void)
{
    struct rig r;
    uint64_t next;

    rig_init(&r);
    RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_WAIT_REG_MEM, 5),
              WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_GE) |
              WAIT_REG_MEM_MEM_SPACE(1), RIG_DATA, 0, 5, ~0u, 1, MARK(1));
    rig_call_ib(&r, RIG_IB, 10, 1);
    next = mock_run(&r.m);
    CHECK(next != VGPU_NO_DEADLINE);
    CHECK(next >= atomic_load(&r.m.now) + VGPU_POLL_MIN_NS);
    CHECK(!mock_settle(&r.m, 1000000000));      /* a second, in vain */
    CHECK_EQ(mark(&r), 0);
    *rig_vram(&r, RIG_DATA) = 6;
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(mark(&r), 1);
    CHECK_EQ(mock_run(&r.m), VGPU_NO_DEADLINE);
    rig_stop(&r);
}

/* A parked wait that is looked at again writes nothing and counts nothing. */
static void wait_is_quiet(void)
{
    struct vgpu_die_stats st;
    struct rig r;
    uint64_t written;

    rig_init(&r);
    RIG_RUN_IB(&r, PACKET3(PACKET3_WAIT_REG_MEM, 5),
               WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) |
               WAIT_REG_MEM_MEM_SPACE(1), RIG_DATA, 0, 5, ~0u, 1);
    written = atomic_load(&r.m.written_calls);
    CHECK(!mock_settle(&r.m, 1000000000));
    vgpu_die_stats(r.m.die, &st);
    CHECK_EQ(st.pm4_packets, 1);
    CHECK_EQ(atomic_load(&r.m.written_calls), written);
    rig_stop(&r);
}

/* Write, then wait on another register; the write happens once. */
static void wait_wr_wait_wr_reg(void)
{
    struct rig r;

    rig_init(&r);
    RIG_RUN(&r, PACKET3(PACKET3_WAIT_REG_MEM, 5),
            WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) |
            WAIT_REG_MEM_OPERATION(WAIT_REG_MEM_OP_WR_WAIT_WR_REG),
            SCRATCH(0), SCRATCH(1), 0x30, 0xf0, 0x20, MARK(1));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0x30);
    CHECK_EQ(mark(&r), 0);
    mock_wreg(&r.m, SCRATCH(0), 7);
    mock_run(&r.m);
    CHECK_EQ(mark(&r), 0);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 7);
    mock_wreg(&r.m, SCRATCH(1), 0x3f);
    mock_run(&r.m);
    CHECK_EQ(mark(&r), 1);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 7);
    /* and the next one writes again */
    RIG_RUN(&r, PACKET3(PACKET3_WAIT_REG_MEM, 5),
            WAIT_REG_MEM_OPERATION(WAIT_REG_MEM_OP_WR_WAIT_WR_REG),
            SCRATCH(0), SCRATCH(1), 9, ~0u, 0x20);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 9);
    rig_stop(&r);
}

/* A TLB flush as drivers emit it: request, then wait for the acknowledge. */
static void wait_vm_flush(void)
{
    struct rig r;

    rig_init(&r);
    OK_IB(&r, PACKET3(PACKET3_WRITE_DATA, 3), WD(MEM), RIG_DATA, 0, 1);
    /* move the page, then flush: the next write goes to the new place */
    ((uint64_t *)rig_vram(&r, RIG_PT))[RIG_DATA >> 12] += 0x1000;
    OK_RING(&r, PACKET3(PACKET3_WAIT_REG_MEM, 5),
            WAIT_REG_MEM_FUNCTION(WAIT_REG_MEM_FUNC_EQ) |
            WAIT_REG_MEM_OPERATION(WAIT_REG_MEM_OP_WR_WAIT_WR_REG) |
            WAIT_REG_MEM_ENGINE(1),
            GC(VM_INVALIDATE_ENG0_REQ), GC(VM_INVALIDATE_ENG0_ACK),
            1 << 1, 1 << 1, 0x20);
    OK_IB(&r, PACKET3(PACKET3_WRITE_DATA, 3), WD(MEM), RIG_DATA, 0, 2);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 0x1000), 2);
    rig_stop(&r);
}

/* In one stream: what a register write invalidates is not used any more. */
static void flush_within_a_stream(void)
{
    struct rig r;
    uint64_t pte;
    uint64_t va;

    rig_init(&r);
    pte = ((uint64_t *)rig_vram(&r, RIG_PT))[RIG_DATA >> 12] + 0x1000;
    va = rig_fb(&r) + RIG_PT + (RIG_DATA >> 12) * 8;
    RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_WRITE_DATA, 3), WD(MEM), RIG_DATA,
              0, 1);
    OK_RING(&r,
            PACKET3(PACKET3_INDIRECT_BUFFER, 2), RIG_IB, 0, 5 | 1 << 24,
            PACKET3(PACKET3_WRITE_DATA, 4), WD(MEM), LO(va), HI(va), LO(pte),
            HI(pte),
            PACKET3(PACKET3_WRITE_DATA, 3), WD(REG),
            GC(VM_INVALIDATE_ENG0_REQ), 0, 1 << 1,
            PACKET3(PACKET3_WRITE_DATA, 3), WD(MEM),
            LO(rig_fb(&r) + RIG_IB + 16), HI(rig_fb(&r) + RIG_IB + 16), 2,
            PACKET3(PACKET3_INDIRECT_BUFFER, 2), RIG_IB, 0, 5 | 1 << 24);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 0x1000), 2);
    rig_stop(&r);
}

static void cond_write(void)
{
    struct rig r;

    rig_init(&r);
    *rig_vram(&r, RIG_DATA) = 0x15;
    mock_wreg(&r.m, SCRATCH(0), 0x25);
    /* memory polled, memory written */
    OK_IB(&r, PACKET3(PACKET3_COND_WRITE, 7), 3 | 1 << 4 | 1 << 8, RIG_DATA,
          0, 5, 0xf, RIG_DATA + 8, 0, 111);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 8), 111);
    OK_IB(&r, PACKET3(PACKET3_COND_WRITE, 7), 3 | 1 << 4 | 1 << 8, RIG_DATA,
          0, 6, 0xf, RIG_DATA + 8, 0, 222);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 8), 111);
    /* register polled, register written */
    OK_IB(&r, PACKET3(PACKET3_COND_WRITE, 7), 4, SCRATCH(0), 0, 0, ~0u,
          SCRATCH(1), 0, 333);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 333);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COND_WRITE, 7), 7,
           SCRATCH(0), 0, 0, 0, SCRATCH(1), 0, 1);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COND_WRITE, 7), 2 << 8,
           SCRATCH(0), 0, 0, 0, SCRATCH(1), 0, 1);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COND_WRITE, 7), 1 << 4,
           RIG_DATA + 1, 0, 0, 0, SCRATCH(1), 0, 1);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COND_WRITE, 7), 1 << 8,
           SCRATCH(0), 0, 0, 0, RIG_DATA + 2, 0, 1);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_COND_WRITE, 7), 0,
           GC(CP_DEVICE_ID), 0, 0, 0, SCRATCH(1), 0, 1);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_COND_WRITE, 7), 0,
           SCRATCH(0), 0, 0, 0, GC(CP_DEVICE_ID), 0, 1);
    rig_stop(&r);
}

/* ---------------------------------------------------------- RELEASE_MEM */

#define EOP \
    (EVENT_TYPE(CACHE_FLUSH_AND_INV_TS_EVENT) | \
     EVENT_INDEX(EVENT_INDEX_END_OF_PIPE))
#define REL(data, intr) \
    (DATA_SEL((uint32_t)RELEASE_MEM_DATA_##data) | \
     INT_SEL(RELEASE_MEM_INT_##intr))

static void release_mem_data(void)
{
    struct rig r;
    uint64_t clock;

    rig_init(&r);
    *rig_vram64(&r, RIG_DATA) = ~0ull;
    OK_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP, REL(NONE, NONE), RIG_DATA,
          0, 1, 2, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), ~0ull);
    OK_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP, REL(32, NONE), RIG_DATA,
          0, 1, 2, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 0xffffffff00000001ull);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_EOP_LAST_FENCE_LO)), 1);
    OK_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP, REL(64, NONE), RIG_DATA,
          0, 3, 4, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 0x0000000400000003ull);
    clock = vgpu_gpu_clock(r.m.die);
    atomic_fetch_add(&r.m.now, 50);
    OK_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP, REL(GPU_CLOCK, NONE),
          RIG_DATA, 0, 3, 4, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), clock + 5);
    OK_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP, REL(PERFCOUNTER, NONE),
          RIG_DATA, 0, 3, 4, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 0);
    /* through L2, with cache actions, without the last dword */
    OK_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 5),
          EOP | EOP_TCL1_ACTION_EN | EOP_TC_ACTION_EN | EOP_TC_WB_ACTION_EN |
          EOP_TC_MD_ACTION_EN | EOP_EXEC,
          REL(32, NONE) | DST_SEL(RELEASE_MEM_DST_TC_L2), RIG_DATA, 0, 9, 0);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 9);
    rig_stop(&r);
}

static bool got_eop(struct rig *r, uint32_t context_id)
{
    uint32_t iv[8];

    if (!rig_irq(r, iv)) {
        return false;
    }
    CHECK_EQ(iv[0] & 0xff, SOC15_IH_CLIENTID_GRBM_CP);
    CHECK_EQ(iv[0] >> 8 & 0xff, GFX_9_0__SRCID__CP_EOP_INTERRUPT);
    CHECK_EQ(iv[0] >> 16 & 0xff, 0);
    CHECK_EQ(iv[0] >> 24 & 0xf, 1);
    CHECK_EQ(iv[4], context_id);
    CHECK(!rig_irq(r, iv));
    return true;
}

static void release_mem_interrupts(void)
{
    struct rig r;
    uint32_t ts = CP_INT_CNTL_RING0__TIME_STAMP_INT_ENABLE_MASK;
    unsigned i;
    static const struct {
        uint32_t dw2;
        bool irq, data;
    } t[] = {
        { REL(64, NONE), false, true },
        { REL(NONE, ONLY), true, false },
        { REL(64, AFTER_CONFIRM), true, true },
        { REL(64, DATA_AFTER_CONFIRM), false, true },
        { REL(NONE, CTXID), true, false },
        { REL(NONE, CTXID_CMP32), false, false },
        { REL(NONE, CTXID_CMP64), false, false },
    };

    rig_init(&r);
    for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        *rig_vram64(&r, RIG_DATA) = 1;
        RIG_RUN_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP, t[i].dw2,
                   RIG_DATA, 0, 7 + i, 8, 1000 + i);
        CHECK_EQ(got_eop(&r, 1000 + i), t[i].irq);
        CHECK_EQ(*rig_vram64(&r, RIG_DATA),
                 t[i].data ? 0x800000007ull + i : 1);
        CHECK(rig_empty(&r));
        CHECK_EQ(mock_rreg(&r.m, GC(CP_INT_STATUS_RING0)), t[i].irq ? ts : 0);
        mock_wreg(&r.m, GC(CP_INT_STATUS_RING0), ~0u);
    }
    /* comparisons that hold: 32 bits, and 64 bits of which the high differ */
    *rig_vram64(&r, RIG_DATA) = 0x900000007ull;
    RIG_RUN_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP,
               REL(NONE, CTXID_CMP32), RIG_DATA, 0, 7, 8, 5);
    CHECK(got_eop(&r, 5));
    RIG_RUN_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP,
               REL(NONE, CTXID_CMP64), RIG_DATA, 0, 7, 8, 5);
    CHECK(!got_eop(&r, 5));
    RIG_RUN_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP,
               REL(NONE, CTXID_CMP64), RIG_DATA, 0, 7, 9, 5);
    CHECK(got_eop(&r, 5));
    /* the gate */
    mock_wreg(&r.m, GC(CP_INT_CNTL_RING0), RIG_ALL_INTS & ~ts);
    RIG_RUN_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP, REL(NONE, ONLY), 0,
               0, 0, 0, 0);
    CHECK(!got_eop(&r, 0));
    rig_stop(&r);
}

static void release_mem_events(void)
{
    struct rig r;
    unsigned index, type;

    rig_init(&r);
    for (index = 0; index < 16; index++) {
        for (type = 0; type < 64; type++) {
            bool ok = (index == EVENT_INDEX_END_OF_PIPE &&
                       (type == CACHE_FLUSH_TS ||
                        type == CACHE_FLUSH_AND_INV_TS_EVENT ||
                        type == BOTTOM_OF_PIPE_TS || type == FLUSH_SX_TS ||
                        type == FLUSH_AND_INV_DB_DATA_TS ||
                        type == FLUSH_AND_INV_CB_DATA_TS)) ||
                      (index == EVENT_INDEX_SHADER_DONE &&
                       (type == CS_DONE || type == PS_DONE));

            RIG_RUN_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6),
                       EVENT_TYPE(type) | EVENT_INDEX(index),
                       REL(32, NONE), RIG_DATA, 0, type + 1, 0, 0);
            if (ok) {
                CHECK_EQ(*rig_vram(&r, RIG_DATA), type + 1);
                CHECK_EQ(rig_halted(&r), 0);
            } else {
                CHECK_HALT(&r, VGPU_CP_RESERVED_BITS, 1);
                rig_recover(&r);
            }
        }
    }
    rig_stop(&r);
}

static void release_mem_bad(void)
{
    struct rig r;
    uint32_t sel;

    rig_init(&r);
    for (sel = RELEASE_MEM_DATA_GDS; sel < 8; sel++) {
        BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_RELEASE_MEM, 6),
               EOP, DATA_SEL(sel), RIG_DATA, 0, 0, 0, 0);
    }
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_RELEASE_MEM, 6), EOP,
           INT_SEL(7), RIG_DATA, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_RELEASE_MEM, 6), EOP,
           DST_SEL(2), RIG_DATA, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_RELEASE_MEM, 6), EOP,
           DST_SEL(3), RIG_DATA, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_RELEASE_MEM, 6), EOP,
           REL(32, NONE), RIG_DATA + 2, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_RELEASE_MEM, 6), EOP,
           REL(64, NONE), RIG_DATA + 4, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_RELEASE_MEM, 6), EOP,
           REL(NONE, CTXID_CMP32), RIG_DATA + 2, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_RELEASE_MEM, 6), EOP,
           REL(NONE, CTXID_CMP64), RIG_DATA + 4, 0, 0, 0, 0);
    /* a fence that faults: no data, but the stream and the interrupt go on */
    RIG_RUN_IB(&r, PACKET3(PACKET3_RELEASE_MEM, 6), EOP, REL(32, NONE),
               RIG_HOLE, 0, 1, 0, 0, MARK(3));
    CHECK_EQ(mark(&r), 3);
    CHECK(faults(&r) > 0);
    rig_stop(&r);
}

/* ---------------------------------------------------------- EVENT_WRITE */

static void event_write(void)
{
    struct rig r;
    unsigned i;

    rig_init(&r);
    OK_RING(&r, PACKET3(PACKET3_EVENT_WRITE, 0),
            EVENT_TYPE(CS_PARTIAL_FLUSH) | EVENT_INDEX(4),
            PACKET3(PACKET3_EVENT_WRITE, 0), EVENT_TYPE(VGT_FLUSH),
            PACKET3(PACKET3_EVENT_WRITE, 0),
            EVENT_TYPE(CACHE_FLUSH_AND_INV_EVENT) | EVENT_INDEX(7),
            PACKET3(PACKET3_EVENT_WRITE, 0),
            EVENT_TYPE(PIXEL_PIPE_STAT_RESET) | EVENT_INDEX(1));
    memset(rig_vram(&r, RIG_DATA), 0xff, 128);
    OK_IB(&r, PACKET3(PACKET3_EVENT_WRITE, 2),
          EVENT_TYPE(ZPASS_DONE) | EVENT_INDEX(1), RIG_DATA, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 1ull << 63);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA + 8), ~0ull);
    OK_IB(&r, PACKET3(PACKET3_EVENT_WRITE, 2),
          EVENT_TYPE(SAMPLE_PIPELINESTAT) | EVENT_INDEX(2), RIG_DATA, 0);
    for (i = 0; i < 11; i++) {
        CHECK_EQ(*rig_vram64(&r, RIG_DATA + 8 * i), 0);
    }
    CHECK_EQ(*rig_vram64(&r, RIG_DATA + 8 * 11), ~0ull);
    memset(rig_vram(&r, RIG_DATA), 0xff, 128);
    OK_IB(&r, PACKET3(PACKET3_EVENT_WRITE, 2),
          EVENT_TYPE(SAMPLE_STREAMOUTSTATS) | EVENT_INDEX(3), RIG_DATA, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA + 8), 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA + 16), ~0ull);

    BAD_IB(&r, VGPU_CP_BAD_OPCODE, PACKET3(PACKET3_EVENT_WRITE, 0),
           EVENT_TYPE(ZPASS_DONE) | EVENT_INDEX(1));
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_EVENT_WRITE, 2),
           EVENT_TYPE(ZPASS_DONE) | EVENT_INDEX(1), RIG_DATA + 4, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_EVENT_WRITE, 2),
           EVENT_TYPE(ZPASS_DONE) | EVENT_INDEX(2), RIG_DATA, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_EVENT_WRITE, 2),
           EVENT_TYPE(ZPASS_DONE) | EVENT_INDEX(3), RIG_DATA, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_EVENT_WRITE, 2),
           EVENT_TYPE(VGT_FLUSH) | EVENT_INDEX(1), RIG_DATA, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_EVENT_WRITE, 0),
           EVENT_TYPE(BOTTOM_OF_PIPE_TS) | EVENT_INDEX(5));
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_EVENT_WRITE, 0),
           EVENT_INDEX(15));
    rig_stop(&r);
}

/* --------------------------------------------------------------- flow */

#define IB(off, size)   PACKET3(PACKET3_INDIRECT_BUFFER, 2), (off), 0, (size)

static void ib_levels(void)
{
    struct rig r;

    rig_init(&r);
    /* IB1 calls IB2, and both go on where they were */
    RIG_STORE(&r, RIG_IB + 0x100, PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x41,
              2);
    OK_IB(&r, PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x40, 1,
          IB(RIG_IB + 0x100, 3), PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x42, 3);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 2);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(2)), 3);
    /* IB2 calls nobody */
    RIG_STORE(&r, RIG_IB + 0x100, IB(RIG_IB + 0x200, 3));
    RIG_STORE(&r, RIG_IB + 0x200, PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x40,
              9);
    BAD_IB(&r, VGPU_CP_BAD_OPCODE, IB(RIG_IB + 0x100, 4));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);
    /* but it may chain */
    RIG_STORE(&r, RIG_IB + 0x100,
              IB(RIG_IB + 0x200, 3 | INDIRECT_BUFFER_CHAIN), MARK(9999));
    OK_IB(&r, IB(RIG_IB + 0x100, 7));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 9);
    /* an empty one */
    OK_RING(&r, IB(RIG_IB, 0));
    OK_IB(&r, IB(RIG_IB, 0));
    /* one for the constant engine */
    RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x40, 10);
    OK_RING(&r, PACKET3(PACKET3_INDIRECT_BUFFER_CONST, 2), RIG_IB, 0,
            3 | 1 << 24);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 10);
    /* with every bit that means nothing here */
    OK_RING(&r, PACKET3(PACKET3_INDIRECT_BUFFER, 2), RIG_IB, 0,
            3 | 1 << 24 | INDIRECT_BUFFER_VALID | 3u << 28 | 1 << 21);
    rig_stop(&r);
}

static void ib_chain(void)
{
    struct rig r;

    rig_init(&r);
    /* what follows the chain in the first buffer is left out */
    RIG_STORE(&r, RIG_IB + 0x100, PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x40,
              1);
    RIG_STORE(&r, RIG_IB, IB(RIG_IB + 0x100, 3 | INDIRECT_BUFFER_CHAIN),
              MARK(5));
    rig_call_ib(&r, RIG_IB, 7, 1);
    CHECK(rig_empty(&r));
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);
    CHECK_EQ(mark(&r), 0);
    /* to an empty buffer: the end */
    RIG_STORE(&r, RIG_IB, IB(RIG_IB + 0x100, 0 | INDIRECT_BUFFER_CHAIN),
              MARK(5));
    rig_call_ib(&r, RIG_IB, 7, 1);
    CHECK(rig_empty(&r));
    CHECK_EQ(mark(&r), 0);
    /* the ring is no buffer to replace */
    BAD_RING(&r, VGPU_CP_RESERVED_BITS,
             IB(RIG_IB, 3 | INDIRECT_BUFFER_CHAIN | 1 << 24));
    rig_stop(&r);
}

/* An endless chain: busy for ever, a slice at a time, and to be reset. */
static void ib_chain_loop(void)
{
    struct vgpu_die_stats st;
    struct rig r;

    rig_init(&r);
    RIG_STORE(&r, RIG_IB, IB(RIG_IB, 4 | INDIRECT_BUFFER_CHAIN));
    /* With the stop flag up the die takes no slice; then just one. */
    vgpu_die_stop(r.m.die);
    rig_call_ib(&r, RIG_IB, 4, 1);
    vgpu_doorbells_drain(r.m.die);
    r.m.die->queue[0].run(r.m.die, &r.m.die->queue[0]);
    vgpu_die_stats(r.m.die, &st);
    CHECK(!rig_empty(&r));
    CHECK(st.pm4_packets <= 1000);
    rig_recover(&r);
    CHECK(rig_empty(&r));
    vgpu_die_start(r.m.die);
    RIG_RUN(&r, MARK(1));
    CHECK_EQ(mark(&r), 1);
    rig_stop(&r);
}

static void ib_bad(void)
{
    struct rig r;
    uint64_t va;

    rig_init(&r);
    BAD_RING(&r, VGPU_CP_RESERVED_BITS, IB(RIG_IB + 2, 3 | 1 << 24));
    /* not mapped at all */
    rig_call_ib(&r, RIG_HOLE, 4, 1);
    CHECK_EQ(rig_halted(&r), VGPU_CP_FETCH_FAULT);
    CHECK(faults(&r) > 0);
    rig_recover(&r);
    /* runs into the hole, at a packet and in the middle of one */
    RIG_STORE(&r, RIG_HOLE - 4, NOP1);
    rig_call_ib(&r, RIG_HOLE - 4, 4, 1);
    CHECK_EQ(rig_halted(&r), VGPU_CP_FETCH_FAULT);
    faults(&r);
    rig_recover(&r);
    RIG_STORE(&r, RIG_HOLE - 8, PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x40);
    rig_call_ib(&r, RIG_HOLE - 8, 4, 1);
    CHECK_EQ(rig_halted(&r), VGPU_CP_FETCH_FAULT);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_IB1_OFFSET)), 0);
    faults(&r);
    rig_recover(&r);
    /* in VMID 2, which is not set up */
    rig_call_ib(&r, RIG_IB, 4, 2);
    CHECK_EQ(rig_halted(&r), VGPU_CP_FETCH_FAULT);
    faults(&r);
    rig_recover(&r);
    /* An address has 48 bits: what is above them is not looked at. */
    va = RIG_IB | 0xffffull << 48;
    RIG_STORE(&r, RIG_IB, MARK(8));
    rig_call_ib(&r, va, 3, 1);
    CHECK_EQ(mark(&r), 8);
    rig_stop(&r);
}

/* An IB cannot pick the address space of what it calls. */
static void ib_vmid(void)
{
    struct rig r;

    rig_init(&r);
    RIG_STORE(&r, RIG_IB + 0x100, PACKET3(PACKET3_WRITE_DATA, 3), WD(REG),
              GC(CP_DEVICE_ID), 0, 4);
    /* VMID 0 in the control dword of the nested call */
    RIG_STORE(&r, RIG_IB, IB(RIG_IB + 0x100, 5), MARK(1));
    rig_call_ib(&r, RIG_IB, 7, 1);
    CHECK_HALT(&r, VGPU_CP_REG_VIOLATION, 1);
    rig_recover(&r);
    RIG_STORE(&r, RIG_IB, IB(RIG_IB + 0x100, 5 | INDIRECT_BUFFER_CHAIN));
    rig_call_ib(&r, RIG_IB, 4, 1);
    CHECK_HALT(&r, VGPU_CP_REG_VIOLATION, 1);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_DEVICE_ID)), 0);
    rig_recover(&r);
    /* VMID 0 called from the ring is the kernel's own */
    rig_call_ib(&r, rig_fb(&r) + RIG_IB + 0x100, 5, 0);
    CHECK_EQ(mock_rreg(&r.m, GC(CP_DEVICE_ID)), 4);
    rig_stop(&r);
}

static void cond_exec(void)
{
    struct rig r;
    uint64_t va;

    rig_init(&r);
    va = rig_fb(&r) + RIG_DATA;
    /* In an IB */
    *rig_vram(&r, RIG_DATA) = 0;
    OK_IB(&r, PACKET3(PACKET3_COND_EXEC, 3), RIG_DATA, 0, 0, 3,
          PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x40, 1);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 0);
    *rig_vram(&r, RIG_DATA) = 1;
    OK_IB(&r, PACKET3(PACKET3_COND_EXEC, 3), RIG_DATA, 0, 0, 3,
          PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x40, 1);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 1);
    /* up to the end of the IB, and past it */
    *rig_vram(&r, RIG_DATA) = 0;
    RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_COND_EXEC, 3), RIG_DATA, 0, 0, 2,
              0x40000000, 0x40000000);
    rig_call_ib(&r, RIG_IB, 7, 1);
    CHECK(rig_empty(&r));
    CHECK_EQ(rig_halted(&r), 0);
    RIG_STORE(&r, RIG_IB, PACKET3(PACKET3_COND_EXEC, 3), RIG_DATA, 0, 0, 3,
              0x40000000, 0x40000000);
    rig_call_ib(&r, RIG_IB, 7, 1);
    CHECK_HALT(&r, VGPU_CP_BAD_OPCODE, 1);
    rig_recover(&r);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_COND_EXEC, 3),
           RIG_DATA + 1, 0, 0, 0);
    /* memory that is not there reads as 0 */
    RIG_RUN_IB(&r, PACKET3(PACKET3_COND_EXEC, 3), RIG_HOLE, 0, 0, 3, MARK(5),
               MARK(6));
    CHECK_EQ(mark(&r), 6);
    CHECK(faults(&r) > 0);

    /* In the ring, where what is to be skipped comes bit by bit */
    RIG_RUN(&r, PACKET3(PACKET3_COND_EXEC, 3), LO(va), HI(va), 0, 6,
            0x40000000);
    CHECK_EQ(rig_halted(&r), 0);
    RIG_RUN(&r, MARK(7));
    CHECK_EQ(mark(&r), 6);
    CHECK(rig_empty(&r));
    RIG_RUN(&r, 0x40000000, 0x40000000, MARK(8));
    CHECK_EQ(mark(&r), 8);
    CHECK_EQ(rig_halted(&r), 0);
    rig_stop(&r);
}

#define PRED(op, set) \
    (PACKET3_SET_PREDICATION_OP(PACKET3_SET_PREDICATION_OP_##op) | \
     PACKET3_SET_PREDICATION_BOOL(set))

static void predication(void)
{
    struct rig r;
    unsigned val, want;
    uint64_t va;

    rig_init(&r);
    for (val = 0; val < 2; val++) {
        for (want = 0; want < 2; want++) {
            *rig_vram64(&r, RIG_DATA) = (uint64_t)val << 40;
            mock_wreg(&r.m, SCRATCH(0), 0);
            mock_wreg(&r.m, SCRATCH(1), 0);
            OK_IB(&r, PACKET3(PACKET3_SET_PREDICATION, 2), PRED(MEM, want),
                  RIG_DATA, 0,
                  PACKET3(PACKET3_SET_UCONFIG_REG, 1) | PACKET3_PREDICATE,
                  0x40, 1,
                  PACKET3(PACKET3_SET_UCONFIG_REG, 1), 0x41, 1,
                  PACKET3(PACKET3_SET_PREDICATION, 2), PRED(CLEAR, 0), 0, 0);
            CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), val == want);
            CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 1);
            /* cleared: the bit has no effect */
            OK_IB(&r, PACKET3(PACKET3_SET_UCONFIG_REG, 1) | PACKET3_PREDICATE,
                  0x40, 2);
            CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 2);
        }
    }
    /* what is skipped must still be a packet */
    *rig_vram64(&r, RIG_DATA) = 0;
    BAD_IB(&r, VGPU_CP_BAD_OPCODE, PACKET3(PACKET3_SET_PREDICATION, 2),
           PRED(MEM, 1), RIG_DATA, 0, PACKET3(0xff, 0) | PACKET3_PREDICATE,
           0);
    /* and across the end of the ring it is skipped as a whole */
    va = rig_fb(&r) + RIG_DATA;
    mock_wreg(&r.m, GC(CP_RB0_CNTL), 3);
    RIG_RUN(&r, PACKET3(PACKET3_SET_PREDICATION, 2), PRED(MEM, 1), LO(va),
            HI(va), NOP1, NOP1, NOP1, NOP1, NOP1, NOP1);
    RIG_RUN(&r, PACKET3(PACKET3_WRITE_DATA, 6) | PACKET3_PREDICATE, WD(MEM),
            LO(va), HI(va), 1, 2, 3, 4);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 0);
    CHECK_EQ(rig_rptr(&r), (10 + 8) & 15);
    rig_recover(&r);

    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_SET_PREDICATION, 2),
           PRED(ZPASS, 1), RIG_DATA, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_SET_PREDICATION, 2),
           PRED(PRIMCOUNT, 1), RIG_DATA, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_SET_PREDICATION, 2),
           PRED(MEM, 1), RIG_DATA + 4, 0);
    rig_stop(&r);
}

/* ------------------------------------------------------------- DMA_DATA */

#define DMA(src, dst) \
    (PACKET3_DMA_DATA_SRC_SEL((uint32_t)(src)) | \
     PACKET3_DMA_DATA_DST_SEL(dst))
#define SEL_ADDR    PACKET3_DMA_DATA_SEL_ADDR
#define SEL_L2      PACKET3_DMA_DATA_SEL_ADDR_L2
#define SEL_DATA    PACKET3_DMA_DATA_SRC_SEL_DATA
#define SEL_GDS     PACKET3_DMA_DATA_SEL_GDS

static void fill_pattern(struct rig *r, uint32_t off, unsigned n)
{
    uint8_t *p = mock_vram(&r->m, off, n);
    unsigned i;

    for (i = 0; i < n; i++) {
        p[i] = i * 37 + (i >> 8);
    }
}

static void dma_memory(void)
{
    static const uint32_t sel[] = { SEL_ADDR, SEL_L2 };
    static const unsigned sizes[] = { 1, 3, 4, 64, 4096, 12345, 0x18003 };
    struct rig r;
    unsigned i, s, d, off;

    rig_init(&r);
    fill_pattern(&r, 0xa0000, 0x20000);
    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (s = 0; s < 2; s++) {
            for (d = 0; d < 2; d++) {
                off = 0x40000 + (i & 3);
                memset(rig_vram(&r, 0x40000), 0, 0x20000);
                OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5),
                      DMA(sel[s], sel[d]) | PACKET3_DMA_DATA_CP_SYNC,
                      0xa0000 + i, 0, off, 0,
                      sizes[i] | PACKET3_DMA_DATA_CMD_RAW_WAIT);
                CHECK(!memcmp(mock_vram(&r.m, off, sizes[i]),
                              mock_vram(&r.m, 0xa0000 + i, sizes[i]),
                              sizes[i]));
                CHECK_EQ(*(uint8_t *)mock_vram(&r.m, off + sizes[i], 1), 0);
            }
        }
    }
    OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_ADDR, SEL_ADDR),
          0xffffffff, 0, 0xffffffff, 0, 0);     /* nothing */
    /* a prefetch writes nothing, wherever its destination is */
    memset(rig_vram(&r, 0x40000), 0, 64);
    OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5),
          DMA(SEL_L2, PACKET3_DMA_DATA_DST_SEL_NOWHERE), 0xa0000, 0, 0x40000,
          0, 64);
    CHECK_EQ(*rig_vram(&r, 0x40000), 0);
    rig_stop(&r);
}

static void dma_fill(void)
{
    static const unsigned sizes[] = { 1, 2, 4, 8, 4096, 0x10007 };
    struct rig r;
    unsigned i, j;

    rig_init(&r);
    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const uint8_t *p;

        memset(rig_vram(&r, 0x40000), 0xee, 0x20000);
        OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_DATA, SEL_L2),
              0x44332211, 0, 0x40000 + i, 0, sizes[i]);
        p = mock_vram(&r.m, 0x40000, 0x20000);
        CHECK(i == 0 || p[i - 1] == 0xee);
        for (j = 0; j < sizes[i]; j++) {
            if (p[i + j] != 0x11 * (1 + j % 4)) {
                CHECK_EQ(p[i + j], 0x11 * (1 + j % 4));
                break;
            }
        }
        CHECK_EQ(p[i + sizes[i]], 0xee);
    }
    rig_stop(&r);
}

static void dma_registers(void)
{
    struct rig r;
    unsigned i;

    rig_init(&r);
    for (i = 0; i < 4; i++) {
        *rig_vram(&r, RIG_DATA + 4 * i) = 100 + i;
    }
    /* memory to registers */
    OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_ADDR, SEL_ADDR), RIG_DATA,
          0, SCRATCH(0), 0, 16 | PACKET3_DMA_DATA_CMD_DAS);
    for (i = 0; i < 4; i++) {
        CHECK_EQ(mock_rreg(&r.m, SCRATCH(i)), 100 + i);
    }
    /* to one register: the last value stays */
    OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_ADDR, SEL_ADDR), RIG_DATA,
          0, SCRATCH(5), 0,
          16 | PACKET3_DMA_DATA_CMD_DAS | PACKET3_DMA_DATA_CMD_DAIC);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(5)), 103);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(6)), 0);
    /* registers to memory */
    OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_ADDR, SEL_ADDR),
          SCRATCH(0), 0, RIG_DATA + 64, 0, 16 | PACKET3_DMA_DATA_CMD_SAS);
    for (i = 0; i < 4; i++) {
        CHECK_EQ(*rig_vram(&r, RIG_DATA + 64 + 4 * i), 100 + i);
    }
    /* one register, many times */
    OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_ADDR, SEL_ADDR),
          SCRATCH(2), 0, RIG_DATA + 128, 0,
          8 | PACKET3_DMA_DATA_CMD_SAS | PACKET3_DMA_DATA_CMD_SAIC);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 128), 102);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 132), 102);
    /* data to registers; memory that does not advance, to memory */
    OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_DATA, SEL_ADDR), 55, 0,
          SCRATCH(0), 0, 8 | PACKET3_DMA_DATA_CMD_DAS);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(0)), 55);
    CHECK_EQ(mock_rreg(&r.m, SCRATCH(1)), 55);
    OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_L2, SEL_L2), RIG_DATA, 0,
          RIG_DATA + 256, 0, 12 | PACKET3_DMA_DATA_CMD_SAIC);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 256), 100);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 264), 100);
    OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_L2, SEL_L2), RIG_DATA, 0,
          RIG_DATA + 300, 0, 12 | PACKET3_DMA_DATA_CMD_DAIC);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 300), 102);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 304), 0);
    /* SAS and DAS are of the address selects only */
    OK_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_L2, SEL_L2), RIG_DATA, 0,
          RIG_DATA + 400, 0,
          4 | PACKET3_DMA_DATA_CMD_SAS | PACKET3_DMA_DATA_CMD_DAS);
    CHECK_EQ(*rig_vram(&r, RIG_DATA + 400), 100);
    rig_stop(&r);
}

static void dma_bad(void)
{
    struct rig r;

    rig_init(&r);
    /* GDS: this part has none */
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_DMA_DATA, 5),
           DMA(SEL_GDS, SEL_ADDR), 0, 0, RIG_DATA, 0, 4);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_DMA_DATA, 5),
           DMA(SEL_ADDR, SEL_GDS), RIG_DATA, 0, 0, 0, 4);
    /* by dwords: lengths and addresses */
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_DMA_DATA, 5),
           DMA(SEL_ADDR, SEL_ADDR), RIG_DATA, 0, SCRATCH(0), 0,
           6 | PACKET3_DMA_DATA_CMD_DAS);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_DMA_DATA, 5),
           DMA(SEL_ADDR, SEL_ADDR), RIG_DATA + 1, 0, SCRATCH(0), 0,
           4 | PACKET3_DMA_DATA_CMD_DAS);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_DMA_DATA, 5),
           DMA(SEL_ADDR, SEL_ADDR), SCRATCH(0), 0, RIG_DATA + 2, 0,
           4 | PACKET3_DMA_DATA_CMD_SAS);
    /* registers */
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_DMA_DATA, 5),
           DMA(SEL_ADDR, SEL_ADDR), RIG_DATA, 0, GC(CP_DEVICE_ID), 0,
           4 | PACKET3_DMA_DATA_CMD_DAS);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_DMA_DATA, 5),
           DMA(SEL_ADDR, SEL_ADDR), GC(CP_DEVICE_ID), 0, RIG_DATA, 0,
           4 | PACKET3_DMA_DATA_CMD_SAS);
    BAD_IB(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_DMA_DATA, 5),
           DMA(SEL_DATA, SEL_ADDR), 0, 0, PACKET3_SET_UCONFIG_REG_END - 1, 0,
           8 | PACKET3_DMA_DATA_CMD_DAS);
    BAD_RING(&r, VGPU_CP_REG_VIOLATION, PACKET3(PACKET3_DMA_DATA, 5),
             DMA(SEL_DATA, SEL_ADDR), 0, 0, ~0u, 0,
             8 | PACKET3_DMA_DATA_CMD_DAS);
    rig_stop(&r);
}

/* The part that faults is lost, what is around it is not. */
static void dma_faults(void)
{
    struct rig r;
    unsigned i;

    rig_init(&r);
    fill_pattern(&r, 0xa0000, 0x3000);
    memset(rig_vram(&r, 0x7f000), 0xee, 0x4000);
    RIG_RUN_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_ADDR, SEL_ADDR),
               0xa0000, 0, 0x7f000, 0, 0x3000, MARK(1));
    CHECK_EQ(mark(&r), 1);
    CHECK(faults(&r) > 0);
    CHECK(!memcmp(rig_vram(&r, 0x7f000), rig_vram(&r, 0xa0000), 0x1000));
    for (i = 0; i < 0x2000; i++) {      /* the hole and the read-only page */
        CHECK_EQ(*(uint8_t *)mock_vram(&r.m, RIG_HOLE + i, 1), 0xee);
    }
    /* a source that faults reads as zeroes */
    RIG_RUN_IB(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_ADDR, SEL_ADDR),
               0x7f000, 0, 0xa0000, 0, 0x3000, MARK(2));
    CHECK_EQ(mark(&r), 2);
    faults(&r);
    for (i = 0; i < 0x1000; i += 4) {
        CHECK_EQ(*rig_vram(&r, 0xa1000 + i), 0);
        CHECK_EQ(*rig_vram(&r, 0xa2000 + i), 0xeeeeeeee);
    }
    rig_stop(&r);
}

/* A copy of 4 MiB takes many slices; a register read gets in between. */
static void dma_yields(void)
{
    struct rig r;
    uint64_t fb;
    unsigned i, runs;

    rig_init(&r);
    fb = rig_fb(&r);
    fill_pattern(&r, 0x400000, 0x400000);
    vgpu_die_stop(r.m.die);
    RIG_RUN(&r, PACKET3(PACKET3_DMA_DATA, 5), DMA(SEL_ADDR, SEL_ADDR),
            LO(fb + 0x400000), HI(fb), LO(fb + 0x800000), HI(fb), 0x400000);
    CHECK_EQ(rig_rptr(&r), 0);
    vgpu_die_start(r.m.die);
    /* a waiter for the lock ends each slice after one chunk */
    mock_doorbell(&r.m, RIG_DOORBELL, r.wptr);
    atomic_fetch_add(&r.m.die->lock_waiters, 1);
    vgpu_doorbells_drain(r.m.die);
    for (runs = 0; runs < 1000; runs++) {
        if (r.m.die->queue[0].run(r.m.die, &r.m.die->queue[0]) !=
            VGPU_RUN_MORE) {
            break;
        }
    }
    atomic_fetch_sub(&r.m.die->lock_waiters, 1);
    CHECK(runs > 10);
    CHECK_EQ(rig_rptr(&r), 7);
    for (i = 0; i < 0x400000; i += 0x1000) {
        if (memcmp(rig_vram(&r, 0x400000 + i), rig_vram(&r, 0x800000 + i),
                   0x1000)) {
            CHECK(!"copied");
            break;
        }
    }
    CHECK_EQ(r.m.die->s.cp.done, 0);
    rig_stop(&r);
}

/* ----------------------------------------------------------- ATOMIC_MEM */

static void atomic_ops(void)
{
    static const struct {
        uint32_t op;
        uint64_t mem, src, want;
    } t[] = {
        { TC_OP_ATOMIC_ADD_32, 0xfffffffe, 3, 1 },
        { TC_OP_ATOMIC_SUB_32, 5, 3, 2 },
        { TC_OP_ATOMIC_SWAP_RTN_32, 5, 9, 9 },
        { TC_OP_ATOMIC_SMIN_32, 5, 0xffffffff, 0xffffffff },
        { TC_OP_ATOMIC_UMIN_32, 5, 0xffffffff, 5 },
        { TC_OP_ATOMIC_AND_RTN_32, 0xff, 0x0f, 0x0f },
        { TC_OP_ATOMIC_OR_RTN_32, 0xf0, 0x0f, 0xff },
        { TC_OP_ATOMIC_XOR_RTN_64, 0xff00000000, 0x0f00000000, 0xf000000000 },
        { TC_OP_ATOMIC_ADD_RTN_64, 0xffffffff, 1, 0x100000000 },
        { TC_OP_ATOMIC_INC_RTN_32, 5, 5, 0 },
        { TC_OP_ATOMIC_DEC_RTN_32, 0, 7, 7 },
    };
    struct rig r;
    unsigned i;

    rig_init(&r);
    for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        *rig_vram64(&r, RIG_DATA) = t[i].mem;
        OK_IB(&r, PACKET3(PACKET3_ATOMIC_MEM, 7), t[i].op, RIG_DATA, 0,
              LO(t[i].src), HI(t[i].src), 0, 0, 0);
        CHECK_EQ(*rig_vram64(&r, RIG_DATA), t[i].want);
        CHECK_EQ(mock_rreg(&r.m, GC(CP_ATOMIC_PREOP_LO)), LO(t[i].mem));
        CHECK_EQ(mock_rreg(&r.m, GC(CP_ATOMIC_PREOP_HI)),
                 t[i].op & 0x20 ? HI(t[i].mem) : 0);
    }
    /* compare and swap, once */
    *rig_vram64(&r, RIG_DATA) = 7;
    OK_IB(&r, PACKET3(PACKET3_ATOMIC_MEM, 7), TC_OP_ATOMIC_CMPSWAP_RTN_64,
          RIG_DATA, 0, 1, 2, 8, 0, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 7);
    OK_IB(&r, PACKET3(PACKET3_ATOMIC_MEM, 7), TC_OP_ATOMIC_CMPSWAP_RTN_64,
          RIG_DATA, 0, 1, 2, 7, 0, 0);
    CHECK_EQ(*rig_vram64(&r, RIG_DATA), 0x200000001ull);
    rig_stop(&r);
}

/* The loop form is a lock: it waits until it can be taken. */
static void atomic_loop(void)
{
    struct rig r;
    uint64_t written;

    rig_init(&r);
    *rig_vram(&r, RIG_DATA) = 1;
    RIG_RUN_IB(&r, PACKET3(PACKET3_ATOMIC_MEM, 7),
               TC_OP_ATOMIC_CMPSWAP_RTN_32 |
               PACKET3_ATOMIC_MEM_COMMAND(PACKET3_ATOMIC_MEM_COMMAND_LOOP),
               RIG_DATA, 0, 5, 0, 0, 0, 100, MARK(1));
    CHECK_EQ(mark(&r), 0);
    CHECK(!rig_empty(&r));
    written = atomic_load(&r.m.written_calls);
    CHECK(!mock_settle(&r.m, 100000000));
    CHECK_EQ(atomic_load(&r.m.written_calls), written);
    *rig_vram(&r, RIG_DATA) = 0;
    mock_advance(&r.m, VGPU_POLL_MAX_NS);
    CHECK_EQ(mark(&r), 1);
    CHECK_EQ(*rig_vram(&r, RIG_DATA), 5);
    rig_stop(&r);
}

static void atomic_bad(void)
{
    struct rig r;

    rig_init(&r);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_ATOMIC_MEM, 7),
           TC_OP_ATOMIC_ADD_32 | PACKET3_ATOMIC_MEM_COMMAND(2), RIG_DATA, 0,
           1, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_ATOMIC_MEM, 7),
           TC_OP_ATOMIC_ADD_32 | PACKET3_ATOMIC_MEM_COMMAND(1), RIG_DATA, 0,
           1, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_ATOMIC_MEM, 7),
           TC_OP_ATOMIC_ADD_32, RIG_DATA + 2, 0, 1, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_ATOMIC_MEM, 7),
           TC_OP_ATOMIC_ADD_64, RIG_DATA + 4, 0, 1, 0, 0, 0, 0);
    /* codes of the cache that are no atomics */
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_ATOMIC_MEM, 7), 0x00,
           RIG_DATA, 0, 1, 0, 0, 0, 0);
    BAD_IB(&r, VGPU_CP_RESERVED_BITS, PACKET3(PACKET3_ATOMIC_MEM, 7), 0x7f,
           RIG_DATA, 0, 1, 0, 0, 0, 0);
    /* a fault: the stream goes on */
    RIG_RUN_IB(&r, PACKET3(PACKET3_ATOMIC_MEM, 7), TC_OP_ATOMIC_ADD_32,
               RIG_RO, 0, 1, 0, 0, 0, 0, MARK(1));
    CHECK_EQ(mark(&r), 1);
    CHECK_EQ(*rig_vram(&r, RIG_RO), 0);
    CHECK(faults(&r) > 0);
    rig_stop(&r);
}

static const struct test tests[] = {
    TEST(nops), TEST(bad_headers), TEST(not_yet), TEST(lengths),
    TEST(longer_than_ib), TEST(type0), TEST(type0_stream),
    TEST(type0_stream_long), TEST(set_reg_windows),
    TEST(set_reg_all_or_nothing), TEST(clear_state), TEST(small_state),
    TEST(reg_rmw), TEST(write_data_memory), TEST(write_data_selects),
    TEST(write_data_register), TEST(write_data_faults),
    TEST(write_data_largest), TEST(copy_data), TEST(copy_data_bad),
    TEST(wait_functions), TEST(wait_bad), TEST(wait_wakes_by_register),
    TEST(wait_wakes_by_poll), TEST(wait_is_quiet), TEST(wait_wr_wait_wr_reg),
    TEST(wait_vm_flush), TEST(flush_within_a_stream), TEST(cond_write),
    TEST(release_mem_data), TEST(release_mem_interrupts),
    TEST(release_mem_events), TEST(release_mem_bad), TEST(event_write),
    TEST(ib_levels), TEST(ib_chain), TEST(ib_chain_loop), TEST(ib_bad),
    TEST(ib_vmid), TEST(cond_exec), TEST(predication), TEST(dma_memory),
    TEST(dma_fill), TEST(dma_registers), TEST(dma_bad), TEST(dma_faults),
    TEST(dma_yields), TEST(atomic_ops), TEST(atomic_loop), TEST(atomic_bad),
};

TEST_MAIN(tests)
