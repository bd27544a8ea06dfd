// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Host test of the packet text: known packets against their definition, random
 * streams through text and back, and each error. TAP on standard output.
 */
#include <stdlib.h>
#include <string.h>

#include <hw/pm4.h>
#include <hw/sdma.h>

#include "packets.h"

static unsigned int tests, failures;

static void ok(bool good, const char *what)
{
	tests++;
	failures += !good;
	printf("%sok %u - %.*s\n", good ? "" : "not ", tests, (int)strcspn(what, "\n"), what);
}

static void expect(enum pkt_engine engine, const char *text, const uint32_t *want, long n)
{
	static const struct pkt_var vars[] = { { "buf", 0x100002000ull }, { NULL, 0 } };
	uint32_t out[64];
	char err[100];
	long got = pkt_assemble(engine, text, vars, out, 64, err, sizeof(err));

	ok(got == n && !memcmp(out, want, n * sizeof(*want)), text);
}

static void expect_error(enum pkt_engine engine, const char *text, const char *part)
{
	uint32_t out[8];
	char err[100] = "";
	long got = pkt_assemble(engine, text, NULL, out, 8, err, sizeof(err));

	if (got != -1 || !strstr(err, part))
		printf("# '%s' gave %ld, '%s'\n", text, got, err);
	ok(got == -1 && strstr(err, part), part);
}

/* Any dwords at all must come back; half of them look like packets. */
static bool exact(enum pkt_engine engine, unsigned int seed)
{
	enum { N = 4096 };
	static uint32_t in[N], out[N];
	char *text = NULL, err[100];
	size_t len, i;
	FILE *f = open_memstream(&text, &len);
	long got;

	if (!f)
		return false;
	srandom(seed);
	for (i = 0; i < N; i++) {
		in[i] = (uint32_t)random() << 16 ^ random();
		if (random() & 1)
			in[i] = engine == PKT_PM4 ? PACKET3(random(), random() % 8) | (random() & 3)
						  : random() % 17 | (random() % 3) << 8;
	}
	pkt_disassemble(engine, in, N, f);
	fclose(f);
	got = pkt_assemble(engine, text, NULL, out, N, err, sizeof(err));
	if (got < 0)
		printf("# %s\n", err);
	free(text);
	return got == N && !memcmp(in, out, sizeof(in));
}

int main(void)
{
	static const uint32_t write_data[] = {
		PACKET3(PACKET3_WRITE_DATA, 3), WRITE_DATA_DST_SEL(5) | WR_CONFIRM,
		0x2008, 0x1, 0xdeadbeef
	};
	static const uint32_t nop[] = { PACKET3(PACKET3_NOP, 1), 1, 2, 0xffff1000 };
	static const uint32_t type0[] = { 1 << 16 | 0x2040, 7, 8, 0x80000000 };
	static const uint32_t ib[] = {
		PACKET3(PACKET3_INDIRECT_BUFFER, 2), 0x2000, 1, 0x10 | 1 << 20 | 3 << 24
	};
	static const uint32_t pred[] = { PACKET3(PACKET3_SWITCH_BUFFER, 0) | 1, 0 };
	static const uint32_t fence[] = { SDMA_OP_FENCE, 0x2000, 1, 9 };
	static const uint32_t write[] = { SDMA_OP_WRITE, 0x2000, 1, 0, 0xdeadbeef };
	static const uint32_t sdma_nop[] = { 2 << 16, 5, 6 };
	unsigned int seed;
	bool all = true;

	expect(PKT_PM4, "WRITE_DATA dst=mem confirm=1 addr=$buf+8 : 0xdeadbeef", write_data, 5);
	expect(PKT_PM4, "NOP : 1 2 # comment\nNOP1\n", nop, 4);
	expect(PKT_PM4, "TYPE0 reg=0x2040 : 7 8\nTYPE2", type0, 4);
	expect(PKT_PM4, "INDIRECT_BUFFER addr=$buf size=16 chain=1 vmid=3", ib, 4);
	expect(PKT_PM4, "SWITCH_BUFFER dw0=1", pred, 2);
	expect(PKT_PM4, "0x7 8\n.dword 9", (const uint32_t[]){ 7, 8, 9 }, 3);
	expect(PKT_SDMA, "FENCE addr=$buf data=9", fence, 4);
	expect(PKT_SDMA, "WRITE_LINEAR addr=$buf : 0xdeadbeef", write, 5);
	expect(PKT_SDMA, "NOP : 5 6", sdma_nop, 3);

	expect_error(PKT_PM4, "TYPE2\nFROB", "line 2: no PM4 packet is called 'FROB'");
	expect_error(PKT_PM4, "WRITE_DATA frob=1 : 1", "has no field 'frob'");
	expect_error(PKT_PM4, "WRITE_DATA dst=99 : 1", "does not fit in the field");
	expect_error(PKT_PM4, "WRITE_DATA addr=xyz : 1", "'xyz' is not a number");
	expect_error(PKT_PM4, "WRITE_DATA addr=$nix : 1", "no such name as $nix");
	expect_error(PKT_PM4, "WAIT_REG_MEM : 1", "takes no data");
	expect_error(PKT_PM4, "NOP", "needs at least one dword");
	expect_error(PKT_PM4, "NOP : 0x100000000", "does not fit in a dword");
	expect_error(PKT_PM4, "NOP : 1 2 3 4 5 6 7 8 9", "more than 8 dwords");
	expect_error(PKT_PM4, "NOP 5", "is not name=value");
	expect_error(PKT_PM4, "SWITCH_BUFFER dw7=1", "the packet has no dword");
	expect_error(PKT_SDMA, "WRITE_LINEAR addr=0", "cannot have 0 dwords");

	for (seed = 1; seed <= 50; seed++)
		all = all && exact(PKT_PM4, seed) && exact(PKT_SDMA, seed);
	ok(all, "random streams come back exactly");

	printf("1..%u\n", tests);
	return failures != 0;
}
