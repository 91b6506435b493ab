#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# results/kvm-guest: the table of who is made from the committed counts, and the README has its numbers.
# needs: nothing
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
set=$top/results/kvm-guest
data=$top/extras/who/kvm-guest
cd "$data" || exit 1
awk -F '\t' -v note=" (guest: contains the hypervisor's latency)" -f "$top/scripts/lib/common/us.awk" -f "$top/extras/who/who-table.awk" \
	run.tsv who.tsv worst.tsv limits.tsv >"$tmp/who.txt"
same "$tmp/who.txt" "$set/who.txt" "who.txt is the committed one"
words_of() { tr -s '\n ' ' ' <"$1"; }
like "$(words_of "$set/README.md")" "$(awk -F '\t' '$3 == "default idle" && $1 == "nginx" { printf "Of %d waits of nginx for a sleeping CPU the median is %.1f us, the longest %.1f", $4, $8 / 1000, $10 / 1000 }' \
	"$data/who.tsv")" "the README has nginx's number of waits, median and maximum"
like "$(words_of "$set/README.md")" "$(sed -n 's/^nginx waits \([0-9.]*\) % of the time.*/nginx waits \1 % of the time for its CPU to wake up/p' "$set/who.txt")" "the README has the share of time that nginx waits"
like "$(words_of "$set/README.md")" "$(sed -n 's/^\([0-9.]*\) % of the waiting time is the host.*/of all these waits \1 % are the host/p' "$set/who.txt")" "the README has the host's share of all waits"
like "$(words_of "$set/README.md")" "$(awk -F '\t' '$1 == "bpf_ns_per_period" { printf "%.1f us per idle period", $2 / 1000 }' "$data/run.tsv")" "the README has the cost of measuring"
done_testing
