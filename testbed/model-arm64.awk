# SPDX-License-Identifier: GPL-2.0
# model-arm64.awk - print QEMU's arguments for a model of machine arm64, one a line, and write the data of its device tree. Needs
# model.awk. From the environment: truth, tree.

function check_yes_no(key) {
	known[key] = 1
	set_default(key, "no")
	if (value[key] !~ /^(yes|no)$/)
		fail(at[key], key " = " value[key] ": neither yes nor no")
	return value[key] == "yes"
}

# latency STATE: return the state's latency as QEMU's argument has it
function latency(s, text) {
	text = number(s ".latency_ns")
	if (number(s ".jitter_ns", 0) > 0)
		text = text ":jitter=" value[s ".jitter_ns"]
	if (both(s ".tail_ns", s ".tail_ppm")) {
		if (number(s ".tail_ppm") + 0 > 1000000)
			fail(at[s ".tail_ppm"], s ".tail_ppm = " value[s ".tail_ppm"] ": more than 1000000")
		text = text ":tail=" number(s ".tail_ns") "@" value[s ".tail_ppm"]
	}
	return text
}

# param_of STATE: return PSCI's power_state, which has StateID, StateType (bit 16) and PowerLevel (bits 24, 25)
function param_of(s, key, param) {
	key = s ".param"
	known[key] = 1
	need(key, at["states"])
	param = value[key]
	if (param !~ /^0x0[0-3]0[01][0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/)
		fail(at[key], key " = " param ": not a power_state of PSCI, in eight digits (0x00010000)")
	if (param in taken)
		fail(at[key], key " = " param ": that of " taken[param])
	taken[param] = s
	return param
}

# advertised KEY: return a value of the device tree, in us
function advertised(key) {
	known[key] = 1
	need(key, at["states"])
	check_number(key)
	if (value[key] + 0 > 1000000)
		fail(at[key], key " = " value[key] ": more than 1000000")
	return value[key]
}

END {
	if (failed)
		exit 1
	if (ENVIRON["machine"] == "x86")
		fail(at["machine"], "machine = arm64: testbed/run needs --machine arm64 for this model")
	# Forget the known keys of the Xeon's models, which have no meaning here.
	split("", known)
	split("base machine cpu counter_hz states seed", list, " ")
	for (i in list)
		known[list[i]] = 1

	need("cpu", model)
	need("counter_hz", model)
	check_number("counter_hz")
	if (value["counter_hz"] + 0 < 1e6 || value["counter_hz"] + 0 > 1e9)
		fail(at["counter_hz"], "counter_hz = " value["counter_hz"] ": not 1 MHz to 1 GHz")
	need("states", model)

	need("wfi.latency_ns", model)
	table = "wfi:" latency("wfi")
	n = split(value["states"], state, " ")
	# Linux has room for ten states, and WFI is one of them.
	if (n > 9)
		fail(at["states"], "more than 9 states")
	for (i = 1; i <= n; i++) {
		s = state[i]
		if (s !~ /^[a-z][a-z0-9_]*$/ || length(s) > 15 || s == "wfi")
			fail(at["states"], "states: " s " is not a name of at most 15 of a-z, 0-9 and _, or is wfi")
		if (s in in_table)
			fail(at["states"], "states: " s " is given twice")
		in_table[s] = 1
		param = param_of(s)
		need(s ".latency_ns", at["states"])
		table = table "/" param ":" latency(s)
		if (number(s ".entry_ns", 0) > 0)
			table = table ":entry=" value[s ".entry_ns"]
		if (check_yes_no(s ".timer_stop"))
			table = table ":timerstop"
		if (check_yes_no(s ".cluster")) {
			if (param ~ /^0x00/)
				fail(at[s ".cluster"], s ".cluster = yes: the PowerLevel in " s ".param (bits 24, 25) is that of a CPU")
			table = table ":cluster"
		}
		lines = lines sprintf("state %s %s %s %s %s %s\n", dashes(s), param, advertised(s ".dt_entry_us"),
			advertised(s ".dt_exit_us"), advertised(s ".dt_min_residency_us"),
			value[s ".timer_stop"] == "yes" ? "stops" : "runs")
	}

	known["gic"] = 1
	set_default("gic", 3)
	if (value["gic"] !~ /^[23]$/)
		fail(at["gic"], "gic = " value["gic"] ": neither 2 nor 3")
	if (check_yes_no("pseudo_nmi")) {
		if (value["gic"] != 3)
			fail(at["pseudo_nmi"], "pseudo_nmi = yes: needs gic = 3, which has interrupt priorities")
		lines = lines "append irqchip.gicv3_pseudo_nmi=1\n"
	}
	el2 = check_yes_no("el2")

	check_known()

	print "-machine"
	print "gic-version=" value["gic"] (value["gic"] == 3 ? ",its=off" : "") (el2 ? ",virtualization=on" : "")
	# Otherwise another thread of QEMU handles the guest's data, at a time that depends on the host.
	print "-global"
	print "virtio-mmio.ioeventfd=off"
	print "-cpu"
	print value["cpu"] ",cntfrq=" value["counter_hz"] ",idle-states=" table ",idle-seed=" number("seed", 1)
	if (ENVIRON["truth"] != "") {
		# The name is not in -cpu, where a comma would end it.
		print "-global"
		print "arm-cpu.idle-log=" ENVIRON["truth"]
		print "-global"
		print "arm-cpu.idle-turns=" log_name("-turns")
	}
	if (ENVIRON["tree"] != "") {
		printf "%s", lines >ENVIRON["tree"]
		close(ENVIRON["tree"])
	}
}
