# SPDX-License-Identifier: GPL-2.0
# governor-figure.awk - governor.tsv: print the variables of gnuplot/governor.gp. Needs
# gnuplot-text.awk. From the environment: machine (" (emulated)" or nothing), limits (the line of
# answer limits), revision, tex, and data (a directory: also write the data files there).

function judged(what) {
	return $at["kernel_" what] != "-" ? $at["kernel_" what] : $at[what]
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	deep = judged("too_deep")
	shallow = judged("too_shallow")
	if (deep == "-")
		deep = shallow = 0
	x++
	bars++
	if (!first)
		first = x
	name = $at["state"]
	longest = length(name) > longest ? length(name) : longest
	if (ENVIRON["data"] != "")
		printf "%d\t%s\t%.6f\t%.6f\t%.6f\n", x, name, 100 * deep / $at["n"], 100 * ($at["n"] - deep - shallow) / $at["n"], 100 * shallow / $at["n"] >(ENVIRON["data"] "/bars.dat")
	if (name != "all")
		next
	runs++
	group_x = group_x (runs > 1 ? ", " : "") (first + x) / 2
	group_name = group_name (runs > 1 ? ", " : "") quoted($at["run"])
	counts = counts (counts == "" ? "" : ", ") $at["run"] " " grouped($at["n"])
	x++
	first = 0
}

END {
	printf "emulated = %s\nlimits = %s\nnote = %s\n", quoted(ENVIRON["machine"]), quoted(ENVIRON["limits"]),
		quoted("N = " counts (runs > 2 ? "" : " · share of the idle periods in each state") " · " ENVIRON["revision"])
	printf "bars = %d\nmost_x = %d\nlongest_name = %d\n", bars, x, longest
	printf "groups = %d\narray group_x[%d] = [%s]\narray group_name[%d] = [%s]\n", runs, runs, group_x, runs, group_name
}
