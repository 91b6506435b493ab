# SPDX-License-Identifier: GPL-2.0
# doctor-nic.sh - checks of a PCI card that delivers events: its link, its slot, its interrupts.
# shellcheck shell=sh
#
# Needs doctor.sh.

# Variables that other files set:
: "${root?sysfs.sh}" "${value?doctor.sh}" "${setting_found=}"

pci_devices=/sys/bus/pci/devices
# The PCI device IDs of the cards that source i210 can use.
i210_ids=' 0x1533 0x1536 0x1537 0x1538 0x1539 0x157b 0x157c '

# i210_cards: prints the addresses of these cards, one a line
i210_cards() {
	for pci_dir in "$root$pci_devices"/*; do
		get "${pci_dir#"$root"}/vendor" && [ "$value" = 0x8086 ] || continue
		get "${pci_dir#"$root"}/device" || continue
		case $i210_ids in
		*" $value "*) printf '%s\n' "${pci_dir##*/}" ;;
		esac
	done
}

# nic_address ADDRESS: prints the address as in sysfs, with a domain. Fails if there is no such
# device.
nic_address() (
	for address in "$1" "0000:$1"; do
		case $address in
		*/* | '' | .*) continue ;;
		esac
		if [ -e "$root$pci_devices/$address/vendor" ]; then
			printf '%s\n' "$address"
			exit
		fi
	done
	exit 1
)

# check_nic_findings ADDRESS CPU: checks the card. CPU is the measured one.
check_nic_findings() {
	nic=$1
	nic_dir=$pci_devices/$1
	check_nic_driver
	check_nic_link
	check_nic_aspm
	check_nic_node "$2"
	check_nic_interrupts "$2"
	check_nic_net
	check_nic_path
	# A card that may be put to sleep while it is unused wakes up late.
	check_setting runtime_pm "$nic"
	check_nic_errors
}

check_nic_driver() {
	get "$nic_dir/device" || :
	nic_id=$value
	get "$nic_dir/vendor" || :
	nic_driver=none
	[ ! -e "$root$nic_dir/driver" ] || nic_driver=$(basename "$(readlink "$root$nic_dir/driver")")
	case "$value $i210_ids" in
	"0x8086 "*" $nic_id "*) finding nic "$nic" ok "$nic_driver" "an i210 ($nic_id), driver $nic_driver" ;;
	*) finding nic "$nic" note "$nic_driver" "not an i210 (${value#0x}:${nic_id#0x}), driver $nic_driver: no source of events" ;;
	esac
}

# nic_less CHECK FILE MAX_FILE WHAT: adds a finding whether the value of FILE is the maximum
nic_less() {
	known "$1" "$nic" "$nic_dir/$3" || return 0
	nic_max=$value
	known "$1" "$nic" "$nic_dir/$2" || return 0
	if [ "$value" = "$nic_max" ]; then
		finding "$1" "$nic" ok "$value" "$4 $value, the card's maximum"
	else
		finding "$1" "$nic" doubt "$value" "$4 $value, the card supports $nic_max: the slot has less, or the link was trained down" \
			"another slot" "this slot"
	fi
}

check_nic_link() {
	nic_less link_speed current_link_speed max_link_speed "PCIe link speed"
	nic_less link_width current_link_width max_link_width "PCIe link width"
}

# Check whether the link may sleep: by the kernel's files if it has them, else by the card's own
# registers.
check_nic_aspm() {
	nic_aspm_found=no
	for nic_aspm in l0s_aspm l1_aspm l1_1_aspm l1_2_aspm l1_1_pcipm l1_2_pcipm clkpm; do
		check_setting "$nic_aspm" "$nic"
		[ "$setting_found" = no ] || nic_aspm_found=yes
	done
	[ "$nic_aspm_found" = no ] || return 0
	nic_link_registers
	case $nic_link_control in
	'')
		# Users other than root can read only 64 bytes of the config file.
		finding aspm "$nic" unknown - "whether the link may sleep is not known: $nic_dir/config has no PCIe registers to read (run as root)"
		;;
	0) finding aspm "$nic" ok off "the link does not sleep (ASPM off in the card's Link Control)" ;;
	*)
		case $nic_link_control in
		1) nic_aspm_name=L0s ;;
		2) nic_aspm_name=L1 ;;
		*) nic_aspm_name='L0s and L1' ;;
		esac
		finding aspm "$nic" doubt "$nic_aspm_name" "the link may enter $nic_aspm_name: waking it up is part of what is measured" \
			"setpci -s $nic CAP_EXP+10.w=0:3" "setpci -s $nic CAP_EXP+10.w=$nic_link_control:3"
		;;
	esac
}

# nic_link_registers: sets $nic_link_control to ASPM Control (bits 1:0 of Link Control). Link
# Control is in the PCI Express capability. Sets it to nothing if this cannot be read.
nic_link_registers() {
	nic_link_control=$(od -An -v -tu1 -N256 "$root$nic_dir/config" 2>/dev/null | awk '
		{ for (i = 1; i <= NF; i++) byte[n++] = $i }
		END {
			if (n < 256)
				exit
			at = byte[52]
			while (at >= 64 && steps++ < 48) {
				if (byte[at] == 16) {
					print byte[at + 16] % 4
					exit
				}
				at = byte[at + 1]
			}
		}')
}

check_nic_node() {
	known numa_node "$nic" "$nic_dir/numa_node" || return 0
	nic_node=$value
	nic_cpu_node=
	for nic_node_dir in "$root/sys/devices/system/cpu/cpu$1"/node[0-9]*; do
		[ ! -e "$nic_node_dir" ] || nic_cpu_node=${nic_node_dir##*/node}
	done
	if [ -z "$nic_cpu_node" ]; then
		finding numa_node "$nic" unknown "$nic_node" "the NUMA node of CPU $1 is not known"
	elif [ "$nic_node" = "$nic_cpu_node" ]; then
		finding numa_node "$nic" ok "$nic_node" "the slot and CPU $1 are on NUMA node $nic_node"
	elif [ "$nic_node" = -1 ] && [ ! -e "$root/sys/devices/system/node/node1" ]; then
		finding numa_node "$nic" ok -1 "the machine has one NUMA node"
	elif [ "$nic_node" = -1 ]; then
		finding numa_node "$nic" unknown -1 "the firmware does not say on which NUMA node the slot is; CPU $1 is on node $nic_cpu_node"
	else
		finding numa_node "$nic" doubt "$nic_node" "the slot is on NUMA node $nic_node, CPU $1 on node $nic_cpu_node: interrupts and reads cross the interconnect" \
			"measure a CPU of node $nic_node, or another slot" "as it was"
	fi
}

