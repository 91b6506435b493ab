# SPDX-License-Identifier: GPL-2.0
# directory.sh - a recording's directory: whether to trust it, and the values in its run.tsv.
# shellcheck shell=sh
#
# Needs message.sh, trust.sh, results.sh, analysis.sh.

# Variables that other files set:
: "${here?the command}" "${distrust?trust.sh}" "${place?results.sh}" "${tools?analysis.sh}"

# The results of find_run, take_data_set and note_machine.
run_found=
data_set=
machine_note=
: "$run_found" "$data_set" "$machine_note"

# See take_directory.
dir=

# The ends of a field and of a row in a table.
tab='	'
newline='
'

# yes: the command can use counts.tsv instead of samples.
counts=no

# yes: a program of the command reads run.tsv and the traces, and checks how many samples there are.
program_reads=no

# The file with the samples, or with their counts. See take_directory.
samples_file=

# The directories that were checked, one a line. They need no second check: only this user can add
# files to a trusted directory.
checked_directories=$newline

# check_files: dies unless the files in $dir are regular files that belong to the recording, and
# small enough for awk. A link could bring somebody else's data into a report. Reading a pipe could
# block.
check_files() {
	case $checked_directories in
	*"$newline$dir$newline"*) return ;;
	esac
	[ -r "$dir" ] || die "${dir#./} cannot be listed, so its files cannot be checked: chmod u+r $(path_word "$dir")"
	set -- "$dir"/*.tsv "$dir"/trace*.dat
	[ $# -le 1000 ] || die "${dir#./} has $# tables and traces, but no recording has more than 1000"
	set --
	for check_file in "$dir"/*.tsv "$dir"/trace*.dat "$dir"/cpuidle.txt "$dir"/report.html; do
		[ ! -e "$check_file" ] && [ ! -L "$check_file" ] || set -- "$@" "$check_file"
	done
	checked_directories=$checked_directories$dir$newline
	[ $# -gt 0 ] || return 0
	trusted_files "$@" || die "not trusted: $distrust: check it, and remove it or replace it with a regular file"
	# No command reads the testbed's truth logs, so they may be longer.
	set --
	for check_file in "$dir"/*.tsv; do
		case ${check_file##*/} in
		truth*) ;;
		*) [ ! -e "$check_file" ] || set -- "$@" "$check_file" ;;
		esac
	done
	[ $# -eq 0 ] || {
		need_tools check-tables
		"$tools/check-tables" "$@" || exit
	}
}

