#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict judges each CPU by itself: the worst CPU decides and is named. With too few samples on a CPU, it judges all CPUs
# together and says so.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# cpus DIR COUNT CPUS [CPU=OVER]...: make a recording of C6 with COUNT wake-ups on each of CPUS CPUs. They take 30 us, and
# OVER wake-ups of CPU, at random places, 300 us.
cpus() {
	cpus_dir=$1
	mkdir -p "$1"
	run_tsv "$1/run.tsv" state.1.disabled 1 state.2.disabled 1 state.3.residency_ns 600000 cpus "0-$(($3 - 1))"
	sed -i 's/^emulated.*/emulated	no/' "$1/run.tsv"
	{
		printf '%s\n' "$samples_header" | tr ' ' '\t'
		awk -v n="$2" -v cpus="$3" -v longer="$*" 'BEGIN {
			OFS = "\t"
			words = split(longer, word, " ")
			for (i = 4; i <= words; i++) {
				split(word[i], pair, "=")
				over[pair[1]] = pair[2]
			}
			# Park and Miller random numbers choose the places: the same ones in each awk.
			x = 4711
			for (cpu in over)
				for (k = 0; k < over[cpu]; k += !longer_at[cpu, place]++) {
					do
						place = 1 + (x = x * 16807 % 2147483647) % n
					while ((cpu, place) in longer_at)
				}
			for (i = 1; i <= n; i++)
				for (cpu = 0; cpu < cpus; cpu++) {
					v = (cpu, i) in longer_at ? 300000 : 30000 + (x = x * 16807 % 2147483647) % 97
					print 1, cpu, "hrtimer", 3, i, 1000, 0, 0, 0, 0, 1000, v, v, 0, "-", 0, 0, 0
				}
		}'
	} >"$1/samples.tsv"
}

# of COLUMN...: print these columns of the first state in the verdict.tsv of the last recording
of() {
	for of_column; do
		column "$cpus_dir/verdict.tsv" "$of_column" | sed q
	done | paste -sd ' ' -
}

# line N: print line N of $out
line() {
	printf '%s\n' "$out" | sed -n "$1p"
}

# --- the worst CPU decides

# 1 % of the wake-ups on one of 16 CPUs are 0.06 % of all wake-ups.
cpus one 10000 16 5=100
run "$wakelat" verdict -b 50us one
is "$status$err" 4 "1 % of the wake-ups on one of 16 CPUs exceed p99.9: status 4"
is "$(line 1)" "EXCEEDED by C6 on CPU 5 (p99.9 longer than 50 us)" "the first line names this CPU"
like "$out" '^C6 \(CPU 5\) .* exceeded$' "the table shows this CPU"
like "$out" '^Each of 16 CPUs was judged by itself' "a line says that each CPU was judged by itself"
is "$(of cpus cpu cpus_over n machine_n budget_over limit_us advertised_verdict)" "16 5 1 10000 10000 100 - exceeded" \
	"the row of verdict.tsv is about this CPU"
run "$wakelat" verdict -b 50us --pooled one
is "$status $(line 1)" "0 KEPT by C6 (p99.9 not longer than 50 us)" "--pooled: all CPUs together keep the budget"
like "$out" '^All CPUs are judged together \(as asked for\), so one of them may be worse\.$' "--pooled: a line says so"
is "$(of cpus cpu n)" "- - 160000" "--pooled: all samples count"
like "$("$wakelat" verdict -b 50us --pooled -p 99.99 one)" '--budget 50us --percentile 99\.99 --pooled|EXCEEDED' \
	"--pooled is part of the command for --paste"
# 10 longer samples on each of 16 CPUs: exactly what p99.9 allows
cpus open 10000 16 0=10 1=10 2=10 3=10 4=10 5=10 6=10 7=10 8=10 9=10 10=10 11=10 12=10 13=10 14=10 15=10
like "$("$wakelat" verdict -b 50us --pooled open)" '^  wakelat record -o NEW --states C6 --for-verdict 50000ns:99\.9 --pooled --cpu 0-15' \
	"--pooled is part of the command for a new recording"
