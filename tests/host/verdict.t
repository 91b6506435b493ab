#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict: limits kept and exceeded, and the lines that follow from them.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
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

# of_file FILE STATE COLUMN
of_file() {
	awk -F '\t' -v state="$2" -v name="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		$1 == state { print $at }' "$1"
}

# of STATE COLUMN
of() {
	of_file d/verdict.tsv "$@"
}

# C1 (interrupts on) keeps 2 us, C1E_x does not keep 10, and p99.99 of C6 needs one sample more.
box d
{
	many 1 29955 1999 9000 | awk '{ $3 = "-"; print }'
	# The longer ones far from each other, as by chance.
	seq 29996 | awk '{ v = $1 == 29000 ? 50000 : $1 % 5000 == 4321 && $1 < 25000 ? 12345 : 10000; print 2, 1000, v, v, "-" }'
	seq 3 | sed 's/.*/2 1000 99999 99999 foreign_irq/'
	many 3 29954 150000 150000
} | samples_tsv d/samples.tsv
run "$wakelat" verdict d --budget 50us
is "$status$err" 4 "a state takes longer: status 4"
is "$(joined d/verdict.tsv state)" "C1 C1E_x C6" "a row a state"
is "$(joined d/verdict.tsv n)" "29956 29996 29955" "untainted samples"
is "$(joined d/verdict.tsv metric)" "intr_latency wake_latency wake_latency" "interrupts on: interrupt latency"
is "$(joined d/verdict.tsv percentile)" "99.9 99.9 99.9" "p99.9 decides"
is "$(joined d/verdict.tsv advertised_verdict)" "kept kept exceeded" "what is advertised: kept, exceeded"
is "$(joined d/verdict.tsv budget_verdict)" "kept kept exceeded" "the budget"
is "$(joined d/verdict.tsv allowed)" "yes yes no" "what the limit lets through"
is "$(joined d/verdict.tsv limit_us)" "10 10 10" "the limit"
is "$(of C1E_x advertised_over) $(of C1E_x advertised_over_pct)" "6 0.0200" "how often it is longer: 6 of 29996"
# By R: 100 * qbeta(0.95, 7, 29996 - 6)
is "$(of C1E_x advertised_over_most_pct)" "0.039476" "and at most, of all wake-ups"
is "$(of C1 advertised_over)" 1 "one sample longer does not make it exceeded"
like "$out" '^EXCEEDED: C6: longer than 50 us; kept: C1, C1E_x$' "the answer first"
like "$out" '^Decided by p99\.9 \(the default\)' "says what decides"
like "$out" '^C1 \(intr\.\) .*  kept$' "the table: kept"
like "$out" '^C6 .*  exceeded$' "the table: exceeded"
like "$out" '^Limit: 10 us of advertised latency; deepest state: C1E_x \(C6 takes longer\)\.$' "the deepest state within 50 us"
like "$out" '^Advertised latencies: exceeded by C6; kept by C1, C1E_x\.$' "what is advertised as well"
unlike "$out" 'mulated' "a real machine"
unlike "$out" 'intel_idle\.table' "a table would change what the limit means: not both"
run "$wakelat" verdict d
like "$out" '^intel_idle\.table=C1:2:2,C1E_x:10:20,C6:150:600$' "no budget: the table for intel_idle"
unlike "$out" 'Limit|force_latency' "and no limit"

# The interval, not the point, decides.
run "$wakelat" verdict -p 99.99 -b 50us d
is "$status" 4 "p99.99: C6 exceeds it"
is "$(joined d/verdict.tsv advertised_verdict)" "undecided undecided exceeded" "p99.99: undecided"
is "$(of C1E_x value) $(of C1E_x low) $(of C1E_x high)" "12345 10000 50000" "for the point is above, and its interval is not"
is "$(of C6 value) $(of C6 low) $(of C6 high) $(of C6 samples_needed)" "- 150000 - 29956" "one sample is missing"
is "$(of C6 budget_verdict)" exceeded "to exceed, it needs none"
is "$(joined d/verdict.tsv limit_us)" "10 10 10" "50 us is the longest that C1E_x took, and its upper bound"
run "$wakelat" verdict -p 99.99 -b 49us d
is "$(joined d/verdict.tsv budget_verdict) $(joined d/verdict.tsv limit_us)" "kept undecided exceeded - - -" "less: undecided, and no limit"
like "$out" '^No limit can be named: C1E_x is undecided\.$' "says so"
like "$out" '^  wakelat record -o NEW --states C1E_x --for-verdict 49000ns:99\.99 --cpu 0$' "and what would decide"
unlike "$out" '--paste' "and prints nothing to paste"
refused "nothing to paste: no limit is known" "not when asked either" "$wakelat" verdict -p 99.99 -b 49us --paste tuned d

