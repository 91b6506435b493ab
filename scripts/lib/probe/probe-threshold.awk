# SPDX-License-Identifier: GPL-2.0
# probe-threshold.awk - print the table of probe --threshold from run.tsv. Needs us.awk.
#	-v note=TEXT	in the title

{
	value[$1] = $2
	if ($1 ~ /^run\.1\.cpu[0-9]+\.beyond$/)
		beyond += $2
}

function cell(s, name) {
	name = "state." s "." name "_ns"
	return name in value ? us(value[name]) : "-"
}

END {
	printf "Latency from idle states%s, source %s, CPU %s (us)\n\n", note, value["source"], value["cpus"]
	printf "%-20s %9s %9s %9s %9s %9s %9s\n", "state", "N", "tainted", "p50", "p99", "p99.9", "max"
	for (s = 0; s < 16; s++)
		if ("state." s ".samples" in value)
			printf "%-20s %9d %9d %9s %9s %9s %9s\n", value["state." s ".name"], value["state." s ".samples"],
				value["state." s ".tainted"], cell(s, "p50"), cell(s, "p99"), cell(s, "p99.9"), cell(s, "max")
	print "\nPercentiles: of all untainted samples, from the kernel's histogram (buckets of at most 1/32 of the latency). max: exact."
	print "-: too few samples for this percentile."
	printf "Beyond %s us: %d without taint, %d in all.\n", us(value["threshold_ns"] ""), beyond, value["outliers"]
	if (value["systematic_error"] != "")
		print "Systematic error, " value["systematic_error"] "."
	if (value["lost_overrun"] > 0)
		print "Samples lost because the buffer was full: " value["lost_overrun"] "."
}
