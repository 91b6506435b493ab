# SPDX-License-Identifier: GPL-2.0
# stock.sh - Debian's own QEMU in place of ours: no idle states, no exit latencies, and no log of what was true. The job
# loads cpuidle-artificial, which brings states of its own; idle=halt keeps acpi_idle away, which would be in its place.
# shellcheck shell=sh
#
# Needs common.sh.

# Read here, set there:
: "${settings?testbed/run}" "${model?testbed/run}" "${append?testbed/run}"

# take_stock: sets $stock, $qemu, and $model and $append, by which the guest knows
take_stock() {
	[ -z "$model$settings" ] || bad_usage "--qemu stock has no model of a CPU: --model and --set do nothing there"
	need qemu-system-x86_64 stock
	stock=yes
	qemu=$(command -v qemu-system-x86_64)
	: "$stock" "$qemu"
	model=stock
	append=" idle=halt$append"
}

# stock_args: QEMU's arguments for it, one a line. Linux takes the TSC of this CPU to be constant; the features that are taken
# out are what QEMU would say that it lacks. Its HPET ticks twice as fast as it should (testbed/qemu has a patch).
stock_args() {
	printf '%s\n' -machine hpet=off -cpu "Skylake-Server-noTSX-IBRS,model-id=Emulated CPU without idle states$(printf ',-%s' \
		pcid invpcid avx512f avx512dq avx512cd avx512bw avx512vl spec-ctrl xsavec)"
}
