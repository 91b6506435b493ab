#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# On machines where a source cannot work, the source says why, and the other sources work. Also
# machines without any source.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

n=0
# machine WHAT TESTBED-OPTION...: boots a machine; sets $available to the list of sources, $hrtimer
# and $deadline to their results
machine() {
	what=$1
	n=$((n + 1))
	shift
	guest_job "$tmp/$n" "$top/tests/guest/sources.job" "$@"
	is "$status" 0 "$what: it boots and no source hangs"
	available=$(cat "$tmp/$n/available")
	hrtimer=$(cat "$tmp/$n/hrtimer")
	deadline=$(cat "$tmp/$n/tsc_deadline")
}

machine "as it is"
is "$available" "hrtimer ok
passive ok
tsc_deadline ok
ipi unavailable: there is no other CPU
i210 unavailable: no card is bound to wakelat_i210" "$what: each source says whether it can be used"
like "$hrtimer" '^samples$' "$what: hrtimer works"
like "$deadline" '^samples$' "$what: tsc_deadline works"

machine "no TSC-deadline timer" --append lapic=notscdeadline
like "$available" '^tsc_deadline unavailable: the CPU has no TSC-deadline timer$' "$what: tsc_deadline says why it cannot be used"
like "$available" '^hrtimer ok$' "$what: hrtimer can be used"
like "$hrtimer" '^samples$' "$what: hrtimer works with a timer that counts down"
is "$deadline" "tsc_deadline: the CPU has no TSC-deadline timer" "$what: a run with tsc_deadline is refused"

machine "unstable TSC" --append tsc=unstable
unlike "$available" 'ok$' "$what: no source can be used"
like "$available" '^hrtimer unavailable: the TSC is unstable$' "$what: hrtimer says why it cannot be used"
is "$hrtimer" "hrtimer: the TSC is unstable" "$what: a run with hrtimer is refused"

machine "another clocksource" --append clocksource=hpet
like "$hrtimer" '^samples$' "$what: hrtimer works"
like "$deadline" '^samples$' "$what: tsc_deadline works"

machine "no local APIC timer" --append nolapic_timer
like "$available" "^hrtimer unavailable: the CPU has no local timer$" "$what: hrtimer says why it cannot be used"
is "$hrtimer" "hrtimer: the CPU has no local timer" "$what: a run with hrtimer is refused"

machine "no high resolution timers" --append highres=off
is "$hrtimer" "hrtimer: high resolution timers are not active" "$what: a run with hrtimer is refused"
is "$deadline" "tsc_deadline: high resolution timers are not active" "$what: a run with tsc_deadline is refused"

machine "a tick that never stops" --append nohz=off
like "$hrtimer" '^samples$' "$what: hrtimer works"
like "$deadline" '^samples$' "$what: tsc_deadline works"

for option in idle=poll cpuidle.off=1; do
	machine "$option" --append "$option"
	is "$hrtimer" "CPU 0: no cpuidle driver" "$what: a run with hrtimer is refused"
	is "$deadline" "CPU 0: no cpuidle driver" "$what: a run with tsc_deadline is refused"
done

machine "a CPU that intel_idle does not know" --set cpu=EPYC
# Without a rate from CPUID Linux takes a second to trust its TSC.
like "$hrtimer" '^(CPU 0: no cpuidle driver|hrtimer: the TSC is unstable)$' "$what: a run with hrtimer is refused"
done_testing
