/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What unit tests and fuzzers of core/ stand on: a mock machine around a die,
 * with guest RAM, a clock that the test sets, and counters; and TAP output.
 *
 * `make check-host` builds each test-*.c with this and all of core/. By hand,
 * from the top of the tree:
 *   gcc -std=gnu11 -g -O1 -Wall -Wextra -fsanitize=address,undefined \
 *       -Iuapi -Iqemu-device/core -Iqemu-device/tests -o /tmp/test-die \
 *       qemu-device/tests/test-die.c qemu-device/tests/harness.c \
 *       qemu-device/core/[a-z]*.c -lpthread && /tmp/test-die
 */
#ifndef VGPU_TEST_HARNESS_H
#define VGPU_TEST_HARNESS_H

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "die.h"
#include "fabric.h"

/* ------------------------------------------------------------- TAP output */

typedef void test_fn(void);
struct test {
    const char *name;
    test_fn *fn;
};
#define TEST(fn) { #fn, fn }

/** Run all, print TAP, return the exit code of main(). */
int test_main(const struct test *tests, size_t n);
#define TEST_MAIN(tests) \
    int main(void) \
    { \
        return test_main(tests, sizeof(tests) / sizeof((tests)[0])); \
    }

/** Note a failure of the running test; it goes on. */
void test_fail(const char *file, int line, const char *what);
void test_fail_eq(const char *file, int line, const char *what, uint64_t got,
                  uint64_t want);

#define CHECK(cond) do { \
    if (!(cond)) { \
        test_fail(__FILE__, __LINE__, #cond); \
    } \
} while (0)

#define CHECK_EQ(got, want) do { \
    uint64_t got_ = (uint64_t)(got), want_ = (uint64_t)(want); \
    if (got_ != want_) { \
        test_fail_eq(__FILE__, __LINE__, #got, got_, want_); \
    } \
} while (0)

/* ----------------------------------------------------------- mock machine */

#define MOCK_RAM_BASE   0x100000000ull
#define MOCK_RAM_SIZE   (8ull << 20)
#define MOCK_VRAM_SIZE  (16ull << 20)
#define MOCK_SEGMENT    (64ull << 20)

/**
 * struct mock - one die and the machine around it
 *
 * Change cfg and the RAM fields between mock_init() and mock_start() if the
 * defaults do not fit: 8 MiB of RAM at 4 GiB, 16 MiB of VRAM, one die without
 * a hive, 5 SDMA engines, 110 CUs.
 */
struct mock {
    struct vgpu_die_config cfg;
    struct vgpu_die *die;

    uint8_t *ram;           /* guest RAM at bus address ram_base */
    uint64_t ram_base;
    uint64_t ram_size;
    uint64_t ram_readonly;  /* bytes at its start that cannot be written */
    uint8_t *vram;

    struct vgpu_peer peer[VGPU_MAX_NODES];  /* what topology() tells */
    bool untrained;                     /* topology() fails */
    struct mock *node[VGPU_MAX_NODES];  /* the hive, itself included */
    struct vgpu_fabric_config links;    /* of it: links, latency, bandwidth */
    bool left;                          /* it, by mock_leave() */

    _Atomic uint64_t now;   /* host clock, ns */

    atomic_uint msix[VGPU_MSIX_VECTORS];
    atomic_uint kicks;
    atomic_uint maps;       /* calls of map() */
    atomic_uint written_calls;
    _Atomic uint64_t written_bytes;
    atomic_uint logs[3];    /* by level */
    char last_log[256];
};

extern const struct vgpu_host_ops mock_ops;

void mock_init(struct mock *m);
/** Allocate memory, build the die; a failure ends the program. */
void mock_start(struct mock *m);
/**
 * Dies of one hive, each initialised by mock_init() before. The first one's
 * @links say how they are connected; its fabric ends with the last mock_stop().
 */
void mock_start_nodes(struct mock *const *m, unsigned n, uint64_t hive_id);
/** Likewise, of an array. */
void mock_start_hive(struct mock *m, unsigned n, uint64_t hive_id);
void mock_stop(struct mock *m);
/** The die leaves its hive; its memory is gone. mock_stop() does it too. */
void mock_leave(struct mock *m);
/** mock_init() and mock_start(). */
void mock_default(struct mock *m);

/** Run until nothing is runnable; returns what vgpu_die_run() does. */
uint64_t mock_run(struct mock *m);
/** Move the clock on and run. */
uint64_t mock_advance(struct mock *m, uint64_t ns);
/**
 * Run, moving the clock to each deadline in turn, until no deadline is left
 * or @limit_ns have passed; false when the limit was reached.
 */
bool mock_settle(struct mock *m, uint64_t limit_ns);

/** Registers by absolute dword offset, through BAR5. */
uint32_t mock_rreg(struct mock *m, uint32_t reg);
void mock_wreg(struct mock *m, uint32_t reg, uint32_t val);
/** 64-bit doorbell at dword index @index (even). */
void mock_doorbell(struct mock *m, uint32_t index, uint64_t val);
void mock_doorbell32(struct mock *m, uint32_t index, uint32_t val);

/** Pointer into RAM by bus address, or into VRAM by offset; checked. */
void *mock_ram(struct mock *m, uint64_t gpa, uint64_t len);
void *mock_vram(struct mock *m, uint64_t off, uint64_t len);

static inline uint32_t mock_ram32(struct mock *m, uint64_t gpa)
{
    uint32_t v;

    memcpy(&v, mock_ram(m, gpa, 4), 4);
    return v;
}

static inline uint64_t mock_ram64(struct mock *m, uint64_t gpa)
{
    uint64_t v;

    memcpy(&v, mock_ram(m, gpa, 8), 8);
    return v;
}

static inline void mock_set_ram32(struct mock *m, uint64_t gpa, uint32_t v)
{
    memcpy(mock_ram(m, gpa, 4), &v, 4);
}

static inline void mock_set_ram64(struct mock *m, uint64_t gpa, uint64_t v)
{
    memcpy(mock_ram(m, gpa, 8), &v, 8);
}

static inline uint32_t mock_vram32(struct mock *m, uint64_t off)
{
    uint32_t v;

    memcpy(&v, mock_vram(m, off, 4), 4);
    return v;
}

static inline uint64_t mock_vram64(struct mock *m, uint64_t off)
{
    uint64_t v;

    memcpy(&v, mock_vram(m, off, 8), 8);
    return v;
}

static inline void mock_set_vram32(struct mock *m, uint64_t off, uint32_t v)
{
    memcpy(mock_vram(m, off, 4), &v, 4);
}

static inline void mock_set_vram64(struct mock *m, uint64_t off, uint64_t v)
{
    memcpy(mock_vram(m, off, 8), &v, 8);
}

#endif
