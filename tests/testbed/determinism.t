#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Equal seeds give samples that are equal to the last byte, also while the host is loaded.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

load=
cleanup() {
	[ -z "$load" ] || words "$load" kill
}

printf '1000\n' >"$tmp/samples"

# record DIR SEED: make the recording DIR/run, and dump it
record() {
	guest_job "$1" "$top/tests/guest/accuracy.job" --seed "$2" --add "$tmp/samples=/samples"
	"$top/scripts/wakelat" dump "$1/run" >"$tmp/dump.log" 2>&1 || diag "$(cat "$tmp/dump.log")"
}

record "$tmp/quiet" 1
for _ in 1 2 3; do
	(while :; do :; done) &
	load="$load $!"
done
record "$tmp/loaded" 1
words "$load" kill
load=

ok "the recording has at least 3000 samples" test "$(wc -l <"$tmp/quiet/run/samples.tsv")" -gt 3000
same "$tmp/quiet/run/samples.tsv" "$tmp/loaded/run/samples.tsv" "the samples are the same under load"
same "$tmp/quiet/truth.tsv" "$tmp/loaded/truth.tsv" "the truth log is the same under load"
same "$tmp/quiet/run/run.tsv" "$tmp/loaded/run/run.tsv" "run.tsv is the same under load"
done_testing
