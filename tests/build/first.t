#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A kernel with the first series alone: it measures to the truth, by nothing but its files, and its selftest passes. The model's exit
# latencies are constants: 10 us of C1E, 133 us of C6.
# needs: qemu source kernel:first
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/selftest.sh"

use_kernel first
take_selftest "$tmp/selftests" "$top"/patches/1-*/[0-9]*.patch
unlike "$(cat "$tmp/selftests/wakelat/"*)" artificial "the selftest of the first series knows nothing of the last one"
guest_job "$tmp/guest" "$top/tests/guest/first.job" --kernel "$kernel" --add "$tmp/selftests"
is "$status" 0 "the job ends"
is "$(cat "$tmp/guest/errors")" "" "without an error"
is "$(cut -d ' ' -f 1,2 "$tmp/guest/sources" | sort | tr '\n' ' ')" "hrtimer ok passive ok " "it has two sources"
ok "$(wc -l <"$tmp/guest/files") control files, at most 10" test "$(wc -l <"$tmp/guest/files")" -le 10
is "$(cut -d ' ' -f 2 "$tmp/guest/reasons" | sort -u)" samples "each run ends with its samples"

# right NAME NS SAMPLES: of SAMPLES or more 19 in 20 are untainted, and each of these errs by 0 to 16 ns
right() {
	sed -n 's/.* wakelat_sample: .* taint=\([^ ]*\) .* wake_latency=\([-0-9]*\) .*/\1 \2/p' "$tmp/guest/$1" >"$tmp/samples"
	ok "$1: $(wc -l <"$tmp/samples") samples, $3 wanted" test "$(wc -l <"$tmp/samples")" -ge "$3"
	is "$(awk -v ns="$2" 'NF == 1 && ($1 < ns || $1 > ns + 16)' "$tmp/samples" | head -n 3)" "" "$1: none untainted is wrong"
	ok "$1: untainted are 19 of 20" awk -v wanted="$3" 'NF == 1 { n++ } END { print n; exit n < 0.95 * wanted }' "$tmp/samples"
}

right hrtimer-C1E 10000 3000
right hrtimer-C6 133000 3000
right passive-C6 133000 1000

is "$(cat "$tmp/guest/tap.status")" 0 "its selftest passes"
unlike "$(cat "$tmp/guest/tap")" '^not ok|^Bail' "each test of it"
like "$(cat "$tmp/guest/tap")" '^ok [0-9]+ source hrtimer yields consistent samples' "source hrtimer"
like "$(cat "$tmp/guest/tap")" '^ok [0-9]+ source passive yields consistent samples' "source passive"
is "$(cat "$tmp/guest/tap.err")" "" "nothing on stderr"
is "$(sed -n 's/^# skipped: //p' "$tmp/guest/tap" | grep -v 'CPU 0 cannot go')" "" "nothing else is skipped"
done_testing
