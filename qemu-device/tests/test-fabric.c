/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fabric of a hive: its configuration, routes over links of every shape,
 * links that break, what an access counts and costs.
 * Documentation/hive.rst, "The fabric".
 */
#include <stdlib.h>

#include "harness.h"

#define SEGMENT     (64ull << 20)
#define VRAM        (16ull << 20)

static char err[128];

static struct vgpu_fabric_config config(unsigned nodes, const char *links)
{
    return (struct vgpu_fabric_config) {
        .nodes = nodes, .segment = SEGMENT, .links = links,
    };
}

/* ------------------------------------------------------- configuration */

static void check_refused(const struct vgpu_fabric_config *cfg,
                          const char *want)
{
    struct vgpu_fabric *f = vgpu_fabric_new(cfg, err, sizeof(err));

    if (f || !strstr(err, want)) {
        printf("# '%s': '%s' does not say '%s'\n",
               cfg->links ? cfg->links : "", f ? "accepted" : err, want);
        test_fail(__FILE__, __LINE__, "not refused as it should be");
    }
    vgpu_fabric_free(f);
}

static void refused_links(void)
{
    static const struct {
        const char *links;
        const char *why;
    } bad[] = {
        { "0-4", "link 0-4: node 4 does not exist, the hive has nodes 0 to 3" },
        { "9-0", "node 9 does not exist" },
        { "0-1,1-0", "link 0-1 is there twice" },
        { "0-1:2,2-3,0-1", "link 0-1 is there twice" },
        { "2-2", "link 2-2 connects a node with itself" },
        { "0-1:0", "link 0-1: its width must be 1 to 16, not 0" },
        { "0-1:17", "its width must be 1 to 16, not 17" },
        { "0", "'0' is not a list of links" },
        { "0-", "is not a list of links" },
        { "-1", "is not a list of links" },
        { "0-1:", "is not a list of links" },
        { "0-1,", "is not a list of links" },
        { ",0-1", "is not a list of links" },
        { "0-1 1-2", "is not a list of links" },
        { "0-99999", "is not a list of links" },
        { "0--1", "is not a list of links" },
        { "0-1;1-2", "'0-1;1-2' is not a list of links such as '0-1:4,1-2'" },
    };
    struct vgpu_fabric_config cfg = config(4, NULL);
    size_t i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        cfg.links = bad[i].links;
        check_refused(&cfg, bad[i].why);
    }
}

static void refused_limits(void)
{
    struct vgpu_fabric_config cfg = config(0, NULL);
    struct vgpu_fabric *f;

    check_refused(&cfg, "nodes must be 1 to 16");
    cfg.nodes = 17;
    check_refused(&cfg, "nodes must be 1 to 16");
    cfg = config(2, NULL);
    cfg.segment = 0;
    check_refused(&cfg, "segment must be a multiple of 16 MiB");
    cfg.segment = SEGMENT + 4096;
    check_refused(&cfg, "segment must be a multiple of 16 MiB");
    cfg.segment = 2ull << 40;
    check_refused(&cfg, "segment must be below 2 TiB");
    cfg.nodes = 16;
    cfg.segment = (1ull << 40) + (16 << 20);
    check_refused(&cfg, "16 segments of that size exceed 44 address bits");
    cfg.segment = 1ull << 40;
    f = vgpu_fabric_new(&cfg, err, sizeof(err));
    CHECK(f != NULL);
    vgpu_fabric_free(f);
    cfg.latency = 1000000001;
    check_refused(&cfg, "latency must be at most");
    cfg.latency = 0;
    cfg.bandwidth = 1000001;
    check_refused(&cfg, "bandwidth must be at most");
}

/* ----------------------------------------------------------------- rig */

/* Dies and the fabric that joins them. */
struct hive {
    struct mock m[VGPU_MAX_NODES];
    struct vgpu_fabric *f;
    unsigned n;
};

static struct hive h;

static void start(unsigned n, const struct vgpu_fabric_config *links)
{
    unsigned i;

    h.n = n;
    for (i = 0; i < n; i++) {
        mock_init(&h.m[i]);
    }
    h.m[0].links = *links;
    mock_start_hive(h.m, n, 1);
    h.f = h.m[0].cfg.fabric;
}

static void start_links(unsigned n, const char *links)
{
    struct vgpu_fabric_config cfg = { .links = links };

    start(n, &cfg);
}

static void stop(void)
{
    unsigned i;

    for (i = 0; i < h.n; i++) {
        mock_stop(&h.m[i]);
    }
}

