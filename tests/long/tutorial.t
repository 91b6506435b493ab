#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Documentation/tutorial.md, what it says of committed data: its commands print what it shows. What it says of make demo's recording:
# testbed/demo.t; of this machine: machine/probe.t. Needs the tools, gnuplot, xz.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/shown.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
command -v xz >/dev/null || skip_all "xz-utils is not installed"
build_tools
tutorial=$top/Documentation/tutorial.md
in_clone

# Of the demo's recording they are tried where it is made.
for section in 2 4; do
	text_shown "$tutorial" $section | without_commands ' out/demo( |$)' >commands
	ok "section $section has commands" grep -q '^\$ ' commands
	each_shown tutorial.md printed_the_same <commands
done
ok "the page of the public copy" test -s out/public/report.html
is "$(text_of out/timer-halting/figures/ccdf.svg)" "$(text_of "$top/results/kvm-guest/figures-timer/ccdf.svg")" "the picture of the guest"
# The others are those of results/ivt-wult/make and of the demo.
is "$(grep -c '^!\[' "$tutorial")" 3 "and no other picture but two"
done_testing
