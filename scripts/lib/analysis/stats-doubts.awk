# SPDX-License-Identifier: GPL-2.0
# stats-doubts.awk - stats-ci.tsv: print a line for each state and metric whose samples depend on
# each other.
#	-v brief=1	print one line for all states in doubt, or nothing

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

!("effective_n" in at) { exit }

{
	key = $1 ", " ($at["metric"] ~ /^intr/ ? "interrupt" : "wake") " latency"
	if ($at["metric"] !~ /^(wake|intr)_latency$/)
		key = $1 ", " $at["metric"]
	if (!seen[key]++)
		order[++nr] = key
	if ($at["effective_n"] + 0 < $at["n"] + 0 && (!(key in least) || $at["effective_n"] + 0 < least[key] + 0)) {
		least[key] = $at["effective_n"]
		n[key] = $at["n"]
	}
	if ($at["clusters_p"] != "-" && $at["clusters_p"] < 0.001 && $at["unknown"] != "no")
		clusters[key] = clusters[key] (clusters[key] == "" ? "" : ", ") "p" $at["percentile"]
	if ($at["drift_p"] != "-" && $at["drift_p"] < 0.001)
		drift[key] = drift[key] (drift[key] == "" ? "" : ", ") "p" $at["percentile"]
}

# Add the state of KEY to the list, once.
function add_state(key) {
	sub(/, [^,]*$/, "", key)
	if (!listed[key]++)
		list = list (list == "" ? "" : ", ") key
}

END {
	if (brief) {
		for (i = 1; i <= nr; i++)
			if (order[i] in clusters || order[i] in drift)
				add_state(order[i])
		if (length(list) > 40)
			list = "several states"
		if (list != "")
			print "DOUBT: " list ": samples depend on each other"
		exit
	}
	for (i = 1; i <= nr; i++) {
		key = order[i]
		if (key in least)
			printf "%s: samples may depend on each other: the intervals count them as at least %s samples instead of %s.\n", key, least[key], n[key]
		if (key in clusters)
			printf "DOUBT: %s: samples come in clusters, so the intervals contain the true value less often than stated (%s).\n", key, clusters[key]
		if (key in drift)
			printf "DOUBT: %s: latencies changed during the recording (%s).\n", key, drift[key]
	}
}
