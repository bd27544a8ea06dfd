// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Packets to text and back, from the tables alone. Whatever a stream holds,
 * its text assembles to the same dwords: bits that no field names are kept as
 * dwN=..., what is no packet at all as .dword.
 * Documentation/tools.rst describes the text form.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <hw/pm4.h>

#include "packets.h"

#define MAX_PM4_DATA	0x3fff	/* count 0x3fff is the one-dword NOP */

static const struct pkt_desc *pkt_table(enum pkt_engine engine)
{
	return engine == PKT_PM4 ? pkt_pm4 : pkt_sdma;
}

/* ------------------------------------------------------------ disassembly */

static void print_value(FILE *f, uint64_t v)
{
	if (v < 10)
		fprintf(f, "%u", (unsigned int)v);
	else
		fprintf(f, "0x%llx", (unsigned long long)v);
}

static void print_data(FILE *f, const uint32_t *dw, size_t n)
{
	size_t i;

	if (n)
		fputs(" :", f);
	for (i = 0; i < n; i++) {
		fputc(' ', f);
		print_value(f, dw[i]);
	}
}

/* The fields, then what is left of each dword when they are taken out. */
static void print_fields(const struct pkt_desc *d, const uint32_t *dw, uint32_t hdr_bits, FILE *f)
{
	uint32_t rest[PKT_MAX_FIXED];
	const struct pkt_field *fl;
	const struct pkt_sym *s;
	unsigned int i;
	uint64_t v;

	memcpy(rest, dw, d->fixed * sizeof(*dw));
	rest[0] &= ~hdr_bits;
	if (d->count.mask)
		rest[d->count.dw] &= ~(d->count.mask << d->count.shift);

	for (fl = d->field; fl < d->field + PKT_MAX_FIELDS && fl->name; fl++) {
		if (fl->kind == PKT_WIDE) {
			v = rest[fl->dw] | (uint64_t)rest[fl->dw + 1] << 32;
			rest[fl->dw] = 0;
			rest[fl->dw + 1] = 0;
		} else {
			v = (rest[fl->dw] >> fl->shift) & fl->mask;
			rest[fl->dw] &= ~(fl->mask << fl->shift);
		}
		for (s = fl->syms; s && s->name && s->value != v; s++)
			;
		if (s && s->name) {
			fprintf(f, " %s=%s", fl->name, s->name);
		} else if (v) {
			fprintf(f, " %s=", fl->name);
			print_value(f, v);
		}
	}
	for (i = 0; i < d->fixed; i++)
		if (rest[i])
			fprintf(f, " dw%u=0x%x", i, rest[i]);
}

static const struct pkt_desc *find_op(enum pkt_engine engine, unsigned int op, unsigned int sub)
{
	const struct pkt_desc *d;

	for (d = pkt_table(engine); d->name; d++)
		if (d->op == op && d->sub == sub)
			return d;
	return NULL;
}

/* Each returns the dwords of one packet, 0 when these are none. */
static size_t dis_type3(const uint32_t *dw, size_t n, FILE *f)
{
	uint32_t hdr = dw[0];
	unsigned int op = CP_PACKET3_GET_OPCODE(hdr);
	size_t len = CP_PACKET_GET_COUNT(hdr) + 2;
	const struct pkt_desc *d = find_op(PKT_PM4, op, 0);

	if (op == PACKET3_NOP && CP_PACKET_GET_COUNT(hdr) == PACKET3_NOP_ONE_DWORD_COUNT) {
		fputs("NOP1", f);
		if (hdr & 0xff)
			fprintf(f, " dw0=0x%x", hdr & 0xff);
		return 1;
	}
	if (len > n || CP_PACKET_GET_COUNT(hdr) == MAX_PM4_DATA)
		return 0;
	if (!d || len < d->fixed || (!d->data && len > d->fixed)) {
		fprintf(f, "OP3 op=0x%x", op);
		if (hdr & 0xff)
			fprintf(f, " dw0=0x%x", hdr & 0xff);
		print_data(f, dw + 1, len - 1);
		return len;
	}
	fputs(d->name, f);
	print_fields(d, dw, 0xffffff00, f);
	print_data(f, dw + d->fixed, len - d->fixed);
	return len;
}

