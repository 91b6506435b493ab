# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# page.sh - make the part of the page from hostile cells (tests/long/page.t).
: "${top:?}"

printf 'state\tsource\treached\tmetric\tn\tmax_ns\thorizon\tresult\tfailed\tlevel_ns\tlevel_low_ns\tlevel_high_ns\n1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\n' >tail.tsv
hostile_cells tail.tsv
awk -F '\t' -f "$top/scripts/lib/common/us.awk" -f "$top/extras/tail/html.awk" -f "$top/extras/tail/heavy.awk" \
	-f "$top/extras/tail/html-tail.awk" tail.tsv
