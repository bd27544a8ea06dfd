#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The topology for user space: every file with the lines that amdkfd writes, what they say of each
# die and of the way to each, and how it follows dies that come and go and links that break.
# Documentation/hive.rst, "Topology for user space".

. ./ktap.sh

PCI=/sys/bus/pci/devices
DRIVER=/sys/bus/pci/drivers/vgpu
TOPOLOGY=/sys/kernel/debug/vgpu_topology
HIVE_LINK=/objects/h0

SYSTEM="platform_oem platform_id platform_rev"
NODE="cpu_cores_count simd_count mem_banks_count caches_count io_links_count p2p_links_count
	cpu_core_id_base simd_id_base max_waves_per_simd lds_size_in_kb gds_size_in_kb num_gws
	wave_front_size array_count simd_arrays_per_engine cu_per_simd_array simd_per_cu
	max_slots_scratch_cu gfx_target_version vendor_id device_id location_id domain
	drm_render_minor hive_id num_sdma_engines num_sdma_xgmi_engines num_sdma_queues_per_engine
	num_cp_queues cwsr_size ctl_stack_size"
DIE="max_engine_clk_fcompute local_mem_size fw_version capability debug_prop sdma_fw_version
	unique_id num_xcc"
MEM_BANK="heap_type size_in_bytes flags width mem_clk_max"
CACHE="processor_id_low level size cache_line_size cache_lines_per_tag association latency type
	sibling_map"
LINK="type version_major version_minor node_from node_to weight min_latency max_latency
	min_bandwidth max_bandwidth recommended_transfer_size recommended_sdma_engine_id_mask flags"

all=$(dies)
[ -n "$all" ] || skip_all "no die"
[ -d $TOPOLOGY ] || skip_all "no debugfs"
first=$(echo "$all" | sed 1q)

hive_of() {
	cat "$PCI/$1/xgmi_hive_info/xgmi_hive_id" 2>/dev/null || echo 0
}

