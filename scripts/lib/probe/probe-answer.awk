# SPDX-License-Identifier: GPL-2.0
# probe-answer.awk - print a sentence for each state in stats.tsv, for readers who want no table, and for each CPU that was not
# idle. The first file has the lines of run.tsv with the counts of the CPUs. Needs us.awk.
#	-v cpus=LIST	the measured CPUs

FNR == 1 { file++ }

file == 1 {
	if ($1 ~ /^run[.]1[.]cpu[0-9]+[.]idle_periods$/ && $2 == 0) {
		split($1, key, ".")
		busy = busy "CPU " substr(key[3], 4) " was not idle once, so nothing is known about it.\n"
	}
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["n"] > 0 {
	n = $at["n"]
	metric = $at["wake_latency_max"] != "-" ? "wake_latency" : "intr_latency"
	until = metric == "intr_latency" ? " until the interrupt is handled" : ""
	longest = us($at[metric "_max"]) " us"
	line = "CPU " cpus
	if ($at[metric "_p50"] != "-") {
		line = line " takes " us($at[metric "_p50"]) " us to wake from " $1 until " (median)"
		if ($at[metric "_p99"] != "-")
			line = line ", in 99 of 100 cases at most " us($at[metric "_p99"]) " us"
		line = line "; the longest of " n " wake-ups took " longest
	} else if (n == 1) {
		line = line " took " longest " to wake from " $1 until " the only time it was measured"
	} else {
		line = line " took " longest " to wake from " $1 until " at most; that is the longest of only " n " wake-ups"
	}
	if ($at["advertised_ns"] != "-" && $at["advertised_ns"] > 0)
		line = line " (the driver says " us($at["advertised_ns"]) " us)"
	print line "."
}

END { printf "%s", busy }
