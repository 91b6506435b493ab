# SPDX-License-Identifier: GPL-2.0
# cpuidle.sh - the idle states of a CPU, and which of them it may use.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, journal.sh.

# Variables that other files set:
: "${root?sysfs.sh}" "${value_read?sysfs.sh}" "${pm_limit?sysfs.sh}"

# Variables that functions of this file set:
found_index=
enabled_list=
same_states=
states_difference=
: "$found_index" "$enabled_list" "$same_states" "$states_difference"

cpu_sysfs=$root/sys/devices/system/cpu

# state_count CPU: prints the number of its idle states
state_count() {
	counted=0
	while [ -d "$cpu_sysfs/cpu$1/cpuidle/state$counted" ]; do
		counted=$((counted + 1))
	done
	printf '%d\n' "$counted"
}

# take_state_value CPU STATE FILE: sets $value_read to the first line of the state's FILE. Fails as
# take_value does.
take_state_value() {
	take_value "$cpu_sysfs/cpu$1/cpuidle/state$2/$3"
}

# state_value CPU STATE FILE: prints the first line of the state's FILE
state_value() {
	read_value "$cpu_sysfs/cpu$1/cpuidle/state$2/$3"
}

# The idle routines of a kernel without a cpuidle driver, in the order of their numbers in event
# cpu_idle: cpu_idle_poll(), and default_idle_call(), which executes HLT or MWAIT. They have no directory in
# sysfs, no advertised latency and no switch.
default_idle_names='POLL
default idle'

# has_states CPU: succeed if a cpuidle driver manages the CPU
has_states() {
	[ -d "$cpu_sysfs/cpu$1/cpuidle/state0" ]
}

# state_names CPU: print the names of its idle states, one a line, in the order of their indices
state_names() {
	has_states "$1" || printf '%s\n' "$default_idle_names"
	names_index=0
	while [ -d "$cpu_sysfs/cpu$1/cpuidle/state$names_index" ]; do
		state_value "$1" "$names_index" name
		names_index=$((names_index + 1))
	done
}

# take_states CPU: set $states_taken to name, exit latency and target residency of each of its idle states, one state a line
take_states() {
	states_taken=
	taken_index=0
	while take_state_value "$1" "$taken_index" name; do
		states_taken=$states_taken$value_read
		take_state_value "$1" "$taken_index" latency
		states_taken="$states_taken, $value_read us, "
		take_state_value "$1" "$taken_index" residency
		states_taken="$states_taken$value_read us$cpuidle_line"
		taken_index=$((taken_index + 1))
	done
}
cpuidle_line='
'

