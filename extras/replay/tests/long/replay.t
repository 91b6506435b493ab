#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat replay with the kernel's own governors over a recording of the virtual Xeon: they choose what the kernel chose, and
# the prediction for teo, another limit and another table is what these really did. Where two CPUs wake each other, menu asks for the
# timers of the group of CPUs, and a refused choice restarts the tick: its factors remember a wrong answer for long.
# needs: tools source
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${wakelat=}" "${status=}" "${out=}"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
source=$("$top/scripts/dev/fetch-kernel" --kernel 6.12) || bail "no source of the kernel"
if [ -d "$source" ]; then
	tree=$source
else
	mkdir tree && tar -xf "$source" -C tree --strip-components=1 --wildcards '*/drivers/cpuidle/governors/*' ||
		bail "$source cannot be unpacked"
	tree=tree
fi
cp "$top/extras/replay/tests/fixtures/menu-mixed.dat" trace.dat
cp "$top/extras/replay/tests/fixtures/menu-mixed.txt" cpuidle.txt
ok "all four governors compile" "$wakelat" replay -q -o n.tsv --tree "$tree" --if teo --if limit=50us --if off=C1E --if ladder --if haltpoll trace.dat
is "$(awk -F '\t' '$1 == "agreement" && $3 == "agrees" { print ($4 >= 0.995 * $5) }' n.tsv)" 1 "menu chooses what the kernel chose in 99.5 % of the periods"
run "$wakelat" replay --tree "$tree" --cpuidle "$top/extras/replay/tests/fixtures/mutual.txt" "$top/extras/replay/tests/fixtures/mutual.dat"
is "$out" "menu: 525 of 525 choices agree (100.00 %)" "menu chooses what the kernel chose where two CPUs wake each other"

# predicted VARIANT STATE TRUTH: the predicted share is within 2 percentage points of what a recording of the variant had
predicted() {
	is "$(awk -F '\t' -v v="$1" -v s="$2" -v truth="$3" '$1 == "predicted" && $2 == v && $3 == s {
		d = 100 * $4 / $5 - truth
		print (d < 2 && d > -2) }' n.tsv)" 1 "variant $1: the share of $2 is within 2 points of $3 %"
}
# Recordings of the same load with these settings, 6.12, skylake-sp.
predicted 1 C1 2.1
predicted 1 C1E 90.7
predicted 1 C6 7.2
predicted 2 C1 3.0
predicted 2 C1E 97.0
predicted 2 C6 0
predicted 3 C1 92.8
predicted 3 C1E 0
predicted 3 C6 7.1
done_testing
