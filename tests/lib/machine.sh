# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# machine.sh - simulated machines: directories (WAKELAT_ROOT) with sys, proc and dev.

# put FILE VALUE: write VALUE as a line; FILE is an absolute path in the machine
put() {
	mkdir -p "$machine${1%/*}"
	printf '%s\n' "$2" >"$machine$1"
}

# put_msr CPU NUMBER BYTES: write the eight bytes of an MSR, given as escapes for printf's %b. The file is sparse, like the
# device.
put_msr() {
	mkdir -p "$machine/dev/cpu/$1"
	printf '%b' "$3" | dd of="$machine/dev/cpu/$1/msr" bs=1 seek="$(($2))" conv=notrunc 2>/dev/null
}

# take FILE...: remove files from the machine
take() {
	for take_file; do
		rm -rf "${machine:?}$take_file"
	done
}

# machine_state CPU INDEX NAME LATENCY_US RESIDENCY_US: add an idle state
machine_state() {
	state_dir=/sys/devices/system/cpu/cpu$1/cpuidle/state$2
	put "$state_dir/name" "$3"
	put "$state_dir/desc" "MWAIT $3"
	put "$state_dir/latency" "$4"
	put "$state_dir/residency" "$5"
	put "$state_dir/disable" 0
	put "$state_dir/usage" 1000
	put "$state_dir/default_status" enabled
}

# machine_cpu CPU SIBLINGS: add a CPU with ideal settings for a measurement
machine_cpu() {
	cpu_dir=/sys/devices/system/cpu/cpu$1
	machine_state "$1" 0 POLL 0 0
	machine_state "$1" 1 C1 2 2
	machine_state "$1" 2 C6 133 600
	put "$cpu_dir/power/pm_qos_resume_latency_us" 0
	put "$cpu_dir/power/energy_perf_bias" 0
	put "$cpu_dir/cpufreq/scaling_governor" performance
	put "$cpu_dir/cpufreq/scaling_available_governors" 'performance powersave'
	put "$cpu_dir/cpufreq/scaling_min_freq" 2000000
	put "$cpu_dir/cpufreq/scaling_max_freq" 2000000
	put "$cpu_dir/cpufreq/base_frequency" 2000000
	put "$cpu_dir/cpufreq/energy_performance_preference" performance
	put "$cpu_dir/thermal_throttle/core_throttle_count" 0
	put "$cpu_dir/topology/thread_siblings_list" "$2"
	mkdir -p "$machine$cpu_dir/node0"
	put "$cpu_dir/online" 1
	put_msr "$1" 0x34 '\005\0\0\0\0\0\0\0'
	put_msr "$1" 0xe2 '\007\0200\0\0\0\0\0\0'
	put_msr "$1" 0x1fc '\0\0\0\0100\0\0\0\0'
}

# make_machine DIR: make a server with two CPUs in which doctor finds nothing wrong. CPU 1 is isolated and idle.
make_machine() {
	machine=$1
	mkdir -p "$machine"
	put /proc/cmdline 'BOOT_IMAGE=/vmlinuz root=/dev/sda1 isolcpus=1'
	for machine_cpu in 0 1; do
		printf 'processor\t: %s\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: A Xeon\nmicrocode\t: 0x2006e05\nflags\t\t: tsc constant_tsc nonstop_tsc tsc_deadline_timer arat\n\n' \
			"$machine_cpu"
	done >"$machine/proc/cpuinfo"
	put /proc/self/timerslack_ns 50000
	put /proc/sys/kernel/nmi_watchdog 0
	put /proc/sys/kernel/soft_watchdog 0
	put /proc/sys/kernel/timer_migration 1
	put /proc/1/task/1/stat '1 (in) it R 1) S 0 1 1 0 -1 4194560 1 1 1 1 1 1 1 1 20 0 1 0 5 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 17 1 0 0 0 0 0 0'
	put /proc/timer_list 'Timer List Version: v0.9'
	put /proc/interrupts '           CPU0       CPU1'
	put /proc/irq/24/effective_affinity_list 0
	mkdir -p "$machine/proc/irq/24/nvme0q0"
	put /sys/kernel/tracing/available_tracers nop
	mkdir -p "$machine/sys/kernel/tracing/wakelat"
	printf 'hrtimer ok\ntsc_deadline ok\n' >"$machine/sys/kernel/tracing/wakelat/available_sources"
	put /sys/devices/system/clocksource/clocksource0/current_clocksource tsc
	put /sys/devices/system/cpu/online 0-1
	put /sys/devices/system/cpu/present 0-1
	put /sys/devices/system/cpu/isolated 1
	put /sys/devices/system/cpu/cpuidle/current_driver intel_idle
	put /sys/devices/system/cpu/cpuidle/current_governor menu
	put /sys/devices/system/cpu/intel_pstate/no_turbo 1
	put /sys/module/pcie_aspm/parameters/policy 'default [performance] powersave'
	machine_cpu 0 0
	machine_cpu 1 1
	mkdir -p "$machine/dev"
	printf '\0\224\065\167' >"$machine/dev/cpu_dma_latency"
}

# make_card: add an i210 behind its own root port, with a link
make_card() {
	card_real=/sys/devices/pci0000:00/0000:00:1c.0/0000:05:00.0
	card=/sys/bus/pci/devices/0000:05:00.0
	put "${card_real%/*}/vendor" 0x8086
	put "$card_real/vendor" 0x8086
	put "$card_real/device" 0x1533
	put "$card_real/current_link_speed" '2.5 GT/s PCIe'
	put "$card_real/max_link_speed" '2.5 GT/s PCIe'
	put "$card_real/current_link_width" 1
	put "$card_real/max_link_width" 1
	put "$card_real/link/l1_aspm" 0
	put "$card_real/numa_node" 0
	put "$card_real/power/control" on
	put "$card_real/net/eth5/operstate" up
	put "$card_real/net/eth5/carrier" 1
	printf 'RxErr 0\nTOTAL_ERR_COR 0\n' >"$machine$card_real/aer_dev_correctable"
	put "$card_real/msi_irqs/30" msix
	put /proc/irq/30/effective_affinity_list 0
	mkdir -p "$machine/sys/bus/pci/devices" "$machine/sys/bus/pci/drivers/igb"
	ln -s "../../../devices/pci0000:00/0000:00:1c.0/0000:05:00.0" "$machine$card"
	ln -s "../../../devices/pci0000:00/0000:00:1c.0" "$machine/sys/bus/pci/devices/0000:00:1c.0"
	ln -s ../../../../bus/pci/drivers/igb "$machine$card_real/driver"
}

# put_config CONTROL: write the card's configuration space. It has a power management capability at 0x40, then a PCI Express
# capability at 0xa0 whose ASPM Control is CONTROL.
put_config() {
	{
		dd if=/dev/zero bs=1 count=52
		printf '\100'
		dd if=/dev/zero bs=1 count=11
		printf '\001\240'
		dd if=/dev/zero bs=1 count=94
		printf '\020\0'
		dd if=/dev/zero bs=1 count=14
		printf '%b' "$1"
		dd if=/dev/zero bs=1 count=79
	} 2>/dev/null >"$machine$card_real/config"
}
