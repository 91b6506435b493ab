# SPDX-License-Identifier: GPL-2.0
# choose.awk - print the values of sweep.tsv before the first one that exceeds the budget, in the table's order.
#	-v budget=NS
# A higher limit allows all states that a lower one allows, and a longer interval contains shorter
# ones. So a latency that a lower point has shown is possible at each higher point, even if it was
# not seen there.

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["worst_intr_latency"] == "-" || $at["worst_intr_latency"] + 0 > budget + 0 { exit }

{ print $at["value"] }
