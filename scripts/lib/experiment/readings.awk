# SPDX-License-Identifier: GPL-2.0
# readings.awk - print lines "key TAB value" of point.tsv from the readings of readings.sh.
# Energies in uJ and times in us stay below 2^53.

$1 == "begin" {
	from = $2
	on = 1
	begun = 1
	split("", energy)
	next
}

$1 == "tick" { begun = 0; next }

$1 == "end" {
	if (on)
		window += $2 - from
	on = begun = 0
	next
}

$1 == "time" || $1 == "usage" {
	if (begun)
		first[$1, $2] = $3
	else if (($1, $2) in first) {
		sum[$1, $2] += $3 - first[$1, $2]
		delete first[$1, $2]
	}
	next
}

# Sum the energy from each begin over its ticks to its end. At begin the old readings are forgotten,
# so energy between two runs does not count.
$1 == "rapl" {
	if ($2 in energy)
		used += $3 - energy[$2] + ($3 + 0 < energy[$2] + 0 ? $4 : 0)
	energy[$2] = $3
	rapl = 1
	next
}

$1 == "battery" {
	battery[$2] += $3
	times[$2]++
}

END {
	for (i = 0; ("time", i) in sum; i++)
		idle_us += sum["time", i]
	# The window is measured in hundredths of a second. It cannot be shorter than the time that the CPU idled.
	idle_s = int((idle_us + 9999) / 10000) / 100
	if (window > 0 && window < idle_s)
		window = idle_s
	printf "window_s\t%.2f\n", window
	for (i = 0; ("time", i) in sum; i++) {
		printf "state.%d.time_us\t%.0f\n", i, sum["time", i]
		printf "state.%d.usage\t%.0f\n", i, sum["usage", i]
	}
	for (name in battery)
		from_battery += battery[name] / times[name]
	if (rapl && window > 0)
		printf "power_w\t%.2f\npower_from\trapl\n", used / 1e6 / window
	else if (from_battery)
		printf "power_w\t%.2f\npower_from\tbattery\n", from_battery / 1e6
	else
		printf "power_w\t-\npower_from\t-\n"
}
