# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# guest.sh - checks that are made inside the virtual Xeon.
#
# A job sources this from /guest.sh and calls
#	check NAME COMMAND...		COMMAND succeeds
#	check_fails NAME COMMAND...	COMMAND fails
#	check_is NAME WANTED GOT	two strings are equal
# which write to /out/checks. The test on the host replays them with replay_checks (tests/lib/replay.sh).

check_line() {
	printf '%s\t%s\n' "$1" "$2" >>/out/checks
}

check() {
	check_name=$1
	shift
	if "$@" >/tmp/check.out 2>&1; then
		check_line 0 "$check_name"
	else
		check_line 1 "$check_name: $(tr '\n' ' ' </tmp/check.out)"
	fi
}

check_fails() {
	check_name=$1
	shift
	if "$@" >/tmp/check.out 2>&1; then
		check_line 1 "$check_name: succeeded"
	else
		check_line 0 "$check_name"
	fi
}

check_is() {
	if [ "$2" = "$3" ]; then
		check_line 0 "$1"
	else
		check_line 1 "$1: expected '$2', got '$3'"
	fi
}
