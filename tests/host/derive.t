#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat dump: if samples have only twelve fields, dump computes the other columns. If the kernel has a run for each step of a
# sweep, the table has one run.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# row N COLUMN...: print these cells of the Nth row, joined by blanks
row() {
	row_n=$1
	shift
	awk -F '\t' -v n="$row_n" -v names="$*" '
		NR == 1 { count = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		NR == n + 1 { for (i = 1; i <= count; i++) printf "%s%s", $at[name[i]], i < count ? " " : "\n" }' d/samples.tsv
}

# recorded RUN.TSV-LINE...: make the recording d from t.dat and these lines, and dump it
recorded() {
	rm -rf d
	mkdir d
	cp t.dat d/trace.dat
	{
		printf 'key\tvalue\n'
		printf '%s\n' "$@" | tr ' ' '\t'
	} >d/run.tsv
	run "$wakelat" dump d
}

trace t.dat -t <<'END'
sample 0 100 run=1 seq=1 state=3 entered=3 ldist=50000 tbi=1000 silent_time=49000 wake_latency=133010 intr_latency=133500
sample 0 200 run=1 seq=2 state=1 entered=absent tbi=2000 silent_time=500 wake_latency=absent intr_latency=2500
sample 0 300 run=1 seq=3 state=3 entered=3 tbi=3000 silent_time=absent wake_latency=absent intr_latency=absent taint=64 uncertainty=absent
sample 0 400 run=1 seq=4 state=3 entered=2 tbi=4000 silent_time=-20 wake_latency=5 intr_latency=9 taint=0x200 uncertainty=5001 unknown=0x38
sample 0 500 run=1 seq=5 state=3 entered=3 tbi=5000 silent_time=10 wake_latency=5 intr_latency=9 uncertainty=5000
end 0 600 run=1 cpu=0 samples=5
END

recorded "source hrtimer" "clock_khz 2000000"
is "$status$err" 0 "samples of twelve fields can be read"
is "$(row 1 source ltime tbi tai tintr silent_time wake_latency intr_latency irqs_on taint)" \
	"hrtimer 50000 1000 183010 183500 49000 133010 133500 0 -" "times that follow from others are added"
is "$(row 1 tbi_cyc tai_cyc tintr_cyc ltime_cyc)" "2000 366020 367000 100000" "times in cycles follow from the rate of the clock"
is "$(row 2 ltime tai tintr wake_latency intr_latency irqs_on entered)" "2500 - 5000 - 2500 1 -" "with interrupts on, the entered state is not known"
is "$(row 3 ltime tai tintr silent_time ltime_cyc taint irqs_on uncertainty)" "- - - - - broadcast 0 -" "without a launch time, the times that depend on it are -"
is "$(row 4 ltime tai taint entered unknown)" "3980 3985 other_state,uncertain 2 launch,early,sleep" "an uncertainty above 5000 ns is a taint"
is "$(row 5 taint)" - "an uncertainty of 5000 ns is not a taint"

recorded "source hrtimer" "max_uncertainty_ns 4999" "tsc_khz 3000000"
is "$(row 5 taint tbi_cyc)" "uncertain 15000" "run.tsv sets the uncertainty limit; without clock_khz the rate is tsc_khz"
recorded "source hrtimer"
is "$(row 1 ltime tbi_cyc tai_cyc ltime_cyc)" "50000 - - -" "without a clock rate there are no times in cycles"
recorded "cpus 0"
is "$(row 1 source)" - "the source is - if run.tsv does not name it"
recorded "$(printf 'source a\001b,c')"
is "$(row 1 source)" 'a?b,c' "a source's name cannot break the table"
run "$wakelat" dump -o bare.tsv t.dat
is "$status$err" 0 "a trace.dat without a run.tsv can be read"

# A sweep: runs 4 to 6 of the kernel, after a warm-up.
trace t.dat -t <<'END'
sample 0 100 run=3 seq=7 state=3 entered=3 tbi=1
end 0 101 run=3 cpu=0 samples=1
sample 0 200 run=4 seq=1 state=3 entered=3 tbi=1 ldist=300
sample 0 201 run=4 seq=3 state=3 entered=3 tbi=1 ldist=300
end 0 202 run=4 cpu=0 samples=2
sample 0 300 run=5 seq=2 state=3 entered=3 tbi=1 ldist=330
end 0 301 run=5 cpu=0 samples=1
sample 0 400 run=6 seq=1 state=3 entered=3 tbi=1 ldist=363
end 0 401 run=6 cpu=0 samples=1
END
recorded "source hrtimer" "run.3.plan 1" "run.3.warmup yes" "run.3.reason samples" "run.3.cpu0.samples 1" \
	"run.4.plan 1" "run.4.steps 3" "run.4.reason sweep" "run.4.cpu0.samples 4"
is "$status$err" 0 "a sweep can be read"
is "$(joined d/samples.tsv run)" "3 4 4 4 4" "the steps of a sweep are one run"
is "$(joined d/samples.tsv seq)" "7 1 3 5 6" "event numbers continue from step to step of a sweep"
is "$(joined d/samples.tsv ldist)" "0 300 300 330 363" "each step of a sweep has its launch distance"
# The TSC was found unstable at the end of run 4, and nobody knows since when it was. Run 3 had ended as planned.
recorded "source hrtimer" "run.3.plan 1" "run.3.warmup yes" "run.3.reason samples" "run.3.cpu0.samples 1" \
	"run.4.plan 1" "run.4.steps 3" "run.4.reason clock" "run.4.cpu0.samples 4"
is "$(joined d/samples.tsv taint)" "warmup clock clock clock clock" "no sample of a run is clean if an unstable TSC ended it"
run "$wakelat" verdict --budget 200us d
like "$out" 'Nothing to decide: no wake-up could be judged.
The TSC was found unstable, which ended a run.' "verdict says so in its first lines"
like "$out" 'left out: 4 clock, 1 warmup' "the samples are counted as left out"
recorded "source hrtimer" "run.4.plan 1" "run.4.steps 3" "run.4.reason sweep" "run.4.cpu0.samples 5"
is "$status" 3 "a missing sample in a step gives status 3"
done_testing
