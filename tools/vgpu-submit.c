// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * vgpu-submit: runs packets, as text or as hex, on a ring of a die and says
 * what happened. Documentation/tools.rst.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hw/pm4.h>

#include "lib/die.h"
#include "pm4/packets.h"

#define IB_SIZE		(1u << 16)
#define MAX_DWORDS	(IB_SIZE / 4 - 8)

static const char usage[] =
	"usage: vgpu-submit [-d DIE] [-r RING] [-b BYTES] [-t MS] [-q] [FILE | -e TEXT]\n"
	"  -d DIE    number of the die (0)\n"
	"  -r RING   gfx, or sdma0 to sdma4 (gfx)\n"
	"  -b BYTES  size of the buffer that $buf is the address of (4096)\n"
	"  -t MS     how long to wait for the end (20000)\n"
	"  -e TEXT   the packets; \";\" is not a separator, use several -e\n"
	"  -q        print only what changed in the buffer\n"
	"Packets are the text form of pm4, or plain hex dwords. $buf is a zeroed buffer in VRAM,\n"
	"$sys one of the same size in system memory, $ib the packets themselves.\n";

struct options {
	unsigned int die;
	unsigned int ip, ring;
	uint64_t bytes;
	uint64_t timeout_ms;
	bool quiet;
	char *text;
};

static int parse_ring(const char *s, struct options *o)
{
	if (!strcmp(s, "gfx")) {
		o->ip = AMDGPU_HW_IP_GFX;
		o->ring = 0;
		return 0;
	}
	if (!strncmp(s, "sdma", 4) && s[4] >= '0' && s[4] <= '4' && !s[5]) {
		o->ip = AMDGPU_HW_IP_DMA;
		o->ring = s[4] - '0';
		return 0;
	}
	fprintf(stderr, "vgpu-submit: no ring is called '%s'\n", s);
	return -1;
}

static int parse_num(const char *s, uint64_t max, uint64_t *v)
{
	char *end;

	errno = 0;
	*v = strtoull(s, &end, 0);
	if (!*s || *end || errno || !*v || *v > max) {
		fprintf(stderr, "vgpu-submit: '%s' is not a number from 1 to %llu\n", s,
			(unsigned long long)max);
		return -1;
	}
	return 0;
}

static char *append(char *text, const char *more)
{
	size_t a = text ? strlen(text) : 0, b = strlen(more);
	char *n = realloc(text, a + b + 2);

	if (!n) {
		free(text);
		return NULL;
	}
	memcpy(n + a, more, b);
	memcpy(n + a + b, "\n", 2);
	return n;
}

static char *read_file(const char *name)
{
	FILE *f = name ? fopen(name, "r") : stdin;
	char *text = NULL;
	size_t cap = 0;

	if (!f || getdelim(&text, &cap, 0, f) < 0) {
		fprintf(stderr, "vgpu-submit: %s: %s\n", name ? name : "standard input",
			f && !ferror(f) ? "nothing in it" : strerror(errno));
		free(text);
		text = NULL;
	}
	if (f && name)
		fclose(f);
	return text;
}

/* Dwords of a buffer that are no longer zero, four a line, runs of none left out. */
static void show_changes(const char *name, const struct buf *buf)
{
	const uint32_t *dw = buf->cpu;
	uint64_t i, n = buf->size / 4;
	unsigned int lines = 0;

	for (i = 0; i < n; i += 4) {
		if (!(dw[i] | dw[i + 1] | dw[i + 2] | dw[i + 3]))
			continue;
		if (lines++ == 64) {
			printf("%s ... more\n", name);
			return;
		}
		printf("%s+0x%llx: %08x %08x %08x %08x\n", name, (unsigned long long)i * 4, dw[i],
		       dw[i + 1], dw[i + 2], dw[i + 3]);
	}
	if (!lines)
		printf("%s: unchanged\n", name);
}

