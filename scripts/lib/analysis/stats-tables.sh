# SPDX-License-Identifier: GPL-2.0
# stats-tables.sh - makes the tables stats*.tsv from samples.tsv and run.tsv.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Variables that other files set:
: "${newline?directory.sh}" "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" \
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

# has_uncertain_metrics: true if the metrics are times from a launch time, and the samples say how uncertain that is
has_uncertain_metrics() {
	has_column uncertainty || return
	case ,$metrics, in
	*,wake_latency,* | *,intr_latency,* | *,latency,* | *,silent_time,*) ;;
	*) return 1 ;;
	esac
	case ,$(printf '%s' "$metrics" | sed 's/\(wake_latency\|intr_latency\|latency\|silent_time\)//g'), in
	*[!,]*) return 1 ;;
	esac
}

# quantiles COLUMNS [OPTION]...: prints statistics of the metrics for each combination of values in
# the columns, without samples that missed their state
quantiles() {
	quantiles_by=$1
	shift
	"$tools/quantiles" -g "$quantiles_by" ${counters:+-R "$counters"} -m "$metrics" -p "$percentiles" ${unsupported:+-u} "$@" \
		"$samples"
}

# write_hgrm: writes a file for each state and metric. The state's name is in the file's name, with
# _ for / and blanks.
write_hgrm() {
	one_source "$results/stats.tsv"
	make_place "$hgrm"
	mkdir "$work/hgrm" "$work/hgrm-named" || cannot_write_temporary
	quantiles state -t taint -H "$work/hgrm" >"$work/hgrm-stats" || exit
	for file in "$work"/hgrm/*.hgrm; do
		[ -e "$file" ] || die "$dir: no state has a sample: nothing for --hgrm"
		name=${file##*/}
		state=$(awk -F '\t' -v key="state.${name%%-*}.name" '$1 == key { gsub("[/ ]", "_", $2); print $2; exit }' "$dir/run.tsv")
		mv "$file" "$work/hgrm-named/${state:-state${name%%-*}}-${name#*-}" || cannot_write_temporary
	done
	write_outputs "$hgrm" "$work"/hgrm-named/*
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
		die "cannot write ${results#./}, and its tables are missing: name a directory for them with --output"
	counters=$("$tools/answer" counters "$dir/run.tsv" "$samples") || exit
	# The command may have made the tables of another recording before.
	rm -f "$work"/stats*.index
	uncertain=
	! has_uncertain_metrics || uncertain=yes
	set --
	[ -z "$counters" ] ||
		set -- "$@" -o "$work/stats-reached.index" -g source,state -r "$counters" -t taint \
			-m "$metrics" -p "$percentiles" ${unsupported:+-u}
	! several_cpus ||
		set -- "$@" -o "$work/stats-cpu.index" -g source,state,cpu ${counters:+-R "$counters"} -t taint \
			-m "$metrics" -p "$percentiles" ${unsupported:+-u}
	! has_column aperf_cyc || ! has_column mperf_cyc ||
		set -- "$@" -o "$work/stats-frequency.index" -g source,state ${counters:+-R "$counters"} \
			-m aperf_cyc,mperf_cyc -s -t taint
	! has_column uncertainty ||
		set -- "$@" -o "$work/stats-uncertainty.index" -g source -m uncertainty -p 50 -t taint
	quantiles source,state -t "taint:$taints" ${uncertain:+-U} -i "$work/stats-ci.index" "$@" >"$work/stats.index" ||
		exit
	written=$(awk -F '\t' -f "$here/lib/analysis/stats-tables.awk" "$dir/run.tsv" \
		"$work"/stats*.index) || exit
	set --
	for name in $written; do
		set -- "$@" "$work/$name.tsv"
	done
	write_outputs "$results" "$@"
	set --
	for name in reached cpu frequency uncertainty; do
		case $newline$written$newline in
		*"${newline}stats-$name$newline"*) ;;
		*) set -- "$@" "$results/stats-$name.tsv" ;;
		esac
	done
	rm -f "$@"
}
