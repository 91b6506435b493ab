#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The series as a reviewer would want it (scripts/dev/lint), and the shell scripts as shellcheck would.
. "$(dirname "$0")/lib/tap.sh"
plan 2

ok "lint has nothing to say about the patches" "$top/scripts/dev/lint"

# Everything that a shell runs, by its first line.
scripts() {
	git -C "$top" ls-files | while IFS= read -r file; do
		head -n 2 "$top/$file" 2>/dev/null | grep -qaE '^(#!/bin/sh|# shellcheck shell=sh)' && printf '%s\n' "$file"
	done
}
cd "$top" || exit 1
# shellcheck disable=SC2046  # one word per script
ok "shellcheck has nothing to say about the scripts" shellcheck -S warning $(scripts)
