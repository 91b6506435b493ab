# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# shellcheck disable=SC2034  # $wakelat and $killer are for the jobs
# record.sh - what the jobs that try `wakelat record` share; beside lib/guest.sh, in the guest.

wakelat=/wakelat/scripts/wakelat
tracefs=/sys/kernel/tracing
control=$tracefs/wakelat
idle=/sys/devices/system/cpu/cpu0/cpuidle

# Everything that record touches or could touch, as it is now.
snapshot() {
	grep -H '' /sys/devices/system/cpu/cpu*/cpuidle/state*/disable \
		"$tracefs"/tracing_on "$tracefs"/trace_clock "$tracefs"/trace_options "$tracefs"/current_tracer \
		"$tracefs"/buffer_size_kb "$tracefs"/buffer_percent "$tracefs"/set_event \
		"$tracefs"/tracing_cpumask "$tracefs"/saved_cmdlines_size 2>&1
	printf 'instances: %s\n' "$(ls "$tracefs/instances")"
	printf 'journal: %s\n' "$(ls /run/wakelat 2>&1)"
	printf 'recorders: %s\n' "$(pidof trace-cmd)"
	printf 'run: %s\n' "$(sed -n 's/^state //p' "$control/status")"
	# Without the name of who wrote it, which the kernel keeps only for a while.
	grep -v "^#" "$tracefs/trace" | sed "s/^.*-\([0-9]* *\[\)/\1/"
}

# What the user had before: none of it is what record sets or what the kernel begins with.
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

# check_restored WHEN: everything is as it was before.
check_restored() {
	snapshot >/tmp/after
	check "$1: everything is as it was" diff /tmp/before /tmp/after
}

# check_refused NAME ERE COMMAND...: fails with one line on stderr, and changes nothing.
check_refused() {
	refused_name=$1
	refused_ere=$2
	shift 2
	"$@" >/tmp/refused.out 2>/tmp/refused.err
	refused_status=$?
	check "$refused_name: fails" test "$refused_status" -ne 0
	check "$refused_name: in one line, $(cat /tmp/refused.err)" grep -qE -e "$refused_ere" /tmp/refused.err
	check_is "$refused_name: no other line" "1 0" "$(wc -l </tmp/refused.err) $(wc -c </tmp/refused.out)"
	check_restored "$refused_name"
}

# samples_in FILE: of trace.dat, whatever its name
samples_in() {
	trace-cmd report -i "$1" 2>/dev/null | grep -c 'wakelat_sample:'
}

# files DIR: what is in it, in one line
files() (
	cd "$1" 2>/dev/null && printf '%s\n' * | paste -sd ' ' -
)

# final_files DIR: those that must not be there if the recording did not come to its end
final_files() {
	files "$1" | tr ' ' '\n' | grep -xE 'trace\.dat|run\.tsv'
}

# run_values FILE KEY: of each run in run.tsv, in one line
run_values() {
	sed -n "s/^run\.[0-9]*\.$2	//p" "$1" | paste -sd ' ' -
}

# samples_of FILE CPU: all runs' samples in run.tsv
samples_of() {
	awk -F '\t' -v key="$2.samples" '$1 ~ /^run\./ && substr($1, length($1) - length(key) + 1) == key { n += $2 } END { print n + 0 }' "$1"
}

# value FILE KEY: of run.tsv
value() {
	awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$1"
}

# kill_after SECONDS SIGNAL FILE: sends the signal to the process whose PID is in FILE, in the background.
# The caller waits for $killer, so that it does not meet the next process.
kill_after() {
	(
		sleep "$1"
		kill -s "$2" "$(cat "$3")"
	) 2>/dev/null &
	killer=$!
}

# started PIDFILE COMMAND...: runs it so that signals can be sent to it, and returns its status.
started() {
	started_pidfile=$1
	shift
	sh -c 'printf "%s\n" "$$" >"$1"; shift; exec "$@"' sh "$started_pidfile" "$@"
}

# untainted FILE RUN: samples of a run in run.tsv, of all CPUs
untainted() {
	awk -F '\t' -v run="$2" '
		{ split($1, key, ".") }
		key[1] == "run" && key[2] == run && key[4] == "samples" { n += $2 }
		key[1] == "run" && key[2] == run && key[4] == "tainted" { n -= $2 }
		END { print n + 0 }' "$1"
}
