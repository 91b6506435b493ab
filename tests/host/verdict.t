#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict: decides which states keep a limit, and prints a latency limit or a table for intel_idle.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# box DIR [KEY VALUE]...: make a recording DIR of a real machine whose states have target residencies
box() {
	box_dir=$1
	shift
	mkdir "$box_dir"
	run_tsv "$box_dir/run.tsv" state.0.residency_ns 0 state.1.residency_ns 2000 state.2.residency_ns 20000 \
		state.3.residency_ns 600000 "$@"
	sed -i 's/^emulated.*/emulated	no/' "$box_dir/run.tsv"
}

# many STATE COUNT LATENCY LONGEST: print COUNT samples of LATENCY, and one of LONGEST
many() {
	seq "$2" | sed "s/.*/$1 1000 $3 $3 -/"
	printf '%s 1000 %s %s -\n' "$1" "$4" "$4"
}

# of_file FILE STATE COLUMN: print a cell of FILE
of_file() {
	awk -F '\t' -v state="$2" -v name="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		$1 == state { print $at }' "$1"
}

# of STATE COLUMN: print a cell of d/verdict.tsv
of() {
	of_file d/verdict.tsv "$@"
}

# C1 (interrupts on) keeps 2 us, C1E_x does not keep 10, and p99.99 of C6 needs one sample more.
box d
{
	many 1 29955 1999 9000 | awk '{ $3 = "-"; print }'
	# The longer samples are far from each other, as in independent samples.
	seq 29996 | awk '{ v = $1 == 29000 ? 50000 : $1 % 5000 == 4321 && $1 < 25000 ? 12345 : 10000; print 2, 1000, v, v, "-" }'
	seq 3 | sed 's/.*/2 1000 99999 99999 foreign_irq/'
	many 3 29954 150000 150000
} | samples_tsv d/samples.tsv
run "$wakelat" verdict d --budget 50us
is "$status$err" 4 "a state takes longer: status 4"
# The state with the fewest samples has 29955 with a launch distance of 1.9 us: 56.91 ms, of which a fifth are 11.38 ms.
like "$out" '^each cause of delays occurs at least every 11 ms \(measured for 56 ms\)\.$' \
	"the output says which causes a verdict includes: those that come five times in the recording"
is "$(of C1 lasted_s)" 0.0569 "lasted_s is the sum of the launch distances"
is "$(joined d/verdict.tsv state)" "C1 C1E_x C6" "verdict.tsv has a row for each state"
is "$(joined d/verdict.tsv n)" "29956 29996 29955" "column n counts the untainted samples"
is "$(joined d/verdict.tsv metric)" "intr_latency wake_latency wake_latency" "interrupts on: interrupt latency"
is "$(joined d/verdict.tsv percentile)" "99.9 99.9 99.9" "p99.9 decides"
is "$(joined d/verdict.tsv advertised_verdict)" "kept kept exceeded" "verdicts on the advertised latencies: C6 exceeds its own"
is "$(joined d/verdict.tsv budget_verdict)" "kept kept exceeded" "verdicts on the budget: C6 exceeds it"
is "$(joined d/verdict.tsv allowed)" "yes yes no" "the limit does not admit C6"
is "$(joined d/verdict.tsv limit_us)" "10 10 10" "the limit is the advertised latency of C1E_x in each row"
is "$(of C1E_x advertised_over) $(of C1E_x advertised_over_pct)" "6 0.0200" "6 of 29996 samples of C1E_x are above its advertised latency"
# By R: 100 * qbeta(0.95, 7, 29996 - 6)
is "$(of C1E_x advertised_over_most_pct)" "0.039476" \
	"the upper bound on the share of all wake-ups above the advertised latency of C1E_x"
