# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# examples.sh - make what the examples of the manual page read (tests/long/examples.t).

# A recording of idle periods in states that were right, too deep and too shallow.
{
	for period in 1000000:599999:3 2000000:600000:3 3000000:100000:3 4000000:19999:2 5000000:610000:2 6000000:22000:1; do
		start=${period%%:*}
		length=${period#*:}
		length=${length%:*}
		printf 'hrtimer_start 0 %s hrtimer=4096 expires=%s\n' $((start - 100)) $((start + length - 50))
		printf 'cpu_idle 0 %s state=%s\ncpu_idle 0 %s state=0xffffffff\n' "$start" "${period##*:}" $((start + length))
		printf 'hrtimer_expire_entry 0 %s hrtimer=4096 now=%s\n' $((start + length + 300)) $((start + length + 200))
	done
} | trace menu.dat -S -x cpu_idle_miss || bail "no recording"
