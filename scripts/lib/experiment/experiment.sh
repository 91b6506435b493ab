# SPDX-License-Identifier: GPL-2.0
# experiment.sh - begin an experiment, and run its recordings. An experiment (sweep) is a command that makes several
# recordings and changes the machine between them.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, journal.sh, cpulist.sh, cpuidle.sh, tracefs.sh, session.sh, analysis.sh.

# Variables that other files set:
: "${me?the command}" "${quiet?message.sh}" "${cpu_sysfs?cpuidle.sh}" \
	"${work_dir?journal.sh}" "${wakelat?tracefs.sh}"

child=

stop_measuring() {
	[ -z "$child" ] || end_process "$child"
	readings_end
	knob_release
}

# one_cpu NUMBER: print the CPU that the command line names, or die
one_cpu() {
	is_number "$1" && [ "${#1}" -le 5 ] || bad_usage "--cpu: '$1' is not the number of a CPU"
	without_zeros "$1"
}

# count OPTION NUMBER: print a number above 0 from the command line, or die
count() {
	is_number "$2" && [ "$(without_zeros "$2")" -gt 0 ] || bad_usage "$1: '$2' is not a number above 0"
	without_zeros "$2"
}

# check_experiment: die if something is missing that every experiment needs. Nothing has been
# created or changed yet.
check_experiment() {
	[ "$(id -u)" -eq 0 ] || die "must be root: sudo $me ..."
	find_wakelat
	need_tools answer check-tables dump quantiles
	command -v taskset >/dev/null || die "taskset is missing: install it, e.g. apt-get install util-linux"
	journal_free
}

# experiment_begin: begin the journal of the experiment. Only processes that have our PID in
# WAKELAT_EXPERIMENT may record meanwhile.
experiment_begin() {
	session_begin
	journal_of_experiment
	may_change
	WAKELAT_EXPERIMENT=$$
	export WAKELAT_EXPERIMENT
}

# choose_cpu: set $cpu, by default to the last one, as wakelat record does, and $other_cpus to all others
choose_cpu() {
	online=$(read_value "$cpu_sysfs/online")
	[ -n "$cpu" ] || cpu=$(cpulist_expand "$online" | tail -n 1)
	[ -d "$cpu_sysfs/cpu$cpu" ] || die "there is no CPU $cpu: the machine has $(read_value "$cpu_sysfs/present")"
	[ -z "$(cpulist_without "$cpu" "$online")" ] || die "CPU $cpu is offline: echo 1 >$cpu_sysfs/cpu$cpu/online"
	[ -d "$cpu_sysfs/cpu$cpu/cpuidle/state0" ] ||
		die "CPU $cpu has no idle states: is there a cpuidle driver? ($(read_value "$cpu_sysfs/cpuidle/current_driver"))"
	other_cpus=$(cpulist_of_words "$(cpulist_without "$online" "$cpu")")
}

# move_away: move this shell to the other CPUs, so that it does not wake the measured CPU
move_away() {
	[ -z "$other_cpus" ] || taskset -p -c "$other_cpus" "$$" >/dev/null 2>&1 ||
		die "cannot move to CPU $other_cpus, away from the measured CPU: is this process allowed to run there?"
}

# show_point TEXT: show TEXT, and the number of samples so far while a run is active
show_point() {
	point_samples=
	[ "$(kernel_status state)" != running ] ||
		point_samples=": $(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ n += $at["samples"] } END { printf "%.0f", n }' "$wakelat/counts") samples"
	progress "$1$point_samples"
}

# run_child TEXT COMMAND...: run the command in the background, so that this shell gets a signal at
# once and can pass it on. The command's stderr is in $work_dir/child.err.
run_child() {
	child_text=$1
	shift
	"$@" </dev/null >"$work_dir/child.out" 2>"$work_dir/child.err" &
	child=$!
	if [ "$quiet" = no ] && [ -t 2 ] && [ -n "$other_cpus" ]; then
		while kill -0 "$child" 2>/dev/null; do
			show_point "$child_text"
			sleep 1 8>&- &
			wait "$!"
		done
		progress_end
	fi
	wait "$child"
	child_status=$?
	child=
	return "$child_status"
}

# child_message: print the last line of the child's stderr, without the command's name
child_message() {
	tail -n 1 "$work_dir/child.err" | sed 's/^wakelat [a-z]*: //'
}

# child_warnings: repeat what a successful child has written to stderr, as warnings
child_warnings() {
	while IFS= read -r line; do
		warn "${line#wakelat record: }"
	done <"$work_dir/child.err"
}
