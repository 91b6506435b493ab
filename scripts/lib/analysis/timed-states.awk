# SPDX-License-Identifier: GPL-2.0
# timed-states.awk - STATES FOUND: print the states of an imported histogram as lines of run.tsv.
# FOUND has the facts of tools/histogram; the states there have the names of what was timed. STATES
# has the states of --states. All samples belong to the first state of STATES, so its name is put
# before each name in FOUND. The other states of STATES follow.

BEGIN { OFS = FS }

FILENAME == ARGV[1] {
	split($1, key, ".")
	of[key[2], key[3]] = $2
	given = key[2] + 1
	next
}

function advertised(from, to,  i, n, what) {
	n = split("latency_ns residency_ns", what, " ")
	for (i = 1; i <= n; i++)
		if ((from, what[i]) in of)
			print "state." to "." what[i], of[from, what[i]]
}

$1 ~ /^state\.[0-9]+\.name$/ {
	print $1, (given ? of[0, "name"] " " : "") $2
	advertised(0, timed++)
	next
}

{ print }

END {
	for (i = 1; i < given; i++) {
		print "state." timed ".name", of[i, "name"]
		advertised(i, timed++)
	}
}
