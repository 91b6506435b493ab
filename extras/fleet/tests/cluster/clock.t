#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A node of a Slurm cluster has a wrong clock, made by libfaketime; its slurmd and munged have it, too. If the clock is an hour
# ahead, munge refuses the node's credentials, and Slurm does not see the node. If it is two minutes ahead, the node works.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/alone.sh"
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/extras/fleet/tests/lib/cluster.sh"
. "$top/extras/fleet/tests/lib/machines.sh"

lack=$(cluster_lack)
[ -z "$lack" ] || skip_all "$lack"
faketime=$(find /usr/lib -name libfaketimeMT.so.1 2>/dev/null | head -n 1)
[ -n "$faketime" ] || skip_all "libfaketime is missing: scripts/dev/packages fleet"
wakelat=$top/scripts/wakelat
cleanup() {
	cluster_end
}

export FLEET_TOP="$top" FLEET_NODES="$tmp/nodes"
use_kernel default
for node in 1 2 3; do
	mkdir -p "$FLEET_NODES/x$node"
	printf '%s\n' --kernel "$kernel" --seed "$node" >"$FLEET_NODES/x$node/options"
done
mkdir -p "$cluster"
for script in prolog epilog; do
	printf '#!/bin/sh\n%s\n' "exec '$top/extras/fleet/epilog'" >"$cluster/$script"
	chmod 755 "$cluster/$script"
done
cluster_begin 3
controller=$cluster_socket
cluster_node_begin 1

# wrong NUMBER OFFSET: start node NUMBER and a munged of its own, with a clock that is OFFSET ahead; set $wrong_pid to the slurmd
wrong() {
	set -- "$1" env LD_PRELOAD="$faketime" FAKETIME="$2" FAKETIME_DONT_FAKE_MONOTONIC=1
	wrong_node=$1
	shift
	cluster_munge "munge$wrong_node" "$@"
	cluster_conf "$cluster/slurm$wrong_node.conf" "$cluster_socket" 3
	cluster_node_begin "$wrong_node" "$cluster/slurm$wrong_node.conf" "$@"
	wrong_pid=${cluster_pids##* }
}
wrong 3 +120s
wrong 2 +3600s
like "$(LD_PRELOAD=$faketime FAKETIME=+3600s munge -n --socket="$cluster_socket" | unmunge --socket="$controller" 2>&1)" 'Rewound credential' \
	"munge refuses a credential from an hour ahead"
idle() {
	sinfo -h -N -o '%N %T' | grep -qx "$1 idle"
}
cluster_wait "x1" idle x1
cluster_wait "x3" idle x3
ok "a node that is two minutes ahead works" idle x3
not_ok "Slurm does not see a node that is an hour ahead" idle x2

export WAKELAT="$top/extras/fleet/tests/fixtures/wakelat"
fleet=$tmp/fleet
mkdir "$fleet"
printf 'x1\nx2\n' >"$fleet/nodes"
run cluster_submit record --states C6 -n 30 --ldist 1ms:3ms
is "$status" 0 "the jobs of record are submitted"
gave() {
	[ "$(of "$1")" = gave ]
}
ok "x1 gives its counts" waited 1500 gave x1
like "$(squeue -h -n wakelat -o '%n %T %r')" '^x2 PENDING .*ReqNodeNotAvail' "Slurm keeps the job of x2 pending and says why"
run "$wakelat" fleet report "$fleet"
is "$(recordings "$fleet")" 1 "the counts of x1 are there"
like "$out" '^no usable counts: x2: neither counts nor a reason file$' "fleet report names x2, which gave nothing"

# Restart x2 with the right clock.
kill "$wrong_pid"
wait "$wrong_pid"
cluster_node_begin 2
ok "x2 gives its counts after its clock is right" waited 1500 gave x2
is "$(recordings "$fleet")" 2 "the counts of both nodes are there"
done_testing
