# SPDX-License-Identifier: GPL-2.0
# doctor.sh - what on this machine will distort a measurement: findings, one line each.
# shellcheck shell=sh
#
# A check reads files and calls `finding`. It never guesses: what cannot be read is `unknown`, with the
# reason, and what the machine does not have is not mentioned. Files are read by builtins: `record` makes
# a doctor.tsv with each recording, also on one CPU that is the measured one.
#
# Needs message.sh, sysfs.sh, cpulist.sh, units.sh.

# Read here, set there:
: "${root?sysfs.sh}" "${shown?message.sh}" "${shown_c1?message.sh}"

doctor_tab='	'
# See doctor_begin and get.
doctor_file=
doctor_doubts=0
value=
: "$doctor_tab" "$doctor_doubts" "$value"

# finding CHECK SUBJECT SEVERITY VALUE TEXT [CHANGE BACK [PREPARATION]]: a line of doctor.tsv
#	SUBJECT		machine, cpuN, or a PCI address
#	SEVERITY	ok, note, doubt, unusable, unknown
#	CHANGE, BACK	commands
#	PREPARATION	what `record --prepare` calls it
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
		# The name of a process, of a timer, can be anything.
		*[[:cntrl:]]* | *"$shown_c1"*)
			show "$finding_cell"
			finding_cell=$shown
			;;
		esac
		finding_line=$finding_line$doctor_tab$finding_cell
	done
	{ printf '%s\n' "$finding_line" >>"$doctor_file"; } 2>/dev/null || die "$doctor_file cannot be written: is the disk full?"
}

# get FILE: sets $value to its first line. Fails with 1 if there is no such file, 2 if it cannot be read.
get() {
	value=
	[ -e "$root$1" ] || return 1
	{ IFS= read -r value <"$root$1" || [ -n "$value" ]; } 2>/dev/null && return
	[ -r "$root$1" ] || return 2
	# topology/*_list of a CPU cannot be read byte by byte, as dash and busybox do.
	value=$(head -n 1 "$root$1" 2>/dev/null) || return 2
}

# unread CHECK SUBJECT FILE: say why it is not known; only after `get` has failed. Status 1 of `get` means that
# the machine has no such thing.
unread() {
	[ -e "$root$3" ] || return 0
	finding "$1" "$2" unknown - "$3 cannot be read: run as root"
}

# known CHECK SUBJECT FILE: get FILE, or say why it is not known, with status 1
known() {
	get "$3" || {
		unread "$1" "$2" "$3"
		return 1
	}
}

# switch_finding CHECK SUBJECT SEVERITY FILE WANTED TEXT [PREPARATION]: a file that had better have WANTED
switch_finding() {
	known "$1" "$2" "$4" || return 0
	if [ "$value" = "$5" ]; then
		finding "$1" "$2" ok "$value" "$4 is $5"
	else
		finding "$1" "$2" "$3" "$value" "$6" "echo $5 >$4" "echo $value >$4" "${7:--}"
	fi
}

# doctor_begin FILE: where the findings go; header line. $doctor_doubts is how many are a doubt, or unusable.
doctor_begin() {
	doctor_file=$1
	doctor_doubts=0
	{ printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\n' >"$doctor_file"; } 2>/dev/null ||
		die "$doctor_file cannot be written: is the disk full?"
}

# doctor_examine CPUS NICS: all that can be seen without waiting; CPUs and PCI addresses are words
doctor_examine() {
	check_machine_findings
	for doctor_cpu in $1; do
		check_cpu_findings "$doctor_cpu"
	done
	for doctor_nic in $2; do
		# The card's path is judged from the first CPU.
		check_nic_findings "$doctor_nic" "${1%% *}"
	done
}

# doctor_verdict FILE: 0 usable, 1 usable with doubts, 2 not usable
doctor_verdict() {
	awk -F '\t' 'NR > 1 { n[$3]++ } END { exit n["unusable"] ? 2 : n["doubt"] + n["unknown"] ? 1 : 0 }' "$1"
}