is "$(of C1 advertised_over)" 1 "C1: one sample above the advertised latency is not yet exceeded"
like "$out" '^EXCEEDED by C6 \(p99\.9 longer than 50 us\); kept by C1, C1E_x$' "the first line is the answer"
like "$out" '^Decided by p99\.9 \(the default\)' "the output says which percentile decides"
like "$out" '^C1 \(intr\.\) .*  kept$' "the printed table: C1 keeps the budget"
like "$out" '^C6 .*  exceeded$' "the printed table: C6 exceeds the budget"
like "$out" '^Latency limit: 10 us; C1E_x is the deepest state that it allows \(C6 takes longer than 50 us\)\.$' "the deepest state within 50 us"
like "$out" '^Advertised latencies: exceeded by C6; kept by C1, C1E_x\.$' "the output has the verdicts on the advertised latencies, too"
unlike "$out" 'mulated' "a real machine is not called emulated"
unlike "$out" 'intel_idle\.table' "with a limit no table for intel_idle is printed, because it would change what the limit means"
cp -R d passive
awk -F '\t' -v OFS='\t' 'NR > 1 { $6 = 0 } { print }' d/samples.tsv >passive/samples.tsv
like "$("$wakelat" verdict passive --budget 50us)" '^each cause of delays occurs at least every 6 ms \(measured for 30 ms\)\.$' \
	"source passive arms nothing: the sum of the silent times says how long it was measured"
run "$wakelat" verdict d
like "$out" '^intel_idle\.table=C1:2:2,C1E_x:10:20,C6:150:600$' "no budget: the table for intel_idle"
unlike "$out" 'Limit|force_latency' "no budget: no limit is printed"

# The interval decides, not the estimate.
run "$wakelat" verdict -p 99.99 -b 50us d
is "$status" 4 "p99.99: C6 exceeds it"
is "$(joined d/verdict.tsv advertised_verdict)" "undecided undecided exceeded" "p99.99: C1 and C1E_x are undecided about the advertised latencies"
is "$(of C1E_x value) $(of C1E_x low) $(of C1E_x high)" "12345 10000 50000" "p99.99 of C1E_x is above its advertised latency, but the interval's low end is not"
is "$(of C6 value) $(of C6 low) $(of C6 high) $(of C6 samples_needed)" "- 150000 - 29956" "p99.99 of C6 needs one sample more"
is "$(of C6 budget_verdict)" exceeded "C6 exceeds the budget without that sample"
is "$(joined d/verdict.tsv limit_us)" "10 10 10" "50 us is the longest that C1E_x took, and its upper bound"
run "$wakelat" verdict -p 99.99 -b 49us d
is "$(joined d/verdict.tsv budget_verdict) $(joined d/verdict.tsv limit_us)" "kept undecided exceeded 2 2 2" "a budget of 49 us: C1E_x is undecided, and the limit admits C1"
like "$out" '^Latency limit: 2 us; C1 is the deepest state that it allows \(C1E_x is undecided: more samples may allow it\)\.$' \
	"undecided: the output says why the limit is not greater"
like "$out" '^  wakelat record -o NEW --states C1E_x --for-verdict 49000ns:99\.99 --cpu 0$' "undecided: the output has the command that would decide"
like "$("$wakelat" verdict -p 99.99 -b 49us --paste tuned d)" '^force_latency=2$' "undecided: --paste has the limit that is known to keep the budget"

run "$wakelat" verdict d --budget=10us
like "$out" 'C1E_x is the deepest state' "a budget equal to the bound of C1E_x admits it"
run "$wakelat" verdict d -b 9999ns
like "$out" 'C1 is the deepest state that it allows \(C1E_x takes longer than 9\.999 us\)' "a budget 1 ns below the bound of C1E_x does not admit it"
run "$wakelat" verdict d -b 200us
is "$status" 0 "all states keep the budget: status 0"
like "$out" '^KEPT by C1, C1E_x, C6 \(p99\.9 not longer than 200 us\)$' "all states keep the budget: the answer is KEPT"
like "$out" '^Latency limit: 133 us; C6 is the deepest state that it allows\.$' "all states keep the budget: the limit is the advertised latency of the deepest"

