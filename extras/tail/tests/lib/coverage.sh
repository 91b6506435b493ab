# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# coverage.sh - the table of tests/bench/coverage.

# coverage_table DIRECTORY: print a table with a row for each NAME.tsv that coverage.R has written
coverage_table() {
	printf 'distribution\trepetitions\trefused\tby\tintervals\tholding the truth\tabove it\tbelow it\n'
	for of in "$1"/*.tsv; do
		awk -F '\t' -v OFS='\t' -v name="$(basename "$of" .tsv)" '
			NR == 1 { next }
			{ n++ }
			$4 != "-" { by[$4]++; next }
			{ estimable++; high += $6 != "-" && $6 > $3; low += $7 != "-" && $7 < $3 }
			END {
				gates = split("spread samples clusters stationarity fit stability maximum shape horizon interval", gate, " ")
				text = ""
				for (i = 1; i <= gates; i++)
					if (gate[i] in by)
						text = text (text == "" ? "" : ", ") gate[i] " " by[gate[i]]
				share = estimable ? sprintf("%.1f %%", 100 * (estimable - high - low) / estimable) : "-"
				gsub(/_/, " ", name)
				print name, n, n - estimable, (text == "" ? "-" : text), estimable + 0, share, high + 0, low + 0
			}' "$of"
	done
}
