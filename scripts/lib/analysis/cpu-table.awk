# SPDX-License-Identifier: GPL-2.0
# cpu-table.awk - stats-cpu.tsv: print a row for each state and CPU, for people. A row shows the first
# metric that the state has on this CPU. Needs us.awk.
#	-v source=NAME	only rows of this source

# Intervals need wider columns than values.
function line(state, cpu, n, low, p50, p99, high, tainted,  values, form) {
	form = "%-14s %5s %9s %Ws %Ws %Ws %Ws %9s\n"
	values = "latency_min" in at ? 20 : 11
	gsub(/W/, values, form)
	printf form, state, cpu, n, low, p50, p99, high, tainted
}

function of(what) {
	what = metric "_" what
	return what in at ? us($at[what]) : "-"
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	if (!("wake_latency_min" in at) && !("intr_latency_min" in at) && !("latency_min" in at))
		exit
	print "\nBy CPU (us)"
	line("state", "CPU", "N", "min", "p50", "p99", "max", "tainted")
	next
}

$at["source"] == source {
	metric = "latency_min" in at ? "latency" : !("wake_latency_min" in at) || \
		($at["wake_latency_min"] == "-" && "intr_latency_min" in at && $at["intr_latency_min"] != "-") ? "intr_latency" : "wake_latency"
	line($1 (metric == "intr_latency" ? " (intr.)" : ""), $at["cpu"], $at["n"], of("min"), of("p50"), of("p99"), of("max"),
		$at["tainted"])
}
