#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A fleet through Slurm, and through Ansible: Slurm's daemons are real, all on this machine, and each node's job measures a
# virtual Xeon of its own. x1 is as it should be; x2's C6 takes twice as long, and its clock is wrong by an hour; x3 has no
# patched kernel; x4 is killed in the middle; x5 never answers. The others are such as x1, with seeds of their own.
# needs: tools qemu kernel:default kernel:off fleet
# takes: minutes
. "$(dirname "$0")/../lib/alone.sh"
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/cluster.sh"
. "$top/tests/lib/machines.sh"

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
	printf '#!/bin/sh\n%s\n' "exec '$top/scripts/lib/fleet/epilog'" >"$cluster/$script"
	chmod 755 "$cluster/$script"
done
cluster_begin "$count"
number=1
while [ "$number" -le "$count" ]; do
	[ "$number" -eq 5 ] || cluster_node_begin "$number"
	number=$((number + 1))
done
cluster_wait "the nodes" sh -c 'test "$(sinfo -h -N -o "%T" | grep -c idle)" -ge "$1"' sh $((count - 1))

export WAKELAT="$top/tests/fixtures/fleet/wakelat"
fleet=$tmp/fleet
measure='record --states C6 -n 30 --ldist 1ms:3ms'
mkdir "$fleet"
sinfo -h -N -o %N | sort -u >"$fleet/nodes"
run cluster_submit "$measure"
is "$(printf '%s\n' "$out" | grep -c '^Submitted batch job')" "$count" "a job for each node" || diag "$err"
refused 'no machine has counts' "report: nothing to report yet" "$wakelat" fleet report "$fleet"

cluster_wait "x4 measures" test -e "$FLEET_NODES/x4/changed"
is "$(cat "$FLEET_NODES"/x4/sys/* | paste -sd ' ' -)" "1 1" "x4 is changed while it measures"
like "$(squeue -h -n wakelat -o '%n %T %r')" '^x5 PENDING .*ReqNodeNotAvail' "Slurm says that x5 is waited for, and why"
job=$(cluster_job x4)
ok "x4 is killed outright" scancel --signal=KILL --full "$job"
cluster_wait "its Epilog" sh -c '! squeue -h -t R,CG -o %A | grep -qx "$1"' sh "$job"
is "$(cat "$FLEET_NODES"/x4/sys/* | paste -sd ' ' -)" "0 0" "after its Epilog x4 is as it was"
not_ok "after its Epilog x4 has no journal" test -e /run/wakelat/state

others_are_over() {
	! squeue -h -n wakelat -o %T | grep -qvx PENDING
}
ok "the others end" waited 1800 others_are_over
is "$(of x4)" "failed: its job $job began and did not end: cancelled, killed, or the node went down" "x4 was killed"
is "$(of x1)" gave "x1 gave its counts" || diag "$(cat "$FLEET_NODES/x1/run.log" "$fleet"/x1.log "$fleet"/slurm-*)"
is "$(of x2)" gave "x2 gave its counts"
like "$(cat "$fleet/x2.log")" '^clock: \+36[0-9][0-9] s' "x2's log says that its clock is wrong"
like "$(of x3)" '^refused: doctor: .*wakelat' "x3 has no patched kernel"
is "$(find "$fleet" -name '*.counts' | wc -l) $(recordings "$fleet")" "$((count - 3)) $((count - 3))" "all others gave their counts, each of its own recording"
run "$wakelat" fleet report "$fleet"
like "$out" "of $count machines .* 3 gave nothing\\.\$" "report: counts all machines"
like "$out" "^gave nothing: x3: refused: doctor: .*wakelat" "report: names x3, and why"
like "$out" "^gave nothing: x4: failed: its job $job began and did not end" "report: names x4, and why"
like "$out" "^gave nothing: x5: no word from it$" "report: names x5"
"$wakelat" merge -q -o "$tmp/part1" "$fleet"/x1*.counts && "$wakelat" merge -q -o "$tmp/part2" "$tmp/part1" "$fleet"/x[2-9].counts
same "$tmp/recordings" "$tmp/part2" "merged in two steps: the same bytes as merged at once"

# median NODE: of C6
median() {
	"$wakelat" import -q -o "$tmp/counts-$1" "$fleet/$1.counts" && "$wakelat" stats -q -o "$tmp/stats-$1" "$tmp/counts-$1" &&
		awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["name"] == "C6" || $at["state"] == "C6" { printf "%.0f\n", $at["wake_latency_p50"] }' "$tmp/stats-$1/stats.tsv"
}
x1=$(median x1)
x2=$(median x2)
ok "x1's C6 takes 133 us: ${x1:-absent}" test "$((${x1:-0} / 1000))" -eq 133
ok "x2's twice as long: ${x2:-absent}" test "$((${x2:-0} / 1000))" -eq 266

# x4 again, as it should have been. x5 is given up.
scancel "$(cluster_job x5)"
rm "$FLEET_NODES/x4/hangs"
printf '%s\n' --kernel "$("$top/scripts/dev/build-kernel" --flavour default)" >"$FLEET_NODES/x3/options"
run cluster_submit "$measure"
is "$(printf '%s\n' "$out" | grep -c '^Submitted batch job')" 3 "the same loop again: jobs for the three nodes that gave nothing"
scancel "$(cluster_job x5)"
over() {
	! squeue -h -o %T | grep -q .
}
ok "they end" waited 1800 over
is "$(of x3) $(of x4) $(of x5)" "gave gave no word" "x3 and x4 gave their counts"
is "$(recordings "$fleet")" $((count - 1)) "each machine's recording is there once"
cluster_end

# --- the playbook, for two of the machines and one that is not there

command -v ansible-playbook >/dev/null || {
	skip 8 "ansible-playbook is missing: scripts/dev/packages fleet"
	done_testing
	exit
}
# Ansible's own files as well are in the test's directory.
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
	run env LC_ALL=C.UTF-8 ansible-playbook -i "$tmp/machines.yml" "$top/scripts/lib/fleet/measure.yml" -e fleet="$tmp/ansible" \
		-e '{"measure": "record --states C6 -n 30 --ldist 1ms:3ms"}' "$@"
}
playbook --check
is "$status" 0 "playbook --check"
not_ok "writes nothing" test -e "$tmp/ansible"
playbook
is "$status" 2 "playbook: some gave nothing"
unlike "$out" 'ASYNC FAILED' "playbook: what runs in the background is found again"
same "$tmp/ansible/x1.counts" "$fleet/x1.counts" "the virtual Xeon gives what it gave Slurm"
like "$out" 'm_x_5-[0-9a-f]{8}: refused: there is no /nowhere/wakelat there' "playbook: says who gave nothing, and why"
run "$wakelat" fleet report "$tmp/ansible"
like "$out" '^gave nothing: m_x_5-[0-9a-f]{8}: refused: there is no /nowhere/wakelat there$' "report: names who gave nothing, and why"
like "$out" 'of 2 (of 2 )?machines' "report: of two machines"
done_testing