static int run(struct options *o, struct die *die, struct buf *ib, struct buf *buf,
	       struct buf *sys)
{
	struct buf *bufs[] = { buf, sys, NULL };
	struct sub sub = { .ip = o->ip, .ring = o->ring, .ib = ib, .bufs = bufs };
	const struct pkt_var vars[] = {
		{ "buf", buf->va }, { "sys", sys->va }, { "ib", ib->va }, { NULL, 0 }
	};
	enum pkt_engine engine = o->ip == AMDGPU_HW_IP_DMA ? PKT_SDMA : PKT_PM4;
	char err[200];
	long n = pkt_assemble(engine, o->text, vars, ib->cpu, MAX_DWORDS, err, sizeof(err));
	int ret;

	if (n < 0) {
		fprintf(stderr, "vgpu-submit: %s\n", err);
		return 1;
	}
	if (!n) {
		fprintf(stderr, "vgpu-submit: no packets\n");
		return 1;
	}
	sub.ndw = n;
	if (!o->quiet) {
		printf("die %u, %s%.0u, %ld dwords; $buf=0x%llx $sys=0x%llx $ib=0x%llx\n", o->die,
		       engine == PKT_SDMA ? "sdma" : "gfx", o->ring, n,
		       (unsigned long long)buf->va, (unsigned long long)sys->va,
		       (unsigned long long)ib->va);
		pkt_disassemble(engine, ib->cpu, n, stdout);
	}
	ret = sub_submit(die, &sub);
	if (ret) {
		fprintf(stderr, "vgpu-submit: the driver refused it: %s\n", strerror(-ret));
		return 1;
	}
	ret = sub_wait(die, &sub, o->timeout_ms * 1000000);
	if (ret)
		fprintf(stderr, "vgpu-submit: %s; the kernel log says more\n",
			ret == -ETIME ? "not done in time" : strerror(-ret));
	else if (!o->quiet)
		printf("done, fence %llu\n", (unsigned long long)sub.seq);
	show_changes("$buf", buf);
	show_changes("$sys", sys);
	return ret != 0;
}

int main(int argc, char **argv)
{
	struct options o = { .bytes = 4096, .timeout_ms = 20000, .ip = AMDGPU_HW_IP_GFX };
	struct buf ib = { 0 }, buf = { 0 }, sys = { 0 };
	struct die die;
	uint64_t v;
	int c, ret;

	while ((c = getopt(argc, argv, "d:r:b:t:e:qh")) != -1) {
		switch (c) {
		case 'd':
			o.die = strtoul(optarg, NULL, 0);
			break;
		case 'r':
			if (parse_ring(optarg, &o))
				return 2;
			break;
		case 'b':
			if (parse_num(optarg, 1 << 28, &o.bytes))
				return 2;
			break;
		case 't':
			if (parse_num(optarg, 3600000, &v))
				return 2;
			o.timeout_ms = v;
			break;
		case 'e':
			o.text = append(o.text, optarg);
			break;
		case 'q':
			o.quiet = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (!o.text)
		o.text = read_file(optind < argc ? argv[optind] : NULL);
	if (!o.text)
		return 1;

	ret = die_open(o.die, &die);
	if (ret) {
		fprintf(stderr, "vgpu-submit: die %u: %s\n", o.die,
			ret == -ENOENT ? "there is none (is the driver loaded?)" : strerror(-ret));
		free(o.text);
		return 1;
	}
	ret = buf_alloc(&die, IB_SIZE, AMDGPU_GEM_DOMAIN_GTT, &ib);
	if (!ret)
		ret = buf_alloc(&die, o.bytes, AMDGPU_GEM_DOMAIN_VRAM, &buf);
	if (!ret)
		ret = buf_alloc(&die, o.bytes, AMDGPU_GEM_DOMAIN_GTT, &sys);
	if (ret) {
		fprintf(stderr, "vgpu-submit: no memory on the die: %s\n", strerror(-ret));
		ret = 1;
	} else {
		ret = run(&o, &die, &ib, &buf, &sys);
	}
	buf_free(&sys);
	buf_free(&buf);
	buf_free(&ib);
	die_close(&die);
	free(o.text);
	return ret;
}
