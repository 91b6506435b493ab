# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154  # variables of tap.sh
# instructions.sh - counts what the guest executes. The testbed executes one instruction per virtual ns, so the
# time from the end of an idle period to the MWAIT of the next one is the number of instructions in between.
#
# Callers set $top, and $tmp to a directory of their own.

# build_sleeper: the program that makes idle periods of 1 ms, at $tmp/sleeper
build_sleeper() {
	gcc -O2 -Wall -static -o "$tmp/sleeper" "$top/tests/bench/sleeper.c"
}

# median FILE: the lower one of numbers, one a line
median() {
	sort -n "$1" | awk '{ v[NR] = $1 } END { if (!NR) exit 1; print v[int((NR + 1) / 2)] }'
}

# most_frequent FILE: of numbers, one a line; of equally frequent ones the least
most_frequent() {
	sort -n "$1" | uniq -c | sort -k 1,1nr -k 2,2n | awk 'NR == 1 { print $2 }'
}

# instructions_per_period NAME JOB [TESTBED-OPTION...]: JOB runs /sleeper 2200 as the last thing it does; prints the
# most frequent number of instructions after the last 1,000 idle periods that the program made.
#
# The path is the same from period to period but for the periods that a tick follows, and these are fewer. The menu
# governor would not do: it computes with the lengths of the last periods, in loops that take more or fewer turns.
# Differences of virtual ns are exact in awk.
instructions_per_period() {
	period_out=$tmp/$1
	period_job=$2
	shift 2
	"$top/testbed/run" --append "nohz=off cpuidle.governor=teo" --add "$tmp/sleeper=/sleeper" "$@" \
		--out "$period_out" "$period_job" >&2 || return
	awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	{
		if (slept) print $column["enter_ns"] - run
		run = $column["run_ns"]
		asleep = run - $column["enter_ns"]
		slept = asleep > 900000 && asleep < 1100000
	}' "$period_out/truth.tsv" | tail -n 1000 >"$period_out.busy"
	[ "$(wc -l <"$period_out.busy")" -eq 1000 ] || {
		printf '%s: fewer than 1000 idle periods of 1 ms\n' "${period_out##*/}" >&2
		return 1
	}
	most_frequent "$period_out.busy"
}

# publish NAME: the table on stdin becomes out/bench/NAME.tsv, and is printed
publish() {
	mkdir -p "$top/out/bench" && cat >"$top/out/bench/$1.tsv.partial" &&
		mv "$top/out/bench/$1.tsv.partial" "$top/out/bench/$1.tsv" && cat "$top/out/bench/$1.tsv"
}
