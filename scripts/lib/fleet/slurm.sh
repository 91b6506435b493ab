# SPDX-License-Identifier: GPL-2.0
# slurm.sh - what Slurm is told, and what it says.
# shellcheck shell=sh
#
# Needs message.sh.

slurm_tab=$(printf '\t')
slurm_error=
# For submit.
: "$slurm_error"

# need_slurm PROGRAM...
need_slurm() {
	for need_program; do
		command -v "$need_program" >/dev/null ||
			die "$need_program is missing: this is no host of a Slurm cluster (Debian: apt-get install slurm-client); a handful of machines: Documentation/fleet.md, Ansible"
	done
}

# slurm COMMAND...: prints what it says; fails with its last words in $slurm_error
slurm() {
	slurm_file=$(mktemp) || die "no temporary file can be made"
	"$@" 2>"$slurm_file" </dev/null
	slurm_status=$?
	slurm_error=$(tail -n 1 "$slurm_file")
	rm -f "$slurm_file"
	[ "$slurm_status" -eq 0 ]
}

# slurm_config KEY: of the controller's configuration; some may be there more than once, and have a number then since Slurm 24.11
slurm_config() {
	scontrol show config 2>/dev/null | sed -n "s/^$1\(\[[0-9]*\]\)\{0,1\} *= *//p"
}

# slurm_nodes: the names of the nodes that are meant, one a line; partition and nodes may be empty
slurm_nodes() {
	sinfo -h -N -o '%N' ${1:+-p "$1"} ${2:+-n "$2"} 2>&1 | sort -u
}

# slurm_troubles: a line for each node that takes no job: NAME STATE REASON
slurm_troubles() {
	sinfo -h -N -o "%N${slurm_tab}%T${slurm_tab}%E" 2>/dev/null | sort -u |
		awk -F '\t' '$2 ~ /down|drain|fail|unk|err|maint|no_respond|power|\*/'
}
