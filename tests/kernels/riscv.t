#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Test the series on a RISC-V machine that Debian's QEMU emulates: run KUnit and the kernel's selftest in artificial idle states.
# This test runs only if it is named, because building the kernel takes five minutes.
# needs: source kernel:riscv
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/selftest.sh"

declared kernel:riscv
command -v qemu-system-riscv64 >/dev/null || skip_all "qemu-system-riscv64 is not installed: scripts/dev/packages riscv"
kernel=$("$top/scripts/dev/build-kernel" --flavour riscv) || bail "no kernel"
# Debian 12 has no port to RISC-V.
packages=$("$top/scripts/dev/fetch-packages" --suite sid riscv64 busybox-static) || bail "no busybox for riscv64"
busybox=$(find "$packages/root" -path '*/bin/busybox')
root=$tmp/root
mkdir -p "$root/bin" "$root/sys" "$root/proc" "$root/dev" "$root/tmp" || bail "$root cannot be made"
take_selftest "$root/selftests"
cp "$busybox" "$root/bin/busybox" && ln -s busybox "$root/bin/sh" && cp "$top/tests/guest/arm64.init" "$root/init" && chmod +x "$root/init" &&
	cp -R "${kernel%/*}/modules/lib" "$root/lib" || bail "$root cannot be filled"
(cd "$root" && find . | LC_ALL=C sort | cpio --quiet -o -H newc) | gzip -1 >"$tmp/initrd" || bail "no initramfs"

# With -icount the virtual clock advances by 8 ns per instruction and skips idle time, so it does not depend on host time.
run timeout 300 qemu-system-riscv64 -M virt -m 512 -icount shift=3,sleep=off -nographic -nodefaults \
	-no-reboot -serial "file:$tmp/console" -kernel "$kernel" -initrd "$tmp/initrd" \
	-append "console=ttyS0 panic=-1 kunit.enable=1 kunit.autorun=1"
is "$status" 0 "a RISC-V machine boots the kernel and powers off"
tr -d '\r' <"$tmp/console" >"$tmp/said"

# part NAME: print what the machine printed below the line "== NAME"
part() {
	awk -v name="$1" '/^== / { mine = $2 == name; next } mine' "$tmp/said"
}

note "$(part machine)"
like "$(part machine)" '^riscv64$' "it is a RISC-V machine"
like "$(part machine)" '^hrtimer ok$' "source hrtimer can be used"
is "$(part kunit | sed 's/^ok [0-9]* //' | sort | tr '\n' ' ')" "wakelat wakelat_rate " "KUnit: each suite passes"
selftest=$(part selftest)
is "$(printf '%s\n' "$selftest" | tail -n 1)" "status 0" "the kernel's selftest passes"
unlike "$selftest" '^not ok|^Bail' "no test of the selftest fails"
like "$selftest" '^ok [0-9]+ source hrtimer yields consistent samples' "selftest: source hrtimer yields consistent samples"
is "$(printf '%s\n' "$selftest" | grep -c '^ok [0-9]* state A[1-4]: measured is what is set *$')" 4 "selftest: four artificial states have the latency that is set"
note "$(printf '%s\n' "$selftest" | grep -E ' set, measured |skipped')"
is "$(part reason)" samples "a run ends when it has its samples"
is "$(part complaints)" "" "the kernel log has no warning"
like "$(part end)$(tail -n 3 "$tmp/said")" '== end' "the job runs to its end"
done_testing
