# SPDX-License-Identifier: GPL-2.0
# answer.awk - run.tsv, then what breakeven printed for each pair of states: print residency.tsv.
# From the environment: wakeups, meter, precision (percent).

function known(key) { return key in found ? found[key] : "-" }

# verdict TABLE: judge the table's value of the deep state. Kept: the whole interval lies within the precision asked for.
function verdict(us, low, high, share) {
	share = 1 + ENVIRON["precision"] / 100
	if (found["result"] != "done")
		return "undecided"
	if (low * share >= us && high <= us * share)
		return "kept"
	return us < low ? "too short" : us > high ? "too long" : "undecided"
}

# cost TABLE: what a governor that follows the table loses at the interval where it hurts most, the table's own, in W
function cost(at, watts) {
	watts = found["power_a_w"] - found["power_b_w"] - (found["visit_b_uj"] - found["visit_a_uj"]) * 1e3 / at
	return watts < 0 ? -watts : watts
}

function finish(  deep, table, at) {
	if (!("shallow" in found))
		return
	deep = number_of[found["deep"]]
	table = of["state." deep ".residency_ns"]
	at = table + found["awake_ns"] + of["state." number_of[found["shallow"]] ".latency_ns"]
	print found["shallow"], found["deep"], ENVIRON["wakeups"], ENVIRON["meter"], known("result"), known("interval_ns"), known("interval_low_ns"),
		known("interval_high_ns"), known("residency_ns"), known("residency_low_ns"), known("residency_high_ns"), table,
		verdict(table, found["residency_low_ns"], found["residency_high_ns"]), found["result"] == "done" ? sprintf("%.6f", cost(at)) : "-",
		at, known("power_a_w"), known("power_b_w"), known("visit_a_uj"), known("visit_b_uj"), known("error_w"), known("points"),
		found["seconds"], known("missed"), known("counted"), known("background_per_s"), known("awake_ns"), known("late"), known("why")
	split("", found)
}

BEGIN {
	OFS = "\t"
	print "shallow", "deep", "wakeups", "meter", "result", "interval_ns", "interval_low_ns", "interval_high_ns", "residency_ns",
		"residency_low_ns", "residency_high_ns", "table_ns", "verdict", "cost_w", "cost_at_ns", "power_a_w", "power_b_w", "visit_a_uj",
		"visit_b_uj", "error_w", "points", "seconds", "missed", "counted", "background_per_s", "awake_ns", "late", "why"
}

FNR == NR {
	of[$1] = $2
	if (split($1, key, ".") == 3 && key[3] == "name")
		number_of[$2] = key[2]
	next
}

$1 == "shallow" { finish() }

{ found[$1] = $2 }

END { finish() }
