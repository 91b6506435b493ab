#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The shell scripts as shellcheck would have them. Where it is told to be silent, the reason stands beside it.
# needs: nothing
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
plan 4

cd "$top" || exit 1
# Everything that a shell runs, by its first lines.
git ls-files | while IFS= read -r file; do
	! head -n 5 "$file" 2>/dev/null | grep -qaE '^(#!/bin/sh|# shellcheck shell=sh)' || printf '%s\n' "$file"
done >"$tmp/scripts"
grep '^tests/' "$tmp/scripts" >"$tmp/tests"
grep -v '^tests/' "$tmp/scripts" >"$tmp/others"
ok "shellcheck has nothing to say about the tests" xargs -a "$tmp/tests" shellcheck -x -P .
ok "nor anything to warn of in the other scripts" xargs -a "$tmp/others" shellcheck -x -P . -S warning

xargs -a "$tmp/tests" grep -HnE '^[[:space:]]*# shellcheck .*disable=' >"$tmp/silent"
is "$(grep -vE 'disable=SC[0-9]+(,SC[0-9]+)*  # .*[a-z]{3}' "$tmp/silent")" "" "each that is to be silent has its reason beside it"
ok "and there are at most 12 in tests/" [ "$(wc -l <"$tmp/silent")" -le 12 ]
