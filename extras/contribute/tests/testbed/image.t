#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make image: two builds are equal, and the image's kernel and initramfs measure what the emulated machines were set to. The boots
# from a stick, with Debian's QEMU, are in image-firmware.t.
#
# Each sample of the recordings that the image made is compared with its own line of the truth log,
# within its source's bound and its own uncertainty. The Xeon has an i210, which wakes it, too. The
# block's numbers are compared with the samples.
# needs: tools qemu kernel:image
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
image=$top/extras/contribute/image
declared kernel:image
"$top/scripts/dev/packages" image >"$tmp/packages" 2>&1 || skip_all "$(tail -n 1 "$tmp/packages")"
qemu=$("$top/testbed/build-qemu") || bail "no QEMU"

# model_boot NAME [KEY=VALUE]...: start the image's kernel on the model NAME in the background. At its
# end, the machine writes the recordings to a second serial port.
model_boot() {
	"$top/testbed/model-args" --truth "$tmp/$1.truth.tsv" --asl "$tmp/$1.asl" "$@" >"$tmp/$1.args" ||
		bail "model $1"
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
				srcutree.srcu_retry_check_delay=0 wakelat.testbed=test -- seconds=30 poweroff" \
			-chardev "file,id=console,path=$tmp/$boot.raw" -serial chardev:console -serial "file:$tmp/$boot.zst" -monitor none \
			>"$tmp/$boot.qemu" 2>&1 </dev/null
		echo $? >"$tmp/$boot.status"
	} &
}

# booted NAME PID PART...: wait for the machine, take the block from its console, and check the
# recordings of the parts
booted() {
	boot=$1
	wait "$2" 2>/dev/null
	is "$(cat "$tmp/$boot.status")" 0 "$boot: the machine powers off" || diag "$(tail -n 3 "$tmp/$boot.qemu")"
	tr -d '\r' <"$tmp/$boot.raw" | sed 's/\x1b\[[0-9;]*[A-Za-z]/\n/g' >"$tmp/$boot.console"
	sed -n '/^Doctor/,/^NOT saved/p' "$tmp/$boot.console" >"$tmp/$boot.block"
	note "$(cat "$tmp/$boot.block")"
	mkdir "$tmp/$boot"
	tar -I zstd -C "$tmp/$boot" -xf "$tmp/$boot.zst" >"$tmp/tar" 2>&1 || diag "$(cat "$tmp/tar")"
	shift 2
	is "$(names "$tmp/$boot")" "$*" "$boot: the recordings"
	for part; do
		ln "$tmp/$boot.truth.tsv" "$tmp/$boot/$part/truth.tsv"
		[ ! -e "$tmp/$boot.truth-i210.tsv" ] ||
			ln "$tmp/$boot.truth-i210.tsv" "$tmp/$boot/$part/truth-i210.tsv"
		run "$top/tools/bin/truth" "$tmp/$boot/$part"
		note "$out"
		is "$status" 0 "$boot, $part: each untainted sample is right, and has its period and state" ||
			diag "$err"
	done
}

# shown NAME NUMBER PART STATE: the recording of the part has enough samples of the state, and the
# block, of which the part's table is the NUMBER-th, has their median and maximum
shown() {
	awk -F '\t' -v name="$4" '
	NR == FNR { state[$1] = $2; next }
	FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	state[$at["state"]] == name && $at["taint"] == "-" { print $at["wake_latency"] }' - \
		"$tmp/$1/$3/samples.tsv" <<END | sort -n >"$tmp/latencies"
$(states_of "$1/$3")
END
	n=$(wc -l <"$tmp/latencies")
	ok "$1 $3 $4: at least 1,000 samples ($n)" test "$n" -ge 1000
	wanted=$(awk '{ sorted[NR] = $1 } END {
		printf "%.2f %.2f\n", (sorted[int((NR + 1) / 2)] + sorted[int(NR / 2) + 1]) / 2000, sorted[NR] / 1000
	}' "$tmp/latencies")
	is "$(latency "$1" "$2" "$4" 1) $(latency "$1" "$2" "$4" 0)" "$wanted" \
		"$1 $3 $4: the block has the median and the maximum of the samples"
}

# states_of RECORDING: print the number and the name of each idle state
states_of() {
	sed -n 's/^state\.\([0-9]*\)\.name	\(.*\)/\1	\2/p' "$tmp/$1/run.tsv"
}

# latency NAME NUMBER STATE COLUMN: print a number of the block's NUMBER-th table of latencies: 1 is
# the median, 0 the maximum
latency() {
	awk -v number="$2" -v state="$3" -v column="$4" '
	/^Latency/ { inside = ++tables == number }
	inside && $1 == state { print column ? $(column + 1) : $(NF - 1); exit }' "$tmp/$1.block"
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
# The guest would take longer to unpack it.
zstd -dq "$tmp/a/initrd.img" -o "$tmp/initrd" || bail "no space"
"$top/testbed/guest/pack" "$tmp/end" >>"$tmp/initrd" || bail "no initramfs"
# The Xeon's C6 varies as that of the demo. Its card sends the interrupt at once, because the image
# knows no other time.
model_boot skylake-sp-i210 nic.intr_offset_ns=0 C6.latency_ns=100000 C6.jitter_ns=20000 \
	C6.tail_ns=40000 C6.tail_ppm=2000
xeon=$!
[ "${MACHINES:-2}" != 1 ] || wait "$xeon"
model_boot epyc
epyc=$!
booted skylake-sp-i210 "$xeon" network-card-cpu0-record timer-cpu0-record
console=$(cat "$tmp/skylake-sp-i210.console")
like "$console" 'No disk of this machine is touched' "the screen says that no disk is touched"
like "$console" '^  measures +3 idle state\(s\) of CPU 0$' "the screen says what will be measured"
like "$console" '^  woken by +timer, network card$' "the screen says what will wake the CPU"
like "$console" '^Starts in 10 s' "the screen counts down"
like "$console" 'woken by timer; 0:[0-9]+ left in all' "the screen shows the remaining time"
like "$console" '^NOT saved: the stick is not there' "without a stick, the screen says so"
block=$(cat "$tmp/skylake-sp-i210.block")
like "$block" '^Not measured: real CPUs' "the block says that the machine is emulated"
like "$block" '^These latencies include the time from the card' \
	"the block says what latencies by the network card include"
for state in C1E C6; do
	shown skylake-sp-i210 1 timer-cpu0-record "$state"
	shown skylake-sp-i210 2 network-card-cpu0-record "$state"
done
booted epyc "$epyc" timer-cpu0-record
shown epyc 1 timer-cpu0-record C2
done_testing
