#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat who on this machine: wake-ups on busy CPUs and of threads that are moved are counted separately. Counts and waits agree
# with an independent count by bpftrace at the same time. The cost is noted. In testbed/who.t the true latencies are known.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

[ "$(id -u)" -eq 0 ] || skip_all "not root"
[ -x "$top/tools/bin/who" ] || skip_all "tools/bin/who is not built: scripts/dev/packages probe"
[ -r /sys/kernel/btf/vmlinux ] || skip_all "no BTF"
no_btf() (
	exec unshare -m sh -c 'mount -t tmpfs none /sys/kernel/btf && exec "$0" who -T 1s -o x' "$wakelat"
)
refused 'no BTF.*which the BPF program needs' "a kernel without BTF is refused" no_btf
refused 'does not let BPF trace: is it locked down' "BPF that is forbidden is refused" \
	setpriv --bounding-set=-sys_admin,-bpf,-perfmon --inh-caps=-sys_admin,-bpf,-perfmon "$wakelat" who -T 1s -o x
refused 'there is no process 4194304' "a process that is not there is refused" "$wakelat" who --pid 4194304 -o x
is "$(find . -name x)" "" "a refused who leaves no directory"
"$top/tools/bin/who" -T 1 w.tsv x.tsv f.tsv 2>err ||
	{ note "BPF is not allowed here: $(cat err)"; done_testing; exit; }
gcc -O2 -Wall -Wextra -o waits "$top/extras/who/tests/fixtures/waits.c" || bail "no compiler"

# count DIR [OPTION...]: start wakelat who in the background with output DIR, and set $who to its process
count() {
	count_of=$1
	shift
	"$wakelat" who -q --no-live -T 60s -o "$count_of" "$@" 2>said &
	who=$!
	attached 1
}

# attached NUMBER: wait until the seven BPF programs of each of NUMBER processes are attached
attached() {
	until for pid in $(pidof who); do ls -l "/proc/$pid/fd"; done 2>/dev/null | awk -v nr="$1" '/bpf_link|bpf-raw/ { n++ } END { exit n < 7 * nr }'; do
		sleep 0.2
	done
}

# landed GROUP DIR: print "WHERE N" of each row of the group
landed() {
	awk -F '\t' -v group="$1" 'NR > 1 && $1 == group { print $3, $4 }' "$2/who.tsv"
}

if [ "$(nproc)" -ge 2 ]; then
	count all --cost
	./waits busy 200
	./waits moved 200
	[ -z "$(command -v bpftrace)" ] || {
		bpftrace "$top/extras/who/tests/fixtures/waits.bt" >counted 2>bpftrace.err &
		bpftrace=$!
		until grep -q ready counted 2>/dev/null || ! kill -0 "$bpftrace" 2>/dev/null; do sleep 0.2; done
	}
	./waits pair 2000
	[ -z "${bpftrace-}" ] || { kill -INT "$bpftrace"; wait "$bpftrace"; }
	kill -TERM "$who"
	wait "$who"
	is $? 143 "a signal ends who with status 143"
	is "$(awk '$1 == "lost_overrun" { print $2 }' all/run.tsv)" 0 "no wake-up is lost"
	[ -s all/who.tsv ] || note "who said: $(cat said)"
	like "$(landed waits-busy all)" '^busy (19[5-9]|20[0-2])$' "each wake-up on a busy CPU is counted once, as busy"
	like "$(landed waits-moved all | grep moved)" '^moved (19[5-9]|20[0-2])$' "each wake-up of a thread that moves to another CPU is counted once, as moved"
	note "cost: $(grep -h '^bpf' all/run.tsv | tr '\t\n' '= ')"
else
	skip 3 "one CPU"
fi

