#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat who without a kernel. Its BPF program is compiled as C and runs in a simulated guest, in which the parts of each wait
# are known: the test sets the clock, the CPUs and the host's run queue. Options, table, limits and answer are tested with
# made-up counts.
# needs: nothing
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
extra=$top/extras/who
wakelat=$top/scripts/wakelat
lib=$top/scripts/lib
cd "$tmp" || exit 1

gcc -O1 -g -std=gnu11 -Wall -Wno-attributes -Wno-unused-function -Wno-address -I"$extra/tests/fixtures/bpf-stand-in" -I"$extra" -I"$top/tools/probe" \
	-I"$top/tools/lib" -D_GNU_SOURCE -o replay "$extra/tests/fixtures/who-replay.c" "$extra/who-room.c" "$top/tools/probe/measuring.c" \
	"$top/tools/lib/message.c" "$top/tools/lib/plain.c" || bail "no compiler"
run ./replay
is "$status" 0 "simulated guest: wake-ups are counted once, for busy, moved or sleeping CPUs, exact to the ns"
is "$(printf '%s\n' "$out" | awk '$2 == "steal" && $1 == "first" { print $4, $6 }')" "0 0" "steal time before the first idle period is not taken for a wait"
note "$(printf '%s\n' "$out" | grep -E 'steal|clipped' | paste -sd , -)"
is "$(printf '%s\n' "$out" | awk '$2 == "steal" && $1 == "late" { print $4 - $6 }')" 0 "steal time after the event is the host's run queue, to the ns"
printf '%s\n' "$out" >replayed
ok "steal time before the event is within the stated error" awk '$1 == "early" && $2 == "steal" { good = $6 > $4 && $6 < 1.1 * $4 } END { exit !good }' replayed

# --- options

refused "'user' is none of program, thread, cgroup" "--by: an unknown kind of group is refused" "$wakelat" who --by user
refused "'12,,3' is not a list" "--pid: a text that is not a list is refused" "$wakelat" who --pid 12,,3
refused "'20' is not a time in whole us" "--limit: a time without a unit is refused" "$wakelat" who --limit 20
refused -- "--verify needs a --limit" "--verify without a limit is refused" "$wakelat" who --verify
refused "is a directory; name a file" "--export: a directory is refused" "$wakelat" who --export .
refused "it writes metrics only" "--export with --limit is refused" "$wakelat" who --export f.prom --limit 20us
refused "standard error is not a terminal" "--live without a terminal is refused" "$wakelat" who --live

# --- table

printf '%s\t%s\n' key value by program cpus 0-3 steal yes elapsed_ns 10000000000 state.0.name POLL state.0.latency_ns 0 state.0.disabled 0 \
	state.1.name C1 state.1.latency_ns 2000 state.1.disabled 0 state.2.name C6 state.2.latency_ns 133000 state.2.disabled 0 >run.tsv
header='group	id	where	n	timers	wait	to_run	wait_p50	wait_p99	wait_max	wait_sd	steal	steal_clipped'
# postgres: 1,000 from C6 at 180 us, 100 from C1 at 5 us, 500 on busy CPUs; nginx: 100 from C6 only.
cat >who.tsv <<END
$header
nginx	-	C6	100	0	15000000	15500000	150000	-	151000	500	3000000	0
postgres	-	C1	100	0	500000	600000	5000	-	6000	100	0	0
postgres	-	C6	1000	10	180000000	181000000	180000	181000	190000	1000	90000000	2
postgres	-	busy	500	0	20000000	20000000	40000	-	60000	1000	-	-
END
printf 'group\tid\tthread\tcomm\tcpu\tstate\tevent\tasleep\twait\tto_run\tsteal\tcause\n%s\n' \
	'postgres	-	77	postgres	2	C6	1000000	500000	190000	191000	70000	thread 12 (client) on CPU 1' >worst.tsv
