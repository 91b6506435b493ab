# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# probe.sh - compare recordings of wakelat probe in the testbed with its truth log.

: "${top:?}" "${tmp:?}" "${status=}" "${kernel=}"
# shellcheck source=tests/lib/analysis.sh
. "$top/tests/lib/analysis.sh"
# shellcheck source=tests/lib/replay.sh
. "$top/tests/lib/replay.sh"
# shellcheck source=tests/lib/measuring.sh
. "$top/tests/lib/measuring.sh"

# ready_to_probe FLAVOUR|image|image-arm64: check that probe is built, and set $kernel
ready_to_probe() {
	build_tools
	[ "${1%-arm64}" != image ] || [ -x "$top/tools/bin/probe" ] || skip_all "tools/bin/probe is not built: scripts/dev/packages probe"
	ready_compiler=gcc
	[ "$1" != image-arm64 ] || ready_compiler=aarch64-linux-gnu-gcc
	"$ready_compiler" -O2 -Wall -static -o "$tmp/clocks" "$top/tests/guest/clocks.c" || bail "no compiler"
	use_kernel "$1"
}

# probe_job DIR JOB CHECKS PROGRAMS [TESTBED-OPTION...]: run guest/JOB.job, which makes CHECKS checks, with these PROGRAMS of
# tools/bin
probe_job() {
	probe_dir=$1
	probe_script=$top/tests/guest/$2.job
	[ -e "$probe_script" ] || probe_script=$top/extras/$2/tests/guest/$2.job
	probe_checks=$3
	probe_programs=$4
	shift 4
	words "$(words "$probe_programs" guest_tools)" guest_job "$probe_dir" "$probe_script" --kernel "$kernel" --memory 1024 \
		--add "$tmp/clocks=/clocks" "$@"
	is "$status" 0 "the virtual Xeon runs the job" || bail "$(tail -n 3 "$probe_dir.partial/console.log" 2>/dev/null)"
	replay_checks "$probe_dir" "$probe_checks"
}

# with_cycles DIR CLOCK: add stamps in TSC cycles to DIR/samples.tsv. Each of the two lines of the file CLOCK has
# a reading of the TSC and of CLOCK_MONOTONIC. In the testbed each clock is a linear function of the other. Rename the source
# to probe_SOURCE: its error bound differs from the kernel source's.
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
