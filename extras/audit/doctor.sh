# SPDX-License-Identifier: GPL-2.0
# doctor.sh - doctor's check of the tables of idle states: the findings of `wakelat audit` about this machine.
# shellcheck shell=sh
#
# Needs doctor.sh of lib/doctor, boot.sh.

# Variables that other files set:
: "${doctor_extra?doctor-all.sh}" "${doctor_file?doctor.sh}" "${doctor_tab?doctor.sh}" "${doctor_parts=}"

audit_lib=${doctor_extra%/*}
doctor_parts="$doctor_parts check_tables"

# check_tables SLOW: adds the findings of audit; with SLOW = yes also compares the ACPI tables. Leaves out findings about limits and about files that
# cannot be read, because other checks of doctor report these.
check_tables() {
	# shellcheck source=extras/audit/cage.sh
	. "$audit_lib/cage.sh"
	# shellcheck source=extras/audit/states.sh
	. "$audit_lib/states.sh"
	# shellcheck source=extras/audit/acpi.sh
	. "$audit_lib/acpi.sh"
	# shellcheck source=extras/audit/machine.sh
	. "$audit_lib/machine.sh"
	audit_work=$doctor_file.audit
	mkdir -p "$audit_work" && audit_machine "$1" || doctor_cannot_write
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
