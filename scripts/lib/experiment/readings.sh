# SPDX-License-Identifier: GPL-2.0
# readings.sh - residency of the idle states and power of the machine, during a run.
# shellcheck shell=sh
#
# A recording's beginning and end take longer than a short run: what counts is the time of its runs. wakelat record tells a process
# when each of them begins and ends.
#
# Needs sysfs.sh, journal.sh, cpuidle.sh. readings.awk makes sense of the lines:
#	begin|tick|end SECONDS		since boot; what follows was read then
#	state INDEX TIME_US USAGE	of the measured CPU
#	rapl NAME UJ RANGE_UJ		energy of a package, which begins again at 0 above RANGE
#	battery NAME UW			that it gives

# Read here, set there:
: "${cpu_sysfs?cpuidle.sh}" "${work_dir?journal.sh}"

power_class=/sys/class
# A RAPL counter of 65 kJ, the smallest there is, turns over after two minutes at 500 W.
tick_s=30
watcher=
ticker=

# readings_need: what has to be known when a run is watched
readings_need() {
	: "${cpu?the command}" "${other_cpus?experiment.sh}"
}

# state_times: in one call, because it is made during a run
state_times() {
	grep '' "$cpu_sysfs/cpu$cpu"/cpuidle/state*/time "$cpu_sysfs/cpu$cpu"/cpuidle/state*/usage |
		sed -n 's,.*/state\([0-9]*\)/\(time\|usage\):,\2\t\1\t,p'
}

# Packages only: their parts (intel-rapl:0:0) are counted in them, and they in psys.
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

# A battery that is being charged, or is full, says nothing of what the machine takes.
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

# reading WHEN: written in one piece, for others write too
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

# Run after run, as wakelat record says into the pipe $WAKELAT_RUNS, until it is killed, or nobody is left who could say more.
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

# readings_begin: of $cpu
readings_begin() {
	readings_need
	: >"$work_dir/readings" || die "$work_dir/readings cannot be written"
	has_power=no
	! has_power || has_power=yes
	WAKELAT_RUNS=$work_dir/runs
	rm -f "$WAKELAT_RUNS"
	mkfifo "$WAKELAT_RUNS" || die "$WAKELAT_RUNS cannot be created"
	export WAKELAT_RUNS
	# Not with the latency limit held: what they wait for may outlive this shell.
	watch_runs 8>&- &
	watcher=$!
	# Open as long as this shell lives.
	exec 6>"$WAKELAT_RUNS"
	# With one CPU alone this would wake the measured one.
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
