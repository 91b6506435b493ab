#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# testbed/run --tools, which make shell uses: all commands that need wakelat's programs work in the guest.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
declared tools
like "$(sed -n '/^shell:/,/^$/p' "$top/Makefile")" 'testbed/run --interactive --tools$' "make shell puts the programs into the guest"
guest_job "$tmp/out" "$top/tests/guest/shell.job" --tools
is "$status" 0 "the virtual Xeon runs the job"
replay_checks "$tmp/out" 5
done_testing
