# SPDX-License-Identifier: GPL-2.0
# uncertainty.awk - stats-uncertainty.tsv: print how far launch times may be off, a sentence for
# each source.

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["max"] > 0 {
	printf "Launch times of source %s are wrong by at most %s%.3f us (column uncertainty of samples.tsv).\n", $at["source"],
		($at["p50"] == "-" ? "" : sprintf("%.3f us (median), ", $at["p50"] / 1000)), $at["max"] / 1000
}
