# SPDX-License-Identifier: GPL-2.0
# states.sh - reads idle states from tables of firmware and kernels, and prints a row for each
# state.
# shellcheck shell=sh
#
# A row has: origin (the file), place (in that file: FILE:LINE, a node or an object), kind (cpu,
# domain, intel_idle, acpi, live), list (the name of a list of states), index (of the state in the
# list), state, latency_us (as cpuidle uses it), residency_us, entry_us, exit_us, wakeup_us, hint
# (of MWAIT, or the parameter of PSCI or SBI), timer_stop, users (CPUs, or CPU models), disabled,
# usage, above, below, remark.
#
# Needs message.sh, trust.sh.

# Variables that other files set:
: "${here?the command}"

states_header='origin\tplace\tkind\tlist\tindex\tstate\tlatency_us\tresidency_us\tentry_us\texit_us\twakeup_us\thint'
states_header=$states_header'\ttimer_stop\tusers\tdisabled\tusage\tabove\tbelow\tremark\n'
audit_tab='	'
# The directory for temporary files. The command creates it.
audit_work=
: "$states_header" "$audit_tab"

# need_program NAME PACKAGE WHAT-FOR: dies if the program is missing
need_program() {
	command -v "$1" >/dev/null || die "$1 is missing, which is needed to read $3: apt-get install $2"
}

# said_in FILE: prints the first line of a program's messages, or that there are none
said_in() {
	awk 'NF { print; found = 1; exit } END { if (!found) print "no reason given" }' "$1"
}

# states_of_dtb FORMAT FILE NAME: prints the states of a device tree. FORMAT is dtb (compiled), dts
# (a source without #include) or fs (the files of a running kernel).
states_of_dtb() {
	need_program dtc device-tree-compiler "device trees"
	dtc -q -I "$1" -O dts -o "$audit_work/tree.dts" "$2" 2>"$audit_work/said" ||
		die "$3: dtc cannot read it as a device tree: $(said_in "$audit_work/said" | sed 's|^[^ ]*/tree\.dts: ||')"
	awk -v origin="$3" -f "$here/lib/audit/devicetree.awk" "$audit_work/tree.dts"
}

# kernel_of FILE: prints the top of the kernel tree that contains a source, or nothing
kernel_of() (
	cd "$(dirname "$1")" || exit
	while [ "$PWD" != / ]; do
		[ ! -d include/dt-bindings ] || {
			pwd
			exit
		}
		cd ..
	done
)

# compile_board FILE OUT: compiles a source at the top of a kernel tree, and writes its states with
# their places to OUT
compile_board='
	cpp -nostdinc -I include -I "$(dirname "$1")" -I scripts/dtc/include-prefixes -undef -D__DTS__ -x assembler-with-cpp "$1" |
		dtc -q -T -T -I dts -O dts -i "$(dirname "$1")" -o "$2.dts" - && awk -v origin="$1" -f "$devicetree_awk" "$2.dts" >"$2" &&
		rm "$2.dts"'

# compile_boards TOP NAME: compiles the sources on stdin, as many at once as there are CPUs. Prints
# rows, and warns about sources that cannot be compiled.
compile_boards() {
	need_program dtc device-tree-compiler "device trees"
	need_program cpp gcc "device tree sources"
	mkdir "$audit_work/boards" || die "$audit_work cannot be written"
	awk -v work="$audit_work/boards" '{ print; printf "%s/%06d\n", work, NR }' >"$audit_work/jobs"
	(cd "$1" && devicetree_awk=$here/lib/audit/devicetree.awk xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 2 \
		sh -c "$compile_board" sh <"$audit_work/jobs") 2>"$audit_work/said"
	boards_n=$(($(wc -l <"$audit_work/jobs") / 2))
	boards_whole=$(find "$audit_work/boards" -type f ! -name '*.dts' | wc -l)
	[ "$boards_whole" -gt 0 ] || die "$2: cannot be compiled: $(said_in "$audit_work/said")"
	[ "$boards_whole" -eq "$boards_n" ] ||
		warn "$2: $((boards_n - boards_whole)) of $boards_n device trees cannot be compiled: $(said_in "$audit_work/said")"
	find "$audit_work/boards" -type f ! -name '*.dts' | sort | tr '\n' '\0' | xargs -0 cat
}

