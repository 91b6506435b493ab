# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# alone.sh - give a test that starts daemons its own namespaces (processes, network, hostname) and its own /run. All that
# the test leaves disappears with the first process of the namespace, even if the test is killed by SIGKILL.
#
# A test that needs root sources this before tap.sh.

if [ "$(id -u)" -eq 0 ] && [ -z "${WAKELAT_ALONE-}" ] && unshare --mount --pid --net --uts --fork true 2>/dev/null; then
	alone_tmp=$(mktemp -d) || exit 1
	alone=
	alone_end() {
		[ -z "$alone" ] || kill -KILL "$alone" 2>/dev/null
		wait
		rm -rf "$alone_tmp"
	}
	trap alone_end EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	WAKELAT_ALONE=yes TMPDIR=$alone_tmp setpriv --pdeathsig KILL \
		unshare --mount --pid --net --uts --fork --kill-child --mount-proc "$0" "$@" &
	alone=$!
	wait "$alone"
	alone_status=$?
	alone=
	exit "$alone_status"
fi
[ -z "${WAKELAT_ALONE-}" ] || {
	mount -t tmpfs -o mode=755 tmpfs /run || exit 1
	hostname localhost
	# Add an address other than 127.0.0.1. Without one, the C library assumes that there is no network, and resolves no names.
	ip link set lo up && ip address add 10.99.0.1/32 dev lo || exit 1
}
