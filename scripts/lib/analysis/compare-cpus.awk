# SPDX-License-Identifier: GPL-2.0
# compare-cpus.awk - stats.tsv stats-cpu.tsv: print how many CPUs of a recording are compared together, and
# which of them differs most from all. Needs us.awk.
#	from the environment: name (of the recording)
# The line describes the samples: the CPU that differs most may do so by chance.

FNR == 1 {
	file++
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	metric = "latency_min" in at ? "latency" : $at["wake_latency_min"] == "-" ? "intr_latency" : "wake_latency"
	for (k = split("p50 p90 p99", what, " "); k >= 1; k--) {
		value = $at[metric "_" what[k]]
		key = $1 SUBSEP metric SUBSEP what[k]
		if (file == 1) {
			all[key] = value
			continue
		}
		if (!known[$at["cpu"]]++)
			cpus++
		# Intervals of histograms have no relative difference.
		if (value ~ /^[0-9.]+$/ && value !~ /[.][.]/ && all[key] + 0 > 0) {
			apart = value > all[key] + 0 ? value / all[key] : value > 0 ? all[key] / value : 0
			if (apart > most) {
				most = apart
				text = sprintf("; CPU %s differs most (%s, %s: %s us, all CPUs: %s us)", $at["cpu"], $1, what[k], us(value),
					us(all[key]))
			}
		}
	}
}

END {
	printf "%s: %d CPUs are compared together%s; to compare one: --where cpu==CPU\n", ENVIRON["name"], cpus,
		(most > 1.01 ? text : "; none differs by more than 1 %")
}
