# SPDX-License-Identifier: GPL-2.0
# governor-table.awk - governor.tsv for people: a column for each state of each recording. Needs us.awk.

function share(part, whole) {
	return part == "-" || whole == "-" || whole + 0 == 0 ? "-" : sprintf("%.2f %%", 100 * part / whole)
}

# Return the kernel's count if it was recorded, else the count that follows from the table of
# states.
function judged(r, what) {
	return value[r, "kernel_" what] != "-" ? value[r, "kernel_" what] : value[r, what]
}

function line(title, kind,  r, text, cell) {
	text = sprintf("%-22s", title)
	for (r = first; r <= last; r++) {
		if (kind == "share_of_idle")
			cell = share(value[r, "idle_total_ns"], value[last, "idle_total_ns"])
		else if (kind == "too_deep" || kind == "too_shallow")
			cell = share(judged(r, kind), value[r, "n"])
		else if (kind ~ /_ns$/)
			cell = us(value[r, kind])
		else if (kind == "too_deep_other")
			cell = value[r, "too_deep_timer"] == "-" ? "-" : share(value[r, "too_deep"] - value[r, "too_deep_timer"], value[r, "too_deep"])
		else if (kind == "state" || kind == "n")
			cell = value[r, kind]
		else
			cell = share(value[r, kind], value[r, "n"])
		text = text sprintf(" %12s", cell)
	}
	print text
}

function any(kind,  r) {
	for (r = first; r <= last; r++)
		if (value[r, kind] != "-" && value[r, kind] != "0")
			return 1
	return 0
}

function about(what) {
	return value[first, what] == "-" || value[first, what] == value[first, "run"] ? "" : " " what " " value[first, what] ","
}

function machine(emulated) {
	return emulated == "no" ? "" : emulated == "yes" ? " (emulated)" : emulated == "hypervisor" ? " (guest: contains the hypervisor's latency)" : " (unknown machine)"
}

function block() {
	printf "%s%s%s:%s%s %s\n", (first > 1 ? "\n" : ""), value[first, "run"], machine(value[first, "emulated"]), about("governor"), about("kernel"), (value[first, "from"] == "events" ? "all idle periods" : "samples of wakelat, all ended by its source")
	if (value[first, "choice"] != "-" && value[first, "choice"] <= 1) {
		print "NO CHOICE: one state was enabled at a time, so the governor could not choose another."
		nobody = 1
	}
	line("", "state")
	line("idle periods", "n")
	line("idle time", "share_of_idle")
	line("median length (us)", "idle_p50_ns")
	line("too deep", "too_deep")
	line("too shallow", "too_shallow")
	line("residency missed", "missed")
	line("ended by a timer", "timer")
	line("by something else", "other")
	if (any("too_deep_timer") || any("too_deep"))
		line("  of too deep periods", "too_deep_other")
	if (any("predicted")) {
		line("with a prediction", "predicted")
		line("  too long by (us)", "prediction_error_p50_ns")
	}
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		name[i] = $i
	next
}

{
	for (i = 1; i <= NF; i++)
		value[NR - 1, name[i]] = $i
	rows = NR - 1
	if (value[rows, "kernel_too_deep"] != "-")
		by_kernel = 1
	if (value[rows, "too_deep"] != "-")
		by_table = 1
}

END {
	first = 1
	for (last = 1; last <= rows; last++) {
		if (value[last, "state"] != "all")
			continue
		block()
		all[++runs] = last
		first = last + 1
	}
	if (runs > 1) {
		printf "\n%-22s %12s %12s %12s %12s %12s\n", "in comparison", "idle periods", "too deep", "too shallow", "missed", "by a timer"
		for (i = 1; i <= runs; i++) {
			r = all[i]
			printf "%-22s %12s %12s %12s %12s %12s\n", value[r, "run"], value[r, "n"], share(judged(r, "too_deep"), value[r, "n"]),
				share(judged(r, "too_shallow"), value[r, "n"]), share(value[r, "missed"], value[r, "n"]),
				share(value[r, "timer"], value[r, "n"])
		}
	}
	print ""
	print "Too deep: the idle period was shorter than the state's target residency, and a shallower state was enabled. Too shallow:"
	print "the period minus the exit latency was at least the target residency of the next deeper enabled state. Shares: of idle periods."
	if (by_kernel)
		print "Too deep and too shallow as the kernel counted them (event cpu_idle_miss)."
	else if (by_table)
		print "Too deep and too shallow by the state table: no event cpu_idle_miss was recorded."
}
