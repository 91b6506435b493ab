# SPDX-License-Identifier: GPL-2.0
# probe-options.sh - the command line of wakelat probe: what is wrong with it is found before anything else happens.
# shellcheck shell=sh
#
# Needs message.sh, options.sh, units.sh, record-options.sh, whose options with the same meaning are read there.

source=
export_file=
every=15
alarm=0
waker=
latency_limit=
cost=no
threshold=0
stop=no
live=
live_asked=
# For the rest of probe.
: "$cost" "$live_asked" "$ldist" "$cpu_option" "$states_option"

# Read here, set there:
: "${option?options.sh}" "${operands?options.sh}" "${quiet?message.sh}"

probe_option() {
	case $1 in
	--output) output=$2 ;;
	--source)
		case $2 in
		timer | passive | wake) source=$2 ;;
		*) bad_usage "--source: '$2' is none of timer, passive, wake; wakelat record has the other sources" ;;
		esac
		;;
	--export)
		[ ! -d "$2" ] || bad_usage "--export: $2 is a directory; name a file in it that ends in .prom"
		export_file=$2
		;;
	--every) every=$(duration_s "$2") && [ "$every" -ge 1 ] || bad_usage "--every: '$2' is not a whole number of s, m or h" ;;
	--alarm) alarm=$(time_ns "$2") && [ "$alarm" -ge 1 ] || bad_usage "--alarm: '$2' is not a time such as 200us" ;;
	--threshold) threshold=$(time_ns "$2") && [ "$threshold" -ge 1 ] || bad_usage "--threshold: '$2' is not a time such as 200us" ;;
	--cpu) cpu_option=$2 ;;
	--waker)
		[ "$2" = any ] || is_number "$2" || bad_usage "--waker: '$2' is neither a CPU nor any"
		waker=$2
		;;
	--states) states_option=$2 ;;
	--latency-limit)
		latency_limit=$(time_ns "$2") && [ $((latency_limit % 1000)) -eq 0 ] && [ "$latency_limit" -le 2000000000000 ] ||
			bad_usage "--latency-limit: '$2' is not a time in whole us such as 0us, 50us"
		latency_limit=$((latency_limit / 1000))
		;;
	--ldist) ldist=$2 ;;
	--seed) take_seed "$2" ;;
	--samples) samples=$(take_count "$option" "$2" 0 4294967295) || exit ;;
	--duration) take_duration "$option" "$2" ;;
	--cost) cost=yes ;;
	--stop) stop=yes ;;
	--passive) source=passive ;;
	--live | --no-live) live=$1 ;;
	esac
}

# parse_probe_options ARGUMENT...: what they say, and what follows from that
parse_probe_options() {
	take_options probe_option "$@"
	eval "set -- $operands"
	[ $# -eq 0 ] || bad_usage "unexpected argument '$1'"
	take_ldist
	if [ -n "$export_file" ]; then
		: "${source:=passive}"
		[ "$threshold" -eq 0 ] || bad_usage "--export and --threshold exclude each other: report long latencies with --alarm"
		[ -z "$output$samples" ] || bad_usage "--export excludes --output and --samples: it writes metrics only"
		[ -n "$live" ] || live=--no-live
	else
		: "${source:=timer}"
		[ "$alarm" -eq 0 ] || bad_usage "--alarm needs --export"
		[ -n "$samples$duration" ] || duration=60
	fi
	[ "$stop" = no ] || [ "$threshold" -ne 0 ] || bad_usage "--stop needs --threshold"
	[ -z "$waker" ] || [ "$source" = wake ] || bad_usage "--waker needs --source wake"
	[ "${samples:-0}" -ne 0 ] || [ -n "$export_file" ] || [ "${duration:-0}" -ne 0 ] || bad_usage "--samples 0 needs a --duration"
	[ "$live" != --live ] || live_asked=yes
	[ "$live" != --live ] || [ -t 2 ] || bad_usage "--live: standard error is not a terminal"
	[ -n "$live" ] || [ "$quiet" = yes ] || [ ! -t 2 ] || live=--live
}
