#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The series' KUnit tests, in the virtual Xeon.
# needs: qemu kernel:default
# tier: first
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

printf 'exit 0\n' >"$tmp/nothing.job"
guest_job "$tmp/out" "$tmp/nothing.job" --append "kunit.enable=1 loglevel=7"
is "$status" 0 "the guest ran"
results=$(sed -n 's/^\[[^]]*\] *//p' "$tmp/out/dmesg.log")
# Each test case of the patches must run and pass.
cases=$(cat "$top"/patches/[1-3]-*/[0-9]*.patch | grep -c '^+	KUNIT_CASE')
ok "the patches have $cases cases of suite wakelat, at least 6" test "$cases" -ge 6
like "$results" '^ok [0-9]+ wakelat$' "suite wakelat passes"
like "$results" "^# wakelat: pass:$cases fail:0 skip:0 total:$cases\$" "suite wakelat has run all its cases"
like "$results" '^ok [0-9]+ wakelat_rate$' "suite wakelat_rate passes"
like "$results" '^# wakelat_rate: pass:2 fail:0 skip:0 total:2$' "suite wakelat_rate has run all its cases"
done_testing