# compare_states CPUS: set $same_states to those CPUs (words) whose idle states are the same as those of the first CPU, and
# $states_difference to a text that names another CPU and the first state that differs. If there is no such CPU, set
# $states_difference to nothing.
compare_states() {
	same_states=
	states_difference=
	for compared_cpu in $1; do
		take_states "$compared_cpu"
		if [ -z "$same_states" ]; then
			compared_first=$compared_cpu
			compared_states=$states_taken
		fi
		if [ "$states_taken" = "$compared_states" ]; then
			same_states="$same_states$compared_cpu "
		elif [ -z "$states_difference" ]; then
			compared_rest=$compared_states
			compared_index=0
			while [ "${compared_rest%%"$cpuidle_line"*}" = "${states_taken%%"$cpuidle_line"*}" ]; do
				compared_rest=${compared_rest#*"$cpuidle_line"}
				states_taken=${states_taken#*"$cpuidle_line"}
				compared_index=$((compared_index + 1))
			done
			compared_rest=${compared_rest%%"$cpuidle_line"*}
			states_taken=${states_taken%%"$cpuidle_line"*}
			states_difference="CPU $compared_first and CPU $compared_cpu have different idle states (state $compared_index: ${compared_rest:-none}; ${states_taken:-none})"
		fi
	done
}

# find_state CPU NAME|INDEX: sets $found_index to the index of the state. Fails if there is no such
# state.
find_state() {
	found_index=$2
	case $2 in
	'' | */*) return 1 ;;
	*[!0-9]*)
		found_index=0
		while { IFS= read -r found_name <"$cpu_sysfs/cpu$1/cpuidle/state$found_index/name"; } 2>/dev/null; do
			[ "$found_name" != "$2" ] || break
			found_index=$((found_index + 1))
		done ;;
	esac
	[ -d "$cpu_sysfs/cpu$1/cpuidle/state$found_index" ]
}

# in_list WORD LIST: succeed if WORD is in the comma-separated list
in_list() {
	case ,$2, in
	*,"$1",*) ;;
	*) return 1 ;;
	esac
}

# name_states CPU LIST: sets $named_states to LIST with names in place of indices, or dies if the
# CPU lacks a state.
name_states() {
	named_states=
	named_rest=$2,
	while [ -n "$named_rest" ]; do
		named_state=${named_rest%%,*}
		named_rest=${named_rest#*,}
		# LIST may end in a comma.
		[ -n "$named_state$named_rest" ] || break
		find_state "$1" "$named_state" ||
			die "CPU $1 has no idle state '$named_state': it has $(state_names "$1" | paste -sd ' ' -)"
		take_state_value "$1" "$found_index" name
		named_states=$named_states,$value_read
	done
	[ -n "$named_states" ] || die "the list of states is empty"
	named_states=${named_states#,}
}

# find_enabled CPU: sets $enabled_list to the names of its enabled states, comma-separated
find_enabled() {
	enabled_list=
	enabled_index=0
	while { read -r enabled_disable <"$cpu_sysfs/cpu$1/cpuidle/state$enabled_index/disable"; } 2>/dev/null; do
		[ "$enabled_disable" != 0 ] || {
			take_state_value "$1" "$enabled_index" name
			enabled_list=$enabled_list,$value_read
		}
		enabled_index=$((enabled_index + 1))
	done
	enabled_list=${enabled_list#,}
}

# states_enabled CPU: prints the names of its enabled states, comma-separated
states_enabled() {
	find_enabled "$1"
	printf '%s\n' "$enabled_list"
}

# states_to_try CPU: print the states that --each-state measures if no list is given: the enabled
# ones, without POLL, which is a loop, not a state of the hardware.
states_to_try() {
	states_enabled "$1" | tr ',' '\n' | grep -vx POLL | paste -sd , -
}

# use_only_states CPU LIST: enable these states and disable all others.
use_only_states() {
	use_index=0
	while { IFS= read -r use_name <"$cpu_sysfs/cpu$1/cpuidle/state$use_index/name"; } 2>/dev/null; do
		use_disable=1
		! in_list "$use_name" "$2" || use_disable=0
		change "$cpu_sysfs/cpu$1/cpuidle/state$use_index/disable" "$use_disable"
		use_index=$((use_index + 1))
	done
}

# latency_limit_us: prints the latency limit of all CPUs in us
latency_limit_us() {
	read_pm_limit /dev/cpu_dma_latency
	printf '%s\n' "$pm_limit"
}

# find_cpu_limit CPU: sets $cpu_limit to its latency limit in us, or to nothing if it has none (0 in
# the file)
find_cpu_limit() {
	cpu_limit=
	{ read -r cpu_limit <"$cpu_sysfs/cpu$1/power/pm_qos_resume_latency_us"; } 2>/dev/null
	case $cpu_limit in
	0) cpu_limit= ;;
	n/a) cpu_limit=0 ;;
	esac
}

# cpu_latency_limit_us CPU: prints its latency limit in us, or nothing if it has none
cpu_latency_limit_us() {
	find_cpu_limit "$1"
	[ -z "$cpu_limit" ] || printf '%s\n' "$cpu_limit"
}

# warn_if_over CPU STATE LIMIT_US WHERE: warn if the limit in the file WHERE forbids the state
warn_if_over() {
	is_number "$3" || return 0
	take_state_value "$1" "$2" latency
	over_latency=$value_read
	[ "$over_latency" -le "$3" ] ||
		warn "CPU $1 cannot choose $(state_value "$1" "$2" name) (exit latency $over_latency us): $4 allows $3 us"
}

# warn_about_state CPU STATE_NAME: warn if a latency limit forbids the state, or if it was disabled
warn_about_state() {
	find_state "$1" "$2" || return
	about_index=$found_index
	read_pm_limit /dev/cpu_dma_latency
	warn_if_over "$1" "$about_index" "$pm_limit" /dev/cpu_dma_latency
	find_cpu_limit "$1"
	warn_if_over "$1" "$about_index" "$cpu_limit" "$cpu_sysfs/cpu$1/power/pm_qos_resume_latency_us"
	take_state_value "$1" "$about_index" disable
	[ "$value_read" = 0 ] ||
		warn "state $2 of CPU $1 was disabled (the driver's default: $(state_value "$1" "$about_index" default_status)), and is enabled for this recording"
}
