# SPDX-License-Identifier: GPL-2.0
# doctor-cpu.sh - checks of one CPU: its idle states and limits, frequency, sibling, interrupts.
# shellcheck shell=sh
#
# Needs doctor.sh, doctor-machine.sh, doctor-msr.sh, doctor-users.sh.

# Variables that other files set:
: "${root?sysfs.sh}" "${value?doctor.sh}" "${parameter?doctor-machine.sh}" "${cpu_flags?doctor-machine.sh}" \
	"${pm_limit?sysfs.sh}" "${without_cpus?cpulist.sh}"

check_cpu_findings() {
	doctor_cpu_dir=/sys/devices/system/cpu/cpu$1
	check_states "$1"
	check_latency_limits "$1"
	check_frequency "$1"
	check_settings CPU "cpu$1"
	check_sibling "$1"
	check_isolation "$1"
	check_interrupts "$1"
	check_throttling "$1"
	check_msrs "$1"
	check_users "$1"
}

# check_states CPU: checks the idle states, and sets $state_latencies to "LATENCY NAME" of the
# enabled states, one a line. A name may have spaces.
check_states() {
	state_latencies=
	state_index=0
	if [ ! -d "$root$doctor_cpu_dir/cpuidle/state0" ]; then
		finding states "cpu$1" unusable none "CPU $1 has no idle states"
		return
	fi
	states_found=0
	while [ -d "$root$doctor_cpu_dir/cpuidle/state$state_index" ]; do
		check_state "$1" "$doctor_cpu_dir/cpuidle/state$state_index"
		state_index=$((state_index + 1))
	done
	[ "$states_found" -ne 0 ] ||
		finding states "cpu$1" unusable none "CPU $1 has no enabled state that sleeps: POLL and snooze are loops"
}

# check_state CPU DIR: checks one idle state
check_state() {
	get "$2/name" || :
	state_name=$value
	get "$2/latency" || :
	state_latency=$value
	get "$2/residency" || :
	state_text="$state_name: exit latency ${state_latency:--} us, target residency ${value:--} us"
	get "$2/desc" && state_text="$state_text, $value"
	# intel_idle switches a state off by default if it does not trust the firmware with it.
	get "$2/default_status" && [ "$value" = disabled ] && state_text="$state_text, off by default"
	known state "cpu$1" "$2/disable" || return 0
	if [ "$value" = 0 ]; then
		finding state "cpu$1" ok "$state_name" "state $state_text"
		# snooze is the loop of powernv_idle.
		case $state_name in
		POLL | snooze) ;;
		*) states_found=$((states_found + 1)) ;;
		esac
		state_latencies="$state_latencies$state_latency $state_name
"
	else
		finding state "cpu$1" note "$state_name" "state $state_text, is disabled; record --states '$state_name' enables it for the recording" \
			"echo 0 >$2/disable" "echo $value >$2/disable"
	fi
}

# limit_finding CHECK CPU LIMIT_US TEXT [CHANGE BACK]: adds a finding with the enabled states that
# the limit forbids
limit_finding() {
	limit_forbids=
	while read -r limit_latency limit_state; do
		[ -n "$limit_state" ] || continue
		[ "$limit_latency" -le "$3" ] || limit_forbids="$limit_forbids${limit_forbids:+, }$limit_state"
	done <<END_STATES
$state_latencies
END_STATES
	if [ -n "$limit_forbids" ]; then
		finding "$1" "$2" doubt "$3" "$4 is $3 us, which excludes $limit_forbids" "${5:--}" "${6:--}"
	else
		finding "$1" "$2" ok "$3" "$4 is $3 us, which admits each enabled state"
	fi
}

