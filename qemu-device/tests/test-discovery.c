/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The IP discovery binary, read from VRAM by bytes the way the layouts in
 * include/discovery.h of the kernel say, without the structures that the
 * device built it with.
 */
#include "harness.h"

/* Byte offsets of the layouts. */
#define TMR_FROM_TOP    0x10000
#define HDR_CHECKSUM    8
#define HDR_SIZE        10
#define HDR_TABLES      12
#define TABLE_INFO      8
#define IHDR_SIZE       6
#define IHDR_NUM_DIES   12
#define IHDR_DIE_INFO   14

static uint16_t u16(const uint8_t *p)
{
    return p[0] | p[1] << 8;
}

static uint32_t u32(const uint8_t *p)
{
    return u16(p) | (uint32_t)u16(p + 2) << 16;
}

static uint16_t sum(const uint8_t *p, size_t n)
{
    uint16_t s = 0;

    while (n--) {
        s += *p++;
    }
    return s;
}

static const uint8_t *binary(struct mock *m)
{
    return m->vram + m->cfg.vram_size - TMR_FROM_TOP;
}

static const uint8_t *table(const uint8_t *b, unsigned id)
{
    return b + u16(b + HDR_TABLES + id * TABLE_INFO);
}

static void checksums(void)
{
    struct mock m;
    const uint8_t *b;
    unsigned i;

    mock_default(&m);
    b = binary(&m);
    CHECK_EQ(u32(b), 0x28211407);
    CHECK(u16(b + HDR_SIZE) <= 10 * 1024);
    CHECK_EQ(u16(b + HDR_CHECKSUM),
             sum(b + HDR_SIZE, u16(b + HDR_SIZE) - HDR_SIZE));
    for (i = 0; i < 3; i++) {
        const uint8_t *info = b + HDR_TABLES + i * TABLE_INFO;

        CHECK(u16(info) >= HDR_TABLES + 6 * TABLE_INFO);
        CHECK(u16(info) + u16(info + 4) <= u16(b + HDR_SIZE));
        CHECK_EQ(u16(info + 2), sum(b + u16(info), u16(info + 4)));
    }
    CHECK_EQ(u32(table(b, 0)), 0x53445049);
    CHECK_EQ(u32(table(b, 1)), 0x4347);
    CHECK_EQ(u32(table(b, 2)), 0x56524148);
    CHECK_EQ(u16(b + HDR_TABLES + 2 * TABLE_INFO + 4), 8 + 32 * 4);
    CHECK_EQ(u16(b + HDR_TABLES + 3 * TABLE_INFO), 0); /* no VCN */
    mock_stop(&m);
}

struct found {
    unsigned count;
    uint8_t version[3];
    uint32_t base[6];
    unsigned num_base;
};

static struct found find(const uint8_t *b, unsigned hw_id, unsigned instance)
{
    const uint8_t *t = table(b, 0);
    const uint8_t *die, *p;
    struct found f = { 0 };
    unsigned i, j;

    CHECK_EQ(u16(t + IHDR_NUM_DIES), 1);
    die = b + u16(t + IHDR_DIE_INFO + 2);
    CHECK_EQ(u16(die), 0);
    p = die + 4;
    for (i = 0; i < u16(die + 2); i++) {
        unsigned n = p[3];

        CHECK(n >= 1 && n <= 6);
        if (u16(p) == hw_id && p[2] == instance) {
            f.count++;
            memcpy(f.version, p + 4, 3);
            f.num_base = n;
            for (j = 0; j < n && j < 6; j++) {
                f.base[j] = u32(p + 8 + 4 * j);
            }
        }
        p += 8 + 4 * n;
    }
    /* the last block ends where the table ends */
    CHECK_EQ(p - t, u16(t + IHDR_SIZE));
    return f;
}

