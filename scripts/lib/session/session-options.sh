# SPDX-License-Identifier: GPL-2.0
# session-options.sh - read the options that have the same meaning in record, probe and extras. A
# command may have only some of them.
# shellcheck shell=sh
#
# Needs message.sh, options.sh, units.sh.

# Variables that other files set:
: "${option?options.sh}" "${quiet?message.sh}" "${zeros_number?units.sh}" "${scaled_number?units.sh}"

# Variables that functions of this file set:
taken_count=
: "$taken_count"

output=
source=
cpu_option=
states_option=
ldist=
seed=1
samples=
duration=
cost=no
live=
export_file=
every=15
# See take_ldist.
ldist_mode=
ldist_min=
ldist_max=
: "$output" "$source" "$cpu_option" "$states_option" "$seed" "$samples" "$cost" "$export_file" "$every" "$ldist_mode"

# session_option NAME [VALUE]: reads an option. The command handles its own options before.
session_option() {
	case $1 in
	--output) output=$2 ;;
	--source) source=$2 ;;
	--cpu) cpu_option=$2 ;;
	--states) states_option=$2 ;;
	--ldist) ldist=$2 ;;
	--seed) take_seed "$2" ;;
	--samples)
		take_count "$option" "$2" 0 4294967295
		samples=$taken_count
		;;
	--duration)
		duration=$(duration_s "$2") || bad_usage "$option: '$2' is not a whole number of s, m, h or d"
		take_count "$option" "$duration" 1 4294967295
		duration=$taken_count
		;;
	--cost) cost=yes ;;
	--live | --no-live) live=$1 ;;
	--export)
		[ ! -d "$2" ] || bad_usage "--export: $2 is a directory; name a file in it that ends in .prom"
		export_file=$2
		;;
	--every) every=$(duration_s "$2") && [ "$every" -ge 1 ] || bad_usage "--every: '$2' is not a whole number of s, m or h" ;;
	esac
}

# take_count OPTION VALUE MIN MAX: sets $taken_count to the number VALUE, or dies.
take_count() {
	is_number "$2" || bad_usage "$1: '$2' is not a number"
	strip_zeros "$2"
	taken_count=$zeros_number
	[ "$taken_count" -ge "$3" ] && [ "$taken_count" -le "$4" ] || bad_usage "$1: $2 is not in $3..$4"
}

# latency_us OPTION TIME: prints TIME in us, or dies.
latency_us() (
	ns=$(time_ns "$2") && [ $((ns % 1000)) -eq 0 ] && [ "$ns" -le 2000000000000 ] ||
		bad_usage "$1: '$2' is not a time in whole us such as 0us, 50us"
	printf '%s\n' $((ns / 1000))
)

# latency_ns OPTION TIME: prints TIME in ns, or dies.
latency_ns() (
	ns=$(time_ns "$2") && [ "$ns" -ge 1 ] || bad_usage "$1: '$2' is not a time such as 200us"
	printf '%s\n' "$ns"
)

# take_seed SEED: sets $seed, or dies. The kernel's seed has 64 bits, more than the shell's
# arithmetic, so SEED is handled as text.
take_seed() {
	case $1 in
	*[!0-9]* | ?????????????????????*) bad_usage "--seed: '$1' is not a number of 64 bits" ;;
	esac
	strip_zeros "$1"
	seed=$zeros_number
}

# take_ns OPTION TIME: sets $scaled_number to TIME in ns, or dies if the kernel does not accept it.
take_ns() {
	scale_time "$2" || bad_usage "$1: '$2' is not a time such as 50us, 1.5ms (a whole number of ns)"
	[ "$scaled_number" -ge 1 ] && [ "$scaled_number" -le 10000000000 ] || bad_usage "$1: $2 is not in 1ns..10s"
}

# take_range OPTION FIRST LAST MODE: sets $ldist_mode, $ldist_min, $ldist_max
take_range() {
	ldist_mode=$4
	take_ns "$1" "$2"
	ldist_min=$scaled_number
	take_ns "$1" "$3"
	ldist_max=$scaled_number
	[ "$ldist_min" -le "$ldist_max" ] || bad_usage "$1: $2 is more than $3"
}

# take_ldist: sets $ldist_mode, $ldist_min, $ldist_max
take_ldist() {
	: "${ldist:=50us:8ms}"
	case $ldist in
	*:*:* | :* | *:) bad_usage "--ldist: '$ldist' is not MIN:MAX" ;;
	*:*) take_range --ldist "${ldist%:*}" "${ldist#*:}" uniform ;;
	*) bad_usage "--ldist: '$ldist' is not MIN:MAX" ;;
	esac
}

# choose_live: sets $live to --live if the user wants the view, or if stderr is a terminal.
choose_live() {
	[ "$live" != --live ] || [ -t 2 ] || bad_usage "--live: standard error is not a terminal"
	[ -n "$live" ] || [ "$quiet" = yes ] || [ ! -t 2 ] || live=--live
}
