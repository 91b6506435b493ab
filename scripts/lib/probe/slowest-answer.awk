# SPDX-License-Identifier: GPL-2.0
# slowest-answer.awk - print in sentences how long it takes until all CPUs that an event woke are
# awake, from facts.tsv and the quantiles of columns slowest and single. Needs us.awk.
#	-v cpus=N		number of CPUs that each event woke
#	-v independent=P,P	the percentiles that independent.awk prints

# times(MEDIAN, P99, MOST): return the known ones of these times (ns) in words
function times(median, p99, most,    text) {
	if (median != "-")
		text = us(median) " us (median)"
	if (p99 != "-")
		text = text (text ? ", " : "") us(p99) " us in 99 of 100 cases"
	if (most)
		text = text (text ? ", " : "") us(most) " us at most"
	return text
}

FILENAME != ARGV[2] {
	if ($1 == "run.1.events_complete")
		complete = $2
	if ($1 ~ /^run[.]1[.]cpu[0-9]+[.]armed$/)
		events = $2
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	split(independent, p, ",")
	next
}

{
	printf "\n%d events woke %d CPUs each. %d events have an untainted sample of every CPU.\n", events, cpus, complete
	if (!complete)
		next
	print "Time until the last of these CPUs is awake: " times($at["slowest_p50"], $at["slowest_p99"], $at["slowest_max"]) "."
	print "Time until a single CPU is awake: " times($at["single_p50"], $at["single_p99"], $at["single_max"]) "."
	text = times($at["single_p" p[1]], $at["single_p" p[2]])
	if (text)
		print "If the CPUs were independent, the last of " cpus " would take: " text "."
}
