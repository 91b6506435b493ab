# SPDX-License-Identifier: GPL-2.0
# verify.sh - check whether a value keeps the budget in a second recording, and with
# cyclictest.
# shellcheck shell=sh
#
# Needs points.sh, experiment.sh, knobs.sh.

# Variables that other files set:
: "${extra?the command}" "${work_dir?journal.sh}" "${percentile?points.sh}" "${points?points.sh}" "${rows?points.sh}" \
	"${tools?analysis.sh}"

cyclictest_there=yes
# Results for the chosen value: the verdict (kept or undecided), the upper bound in ns, the number of
# wake-ups, the number of independent ones that is enough, the reason for doubt (clusters, drift or -), and the number of
# independent wake-ups that they are worth.
verified=
bound_high=
bound_n=
bound_needed=
bound_doubt=
bound_effective=
: "$bound_doubt" "$bound_effective" "$verified" "$bound_high" "$bound_n" "$bound_needed"

# verify_needs: check that the variables are set that the functions below read
verify_needs() {
	: "${budget?tune}" "${knob?tune}" "${cpu?tune}" "${output?tune}" "${cyclictest_s?tune}"
}

# found STEP VALUE TOOL N BY LATENCY VERDICT: add a line to tune.tsv
found() {
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$knob" "$2" "$(knob_unit)" "$3" "$4" "$5" "$6" "$budget" "$7" \
		>>"$work_dir/tune"
}

# judged LATENCY: print kept or exceeded. An unknown latency (-) counts as exceeded.
judged() {
	if [ "$1" != - ] && [ "$1" -le "$budget" ]; then
		printf 'kept\n'
	else
		printf 'exceeded\n'
	fi
}

# row_value VALUE COLUMN: print the cell of the point's row
row_value() {
	awk -F '\t' -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		{ print $at }' "$rows/$(point_name "$1")"
}

# rounded_up NS: print NS without decimals, rounded up
rounded_up() {
	case $1 in
	*.*) printf '%d\n' $((${1%.*} + 1)) ;;
	*) printf '%s\n' "$1" ;;
	esac
}

# found_point STEP VALUE: add a measured point to tune.tsv, and set $verdict
found_point() {
	point_worst=$(rounded_up "$(row_value "$2" worst_intr_latency)")
	verdict=$(judged "$point_worst")
	found "$1" "$2" wakelat "$(row_value "$2" worst_n)" "$(row_value "$2" worst_by)" "$point_worst" "$verdict"
}

# bounded VALUE: print verdict, bound, N, the N that is needed, the reason for doubt or "-", and the
# number of independent wake-ups that the N are worth. The verdict is kept if the
# percentile of all wake-ups (any state, with SMIs and NMIs) is within the budget with 95 %
# probability, exceeded if it is above the budget with 95 % probability, else undecided. A maximum
# is always undecided, because no number of samples bounds it. The reasons for doubt are those of wakelat verdict.
bounded() {
	if [ "$percentile" = max ]; then
		printf 'undecided - %s - - -\n' "$(row_value "$1" worst_n)"
		return
	fi
	# The governor's choice of states comes in clusters, so each state is tested for itself.
	for bounded_by in source source,state; do
		"$tools/quantiles" -g "$bounded_by" -m intr_latency -p "$percentile" -t taint -k smi,nmi -c 50000 -l "$budget" \
			-i "$work_dir/bound-$bounded_by" "$points/$(point_name "$1")/samples.tsv" >"$work_dir/bound-stats" || exit
	done
	awk -F '\t' -v budget="$budget" '
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
		file == 1 {
			if ($at["clusters_p"] != "-" && $at["clusters_p"] < 0.001 && $at["unknown"] == "yes")
				doubt = "clusters"
			else if (doubt == "" && $at["drift_p"] != "-" && $at["drift_p"] < 0.001)
				doubt = "drift"
			next
		}
		{
			low = $at["low"]
			high = $at["high"]
			print (high != "-" && high + 0 <= budget + 0 ? "kept" : low != "-" && low + 0 > budget + 0 ? "exceeded" : "undecided"),
				high, $at["n"], $at["needed"], (doubt == "" ? "-" : doubt), $at["effective_n"]
			exit
		}' "$work_dir/bound-source,state" "$work_dir/bound-source"
}

# verify_recording STEP VALUE: judge the point as found_point does, then by its bound; set $verdict
verify_recording() {
	found_point "$1" "$2"
	[ "$verdict" = kept ] || return 0
	read -r verdict bound_high bound_n bound_needed bound_doubt bound_effective <<END
$(bounded "$2")
END
	[ -n "$verdict" ] || die "$points/$(point_name "$2")/samples.tsv has no wake-ups"
	found "$1" "$2" bound "$bound_n" "p$percentile" "$bound_high" "$verdict"
	verified=$verdict
}

