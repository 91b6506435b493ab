#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat report --mail: the block is complete, has at most 72 columns, and does not identify the machine. The line "Not measured
# to" is also in the tables and in the page of report.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

mkdir run
awk 'BEGIN { for (i = 1; i <= 4000; i++) {
	print 1, i * 1000 + 50000, "-", 2600 + i * 7 % 90, "-"
	print 3, i * 1000 + 50000, 133000 + (i * 7919 % 1000), 134000, i % 90 ? "-" : "smi" } }' | samples_tsv run/samples.tsv
run_tsv run/run.tsv
sed -i '/^\(emulated\|source\|cpus\|hostname\|cmdline\|kernel\|cpu_model\|state\.3\.\|lost_\|governor\|driver\)/d' run/run.tsv
cat >>run/run.tsv <<'END_RUN'
emulated	no
hostname	secret-host
cmdline	root=/dev/secret
kernel	6.12.9-secretcompany
cpu_model	A Xeon whose name is so long that it does not fit into one line of a mail, nor into two of them without being wrapped
driver	intel_idle
governor	menu
source	tsc_deadline
cpus	3
lost_overrun	7
state.3.name	C6
state.3.latency_ns	133000
state.3.residency_ns	600000
state.3.disabled	0
state.3.usage	2000
state.3.above	50
state.3.below	3
END_RUN
run "$wakelat" report --mail run
is "$status$err" 0 "report --mail succeeds"
printf '%s\n' "$out" >block
is "$(awk 'length($0) > 72' block)" "" "the block has at most 72 columns"
unlike "$(LC_ALL=C tr -d '\n\040-\176' <block | od -c | head -n 1)" '[^0 ]' "the block is plain ASCII text"
unlike "$out" secret "the block has no hostname, command line or suffix of the kernel's version"
like "$out" '^CPU      A Xeon whose name' "the block has the CPU"
like "$out" '^Kernel   Linux 6\.12\.9, driver intel_idle, governor menu' "the block has the kernel, its driver and governor"
like "$out" '^Method   source tsc_deadline \(woken by the TSC deadline timer\), CPU 3' "the block has the method"
like "$(paste -sd ' ' block | tr -s ' ')" 'Count 8007 wake-ups, all judged, of them 44 smi; counted as too long: 7 lost ' "the block says how many wake-ups were judged, tainted and lost"
like "$out" '^C6 +133 +600 +2000 +2\.5 % +0\.1 %$' \
	"the row of a state has advertised latency, residency, usage, too deep and too shallow"
like "$out" '^C6 +133\.[0-9]+ +1[0-9.]+ +1[0-9.]+ \.\. 1[0-9.]+ +1[0-9.]+ +3956$' "the row of a state has median, p99.9 with its interval, maximum and n"
like "$out" '^[^ ]+ \(i\) +2\.[0-9]+ ' "a state that has only an interrupt latency is marked (i)"
like "$(paste -sd ' ' block | tr -s ' ')" 'C6: p99\.9 is above the advertised 133 us; chance of a wrong verdict: at most 5 %' "the block has the verdict and the chance that it is wrong"
like "$(paste -sd ' ' block)" 'Not measured: wake-ups by devices or other CPUs \(a CPU can foresee +its +timer\); other CPUs and packages \(measured: CPU 3\)\.' \
	"the block says that wake-ups by devices, other CPUs and packages were not measured"
like "$out" '^Latency +median +p99\.9 +bounds of p99\.9 +max +n$' "the header names the percentile of the bounds"
like "$out" '^bounds: each is wrong with a probability of 5 % at most$' "the block says how often a bound is wrong"
cp -r run wakers
sed -i 's/^source	.*/source	passive/' wakers/run.tsv
run "$wakelat" report --mail wakers
like "$out" '[(]woken by any timer that the machine has[)]' "source passive: any timer"
unlike "$out" 'ahead' "source passive: no event is armed ahead"
printf 'woken_by\ttimer,flag,ipi\n' >>wakers/run.tsv
run "$wakelat" report --mail wakers
like "$out" '[(]woken by any timer, or another CPU[)]' "source passive with wake-ups by other CPUs: the block says so"
cp -r run bare
sed -i 's/^driver	.*/driver	none/; /^state\.[0-9]*\.\(latency_ns\|residency_ns\|usage\|above\|below\|disabled\)/d; s/^state\.3\.name	.*/state.3.name	default idle/; s/^state\.1\.name	.*/state.1.name	POLL/' bare/run.tsv
run "$wakelat" report --mail bare
like "$out" 'default idle \(no cpuidle driver' "a machine without a cpuidle driver: the block says so"
unlike "$out" 'too deep|residency' "a machine without a cpuidle driver: the block has no table of states"
like "$out" '^default idle +133\.' "the name of a state with a blank is whole"
like "$(printf '%s' "$out" | tr -s '\n ' ' ')" 'default idle: no advertised latency Made by' "a state without an advertised latency has no verdict"
unlike "$out" 'chance of a wrong verdict' "a state without an advertised latency has no chance of a wrong verdict"
ok "--mail -o writes the same block" sh -c "'$wakelat' report --mail -o block2 run && cmp block block2"
run "$wakelat" report --mail --budget 5us run
is "$status" 2 "--mail with another option is wrong usage"

# limits KEY VALUE: print the line "Not measured" of the recording with this value in run.tsv
limits() {
	rm -rf other
	cp -r run other
	sed -i "/^$1	/d" other/run.tsv
	printf '%s\t%s\n' "$1" "$2" >>other/run.tsv
	"$wakelat" stats --all other | grep '^Not measured: '
}
like "$(limits emulated yes)" 'real CPUs \(this one is emulated\)' "a recording from an emulator measures no real CPU"
like "$(limits emulated hypervisor)" "the CPU's own idle states \(contains the hypervisor\)" "a recording from a guest does not measure the CPU's own idle states"
like "$(limits driver artificial)" 'real idle states \(these are artificial\)' "a recording of artificial states measures no real state"
like "$(limits source i210)" 'wake-ups by timers' "a recording with a card does not measure wake-ups by timers"
unlike "$(limits cpus -)" 'measured: CPU' "unknown CPUs are not named"
sed -n 1,200p run/samples.tsv >other/samples.tsv
like "$("$wakelat" stats other | grep '^Not measured')" 'p99\.9' "the short table names a percentile that has too few samples"
like "$("$wakelat" stats --all other | grep '^Not measured')" 'p99\.9 \([0-9]+ of the 2995 samples that it needs\)' "the full table says how many samples the percentile needs"
like "$("$wakelat" verdict run)" '^Not measured: ' "verdict has the line"
"$wakelat" report -q -o page.html run
like "$(cat page.html)" '<p class="sure">Not measured: ' "the page has the line"
for set in ivt-wult/nic ivt-wult/tdt kvm-guest/timer-halting kvm-guest/wake-halting kvm-guest/passive-halting; do
	is "$(awk 'length($0) > 72' "$top/results/$set/mail.txt")" "" "results/$set/mail.txt: 72 columns"
done
done_testing
