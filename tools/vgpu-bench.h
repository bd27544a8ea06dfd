/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* What the parts of vgpu-bench share. Documentation/development.rst, "Figures". */
#ifndef VGPU_TOOLS_VGPU_BENCH_H
#define VGPU_TOOLS_VGPU_BENCH_H

#include <stdint.h>
#include <stdlib.h>

#include "lib/die.h"

#define COPY_BYTES	(64u << 20)

uint64_t now_ns(void);
/* Sorts @ns. Return: the one in the middle. */
uint64_t median_ns(uint64_t *ns, size_t num);
/* The best of five SDMA copies of COPY_BYTES. Return: 0 or a negative errno. */
int copy_best(struct die *die, struct buf *src, struct buf *dst, uint64_t *best);

/* Several dies at once. Return: 0 or a negative errno. */
int bench_hive(void);

#endif
