#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make demo (testbed/run): README.md and the tutorial show its output, and the output of other commands for its
# recording. On a machine with the versions in Documentation/shown-with.tsv the numbers are equal to the last
# digit. If they are not, the documents are stale, and `make shown` updates them. Another compiler makes other
# instructions. Then the words are the same, and the numbers differ by at most 15 %.
# needs: tools qemu kernel:default
# takes: minutes
# tier: first

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/shown.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
declared qemu
declared kernel:default
mkdir "$tmp/new"
run "$top/scripts/dev/refresh-shown" --into "$tmp/new"
is "$status" 0 "refresh-shown runs make demo and the commands that the documents show"
[ "$status" -eq 0 ] || tap_show_run

ok "README.md shows the answer of make demo" test "$(sed -n '/^    EXCEEDED/,/^(/p' "$top/README.md" | wc -l)" -gt 10
is "$(grep -cE '^    [$] (make demo|.* out/demo( |$))' "$top/Documentation/tutorial.md")" 6 \
	"the tutorial shows six commands about the demo"
compare=about_the_same
! cmp -s "$tmp/new/shown-with.tsv" "$top/Documentation/shown-with.tsv" || compare=exactly_the_same
note "$compare: $(diff "$top/Documentation/shown-with.tsv" "$tmp/new/shown-with.tsv" | sed -n 's/^> //p' | tr '\t\n' ' ;')"

# exactly_the_same PRINTED SHOWN NAME: check that both files are equal
exactly_the_same() {
	is "$(diff "$2" "$1")" "" "$3 shows the present output (to update it: make shown)"
}
$compare "$tmp/new/README.md" "$top/README.md" README.md
$compare "$tmp/new/tutorial.md" "$top/Documentation/tutorial.md" tutorial.md
# figure_words SVG: print the texts; the numbers at the axes only if the same gnuplot draws the same samples
figure_words() {
	case $compare in
	exactly_the_same) text_of "$1" ;;
	*) text_of "$1" | grep -vxE '[0-9.]+' ;;
	esac
}
is "$(figure_words "$tmp/new/demo-states.svg")" "$(figure_words "$top/Documentation/tutorial/demo-states.svg")" \
	"the tutorial's figure has the same words as the demo's"
ok "the demo leaves a report" test -s "$top/out/demo/report.html"
ok "the demo leaves a figure" test -s "$top/out/demo/figures/ccdf.pdf"

# README.md names the space that the cache takes: the newest file of each kind, without objects of other kernels
# than the demo's.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/wakelat
for made in kernel-tree/6.12- linux-source-6.12- qemu- qemu-source- kernel-default- initramfs-; do
	# shellcheck disable=SC2012  # names of our own, and find has no newest
	ls -1dt "$cache/$made"[0-9a-f]*[!l] 2>/dev/null | head -n 1
done >"$tmp/newest"
like "$(cat "$top/README.md")" "; $(tr '\n' '\0' <"$tmp/newest" | du -scm --exclude='obj-*' --files0-from=- |
	awk 'END { printf "%.0f", $1 / 1000 }') GB in" "README.md names the space that make demo takes"
done_testing
