# SPDX-License-Identifier: GPL-2.0
# summary.awk - a row per sleep state of a recording: advertised, measured and true latency, and what was reached.
#
# awk -F '\t' -v OFS='\t' -v name=NAME -v cpu=CPU -f summary.awk MODEL run.tsv truth.tsv errors.tsv verdict.tsv stats.tsv
#
# asked counts the CPU's idle periods for which Linux asked for the state and the CPU slept, reached those of them in which the
# hardware was in that state; true_min_us and true_max_us are of all that asked. The error is measured minus true latency of a
# sample.

function us(ns) {
	return ns == "-" ? "-" : sprintf("%.3f", ns / 1000)
}

FNR == 1 { file++ }

# The model: KEY = VALUE
file == 1 {
	if (split($0, part, / = /) == 2) {
		gsub(/_/, "-", part[1])
		model[part[1]] = part[2]
	}
	next
}

# run.tsv: state.N.name, state.N.desc
file == 2 {
	if ($1 ~ /^state\..*\.name$/)
		state = $2
	if ($1 ~ /^state\..*\.desc$/ && sub(/^PSCI /, "", $2))
		of_hint[$2] = state
	next
}

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
}

file == 3 && $at["cpu"] == cpu && $at["cause"] != "pending" && ($at["hint"] in of_hint) {
	state = of_hint[$at["hint"]]
	asked[state]++
	reached[state] += $at["reached"] == $at["hint"]
	if (!(state in least) || $at["latency_ns"] + 0 < least[state])
		least[state] = $at["latency_ns"] + 0
	if ($at["latency_ns"] + 0 > most[state])
		most[state] = $at["latency_ns"] + 0
}

file == 4 {
	error_min[$at["state"]] = $at["min_ns"]
	error_max[$at["state"]] = $at["max_ns"]
}

file == 5 {
	advertised_verdict[$at["state"]] = $at["advertised_verdict"]
	budget_verdict[$at["state"]] = $at["budget_verdict"]
}

file == 6 && FNR == 1 {
	print "recording", "source", "state", "dt_entry_us", "dt_exit_us", "advertised_us", "n", "p50_us", "p99_us", "p99.9_us", "max_us",
		"true_min_us", "true_max_us", "error_min_ns", "error_max_ns", "asked", "reached", "advertised_verdict", "budget_800us_verdict"
}

file == 6 && FNR > 1 && ($at["state"] in asked) {
	state = $at["state"]
	entry = model[state ".dt-entry-us"]
	exit_us = model[state ".dt-exit-us"]
	if ($at["advertised_ns"] != (entry + exit_us) * 1000) {
		print state ": the kernel advertises another latency than the device tree" >"/dev/stderr"
		exit 1
	}
	print name, $at["source"], state, entry, exit_us, entry + exit_us, $at["n"], us($at["wake_latency_p50"]), us($at["wake_latency_p99"]),
		us($at["wake_latency_p99.9"]), us($at["wake_latency_max"]), us(least[state]), us(most[state]), error_min[state],
		error_max[state], asked[state], reached[state], advertised_verdict[state], budget_verdict[state]
}
