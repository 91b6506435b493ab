# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# machines.sh - what tests of a fleet ask of its machines.

# waited SECONDS COMMAND...: until it succeeds
waited() {
	wait_tries=$1
	shift
	until "$@"; do
		wait_tries=$((wait_tries - 1))
		[ "$wait_tries" -gt 0 ] || return
		sleep 1
	done
}

# of NAME: the state and the reason that fleet status has, of $fleet
of() {
	LC_ALL=C "${wakelat:?}" fleet status --tsv "${fleet:?}" | awk -F '\t' -v node="$1" '$1 == node { print $2 ": " $3 }'
}
