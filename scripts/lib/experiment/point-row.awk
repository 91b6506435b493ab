# SPDX-License-Identifier: GPL-2.0
# point-row.awk - print the header and one row of sweep.tsv, from point.tsv, run.tsv, and quantiles
# by source,state and by source.
#	-v directory=NAME -v percentile=P|max
#
# The worst state has the highest percentile P. For a state with too few samples for P, its maximum
# counts. In the percentiles of all samples, states that are chosen seldom would not show.

BEGIN { OFS = FS }

FNR == 1 {
	file++
	for (i = 1; i <= NF; i++)
		at[file, $i] = i
	next
}

function value(name) { return $at[file, name] }

file == 1 { point[$1] = $2 }
file == 2 { run[$1] = $2 }

file == 3 && value("n") > 0 {
	state = value("state")
	by = percentile == "max" ? "max" : "p" percentile
	if (value("intr_latency_" by) == "-")
		by = "max"
	if (deepest == "" || state + 0 > deepest + 0)
		deepest = state
	if (worst == "" || value("intr_latency_" by) + 0 > worst + 0) {
		worst = value("intr_latency_" by)
		worst_by = by
		worst_n = value("n")
		worst_state = state
	}
}

file == 4 {
	n += value("n")
	tainted += value("tainted")
	split("p50 p99 p99.9 p99.99 max", wanted, " ")
	for (i = 1; i <= 5; i++)
		latency[i] = value("intr_latency_" wanted[i])
}

function name(state) { return state == "" ? "-" : run["state." state ".name"] }
function or_dash(text) { return text == "" ? "-" : text }

END {
	header = "knob" OFS "value" OFS "unit" OFS "deepest" OFS "n" OFS "tainted"
	cells = point["knob"] OFS point["value"] OFS point["unit"] OFS name(deepest) OFS n + 0 OFS tainted + 0
	split("p50 p99 p99.9 p99.99 max", wanted, " ")
	for (i = 1; i <= 5; i++) {
		header = header OFS "intr_latency_" wanted[i]
		cells = cells OFS or_dash(latency[i])
	}
	header = header OFS "worst_state" OFS "worst_n" OFS "worst_by" OFS "worst_intr_latency"
	cells = cells OFS name(worst_state) OFS or_dash(worst_n) OFS or_dash(worst_by) OFS or_dash(worst)
	window = point["window_s"] * 1e6
	busy = 100
	for (i = 0; ("state." i ".name") in run; i++) {
		key = "state." i ".time_us"
		known = window > 0 && key in point
		share = known ? 100 * point[key] / window : 0
		busy -= share
		header = header OFS "residency_" run["state." i ".name"] "_pct"
		cells = cells OFS (known ? sprintf("%.2f", share) : "-")
	}
	header = header OFS "busy_pct" OFS "window_s" OFS "power_w" OFS "power_from" OFS "emulated" OFS "directory"
	print header
	print cells OFS (known ? sprintf("%.2f", busy < 0 ? 0 : busy) : "-") OFS point["window_s"] OFS \
		point["power_w"] OFS point["power_from"] OFS or_dash(run["emulated"] "") OFS directory
}
