# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# instructions.sh - count the instructions that the guest executes. The testbed executes one instruction per virtual
# ns, so the time from the end of an idle period to the MWAIT of the next one is the number of instructions in between.
#
# Callers set $top, and $tmp to a directory of their own.

: "${top:?}" "${tmp:?}"

# build_sleeper: compile $tmp/sleeper, a program that only sleeps
build_sleeper() {
	gcc -O2 -Wall -static -o "$tmp/sleeper" "$top/tests/bench/sleeper.c"
}

# median FILE: print the lower median of the numbers in FILE, one per line
median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { if (!NR) exit 1; print v[int((NR + 1) / 2)] }'
}

# idle_periods NAME JOB [TESTBED-OPTION...]: write to $tmp/NAME.busy the numbers of instructions between consecutive idle
# periods of CPU 0, for the last 2,000 periods, sorted. JOB must end with /sleeper 1100 4000 2000.
#
# Since Linux 6.4 the tick comes at multiples of 4 ms. The program wakes up in the middle between two ticks, so that each
# kernel takes the same code paths and each wake-up ends its own idle period. If the phase depended on the end of boot,
# tick and program could be so close that both end one idle period, because of C6's exit latency: 1,100 periods instead of
# 2,200. The menu governor would make the code paths differ: it loops over the lengths of the last periods, a varying
# number of times. Differences of virtual ns are exact in awk.
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

# growth NAME NAME: print how many instructions more the second kernel executes: the median and the 95th percentile of the
# differences. The shortest period of one is compared with the shortest of the other, the second shortest with the second
# shortest, and so on. The remaining 5 % are periods in which one of the kernels had other work to do.
growth() {
	paste "$tmp/$1.busy" "$tmp/$2.busy" | awk '{ print $2 - $1 }' | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[int(NR * 0.95)] }'
}
