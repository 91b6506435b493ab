# SPDX-License-Identifier: GPL-2.0
# balance.awk - count the wake-ups of a recording by state, class and reason. Columns: state (its index,
# "-" if a row is not of a single state), class, reason, count. Classes:
#	judged		clean: judged by its latency
#	measured	with an SMI, an NMI or an uncertain launch time: its latency counts for the machine only
#	unknown		without a latency: counts as longer than any limit
#	other		left out: the verdict is not about this kind of wake-up
#
# Each file has an assignment kind=KIND before it: classes (taints.tsv), run (run.tsv); from
# quantiles: stats, taints, rows (by run and CPU; may be empty), reached (option -r; may be empty),
# latencies (-i). The tables of quantiles may have a column cpu (-w).
#	-v counts=yes	the recording has counts instead of samples
#	-v longer=FILE	writes the number of wake-ups without a latency to FILE, as STATE=COUNT,... (of one
#			CPU: STATE/CPU=COUNT). A wake-up of an unknown state counts in each state. Without such
#			wake-ups, writes "none" if a tainted wake-up is judged by its latency, else nothing

function add(state, class, reason, n) {
	if (n <= 0)
		return
	if (class == "unknown")
		endless[state] += n
	any_measured = any_measured || class == "measured"
	if (!((state, class, reason) in count))
		order[++nr] = state SUBSEP class SUBSEP reason
	count[state, class, reason] += n
}

# Count N samples with the taints of LIST, TIMED of which have a latency, under one reason: the taint
# that leaves them out, else the taint that makes their latency unknown, else the first.
function classify(state, list, n, timed,  i, nr_words, word, best, class) {
	nr_words = split(list, word, ",")
	for (i = 1; i <= nr_words; i++)
		if (best == "" || rank(word[i]) > rank(best))
			best = word[i]
	class = best in class_of ? class_of[best] : "unknown"
	if (class == "measured") {
		count_in(state, "unknown", "no_latency", n - timed)
		n = timed
	}
	count_in(state, class, best, n)
}

# Count wake-ups of a state; of one CPU (STATE/CPU) only those without a latency.
function count_in(state, class, reason, n) {
	if (state !~ /\//)
		add(state, class, reason, n)
	else if (class == "unknown")
		endless[state] += n
}

# Count N wake-ups of a run on a CPU that are no samples.
function add_event(run, cpu, class, reason, n) {
	add(state_of(run), class, reason, n)
	if (class == "unknown" && n > 0)
		endless[state_of(run) "/" substr(cpu, 4)] += n
}

# Return the state of the row, with its CPU if the row is of one CPU.
function row_unit() { return $at["state"] ("cpu" in at && $at["cpu"] != "all" ? "/" $at["cpu"] : "") }

# Return the number of wake-ups without a latency of a state, or of a state on a CPU.
function endless_of(unit,  part) {
	if (split(unit, part, "/") == 2)
		return endless[unit] + endless["-/" part[2]] + lost_anywhere
	return endless[unit] + endless["-"]
}

function rank(word) { return !(word in class_of) || class_of[word] == "unknown" ? 2 : class_of[word] == "other" ? 3 : 1 }

# Return the index of the state that a run measured, "-" if the run is not of a single state.
function state_of(run) { return state_of_run[run] in index_of ? index_of[state_of_run[run]] : "-" }

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

kind == "classes" { class_of[$at["taint"]] = $at["machine"] }

kind == "run" {
	split($1, key, ".")
	if ($1 ~ /^run\.[0-9]+\.state$/)
		state_of_run[key[2]] = $2
	else if ($1 ~ /^run\.[0-9]+\.warmup$/)
		warmup[key[2]] = $2 == "yes"
	else if ($1 ~ /^run\.[0-9]+\.cpu[0-9]+\.[a-z_]+$/) {
		events[key[2], key[3], key[4]] = $2
		event[++nr_events] = key[2] SUBSEP key[3] SUBSEP key[4]
	}
	else if ($1 ~ /^state\.[0-9]+\.name$/)
		index_of[$2] = key[2]
	else if ($1 == "cut_periods")
		cut = $2
	else if ($1 ~ /^lost_/)
		lost += $2
}

kind == "rows" { rows[$at["run"], "cpu" $at["cpu"]] += $at["n"] + ("tainted" in at ? $at["tainted"] : 0) }

kind == "stats" {
	clean[row_unit()] += $at["n"]
	states[++nr_states] = row_unit()
}

kind == "latencies" && $at["n"] > latencies[row_unit()] + 0 { latencies[row_unit()] = $at["n"] }

kind == "taints" { classify(row_unit(), $at["taint"], $at["n"], $at["values"]) }

kind == "reached" && $at["reached"] == "no" { missed[row_unit()] = $at["n"] }
kind == "reached" && $at["reached"] == "yes" { any[row_unit()] = $at["n"] }

END {
	OFS = FS
	for (i = 1; i <= nr_states; i++) {
		s = states[i]
		unreached = any[s] > 0 ? missed[s] : 0
		count_in(s, "other", "not_reached", unreached)
		count_in(s, "unknown", "no_latency", clean[s] - latencies[s])
		count_in(s, "judged", "clean", latencies[s] - unreached)
	}
	for (i = 1; i <= nr_events; i++) {
		e = event[i]
		split(e, key, SUBSEP)
		if (key[3] == "samples" && counts == "" && ((key[1], key[2]) in rows || events[e] > 0)) {
			add_event(key[1], key[2], warmup[key[1]] ? "other" : "unknown", "missing", events[e] - rows[key[1], key[2]])
			known = 1
		}
		armed = ((key[1], key[2], "armed") in events)
		if (key[3] ~ /^(order|lost)$/)
			add_event(key[1], key[2], warmup[key[1]] ? "other" : "unknown", key[3], events[e])
		else if (key[3] ~ /^(not_idle|late|limited|surplus)$/ || (!armed && key[3] ~ /^(other_wakeups|other_clock|unknown_timer)$/))
			add(state_of(key[1]), "other", key[3], events[e])
		else if (key[3] == "armed")
			add(state_of(key[1]), "other", "under_way", events[e] - events[key[1], key[2], "samples"] - \
				events[key[1], key[2], "not_idle"] - events[key[1], key[2], "late"] - events[key[1], key[2], "order"] - \
				events[key[1], key[2], "limited"] - events[key[1], key[2], "lost"])
	}
	add("-", "other", "cut", cut)
	if (!known) {
		add("-", "unknown", "lost", lost)
		lost_anywhere = lost + 0
	}
	print "state", "class", "reason", "count"
	for (i = 1; i <= nr; i++) {
		split(order[i], key, SUBSEP)
		print key[1], key[2], key[3], count[order[i]]
	}
	for (i = 1; i <= nr_states; i++)
		if (endless_of(states[i]) > 0)
			text = text (text == "" ? "" : ",") states[i] "=" sprintf("%.0f", endless_of(states[i]))
	print (text == "" && any_measured ? "none" : text) >longer
}
