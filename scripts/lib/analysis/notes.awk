# SPDX-License-Identifier: GPL-2.0
# notes.awk - stats.tsv run.tsv: print what a reader of the table must know, a line each.
#	-v reasons=LIST	the reasons of runs that are complete: $reasons_whole of reasons.sh
#	-v brief=1	for the short table: shorter, and only about what that table shows
#	-v percentiles_of=user	the user has chosen its percentiles
#	reached=FILE	in the environment, because -v would change a backslash in its name: stats-reached.tsv; need not exist

# Set not_reached to the states with samples that the table leaves out because their residency counter did not advance, and
# never_reached to the states that no sample reached. Add the samples that were left out to samples.
function take_reached(  file, n, i, cell, at, order, states, yes, no, unclear) {
	file = ENVIRON["reached"]
	while (file != "" && (getline <file) > 0) {
		n = split($0, cell, FS)
		for (i = 1; states == "" && i <= n; i++)
			at[cell[i]] = i
		if (states++ == "")
			continue
		if (!((cell[at["state"]]) in yes))
			order[++order[0]] = cell[at["state"]]
		yes[cell[at["state"]]] += cell[at["reached"]] == "yes" ? cell[at["n"]] : 0
		no[cell[at["state"]]] += cell[at["reached"]] == "no" ? cell[at["n"]] : 0
		unclear[cell[at["state"]]] += cell[at["reached"]] == "-" ? cell[at["n"]] : 0
	}
	for (i = 1; i <= order[0]; i++) {
		state = order[i]
		if (yes[state] > 0) {
			samples += no[state] + unclear[state]
			not_reached = add(not_reached, no[state] + unclear[state], "of " state)
		} else if (no[state] > 0)
			never_reached = never_reached (never_reached == "" ? "" : ", ") state
	}
}

# needed: how many samples the highest percentile in the table needs
BEGIN {
	needed = brief && percentiles_of != "user" ? 2995 : 299572
	what_needs = "p99 needs 299, p99.9 2995" (needed == 2995 ? "" : ", p99.99 29956, p99.999 299572")
}

# Return LIST with ", 3 smi" appended, or LIST alone if the count is 0.
function add(list, count, kind) {
	return count + 0 ? list (list == "" ? "" : ", ") sprintf("%.0f %s", count, kind) : list
}

FNR == NR && FNR == 1 {
	for (i = 1; i <= NF; i++) {
		column[$i] = i
		if (seen_tainted)
			taint[++taints] = $i
		if ($i == "tainted")
			seen_tainted = 1
	}
	next
}

FNR == NR {
	samples += $column["n"] + $column["tainted"]
	tainted += $column["tainted"]
	for (i = 1; i <= taints; i++)
		tainted_by[i] += $column[taint[i]]
	state = $column["state"]
	if ("wake_latency_min" in column && $column["n"] > 0 && $column["wake_latency_min"] == "-")
		irqs_on = irqs_on (irqs_on == "" ? "" : ", ") state
	if ($column["advertised_ns"] == "-")
		unknown[state] = 1
	if ($column["n"] < needed)
		few = 1
	if ($0 ~ /[0-9][.][.]/)
		between = 1
	if ($0 ~ /[.][.]-/)
		open = 1
	if ($0 ~ /[0-9]\*/)
		unsupported = 1
	next
}

$1 ~ /^run\.[0-9]+\.cpu[0-9]+\.(not_idle|late|order|limited|armed)$/ {
	split($1, key, ".")
	misses[key[4]] += $2
}

$1 ~ /^run\.[0-9]+\.reason$/ && !index(" " reasons " ", " " $2 " ") {
	split($1, key, ".")
	ended = ended (ended == "" ? "" : ", ") "run " key[2] " " $2
}

$1 ~ /^state\.[0-9]+\.name$/ { delete unknown[$2] }

$1 ~ /^lost_/ {
	lost += $2
	lost_known = 1
}

$1 ~ /^(systematic_error|taints_unknown|caveat)$/ {
	caveat[++caveats] = ($1 == "caveat" ? "Caveat: " : $1 == "systematic_error" ? "Systematic error, " : "Taints: ") $2 "."
}

$1 == "taints_unknown" && $2 ~ /^not known: / { no_taints = 1 }

$1 == "resolution_ns" { resolution = $2 }

END {
	take_reached()
	if (not_reached != "")
		printf "Left out, because it is not known whether they reached the requested state: %s%s.\n", not_reached, \
			brief ? " (stats-reached.tsv)" : "; stats-reached.tsv has their statistics"
	if (never_reached != "")
		printf "%s: the residency counter moved in no sample. It may be the wrong counter.\n", never_reached
	if (irqs_on != "" && brief)
		printf "No wake latency of %s: entered with interrupts on; see its interrupt latency.\n", irqs_on
	else if (irqs_on != "")
		printf "No wake latency of %s: entered with interrupts on, so the handler runs before\n  the clock can be read after the idle state. See its interrupt latency.\n", irqs_on
	for (i = 1; i <= caveats; i++)
		print caveat[i]
	if (between)
		print "A..B: the value is between A and B, because the samples are known only in bins" \
			(resolution == "" ? "" : sprintf(" of %g us or wider", resolution / 1000)) "." \
			(open ? " A..-: above the last bin; the tool states no maximum." : "")
	if (few && !unsupported)
		print "- for a percentile: too few samples for it (" what_needs ")."
	if (unsupported)
		print "*: NOT SUPPORTED: too few samples for it (" what_needs ")."
	for (state in unknown)
		printf "%s is not in the state table of run.tsv. Is the recording of another CPU?\n", state
	if (tainted) {
		for (i = 1; i <= taints; i++)
			list = add(list, tainted_by[i], taint[i] == "other_taint" ? "other" : taint[i])
		printf "Left out as tainted: %.0f of %.0f samples%s\n", tainted, samples, list == "" ? "." : " (" list ")."
	} else if (!no_taints) {
		print "Tainted: none."
	}
	list = add("", misses["not_idle"], "not idle")
	list = add(list, misses["late"], "armed too late")
	list = add(list, misses["order"], "out of order")
	list = add(list, misses["limited"], "too soon after the last")
	if ("armed" in misses && !brief)
		printf "Armed %.0f events; no sample from: %s.\n", misses["armed"], list == "" ? "none" : list
	if (ended != "")
		printf "Ended early: %s.\n", ended
	printf "Events lost while recording: %s\n", (lost ? sprintf("%.0f.", lost) : lost_known ? "none." : "not known.")
}
