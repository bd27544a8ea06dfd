/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies that go past the caches of the host, as an SDMA engine's go past
 * those of the CPU. Documentation/hardware.rst, "SDMA packets".
 */
#ifndef VGPU_STREAM_H
#define VGPU_STREAM_H

#include <stddef.h>
#include <stdint.h>

/*
 * Packets that copy this many bytes or more go by vgpu_stream_copy(): as much
 * as no inner cache holds, so that the destination would be evicted anyway.
 */
#define VGPU_STREAM_BYTES   (1024u * 1024)

/**
 * vgpu_stream_copy() - memcpy() without reading the destination into a cache
 *
 * @dst and @src may not overlap; any alignment. What was written is visible
 * to other threads in order with later stores, as after memcpy(). memcpy() of
 * the C library does the same, but only for calls far longer than the pieces
 * that an engine may copy at a time.
 */
void vgpu_stream_copy(uint8_t *dst, const uint8_t *src, size_t len);

#endif
