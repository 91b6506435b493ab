# SPDX-License-Identifier: GPL-2.0
# record-choices.sh - choose source, CPUs and states from the options and from what the machine has.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, cpulist.sh, journal.sh, cpuidle.sh, tracefs.sh, run-file.sh.

# Variables that other files set:
: "${cpu_sysfs?cpuidle.sh}" "${wakelat?tracefs.sh}" "${states_option?session-options.sh}" "${cpu_option?session-options.sh}" "${source?session-options.sh}" \
	"${status_value?tracefs.sh}" "${sorted_cpus?cpulist.sh}" "${words_list?cpulist.sh}" \
	"${same_states?cpuidle.sh}" "${states_difference?cpuidle.sh}"

# See choose_cpus, choose_recorder_cpus, choose_states.
online=
cpus=
cpu_list=
cpu_count=0
first_cpu=
recorder_cpus=
states=
state_runs=
: "$cpu_count" "$first_cpu" "$state_runs"

check_machine() {
	trust_root || die "must be root: sudo wakelat record ..."
	find_wakelat
	for tool in trace-cmd setsid taskset; do
		command -v "$tool" >/dev/null || die "$tool is missing: install it, e.g. apt-get install trace-cmd util-linux"
	done
	journal_free
	read_status state
	[ "$status_value" != running ] ||
		die "another program's run is active: wait until that program ends"
	run_file_open
}

# choose_source: dies if $source is not available. If it is empty, sets it to hrtimer, or to the
# first available source if hrtimer is not available.
choose_source() {
	source_first=
	source_state=
	while IFS= read -r source_line; do
		source_name=${source_line%% *}
		case $source_line in
		"hrtimer ok") source_first=hrtimer ;;
		*' ok') : "${source_first:=$source_name}" ;;
		esac
		[ "$source_name" != "$source" ] || : "${source_state:=$source_line}"
	done <"$wakelat/available_sources"
	if [ -z "$source" ]; then
		source=$source_first
		[ -n "$source" ] || die "no source is available: $(paste -sd , "$wakelat/available_sources")"
		source_state="$source ok"
	fi
	case $source_state in
	"$source ok") ;;
	'') die "there is no source '$source': choose one of $(cut -d ' ' -f 1 "$wakelat/available_sources" | paste -sd ' ' -)" ;;
	*) die "source $source_state" ;;
	esac
}

# choose_cpus: sets $cpus (words), $cpu_list, $first_cpu, $cpu_count and $online, or dies.
choose_cpus() {
	take_value "$cpu_sysfs/online"
	online=$value_read
	if [ -n "$cpu_option" ]; then
		sort_cpulist "$cpu_option" || die "--cpu: '$cpu_option' is not a list such as 1,3-4"
		cpus=$sorted_cpus
	else
		# Take the last CPU of the ascending list, because CPU 0 has more to do than any other.
		cpus=${online##*[-,]}
	fi
	for cpu in $cpus; do
		[ -d "$cpu_sysfs/cpu$cpu" ] || die "there is no CPU $cpu: the machine has $(read_value "$cpu_sysfs/present")"
		cpulist_has "$online" "$cpu" ||
			die "CPU $cpu is offline: echo 1 >$cpu_sysfs/cpu$cpu/online"
		# probe needs no cpuidle driver: it learns from the events what the CPU does.
		[ -d "$cpu_sysfs/cpu$cpu/cpuidle/state0" ] || [ "${states_needed-yes}" = no ] ||
			die "CPU $cpu has no idle states: is there a cpuidle driver? ($(read_value "$cpu_sysfs/cpuidle/current_driver"))"
	done
	# run.tsv has one table of states.
	compare_states "$cpus"
	join_cpus "$same_states"
	[ -z "$states_difference" ] || die "$states_difference: measure one kind of CPU at a time: --cpu $words_list"
	join_cpus "$cpus"
	cpu_list=$words_list
	first_cpu=${cpu_list%%,*}
	cpu_count=0
	for cpu in $cpus; do
		cpu_count=$((cpu_count + 1))
	done
}

# choose_recorder_cpus: sets $recorder_cpus to all CPUs but the measured ones and their siblings. If
# there is none, sets it to all but the measured ones, or else to nothing. Moves this process there.
choose_recorder_cpus() {
	# Preparations may have taken CPUs offline.
	take_value "$cpu_sysfs/online"
	online=$value_read
	siblings=$cpu_list
	for cpu in $cpus; do
		take_value "$cpu_sysfs/cpu$cpu/topology/thread_siblings_list" || value_read=$cpu
		siblings=$siblings,$value_read
	done
	subtract_cpus "$online" "$siblings"
	[ -n "$without_cpus" ] || subtract_cpus "$online" "$cpu_list"
	join_cpus "$without_cpus"
	recorder_cpus=$words_list
	if [ -z "$recorder_cpus" ]; then
		say "no CPU is left for the recorder: it runs on a measured CPU, and sleeps during the run"
		return
	fi
	taskset -p -c "$recorder_cpus" "$$" >/dev/null 2>&1 ||
		die "cannot move to CPU $recorder_cpus, away from the measured CPU: is this process allowed to run there?"
}

# choose_states: sets $states, and $state_runs to the comma-separated states of each run, one run a
# line. If these are empty, the states are left as they are.
choose_states() {
	: "${each_state?record-options.sh}"
	state_runs=
	if [ -n "$states_option" ]; then
		states=
		for cpu in $cpus; do
			name_states "$cpu" "$states_option"
			: "${states:=$named_states}"
		done
	elif [ "$each_state" = yes ]; then
		states=$(states_to_try "$first_cpu")
		[ -n "$states" ] || die "CPU $first_cpu has no state enabled but POLL: name states with --states"
	else
		states=
		return
	fi
	state_runs=$states
	[ "$each_state" = yes ] || return 0
	state_runs=
	choose_rest=$states,
	while [ -n "$choose_rest" ]; do
		state_runs=$state_runs${state_runs:+$choose_line}${choose_rest%%,*}
		choose_rest=${choose_rest#*,}
	done
}
choose_line='
'

warn_about_states() {
	warn_rest=$states${states:+,}
	while [ -n "$warn_rest" ]; do
		for cpu in $cpus; do
			warn_about_state "$cpu" "${warn_rest%%,*}"
		done
		warn_rest=${warn_rest#*,}
	done
}
