# SPDX-License-Identifier: GPL-2.0
# revision.sh - which wakelat is this?
# shellcheck shell=sh

# revision DIR: the git revision of the tree whose subdirectory DIR is; where there is no git, what the
# file `revision` at the top of the tree says (the testbed puts one there); or -.
# Recording needs root, the tree is usually somebody else's: git is told that this is no accident.
revision() (
	cd "$1" 2>/dev/null || exit
	git -c safe.directory='*' describe --always --dirty --abbrev=12 2>/dev/null ||
		cat ../revision 2>/dev/null || printf '%s\n' -
)