/* A die of another size than the segment allows, or where none can be. */
static void refused_members(void)
{
    start_links(2, "");
    CHECK(!vgpu_fabric_check(h.f, 2, VRAM, err, sizeof(err)));
    CHECK(!strcmp(err, "node 2 does not exist: the hive has nodes 0 to 1"));
    CHECK(!vgpu_fabric_check(h.f, 1, VRAM, err, sizeof(err)));
    CHECK(!strcmp(err, "node 1 of the hive is taken by another die"));
    mock_leave(&h.m[1]);
    CHECK(vgpu_fabric_check(h.f, 1, MOCK_SEGMENT, err, sizeof(err)));
    CHECK(!vgpu_fabric_check(h.f, 1, MOCK_SEGMENT + (1 << 20), err,
                             sizeof(err)));
    CHECK(!strcmp(err, "65 MiB of VRAM do not fit the hive's segment of "
                       "64 MiB"));
    stop();
}

/* ---------------------------------------------------------------- routes */

/* What the test knows of the links: its own copy. */
static bool adjacent[VGPU_MAX_NODES][VGPU_MAX_NODES];

static void note_links(void)
{
    struct vgpu_fabric_link l;
    unsigned i;

    memset(adjacent, 0, sizeof(adjacent));
    for (i = 0; i < vgpu_fabric_num_links(h.f); i++) {
        vgpu_fabric_get_link(h.f, i, &l);
        adjacent[l.node[0]][l.node[1]] = l.up;
        adjacent[l.node[1]][l.node[0]] = l.up;
    }
}

/* Plain breadth-first search: rounds of whoever is next to what was reached. */
static int search(unsigned from, unsigned to)
{
    bool reached[VGPU_MAX_NODES] = { false }, next[VGPU_MAX_NODES];
    unsigned round, a, b;

    reached[from] = true;
    for (round = 0; round <= h.n; round++) {
        if (reached[to]) {
            return round;
        }
        memcpy(next, reached, sizeof(next));
        for (a = 0; a < h.n; a++) {
            for (b = 0; b < h.n; b++) {
                next[b] = next[b] || (reached[a] && adjacent[a][b]);
            }
        }
        memcpy(reached, next, sizeof(reached));
    }
    return -1;
}

static void check_routes(void)
{
    struct vgpu_peer peer[VGPU_MAX_NODES];
    unsigned from, to;

    for (from = 0; from < h.n; from++) {
        CHECK(vgpu_fabric_topology(h.f, from, peer));
        for (to = 0; to < h.n; to++) {
            int hops = search(from, to);
            uint64_t len = 4096;
            uint8_t *p = vgpu_fabric_map(h.f, from, to * MOCK_SEGMENT, &len);

            CHECK_EQ(vgpu_fabric_hops(h.f, from, to), hops);
            CHECK(p == (hops < 0 ? NULL : h.m[to].vram));
            CHECK_EQ(peer[to].present, hops >= 0);
            CHECK_EQ(peer[to].hops, hops < 0 ? 0 : hops);
            CHECK_EQ(peer[to].links != 0, hops == 1);
        }
        for (to = h.n; to < VGPU_MAX_NODES; to++) {
            CHECK(!peer[to].present);
        }
    }
}

static const struct {
    const char *name;
    unsigned nodes;
    const char *links;
    int far;        /* hops from node 0 to the last */
} shapes[] = {
    { "alone", 1, "", 0 },
    { "pair", 2, "", 1 },
    { "mesh", 4, "", 1 },
    { "full", 16, "", 1 },
    { "chain", 8, "0-1,1-2,2-3,3-4,4-5,5-6,6-7", 7 },
    { "ring", 8, "0-1,1-2,2-3,3-4,4-5,5-6,6-7,7-0", 1 },
    { "star", 5, "2-0,2-1,2-3,2-4", 2 },
    { "packages", 8, "0-1:4,2-3:4,4-5:4,6-7:4,0-2,2-4,4-6,6-0,1-3,3-5,5-7,7-1",
      2 },
    { "islands", 5, "0-1,2-3,3-4", -1 },
};

static void routes_of_every_shape(void)
{
    size_t i;

    for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        start_links(shapes[i].nodes, shapes[i].links);
        note_links();
        CHECK_EQ(vgpu_fabric_hops(h.f, 0, h.n - 1), shapes[i].far);
        check_routes();
        stop();
    }
}

