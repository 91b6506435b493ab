# SPDX-License-Identifier: GPL-2.0
# slowest.awk - add the column slowest_latency to samples.tsv of source wake, if each event woke
# several CPUs. The file is given twice. The sample of the CPU that was awake last has the time in
# ns from the event's first sched_waking until this CPU was awake. All other samples have -, also
# all samples of an event for which a CPU has no sample or a tainted one.
#	-v cpus=N	number of CPUs that each event woke
#	-v facts=FILE	gets "run.1.events_complete", the number of events with an untainted sample of each CPU

# since(TIME): return the ns since the first time in the file. A time has too many digits for a
# floating-point number. The last nine digits get a 1 in front, because some awks take a number that
# begins with 0 as octal.
function since(time,    head, tail) {
	head = length(time) > 9 ? substr(time, 1, length(time) - 9) : 0
	tail = "1" substr(time, length(time) - 8)
	if (!has_origin++) {
		origin_head = head
		origin_tail = tail
	}
	return (head - origin_head) * 1000000000 + tail - origin_tail
}

BEGIN {
	FS = OFS = "\t"
}

FNR == 1 {
	file++
	for (i = 1; i <= NF; i++)
		at[$i] = i
	if (file == 2)
		print $0, "slowest_latency"
	next
}

file == 1 {
	if ($at["taint"] != "-")
		next
	seq = $at["seq"]
	begin = since($at["ltime"])
	end = begin + ($at["irqs_on"] ? $at["intr_latency"] : $at["wake_latency"])
	if (!n[seq]++ || begin < first[seq])
		first[seq] = begin
	if (n[seq] == 1 || end > last[seq]) {
		last[seq] = end
		cpu[seq] = $at["cpu"]
	}
	next
}

{
	seq = $at["seq"]
	is_last = n[seq] == cpus && $at["cpu"] == cpu[seq]
	complete += is_last
	print $0, is_last ? sprintf("%.0f", last[seq] - first[seq]) : "-"
}

END {
	printf "run.1.events_complete\t%d\n", complete >>facts
}