run "$wakelat" verdict d --budget=10us
like "$out" 'deepest state: C1E_x' "a budget of exactly the bound"
run "$wakelat" verdict d -b 9999ns
like "$out" 'deepest state: C1 \(C1E_x takes longer\)' "one ns less"
run "$wakelat" verdict d -b 1us
like "$out" '^Limit: 0 us .*: none that sleeps \(C1 takes longer\)' "no state is fast enough"
is "$("$wakelat" verdict d -b 1us --paste sysfs | sed -n 's/.*echo \([^ ]*\) .*/\1/p')" "n/a" "0 would mean no limit"
like "$("$wakelat" verdict d -b 1us --paste tuned)" '^force_latency=0$' "polling"
run "$wakelat" verdict d -b 200us
is "$status" 0 "all within it: status 0"
like "$out" '^KEPT: 200 us: C1, C1E_x, C6$' "kept"
like "$out" '^Limit: 133 us of advertised latency; deepest state: C6\.$' "the advertised latency of the deepest"

# The longest: one is enough to exceed, none is enough to keep.
run "$wakelat" verdict d -p max -b 50us
is "$status $(joined d/verdict.tsv budget_verdict)" "4 undecided undecided exceeded" "max"
is "$(joined d/verdict.tsv high)" "- - -" "how long it can be is not known"
like "$out" 'No number of samples shows that nothing is ever longer' "says so"
like "$out" '^C1 .* 1 in 10000 ' "and how seldom it is: 3 of 30,000"

# A default recording, 10,000 samples a state, decides.
box e
{
	many 1 9999 1500 2500 | awk '{ $3 = "-"; print }'
	many 2 9999 9000 9000
	many 3 9999 130000 140000
} | samples_tsv e/samples.tsv
run "$wakelat" verdict e --budget 1s
is "$status" 0 "10,000 samples, a budget of a second: kept"
like "$out" 'deepest state: C6\.$' "by all states"
is "$(printf '%s\n' "$out" | awk 'length($0) > 80' | wc -l)" 0 "80 columns"
is "$(($(printf '%s\n' "$out" | wc -l) <= 23))" 1 "24 lines with the command's own"

# Three samples: nothing is kept, but what exceeds.
box t
{
	many 1 2 1000 1000
	many 3 2 200000 200000
} | samples_tsv t/samples.tsv
run "$wakelat" verdict t -b 100us
is "$status $(joined t/verdict.tsv budget_verdict)" "4 undecided exceeded" "three samples"
is "$(joined t/verdict.tsv samples_to_decide)" "3000 -" "and how many it takes"
run "$wakelat" verdict t -b 1ms
is "$status" 5 "undecided: status 5"
like "$out" '^UNDECIDED: C1, C6: may be longer than 1000 us, or not$' "says so"
run "$wakelat" verdict t
like "$out" '^  wakelat record -o NEW --each-state --states C1 -n 3000 --cpu 0$' "what would decide what is advertised"

# One second of the recording is another machine: said.
box w
{
	many 3 4999 150000 150000
	many 3 4999 100000 100000
	seq 5000 | awk '{ print 2, 1000, 9000 + ($1 % 700 < 50 ? 1000 : $1 % 97), 9000, "-" }'
} | samples_tsv w/samples.tsv
run "$wakelat" verdict w -b 1ms
is "$(of_file w/verdict.tsv C6 doubt) $(of_file w/verdict.tsv C1E_x doubt)" "clusters,drift clusters" "clusters and drift: doubts"
like "$out" '^DOUBT: C6: the latencies changed' "are said"
is "$(joined d/verdict.tsv doubt)$(joined e/verdict.tsv doubt)" "- - -- - -" "without a reason: none"

