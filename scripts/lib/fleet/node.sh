#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# node.sh - the job of one node of a Slurm cluster: `wakelat fleet measure` as root, and what it leaves into the
# directory that all nodes share, as whoever submitted it: root may not be able to write there.
#
# USAGE: (sbatch) node.sh DIR WAKELAT RETRIES
#
# Slurm ends a job by SIGTERM, and what is left half a minute later by SIGKILL: then the node's Epilog puts back.

set -u
unset CDPATH
export LC_ALL=C
me="wakelat fleet (job ${SLURM_JOB_ID:-none})"

fleet=$1
wakelat=$2
retries=$3
name=${SLURMD_NODENAME:?not a job of Slurm}
place=$fleet/nodes/$name
work=
child=

# put FILE: of the work directory, into the shared one, whole or not at all
put() {
	[ -e "$work/out/$1" ] || return 0
	cp "$work/out/$1" "$place/.$1.$$" && mv -f "$place/.$1.$$" "$place/$1" || {
		printf '%s: %s cannot be written\n' "$me" "$place/$1" >&2
		rm -f "$place/.$1.$$"
		return 1
	}
}

# state STATE REASON: where the measurement could not say it itself
state() {
	{
		printf 'key\tvalue\nnode\t%s\njob\t%s\nstate\t%s\nreason\t%s\n' "$name" "${SLURM_JOB_ID:--}" "$1" "$2" >"$place/.state.$$" &&
			mv -f "$place/.state.$$" "$place/state.tsv"
	} || printf '%s: %s: %s\n' "$me" "$1" "$2" >&2
}

# put_all: counts last but one: who reads a state finds what it speaks of.
put_all() {
	put doctor.tsv && put measure.log && put counts && put state.tsv
}

leave() {
	leave_status=$?
	trap - EXIT
	trap '' HUP INT TERM
	if [ -n "$child" ]; then
		kill -TERM "$child" 2>/dev/null
		wait "$child"
		put_all
	fi
	[ -z "$work" ] || rm -rf "$work"
	exit "$leave_status"
}
trap leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir -p "$place" || {
	printf '%s: %s cannot be made: do all nodes share %s, may you write there?\n' "$me" "$place" "$fleet" >&2
	exit 1
}
state began -
work=$(mktemp -d "${TMPDIR:-/tmp}/wakelat-node.XXXXXX") || {
	state failed "no temporary directory can be made on the node"
	exit 1
}
[ -x "$wakelat" ] || {
	state refused "there is no $wakelat on this node (submit --wakelat FILE)"
	exit 3
}
# When this began by the controller's clock, which says how far this node's is off. Seconds since 1970.
clock=${SLURM_JOB_START_TIME:-$(SLURM_TIME_FORMAT=%s squeue -h -j "${SLURM_JOB_ID:-0}" -o %S 2>/dev/null)}
case $clock in
*[!0-9]*) clock= ;;
esac
set --
while IFS= read -r word; do
	set -- "$@" "$word"
done <"$fleet/command"
set -- "$wakelat" fleet measure -q -o "$work/out" --name "$name" --retries "$retries" \
	${clock:+--clock "$clock"} -- "$@"
if [ "$(id -u)" -ne 0 ]; then
	sudo -n true 2>/dev/null || {
		state refused "the job of $(id -un) is not root's here, and sudo -n is not allowed"
		exit 3
	}
	set -- sudo -n "$@"
fi
"$@" </dev/null &
child=$!
wait "$child"
status=$?
child=
if [ ! -e "$work/out/state.tsv" ]; then
	# Slurm ends all processes of a job: the signal that has ended that one, or what that one waited for, may be about to come here,
	# and is the reason then.
	sleep 1
	state failed "wakelat fleet measure said nothing, and ended with status $status"
fi
put_all || state failed "$place cannot be written: is the disk full?"
exit "$status"
