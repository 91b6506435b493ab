# SPDX-License-Identifier: GPL-2.0
# doctor.sh - report what on this machine will distort a measurement, one finding a line.
# shellcheck shell=sh
#
# A check reads files and calls `finding`. It never guesses: if a file cannot be read, the finding
# is `unknown`, with the reason. There is no finding about a feature that the machine lacks. Checks
# read files with builtins of the shell, because each process costs time: `record` makes a doctor.tsv
# with each recording, on the measured CPU if the machine has no other.
#
# Needs message.sh, sysfs.sh, cpulist.sh, units.sh.

# Variables that other files set:
: "${root?sysfs.sh}" "${shown?message.sh}"

doctor_tab='	'
# See doctor_begin and get.
doctor_file=
doctor_doubts=0
value=
: "$doctor_tab" "$doctor_doubts" "$value"
# yes: also make checks that take up to a second. `doctor` does so, a recording does not.
doctor_slow=no
# See doctor-all.sh.
doctor_parts=

# finding CHECK SUBJECT SEVERITY VALUE TEXT [CHANGE BACK [PREPARATION]]: adds a line to doctor.tsv
#	SUBJECT		machine, cpuN, or a PCI address
#	SEVERITY	ok, note, doubt, unusable, unknown
#	CHANGE, BACK	commands that change the setting, and change it back
#	PREPARATION	the name of the change in `record --prepare`
finding() {
	finding_line=$1
	case $3 in
	doubt | unusable) doctor_doubts=$((doctor_doubts + 1)) ;;
	esac
	shift
	while [ $# -lt 7 ]; do
		set -- "$@" -
	done
	for finding_cell; do
		case $finding_cell in
		'') finding_cell=- ;;
		# The name of a process or of a timer can have any characters.
		*[!\ -~]*)
			show "$finding_cell"
			finding_cell=$shown
			;;
		esac
		finding_line=$finding_line$doctor_tab$finding_cell
	done
	{ printf '%s\n' "$finding_line" >>"$doctor_file"; } 2>/dev/null || doctor_cannot_write
}

# doctor_cannot_write: die because a file of the findings could not be written. It is a temporary file: the user does not know
# its name, but its directory.
doctor_cannot_write() {
	die "cannot write temporary files in ${doctor_file%/*/*}: $(write_failure "${doctor_file%/*}")"
}

# get FILE: sets $value to its first line. Returns 1 if there is no such file, 2 if it cannot be
# read.
get() {
	value=
	[ -e "$root$1" ] || return 1
	{ IFS= read -r value <"$root$1" || [ -n "$value" ]; } 2>/dev/null && return
	[ -r "$root$1" ] || return 2
	# `read` of dash and busybox reads byte by byte, which fails for topology/*_list of a CPU.
	value=$(head -n 1 "$root$1" 2>/dev/null) || return 2
}

# unread CHECK SUBJECT FILE: adds the finding that FILE cannot be read, or none if there is no such
# file: the machine lacks the feature. Call it only after `get` has failed.
unread() {
	[ -e "$root$3" ] || return 0
	finding "$1" "$2" unknown - "$3 cannot be read: run as root"
}

# known CHECK SUBJECT FILE: as get, but calls unread and returns 1 if get fails
known() {
	get "$3" || {
		unread "$1" "$2" "$3"
		return 1
	}
}

# doctor_begin FILE: begins FILE, to which findings are added, with the header line. $doctor_doubts
# is the number of findings so far that are a doubt or unusable.
doctor_begin() {
	doctor_file=$1
	doctor_doubts=0
	{ printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\n' >"$doctor_file"; } 2>/dev/null || doctor_cannot_write
}

# doctor_examine CPUS NICS: makes all checks that need no waiting. CPUS are numbers, and NICS are
# PCI addresses, both as words.
doctor_examine() {
	check_machine_findings
	for doctor_part in $doctor_parts; do
		"$doctor_part" "$doctor_slow"
	done
	check_tracing
	for doctor_cpu in $1; do
		check_cpu_findings "$doctor_cpu"
	done
	for doctor_nic in $2; do
		# Findings about the card are relative to the first CPU.
		check_nic_findings "$doctor_nic" "${1%% *}"
	done
}

# doctor_verdict FILE: returns 0 if the machine is usable, 1 if usable with doubts, 2 if not usable.
doctor_verdict() {
	awk -F '\t' 'NR > 1 { n[$3]++ } END { exit n["unusable"] ? 2 : n["doubt"] + n["unknown"] ? 1 : 0 }' "$1"
}
