#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The limit of 0, with which all CPUs poll: wakelat verdict names it only if the polling state was measured and keeps the budget.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# box DIR [KEY VALUE]...: make a recording of a real machine, without samples
box() {
	mkdir "$1"
	box_dir=$1
	shift
	run_tsv "$box_dir/run.tsv" "$@"
	sed -i 's/^emulated.*/emulated	no/' "$box_dir/run.tsv"
}

# many STATE N NS: print N samples of a state with this interrupt latency
many() { seq "$2" | sed "s/.*/$1 1000 - $3 -/"; }

pastes() {
	for what in sysfs qos wakeup cpupower tuned systemd udev crio; do
		"$wakelat" verdict "$@" --paste "$what" 2>/dev/null
	done
}

# --- polling was not measured

box d
{
	many 1 4000 1500
	many 2 4000 9000
} | samples_tsv d/samples.tsv
run "$wakelat" verdict d -b 1us
is "$status" 4 "C1 and C1E_x exceed 1 us"
like "$out" '^No limit can be named: C1 takes longer than 1 us; a limit of 0 allows only POLL, which was not measured\.$' \
	"a budget of 1 us: no state that sleeps keeps it, and polling was not measured, so there is no limit"
like "$out" '^  wakelat record -o NEW --states POLL,C1 --for-verdict 1000ns:99\.9 --cpu 0$' "the output has the command that measures polling"
is "$(column d/verdict.tsv limit_us | sort -u)$(pastes d -b 1us)" "-" "no limit: there is nothing to paste for any program"
run "$wakelat" verdict d -b 1us -p max
like "$out" '^No limit can be named' "-p max: no limit, too"
unlike "$out" '^To see whether polling' "-p max: no recording can show that polling keeps the budget"
run "$wakelat" verdict d -b 2us
like "$out" '^Latency limit: 2 us; C1 is the deepest state that it allows' "a greater limit does not need samples of polling"

# A recording of probe: probe measures polling with a latency limit of 0.
box p source timer run.1.cpu0.idle_periods 4000
many 1 4000 1500 | samples_tsv p/samples.tsv
like "$("$wakelat" verdict p -b 1us)" '^  wakelat probe -o NEW --latency-limit 0us' "a recording of probe: the command for probe"

# No state advertises 0.
box wfi state.0.name WFI state.0.latency_ns 1000
sed -i '/^state.0.*\(POLL\|	0\)$/d' wfi/run.tsv
many 0 4000 1500 | samples_tsv wfi/samples.tsv
like "$("$wakelat" verdict wfi -b 1us)" '^No limit can be named: WFI takes longer than 1 us; no state advertises 0 us' "no state that polls: no limit of 0"
echo 'imported_from	x.csv' >>wfi/run.tsv
like "$("$wakelat" verdict wfi -b 1us)" '^No limit can be named: WFI takes longer than 1 us; no state advertises 0 us' \
	"an import with all latencies: the same, and no advice to name them"
sed -i '/^state.3.latency_ns/d' wfi/run.tsv
{ many 0 4000 1500; many 3 4000 500; } | samples_tsv wfi/samples.tsv
like "$("$wakelat" verdict wfi -b 1us)" '^No limit can be named: WFI takes longer than 1 us; the data do not say .* \(import --states\)' \
	"an import without the latency of a state: how to name it"

# --- polling was measured

# POLL takes 0.9 us: with a budget of 1 us, a limit of 0 keeps the budget; with a budget of 0.5 us, nothing does.
box polls state.2.latency_ns 2000
{
	many 0 3000 900
	many 1 3000 1500
} | samples_tsv polls/samples.tsv
run "$wakelat" verdict polls -b 1us
like "$out" '^Latency limit: 0 us; it allows no state that sleeps, only POLL \(C1 takes longer than 1 us, C1E_x was not measured\)\.$' \
	"POLL was measured and keeps the budget: the limit is 0"
is "$("$wakelat" verdict polls -b 1us --paste sysfs | sed -n 's/.*echo \([^ ]*\) .*/\1/p')" "n/a" "limit 0 is written as n/a to sysfs, where 0 means no limit"
like "$("$wakelat" verdict polls -b 1us --paste tuned)" '^force_latency=0$' "limit 0 for tuned makes the CPU poll"
run "$wakelat" verdict polls -b 500ns
like "$out" '^No limit can be named: POLL takes longer than 0\.5 us, and no limit keeps the CPU out of it' "POLL exceeds the budget: there is no limit"


# C1 is undecided: more samples may show that it keeps the budget.
box open
{
	many 0 3000 900
	many 1 100 900
} | samples_tsv open/samples.tsv
run "$wakelat" verdict open -b 1us
like "$out" '^No limit can be named: C1 is undecided' "an undecided state does not justify a limit of 0"
done_testing
