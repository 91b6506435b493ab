#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe on this machine, if the kernel allows BPF to trace: all sources, its cost, Ctrl-C, kill -9, and its messages if
# something is missing. host/probe.t checks its options.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

[ "$(id -u)" -eq 0 ] || skip_all "not root"
[ -x "$top/tools/bin/probe" ] || skip_all "tools/bin/probe is not built: scripts/dev/packages probe"
[ -r /sys/kernel/btf/vmlinux ] || skip_all "no BTF"
no_btf() (
	exec unshare -m sh -c 'mount -t tmpfs none /sys/kernel/btf && exec "$0" probe --source passive' "$wakelat"
)
refused 'no BTF.*trace-cmd' "refuses a kernel without BTF" no_btf
refused 'does not let BPF trace: is it locked down' "refuses to run if BPF is forbidden" \
	setpriv --bounding-set=-sys_admin,-bpf,-perfmon --inh-caps=-sys_admin,-bpf,-perfmon "$wakelat" probe -q -T 1s -o x
is "$(find . -name x)" "" "a refused probe leaves no directory"
refused 'there is no CPU 9999' "refuses a CPU that does not exist" "$wakelat" probe --cpu 9999 -o x

# Everything from here needs BPF to be allowed.
"$top/tools/bin/probe" -c 0 -T 1 s.tsv f.tsv 2>err ||
	{ skip 1 "BPF is not allowed here: $(cat err)"; done_testing; exit; }
gcc -O2 -Wall -shared -fPIC -o without.so "$top/tests/fixtures/without.c" -ldl || bail "no compiler"
without() (
	# LD_PRELOAD may reach all programs, because only one of them uses libbpf.
	WITHOUT=$1 LD_PRELOAD=$tmp/without.so
	export WITHOUT LD_PRELOAD
	exec "$wakelat" probe -q -T 1s -o x
)
refused 'no tracepoint cpu_idle, which wakelat probe needs' "refuses a kernel without an event that is needed" without cpu_idle

snapshot() {
	grep -sH '' /sys/devices/system/cpu/cpu*/cpuidle/state*/disable /proc/sys/kernel/bpf_stats_enabled
	od -An -td4 -N4 /dev/cpu_dma_latency
	ls /run/wakelat 2>&1
	pidof probe
	bpftool prog 2>/dev/null | grep -c raw_tracepoint
}
snapshot >before

busy() (
	taskset -c "$last" sh -c 'while :; do :; done' &
	loop=$!
	trap 'kill $loop' EXIT
	"$wakelat" probe -q -T 8s -o x
)
last=$(sed 's/.*[,-]//' /sys/devices/system/cpu/online)
refused "CPU $last was not idle once in 5 s: what keeps it busy" "gives up on a CPU that is never idle" busy

# Each source is measured for 3 s. On a busy machine there may be few samples, or none.
for source in timer passive wake; do
	[ "$source" != wake ] || [ "$last" != 0 ] || continue
	run "$wakelat" probe -q --source "$source" -T 3s --cost -o "$source"
	case $err in
	*'no sample in'* | *'was not idle once'*)
		skip 1 "$source: too busy a machine: $err"
		continue
		;;
	esac
	is "$status" 0 "$source: probe succeeds"
	is "$(head -n 1 "$source/samples.tsv" | tr '\t' ' ' | cut -d ' ' -f 1-18)" "$samples_header" "$source: the columns of samples.tsv"
	ok "$source: stats reads the recording" "$wakelat" stats "$source"
	like "$out" 'Systematic error, source' "$source: stats names the systematic error"
	[ "$(awk '$1 == "emulated" { print $2 }' "$source/run.tsv")" != hypervisor ] ||
		like "$(printf '%s\n' "$out" | head -n 1)" "guest: contains the hypervisor's latency" "$source: the first line says that the hypervisor is included"
	like "$out" 'Events lost while recording: none' "$source: no event was lost"
	for command in verdict "plot -q -k svg" tail; do
		words "$command $source" run "$wakelat"
		case $command in
		# 0: kept, 4: exceeded, 5: undecided
		verdict) like "$status" "^[045]$" "$source: $command reads the recording" ;;
		*) is "$status" 0 "$source: $command reads the recording" ;;
		esac
	done
	note "$(grep -E '^(bpf|reader|elapsed)' "$source/run.tsv" | tr '\n' ' ')"
done
snapshot >after
same before after "probe restores all settings and leaves no process"

# Send Ctrl-C as a terminal does, to the whole process group. A shell ignores SIGINT in background jobs, so env resets it.
env --default-signal=INT setsid sh -c 'exec "$0" probe --source passive --latency-limit 0us -T 60s -o early' "$wakelat" >early.out 2>early.err &
early=$!
sleep 2
kill -INT "-$early"
wait "$early"
status=$?
if grep -q 'no sample in\|not idle' early.err; then
	skip 1 "too busy a machine for Ctrl-C: $(tail -n 1 early.err)"
else
	is "$status" 130 "Ctrl-C: status 130"
	like "$(cat early.out)" 'Ended early: run 1 stopped' "Ctrl-C: the result until then is shown"
	ok "Ctrl-C: the samples until then are kept" test -s early/samples.tsv
fi
snapshot >after
same before after "Ctrl-C: settings are restored and no process is left"
setsid sh -c 'exec "$0" probe -q --source passive --latency-limit 0us -T 60s -o killed' "$wakelat" >/dev/null 2>&1 &
killed=$!
sleep 2
ok "kill -9: it is measuring by then" pidof probe
kill -KILL "$killed"
wait "$killed" 2>/dev/null
sleep 1
run "$wakelat" restore
snapshot >after
same before after "kill -9: the measurement ends by itself, and restore restores the settings"

# Run the tutorial's commands, without its installation of packages and tools.
. "$top/tests/lib/shown.sh"
text_shown "$top/Documentation/tutorial.md" 2 '#' | only_commands 'wakelat probe ' >commands
is "$(grep -c '^\$ scripts/wakelat probe' commands)" 1 "the tutorial has one command of probe"
sed -n 's/^\$ //p' commands >asked
(in_clone && mkdir out && sh "$tmp/asked") >printed.all 2>&1
if grep -q 'no sample in\|not idle' printed.all; then
	skip 1 "too busy a machine for the tutorial: $(tail -n 1 printed.all)"
else
	# Blank lines after the output belong to the document.
	printf '%s\n' "$(sed '/^\$ /d' commands)" >shown
	sed "s,$tmp/clone,/root/wakelat," printed.all >printed.here
	without_the_same printed.here shown >printed
	is "$(cat printed)" "$(cat shown)" "the tutorial shows the last lines that probe prints"
fi

# Metrics.
run "$wakelat" probe --source passive --export m.prom --every 1s --alarm 1us -T 3s
is "$status" 0 "--export: probe succeeds"
like "$(cat m.prom)" '^# EOF$' "--export: the file is complete"
is "$(ls m.prom*)" m.prom "--export: no temporary file is left"
unlike "$(cat m.prom)" '[^a-z]nan|inf[^o]' "--export: no value is nan or inf"
ok "--export: buckets are cumulative, and the last one has all samples" awk '
	/^wakelat_latency_seconds_bucket/ {
		state = $0
		sub(/,le=.*/, "", state)
		if (state == last && $NF + 0 < count)
			bad = 1
		last = state
		count = $NF + 0
	}
	/^wakelat_latency_seconds_count/ && $NF != count { bad = 1 }
	END { exit bad }' m.prom
done_testing
