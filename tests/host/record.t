#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat, record and restore: the parts that run on any machine. testbed/record-*.t has the rest.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"

wakelat=$top/scripts/wakelat
cd "$tmp" || exit 1

# --- the program wakelat
run "$wakelat" help
is "$status" 0 "help succeeds"
like "$out" '^  record +record samples' "help lists the commands"
unlike "$out" '^  record-' "help lists commands only"
run "$wakelat" --version
like "$out" '^wakelat [^ ]+$' "--version prints name and version"
run "$wakelat"
is "$status$out" 2 "without a command: status 2"
is "$(printf '%s\n' "$err" | sed -n 's/^  \([a-z]*\) .*/\1/p' | paste -sd ' ' -)" "probe doctor record verdict report restore" \
	"without a command: the message names the commands to begin with"
like "$err" '^All commands: wakelat help$' "without a command: the message says how to list all"
refused "no command 'nope'" "an unknown command is refused" "$wakelat" nope
is "$status" 2 "an unknown command: status 2"
refused "no command '../commands/record'" "a path in place of a command is refused" "$wakelat" ../commands/record
refused "unknown option '-x'" "an unknown option is refused" "$wakelat" -x
refused "no command 'nope'" "help for an unknown command is refused" "$wakelat" help nope
ln -s "$wakelat" link
ln -s link link2
run ./link2 help
is "$status" 0 "wakelat can be called through symbolic links"
for command in record restore; do
	run "$wakelat" help $command
	is "$status" 0 "help $command succeeds"
done

# Options of record are checked before anything else.
# wrong ERE OPTION...: check that record refuses the options with status 2.
wrong() {
	wrong_ere=$1
	shift
	refused "^wakelat record: $wrong_ere" "record refuses $*" "$wakelat" record "$@"
	is "$status" 2 "record $*: status"
}

wrong "unknown option '--nope'" --nope
wrong "unknown option '-z'" -z
wrong "unexpected argument 'dir'" dir
wrong '-o needs a value' -o
wrong '--ldist needs a value' --ldist=
wrong "--ldist: '50us' is not MIN:MAX" --ldist 50us
wrong "--ldist: '1us:2us:3us' is not MIN:MAX" --ldist 1us:2us:3us
wrong "--ldist: ':2us' is not MIN:MAX" --ldist :2us
wrong "--ldist: '50' is not a time" --ldist 50:8ms
wrong "--ldist: '1.5ns' is not a time" --ldist 1.5ns:8ms
wrong "--ldist: '1e3us' is not a time" --ldist 1e3us:8ms
wrong "--ldist: '-1us' is not a time" --ldist -1us:8ms
wrong '--ldist: 0ns is not in 1ns..10s' --ldist 0ns:8ms
wrong '--ldist: 10.000000001s is not in 1ns..10s' --ldist 1us:10.000000001s
wrong '--ldist: 8ms is more than 7.999999ms' --ldist 8ms:7.999999ms
wrong "--ldist-steps: '1ms:2ms' is not FIRST:LAST:FACTOR" --ldist-steps 1ms:2ms
wrong "--ldist-steps: factor '1' is not in" --ldist-steps 1ms:2ms:1
wrong "--ldist-steps: factor '1.0001' is not in" --ldist-steps 1ms:2ms:1.0001
wrong "--ldist-steps: factor '10.001' is not in" --ldist-steps 1ms:2ms:10.001
wrong '--ldist-steps: 2ms is more than 1ms' --ldist-steps 2ms:1ms:1.1
wrong '--ldist and --ldist-steps exclude' --ldist 1ms:2ms --ldist-steps 1ms:2ms:1.1
wrong '--per-step needs --ldist-steps' --per-step 10
wrong '--per-step: 0 is not in' --ldist-steps 1ms:2ms:1.1 --per-step 0
wrong "-n: '1k' is not a number" -n 1k
wrong '-n: 4294967296 is not in' -n 4294967296
wrong "-n: '99999999999999999999' is not a number" -n 99999999999999999999
wrong '--samples 0 needs a --duration' -n 0
wrong "--seed: '-1' is not a number" --seed -1
wrong "-T: '90' is not" -T 90
wrong "-T: '1.5h' is not" -T 1.5h
wrong '-T: 0 is not in' -T 0s
wrong "--buffer: '16' is not" --buffer 16
wrong "--prepare: there is no 'lunch': choose from others siblings .* all" --prepare irqs,lunch
wrong "--steady: 'x' is not a number" --steady x
wrong '--steady: 0 is not in' --steady 0
wrong '--steady and --ldist-steps exclude' --steady 5 --ldist-steps 1ms:2ms:1.1
wrong "--warmup: '-1' is not a number" --warmup -1
wrong "--listen: 'host' is not HOST:PORT" --listen host
wrong "--listen: 'host:port' is not HOST:PORT" --listen host:port
wrong "--listen: ':5' is not HOST:PORT" --listen :5
wrong '--resume takes its options from the interrupted recording: leave out -n' --resume d -n 5
wrong '--resume takes its options from the interrupted recording: leave out --each-cpu' --each-cpu --resume d
wrong "--setting: 'x' is not KEY=VALUE" --source hrtimer --setting x
wrong "--setting: '=x' is not KEY=VALUE" --source hrtimer --setting =x
wrong "--setting: 'x=' is not KEY=VALUE" --source hrtimer --setting x=
wrong "--setting: 'X y' is not a key" --source hrtimer --setting 'X y=1'
wrong "--setting: 'a b' is not a value" --source hrtimer --setting 'x=a b'
wrong "--setting: 'a,b=c' is not a value" --source hrtimer --setting 'x=a,b=c'
wrong '--setting needs --source' --setting x=1
wrong "--setting: method 'fast' is neither target nor launch" --source i210 --setting method=fast
wrong '--intr-offset applies to a network card only' --source hrtimer --intr-offset 1us
wrong '--buffer: 1 is not in' --buffer 1k
wrong '--sweep is now --ldist-steps FIRST:LAST:FACTOR' --sweep 1ms:2ms:1.1
wrong '--nic-method is now --setting method=NAME' --nic-method=launch
wrong '--until is now -n N, -T TIME or --steady N' --until 5

