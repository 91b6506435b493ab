#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# testbed/run: results come back, and every way a run can break ends it with one story.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"

testbed=$top/testbed/run

# job NAME: a job file from stdin
job() {
	{
		printf '#!/bin/sh\n'
		cat
	} >"$tmp/$1.job"
}

# The processes that write into DIR, QEMU and its keeper.
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

# signalled COMMAND...: in the background, with no signal ignored: a shell could not trap it. SIGINT is in the background,
# any other if whoever started this test ignores it.
signalled() {
	rm -f "$tmp/start.out" "$tmp/start.err"
	perl -e '$SIG{$_} = "DEFAULT" for qw(INT TERM HUP); exec @ARGV' "$@" >"$tmp/start.out" 2>"$tmp/start.err" &
	started=$!
}

# start DIR JOB: in the background, until the job says that it runs
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
is "$status" 7 "the job's status is the command's"
is "$err" "" "nothing on stderr"
like "$out" '^to stdout$' "the job's stdout arrives"
like "$out" '^to stderr$' "and its stderr"
like "$out" 'wakelat.testbed=skylake-sp .*wakelat_test=1' "the kernel's command line names the model, and what was appended"
unlike "$out" 'wakelat-testbed:' "the guest's own messages are left out"
is "$(cat "$tmp/one/sub/file")" given "an added file went in, and came back"
is "$(cat "$tmp/one/name")" testbed "the guest does not know the host's name"
like "$(cat "$tmp/one/date")" 'Jan +1 .* 2026' "nor its date"
like "$(cat "$tmp/one/dmesg.log")" 'Linux version' "the kernel's messages come along"
like "$(head -n 1 "$tmp/one/truth.tsv")" '^cpu	hint	' "so does the truth"
is "$(find "$tmp" -name 'one*' -prune | wc -l)" 1 "and nothing else is left"

run "$testbed" --out "$tmp/two" --add "$tmp/given" --append 'quiet wakelat_test=1' "$tmp/good.job"
ok "a second run is the same to the last byte, random numbers too" diff -r "$tmp/one" "$tmp/two"
run "$testbed" --out "$tmp/three" --seed 2 --add "$tmp/given" "$tmp/good.job"
not_ok "another seed, other random numbers" cmp "$tmp/one/random" "$tmp/three/random"
refused "out .*one exists" "a result is not overwritten" "$testbed" --out "$tmp/one" "$tmp/good.job"

# --- what can break

job panic <<"E"
echo c >/proc/sysrq-trigger
E
run "$testbed" --out "$tmp/panic" "$tmp/panic.job"
is "$status" 123 "a panic has its own status"
like "$err" '^testbed/run: the guest.s kernel panicked$' "it is called a panic"
like "$err" 'Kernel panic - not syncing' "and shows the console's last lines"
ok "the console is kept" grep -q 'Kernel panic' "$tmp/panic.partial/console.log"
not_ok "there is no result" test -e "$tmp/panic"

job hang <<"E"
printf 'job runs\n'
while :; do sleep 1000; done
E
run "$testbed" --timeout 10 --out "$tmp/hang" "$tmp/hang.job"
is "$status" 124 "a hanging guest is ended"
like "$err" 'did not finish within 10 s' "it says why"
ok "its QEMU is gone" qemu_gone "$tmp/hang"

job off <<"E"
poweroff -f
E
run "$testbed" --out "$tmp/off" "$tmp/off.job"
is "$status" 125 "a guest that leaves without a result"
like "$err" 'without a result' "is told from one with a result"

start "$tmp/killed" "$tmp/hang.job"
kill -KILL "$(pgrep -n -f "path=$tmp/killed\.partial/")"
wait "$started"
is $? 125 "QEMU killed"
like "$(cat "$tmp/start.err")" 'QEMU ended with status 137' "says so"

for signal in INT TERM; do
	start "$tmp/$signal" "$tmp/hang.job"
	kill -"$signal" "$started"
	wait "$started"
	case $? in
	130 | 143) ok "$signal ends the run" true ;;
	*) ok "$signal ends the run" false ;;
	esac
	ok "$signal: its QEMU is gone" qemu_gone "$tmp/$signal"
	not_ok "$signal: no result" test -e "$tmp/$signal"
done
run "$testbed" --out "$tmp/INT" "$tmp/good.job"
is "$(cat "$tmp/INT/name")" testbed "what was left of it is no obstacle to the next run"

start "$tmp/nine" "$tmp/hang.job"
refused 'another run is writing' "two runs do not write into one directory" "$testbed" --out "$tmp/nine" "$tmp/good.job"
kill -KILL "$started"
wait "$started" 2>/dev/null
ok "QEMU does not outlive a killed run" qemu_gone "$tmp/nine"

# Where nothing is to be had of QEMU: what it is given, and how it is ended.
# fake NAME: a QEMU from stdin
fake() {
	{
		printf '#!/bin/sh\n'
		cat
	} >"$tmp/$1"
	chmod +x "$tmp/$1"
}

# ended_by SIGNAL PID SECONDS: it ends, by the signal, within this time
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

