# SPDX-License-Identifier: GPL-2.0
# correct-facts.awk - run.tsv: print what tools/dump needs for its table and to correct launch
# times, as lines KEY TAB VALUE. The numbers of runs are those in the file PART of the recording.
#
# USAGE: awk -v part=trace.dat -f correct-facts.awk run.tsv
#
# Unknown values ("-") are left out. With the method "target" the card does not fetch from memory,
# so dma_ns is 0.

BEGIN {
	FS = OFS = "\t"
}

$2 == "-" { next }

$1 == "nic_method" && $2 == "target" || $1 == "source_settings" && ("," $2 ",") ~ /,method=target,/ { target = 1 }

$1 == "source" || $1 == "intr_offset_ns" || $1 == "max_uncertainty_ns" || $1 ~ /^state\.[0-9]+\.name$/ { print $1, $2 }

$1 == "clock_khz" || $1 == "tsc_khz" && khz == "" { khz = $2 }

$1 ~ /^run\.[0-9]+\./ {
	split($1, key, ".")
	run[key[2]]
	if (key[3] == "trace")
		file[key[2]] = $2
	else if (key[3] == "trace_run")
		number[key[2]] = $2
	else if (key[3] == "steps")
		steps[key[2]] = $2
	else if ($1 ~ /\.(nic|source)\.dma_ns$/)
		dma[key[2]] = $2
	else if ($1 ~ /\.(nic|source)\.dma_error_ns$/)
		error[key[2]] = $2
}

END {
	if (khz != "")
		print "clock_khz", khz
	for (r in run) {
		if (((r in file) ? file[r] : "trace.dat") != part)
			continue
		first = (r in number) ? number[r] : r
		for (n = first; n < first + ((r in steps) ? steps[r] : 1); n++) {
			if (target)
				print "run." n ".dma_ns", 0
			else if (r in dma)
				print "run." n ".dma_ns", dma[r]
			if (r in error)
				print "run." n ".dma_error_ns", error[r]
		}
	}
}
