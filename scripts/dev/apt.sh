# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# apt.sh - fetch from Debian's archive with apt's settings and keys, without root, and without
# changing apt's lists.
#
# Sourced after common.sh. $scratch is a directory that the script removes when it ends. It holds
# lists of our own, for packages that the machine's lists do not have.

: "${scratch=}"
own_lists=no

# Debian's name of the target architecture. Empty: the machine's own. If it is set, no package
# counts as installed.
apt_architecture=

# own_apt PROGRAM ARGUMENT...: run apt-get or apt-cache with $own_lists, $apt_architecture and
# $scratch/sources.list applied. It replaces the calling shell, so that `logged` can end it.
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

# find_mirror: print the Debian mirror that the machine's apt uses, or nothing. apt finds it in its
# lists, which are for the machine's architecture. Call it in a subshell.
find_mirror() {
	apt_architecture=
	own_apt apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 2>/dev/null |
		sort -u | head -n 1
}

# new_lists [deb|deb-src SUITE] INSTEAD: fetch lists of our own, only of SUITE if it is named, or
# die. INSTEAD is the end of the error message.
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