# states_of_source FILE: prints the states of a source with #include, with the includes of the
# kernel that contains it
states_of_source() {
	source_top=$(kernel_of "$1")
	source_file=$1
	[ -z "$source_top" ] || {
		source_file=$(cd "$(dirname "$1")" && pwd)/${1##*/}
		source_file=${source_file#"$source_top"/}
	}
	printf '%s\n' "$source_file" | compile_boards "${source_top:-.}" "$1"
}

# states_of_kernel DIR: prints the states of all device trees of a kernel source, and of its
# intel_idle
states_of_kernel() {
	(cd "$1" && find arch -type d -path 'arch/*/boot/dts' -exec grep -rE --include='*.dts' --include='*.dtsi' \
		-e '^[[:space:]]*(#|/)[[:space:]]*include' \
		-e '(cpu|domain)-idle-states|,idle-state|domain-idle-state|local-timer-stop|(entry|exit|wakeup)-latency-us|min-residency-us' {} +) |
		LC_ALL=C sort >"$audit_work/lines"
	awk -v part=boards -f "$here/lib/audit/boards.awk" "$audit_work/lines" >"$audit_work/list"
	awk -v part=left -f "$here/lib/audit/boards.awk" "$audit_work/lines" >"$audit_work/left"
	[ ! -s "$audit_work/left" ] ||
		warn "$1: idle states in files that no board includes are left out: $(paste -sd ' ' "$audit_work/left")"
	kernel_idle=$1/drivers/idle/intel_idle.c
	if [ ! -s "$audit_work/list" ] && [ ! -e "$kernel_idle" ]; then
		die "$1: no kernel source: neither device trees with idle states (arch/*/boot/dts) nor drivers/idle/intel_idle.c"
	elif [ ! -s "$audit_work/list" ]; then
		warn "$1: has no device trees with idle states (arch/*/boot/dts): only intel_idle.c is read"
	elif [ ! -e "$kernel_idle" ]; then
		warn "$1: has no drivers/idle/intel_idle.c: only device trees are read"
	fi
	[ ! -s "$audit_work/list" ] || compile_boards "$1" "$1" <"$audit_work/list"
	[ ! -e "$kernel_idle" ] || states_of_intel_idle "$kernel_idle" "$1"
}

# states_of_intel_idle FILE TOP: prints the states of intel_idle.c, with the numbers of CPU models
# of the kernel TOP
states_of_intel_idle() {
	set -- "$1" "$2/arch/x86/include/asm/intel-family.h"
	[ -r "$2" ] || set -- "$1" /dev/null
	awk -f "$here/lib/audit/intel-idle.awk" "$2" "$1" 2>"$audit_work/said" || die "$1: $(said_in "$audit_work/said"): is it intel_idle.c?"
}

# acpi_evaluate FILL OBJECTS FILE...: prints the output of acpiexec, with the firmware's memory
# filled with FILL
acpi_evaluate() {
	acpi_fill=$1
	acpi_objects=$2
	shift 2
	acpiexec -di -to 5 -fv "$acpi_fill" -b "$acpi_objects" "$@" 2>/dev/null </dev/null
}

# states_of_acpi NAME FILE...: prints the states of _CST and _LPI in DSDT and SSDTs. A value that
# depends on the content of the firmware's memory is unknown: the objects are evaluated twice, with
# different contents.
states_of_acpi() {
	acpi_name=$1
	shift
	need_program acpiexec acpica-tools "ACPI tables"
	acpi_evaluate 0 'find _CST; find _LPI' "$@" >"$audit_work/found"
	grep -q 'AML tables successfully acquired' "$audit_work/found" ||
		die "$acpi_name: acpiexec cannot load it: $(grep -iE 'error|invalid|fail|truncat' "$audit_work/found" | said_in -)"
	! grep -q 'Incorrect checksum' "$audit_work/found" || [ "$acpi_name" = ACPI ] || die "$acpi_name: damaged: its checksum is wrong"
	acpi_objects=$(awk '$1 ~ /^\\.*\._(CST|LPI)$/ { printf "%sevaluate %s", (n++ ? "; " : ""), $1 }' "$audit_work/found")
	[ -n "$acpi_objects" ] || return 0
	acpi_evaluate 0x5a "$acpi_objects" "$@" >"$audit_work/filled" &
	acpi_evaluate 0 "$acpi_objects" "$@" >"$audit_work/empty"
	wait "$!"
	for acpi_file in empty filled; do
		awk -v origin="$acpi_name" -f "$here/lib/audit/acpi.awk" "$audit_work/$acpi_file" >"$audit_work/$acpi_file.tsv"
	done
	awk -F '\t' -v OFS='\t' 'FNR == NR { other[FNR] = $0; next }
		$0 != other[FNR] { $7 = $8 = $12 = "-"; $19 = "firmware_memory" } { print }' "$audit_work/filled.tsv" "$audit_work/empty.tsv"
}

# states_of PATH: prints the states of a file or directory, whose kind follows from its name or
# content
states_of() {
	if [ -d "$1" ]; then
		must_trust directory "$1" "copy it, or run this as a user who is not root"
	elif [ -f "$1" ]; then
		must_trust files "$1" "copy it, or run this as a user who is not root"
	fi
	if [ -d "$1" ]; then
		if [ -d "$1/arch" ] && [ -e "$1/Kconfig" ]; then
			states_of_kernel "$1"
		elif [ -e "$1/#address-cells" ]; then
			states_of_dtb fs "$1" "$1"
		else
			die "$1: not a kernel source tree (no arch/ and Kconfig), and not a device tree such as /proc/device-tree"
		fi
		return
	fi
	[ -r "$1" ] && [ -f "$1" ] || die "$1: no such file, or it cannot be read"
	# dtc and awk would take all memory for a file without an end.
	[ "$(wc -c <"$1")" -le 33554432 ] || die "$1 is larger than 32 MiB, the limit for a device tree, an ACPI table or intel_idle.c"
	case $1 in
	*.dts) states_of_source "$1" ;;
	*intel_idle.c) states_of_intel_idle "$1" "$(dirname "$1")/../.." ;;
	*)	case $(head -c 4 "$1" | od -An -v -tx1 | tr -d ' \n') in
		d00dfeed) states_of_dtb dtb "$1" "$1" ;;
		44534454 | 53534454) states_of_acpi "$1" "$1" ;;
		*) die "$1: audit cannot read this type of file: name a device tree (.dtb, .dts), an ACPI table (DSDT, SSDT), intel_idle.c or a kernel source tree" ;;
		esac
		;;
	esac
}
