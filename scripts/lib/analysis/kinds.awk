# SPDX-License-Identifier: GPL-2.0
# kinds.awk - run.tsv, then statistics of the latencies by columns event and state (tools/bin/quantiles): print a table of
# states by what woke the CPU. In a state that is entered with interrupts on, the latency is intr_latency. Needs us.awk.

BEGIN { FS = "\t" }

FNR == NR {
	if ($1 ~ /^state\.[0-9]+\.name$/) {
		split($1, part, ".")
		name[part[2]] = $2
	}
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	printf "%-12s %-8s %9s %10s %10s\n", "woken by", "state", "n", "p50 us", "max us"
	next
}

{
	metric = $at["wake_latency_max"] == "-" ? "intr_latency" : "wake_latency"
	state = $at["state"]
	if ($at[metric "_max"] != "-")
		printf "%-12s %-8s %9d %10s %10s\n", $at["event"], state in name ? name[state] : state, $at["n"], \
			us($at[metric "_p50"]), us($at[metric "_max"])
}