# "0000:02:00.1": bus and function in one number
location_of() {
	local bus dev

	bus=${1#*:}
	dev=${bus#*:}
	echo $((0x${bus%%:*} << 8 | 0x${dev%.*} << 3 | ${1##*.}))
}

# Connected to the CPU, which then sees more of the memory than the BAR shows?
connected() {
	local start end

	read -r start end _ <"$PCI/$1/resource"
	[ "$(cat "$PCI/$1/mem_info_vis_vram_total")" -gt $((end - start + 1)) ] && echo 1 || echo 0
}

# What is known of every die that is bound, from elsewhere:
# LOCATION PCI HIVE NODE ENGINES VRAM VISIBLE MINOR CUS SPEED WIDTH CONNECTED
survey() {
	local die port info

	info=$(vgpu-info)
	for die in $(dies); do
		port=$(readlink -f "$PCI/$die")
		port=${port%/*}
		echo "$(location_of "$die") $die $(hive_of "$die")" \
			"$(cat "$PCI/$die/xgmi_physical_id" 2>/dev/null || echo 0)" \
			"$(grep -c '^SDMA' "$DRI/$die/vgpu_blocks")" \
			"$(cat "$PCI/$die/mem_info_vram_total" "$PCI/$die/mem_info_vis_vram_total" |
				xargs)" \
			"$(basename "$PCI/$die"/drm/renderD* | tr -d a-zA-Z)" \
			"$(echo "$info" | sed -n "/$die/,/ CUs /s/.* \([0-9]*\) CUs .*/\1/p")" \
			"$(sed 's/ .*//' "$port/max_link_speed") $(cat "$port/max_link_width")" \
			"$(connected "$die")"
	done >/tmp/dies
}

# read_files KIND...: every line of every node, and of what it has of these kinds:
# "2/io_links/1 weight 15"
read_files() {
	local kind

	(
		cd $TOPOLOGY/nodes || exit
		set -- "$@" -- [0-9]*/properties
		while [ "$1" != -- ]; do
			kind=$1
			shift
			set -- "$@" [0-9]*/"$kind"/[0-9]*/properties
		done
		shift
		awk '
			BEGIN {
				for (i = 1; i < ARGC; i++)
					if (ARGV[i] ~ /\*/)
						ARGV[i] = ""
			}
			{
				file = FILENAME
				sub("/properties", "", file)
				print file, $1, $2
			}' "$@"
	) >/tmp/nodes
}

# Caches are many, and no die that comes or goes changes them.
read_nodes() {
	read_files mem_banks io_links p2p_links
}

# same WANT HAVE: two sorted files
same() {
	cmp -s "$1" "$2" && return
	note "want:" && sed 's/^/# /' "$1" | head -n 40
	note "have:" && sed 's/^/# /' "$2" | head -n 40
	return 1
}

generation() {
	cat $TOPOLOGY/generation_id
}

num_cpu_nodes() {
	local num

	num=$(count_of /sys/devices/system/node/node[0-9]*)
	[ "$num" -gt 0 ] || num=1
	echo "$num"
}

# names FILE...: the words in front, in their order, must be those of the list in $want
names() {
	awk -v want="$want" '
		BEGIN { num = split(want, name) }
		FNR == 1 { if (at && at < num) bad = FILENAME; at = 0; files++ }
		{ at++; if ($1 != name[at]) bad = FILENAME }
		END {
			if (at < num || !files)
				bad = FILENAME
			if (bad)
				print "# " bad " has other lines"
			exit bad != ""
		}' "$@"
}

# The lines are amdkfd's, and nothing is missing that is counted.
layout() {
	local node want code=0 cpus

	cpus=$(num_cpu_nodes)
	want=$SYSTEM names $TOPOLOGY/system_properties || code=1
	for node in $TOPOLOGY/nodes/*; do
		if [ "${node##*/}" -lt "$cpus" ]; then
			want="$NODE max_engine_clk_ccompute" names "$node/properties" || code=1
		else
			want="$NODE $DIE max_engine_clk_ccompute" names "$node/properties" || code=1
			want=$CACHE names "$node"/caches/*/properties || code=1
		fi
		want=$MEM_BANK names "$node"/mem_banks/*/properties || code=1
		# CPUs that see a part of the memory only have no link to the die.
		[ ! -e "$node/io_links/0" ] || want=$LINK names "$node"/io_links/*/properties || code=1
		[ -d "$node/perf" ] || code=1
	done
	return $code
}

# Counts are those of the directories; nodes are the CPUs, then the dies.
counts() {
	local node dir kind num cpus have

	cpus=$(num_cpu_nodes)
	have=$(count_of $TOPOLOGY/nodes/*)
	[ "$have" = $((cpus + $(dies | grep -c .))) ] || return 1
	for node in $TOPOLOGY/nodes/*; do
		for kind in mem_banks caches io_links p2p_links; do
			num=$(sed -n "s/^${kind}_count //p" "$node/properties")
			dir=$(count_of "$node/$kind"/*)
			[ "$num" = "$dir" ] && continue
			note "$node: $num $kind, $dir are there"
			return 1
		done
	done
}

# Programs call a die by its gpu_id, 16 bits that no other has; CPUs have none.
ids() {
	local node id seen=" " cpus name

	cpus=$(num_cpu_nodes)
	for node in $TOPOLOGY/nodes/*; do
		read -r id <"$node/gpu_id" || return 1
		read -r name <"$node/name" || return 1
		if [ "${node##*/}" -lt "$cpus" ]; then
			[ "$id$name" = 0 ] && continue
		elif [ "$id" -gt 0 ] && [ "$id" -lt 65536 ] && [ "$name" = aldebaran ]; then
			case $seen in
			*" $id "*) ;;
			*)
				seen="$seen$id "
				continue ;;
			esac
		fi
		note "$node: gpu_id $id, name '$name'"
		return 1
	done
}

# What a die says of itself, against what the driver says elsewhere. Of MI250X: four SIMDs a
# compute unit, 8 waves a SIMD; 0x95000 bytes of registers and LDS a unit, and 8 bytes for each of
# 40 waves a unit with 48 bytes of heads, in whole pages each, to save.
properties() {
	awk '
		function pages(bytes) { return int((bytes + 4095) / 4096) * 4096 }
		{
			at = $1
			pcie = $5 < 2 ? $5 : 2
			waves = $9 * 40 < 4096 ? $9 * 40 : 4096
			stack = pages(40 + waves * 8 + 8)
			print at, "cpu_cores_count", 0
			print at, "simd_count", 4 * $9
			print at, "max_waves_per_simd", 8
			print at, "lds_size_in_kb", 64
			print at, "wave_front_size", 64
			print at, "array_count", 8
			print at, "cu_per_simd_array", 16
			print at, "gfx_target_version", 90010
			print at, "vendor_id", 4098
			print at, "device_id", 29708
			print at, "drm_render_minor", $8
			print at, "hive_id", $12 && !$3 ? $1 : $3
			print at, "num_sdma_engines", pcie
			print at, "num_sdma_xgmi_engines", $5 - pcie
			print at, "num_sdma_queues_per_engine", 8
			print at, "num_cp_queues", 24
			print at, "ctl_stack_size", stack
			print at, "cwsr_size", stack + pages($9 * 610304)
			print at, "max_engine_clk_fcompute", 1700
			# Errors of memory and of engines are reported, watch points 4, doorbells of
			# 64 bits, what a debugger needs, revision 1; the CPU has coherent access
			print at, "capability", 74949248 + 268435456 * $12
			print at, "num_xcc", 1
			print at, "heap_type", $7 < $6 ? 2 : 1
			print at, "size_in_bytes", $6
			print at, "width", 4096
			print at, "mem_clk_max", 1600
		}' /tmp/dies | sort >/tmp/want
	awk '
		$2 == "location_id" && $3 { at[$1] = $3 }
		{ line[NR] = $0 }
		END {
			for (i = 1; i <= NR; i++) {
				split(line[i], word)
				split(word[1], path, "/")
				if (path[1] in at && (path[2] == "" || path[2] == "mem_banks"))
					print at[path[1]], word[2], word[3]
			}
		}' /tmp/nodes | sort >/tmp/have.all
	# Only what is known from elsewhere
	awk '
		NR == FNR { known[$1, $2] = 1; next }
		($1, $2) in known' /tmp/want /tmp/have.all >/tmp/have
	same /tmp/want /tmp/have
}

# In every engine as many units as there are, the first ones taking what is left over: a vector
# cache each, caches for instructions and scalars for two, and one for all. Each unit uses one of
# each kind.
caches() {
	awk '
		{
			pairs = 0
			for (se = 0; se < 8; se++)
				pairs += int((int($9 / 8) + (se < $9 % 8) + 1) / 2)
			print $1, "1 16 64 9:", $9, $9
			print $1, "1 32 64 10:", pairs, $9
			print $1, "1 16 64 9 shared:", pairs, $9
			print $1, "2 8192 128 9:", 1, $9
		}' /tmp/dies | sort >/tmp/want
	read_files caches
	awk '
		function finish(kind, i) {
			if (path == "")
				return
			kind = v["level"] " " v["size"] " " v["cache_line_size"] " " v["type"]
			# Two kinds look alike: those after the ones for instructions are shared.
			if (v["type"] == 10)
				shared[node] = 1
			if (shared[node] && v["type"] == 9 && v["level"] == 1)
				kind = kind " shared"
			num[node, kind]++
			units[node, kind] += gsub(/1/, "", v["sibling_map"])
			key[node SUBSEP kind] = 1
		}
		$2 == "location_id" && $3 { at[$1] = $3 }
		$1 ~ /caches/ {
			split($1, part, "/")
			order = part[1] * 100000 + part[3]
			lines[order] = lines[order] $2 " " $3 "\n"
			if (!(part[1] in most) || most[part[1]] < part[3])
				most[part[1]] = part[3] + 0
		}
		END {
			for (n in most)
				for (i = 0; i <= most[n]; i++) {
					num_lines = split(lines[n * 100000 + i], line, "\n")
					for (j = 1; j < num_lines; j++) {
						split(line[j], word, " ")
						v[word[1]] = word[2]
					}
					node = n
					path = i ""
					finish()
				}
			for (k in key) {
				split(k, part, SUBSEP)
				print at[part[1]], part[2] ":", num[k], units[k]
			}
		}' /tmp/nodes | sort >/tmp/have
	read_nodes
	same /tmp/want /tmp/have
}

# The fabric of each hive, as its registers show it: HIVE LOW HIGH WIDTH
fabric() {
	local die hive seen=" "

	for die in $(dies); do
		hive=$(hive_of "$die")
		case $seen in
		*" $hive "*) continue ;;
		esac
		seen="$seen$hive "
		[ "$hive" = 0 ] || sed -n "s/^link \([0-9]*\)-\([0-9]*\): width \([0-9]*\), up,.*/$hive \1 \2 \3/p" \
			"$DRI/$die/vgpu_hive"
	done >/tmp/fabric
}

# KIND WHERE FROM TO TYPE WEIGHT MIN MAX ENGINES FLAGS of every link that there is: WHERE is the node
# that lists it.
listed_links() {
	awk '
		{ v[$1, $2] = $3 }
		$2 == "location_id" { name[$1] = $3 ? $3 : "cpu" $1 }
		$2 == "node_from" { link[$1] = $3 }
		END {
			for (l in link) {
				split(l, part, "/")
				print part[2], name[part[1]], name[link[l]], name[v[l, "node_to"]],
					v[l, "type"], v[l, "weight"], v[l, "min_bandwidth"],
					v[l, "max_bandwidth"], v[l, "recommended_sdma_engine_id_mask"],
					v[l, "flags"] % 4
			}
		}' /tmp/nodes
}

# FROM TO TYPE WEIGHT MIN MAX ENGINES FLAGS of every link. Between peers: type 11, 15 for each link
# on the shortest way, found by breadth; 50000 MB/s for each link to a neighbour. To the CPU: type 2,
# weight 20, from 2.5 GT/s on one lane on; and back when the CPU sees all of the memory, then not
# coherent. A die that is connected to the CPU has one xGMI link to it, and back. The bits for atomics
# are left out.
links() {
	fabric
	awk '
		function low_bits(num, mask) {
			while (num-- > 0)
				mask = 2 * mask + 1
			return mask + 0
		}
		function hops(hive, from, to, dist, queue, head, tail, n, i) {
			for (i in dist)
				delete dist[i]
			dist[from] = 0
			queue[tail++] = from
			while (head < tail) {
				n = queue[head++]
				for (i = 0; i < 16; i++)
					if (width[hive, n, i] && !(i in dist)) {
						dist[i] = dist[n] + 1
						queue[tail++] = i
					}
			}
			return to in dist ? dist[to] : 0
		}
		FILENAME == "/tmp/fabric" { width[$1, $2, $3] = width[$1, $3, $2] = $4; next }
		{
			num++
			at[num] = $1; hive[num] = $3; node[num] = $4; engines[num] = $5
			large[num] = $7 >= $6
			mbytes[num] = $11 * $10 * 1000 / 8
			connected[num] = $12
		}
		END {
			for (i = 1; i <= num; i++) {
				pcie = engines[i] < 2 ? engines[i] : 2
				mask = low_bits(pcie)
				peers = engines[i] > pcie ? low_bits(engines[i]) - mask : mask
				if (connected[i]) {
					print at[i], "cpu0", 11, 15, 50000, 50000, mask, 1
					print "cpu0", at[i], 11, 15, 50000, 50000, mask, 1
				} else {
					print at[i], "cpu0", 2, 20, 312, mbytes[i],
						large[i] ? mask : 0, 1
				}
				if (large[i] && !connected[i])
					print "cpu0", at[i], 2, 20, 312, mbytes[i], mask, 3
				for (j = 1; j <= num; j++) {
					if (i == j || !hive[i] || hive[i] != hive[j])
						continue
					h = hops(hive[i], node[i], node[j])
					w = width[hive[i], node[i], node[j]] + 0
					if (h)
						print at[i], at[j], 11, 15 * h, w ? 50000 : 0,
							50000 * w, peers, 1
				}
			}
		}' /tmp/fabric /tmp/dies | sort >/tmp/want
	# Between CPUs, and by way of other CPUs: see numa().
	listed_links | awk '
		$1 != "io_links" || $3 ~ /cpu/ && $4 ~ /cpu/ { next }
		{ print ($2 == $3 ? $2 : $2 " of " $3), $4, $5, $6, $7, $8, $9, $10 }' |
		sort >/tmp/have
	same /tmp/want /tmp/have
}

# With several nodes of CPUs: a link from each to each, as far as the kernel says; and ways of the
# dies, which are at the first, to the others by way of that one.
numa() {
	local cpus

	cpus=$(num_cpu_nodes)
	# shellcheck disable=SC2046 # none where the kernel knows no nodes
	awk -v cpus="$cpus" '
		FILENAME != "/tmp/dies" {
			split(FILENAME, part, "/node/node")
			sub("/distance", "", part[2])
			for (i = 1; i <= NF; i++)
				far[part[2], i - 1] = $i
			next
		}
		{ at[++num] = $1; large[num] = $7 >= $6 }
		END {
			for (i = 0; i < cpus; i++)
				for (j = 0; j < cpus; j++)
					if (i != j)
						print "io_links cpu" i, "cpu" j, far[i, j]
			for (i = 1; i <= num; i++)
				for (j = 1; j < cpus; j++) {
					print "p2p_links", at[i], "cpu" j, 20 + far[0, j]
					if (large[i])
						print "p2p_links cpu" j, at[i], 20 + far[0, j]
				}
		}' $(ls /sys/devices/system/node/node[0-9]*/distance 2>/dev/null) /tmp/dies | sort >/tmp/want
	listed_links | awk '
		$1 == "p2p_links" || $3 ~ /cpu/ && $4 ~ /cpu/ { print $1, $3, $4, $6 }' | sort >/tmp/have
	same /tmp/want /tmp/have
}

# CPUs that a die is connected to are of its hive, the others of none.
hives_of_cpus() {
	awk -v cpus="$(num_cpu_nodes)" '
		$12 { hive = $3 ? $3 : $1 }
		END {
			for (i = 0; i < cpus; i++)
				print i, (i || hive == "" ? 0 : hive)
		}' /tmp/dies | sort >/tmp/want
	awk -v cpus="$(num_cpu_nodes)" '
		$2 == "hive_id" && $1 < cpus { print $1, $3 }' /tmp/nodes | sort >/tmp/have
	same /tmp/want /tmp/have
}

consistent() {
	survey && read_nodes && counts && ids && properties && links && hives_of_cpus
}

# Where a die is: the number of its node
node_of() {
	local at

	at=$(location_of "$1")
	grep -lx "location_id $at" $TOPOLOGY/nodes/*/properties | sed 's,/properties,,; s,.*/,,'
}

# It goes, and the others move up; it comes again behind them, with the id that it had.
comes_and_goes() {
	local before id units last code=0

	before=$(generation)
	id=$(cat "$TOPOLOGY/nodes/$(node_of "$first")/gpu_id")
	units=$(grep -x 'simd_id_base .*' $TOPOLOGY/nodes/*/properties | sed 's/.* //' | sort -n | tail -n 1)
	echo "$first" >$DRIVER/unbind || return 1
	[ "$(generation)" = $((before + 1)) ] && [ -z "$(node_of "$first")" ] || code=1
	# With the last die the tool has none to show.
	[ -z "$(dies)" ] || consistent || code=1
	echo "$first" >$DRIVER/bind || return 1
	[ $code = 0 ] && [ "$(generation)" = $((before + 2)) ] || return 1
	consistent || return 1
	last=$(($(count_of $TOPOLOGY/nodes/*) - 1))
	[ "$(node_of "$first")" = $last ] || return 1
	[ "$(cat $TOPOLOGY/nodes/$last/gpu_id)" = "$id" ] || return 1
	# No unit has a number that another had.
	[ "$(sed -n 's/^simd_id_base //p' $TOPOLOGY/nodes/$last/properties)" -gt "$units" ]
}

# break_links LIST: and train the hive anew
break_links() {
	host qmp '{"execute":"qom-set","arguments":{"path":"'$HIVE_LINK'","property":"down","value":"'"$1"'"}}' \
		>/dev/null && echo 2 >"$DRI/$first/vgpu_hive_reset"
}

# A link breaks: ways become longer, or there is none. Who looked before can tell.
follows_links() {
	local before code=0

	before=$(generation)
	break_links 0-1 && survey && read_nodes && links || code=1
	[ "$(generation)" -gt "$before" ] || code=1
	before=$(generation)
	break_links "" && consistent || code=1
	[ "$(generation)" -gt "$before" ] && [ $code = 0 ]
}

# Readers have whatever was there when they looked, and no die waits for them forever.
under_readers() {
	local reader i=0 code=0

	exec 8<"$TOPOLOGY/nodes/$(node_of "$first")/properties"
	while :; do
		cat $TOPOLOGY/generation_id $TOPOLOGY/nodes/*/properties \
			$TOPOLOGY/nodes/*/io_links/*/properties >/dev/null 2>&1
	done &
	reader=$!
	while [ $i -lt 3 ]; do
		echo "$first" >$DRIVER/unbind && echo "$first" >$DRIVER/bind || code=1
		i=$((i + 1))
	done
	kill $reader
	wait $reader 2>/dev/null
	# It is of a node that may be another's by now, or of none.
	cat <&8 >/dev/null 2>&1
	exec 8<&-
	[ $code = 0 ] && consistent
}

# The files go with the module, and the count begins anew.
module_again() {
	rmmod vgpu && [ ! -e $TOPOLOGY ] && modprobe vgpu || return 1
	[ "$(generation)" = $((1 + $(dies | grep -c .))) ] && consistent
}

survey
read_nodes
plan 12
check "the lines are amdkfd's" layout
check "counts are those of the files" counts
check "each die has an id" ids
check "a die's properties" properties
check "a die's caches" caches
check "links and their weights" links
check "nodes of CPUs" numa
check "hives of CPUs" hives_of_cpus
check "a die goes and comes" comes_and_goes
if grep -q . /tmp/fabric; then
	check "a link breaks" follows_links
else
	result 0 "a link breaks # SKIP no link"
fi
check "dies come and go under readers" under_readers
check "module loaded again" module_again
finish
