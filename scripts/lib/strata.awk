# SPDX-License-Identifier: GPL-2.0
# strata.awk - run.tsv samples.tsv: latencies that may be fitted together, in the order of recording. Writes those of
# stratum N into DIRECTORY/N, one a line, and prints a table of the strata. No arithmetic on 64-bit numbers.
#	-v counters=STATE=COUNTER,...	the counter that tells whether the state was reached
#	from the environment: strata_directory

function reached(state,  counter) {
	if (!(state in counter_at))
		return "-"
	counter = $counter_at[state]
	return counter == "-" ? "-" : counter == "0" ? "no" : "yes"
}

BEGIN {
	OFS = FS
	directory = ENVIRON["strata_directory"]
}

FNR == NR {
	if ($1 ~ /^state\.[0-9]+\.name$/) {
		split($1, key, ".")
		name[key[2]] = $2
	}
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	n = split(counters, list, ",")
	for (i = 1; i <= n; i++) {
		split(list[i], pair, "=")
		counter_at[pair[1]] = at[pair[2]]
	}
	next
}

$at["taint"] != "-" { next }

{
	metric = $at["wake_latency"] == "-" ? "intr_latency" : "wake_latency"
	if ($at[metric] == "-")
		next
	stratum = $at["source"] OFS $at["state"] OFS reached($at["state"]) OFS metric
	if (!(stratum in number)) {
		number[stratum] = ++strata
		order[strata] = stratum
	}
	print $at[metric] >(directory "/" number[stratum])
}

END {
	print "number", "source", "state", "reached", "metric", "name"
	for (i = 1; i <= strata; i++) {
		split(order[i], key, FS)
		print i, order[i], (key[2] in name ? name[key[2]] : "state" key[2])
	}
}
