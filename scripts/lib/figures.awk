# SPDX-License-Identifier: GPL-2.0
# figures.awk - run.tsv states.dat ranges.dat: the variables that gnuplot/style.gp describes.
# From the environment: sweep (not empty: geometric), machine (" (emulated)"), data_set (its name).

function quoted(text) {
	gsub(/'/, "''", text)
	return "'" text "'"
}

# 29956 -> 29 956
function grouped(n,  text) {
	while (length(n) > 3) {
		text = " " substr(n, length(n) - 2) text
		n = substr(n, 1, length(n) - 3)
	}
	return n text
}

function list(name, values, quote,  i, text) {
	for (i = 1; i <= states; i++)
		text = text (i > 1 ? ", " : "") (quote ? quoted(values[i]) : values[i])
	printf "array %s[%d] = [%s]\n", name, states, text
}

FILENAME ~ /run\.tsv$/ { of[$1] = $2; next }

# Position, index, metric, n, tainted, min, max, not positive. A state of tainted samples only,
# or without a latency above 0, has nothing to draw.
FILENAME ~ /states\.dat$/ {
	tainted += $5
	hidden += $8
	if ($4 - $8 <= 0)
		next
	states++
	position[states] = $1
	name = of["state." $2 ".name"]
	label[states] = (name == "" ? "state" $2 : name) ($3 == "intr_latency" ? " (intr.)" : "")
	if ($3 == "intr_latency")
		intr++
	count[states] = $4
	maximum[states] = $7
	advertised[states] = of["state." $2 ".latency_ns"] / 1000
	if (advertised[states] > 0)
		any_advertised = 1
	each = (states == 1 || each == $4) ? $4 : ""
	counts = counts (states > 1 ? ", " : "") grouped($4)
	next
}

{ range[$1] = $2 }

END {
	printf "states = %d\n", states
	list("position", position, 0)
	list("label", label, 1)
	list("advertised", advertised, 0)
	list("maximum", maximum, 0)
	list("count", count, 0)
	printf "any_advertised = %d\n", any_advertised
	printf "tainted = %d\n", (tainted > 0)
	printf "silent_log = %d\n", (ENVIRON["sweep"] != "")
	printf "emulated = %s\n", quoted(ENVIRON["machine"])
	printf "latency_name = %s\n", quoted(intr == states ? "Interrupt latency" : intr ? "Latency" : "Wake latency")
	note = "N = " (each != "" && states > 1 ? grouped(each) " each" : counts)
	if (hidden)
		note = note " (" hidden " not above 0, not shown)"
	note = note " · " of["source"] " · " ENVIRON["data_set"] " · " (of["revision"] == "-" ? "no revision" : of["revision"])
	printf "note = %s\n", quoted(note)
	for (key in range)
		printf "%s = %s\n", key, range[key]
}
