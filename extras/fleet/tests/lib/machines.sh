# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# machines.sh - wait for the machines of a fleet, and look up what they gave.

# waited SECONDS COMMAND...: wait up to SECONDS until COMMAND succeeds
waited() {
	wait_tries=$1
	shift
	until "$@"; do
		wait_tries=$((wait_tries - 1))
		[ "$wait_tries" -gt 0 ] || return
		sleep 1
	done
}

# of NAME: print "gave" if the machine's counts are in the directory $fleet, otherwise the reason
of() {
	if [ -e "${fleet:?}/$1.counts" ]; then
		printf 'gave\n'
	else
		cat "$fleet/$1.reason" 2>/dev/null || printf 'no word\n'
	fi
}

# recordings FLEET: print how many different recordings the machines in this directory have given
recordings() {
	"${wakelat:?}" merge -q -o "${tmp:?}/recordings" "$1" && grep -c '^recording	' "$tmp/recordings"
}
