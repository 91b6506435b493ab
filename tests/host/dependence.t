#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The test of whether samples depend on each other, and how many independent ones they are worth (tools/analyse/dependence.h).
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
cd "$tmp" || exit 1
effective=$top/tools/bin/effective

# series N FROM-TO...: N samples, 1 in these places, else 0
series() {
	series_n=$1
	shift
	seq "$series_n" | awk -v at="$*" '
		BEGIN { n = split(at, range, " "); for (i = 1; i <= n; i++) { split(range[i], end, "-"); from[i] = end[1]; to[i] = end[2] } }
		{ long = 0; for (i = 1; i <= n; i++) long = long || ($1 >= from[i] && $1 <= to[i]); print long }'
}

# of N FROM-TO...: effective_n, p, drift_p, unknown of such a series, above 0
of() {
	series "$@" >of.txt && "$effective" -l 0 of.txt | sed 1d | cut -f 2- | tr '\t' ' '
}

# 16 of the choose(20, 5) = 15504 ways to place five samples are one run; three tests.
is "$(of 20 5-9 | cut -d ' ' -f 2)" 0.0031 "five of 20 in one run: 3 x 16 / 15504"
is "$(of 20 1-1 5-5 9-9 13-13 17-17)" "20 1 - no" "five of 20, each alone: independent"
is "$(of 20 1-4 9-20 | cut -d ' ' -f 2)" "$(of 20 5-8 | cut -d ' ' -f 2)" "samples above and samples not above count alike"
is "$(of 20 3-3)" "20 - - no" "one sample above says nothing"
is "$(of 20 21-21)" "20 - - no" "no sample above says nothing"
is "$(of 1000 1-1000)" "1000 - - no" "all samples above say nothing"
is "$(: | "$effective" -l 0 | sed 1d | tr '\t' ' ')" "0 0 - - no" "no sample at all"
is "$(of 10000 3000-3009 8000-8009)" "1199 7.04e-53 - yes" "20 of 10,000 in two runs of ten: an eighth of them, and unknown"
# Runs of ten, a hundred of them.
is "$(seq 10000 | awk '{ print int($1 / 10) % 10 == int($1 / 100) * 7 % 10 }' | "$effective" -l 0 | sed 1d | cut -f 5)" no \
	"a hundred runs of ten: enough to know how many they are worth"
is "$(of 10000 1-5000 | cut -d ' ' -f 3)" 0 "all of the first half above: drift"

# The same seed each time; the rates that dependence.h states, with four standard deviations: of 2,000 series, 0.01 and 0.001.
cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$top/tools/analyse" -I"$top/tools/lib" -o rates "$top/tests/fixtures/dependence-rates.c" \
	"$top/tools/analyse/analyse.a" "$top/tools/lib/lib.a" -lm ||
	bail "tests/fixtures/dependence-rates.c does not build"
# rate KIND N PART: of 2,000 series, how many are widened, and how many are in doubt
rate() {
	./rates "$1" "$2" "$3" 2000
}
below() {
	[ "$1" -le "$3" ] && [ "$2" -le "$4" ]
}
for kind in iid ties discrete; do
	for n_part in 100:500 1000:990 10000:999; do
		rates=$(rate "$kind" "${n_part%:*}" "${n_part#*:}")
		words "$rates 37 8" ok "$kind, N and per mille $n_part: 1 % are widened at most, 0.1 % in doubt ($rates)" below
	done
done
least() {
	[ "$1" -ge 1990 ]
}
for kind in ar0.5 ar0.9 ar0.99; do
	words "$(rate $kind 1000 500)" ok "$kind: dependence is seen" least
done
words "$(rate burst 10000 990)" ok "bursts: dependence is seen" least

refused "usage: effective" "no limit and no percentile" "$effective" of.txt
refused "usage: effective" "limit and percentile" "$effective" -l 0 -p 50 of.txt
refused "of.txt:1: not an integer" "no integers" sh -c "echo x >of.txt; '$effective' -l 0 of.txt"
refused "nowhere: No such file" "no file" "$effective" -l 0 nowhere
done_testing
