# SPDX-License-Identifier: GPL-2.0
# stats-tables.awk - run.tsv NAME.index...: write NAME.tsv from each NAME.index, a table of quantiles
# by source and state index, and print NAME. The tables have state names, then the source. There is
# no arithmetic on latencies: they have up to 64 bits, and awk's numbers have 53.

function or_else(value, other) { return value == "" ? other : value }

# Print a table by state name; stats.tsv also has the advertised latency.
function by_name(  line, i) {
	line = (FNR == 1 ? "state" : state) OFS $1
	if (name == "stats")
		line = line OFS (FNR == 1 ? "advertised_ns" : or_else(of["state." $2 ".latency_ns"], "-"))
	for (i = 3; i <= NF; i++)
		line = line OFS $i
	print line >to
}

# Print the mean frequency of the CPU while it was awake.
function frequency(  aperf, mperf, tsc, mhz) {
	if (FNR == 1) {
		print "state", "source", "n", "aperf_cyc_mean", "mperf_cyc_mean", "mhz" >to
		return
	}
	aperf = $at["aperf_cyc_mean"]
	mperf = $at["mperf_cyc_mean"]
	tsc = of["tsc_khz"]
	mhz = "-"
	if (aperf + 0 > 0 && mperf + 0 > 0 && tsc + 0 > 0)
		mhz = sprintf("%.1f", aperf / mperf * tsc / 1000)
	print state, $1, $at["n"], aperf, mperf, mhz >to
}

# Print how far launch times may be off. The table has no states.
function uncertainty() {
	if (FNR == 1)
		print "source", "n", "p50", "max" >to
	else
		print $1, $at["n"], $at["uncertainty_p50"], $at["uncertainty_max"] >to
}

BEGIN { OFS = FS }

FNR == NR {
	of[$1] = $2
	next
}

FNR == 1 {
	if (to != "")
		close(to)
	to = name = FILENAME
	sub(/[.]index$/, ".tsv", to)
	sub(/[.]index$/, "", name)
	sub(/.*\//, "", name)
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	# stats-cpu.tsv is only for several CPUs.
	if (name != "stats-cpu")
		print name
}

{ state = or_else(of["state." $2 ".name"], "state" $2) }

name == "stats-frequency" {
	frequency()
	next
}

name == "stats-uncertainty" {
	uncertainty()
	next
}

name == "stats-cpu" && FNR > 1 {
	if (FNR > 2 && $3 != cpu && !several++)
		print name
	cpu = $3
}

{ by_name() }
