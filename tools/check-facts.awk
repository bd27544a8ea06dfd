# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# Matches the names of uapi/hw with those of the kernel by check-facts.map and writes the C files
# that compare them.  Input, in this order: the map, the list of kernel files, our names, the
# macro dump of our headers.  What cannot be matched is reported as "wrong: ...".

function fail(s) { print "wrong: " s }

# Replace each of our macro names in a string by its renamed form
function rename(s,	out, tok)
{
	out = ""
	while (match(s, /[A-Za-z_][A-Za-z0-9_]*/)) {
		tok = substr(s, RSTART, RLENGTH)
		# the suffix of a number is no name
		if (RSTART > 1 && substr(s, RSTART - 1, 1) ~ /[0-9]/)
			out = out substr(s, 1, RSTART + RLENGTH - 1)
		else
			out = out substr(s, 1, RSTART - 1) \
			      ((tok in header) || tok == "VGPU_BASE_" ? "V_" tok : tok)
		s = substr(s, RSTART + RLENGTH)
	}
	return out s
}

function assert(k, cond, msg)
{
	if (!(k in body))
		body[k] = ""
	out = tmp "/check" k ".c"
	if (!(k in started)) {
		printf "#include <stdint.h>\n#include <stddef.h>\n" > out
		printf "typedef uint8_t u8; typedef uint16_t u16;" > out
		printf "typedef uint32_t u32; typedef uint64_t u64;\n" > out
		printf "#define BIT(n) (1UL << (n))\n#define BIT_ULL(n) (1ULL << (n))\n" > out
		printf "#define REG_SET(f, v) (((v) << f##_SHIFT) & f##_MASK)\n" > out
		if (k ~ /^[0-9]+$/)
			printf "#include \"k%s.h\"\n", k > out
		printf "#include <linux/types.h>\n#include \"ours.h\"\n" > out
		printf "#define V(x) (sizeof(x) == 8 ? (uint64_t)(x) : (uint32_t)(x))\n" > out
		started[k] = 1
	}
	printf "_Static_assert(%s, \"FACT: %s\");\n", cond, msg > out
}

function same(k, a, b, name)
{
	assert(k, "V(" a ") == V(" b ")", name ", of " where(name) ", is not what " kname[k] " says")
}

function where(name) { return (name in header) ? "uapi/hw/" header[name] : "uapi/hw" }

# The kernel file of the list of header h that has name n, or ""
function find(h, n,	i)
{
	for (i = 1; i <= nfrom[h]; i++)
		if (has[from[h, i], n])
			return from[h, i]
	return ""
}

function match_one(h, n,	i, k, kn, r, a, args, na, j, t, f)
{
	# what the map says about single names and prefixes
	kn = n
	if (n in alias) {
		kn = alias[n]
	} else {
		for (i = 1; i <= npfx; i++)
			if (pfxh[i] == h && index(n, pfxo[i]) == 1) {
				kn = pfxk[i] substr(n, length(pfxo[i]) + 1)
				break
			}
	}

	# a register: the kernel has it as mmNAME or regNAME, and its segment beside it
	if (n ~ /^reg[A-Z]/) {
		r = substr(kn, 4)
		k = find(h, "mm" r)
		f = "mm" r
		if (k == "") {
			k = find(h, "reg" r)
			f = "reg" r
		}
		if (k == "")
			return 0
		assert(k, "V_VGPU_REG_OFF(V_" n ") == " f,
		       n ", of uapi/hw/" h ", is elsewhere in " kname[k])
		assert(k, "V_VGPU_REG_SEG(V_" n ") == " f "_BASE_IDX",
		       n ", of uapi/hw/" h ", has another segment in " kname[k])
		if (h in ip) {
			t = base[ip[h], 0, 5] + 0
			for (i = 4; i >= 0; i--)
				t = f "_BASE_IDX == " i " ? " base[ip[h], 0, i] " : " t
			assert(k, "V_VGPU_REG_ABS(" ip[h] ", V_" n ") == (" t ") + " f,
			       n ", of uapi/hw/" h ", is elsewhere on MI250X")
		}
		return 1
	}

	k = find(h, kn)
	if (k == "")
		return 0
	if (n in params) {
		na = split(params[n], args, ",")
		if (na == 1) {
			t = split("0 1 2 3 0xa5a5a5a5u 0xffffffffu", a, " ")
			for (j = 1; j <= t; j++)
				same(k, "V_" n "(" a[j] ")", kn "(" a[j] ")", n)
		} else if (na == 2) {
			t = split("0,0 1,2 0x37,3 0xffffffffu,0 0,0xffffffffu", a, " ")
			for (j = 1; j <= t; j++)
				same(k, "V_" n "(" a[j] ")", kn "(" a[j] ")", n)
		} else {
			fail(n ", of uapi/hw/" h ": macros of " na " parameters are not compared")
		}
	} else {
		same(k, "V_" n, kn, n)
	}
	return 1
}

