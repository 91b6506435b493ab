#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Each awk program is one for every awk that a machine may have: mawk (Debian's default), busybox, gawk. Where one of them is installed.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

cd "$top" || exit 1

# parsed COMMAND...: prints what is no awk for this awk. What a program has in other files may be missing.
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
	is "$(parsed "$@")" "" "$awk reads each program"
done

# A parameter with the name of a function: gawk alone takes it.
if command -v mawk >/dev/null; then
	printf 'function f() { return 1 }\nfunction g(a, f, b) { return a f b }\n' >"$tmp/both.awk"
	like "$(mawk -f "$tmp/both.awk" </dev/null 2>&1)" 'syntax error' "mawk: a parameter with the name of a function is found"
else
	skip 1 "no mawk"
fi
done_testing
