# SPDX-License-Identifier: GPL-2.0
# slowest.awk - samples.tsv of source wake, twice, where each event woke several CPUs: with a column slowest_latency, which the sample of the CPU
# that was awake last has: from the first sched_waking of the event until then, ns. Of an event of which a CPU has no sample, or a tainted one, nothing.
#	-v cpus=N	that each event woke
#	-v facts=FILE	gets "run.1.events_complete", of which each CPU has an untainted sample

# since(TIME): ns after the first time in the file. All digits of a time are too many for a floating-point number. The 1 before the last nine: to some
# awks a number that begins with 0 is octal.
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