static size_t dis_pm4(const uint32_t *dw, size_t n, FILE *f)
{
	uint32_t hdr = dw[0];
	size_t len;

	switch (CP_PACKET_GET_TYPE(hdr)) {
	case PACKET_TYPE0:
		len = CP_PACKET_GET_COUNT(hdr) + 2;
		if (len > n)
			return 0;
		fprintf(f, "TYPE0 reg=0x%x", CP_PACKET0_GET_REG(hdr));
		print_data(f, dw + 1, len - 1);
		return len;
	case PACKET_TYPE2:
		fputs("TYPE2", f);
		if (hdr & PACKET2_PAD_MASK)
			fprintf(f, " dw0=0x%x", hdr & PACKET2_PAD_MASK);
		return 1;
	case PACKET_TYPE3:
		return dis_type3(dw, n, f);
	}
	return 0;
}

static size_t dis_sdma(const uint32_t *dw, size_t n, FILE *f)
{
	const struct pkt_desc *d = find_op(PKT_SDMA, dw[0] & 0xff, (dw[0] >> 8) & 0xff);
	size_t data = 0;

	if (!d || d->fixed > n)
		return 0;
	if (d->count.mask)
		data = ((dw[d->count.dw] >> d->count.shift) & d->count.mask) + d->bias;
	if (data > n - d->fixed)
		return 0;
	fputs(d->name, f);
	print_fields(d, dw, 0xffff, f);
	print_data(f, dw + d->fixed, data);
	return d->fixed + data;
}

void pkt_disassemble(enum pkt_engine engine, const uint32_t *dw, size_t n, FILE *f)
{
	size_t len;

	while (n) {
		len = engine == PKT_PM4 ? dis_pm4(dw, n, f) : dis_sdma(dw, n, f);
		if (!len) {
			fprintf(f, ".dword 0x%x", dw[0]);
			len = 1;
		}
		fputc('\n', f);
		dw += len;
		n -= len;
	}
}

/* --------------------------------------------------------------- assembly */

struct asm_state {
	enum pkt_engine engine;
	const struct pkt_var *vars;
	uint32_t *out;
	size_t n, max;
	unsigned int line;
	char *err;
	size_t errlen;
};

static bool fail(struct asm_state *st, const char *fmt, ...)
{
	int used = snprintf(st->err, st->errlen, "line %u: ", st->line);
	va_list ap;

	if (used > 0 && (size_t)used < st->errlen) {
		va_start(ap, fmt);
		vsnprintf(st->err + used, st->errlen - used, fmt, ap);
		va_end(ap);
	}
	return false;
}

static bool put(struct asm_state *st, uint32_t dw)
{
	if (st->n >= st->max)
		return fail(st, "more than %zu dwords", st->max);
	st->out[st->n++] = dw;
	return true;
}

static bool number(const char *s, const char **end, uint64_t *v)
{
	char *e;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*v = strtoull(s, &e, 0);
	*end = e;
	return !errno;
}

/* number, $name, or a sum or difference of them */
static bool expr(struct asm_state *st, const char *s, uint64_t *out)
{
	const struct pkt_var *var;
	const char *p = s;
	bool minus = false;
	uint64_t v;
	size_t len;

	*out = 0;
	for (;;) {
		if (*p == '$') {
			p++;
			for (len = 0; isalnum((unsigned char)p[len]) || p[len] == '_'; len++)
				;
			for (var = st->vars; var && var->name; var++)
				if (strlen(var->name) == len && !strncmp(var->name, p, len))
					break;
			if (!var || !var->name)
				return fail(st, "no such name as $%.*s", (int)len, p);
			v = var->value;
			p += len;
		} else if (!number(p, &p, &v)) {
			return fail(st, "'%s' is not a number", s);
		}
		*out = minus ? *out - v : *out + v;
		if (!*p)
			return true;
		if (*p != '+' && *p != '-')
			return fail(st, "'%s' is not a number", s);
		minus = *p++ == '-';
	}
}

