#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat replay with a governor of our own in a tree of our own: it is compiled and asked; what cannot be replayed is refused.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${wakelat=}" "${status=}" "${out=}"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
fixtures=$top/extras/replay/tests/fixtures
mkdir -p tree/drivers/cpuidle/governors
governors=tree/drivers/cpuidle/governors

# governor NAME EXPRESSION: write a governor that chooses state EXPRESSION
governor() {
	cat >"$governors/$1.c" <<-END
		#include <linux/cpuidle.h>
		#include <linux/tick.h>
		static DEFINE_PER_CPU(int, asked);
		static int choose(struct cpuidle_driver *drv, struct cpuidle_device *dev, bool *stop_tick)
		{
			ktime_t tick, length = tick_nohz_get_sleep_length(&tick);
			(*this_cpu_ptr(&asked))++;
			return $2;
		}
		static struct cpuidle_governor ours = { .name = "$1", .select = choose };
		static int __init start(void) { return cpuidle_register_governor(&ours); }
		postcore_initcall(start);
	END
}

governor menu 'length >= drv->states[3].target_residency_ns ? 3 : length >= drv->states[2].target_residency_ns ? 2 : 1'
cp "$fixtures/menu-mixed.dat" trace.dat
cp "$fixtures/menu-mixed.txt" cpuidle.txt
run "$wakelat" replay --tree tree -o n.tsv --periods p.tsv --if 'C6:120:300' --if 'off=C6' trace.dat
like "$status" '^[03]$' "a governor of a tree is compiled and replayed"
like "$out" '^menu: [0-9]+ of [0-9]+ choices agree' "the agreement is printed"
is "$(awk -F '\t' 'NR > 1 && $5 ~ /^[0-9]+$/ { want = $5 >= 600000 ? "C6" : $5 >= 20000 ? "C1E" : "C1"; if ($4 != want) bad++ } END { print bad + 0 }' p.tsv)" 0 \
	"the governor is told the time until the next timer, and its choice is shown"
is "$(awk -F '\t' '$1 == "agreement" && $3 != "start" && $3 != "refused" { n += $4; all = $5 } END { print (n == all) }' n.tsv)" 1 \
	"each choice agrees or has a cause"
is "$(awk -F '\t' '$1 == "predicted" && $3 == "C6" { n[$2] = $4 } END { print (n[1] > n["recorded"] && n["recorded"] > 0) }' n.tsv)" 1 \
	"with a shorter target residency in the table, the governor chooses C6 more often"
is "$(awk -F '\t' '$1 == "recorded" { n += $4; all = $5 } END { print (n == all) }' n.tsv)" 1 "the recorded states add up to all periods"

governor strange 'cpumask_weight(dev->cpu)'
refused 'strange.c needs cpumask_weight, which the stand-in headers lack' "a tree that needs more is refused by the missing name" \
	"$wakelat" replay --tree tree --if strange trace.dat
refused 'tree has no governor ladder: .* has menu.c strange.c' "a governor that the tree lacks is refused" \
	"$wakelat" replay --tree tree --if ladder trace.dat
refused 'is not a kernel tree' "a directory that is no kernel tree is refused" "$wakelat" replay --tree . trace.dat
refused 'C6 is not greater than that of C1E' "a table that a kernel would refuse is refused" \
	"$wakelat" replay --tree tree --if C6:5:300 trace.dat
refused 'the residency of C6 is shorter than its exit latency' "a residency below the exit latency is refused" \
	"$wakelat" replay --tree tree --if C6:400:300 trace.dat
refused 'the recording has no state C9' "a state that the recording lacks is refused" "$wakelat" replay --tree tree --if off=C9 trace.dat
governor teo 1
refused 'recorded with governor menu, not teo' "another governor than the recorded one is refused" \
	"$wakelat" replay --tree tree --governor teo trace.dat
refused '--tree is missing' "without a tree" "$wakelat" replay trace.dat
for choice in 7 -1 -100000; do
	governor menu "$choice"
	refused "the governor menu chose state $choice of 4" "a governor that chooses state $choice of 4 is refused" \
		"$wakelat" replay --tree tree trace.dat
