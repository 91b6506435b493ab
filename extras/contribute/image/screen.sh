# SPDX-License-Identifier: GPL-2.0
# screen.sh - what the bootable image shows: on the screen and on serial ports, and the block as QR codes.
# shellcheck shell=sh

: "${log?init}"

# The screen and the serial ports that the kernel writes its messages to.
consoles=
for name in $(cat /sys/class/tty/console/active); do
	consoles="$consoles /dev/$name"
done
printf 0 >/proc/sys/kernel/printk

# put TEXT: write it to each console, as it is
put() {
	for console in $consoles; do
		printf '%s' "$1" >"$console"
	done 2>/dev/null
}

# show LINE...: write lines to each console and to the log
show() {
	for line; do
		put "$(printf '\r\033[K%s' "$line")
"
		printf '%s\n' "$line" >>"$log"
	done
}

# progress LINE: show it in place of the last one
progress() {
	put "$(printf '\r\033[K%.78s' "$1")"
}

clock() {
	printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

uptime_s() {
	sed 's/[. ].*//' /proc/uptime
}

# make_codes: set $codes to the number of QR codes that hold block.txt, and write their texts to /tmp/code1 and so on. A code is as
# large as the screen allows, two modules in a character's height, up to version 16, which a phone still reads.
make_codes() {
	codes=0
	case "$consoles " in *' /dev/tty0 '*) ;; *) return ;; esac
	screen=$(stty size </dev/tty1)
	rows=${screen% *}
	version=$((rows * 2 < ${screen#* } - 20 ? (rows * 2 - 21) / 4 : (${screen#* } - 41) / 4))
	[ "$version" -ge 3 ] || return
	[ "$version" -le 16 ] || version=16
	# The letters and digits that a code of each version holds.
	set -- 25 47 77 114 154 195 224 279 335 395 468 535 619 667 758 854
	shift $((version - 1))
	room=$(($1 - 15))
	gzip -9 </tmp/results/block.txt | basenc --base32 -w "$room" | tr -d = >/tmp/codes
	total=$(wc -l </tmp/codes)
	while IFS= read -r text; do
		codes=$((codes + 1))
		printf 'WAKELAT %d/%d %s' "$codes" "$total" "$text" >"/tmp/code$codes"
	done </tmp/codes
}

# show_code REASON: draw the next code on the screen, and why at its right
show_code() {
	code=$((code % codes + 1))
	drawn=$(qrencode -t UTF8 -m 2 -l L -v "$version" <"/tmp/code$code")
	column=$((version * 4 + 23))
	{
		printf '\033[H\033[2J\033[1m%s' "$drawn"
		printf '%s\n' "Code $code of $codes" '' "NOT saved: $1" '' "The codes are the block. Read all of them with a phone, and send the texts." '' \
			'A key powers off.' | fold -s -w $((${screen#* } - column)) | {
			line=2
			while IFS= read -r text; do
				printf '\033[%d;%dH%s' "$line" "$column" "$text"
				line=$((line + 1))
			done
		}
		printf '\033[0m'
	} >/dev/tty0
}

# show_end TEXT: show the block and the text below it
show_end() {
	put "$(printf '\033[H\033[2J')"
	while IFS= read -r line; do
		put "$line
"
	done </tmp/results/block.txt
	put "
$1
"
}
