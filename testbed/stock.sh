# SPDX-License-Identifier: GPL-2.0
# stock.sh - use Debian's own QEMU instead of ours. It has no idle states, no exit latencies and no truth log. The job loads
# cpuidle-artificial, which has its own states. idle=halt prevents acpi_idle, which would be the driver otherwise.
# shellcheck shell=sh
#
# Needs common.sh.

# Variables that other files set:
: "${settings?testbed/run}" "${model?testbed/run}" "${append?testbed/run}" "${machine?testbed/run}"

# take_stock: set $stock, $qemu, and $model and $append. The guest gets the last two on its kernel's command line
take_stock() {
	[ -z "$model$settings" ] || bad_usage "--qemu stock has no CPU model: leave out --model and --set"
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

# stock_args_x86: print QEMU's arguments, one a line. Linux assumes that the TSC of this CPU is constant. The features with a
# minus are those for which QEMU would print a warning. The HPET is off because it counts twice as fast as it should
# (testbed/qemu has a patch).
stock_args_x86() {
	printf '%s\n' -machine hpet=off -cpu "Skylake-Server-noTSX-IBRS,model-id=Emulated CPU without idle states$(printf ',-%s' \
		pcid invpcid avx512f avx512dq avx512cd avx512bw avx512vl spec-ctrl xsavec)"
}

# stock_args_arm64: print QEMU's arguments for arm64, one a line
stock_args_arm64() {
	printf '%s\n' -machine gic-version=3,its=off -global virtio-mmio.ioeventfd=off -cpu cortex-a57
}
