// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * pm4: assembles and disassembles PM4 and SDMA streams, both ways exact.
 * Documentation/tools.rst.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "packets.h"

#define MAX_DWORDS	1048576u

static const char usage[] =
	"usage: pm4 [--sdma] [--binary] asm|dis [FILE]\n"
	"  asm       text to dwords, one hex number a line\n"
	"  dis       dwords (hex numbers) to text\n"
	"  --sdma    packets of SDMA, not of the command processor\n"
	"  --binary  dwords are little-endian binary, not hex\n"
	"Reads FILE or standard input.\n";

static char *read_all(FILE *f, size_t *len)
{
	size_t cap = 65536, n = 0;
	char *buf = malloc(cap + 1);

	while (buf) {
		n += fread(buf + n, 1, cap - n, f);
		if (n < cap)
			break;
		if (cap >= 64u << 20) {
			free(buf);
			errno = EFBIG;
			return NULL;
		}
		cap *= 2;
		buf = realloc(buf, cap + 1);
	}
	if (!buf || ferror(f)) {
		free(buf);
		return NULL;
	}
	buf[n] = 0;
	*len = n;
	return buf;
}

static int assemble(enum pkt_engine engine, bool binary, const char *text, uint32_t *dw)
{
	char err[200];
	long i, n = pkt_assemble(engine, text, NULL, dw, MAX_DWORDS, err, sizeof(err));

	if (n < 0) {
		fprintf(stderr, "pm4: %s\n", err);
		return 1;
	}
	if (binary)
		return fwrite(dw, sizeof(*dw), n, stdout) == (size_t)n ? 0 : 1;
	for (i = 0; i < n; i++)
		printf("0x%08x\n", dw[i]);
	return 0;
}

static int disassemble(enum pkt_engine engine, bool binary, char *text, size_t len, uint32_t *dw)
{
	char *tok, *end;
	size_t n = 0;

	if (binary) {
		if (len % sizeof(*dw) || len / sizeof(*dw) > MAX_DWORDS) {
			fprintf(stderr, "pm4: %zu bytes are no whole stream\n", len);
			return 1;
		}
		n = len / sizeof(*dw);
		memcpy(dw, text, len);
	} else {
		for (tok = strtok(text, " \t\r\n,"); tok; tok = strtok(NULL, " \t\r\n,")) {
			unsigned long v;

			errno = 0;
			v = strtoul(tok, &end, 16);
			if (*end || errno || v > UINT32_MAX) {
				fprintf(stderr, "pm4: '%s' is not a hex dword\n", tok);
				return 1;
			}
			if (n == MAX_DWORDS) {
				fprintf(stderr, "pm4: more than %u dwords\n", MAX_DWORDS);
				return 1;
			}
			dw[n++] = v;
		}
	}
	pkt_disassemble(engine, dw, n, stdout);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option opts[] = {
		{ "sdma", no_argument, NULL, 's' }, { "binary", no_argument, NULL, 'b' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	enum pkt_engine engine = PKT_PM4;
	bool binary = false;
	uint32_t *dw;
	size_t len;
	char *text;
	FILE *f;
	int c, ret;

	while ((c = getopt_long(argc, argv, "h", opts, NULL)) != -1) {
		switch (c) {
		case 's':
			engine = PKT_SDMA;
			break;
		case 'b':
			binary = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (optind >= argc || argc - optind > 2 ||
	    (strcmp(argv[optind], "asm") && strcmp(argv[optind], "dis"))) {
		fputs(usage, stderr);
		return 2;
	}

	f = argc - optind == 2 ? fopen(argv[optind + 1], "rb") : stdin;
	if (!f) {
		fprintf(stderr, "pm4: %s: %s\n", argv[optind + 1], strerror(errno));
		return 1;
	}
	text = read_all(f, &len);
	dw = malloc(MAX_DWORDS * sizeof(*dw));
	if (!text || !dw) {
		fprintf(stderr, "pm4: %s\n", strerror(errno));
		return 1;
	}
	if (!strcmp(argv[optind], "asm"))
		ret = assemble(engine, binary, text, dw);
	else
		ret = disassemble(engine, binary, text, len, dw);
	free(text);
	free(dw);
	if (f != stdin)
		fclose(f);
	return ret;
}
