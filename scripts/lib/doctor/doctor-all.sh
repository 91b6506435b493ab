# SPDX-License-Identifier: GPL-2.0
# doctor-all.sh - all that `doctor` is made of; for those who source it whole.
# shellcheck shell=sh
# shellcheck disable=SC2154  # $lib, from the caller

# shellcheck source=scripts/lib/doctor/doctor.sh
. "$lib/doctor/doctor.sh"
# shellcheck source=scripts/lib/doctor/doctor-machine.sh
. "$lib/doctor/doctor-machine.sh"
# shellcheck source=scripts/lib/doctor/doctor-msr.sh
. "$lib/doctor/doctor-msr.sh"
# shellcheck source=scripts/lib/doctor/doctor-users.sh
. "$lib/doctor/doctor-users.sh"
# shellcheck source=scripts/lib/doctor/doctor-cpu.sh
. "$lib/doctor/doctor-cpu.sh"
# shellcheck source=scripts/lib/doctor/doctor-nic.sh
. "$lib/doctor/doctor-nic.sh"
