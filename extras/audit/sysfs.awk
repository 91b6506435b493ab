# SPDX-License-Identifier: GPL-2.0
# sysfs.awk - convert lines FILE:VALUE of /sys/devices/system/cpu/cpu*/cpuidle, from grep, to rows
# (see states.sh). CPUs with equal tables share a row for each state, with the sums of usage, above
# and below. The column disabled has no, yes, or the number of CPUs on which the state is disabled.
#	-v arat=no	the local timer stops in states below C1

# Return CPUs "0 1 2 5" as "0-2,5".
function ranges(list,  n, cpu, i, first, text) {
	n = split(list, cpu, " ")
	for (first = i = 1; i <= n; i++)
		if (i == n || cpu[i + 1] != cpu[i] + 1) {
			text = text (text == "" ? "" : ",") cpu[first] (i > first ? "-" cpu[i] : "")
			first = i + 1
		}
	return text
}

function get(cpu, i, name) { return (cpu, i, name) in value ? value[cpu, i, name] : "-" }

{
	at = index($0, ":")
	path = substr($0, 1, at - 1)
	n = split(path, part, "/")
	if (part[n - 1] !~ /^state[0-9]+$/)
		next
	cpu = substr(part[n - 3], 4) + 0
	i = substr(part[n - 1], 6) + 0
	value[cpu, i, part[n]] = substr($0, at + 1)
	if (cpu > last_cpu)
		last_cpu = cpu
	if (i >= count[cpu])
		count[cpu] = i + 1
}

END {
	OFS = "\t"
	for (cpu = 0; cpu <= last_cpu; cpu++) {
		if (!count[cpu])
			continue
		key = ""
		for (i = 0; i < count[cpu]; i++)
			key = key get(cpu, i, "name") FS get(cpu, i, "desc") FS get(cpu, i, "latency") FS get(cpu, i, "residency") FS
		if (!users[key]++) {
			keys[++key_n] = key
			first[key] = cpu
		}
		cpus[key] = cpus[key] " " cpu
		for (i = 0; i < count[cpu]; i++) {
			off[key, i] += get(cpu, i, "disable") != 0
			usage[key, i] += get(cpu, i, "usage")
			above[key, i] += get(cpu, i, "above")
			below[key, i] += get(cpu, i, "below")
		}
	}
	for (k = 1; k <= key_n; k++) {
		key = keys[k]
		cpu = first[key]
		for (i = 0; i < count[cpu]; i++) {
			hint = get(cpu, i, "desc")
			if (!sub(/^(ACPI FFH )?MWAIT /, "", hint) || hint !~ /^0x/)
				hint = "-"
			print "sysfs", "cpu" cpu "/cpuidle/state" i, "live", "CPU " ranges(cpus[key]), i, get(cpu, i, "name"), get(cpu, i, "latency"),
				get(cpu, i, "residency"), "-", "-", "-", hint, (arat == "no" && i > 1 ? "yes" : "-"), users[key],
				!off[key, i] ? "no" : off[key, i] == users[key] ? "yes" : "on " off[key, i], sprintf("%.0f", usage[key, i]), sprintf("%.0f", above[key, i]),
				sprintf("%.0f", below[key, i]), "-"
		}
	}
}
