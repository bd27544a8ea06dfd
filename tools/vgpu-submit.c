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
#include <unistd.h>

#include <hw/pm4.h>

#include "lib/die.h"
#include "pm4/packets.h"

#define IB_SIZE		(1u << 16)
#define MAX_DWORDS	(IB_SIZE / 4 - 8)

static const char usage[] =
	"usage: vgpu-submit [-d DIE] [-p DIE] [-r RING] [-b BYTES] [-t MS] [-q] [FILE | -e TEXT]\n"
	"  -d DIE    number of the die (0)\n"
	"  -p DIE    one of its hive, in whose memory $peer is\n"
	"  -r RING   gfx, comp0 to comp7, sdma0 to sdma4 (gfx)\n"
	"  -b BYTES  size of the buffer that $buf is the address of (4096)\n"
	"  -t MS     how long to wait for the end (20000)\n"
	"  -e TEXT   the packets; \";\" is not a separator, use several -e\n"
	"  -q        print only what changed in the buffer\n"
	"Packets are the text form of pm4, or plain hex dwords. $buf is a zeroed buffer in VRAM,\n"
	"$sys one of the same size in system memory, $peer one in VRAM of another die, $ib the\n"
	"packets themselves.\n";

struct options {
	unsigned int die;
	int peer;			/* -1: none */
	const char *ring_name;		/* of the command line */
	unsigned int ip, ring;
	uint64_t bytes;
	uint64_t timeout_ms;
	bool quiet;
	char *text;
};

static int parse_ring(const char *s, struct options *o)
{
	o->ring_name = s;
	if (!strcmp(s, "gfx")) {
		o->ip = AMDGPU_HW_IP_GFX;
		o->ring = 0;
		return 0;
	}
	if (!strncmp(s, "comp", 4) && s[4] >= '0' && s[4] <= '7' && !s[5]) {
		o->ip = AMDGPU_HW_IP_COMPUTE;
		o->ring = s[4] - '0';
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

/* A die and what its packets have to do with. All zero: nothing was opened or allocated yet. */
struct bench {
	struct die die;
	struct buf ib, buf, sys;
	struct die peer_die;		/* as everything of the peer: only with -p */
	struct buf peer_buf;		/* as its owner has it, with a mapping for the CPU */
	struct buf peer;		/* the same, as the die has it */
};

static int open_die(unsigned int index, struct die *die)
{
	int ret = die_open(index, die);

	if (ret)
		fprintf(stderr, "vgpu-submit: die %u: %s\n", index,
			ret == -ENOENT ? "there is none (is the driver loaded?)" : strerror(-ret));
	return ret;
}

static int share_peer(const struct options *o, struct bench *b)
{
	int ret = buf_alloc(&b->peer_die, o->bytes, AMDGPU_GEM_DOMAIN_VRAM, &b->peer_buf), fd;

	if (ret)
		return ret;
	fd = buf_export(&b->peer_buf);
	if (fd < 0)
		return fd;
	ret = buf_import(&b->die, fd, &b->peer);
	close(fd);
	return ret;
}

static int bench_open(const struct options *o, struct bench *b)
{
	int ret = open_die(o->die, &b->die);

	if (!ret && o->peer >= 0)
		ret = open_die(o->peer, &b->peer_die);
	if (ret)
		return ret;
	ret = buf_alloc(&b->die, IB_SIZE, AMDGPU_GEM_DOMAIN_GTT, &b->ib);
	if (!ret)
		ret = buf_alloc(&b->die, o->bytes, AMDGPU_GEM_DOMAIN_VRAM, &b->buf);
	if (!ret)
		ret = buf_alloc(&b->die, o->bytes, AMDGPU_GEM_DOMAIN_GTT, &b->sys);
	if (!ret && o->peer >= 0)
		ret = share_peer(o, b);
	if (ret)
		fprintf(stderr, "vgpu-submit: no memory for the packets: %s\n", strerror(-ret));
	return ret;
}

static void bench_close(struct bench *b)
{
	buf_forget(&b->peer);
	buf_free(&b->peer_buf);
	if (b->peer_die.dev)
		die_close(&b->peer_die);
	buf_free(&b->sys);
	buf_free(&b->buf);
	buf_free(&b->ib);
	if (b->die.dev)
		die_close(&b->die);
}

static int run(const struct options *o, struct bench *b)
{
	struct buf *ib = &b->ib, *buf = &b->buf, *sys = &b->sys;
	struct buf *bufs[] = { buf, sys, o->peer < 0 ? NULL : &b->peer, NULL };
	struct sub sub = { .ip = o->ip, .ring = o->ring, .ib = ib, .bufs = bufs };
	const struct pkt_var vars[] = {
		{ "buf", buf->va }, { "sys", sys->va }, { "ib", ib->va },
		{ o->peer < 0 ? NULL : "peer", b->peer.va }, { NULL, 0 }
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
		printf("die %u, %s, %ld dwords; $buf=0x%llx $sys=0x%llx $ib=0x%llx", o->die,
		       o->ring_name, n,
		       (unsigned long long)buf->va, (unsigned long long)sys->va,
		       (unsigned long long)ib->va);
		if (o->peer >= 0)
			printf(" $peer=0x%llx", (unsigned long long)b->peer.va);
		putchar('\n');
		pkt_disassemble(engine, ib->cpu, n, stdout);
	}
	ret = sub_submit(&b->die, &sub);
	if (ret) {
		fprintf(stderr, "vgpu-submit: the driver refused it: %s\n", strerror(-ret));
		return 1;
	}
	ret = sub_wait(&b->die, &sub, o->timeout_ms * 1000000);
	if (ret)
		fprintf(stderr, "vgpu-submit: %s; the kernel log says more\n",
			ret == -ETIME ? "not done in time" : strerror(-ret));
	else if (!o->quiet)
		printf("done, fence %llu\n", (unsigned long long)sub.seq);
	show_changes("$buf", buf);
	show_changes("$sys", sys);
	if (o->peer >= 0)
		show_changes("$peer", &b->peer_buf);
	return ret != 0;
}

int main(int argc, char **argv)
{
	struct options o = {
		.peer = -1, .bytes = 4096, .timeout_ms = 20000, .ip = AMDGPU_HW_IP_GFX,
		.ring_name = "gfx",
	};
	struct bench b = { 0 };
	uint64_t v;
	int c, ret;

	while ((c = getopt(argc, argv, "d:p:r:b:t:e:qh")) != -1) {
		switch (c) {
		case 'd':
			o.die = strtoul(optarg, NULL, 0);
			break;
		case 'p':
			o.peer = strtoul(optarg, NULL, 0);
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

	ret = bench_open(&o, &b) ? 1 : run(&o, &b);
	bench_close(&b);
	free(o.text);
	return ret;
}
