#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A deep idle state empties the caches, so that the next entry takes 20 us in this model, and 150 us in another. An event that
# comes during the entry finds the CPU not yet asleep, long after the stamp before idle. Each such sample must have a
# taint. Without MPERF the kernel cannot know, and says so in each sample.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/conditions.sh"

kernel default
boot cold --set C6.cold_ns=20000 <<"J"
try "an entry of 20 us after C6" "hrtimer tsc_deadline" C6 --ldist 1us:60us
J
boot cold-long --set C6.cold_ns=150000 <<"J"
try "an entry of 150 us after C6" "hrtimer tsc_deadline" C6 --ldist 1us:400us
J
start_boots
judge_boots
note "emulated; error = measured - injected, ns:"
note "$(cat "$tmp/conditions.tsv")"
for recording in cold/1/5000 cold/2/5000 cold-long/1/100000 cold-long/2/100000; do
	least=${recording##*/}
	awk -F '\t' -v least="$least" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["taint"] ~ /no_sleep/ && $at["silent_time"] > least' "$tmp/boots/${recording%/*}/samples.tsv" >"$tmp/late"
	ok "${recording%/*}: $(wc -l <"$tmp/late") events over $least ns after the stamp are tainted no_sleep, at least 100" \
		test "$(wc -l <"$tmp/late")" -ge 100
done

cat >"$tmp/no-mperf.job" <<"J"
#!/bin/sh
wakelat record -q -o /out/run --source hrtimer --states C6 --ldist 1us:100us --samples 1000
J
guest_job "$tmp/no-mperf" "$tmp/no-mperf.job" --set C6.cold_ns=40000 --set "msr_faults=0/0xe7"
run "$top/scripts/wakelat" dump "$tmp/no-mperf/run"
is "$status" 0 "no MPERF: the samples can be read"
ok "no MPERF, an entry of 40 us: each sample says that it is not known whether the CPU slept" awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["unknown"] !~ /(^|,)sleep(,|$)/ { other++ }
	$at["taint"] == "-" { clean++ }
	END { print clean + 0 " clean samples, " other + 0 " do not say it"; exit !clean || other }' "$tmp/no-mperf/run/samples.tsv"
done_testing
