# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# directories-base.sh - make the directories DIR/base/KIND, which directory.c changes into hostile ones for directories.sh, and
# DIR/other, a recording to compare with.
#
#	recording	samples.tsv and trace.dat, and what the commands make of them
#	counts		counts of machines
#	foreign		results of other tools, and other text files that commands read
#	points		a sweep, with one point

: "${top:?}" "${directories_tree:?}"

# directories_base DIR: make all these directories
directories_base() (
	# shellcheck source=tests/lib/analysis.sh
	. "$top/tests/lib/analysis.sh"
	base=$1/base
	mkdir "$base/recording" "$base/counts" "$base/foreign" "$base/points" "$base/points/point"
	directories_recording_base "$base/recording" "$1" && directories_counts_base "$base/counts" "$1/other" &&
		directories_foreign_base "$base/foreign" && directories_points_base "$base/points" "$1/other"
)

directories_recording_base() {
	run_tsv "$1/run.tsv" run.1.cpu0.samples 60 run.1.reason samples tsc_khz 2000000 state.3.desc MWAIT
	seq 1001 1060 | sed 's/.*/3 1000 & & -/' | samples_tsv "$1/samples.tsv"
	printf 'bulk 60 0 1000 3\n' | "$2/mktrace" "$1/trace.dat"
	"$directories_tree/scripts/wakelat" stats -q "$1" && "$directories_tree/scripts/wakelat" verdict -q "$1"
	printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\ntasks\tcpu0\tdoubt\t1\tsomebody (1)\tkill\t-\tothers\n' \
		>"$1/doctor.tsv"
	cp "$1/run.tsv" "$1/samples.tsv" "$2/other"
	"$directories_tree/scripts/wakelat" stats -q "$2/other"
	"$directories_tree/scripts/wakelat" compare -q -o "$1/compare.tsv" "$1" "$2/other"
	printf '%s\n' /sys/devices/system/cpu/cpuidle/current_governor:menu /sys/devices/system/cpu/cpu0/cpuidle/state0/name:POLL \
		/sys/devices/system/cpu/cpu0/cpuidle/state1/name:C1 /sys/devices/system/cpu/cpu0/cpuidle/state1/latency:2 >"$1/cpuidle.txt"
}

# directories_counts_base DIR RECORDING: make counts of four machines in DIR
directories_counts_base() {
	mkdir "$1.one"
	for number in 1 2 3 4; do
		cp "$2/samples.tsv" "$1.one/"
		sed "s/^hostname	.*/hostname	node$number/; s/^date	.*/date	2026-01-0${number}T03:04:05Z/; s/^emulated	.*/emulated	no/" \
			"$2/run.tsv" >"$1.one/run.tsv"
		"$directories_tree/scripts/wakelat" stats -q --counts "$1/node$number.counts" "$1.one" || return
	done
	rm -rf "$1.one"
	printf 'refused: there is no wakelat\n' >"$1/node5.reason"
	printf 'node%s\n' 1 2 3 5 6 >"$1/nodes"
}

directories_foreign_base() {
	printf 'WakeLatency,IntrLatency,SilentTime,LDist,ReqCState\n%s\n' 60.1,61.2,1000,2000,C6 60.3,61.4,1001,2001,C6 >"$1/datapoints.csv"
	printf 'toolver: 1.6\ndevid: hrt\ncpunum: 1\n' >"$1/info.yml"
	cp "$top"/tests/fixtures/import/cyclictest.json "$top"/tests/fixtures/import/cyclictest.txt "$top"/tests/fixtures/import/timerlat.txt "$1/" || return
	head -n 6 "$top/results/atlas/atlas.tsv" >"$1/atlas.tsv"
	for foreign_file in "$top"/extras/*/tests/fixtures/foreign/*; do
		[ ! -e "$foreign_file" ] || cp "$foreign_file" "$1/" || return
	done
}

# directories_points_base DIR RECORDING: make a sweep in DIR whose point is a copy of RECORDING
directories_points_base() {
	{
		printf '%s\t' knob value unit deepest n tainted intr_latency_p50 intr_latency_p99 intr_latency_p99.9 intr_latency_p99.99 \
			intr_latency_max worst_state worst_n worst_by worst_intr_latency residency_C1_pct residency_C6_pct busy_pct window_s \
			power_w power_from emulated
		printf 'directory\n'
		printf '%s\t' qos none us C6 60 0 134000 135000 - - 136000 C6 60 max 136000 10.00 80.00 10.00 3.00 - - yes
		printf 'point\n'
	} >"$1/sweep.tsv"
	printf 'key\tvalue\nknob\tqos\ncpu\t1\n' >"$1/setup.tsv"
	cp "$1/setup.tsv" "$1/point/point.tsv"
	cp "$2/run.tsv" "$2/samples.tsv" "$1/point/"
}
