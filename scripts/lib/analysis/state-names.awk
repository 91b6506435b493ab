# SPDX-License-Identifier: GPL-2.0
# state-names.awk - run.tsv TABLE: convert a table by source and state index to one by state name
# and source. There is no arithmetic on the numbers: they have up to 64 bits, and awk's have 53.
#	-v advertised=1		add the advertised latency as the third column

function or_else(value, other) { return value == "" ? other : value }

BEGIN { OFS = FS }

FNR == NR {
	if ($1 ~ /^state\.[0-9]+\.(name|latency_ns)$/) {
		split($1, key, ".")
		of[key[2] key[3]] = $2
	}
	next
}

{
	line = (FNR == 1 ? "state" : or_else(of[$2 "name"], "state" $2)) OFS $1
	if (advertised)
		line = line OFS (FNR == 1 ? "advertised_ns" : or_else(of[$2 "latency_ns"], "-"))
	for (i = 3; i <= NF; i++)
		line = line OFS $i
	print line
}