static void blocks(void)
{
    static const struct {
        unsigned hw_id, instance, num_base;
        uint8_t version[3];
        uint32_t base0, base1;
    } want[] = {
        { 11, 0, 3, { 9, 4, 2 }, 0x2000, 0xa000 },      /* GC */
        { 42, 0, 3, { 4, 4, 0 }, 0x1260, 0x12540 },     /* SDMA */
        { 42, 1, 3, { 4, 4, 0 }, 0x1860, 0x12560 },
        { 42, 2, 3, { 4, 4, 0 }, 0x13760, 0x1e000 },
        { 42, 3, 3, { 4, 4, 0 }, 0x13780, 0x1e400 },
        { 42, 4, 3, { 4, 4, 0 }, 0x137a0, 0x1e800 },
        { 40, 0, 2, { 4, 4, 0 }, 0x10a0, 0x240a000 },   /* OSSSYS */
        { 34, 0, 2, { 9, 4, 2 }, 0x1a000, 0x2408800 },  /* MMHUB */
        { 35, 0, 2, { 9, 4, 2 }, 0xc20, 0x2408c00 },    /* ATHUB */
        { 108, 0, 6, { 7, 4, 4 }, 0, 0x14 },            /* NBIF */
        { 41, 0, 2, { 4, 4, 0 }, 0xf20, 0x240a400 },    /* HDP */
        { 255, 0, 5, { 13, 0, 2 }, 0x16000, 0xdc0000 }, /* MP0 */
        { 1, 0, 5, { 13, 0, 2 }, 0x16000, 0xdc0000 },   /* MP1 */
        { 46, 0, 3, { 3, 6, 2 }, 0x7000, 0x240b800 },   /* DF */
        { 4, 0, 4, { 13, 0, 2 }, 0x16800, 0x16a00 },    /* SMUIO */
        { 3, 0, 2, { 13, 0, 2 }, 0x16600, 0x2400c00 },  /* THM */
        { 150, 3, 3, { 6, 7, 0 }, 0x194000, 0x1d4000 }, /* UMC */
        { 200, 0, 3, { 6, 1, 0 }, 0x2438c00, 0x4680000 }, /* XGMI */
    };
    struct mock m;
    size_t i;

    mock_default(&m);
    for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        struct found f = find(binary(&m), want[i].hw_id, want[i].instance);

        CHECK_EQ(f.count, 1);
        CHECK(!memcmp(f.version, want[i].version, 3));
        CHECK_EQ(f.num_base, want[i].num_base);
        CHECK_EQ(f.base[0], want[i].base0);
        CHECK_EQ(f.base[1], want[i].base1);
    }
    mock_stop(&m);
}

static void sdma_engines(void)
{
    unsigned n, i;

    for (n = 1; n <= 5; n++) {
        struct mock m;

        mock_init(&m);
        m.cfg.num_sdma = n;
        mock_start(&m);
        for (i = 0; i < 6; i++) {
            CHECK_EQ(find(binary(&m), 42, i).count, i < n);
        }
        mock_stop(&m);
    }
}

static void gc_table(void)
{
    const uint8_t *t;
    struct mock m;

    mock_default(&m);
    t = table(binary(&m), 1);
    CHECK_EQ(u16(t + 4), 2);
    CHECK_EQ(u16(t + 6), 0);
    CHECK_EQ(u32(t + 8), 12 + 17 * 4);
    CHECK_EQ(u32(t + 12), 8);       /* shader engines */
    CHECK_EQ(u32(t + 16), 16);      /* CUs an array */
    CHECK_EQ(u32(t + 20), 1);       /* arrays an engine */
    CHECK_EQ(u32(t + 12 + 11 * 4), 64); /* lanes a wave */
    mock_stop(&m);
}

/* A guest may overwrite it; a reset brings it back and touches no more. */
static void rewritten_by_reset(void)
{
    uint8_t before[10 * 1024];
    struct mock m;
    uint8_t *place;

    mock_default(&m);
    place = m.vram + m.cfg.vram_size - TMR_FROM_TOP;
    memcpy(before, place, sizeof(before));
    memset(m.vram, 0xa5, m.cfg.vram_size);
    vgpu_die_reset(m.die);
    CHECK(!memcmp(before, place, sizeof(before)));
    CHECK_EQ(place[-1], 0xa5);
    CHECK_EQ(place[sizeof(before)], 0xa5);
    /* the driver waits for firmware to say that it is there: C2PMSG_33 */
    CHECK_EQ(mock_rreg(&m, 0x16061) >> 31, 1);
    mock_stop(&m);
}

static const struct test tests[] = {
    TEST(checksums),
    TEST(blocks),
    TEST(sdma_engines),
    TEST(gc_table),
    TEST(rewritten_by_reset),
};
TEST_MAIN(tests)
