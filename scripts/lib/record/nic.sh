# SPDX-License-Identifier: GPL-2.0
# nic.sh - give a network card to wakelat's driver, and give it back.
# shellcheck shell=sh
#
# A card stays with wakelat's driver from `wakelat nic bind` to `wakelat nic unbind`, over any
# number of recordings. So the cards have a journal of their own ($nic_file), without an owner:
#	card ADDRESS "DRIVER OVERRIDE [INTERFACE]"	what the card had before; INTERFACE was up
#
# Needs message.sh, sysfs.sh, journal.sh, doctor.sh, doctor-nic.sh.

# Variables that other files set:
: "${journal_dir?journal.sh}" "${journal_tab?journal.sh}" "${journal_is_locked?journal.sh}" "${root?sysfs.sh}" "${write_error?sysfs.sh}" \
	"${value?doctor.sh}" "${pci_devices?doctor-nic.sh}"

nic_driver_name=wakelat_i210
pci_drivers=/sys/bus/pci/drivers
nic_file=$journal_dir/nic

# nic_driver_of ADDRESS: prints the name of the card's driver, or none
nic_driver_of() {
	if [ -e "$root$pci_devices/$1/driver" ]; then
		basename "$(readlink "$root$pci_devices/$1/driver")"
	else
		printf 'none\n'
	fi
}

# nic_interfaces ADDRESS: prints the card's network interfaces, one a line
nic_interfaces() {
	for nic_interface in "$root$pci_devices/$1/net"/*; do
		[ ! -e "$nic_interface" ] || printf '%s\n' "${nic_interface##*/}"
	done
}

# interface_is_up ADDRESS INTERFACE: succeeds if the interface is administratively up (IFF_UP, bit
# 0), with or without a link.
interface_is_up() {
	get "$pci_devices/$1/net/$2/flags" && [ "$((value & 1))" -eq 1 ]
}

# nic_up_interface ADDRESS: prints the card's first interface that is up
nic_up_interface() {
	nic_interfaces "$1" | while IFS= read -r nic_interface; do
		if interface_is_up "$1" "$nic_interface"; then
			printf '%s\n' "$nic_interface"
			break
		fi
	done
}

# nic_answers ADDRESS: succeeds if the card is still there. The configuration space of a card that
# was pulled out reads as all ones.
nic_answers() {
	[ "$(od -An -v -tx1 -N2 "$pci_devices/$1/config" 2>/dev/null | tr -d ' ')" != ffff ]
}

# nic_noted ADDRESS: prints the first note, which says what the card had before wakelat changed it.
nic_noted() {
	sed -n "s/^card$journal_tab$1$journal_tab//p" "$nic_file" 2>/dev/null | grep . | head -n 1
}

# nic_note ADDRESS: notes the card's present driver, override and interface, unless there is a note.
nic_note() {
	[ -z "$(nic_noted "$1")" ] || return 0
	get "$pci_devices/$1/driver_override" || die "$pci_devices/$1/driver_override cannot be read"
	nic_override=${value:-(null)}
	journal_make_dir
	nic_rewrite '' "card$journal_tab$1$journal_tab$(nic_driver_of "$1") $nic_override $(nic_up_interface "$1")" || {
		journal_not_begun
		die "cannot write $nic_file: $(write_failure "$nic_file"): nothing was changed"
	}
}

# nic_rewrite [ADDRESS [LINE]]: removes this card from the cards' journal and adds the line. Fails
# and leaves the journal as it was if it cannot be written.
nic_rewrite() {
	journal_lock || die "$journal_is_locked"
	rm -f "$nic_file.new"
	nic_text=$(sed "/^owner$journal_tab/d; /^card$journal_tab$1$journal_tab/d" "$nic_file" 2>/dev/null
		printf '%s\n' "${2-}")
	nic_status=0
	{ (umask 077 && printf 'owner\t0\t0\n%s\n' "$nic_text" >"$nic_file.new") && mv -f "$nic_file.new" "$nic_file"; } 2>/dev/null ||
		nic_status=1
	[ "$nic_status" -eq 0 ] || rm -f "$nic_file.new"
	journal_unlock
	return "$nic_status"
}

nic_forget() {
	[ -e "$nic_file" ] || return 0
	if grep -v -e "^owner$journal_tab" -e "^card$journal_tab$1$journal_tab" "$nic_file" >/dev/null; then
		nic_rewrite "$1" || die "cannot write $nic_file: $(write_failure "$nic_file"): it still lists $1"
	else
		rm -f "$nic_file" && rmdir "$journal_dir" 2>/dev/null || :
	fi
}

# nic_release ADDRESS: takes the card from its driver
nic_release() {
	[ -e "$pci_devices/$1/driver" ] || return 0
	write_value "$pci_devices/$1/driver/unbind" "$1"
}

# nic_attach ADDRESS DRIVER: gives the card to the driver. On failure the reason is in $write_error.
nic_attach() {
	write_error="no driver $2 (is its module loaded?)"
	[ -e "$pci_drivers/$2" ] || modprobe -q "$2" 2>/dev/null || :
	[ -e "$pci_drivers/$2" ] || return
	[ "$(nic_driver_of "$1")" = "$2" ] || write_value "$pci_drivers/$2/bind" "$1" || return
	write_error="dmesg says why"
	[ "$(nic_driver_of "$1")" = "$2" ]
}

# undo_card ADDRESS "DRIVER OVERRIDE [INTERFACE]": gives the card back to DRIVER, which it had before,
# for journal_undo and `nic unbind`.
undo_card() {
	if [ ! -e "$pci_devices/$1" ]; then
		warn "$1 is gone: there is no card to give back"
		return 0
	fi
	read -r nic_had_driver nic_had_override nic_had_up <<END
$2
END
	set -- "$1" "$nic_had_driver" "$nic_had_override" "$nic_had_up"
	# An empty line removes the override. The kernel prints (null) if there is none.
	[ "$3" != '(null)' ] || set -- "$1" "$2" '' "$4"
	write_value "$pci_devices/$1/driver_override" "$3" || {
		warn "$1: cannot restore driver_override: $write_error"
		return 1
	}
	[ "$(nic_driver_of "$1")" != "$2" ] || return 0
	nic_release "$1" || {
		warn "$1: cannot unbind it from driver $nic_driver_name: $write_error"
		return 1
	}
	if ! nic_answers "$1"; then
		# igb would wait for the card in an endless loop.
		warn "$1 does not answer (pulled out, or dead): it gets no driver"
		return 0
	fi
	if [ "$2" = none ]; then
		undone "$1: no driver"
		return
	fi
	nic_attach "$1" "$2" || {
		warn "$1 cannot be given back to $2: $write_error"
		return 1
	}
	nic_back=$(nic_interfaces "$1" | head -n 1)
	if [ -n "$4" ]; then
		ip link set dev "${nic_back:-$4}" up 2>/dev/null ||
			{
				warn "$1: interface ${nic_back:-$4} cannot be set up again; by hand: ip link set ${nic_back:-$4} up"
				return 1
			}
	fi
	undone "$1: driver $2${nic_back:+, interface $nic_back}"
}
