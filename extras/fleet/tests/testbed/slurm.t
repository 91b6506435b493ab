#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Measures a fleet through Slurm, and through Ansible. Slurm's daemons are real and all run on this machine. The job of each node
# measures a virtual Xeon of its own. x1 has no fault. The C6 of x2 takes twice as long, and its clock is wrong by an
# hour. x3 has no patched kernel. x4 is killed during its job. x5 never answers. The others are like x1 with other seeds.
# needs: tools qemu kernel:default kernel:off
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/alone.sh"
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/extras/fleet/tests/lib/cluster.sh"
. "$top/extras/fleet/tests/lib/machines.sh"

lack=$(cluster_lack)
[ -z "$lack" ] || skip_all "$lack"
wakelat=$top/scripts/wakelat
count=16
cleanup() {
	cluster_end
}

export FLEET_TOP="$top" FLEET_NODES="$tmp/nodes"
number=1
while [ "$number" -le "$count" ]; do
	mkdir -p "$FLEET_NODES/x$number"
	use_kernel default
	printf '%s\n' --kernel "$kernel" --seed "$number" >"$FLEET_NODES/x$number/options"
	number=$((number + 1))
done
printf '%s\n' --set C6.latency_ns=266000 >>"$FLEET_NODES/x2/options"
printf '3600\n' >"$FLEET_NODES/x2/clock"
use_kernel off
printf '%s\n' --kernel "$kernel" >"$FLEET_NODES/x3/options"
mkdir "$FLEET_NODES/x4/sys"
for file in disable limit; do
	printf '0\n' >"$FLEET_NODES/x4/sys/$file"
done
: >"$FLEET_NODES/x4/hangs"

mkdir -p "$cluster"
for script in prolog epilog; do
	printf '#!/bin/sh\n%s\n' "exec '$top/extras/fleet/epilog'" >"$cluster/$script"
	chmod 755 "$cluster/$script"
done
cluster_begin "$count"
number=1
while [ "$number" -le "$count" ]; do
	[ "$number" -eq 5 ] || cluster_node_begin "$number"
	number=$((number + 1))
done
cluster_wait "the nodes" sh -c 'test "$(sinfo -h -N -o "%T" | grep -c idle)" -ge "$1"' sh $((count - 1))

export WAKELAT="$top/extras/fleet/tests/fixtures/wakelat"
fleet=$tmp/fleet
measure='record --states C6 -n 30 --ldist 1ms:3ms'
mkdir "$fleet"
sinfo -h -N -o %N | sort -u >"$fleet/nodes"
run cluster_submit "$measure"
is "$(printf '%s\n' "$out" | grep -c '^Submitted batch job')" "$count" "submit: each node gets a job" || diag "$err"
refused 'no machine has counts' "report: refuses a fleet without counts" "$wakelat" fleet report "$fleet"

cluster_wait "x4 measures" test -e "$FLEET_NODES/x4/changed"
is "$(cat "$FLEET_NODES"/x4/sys/* | paste -sd ' ' -)" "1 1" "the settings of x4 are changed while it measures"
like "$(squeue -h -n wakelat -o '%n %T %r')" '^x5 PENDING .*ReqNodeNotAvail' "squeue shows that the job of x5 waits, and why"
job=$(cluster_job x4)
ok "scancel kills the job of x4 by SIGKILL" scancel --signal=KILL --full "$job"
cluster_wait "its Epilog" sh -c '! squeue -h -t R,CG -o %A | grep -qx "$1"' sh "$job"
is "$(cat "$FLEET_NODES"/x4/sys/* | paste -sd ' ' -)" "0 0" "after its Epilog x4 has its old settings"
not_ok "after its Epilog x4 has no journal" test -e /run/wakelat/state

others_are_over() {
	! squeue -h -n wakelat -o %T | grep -qvx PENDING
}
ok "the jobs of the other nodes end" waited 1800 others_are_over
is "$(of x4)" "failed: its job $job began and did not end: cancelled, killed, or the node went down" \
	"x4's reason says that its job did not end"
is "$(of x1)" gave "x1 gave its counts" || diag "$(cat "$FLEET_NODES/x1/run.log" "$fleet"/x1.log "$fleet"/slurm-*)"
is "$(of x2)" gave "x2 gave its counts"
like "$(cat "$fleet/x2.log")" '^clock: \+36[0-9][0-9] s' "x2's log says that its clock is wrong"
like "$(of x3)" '^refused: doctor: .*wakelat' "x3's reason says that doctor refuses its kernel"
is "$(find "$fleet" -name '*.counts' | wc -l) $(recordings "$fleet")" "$((count - 3)) $((count - 3))" \
	"all nodes except x3, x4 and x5 gave counts, each of its own recording"
