# SPDX-License-Identifier: GPL-2.0
# doctor-all.sh - all that `doctor` is made of; for those who source it whole.
# shellcheck shell=sh
# shellcheck disable=SC2154  # $lib, from the caller

# shellcheck source=scripts/lib/doctor.sh
. "$lib/doctor.sh"
# shellcheck source=scripts/lib/doctor-machine.sh
. "$lib/doctor-machine.sh"
# shellcheck source=scripts/lib/doctor-msr.sh
. "$lib/doctor-msr.sh"
# shellcheck source=scripts/lib/doctor-users.sh
. "$lib/doctor-users.sh"
# shellcheck source=scripts/lib/doctor-cpu.sh
. "$lib/doctor-cpu.sh"
# shellcheck source=scripts/lib/doctor-nic.sh
. "$lib/doctor-nic.sh"
