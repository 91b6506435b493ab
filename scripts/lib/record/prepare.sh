# SPDX-License-Identifier: GPL-2.0
# prepare.sh - change the settings that `wakelat doctor` found and the user names in --prepare.
# shellcheck shell=sh
#
# The journal notes each change. A setting that the machine does not have is no error. A write that
# the kernel refuses is an error, with two exceptions: some interrupts cannot be moved to another
# CPU, and a frequency governor may fix the energy preference.
#
# Needs message.sh, sysfs.sh, cpulist.sh, journal.sh, cpuidle.sh; doctor-nic.sh for the cards.

# Variables that other files set:
: "${root?sysfs.sh}" "${write_error?sysfs.sh}" "${cpu_sysfs?cpuidle.sh}" "${work_dir?journal.sh}" \
	"${pci_devices?doctor-nic.sh}"

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
			# The frequency governor. The cpuidle governor is idle-governor.
			governor) prepare_frequency_governor ;;
			*) "prepare_$(printf '%s' "$prepare_name" | tr - _)" ;;
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

prepare_idle_governor() {
	if [ -w "$cpu_sysfs/cpuidle/current_governor" ]; then
		change "$cpu_sysfs/cpuidle/current_governor" menu
	else
		in_vain "the cpuidle governor cannot be changed on this kernel"
	fi
}

# frequency_files NAME: prints the files NAME of the measured CPUs that exist
frequency_files() {
	for cpu in $cpus; do
		[ ! -e "$cpu_sysfs/cpu$cpu/$1" ] || printf '%s\n' "$cpu_sysfs/cpu$cpu/$1"
	done
}

# change_all NAME VALUE WHAT: writes VALUE to the file NAME of each measured CPU. If no CPU has the
# file, says that there is no WHAT.
change_all() {
	change_files=$(frequency_files "$1")
	[ -n "$change_files" ] || {
		in_vain "there is no $3"
		return
	}
	for change_file in $change_files; do
		change "$change_file" "$2"
	done
}

prepare_frequency_governor() {
	change_all cpufreq/scaling_governor performance "frequency driver"
}

# Set the hardware's energy preference to performance. A frequency governor may fix it, but only at
# performance.
prepare_bias() {
	bias_files=$(frequency_files cpufreq/energy_performance_preference)
	for change_file in $bias_files; do
		change_try "$change_file" performance || in_vain "$change_file: $write_error"
	done
	bias_files=$bias_files$(frequency_files power/energy_perf_bias)
	for change_file in $(frequency_files power/energy_perf_bias); do
		change "$change_file" 0
	done
	[ -n "$bias_files" ] || in_vain "there is no energy preference"
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
	if [ -e "$cpu_sysfs/intel_pstate/no_turbo" ]; then
		change "$cpu_sysfs/intel_pstate/no_turbo" 1
	elif [ -e "$cpu_sysfs/cpufreq/boost" ]; then
		change "$cpu_sysfs/cpufreq/boost" 0
	elif [ -z "$range_files" ]; then
		in_vain "there is no frequency driver"
	fi
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

prepare_watchdogs() {
	for change_file in "$root/proc/sys/kernel/nmi_watchdog" "$root/proc/sys/kernel/soft_watchdog"; do
		if [ -e "$change_file" ]; then
			change "$change_file" 0
		else
			in_vain "there is no ${change_file##*/}"
		fi
	done
}

prepare_timers() {
	if [ -e "$root/proc/sys/kernel/timer_migration" ]; then
		change "$root/proc/sys/kernel/timer_migration" 1
	else
		in_vain "timers cannot migrate on this kernel"
	fi
}

# Keep PCIe links awake. The file of the policy lists all policies, with the current one in
# brackets. With source i210, also keep the links of the cards awake.
prepare_aspm() {
	aspm_file=$root/sys/module/pcie_aspm/parameters/policy
	if [ -e "$aspm_file" ]; then
		aspm_policy=$(sed -n 's/.*\[\(.*\)\].*/\1/p' "$aspm_file")
		if [ "$aspm_policy" != performance ]; then
			note_value "$aspm_file" "$aspm_policy"
			write_value "$aspm_file" performance || die "$aspm_file: cannot write performance: $write_error"
			log "$aspm_file: $aspm_policy -> performance"
		fi
	else
		in_vain "the kernel has no PCIe ASPM"
	fi
	[ "$source" = i210 ] || return 0
	for nic in $(i210_cards); do
		for change_file in "$root$pci_devices/$nic"/link/*; do
			[ ! -e "$change_file" ] || change "$change_file" 0
		done
	done
}
