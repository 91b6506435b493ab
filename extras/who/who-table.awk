# SPDX-License-Identifier: GPL-2.0
# who-table.awk - print the table of wakelat who and its answer, from run.tsv who.tsv worst.tsv
# limits.tsv [who-limited.tsv]. Needs us.awk.
#	-v note=TEXT	in the title

FNR == 1 {
	file++
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

file == 1 {
	fact[$1] = $2
	if ($1 ~ /^state\.[0-9]+\.name$/)
		is_state[$2]
	next
}

function key() { return $at["group"] "\t" $at["id"] }

file == 2 {
	g = key()
	if (!(g in total)) {
		group[++groups] = g
		waited[g] = 0
	}
	total[g] += $at["n"]
	run[g] += $at["to_run"]
	landed[$at["where"]] += $at["n"]
	rows[g]++
	where[g, rows[g]] = $at["where"]
	line[g, rows[g]] = $0
	if ($at["where"] in is_state) {
		asleep[g] += $at["n"]
		waited[g] += $at["wait"]
		stolen[g] += $at["steal"]
		if ($at["wait"] > most[g]) {
			most[g] = $at["wait"]
			costly[g] = $at["where"]
		}
	}
	for (column_name in at)
		column[column_name] = at[column_name]
	next
}

file == 3 {
	g = key()
	# Files of version 0.1 have all steal time since the CPU went idle.
	stolen_part = $at["steal"] + 0 > $at["wait"] + 0 ? $at["wait"] : $at["steal"]
	chain[g] = instant(0, $at["cause"] "; CPU " $at["cpu"] " had slept in " $at["state"] " for " us($at["asleep"]) " us") \
		instant($at["wait"], "CPU " $at["cpu"] " is awake" (stolen_part > 0 ? " (steal time: " us(stolen_part) " us)" : "")) \
		instant($at["to_run"], $at["comm"] " (thread " $at["thread"] ") runs")
	next
}

file == 4 {
	g = key()
	limits[g]++
	limit[g, limits[g]] = $at["limit_us"]
	saved[g, limits[g]] = $at["saved"]
	low[g, limits[g]] = $at["saved_low"]
	high[g, limits[g]] = $at["saved_high"]
	basis[g, limits[g]] = $at["basis"]
	next
}

$at["where"] in is_state { limited[key()] += $at["wait"] }

function instant(ns, what) { return sprintf("    %10s  %s\n", us(ns), what) }

function percent(part, whole) { return whole > 0 ? sprintf("%.3g", part / whole * 100) : "-" }

function name(g,  part) {
	split(g, part, "\t")
	return part[2] == "-" || fact["by"] == "cgroup" ? part[1] : part[1] " " part[2]
}

function class(g, r,  part, sleeping) {
	split(line[g, r], part, "\t")
	sleeping = where[g, r] in is_state
	printf "  %-22.22s %9d %9s %9s %9s %10.3f %8s %8s", where[g, r], part[column["n"]], us(part[column["wait_p50"]]),
		us(part[column["wait_p99"]]), us(part[column["wait_max"]]), part[column["wait"]] / 1e6,
		sleeping ? percent(part[column["wait"]], fact["elapsed_ns"]) : "", sleeping ? percent(part[column["wait"]], run[g]) : ""
	if (fact["steal"] == "yes")
		printf " %6s", sleeping ? percent(part[column["steal"]], part[column["wait"]]) : ""
	printf "\n"
}

# interval G L: return in words the share of the time that limit number L saves, with its interval
function interval(g, l) {
	return percent(saved[g, l], fact["elapsed_ns"]) " % of the time (" percent(low[g, l], fact["elapsed_ns"]) " to " \
		percent(high[g, l], fact["elapsed_ns"]) " %)"
}

# Return the number of the highest limit that saves nearly as much as the best, because it forbids
# the fewest states; 0 if there is no limit. Leave out limits that may save nothing, unless all may.
# limits.tsv is in ascending order.
function mildest(g,  l, best, mild) {
	for (l = 1; l <= limits[g]; l++)
		if (!best || (low[g, l] > 0) > (low[g, best] > 0) || ((low[g, l] > 0) == (low[g, best] > 0) && saved[g, l] > saved[g, best]))
			best = l
	for (l = best; l <= limits[g]; l++)
		if (l == best || (saved[g, l] >= 0.95 * saved[g, best] && (low[g, l] > 0) == (low[g, best] > 0)))
			mild = l
	return mild + 0
}

function answer(g,  best) {
	printf "%s waits %s %% of the time for CPUs that sleep", name(g), percent(waited[g], fact["elapsed_ns"])
	printf ", %s %% of that in %s", percent(most[g], waited[g]), costly[g]
	best = mildest(g)
	if (best && low[g, best] > 0)
		printf "; a limit of %d us would save %s.%s\n", limit[g, best], interval(g, best), \
			basis[g, best] == "advertised" ? " This uses the advertised latency of the deepest state that the limit allows." : ""
	else if (best)
		printf ". No limit is certain to save time: the best one, %d us, saves %s to %s %%.\n", limit[g, best], \
			percent(low[g, best], fact["elapsed_ns"]), percent(high[g, best], fact["elapsed_ns"])
	else
		printf ".\n"
}

# Print where the wake-ups landed, if none of them found a sleeping CPU.
function nobody(  n) {
	n = landed["busy"] + landed["awake"] + landed["moved"]
	if (n)
		printf "No program waited for a sleeping CPU. Of %d wake-ups, %d found a busy CPU and %d an awake one; %d threads were moved.\n", \
			n, landed["busy"], landed["awake"], landed["moved"]
	else
		print "No thread was woken."
}

function guest(  g, i, all, host) {
	for (i = 1; i <= groups; i++) {
		all += waited[group[i]]
		host += stolen[group[i]]
	}
	if (fact["steal"] != "yes" || !all)
		return
	printf "%s %% of the waiting time is the host's run queue (steal time), which only the host can change. The other %s %% are\n", percent(host, all),
		percent(all - host, all)
	print "the host CPU's idle exit and the entry into the guest: a guest that polls instead of halting (cpuidle-haltpoll, idle=poll)"
	print "does not wait for these. If the host queues the guest before its CPU is awake, steal time includes that CPU's idle exit."
}

function verified(g,  l) {
	l = limits[g]
	if (!("limited.elapsed_ns" in fact) || !l)
		return
	printf "With a limit of %d us in force, %s waited %s %% of the time; expected: %s %% (%s to %s %%).\n", limit[g, l], name(g),
		percent(limited[g] + 0, fact["limited.elapsed_ns"]), percent(waited[g] - saved[g, l], fact["elapsed_ns"]),
		percent(waited[g] - high[g, l], fact["elapsed_ns"]), percent(waited[g] - low[g, l], fact["elapsed_ns"])
}

function before(a, b) { return waited[a] > waited[b] || (waited[a] == waited[b] && run[a] > run[b]) }

END {
	for (i = 2; i <= groups; i++)
		for (j = i; j > 1 && before(group[j], group[j - 1]); j--) {
			swap = group[j]
			group[j] = group[j - 1]
			group[j - 1] = swap
		}
	printf "Waits for sleeping CPUs by %s%s, %.1f s, CPU %s (us)\n\n", fact["by"], note, fact["elapsed_ns"] / 1e9, fact["cpus"]
	printf "%-24s %9s %9s %9s %9s %10s %8s %8s%s\n", fact["by"], "wake-ups", "p50", "p99", "max", "sum, ms", "% time", "% waits",
		fact["steal"] == "yes" ? " % host" : ""
	for (i = 1; i <= groups && i <= 5 && waited[group[i]] >= waited[group[1]] / 1000; i++) {
		g = group[i]
		printf "%-24.24s %9d\n", name(g), total[g]
		for (r = 1; r <= rows[g]; r++)
			class(g, r)
		if (g in chain)
			printf "  the longest wait, us:\n%s", chain[g]
	}
	shown = i - 1
	print "\nIdle states: time from the event until the CPU is awake. awake, busy, moved: time until the thread runs; the CPU was awake"
	print "or ran something else, or the scheduler moved the thread. % waits: share of the time from the events until the threads ran."
	if (groups > shown)
		printf "%d more in who.tsv.\n", groups - shown
	print ""
	if (waited[group[1]] > 0) {
		for (i = 1; i <= shown; i++)
			answer(group[i])
		for (i = 1; i <= shown; i++)
			verified(group[i])
	} else {
		nobody()
	}
	guest()
	if ("caveat" in fact)
		print "Caveat: " fact["caveat"] "."
	if (!("state.0.latency_ns" in fact) || fact["state.0.latency_ns"] == "-")
		print "No limit has an effect here: the kernel applies it only with a cpuidle driver."
}
