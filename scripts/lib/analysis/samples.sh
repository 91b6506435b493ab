# SPDX-License-Identifier: GPL-2.0
# samples.sh - makes samples.tsv and stats.tsv of a recording.
# shellcheck shell=sh
#
# Needs message.sh, put-file.sh, directory.sh, analysis.sh, convert.sh.

# Variables that other files set:
: "${work?analysis.sh}" "${status_incomplete?analysis.sh}" \
	"${dir?directory.sh}" "${samples_file?directory.sh}" "${program_reads?directory.sh}" \
	"${run_found?directory.sh}" "${newline?directory.sh}" "${incomplete?convert.sh}" "${status?convert.sh}"

# See need_samples.
made=
: "$made"

# need_samples: makes samples.tsv if there is a trace.dat that this user can read. Sets $made to its path, or to
# that of counts.tsv, and $incomplete. If a program reads the traces (program_reads), $made is empty then.
need_samples() {
	need_tools answer quantiles
	made=$samples_file
	if are_counts; then
		find_run incomplete
		counts_bad=$run_found
		[ -z "$counts_bad" ] && return
		warn "${made#./} is incomplete: $counts_bad"
		incomplete=yes
		return
	fi
	if [ -r "$dir/trace.dat" ] || [ ! -e "$dir/samples.tsv" ]; then
		[ "$program_reads" = no ] || {
			made=
			return
		}
		need_tools dump
		[ -w "$dir" ] || made=$(mktemp "$work/made.XXXXXX") || cannot_write_temporary
		[ "$made" != "$samples_file" ] || check_place "$made"
		convert_recording "$made" "${samples_file#./}"
		made_by_us "$status"
		return
	fi
	[ "$program_reads" = no ] || return 0
	: >"$work/rows" || cannot_write_temporary
	check_counts "$dir/samples.tsv" "${dir#./}/samples.tsv"
}

# checked_name: sets $checked to the name that messages have for samples whose numbers a program compares with those of run.tsv; to
# nothing for counts
checked=
checked_name() {
	checked=
	if [ -z "$made" ]; then
		checked=${dir#./}/trace.dat
	elif [ "$made" = "$dir/samples.tsv" ]; then
		checked=${samples_file#./}
	fi
	: "$checked"
}

# with_samples COMMAND...: runs it with run.tsv and the table of samples $made as further arguments. Without a table, the traces follow
# the option -t.
with_samples() {
	if [ -n "$made" ]; then
		"$@" "$dir/run.tsv" "$made"
		return
	fi
	set -- "$@" -t "$dir/run.tsv"
	# Messages name the traces as the user does, but ./-o/trace.dat is not an option.
	with_dir=${dir#./}
	case $with_dir in
	-*) with_dir=$dir ;;
	esac
	for with_trace in "$with_dir"/trace-*.dat "$with_dir/trace.dat"; do
		[ ! -e "$with_trace" ] && [ "$with_trace" != "$with_dir/trace.dat" ] || set -- "$@" "$with_trace"
	done
	"$@"
}

# has_rows TABLE: true if it has a line after its header
has_rows() {
	{ read -r _ && read -r _; } <"$1"
}

# cells_of COLUMN TABLE: prints the cells of a column, one a line
cells_of() {
	awk -F '\t' -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		at { print $at }' "$2"
}

# sources_of TABLE: sets $sources to its sources, one a line, each once
sources_of() {
	sources=$(awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "source") at = i; next }
		at && !seen[$at]++ { source = $at; n++ }
		END {
			if (n == 1)
				print source
			else
				for (source in seen)
					print source | "sort"
		}' "$1")
}

# one_source TABLE: dies if the table has several sources
one_source() {
	sources_of "$1"
	case $sources in
	*"$newline"*) die "$samples_file: several sources ($(printf '%s\n' "$sources" | paste -sd ' ' -)): their latencies mean different things and are never averaged together" ;;
	esac
}

# made_by_us STATUS: exits if another command has failed. Notes missing samples (status 3).
made_by_us() {
	case $1 in
	0) ;;
	"$status_incomplete") incomplete=yes ;;
	*) exit 1 ;;
	esac
}
