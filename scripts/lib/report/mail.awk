# SPDX-License-Identifier: GPL-2.0
# mail.awk - run.tsv without what tells whose machine it was (scrub-run.awk), then verdict.tsv: a block of plain text for a mail, at
# most 72 columns wide. Needs us.awk.
#	from the environment: limits (the line of limits.awk), incomplete (yes or no)

# What woke the CPU, in words.
BEGIN {
	woken["timer"] = "a timer of a program"
	woken["hrtimer"] = "a timer of the kernel"
	woken["tsc_deadline"] = "the TSC deadline timer"
	woken["passive"] = "any timer that the machine has"
	woken["wult_tdt"] = "the TSC deadline timer"
	woken["wake"] = "a thread on another CPU"
	woken["ipi"] = "another CPU"
	woken["i210"] = woken["wult_nic"] = "a network card (PCIe)"
}

function known(key) { return of[key] != "" && of[key] != "-" }

function add(key, before, after) {
	if (known(key))
		text = text (text == "" ? "" : ", ") before of[key] after
}

# Print the list that add has made behind its title, wrapped.
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

# Return a cell in us with as many digits as a reader takes in.
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
	if ($1 ~ /^run\.[0-9]+\.cpu[0-9]+\.(samples|tainted|late|not_idle)$/) {
		split($1, key, ".")
		count[key[4]] += $2
		counted[key[4]] = 1
	}
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
}

function states(  i, any) {
	for (i = 0; ("state." i ".name") in of; i++)
		any = any || known("state." i ".usage")
	if (!i)
		return
	printf "\n%-14s %10s %10s %12s %9s %11s\n", "State", "advertised", "residency", "usage", "too deep", "too shallow"
	for (i = 0; ("state." i ".name") in of; i++)
		printf "%-14.14s %10s %10s %12s %9s %11s%s\n", of["state." i ".name"], whole(of["state." i ".latency_ns"]),
			whole(of["state." i ".residency_ns"]), known("state." i ".usage") ? of["state." i ".usage"] : "-",
			share(of["state." i ".above"], of["state." i ".usage"]), share(of["state." i ".below"], of["state." i ".usage"]),
			(of["state." i ".disabled"] == 1 ? " off" : "")
	print any ? "us; usage and misses of the measured CPU, from boot to this recording" : \
		"us; usage and misses were not recorded"
}

# A line whose intervals need room takes it from the blanks.
function narrow(text) {
	while (length(text) > 72 && sub(/   /, " ", text))
		;
	return text
}

function latencies(  i, name, column) {
	printf "\n%-14s %8s %9s %20s %9s %7s\n", "Latency", "median", "p99.9", "95 % interval", "max", "n"
	for (i = 1; i <= rows; i++) {
		$0 = row[i]
		name = $at["metric"] == "intr_latency" ? sprintf("%.10s (i)", $at["state"]) : $at["state"]
		print narrow(sprintf("%-14.14s %8s %9s %20s %9s %7s", name, short($at["p50"]), short($at["p99.9"]),
			$at["p99.9_low"] == "-" && $at["p99.9_high"] == "-" ? "-" : short($at["p99.9_low"]) " .. " short($at["p99.9_high"]),
			short($at["max"]), $at["n"]))
		verdict = verdict (i > 1 ? ", " : "") $at["state"] " " \
			($at["advertised_verdict"] == "-" ? "has no advertised latency" : $at["advertised_verdict"])
	}
	print "us" (interrupts ? "; (i): until the interrupt is handled" : timed ? "; A..B: somewhere between" : "; until the CPU runs again") "; -: not supported by n"
	text = verdict (percentile == "" ? "" : " (p" percentile " against the advertised latency; error at most 5 %)")
	line("Verdict")
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
	add("source", "source ", of["source"] in woken ? " (woken by " woken[of["source"]] ")" : "")
	add("cpus", "CPU ")
	if (known("ldist_min_ns"))
		text = text ", armed " whole(of["ldist_min_ns"]) " to " whole(of["ldist_max_ns"]) " us ahead"
	add("latency_limit_us", "limit ", " us")
	add("prepare", "prepared: ")
	add("date", "")
	line("Method")
	text = n + 0 " wake-ups without taint, " (counted["tainted"] ? count["tainted"] " tainted" : "taints not known")
	text = text ", " (lost_known ? lost " lost" : "losses not known")
	if (ENVIRON["incomplete"] == "yes")
		text = text ", INCOMPLETE: samples are missing"
	line("Count")
	states()
	latencies()
	add("systematic_error", "")
	line("Error")
	add("revision", "wakelat ")
	line("Made by")
	wrapped("", ENVIRON["limits"])
}
