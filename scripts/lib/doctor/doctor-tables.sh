# SPDX-License-Identifier: GPL-2.0
# doctor-tables.sh - report the findings of `wakelat audit` about this machine's tables of idle
# states.
# shellcheck shell=sh
#
# Needs doctor.sh, states.sh, machine.sh.

# Variables that other files set:
: "${doctor_file?doctor.sh}" "${doctor_tab?doctor.sh}"

# yes: also compare the ACPI tables, which takes up to a second. `doctor` does so, a recording does
# not.
doctor_firmware=no

# check_tables: adds the findings of audit. Leaves out findings about limits and about files that
# cannot be read, because other checks of doctor report these.
check_tables() {
	audit_work=$doctor_file.audit
	mkdir -p "$audit_work" && audit_machine "$doctor_firmware" || doctor_cannot_write
	tables_found=no
	while IFS=$doctor_tab read -r tables_number tables_severity tables_place tables_state tables_text tables_meaning tables_checked; do
		case $tables_number-$tables_severity in
		A11-* | *-unknown) continue ;;
		*-fault) tables_severity=doubt ;;
		esac
		[ "$tables_state" = - ] || tables_place="$tables_place $tables_state"
		finding idle_table machine "$tables_severity" "$tables_number" "$tables_place: $tables_text. $tables_meaning"
		tables_found=yes
	done <"$audit_work/findings"
	: "$tables_checked"
	rm -rf "$audit_work"
	[ "$tables_found" = yes ] || finding idle_table machine ok - "wakelat audit finds nothing in the tables of idle states"
}
