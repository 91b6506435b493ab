# SPDX-License-Identifier: GPL-2.0
# fleet-sorted.awk - print setup.gp of figure fleet-machines, and write its data. Input: sorted rows
# "difference low high odd machine" of all machines in one state. Needs gnuplot-text.awk.
# From the environment: data (directory), title (the state), below, above (%: the scale), machine, note

BEGIN { dir = ENVIRON["data"] }

{
	n++
	low = n == 1 || $2 < low ? $2 + 0 : low
	high = n == 1 || $3 > high ? $3 + 0 : high
	printf "%d\t%s\t%s\t%s\n", n, $1, $2, $3 >(dir "/machines.dat")
	if ($4 == "yes")
		odd[++nr_odd] = n "\t" $1 "\t" $2 "\t" $3 "\t" $5
}

# Write the odd machines. A name that would overlap the one before is left out.
function put_odd(  i, cell, last) {
	for (i = 1; i <= nr_odd; i++) {
		split(odd[i], cell, "\t")
		gsub(/[\001-\037\177"]/, "?", cell[5])
		if (i > 1 && cell[2] - last < 0.05 * (high - low))
			cell[5] = ""
		else
			last = cell[2]
		printf "%s\t%s\t%s\t%s\t\"%s\"\n", cell[1], cell[2], cell[3], cell[4], shortened(cell[5], 20) >(dir "/odd.dat")
	}
}

END {
	if (!n)
		exit 1
	put_odd()
	printf "emulated = %s\nnote = %s\nof_what = %s\n", quoted(ENVIRON["machine"]), quoted(ENVIRON["note"]), quoted(" in " ENVIRON["title"])
	printf "machine_n = %d\nodd_n = %d\nlow = %s\nhigh = %s\nscale_below = %s\nscale_above = %s\n", n, nr_odd, low, high,
		ENVIRON["below"], ENVIRON["above"]
}
