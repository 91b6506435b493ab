# SPDX-License-Identifier: GPL-2.0
# verdict-table.awk - verdict.tsv for people, latencies in us. Needs us.awk.

function text() {
	if ($at["verdict"] == "exceeded")
		return "exceeded by " us($at["over_ns"]) " us"
	if ($at["verdict"] == "not enough samples")
		return "not enough samples: p" $at["percentile"] " needs " $at["samples_needed"]
	return $at["verdict"]
}

function line(state, advertised, p50, p99, p9999, p, max, n, longer, verdict,  cells) {
	cells = sprintf("%-14s %10s %10s %10s %10s", state, advertised, p50, p99, p9999)
	if (extra)
		cells = cells sprintf(" %10s", p)
	cells = cells sprintf(" %10s %9s %18s", max, n, longer)
	print cells (verdict == "" ? "" : "  " verdict)
}

function not_reached(count, n) {
	if (count == "-" || count == 0)
		return ""
	if (count == n)
		return sprintf("\n%s: no sample reached it, by its counter (if that is the right one).", $at["state"])
	return sprintf("\n%s: %s more samples asked for it and did not reach it: they are left out.", $at["state"], count)
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

NR == 2 {
	p = $at["percentile"]
	extra = p != "50" && p != "99" && p != "99.99"
	line("us", "advertised", "p50", "p99", "p99.99", "p" p, "max", "N", "longer", "")
}

{
	line($at["state"] ($at["metric"] ~ /^intr/ ? " (intr.)" : ""), us($at["advertised_ns"]), us($at["p50"]), us($at["p99"]),
		us($at["p99.99"]), us($at["value"]), us($at["max"]), $at["n"],
		$at["exceeding"] == "-" ? "-" : $at["exceeding"] " (" $at["exceeding_pct"] " %)", text())
	intr = intr || $at["metric"] ~ /^intr/
	missed = missed not_reached($at["not_reached"], $at["n"])
}

END {
	print "\nLonger: samples above the advertised exit latency."
	if (missed != "")
		print substr(missed, 2)
	if (intr)
		print "(intr.): interrupt latency; such a state has no wake latency, because it is entered with interrupts on."
}
