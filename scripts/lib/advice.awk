# SPDX-License-Identifier: GPL-2.0
# advice.awk - run.tsv verdict.tsv: lines to paste.
#	-v budget=NS	the longest latency that is acceptable, or nothing
# The kernel compares its limits with what the driver advertises, not with what is measured: a limit is only as
# good as the worst state that it lets through.

function whole_us(ns) { return int(ns / 1000) + (ns % 1000 > 0) }

FNR == NR {
	of[$1] = $2
	if ($1 ~ /^state\.[0-9]+\.name$/) {
		split($1, key, ".")
		states = states < key[2] + 1 ? key[2] + 1 : states
	}
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	percentile = $at["percentile"]
	value[$1] = $at["value"]
	if ($at["value"] == "-" || $at["advertised_ns"] == "-" || $at["advertised_ns"] == 0)
		next
	latency = whole_us($at["value"])
	residency = whole_us($at["residency_ns"])
	if (residency < latency)
		residency = latency
	table = table (table == "" ? "" : ",") $1 ":" latency ":" residency
	if (latency < last_latency)
		disorder = disorder "\n# " $1 " wakes faster than " last_state ": the governor will see the one above it in the table as the deeper."
	last_latency = latency
	last_state = $1
}

# What is advertised of the state. run.tsv of other tools' data may not say.
function is_known(i) { return of["state." i ".latency_ns"] ~ /^[0-9]/ }

# Is the state known to be within the budget? Polling cannot be forbidden.
function safe(i,  name) {
	name = of["state." i ".name"]
	if (is_known(i) && of["state." i ".latency_ns"] == 0 && !(name in value))
		return 1
	return name in value && value[name] != "-" && value[name] + 0 <= budget
}

function why_not(name) {
	if (!(name in value))
		return "was not measured"
	return value[name] == "-" ? "has not enough samples" : "is not within it"
}

# Does a limit of US let only safe states through? If not, $culprit is one that it should not. Any limit may let one
# through of which nobody knows what it advertises.
function holds(us,  i) {
	for (i = 0; i < states; i++)
		if (!of["state." i ".disabled"] && (!is_known(i) || of["state." i ".latency_ns"] <= us * 1000) && !safe(i)) {
			culprit = of["state." i ".name"]
			return 0
		}
	return 1
}

function advise_budget(  i, us, limit, name) {
	printf "\nBudget %s us, by p%s:\n", budget / 1000, percentile
	limit = -1
	for (i = 0; i < states; i++) {
		name = of["state." i ".name"]
		if (of["state." i ".disabled"] + 0) {
			printf "# %s was disabled before the recording and must stay so.\n", name
		} else if (!safe(i)) {
			printf "# %s %s.\n", name, why_not(name)
		} else if (!is_known(i)) {
			printf "# %s is within it, but what it advertises is not known: no limit can be named that allows it.\n", name
		} else if (holds(whole_us(of["state." i ".latency_ns"]))) {
			limit = i
		} else {
			printf "# %s is within it, but a limit that allows it allows %s as well, which %s.\n", name, culprit,
				why_not(culprit)
		}
	}
	us = limit < 0 ? 0 : whole_us(of["state." limit ".latency_ns"])
	printf "deepest state: %s\n", (us == 0 ? "none that sleeps" : of["state." limit ".name"])
	# 0 would mean no limit there.
	printf "/sys/devices/system/cpu/cpuN/power/pm_qos_resume_latency_us: %s\n", (us == 0 ? "n/a" : us)
	printf "tuned, section [cpu]: force_latency=%d\n", us
}

END {
	print ""
	if (of["emulated"] != "no")
		print "# Emulated or under a hypervisor: these lines show the form; the numbers are not those of any real CPU."
	if (of["driver"] != "intel_idle") {
		print "# No intel_idle.table: the idle driver is not intel_idle."
	} else if (table == "") {
		print "# No intel_idle.table: no state has enough samples for p" percentile "."
	} else {
		print "Linux 7.0 and newer, kernel command line (name:latency:residency in us):"
		print "intel_idle.table=" table disorder
	}
	if (budget != "")
		advise_budget()
}
