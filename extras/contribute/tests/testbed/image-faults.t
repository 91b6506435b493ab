#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the image shows, and what it does when something goes wrong: a power cut, a stick that is full, write-protected or pulled out, a part that
# hangs, a machine without idle states whose ACPI tables are broken. zbarimg reads the codes on the screen. Writes pictures of the
# screen to out/check/image.
# needs: tools kernel:image
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/extras/contribute/tests/lib/stick.sh"
wakelat=$top/scripts/wakelat
cuts=$top/extras/contribute/tests/lib/cut.pl
make_stick
make_table 2

# block NAME: print the last block on the machine's serial port
block() {
	console "$1" | awk '/^Doctor \(/ { text = ""; inside = 1 } /^(NOT saved|Saved)/ { inside = 0 } inside { text = text $0 "\n" } END { printf "%s", text }'
}

# said NAME ERE TEST: some line of the serial port matches
said() {
	like "$(console "$1")" "$2" "$1: $3" || diag "$(console "$1" | grep . | tail -n 5)$(tail -n 3 "$tmp/$1/qemu")"
}

# codes_are_block NAME PARTS TEST: the codes on the screen, at most PARTS, hold the block
codes_are_block() {
	read_codes "$1"
	run "$wakelat" contribute --from "$tmp/$1/codes"
	block "$1" | grep . >"$tmp/$1/block"
	is "$(printf '%s\n' "$out" | grep .)" "$(cat "$tmp/$1/block")" "$1: $3" || diag "$err"
	ok "$1: the block is not empty" grep -q '^Verdict' "$tmp/$1/block"
	ok "$1: at most $2 codes" test "$(wc -l <"$tmp/$1/codes")" -le "$2"
}

# A key ends a machine.
powers_off() {
	ended "$1"
	is "$?" 0 "$1: $2"
}

# --- a full stick, on a text screen of 80 x 25

mkdir "$tmp/full"
cp "$stick" "$tmp/full/stick"
truncate -s "$(mdir -i "$stick@@$fat" :: | sed -n 's/ bytes free.*//p' | tr -d ' ')" "$tmp/fill"
mcopy -i "$tmp/full/stick@@$fat" "$tmp/fill" ::/fill || bail "mcopy failed"
direct full "-- $measure" -vga std -device usb-kbd,bus=usb.0
until_shown full 'NOT saved'
codes_are_block full 20 "the codes on a text screen hold the block"
picture full code
order full "sendkey a"
powers_off full "a key of the keyboard powers off"
said full '^NOT saved: the stick cannot be written: .*No space left' "the screen says that the stick is full"

# --- a stick that is write-protected, on a screen of 1024 x 768

drive=driver=raw,read-only=on direct protected "vga=791 -- $measure" -vga std \
	-device usb-kbd,bus=usb.0
until_shown protected 'NOT saved'
codes_are_block protected 4 "the codes on a screen of 1024 x 768 hold the block"
press protected
powers_off protected "a key at the serial port powers off"
said protected '^NOT saved: the stick is write-protected' "the screen says so"
ok "protected: the stick has not changed" cmp "$stick" "$tmp/protected/stick"

# --- a stick that is pulled out while the machine measures, on a screen of 800 x 600, and is put in again

direct pulled "vga=788 -- $measure" -vga std -smp 2 -device usb-kbd,bus=usb.0
until_shown pulled '^part 1 .* left in all'
order pulled "device_del plugged"
until_shown pulled 'NOT saved'
codes_are_block pulled 8 "the codes on a screen of 800 x 600 hold the block"
order pulled "device_add usb-storage,drive=stick,bus=usb.0"
until_shown pulled '^Saved'
picture pulled block
order pulled "sendkey a"
powers_off pulled "a key powers off"
said pulled '^not saved: the stick is not there \(pulled out' "the screen says so at once"
said pulled '^NOT saved: the stick is not there \(pulled out' "the screen says so at the end"
results_of pulled
ok "pulled: the stick that is put in again gets the block" test -s "$results/block.txt"

# --- a part that hangs and does not end when told to, and power cuts

stub=$tmp/stub/wakelat/scripts/commands
mkdir -p "$stub"
cp "$top/scripts/commands/record" "$stub/record.real"
cat >"$stub/record" <<'END'
#!/bin/sh
case " $* " in
*" ipi "*)
	trap '' TERM
	while :; do sleep 1000; done ;;
