#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel's own selftest of wakelat, in our QEMU and in Debian's: all of it passes, what is skipped is skipped for its reason,
# and nothing is left of it, however it ends.
# needs: qemu source kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/selftest.sh"

take_selftest "$tmp/selftests"

# selftest WHERE OWN-RUN TESTBED-OPTION...: OWN-RUN is what a run of the job says; $skipped are the reasons, one a line, each once
selftest() {
	where=$1
	own_run=$2
	shift 2
	run "$top/testbed/run" "$@" --add "$tmp/selftests" --out "$tmp/$where" "$top/tests/guest/selftest.job"
	is "$status" 0 "$where: the job ends"
	is "$(cat "$tmp/$where/tap.status")" 0 "$where: it passes"
	unlike "$(cat "$tmp/$where/tap")" '^not ok|^Bail' "$where: each test"
	is "$(cat "$tmp/$where/tap.err")" "" "$where: nothing on stderr"
	is "$(grep -c '^ok' "$tmp/$where/tap")" "$(sed -n 's/^1\.\.//p' "$tmp/$where/tap")" "$where: as many as it planned"
	skipped=$(sed -n 's/^# skipped: //p' "$tmp/$where/tap" | sort -u)
	like "$(cat "$tmp/$where/before")" "^a run of this job: $own_run$" "$where: a run with settings of an open file of somebody else"
	same "$tmp/$where/before" "$tmp/$where/after" "$where: what it changes is put back"
	like "$(cat "$tmp/$where/second")" '^1\.\.0 # SKIP (a run is active$|.*wakelat_selftest exists: another test runs)' "$where: a second one beside it is skipped"
	is "$(tail -n 1 "$tmp/$where/second")" 4 "$where: with the status for that"
	is "$(cat "$tmp/$where/first.status")" 143 "$where: one is ended"
	same "$tmp/$where/before" "$tmp/$where/killed" "$where: and has put back all of it"
}

selftest ours "samples, CPU 0 has 77 clean samples"
like "$(cat "$tmp/ours/tap")" '^ok [0-9]+ source tsc_deadline yields consistent samples$' "ours: tsc_deadline"
like "$(cat "$tmp/ours/tap")" '^ok [0-9]+ source hrtimer yields consistent samples$' "ours: hrtimer"
like "$(cat "$tmp/ours/tap")" '^ok [0-9]+ source passive yields consistent samples$' "ours: passive"
like "$(cat "$tmp/ours/tap")" '^ok [0-9]+ cpuidle-artificial gives way to another driver$' "ours: the artificial driver gives way"
is "$(printf '%s\n' "$skipped" | grep -v 'no card is bound to wakelat_i210\|there is no other CPU\|CPU 0 cannot go')" "there is a cpuidle driver: intel_idle" \
	"ours: skipped are its states, for those of intel_idle are there"

selftest stock refused --qemu stock
like "$(cat "$tmp/stock/tap")" '^ok [0-9]+ source hrtimer yields consistent samples$' "stock: hrtimer"
is "$(grep -c '^ok [0-9]* state A[1-4]: measured is what is set *$' "$tmp/stock/tap")" 4 "stock: four artificial states"
is "$(printf '%s\n' "$skipped" | grep -v 'no card is bound to wakelat_i210\|there is no other CPU\|CPU 0 cannot go')" "the CPU has no TSC-deadline timer
there is none" "stock: skipped are sources that it has not, and giving way to another driver"
done_testing
