/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libFuzzer calls, and what it offers: it has no header of its own.
 */
#ifndef VGPU_FUZZ_H
#define VGPU_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

#endif
