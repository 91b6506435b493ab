#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A recording whose lock another process holds: a command waits for 50 s, and gives up.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/hostile.sh"
command -v flock >/dev/null || skip_all "flock is missing"
build_tools
cd "$tmp" || exit 1

recording d
flock d sleep 100 &
holder=$!
cleanup() {
	kill "$holder"
}
sleep 0.3
refused "another process has held its lock for 50 s" "a lock of somebody else" timeout 90 "$wakelat" stats -q d
done_testing
