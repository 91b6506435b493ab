#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Documentation/tutorial.md: its commands on committed data print what it shows. testbed/demo.t
# tests those on make demo's recording, machine/probe.t those on this machine. Needs the tools,
# gnuplot, xz.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/shown.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
command -v xz >/dev/null || skip_all "xz-utils is not installed"
build_tools
tutorial=$top/Documentation/tutorial.md
in_clone

# testbed/demo.t runs the commands that need out/demo.
for section in 2 4; do
	text_shown "$tutorial" $section | without_commands ' out/demo( |$)' >commands
	ok "section $section has commands" grep -q '^\$ ' commands
	each_shown tutorial.md printed_the_same <commands
done
ok "report has written the page of the public copy" test -s out/public/report.html
is "$(text_of out/timer-halting/figures/ccdf.svg)" "$(text_of "$top/results/kvm-guest/figures-timer/ccdf.svg")" "the guest's drawn figure has the text of the tutorial's figure"
# The other two pictures come from results/ivt-wult/make and from the demo.
is "$(grep -c '^!\[' "$tutorial")" 3 "the tutorial has three pictures"
done_testing
