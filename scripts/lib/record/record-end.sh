# SPDX-License-Identifier: GPL-2.0
# record-end.sh - the end of a recording: its files get their names, and what was changed is undone, and only that.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, journal.sh, runtsv.sh, reasons.sh, run-file.sh, recorder.sh, record-runs.sh, output.sh.

# Read here, set there:
: "${work_dir?journal.sh}" "${output?record-options.sh}" "${source?record-options.sh}" "${made_output?output.sh}" \
	"${output_ready?output.sh}" "${barren_s?record-watch.sh}" "${instance?recorder.sh}" "${reason?record-watch.sh}" \
	"${run_started?record-runs.sh}"

recording=no
recorder_failed=no
finished=no
# For message.sh.
: "$log_file"

# record_lost: what the buffer could not hold, for run.tsv; while the recorder still has the instance
record_lost() {
	[ ! -e "$work_dir/lost" ] && [ ! -e "$work_dir/recorded" ] || return 0
	[ -d "$instance" ] || return 0
	instance_stats >"$work_dir/lost" && cat "$work_dir/lost" >>"$work_dir/run.tsv"
}

# check_files: everything is in trace.dat.partial, or dies.
check_files() {
	if [ -n "$listen" ]; then
		[ "$recorder_failed" = no ] || die "the recording at $listen is not complete: $(recorder_message)"
		return 0
	fi
	partial=$output/trace.dat.partial
	[ "$recorder_failed" = no ] && recorder_check "$partial" ||
		die "$partial is not complete: $(recorder_message)"
}

# finish_files: they get their names when they are whole.
finish_files() {
	runtsv_write "$output/run.tsv" && mv "$output/run.tsv.partial" "$output/run.tsv" ||
		die "$output/run.tsv cannot be written: is the disk full?"
	[ -n "$listen" ] || mv "$output/trace.dat.partial" "$output/trace.dat" ||
		die "$output/trace.dat.partial cannot be renamed"
	rm -f "$output/resume"
	finished=yes
}

# judge: the data are there; are they what was asked for?
judge() {
	lost=$(awk '{ n += $2 } END { printf "%.0f\n", n }' "$work_dir/lost")
	[ "$lost" -eq 0 ] || [ -z "$listen" ] ||
		die "lost $lost events: the listener at $listen went away or did not keep up, or the buffer was too small (--buffer)"
	[ "$lost" -eq 0 ] ||
		die "lost $lost events: the buffer was too small: record fewer samples at a time or give a larger --buffer ($output has the rest)"
	! run_is_whole "$reason" || return 0
	case $reason in
	cpu_offline) die "the run ended early: a measured CPU, or the one that sends the events, went offline ($output has what was recorded)" ;;
	suspend) die "the run ended early: the machine was suspended ($output has what was recorded)" ;;
	source_gone) die "the run ended early: source $source went away: was its card or its module removed? ($output has what was recorded)" ;;
	source_clock) die "the run ended early: the clock of source $source jumped: does something else set it? ($output has what was recorded)" ;;
	clock) die "the run ended early: the TSC has turned out to be unstable ($output has what was recorded)" ;;
	barren) die "the run ended early: no untainted sample for $barren_s s; $output/run.tsv counts the events by what became of them" ;;
	*) die "the run ended early ($reason), and not by this command ($output has what was recorded)" ;;
	esac
}

# undone TEXT: called for each thing that was changed back.
undone() {
	log "restored $*"
}

# What is left of a recording that did not come to its end.
keep_partial() {
	runtsv_write "$output/run.tsv" || :
	case $leave_status in
	129 | 130 | 143)
		keep_hint=
		[ ! -e "$output/resume" ] || keep_hint="; go on with it: wakelat record --resume $output"
		warn "ended by signal $((leave_status - 128)): what was recorded is in $output/trace.dat.partial$keep_hint"
		;;
	esac
}

# clear_output: of a recording in which no run was. What is undone after this is not logged: that would make the file anew.
clear_output() {
	log_file=
	rm -f "$output/record.log" "$output/resume" "$output"/doctor.tsv* "$output"/run.tsv* "$output"/trace.dat.partial*
	[ "$made_output" = no ] || rmdir "$output"
}

leave() {
	leave_status=$?
	trap '' HUP INT TERM
	trap - EXIT
	progress_end
	[ -z "$placing" ] || rm -f "$placing"
	if [ "$recording" = yes ]; then
		run_write stop || :
		[ -z "$waiter" ] || wait "$waiter"
		guard_end
		# In a subshell: what fails there must not keep the settings from being put back.
		(run_ended) || :
		record_lost
		instance_triggers_end
		recorder_end || :
	fi
	if [ "$finished" = yes ]; then
		:
	elif [ -n "$resume" ] || [ "$run_started" = yes ]; then
		[ "$recording" = no ] || (keep_partial) || :
	elif [ "$output_ready" = yes ]; then
		clear_output
	fi
	if journal_is_ours; then
		if journal_undo; then
			unfinished_end
		else
			warn "some settings could not be restored: run wakelat restore"
			[ "$leave_status" -ne 0 ] || leave_status=1
		fi
	else
		journal_not_begun
	fi
	exit "$leave_status"
}
