# SPDX-License-Identifier: GPL-2.0
# hunk.awk - run.tsv, then residency.tsv: print the lines of struct cpuidle_state for the states that have an answer.

function us(ns) { return int(ns / 1000 + 0.5) }

FNR == NR {
	of[$1] = $2
	if (split($1, key, ".") == 3 && key[3] == "name")
		number_of[$2] = key[2]
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["result"] == "done" && $at["deep"] ~ /^[A-Za-z0-9_.+ -]+$/ {
	s = "state." number_of[$at["deep"]]
	if (of["emulated"] != "no")
		print "/* Emulated or under a hypervisor: an example, not the numbers of any real CPU. */"
	printf "/*\n * %s: the break-even of mean power with %s, CPUs woken by timers %s,\n * meter %s: %d to %d us (95 %% interval), N = %d measurements in %d s.\n" \
		" * exit_latency as before, not measured.\n */\n", $at["deep"], $at["shallow"], $at["wakeups"], $at["meter"] ~ /^[a-z]+$/ ? $at["meter"] : "of its own",
		us($at["residency_low_ns"]), us($at["residency_high_ns"]), $at["points"], $at["seconds"]
	printf "\t{\n\t\t.name = \"%s\",\n\t\t.exit_latency = %d,\n\t\t.target_residency = %d,\t/* was %d */\n\t},\n", $at["deep"], us(of[s ".latency_ns"]),
		us($at["residency_ns"]), us($at["table_ns"])
	printed = 1
}

END { exit !printed }
