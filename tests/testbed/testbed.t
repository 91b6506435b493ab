#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# testbed/run: results arrive, and each kind of failure has its own message and status.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"

testbed=$top/testbed/run

# job NAME: make a job file from stdin
job() {
	{
		printf '#!/bin/sh\n'
		cat
	} >"$tmp/$1.job"
}

# qemu_of DIR: print the PIDs of the processes whose results go to DIR
qemu_of() {
	pgrep -f "path=$1\.partial/"
}

qemu_gone() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		qemu_of "$1" >/dev/null || return 0
		sleep 0.5
	done
	return 1
}

# signalled COMMAND...: start COMMAND in the background with all signals at their default. In the background some
# may be ignored, and a shell cannot trap a signal that is ignored when it starts.
signalled() {
	rm -f "$tmp/start.out" "$tmp/start.err"
	perl -e '$SIG{$_} = "DEFAULT" for qw(INT TERM HUP); exec @ARGV' "$@" >"$tmp/start.out" 2>"$tmp/start.err" &
	started=$!
}

# start DIR JOB: start a run in the background, and wait until the job says that it runs
start() {
	signalled "$testbed" --out "$1" "$2"
	for _ in $(seq 600); do
		! grep -q 'job runs' "$tmp/start.out" || return 0
		sleep 0.1
	done
	diag "$(cat "$tmp/start.err")"
	bail "the guest did not start within a minute"
}

# --- results

job good <<"E"
printf 'to stdout\n'
printf 'to stderr\n' >&2
mkdir sub
cat /given/file >sub/file
cat /proc/cmdline /proc/uptime
cat /proc/sys/kernel/random/uuid >random
hostname >name
date >date
[ -x /wakelat/scripts/wakelat ] && exit 7
E
mkdir "$tmp/given"
printf 'given\n' >"$tmp/given/file"
run "$testbed" --out "$tmp/one" --add "$tmp/given" --append 'quiet wakelat_test=1' "$tmp/good.job"
is "$status" 7 "testbed/run exits with the job's status"
is "$err" "" "testbed/run prints nothing on stderr"
like "$out" '^to stdout$' "the job's stdout arrives"
like "$out" '^to stderr$' "the job's stderr arrives"
like "$out" 'wakelat.testbed=skylake-sp .*wakelat_test=1' "the kernel's command line names the model, and what was appended"
unlike "$out" 'wakelat-testbed:' "the guest's own messages are left out"
is "$(cat "$tmp/one/sub/file")" given "--add: the file is in the guest, and is copied back"
is "$(cat "$tmp/one/name")" testbed "the guest does not know the host's name"
like "$(cat "$tmp/one/date")" 'Jan +1 .* 2026' "the guest does not know the host's date"
like "$(cat "$tmp/one/dmesg.log")" 'Linux version' "the results have the kernel's messages"
like "$(head -n 1 "$tmp/one/truth.tsv")" '^cpu	hint	' "the results have the truth log"
is "$(find "$tmp" -name 'one*' -prune | wc -l)" 1 "a run leaves only its result"

run "$testbed" --out "$tmp/two" --add "$tmp/given" --append 'quiet wakelat_test=1' "$tmp/good.job"
ok "a second run is the same to the last byte, random numbers too" diff -r "$tmp/one" "$tmp/two"
run "$testbed" --out "$tmp/three" --seed 2 --add "$tmp/given" "$tmp/good.job"
not_ok "another seed gives other random numbers" cmp "$tmp/one/random" "$tmp/three/random"
refused "out .*one exists" "a result is not overwritten" "$testbed" --out "$tmp/one" "$tmp/good.job"

# --- what can break

job panic <<"E"
echo c >/proc/sysrq-trigger
E
run "$testbed" --out "$tmp/panic" "$tmp/panic.job"
is "$status" 123 "a panic has its own status"
like "$err" '^testbed/run: the guest.s kernel panicked$' "a panic: the message says so"
like "$err" 'Kernel panic - not syncing' "a panic: the message has the console's last lines"
ok "a panic: the console's log is kept" grep -q 'Kernel panic' "$tmp/panic.partial/console.log"
not_ok "a panic: there is no result" test -e "$tmp/panic"

job hang <<"E"
printf 'job runs\n'
while :; do sleep 1000; done
E
run "$testbed" --timeout 10 --out "$tmp/hang" "$tmp/hang.job"
is "$status" 124 "a hanging guest is ended"
like "$err" 'did not finish within 10 s' "a hanging guest: the message says why the run ends"
ok "a hanging guest: QEMU has ended" qemu_gone "$tmp/hang"

