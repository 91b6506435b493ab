# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154  # variables of tap.sh
# probe.sh - recordings of wakelat probe in the testbed, against its truth log.
#
# Needs replay.sh, measuring.sh.

build_clocks() {
	gcc -O2 -Wall -static -o "$tmp/clocks" "$top/tests/guest/clocks.c"
}

# probing: what probe needs in the guest
probing() {
	guest_program "$top/tools/bin/probe" /wakelat/tools/bin/probe | tr ' ' '\n' | paste -d ' ' - - | sort -u
	printf -- '--add %s=/clocks\n' "$tmp/clocks"
}

# with_cycles DIR CLOCK: samples.tsv of DIR gets its stamps in TSC cycles, by two readings of both clocks: in the testbed
# one is a straight line over the other. Its source becomes probe_SOURCE: what may be wrong with it is not what it is in the kernel's.
with_cycles() {
	awk -F '\t' -v OFS='\t' '
		function cycles(ns) { return ns == "-" ? "-" : sprintf("%.0f", cyc[1] + (ns - mono[1]) * rate) }
		FNR == NR { cyc[FNR] = $1; mono[FNR] = $2; rate = FNR > 1 ? (cyc[2] - cyc[1]) / (mono[2] - mono[1]) : 0; next }
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		FNR > 1 {
			$at["source"] = "probe_" $at["source"]
			$at["tbi_cyc"] = cycles($at["tbi"])
			$at["tai_cyc"] = cycles($at["tai"])
			$at["tintr_cyc"] = cycles($at["tintr"])
		}
		{ print }' "$2" "$1/samples.tsv" >"$1/with_cycles" && mv "$1/with_cycles" "$1/samples.tsv"
}
