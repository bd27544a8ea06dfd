// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * demo: what "make run" shows. On each die the CP writes memory and registers
 * and SDMA copies 1 MiB, both checked; then the path of one submission, step
 * by step. Documentation/submission.rst, "The path", explains the table.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hw/pm4.h>
#include <hw/reg/gc.h>
#include <hw/sdma.h>

#include "lib/die.h"

#define COPY_BYTES	(1u << 20)
#define MAGIC		0xdeadbeefu

static bool fail(const char *what, int err)
{
	printf("  %s: FAILED%s%s\n", what, err ? ", " : "", err ? strerror(-err) : "");
	return false;
}

/*
 * The CP sets a scratch register, copies it to memory, and writes memory
 * itself: registers and memory are both proved by what the CPU reads.
 */
static bool demo_cp(struct die *die, struct buf *ib, struct buf *buf)
{
	uint32_t scratch = VGPU_REG_ABS(GC, regSCRATCH_REG1);
	uint64_t va = buf->va;
	const uint32_t packets[] = {
		PACKET3(PACKET3_SET_UCONFIG_REG, 1),
		scratch - PACKET3_SET_UCONFIG_REG_START,
		MAGIC,
		PACKET3(PACKET3_COPY_DATA, 4),
		PACKET3_COPY_DATA_SRC_SEL(PACKET3_COPY_DATA_SRC_REG) |
			PACKET3_COPY_DATA_DST_SEL(PACKET3_COPY_DATA_DST_MEM) |
			PACKET3_COPY_DATA_WR_CONFIRM,
		scratch, 0,
		va, va >> 32,
		PACKET3(PACKET3_WRITE_DATA, 4),
		WRITE_DATA_DST_SEL(WRITE_DATA_DST_SEL_MEM) | WR_CONFIRM,
		va + 8, (va + 8) >> 32,
		0x01234567, 0x89abcdef,
	};
	struct buf *bufs[] = { buf, NULL };
	struct sub sub = {
		.ip = AMDGPU_HW_IP_GFX, .ib = ib, .bufs = bufs,
		.ndw = sizeof(packets) / sizeof(packets[0]),
	};
	const uint32_t *got = buf->cpu;
	int ret;

	memcpy(ib->cpu, packets, sizeof(packets));
	ret = sub_run(die, &sub);
	if (ret)
		return fail("CP", ret);
	if (got[0] != MAGIC || got[2] != 0x01234567 || got[3] != 0x89abcdef)
		return fail("CP: memory does not hold what the packets say", 0);
	printf("  CP:   scratch register 0x%x <- 0x%08x, memory <- 0x%08x%08x: ok\n", scratch,
	       got[0], got[3], got[2]);
	return true;
}

static bool demo_sdma(struct die *die, unsigned int engine, struct buf *ib, struct buf *src,
		      struct buf *dst)
{
	struct buf *bufs[] = { src, dst, NULL };
	struct sub sub = {
		.ip = AMDGPU_HW_IP_DMA, .ring = engine, .ib = ib, .bufs = bufs, .ndw = 7,
	};
	uint32_t *dw = ib->cpu, *from = src->cpu;
	unsigned int i;
	int ret;

	for (i = 0; i < COPY_BYTES / 4; i++)
		from[i] = i * 2654435761u + engine;
	dw[0] = SDMA_OP_COPY | SDMA_SUBOP_COPY_LINEAR << 8;
	dw[1] = COPY_BYTES - 1;
	dw[2] = 0;
	dw[3] = src->va;
	dw[4] = src->va >> 32;
	dw[5] = dst->va;
	dw[6] = dst->va >> 32;
	ret = sub_run(die, &sub);
	if (ret)
		return fail("SDMA", ret);
	if (memcmp(src->cpu, dst->cpu, COPY_BYTES))
		return fail("SDMA: the copy differs", 0);
	printf("  SDMA: 1 MiB copied from system memory to VRAM by engine %u: ok\n", engine);
	return true;
}

static bool demo_die(unsigned int index, struct die *die)
{
	struct buf ib, src, dst;
	bool ok = false;
	int ret;

	printf("die %u (%s)\n", index, die->pci);
	ret = buf_alloc(die, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib);
	if (ret)
		return fail("memory", ret);
	ret = buf_alloc(die, COPY_BYTES, AMDGPU_GEM_DOMAIN_GTT, &src);
	if (ret) {
		fail("memory", ret);
		goto free_ib;
	}
	ret = buf_alloc(die, COPY_BYTES, AMDGPU_GEM_DOMAIN_VRAM, &dst);
	if (ret) {
		fail("memory", ret);
		goto free_src;
	}
	ok = demo_cp(die, &ib, &dst) && demo_sdma(die, index % 2, &ib, &src, &dst);
	buf_free(&dst);
free_src:
	buf_free(&src);
free_ib:
	buf_free(&ib);
	return ok;
}

static bool path_switch(struct die *die, bool on)
{
	FILE *f = die_debugfs(die, "vgpu_path", "w");

	if (!f)
		return fail("path: debugfs", -errno);
	fputs(on ? "1" : "0", f);
	return !fclose(f) || fail("path: debugfs", -errno);
}

/* A few submissions to warm up, then one that is recorded and shown. */
static bool demo_path(struct die *die)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ndw = 1 };
	struct buf ib;
	char line[256];
	unsigned int i, lines = 0;
	int ret;
	FILE *f;

	ret = buf_alloc(die, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib);
	if (ret)
		return fail("memory", ret);
	sub.ib = &ib;
	*(uint32_t *)ib.cpu = PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT);
	for (i = 0; i < 8 && !ret; i++) {
		if (i == 7 && !path_switch(die, true))
			ret = -EIO;
		else
			ret = sub_run(die, &sub);
	}
	buf_free(&ib);
	if (ret)
		return fail("path", ret);

	printf("the path of one submission on die 0\n");
	f = die_debugfs(die, "vgpu_path", "r");
	while (f && fgets(line, sizeof(line), f)) {
		printf("  %s", line);
		lines++;
	}
	if (f)
		fclose(f);
	path_switch(die, false);
	return lines > 1 || fail("path: nothing recorded", 0);
}

int main(void)
{
	struct die die[DIE_MAX];
	unsigned int i, n;
	bool ok = true;
	int ret;

	for (n = 0; n < DIE_MAX; n++) {
		ret = die_open(n, &die[n]);
		if (ret == -ENOENT)
			break;
		if (ret) {
			printf("die %u: cannot be opened: %s\n", n, strerror(-ret));
			return 1;
		}
	}
	if (!n) {
		printf("no die found; is the driver loaded?\n");
		return 1;
	}
	for (i = 0; i < n; i++)
		ok = demo_die(i, &die[i]) && ok;
	ok = ok && demo_path(&die[0]);
	for (i = 0; i < n; i++)
		die_close(&die[i]);
	printf("%s\n", ok ? "all right" : "something is wrong");
	return ok ? 0 : 1;
}
