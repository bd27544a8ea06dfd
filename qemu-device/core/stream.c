/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies that go past the caches of the host. A plain store first reads its
 * line: a third of a long copy's traffic that nobody needs. Hosts without
 * streaming stores use memcpy(). Documentation/hardware.rst, "SDMA packets".
 */
#include <string.h>

#include "stream.h"

#if defined(__x86_64__)
#include <emmintrin.h>

#define LINE        64u
/* Bytes that reads run ahead: some 100 ns at the speed of a copy. */
#define AHEAD       1024u

static void stream_line(void *dst, const void *src)
{
    const __m128i *from = src;
    __m128i *to = dst;
    __m128i v[LINE / sizeof(__m128i)];
    unsigned i;

    for (i = 0; i < LINE / sizeof(v[0]); i++) {
        v[i] = _mm_loadu_si128(&from[i]);
    }
    for (i = 0; i < LINE / sizeof(v[0]); i++) {
        _mm_stream_si128(&to[i], v[i]);
    }
}

void vgpu_stream_copy(uint8_t *dst, const uint8_t *src, size_t len)
{
    size_t head = -(uintptr_t)dst % LINE;

    if (head > len) {
        head = len;
    }
    memcpy(dst, src, head);
    dst += head;
    src += head;
    len -= head;
    for (; len >= LINE; dst += LINE, src += LINE, len -= LINE) {
        /* Past the end of @src it does nothing: a prefetch cannot fault. */
        _mm_prefetch((const char *)((uintptr_t)src + AHEAD), _MM_HINT_NTA);
        stream_line(dst, src);
    }
    memcpy(dst, src, len);
    _mm_sfence();
}

#else

void vgpu_stream_copy(uint8_t *dst, const uint8_t *src, size_t len)
{
    memcpy(dst, src, len);
}

#endif
