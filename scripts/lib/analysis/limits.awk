# SPDX-License-Identifier: GPL-2.0
# limits.awk - print one line that names what the recordings say nothing about. Reads run.tsv of
# each recording, followed by a table with a column n (stats.tsv, verdict.tsv; may be missing). Or
# reads a table with a column machines: the number of machines that a row stands for.
#	-v brief=1	in about 80 characters, for one recording
#	-v latency=no	idle periods, not latencies: the source and p99.9 do not matter
# From the environment: names (of several recordings, separated by TABs). A limit that holds only
# for some of them is followed by their names.

FILENAME ~ /run\.tsv$/ {
	if (FNR == 1)
		runs++
	of[runs, $1] = $2
	next
}

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

"machines" in at {
	runs++
	machines += weight[runs] = $at["machines"]
	for (i in at)
		of[runs, i] = $at[i]
	next
}

$at["n"] ~ /^[0-9]+$/ && (fewest[runs] == "" || $at["n"] + 0 < fewest[runs] + 0) { fewest[runs] = $at["n"] }

# Add a part to the line for recording R: TEXT, or SHORT in the short line. Parts of the same kind
# stand together.
function add(r, kind, text, short,  key) {
	if (brief)
		text = short
	key = kind SUBSEP text
	if (!(key in holders))
		part[kind, ++parts[kind]] = text
	holders[key] += machines ? weight[r] : 1
	owners[key] = owners[key] (holders[key] > 1 ? ", " : "") name[r]
}

function add_machine(r) {
	if (of[r, "emulated"] == "yes")
		add(r, 1, "real CPUs (this one is emulated)", "real CPUs (emulated)")
	else if (of[r, "driver"] == "artificial")
		add(r, 1, "real idle states (these are artificial)", "real states (artificial)")
	else if (of[r, "emulated"] == "hypervisor")
		add(r, 1, "the CPU's own idle states (contains the hypervisor)", "the CPU itself (guest)")
	else if (of[r, "emulated"] != "no")
		add(r, 1, "real CPUs, perhaps (whether this one is real is not known)", "real CPUs (unknown machine)")
}

function add_latency(r) {
	if (fewest[r] != "" && fewest[r] + 0 < 2995)
		add(r, 2, sprintf("p99.9 (%d of the 2995 samples that it needs)", fewest[r]), "p99.9")
	if (of[r, "woken_by"] ~ /flag/)
		add(r, 3, "wake-ups by devices (when these begin is not known)", "device wake-ups")
	else if (of[r, "source"] ~ /^(timer|hrtimer|tsc_deadline|passive|wult_tdt)$/)
		add(r, 3, "wake-ups by devices or other CPUs (a CPU can foresee its timer)", "device wake-ups")
	else if (of[r, "source"] ~ /^(i210|ipi|wake|wult_nic)$/)
		add(r, 3, "wake-ups by timers (a CPU can foresee those)", "timer wake-ups")
	else if (of[r, "source"] == "who")
		add(r, 3, "other programs and other load", "other load")
}

function add_cpus(r) {
	if (of[r, "cpus"] ~ /^[0-9,-]*[0-9]$/)
		add(r, 4, "other CPUs and packages (measured: CPU " of[r, "cpus"] ")", "other CPUs")
	else if (machines)
		add(r, 4, "other machines, and CPUs of these that were not measured", "other machines and CPUs")
	else
		add(r, 4, "other machines", "other machines")
}

# Return the names of the recordings for which the part KEY holds, or their number if the names are
# too long; nothing if it holds for all.
function whose(key) {
	if (holders[key] == (machines ? machines : runs))
		return ""
	if (machines)
		return " (" holders[key] " of " machines " machines)"
	return " (" (length(owners[key]) > 28 ? holders[key] " of " runs : owners[key]) ")"
}

END {
	split(ENVIRON["names"], name, "\t")
	for (r = 1; r <= runs; r++) {
		add_machine(r)
		if (latency != "no")
			add_latency(r)
		add_cpus(r)
	}
	for (kind = 1; kind <= 4; kind++)
		for (i = 1; i <= parts[kind]; i++)
			line = line (line == "" ? "" : brief ? ", " : "; ") part[kind, i] whose(kind SUBSEP part[kind, i])
	print "Not measured: " line "."
}
