# SPDX-License-Identifier: GPL-2.0
# check-machine.awk - runs together with check.awk, and reads a third file: facts of a machine, KEY
# TAB VALUE [TAB VALUE]. Reports how latency limits, boot parameters and firmware affect the idle
# states. Keys:
#	cmdline, driver, governor, broadcast (device or none), limit (FILE, us), unread (FILE, what is unknown
#	because FILE was not read), intel_table (yes: the kernel has intel_idle.table=)

file == 2 && $at["kind"] == "live" {
	live[++lives] = $0
	if ($at["index"] > 0 && !seen_list[$at["list"]]++)
		lists_of_cpus = lists_of_cpus (live_lists++ ? "; " : "") $at["list"]
	if (!polls($at["state"]) && $at["disabled"] != "yes" && latency != "-" && (lowest == "" || latency < lowest))
		lowest = latency
	if ($at["timer_stop"] == "yes")
		stops = stops (stops == "" ? "" : ", ") $at["state"]
	if (live_lists == 1) {
		top = $at["index"] + 0
		name_of[top] = $at["state"]
		us_of[top, "latency"] = latency
		us_of[top, "residency"] = residency
	}
}

file == 2 && $at["kind"] == "cpu" && $at["timer_stop"] == "yes" { stops = stops (stops == "" ? "" : ", ") $at["state"] }

file == 2 && $at["kind"] == "acpi" && $at["hint"] != "-" && latency != "-" && !($at["hint"] in firmware) {
	firmware[$at["hint"]] = latency
	firmware_n++
}

file == 3 { fact[$1] = $2 }
file == 3 && $1 == "unread" {
	why = $3
	about($2)
	finding("not_readable", why)
	next
}
file == 3 && $1 == "limit" && lowest != "" && $3 ~ /^[0-9]+$/ && $3 + 0 < lowest {
	limit = $3
	about($2)
	finding("limit_admits_nothing", "allows " limit " us, the lowest latency of a state that sleeps is " lowest " us")
}

# Make the next findings refer to PLACE and STATE.
function about(place, state,  i) {
	$0 = ""
	for (i = 1; i <= columns; i++)
		$i = "-"
	$at["place"] = place
	if (state != "")
		$at["state"] = state
}

# Set the variable parameter to the last value of the boot parameter NAME. Return whether it is given.
function parameter_of(name,  word, n, i, found) {
	n = split(fact["cmdline"], word, " ")
	for (i = 1; i <= n; i++)
		if (index(word[i], name "=") == 1) {
			parameter = substr(word[i], length(name) + 2)
			found = 1
		}
	return found
}

function discarded(name, why) {
	about("/proc/cmdline")
	finding("parameter_discarded", name "=" parameter ": " why)
}

# Return the value of a number as the kernel reads it with base 0: 0x begins a hexadecimal number, 0 an octal one.
function base_0(text,  base, n) {
	base = text ~ /^0x/ ? 16 : text ~ /^0/ ? 8 : 10
	sub(/^0x/, "", text)
	for (text = tolower(text); text != ""; text = substr(text, 2))
		n = n * base + index("0123456789abcdef", substr(text, 1, 1)) - 1
	return n + 0
}

# Return why the kernel rejects intel_idle.table=. Follows cmdline_table_adjust(),
# validate_cmdline_cstate().
function table_fault(text,  part, n, field, m, i, k, found, name) {
	if (length(text) > 255)
		return "longer than 255 characters"
	n = split(text, part, ",")
	for (i = 1; i <= n; i++) {
		m = split(part[i], field, ":")
		if (field[1] == "POLL")
			continue
		if (m < 2)
			return "'" part[i] "' is not NAME:LATENCY:RESIDENCY"
		found = 0
		for (k = 1; k <= top; k++)
			if (name_of[k] == field[1])
				found = k
		if (!found)
			continue
		if (m < 3)
			return "'" part[i] "' is not NAME:LATENCY:RESIDENCY"
		if (m > 6)
			return "'" part[i] "' has too many fields"
		if (field[2] !~ /^(0x[0-9a-fA-F]+|[0-9]*)$/ || field[3] !~ /^(0x[0-9a-fA-F]+|[0-9]*)$/)
			return "'" part[i] "' has no numbers"
		if (field[2] != "")
			us_of[found, "latency"] = base_0(field[2])
		if (field[3] != "")
			us_of[found, "residency"] = base_0(field[3])
	}
	for (k = 1; k <= top; k++) {
		name = name_of[k]
		if (us_of[k, "latency"] + 0 < 1 || us_of[k, "latency"] > 5000)
			return name ": latency " us_of[k, "latency"] " us is not between 1 and 5000"
		if (us_of[k, "residency"] > 100000)
			return name ": residency " us_of[k, "residency"] " us is above 100 ms"
		if (us_of[k, "residency"] + 0 < us_of[k, "latency"] + 0)
			return name ": residency " us_of[k, "residency"] " us is below latency " us_of[k, "latency"] " us"
		if (us_of[k, "latency"] + 0 <= us_of[k - 1, "latency"] + 0)
			return name ": latency " us_of[k, "latency"] " us is not above that of " name_of[k - 1]
		if (us_of[k, "residency"] + 0 <= us_of[k - 1, "residency"] + 0)
			return name ": residency " us_of[k, "residency"] " us is not above that of " name_of[k - 1]
	}
	return ""
}

function check_parameters(  why) {
	if (parameter_of("intel_idle.table")) {
		if (fact["driver"] != "intel_idle")
			discarded("intel_idle.table", "the cpuidle driver is " fact["driver"])
		else if (fact["intel_table"] != "yes")
			discarded("intel_idle.table", "this kernel has no such parameter (Linux 7.0 has)")
		else if ((why = table_fault(parameter)) != "")
			discarded("intel_idle.table", why "; the kernel ignores the whole table (cmdline_table_adjust(), validate_cmdline_cstate())")
	}
	if (parameter_of("intel_idle.max_cstate") && fact["driver"] != "intel_idle" && parameter != "0")
		discarded("intel_idle.max_cstate", "the cpuidle driver is " fact["driver"])
	if (parameter_of("processor.max_cstate") && fact["driver"] == "intel_idle")
		discarded("processor.max_cstate", "the cpuidle driver is intel_idle, which does not read it")
	if (parameter_of("cpuidle.governor") && fact["governor"] != "" && tolower(parameter) != fact["governor"])
		discarded("cpuidle.governor", "the governor is " fact["governor"] " (drivers/cpuidle/governor.c: cpuidle_register_governor())")
}

# Compare each state of the driver with the firmware's state that has the same hint.
function check_firmware(  i, hint) {
	if (fact["driver"] != "intel_idle")
		return
	for (i = 1; i <= lives; i++) {
		$0 = live[i]
		hint = $at["hint"]
		latency = us("latency_us")
		if (hint == "-" || $at["state"] ~ /_(ACPI|LPI)$/)
			continue
		if (hint in firmware && firmware[hint] != latency)
			finding("driver_and_firmware_differ", "MWAIT " hint ": the driver has " latency " us, the firmware " firmware[hint] " us")
		else if (!(hint in firmware) && firmware_n)
			finding("driver_and_firmware_differ", "MWAIT " hint ": the firmware has no such state")
	}
}

END {
	if (live_lists > 1) {
		about("sysfs")
		finding("cpus_differ", live_lists " tables: " lists_of_cpus)
	}
	if (stops != "" && fact["broadcast"] == "none") {
		about("/sys/devices/system/clockevents/broadcast")
		finding("no_broadcast", "no broadcast device, and the timer stops in " stops)
	}
	check_parameters()
	check_firmware()
}
