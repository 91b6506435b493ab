# SPDX-License-Identifier: GPL-2.0
# atlas-figure.awk - rows of the atlas: print the variables of atlas.gp. Needs
# gnuplot-text.awk. From the environment: machine, limits (the line of answer limits for a recording),
# revision, tex, and data (a directory: also write the data files there).

function keep(event) {
	low = low == "" || $10 + 0 < low ? $10 + 0 : low
	high = $10 + 0 > high ? $10 + 0 : high
	points[event]++
}

BEGIN { events = split("card timer wake ipi other this", event, " ") }

NR == 1 { next }

{
	rows++
	which = $1 ~ /^this recording/ ? "this" : $4
}

# Take only rows with a single advertised latency: a range or several values have no point on the
# axis.
$10 ~ /^[0-9.]+( |$)/ && $10 + 0 > 0 && ($9 != "-" || $7 != "-") {
	split($10, advertised, " ")
	drawn++
	$10 = advertised[1]
	keep(which)
	if (ENVIRON["data"] != "")
		printf "%s\t%s\t%s\n", $10, ($9 == "-" ? $7 : $9), ($7 == "-" ? $9 : $7) >(ENVIRON["data"] "/" which ".dat")
	for (i = 7; i <= 9; i += 2)
		if ($i != "-") {
			least = least == "" || $i + 0 < least ? $i + 0 : least
			most = $i + 0 > most ? $i + 0 : most
		}
}

END {
	printf "emulated = %s\nlimits = %s\nnote = %s\n", quoted(ENVIRON["machine"]), quoted(ENVIRON["limits"]),
		quoted(drawn + 0 " of " rows " rows have both numbers · methods are different quantities · " ENVIRON["revision"])
	for (i = 1; i <= events; i++)
		printf "%s_n = %d\n", event[i], points[event[i]]
	printf "low = %g\nhigh = %g\n", (low < least ? low : least), (high > most ? high : most)
}
