# SPDX-License-Identifier: GPL-2.0
# limit.awk - find the latency limit that keeps a budget. The kernel compares a limit with the
# advertised latency, not with the measured one: a limit is only as good as the worst state that it
# admits.
#
# The caller passes the lines of run.tsv to take_run(). It sets verdict_of[INDEX] to kept, exceeded
# or undecided, and leaves it out if the state was not measured. find_limit() sets
#	limit_us	the greatest limit that is known to keep the budget, "-" if there is none. It is 0
#			only if the polling state was measured and keeps the budget
#	blocker[]	the states that rule out a greater limit, from 1 to blockers
#	only_polling	1 if there is no limit because only the limit 0 excludes a state that exceeds the
#			budget, and nothing shows that polling keeps it

function take_run(name, value,  key) {
	of[name] = value
	if (name ~ /^state\.[0-9]+\.name$/) {
		split(name, key, ".")
		states = states < key[2] + 1 ? key[2] + 1 : states
	}
}

# Round up to whole us. NS must not be an array element that may be missing: gawk 5.2 would free it
# twice.
function whole_us(ns) { return int(ns / 1000) + (ns % 1000 > 0) }

# Return whether the advertised latency is known. Other tools' data may lack it; any limit may admit
# such a state.
function is_known(i) { return of["state." i ".latency_ns"] ~ /^[0-9]/ }

function lets_through(us, i) { return !is_known(i) || of["state." i ".latency_ns"] + 0 <= us * 1000 }

function is_disabled(i) { return of["state." i ".disabled"] + 0 }

# A state that advertises 0 and was not measured is polling. No limit keeps a CPU out of it.
function is_polling(i) { return is_known(i) && of["state." i ".latency_ns"] == 0 && !(i in verdict_of) }

function fate(i) {
	if (is_polling(i))
		return "kept"
	return i in verdict_of ? verdict_of[i] : "unmeasured"
}

# Set block[], from 1 on, to the states that the limit admits although they are not kept. Return
# their number.
function blocking(us, block,  i, n) {
	n = 0
	for (i = 0; i < states; i++)
		if (!is_disabled(i) && lets_through(us, i) && fate(i) != "kept")
			block[++n] = i
	return n
}

# Return the next advertised latency above US, in us, or -1. A greater limit admits one more state only
# if it reaches that state's advertised latency.
function next_limit(us,  i, next_us, its) {
	next_us = -1
	for (i = 0; i < states; i++) {
		its = whole_us(of["state." i ".latency_ns"] + 0)
		if (!is_disabled(i) && is_known(i) && its > us && (next_us < 0 || its < next_us))
			next_us = its
	}
	return next_us
}

# Return whether any latency is advertised. Without one, a limit has no effect.
function any_known(  i) {
	for (i = 0; i < states; i++)
		if (is_known(i))
			return 1
	return 0
}

function find_limit(  us, i, undecided, exceeded) {
	limit_us = "-"
	blockers = only_polling = 0
	if (budget == "" || budget == "-" || !states || !any_known())
		return
	for (us = 0; us >= 0; us = next_limit(us)) {
		blockers = blocking(us, blocker)
		if (blockers)
			break
		limit_us = us
	}
	for (i = 1; i <= blockers; i++) {
		undecided += fate(blocker[i]) == "undecided"
		exceeded += fate(blocker[i]) == "exceeded"
	}
	if (limit_us "" != "0")
		return
	# A limit of 0 makes all CPUs poll, which costs more than any other. It needs a measurement of polling, and
	# more samples of an undecided state may allow a greater limit.
	only_polling = exceeded && !polling_keeps()
	if (!polling_keeps() || (undecided && !exceeded))
		limit_us = "-"
}

# Return the index of the state that a limit of 0 admits: the first one that advertises 0. -1: none.
function polling_state(  i) {
	for (i = 0; i < states; i++)
		if (is_known(i) && of["state." i ".latency_ns"] == 0)
			return i
	return -1
}

# Reading an element makes it, and is_polling() asks whether there is one.
function polling_keeps() { return polling_state() in verdict_of && verdict_of[polling_state()] == "kept" }

function is_allowed(i) {
	if (limit_us == "-" || is_disabled(i))
		return "-"
	return lets_through(limit_us, i) ? "yes" : "no"
}
