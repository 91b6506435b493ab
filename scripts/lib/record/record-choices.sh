# SPDX-License-Identifier: GPL-2.0
# record-choices.sh - what this machine has of what was asked for: source, CPUs, states.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, cpulist.sh, journal.sh, cpuidle.sh, tracefs.sh, run-file.sh.

# Read here, set there:
: "${cpu_sysfs?cpuidle.sh}" "${wakelat?tracefs.sh}" "${states_option?session-options.sh}" "${cpu_option?session-options.sh}" "${source?session-options.sh}"

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
	[ "$(id -u)" -eq 0 ] || die "must be root: sudo wakelat record ..."
	find_wakelat
	for tool in trace-cmd setsid taskset; do
		command -v "$tool" >/dev/null || die "$tool is missing: install it, e.g. apt-get install trace-cmd util-linux"
	done
	journal_free
	[ "$(kernel_status state)" != running ] ||
		die "another program's run is active: wait until that program ends"
	run_file_open
}

# choose_source: $source is available; by default hrtimer, which every machine has, or else another.
choose_source() {
	if [ -z "$source" ]; then
		source=$(awk '/ ok$/ && (!ok || $1 == "hrtimer") { ok = $1 } END { print ok }' "$wakelat/available_sources")
		[ -n "$source" ] || die "no source is available: $(paste -sd , "$wakelat/available_sources")"
	fi
	source_state=$(source=$source awk '$1 == ENVIRON["source"] { print; exit }' "$wakelat/available_sources")
	case $source_state in
	"$source ok") ;;
	'') die "there is no source '$source': choose one of $(cut -d ' ' -f 1 "$wakelat/available_sources" | paste -sd ' ' -)" ;;
	*) die "source $source_state" ;;
	esac
}

# choose_cpus: sets $cpus (words) and $first_cpu
choose_cpus() {
	online=$(read_value "$cpu_sysfs/online")
	if [ -n "$cpu_option" ]; then
		cpus=$(cpulist_sorted "$cpu_option") || die "--cpu: '$cpu_option' is not a list such as 1,3-4"
	else
		# Not CPU 0 if there is another: it has more to do than any other.
		cpus=$(cpulist_expand "$online" | tail -n 1)
	fi
	for cpu in $cpus; do
		[ -d "$cpu_sysfs/cpu$cpu" ] || die "there is no CPU $cpu: the machine has $(read_value "$cpu_sysfs/present")"
		cpulist_has "$online" "$cpu" ||
			die "CPU $cpu is offline: echo 1 >$cpu_sysfs/cpu$cpu/online"
		# What the events tell needs no driver.
		[ -d "$cpu_sysfs/cpu$cpu/cpuidle/state0" ] || [ "${states_needed-yes}" = no ] ||
			die "CPU $cpu has no idle states: is there a cpuidle driver? ($(read_value "$cpu_sysfs/cpuidle/current_driver"))"
	done
	cpu_list=$(cpulist_of_words "$cpus")
	first_cpu=${cpu_list%%,*}
	cpu_count=0
	for cpu in $cpus; do
		cpu_count=$((cpu_count + 1))
	done
}

# choose_recorder_cpus: everything but the measured CPUs and their siblings; else but the measured ones;
# else there is no choice.
choose_recorder_cpus() {
	# Preparations may have taken some offline.
	online=$(read_value "$cpu_sysfs/online")
	siblings=$cpu_list
	for cpu in $cpus; do
		siblings=$siblings,$(read_value "$cpu_sysfs/cpu$cpu/topology/thread_siblings_list" || printf '%s' "$cpu")
	done
	recorder_cpus=$(cpulist_without "$online" "$siblings")
	[ -n "$recorder_cpus" ] || recorder_cpus=$(cpulist_without "$online" "$cpu_list")
	recorder_cpus=$(cpulist_of_words "$recorder_cpus")
	if [ -z "$recorder_cpus" ]; then
		say "no CPU is left for the recorder: it runs on a measured CPU, and sleeps during the run"
		return
	fi
	taskset -p -c "$recorder_cpus" "$$" >/dev/null 2>&1 ||
		die "cannot move to CPU $recorder_cpus, away from the measured CPU: is this process allowed to run there?"
}

# choose_states: sets $state_runs, one comma-separated list of states per run, one a line; "" leaves the
# states as they are.
choose_states() {
	: "${each_state?record-options.sh}"
	state_runs=
	if [ -n "$states_option" ]; then
		states=
		for cpu in $cpus; do
			states_of_cpu=$(state_list "$cpu" "$states_option") || exit
			: "${states:=$states_of_cpu}"
		done
	elif [ "$each_state" = yes ]; then
		states=$(states_to_try "$first_cpu")
		[ -n "$states" ] || die "CPU $first_cpu has no state enabled but POLL: name states with --states"
	else
		states=
		return
	fi
	if [ "$each_state" = yes ]; then
		state_runs=$(printf '%s' "$states" | tr ',' '\n')
	else
		state_runs=$states
	fi
}

warn_about_states() (
	IFS=,
	for state in $states; do
		unset IFS
		for cpu in $cpus; do
			warn_about_state "$cpu" "$state"
		done
	done
)
