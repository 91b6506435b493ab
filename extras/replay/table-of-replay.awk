# SPDX-License-Identifier: GPL-2.0
# table-of-replay.awk - print what tools/replay found. Input: names of variants (NR TAB TEXT), then its table.
# The environment has governor and emulated. The last line is "Status: 0" or 3.

# The rule, found by experiment (README.md): at least this share of the periods is ended by timers, and the prediction for
# the recorded governor itself differs from the recording by at most this many percentage points.
BEGIN { least_closed = 95; most_control = 1; margin = 2 }

function percent(n, all) { return all ? 100 * n / all : 0 }
function low(share, width) { return share < width ? 0 : share - width }
function high(share, width) { return share + width > 100 ? 100 : share + width }

FILENAME == ARGV[1] { text[$1] = $2; next }
FNR == 1 { next }
$1 == "agreement" && $3 == "start" { start = $4; next }
$1 == "agreement" && $3 == "refused" { refused = $4; next }
$1 == "agreement" && $3 == "agrees" { agrees = $4; n = $5; next }
$1 == "agreement" && $4 > 0 { causes[++nr_causes] = sprintf("%7d  %s", $4, $3); next }
$1 == "missing" { missing = missing (missing ? ", " : "") $3; next }
$1 == "ended" { ended[$3] = percent($4, $5); next }
$1 == "recorded" { state[++states] = $3; was[$3] = percent($4, $5); deep_was += $6; shallow_was += $7; all_was = $5; next }
$1 == "uncertain" { vague[$2] = percent($4, $5); next }
$1 == "predicted" {
	if (!(($2) in seen)) {
		seen[$2] = 1
		order[++variants] = $2
	}
	share[$2, $3] = percent($4, $5)
	deep[$2] += $6
	shallow[$2] += $7
	all[$2] = $5
}

END {
	printf "%s%s: %d of %d choices agree (%.2f %%)\n", ENVIRON["governor"], ENVIRON["emulated"] == "yes" ? " (emulated)" : "", agrees, n, percent(agrees, n)
	if (nr_causes)
		print "The others would agree with another value of what the recording does not say exactly:"
	for (i = 1; i <= nr_causes; i++)
		print causes[i]
	if (!start)
		print "The recording lacks the start of the governor, so the first choices lack their history (wakelat replay --how)."
	if (missing)
		print "Not recorded: " missing ". wakelat replay --how records all; README.md says what their lack costs."
	poor = percent(agrees, n) < 98
	if (poor)
		print "Less than 98 % agree: is TREE the source of the recorded kernel, and are states and limit right?"
	for (i = 1; i <= states; i++) {
		d = share["recorded", state[i]] - was[state[i]]
		if (d < 0)
			d = -d
		if (d > control)
			control = d
	}
	closed = ended["timer"] + ended["tick"]
	width = closed >= least_closed ? margin : margin + 100 - closed - ended["busy-cpu"] + ended["busy-cpu"] / 10
	if (variants > 1) {
		printf "\n%-24s", "share of idle periods (%)"
		for (i = 1; i <= states; i++)
			printf " %13s", state[i]
		printf " %13s %13s\n%-25s", "too deep", "too shallow", "recorded"
		for (i = 1; i <= states; i++)
			printf " %13.1f", was[state[i]]
		printf " %13.1f %13.1f\n", percent(deep_was, all_was), percent(shallow_was, all_was)
	}
	trusted = !poor && control <= most_control
	for (k = 2; k <= variants; k++) {
		v = order[k]
		printf "%-25s", text[v]
		if (!trusted || width > 50) {
			print " not answered"
			continue
		}
		for (i = 1; i <= states; i++)
			printf " %13s", answer(share[v, state[i]], width + vague[v])
		printf " %13s %13s\n", answer(percent(deep[v], all[v]), width + vague[v]), answer(percent(shallow[v], all[v]), width + vague[v])
		ranges = ranges || width + vague[v] > margin + 0.5
	}
	if (variants > 1) {
		printf "\nClosed: %.1f %% of the periods were ended by this CPU's timers, %.1f %% by CPUs that had been busy, %.1f %% by other\nCPUs, %.1f %% by devices, %.1f %% by what is not known. Prediction of the recorded governor: %.2f points off.\n", closed, ended["busy-cpu"], ended["cpu"], ended["device"], ended["unknown"], control
		if (!trusted)
			print "Not answered: the prediction fails for the recorded governor itself."
		else if (width > 50)
			print "Not answered: too many periods were ended by what may depend on the choices. A recording of the variant decides\n(wakelat replay --how)."
		else if (closed >= least_closed)
			printf "Within %d percentage points%s.\n", margin, ranges ? ", or a range, where a tick and a timer come so close to each other that it is not known whether a period is one or two" : ""
		else
			print "Ranges: what ends the other periods may depend on the choices. A recording of the variant decides (wakelat replay --how)."
	}
	print "Status: " (poor ? 3 : 0)
}

function answer(value, width) {
	return width <= margin + 0.5 ? sprintf("%.1f", value) : sprintf("%.0f..%.0f", low(value, width), high(value, width))
}
