# SPDX-License-Identifier: GPL-2.0
# device-tree.sh - make the device tree of the emulated arm64 machine: QEMU's own tree, and the idle states of the model. Linux
# reads the idle states from it.
# shellcheck shell=sh
#
# Needs common.sh.

# Variables that other files set:
: "${top?testbed/run}"

# tree_put TYPE NODE PROPERTY [VALUE...]: set a property in the device tree
tree_put() {
	: "${scratch?testbed/run}"
	tree_type=$1
	shift
	fdtput -t "$tree_type" "$scratch/tree.dtb" "$@" || die "fdtput cannot write $1 $2 into the device tree"
}

# tree_cpus: print the nodes of the CPUs, one a line
tree_cpus() {
	fdtget -l "$scratch/tree.dtb" /cpus | sed -n 's:^cpu@:/cpus/&:p'
}

# tree_states FILE: add the idle states in FILE, which model-args has written. Each has a line "state NAME PARAM ENTRY_US
# EXIT_US RESIDENCY_US TIMER", with the values of the device tree binding arm,idle-state.
tree_states() {
	fdtput -c "$scratch/tree.dtb" /cpus/idle-states || die "fdtput cannot add /cpus/idle-states to the device tree"
	tree_put s /cpus/idle-states entry-method psci
	# These phandles are below QEMU's own, which begin at 0x8000.
	tree_phandle=16384
	tree_phandles=
	while read -r tree_what tree_name tree_param tree_entry tree_exit tree_residency tree_timer; do
		[ "$tree_what" = state ] || continue
		tree_node=/cpus/idle-states/$tree_name
		fdtput -c "$scratch/tree.dtb" "$tree_node" || die "fdtput cannot add $tree_node to the device tree"
		tree_put s "$tree_node" compatible arm,idle-state
		# Linux shows this name as the state's description. By it, tools/truth finds the state in QEMU's log.
		tree_put s "$tree_node" idle-state-name "PSCI $tree_param"
		tree_put x "$tree_node" arm,psci-suspend-param "$tree_param"
		tree_put u "$tree_node" entry-latency-us "$tree_entry"
		tree_put u "$tree_node" exit-latency-us "$tree_exit"
		tree_put u "$tree_node" min-residency-us "$tree_residency"
		if [ "$tree_timer" = stops ]; then
			tree_put s "$tree_node" local-timer-stop
			fdtput -d "$scratch/tree.dtb" /timer always-on 2>/dev/null
		fi
		tree_put u "$tree_node" phandle "$tree_phandle"
		tree_phandles="$tree_phandles $tree_phandle"
		tree_phandle=$((tree_phandle + 1))
	done <"$1"
	set --
	for tree_phandle in $tree_phandles; do
		set -- "$@" "$tree_phandle"
	done
	for tree_cpu in $(tree_cpus); do
		tree_put u "$tree_cpu" cpu-idle-states "$@"
		# With one CPU, QEMU leaves this property out. Linux accepts no idle state without it.
		tree_put s "$tree_cpu" enable-method psci
	done
}

# make_tree FILE QEMU-ARGUMENT...: write the device tree of the machine with these arguments and the idle states in FILE to
# $scratch/tree.dtb
make_tree() {
	: "${qemu?testbed/run}" "${memory?testbed/run}" "${cpus?testbed/run}" "${seed?testbed/run}" "${scratch?testbed/run}"
	tree_file=$1
	shift
	"$qemu" -no-user-config -nodefaults -display none -machine "virt,dumpdtb=$scratch/tree.dtb" -m "$memory" \
		-smp "$cpus" "$@" -icount shift=0,sleep=off -seed "${seed:-1}" </dev/null >"$scratch/tree.log" 2>&1 &&
		[ -s "$scratch/tree.dtb" ] || die "QEMU cannot write the device tree: $(tail -n 1 "$scratch/tree.log")"
	tree_states "$tree_file"
}
