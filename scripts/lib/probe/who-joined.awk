# SPDX-License-Identifier: GPL-2.0
# who-joined.awk - split each wake-up of a guest's CPU into its parts, from the text of `trace-cmd
# report -t -i HOST -i GUEST`. Print a table and the time line of the longest wake-up. The host's
# file is the one with kvm events. CPU N of the guest is vcpu N. Needs us.awk.
#	-v rows=FILE	gets a row for each wake-up (joined.tsv)
#
# These events separate the parts, in this order:
#	sched_waking	the host wakes the vcpu's thread
#	cpu_idle	the host's CPU is awake, if it slept
#	sched_switch	the thread runs
#	kvm_entry	the guest runs
#	cpu_idle	in the guest: its CPU is awake

BEGIN {
	parts = split("idle_exit run_queue entry guest wait", part, " ")
	meaning["idle_exit"] = "host CPU's idle exit"
	meaning["run_queue"] = "host's run queue"
	meaning["entry"] = "entry into the guest"
	meaning["guest"] = "guest, to cpu_idle"
	meaning["wait"] = "all, from the host's event"
	printf "vcpu\tevent\tidle_exit\trun_queue\tentry\tguest\twait\n" >rows
}

# " host.dat:  TASK-PID  [CPU]  SECONDS.NS: EVENT:  TEXT"; a task's name may contain blanks.
!match($0, /\[[0-9]+\][^0-9]*[0-9]+\.[0-9]+: +[a-z_]+: /) { next }

{
	head = substr($0, 1, RSTART - 1)
	split(substr($0, RSTART, RLENGTH), word, /(\[|\]|:| )+/)
	text = substr($0, RSTART + RLENGTH)
	cpu = word[2] + 0
	# Flags of the line may stand between the CPU and the time.
	for (w = 3; word[w] !~ /^[0-9]+\.[0-9]+$/; w++)
		;
	split(word[w], stamp, ".")
	now = stamp[1] * 1000000000 + substr(stamp[2] "000000000", 1, 9)
	event = word[w + 1]
	file = head
	sub(/^ */, "", file)
	sub(/: .*/, "", file)
	task = head
	sub(/ *$/, "", task)
	sub(/.*-/, "", task)
}

# value NAME: return VALUE of "NAME=VALUE" or "NAME VALUE" in the text
function value(name) {
	if (!match(text, "(^|[ \t])" name "[= ]-?[0-9]+"))
		return ""
	name = substr(text, RSTART, RLENGTH)
	sub(/.*[= ]/, "", name)
	return name
}

event ~ /^kvm_/ {
	host = file
	v = value("vcpu")
	if (v != "")
		thread[task] = v
	if (event == "kvm_exit" && v != "" && text ~ /reason (HLT|EXIT_HLT|hlt|MWAIT)/) {
		halted[v] = 1
		woken[v] = runs[v] = entered[v] = ""
	}
	if (event == "kvm_entry" && halted[v] && runs[v] != "")
		entered[v] = now
	next
}

event == "cpu_idle" {
	asleep = value("state") != "4294967295" && value("state") != "-1"
	if (file == host) {
		idle[cpu] = asleep
		if (!asleep)
			awake[cpu] = now
		else
			slept[cpu] = now
	} else if (!asleep && entered[cpu] != "") {
		finish(cpu)
	}
	next
}

file != host { next }

event == "sched_waking" {
	v = thread[value("pid")]
	if (v != "" && halted[v] && woken[v] == "") {
		woken[v] = now
		cause[v] = "host CPU " cpu ", thread " task
	}
	next
}

event == "sched_switch" {
	# prev_pid=1 ... next_pid=2, or "NAME:1 [120] S ==> NAME:2 [120]"
	pid = value("next_pid")
	if (pid == "" && match(text, /:[0-9]+ \[[0-9]+\] *$/)) {
		pid = substr(text, RSTART + 1)
		sub(/ .*/, "", pid)
	}
	v = thread[pid]
	if (v == "" || woken[v] == "" || runs[v] != "")
		next
	runs[v] = now
	ran_on[v] = cpu
	# The idle exit counts only if this CPU slept when the thread was woken.
	exit_at[v] = cpu in slept && slept[cpu] < woken[v] && awake[cpu] >= woken[v] ? awake[cpu] : woken[v]
	next
}

function finish(v,  p) {
	n++
	got["idle_exit", n] = exit_at[v] - woken[v]
	got["run_queue", n] = runs[v] - exit_at[v]
	got["entry", n] = entered[v] - runs[v]
	got["guest", n] = now - entered[v]
	got["wait", n] = now - woken[v]
	printf "%s\t%.0f", v, woken[v] >rows
	for (p = 1; p <= parts; p++) {
		sum[part[p]] += got[part[p], n]
		printf "\t%.0f", got[part[p], n] >rows
	}
	printf "\n" >rows
	if (got["wait", n] > longest) {
		longest = got["wait", n]
		line = sprintf("%12s  the host wakes vcpu %s (%s)\n", "0.000", v, cause[v])
		if (got["idle_exit", n] > 0)
			line = line sprintf("%12s  host CPU %d is awake\n", us(sprintf("%.0f", got["idle_exit", n])), ran_on[v])
		line = line sprintf("%12s  the vcpu's thread runs on host CPU %d\n", us(sprintf("%.0f", runs[v] - woken[v])), ran_on[v])
		line = line sprintf("%12s  the guest is entered\n", us(sprintf("%.0f", entered[v] - woken[v])))
		line = line sprintf("%12s  the guest's CPU %s is awake\n", us(sprintf("%.0f", longest)), v)
	}
	halted[v] = ""
	woken[v] = runs[v] = entered[v] = ""
}

# sort LOW HIGH: sort this part of sorted[]
function sort(low, high,  i, j, pivot, swap) {
	if (low >= high)
		return
	pivot = sorted[int((low + high) / 2)]
	i = low
	j = high
	while (i <= j) {
		while (sorted[i] < pivot)
			i++
		while (sorted[j] > pivot)
			j--
		if (i <= j) {
			swap = sorted[i]
			sorted[i++] = sorted[j]
			sorted[j--] = swap
		}
	}
	sort(low, j)
	sort(i, high)
}

# quantile Q: return it in us, or - if there are too few samples beyond it, as in stats
function quantile(q) {
	if (n * (1 - q) < 3 && q > 0.5)
		return "-"
	return us(sprintf("%.0f", sorted[int(q * n + 0.999999)]))
}

END {
	close(rows)
	if (!n) {
		print (host == "" ? "no kvm event found: add the host's recording, made with -e kvm" : \
			"no complete wake-up found: record kvm_exit, sched_waking, sched_switch and kvm_entry on the host and cpu_idle in the guest, with the same clock") >"/dev/stderr"
		exit 1
	}
	printf "Wake-ups of a guest's CPUs, host and guest together, N %d (us)\n\n%-28s %10s %10s %10s %8s\n", n, "", "p50", "p99", "max", "% of all"
	for (p = 1; p <= parts; p++) {
		for (i = 1; i <= n; i++)
			sorted[i] = got[part[p], i]
		sort(1, n)
		printf "%-28s %10s %10s %10s %8.1f\n", meaning[part[p]], quantile(0.5), quantile(0.99), us(sprintf("%.0f", sorted[n])),
			100 * sum[part[p]] / sum["wait"]
	}
	printf "\nThe longest:\n%s", line
}
