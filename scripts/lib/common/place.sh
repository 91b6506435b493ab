# SPDX-License-Identifier: GPL-2.0
# place.sh - the one way out: how a file that is whole gets its name, and no link, device or pipe is followed to where
# it leads.
# shellcheck shell=sh
#
# What the user names, or a directory that others may know, gets a result by tools/place: made in a directory that only we
# can enter, relative to descriptors, and renamed. A recording writes into a directory of its own, in which nobody else can
# make or rename anything, and needs no program for it.
#
# Needs message.sh, trust.sh.

# Read here, set there:
: "${distrust?trust.sh}"

# What has not got its name yet, for who leaves early: rm -f "$placing"
placing=
# See place_of.
place_dir=
: "$place_dir"

# place_of FILE: sets $place_dir, its directory
place_of() {
	case $1 in
	*/*) place_dir=${1%/*}/ ;;
	*) place_dir=. ;;
	esac
}

# check_kind FILE: dies if FILE is something that is not replaced.
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
	[ -z "$place_is" ] || die "${1#./}: $place_is is in the place of a file that is to be written: look at it, and remove it"
}

# check_place FILE: the same, and dies if others could put something else in its place.
check_place() {
	check_kind "$1"
	place_of "$1"
	trusted_place "$place_dir" ||
		die "${1#./}: not written: $distrust: write to a directory of your own"
}

# put_file FROM TO: FROM becomes TO as well, whole or not at all, in a directory in which only we can make and rename. Fails
# if it cannot be written. noclobber: the shell makes the file (O_EXCL) or fails.
put_file() {
	check_place "$2"
	trusted_directory "$place_dir" || die "${2#./}: not written: $distrust: write to a directory of your own"
	placing=$(mktemp -u "$2.partial.XXXXXX") 2>/dev/null && (
		set -C
		cat "$1" >"$placing"
	) 2>/dev/null && mv -fT "$placing" "$2" 2>/dev/null || {
		rm -f "$placing"
		placing=
		return 1
	}
	placing=
}

# own_place DIR: a directory for what only we put there, where there is none yet; dies if others can make or rename anything in it.
own_place() {
	make_place "$1"
	must_trust directory "$1" "choose a directory of your own, or one that is not there yet"
}

# make_place DIR: a directory for results, where there is none yet; dies if it is nobody's that we believe.
make_place() {
	must_trust place "$1" "write to a directory of your own"
	mkdir -p "$1" 2>/dev/null || die "cannot create ${1#./}"
	must_trust place "$1" "write to a directory of your own"
}
