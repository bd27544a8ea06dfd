/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies that go past the caches of the host. A plain store first reads its
 * line: a third of a long copy's traffic that nobody needs. Hosts without
 * streaming stores use memcpy(). Documentation/hardware.rst, "SDMA packets".
 */
#include <string.h>

#include "stream.h"

#ifdef __SSE2__
#include <emmintrin.h>

#define LINE        64u
#define VECTOR      sizeof(__m128i)
/* Bytes that reads run ahead: some 100 ns at the speed of a copy. */
#define AHEAD       1024u

static void stream_line(uint8_t *dst, const uint8_t *src)
{
    __m128i v[LINE / VECTOR];
    unsigned i;

    for (i = 0; i < LINE / VECTOR; i++) {
        v[i] = _mm_loadu_si128((const __m128i *)(src + i * VECTOR));
    }
    for (i = 0; i < LINE / VECTOR; i++) {
        _mm_stream_si128((__m128i *)(dst + i * VECTOR), v[i]);
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
