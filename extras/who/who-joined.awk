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
#
# A vcpu is its thread in the host: two virtual machines have the same numbers of vcpus. A guest's
# CPU belongs to the thread that is in the guest, between kvm_entry and kvm_exit, during the guest's
# events. This also shows whether both have one clock.

BEGIN {
	parts = split("idle_exit run_queue entry guest wait", part, " ")
	meaning["idle_exit"] = "host CPU's idle exit"
	meaning["run_queue"] = "host's run queue"
	meaning["entry"] = "entry into the guest"
	meaning["guest"] = "guest, to cpu_idle"
	meaning["wait"] = "all, from the host's event"
	printf "vcpu\tevent\tidle_exit\trun_queue\tentry\tguest\twait\n" >rows
}

# " host.dat:  TASK-PID  [CPU]  FLAGS  SECONDS.NS: EVENT:  TEXT"; a task's name may contain blanks.
# trace-cmd prints the flags (such as dN.1.) since version 3.3.
!match($0, /\[[0-9]+\] +([^ ]+ +)?[0-9]+\.[0-9]+: +[a-z_]+: /) { next }

{
	head = substr($0, 1, RSTART - 1)
	words = split(substr($0, RSTART, RLENGTH), word, /(\[|\]|:| )+/)
	text = substr($0, RSTART + RLENGTH)
	cpu = word[2] + 0
	event = word[words - 1]
	split(word[words - 2], stamp, ".")
	# Seconds since the first line: awk's numbers cannot hold ns since boot exactly after 104 days.
	if (first == "")
		first = stamp[1]
	fraction = substr(stamp[2] "000000000", 1, 9)
	# busybox takes digits after a 0 for an octal number.
	now = (stamp[1] - first) * 1000000000 + (1 fraction) - 1000000000
	if (now < before)
		refuse("line " FNR " is earlier than the line before: give the text as trace-cmd report -t prints it")
	before = now
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
	# trace-cmd's kvm plugin prints the vcpu at kvm_entry only.
	if (v != "" && !(task in vcpu)) {
		vcpu[task] = v
		threads[v] = threads[v] " " task
	}
	if (event == "kvm_exit") {
		inside[task] = 0
		if (text ~ /reason (HLT|EXIT_HLT|hlt|MWAIT)/) {
			halted[task] = 1
			woken[task] = runs[task] = entered[task] = ""
		}
	}
	if (event == "kvm_entry") {
		inside[task] = 1
		if (halted[task] && runs[task] != "")
			entered[task] = now
	}
	next
}

event == "cpu_idle" && file == host {
	if (value("state") == "4294967295" || value("state") == "-1")
		awake[cpu] = now
	else
		slept[cpu] = now
	next
}

# A guest's event. Any thread with this number may be the CPU, until all events have been compared.
host != "" && file != host {
	guest = file "\t" cpu
	if (!(guest in seen))
		guests[++nr_guests] = guest
	seen[guest]++
	candidates = split(threads[cpu], candidate, " ")
	for (i = 1; i <= candidates; i++) {
		t = candidate[i]
		fits[guest, t] += inside[t]
		if (event == "cpu_idle" && (value("state") == "4294967295" || value("state") == "-1") && entered[t] != "")
			finish(t, guest)
	}
	next
}

event == "sched_waking" {
	t = value("pid")
	if (halted[t] && woken[t] == "") {
		woken[t] = now
		woken_text[t] = stamp[1] fraction
		cause[t] = "host CPU " cpu ", thread " task
	}
	next
}

event == "sched_switch" {
	# prev_pid=1 ... next_pid=2, or "NAME:1 [120] S ==> NAME:2 [120]"
	t = value("next_pid")
	if (t == "" && match(text, /:[0-9]+ \[[0-9]+\] *$/)) {
		t = substr(text, RSTART + 1)
		sub(/ .*/, "", t)
	}
	if (woken[t] == "" || runs[t] != "")
		next
	runs[t] = now
	ran_on[t] = cpu
	# The idle exit counts only if this CPU slept when the thread was woken.
	exit_at[t] = cpu in slept && slept[cpu] < woken[t] && awake[cpu] >= woken[t] ? awake[cpu] : woken[t]
	next
}

