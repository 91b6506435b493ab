# SPDX-License-Identifier: GPL-2.0
# choose.awk - sweep.tsv: the values that keep the budget as do all below them, in the table's order.
#	-v budget=NS
# A limit lets through all states that a lower one does, a long interval holds short ones: what a lower point
# has shown is possible at a higher one, seen there or not.

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["worst_intr_latency"] == "-" || $at["worst_intr_latency"] + 0 > budget + 0 { exit }

{ print $at["value"] }
