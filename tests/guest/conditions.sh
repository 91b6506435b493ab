# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# conditions.sh - record under conditions that occur on real machines. In the guest this is /conditions.sh.
#
# A job sources it and calls
#	try CONDITION SOURCES STATES [OPTION...]	record with each source; OPTIONs are those of wakelat record
#	refuses CONDITION SOURCES STATES [OPTION...]	the same, but wakelat record has to refuse, with a reason
#	during COMMAND...				run COMMAND every half second during the next recordings
# Each recording is in /out/N; /out/list has a line "N TAB CONDITION TAB SOURCE TAB STATES TAB try|refuses TAB BOUND"
# for each, and /out/N.refused has the messages of a wakelat record that failed.

cd /out || exit 1
# Linux 7.3 needs a second to trust the TSC, and has no high resolution timers until then.
moments=0
while grep -q 'resolution timers are not active' /sys/kernel/tracing/wakelat/available_sources && [ "$moments" -lt 20 ]; do
	sleep 0.1
	moments=$((moments + 1))
done
tried=0
busy=
# The virtual time after which a recording ends with the samples that it has.
limit=20s
# Untainted samples per source and state, and how many times the usual number that is.
samples=1020
times=1
[ ! -e /samples ] || read -r samples times </samples
# The bound of the errors in ns. If empty, it is the source's bound in testbed/truth/truth.c.
bound=

# Wait half a second, so that most events are not affected by the command.
repeat() {
	while :; do
		sleep 0.5
		"$@"
	done >/dev/null 2>&1
}

during() {
	[ -z "$busy" ] || kill "$busy"
	busy=
	[ $# -gt 0 ] || return 0
	repeat "$@" &
	busy=$!
}

# Take CPU 2 offline and back online.
flip() {
	echo 0 >/sys/devices/system/cpu/cpu2/online
	sleep 0.2
	echo 1 >/sys/devices/system/cpu/cpu2/online
}

# record KIND CONDITION SOURCES STATES [OPTION...]: record with each source; KIND is try or refuses
record() {
	kind=$1
	shift
	try_name=$1
	try_sources=$2
	try_states=$3
	shift 3
	for try_source in $try_sources; do
		tried=$((tried + 1))
		printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$tried" "$try_name" "$try_source" "$try_states" "$kind" "$bound" >>list
		if ! wakelat record -q -o "$tried" --source "$try_source" --states "$try_states" --each-state \
			--samples "$samples" --duration "$((${limit%s} * times))s" "$@" 2>err; then
			{
				head -n 1 err
				[ -s err ] || printf 'wakelat record fails without a message\n'
			} >"$tried.refused"
		fi
	done
}

try() {
	record try "$@"
}

refuses() {
	record refuses "$@"
}

trap 'during' EXIT
