# SPDX-License-Identifier: GPL-2.0
# convert.sh - makes a table of samples from the traces of a recording.
# shellcheck shell=sh
#
# Needs message.sh, directory.sh, results.sh, analysis.sh.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${status_incomplete?analysis.sh}" "${dir?directory.sh}" \
	"${partial?results.sh}"

# yes: samples are missing from the recording. counts_bad: which, see check_counts.
incomplete=no
counts_bad=
: "$incomplete" "$counts_bad"

# The file with the corrections for a trace: see correct_by. The status of wakelat dump: see convert_recording.
facts=
status=

# correct_by RUN.TSV FILE: set $facts to a file with the corrections in RUN.TSV for FILE. Set it to
# /dev/null if RUN.TSV does not exist, or if record does not create files with this name
correct_by() {
	facts=/dev/null
	case $2 in
	trace.dat | trace-[0-9]*.dat) [ -f "$1" ] || return 0 ;;
	*) return 0 ;;
	esac
	facts=$work/facts
	awk -v part="$2" -f "$here/lib/analysis/correct-facts.awk" "$1" >"$facts" || die "cannot read $1"
}

# convert TRACE.DAT TABLE: write the samples to TABLE, and their number by run and CPU to $work/rows. Set $status.
convert() {
	case $2 in
	"$work"/*) ;;
	*)
		"$tools/dump" -c "$facts" -n "$work/rows" -- "$1" "${2#./}"
		status=$?
		return
		;;
	esac
	# Do not name a temporary file.
	"$tools/dump" -c "$facts" -n "$work/rows" -- "$1" "$2" 2>"$work/said"
	status=$?
	sed 's|are in .*$|are written|' "$work/said" >&2
}

# runs_need_sorting: succeed if the recording was resumed (then it has several files), or if the samples of
# a run get a taint from run.tsv
runs_need_sorting() {
	grep -qE '^run\.[0-9]+\.((trace|warmup|steps)	|reason	clock$)' "$dir/run.tsv" 2>/dev/null
}

# sort_runs TABLE: write TABLE from all traces. It contains the runs that run.tsv lists, with the run
# numbers of run.tsv. Samples of an interrupted run are left out, because the run was recorded again.
# check_counts finds missing samples.
sort_runs() {
	begin "$1"
	: >"$partial" || cannot_write_temporary
	sort_header=1
	for sort_file in "$dir"/trace-*.dat "$dir/trace.dat"; do
		[ -e "$sort_file" ] || continue
		correct_by "$dir/run.tsv" "${sort_file##*/}"
		"$tools/dump" -c "$facts" -- "$sort_file" "$work/part.tsv" 2>"$work/said"
		case $? in
		0 | "$status_incomplete") ;;
		*)
			cat "$work/said" >&2
			exit 1
			;;
		esac
		awk -v part="${sort_file##*/}" -v header="$sort_header" -f "$here/lib/analysis/runs.awk" \
			"$dir/run.tsv" "$work/part.tsv" >>"$partial" || cannot_write_temporary
		sort_header=
	done
	finish "$1"
	status=0
}

# check_counts FILE NAME: compares the number of rows of each run and CPU with the kernel's counts
# in run.tsv. Only these counts show a run whose events were all lost. Sets $counts_bad and
# $incomplete. Counts the rows if convert has not.
check_counts() {
	[ -s "$work/rows" ] || "$tools/quantiles" -g run,cpu -m ldist -s -t taint "$1" >"$work/rows" || exit
	counts_bad=$(awk -F '\t' '
		FNR == NR { if (FNR > 1) rows[$1 "." $2] = $3 + (NF > 3 ? $NF : 0); next }
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
		die "$2 has ${counts_bad#more }: it belongs to another recording, or has duplicate rows: remove it, and it will be made again from trace.dat"
	warn "$2 is incomplete: $counts_bad"
	incomplete=yes
}

# convert_recording TABLE NAME: write TABLE from all traces of $dir. Set $status to the status of wakelat dump.
# Messages call the table NAME.
convert_recording() {
	: >"$work/rows" || cannot_write_temporary
	if runs_need_sorting; then
		sort_runs "$1"
	else
		correct_by "$dir/run.tsv" trace.dat
		convert "$dir/trace.dat" "$1"
	fi
	# Events of a run may be missing altogether. Only run.tsv lists such a run.
	[ "$status" -eq 0 ] && [ -r "$dir/run.tsv" ] || return 0
	check_counts "$1" "$2"
	[ "$incomplete" = no ] || status=$status_incomplete
}
