#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# TSCs with other rates than 2 cycles per ns, and launch distances down to 1 us, where an event can be less than a ns away
# from tbi. Also a TSC that jumps while a run is active: Linux finds it unstable, or nothing watches it. If KERNEL is set, boots this version.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/conditions.sh"

# Samples per rate and source; 1,000,000 in all.
samples=100000
kernel default

# At 900 MHz a cycle is longer than a ns.
for mhz in 900 2100 2700 3000 3700; do
	boot "tsc-$mhz" --set "tsc_hz=${mhz}000000" <<J
limit=2000s
try "TSC of $mhz MHz" "hrtimer tsc_deadline" C6 --ldist 1us:12us -n $samples
J
done
enough=$samples
start_boots
judge_boots
note "emulated; error = measured - injected, ns:"
note "$(cat "$tmp/conditions.tsv")"

# Every half second Linux compares the TSC with the HPET, and so notices the jump.
cat >"$tmp/jump.job" <<"J"
#!/bin/sh
cd /out || exit
wakelat record -q -o run --source hrtimer --states C6 -T 60s 2>messages
printf "%s\n" "$?" >status
read -r uptime _ </proc/uptime
printf "%s\n" "${uptime%.*}" >uptime
exit 0
J
guest_job "$tmp/jump" "$tmp/jump.job" --set tsc_step_at_ns=6000000000 --set tsc_step_ns=200000000
like "$(cat "$tmp/jump/dmesg.log")" "Marking clocksource 'tsc' as unstable" "a TSC that jumps: Linux notices it"
is "$(cat "$tmp/jump/status")" 1 "a TSC that jumps: the recording fails"
ok "a TSC that jumps ends the run within 4 s: $(cat "$tmp/jump/uptime") s after the boot" test "$(cat "$tmp/jump/uptime")" -lt 10
like "$(cat "$tmp/jump/messages")" 'the run ended early: the TSC has turned out to be unstable' "a TSC that jumps: the message says why"
is "$(sed -n 's/^run\.[0-9]*\.reason	//p' "$tmp/jump/run/run.tsv")" clock "a TSC that jumps: the reason is in run.tsv"
# The event that finds the TSC unstable ends the run. The event is counted as armed, and in no other counter.
is "$(awk -F '\t' '
	$1 ~ /^run\.[0-9]+\.cpu0\.armed$/ { left += $2 }
	$1 ~ /^run\.[0-9]+\.cpu0\.(samples|not_idle|late|limited|lost)$/ { left -= $2 }
	END { print left }' "$tmp/jump/run/run.tsv")" 1 "a TSC that jumps: the event that notices it makes no sample"
run "$top/scripts/wakelat" verdict -b 200us "$tmp/jump/run"
like "$out" 'Nothing to decide: no wake-up could be judged.
The TSC was found unstable, which ended a run.' "a TSC that jumps: verdict says so, and judges none of the samples"

# With tsc=reliable nothing notices the jump: the run goes on, and the sample of the jump is wrong and has no taint.
cat >"$tmp/unwatched.job" <<"J"
#!/bin/sh
exec wakelat record -q -o /out/run --source hrtimer --states C6 -n 2000
J
guest_job "$tmp/unwatched" "$tmp/unwatched.job" --append tsc=reliable --set tsc_step_at_ns=5003000000 --set tsc_step_ns=50000000
is "$status" 0 "a TSC that jumps and that nothing watches: the recording succeeds"
run "$top/scripts/wakelat" dump "$tmp/unwatched/run"
is "$status" 0 "a TSC that jumps and that nothing watches: dump succeeds"
# clean CONDITION: print how many samples without a taint meet the awk condition
clean() {
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["taint"] == "-" && ('"$1"') { n++ } END { print n + 0 }' "$tmp/unwatched/run/samples.tsv"
}
ok "a TSC that jumps and that nothing watches: $(clean '$column["wake_latency"] > 1e6') wrong samples have no taint, at least 1" \
	test "$(clean '$column["wake_latency"] > 1e6')" -ge 1
is "$(clean '$column["unknown"] !~ /(^|,)clock(,|$)/')" 0 \
	"a TSC that jumps and that nothing watches: each sample without a taint says that steps of the clock are not known"
done_testing
