#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The thesis's experiment with few samples (by testbed/run): the results are within the truth log's bounds, complete,
# and the same each time.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"

make=$top/results/thesis-emulated/make

# results DIR: measure two combinations; Skylake's C1 is entered with interrupts on
results() {
	"$make" --per-step 3 --jobs 1 --only broadwell-C6,skylake-C1 --out "$1" --recordings "$1.recordings"
}

refused 'no such option|unknown option --nothing' "refused: an unknown option" "$make" --nothing
refused 'there is no broadwell-C7$' "refused: a state that the CPU does not have" "$make" --only broadwell-C7
refused 'there is no skylake-C3$' "refused: C3 of Skylake, which the thesis does not have either" \
	"$make" --only broadwell-C6,skylake-C3
refused 'not a number' "refused: 0 samples per step" "$make" --per-step 0
refused '\-\-jobs needs a value' "refused: an option without its value" "$make" --jobs

ok "make measures two combinations" results "$tmp/a"
note "$out"
like "$out" '^Table 6: .*\(emulated\)$' "the title of table 6 says emulated"
like "$out" '^broadwell +81642 +133000 .* yes$' \
	"Broadwell C6: the row has the latencies of the thesis and the driver, and is within the bound"
like "$out" '^skylake +15471 +2000 .*\* .* yes$' "Skylake C1: the row is marked as an interrupt latency, and is within the bound"
like "$out" '^C6 +74895 / [0-9]+ +-$' "table 10 has the thesis's second value"
is "$(awk -F '\t' 'NR > 1 { print $2 "-" $3, $12 }' "$tmp/a/tables.tsv" | paste -sd , -)" "broadwell-C6 105,skylake-C1 105" \
	"each combination has 35 steps of 3 samples"
is "$(find "$tmp/a/figures" -name '*.png' | wc -l)" 3 "there is a figure for each combination, and figure 4"

ok "make measures the two combinations again" results "$tmp/b"
same "$tmp/a/tables.tsv" "$tmp/b/tables.tsv" "the second measurement gives the same tables"
same "$tmp/a/provenance.tsv" "$tmp/b/provenance.tsv" "the second measurement has the same provenance"

# Lower the maxima of the truth log, so that a measured maximum exceeds them. The table must say no.
awk -F '\t' -v OFS='\t' 'NR > 1 { $8 -= 1000 } { print }' "$tmp/a.recordings/broadwell-C6/measured.tsv" >"$tmp/low.tsv"
like "$(awk -F '\t' -v OFS='\t' -f "${make%/*}/tables.awk" "${make%/*}/thesis.tsv" "$tmp/low.tsv")" '	no$' \
	"the table says no for a maximum above that of the truth log"
done_testing