# limits [US]: print limits.tsv for this limit, or for all
limits() {
	awk -F '\t' -v limit="${1-}" -f "$extra/who-limits.awk" run.tsv who.tsv
}
limits >limits.tsv
# With a limit of 2 us, 1,000 waits of 180 us become waits of 5 us. nginx has no wake-ups from C1, all groups together
# have 100.
is "$(awk -F '\t' '$1 == "postgres" && $3 == 2 { print $4, $5, $8 }' limits.tsv)" "1000 175000000 own" "a limit saves the difference to the deepest allowed state"
is "$(awk -F '\t' '$1 == "nginx" && $3 == 2 { print $4, $5, $8 }' limits.tsv)" "100 14500000 all" "a group without wake-ups from that state gets the mean of all groups"
# postgres waited 180.5 ms, 47.3 ms more than the advertised latencies, 43 us per wait. This excess is expected to remain.
is "$(awk -F '\t' '$1 == "postgres" && $3 == 0 { print $4, $5, $8 }' limits.tsv)" "1100 133200000 advertised" \
	"for a state without wake-ups, the wait is its advertised latency plus the mean excess"
ok "the interval holds the estimate" awk -F '\t' 'NR > 1 && !($6 <= $5 && $5 <= $7) { exit 1 }' limits.tsv
is "$(limits 5 | cut -f 3 | sed 1d | sort -u)" 5 "--limit: only this limit is printed"
is "$(limits 133 | wc -l)" 1 "a limit that forbids nothing has no row"
# A second group waits 405 us in C1, so the wait of a third one there can be anything: the mean of both is 205 us.
cp who.tsv who.kept
sed -i '3i rcu_preempt	-	C1	100	0	40500000	40600000	405000	-	406000	100	0	0' who.tsv
is "$(limits 2 | awk -F '\t' '$1 == "nginx" { print $5, ($6 < -30e6), $7, $8 }')" "-5500000 1 15000000 all" \
	"the interval of a group without wake-ups from that state includes how much the other groups differ"
sed -i '/^rcu_preempt/s/40500000/510000/' who.tsv
is "$(limits 2 | awk -F '\t' '$1 == "nginx" { print $5, ($6 > 11e6), $7, $8 }')" "14495000 1 15000000 all" "groups that agree give a narrow interval"
mv who.kept who.tsv
# A small target has only busybox.
if command -v busybox >/dev/null; then
	busybox awk -F '\t' -v limit= -f "$extra/who-limits.awk" run.tsv who.tsv >limits.busybox
	same limits.busybox limits.tsv "busybox computes the same limits"
else
	skip 1 "no busybox"
fi

# table [FILE...]: print the table
table() {
	awk -F '\t' -v note=" (emulated)" -f "$lib/common/us.awk" -f "$extra/who-table.awk" run.tsv who.tsv worst.tsv limits.tsv "$@"
}
run table
is "$err" "" "the table is printed without an error"
like "$out" 'Waits for sleeping CPUs by program \(emulated\), 10\.0 s, CPU 0-3' "the title has the kind of group, emulated, the duration and the CPUs"
like "$out" 'postgres waits 1\.8[01]* % of the time for CPUs that sleep, 99\.7 % of that in C6; a limit of 2 us would save 1\.[78]' "the answer names the program, the share of time, the state and what a limit saves"
is "$(printf '%s\n' "$out" | sed -n '/the longest wait, us:/,+3p')" '  the longest wait, us:
         0.000  thread 12 (client) on CPU 1; CPU 2 had slept in C6 for 500.000 us
       190.000  CPU 2 is awake (steal time: 70.000 us)
       191.000  postgres (thread 77) runs' "the longest wait is a time line with its cause, its state and its parts"
like "$out" "^47\.6 % of the waiting time is the host's run queue" "in a guest, the table has the host's share of all waits"
printf '%s\n' "$out" >printed
# The lower limit saves 3 % more. The answer names the higher one, which forbids fewer states.
cp limits.tsv limits.kept
awk -F '\t' -v OFS='\t' '$1 == "postgres" && $3 == 0 { $5 = 180000000 } { print }' limits.kept >limits.tsv
run table
like "$out" '; a limit of 2 us would save 1\.75' "the answer names the highest limit that saves within 5 % of the best"
# An interval with 0 in it is no saving, whatever its middle.
awk -F '\t' -v OFS='\t' '$1 == "postgres" { $6 = -411000000; $7 = 454000000 } { print }' limits.kept >limits.tsv
run table
like "$out" 'in C6\. No limit is certain to save time: the best one, [02] us, saves -4\.11 to 4\.54 %\.' "a limit whose interval contains 0 is not said to save time"
unlike "$(printf '%s\n' "$out" | grep ^postgres)" 'would save' "a limit whose interval contains 0 has no estimate in the answer"
awk -F '\t' -v OFS='\t' '$1 == "postgres" && $3 == 0 { $5 = 400000000; $6 = -1 } { print }' limits.kept >limits.tsv
run table
like "$out" '; a limit of 2 us would save 1\.75' "a limit that is shown to save time comes before one that may save more"
mv limits.kept limits.tsv
# Beside a busy CPU, no wake-up finds a sleeping one.
cp who.tsv who.kept
printf '%s\n%s\n%s\n%s\n' "$header" 'make	-	awake	10	0	1000	1000	100	-	200	10	-	-' 'make	-	moved	5	0	1000	1000	100	-	200	10	-	-' \
	'cc1	-	busy	4000	0	20000000	20000000	40000	-	60000	1000	-	-' >who.tsv