/* dwN=value: bits that no field names */
static bool raw_bits(struct asm_state *st, const char *name, const char *val, uint32_t *dw,
		     unsigned int fixed, bool *hit)
{
	uint64_t n, v;
	const char *end;

	*hit = !strncmp(name, "dw", 2) && number(name + 2, &end, &n) && !*end;
	if (!*hit)
		return true;
	if (n >= fixed)
		return fail(st, "the packet has no dword %s but as data", name + 2);
	if (!expr(st, val, &v))
		return false;
	if (v > UINT32_MAX)
		return fail(st, "%s=%s does not fit in 32 bits", name, val);
	dw[n] |= v;
	return true;
}

static bool set_field(struct asm_state *st, const struct pkt_desc *d, char *tok, uint32_t *dw)
{
	char *val = strchr(tok, '=');
	const struct pkt_field *fl;
	const struct pkt_sym *s;
	uint64_t v;
	bool hit;

	if (!val)
		return fail(st, "'%s' is not name=value; data comes after ':'", tok);
	*val++ = 0;
	if (!raw_bits(st, tok, val, dw, d->fixed, &hit))
		return false;
	if (hit)
		return true;

	for (fl = d->field; fl < d->field + PKT_MAX_FIELDS && fl->name; fl++)
		if (!strcmp(fl->name, tok))
			break;
	if (fl == d->field + PKT_MAX_FIELDS || !fl->name)
		return fail(st, "%s has no field '%s'", d->name, tok);

	for (s = fl->syms; s && s->name && strcmp(s->name, val); s++)
		;
	if (s && s->name)
		v = s->value;
	else if (!expr(st, val, &v))
		return false;

	if (fl->kind == PKT_WIDE) {
		dw[fl->dw] |= (uint32_t)v;
		dw[fl->dw + 1] |= v >> 32;
		return true;
	}
	if (v > fl->mask)
		return fail(st, "%s=%s does not fit in the field", tok, val);
	dw[fl->dw] |= (uint32_t)v << fl->shift;
	return true;
}

/* Data dwords after ':'; returns how many through @count. */
static bool put_data(struct asm_state *st, char **save, size_t *count)
{
	uint64_t v;
	char *tok;

	for (*count = 0; (tok = strtok_r(NULL, " \t", save)); ++*count) {
		if (!expr(st, tok, &v))
			return false;
		if (v > UINT32_MAX)
			return fail(st, "'%s' does not fit in a dword", tok);
		if (!put(st, v))
			return false;
	}
	return true;
}

/* Fields up to ':' or the end; then room for the fixed part, then the data. */
static bool asm_packet(struct asm_state *st, const struct pkt_desc *d, char **save, size_t *count)
{
	uint32_t dw[PKT_MAX_FIXED] = { 0 };
	bool data = false;
	unsigned int i;
	char *tok;

	while ((tok = strtok_r(NULL, " \t", save))) {
		if (!strcmp(tok, ":")) {
			data = true;
			break;
		}
		if (!set_field(st, d, tok, dw))
			return false;
	}
	for (i = 0; i < d->fixed; i++)
		if (!put(st, dw[i]))
			return false;
	*count = 0;
	if (!data)
		return true;
	if (!d->data)
		return fail(st, "%s takes no data", d->name);
	return put_data(st, save, count);
}

static const struct pkt_desc type0 = {
	"TYPE0", 0, 0, 1, true, { { "reg", PKT_BITS, 0, 0, 0xffff, NULL } }
};