# bpftrace prints the time from each wake-up until the process runs. who's histogram of a class other than an idle state
# has the same time. If nearly all wake-ups are of one such class, its median can be compared, too.
if grep -q '^wait' counted 2>/dev/null; then
	awk '$1 == "wait" { print $2 }' counted | sort -n >waits.sorted
	expected=$(awk '{ v[NR] = $1; sum += $1 } END { print NR, sum / NR, v[int((NR + 1) / 2)] }' waits.sorted)
	ours=$(awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == "waits-pair" { n += $at["n"]; run += $at["to_run"]; if ($at["n"] > most) { most = $at["n"]; p50 = $at["wait_p50"]; where = $at["where"] } }
		END { print n, (n ? run / n : 0), (most > 0.95 * n && where ~ /^(awake|busy)$/ ? p50 : "-") }' all/who.tsv)
	note "bpftrace: n, mean and median ns: $expected; who: $ours"
	# A wait that only one of the two counts changes the mean by the longest wait / N at most.
	like "$(printf '%s %s %s\n' "$expected" "$ours" "$(tail -n 1 waits.sorted)" | awk '
		function near(a, b, by) { return a - b < by && b - a < by }
		{
			alone = $1 > $4 ? $1 - $4 : $4 - $1
			print ($1 > 1900 && $4 > 0.99 * $1 && $4 < 1.01 * $1), near($5, $2, 2000 + alone * $7 / $1), ($6 == "-" || near($6, $3, 2000))
		}')" '^1 1 1$' "the number agrees with bpftrace within 1 %, mean and median within 2 us, but for waits that only one counts"
else
	skip 1 "no bpftrace here: $(tail -n 1 bpftrace.err 2>/dev/null)"
fi

# --- hostile names, and more groups than there are rows. Two programs count the same process: one has a row for it, the
# other one for each name of each of its threads.

cc -O2 -Wall -Wextra -Werror -pthread -o names "$top/tests/fixtures/names.c" || bail "names.c does not build"
mkfifo go
./names 6000 3000 <go &
named=$!
exec 9>go
"$wakelat" who --pid "$named" --by program --export program.prom --every 1s 2>program.said &
by_program=$!
"$wakelat" who --pid "$named" --by thread --export thread.prom --every 1s 2>thread.said &
by_thread=$!
attached 2
echo >&9
exec 9>&-
wait "$named"
is $? 0 "a process takes 6,000 names and starts 3,000 threads"
wait "$by_program" && wait "$by_thread"
is $? 0 "both measurements end with the process"
# of FILE METRIC [LABEL]: print the sum of the metric's rows
of() { grep "^wakelat_$2[ {]" "$1" | grep -F -e "${3-}" | awk '{ n += $NF } END { printf "%.0f\n", n }'; }
note "wake-ups by program: $(of program.prom who_wakeups_total); by thread: $(of thread.prom who_wakeups_total), $(of thread.prom groups_dropped_total) groups in (others)"
is "$(of thread.prom who_wakeups_total)" "$(of program.prom who_wakeups_total)" "the rows of all threads have the process's wake-ups"
is "$(of thread.prom lost_total) $(of program.prom lost_total)" "0 0" "no wake-up is lost"
ok "more than 16,500 wake-ups are counted" test "$(of thread.prom who_wakeups_total)" -gt 16500
stays=$(of thread.prom who_wakeups_total 'thread="stays"')
# The 9,000 took all rows within a second. User space makes room every 250 ms, in two steps, so the first 0.5 s may be in (others).
ok "a thread that starts after 9,000 others has its row within 0.5 s ($stays of 1500)" test "$stays" -ge 1250
like "$(cat thread.said)" 'too many threads for a row each: those without recent wake-ups are counted as \(others\)' "a message says that not all have a row"
ok "the file is UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null thread.prom
is "$(sed -n 's/} [^ ]*$/}/p' thread.prom | sort | uniq -d)" "" "no series occurs twice"
if command -v promtool >/dev/null; then
	is "$(promtool check metrics <thread.prom 2>&1)" "" "promtool has no complaint"
else
	skip 1 "no promtool"
fi

# --- cgroups that come and go

cgroups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
if [ -n "$cgroups" ] && mkdir "$cgroups/wakelat-$$" 2>/dev/null; then
	cleanup() { rmdir "$cgroups/wakelat-$$"/* "$cgroups/wakelat-$$" 2>/dev/null; }
	"$wakelat" who --by cgroup --export cgroup.prom --every 1s -T 12s 2>/dev/null &
	who=$!
	sleep 3
	bad=$(printf 'b\001\303"')
	mkdir "$cgroups/wakelat-$$/$bad"
	sh -c 'echo $$ >"$1/cgroup.procs" && while sleep 0.1; do :; done' sh "$cgroups/wakelat-$$/$bad" &
	stays=$!
	for i in 1 2 3 4 5 6 7 8 9 10; do
		mkdir "$cgroups/wakelat-$$/$i"
		sh -c 'echo $$ >"$1/cgroup.procs" && sleep 0.01 && sleep 0.01' sh "$cgroups/wakelat-$$/$i"
		rmdir "$cgroups/wakelat-$$/$i"
	done
	wait "$who"
	kill "$stays"
	wait "$stays" 2>/dev/null
	sleep 0.2
	is "$(sed -n 's/} [^ ]*$/}/p' cgroup.prom | sort | uniq -d)" "" "cgroups that are removed are no equal series"
	ok "the name of a cgroup is plain and quoted" grep -qF "{cgroup=\"/wakelat-$$/b??\\\"\",where=" cgroup.prom
	note "$(grep wakeups_total cgroup.prom | grep -E 'wakelat-|removed' | paste -sd ' ' -)"
	ok "the file is UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null cgroup.prom
else
	skip 3 "no cgroup of version 2 can be made here"
fi
done_testing
