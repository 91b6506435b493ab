#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat fleet report on 490 normal and 10 odd machines: it finds all odd machines, and calls at most one normal machine odd.
# Also tests the page.
# tests/bench/fleet uses more machines and other distributions.
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
	is "$(comm -13 odd planted | wc -l)" 0 "seed $seed: all ten odd machines are found"
	is "$(comm -23 odd planted | awk 'END { print (NR > 1) }')" 0 \
		"seed $seed: at most one of 490 normal machines is called odd"
done
./mkfleet -1 -n 1000 -w 1.5 -N -s 4 all.counts | cut -f 1 | sort >planted
run "$top/tools/bin/fleet" list out-1
odd_of out-1/fleet-machines.tsv >odd
is "$(comm -13 odd planted | wc -l) $(comm -23 odd planted | awk 'END { print (NR > 1) }')" "0 0" \
	"different numbers of samples: all odd machines are found, and at most one normal machine is called odd"
./mkfleet -1 -n 1000 -p 0 -d t5 -s 5 all.counts
run "$top/tools/bin/fleet" list out-1
is "$(odd_of out-1/fleet-machines.tsv | awk 'END { print (NR > 2) }')" 0 "heavy tails, no odd machine: at most two are called odd"

# Skewed distributions and distributions with outliers, no odd machine. 5 % of the fleets may have a machine that is called odd
# (tests/bench/fleet-false has the rates). Then more than three of twenty fleets have one with a probability of 1 in 60.
for spread in skewed outliers; do
	wrong=0
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		./mkfleet -1 -n 400 -m 500 -p 0 -w 2 -d "$spread" -s "$seed" all.counts
		"$top/tools/bin/fleet" list out-1
		[ -z "$(odd_of out-1/fleet-machines.tsv)" ] || wrong=$((wrong + 1))
	done
	ok "$spread: $wrong of 20 fleets have a false odd machine, at most 3 allowed" test "$wrong" -le 3
done

# Machines that are all equal give an answer, too.
./mkfleet -1 -I -n 400 -m 500 -p 0 all.counts
run "$wakelat" fleet report all.counts
is "$status$(printf '%s\n' "$out" | grep -c '^None of 500 machines is odd\.$')" 01 \
	"500 identical machines: no machine is odd or undecided"

# 1 % of the wake-ups take twice as long, in 8 of 400 machines.
./mkfleet -1 -n 10000 -m 392 -p 8 -P mode -l 100 all.counts | cut -f 1 | sort >planted
run "$wakelat" fleet report all.counts
is "$(printf '%s\n' "$out" | sed -n 's/^\(node[0-9]*\)$/\1/p' | sort | paste -sd ' ' -)" "$(paste -sd ' ' planted)" \
	"10,000 samples: a second mode in 1 % is found in all machines that have it"
is "$(printf '%s\n' "$out" | grep -c '^    C6 a second mode: .* of wake-ups take longer')" 8 \
	"10,000 samples: the report calls it a second mode"
like "$out" '^C6: a second mode in less than 0\.17 % of the wake-ups is invisible \(p99\.9 of 10000 samples\)' \
	"10,000 samples: the report says which second mode is invisible"
./mkfleet -1 -n 3000 -m 392 -p 8 -P mode -l 100 all.counts >planted
run "$wakelat" fleet report all.counts
like "$out" '^C6: a second mode in less than 1\.35 % of the wake-ups is invisible \(p99 of 3000 samples\) unless it raises the maximum; p99\.9 needs 3688 samples$' \
	"3,000 samples: the report says that a second mode in 1 % is invisible"

# Recordings of network cards. Old ones have the method in the key nic_method, new ones in source_settings. Machines with
# the same method are peers in both cases.
. "$top/tests/lib/counts.sh"
for machine in 10 11 12 13 14 20 21 22 23 24 30; do
	case $machine in
	1?) set -- nic_method target ;;
	2?) set -- nic_method target source_settings method=target clock_khz "20000$machine" ;;
	*) set -- nic_method target source_settings method=target,colour=red ;;
	esac
	mkdir -p cards
	recording "card$machine" 400 $machine '3' "$@"
	sed -i "s/^hostname	.*/hostname	m$machine/" "card$machine/run.tsv"
	"$wakelat" stats -q --counts "cards/$machine.counts" "card$machine"
