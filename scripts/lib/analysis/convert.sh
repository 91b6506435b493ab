# SPDX-License-Identifier: GPL-2.0
# convert.sh - makes a table of samples from the traces of a recording.
# shellcheck shell=sh
#
# Needs message.sh, directory.sh, analysis.sh.

# Variables that other files set:
: "${tools?analysis.sh}" "${work?analysis.sh}" "${status_incomplete?analysis.sh}" "${dir?directory.sh}"

# yes: samples are missing from the recording. counts_bad: which, see check_counts.
incomplete=no
counts_bad=
: "$incomplete" "$counts_bad"

# The status of wakelat dump: see convert_recording.
status=

# convert TABLE [OPTION]... TRACE.DAT...: write the samples to TABLE, and their number by run and CPU to $work/rows. Set $status.
convert() {
	convert_table=$1
	shift
	set -- -n "$work/rows" "$@"
	case $convert_table in
	"$work"/*) ;;
	*)
		"$tools/dump" "$@" "${convert_table#./}"
		status=$?
		return
		;;
	esac
	# Do not name a temporary file.
	"$tools/dump" "$@" "$convert_table" 2>"$work/said"
	status=$?
	sed 's|are in .*$|are written|' "$work/said" >&2
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
	convert_to=$1
	convert_name=$2
	set -- "$dir"/trace-*.dat "$dir/trace.dat"
	[ -e "$1" ] || shift
	set -- -- "$@"
	[ ! -f "$dir/run.tsv" ] || set -- -r "$dir/run.tsv" "$@"
	convert "$convert_to" -w "$@"
	# Events of a run may be missing altogether. Only run.tsv lists such a run.
	[ "$status" -eq 0 ] && [ -r "$dir/run.tsv" ] || return 0
	check_counts "$convert_to" "$convert_name"
	[ "$incomplete" = no ] || status=$status_incomplete
}
