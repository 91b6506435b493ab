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
# Needs message.sh, trust.sh, cage.sh; acpi.sh for ACPI tables.

# Variables that other files set:
: "${audit_lib?the command}" "${audit_work?cage.sh}" "${audit_cpp?cage.sh}" "${audit_dtc?cage.sh}" "${audit_sealed?cage.sh}"

states_header='origin\tplace\tkind\tlist\tindex\tstate\tlatency_us\tresidency_us\tentry_us\texit_us\twakeup_us\thint'
states_header=$states_header'\ttimer_stop\tusers\tdisabled\tusage\tabove\tbelow\tremark\n'
audit_tab='	'
: "$states_header" "$audit_tab"

# unread_row KIND PLACE REASON: prints a row for a file that was not read
unread_row() {
	printf '%s\t%s\t%s\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\tunread: %s\n' "$2" "$2" "$1" \
		"$(printf '%s' "$3" | tr '\n\t' '  ')"
}

# must_name PATH: dies if the name has characters that messages of cpp and dtc would change
must_name() {
	case $1 in
	*[[:cntrl:]\\]*) die "$1: not read: its name has a control character or a backslash: rename it" ;;
	esac
}

# states_of_dtb FORMAT FILE NAME: prints the states of a device tree. FORMAT is dtb (compiled), or fs
# (the directory of a running kernel).
states_of_dtb() {
	need_program "$audit_dtc" device-tree-compiler "device trees (dtc)"
	need_cage
	mkdir -p "$audit_work/empty"
	if [ "$1" = fs ]; then
		caged "$2" "$audit_dtc" -q -I fs -O dts . >"$audit_work/tree.dts" 2>"$audit_work/said"
	else
		caged "$audit_work/empty" "$audit_dtc" -q -I dtb -O dts - <"$2" >"$audit_work/tree.dts" 2>"$audit_work/said"
	fi || die "$3: dtc cannot read it as a device tree: $(said_in "$audit_work/said" | sed 's|^<stdout>: ||')"
	caged_awk "$audit_work/empty" devicetree.awk "origin=$3" <"$audit_work/tree.dts" 2>"$audit_work/said" ||
		die "$3: $(said_in "$audit_work/said")"
}

# kernel_of FILE: prints the top of the kernel tree that contains a source, or nothing
kernel_of() (
	cd "$(dirname -- "$1")" || exit
	while [ "$PWD" != / ]; do
		[ ! -d include/dt-bindings ] || {
			pwd
			exit
		}
		cd ..
	done
)

# compile_boards TOP PREFIX: compiles the sources on stdin, one a line, as many at once as there are
# CPUs. Includes can come from below TOP only. Prints the rows of each source, with PREFIX before the
# places, or the row of a source that is not read. Gives up after ten minutes.
compile_boards() {
	need_program "$audit_dtc" device-tree-compiler "device trees (dtc)"
	need_program "$audit_cpp" gcc "device tree sources (cpp)"
	mkdir -p "$audit_work/empty" && mkdir "$audit_work/boards" || die "$audit_work cannot be written"
	awk '{ printf "%s\n%06d\n", $0, NR }' | tr '\n' '\000' >"$audit_work/jobs"
	audit_top=$1
	audit_prefix=$2
	audit_end=$(($(date +%s) + 600))
	export here audit_lib audit_work audit_top audit_prefix audit_sealed audit_end
	xargs -0 -P "$(getconf _NPROCESSORS_ONLN)" -n 2 sh "$audit_lib/board.sh" <"$audit_work/jobs"
	find "$audit_work/boards" -type f -name '*.tsv' | sort | tr '\n' '\0' | xargs -0 cat
}

