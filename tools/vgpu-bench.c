// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * vgpu-bench: the guest's part of "make bench": what an empty submission costs
 * beside the bare trap, and an SDMA copy beside memcpy, both in one run; with
 * "hive", what several dies do.
 * Documentation/development.rst, "Figures".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <hw/pm4.h>
#include <hw/sdma.h>

#include "vgpu-bench.h"

#define ROUNDS		1000
#define PACKET_BYTES	(2u << 20)

uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

uint64_t median_ns(uint64_t *ns, size_t num)
{
	qsort(ns, num, sizeof(ns[0]), by_value);
	return ns[num / 2];
}

static int submissions(struct die *die, unsigned int ip, const char *name, double trap_us)
{
	static uint64_t ns[ROUNDS];
	struct sub sub = { .ip = ip, .ndw = 1 };
	uint64_t median;
	struct buf ib;
	unsigned int i;
	int ret;

	ret = buf_alloc(die, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib);
	if (ret)
		return ret;
	sub.ib = &ib;
	*(uint32_t *)ib.cpu = ip == AMDGPU_HW_IP_DMA ? SDMA_OP_NOP :
			      PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT);
	for (i = 0; i < ROUNDS && !ret; i++) {
		uint64_t start = now_ns();

		ret = sub_run(die, &sub);
		ns[i] = now_ns() - start;
	}
	buf_free(&ib);
	if (ret)
		return ret;
	median = median_ns(ns, ROUNDS);
	printf("submission-%s %.1f us\n", name, median / 1e3);
	printf("submission-%s-to-trap %.2f ratio\n", name, median / 1e3 / trap_us);
	return 0;
}

int copy_best(struct die *die, struct buf *src, struct buf *dst, uint64_t *best)
{
	struct buf ib = { 0 }, *bufs[] = { src, dst, NULL };
	struct sub sub = { .ip = AMDGPU_HW_IP_DMA, .ib = &ib, .bufs = bufs };
	unsigned int round;
	uint32_t at, *dw;
	uint64_t start;
	int ret;

	ret = buf_alloc(die, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib);
	if (ret)
		return ret;
	dw = ib.cpu;
	for (at = 0; at < COPY_BYTES; at += PACKET_BYTES) {
		*dw++ = SDMA_OP_COPY;
		*dw++ = PACKET_BYTES - 1;
		*dw++ = 0;
		*dw++ = src->va + at;
		*dw++ = (src->va + at) >> 32;
		*dw++ = dst->va + at;
		*dw++ = (dst->va + at) >> 32;
	}
	sub.ndw = dw - (uint32_t *)ib.cpu;
	*best = UINT64_MAX;
	for (round = 0; round < 5 && !ret; round++) {
		start = now_ns();
		ret = sub_run(die, &sub);
		if (now_ns() - start < *best)
			*best = now_ns() - start;
	}
	buf_free(&ib);
	return ret;
}

static int copies(struct die *die)
{
	struct buf src = { 0 }, dst = { 0 };
	uint64_t best;
	int ret;

	ret = buf_alloc(die, COPY_BYTES, AMDGPU_GEM_DOMAIN_VRAM, &src);
	if (!ret)
		ret = buf_alloc(die, COPY_BYTES, AMDGPU_GEM_DOMAIN_VRAM, &dst);
	if (ret)
		goto out;
	memset(src.cpu, 0x5a, COPY_BYTES);
	ret = copy_best(die, &src, &dst, &best);
	if (!ret && memcmp(src.cpu, dst.cpu, COPY_BYTES)) {
		fprintf(stderr, "vgpu-bench: the copy is wrong\n");
		ret = -EIO;
	}
	if (!ret)
		printf("guest-sdma-copy-64MiB %.2f GB/s\n", (double)COPY_BYTES / best);
out:
	buf_free(&dst);
	buf_free(&src);
	return ret;
}

static int bare_trap(struct die *die, double *us)
{
	unsigned long long mean, best;
	FILE *f = die_debugfs(die, "vgpu_trap", "r");
	int n;

	if (!f)
		return -ENOENT;
	n = fscanf(f, "rounds %*u mean_ns %llu best_ns %llu", &mean, &best);
	fclose(f);
	if (n != 2)
		return -EIO;
	*us = mean / 1e3;
	printf("sdma-trap %.1f us\n", *us);
	return 0;
}

static int bench_die(void)
{
	struct die die;
	double trap_us;
	int ret = die_open(0, &die);

	if (ret)
		return ret;
	ret = bare_trap(&die, &trap_us);
	if (!ret)
		ret = submissions(&die, AMDGPU_HW_IP_DMA, "sdma", trap_us);
	if (!ret)
		ret = submissions(&die, AMDGPU_HW_IP_GFX, "gfx", trap_us);
	if (!ret)
		ret = copies(&die);
	die_close(&die);
	return ret;
}

int main(int argc, char **argv)
{
	bool hive = argc == 2 && !strcmp(argv[1], "hive");
	int ret;

	if (argc > 1 && !hive) {
		fputs("usage: vgpu-bench [hive]    (the first die, or all of them)\n", stderr);
		return 2;
	}
	ret = hive ? bench_hive() : bench_die();
	if (ret)
		fprintf(stderr, "vgpu-bench: %s\n", strerror(-ret));
	return ret != 0;
}
