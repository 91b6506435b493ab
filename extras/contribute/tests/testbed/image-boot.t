#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The image's initramfs in the virtual Xeon, with the testbed's kernel: it measures each state and shows the block. The image itself is
# booted in image.t, image-firmware.t and image-faults.t.
# needs: tools qemu kernel:default
# tier: first
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
declared kernel:default
qemu=$("$top/testbed/build-qemu") || bail "no QEMU"
kernel=$("$top/scripts/dev/build-kernel" --flavour default) || bail "no kernel"
run "$top/extras/contribute/image/build" --initrd "$tmp/initrd"
is "$status" 0 "the initramfs is built alone" || bail "$err"
"$top/testbed/model-args" --truth "$tmp/truth" skylake-sp >"$tmp/args" || bail "no model"
set --
while IFS= read -r argument; do
	set -- "$@" "$argument"
done <"$tmp/args"
run setpriv --pdeathsig KILL timeout 600 "$qemu" -L /usr/share/seabios -L /usr/share/qemu -no-user-config -nodefaults -display none \
	-no-reboot -machine q35 -m 512 -smp 1 "$@" -icount shift=0,sleep=off -seed 1 -rtc base=2026-01-01T00:00:00,clock=vm \
	-kernel "$kernel" -initrd "$tmp/initrd" -append "console=ttyS0 quiet no_timer_check srcutree.srcu_retry_check_delay=0 \
		wakelat.testbed=test -- minutes=1 poweroff" -serial "file:$tmp/serial" -monitor none
is "$status" 0 "the machine powers off" || diag "$err"
console=$(tr -d '\r' <"$tmp/serial" | sed 's/\x1b\[[0-9;]*[A-Za-z]/\n/g')
like "$console" '^part 1 of 1, CPU 0 woken by timer: done$' "the part is measured" || diag "$(printf '%s\n' "$console" | tail -n 5)"
like "$console" '^NOT saved: booted without a stick$' "without a stick, the screen says so"
like "$console" '^Not measured: real CPUs' "the block says that the machine is emulated"
# The model sets 10 and 133 us. The error of the source is 16 ns at most (accuracy.t).
for state in 'C1E +10\.0[0-2]' 'C6 +133\.0[0-2]'; do
	like "$console" "^$state " "the block has the latency that was set: $state"
done
done_testing
