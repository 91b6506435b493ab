# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# stick.sh - boot the image in Debian's QEMU from a USB stick, and look at its screen and its files.
#
# QEMU executes one instruction per ns and skips idle time, so a minute of the machine takes seconds.
# With an empty $clock, the machine's time is the host's. Debian's QEMU has no idle states. Through
# $tmp/hlt.aml, HLT becomes one.
#
# Needs tap.sh.

: "${top?tap.sh}" "${tmp?tap.sh}" "${status?tap.sh}" "${err?tap.sh}"

image=$top/extras/contribute/image
monitor=$top/extras/contribute/tests/lib/monitor.pl
fat=1M
export MTOOLS_SKIP_CHECK=1
# The machines that run, one a line: NAME PID
machines=
# How long a machine measures. For the pictures in the README, set MEASURE=minutes=1.
measure=${MEASURE:-seconds=8}
: "$measure"
# The time that a machine may take, in s
machine_time=900

# make_stick: build the image into $tmp/image, set $stick to it, and $initrd to its initramfs,
# unpacked, because the guest would take longer to unpack it
make_stick() {
	declared kernel:image
	"$top/scripts/dev/packages" image stock test-all >"$tmp/packages" 2>&1 || skip_all "$(tail -n 1 "$tmp/packages")"
	run "$image/build" --output "$tmp/image"
	[ "$status" -eq 0 ] || bail "$err"
	stick=$(printf '%s\n' "$tmp/image"/wakelat-*.img)
	initrd=$tmp/initrd
	zstd -dq "$tmp/image/initrd.img" -o "$initrd" || bail "no space"
}

# make_table CPUS: write hlt.aml, an ACPI table that makes HLT an idle state of each CPU
make_table() {
	{
		printf 'DefinitionBlock ("", "SSDT", 2, "WAKLAT", "IDLE", 1) {\n'
		cpu=0
		while [ "$cpu" -lt "$1" ]; do
			printf 'External (\\_SB.CPUS.C%03X, DeviceObj)\nScope (\\_SB.CPUS.C%03X) { Name (_CST, Package () { 1, Package () {
				ResourceTemplate () { Register (FFixedHW, 1, 0, 0, 1) }, 1, 1, 1000 } }) }\n' "$cpu" "$cpu"
			cpu=$((cpu + 1))
		done
		printf '}\n'
	} >"$tmp/hlt.asl"
	iasl -p "$tmp/hlt" "$tmp/hlt.asl" >"$tmp/iasl" 2>&1 || bail "iasl: $(tail -n 3 "$tmp/iasl")"
}

# machine NAME ARGUMENT...: start a machine. The stick is a copy of $stick, unless there is one in $tmp/NAME already. $usb is the
# controller of the stick, $drive QEMU's block device, $clock its clock.
emulator=qemu-system-x86_64
memory=512
usb=qemu-xhci
drive=
clock=shift=0,sleep=off
machine() {
	boot=$tmp/$1
	name=$1
	shift
	mkdir -p "$boot"
	[ -e "$boot/stick" ] || cp "$stick" "$boot/stick" || bail "no space"
	[ -z "$clock" ] || set -- "$@" -icount "$clock"
	setpriv --pdeathsig KILL timeout "$machine_time" "$emulator" -nodefaults -display none -no-reboot \
		-m "$memory" -net none \
		-blockdev "node-name=stick,${drive:-driver=raw},file.driver=file,file.filename=$boot/stick" \
		-device "$usb,id=usb" "$@" -monitor "unix:$boot/monitor,server=on,wait=off" \
		-chardev "socket,id=serial,path=$boot/keys,server=on,wait=off,logfile=$boot/serial" -serial chardev:serial >"$boot/qemu" 2>&1 </dev/null &
	machines="$machines$name $!
"
}

# direct NAME WORDS ARGUMENT...: as machine, but QEMU loads the patched kernel itself, with WORDS behind the other parameters
direct() {
	name=$1
	parameters="console=ttyS0,115200 console=tty0 quiet no_timer_check $2"
	shift 2
	machine "$name" -machine q35 -cpu Nehalem,+arat -acpitable "file=$tmp/hlt.aml" -device usb-storage,drive=stick,bus=usb.0,id=plugged \
		-kernel "$tmp/image/vmlinuz" -initrd "$initrd" -append "$parameters" "$@"
}

cleanup() {
	printf '%s' "$machines" | while read -r _ pid; do
		kill "$pid" 2>/dev/null
	done
}

# ended NAME: wait for the machine, and return its status
ended() {
	wait "$(printf '%s' "$machines" | sed -n "s/^$1 //p")"
	ended_status=$?
	machines=$(printf '%s' "$machines" | grep -v "^$1 ")
	[ -z "$machines" ] || machines="$machines
"
	return "$ended_status"
}

