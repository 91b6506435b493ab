#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A signal ends a measurement early, and the results are kept. The measuring program may end before
# the shell waits for it again, and the signal may come again while the results are written.
# needs: nothing

. "$(dirname "$0")/../lib/tap.sh"
cd "$tmp" || exit 1

# $1: the file with the shell functions. The script prints what await_measurement returned. It makes the files measuring, writing
# and obeying when it comes to these steps.
cat >session <<'END'
placing='' output_ready=no finished=yes
. "$1"
progress_end() { :; }
stop_measuring() { :; }
# Let the measuring program end before the shell waits for it again.
kill() {
	command kill "$@" || return
	[ "$1" != -TERM ] || sleep 0.5
}
session_begin
sh -c 'trap "exit 7" TERM; : >measuring; while :; do sleep 0.05; done' &
await_measurement "$!"
echo "status $?, interrupted $interrupted"
: >writing
until [ -e asked-again ]; do sleep 0.05; done
sh -c 'echo "a process that it starts: $?"'
obey_signals
: >obeying
until [ -e never ]; do sleep 0.05; done
END

# await FILE: wait until FILE exists, or the session has ended
await() {
	until [ -e "$1" ] || ! kill -0 "$session" 2>/dev/null; do sleep 0.05; done
}

# interrupt SIGNAL NUMBER: send the signal to a session three times, and check that the session ends with status NUMBER
interrupt() {
	rm -f measuring writing asked-again obeying
	sh session "$top/scripts/lib/session/session.sh" >said 2>&1 &
	session=$!
	await measuring
	kill "-$1" "$session"
	await writing
	kill "-$1" "$session"
	: >asked-again
	await obeying
	kill "-$1" "$session"
	wait "$session"
	is "$?" "$2" "SIG$1 ends a session with status $2"
	is "$(cat said)" "status 7, interrupted $2
a process that it starts: 0" "SIG$1: the status of the measuring program is kept, and the results are written"
}
interrupt HUP 129
interrupt TERM 143
done_testing
