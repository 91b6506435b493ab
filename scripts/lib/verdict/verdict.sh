# SPDX-License-Identifier: GPL-2.0
# verdict.sh - the tables of a verdict: how each wake-up counts, and the verdicts on each state alone and
# on the machine as it is.
# shellcheck shell=sh
#
# Needs analysis.sh, samples.sh, units.sh.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" "${made?samples.sh}" \
	"${scaled_number?units.sh}" "${option?options.sh}"

# The latency budget in ns, and the percentile that decides; empty: none, the default.
budget=
percentile=
default_percentile=99.9
# How often each bound of a percentile may err, in millionths. A verdict errs no more often.
tail_error=50000
verdict_file= # see make_verdict
# yes: judge all CPUs together
pooled=

# take_budget TIME: sets $budget, the value of $option
take_budget() {
	scale_time "$1" && [ "$scaled_number" -gt 0 ] || bad_usage "$option: '$1' is not a time with its unit, e.g. 50us"
	budget=$scaled_number
}

# take_percentile P: sets $percentile, the value of $option
take_percentile() {
	case $1 in
	max) ;;
	*[!0-9.]* | *.*.* | .* | *.) bad_usage "$option: '$1' is not a percentage, or max" ;;
	*) awk -v p="$1" 'BEGIN { exit !(p > 0 && p < 100) }' || bad_usage "$option: '$1' is not a percentage between 0 and 100, or max" ;;
	esac
	percentile=$1
}

