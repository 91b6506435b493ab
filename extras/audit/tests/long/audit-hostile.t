#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat audit on random hostile kernel trees and random damaged ACPI tables: see extras/audit/tests/fixtures/hostile.py for what it must
# not do. TREES=2000 TABLES=2000 SEED=1 tests/check audit-hostile tries more (an hour and a half).
# needs: tools
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
wakelat=$top/scripts/wakelat
build_tools

for program in dtc cpp iasl acpiexec python3; do
	command -v "$program" >/dev/null || bail "$program is missing: scripts/dev/packages audit"
done
hostile=$top/extras/audit/tests/fixtures/hostile.py

# SEED-1, -2: two processes at once, because most of the time passes in waiting for limits.
for part in 1 2; do
	mkdir "$tmp/trees-$part"
	python3 "$hostile" trees "$wakelat" $((${TREES:-40} / 2)) "${SEED:-1}$part" "$tmp/trees-$part" >"$tmp/said-$part" &
	eval "part_$part=\$!"
done
for part in 1 2; do
	eval "wait \"\$part_$part\""
	status=$?
	note "$(tail -n 1 "$tmp/said-$part")"
	is "$status$(grep '^fault' "$tmp/said-$part")" 0 "hostile trees, part $part: no fault"
done
mkdir "$tmp/tables"
ok "damaged tables: no fault" python3 "$hostile" tables "$wakelat" "${TABLES:-100}" "${SEED:-1}" "$tmp/tables"
note "$(printf '%s\n' "$out" | tail -n 1)"
done_testing
