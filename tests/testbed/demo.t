#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make demo (testbed/run): what README.md and the tutorial show is what it prints, and what others print of its recording. Another
# compiler makes other instructions: words are the same, numbers differ by 15 % at most.
# needs: tools qemu kernel:default
# tier: first

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/shown.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
run "$top/testbed/demo"
is "$status" 0 "make demo"
printf '%s\n' "$out" >"$tmp/demo.out"
sed -n '/^    EXCEEDED/,/^(/{/^(/d;s/^    //;p}' "$top/README.md" >"$tmp/shown"
sed -n '/^EXCEEDED/,/^The latencies are/{/^The latencies are/d;p}' "$tmp/demo.out" >"$tmp/printed"
ok "README.md has it" test "$(wc -l <"$tmp/shown")" -gt 10
about_the_same "$tmp/printed" "$tmp/shown" "README.md"
ok "a page" test -s "$top/out/demo/report.html"
ok "figures" test -s "$top/out/demo/figures/ccdf.pdf"

# The tutorial: of the same recording, which a copy of it leaves as it is.
tutorial=$top/Documentation/tutorial.md
in_clone
mkdir out && cp -R "$top/out/demo" out/ || bail "the recording cannot be copied"
# It was made above.
mkdir path && printf '#!/bin/sh\ncat "%s"\n' "$tmp/demo.out" >path/make && chmod +x path/make
PATH=$PWD/path:$PATH
for section in 1 4; do
	text_shown "$tutorial" $section | only_commands '^[$] make demo|out/demo( |$)' >commands
	ok "section $section of the tutorial has commands of it" grep -q '^\$ ' commands
	each_shown tutorial.md about_the_same <commands
done
is "$(text_of out/demo/figures/states.svg)" "$(text_of "${tutorial%.md}/demo-states.svg")" "the words of its picture"
done_testing
