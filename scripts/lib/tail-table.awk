# SPDX-License-Identifier: GPL-2.0
# tail-table.awk - tail.tsv for people, a paragraph for each stratum. Needs us.awk.

function field(what) { return $at[what] }

# 1000000 -> 10^6
function wake_ups(n,  zeros) {
	if (match(n, /^10*$/) && length(n) > 4)
		return "10^" (length(n) - 1)
	return n
}

function p(name) { return field(name) == "0" ? "p < 1e-16" : "p = " field(name) }

function bound(ns) { return ns == "-" ? "?" : us(ns) }

# What a failed gate found.
function reason(gate) {
	if (gate == "spread")
		return field("distinct") == 1 ? "no spread: all samples are equal" : "no spread: only " field("distinct") " different values"
	if (gate == "range")
		return "range: latencies beyond 2^53 ns: a clock is wrong"
	if (gate == "samples")
		return "too few samples: 1000 are needed"
	if (gate == "independence")
		return "independence: samples depend on those before (lag-1 autocorrelation " field("lag1") ", Ljung-Box " \
			p("ljung_box_p") ")"
	if (gate == "stationarity")
		return "stationarity: the first half differs from the second (" p("halves_p") ")"
	if (gate == "fit")
		return "fit: no threshold above which a Pareto distribution fits (Anderson-Darling " p("ad_p") " at best)"
	if (gate == "stability")
		return "stability: the shape depends on the threshold (" p("stability_p") ")"
	if (gate == "horizon")
		return "horizon: so few wake-ups are among the samples; see the percentiles"
	return gate
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	printf "\n%s%s, %s latency (us); N = %s, longest %s\n", field("state"),
		(field("reached") == "yes" ? " (reached)" : field("reached") == "no" ? " (not reached)" : ""),
		(field("metric") ~ /^wake/ ? "wake" : "interrupt"), field("n"), us(field("max_ns"))
	if (field("result") == "estimable") {
		printf "  one exceedance expected in %s wake-ups: %s us [%s, %s]\n", wake_ups(field("horizon")), us(field("level_ns")),
			bound(field("level_low_ns")), bound(field("level_high_ns"))
		any = 1
	} else {
		n = split(field("failed"), gate, ",")
		for (i = 1; i <= n; i++)
			printf "  %s%s\n", (i == 1 ? "NOT ESTIMABLE: " : "               "), reason(gate[i])
	}
	if (field("exceedances") != "-")
		printf "  %s samples above %s us: shape %s [%s, %s], scale %s us, Anderson-Darling %s, stability %s\n",
			field("exceedances"), us(field("threshold_ns")), field("shape"), field("shape_low"), field("shape_high"),
			us(field("scale_ns")), p("ad_p"), p("stability_p")
	if (field("lag1") != "-")
		printf "  lag-1 autocorrelation %s, Ljung-Box %s, halves %s\n", field("lag1"), p("ljung_box_p"),
			p("halves_p")
}

END {
	print "\n[from, to]: 95 % confidence intervals. Extrapolated: it holds as long as the machine stays as it was."
}
