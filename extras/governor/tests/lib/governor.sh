# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# governor.sh - reads the tables of wakelat governor.

# value FILE RUN STATE COLUMN: print a cell
value() {
	awk -F '\t' -v run="$2" -v state="$3" -v name="$4" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["run"] == run && $at["state"] == state { print $at[name] }' "$1"
}
