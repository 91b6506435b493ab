# SPDX-License-Identifier: GPL-2.0
# doctor-all.sh - source all files that `doctor` consists of.
# shellcheck shell=sh

# Variables that other files set:
: "${here?the command}"

# shellcheck source=scripts/lib/doctor/doctor.sh
. "$here/lib/doctor/doctor.sh"
# shellcheck source=scripts/lib/audit/cage.sh
. "$here/lib/audit/cage.sh"
# shellcheck source=scripts/lib/audit/states.sh
. "$here/lib/audit/states.sh"
# shellcheck source=scripts/lib/audit/acpi.sh
. "$here/lib/audit/acpi.sh"
# shellcheck source=scripts/lib/audit/machine.sh
. "$here/lib/audit/machine.sh"
# shellcheck source=scripts/lib/doctor/doctor-machine.sh
. "$here/lib/doctor/doctor-machine.sh"
# shellcheck source=scripts/lib/doctor/doctor-tracing.sh
. "$here/lib/doctor/doctor-tracing.sh"
# shellcheck source=scripts/lib/doctor/doctor-tables.sh
. "$here/lib/doctor/doctor-tables.sh"
# shellcheck source=scripts/lib/doctor/doctor-msr.sh
. "$here/lib/doctor/doctor-msr.sh"
# shellcheck source=scripts/lib/doctor/doctor-users.sh
. "$here/lib/doctor/doctor-users.sh"
# shellcheck source=scripts/lib/doctor/doctor-cpu.sh
. "$here/lib/doctor/doctor-cpu.sh"
# shellcheck source=scripts/lib/doctor/doctor-nic.sh
. "$here/lib/doctor/doctor-nic.sh"
