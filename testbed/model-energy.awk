# SPDX-License-Identifier: GPL-2.0
# model-energy.awk - a model's power and energy: QEMU's arguments, and the break-evens that follow, in the file truth-energy.tsv
# next to the truth log. Needs model.awk. From the environment: truth, cpus.

# energy_of STATE: return the state's power and the energy of a visit, as QEMU's argument has them
function energy_of(s) {
	if (!given("active_mw"))
		return ""
	need(s ".power_mw", at["active_mw"])
	return ":power=" number(s ".power_mw") "@" number(s ".package_mw", number("package_mw", 0)) \
		":visit=" number(s ".visit_nj", 0) "@" number(s ".package_visit_nj", 0)
}

# energy_arguments: return the properties of QEMU's CPU; write the break-evens of STATES states
function energy_arguments(states) {
	if (!given("active_mw"))
		return ""
	if (number("active_mw") + 0 < 1)
		fail(at["active_mw"], "active_mw = 0: without power, leave the key out")
	if (number("threads", 1) > 1)
		fail(at["threads"], "threads = " value["threads"] ": a model with active_mw has one CPU in each core")
	if (number("energy_unit", 14) > 30)
		fail(at["energy_unit"], "energy_unit = " value["energy_unit"] ": not 0 to 30")
	if (number("energy_update_ns", 1000000) + 0 < 1)
		fail(at["energy_update_ns"], "energy_update_ns = 0: not a time")
	if (ENVIRON["truth"] != "")
		write_energy(log_name("-energy"), states)
	return ",energy-active=" value["active_mw"] ",energy-package=" number("package_mw", 0) ",energy-unit=" value["energy_unit"] \
		",energy-update=" value["energy_update_ns"] ",energy-drift=" number("energy_drift_ppm", 0)
}

# exit_nj STATE N M: return what an exit costs because the latency runs at active power, with N CPUs and M exits of the package
function exit_nj(s, n, m) { return over_mw(s, n, m) * value[s ".latency_ns"] / 1e3 }

# over_mw STATE N M: return the active power above that of the state, once for each CPU, and for the package if M > 0
function over_mw(s, n, m) {
	return n * (value["active_mw"] - value[s ".power_mw"]) + m * (value["package_mw"] - value[s ".package_mw"])
}

# break_even FILE METER WAKEUPS A B N P M: write the row of states A and B. N CPUs wake up in each interval, the package M times. P
# is 1 if the meter has the package's part. The interval is asleep_ns + awake_factor * the time that a CPU executes in it.
function break_even(file, meter, wakeups, a, b, n, p, m,  saved, cost) {
	saved = n * (value[a ".power_mw"] - value[b ".power_mw"]) + p * (value[a ".package_mw"] - value[b ".package_mw"])
	cost = n * (value[b ".visit_nj"] - value[a ".visit_nj"]) + m * (value[b ".package_visit_nj"] - value[a ".package_visit_nj"]) \
		+ exit_nj(b, n, m) - exit_nj(a, n, m)
	printf "%s\t%s\t%s\t%s\t%s", meter, wakeups, a, b, saved >file
	if (saved <= 0)
		print "\t-\t-" >file
	else
		printf "\t%.0f\t%.6f\n", cost / saved * 1e3, (over_mw(b, n, m) - over_mw(a, n, m)) / saved >file
}

# write_energy FILE STATES: write the break-evens of neighbouring states
function write_energy(file, states,  i, a, b, n) {
	n = ENVIRON["cpus"]
	print "meter\twakeups\tshallow\tdeep\tsaved_mw\tasleep_ns\tawake_factor" >file
	for (i = 1; i < states; i++) {
		a = state[i]
		b = state[i + 1]
		break_even(file, "core", "together", a, b, n, 0, 0)
		break_even(file, "core", "spread", a, b, n, 0, 0)
		break_even(file, "package", "together", a, b, n, 1, 1)
		break_even(file, "package", "spread", a, b, n, 1, n)
	}
	close(file)
}