# running NAME: succeed while the machine runs. Its process stays as a zombie until it is waited for.
running() {
	grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$(printf '%s' "$machines" | sed -n "s/^$1 //p")/status" 2>/dev/null
}

# console NAME: print the lines that the machine wrote to its serial port
console() {
	tr -d '\r' 2>/dev/null <"$tmp/$1/serial" | sed 's/\x1b\[[0-9;]*[A-Za-z]/\n/g'
}

# until_shown NAME ERE: wait until a line of the serial port matches. Fail if the machine ends before.
until_shown() {
	until console "$1" | grep -qE "$2"; do
		running "$1" || return
		sleep 0.2
	done
}

# order NAME COMMAND...: give commands to the machine's QEMU
order() {
	order_to=$1
	shift
	perl "$monitor" "$tmp/$order_to/monitor" "$@" || bail "$order_to: $(tail -n 1 "$tmp/$order_to/qemu")"
}

# picture NAME PICTURE: write the machine's screen to out/check/image/PICTURE.png
picture() {
	mkdir -p "$top/out/check/image" && order "$1" "screendump $tmp/$1/picture.ppm" &&
		convert "$tmp/$1/picture.ppm" "$top/out/check/image/$2.png" || diag "no picture $2"
}

# press NAME [KEY]: press a key at the serial port
press() {
	printf %b "${2:-x}" | perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "$!\n"; print $s <STDIN>; close $s' "$tmp/$1/keys" ||
		bail "$1: no serial port"
}

# results_of NAME: copy what is on the stick to $tmp/NAME/files, and set $results to the machine's folder
results_of() {
	rm -rf "$tmp/$1/files"
	mkdir "$tmp/$1/files" && mcopy -s -n -i "$tmp/$1/stick@@$fat" ::/results "$tmp/$1/files/" >"$tmp/$1/mcopy" 2>&1 </dev/null
	results=$(printf '%s\n' "$tmp/$1"/files/results/*)
	: "$results"
}

# read_codes NAME: collect the texts of the codes on the machine's screen in $tmp/NAME/codes, until all are there. zbarimg reads
# a picture of the screen.
read_codes() {
	: >"$tmp/$1/codes"
	codes_tries=0
	while running "$1" && [ "$codes_tries" -lt 300 ]; do
		order "$1" stop "screendump $tmp/$1/screen.ppm" cont
		zbarimg -q --raw -Sdisable -Sqrcode.enable "$tmp/$1/screen.ppm" 2>"$tmp/$1/zbar" >>"$tmp/$1/codes"
		sort -u -o "$tmp/$1/codes" "$tmp/$1/codes"
		codes_all=$(sed -n '1s/^WAKELAT [0-9]*\/\([0-9]*\) .*/\1/p' "$tmp/$1/codes")
		[ "$(wc -l <"$tmp/$1/codes")" -ne "${codes_all:-999}" ] || return 0
		codes_tries=$((codes_tries + 1))
		sleep 0.2
	done
	return 1
}

# set_menu STICK TIMEOUT: change the menu: it waits for TIMEOUT s, the machine measures for $measure,
# and powers off. On a busy host, QEMU's timer interrupts come too late for the check of the kernel's
# timer.
set_menu() {
	sed "s/minutes=5/$measure poweroff/; s/^set timeout=.*/set timeout=$2/
		s/panic=0\"/panic=0 no_timer_check\"/" "$image/grub.cfg" >"$tmp/grub.cfg"
	mcopy -o -i "$1@@$fat" "$tmp/grub.cfg" ::/boot/grub/grub.cfg || bail "mcopy failed"
}

# booted NAME KERNEL: check the machine that has ended
booted() {
	ended "$1"
	is "$?" 0 "$1: the machine powers off"
	like "$(console "$1")" "^  kernel +$2" "$1: the expected kernel starts" ||
		diag "$(console "$1" | tail -n 5)$(tail -n 3 "$tmp/$1/qemu")"
}

# saved NAME KERNEL: check the machine, and what it left on its stick
saved() {
	booted "$@"
	like "$(console "$1")" '^Saved on the stick: results/QEMU-' "$1: the results are saved" ||
		diag "$(console "$1" | tail -n 5)"
	results_of "$1"
	ok "$1: the stick has a block" test -s "$results/block.txt"
	ok "$1: the stick has a log" test -s "$results/log.txt"
	ok "$1: no temporary folder is left" test ! -e "$tmp/$1/files/results/new"
	dd if="$tmp/$1/stick" of="$tmp/$1/fat" bs="$fat" skip=1 status=none
	ok "$1: the file system of the stick has no fault" fsck.fat -n "$tmp/$1/fat"
}
