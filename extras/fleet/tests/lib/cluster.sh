# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# cluster.sh - a Slurm cluster on this machine: one slurmctld, one slurmd per node, one munged. They run in the namespaces of
# alone.sh and end with them.
#
# The programs are Debian's slurmctld, slurmd, slurm-client and munge. The machine's own configuration is neither read nor
# changed: key, socket, pid files and logs are in a directory of the test.

: "${tmp:?}" "${top:?}"

cluster=$tmp/cluster
cluster_pids=

# cluster_lack: print what is missing to run a cluster, or nothing
cluster_lack() {
	for lack_program in slurmctld slurmd sbatch scontrol munged; do
		[ -n "$(PATH=$PATH:/usr/sbin command -v "$lack_program")" ] || {
			printf '%s is missing (Debian: slurmctld slurmd slurm-client munge)\n' "$lack_program"
			return
		}
	done
	[ -n "${WAKELAT_ALONE-}" ] || printf 'slurmd needs root, and namespaces of its own\n'
}

# cluster_daemon COMMAND...: start COMMAND in the background; cluster_end ends it
cluster_daemon() {
	"$@" >>"$cluster/daemons.log" 2>&1 </dev/null &
	cluster_pids="$cluster_pids $!"
}

# cluster_munge NAME [PREFIX...]: start a munged called NAME with the cluster's key, and set $cluster_socket
cluster_munge() {
	cluster_socket=$cluster/$1.socket
	cluster_name=$1
	shift
	cluster_daemon "$@" munged --foreground --force --socket="$cluster_socket" --key-file="$cluster/munge.key" \
		--pid-file="$cluster/$cluster_name.pid" --log-file="$cluster/$cluster_name.log" --seed-file="$cluster/$cluster_name.seed" --num-threads=1
	cluster_wait "$cluster_name" test -S "$cluster_socket"
}

# cluster_wait WHAT COMMAND...: wait up to 60 s until COMMAND succeeds, otherwise bail
cluster_wait() {
	wait_what=$1
	shift
	wait_tries=300
	until "$@" >/dev/null 2>&1; do
		wait_tries=$((wait_tries - 1))
		[ "$wait_tries" -gt 0 ] || {
			tail -n 5 "$cluster"/*.log >&2
			bail "$wait_what did not become ready within 60 s"
		}
		sleep 0.2
	done
}

# cluster_conf FILE SOCKET COUNT: write a slurm.conf for COUNT nodes. Nodes may have files that differ in munge's socket.
cluster_conf() {
	cat >"$1" <<END
ClusterName=wakelat
SlurmctldHost=$cluster_host(127.0.0.1)
SlurmctldPort=$cluster_port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$2
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
ReturnToService=2
SlurmdParameters=config_overrides
SlurmdTimeout=30
KillWait=5
MpiDefault=none
SchedulerParameters=sched_interval=2,bf_interval=5
Prolog=$cluster/prolog
Epilog=$cluster/epilog
END
	cluster_node=1
	while [ "$cluster_node" -le "$3" ]; do
		printf 'NodeName=x%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%s CPUs=1\n' "$cluster_node" "$cluster_host" $((cluster_port + cluster_node))
		cluster_node=$((cluster_node + 1))
	done >>"$1"
	printf 'PartitionName=all Nodes=x[1-%s] Default=YES State=UP OverSubscribe=EXCLUSIVE\n' "$3" >>"$1"
}

# cluster_cgroups DIR: tell Slurm not to use cgroups, because a root made by tests/debian has none mounted. Slurm before 23.11
# needs no such setting.
cluster_cgroups() {
	slurmd -V | awk '{ split($2, v, "."); exit !(v[1] * 100 + v[2] >= 2311) }' || return 0
	printf 'CgroupPlugin=disabled\n' >"$1/cgroup.conf"
}

# cluster_begin COUNT: start the controller of nodes x1 to xCOUNT. cluster_node_begin starts their slurmds. The caller provides
# $cluster/prolog and $cluster/epilog.
cluster_begin() {
	cluster_host=$(hostname)
	# Nobody else uses this network namespace.
	cluster_port=20000
	mkdir -p "$cluster/state" "$cluster/spool"
	chmod 755 "$tmp" "$cluster"
	dd if=/dev/urandom of="$cluster/munge.key" bs=128 count=1 2>/dev/null
	chmod 600 "$cluster/munge.key"
	cluster_munge munge
	cluster_conf "$cluster/slurm.conf" "$cluster_socket" "$1"
	export SLURM_CONF="$cluster/slurm.conf"
	PATH=$PATH:/usr/sbin:/sbin
	cluster_cgroups "$cluster"
	cluster_daemon slurmctld -D
	cluster_wait slurmctld scontrol ping
}

# cluster_node_begin NUMBER [CONF [PREFIX...]]: start the node's slurmd, with configuration CONF, by the command PREFIX
cluster_node_begin() {
	cluster_number=$1
	cluster_file=${2-$SLURM_CONF}
	shift
	[ $# -eq 0 ] || shift
	mkdir -p "$cluster/spool/x$cluster_number"
	cluster_daemon env SLURM_CONF="$cluster_file" "$@" slurmd -D -N "x$cluster_number"
}

# cluster_end: end exactly the processes that were started here
cluster_end() {
	for cluster_pid in $cluster_pids; do
		kill "$cluster_pid" 2>/dev/null
	done
	for cluster_pid in $cluster_pids; do
		wait "$cluster_pid" 2>/dev/null
	done
	cluster_pids=
}

# cluster_job NODE: print the number of the last unfinished job that was submitted for NODE
cluster_job() {
	squeue -h -n wakelat -o '%A %n' | awk -v node="$1" '$2 == node { print $1 }' | sort -n | tail -n 1
}

# cluster_submit WORD...: run the loop over the nodes that extras/fleet/many-machines.md shows, with WORD... in place of its command
# of wakelat, and $fleet as the directory for the counts
cluster_submit() {
	words=$*
	sed -n '/^    for node in/,/^    done/p' "$top/extras/fleet/many-machines.md" |
		sed "s|/opt/wakelat/|$top/|; s|probe --states C6 -T 60s|$words|" >"$tmp/loop"
	[ "$(grep -c "$words" "$tmp/loop")" -eq 1 ] || bail "extras/fleet/many-machines.md has no loop over the nodes"
	fleet=${fleet:?} sh "$tmp/loop"
}
