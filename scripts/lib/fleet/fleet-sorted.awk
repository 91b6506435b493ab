# SPDX-License-Identifier: GPL-2.0
# fleet-sorted.awk - rows "difference low high odd machine", sorted, of all machines in one state: setup.gp of figure
# fleet-machines on stdout, and its data. Needs gnuplot-text.awk.
# From the environment: data (directory), title (the state), below, above (%: the scale), machine, note

BEGIN { dir = ENVIRON["data"] }

{
	n++
	low = n == 1 || $2 < low ? $2 + 0 : low
	high = n == 1 || $3 > high ? $3 + 0 : high
	print n, $1, $2, $3 >(dir "/machines.dat")
	if ($4 == "yes") {
		odd++
		# More names than these nobody reads.
		print n, $1, $2, $3, (odd <= 12 ? "'" quoted_name($5) "'" : "''") >(dir "/odd.dat")
	}
}

# Between ' for a data file, where there is no way to write one.
function quoted_name(name) {
	gsub(/[\001-\037\177'"]/, "?", name)
	return shortened(name, 16)
}

END {
	if (!n)
		exit 1
	printf "emulated = %s\nnote = %s\nof_what = %s\n", quoted(ENVIRON["machine"]), quoted(ENVIRON["note"]), quoted(" in " ENVIRON["title"])
	printf "machine_n = %d\nodd_n = %d\nlow = %s\nhigh = %s\nscale_below = %s\nscale_above = %s\n", n, odd, low, high,
		ENVIRON["below"], ENVIRON["above"]
}
