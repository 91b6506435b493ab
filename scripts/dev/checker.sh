# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034,SC2154  # the sourcing script uses $checker; $top, $printed: common.sh
# checker.sh - choose the sparse that checks the kernel.
#
# Sourced after common.sh.

checker=sparse

# find_checker VERSION: set $checker to the sparse for this kernel. Linux 7 needs a new one (see
# build-sparse): with an older sparse it prints a warning and checks nothing.
find_checker() {
	case $1 in
	[1-6].*) ;;
	*) printed "$top/scripts/dev/build-sparse" && checker=$printed || exit 1 ;;
	esac
}
