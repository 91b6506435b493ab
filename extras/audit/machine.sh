# SPDX-License-Identifier: GPL-2.0
# machine.sh - reads the idle states and other facts of this machine: rows and facts for
# check-machine.awk.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, boot.sh, cage.sh, acpi.sh, states.sh.

# Variables that other files set:
: "${audit_lib?the command}" "${root?sysfs.sh}" "${audit_tab?states.sh}" "${states_header?states.sh}" "${audit_work?cage.sh}" \
	"${value_read?sysfs.sh}" "${pm_limit?sysfs.sh}" "${audit_cage?cage.sh}" "${audit_dtc?cage.sh}" "${audit_acpiexec?cage.sh}" "${idle_means?boot.sh}"

# audit_fact KEY VALUE...: prints them as a line, separated by TABs
audit_fact() {
	audit_line=$1
	shift
	for audit_value; do
		audit_line=$audit_line$audit_tab$audit_value
	done
	printf '%s\n' "$audit_line"
}

# fact_line KEY FILE: prints the first line of the file as a fact
fact_line() {
	take_value "$root$2"
	audit_fact "$1" "$value_read"
}

# limit_of FILE: prints the limit of a PM QoS device, which is a binary number
limit_of() {
	if [ ! -e "$root$1" ]; then
		return 0
	elif [ -r "$root$1" ]; then
		read_pm_limit "$root$1"
		audit_fact limit "$1" "$pm_limit"
	else
		audit_fact unread "$1" "only root can read it, so a latency limit in it is not known"
	fi
}

# machine_facts: prints the facts that are not in the rows
machine_facts() {
	fact_line cmdline /proc/cmdline
	set -f
	for machine_parameter in $value_read; do
		! idle_meaning "$machine_parameter" || audit_fact idle "$machine_parameter: $idle_means"
	done
	set +f
	fact_line driver /sys/devices/system/cpu/cpuidle/current_driver
	take_value "$root/sys/devices/system/cpu/cpuidle/current_governor" ||
		take_value "$root/sys/devices/system/cpu/cpuidle/current_governor_ro"
	audit_fact governor "$value_read"
	if [ -e "$root/sys/devices/system/clockevents/broadcast/current_device" ]; then
		take_value "$root/sys/devices/system/clockevents/broadcast/current_device"
		audit_fact broadcast "${value_read:-none}"
	fi
	[ ! -e "$root/sys/module/intel_idle/parameters/table" ] || audit_fact intel_table yes
	limit_of /dev/cpu_dma_latency
	limit_of /dev/cpu_wakeup_latency
	for machine_file in "$root"/sys/devices/system/cpu/cpu[0-9]*/power/pm_qos_resume_latency_us; do
		take_value "$machine_file" || continue
		# In these files, 0 means no limit, and n/a a limit of 0.
		case $value_read in
		'' | 0) ;;
		n/a) audit_fact limit "${machine_file#"$root"}" 0 ;;
		*) audit_fact limit "${machine_file#"$root"}" "$value_read" ;;
		esac
	done
}

# machine_rows: prints the states in sysfs, and those in the device tree if there is one
machine_rows() {
	machine_arat=-
	if grep -q '^flags.* arat\( \|$\)' "$root/proc/cpuinfo" 2>/dev/null; then
		machine_arat=yes
	elif grep -q '^flags' "$root/proc/cpuinfo" 2>/dev/null; then
		machine_arat=no
	fi
	grep -rs . "$root"/sys/devices/system/cpu/cpu[0-9]*/cpuidle |
		awk -v arat="$machine_arat" -f "$audit_lib/sysfs.awk"
	[ -d "$root/proc/device-tree/cpus" ] && [ -n "$audit_dtc" ] && [ -x "$audit_cage" ] || return 0
	(states_of_dtb fs "$root/proc/device-tree" /proc/device-tree) 2>"$audit_work/tree-said" ||
		audit_fact unread /proc/device-tree "$(said_in "$audit_work/tree-said")" >>"$audit_work/facts"
}

# machine_acpi: prints rows of _CST and _LPI. If they cannot be read, adds the reason to the file of
# facts.
machine_acpi() {
	machine_tables=$root/sys/firmware/acpi/tables
	[ -e "$machine_tables/DSDT" ] || return 0
	if [ ! -r "$machine_tables/DSDT" ]; then
		audit_fact unread /sys/firmware/acpi/tables "only root can read it, so _CST and _LPI are not known" >>"$audit_work/facts"
	elif [ ! -x "$audit_cage" ]; then
		audit_fact unread /sys/firmware/acpi/tables "tools/bin/cage is not built (make tools): _CST and _LPI are not known" >>"$audit_work/facts"
	elif [ -z "$audit_acpiexec" ]; then
		audit_fact unread /sys/firmware/acpi/tables "acpiexec is missing (apt-get install acpica-tools): _CST and _LPI are not known" >>"$audit_work/facts"
	else
		(
			for machine_table in "$machine_tables"/DSDT "$machine_tables"/SSDT* "$machine_tables"/dynamic/SSDT*; do
				[ ! -e "$machine_table" ] || acpi_table "$machine_table" anyway
			done
			states_of_acpi ACPI
		) 2>"$audit_work/acpi-said" ||
			audit_fact unread /sys/firmware/acpi/tables "$(said_in "$audit_work/acpi-said")" >>"$audit_work/facts"
	fi
}

# audit_machine FIRMWARE: writes rows, facts and findings of this machine to $audit_work. FIRMWARE
# is no to leave out the ACPI tables.
audit_machine() {
	machine_facts >"$audit_work/facts"
	{
		printf '%b' "$states_header"
		machine_rows
		[ "$1" = no ] || machine_acpi
	} >"$audit_work/audit-states.tsv"
	audit_check "$audit_work/facts"
}

# audit_check [FACTS]: writes the findings about the rows, and about the facts of a machine
audit_check() {
	awk -F '\t' -v OFS='\t' -f "$audit_lib/check.awk" -f "$audit_lib/check-machine.awk" \
		"$audit_lib/findings.tsv" "$audit_work/audit-states.tsv" "$@" >"$audit_work/findings"
}