check_nic_interrupts() {
	nic_irqs=
	for nic_irq in "$root$nic_dir"/msi_irqs/*; do
		[ -e "$nic_irq" ] || continue
		nic_irq=${nic_irq##*/}
		get "/proc/irq/$nic_irq/effective_affinity_list" || get "/proc/irq/$nic_irq/smp_affinity_list" || {
			unread nic_affinity "$nic" "/proc/irq/$nic_irq/smp_affinity_list"
			continue
		}
		nic_irqs="$nic_irqs${nic_irqs:+, }$nic_irq to CPU $value"
	done
	if [ -n "$nic_irqs" ]; then
		finding nic_affinity "$nic" ok "$nic_irqs" "interrupts: $nic_irqs (source i210 sends its own to the measured CPU)"
	else
		finding nic_affinity "$nic" ok none "no message-signalled interrupt is in use"
	fi
}

# Check the link, which the launch-time method needs. With wakelat's driver the card has no network
# interface that tells the state of the link.
check_nic_net() {
	interface_count=0
	for nic_net in "$root$nic_dir"/net/*; do
		[ -e "$nic_net" ] || continue
		interface_count=$((interface_count + 1))
		nic_net=${nic_net#"$root"}
		get "$nic_net/operstate" || :
		nic_state=$value
		if get "$nic_net/carrier" && [ "$value" = 1 ]; then
			finding link "$nic" ok up "${nic_net##*/} has a link ($nic_state)"
		else
			finding link "$nic" note down "${nic_net##*/} has no link (${nic_state:--}): the launch-time method needs one, the target-time method does not"
		fi
	done
	[ "$interface_count" -ne 0 ] ||
		finding link "$nic" note - "no network interface says whether there is a link (driver $nic_driver)"
}

# Check the bridges between the card and the root, and the other devices behind them.
check_nic_path() {
	nic_real=$(cd "$root$nic_dir" 2>/dev/null && pwd -P) || return 0
	nic_bridges=
	nic_others=
	nic_parent=${nic_real%/*}
	while :; do
		case ${nic_parent##*/} in
		*:*:*.*) ;;
		*) break ;;
		esac
		nic_bridges="${nic_parent##*/}${nic_bridges:+, }$nic_bridges"
		for nic_other in "$nic_parent"/*:*:*.*; do
			[ -e "$nic_other/vendor" ] || continue
			case $nic_real/ in
			"$nic_other"/*) ;;
			*) nic_others="$nic_others${nic_others:+, }${nic_other##*/}" ;;
			esac
		done
		nic_parent=${nic_parent%/*}
	done
	if [ -z "$nic_bridges" ]; then
		finding path "$nic" ok root "on the root bus, behind no bridge"
	elif [ -z "$nic_others" ]; then
		finding path "$nic" ok "$nic_bridges" "behind $nic_bridges, with nothing else"
	else
		finding path "$nic" doubt "$nic_others" "behind $nic_bridges, shared with $nic_others: their traffic delays the card's" \
			"a slot of its own, or remove the other device: echo 1 >$pci_devices/${nic_others%%,*}/remove" "echo 1 >/sys/bus/pci/rescan"
	fi
}

# Check for PCIe errors: after an error the link repeats the packet.
check_nic_errors() {
	[ -r "$root$nic_dir/aer_dev_correctable" ] || return 0
	nic_errors=$(awk '$1 == "TOTAL_ERR_COR" { print $2; found = 1 } END { if (!found) print 0 }' \
		"$root$nic_dir/aer_dev_correctable" 2>/dev/null)
	if [ "${nic_errors:-0}" -eq 0 ]; then
		finding link_errors "$nic" ok 0 "no correctable PCIe errors since boot"
	else
		finding link_errors "$nic" doubt "$nic_errors" "$nic_errors correctable PCIe errors since boot: the link may replay packets" \
			"reseat the card" "-"
	fi
}
