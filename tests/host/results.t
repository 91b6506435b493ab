#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# results/: the published recordings name the committed sources that they were made with.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
cd "$top" || exit 1

is "$(grep -rl --include='*.tsv' '^revision	.*-dirty$' results)" "" \
	"no published recording was made with uncommitted sources"

# `make results` changes one set after the other: a change of results/ does not make the next set -dirty.
mkdir -p "$tmp/tree/results" "$tmp/tree/scripts" && cd "$tmp/tree" || exit 1
echo one >results/data && echo one >scripts/source
git init -q . && git add . && git -c user.name=x -c user.email=x@example.org commit -q -m x
. "$top/scripts/lib/common/revision.sh"
find_revision "$tmp/tree/scripts"
like "$revision_found" '^[0-9a-f]{12}$' "the revision of a tree without changes"
committed=$revision_found
# git would store the new time in the index. It belongs to the tree's user, and the revision may be read by root.
index=$(stat -c %i .git/index)
touch -d 2030-01-01 scripts/source
find_revision "$tmp/tree/scripts"
is "$revision_found $(stat -c %i .git/index)" "$committed $index" "reading the revision leaves the repository's index alone"
echo two >results/data
find_revision "$tmp/tree/scripts"
is "$revision_found" "$committed" "a change of results/ is not a change of the sources"
echo two >scripts/source
find_revision "$tmp/tree/scripts"
is "$revision_found" "$committed-dirty" "a change of scripts/ is -dirty"
done_testing
