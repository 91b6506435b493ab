#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The files of who --export: 100,000 threads with hostile names and 100,000 cgroups come and go, in the simulated machine of
# who-stand-in.h. Each file is read by Prometheus's own programs, and its sums are the wake-ups that were made.
# needs: nothing
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/metrics.sh"
cd "$tmp" || exit 1
extra=$top/extras/who
build who-churn "$extra/tests/fixtures/who-churn.c" "$extra/who-room.c" "$extra/who-output.c" probe/measuring.c \
	-I"$extra/tests/fixtures/bpf-stand-in" -I"$extra" || bail "the fixture does not build"

# churned NAME BY GROUPS
churned() {
	mkdir "$1" && cd "$1" || exit 1
	run ../who-churn "$2" 100000 20
	is "$status" 0 "$1: 100,000 come and go"
	printf '%s\n' "$out" >made
	accepted "$1" ./*.prom
	is "$(sed -n 's/^\.\/\([0-9]*\)\.prom wakelat_who_wakeups_total /\1 /p' sums | sort -n)" "$(cut -d ' ' -f 1,2 made)" \
		"$1: in each of 20 snapshots, the wake-ups of all rows are those that were made"
	is "$(grep -h '^wakelat_lost_total' ./*.prom | sort -u)" 'wakelat_lost_total{source="who"} 0' "$1: none is lost"
	ok "$1: at most 4096 rows" test "$(grep -c '^wakelat_who_wakeups_total' 20.prom)" -le 4096
	ok "$1: some are in (others)" grep -q "^wakelat_who_wakeups_total{[a-z]*=\"(others)\"" 20.prom
	is "$(sed -n 's/^wakelat_groups_dropped_total{source="who"} //p' 20.prom | awk '{ print ($1 > 40000) }')" 1 "$1: the number of groups in (others) is a metric"
	ok "$1: the memory does not grow after the first twentieth ($(awk '{ print $3 }' made | sed -n '1p;$p' | paste -sd - -) kB)" \
		awk 'NR == 1 { first = $3 } END { exit $3 > first + 8192 }' made
	cd ..
}
churned threads 1
is "$(grep -c '^wakelat_who_wakeups_total{thread="(removed)"' threads/20.prom)" 0 "no thread can take a name in parentheses"
is "$(sed -n 's/^wakelat_who_wakeups_total{thread="stays".* //p' threads/20.prom | awk '{ n += $1 } END { print n }')" 100000 \
	"the thread that stays keeps its row: 100,000 wake-ups"
is "$(grep -c '^wakelat_who_wakeups_total{thread="(others)"' threads/20.prom)" 2 "(others) has one row for each class"
churned cgroups 2
is "$(cut -f 1 threads/who.tsv | LC_ALL=C grep -c '[^ -~].*' | awk '{ print ($1 > 0) }')" 1 "who.tsv keeps letters that are not ASCII"
ok "who.tsv is UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null threads/who.tsv
done_testing
