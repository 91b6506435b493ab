#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A kernel with only the first series, used through tracefs alone, measures the model's exit latencies, and its selftest passes.
# These latencies are constant: C1E has 10 us, C6 has 133 us.
# needs: qemu source kernel:first
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/selftest.sh"

use_kernel first
take_selftest "$tmp/selftests" "$top"/patches/1-*/[0-9]*.patch
unlike "$(cat "$tmp/selftests/wakelat/"*)" artificial "the selftest of the first series does not use artificial states"
guest_job "$tmp/guest" "$top/tests/guest/first.job" --kernel "$kernel" --add "$tmp/selftests"
is "$status" 0 "the job succeeds"
is "$(cat "$tmp/guest/errors")" "" "the job prints no error"
is "$(cut -d ' ' -f 1,2 "$tmp/guest/sources" | sort | tr '\n' ' ')" "passive ok " "the only source is passive"
ok "$(wc -l <"$tmp/guest/files") control files, at most 10" test "$(wc -l <"$tmp/guest/files")" -le 10
is "$(cut -d ' ' -f 2 "$tmp/guest/reasons" | sort -u)" samples "each run ends when it has its samples"

# right NAME NS SAMPLES: check the recording NAME: it has SAMPLES or more, 95 % of SAMPLES are untainted, and the untainted wake
# latencies are NS to NS + 16 ns
right() {
	sed -n 's/.* wakelat_sample: .* taint=\([^ ]*\) .* wake_latency=\([-0-9]*\) .*/\1 \2/p' "$tmp/guest/$1" >"$tmp/samples"
	ok "$1: $(wc -l <"$tmp/samples") samples, $3 wanted" test "$(wc -l <"$tmp/samples")" -ge "$3"
	is "$(awk -v ns="$2" 'NF == 1 && ($1 < ns || $1 > ns + 16)' "$tmp/samples" | head -n 3)" "" "$1: each untainted wake latency is right to 16 ns"
	ok "$1: 95 % of the samples are untainted" awk -v wanted="$3" 'NF == 1 { n++ } END { print n; exit n < 0.95 * wanted }' "$tmp/samples"
}

right C1E 10000 1000
right C6 133000 1000

is "$(cat "$tmp/guest/tap.status")" 0 "the selftest passes"
unlike "$(cat "$tmp/guest/tap")" '^not ok|^Bail' "no test of the selftest fails"
like "$(cat "$tmp/guest/tap")" '^ok [0-9]+ source passive yields consistent samples' "selftest: source passive yields consistent samples"
is "$(cat "$tmp/guest/tap.err")" "" "the selftest prints nothing on stderr"
is "$(sed -n 's/^# skipped: //p' "$tmp/guest/tap" | grep -v 'CPU 0 cannot go')" "" "the selftest skips only what needs a CPU that can go offline"
done_testing
