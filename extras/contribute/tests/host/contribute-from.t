#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat contribute --from: which files of a stick it tells to attach, what it refuses, and how it reads the texts of codes.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
wakelat=$top/scripts/wakelat
cd "$tmp" || exit 1

three_states recording 0 emulated no cpus "0"
run "$wakelat" stats -q --counts timer-cpu0.counts recording
[ "$status" -eq 0 ] || bail "$err"
block=$top/results/ivt-wult/nic/mail.txt
one=stick/results/Vendor-Model-20261128-120000
mkdir -p "$one" stick/boot
cp "$block" "$one/block.txt"
cp timer-cpu0.counts "$one/"
echo text >"$one/log.txt"

run "$wakelat" contribute --from stick
is "$status $err" "0 " "a stick is taken"
like "$out" "^$one$" "the folder is named"
like "$out" "^  CPU: .*E5-2697 v2" "the CPU is named"
like "$out" "^  attach: timer-cpu0.counts$" "the file of counts is named"
run "$wakelat" contribute --from "$one"
is "$status" 0 "one folder of results is taken"

cp -r stick two
cp -r "$one" two/results/Other-20261128-130000
run "$wakelat" contribute --from two
is "$(printf '%s\n' "$out" | grep -c '^two/results/')" 2 "two measurements on a stick are both named"

# changed NAME: make a copy of the stick, and set $copy to its folder
changed() {
	cp -r stick "$1"
	copy=$1/results/Vendor-Model-20261128-120000
}
changed none
rm "$copy/timer-cpu0.counts"
run "$wakelat" contribute --from none
like "$out" 'attach: nothing, because nothing was measured' "without counts, nothing is to be attached"
changed damaged
head -c 300 timer-cpu0.counts >"$copy/timer-cpu0.counts"
refused 'timer-cpu0.counts is damaged: ' "a truncated file of counts is refused" "$wakelat" contribute --from damaged
changed wide
printf '%073d\n' 1 >>"$copy/block.txt"
refused 'has a line of more than 72 columns' "a block with a long line is refused" "$wakelat" contribute --from wide
changed control
printf 'a\033[2J\n' >>"$copy/block.txt"
refused 'has bytes that are not text' "a block with control characters is refused" "$wakelat" contribute --from control
changed empty
: >"$copy/block.txt"
refused 'block.txt is empty or missing' "an empty block is refused" "$wakelat" contribute --from empty
changed linked
ln -sf /etc/passwd "$copy/other.counts"
refused 'other.counts' "a link is refused" "$wakelat" contribute --from linked
changed partly
cp -r "$one" "partly/results/$(printf 'A\033[2J')"
: >"partly/results/$(printf 'A\033[2J')/block.txt"
run "$wakelat" contribute --from partly
is "$status" 1 "one bad folder of two: status 1"
like "$out" "^partly/results/Vendor" "the good folder is named"
unlike "$err" "$(printf '\033')" "a hostile name is shown without control characters"
refused 'has no results/' "a directory without results is refused" "$wakelat" contribute --from recording
refused 'has no results/' "a directory that is not there is refused" "$wakelat" contribute --from nowhere
refused 'no other option' "another option is refused" "$wakelat" contribute --from stick --cpu 0

# The texts of codes, as the image makes them: in any order, one of them twice, with what a phone writes around them.
gzip -9 <"$block" | basenc --base32 -w 200 | tr -d = >lines
parts=$(wc -l <lines)
awk -v parts="$parts" '{ printf "WAKELAT %d/%d %s\n", NR, parts, $0 }' lines >codes
ok "the block needs more than one code" test "$parts" -gt 2
{
	printf 'Scanned today:\n'
	sort -r codes
	printf 'QR: '
	head -n 1 codes
} >text
run "$wakelat" contribute --from text
is "$status" 0 "the texts of codes are taken" || diag "$err"
is "$out" "$(cat "$block")" "they give the block"
sed 2d codes >missing
refused "of $parts codes these are missing: 2: " "a missing code is named" "$wakelat" contribute --from missing
sed "2s/ [A-Z2-7]*\$/ $(sed -n 3p lines)/" codes >wrong
refused 'do not fit together' "codes that do not belong together are refused" "$wakelat" contribute --from wrong
echo nothing >none.txt
refused "has no line 'WAKELAT" "a text without codes is refused" "$wakelat" contribute --from none.txt
head -c 50000000 /dev/zero | gzip -9 | basenc --base32 -w 0 | tr -d = | sed 's|^|WAKELAT 1/1 |' >bomb
refused 'do not fit together|not text' "codes of 50 MB of zeros are refused" "$wakelat" contribute --from bomb
done_testing