# The numbers of aldebaran_ip_offset.h: block, instance and segment
function bases(file,	l, blk, inst, i, n, v)
{
	while ((getline l < file) > 0) {
		if (match(l, /IP_BASE [A-Z0-9]+_BASE/)) {
			blk = substr(l, RSTART + 8, RLENGTH - 13)
			inst = 0
		}
		if (blk == "" || !match(l, /\{ *[0-9][0-9A-Fa-fx, ]*\}/))
			continue
		n = split(substr(l, RSTART + 1, RLENGTH - 2), v, ",")
		for (i = 1; i <= n; i++) {
			gsub(/ /, "", v[i])
			base[blk, inst, i - 1] = v[i]
		}
		inst++
	}
	close(file)
}

# Members of a structure, in order, in m[]; a type that ends in _t is a typedef of the kernel's
function members(file, tag, m,	l, n, on)
{
	n = 0
	while ((getline l < file) > 0) {
		sub(/\/\/.*/, "", l)
		if (l ~ "^struct " tag " \\{" || (tag ~ /_t$/ && l ~ /^typedef struct \{/)) {
			on = 1
			n = 0
		} else if (on && l ~ /^\}/) {
			on = 0
			if (tag !~ /_t$/ || l ~ "^\\} " tag ";")
				break
		} else if (on && match(l, /[A-Za-z0-9_]+(\[[A-Za-z0-9_]*\])?[ \t]*;/)) {
			m[++n] = substr(l, RSTART, RLENGTH)
			sub(/[ \t]*;/, "", m[n])
		}
	}
	close(file)
	return n
}

FNR == 1 { input++ }

