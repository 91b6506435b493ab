# SPDX-License-Identifier: GPL-2.0
# model-qemu.awk - print QEMU's arguments for a model, one a line, and write the source of its ACPI table. Needs model.awk, model-energy.awk.
# From the environment: truth, asl, cpus.

# The network card: QEMU's device has properties of the same names, with dashes.
function nic_property(key) {
	if (value["nic"] == "none")
		fail(at["nic." key], "nic." key ": there is no nic")
	known["nic." key] = 1
	nic = nic "," dashes(key) "=" value["nic." key]
}

function nic_number(key, low, high) {
	if (!(("nic." key) in value))
		return
	if (value["nic." key] !~ /^-?[0-9]+$/ || length(value["nic." key]) > 16 ||
	    value["nic." key] + 0 < low + 0 || value["nic." key] + 0 > high + 0)
		fail(at["nic." key], "nic." key " = " value["nic." key] ": not a number from " low " to " high)
	nic_property(key)
}

function nic_switch(key) {
	if (!(("nic." key) in value))
		return
	check_switch("nic." key)
	nic_property(key)
}

# entries STATE: return the state's entry points as QEMU's argument has them, NS or NS@PERCENT+NS@PERCENT...
function entries(s, key, share, shared, times, percent, n, i, sum, list) {
	key = s ".entry_ns"
	share = s ".entry_percent"
	shared = given(share)
	n = split(value[key], times, " ")
	if (n > 8)
		fail(at[key], key ": more than 8 entry points")
	if (n == 1 && !shared) {
		check_number(key)
		return value[key]
	}
	if (!shared)
		fail(at[key], share " is missing: there are " n " entry points")
	if (split(value[share], percent, " ") != n)
		fail(at[share], share ": not one number for each of the " n " entry points")
	for (i = 1; i <= n; i++) {
		if (times[i] !~ /^[0-9]+$/ || length(times[i]) > 15)
			fail(at[key], key " = " value[key] ": not numbers of at most 15 digits")
		if (percent[i] !~ /^[1-9][0-9]?$/)
			fail(at[share], share " = " value[share] ": not whole numbers from 1 to 99")
		sum += percent[i]
		list = list (i > 1 ? "+" : "") times[i] "@" percent[i]
	}
	if (sum != 100)
		fail(at[share], share " = " value[share] ": the sum is not 100")
	return list
}

