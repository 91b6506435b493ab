#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make image: two builds are equal, and the image's kernel and initramfs measure what the emulated machines were set to. The boots
# from a stick, with Debian's QEMU, are in image-usb.t.
#
# The models have fixed exit latencies. Each sample of the recording that the image made is compared with its own line of the
# truth log, within its source's bound and its own uncertainty. The block's numbers are compared with the samples.
# needs: tools qemu kernel:image
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
image=$top/extras/contribute/image
declared kernel:image
"$top/scripts/dev/packages" image >"$tmp/packages" 2>&1 || skip_all "$(tail -n 1 "$tmp/packages")"
qemu=$("$top/testbed/build-qemu") || bail "no QEMU"

# model_boot NAME: start the image's kernel on the model NAME in the background, with 1 minute of measuring. At its end the machine
# writes the recording to a second serial port.
model_boot() {
	"$top/testbed/model-args" --truth "$tmp/$1.truth" --asl "$tmp/$1.asl" "$1" >"$tmp/$1.args" || bail "model $1"
	[ ! -e "$tmp/$1.asl" ] || iasl -p "$tmp/$1.asl.aml" "$tmp/$1.asl" >"$tmp/iasl" 2>&1 || bail "iasl: $(tail -n 3 "$tmp/iasl")"
	set -- "$1"
	while IFS= read -r argument; do
		set -- "$@" "$argument"
	done <"$tmp/$1.args"
	boot=$1
	shift
	{
		setpriv --pdeathsig KILL timeout 900 "$qemu" -L /usr/share/seabios -L /usr/share/qemu -no-user-config -nodefaults -display none -no-reboot \
			-machine q35 -m 512 -smp 1 "$@" -icount shift=0,sleep=off -seed 1 -rtc base=2026-01-01T00:00:00,clock=vm \
			-kernel "$tmp/a/vmlinuz" -initrd "$tmp/initrd" -append "console=ttyS0 quiet no_timer_check \
				srcutree.srcu_retry_check_delay=0 wakelat.testbed=test -- minutes=1 poweroff" \
			-chardev "file,id=console,path=$tmp/$boot.raw" -serial chardev:console -serial "file:$tmp/$boot.zst" -monitor none \
			>"$tmp/$boot.qemu" 2>&1 </dev/null
		echo $? >"$tmp/$boot.status"
	} &
}

# booted NAME PID: wait for the machine, and take the block from its console
booted() {
	boot=$1
	wait "$2" 2>/dev/null
	is "$(cat "$tmp/$boot.status")" 0 "$boot: the machine powers off" || diag "$(tail -n 3 "$tmp/$boot.qemu")"
	tr -d '\r' <"$tmp/$boot.raw" | sed 's/\x1b\[[0-9;]*[A-Za-z]/\n/g' >"$tmp/$boot.console"
	sed -n '/^Doctor/,/^NOT saved/p' "$tmp/$boot.console" >"$tmp/$boot.block"
	note "$(cat "$tmp/$boot.block")"
	mkdir "$tmp/$boot"
	tar -I zstd -C "$tmp/$boot" --strip-components 2 -xf "$tmp/$boot.zst" >"$tmp/tar" 2>&1 || diag "$(cat "$tmp/tar")"
	ln "$tmp/$boot.truth" "$tmp/$boot/truth.tsv"
	run "$top/tools/bin/truth" "$tmp/$boot"
	note "$out"
	is "$status" 0 "$boot: each untainted sample is right, and has its idle period and state" || diag "$err"
}

# shown NAME STATE: the recording has enough samples of the state, and the block has their median and maximum
shown() {
	awk -F '\t' -v name="$2" '
	NR == FNR { state[$1] = $2; next }
	FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	state[$at["state"]] == name && $at["taint"] == "-" { print $at["wake_latency"] }' - "$tmp/$1/samples.tsv" <<END | sort -n >"$tmp/latencies"
$(states_of "$1")
END
	n=$(wc -l <"$tmp/latencies")
	ok "$1 $2: at least 1,000 samples ($n)" test "$n" -ge 1000
	is "$(latency "$1" "$2" 1) $(latency "$1" "$2" 0)" "$(sed -n "$(((n + 1) / 2))p;\$p" "$tmp/latencies" | awk '{ printf "%s%.2f", sep, $1 / 1000; sep = " " }')" \
		"$1 $2: the block has the median and the maximum of the samples"
}

# states_of NAME: print the number and the name of each idle state
states_of() {
	sed -n 's/^state\.\([0-9]*\)\.name	\(.*\)/\1	\2/p' "$tmp/$1/run.tsv"
}

# latency NAME STATE COLUMN: print a number of the block's table of latencies: 1 is the median, 0 the maximum
latency() {
	awk -v state="$2" -v column="$3" '/^Latency/ { inside = 1 } inside && $1 == state { print column ? $(column + 1) : $(NF - 1); exit }' "$tmp/$1.block"
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

mkdir -p "$tmp/end/usr/sbin"
cat >"$tmp/end/usr/sbin/poweroff" <<'END'
#!/bin/sh
stty -F /dev/ttyS1 raw
cat /tmp/results/recording.tar.zst >/dev/ttyS1
sleep 1
exec /bin/busybox poweroff "$@"
END
chmod +x "$tmp/end/usr/sbin/poweroff"
cp "$tmp/a/initrd.img" "$tmp/initrd"
truncate -s %4 "$tmp/initrd"
"$top/testbed/guest/pack" "$tmp/end" >>"$tmp/initrd" || bail "no initramfs"
model_boot skylake-sp
xeon=$!
[ "${MACHINES:-2}" != 1 ] || wait "$xeon"
model_boot epyc
epyc=$!
booted skylake-sp "$xeon"
like "$(cat "$tmp/skylake-sp.console")" 'No disk of this machine is touched' "the screen says that no disk is touched"
like "$(cat "$tmp/skylake-sp.console")" '^Starts in 10 s' "the screen counts down"
like "$(cat "$tmp/skylake-sp.console")" 'woken by timer; 0:[0-9]+ left in all' "the screen shows the remaining time"
like "$(cat "$tmp/skylake-sp.console")" '^NOT saved: booted without a stick|^NOT saved: the stick is not there' "without a stick, the screen says so"
like "$(cat "$tmp/skylake-sp.block")" '^Not measured: real CPUs' "the block says that the machine is emulated"
shown skylake-sp C1E
shown skylake-sp C6
booted epyc "$epyc"
shown epyc C2
done_testing
