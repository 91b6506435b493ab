# SPDX-License-Identifier: GPL-2.0
# output.sh - the directory that a recording is written to.
# shellcheck shell=sh
#
# Needs message.sh, trust.sh, runtsv.sh.

made_output=no
output_ready=no
# For the caller's way out, and message.sh.
: "$made_output" "$output_ready" "$log_file"

# new_output VERB: $output, new or empty; by default its name is the date.
new_output() {
	[ -n "$output" ] || output=wakelat-$(utc_date | tr -d ':-')
	case $output in
	/*) ;;
	*) output=./$output ;;
	esac
	if [ -e "$output" ]; then
		[ -d "$output" ] || die "$output exists and is not a directory"
		[ -z "$(ls -A "$output")" ] || die "$output exists and is not empty: choose another with -o"
	else
		output_parent=$(dirname "$output")
		must_trust place "$output_parent" "$1 into a directory of your own"
		mkdir "$output" 2>/dev/null || die "cannot create ${output#./}: does its parent directory exist, and may you write there?"
		made_output=yes
	fi
	must_trust directory "$output" "$1 into a directory of your own"
	open_output "$output"
}

# open_output DIR: from now on $output, an absolute path, and its log goes there
open_output() {
	{ output=$(cd "$1" && pwd -P) && : >>"$output/record.log"; } 2>/dev/null || die "$1 cannot be written to"
	output_ready=yes
	log_file=$output/record.log
}
