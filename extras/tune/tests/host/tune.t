#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat tune: the parts that run on any machine.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${status=}"
. "$top/tests/lib/tables.sh"

wakelat=$top/scripts/wakelat
extra=$top/extras/tune
cd "$tmp" || exit 1

# wrong COMMAND ERE OPTION...: check that the command refuses the options before it looks at anything else.
wrong() {
	wrong_command=$1
	wrong_ere=$2
	shift 2
	refused "^wakelat $wrong_command: $wrong_ere" "$wrong_command refuses options: $*" "$wakelat" "$wrong_command" "$@"
	is "$status" 2 "$wrong_command $*: status"
}
wrong tune '--budget is missing'
wrong tune "-b: '50' is not a time" -b 50
wrong tune "--budget: '0us' is not a time" --budget 0us
wrong tune "--percentile: 'p99' is neither" -b 1us --percentile p99
wrong tune "--percentile: 100 is not a percentage from 50 to below 100" -b 1us --percentile 100
wrong tune "--intervals: '1ms' is not MIN:MAX" -b 1us --intervals 1ms
wrong tune "--intervals: 2ms is more" -b 1us --intervals 2ms:1ms
wrong tune "--cyclictest: '5' is not" -b 1us --cyclictest 5

# The choice: a value behind one that exceeds the budget is not chosen, even if it keeps the budget itself.
# choice WANTED BUDGET WORST...: check the choice. The values are 1, 2, ... in the table's order.
choice() {
	wanted=$1
	budget=$2
	shift 2
	{
		printf 'knob\tvalue\tworst_intr_latency\n'
		i=0
		for worst; do
			i=$((i + 1))
			printf 'qos\t%d\t%s\n' "$i" "$worst"
		done
	} >table
	is "$(awk -F '\t' -v budget="$budget" -f "$extra/choose.awk" table | tail -n 1)" "$wanted" "choice of $* for $budget"
}
choice 2 50000 3000 50000 134000
choice 3 200000 3000 11000 134000
choice '' 2000 3000 11000 134000
choice '' 15000 21000 11000 134000
choice 1 50000 3000 81000 11000
choice 1 50000 3000 - 11000

# cyclictest prints whole us, rounded down.
{
	printf '# Histogram\n000001 000000\n000012 000090\n000020 000010\n# Total: 000000100\n'
	printf '# Min Latencies: 00012\n# Avg Latencies: 00012\n# Max Latencies: 00020\n# Histogram Overflows: 00000\n'
} >cyclictest
# bounds_of PERCENTILE FILE: print the bounds as tune calculates them.
bounds_of() (
	percentile=$1
	tools=$top/tools/bin
	work_dir=$tmp
	here=$top/scripts
	points=$tmp
	rows=$tmp
	: "$percentile" "$tools" "$work_dir" "$here" "$points" "$rows"
	# shellcheck source=extras/tune/verify.sh
	. "$extra/verify.sh"
	cyclictest_bounds "$2"
)
is "$(bounds_of 99.99 cyclictest)" "100 max 20000 21000" "cyclictest: p99.99 of too few samples is the maximum"
is "$(bounds_of 90 cyclictest)" "100 p90 12800 13800" "cyclictest: p90 is between the 90th and 91st sample"
sed 's/Overflows: 00000/Overflows: 00001/; s/Max Latencies: 00020/Max Latencies: 09999/' cyclictest >overflow
is "$(bounds_of max overflow)" "101 max 9999000 10000000" "cyclictest: an overflow counts as a sample"
is "$(printf 'nothing\n' >other; bounds_of max other 2>/dev/null)" "" "cyclictest: without a histogram there are no bounds"

