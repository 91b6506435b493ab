# SPDX-License-Identifier: GPL-2.0
# advice.awk - run.tsv verdict.tsv: print for people what follows from the verdict: a latency limit,
# or the recording that would decide.
# part=limit prints only the line on the latency limit, part=rest all but this line.
# Needs quote.awk, limit.awk and idle-table.awk, which reads the two files. From the environment:
# again (the command line of wakelat verdict, without its directory; empty on the page, which has the
# texts to paste), and directory.

{
	pooled = $at["cpus"] == "-"
	verdict = budget == "-" ? $at["advertised_verdict"] : $at["budget_verdict"]
	for (i = 0; i < states; i++)
		if (of["state." i ".name"] == $1)
			verdict_of[i] = $at["budget_verdict"]
	if (verdict == "undecided" && $at["uncertain"] == "yes")
		uncertain = uncertain (uncertain == "" ? "" : ", ") $1
	else if (verdict == "undecided") {
		open = open (open == "" ? "" : ",") $1
		# record --for-verdict stops at a number of samples that suffices if they are
		# independent. Dependent samples would be undecided again.
		dependent = dependent || $at["effective_n"] + 0 < (budget == "-" ? $at["n"] : $at["machine_n"]) + 0
		if ($at["samples_to_decide"] == "-")
			near = near (near == "" ? "" : ", ") $1
		else if (wanted < $at["samples_to_decide"] + 0)
			wanted = $at["samples_to_decide"]
	}
	disordered = disordered || ($at["high"] != "-" && $at["high"] + 0 < last + 0)
	if ($at["high"] != "-")
		last = $at["high"]
}

function us_of(ns) { return ns / 1000 " us" }

function name(i) { return of["state." i ".name"] }

# Return the options that make a new recording measure the same as this one.
function same(  text, n, i, setting) {
	if (of["source"] != "" && of["source"] != "hrtimer")
		text = text " --source " shell_quoted(of["source"])
	n = split(of["source_settings"], setting, ",")
	for (i = 1; i <= n; i++)
		text = text " --setting " shell_quoted(setting[i])
	if (of["intr_offset_ns"] > 0)
		text = text " --intr-offset " of["intr_offset_ns"] + 0 "ns"
	if (of["cpus"] != "" && of["cpus"] != "-")
		text = text " --cpu " shell_quoted(of["cpus"])
	if (of["ldist_mode"] == "uniform" && (of["ldist_min_ns"] != 50000 || of["ldist_max_ns"] != 8000000))
		text = text " --ldist " of["ldist_min_ns"] + 0 "ns:" of["ldist_max_ns"] + 0 "ns"
	return text
}

# Return the command that made the recording: record or probe; "" for other tools' data.
function recorder() {
	if ("imported_from" in of || of["source"] ~ /^(imported|stock|-)$/)
		return ""
	return of["source"] ~ /^(timer|wake)$/ || ("run.1.cpu" (of["cpus"] + 0) ".idle_periods") in of ? "probe" : "record"
}

function advise_more() {
	if (percentile == "max") {
		print "No number of samples can show a maximum: decide by a percentile (-p 99.99)."
		return
	}
	if (uncertain != "")
		print uncertain ": launch times are too uncertain to decide, with any number of samples: use a source\nthat knows them better (hrtimer, tsc_deadline), or another budget."
	if (near != "")
		print near ": p" percentile " is too near the limit to estimate how many samples would decide."
	if (open == "" || (wanted == "" && budget == "-"))
		return
	if (recorder() == "") {
		print "What would decide: more samples, measured with the same tool" (wanted == "" ? "." : ": about " wanted " of " open ".")
		return
	}
	print "What would decide (on the same machine; NEW is a new directory):"
	if (recorder() == "probe")
		print "  wakelat probe -o NEW" (wanted == "" ? "" : " -n " wanted) same()
	else if (budget == "-" || (dependent && wanted != ""))
		print "  wakelat record -o NEW --each-state --states " shell_quoted(open) " -n " wanted same()
	else
		print "  wakelat record -o NEW --states " shell_quoted(open) " --for-verdict " budget "ns:" percentile (pooled ? " --pooled" : "") same()
}

