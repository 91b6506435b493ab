#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The thesis's experiment with few samples (by testbed/run): inside the truth log's bounds, the same each time, all
# that was asked for.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"

make=$top/results/thesis-emulated/make

# results DIR: two combinations, of which one enters its state with interrupts on
results() {
	"$make" --per-step 3 --jobs 1 --only broadwell-C6,skylake-C1 --out "$1" --recordings "$1.recordings"
}

refused 'no such option|unknown option --nothing' "refused: an unknown option" "$make" --nothing
refused 'there is no broadwell-C7$' "refused: a state that the CPU has not" "$make" --only broadwell-C7
refused 'there is no skylake-C3$' "refused: C3 of Skylake, which the thesis has not either" "$make" --only broadwell-C6,skylake-C3
refused 'not a number' "refused: no samples" "$make" --per-step 0
refused '\-\-jobs needs a value' "refused: an option without its value" "$make" --jobs

ok "two combinations" results "$tmp/a"
note "$out"
like "$out" '^Table 6: .*\(emulated\)$' "the table says emulated"
like "$out" '^broadwell +81642 +133000 .* yes$' "Broadwell C6: thesis's and advertised latency, within the bound"
like "$out" '^skylake +15471 +2000 .*\* .* yes$' "Skylake C1: an interrupt latency, within the bound"
like "$out" '^C6 +74895 / [0-9]+ +-$' "table 10 has the thesis's other value"
is "$(awk -F '\t' 'NR > 1 { print $2 "-" $3, $12 }' "$tmp/a/tables.tsv" | paste -sd , -)" "broadwell-C6 105,skylake-C1 105" \
	"35 steps of 3 samples each"
is "$(find "$tmp/a/figures" -name '*.png' | wc -l)" 3 "a figure of the appendix each, and figure 4"

ok "again" results "$tmp/b"
same "$tmp/a/tables.tsv" "$tmp/b/tables.tsv" "the same tables"
same "$tmp/a/provenance.tsv" "$tmp/b/provenance.tsv" "from the same samples"

# A truth log in which nothing took that long: the tables must say no.
awk -F '\t' -v OFS='\t' 'NR > 1 { $8 -= 1000 } { print }' "$tmp/a.recordings/broadwell-C6/measured.tsv" >"$tmp/low.tsv"
like "$(awk -F '\t' -v OFS='\t' -f "${make%/*}/tables.awk" "${make%/*}/thesis.tsv" "$tmp/low.tsv")" '	no$' \
	"a maximum beyond the truth log's is found out"
done_testing
