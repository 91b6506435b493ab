# SPDX-License-Identifier: GPL-2.0
# resume.sh - go on with an interrupted recording of several runs. Complete runs are kept.
# shellcheck shell=sh
#
# Until a recording of several runs is complete, it has a file `resume` with its options, one a
# line, and a run.tsv.partial with the runs so far. --resume renames the trace so far to trace-1.dat
# (trace-2.dat, ...). run.tsv names the file of each kept run, and the run's number in that file.
# dump reads all these files.
#
# Needs message.sh, trust.sh, put-file.sh, reasons.sh, runtsv.sh, journal.sh.

# Variables that other files set:
: "${journal_tab?journal.sh}" "${work_dir?journal.sh}" "${reasons_whole?reasons.sh}" \
	"${output?session-options.sh}" "${plan_runs?record-plan.sh}" "${status_value?tracefs.sh}"

# See resume_begin and resume_options.
resume_plans=' '
resume_saved=
: "$resume_saved"

# resume_options DIR: sets $resume_saved to the options of the recording in DIR, or dies.
resume_options() {
	[ -d "$1" ] || die "--resume: there is no directory $1"
	must_trust directory "$1" "--resume would use its options and its table; begin a new recording"
	if [ ! -r "$1/resume" ]; then
		[ ! -e "$1/trace.dat" ] || die "$1 is complete: nothing is left to record"
		die "$1 cannot be resumed: it has no file 'resume', so it is not a recording of several runs that was interrupted"
	fi
	for resume_file in "$1/resume" "$1"/record.log "$1"/run.tsv* "$1"/trace*.dat* "$1"/doctor.tsv*; do
		[ ! -e "$resume_file" ] && [ ! -L "$resume_file" ] ||
			must_trust files "$resume_file" "--resume would use its options and its table; begin a new recording"
	done
	resume_saved=$(cat "$1/resume") || die "$1/resume cannot be read"
}

# resume_note ARGUMENT...: writes the options for a later --resume, or dies.
resume_note() {
	{ printf '%s\n' "$@" >"$output/resume"; } 2>/dev/null || cannot_write "$output/resume"
}

# resume_begin: examines the old recording, and changes nothing yet. Sets $resume_part to the new
# name of the old trace, and $resume_plans to the numbers of the complete runs in the plan.
resume_begin() {
	resume_old=$output/run.tsv.partial
	resume_part=
	[ -r "$resume_old" ] || {
		say "no run in $output is complete: all runs are recorded again"
		return
	}
	[ -z "$(tail -c 1 "$resume_old")" ] ||
		die "$resume_old: the last line is cut off: begin a new recording"
	resume_whole=0
	! trace_is_whole "$output/trace.dat.partial" || resume_whole=1
	resume_index=1
	while [ -e "$output/trace-$resume_index.dat" ]; do
		resume_index=$((resume_index + 1))
	done
	resume_part=trace-$resume_index.dat
	for resume_key in hostname kernel_version cpu_model driver; do
		resume_was=$(awk -F '\t' -v key="$resume_key" '$1 == key { print $2; exit }' "$resume_old")
		resume_is=$(awk -F '\t' -v key="$resume_key" '$1 == key { print $2; exit }' "$work_dir/run.tsv")
		[ "$resume_was" = "$resume_is" ] ||
			die "$output cannot be resumed here: its $resume_key is '$resume_was', this machine's '$resume_is'"
	done
	# Keep the lines of the complete runs and of their warm-ups, and add the file of each run.
	awk -F '\t' -v OFS='\t' -v part="$resume_part" -v whole_trace="$resume_whole" -v reasons=" $reasons_whole " '
		FNR == NR {
			if ($1 ~ /^run\.[0-9]+\./) {
				split($1, key, ".")
				if (key[3] == "plan")
					plan[key[2]] = $2
				if (key[3] == "reason" && index(reasons, " " $2 " "))
					whole[key[2]] = 1
				if (key[3] == "warmup")
					warmup[key[2]] = 1
				if (key[3] == "trace")
					filed[key[2]] = $2
			}
			next
		}
		FNR == 1 {
			for (run in plan) {
				if (!whole_trace && (!(run in filed) || filed[run] == "trace.dat"))
					whole[run] = 0
				if (whole[run] && !warmup[run])
					done[plan[run]] = 1
			}
		}
		$1 ~ /^run\.[0-9]+\./ {
			split($1, key, ".")
			run = key[2]
			if (!(plan[run] in done) || !whole[run])
				next
			# trace.dat.partial is renamed to `part`. Traces that were renamed before keep their names.
			if (key[3] == "trace" && $2 == "trace.dat")
				$2 = part
			print
			if (key[3] == "plan" && !(run in filed)) {
				print "run." run ".trace", part
				print "run." run ".trace_run", run
			}
		}' "$resume_old" "$resume_old" >"$work_dir/kept"
	resume_plans=" $(sed -n "s/^run\.[0-9]*\.plan$journal_tab//p" "$work_dir/kept" | sort -un | tr '\n' ' ')"
	resume_last=$(sed -n 's/^run\.\([0-9]*\)\..*/\1/p' "$work_dir/kept" | sort -n | tail -n 1)
	# The kernel counts runs since boot, so after a reboot it may use numbers of kept runs again.
	read_status run
	[ "$status_value" -ge "${resume_last:-0}" ] || run_offset=$resume_last
	: "$run_offset"
}

# resume_has PLAN_NUMBER: succeeds if this run of the plan is complete
resume_has() {
	case $resume_plans in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}

# resume_take: makes the old trace a part of this recording
resume_take() {
	[ -n "$resume_part" ] || return 0
	[ "$resume_whole" = 0 ] || mv "$output/trace.dat.partial" "$output/$resume_part" ||
		die "$output/trace.dat.partial cannot be renamed"
	cat "$work_dir/kept" >>"$work_dir/run.tsv" || cannot_write "$work_dir/run.tsv"
	fact resumed "$resume_index"
	say "resumed: $(printf '%s\n' "$resume_plans" | wc -w) of $plan_runs runs are complete"
	# A resume after a second interruption needs these facts.
	save_facts
}
