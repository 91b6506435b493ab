# SPDX-License-Identifier: GPL-2.0
# limits.awk - run.tsv, then stats.tsv or verdict.tsv (may be missing): one line that says for what a recording means nothing.
#	-v brief=1	in at most 80 characters

FNR == 1 { file++ }
file == 1 { of[$1] = $2 }

file == 2 && FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

file == 2 && $at["n"] ~ /^[0-9]+$/ && (fewest == "" || $at["n"] + 0 < fewest + 0) { fewest = $at["n"] }

# The second text is for the short table.
function add(text, short) {
	line = line (line == "" ? "" : "; ") text
	brief_line = brief_line (brief_line == "" ? "" : ", ") short
}

END {
	if (of["emulated"] == "yes")
		add("any real CPU (emulated)", "real CPUs (emulated)")
	else if (of["driver"] == "artificial")
		add("any real CPU (artificial states)", "real CPUs (artificial)")
	else if (of["emulated"] == "hypervisor")
		add("the CPU's own idle states (contains the hypervisor)", "the CPU itself (guest)")
	else if (of["emulated"] != "no")
		add("a real CPU (the machine is not known)", "a known machine")
	if (fewest != "" && fewest + 0 < 2995)
		add(sprintf("p99.9 (%d of the 2995 samples it needs)", fewest), "p99.9")
	if (of["source"] ~ /^(timer|hrtimer|tsc_deadline|passive|wult_tdt)$/)
		add("wake-ups by devices or other CPUs (a CPU can foresee its timer)", "devices")
	else if (of["source"] ~ /^(i210|ipi|wake|wult_nic)$/)
		add("wake-ups by timers (a CPU can foresee those)", "timers")
	if (of["cpus"] ~ /^[0-9,-]*[0-9]$/)
		add("other CPUs and packages (measured: CPU " of["cpus"] ")", "other CPUs")
	else
		add("other machines", "other machines")
	print "Means nothing for " (brief ? brief_line : line) "."
}
