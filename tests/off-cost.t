#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the facility costs while it is not used, counted in instructions.
. "$(dirname "$0")/lib/tap.sh"

ok "counted" "$top/tests/bench/off-cost"
note "$out"
value() {
	awk -F '\t' -v quantity="$1" '$1 == quantity { print $2 }' "$top/out/bench/off-cost.tsv"
}
is "$(value cost_compiled_out)" 0 "compiled out: no instruction"
ok "off: $(value cost_off) instructions per idle period, at most 8" \
	test "$(value cost_off)" -ge 0 -a "$(value cost_off)" -le 8
done_testing