# take_facts: sets, from run.tsv, $lost to the number of events that were lost while recording; $limits to
# the exit latencies of the states, as 1=2000,3=133000; and $tails to how often each bound of a state may
# err, in millionths, as 1=25000,3=8333, for the states whose samples record --for-verdict tested
# repeatedly. The k-th test gets 1 / (k (k + 1)) of the probability of error, so all tests together err
# no more often than a single one.
take_facts() {
	facts=$(awk -F '\t' -v tail="$tail_error" '
		function add(list, state, number) { return list (list == "" ? "" : ",") state "=" number }
		{ split($1, key, ".") }
		$1 ~ /^lost_/ { lost += $2 }
		$1 ~ /^state\.[0-9]+\.latency_ns$/ && $2 ~ /^[0-9]+$/ { limits = add(limits, key[2], $2) }
		$1 ~ /^run\.[0-9]+\.looks$/ { looks[key[2]] = $2 }
		$1 ~ /^run\.[0-9]+\.state$/ { state[key[2]] = $2 }
		$1 ~ /^state\.[0-9]+\.name$/ { index_of[$2] = key[2] }
		END {
			for (run in looks)
				if (state[run] in index_of && looks[run] > most[index_of[state[run]]])
					most[index_of[state[run]]] = looks[run]
			for (s in most)
				tails = add(tails, s, sprintf("%d", tail / (most[s] * (most[s] + 1))))
			printf "%.0f:%s:%s\n", lost, limits, tails
		}' "$dir/run.tsv") || exit
	lost=${facts%%:*}
	tails=${facts##*:}
	limits=${facts#*:}
	limits=${limits%:*}
	: "$lost"
}

# taints_of CLASS: prints the taints that put a wake-up into CLASS (see balance.awk), joined by commas
taints_of() {
	awk -F '\t' -v class="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["machine"] == class { print $1 }' \
		"$here/lib/common/taints.tsv" | paste -sd , -
}

# judge NAME [OPTION]...: writes $work/NAME, $work/NAME-intervals and $work/taints. With counters, also writes
# NAME-reached and NAME-reached-intervals, of the samples that reached their state. Writes $work/lasted, the
# means of $lasted_columns.
judge() {
	judge_name=$1
	shift
	set -- -g source,state -m "$verdict_metrics" -p "$list" -t taint -c "$tail_error" ${uncertain:+-U} ${by_cpu:+-w cpu} \
		${tails:+-C "state:$tails"} ${limits:+-x "state:$limits"} ${budget:+-l "$budget"} "$@"
	[ -z "$counters" ] || set -- "$@" -o "$work/$judge_name-reached" "$@" -r "state:$counters" -i "$work/$judge_name-reached-intervals"
	[ -z "$lasted_columns" ] || set -- "$@" -o "$work/lasted" -g state,cpu -m "$lasted_columns" -s -t taint
	"$tools/quantiles" -i "$work/$judge_name-intervals" -T "$work/taints" "$@" "$made" >"$work/$judge_name" || exit
}

# balance: writes $work/verdict-balance.tsv, the number of wake-ups in each class, and sets $longer (see
# balance.awk)
balance() {
	from_counts=
	! are_counts || from_counts=yes
	awk -F '\t' -v counts="$from_counts" -v longer="$work/longer" -f "$here/lib/verdict/balance.awk" kind=classes "$here/lib/common/taints.tsv" \
		kind=run "$dir/run.tsv" kind=rows "$work/rows" kind=taints "$work/taints" kind=reached "$work/state-reached" \
		kind=latencies "$work/state-intervals" kind=stats "$work/state" >"$work/verdict-balance.tsv" || exit
	read -r longer <"$work/longer"
}

# take_lasted: sets $lasted to the time for which each state was measured, in s, as STATE=SECONDS,... It is the
# sum of the launch distances (without them, of the times from idle to the event), on the CPU where it is
# the shortest. Sets nothing if the recording has no times.
take_lasted() {
	lasted=
	for lasted_column in ldist silent_time; do
		case ,$lasted_columns, in
		*,"$lasted_column",*) ;;
		*) continue ;;
		esac
		lasted=$(awk -F '\t' -v mean="${lasted_column}_mean" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at[mean] != "-" {
				s = $at[mean] * ($at["n"] + $at["tainted"]) / 1e9
				if (!($1 in least) || s < least[$1])
					least[$1] = s
			}
			END { for (state in least) printf "%s%s=%.3g", comma++ ? "," : "", state, least[state] }' "$work/lasted") || exit
		[ -z "$lasted" ] || break
	done
	lasted_columns=
}

# make_verdict: writes the verdict to $verdict_file, and $work/verdict-balance.tsv. Sets $lost (take_facts).
make_verdict() {
	: "${percentile:=$default_percentile}"
	list=50,99,99.9,99.99
	case ,$list,max, in
	*,"$percentile",*) ;;
	*) list=$list,$percentile ;;
	esac
	take_facts
	by_cpu=yes
	# Pooled counts of several machines do not tell CPU 3 of one machine from CPU 3 of another.
	find_run recordings
	if [ -n "$run_found" ]; then
		find_run machine_id
		[ -n "$run_found" ] || by_cpu=
	fi
	[ -z "$pooled" ] || by_cpu=
	counters=$(awk -F '\t' -f "$here/lib/analysis/counters.awk" "$dir/run.tsv" "$made") || exit
	uncertain=
	! are_counts && ! table_has uncertainty "$made" || uncertain=yes
	verdict_metrics=wake_latency,intr_latency
	# Latencies of other tools have the metric `latency`.
	! are_counts || verdict_metrics=$verdict_metrics,latency
	! are_counts || : >"$work/rows"
	for name in state-reached state-reached-intervals machine machine-intervals machine-reached machine-reached-intervals; do
		: >"$work/$name"
	done
	lasted_columns=
	for lasted_column in ldist silent_time; do
		! are_counts && table_has "$lasted_column" "$made" || continue
		lasted_columns=$lasted_columns${lasted_columns:+,}$lasted_column
	done
	judge state
	one_source "$work/state"
	balance
	take_lasted
	case $longer in
	'') ;;
	none) judge machine -k "$(taints_of measured)" ;;
	*) judge machine -k "$(taints_of measured)" -e "state:$longer" ;;
	esac
	set --
	for name in state-intervals state-reached-intervals machine-intervals machine-reached-intervals state-reached machine-reached \
		machine state; do
		set -- "$@" "kind=$name" "$work/$name"
	done
	awk -F '\t' -v percentile="$percentile" -v pooled="${by_cpu:-pooled}" -v budget="$budget" -v tail="$tail_error" -v tails="$tails" -v lasted="$lasted" -f "$here/lib/common/enough.awk" \
		-f "$here/lib/verdict/limit.awk" -f "$here/lib/verdict/verdict.awk" kind=run "$dir/run.tsv" kind=balance "$work/verdict-balance.tsv" "$@" \
		>"$verdict_file" || exit
}
