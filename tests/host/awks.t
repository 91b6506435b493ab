#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Each awk program can be parsed by mawk (Debian's default), gawk and busybox. An awk that is not installed is skipped.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

cd "$top" || exit 1

# parsed COMMAND...: print the syntax errors that this awk finds. Functions that a program has in other files may be missing.
parsed() {
	find scripts testbed tests -name '*.awk' | while IFS= read -r file; do
		timeout 10 "$@" -f "$file" </dev/null 2>&1 | grep -i 'syntax error\|unexpected token' | sed "s|^|$file: |"
	done
}

for awk in mawk gawk busybox; do
	if ! command -v "$awk" >/dev/null; then
		skip 1 "no $awk"
		continue
	fi
	set -- "$awk"
	[ "$awk" != busybox ] || set -- busybox awk
	is "$(parsed "$@")" "" "$awk can parse each program"
done

# Only gawk accepts a parameter with the name of a function.
if command -v mawk >/dev/null; then
	printf 'function f() { return 1 }\nfunction g(a, f, b) { return a f b }\n' >"$tmp/both.awk"
	like "$(mawk -f "$tmp/both.awk" </dev/null 2>&1)" 'syntax error' "mawk refuses a parameter with the name of a function"
else
	skip 1 "no mawk"
fi
done_testing
