# SPDX-License-Identifier: GPL-2.0
# place.sh - the one way out: how a file that is whole gets its name, and no link, device or pipe is followed to where
# it leads.
# shellcheck shell=sh
#
# A new file is made under a name that nobody can foresee and nothing has, beside the one it is to have, through one
# descriptor, and renamed. rename() puts nothing through a link. What is in its place and is no file is refused.
#
# Needs message.sh, trust.sh.

# Read here, set there:
: "${distrust?trust.sh}"

# What has not got its name yet, for who leaves early: rm -rf "$placing"
placing=

# place_of FILE: sets $place_dir, its directory
place_of() {
	case $1 in
	*/*) place_dir=${1%/*}/ ;;
	*) place_dir=. ;;
	esac
}

# check_place FILE: dies if FILE is something that is not replaced, or others could put something else in its place.
check_place() {
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
	place_of "$1"
	trusted_place "$place_dir" ||
		die "${1#./}: not written: $distrust: write to a directory of your own"
}

# put_file FROM TO: FROM, which only we can write, becomes TO as well, whole or not at all. Fails if it cannot be written.
# noclobber: the shell makes the file (O_EXCL) or fails.
put_file() {
	check_place "$2"
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

# make_partial_file FILE: sets $placing to a new file that is to become FILE; fails if it cannot be made.
make_partial_file() {
	check_place "$1"
	placing=$(mktemp "$1.partial.XXXXXX" 2>/dev/null) || {
		placing=
		return 1
	}
	chmod "$(umask -S | tr -d x)" "$placing"
}

# put_partial_file FILE: $placing becomes FILE.
put_partial_file() {
	mv -fT "$placing" "$1" 2>/dev/null || return
	placing=
}

# make_place DIR: a directory for results, where there is none yet; dies if it is nobody's that we believe.
make_place() {
	must_trust place "$1" "write to a directory of your own"
	mkdir -p "$1" 2>/dev/null || die "${1#./}: cannot be made"
	must_trust place "$1" "write to a directory of your own"
}

# make_partial DIR: sets $placing to a new directory that is to become DIR; fails if it cannot be made.
make_partial() {
	place_of "$1"
	trusted_place "$place_dir" ||
		die "${1#./}: not written: $distrust: write to a directory of your own"
	placing=$(mktemp -d "$1.partial.XXXXXX" 2>/dev/null) || {
		placing=
		return 1
	}
	# Nobody else until now; from here on who may by the umask.
	chmod "$(umask -S)" "$placing"
}

# put_directory DIR: $placing becomes DIR, which there must not be.
put_directory() {
	[ ! -e "$1" ] && [ ! -L "$1" ] && mv -T "$placing" "$1" 2>/dev/null || return
	placing=
}
