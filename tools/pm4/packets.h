/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Packets as text: the description of each PM4 and SDMA packet as a table of
 * fields, and the two directions that work from it.
 * Documentation/tools.rst describes the text form.
 */
#ifndef VGPU_PACKETS_H
#define VGPU_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum pkt_engine { PKT_PM4, PKT_SDMA };

/** struct pkt_sym - a name for a field's value; a table ends in a NULL name */
struct pkt_sym {
	const char *name;
	uint32_t value;
};

enum pkt_kind {
	PKT_BITS,	/* value << shift, in one dword */
	PKT_WIDE,	/* 64 bits, low dword first */
};

/**
 * struct pkt_field - a named part of a packet
 * @name: as written in the text
 * @dw: dword it is in, the header being dword 0
 * @shift: its lowest bit
 * @mask: its width as a mask, before the shift
 * @syms: names of values, or NULL
 */
struct pkt_field {
	const char *name;
	enum pkt_kind kind;
	unsigned int dw;
	unsigned int shift;
	uint32_t mask;
	const struct pkt_sym *syms;
};

#define PKT_MAX_FIELDS	18
#define PKT_MAX_FIXED	16	/* dwords of a packet that fields may lie in */

/**
 * struct pkt_desc - a packet
 * @op: opcode; @sub: sub-opcode, of SDMA
 * @fixed: dwords it has without its data, header included
 * @data: dwords may follow as data
 * @field: its fields; the first without a name ends them
 * @count: where SDMA keeps the number of data dwords (of PM4 the header has it)
 * @bias: what that number is smaller by
 */
struct pkt_desc {
	const char *name;
	uint8_t op, sub;
	unsigned int fixed;
	bool data;
	struct pkt_field field[PKT_MAX_FIELDS];
	struct pkt_field count;
	uint32_t bias;
};

extern const struct pkt_desc pkt_pm4[];		/* pm4_table.c; ends in a NULL name */
extern const struct pkt_desc pkt_sdma[];	/* sdma_table.c */

/** struct pkt_var - $name in an expression, set by the caller */
struct pkt_var {
	const char *name;
	uint64_t value;
};

/**
 * pkt_assemble() - text to dwords
 * @vars: names that a "$" may call upon, ending in a NULL name; may be NULL
 * @out: receives at most @max dwords
 * @err: on failure "line N: what is wrong", at most @errlen bytes
 *
 * Return: dwords written, or -1.
 */
long pkt_assemble(enum pkt_engine engine, const char *text, const struct pkt_var *vars,
		  uint32_t *out, size_t max, char *err, size_t errlen);

/**
 * pkt_disassemble() - dwords to text that assembles to the very same dwords
 */
void pkt_disassemble(enum pkt_engine engine, const uint32_t *dw, size_t n, FILE *f);

#endif
