#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# results/kvm-guest: the committed tables can be reproduced from the samples, and the README has their numbers.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
set=$top/results/kvm-guest
command -v gnuplot >/dev/null || skip_all "gnuplot is missing"

ok "results/kvm-guest/make succeeds" "$set/make" "$tmp/made"
same "$tmp/made/summary.tsv" "$set/summary.tsv" "summary.tsv is the committed one"
for recording in timer passive wake; do
	same "$tmp/made/$recording-halting/stats.tsv" "$set/$recording-halting/stats.tsv" "$recording: stats.tsv is the committed one"
done
is "$(sed -n '/^| source | N/,/^$/p' "$set/README.md" | sed '1,2d; s/^| //; s/ |$//; s/ | /\t/g; /^$/d')" \
	"$(sed 1d "$set/summary.tsv" | cut -f 1,5-)" "the README has the numbers of summary.tsv"
is "$(awk -F '\t' 'NR > 1 { n += $5 } END { print n }' "$set/summary.tsv")" \
	"$(sed -n 's/.*three sources, \([0-9,]*\) wake-ups.*/\1/p' "$top/results/README.md" | tr -d ,)" "results/README.md has the number of wake-ups"
like "$(cat "$set"/*/stats.txt)" "^Latency from idle states \(guest: contains the hypervisor's latency\)" "stats.txt says that it contains the hypervisor's latency"
unlike "$(cat "$set"/data/*/run.tsv)" '^(hostname|cmdline)' "run.tsv has neither hostname nor command line"
done_testing
