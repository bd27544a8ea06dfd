/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The xGMI fabric of a hive: members, links, routes, cost and counters; see
 * fabric.h. Documentation/hive.rst, "The fabric".
 *
 * What accesses look at is atomic, since a link may break under them: they go
 * by the old routes or the new ones, hop by hop, and never by none. Whoever
 * changed them then takes the lock of each member (tell_members()).
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"

#define MIB             (1024ull * 1024)
/* What MC_VM_XGMI_LFB_SIZE counts in, and how far. */
#define SEGMENT_UNIT    (16 * MIB)
#define SEGMENT_MAX     0x1ffffull
/* Physical addresses of a hive, as a page-table entry can hold them. */
#define ADDRESS_BITS    44

#define MAX_LATENCY     1000000000u
#define MAX_BANDWIDTH   1000000u

#define NO_WAY          0xff

/**
 * struct direction - what goes over a link one way
 * @busy_until: host ns at which what was sent so far has left
 */
struct direction {
    _Atomic uint64_t bytes;
    _Atomic uint64_t requests;
    _Atomic uint64_t busy_until;
};

struct link {
    uint8_t node[2];    /* the lower number first */
    uint8_t width;
    uint8_t port[2];    /* the first one that it takes, of each node */
    atomic_bool up;
    struct direction dir[2];    /* [0]: from node[0] to node[1] */
};

/* @die is stored last and cleared first; the rest holds while it is set. */
struct member {
    struct vgpu_die *_Atomic die;
    uint8_t *vram;
    uint64_t vram_size;
    _Atomic uint32_t num_poison;    /* see vgpu_fabric_poison() */
    _Atomic uint64_t poison[VGPU_MAX_POISON];
};

/**
 * struct vgpu_fabric - see fabric.h for who may do what when
 * @num_ports: that the links of a node take, in the order in which they were given
 * @link_of: index of the link between two nodes, -1 without one
 * @next: the node after this one on the way to another; NO_WAY
 * @hops: how many links the whole way has; NO_WAY
 */
struct vgpu_fabric {
    struct vgpu_fabric_config cfg;
    struct link link[VGPU_FABRIC_MAX_LINKS];
    unsigned num_links;
    uint8_t num_ports[VGPU_MAX_NODES];
    int16_t link_of[VGPU_MAX_NODES][VGPU_MAX_NODES];
    struct member member[VGPU_MAX_NODES];
    _Atomic uint8_t next[VGPU_MAX_NODES][VGPU_MAX_NODES];
    _Atomic uint8_t hops[VGPU_MAX_NODES][VGPU_MAX_NODES];
};

