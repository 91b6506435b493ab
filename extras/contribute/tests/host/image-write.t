#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make image STICK=DEVICE: which devices it refuses, and that it writes only after a yes. Loop devices stand for sticks.
# needs:
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
write=$top/extras/contribute/image/write
loops=

cleanup() {
	for loop in $loops; do
		umount "$loop" 2>/dev/null
		losetup -d "$loop"
	done
}

# stick SIZE [OPTION]: set $device to a new loop device of this size, whose bytes are those of $tmp/SIZE
stick() {
	truncate -s "$1" "$tmp/$1" && device=$(losetup "${2:---find}" --find --show "$tmp/$1" 2>/dev/null) || return
	loops="$loops $device"
}

# answered ANSWER COMMAND...: run the command, with the line ANSWER as its input
answered() {
	printf '%s\n' "$1" >"$tmp/answer"
	shift
	"$@" <"$tmp/answer"
}

refused 'name the stick' "without a device, nothing happens" "$write"
refused 'not a block device' "a file is refused" "$write" "$0"
refused 'not a block device' "a device that is not there is refused" "$write" /dev/sdX
refused 'unexpected argument' "a third argument is refused" "$write" /dev/sdX "$0" more
run make -s -C "$top" image STICK=/etc/passwd
like "$err" '^image: /etc/passwd is not a block device' "make image checks the device before it builds"
built_in=$(findmnt -nvo SOURCE /)
disk=$(lsblk -nrpo PKNAME "$built_in" 2>/dev/null | head -n 1)
case $(cat "/sys/class/block/$(basename "${disk:-$built_in}")/removable" 2>/dev/null) in
0) refused 'may be a disk of this machine' "this machine's disk is refused" "$write" "${disk:-$built_in}" ;;
*) skip 1 "the root file system is on no disk that is built in" ;;
esac
[ "$(id -u)" -eq 0 ] && stick 41M || {
	skip 17 "no loop device"
	done_testing
	exit
}
head -c 39000000 /dev/urandom >"$tmp/image"
cp "$tmp/41M" "$tmp/before"
run "$write" "$device"
is "$status $out$err" "0 " "a device that can take the image is accepted"
run answered no "$write" "$device" "$tmp/image"
is "$status" 1 "without a yes, the status is 1"
run "$write" "$device" "$tmp/image"
is "$status" 1 "at the end of the input, the status is 1"
like "$err" 'was not changed' "the message says that nothing was written"
like "$err" "$(basename "$device") +41M" "the device is shown before the question"
same "$tmp/before" "$tmp/41M" "without a yes, the device has not changed"
run answered yes "$write" "$device" "$tmp/image"
is "$status" 0 "after a yes, the image is written" || diag "$err"
like "$out" 'was read back' "the message says that the image was read back"
ok "the device has the image" cmp -n 39000000 "$tmp/image" "$tmp/41M"
# Ended while it writes, or the stick fails: dd waits, or fails.
mkdir "$tmp/bin"
printf '#!/bin/sh\n: >"%s"\nexec sleep 100\n' "$tmp/writing" >"$tmp/bin/dd"
chmod 755 "$tmp/bin/dd"
echo yes | PATH=$tmp/bin:$PATH "$write" "$device" "$tmp/image" >"$tmp/out" 2>"$tmp/err" &
writer=$!
until [ -e "$tmp/writing" ]; do sleep 0.1; done
kill -TERM "$writer"
wait "$writer"
is "$?" 143 "ended by a signal while it writes, its status says so"
like "$(cat "$tmp/err")" 'has only a part of the image, and does not boot: write it again' "the message says what the stick is now"
printf '#!/bin/sh\necho "dd: error writing: Input/output error" >&2\nexit 1\n' >"$tmp/bin/dd"
run answered yes env PATH="$tmp/bin:$PATH" "$write" "$device" "$tmp/image"
is "$status" 1 "if the stick fails, the status is 1"
like "$err" 'Input/output error' "the message has the error"
refused 'cannot read' "an image that is not there is refused" "$write" "$device" "$tmp/none"
mkfs.ext2 -q "$device" 2>"$tmp/said" && mkdir "$tmp/mounted" && mount "$device" "$tmp/mounted" 2>"$tmp/said" ||
	bail "cannot mount $device: $(cat "$tmp/said")"
refused 'in use \(.*/mounted\): umount it' "a mounted device is refused" "$write" "$device"
truncate -s 41000000 "$tmp/large"
stick 39M || bail "no loop device"
refused 'has 40894464 bytes, and the image needs 41000000: take a larger stick' "a device that is smaller than the image is refused" \
	"$write" "$device" "$tmp/large"
stick 42M --read-only || bail "no loop device"
refused 'write-protected' "a write-protected device is refused" "$write" "$device"
done_testing
