#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the facility counts as latency, and what it costs while it is on, counted in instructions.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"

ok "counted" "$top/tests/bench/cost"
note "$out"
value() {
	awk -F '\t' -v quantity="$1" '$1 == quantity { print $2 }' "$top/out/bench/cost.tsv"
}
ok "the stamp comes $(value exit_to_tai) instructions after the exit latency, at most 16" \
	test "$(value exit_to_tai)" -gt 0 -a "$(value exit_to_tai)" -le 16
ok "the exit event of cpu_idle comes $(value cpu_idle_later_than_tai) instructions later" \
	test "$(value cpu_idle_later_than_tai)" -gt 100
ok "on, without counters: $(value on_no_counters) instructions per idle period, at most 1000" \
	test "$(value on_no_counters)" -gt 0 -a "$(value on_no_counters)" -le 1000
ok "on another CPU: $(value not_measured) instructions per idle period of a CPU that is not measured, at most 20" \
	test "$(value not_measured)" -ge 0 -a "$(value not_measured)" -le 20

# The document's table, the rows of this bench: exactly on a machine that has what Documentation/shown-with.tsv names (make shown
# rewrites the table); elsewhere within 2 %, because another compiler makes other instructions.
tolerance=0.02
! "$top/scripts/dev/refresh-shown" --with | cmp -s - "$top/Documentation/shown-with.tsv" || tolerance=0
documented=$(sed -n '/^## What it costs/,/^## Data flow/p' "$top/Documentation/how-it-works.md" |
	sed -n '/^| \(from\|on,\|with\) /s/.*| \([0-9].*\) |$/\1/p' | sed 's/ more//; s:/: :g; s/,//g' | tr -s ' \n' ' ')
for quantity in exit_to_tai cpu_idle_later_than_tai entry_to_tintr on_no_counters on_freq on_freq_core on_freq_core_package; do
	said=${documented%% *}
	documented=${documented#* }
	ok "how-it-works.md: $quantity is $said, measured $(value $quantity)" \
		awk -v said="$said" -v measured="$(value $quantity)" -v tolerance="$tolerance" \
		'BEGIN { exit !(said > 0 && measured >= said * (1 - tolerance) && measured <= said * (1 + tolerance)) }'
done
is "$documented" "" "and nothing else is said of it"
done_testing
