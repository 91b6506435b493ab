# SPDX-License-Identifier: GPL-2.0
# put-file.sh - put complete files in place, without following a link or writing to a device or a pipe.
# shellcheck shell=sh
#
# Commands that read recordings write their results by tools/safe-copy. put_file needs no program of tools.
#
# Needs message.sh, trust.sh.

# Variables that other files set:
: "${distrust?trust.sh}"

# The temporary file of put_file. A command that ends early removes it: rm -f "$placing"
placing=
# See place_of.
place_dir=
# The directory that make_place has created.
place_made=
: "$place_dir" "$place_made"

# place_of FILE: set $place_dir to the directory of FILE
place_of() {
	case $1 in
	*/*) place_dir=${1%/*}/ ;;
	*) place_dir=. ;;
	esac
}

# check_kind FILE: die if FILE is there and not a regular file.
check_kind() {
	place_is=
	if [ -L "$1" ]; then
		place_is="a symbolic link"
	elif [ -d "$1" ]; then
		place_is="a directory"
	elif [ -p "$1" ]; then
		place_is="a named pipe"
	elif [ -e "$1" ] && [ ! -f "$1" ]; then
		place_is="a device or a socket"
	fi
	[ -z "$place_is" ] || die "cannot write ${1#./}: it is $place_is: check it, and remove it"
}

# check_place FILE: as check_kind, and die if others could replace FILE.
check_place() {
	check_kind "$1"
	place_of "$1"
	trusted_place "$place_dir" ||
		die "${1#./}: not written: $distrust: write to a directory of your own"
}

# put_file FROM TO [HEADER]: copy FROM to TO, after the line HEADER, completely or not at all. Die
# if others can create or rename files in the directory of TO. Fail if TO cannot be written. With
# noclobber (set -C) the shell creates the temporary file with O_EXCL, or fails.
put_file() {
	check_kind "$2"
	place_of "$2"
	trusted_directory "$place_dir" || die "${2#./}: not written: $distrust: write to a directory of your own"
	placing=$(mktemp -u "$2.partial.XXXXXX") 2>/dev/null && (
		set -C
		{
			{ [ $# -eq 2 ] || printf '%s\n' "$3"; } && exec cat "$1"
		} >"$placing"
	) 2>/dev/null && mv -fT "$placing" "$2" 2>/dev/null || {
		rm -f "$placing"
		placing=
		return 1
	}
	placing=
}

# own_place DIR: create DIR if it is not there, for files of ours only. Die if others can create or
# rename files in it.
own_place() {
	make_place "$1"
	must_trust directory "$1" "choose a directory of your own, or one that is not there yet"
}

# make_place DIR: create DIR for results if it is not there. Die if it is not trusted
# (trusted_place).
make_place() {
	must_trust place "$1" "write to a directory of your own"
	[ -d "$1" ] || place_made=$1
	create_directory -p "$1"
	must_trust place "$1" "write to a directory of your own"
}
