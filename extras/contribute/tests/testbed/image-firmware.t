#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The image of make image as firmware starts it, in Debian's QEMU: from a stick by BIOS (xHCI and
# EHCI), by UEFI, and by UEFI with Secure Boot and Microsoft's keys, from a disk, and by network. The
# results are on the stick, and no other disk changes. Writes pictures to out/check/image.
# needs: tools kernel:image
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/extras/contribute/tests/lib/stick.sh"
make_stick
make_table 1
ovmf=/usr/share/OVMF
[ -r "$ovmf/OVMF_VARS_4M.ms.fd" ] || skip_all "OVMF is not installed"
# A firmware waits for devices. With the host's time, the machines wait at once. Only the first one
# measures, so it has a time of its own.
measures_at=$clock
clock=

# disks_of NAME: print the hash of the machine's disks but the stick that it was booted from
disks_of() {
	cat "$tmp/$1/virtio" "$tmp/$1/sata" "$tmp/$1/nvme" "$tmp/$1/other" | sha256sum
}

# boot NAME CPUS ARGUMENT...: start a machine that has three disks of random bytes, and another stick
# with a file system
boot() {
	name=$1
	boot=$tmp/$1
	cpus=$2
	shift 2
	mkdir -p "$boot"
	for disk in virtio sata nvme other; do
		head -c 1000448 /dev/urandom >"$boot/$disk"
		set -- "$@" -drive "if=none,id=$disk,format=raw,file=$boot/$disk"
	done
	mkfs.fat "$boot/other" >"$boot/mkfs" || bail "mkfs.fat failed"
	disks_of "$name" >"$boot/before"
	machine "$name" -machine q35,smm=on -smp "$cpus" -vga std "$@" -device virtio-blk-pci,drive=virtio \
		-device ide-hd,drive=sata,bus=ide.0 -device nvme,drive=nvme,serial=1 \
		-device usb-storage,drive=other,bus=usb.0
}

# stick_boot NAME CPUS ARGUMENT...: as boot, from the stick
stick_boot() {
	boot "$@" -device usb-storage,drive=stick,bus=usb.0,bootindex=0
}

# pflash NAME VARIABLES CODE: set $firmware to QEMU's arguments for a firmware of UEFI
pflash() {
	mkdir -p "$tmp/$1" && cp "$ovmf/$2" "$tmp/$1/variables" || bail "no $2"
	firmware="-drive if=pflash,format=raw,readonly=on,file=$ovmf/$3"
	firmware="$firmware -drive if=pflash,format=raw,file=$tmp/$1/variables"
}

for name in menu secure; do
	mkdir "$tmp/$name" && cp "$stick" "$tmp/$name/stick" || bail "no space"
	set_menu "$tmp/$name/stick" -1
done
set_menu "$stick" 0
pflash secure OVMF_VARS_4M.ms.fd OVMF_CODE_4M.secboot.fd
words "$firmware" stick_boot secure 1 -global driver=cfi.pflash01,property=secure,value=on
clock=$measures_at stick_boot menu 1 -cpu Nehalem,+arat -acpitable "file=$tmp/hlt.aml"
pflash uefi OVMF_VARS_4M.fd OVMF_CODE_4M.fd
words "$firmware" stick_boot uefi 1
usb=usb-ehci stick_boot ehci 2
cp "$stick" "$tmp/whole"
boot disk 1 -device ide-hd,drive=stick,bus=ide.1,bootindex=0
# iPXE is the firmware of QEMU's network cards.
mkdir "$tmp/tftp" && cp "$tmp/image/vmlinuz" "$tmp/image/initrd.img" "$tmp/tftp/" || bail "no space"
cat >"$tmp/tftp/boot.ipxe" <<END
#!ipxe
kernel vmlinuz initrd=initrd.img console=ttyS0 no_timer_check cpuidle.off=1 -- $measure poweroff
initrd initrd.img
boot
END
boot network 1 -netdev "user,id=net,tftp=$tmp/tftp,bootfile=boot.ipxe" \
	-device virtio-net-pci,netdev=net,bootindex=0 -device usb-storage,drive=stick,bus=usb.0

until_shown menu 'Measure with Debian'
sleep 2
picture menu menu
press menu '\r'
until_shown menu ' left in all'
picture menu measures

until_shown secure 'Measure with Debian'
sleep 2
# A second Esc must not leave the menu.
order secure "sendkey up" "sendkey ret"
until_shown secure 'Secure Boot is on'
sleep 1
picture secure secure
order secure "sendkey esc" "sendkey esc"
sleep 3
press secure '\r'

saved menu '.*patched'
is "$(grep -c '^Verdict' "$results/block.txt")" 1 "menu: the block has the part"
ok "menu: the page is on the stick" grep -q '</html>' "$results/report.html"
saved uefi '.*patched'
like "$(cat "$results/block.txt")" 'there is no cpuidle driver' "uefi: without idle states, the block says so"
saved ehci '.*patched'
like "$(console secure)" 'This kernel is not signed, and Secure Boot is on' \
	"secure: the first entry says why it cannot start"
saved secure ".*Debian's, signed"
booted disk '.*patched'
like "$(console disk)" '^NOT saved: the stick is not there' "disk: the screen says that there is no stick"
same "$tmp/whole" "$tmp/disk/stick" "disk: the image on the disk has not changed"
saved network '.*patched'
like "$(cat "$results/block.txt")" 'there is no cpuidle driver' "network: idle states are off, and the block says so"
for name in menu secure uefi ehci disk network; do
	is "$(disks_of "$name")" "$(cat "$tmp/$name/before")" "$name: no other disk and no other stick changed"
done
done_testing
