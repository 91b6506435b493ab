# SPDX-License-Identifier: GPL-2.0
# point-line.awk - print the result of a point in one line, from its row and header of sweep.tsv. Needs us.awk.

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	if ($at["n"] == 0) {
		print "no samples"
		next
	}
	printf "deepest %s, %s samples, max %s us, worst state %s: %s %s us\n", $at["deepest"], $at["n"],
		us($at["intr_latency_max"]), $at["worst_state"], $at["worst_by"], us($at["worst_intr_latency"])
}
