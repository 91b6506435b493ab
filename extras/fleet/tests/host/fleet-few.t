#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat fleet report on one, two and five machines: a ranking, a page and figures from two machines on.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/tables.sh"
. "$top/extras/fleet/tests/lib/fleet.sh"
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
mkdir tables && cp out/*.tsv tables/
sed -n 's/^[[:space:]]*print "\(answer\\t.*\)"$/\1/p' "$top/extras/fleet/fleet-report.sh" | xargs -0 printf '%b' >tables/fleet-answer.tsv
is "$(cut -f 1 "$top/extras/fleet/schema.tsv" | sed 1d | sort -u | paste -sd ' ' -)" "$(names tables | tr ' ' '\n' | sort | paste -sd ' ' -)" "the schema has the tables"
fits_schema tables/*.tsv
for machine in 1 2; do
	"$wakelat" import -q -o "m$machine" --set emulated=no --set cpu_model=A --set kernel=6.12 --set hostname="m$machine" "$top/tests/fixtures/import/timerlat.txt"
	"$wakelat" stats -q --counts "m$machine.counts" "m$machine"
done
run "$wakelat" fleet report -o intervals m1.counts m2.counts
like "$(cat intervals/* 2>/dev/null)$err$out" 'only known as intervals' "counts of intervals are left out, and named"

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

# The uncertainty of launch times. The same machines with and without: the intervals are wider by it at both ends, and what it may
# explain does not count.
# fleet_of NS: write out-NS, from five machines of which one is 20 % (24 us) slower in C6
fleet_of() {
	./mkfleet -1 -n 400 -w 0.2 -m 4 -p 1 -P slower -u "$1" few.counts >planted
	rm -rf "out-$1"
	"$wakelat" fleet report -q -o "out-$1" few.counts
	echo "$?" >"status-$1"
}
for ns in 0 2000 9000 20000; do
	fleet_of "$ns"
done
is "$(awk -F '\t' 'FNR == 1 || $7 == "max" { next } FILENAME == ARGV[1] { low[$1, $4, $7] = $10; high[$1, $4, $7] = $11; next }
	{ print low[$1, $4, $7] - $10, $11 - high[$1, $4, $7] }' out-0/fleet.tsv out-2000/fleet.tsv | sort -u)" "2000 2000" \
	"uncertainty of 2 us: each interval is wider by it at both ends"
is "$(cat status-0 status-2000 status-9000 status-20000 | paste -sd ' ' -)" "4 4 0 0" \
	"a machine 24 us slower is different at +-2 us, not at +-9 us: then 6 us remain"
python3 - out-*/fleet.tsv >wrong <<'END'
import csv, itertools, statistics, sys
for name in sys.argv[1:]:
    u = float(name.split("-")[1].split("/")[0])
    rows = list(csv.DictReader(open(name), delimiter="\t"))
    for state, statistic in {(r["state"], r["statistic"]) for r in rows if r["statistic"] != "max"}:
        group = [r for r in rows if (r["state"], r["statistic"]) == (state, statistic)]
        values = [float(r["value"]) for r in group]
        median = statistics.median(values)
        # Each machine may be wrong by -u or +u. Search the smallest true distance of the machine from the median of all.
        for i, r in enumerate(group):
            true = []
            for signs in itertools.product((-1, 1), repeat=len(group)):
                shifted = [v + s * u for v, s in zip(values, signs)]
                true.append(shifted[i] - statistics.median(shifted))
            smallest = 0 if min(true) <= 0 <= max(true) else min(abs(t) for t in true)
            if (smallest > 2 or u == 0 and abs(values[i] - median) > 2) != (float(r["mads"]) != 0) and abs(smallest) > 2:
                print(name, r["machine"], state, statistic, r["mads"], smallest)
            if smallest == 0 and u and float(r["mads"]) != 0:
                print(name, r["machine"], state, statistic, r["mads"], "is explained")
            low, high = float(r["difference_low_pct"]), float(r["difference_high_pct"])
            if abs(low - 100 * (float(r["low"]) - median - u) / median) > 1.2 + abs(low) / 100 or abs(high - 100 * (float(r["high"]) - median + u) / median) > 1.2 + abs(high) / 100:
                print(name, r["machine"], state, statistic, "bounds", low, high)
END
is "$(cat wrong)" "" "a distance counts only beyond twice the uncertainty, and the interval of the difference includes both uncertainties"
like "$(cut -f 10 out-20000/fleet-machines.tsv)" '^C6 p(50|99) .* us \(.*\): \+[12][0-9]\.[0-9] %, within the uncertainty of launch times$' \
	"uncertainty of 20 us: the finding says that it may explain the difference"
run "$wakelat" fleet report few.counts
like "$out" '^Launch times may be wrong by up to POLL 20.000 us, C1 20.000 us, C1E 20.000 us, C6 20.000 us\.' "the report says how uncertain launch times are"
like "$(cat out-20000/report.html)" 'Launch times may be wrong by up to POLL 20.000 us' "the page says it, too"
unlike "$(cat out-0/report.html)" 'Launch times may be wrong' "uncertainty of 0: the page has no such sentence"

# From samples: two machines whose launch times are wrong by -4.9 and +4.9 us look 9.8 us apart. Their true latency is the same.
for machine in 1 2 3; do
	mkdir -p "m$machine"
	awk -v machine=$machine -v OFS='\t' 'BEGIN {
		print "run", "cpu", "source", "state", "seq", "ldist", "silent_time", "wake_latency", "intr_latency", "irqs_on", "taint", "uncertainty"
		for (i = 1; i <= 400; i++)
			print 1, 0, "ipi", 3, i, "-", "-", 49000 + (i * 7919) % 101 + (machine == 3 ? 9750 : 0), "-", 0, "-", 4900 - i % 3
	}' >"m$machine/samples.tsv"
	run_tsv "m$machine/run.tsv" hostname "m$machine" source ipi
	"$wakelat" stats -q --counts "ipi$machine.counts" "m$machine" || bail "stats --counts"
done
"$wakelat" merge -q -o ipi.counts ipi1.counts ipi2.counts ipi3.counts
rm -rf out-ipi
run "$wakelat" fleet report -o out-ipi ipi.counts
is "$status $(awk -F '\t' '$1 == "m3" && $7 == "p50" { print $9, $16, $17 }' out-ipi/fleet.tsv)" "0 58800 0.00 no" \
	"samples of +-4.9 us: a difference of 9.75 us does not count"
is "$(awk -F '\t' '$4 == "wake_latency" && $5 == "p50" { print $12 }' out-ipi/fleet-states.tsv)" 4900 "fleet-states.tsv has the largest uncertainty of the samples"
done_testing
