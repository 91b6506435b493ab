#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat doctor on a simulated arm64 machine: it reports no doubt if something that only x86
# machines have is missing. Also test the names of arm64 CPUs.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/machine.sh"

TMPDIR=$tmp/t
mkdir -m 1777 "$TMPDIR"
chmod 755 "$tmp"
WAKELAT_ROOT=$tmp/m
export WAKELAT_ROOT TMPDIR
make_machine "$tmp/m"
for cpu in 0 1; do
	printf 'processor\t: %s\nBogoMIPS\t: 125.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x%s\nCPU part\t: 0xd0%s\nCPU revision\t: %s\n\n' \
		"$cpu" "$cpu" "$((7 + cpu))" "$((3 - cpu))"
done >"$tmp/m/proc/cpuinfo"
put /sys/devices/system/clocksource/clocksource0/current_clocksource arch_sys_counter
put /sys/devices/system/cpu/cpuidle/current_driver psci_idle
take /dev/cpu /sys/devices/system/cpu/intel_pstate
# irq NUMBER CHIP HWIRQ NAME: an interrupt that goes to all CPUs
irq() {
	put "/proc/irq/$1/effective_affinity_list" 0-1
	mkdir -p "$tmp/m/proc/irq/$1/$4"
	put "/sys/kernel/irq/$1/chip_name" "$2"
	put "/sys/kernel/irq/$1/hwirq" "$3"
}
irq 13 GICv3 30 arch_timer
run "$top/scripts/wakelat" doctor --time 0s --cpu 1 --tsv
# says SEVERITY CHECK ERE NAME: check that $out has a finding that matches
says() {
	like "$out" "^$2	[^	]*	$1	.*$3" "$4"
}
says ok clocksource 'arch_sys_counter' "the architecture's counter is a clock to measure with"
says ok cpuidle_driver psci_idle "psci_idle is a known driver of idle states"
says ok interrupts 'no device interrupt goes to CPU 1' "the interrupt of the CPU's own timer does not count as a device's"
unlike "$out" '^(tsc|msr|microcode|c1e_promotion)	' "no finding is about features and registers of x86 CPUs"
says unknown hypervisor 'neither a device tree nor DMI' "whether there is a hypervisor is not known"

# --- under a hypervisor, or not

# property PATH STRING...: write the strings to property PATH of the device tree
property() {
	property_file=$tmp/m/proc/device-tree/$1
	shift
	mkdir -p "${property_file%/*}"
	printf '%s\0' "$@" >"$property_file"
}
# guest SEVERITY ERE NAME: run doctor, and check its finding hypervisor
guest() {
	run "$top/scripts/wakelat" doctor --time 0s --cpu 1 --tsv
	says "$1" hypervisor "$2" "check hypervisor is $1: $3"
}
property compatible arm,juno arm,vexpress
property psci/method smc
guest ok 'no hypervisor' "a board whose firmware is called by SMC"
property psci/method hvc
guest doubt 'psci/method is hvc' "PSCI that is called by HVC"
property psci/method smc
property hypervisor/compatible xen,xen-4.17 xen,xen
guest doubt 'hypervisor/compatible is xen,xen-4.17 xen,xen' "a node of the hypervisor"
take /proc/device-tree/hypervisor
property compatible linux,dummy-virt
guest doubt 'compatible is linux,dummy-virt' "a machine that is only virtual"
take /proc/device-tree/compatible
mkdir -p "$tmp/m/proc/device-tree/fw-cfg@9020000"
guest doubt 'fw-cfg@9020000' "QEMU's device for its firmware"
take /proc/device-tree
put /sys/class/dmi/id/sys_vendor 'Amazon EC2'
put /sys/class/dmi/id/product_name a1.metal
guest ok 'no hypervisor' "a server of Amazon's without a hypervisor"
put /sys/class/dmi/id/product_name t4g.small
guest doubt 'sys_vendor is Amazon EC2' "a guest on a server of Amazon's"
put /sys/class/dmi/id/sys_vendor Ampere
put /sys/class/dmi/id/product_name 'Mt. Jade'
guest ok 'no hypervisor' "a server with DMI"
mkdir -p "$tmp/m/sys/firmware/acpi/tables"
{
	dd if=/dev/zero bs=1 count=129 2>/dev/null
	printf '\003\000'
} >"$tmp/m/sys/firmware/acpi/tables/FACP"
guest doubt 'ACPI: PSCI is called by HVC' "ACPI that has PSCI called by HVC"
take /sys/firmware
put /sys/hypervisor/type xen
guest doubt 'type is xen' "Linux names the hypervisor"
take /sys/hypervisor /sys/class/dmi
irq 14 GICv3 34 virtio0
irq 15 ITS-MSI 5 nvme0q1
run "$top/scripts/wakelat" doctor --time 0s --cpu 1 --tsv
says doubt interrupts '2 device interrupts go to CPU 1: 14 \(virtio0\), 15 \(nvme0q1\)' "interrupts of devices that go to the CPU are a doubt"

# name CPU: print the name that arm-cpu.awk makes from /proc/cpuinfo
name() {
	awk -v cpu="$1" -f "$top/scripts/lib/common/arm-cpu.awk" "$tmp/m/proc/cpuinfo"
}
is "$(name 0), $(name 1)" "Arm Cortex-A57 r0p3, Arm Cortex-A72 r1p2" "implementer, part, variant and revision give the CPU's name"
sed -i 's/0xd07/0xfff/; s/\(variant.*\)0x1/\10xb/; s/0xd08/0xd01/; /processor.*1/,$s/0x41/0x48/' "$tmp/m/proc/cpuinfo"
is "$(name 0), $(name 1)" "Arm part 0xfff r0p3, CPU of implementer 0x48, part 0xd01 r11p2" "an unknown CPU is named by its numbers"
make_machine "$tmp/m"
is "$(name 0)" "" "arm-cpu.awk prints nothing for an x86 CPU"
done_testing
