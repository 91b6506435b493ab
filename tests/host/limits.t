#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The line "Not measured: ..." names the questions that a result cannot answer. compare, plot and sweep print it,
# and JSON documents contain it. mail.t checks stats, verdict and report.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# recording DIR EMULATED SOURCE CPUS N: make a recording with N wake-ups from C6.
recording() {
	mkdir "$1"
	run_tsv "$1/run.tsv"
	sed -i '/^\(emulated\|source\|cpus\)	/d' "$1/run.tsv"
	printf 'emulated\t%s\nsource\t%s\ncpus\t%s\n' "$2" "$3" "$4" >>"$1/run.tsv"
	awk -v n="$5" 'BEGIN { for (i = 1; i <= n; i++) print 3, i * 1000 + 50000, 133000 + i * 7919 % 1000, 134000, "-" }' |
		samples_tsv "$1/samples.tsv"
}
recording timer no tsc_deadline 3 3000
recording card no i210 3 3000
recording guest hypervisor wake 1 200

# limits BRIEF DIR...: print the line for these recordings. BRIEF=1 makes it short, as in figures.
limits() {
	brief=$1
	shift
	names=$(printf '%s\n' "$@" | paste -s -)
	for limits_dir; do
		set -- "$@" "$limits_dir/run.tsv" "$limits_dir/stats.tsv"
		shift
	done
	"$top/tools/bin/answer" limits ${brief:+-b} -n "$names" "$@"
}
for dir in timer card guest; do
	"$wakelat" stats -q $dir
done
is "$(limits 1 timer)" "Not measured: device wake-ups, other CPUs." "one recording: the short line"
is "$(limits 1 timer card)" "Not measured: device wake-ups (timer), timer wake-ups (card), other CPUs." \
	"several recordings: a limit of one recording has its name"
is "$(limits 1 timer card guest)" \
	"Not measured: the CPU itself (guest) (guest), p99.9 (guest), device wake-ups (timer), timer wake-ups (card, guest), other CPUs." \
	"several recordings: p99.9 has the name of the recording with few samples"
cp -r guest a-recording-with-a-long-name
cp -r guest another-recording-of-that-guest
is "$(limits 1 timer a-recording-with-a-long-name another-recording-of-that-guest)" \
	"Not measured: the CPU itself (guest) (2 of 3), p99.9 (2 of 3), device wake-ups (timer), timer wake-ups (2 of 3), other CPUs." \
	"several recordings: their number replaces long names"

cp -r timer wakers
sed -i '/^source	/d' wakers/run.tsv
printf 'source\tpassive\n' >>wakers/run.tsv
like "$(limits '' wakers)" ': wake-ups by devices or other CPUs ' "passive without wake-ups by other CPUs: the line names other CPUs"
printf 'woken_by\ttimer,flag,ipi\n' >>wakers/run.tsv
is "$(limits 1 wakers)" "Not measured: device wake-ups, other CPUs." "passive with wake-ups by other CPUs: the short line"
like "$(limits '' wakers)" ': wake-ups by devices [(]when these begin is not known[)]; other' "passive with wake-ups by other CPUs: the line names devices only"

joined_lines() { printf '%s\n' "$out" | paste -sd ' ' -; }
run "$wakelat" compare timer timer
like "$(joined_lines)" ' Not measured: wake-ups by devices or other CPUs \(a CPU can foresee its timer\); other CPUs and packages \(measured: CPU 3\)\.$' \
	"compare: one line if it is the same for all recordings"
run "$wakelat" compare timer guest
like "$(joined_lines)" ' timer: not measured: wake-ups by devices .* guest: not measured: the CPU.s own idle states .*; p99\.9 \(200 of the 2995' \
	"compare: a line for each recording if they differ"
is "$(printf '%s\n' "$out" | sed -n '/: does not apply/,$p' | awk 'length($0) > 80')" "" \
	"compare: the lines have 80 columns at most"