run table
like "$out" 'No program waited for a sleeping CPU\. Of 4015 wake-ups, 4000 found a busy CPU and 10 an awake one; 5 threads were moved\.' \
	"on a busy machine, the answer says where the wake-ups landed"
is "$(printf '%s\n' "$out" | awk '/^(cc1|make) / { printf "%s %s ", $1, $2 }')" "cc1 4000 make 15 " "on a busy machine, the table has the programs that waited most"
unlike "$out" 'waits 0 % of the time' "on a busy machine, no program is said to wait for sleeping CPUs"
printf '%s\n' "$header" >who.tsv
run table
like "$out" '^No thread was woken\.' "without wake-ups, the table says so"
mv who.kept who.tsv
ok "the group that waits most comes first" awk '/^postgres / && !p { p = NR } /^nginx / && !n { n = NR } END { exit !(p && n && p < n) }' printed
printf '%s\n' 'limited.elapsed_ns	10000000000' >>run.tsv
printf '%s\n%s\n' "$header" 'postgres	-	C1	1100	0	5500000	5600000	5000	-	6000	100	0	0' >limited.tsv
limits 2 >limits.tsv
run table limited.tsv
like "$out" 'With a limit of 2 us in force, postgres waited 0\.055 % of the time; expected: 0\.055 % \(' "--verify: the wait with the limit is printed beside the expected wait"
sed -i 's/^steal.*/steal	no/; /latency_ns/s/	.*/	-/' run.tsv
limits >limits.tsv
run table
is "$(wc -l <limits.tsv)" 1 "without advertised latencies there is no limit"
like "$out" 'No limit has an effect here: the kernel applies it only with a cpuidle driver' "without advertised latencies the table says that no limit has an effect"
unlike "$out" "host's run queue" "the table has no host's share if steal time is not reported"

# as_printed JSON: print the whole result, as JSON if JSON is yes
as_printed() {
	quiet=no me=who extra=$extra here=$top/scripts output='' cpu_sysfs='' guest_note='' emulated='' states_difference='' cost='' every='' sh -c 'machine_words() { echo emulated; }
		. "$here/lib/common/message.sh"; . "$here/lib/common/json.sh"; . "$extra/who-run.sh"; json=$1 output=.; who_print' sh "$1"
}
printf 'emulated	yes\nsource	who\n' >>run.tsv
nothing='real CPUs (this one is emulated); other programs and other load; other CPUs and packages (measured: CPU 0-3)'
is "$(as_printed no | sed -n '/^Not measured/,/[.]$/p' | paste -sd ' ' -)" "Not measured: $nothing." "the line 'Not measured' is below the answer"
is "$(as_printed yes | sed -n 's/^  "means_nothing": //p')" "\"$nothing\"," "--json has the same text as means_nothing"

# --- host and guest together, from the text that trace-cmd prints for two files. It is synthetic, as no host can be recorded.

