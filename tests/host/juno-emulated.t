#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# results/juno-emulated: the README has the numbers of the tables. The tables agree with each other, and are labelled emulated.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
set=$top/results/juno-emulated

# row AWK: run these statements of awk for each row of summary.tsv
row() {
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { '"$1"' }' "$set/summary.tsv"
}

is "$(grep -E '^\| (ipi|timer) \|' "$set/README.md")" \
	"$(row 'printf "| %s | %s | %s + %s = %s | %s | %s | %s | %s | %s .. %s | %s of %s | %s |\n", $at["recording"],
		$at["state"], $at["dt_entry_us"], $at["dt_exit_us"], $at["advertised_us"], $at["n"], $at["p50_us"],
		$at["p99.9_us"], $at["max_us"], $at["true_min_us"], $at["true_max_us"], $at["reached"], $at["asked"],
		$at["budget_800us_verdict"]')" "the README has the numbers of summary.tsv"
for name in ipi timer; do
	is "$(row 'if ($at["recording"] == "'$name'") print $at["state"], $at["advertised_us"] * 1000, $at["n"]')" \
		"$(awk 'NR > 1 && $1 != "WFI" { print $1, $3, $4 }' "$set/$name/stats.tsv")" "$name: summary.tsv agrees with stats.tsv"
	like "$(cat "$set/$name/run.tsv")" '^emulated	yes$' "$name: the provenance says emulated"
	words=$(tr -s '\n ' ' ' <"$set/README.md")
	like "$words" "$(row 'if ($at["recording"] == "'$name'") {
		if (low == "" || $at["error_min_ns"] < low) low = $at["error_min_ns"]
		if ($at["error_max_ns"] > high) high = $at["error_max_ns"]
	}
	if (NR == 5) printf "%.2f to %.2f us .`'$name'`.", low / 1000, high / 1000')" "$name: the README has the range of errors"
done
is "$(row 'print $at["recording"], $at["state"], $at["reached"] == $at["asked"] ? "always" : $at["reached"]')" \
	"ipi cpu-sleep-0 always
ipi cluster-sleep-0 0
timer cpu-sleep-0 always
timer cluster-sleep-0 always" "only the sender's cluster never sleeps"
is "$(awk '$1 == "WFI" { print $4 }' "$set/ipi/stats.tsv")" "$(sed -n 's/^- \*\*WFI\*\*: \([0-9]*\) samples.*/\1/p' "$set/README.md")" \
	"the README has the number of samples in WFI"
like "$(head -n 1 "$set/README.md")" '\(emulated\)$' "the title says emulated"
like "$(cat "$set/ccdf.svg")" '\(emulated\)' "the figure says emulated"
done_testing
