# SPDX-License-Identifier: GPL-2.0
# doctor-all.sh - source all files that `doctor` consists of, but doctor-nic.sh, which few need.
# shellcheck shell=sh

# Variables that other files set:
: "${here?the command}"

# shellcheck source=scripts/lib/doctor/doctor.sh
. "$here/lib/doctor/doctor.sh"
# shellcheck source=scripts/lib/doctor/settings.sh
. "$here/lib/doctor/settings.sh"
# shellcheck source=scripts/lib/common/boot.sh
. "$here/lib/common/boot.sh"
# shellcheck source=scripts/lib/doctor/doctor-machine.sh
. "$here/lib/doctor/doctor-machine.sh"
# shellcheck source=scripts/lib/doctor/doctor-tracing.sh
. "$here/lib/doctor/doctor-tracing.sh"
# shellcheck source=scripts/lib/doctor/doctor-msr.sh
. "$here/lib/doctor/doctor-msr.sh"
# shellcheck source=scripts/lib/doctor/doctor-users.sh
. "$here/lib/doctor/doctor-users.sh"
# shellcheck source=scripts/lib/doctor/doctor-cpu.sh
. "$here/lib/doctor/doctor-cpu.sh"
# doctor.sh of an extra adds a function to $doctor_parts, which makes more checks of the machine. Its argument is yes if they may
# take a second.
for doctor_extra in "$here"/../extras/*/doctor.sh; do
	# shellcheck source=/dev/null # named by a variable
	[ ! -e "$doctor_extra" ] || . "$doctor_extra"
done
