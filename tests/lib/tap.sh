# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# tap.sh - the Test Anything Protocol in POSIX sh.
#
# A test begins with
#
#	#!/bin/sh
#	# needs: tools		(what tests/check has to build before; see there)
#	. "$(dirname "$0")/../lib/tap.sh"
#	plan 12			(or: call done_testing at the end)
#
# and then finds
#	$top	the repository
#	$tmp	a directory of the test, which is removed when it ends
#
#	ok NAME COMMAND...		COMMAND succeeds
#	not_ok NAME COMMAND...		COMMAND fails
#	is GOT WANTED NAME		two strings are equal
#	like GOT ERE NAME		some line of GOT matches the regular expression
#	unlike GOT ERE NAME		no line of GOT matches the regular expression
#	same FILE FILE NAME		two files are byte-identical
#	run COMMAND...			run COMMAND, and set $out, $err (stdout, stderr) and $status
#	refused ERE NAME COMMAND...	COMMAND fails, prints nothing on stdout and exactly one
#					line on stderr, which matches ERE. Every error must be like this
#	names DIRECTORY			print the names of the files in DIRECTORY, in one line
#	words TEXT COMMAND...		run COMMAND with the words of TEXT after its arguments
#	skip COUNT REASON		COUNT tests cannot run here
#	skip_all REASON			no test can run here
#					(both append to the table $WAKELAT_SKIPPED, if it is set)
#	diag TEXT, note TEXT		print a message: diag always, note only with prove -v
#	bail TEXT			end this test as failed; other tests continue
#					(diag and bail also write to $WAKELAT_FAILURES/FOLDER-TEST, if it is set)
#	declared WHAT			bail, unless the test's line "# needs:" has WHAT
#
# If $WAKELAT_TIER is first or rest, the settings in the test's line "# tier: first ..." or "# tier: rest ..." are exported.
#
# A test that dies early fails, because the number of checks differs from the plan.
# To clean up, define a function `cleanup`. It runs however the test ends, before $tmp is removed.

set -u
unset CDPATH
export LC_ALL=C

top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
# A test of an extra is in extras/NAME/tests/FOLDER.
[ -e "$top/tests/lib/tap.sh" ] || top=${top%/extras/*}
[ -e "$top/tests/lib/tap.sh" ] || {
	printf 'not ok 1 - %s is not in a folder of tests/ or extras/NAME/tests/\n' "$0"
	exit 255
}
tmp=$(mktemp -d) || exit 1
tap_run=0
tap_failed=0
tap_planned=
tap_needs=$(sed -n 's/^# needs\( more\)*: //p' "$0" | paste -sd ' ' -)
tap_file=$(basename "$(dirname "$0")")/$(basename "$0")
tap_failures=/dev/null
[ -z "${WAKELAT_FAILURES:-}" ] || tap_failures=$WAKELAT_FAILURES/${tap_file%/*}-${tap_file#*/}
tap_skipped=${WAKELAT_SKIPPED:-/dev/null}
tap_settings=$(sed -n "s/^# tier: ${WAKELAT_TIER:-none} //p" "$0")
for tap_setting in $tap_settings; do
	export "${tap_setting?}"
done
# These variables are for this test only, not for a test or a tests/check that it runs.
unset WAKELAT_FAILURES WAKELAT_SKIPPED WAKELAT_TIER
status=
out=
err=

tap_exit() {
	tap_status=$?
	trap - EXIT INT TERM HUP
	if command -v cleanup | grep -qx cleanup; then
		cleanup
	fi
	rm -rf "$tmp"
	[ "$tap_status" -eq 0 ] || exit "$tap_status"
	if [ -z "$tap_planned" ]; then
		printf '# %s ended without a plan\n' "$0"
		exit 1
	fi
	[ "$tap_run" -eq "$tap_planned" ] && [ "$tap_failed" -eq 0 ]
	exit $?
}
trap tap_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

plan() {
	tap_planned=$1
	printf '1..%d\n' "$1"
}

done_testing() {
	plan "$tap_run"
}

# tap_skip COUNT REASON: append a row to the table of skipped checks
tap_skip() {
	printf 'tests/%s\t%d\t%s\n' "$tap_file" "$1" "$(printf '%s' "$2" | tr '\n\t' '  ')" >>"$tap_skipped"
}

skip_all() {
	tap_planned=0
	tap_skip 1 "$*"
	printf '1..0 # SKIP %s\n' "$*"
	exit 0
}

bail() {
	printf 'not ok %d - cannot go on: %s\n' "$((tap_run + 1))" "$*" | tee -a "$tap_failures"
	exit 255
}

declared() {
	case " $tap_needs " in
	*" $1 "*) return ;;
	esac
	bail "$0 uses $1, which its line '# needs:' does not have"
}

diag() {
	printf '%s\n' "$*" | sed 's/^/# /' | tee -a "$tap_failures" >&2
}

note() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

# tap_result STATUS NAME: print the result of a check; return 1 if it failed
tap_result() {
	tap_run=$((tap_run + 1))
	if [ "$1" -eq 0 ]; then
		printf 'ok %d - %s\n' "$tap_run" "$2"
		return 0
	fi
	tap_failed=$((tap_failed + 1))
	printf 'not ok %d - %s\n' "$tap_run" "$2"
	diag "failed: $2"
	return 1
}

run() {
	"$@" >"$tmp/tap.out" 2>"$tmp/tap.err" </dev/null
	status=$?
	out=$(cat "$tmp/tap.out")
	err=$(cat "$tmp/tap.err")
	return "$status"
}

names() (
	cd -- "$1" && printf '%s\n' * | paste -sd ' ' -
)

words() {
	tap_words=$1
	shift
	# shellcheck disable=SC2086  # words are what this is for
	"$@" $tap_words
}

tap_show_run() {
	diag "exit status: $status"
	[ -z "$out" ] || diag "stdout: $out"
	[ -z "$err" ] || diag "stderr: $err"
}

ok() {
	tap_name=$1
	shift
	run "$@"
	tap_result "$status" "$tap_name" || tap_show_run
}

not_ok() {
	tap_name=$1
	shift
	run "$@"
	tap_result "$((status == 0))" "$tap_name" || tap_show_run
}

is() {
	[ "$1" = "$2" ]
	tap_result $? "$3" && return
	diag "     got: $1"
	diag "expected: $2"
}

like() {
	printf '%s\n' "$1" | grep -qE -e "$2"
	tap_result $? "$3" && return
	diag "     got: $1"
	diag "expected: /$2/"
}

unlike() {
	! printf '%s\n' "$1" | grep -qE -e "$2"
	tap_result $? "$3" && return
	diag "     got: $1"
	diag "expected nothing like /$2/"
}

same() {
	tap_diff=$(cmp "$1" "$2" 2>&1)
	tap_result $? "$3" || diag "$tap_diff"
}

refused() {
	tap_ere=$1
	tap_name=$2
	shift 2
	run "$@"
	[ "$status" -ne 0 ] && [ -z "$out" ] &&
		[ "$(wc -l <"$tmp/tap.err")" -eq 1 ] &&
		printf '%s\n' "$err" | grep -qE -e "$tap_ere"
	tap_result $? "$tap_name" && return
	diag "expected: a failure and one line on stderr like /$tap_ere/"
	tap_show_run
}

skip() {
	tap_skip "$1" "$2"
	tap_left=$1
	while [ "$tap_left" -gt 0 ]; do
		tap_run=$((tap_run + 1))
		tap_left=$((tap_left - 1))
		printf 'ok %d # SKIP %s\n' "$tap_run" "$2"
	done
}
