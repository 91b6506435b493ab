# SPDX-License-Identifier: GPL-2.0
# who-limits.awk - print limits.tsv from run.tsv and who.tsv: how much of each group's waits a
# latency limit would save.
#	-v limit=US	this limit only; empty: each limit that forbids other idle states
#
# The estimate assumes that a wake-up from a forbidden state would come from the deepest allowed
# state instead. Its wait would be the mean wait of the group's own wake-ups from that state, or of
# all groups' if the group has fewer than 30. The 95 % interval includes the error of this mean, and
# the spread of the sum of single waits, which are taken as independent. If the mean is that of all
# groups, its error includes how much the groups differ. If all groups together have fewer than 30
# wake-ups from that state, "basis" is advertised: the wait is the advertised latency, plus the mean
# excess over the advertised latency in the forbidden states. Of such a mean, and of one that a
# single other group has, nothing is known about the error: the interval goes from 0 to twice its
# value.

FNR == 1 {
	file++
	if (file == 2)
		for (i = 1; i <= NF; i++)
			at[$i] = i
	# run.tsv may still lack its header.
	if (file > 1 || $1 == "key")
		next
}

file == 1 {
	if ($1 ~ /^state\.[0-9]+\.(name|latency_ns|disabled)$/) {
		split($1, part, ".")
		if (part[3] == "name") {
			index_of[$2] = part[2] + 0
			states++
		} else {
			value[part[2] + 0, part[3]] = $2
		}
	}
	next
}

$at["where"] in index_of {
	group = $at["group"] "\t" $at["id"]
	if (!(group in seen)) {
		seen[group]
		order[++groups] = group
	}
	s = index_of[$at["where"]]
	n[group, s] = $at["n"]
	sum[group, s] = $at["wait"]
	sd[group, s] = $at["wait_sd"]
	all_groups[s]++
	all_n[s] += $at["n"]
	all_within[s] += $at["n"] * square($at["wait_sd"])
	all_sum[s] += $at["wait"]
	all_square[s] += $at["n"] * (square($at["wait_sd"]) + square($at["wait"] / $at["n"]))
}

function square(x) { return x * x }

# The busybox of a small target may have neither powers nor sqrt().
function root(x,  r, i) {
	if (x <= 0)
		return 0
	r = x > 1 ? x : 1
	for (i = 0; i < 100; i++)
		r = (r + x / r) / 2
	return r
}

# deepest MAX_US: return the index of the deepest state that the limit allows, or -1
function deepest(max,  s, found) {
	found = -1
	for (s = 0; s < states; s++)
		if (value[s, "disabled"] == 0 && value[s, "latency_ns"] / 1000 <= max)
			found = s
	return found
}

# differ STATE: return the variance of the groups' means about the mean of all waits, less what the
# spread within the groups explains (method of moments). It is enlarged by Student's t for the number
# of groups, 10 degrees of freedom at most.
function differ(s,  g, group, waits, between, explained, t, free) {
	split("12.71 4.30 3.18 2.78 2.57 2.45 2.36 2.31 2.26 2.23", t, " ")
	for (g = 1; g <= groups; g++) {
		group = order[g]
		waits = n[group, s]
		if (!waits)
			continue
		between += square(sum[group, s] / waits - all_sum[s] / all_n[s])
		explained += all_within[s] / all_n[s] / waits
	}
	free = all_groups[s] - 1
	between = between / free - explained / all_groups[s]
	return between > 0 ? between * square(t[free < 10 ? free : 10] / 1.96) : 0
}

# expect GROUP STATE: set the expected mean, spread (standard deviation of one wait), error (of the
# mean) and basis
function expect(group, s) {
	if (n[group, s] >= 30) {
		mean = sum[group, s] / n[group, s]
		spread = sd[group, s]
		error = spread / root(n[group, s])
		basis = "own"
	} else if (all_n[s] >= 30) {
		mean = all_sum[s] / all_n[s]
		spread = all_square[s] / all_n[s] - square(mean)
		spread = spread > 0 ? root(spread) : 0
		if (all_groups[s] > 1)
			error = root(square(spread) / all_n[s] + differ(s))
		else
			error = mean / 1.96
		basis = "all"
	} else {
		mean = value[s, "latency_ns"] + (excess > 0 ? excess : 0)
		spread = 0
		error = mean / 1.96
		basis = "advertised"
	}
}

# row GROUP US: print a row; set excess for expect()
function row(group, us,  to, s, deep, waited, variance, half, saved, high) {
	to = deepest(us)
	excess = 0
	if (to < 0)
		return
	for (s = to + 1; s < states; s++) {
		if (value[s, "latency_ns"] / 1000 <= us || !n[group, s])
			continue
		deep += n[group, s]
		waited += sum[group, s]
		excess += sum[group, s] - n[group, s] * value[s, "latency_ns"]
		variance += n[group, s] * (square(sd[group, s]) + square(sum[group, s] / n[group, s]))
	}
	if (!deep)
		return
	excess /= deep
	expect(group, to)
	saved = waited - deep * mean
	half = 1.96 * root(variance + deep * (square(spread) + square(mean)) + square(deep * error))
	# A limit cannot save more than the sum of these waits.
	if (saved + half > waited)
		high = waited
	else
		high = saved + half
	printf "%s\t%d\t%d\t%.0f\t%.0f\t%.0f\t%s\n", group, us, deep, saved, saved - half, high, basis
}

END {
	printf "group\tid\tlimit_us\tn\tsaved\tsaved_low\tsaved_high\tbasis\n"
	for (g = 1; g <= groups; g++) {
		if (limit != "") {
			row(order[g], limit + 0)
			continue
		}
		for (s = 0; s + 1 < states; s++)
			if (value[s, "latency_ns"] != "-" && value[s, "disabled"] == 0)
				row(order[g], value[s, "latency_ns"] / 1000)
	}
}