job off <<"E"
poweroff -f
E
run "$testbed" --out "$tmp/off" "$tmp/off.job"
is "$status" 125 "a guest without a result has its own status"
like "$err" 'without a result' "a guest without a result: the message says so"

start "$tmp/killed" "$tmp/hang.job"
kill -KILL "$(pgrep -n -f "path=$tmp/killed\.partial/")"
wait "$started"
is $? 125 "QEMU is killed: the status is 125"
like "$(cat "$tmp/start.err")" 'QEMU ended with status 137' "QEMU is killed: the message says so"

for signal in INT TERM; do
	start "$tmp/$signal" "$tmp/hang.job"
	kill -"$signal" "$started"
	wait "$started"
	case $? in
	130 | 143) ok "$signal ends the run" true ;;
	*) ok "$signal ends the run" false ;;
	esac
	ok "$signal: QEMU has ended" qemu_gone "$tmp/$signal"
	not_ok "$signal: no result" test -e "$tmp/$signal"
done
run "$testbed" --out "$tmp/INT" "$tmp/good.job"
is "$(cat "$tmp/INT/name")" testbed "an incomplete result does not prevent the next run"

start "$tmp/nine" "$tmp/hang.job"
refused 'another run is writing' "two runs do not write into one directory" "$testbed" --out "$tmp/nine" "$tmp/good.job"
kill -KILL "$started"
wait "$started" 2>/dev/null
ok "QEMU does not outlive a killed run" qemu_gone "$tmp/nine"

# With a fake QEMU: the arguments that it gets, and how testbed/run ends it.
# fake NAME: make a fake QEMU from stdin
fake() {
	{
		printf '#!/bin/sh\n'
		cat
	} >"$tmp/$1"
	chmod +x "$tmp/$1"
}

# ended_by SIGNAL PID SECONDS: send SIGNAL, and succeed if it ends the process within SECONDS
ended_by() {
	kill -s "$1" "$2"
	for _ in $(seq $(($3 * 10))); do
		kill -0 "$2" 2>/dev/null || break
		sleep 0.1
	done
	! kill -0 "$2" 2>/dev/null || return
	wait "$2"
	[ $? -gt 128 ]
}

# gone PID: succeed if the process has ended. A zombie counts as ended.
gone() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		case $(ps -o stat= -p "$1") in
		'' | Z*) return 0 ;;
		esac
		sleep 0.5
	done
	return 1
}

