# SPDX-License-Identifier: GPL-2.0
# samples.sh - who makes samples.tsv and stats.tsv of a recording, and when: where they are missing or older than their input.
# shellcheck shell=sh
#
# Needs message.sh, directory.sh, analysis.sh.

# Read here, set there:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${status_incomplete?analysis.sh}" \
	"${dir?directory.sh}" "${samples_file?directory.sh}"

# See need_samples and need_stats; incomplete=yes: samples are missing from the recording.
made=
tables=
incomplete=no
: "$made" "$tables" "$incomplete"

# outdated FILE INPUT...: is it missing, or older than one of those?
outdated() {
	[ -e "$1" ] || return 0
	outdated_file=$1
	shift
	[ -n "$(find "$@" -prune -newer "$outdated_file")" ]
}

# check_counts FILE NAME: rows per run and CPU against the kernel's counts in run.tsv: a run whose every event was lost has
# left no trace in the recording.
check_counts() {
	"$tools/quantiles" -g run,cpu -m ldist -t taint "$1" >"$work/rows" || exit
	counts_bad=$(awk -F '\t' '
		FNR == NR { if (FNR > 1) rows[$1 "." $2] = $3 + $NF; next }
		$1 ~ /^run\.[0-9]+\.cpu[0-9]+\.samples$/ {
			split($1, key, ".")
			cpu = substr(key[3], 4)
			have = rows[key[2] "." cpu] + 0
			if (have > $2)
				more = sprintf("%.0f samples of run %s on CPU %s, where run.tsv counts %s", have, key[2], cpu, $2)
			if (have != $2 && !bad++)
				fewer = sprintf("run %s on CPU %s has %.0f of %s samples", key[2], cpu, have, $2)
		}
		END { print (more == "" ? fewer : "more " more) }' "$work/rows" "$dir/run.tsv") || exit
	[ -z "$counts_bad" ] && return
	[ "$counts_bad" = "${counts_bad#more }" ] ||
		die "$2 has ${counts_bad#more }: it is not of this recording, or has rows twice; remove it, and it is made again from trace.dat"
	warn "$2 is incomplete: $counts_bad"
	incomplete=yes
}

# Can the command do with tables that are not in the directory, if nothing can be written there?
tables_elsewhere=no

may_write() {
	[ "$tables_elsewhere" = no ] || [ -w "$dir" ]
}

# make_samples: of trace.dat. Fails as wakelat dump does.
make_samples() {
	if may_write; then
		"$here/commands/dump" "$dir"
		return
	fi
	made=$(mktemp "$work/made.XXXXXX") || die "$work cannot be written"
	"$here/commands/dump" -o "$made" "$dir" 2>"$work/dump.log"
	make_status=$?
	sed "s|$work/||g" "$work/dump.log" >&2
	return "$make_status"
}

# need_samples: makes samples.tsv if it must be made; sets $made, where it (or the counts.tsv in its place) is, and $incomplete
need_samples() {
	need_tools quantiles
	made=$samples_file
	if are_counts; then
		counts_bad=$(run_value incomplete)
		[ -z "$counts_bad" ] && return
		warn "${made#./} is incomplete: $counts_bad"
		incomplete=yes
		return
	fi
	if [ -e "$dir/trace.dat" ] && outdated "$dir/samples.tsv" "$dir/trace.dat"; then
		make_samples
		case $? in
		0) ;;
		"$status_incomplete") incomplete=yes ;;
		*) exit 1 ;;
		esac
		return
	fi
	check_counts "$dir/samples.tsv" "${dir#./}/samples.tsv"
}

# cells_of COLUMN TABLE: one a line
cells_of() {
	awk -F '\t' -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		at { print $at }' "$2"
}

# one_source TABLE: dies if there are several in its column
one_source() {
	sources=$(cells_of source "$1" | sort -u | paste -sd ' ' -)
	case $sources in
	*' '*) die "$samples_file: several sources ($sources): their latencies mean different things and are never averaged together" ;;
	esac
}

# has_stats: are there tables of statistics, of these samples? One without sources is of an older wakelat.
has_stats() {
	[ -e "$dir/stats-ci.tsv" ] && [ -e "$1" ] && ! outdated "$dir/stats.tsv" "$1" "$dir/run.tsv" &&
		[ -n "$(cells_of source "$dir/stats.tsv")" ]
}

# need_stats: makes stats.tsv as well; it says whether samples.tsv is complete. Sets $tables, the directory that has it.
need_stats() {
	tables=$dir
	if ! may_write && ! has_stats "$samples_file"; then
		tables=$(mktemp -d "$work/tables.XXXXXX") || die "$work cannot be written"
		set -- -o "$tables"
	else
		set --
	fi
	"$here/commands/stats" -q "$@" "$dir"
	case $? in
	0) ;;
	"$status_incomplete") incomplete=yes ;;
	*) exit 1 ;;
	esac
}