# made N: print N wake-ups of vcpu 1 (thread 501), and write their parts to the file expected. Host CPU 3 sleeps before
# every second wake-up.
made() {
	awk -v n="$1" '
		function at(ns) { return sprintf("%d.%09d", 7 + int(ns / 1e9), ns % 1e9) }
		function host(cpu, task, ns, text) { printf " host.dat: %16s [%03d] %s: %s\n", task, cpu, at(ns), text }
		BEGIN {
			print " host.dat: cpus=4\nguest.dat: cpus=2"
			t = 5000000
			host(3, "CPU 1/KVM-501", t - 1000, "kvm_entry:            vcpu 1, rip 0xffffffff81000000 intr_info 0x00000000 error_code 0x00000000")
			for (i = 1; i <= n; i++) {
				exit_ns = i % 2 ? 90000 + i : 0
				queue = i == 7 ? 400000 : 2000 + 3 * i
				entry = 5000 + i
				guest = 1500
				host(3, "CPU 1/KVM-501", t, "kvm_exit:             vcpu 1 reason HLT rip 0xffffffff81000000 info1 0x0 info2 0x0")
				if (i % 2) {
					host(3, "CPU 1/KVM-501", t + 5000, "sched_switch:         CPU 1/KVM:501 [120] S ==> swapper/3:0 [120]")
					host(3, "<idle>-0", t + 6000, "cpu_idle:             state=3 cpu_id=3")
				} else
					host(3, "CPU 1/KVM-501", t + 5000, "sched_switch:         prev_comm=CPU 1/KVM prev_pid=501 prev_prio=120 prev_state=S ==> next_comm=other next_pid=77 next_prio=120")
				t += 600000
				host(2, "vhost-400", t, "sched_waking:         comm=CPU 1/KVM pid=501 prio=120 target_cpu=003")
				if (i % 2)
					host(3, "<idle>-0", t + exit_ns, "cpu_idle:             state=4294967295 cpu_id=3")
				host(3, i % 2 ? "<idle>-0" : "other-77", t + exit_ns + queue, i % 2 ? "sched_switch:         swapper/3:0 [120] R ==> CPU 1/KVM:501 [120]" : \
					"sched_switch:         prev_comm=other prev_pid=77 prev_prio=120 prev_state=R ==> next_comm=CPU 1/KVM next_pid=501 next_prio=120")
				host(3, "CPU 1/KVM-501", t + exit_ns + queue + 2000, "kvm_vcpu_wakeup:      wait time 595000 ns, polling invalid")
				host(3, "CPU 1/KVM-501", t + exit_ns + queue + entry, "kvm_entry:            vcpu 1, rip 0xffffffff81000000 intr_info 0x800000ec error_code 0x00000000")
				printf "guest.dat: %16s [001] %s: cpu_idle:             state=4294967295 cpu_id=1\n", "<idle>-0", at(t + exit_ns + queue + entry + guest)
				printf "1\t%.0f\t%d\t%d\t%d\t%d\t%d\n", 7e9 + t, exit_ns, queue, entry, guest, exit_ns + queue + entry + guest >"expected"
				t += 2000000
			}
		}'
}
made 400 >joined.txt
run "$wakelat" who --joined joined.txt -o joined
is "$status" 0 "--joined reads a text of host and guest (synthetic)"
sed 1d joined/joined.tsv >got
same got expected "each wake-up's parts are exact: idle exit, run queue, entry, guest"
if command -v busybox >/dev/null; then
	busybox awk -v rows=joined.busybox -f "$lib/common/us.awk" -f "$extra/who-joined.awk" joined.txt >/dev/null
	same joined.busybox joined/joined.tsv "busybox computes the same parts"
else
	skip 1 "no busybox"
fi
like "$out" "host CPU's idle exit +[0-9.]+ +90\.39[0-9] +90\.399 " "the table has the host CPU's idle exit"
like "$out" '0\.000  the host wakes vcpu 1 \(host CPU 2, thread 400\)' "the time line of the longest wake-up begins with the host's event"
like "$out" '496\.514  the guest.s CPU 1 is awake' "the time line of the longest wake-up ends when the guest's CPU is awake"
grep -v guest.dat joined.txt >host.txt
refused 'no complete wake-up found' "a host's recording alone is refused" "$wakelat" who --joined host.txt -o x
refused 'no kvm event' "a text without kvm events is refused" "$wakelat" who --joined expected -o x
refused 'cannot be read' "a file that is not there is refused" "$wakelat" who --joined nothing -o x
truncate -s 10G endless.txt
refused 'endless.txt:1: a line of more than 65536 bytes' "--joined: 10 GB without a line break are refused" "$wakelat" who --joined endless.txt -o x
refused 'can be combined with --output only' "--joined with a measurement's option is refused" "$wakelat" who --joined joined.txt --cost
is "$(ls -d x 2>/dev/null)" "" "a refused command leaves no directory"
done_testing
