# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# fleet.sh - synthetic machines, some of them different, for the tests of wakelat fleet report.

: "${top:?}"

# build_mkfleet FILE: compile extras/fleet/tests/fixtures/mkfleet.c to FILE
build_mkfleet() {
	cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -o "$1" "$top/extras/fleet/tests/fixtures/mkfleet.c" "$top/tools/lib/cksum.c" \
		"$top/tools/lib/number.c" -lm
}

# build_fleet_rank FILE: compile extras/fleet/tests/fixtures/fleet-rank.c, with the code of the report, to FILE. Needs the built tools.
build_fleet_rank() {
	cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$top/extras/fleet" -I"$top/tools/analyse" -I"$top/tools/lib" -o "$1" \
		"$top/extras/fleet/tests/fixtures/fleet-rank.c" "$top/extras/fleet/fleet-rank.c" "$top/tools/analyse/analyse.a" "$top/tools/lib/lib.a" -lm
}

# different_of MACHINES.TSV: print the machines that the table calls different
different_of() {
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["answer"] == "different" { print $at["machine"] }' "$1" | sort
}
