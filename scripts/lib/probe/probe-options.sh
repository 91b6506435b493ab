# SPDX-License-Identifier: GPL-2.0
# probe-options.sh - parse the command line of wakelat probe. All errors in it are found before
# anything else happens.
# shellcheck shell=sh
#
# Needs message.sh, options.sh, units.sh, session-options.sh.

waker=
latency_limit=
alarm=0
threshold=0
stop=no
live_asked=
budget_text=
# For the rest of probe.
: "$live_asked" "$latency_limit" "$budget_text"

# Variables that other files set:
: "${output?session-options.sh}" "${samples?session-options.sh}" "${live?session-options.sh}" "${export_file?session-options.sh}"

# The former name of an option, for options.sh.
options_gone='--passive is now --source passive'
: "$options_gone"

probe_option() {
	case $1 in
	--source)
		case $2 in
		timer | passive | wake) source=$2 ;;
		*) bad_usage "--source: '$2' is none of timer, passive, wake; wakelat record has the other sources" ;;
		esac
		;;
	--alarm) alarm=$(latency_ns "$1" "$2") || exit ;;
	--threshold) threshold=$(latency_ns "$1" "$2") || exit ;;
	--waker)
		[ "$2" = any ] || is_number "$2" || bad_usage "--waker: '$2' is neither a CPU nor any"
		waker=$2
		;;
	--latency-limit) latency_limit=$(latency_us "$1" "$2") || exit ;;
	--stop) stop=yes ;;
	--budget)
		latency_ns "$1" "$2" >/dev/null || exit
		budget_text=$2
		;;
	*) session_option "$@" ;;
	esac
}

# parse_probe_options ARGUMENT...: set the variables of the options and their defaults, or die
parse_probe_options() {
	take_only_options probe_option "$@"
	take_ldist
	[ -z "$budget_text" ] || { [ -z "$export_file" ] && [ "$threshold" -eq 0 ]; } ||
		bad_usage "--budget excludes --export and --threshold: a verdict needs all samples"
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
	live_asked=${live#--no-live}
	choose_live
}
