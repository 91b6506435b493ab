#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat replay over fresh recordings of the virtual Xeon: menu and teo choose what the kernel chose, also where two CPUs wake each
# other; the prediction of the one from the recording of the other is within 2 percentage points; the printed commands record all,
# and so does `wakelat record --governor-events`, also if another CPU calls functions of an idle CPU: no task runs, but the tick does.
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
job=$top/extras/replay/tests/guest/replay.job
printf '%s menu - - %s\n' menu 'mixed 700' printed 'sleep 400' >plan
echo 'teo teo - - mixed 700' >>plan
guest_job one "$job" --add "$tmp/load=/load" --add "$tmp/plan"
is "$status" 0 "the virtual Xeon recorded menu and teo"
printf '%s - - mutual 500\n' 'mutual-menu menu' 'mutual-teo teo' >plan
printf 'record-%s menu - - record %s\n' hrtimer 'hrtimer 1200' ipi 'ipi 300' >>plan
guest_job two "$job" --cpus 2 --add "$tmp/load=/load" --add "$tmp/plan"
is "$status" 0 "a virtual Xeon with two CPUs recorded menu and teo"
for recording in one/menu one/teo one/printed two/mutual-menu two/mutual-teo two/record-hrtimer two/record-ipi; do
	name=${recording#*/}
	governor=menu other=teo
	case $name in *teo) governor=teo other=menu ;; esac
	case $name in record*) ;; *) recording=$recording/trace.dat ;; esac
	run "$wakelat" replay -o "$name.tsv" --tree "$tree" --if $other "$recording"
	[ -s "$name.tsv" ] || bail "no table of $name: $out"
	unlike "$out" 'Not recorded|lacks the start' "$name: the printed commands record all that is needed"
	# Where function calls interrupt a CPU, 99.3 to 100 % agree, depending on where the tick lies; in some periods the kernel knew
	# only of the next tick, and why is not known. 86 % agreed when the restarted tick was taken for stopped.
	least=99.5
	[ "$name" != record-ipi ] || least=98
	is "$(awk -F '\t' -v least=$least '$1 == "agreement" && $3 == "agrees" { print ($5 > 150 && 100 * $4 >= least * $5) }' "$name.tsv")" 1 \
		"$name: $least % of the choices of $governor agree"
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
