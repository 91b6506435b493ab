# SPDX-License-Identifier: GPL-2.0
# tail-table.awk - coverage.tsv, tail.tsv: print tail.tsv for people, in a paragraph for each stratum. Needs us.awk, heavy.awk.

function field(what) { return $at[what] }

# Return a number of wake-ups as text: 10^6 for 1000000.
function wake_ups(n,  zeros) {
	if (match(n, /^10*$/) && length(n) > 4)
		return "10^" (length(n) - 1)
	return n
}

function p(name) { return field(name) == "0" ? "p < 1e-16" : "p = " field(name) }

function bound(ns) { return ns == "-" ? "?" : us(ns) }

# Return what a failed gate found, in words that do not assume knowledge of the tests.
function reason(gate) {
	if (gate == "spread")
		return field("distinct") == 1 ? "all samples are equal: there is no tail" : \
			"too few distinct values among the longest latencies (distinct values in all samples: " field("distinct") ")"
	if (gate == "range")
		return "latencies beyond 2^53 ns: a clock is wrong"
	if (gate == "samples")
		return "too few samples: 1000 are needed"
	if (gate == "clusters")
		return "the longest latencies come in only " field("clusters") " clusters: 50 are needed.\n" \
			"                 Record longer."
	if (gate == "stationarity")
		return "the longest latencies of the first half differ from those of the second (" p("halves_p") "):\n" \
			"                 the machine changed. Record again, or select samples: --first, --last, --where."
	if (gate == "fit")
		return "no smooth tail: the latencies do not follow one Pareto distribution above any threshold\n" \
			"                 (" p("ad_p") " at best). Several causes may be mixed: see the figure tail-qq."
	if (gate == "stability")
		return "the fit depends on the threshold (" p("stability_p") "), so it cannot be\n" \
			"                 extrapolated. Record more; see the figure tail-stability."
	if (gate == "maximum")
		return "the longest sample contradicts the fit (" p("maximum_p") "): something cuts off longer latencies,\n" \
			"                 or they have a rare second cause."
	if (gate == "shape")
		return "the fitted tail is so heavy (shape 1 or more) that it has no mean, unlike any latency.\n" \
			"                 Several causes may be mixed: see the figure tail-qq."
	if (gate == "interval")
		return "the 95 % interval spans more than a factor of ten: too few samples for this horizon.\n" \
			"                 Record more, or choose a smaller --horizon."
	if (gate == "horizon")
		return "--horizon is so small that the level is below the threshold: see the percentiles of wakelat stats"
	return gate
}

FILENAME ~ /coverage[.]tsv$/ {
	read_coverage()
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	fewest = FNR == 2 || field("n") + 0 < fewest ? field("n") + 0 : fewest
	several = several || field("cpus") > 1
	printf "\n%s%s, %s latency (us); N = %s, longest %s\n", field("state"),
		(field("reached") == "yes" ? " (reached)" : field("reached") == "no" ? " (not reached)" : ""),
		(field("metric") ~ /^wake/ ? "wake" : "interrupt"), field("n"), us(field("max_ns"))
	if (field("result") == "estimable") {
		printf "  one exceedance expected in %s wake-ups: %s us [%s, %s]\n", wake_ups(field("horizon")), us(field("level_ns")),
			bound(field("level_low_ns")), bound(field("level_high_ns"))
		if (field("uncertainty_ns") + 0 > 0)
			printf "  launch times are uncertain by up to %s us, which widens the interval at both ends\n", us(field("uncertainty_ns"))
		if (is_heavy(field("shape_high")))
			print "  " heavy_text(field("shape_high"))
		any = 1
	} else {
		n = split(field("failed"), gate, ",")
		for (i = 1; i <= n; i++)
			printf "  %s%s\n", (i == 1 ? "NOT ESTIMABLE: " : "          and: "), reason(gate[i])
	}
	if (field("exceedances") != "-")
		printf "  %s samples above %s us: shape %s [%s, %s], scale %s us, Anderson-Darling %s, stability %s, longest %s\n",
			field("exceedances"), us(field("threshold_ns")), field("shape"), field("shape_low"), field("shape_high"),
			us(field("scale_ns")), p("ad_p"), p("stability_p"), p("maximum_p")
	if (field("clusters_p") != "-")
		printf "  %s\n", field("extremal_index") == "1.0000" ? "the longest latencies come independently of each other (" p("clusters_p") ")" : \
			"the longest latencies come in clusters of " sprintf("%.1f", 1 / field("extremal_index")) " on average (" p("clusters_p") "): they count as " field("clusters")
	if (field("lag1") != "-")
		printf "  lag-1 autocorrelation %s, Ljung-Box %s, halves %s\n", field("lag1"), p("ljung_box_p"),
			p("halves_p")
}

END {
	print ""
	if (any)
		print "[from, to]: 95 % confidence intervals, on three conditions that samples cannot show:\n" \
			"the latencies above the threshold have one cause; it occurs at least every " int(fewest / 5) " wake-ups\n" \
			"(of " fewest "); and longer latencies than the longest one follow the same distribution."
	if (several)
		print "All CPUs together: one of them may be worse (--where 'cpu == C' takes one)."
	print "Extrapolated: valid only while the machine does not change."
}
