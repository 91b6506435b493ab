#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# testbed/run: results come back, and every way a run can break ends it with one story.
. "$(dirname "$0")/lib/tap.sh"

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

# start DIR JOB: in the background, until the job says that it runs. Not even SIGINT is ignored.
start() {
	# shellcheck disable=SC2016
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$testbed" --out "$1" "$2" >"$tmp/start.out" 2>"$tmp/start.err" &
	started=$!
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

# wait_for ERE: in what the terminal shows
wait_for() {
	for _ in $(seq 600); do
		! grep -qE "$1" "$tmp/terminal" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

mkfifo "$tmp/keys"
script -q -e -c "'$testbed' --interactive" /dev/null <"$tmp/keys" >"$tmp/terminal" 2>&1 &
terminal=$!
exec 9>"$tmp/keys"
ok "--interactive gives a prompt" wait_for '^/out # '
# shellcheck disable=SC2016  # for the guest's shell
printf 'sleep 1000; echo "$(hostname) after $?"\r' >&9
ok "it is a shell in the guest, whose time flies when it idles" wait_for '^testbed after 0'
printf 'exit\r' >&9
wait "$terminal"
is $? 0 "exit ends it"
exec 9>&-
done_testing
