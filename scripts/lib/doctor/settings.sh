# SPDX-License-Identifier: GPL-2.0
# settings.sh - read the table of the settings that doctor checks and `record --prepare` changes.
# shellcheck shell=sh
#
# Columns of settings.tsv:
#	check		the name of the check in doctor.tsv. If several rows have the same, the first file that exists counts
#	prepare		the name of the change in `record --prepare`, or -
#	severity	of any other value: doubt or note
#	file		CPU stands for each measured CPU, CARD for each card. If it lists all values, the current one is in brackets
#	wanted		the values without a problem. The first one is written
#	finding		what is wrong; VALUE stands for the value
#	missing		what `record --prepare` says if no row of the preparation with this text has a file, or -

# Variables that other files set:
: "${here?the command}" "${root?sysfs.sh}" "${value?doctor.sh}" "${doctor_tab?doctor.sh}"

settings_table=$(sed 1d "$here/lib/doctor/settings.tsv")
settings_newline='
'
# See each_setting.
setting_check=
setting_prepare=
setting_severity=
setting_file=
setting_wanted=
setting_finding=
setting_missing=
# See check_setting.
setting_found=no
: "$setting_missing" "$setting_found"

# each_setting NAME COMMAND...: run COMMAND for each row whose check or preparation is NAME, or for all if it is empty, with
# $setting_COLUMN set to its cells
each_setting() {
	each_name=$1
	shift
	each_ifs=$IFS
	set -f
	IFS=$settings_newline
	for each_row in $settings_table; do
		case $each_row in
		"$each_name$doctor_tab"* | *"$doctor_tab$each_name$doctor_tab"*) ;;
		*) [ -z "$each_name" ] || continue ;;
		esac
		IFS=$doctor_tab
		take_setting "$each_row"
		IFS=$each_ifs
		set +f
		"$@"
		set -f
	done
	IFS=$each_ifs
	set +f
}

# take_setting ROW: set the variables to the cells of ROW, which $IFS separates
take_setting() {
	set -- $1
	setting_check=$1 setting_prepare=$2 setting_severity=$3 setting_file=$4 setting_wanted=$5 setting_finding=$6 setting_missing=$7
}

# setting_path SUBJECT: replace CPU or CARD in $setting_file by SUBJECT
setting_path() {
	case $setting_file in
	*/CPU/*) setting_file=${setting_file%%/CPU/*}/$1/${setting_file#*/CPU/} ;;
	*/CARD/*) setting_file=${setting_file%%/CARD/*}/$1/${setting_file#*/CARD/} ;;
	esac
}

# current_setting: reduce $value, which lists all values, to the one in brackets
current_setting() {
	case $value in
	*\[*\]*)
		value=${value#*\[}
		value=${value%%\]*}
		;;
	esac
}

# check_setting CHECK SUBJECT: add the finding of CHECK about SUBJECT (machine, cpuN, the address of a card), or none if the machine
# does not have the setting
check_setting() {
	setting_subject=$2
	setting_found=no
	each_setting "$1" examine_setting
}

examine_setting() {
	setting_path "$setting_subject"
	[ "$setting_found" = no ] && [ -e "$root$setting_file" ] || return 0
	setting_found=yes
	known "$setting_check" "$setting_subject" "$setting_file" || return 0
	current_setting
	case " $setting_wanted " in
	*" $value "*) finding "$setting_check" "$setting_subject" ok "$value" "$setting_file is $value" ;;
	*) offer_setting "$setting_severity" "$setting_finding" ;;
	esac
}

# check_settings KIND SUBJECT: make all checks of a KIND (machine or CPU) that nothing else makes
check_settings() {
	settings_kind=$1
	setting_subject=$2
	settings_before=
	each_setting '' examine_of_kind
}

examine_of_kind() {
	case $setting_check,$setting_file in
	cpuidle_governor,* | stack_tracer,* | frequency_governor,* | *,*/CARD/*) return ;;
	*,*/CPU/*) [ "$settings_kind" = CPU ] || return 0 ;;
	*) [ "$settings_kind" = machine ] || return 0 ;;
	esac
	[ "$setting_check" = "$settings_before" ] || setting_found=no
	settings_before=$setting_check
	examine_setting
}

# change_finding CHECK SUBJECT SEVERITY TEXT: add a finding that $value is wrong for another reason than the table's
change_finding() {
	setting_subject=$2
	each_setting "$1" offer_setting "$3" "$4"
}

# offer_setting SEVERITY TEXT: add a finding with TEXT, in which VALUE stands for $value, and with the commands that change the setting
offer_setting() {
	case $2 in
	*VALUE*) set -- "$1" "${2%%VALUE*}$value${2#*VALUE}" ;;
	esac
	finding "$setting_check" "$setting_subject" "$1" "$value" "$2" "echo ${setting_wanted%% *} >$setting_file" "echo $value >$setting_file" \
		"$setting_prepare"
}
