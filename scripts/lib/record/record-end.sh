# SPDX-License-Identifier: GPL-2.0
# record-end.sh - end a recording: check that it is complete and as requested, and keep what was
# recorded if it ends early.
# shellcheck shell=sh
#
# Needs message.sh, journal.sh, runtsv.sh, reasons.sh, run-file.sh, recorder.sh, record-runs.sh, output.sh, session.sh.

# Variables that other files set:
: "${work_dir?journal.sh}" "${output?session-options.sh}" "${source?session-options.sh}" \
	"${barren_s?record-watch.sh}" "${instance?recorder.sh}" "${reason?record-watch.sh}" \
	"${threshold?record-options.sh}" "${run_started?record-runs.sh}" "${journal_tab?journal.sh}"

recording=no
recorder_failed=no
# See record_lost.
lost=0

# record_lost: adds the numbers of lost events to run.tsv, and sets $lost to their sum. Call it
# while the recorder still has the instance.
record_lost() {
	[ ! -e "$work_dir/lost" ] && [ ! -e "$work_dir/recorded" ] || return 0
	[ -d "$instance" ] || return 0
	instance_stats >"$work_dir/lost" || return
	while IFS=$journal_tab read -r lost_key lost_number; do
		fact "$lost_key" "$lost_number"
		lost=$((lost + lost_number))
	done <"$work_dir/lost"
}

# check_files: dies if trace.dat.partial, or the recording at the listener, is not complete.
check_files() {
	if [ -n "$listen" ]; then
		[ "$recorder_failed" = no ] || die "the recording at $listen is not complete: $(recorder_message)"
		return 0
	fi
	partial=$output/trace.dat.partial
	[ "$recorder_failed" = no ] && recorder_check "$partial" ||
		die "$partial is not complete: $(recorder_message)"
}

# judge: dies if events were lost, or if a run ended for another reason than requested.
judge() {
	[ "$lost" -eq 0 ] || [ -z "$listen" ] ||
		die "lost $lost events: the listener at $listen disconnected or was too slow, or the buffer was too small (--buffer)"
	[ "$lost" -eq 0 ] ||
		die "lost $lost events: the buffer was too small: record fewer samples at a time or give a larger --buffer ($output has the rest)"
	! run_is_whole "$reason" || return 0
	case $reason in
	cpu_offline) die "the run ended early: a measured CPU, or the one that sends the events, went offline ($output has what was recorded)" ;;
	suspend) die "the run ended early: the machine was suspended ($output has what was recorded)" ;;
	source_gone) die "the run ended early: source $source disappeared: was its card or its module removed? ($output has what was recorded)" ;;
	source_clock) die "the run ended early: the clock of source $source jumped: does something else set it? ($output has what was recorded)" ;;
	clock) die "the run ended early: the TSC has turned out to be unstable ($output has what was recorded)" ;;
	barren) die "the run ended early: no untainted sample for $barren_s s; $output/run.tsv has the number of events by outcome" ;;
	*) die "something else ended the run early ($reason); $output has what was recorded" ;;
	esac
}

# Write run.tsv.partial of an unfinished recording. After a signal, say where the recording is.
keep_partial() {
	: "${leave_status?session.sh}"
	runtsv_write "$output/run.tsv" || :
	case $leave_status in
	129 | 130 | 143)
		keep_hint=
		[ ! -e "$output/resume" ] || keep_hint="; continue it with: wakelat record --resume $output"
		warn "ended by signal $((leave_status - 128)): what was recorded is in $output/trace.dat.partial$keep_hint"
		;;
	esac
}

stop_measuring() {
	[ "$recording" = yes ] || return 0
	run_write stop || :
	[ -z "$waiter" ] || wait "$waiter"
	guard_end
	run_settled
	# In a subshell, so that a failure there does not prevent restoring the settings.
	(run_ended_early) || :
	[ "$threshold" -eq 0 ] || {
		threshold_end
		(threshold_facts) || :
	}
	record_lost
	instance_triggers_end
	recorder_end || :
}

leave_unfinished() {
	if [ -z "$resume" ] && [ "$run_started" = no ]; then
		clear_output resume trace.dat.partial outliers.tsv.partial
	elif [ "$recording" = yes ]; then
		(keep_partial) || :
	fi
}
