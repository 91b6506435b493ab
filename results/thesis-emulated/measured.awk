# SPDX-License-Identifier: GPL-2.0
# measured.awk - one recording as a row: what its model allows, what the truth log has, what was measured.
#
# Input, separated by tabs: run.tsv, what tools/bin/truth says, truth.tsv, samples.tsv.
# Set: cpu, state (its name), bound (ns).

# The state's index, and the hint that asks for it.
function learn_state(key, value, part) {
	if (split(key, part, ".") != 3 || part[1] != "state")
		return
	if (part[3] == "name" && value == state)
		number = part[2]
	facts[part[2] "." part[3]] = value
}

FNR == 1 {
	file++
	delete at
	for (i = 1; i <= NF; i++)
		at[$i] = i
	if (file == 3) {
		hint = facts[number ".desc"]
		sub(/^MWAIT /, "", hint)
	}
	next
}
file == 1 { learn_state($1, $2) }
# A tainted sample may have left the state by another way, and has a row of its own then.
file == 2 {
	tainted += $at["tainted"]
	wrong += $at["wrong_state"] + $at["unmatched"] + $at["slipped"]
}
file == 2 && $at["n"] > n {
	n = $at["n"]
	metric = $at["metric"]
	low = $at["min_ns"]
	high = $at["max_ns"]
}
file == 3 && $at["hint"] == hint && $at["latency_ns"] + 0 > injected { injected = $at["latency_ns"] + 0 }
file == 4 && $at["taint"] == "-" && $at[metric] != "-" {
	rows++
	if (rows == 1 || $at[metric] + 0 > measured)
		measured = $at[metric] + 0
}
END {
	if (!n || rows != n) {
		printf "%s: %d samples, of which the truth log knows %d\n", state, rows, n >"/dev/stderr"
		exit 1
	}
	print "cpu\tstate\tn\ttainted\tmetric\tadvertised_ns\tbound_ns\tinjected_max_ns\tmeasured_max_ns\terror_min_ns\terror_max_ns\twrong"
	printf "%s\t%s\t%d\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", cpu, state, n, tainted, metric,
		facts[number ".latency_ns"], bound, injected, measured, low, high, wrong
}
