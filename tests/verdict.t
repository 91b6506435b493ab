#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict: promises kept and broken, and the lines that follow from them.

. "$(dirname "$0")/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# box DIR [KEY VALUE]...: a real machine whose states have residencies as well
box() {
	box_dir=$1
	shift
	mkdir "$box_dir"
	run_tsv "$box_dir/run.tsv" state.0.residency_ns 0 state.1.residency_ns 2000 state.2.residency_ns 20000 \
		state.3.residency_ns 600000 "$@"
	sed -i 's/^emulated.*/emulated	no/' "$box_dir/run.tsv"
}

# many STATE COUNT LATENCY LONGEST: one sample is LONGEST, COUNT others LATENCY
many() {
	seq "$2" | sed "s/.*/$1 1000 $3 $3 -/"
	printf '%s 1000 %s %s -\n' "$1" "$4" "$4"
}

# of STATE COLUMN
of() {
	awk -F '\t' -v state="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		$1 == state { print $at }' d/verdict.tsv
}

# C1 (interrupts on) has enough samples and keeps its promise, C1E_x does not, C6 has one sample too few.
box d
{
	many 1 29955 1999 9000 | awk '{ $3 = "-"; print }'
	many 2 29990 10000 50000
	seq 5 | sed 's/.*/2 1000 12345 12345 -/'
	seq 3 | sed 's/.*/2 1000 99999 99999 smi/'
	many 3 29954 150000 150000
} | samples_tsv d/samples.tsv
run "$wakelat" verdict d --budget 50us
is "$status$err" 0 "a verdict"
is "$(joined d/verdict.tsv state)" "C1 C1E_x C6" "a row a state"
is "$(joined d/verdict.tsv n)" "29956 29996 29955" "untainted samples"
is "$(joined d/verdict.tsv metric)" "intr_latency wake_latency wake_latency" "interrupts on: interrupt latency"
is "$(joined d/verdict.tsv verdict)" "within exceeded not enough samples" "within, exceeded, too few"
is "$(joined d/verdict.tsv percentile)" "99.99 99.99 99.99" "p99.99 decides"
# Rank 29995 x 0.9999 = 29992.0005 of 0..29995, of which 29990 to 29994 are 12345, so 12345.
is "$(of C1E_x value) $(of C1E_x over_ns)" "12345 2345" "by how much"
is "$(of C1E_x exceeding) $(of C1E_x exceeding_pct)" "6 0.0200" "how often: 6 of 29996"
is "$(of C1 exceeding)" 1 "one sample longer does not break the promise"
is "$(of C6 value) $(of C6 samples_needed)" "- 29956" "one sample is missing"
like "$out" '^Decided by p99\.99 \(the default\)' "says what decides"
like "$out" '^C1E_x .* 6 \(0\.0200 %\)  exceeded by 2\.345 us$' "the table: exceeded"
like "$out" '^C1 \(intr\.\) .*  within$' "the table: within"
like "$out" '^C6 .*  not enough samples: p99\.99 needs 29956$' "the table: too few, and how many it takes"
like "$out" '^intel_idle\.table=C1:2:2,C1E_x:13:20$' "the line: latency rounded up; nothing of the state with too few samples"
like "$out" '^deepest state: C1E_x$' "the deepest state within 50 us"
like "$out" 'pm_qos_resume_latency_us: 10$' "its advertised latency is the limit"
like "$out" '^tuned, .*force_latency=10$' "for tuned as well"
like "$out" '^# C6 has not enough samples\.$' "why nothing deeper"
unlike "$out" 'mulated' "a real machine"

run "$wakelat" verdict d --budget=12.345us
like "$out" '^deepest state: C1E_x$' "a budget of exactly that"
run "$wakelat" verdict d -b 12344ns
like "$out" '^deepest state: C1$' "one ns less"
like "$out" '^# C1E_x is not within it\.$' "and why"
run "$wakelat" verdict d -b 1us
like "$out" '^deepest state: none that sleeps$' "no state is fast enough"
like "$out" 'pm_qos_resume_latency_us: n/a$' "0 would mean no limit"
like "$out" 'force_latency=0$' "polling"

run "$wakelat" verdict d -p 99.9 -b 200us
is "$(joined d/verdict.tsv verdict)" "within within exceeded" "another percentile"
like "$out" '^Decided by p99\.9 \(as asked for\)' "and says so"
like "$out" '^intel_idle\.table=C1:2:2,C1E_x:10:20,C6:150:600$' "whole us stay"
like "$out" '^deepest state: C6$' "all of them"
like "$out" 'pm_qos_resume_latency_us: 133$' "the advertised latency of the deepest"
unlike "$out" '^Budget.*p99\.99,' "by that percentile"
run "$wakelat" verdict d
unlike "$out" 'Budget|force_latency' "no budget, no limit"

