/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mock machine and the TAP runner; see harness.h.
 */
#include <stdlib.h>

#include "harness.h"

/* ------------------------------------------------------------- TAP output */

static unsigned failures;   /* of the running test */

void test_fail(const char *file, int line, const char *what)
{
    failures++;
    printf("# %s:%d: %s\n", file, line, what);
}

void test_fail_eq(const char *file, int line, const char *what, uint64_t got,
                  uint64_t want)
{
    failures++;
    printf("# %s:%d: %s is 0x%" PRIx64 ", not 0x%" PRIx64 "\n", file, line,
           what, got, want);
}

int test_main(const struct test *tests, size_t n)
{
    unsigned failed = 0;
    size_t i;

    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("TAP version 13\n1..%zu\n", n);
    for (i = 0; i < n; i++) {
        failures = 0;
        tests[i].fn();
        printf("%s %zu - %s\n", failures ? "not ok" : "ok", i + 1,
               tests[i].name);
        failed += failures != 0;
    }
    return failed ? 1 : 0;
}

/* ----------------------------------------------------------- mock machine */

static void die_of(const char *why)
{
    printf("Bail out! %s\n", why);
    exit(2);
}

static void *mock_map(void *opaque, uint64_t gpa, uint64_t *len, bool write)
{
    struct mock *m = opaque;

    atomic_fetch_add(&m->maps, 1);
    if (!*len) {
        die_of("map() of no bytes");
    }
    if (gpa < m->ram_base || gpa - m->ram_base >= m->ram_size) {
        return NULL;
    }
    if (write && gpa - m->ram_base < m->ram_readonly) {
        return NULL;
    }
    if (*len > m->ram_size - (gpa - m->ram_base)) {
        *len = m->ram_size - (gpa - m->ram_base);
    }
    return m->ram + (gpa - m->ram_base);
}

static bool mock_topology(void *opaque, struct vgpu_peer peer[VGPU_MAX_NODES])
{
    struct mock *m = opaque;

    memcpy(peer, m->peer, sizeof(m->peer));
    return !m->untrained;
}

static bool within(const uint8_t *base, uint64_t size, const void *ptr,
                   uint64_t len)
{
    const uint8_t *p = ptr;

    return base && p >= base && len <= size &&
           (uint64_t)(p - base) <= size - len;
}

static void mock_written(void *opaque, void *ptr, uint64_t len)
{
    struct mock *m = opaque;
    bool ok = within(m->ram, m->ram_size, ptr, len) ||
              within(m->vram, m->cfg.vram_size, ptr, len);
    unsigned i;

    for (i = 0; i < VGPU_MAX_NODES; i++) {
        struct mock *n = m->node[i];

        ok = ok || (n && !n->left &&
                    within(n->vram, n->cfg.vram_size, ptr, len));
    }
    if (!ok) {
        die_of("written() outside of all memory");
    }
    atomic_fetch_add(&m->written_calls, 1);
    atomic_fetch_add(&m->written_bytes, len);
}

static void mock_kick(void *opaque)
{
    struct mock *m = opaque;

    atomic_fetch_add(&m->kicks, 1);
}

static void mock_msix(void *opaque, unsigned vector)
{
    struct mock *m = opaque;

    if (vector >= VGPU_MSIX_VECTORS) {
        die_of("no such MSI-X vector");
    }
    atomic_fetch_add(&m->msix[vector], 1);
}

static uint64_t mock_clock(void *opaque)
{
    struct mock *m = opaque;

    return atomic_load(&m->now);
}

static void mock_log(void *opaque, enum vgpu_log_level level, const char *line)
{
    struct mock *m = opaque;

    atomic_fetch_add(&m->logs[level], 1);
    snprintf(m->last_log, sizeof(m->last_log), "%s", line);
    if (getenv("VGPU_TEST_LOG")) {
        printf("# %s\n", line);
    }
}

const struct vgpu_host_ops mock_ops = {
    .map = mock_map,
    .topology = mock_topology,
    .written = mock_written,
    .kick = mock_kick,
    .msix = mock_msix,
    .clock_ns = mock_clock,
    .log = mock_log,
};

void mock_init(struct mock *m)
{
    memset(m, 0, sizeof(*m));
    m->cfg.ops = &mock_ops;
    m->cfg.opaque = m;
    m->cfg.vram_size = MOCK_VRAM_SIZE;
    m->cfg.num_nodes = 1;
    m->cfg.num_sdma = VGPU_MAX_SDMA;
    m->cfg.num_cu = 110;
    m->ram_base = MOCK_RAM_BASE;
    m->ram_size = MOCK_RAM_SIZE;
    atomic_store(&m->now, 1000000000ull);
}

