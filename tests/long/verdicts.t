#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict on recordings made by chance, of known distributions: what it says against the truth. tests/bench/verdicts does
# it a hundred times as often.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/verdicts.sh"
build_tools
recordings=${VERDICTS:-100}
cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -o "$tmp/mkverdict" "$top/tests/fixtures/mkverdict.c" -lm ||
	bail "tests/fixtures/mkverdict.c does not build"
cd "$tmp" || exit 1

judge_recordings 1 "$recordings" "$tmp" >judged 2>said
is "$(cat said)" "" "not a word on stderr"
like "$(wc -l <judged)" '^[ 0-9]{3,}$' "there is something to judge"
count_judged <judged >counted
sed 's/^/# /' counted

# rows WHAT...: samples judged, of those wrong
rows() {
	awk -F '\t' -v what=" $* " 'index(what, " " $1 " ") { n += $3; wrong += $7 } END { print n + 0, wrong + 0 }' counted
}
# Each verdict errs with 5 % at most: of so many, with one chance in 10,000 more than the mean and four standard deviations.
few() {
	[ "$1" -gt 0 ] && awk -v n="$1" -v wrong="$2" 'BEGIN { exit !(wrong <= 0.05 * n + 4 * sqrt(0.05 * 0.95 * n)) }'
}
words "$(rows advertised budget)" ok "verdicts: wrong in 5 % at most ($(rows advertised budget))" few
words "$(rows limit)" ok "limits that let through what takes longer: 5 % at most ($(rows limit))" few
is "$(awk -F '\t' '$2 == "far" && $7 > 0' counted)" "" "far from the limit, none is wrong"
is "$(grep -c '^table	accepted' counted)$(grep '^table	refused' judged)" 1 "each table is one that the kernel takes"
is "$(grep -E '^(paste|status|recording)' judged)" "" "what is pasted is the limit, and the status is the verdict's"
is "$(awk -F '\t' '$1 == "budget" { n += $4 + $5 } END { print (n > 50) }' counted)" 1 "and many are decided"

# A checker that finds nothing wrong proves nothing.
wrong_table() {
	printf 'intel_idle.table=%s\n' "$1" >wrong
	printf 'state.%s\n' '0.name	POLL' '0.latency_ns	0' '0.residency_ns	0' '1.name	C1' '1.latency_ns	2000' '1.residency_ns	2000' \
		'2.name	C6' '2.latency_ns	133000' '2.residency_ns	600000' >wrong-run
	awk -F '\t' -f "$top/tests/lib/intel-idle.awk" wrong-run wrong
}
is "$(wrong_table C1:2:2,C6:133:600)" "" "a good table"
for bad in C1:13:13,C6:13:20 C1:0:2 C6:5001:5001 C6:133:100001 C6:133:132 C6:2:600 C1:3:600 C7:1:1 C1:1 C1:1:x; do
	is "$(wrong_table "$bad" | wc -l)" 1 "a bad one is found: $bad"
done
done_testing
