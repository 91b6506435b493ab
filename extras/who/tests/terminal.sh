# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# terminal.sh - the tables of wakelat who, of names that processes have chosen (tests/host/terminal.t).
: "${top:?}" "${evil:?}"

mkdir who
printf '%s\t%s\n' key value source who by program cpus 0-3 steal no elapsed_ns 10000000000 state.0.name POLL state.0.latency_ns 0 state.0.disabled 0 \
	state.1.name "C1$evil" state.1.latency_ns 2000 state.1.disabled 0 >who/run.tsv
printf 'group\tid\twhere\tn\ttimers\twait\tto_run\twait_p50\twait_p99\twait_max\twait_sd\tsteal\tsteal_clipped\n%s\t-\t%s\t100\t0\t500000\t600000\t5000\t-\t6000\t100\t-\t-\n' \
	"$evil" "C1$evil" >who/who.tsv
printf 'group\tid\tthread\tcomm\tcpu\tstate\tevent\tasleep\twait\tto_run\tsteal\tcause\n%s\t-\t77\t%s\t2\tC1\t1000000\t500000\t190000\t191000\t-\tthread 12 (%s) on CPU 1\n' \
	"$evil" "$evil" "$evil" >who/worst.tsv
printf 'group\tid\tlimit_us\tn\tsaved\tsaved_low\tsaved_high\tbasis\n' >who/limits.tsv
cat >who-prints <<'END'
	quiet=no me=who output='' cpu_sysfs='' guest_note='' emulated='' states_difference='' cost='' every=''
	machine_words() { echo emulated; }
	. "$here/lib/common/message.sh"; . "$here/lib/common/json.sh"; . "$extra/who-run.sh"
	json=$1 output=who
	who_print
END
harmless "who's table" env extra="$top/extras/who" here="$top/scripts" sh who-prints no
harmless "who --json" env extra="$top/extras/who" here="$top/scripts" sh who-prints yes
is "$(for name in "who's table" 'who --json' 'who --joined of a file'; do grep -xF -- "$name" reached; done | wc -l)" 3 \
	"the hostile text reaches who's outputs"
