# SPDX-License-Identifier: GPL-2.0
# output.sh - create the directory that a session writes to, and its files.
# shellcheck shell=sh
#
# Needs message.sh, trust.sh, put-file.sh, runtsv.sh, revision.sh. write_doctor needs doctor.sh and
# doctor-tracing.sh.

# Variables that other files set:
: "${here?the command}" "${work_dir?journal.sh}" "${ldist_mode?session-options.sh}" "${ldist_min?session-options.sh}" \
	"${ldist_max?session-options.sh}" "${seed?session-options.sh}" "${samples?session-options.sh}" "${duration?session-options.sh}" \
	"${revision_found?revision.sh}"

made_output=no
output_ready=no
finished=no
# session.sh and message.sh read these.
: "$output_ready" "$finished" "$log_file"

# new_output VERB: creates $output, or dies if it exists and is not empty. The default name has the
# date. VERB is for messages.
new_output() {
	[ -n "$output" ] || output=wakelat-$(utc_date | tr -d ':-')
	case $output in
	/*) ;;
	*) output=./$output ;;
	esac
	if [ -e "$output" ]; then
		[ -d "$output" ] || die "$output exists and is not a directory"
		[ -z "$(ls -A "$output")" ] || die "$output exists and is not empty: choose another with -o"
	else
		while [ "$output" != "${output%?/}" ]; do
			output=${output%/}
		done
		output_parent=${output%/*}
		must_trust place "${output_parent:-/}" "$1 into a directory of your own"
		create_directory "$output"
		made_output=yes
	fi
	must_trust directory "$output" "$1 into a directory of your own"
	open_output "$output"
}

# open_output DIR: sets $output to the absolute path of DIR, and opens the log in it.
open_output() {
	{ output=$(cd "$1" && pwd -P) && : >>"$output/record.log"; } 2>/dev/null || cannot_write "$1"
	output_ready=yes
	log_file=$output/record.log
}

# clear_output FILE...: after a session without results, removes its log, doctor.tsv, run.tsv and
# FILE..., complete or partial, and the directory if the session created it. Settings that are
# restored after this are not logged, because that would create the log again.
clear_output() {
	log_file=
	for output_file in record.log doctor.tsv run.tsv "$@"; do
		rm -f "$output/$output_file" "$output/$output_file".*
	done
	[ "$made_output" = no ] || rmdir "$output" 2>/dev/null ||
		warn "$output has no result and cannot be removed, because it has $(cd "$output" && printf '%s ' *): check these files, and remove it"
}

# facts_session CPU SOURCE CPUS: adds facts of the machine, the states of CPU as they are, the
# revision of wakelat, the source and the measured CPUs
facts_session() {
	facts_machine "$1"
	facts_states "$1"
	find_revision "$here"
	fact revision "$revision_found"
	fact source "$2"
	fact cpus "$3"
}

# facts_asked CLOCK STATES RECORDER_CPUS: adds the options, and the choices that follow from them
facts_asked() {
	fact source_clock "$1"
	fact states "$2"
	if [ -n "$ldist_mode" ]; then
		fact ldist_mode "$ldist_mode"
		fact ldist_min_ns "$ldist_min"
		fact ldist_max_ns "$ldist_max"
		fact seed "$seed"
	fi
	fact max_samples "${samples:-0}"
	fact max_duration_s "${duration:-0}"
	fact recorder_cpus "$3"
}

# write_doctor CPUS CARDS: writes doctor.tsv, the findings of wakelat doctor about the machine in
# the state in which it is measured
write_doctor() {
	doctor_begin "$work_dir/doctor.tsv"
	: "${doctor_file?doctor.sh}"
	doctor_examine "$1" "$2"
	: "${tracers_active?doctor-tracing.sh}"
	if [ -n "$tracers_active" ]; then
		warn "a tracer is active ($tracers_active): latencies are too long, above all those of states that are entered with interrupts on: see wakelat doctor"
		fact tracers "$tracers_active"
		fact caveat "a tracer was active ($tracers_active), so latencies are too long by an unknown time, above all interrupt latencies (states marked intr.)"
	fi
	put_file "$doctor_file" "$output/doctor.tsv" || cannot_write "$output/doctor.tsv"
}

# save_facts: writes the facts so far to run.tsv.partial
save_facts() {
	runtsv_write "$output/run.tsv" || cannot_write "$output/run.tsv"
}

# finish_output FILE...: renames run.tsv.partial and each FILE.partial, which are complete now.
finish_output() {
	save_facts
	for output_file in run.tsv "$@"; do
		mv "$output/$output_file.partial" "$output/$output_file" || die "$output/$output_file.partial cannot be renamed"
	done
	finished=yes
}