# port_of STATE NUMBER: return QEMU's name of the I/O port; reading the port enters the state
function port_of(s, i, port) {
	port = value[s ".port"]
	if (port !~ /^0x[0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/)
		fail(at[s ".port"], s ".port = " port ": not 0x0000 to 0xffff, in four digits")
	if (i == 1 || given(s ".hint"))
		fail(at[s ".port"], s ".port: the first state needs a hint; each other state needs either a hint or a port")
	previous = "port"
	return "port" port
}

# hint_of STATE: return the state's MWAIT hint; hints must be in ascending order
function hint_of(s, hint) {
	known[s ".hint"] = 1
	need(s ".hint", at["states"])
	hint = value[s ".hint"]
	if (hint !~ /^0x[0-6][0-9a-f]$/)
		fail(at[s ".hint"], s ".hint = " hint ": not 0x00 to 0x6f")
	if (hint <= previous)
		fail(at[s ".hint"], s ".hint = " hint ": not above that of the state before, " previous)
	previous = hint
	return hint
}

# growth STATE: return how the latency grows, as QEMU's argument has it
function growth(s, from, until, most) {
	from = number(s ".grow_from_ns")
	until = number(s ".grow_until_ns")
	most = (value[s ".jitter_ns"] + 0 > value[s ".tail_ns"] + 0 ? value[s ".jitter_ns"] : value[s ".tail_ns"]) + 0
	if (from + 0 > value[s ".latency_ns"] + 0)
		fail(at[s ".grow_from_ns"], s ".grow_from_ns = " from ": greater than latency_ns, up to which it grows")
	if (until + 0 < 1 || until + 0 > 2147483647 || value[s ".latency_ns"] + most > 2147483647)
		fail(at[s ".grow_until_ns"], s ".grow_until_ns = " until ": latency_ns and grow_until_ns of a growing latency must be at most 2147483647")
	return ":grow=" from "@" until
}

# cst_entry STATE NUMBER: return the state's package in ACPI object _CST
function cst_entry(s, i, type, register) {
	if (!(s in in_table))
		fail(at["acpi_states"], "acpi_states: there is no state " s)
	type = number(s ".acpi_type", i < 3 ? i : 3)
	if (type !~ /^[123]$/)
		fail(at[s ".acpi_type"], s ".acpi_type = " type ": not 1, 2 or 3")
	if ((s ".port") in value)
		register = "SystemIO, 8, 0, " value[s ".port"]
	else
		# Fields: vendor Intel, native C-state, the hint, and whether Linux must check for bus masters
		register = "FFixedHW, 1, 2, " value[s ".hint"] ", " (type == 3 ? 3 : 1)
	return sprintf("\t\t\tPackage () { ResourceTemplate () { Register (%s) }, %d, %d, 1000 }", register, type,
		number(s ".acpi_latency_us", int((value[s ".latency_ns"] + 999) / 1000)))
}

# write_asl FILE: write the firmware's table of idle states, the same for each CPU
function write_asl(file, n, i, list, states, cpu) {
	n = split(value["acpi_states"], list, " ")
	for (i = 1; i <= n; i++)
		states = states (i > 1 ? ",\n" : "") cst_entry(list[i], i)
	if (file == "")
		return
	print "DefinitionBlock (\"\", \"SSDT\", 2, \"WAKLAT\", \"IDLE\", 1)\n{" >file
	for (i = 0; i < ENVIRON["cpus"]; i++) {
		cpu = sprintf("\\_SB.CPUS.C%03X", i)
		printf "\tExternal (%s, DeviceObj)\n\tScope (%s)\n\t{\n\t\tName (_CST, Package ()\n\t\t{\n\t\t\t%d,\n%s\n\t\t})\n\t}\n",
			cpu, cpu, n, states >file
	}
	print "}" >file
	close(file)
}

END {
	if (failed)
		exit 1

	if (given("machine") && value["machine"] != "x86")
		fail(at["machine"], "machine = " value["machine"] ": neither x86 nor arm64")
	if (ENVIRON["machine"] == "arm64")
		fail(model, "not a model of machine arm64, which has a line machine = arm64")
	need("cpu", model)
	need("tsc_hz", model)
	check_number("tsc_hz")
	if (value["tsc_hz"] !~ /000000$/ || value["tsc_hz"] + 0 < 1e8 || value["tsc_hz"] + 0 > 4e9)
		fail(at["tsc_hz"], "tsc_hz = " value["tsc_hz"] ": not whole MHz from 100 MHz to 4 GHz")
	set_default("prewake", "off")
	check_switch("prewake")
	need("states", model)

	table = ""
	n = split(value["states"], state, " ")
	if (n > 16)
		fail(at["states"], "more than 16 states")
	previous = ""
	for (i = 1; i <= n; i++) {
		s = state[i]
		in_table[s] = i
		hint = given(s ".port") ? port_of(s, i) : hint_of(s)
		need(s ".latency_ns", at["states"])
		table = table (i > 1 ? "/" : "") hint ":" number(s ".latency_ns")
		if (number(s ".jitter_ns", 0) > 0)
			table = table ":jitter=" value[s ".jitter_ns"]
		if (both(s ".tail_ns", s ".tail_ppm")) {
			if (number(s ".tail_ppm") + 0 > 1000000)
				fail(at[s ".tail_ppm"], s ".tail_ppm = " value[s ".tail_ppm"] ": more than 1000000")
			table = table ":tail=" number(s ".tail_ns") "@" value[s ".tail_ppm"]
		}
		if (both(s ".grow_from_ns", s ".grow_until_ns"))
			table = table growth(s)
		if (number(s ".cold_ns", 0) > 0)
			table = table ":cold=" value[s ".cold_ns"]
		if (given(s ".entry_ns")) {
			points = entries(s)
			if (i == 1)
				fail(at[s ".entry_ns"], s ".entry_ns: the first state cannot have an entry time")
			table = table ":entry=" points
		}
		table = table energy_of(s)
	}
	if (number("hlt_latency_ns", 0) > 0)
		table = table "/hlt:" value["hlt_latency_ns"]

	cpu = value["cpu"]
	if (given("cpu_model")) {
		if (number("cpu_model") + 0 > 255)
			fail(at["cpu_model"], "cpu_model = " value["cpu_model"] ": not 0 to 255")
		cpu = cpu ",model=" value["cpu_model"]
	}
	if (given("cpu_name")) {
		if (length(value["cpu_name"]) > 47)
			fail(at["cpu_name"], "cpu_name is longer than the 47 characters that CPUID has room for")
		cpu = cpu ",model-id=" value["cpu_name"]
	}
	# QEMU counts each repetition of a string instruction as an instruction. With erms and fsrm, Linux clears and copies pages
	# by bytes, which takes eight times as many repetitions as by words.
	cpu = cpu ",tsc-frequency=" value["tsc_hz"] ",+invtsc,+tsc-deadline,+monitor,-erms,-fsrm"
	n = split(value["without"], list, " ")
	for (i = 1; i <= n; i++)
		cpu = cpu ",-" list[i]
	cpu = cpu ",cstates=" table ",cstate-seed=" number("seed", 1) ",cstate-prewake=" value["prewake"]

	number("threads", 1)
	cpu = cpu energy_arguments(split(value["states"], state, " "))
	if (both("tsc_step_at_ns", "tsc_step_ns"))
		cpu = cpu ",tsc-step-at=" number("tsc_step_at_ns") ",tsc-step=" number("tsc_step_ns")
	n = split("nmi_at nmi_period smi_at smi_period smi_duration", list, " ")
	for (i = 1; i <= n; i++)
		if (number(list[i] "_ns", 0) > 0) {
			property = list[i]
			gsub(/_/, "-", property)
			cpu = cpu "," property "=" value[list[i] "_ns"]
		}

	# With apic_timer_hz = 0, which is QEMU's default, the timer counts ns.
	if (number("apic_timer_hz", 0) > 0) {
		if (value["apic_timer_hz"] + 0 < 1e6 || value["apic_timer_hz"] + 0 > 1e9)
			fail(at["apic_timer_hz"], "apic_timer_hz = " value["apic_timer_hz"] ": not 1 MHz to 1 GHz")
		cpu = cpu ",apic-timer-hz=" value["apic_timer_hz"]
	}
	if (given("apic_timer_ppb")) {
		if (value["apic_timer_ppb"] !~ /^-?[0-9]+$/ || value["apic_timer_ppb"] + 0 < -1000000 ||
		    value["apic_timer_ppb"] + 0 > 1000000)
			fail(at["apic_timer_ppb"], "apic_timer_ppb = " value["apic_timer_ppb"] ": not a number from -1000000 to 1000000")
		cpu = cpu ",apic-timer-ppb=" value["apic_timer_ppb"]
	}
	if (given("hypervisor")) {
		if (value["hypervisor"] !~ /^(none|kvm)$/)
			fail(at["hypervisor"], "hypervisor = " value["hypervisor"] ": neither none nor kvm")
		if (value["hypervisor"] == "kvm")
			cpu = cpu ",kvm-signature=on"
	}
	if (given("msr_faults")) {
		if (value["msr_faults"] !~ /^([0-9]+\/0x[0-9a-f]+ ?)+$/)
			fail(at["msr_faults"], "msr_faults = " value["msr_faults"] ": not CPU/0xMSR CPU/0xMSR...")
		text = value["msr_faults"]
		gsub(/\//, ":", text)
		gsub(/ /, "/", text)
		cpu = cpu ",cstate-msr-faults=" text
	}
	if (value["threads"] + 0 < 1 || ENVIRON["cpus"] % value["threads"])
		fail(at["threads"], "threads = " value["threads"] ": not a part of " ENVIRON["cpus"] " CPUs")
	if (given("acpi_states"))
		write_asl(ENVIRON["asl"])

	set_default("nic", "none")
	if (value["nic"] !~ /^(none|i210)$/)
		fail(at["nic"], "nic = " value["nic"] ": neither none nor i210")
	nic = ""
	if ("nic.id" in value) {
		if (value["nic.id"] !~ /^(1533|1536|1537|1538|1539|157b|157c)$/)
			fail(at["nic.id"], "nic.id = " value["nic.id"] ": not 1533, 1536 to 1539, 157b or 157c")
		value["nic.device_id"] = "0x" value["nic.id"]
		known["nic.id"] = 1
		at["nic.device_id"] = at["nic.id"]
		nic_property("device_id")
	}
	cards = number("nic.count", 1)
	if ("nic.count" in at && value["nic"] == "none")
		fail(at["nic.count"], "nic.count: there is no nic")
	if (cards < 1 || cards > 4)
		fail(at["nic.count"], "nic.count = " cards ": not 1 to 4")
	nic_number("clock_ppb", "-1000000", "1000000")
	# Times are at most one second, except the times of faults. fault_lost_every is a number of events, not a time.
	n = split("read_latch_ns read_return_ns write_ns intr_offset_ns intr_jitter_ns aspm_idle_ns aspm_exit_ns " \
		"tx_ns dma_ns", list, " ")
	for (i = 1; i <= n; i++)
		nic_number(list[i], "0", "1000000000")
	n = split("fault_lost_every fault_gone_at_ns fault_jump_at_ns fault_reset_from_ns " \
		"fault_reset_to_ns", list, " ")
	for (i = 1; i <= n; i++)
		nic_number(list[i], "0", "999999999999999")
	nic_number("fault_jump_ns", "-999999999999999", "999999999999999")
	n = split("link msix msi fault_reset", list, " ")
	for (i = 1; i <= n; i++)
		nic_switch(list[i])

	check_known()

	print "-cpu"
	print cpu
	if (ENVIRON["truth"] != "") {
		# Pass the name of the log in -global, because a comma would end it in -cpu.
		print "-global"
		print "x86_64-cpu.cstate-log=" ENVIRON["truth"]
		print "-global"
		print "x86_64-cpu.cstate-turns=" log_name("-turns")
	}
	if (value["threads"] + 0 > 1) {
		print "-smp"
		print "cpus=" ENVIRON["cpus"] ",sockets=1,cores=" ENVIRON["cpus"] / value["threads"] ",threads=" value["threads"]
	}
	if (ENVIRON["asl"] != "" && "acpi_states" in value) {
		print "-acpitable"
		print "file=" ENVIRON["asl"] ".aml"
	}
	if (value["nic"] == "none")
		exit
	# Each card is behind its own port. Only the first one has a log.
	for (i = 1; i <= cards; i++) {
		print "-device"
		print "pcie-root-port,id=nicport" i ",bus=pcie.0,addr=1c." i - 1 ",multifunction=on,chassis=" i ",slot=" i \
			",x-speed=2_5,x-width=1,hotplug=off"
		print "-device"
		print "i210,bus=nicport" i ",addr=00.0,mac=02:00:00:00:02:1" i - 1 ",seed=" \
			(i > 1 ? sprintf("%.0f", value["seed"] + i - 1) : value["seed"]) nic (i > 1 ? ",log=" : "")
	}
	if (ENVIRON["truth"] != "") {
		print "-global"
		print "i210.log=" log_name("-i210")
	}
}