run "$wakelat" fleet report "$fleet"
like "$out" "of $count machines .* 3 gave no usable counts\\.\$" "report: counts all machines, and says that three gave nothing"
like "$out" "^no usable counts: x3: refused: doctor: .*wakelat" "report: names x3, and why"
like "$out" "^no usable counts: x4: failed: its job $job began and did not end" "report: names x4, and why"
like "$out" "^no usable counts: x5: neither counts nor a reason file$" "report: names x5"
"$wakelat" merge -q -o "$tmp/part1" "$fleet"/x1*.counts && "$wakelat" merge -q -o "$tmp/part2" "$tmp/part1" "$fleet"/x[2-9].counts
same "$tmp/recordings" "$tmp/part2" "merged in two steps: the same bytes as merged at once"

# median NODE: print the median latency of C6 in ns
median() {
	"$wakelat" import -q -o "$tmp/counts-$1" "$fleet/$1.counts" && "$wakelat" stats -q -o "$tmp/stats-$1" "$tmp/counts-$1" &&
		awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["name"] == "C6" || $at["state"] == "C6" { printf "%.0f\n", $at["wake_latency_p50"] }' "$tmp/stats-$1/stats.tsv"
}
x1=$(median x1)
x2=$(median x2)
ok "x1: the median of C6 is 133 us: ${x1:-absent} ns" test "$((${x1:-0} / 1000))" -eq 133
ok "x2: the median of C6 is 266 us: ${x2:-absent} ns" test "$((${x2:-0} / 1000))" -eq 266

# Submit again. x4 no longer hangs, x3 has a patched kernel, and the job of x5 is cancelled.
scancel "$(cluster_job x5)"
rm "$FLEET_NODES/x4/hangs"
printf '%s\n' --kernel "$("$top/scripts/dev/build-kernel" --flavour default)" >"$FLEET_NODES/x3/options"
run cluster_submit "$measure"
is "$(printf '%s\n' "$out" | grep -c '^Submitted batch job')" 3 "submit again: only the three nodes that gave nothing get jobs"
scancel "$(cluster_job x5)"
over() {
	! squeue -h -o %T | grep -q .
}
ok "the jobs of x3 and x4 end" waited 1800 over
is "$(of x3) $(of x4) $(of x5)" "gave gave no word" "x3 and x4 gave their counts, x5 did not"
is "$(recordings "$fleet")" $((count - 1)) "the fleet has one recording of each machine except x5"
cluster_end

# --- the playbook, for x1 and a machine without wakelat

command -v ansible-playbook >/dev/null || {
	skip 8 "ansible-playbook is missing: scripts/dev/packages fleet"
	done_testing
	exit
}
# Ansible keeps its own files in the test's directory.
export ANSIBLE_NOCOLOR=1 ANSIBLE_LOCALHOST_WARNING=False ANSIBLE_HOME="$tmp/ansible-home" ANSIBLE_ASYNC_DIR="$tmp/ansible-async" \
	ANSIBLE_REMOTE_TEMP="$tmp/ansible-remote"
cat >"$tmp/machines.yml" <<END
all:
  vars:
    ansible_connection: local
    ansible_become: false
    ansible_python_interpreter: /usr/bin/python3
    wakelat: $WAKELAT
  hosts:
    x1:
    "x 5":
      wakelat: /nowhere/wakelat
END
playbook() {
	run env LC_ALL=C.UTF-8 ansible-playbook -i "$tmp/machines.yml" "$top/extras/fleet/measure.yml" -e fleet="$tmp/ansible" \
		-e '{"measure": "record --states C6 -n 30 --ldist 1ms:3ms"}' "$@"
}
playbook --check
is "$status" 0 "playbook --check succeeds"
not_ok "playbook --check writes nothing" test -e "$tmp/ansible"
playbook
is "$status" 2 "playbook: exits with status 2, because a machine gave nothing"
unlike "$out" 'ASYNC FAILED' "playbook: finds the job that it started in the background"
same "$tmp/ansible/x1.counts" "$fleet/x1.counts" "x1 gives Ansible the same counts as Slurm"
like "$out" 'm_x_5-[0-9a-f]{8}: refused: there is no /nowhere/wakelat there' "playbook: says which machine gave nothing, and why"
run "$wakelat" fleet report "$tmp/ansible"
like "$out" '^no usable counts: m_x_5-[0-9a-f]{8}: refused: there is no /nowhere/wakelat there$' \
	"report: names the machine that gave nothing, and why"
like "$out" 'of 2 (of 2 )?machines' "report: counts both machines"
done_testing
