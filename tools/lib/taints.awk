# SPDX-License-Identifier: GPL-2.0
# taints.awk - taints.tsv: print the class of each taint as what taint.c includes.

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{ printf "{ \"%s\", \"%s\" },\n", $at["taint"], $at["machine"] }
