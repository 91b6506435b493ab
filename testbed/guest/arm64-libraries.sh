# SPDX-License-Identifier: GPL-2.0
# arm64-libraries.sh - copy the libraries that arm64 programs need from Debian's arm64 packages.
# shellcheck shell=sh
#
# Needs common.sh. $packages is a directory that scripts/dev/fetch-packages has printed.

# Variable that build-initramfs-arm64 and build-tools-arm64 set:
: "${top?build-initramfs-arm64, build-tools-arm64}"

# The libraries' directory in the guest.
libraries=lib/aarch64-linux-gnu
: "$libraries"

# found PATTERN: set $found to the packages' file whose path ends with PATTERN. The directory depends on the release.
found() {
	found=$(find "${packages:?}/root" -path "*/$1" | LC_ALL=C sort | head -n 1)
	[ -n "$found" ] || die "Debian's packages of arm64 have no $1 (in $packages)"
}

# take_libraries DIR FILE...: copy into DIR all libraries that the files need, directly or through another library.
take_libraries() {
	take_into=$1
	shift
	while [ $# -gt 0 ]; do
		for name in $(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\([^]/]*\)\]$/\1/p'); do
			[ ! -e "$take_into/$name" ] || continue
			found "$name"
			cp -L "$found" "$take_into/$name" || return
			set -- "$@" "$found"
		done
		shift
	done
}
