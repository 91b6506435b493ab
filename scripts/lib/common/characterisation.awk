# SPDX-License-Identifier: GPL-2.0
# characterisation.awk - statistics of timed readings, as lines of run.tsv. Input: lines NUMBER NAME
# CYCLES TIMES: the reading NAME took CYCLES cycles TIMES times. The lines of one reading stand
# together, sorted by cycles.
#	-v khz=N	frequency of the clock that counts the cycles
#
# The results are in ns, rounded down. They are exact below 2^53 cycles, because whole ms and the
# remainder are converted separately.

function ns(cycles,    ms) {
	ms = int(cycles / khz)
	return sprintf("%.0f", ms * 1000000 + int((cycles - ms * khz) * 1000000 / khz))
}

# nth K: return the K-th smallest value, counted from 0
function nth(k,    i) {
	for (i = 1; k >= until[i]; i++)
		;
	return cycles[i]
}

# at SHARE: return the percentile SHARE
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