esac
exec "$0.real" "$@"
END
chmod +x "$stub/record"
{ cat "$initrd" && "$top/testbed/guest/pack" "$tmp/stub"; } >"$tmp/initrd.hang" ||
	bail "no initramfs"
mkdir "$tmp/hang"
: >"$tmp/hang/writes"
# Where the machine writes, and in which order, is in the log.
drive="driver=blklogwrites,log.driver=file,log.filename=$tmp/hang/writes"
initrd=$tmp/initrd.hang direct hang "-- $measure" -vga std -smp 2
until_shown hang '^part 2 .* left in all'
order hang stop
first=$(perl "$cuts" "$tmp/hang/writes")
order hang cont
until_shown hang '^(Saved|NOT saved)'
press hang
powers_off hang "the machine goes on"
said hang '^part 1 .*: done' "the part before is measured"
said hang '^part 2 .*: not done: ended by the watchdog after ' "the screen says that the watchdog ended the part"
said hang '^Saved on the stick' "the results are saved"
results_of hang
like "$(cat "$results/block.txt")" '^Not done: part 2 of 2, CPU 1 woken by another CPU: ended by the' "hang: the block says so"
ok "hang: the page is on the stick" grep -q '</html>' "$results/report.html"
whole=$(perl "$cuts" "$tmp/hang/writes")
ok "hang: the stick was written to after each part ($first and $whole writes)" test "$first" -gt 0 -a "$whole" -gt "$first"

# files_of FAT DIR: copy the folders of results of a file system to DIR, each file for itself: a broken one must not hide the others
files_of() {
	rm -rf "$2"
	mkdir "$2"
	mdir -b -i "$1" ::/results 2>"$tmp/mdir" | sed -n 's/^::\/results\/\(.*\)\/$/\1/p' | while IFS= read -r folder; do
		mkdir "$2/$folder"
		mdir -b -i "$1" "::/results/$folder" 2>"$tmp/mdir" | sed -n 's/^::\/\(.*[^/]\)$/\1/p' | while IFS= read -r file; do
			mcopy -n -i "$1" "::/$file" "$2/$folder/" >"$tmp/mcopy" 2>&1 </dev/null
		done
	done
}

# hashes DIR: print folder, name and hash of the files, except of a folder that was being written
hashes() {
	(cd "$1" && find . -type f ! -path './new/*' -exec sha256sum {} +) | sort -k 2
}

# power_cut WRITES [SEED]: make the stick as a cut after so many writes leaves it, and print what is wrong: a folder that has its name
# must be complete, and once the first part was saved, there must be one
power_cut() {
	cp "$stick" "$tmp/cut" && perl "$cuts" "$tmp/hang/writes" "$tmp/cut" "$@" || bail "cut.pl"
	dd if="$tmp/cut" of="$tmp/cut.fat" bs="$fat" skip=1 status=none
	files_of "$tmp/cut.fat" "$tmp/cut.files"
	hashes "$tmp/cut.files" >"$tmp/cut.list"
	complete=0
	for folder in "$tmp/cut.files"/*[0-9]; do
		[ -d "$folder" ] || continue
		case $folder in
		*-part1) expected=$tmp/first.list ;;
		*) expected=$tmp/whole.list ;;
		esac
		[ "$(hashes "$tmp/cut.files" | grep -F "/${folder##*/}/")" = "$(cat "$expected")" ] && complete=$((complete + 1)) ||
			printf 'after writes %s: %s is not complete\n' "$*" "${folder##*/}"
	done
	[ "$1" -lt "$first" ] || [ "$complete" -gt 0 ] || printf 'after writes %s: no finished folder\n' "$*"
	mcopy -n -i "$tmp/cut.fat" ::/boot/grub/grub.cfg "$tmp/cut.cfg" >"$tmp/mcopy" 2>&1 </dev/null && cmp "$tmp/cut.cfg" "$image/grub.cfg"
	rm -f "$tmp/cut.cfg"
	# Each pass may find what the one before has left.
	passes=1
	until fsck.fat -a "$tmp/cut.fat" >"$tmp/fsck" 2>&1 || [ "$passes" -eq 4 ]; do
		passes=$((passes + 1))
	done
	fsck.fat -n "$tmp/cut.fat" >"$tmp/fsck" 2>&1 || printf 'after writes %s: fsck.fat does not repair it: %s\n' "$*" "$(tail -n 3 "$tmp/fsck")"
}

