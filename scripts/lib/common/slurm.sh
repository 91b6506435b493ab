# SPDX-License-Identifier: GPL-2.0
# slurm.sh - find the Slurm job that a process belongs to.
# shellcheck shell=sh

# See find_job.
slurm_id=
: "$slurm_id"

# find_job PID: sets $slurm_id to the ID of the Slurm job that a process belongs to, or to nothing.
# The ID is in the control group, or in the environment of the process or an ancestor: sudo removes
# SLURM_JOB_ID from the environment of its child, but not from its own. One grep searches all these
# files first, so that a machine without Slurm starts no other process.
find_job() {
	slurm_pid=$1
	slurm_id=
	set -- "/proc/$1/cgroup"
	while [ "${slurm_pid:-0}" -gt 1 ]; do
		set -- "$@" "/proc/$slurm_pid/environ"
		while read -r slurm_key slurm_value; do
			[ "$slurm_key" != PPid: ] || break
		done <"/proc/$slurm_pid/status" || break
		slurm_pid=$slurm_value
	done
	grep -qs -e /job_ -e SLURM_JOB_ID= "$@" || return 0
	slurm_id=$(sed -n '/.*\/job_\([0-9][0-9]*\)\(\/.*\)\{0,1\}$/ { s//\1/p; q; }' "$1")
	shift
	for slurm_file; do
		[ -z "$slurm_id" ] || break
		slurm_id=$(tr '\0' '\n' <"$slurm_file" | sed -n '/^SLURM_JOB_ID=\([0-9][0-9]*\)$/ { s//\1/p; q; }')
	done
} 2>/dev/null
