# SPDX-License-Identifier: GPL-2.0
# knobs.sh - the settings (knobs) that a sweep varies, one at a time, and how to restore them.
# shellcheck shell=sh
#
# A knob is one of
#	qos		latency limit for all CPUs: /dev/cpu_dma_latency, held open
#	qos-cpu		latency limit of the measured CPU: pm_qos_resume_latency_us
#	interval	how long the CPU idles: the launch distance
#	frequency	of the measured CPU: minimum and maximum of its cpufreq policy
#	sibling, neighbour	a busy loop on the core's other hyper-thread, or on another core of the package
# knob_apply VALUE sets it. knob_release closes the latency limit and ends the load. The journal
# restores files.
#
# Needs message.sh, sysfs.sh, units.sh, cpulist.sh, journal.sh, cpuidle.sh.

# Variables that other files set:
: "${cpu_sysfs?cpuidle.sh}"

# knob_needs: check that the variables are set that the functions below read
knob_needs() {
	: "${knob?the command}" "${cpu?the command}" "${online?experiment.sh}"
}

qos_device=/dev/cpu_dma_latency
# The value that the kernel returns if there is no limit (PM_QOS_CPU_LATENCY_DEFAULT_VALUE).
qos_unlimited=2000000000
qos_held=no
load_group=
load_cpu=

# knob_unit: print the unit of the values in names of directories and in tables
knob_unit() {
	case $knob in
	qos | qos-cpu) printf 'us\n' ;;
	interval) printf 'ns\n' ;;
	frequency) printf 'kHz\n' ;;
	*) printf '%s\n' - ;;
	esac
}

# knob_text VALUE: print the setting for people
knob_text() {
	case $knob:$1 in
	qos*:none) printf 'no limit\n' ;;
	qos*) printf 'limit %s us\n' "$1" ;;
	interval:*) printf 'interval %s us\n' "$(shifted "$1" 3)" ;;
	frequency:*) printf '%s MHz\n' "$(shifted "$1" 3)" ;;
	*) printf '%s %s\n' "$knob" "$1" ;;
	esac
}

# shifted NUMBER DIGITS: print NUMBER / 10^DIGITS, without zeros at the end
shifted() {
	printf '%s\n' "$1" | awk -v digits="$2" '{ while (digits-- > 0) $1 /= 10; printf "%.15g\n", $1 }'
}

###############################################################################
# Convert the lists on the command line to values, one a line

# words LIST: print the words of a comma-separated list, one a line
words() {
	printf '%s\n' "$1" | tr ',' '\n'
}

# advertised_limits CPU: print the exit latencies above 0 of the enabled states, the highest first,
# without the highest. The kernel compares a limit only with these latencies, so no other limit
# makes a difference. The highest is left out because it forbids nothing.
advertised_limits() (
	index=0
	count=$(state_count "$1")
	while [ "$index" -lt "$count" ]; do
		if [ "$(state_value "$1" "$index" disable)" = 0 ]; then
			state_value "$1" "$index" latency
		fi
		index=$((index + 1))
	done | grep -vx 0 | sort -rnu | sed 1d
)

qos_values() {
	words "$1" | while IFS= read -r word; do
		case $word in
		none) printf 'none\n' ;;
		all)
			printf 'none\n'
			advertised_limits "$cpu"
			;;
		*)
			limit=$(time_ns "$word") && [ "$((limit % 1000))" -eq 0 ] && [ "$((limit / 1000))" -lt "$qos_unlimited" ] ||
				bad_usage "--qos: '$word' is not a whole number of us such as 10us, nor none or all"
			printf '%d\n' "$((limit / 1000))"
			;;
		esac
	done
}

# interval_value OPTION TIME: print TIME in ns, or die if it is wrong. OPTION is for the message.
interval_value() (
	ns=$(time_ns "$2") && [ "$ns" -ge 1000 ] && [ "$ns" -le 10000000000 ] ||
		bad_usage "$1: '$2' is not a time such as 200us, within 1us and 10s"
	printf '%s\n' "$ns"
)

interval_values() {
	words "$1" | while IFS= read -r word; do
		interval_value --interval "$word" || exit
	done
}

# frequency_value WORD: print the frequency that WORD means in kHz, or fail
frequency_value() {
	case $1 in
	min | max) read_value "$policy/cpuinfo_${1}_freq" ;;
	*kHz) scaled "${1%kHz}" 0 ;;
	*MHz) scaled "${1%MHz}" 3 ;;
	*GHz) scaled "${1%GHz}" 6 ;;
	*) return 1 ;;
	esac
}

frequency_values() {
	low=$(read_value "$policy/cpuinfo_min_freq")
	high=$(read_value "$policy/cpuinfo_max_freq")
	words "$1" | while IFS= read -r word; do
		khz=$(frequency_value "$word") ||
			bad_usage "--frequency: '$word' is not a frequency such as 1200MHz, nor min or max"
		[ "$khz" -ge "$low" ] && [ "$khz" -le "$high" ] ||
			die "--frequency: $word is outside the range of CPU $cpu, $low to $high kHz"
		printf '%s\n' "$khz"
	done
}

# knob_values LIST: print the values of the knob, or die if LIST is wrong.
knob_values() {
	case $knob in
	qos | qos-cpu) qos_values "$1" ;;
	interval) interval_values "$1" ;;
	frequency) frequency_values "$1" ;;
	sibling | neighbour) printf 'off\non\n' ;;
	esac
}

###############################################################################
# What the machine supports

