/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Streaming copies: every alignment, every length around a line, nothing
 * outside. Expected values are those of memcpy().
 */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "stream.h"

#define AREA    512

/* One copy in an area whose other bytes must stay. */
static void one_copy(unsigned to, unsigned from, unsigned len)
{
    static uint8_t src[AREA], dst[AREA], want[AREA];
    unsigned i;

    for (i = 0; i < AREA; i++) {
        src[i] = i * 7 + 1;
        dst[i] = want[i] = ~i;
    }
    memcpy(want + to, src + from, len);
    vgpu_stream_copy(dst + to, src + from, len);
    CHECK(!memcmp(dst, want, AREA));
}

static void alignments_and_lengths(void)
{
    unsigned to, from, len;

    for (to = 0; to < 64; to += 3) {
        for (from = 0; from < 64; from += 5) {
            for (len = 0; len <= 200; len++) {
                one_copy(to, from, len);
            }
        }
    }
}

/* The last bytes of an allocation: the sanitizer sees a read past it. */
static void up_to_the_end(void)
{
    size_t len;

    for (len = 1; len <= 300; len++) {
        uint8_t *src = malloc(len), *dst = malloc(len);

        CHECK(src && dst);
        memset(src, (int)len, len);
        vgpu_stream_copy(dst, src, len);
        CHECK(!memcmp(dst, src, len));
        free(src);
        free(dst);
    }
}

static const struct test tests[] = {
    TEST(alignments_and_lengths),
    TEST(up_to_the_end),
};
TEST_MAIN(tests)
