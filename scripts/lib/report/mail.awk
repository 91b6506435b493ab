# SPDX-License-Identifier: GPL-2.0
# mail.awk - run.tsv after scrub-run.awk (which removes what tells whose machine it was), then the
# rows of the verdict with their words (tools/answer/parts.c): print a block of plain text for a mail,
# at most 72 columns wide.
#	from the environment: limits (what the recording says nothing about), incomplete (yes or no)

# What woke the CPU, in words.
BEGIN {
	woken["timer"] = "a timer of a program"
	woken["hrtimer"] = "a timer of the kernel"
	woken["tsc_deadline"] = "the TSC deadline timer"
	woken["passive"] = "any timer that the machine has"
	woken["wult_tdt"] = "the TSC deadline timer"
	woken["wake"] = "a thread on another CPU"
	woken["ipi"] = "another CPU"
	woken["i210"] = woken["wult_nic"] = "a PCIe network card"
}

# Return what woke the CPU, in words.
function waker(source) {
	if (source == "passive" && of["woken_by"] ~ /flag/)
		return "any timer, or another CPU"
	return woken[source]
}

function known(key) { return of[key] != "" && of[key] != "-" }

function add(key, before, after) {
	if (known(key))
		text = text (text == "" ? "" : ", ") before of[key] after
}

# Print the title, then the list that add() has made, wrapped.
function line(title) {
	if (text != "")
		wrapped(sprintf("%-9s", title), text)
	text = ""
}

function wrapped(head, text,  word, n, i, out) {
	n = split(text, word, " ")
	out = head
	for (i = 1; i <= n; i++) {
		if (length(out) + length(word[i]) > 71 && out ~ /[^ ]/ && out != head) {
			sub(/ +$/, "", out)
			print out
			out = "         "
		}
		while (length(word[i]) > 60) {
			print out substr(word[i], 1, 60)
			word[i] = substr(word[i], 61)
			out = "         "
		}
		out = out word[i] " "
	}
	sub(/ +$/, "", out)
	print out
}

# Return a cell in us, with only as many digits as a reader needs.
function short(ns,  end) {
	if (split(ns, end, "[.][.]") == 2)
		return whole(end[1]) ".." whole(end[2])
	if (ns !~ /^-?[0-9.]+$/)
		return "-"
	return sprintf(ns >= 1e6 || ns <= -1e6 ? "%.1f" : "%.2f", ns / 1000)
}

function whole(ns) { return ns ~ /^[0-9]+$/ ? sprintf("%.10g", ns / 1000) : "-" }

function share(count, all) { return count ~ /^[0-9]+$/ && all + 0 > 0 ? sprintf("%.1f %%", 100 * count / all) : "-" }

FNR == 1 { file++ }

file == 1 {
	of[$1] = $2
	if ($1 ~ /^run\.[0-9]+\.cpu[0-9]+\.tainted$/)
		tainted_known = 1
	if ($1 ~ /^lost_/) {
		lost += $2
		lost_known = 1
	}
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	row[++rows] = $0
	percentile = $at["percentile"]
	n += $at["n"]
	if ($at["metric"] == "intr_latency")
		interrupts = 1
	timed = timed || $at["metric"] == "latency"
	condition = $at["condition"]
}

# Begin a table whose header cells are separated by TABs.
function table(header) {
	split("", cell)
	split("", filled)
	lines = 0
	columns = row_of(header)
}

# Add a row to the table; return its number of cells.
function row_of(text,  n, i, part) {
	n = split(text, part, "\t")
	lines++
	for (i = 1; i <= n; i++) {
		cell[lines, i] = part[i]
		if (lines > 1 && part[i] != "-")
			filled[i] = 1
	}
	return n
}

# Return how wide the table is with GAP blanks between columns. Sets width.
function widths(gap,  i, k, sum) {
	for (i = 1; i <= columns; i++) {
		width[i] = 0
		for (k = 1; k <= lines; k++)
			if (length(cell[k, i]) > width[i])
				width[i] = length(cell[k, i])
		if (i in filled)
			sum += width[i] + gap
	}
	return sum - gap
}

# Print the table without the columns that are empty in all rows. If it is too wide, the names in the first column are cut.
function print_table(  gap, i, k, out) {
	for (gap = 3; gap > 1 && widths(gap) > 72; gap--)
		;
	i = widths(gap) - 72
	if (i > 0)
		width[1] -= i
	print ""
	for (k = 1; k <= lines; k++) {
		out = sprintf("%-" width[1] "s", substr(cell[k, 1], 1, width[1]))
		for (i = 2; i <= columns; i++)
			if (i in filled)
				out = out sprintf("%" (gap + width[i]) "s", cell[k, i])
		sub(/ +$/, "", out)
		print out
	}
}