# cyclictest_interval VALUE: print an interval in us that is long enough for the deepest allowed state
cyclictest_interval() (
	if [ "$knob" = interval ]; then
		printf '%d\n' $(($1 / 1000))
		exit
	fi
	interval=1000
	index=0
	count=$(state_count "$cpu")
	while [ "$index" -lt "$count" ]; do
		residency=$(state_value "$cpu" "$index" residency)
		if [ "$1" = none ] || [ "$(state_value "$cpu" "$index" latency)" -le "$1" ]; then
			[ $((2 * residency)) -le "$interval" ] || interval=$((2 * residency))
		fi
		index=$((index + 1))
	done
	printf '%d\n' "$interval"
)

# cyclictest_buckets: print the range of cyclictest's histogram in us: twice the budget, at least 1000
cyclictest_buckets() {
	printf '%d\n' $((budget / 500 > 1000 ? budget / 500 : 1000))
}

# run_cyclictest VALUE FILE: run cyclictest with --laptop, because without it cyclictest forbids
# every idle state.
run_cyclictest() {
	knob_apply "$1"
	run_child "$(knob_text "$1"), cyclictest for $cyclictest_s s" cyclictest --laptop -q -m -a "$cpu" -t 1 -p 80 \
		-i "$(cyclictest_interval "$1")" -D "$cyclictest_s" -h "$(cyclictest_buckets)"
	cyclictest_status=$?
	knob_release
	if [ "$cyclictest_status" -ne 0 ]; then
		warn "cyclictest failed: $(child_message)"
		return 1
	fi
	publish_in "$work_dir/child.out" "$2"
}

# cyclictest_bounds FILE: print N, the statistic that decides, and the lowest and highest value in ns
# that this statistic can have, computed from cyclictest's histogram as by wakelat import
cyclictest_bounds() {
	"$tools/histogram" "$1" "$work_dir/cyclictest.tsv" "$work_dir/cyclictest-facts" >&2 || return
	cyclictest_p=50
	[ "$percentile" = max ] || cyclictest_p=$percentile
	"$tools/quantiles" -g state -m latency -p "$cyclictest_p" "$work_dir/cyclictest.tsv" | awk -F '\t' -v p="p$cyclictest_p" \
		-v by="$percentile" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		by == "max" || $at["latency_" p] ~ /-$/ { p = "max" }
		split($at["latency_" p], end, "[.][.]") == 2 { print $at["n"], p, end[1], end[2] }'
}

# verify_cyclictest STEP VALUE: judge VALUE by cyclictest, and set $verdict
verify_cyclictest() {
	cyclictest_file=$output/cyclictest-$(point_name "$2").txt
	[ -e "$cyclictest_file" ] || run_cyclictest "$2" "$cyclictest_file" || {
		cyclictest_there=no
		return 0
	}
	read -r cyclictest_n cyclictest_by cyclictest_low cyclictest_high <<END
$(cyclictest_bounds "$cyclictest_file")
END
	[ -n "$cyclictest_high" ] || die "$cyclictest_file: has no histogram of cyclictest"
	cyclictest_high=$(rounded_up "$cyclictest_high")
	# The budget is kept if the highest possible value is within it.
	verdict=$(judged "$cyclictest_high")
	found "$1" "$2" cyclictest "$cyclictest_n" "$cyclictest_by" "$cyclictest_high" "$verdict"
	say "$(knob_text "$2"), cyclictest: $cyclictest_by $(shifted "${cyclictest_low%.*}" 3) to $(shifted "$cyclictest_high" 3) us of $cyclictest_n wake-ups of a thread: $verdict"
}

# verify STEP VALUE DIR: measure VALUE again, with other launch distances, and with cyclictest; set
# $verdict and $verified
verify() {
	points_open "$output/$3"
	say_begin "$(knob_text "$2"), once more"
	point "$2" "$(knob_text "$2"), once more"
	verify_recording "$1" "$2"
	say "$(knob_text "$2"), once more: $(point_text "$2"): $verdict"
	[ "$verdict" != exceeded ] && [ "$cyclictest_s" -gt 0 ] && [ "$cyclictest_there" = yes ] || return 0
	verify_cyclictest "$1" "$2"
}

# highest_verified STEP DIR: set $chosen to the highest value that keeps the budget in $points and
# whose verification in DIR does not exceed it, or to nothing
highest_verified() {
	verify_needs
	kept=$(awk -F '\t' -v budget="$budget" -f "$extra/choose.awk" "$points/sweep.tsv" | sed '1!G;h;$!d')
	for chosen in $kept; do
		is_point "$chosen" || die "$points/sweep.tsv: '$chosen' is not a value of $knob"
		verify "$1" "$chosen" "$2"
		[ "$verdict" = exceeded ] || return 0
	done
	chosen=
}
