#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Source i210: compares each sample with its own line of the truth log. Adds its rows to out/check/errors.tsv.
# i210-experiments.t tests conditions that change the latencies themselves.
#
# The bound of a sample is half of its own bracket (the time between the two reads of the TSC around a read of the card's
# clock), plus the 8 ns of the clock's step.
# The model has the thesis's figures: a latch takes 1.3 us, a read 2.6 us, the interrupt comes 1.8 us after the
# event in the card, and the exit from C6 takes 133 us.
# If RUNS is set, makes only the runs whose names match this regular expression.
# needs: tools qemu kernel:default
# tier: first WAKELAT_SAMPLES=1000 RUNS=i210
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/errors.sh"

# 100,000 events, or as many samples of each state as WAKELAT_SAMPLES says.
samples=${WAKELAT_SAMPLES:-34000}
events=${WAKELAT_SAMPLES:+$((3 * samples))}
: "${events:=100000}"
fewer=$((samples < 10000 ? samples : 10000))
thesis='--intr-offset 1800ns --each-state --states C1,C1E,C6 --ldist 50us:8ms'

# wanted NAME: succeed if RUNS allows this run
wanted() {
	printf '%s\n' "$1" | grep -qxE "${RUNS:-.*}"
}

# record NAME OPTIONS [TESTBED-OPTION...]: record with OPTIONS, and add the errors to errors.tsv
record() {
	record_name=$1
	printf '%s\n' "$2" >"$tmp/options"
	shift 2
	measure "$record_name" "$top/tests/guest/i210-record.job" --model skylake-sp-i210 \
		--add "$tmp/options=/options" "$@"
}

# judge NAME N: check the errors of a run with N samples of each state
judge() {
	is "$(field "$1" C1 metric)" intr_latency "$1 C1: entered with interrupts on"
	within "$1" C1 median_ns 0 2000
	for state in C1E C6; do
		within "$1" "$state" n "$2" "$2"
		is "$(field "$1" "$state" beyond)" 0 "$1 $state: each sample is within its own bound"
		within "$1" "$state" median_ns -50 50
		within "$1" "$state" silent_median_ns -50 200
	done
}

# fact NAME KEY: print the sum of the values of all keys of run.tsv that match the regular expression KEY.
# KEY is passed in the environment, because -v would expand backslashes.
fact() {
	KEY="^$2\$" awk -F '\t' '$1 ~ ENVIRON["KEY"] { sum += $2 } END { print sum + 0 }' "$tmp/$1/run/run.tsv"
}

# range NAME STATE COLUMN: print minimum and maximum of the untainted samples
range() {
	awk -F '\t' -v state="$2" -v name="$3" '
	FILENAME ~ /run\.tsv$/ { if ($1 ~ /^state\.[0-9]+\.name$/ && $2 == state) { split($1, part, "."); index_of = part[2] }; next }
	FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$column["state"] == index_of && $column["taint"] == "-" {
		value = $column[name] + 0
		if (!n++ || value < least) least = value
		if (n == 1 || value > most) most = value
	}
	END { print least + 0, most + 0 }' "$tmp/$1/run/run.tsv" "$tmp/$1/run/samples.tsv"
}

# range_in NAME STATE COLUMN LOW HIGH: check that the untainted samples are in this range
range_in() {
	set -- "$@" "$(range "$1" "$2" "$3")"
	ok "$1 $2: $3 from ${6% *} to ${6#* } in [$4, $5]" test "${6% *}" -ge "$4" -a "${6#* }" -le "$5"
}

# --- the thesis's definition

record i210 "$thesis --samples $samples"
judge i210 "$samples"
armed=$(fact i210 'run\.[0-9]*\.cpu0\.armed')
ok "i210: $armed events were armed, at least $events" test "$armed" -ge "$events"
is "$(fact i210 'run\.[0-9]*\.cpu0\.lost')" 0 "i210: no event was lost"
range_in i210 C6 wake_latency 132338 133662
range_in i210 C6 wake_latency_gross 135400 135700
range_in i210 C6 tai_latch 1300 1320
# tbi_latch and tai_latch are the brackets of each sample's own two readings of the card's clock.
for state in C1E C6; do
	range_in i210 $state tbi_latch 1300 1340
	range_in i210 $state tai_latch 1300 1340
done

if wanted i210-launch; then
	record i210-launch "$thesis --samples 2000 --setting method=launch --counters package"
	judge i210-launch 2000
	range_in i210-launch C6 wake_latency 132338 133662
	range_in i210-launch C6 wake_latency_gross 135400 135700
	range_in i210-launch C6 dma 0 0
	range_in i210-launch C1E dma 1290 1350
	range_in i210-launch C1E wake_latency 9338 10662
fi

# --- a card's clock with a wrong rate, and reads that take longer in one direction

for ppm in +50 -50; do
	wanted "i210${ppm}ppm" || continue
	ppb=${ppm#+}000
	record "i210${ppm}ppm" "$thesis --samples $fewer" --set "nic.clock_ppb=$ppb"
	judge "i210${ppm}ppm" "$fewer"
	measured=$(fact "i210${ppm}ppm" 'run\.3\.nic\.clock_ppb')
	ok "i210${ppm}ppm: the clock's error is measured as $measured ppb, right within 1000 ppb" \
		test "$measured" -ge $((ppb - 1000)) -a "$measured" -le $((ppb + 1000))
done

if wanted i210-skew; then
	record i210-skew "$thesis --samples 500" --set nic.read_latch_ns=1900 --set nic.read_return_ns=700
	for state in C1E C6; do
		is "$(field i210-skew $state beyond)" 0 "i210-skew $state: each sample is within its own bound"
		within i210-skew $state median_ns 580 640
	done
fi

publish_errors
done_testing
