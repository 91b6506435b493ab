# SPDX-License-Identifier: GPL-2.0
# hypervisor.sh - find out whether a hypervisor runs this machine, if no CPU flag says so (arm64).
# shellcheck shell=sh
#
# Needs sysfs.sh. Callers source it only when they need the answer.

# Variables that other files set:
: "${root?sysfs.sh}"

# See ask_hypervisor.
hypervisor=
hypervisor_asked=no

# tree_strings FILE: print the strings of a property of the device tree, in one line
tree_strings() {
	tr '\0' ' ' <"$root/proc/device-tree/$1" 2>/dev/null | sed 's/ *$//'
}

# ask_tree: look for a hypervisor in the device tree. It shows in a node `hypervisor` (Xen), in the
# machine's name (QEMU, kvmtool), in QEMU's node fw-cfg, or in PSCI's method. Without a hypervisor,
# PSCI is a part of the firmware and is called by SMC. HVC calls a hypervisor.
ask_tree() {
	[ -d "$root/proc/device-tree" ] || return
	hypervisor_asked=yes
	for hypervisor_node in hypervisor/compatible psci/method compatible; do
		[ -r "$root/proc/device-tree/$hypervisor_node" ] || continue
		hypervisor_text=$(tree_strings "$hypervisor_node")
		case $hypervisor_node:$hypervisor_text in
		hypervisor/*:?* | psci/*:hvc | compatible:*dummy-virt* | compatible:*qemu*)
			hypervisor="device tree: $hypervisor_node is $hypervisor_text"
			return ;;
		esac
	done
	for hypervisor_node in "$root"/proc/device-tree/fw-cfg@*; do
		[ -e "$hypervisor_node" ] || continue
		hypervisor="device tree: ${hypervisor_node##*/}"
		return
	done
	return 1
}

# ask_dmi: look for the names of hypervisors in DMI. Amazon's machines without a hypervisor also have
# the name Amazon EC2, but their product name has .metal in it.
ask_dmi() {
	[ -d "$root/sys/class/dmi/id" ] || return
	hypervisor_asked=yes
	dmi_product=$(read_value "$root/sys/class/dmi/id/product_name")
	case $dmi_product in
	*.metal | *.metal-*) return 1 ;;
	esac
	for dmi_field in product_name sys_vendor board_vendor bios_vendor; do
		dmi_text=$(read_value "$root/sys/class/dmi/id/$dmi_field") || continue
		case $dmi_text in
		*KVM* | *QEMU* | *VMware* | *Xen* | *Parallels* | *BHYVE* | *OpenStack* | *KubeVirt* | *'Virtual Machine'* | \
			*'Apple Virtualization'* | *'Amazon EC2'* | *'Google Compute Engine'* | *'Hyper-V'*)
			hypervisor="DMI: $dmi_field is $dmi_text"
			return ;;
		esac
	done
	return 1
}

# ask_acpi: look for the FADT's flag that PSCI is called by HVC: bit 1 of the flags for Arm, at byte 129
ask_acpi() {
	acpi_table=$root/sys/firmware/acpi/tables/FACP
	[ -r "$acpi_table" ] || return
	hypervisor_asked=yes
	acpi_flags=$(od -An -tu1 -j129 -N1 "$acpi_table" 2>/dev/null | tr -d ' ')
	[ -n "$acpi_flags" ] && [ $((acpi_flags & 2)) -ne 0 ] || return
	hypervisor="ACPI: PSCI is called by HVC"
}

# ask_hypervisor: set $hypervisor to the evidence for a hypervisor, or fail. $hypervisor_asked stays
# no if the machine has no device tree, DMI or ACPI table to look in.
ask_hypervisor() {
	hypervisor_type=$(read_value "$root/sys/hypervisor/type")
	if [ -n "$hypervisor_type" ]; then
		hypervisor="/sys/hypervisor/type is $hypervisor_type"
		return
	fi
	ask_tree || ask_dmi || ask_acpi
}
: "$hypervisor" "$hypervisor_asked"
