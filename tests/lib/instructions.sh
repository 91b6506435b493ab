# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# instructions.sh - counts what the guest executes. The testbed executes one instruction per virtual ns, so the
# time from the end of an idle period to the MWAIT of the next one is the number of instructions in between.
#
# Callers set $top, and $tmp to a directory of their own.

: "${top:?}" "${tmp:?}"

# build_sleeper: a program that makes idle periods and nothing else, at $tmp/sleeper
build_sleeper() {
	gcc -O2 -Wall -static -o "$tmp/sleeper" "$top/tests/bench/sleeper.c"
}

# median FILE: the lower one of numbers, one a line
median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { if (!NR) exit 1; print v[int((NR + 1) / 2)] }'
}

# idle_periods NAME JOB [TESTBED-OPTION...]: JOB runs /sleeper 1100 4000 2000 as the last thing it does. $tmp/NAME.busy
# gets the number of instructions between one idle period of CPU 0 and the next, for the last 2,000 of them, sorted.
#
# 4 ms is the tick, which comes at multiples of it (since Linux 6.4). The program wakes up in the middle between two, so
# that the same paths are taken in each kernel, and each wake-up ends a period of its own: were it left to when boot has
# ended, the two could be so close together that C6's exit latency makes one of both, 1,100 periods instead of 2,200.
# With the menu governor the paths would not be the same: it computes with the lengths of the last periods, in loops that
# take more or fewer turns. Differences of virtual ns are exact in awk.
idle_periods() {
	period_out=$tmp/$1
	period_job=$2
	shift 2
	"$top/testbed/run" --append "nohz=off cpuidle.governor=teo" --add "$tmp/sleeper=/sleeper" "$@" \
		--out "$period_out" "$period_job" >&2 || return
	awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$column["cpu"] == 0 { print $column["enter_ns"] - run; run = $column["run_ns"] }' "$period_out/truth.tsv" |
		tail -n 2000 | sort -n >"$period_out.busy"
	[ "$(wc -l <"$period_out.busy")" -eq 2000 ] || {
		printf '%s: fewer than 2000 idle periods\n' "${period_out##*/}" >&2
		return 1
	}
}

# growth NAME NAME: by how much the idle periods of the second are longer: the median, and what 95 % do not exceed, of
# the differences of the shortest of each, the second shortest, and so on. The rest are those few on which the kernel
# had other things to do, in one kernel and not in the other.
growth() {
	paste "$tmp/$1.busy" "$tmp/$2.busy" | awk '{ print $2 - $1 }' | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[int(NR * 0.95)] }'
}
