# SPDX-License-Identifier: GPL-2.0
# stats-tables.sh - makes the tables stats*.tsv from samples.tsv and run.tsv.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Variables that other files set:
: "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" "${incomplete?convert.sh}"

# The file with the samples, the directory for the tables, and the options of wakelat stats.
samples=
results=
metrics=
percentiles=50,90,99,99.9,99.99,99.999
percentiles_chosen=
hgrm=
unsupported=

# write_hgrm: writes a file for each state and metric. The state's name is in the file's name, with
# _ for / and blanks.
write_hgrm() {
	one_source "$results/stats.tsv"
	make_place "$hgrm"
	mkdir "$work/hgrm" "$work/hgrm-named" || cannot_write_temporary
	hgrm_metrics=$(head -n 1 "$results/stats.tsv" | tr '\t' '\n' | sed -n 's/_min$//p' | paste -sd , -)
	counters=$("$tools/answer" counters "$dir/run.tsv" "$samples") || exit
	"$tools/quantiles" -g state ${counters:+-R "$counters"} -m "$hgrm_metrics" -t taint -H "$work/hgrm" "$samples" >"$work/hgrm-stats" || exit
	for file in "$work"/hgrm/*.hgrm; do
		[ -e "$file" ] || die "$dir: no state has a sample: nothing for --hgrm"
		name=${file##*/}
		state=$(awk -F '\t' -v key="state.${name%%-*}.name" '$1 == key { gsub("[/ ]", "_", $2); print $2; exit }' "$dir/run.tsv")
		mv "$file" "$work/hgrm-named/${state:-state${name%%-*}}-${name#*-}" || cannot_write_temporary
	done
	write_outputs "$hgrm" "$work"/hgrm-named/*
}

# write_stats FORM [OPTION]...: writes all tables, and prints the statistics in this form (tools/answer/stats.h)
write_stats() {
	[ -w "$results" ] ||
		die "cannot write ${results#./}, and its tables are missing: name a directory for them with --output"
	need_tools answer
	# The command may have made the tables of another recording before.
	rm -f "$work"/stats*.tsv
	stats_form=$1
	shift
	[ -z "$unsupported" ] || set -- "$@" -u
	[ -z "$metrics" ] || set -- "$@" -m "$metrics"
	[ -z "$percentiles_chosen" ] || set -- "$@" -c
	[ "$incomplete" = no ] || set -- "$@" -i
	# need_samples has checked a table of which only some samples are selected.
	checked=
	[ "$made" != "$samples" ] || checked_name
	made=$samples
	: "$made"
	with_samples "$tools/answer" stats "$@" ${checked:+-C "$checked"} -p "$percentiles" -f "$stats_form" -o "$work/stats"
	made_by_us "$?"
	set --
	for name in '' -ci -reached -cpu -frequency -unknown -uncertainty; do
		[ ! -e "$work/stats$name.tsv" ] || set -- "$@" "$work/stats$name.tsv"
	done
	write_outputs "$results" "$@"
	for name in -reached -cpu -frequency -unknown -uncertainty; do
		[ -e "$work/stats$name.tsv" ] || rm -f "$results/stats$name.tsv"
	done
}