# -p max: one longer sample is enough to exceed, but no number of samples is enough to keep.
run "$wakelat" verdict d -p max -b 50us
is "$status $(joined d/verdict.tsv budget_verdict)" "4 undecided undecided exceeded" "-p max: a state is exceeded or undecided, never kept"
is "$(joined d/verdict.tsv high)" "- - -" "-p max has no upper bound"
like "$out" 'No number of samples can show a maximum' "-p max: the output says that samples cannot show it"
like "$out" '^C1 .* 1 in 10000 ' "-p max: the output has the share of longer wake-ups, 3 of 30,000"

# A default recording, 10,000 samples a state, decides.
box e
{
	many 1 9999 1500 2500 | awk '{ $3 = "-"; print }'
	many 2 9999 9000 9000
	many 3 9999 130000 140000
} | samples_tsv e/samples.tsv
run "$wakelat" verdict e --budget 1s
is "$status" 0 "10,000 samples, a budget of a second: kept"
like "$out" 'C6 is the deepest state that it allows\.$' "a budget of a second: the limit admits all states"
is "$(printf '%s\n' "$out" | awk 'length($0) > 80' | wc -l)" 0 "the output has at most 80 columns"
is "$(($(printf '%s\n' "$out" | wc -l) <= 23))" 1 "the output and the command fit into 24 lines"

# Three samples of a state are too few to keep a budget, but enough to exceed one.
box t
{
	many 1 2 1000 1000
	many 3 2 200000 200000
} | samples_tsv t/samples.tsv
run "$wakelat" verdict t -b 100us
is "$status $(joined t/verdict.tsv budget_verdict)" "4 undecided exceeded" "three samples can exceed a budget, but not keep it"
is "$(joined t/verdict.tsv samples_to_decide)" "3000 -" "three samples: samples_to_decide says how many are needed"
run "$wakelat" verdict t -b 1ms
is "$status" 5 "three samples below the budget: status 5"
like "$out" '^UNDECIDED for C1, C6 \(p99\.9 perhaps longer than 1000 us\)$' "three samples below the budget: the answer is UNDECIDED"
run "$wakelat" verdict t
like "$out" '^  wakelat record -o NEW --each-state --states C1 -n 3000 --cpu 0$' "three samples, no budget: the output has the command that would decide"

# By R: with a share of 0.0008 longer samples, p99.9 is kept with a probability of 80 % from 143,000 samples on; with 0.0013, it is
# exceeded from 78,500 on.
box few
for over in 8 13; do
	awk -v over=$over 'BEGIN {
		x = 4711
		for (k = 0; k < over; k += !longer[place]++) {
			do
				place = 1 + (x = x * 16807 % 2147483647) % 10000
			while (place in longer)
		}
		for (i = 1; i <= 10000; i++) {
			v = i in longer ? 90000 : 30000 + (x = x * 16807 % 2147483647) % 97
			print 3, 1000, v, v, "-"
		}
	}' | samples_tsv few/samples.tsv
	"$wakelat" verdict -q -b 50us few
	wanted=$(of_file few/verdict.tsv C6 samples_to_decide)
	right=$((over == 8 ? 143000 : 78500))
	is "$((wanted > right * 9 / 10 && wanted < right * 12 / 10))" 1 "$over of 10,000 longer: samples_to_decide is about $right ($wanted)"
done

# Debian's busybox awk has no sqrt() and no ^.
if command -v busybox >/dev/null; then
	mv few/verdict.tsv few-awk.tsv
	mkdir bin
	printf '#!/bin/sh\nexec busybox awk "$@"\n' >bin/awk
	chmod +x bin/awk
	(PATH=$PWD/bin:$PATH && "$wakelat" verdict -q -b 50us few)
	is "$?" 5 "undecided: verdict has status 5 with busybox awk, too"
	same few-awk.tsv few/verdict.tsv "verdict.tsv is the same with busybox awk"
else
	skip 2 "no busybox"
fi

