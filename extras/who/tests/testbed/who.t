#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat who on Debian's own kernel in the virtual Xeon (testbed/run), with three models: each wake-up of a sleeping thread is counted
# once, in the right state, with the latency and the share of time of the truth log.
# needs: tools qemu image
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/instructions.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image
[ -x "$top/tools/bin/who" ] || skip_all "tools/bin/who is not built: scripts/dev/packages probe"
build_sleeper || bail "no compiler"

# truth_of DIR STATE BIAS: print "N WAIT". N is how many of the thread's 600 timers expired while the CPU slept, WAIT is the mean
# time from there to the first instruction. For who, the state ends BIAS ns later, at event cpu_idle. The timers are 3.2 ms apart,
# and each expires 50 us (its slack) after its time. Its interrupt comes within 1 us of that, or another one has come before.
truth_of() {
	awk -F '\t' -v bias="$3" '
		FNR == 1 { file++ }
		file == 1 { cyc[FNR] = $1; mono[FNR] = $2; rate = FNR == 2 ? (cyc[2] - cyc[1]) / (mono[2] - mono[1]) : 0; next }
		file == 2 { next_one = $1 + 50000; last = next_one + 599 * 3200000; next }
		FNR == 1 { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			enter = mono[1] + ($at["enter_cyc"] - cyc[1]) / rate
			wake = mono[1] + ($at["wake_cyc"] - cyc[1]) / rate
			end = mono[1] + ($at["run_cyc"] - cyc[1]) / rate
			while (next_one <= enter && next_one <= last)
				next_one += 3200000
			# If an interrupt comes later, it is not of this timer: another one ran the timer early, within its slack.
			for (; next_one < end + bias && next_one <= last; next_one += 3200000)
				if (wake < next_one + 1000) {
					n++
					sum += end - next_one
				}
		}
		END { printf "%d %.1f\n", n, n ? sum / n : 0 }' "$1/$2.clock" "$1/$2.first" "$1/truth.tsv"
}

# counted DIR STATE: print "N ELSEWHERE WAIT SHARE" as who counted them: the thread's wake-ups in STATE and in other states, its
# mean wait, and its total wait in ppm of the time.
counted() {
	awk -F '\t' -v thread="sleeps-$2" -v state="$2" '
		FNR == NR { if ($1 == "elapsed_ns") elapsed = $2; next }
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["group"] != thread { next }
		$at["where"] == state { n = $at["n"]; wait = $at["wait"]; next }
		{ other += $at["n"] }
		END { printf "%d %d %.1f %.1f\n", n, other, n ? wait / n : 0, wait / elapsed * 1e6 }' "$1/$2/run.tsv" "$1/$2/who.tsv"
}

# judge DIR STATE BIAS: compare who with the truth log. The wait is BIAS ns too long, as run.tsv says. Beyond this it may
# differ by 2 %.
judge() {
	judge_name="$(basename "$1"), $2"
	truth=$(truth_of "$1" "$2" "$3")
	counted=$(counted "$1" "$2")
	note "emulated, $judge_name: truth (n, ns) $truth; counted (n, elsewhere, ns, ppm of the time) $counted"
	read -r truth_n truth_wait <<END
$truth
END
	read -r n other wait share <<END
$counted
END
	is "$((n + other))" 600 "$judge_name: each of 600 wake-ups is counted once"
	# In C6 the CPU is still waking up when the thread's own timer expires.
	[ "$2" = C6 ] || ok "$judge_name: a timer that another interrupt runs early is not a wake-up of a sleeping CPU ($other)" \
		test "$other" -ge 10
	# If an event arrives in the first us of an idle period, who does not count the CPU as asleep.
	ok "$judge_name: wake-ups of a sleeping CPU are those of the log ($n, $truth_n), or up to 3 fewer" \
		test "$truth_n" -gt 500 -a "$n" -le "$truth_n" -a "$n" -ge $((truth_n - 3))
	ok "$judge_name: the mean latency is that of the log within 2 %" awk -v wait="$wait" -v true="$truth_wait" -v bias="$3" \
		'BEGIN { exit !(wait - bias > 0.98 * true && wait - bias < 1.02 * true) }'
	ok "$judge_name: the share of time is that of the log within 2 %" \
		awk -v share="$share" -v n="$truth_n" -v bias="$3" -v true="$truth_wait" \
		-v elapsed="$(sed -n 's/^elapsed_ns.//p' "$1/$2/run.tsv")" \
		'BEGIN { true = n * (true + bias) / elapsed * 1e6; exit !(share > 0.98 * true && share < 1.02 * true) }'
}

# One model is enough for checks that do not depend on the states.
: >"$tmp/more"
for model in skylake-sp skylake-sp-jitter epyc; do
	more=
	checks=1
	[ "$model" != skylake-sp ] || more="--add $tmp/more=/more" checks=5
	words "$(guest_tools who) $more" guest_job "$tmp/$model" "$top/extras/who/tests/guest/who.job" --model "$model" --kernel "$kernel" \
		--memory 1024 --add "$tmp/clocks=/clocks" --add "$tmp/sleeper=/sleeper"
	is "$status" 0 "$model: the job ran" || bail "$(tail -n 3 "$tmp/$model.partial/console.log" 2>/dev/null)"
	replay_checks "$tmp/$model" "$checks"
