# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# shellcheck disable=SC2034  # $wakelat and $killer are for the jobs
# record.sh - functions that the jobs of `wakelat record` share. In the guest this is /record.sh.

wakelat=/wakelat/scripts/wakelat
tracefs=/sys/kernel/tracing
control=$tracefs/wakelat
idle=/sys/devices/system/cpu/cpu0/cpuidle

# snapshot: print all settings that record changes or could change
snapshot() {
	grep -H '' /sys/devices/system/cpu/cpu*/cpuidle/state*/disable \
		"$tracefs"/tracing_on "$tracefs"/trace_clock "$tracefs"/trace_options "$tracefs"/current_tracer \
		"$tracefs"/buffer_size_kb "$tracefs"/buffer_percent "$tracefs"/set_event \
		"$tracefs"/tracing_cpumask "$tracefs"/saved_cmdlines_size 2>&1
	printf 'instances: %s\n' "$(ls "$tracefs/instances")"
	printf 'journal: %s\n' "$(ls /run/wakelat 2>&1)"
	printf 'recorders: %s\n' "$(pidof trace-cmd)"
	printf 'run: %s\n' "$(sed -n 's/^state //p' "$control/status")"
	# Leave out the process that wrote a line of the trace: the kernel keeps its name only for a while.
	grep -v "^#" "$tracefs/trace" | sed "s/^.*-\([0-9]* *\[\)/\1/"
}

# users_settings: change settings to values that are neither the kernel's defaults nor those that record sets
users_settings() {
	printf '1\n' >"$idle/state1/disable"
	printf '0\n' >"$idle/state2/disable"
	printf '60\n' >"$tracefs/buffer_percent"
	printf "the user's own trace\n" >"$tracefs/trace_marker"
	snapshot >/tmp/before
}

run_is_active() {
	grep -qx 'state running' "$control/status"
}

# check_restored WHEN: check that all settings are those of the last snapshot
check_restored() {
	snapshot >/tmp/after
	check "$1: everything is as it was" diff /tmp/before /tmp/after
}

# check_refused NAME ERE COMMAND...: check that COMMAND fails with one line on stderr that matches ERE, and changes nothing
check_refused() {
	refused_name=$1
	refused_ere=$2
	shift 2
	"$@" >/tmp/refused.out 2>/tmp/refused.err
	refused_status=$?
	check "$refused_name: fails" test "$refused_status" -ne 0
	check "$refused_name: the error is: $(cat /tmp/refused.err)" grep -qE -e "$refused_ere" /tmp/refused.err
	check_is "$refused_name: one line on stderr, nothing on stdout" "1 0" "$(wc -l </tmp/refused.err) $(wc -c </tmp/refused.out)"
	check_restored "$refused_name"
}

# samples_in FILE: print the number of samples in a trace.dat
samples_in() {
	trace-cmd report -i "$1" 2>/dev/null | grep -c 'wakelat_sample:'
}

# files DIR: print the names of the files, in one line
files() (
	cd "$1" 2>/dev/null && printf '%s\n' * | paste -sd ' ' -
)

# final_files DIR: print the files that must not exist if the recording failed
final_files() {
	files "$1" | tr ' ' '\n' | grep -xE 'trace\.dat|run\.tsv'
}

# run_values FILE KEY: print the values of KEY in each run of a run.tsv, in one line
run_values() {
	sed -n "s/^run\.[0-9]*\.$2	//p" "$1" | paste -sd ' ' -
}

# samples_of FILE CPU: print the number of samples of all runs according to a run.tsv
samples_of() {
	awk -F '\t' -v key="$2.samples" '$1 ~ /^run\./ && substr($1, length($1) - length(key) + 1) == key { n += $2 } END { print n + 0 }' "$1"
}

# value FILE KEY: print the value of KEY in a run.tsv
value() {
	awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$1"
}

# kill_after SECONDS SIGNAL FILE: send SIGNAL to the process whose PID is in FILE, in the background. The caller has to wait
# for $killer, so that the signal does not reach a later process.
kill_after() {
	(
		sleep "$1"
		kill -s "$2" "$(cat "$3")"
	) 2>/dev/null &
	killer=$!
}

# started PIDFILE COMMAND...: run COMMAND with its PID in PIDFILE, and return its exit status
started() {
	started_pidfile=$1
	shift
	sh -c 'printf "%s\n" "$$" >"$1"; shift; exec "$@"' sh "$started_pidfile" "$@"
}

# untainted FILE RUN: print the number of untainted samples of a run, of all CPUs, according to a run.tsv
untainted() {
	awk -F '\t' -v run="$2" '
		{ split($1, key, ".") }
		key[1] == "run" && key[2] == run && key[4] == "samples" { n += $2 }
		key[1] == "run" && key[2] == run && key[4] == "tainted" { n -= $2 }
		END { print n + 0 }' "$1"
}
