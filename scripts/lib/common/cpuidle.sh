# SPDX-License-Identifier: GPL-2.0
# cpuidle.sh - the idle states of a CPU, and which of them it may use.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, journal.sh.

# Read here, set there:
: "${root?sysfs.sh}"

cpu_sysfs=$root/sys/devices/system/cpu

# state_count CPU
state_count() {
	counted=0
	while [ -d "$cpu_sysfs/cpu$1/cpuidle/state$counted" ]; do
		counted=$((counted + 1))
	done
	printf '%d\n' "$counted"
}

# state_value CPU STATE FILE
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

# state_index CPU NAME|INDEX: prints the index; fails if there is no such state.
state_index() {
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
	[ -d "$cpu_sysfs/cpu$1/cpuidle/state$found_index" ] && printf '%d\n' "$found_index"
}

# in_list WORD LIST: succeed if WORD is in the comma-separated list
in_list() {
	case ,$2, in
	*,"$1",*) ;;
	*) return 1 ;;
	esac
}

# state_list CPU LIST: print LIST with names in place of indices, or die if the CPU lacks a state
state_list() (
	cpu=$1
	IFS=,
	list=
	for state in $2; do
		index=$(state_index "$cpu" "$state") ||
			die "CPU $cpu has no idle state '$state': it has $(state_names "$cpu" | paste -sd ' ' -)"
		list=$list,$(state_value "$cpu" "$index" name)
	done
	[ -n "$list" ] || die "the list of states is empty"
	printf '%s\n' "${list#,}"
)

# states_enabled CPU: print the names of its enabled states, comma-separated
states_enabled() {
	enabled_list=
	enabled_index=0
	while { read -r enabled_disable <"$cpu_sysfs/cpu$1/cpuidle/state$enabled_index/disable"; } 2>/dev/null; do
		[ "$enabled_disable" != 0 ] || enabled_list=$enabled_list,$(state_value "$1" "$enabled_index" name)
		enabled_index=$((enabled_index + 1))
	done
	printf '%s\n' "${enabled_list#,}"
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

# Print the latency limit of all CPUs in us: /dev/cpu_dma_latency, a binary 32-bit number.
latency_limit_us() {
	od -An -td4 -N4 /dev/cpu_dma_latency 2>/dev/null | tr -d ' '
}

# cpu_latency_limit_us CPU: print its latency limit in us, or nothing if it has none (0 in the file).
cpu_latency_limit_us() {
	cpu_limit=
	{ read -r cpu_limit <"$cpu_sysfs/cpu$1/power/pm_qos_resume_latency_us"; } 2>/dev/null
	case $cpu_limit in
	'' | 0) ;;
	n/a) printf '0\n' ;;
	*) printf '%s\n' "$cpu_limit" ;;
	esac
}

# warn_if_over CPU STATE LIMIT_US WHERE
warn_if_over() {
	is_number "$3" || return 0
	over_latency=$(state_value "$1" "$2" latency)
	[ "$over_latency" -le "$3" ] ||
		warn "CPU $1 cannot choose $(state_value "$1" "$2" name) (exit latency $over_latency us): $4 allows $3 us"
}

# warn_about_state CPU STATE_NAME: warn if a latency limit forbids the state, or if it was disabled
warn_about_state() {
	about_index=$(state_index "$1" "$2") || return
	warn_if_over "$1" "$about_index" "$(latency_limit_us)" /dev/cpu_dma_latency
	warn_if_over "$1" "$about_index" "$(cpu_latency_limit_us "$1")" \
		"$cpu_sysfs/cpu$1/power/pm_qos_resume_latency_us"
	[ "$(state_value "$1" "$about_index" disable)" = 0 ] ||
		warn "CPU $1 had $2 disabled (the driver's default: $(state_value "$1" "$about_index" default_status)): it is enabled for this recording"
}
