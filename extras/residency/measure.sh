# SPDX-License-Identifier: GPL-2.0
# measure.sh - wake all CPUs at intervals, with one idle state enabled, and read the meter.
# shellcheck shell=sh
#
# Needs session-all.sh, analysis.sh.

: "${me?the command}" "${extra?the command}" "${root?sysfs.sh}" "${cpu_sysfs?cpuidle.sh}" "${tools?analysis.sh}" "${work_dir?journal.sh}" \
	"${journal_tab?journal.sh}" "${quiet?message.sh}" "${value_read?sysfs.sh}" "${found_index?cpuidle.sh}"

child=
points_seed=0
power_class=$root/sys/class

# residency_needs: check the variables that the functions below read
residency_needs() {
	: "${wakeups?the command}" "${meter?the command}" "${paste?the command}" "${precision?the command}" "${time_s?the command}" "${point_ms?the command}" \
		"${ldist_min?session-options.sh}" "${ldist_max?session-options.sh}" "${states_option?session-options.sh}"
	: "${output?session-options.sh}" "${log_file?message.sh}"
}

stop_measuring() {
	[ -z "$child" ] || end_process "$child"
	child=
}

leave_unfinished() {
	clear_output residency.tsv residency-points.tsv
}

# check_machine: set $cpu_words, $cpu_list and $states (names, one a line), or die if the machine cannot be measured
check_machine() {
	residency_needs
	[ "$(id -u)" -eq 0 ] || die "must be root: sudo $me ..."
	need_tools wakeups breakeven check-tables
	[ "$paste" != cmdline ] || need_tools answer
	journal_free
	: "${expanded=}" "${named_states=}" "${work=}"
	expand_cpulist "$(read_value "$cpu_sysfs/online")" || die "$cpu_sysfs/online cannot be read"
	cpu_words=$expanded
	cpu=${cpu_words%% *}
	[ -d "$cpu_sysfs/cpu$cpu/cpuidle/state0" ] ||
		die "CPU $cpu has no idle states: is there a cpuidle driver? ($(read_value "$cpu_sysfs/cpuidle/current_driver"))"
	compare_states "$cpu_words"
	[ -z "$states_difference" ] || die "$states_difference: one answer cannot hold for both"
	cpu_list=$(printf '%s\n' "$cpu_words" | tr ' ' ',')
	name_states "$cpu" "${states_option:-$(states_to_try "$cpu")}"
	states=$(printf '%s\n' "$named_states" | tr ',' '\n')
	[ "$(printf '%s\n' "$states" | grep -c .)" -ge 2 ] ||
		die "only one idle state is enabled ($named_states): there is nothing to compare (--states)"
	for check_state in $states; do
		warn_about_state "$cpu" "$check_state"
	done
}

# rapl_files NAME: print the energy counters of the RAPL zones called NAME or NAME-N, joined by commas
rapl_files() {
	for rapl_zone in "$power_class"/powercap/intel-rapl:*; do
		rapl_name=$(read_value "$rapl_zone/name") && [ -r "$rapl_zone/energy_uj" ] || continue
		case $rapl_name in
		"$1" | "$1"-*) printf '%s\n' "$rapl_zone/energy_uj" ;;
		esac
	done | paste -sd , -
}

# take_meter: set $meter_spec for tools/bin/wakeups, or die if there is no such meter
take_meter() {
	case $meter in
	package | core)
		meter_spec=uj:$(rapl_files "$meter")
		[ "$meter_spec" != uj: ] ||
			die "no meter: $power_class/powercap has no RAPL counter of the $meter (modprobe intel_rapl_msr, or --meter perf, a file of hwmon or a command)" ;;
	perf) meter_spec=perf:energy-pkg ;;
	*/energy*_input) meter_spec=uj:$meter ;;
	*/power*_input | */power*_average) meter_spec=uw:$meter ;;
	*,*) die "--meter: '$meter' has a comma: put the command into a script" ;;
	*) meter_spec=run:$meter ;;
	esac
}

# wake MS ARGUMENT...: run tools/bin/wakeups for MS ms, and set $woken to its line, or die
wake() {
	wake_ms=$1
	shift
	"$tools/wakeups" "$@" -t "$wake_ms" -c "$cpu_list" "$meter_spec" </dev/null >"${work_dir_now:-$check_dir}/woken" 2>"${work_dir_now:-$check_dir}/said" &
	child=$!
	wait "$child"
	wake_status=$?
	child=
	[ "$wake_status" -eq 0 ] || die "$(sed 's/^[a-z ]*: //; q' "${work_dir_now:-$check_dir}/said")"
	read -r woken <"${work_dir_now:-$check_dir}/woken"
}

# check_idle: die if the meter does not advance, or if a CPU is busy. Nothing has been changed.
check_idle() {
	make_work
	check_dir=$work
	wake 1000
	read -r idle_s idle_j _ _ _ _ _ _ idle_cpu idle_busy _ <<END_WOKEN
$woken
END_WOKEN
	awk -v joules="$idle_j" 'BEGIN { exit !(joules > 0) }' || die "the meter $meter does not advance: $idle_j J in $idle_s s"
	awk -v busy="$idle_busy" 'BEGIN { exit !(busy < 0.05) }' ||
		die "CPU $idle_cpu is busy for $(awk -v busy="$idle_busy" 'BEGIN { printf "%.0f", 100 * busy }') % of the time: end what runs there (top), because all CPUs must idle"
}

