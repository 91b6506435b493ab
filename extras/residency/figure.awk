# SPDX-License-Identifier: GPL-2.0
# figure.awk - run.tsv, residency.tsv, residency-points.tsv: write setup.gp, points-a.dat and points-b.dat of one pair of states to
# the working directory. Needs gnuplot-text.awk. From the environment: shallow, deep.

function label(v) { return sprintf(v < 100 ? "%.1f" : "%.0f", v) }

FNR == 1 {
	file++
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
}

file == 1 { of[$1] = $2 }

file > 1 && ($at["shallow"] != ENVIRON["shallow"] || $at["deep"] != ENVIRON["deep"]) { next }

file == 2 {
	pa = $at["power_a_w"]
	pb = $at["power_b_w"]
	ea = $at["visit_a_uj"]
	eb = $at["visit_b_uj"]
	crossing = $at["interval_ns"] / 1000
	low = $at["interval_low_ns"] / 1000
	high = $at["interval_high_ns"] / 1000
	table = $at["cost_at_ns"] / 1000
	how = "CPUs woken " $at["wakeups"] ", meter " $at["meter"] ", " $at["points"] " points"
}

file == 3 {
	us = 1e6 / $at["rate"]
	watts = $at["joules"] / $at["seconds"]
	if ($at["round"] == 0)
		next
	print us, watts >("points-" $at["state"] ".dat")
	first = first == "" || us < first ? us : first
	last = us > last ? us : last
	lowest = lowest == "" || watts < lowest ? watts : lowest
	highest = watts > highest ? watts : highest
}

END {
	if (pa !~ /^[0-9.]+$/ || first == "")
		exit 1
	printf "emulated = %s\nnote = %s\n", quoted(of["emulated"] == "yes" ? " (emulated)" : of["emulated"] == "no" ? "" : " (guest)"),
		quoted(of["cpu_model"] ", " how)
	printf "pa = %s\npb = %s\nea = %s\neb = %s\n", pa, pb, ea, eb
	printf "crossing = %s\nlow = %s\nhigh = %s\ntable = %s\n", crossing, low, high, table
	printf "crossing_text = %s\n", quoted(label(crossing) " µs (" label(low) " to " label(high) ")")
	printf "table_text = %s\nname_a = %s\nname_b = %s\n", quoted("table: " label(table) " µs"), quoted(ENVIRON["shallow"]), quoted(ENVIRON["deep"])
	first = table && table < first ? table : first
	last = table > last ? table : last
	printf "first = %s\nlast = %s\nlowest = %s\nhighest = %s\n", first / 1.1, last * 1.4, lowest - (highest - lowest) / 20,
		highest + (highest - lowest) / 5
}
