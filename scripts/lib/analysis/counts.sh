# SPDX-License-Identifier: GPL-2.0
# counts.sh - writes a recording as a file of counts, and makes a directory from such a file
# (Documentation/formats.md).
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh, made-run.sh.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" "${made?samples.sh}" \
	"${incomplete?convert.sh}" "${status_incomplete?analysis.sh}" "${partial?results.sh}"

# counts_body: writes the lines of the file of counts for $dir, without its head and its last line,
# to $work/body. Writes the lines that identify the recording to $work/identity. Sets $counts_n, the
# number of samples.
counts_body() {
	if are_counts; then
		awk -F '\t' -f "$here/lib/analysis/counts-lines.awk" "$made" >"$work/reduced" || exit
	else
		counters=$("$tools/answer" counters "$dir/run.tsv" "$made") || exit
		"$tools/count-values" ${counters:+-r "$counters"} "$made" "$work/reduced" || exit
	fi
	counts_n=$(awk -F '\t' '$1 == "samples" { n += $7 } END { printf "%.0f", n }' "$work/reduced")
	: "$counts_n"
	{
		sed '1d; s/^/run	/' "$dir/run.tsv" >"$work/body" &&
			cp "$work/body" "$work/identity" &&
			grep -Ev '^(columns|order)	|^sum	.*	unknown:' "$work/reduced" >>"$work/identity" &&
			if [ -e "$dir/doctor.tsv" ]; then sed 's/^/doctor	/' "$dir/doctor.tsv" >>"$work/body"; fi &&
			if [ "$incomplete" = yes ]; then
				printf 'incomplete\t%s\n' "${counts_bad:-wakelat dump has found that samples are missing}" >>"$work/body"
			fi &&
			cat "$work/reduced" >>"$work/body"
	} 2>/dev/null || cannot_write_temporary
}

# write_counts FILE: writes the counts of the recording $dir, from the samples or counts in $made.
# Sets $counts_n. If need_samples has set $counts_bad, FILE contains this text about missing samples.
write_counts() {
	need_tools count-values
	for counts_program in cksum sha256sum; do
		command -v "$counts_program" >/dev/null || die "$counts_program is missing: counts need its checksum (Debian: apt-get install coreutils)"
	done
	counts_body
	begin "$1"
	{
		printf 'recording\t%s\n' "$(sha256sum <"$work/identity" | cut -c 1-32)" >"$work/block" &&
			cat "$work/body" >>"$work/block" &&
			{
				printf 'wakelat-counts\t1\n' && cat "$work/block" && cksum <"$work/block" | tr ' ' '\t' | sed 's/^/end	/'
			} >"$partial"
	} 2>/dev/null || cannot_write "$1"
	finish "$1"
}

# import_counts FILE DIRECTORY: makes the directory from a file of counts; false if FILE is not one.
# Sets $incomplete.
import_counts() {
	"$tools/pool-counts" "$1" "$work/run.tsv" "$work/doctor.tsv" "$work/counts.tsv" >"$work/said"
	counts_status=$?
	case $counts_status in
	0) ;;
	"$status_incomplete") incomplete=yes ;;
	4) return 1 ;;
	*) exit "$counts_status" ;;
	esac
	set -- "$2" run.tsv counts.tsv
	[ ! -e "$work/doctor.tsv" ] || set -- "$@" doctor.tsv
	publish_run "$@"
	read -r counts_recordings counts_samples <"$work/said"
	[ "$counts_recordings" -eq 1 ] || counts_of=" of $counts_recordings recordings"
	say "${1#./} has counts of $counts_samples samples${counts_of-}"
}
