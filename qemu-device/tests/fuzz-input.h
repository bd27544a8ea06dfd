/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzzers of the firmware processors have in common: an input that
 * is read as a script of bytes, dwords and numbers, most of them small, and
 * that ends in zeroes; and a die that begins anew with each input.
 */
#ifndef VGPU_FUZZ_INPUT_H
#define VGPU_FUZZ_INPUT_H

#include "harness.h"

struct input {
    const uint8_t *p;
    size_t left;
};

static inline uint8_t get8(struct input *in)
{
    if (!in->left) {
        return 0;
    }
    in->left--;
    return *in->p++;
}

static inline uint32_t get32(struct input *in)
{
    uint32_t v = get8(in);

    v |= (uint32_t)get8(in) << 8;
    v |= (uint32_t)get8(in) << 16;
    return v | (uint32_t)get8(in) << 24;
}

/*
 * Every input begins alike, but a reset of the die would take most of the
 * time: put back what is state, and have the caches forgotten.
 */
static inline void fuzz_restore(struct vgpu_die *d,
                                const struct vgpu_die_state *fresh)
{
    d->s = *fresh;
    vgpu_gmc_block.loaded(d);
    vgpu_cp_block.loaded(d);
    vgpu_mec_block.loaded(d);
    vgpu_sdma_block.loaded(d);
    vgpu_sched_reset(d);
}

static inline uint32_t get_number(struct input *in)
{
    uint8_t n = get8(in);

    return n < 0xc0 ? n : n < 0xe0 ? (uint32_t)n << 16 | get8(in) :
           get32(in);
}

#endif
