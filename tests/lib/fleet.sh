# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# fleet.sh - synthetic machines, some of them odd, for the tests of wakelat fleet report.

: "${top:?}"

# build_mkfleet FILE: compile tests/fixtures/mkfleet.c to FILE
build_mkfleet() {
	cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -o "$1" "$top/tests/fixtures/mkfleet.c" "$top/tools/lib/cksum.c" \
		"$top/tools/lib/number.c" -lm
}

# odd_of MACHINES.TSV: print the machines that the table calls odd
odd_of() {
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["answer"] == "odd" { print $at["machine"] }' "$1" | sort
}