# find_holders DEVICE: sets $device_holders to the processes that have the device open, e.g.
# "cyclictest (77), ...", or to nothing if none can be seen.
find_holders() {
	device_holders=
	# shellcheck disable=SC2012  # ls reads the links of all open files in one process
	for holder in $(ls -l "$root"/proc/[0-9]*/fd 2>/dev/null | awk -v device="$1" '
		/^\/.*:$/ { n = split($0, part, "/"); pid = part[n - 1] }
		$NF == device && $(NF - 1) == "->" && !seen[pid]++ { print pid }'); do
		[ "$holder" != "$$" ] || continue
		get "/proc/$holder/comm" || :
		device_holders="$device_holders${device_holders:+, }$value ($holder)"
	done
}

# device_limit CHECK CPU DEVICE: checks the limit of a device, which holds for all CPUs as long as
# programs have the device open
device_limit() {
	if [ ! -e "$root$3" ]; then
		return
	elif [ ! -r "$root$3" ]; then
		unread "$1" "$2" "$3"
		return
	fi
	find_holders "$3"
	read_pm_limit "$root$3"
	case $pm_limit in
	'' | *[!0-9]*) finding "$1" "$2" unknown - "the limit in $3 cannot be read${device_holders:+; the device is held open by $device_holders}" ;;
	*) limit_finding "$1" "$2" "$pm_limit" "$3" "end the program that holds it open: ${device_holders:-fuser -v $3}" "start it again" ;;
	esac
}

# Check the latency limits of PM QoS: the CPU's file, and the devices that programs have open. The
# smallest limit counts. The wake-up limit of Linux 6.19 is made for suspend-to-idle, but idle CPUs
# obey it as well.
check_latency_limits() {
	limit_file=$doctor_cpu_dir/power/pm_qos_resume_latency_us
	if get "$limit_file"; then
		case $value in
		0) finding cpu_latency_limit "cpu$1" ok 0 "the CPU has no latency limit of its own" ;;
		n/a) limit_finding cpu_latency_limit "cpu$1" 0 "$limit_file (n/a)" "echo 0 >$limit_file" "echo n/a >$limit_file" ;;
		*) limit_finding cpu_latency_limit "cpu$1" "$value" "$limit_file" "echo 0 >$limit_file" "echo $value >$limit_file" ;;
		esac
	else
		unread cpu_latency_limit "cpu$1" "$limit_file"
	fi
	device_limit latency_limit "cpu$1" /dev/cpu_dma_latency
	device_limit wakeup_latency_limit "cpu$1" /dev/cpu_wakeup_latency
}

check_frequency() {
	freq_dir=$doctor_cpu_dir/cpufreq
	if [ ! -d "$root$freq_dir" ]; then
		finding frequency_governor "cpu$1" ok none "no frequency driver: only the hardware changes the frequency"
		return
	fi
	check_setting frequency_governor "cpu$1"
	known frequency_range "cpu$1" "$freq_dir/scaling_min_freq" || return 0
	frequency_min=$value
	get "$freq_dir/scaling_max_freq" || return 0
	if [ "$frequency_min" = "$value" ]; then
		finding frequency_range "cpu$1" ok "$value" "the frequency is fixed at $value kHz"
	else
		frequency_max=$value
		frequency_fixed "$freq_dir"
		finding frequency_range "cpu$1" doubt "$frequency_min-$frequency_max" "the frequency may vary from $frequency_min to $frequency_max kHz" \
			"echo $frequency_khz | tee $freq_dir/scaling_min_freq $freq_dir/scaling_max_freq" \
			"echo $frequency_min >$freq_dir/scaling_min_freq; echo $frequency_max >$freq_dir/scaling_max_freq" frequency
	fi
}

# frequency_fixed DIR: sets $frequency_khz to the frequency at which the CPU can be fixed: the base
# frequency, or else the maximum.
frequency_fixed() {
	get "$1/base_frequency" || get "$1/cpuinfo_max_freq" || get "$1/scaling_max_freq" || :
	frequency_khz=$value
}

check_sibling() {
	sibling_file=$doctor_cpu_dir/topology/thread_siblings_list
	known sibling "cpu$1" "$sibling_file" || return 0
	sibling_list=$value
	get /sys/devices/system/cpu/online || :
	sibling_online=$value
	subtract_cpus "$sibling_list" "$1"
	sibling_found=no
	for sibling in $without_cpus; do
		cpulist_has "$sibling_online" "$sibling" || continue
		sibling_found=yes
		finding sibling "cpu$1" doubt "$sibling" "its hyper-thread CPU $sibling is online: the core sleeps no deeper than CPU $sibling does" \
			"echo 0 >/sys/devices/system/cpu/cpu$sibling/online" "echo 1 >/sys/devices/system/cpu/cpu$sibling/online" siblings
	done
	[ "$sibling_found" = yes ] || finding sibling "cpu$1" ok none "no other hyper-thread of its core is online"
}

