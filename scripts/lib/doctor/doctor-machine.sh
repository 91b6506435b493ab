# SPDX-License-Identifier: GPL-2.0
# doctor-machine.sh - checks of the machine as a whole: kernel, clock, cpuidle, watchdogs.
# shellcheck shell=sh
#
# Needs doctor.sh, settings.sh, boot.sh.

# Variables that other files set:
: "${root?sysfs.sh}" "${value?doctor.sh}" "${here?the command}" "${idle_means?boot.sh}" "${idle_severity?boot.sh}" "${setting_found?settings.sh}"

# See boot_parameter and read_cpuinfo.
parameter=
cpu_vendor=
cpu_family=
cpu_model_number=
cpu_flags=
: "$parameter" "$cpu_flags" "$cpu_vendor" "$cpu_family" "$cpu_model_number"

check_machine_findings() {
	get /proc/cmdline || :
	boot_parameters=" $value "
	read_cpuinfo
	check_wakelat
	check_hypervisor
	check_cpuidle
	check_boot_parameters
	check_clock
	check_microcode
	# With timer migration, timers of idle CPUs go to busy CPUs and do not wake the measured CPU.
	check_settings machine machine
	check_timer_slack
}

# boot_parameter NAME: sets $parameter to its last value on the kernel's command line, or fails.
boot_parameter() {
	case $boot_parameters in
	*" $1="*)
		parameter=${boot_parameters##*" $1="}
		parameter=${parameter%% *}
		;;
	*" $1 "*) parameter= ;;
	*) return 1 ;;
	esac
}

# read_cpuinfo: sets $cpu_vendor, $cpu_family, $cpu_model_number and $cpu_flags of the first CPU
read_cpuinfo() {
	cpu_vendor=
	cpu_family=
	cpu_model_number=
	cpu_flags=
	[ -r "$root/proc/cpuinfo" ] || return 0
	while IFS= read -r cpuinfo_line; do
		case $cpuinfo_line in
		vendor_id*) cpu_vendor=${cpuinfo_line##*: } ;;
		'cpu family'*) cpu_family=${cpuinfo_line##*: } ;;
		model[!' ']*:*) cpu_model_number=${cpuinfo_line##*: } ;;
		flags*)
			cpu_flags=" ${cpuinfo_line##*: } "
			break
			;;
		esac
	done <"$root/proc/cpuinfo"
}

cpu_has() {
	case $cpu_flags in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}

check_wakelat() {
	tracing=/sys/kernel/tracing
	if [ -d "$root$tracing" ] && [ ! -x "$root$tracing" ]; then
		finding kernel machine unknown - "$tracing cannot be read, which would show whether the kernel has wakelat: run as root"
		return
	fi
	if [ ! -e "$root$tracing/available_tracers" ] && [ ! -e "$root$tracing/wakelat" ] && [ ! -e "$root/sys/kernel/btf/vmlinux" ]; then
		finding kernel machine unusable - "tracefs is not mounted" "mount -t tracefs tracefs $tracing" "umount $tracing"
		return
	fi
	if [ ! -d "$root$tracing/wakelat" ] && [ -e "$root/sys/kernel/btf/vmlinux" ]; then
		finding kernel machine note no "this kernel has no wakelat, which wakelat record needs (Documentation/your-machine.md says how to build it); wakelat probe works without it"
		return
	fi
	if [ ! -d "$root$tracing/wakelat" ]; then
		finding kernel machine unusable no "this kernel has no wakelat: Documentation/your-machine.md says how to build one"
		return
	fi
	finding kernel machine ok yes "the kernel has wakelat"
	while read -r source_name source_state source_why; do
		if [ "$source_state" = ok ]; then
			finding source machine ok "$source_name" "source $source_name can be used"
		else
			finding source machine note "$source_name" "source $source_name is unavailable${source_why:+: $source_why}"
		fi
	done 2>/dev/null <"$root$tracing/wakelat/available_sources"
}

check_hypervisor() {
	case $boot_parameters in
	*' wakelat.testbed='*)
		finding hypervisor machine note testbed "wakelat's testbed: the machine is emulated, and its latencies are injected"
		return
		;;
	esac
	[ -n "$cpu_flags" ] || {
		# shellcheck source=scripts/lib/doctor/doctor-flagless.sh
		. "$here/lib/doctor/doctor-flagless.sh"
		check_flagless
		return
	}
	if cpu_has hypervisor; then
		finding hypervisor machine doubt yes "a hypervisor runs this machine: latencies include the hypervisor's, or are only the hypervisor's"
	else
		finding hypervisor machine ok no "no hypervisor"
	fi
}

check_cpuidle() {
	cpuidle_dir=/sys/devices/system/cpu/cpuidle
	cpuidle_driver=
	if get $cpuidle_dir/current_driver; then
		cpuidle_driver=$value
	elif [ -e "$root$cpuidle_dir/current_driver" ]; then
		unread cpuidle_driver machine $cpuidle_dir/current_driver
		return
	fi
	case $cpuidle_driver in
	intel_idle) finding cpuidle_driver machine ok intel_idle "the cpuidle driver is intel_idle" ;;
	'' | none)
		finding cpuidle_driver machine unusable none "there is no cpuidle driver: record has no idle state to measure, and wakelat probe measures the kernel's default idle routine, HLT or MWAIT (idle= on the command line? a virtual machine? states switched off in the firmware?)"
		return
		;;
	acpi_idle)
		if [ "$cpu_vendor" = GenuineIntel ]; then
			finding cpuidle_driver machine note acpi_idle "the cpuidle driver is acpi_idle: states and latencies come from the firmware, because intel_idle does not support this CPU or was switched off"
		else
			finding cpuidle_driver machine ok acpi_idle "the cpuidle driver is acpi_idle: states and latencies come from the firmware"
		fi
		;;
	*) finding cpuidle_driver machine ok "$cpuidle_driver" "the cpuidle driver is $cpuidle_driver" ;;
	esac
	check_cpuidle_governor
}

