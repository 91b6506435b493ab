# SPDX-License-Identifier: GPL-2.0
# debian.sh - make root file systems of a Debian release, for tests/debian and tests/clean-root.
# shellcheck shell=sh
#
# Needs common.sh.

# Variables that other files set:
: "${top:?}"

# debian_needs: sets $mirror and $security from the machine's apt, and $keyring. Dies if one is
# missing.
debian_needs() {
	for needed_command in debootstrap git unshare setpriv pkill; do
		command -v "$needed_command" >/dev/null ||
			die "$needed_command is missing: apt-get install $("$top/scripts/dev/packages" --list debian | paste -sd ' ' -)"
	done
	[ "$(id -u)" -eq 0 ] || die "must be root to make a root file system"
	mirror=$(debian_mirrors Debian | head -n 1)
	security=$(debian_mirrors Debian-Security | head -n 1)
	[ -n "$mirror" ] || die "apt knows no mirror of Debian: apt-get update, or put one into /etc/apt"
	keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	[ -r "$keyring" ] ||
		die "$keyring is missing: apt-get install $("$top/scripts/dev/packages" --list debian | paste -sd ' ' -)"
}

# debian_mirrors LABEL: prints the mirrors with this label in the settings of the machine's apt
debian_mirrors() {
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' "Label: $1" 2>/dev/null |
		sed 's:/*$::' | sort -u
}

# debian_answers RELEASE DIR: fetch the release's signed list of files from $mirror into DIR. Tries three times, for up to
# two minutes.
debian_answers() {
	for debian_wait in 0 10 20; do
		obeying sleep "$debian_wait"
		rm -f "$2/InRelease"
		obeying /usr/lib/apt/apt-helper -o APT::Sandbox::User= -o Acquire::Retries=0 -o Acquire::http::Timeout=30 \
			-o Acquire::https::Timeout=30 download-file "$mirror/dists/$1/InRelease" "$2/InRelease" &&
			[ -s "$2/InRelease" ] && return
	done
	return 1
}

# debian_bootstrap RELEASE ROOT DEBS COMMAND...: run debootstrap by COMMAND; downloads stay in DEBS. Without limits, wget
# waits for a mirror that has stopped sending for hours.
debian_bootstrap() {
	bootstrap_release=$1
	bootstrap_root=$2
	bootstrap_debs=$3
	shift 3
	printf 'timeout = 60\ntries = 3\n' >"$bootstrap_debs/wgetrc" || return
	"$@" env WGETRC="$bootstrap_debs/wgetrc" debootstrap --variant=minbase --force-check-gpg --keyring="$keyring" --cache-dir="$bootstrap_debs" \
		"$bootstrap_release" "$bootstrap_root" "$mirror"
}

# debian_apt RELEASE ROOT: gives the root the machine's settings of apt, and the certificates that
# the machine trusts
debian_apt() {
	{
		printf 'deb %s %s main\n' "$mirror" "$1" "$mirror" "$1-updates"
		[ -z "$security" ] || printf 'deb %s %s main\n' "$security" "$1-security"
	} >"$2/etc/apt/sources.list" &&
		apt-config dump --format '%F "%v";%n' Acquire |
		grep -E '^Acquire::(https?|Retries|Check-|Max-ValidTime|ForceIPv)' >"$2/etc/apt/apt.conf.d/99machine"
	mkdir -p "$2/usr/local/share" &&
		{ [ ! -d /usr/local/share/ca-certificates ] || cp -RL /usr/local/share/ca-certificates "$2/usr/local/share/"; } &&
		cp -L /etc/resolv.conf /etc/hosts "$2/etc/"
}
