# SPDX-License-Identifier: GPL-2.0
# doctor-users.sh - check what else uses a CPU: tasks and timers now, and wake-ups during some
# seconds.
# shellcheck shell=sh
#
# Needs doctor.sh, doctor-msr.sh.

# Variables that other files set:
: "${root?sysfs.sh}" "${doctor_tab?doctor.sh}" "${msr_low?doctor-msr.sh}"

check_users() {
	check_tasks "$1"
	check_timers "$1"
}

# Check for running and runnable tasks, except this process and its children.
check_tasks() {
	tasks=$(cat "$root"/proc/[0-9]*/task/[0-9]*/stat 2>/dev/null | awk -v cpu="$1" -v self="$$" '
		{
			# The name, in parentheses, may contain anything.
			if (!match($0, /^.*\)/))
				next
			name = substr($0, 1, RLENGTH - 1)
			pid = name + 0
			sub(/^[0-9]+ \(/, "", name)
			split(substr($0, RLENGTH + 2), field, " ")
			parent[pid] = field[2]
			if (field[1] == "R" && field[37] == cpu)
				running[pid] = name
			seen = 1
		}
		function ours(pid, depth) {
			while (pid > 1 && depth++ < 64) {
				if (pid == self)
					return 1
				pid = parent[pid]
			}
			return 0
		}
		END {
			if (!seen)
				exit 1
			for (pid in running)
				if (!ours(pid) && ++n <= 4)
					list = list (list == "" ? "" : ", ") running[pid] " (" pid ")"
			print n + 0, list
		}') || {
		finding tasks "cpu$1" unknown - "the tasks in /proc cannot be read"
		return
	}
	if [ "${tasks%% *}" -eq 0 ]; then
		finding tasks "cpu$1" ok 0 "no task is running on CPU $1"
	else
		finding tasks "cpu$1" doubt "${tasks%% *}" "tasks are running on CPU $1: ${tasks#* }" \
			"move them: taskset -pc OTHER-CPUS PID, or a cpuset" "taskset -pc as it was"
	fi
}

# List the high-resolution timers that will expire on this CPU.
check_timers() {
	[ -e "$root/proc/timer_list" ] || return 0
	[ -r "$root/proc/timer_list" ] || {
		unread timers "cpu$1" /proc/timer_list
		return
	}
	timers=$(awk -v cpu="$1" '
		/^cpu: / { here = ($2 == cpu) }
		/^Tick Device/ { here = 0 }
		here && $1 ~ /^#[0-9]+:$/ { sub(/,$/, "", $3); if (!n[$3]++) order[++kinds] = $3; all++ }
		END {
			for (i = 1; i <= kinds; i++)
				list = list (i > 1 ? ", " : "") n[order[i]] " " order[i]
			print all + 0, list
		}' "$root/proc/timer_list" 2>/dev/null) || return 0
	[ "${timers%% *}" -gt 0 ] || {
		finding timers "cpu$1" ok 0 "no timer is pending on CPU $1"
		return
	}
	finding timers "cpu$1" ok "${timers%% *}" "timers pending on CPU $1: ${timers#* }"
}

# watch_read CPU: prints the counters of the CPU's wake-ups, interrupts and SMIs as they are now
watch_read() {
	cat "$root/sys/devices/system/cpu/cpu$1/cpuidle"/state*/usage 2>/dev/null |
		awk '{ n += $1 } END { if (!NR) exit 1; printf "usage\t%.0f\n", n }'
	awk -v cpu="CPU$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == cpu) at = i + 1; next }
		at && NF >= at {
			name = $1
			if ($1 ~ /^[0-9]+:$/)
				name = $1 " " $NF
			else
				sub(/:$/, "", name)
			printf "%s\t%s\n", name, $at
		}' "$root/proc/interrupts" 2>/dev/null
	! [ -r "$root/dev/cpu/$1/msr" ] || ! read_msr "$1" 0x34 || printf 'smi\t%s\n' "$msr_low"
}

# watch CPUS SECONDS: counts wake-ups, interrupts and SMIs of otherwise idle CPUs in that time, and
# adds findings. Files are in $doctor_work, which the command creates.
watch() {
	: "${doctor_work?doctor}"
	for watch_cpu in $1; do
		watch_read "$watch_cpu" >"$doctor_work/before$watch_cpu"
	done
	sleep "$2"
	for watch_cpu in $1; do
		watch_read "$watch_cpu" | awk -F '\t' -v OFS='\t' '
			FNR == NR { before[$1] = $2; next }
			{ print $1, $2 - before[$1] }' "$doctor_work/before$watch_cpu" - |
			sort -t "$doctor_tab" -k 2,2nr >"$doctor_work/watched$watch_cpu"
		watch_findings "$watch_cpu" "$2"
	done
}

# watched NAME CPU: prints how much the counter has grown. Fails if the counter cannot be read.
watched() {
	awk -F '\t' -v name="$1" '$1 == name { print $2; found = 1; exit } END { exit !found }' "$doctor_work/watched$2"
}

# watch_findings CPU SECONDS: adds findings about wake-ups and SMIs
watch_findings() {
	if watch_usage=$(watched usage "$1"); then
		watch_names=$(awk -F '\t' '$1 != "usage" && $1 != "smi" && $2 > 0 && ++n <= 3 {
			printf "%s%s %s", (n > 1 ? ", " : ""), $1, $2 }' "$doctor_work/watched$1")
		if [ "$watch_usage" -gt $((50 * $2)) ]; then
			finding wakeups "cpu$1" doubt "$watch_usage" "CPU $1 woke up $watch_usage times in $2 s; interrupts: ${watch_names:-none}" \
				"find the cause: trace-cmd record -e irq_vectors -e sched_waking -M MASK sleep 1" "nothing is changed"
		else
			finding wakeups "cpu$1" ok "$watch_usage" "CPU $1 woke up $watch_usage times in $2 s; interrupts: ${watch_names:-none}"
		fi
	fi
	if watch_smi=$(watched smi "$1"); then
		if [ "$watch_smi" -gt 0 ]; then
			finding smi "cpu$1" doubt "$watch_smi" "$watch_smi SMIs in $2 s: an SMI stops all CPUs; samples with an SMI are tainted" \
				"in the firmware's setup: USB legacy support, power and error reporting" "there as well"
		else
			finding smi "cpu$1" ok 0 "no SMI in $2 s"
		fi
	fi
}
