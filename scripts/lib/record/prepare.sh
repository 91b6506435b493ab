# SPDX-License-Identifier: GPL-2.0
# prepare.sh - change the settings that `wakelat doctor` found and the user names in --prepare.
# shellcheck shell=sh
#
# The journal notes each change. A setting that the machine does not have is no error. A write that
# the kernel refuses is an error, with two exceptions: some interrupts cannot be moved to another
# CPU, and a frequency governor may fix the energy preference.
#
# Needs message.sh, sysfs.sh, cpulist.sh, journal.sh, cpuidle.sh, settings.sh, doctor.sh.

# Variables that other files set:
: "${root?sysfs.sh}" "${write_error?sysfs.sh}" "${cpu_sysfs?cpuidle.sh}" "${work_dir?journal.sh}" \
	"${setting_file?settings.sh}" "${setting_wanted?settings.sh}" "${setting_check?settings.sh}" "${setting_missing?settings.sh}" \
	"${settings_newline?settings.sh}" "${value?doctor.sh}"

# shellcheck source=scripts/lib/doctor/doctor-nic.sh
. "${here?the command}/lib/doctor/doctor-nic.sh"

# The preparations in the order in which they are made. CPUs go offline first. The settings that
# they lose are noted just before.
preparations='others siblings idle-governor bias governor frequency irqs watchdogs timers aspm'

# preparation_list LIST: prints the names in LIST as words. If a name is wrong, prints this name and
# fails. The name all stands for the preparations that take no CPU offline.
preparation_list() (
	IFS=,
	names=
	for name in $1; do
		unset IFS
		case " $preparations all " in
		*" $name "*) ;;
		*)
			printf '%s\n' "$name"
			exit 1
			;;
		esac
		[ "$name" != all ] || name=${preparations#others siblings }
		names="$names$name "
	done
	printf '%s\n' "$names"
)

# prepare_machine NAMES...: makes these preparations
prepare_machine() {
	: "${cpus?record-choices.sh}" "${cpu_list?record-choices.sh}" "${source?session-options.sh}"
	for prepare_name in $preparations; do
		case " $* " in
		*" $prepare_name "*)
			case $prepare_name in
			others | siblings | frequency | irqs) "prepare_$prepare_name" ;;
			*) prepare_settings "$prepare_name" ;;
			esac
			;;
		esac
	done
}

# in_vain WHAT: says why the preparation changes nothing
in_vain() {
	say "prepare $prepare_name: $*"
}

prepare_others() {
	prepare_offline "$(cpulist_without "$(read_value "$cpu_sysfs/online")" "$cpu_list")"
}

prepare_siblings() {
	sibling_list=$cpu_list
	for cpu in $cpus; do
		sibling_list=$sibling_list,$(read_value "$cpu_sysfs/cpu$cpu/topology/thread_siblings_list" || printf '%s' "$cpu")
	done
	sibling_online=,$(cpulist_expand "$(read_value "$cpu_sysfs/online")" | tr '\n' ,)
	siblings_on=
	for cpu in $(cpulist_without "$sibling_list" "$cpu_list"); do
		case $sibling_online in
		*,"$cpu",*) siblings_on="$siblings_on$cpu " ;;
		esac
	done
	prepare_offline "$siblings_on"
}

# prepare_offline CPUS: takes these CPUs (words) offline. A CPU without a file `online`, mostly CPU
# 0, stays online.
prepare_offline() {
	offline_cpus=
	for cpu in $1; do
		if [ -e "$cpu_sysfs/cpu$cpu/online" ]; then
			offline_cpus="$offline_cpus${offline_cpus:+ }$cpu"
		else
			in_vain "CPU $cpu cannot go offline"
		fi
	done
	[ -n "$offline_cpus" ] || {
		in_vain "no CPU to take offline"
		return
	}
	note_what_offline_changes "$offline_cpus"
	for cpu in $offline_cpus; do
		change "$cpu_sysfs/cpu$cpu/online" 0
	done
}

# note_what_offline_changes CPUS: notes in the journal what changes when these CPUs go offline. Some
# drivers forget the settings of a CPU. If an interrupt or a task may run only on CPUs that go
# offline, the kernel permanently allows it on all CPUs. All of this is restored after the CPUs are
# online again.
note_what_offline_changes() {
	for cpu in $1; do
		for note_file in "$cpu_sysfs/cpu$cpu"/cpuidle/state*/disable "$cpu_sysfs/cpu$cpu"/power/pm_qos_resume_latency_us \
			"$cpu_sysfs/cpu$cpu"/power/energy_perf_bias "$cpu_sysfs/cpu$cpu"/cpufreq/scaling_governor \
			"$cpu_sysfs/cpu$cpu"/cpufreq/scaling_m??_freq \
			"$cpu_sysfs/cpu$cpu"/cpufreq/energy_performance_preference; do
			[ ! -e "$note_file" ] || printf '%s\n' "$note_file"
		done
	done >"$work_dir/notes"
	while IFS= read -r note_file; do
		note_value "$note_file"
	done <"$work_dir/notes"
	for note_file in "$root"/proc/irq/[0-9]*/smp_affinity_list; do
		{ IFS= read -r note_cpus <"$note_file"; } 2>/dev/null || continue
		! within_cpus "$note_cpus" "$1" || note_value "$note_file" "$note_cpus"
	done
	# Skip kernel threads, which have no VmSize: the kernel takes care of them.
	cat /proc/[0-9]*/task/[0-9]*/status 2>/dev/null | awk '
		$1 == "Pid:" { pid = $2; user = 0 }
		$1 == "VmSize:" { user = 1 }
		$1 == "Cpus_allowed_list:" && user { print pid, $2 }' >"$work_dir/tasks"
	while read -r note_task note_cpus; do
		within_cpus "$note_cpus" "$1" && [ "$note_task" != "$$" ] || continue
		note_start=$(process_start "$note_task") || continue
		journal task "$note_task" "$note_start:$note_cpus"
	done <"$work_dir/tasks"
}