static const struct pkt_desc op3 = {
	"OP3", 0, 0, 1, true, { { "op", PKT_BITS, 0, 8, 0xff, NULL } }
};

static const struct pkt_desc one_dword = { "a one-dword packet", 0, 0, 1, false, { { 0 } } };

static bool asm_pm4(struct asm_state *st, const char *name, char **save)
{
	size_t at = st->n, count, payload;
	const struct pkt_desc *d;
	uint32_t hdr;

	if (!strcmp(name, "NOP1")) {
		d = &one_dword;
		hdr = PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT);
	} else if (!strcmp(name, "TYPE2")) {
		d = &one_dword;
		hdr = CP_PACKET2;
	} else if (!strcmp(name, "TYPE0")) {
		d = &type0;
		hdr = PACKET0(0, 0);
	} else if (!strcmp(name, "OP3")) {
		d = &op3;
		hdr = PACKET3(0, 0);
	} else {
		for (d = pkt_pm4; d->name && strcmp(d->name, name); d++)
			;
		if (!d->name)
			return fail(st, "no PM4 packet is called '%s'", name);
		hdr = PACKET3(d->op, 0);
	}

	if (!asm_packet(st, d, save, &count))
		return false;
	st->out[at] |= hdr;
	if (d == &one_dword)
		return true;
	payload = d->fixed - 1 + count;
	if (!payload)
		return fail(st, "%s needs at least one dword after its header", name);
	if (payload > MAX_PM4_DATA)
		return fail(st, "%s has more data than its count can say", name);
	st->out[at] |= (uint32_t)(payload - 1) << 16;
	return true;
}

static bool asm_sdma(struct asm_state *st, const char *name, char **save)
{
	const struct pkt_desc *d;
	size_t at = st->n, count;

	for (d = pkt_sdma; d->name && strcmp(d->name, name); d++)
		;
	if (!d->name)
		return fail(st, "no SDMA packet is called '%s'", name);
	if (!asm_packet(st, d, save, &count))
		return false;
	st->out[at] |= d->op | (uint32_t)d->sub << 8;
	if (!d->count.mask)
		return true;
	if (count < d->bias || count - d->bias > d->count.mask)
		return fail(st, "%s cannot have %zu dwords of data", name, count);
	st->out[at + d->count.dw] |= (uint32_t)(count - d->bias) << d->count.shift;
	return true;
}

static bool asm_line(struct asm_state *st, char *line)
{
	char *save, *name;
	size_t count;

	line[strcspn(line, "#;\r")] = 0;
	name = strtok_r(line, " \t", &save);
	if (!name)
		return true;
	if (!strcmp(name, ".dword"))
		return put_data(st, &save, &count);
	if (isdigit((unsigned char)*name)) {
		/* A line of plain numbers is dwords as they are. */
		uint64_t v;

		if (!expr(st, name, &v) || v > UINT32_MAX)
			return fail(st, "'%s' does not fit in a dword", name);
		return put(st, v) && put_data(st, &save, &count);
	}
	return st->engine == PKT_PM4 ? asm_pm4(st, name, &save) : asm_sdma(st, name, &save);
}

long pkt_assemble(enum pkt_engine engine, const char *text, const struct pkt_var *vars,
		  uint32_t *out, size_t max, char *err, size_t errlen)
{
	struct asm_state st = {
		.engine = engine, .vars = vars, .out = out, .max = max,
		.err = err, .errlen = errlen,
	};
	const char *end;
	char *line;
	bool ok;

	while (*text) {
		st.line++;
		end = text + strcspn(text, "\n");
		line = strndup(text, end - text);
		if (!line) {
			fail(&st, "out of memory");
			return -1;
		}
		ok = asm_line(&st, line);
		free(line);
		if (!ok)
			return -1;
		text = *end ? end + 1 : end;
	}
	return st.n;
}
