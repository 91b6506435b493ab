#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat governor on the virtual Xeon's choices, where the kernel counts too deep and too shallow itself.
# needs: tools qemu kernel:default

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/governor.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/instructions.sh"
build_tools
cd "$tmp" || exit 1

build_sleeper || bail "no compiler"
guest_job out "$top/tests/guest/governor.job" --add "$tmp/sleeper=/sleeper"
is "$status" 0 "the virtual Xeon recorded each governor"
ok "they are read" "$wakelat" governor -o v.tsv out/*/trace.dat
note "$out"
# The kernel takes its stamps of a period between the two events, so that it is shorter by less than 1 us: its counts lie
# between ours and those for residencies that are 1 us longer.
longer_residencies() {
	for dir in out/*/; do
		set -- "$@" "$(basename "$dir")=${dir}trace.dat"
	done
	"$wakelat" governor -q -o longer.tsv --states POLL:0:0,C1:2:3,C1E:10:21,C6:133:601 "$@"
}
ok "with longer residencies" longer_residencies
for dir in out/*/; do
	name=$(basename "$dir")
	for what in too_deep too_shallow; do
		kernel=$(value v.tsv "$name" all kernel_$what)
		ours=$(value v.tsv "$name" all $what)
		bounds=$(for file in v longer; do value $file.tsv "$name" all $what; done | sort -n | paste -sd ' ' -)
		ok "$name: $what: the kernel counts $kernel, ours is $ours, of $bounds" \
			test "${bounds% *}" -le "$kernel" -a "$kernel" -le "${bounds#* }"
	done
	ok "$name: timers end nearly all" test "$(value v.tsv "$name" all timer)" -ge 390
done
done_testing
