#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat import reads the events that perf and trace-cmd of Debian 12, 13 and sid print. The fixtures' README says how they were made.
# The right values are the latencies that the virtual Xeon injects.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
formats=$top/extras/import-more/tests/fixtures/formats

# injected FILE: import a text of events, and check that each wake latency is the injected one and at most 1 us of the recording
injected() {
	rm -rf d
	ok "$1: import" "$wakelat" import -q -o d "$formats/$1"
	is "$(awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; split("2000 10000 133000", injected, " "); next }
		{
			latency = $at[$at["irqs_on"] ? "intr_latency" : "wake_latency"]
			n++
			if (latency < injected[$at["state"]] || latency > injected[$at["state"]] + 1500)
				print $at["state"], latency
		}
		END { if (n < 3) print n " samples" }' d/samples.tsv)" "" "$1: each latency is the injected one, plus at most 1.5 us"
}
for release in bookworm trixie sid; do
	injected "perf-$release.txt"
	injected "trace-cmd-$release.txt"
	cat "$formats/perf-$release.txt" "$formats/perf-lost-$release.txt" >lost.txt
	rm -rf d
	ok "perf of $release with lost events: import" "$wakelat" import -q -o d lost.txt
	is "$(sed -n 's/^lost_overrun	//p' d/run.tsv)" "$(awk '{ n += $NF } END { print n }' "$formats/perf-lost-$release.txt")" \
		"perf of $release: the number of lost events"
done
injected trace-6.12.txt
is "$(sed -n 's/^lost_overrun	//p' d/run.tsv)" 0 "the kernel's trace file says that no event was lost"
sed '3s:42/42:42/50:' "$formats/trace-6.12.txt" >overwritten.txt
"$wakelat" import -q -o over overwritten.txt
is "$(sed -n 's/^lost_overrun	//p' over/run.tsv)" 8 "the kernel's trace file says that events were overwritten"
awk '/state=4294967295/ && !n++ { print "CPU:0 [EVENTS DROPPED]" } { print }' "$formats/trace-cmd-sid.txt" >dropped.txt
"$wakelat" import -q -o dropped dropped.txt
like "$(cat dropped/run.tsv)" '^caveat	events were lost while recording; the text does not say how many' "trace-cmd: dropped events without a number"
is "$(sed -n 's/^cut_periods	//p' dropped/run.tsv)" 1 "trace-cmd: the period in which events were dropped is no sample"
done_testing
