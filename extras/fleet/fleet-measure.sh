# SPDX-License-Identifier: GPL-2.0
# fleet-measure.sh - wakelat fleet measure: measure this machine, and leave its counts, or the
# reason why there are none.
# shellcheck shell=sh
#
# Leaves OUTPUT/NAME.counts or OUTPUT/NAME.reason (one line), and OUTPUT/NAME.log. Restores all
# settings that it has changed, also after a signal.
#
# Needs message.sh, analysis.sh, put-file.sh, trust.sh.

# Variables that other files set:
: "${here?the command}" "${me?the command}" "${shown?message.sh}" "${newline?directory.sh}" \
	"${status_incomplete?analysis.sh}"

# shellcheck source=scripts/lib/common/sysfs.sh
. "$here/lib/common/sysfs.sh"
# shellcheck source=scripts/lib/common/journal.sh
. "$here/lib/common/journal.sh"

measure_child=
measure_work=
measure_files=
measure_said=no

# check_words WORD...: refuse everything but record or probe with options that make a recording
check_words() {
	[ $# -gt 0 ] || bad_usage "no measurement is named: put record or probe after --: $me ... -- probe -T 60s"
	case $1 in
	record | probe) ;;
	*) bad_usage "expected record or probe with its options after --, not '$1'" ;;
	esac
	words_command=$1
	shift
	for word; do
		case $word in
		*"$newline"*) bad_usage "a line break in '$word'" ;;
		-o* | -q*o* | --output | --output=*)
			bad_usage "$words_command gets its output directory from fleet measure: leave out '$word'"
			;;
		--resume* | --listen* | --export* | --threshold* | --stop | --live | -h | -q*h* | --help)
			bad_usage "$words_command with '$word' makes no counts: leave it out"
			;;
		esac
	done
}

# run_child COMMAND...: run it, with its messages in the log. A signal ends the wait, and
# measure_leave ends the child.
run_child() {
	"$@" >>"$measure_files.log" 2>&1 </dev/null &
	measure_child=$!
	wait "$measure_child"
	child_status=$?
	measure_child=
	return "$child_status"
}

# run_analysis COMMAND...: as run_child, but succeed if samples are missing, because the counts state
# this
run_analysis() {
	run_child "$@" || [ "$child_status" -eq "$status_incomplete" ]
}

# last_words: print the last line of the log, the error of the last command
last_words() {
	words_last=$(tail -n 1 "$measure_files.log" 2>/dev/null | shown)
	printf '%s\n' "${words_last:-no message}"
}

# measure_owner: print the process ID of an active recording on this machine, or fail. An active
# recording restores the settings itself.
measure_owner() {
	journal_owner "$journal_dir/state" 2>/dev/null || journal_owner "$experiment_file" 2>/dev/null
}

# measure_restore: restore the settings that a killed recording has left changed
measure_restore() {
	[ -e "$journal_dir/state" ] || [ -e "$experiment_file" ] || return 0
	! measure_owner >/dev/null || return 0
	run_child "$here/commands/restore"
}

# write_reason TEXT: write it to OUTPUT/NAME.reason, in one line
write_reason() {
	show "$1"
	printf '%s\n' "$shown" >"$measure_work/reason" &&
		put_file "$measure_work/reason" "$measure_files.reason"
}

# give_nothing STATUS REASON: write the reason, and end
give_nothing() {
	measure_said=yes
	write_reason "$2" || cannot_write "$measure_files.reason"
	say "$2"
	exit "$1"
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
	measure_restore || warn "some settings could not be restored: $(last_words)"
	[ "$measure_said" = yes ] ||
		write_reason "failed: ended by a signal, or an error (status $leave_status): $(last_words)" || :
	rm -rf "$measure_work"
	exit "$leave_status"
}

# option_value NAME WORD...: print the value of the last option --NAME
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