# The map
input == 1 && /^(#|$)/ { next }
input == 1 && $1 == "from" {
	for (i = 3; i <= NF; i++)
		from[$2, i - 2] = $i
	nfrom[$2] = NF - 2
	next
}
input == 1 && $1 == "prefix" { npfx++; pfxh[npfx] = $2; pfxo[npfx] = $3; pfxk[npfx] = $4; next }
input == 1 && $1 == "ip" { ip[$2] = $3; next }
input == 1 && $1 == "alias" { alias[$2] = $3; next }
input == 1 && $1 == "own" {
	nown++
	ownh[nown] = $2
	ownre[nown] = "^(" $3 ")$"
	if (NF < 4)
		fail("check-facts.map: no reason for " $2 " " $3)
	next
}
input == 1 && ($1 == "struct" || $1 == "image") {
	nst++
	sth[nst] = $2
	sto[nst] = $3
	stk[nst] = $4
	stx[nst] = $5
	sti[nst] = $1 == "image"
	next
}
input == 1 && $1 == "bits" { nbit++; bith[nbit] = $2; bito[nbit] = $3; bits[nbit] = $4; bitf[nbit] = $5; bitw[nbit] = $6; next }
input == 1 && $1 == "series" { nser++; serh[nser] = $2; sern[nser] = $3; sera[nser] = $4; serz[nser] = $5; next }
input == 1 && $1 == "fields" { nfl++; flh[nfl] = $2; flk[nfl] = $3; flo[nfl] = $4; fln[nfl] = $5; next }
input == 1 { fail("check-facts.map: what is " $1 "?"); next }

# Kernel files, by number from here on
input == 2 {
	num[$1] = $2
	kname[$2] = $1
	sub(/.*\//, "", kname[$2])
	file = tmp "/knames." $2
	while ((getline n < file) > 0)
		has[$2, n] = 1
	close(file)
	next
}

# Our names
input == 3 {
	if ($2 in header && header[$2] != $1)
		fail($2 " is in uapi/hw/" header[$2] " and in uapi/hw/" $1)
	header[$2] = $1
	next
}

# Our macros, renamed
input == 4 {
	s = substr($0, 9)
	match(s, /^[A-Za-z0-9_]+/)
	n = substr(s, 1, RLENGTH)
	if (!(n in header))
		next
	s = substr(s, RLENGTH + 1)
	if (substr(s, 1, 1) == "(") {
		params[n] = substr(s, 2, index(s, ")") - 2)
	} else if (s == "" || s == " ") {
		guard[n] = 1
		next
	}
	print "#define V_" n rename(s) > (tmp "/ours.h")
	order[++count] = n
}

END {
	close(tmp "/ours.h")
	for (h in nfrom)
		for (i = 1; i <= nfrom[h]; i++)
			from[h, i] = num[from[h, i]]
	bases(amd "/include/aldebaran_ip_offset.h")

	for (c = 1; c <= count; c++) {
		n = order[c]
		h = header[n]
		if (h == "reg/base.h" && match(n, /^VGPU_BASE_[A-Z]/) && n !~ /LIST$/)
			continue
		if (match_one(h, n))
			continue
		for (i = 1; i <= nbit; i++)
			if (bito[i] == n)
				break
		if (i <= nbit)
			continue
		for (i = 1; i <= nown; i++)
			if (ownh[i] == h && n ~ ownre[i])
				break
		if (i > nown)
			fail(n ", of uapi/hw/" h ", is in no kernel header that the map names")
		else
			ownused[i] = 1
	}
	for (i = 1; i <= nown; i++)
		if (!ownused[i])
			fail("check-facts.map: " ownh[i] " has nothing like " ownre[i])

	# Segments, of the first instance of each block
	kname["base"] = "aldebaran_ip_offset.h"
	for (c = 1; c <= count; c++) {
		n = order[c]
		if (header[n] != "reg/base.h" || !match(n, /^VGPU_BASE_[A-Z]/) || n ~ /LIST$/)
			continue
		r = substr(n, 11)
		s = substr(r, length(r))
		r = substr(r, 1, length(r) - 1)
		if ((r, 0, s) in base)
			same("base", "V_" n, base[r, 0, s], n)
		else
			fail(n ": no such block in aldebaran_ip_offset.h")
	}
	# as sdma_v4_0_get_reg_offset() has it
	for (i = 0; i < 5; i++)
		same("base", "V_VGPU_SDMA_BASE(" i ")", base["SDMA" i, 0, i < 2 ? 0 : 1], "VGPU_SDMA_BASE")

	# Series of registers of which we list the first two
	for (i = 1; i <= nser; i++) {
		r = sern[i]
		p = ""
		n0 = r; sub(/%/, "0", n0)
		n1 = r; sub(/%/, "1", n1)
		for (s = 1; s <= npfx; s++)
			if (pfxh[s] == serh[i] && pfxo[s] ~ /^reg/)
				p = substr(pfxo[s], 4)
		for (s = sera[i]; s <= serz[i]; s++) {
			n = r; sub(/%/, s, n)
			k = find(serh[i], "mm" n)
			f = "mm" n
			if (k == "") {
				k = find(serh[i], "reg" n)
				f = "reg" n
			}
			if (k == "") {
				fail("check-facts.map: no register " n)
				continue
			}
			assert(k, "V_VGPU_REG_OFF(V_VGPU_REG_N(V_reg" p n0 ", V_reg" p n1 ", " s ")) == " f,
			       "reg" p n1 ", of uapi/hw/" serh[i] ": number " s " of the series is elsewhere")
		}
	}

	# Registers of another block with the fields that we list once
	for (i = 1; i <= nfl; i++) {
		k = num[flk[i]]
		for (c = 1; c <= count; c++) {
			n = order[c]
			if (header[n] != flh[i] || n ~ /^reg/ || index(n, flo[i]) != 1)
				continue
			r = fln[i]
			if (r == "=")
				r = flo[i]
			f = r substr(n, length(flo[i]) + 1)
			if (has[k, f])
				same(k, "V_" n, f, n)
		}
	}

	# Bit fields are no constants, so these are compared by a program that runs
	out = tmp "/bits.c"
	printf "#include <stdint.h>\n#include <stdio.h>\n#include <linux/types.h>\n" > out
	printf "#include <%s/amdkfd/kfd_pm4_headers_ai.h>\n", amd > out
	printf "#include <%s/amdkfd/kfd_pm4_headers_aldebaran.h>\n", amd > out
	printf "#include \"ours.h\"\n#define CHECK(v, s, f, o, w) do { struct s p = { { { 0 } } }; \\\n" > out
	printf "p.f = 1; if (p.o != V_##v(1)) puts(\"wrong: \" #v \", of uapi/hw/\" w \", " > out
	printf "is not \" #f \" of \" #s); } while (0)\nint main(void)\n{\n" > out
	for (i = 1; i <= nbit; i++) {
		if (!(bito[i] in header)) {
			fail("check-facts.map: no macro " bito[i])
			continue
		}
		printf "CHECK(%s, %s, %s, %s, \"%s\");\n", bito[i], bits[i], bitf[i], bitw[i], bith[i] > out
	}
	printf "return 0;\n}\n" > out

	# Structures.  The kernel's header comes first: our macros may be its enumerators.
	for (i = 1; i <= nst; i++) {
		k = "struct" i
		nm = members(uapi "/hw/" sth[i], sto[i], m)
		if (!nm)
			fail("struct " sto[i] " is not in uapi/hw/" sth[i])
		out = tmp "/check" k ".c"
		printf "#include <stdint.h>\n#include <stddef.h>\n#include <linux/types.h>\n" > out
		printf "#define __packed __attribute__((packed))\n" > out
		printf "#define LITTLEENDIAN_CPU 1\n" > out
		printf "#define DECLARE_FLEX_ARRAY(t, n) struct { struct { } e##n; t n[]; }\n" > out
		f = substr(stk[i], 1, index(stk[i], ":") - 1)
		printf "#include <%s>\n#include <hw/%s>\n", f, sth[i] > out
		started[k] = 1
		ks = substr(stk[i], index(stk[i], ":") + 1)
		w = "struct " sto[i] ", of uapi/hw/" sth[i] ": "
		typedef = ks ~ /_t$/
		if (typedef && members(amd "/" f, ks, theirs) != nm)
			fail(w "it has another number of members than " ks)
		if (!typedef)
			ks = "struct " ks
		assert(k, "sizeof(struct " sto[i] ") == sizeof(" ks ")", w "its size differs")
		for (j = 1; j <= nm; j++) {
			f = m[j]
			sub(/\[.*/, "", f)
			if (f == stx[i])
				continue
			# Names of a typedef's members are not ours to use: these go by their order
			t = typedef ? theirs[j] : f
			sub(/\[.*/, "", t)
			assert(k, "offsetof(struct " sto[i] ", " f ") == offsetof(" ks ", " t ")",
			       w f " is elsewhere")
			if (m[j] !~ /\[\]/ && !(sti[i] && m[j] ~ /\[/))
				assert(k, "sizeof(((struct " sto[i] " *)0)->" f ") == sizeof(((" ks \
				       " *)0)->" t ")", w f " has another size")
		}
		delete m
		delete theirs
	}
}
