# SPDX-License-Identifier: GPL-2.0
# single.awk - print for each clean sample in samples.tsv the latency of the slowest CPU of its
# event, and its own latency. Each event woke several CPUs.

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