function why(i) {
	if (fate(i) == "unmeasured")
		return name(i) " was not measured"
	if (fate(i) == "undecided")
		return name(i) " is undecided" (limit_us == "-" ? "" : ": more samples may allow it")
	return name(i) " takes longer than " budget / 1000 " us" (is_known(i) ? of["state." i ".latency_ns"] == 0 ? ", and no limit keeps the CPU out of it" : "" : ", and the limit that excludes it is not known")
}

# Return a clause with the deepest state that the limit allows.
function allowed(  i, found) {
	for (i = 0; i < states; i++)
		if (is_known(i) && of["state." i ".latency_ns"] > 0 && !is_disabled(i) && lets_through(limit_us, i))
			found = name(i)
	return found == "" ? "it allows no state that sleeps, only " name(polling_state()) : found " is the deepest state that it allows"
}

# Return why a limit of 0 is not named.
function why_not_0() {
	if (polling_state() >= 0)
		return "a limit of 0 allows only " name(polling_state()) ", which was not measured"
	if ("imported_from" in of)
		return "the data do not say which states wake faster (import --states)"
	return "no state advertises 0 us, so a limit of 0 may not exclude it"
}

# Name the recording that shows whether polling keeps the budget.
function advise_polling(  list, i) {
	if (percentile == "max" || polling_state() < 0 || recorder() == "")
		return
	if (recorder() == "probe") {
		print "To see whether polling keeps the budget (on the same machine; NEW is a new directory):"
		print "  wakelat probe -o NEW --latency-limit 0us" same()
		return
	}
	list = name(polling_state())
	for (i = 1; i <= blockers; i++)
		list = list "," name(blocker[i])
	print "To see whether polling keeps the budget (on the same machine; NEW is a new directory):"
	print "  wakelat record -o NEW --states " shell_quoted(list) " --for-verdict " budget "ns:" percentile same()
}

# Return the line on the latency limit.
function limit_line(  i, reasons) {
	find_limit()
	for (i = 1; i <= blockers; i++)
		reasons = reasons (reasons == "" ? "" : ", ") why(blocker[i])
	if (limit_us == "-") {
		if (only_polling)
			reasons = reasons "; " why_not_0()
		if (!any_known())
			reasons = "no exit latency is advertised, so a limit has no effect"
		return "No limit can be named" (reasons == "" ? "." : ": " reasons ".")
	}
	return sprintf("Latency limit: %d us; %s%s.", limit_us, allowed(), (reasons == "" ? "" : " (" reasons ")"))
}

function advise_limit(  i) {
	find_limit()
	if (part != "rest")
		print limit_line()
	for (i = 0; i < states; i++)
		if (is_disabled(i))
			print name(i) " was disabled before the recording and must stay so."
}

function advise_table() {
	make_table()
	if (idle_table == "") {
		print "No intel_idle.table: " no_table "."
		return
	}
	print "Linux 7.0 and newer, kernel command line (name:latency:residency in us):"
	print "intel_idle.table=" idle_table
	if (raised != "")
		print "Raised, because the kernel accepts no lower value: " raised "."
	else if (disordered)
		print "A deeper state wakes faster than a shallower one."
}

END {
	if (part == "limit") {
		if (budget != "-")
			print limit_line()
		exit
	}
	if (of["emulated"] ~ /^(yes|hypervisor)$/)
		print "Emulated or under a hypervisor: this is an example; its numbers are not\nthose of any real CPU."
	if (budget == "-")
		advise_table()
	else
		advise_limit()
	if (open uncertain != "")
		advise_more()
	if (only_polling)
		advise_polling()
	if (budget != "-" && limit_us != "-" && ENVIRON["again"] != "") {
		print "To set it: " ENVIRON["again"] (ENVIRON["directory"] == "" ? "" : " " path_quoted(ENVIRON["directory"])) " --paste WHAT"
		print "  WHAT: sysfs, qos, wakeup, cpupower (until reboot); tuned, systemd, udev, crio"
	}
}
