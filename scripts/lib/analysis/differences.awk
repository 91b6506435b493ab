# SPDX-License-Identifier: GPL-2.0
# differences.awk - run.tsv stats.tsv...: print a line for each setting that changes latencies and
# differs between the recordings, and for each state that some of them do not have.

FNR == 1 {
	is_run = $1 == "key"
	files += is_run
	next
}

is_run {
	value[files, $1] = $2
	next
}

!in_files[$1]++ { state[++states] = $1 }

END {
	n = split("source emulated hostname cpu_model microcode kernel cmdline driver governor ldist_mode ldist_min_ns " \
		"ldist_max_ns counters", keys, " ")
	for (i = 1; i <= n; i++) {
		differs = 0
		list = ""
		for (f = 1; f <= files; f++) {
			v = value[f, keys[i]] == "" ? "-" : value[f, keys[i]]
			differs = differs || (f > 1 && v != first)
			if (f == 1)
				first = v
			list = list (f > 1 ? " | " : "") v
		}
		if (differs)
			printf "The recordings differ in %s: %s%s\n", keys[i], list, keys[i] == "source" ? " (sources measure different quantities)" : ""
	}
	for (i = 1; i <= states; i++)
		if (in_files[state[i]] < files)
			printf "Not in all recordings: state %s\n", state[i]
}
