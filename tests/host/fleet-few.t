#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat fleet report -o: fewer machines than any figure needs make a page without figures, which says so.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
declared tools
make -C "$top/tools" >"$tmp/make.log" 2>&1 || bail "tools do not build"
cd "$tmp" || exit 1
cc -D_GNU_SOURCE -O2 -I"$top/tools/lib" -o mkfleet "$top/tests/fixtures/mkfleet.c" "$top/tools/lib/cksum.c" "$top/tools/lib/number.c" -lm ||
	bail "mkfleet.c does not build"
for machines in 1 7; do
	./mkfleet -1 -n 400 -w 1 -m $machines -p 0 few.counts >/dev/null
	rm -rf out
	run "$top/scripts/wakelat" fleet report -o out few.counts
	is "$status" 5 "$machines machines: undecided"
	like "$err" 'report\.html and tables; no figures: a figure needs 8 machines' "$machines machines: the message says why there are no figures"
	like "$(cat out/report.html)" 'no figures: a figure needs 8 machines' "$machines machines: the page says why there are no figures"
	like "$(cat out/report.html)" '</html>' "$machines machines: the page is complete"
	ok "$machines machines: there is no empty directory of figures" test ! -e out/figures
done
done_testing
