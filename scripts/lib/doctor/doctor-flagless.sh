# SPDX-License-Identifier: GPL-2.0
# doctor-flagless.sh - check for a hypervisor on a machine whose CPU has no flag for it: arm64.
# shellcheck shell=sh
#
# Needs doctor.sh, hypervisor.sh. check_hypervisor sources this file when it needs it.

# Variables that other files set:
: "${here?the command}"

# shellcheck source=scripts/lib/common/hypervisor.sh
. "$here/lib/common/hypervisor.sh"

# check_flagless: looks for a hypervisor in the device tree, DMI and PSCI
check_flagless() {
	if ask_hypervisor; then
		finding hypervisor machine doubt yes "a hypervisor runs this machine ($hypervisor): latencies include the hypervisor's, or are only the hypervisor's"
	elif [ "$hypervisor_asked" = yes ]; then
		finding hypervisor machine ok no "no hypervisor: neither the device tree nor DMI nor PSCI reports one"
	else
		finding hypervisor machine unknown - "/proc/cpuinfo has no flags, and there is neither a device tree nor DMI"
	fi
}
