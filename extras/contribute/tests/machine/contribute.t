#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat contribute --probe on this machine: which files it writes. Without root, BPF or an idle CPU it cannot measure.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
wakelat=$top/scripts/wakelat
if [ "$(id -u)" -ne 0 ]; then
	refused '^wakelat contribute: must be root' "refuses to run without root" "$wakelat" contribute -o "$tmp/c"
	done_testing
	exit
fi
refused "^wakelat contribute: --cpu: CPU 99999 is not online" "refuses a CPU that is not online" "$wakelat" contribute -o "$tmp/c" --cpu 99999
mkdir "$tmp/there"
refused "exists already: name a new directory" "refuses a directory that exists" "$wakelat" contribute -o "$tmp/there"
run "$wakelat" contribute --probe -o "$tmp/c" -T 4s
case $err in
*'was not idle once'* | *'no sample in'* | *BPF* | *'may not be changed'*) skip_rest=yes ;;
*) skip_rest=no ;;
esac
if [ "$skip_rest" = yes ]; then
	why=$(printf '%s\n' "$err" | tail -n 1)
	not_ok "a failed measurement leaves nothing" test -e "$tmp/c"
	skip 5 "cannot be measured here: $why"
	done_testing
	exit
fi
is "$status" 0 "contribute succeeds"
ok "block.txt is written" test -s "$tmp/c/block.txt"
is "$(awk 'length($0) > 72' "$tmp/c/block.txt")" "" "block.txt has at most 72 columns"
unlike "$(cat "$tmp/c/block.txt")" "$(hostname)|$(cut -d ' ' -f 1 /proc/cmdline)" "block.txt has neither hostname nor command line"
like "$(cat "$tmp/c/block.txt")" '^Not measured: ' "block.txt has the line 'Not measured'"
ok "merge reads all.counts" "$wakelat" merge -q -o "$tmp/again" "$tmp/c/all.counts"
done_testing
