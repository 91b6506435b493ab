# SPDX-License-Identifier: GPL-2.0
# histogram-figure.awk - run.tsv stats-histogram.tsv: the variables of gnuplot/counted-*.gp. Needs gnuplot-text.awk.
# From the environment: machine (" (emulated)" or nothing), name (of the data set), files (those that are not empty),
# tex.

function in_files(name) { return index(" " ENVIRON["files"] " ", " " name " ") > 0 }

function array(name, text) { printf "array %s[%d] = [%s]\n", name, n, text }

FNR == NR {
	of[$1] = $2
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	row = FNR - 1
	metric[row] = $at["metric"]
	cpu[row] = $at["cpu"]
	count[row] = $at["n"]
	high[row] = $at["max_high"] == "-" ? $at["max_low"] : $at["max_high"]
	together[$at["metric"]] = together[$at["metric"]] || cpu[row] == "all"
	rows = row
}

END {
	for (r = 1; r <= rows; r++) {
		# All CPUs, or each of few.
		if (rows > 4 && together[metric[r]] && cpu[r] != "all" || rows <= 4 && cpu[r] == "all" || n == 8)
			continue
		n++
		text = metric[r] (cpu[r] == "all" ? "" : " CPU " cpu[r])
		gsub(/_/, " ", text)
		comma = n > 1 ? ", " : ""
		position = position comma r
		label = label comma quoted(text)
		beyond = beyond comma in_files("wide-" r ".dat")
		counted = counted comma in_files("buckets-" r ".dat")
		counts = counts comma grouped(count[r])
		most = count[r] + 0 > most ? count[r] + 0 : most
		greatest = high[r] / 1000 > greatest ? high[r] / 1000 : greatest
	}
	printf "series = %d\n", n
	array("position", position)
	array("label", label)
	array("beyond", beyond)
	array("counted", counted)
	printf "most = %.0f\ngreatest = %.3f\n", most, greatest
	printf "emulated = %s\nnote = %s\n", quoted(ENVIRON["machine"]),
		quoted("N = " counts " · " of["source"] " · " ENVIRON["name"] " · " of["revision"])
}
