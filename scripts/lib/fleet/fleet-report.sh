# SPDX-License-Identifier: GPL-2.0
# fleet-report.sh - wakelat fleet report: from files of counts to tables.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh, json.sh.

# Read here, set there:
: "${here?the command}" "${work?analysis.sh}" "${tools?analysis.sh}" "${place?results.sh}" "${quiet?message.sh}"

# take_counts COUNTS: adds to $work/files the file, or those of the directory
take_counts() {
	take_place "$1"
	[ -e "$place" ] || die "$1: no such file or directory"
	if [ -d "$place" ]; then
		must_trust directory "$place" "copy it (cp -R), or run this as its owner"
		find "$place" -name '*.counts' ! -type d | sort >"$work/found" || die "$1 cannot be read"
		[ -s "$work/found" ] || die "$1: no file NAME.counts is in it"
		cat "$work/found"
	else
		printf '%s\n' "$place"
	fi >>"$work/files"
}

fleet_report() {
	[ $# -gt 0 ] || bad_usage "report: which counts?"
	[ "$json" = no ] || need_json
	make_work
	need_tools fleet
	for counts; do
		take_counts "$counts"
	done
	"$tools/fleet" "$work/files" "$work" || exit
}
