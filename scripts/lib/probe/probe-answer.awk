# SPDX-License-Identifier: GPL-2.0
# probe-answer.awk - print a sentence for each state in stats.tsv, for readers who want no table. Needs us.awk.
#	-v cpus=LIST	the measured CPUs

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["n"] > 0 {
	metric = $at["wake_latency_max"] != "-" ? "wake_latency" : "intr_latency"
	line = "CPU " cpus " takes "
	if ($at[metric "_p50"] != "-")
		line = line us($at[metric "_p50"]) " us to wake from " $1
	else
		line = line "up to " us($at[metric "_max"]) " us to wake from " $1
	if (metric == "intr_latency")
		line = line " until the interrupt is handled"
	if ($at[metric "_p99"] != "-")
		line = line ", in 99 of 100 cases at most " us($at[metric "_p99"]) " us"
	if ($at[metric "_p50"] != "-")
		line = line ", the longest of " $at["n"] " " us($at[metric "_max"]) " us"
	if ($at["advertised_ns"] != "-" && $at["advertised_ns"] > 0)
		line = line " (the driver says " us($at["advertised_ns"]) " us)"
	print line "."
}
