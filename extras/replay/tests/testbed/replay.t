#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat replay over fresh recordings of the virtual Xeon: menu and teo choose what the kernel chose, and the prediction of the
# one from the recording of the other is within 2 percentage points.
# needs: tools qemu kernel:default source
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${wakelat=}" "${status=}" "${out=}"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/replay.sh"
build_tools
cd "$tmp" || exit 1
gcc -O2 -Wall -static -o load "$top/extras/replay/tests/fixtures/load.c" -lpthread || bail "no compiler"
source=$("$top/scripts/dev/fetch-kernel" --kernel 6.12) || bail "no source of the kernel"
tree=$source
[ -d "$source" ] || {
	mkdir tree && tar -xf "$source" -C tree --strip-components=1 --wildcards '*/drivers/cpuidle/governors/*' ||
		bail "$source cannot be unpacked"
	tree=tree
}
guest_job out "$top/extras/replay/tests/guest/replay.job" --add "$tmp/load=/load"
is "$status" 0 "the virtual Xeon recorded menu and teo"
for governor in menu teo; do
	other=teo
	[ "$governor" = menu ] || other=menu
	ok "$governor is replayed" "$wakelat" replay -q -o "$governor.tsv" --governor "$governor" --tree "$tree" --if $other out/$governor/trace.dat
	[ -s "$governor.tsv" ] || bail "no table of $governor"
	is "$(awk -F '\t' '$1 == "agreement" && $3 == "agrees" { print ($5 > 700 && $4 >= 0.995 * $5) }' "$governor.tsv")" 1 \
		"$governor: 99.5 % of the choices agree"
done
for governor in menu teo; do
	other=teo
	[ "$governor" = menu ] || other=menu
	is "$(awk -F '\t' '
		NR == FNR { if ($1 == "predicted" && $2 == 1) share[$3] = 100 * $4 / $5; next }
		$1 == "recorded" { d = share[$3] - 100 * $4 / $5; if (d > 2 || d < -2) print $3, share[$3], 100 * $4 / $5 }' "$governor.tsv" $other.tsv)" "" \
		"$other, predicted from the recording of $governor, is within 2 points of its recording"
done
done_testing
