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

# of NAME: "gave" if its counts are in the directory $fleet, otherwise why not
of() {
	if [ -e "${fleet:?}/$1.counts" ]; then
		printf 'gave\n'
	else
		cat "$fleet/$1.reason" 2>/dev/null || printf 'no word\n'
	fi
}

# recordings FLEET: how many recordings the machines in a directory have given, each counted once
recordings() {
	"${wakelat:?}" merge -q -o "${tmp:?}/recordings" "$1" && grep -c '^recording	' "$tmp/recordings"
}
