#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel's own selftest of wakelat, in our QEMU and in Debian's. No test fails, each skipped test has the right
# reason, and the selftest restores all settings, however it ends.
# needs: qemu source kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/selftest.sh"

take_selftest "$tmp/selftests"

# selftest WHERE OWN-RUN TESTBED-OPTION...: boot, and check the selftest. A run with the job's own settings must give the
# result OWN-RUN. Set $skipped to the reasons of skipped tests, one a line, each once.
selftest() {
	where=$1
	own_run=$2
	shift 2
	run "$top/testbed/run" "$@" --add "$tmp/selftests" --out "$tmp/$where" "$top/tests/guest/selftest.job"
	is "$status" 0 "$where: the job ends"
	is "$(cat "$tmp/$where/tap.status")" 0 "$where: the selftest passes"
	unlike "$(cat "$tmp/$where/tap")" '^not ok|^Bail' "$where: no test fails"
	is "$(cat "$tmp/$where/tap.err")" "" "$where: the selftest prints nothing to stderr"
	is "$(grep -c '^ok' "$tmp/$where/tap")" "$(sed -n 's/^1\.\.//p' "$tmp/$where/tap")" "$where: as many tests pass as are planned"
	skipped=$(sed -n 's/^# skipped: //p' "$tmp/$where/tap" | sort -u)
	like "$(cat "$tmp/$where/before")" "^a run of this job: $own_run$" \
		"$where: before the selftest, a run with the job's own settings gives the expected result"
	same "$tmp/$where/before" "$tmp/$where/after" "$where: the selftest restores all settings"
	like "$(cat "$tmp/$where/second")" '^1\.\.0 # SKIP (a run is active$|.*wakelat_selftest exists: another test runs)' \
		"$where: a second selftest at the same time is skipped"
	is "$(tail -n 1 "$tmp/$where/second")" 4 "$where: the second selftest exits with status 4, skipped"
	is "$(cat "$tmp/$where/first.status")" 143 "$where: SIGTERM ends a selftest with status 143"
	same "$tmp/$where/before" "$tmp/$where/killed" "$where: a selftest that SIGTERM ended restores all settings"
}

selftest ours "samples, CPU 0 has 77 clean samples"
like "$(cat "$tmp/ours/tap")" '^ok [0-9]+ source tsc_deadline yields consistent samples$' \
	"ours: tsc_deadline gives consistent samples"
like "$(cat "$tmp/ours/tap")" '^ok [0-9]+ source hrtimer yields consistent samples$' "ours: hrtimer gives consistent samples"
like "$(cat "$tmp/ours/tap")" '^ok [0-9]+ source passive yields consistent samples$' "ours: passive gives consistent samples"
like "$(cat "$tmp/ours/tap")" '^ok [0-9]+ cpuidle-artificial gives way to another driver$' "ours: the artificial driver gives way"
is "$(printf '%s\n' "$skipped" | grep -v 'no card is bound to wakelat_i210\|there is no other CPU\|CPU 0 cannot go')" "there is a cpuidle driver: intel_idle" \
	"ours: the test of artificial states is skipped, because intel_idle is in use"

selftest stock refused --qemu stock
like "$(cat "$tmp/stock/tap")" '^ok [0-9]+ source hrtimer yields consistent samples$' "stock: hrtimer gives consistent samples"
is "$(grep -c '^ok [0-9]* state A[1-4]: measured is what is set *$' "$tmp/stock/tap")" 4 \
	"stock: the measured latencies of four artificial states are those that are set"
is "$(printf '%s\n' "$skipped" | grep -v 'no card is bound to wakelat_i210\|there is no other CPU\|CPU 0 cannot go')" "the CPU has no TSC-deadline timer
there is none" "stock: the tests of tsc_deadline and of giving way to another driver are skipped"

# SIGTERM comes while CPU 1 goes offline.
cat >"$tmp/offline.job" <<'J'
sh /selftests/wakelat/wakelat_test.sh >/out/tap 2>&1 &
while read -r online </sys/devices/system/cpu/online && [ "$online" != 0 ]; do
	[ -d "/proc/$!" ] || break
done
kill $!
wait $!
echo "$?, CPUs $(cat /sys/devices/system/cpu/online), $(sed -n 's/^state //p' /sys/kernel/tracing/wakelat/status)" >/out/after
exit 0
J
run "$top/testbed/run" --cpus 2 --add "$tmp/selftests" --out "$tmp/offline" "$tmp/offline.job"
is "$status" 0 "SIGTERM while a CPU goes offline: the job ends"
unlike "$(cat "$tmp/offline/tap")" 'goes offline' "SIGTERM while a CPU goes offline: it comes before that test ends"
is "$(cat "$tmp/offline/after")" "143, CPUs 0-1, idle" "SIGTERM while a CPU goes offline: the CPU is online again, no run is left"
done_testing
