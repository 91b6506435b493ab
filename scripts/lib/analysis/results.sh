# SPDX-License-Identifier: GPL-2.0
# results.sh - the output of commands: the path that the user has named, and how a file gets there
# as a whole.
# shellcheck shell=sh
#
# Needs message.sh, trust.sh, put-file.sh.

# Variables that other files set:
: "${work?analysis.sh}" "${tools?analysis.sh}" "${distrust?trust.sh}" "${place_dir?put-file.sh}" "${place_made?put-file.sh}" "${error_status?message.sh}"

# See take_place and begin.
place=
partial=
: "$place"

# take_place ARGUMENT: sets $place to the path with ./ in front and without slashes at its end. So
# no tool takes -x for an option, awk does not take a=b for an assignment, and NAME.partial is
# beside NAME.
take_place() {
	place=$1
	while :; do
		case $place in
		?*/) place=${place%/} ;;
		*) break ;;
		esac
	done
	case $place in
	/* | ./* | ../*) ;;
	*) place=./$place ;;
	esac
}

# take_output_file ARGUMENT: does the same for an output file, which may also be a device or a pipe
output_named=
take_output_file() {
	take_place "$1"
	[ ! -d "$place" ] || die "$1 is a directory: name a file to write"
	output_named=$place
	if written_into "$place"; then
		place_of "$place"
		trusted_place "$place_dir" || die "$1: not written: $distrust: write to a directory of your own"
	else
		check_place "$place"
	fi
}

# same_file FILE FILE: true if both names lead to the same file
same_file() {
	same_file=$(readlink -f -- "$1") && [ "$same_file" = "$(readlink -f -- "$2")" ]
}

# written_into FILE: true if FILE is a device or a pipe that the user has named as output. It is
# written to, and not replaced by a file. A device or pipe that a recording has in place of a file
# is neither written to nor replaced.
written_into() {
	[ "$1" = "$output_named" ] || return
	case $1 in
	/dev/std* | /dev/fd/* | /proc/self/fd/*) return 0 ;;
	esac
	[ -e "$1" ] && [ ! -f "$1" ] && [ ! -d "$1" ] && [ ! -L "$1" ]
}

# begin FILE: sets $partial to the path where the command writes the unfinished FILE. Other users
# cannot write there.
begin() {
	written_into "$1" || check_place "$1"
	partial=$work/partial
}

# begin_in_place FILE: as begin, for a program that gives its complete output the final name itself
begin_in_place() {
	begin "$1"
	written_into "$1" || partial=$1
}

# finish FILE: copies the finished $partial to FILE, unless it is there
finish() {
	[ "$partial" = "$1" ] || write_output "$partial" "$1"
}

# write_output FILE OUTPUT: copies a file of the work directory to OUTPUT, as a whole or not at all
write_output() {
	need_tools safe-copy
	if written_into "$2"; then
		output_said=
		{ output_said=$(cat "$1" 2>&1 >&3); } 2>/dev/null 3>"$2" && return
		output_said=${output_said##*: }
		# cat says nothing if the shell cannot open the output.
		die "cannot write $2: ${output_said:-it cannot be opened}"
	fi
	check_place "$2"
	"$tools/safe-copy" file "$1" "$2" || exit "$error_status"
}

# write_outputs DIR FILE...: copies files of the work directory into DIR, all of them or none. Removes DIR on failure if
# make_place has created it.
write_outputs() {
	need_tools safe-copy
	trusted_place "$1" || die "${1#./}: not written: $distrust: write to a directory of your own"
	outputs_to=$1
	shift
	for output_file; do
		check_kind "$outputs_to/${output_file##*/}"
	done
	[ ! -L "$outputs_to" ] || outputs_to=$(readlink -f -- "$outputs_to")
	"$tools/safe-copy" into "$outputs_to" "$@" && return
	[ "$outputs_to" != "$place_made" ] || rmdir "$outputs_to"
	exit "$error_status"
}

# new_directory DIR FILE...: creates DIR from these files; dies if it exists
new_directory() {
	need_tools safe-copy
	place_of "$1"
	trusted_place "$place_dir" || die "${1#./}: not written: $distrust: write to a directory of your own"
	"$tools/safe-copy" new "$@" || exit "$error_status"
}
