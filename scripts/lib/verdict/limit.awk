# SPDX-License-Identifier: GPL-2.0
# limit.awk - which limit of the idle states' latency keeps a budget. The kernel compares a limit with what the driver
# advertises, not with what is measured: a limit is only as good as the worst state that it lets through.
#
# take_run() gets the lines of run.tsv, then verdict_of[INDEX] is kept, exceeded, undecided, or not there if the state was
# not measured. find_limit() sets
#	limit_us	the greatest good one, 0 if it lets no state through that sleeps, "-" if there is none, or it is undecided
#	blocker[]	the states because of which it is not greater, from 1 to blockers

function take_run(name, value,  key) {
	of[name] = value
	if (name ~ /^state\.[0-9]+\.name$/) {
		split(name, key, ".")
		states = states < key[2] + 1 ? key[2] + 1 : states
	}
}

# Never give it an element that may not be there: gawk 5.2 would free it twice.
function whole_us(ns) { return int(ns / 1000) + (ns % 1000 > 0) }

# run.tsv of other tools' data may not say what is advertised: any limit may let such a state through.
function is_known(i) { return of["state." i ".latency_ns"] ~ /^[0-9]/ }

function lets_through(us, i) { return !is_known(i) || of["state." i ".latency_ns"] + 0 <= us * 1000 }

function is_disabled(i) { return of["state." i ".disabled"] + 0 }

# What advertises 0 is polling, unless it was measured: no limit keeps a CPU out of it.
function is_polling(i) { return is_known(i) && of["state." i ".latency_ns"] == 0 && !(i in verdict_of) }

function fate(i) {
	if (is_polling(i))
		return "kept"
	return i in verdict_of ? verdict_of[i] : "unmeasured"
}

# What a limit lets through that it should not: $block[], from 1 to the number that is returned.
function blocking(us, block,  i, n) {
	n = 0
	for (i = 0; i < states; i++)
		if (!is_disabled(i) && lets_through(us, i) && fate(i) != "kept")
			block[++n] = i
	return n
}

# Limits that differ are those that are advertised. The next greater one than US; -1: there is none.
function next_limit(us,  i, next_us, its) {
	next_us = -1
	for (i = 0; i < states; i++) {
		its = whole_us(of["state." i ".latency_ns"] + 0)
		if (!is_disabled(i) && is_known(i) && its > us && (next_us < 0 || its < next_us))
			next_us = its
	}
	return next_us
}

# Without any advertised latency a limit has nothing to be compared with.
function any_known(  i) {
	for (i = 0; i < states; i++)
		if (is_known(i))
			return 1
	return 0
}

function find_limit(  us, i, exceeded, undecided) {
	limit_us = "-"
	blockers = 0
	if (budget == "" || budget == "-" || !states || !any_known())
		return
	for (us = 0; us >= 0; us = next_limit(us)) {
		blockers = blocking(us, blocker)
		if (blockers)
			break
		limit_us = us
	}
	for (i = 1; i <= blockers; i++) {
		exceeded += fate(blocker[i]) == "exceeded"
		undecided += fate(blocker[i]) == "undecided"
	}
	# One that takes longer is reason enough; one that nobody measured is kept out, if anything is left.
	if (!exceeded && (undecided || (blockers && limit_us == 0)))
		limit_us = "-"
}

function is_allowed(i) {
	if (limit_us == "-" || is_disabled(i))
		return "-"
	return lets_through(limit_us, i) ? "yes" : "no"
}
