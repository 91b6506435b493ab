# SPDX-License-Identifier: GPL-2.0
# verdict.sh - the tables of a verdict: how each wake-up counts, and the verdicts on each state alone and
# on the machine as it is.
# shellcheck shell=sh
#
# Needs analysis.sh, samples.sh.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" "${made?samples.sh}"

# verdict_needs: variables that the command must set. $tail: how often a bound may err, in millionths.
verdict_needs() {
	: "${percentile?verdict}" "${budget?verdict}" "${tail?verdict}"
}

# advertised: prints the exit latencies of the states in run.tsv, as 1=2000,3=133000
advertised() {
	awk -F '\t' '
		$1 ~ /^state\.[0-9]+\.latency_ns$/ && $2 ~ /^[0-9]+$/ {
			split($1, key, ".")
			printf "%s%s=%s", comma, key[2], $2
			comma = ","
		}' "$dir/run.tsv"
}

# tails: prints how often each bound of a state may err, in millionths, as 1=25000,3=8333, for the states
# whose samples record --for-verdict tested repeatedly. The k-th test gets 1 / (k (k + 1)) of the
# probability of error, so all tests together err no more often than a single one.
tails() {
	awk -F '\t' -v tail="$tail" '
		$1 ~ /^run\.[0-9]+\.looks$/ { split($1, key, "."); looks[key[2]] = $2 }
		$1 ~ /^run\.[0-9]+\.state$/ { split($1, key, "."); state[key[2]] = $2 }
		$1 ~ /^state\.[0-9]+\.name$/ { split($1, key, "."); index_of[$2] = key[2] }
		END {
			for (run in looks)
				if (state[run] in index_of && looks[run] > most[index_of[state[run]]])
					most[index_of[state[run]]] = looks[run]
			for (s in most) {
				printf "%s%s=%d", comma, s, tail / (most[s] * (most[s] + 1))
				comma = ","
			}
		}' "$dir/run.tsv"
}

# taints_of CLASS: prints the taints that put a wake-up into CLASS (see balance.awk), joined by commas
taints_of() {
	awk -F '\t' -v class="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["machine"] == class { print $1 }' \
		"$here/lib/common/taints.tsv" | paste -sd , -
}

# quantiles NAME [OPTION]...: writes $work/NAME and $work/NAME-intervals. With counters, also writes
# NAME-reached and NAME-reached-intervals, of the samples that reached their state.
quantiles() {
	quantiles_name=$1
	shift
	"$tools/quantiles" -g source,state -m "$verdict_metrics" -p "$list" -t taint -c "$tail" ${uncertain:+-U} \
		${tails:+-C "state:$tails"} ${limits:+-x "state:$limits"} ${budget:+-l "$budget"} -i "$work/$quantiles_name-intervals" "$@" \
		"$made" >"$work/$quantiles_name" || exit
	[ -z "$counters" ] || [ "${quantiles_name%-reached}" != "$quantiles_name" ] ||
		quantiles "$quantiles_name-reached" -r "state:$counters" "$@"
}

# balance: writes $work/verdict-balance.tsv, the number of wake-ups in each class (see balance.awk)
balance() {
	# check_counts may have written $work/rows already.
	if ! are_counts && [ ! -e "$work/rows" ]; then
		"$tools/quantiles" -g run,cpu -m wake_latency -t taint "$made" >"$work/rows" || exit
	fi
	awk -F '\t' -v counts="$(are_counts && echo yes)" -f "$here/lib/verdict/balance.awk" kind=classes "$here/lib/common/taints.tsv" \
		kind=run "$dir/run.tsv" kind=rows "$work/rows" kind=taints "$work/taints" kind=reached "$work/state-reached" \
		kind=latencies "$work/state-intervals" kind=stats "$work/state" >"$work/verdict-balance.tsv" || exit
}

# longer_than_any: prints the number of wake-ups without a latency as STATE=COUNT,... A wake-up of an
# unknown state counts in each state.
longer_than_any() {
	awk -F '\t' '
		FNR == 1 { next }
		FNR == NR { if ($2 == "unknown") count[$1] += $4; next }
		!seen[$2]++ && count[$2] + count["-"] > 0 { printf "%s%s=%d", comma, $2, count[$2] + count["-"]; comma = "," }
		' "$work/verdict-balance.tsv" "$work/state"
}

# lost_events: prints the number of events that were lost while recording, from run.tsv
lost_events() {
	awk -F '\t' '$1 ~ /^lost_/ { lost += $2 } END { printf "%.0f\n", lost }' "$dir/run.tsv"
}

# any_measured: true if a tainted wake-up is judged by its latency
any_measured() {
	awk -F '\t' '$2 == "measured" { found = 1 } END { exit !found }' "$work/verdict-balance.tsv"
}

# make_verdict: writes $work/verdict.tsv and $work/verdict-balance.tsv
make_verdict() {
	verdict_needs
	list=50,99,99.9,99.99
	case ,$list,max, in
	*,"$percentile",*) ;;
	*) list=$list,$percentile ;;
	esac
	limits=$(advertised)
	tails=$(tails)
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
	quantiles state -T "$work/taints"
	one_source "$work/state"
	balance
	longer=$(longer_than_any)
	if [ -n "$longer" ] || any_measured; then
		quantiles machine -k "$(taints_of measured)" ${longer:+-e "state:$longer"}
	fi
	set --
	for name in state-intervals state-reached-intervals machine-intervals machine-reached-intervals state-reached machine-reached \
		machine state; do
		set -- "$@" "kind=$name" "$work/$name"
	done
	awk -F '\t' -v percentile="$percentile" -v budget="$budget" -v tail="$tail" -v tails="$tails" -f "$here/lib/common/enough.awk" \
		-f "$here/lib/verdict/limit.awk" -f "$here/lib/verdict/verdict.awk" kind=run "$dir/run.tsv" kind=balance "$work/verdict-balance.tsv" "$@" \
		>"$work/verdict.tsv" || exit
}