refused "^wakelat restore: unknown option" "restore refuses -x" "$wakelat" restore -x
refused "^wakelat restore: unexpected argument" "restore refuses an argument" "$wakelat" restore x

# --- what this machine lacks
if [ "$(id -u)" -ne 0 ]; then
	refused 'must be root' "record refuses to run without root" "$wakelat" record
	refused 'must be root' "restore refuses to run without root" "$wakelat" restore
	skip 1 "not root"
else
	chmod 755 "$tmp"
	as_nobody() {
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	}
	if as_nobody test -x "$wakelat" 2>/dev/null; then
		refused 'must be root' "record refuses to run without root" as_nobody "$wakelat" record
		refused 'must be root' "restore refuses to run without root" as_nobody "$wakelat" restore
	else
		skip 2 "nobody cannot read $top"
	fi
	if [ -d /sys/kernel/tracing/wakelat ]; then
		skip 1 "this kernel has wakelat"
	else
		refused 'has no wakelat|tracefs is not mounted' "record refuses a kernel without wakelat" "$wakelat" record -o new
	fi
fi
ok "a refused record leaves no directory" test ! -e new

# --- the libraries, in each shell
# in_shell EXPECTED LIBRARIES COMMANDS: check what COMMANDS print with these LIBRARIES.
in_shell() {
	for lib in $2; do
		printf '. "%s/scripts/lib/%s.sh"\n' "$top" "$lib"
	done >lib.sh
	printf '%s\n' "$3" >>lib.sh
	is "$(words "$shell lib.sh" env me=test 2>&1 | paste -sd ' ' -)" "$1" "$shell: $3"
}

for shell in dash "busybox sh"; do
	if ! $shell -c : 2>/dev/null; then
		skip 13 "no $shell"
		continue
	fi
	in_shell '50000 8000000 1500 1 10000000000 300' common/units \
		'for t in 50us 8ms 1.5us 1ns 10s 0.000000300s; do time_ns $t; done'
	in_shell '' common/units 'for t in us .5us 5.us 1.2.3us 5 5m 1.0000001ms "1 us" 99999999999s; do time_ns "$t"; done'
	in_shell '1100 1001 10000 1500' common/units 'for f in 1.1 1.001 10 1.500; do scaled $f 3; done'
	in_shell '90 600 28800 86400' common/units 'for t in 90s 10m 8h 1d; do duration_s $t; done'
	in_shell '4 16384 1048576' common/units 'for s in 4k 16M 1G; do size_kb $s; done'
	in_shell '0 1 2 3 7 ' common/cpulist 'cpulist_sorted 7,2-3,0-2'
	in_shell '' common/cpulist 'for l in "" , 1, ,1 1,,2 a 1- -1 3-2 1-2-3 100000; do cpulist_expand "$l"; done'
	in_shell '0 3 ' common/cpulist 'cpulist_without 0-3 1,2'
	in_shell '35' record/buffer 'ldist_steps 300000 8000000 1100'
	in_shell '751' record/buffer 'ldist_steps 1000 2000 1001'
	in_shell '5' record/buffer 'least_limit 0 7 5 0'
	in_shell '0' record/buffer 'least_limit 0 0'
	in_shell 'yes yes' record/buffer \
		'for n in 1 1000000; do [ "$(buffer_events "$(buffer_kb $n 140)" 140)" -ge $n ] && echo yes; done'
done
done_testing
