# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# sessions.sh - functions with which tests/check runs prove. Each prove runs in its own session.
# When tests/check ends, cleanup() sends SIGTERM to the whole session and waits until it is gone.
# Run in the repository's top directory; needs scripts/dev/common.sh.

tests_session=
beside_sessions=
cleanup() {
	for session in $tests_session $beside_sessions; do
		kill -TERM "-$session" 2>/dev/null
	done
	# Wait while the tests restore what they changed, and end their virtual machines.
	for session in $tests_session $beside_sessions; do
		while kill -0 "-$session" 2>/dev/null; do
			sleep 0.2
		done
	done
}

# Lower the priority of a session, but not so far that tests with a timeout fail. If the kernel schedules sessions as groups,
# each group has its own nice value.
yielding='{ echo 5 >/proc/self/autogroup; renice -n 5 "$$"; } >/dev/null 2>&1; exec "$@"'

# start_tests NAME JOBS FILES [COMMAND...]: run prove in the background, by COMMAND, and set $started to its session. prove
# writes the duration of each test to out/check/NAME.state.
start_tests() {
	: "${verbose?tests/check}" "${tier?tests/check}"
	started_name=$1
	started_jobs=$2
	started_files=$3
	shift 3
	set -- "$@" prove --timer --state=save --statefile="out/check/$started_name.state" --jobs "$started_jobs" ${verbose:+-v}
	for file in $started_files; do
		case $file in
		../*) set -- "$@" "${file#../}" ;;
		*) set -- "$@" "tests/$file" ;;
		esac
	done
	# WAKELAT_PROGRESS=0: messages of a test about its progress would end up between the results. env: a caller without a
	# terminal may ignore signals, and a shell cannot reset a signal that was ignored when it started.
	WAKELAT_FAILURES=$PWD/out/check/failures WAKELAT_SKIPPED=$PWD/out/check/skipped.tsv WAKELAT_TIER=$tier WAKELAT_PROGRESS=0 \
		setsid env --default-signal=HUP,INT,QUIT "$@" </dev/null &
	started=$!
}

# proved NAME JOBS FILES: run the tests, if there are any, and return prove's status
proved() {
	[ -n "$3" ] || return 0
	start_tests "$@"
	tests_session=$started
	wait "$tests_session"
	proved_status=$?
	tests_session=
	return "$proved_status"
}

# begin_beside_builds NAME JOBS FILES: start the tests, if there are any, in parallel with the builds: each build has minutes in
# which it uses one CPU or none. On a terminal, where the builds show their progress, end_beside_builds prints the tests' output.
begin_beside_builds() {
	[ -n "$3" ] || return 0
	if [ -t 1 ]; then
		start_tests "$@" sh -c "$yielding" sh >"out/check/$1.log" 2>&1
	else
		start_tests "$@" sh -c "$yielding" sh
	fi
	beside_sessions="$beside_sessions $started"
}

# end_beside_builds: wait for these tests, print their output, and return 1 if one of them failed
end_beside_builds() {
	beside_tests_status=0
	for beside_session in $beside_sessions; do
		progress "waiting for the tests that run beside the builds"
		wait "$beside_session" || beside_tests_status=1
		beside_sessions=${beside_sessions#" $beside_session"}
		progress_end
	done
	for beside_log in out/check/"$tier"-beside*.log; do
		[ ! -e "$beside_log" ] || cat "$beside_log"
	done
	return "$beside_tests_status"
}
