# SPDX-License-Identifier: GPL-2.0
# exceeding.awk - run.tsv samples.tsv: of the untainted samples of each state, how many took longer than
# the driver advertises: state wake_latency intr_latency

FNR == NR {
	if ($1 ~ /^state\.[0-9]+\.latency_ns$/) {
		split($1, key, ".")
		advertised[key[2]] = $2
	}
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["taint"] == "-" && $at["state"] in advertised {
	limit = advertised[$at["state"]] + 0
	wake[$at["state"]] += $at["wake_latency"] != "-" && $at["wake_latency"] + 0 > limit
	intr[$at["state"]] += $at["intr_latency"] != "-" && $at["intr_latency"] + 0 > limit
}

END {
	for (state in wake)
		print state, wake[state], intr[state]
}
