#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat fleet report on 490 machines and 10 that are odd: all of these are found, and one of the others at most. And its page.
# tests/bench/fleet does it with more of them, and machines that are spread in other ways.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/fleet.sh"
build_tools
build_mkfleet "$tmp/mkfleet" || bail "tests/fixtures/mkfleet.c does not build"
cd "$tmp" || exit 1

for seed in 1 2 3; do
	./mkfleet -1 -n 1000 -w 1.5 -s "$seed" all.counts | cut -f 1 | sort >planted
	mkdir "out-$seed"
	printf 'all.counts\n' >list
	"$top/tools/bin/fleet" list "out-$seed" || bail "tools/bin/fleet"
	odd_of "out-$seed/fleet-machines.tsv" >odd
	is "$(comm -13 odd planted | wc -l)" 0 "seed $seed: all of the ten odd ones are found"
	is "$(comm -23 odd planted | awk 'END { print (NR > 1) }')" 0 "seed $seed: of 490 others one at most"
done
./mkfleet -1 -n 1000 -w 1.5 -N -s 4 all.counts | cut -f 1 | sort >planted
run "$top/tools/bin/fleet" list out-1
odd_of out-1/fleet-machines.tsv >odd
is "$(comm -13 odd planted | wc -l) $(comm -23 odd planted | awk 'END { print (NR > 1) }')" "0 0" "each with another number of samples: the same"
./mkfleet -1 -n 1000 -p 0 -d t5 -s 5 all.counts
run "$top/tools/bin/fleet" list out-1
is "$(odd_of out-1/fleet-machines.tsv | awk 'END { print (NR > 2) }')" 0 "none is odd, and heavy tails: none is called so, or hardly one"

# --- the page, of names that are none
./mkfleet -1 -n 400 -w 1 -m 60 -p 4 -h "it's \"a\" <b>&" all.counts >/dev/null
./mkfleet -1 -n 400 -w 1 -m 60 -p 4 -h "it's \"a\" <b>&" -k 6.13.0 -D 2026-04-01T00:00:00Z more.counts >/dev/null
run "$wakelat" fleet report -q --by kernel -o page all.counts more.counts
is "$status$err" 4 "a page, and no word"
like "$(cat page/report.html)" "default-src 'none'" "the page fetches nothing"
unlike "$(cat page/report.html)" '<b>|<script' "no name is taken for HTML"
like "$(cat page/report.html)" 'it&#39;s &quot;a&quot; &lt;b&gt;&amp;000[0-9]+</td>' "but shown"
is "$(tail -n 1 page/report.html)" '</html>' "the page is whole"
if command -v xmllint >/dev/null; then
	ok "and is HTML" sh -c 'xmllint --html --noout page/report.html 2>&1 | grep -v -e "Tag \(details\|summary\|figure\|figcaption\|footer\) invalid" -e "^<" -e "^ *^$" >faults; test ! -s faults'
else
	skip 1 "xmllint is not installed"
fi
if command -v gnuplot >/dev/null; then
	is "$(grep -o '<figure><img' page/report.html | wc -l)" 10 "ten figures: a map, three states, and six machines"
	is "$(names page/figures | tr ' ' '\n' | sed 's/-[0-9].*//' | sort -u | paste -sd ' ' -)" "fleet-machines fleet-map fleet-peers" "of each kind"
else
	skip 2 "gnuplot is not installed"
fi
for table in fleet fleet-machines fleet-keys fleet-states fleet-left-out fleet-history; do
	ok "$table.tsv: as many cells in each row" awk -F '\t' 'NR == 1 { n = NF } NF != n { exit 1 }' "page/$table.tsv"
done
done_testing