# A state in between that was not measured; one that is disabled; a residency below the new latency.
box g
many 3 99 700000.0 700000 | sed 's/700000\.0/700000/g' | samples_tsv g/samples.tsv
run "$wakelat" verdict -p 50 -b 1ms g
like "$out" '^intel_idle\.table=C6:700:700$' "residency is not below latency"
like "$out" '^# C6 is within it, but a limit that allows it allows C1 as well, which was not measured\.$' "a state in between"
like "$out" '^deepest state: none' "is in the way"
box h state.1.disabled 1 state.2.disabled 1
cp g/samples.tsv h
run "$wakelat" verdict -p 50 -b 1ms h
like "$out" '^deepest state: C6$' "unless it is disabled"
like "$out" '^# C1 was disabled' "and that is said"

# Data of another tool may not say what each state advertises.
box u
cp g/samples.tsv u
sed -i '/^state\.1\.latency_ns/d' u/run.tsv
run "$wakelat" verdict -p 50 -b 1ms u
like "$out" '^# C6 is within it, but a limit that allows it allows C1 as well, which was not measured' \
	"not measured, and nobody knows what it advertises: in the way"
like "$out" 'force_latency=0$' "no limit"
box v
cp g/samples.tsv v
sed -i '/^state\.3\.latency_ns/d' v/run.tsv
run "$wakelat" verdict -p 50 -b 1ms v
like "$out" '^# C6 is within it, but what it advertises is not known' "measured, and nobody knows: said"

# All samples of a state tainted: that says nothing of how it is entered.
box s
{
	many 3 9 140000 150000
	seq 5 | sed 's/.*/1 1000 1999 1999 smi/'
} | samples_tsv s/samples.tsv
run "$wakelat" verdict -p 50 s
is "$(joined s/verdict.tsv metric)" "wake_latency wake_latency" "a state without a good sample: its wake latency is what is missing"
unlike "$out" 'intr\.' "not its interrupt latency"

# Order, another driver, emulation.
box o
{
	many 2 9 20000 20000
	many 3 9 15000 15000
} | samples_tsv o/samples.tsv
run "$wakelat" verdict -p 50 o
like "$out" '^# C6 wakes faster than C1E_x' "states out of order"
sed -i 's/^driver.*/driver	acpi_idle/; s/^emulated.*/emulated	yes/' o/run.tsv
run "$wakelat" verdict -p 50 o
like "$out" '^Advertised and measured latency \(emulated\): o' "emulated: the title"
like "$out" '^# Emulated or under' "and the lines to paste"
like "$out" '^# No intel_idle\.table: the idle driver is not' "another driver"
unlike "$out" '^intel_idle' "no line for it"

# Counters: 30 samples asked for C6, 10 of them woke quickly from something less deep.
box r state.3.desc 'MWAIT 0x20' state.2.desc 'MWAIT 0x01'
{
	many 3 9 2000 2000
	many 3 19 140000 150000
	many 2 9 9000 9000
} | samples_tsv r/samples.tsv
awk 'BEGIN { print "cc6_cyc" } NR > 1 { print ($12 == 2000 || $4 == 2) ? 0 : 500 }' r/samples.tsv >counter
paste r/samples.tsv counter >r/new && mv r/new r/samples.tsv
run "$wakelat" verdict -p 50 r
is "$(joined r/verdict.tsv n)" "10 20" "samples that reached the state; all of one without a counter"
is "$(joined r/verdict.tsv not_reached)" "- 10" "those that did not"
is "$(joined r/verdict.tsv p50)" "9000 140000" "do not make it look faster"
is "$(joined r/verdict.tsv exceeding)" "0 20" "nor seldom"
like "$out" '^C6: 10 more samples asked for it and did not reach it' "and that is said"
sed -i 's/	500$/	0/' r/samples.tsv
run "$wakelat" verdict -p 50 r
is "$(joined r/verdict.tsv n) $(joined r/verdict.tsv not_reached)" "10 30 - 30" \
	"a counter that never counts may be the wrong one: all samples"

refused "which directory" "no directory" "$wakelat" verdict
refused "'50' is not a time" "a budget without unit" "$wakelat" verdict d -b 50
refused "'' is not a time" "no budget" "$wakelat" verdict d -b
for bad in x 50,99 -5 ''; do
	refused "'$bad' is not a percentage" "not a percentage: '$bad'" "$wakelat" verdict d -p "$bad"
done
refused "-p: '100' is not a percentage" "not a percentage: 100" "$wakelat" verdict d -p 100
refused "unknown option '--percent'" "an unknown option" "$wakelat" verdict d --percent=5
verdict_limited() (
	ulimit -f 0
	exec "$wakelat" verdict g
)
rm -f g/verdict.tsv
not_ok "a full disk" verdict_limited
is "$(find g -name 'verdict*')" "" "leaves nothing"
like "$("$wakelat" verdict -h)" '^usage: wakelat verdict' "-h"
done_testing
