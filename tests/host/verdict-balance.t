#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict accounts for every wake-up: tainted, uncertain, dependent and lost ones are judged or named in its first lines.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# box DIR [KEY VALUE]...: make a recording of C6 on a real machine.
box() {
	box_dir=$1
	shift
	mkdir "$box_dir"
	run_tsv "$box_dir/run.tsv" state.1.disabled 1 state.2.disabled 1 "$@"
	sed -i 's/^emulated.*/emulated	no/' "$box_dir/run.tsv"
}

# of DIR COLUMN...: print these columns of the first state in verdict.tsv.
of() {
	of_file=$1/verdict.tsv
	shift
	for of_column; do
		awk -F '\t' -v name="$of_column" '
			NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
			NR == 2 { print $at }' "$of_file"
	done | paste -sd ' ' -
}

# line N: print line N of $out.
line() {
	printf '%s\n' "$out" | sed -n "$1p"
}

# --- wake-ups with an SMI count for the machine, not for the state

box smi
seq 10000 | awk '{ smi = $1 % 5 == 0; v = smi ? 300000 : 30000; print 3, 1000, v, v, smi ? "smi" : "-" }' | samples_tsv smi/samples.tsv
run "$wakelat" verdict -b 60us smi
is "$status$err" 4 "a wake-up with an SMI is above the budget: exceeded"
is "$(line 1)" "EXCEEDED by C6 (p99.9 longer than 60 us); C6 exceeds the budget because of SMIs: 20 % of the wake-ups had one, up to 300 us; without them it keeps the budget" \
	"SMIs: the first line names them as the cause"
is "$(line 3)" "10000 wake-ups, all judged, of them 2000 smi." "SMIs: the third line counts them"
is "$(of smi state_budget_verdict budget_verdict n machine_n max machine_max)" "kept exceeded 8000 10000 30000 300000" \
	"SMIs: a verdict for the state alone, and one for the machine"
is "$(of smi advertised_verdict measured_by unknown_by other_by)" "kept smi=2000 - -" \
	"SMIs: the advertised latency is judged by the state alone"
like "$out" '^No limit can be named: C6 takes longer than 60 us; a limit of 0 allows only POLL' "SMIs: no limit is named, as C6 exceeds the budget with its SMIs"
run "$wakelat" verdict -b 400us smi
is "$status" 0 "a budget above the SMIs is kept"
like "$out" '^ as it is +300\.000 .* kept$' "the printed table has a row for the machine with its SMIs"
if command -v python3 >/dev/null; then
	"$wakelat" verdict --json -b 60us smi >j.json
	is "$(python3 -c 'import json; j = json.load(open("j.json")); s = j["states"][0]; print(j["answer"][0]["verdict"], s["machine_n"], s["state_budget_verdict"], [(b["class"], b["reason"], b["count"]) for b in j["balance"]])')" \
		"exceeded 10000 kept [('measured', 'smi', 2000), ('judged', 'clean', 8000)]" "--json has both verdicts"
fi
"$wakelat" stats -q --counts smi.counts smi
"$wakelat" import -o smic smi.counts >/dev/null
run "$wakelat" verdict -b 60us smic
is "$status $(of smic budget_verdict machine_n state_budget_verdict)" "4 exceeded 10000 kept" "counts give the same verdicts"

# An SMI whose sample has no latency may have been of any length.
box blind
seq 4000 | awk '{ v = $1 % 40 ? 30000 : "-"; print 3, 1000, v, v, v == "-" ? "smi" : "-" }' | samples_tsv blind/samples.tsv
run "$wakelat" verdict -b 60us blind
is "$status $(of blind n machine_n unknown_by state_budget_verdict)" "4 3900 4000 no_latency=100 kept" \
	"SMIs without a latency count as longer than the budget"
is "$(line 3)" "4000 wake-ups, all judged; counted as too long: 100 no latency." "SMIs without a latency: the third line counts them"
"$wakelat" stats -q --counts blind.counts blind
"$wakelat" import -q -o blindc blind.counts
run "$wakelat" verdict -b 60us blindc
is "$status $(of blindc machine_n unknown_by)" "4 4000 no_latency=100" "SMIs without a latency: counts give the same verdict"

# --- each wake-up is counted under one reason

box why
seq 10000 | awk '{ t = $1 % 1000 ? "-" : $1 % 3000 == 0 ? "foreign_irq,smi" : $1 % 2000 == 0 ? "nmi,smi" : $1 == 1000 ? "warmup" : "broadcast"
	v = t == "broadcast" ? "-" : 30000; print 3, 1000, v, v, t }' | samples_tsv why/samples.tsv
