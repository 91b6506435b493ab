#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict --paste: each text that is for the kernel is given to it, and read back.
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
