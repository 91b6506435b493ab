#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The files of who --export and probe --export: 100,000 threads with hostile names and 100,000 cgroups come and go, in the simulated
# machine of who-stand-in.h. Each file is read by Prometheus's own programs, and its sums are the wake-ups that were made.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
cd "$tmp" || exit 1
tools=$top/tools

# build PROGRAM SOURCE...: compile tests/fixtures/PROGRAM.c with files of tools/
build() (
	program=$1
	cd "$tools" && shift && gcc -O1 -g -std=gnu11 -D_GNU_SOURCE -Wall -Wno-attributes -Wno-unused-function -Wno-address -I"$top/tests/fixtures/bpf-stand-in" \
		-Iprobe -Ilib -o "$tmp/$program" "$top/tests/fixtures/$program.c" "$@" probe/metrics.c probe/hist.c probe/options.c lib/message.c lib/plain.c \
		lib/outfile.c -lm
)
build who-churn probe/who-room.c probe/who-output.c probe/measuring.c && build probe-metrics probe/probe-export.c || bail "the fixtures do not build"

# Debian's Python, not another one that is first in the PATH, has Debian's modules.
python=
for candidate in /usr/bin/python3 python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import prometheus_client' 2>/dev/null || python=$candidate
done

# accepted NAME FILE...: Prometheus's programs accept each file. Set the file sums.
accepted() {
	accepted_name=$1
	shift
	ok "$accepted_name: all are UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "$@"
	is "$(for file; do sed -n 's/} [^ ]*$/}/p' "$file" | sort | uniq -d; done)" "" "$accepted_name: no series occurs twice"
	if [ -n "$python" ]; then
		ok "$accepted_name: prometheus_client's strict parser accepts all" "$python" "$top/tests/fixtures/openmetrics.py" "$@"
		printf '%s\n' "$out" >sums
	else
		skip 1 "no prometheus_client: apt-get install python3-prometheus-client"
		awk '/^#/ { next } { sub(/[{ ].*/, "", $1); sum[FILENAME " " $1] += $NF } END { for (s in sum) printf "%s %.15g\n", s, sum[s] }' "$@" >sums
	fi
	if command -v promtool >/dev/null; then
		is "$(for file; do promtool check metrics <"$file" 2>&1; done)" "" "$accepted_name: promtool has no complaint"
	else
		skip 1 "no promtool: apt-get install prometheus"
	fi
}

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

# --- probe: names of states that are equal, or become equal

ok "probe's file is written" ./probe-metrics
accepted probe x.prom
series() { grep -F "wakelat_$1{" x.prom | sed 's/.*} //' | paste -sd ' ' -; }
is "$(series 'latency_seconds_count')" "600 600" "states with one name are one histogram"
is "$(series 'latency_max_seconds')" "2e-06 8e-06" "its maximum is the greater one"
is "$(grep -F 'quantile_seconds{' x.prom | grep -F '"99"' | sed 's/.*} //' | awk '{ printf "%.1f ", $1 * 1e6 }')" "2.0 8.0 " "its quantile is of both"
is "$(series 'idle_periods_total')" 10000000011 "large counts are exact"
is "$(series 'lost_total')" 7 "lost samples are a metric"
done_testing
