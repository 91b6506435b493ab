#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the manual pages show under EXAMPLES after "$ wakelat ..." is what it prints, of committed data; and the pages have no
# fault that man finds. After "# " it takes root, and is not tried here. Needs the tools, gnuplot, R.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/shown.sh"
. "$top/tests/lib/fleet.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1 || skip_all "R with its package evd is not installed"
build_tools
cd "$tmp" || exit 1
for name in results scripts tests tools; do
	ln -s "$top/$name" .
done
PATH=$top/scripts:$PATH

# Idle periods that were right, too deep and too shallow.
{
	for period in 1000000:599999:3 2000000:600000:3 3000000:100000:3 4000000:19999:2 5000000:610000:2 6000000:22000:1; do
		start=${period%%:*}
		length=${period#*:}
		length=${length%:*}
		printf 'hrtimer_start 0 %s hrtimer=4096 expires=%s\n' $((start - 100)) $((start + length - 50))
		printf 'cpu_idle 0 %s state=%s\ncpu_idle 0 %s state=0xffffffff\n' "$start" "${period##*:}" $((start + length))
		printf 'hrtimer_expire_entry 0 %s hrtimer=4096 now=%s\n' $((start + length + 300)) $((start + length + 200))
	done
} | trace menu.dat -S -x cpu_idle_miss || bail "no recording"

# A fleet of 44 machines, 4 of them odd.
mkdir counts
build_mkfleet "$tmp/mkfleet" && ./mkfleet -n 400 -w 1 -m 40 -p 4 counts >/dev/null || bail "no fleet"

# Paths and revisions differ, and are called WHERE and REVISION here.
the_same() {
	sed "s,$top/scripts/wakelat,wakelat,g; s/revision [0-9a-f]*\(-dirty\)*\$/revision REVISION/"
}

# compared PRINTED SHOWN NAME
compared() {
	is "$(the_same <"$1")" "$(the_same <"$2")" "$3"
}

# tried PAGE: each command of its examples, in order
tried() {
	man_shown "$1" >page
	each_shown "${1##*/}" compared <page
}

# import's make the recordings of the others.
for page in "$top"/Documentation/man/wakelat-import.1 "$top"/Documentation/man/*.1; do
	[ -d tdt ] && [ "${page##*/}" = wakelat-import.1 ] || tried "$page"
done
if command -v man >/dev/null && command -v groff >/dev/null; then
	for page in "$top"/Documentation/man/*.1; do
		is "$(MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)" "" "${page##*/}: without a warning"
	done
fi
done_testing