# A state in between that was not measured; one that is disabled; a residency below the new latency.
box g
many 3 99 700000 700000 | samples_tsv g/samples.tsv
run "$wakelat" verdict -p 50 g
like "$out" '^intel_idle\.table=C6:700:700$' "residency is not below latency"
like "$out" "^Raised, .*: C6's residency from 600 to 700 us, its latency\.\$" "said"
run "$wakelat" verdict -p 50 -b 1ms g
like "$out" '^No limit can be named: C1 was not measured\.$' "states in between"
box h state.1.disabled 1 state.2.disabled 1
cp g/samples.tsv h
run "$wakelat" verdict -p 50 -b 1ms h
like "$out" 'deepest state: C6' "unless they are disabled"
like "$out" '^C1 was disabled' "and that is said"
box k
many 1 99 1000 1000 | samples_tsv k/samples.tsv
run "$wakelat" verdict -p 50 -b 1ms k
like "$out" '^Limit: 2 us .*C1 \(C1E_x was not measured\)\.$' "a deeper one that was not measured stays out"

# Data of another tool may not say what each state advertises.
box u
cp g/samples.tsv u
sed -i '/^state\.1\.latency_ns/d' u/run.tsv
run "$wakelat" verdict -p 50 -b 1ms u
like "$out" '^No limit can be named: C1 was not measured' "not measured, what it advertises not known: in the way"
box v
many 1 99 1000 1000 | samples_tsv v/samples.tsv
many 3 99 700000 700000 | samples_tsv v/more
sed 1d v/more >>v/samples.tsv
sed -i '/^state\.3\.latency_ns/d' v/run.tsv
run "$wakelat" verdict -p 50 -b 500us v
like "$out" '^No limit can be named: C6 takes longer, and which limit keeps the CPU out of it is not known' \
	"too long, what it advertises not known: said"

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
like "$out" '^intel_idle\.table=C1E_x:20:20,C6:21:600$' "states out of order: what the kernel takes"
like "$out" "^Raised, .*C6's latency from 15 to 21 us, for it must be above C1E_x's" "and why"
sed -i 's/^driver.*/driver	acpi_idle/; s/^emulated.*/emulated	yes/' o/run.tsv
run "$wakelat" verdict -p 50 o
like "$out" '^o \(emulated\), ' "emulated: the title"
like "$out" '^Emulated or under' "and the advice"
like "$out" '^No intel_idle\.table: the idle driver is not' "another driver"
unlike "$out" '^intel_idle' "no line for it"
sed -i 's/^emulated.*/emulated	yes/' e/run.tsv
run "$wakelat" verdict -b 1ms e --paste qos
like "$out" '^# Emulated' "and what is pasted"

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
is "$(joined r/verdict.tsv advertised_over)" "0 20" "nor seldom"
like "$out" '^C6: 10 more samples asked for it and did not reach it' "and that is said"
sed -i 's/	500$/	0/' r/samples.tsv
run "$wakelat" verdict -p 50 r
is "$(joined r/verdict.tsv n) $(joined r/verdict.tsv not_reached)" "10 30 - 30" \
	"a counter that never counts may be the wrong one: all samples"

refused "name a directory" "no directory" "$wakelat" verdict
refused "'50' is not a time" "a budget without unit" "$wakelat" verdict d -b 50
refused "-b needs a value" "no budget" "$wakelat" verdict d -b
refused "'0us' is not a time" "nothing keeps a budget of 0" "$wakelat" verdict d -b 0us
refused "'x' is none of cmdline" "nothing to paste" "$wakelat" verdict d --paste x
refused "tuned is a limit: it needs a budget" "a limit without a budget" "$wakelat" verdict d --paste tuned
refused "--quiet and --json" "quiet JSON" "$wakelat" verdict d -q --json
for bad in x 50,99 -5; do
	refused "'$bad' is not a percentage" "not a percentage: '$bad'" "$wakelat" verdict d -p "$bad"
done
refused "-p needs a value" "an empty percentage" "$wakelat" verdict d -p ''
refused "-p: '100' is not a percentage" "not a percentage: 100" "$wakelat" verdict d -p 100
refused "unknown option '--percent'" "an unknown option" "$wakelat" verdict d --percent=5
verdict_limited() (
	ulimit -f 0
	exec "$wakelat" verdict g
)
rm -f g/verdict.tsv
not_ok "a full disk" verdict_limited
is "$(find g -name 'verdict*')" "" "leaves nothing"
done_testing
