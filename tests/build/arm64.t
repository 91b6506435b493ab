#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Test the series on an arm64 machine that Debian's QEMU emulates: run KUnit and the kernel's selftest, and take 300 samples in
# artificial idle states. The machine has no cpuidle driver of its own.
# needs: source kernel:arm64
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/selftest.sh"

declared kernel:arm64
kernel=$("$top/scripts/dev/build-kernel" --flavour arm64) || bail "no kernel"
packages=$("$top/scripts/dev/fetch-packages" arm64 busybox-static) || bail "no busybox for arm64"
busybox=$(find "$packages/root" -path '*/bin/busybox')
root=$tmp/root
mkdir -p "$root/bin" "$root/sys" "$root/proc" "$root/dev" "$root/tmp" || bail "$root cannot be made"
take_selftest "$root/selftests"
cp "$busybox" "$root/bin/busybox" && ln -s busybox "$root/bin/sh" && cp "$top/tests/guest/arm64.init" "$root/init" && chmod +x "$root/init" &&
	cp -R "${kernel%/*}/modules/lib" "$root/lib" || bail "$root cannot be filled"
(cd "$root" && find . | LC_ALL=C sort | cpio --quiet -o -H newc) | gzip -1 >"$tmp/initrd" || bail "no initramfs"

# With -icount the virtual clock advances by 8 ns per instruction and skips idle time, so it does not depend on host time.
run timeout 300 qemu-system-aarch64 -M virt,gic-version=3 -cpu cortex-a57 -m 512 -icount shift=3,sleep=off -nographic -nodefaults \
	-no-reboot -serial "file:$tmp/console" -kernel "$kernel" -initrd "$tmp/initrd" \
	-append "console=ttyAMA0 panic=-1 kunit.enable=1 kunit.autorun=1"
is "$status" 0 "an arm64 machine boots the kernel and powers off"
tr -d '\r' <"$tmp/console" >"$tmp/said"

# part NAME: print what the machine printed below the line "== NAME"
part() {
	awk -v name="$1" '/^== / { mine = $2 == name; next } mine' "$tmp/said"
}

is "$(part machine)" "aarch64
hrtimer ok
passive ok
ipi unavailable: there is no other CPU" "sources hrtimer and passive can be used, ipi cannot"
is "$(part kunit | sed 's/^ok [0-9]* //' | sort | tr '\n' ' ')" "wakelat wakelat_rate " "KUnit: each suite passes"
selftest=$(part selftest)
is "$(printf '%s\n' "$selftest" | tail -n 1)" "status 0" "the kernel's selftest passes"
unlike "$selftest" '^not ok|^Bail' "no test of the selftest fails"
like "$selftest" '^ok [0-9]+ source hrtimer yields consistent samples' "selftest: source hrtimer yields consistent samples"
is "$(printf '%s\n' "$selftest" | grep -c '^ok [0-9]* state A[1-4]: measured is what is set *$')" 4 "selftest: four artificial states have the latency that is set"
is "$(printf '%s\n' "$selftest" | sed -n 's/^# skipped: //p' | grep -v 'CPU 0 cannot go\|there is no other CPU')" "there is none" "selftest: skips only what needs another CPU or cpuidle driver"
note "$(printf '%s\n' "$selftest" | grep ' set, measured ')"

is "$(part reason)" samples "a run ends when it has its samples"
like "$(part status)" '^clock arch_sys_counter$' "the clock is the system counter"
part samples >"$tmp/samples"
like "$(grep -c ' taint= ' "$tmp/samples")" '^300$' "300 samples are untainted"
is "$(sed 's/.* unknown=\([^ ]*\) .*/\1/' "$tmp/samples" | sort -u)" "smi,sleep,clock" "each sample names smi, sleep and clock as unknown"
# The shortest exit latency is 5 us, the longest 300 us. A wake-up takes less than 2 us more. The launch time is exact to 16 ns,
# a step of the counter, because it is read back from the timer.
is "$(awk '/ taint= / { for (i = 1; i <= NF; i++) { split($i, f, "="); v[f[1]] = f[2] }
	if (v["wake_latency"] < 5000 || v["wake_latency"] > 302000 || v["intr_latency"] < v["wake_latency"] || v["silent_time"] < 0) print }' \
	"$tmp/samples")" "" "each untainted wake latency is between 5 us and 302 us"
is "$(part complaints)" "" "the kernel log has no warning"
like "$(part end)$(tail -n 3 "$tmp/said")" '== end' "the job runs to its end"
done_testing
