# SPDX-License-Identifier: GPL-2.0
# html-picture.awk - verdict.tsv of each recording: print a picture of the latency of each state, as
# HTML. Each state has a strip of svg. Its coordinates are shares of its width, so it fits any page.
# Needs html.awk, us.awk and brief.awk. From the environment: names (of the recordings, separated by
# TABs; empty if there is only one).

# Return the middle of an interval, "-" if it has no upper end. Return any other value as it is.
function middle(x,  end) {
	if (split(x, end, "[.][.]") != 2)
		return x
	return end[2] == "-" ? "-" : (end[1] + end[2]) / 2
}

function known(x) { x = middle(x); return x ~ /^[0-9]+(\.[0-9]+)?$/ && x + 0 > 0 }

function take(x) {
	if (!known(x))
		return
	x = middle(x)
	low = low == "" || x + 0 < low ? x + 0 : low
	high = x + 0 > high ? x + 0 : high
}

# Return the position of a latency, in % of the strip's width.
function place(x) {
	x = known(x) ? 100 * log(middle(x) / low) / log(high / low) : 0
	return sprintf("%.2f%%", x < 0 ? 0 : x > 100 ? 100 : x)
}

function line(class, x) {
	return known(x) ? sprintf("<line class=\"%s\" x1=\"%s\" x2=\"%s\" y1=\"0\" y2=\"100%%\"/>", class, place(x), place(x)) : ""
}

# Set tic[] to the values between the ends of the axis that begin with one of DIGITS, such as
# "10 20 50". Return their number.
function tics_of(digits,  n, digit, decade, k, x) {
	n = split(digits, digit, " ")
	tics = 0
	for (decade = 0.1; decade <= high; decade *= 10)
		for (k = 1; k <= n; k++) {
			x = decade * digit[k]
			if (x > low * 1.02 && x < high / 1.02)
				tic[++tics] = x
		}
	return tics
}

# Choose the tics of the logarithmic axis by the range that it covers. If the range is too small for
# round values of a logarithmic axis, use even steps.
function make_tics(  step, x) {
	if (tics_of("10") > 7 || tics_of("10 20 50") > 7) {
		tics_of("10")
		return
	}
	if (tics_of("10 20 50") >= 4)
		return
	if (tics_of("10 15 20 30 40 50 70") >= 3 && tics <= 7)
		return
	for (step = 0.1; (high - low) / (5 * step) > 5; step *= 10)
		;
	step *= (high - low) / step <= 5 ? 1 : (high - low) / (2 * step) <= 5 ? 2 : 5
	tics = 0
	for (x = step * int(low / step + 1); x < high; x += step)
		tic[++tics] = x
}

function verdict_text(v) {
	return v == "kept" ? "✓ kept" : v == "exceeded" ? "✗ exceeded" : v == "undecided" ? "? undecided" : ""
}

function words(  text) {
	text = of["p50"] == "-" ? "median not known" : "half of them " brief(of["p50"]) " µs"
	if (of["low"] != "-" || of["high"] != "-")
		text = text ", " label " " (of["high"] == "-" ? "more than " brief(of["low"]) : \
			of["low"] == "-" ? "at most " brief(of["high"]) : brief(of["low"]) " to " brief(of["high"])) " µs"
	return text (of["max"] == "-" ? "" : ", longest " brief(of["max"]) " µs")
}

# Return the number that matters most to a reader: the upper bound of the percentile that decides,
# else its lower bound.
function cost() {
	if (of["high"] != "-")
		return "≤ " brief(of["high"]) " µs"
	return of["low"] == "-" ? "not known" : "> " brief(of["low"]) " µs"
}

function strip(  i, text, from, to) {
	for (i = 1; i <= tics; i++)
		text = text line("grid", tic[i])
	# Draw a line from the median to the longest sample, then the bounds of the percentile that
	# decides.
	if (known(of["p50"]) && known(of["max"]))
		text = text sprintf("<line class=\"all\" x1=\"%s\" x2=\"%s\" y1=\"50%%\" y2=\"50%%\"/>", place(of["p50"]), place(of["max"]))
	from = of["low"]
	to = of["high"] == "-" ? high : of["high"]
	if (known(from) && known(to))
		text = text sprintf("<line class=\"bounds%s\" x1=\"%s\" x2=\"%s\" y1=\"50%%\" y2=\"50%%\"/>", of["high"] == "-" ? " open" : "", place(from), place(to))
	if (known(of["p50"]))
		text = text sprintf("<circle class=\"half\" cx=\"%s\" cy=\"50%%\" r=\"4\"/>", place(of["p50"]))
	if (known(of["max"]))
		text = text sprintf("<line class=\"longest\" x1=\"%s\" x2=\"%s\" y1=\"28%%\" y2=\"72%%\"/>", place(of["max"]), place(of["max"]))
	return text line("advertised", of["advertised_ns"]) line("budget", of["budget_ns"])
}

function axis(  i) {
	printf "<div class=\"row axis\"><span class=\"name\">µs</span><svg class=\"strip\" aria-hidden=\"true\">"
	for (i = 1; i <= tics; i++)
		printf "<text x=\"%s\" y=\"14\">%s</text>", place(tic[i]), exact(tic[i])
	printf "</svg><span class=\"cost\">%s</span>", html(percentile == "max" ? "longest" : "p" percentile)
	print "<span class=\"verdict\"></span></div>"
}

function key(class, shape, text) {
	printf "<span><svg class=\"sample\" aria-hidden=\"true\">%s</svg>%s</span>\n", shape, html(text)
}

