# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154  # die, logged: common.sh; $scratch: whoever sources this
# apt.sh - Debian's archive by apt's own settings and keys, without root, and without a change to apt's lists.
#
# Sourced after common.sh. $scratch is a directory that goes with the script; what is asked for that the machine's lists do not
# have is looked up in lists of our own, which are in it.

own_lists=no

# Of another architecture than the machine's, by Debian's name; no package counts as installed then.
apt_architecture=

# own_apt PROGRAM ARGUMENT...: apt-get or apt-cache; as with `logged`, it takes the place of the shell that calls it
own_apt() {
	apt_program=$1
	shift
	[ "$own_lists" = no ] || set -- -o "Dir::State::lists=$scratch/lists" -o "Dir::Cache=$scratch" "$@"
	[ -z "$apt_architecture" ] || set -- -o "APT::Architecture=$apt_architecture" -o "APT::Architectures=$apt_architecture" \
		-o Dir::State::status=/dev/null "$@"
	[ ! -e "$scratch/sources.list" ] ||
		set -- -o "Dir::Etc::sourcelist=$scratch/sources.list" -o Dir::Etc::sourceparts=- "$@"
	exec "$apt_program" -q -o APT::Sandbox::User= -o Acquire::AllowInsecureRepositories=false -o Acquire::Languages=none "$@"
}

# The mirror that the machine's apt uses, if it knows of one: apt reads who it is in its lists, which are of the machine's architecture.
# Called in a subshell.
find_mirror() {
	apt_architecture=
	own_apt apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 2>/dev/null |
		sort -u | head -n 1
}

# new_lists [deb|deb-src SUITE] INSTEAD: reads them, of that suite and nothing else if one is named; INSTEAD ends the message where
# that cannot be done
new_lists() {
	mkdir -p "$scratch/lists/partial" "$scratch/archives/partial" || exit 1
	mirror=$(find_mirror)
	own_lists=yes
	if [ $# -gt 1 ]; then
		[ -n "$mirror" ] || update_lists "$3"
		use_suite "$1" "$2" "${mirror:-$(find_mirror)}" "$3"
		shift 2
	fi
	update_lists "$1"
}

update_lists() {
	logged "fetching the package lists" "$scratch/log" own_apt apt-get update || die "apt-get update failed; $1"
}

use_suite() {
	keys=/usr/share/keyrings/debian-archive-keyring.gpg
	[ -n "$3" ] && [ -r "$keys" ] || die "no mirror of Debian and its keys ($keys): $4"
	printf '%s [signed-by=%s] %s %s main\n' "$1" "$keys" "${3%/}" "$2" >"$scratch/sources.list"
}
