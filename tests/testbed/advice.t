#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict --paste: a job runs the texts that set a limit in the kernel, and reads the kernel's settings back.
# needs: tools qemu kernel:default

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/advice.sh"
. "$top/tests/lib/replay.sh"
build_tools
cd "$tmp" || exit 1
advice_recording
paste_texts sysfs qos systemd

guest_job "$tmp/advice" "$top/tests/guest/advice.job" --add "$tmp/paste=/paste"
is "$status" 0 "the job ran"
replay_checks "$tmp/advice" 18
done_testing
