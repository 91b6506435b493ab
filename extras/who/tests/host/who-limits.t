#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# How often the true saving lies in the interval that who-limits.awk gives, where a program has no wake-ups in the state that remains.
# needs: nothing
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
limits_awk=$top/extras/who/who-limits.awk
cd "$tmp" || exit 1

printf '%s\t%s\n' key value state.0.name POLL state.0.latency_ns 0 state.0.disabled 0 state.1.name C1 state.1.latency_ns 2000 state.1.disabled 0 \
	state.2.name C6 state.2.latency_ns 133000 state.2.disabled 0 >run.tsv

# Each case has eight programs. Their mean waits in C1 are log-normal (median 10 us, sigma 0.8), and single waits vary by a fifth. Seven
# programs have 3 to 200 waits in C1 (normal). The eighth has WAITS in C6, which take 100 us more. $case.who has who.tsv, $case.true its saving in C1.
made() {
	awk -v waits="$1" -v cases="$2" '
		function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307 * rand()) }
		function draw(mean, sd, n,  i, x) { sum = square = 0; for (i = 0; i < n; i++) { x = mean + sd * normal(); sum += x; square += x * x } }
		function row(name, state, n) {
			printf "%s\t-\t%s\t%d\t0\t%.0f\t0\t0\t-\t0\t%.0f\t0\t0\n", name, state, n, sum, sqrt(square / n - sum * sum / n / n) >file
		}
		BEGIN {
			srand(1)
			split("3 10 40 200", size, " ")
			for (c = 1; c <= cases; c++) {
				file = c ".who"
				print "group\tid\twhere\tn\ttimers\twait\tto_run\twait_p50\twait_p99\twait_max\twait_sd\tsteal\tsteal_clipped" >file
				for (g = 1; g <= 7; g++) {
					mean = 10000 * exp(0.8 * normal())
					n = size[1 + int(4 * rand())]
					draw(mean, mean / 5, n)
					row("other" g, "C1", n)
				}
				mean = 10000 * exp(0.8 * normal())
				draw(mean + 100000, 2000, waits)
				row("measured", "C6", waits)
				saving = sum
				draw(mean, mean / 5, waits)
				printf "%.0f\n", saving - sum >(c ".true")
				close(file)
				close(c ".true")
			}
		}'
}

# covered CASES: print how many of the intervals contain the true saving
covered() {
	for case in $(seq "$1"); do
		awk -F '\t' -v limit=2 -f "$limits_awk" run.tsv "$case.who" |
			awk -F '\t' -v true="$(cat "$case.true")" '$1 == "measured" { print ($6 <= true && true <= $7) }'
	done | awk '{ n += $1 } END { print n + 0 }'
}

for waits in 100 5000; do
	made "$waits" 100
	n=$(covered 100)
	note "$waits waits: $n of 100 intervals contain the true saving"
	ok "$waits waits: at least 88 of 100 intervals of 95 % contain the true saving" test "$n" -ge 88
done
done_testing