# verdict_of ABOVE: verify p99.9 of 10,000 wake-ups, of which ABOVE are longer than the budget of 50 us.
verdict_of() (
	percentile=99.9
	tools=$top/tools/bin
	work_dir=$tmp
	here=$top/scripts
	points=$tmp/verified
	rows=$tmp
	budget=50000
	knob=qos
	: "$percentile" "$tools" "$work_dir" "$here" "$points" "$rows" "$budget" "$knob"
	# shellcheck source=extras/tune/verify.sh
	. "$extra/verify.sh"
	point_name() { printf 'qos-10us\n'; }
	mkdir -p "$points/qos-10us"
	{
		printf 'source\tstate\tintr_latency\ttaint\n'
		seq 10000 | awk -v above="$1" '{ print "hrtimer\t2\t" ($1 * 7919 % 10007 < above ? 60000 : 20000) "\t-" }'
	} >"$points/qos-10us/samples.tsv"
	[ -z "${2-}" ] || sed -i "$2" "$points/qos-10us/samples.tsv"
	bounded 10 | cut -d ' ' -f "${3-1,2}"
)
is "$(verdict_of 4)" "kept 20000" "verification: few wake-ups above the budget: kept"
is "$(verdict_of 10)" "undecided 60000" "verification: as many wake-ups above the budget as p99.9 allows: undecided"
is "$(verdict_of 17)" "exceeded 60000" "verification: many wake-ups above the budget: exceeded"

# Five series of three wake-ups of 49 us: within the budget, but how often they come is not known (wakelat verdict: DOUBT).
is "$(verdict_of 0 "$(seq 2001 2000 10001 | sed 's/.*/&,+2s\/20000\/49000\/;/')" 2,5)" "49000 clusters" \
	"verification: the longest wake-ups come in five clusters: the result is in doubt"
is "$(verdict_of 4 '' 2,5,6)" "20000 - 10000" "verification: few wake-ups above the budget, spread over the recording: no doubt"

# One episode of 100 wake-ups of 49 us among 10,000: they are worth fewer than the 2,995 that p99.9 needs.
like "$(verdict_of 0 '2001,2100s/20000/49000/' 1-6)" '^undecided - 10000 2995 clusters [0-9]{1,3}$' \
	"verification: wake-ups that depend on each other are undecided, with their effective number"
# told VERDICT BOUND: print what tune says about a verification of p90.
told() (
	percentile=90
	limit_verified=$1
	limit_bound=$2
	me=tune
	work_dir=$tmp
	here=$top/scripts
	cpu_name=box
	budget=50000
	: "$budget" "$percentile" "$limit_verified" "$limit_bound" "$me" "$work_dir" "$here" "$cpu_name"
	# shellcheck source=extras/tune/report.sh
	. "$extra/report.sh"
	bound_text | head -n 2 | paste -sd ' ' -
)
# 200 wake-ups are worth 8, so 29 need 200 * 29 / 8 = 725.
is "$(told undecided '- 200 29 clusters 8')" "UNDECIDED: a second recording did not exceed the budget, but its wake-ups depend on \
each other: 200 of them count as at least 8 independent ones, and p90 needs 29 (try -n 725)." \
	"verification: says that wake-ups depend on each other, and how many would be enough"
like "$(told undecided '- 20 29 - 20')" ' but 20 wake-ups are too few .*\(p90 needs at least 29; -n\)\.$' \
	"verification: says that wake-ups are too few"
like "$(told undecided '60000 200 29 - 100')" ' but 200 wake-ups are too few or too near the budget ' \
	"verification: enough independent wake-ups, too near the budget"

# --- the cost of a limit
{
	printf 'knob\tvalue\tresidency_POLL_pct\tresidency_C6_pct\tpower_w\tpower_from\n'
	printf 'qos\t2\t95.00\t0.00\t22.50\trapl\nqos\tnone\t0.10\t94.90\t12.50\trapl\n'
} >sweep.tsv
is "$(awk -F '\t' -v chosen=2 -f "$extra/cost.awk" sweep.tsv | paste -sd ' ' -)" \
	"Cost of the limit in residency: POLL 0.10 -> 95.00 %, C6 94.90 -> 0.00 %. Power (rapl): 12.50 W -> 22.50 W, +10.00 W." \
		"cost.awk prints the cost of the chosen value in residency and power"

# --- the table's columns
sed -n "s/.*'\\(step\\\\t[a-z_\\\\]*\\)\\\\n'.*/\\1/p" "$extra/tune" | head -n 1 | xargs -0 printf '%b' >tune.tsv
ok "the command has the header of its table" test -s tune.tsv
fits_schema tune.tsv
done_testing
