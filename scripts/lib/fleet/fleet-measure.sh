# SPDX-License-Identifier: GPL-2.0
# fleet-measure.sh - what each machine of a fleet does, whoever told it to: looks at itself, measures, makes counts, puts back.
# shellcheck shell=sh
#
# Leaves in the directory: state.tsv (what became of it, and why), doctor.tsv, measure.log, and if it came to that, counts.
# A machine that cannot be measured refuses: another try would end alike. What fails otherwise is tried again.
#
# Needs message.sh, sysfs.sh, journal.sh, trust.sh, place.sh, state.sh.

# Read here, set there:
: "${here?the command}" "${fleet_dir?fleet-options.sh}" "${fleet_tries?fleet-options.sh}" "${fleet_name?fleet-options.sh}" \
	"${fleet_clock?fleet-options.sh}" "${journal_dir?journal.sh}"

measure_child=
measure_work=
measure_status=1

# run_child COMMAND...: what it says goes into the log. A signal ends the waiting, and measure_leave ends the child.
run_child() {
	"$@" >>"$fleet_dir/measure.log" 2>&1 </dev/null &
	measure_child=$!
	wait "$measure_child"
	child_status=$?
	measure_child=
	return "$child_status"
}

# last_words: the last line that a command has said: what its error was
last_words() {
	last=$(tail -n 1 "$fleet_dir/measure.log" 2>/dev/null | shown)
	printf '%s\n' "${last:-it said nothing}"
}

# measure_other: the process of a recording that is at work here, and puts back what it changes by itself
measure_other() {
	journal_owner "$journal_dir/state" 2>/dev/null || journal_owner "$journal_dir/experiment" 2>/dev/null
}

# measure_restore: what a recording that was killed has left
measure_restore() {
	[ -e "$journal_dir/state" ] || [ -e "$journal_dir/experiment" ] || return 0
	! measure_other >/dev/null || return 0
	run_child "$here/commands/restore"
}

# ended STATE REASON: the machine's word, and the end of this
ended() {
	state_set state "$1"
	state_set reason "$2"
	state_set ended "$(date +%s)"
	state_write "$fleet_dir/state.tsv" || die "$fleet_dir/state.tsv: cannot be written: is the disk full?"
	state_said=yes
	case $1 in
	gave) measure_status=0 ;;
	refused) measure_status=3 ;;
	*) measure_status=1 ;;
	esac
	say "$1: $2"
	exit "$measure_status"
}