# examine COMMAND WORD...: refuse if wakelat doctor finds the machine unusable. For probe, findings
# about kernel, driver and states do not count, because it needs no patched kernel.
examine() {
	examine_command=$1
	examine_cpu=$(option_value cpu "$@")
	"$here/commands/doctor" --time 0s --tsv ${examine_cpu:+--cpu "$examine_cpu"} \
		>"$measure_work/doctor.tsv" 2>>"$measure_files.log"
	examine_status=$?
	[ "$examine_status" -lt 3 ] || give_nothing 3 "refused: doctor: $(last_words)"
	examine_why=$(awk -F '\t' -v command="$examine_command" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["severity"] != "unusable" { next }
		command == "probe" && $at["check"] ~ /^(kernel|cpuidle_driver|states|cpuidle\.off)$/ { next }
		{ print $at["finding"]; exit }' "$measure_work/doctor.tsv")
	[ -z "$examine_why" ] || give_nothing 3 "refused: doctor: $examine_why"
}

# measure_counts COMMAND WORD...: make $measure_work/counts, or give nothing
measure_counts() {
	counts_command=$1
	shift
	[ "$counts_command" != probe ] || set -- --no-live "$@"
	run_child "$here/commands/$counts_command" -q -o "$measure_work/recording" "$@" ||
		give_nothing 1 "failed: $counts_command: $(last_words)"
	[ "$counts_command" = probe ] || run_analysis "$here/commands/dump" "$measure_work/recording" ||
		give_nothing 1 "failed: dump: $(last_words)"
	run_analysis "$here/commands/stats" -q --counts "$measure_work/counts" "$measure_work/recording" ||
		give_nothing 1 "failed: stats: $(last_words)"
	tail -n 1 "$measure_work/counts" | grep -q '^end	[0-9]' ||
		give_nothing 1 "failed: stats: the counts have no checksum: install cksum on this machine"
}

# fleet_measure COMMAND WORD...
fleet_measure() {
	: "${output?fleet}" "${fleet_name?fleet}" "${fleet_clock?fleet}"
	check_words "$@"
	[ -n "$output" ] || bad_usage "-o DIR is missing: name the directory of the counts"
	[ "$(id -u)" -eq 0 ] || die "must be root: sudo wakelat fleet measure"
	[ -n "$fleet_name" ] || fleet_name=$(read_value /proc/sys/kernel/hostname)
	name_like "$fleet_name" ||
		die "the hostname '$fleet_name' cannot be used as a file name: name this machine with --name"
	own_place "$output"
	measure_files=$(cd "$output" && pwd -P)/$fleet_name || die "cannot enter $output"
	must_trust place "${TMPDIR:-/tmp}" "set TMPDIR to a directory of your own"
	measure_work=$(mktemp -d "${TMPDIR:-/tmp}/wakelat-fleet.XXXXXX") ||
		die "cannot create a temporary directory: is the disk full?"
	trap 'rm -rf "$measure_work"' EXIT
	rm -f "$measure_files.counts" "$measure_files.log"
	write_reason "failed: the measurement began and did not end: killed, or the machine went down" &&
		: >"$measure_files.log" ||
		cannot_write "$measure_files.reason"
	trap measure_leave EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	[ -z "$fleet_clock" ] || printf 'clock: %+d s against the clock of the caller\n' \
		"$(($(date +%s) - fleet_clock))" >>"$measure_files.log"
	! other=$(measure_owner) ||
		give_nothing 1 "failed: a recording is in progress here (process $other): repeat when it has ended"
	measure_restore ||
		give_nothing 1 "failed: a killed recording has left changes that cannot be put back: $(last_words)"
	examine "$@"
	measure_counts "$@"
	put_file "$measure_work/counts" "$measure_files.counts" ||
		give_nothing 1 "failed: cannot write $measure_files.counts: $(write_failure "$measure_files.counts")"
	rm -f "$measure_files.reason"
	measure_said=yes
	say "$measure_files.counts has the counts"
}
