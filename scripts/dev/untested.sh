# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# untested.sh - kernels that are not in kernels.tsv, but later than its first, so that the series may fit them.
#
# Sourced after kernels.sh.

: "${top?common.sh}"

# may_fit VERSION: true if this version is the first of kernels.tsv or later
may_fit() {
	case $1 in
	'' | *[!0-9.]*) return 1 ;;
	esac
	[ "$(printf '%s\n' "$1" "$(first_supported)" | sort -V | head -n 1)" = "$(first_supported)" ]
}

# untested VERSION: print a note if the series has not been tested on this version
untested() {
	is_supported "$1" || printf '; not tested on Linux %s (tested: %s)' "$1" "$(all_supported)"
}

# needed_before VERSION TREE: print the patches that TREE needs before the series. The patches for the first kernel fit all kernels
# before the last: Kbuild looks for each name that the tree may lack. The tests of vfio came in between; if they are there,
# unless an earlier call has added them, the tree does not need their directory.
needed_before() {
	needed_from=$1
	if ! is_supported "$1"; then
		[ "$(printf '%s\n' "$1" "$(supported version)" | sort -V | tail -n 1)" != "$1" ] || return 0
		needed_from=$(first_supported)
	fi
	for needed in "$top/patches/$needed_from"/[0-9]*.patch; do
		case $needed in
		*/\[0-9\]\*.patch) continue ;;
		*-selftests-*)
			! [ -e "$2/tools/testing/selftests/vfio/Makefile" ] ||
				grep -qx '# Linux 7.x has tests here.' "$2/tools/testing/selftests/vfio/Makefile" || continue ;;
		esac
		printf '%s\n' "$needed"
	done
}
