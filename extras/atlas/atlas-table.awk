# SPDX-License-Identifier: GPL-2.0
# atlas-table.awk - rows of atlas-rows.awk, without header: print them for people, in a block for
# each event and state, in the order of the rows.

BEGIN {
	words["timer"] = "a timer"
	words["card"] = "a network card (PCIe)"
	words["wake"] = "a thread on another CPU"
	words["ipi"] = "an interrupt of another CPU"
	words["other"] = "not said, or of parts only"
}

{
	head = $3 ", woken by " words[$4]
	if ($1 ~ /^this recording/ || (head != last && !recording)) {
		printf "%s%s\n", (NR > 1 ? "\n" : ""), head
		printf "  %9s %9s %9s %7s %12s  %-8s %s\n", "median", "p99", "max", "n", "advertised", "verified", "CPU: method"
		last = head
	}
	recording = recording || $1 ~ /^this recording/
	printf "  %9s %9s %9s %7s %12s  %-8s %s: %s\n", $7, $8, $9, $6, $10, $11, $1, $5
	if ($13 != "-" && $13 != "")
		printf "             %s\n", $13
}

END {
	if (NR) {
		print "\nus. Different methods measure different quantities, so rows are neither averaged nor ranked."
		print "verified by: source (publication read again), data (computed again), kernel (its table), other (another copy), no, doubtful"
	}
}
