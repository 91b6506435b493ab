# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# counts.sh - make recordings with all kinds of data that counts can hold, for the tests of counts and merge. Needs analysis.sh.

: "${top:?}"

# many N SEED STATES: print mktrace's script for N samples with counters, two CPUs, taints and unknown properties. Some samples did
# not reach their state.
many() {
	awk -v n="$1" -v seed="$2" -v states="$3" '
		function rnd() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
		BEGIN {
			count = split(states, list, " ")
			for (i = 1; i <= n; i++) {
				s = list[i % count + 1]
				wake = int(1000 + s * 40000 + 300 * rnd() + (rnd() < 0.02 ? 9000 * rnd() : 0)) - (rnd() < 0.001 ? 1200 : 0)
				taint = rnd() < 0.03 ? 16 : rnd() < 0.01 ? 16 + 8 + 2 ^ 23 : 0
				sample = sprintf("entered=%s ldist=100000 tbi=5 uncertainty=%d silent_time=%d wake_latency=%s intr_latency=%d", s == 1 ? "absent" : s,
					20 + int(5 * rnd()), 90000 + i, s == 1 ? "absent" : wake, wake + 150)
				cc6 = s == 3 ? int(2 * rnd()) * 1000 : 0
				aperf = 1000 + int(90 * rnd())
				mperf = rnd() < 0.1 ? "absent" : 2000 + int(90 * rnd())
				cpu = 2 + i % 2
				print "wakelat_counters", cpu, 1000 * i, "run=1 seq=" i, "cc1_cyc=absent cc6_cyc=" cc6, "aperf_cyc=" aperf, "mperf_cyc=" mperf
				print "sample", cpu, 1000 * i, "run=1 seq=" i, "state=" s, "event=1", sample, "taint=" taint, "unknown=" (i % 3 ? 128 : 160)
				samples[cpu]++
			}
			for (cpu in samples)
				print "end", cpu, 1000 * n + 1, "run=1 cpu=" cpu, "armed=" samples[cpu], "samples=" samples[cpu]
		}'
}

# recording DIR N SEED STATES [KEY VALUE]...: make a recording of such samples, as dump writes it from a trace of the series; KEY
# VALUE as for run_tsv
recording() {
	mkdir -p "$1"
	many "$2" "$3" "$4" | trace "$1/many.dat" -K -T
	recording_dir=$1
	recording_n=$2
	shift 4
	run_tsv "$recording_dir/run.tsv" cpu_stepping 06-55-04 microcode 0x1 state.0.desc 'CPUIDLE CORE POLL IDLE' state.1.desc 'MWAIT 0x00' \
		state.2.desc 'MWAIT 0x01' state.3.desc 'MWAIT 0x20' tsc_khz 2000000 run.1.cpu2.armed "$recording_n" "$@"
	sed -i 's/^cpus	0$/cpus	2-3/' "$recording_dir/run.tsv"
	"$top/tools/bin/dump" -r "$recording_dir/run.tsv" "$recording_dir/many.dat" "$recording_dir/samples.tsv" || bail "dump"
	rm "$recording_dir/many.dat"
}

# sealed FILE: write the block on stdin to FILE, with a correct checksum.
sealed() {
	cat >block && { printf 'wakelat-counts\t1\n' && cat block && printf 'end\t%s\n' "$(cksum <block | tr ' ' '\t')"; } >"$1"
}
