# SPDX-License-Identifier: GPL-2.0
# kinds.awk - run.tsv, then samples.tsv with a column event: print lines "state event latency", in ns, of the untainted samples.
# In a state that is entered with interrupts on, the latency is intr_latency. With -v sorted=1: read these lines in order,
# and print a table. Needs us.awk.

BEGIN { FS = OFS = "\t" }

sorted {
	key = $1 FS $2
	if (key != last)
		keys[++nr] = key
	last = key
	latency[key, ++n[key]] = $3
	next
}

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
	if (!("event" in at))
		exit
	next
}

$at["taint"] == "-" {
	ns = $at["wake_latency"] == "-" ? $at["intr_latency"] : $at["wake_latency"]
	state = $at["state"]
	if (ns != "-")
		print state in name ? name[state] : state, $at["event"], ns
}

END {
	if (!sorted || !nr)
		exit
	printf "%-12s %-8s %9s %10s %10s\n", "woken by", "state", "n", "p50 us", "max us"
	for (i = 1; i <= nr; i++) {
		split(keys[i], part, FS)
		m = n[keys[i]]
		printf "%-12s %-8s %9d %10s %10s\n", part[2], part[1], m, us(latency[keys[i], int((m + 1) / 2)]), us(latency[keys[i], m])
	}
}
