# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# sessions.sh - how tests/check runs prove. In sessions of their own, so that a signal to tests/check reaches prove and each test, and
# none of them outlives it. In the top directory of the repository; needs scripts/dev/common.sh.

tests_session=
beside_sessions=
cleanup() {
	for session in $tests_session $beside_sessions; do
		kill -TERM "-$session" 2>/dev/null
	done
	# They put back what they changed, and end their virtual machines.
	for session in $tests_session $beside_sessions; do
		while kill -0 "-$session" 2>/dev/null; do
			sleep 0.2
		done
	done
}

# A session that yields to others, and yet gets enough for tests that wait for something. Where the kernel schedules sessions as
# groups, each group has a nice value.
yielding='{ echo 5 >/proc/self/autogroup; renice -n 5 "$$"; } >/dev/null 2>&1; exec "$@"'

# start_tests NAME JOBS FILES [COMMAND...]: run prove in the background, by COMMAND, and set $started to its session; how long each
# test took is kept in out/check/NAME.state.
start_tests() {
	: "${verbose?tests/check}" "${tier?tests/check}"
	started_name=$1
	started_jobs=$2
	started_files=$3
	shift 3
	set -- "$@" prove --timer --state=save --statefile="out/check/$started_name.state" --jobs "$started_jobs" ${verbose:+-v}
	for file in $started_files; do
		set -- "$@" "tests/$file"
	done
	# What a test says about its progress would end up between the results. Whoever runs this without a terminal may ignore
	# signals, and a shell cannot take again what was ignored when it began.
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

# begin_beside_builds NAME JOBS FILES: start the tests, if there are any, beside the builds: each of these has minutes in which it keeps
# one CPU busy, or none. On a terminal, where the builds show their progress, what the tests print is kept for end_beside_builds.
begin_beside_builds() {
	[ -n "$3" ] || return 0
	if [ -t 1 ]; then
		start_tests "$@" sh -c "$yielding" sh >"out/check/$1.log" 2>&1
	else
		start_tests "$@" sh -c "$yielding" sh
	fi
	beside_sessions="$beside_sessions $started"
}

# end_beside_builds: wait for these tests, print what they said, and return 1 if one of them failed
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