# states_of_source FILE: prints the states of a source, with the includes of the kernel that contains
# it, or of its own directory
states_of_source() {
	must_name "$1"
	need_cage
	source_top=$(kernel_of "$1")
	source_dir=$(dirname -- "$1")
	source_file=$(basename -- "$1")
	source_prefix=$source_dir/
	[ "$source_dir" != . ] || source_prefix=
	[ -z "$source_top" ] || {
		source_file=$(cd "$source_dir" && pwd)/$source_file
		source_file=${source_file#"$source_top"/}
		source_prefix=
	}
	printf '%s\n' "$source_file" | compile_boards "${source_top:-$source_dir}" "$source_prefix" >"$audit_work/source"
	source_reason=$(sed -n 's/.*\tunread: //p' "$audit_work/source")
	[ -z "$source_reason" ] || die "$1: cannot be compiled: $source_reason"
	cat "$audit_work/source"
}

# list_boards DIR: writes the boards of a kernel tree to $audit_work/list, one for each set of files
# with idle states. Prints rows for what is not read.
list_boards() {
	: >"$audit_work/lines"
	[ -d "$1/arch" ] || return 0
	# A link to a file in the same directory is another name of that board.
	caged "$1" "$(command -v find)" arch -path 'arch/*/boot/dts/*' '(' -name '*.dts' -o -name '*.dtsi' ')' \
		'(' -path '*[[:cntrl:]\\]*' -printf 'name\n' -o -type f -size +8192k -printf 'size\n' -o -type f -printf 'file %p\n' \
		-o -type d -o -type l ! -lname '*/*' -o -printf 'type\n' ')' >"$audit_work/files" 2>"$audit_work/said" ||
		unread_row cpu "$1" "not all of its device trees can be listed: $(said_in "$audit_work/said")"
	while IFS='|' read -r list_kind list_text; do
		list_n=$(grep -c "^$list_kind" "$audit_work/files")
		[ "$list_n" -eq 0 ] || unread_row cpu "$1" "$list_text: $list_n"
	done <<'END'
name|files with a control character or a backslash in their names
size|files of more than 8 MiB
type|files that are links, pipes or devices
END
	# A name has no control character, so that a byte of 1 can end it in the lines of grep.
	sed -n 's/^file //p' "$audit_work/files" | tr '\n' '\0' | caged "$1" "$(command -v xargs)" -0r "$(command -v grep)" -aEHZ \
		-e '^[[:space:]]*(#|/)[[:space:]]*include' \
		-e '(cpu|domain)-idle-states|,idle-state|domain-idle-state|local-timer-stop|(entry|exit|wakeup)-latency-us|min-residency-us' -- \
		>"$audit_work/found" 2>"$audit_work/said"
	[ ! -s "$audit_work/said" ] || unread_row cpu "$1" "not all of its device trees can be searched: $(said_in "$audit_work/said")"
	tr '\000' '\001' <"$audit_work/found" | LC_ALL=C sort >"$audit_work/lines"
	mkdir -p "$audit_work/empty"
	for list_part in boards left; do
		caged_awk "$audit_work/empty" boards.awk "part=$list_part" <"$audit_work/lines" >"$audit_work/$list_part.list" 2>"$audit_work/said" ||
			unread_row cpu "$1" "the includes of its device trees cannot be followed: $(said_in "$audit_work/said")"
	done
}

# states_of_kernel DIR: prints the states of all device trees of a kernel source, and of its
# intel_idle
states_of_kernel() {
	must_name "$1"
	need_cage
	[ "$audit_sealed" = yes ] || must_trust directory "$1" "copy it, or run this as a user who is not root"
	list_boards "$1" >"$audit_work/unread"
	cat "$audit_work/unread"
	[ ! -s "$audit_work/left.list" ] ||
		warn "$1: idle states in files that no board includes are left out: $(paste -sd ' ' "$audit_work/left.list")"
	kernel_idle=drivers/idle/intel_idle.c
	if [ ! -s "$audit_work/boards.list" ] && [ ! -e "$1/$kernel_idle" ] && [ ! -s "$audit_work/unread" ]; then
		die "$1: no kernel source: neither device trees with idle states (arch/*/boot/dts) nor drivers/idle/intel_idle.c"
	elif [ ! -s "$audit_work/boards.list" ] && [ ! -s "$audit_work/unread" ]; then
		warn "$1: has no device trees with idle states (arch/*/boot/dts): only intel_idle.c is read"
	elif [ ! -e "$1/$kernel_idle" ]; then
		warn "$1: has no drivers/idle/intel_idle.c: only device trees are read"
	fi
	[ ! -s "$audit_work/boards.list" ] || compile_boards "$1" '' <"$audit_work/boards.list"
	[ ! -e "$1/$kernel_idle" ] || states_of_intel_idle "$1" "$kernel_idle" ||
		unread_row intel_idle "$1/$kernel_idle" "$(said_in "$audit_work/said")"
}

# states_of_intel_idle TOP FILE: prints the states of intel_idle.c, with the numbers of CPU models
# of the kernel TOP. If it fails, $audit_work/said has the reason.
states_of_intel_idle() {
	set -- "$1" "$2" arch/x86/include/asm/intel-family.h
	if [ -e "$1/$3" ]; then
		caged_awk "$1" intel-idle.awk "$3" "./$2"
	else
		caged_awk "$1" intel-idle.awk "./$2"
	fi 2>"$audit_work/said"
}

# states_of PATH: prints the states of a file or directory, whose kind follows from its name or
# content. Keeps ACPI tables for states_of_acpi.
states_of() {
	if [ -d "$1" ]; then
		if [ -d "$1/arch" ] && [ -e "$1/Kconfig" ]; then
			states_of_kernel "$1"
		elif [ -e "$1/#address-cells" ]; then
			must_trust directory "$1" "copy it, or run this as a user who is not root"
			states_of_dtb fs "$1" "$1"
		else
			die "$1: not a kernel source tree (no arch/ and Kconfig), and not a device tree such as /proc/device-tree"
		fi
		return
	fi
	[ ! -f "$1" ] || must_trust files "$1" "copy it, or run this as a user who is not root"
	[ -r "$1" ] && [ -f "$1" ] || die "$1: no such file, or it cannot be read"
	[ "$(wc -c <"$1")" -le 33554432 ] || die "$1 is larger than 32 MiB, the limit for a device tree, an ACPI table or intel_idle.c"
	case $1 in
	*.dts) states_of_source "$1" ;;
	*intel_idle.c)
		need_cage
		source_top=$(dirname -- "$1")
		source_file=${1##*/}
		case $(cd "$source_top" && pwd) in
		*/drivers/idle)
			source_top=$source_top/../..
			source_file=drivers/idle/$source_file
			;;
		esac
		states_of_intel_idle "$source_top" "$source_file" || die "$1: $(said_in "$audit_work/said"): is it intel_idle.c?"
		;;
	*)	case $(head -c 8 <"$1" | od -An -v -tx1 | tr -d ' \n') in
		????????20402030) die "$1: text of acpidump: make tables of it (acpixtract -a $(path_word "$1")), and name dsdt.dat and ssdt*.dat" ;;
		d00dfeed*) states_of_dtb dtb "$1" "$1" ;;
		44534454* | 53534454*) acpi_table "$1" ;;
		*)
			die "$1: audit cannot read this type of file: name a device tree (.dtb, .dts), an ACPI table (DSDT, SSDT), intel_idle.c or a kernel source tree"
			;;
		esac
		;;
	esac
}