like "$("$wakelat" verdict -b 50us open)" '^  wakelat record -o NEW --states C6 --for-verdict 50000ns:99\.9 --cpu 0-15' \
	"without --pooled the new recording judges each CPU by itself"
cpus all 400 16 3=400
run "$wakelat" verdict -p 90 -b 50us all
is "$status $(line 1)" "4 EXCEEDED by C6 on CPU 3 (p90 longer than 50 us)" "p90: a CPU whose every wake-up is longer"
cpus two 10000 16 5=60 9=200 11=100
run "$wakelat" verdict -b 50us two
is "$(line 1)" "EXCEEDED by C6 on CPU 5 and 2 others (p99.9 longer than 50 us)" "three CPUs exceed the budget: one of them is named"
run "$wakelat" verdict -p max -b 50us two
is "$status $(of cpus_over max)" "4 3 300000" "-p max: the verdict is about the same CPUs"

# --- the thresholds: by R, qbinom(0.05 / 17, 10000, 0.001, lower.tail = FALSE) + 1 = 21 for 16 CPUs and all together; 17 for one;
# qbinom(0.05, 10000, 0.001) - 1 = 4 for kept

for over in 4 5 20 21; do
	cpus edge 10000 16 5=$over
	run "$wakelat" verdict -b 50us edge
	printf '%s:%s:%s ' "$over" "$status" "$(of budget_over)"
done >edges
is "$(cat edges)" "4:0:4 5:5:5 20:5:20 21:4:21 " "16 CPUs: one is kept up to 4 longer samples, and exceeds from 21 on"
for over in 4 5 15 16 17; do
	cpus edge 10000 1 0=$over
	run "$wakelat" verdict -b 50us edge
	printf '%s:%s:%s ' "$over" "$status" "$(of cpu)"
done >edges
is "$(cat edges)" "4:0:- 5:5:- 15:5:- 16:4:- 17:4:- " "one CPU: there is nothing to correct"
unlike "$out" 'of [0-9]+ CPUs|\(CPU 0\)|together' "one CPU: the output says nothing about several"

# --- too few samples on a CPU

cpus few 625 16 5=2
run "$wakelat" verdict -b 50us few
is "$status $(line 1)" "0 KEPT by C6 (p99.9 not longer than 50 us)" "625 samples on each of 16 CPUs: all together keep the budget"
like "$out" '^C6: 16 CPUs judged together: p99\.9 needs 2995 samples of each, and one has 625\.$' "a line says that they were judged together"
like "$out" '^CPU 5 differs most: 2 of its 625 wake-ups are longer than 50 us\.$' "a line names the CPU that differs most"
is "$(of cpus cpu n cpu_n_least cpu_differs)" "16 - 10000 625 5" "the columns have the same"
cpus few 625 16 5=7
run "$wakelat" verdict -b 50us few
is "$status $(of cpu)" "4 5" "too few samples to keep are enough to exceed: 7 of 625"
cpus few 625 16 0=4 1=4 2=4 3=4 4=4
run "$wakelat" verdict -b 50us few
is "$status $(of cpu cpu_n_least budget_over)" "5 - 625 20" "all CPUs together are corrected for 17 tests, too: 20 of 10,000 are undecided"
cpus few 625 16 0=4 1=4 2=4 3=4 4=4 5=1
run "$wakelat" verdict -b 50us few
is "$status $(of cpu budget_over)" "4 - 21" "all CPUs together exceed from 21 of 10,000 on"

# --- how many samples decide: of each CPU, as record -n counts them

cpus more 5000 4 2=3
run "$wakelat" verdict -b 50us more
is "$status $(of cpu)" "5 2" "3 of 5000 on one CPU: undecided"
wanted=$(of samples_to_decide)
# By R: the smallest n for which at most qbinom(0.8, n, 0.0006) longer samples are kept, is 26,000 to two digits.
is "$((wanted >= 20000 && wanted <= 33000))" 1 "samples_to_decide is about 26,000 of this CPU ($wanted)"

# --- wake-ups without a latency belong to the CPU that lost them