done
mkdir cards-out
ls cards/* >list
"$top/tools/bin/fleet" list cards-out
is "$(for machine in 10 20 30; do
	awk -F '\t' -v machine=m$machine 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["machine"] == machine { print $at["peers"] }' cards-out/fleet-machines.tsv
done | paste -sd ' ' -)" "10 10 0" "an old and a new recording of the same settings are peers, one with other settings is not"

# --- the page, with names that contain HTML
./mkfleet -1 -n 400 -w 1 -m 60 -p 4 -h "it's \"a\" <b>&" all.counts >/dev/null
./mkfleet -1 -n 400 -w 1 -m 60 -p 4 -h "it's \"a\" <b>&" -k 6.13.0 -D 2026-04-01T00:00:00Z more.counts >/dev/null
run "$wakelat" fleet report -q --by kernel -o page all.counts more.counts
is "$status$err" 4 "report -q -o writes a page without a message"
like "$(cat page/report.html)" "default-src 'none'" "the page fetches nothing"
unlike "$(cat page/report.html)" '<b>|<script' "the page escapes names"
like "$(cat page/report.html)" 'it&#39;s &quot;a&quot; &lt;b&gt;&amp;000[0-9]+</td>' "the page shows the escaped names"
is "$(tail -n 1 page/report.html)" '</html>' "the page is whole"
if command -v xmllint >/dev/null; then
	ok "the page is valid HTML" sh -c 'xmllint --html --noout page/report.html 2>&1 | grep -v -e "Tag \(details\|summary\|figure\|figcaption\|footer\) invalid" -e "^<" -e "^ *^$" >faults; test ! -s faults'
else
	skip 1 "xmllint is not installed"
fi
if command -v gnuplot >/dev/null; then
	is "$(grep -o '<figure><img' page/report.html | wc -l)" 10 "ten figures: a map, three states, and six machines"
	is "$(names page/figures | tr ' ' '\n' | sed 's/-[0-9].*//' | sort -u | paste -sd ' ' -)" "fleet-machines fleet-map fleet-peers" \
		"each kind of figure is drawn"
else
	skip 2 "gnuplot is not installed"
fi
for table in fleet fleet-machines fleet-keys fleet-states fleet-left-out fleet-history; do
	ok "$table.tsv: all rows have the same number of cells" awk -F '\t' 'NR == 1 { n = NF } NF != n { exit 1 }' "page/$table.tsv"
done

# --- each awk gives the same bytes: text, page, JSON, and the data of the figures
mkdir few awks
./mkfleet -n 100 -w 1 -m 12 -p 2 few >/dev/null
names few | tr ' ' '\n' | sed 's/[.]counts$//' >few/nodes
printf 'old\nlate\n' >>few/nodes
printf 'refused: no <such> kernel\n' >few/old.reason
awk -F '\t' -v OFS='\t' 'NR > 1 && $8 == "odd" { print $1, $2 }' page/fleet-machines.tsv >rows
head -n 1 rows >row
awk -F '\t' -v OFS='\t' 'NR > 1 && $6 == "p50" && $3 == "C6" { print $11, $12, $13, $16, $1 }' page/fleet.tsv | sort -n >sorted
printf 'answer\tmachines\tlike\todd\tundecided\tnothing\nodd\t120\t112\t8\t0\t0\n' >answer.tsv
lib=$top/scripts/lib
ok "there is something to draw" test -s row -a -s sorted
# drawn DIR AWK-FILE OPTION...: write gnuplot's input into DIR
drawn() (
	mkdir -p "$1"
	data=$1 machine=' (emulated)' note=x title='C6' below=1 above=2
	export data machine note title below above
	script=$2
	shift 2
	awk -F '\t' -f "$lib/figures/gnuplot-text.awk" -f "$lib/fleet/$script" "$@" >"$data/setup.gp"
)
# said_by NAME: write all outputs into NAME/
said_by() {
	mkdir -p "$1"
	{
		"$wakelat" fleet report --by kernel few more.counts
		"$wakelat" fleet report few
		"$wakelat" fleet report --json few
	} >"$1/said" 2>&1
	awk -F '\t' -v by=kernel -f "$lib/report/html.awk" -f "$lib/common/us.awk" -f "$lib/fleet/fleet-text.awk" -f "$lib/fleet/fleet-html.awk" \
		answer.tsv page/fleet-machines.tsv page/fleet-left-out.tsv >"$1/page"
	drawn "$1/map" fleet-map.awk -v figure=fleet-map rows page/fleet-states.tsv page/fleet-machines.tsv page/fleet.tsv
	drawn "$1/peers" fleet-map.awk -v figure=fleet-peers row page/fleet-states.tsv page/fleet-machines.tsv page/fleet.tsv
	drawn "$1/sorted" fleet-sorted.awk sorted
}
awks=
for name in mawk gawk busybox; do
	command -v "$name" >/dev/null || continue
	mkdir -p "awks/$name"
	printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$name")$(test "$name" != busybox || printf ' awk')" >"awks/$name/awk"
	chmod +x "awks/$name/awk"
	awks="$awks $name"
	(PATH=$tmp/awks/$name:$PATH && export PATH && said_by "of-$name")
done
note "awks:$awks"
for name in $awks; do
	[ -n "${first-}" ] || first=$name
	is "$(diff -r "of-$first" "of-$name" 2>&1 | head -n 5)" "" "$name: the same outputs as ${first}"
done
is "$(find "of-$first" -type f -size +0 | wc -l)" "$(find "of-$first" -type f | wc -l)" "no output of $first is empty"
done_testing
