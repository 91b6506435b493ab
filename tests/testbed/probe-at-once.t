#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe --source wake of several CPUs, on Debian's own kernel in the virtual Xeon
# (emulated). Each event wakes all CPUs. The test computes column slowest_latency itself from the
# stamps, and compares. In the testbed the CPUs take turns and wait for each other, as they do on no
# real machine.
# needs: tools qemu image
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image

probe_job "$tmp/run" probe-at-once 3 "probe quantiles check-tables" --cpus 4
sed 's/^/# /' "$tmp/run/said"
samples=$tmp/run/three/samples.tsv

# The test sorts the samples, where wakelat keeps the latest in an array. For each event with three
# clean samples, it finds the sample that ends last, and its end.
awk -F '\t' -v OFS='\t' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["taint"] == "-" { print $at["seq"], $at["tai"], $at["ltime"], $at["cpu"], $at["slowest_latency"] }' "$samples" |
	sort -t "$(printf '\t')" -k 1,1n -k 2,2n >"$tmp/sorted"
awk -F '\t' '
	function ends() { if (n == 3) { events++; wrong += shown != last - begin || others != 0 } else wrong += others != 0 || shown != "-" }
	$1 != seq { if (NR > 1) ends(); seq = $1; n = others = 0; begin = $3 }
	n { others += shown != "-" }
	{ n++; last = $2; shown = $5; if ($3 < begin) begin = $3 }
	END { ends(); printf "%d %d\n", events, wrong }' "$tmp/sorted" >"$tmp/counted"
read -r events wrong <"$tmp/counted"
note "emulated: $events events with three clean samples"
ok "at least 200 events have three clean samples: $events" test "$events" -ge 200
is "$wrong" 0 "each such event has its slowest latency in the sample that ends last, and nowhere else"
is "$(sed -n 's/^run\.1\.events_complete\t//p' "$tmp/run/three/run.tsv")" "$events" "run.tsv: events_complete counts these events"
is "$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["slowest_latency"] != "-" && $at["slowest_latency"] < 133000' "$samples")" "" \
	"no slowest latency is shorter than C6's exit latency, 133 us"
like "$(cat "$tmp/run/said")" "events woke 3 CPUs each. $events events have an untainted sample of every CPU" "the answer says how many events have a clean sample of every CPU"
said=$(sed -n 's/^Time until the last of these CPUs is awake: \([0-9.]*\) us (median).*/\1/p' "$tmp/run/said")
is "$said" "$(cut -f 5 "$tmp/sorted" | grep -v '^-$' | sort -n | awk '{ v[NR] = $1 } END { printf "%.3f", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2000 }')" \
	"the median of the answer is that of the sorted latencies"
like "$(grep '^Time until a single' "$tmp/run/said")" '^Time until a single CPU is awake: 133[.0-9]* us \(median\), ' "the answer has the median of a single CPU"
like "$(grep '^If the CPUs' "$tmp/run/said")" '^If the CPUs were independent, the last of 3 would take: 1[345][.0-9]* us \(median\)[.]$' "the answer has the median of the last of three independent CPUs"
ok "no slowest latency is longer than 1 ms, enough for the turns of three other CPUs" \
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["slowest_latency"] != "-" && $at["slowest_latency"] > 1000000 { exit 1 }' "$samples"
ok "stats -m reads column slowest_latency" "$top/scripts/wakelat" stats -m slowest_latency "$tmp/run/three"
done_testing
