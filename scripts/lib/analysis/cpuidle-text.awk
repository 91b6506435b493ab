# SPDX-License-Identifier: GPL-2.0
# cpuidle-text.awk - convert to lines of run.tsv the output of
#	grep -r . /sys/devices/system/cpu/{cpuidle,cpu0/cpuidle}
#	-v measured=LIST	the CPUs of the recording, e.g. 0,3: print their table of states. If the text lacks one
#				of them, or without LIST, all tables in the text have to be the same.
# On failure, print the message to stderr. It continues the name of the file.

BEGIN {
	OFS = "\t"
	means["name"] = "name"
	means["desc"] = "desc"
	means["disable"] = "disabled"
	means["latency"] = "latency_ns"
	means["residency"] = "residency_ns"
}

{
	value = $0
	sub(/^[^:]*:/, "", value)
	gsub(/\t/, " ", value)
	file = substr($0, 1, length($0) - length(value) - 1)
}

# A machine without a cpuidle driver has only these files.
file ~ /cpuidle\/current_driver$/ { found++; print "driver", value }
file ~ /cpuidle\/current_governor(_ro)?$/ { found++; print "governor", value }

file ~ /cpu[0-9]+\/cpuidle\/state[0-9]+\/[a-z]+$/ {
	parts = split(file, part, "/")
	key = part[parts]
	if (!(key in means))
		next
	cpu = substr(part[parts - 3], 4) + 0
	state = substr(part[parts - 1], 6)
	if (key ~ /^(name|latency|residency)$/) {
		if (!((state, key) in known)) {
			known[state, key] = 1
			key_of[++keys] = key
			state_of[keys] = state
		}
		has[cpu, state, key] = value
	}
	# The value is in whole us: appending three zeros makes it ns.
	if (key ~ /^(latency|residency)$/) {
		if (value !~ /^[0-9]+$/) {
			bad = ":" NR
			exit
		}
		value = value == 0 ? 0 : value "000"
	}
	if (!(cpu in table))
		all[++cpus] = cpu
	found++
	table[cpu] = table[cpu] "state." state "." means[key] OFS value ORS
}

# words(CPU, STATE): return name, exit latency and target residency of the state
function words(cpu, state) {
	if (!((cpu, state, "name") in has))
		return "none"
	return has[cpu, state, "name"] ", " has[cpu, state, "latency"] " us, " has[cpu, state, "residency"] " us"
}

# check(A, B): exit with a message if the CPUs have different states
function check(a, b,  i, advice) {
	for (i = 1; i <= keys; i++)
		if (has[a, state_of[i], key_of[i]] "" != has[b, state_of[i], key_of[i]] "")
			break
	if (i > keys)
		return
	if (lacking != "")
		advice = "name a file that also has the states of CPU " lacking " (--cpuidle)"
	else if (measured != "")
		advice = "record each kind of CPU by itself (trace-cmd record -M MASK)"
	else
		advice = "name a file with CPUs of one kind (--cpuidle)"
	printf ": CPU %d and CPU %d have different idle states (state %s: %s; %s): %s\n", a, b, state_of[i], words(a, state_of[i]),
		words(b, state_of[i]), advice >"/dev/stderr"
	exit 1
}

END {
	if (bad || !found) {
		printf "%s: not the output of grep -r . on cpu*/cpuidle: name that output with --cpuidle, or use --states\n", bad >"/dev/stderr"
		exit 1
	}
	n = split(measured, one, ",")
	for (i = n; i >= 1; i--)
		if (!(one[i] in table))
			lacking = one[i]
	if (!n || lacking != "") {
		n = cpus
		for (i = 1; i <= n; i++)
			one[i] = all[i]
	}
	for (i = 2; i <= n; i++)
		check(one[1], one[i])
	if (n)
		printf "%s", table[one[1]]
}
