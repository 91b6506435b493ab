# SPDX-License-Identifier: GPL-2.0
# exceeding.awk - run.tsv samples.tsv: of the untainted samples of each state, how many took longer than
# the driver advertises: state reached wake_latency intr_latency, where reached is "all", and "yes" for those
# of them that reached the state.
#	-v counters=STATE=COUNTER,...	the counter that tells

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
	n = split(counters, list, ",")
	for (i = 1; i <= n; i++) {
		split(list[i], pair, "=")
		counter_at[pair[1]] = at[pair[2]]
	}
	next
}

function count(reached) {
	seen[state, reached] = state OFS reached
	wake[state, reached] += $at["wake_latency"] != "-" && $at["wake_latency"] + 0 > limit
	intr[state, reached] += $at["intr_latency"] != "-" && $at["intr_latency"] + 0 > limit
}

$at["taint"] == "-" && $at["state"] in advertised {
	state = $at["state"]
	limit = advertised[state] + 0
	count("all")
	if (state in counter_at && $counter_at[state] != "-" && $counter_at[state] != "0")
		count("yes")
}

END {
	for (i in seen)
		print seen[i], wake[i], intr[i]
}