# finish THREAD GUEST: keep the parts of this wake-up, in case that THREAD turns out to be the guest's CPU
function finish(t, guest) {
	all++
	of_thread[all] = t
	of_guest[all] = guest
	got["idle_exit", all] = exit_at[t] - woken[t]
	got["run_queue", all] = runs[t] - exit_at[t]
	got["entry", all] = entered[t] - runs[t]
	got["guest", all] = now - entered[t]
	got["wait", all] = now - woken[t]
	event_at[all] = woken_text[t]
	sub(/^0+/, "", event_at[all])
	cause_of[all] = cause[t]
	cpu_of[all] = ran_on[t]
	halted[t] = ""
	woken[t] = runs[t] = entered[t] = ""
}

function refuse(reason) {
	print reason >"/dev/stderr"
	exit failed = 1
}

# thread_of GUEST: return the thread that is this CPU of a guest. It must be in the guest during 95 % of the guest's events.
function thread_of(guest,  name, nr, candidate, i, found, most) {
	split(guest, name, "\t")
	nr = split(threads[name[2]], candidate, " ")
	for (i = 1; i <= nr; i++) {
		if (fits[guest, candidate[i]] > most)
			most = fits[guest, candidate[i]]
		if (fits[guest, candidate[i]] < 0.95 * seen[guest])
			continue
		if (found != "")
			refuse("threads " found " and " candidate[i] " of two virtual machines are vcpu " name[2] ", and both fit the guest's events: remove the kvm events of the other machine")
		found = candidate[i]
	}
	if (nr && found == "")
		refuse("only " most + 0 " of " seen[guest] " events of the guest's CPU " name[2] " come while its vcpu is in the guest: record both with one clock, and without lost events")
	return found
}

# take ROW: print this wake-up's row, and count it
function take(row,  t, v, p) {
	t = of_thread[row]
	v = vcpu[t]
	n++
	printf "%s\t%s", v, event_at[row] >rows
	for (p = 1; p <= parts; p++) {
		sum[part[p]] += got[part[p], row]
		taken[part[p], n] = got[part[p], row]
		printf "\t%.0f", got[part[p], row] >rows
	}
	printf "\n" >rows
	if (got["wait", row] > longest) {
		longest = got["wait", row]
		line = sprintf("%12s  the host wakes vcpu %s (%s)\n", "0.000", v, cause_of[row])
		if (got["idle_exit", row] > 0)
			line = line sprintf("%12s  host CPU %d is awake\n", us(sprintf("%.0f", got["idle_exit", row])), cpu_of[row])
		line = line sprintf("%12s  the vcpu's thread runs on host CPU %d\n", us(sprintf("%.0f", longest - got["guest", row] - got["entry", row])), cpu_of[row])
		line = line sprintf("%12s  the guest is entered\n", us(sprintf("%.0f", longest - got["guest", row])))
		line = line sprintf("%12s  the guest's CPU %s is awake\n", us(sprintf("%.0f", longest)), v)
	}
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
	if (failed)
		exit 1
	if (host == "")
		refuse("no kvm event found: add the host's recording, made with -e kvm")
	for (g = 1; g <= nr_guests; g++)
		if ((t = thread_of(guests[g])) != "")
			is_cpu[guests[g], t] = 1
	for (row = 1; row <= all; row++)
		if ((of_guest[row], of_thread[row]) in is_cpu)
			take(row)
	close(rows)
	if (!n)
		refuse("no complete wake-up found: record kvm_exit, sched_waking, sched_switch and kvm_entry on the host and cpu_idle in the guest, with the same clock")
	printf "Wake-ups of a guest's CPUs, host and guest together, N %d (us)\n\n%-28s %10s %10s %10s %8s\n", n, "", "p50", "p99", "max", "% of all"
	for (p = 1; p <= parts; p++) {
		for (i = 1; i <= n; i++)
			sorted[i] = taken[part[p], i]
		sort(1, n)
		printf "%-28s %10s %10s %10s %8.1f\n", meaning[part[p]], quantile(0.5), quantile(0.99), us(sprintf("%.0f", sorted[n])),
			100 * sum[part[p]] / sum["wait"]
	}
	printf "\nThe longest:\n%s", line
}