done
governor menu '*(volatile int *)0'
refused 'the governor of the tree crashed' "a crash of the governor is not blamed on the recording" "$wakelat" replay --tree tree trace.dat
governor menu 1
cat >>"$governors/menu.c" <<-END
	#include <stdio.h>
	#include <stdlib.h>
	#include <unistd.h>
	__attribute__((constructor)) static void attack(void)
	{
		if (fopen("$PWD/written", "w") || fopen("$PWD/trace.dat", "r") || !system("touch $PWD/executed") || !execl("/bin/true", "true", NULL))
			abort();
	}
END
if python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)'; then
	run "$wakelat" replay --tree tree trace.dat
	like "$status:$out" '^[03]:menu: ' "a governor cannot open files of others or run programs, and headers without a directory are the compiler's"
else
	skip "this kernel has no Landlock" 1
fi
is "$(cat written executed 2>/dev/null; [ -e written ] || [ -e executed ] || echo none)" none "a governor writes nothing"
printf '#include "/dev/zero"\n' >"$governors/endless.c"
refused 'endless.c does not compile' "a file without an end is refused" "$wakelat" replay --tree tree --if endless trace.dat
governor menu 1
chmod 777 "$governors"
refused 'not trusted: .*wakelat runs its code' "a tree that others can change is refused" "$wakelat" replay --tree tree trace.dat
chmod 755 "$governors"
printf 'cpu_idle 0 1000 state=1\ncpu_idle 0 2000 state=0xffffffff\n' | trace poor.dat -S
cp cpuidle.txt poor.txt
refused 'no event [a-z]+:[a-z_]+: record as wakelat replay --how says' "a recording without the timers' events is refused" \
	"$wakelat" replay --tree tree --cpuidle poor.txt poor.dat
head -c 20000 trace.dat >cut.dat
refused 'damaged' "a truncated recording is refused" "$wakelat" replay --tree tree --cpuidle poor.txt cut.dat
mkdir alone && cp trace.dat alone/
refused 'the states of .* are not known' "a recording without states is refused" "$wakelat" replay --tree tree alone/trace.dat
like "$("$wakelat" replay --how)" 'trace-cmd record' "the commands that record what is needed are printed"
is "$("$wakelat" replay --how | grep '^        ' | grep -o -e ' -[el] [a-z0-9_:]*' | cut -c5- | sort)" "$(awk 'NR > 1 { print $2 }' "$top/scripts/lib/record/governor-events.tsv" | sort)" \
	"the commands name each event and function that record --governor-events records"

# A damaged recording, whose group of CPUs (timer_migration) is its own parent.
trace-cmd convert --compression none -i "$fixtures/mutual.dat" -o plain.dat >convert.log 2>&1 || bail "trace-cmd convert: $(tail -n 3 convert.log)"
group=$(trace-cmd report plain.dat 2>/dev/null | sed -n 's/.*tmigr_group_set_cpu_inactive: *group=0x\([0-9a-f]*\) .*/\1/p' | head -n 1)
perl -e 'local $/; $_ = <STDIN>; $group = pack("Q<", hex(shift)); s/\Q$group\E\0{8}/$group$group/g; print' "$group" <plain.dat >loop.dat
is "$(cmp -s plain.dat loop.dat; echo $?)" 1 "the fixture has a group of CPUs"
governor menu 1
run "$wakelat" replay --tree tree --cpuidle "$fixtures/mutual.txt" loop.dat
like "$status:$out" '^[03]:menu' "a group of CPUs that is its own parent does not hold up the replay"

# A recording of wakelat record has its states in run.tsv.
mkdir samples && cp trace.dat samples/
{ printf 'key\tvalue\ngovernor\tmenu\ngovernor_events\tyes\nrun.1.state\tPOLL,C1,C1E,C6\n'
	awk -f "$top/scripts/lib/analysis/cpuidle-text.awk" cpuidle.txt 2>/dev/null | grep ^state; } >samples/run.tsv
governor menu 1
run "$wakelat" replay --tree tree samples
like "$status:$out" '^[03]:menu' "a recording of record --governor-events is replayed"
sed -i 's/^run.1.state.*/run.1.state	C1,C6/' samples/run.tsv
refused 'run.1.state is C1,C6, but replay needs all states' "a recording of some states only is refused" "$wakelat" replay --tree tree samples
sed -i '/^governor_events/d' samples/run.tsv
refused 'recorded without --governor-events' "a recording without the governor's events is refused" "$wakelat" replay --tree tree samples
done_testing