# within_cpus LIST CPUS: succeeds if each CPU of LIST is one of the words CPUS. A long range takes
# few steps, because the first CPU that is not a word ends the loop.
within_cpus() {
	[ -n "$1" ] || return 1
	within_ifs=$IFS
	within_status=0
	IFS=,
	for within_range in $1; do
		within_cpu=${within_range%%-*}
		while [ "$within_cpu" -le "${within_range#*-}" ]; do
			case " $2 " in
			*" $within_cpu "*) ;;
			*)
				within_status=1
				break 2
				;;
			esac
			within_cpu=$((within_cpu + 1))
		done
	done
	IFS=$within_ifs
	return "$within_status"
}

# prepare_settings NAME: write the wanted values of the rows of settings.tsv with this preparation. Says what the machine does not have.
prepare_settings() {
	settings_seen=
	settings_there=
	settings_absent=
	each_setting "$1" prepare_setting
	while IFS= read -r settings_text; do
		case $settings_text,$settings_there in
		, | -,* | *,*"|$settings_text|"*) ;;
		*) in_vain "$settings_text" ;;
		esac
	done <<END
$settings_absent
END
}

# prepare_setting: write the wanted value of one row. Of the rows of a check, the first file that exists counts.
prepare_setting() {
	setting_subjects=
	case $setting_file in
	*/CPU/*)
		for cpu in $cpus; do
			setting_subjects="$setting_subjects cpu$cpu"
		done
		;;
	*/CARD/*)
		[ "$source" = i210 ] || return 0
		setting_subjects=$(i210_cards)
		;;
	*) setting_subjects=machine ;;
	esac
	setting_of=$setting_file
	for setting_subject in $setting_subjects; do
		setting_file=$setting_of
		setting_path "$setting_subject"
		[ -e "$root$setting_file" ] || continue
		case $settings_seen in
		*"|$setting_check,$setting_subject|"*) continue ;;
		esac
		settings_seen="$settings_seen|$setting_check,$setting_subject|"
		settings_there="$settings_there|$setting_missing|"
		change_setting "$root$setting_file" "${setting_wanted%% *}"
	done
	case $settings_absent in
	*"$setting_missing"*) ;;
	*) settings_absent=$settings_absent${settings_absent:+$settings_newline}$setting_missing ;;
	esac
}

# change_setting FILE VALUE: as change. In a file that lists all values, the current one is in brackets. A frequency governor may fix
# the energy preference, but only at performance.
change_setting() {
	value=$(read_value "$1")
	setting_was=$value
	current_setting
	if [ "$setting_check" = epp ]; then
		change_try "$1" "$2" || in_vain "$1: $write_error"
	elif [ "$value" = "$setting_was" ]; then
		change "$1" "$2"
	elif [ "$value" != "$2" ]; then
		note_value "$1" "$value"
		write_value "$1" "$2" || die "$1: cannot write $2: $write_error"
		log "$1: $value -> $2"
	fi
}

# frequency_files NAME: prints the files NAME of the measured CPUs that exist
frequency_files() {
	for cpu in $cpus; do
		[ ! -e "$cpu_sysfs/cpu$cpu/$1" ] || printf '%s\n' "$cpu_sysfs/cpu$cpu/$1"
	done
}

# Switch turbo off, and set minimum and maximum frequency to the base frequency, or to the value in
# the user's range that is nearest to it. Note the range first, so that it is restored last, when
# turbo is on again.
prepare_frequency() {
	range_files=$(frequency_files cpufreq/scaling_min_freq)
	for change_file in $range_files; do
		note_value "$change_file"
		note_value "${change_file%min_freq}max_freq"
	done
	prepare_settings frequency
	[ -n "$settings_seen$range_files" ] || in_vain "there is no frequency driver"
	for change_file in $range_files; do
		range_dir=${change_file%/*}
		range_min=$(read_value "$change_file")
		range_max=$(read_value "$range_dir/scaling_max_freq")
		range_khz=$(read_value "$range_dir/base_frequency" || printf '%s\n' "$range_max")
		[ "$range_khz" -le "$range_max" ] || range_khz=$range_max
		[ "$range_khz" -ge "$range_min" ] || range_khz=$range_min
		change "$change_file" "$range_khz"
		change "$range_dir/scaling_max_freq" "$range_khz"
	done
}

# Move device interrupts to the CPUs that are not measured.
prepare_irqs() {
	irq_others=$(cpulist_without "$(read_value "$cpu_sysfs/online")" "$cpu_list")
	[ -n "$irq_others" ] || {
		in_vain "no other CPU could take the interrupts"
		return
	}
	irq_others=$(cpulist_of_words "$irq_others")
	irqs_moved=0
	irqs_refused=0
	for irq_file in "$root"/proc/irq/[0-9]*/smp_affinity_list; do
		{ IFS= read -r irq_cpus <"$irq_file"; } 2>/dev/null || continue
		# An interrupt in use has a subdirectory with the name of its user.
		set -- "${irq_file%/*}"/*/
		[ -d "$1" ] || continue
		for cpu in $cpus; do
			! cpulist_has "$irq_cpus" "$cpu" || break
		done
		cpulist_has "$irq_cpus" "$cpu" || continue
		if change_try "$irq_file" "$irq_others"; then
			irqs_moved=$((irqs_moved + 1))
		else
			irqs_refused=$((irqs_refused + 1))
		fi
	done
	say "prepare irqs: $irqs_moved interrupts were moved to CPU $irq_others, $irqs_refused cannot be moved"
}