done
# With interrupts on, the wait includes the time from the handler's entry to its first event: see how-it-works.md.
for model in skylake-sp skylake-sp-jitter; do
	judge "$tmp/$model" C1 664
	judge "$tmp/$model" C1E 225
	judge "$tmp/$model" C6 225
done
judge "$tmp/epyc" C2 225
for state in C1 C1E C6; do
	cost=$(awk '$1 == "bpf_ns_per_period" { print $2 }' "$tmp/skylake-sp/$state/run.tsv")
	ok "$state: at most 1000 instructions of BPF per idle period ($cost)" test "$cost" -le 1000
done

# --- the printed text, and a limit's prediction compared with its effect
dir=$tmp/skylake-sp
like "$(cat "$dir/limit.table")" 'limited waits 3\.[0-9]* % of the time for CPUs that sleep, 9[0-9.]* % of that in C6; a limit of 2 us would save 3\.' \
	"the answer is a sentence with share, state and limit"
like "$(cat "$dir/limit.table")" '^ +133\.[0-9]*  CPU 0 is awake' \
	"the longest wait is printed with its chain of events"
ok "waits with the limit are within the predicted interval" awk -F '\t' '
	FILENAME ~ /run.tsv$/ { fact[$1] = $2; next }
	FNR == 1 { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 != "limited" { next }
	FILENAME ~ /limits.tsv$/ { low = $at["saved_low"]; high = $at["saved_high"]; next }
	FILENAME ~ /who.tsv$/ && $at["where"] ~ /^C/ { before += $at["wait"]; next }
	FILENAME ~ /who-limited.tsv$/ && $at["where"] ~ /^C/ { after += $at["wait"] }
	END { exit !(before && after <= before - low && after >= before - high) }' \
	"$dir/limit/run.tsv" "$dir/limit/who.tsv" "$dir/limit/limits.tsv" "$dir/limit/who-limited.tsv"
like "$(cat "$dir/pid.said")" 'process [0-9]* ended after [0-9.]* s; its wake-ups are counted' \
	"--pid: a message says that the process has ended"
like "$(cat "$dir/pid.said")" 'there is no process 99999' "--pid: a message names a process that does not exist"
is "$(awk 'NR > 1 { print $1 }' "$dir/pid/who.tsv" | sort -u)" limited "--pid: only this process is counted"
ok "--by thread: the rows have the threads' ids" awk -F '\t' 'NR > 1 && $2 !~ /^[1-9][0-9]*$/ { bad = 1 } END { exit bad || NR < 2 }' "$dir/thread/who.tsv"
like "$(cat "$dir/who.prom")" 'wakelat_who_wait_seconds_total\{program="[^"]*",where="C6"\} 0\.' "--export: metrics by program and state"
like "$(cat "$dir/who.prom")" '^# EOF$' "--export: the file is complete"
like "$(cat "$dir/cgroup.said")" 'no cgroup hierarchy of version 2 is mounted: counting by program instead' \
	"--by cgroup without cgroup v2: a message, then by program"

# A real service, as in Documentation/tutorial.md: requests over loopback from the other CPU wake Debian's nginx.
if [ -x /usr/sbin/nginx ]; then
	words "$(guest_tools who) $(guest_program /usr/sbin/nginx)" guest_job "$tmp/service" "$top/extras/who/tests/guest/who-service.job" --cpus 2 \
		--kernel "$kernel" --memory 1024 --add "$tmp/clocks=/clocks"
	is "$status" 0 "requests to nginx in the guest succeed" || bail "$(tail -n 3 "$tmp/service.partial/console.log" 2>/dev/null)"
	# waits FILE: print how many ns nginx waited in idle states.
	waits() {
		awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "nginx" && $at["where"] ~ /^C/ { n += $at["wait"] } END { printf "%.0f\n", n }' "$tmp/service/who/$1"
	}
	# c1_waits: print the mean wait in C1 of all programs, in us; - if fewer than 30 are known, so that none of them counts.
	c1_waits() {
		awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["where"] == "C1" { n += $at["n"]; sum += $at["wait"] }
			END { if (n < 30) print "-"; else printf "%.0f\n", sum / n / 1000 }' "$tmp/service/who/who.tsv"
	}
	# A limit is expected to save time, unless the few waits in C1, from which that is predicted, are longer than those in C6: in some runs
	# they last until the other virtual CPU has had its turn.
	promise='; a limit of 2 us would save'
	if [ "$(c1_waits)" != - ] && [ "$(c1_waits)" -ge 100 ]; then
		note "emulated: waits in C1 take $(c1_waits) us in this run, as long as a turn of a virtual CPU"
		promise='[.] No limit is certain to save time'
	fi
	like "$(cat "$tmp/service/said")" "nginx waits [0-9.]* % of the time for CPUs that sleep, ([5-9][0-9.]*|100) % of that in C6$promise" \
		"who says that nginx waits for C6, and what a limit would save"
	note "emulated: nginx waits $(waits who.tsv) ns, with a limit $(waits who-limited.tsv) ns"
	ok "with a limit, nginx waits less than half as long" test "$(waits who-limited.tsv)" -lt "$(($(waits who.tsv) / 2))"
else
	skip 3 "no nginx"
fi
done_testing
