#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# tools/analyse/dependence.h: finds samples that depend on each other, and how many independent samples they are worth.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
cd "$tmp" || exit 1
effective=$top/tools/bin/effective-n

# series N FROM-TO...: print N samples, 1 in these places, 0 elsewhere
series() {
	series_n=$1
	shift
	seq "$series_n" | awk -v at="$*" '
		BEGIN { n = split(at, range, " "); for (i = 1; i <= n; i++) { split(range[i], end, "-"); from[i] = end[1]; to[i] = end[2] } }
		{ long = 0; for (i = 1; i <= n; i++) long = long || ($1 >= from[i] && $1 <= to[i]); print long }'
}

# of N FROM-TO...: print effective_n, p, drift_p and unknown of such a series for the threshold 0
of() {
	series "$@" >of.txt && "$effective" -l 0 of.txt | sed 1d | cut -f 2- | tr '\t' ' '
}

# Five samples can be placed in choose(20, 5) = 15504 ways, of which 16 are one run. The p-value is multiplied by 3, the number
# of tests.
is "$(of 20 5-9 | cut -d ' ' -f 2)" 0.0031 "five of 20 in one run: p is 3 x 16 / 15504"
is "$(of 20 1-1 5-5 9-9 13-13 17-17)" "20 1 - no" "five of 20, each alone: all 20 count as independent"
is "$(of 20 1-4 9-20 | cut -d ' ' -f 2)" "$(of 20 5-8 | cut -d ' ' -f 2)" \
	"a run of samples that are not above counts like a run of samples above"
is "$(of 20 3-3)" "20 - - no" "one sample above: no p-value"
is "$(of 20 21-21)" "20 - - no" "no sample above: no p-value"
is "$(of 1000 1-1000)" "1000 - - no" "all samples above: no p-value"
is "$(: | "$effective" -l 0 | sed 1d | tr '\t' ' ')" "0 0 - - no" "no samples: no p-value"
is "$(of 10000 3000-3009 8000-8009)" "1187 7.04e-53 - yes" \
	"20 of 10,000 in two runs of ten: they count as an eighth, and this is marked as uncertain"
# A hundred runs of ten
is "$(seq 10000 | awk '{ print int($1 / 10) % 10 == int($1 / 100) * 7 % 10 }' | "$effective" -l 0 | sed 1d | cut -f 5)" no \
	"a hundred runs of ten: the effective number is not marked as uncertain"
is "$(of 10000 1-5000 | cut -d ' ' -f 3)" 0 "all samples of the first half above: drift is found"

# A sawtooth with a period of 31: 15 samples in a row are above the threshold, then 16 are not. Each 31 samples have the same number
# above, so the share is known better than from independent samples.
for limit in 10070 10075 10088; do
	is "$(seq 2996 | awk '{ print 10060 + $1 % 31 }' | "$effective" -l $limit | sed 1d | cut -f 2,3,5)" "2996	1	no" \
		"a sawtooth with a period of 31, threshold $limit: all samples count as independent"
done
# The same sawtooth with a level that changes every 300 samples: these clusters do not compensate each other.
like "$(seq 2996 | awk '{ print $1 % 31 + 40 * (int($1 / 300) * 7 % 10 < 3) }' | "$effective" -l 45 | sed 1d | cut -f 2,3,5)" \
	'^[0-9]{1,2}	(0|.*e-.*)	yes$' "a sawtooth whose level changes every 300 samples: few samples count as independent, with a doubt"

# The bounds 37 and 8 are the rates that dependence.h states, 0.01 and 0.001 of 2,000 series, plus four standard deviations.
# The seed is always the same.
cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$top/tools/analyse" -I"$top/tools/lib" -o rates "$top/tests/fixtures/dependence-rates.c" \
	"$top/tools/analyse/analyse.a" "$top/tools/lib/lib.a" -lm ||
	bail "tests/fixtures/dependence-rates.c does not build"
below() {
	[ "$1" -le 37 ] && [ "$2" -le 8 ]
}
for kind in iid ties discrete; do
	for n_percent in 100:50 1000:99 10000:99.9; do
		rates=$(./rates "$kind" "${n_percent%:*}" "${n_percent#*:}" 2000)
		words "$rates" ok "$kind, N:percentile $n_percent: at most 1 % are widened, 0.1 % in doubt ($rates)" below
	done
done
least() {
	[ "$1" -ge 1990 ]
}
for kind in ar0.5 ar0.9 ar0.99; do
	words "$(./rates $kind 1000 50 2000)" ok "$kind: dependence is found" least
done
words "$(./rates burst 10000 99 2000)" ok "bursts: dependence is found" least

# Episodes of which a recording has five or more on average, and samples that are never forgotten. 26 is 5 % of 300 and three
# standard deviations. Each budget is the hardest: the true percentile, and 1 ns less.
rare() {
	[ "$3" -le 26 ] && [ "$4" -le 26 ]
}
while read -r kind n percentile; do
	rates=$(./rates "$kind" "$n" "$percentile" 300)
	words "$rates" ok "$kind, N = $n, p$percentile: at most 5 % are kept or exceeded wrongly and without a doubt ($rates)" rare
done <<END
burst 5000 50
episode10-1 5000 50
episode10-1 10000 99
episode50-10 5000 50
episode50-10 10000 99
episode200-10 10000 99
long0.6 10000 99
long0.75 5000 50
long0.75 10000 99
long0.9 5000 50
long0.9 10000 99
END

refused "usage: effective-n" "effective-n refuses to run without a limit or a percentile" "$effective" of.txt
refused "usage: effective-n" "effective-n refuses a limit together with a percentile" "$effective" -l 0 -p 50 of.txt
refused "of.txt:1: not an integer" "effective-n refuses a text instead of integers" sh -c "echo x >of.txt; '$effective' -l 0 of.txt"
refused "nowhere: No such file" "effective-n refuses a file that does not exist" "$effective" -l 0 nowhere
done_testing