run_tsv why/run.tsv run.1.cpu0.armed 10020 run.1.cpu0.samples 10000 run.1.cpu0.not_idle 7 run.1.cpu0.late 5 run.1.cpu0.order 4 \
	run.1.cpu0.limited 2 run.1.cpu0.lost 1
run "$wakelat" verdict -b 60us why
is "$(line 3)" \
	"10020 wake-ups, 10001 judged, of them 4 nmi; counted as too long: 2 broadcast, 4 order, 1 lost; left out: 3 foreign irq, 1 warmup, 1 under way, 7 not idle, 5 late, 2 limited." \
	"each wake-up has one reason"
is "$(of why wakeups judged left_out n machine_n)" "10020 10001 19 9990 10001" "judged and left out add up to all wake-ups"

box lost
seq 9000 | sed 's/.*/3 1000 30000 30000 -/' | samples_tsv lost/samples.tsv
run_tsv lost/run.tsv run.1.cpu0.samples 9050
run "$wakelat" verdict -b 60us lost
is "$status" 3 "missing samples: status 3"
like "$(line 1)" '^EXCEEDED by C6 .*C6 exceeds the budget because 50 wake-ups have no latency and count as longer; without them it keeps the budget$' \
	"missing samples count as above the budget"
is "$(line 4)" "9050 wake-ups, all judged; counted as too long: 50 missing." "the fourth line counts missing samples"
is "$(line 2)" "INCOMPLETE: samples are missing from the recording." "the second line says INCOMPLETE"

box overrun lost_overrun 2
seq 9000 | sed 's/.*/3 1000 30000 30000 -/' | samples_tsv overrun/samples.tsv
run "$wakelat" verdict -b 60us overrun
is "$status" 5 "lost events: status 5"
like "$(line 2)" '^INCOMPLETE: 2 events were lost while recording\.$' "the second line counts lost events"
run "$wakelat" verdict --force -b 60us overrun
is "$status" 0 "--force: the remaining samples are judged"

# --- each recording of results/: judged and left out add up to all samples and all events without a sample

