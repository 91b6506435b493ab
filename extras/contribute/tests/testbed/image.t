#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make image: two builds are equal, and the image's kernel and initramfs measure what the emulated machines were set to. The boots
# from a stick, with Debian's QEMU, are in image-usb.t.
#
# The models have fixed exit latencies. The block has two digits after the point, and the error of the
# source is 16 ns at most (accuracy.t).
# needs: tools qemu kernel:image
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
image=$top/extras/contribute/image
declared kernel:image
"$top/scripts/dev/packages" image >"$tmp/packages" 2>&1 || skip_all "$(tail -n 1 "$tmp/packages")"
qemu=$("$top/testbed/build-qemu") || bail "no QEMU"

# model_boot NAME MODEL: start the image's kernel on the model in the background, with 1 minute of measuring
model_boot() {
	"$top/testbed/model-args" --truth "$tmp/$1.truth" --asl "$tmp/$1.asl" "$2" >"$tmp/$1.args" || bail "model $2"
	[ ! -e "$tmp/$1.asl" ] || iasl -p "$tmp/$1.asl.aml" "$tmp/$1.asl" >"$tmp/iasl" 2>&1 || bail "iasl: $(tail -n 3 "$tmp/iasl")"
	set -- "$1"
	while IFS= read -r argument; do
		set -- "$@" "$argument"
	done <"$tmp/$1.args"
	boot=$1
	shift
	setpriv --pdeathsig KILL timeout 900 "$qemu" -L /usr/share/seabios -L /usr/share/qemu -no-user-config -nodefaults -display none -no-reboot \
		-machine q35 -m 512 -smp 1 "$@" -icount shift=0,sleep=off -seed 1 -rtc base=2026-01-01T00:00:00,clock=vm \
		-kernel "$tmp/a/vmlinuz" -initrd "$tmp/a/initrd.img" -append "console=ttyS0 quiet no_timer_check \
			srcutree.srcu_retry_check_delay=0 wakelat.testbed=test -- minutes=1 frobnicate minutes=0 poweroff" \
		-chardev "file,id=console,path=$tmp/$boot.raw" -serial chardev:console -monitor none >"$tmp/$boot.qemu" 2>&1 </dev/null &
}

# booted NAME PID: wait for the machine, and take the block from its console
booted() {
	boot=$1
	wait "$2"
	is "$?" 0 "$boot: the machine powers off" || diag "$(tail -n 3 "$tmp/$boot.qemu")"
	tr -d '\r' <"$tmp/$boot.raw" | sed 's/\x1b\[[0-9;]*[A-Za-z]/\n/g' >"$tmp/$boot.console"
	sed -n '/^Doctor/,/^NOT saved/p' "$tmp/$boot.console" >"$tmp/$boot.block"
	note "$(cat "$tmp/$boot.block")"
}

# latency BLOCK STATE COLUMN: print a number of the block's table of latencies: 1 is the median, 0 the maximum
latency() {
	awk -v state="$2" -v column="$3" '/^Latency/ { inside = 1 } inside && $1 == state { print column ? $(column + 1) : $(NF - 1); exit }' "$1"
}

# exact NAME STATE NS STEP: the median and the maximum are the exit latency that the model sets, at most 20 ns more. The
# launch time is known to a step of the timer's clock, STEP ns, so that they may also be a step less or more
exact() {
	for column in 1 0; do
		is "$(latency "$tmp/$1.block" "$2" "$column" | awk -v set="$3" -v step="$4" '
			{ n++; d = $1 * 1000 - set; if (d < -step || d > 20 + step) print $1 " us" } END { if (!n) print "no row" }')" "" \
			"$1 $2: the $([ "$column" = 1 ] && echo median || echo maximum) is the latency that was set, $3 ns"
	done
}

"$image/build" --output "$tmp/b" >"$tmp/b.said" 2>&1 &
run "$image/build" --output "$tmp/a"
is "$status" 0 "the image is built" || bail "$err"
wait "$!"
is "$?" 0 "the image is built again" || bail "$(tail -n 3 "$tmp/b.said")"
name=wakelat-$(cat "$top/VERSION").img
for file in "$name" vmlinuz initrd.img; do
	same "$tmp/a/$file" "$tmp/b/$file" "two builds: the same $file"
done
ok "the image has at most 40 MB" test "$(wc -c <"$tmp/a/$name")" -le 40000000
refused 'unknown option' "an unknown option is refused" "$image/build" --frobnicate
refused 'cannot make|not a directory|directory' "a directory that cannot be made is refused" "$image/build" --output "$tmp/a/$name/below"

model_boot xeon skylake-sp
xeon=$!
model_boot epyc epyc
epyc=$!
booted xeon "$xeon"
like "$(cat "$tmp/xeon.console")" 'Ignored, not known: frobnicate ' "an unknown word is named"
like "$(cat "$tmp/xeon.console")" 'Ignored, not known: minutes=0 ' "a number of minutes out of range is named"
like "$(cat "$tmp/xeon.console")" 'No disk of this machine is touched' "the screen says that no disk is touched"
like "$(cat "$tmp/xeon.console")" '^Starts in 10 s' "the screen counts down"
like "$(cat "$tmp/xeon.console")" 'woken by timer; 0:[0-9]+ left in all' "the screen shows the remaining time"
like "$(cat "$tmp/xeon.console")" '^NOT saved: booted without a stick|^NOT saved: the stick is not there' "without a stick, the screen says so"
like "$(cat "$tmp/xeon.block")" '^Not measured: real CPUs' "the block says that the machine is emulated"
exact xeon C1E 10000 0
exact xeon C6 133000 0
booted epyc "$epyc"
# The clock of this model's timer has 100 MHz, which Linux divides by 16: a step is 160 ns.
exact epyc C2 18000 160
done_testing
