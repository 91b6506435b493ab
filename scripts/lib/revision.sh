# SPDX-License-Identifier: GPL-2.0
# revision.sh - which wakelat is this?
# shellcheck shell=sh

# revision DIR: the git revision of the working tree that DIR is in, or -.
# Recording needs root, the tree is usually somebody else's: git is told that this is no accident.
revision() (
	cd "$1" 2>/dev/null || exit
	git -c safe.directory='*' describe --always --dirty --abbrev=12 2>/dev/null || printf '%s\n' -
)