measure_leave() {
	leave_status=$?
	trap - EXIT
	trap '' HUP INT TERM
	if [ -n "$measure_child" ]; then
		kill -TERM "$measure_child" 2>/dev/null
		wait "$measure_child"
		measure_child=
	fi
	measure_restore || warn "not everything could be put back: $(last_words)"
	[ -z "$measure_work" ] || rm -rf "$measure_work"
	rm -f "$fleet_dir"/*.partial.*
	if [ "$state_said" = no ]; then
		state_set state failed
		state_set reason "ended by a signal, or an error (status $leave_status): $(last_words)"
		state_set ended "$(date +%s)"
		state_write "$fleet_dir/state.tsv" || :
	fi
	exit "$leave_status"
}

# option_value NAME WORD...: what the measurement is given as --NAME; the last one counts
option_value() (
	name=$1
	shift
	value=
	while [ $# -gt 0 ]; do
		case $1 in
		"--$name") [ $# -lt 2 ] || value=$2 ;;
		"--$name="*) value=${1#*=} ;;
		esac
		shift
	done
	printf '%s\n' "$value"
)

# look COMMAND WORD...: wakelat doctor first. What a stock kernel lacks is nothing that probe needs.
look() {
	look_command=$1
	look_cpu=$(option_value cpu "$@")
	"$here/commands/doctor" --time 0s --tsv ${look_cpu:+--cpu "$look_cpu"} >"$measure_work/doctor.tsv" 2>>"$fleet_dir/measure.log"
	look_status=$?
	[ "$look_status" -lt 3 ] || ended refused "doctor: $(last_words)"
	put_file "$measure_work/doctor.tsv" "$fleet_dir/doctor.tsv" || ended failed "$fleet_dir/doctor.tsv cannot be written: is the disk full?"
	look_why=$(awk -F '\t' -v command="$look_command" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["severity"] != "unusable" { next }
		command == "probe" && $at["check"] ~ /^(kernel|cpuidle_driver|states|cpuidle\.off)$/ { next }
		{ print $at["finding"]; exit }' "$measure_work/doctor.tsv")
	[ -z "$look_why" ] || ended refused "doctor: $look_why"
	state_set doubts "$(awk -F '\t' '$3 == "doubt" { n++ } END { print n + 0 }' "$measure_work/doctor.tsv")"
}

# analysed COMMAND WORD...: status 3 says that samples are missing; the counts say so as well
analysed() {
	analysed_command=$1
	shift
	run_child "$here/commands/$analysed_command" "$@"
	analysed_status=$?
	[ "$analysed_status" -ne 3 ] || measure_note="samples are missing: $(last_words)"
	[ "$analysed_status" -eq 0 ] || [ "$analysed_status" -eq 3 ]
}

# measure_once COMMAND WORD...: fails with the reason in $measure_why
measure_once() {
	measure_command=$1
	rm -rf "$measure_work/recording" "$measure_work/counts"
	measure_why=
	measure_note=-
	shift
	[ "$measure_command" != probe ] || set -- --no-live "$@"
	if ! run_child "$here/commands/$measure_command" -q -o "$measure_work/recording" "$@"; then
		measure_why="$measure_command: $(last_words)"
	elif [ "$measure_command" = record ] && ! analysed dump "$measure_work/recording"; then
		measure_why="dump: $(last_words)"
	elif ! analysed stats -q --counts "$measure_work/counts" "$measure_work/recording"; then
		measure_why="stats: $(last_words)"
	elif ! tail -n 1 "$measure_work/counts" | grep -q '^end	[0-9]'; then
		measure_why="stats: the counts have no end: does this machine have cksum?"
	elif ! put_file "$measure_work/counts" "$fleet_dir/counts"; then
		measure_why="$fleet_dir/counts: cannot be written: is the disk full?"
	fi
	[ -z "$measure_why" ]
}

# note_clock: how far this machine's clock is from that of who told it to measure. Latencies do not depend on it, the
# date of the recording does.
note_clock() {
	state_set clock_off_s -
	[ -z "$fleet_clock" ] || state_set clock_off_s "$(($(date +%s) - fleet_clock))"
}

# fleet_measure COMMAND WORD...
fleet_measure() {
	check_words "$@"
	[ -n "$fleet_dir" ] || bad_usage "where to? -o DIR is missing"
	[ "$(id -u)" -eq 0 ] || die "must be root: sudo wakelat fleet measure"
	[ -n "$fleet_name" ] || fleet_name=$(read_value /proc/sys/kernel/hostname)
	own_place "$fleet_dir"
	fleet_dir=$(cd "$fleet_dir" && pwd -P) || die "$fleet_dir: cannot be entered"
	state_said=no
	state_begin
	state_set node "$fleet_name"
	state_set hostname "$(read_value /proc/sys/kernel/hostname)"
	state_set kernel "$(uname -r)"
	state_set began "$(date +%s)"
	note_clock
	must_trust place "${TMPDIR:-/tmp}" "set TMPDIR to a directory of your own"
	measure_work=$(mktemp -d "${TMPDIR:-/tmp}/wakelat-fleet.XXXXXX") || die "no temporary directory can be made: is the disk full?"
	trap measure_leave EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	rm -f "$fleet_dir/counts"
	: >"$fleet_dir/measure.log" || die "$fleet_dir/measure.log: cannot be written"
	state_set state began
	state_set reason -
	state_write "$fleet_dir/state.tsv" || die "$fleet_dir/state.tsv: cannot be written: is the disk full?"
	! other=$(measure_other) || ended failed "a recording is at work here (process $other): again when it has ended"
	measure_restore || ended failed "a recording has left this machine changed, and it cannot be put back: $(last_words)"
	look "$@"
	measure_try=1
	until measure_once "$@"; do
		measure_restore || ended failed "$measure_why; and not everything could be put back"
		[ "$measure_try" -lt "$fleet_tries" ] || ended failed "$measure_why"
		measure_try=$((measure_try + 1))
	done
	state_set tries "$measure_try"
	ended gave "$measure_note"
}
