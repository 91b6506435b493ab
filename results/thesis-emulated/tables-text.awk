# SPDX-License-Identifier: GPL-2.0
# tables-text.awk - tables.tsv for people: the thesis's tables 6 to 10, each with what was measured beside it.

function flush_line(line) {
	sub(/ +$/, "", line)
	print line
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}
{
	if ($at["table"] != table) {
		table = $at["table"]
		printf "%sTable %d: maximum wake latency from %s, ns (emulated)\n", (FNR > 2 ? "\n" : ""), table, $at["state"]
		printf "%-10s %8s %11s %9s %9s %9s %6s  %s\n", "CPU", "thesis", "advertised", "injected", "measured",
			"samples", "error", "within bound"
		states[++n_states] = $at["state"]
	}
	flush_line(sprintf("%-10s %8d %11d %9d %9d%s %8d %3d..%d  %s", $at["cpu"], $at["thesis_ns"], $at["advertised_ns"],
		$at["injected_max_ns"], $at["measured_max_ns"], ($at["metric"] == "intr_latency" ? "*" : " "), $at["n"],
		$at["error_min_ns"], $at["error_max_ns"], $at["within"]))
	if (!($at["cpu"] in seen)) {
		seen[$at["cpu"]] = 1
		cpus[++n_cpus] = $at["cpu"]
	}
	starred = starred || $at["metric"] == "intr_latency"
	cell[$at["cpu"], $at["state"]] = $at["thesis_table10_ns"] " / " $at["measured_max_ns"]
	samples += $at["n"]
	tainted += $at["tainted"]
}
END {
	printf "\nTable 10: summary, thesis / measured, ns (emulated)\n%-6s", ""
	for (c = 1; c <= n_cpus; c++)
		printf " %17s", cpus[c]
	printf "\n"
	for (s = 1; s <= n_states; s++) {
		printf "%-6s", states[s]
		for (c = 1; c <= n_cpus; c++)
			printf " %17s", ((cpus[c], states[s]) in cell) ? cell[cpus[c], states[s]] : "-"
		printf "\n"
	}
	printf "\n%d samples, and %d tainted ones left out. advertised: exit latency of Linux 6.12's intel_idle. injected: the\n", samples, tainted
	printf "largest latency of the state in the truth log. error: measured minus injected, of each sample by itself.\n"
	if (starred)
		print "* interrupt latency: this state is entered with interrupts on, and its handler runs first."
	print "Table 10 disagrees with table 6 on C6 of three CPUs; the models follow table 6."
}
