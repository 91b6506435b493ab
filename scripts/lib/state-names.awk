# SPDX-License-Identifier: GPL-2.0
# state-names.awk - run.tsv TABLE: a table by source and state index becomes one by state name.
# No arithmetic on the numbers: they have up to 64 bits, awk's have 53.
#	-v advertised=1		with the exit latency that the driver states in the second column
#	-v without=METRIC,...	leaves out their columns (METRIC_...) and rows (column metric)

function or_else(value, other) { return value == "" ? other : value }

# Is it METRIC, or a column METRIC_...?
function left_out(name,  i) {
	for (i = 1; i <= metrics; i++)
		if (name == metric[i] || index(name, metric[i] "_") == 1)
			return 1
	return 0
}

BEGIN {
	OFS = FS
	metrics = split(without, metric, ",")
}

FNR == NR {
	if ($1 ~ /^state\.[0-9]+\.(name|latency_ns)$/) {
		split($1, key, ".")
		of[key[2] key[3]] = $2
	}
	next
}

FNR == 1 {
	for (i = 3; i <= NF; i++) {
		keep[i] = !left_out($i)
		if ($i == "metric")
			metric_at = i
	}
}

metric_at && left_out($metric_at) { next }

{
	line = FNR == 1 ? "state" : or_else(of[$2 "name"], "state" $2)
	if (advertised)
		line = line OFS (FNR == 1 ? "advertised_ns" : or_else(of[$2 "latency_ns"], "-"))
	for (i = 3; i <= NF; i++)
		if (keep[i])
			line = line OFS $i
	print line
}