check_qos_device() {
	[ -c "$qos_device" ] ||
		die "$qos_device is missing: check that the kernel has CONFIG_CPU_IDLE and that devtmpfs is mounted, or use --per-cpu"
	{ : <"$qos_device"; } 2>/dev/null || die "$qos_device cannot be opened"
}

check_qos_cpu() {
	qos_file=$cpu_sysfs/cpu$cpu/power/pm_qos_resume_latency_us
	[ -w "$qos_file" ] || die "$qos_file is missing: the kernel needs CONFIG_PM; without --per-cpu $qos_device is used"
}

# check_unlimited: die if another process limits the latency, because that limit would replace every
# higher one of the sweep.
check_unlimited() {
	[ -c "$qos_device" ] || return 0
	others=$(latency_limit_us)
	[ "$others" -ge "$qos_unlimited" ] ||
		die "another process limits the latency to $others us through $qos_device: end it first (tuned: tuned-adm off; else: fuser $qos_device)"
	[ "$knob" != qos-cpu ] || return 0
	others=$(cpu_latency_limit_us "$cpu")
	[ -z "$others" ] ||
		die "CPU $cpu has a latency limit of $others us: lift it with: echo 0 >$cpu_sysfs/cpu$cpu/power/pm_qos_resume_latency_us"
}

# find_policy: set $policy to the directory of the cpufreq policy of the measured CPU, or die
find_policy() {
	for policy in "$cpu_sysfs"/cpufreq/policy*; do
		! grep -qwF "$cpu" "$policy/affected_cpus" 2>/dev/null || return 0
	done
	die "CPU $cpu has no cpufreq policy: is there a cpufreq driver?"
}

# find_load_cpu: set $load_cpu to the CPU on which the load will run, or die
find_load_cpu() {
	topology=$cpu_sysfs/cpu$cpu/topology
	threads=$(read_value "$topology/thread_siblings_list")
	if [ "$knob" = sibling ]; then
		beside=$threads
		what="hyper-thread on its core"
	else
		beside=$(read_value "$topology/package_cpus_list" || read_value "$topology/core_siblings_list")
		what="other core in its package"
	fi
	for load_cpu in $(cpulist_without "$beside" "$cpu"); do
		[ "$knob" = sibling ] || [ -n "$(cpulist_without "$load_cpu" "$threads")" ] || continue
		[ -n "$(cpulist_without "$load_cpu" "$online")" ] || return 0
	done
	die "CPU $cpu has no $what that is online"
}

# knob_check: die if the machine does not support the knob. Nothing is changed.
knob_check() {
	knob_needs
	case $knob in
	qos)
		check_qos_device
		check_unlimited
		;;
	qos-cpu)
		check_qos_cpu
		check_unlimited
		;;
	interval | none) ;;
	frequency) find_policy ;;
	sibling | neighbour) find_load_cpu ;;
	esac
}

###############################################################################
# Settings are changed from here on

# little_endian NUMBER: print its four bytes as octal escapes for printf
little_endian() {
	printf '\\%03o\\%03o\\%03o\\%03o' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24 & 255))
}

# hold_limit US: set the limit and keep the file open. The limit holds as long as the file is open,
# so it ends with the recording even if this shell is killed. The kernel takes four bytes as a
# number, and text of another length as hexadecimal.
hold_limit() {
	exec 8<>"$qos_device"
	qos_held=yes
	# shellcheck disable=SC2059  # the bytes are the format
	printf "$(little_endian "$1")" >&8 || die "cannot write to $qos_device"
	in_force=$(latency_limit_us)
	[ "$in_force" = "$1" ] ||
		die "$qos_device: asked for $1 us, but $in_force us is in force: another process holds a limit"
}

# fix_frequency KHZ: set minimum and maximum, in the order in which the minimum is never above the maximum.
fix_frequency() {
	if [ "$1" -gt "$(read_value "$policy/scaling_max_freq")" ]; then
		change "$policy/scaling_max_freq" "$1"
		change "$policy/scaling_min_freq" "$1"
	else
		change "$policy/scaling_min_freq" "$1"
		change "$policy/scaling_max_freq" "$1"
	fi
	for limit in min max; do
		made_of_it=$(read_value "$policy/scaling_${limit}_freq")
		[ "$made_of_it" = "$1" ] ||
			die "$policy/scaling_${limit}_freq: asked for $1 kHz, but the driver has set $made_of_it kHz"
	done
}

# start_load: start a busy loop. It ends when it finds that its parent is gone.
start_load() {
	setsid taskset -c "$load_cpu" sh -c '
		while kill -0 "$1" 2>/dev/null; do
			i=0
			while [ "$i" -lt 100000 ]; do i=$((i + 1)); done
		done' sh "$$" </dev/null >/dev/null 2>&1 &
	load_group=$!
	journal kill "$load_group" "$(process_start "$load_group")"
}

stop_load() {
	[ -n "$load_group" ] || return 0
	kill -KILL "-$load_group" 2>/dev/null || kill -KILL "$load_group" 2>/dev/null
	wait "$load_group" 2>/dev/null
	load_group=
}

# knob_apply VALUE
knob_apply() {
	case $knob:$1 in
	qos:none | interval:* | none:*) ;;
	qos:*) hold_limit "$1" ;;
	qos-cpu:none) change "$qos_file" 0 ;;
	qos-cpu:0) change "$qos_file" n/a ;;
	qos-cpu:*) change "$qos_file" "$1" ;;
	frequency:*) fix_frequency "$1" ;;
	sibling:on | neighbour:on) start_load ;;
	esac
}

knob_release() {
	if [ "$qos_held" = yes ]; then
		exec 8>&-
		qos_held=no
	fi
	stop_load
}
