# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# counts.sh - make recordings with all kinds of data that counts can hold, for the tests of counts and merge. Needs analysis.sh.

# many N SEED STATES: print a samples.tsv of N samples with counters, two CPUs and taints. Some samples did not reach their
# state.
many() {
	awk -v n="$1" -v seed="$2" -v states="$3" '
		function rnd() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
		BEGIN {
			OFS = "\t"
			split(states, list, " ")
			count = split(states, list, " ")
			print "run", "cpu", "source", "state", "seq", "ldist", "ltime", "tbi", "tai", "tintr", "silent_time", "wake_latency",
				"intr_latency", "irqs_on", "taint", "tbi_cyc", "tai_cyc", "tintr_cyc", "uncertainty", "cc6_cyc", "aperf_cyc", "mperf_cyc"
			for (i = 1; i <= n; i++) {
				s = list[i % count + 1]
				wake = int(1000 + s * 40000 + 300 * rnd() + (rnd() < 0.02 ? 9000 * rnd() : 0)) - (rnd() < 0.001 ? 1200 : 0)
				taint = rnd() < 0.03 ? "smi" : rnd() < 0.01 ? "smi,nmi,0x800000" : "-"
				print 1, 2 + i % 2, "hrtimer", s, i, 100000, 1000 * i, 5, (s == 1 ? "-" : 6), 7, 90000 + i, (s == 1 ? "-" : wake),
					wake + 150, (s == 1 ? 1 : 0), taint, 1, (s == 1 ? "-" : 2), 3, 20 + int(5 * rnd()),
					(s == 3 ? int(2 * rnd()) * 1000 : 0), 1000 + int(90 * rnd()), (rnd() < 0.1 ? "-" : 2000 + int(90 * rnd()))
			}
		}'
}

# recording DIR N SEED STATES [KEY VALUE]...: make a recording of such samples; KEY VALUE as for run_tsv
recording() {
	mkdir -p "$1"
	many "$2" "$3" "$4" >"$1/samples.tsv"
	recording_dir=$1
	recording_n=$2
	shift 4
	run_tsv "$recording_dir/run.tsv" cpu_stepping 06-55-04 microcode 0x1 state.0.desc 'CPUIDLE CORE POLL IDLE' state.1.desc 'MWAIT 0x00' \
		state.2.desc 'MWAIT 0x01' state.3.desc 'MWAIT 0x20' tsc_khz 2000000 run.1.cpu2.armed "$recording_n" "$@"
	sed -i 's/^cpus	0$/cpus	2-3/' "$recording_dir/run.tsv"
}

# sealed FILE: write the block on stdin to FILE, with a correct checksum.
sealed() {
	cat >block && { printf 'wakelat-counts\t1\n' && cat block && printf 'end\t%s\n' "$(cksum <block | tr ' ' '\t')"; } >"$1"
}
