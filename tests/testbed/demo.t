#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make demo (testbed/run): what README.md shows is what it prints. Another compiler makes other instructions: words are the same,
# numbers differ by 10 % at most.
# needs: tools qemu kernel:default

. "$(dirname "$0")/../lib/tap.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
run "$top/testbed/demo"
is "$status" 0 "make demo"
sed -n '/^    EXCEEDED/,/^(/{/^(/d;s/^    //;p}' "$top/README.md" >"$tmp/shown"
printf '%s\n' "$out" | sed -n '/^EXCEEDED/,/^The latencies are/{/^The latencies are/d;p}' >"$tmp/printed"
ok "README.md has it" test "$(wc -l <"$tmp/shown")" -gt 10
words() {
	sed 's/[0-9]*\.[0-9]\{3\}/#/g; s/  *#/ #/g' "$1"
}
is "$(words "$tmp/printed")" "$(words "$tmp/shown")" "the same words"
numbers() {
	grep -oE '[0-9]+\.[0-9]{3}' "$1"
}
numbers "$tmp/printed" >"$tmp/a"
numbers "$tmp/shown" >"$tmp/b"
is "$(paste "$tmp/a" "$tmp/b" | awk '($1 - $2) ^ 2 > (0.1 * $2) ^ 2')" "" "the same numbers, within 10 %"
ok "a page" test -s "$top/out/demo/report.html"
ok "figures" test -s "$top/out/demo/figures/ccdf.pdf"
done_testing
