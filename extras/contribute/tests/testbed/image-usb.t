#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make image in Debian's QEMU, as a USB stick: BIOS and UEFI with the patched kernel, and UEFI with Secure Boot and Microsoft's keys with
# Debian's signed kernel. Each boot leaves its results on the stick, and no other disk changes.
# needs: tools kernel:image
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
image=$top/extras/contribute/image
declared kernel:image
"$top/scripts/dev/packages" image stock test-all >"$tmp/packages" 2>&1 || skip_all "$(tail -n 1 "$tmp/packages")"
ovmf=/usr/share/OVMF
[ -r "$ovmf/OVMF_VARS_4M.ms.fd" ] || skip_all "OVMF is not installed"
run "$image/build" --output "$tmp/image"
[ "$status" -eq 0 ] || bail "$err"
stick=$(printf '%s\n' "$tmp/image"/wakelat-*.img)
fat=1M

# The menu starts at once, measures for a minute, and powers off. On a busy host, QEMU's timer interrupts come too late for the
# kernel's check of its timer.
sed 's/minutes=5/minutes=1 poweroff/; s/^set timeout=.*/set timeout=0/; s/panic=0"/panic=0 no_timer_check"/' "$image/grub.cfg" >"$tmp/grub.cfg"
MTOOLS_SKIP_CHECK=1 mcopy -o -i "$stick@@$fat" "$tmp/grub.cfg" ::/boot/grub/grub.cfg || bail "mcopy failed"

# stick_boot NAME CPUS ARGUMENT...: start a machine from a copy of the image, with three disks of random bytes
pids=
stick_boot() {
	boot=$tmp/$1
	cpus=$2
	shift 2
	mkdir "$boot" && cp "$stick" "$boot/stick" || bail "no space"
	for disk in virtio sata nvme; do
		head -c 1000448 /dev/urandom >"$boot/$disk"
		set -- "$@" -drive "if=none,id=$disk,format=raw,file=$boot/$disk"
	done
	cat "$boot/virtio" "$boot/sata" "$boot/nvme" | sha256sum >"$boot/before"
	timeout 900 qemu-system-x86_64 -nodefaults -vga std -display none -no-reboot -m 512 -smp "$cpus" -net none "$@" \
		-device virtio-blk-pci,drive=virtio -device ide-hd,drive=sata,bus=ide.0 -device nvme,drive=nvme,serial=1 \
		-drive "if=none,id=stick,format=raw,file=$boot/stick" -device usb-storage,drive=stick,bus=usb.0,bootindex=0 \
		-serial "file:$boot/serial" >"$boot/qemu" 2>&1 </dev/null &
	pids="$pids $!"
}

cleanup() {
	[ -z "$pids" ] || words "$pids" kill 2>/dev/null
}

# booted NAME KERNEL: check what the machine left
booted() {
	boot=$tmp/$1
	said=$(tr -d '\r' <"$boot/serial" | sed 's/\x1b\[[0-9;]*[A-Za-z]/\n/g')
	like "$said" "^  kernel +$2" "$1: the expected kernel starts" || diag "$(printf '%s\n' "$said" | tail -n 5)$(tail -n 3 "$boot/qemu")"
	like "$said" '^Saved on the stick: results/QEMU-' "$1: the results are saved" || diag "$(printf '%s\n' "$said" | tail -n 5)"
	mkdir "$boot/files" && mcopy -s -n -i "$boot/stick@@$fat" ::/results "$boot/files/" >"$boot/mcopy" 2>&1 </dev/null
	results=$(printf '%s\n' "$boot"/files/results/QEMU-*)
	ok "$1: the stick has a block" test -s "$results/block.txt"
	ok "$1: the stick has a log" test -s "$results/log.txt"
	ok "$1: no temporary file is left" test ! -e "$results/new.tmp"
	is "$(cat "$boot/virtio" "$boot/sata" "$boot/nvme" | sha256sum)" "$(cat "$boot/before")" "$1: no other disk changed"
	dd if="$boot/stick" of="$boot/fat" bs="$fat" skip=1 status=none
	ok "$1: the file system of the stick has no fault" fsck.fat -n "$boot/fat"
}

pflash() {
	cp "$ovmf/$2" "$tmp/$2.$1" || bail "no $2"
	firmware="-drive if=pflash,format=raw,readonly=on,file=$ovmf/$3 -drive if=pflash,format=raw,file=$tmp/$2.$1"
}

stick_boot bios 1 -machine q35 -device qemu-xhci,id=usb
stick_boot bios-ehci 2 -machine q35 -device usb-ehci,id=usb
pflash uefi OVMF_VARS_4M.fd OVMF_CODE_4M.fd
words "$firmware" stick_boot uefi 1 -machine q35 -device qemu-xhci,id=usb
pflash secure OVMF_VARS_4M.ms.fd OVMF_CODE_4M.secboot.fd
words "$firmware" stick_boot secure 1 -machine q35,smm=on -global driver=cfi.pflash01,property=secure,value=on -device qemu-xhci,id=usb
wait
pids=
booted bios '.*patched'
booted bios-ehci '.*patched'
booted uefi '.*patched'
booted secure ".*Debian's, signed"
done_testing
