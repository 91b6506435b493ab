# SPDX-License-Identifier: GPL-2.0
# check.awk - findings.tsv, then rows of idle states (see states.sh): print a line for each finding:
#	number severity place state finding meaning checked
# A finding in a file that many boards include is printed once.

# Return whether a state is a loop: POLL of the cpuidle core, snooze of powernv_idle and pseries_idle.
function polls(name) { return name == "POLL" || name == "snooze" }

function us(name) { return $at[name] == "-" ? "-" : $at[name] + 0 }

function finding(name, text,  line) {
	line = number[name] FS severity[name] FS $at["place"] FS $at["state"] FS text FS meaning[name] FS checked[name]
	if (!said[line]++)
		print line
}

# Compare a state with the one before it in its list, and keep it for the next comparison. Governors
# and limits only see enabled states, but firmware and drivers list all states in order.
function compare_with_last() {
	if (list == $at["origin"] FS $at["list"] && $at["list"] != "-") {
		if (latency != "-" && last_latency != "-" && latency < last_latency)
			finding("latency_order", "latency " latency " us; the previous state, " last_state ", has a longer latency, " last_latency " us")
		if (residency != "-" && last_residency != "-" && residency < last_residency)
			finding("residency_order", "residency " residency " us; the previous state, " last_state ", has a longer residency, " last_residency " us")
		else if (residency != "-" && residency == last_residency)
			finding("equal_residency", "residency " residency " us; the previous state, " last_state ", has the same")
	}
	list = $at["origin"] FS $at["list"]
	last_state = $at["state"]
	last_latency = latency
	last_residency = residency
}

# Keep the values of a state with the source file that has them, to find files that share values.
function keep_values(  set, owner) {
	owner = $at["place"]
	sub(/:[0-9]+$/, "", owner)
	if ($at["kind"] !~ /^(cpu|domain)$/ || $at["place"] !~ /:[0-9]+$/ || latency == "-")
		return
	set = $at["kind"] FS $at["entry_us"] FS $at["exit_us"] FS $at["wakeup_us"] FS $at["residency_us"]
	if (!seen_set[set, $at["place"]]++ && !seen_owner[set, owner]++) {
		if (!owners[set]++) {
			sets[++set_n] = set
			set_line[set] = $0
		}
		sub(/.*\//, "", owner)
		owner_list[set] = owner_list[set] (owners[set] > 1 ? ", " : "") owner
	}
}

FNR == 1 { file++ }

file == 1 {
	if (FNR > 1) {
		number[$2] = $1
		severity[$2] = $3
		meaning[$2] = $4
		checked[$2] = $5
	}
	next
}

file == 2 && FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	columns = NF
	next
}

file == 2 { check_row() }

# Check one row.
function check_row() {
	latency = us("latency_us")
	residency = us("residency_us")
	remark = $at["remark"]
	if (sub(/^unread: /, "", remark))
		finding("not_readable", remark)
	else if (remark == "no_state")
		finding("no_state", "number " $at["index"] " of the list is no idle state")
	else if (remark == "not_evaluated")
		finding("not_readable", $at["list"] " cannot be evaluated without the machine")
	else if (remark == "firmware_memory")
		finding("firmware_memory", "latency or residency is read from memory")
	else if (remark != "acpi" && ($at["disabled"] != "yes" || $at["kind"] == "live"))
		check_values()
}

function check_values(  models, n) {
	if (remark ~ /latency/ || (remark ~ /residency/ && $at["kind"] != "domain"))
		finding("missing_value", "without " remark)
	else if (remark ~ /residency/)
		finding("missing_residency", "without " remark)
	if ($at["users"] == "0")
		finding("unused", $at["kind"] == "cpu" ? "no CPU has it" : "no domain refers to it")
	if (latency != "-" && residency != "-" && latency > residency)
		finding("residency_below_latency", "latency " latency " us, residency " residency " us")
	if ($at["wakeup_us"] != "-" && $at["entry_us"] != "-" && $at["exit_us"] != "-" &&
	    $at["wakeup_us"] + 0 > $at["entry_us"] + $at["exit_us"])
		finding("wakeup_above_sum", "wake-up " $at["wakeup_us"] " us, entry " $at["entry_us"] " us and exit " $at["exit_us"] " us")
	if (latency == 0 && latency != "-" && !polls($at["state"]) && remark == "-")
		finding("no_latency", "latency 0 us")
	compare_with_last()
	keep_values()
	if ($at["kind"] == "intel_idle" && $at["index"] == 1 && $at["users"] ~ /,/) {
		models = $at["users"]
		n = gsub(/,/, ", ", models) + 1
		finding("shared_values", "table " $at["list"] " is that of " n " models: " models)
	}
}

END {
	for (i = 1; i <= set_n; i++) {
		set = sets[i]
		if (owners[set] < 2)
			continue
		$0 = set_line[set]
		split(set, part, FS)
		finding("shared_values", "entry " part[2] ", exit " part[3] (part[4] == "-" ? "" : ", wake-up " part[4]) ", residency " part[5] \
			" us in " owners[set] " files: " owner_list[set])
	}
}
