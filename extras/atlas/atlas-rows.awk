# SPDX-License-Identifier: GPL-2.0
# atlas-rows.awk - atlas.tsv, then run.tsv and verdict.tsv of a recording: print the rows of the
# same CPU model, state and event beside those of the recording. Without a recording, print all
# rows. Rows of different methods are different quantities, so they are neither averaged nor ranked.
#	-v header=1	print the header first
#	-v emulated=TEXT	append TEXT to the recording's name

# Return the event that the source delivers.
function event(source) {
	if (source ~ /^(timer|hrtimer|tsc_deadline|passive|wult_tdt)$/)
		return "timer"
	if (source ~ /^(i210|wult_nic)$/)
		return "card"
	return source ~ /^(wake|ipi)$/ ? source : "other"
}

# Return a state's name without core, package and remarks: C6 for CC6/PC0 (PC6 disabled).
function plain(state) {
	if (state ~ /default idle/)
		return "default idle"
	sub(/[\/ (].*/, "", state)
	sub(/^[CP]C/, "C", state)
	return state
}

function bad(why) {
	file = FILENAME
	sub(/^\.\//, "", file)
	print file ":" FNR ": " why >"/dev/stderr"
	failed = 1
	exit 1
}

function us(ns) { return ns ~ /^[0-9.]+$/ ? sprintf("%.10g", ns / 1000) : "-" }

BEGIN { OFS = "\t" }

FNR == 1 { file++ }

file == 1 && FNR == 1 {
	if ($0 != "cpu\tmodel\tstate\twoken_by\tmethod\tn\tmedian_us\tp99_us\tmax_us\tadvertised_us\tverified\tsource\tnote")
		bad("not the header of an atlas")
	next
}

file == 1 {
	if (NF != 13)
		bad(NF " columns, not 13")
	if ($12 == "" || $12 == "-")
		bad("a row without source")
	if ($5 == "" || $5 == "-")
		bad("a row without method")
	if ($4 !~ /^(timer|card|wake|ipi|other)$/)
		bad("woken_by is '" $4 "', none of timer, card, wake, ipi, other")
	if ($11 !~ /^(source|data|kernel|other|no|doubtful)$/)
		bad("verified is '" $11 "', none of source, data, kernel, other, no, doubtful")
	for (i = 6; i <= 9; i++)
		if ($i !~ /^(-|[0-9]+([.][0-9]+)?)$/)
			bad("'" $i "' is not a number")
	row[++rows] = $0
	next
}

file == 2 {
	of[$1] = $2
	next
}

file == 3 && FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

file == 3 {
	measured[++measurements] = "this recording" emulated OFS substr(of["cpu_stepping"], 1, 5) OFS $at["state"] OFS event(of["source"] "") OFS \
		"source " of["source"] ($at["metric"] == "intr_latency" ? ", interrupt latency" : "") OFS $at["n"] OFS us($at["p50"]) OFS us($at["p99"]) OFS \
		us($at["max"]) OFS us($at["advertised_ns"]) OFS "-" OFS "-" OFS "-"
	state_of[measurements] = plain($at["state"])
}

# Return whether the current row is of the recording's CPU. Compare family and model, or the model's
# name.
function same_cpu(  name, model) {
	model = substr(of["cpu_stepping"], 1, 5)
	if (model ~ /^[0-9a-f][0-9a-f]-/ && $2 != "-")
		return index("," $2 ",", "," model ",") > 0
	name = $1
	sub(/ \(.*/, "", name)
	return of["cpu_model"] != "" && index(of["cpu_model"], name) == 1
}

END {
	if (failed)
		exit 1
	if (header)
		print "cpu", "model", "state", "woken_by", "method", "n", "median_us", "p99_us", "max_us", "advertised_us", "verified", "source", "note"
	if (file == 1) {
		for (i = 1; i <= rows; i++)
			print row[i]
		exit
	}
	for (m = 1; m <= measurements; m++) {
		found = ""
		for (i = 1; i <= rows; i++) {
			$0 = row[i]
			if (same_cpu() && plain($3) == state_of[m] && $4 == event(of["source"] ""))
				found = found row[i] "\n"
		}
		if (found != "")
			printf "%s\n%s", measured[m], found
	}
}