void mock_start(struct mock *m)
{
    const char *err = NULL;

    m->ram = calloc(1, m->ram_size);
    m->vram = calloc(1, m->cfg.vram_size);
    if (!m->ram || !m->vram) {
        die_of("no memory");
    }
    m->cfg.vram = m->vram;
    m->die = vgpu_die_new(&m->cfg, &err);
    if (!m->die) {
        printf("# %s\n", m->last_log);
        die_of(err ? err : "vgpu_die_new() failed and does not say why");
    }
}

void mock_start_nodes(struct mock *const *m, unsigned n, uint64_t hive_id)
{
    struct vgpu_fabric_config cfg = m[0]->links;
    struct vgpu_fabric *fabric;
    char err[128];
    unsigned i, j;

    cfg.nodes = n;
    cfg.segment = MOCK_SEGMENT;
    fabric = vgpu_fabric_new(&cfg, err, sizeof(err));
    if (!fabric) {
        die_of(err);
    }
    for (i = 0; i < n; i++) {
        m[i]->cfg.hive_id = hive_id;
        m[i]->cfg.segment_size = MOCK_SEGMENT;
        m[i]->cfg.num_nodes = n;
        m[i]->cfg.node_id = i;
        m[i]->cfg.fabric = fabric;
        mock_start(m[i]);
        for (j = 0; j < n; j++) {
            m[i]->node[j] = m[j];
        }
    }
    for (i = 0; i < n; i++) {
        vgpu_fabric_join(fabric, i, m[i]->die, m[i]->vram,
                         m[i]->cfg.vram_size);
    }
    for (i = 0; i < n; i++) {
        vgpu_fabric_topology(fabric, i, m[i]->peer);
    }
}

void mock_start_hive(struct mock *m, unsigned n, uint64_t hive_id)
{
    struct mock *node[VGPU_MAX_NODES];
    unsigned i;

    for (i = 0; i < n; i++) {
        node[i] = &m[i];
    }
    mock_start_nodes(node, n, hive_id);
}

void mock_leave(struct mock *m)
{
    if (m->cfg.fabric && !m->left) {
        m->left = true;
        vgpu_fabric_leave(m->cfg.fabric, m->cfg.node_id);
    }
}

void mock_default(struct mock *m)
{
    mock_init(m);
    mock_start(m);
}

/* The one that is stopped last ends the fabric. */
static void forget_hive(struct mock *m)
{
    bool last = true;
    unsigned i;

    for (i = 0; i < m->cfg.num_nodes; i++) {
        if (i != m->cfg.node_id && m->node[i]) {
            m->node[i]->node[m->cfg.node_id] = NULL;
            last = false;
        }
    }
    if (last) {
        vgpu_fabric_free(m->cfg.fabric);
    }
}

void mock_stop(struct mock *m)
{
    mock_leave(m);
    vgpu_die_free(m->die);
    if (m->cfg.fabric) {
        forget_hive(m);
    }
    m->die = NULL;
    free(m->ram);
    free(m->vram);
    m->ram = m->vram = NULL;
}

uint64_t mock_run(struct mock *m)
{
    return vgpu_die_run(m->die);
}

uint64_t mock_advance(struct mock *m, uint64_t ns)
{
    atomic_fetch_add(&m->now, ns);
    return vgpu_die_run(m->die);
}

bool mock_settle(struct mock *m, uint64_t limit_ns)
{
    uint64_t end = atomic_load(&m->now) + limit_ns;
    uint64_t next;

    while ((next = vgpu_die_run(m->die)) != VGPU_NO_DEADLINE) {
        if (next > end) {
            return false;
        }
        if (next > atomic_load(&m->now)) {
            atomic_store(&m->now, next);
        }
    }
    return true;
}

uint32_t mock_rreg(struct mock *m, uint32_t reg)
{
    return vgpu_mmio_read(m->die, (uint64_t)reg * 4, 4);
}

void mock_wreg(struct mock *m, uint32_t reg, uint32_t val)
{
    vgpu_mmio_write(m->die, (uint64_t)reg * 4, val, 4);
}

void mock_doorbell(struct mock *m, uint32_t index, uint64_t val)
{
    vgpu_doorbell_write(m->die, (uint64_t)index * 4, val, 8);
}

void mock_doorbell32(struct mock *m, uint32_t index, uint32_t val)
{
    vgpu_doorbell_write(m->die, (uint64_t)index * 4, val, 4);
}

void *mock_ram(struct mock *m, uint64_t gpa, uint64_t len)
{
    if (gpa < m->ram_base || len > m->ram_size ||
        gpa - m->ram_base > m->ram_size - len) {
        die_of("the test itself looks outside of RAM");
    }
    return m->ram + (gpa - m->ram_base);
}

void *mock_vram(struct mock *m, uint64_t off, uint64_t len)
{
    if (len > m->cfg.vram_size || off > m->cfg.vram_size - len) {
        die_of("the test itself looks outside of VRAM");
    }
    return m->vram + off;
}