for file in "$top"/results/*/data/*/samples.tsv.xz; do
	name=${file#"$top"/results/}
	name=$(dirname "$name" | tr / -)
	mkdir "$name"
	cp "$(dirname "$file")/run.tsv" "$name"
	xz -dc "$file" >"$name/samples.tsv"
	"$wakelat" verdict -q --budget 50us "$name" 2>said
	all=$(awk -F '\t' -v rows="$(($(wc -l <"$name/samples.tsv") - 1))" '
		$1 ~ /^run\.[0-9]+\.cpu[0-9]+\.armed$/ { armed += $2 }
		$1 ~ /^run\.[0-9]+\.cpu[0-9]+\.(late|other_clock|other_wakeups|unknown_timer|surplus)$/ { others += $2 }
		$1 == "cut_periods" { others += $2 }
		END { print armed ? armed : rows + others }' "$name/run.tsv")
	is "$(of "$name" wakeups)" "$all" "$name: column wakeups counts all samples and all events without a sample"
	is "$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["judged"] + $at["left_out"] }' "$name/verdict.tsv")" \
		"$all" "$name: judged and left out add up to column wakeups"
done

# --- uncertainty

box sure
seq 10000 | sed 's/.*/3 1000 49000 49000 -/' | samples_tsv sure/samples.tsv
cp -R sure vague
seq 10000 | sed 's/.*/4900/' | add_columns vague/samples.tsv uncertainty
run "$wakelat" verdict -b 50us sure
is "$status" 0 "49 us known exactly: 50 us are kept"
run "$wakelat" verdict -b 50us vague
is "$status $(of vague low high uncertainty_ns)" "5 44100 53900 4900" "49 us known to 4.9 us: undecided"
like "$out" '^The uncertainty of launch times widens the bounds by at most: C6 4\.9 us\.$' \
	"a line states how much the uncertainty widens the bounds"
run "$wakelat" verdict -b 53900ns vague
is "$status" 0 "a budget above the uncertainty is kept"
run "$wakelat" verdict -b 44us vague
is "$status" 4 "a budget below the uncertainty is exceeded"
# Each sample has its own uncertainty. So one uncertain sample does not widen the bounds of p99.9.
seq 10000 | awk '{ print $1 == 77 ? 4900 : 10 }' >u
cp -R sure mixed && add_columns mixed/samples.tsv uncertainty <u
run "$wakelat" verdict -b 50us mixed
is "$status $(of mixed low high)" "0 48990 49010" "one uncertain sample does not widen the bounds"

# --- dependence

box runs
seq 10000 | awk '{ v = ($1 >= 3000 && $1 < 3010) || ($1 >= 8000 && $1 < 8010) ? 300000 : 30000; print 3, 1000, v, v, "-" }' |
	samples_tsv runs/samples.tsv
run "$wakelat" verdict -b 60us runs
is "$status $(of runs doubt effective_n)" "5 clusters 1187" "20 long wake-ups in two series of ten: undecided"
like "$out" '^DOUBT: C6: ' "20 long wake-ups in two series of ten: DOUBT"
box spread
seq 10000 | awk '{ v = $1 * 7919 % 10007 < 20 ? 300000 : 30000; print 3, 1000, v, v, "-" }' | samples_tsv spread/samples.tsv
run "$wakelat" verdict -b 60us spread
is "$status $(of spread doubt effective_n)" "4 - 10000" "20 long wake-ups spread over the recording: exceeded"

# 400 samples are enough for p99 (368 needed) if they are independent. If not, as many again would not decide either.
box few
seq 400 | awk '{ v = int(($1 - 1) / 10) % 4 == 3 ? 40000 : 30000; print 3, 1000, v + $1 % 7, v, "-" }' | samples_tsv few/samples.tsv
run "$wakelat" verdict -p 99 -b 50us few
worth=$(of few effective_n)
is "$status $(of few budget_verdict doubt) $((worth > 20 && worth < 200))" "5 undecided - 1" "400 dependent samples: undecided"
wanted=$(of few samples_to_decide) least=$((299 * 400 / worth))
[ "$least" -gt 3000 ] || least=3000
is "$((wanted >= least && wanted < 2 * least))" 1 "samples_to_decide grows as the effective number shrinks"
like "$out" "^  wakelat record -o NEW --each-state --states C6 -n $wanted --cpu 0\$" \
	"the record command has this number of samples"

# Enough samples to decide, but too few to see bursts.
box little
for n in 400 2999 3000; do
	seq "$n" | awk '{ print 3, 1000, 30000 + $1 % 7, 30000, "-" }' | samples_tsv little/samples.tsv
	run "$wakelat" verdict -p 99 -b 50us little
	printf '%s:%s %s %s\n' "$n" "$status" "$(of little doubt)" "$(printf '%s\n' "$out" | grep '^DOUBT')"
done >little.said
is "$(cat little.said)" "400:0 few DOUBT: C6: too few samples to see bursts of long wake-ups: 3000 are needed.
2999:0 few DOUBT: C6: too few samples to see bursts of long wake-ups: 3000 are needed.
3000:0 - " "a verdict on fewer than 3000 samples is in doubt"
run "$wakelat" verdict -b 50us --json little
like "$out" '"doubt": ?null' "--json has the doubt, or null"

# --- a state entered with interrupts on and off

box both
seq 10000 | awk '{ w = $1 <= 1000 ? 20000 : "-"; print 3, 1000, w, $1 % 100 == 0 ? 70000 : 30000, "-" }' | samples_tsv both/samples.tsv
run "$wakelat" verdict -b 60us both
is "$(of both metric n budget_over budget_over_pct mixed)" "intr_latency 10000 100 1.0000 yes" \
	"both kinds of entry: all samples are judged by their interrupt latency"
like "$out" '^C6: entered with interrupts on and off\. Shown: the interrupt latency of both\.$' \
	"both kinds of entry: a line says so"

# --- 10^10 pooled samples

box many
samples_tsv many/samples.tsv <<'END'
3 1000 30000 30000 -
3 1000 70000 70000 -
END
"$wakelat" stats -q --counts many.counts many
"$wakelat" import -o pooled many.counts >/dev/null
sed -i '/	30000	1$/s/1$/9999999999/; /	samples	-	2$/s/2$/10000000000/' pooled/counts.tsv
run "$wakelat" verdict -b 60us pooled
is "$status$err" 0 "10^10 samples: kept, without a message"
is "$(of pooled n budget_over budget_over_most_pct)" "10000000000 1 4.74e-08" \
	"10^10 samples, one above the budget: the share is not printed as 0"
like "$out" ' 1 in 21097[0-9]{5} ' "10^10 samples: the bound is about one in 2 * 10^9"
done_testing
