#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat fleet report on hundreds of machines: slow ones come first, and only they are called different. Also tests the page.
# extras/fleet/tests/bench/fleet measures how often.
# needs: tools

. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/extras/fleet/tests/lib/fleet.sh"
build_tools
build_mkfleet "$tmp/mkfleet" && build_fleet_rank "$tmp/fleet-rank" || bail "the fixtures do not build"
cd "$tmp" || exit 1

# slower_ones OPTION...: make a fleet with two slower machines
slower_ones() {
	./mkfleet -1 -n 1000 -m 490 -p 2 -P slower -w 1.5 "$@" all.counts
}
for options in '-s 1' '-s 2' '-N -s 4' '-d t5 -s 5' '-d skewed -s 6'; do
	words "$options" slower_ones | cut -f 1 | sort >planted
	rm -rf out-1 && mkdir out-1
	printf 'all.counts\n' >list
	"$top/tools/bin/fleet" list out-1 || bail "tools/bin/fleet"
	is "$(awk -F '\t' 'NR > 1 && $3 <= 3 { print $1 }' out-1/fleet-machines.tsv | sort | comm -13 - planted)" "" \
		"$options: two slower machines of 492 are among the first three"
	is "$(different_of out-1/fleet-machines.tsv | comm -23 - planted)" "" "$options: no other machine is called different"
done
./mkfleet -1 -n 1000 -m 490 -p 2 -P missing -w 1.5 all.counts | cut -f 1 | sort >planted
"$top/tools/bin/fleet" list out-1
is "$(different_of out-1/fleet-machines.tsv)" "$(cat planted)" "machines without C6 are called different, and no others"
./mkfleet -1 -n 1000 -m 60 -p 4 -P maximum -w 2 all.counts >planted
"$top/tools/bin/fleet" list out-1
is "$(different_of out-1/fleet-machines.tsv)" "" "maxima are not judged"
is "$(awk -F '\t' '$7 == "max" { print $16 $17 }' out-1/fleet.tsv | sort -u)" "--" "maxima have no distance in MADs"

# Machines that are all equal are ranked, too.
./mkfleet -1 -I -n 400 -m 500 -p 0 all.counts
run "$wakelat" fleet report all.counts
is "$status$(printf '%s\n' "$out" | grep -c '^None of 500 machines is different\.$')" 01 "500 identical machines: none is different"

# Each of two machines is at 1 MAD in all states. C6 is 50 % slower, the other states differ by less than 20 %.
mkdir eight && ./mkfleet -n 500 -m 8 -p 1 -P slower -w 1.5 -s 1 eight >planted
slow=$(cut -f 1 planted)
mkdir pair && mv "eight/$slow.counts" pair/
for other in eight/*.counts; do
	cp "$other" pair/
	break
done
"$wakelat" fleet report pair >pair.txt
is "$(sed -n 's/^      \(C6 p[59][09]\) .*, 1\.0 MADs$/found/p' pair.txt)" "found
found" "of two machines, the report names the state that differs by the most %"

# A clock with a step of 1 us: machines differ by one step at most.
for machine in 1 2 3 4 5 6 7 8 9; do
	{ ./mkfleet -1 -n 400 -m 1 -p 0 -s $machine -h "m$machine" one.counts; cat one.counts; } | awk -F '\t' -v OFS='\t' '
		/^end/ || /^wakelat-counts/ { next }
		/^values/ { if (n) flush(); head = $0; n = 1; next }
		n && /^[0-9]/ { us = int($1 / 1000) * 1000; if (!(us in count)) list[++m] = us; count[us] += $2; next }
		{ print }
		function flush(  i) { print head; for (i = 1; i <= m; i++) print list[i], count[list[i]]; split("", count); m = 0 }
		END { flush() }' >block
	{ printf 'wakelat-counts\t1\n'; cat block; cksum <block | tr ' ' '\t' | sed 's/^/end\t/'; } >"coarse$machine.counts"
done
ls coarse*.counts >list-coarse
"$top/tools/bin/fleet" list-coarse out-1 2>said
is "$(cat said) $(different_of out-1/fleet-machines.tsv)" " " "a clock with a step of 1 us: no machine is called different"
is "$(awk -F '\t' '$2 == "C1E" && $5 == "p50" { print ($10 * $7 >= 99900) }' out-1/fleet-states.tsv)" 1 "a clock with a step of 1 us: the scale is not below the step"

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
	awk -F '\t' -v machine=m$machine '$1 == machine { print $2, $7 }' cards-out/fleet-machines.tsv
done | cut -d ' ' -f 1 | sort | uniq -c | awk '{ print $1 }' | paste -sd ' ' -)" "2 1" "an old and a new recording of the same settings are of one kind, one with other settings is not"

# --- the page, with names that contain HTML
./mkfleet -1 -n 400 -w 1 -m 60 -p 4 -h "it's \"a\" <b>&" all.counts >/dev/null
./mkfleet -1 -n 400 -w 1 -m 60 -p 4 -h "it's \"a\" <b>&" -k 6.13.0 -D 2026-04-01T00:00:00Z more.counts >/dev/null
run "$wakelat" fleet report -q -o page all.counts more.counts
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
	is "$(grep -o '<figure><img' page/report.html | wc -l)" 5 "five figures: a map and four states"
	is "$(names page/figures | tr ' ' '\n' | sed 's/-[0-9].*//' | sort -u | paste -sd ' ' -)" "fleet-machines fleet-map" \
		"each kind of figure is drawn"
else
	skip 2 "gnuplot is not installed"
fi
for table in fleet fleet-machines fleet-kinds fleet-states fleet-left-out; do
	ok "$table.tsv: all rows have the same number of cells" awk -F '\t' 'NR == 1 { n = NF } NF != n { exit 1 }' "page/$table.tsv"
done

# --- each awk gives the same bytes: text, page, JSON, and the data of the figures
mkdir few awks
./mkfleet -n 100 -w 1 -m 12 -p 2 few >/dev/null
names few | tr ' ' '\n' | sed 's/[.]counts$//' >few/nodes
printf 'old\nlate\n' >>few/nodes
printf 'refused: no <such> kernel\n' >few/old.reason
lib=$top/scripts/lib
# drawn DIR OPTION...: write gnuplot's input into DIR
drawn() (
	mkdir -p "$1"
	data=$1 machine=' (emulated)' note=x title=' in C6' state=C6 source=hrtimer
	export data machine note title state source
	shift
	awk -F '\t' -f "$lib/figures/gnuplot-text.awk" -f "$top/extras/fleet/fleet-figures.awk" -v kind=1 "$@" page/fleet.tsv >"$data/setup.gp"
)
# said_by NAME: write all outputs into NAME/
said_by() {
	mkdir -p "$1"
	{
		"$wakelat" fleet report few more.counts
		"$wakelat" fleet report few
		"$wakelat" fleet report --json few
	} >"$1/said" 2>&1
	drawn "$1/map" -v figure=fleet-map -v rows=24
	drawn "$1/sorted" -v figure=fleet-machines -v scale=1
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
