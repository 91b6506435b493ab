# SPDX-License-Identifier: GPL-2.0
# latency-limits.awk - facts of a machine (see check-machine.awk), then its rows (see states.sh):
# print a line for each latency limit, with the states that it admits. The kernel admits a state
# whose exit latency is not above the limit: cpuidle/governor.c.

FNR == 1 { file++ }

# Without a limit, /dev/cpu_dma_latency has the value 2000000000.
file == 1 && $1 == "limit" && $3 < 2000000000 {
	limits++
	place[limits] = $2
	limit[limits] = $3
}

file == 1 { next }

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

# Return whether the limit in the file PLACE holds for a CPU of LIST, such as "CPU 0-3,8".
function concerns(place, list,  n, i, cpus, range, cpu) {
	if (place !~ /\/cpu[0-9]+\//)
		return 1
	cpu = place
	sub(/\/power\/.*/, "", cpu)
	sub(/.*cpu/, "", cpu)
	sub(/^CPU /, "", list)
	n = split(list, cpus, ",")
	for (i = 1; i <= n; i++)
		if (split(cpus[i], range, "-") == 1 ? range[1] == cpu : cpu + 0 >= range[1] + 0 && cpu + 0 <= range[2] + 0)
			return 1
	return 0
}

$at["kind"] == "live" && $at["disabled"] != "yes" {
	list = $at["list"]
	if (!seen[list]++)
		name[++lists] = list
	for (i = 1; i <= limits; i++)
		if (!concerns(place[i], list))
			continue
		else if ($at["latency_us"] + 0 <= limit[i] + 0)
			admitted[i, list] = admitted[i, list] (admitted[i, list] == "" ? "" : ", ") $at["state"]
		else
			refused[i, list] = refused[i, list] (refused[i, list] == "" ? "" : ", ") $at["state"]
}

END {
	for (i = 1; i <= limits; i++) {
		text = ""
		for (k = 1; k <= lists; k++)
			if (concerns(place[i], name[k]))
				text = text (lists > 1 ? "; " name[k] : "") " admits " (admitted[i, name[k]] == "" ? "no state" : admitted[i, name[k]]) \
					(refused[i, name[k]] == "" ? "" : ", not " refused[i, name[k]])
		printf "Latency limit: %s us (%s)%s\n", limit[i], place[i], text
	}
}
