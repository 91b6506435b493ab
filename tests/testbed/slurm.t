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

virtual=$top/tests/fixtures/fleet/wakelat
fleet=$tmp/fleet
run "$wakelat" fleet submit --wakelat "$virtual" -o "$fleet" --wait 0s -- record --states C6 -n 30 --ldist 1ms:3ms
is "$status" 0 "submit"
like "$err" "$count nodes, a job for each, and [0-9]+ that merge" "submit: a job for each node, and some that merge"
unlike "$err" "Epilog" "submit: nothing to say about the Epilog"
refused 'exists and is not empty' "submit: not twice into one directory" "$wakelat" fleet submit -o "$fleet" -- probe
refused 'sinfo: |Slurm has no such nodes' "submit: nodes that there are none of" "$wakelat" fleet submit --nodes nope9 -o "$tmp/nope" -- probe
not_ok "submit: nothing was made" test -e "$tmp/nope"
refused 'some nodes still wait or measure' "submit --again: not while some are at it" "$wakelat" fleet submit --again -o "$fleet"

# job NODE: the number of its job
job() {
	awk -F '\t' -v node="$1" '$1 == node { job = $2 } END { print job }' "$fleet/nodes.tsv"
}
cluster_wait "x4 measures" test -e "$FLEET_NODES/x4/changed"
is "$(cat "$FLEET_NODES"/x4/sys/* | paste -sd ' ' -)" "1 1" "x4 is at it: it is changed"
like "$(of x4)" '^measures: ' "status: it measures"
like "$(of x5)" '^waits: the node is (unk|down).* \(Slurm: ReqNodeNotAvail' "status: x5 is waited for, and why"
ok "x4 is killed outright" scancel --signal=KILL --full "$(job x4)"
cluster_wait "its Epilog" sh -c '! squeue -h -t R,CG -o %A | grep -qx "$1"' sh "$(job x4)"
is "$(cat "$FLEET_NODES"/x4/sys/* | paste -sd ' ' -)" "0 0" "after its Epilog it is as it was"
not_ok "nothing is left of its journal" test -e /run/wakelat/state

others_are_over() {
	! squeue -h -n wakelat -o %T | grep -qvx PENDING
}
ok "the others end" waited 1800 others_are_over
like "$(of x4)" '^failed: its job was ended in the middle' "status: x4 was killed"
like "$(of x1)" "^gave: (-|doctor has doubts: [0-9]+)$" "status: x1 gave" || diag "$(cat "$FLEET_NODES/x1/run.log" "$fleet"/nodes/x1/*.log "$fleet"/slurm/*)"
like "$(of x2)" '^gave: its clock is 36[0-9][0-9] s ahead(; doctor has doubts: [0-9]+)?$' "status: x2, too, and its clock is wrong"
like "$(of x3)" '^refused: doctor: .*wakelat' "status: x3 has no patched kernel"

ok "who is waited for in vain is given up" scancel "$(job x5)"
merged() {
	! squeue -h -o %T | grep -q .
}
ok "then the tree of merges ends" waited 120 merged
ok "it has merged what there is" test -s "$fleet/merge/0-0.merged"
is "$(grep -cx 'x[12]' "$fleet/merge/0-0.nodes") of $(wc -l <"$fleet/merge/0-0.nodes")" "2 of $((count - 3))" "x1 and x2, and no other that gave nothing"
run "$wakelat" fleet collect "$fleet"
is "$status" 3 "collect: some gave nothing"
same "$fleet/fleet.counts" "$fleet/merge/0-0.merged" "collect: what the tree has merged"
"$wakelat" merge -q -o "$tmp/flat" "$fleet"/nodes/*/counts
same "$fleet/fleet.counts" "$tmp/flat" "the same bytes as merged at once"
like "$(cat "$fleet/status.tsv")" '^x5	failed	its job has left no word \(Slurm: CANCELLED' "collect: x5 is named, and why"
is "$(find "$fleet/nodes" -name counts | wc -l)" $((count - 3)) "those and no other have counts"

# median NODE: of C6
median() {
	"$wakelat" import -q -o "$tmp/counts-$1" "$fleet/nodes/$1/counts" && "$wakelat" stats -q -o "$tmp/stats-$1" "$tmp/counts-$1" &&
		awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["name"] == "C6" || $at["state"] == "C6" { printf "%.0f\n", $at["wake_latency_p50"] }' "$tmp/stats-$1/stats.tsv"
}
x1=$(median x1)
x2=$(median x2)
ok "x1's C6 takes 133 us: ${x1:-absent}" test "$((${x1:-0} / 1000))" -eq 133
ok "x2's twice as long: ${x2:-absent}" test "$((${x2:-0} / 1000))" -eq 266

# x4 again, as it should have been.
rm "$FLEET_NODES/x4/hangs"
printf '%s\n' --kernel "$("$top/scripts/dev/build-kernel" --flavour default)" >"$FLEET_NODES/x3/options"
run "$wakelat" fleet submit --again -o "$fleet"
like "$err" '^wakelat fleet submit: 3 nodes, a job for each' "submit --again: those that gave nothing"
scancel "$(job x5)"
ok "they end" waited 1800 merged
run "$wakelat" fleet collect -q "$fleet"
is "$(find "$fleet/nodes" -name counts | wc -l)" $((count - 1)) "now x3 and x4 have given theirs, too"
is "$(grep -c '^recording	' "$fleet/fleet.counts")" $((count - 1)) "each machine's recording is there once"
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
    wakelat: $virtual
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
same "$tmp/ansible/nodes/x1/counts" "$fleet/nodes/x1/counts" "the virtual Xeon gives what it gave Slurm"
like "$(cat "$tmp/ansible/status.tsv" 2>&1)" '^m_x_5-[0-9a-f]{8}	refused	there is no /nowhere/wakelat there$' "who gave nothing, and why"
is "$(grep -c '^recording	' "$tmp/ansible/fleet.counts")" 1 "the others are merged"
done_testing
