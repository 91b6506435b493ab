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
like "$results" '^ok [0-9]+ wakelat_ldist$' "suite wakelat_ldist passes"
like "$results" '^# wakelat_ldist: pass:7 fail:0 skip:0 total:7$' "with all its cases"
like "$results" '^ok [0-9]+ wakelat_arith$' "suite wakelat_arith passes"
like "$results" '^# wakelat_arith: pass:4 fail:0 skip:0 total:4$' "with all its cases"
like "$results" '^ok [0-9]+ wakelat_rate$' "suite wakelat_rate passes"
like "$results" '^# wakelat_rate: pass:2 fail:0 skip:0 total:2$' "with all its cases"
done_testing
