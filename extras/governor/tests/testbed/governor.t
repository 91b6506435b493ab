#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat governor on the virtual Xeon: its counts of too deep and too shallow choices agree with
# those of the kernel.
# needs: tools qemu kernel:default

. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${wakelat=}" "${status=}" "${out=}"
. "$top/tests/lib/analysis.sh"
. "$top/extras/governor/tests/lib/governor.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/instructions.sh"
build_tools
cd "$tmp" || exit 1

build_sleeper || bail "no compiler"
guest_job out "$top/extras/governor/tests/guest/governor.job" --add "$tmp/sleeper=/sleeper"
is "$status" 0 "the virtual Xeon recorded each governor"
ok "governor reads all recordings" "$wakelat" governor -o v.tsv out/*/trace.dat
note "$out"
# The kernel takes its two stamps of an idle period between the two events, so its period is
# shorter, by less than 1 us. The kernel's counts therefore lie between wakelat's counts and wakelat's
# counts for residencies that are 1 us longer.
longer_residencies() {
	for dir in out/*/; do
		set -- "$@" "$(basename "$dir")=${dir}trace.dat"
	done
	"$wakelat" governor -q -o longer.tsv --states POLL:0:0,C1:2:3,C1E:10:21,C6:133:601 "$@"
}
ok "governor reads all recordings with residencies that are 1 us longer" longer_residencies
for dir in out/*/; do
	name=$(basename "$dir")
	for what in too_deep too_shallow; do
		kernel=$(value v.tsv "$name" all kernel_$what)
		ours=$(value v.tsv "$name" all $what)
		bounds=$(for file in v longer; do value $file.tsv "$name" all $what; done | sort -n | paste -sd ' ' -)
		ok "$name: $what: the kernel's count $kernel is within the bounds $bounds (ours is $ours)" \
			test "${bounds% *}" -le "$kernel" -a "$kernel" -le "${bounds#* }"
	done
	ok "$name: timers end nearly all idle periods" test "$(value v.tsv "$name" all timer)" -ge 390
done
done_testing
