# SPDX-License-Identifier: GPL-2.0
# samples.sh - makes samples.tsv and stats.tsv of a recording.
# shellcheck shell=sh
#
# Needs message.sh, put-file.sh, directory.sh, analysis.sh, convert.sh.

# Variables that other files set:
: "${here?the command}" "${work?analysis.sh}" "${status_incomplete?analysis.sh}" \
	"${dir?directory.sh}" "${samples_file?directory.sh}" "${program_reads?directory.sh}" \
	"${run_found?directory.sh}" "${newline?directory.sh}" "${quiet?message.sh}" "${incomplete?convert.sh}" "${status?convert.sh}"

# See need_samples and need_stats.
made=
tables=
: "$made" "$tables"

# The recordings whose samples were found to be complete, one a line. They are not checked again.
complete_samples=$newline

# make_samples TABLE: makes TABLE from the traces of $dir. Ends with the status of wakelat dump.
make_samples() (
	me="wakelat dump"
	export WAKELAT_PROGRAM="$me"
	[ "$1" != "$samples_file" ] || check_place "$1"
	convert_recording "$1" "${samples_file#./}"
	exit "$status"
)

# need_samples: makes samples.tsv if there is a trace.dat that this user can read. Sets $made to its path, or to
# that of counts.tsv, and $incomplete. If a program reads the traces (program_reads), $made is empty then.
need_samples() {
	need_tools answer quantiles
	made=$samples_file
	case $complete_samples in
	*"$newline$made$newline"*) return ;;
	esac
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
		make_samples "$made"
		case $? in
		0) ;;
		"$status_incomplete") incomplete=yes ;;
		*) exit 1 ;;
		esac
		return
	fi
	[ "$program_reads" = no ] || return 0
	: >"$work/rows" || cannot_write_temporary
	check_counts "$dir/samples.tsv" "${dir#./}/samples.tsv"
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

# as_command NAME FUNCTION...: calls each FUNCTION as `wakelat NAME --quiet` would do, in a subshell
as_command() {
	(
		me="wakelat $1" quiet=yes
		export WAKELAT_PROGRAM="$me"
		shift
		for as_function; do
			"$as_function"
		done
		exit_analysis
	)
	made_by_us $?
}

# need_stats: makes samples.tsv, and the tables of wakelat stats in a directory of $work. Sets $tables to this
# directory, and $incomplete.
need_stats() {
	tables=$(mktemp -d "$work/tables.XXXXXX") || cannot_write_temporary
	: >"$work/rows" || cannot_write_temporary
	as_command stats need_samples make_stats
	[ "$incomplete" = yes ] || [ ! -w "$dir" ] || complete_samples=$complete_samples$samples_file$newline
}

# make_stats: makes the tables of $made in $tables
make_stats() {
	# shellcheck source=scripts/lib/analysis/stats-tables.sh
	. "$here/lib/analysis/stats-tables.sh"
	samples=$made
	results=$tables
	write_stats none
	mv "$work/stats-notes" "$tables/notes" || cannot_write_temporary
}
