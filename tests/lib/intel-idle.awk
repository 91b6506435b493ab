# SPDX-License-Identifier: GPL-2.0
# intel-idle.awk - would Linux 7.0 accept this intel_idle.table=...? Reads run.tsv, then the
# parameter. Prints why Linux would refuse it, or nothing. The rules are those of Linux
# (drivers/idle/intel_idle.c, cmdline_table_adjust, validate_cmdline_cstate), written independently
# of the code that makes the table.

FNR == NR {
	if ($1 ~ /^state\.[0-9]+\.(name|latency_ns|residency_ns)$/) {
		split($1, key, ".")
		if (key[3] == "name") {
			name[key[2]] = $2
			count++
		} else {
			# The driver's tables are in us.
			us[key[2], key[3]] = int($2 / 1000)
		}
	}
	next
}

function no(why) {
	print why
	bad = 1
	exit
}

{
	lines++
	if (!sub(/^intel_idle\.table=/, ""))
		no("not the parameter")
	if (length($0) > 255 || /[ \t"]/)
		no("too long, or not one word")
	n = split($0, part, ",")
	for (i = 1; i <= n; i++) {
		if (split(part[i], field, ":") != 3)
			no(part[i] ": not name:latency:residency")
		if (field[2] !~ /^[0-9]+$/ || field[3] !~ /^[0-9]+$/)
			no(part[i] ": not a number")
		found = -1
		for (k = 1; k < count; k++)
			if (name[k] == field[1])
				found = k
		if (found < 0)
			no(field[1] ": no such state")
		us[found, "latency_ns"] = field[2]
		us[found, "residency_ns"] = field[3]
	}
	for (k = 1; k < count; k++) {
		latency = us[k, "latency_ns"]
		residency = us[k, "residency_ns"]
		if (latency == 0 || latency > 5000 || residency > 100000 || residency < latency)
			no(name[k] ": " latency ", " residency ": out of range")
		if (latency <= us[k - 1, "latency_ns"] + 0 || residency <= us[k - 1, "residency_ns"] + 0)
			no(name[k] ": not greater than the one before")
	}
}

END {
	if (!bad && lines != 1)
		print lines + 0 " lines"
}
