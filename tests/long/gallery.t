#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Documentation/gallery.md: its commands run, on committed data and synthetic machines, and draw pictures with the same text as
# those that it shows.
# GALLERY=anew: replace the pictures in Documentation/gallery/. Needs the tools, gnuplot, xz, R.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/shown.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
command -v xz >/dev/null || skip_all "xz-utils is not installed"
Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1 || skip_all "R with its package evd is not installed"
build_tools
page=$top/Documentation/gallery.md
figures=$top/scripts/lib/figures/figures.tsv
in_clone

awk -F '\t' 'NR > 1 { print $1 }' "$figures" >names
text_shown "$page" >commands
# Three commands fetch the data. All figures of a fleet share one command, and need two commands before it.
is "$(grep -c '^\$' commands)" "$(($(wc -l <names) + 3 + 3 - $(grep -c '^fleet-' names)))" \
	"the page has a command for each figure, and those that fetch the data"
each_shown gallery.md printed_the_same <commands

# The pictures on the page were drawn by the gnuplot that they name. The same one draws the same file, except for the revision of
# wakelat. Another version chooses other tics, and writes text in another order.
drawn_by=$(gnuplot --version | sed 's/gnuplot/GNUPLOT/')
as_shown() {
	if grep -q "Produced by $drawn_by " "$top/Documentation/gallery/silent-time.svg"; then
		sed 's/[0-9a-f]\{12\}\(-dirty\)\{0,1\}<\/text>/REVISION<\/text>/' "$1" | cksum
	else
		text_of "$1" | grep '[[:alpha:]]' | LC_ALL=C sort
	fi
}

while IFS= read -r figure; do
	kind=svg
	drawn=out/gallery/figures/$figure.svg
	case $figure in
	fleet-*)
		kind=$(awk -F '\t' -v figure="$figure" '$1 == figure { print $5 }' "$figures")
		drawn=out/gallery/fleet/figures/$figure-1.$kind ;;
	esac
	shown=$(awk -v section="## $figure" '/^## / { here = $0 == section } here && sub(/^!\[[^]]*\]\(/, "") { sub(/\).*/, ""); print }' "$page")
	case ${GALLERY-},$shown in
	anew,gallery/*) cp "$drawn" "${page%/*}/$shown" || bail "$shown cannot be written" ;;
	esac
	ok "$figure: the file is drawn, and the page shows it" test -s "$drawn" -a -s "${page%/*}/$shown"
	[ "$kind" != svg ] || is "$(as_shown "$drawn")" "$(as_shown "${page%/*}/$shown")" "$figure: the file that is shown is the one that the command draws"
done <names
is "$(cd "$top/Documentation/gallery" && printf '%s\n' * | while IFS= read -r file; do
	grep -qF "(gallery/$file)" "$page" || echo "$file"
done)" "" "the page shows every file of Documentation/gallery/"
done_testing