# A recording whose second half has other latencies, and one with clusters.
box w
{
	many 3 4999 150000 150000
	many 3 4999 100000 100000
	seq 5000 | awk '{ print 2, 1000, 9000 + ($1 % 700 < 50 ? 1000 : $1 % 97), 9000, "-" }'
} | samples_tsv w/samples.tsv
run "$wakelat" verdict w -b 1ms
is "$(of_file w/verdict.tsv C6 doubt) $(of_file w/verdict.tsv C1E_x doubt)" "clusters,drift clusters" "dependent samples: column doubt has clusters and drift"
like "$out" '^DOUBT: C6: the latencies changed' "drift: the output says that the latencies changed"
is "$(joined d/verdict.tsv doubt)$(joined e/verdict.tsv doubt)" "- - -- - -" "independent samples: column doubt is empty"

# A state in between that was not measured; one that is disabled; a residency below the new latency.
box g
many 3 99 700000 700000 | samples_tsv g/samples.tsv
run "$wakelat" verdict -p 50 g
like "$out" '^intel_idle\.table=C6:700:700$' "the table for intel_idle has no residency below its latency"
like "$out" "^Raised, .*: C6's residency from 600 to 700 us, its latency\.\$" "the output says that it raised a residency"
run "$wakelat" verdict -p 50 -b 1ms g
like "$out" '^No limit can be named: C1 was not measured\.$' "a state in between that was not measured: no limit"
box h state.1.disabled 1 state.2.disabled 1
cp g/samples.tsv h
run "$wakelat" verdict -p 50 -b 1ms h
like "$out" 'C6 is the deepest state' "states in between that are disabled do not prevent a limit"
like "$out" '^C1 was disabled' "the output names a state that was disabled"
box k
many 1 99 1000 1000 | samples_tsv k/samples.tsv
run "$wakelat" verdict -p 50 -b 1ms k
like "$out" '^Latency limit: 2 us; C1 is the deepest .*\(C1E_x was not measured\)\.$' "the limit does not admit a deeper state that was not measured"

# Data of another tool may not say what each state advertises.
box u
cp g/samples.tsv u
sed -i '/^state\.1\.latency_ns/d' u/run.tsv
run "$wakelat" verdict -p 50 -b 1ms u
like "$out" '^No limit can be named: C1 was not measured' "a state that was not measured, advertised latency unknown: no limit"
box v
many 1 99 1000 1000 | samples_tsv v/samples.tsv
many 3 99 700000 700000 | samples_tsv v/more
sed 1d v/more >>v/samples.tsv
sed -i '/^state\.3\.latency_ns/d' v/run.tsv
run "$wakelat" verdict -p 50 -b 500us v
like "$out" '^No limit can be named: C6 takes longer than 500 us, and the limit that excludes it is not known' \
	"a state that exceeds the budget, advertised latency unknown: no limit"

# If all samples of a state are tainted, nothing shows whether it is entered with interrupts on.
box s
{
	many 3 9 140000 150000
	seq 5 | sed 's/.*/1 1000 1999 1999 smi/'
} | samples_tsv s/samples.tsv
run "$wakelat" verdict -p 50 s
is "$(joined s/verdict.tsv metric)" "wake_latency wake_latency" "a state without a clean sample has metric wake_latency"
unlike "$out" 'intr\.' "a state without a clean sample is not marked (intr.)"

# Order, another driver, emulation.
box o
{
	many 2 9 20000 20000
	many 3 9 15000 15000
} | samples_tsv o/samples.tsv
run "$wakelat" verdict -p 50 o
like "$out" '^intel_idle\.table=C1E_x:20:20,C6:21:600$' "measured latencies out of order: the table is one that the kernel accepts"
like "$out" "^Raised, .*C6's latency from 15 to 21 us, because it must be above C1E_x's" "measured latencies out of order: the output says why it raised one"
sed -i 's/^driver.*/driver	acpi_idle/; s/^emulated.*/emulated	yes/' o/run.tsv
run "$wakelat" verdict -p 50 o
like "$out" '^o \(emulated\), ' "emulated: the title says so"
like "$out" '^Emulated or under' "emulated: a line before the advice says so"
like "$out" '^No intel_idle\.table: the idle driver is not' "another driver: the output says why there is no table"
unlike "$out" '^intel_idle' "another driver: there is no table for intel_idle"
sed -i 's/^emulated.*/emulated	yes/' e/run.tsv
run "$wakelat" verdict -b 1ms e --paste qos
like "$out" '^# Emulated' "emulated: the text of --paste says so"

