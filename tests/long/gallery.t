#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Documentation/gallery.md and the figures of extras: the commands run, on committed data and synthetic machines, and draw pictures with the same text as
# those that are shown.
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
# Three commands fetch the data.
is "$(grep -c '^\$' commands)" "$(($(wc -l <names) + 3))" \
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

# shows FIGURE DRAWN SHOWN: check that the command drew the picture that is shown
shows() {
	case ${GALLERY-},$3 in
	anew,*/Documentation/gallery/* | anew,*/extras/*) cp "$2" "$3" || bail "$3 cannot be written" ;;
	esac
	ok "$1: the file is drawn, and the page shows it" test -s "$2" -a -s "$3"
	case $2 in
	*.svg) is "$(as_shown "$2")" "$(as_shown "$3")" "$1: the file that is shown is the one that the command draws" ;;
	esac
}

while IFS= read -r figure; do
	shown=$(awk -v section="## $figure" '/^## / { here = $0 == section } here && sub(/^!\[[^]]*\]\(/, "") { sub(/\).*/, ""); print }' "$page")
	shows "$figure" "out/gallery/figures/$figure.svg" "${page%/*}/$shown"
done <names
# The README.md of an extra shows pictures. Its commands that use out/gallery draw them.
for page in "$top"/extras/*/README.md; do
	sed -n 's/^!\[\](\(.*\))$/\1/p' "$page" 2>/dev/null >names
	[ -s names ] || continue
	text_shown "$page" | only_commands out/gallery >commands
	each_shown "$page" printed_the_same <commands
	while IFS= read -r figure; do
		shows "$figure" "$(find out/gallery -path "*/figures/${figure#*results/*/}")" "${page%/*}/$figure"
	done <names
done
page=$top/Documentation/gallery.md
is "$(cd "$top/Documentation/gallery" && printf '%s\n' * | while IFS= read -r file; do
	grep -qF "(gallery/$file)" "$page" || echo "$file"
done)" "" "the page shows every file of Documentation/gallery/"
done_testing
