#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The cost of wakelat while it is not used, in instructions.
# needs: qemu kernel:base kernel:off kernel:default
# tier: first
. "$(dirname "$0")/../lib/tap.sh"

ok "off-cost counts the instructions" "$top/tests/bench/off-cost"
note "$out"
value() {
	awk -F '\t' -v quantity="$1" '$1 == quantity { print $2 }' "$top/out/bench/off-cost.tsv"
}
is "$(value cost_compiled_out) $(value cost_compiled_out_p95)" "0 0" "compiled out, wakelat costs no instruction"
for quantity in cost_off cost_off_p95; do
	ok "$quantity: $(value $quantity) instructions per idle period, at most 2" \
		test "$(value $quantity)" -ge 0 -a "$(value $quantity)" -le 2
done
done_testing
