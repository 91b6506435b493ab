# SPDX-License-Identifier: GPL-2.0
# results.sh - what a command of the analysis writes: the place that the user has named, and how a whole file gets there.
# shellcheck shell=sh
#
# Needs message.sh, trust.sh, place.sh.

# Read here, set there:
: "${work?analysis.sh}" "${tools?analysis.sh}" "${distrust?trust.sh}" "${place_dir?place.sh}"

# See take_place and begin.
place=
partial=
: "$place"

# take_place ARGUMENT: sets $place. With ./ in front, -x is no option to any tool and a=b no assignment to awk;
# what a slash ends has no NAME.partial beside it.
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

# take_output_file ARGUMENT: the same for a file that the user has named, which may be a device or a pipe as well.
output_named=
take_output_file() {
	take_place "$1"
	[ ! -d "$place" ] || die "$1: a directory, and what is to be written is a file"
	output_named=$place
	if written_into "$place"; then
		place_of "$place"
		trusted_place "$place_dir" || die "$1: not written: $distrust: write to a directory of your own"
	else
		check_place "$place"
	fi
}

# same_file FILE FILE: by whatever names
same_file() {
	same_file=$(readlink -f "$1") && [ "$same_file" = "$(readlink -f "$2")" ]
}

# written_into FILE: is it a device or a pipe that the user has named? A file in its place would be a file, and the
# device gone. One that a recording has in the place of a file is neither written nor replaced.
written_into() {
	[ "$1" = "$output_named" ] || return
	case $1 in
	/dev/std* | /dev/fd/* | /proc/self/fd/*) return 0 ;;
	esac
	[ -e "$1" ] && [ ! -f "$1" ] && [ ! -d "$1" ] && [ ! -L "$1" ]
}

# begin FILE: sets $partial, where to write what is not whole yet; nobody else can.
begin() {
	written_into "$1" || check_place "$1"
	partial=$work/partial
}

# finish FILE: $partial is whole, and becomes FILE.
finish() {
	write_output "$partial" "$1"
	rm -f "$partial"
}

# write_output FILE OUTPUT: a file of the work directory becomes OUTPUT, whole or not at all.
write_output() {
	need_tools place
	if ! written_into "$2"; then
		check_place "$2"
		"$tools/place" file "$1" "$2" 2>/dev/null
	elif [ -w "$2" ]; then
		# The kernel's links to what the shell has open are no links to whatever somebody else likes.
		case $2 in
		/dev/std* | /dev/fd/* | /proc/self/fd/*) cat "$1" >"$2" ;;
		*) "$tools/place" device "$1" "$2" ;;
		esac 2>/dev/null
	else
		false
	fi || die "${2#./} cannot be written"
}

# new_directory DIR FILE...: these become DIR, which there must not be.
new_directory() {
	need_tools place
	place_of "$1"
	trusted_place "$place_dir" || die "${1#./}: not written: $distrust: write to a directory of your own"
	"$tools/place" new "$@" 2>/dev/null || die "cannot create ${1#./}: it exists already, the disk is full, or $place_dir is not writable"
}
