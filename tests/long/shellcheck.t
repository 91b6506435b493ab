#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The shell scripts as shellcheck would have them.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
plan 1

# Everything that a shell runs, by its first lines.
scripts() {
	git ls-files | while IFS= read -r file; do
		head -n 5 "$file" 2>/dev/null | grep -qaE '^(#!/bin/sh|# shellcheck shell=sh)' && printf '%s\n' "$file"
	done
}
cd "$top" || exit 1
scripts >"$tmp/scripts"
ok "shellcheck has nothing to say about the scripts" xargs -a "$tmp/scripts" shellcheck -S warning
