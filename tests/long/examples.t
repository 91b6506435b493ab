#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The examples of the manual pages ("$ wakelat ...") print what the pages show, with committed data, and man finds no fault in
# the pages. Examples with "# " need root and are not run. Needs the tools, gnuplot, R.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/shown.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1 || skip_all "R with its package evd is not installed"
build_tools
cd "$tmp" || exit 1
for name in results scripts tests tools; do
	ln -s "$top/$name" .
done
PATH=$top/scripts:$PATH

# Make what the manual pages of extras need.
for needed in "$top"/extras/*/tests/examples.sh; do
	# shellcheck source=/dev/null # named by a variable
	[ ! -e "$needed" ] || . "$needed"
done

# Replace what differs between machines: the path of wakelat, and the revision.
the_same() {
	sed "s,$top/scripts/wakelat,wakelat,g; s/revision [0-9a-f]*\(-dirty\)*\$/revision REVISION/"
}

# compared PRINTED SHOWN NAME: check that both are equal, apart from path and revision
compared() {
	is "$(the_same <"$1")" "$(the_same <"$2")" "$3"
}

# tried PAGE: run each command of the page's examples, in order, and compare the output
tried() {
	man_shown "$1" >page
	each_shown "${1##*/}" compared <page
}

# The examples of import come first: they make the recordings that other pages use.
for page in "$top"/Documentation/man/wakelat-import.1 "$top"/Documentation/man/*.1 "$top"/extras/*/*.1; do
	[ -d tdt ] && [ "${page##*/}" = wakelat-import.1 ] || tried "$page"
done
if command -v man >/dev/null && command -v groff >/dev/null; then
	for page in "$top"/Documentation/man/*.1 "$top"/extras/*/*.1; do
		is "$(MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)" "" "${page##*/}: man prints no warning"
	done
fi
done_testing
