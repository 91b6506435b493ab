#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat fleet report on one, two and five machines: a ranking, a page and figures from two machines on.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/fleet.sh"
build_tools
build_mkfleet "$tmp/mkfleet" || bail "mkfleet.c does not build"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
cd "$tmp" || exit 1

./mkfleet -1 -n 400 -w 1 -m 1 -p 0 few.counts >/dev/null
run "$wakelat" fleet report -o out few.counts
like "$out" '^None of 1 machine is different\. 1 is the only one of its kind\.$' "one machine: the answer says that it is the only one"
is "$status" 5 "one machine: nothing to compare, status 5"
like "$err" 'report\.html and tables; no figures: a figure needs two machines' "one machine: the message says why there are no figures"
like "$(cat out/report.html)" 'no figures: a figure needs two machines' "one machine: the page says why there are no figures"
like "$(cat out/report.html)" '</html>' "one machine: the page is complete"
ok "one machine: there is no empty directory of figures" test ! -e out/figures

for machines in 2 5; do
	./mkfleet -1 -n 400 -w 1 -m $((machines - 1)) -p 1 -P slower few.counts >planted
	rm -rf out
	run "$wakelat" fleet report -o out few.counts
	like "$err" 'report\.html, tables and figures' "$machines machines: page and figures"
	is "$(names out/figures | tr ' ' '\n' | sed 's/-[0-9].*//' | sort -u | paste -sd ' ' -)" "fleet-machines fleet-map" "$machines machines: both kinds of figure are drawn"
	like "$(cat out/report.html)" '<figure><img' "$machines machines: the page shows figures"
	is "$(awk -F '\t' -v name="$(cut -f 1 planted)" '$1 == name && $4 == "C6" && $7 == "p50" { print ($15 - $14 < 3) }' out/fleet.tsv)" 1 \
		"$machines machines: the interval of the slower machine is narrow"
done
is "$status $(awk -F '\t' '$3 == 1 { print $1, $7 }' out/fleet-machines.tsv)" "4 $(cut -f 1 planted) different" "5 machines: the slower one is first, and different"
like "$(awk -F '\t' '$3 == 1 { print $10 }' out/fleet-machines.tsv)" '^C6 p(50|99) .* us \(.*\): \+[12][0-9]\.[0-9] %, [0-9.]+ MADs$' "5 machines: the finding has value, interval, distance in % and MADs"

# The right values of a small fleet by an independent calculation.
./mkfleet -1 -n 400 -w 2 -m 9 -p 0 few.counts >/dev/null
rm -rf out
"$wakelat" fleet report -q -o out few.counts
python3 - out/fleet.tsv >wrong <<'END'
import csv, statistics, sys
rows = list(csv.DictReader(open(sys.argv[1]), delimiter="\t"))
for state, statistic in {(r["state"], r["statistic"]) for r in rows}:
    group = [r for r in rows if (r["state"], r["statistic"]) == (state, statistic)]
    values = [float(r["value"]) for r in group]
    median = statistics.median(values)
    mad = statistics.median(abs(v - median) for v in values)
    for r, v in zip(group, values):
        if abs(float(r["median"]) - median) > 1 or abs(float(r["difference_pct"]) - 100 * (v / median - 1)) > 1.2:
            print(r["machine"], state, statistic, "difference", r["difference_pct"])
        # The error of the samples may widen the scale, never narrow it. POLL takes a few ns, which the table rounds.
        if state != "POLL" and statistic != "max" and abs(float(r["mads"])) > abs(v - median) / max(mad, 0.01 * median) * 1.05 + 0.1:
            print(r["machine"], state, statistic, "mads", r["mads"])
END
is "$(cat wrong)" "" "medians, differences and MADs agree with another calculation"

# Of three to nine machines, one may lack a state that all others have.
for machines in 3 8; do
	./mkfleet -1 -n 400 -w 1 -m $((machines - 1)) -p 1 -P missing few.counts >planted
	run "$wakelat" fleet report few.counts
	is "$status $(printf '%s\n' "$out" | sed -n 's/^ *1  \(node[0-9]*\)  (different)$/\1/p')" "4 $(cut -f 1 planted)" \
		"$machines machines: the one without C6 is first, and different"
done

# Two machines are equally far from their median, so there is no limit.
./mkfleet -1 -n 400 -w 1 -m 1 -p 1 -P slower few.counts >planted
run "$wakelat" fleet report -o out few.counts
is "$status $(tail -n +2 out/fleet-kinds.tsv | cut -f 6) $(tail -n +2 out/fleet-states.tsv | cut -f 11 | sort -u)" "0 - -" "two machines: no limit, neither is different"
run "$wakelat" fleet report few.counts
like "$out" '^Two machines are equally far from their median, so neither is called different' "two machines: the report says why"
done_testing