/* Each link broken by itself, then mended. */
static void routes_around_broken_links(void)
{
    struct vgpu_fabric_link l;
    char down[16];
    size_t i;
    unsigned k;

    for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        start_links(shapes[i].nodes, shapes[i].links);
        for (k = 0; k < vgpu_fabric_num_links(h.f); k++) {
            vgpu_fabric_get_link(h.f, k, &l);
            snprintf(down, sizeof(down), "%u-%u", l.node[1], l.node[0]);
            CHECK(vgpu_fabric_set_down(h.f, down, err, sizeof(err)));
            vgpu_fabric_get_link(h.f, k, &l);
            CHECK(!l.up);
            note_links();
            check_routes();
        }
        CHECK(vgpu_fabric_set_down(h.f, "", err, sizeof(err)));
        note_links();
        CHECK_EQ(vgpu_fabric_hops(h.f, 0, h.n - 1), shapes[i].far);
        check_routes();
        stop();
    }
}

static void down_refused(void)
{
    start_links(4, "0-1:2,1-2,2-3");
    CHECK(vgpu_fabric_set_down(h.f, "1-2,2-3", err, sizeof(err)));
    CHECK(!vgpu_fabric_set_down(h.f, "0-1,0-3", err, sizeof(err)));
    CHECK(!strcmp(err, "there is no link 0-3"));
    CHECK(!vgpu_fabric_set_down(h.f, "0-1:2", err, sizeof(err)));
    CHECK(strstr(err, "is not a list of links") != NULL);
    CHECK(!vgpu_fabric_set_down(h.f, "0-7", err, sizeof(err)));
    CHECK(strstr(err, "node 7 does not exist") != NULL);
    /* What was refused has changed nothing. */
    CHECK_EQ(vgpu_fabric_hops(h.f, 0, 1), 1);
    CHECK_EQ(vgpu_fabric_hops(h.f, 1, 2), -1);
    CHECK_EQ(vgpu_fabric_hops(h.f, 2, 3), -1);
    stop();
}

/* A node without a die carries nothing from one neighbour to the other. */
static void no_way_through_a_gap(void)
{
    struct vgpu_peer peer[VGPU_MAX_NODES];

    start_links(3, "0-1,1-2");
    CHECK_EQ(vgpu_fabric_hops(h.f, 0, 2), 2);
    mock_leave(&h.m[1]);
    CHECK_EQ(vgpu_fabric_hops(h.f, 0, 1), -1);
    CHECK_EQ(vgpu_fabric_hops(h.f, 0, 2), -1);
    CHECK_EQ(vgpu_fabric_hops(h.f, 2, 2), 0);
    CHECK(vgpu_fabric_topology(h.f, 0, peer));
    CHECK(peer[0].present && !peer[1].present && !peer[2].present);
    /* Who is not there, is in no hive. */
    CHECK(!vgpu_fabric_topology(h.f, 1, peer));
    stop();
}

static void widths_are_links(void)
{
    struct vgpu_peer peer[VGPU_MAX_NODES];

    start_links(4, "0-1:4,3-0:2,1-2,2-3:16");
    CHECK(vgpu_fabric_topology(h.f, 0, peer));
    CHECK_EQ(peer[1].links, 4);
    CHECK_EQ(peer[2].links, 0);
    CHECK_EQ(peer[2].hops, 2);
    CHECK_EQ(peer[3].links, 2);
    CHECK(vgpu_fabric_topology(h.f, 2, peer));
    CHECK_EQ(peer[3].links, 16);
    stop();
}

/* -------------------------------------------------------------- counters */

/* Bytes from @a to @b, over the link between them. */
static void check_count(unsigned a, unsigned b, uint64_t bytes,
                        uint64_t requests)
{
    struct vgpu_fabric_link l;
    unsigned i;

    for (i = 0; i < vgpu_fabric_num_links(h.f); i++) {
        vgpu_fabric_get_link(h.f, i, &l);
        if (l.node[0] == a && l.node[1] == b) {
            CHECK_EQ(l.bytes[0], bytes);
            CHECK_EQ(l.requests[0], requests);
            return;
        }
        if (l.node[0] == b && l.node[1] == a) {
            CHECK_EQ(l.bytes[1], bytes);
            CHECK_EQ(l.requests[1], requests);
            return;
        }
    }
    test_fail(__FILE__, __LINE__, "no such link");
}