# Counters: 30 samples asked for C6. 10 of them woke quickly, from a shallower state.
box r state.3.desc 'MWAIT 0x20' state.2.desc 'MWAIT 0x01'
{
	many 3 9 2000 2000
	many 3 19 140000 150000
	many 2 9 9000 9000
} | samples_tsv r/samples.tsv
awk 'BEGIN { print "cc6_cyc" } NR > 1 { print ($12 == 2000 || $4 == 2) ? 0 : 500 }' r/samples.tsv >counter
paste r/samples.tsv counter >r/new && mv r/new r/samples.tsv
run "$wakelat" verdict -p 50 r
is "$(joined r/verdict.tsv n)" "10 20" "column n counts samples that reached the state, or all samples without a counter"
is "$(joined r/verdict.tsv not_reached)" "- 10" "column not_reached counts the others"
is "$(joined r/verdict.tsv p50)" "9000 140000" "p50 leaves out samples that did not reach the state"
is "$(joined r/verdict.tsv advertised_over)" "0 20" "advertised_over leaves out samples that did not reach the state"
like "$out" '^C6: 10 more samples did not reach the requested state' "the output says how many did not reach the state"
sed -i 's/	500$/	0/' r/samples.tsv
run "$wakelat" verdict -p 50 r
is "$(joined r/verdict.tsv n) $(joined r/verdict.tsv not_reached)" "10 30 - 30" \
	"a counter that never advances may not belong to the state: all samples count"

refused "name a directory" "verdict refuses to run without a directory" "$wakelat" verdict
refused "'50' is not a time" "a budget without unit is refused" "$wakelat" verdict d -b 50
refused "-b needs a value" "-b without a value is refused" "$wakelat" verdict d -b
refused "'0us' is not a time" "a budget of 0 is refused" "$wakelat" verdict d -b 0us
refused "'x' is none of cmdline" "an unknown word for --paste is refused" "$wakelat" verdict d --paste x
refused "tuned sets a limit, which needs a budget" "--paste of a limit without a budget is refused" "$wakelat" verdict d --paste tuned
refused "--quiet and --json" "--quiet with --json is refused" "$wakelat" verdict d -q --json
for bad in x 50,99 -5; do
	refused "'$bad' is not a percentage" "a wrong percentile is refused: '$bad'" "$wakelat" verdict d -p "$bad"
done
refused "-p needs a value" "an empty percentage is refused" "$wakelat" verdict d -p ''
refused "-p: '100' is not a percentage" "a percentile of 100 is refused" "$wakelat" verdict d -p 100
refused "unknown option '--percent'" "an unknown option is refused" "$wakelat" verdict d --percent=5
verdict_limited() (
	ulimit -f 0
	exec "$wakelat" verdict g
)
rm -f g/verdict.tsv
not_ok "verdict fails if it cannot write its table" verdict_limited
is "$(find g -name 'verdict*')" "" "verdict that cannot write its table leaves no file"
# Undecided because of the uncertainty of launch times: p99.9 is 49 us, the budget 50 us, the uncertainty 4.9 us.
box unsure
seq 10000 | awk '{ print 3, 1000, 40000 + $1 * 7919 % 9001, 50000, "-" }' | samples_tsv unsure/samples.tsv
yes 4900 | head -n 10000 | add_columns unsure/samples.tsv uncertainty
run "$wakelat" verdict unsure --budget 50us
is "$status $(of_file unsure/verdict.tsv C6 uncertain) $(of_file unsure/verdict.tsv C6 samples_to_decide)" "5 yes -" \
	"a budget within the uncertainty: no number of samples decides"
like "$out" '^C6: launch times are too uncertain to decide, with any number of samples' "a budget within the uncertainty: the output says so"
unlike "$out" 'What would decide' "a budget within the uncertainty: verdict does not advise more samples"
done_testing
