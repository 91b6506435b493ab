# SPDX-License-Identifier: GPL-2.0
# all-states.awk - read a run.tsv; print what is wrong and fail if its governor's events are missing, or a run allowed only some states.

$1 ~ /^state\.[0-9]+\.(name|disabled)$/ {
	split($1, key, ".")
	of[key[2], key[3]] = $2
	if (key[2] + 0 > last)
		last = key[2] + 0
}
$1 == "governor_events" { events = $2 }
$1 ~ /^run\.[0-9]+\.state$/ { runs[$1] = $2 }

END {
	if (events != "yes") {
		print "recorded without --governor-events"
		exit 1
	}
	for (i = 0; i <= last; i++)
		if (of[i, "disabled"] == 0)
			all = all (all == "" ? "" : ",") of[i, "name"]
	for (run in runs)
		if (runs[run] != all) {
			print run " is " runs[run] ", but replay needs all states of the machine: record without --states and --each-state"
			exit 1
		}
}
