# SPDX-License-Identifier: GPL-2.0
# stock.sh - Debian's own QEMU in place of ours: no idle states, no exit latencies, and no log of what was true. The job
# loads cpuidle-artificial, which brings states of its own; idle=halt keeps acpi_idle away, which would be in its place.
# shellcheck shell=sh
#
# Needs common.sh.

# Read here, set there:
: "${settings?testbed/run}" "${model?testbed/run}" "${append?testbed/run}" "${machine?testbed/run}"

# take_stock: sets $stock, $qemu, and $model and $append, by which the guest knows
take_stock() {
	[ -z "$model$settings" ] || bad_usage "--qemu stock has no model of a CPU: --model and --set do nothing there"
	stock=yes
	model=stock
	if [ "$machine" = arm64 ]; then
		need qemu-system-aarch64 arm64
		qemu=$(command -v qemu-system-aarch64)
		model=arm64-stock
	else
		need qemu-system-x86_64 stock
		qemu=$(command -v qemu-system-x86_64)
		append=" idle=halt$append"
	fi
	: "$stock" "$qemu"
}

# stock_args_x86: QEMU's arguments for it, one a line. Linux takes the TSC of this CPU to be constant; the features that are taken
# out are what QEMU would say that it lacks. Its HPET ticks twice as fast as it should (testbed/qemu has a patch).
stock_args_x86() {
	printf '%s\n' -machine hpet=off -cpu "Skylake-Server-noTSX-IBRS,model-id=Emulated CPU without idle states$(printf ',-%s' \
		pcid invpcid avx512f avx512dq avx512cd avx512bw avx512vl spec-ctrl xsavec)"
}

# stock_args_arm64: the same there
stock_args_arm64() {
	printf '%s\n' -machine gic-version=3,its=off -global virtio-mmio.ioeventfd=off -cpu cortex-a57
}