# take_files FROM TO: copies the files of a recording that commands read. Each file is opened once, and
# links are refused, so another user who can change FROM can only insert data of his own.
take_files() {
	need_tools safe-copy
	set -- "$1" "$2" run.tsv samples.tsv counts.tsv doctor.tsv 'stats*.tsv' verdict.tsv compare.tsv trace.dat 'trace-*.dat' cpuidle.txt
	for take_schema in "$here"/../extras/*/schema.tsv; do
		[ -e "$take_schema" ] || continue
		while IFS=$tab read -r take_table take_column; do
			case "$take_column $* " in
			column* | *" $take_table "*) ;;
			*) set -- "$@" "$take_table" ;;
			esac
		done <"$take_schema"
	done
	"$tools/safe-copy" take "$@"
}

# distrusted DIRECTORY: dies; the message has the command that makes a copy
distrusted() {
	die "${1#./}: not trusted: $distrust: copy it (wakelat import -o COPY $(path_word "$1")), or run this as its owner"
}

# not_a_directory ARGUMENT: dies; for a file of counts, the message says how to import it
not_a_directory() {
	[ "$(head -c 15 "$dir" 2>/dev/null | tr -d '\0')" != "wakelat-counts$tab" ] ||
		die "$1 is a file of counts: make a directory from it with wakelat import -o DIRECTORY $(path_word "$1")"
	die "$1: not a directory; give the one that wakelat record wrote"
}

# take_samples_file ARGUMENT: sets $samples_file; dies if $dir has nothing that the command can use
take_samples_file() {
	samples_file=$dir/samples.tsv
	[ ! -e "$samples_file" ] && [ ! -e "$dir/trace.dat" ] || return 0
	if [ -e "$dir/counts.tsv" ]; then
		[ "$counts" = yes ] || die "$1 has only counts: this command needs the samples in their order"
		samples_file=$dir/counts.tsv
		return
	fi
	[ ! -e "$dir/histogram.tsv" ] || die "$1: a histogram that an older wakelat imported: import it again"
	die "$1: has no trace.dat: not a directory that wakelat record wrote"
}

# are_counts: true if $dir has counts instead of samples
are_counts() {
	[ "$samples_file" = "$dir/counts.tsv" ]
}

# counts_order: prints a note about the missing order, if the recording has counts
counts_order() {
	! are_counts || printf 'Counts have no order, so the bounds assume independent samples.\n'
}

# take_directory ARGUMENT: checks a recording's directory; sets $dir, $data_set, $samples_file
take_directory() {
	take_place "$1"
	dir=$place
	take_data_set
	case $dir/$data_set in
	*"$tab"* | *"$newline"*) die "the name of a directory has a TAB or a line break, which a table cannot hold: rename it" ;;
	esac
	[ -e "$dir" ] || die "$1: no such directory"
	[ -d "$dir" ] || not_a_directory "$1"
	trusted_directory "$dir" || distrusted "$dir"
	check_files
	take_samples_file "$1"
	[ -r "$dir/run.tsv" ] || die "$1/run.tsv, which says what was measured, is missing or cannot be read"
	{ IFS= read -r directory_line <"$dir/run.tsv"; } 2>/dev/null && [ "$directory_line" = "key${tab}value" ] || die "$1/run.tsv:1: not 'key<TAB>value'"
	[ "$program_reads" = yes ] || [ "$run_of" = "$dir" ] || read_run
}

# The lines of run.tsv whose keys have no dot. Keys with a dot, of states, CPUs and runs, can be
# thousands.
run_lines=
run_of=

# read_run: sets $run_lines from $dir/run.tsv, and $run_of to $dir
read_run() {
	run_lines=$newline$(awk -F '\t' 'index($1, ".") == 0' "$dir/run.tsv")$newline
	run_of=$dir
}

# find_run KEY: sets $run_found to its value in run.tsv, or to nothing
find_run() {
	[ "$run_of" = "$dir" ] || read_run
	run_found=
	if [ "${#run_lines}" -gt 16384 ]; then
		# The time that a shell needs to cut off the beginning of a text grows with the
		# square of the text's length.
		run_found=$(awk -F '\t' -v key="$1" '$1 == key { print $2; exit }' "$dir/run.tsv")
		return
	fi
	case $run_lines in
	*"$newline$1$tab"*)
		run_found=${run_lines#*"$newline$1$tab"}
		run_found=${run_found%%["$newline$tab"]*}
		;;
	esac
}

# run_value KEY: prints it
run_value() {
	find_run "$1"
	printf '%s\n' "$run_found"
}

# note_machine [GUEST]: sets $machine_note to a note for titles if the machine is not a real one, or its
# idle states are artificial (cpuidle-artificial). GUEST is a shorter note for a guest.
note_machine() {
	find_run emulated
	case $run_found in
	no) machine_note= ;;
	yes) machine_note=emulated ;;
	hypervisor) machine_note=${1-"guest: contains the hypervisor's latency"} ;;
	*) machine_note='unknown machine' ;;
	esac
	find_run driver
	[ "$run_found" != artificial ] || machine_note="${machine_note:+$machine_note, }artificial states"
	machine_note=${machine_note:+ ($machine_note)}
}

# limits_line [TABLE [BRIEF]]: prints what the recording says nothing about. TABLE has the number of
# samples of each state.
limits_line() {
	need_tools answer
	"$tools/answer" limits ${2:+-b} "$dir/run.tsv" ${1:+"$1"}
}

# take_data_set: sets $data_set to the name of the recording, which is the name of its directory
take_data_set() {
	data_set=${dir##*/}
	case $data_set in
	'' | . | ..) data_set=$(cd "$dir" 2>/dev/null && printf '%s\n' "${PWD##*/}") ;;
	esac
}
