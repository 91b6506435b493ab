# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154  # $top: common.sh
# kernels.sh - the kernels that the series is for: kernels.tsv.
#
# Sourced after common.sh. Columns: the version, without its point release; Debian's package of the source; the suite of Debian that
# has it, where the machine's own apt need not know it. What a kernel needs before the series are the patches in patches/VERSION.

# supported COLUMN [VERSION]: of all of them, or of that one
supported() {
	awk -F '\t' -v column="$1" -v version="${2:-}" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		version == "" || $1 == version { print $at }' "$top/scripts/dev/kernels.tsv"
}

# The one that is meant where none is named.
first_supported() {
	supported version | head -n 1
}

# all_supported: for messages
all_supported() {
	supported version | paste -sd , - | sed 's/,/ and /g'
}

# version_of SOURCE: of a tree, from the top of its Makefile; of a tarball, from its name, and the first where that does not say.
# open_tree (kernel-tree.sh) looks when it has been unpacked.
version_of() {
	if [ -d "$1" ]; then
		sed -n 's/^VERSION = //p; s/^PATCHLEVEL = //p' "$1/Makefile" 2>/dev/null | paste -sd . -
	else
		basename "$1" | sed -n 's/^linux-\(source-\)\{0,1\}\([0-9]*\.[0-9]*\).*/\2/p' | grep . || first_supported
	fi
}

# is_supported VERSION
is_supported() {
	[ -n "$1" ] && supported version | grep -qxF "$1"
}
