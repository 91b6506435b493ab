#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat top: which options it refuses. What it shows: testbed/top.t.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"

wakelat=$top/scripts/wakelat
for wrong in '--interval=1' '--interval=1us' '--interval=2h' '--nope' 'dir'; do
	refused '^wakelat top: ' "$wrong" "$wakelat" top --once "$wrong"
	is "$status" 2 "$wrong: status"
done
done_testing
