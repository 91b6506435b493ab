# SPDX-License-Identifier: GPL-2.0
# machine.sh - the settings of the emulated machines, the virtual Xeon and QEMU's arm64 machine "virt", and QEMU's arguments for a
# model
# shellcheck shell=sh
#
# Needs common.sh, stock.sh.

# Variables that other files set:
: "${top?testbed/run}" "${stock?testbed/run}" "${append?testbed/run}"

# shellcheck source=testbed/device-tree.sh
. "$top/testbed/device-tree.sh"

take_x86() {
	machine_name='virtual Xeon'
	board=q35
	tty=ttyS0
	result_bus=virtio-serial-pci,ioeventfd=off
	qemu_machine=
	kernel_flavour=default
	build_initramfs=$top/testbed/guest/build-initramfs
	default_model=skylake-sp
	# A PAUSE takes QEMU a microsecond of the host's time. So avoid delays that consist of PAUSEs: when Linux polls SRCU's
	# readers, and when it waits for the timer's interrupts at boot.
	no_delay='no_timer_check srcutree.srcu_retry_check_delay=0'
}

take_arm64() {
	need fdtput arm64
	machine_name='virtual arm64 machine'
	board=virt
	tty=ttyAMA0
	result_bus=virtio-serial-device
	qemu_machine=arm64
	kernel_flavour=arm64
	build_initramfs=$top/testbed/guest/build-initramfs-arm64
	default_model=arm64-standby
	no_delay='srcutree.srcu_retry_check_delay=0'
}

# take_machine NAME: set the variables by which testbed/run builds and starts this machine
take_machine() {
	"take_$1"
	: "$machine_name" "$board" "$tty" "$result_bus" "$qemu_machine" "$kernel_flavour" "$build_initramfs" "$default_model" \
		"$no_delay"
}

# model_arguments MODEL [KEY=VALUE]...: set $model_args to QEMU's arguments, one a line. Write the firmware's data about idle
# states (ACPI or device tree) to $scratch.
model_arguments() {
	: "${machine?testbed/run}" "${work?testbed/run}" "${scratch?testbed/run}" "${cpus?testbed/run}"
	if [ "$stock" = yes ]; then
		model_args=$("stock_args_$machine")
	else
		model_args=$("$top/testbed/model-args" --machine "$machine" --truth "$work/truth.tsv" --cpus "$cpus" \
			--asl "$scratch/idle.asl" --tree "$scratch/tree" "$@") || exit 2
	fi
	: "$model_args"
	if [ -e "$scratch/idle.asl" ]; then
		need iasl testbed
		iasl -p "$scratch/idle.asl.aml" "$scratch/idle.asl" >"$scratch/iasl.log" 2>&1 ||
			die "iasl fails: $(grep -m 1 Error "$scratch/iasl.log")"
	fi
}

# model_tree QEMU-ARGUMENT...: make the device tree, and add the model's arguments to the kernel's command line
model_tree() {
	[ -e "$scratch/tree" ] || return 0
	make_tree "$scratch/tree" "$@"
	append="$(sed -n 's/^append / /p' "$scratch/tree")$append"
}
