# SPDX-License-Identifier: GPL-2.0
# cpuidle-text.awk - convert to lines of run.tsv the output of
#	grep -r . /sys/devices/system/cpu/{cpuidle,cpu0/cpuidle}

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
	# The value is in whole us: appending three zeros makes it ns.
	if (key ~ /^(latency|residency)$/) {
		if (value !~ /^[0-9]+$/) {
			bad = NR
			exit
		}
		value = value == 0 ? 0 : value "000"
	}
	cpu = substr(part[parts - 3], 4) + 0
	if (cpus++ && cpu != first)
		next
	first = cpu
	found++
	print "state." substr(part[parts - 1], 6) "." means[key], value
}

END {
	if (bad || !found) {
		printf "%d\n", bad >"/dev/stderr"
		exit 1
	}
}