# gone PID: or nobody has taken note of its end yet
gone() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		case $(ps -o stat= -p "$1") in
		'' | Z*) return 0 ;;
		esac
		sleep 0.5
	done
	return 1
}

# until_there FILE: something is in it
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
# seeds WANTED NAME OPTION...: of the model, and of QEMU itself
seeds() {
	seeds_wanted=$1
	seeds_name=$2
	shift 2
	run "$testbed" --qemu "$tmp/seeds.qemu" --kernel "$tmp/good.job" --out "$tmp/seeds" "$@" "$tmp/good.job"
	is "$(paste -sd ' ' "$tmp/seeds.qemu.is")" "$seeds_wanted" "$seeds_name"
}
seeds '1 1' "seeds: 1 by default"
seeds '7 1' "the seed of a model's file is taken" --model "$tmp/seven.model"
seeds '3 3' "--seed stands above it" --model "$tmp/seven.model" --seed 3
seeds '9 3' "and --set above that" --model "$tmp/seven.model" --seed 3 --set seed=9

fake deaf.qemu <<"E"
trap '' TERM INT HUP
printf '%s\n' "$$" >"$0.pid"
while :; do sleep 1; done
E
for signal in INT TERM HUP; do
	rm -f "$tmp/deaf.qemu.pid"
	signalled "$testbed" --qemu "$tmp/deaf.qemu" --kernel "$tmp/good.job" --out "$tmp/deaf" "$tmp/good.job"
	ok "$signal: a QEMU that does not obey" until_there "$tmp/deaf.qemu.pid"
	ok "is killed, and the run ends" ended_by "$signal" "$started" 20
	ok "it is gone" gone "$(cat "$tmp/deaf.qemu.pid")"
done

# Another process makes QEMU, or a kernel, which can take long.
mkdir -p "$tmp/cache/wakelat"
flock "$tmp/cache/wakelat/qemu-source.lock" sh -c 'echo locked; exec sleep 600' >"$tmp/locked" &
locker=$!
until_there "$tmp/locked"
for signal in INT TERM; do
	signalled env XDG_CACHE_HOME="$tmp/cache" WAKELAT_PROGRESS=1 "$testbed" --out "$tmp/waits" "$tmp/good.job"
	until_there "$tmp/start.err"
	like "$(cat "$tmp/start.err")" 'waiting for another process' "a run that waits for a build"
	ok "obeys $signal" ended_by "$signal" "$started" 10
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
bad 'no such file' "a job that is not there" --out "$tmp/x" "$tmp/nothing.job"
bad 'unknown option' "an unknown option" --frobnicate
bad 'needs a value' "an option without its value" --out
bad 'cpus 0' "no CPU" --cpus 0 --out "$tmp/x" "$tmp/good.job"
bad 'memory lots' "memory that is no number" --memory lots --out "$tmp/x" "$tmp/good.job"
bad 'nothing does not exist' "--add of what is not there" --add "$tmp/nothing" --out "$tmp/x" "$tmp/good.job"
bad 'no-such-model' "an unknown model" --model no-such-model --out "$tmp/x" "$tmp/good.job"
bad 'not KEY=VALUE' "a setting without a value" --set prewake --out "$tmp/x" "$tmp/good.job"
bad 'no_such_key' "an unknown setting" --set no_such_key=1 --out "$tmp/x" "$tmp/good.job"
bad 'needs a terminal' "--interactive without a terminal" --interactive
not_ok "none of them left a result" test -e "$tmp/x"

# --- a shell by hand

# wait_for ERE: in what the terminal shows. What is asked for takes a minute where others load the machine.
wait_for() {
	for _ in $(seq 6000); do
		! grep -qE "$1" "$tmp/terminal" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

# below PID: the processes that it has started, and those that these have, one a line
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
ok "it is a shell in the guest, whose time flies when it idles" wait_for '^testbed after 0'
printf 'wakelat tune -q --budget 50us -p 90 -n 200 --no-poll --no-intervals --no-cyclictest -o /tmp/tune; echo "tuned $?"\r' >&9
ok "where tune finds its programs" wait_for '^The largest limit that keeps the budget: 10 us'
ok "and succeeds" wait_for '^tuned 0'
printf 'exit\r' >&9
wait "$terminal"
is $? 0 "exit ends it"
exec 9>&-

script -q -e -c "sh '$tmp/shell'" /dev/null <"$tmp/keys" >"$tmp/terminal" 2>&1 &
terminal=$!
exec 9>"$tmp/keys"
ok "another shell" wait_for '^/out # '
interactive=$(cat "$tmp/shell.pid")
ok "has its QEMU" pgrep -P "$interactive"
qemus=$(pgrep -f "console=ttyS0.*wakelat\.testbed" | grep -xF "$(below "$interactive")")
like "$qemus" '^[0-9]+$' "which is one of its processes"
kill -TERM "$interactive"
wait "$terminal"
is $? 143 "TERM ends it"
for qemu in $qemus; do
	ok "and its QEMU" gone "$qemu"
done
exec 9>&-
done_testing
