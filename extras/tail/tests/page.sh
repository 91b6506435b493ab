# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# page.sh - make the part of the page from hostile cells (tests/long/page.t).
: "${top:?}"

hostile_table state source reached metric n max_ns horizon result failed level_ns level_low_ns level_high_ns >tail.tsv
html "$top/extras/tail/html-tail" -f "$top/extras/tail/heavy.awk" tail.tsv
