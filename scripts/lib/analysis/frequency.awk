# SPDX-License-Identifier: GPL-2.0
# frequency.awk - run.tsv TABLE: print for each state the mean frequency of the CPU while it was
# awake. TABLE has a row for each source and state index, with the means of APERF and MPERF.

BEGIN { OFS = FS }

FNR == NR {
	of[$1] = $2
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	print "state", "source", "n", "aperf_cyc_mean", "mperf_cyc_mean", "mhz"
	next
}

{
	name = of["state." $2 ".name"]
	aperf = $at["aperf_cyc_mean"]
	mperf = $at["mperf_cyc_mean"]
	tsc = of["tsc_khz"]
	known = aperf + 0 > 0 && mperf + 0 > 0 && tsc + 0 > 0
	print (name == "" ? "state" $2 : name), $1, $at["n"], aperf, mperf, (known ? sprintf("%.1f", aperf / mperf * tsc / 1000) : "-")
}
