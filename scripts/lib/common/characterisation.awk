# SPDX-License-Identifier: GPL-2.0
# characterisation.awk - facts of what was timed, from lines NUMBER NAME CYCLES TIMES: what took so long so many times; those of a name
# together and sorted by cycles
#	-v khz=N	of the clock that counts the cycles
#
# In ns, rounded down. Exact below 2^53 cycles: whole ms and what is left of them are converted on their own.

function ns(cycles,    ms) {
	ms = int(cycles / khz)
	return sprintf("%.0f", ms * 1000000 + int((cycles - ms * khz) * 1000000 / khz))
}

# nth K: the one that K are before
function nth(k,    i) {
	for (i = 1; k >= until[i]; i++)
		;
	return cycles[i]
}

# at SHARE: the one that so many of 100 are below
function at(share) { return nth(int(n * share / 100)) }

function say(name, value) { printf "characterisation.%s.%s\t%s\n", what, name, value }

function tell() {
	if (!n)
		return
	say("n", n)
	say("min_ns", ns(nth(0)))
	say("median_ns", ns(at(50)))
	say("p99_ns", ns(at(99)))
	say("max_ns", ns(nth(n - 1)))
	say("spread_ns", ns(at(95) - at(5)))
	n = values = 0
}

$1 != number {
	tell()
	number = $1
	what = $2
}

{
	n += $4
	cycles[++values] = $3 + 0
	until[values] = n
}

END { tell() }
