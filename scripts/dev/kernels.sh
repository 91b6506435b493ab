# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# kernels.sh - the kernels that the series is for: kernels.tsv.
#
# Sourced after common.sh. Columns: version (without the point release), package (Debian's package of the source), suite (the
# Debian suite that has the package, if the machine's apt may not know it). patches/VERSION has the patches that a kernel needs
# before the series.

: "${top?common.sh}"

# supported COLUMN [VERSION]: print the cells of a column, of all kernels or of VERSION
supported() {
	awk -F '\t' -v column="$1" -v version="${2:-}" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		version == "" || $1 == version { print $at }' "$top/scripts/dev/kernels.tsv"
}

# first_supported: print the version of the first kernel, which is used if none is named
first_supported() {
	supported version | head -n 1
}

# all_supported: print the versions of all kernels, as text for messages
all_supported() {
	supported version | paste -sd , - | sed 's/,/ and /g'
}

# version_of SOURCE: print the version of a tree, from its Makefile, or of a tarball, from its name. If the name has no version,
# print the first version: open_tree (kernel-tree.sh) checks it after unpacking.
version_of() {
	if [ -d "$1" ]; then
		sed -n 's/^VERSION = //p; s/^PATCHLEVEL = //p' "$1/Makefile" 2>/dev/null | paste -sd . -
	else
		basename "$1" | sed -n 's/^linux-\(source-\)\{0,1\}\([0-9]*\.[0-9]*\).*/\2/p' | grep . || first_supported
	fi
}

# is_supported VERSION: true if kernels.tsv has this version
is_supported() {
	[ -n "$1" ] && supported version | grep -qxF "$1"
}