# until_there FILE: wait until the file is not empty
until_there() {
	for _ in $(seq 300); do
		[ ! -s "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

fake seeds.qemu <<"E"
printf '%s\n' "$@" | sed -n '/^-seed$/{ n; p }; s/.*cstate-seed=\([0-9]*\).*/\1/p' >"$0.is"
exit 1
E
printf 'base = skylake-sp\nseed = 7\n' >"$tmp/seven.model"
# seeds WANTED NAME OPTION...: check that the seeds of the model and of QEMU itself are WANTED
seeds() {
	seeds_wanted=$1
	seeds_name=$2
	shift 2
	run "$testbed" --qemu "$tmp/seeds.qemu" --kernel "$tmp/good.job" --out "$tmp/seeds" "$@" "$tmp/good.job"
	is "$(paste -sd ' ' "$tmp/seeds.qemu.is")" "$seeds_wanted" "$seeds_name"
}
seeds '1 1' "seeds: 1 by default"
seeds '7 1' "a model file's seed is the model's seed" --model "$tmp/seven.model"
seeds '3 3' "--seed overrides the seed of a model's file" --model "$tmp/seven.model" --seed 3
seeds '9 3' "--set seed overrides --seed for the model" --model "$tmp/seven.model" --seed 3 --set seed=9

fake deaf.qemu <<"E"
trap '' TERM INT HUP
printf '%s\n' "$$" >"$0.pid"
while :; do sleep 1; done
E
for signal in INT TERM HUP; do
	rm -f "$tmp/deaf.qemu.pid"
	signalled "$testbed" --qemu "$tmp/deaf.qemu" --kernel "$tmp/good.job" --out "$tmp/deaf" "$tmp/good.job"
	ok "$signal: a QEMU that ignores signals has started" until_there "$tmp/deaf.qemu.pid"
	ok "$signal: a QEMU that ignores signals does not keep the run from ending" ended_by "$signal" "$started" 20
	ok "$signal: a QEMU that ignores signals is killed" gone "$(cat "$tmp/deaf.qemu.pid")"
done

# testbed/run waits while another process builds QEMU or a kernel, which can take long.
mkdir -p "$tmp/cache/wakelat"
flock "$tmp/cache/wakelat/qemu-source.lock" sh -c 'echo locked; exec sleep 600' >"$tmp/locked" &
locker=$!
until_there "$tmp/locked"
for signal in INT TERM; do
	signalled env XDG_CACHE_HOME="$tmp/cache" WAKELAT_PROGRESS=1 "$testbed" --out "$tmp/waits" "$tmp/good.job"
	until_there "$tmp/start.err"
	like "$(cat "$tmp/start.err")" 'waiting for another process' "$signal: the run waits for another process's build"
	ok "$signal ends a run that waits for a build" ended_by "$signal" "$started" 10
done
pkill -P "$locker"
wait "$locker"

# --- bad arguments

bad() {
	bad_ere=$1
	bad_name=$2
	shift 2
	refused "^testbed/run: .*$bad_ere|^model-args: .*$bad_ere" "$bad_name" "$testbed" "$@"
	is "$status" 2 "$bad_name: status 2"
}
bad 'no job given' "no job" --out "$tmp/x"
bad 'out is missing' "no --out" "$tmp/good.job"
bad 'no such file' "a job that does not exist" --out "$tmp/x" "$tmp/nothing.job"
bad 'unknown option' "an unknown option" --frobnicate
bad 'needs a value' "an option without its value" --out
bad 'cpus 0' "no CPU" --cpus 0 --out "$tmp/x" "$tmp/good.job"
bad 'memory lots' "--memory without a number" --memory lots --out "$tmp/x" "$tmp/good.job"
bad 'nothing does not exist' "--add of a file that does not exist" --add "$tmp/nothing" --out "$tmp/x" "$tmp/good.job"
bad 'no-such-model' "an unknown model" --model no-such-model --out "$tmp/x" "$tmp/good.job"
bad 'not KEY=VALUE' "a setting without a value" --set prewake --out "$tmp/x" "$tmp/good.job"
bad 'no_such_key' "an unknown setting" --set no_such_key=1 --out "$tmp/x" "$tmp/good.job"
bad 'needs a terminal' "--interactive without a terminal" --interactive
not_ok "bad arguments leave no result" test -e "$tmp/x"

# --- the interactive shell

# wait_for ERE: wait until the terminal shows this. On a loaded machine, an answer can take a
# minute.
wait_for() {
	for _ in $(seq 6000); do
		! grep -qE "$1" "$tmp/terminal" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

# below PID: print all descendants of the process, one a line
below() {
	pgrep -P "$1" | while IFS= read -r below_pid; do
		printf '%s\n' "$below_pid"
		(below "$below_pid")
	done
}

mkfifo "$tmp/keys"
printf '%s\n' 'printf "%s\n" "$$" >"$0.pid"' "exec '$testbed' --interactive" >"$tmp/shell"
script -q -e -c "'$testbed' --interactive" /dev/null <"$tmp/keys" >"$tmp/terminal" 2>&1 &
terminal=$!
exec 9>"$tmp/keys"
ok "--interactive gives a prompt" wait_for '^/out # '
printf 'sleep 1000; echo "$(hostname) after $?"\r' >&9
ok "--interactive: the guest's time jumps while it idles" wait_for '^testbed after 0'
printf 'wakelat sweep --qos 10us -n 200 -o /tmp/sweep; echo "swept $?"\r' >&9
ok "--interactive: sweep finds its programs" wait_for '^10  *C1E '
ok "--interactive: sweep succeeds" wait_for '^swept 0'
printf 'exit\r' >&9
wait "$terminal"
is $? 0 "exit ends the interactive shell"
exec 9>&-

script -q -e -c "sh '$tmp/shell'" /dev/null <"$tmp/keys" >"$tmp/terminal" 2>&1 &
terminal=$!
exec 9>"$tmp/keys"
ok "a second interactive shell gives a prompt" wait_for '^/out # '
interactive=$(cat "$tmp/shell.pid")
ok "the second shell has a child process" pgrep -P "$interactive"
qemus=$(pgrep -f "console=ttyS0.*wakelat\.testbed" | grep -xF "$(below "$interactive")")
like "$qemus" '^[0-9]+$' "one of the shell's processes is QEMU"
kill -TERM "$interactive"
wait "$terminal"
is $? 143 "TERM ends the interactive shell"
for qemu in $qemus; do
	ok "TERM ends the QEMU of the interactive shell" gone "$qemu"
done
exec 9>&-
done_testing
