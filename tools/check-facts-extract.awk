# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# From a kernel source file: its macros and enumerations, without comments, includes and the
# guards around them.  The names that were found go to the file "names".

function strip(s,	p, q, out)
{
	out = ""
	while (s != "") {
		if (incomment) {
			p = index(s, "*/")
			if (!p)
				return out
			s = substr(s, p + 2)
			incomment = 0
			continue
		}
		p = index(s, "/*")
		q = index(s, "//")
		if (q && (!p || q < p))
			return out substr(s, 1, q - 1)
		if (!p)
			return out s
		out = out substr(s, 1, p - 1) " "
		s = substr(s, p + 2)
		incomment = 1
	}
	return out
}

{
	sub(/\r$/, "")
	line = strip($0)
}

continued {
	print line
	continued = line ~ /\\$/
	next
}

line ~ /^[ \t]*#[ \t]*define[ \t]+[A-Za-z_]/ {
	continued = line ~ /\\$/
	name = line
	sub(/^[ \t]*#[ \t]*define[ \t]+/, "", name)
	match(name, /^[A-Za-z0-9_]+/)
	print substr(name, 1, RLENGTH) > names
	print line
	next
}

line ~ /^[ \t]*#/ { next }

# the brace may be on the line after
held != "" {
	if (line ~ /^[ \t]*\{/)
		line = held " " line
	held = ""
}

!inenum && line ~ /(^|[ \t])enum[ \t]+[A-Za-z0-9_]+[ \t]*$/ {
	held = line
	next
}

!inenum && line ~ /(^|[ \t])enum[ \t]*[A-Za-z0-9_]*[ \t]*\{/ {
	sub(/.*enum/, line ~ /typedef/ ? "typedef enum" : "enum", line)
	inenum = 1
}

inenum {
	print line
	name = line
	sub(/.*\{/, "", name)
	sub(/^[ \t]+/, "", name)
	if (match(name, /^[A-Za-z_][A-Za-z0-9_]*/))
		print substr(name, 1, RLENGTH) > names
	if (line ~ /\}/)
		inenum = 0
}

END { print "" > names }
