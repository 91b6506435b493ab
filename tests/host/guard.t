#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# record ends a run after its duration, and if no clean sample has come for a minute. The test uses files instead of the
# kernel's, and a sleep that takes no time.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
cd "$tmp" || exit 1

# guarded DURATION-S ELAPSED-NS COUNT...: run guard_run. After its Nth sleep the run has the Nth COUNT (SAMPLES/TAINTED). Set
# $out to the reason, the text that was written to the run, and the seconds of each sleep.
guarded() {
	guarded_duration=$1
	guarded_elapsed=$2
	shift 2
	rm -f naps stopped_by written counts.*
	number=0
	for count; do
		number=$((number + 1))
		printf 'cpu\tarmed\tsamples\ttainted\n0\t900\t%s\t%s\n' "${count%/*}" "${count#*/}" >"counts.$number"
	done
	cat >commands <<END
set -u
quiet=yes status_value= write_error= work_dir=. wakelat=. filter_irqs_off= filter_irqs_on= filter_clean= instance= steady=0 recorder_cpus= plan_runs=1 stop=no
duration=$guarded_duration
ldist_max=8000000
. "$top/scripts/lib/record/record-watch.sh"
run_elapsed_ns=$guarded_elapsed
run_write() { printf '%s\n' "\$*" >>written; }
sleep() { printf '%s\n' "\$1" >>naps; cp "counts.\$(wc -l <naps)" counts; }
guard_run
END
	run dash commands
	out="$(cat stopped_by) $(paste -sd , written) $(paste -sd ' ' naps)"
}

guarded 0 0 10/0 30/0 30/0
is "$status$err$out" "0barren stop 60.016000000 60.016000000 60.016000000" "no clean sample for a minute and twice the launch distance ends a run"
guarded 0 0 10/10
is "$status$err$out" "0barren stop 60.016000000" "tainted samples do not count as clean"
guarded 100 0 10/0 30/0
is "$status$err$out" "0duration stop 60.016000000 39.984000000" "the duration ends a run, to the ns"
guarded 100 0 0/0
is "$status$err$out" "0barren stop 60.016000000" "a run with a duration ends before its duration without a clean sample"
guarded 10 0 0/0
is "$status$err$out" "0duration stop 10.000000000" "a run with a duration below a minute ends after its duration"
guarded 100 95000000000 10/0
is "$status$err$out" "0duration stop 5.000000000" "the steps of a sweep share its duration"
guarded 100 101000000000 10/0
is "$status$err$out" "0duration stop 0.000000000" "a step ends at once if the sweep's duration is over"
done_testing