cpus lost 5000 4
sed -i '/^run\.1/d' lost/run.tsv
for cpu in 0 1 2 3; do
	printf 'run.1.cpu%s.samples\t%s\n' $cpu $((cpu == 2 ? 5030 : 5000))
done >>lost/run.tsv
run "$wakelat" verdict -b 50us --force lost
is "$(of budget_verdict cpu machine_n state_budget_verdict)" "exceeded 2 5030 kept" "30 missing samples of CPU 2 count as too long on this CPU"
cpus smi 10000 4
awk 'BEGIN { FS = OFS = "\t" } $2 == 1 && $5 % 1000 == 0 { $12 = $13 = 300000; $15 = "smi" } { print }' smi/samples.tsv >t && mv t smi/samples.tsv
run "$wakelat" verdict -b 50us smi
is "$status $(of budget_verdict cpu machine_n n)" "5 undecided 1 10000 9990" "10 SMIs on CPU 1: its verdict is undecided"

# --- counts have CPUs, too

"$wakelat" stats -q --counts one.counts one
"$wakelat" import -q -o counted one.counts
cpus_dir=counted
run "$wakelat" verdict -b 50us counted
is "$status $(of cpu cpus n)" "4 5 16 10000" "counts give the same verdict"
sed 's/^date.*/date	2026-02-02T03:04:05Z/; s/^hostname.*/hostname	other/' one/run.tsv >t && mkdir two_machines && mv t two_machines/run.tsv
awk -F '\t' 'NR == 1 || NR % 2' one/samples.tsv >two_machines/samples.tsv
"$wakelat" stats -q --counts two.counts two_machines
"$wakelat" merge -q -o merged.counts one.counts two.counts
"$wakelat" import -q -o merged merged.counts
cpus_dir=merged
run "$wakelat" verdict -b 50us merged
is "$(of cpus cpu)" "- -" "counts of several machines: CPUs with the same number are not one CPU"
like "$out" '^The CPUs of several machines are judged together' "counts of several machines: a line says so"
"$wakelat" report -q -b 50us -o merged.html merged
like "$(cat merged.html)" '^<p class="sure">The CPUs of several machines are judged together' "counts of several machines: the page says so"
# --- CPUs that were measured one after the other

# sorted_by_cpu DIR: sort the samples by CPU, as record --each-cpu records them
sorted_by_cpu() {
	sort -s -n -k 2,2 "$1/samples.tsv" >sorted && cat sorted >"$1/samples.tsv"
}

# CPU 3 takes 300 us in 2 % of its wake-ups, which is 0.5 % of all. The order of the CPUs does not matter.
cpus after 5000 4 3=100
run "$wakelat" verdict --pooled -p 99 -b 100us after
together=$(of effective_n high doubt)
is "$together" "20000 30096 -" "CPUs measured at the same time: all samples count"
sorted_by_cpu after
run "$wakelat" verdict --pooled -p 99 -b 100us after
is "$(of effective_n high doubt)" "$together" "CPUs measured one after the other: a CPU that differs is no cluster"
"$wakelat" stats -q after
is "$(column after/stats-ci.tsv effective_n | sort -u)" 20000 "stats: a CPU that differs is no cluster"
"$wakelat" stats -q --counts after.counts after
ok "counts: a CPU that differs is no cluster" awk -F '\t' '$1 == "order" && $6 > 0.01 { found = 1 } END { exit !found }' after.counts

# Something that delays all CPUs at the same time remains a cluster: one in ten of the spells of 20 wake-ups.
awk -F '\t' -v OFS='\t' 'BEGIN { for (x = 4711; i < 250; slow[i++] = x % 10 == 0) x = x * 16807 % 2147483647 }
	NR > 1 && slow[int(of_cpu[$2]++ / 20)] { $12 = $13 = 300000 } { print }' after/samples.tsv >episodes
cat episodes >after/samples.tsv
run "$wakelat" verdict --pooled -p 90 -b 100us after
ok "episodes of all CPUs at the same time are clusters: $(of effective_n)" awk -v n="$(of effective_n)" 'BEGIN { exit !(n < 600) }'
done_testing
