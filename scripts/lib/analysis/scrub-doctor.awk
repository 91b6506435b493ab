# SPDX-License-Identifier: GPL-2.0
# scrub-doctor.awk - doctor.tsv: that a check has found something stays; what it has found only where that is a number, or
# a word that the kernel has chosen.

BEGIN {
	OFS = FS
	n = split("aspm aspm_policy c1_demotion c1e_promotion c3_demotion clocksource cpuidle_driver cpuidle_governor epb epp " \
		"frequency_governor frequency_range highres hypervisor idle intel_idle isolated latency_limit link microcode msr " \
		"nmi_watchdog nohz nohz_full numa_node package_limit prewake processor rcu_nocbs runtime_pm sibling smi smi_count " \
		"soft_watchdog state states throttling timer_migration timer_slack tsc turbo", check, " ")
	for (i = 1; i <= n; i++)
		kept[check[i]] = 1
}

NR == 1 || $1 in kept { print; next }

{
	$4 = "-"
	$5 = "left out by wakelat scrub"
	$6 = $7 = "-"
	print
}