# Return a bar with a part in the colour of each verdict that the picture has.
function bar_sample(  i, n, verdict, there, text) {
	split("kept exceeded undecided open", verdict, " ")
	for (i = 1; i <= 4; i++)
		if (verdict[i] in shown_class)
			there[++n] = verdict[i]
	for (i = 1; i <= n; i++)
		text = text sprintf("<g class=\"%s\"><line class=\"bounds\" x1=\"%d%%\" x2=\"%d%%\" y1=\"50%%\" y2=\"50%%\"/></g>", \
			there[i], 15 + 70 * (i - 1) / n, 15 + 70 * i / n)
	return text
}

function keys() {
	print "<p class=\"key\">"
	key("", "<circle class=\"half\" cx=\"50%\" cy=\"50%\" r=\"4\"/>", "median")
	if (percentile != "max")
		key("", bar_sample(), "from the lower to the upper bound of " label)
	if (any_open)
		key("", "<line class=\"bounds open\" x1=\"15%\" x2=\"100%\" y1=\"50%\" y2=\"50%\"/>", "lower bound of " (percentile == "max" ? "the longest possible latency" : label ", too few samples for an upper bound"))
	if (any_max)
		key("", "<line class=\"longest\" x1=\"50%\" x2=\"50%\" y1=\"28%\" y2=\"72%\"/>", "longest measured")
	if (any_advertised)
		key("", "<line class=\"advertised\" x1=\"50%\" x2=\"50%\" y1=\"0\" y2=\"100%\"/>", "advertised")
	if (any_as_it_is)
		print "<span>" html("as it is: with disturbed and lost wake-ups; this row gives the verdict") "</span>"
	if (budget != "-")
		key("", "<line class=\"budget\" x1=\"50%\" x2=\"50%\" y1=\"0\" y2=\"100%\"/>", "budget, " exact(budget) " µs")
	print "</p>"
}

function name_of(row) { return state[row] cell[row, "label"] (sets ? " · " set_name[set[row]] : "") }

# Add a row with the answer for the machine as it is, if it can differ from that of the clean samples in
# ROW: it gives the verdict.
function as_it_is(row,  i) {
	if ($at["measured_by"] == "-" && $at["unknown_by"] == "-" && $at["all_unknown_by"] == "-")
		return
	rows++
	for (i in column)
		cell[rows, column[i]] = cell[row, column[i]]
	set[rows] = file
	state[rows] = $at["state"]
	cell[row, "budget_verdict"] = $at["state_budget_verdict"]
	cell[rows, "label"] = cell[row, "label"] ", as it is"
	cell[rows, "p50"] = "-"
	cell[rows, "low"] = $at["machine_low"]
	cell[rows, "high"] = $at["machine_high"]
	cell[rows, "max"] = $at["machine_max"]
	take($at["machine_low"])
	take($at["machine_high"])
	take($at["machine_max"])
	any_open = any_open || $at["machine_high"] == "-"
	any_as_it_is = 1
}

BEGIN { sets = split(ENVIRON["names"], set_name, "\t") }

FNR == 1 {
	file++
	split("", at)
	for (i = 1; i <= NF; i++) {
		at[$i] = i
		column[i] = $i
	}
	next
}

{
	rows++
	for (i = 1; i <= NF; i++)
		cell[rows, column[i]] = $i
	set[rows] = file
	state[rows] = $at["state"]
	if (!(state[rows] in seen))
		order[++states] = state[rows]
	seen[state[rows]] = 1
	cell[rows, "label"] = $at["cpu"] == "-" ? "" : " (CPU " $at["cpu"] ")"
	if ($at["budget_ns"] != "-")
		as_it_is(rows)
	take($at["p50"])
	take($at["low"])
	take($at["high"])
	take($at["max"])
	take($at["advertised_ns"])
	take($at["budget_ns"])
	any_advertised = any_advertised || known($at["advertised_ns"])
	any_max = any_max || known($at["max"])
	any_open = any_open || $at["high"] == "-"
	budget = $at["budget_ns"]
	percentile = $at["percentile"]
}

END {
	if (high == "")
		exit
	label = percentile == "max" ? "longest possible" : "p" percentile
	# Leave room for the marks.
	low /= 1.15
	high *= 1.15
	make_tics()
	split("state advertised_ns budget_ns p50 low high max budget_verdict advertised_verdict", wanted, " ")
	for (r = 1; r <= rows; r++)
		longest = length(name_of(r)) > longest ? length(name_of(r)) : longest
	printf "<div class=\"picture%s\">\n", longest <= 12 ? "" : longest <= 18 ? " long" : " longer"
	for (s = 1; s <= states; s++)
		for (r = 1; r <= rows; r++) {
			if (state[r] != order[s])
				continue
			for (i in wanted)
				of[wanted[i]] = cell[r, wanted[i]]
			verdict = budget == "-" ? of["advertised_verdict"] : of["budget_verdict"]
			class = verdict == "-" ? "open" : verdict
			if (class !~ /^(kept|exceeded|undecided|open)$/)
				class = "open"
			if (of["high"] != "-" && of["low"] != "-")
				shown_class[class]
			name = name_of(r)
			printf "<div class=\"row %s\"><span class=\"name\">%s</span><svg class=\"strip\" role=\"img\" aria-label=\"%s\">%s</svg><span class=\"cost\">%s</span><span class=\"verdict\">%s</span></div>\n", \
				class, html(name), html(name ": " words()), strip(), html(cost()), html(verdict_text(verdict))
		}
	axis()
	print "</div>"
	keys()
}
