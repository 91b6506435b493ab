# SPDX-License-Identifier: GPL-2.0
# cost.awk - print the cost of the limit -v chosen=US in residency and power, against no limit,
# from sweep.tsv.

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	for (i = 1; i <= NF; i++)
		name[i] = $i
	next
}

$2 == "none" { split($0, free, FS) }
$2 == chosen { split($0, limited, FS) }

END {
	if (free[1] == "" || limited[1] == "")
		exit
	printf "Cost of the limit in residency:"
	for (i = 1; i in name; i++)
		if (name[i] ~ /^residency_.*_pct$/)
			printf "%s %s %s -> %s %%", comma++ ? "," : "", substr(name[i], 11, length(name[i]) - 14), free[i], limited[i]
	print "."
	w = at["power_w"]
	if (free[w] == "-" || limited[w] == "-")
		print "Power: not known (no RAPL counter, no discharging battery)."
	else
		printf "Power (%s): %s W -> %s W, %+.2f W.\n", limited[at["power_from"]], free[w], limited[w], limited[w] - free[w]
}