check_isolation() {
	get /sys/devices/system/cpu/isolated || :
	if cpulist_has "$value" "$1"; then
		finding isolated "cpu$1" ok yes "CPU $1 is isolated: the scheduler puts no task there by itself"
	else
		finding isolated "cpu$1" note no "CPU $1 is not isolated: tasks may run there" \
			"boot with isolcpus=$1 (or a cpuset partition)" "boot without it"
	fi
	if get /sys/devices/system/cpu/nohz_full; then
		if cpulist_has "$value" "$1"; then
			finding nohz_full "cpu$1" note yes "nohz_full: the idle entry and exit paths are longer (context tracking)"
		else
			finding nohz_full "cpu$1" ok no "CPU $1 is not nohz_full"
		fi
	fi
	if boot_parameter rcu_nocbs; then
		finding rcu_nocbs "cpu$1" ok "$parameter" "RCU callbacks of ${parameter:+CPUs }${parameter:-all CPUs} are offloaded to kernel threads"
	fi
}

# own_interrupt IRQ: succeeds if each CPU has an interrupt of its own with this number, such as its
# timer's (a private interrupt of Arm's interrupt controller).
own_interrupt() {
	get "/sys/kernel/irq/$1/chip_name" || return
	case $value in
	GIC*) get "/sys/kernel/irq/$1/hwirq" && [ "$value" -lt 32 ] ;;
	*) return 1 ;;
	esac
}

# Check which device interrupts go to the CPU. The interrupt of a queue that belongs to the CPU
# cannot be moved. The others can.
check_interrupts() {
	[ -d "$root/proc/irq" ] || {
		finding interrupts "cpu$1" unknown - "/proc/irq cannot be read"
		return
	}
	interrupt_count=0
	interrupt_list=
	interrupt_unread=0
	for interrupt_dir in "$root"/proc/irq/[0-9]*; do
		[ -d "$interrupt_dir" ] || continue
		interrupt_dir=${interrupt_dir#"$root"}
		get "$interrupt_dir/effective_affinity_list" || get "$interrupt_dir/smp_affinity_list" || {
			interrupt_unread=$((interrupt_unread + 1))
			continue
		}
		cpulist_has "$value" "$1" || continue
		# An interrupt in use has a subdirectory with the name of its user.
		set -- "$1" "$root$interrupt_dir"/*/
		[ -d "${2-}" ] || continue
		[ -n "$cpu_flags" ] || ! own_interrupt "${interrupt_dir##*/}" || continue
		interrupt_count=$((interrupt_count + 1))
		interrupt_name=${2%/}
		[ "$interrupt_count" -gt 4 ] ||
			interrupt_list="$interrupt_list${interrupt_list:+, }${interrupt_dir##*/} (${interrupt_name##*/})"
	done
	[ "$interrupt_unread" -eq 0 ] ||
		finding interrupts "cpu$1" unknown - "the CPUs of $interrupt_unread interrupts cannot be read: run as root"
	if [ "$interrupt_count" -eq 0 ]; then
		[ "$interrupt_unread" -ne 0 ] || finding interrupts "cpu$1" ok 0 "no device interrupt goes to CPU $1"
		return
	fi
	[ "$interrupt_count" -le 4 ] || interrupt_list="$interrupt_list, ..."
	finding interrupts "cpu$1" doubt "$interrupt_count" "$interrupt_count device interrupts go to CPU $1: $interrupt_list" \
		"echo OTHER-CPUS >/proc/irq/N/smp_affinity_list" "write the old value back to each file" irqs
}

check_throttling() {
	get "$doctor_cpu_dir/thermal_throttle/core_throttle_count" || return 0
	if [ "$value" = 0 ]; then
		finding throttling "cpu$1" ok 0 "not throttled since boot"
	else
		finding throttling "cpu$1" note "$value" "throttled for heat $value times since boot"
	fi
}