# counter_of STATE: print the number of the MSR that counts the residency of the state's core C-state, or nothing
counter_of() {
	find_state "$cpu" "$1" && take_state_value "$cpu" "$found_index" desc
	[ "$(read_value "$cpu_sysfs/cpuidle/current_driver")" = intel_idle ] || return 0
	case $value_read in
	'MWAIT 0x0'?) printf '660\n' ;;
	'MWAIT 0x1'?) printf '3fc\n' ;;
	'MWAIT 0x2'?) printf '3fd\n' ;;
	'MWAIT 0x'[3-6]?) printf '3fe\n' ;;
	esac
}

# measure_point STATE LETTER ROUND INTERVAL_NS: enable only STATE, measure once, and add the line to $pair_points
measure_point() {
	# Log the first point only.
	[ -z "$(sed q "$pair_points")" ] || log_file=
	for point_cpu in $cpu_words; do
		use_only_states "$point_cpu" "$1"
	done
	log_file=$output/record.log
	find_state "$cpu" "$1"
	point_counter=$(counter_of "$1")
	set -- "$@" -i "$4" -s "$found_index"
	[ "$wakeups" = together ] || set -- "$@" -p
	[ -z "$point_counter" ] || set -- "$@" -r "$point_counter"
	point_row="$2$journal_tab$3$journal_tab$4"
	shift 4
	wake "$point_ms" "$@"
	printf '%s\t%s\n' "$point_row" "$woken" >>"$pair_points" || cannot_write "$pair_points"
}

# plan [-e]: let tools/bin/breakeven decide; set $result, $intervals and $width
plan() {
	"$tools/breakeven" "$@" -w "$precision" -l "$latencies" "$ldist_min" "$ldist_max" "$pair_points" >"$work_dir/plan" || exit 1
	result=$(plan_value result)
	intervals=$(plan_value intervals)
	width=$(plan_value width)
}

plan_value() {
	awk -F '\t' -v key="$1" '$1 == key { print $2 }' "$work_dir/plan"
}

# shuffled LIST: print the words of the comma-separated list in random order
shuffled() {
	points_seed=$((points_seed + 1))
	printf '%s\n' "$1" | tr ',' '\n' | awk -v seed="$points_seed" 'BEGIN { srand(seed) } { print rand(), $1 }' | sort -n | cut -d ' ' -f 2
}

# measure_pair SHALLOW DEEP END_S: measure until the answer is known, or until END_S (s since the epoch)
measure_pair() {
	find_state "$cpu" "$1" && take_state_value "$cpu" "$found_index" latency
	latencies=$((value_read * 1000))
	find_state "$cpu" "$2" && take_state_value "$cpu" "$found_index" latency
	latencies=$latencies,$((value_read * 1000))
	pair_points=$work_dir/points
	: >"$pair_points" || cannot_write "$pair_points"
	round=0
	order=0
	plan
	while [ "$result" = next ]; do
		for interval in $(shuffled "$intervals"); do
			now=$(date +%s)
			[ "$now" -lt "$3" ] || [ "$round" -lt 2 ] || break
			[ "$quiet" = yes ] || [ ! -t 2 ] ||
				progress "$1 and $2: round $round, $((interval / 1000)) us${width:+, +-$width %}, at most $((end_s - now)) s left"
			order=$((1 - order))
			if [ "$order" -eq 1 ]; then
				measure_point "$1" a "$round" "$interval"
				measure_point "$2" b "$round" "$interval"
			else
				measure_point "$2" b "$round" "$interval"
				measure_point "$1" a "$round" "$interval"
			fi
		done
		round=$((round + 1))
		if [ "$(date +%s)" -lt "$3" ]; then
			plan
		else
			plan -e
		fi
	done
	progress_end
}

# measure_pairs: measure all pairs of neighbouring states, and write the two tables
measure_pairs() {
	work_dir_now=$work_dir
	pairs=$(printf '%s\n' "$states" | awk 'NR > 1 { print last, $1 } { last = $1 }')
	pairs_left=$(printf '%s\n' "$pairs" | grep -c .)
	end_s=$(($(date +%s) + time_s))
	awk 'BEGIN { printf "shallow\tdeep\tstate\tround\tinterval_ns\tseconds\tjoules\trate\tother\tlate\town\tawake_ns\treached\tbusiest\tbusy\tupdate_ns\n" }' \
		>"$output/residency-points.tsv.partial" || cannot_write "$output"
	: >"$work_dir/answers"
	while read -r shallow deep; do
		say "$shallow and $deep: measuring"
		pair_began=$(date +%s)
		measure_pair "$shallow" "$deep" "$((pair_began + (end_s - pair_began) / pairs_left))"
		pairs_left=$((pairs_left - 1))
		awk -v shallow="$shallow" -v deep="$deep" -v OFS='\t' '{ print shallow, deep, $0 }' "$pair_points" \
			>>"$output/residency-points.tsv.partial" || cannot_write "$output"
		{
			printf 'shallow\t%s\ndeep\t%s\nseconds\t%s\n' "$shallow" "$deep" "$(($(date +%s) - pair_began))"
			cat "$work_dir/plan"
		} >>"$work_dir/answers" || cannot_write "$work_dir"
	done <<END_PAIRS
$pairs
END_PAIRS
	wakeups=$wakeups meter=$meter precision=$precision awk -F '\t' -f "$extra/answer.awk" "$work_dir/run.tsv" "$work_dir/answers" \
		>"$output/residency.tsv.partial" || cannot_write "$output"
}