static bool fail(char *err, size_t err_size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(char *err, size_t err_size, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(err, err_size, fmt, ap);
    va_end(ap);
    return false;
}

/* --------------------------------------------------------- lists of links */

static bool parse_number(const char **p, unsigned *val)
{
    const char *start = *p;

    for (*val = 0; **p >= '0' && **p <= '9' && *p - start < 4; (*p)++) {
        *val = *val * 10 + (**p - '0');
    }
    return *p > start;
}

/* One link of a list: "A-B" or, where @width is wanted, "A-B:WIDTH" too. */
static bool parse_link(const struct vgpu_fabric *f, const char **p,
                       unsigned node[2], unsigned *width, char *err,
                       size_t err_size)
{
    const char *start = *p;
    unsigned i, tmp;
    bool ok;

    ok = parse_number(p, &node[0]) && *(*p)++ == '-' &&
         parse_number(p, &node[1]);
    if (ok && width) {
        *width = 1;
        if (**p == ':') {
            ++*p;
            ok = parse_number(p, width);
        }
    }
    if (!ok || (**p && (**p != ',' || !(*p)[1]))) {
        return fail(err, err_size, "'%.20s' is not a list of links such as %s",
                    start, width ? "'0-1:4,1-2'" : "'0-1,1-2'");
    }
    if (**p == ',') {
        ++*p;
    }
    for (i = 0; i < 2; i++) {
        if (node[i] >= f->cfg.nodes) {
            return fail(err, err_size, "link %u-%u: node %u does not exist, "
                        "the hive has nodes 0 to %u", node[0], node[1],
                        node[i], f->cfg.nodes - 1);
        }
    }
    if (node[0] == node[1]) {
        return fail(err, err_size, "link %u-%u connects a node with itself",
                    node[0], node[1]);
    }
    if (width && (*width < 1 || *width > VGPU_FABRIC_MAX_WIDTH)) {
        return fail(err, err_size, "link %u-%u: its width must be 1 to %u, "
                    "not %u", node[0], node[1], VGPU_FABRIC_MAX_WIDTH, *width);
    }
    if (node[0] > node[1]) {
        tmp = node[0];
        node[0] = node[1];
        node[1] = tmp;
    }
    return true;
}

static void add_link(struct vgpu_fabric *f, unsigned a, unsigned b,
                     unsigned width)
{
    struct link *l = &f->link[f->num_links];

    l->node[0] = a;
    l->node[1] = b;
    l->width = width;
    l->port[0] = f->num_ports[a];
    l->port[1] = f->num_ports[b];
    f->num_ports[a] += width;
    f->num_ports[b] += width;
    atomic_init(&l->up, true);
    f->link_of[a][b] = f->link_of[b][a] = f->num_links++;
}

static bool add_links(struct vgpu_fabric *f, const char *list, char *err,
                      size_t err_size)
{
    unsigned node[2], width;

    while (*list) {
        if (!parse_link(f, &list, node, &width, err, err_size)) {
            return false;
        }
        if (f->link_of[node[0]][node[1]] >= 0) {
            return fail(err, err_size, "link %u-%u is there twice", node[0],
                        node[1]);
        }
        add_link(f, node[0], node[1], width);
    }
    return true;
}

static void add_mesh(struct vgpu_fabric *f)
{
    unsigned a, b;

    for (a = 0; a < f->cfg.nodes; a++) {
        for (b = a + 1; b < f->cfg.nodes; b++) {
            add_link(f, a, b, 1);
        }
    }
}

/* ---------------------------------------------------------------- routes */

/* A link of @a that leads somewhere: up, and with a die at its other end. */
static bool usable(const struct vgpu_fabric *f, unsigned a, unsigned b)
{
    int i = f->link_of[a][b];

    return i >= 0 && atomic_load(&f->link[i].up) &&
           vgpu_fabric_present(f, b);
}

/* Breadth first from @to outwards: how far each node is from it. */
static void measure(const struct vgpu_fabric *f, unsigned to,
                    uint8_t dist[VGPU_MAX_NODES])
{
    unsigned queue[VGPU_MAX_NODES], head = 0, tail = 0, a, b;

    memset(dist, NO_WAY, VGPU_MAX_NODES);
    if (!vgpu_fabric_present(f, to)) {
        return;
    }
    dist[to] = 0;
    queue[tail++] = to;
    while (head < tail) {
        a = queue[head++];
        for (b = 0; b < f->cfg.nodes; b++) {
            if (dist[b] == NO_WAY && usable(f, a, b)) {
                dist[b] = dist[a] + 1;
                queue[tail++] = b;
            }
        }
    }
}

static uint8_t next_node(const struct vgpu_fabric *f, unsigned from,
                         const uint8_t dist[VGPU_MAX_NODES])
{
    unsigned b;

    for (b = 0; b < f->cfg.nodes; b++) {
        if (dist[b] != NO_WAY && dist[b] + 1 == dist[from] &&
            usable(f, from, b)) {
            return b;
        }
    }
    return NO_WAY;
}

static void find_routes(struct vgpu_fabric *f)
{
    uint8_t dist[VGPU_MAX_NODES];
    unsigned from, to;

    for (to = 0; to < f->cfg.nodes; to++) {
        measure(f, to, dist);
        for (from = 0; from < f->cfg.nodes; from++) {
            uint8_t next = dist[from] == 0 ? to :
                           dist[from] == NO_WAY ? NO_WAY :
                           next_node(f, from, dist);

            atomic_store(&f->next[from][to], next);
            atomic_store(&f->hops[from][to], dist[from]);
        }
    }
}

/* Have the engines drop what they knew, and wait until they have. */
static void tell_members(struct vgpu_fabric *f)
{
    unsigned i;

    for (i = 0; i < f->cfg.nodes; i++) {
        struct vgpu_die *die = atomic_load(&f->member[i].die);

        if (die) {
            vgpu_die_guest_remapped(die);
        }
    }
}

int vgpu_fabric_hops(const struct vgpu_fabric *f, unsigned from, unsigned to)
{
    uint8_t hops = atomic_load_explicit(&f->hops[from][to],
                                        memory_order_relaxed);

    return hops == NO_WAY ? -1 : hops;
}

bool vgpu_fabric_topology(const struct vgpu_fabric *f, unsigned from,
                          struct vgpu_peer peer[VGPU_MAX_NODES])
{
    unsigned to;

    memset(peer, 0, VGPU_MAX_NODES * sizeof(*peer));
    for (to = 0; to < f->cfg.nodes; to++) {
        int hops = vgpu_fabric_hops(f, from, to);

        if (hops >= 0) {
            peer[to].present = 1;
            peer[to].hops = hops;
        }
        if (hops == 1) {
            const struct link *l = &f->link[f->link_of[from][to]];
            bool back = l->node[1] == from;

            peer[to].links = l->width;
            peer[to].port = l->port[back];
            peer[to].peer_port = l->port[!back];
        }
    }
    return vgpu_fabric_present(f, from);
}

/* --------------------------------------------------------------- members */

bool vgpu_fabric_present(const struct vgpu_fabric *f, unsigned node)
{
    return atomic_load_explicit(&f->member[node].die,
                                memory_order_relaxed) != NULL;
}

bool vgpu_fabric_check(const struct vgpu_fabric *f, unsigned node,
                       uint64_t vram_size, char *err, size_t err_size)
{
    if (node >= f->cfg.nodes) {
        return fail(err, err_size, "node %u does not exist: the hive has "
                    "nodes 0 to %u", node, f->cfg.nodes - 1);
    }
    if (vgpu_fabric_present(f, node)) {
        return fail(err, err_size, "node %u of the hive is taken by another "
                    "die", node);
    }
    if (vram_size > f->cfg.segment) {
        return fail(err, err_size, "%llu MiB of VRAM do not fit the hive's "
                    "segment of %llu MiB",
                    (unsigned long long)(vram_size / MIB),
                    (unsigned long long)(f->cfg.segment / MIB));
    }
    return true;
}

void vgpu_fabric_join(struct vgpu_fabric *f, unsigned node,
                      struct vgpu_die *die, uint8_t *vram, uint64_t vram_size)
{
    struct member *m = &f->member[node];

    m->vram = vram;
    m->vram_size = vram_size;
    atomic_store(&m->die, die);
    find_routes(f);
    tell_members(f);
}

void vgpu_fabric_leave(struct vgpu_fabric *f, unsigned node)
{
    struct vgpu_die *die = atomic_exchange(&f->member[node].die, NULL);

    find_routes(f);
    tell_members(f);
    /* Nor has the one that left a pointer to any of the others. */
    vgpu_die_guest_remapped(die);
}

unsigned vgpu_fabric_nodes(const struct vgpu_fabric *f)
{
    return f->cfg.nodes;
}

uint64_t vgpu_fabric_segment(const struct vgpu_fabric *f)
{
    return f->cfg.segment;
}

/* ----------------------------------------------------------------- links */

unsigned vgpu_fabric_num_links(const struct vgpu_fabric *f)
{
    return f->num_links;
}

void vgpu_fabric_get_link(const struct vgpu_fabric *f, unsigned i,
                          struct vgpu_fabric_link *l)
{
    const struct link *link = &f->link[i];
    unsigned d;

    l->width = link->width;
    l->up = atomic_load(&link->up);
    for (d = 0; d < 2; d++) {
        l->node[d] = link->node[d];
        l->bytes[d] = atomic_load(&link->dir[d].bytes);
        l->requests[d] = atomic_load(&link->dir[d].requests);
    }
}

/* Both ends notice. */
static void link_lost(struct vgpu_fabric *f, const struct link *l)
{
    unsigned e;

    for (e = 0; e < 2; e++) {
        struct vgpu_die *die = atomic_load(&f->member[l->node[e]].die);

        if (die) {
            vgpu_die_link_lost(die, l->port[e], l->width);
        }
    }
}

bool vgpu_fabric_set_down(struct vgpu_fabric *f, const char *links, char *err,
                          size_t err_size)
{
    bool down[VGPU_FABRIC_MAX_LINKS] = { false };
    unsigned node[2], i;
    int index;

    while (*links) {
        if (!parse_link(f, &links, node, NULL, err, err_size)) {
            return false;
        }
        index = f->link_of[node[0]][node[1]];
        if (index < 0) {
            return fail(err, err_size, "there is no link %u-%u", node[0],
                        node[1]);
        }
        down[index] = true;
    }
    for (i = 0; i < f->num_links; i++) {
        /* Of one that was broken before there is nothing new to tell. */
        bool was_up = atomic_exchange(&f->link[i].up, !down[i]);

        down[i] &= was_up;
    }
    find_routes(f);
    tell_members(f);
    for (i = 0; i < f->num_links; i++) {
        if (down[i]) {
            link_lost(f, &f->link[i]);
        }
    }
    return true;
}

/* -------------------------------------------------------------- accesses */

uint8_t *vgpu_fabric_map(const struct vgpu_fabric *f, unsigned from,
                         uint64_t addr, uint64_t *len)
{
    uint64_t to = addr / f->cfg.segment, off = addr % f->cfg.segment;
    const struct member *m;

    if (to >= f->cfg.nodes || vgpu_fabric_hops(f, from, to) < 0) {
        return NULL;
    }
    m = &f->member[to];
    if (!atomic_load_explicit(&m->die, memory_order_acquire) ||
        off >= m->vram_size) {
        return NULL;
    }
    if (*len > m->vram_size - off) {
        *len = m->vram_size - off;
    }
    return m->vram + off;
}

int vgpu_fabric_owner(const struct vgpu_fabric *f, const void *ptr)
{
    unsigned i;

    for (i = 0; i < f->cfg.nodes; i++) {
        const struct member *m = &f->member[i];

        if (atomic_load_explicit(&m->die, memory_order_acquire) &&
            (uintptr_t)ptr - (uintptr_t)m->vram < m->vram_size) {
            return i;
        }
    }
    return -1;
}

void vgpu_fabric_poison(struct vgpu_fabric *f, unsigned node,
                        const uint64_t *line, uint32_t n)
{
    struct member *m = &f->member[node];
    uint32_t i;

    /* None, while they change. */
    atomic_store(&m->num_poison, 0);
    for (i = 0; i < n; i++) {
        atomic_store_explicit(&m->poison[i], line[i], memory_order_relaxed);
    }
    atomic_store(&m->num_poison, n);
}

bool vgpu_fabric_poisoned(const struct vgpu_fabric *f, const void *ptr,
                          uint64_t *len)
{
    int owner = vgpu_fabric_owner(f, ptr);
    const struct member *m;
    uint32_t i, n;
    uint64_t addr;

    if (owner < 0) {
        return false;
    }
    m = &f->member[owner];
    addr = (uintptr_t)ptr - (uintptr_t)m->vram;
    n = atomic_load(&m->num_poison);
    for (i = 0; i < n; i++) {
        uint64_t line = atomic_load_explicit(&m->poison[i],
                                             memory_order_relaxed);

        if (addr - line < VGPU_POISON_LINE) {
            return true;
        }
        if (line - addr < *len) {
            *len = line - addr;
        }
    }
    return false;
}

bool vgpu_fabric_has_cost(const struct vgpu_fabric *f)
{
    return f->cfg.latency || f->cfg.bandwidth;
}

/* Put @bytes on the link behind what is on it; when they have left. */
static uint64_t occupy(struct direction *d, uint64_t bytes, uint64_t per_ns,
                       uint64_t now)
{
    uint64_t busy = atomic_load_explicit(&d->busy_until, memory_order_relaxed);
    uint64_t until;

    do {
        until = (busy > now ? busy : now) + (bytes + per_ns - 1) / per_ns;
    } while (!atomic_compare_exchange_weak_explicit(
                 &d->busy_until, &busy, until, memory_order_relaxed,
                 memory_order_relaxed));
    return until;
}

uint64_t vgpu_fabric_access(struct vgpu_fabric *f, unsigned from, unsigned to,
                            bool write, uint64_t bytes, uint64_t now)
{
    uint64_t end = now, latency = 0;
    unsigned at = from, hops;

    for (hops = 0; at != to && hops < f->cfg.nodes; hops++) {
        unsigned next = atomic_load_explicit(&f->next[at][to],
                                             memory_order_relaxed);
        struct direction *d;
        struct link *l;

        if (next == NO_WAY) {
            break;  /* broken this very moment */
        }
        l = &f->link[f->link_of[at][next]];
        d = &l->dir[(l->node[0] == at) != write];
        atomic_fetch_add_explicit(&d->bytes, bytes, memory_order_relaxed);
        atomic_fetch_add_explicit(&d->requests, 1, memory_order_relaxed);
        if (f->cfg.bandwidth) {
            /* 1 GB/s is 1 byte a nanosecond. */
            uint64_t left = occupy(d, bytes,
                                   (uint64_t)f->cfg.bandwidth * l->width, now);

            end = left > end ? left : end;
        }
        latency += f->cfg.latency;
        at = next;
    }
    if (f->cfg.trace) {
        f->cfg.trace(f->cfg.opaque, from, to, write, bytes,
                     end + latency - now);
    }
    return end + latency;
}

/* ------------------------------------------------------------------ life */

static bool config_ok(const struct vgpu_fabric_config *c, char *err,
                      size_t err_size)
{
    if (c->nodes < 1 || c->nodes > VGPU_MAX_NODES) {
        return fail(err, err_size, "nodes must be 1 to %u", VGPU_MAX_NODES);
    }
    if (!c->segment || c->segment % SEGMENT_UNIT) {
        return fail(err, err_size, "segment must be a multiple of 16 MiB");
    }
    if (c->segment / SEGMENT_UNIT > SEGMENT_MAX) {
        return fail(err, err_size, "segment must be below 2 TiB");
    }
    if (c->segment > (1ull << ADDRESS_BITS) / c->nodes) {
        return fail(err, err_size, "%u segments of that size exceed %u "
                    "address bits", c->nodes, ADDRESS_BITS);
    }
    if (c->latency > MAX_LATENCY) {
        return fail(err, err_size, "latency must be at most %u ns",
                    MAX_LATENCY);
    }
    if (c->bandwidth > MAX_BANDWIDTH) {
        return fail(err, err_size, "bandwidth must be at most %u GB/s",
                    MAX_BANDWIDTH);
    }
    return true;
}

struct vgpu_fabric *vgpu_fabric_new(const struct vgpu_fabric_config *cfg,
                                    char *err, size_t err_size)
{
    struct vgpu_fabric *f;

    if (!config_ok(cfg, err, err_size)) {
        return NULL;
    }
    f = calloc(1, sizeof(*f));
    if (!f) {
        fail(err, err_size, "no memory for a hive");
        return NULL;
    }
    f->cfg = *cfg;
    f->cfg.links = NULL;    /* the caller's; parsed here and now */
    memset(f->link_of, -1, sizeof(f->link_of));
    if (!cfg->links || !*cfg->links) {
        add_mesh(f);
    } else if (!add_links(f, cfg->links, err, err_size)) {
        free(f);
        return NULL;
    }
    find_routes(f);
    return f;
}

void vgpu_fabric_free(struct vgpu_fabric *f)
{
    free(f);
}