mkdir -p points/qos-none
cp timer/run.tsv points/qos-none/
printf 'knob\tvalue\tunit\tdeepest\tn\nqos\tnone\tus\tC6\t100\n' >points/sweep.tsv
# points_table FUNCTION: call print_points or points_limits as sweep does.
points_table() {
	awk 'found || /^(print_points|points_limits)\(/ { found = 1; print } /^}/ { found = 0 }' "$top/scripts/lib/experiment/points.sh" >print-points.sh
	here=$top/scripts tools=$top/tools/bin sh -c '. ./print-points.sh && "$0" points' "$1"
}
like "$(points_table print_points)" '^Not measured: p99\.9 \(100 of the 2995 samples that it needs\); .*\(measured: CPU 3\)\.$' \
	"sweep: the line is printed below the table of points"

# --- many machines: a table with a row for each kind of machine
keys_limits() {
	"$top/tools/bin/answer" limits ${1:+-b} kinds.tsv
}
printf '%s\t%s\t%s\t%s\t%s\n' key machines emulated driver source 1 40 no intel_idle hrtimer 2 8 hypervisor - hrtimer >kinds.tsv
is "$(keys_limits 1)" "Not measured: the CPU itself (guest) (8 of 48 machines), device wake-ups, other machines and CPUs." \
	"many machines: the line says for how many of them a limit holds"
sed -i 2d kinds.tsv
like "$(keys_limits '')" "^Not measured: the CPU's own idle states \(contains the hypervisor\); wake-ups by devices .*; other machines, and" \
	"many machines: a limit that holds for all has no number"

# --- JSON
only_cpu_3='wake-ups by devices or other CPUs (a CPU can foresee its timer); other CPUs and packages (measured: CPU 3)'
# means_nothing COMMAND...: print the line in the command's JSON document.
means_nothing() {
	"$wakelat" "$@" | sed -n 's/^  "means_nothing": "\{0,1\}\([^"]*\)"\{0,1\},$/\1/p'
}
is "$(means_nothing stats --json timer)" "$only_cpu_3" "stats --json has the line"
is "$(means_nothing verdict --json timer)" "$only_cpu_3" "verdict --json has the line"
is "$(means_nothing compare --json timer timer)" "$only_cpu_3" "compare --json: one line for all recordings"
like "$(means_nothing compare --json timer guest)" '; p99\.9 \(200 of .*\) \(guest\); .*its timer\) \(timer\); ' \
	"compare --json: a limit of one recording has its name"
is "$(points_table points_limits)" "$(points_table print_points | tail -n 1)" "JSON: the line is about the points only"
common=$top/scripts/lib/common
like "$(schema=$common/schema.tsv awk -F '\t' -v command=doctor -v names=doctor -f "$common/schema.awk" -f "$common/json.awk" \
	points/sweep.tsv)" '"means_nothing": null' \
	"JSON without a recording: means_nothing is null"

command -v gnuplot >/dev/null || {
	skip 5 "gnuplot is not installed"
	done_testing
	exit
}
"$wakelat" plot -q -k svg,tex -f ccdf,states -o figures timer
for figure in ccdf states; do
	is "$(grep -c 'Not measured: device wake-ups, other CPUs\.' figures/$figure.svg)" 1 "$figure: the figure has the line"
done
like "$(cat figures/ccdf.tex)" 'Not measured: device wake-ups, other CPUs\.' "the figure for LaTeX has the line"
"$wakelat" plot -q -k svg -f ccdf -w 'silent_time < 100us' -o few timer
like "$(cat few/ccdf.svg)" 'Not measured: p99\.9, device' "the line is about the samples that the figure shows"
"$wakelat" plot -q -k svg -f ccdf -o both timer card
like "$(cat both/ccdf.svg)" 'Not measured: device wake-ups \(timer\), timer wake-ups \(card\), other CPUs\.' \
	"the line in a figure of several recordings"
done_testing