/* Of two ways of the same length it is the one through the lower number. */
static void counters_follow_the_way(void)
{
    start_links(4, "0-1,1-2,2-3,3-0");
    CHECK_EQ(vgpu_fabric_access(h.f, 0, 2, true, 100, 77), 77);
    check_count(0, 1, 100, 1);
    check_count(1, 2, 100, 1);
    check_count(0, 3, 0, 0);
    check_count(3, 2, 0, 0);
    /* What is read comes the other way. */
    vgpu_fabric_access(h.f, 0, 2, false, 7, 0);
    check_count(1, 0, 7, 1);
    check_count(2, 1, 7, 1);
    check_count(0, 1, 100, 1);
    vgpu_fabric_access(h.f, 2, 0, true, 1000, 0);
    check_count(2, 1, 1007, 2);
    check_count(1, 0, 1007, 2);
    /* The die itself is on no link. */
    vgpu_fabric_access(h.f, 1, 1, true, 5, 0);
    check_count(1, 0, 1007, 2);
    check_count(1, 2, 100, 1);
    stop();
}

/* ------------------------------------------------------------------ cost */

static void cost_is_latency_and_narrowest(void)
{
    struct vgpu_fabric_config cfg = {
        .links = "0-1:4,1-2,2-3:2", .latency = 500, .bandwidth = 2,
    };

    start(4, &cfg);
    CHECK(vgpu_fabric_has_cost(h.f));
    /* 8 GB/s: 8 bytes a nanosecond. */
    CHECK_EQ(vgpu_fabric_access(h.f, 0, 1, true, 8000, 10000),
             10000 + 1000 + 500);
    /* 2 GB/s is the narrowest of three links. */
    CHECK_EQ(vgpu_fabric_access(h.f, 0, 3, false, 8000, 20000),
             20000 + 4000 + 3 * 500);
    /* A part of a nanosecond is one. */
    CHECK_EQ(vgpu_fabric_access(h.f, 0, 1, true, 1, 50000), 50000 + 1 + 500);
    stop();

    cfg.bandwidth = 0;
    start(4, &cfg);
    CHECK(vgpu_fabric_has_cost(h.f));
    CHECK_EQ(vgpu_fabric_access(h.f, 0, 3, true, 1 << 30, 5), 5 + 1500);
    stop();

    start_links(2, "");
    CHECK(!vgpu_fabric_has_cost(h.f));
    stop();
}

static void cost_of_a_busy_link(void)
{
    struct vgpu_fabric_config cfg = {
        .links = "0-1,1-2", .latency = 100, .bandwidth = 1,
    };

    start(3, &cfg);
    CHECK_EQ(vgpu_fabric_access(h.f, 0, 1, true, 1000, 0), 1100);
    /* Behind what is on the link, whoever sent that. */
    CHECK_EQ(vgpu_fabric_access(h.f, 0, 2, true, 1000, 0), 2200);
    /* The other direction is free. */
    CHECK_EQ(vgpu_fabric_access(h.f, 1, 0, true, 1000, 0), 1100);
    CHECK_EQ(vgpu_fabric_access(h.f, 2, 1, true, 1000, 0), 1100);
    /* So is the link, later. */
    CHECK_EQ(vgpu_fabric_access(h.f, 0, 1, true, 1000, 5000), 6100);
    stop();
}

/* -------------------------------------------------------------- the trace */

static struct {
    unsigned calls, from, to;
    bool write;
    uint64_t bytes, ns;
} seen;

static void see(void *opaque, unsigned from, unsigned to, bool write,
                uint64_t bytes, uint64_t ns)
{
    CHECK(opaque == &seen);
    seen.calls++;
    seen.from = from;
    seen.to = to;
    seen.write = write;
    seen.bytes = bytes;
    seen.ns = ns;
}

static void accesses_are_traced(void)
{
    struct vgpu_fabric_config cfg = {
        .latency = 3, .trace = see, .opaque = &seen,
    };

    start(2, &cfg);
    vgpu_fabric_access(h.f, 1, 0, true, 64, 1000);
    CHECK_EQ(seen.calls, 1);
    CHECK_EQ(seen.from, 1);
    CHECK_EQ(seen.to, 0);
    CHECK(seen.write);
    CHECK_EQ(seen.bytes, 64);
    CHECK_EQ(seen.ns, 3);
    stop();
}

static const struct test tests[] = {
    TEST(refused_links),
    TEST(refused_limits),
    TEST(refused_members),
    TEST(routes_of_every_shape),
    TEST(routes_around_broken_links),
    TEST(down_refused),
    TEST(no_way_through_a_gap),
    TEST(widths_are_links),
    TEST(counters_follow_the_way),
    TEST(cost_is_latency_and_narrowest),
    TEST(cost_of_a_busy_link),
    TEST(accesses_are_traced),
};
TEST_MAIN(tests)
