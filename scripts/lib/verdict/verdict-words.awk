# SPDX-License-Identifier: GPL-2.0
# verdict-words.awk - a row of verdict.tsv in words: how the wake-ups count, and why the verdict on the
# machine differs from the one on the state alone.
# Needs verdict-rows.awk.

function us_text(ns) { return sprintf("%.10g us", ns / 1000) }

# Return a time in s as text, with two digits, rounded down.
function time_text(s,  unit, word) {
	word = s < 0.95 ? "ms" : s < 120 ? "s" : s < 7200 ? "min" : "h"
	s = word == "ms" ? s * 1000 : word == "s" ? s : word == "min" ? s / 60 : s / 3600
	unit = s < 10 ? 0.1 : 1
	return int(s / unit + 1e-9) * unit " " word
}

# Return the condition on which a verdict on each state is wrong as seldom as stated. Causes are found if they
# come five times in a recording on average: 4 % of the recordings have one or none then (Poisson).
function condition() {
	return "each cause of delays occurs at least every " \
		(shortest == "" ? int(fewest / 5) " wake-ups (measured: " fewest ")" : \
		time_text(shortest / 5) " (measured for " time_text(shortest) ")")
}

# Return the statistic that decides.
function statistic() { return percentile == "max" ? "longest wake-up" : "p" percentile }

# Return the state's name with the CPU that decides, if several were judged.
function state_on_cpu() { return $at["state"] ($at["cpu"] == "-" ? "" : " (CPU " $at["cpu"] ")") }

# Return the state's name in a list of states with this verdict: with the CPUs that do not keep it.
function member_of(verdict,  others) {
	if (verdict == "kept" || $at["cpu"] == "-")
		return $at["state"]
	others = $at["cpus_over"] - 1
	return $at["state"] " on CPU " $at["cpu"] (verdict == "exceeded" && others > 0 ? " and " others (others > 1 ? " others" : " other") : "")
}

# Return a sentence if the answer is about all CPUs together because a CPU has too few samples.
function together_text(limit) {
	if ($at["cpu_differs"] == "-")
		return ""
	return $at["state"] ": " $at["cpus"] " CPUs judged together: " statistic() " needs " $at["samples_needed"] " samples of each, and one has " \
		$at["cpu_n_least"] ".\nCPU " $at["cpu_differs"] " differs most: " $at["cpu_differs_over"] " of its " $at["cpu_differs_n"] \
		" wake-ups are longer than " limit "."
}

# Return whether the machine's answer can differ from the state's.
function differs() { return $at["measured_by"] != "-" || $at["unknown_by"] != "-" || $at["all_unknown_by"] != "-" }

# Return the sum of the counts in a list such as "smi=3,nmi=1".
function sum_of(list,  n, i, part, pair, sum) {
	n = split(list, part, ",")
	for (i = 1; i <= n; i++) {
		split(part[i], pair, "=")
		sum += pair[2]
	}
	return sum + 0
}

# Convert "not_idle=3,smi=1" to "3 not idle, 1 smi".
function in_words(list,  n, i, part, pair, text) {
	n = split(list, part, ",")
	for (i = 1; i <= n; i++) {
		split(part[i], pair, "=")
		gsub(/_/, " ", pair[1])
		text = text (text == "" ? "" : ", ") pair[2] " " pair[1]
	}
	return text
}

function does(verdict) { return verdict == "kept" ? "keeps the budget" : verdict == "exceeded" ? "exceeds the budget" : "is " verdict }

# Say why the verdict on the machine differs from the verdict on the state alone.
function cause(verdict,  share, what) {
	if (budget == "-" || verdict == $at["state_budget_verdict"] || $at["state_budget_verdict"] == "-")
		return ""
	share = sum_of($at["measured_by"])
	what = $at["measured_by"] ~ /smi=/ ? "SMIs" : ""
	what = $at["measured_by"] ~ /nmi=/ ? (what == "" ? "" : what " and ") "NMIs" : what
	if (what == "" && share)
		what = "wake-ups whose launch time is uncertain"
	if (what == "" || (sum_of($at["unknown_by"]) > share))
		return "; " $at["state"] " " does(verdict) " because " (sum_of($at["unknown_by"]) + unknown_anywhere()) \
			" wake-ups have no latency and count as longer; without them it " does($at["state_budget_verdict"])
	return "; " $at["state"] " " does(verdict) " because of " what ": " sprintf("%.2g", 100 * share / $at["machine_n"]) " % of the wake-ups had one, up to " \
		us_text($at["machine_max"]) "; without them it " does($at["state_budget_verdict"])
}

# Return how many wake-ups without a latency the recording has outside of this state.
function unknown_anywhere() { return sum_of($at["all_unknown_by"]) - sum_of($at["unknown_by"]) }

# Return why all samples of a run have been left out; nothing if they have not.
function clock_text() {
	return $at["all_other_by"] ~ /(^|,)clock=/ ? \
		"The TSC was found unstable, which ended a run. Since when it was is not known, so the whole run is left out." : ""
}

# Every wake-up of the recording is counted in this text.
function balance_text(  text) {
	text = $at["wakeups"] " wake-ups, " ($at["judged"] == $at["wakeups"] ? "all" : $at["judged"]) " judged"
	if ($at["all_measured_by"] != "-")
		text = text ", of them " in_words($at["all_measured_by"])
	if ($at["all_unknown_by"] != "-")
		text = text "; counted as too long: " in_words($at["all_unknown_by"])
	if ($at["left_out"] + 0)
		text = text "; left out: " in_words($at["all_other_by"])
	return text
}
