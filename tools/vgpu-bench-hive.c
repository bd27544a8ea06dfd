// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * vgpu-bench hive: a copy to a peer beside one at home, submissions on more and
 * more dies at the same time, and a reset of all. Documentation/development.rst,
 * "Figures".
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <hw/sdma.h>

#include "vgpu-bench.h"

#define SUBMISSIONS	500
#define RESETS		5

static struct die dies[DIE_MAX];

static double gb_s(uint64_t ns)
{
	return (double)COPY_BYTES / ns;
}

static int peer_copies(void)
{
	struct buf src = { 0 }, dst = { 0 }, away = { 0 }, peer = { 0 };
	uint64_t local_ns, peer_ns;
	int ret, fd;

	ret = buf_alloc(&dies[0], COPY_BYTES, AMDGPU_GEM_DOMAIN_VRAM, &src);
	if (!ret)
		ret = buf_alloc(&dies[0], COPY_BYTES, AMDGPU_GEM_DOMAIN_VRAM, &dst);
	if (!ret)
		ret = buf_alloc(&dies[1], COPY_BYTES, AMDGPU_GEM_DOMAIN_VRAM, &away);
	if (ret)
		goto out;
	fd = buf_export(&away);
	ret = fd < 0 ? fd : buf_import(&dies[0], fd, &peer);
	if (fd >= 0)
		close(fd);
	if (ret)
		goto out;
	memset(src.cpu, 0xa5, COPY_BYTES);
	ret = copy_best(&dies[0], &src, &dst, &local_ns);
	if (!ret)
		ret = copy_best(&dies[0], &src, &peer, &peer_ns);
	if (!ret && memcmp(src.cpu, away.cpu, COPY_BYTES)) {
		fprintf(stderr, "vgpu-bench: the copy to the peer is wrong\n");
		ret = -EIO;
	}
	if (!ret) {
		printf("copy-local-64MiB %.2f GB/s\n", gb_s(local_ns));
		printf("copy-peer-64MiB %.2f GB/s\n", gb_s(peer_ns));
		printf("copy-peer-to-local %.2f ratio\n", (double)local_ns / peer_ns);
	}
out:
	buf_forget(&peer);
	buf_free(&away);
	buf_free(&dst);
	buf_free(&src);
	return ret;
}

struct worker {
	struct die *die;
	pthread_t thread;
	int result;
};

/* Empty submissions, one after the other */
static void *submit(void *arg)
{
	struct sub sub = { .ip = AMDGPU_HW_IP_DMA, .ndw = 1 };
	struct worker *k = arg;
	struct buf ib;
	int i;

	k->result = buf_alloc(k->die, 4096, AMDGPU_GEM_DOMAIN_GTT, &ib);
	if (k->result)
		return NULL;
	*(uint32_t *)ib.cpu = SDMA_OP_NOP;
	sub.ib = &ib;
	for (i = 0; i < SUBMISSIONS && !k->result; i++)
		k->result = sub_run(k->die, &sub);
	buf_free(&ib);
	return NULL;
}

/* SUBMISSIONS on each of @num dies at once. */
static int submissions(unsigned int num, uint64_t *ns)
{
	static struct worker workers[DIE_MAX];
	uint64_t start = now_ns();
	unsigned int i, started;
	int ret = 0;

	for (started = 0; started < num && !ret; started++) {
		workers[started] = (struct worker){ .die = &dies[started] };
		ret = -pthread_create(&workers[started].thread, NULL, submit, &workers[started]);
	}
	if (ret)
		started--;
	for (i = 0; i < started; i++) {
		pthread_join(workers[i].thread, NULL);
		if (!ret)
			ret = workers[i].result;
	}
	*ns = now_ns() - start;
	return ret;
}

/* Cost: the time that it takes, against one die doing the same beside nobody. */
static int scaling(unsigned int num_dies)
{
	uint64_t one = 0, ns;
	unsigned int num;
	int ret;

	for (num = 1; num <= num_dies; num *= 2) {
		ret = submissions(num, &ns);
		if (ret)
			return ret;
		if (num == 1)
			one = ns;
		printf("submissions-on-%u-dies %.0f /s\n", num, num * SUBMISSIONS * 1e9 / ns);
		printf("submissions-on-%u-dies-cost %.2f ratio\n", num, (double)ns / one);
	}
	return 0;
}

static int resets(unsigned int num_dies)
{
	uint64_t ns[RESETS];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < RESETS && !ret; i++) {
		uint64_t start = now_ns();
		FILE *f = die_debugfs(&dies[0], "vgpu_hive_reset", "w");

		if (!f)
			return -errno;
		fputs("2\n", f);
		ret = fclose(f) ? -errno : 0;
		ns[i] = now_ns() - start;
	}
	if (!ret)
		printf("hive-reset-%u-dies %.1f ms\n", num_dies, median_ns(ns, RESETS) / 1e6);
	return ret;
}

int bench_hive(void)
{
	unsigned int num = 0, i;
	int ret = 0;

	while (num < DIE_MAX && !ret) {
		ret = die_open(num, &dies[num]);
		if (!ret)
			num++;
	}
	if (ret == -ENOENT)
		ret = num < 2 ? -ENODEV : 0;
	if (!ret)
		ret = peer_copies();
	if (!ret)
		ret = scaling(num);
	if (!ret)
		ret = resets(num);
	for (i = 0; i < num; i++)
		die_close(&dies[i]);
	return ret;
}
