# SPDX-License-Identifier: GPL-2.0
# stats-tables.sh - makes the tables stats*.tsv from samples.tsv and run.tsv.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" \
	"${run_found?directory.sh}"

# The file with the samples, the directory for the tables, and the options of wakelat stats.
samples=
results=
metrics=wake_latency,intr_latency
percentiles=50,90,99,99.9,99.99,99.999
hgrm=
unsupported=
# The taints with a column of their own. A taint without a bit, such as warmup, has none.
taints=
while read -r taint taint_bit _; do
	case $taint_bit in
	[0-9]*) taints=${taints:+$taints,}$taint ;;
	esac
done <"$here/lib/common/taints.tsv"

# has_column NAME: true if the samples have this column
has_column() {
	if are_counts; then
		awk -F '\t' -v name="$1" 'NR > 1 && $7 != "column" { exit } $6 == name { found = 1; exit } END { exit !found }' "$samples"
	else
		table_has "$1" "$samples"
	fi
}

# take_metrics: replaces the default metrics by `latency` for imported histograms, which have only
# that
take_metrics() {
	[ "$metrics" != wake_latency,intr_latency ] || ! are_counts || ! has_column latency || metrics=latency
}

# publish NAME: copies $work/NAME to the results, as a whole or not at all
publish() {
	write_output "$work/$1" "$results/$1"
}

# quantiles COLUMNS [OPTION]...: prints statistics of the metrics for each combination of values in
# the columns
quantiles() {
	quantiles_by=$1
	shift
	"$tools/quantiles" -g "$quantiles_by" -m "$metrics" -p "$percentiles" ${unsupported:+-u} "$@" "$samples"
}

# named TABLE NAME [VARIABLE]...: converts a table by state index to $work/NAME, by state name
named() {
	named_table=$1
	named_name=$2
	shift 2
	awk -F '\t' "$@" -f "$here/lib/analysis/state-names.awk" "$dir/run.tsv" "$work/$named_table" >"$work/$named_name" || exit
}

# write_hgrm: writes a file for each state and metric. The state's name is in the file's name, with
# _ for / and blanks.
write_hgrm() {
	one_source "$results/stats.tsv"
	mkdir -p "$hgrm" 2>/dev/null || die "cannot create ${hgrm#./}"
	mkdir "$work/hgrm" || die "$work cannot be written"
	quantiles state -t taint -H "$work/hgrm" >"$work/hgrm-stats" || exit
	for file in "$work"/hgrm/*.hgrm; do
		[ -e "$file" ] || die "$dir: no state has a sample: nothing for --hgrm"
		name=${file##*/}
		state=$(awk -F '\t' -v key="state.${name%%-*}.name" '$1 == key { gsub("[/ ]", "_", $2); print $2; exit }' "$dir/run.tsv")
		write_output "$file" "$hgrm/${state:-state${name%%-*}}-${name#*-}"
	done
}

# write_reached: writes the statistics of samples that reached their state, and of those that did
# not
write_reached() {
	quantiles source,state -r "state:$counters" -t taint >"$work/reached" || exit
	named reached stats-reached.tsv
	publish stats-reached.tsv
}

# write_cpus: writes the statistics of each CPU, if there are several
write_cpus() {
	quantiles source,state,cpu -t taint >"$work/cpus" || exit
	[ "$(sed 1d "$work/cpus" | cut -f 3 | sort -u | wc -l)" -gt 1 ] || return 0
	named cpus stats-cpu.tsv
	publish stats-cpu.tsv
}

write_frequency() {
	"$tools/quantiles" -g source,state -m aperf_cyc,mperf_cyc -t taint "$samples" >"$work/frequency" || exit
	awk -F '\t' -f "$here/lib/analysis/frequency.awk" "$dir/run.tsv" "$work/frequency" >"$work/stats-frequency.tsv" || exit
	publish stats-frequency.tsv
}

# write_uncertainty: writes how far launch times may be off, if the samples have that column
write_uncertainty() {
	"$tools/quantiles" -g source -m uncertainty -p 50 -t taint "$samples" >"$work/uncertainty" || exit
	awk -F '\t' -v OFS='\t' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "source", "n", "p50", "max"; next }
	{ print $1, $at["n"], $at["uncertainty_p50"], $at["uncertainty_max"] }' "$work/uncertainty" \
		>"$work/stats-uncertainty.tsv" || exit
	publish stats-uncertainty.tsv
}

several_cpus() {
	find_run cpus
	case $run_found in
	*[,-]?*) ;;
	*) return 1 ;;
	esac
}

# write_stats: writes all tables, with the driver's names and advertised latencies of the states
write_stats() {
	[ -w "$results" ] ||
		die "${results#./}: cannot be written to, and its tables are missing: name a directory for them with --output"
	counters=$(awk -F '\t' -f "$here/lib/analysis/counters.awk" "$dir/run.tsv" "$samples") || exit
	quantiles source,state -t "taint:$taints" -i "$work/intervals" >"$work/stats" || exit
	named stats stats.tsv -v advertised=1
	named intervals stats-ci.tsv
	for name in reached cpu frequency uncertainty; do
		[ ! -e "$results/stats-$name.tsv" ] || rm -f "$results/stats-$name.tsv"
	done
	[ -z "$counters" ] || write_reached
	! several_cpus || write_cpus
	! has_column aperf_cyc || ! has_column mperf_cyc || write_frequency
	! has_column uncertainty || write_uncertainty
	publish stats-ci.tsv
	publish stats.tsv
}
