# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034,SC2154  # $checker is for whoever sources this; $top, $printed: common.sh
# checker.sh - which sparse reads the kernel.
#
# Sourced after common.sh.

checker=sparse

# find_checker VERSION: set $checker to the sparse for that kernel. Linux 7 skips the check, with a
# warning, if sparse does not know the C that it needs.
find_checker() {
	case $1 in
	[1-6].*) ;;
	*) printed "$top/scripts/dev/build-sparse" && checker=$printed || exit 1 ;;
	esac
}
