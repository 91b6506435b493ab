# SPDX-License-Identifier: GPL-2.0
# single.awk - samples.tsv of several CPUs that each event woke: of each clean sample the latency of the slowest of its event, and its own.

BEGIN {
	FS = OFS = "\t"
	print "source", "slowest", "single"
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["taint"] == "-" {
	print $at["source"], $at["slowest_latency"], $at["irqs_on"] ? $at["intr_latency"] : $at["wake_latency"]
}