# With one enabled state most governors have no choice. But ladder reaches it step by step, and haltpoll polls first.
check_cpuidle_governor() {
	if get "$cpuidle_dir/current_governor" && [ "$value" = haltpoll ]; then
		if get /sys/module/haltpoll/parameters/guest_halt_poll_ns && [ "$value" = 0 ]; then
			finding cpuidle_governor machine ok haltpoll "the cpuidle governor is haltpoll; guest_halt_poll_ns is 0, so it does not poll"
		else
			value=haltpoll
			change_finding cpuidle_governor machine doubt "the cpuidle governor VALUE polls before it lets the CPU sleep"
		fi
		return
	fi
	check_setting cpuidle_governor machine
	[ "$setting_found" = no ] && known cpuidle_governor machine "$cpuidle_dir/current_governor_ro" || return 0
	case $value in
	menu | teo) finding cpuidle_governor machine ok "$value" "the cpuidle governor is $value" ;;
	*) finding cpuidle_governor machine note "$value" "the cpuidle governor is $value, and this kernel cannot change it" ;;
	esac
}

# boot_finding NAME SEVERITY TEXT: adds a finding if NAME is on the command line
boot_finding() {
	boot_parameter "$1" || return 0
	finding boot_parameter machine "$2" "$1${parameter:+=$parameter}" "booted with $1${parameter:+=$parameter}: $3" \
		"boot without it" "boot with it"
}

check_boot_parameters() {
	for boot_name in idle cpuidle.off; do
		! boot_parameter "$boot_name" || ! idle_meaning "$boot_name=$parameter" || boot_finding "$boot_name" "$idle_severity" "$idle_means"
	done
	boot_finding intel_idle.max_cstate doubt "deeper states are missing"
	boot_finding processor.max_cstate doubt "deeper states of acpi_idle are missing"
	boot_finding intel_idle.states_off note "these states begin disabled"
	if boot_parameter nohz && [ "$parameter" = off ]; then
		boot_finding nohz doubt "the tick wakes idle CPUs: no idle period is longer than a tick"
	fi
	if boot_parameter highres && [ "$parameter" = off ]; then
		boot_finding highres doubt "timers expire only at ticks"
	fi
	case $boot_parameters in
	*' mitigations=off '*) boot_finding mitigations note "the kernel's path out of the idle state is shorter than on users' machines" ;;
	esac
}

# The stamps are TSC values. available_clocksource does not list a TSC that the kernel distrusts.
check_clock() {
	clocksource_file=/sys/devices/system/clocksource/clocksource0/current_clocksource
	if get $clocksource_file; then
		clocksource=$value
		clocksources=
		! get "${clocksource_file%/*}/available_clocksource" || clocksources=" $value "
		value=$clocksource
		if [ "$value" = tsc ]; then
			finding clocksource machine ok tsc "the clocksource is tsc"
		elif [ "$value" = arch_sys_counter ]; then
			finding clocksource machine ok "$value" "the clocksource is $value, Arm's counter, which runs on in idle states"
			return
		elif [ "${clocksources#* tsc }" != "$clocksources" ]; then
			finding clocksource machine note "$value" "the clocksource is $value: samples are still stamped with the TSC, which the kernel trusts"
		elif [ -z "$cpu_flags" ]; then
			finding clocksource machine unknown "$value" "the clocksource is $value: wakelat only knows the clocks of x86 and arm64"
		else
			finding clocksource machine unusable "$value" "the clocksource is $value: the kernel does not trust the TSC, with which idle periods are stamped" \
				"echo tsc >$clocksource_file, or boot with tsc=reliable if you know better" "echo $value >$clocksource_file"
		fi
	else
		unread clocksource machine $clocksource_file
	fi
	[ -n "$cpu_flags" ] || {
		finding tsc machine unknown - "/proc/cpuinfo has no flags"
		return
	}
	tsc_flag constant_tsc doubt "the TSC changes its rate with the CPU's frequency"
	tsc_flag nonstop_tsc unusable "the TSC may stop in deep idle states"
	tsc_flag tsc_deadline_timer note "source tsc_deadline is unavailable, because the local timer has no TSC-deadline mode"
	tsc_flag arat doubt "the local timer stops in deep idle states: another CPU's broadcast wakes the CPU"
}

tsc_flag() {
	if cpu_has "$1"; then
		finding tsc machine ok "$1" "the CPU has $1"
	else
		finding tsc machine "$2" "no $1" "the CPU does not have $1: $3"
	fi
}

check_microcode() {
	microcode=$(awk '/^microcode[ \t]*: / {
			sub(/^microcode[ \t]*: /, "")
			if (seen[$0]++)
				next
			for (i = ++n; i > 1 && all[i - 1] > $0; i--)
				all[i] = all[i - 1]
			all[i] = $0
		}
		END { for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? " " : ""), all[i] }' "$root/proc/cpuinfo" 2>/dev/null)
	case $microcode in
	'') ;;
	*' '*) finding microcode machine doubt "$microcode" "CPUs have different microcode: $microcode" ;;
	*) finding microcode machine ok "$microcode" "microcode $microcode" ;;
	esac
}

# Timer slack does not delay wakelat's events, but it delays timers of programs that users compare with wakelat.
check_timer_slack() {
	known timer_slack machine /proc/self/timerslack_ns || return 0
	finding timer_slack machine ok "$value" "timers of ordinary programs may be $value ns late (real-time ones and wakelat's are not)"
}
