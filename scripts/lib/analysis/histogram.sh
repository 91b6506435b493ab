# SPDX-License-Identifier: GPL-2.0
# histogram.sh - statistics of a directory that has histogram.tsv, which import made of another tool's counts.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Read here, set there:
: "${here?the command}" "${quiet?message.sh}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}"

# histogram_stats RESULTS: writes RESULTS/stats-histogram.tsv, and prints the same for people unless $quiet
histogram_stats() {
	need_tools histstats
	"$tools/histstats" -p 50,90,99,99.9,99.99 "$dir/histogram.tsv" >"$work/stats-histogram.tsv" || exit
	write_output "$work/stats-histogram.tsv" "$1/stats-histogram.tsv"
	[ "$quiet" = yes ] || print_histogram | shown | cat || exit
}

print_histogram() {
	printf 'Histogram of latencies%s: %s, %s\n' "$(machine_note)" "$(data_set)" "$(run_value cpu_model)"
	printf 'source %s, kernel %s, imported from %s, wakelat revision %s\n\n' "$(run_value source)" \
		"$(run_value kernel)" "$(run_value imported_from)" "$(run_value revision)"
	awk -F '\t' -f "$here/lib/common/us.awk" -f "$here/lib/analysis/histogram-table.awk" "$work/stats-histogram.tsv"
	cat <<'END'

A value lies in the interval that is shown (us): a histogram does not know more. ..- has no upper end: values beyond
  the last bucket, whose maximum is not stated. - : too few samples (p99 needs 299, p99.9 2995, p99.99 29956).
Order, silent times and states are not in a histogram: no confidence, no tail, no verdict follow from it.
END
	caveat=$(run_value caveat)
	[ -z "$caveat" ] || printf 'Caveat: %s.\n' "$caveat"
}