# whole_list WRITES FOLDER LIST: write the hashes of the files of FOLDER after so many writes to LIST
whole_list() {
	cp "$stick" "$tmp/cut" && perl "$cuts" "$tmp/hang/writes" "$tmp/cut" "$1" || bail "cut.pl"
	dd if="$tmp/cut" of="$tmp/cut.fat" bs="$fat" skip=1 status=none
	files_of "$tmp/cut.fat" "$tmp/cut.files"
	hashes "$tmp/cut.files" >"$3"
	is "$(cut -c 67- "$3" | sed 's|^\./QEMU[^/]*-[0-9]\{6\}||' | paste -sd ' ' -)" "$2" "cut: the files after $1 writes"
}
whole_list "$first" "-part1/block.txt -part1/log.txt -part1/recording.tar.zst -part1/report.html -part1/timer-cpu1.counts" "$tmp/first.list"
whole_list "$whole" "/block.txt /log.txt /recording.tar.zst /report.html /timer-cpu1.counts" "$tmp/whole.list"
seed=$(date +%s)
awk -v seed="$seed" -v whole="$whole" 'BEGIN { srand(seed); for (i = 0; i < 20; i++) print int(rand() * whole) }' >"$tmp/moments"
while read -r moment; do
	power_cut "$moment"
	power_cut "$moment" "$moment"
done <"$tmp/moments" >"$tmp/wrong" 2>&1
is "$(cat "$tmp/wrong")" "" "cut: at 20 random moments the stick is readable and has what was finished (seed $seed)"

# --- firmware without idle states, a hypervisor, no TSC deadline, 8 CPUs, a serial port alone,
# broken ACPI tables, unknown words

hid='Name (_HID, "ACPI0007")'
state='Package () { 1, Package () { ResourceTemplate () { Register (FFixedHW, 1, 2, 0x20, 3) }, 2, 41, 350 } }'
for table in "HUGE:Method (_CST, 0, Serialized) { Name (B, Buffer (0x7ffffff0) {}) Return ($state) }" \
	"LOOP:Method (_CST, 0, Serialized) { While (One) { } Return ($state) }" "NONE:Name (_CST, Package () { 0 })"; do
	name=${table%%:*}
	printf 'DefinitionBlock ("", "SSDT", 2, "TEST", "%s", 1) { Scope (\\_SB) { Device (%s) { %s %s } } }\n' "$name" "$name" "$hid" "${table#*:}" \
		>"$tmp/$name.asl"
	iasl -ve -p "$tmp/$name" "$tmp/$name.asl" >"$tmp/iasl" 2>&1 || bail "iasl: $(tail -n 3 "$tmp/iasl")"
	set -- "$@" -acpitable "file=$tmp/$name.aml"
done
drive=
machine bare -machine q35 -smp 8 -device usb-storage,drive=stick,bus=usb.0 \
	-kernel "$tmp/image/vmlinuz" -initrd "$initrd" \
	-append "console=ttyS0,115200 quiet no_timer_check -- frobnicate $measure minutes=0" "$@"
until_shown bare '^(Saved|NOT saved)'
press bare
powers_off bare "a key at the only serial port powers off"
said bare '\(8 online\)' "8 CPUs are online"
said bare '^Ignored, not known: frobnicate ' "an unknown word is named"
said bare '^Ignored, not known: minutes=0 ' "a number of minutes out of range is named"
said bare '^Saved on the stick' "the results are saved"
results_of bare
like "$(cat "$results/block.txt")" 'a hypervisor runs this machine' "bare: the block says that a hypervisor runs the machine"
like "$(cat "$results/block.txt")" 'there is no cpuidle driver' "bare: the block says that there are no idle states"
like "$(cat "$results/block.txt")" '^Not done: part 1 ' "bare: the block says that nothing was measured"
is "$(awk 'length($0) > 72' "$results/block.txt")" "" "bare: the block has at most 72 columns"
run "$wakelat" contribute --from "$tmp/bare/files"
is "$status" 0 "bare: contribute --from takes the stick" || diag "$err"
like "$out" 'nothing was measured \(block.txt says why\)' "bare: contribute --from says that there are no counts"
done_testing
