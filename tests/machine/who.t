#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat who on this machine: wake-ups on busy CPUs and of threads that are moved are counted separately. Counts and waits agree
# with an independent count by bpftrace at the same time. The cost is noted. In testbed/who.t the true latencies are known.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
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
gcc -O2 -Wall -Wextra -o waits "$top/tests/fixtures/waits.c" || bail "no compiler"

# count DIR [OPTION...]: start wakelat who in the background with output DIR, and set $who to its process
count() {
	count_of=$1
	shift
	"$wakelat" who -q --no-live -T 60s -o "$count_of" "$@" 2>said &
	who=$!
	# Wait until its seven BPF programs are attached.
	until for pid in $(pidof who); do ls -l "/proc/$pid/fd"; done 2>/dev/null | awk '/bpf_link|bpf-raw/ { n++ } END { exit n < 7 }'; do
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
		bpftrace "$top/tests/fixtures/waits.bt" >counted 2>bpftrace.err &
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
done_testing
