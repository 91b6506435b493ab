# SPDX-License-Identifier: GPL-2.0
# samples.sh - who makes samples.tsv and stats.tsv of a recording, and when: where they are missing, or not known to be of it.
# shellcheck shell=sh
#
# Needs message.sh, directory.sh, analysis.sh, made.sh.

# Read here, set there:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${status_incomplete?analysis.sh}" \
	"${dir?directory.sh}" "${samples_file?directory.sh}"

# See need_samples and need_stats; incomplete=yes: samples are missing from the recording.
made=
tables=
incomplete=no
: "$made" "$tables" "$incomplete"

# samples_known: has this user's wakelat made samples.tsv of what there is to make it of? Without a trace.dat that can be read
# it is all that there is.
samples_known() {
	[ -e "$dir/samples.tsv" ] || return
	[ -r "$dir/trace.dat" ] || return 0
	samples_of_inputs && made_known "$dir/samples.tsv"
}

samples_of_inputs() {
	made_of dump "$dir"/trace*.dat "$dir/run.tsv"
}

# with_stats COMMAND, with_tail COMMAND: with the tables that there may be
with_stats() {
	"$1" "$dir/stats.tsv" "$dir/stats-ci.tsv" "$dir/stats-reached.tsv" "$dir/stats-cpu.tsv" "$dir/stats-frequency.tsv" \
		"$dir/stats-uncertainty.tsv"
}

with_tail() {
	"$1" "$dir/tail.tsv" "$dir/tail-qq.tsv" "$dir/tail-stability.tsv"
}

stats_of_inputs() {
	made_of stats "$1" "$dir/run.tsv"
}

# tail_of_inputs SAMPLES: the table says for which horizon it is
tail_of_inputs() {
	made_of "tail $(cells_of horizon "$dir/tail.tsv" | sort -u)" "$1" "$dir/run.tsv"
}

# has_stats SAMPLES, has_tail SAMPLES: are there tables that this user's wakelat has made of these?
has_stats() {
	[ -e "$dir/stats.tsv" ] && stats_of_inputs "$1" && with_stats made_known
}

has_tail() {
	[ -e "$dir/tail.tsv" ] && tail_of_inputs "$1" && with_tail made_known
}

# note_tables WHAT SAMPLES: WHAT (stats or tail) was made of these, in $results. What is the same in $dir needs not be made again,
# where nothing can be written, say.
note_tables() {
	: "${results?the command}"
	note_what=$1
	if [ "$results" != "$dir" ]; then
		for note_file in "$dir/$1"*.tsv "$results/$1"*.tsv; do
			[ ! -e "$note_file" ] || cmp -s "$dir/${note_file##*/}" "$results/${note_file##*/}" || return 0
		done
	fi
	! "${note_what}_of_inputs" "$2" || "with_$note_what" made_note
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
	! cmp -s "$made" "$samples_file" || made=$samples_file
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
	if [ -e "$dir/trace.dat" ] && ! samples_known; then
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
