# SPDX-License-Identifier: GPL-2.0
# readings.sh - residency of the idle states and power of the machine, during a run.
# shellcheck shell=sh
#
# The beginning and the end of a recording take longer than a short run. So only the time of the
# runs counts. wakelat record tells a process of ours when each run begins and ends.
#
# Needs sysfs.sh, journal.sh, cpuidle.sh. readings.awk reads these lines:
#	begin|tick|end SECONDS		since boot; the lines below it were read at this time
#	time INDEX US			total time of the measured CPU in this state
#	usage INDEX NUMBER		how often the measured CPU asked for this state
#	rapl NAME UJ RANGE_UJ		energy of a package; the counter begins again at 0 above RANGE
#	battery NAME UW			power that it delivers

# Variables that other files set:
: "${cpu_sysfs?cpuidle.sh}" "${work_dir?journal.sh}"

power_class=/sys/class
# The smallest RAPL counters count up to 65 kJ and overflow after two minutes at 500 W.
tick_s=30
watcher=
ticker=

# readings_need: check that the variables are set that the functions below read
readings_need() {
	: "${cpu?the command}" "${other_cpus?experiment.sh}"
}

# state_times: print times and usages of all states. It starts few processes, because it is called during a run.
state_times() {
	grep '' "$cpu_sysfs/cpu$cpu"/cpuidle/state*/time "$cpu_sysfs/cpu$cpu"/cpuidle/state*/usage |
		sed -n 's,.*/state\([0-9]*\)/\(time\|usage\):,\2\t\1\t,p'
}

# Read packages only: a package includes its parts (intel-rapl:0:0), and psys includes the packages.
reading_rapl() (
	for zone in "$power_class"/powercap/intel-rapl:*; do
		case ${zone##*/intel-rapl:} in
		'*' | *:*) continue ;;
		esac
		name=$(read_value "$zone/name") && energy=$(read_value "$zone/energy_uj") || continue
		case $name in
		package*) printf 'rapl\t%s\t%s\t%s\n' "${zone##*/}" "$energy" "$(read_value "$zone/max_energy_range_uj")" ;;
		esac
	done
)

# Read discharging batteries only: one that is charged or full does not show how much power the machine uses.
reading_battery() (
	for supply in "$power_class"/power_supply/*; do
		[ "$(read_value "$supply/type")" = Battery ] && [ "$(read_value "$supply/status")" = Discharging ] ||
			continue
		if power=$(read_value "$supply/power_now"); then
			printf 'battery\t%s\t%s\n' "${supply##*/}" "${power#-}"
		elif current=$(read_value "$supply/current_now") && voltage=$(read_value "$supply/voltage_now"); then
			printf 'battery\t%s\t%s\n' "${supply##*/}" $((${current#-} * (voltage / 1000) / 1000))
		fi
	done
)

# reading WHEN: append a reading in one write, because two processes append to the file
reading() {
	read -r uptime _ </proc/uptime
	reading_text=$(
		printf '%s\t%s\n' "$1" "$uptime"
		[ "$1" = tick ] || state_times
		[ "$has_power" = no ] || reading_rapl
		[ "$has_power" = no ] || reading_battery
	)
	printf '%s\n' "$reading_text" >>"$work_dir/readings"
}

parent_lives() {
	kill -0 "$$" 2>/dev/null
}

# watch_runs: take a reading for each begin or end of a run that wakelat record writes into the pipe
# $WAKELAT_RUNS. Return when no process has the pipe open for writing.
watch_runs() {
	while read -r watch_what; do
		reading "$watch_what"
	done <"$WAKELAT_RUNS"
}

watch_energy() {
	while parent_lives; do
		sleep "$tick_s"
		reading tick
	done
}

has_power() {
	reading_rapl | grep -q . || reading_battery | grep -q .
}

# readings_begin: start the processes that read
readings_begin() {
	readings_need
	: >"$work_dir/readings" || cannot_write "$work_dir/readings"
	has_power=no
	! has_power || has_power=yes
	WAKELAT_RUNS=$work_dir/runs
	rm -f "$WAKELAT_RUNS"
	mkfifo "$WAKELAT_RUNS" || die "cannot create $WAKELAT_RUNS: $(write_failure "$work_dir")"
	export WAKELAT_RUNS
	# Close the descriptor of the latency limit (8) in the processes, because they may outlive this shell.
	watch_runs 8>&- &
	watcher=$!
	# This shell keeps the pipe open as long as it lives.
	exec 6>"$WAKELAT_RUNS"
	# On a machine with one CPU this would wake the measured CPU.
	if [ "$has_power" = yes ] && [ -n "$other_cpus" ]; then
		watch_energy 8>&- &
		ticker=$!
	fi
}

readings_end() {
	[ -z "$watcher" ] || end_process "$watcher"
	[ -z "$ticker" ] || end_process "$ticker"
	watcher=
	ticker=
	unset WAKELAT_RUNS
	exec 6>&-
}