function states(  i, names, state) {
	table("State\tadvertised\tresidency\tusage\ttoo deep\ttoo shallow\t")
	for (i = 0; ("state." i ".name") in of; i++) {
		state = "state." i "."
		names = names (i ? ", " : "") of[state "name"]
		row_of(of[state "name"] "\t" whole(of[state "latency_ns"]) "\t" whole(of[state "residency_ns"]) "\t" \
			(known(state "usage") ? of[state "usage"] : "-") "\t" share(of[state "above"], of[state "usage"]) "\t" \
			share(of[state "below"], of[state "usage"]) "\t" (of[state "disabled"] == 1 ? "off" : "-"))
	}
	if (names == "")
		return
	for (i = 2; i <= lines; i++)
		sub(/^-$/, "", cell[i, 7])
	if (!(2 in filled) && !(3 in filled) && !(4 in filled)) {
		text = names (of["driver"] == "none" ? " (no cpuidle driver: no latencies are advertised)" : " (advertised latencies and usage were not recorded)")
		line("States")
		return
	}
	print_table()
	print "in us; " (4 in filled ? "usage and misses: of the measured CPU since it booted" : "usage and misses were not recorded")
}

# Return the verdict on the state in $0.
function decided(  is) {
	is = $at["advertised_verdict"]
	if (is == "-")
		return $at["state"] ($at["n"] + 0 ? ": no advertised latency" : ": no samples")
	judged = 1
	return $at["state"] ": p" percentile (is == "exceeded" ? " is above" : is == "kept" ? " is not above" : " may be above or below") \
		" the advertised " whole($at["advertised_ns"]) " us"
}

function latencies(  i, k, missing) {
	table("Latency\tmedian\tp99.9\tbounds of p99.9\tmax\tn")
	for (i = 1; i <= rows; i++) {
		$0 = row[i]
		row_of($at["on_cpu"] ($at["metric"] == "intr_latency" ? " (i)" : "") "\t" short($at["p50"]) "\t" short($at["p99.9"]) "\t" \
			($at["p99.9_low"] == "-" && $at["p99.9_high"] == "-" ? "-" : short($at["p99.9_low"]) " .. " short($at["p99.9_high"])) "\t" \
			short($at["max"]) "\t" $at["n"])
		verdict = verdict (i > 1 ? "; " : "") decided()
	}
	print_table()
	for (i = 2; i <= columns; i++)
		for (k = 2; k <= lines; k++)
			missing = missing || (i in filled) && cell[k, i] ~ /(^| )-$/
	print "in us" (interrupts ? "; (i): until the interrupt is handled" : timed ? "; A..B: somewhere between" : ", until the CPU runs again") \
		(missing ? "; -: n is too small for it" : "")
	if (4 in filled)
		print "bounds: each is wrong with a probability of 5 % at most"
	text = verdict (judged ? "; chance of a wrong verdict: at most 5 %, if " condition : "")
	line("Verdict")
}

# Return how many wake-ups were judged and left out, and which ones were not counted.
function count_text(  missing) {
	$0 = row[1]
	if ($at["wakeups"] !~ /^[0-9]+$/)
		return n + 0 " wake-ups judged"
	missing = tainted_known || $at["all_measured_by"] != "-" || $at["left_out"] + 0 ? "" : "tainted"
	if (!lost_known)
		missing = missing (missing == "" ? "" : " and ") "lost"
	return $at["balance"] (lost_known && $at["all_unknown_by"] !~ /lost=/ ? "; " lost + 0 " lost" : "") (missing == "" ? "" : "; " missing " ones were not recorded")
}

END {
	if (of["emulated"] == "yes")
		of["cpu_model"] = of["cpu_model"] " (EMULATED)"
	else if (of["emulated"] == "hypervisor")
		of["cpu_model"] = of["cpu_model"] " (GUEST)"
	add("cpu_model", "")
	add("cpu_stepping", "")
	add("microcode", "microcode ")
	add("bios", "BIOS ")
	line("CPU")
	add("kernel", "Linux ")
	add("driver", "driver ")
	add("governor", "governor ")
	add("clocksource", "clocksource ")
	line("Kernel")
	add("measured_with", "")
	add("source", "source ", of["source"] in woken ? " (woken by " waker(of["source"]) ")" : "")
	add("cpus", "CPU ")
	if (known("ldist_min_ns") && of["source"] != "passive")
		text = text ", armed " whole(of["ldist_min_ns"] "") " to " whole(of["ldist_max_ns"] "") " us ahead"
	add("latency_limit_us", "limit ", " us")
	add("prepare", "prepared: ")
	add("date", "")
	line("Method")
	text = count_text()
	if (ENVIRON["incomplete"] == "yes")
		text = text ", INCOMPLETE: samples are missing"
	line("Count")
	states()
	latencies()
	add("systematic_error", "")
	line("Error")
	$0 = row[1]
	text = $at["unknown"]
	line("Unknown")
	add("revision", "wakelat ")
	line("Made by")
	wrapped("", ENVIRON["limits"])
}
